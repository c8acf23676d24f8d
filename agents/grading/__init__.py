"""Makes report cards: agents measured by the exact value of every move.

``grade`` gives the report card of an agent: shares of right moves and value lost at a balanced set
of test positions and in the agent's own games, its own values against the exact ones, its time, its
worst blunders. ``grade_game`` and ``record_card`` do the same for recorded games.

- ``exact_values``: the value of every move, by the solver of the game or a list of all positions;
- ``position_sets``: test positions, drawn with balance, and files of them;
- ``evaluator``: the answers of an agent, at test positions and in its own games, and their metrics:
  shares, losses and calibration, with their intervals;
- ``parallel_answers``: several copies of an agent, asked at the same time;
- ``report_card``: the cards of agents and of recorded games;
- ``move_grader``: grades of single moves, for games of messages;
- ``puzzles``: positions with one right move;
- ``puzzle_items``: the same as items, plain data without end, in a public and a private split;
- ``item_records``, ``item_twins``, ``item_files``: what an item holds; the same question in other
  forms; files of items that are read;
- ``item_card``: the card of an agent at items and their twins;
- ``exploitability_card``: the card for games in which players do not see everything.

``grade_hidden`` grades agents where players do not see everything, by exact exploitability.
"""

from agents.knowledge import ExactValues, MoveValue, NotGraded

from .evaluator import expected_random
from .exact_values import exact_for
from .exploitability_card import HiddenReport, PolicyCard, grade_hidden
from .item_card import ItemCard, ItemGrader, PairedDifference
from .item_files import ItemsError, LoadedItem, item_position, read_items
from .item_twins import Twin, symmetry_twins
from .move_grader import MoveGrader, move_grader
from .position_sets import PositionsError, PositionSet, TestPosition, positions_for
from .puzzle_items import puzzle_items
from .report_card import GradedGame, Grader, RecordCard, ReportCard, grade, grade_game, record_card

__all__ = [
    "ExactValues",
    "GradedGame",
    "Grader",
    "HiddenReport",
    "ItemCard",
    "ItemGrader",
    "ItemsError",
    "LoadedItem",
    "MoveGrader",
    "MoveValue",
    "NotGraded",
    "PairedDifference",
    "PolicyCard",
    "PositionSet",
    "PositionsError",
    "RecordCard",
    "ReportCard",
    "TestPosition",
    "Twin",
    "exact_for",
    "expected_random",
    "grade",
    "grade_game",
    "grade_hidden",
    "item_position",
    "move_grader",
    "positions_for",
    "puzzle_items",
    "read_items",
    "record_card",
    "symmetry_twins",
]
