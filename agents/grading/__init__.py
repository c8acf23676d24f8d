"""Report cards: agents measured against what every move is worth, exactly.

- ``exact.py``, ``listed.py``: the worth of every move, by whatever solver the game has;
- ``positions.py``, ``sampling.py``: what is asked, balanced and with a name;
- ``probe.py``, ``games.py``: asking, and the agent's own games;
- ``marks.py``, ``calibration.py``, ``statistics.py``: shares, losses and their intervals;
- ``grader.py``, ``card.py``: all together; ``record.py``: games that were played;
- ``page.py`` and what it takes: the card as a page.
"""

from agents.knowledge import ExactValues, MoveValue

from .card import ReportCard
from .exact import exact_for
from .grader import Grader, grade
from .marks import expected_random
from .positions import PositionsError, PositionSet, positions_for
from .question import Question
from .record import GradedGame, RecordCard, grade_game, record_card

__all__ = [
    "ExactValues",
    "GradedGame",
    "Grader",
    "MoveValue",
    "PositionSet",
    "PositionsError",
    "Question",
    "RecordCard",
    "ReportCard",
    "exact_for",
    "expected_random",
    "grade",
    "grade_game",
    "positions_for",
    "record_card",
]
