"""Prueba una entrega como puede hacerlo quien la escribe: evaluación, búsqueda y tiempo.

El archivo se nombra de una de estas dos formas; sin nombre es starter_es.py::

    python test_public_es.py alicia.py
    SUBMISSION=alicia.py pytest test_public_es.py
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

FILE = os.environ.get("SUBMISSION", str(Path(__file__).with_name("starter_es.py")))


class PublicTests(unittest.TestCase):
    """Prueba las funciones del archivo ``FILE``."""

    student: SimpleNamespace

    @classmethod
    def setUpClass(cls) -> None:
        """Carga el archivo."""
        cls.student = SimpleNamespace(**runpy.run_path(FILE))

    def best_column(self, moves: str, depth: int) -> str:
        """Devuelve el nombre de la columna que halla ``best_move`` tras ``moves``."""
        position = ConnectFour().after(moves)
        return position.name(self.student.best_move(position, depth))

    def test_evaluation_is_antisymmetric(self) -> None:
        """Espera que lo que gana un jugador sea lo que pierde el otro."""
        for moves in ("", "4", "4 4 3", "1 4 1 4 7"):
            position = ConnectFour().after(moves)
            values = [self.student.evaluate(position, player) for player in (0, 1)]
            self.assertEqual(values[0], -values[1])

    def test_evaluation_tells_good_from_bad(self) -> None:
        """Espera que tres en fila con los extremos abiertos sean buenas para X, que las tiene."""
        self.assertGreater(self.student.evaluate(ConnectFour().after("3 1 4 1 5"), 0), 0)

    def test_search_wins_at_once(self) -> None:
        """Espera la cuarta ficha de una columna."""
        self.assertEqual(self.best_column("4 3 4 3 4 3", depth=1), "4")

    def test_search_stops_a_row(self) -> None:
        """Espera que X tape la columna de O, lo que exige buscar dos jugadas."""
        self.assertEqual(self.best_column("1 4 1 4 7 4", depth=2), "4")

    def test_search_prefers_the_early_win(self) -> None:
        """Espera la victoria inmediata, aunque otras jugadas también ganen, pero más tarde."""
        self.assertIn(self.best_column("3 3 4 4 5 5", depth=3), ("2", "6"))

    def test_search_sees_a_double_threat(self) -> None:
        """Espera que X ponga tres en fila con ambos extremos abiertos, lo que gana siempre."""
        self.assertIn(self.best_column("4 4 3 3", depth=3), ("2", "5"))

    def test_agent_is_in_time(self) -> None:
        """Espera una respuesta en un segundo con el tablero vacío, donde más hay que buscar."""
        self.assertIn("seconds", inspect.signature(self.student.agent).parameters)
        begun = time.monotonic()
        self.student.agent(ConnectFour(), seconds=1.0)
        self.assertLess(time.monotonic() - begun, 1.0)

    def test_agent_stops_a_row(self) -> None:
        """Espera que el agente tape la columna de O."""
        self.assertEqual(self.student.agent(ConnectFour().after("1 4 1 4 7 4")), 3)


if __name__ == "__main__":
    named = [argument for argument in sys.argv[1:] if argument.endswith(".py")]
    FILE = (named or [FILE])[0]
    unittest.main(argv=[argument for argument in sys.argv if argument not in named])
