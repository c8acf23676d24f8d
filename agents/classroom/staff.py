"""Chooses the staff of a class: agents of this package, the same each year, of known strength.

They are rungs of the game's ladder (``agents.arena.ladder``), whose ratings in Elo are known. Games
without a ladder have random play at 0, and others beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adv_envs import Position
from agents.arena.ladder import Ladder, Rung, ladder_for
from agents.arena.schedule import default_kind
from agents.knowledge import knowledge_of
from agents.spec import make

MOST = 5
"""Agents of a staff that is not chosen by hand."""

SHARE = 0.1
"""A rung has taken at most this share of the time for a move where its ladder was made."""


@dataclass(frozen=True)
class StaffAgent:
    """Describes one of the staff."""

    spec: str
    name: str
    """In a word or two, or the spec."""
    elo: float | None
    """On the scale of the ladder, or None if it is not known."""


def usual_staff(start: Position, seconds: float | None) -> list[StaffAgent]:
    """Returns agents that answer well within ``seconds``, the weakest first if that is known."""
    ladder = _ladder_or_none(start)
    if ladder is not None:
        limit = SHARE * (1.0 if seconds is None else seconds)
        quick = [rung for rung in ladder.playable().rungs if rung.seconds <= limit]
        return list(map(_rung_of_staff, _spread(quick or ladder.rungs[:1])))
    search = "mcts" if start.perfect_information else "ismcts"
    greedy = ["greedy()"] * start.perfect_information
    others = [*greedy, f"{search}(simulations=30)", f"{search}(simulations=300)"]
    known = [spec for spec in knowledge_of(start).rungs.values() if "seconds" not in spec]
    specs = dict.fromkeys(repr(make(spec)) for spec in ("random()", *others, *known))
    return [StaffAgent(s, s, 0.0 if s == "random()" else None) for s in list(specs)[:MOST]]


def staff_of(start: Position, specs: Sequence[str]) -> list[StaffAgent]:
    """Returns agents with these specs, with the Elo that the game's ladder has for them."""
    ladder = _ladder_or_none(start)
    rungs = {} if ladder is None else {rung.spec: _rung_of_staff(rung) for rung in ladder.rungs}
    return [rungs.get(spec, StaffAgent(spec, spec, None)) for spec in dict.fromkeys(specs)]


def _rung_of_staff(rung: Rung) -> StaffAgent:
    return StaffAgent(rung.spec, rung.name, rung.rating)


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
