"""A position as int64 words with its game, written and read again, in plain Python and compiled."""

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import SAMPLES
from small_games import Heap, Race

from adv_envs import CHANCE, Backgammon, ConnectFour, Fig52, Go, Hex, Pig, Position
from adv_envs.bits import num_wide_words, num_words, position_of, words_of
from adv_envs.jit import kernel
from adv_envs.random import chance_action

STARTS: list[Position] = [
    *(
        p
        for name in SAMPLES
        if name != "fig52"
        for p in (*SAMPLES[name].small, *SAMPLES[name].large)
    ),
    Race(),
    Heap(),
]


@kernel
def read_again(like: Any, row: Any) -> Any:
    return position_of(like, row)


def kind(position: Any) -> tuple[Any, ...]:
    """Positions of the same kind are read by the same code."""
    return type(position), *(num_wide_words(getattr(position, n)) for n in position.field_widths)


def first_of(position: Position) -> Position:
    """The first position of all of that kind, which may have other parameters."""
    return next(other for other in STARTS if kind(other) == kind(position))


def line(position: Position, seed: int, plies: int = 40) -> Iterator[Position]:
    rng = Random(seed)
    yield position
    while not position.is_terminal() and (plies := plies - 1) >= 0:
        if position.to_move == CHANCE:
            position = position.play(chance_action(position, rng.random()))
        else:
            position = position.play(rng.choice(position.legal_actions()))
        yield position


def same(found: Any, position: Any) -> bool:
    kinds = [[type(value) for value in p] for p in (found, position)]
    return (
        type(found) is type(position)
        and tuple(found) == tuple(position)
        and len({*map(tuple, kinds)}) == 1
    )


def check_words(position: Position, read: Any) -> None:
    words = words_of(position)
    assert len(words) == len(position.parameters) + num_words(position)
    assert all(type(word) is int and -(2**63) <= word < 2**63 for word in words)
    for like in (position, first_of(position)):
        found = read(like, np.array(words, np.int64))
        assert same(found, position), f"{found!r} is read, {position!r} was written"


@settings(deadline=None)
@given(st.sampled_from(STARTS), st.integers(0, 2**32))
def test_positions_are_read_from_their_words(position: Position, seed: int) -> None:
    for met in line(position, seed):
        check_words(met, position_of)


@pytest.mark.compiled
@pytest.mark.parametrize("name", [name for name in SAMPLES if name != "fig52"])
def test_compiled_code_reads_them_too(name: str) -> None:
    for met in line(SAMPLES[name].small[0], 1):
        check_words(met, read_again)


@pytest.mark.compiled
@pytest.mark.thorough
@settings(deadline=None)
@given(st.sampled_from(STARTS), st.integers(0, 2**32))
def test_compiled_code_reads_words_of_all_parameters(position: Position, seed: int) -> None:
    for met in line(position, seed):
        check_words(met, read_again)


@pytest.mark.parametrize(
    ("position", "words"),
    [
        (ConnectFour(4, 5, 3), [4, 5, 3]),
        (Hex(3, swap=True), [3, 1]),
        (Go(2, komi=0.5, boards=2, max_plies=12), [2, 0x3FE0000000000000]),
        (Go(2, komi=-0.0, boards=2, max_plies=12), [2, -(2**63)]),
        (Pig(target=20), [20]),
        (Backgammon(), [1]),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Position) else "",
)
def test_the_parameters_come_first(position: Position, words: list[int]) -> None:
    assert words_of(position)[: len(words)] == words


def test_a_tree_has_no_words() -> None:
    with pytest.raises(TypeError, match="Fig52 has no words: its parameter tree is tuple, not int"):
        words_of(Fig52())
