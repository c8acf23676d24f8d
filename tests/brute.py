"""Brute force: what positions are worth, worked out in the obvious way, to compare with."""

from collections.abc import Callable, Hashable, Iterator
from random import Random
from typing import Any, TypeAlias

from naive import NaiveGame

from adv_envs import Position

Outcome: TypeAlias = tuple[tuple[float, ...], int]
Known: TypeAlias = dict[Hashable, Outcome]


def solve(game: NaiveGame, known: Known, hurry: bool = True) -> Outcome:
    """What the game is worth to each player with best play, and how many plies that takes.

    Of moves worth the same a player takes the quickest win or the longest defence; without
    ``hurry``, the first. ``known`` is for games of one kind and size.
    """
    key = game.key()
    if key not in known:
        if game.is_over():
            known[key] = tuple(float(game.utility(p)) for p in range(game.num_players)), 0
        else:
            utilities, plies = best(game, known, hurry)[1]
            known[key] = utilities, plies + 1
    return known[key]


def best(game: NaiveGame, known: Known, hurry: bool = True) -> tuple[int, Outcome]:
    """The best move, the first if there are several, and the outcome of the game after it."""
    mover = game.to_move
    after = [(action, solve(played(game, [action]), known, hurry)) for action in game.actions()]

    def rank(choice: tuple[int, Outcome]) -> tuple[float, int]:
        utilities, plies = choice[1]
        return utilities[mover], (-plies if utilities[mover] > 0 else plies) if hurry else 0

    return max(after, key=rank)


def worth(game: NaiveGame, known: Known) -> dict[int, float]:
    """What each legal move is worth to the player to move."""
    mover = game.to_move
    return {a: solve(played(game, [a]), known)[0][mover] for a in game.actions()}


def best_moves(game: NaiveGame, known: Known, hurry: bool = False) -> list[int]:
    """Every move that keeps the value of the game; with ``hurry``, its length as well."""
    mover = game.to_move
    after = {action: solve(played(game, [action]), known) for action in game.actions()}
    top = max(utilities[mover] for utilities, _ in after.values())
    kept = {
        action: plies for action, (utilities, plies) in after.items() if utilities[mover] == top
    }
    if not hurry:
        return list(kept)
    wanted = min(kept.values()) if top > 0 else max(kept.values())
    return [action for action, plies in kept.items() if plies == wanted]


def played(game: NaiveGame, actions: Any) -> NaiveGame:
    """A copy of the game after these actions."""
    game = game.copy()
    for action in actions:
        game.play(action)
    return game


def look_ahead(position: Position, depth: int, evaluate: Callable[[Any], float]) -> float:
    """Minimax ``depth`` plies ahead for the player to move; the end of a game counts millions."""
    if position.is_terminal():
        return 1e6 * position.utility(position.to_move)
    if depth == 0:
        return evaluate(position)
    values = []
    for action in position.legal_actions():
        child = position.play(action)
        value = look_ahead(child, depth - 1, evaluate)
        values.append(value if child.to_move == position.to_move else -value)
    return max(values)


def random_lines(start: Position, count: int, seed: int, plies: range) -> Iterator[list[int]]:
    """``count`` random lines of play, each of ``plies`` plies and not to the end of the game."""
    rng = Random(seed)
    while count:
        position, line = start, []
        for _ in range(rng.choice(plies)):
            line.append(rng.choice(position.legal_actions()))
            position = position.play(line[-1])
            if position.is_terminal():
                break
        else:
            count -= 1
            yield line


def random_positions(start: Position, count: int, seed: int, plies: range) -> list[Position]:
    """The positions after ``random_lines``."""
    return [start.after(line) for line in random_lines(start, count, seed, plies)]
