"""Busca en árboles de juego por minimax y poda alfa-beta. El enunciado está en handout.es.md.

Escribe ``minimax_search`` y ``alpha_beta_search``; ``agent`` juega al tres en raya con la segunda.

    python starter_es.py                       dice qué falta todavía
    python test_public_es.py starter_es.py     prueba lo que hay
"""

from typing import Any

from adv_envs import Position
from adv_envs.aima import Fig52, Game


def minimax_search(game: Game, state: Any) -> tuple[float, Any]:
    """Devuelve (valor, jugada): el valor de ``state`` para quien mueve, y la mejor jugada.

    Toda variante se sigue hasta el final. Entre jugadas del mismo valor cuenta la primera. Se
    pregunta al juego: ``game.to_move(state)``, ``game.actions(state)``,
    ``game.result(state, move)``, ``game.is_terminal(state)`` y, solo al final de una variante,
    ``game.utility(state, player)``.
    """
    raise NotImplementedError("escribe minimax_search")


def alpha_beta_search(game: Game, state: Any) -> tuple[float, Any]:
    """Devuelve lo mismo que ``minimax_search``, sin mirar las jugadas que no pueden cambiarlo.

    Las jugadas se miran en el orden de ``game.actions(state)``. Un nodo se abandona en cuanto se
    sabe que su valor cae fuera del intervalo entre alfa y beta, o en uno de sus extremos.
    """
    raise NotImplementedError("escribe alpha_beta_search")


def agent(position: Position) -> int:
    """Devuelve la acción que halla la poda alfa-beta. Está completa: no hay nada que cambiar."""
    game = Game(position)
    _, move = alpha_beta_search(game, game.initial)
    return game.initial.action(move)  # type: ignore[no-any-return]


def main() -> None:
    """Dice qué hallan las búsquedas en la figura 5.2 del libro, o que todavía faltan."""
    for search in (minimax_search, alpha_beta_search):
        try:
            value, move = search(Fig52(), Fig52().initial)
        except NotImplementedError as missing:
            print(f"Falta: {missing}")
        else:
            print(f"{search.__name__} halla {value} con {move}; lo correcto es 3 con a1")


if __name__ == "__main__":
    main()
