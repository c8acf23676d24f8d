"""Holds what a class needs: its submissions, and tournaments of them.

``class_tournament`` plays all submissions of a folder and a staff of known strength against each
other, ``members`` says who plays which game, and keeps it in a file.
"""

__all__: list[str] = []
