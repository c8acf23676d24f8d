"""Exact exploitability of phantom games whose trees are too large to be written down.

``attempt_policy.py`` has policies as arrays over a player's attempts, and finds the information
sets; ``attempt_response.py`` finds best responses by a walk that never makes a history twice.
"""

from .attempt_policy import AttemptPolicy
from .attempt_response import best_value, exploitability

__all__ = ["AttemptPolicy", "best_value", "exploitability"]
