"""Checks how a program plays: that it loads, keeps the rules and the time, repeats, and wins."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from adv_envs import CHANCE, Position
from adv_envs.notation import write_line
from adv_envs.position import require_competitive
from agents.agent import Agent
from agents.faults import ask
from agents.match_loop import (
    Game,
    MatchResult,
    match,
    random_action,
    random_line,
    random_opening,
    why_lost,
)
from agents.statistics import SCORES, score_interval

from .assessment import (
    Assessment,
    CheckOutcome,
    DrawnExample,
    RubricCheck,
    numbered,
    percentage,
    plainly,
    view,
)
from .rubric_words import RubricWords

if TYPE_CHECKING:
    from .rubric import Rubric


@dataclass(frozen=True, kw_only=True)
class Loads(RubricCheck):
    """Gives points for a file that can be loaded; whatever runs a rubric has loaded it."""

    kind: ClassVar[str] = "loads"

    def run(self, assessment: Assessment) -> CheckOutcome:
        """Runs it; see ``RubricCheck.run``."""
        form = assessment.student.form
        return self.outcome(assessment, 1, assessment.words("loads_yes", form=form))


MOST_GAMES = 10_000
"""Games of one check: more would take days, and tell no more."""


def require_games(games: int) -> None:
    """Raises ValueError unless games are played, and not too many."""
    if not 1 <= games <= MOST_GAMES:
        raise ValueError(f"games must be from 1 to {MOST_GAMES}, not {games}")


def failed_games(result: MatchResult, *faults: str) -> list[Game]:
    """Returns the games that the first agent lost by one of these faults."""
    both = ((game, result.seat(0, number)) for number, game in enumerate(result.games))
    return [game for game, seat in both if game.loser == seat and game.fault in faults]


@dataclass(frozen=True, kw_only=True)
class Legal(RubricCheck):
    """Plays whole games against random moves in every seat; each move must be legal."""

    kind: ClassVar[str] = "legal"
    games: int = 6

    def require(self, rubric: Rubric) -> None:
        """Raises ValueError where it cannot be held; see ``RubricCheck.require``."""
        require_games(self.games)

    def run(self, assessment: Assessment) -> CheckOutcome:
        """Runs it; see ``RubricCheck.run``."""
        words, played = assessment.words, assessment.games(self.games)
        bad, number = failed_games(played, "illegal", "crash", "resigned"), len(played.games)
        if not bad and len(failed_games(played, "time")) == number:
            return self.outcome(assessment, 0, words("legal_late", games=number))
        if not bad:
            text = words("legal_yes", games=number)
            return self.outcome(assessment, 1, text, data={"games": number})
        seat = words("seats", seat=(bad[0].loser or 0) + 1)
        text = words(
            "legal_no", bad=len(bad), games=number, seat=seat, why=plainly(why_lost(bad[0].reason))
        )
        data = {"games": number, "failed": len(bad)}
        return self.outcome(assessment, 0, text, [last_position(bad[0], words)], data)


def last_position(game: Game, words: RubricWords) -> DrawnExample:
    """Returns the position at which a game ended early."""
    start = game.start
    if not game.actions or start.has_chance:
        text = words("legal_start") if not game.actions else ""
    else:
        text = words("legal_after", moves=write_line(start, game.actions))
    seen = game.end.hidden(game.loser) if game.loser is not None else game.end
    return DrawnExample(seen, text)


@dataclass(frozen=True, kw_only=True)
class InTime(RubricCheck):
    """Looks whether any answer took longer than the rubric's ``seconds``, in the same games."""

    kind: ClassVar[str] = "in_time"
    games: int = 6

    def require(self, rubric: Rubric) -> None:
        """Raises ValueError where it cannot be held; see ``RubricCheck.require``."""
        require_games(self.games)

    def run(self, assessment: Assessment) -> CheckOutcome:
        """Runs it; see ``RubricCheck.run``."""
        words, played = assessment.words, assessment.games(self.games)
        number, seconds = len(played.games), numbered(assessment.rubric.seconds)
        late = failed_games(played, "time")
        crashed = failed_games(played, "crash")
        data = {"games": number, "late": len(late)}
        if late:
            text = words("in_time_no", bad=len(late), games=number, seconds=seconds)
            return self.outcome(assessment, 0, text, [last_position(late[0], words)], data)
        if len(crashed) == number:
            why = plainly(why_lost(crashed[0].reason))
            text = words("in_time_other", bad=len(crashed), games=number, why=why)
            return self.outcome(assessment, 0, text, data=data)
        text = words("in_time_yes", games=number, seconds=seconds)
        return self.outcome(assessment, 1, text, data=data)


@dataclass(frozen=True, kw_only=True)
class Repeats(RubricCheck):
    """Asks at the same positions twice, each time loaded anew, with the same seed."""

    kind: ClassVar[str] = "repeats"
    positions: int = 8

    def require(self, rubric: Rubric) -> None:
        """Raises ValueError where it cannot be held; see ``RubricCheck.require``."""
        if self.positions < 1:
            raise ValueError(f"positions must be at least 1, not {self.positions}")

    def run(self, assessment: Assessment) -> CheckOutcome:
        """Runs it; see ``RubricCheck.run``."""
        words, seed = assessment.words, assessment.seed_for("repeats")
        seen = [view(each) for each in random_positions(assessment.start, self.positions, seed)]
        first = answers(assessment.student.agent, seen, seed)
        with assessment.student.again() as student:
            second = answers(student.agent, seen, seed)
        other = [each for each in zip(seen, first, second, strict=True) if each[1] != each[2]]
        data = {"asked": len(seen), "different": len(other)}
        if not other:
            return self.outcome(assessment, 1, words("repeats_yes", asked=len(seen)), data=data)
        examples = [
            DrawnExample(
                position, words("repeats_example", first=position.name(a), second=position.name(b))
            )
            for position, a, b in other
        ]
        text = words("repeats_no", bad=len(other), asked=len(seen))
        return self.outcome(assessment, 0, text, examples, data)


def answers(agent: Agent, positions: Sequence[Position], seed: int) -> list[int]:
    """Returns what an agent answers at positions, each the first of a new game."""
    found = []
    for number, position in enumerate(positions):
        agent.reset((seed + number) % 2**32)
        found.append(ask(agent, position))
    return found


def random_positions(start: Position, number: int, seed: int) -> list[Position]:
    """Returns different positions at which a player is to move, of games with random moves.

    There are fewer of them in a game that has fewer.
    """
    rng, found = random.Random(seed), dict[Position, None]()
    for _ in range(20 * number):
        position = random_line(start, rng.randrange(12), rng)[1]
        while position.to_move == CHANCE and not position.is_terminal():
            position = position.play(random_action(position, rng))
        if not position.is_terminal():
            found[position] = None
        if len(found) == number:
            break
    return list(found)


@dataclass(frozen=True, kw_only=True)
class Beats(RubricCheck):
    """Plays a match with swapped seats; the lower bound of the score must lie above one half."""

    kind: ClassVar[str] = "beats"
    opponent: str
    """The spec of an agent, or a file of the rubric's folder."""
    games: int = 40
    confidence: float = 0.95
    plies: int = 2
    """Random moves of each opening."""

    def named(self) -> dict[str, str]:
        """Returns the values that its title has."""
        return {
            "opponent": Path(self.opponent).stem if self.opponent.endswith(".py") else self.opponent
        }

    def require(self, rubric: Rubric) -> None:
        """Raises ValueError where it cannot be held; see ``RubricCheck.require``."""
        require_competitive(rubric.start, f"the check {self.kind!r}")
        if rubric.start.num_players != 2:
            raise ValueError(f"{rubric.name} has {rubric.start.num_players} players, not two")
        require_games(self.games)
        if self.games % 2:
            raise ValueError(f"games must be an even number, not {self.games}: seats are swapped")
        if not 0.5 <= self.confidence < 1:
            raise ValueError(f"confidence must be from 0.5 to below 1, not {self.confidence:g}")
        if self.plies < 0:
            raise ValueError(f"plies must not be negative, not {self.plies}")
        random_opening(rubric.start, self.plies, random.Random(0))
        with rubric.opponent(self.opponent):
            pass

    def run(self, assessment: Assessment) -> CheckOutcome:
        """Runs it; see ``RubricCheck.run``."""
        rubric, words = assessment.rubric, assessment.words
        seed = assessment.seed_for("beats", self.opponent)
        with rubric.opponent(self.opponent) as opponent:
            result = match(
                rubric.start,
                assessment.student.agent,
                opponent,
                pairs=self.games // 2,
                seed=seed,
                plies=self.plies,
            )
        low, score = lower_bound(result, self.confidence), result.total
        values = {
            "points": numbered(score.points),
            "games": score.games,
            "opponent": self.named()["opponent"],
            "wins": score.wins,
            "draws": score.draws,
            "losses": score.losses,
            "confidence": percentage(self.confidence),
            "low": percentage(low),
        }
        texts = [words("beats_yes" if low > 0.5 else "beats_no", **values)]
        lost = failed_games(result, "illegal", "crash", "time", "resigned")
        if lost:
            texts.append(
                words("beats_forfeits", forfeits=len(lost), why=plainly(why_lost(lost[0].reason)))
            )
        data = {"points": score.points, "games": score.games, "lower_bound": round(low, 4)}
        data["share"] = round(score.points / score.games, 4)
        return self.outcome(assessment, float(low > 0.5), "\n".join(texts), data=data)


def lower_bound(result: MatchResult, confidence: float) -> float:
    """Returns the lower end of the one-sided interval of the first agent's score.

    Both games of an opening are one observation, and openings that were played alike count once.
    """
    pairs: dict[tuple[tuple[int, ...], ...], float] = {}
    games = result.games
    for number in range(0, len(games) - 1, 2):
        both = games[number : number + 2]
        points = [
            (game.utilities[result.seat(0, number + i)] > 0)
            + 0.5 * (game.utilities[result.seat(0, number + i)] == 0)
            for i, game in enumerate(both)
        ]
        pairs[tuple((*map(hash, (game.start,)), *game.actions) for game in both)] = sum(points) / 2
    scores = list(pairs.values())
    counts = [sum(each == score for each in scores) for score in SCORES.tolist()]
    alike = len(set(scores)) == 1
    level = 2 * confidence - 1
    return score_interval(counts, len(scores), len(scores), alike, level)[0]
