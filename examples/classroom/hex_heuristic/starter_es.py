"""Juega a Hex con una función de evaluación propia. El enunciado está en handout.es.md.

Escribe ``shortest_path``, ``connected`` y ``evaluate``; ``agent`` mira una jugada adelante.

    python starter_es.py                       dice qué falta todavía
    python test_public_es.py starter_es.py     prueba lo que hay

Una casilla es (fila, columna), ambas desde 0; ``position.cell(row, column)`` es 0 o 1, el jugador
cuya ficha está ahí, o None. El jugador 0 une la primera fila con la última, el jugador 1 la primera
columna con la última: una casilla está en el primer borde de ``player`` si ``cell[player] == 0``, y
en el último si ``cell[player] == position.size - 1``.
"""

from math import inf

from adv_envs import Hex

Cell = tuple[int, int]
STEPS = ((0, -1), (0, 1), (-1, 0), (-1, 1), (1, -1), (1, 0))
"""De una casilla a sus seis vecinas: lo que se suma a la fila y a la columna."""


def neighbours(position: Hex, cell: Cell) -> list[Cell]:
    """Devuelve las casillas del tablero que tocan ``cell``. Está completa."""
    row, column = cell
    around = [(row + down, column + right) for down, right in STEPS]
    return [(r, c) for r, c in around if 0 <= r < position.size and 0 <= c < position.size]


def shortest_path(position: Hex, player: int) -> int:
    """Devuelve el menor número de fichas con que ``player`` uniría sus dos bordes.

    Solo las casillas vacías cuestan una ficha: las propias son gratis, y ningún camino pasa por una
    ficha rival. 0 si los bordes ya están unidos; ``position.size ** 2`` si ya no se pueden unir.
    """
    raise NotImplementedError("escribe shortest_path")


def connected(position: Hex, player: int) -> int:
    """Devuelve cuántas fichas de ``player`` tocan otra ficha suya."""
    raise NotImplementedError("escribe connected")


def evaluate(position: Hex, player: int) -> float:
    """Devuelve lo buena que es una posición para ``player``: más es mejor, 0 es igualdad.

    Lo que gana uno lo pierde el otro: evaluate(position, 0) == -evaluate(position, 1). La partida
    no ha terminado.
    """
    raise NotImplementedError("escribe evaluate")


def agent(position: Hex) -> int:
    """Devuelve la acción tras la que la evaluación es mejor; puedes mejorarla."""
    player = position.to_move

    def value(action: int) -> float:
        after = position.play(action)
        return inf if after.is_terminal() else evaluate(after, player)

    return max(position.legal_actions(), key=value)


def main() -> None:
    """Dice qué dan las funciones en una posición, o que todavía faltan."""
    position = Hex(5).after("c2 b3 c4 b4")
    print(f"{position}\n")
    for function in (shortest_path, connected, evaluate):
        try:
            values = [function(position, player) for player in (0, 1)]
        except NotImplementedError as missing:
            print(f"Falta: {missing}")
        else:
            print(f"{function.__name__} da {values[0]} para X y {values[1]} para O")
    print("Lo correcto: shortest_path 3 para X y 4 para O; connected 0 y 2")


if __name__ == "__main__":
    main()
