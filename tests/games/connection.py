"""What the tests of games of connection on hexagons share."""

from collections.abc import Callable, Iterable
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
from games.laws import random_line

from adv_envs.bits import num_words
from agents import knowledge_of
from agents.mcts.playouts import RANDOM, SCRATCH, STAMP, bound_playout


def stones(position: Any, names: str) -> int:
    """The set of the cells with these names."""
    cells = {position.cell_name(*cell): 1 << position.bit(*cell) for cell in position.cells()}
    return sum(cells[name] for name in names.split())


def played(position: Any, own: str, others: str) -> Any:
    """The position after these moves of the player to move, and between them of the other."""
    first, second = own.split(), others.split()
    line = [move for pair in zip(first, second, strict=False) for move in pair]
    return position.after([*line[: 2 * len(first) - 2], first[-1]])


def every_image_is_a_board(position: Any) -> None:
    """Images of cells are all cells, neighbours stay neighbours, and no two images are the same."""
    cells, seen = position.cells(), set()
    near = {
        cell: position.cells_in(position.neighbours(1 << position.bit(*cell))) for cell in cells
    }
    for i in range(2 * position.turns):
        there = {cell: position.image_place(*cell, i) for cell in cells}
        assert sorted(there.values()) == cells
        for cell in cells:
            beside = {there[other] for other in near[cell] if other in near}
            assert beside == {other for other in near[there[cell]] if other in near}
        seen.add(tuple(there.values()))
    assert len(seen) == 2 * position.turns


def late_positions(start: Any, left: int, number: int, rng: Random) -> Iterable[Any]:
    """Unfinished positions of random games with at most so many empty cells."""
    found = 0
    while found < number:
        for position in random_line(start, rng)[-left - 1 : -1]:
            if len(position.legal_actions()) <= left:
                found += 1
                yield position


def ends(position: Any) -> set[float]:
    """What random games from here may be worth to player 0."""
    if position.is_terminal():
        return {float(position.utility(0))}
    return set().union(*(ends(position.play(action)) for action in position.legal_actions()))


def playouts(position: Any, number: int) -> list[float]:
    """What playouts from here are worth to player 0; they note the moves of both players."""
    make = knowledge_of(position).playout
    assert make is not None
    playout = bound_playout(make(position), True, False)
    size = SCRATCH + 4 * (position.num_actions + num_words(position)) + 256
    workspace, values = np.zeros(size, np.int64), np.zeros(2)
    noted, found = np.zeros((2, position.num_actions), np.int64), list[float]()
    workspace[RANDOM] = 1
    for stamp in range(1, number + 1):
        workspace[STAMP] = stamp
        playout(position, values, noted, workspace)
        moves = [np.flatnonzero(noted[player] == stamp).tolist() for player in (0, 1)]
        assert {*moves[0], *moves[1]} <= {*position.legal_actions()}
        assert not {*moves[0]} & {*moves[1]}
        first = position.to_move
        assert len(moves[first]) - len(moves[1 - first]) in (0, 1)
        assert values[0] == -values[1]
        found.append(float(values[0]))
    return found


def fewest(position: Any, player: int, wins: Callable[[int], bool], most: int) -> int:
    """The least number of stones, up to ``most``, that ``player`` has to set to win."""
    own = position.stones(player)
    empty = [1 << position.entry(action) for action in position.legal_actions()]
    for number in range(most + 1):
        if any(wins(own | sum(chosen)) for chosen in combinations(empty, number)):
            return number
    return most + 1


def winning_actions(position: Any) -> list[int]:
    """The actions that win at once."""
    after = {action: position.play(action) for action in position.legal_actions()}
    player = position.to_move
    return [a for a in after if after[a].is_terminal() and after[a].utility(player) > 0]


def finds_wins(position: Any, winning_stones: Callable[[Any, int], int]) -> None:
    """Winning cells, the action that playouts would take, and sure wins are as one looks ahead."""
    known, wins = knowledge_of(position), winning_actions(position)
    cells = winning_stones(position, position.own)
    assert [a for a in range(position.num_stone_actions) if cells >> position.entry(a) & 1] == wins
    assert known.winning_move is not None
    assert known.decided is not None
    found = known.winning_move(position)(position, np.zeros(9, np.int64))
    assert found in wins or (found == -1 and not wins)
    other = position.with_stones(position.stones(0), position.stones(1), position.ply + 1)
    threats = [] if wins else winning_actions(other)
    assert known.decided(position) == (1 if wins else -1 if len(threats) > 1 else 0)
