"""The moves that lead from one position to another, for programs that are told moves only."""

from __future__ import annotations

from adv_envs.position import Position

MOST_POSITIONS = 10_000
"""Positions that are visited before the search for a line is given up."""


def line_between(before: Position, after: Position, most: int = MOST_POSITIONS) -> list[int] | None:
    """A shortest line of actions from one position to another of the same game, breadth first.

    None if there is none, or none is found within ``most`` positions.
    """
    if type(before) is not type(after) or before.start() != after.start():
        return None
    if before == after:
        return []
    level: list[tuple[Position, list[int]]] = [(before, [])]
    seen, visited, plies = {before}, 0, plies_between(before, after)
    while level and (plies is None or plies > 0):
        following = []
        for position, line in level:
            for action in position.legal_actions():
                child = position.play(action)
                if child == after:
                    return [*line, action]
                visited += 1
                if plies != 1 and child not in seen:
                    seen.add(child)
                    following.append((child, [*line, action]))
            if visited > most:
                return None
        level, plies = following, None if plies is None else plies - 1
    return None


def plies_between(before: Position, after: Position) -> int | None:
    """How many moves lie between two positions; None where the game does not count them."""
    try:
        return after.ply - before.ply
    except AttributeError:
        return None
