"""Prueba una entrega como puede hacerlo quien la escribe: caminos, conexión, evaluación y agente.

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

from adv_envs import Hex

FILE = os.environ.get("SUBMISSION", str(Path(__file__).with_name("starter_es.py")))
POSITIONS = [Hex(5).after(moves) for moves in ("", "c3", "c2 b3 c4 b4", "a1 b2 c2 d4 e1")]


class PublicTests(unittest.TestCase):
    """Prueba las funciones del archivo ``FILE``."""

    student: SimpleNamespace

    @classmethod
    def setUpClass(cls) -> None:
        """Carga el archivo."""
        cls.student = SimpleNamespace(**runpy.run_path(FILE))

    def paths(self, position: Hex) -> list[int]:
        """Devuelve los caminos más cortos de ambos jugadores."""
        return [self.student.shortest_path(position, player) for player in (0, 1)]

    def test_path_on_an_empty_board(self) -> None:
        """Espera tantas fichas como filas y columnas tiene el tablero."""
        self.assertEqual(self.paths(Hex(5)), [5, 5])
        self.assertEqual(self.paths(Hex(7)), [7, 7])

    def test_path_uses_own_stones(self) -> None:
        """Espera que las fichas propias del camino no cuesten nada."""
        self.assertEqual(self.paths(Hex(5).after("c2 b3 c4 b4")), [3, 4])

    def test_path_goes_around_stones_of_the_opponent(self) -> None:
        """Espera un rodeo: O tiene cuatro en fila, y X debe pasar por el extremo abierto."""
        self.assertEqual(self.paths(Hex(5).after("e1 a3 e2 b3 a1 c3 a2 d3")), [3, 1])

    def test_path_of_a_finished_game(self) -> None:
        """Espera 0 para quien unió sus dos bordes, y 9 = 3 * 3 para el otro."""
        self.assertEqual(self.paths(Hex(3).after("a1 c1 a2 c2 a3")), [0, 9])

    def test_connected_stones(self) -> None:
        """Espera que se cuenten las fichas junto a otra de su color, y no las sueltas."""
        position = Hex(5).after("c2 b3 c4 b4 a1 e5")
        self.assertEqual([self.student.connected(position, player) for player in (0, 1)], [0, 2])

    def test_cells_have_six_neighbours(self) -> None:
        """Espera que c2 toque b3, pero no d3."""
        self.assertEqual(self.student.connected(Hex(5).after("c2 a1 b3"), 0), 2)
        self.assertEqual(self.student.connected(Hex(5).after("c2 a1 d3"), 0), 0)

    def test_evaluation_is_antisymmetric(self) -> None:
        """Espera que lo que gana un jugador sea lo que pierde el otro."""
        for position in POSITIONS:
            values = [self.student.evaluate(position, player) for player in (0, 1)]
            self.assertEqual(values[0], -values[1])

    def test_evaluation_prefers_the_shorter_path(self) -> None:
        """Espera ventaja de X: una cadena por el centro, y O solo está en el borde."""
        position = Hex(5).after("c2 a1 c3 b1 b4 d1")
        self.assertGreater(self.student.evaluate(position, 0), 0)

    def test_agent_wins_at_once(self) -> None:
        """Espera la última ficha de la cadena, c1."""
        position = Hex(5).after("c2 a1 c3 a2 b4 a3 b5 a4")
        self.assertTrue(position.play(self.student.agent(position)).is_terminal())


if __name__ == "__main__":
    named = [argument for argument in sys.argv[1:] if argument.endswith(".py")]
    FILE = (named or [FILE])[0]
    unittest.main(argv=[argument for argument in sys.argv if argument not in named])
