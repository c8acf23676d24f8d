"""Finds puzzles: positions in which one move only keeps the win, or the draw, by exact values.

They come from the shipped set of graded positions of a game, where there is one, and otherwise from
games of players who move at random or with some care. The same game, seed and level give the same
puzzle. In games of chance the puzzle is to find the best move, where the others are much worse.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

from adv_envs import CHANCE, Position
from adv_envs.formats.game_texts import write_set_up
from adv_envs.notation import read_line
from agents.best_play import MOST_PLIES, best_line, task_of
from agents.knowledge import ExactValues, MoveValue, knowledge_of

from .exact_values import exact_for
from .position_sets import TestPosition, load_positions, random_play, shipped_path

LEVELS = "easy", "medium", "hard"
TASKS = {
    "win": "find the only move that wins",
    "hold": "find the only move that holds the draw",
    "best": "find the best move",
}
CANDIDATES = 9
"""Puzzles of which the level chooses one, by ``Puzzle.effort``."""
MOST_SOLVED = 240
"""Positions that are solved at most to find them."""
MOST_GAMES = 200
PER_GAME = 4
"""Positions of a game that are tried, of its last two thirds."""
MOST_SET_UP = 1500
"""Positions that are set up at most, in games in which play hardly ever leads to those known."""


@dataclass(frozen=True)
class Puzzle:
    """Holds a position with one right move."""

    position: Position
    actions: tuple[int, ...] | None
    """The moves that lead there from the start; None where the position was set up."""
    task: str
    """One of TASKS."""
    answer: int
    line: tuple[int, ...]
    """Best play from the position, as far as it is known: to the end, or to a chance event."""

    @property
    def complete(self) -> bool:
        """Returns whether the line leads to the end of the game, or to chance."""
        end = self.position
        for action in self.line:
            end = end.play(action)
        return end.is_terminal() or end.to_move == CHANCE or len(self.line) == MOST_PLIES

    @property
    def effort(self) -> tuple[bool, int, int]:
        """Returns how hard the puzzle is: by the moves to choose from and the plies to the end."""
        return not self.at_once, self.legal * len(self.line), self.legal

    @property
    def legal(self) -> int:
        """Returns how many moves there are to choose from."""
        return len(self.position.legal_actions())

    @property
    def at_once(self) -> bool:
        """Returns whether the right move ends the game."""
        return self.position.play(self.answer).is_terminal()


def no_puzzles(start: Position) -> str:
    """Returns why there are no puzzles of the game of ``start``, in words; "" if there may be."""
    if not start.perfect_information:
        return "Here players do not see everything, so no move has one exact value to be found."
    try:
        exact = exact_for(start)
    except ValueError as error:
        listed = start.num_players == 2 and knowledge_of(start).exact_values is None
        why = "the game has too many positions" if listed else error
        return f"Puzzles need the exact value of every move, and here it is not known: {why}."
    random_position = knowledge_of(start).random_position
    if sets_up(exact) and random_position is not None:
        with suppress(ValueError):  # what has no text cannot begin a game
            if write_set_up(random_position(exact.start, random.Random(0))):
                return ""
        return (
            "Exact values are known of this game's last endings only, which are too far from its "
            "start to make puzzles of them."
        )
    return ""


def find_puzzle(exact: ExactValues, seed: int, level: str) -> Puzzle | None:
    """Returns the puzzle of a seed and a level; None if no position with one right move is found.

    ValueError for a level that does not exist.
    """
    if level not in LEVELS:
        raise ValueError(f"the level is one of {', '.join(LEVELS)}, not {level!r}")
    found = list(islice(candidates(exact, random.Random(f"{seed} puzzle")), CANDIDATES))
    found = [each for each in found if not each.at_once] or found
    found = [each for each in found if each.task != "best" or exact.start.has_chance] or found
    found.sort(key=lambda each: each.effort)
    return found[LEVELS.index(level) * (len(found) - 1) // 2] if found else None


def candidates(exact: ExactValues, rng: random.Random, shipped: bool = True) -> Iterator[Puzzle]:
    """Yields puzzles in the order of ``rng``, a few hundred at most; without ``shipped`` new ones.

    The others come first, from the set of the game that comes with the package, if there is one.
    """
    random_position = knowledge_of(exact.start).random_position
    if random_position is not None and sets_up(exact):
        for _ in range(MOST_SET_UP):
            position = random_position(exact.start, rng)
            for each in puzzle_at(exact, None, position, exact.move_values(position)):
                if not each.at_once:
                    yield each
        return
    tests = list(shipped_tests(exact)) if shipped else []
    rng.shuffle(tests)
    seen, number = set[Position](), 0
    for test in tests:
        seen.add(test.position)
        actions = tuple(read_line(exact.start, test.moves))
        yield from puzzle_at(exact, actions, test.position, test.move_values)
    for _ in range(MOST_GAMES):
        game = [p for p in random_play(exact.start, rng) if p[0] not in seen and len(p[1]) > 0]
        quick = [(position, actions) for position, actions in game if exact.is_quick(position)]
        late = quick[len(quick) // 3 :]
        for position, actions in rng.sample(late, min(PER_GAME, len(late))):
            seen.add(position)
            number += 1
            yield from puzzle_at(exact, actions, position, exact.move_values(position))
        if number >= MOST_SOLVED:
            return


def shipped_tests(exact: ExactValues) -> Iterator[TestPosition]:
    """Yields the test positions that come with the package; none of games of chance."""
    path = shipped_path(exact.start)
    if path.exists() and not exact.start.has_chance:
        yield from load_positions(path, exact).positions


def sets_up(exact: ExactValues) -> bool:
    """Returns whether puzzles are set up: exact values are only of endings, far from the start."""
    record = knowledge_of(exact.start)
    return record.random_position is not None and not exact.is_quick(exact.start)


def puzzle_at(
    exact: ExactValues,
    actions: tuple[int, ...] | None,
    position: Position,
    values: dict[int, MoveValue],
) -> Iterator[Puzzle]:
    """Yields the puzzle of a position, if it has one right move."""
    task = task_of(exact, values)
    if not task or not exact.is_feasible(position):
        return
    answer = max(values, key=lambda action: values[action].value)
    puzzle = Puzzle(position, actions, task, answer, best_line(exact, position, answer))
    if puzzle.complete:
        yield puzzle


# ---- where there are no puzzles


def smaller_game(start: Position, tries: int = 40) -> Position | None:
    """Returns the game with smaller parameters, the largest one first, that has puzzles.

    None for games about which no exact values are known.
    """
    if knowledge_of(start).exact_values is None or not start.perfect_information:
        return None
    values = {name: getattr(start, name) for name in start.parameters}
    for _ in range(tries):
        numbers = {n: v for n, v in values.items() if type(v) is int and v > 1}
        if not numbers:
            return None
        values[max(numbers, key=lambda name: numbers[name])] -= 1
        try:
            smaller = type(start)(**values)
            exact = exact_for(smaller)
        except ValueError:
            continue
        if not no_puzzles(smaller) and find_puzzle(exact, 0, LEVELS[0]) is not None:
            return smaller
    return None
