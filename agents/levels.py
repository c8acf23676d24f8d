"""Offers opponents of a game as levels, from 1 for beginners up to 8, for people who want to play.

They are rungs of the game's ladder (``agents.arena.ladder``), spread by their measured Elo. Games,
and sizes of games, that have no ladder get the rungs of another size of the game, or those that the
record of the game lists from the weakest to the strongest (``Knowledge.rungs``); then no rating is
told. A game has as many levels as it has agents that differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from adv_envs import Position
from adv_envs.position import checked
from adv_envs.registry import title

from .allow_list import allowed_agent
from .arena.ladder import Ladder, ladders
from .faults import first_decision
from .grading.exact_values import exact_or_none
from .knowledge import knowledge_of, suitable_opponent
from .offers import allowed, seat_specs

MOST = 8
"""Levels of a game."""
LONGEST = 2.0
"""Seconds that an agent may take for a move."""
APART = 20.0
"""Elo between two levels at least."""
WORDS = (
    "Beginner",
    "Novice",
    "Casual",
    "Intermediate",
    "Good",
    "Strong",
    "Expert",
    "Strongest",
)
"""What levels are called, from the first to the last; games with fewer levels leave some out."""
SOLVERS = "perfect", "nim_solver", "pig_solver"
"""Agents that play the start only where all of the game can be solved."""


@dataclass(frozen=True)
class Level:
    """Describes an opponent by how well it plays."""

    number: int
    """From 1 on, the weakest first."""
    spec: str
    elo: float | None
    """Its rating, where random moves have 0; None where it was not measured in this game."""
    words: str
    """What the level is called: "Beginner"."""


def levels(start: Position) -> tuple[Level, ...]:
    """Returns the levels of the game of ``start``, at most ``MOST``, the weakest first.

    A page may name each of them, and each can play from ``start``.
    """
    start = checked(start)
    offered = {
        repr(allowed_agent(spec)): spec for spec in allowed(seat_specs(start), start).values()
    }
    found = [each for each in candidates(start) if can_play(each.spec, start)]
    chosen = spread([as_offered(each, offered) for each in found], MOST)
    last = len(chosen) - 1
    return tuple(
        replace(level, number=i + 1, words=WORDS[round(i * (MOST - 1) / last) if last else 0])
        for i, level in enumerate(chosen)
    )


def level_of(start: Position, number: int) -> Level:
    """Returns a level of the game; ValueError, which says how many there are, for another one."""
    found = levels(start)
    if not 1 <= number <= len(found):
        raise ValueError(f"{title(start)} has the levels 1 to {len(found)}, not {number}")
    return found[number - 1]


# ---- which there are


def candidates(start: Position) -> Iterator[Level]:
    """Yields agents of rising strength; those of a ladder have ratings, its own ones or none."""
    ladder = nearest_ladder(start)
    if ladder is not None:
        own = ladder.start == repr(start.start())
        rated = sorted(ladder.rungs, key=lambda rung: rung.rating)
        for rung in rated:
            if rung.seconds <= LONGEST:
                yield Level(0, rung.spec, rung.rating if own else None, "")
        return
    rungs = knowledge_of(start).rungs or {"random": "random()", "usual": suitable_opponent(start)}
    for spec in dict.fromkeys(rungs.values()):
        yield Level(0, spec, None, "")


def nearest_ladder(start: Position) -> Ladder | None:
    """Returns the ladder of a game, or else one of another size; None if there is neither."""
    name = f"{type(start).__name__}("
    found = [ladder for ladder in ladders() if ladder.start.startswith(name)]
    own = [ladder for ladder in found if ladder.start == repr(start.start())]
    return next(iter([*own, *found]), None)


def as_offered(level: Level, offered: Mapping[str, str]) -> Level:
    """Returns a level with its spec as pages list it for seats; ``offered`` has these by repr."""
    return replace(level, spec=offered.get(repr(allowed_agent(level.spec)), level.spec))


def can_play(spec: str, start: Position) -> bool:
    """Returns whether a page may name an agent and the agent can play from ``start``."""
    if not allowed(iter([("", spec)]), start):
        return False
    if allowed_agent(spec).name not in SOLVERS:
        return True
    exact = exact_or_none(start.start())
    return exact is not None and exact.is_feasible(first_decision(start))


def spread(found: Sequence[Level], most: int) -> list[Level]:
    """Returns at most ``most`` levels, with the first and the last, as far apart as can be.

    Those without ratings count as equally far apart.
    """
    left, ratings = (
        list(found),
        [i if each.elo is None else each.elo for i, each in enumerate(found)],
    )
    apart = APART if found and found[0].elo is not None else 0.0
    while len(left) > 2:
        gaps = [ratings[i + 1] - ratings[i] for i in range(len(left) - 1)]
        least = min(range(len(gaps)), key=gaps.__getitem__)
        if len(left) <= most and gaps[least] >= apart:
            break
        out = inner_end(gaps, least)
        del left[out], ratings[out]
    return left


def inner_end(gaps: Sequence[float], least: int) -> int:
    """Returns which of the two levels around the least gap is left out: never the first or last."""
    if least == 0:
        return 1
    if least == len(gaps) - 1:
        return least
    return least if gaps[least - 1] < gaps[least + 1] else least + 1
