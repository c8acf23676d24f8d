"""Searches by proof numbers: proves who wins by going where the proof looks shortest.

The proof number of a position is the least number of positions that must turn out well for it to be
proven that a player gets more than some value; the disproof number is the same for the opposite.
Where all of several positions must turn out well, the hardest of them counts and each other one
adds 1 (weak proof numbers; T. Ueda et al., Weak Proof-Number Search, 2008): most games lead to the
same positions in many ways, and a sum would count their common parts again and again.

Depth-first proof-number search (df-pn; A. Nagai, Df-pn Algorithm for Searching AND/OR Trees and Its
Applications, 2002) follows the smallest number down until it passes a threshold, with a table in
place of the tree. The numbers of a new position are 1, or more for the player who is behind by an
evaluation (df-pn+), and known at once where the game's record tells who wins. Thresholds are a
quarter larger than needed, so that it does not jump to and fro (1 + epsilon trick; J. Pawlewicz and
L. Lew, Improving Depth-First PN-Search, 2007). Among equals it looks first where the game itself
would.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.bits import num_words
from adv_envs.jit import kernel
from agents.agent import SearchAgent, SearchResult, require_two_players, require_unfinished
from agents.knowledge import knowledge_of

from .limits import (
    ABORTED,
    DEFAULT_NODES,
    LEAVES,
    NODE_LIMIT,
    NODES,
    STOP,
    Counts,
    Deadline,
    counters,
    prepared,
    require_no_chance,
    run,
    search_result,
)
from .ordering import (
    Moves,
    Preference,
    candidate,
    is_candidate,
    num_candidates,
    preference_of,
    room_for_moves,
)
from .transposition_table import (
    HashTable,
    find_position,
    new_table,
    note_at,
    slot_for,
    work_of,
    write,
)

EVALUATED = False
"""Whether ``evaluate`` is bound."""

MAX_PLIES = 512
"""The search gives up on lines that are longer."""

PROOF, DISPROOF, BOUND = range(3)
"""Columns of the numbers of a position."""

INFINITE = 1 << 50
"""The proof number of what is disproven, and the disproof number of what is proven."""


WITHOUT_LIMIT = 10**12
"""Nodes that no search needs that ends in a lifetime."""


class Question(NamedTuple):
    """Tells whether ``player`` gets more than a value."""

    player: int
    more_than: float


class ProofArrays(NamedTuple):
    """Holds what the search works on; -1 is the proof number of illegal actions."""

    numbers: NDArray[np.int64]
    """(plies, num_actions, 2): proof and disproof number after each action of the line searched."""
    bounds: NDArray[np.float64]
    """(plies, num_actions): a bound of the value after each."""
    effort: NDArray[np.int64]
    """(num_actions,): the nodes below each action of the root."""
    reached: NDArray[np.int64]
    """(2,): the longest line, and the action at the root."""
    preference: Preference
    """(num_actions,): all actions, promising ones first."""
    moves: Moves
    """(plies, num_actions or 0): see ``ordering``."""
    table: HashTable
    """With proof number, disproof number and bound of each position."""
    counts: Counts
    """(10,): see ``limits``."""


@dataclass(repr=False)
class ProofNumber(SearchAgent):
    """Proves who wins, in any game of two players without chance, by df-pn.

    It asks first whether the player to move can get more than nothing, then, until the value is
    exact, whether more than what is proven or at least what is not disproven: a draw takes two
    questions.

    If the limit comes first, ``proven`` is False, whatever the value: it is then 0, or the nearest
    to 0 that is not disproven, and the action is the most promising one. ``value`` and ``values``
    do not say which of the two a 0 is; ask ``analyse``, or give more ``nodes``. It does not look
    for short wins: the principal variation is one of many, as far as the table remembers it.

    Where positions can come again, an answer is right all the same, since every proof rests on
    finished games; but it cannot decide what nobody can force, as in a game without end.
    """

    nodes: int | None = None
    """Positions that one decision may visit; None: no limit of nodes. With neither limit, a million
    nodes."""
    seconds: float | None = None
    """Wall-clock time for one decision; None: no limit of time."""
    table_mb: float = 64
    """Bounds the table, in megabytes; 0 leaves room for two positions."""
    evaluate: Callable[[Any], float] | None = None
    """A function of a position, how far ahead the player to move is: positions in which the player
    is behind by n look as difficult to prove as n more positions. None: all look alike."""

    name: ClassVar[str] = "proof_number"
    table_optional: ClassVar[bool] = True

    def bindings(self, position: Position) -> dict[str, Any]:
        """Returns what is bound in the kernels for this agent and the game of ``position``."""
        names: dict[str, Any] = {}
        if self.evaluate is not None:
            names.update(evaluate=self.evaluate, EVALUATED=True)
        if (known := knowledge_of(position).decided) is not None:
            names.update(decided=known)
        return names

    def new_table(self, position: Position) -> HashTable:
        """Returns an empty table for the game of ``position``."""
        return new_table(num_words(position), self.table_mb, numbers=3, least=2)

    def analysis(
        self, position: Position, table: HashTable | None = None
    ) -> Iterator[SearchResult]:
        """Yields what is known after each question; ValueError unless two players, no chance.

        The search fills ``table``, one of ``new_table``, or None for one of its own.
        """
        position = require_two_players(position, self.name)
        require_no_chance(position, self.name)
        unlimited = self.nodes is None and self.seconds is None
        counts = counters(DEFAULT_NODES if unlimited else self.nodes)
        shape = MAX_PLIES, position.num_actions
        arrays = ProofArrays(
            np.zeros((*shape, 2), np.int64),
            np.zeros(shape),
            np.zeros(shape[1], np.int64),
            np.zeros(2, np.int64),
            preference_of(position),
            np.zeros((MAX_PLIES, room_for_moves(position)), np.int64),
            self.new_table(position) if table is None else table,
            counts,
        )
        effort, reached = arrays.effort, arrays.reached
        player, most = position.to_move, float(position.max_utility)
        given = Question(player, 0.0), 0, INFINITE, INFINITE, arrays
        search = prepared(prove.bind(**self.bindings(position)), position, *given)
        low, high, question = -most, most, 0.0
        action = position.legal_actions()[0]
        began = time.perf_counter()
        with Deadline(counts, self.seconds):
            while low < high and not counts[ABORTED]:
                effort[:] = 0
                given = Question(player, question), 0, INFINITE, INFINITE, arrays
                proof, disproof, bound = run(search, counts, position, *given)
                if proof == 0:
                    low = question = float(bound)
                    action = int(reached[1])
                elif disproof == 0:
                    high, question = float(bound), float(np.nextafter(bound, -np.inf))
                    if low == -most:
                        action = int(effort.argmax()) if effort.any() else action
                elif low == -most:  # out of time; a proven action stays the best one known
                    action = int(reached[1])
                value = min(max(0.0, low), high) + 0.0
                proven, known = low == high, arrays.table
                line = best_play(position, action, value, known) if proven else (action,)
                yield search_result(
                    counts, began, action, value, line, depth=int(reached[0]), proven=proven
                )


@dataclass(repr=False)
class ProofSolver(SearchAgent):
    """Plays perfectly what proof-number search solves without a limit; a value is a utility.

    ValueError for other games, and for positions that take too long.
    """

    table_mb: float = 64
    """Bounds the table, in megabytes."""

    ahead: ClassVar[Callable[[Any], float] | None] = None
    """``evaluate`` of the search."""

    def analyse(self, position: Position) -> SearchResult:
        """Returns a winning action or, where there is none, the one that took longest to refute."""
        self.require(position := require_unfinished(position))
        evaluate = type(self).ahead
        return ProofNumber(nodes=WITHOUT_LIMIT, table_mb=self.table_mb, evaluate=evaluate).analyse(
            position
        )

    def require(self, position: Position) -> None:
        """Raises ValueError for a position that it does not solve."""
        raise NotImplementedError


# ---- the search


@kernel
def prove(
    position: Position,
    question: Question,
    ply: int,
    proof_limit: int,
    disproof_limit: int,
    arrays: ProofArrays,
) -> tuple[int, int, float]:
    """Works on a question until one of the numbers reaches its limit.

    Returns (proof number, disproof number, bound): proven if the first is 0, and then the player
    gets at least ``bound``, which is the utility at some end; disproven if the second is 0, and
    then at most that. The player to move has numbers to minimise, proof numbers if it is the one of
    the question and otherwise disproof numbers, and all of the other kind to overcome; so players
    need not alternate.
    """
    numbers, reached, counts = arrays.numbers, arrays.reached, arrays.counts
    began = counts[NODES]
    expand(position, question, ply, arrays)
    own = PROOF if position.to_move == question.player else DISPROOF
    most = proof_limit if own == PROOF else disproof_limit
    most_total = disproof_limit if own == PROOF else proof_limit
    reached[0] = max(reached[0], ply + 1)
    while True:
        least, second, total, others, action = select(ply, own, numbers, arrays.preference)
        if least >= most or total >= most_total or counts[ABORTED] != 0:
            break
        if counts[NODES] >= counts[NODE_LIMIT] or counts[STOP] != 0 or ply + 1 == numbers.shape[0]:
            counts[ABORTED] = 1
            break
        limit = min(most, second + (second >> 2) + 1)
        limit_of_total = most_total - others
        before = counts[NODES]
        proof, disproof, bound = prove(
            position.play(action),
            question,
            ply + 1,
            limit if own == PROOF else limit_of_total,
            limit_of_total if own == PROOF else limit,
            arrays,
        )
        numbers[ply, action, PROOF] = proof
        numbers[ply, action, DISPROOF] = disproof
        arrays.bounds[ply, action] = bound
        if ply == 0:
            arrays.effort[action] += counts[NODES] - before
    if ply == 0:
        reached[1] = action
    bound = best_bound(ply, own, least, action, arrays)
    proof, disproof = (least, total) if own == PROOF else (total, least)
    store_proof(position, proof, disproof, bound, counts[NODES] - began + 1, arrays.table)
    return proof, disproof, bound


def decided(position: Position) -> int:
    """Returns 1 or -1 if the player to move is sure to win or to lose, else 0; may be bound."""
    return 0


def evaluate(position: Position) -> float:
    """Returns how far ahead the player to move is, in proof numbers; may be bound."""
    return 0.0


def known_bound(position: Position, player: int) -> float:
    """Returns the value for ``player`` of a position that is finished or decided."""
    if position.is_terminal():
        return 1.0 * position.utility(player)
    sign = 1 if position.to_move == player else -1
    return 1.0 * sign * decided(position) * position.max_utility


@kernel
def expand(position: Position, question: Question, ply: int, arrays: ProofArrays) -> None:
    """Writes down what is known of the positions after each action."""
    numbers, moves, player = arrays.numbers, arrays.moves, question.player
    for action in range(position.num_actions):
        numbers[ply, action, PROOF] = -1
    for i in range(num_candidates(position, ply, moves)):
        action = candidate(position, i, ply, moves)
        if is_candidate(position, action, ply, moves):
            child = position.play(action)
            arrays.counts[NODES] += 1
            if child.is_terminal() or decided(child) != 0:
                arrays.counts[LEAVES] += 1
                bound = known_bound(child, player)
                proof, disproof = (0, INFINITE) if bound > question.more_than else (INFINITE, 0)
            else:
                proof, disproof, bound = probe_proof(child, question.more_than, arrays.table)
                if EVALUATED and proof == 1 and disproof == 1:  # not in the table
                    ahead = evaluate(child) * (1 if child.to_move == player else -1)
                    proof, disproof = 1 + int(max(0.0, -ahead)), 1 + int(max(0.0, ahead))
            numbers[ply, action, PROOF] = proof
            numbers[ply, action, DISPROOF] = disproof
            arrays.bounds[ply, action] = bound


@kernel
def select(
    ply: int, own: int, numbers: NDArray[np.int64], preference: Preference
) -> tuple[int, int, int, int, int]:
    """Returns (the least number, the second, the others' total, their number - 1, the action).

    Numbers are of the kind ``own``, and the action is the first with the least. The total is of the
    numbers of the other kind: the largest, and one for each further action that is undecided.
    """
    least, second, largest, undecided, best = INFINITE + 1, INFINITE, 0, 0, -1
    for i in range(preference.shape[0]):
        action = int(preference[i])
        if numbers[ply, action, PROOF] >= 0:
            number, other = numbers[ply, action, own], numbers[ply, action, 1 - own]
            if number < least:
                least, second, best = number, min(least, INFINITE), action
            elif number < second:
                second = number
            largest = max(largest, other)
            undecided += other > 0
    others = max(undecided - 1, 0)
    total = largest if largest >= INFINITE else min(largest + others, INFINITE - 1)
    return least, second, total, others, best


@kernel
def best_bound(ply: int, own: int, least: int, action: int, arrays: ProofArrays) -> float:
    """Returns the bound of ``action`` or, if all actions fail, the best bound of any of them."""
    numbers, bounds = arrays.numbers, arrays.bounds
    bound = float(bounds[ply, action])
    if least == INFINITE:
        for other in range(numbers.shape[1]):
            if numbers[ply, other, PROOF] >= 0:
                found = float(bounds[ply, other])
                bound = max(bound, found) if own == PROOF else min(bound, found)
    return bound


# ---- the table


@kernel
def probe_proof(position: Position, more_than: float, table: HashTable) -> tuple[int, int, float]:
    """Returns (proof number, disproof number, bound) of a position; 1, 1 and 0 if it is unknown.

    A proof about another value than ``more_than`` answers, if its bound does: see ``prove``.
    """
    at = find_position(position, table)
    if at < 0:
        return 1, 1, 0.0
    proof, disproof = int(table.values[at, PROOF]), int(table.values[at, DISPROOF])
    bound = table.values[at, BOUND]
    if (proof == 0 and bound <= more_than) or (disproof == 0 and bound > more_than):
        return 1, 1, 0.0
    return proof, disproof, bound


@kernel
def store_proof(
    position: Position, proof: int, disproof: int, bound: float, work: int, table: HashTable
) -> None:
    """Stores the numbers of a position, its bound, and the nodes that they took."""
    work += known_work(position, table)
    at = slot_for(table, work)
    write(table, at, 0, work)
    table.values[at, PROOF], table.values[at, DISPROOF] = proof, disproof
    table.values[at, BOUND] = bound


@kernel
def known_work(position: Position, table: HashTable) -> int:
    """Returns the nodes that were searched for ``position``, which becomes the table's key."""
    at = find_position(position, table)
    return work_of(note_at(table, at)) if at >= 0 else 0


# ---- best play after a proof


def best_play(position: Position, action: int, value: float, table: HashTable) -> tuple[int, ...]:
    """Returns the line that begins with ``action``; ``value`` is that of ``position``.

    Every move of it is proven to keep the value. The winner takes the proof that was least work, a
    player who cannot change the value the defence that was most. It ends with the game, or where
    the table has forgotten the next move.
    """
    player, most = position.to_move, float(position.max_utility)
    line = [action]
    position = position.play(action)
    while not position.is_terminal() and len(line) < MAX_PLIES:
        own = position.to_move == player
        idle = value == (-most if own else most)  # nothing changes the value for the worse
        works = {}
        for choice in position.legal_actions():
            low, high, work = proven_bounds(position.play(choice), player, value, table)
            if (low if own else high) or (idle and work > 0):
                works[choice] = work
        if not works:
            break
        choose = max if idle else min
        line.append(choose(works, key=works.__getitem__))
        position = position.play(line[-1])
    return tuple(line)


def proven_bounds(
    position: Position, player: int, value: float, table: HashTable
) -> tuple[bool, bool, int]:
    """Returns (whether ``player`` surely gets at least ``value``, at most ``value``, the work)."""
    if position.is_terminal():
        utility = position.utility(player)
        return utility >= value, utility <= value, 1
    known = knowledge_of(position).decided
    sure = known(position) if known is not None else 0
    if sure:
        utility = (1 if position.to_move == player else -1) * sure * position.max_utility
        return utility >= value, utility <= value, 1
    work = known_work.plain(position, table)
    least = probe_proof.plain(position, float(np.nextafter(value, -np.inf)), table)[PROOF] == 0
    return least, probe_proof.plain(position, value, table)[DISPROOF] == 0, work
