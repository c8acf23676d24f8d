"""Prueba una entrega como puede hacerlo quien la escribe: figura 5.2, otro árbol y tres en raya.

El archivo se nombra de una de estas dos formas; sin nombre es starter_es.py::

    python test_public_es.py alicia.py
    SUBMISSION=alicia.py pytest test_public_es.py
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

FILE = os.environ.get("SUBMISSION", str(Path(__file__).with_name("starter_es.py")))
LEFT_TO_RIGHT = {"left": {"a": 5, "b": 9}, "middle": {"c": 4, "d": 7}, "right": {"e": 6, "f": 8}}
"""Las jugadas valen 5, 4 y 6. A la poda alfa-beta le bastan las hojas a, b, c, e y f"""


class CountingGame(Game):
    """Cuenta las hojas de un juego que se valoran."""

    leaves = 0

    def utility(self, state: Any, player: Any) -> float:
        """Cuenta una hoja, y devuelve lo que vale para ``player``."""
        self.leaves += 1
        return super().utility(state, player)


class PublicTests(unittest.TestCase):
    """Prueba las funciones del archivo ``FILE``."""

    student: SimpleNamespace

    @classmethod
    def setUpClass(cls) -> None:
        """Carga el archivo."""
        cls.student = SimpleNamespace(**runpy.run_path(FILE))

    def test_minimax_solves_figure_5_2(self) -> None:
        """Espera 3 con a1, el valor y la jugada del libro."""
        self.assertEqual(self.student.minimax_search(Fig52(), Fig52().initial), (3, "a1"))

    def test_minimax_looks_at_every_leaf(self) -> None:
        """Espera que las 9 hojas de la figura 5.2 se valoren una vez."""
        game = CountingGame(Fig52().initial.position)
        self.student.minimax_search(game, game.initial)
        self.assertEqual(game.leaves, 9)

    def test_alpha_beta_solves_figure_5_2(self) -> None:
        """Espera la misma respuesta que la de minimax."""
        self.assertEqual(self.student.alpha_beta_search(Fig52(), Fig52().initial), (3, "a1"))

    def test_alpha_beta_prunes_figure_5_2(self) -> None:
        """Espera 7 hojas: tras el 2 de la izquierda, las demás jugadas de C ya no importan."""
        game = CountingGame(Fig52().initial.position)
        self.student.alpha_beta_search(game, game.initial)
        self.assertEqual(game.leaves, 7)

    def test_alpha_beta_prunes_another_tree(self) -> None:
        """Espera 6 con la jugada de la derecha, y una hoja que no se mira."""
        game = CountingGame(Tree(LEFT_TO_RIGHT))
        self.assertEqual(self.student.alpha_beta_search(game, game.initial), (6, "right"))
        self.assertEqual(game.leaves, 5)

    def test_values_are_for_the_player_to_move(self) -> None:
        """Espera -3 donde mueve MIN, pues lo mejor que MIN puede alcanzar es una hoja de 3."""
        state = Fig52().result(Fig52().initial, "a1")
        self.assertEqual(self.student.minimax_search(Fig52(), state), (-3, "b1"))
        self.assertEqual(self.student.alpha_beta_search(Fig52(), state), (-3, "b1"))

    def test_agent_stops_a_row(self) -> None:
        """Espera que O tape en c3 la raya con que amenaza X."""
        position = TicTacToe().after("a1 c1 b2")
        self.assertEqual(position.name(self.student.agent(position)), "c3")


if __name__ == "__main__":
    named = [argument for argument in sys.argv[1:] if argument.endswith(".py")]
    FILE = (named or [FILE])[0]
    unittest.main(argv=[argument for argument in sys.argv if argument not in named])
