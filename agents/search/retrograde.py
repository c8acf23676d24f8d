"""Analyses games backwards: lists every position, then works back from the ends of the game."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import ClassVar

from adv_envs import CHANCE, Position
from adv_envs.position import checked
from adv_envs.random import impossible
from agents.agent import (
    SearchAgent,
    SearchResult,
    require_perfect_information,
    require_unfinished,
)

from .exact_play import MoveKernels
from .listing import list_and_solve, listed_rank, listed_utility, new_list

Outcome = tuple[tuple[float, ...], int]
"""The utility of each player with best play, and the plies to the end."""


MOST_LISTED = 2_000_000
"""Positions of the largest state space that kernels list; few of them can be reached."""


@dataclass(frozen=True)
class Solution:
    """Holds what ``Retrograde.solve`` found."""

    positions: int | None
    """The size of the state space, reachable or not; None if the game does not say."""
    explored: int
    """The number of positions that can be reached."""
    terminal: int
    """The number of them in which the game is over."""
    value: float
    """The utility of the start for the player to move there, with best play."""
    plies: int
    """The length of the game if the winner hurries and the loser holds out."""
    seconds: float
    """Wall-clock time."""


@dataclass(repr=False)
class Retrograde(SearchAgent):
    """Plays perfectly any game with at most ``limit`` reachable positions.

    Every position gets its exact value, worked back from the ends of the game: two players or more
    (each maximises their own utility), with chance (the expectation), and with positions that may
    come again (where nobody can force an end, the value is 0). Among actions of equal value it
    takes the quickest win or the longest defence.
    """

    limit: int = 1_000_000
    """How many positions may be reachable."""

    name: ClassVar[str] = "retrograde"
    _solved: dict[Position, Outcome] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        """Raises ValueError unless at least one position is allowed."""
        if self.limit < 1:
            raise ValueError(f"limit must be at least 1, not {self.limit}")

    def solve(self, position: Position) -> Solution:
        """Solves the game from ``position`` on; ValueError for more positions than ``limit``."""
        position, began = checked(position), time.perf_counter()
        children = self._explore(position)
        outcomes = work_back(children)
        self._solved.update(outcomes)
        utilities, plies = outcomes[position]
        return Solution(
            position.state_space(),
            len(children),
            sum(not after for after in children.values()),
            utilities[max(position.to_move, 0)],
            plies,
            time.perf_counter() - began,
        )

    def _explore(self, start: Position) -> dict[Position, list[Position]]:
        """Returns every reachable position and the positions after its legal actions, in order."""
        children: dict[Position, list[Position]] = {}
        known, todo = {start}, [start]
        while todo:
            position = todo.pop()
            children[position] = [position.play(a) for a in position.legal_actions()]
            for child in children[position]:
                if child not in known:
                    known.add(child)
                    todo.append(child)
            if len(known) > self.limit:
                raise ValueError(
                    f"more than {self.limit:,} positions: too many for retrograde analysis; "
                    "raise its limit, or search with alpha_beta"
                )
        return children

    def value(self, position: Position) -> float:
        """Returns the exact utility for the player to move."""
        position = checked(position)
        require_perfect_information(position, self.name)
        return self._outcome(position)[0][max(position.to_move, 0)]

    def values(self, position: Position) -> dict[int, float]:
        """Returns the exact utility of each legal action for the player to move."""
        position = checked(position)
        require_perfect_information(position, self.name)
        player = max(position.to_move, 0)
        return {
            action: self._outcome(position.play(action))[0][player]
            for action in position.legal_actions()
        }

    def winning(self, position: Position, moves: str | Iterable[int | str] = ()) -> list[int]:
        """Returns the actions that win for the player to move after ``moves``: utility above 0."""
        values = self.values(checked(position).after(moves))
        return [action for action, value in values.items() if value > 0]

    def analyse(self, position: Position) -> SearchResult:
        """Returns best play to the end of the game; ``nodes`` are the positions known so far."""
        position = require_unfinished(position)
        began = time.perf_counter()
        value, plies = self.value(position), self._outcome(position)[1]
        line: list[int] = []
        here = position
        while not here.is_terminal() and len(line) < max(plies, 1):
            action = self._best(here)
            line.append(action)
            here = here.play(action)
        return SearchResult(
            self._best(position),
            value,
            tuple(line),
            nodes=len(self._solved),
            depth=plies,
            seconds=time.perf_counter() - began,
            proven=True,
        )

    def move_kernels(self, start: Position) -> MoveKernels:
        """Returns the analysis as kernels, for small games that end whatever is played.

        ValueError for games with more than ``MOST_LISTED`` positions.
        """
        most = min(self.limit, start.state_space() or MOST_LISTED + 1)
        if most > MOST_LISTED:
            raise ValueError(f"{most:,} positions are too many to be listed by kernels")
        given = new_list(start, most), list_and_solve, listed_rank
        bound = {} if start.has_chance else {"chance_of": impossible}
        return MoveKernels(
            listed_utility, *given, bindings=bound, line="game", begins="anew", depth=None
        )

    def _best(self, position: Position) -> int:
        """Returns the first of the best actions."""
        player = max(position.to_move, 0)
        actions = position.legal_actions()
        return max(actions, key=lambda a: rank(self._outcome(position.play(a)), player))

    def _outcome(self, position: Position) -> Outcome:
        if position not in self._solved:
            self.solve(position)
        return self._solved[position]


def work_back(children: dict[Position, list[Position]]) -> dict[Position, Outcome]:
    """Returns the outcome of every position, given the positions after it.

    A position is decided when all its children are, or when one of them gives the player to move
    the most there is to get (of what is still open, where positions may come again). Positions are
    decided in the order of their distance to the end, so they have the right distance themselves.
    """
    parents: dict[Position, list[Position]] = {position: [] for position in children}
    for position, after in children.items():
        for child in after:
            parents[child].append(position)
    outcomes: dict[Position, Outcome] = {}
    ends = [position for position, after in children.items() if not after]
    for position in ends:
        players = range(position.num_players)
        outcomes[position] = tuple(float(position.utility(p)) for p in players), 0
    gains = {utility for end in ends for utility in outcomes[end][0] if utility > 0}
    for enough in sorted(gains, reverse=True) or [1.0]:
        _propagate(children, parents, outcomes, enough)
        if len(outcomes) == len(children):
            break  # else positions come again: players settle for the next lower gain
    endless = [position for position in children if position not in outcomes]
    if any(position.to_move == CHANCE for position in endless):
        raise ValueError("retrograde analysis cannot solve games in which chance goes in circles")
    for position in endless:  # nobody can force an end: the value is 0 for everybody
        outcomes[position] = (0.0,) * position.num_players, 0
    return outcomes


def _propagate(
    children: dict[Position, list[Position]],
    parents: dict[Position, list[Position]],
    outcomes: dict[Position, Outcome],
    enough: float,
) -> None:
    """Decides the positions before the decided ones, and those before them, and so on.

    A player who can get ``enough`` need not know the values of the other actions.
    """
    undecided = {position: len(after) for position, after in children.items()}
    ready = deque(outcomes)
    while ready:
        child = ready.popleft()
        for position in parents[child]:
            undecided[position] -= 1
            if position in outcomes:
                continue
            to_move = position.to_move
            utilities, plies = outcomes[child]
            if to_move != CHANCE and utilities[to_move] >= enough:
                outcomes[position] = utilities, plies + 1
            elif undecided[position] == 0:
                outcomes[position] = best_outcome(position, children[position], outcomes)
            else:
                continue
            ready.append(position)


def best_outcome(
    position: Position, after: list[Position], outcomes: dict[Position, Outcome]
) -> Outcome:
    """Returns the outcome of a position whose children are all decided."""
    to_move = position.to_move
    if to_move == CHANCE:
        chances = [position.probability(action) for action in position.legal_actions()]
        players = range(position.num_players)
        expected = tuple(
            sum(p * outcomes[child][0][player] for p, child in zip(chances, after, strict=True))
            for player in players
        )
        return expected, 1 + max(outcomes[child][1] for child in after)
    utilities, plies = max((outcomes[child] for child in after), key=lambda o: rank(o, to_move))
    return utilities, plies + 1


def rank(outcome: Outcome, player: int) -> tuple[float, int]:
    """Returns what ``player`` prefers more of: quick wins, long defences."""
    utilities, plies = outcome
    return utilities[player], -plies if utilities[player] > 0 else plies
