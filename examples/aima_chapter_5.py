"""Shows chapter 5 of Artificial Intelligence: A Modern Approach, in plain Python and a few seconds.

Figure 5.2 with the nodes that minimax and alpha-beta visit; tic-tac-toe, where alpha-beta never
loses; and Hex on 3 x 3, where the first player wins, but not with every opening.

    python examples/aima_chapter_5.py
"""

from typing import Any

import adv_envs
from adv_envs.aima import (
    Game,
    Hex,
    TicTacToe,
    alphabeta_search,
    minimax_search,
    play_game,
    player,
    seeded_random_player,
)


class CountingFig52(Game):
    """Counts, in figure 5.2, the nodes that a search asks about and the leaves that it values."""

    def __init__(self) -> None:
        """Starts with nothing counted."""
        super().__init__(adv_envs.Fig52())
        self.nodes = self.leaves = 0

    def is_terminal(self, state: Any) -> bool:
        """Counts a node: every one is asked this once."""
        self.nodes += 1
        return super().is_terminal(state)

    def utility(self, state: Any, player: Any) -> float:
        """Counts a leaf: only leaves are asked this."""
        self.leaves += 1
        return super().utility(state, player)


def figure_5_2() -> None:
    """Shows that both searches find the same move; alpha-beta skips two of the leaves."""
    print("Figure 5.2")
    for name, search in (("minimax", minimax_search), ("alpha-beta", alphabeta_search)):
        game = CountingFig52()
        value, move = search(game, game.initial)
        print(f"  {name:10}  {value} by {move}, {game.nodes} nodes, {game.leaves} leaves")


def tic_tac_toe() -> None:
    """Shows that random moves do not beat alpha-beta, nor does minimax."""
    print("Tic-tac-toe")
    game, alphabeta = TicTacToe(), player(alphabeta_search)
    results = []
    for seed in range(10):
        dice, me = seeded_random_player(seed), "XO"[seed % 2]
        end = play_game(game, {"X": dice, "O": dice, me: alphabeta})
        results.append(game.utility(end, me))
    won, drawn, lost = (results.count(worth) for worth in (1, 0, -1))
    print(f"  alpha-beta against random, 10 games: {won} won, {drawn} drawn, {lost} lost")
    end = play_game(game, {"X": alphabeta, "O": player(minimax_search)})
    outcome = {1: "X wins", 0: "a draw", -1: "O wins"}[end.utility]
    print(f"  alpha-beta (X) against minimax (O): {outcome}")


def hex_3x3() -> None:
    """Marks the first moves that win by W."""
    game = Hex(3)
    start = game.initial
    value, _ = alphabeta_search(game, start)
    print(f"Hex 3x3: the {'first' if value > 0 else 'second'} player wins; winning openings")
    answers = {move: alphabeta_search(game, game.result(start, move)) for move in start.moves}
    for y in range(start.height):
        row = ["W" if answers[x, y][0] < 0 else "." for x in range(start.width)]
        print(" " * (y + 2) + " ".join(row))


if __name__ == "__main__":
    figure_5_2()
    tic_tac_toe()
    hex_3x3()
