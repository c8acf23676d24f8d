"""Tests a submission as its author can: paths, connected stones, the evaluation and the agent.

The file is named in one of two ways; without a name it is starter.py::

    python test_public.py alice.py
    SUBMISSION=alice.py pytest test_public.py
"""

import os
import runpy
import sys
import unittest
from pathlib import Path
from types import SimpleNamespace

from adv_envs import Hex

FILE = os.environ.get("SUBMISSION", str(Path(__file__).with_name("starter.py")))
POSITIONS = [Hex(5).after(moves) for moves in ("", "c3", "c2 b3 c4 b4", "a1 b2 c2 d4 e1")]


class PublicTests(unittest.TestCase):
    """Tests the functions of the file that is called ``FILE``."""

    student: SimpleNamespace

    @classmethod
    def setUpClass(cls) -> None:
        """Loads the file."""
        cls.student = SimpleNamespace(**runpy.run_path(FILE))

    def paths(self, position: Hex) -> list[int]:
        """Returns the shortest paths of both players."""
        return [self.student.shortest_path(position, player) for player in (0, 1)]

    def test_path_on_an_empty_board(self) -> None:
        """Expects as many stones as the board has rows and columns."""
        self.assertEqual(self.paths(Hex(5)), [5, 5])
        self.assertEqual(self.paths(Hex(7)), [7, 7])

    def test_path_uses_own_stones(self) -> None:
        """Expects own stones on the path to cost nothing."""
        self.assertEqual(self.paths(Hex(5).after("c2 b3 c4 b4")), [3, 4])

    def test_path_goes_around_stones_of_the_opponent(self) -> None:
        """Expects a detour: O is a row of four, and X must pass at its open end."""
        self.assertEqual(self.paths(Hex(5).after("e1 a3 e2 b3 a1 c3 a2 d3")), [3, 1])

    def test_path_of_a_finished_game(self) -> None:
        """Expects 0 for the player who joined both edges, and 9 = 3 * 3 for the other."""
        self.assertEqual(self.paths(Hex(3).after("a1 c1 a2 c2 a3")), [0, 9])

    def test_connected_stones(self) -> None:
        """Expects stones beside one of their colour to be counted, and single ones not."""
        position = Hex(5).after("c2 b3 c4 b4 a1 e5")
        self.assertEqual([self.student.connected(position, player) for player in (0, 1)], [0, 2])

    def test_cells_have_six_neighbours(self) -> None:
        """Expects c2 to touch b3, but not to touch d3."""
        self.assertEqual(self.student.connected(Hex(5).after("c2 a1 b3"), 0), 2)
        self.assertEqual(self.student.connected(Hex(5).after("c2 a1 d3"), 0), 0)

    def test_evaluation_is_antisymmetric(self) -> None:
        """Expects what one player gains to be what the other loses."""
        for position in POSITIONS:
            values = [self.student.evaluate(position, player) for player in (0, 1)]
            self.assertEqual(values[0], -values[1])

    def test_evaluation_prefers_the_shorter_path(self) -> None:
        """Expects X to be better off: a chain down the middle, and O is only on the edge."""
        position = Hex(5).after("c2 a1 c3 b1 b4 d1")
        self.assertGreater(self.student.evaluate(position, 0), 0)

    def test_agent_wins_at_once(self) -> None:
        """Expects the last stone of the chain, c1."""
        position = Hex(5).after("c2 a1 c3 a2 b4 a3 b5 a4")
        self.assertTrue(position.play(self.student.agent(position)).is_terminal())


if __name__ == "__main__":
    named = [argument for argument in sys.argv[1:] if argument.endswith(".py")]
    FILE = (named or [FILE])[0]
    unittest.main(argv=[argument for argument in sys.argv if argument not in named])
