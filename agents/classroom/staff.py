"""Chooses the staff of a class: agents of this package, the same each year, of known strength.

They are rungs of the game's ladder (``agents.arena.ladder``), whose ratings in Elo are known. Games
without a ladder have random play at 0, and others beside it.
"""

from __future__ import annotations

from collections.abc import Sequence

from adv_envs import Position
from agents.arena.ladder import Ladder, Rung, ladder_for
from agents.arena.schedule import default_kind
from agents.knowledge import knowledge_of
from agents.spec import make

MOST = 5
"""Agents of a staff that is not chosen by hand."""

SHARE = 0.1
"""A rung has taken at most this share of the time for a move where its ladder was made."""


def usual_staff(start: Position, seconds: float | None) -> dict[str, float | None]:
    """Returns specs of agents that answer well within ``seconds``, and their Elo if it is known."""
    ladder = _ladder_or_none(start)
    if ladder is not None:
        limit = SHARE * (1.0 if seconds is None else seconds)
        quick = [rung for rung in ladder.playable().rungs if rung.seconds <= limit]
        return {rung.spec: rung.rating for rung in _spread(quick or ladder.rungs[:1])}
    search = "mcts" if start.perfect_information else "ismcts"
    greedy = ["greedy()"] * start.perfect_information
    others = [*greedy, f"{search}(simulations=30)", f"{search}(simulations=300)"]
    known = [spec for spec in knowledge_of(start).rungs.values() if "seconds" not in spec]
    specs = dict.fromkeys(repr(make(spec)) for spec in ("random()", *others, *known))
    staff: dict[str, float | None] = dict.fromkeys(list(specs)[:MOST])
    staff["random()"] = 0.0
    return staff


def known_ratings(start: Position, specs: Sequence[str]) -> dict[str, float | None]:
    """Returns these specs with the Elo that the game's ladder has for them, or None."""
    ladder = _ladder_or_none(start)
    ratings = {} if ladder is None else {rung.spec: rung.rating for rung in ladder.rungs}
    return {spec: ratings.get(spec) for spec in specs}


def usual_openings(start: Position) -> str:
    """Returns the kind of openings of the game's ladder, or of its tournaments."""
    ladder = _ladder_or_none(start)
    return default_kind(start) if ladder is None else ladder.openings


def _ladder_or_none(start: Position) -> Ladder | None:
    """Returns the ladder of a game, or None where there is none."""
    try:
        return ladder_for(start)
    except ValueError:
        return None


def _spread(rungs: Sequence[Rung]) -> list[Rung]:
    """Returns at most ``MOST`` of these, the weakest and the strongest, evenly between in Elo."""
    if len(rungs) <= MOST:
        return list(rungs)
    low, high = rungs[0].rating, rungs[-1].rating
    chosen: list[Rung] = [rungs[0], rungs[-1]]
    for step in range(1, MOST - 1):
        aim = low + (high - low) * step / (MOST - 1)
        left = [rung for rung in rungs if rung not in chosen]
        chosen.append(min(left, key=lambda rung: abs(rung.rating - aim)))
    return sorted(chosen, key=lambda rung: rung.rating)
