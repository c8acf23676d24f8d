"""Draws test positions from games of players who move at random or with some care."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from adv_envs import CHANCE, Position
from adv_envs.notation import write_line
from adv_envs.random import chance_action
from adv_envs.registry import title
from agents.knowledge import ExactValues, NotGraded, knowledge_of

from .position_sets import (
    PHASES,
    PositionSet,
    TestPosition,
    load_positions,
    phase_of,
    shipped_path,
)

DEFAULT_SIZE = 200
"""Test positions that are drawn for a game without a shipped set."""

MAX_MISSES = 50
"""Positions of a phase in a row without some value, after which it is no longer looked for."""

NO_POSITION = 0.1
"""How a game that has no new position in the phase counts, in such positions."""

VALUES = "loss", "even", "win"

Stratum = tuple[str, str]
"""A phase and one of VALUES."""


def sample(
    exact: ExactValues,
    number: int,
    seed: int = 0,
    allowed: Callable[[Position], bool] | None = None,
    on_position: Callable[[int], None] | None = None,
) -> list[TestPosition]:
    """Returns ``number`` different positions in which moves differ, or as many as can be found.

    As far as there are such positions, phases are equally frequent, and so are the values of the
    position for the player to move, also among the first few of the list. A game gives at most one
    position. ``allowed`` decides which positions may be solved (None: those that are quick);
    ``on_position`` is called with the number found so far.
    """
    rng = random.Random(f"{seed} positions")
    strata: dict[Stratum, list[TestPosition]] = {(p, v): [] for p in PHASES for v in VALUES}
    misses, seen = dict.fromkeys(strata, 0.0), set[Position]()
    while lacking := strata_that_lack(strata, misses, number):
        phase, _ = rng.choice(lacking)
        test = draw(exact, phase, rng, seen, allowed or exact.is_quick)
        found = None
        if test is not None and (test.value_matters or test.score_matters):
            found = phase, value_class(exact, test)
            strata[found].append(test)
        miss = NO_POSITION if test is None else 1.0
        for stratum in strata:
            if stratum[0] == phase:
                misses[stratum] = 0.0 if stratum == found else misses[stratum] + miss
        if on_position is not None:
            on_position(min(sum(map(len, strata.values())), number))
    return interleaved(list(strata.values()))[:number]


def strata_that_lack(
    strata: dict[Stratum, list[TestPosition]], misses: dict[Stratum, float], number: int
) -> list[Stratum]:
    """Returns the strata that need more positions for ``number`` in all, and may have some."""
    live = [stratum for stratum in strata if misses[stratum] < MAX_MISSES]
    for quota in range(1, number + 1):
        full = sum(quota if s in live else min(quota, len(strata[s])) for s in strata)
        if full >= number:
            return [stratum for stratum in live if len(strata[stratum]) < quota]
    return live


def draw(
    exact: ExactValues,
    phase: str,
    rng: random.Random,
    seen: set[Position],
    allowed: Callable[[Position], bool],
) -> TestPosition | None:
    """Returns a position of a phase from a new game; None if it has none that is not ``seen``."""
    game = [
        (position, actions)
        for position, actions in random_game(exact.start, rng)
        if phase_of(exact.progress(position)) == phase
        and position not in seen
        and allowed(position)
    ]
    if not game:
        return None
    position, actions = rng.choice(game)
    seen.add(position)
    moves = "" if exact.start.has_chance else write_line(exact.start, actions)
    return TestPosition(position, exact.move_values(position), phase, moves)


def value_class(exact: ExactValues, test: TestPosition) -> str:
    """Returns one of VALUES for the player to move; near 0 or 1, a probability is a loss or win."""
    value = test.value
    if not exact.in_points:
        return VALUES[1 + (value > 0) - (value < 0)]
    return VALUES[1 + (value > 2 / 3) - (value < 1 / 3)]


def interleaved(groups: list[list[TestPosition]]) -> list[TestPosition]:
    """Returns the elements of all groups, one of each group in turn."""
    longest = max(map(len, groups), default=0)
    return [group[i] for i in range(longest) for group in groups if i < len(group)]


def random_game(start: Position, rng: random.Random) -> Iterator[tuple[Position, tuple[int, ...]]]:
    """Yields the positions of one game with a player to move, and the actions that lead there.

    Where the game's record has random positions of its own, one of these.
    """
    random_position = knowledge_of(start).random_position
    if random_position is not None:
        yield random_position(start, rng), ()
        return
    yield from random_play(start, rng)


def random_play(start: Position, rng: random.Random) -> Iterator[tuple[Position, tuple[int, ...]]]:
    """Yields the positions of a game from ``start`` as ``random_game`` does."""
    care = rng.choice((0.0, 0.5, 1.0))
    position, actions = start, tuple[int, ...]()
    while not position.is_terminal():
        if position.to_move == CHANCE:
            action = chance_action(position, rng.random())
        else:
            yield position, actions
            careful = rng.random() < care
            legal = position.legal_actions()
            action = careful_move(position, rng) if careful else rng.choice(legal)
        actions += (action,)
        position = position.play(action)


def careful_move(position: Position, rng: random.Random) -> int:
    """Returns a win, else a move that leaves the opponent no win, else any move."""
    player, safe, actions = position.to_move, [], position.legal_actions()
    for action in actions:
        child = position.play(action)
        if child.is_terminal() and child.utility(player) > 0:
            return action
        replies = (child.play(reply) for reply in child.legal_actions())
        if not any(r.is_terminal() and r.utility(player) < 0 for r in replies):
            safe.append(action)
    return rng.choice(safe or actions)


def positions_for(
    exact: ExactValues,
    number: int | None = None,
    seed: int | None = None,
    on_position: Callable[[int], None] | None = None,
) -> PositionSet:
    """Returns a set of at most ``number`` test positions of the game of ``exact``.

    None: all of the shipped set, or DEFAULT_SIZE. Without a ``seed`` it is the shipped set, if
    there is one and it is large enough, else one drawn with seed 0; ``on_position`` is called with
    the number drawn so far. NotGraded if no position is found in which moves differ.
    """
    path = shipped_path(exact.start)
    if seed is None and path.exists():
        shipped = load_positions(path, exact)
        if number is None or number <= len(shipped.positions):
            return shipped.take(number or len(shipped.positions))
    tests = sample(exact, number or DEFAULT_SIZE, seed or 0, None, on_position)
    if not tests:
        raise NotGraded(f"no position of {title(exact.start)} was found in which moves differ")
    return PositionSet(exact.start, tuple(tests), seed or 0, exact.has_scores, exact.in_points)
