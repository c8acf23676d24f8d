"""Nim: the theory against brute force and searches."""

from random import Random

from games.laws import placed, random_line
from games.naive_nim import wins
from hypothesis import given, settings
from hypothesis import strategies as st

from adv_envs import Nim
from adv_envs.jit import disabled
from adv_envs.pictures import svg
from agents import AlphaBeta, ProofNumber
from agents.games.nim import nim_sum, winner

SHALLOW = disabled()


def sizes(position: Nim) -> list[int]:
    return [position.size(heap) for heap in range(position.num_heaps)]


def test_moves_by_name() -> None:
    position = Nim().after("c3 a1 d7")
    assert sizes(position) == [0, 3, 2, 0]
    assert str(position) == "a\nb  |||\nc  ||\nd"
    assert position == Nim().after("c3 a1 d7") == Nim(left=320, turn=1)


@settings(deadline=None)
@given(
    heaps=st.lists(st.integers(1, 6), min_size=1, max_size=4),
    misere=st.booleans(),
    seed=st.integers(0, 2**32),
)
def test_the_theory_equals_brute_force(heaps: list[int], misere: bool, seed: int) -> None:
    start = Nim(int("".join(map(str, heaps))), misere)
    for position in random_line(start, Random(seed))[:-1]:
        expected = wins(tuple(sorted(sizes(position))), misere)
        assert winner(position) == nim_sum(position) == (1 if expected else -1)


def test_searches_agree_with_the_theory() -> None:
    for start in (Nim(1357), Nim(135, misere=True), Nim(246)):
        expected = winner(start)
        assert ProofNumber().analyse(start).value == expected
        if not SHALLOW:
            assert AlphaBeta().analyse(start).value == expected


def test_the_picture() -> None:
    position = Nim().move("c3")
    assert svg.svg(position, 10).count("<circle") == 16, "thirteen stones and three rings"
    assert svg.svg(position, 3).count("<circle") == 13, "that heap is full"
    placed(Nim(), position, Nim(12345678))
