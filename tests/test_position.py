"""Positions from outside are checked once, before anything trusts them."""

from collections.abc import Callable
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import adv_envs
from adv_envs import ConnectFour, Fig52, Hex, Pig, Position, ThirtyOne, TicTacToe, Tree
from adv_envs.batch.boards import Boards
from adv_envs.envs.gym import GymEnv
from adv_envs.position import require_valid
from adv_envs.testing.compiled import same_answers_compiled
from adv_envs.testing.law import random_action
from agents import make

BAD = {
    "a negative size": (Hex(), Hex(-3, False, 0, 0, 0, 0, False, 0)),
    "a huge size": (Hex(), Hex(10**9, False, 0, 0, 0, 0, False, 0)),
    "an own stone off the board": (Hex(3), Hex(3, False, 1 << 3, 1, 0, 1, False, 2)),
    "a negative set": (Hex(3), Hex(3, False, -1, 0, 0, 0, False, 0)),
    "two stones on one cell": (Hex(3), Hex(3, False, 1, 1, 1, 1, False, 2)),
    "a wrong ply": (Hex(3), Hex(3, False, 0, 0, 0, 0, False, 7)),
    "joined stones that are none": (Hex(3), Hex(3, False, 0, 1, 0, 2, False, 1)),
    "a win that is none": (Hex(3), Hex(3, False, 0, 0, 0, 0, True, 0)),
    "a stone in the air": (ConnectFour(), ConnectFour(6, 7, 4, 0, 2, 1)),
    "a board of 60 x 60": (ConnectFour(), ConnectFour(60, 60, 4, 0, 0, 0)),
    "a row of none": (TicTacToe(), TicTacToe(3, 3, 0, 0, 0, 0)),
    "a stone in the gap": (TicTacToe(), TicTacToe(3, 3, 3, 0, 8, 1)),
    "a ply of -1": (TicTacToe(), TicTacToe(3, 3, 3, 0, 0, -1)),
    "more tokens than there are": (ThirtyOne(), ThirtyOne(31, 4, 6, 2, 7, 7, 7)),
    "sums of 10,000 values": (ThirtyOne(), ThirtyOne(31, 4, 10_000, 2, 0, 0, 0)),
    "a negative score": (Pig(), Pig(100, 6, -5, 0, 0, 0, False)),
    "a player 7": (Pig(), Pig(100, 6, 0, 0, 0, 7, False)),
    "a node that is none": (Fig52(), Fig52(Fig52().tree, 99, 1)),
    "a tree that is a circle": (Tree(), Tree(((("a", 0),),), 0, 0)),
    "a move to nowhere": (Tree(), Tree(((("a", 5),),), 0, 0)),
}
"""For each a good start of the same kind of game, and a position made without a check."""

WHY = "must|cannot|do not fit|too large|this environment plays"

WRONG_TYPES = {
    "a float": TicTacToe(3, 3, 3, 0, 0, 0.5),  # type: ignore[arg-type]
    "text": TicTacToe(3, 3, 3, "0", 0, 0),  # type: ignore[arg-type]
    "nothing": Hex(5, None, 0, 0, 0, 0, False, 0),  # type: ignore[arg-type]
    "true for a number": Pig(100, 6, True, 0, 0, 0, False),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("spec", ["random()", "alpha_beta(depth=2)", "mcts(simulations=4)"])
def test_agents_refuse_positions_that_cannot_be(name: str, spec: str) -> None:
    _, wrong = BAD[name]
    with pytest.raises(ValueError, match=WHY):
        make(spec).act(wrong)


@pytest.mark.parametrize("name", WRONG_TYPES)
def test_agents_refuse_fields_of_a_wrong_type(name: str) -> None:
    with pytest.raises(TypeError, match=r"ply|own|swap|first"):
        make("random()").act(WRONG_TYPES[name])


def test_numpy_integers_are_integers() -> None:
    position = TicTacToe().play(np.int64(4))  # type: ignore[arg-type]
    assert make("random()").act(position) in position.legal_actions()


MAKE: list[Callable[[Position], Any]] = [adv_envs.env, GymEnv, lambda start: Boards(start, 2)]


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("make_env", MAKE, ids=["aec", "gymnasium", "boards"])
def test_no_environment_begins_with_one(name: str, make_env: Callable[[Position], Any]) -> None:
    _, wrong = BAD[name]
    with pytest.raises(ValueError, match=WHY):
        make_env(wrong)


@pytest.mark.parametrize("name", BAD)
def test_no_environment_goes_on_from_one(name: str) -> None:
    start, wrong = BAD[name]
    aec, gym = adv_envs.env(start), GymEnv(start)
    for reset in (aec.reset, gym.reset):
        with pytest.raises(ValueError, match=WHY):
            reset(options={"position": wrong})
    with pytest.raises(ValueError, match=WHY):
        aec.unwrapped.position = wrong


GAMES = [
    TicTacToe(),
    TicTacToe(4, 5, 3),
    ConnectFour(),
    Hex(3),
    Hex(5, swap=True),
    Hex(9),
    ThirtyOne(),
    Pig(),
]
NUMBERS = st.integers(-3, 40) | st.integers(-(2**64), 2**64) | st.sampled_from([2**63, 10**40])
JUNK: st.SearchStrategy[Any] = NUMBERS | st.booleans() | st.none() | st.floats() | st.text()


@settings(deadline=None, derandomize=True, max_examples=400)
@given(st.sampled_from(GAMES), st.integers(0, 2**32), st.data())
def test_what_is_valid_does_compiled_code_no_harm(
    start: Position, seed: int, data: st.DataObject
) -> None:
    """Any values of the fields are refused, or give the same answers compiled and in Python."""
    rng, position = Random(seed), start
    for _ in range(rng.randrange(9)):
        if not position.is_terminal():
            position = position.play(random_action(position, rng))
    fields = list(position)
    for _ in range(rng.randrange(3)):
        fields[rng.randrange(len(fields))] = data.draw(JUNK)
    position = type(start)(*fields)
    try:
        require_valid(position)
    except (TypeError, ValueError):
        return
    same_answers_compiled(position, rng)
    if not position.is_terminal() and not position.has_chance:
        assert make("alpha_beta(depth=1)").act(position) in position.legal_actions()


def test_gymnasium_make_refuses_one_too() -> None:
    env = gymnasium.make("adv_envs/Hex-v0", size=3)
    with pytest.raises(ValueError, match="own_joined, opp_joined and won do not fit"):
        env.reset(options={"position": Hex(3, False, 0, 1, 0, 2, False, 1)})
