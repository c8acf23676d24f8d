"""Tests a submission as its author can: figure 5.2, another tree, and tic-tac-toe.

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
from typing import Any

from adv_envs import TicTacToe, Tree
from adv_envs.aima import Fig52, Game

FILE = os.environ.get("SUBMISSION", str(Path(__file__).with_name("starter.py")))
LEFT_TO_RIGHT = {"left": {"a": 5, "b": 9}, "middle": {"c": 4, "d": 7}, "right": {"e": 6, "f": 8}}
"""The values of the moves are 5, 4 and 6. Alpha-beta needs no more than the leaves a, b, c, e, f"""


class CountingGame(Game):
    """Counts the leaves of a game that are valued."""

    leaves = 0

    def utility(self, state: Any, player: Any) -> float:
        """Counts a leaf, and returns what it is worth to ``player``."""
        self.leaves += 1
        return super().utility(state, player)


class PublicTests(unittest.TestCase):
    """Tests the functions of the file that is called ``FILE``."""

    student: SimpleNamespace

    @classmethod
    def setUpClass(cls) -> None:
        """Loads the file."""
        cls.student = SimpleNamespace(**runpy.run_path(FILE))

    def test_minimax_solves_figure_5_2(self) -> None:
        """Expects 3 by a1, the value and the move of the textbook."""
        self.assertEqual(self.student.minimax_search(Fig52(), Fig52().initial), (3, "a1"))

    def test_minimax_looks_at_every_leaf(self) -> None:
        """Expects all 9 leaves of figure 5.2 to be valued once."""
        game = CountingGame(Fig52().initial.position)
        self.student.minimax_search(game, game.initial)
        self.assertEqual(game.leaves, 9)

    def test_alpha_beta_solves_figure_5_2(self) -> None:
        """Expects the same answer as of minimax."""
        self.assertEqual(self.student.alpha_beta_search(Fig52(), Fig52().initial), (3, "a1"))

    def test_alpha_beta_prunes_figure_5_2(self) -> None:
        """Expects 7 leaves: after the 2 on the left, the other moves of C cannot matter."""
        game = CountingGame(Fig52().initial.position)
        self.student.alpha_beta_search(game, game.initial)
        self.assertEqual(game.leaves, 7)

    def test_alpha_beta_prunes_another_tree(self) -> None:
        """Expects 6 by the move on the right, and one leaf that is skipped."""
        game = CountingGame(Tree(LEFT_TO_RIGHT))
        self.assertEqual(self.student.alpha_beta_search(game, game.initial), (6, "right"))
        self.assertEqual(game.leaves, 5)

    def test_values_are_for_the_player_to_move(self) -> None:
        """Expects -3 where MIN is to move, as the best that MIN can get is a leaf of 3."""
        state = Fig52().result(Fig52().initial, "a1")
        self.assertEqual(self.student.minimax_search(Fig52(), state), (-3, "b1"))
        self.assertEqual(self.student.alpha_beta_search(Fig52(), state), (-3, "b1"))

    def test_agent_stops_a_row(self) -> None:
        """Expects O to stop the row that X threatens, with a move on c3."""
        position = TicTacToe().after("a1 c1 b2")
        self.assertEqual(position.name(self.student.agent(position)), "c3")


if __name__ == "__main__":
    named = [argument for argument in sys.argv[1:] if argument.endswith(".py")]
    FILE = (named or [FILE])[0]
    unittest.main(argv=[argument for argument in sys.argv if argument not in named])
