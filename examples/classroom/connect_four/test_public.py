"""Tests a submission as its author can: the evaluation, the search, and the limit of time.

The file is named in one of two ways; without a name it is starter.py::

    python test_public.py alice.py
    SUBMISSION=alice.py pytest test_public.py
"""

import inspect
import os
import runpy
import sys
import time
import unittest
from pathlib import Path
from types import SimpleNamespace

from adv_envs import ConnectFour

FILE = os.environ.get("SUBMISSION", str(Path(__file__).with_name("starter.py")))


class PublicTests(unittest.TestCase):
    """Tests the functions of the file that is called ``FILE``."""

    student: SimpleNamespace

    @classmethod
    def setUpClass(cls) -> None:
        """Loads the file."""
        cls.student = SimpleNamespace(**runpy.run_path(FILE))

    def best_column(self, moves: str, depth: int) -> str:
        """Returns the name of the column that ``best_move`` finds after ``moves``."""
        position = ConnectFour().after(moves)
        return position.name(self.student.best_move(position, depth))

    def test_evaluation_is_antisymmetric(self) -> None:
        """Expects what one player gains to be what the other loses."""
        for moves in ("", "4", "4 4 3", "1 4 1 4 7"):
            position = ConnectFour().after(moves)
            values = [self.student.evaluate(position, player) for player in (0, 1)]
            self.assertEqual(values[0], -values[1])

    def test_evaluation_tells_good_from_bad(self) -> None:
        """Expects three in a row with open ends to be good for X, who has them."""
        self.assertGreater(self.student.evaluate(ConnectFour().after("3 1 4 1 5"), 0), 0)

    def test_search_wins_at_once(self) -> None:
        """Expects the fourth stone of a column."""
        self.assertEqual(self.best_column("4 3 4 3 4 3", depth=1), "4")

    def test_search_stops_a_row(self) -> None:
        """Expects X to stop the column of O, which takes a search of two moves."""
        self.assertEqual(self.best_column("1 4 1 4 7 4", depth=2), "4")

    def test_search_prefers_the_early_win(self) -> None:
        """Expects the win at once, though every other move wins as well, but later."""
        self.assertIn(self.best_column("3 3 4 4 5 5", depth=3), ("2", "6"))

    def test_search_sees_a_double_threat(self) -> None:
        """Expects X to make three in a row with both ends open, which wins by force."""
        self.assertIn(self.best_column("4 4 3 3", depth=3), ("2", "5"))

    def test_agent_is_in_time(self) -> None:
        """Expects an answer within a second on the empty board, where lines are longest."""
        self.assertIn("seconds", inspect.signature(self.student.agent).parameters)
        begun = time.monotonic()
        self.student.agent(ConnectFour(), seconds=1.0)
        self.assertLess(time.monotonic() - begun, 1.0)

    def test_agent_stops_a_row(self) -> None:
        """Expects the agent to stop the column of O."""
        self.assertEqual(self.student.agent(ConnectFour().after("1 4 1 4 7 4")), 3)


if __name__ == "__main__":
    named = [argument for argument in sys.argv[1:] if argument.endswith(".py")]
    FILE = (named or [FILE])[0]
    unittest.main(argv=[argument for argument in sys.argv if argument not in named])
