"""The scores of Connect Four for ``adv-envs solve``: how soon each move wins or loses."""

from __future__ import annotations

from typing import Any

import agents
from adv_envs.games.connect_four import ConnectFour
from adv_envs.notation import write_line
from adv_envs.position import Position

from .board import mark
from .console import busy, out, refusing, warn_that_nothing_is_known
from .lists import print_table, table


def has_scores(position: Position) -> bool:
    """Whether a position has scores: four in a row, on any board."""
    return isinstance(position, ConnectFour) and position.k == 4


def scores(position: Position) -> dict[str, Any]:
    """The score of every move. What an interrupted search is sure of, if it is interrupted."""
    solver = agents.Perfect()
    result, done = None, False
    with busy(out(), "solving, the central columns first"), refusing(1):
        try:
            for result in solver.analysis(position):
                done = result.proven
        except KeyboardInterrupt:
            if result is None:
                warn_that_nothing_is_known()
                raise
    assert result is not None
    return {
        "to_move": position.to_move,
        "score": result.value,
        "proven": done,
        "action": position.name(result.action),
        "scores": {position.name(a): int(score) for a, score in result.values.items()},
        "line": write_line(position, result.principal_variation),
        "nodes": result.nodes,
        "seconds": result.seconds,
    }


def print_scores(position: Any, data: dict[str, Any]) -> None:
    """The scores for people: below the columns of the board, and in words."""
    console = out()
    above = [data["scores"].get(position.name(a)) for a in range(position.width)]
    console.print("column", " ".join(f"{a + 1:3}" for a in range(position.width)))
    console.print("score ", " ".join(f"{'' if s is None else spelled(s):>3}" for s in above))
    mover = mark(console, position, position.to_move)
    score = int(data["score"])
    sure = "" if data["proven"] else " or better: interrupted, this is the best so far"
    console.print(mover, f"to move: {in_words(position, score)} with best play{sure}")
    if data["proven"]:
        console.print(f"Best play: {data['line']}")
    listed = table("move", "score", "with best play")
    ranked = sorted(data["scores"].items(), key=lambda item: -item[1])
    for name, found in ranked:
        listed.add_row(name, spelled(found), in_words(position, found))
    print_table(listed)
    console.print(f"{data['nodes']:,} nodes; {data['seconds']:.2f} s", style="dim")


def spelled(score: int) -> str:
    """A score with its sign."""
    return f"{score:+d}" if score else "0"


def in_words(position: Any, score: int) -> str:
    """What a score means: who wins, and with the how many-th stone from now."""
    if score == 0:
        return "a draw"
    cells = position.height * position.width
    own = (cells + 1 - position.ply) // 2  # stones that the player to move has left
    left = own if score > 0 else (cells - position.ply) // 2
    nth = left + 1 - abs(score)
    stones = "the next stone" if nth == 1 else f"{nth} more stones"
    return f"wins with {stones}" if score > 0 else f"loses to {stones}"
