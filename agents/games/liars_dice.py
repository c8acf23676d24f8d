"""Says of liar's dice who plays it well, and finds exploitability and equilibria without its tree.

All bids are public, so a game of two is a small public tree for many pairs of hands. A **line** is
the set of the bids made, bit i for bid i. A **hand** is what the dice of a player show, in any
order: 15 for two dice with five sides. At each line the walks hold a number for every hand: how
likely the other has it and bids like that, or what the own hand is worth. A line and a hand are an
information set; the *slots* of a policy, a number for each legal action, are laid out as

    place(line, hand) = first[line] * hands + hand * choices(line)

for the lines at which a player is to move, the higher bids first and then the call.

M. Johanson, K. Waugh, M. Bowling and M. Zinkevich, Accelerating Best Response Calculation in Large
Extensive Games (IJCAI 2011), walk the public tree like that; CFR+ is O. Tammelin's (2014).
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from adv_envs import Goofspiel, LiarsDice
from adv_envs.bits import single
from adv_envs.jit import kernel
from adv_envs.layout import smallest_dtype
from agents.equilibrium.large_games import CHUNK, SetChunk
from agents.games.goofspiel import small_games
from agents.knowledge import knowledge_of_class, register_knowledge

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

QUICK, MOST = 60_000, 400_000
"""How many histories a game may have to be solved within seconds, and within a minute."""


def num_histories(start: LiarsDice) -> int:
    """Returns how many histories the game has."""
    number, lines = 0, 1
    for _ in range(start.total):
        number += lines
        lines *= start.sides
    return number + lines * ((2 << start.liar) - 1)  # every set of bids, called or not


# ---- without the tree

MOST_BIDS, MOST_SLOTS = 20, 40_000_000
"""Bids, and slots of both players, of the largest game that is handled without its tree."""


class PublicLines(NamedTuple):
    """Holds the game of two as kernels take it."""

    faces: Ints
    """(hands, sides): how many dice of a hand show each face."""
    chance: Floats
    """(hands,): how likely a hand is rolled."""
    first: Ints
    """(lines,): see the module; slots of a player before those of a line, for one hand."""
    size: Ints
    """(2,): slots of each player, for one hand."""
    true: NDArray[np.int8]
    """(bids, hands, hands): 1 where a bid is true with these two hands, else -1."""
    stack: Floats
    """(bids + 2, 3 + bids + 1, hands): room for the walks, for each number of bids made."""


def public_lines(start: LiarsDice) -> PublicLines:
    """Returns the tables of a game of two players."""
    bids, sides = start.liar, start.sides
    rolls = list(itertools.combinations_with_replacement(range(sides), start.dice))
    faces = np.array([[roll.count(face) for face in range(sides)] for roll in rolls], np.int64)
    orders = [math.prod(map(math.factorial, row)) for row in faces.tolist()]
    lines = np.arange(1 << bids)
    last = np.frexp(lines.astype(np.float64))[1] - 1  # the highest bid, -1 if there is none
    choices = bids - 1 - last + (lines > 0)
    player = np.bitwise_count(lines) % 2
    first = np.where(player == 0, np.cumsum(choices * (player == 0)), np.cumsum(choices * player))
    size = np.array([choices[player == 0].sum(), choices[player == 1].sum()])
    shown = faces + np.where(np.arange(sides) < sides - 1, faces[:, -1:], 0)  # with wild ones
    both = shown[:, None] + shown
    least = np.arange(bids) // sides + 1
    true = np.where(both.transpose(2, 0, 1)[np.arange(bids) % sides] >= least[:, None, None], 1, -1)
    stack = np.zeros((bids + 2, bids + 4, len(rolls)))
    chance = math.factorial(start.dice) / np.array(orders) / sides**start.dice
    return PublicLines(faces, chance, first - choices, size, true.astype(np.int8), stack)


class LargeLiarsDice:
    """Handles a game of two by its public lines, see ``agents.equilibrium.large_games``."""

    def __init__(self, start: LiarsDice) -> None:
        self.start, self.lines = start, public_lines(start)

    def num_sets(self, player: int) -> int:
        """Returns how many information sets with a choice a player has."""
        return len(self.lines.faces) * len(self.own_lines(player))

    def num_slots(self, player: int) -> int:
        """Returns how long the array of a policy of a player is."""
        return int(self.lines.size[player]) * len(self.lines.faces)

    def own_lines(self, player: int) -> Ints:
        """Returns the lines at which a player has a choice, not those of the highest bid."""
        lines = np.arange(1 << self.start.liar - 1)
        return np.asarray(lines[np.bitwise_count(lines) % 2 == player], np.int64)

    def chunks(self, player: int) -> Iterator[SetChunk]:
        """Yields all information sets of a player with a choice, by hands."""
        start, lines = self.start, self.own_lines(player)
        choices = start.liar - np.frexp(lines.astype(np.float64))[1] + (lines > 0)
        for roll in range(len(self.lines.faces)):
            for begin in range(0, len(lines), CHUNK):
                part = slice(begin, begin + CHUNK)
                number = len(lines[part])
                seen = np.zeros((number, *start.observation_shape), smallest_dtype(start))
                masks = np.zeros((number, start.num_actions), np.bool_)
                write_lines(start, player, self.lines.faces[roll], lines[part], seen, masks)
                rows = self.lines.first[lines[part]] * len(self.lines.faces) + roll * choices[part]
                yield SetChunk(seen, masks, rows)

    def best_value(self, player: int, policy: Floats) -> float:
        """Returns the most that ``player`` can expect against the other's ``policy``."""
        lines = self.lines
        lines.stack[0, 0] = lines.chance
        respond(lines, player, 0, -1, 0, policy)
        return float(lines.stack[0, 1] @ lines.chance)


@kernel
def write_lines(
    start: LiarsDice, player: int, faces: Ints, lines: Ints, seen: Any, masks: Any
) -> None:
    """Writes what ``player`` observes with a hand, and may do, after the bids of each line.

    ``seen`` (lines, observation) and ``masks`` (lines, num_actions) are zeros before.
    """
    shown = start.faces
    for face in range(len(faces)):
        for _ in range(faces[face]):
            shown = shown + single(4 * (player * start.sides + face), shown)
    for i in range(len(lines)):
        bids = start.bids
        for bid in range(start.liar):
            if lines[i] >> bid & 1 != 0:
                bids = bids | single(bid, bids)
        view = LiarsDice(start.dice, start.sides, start.players, start.total, shown, bids)
        view.observe(player, seen[i])
        for action in range(masks.shape[1]):
            masks[i, action] = view.legal(action)


@kernel
def respond(
    lines: PublicLines, player: int, line: int, last: int, made: int, policy: Floats
) -> None:
    """Finds what each hand of ``player`` is worth at a line, by a best response.

    ``stack[made, 0]`` (hands,) is how likely the other has each hand and has bid so; the values,
    times that, are written to ``stack[made, 1]``. ``last`` is the last bid, ``made`` the number of
    bids. Where one choice is left, the policy is not looked at.
    """
    stack, hands, bids = lines.stack, len(lines.chance), len(lines.true)
    own = made % 2 == player
    choices = bids - 1 - last + (made > 0)
    for h in range(hands):
        stack[made, 1, h] = -2.0 * bids if own else 0.0
    for k in range(choices):
        bid = last + 1 + k
        for h in range(hands):
            place = lines.first[line] * hands + h * choices + k
            share = 1.0 if own or choices == 1 else policy[place]
            stack[made + 1, 0, h] = stack[made, 0, h] * share
        if bid == bids:
            called(lines, player, last, made)
        else:
            respond(lines, player, line | 1 << bid, bid, made + 1, policy)
        for h in range(hands):
            value = stack[made + 1, 1, h]
            stack[made, 1, h] = max(stack[made, 1, h], value) if own else stack[made, 1, h] + value


@kernel
def called(lines: PublicLines, player: int, last: int, made: int) -> None:
    """Writes what each hand of ``player`` is worth when ``last``, of ``made`` bids, is called.

    It goes to ``stack[made + 1, 1]``, times how likely the other has each hand, ``[made + 1, 0]``.
    """
    stack, hands = lines.stack, len(lines.chance)
    sign = 1.0 if (made - 1) % 2 == player else -1.0  # whether it is the player's own bid
    for h in range(hands):
        total = 0.0
        for other in range(hands):
            total += stack[made + 1, 0, other] * lines.true[last, h, other]
        stack[made + 1, 1, h] = sign * total


# ---- CFR+ on the public tree


class PublicCFR:
    """Finds a near-equilibrium of a game of two by CFR+ over its public lines.

    Regrets are never negative, players take turns, and the average weighs iteration t by t.
    """

    def __init__(self, game: LargeLiarsDice) -> None:
        self.game, self.iterations = game, 0
        sizes = [game.num_slots(player) for player in (0, 1)]
        self.regrets = [np.zeros(size, np.float64) for size in sizes]
        self.totals = [np.zeros(size, np.float64) for size in sizes]

    def run(self, iterations: int) -> None:
        """Goes on for a number of iterations."""
        lines = self.game.lines
        for _ in range(iterations):
            self.iterations += 1
            for player in (0, 1):
                lines.stack[0, 0] = lines.chance
                lines.stack[0, 2] = 1.0
                own, other = self.regrets[player], self.regrets[1 - player]
                learn(lines, player, 0, -1, 0, own, other, self.totals[player], self.iterations)

    def average(self) -> tuple[Floats, Floats]:
        """Returns the average policies of both players, as arrays of a ``LargeGame``."""
        first, second = self.totals
        return normalised(self.game.lines, 0, first), normalised(self.game.lines, 1, second)


@kernel
def learn(
    lines: PublicLines,
    player: int,
    line: int,
    last: int,
    made: int,
    regrets: Floats,
    others: Floats,
    totals: Floats,
    weight: float,
) -> None:
    """Makes a step of CFR+ for ``player`` at a line and all after it.

    ``stack[made, 0]`` (hands,) is how likely the other has each hand and bids so, ``[made, 2]`` how
    likely ``player`` does; what each own hand is worth, times the former, goes to ``[made, 1]``.
    ``regrets`` are those of the player, ``others`` those of the other; the policy times ``weight``
    and the latter is added to ``totals``.
    """
    stack, hands, bids = lines.stack, len(lines.chance), len(lines.true)
    own = made % 2 == player
    used = regrets if own else others
    choices = bids - 1 - last + (made > 0)
    begin = lines.first[line] * hands
    stack[made, 1] = 0.0
    for k in range(choices):
        bid = last + 1 + k
        for h in range(hands):
            share = matched(used, begin + h * choices, choices, k)
            stack[made + 1, 0, h] = stack[made, 0, h] * (1.0 if own else share)
            stack[made + 1, 2, h] = stack[made, 2, h] * (share if own else 1.0)
        if bid == bids:
            called(lines, player, last, made)
        else:
            after = line | 1 << bid
            learn(lines, player, after, bid, made + 1, regrets, others, totals, weight)
        for h in range(hands):
            value = stack[made + 1, 1, h]
            stack[made, 3 + k, h] = value
            share = matched(used, begin + h * choices, choices, k) if own else 1.0
            stack[made, 1, h] += share * value
    if own:
        for h in range(hands):
            place = begin + h * choices
            reach = weight * stack[made, 2, h]
            for k in range(choices):
                totals[place + k] += reach * matched(regrets, place, choices, k)
            for k in range(choices):
                regret = regrets[place + k] + stack[made, 3 + k, h] - stack[made, 1, h]
                regrets[place + k] = max(regret, 0.0)


def matched(regrets: Floats, place: int, choices: int, k: int) -> float:
    """Returns how likely regret matching takes choice ``k`` of those at ``place``."""
    total = 0.0
    for i in range(choices):
        total += regrets[place + i]
    return regrets[place + k] / total if total > 0.0 else 1.0 / choices


@kernel
def normalised(lines: PublicLines, player: int, totals: Floats) -> Floats:
    """Returns probabilities from weights of all slots of a player; equal ones where all are 0."""
    hands, bids, policy = len(lines.chance), len(lines.true), totals.copy()
    for line in range(len(lines.first)):
        made, last = 0, -1
        for bid in range(bids):
            if line >> bid & 1 != 0:
                made, last = made + 1, bid
        if made % 2 == player:
            choices = bids - 1 - last + (made > 0)
            for h in range(hands):
                place = lines.first[line] * hands + h * choices
                for k in range(choices):
                    policy[place + k] = matched(totals, place, choices, k)
    return policy


def large_game(start: LiarsDice) -> LargeLiarsDice | None:
    """Returns what needs no tree, for two players and up to ``MOST_BIDS`` bids; else None."""
    hands = math.comb(start.dice + start.sides - 1, start.dice)
    slots = hands << start.liar + 1
    fits = start.players == 2 and start.liar <= MOST_BIDS and slots <= MOST_SLOTS
    return LargeLiarsDice(start) if fits else None


register_knowledge(
    LiarsDice,
    dataclasses.replace(
        knowledge_of_class(Goofspiel),
        names=("dudo", "perudo", "bluff"),
        large_game=large_game,
        settings=({"dice": 2},),
        progress=lambda position: (position.last_bid + 1) / position.liar,
        **small_games(num_histories, QUICK, MOST),
    ),
)
