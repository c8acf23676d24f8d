"""Juega a Conecta cuatro con un límite de tiempo por jugada. El enunciado está en handout.es.md.

Escribe ``evaluate`` y ``best_move``; luego haz que ``agent`` busque más hondo si hay tiempo.

    python starter_es.py                       dice qué falta todavía
    python test_public_es.py starter_es.py     prueba lo que hay

``position.cell(row, column)`` es 0 o 1, el jugador cuya ficha está ahí, o None; la fila 0 es la de
arriba. La acción ``c`` deja caer una ficha en la columna ``c``; la de la izquierda es la 0.
"""

from adv_envs import ConnectFour


def evaluate(position: ConnectFour, player: int) -> float:
    """Devuelve lo buena que es la posición para ``player``, sin terminar: más es mejor, 0 igual.

    Lo que gana uno lo pierde el otro: evaluate(position, 0) == -evaluate(position, 1).
    """
    raise NotImplementedError("escribe evaluate")


def best_move(position: ConnectFour, depth: int) -> int:
    """Devuelve la mejor acción para quien mueve, por alfa-beta a ``depth`` jugadas de profundidad.

    Una victoria cuenta más que cualquier evaluación, y una temprana más que una tardía.
    """
    raise NotImplementedError("escribe best_move")


def agent(position: ConnectFour, seconds: float = 1.0) -> int:
    """Devuelve una acción en menos de ``seconds`` segundos: quien tarda más pierde la partida.

    Aquí está la primera columna legal para que el archivo funcione: cámbialo.
    """
    return position.legal_actions()[0]


def main() -> None:
    """Dice qué dan las funciones en una posición, o que todavía faltan."""
    position = ConnectFour().after("4 3 4 3 4")
    print(f"{position}\n")
    try:
        print(f"evaluate da {evaluate(position, 0)} para X y {evaluate(position, 1)} para O")
        print(f"best_move da la columna {position.name(best_move(position, 2))}; lo correcto es 4")
    except NotImplementedError as missing:
        print(f"Falta: {missing}")
    print(f"agent juega en la columna {position.name(agent(position))}")


if __name__ == "__main__":
    main()
