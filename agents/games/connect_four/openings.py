"""Makes books of openings: every position up to some plies, solved, each helping the next.

Positions are taken in the order of a walk through the game, so that those solved one after the
other share most of what the transposition table knows. Only the deepest are searched; the score of
the others is that of their best move.
"""

from __future__ import annotations

from collections.abc import Iterator

from adv_envs.games.connect_four import ConnectFour

from .book import number_of
from .solver import ConnectFourSolver, central_first

Opening = tuple[int, ConnectFour]
"""A canonical number and a position that has it."""


def openings(start: ConnectFour, plies: int) -> list[list[Opening]]:
    """The unfinished positions after 0, 1, ... ``plies`` plies, one of each pair of mirror images.

    The central columns come first. ValueError unless ``start`` is an empty board.
    """
    if start.ply:
        raise ValueError("a book begins with the empty board")
    found: list[list[Opening]] = [[] for _ in range(plies + 1)]
    seen: set[int] = set()
    todo = [start]
    while todo:
        position = todo.pop()
        number = number_of(position)
        if number in seen or position.is_terminal():
            continue
        seen.add(number)
        found[position.ply].append((number, position))
        if position.ply < plies:
            todo += [position.play(action) for action in reversed(central_first(position))]
    return found


def fill(
    solver: ConnectFourSolver, layers: list[list[Opening]], scores: dict[int, int]
) -> Iterator[int]:
    """Solve every position of ``openings``, into ``scores``; yields how many there are so far.

    What ``scores`` holds already is not solved again.
    """
    for number, position in layers[-1]:
        if number not in scores:
            scores[number] = int(solver.value(position))
            yield len(scores)
    for layer in reversed(layers[:-1]):
        for number, position in layer:
            if number not in scores:
                scores[number] = from_moves(solver, position, scores)
        yield len(scores)


def from_moves(solver: ConnectFourSolver, position: ConnectFour, scores: dict[int, int]) -> int:
    """The score of a position whose children are in ``scores``, those that end the game aside."""
    children = [position.play(action) for action in position.legal_actions()]
    return max(
        -int(solver.value(child)) if child.is_terminal() else -scores[number_of(child)]
        for child in children
    )


def complete_plies(layers: list[list[Opening]], scores: dict[int, int]) -> int:
    """Up to how many plies ``scores`` holds every position; -1 if not even the first."""
    for ply, layer in enumerate(layers):
        if any(number not in scores for number, _ in layer):
            return ply - 1
    return len(layers) - 1
