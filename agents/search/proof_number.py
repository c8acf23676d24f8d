"""Proof-number search: prove who wins by going where the proof looks shortest.

The proof number of a position is the least number of positions that must turn out well for it to be
proven that a player gets more than some value; the disproof number is the same for the opposite.
Where all of several positions must turn out well, the hardest of them counts and each other one
adds 1 (weak proof numbers; T. Ueda et al., Weak Proof-Number Search, 2008): most games lead to the
same positions in many ways, and a sum would count their common parts again and again.

Depth-first proof-number search (df-pn; A. Nagai, Df-pn Algorithm for Searching AND/OR Trees and Its
Applications, 2002) follows the smallest number down until it passes a threshold, with a table in
place of the tree; thresholds leave room of a quarter, so that it does not jump to and fro (1 +
epsilon trick; J. Pawlewicz and L. Lew, Improving Depth-First PN-Search, 2007). Among equals it
looks first where the game itself would.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from adv_envs import Position
from adv_envs.jit import kernel
from agents.agent import (
    SearchAgent,
    SearchResult,
    require_limit,
    require_seconds,
    require_table,
    require_two_players,
)

from .limits import (
    ABORTED,
    LEAVES,
    NODE_LIMIT,
    NODES,
    STOP,
    Deadline,
    counters,
    prepared,
    require_no_chance,
    run,
)
from .ordering import preference
from .proof_line import best_play
from .proof_table import DISPROOF, INFINITE, PROOF, recall, remember, table

MAX_PLIES = 512
"""The search gives up on lines that are longer."""

DEFAULT_NODES = 1_000_000


@kernel
def prove(position, player, more_than, ply, most_proof, most_disproof, room, memory, counts):  # type: ignore[no-untyped-def]
    """Work on "``player`` gets ``more_than``" until one of the numbers reaches its threshold.

    Returns (proof number, disproof number, bound): proven if the first is 0, and then the player
    gets at least ``bound``, which is the utility at some end; disproven if the second is 0, and
    then at most that. ``room`` is numbers (plies, num_actions, 2) int64, bounds (plies,
    num_actions) float64, effort (num_actions,) int64, which adds up the nodes below each action of
    the root, reached (2,) int64: the longest line, and the action at the root, and preference
    (num_actions,) int64: all actions, the promising ones first. Whoever is to move has numbers to
    minimise, the player proofs and the other disproofs, and all of the other kind to overcome; so
    players need not alternate.
    """
    numbers, bounds, effort, reached, preference = room
    began, plies = counts[NODES], numbers.shape[0]
    expand(position, player, more_than, ply, numbers, bounds, memory, counts)
    mine = PROOF if position.to_move == player else DISPROOF
    most = most_proof if mine == PROOF else most_disproof
    most_total = most_disproof if mine == PROOF else most_proof
    reached[0] = max(reached[0], ply + 1)
    while True:
        least, second, total, others, action = select(ply, mine, numbers, preference)
        if least >= most or total >= most_total or counts[ABORTED] != 0:
            break
        if counts[NODES] >= counts[NODE_LIMIT] or counts[STOP] != 0 or ply + 1 == plies:
            counts[ABORTED] = 1
            break
        limit = min(most, second + (second >> 2) + 1)
        limit_of_total = most_total - others
        before = counts[NODES]
        proof, disproof, bound = prove(
            position.play(action),
            player,
            more_than,
            ply + 1,
            limit if mine == PROOF else limit_of_total,
            limit_of_total if mine == PROOF else limit,
            room,
            memory,
            counts,
        )
        numbers[ply, action, PROOF] = proof
        numbers[ply, action, DISPROOF] = disproof
        bounds[ply, action] = bound
        if ply == 0:
            effort[action] += counts[NODES] - before
    if ply == 0:
        reached[1] = action
    bound = bound_of(ply, mine, least, action, numbers, bounds)
    proof, disproof = (least, total) if mine == PROOF else (total, least)
    remember(position, proof, disproof, bound, counts[NODES] - began + 1, memory)
    return proof, disproof, bound


@kernel
def expand(position, player, more_than, ply, numbers, bounds, memory, counts):  # type: ignore[no-untyped-def]
    """Write down what is known of the positions after each action; -1 for illegal ones."""
    for action in range(position.num_actions):
        numbers[ply, action, PROOF] = -1
        if position.legal(action):
            child = position.play(action)
            counts[NODES] += 1
            if child.is_terminal():
                counts[LEAVES] += 1
                bound = 1.0 * child.utility(player)
                proof, disproof = (0, INFINITE) if bound > more_than else (INFINITE, 0)
            else:
                proof, disproof, bound = recall(child, more_than, memory)
            numbers[ply, action, PROOF] = proof
            numbers[ply, action, DISPROOF] = disproof
            bounds[ply, action] = bound


@kernel
def select(ply, mine, numbers, preference):  # type: ignore[no-untyped-def]
    """(the least of my numbers, the second, the others' total, their number - 1, the action).

    The action is the first with the least number. The total is of the numbers of the other kind:
    the largest, and one for each further action that is undecided.
    """
    least, second, largest, undecided, best = INFINITE + 1, INFINITE, 0, 0, -1
    for i in range(preference.shape[0]):
        action = int(preference[i])
        if numbers[ply, action, PROOF] >= 0:
            number, other = numbers[ply, action, mine], numbers[ply, action, 1 - mine]
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
def bound_of(ply, mine, least, action, numbers, bounds):  # type: ignore[no-untyped-def]
    """What the player to move is sure of after proving or, if all actions fail, the best of those.

    It is a utility of the player whom the question is about.
    """
    bound = bounds[ply, action]
    if least == INFINITE:
        for other in range(numbers.shape[1]):
            if numbers[ply, other, PROOF] >= 0:
                found = bounds[ply, other]
                bound = max(bound, found) if mine == PROOF else min(bound, found)
    return bound


@dataclass(repr=False)
class ProofNumber(SearchAgent):
    """Proves who wins, in any game of two without chance, by df-pn.

    It asks first whether the player to move can get more than nothing, then, until the value is
    exact, whether more than what is proven or at least what is not disproven: a draw takes two
    questions. ``nodes`` (None: no limit) and ``seconds`` are for one decision; with neither, a
    million nodes. ``table_mb`` bounds the table.

    If the limit comes first, ``proven`` is False, whatever the value: it is then 0, or the nearest
    to 0 that is not disproven, and the action is the most promising one. ``value`` and ``values``
    do not say which of the two a 0 is; ask ``analyse``, or give more ``nodes``. It does not look
    for short wins: the principal variation is one of many, as far as the table remembers it.

    Where positions can come again, an answer is right all the same, since every proof rests on
    finished games; but what nobody can force, as in a game without end, it cannot decide.
    """

    nodes: int | None = None
    seconds: float | None = None
    table_mb: float = 64

    name: ClassVar[str] = "proof_number"

    def __post_init__(self) -> None:
        """Raise ValueError or TypeError for a limit that allows nothing."""
        require_limit("nodes", self.nodes)
        require_seconds(self.seconds)
        require_table(self.table_mb, none=True)

    def analysis(self, position: Position) -> Iterator[SearchResult]:
        """What is known after each question; ValueError unless two players and no chance."""
        require_two_players(position, self.name)
        require_no_chance(position, self.name)
        unlimited = self.nodes is None and self.seconds is None
        counts = counters(DEFAULT_NODES if unlimited else self.nodes)
        shape = MAX_PLIES, position.num_actions
        numbers, bounds = np.zeros((*shape, 2), np.int64), np.zeros(shape)
        effort, reached = np.zeros(shape[1], np.int64), np.zeros(2, np.int64)
        memory, order = table(position, self.table_mb), preference(position)
        arrays = (numbers, bounds, effort, reached, order), memory, counts
        player, most = position.to_move, float(position.max_utility)
        search = prepared(prove, position, player, 0.0, 0, INFINITE, INFINITE, *arrays)
        low, high, question = -most, most, 0.0
        action = position.legal_actions()[0]
        began = time.perf_counter()
        with Deadline(counts, self.seconds):
            while low < high and not counts[ABORTED]:
                effort[:] = 0
                proof, disproof, bound = run(
                    search, counts, position, player, question, 0, INFINITE, INFINITE, *arrays
                )
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
                line = best_play(position, action, value, memory) if low == high else (action,)
                yield SearchResult(
                    action,
                    value,
                    line,
                    int(counts[NODES]),
                    int(counts[LEAVES]),
                    int(reached[0]),
                    time.perf_counter() - began,
                    low == high,
                )
