"""A game that lists its legal actions is played as one that is asked about each of them."""

import random
from typing import Any

import numpy as np
import pytest

import adv_envs
from adv_envs import ConnectFour, Hex, Pig
from adv_envs.batch.boards import Boards
from adv_envs.testing import check_env, check_game
from agents import make


class ListedColumns(ConnectFour):
    """Connect Four whose columns are listed from the cells that are free."""

    def play(self, action: int) -> "ListedColumns":
        after = ConnectFour(self.height, self.width, self.k, self.own, self.opp, self.ply).play(
            action
        )
        return ListedColumns(self.height, self.width, self.k, after.own, after.opp, after.ply)

    def write_legal(self, actions: Any) -> int:
        number = 0
        for column in range(self.width):
            if (self.own | self.opp) >> self.bit(0, column) & 1 == 0:
                actions[number] = column
                number += 1
        return number


class ListedCells(Hex):
    """Hex, swap and all, on ``Wide`` sets."""

    def play(self, action: int) -> "ListedCells":
        after = Hex(
            self.size, self.swap, self.own, self.opp, self.own_joined, self.opp_joined, self.won,
            self.ply,
        ).play(action)  # fmt: skip
        return ListedCells(
            after.size, after.swap, after.own, after.opp, after.own_joined, after.opp_joined,
            after.won, after.ply,
        )  # fmt: skip

    def write_legal(self, actions: Any) -> int:
        number, taken = 0, self.own | self.opp
        for cell in range(self.size * self.size):
            if taken >> self.entry(cell) & 1 == 0:
                actions[number] = cell
                number += 1
        if self.swap and self.ply == 1:
            actions[number] = self.size * self.size
            number += 1
        return number


class ListedPig(Pig):
    """Pig, in which chance lists its actions too."""

    def play(self, action: int) -> "ListedPig":
        after = Pig(
            self.target, self.faces, self.first, self.second, self.turn, self.mover, self.rolling
        ).play(action)
        return ListedPig(
            after.target, after.faces, after.first, after.second, after.turn, after.mover,
            after.rolling,
        )  # fmt: skip

    def write_legal(self, actions: Any) -> int:
        number = 0
        for action in range(self.faces if self.rolling else 2):
            if self.legal(action):
                actions[number] = action
                number += 1
        return number


PAIRS = [
    (ConnectFour(4, 5, 3), ListedColumns(4, 5, 3)),
    (Hex(4, swap=True), ListedCells(4, swap=True)),
    (Hex(9), ListedCells(9)),
    (Pig(target=12), ListedPig(target=12)),
]
IDS = ["columns", "cells", "wide", "pig"]


def random_line(start: Any, plies: int, seed: int) -> list[int]:
    rng, line = random.Random(seed), []
    while len(line) < plies and not start.is_terminal():
        line.append(rng.choice(start.legal_actions()))
        start = start.play(line[-1])
    return line


@pytest.mark.parametrize("listed", [listed for _, listed in PAIRS], ids=IDS)
def test_the_laws(listed: Any) -> None:
    assert listed.lists_legal
    assert type(listed.play(0)) is type(listed)
    assert not type(listed).__mro__[1]().lists_legal
    check_game(listed, games=2)
    check_env(adv_envs.env(listed), games=1)


@pytest.mark.parametrize(
    ("spec", "which"),
    [
        pytest.param("minimax(depth=3)", 0, marks=pytest.mark.plain),
        ("alpha_beta(depth=6, symmetry=False)", 0),
        pytest.param(
            "alpha_beta(depth=5, symmetry=False, order=connect_four.centre)",
            0,
            marks=pytest.mark.plain,
        ),
        pytest.param("alpha_beta(depth=3, evaluate=hex.two_distance)", 1, marks=pytest.mark.plain),
        pytest.param("alpha_beta(nodes=3000)", 1, marks=pytest.mark.plain),
        pytest.param("proof_number(nodes=3000)", 1, marks=pytest.mark.plain),
        pytest.param("max_n(depth=3)", 0, marks=pytest.mark.plain),
        pytest.param("paranoid(depth=4)", 0, marks=pytest.mark.plain),
        pytest.param("expectiminimax(depth=3)", 3, marks=pytest.mark.plain),
        pytest.param("mcts(simulations=200, seed=1)", 1, marks=pytest.mark.thorough),
        pytest.param("mcts(simulations=200, seed=1, playouts=None)", 3, marks=pytest.mark.plain),
        pytest.param("perfect", 3, marks=pytest.mark.plain),
    ],
)
def test_searches_find_the_same(spec: str, which: int) -> None:
    plain, listed = PAIRS[which]
    for seed in range(2):
        line = random_line(plain, 2 * seed, seed)
        if plain.has_chance:
            line = []
        found = make(spec).analyse(plain.after(line))
        again = make(spec).analyse(listed.after(line))
        if spec.startswith("mcts"):  # draws its random moves in another way
            assert again.value == pytest.approx(found.value, abs=0.25)
        else:
            assert again.action == found.action
            assert again.value == pytest.approx(found.value, abs=1e-12)
            assert (again.nodes, again.principal_variation) == (
                found.nodes,
                found.principal_variation,
            )


@pytest.mark.plain
@pytest.mark.parametrize(("plain", "listed"), PAIRS, ids=IDS)
@pytest.mark.parametrize("opponent", [None, "random", "greedy"])
def test_batches_show_the_same(plain: Any, listed: Any, opponent: str | None) -> None:
    few = 4
    one, two = (Boards(start, few, 1, opponent=opponent) for start in (plain, listed))
    one.reset(seed=1)
    two.reset(seed=1)
    for _ in range(10):
        two.play_random(1)
        for env in range(few):
            one[env] = type(plain)(*two[env])
        assert np.array_equal(one.masks, two.masks)
        assert np.array_equal(one.observations, two.observations)


def test_random_moves_of_a_batch_are_evenly_spread() -> None:
    batch = Boards(ListedColumns(4, 5, 3), 2_000, 1)
    batch.reset(seed=5)
    counts = np.bincount(batch.random_actions(), minlength=5)
    assert (abs(counts - 400) < 90).all(), counts  # five standard deviations
