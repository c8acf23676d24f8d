"""Alpha-beta, state of the art: for any game of two.

Iterative deepening (``deepening``), each iteration a principal variation search
(``principal_variation``): the line that looks best is searched with an open window, all other moves
only with a null window, which asks no more than whether they are better. A transposition table
(``table``) and what was learned on the way (``ordering``) put the best move first.
``benchmarks/ablation.py`` shows what each is worth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from adv_envs import Position
from agents.agent import (
    SearchAgent,
    SearchResult,
    require_function,
    require_limit,
    require_position,
    require_seconds,
    require_table,
)

from .deepening import Deepening
from .limits import ABORTED, STOP, Deadline


@dataclass(repr=False)
class AlphaBeta(SearchAgent):
    """Alpha-beta, one ply deeper at a time until a limit or the end of the game is reached.

    ``depth`` is in plies, ``nodes`` and ``seconds`` are for one decision; with none of the three, a
    million nodes. ``evaluate(position)`` values positions at the depth limit for the player to
    move (None: all even). ``order(position, action)`` says which actions to try first: "own" is the
    game's own, where it has one, None as they are numbered. ``table_mb`` bounds the transposition
    table; 0 turns it off. ``symmetry``, ``killers``, ``history`` and ``null_window`` can be turned
    off to see what they are worth; the values found are the same.
    """

    depth: int | None = None
    seconds: float | None = None
    nodes: int | None = None
    evaluate: Callable[[Any], float] | None = None
    order: Callable[[Any, int], float] | str | None = "own"
    table_mb: float = 16
    symmetry: bool = True
    killers: bool = True
    history: bool = True
    null_window: bool = True

    name: ClassVar[str] = "alpha_beta"

    def __post_init__(self) -> None:
        """Raise ValueError for a limit that allows nothing."""
        require_limit("depth", self.depth)
        require_limit("nodes", self.nodes)
        require_seconds(self.seconds)
        require_function("evaluate", self.evaluate)
        if self.order != "own":
            require_function("order", self.order)
        require_table(self.table_mb, none=True)

    def analysis(self, position: Position) -> Iterator[SearchResult]:
        """The result of each iteration, one ply deeper than the one before.

        When time or nodes run out in the middle of one, the best move it has found so far counts.
        ValueError unless two players and an unfinished game.
        """
        search = Deepening(self, position)
        result = None
        with search, Deadline(search.counts, self.seconds):
            for depth in range(1, search.deepest + 1):
                result = search.deepen(position, depth, result)
                yield result
                if result.proven or search.counts[ABORTED] or search.counts[STOP]:
                    break

    def values(self, position: Position) -> dict[int, float]:
        """What each action is worth, all of them looked ahead equally far, within one budget.

        None where the game is over.
        """
        require_position(position)
        if position.is_terminal():
            return {}
        search = Deepening(self, position)
        children = {action: position.play(action) for action in position.legal_actions()}
        values = dict.fromkeys(children, 0.0)
        proven: set[int] = set()
        with search, Deadline(search.counts, self.seconds):
            for depth in range(1, search.deepest + 1):
                found = {}
                for action, child in children.items():
                    if action not in proven:
                        found[action] = search.after(position, child, depth)
                        if search.counts[ABORTED]:
                            return values
                values |= {action: value for action, (value, _) in found.items()}
                proven |= {action for action, (_, known) in found.items() if known}
                if len(proven) == len(children):
                    break
        return values
