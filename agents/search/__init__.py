"""Searches and solvers for every game: the minimax family, proof numbers, retrograde analysis.

``minimax.py`` is where to begin to read. ``alpha_beta.py`` adds iterative deepening, null windows,
move ordering and a transposition table; ``multiplayer.py`` is for three players and more,
``expectiminimax.py`` for games with chance, ``proof_number.py`` proves who wins. ``retrograde.py``
and ``perfect.py`` solve games exactly, also those in which points are gathered. Their kernels know
no game: evaluations, move orders and symmetries are bound to them, from ``agents.knowledge`` or by
the user.
"""

from .alpha_beta import AlphaBeta
from .expectiminimax import Expectiminimax
from .minimax import Minimax
from .multiplayer import MaxN, Paranoid
from .perfect import MarginSolver, Perfect
from .proof_number import ProofNumber
from .retrograde import Retrograde, Solution

__all__ = [
    "AlphaBeta",
    "Expectiminimax",
    "MarginSolver",
    "MaxN",
    "Minimax",
    "Paranoid",
    "Perfect",
    "ProofNumber",
    "Retrograde",
    "Solution",
]
