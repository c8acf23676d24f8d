"""Grading games that were played, by people or by whoever else: every move of either side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from adv_envs import CHANCE, Position, name_of
from adv_envs.notation import write_line
from agents.knowledge import ExactValues

from .card import Blunder, worst
from .games import question_at
from .marks import Marks, marks
from .positions import parameters
from .probe import Answer
from .question import SAME

MISTAKES = 12
"""Blunders that a card of games shows."""

VERDICTS = {
    "strongest": "no move is stronger",
    "right": "keeps the value, but not as strongly as it could",
    "mistake": "loses value",
    "same": "all moves are worth the same",
    "unknown": "what moves were worth takes long to find",
}


@dataclass(frozen=True)
class Move:
    """A move of a game."""

    number: int
    """Its place in the game, from 1."""
    player: int
    answer: Answer

    @property
    def verdict(self) -> str:
        """One of VERDICTS."""
        question, answer = self.answer.question, self.answer
        if not answer.graded:
            return "unknown"
        if not question.value_matters and not question.score_matters:
            return "same"
        if answer.lost > SAME:
            return "mistake"
        return "right" if answer.lost_score > SAME else "strongest"

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data."""
        question, answer = self.answer.question, self.answer
        name = question.position.name
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
                "right": [name(action) for action in question.right],
                "strongest": [name(action) for action in question.strongest],
            }
        return found


@dataclass(frozen=True)
class GradedGame:
    """A game with every move graded."""

    title: str
    start: Position
    players: tuple[str, ...]
    moves: tuple[Move, ...]

    @property
    def line(self) -> str:
        """The moves as text; without those of chance."""
        if self.start.has_chance:
            names = (m.answer.question.position.name(m.answer.action or 0) for m in self.moves)
            return " ".join(names)
        return write_line(self.start, [move.answer.action or 0 for move in self.moves])


@dataclass(frozen=True)
class RecordCard:
    """What the players of some games are worth, by name."""

    start: Position
    games: tuple[GradedGame, ...]
    players: dict[str, Marks]
    blunders: tuple[Blunder, ...]
    has_scores: bool
    in_points: bool

    @property
    def unknown(self) -> int:
        """Moves that were not graded."""
        return sum(not move.answer.graded for game in self.games for move in game.moves)

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "game": name_of(self.start),
            "parameters": parameters(self.start),
            "players": {name: found.to_dict() for name, found in self.players.items()},
            "games": [
                {
                    "title": game.title,
                    "players": list(game.players),
                    "start": repr(game.start),
                    "moves": [move.to_dict() for move in game.moves],
                }
                for game in self.games
            ],
            "not_graded": self.unknown,
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
    """A game from ``start`` with every move graded, as far as that takes seconds at most.

    ``number`` tells games apart, ``on_move`` is told how many moves are graded. ValueError for a
    game without moves, and for one of another kind than ``exact`` knows.
    """
    if start.start() != exact.start:
        raise ValueError(f"the game is one of {start.start()!r}, not of {exact.start!r}")
    if not actions:
        raise ValueError("the record has no moves to grade")
    position, moves, before = start, list[Move](), list[int]()
    for action in actions:
        if position.to_move != CHANCE:
            question = question_at(position, exact, start, before, patient=True)
            answer = Answer(question, action, group=number)
            moves.append(Move(len(before) + 1, position.to_move, answer))
        before.append(action)
        position = position.play(action)
        if on_move is not None:
            on_move(len(before))
    return GradedGame(title, start, tuple(players), tuple(moves))


def record_card(exact: ExactValues, games: Sequence[GradedGame], seed: int = 0) -> RecordCard:
    """The card of these games: players of the same name are one."""
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
        name: marks(answers, exact.has_scores, seed, len(games) > 1)
        for name, answers in sorted(by_name.items())
    }
    blunders = worst(sources, MISTAKES)
    return RecordCard(exact.start, tuple(games), found, blunders, exact.has_scores, exact.in_points)
