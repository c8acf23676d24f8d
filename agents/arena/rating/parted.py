"""Which ratings the games leave open: who never met, and who took every point from the others.

The likeliest ratings are finite if and only if the agents cannot be split into two sets of which
one took every point from the other (L. R. Ford, Solution of a ranking problem from binary
comparisons, American Mathematical Monthly 64, 1957): if the graph in which an arrow leads from
each agent to all it took points from is strongly connected.

Where it is not, the others are measured from the set that holds the anchor, or else from the
largest one: its ratings have both limits, that of who beat all of it has no upper one, and so on.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..extra import library
from .bradley_terry import ELO, Array
from .tally import Tally, points_of


@dataclass(frozen=True)
class Parts:
    """How the games part the agents. Arrays have one place for each agent."""

    agents: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...]
    """Agents that are connected by games."""
    sets: tuple[tuple[tuple[str, ...], str], ...]
    """Sets within a group whose place is open: "above" the set they are measured from, of which
    no one took a point from them, "below" it, or "between" sets of which there is none such."""
    kinds: NDArray[np.str_]
    """In which kind of set each agent is; "" where its rating has both limits."""
    home: NDArray[np.bool_]
    """(n, n): row i has the agents whose mean is 0, where i is rated."""
    shift: Array
    """How far such a set would have to move for its results to have a chance of 2.5 %, in Elo."""
    parted: NDArray[np.bool_]
    """(n, n): whether two agents are in different sets of a group."""
    evidence: Array
    """(n, n): by how many clusters of pairs they are told apart."""
    apart: NDArray[np.bool_]
    """(n, n): whether two agents are in different groups."""

    @property
    def above(self) -> NDArray[np.bool_]:
        """Whether an agent is in a set above."""
        return np.isin(self.kinds, ["above"])

    @property
    def below(self) -> NDArray[np.bool_]:
        """Whether it is in one below."""
        return np.isin(self.kinds, ["below"])

    @property
    def no_upper(self) -> NDArray[np.bool_]:
        """Whether the rating has no upper limit."""
        return np.isin(self.kinds, ["above", "between"])

    @property
    def no_lower(self) -> NDArray[np.bool_]:
        """Whether it has no lower one."""
        return np.isin(self.kinds, ["below", "between"])

    def group_of(self, agent: int) -> int:
        """The number of the group it is in."""
        name = self.agents[agent]
        return next(i for i, group in enumerate(self.groups) if name in group)


def parts_of(tally: Tally, likeliest: Array, anchor: int | None = None) -> Parts:
    """How the games of a tournament part its agents, whose ``likeliest`` parameters are (p,)."""
    components: Callable[..., tuple[int, NDArray[np.int64]]]
    components = library("scipy.sparse.csgraph").connected_components
    took = tally.taken() > 0
    _, group = components(took, directed=False)
    _, strong = components(took, connection="strong")
    n, reach = len(tally.agents), _reachable(took)
    home, shift, sets = np.zeros((n, n), bool), np.zeros(n), []
    kinds = np.full(n, "", "<U7")
    for number in dict.fromkeys(strong.tolist()):
        inside = strong == number
        own = group == group[inside][0]
        base = _home(strong, own, anchor)
        home[inside] = own if base is None else base
        kinds[inside] = kind = _kind(took, reach, inside, own, base)
        if kind in ("above", "below"):  # to come nearer it takes along who is even farther away
            farther = reach[:, inside] if kind == "above" else reach[inside].T
            direction = np.append(farther.any(axis=1).astype(np.float64), 0.0)
            shift[inside] = farthest(tally, likeliest, direction, down=kind == "above")
        if kind and not (inside == own).all():
            names = tuple(tally.agents[i] for i in np.flatnonzero(inside))
            sets.append((names, kind))
    met = tally.between
    least = np.minimum(met.sum(axis=1)[:, None], met.sum(axis=1)[None, :])
    parted = (strong[:, None] != strong[None, :]) & (group[:, None] == group[None, :])
    members = [np.flatnonzero(group == g) for g in dict.fromkeys(group.tolist())]
    return Parts(
        tally.agents,
        tuple(tuple(tally.agents[i] for i in inside) for inside in members),
        tuple(sets),
        kinds,
        home,
        shift,
        parted,
        np.where(met > 0, met, least),
        group[:, None] != group[None, :],
    )


def _kind(
    took: NDArray[np.bool_],
    reach: NDArray[np.bool_],
    inside: NDArray[np.bool_],
    group: NDArray[np.bool_],
    base: NDArray[np.bool_] | None,
) -> str:
    """What kind of set those ``inside`` are, of a group measured from ``base``: see ``Parts``."""
    if base is not None and base[inside].all():
        return ""  # the others are measured from it
    if (inside == group).all() and (inside.sum() > 1 or len(took) == 1 or _played(took, inside)):
        return ""  # the group is one set: its ratings are finite
    others = group & ~inside if base is None else base
    beats, beaten = reach[inside][:, others].any(), reach[others][:, inside].any()
    return "between" if beats == beaten else "above" if beats else "below"


def _home(
    strong: NDArray[np.int64], group: NDArray[np.bool_], anchor: int | None
) -> NDArray[np.bool_] | None:
    """The set of a group from which the others are measured: the anchor's, or the largest one.

    None if no two agents are in one set: then the mean of all is 0.
    """
    if anchor is not None and group[anchor]:
        anchored: NDArray[np.bool_] = strong == strong[anchor]
        return anchored
    numbers, sizes = np.unique(strong[group], return_counts=True)
    largest: NDArray[np.bool_] = strong == numbers[sizes.argmax()]
    return largest if sizes.max() > 1 else None


def _reachable(took: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(n, n): whether a chain of points leads from one agent to another; every agent to itself."""
    reach = took | np.eye(len(took), dtype=bool)
    for through in range(len(took)):
        reach |= reach[:, [through]] & reach[through]
    return reach


def _played(took: NDArray[np.bool_], inside: NDArray[np.bool_]) -> bool:
    """Whether the agents inside played anybody."""
    return bool(took[inside].any() or took[:, inside].any())


def farthest(tally: Tally, likeliest: Array, direction: Array, down: bool) -> float:
    """How far parameters can go until results that speak for more have a chance of 2.5 % only.

    ``direction`` (p,) says which parameters go, and ``down`` that they get smaller: the results are
    those of the games that depend on them, all of which were won the other way, those of a cluster
    counting as a single pair. In Elo.
    """
    rows, points = tally.design.rows, points_of(tally.evidence)
    outward = rows @ direction != 0

    def excess(distance: float) -> float:
        d = rows @ (likeliest + distance * direction)
        lost = np.logaddexp(0, -d) * points[:, 0] + np.logaddexp(0, d) * points[:, 1]
        return -float(lost[outward].sum()) - math.log(0.025)

    find_root: Callable[..., float] = library("scipy.optimize").brentq
    return ELO * find_root(excess, 0.0, -200.0 if down else 200.0)
