"""``check_game``: random games under the laws of ``contract`` and of ``compiled``."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from adv_envs.jit import disabled
from adv_envs.position import Position

from .compiled import same_answers_compiled
from .contract import LAWS, lines, run_together, start
from .law import law, random_action

WATCHED = 500
"""How many plies of a random game are held to the laws, besides its end."""
LONGEST = 10_000
"""After how many plies a random game is given up."""


def check_game(position: Position, games: int = 20, seed: int = 0) -> None:
    """Play ``games`` random games from ``position``; AssertionError names the law it breaks.

    Everything that ``position.py`` asks of a game is asked at every position met, in plain Python
    and, unless it says ``compiled=False`` or the compiler is switched off, compiled.
    """
    if not isinstance(position, Position):
        raise TypeError(f"check_game checks a position, such as TicTacToe(), not {position!r}")
    rng = Random(seed)
    with law(start.__doc__, position):
        start(position)
    laws: list[Callable[[Any, Random], None]] = [*LAWS]
    if not position.is_compiled:
        name = type(position).__name__
        print(f"hint: {name} says compiled=False, so searches run it as plain Python")
    elif not disabled():
        laws.append(same_answers_compiled)
    ended = [_check_line(position, laws, rng) for _ in range(games)]
    if games and not any(ended):
        raise AssertionError(
            f"no random game from {position!r} ended within {LONGEST} plies: is_terminal() is "
            "never true, or begin nearer to the end"
        )


def _check_line(position: Any, laws: list[Callable[[Any, Random], None]], rng: Random) -> bool:
    """Hold every position of one random game to ``laws``; whether the game ended."""
    first = position
    actions: list[int] = []
    while len(actions) < LONGEST:
        over = position.is_terminal()
        for each in laws if over or len(actions) < WATCHED else ():
            with law(each.__doc__, position):
                each(position, rng)
        if over:
            break
        if len(actions) < 9:
            with law(run_together.__doc__, position):
                run_together(first, actions, position)
        actions.append(random_action(position, rng))
        position = position.play(actions[-1])
    with law(lines.__doc__, first):
        lines(first, actions[:WATCHED])
    return len(actions) < LONGEST
