"""Draws the six classes of positions by which solvers of Connect Four are compared.

A class is one of stones on the board, and of plies until the game ends under perfect play (P. Pons,
Solving Connect 4: how to build a perfect AI, part 2, Test protocol). ``draw_classes`` draws test
positions of each, for the 6 x 7 board.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from adv_envs import ConnectFour, Position
from adv_envs.notation import write_line
from agents.grading.exact_values import exact_for
from agents.grading.position_sets import (
    SHIPPED,
    PositionSet,
    TestPosition,
    load_positions,
    phase_of,
    random_play,
)
from agents.knowledge import ExactValues

CLASSES = (
    "begin easy", "begin medium", "begin hard", "middle easy", "middle medium", "end easy",
)  # fmt: skip
"""Up to 14 stones, up to 28, or more; less than 14 plies left, less than 28, or more."""

STONES = {"begin": range(15), "middle": range(15, 29), "end": range(29, 42)}
"""The numbers of stones on the board."""


CLASSES_PATH = SHIPPED / "connect_four-classes.json"
"""The published set: 200 positions of each class, for the 6 x 7 board."""


def load_classes() -> dict[str, list[TestPosition]]:
    """Returns the test positions of the published set, by class."""
    found: dict[str, list[TestPosition]] = {name: [] for name in CLASSES}
    for test in load_positions(CLASSES_PATH, exact_for(ConnectFour())).positions:
        found[class_of(test)].append(test)
    return found


def plies_to_end(position: ConnectFour, score: float) -> int:
    """Returns how many plies are played until the end, under perfect play.

    ``score`` is that of the position for its player to move, see ``ConnectFourSolver``.
    """
    cells = position.height * position.width
    if score == 0:
        return cells - position.ply
    side_to_move_wins = score > 0
    # the last stones of the winner are those of plies cells, cells - 2, ... or one less
    last = cells - (cells - position.ply - side_to_move_wins) % 2
    return last - 2 * (abs(int(score)) - 1) - position.ply


def class_of(test: TestPosition) -> str:
    """Returns the class of a test position of Connect Four."""
    position: ConnectFour = test.position  # type: ignore[assignment]
    stones = next(name for name, plies in STONES.items() if position.ply in plies)
    left = plies_to_end(position, test.score)
    return f"{stones} {'easy' if left < 14 else 'medium' if left < 28 else 'hard'}"


def draw_classes(
    exact: ExactValues,
    number: int,
    seed: int = 0,
    on_position: Callable[[int], None] | None = None,
) -> PositionSet:
    """Returns ``number`` test positions of each class; some move is wrong at each.

    A game of random play, or of some care, gives one position at most. ``on_position`` is called
    with the number found so far. Positions that take long to solve are left out.
    """
    rng, seen = random.Random(f"{seed} classes"), set[Position]()
    found: dict[str, list[TestPosition]] = {name: [] for name in CLASSES}
    while lacking := [name for name in CLASSES if len(found[name]) < number]:
        stones = STONES[rng.choice(lacking).split()[0]]
        ply = rng.choice(stones)
        game = [(p, moves) for p, moves in random_play(exact.start, rng) if len(moves) == ply]
        for position, moves in game:
            if position in seen or not exact.is_quick(position):
                continue
            seen.add(position)
            test = TestPosition(
                position,
                exact.move_values(position),
                phase_of(exact.progress(position)),
                write_line(exact.start, moves),
            )
            if test.value_matters and class_of(test) in lacking:
                found[class_of(test)].append(test)
        if on_position is not None:
            on_position(sum(map(len, found.values())))
    tests = tuple(test for name in CLASSES for test in found[name])
    return PositionSet(exact.start, tests, seed, exact.has_scores, exact.in_points)
