"""What type checkers know of the public names. mypy reads this file; nothing runs it."""

from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

import adv_envs
from adv_envs import Boards, Env, GymEnv, Position, TicTacToe, hex_v0
from adv_envs import connect_four_v3 as misspelt  # type: ignore[attr-defined] # there is none
from adv_envs.jit import kernel

assert_type(adv_envs.env("hex", size=5), Env)
assert_type(hex_v0.env(size=5), Env)
assert_type(adv_envs.env("hex").position, Position)
assert_type(adv_envs.start_position("hex", size=5), Position)
assert_type(adv_envs.game("hex"), type[Position])
assert_type(TicTacToe().move("b2").after("a1"), TicTacToe)
assert_type(TicTacToe.from_text("XO."), TicTacToe)
assert_type(Position().ply, int)
assert_type([position.own for position in adv_envs.reachable(TicTacToe())], list[int])
assert_type(GymEnv("hex").start, Position)
assert_type(Boards(TicTacToe(), 8).start, Position)
nothings: Any = misspelt, adv_envs.make  # type: ignore[attr-defined] # there is none
nothing: Any = adv_envs.shogi_v0  # type: ignore[attr-defined] # no such game


@kernel
def typed(position: TicTacToe, scores: NDArray[np.float64]) -> int:
    """A kernel keeps its signature."""
    best: int = scores[0]
    return best


assert_type(typed(TicTacToe(), np.zeros(3)), int)
assert_type(typed.bind(SCALE=2)(TicTacToe(), np.zeros(3)), int)
assert_type(typed.ready(TicTacToe(), np.zeros(3))(TicTacToe(), np.zeros(3)), int)
typed(TicTacToe())  # type: ignore[call-arg] # it needs an array
