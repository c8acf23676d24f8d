"""What games know about themselves beyond their rules: evaluations and move orders.

An evaluation is a kernel ``evaluate(position) -> float``, larger for better, from the point of view
of the player to move; a won game is worth more than any evaluation. Zero means even.
"""
