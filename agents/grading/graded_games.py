"""Grades recorded games, of people or of programs: every move of both players."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from adv_envs import CHANCE, Position, name_of
from adv_envs.notation import write_line
from adv_envs.registry import title as game_title
from agents.knowledge import ExactValues

from .evaluator import Answer, to_test_position
from .metrics import Metrics, metrics_of
from .position_sets import SAME, parameters
from .report_card import Blunder, worst

MAX_MISTAKES = 12
"""Blunders on a card of games."""

VERDICTS = {
    "strongest": "no move is stronger",
    "right": "keeps the value, but not as strongly as it could",
    "mistake": "loses value",
    "same": "all moves have the same value",
    "unknown": "the values of the moves take long to find",
}


@dataclass(frozen=True)
class GradedMove:
    """A move of a recorded game, and how good it was."""

    number: int
    """The number of the ply, from 1."""
    player: int
    answer: Answer

    @property
    def verdict(self) -> str:
        """One of VERDICTS."""
        test, answer = self.answer.test, self.answer
        if not answer.graded:
            return "unknown"
        if not test.value_matters and not test.score_matters:
            return "same"
        if answer.lost > SAME:
            return "mistake"
        return "right" if answer.lost_score > SAME else "strongest"

    def to_dict(self) -> dict[str, Any]:
        """Returns the fields as plain data, for JSON."""
        test, answer = self.answer.test, self.answer
        name = test.position.name
        assert answer.action is not None  # it was played
        found: dict[str, Any] = {
            "number": self.number,
            "player": self.player,
            "move": name(answer.action),
            "verdict": self.verdict,
        }
        if answer.graded:
            found |= {
                "lost": answer.lost,
                "lost_score": answer.lost_score,
                "right": [name(action) for action in test.right],
                "strongest": [name(action) for action in test.strongest],
            }
        return found


@dataclass(frozen=True)
class GradedGame:
    """A game with every move graded."""

    title: str
    start: Position
    players: tuple[str, ...]
    moves: tuple[GradedMove, ...]

    @property
    def line(self) -> str:
        """The moves as text, without those of chance."""
        if self.start.has_chance:
            names = (m.answer.test.position.name(m.answer.action or 0) for m in self.moves)
            return " ".join(names)
        return write_line(self.start, [move.answer.action or 0 for move in self.moves])


@dataclass(frozen=True)
class RecordCard:
    """How well the players of some recorded games played, by name."""

    start: Position
    games: tuple[GradedGame, ...]
    players: dict[str, Metrics]
    blunders: tuple[Blunder, ...]
    has_scores: bool
    in_points: bool

    @property
    def unknown(self) -> int:
        """Moves that were not graded."""
        return sum(not move.answer.graded for game in self.games for move in game.moves)

    def to_dict(self) -> dict[str, Any]:
        """Returns the fields as plain data, for JSON."""
        return {
            "game": name_of(self.start),
            "parameters": parameters(self.start),
            "players": {name: found.to_dict() for name, found in self.players.items()},
            "games": [
                {
                    "title": game.title,
                    "players": list(game.players),
                    "start": repr(game.start),
                    "line": game.line,
                    "moves": [move.to_dict() for move in game.moves],
                }
                for game in self.games
            ],
            "not_graded": self.unknown,
            "in_points": self.in_points,
            "has_scores": self.has_scores,
            "blunders": [blunder.to_dict() for blunder in self.blunders],
        }


def grade_game(
    exact: ExactValues,
    start: Position,
    actions: Sequence[int],
    title: str = "",
    players: Sequence[str] = ("player 0", "player 1"),
    number: int = 0,
    on_move: Callable[[int], None] | None = None,
) -> GradedGame:
    """Returns a game from ``start`` with every move graded whose values take seconds at most.

    ``actions`` are the moves, ``title`` and ``players`` what the game and those who played are
    called. ``number`` distinguishes games; ``on_move`` is called with the number of moves graded so
    far. ValueError for a game without moves, and for another game than that of ``exact``.
    """
    if start.start() != exact.start:
        raise ValueError(
            f"the game is one of {game_title(start)}, not of {game_title(exact.start)}"
        )
    if not actions:
        raise ValueError("the record has no moves to grade")
    position, moves, before = start, list[GradedMove](), list[int]()
    for action in actions:
        if position.to_move != CHANCE:
            test = to_test_position(position, exact, start, before, patient=True)
            answer = Answer(test, action, group=number)
            moves.append(GradedMove(len(before) + 1, position.to_move, answer))
        before.append(action)
        position = position.play(action)
        if on_move is not None:
            on_move(len(before))
    return GradedGame(title, start, tuple(players), tuple(moves))


def record_card(exact: ExactValues, games: Sequence[GradedGame], seed: int = 0) -> RecordCard:
    """Returns the card of these games; players of the same name count as one.

    ``exact`` are the values by which they were graded.
    """
    by_name: dict[str, list[Answer]] = {}
    sources: list[tuple[Answer, str]] = []
    for game in games:
        for move in game.moves:
            name = game.players[move.player]
            where = f"move {move.number} of {game.title}" if game.title else f"move {move.number}"
            by_name.setdefault(name, [])
            if move.answer.graded:
                by_name[name].append(move.answer)
                sources.append((move.answer, f"{where}, {name}"))
    found = {
        name: metrics_of(answers, exact.has_scores, seed, len(games) > 1)
        for name, answers in sorted(by_name.items())
    }
    blunders = worst(sources, MAX_MISTAKES)
    return RecordCard(exact.start, tuple(games), found, blunders, exact.has_scores, exact.in_points)
