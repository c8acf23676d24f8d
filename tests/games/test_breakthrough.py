"""Breakthrough: its moves and its end, Fairy-Stockfish's perft, values, sure wins."""

import shutil
import subprocess
from random import Random
from typing import Any

import pytest
from games.laws import fresh, names, placed, random_line
from manual.game_facts import lines_of_play

from adv_envs import Breakthrough
from adv_envs.jit import disabled
from adv_envs.pictures import svg
from agents import AlphaBeta, ProofNumber, make
from agents.games.breakthrough import (
    advance,
    certain_moves,
    decided,
    material,
    runners,
)
from agents.grading.exact_values import exact_for
from agents.knowledge import knowledge_of

SHALLOW = disabled()


def met_in_games(start: Any, games: int, rng: Random) -> list[Any]:
    """All unfinished positions of random games."""
    return [position for _ in range(games) for position in random_line(start, rng)[:-1]]


def test_what_a_man_may_do() -> None:
    position = Breakthrough.from_text(
        """
        . B . .
        B B . .
        W . W .
        . W . .
        """
    )
    assert sorted(names(position)) == ["a2b3", "b1b2", "c2b3", "c2c3", "c2d3"]
    after = position.move("c2b3")
    assert after.cell(1, 1) == 0
    assert sorted(names(after)) == ["a3b2", "b4c3"]


def test_the_end_of_the_game() -> None:
    near = Breakthrough.from_text("B . .\n. . W\n. B .\nW . .", men_rows=1)
    arrived = near.move("c3c4")
    assert arrived.is_terminal()
    assert (arrived.utility(0), arrived.winning_cells()) == (1, [(0, 2)])
    assert str(arrived).endswith("White wins")
    assert arrived.legal_actions() == []
    last = Breakthrough.from_text(". . .\n. B .\nW . .\n. . .", men_rows=1).move("a2b3")
    assert last.is_terminal()
    assert (last.utility(1), last.winning_cells()) == (-1, [])
    both = Breakthrough.from_text("B . .\n. W .\n. . .\n. . .", men_rows=1).move("b3a4")
    assert (both.utility(0), both.winning_cells()) == (1, [(0, 0)])


def test_who_is_to_move_in_a_text() -> None:
    text = "B B\n. .\nW W"
    white, black = (Breakthrough.from_text(text, player, men_rows=1) for player in (0, 1))
    assert (white.to_move, black.to_move) == (0, 1)
    assert Breakthrough.from_text(text, men_rows=1) == white
    assert Breakthrough.from_text(str(black), men_rows=1) == black
    assert (white.own, white.opp) == (black.opp, black.own) == (0b110000, 0b11)


@pytest.mark.plain
def test_perft_of_fairy_stockfish() -> None:
    program = shutil.which("fairy-stockfish", path="/usr/games:/usr/bin:/usr/local/bin")
    if program is None:
        pytest.skip("fairy-stockfish is not installed")
    lines = "setoption name UCI_Variant value breakthrough\nposition startpos\ngo perft 4\nquit\n"
    answer = subprocess.run(
        [program], input=lines, capture_output=True, text=True, timeout=60, check=True
    )
    assert f"Nodes searched: {lines_of_play('breakthrough')[3]}" in answer.stdout


@pytest.mark.compiled
def test_proof_number_search_needs_fewer_positions_than_alpha_beta() -> None:
    """With sure wins and an evaluation; both agree about 5 x 3 with two rows."""
    start = Breakthrough(5, 3)
    proof = ProofNumber(nodes=10**7, evaluate=advance).analyse(start)
    full = AlphaBeta(nodes=10**7, evaluate=runners).analyse(start)
    assert proof.value == full.value == -1
    assert proof.proven
    assert full.proven
    assert 4 * proof.nodes < full.nodes


@pytest.mark.parametrize(("size", "quick_from"), [((5, 5), 10), ((6, 6), 24)])
def test_positions_of_the_middle_of_the_game_are_graded(
    size: tuple[int, int], quick_from: int
) -> None:
    """On boards whose openings take too long."""
    exact, rng = exact_for(Breakthrough(*size)), Random(2)
    longest = max((random_line(Breakthrough(*size), rng) for _ in range(30)), key=len)[:-1]
    quick = [exact.is_quick(position) for position in longest]
    assert not any(quick[:quick_from])
    assert quick[-1]
    for ply, position in enumerate(longest):
        assert certain_moves(position) <= ply
        assert exact.is_feasible(position) >= exact.is_quick(position)
    values = exact.move_values(longest[-1]).values()
    assert max(value.value for value in values) == 1, "the last move has won"


def test_evaluations_are_antisymmetric() -> None:
    rng, known = fresh(), knowledge_of(Breakthrough()).symmetries
    assert known is not None
    for size in ((8, 8, 2), (5, 5, 2), (4, 3, 1)):
        for position in met_in_games(Breakthrough(*size), 3, rng):
            turned = turned_round(position)
            other = position._replace(own=position.opp, opp=position.own, turn=1 - position.turn)
            for evaluate in (material, advance, runners):
                assert evaluate(position) == evaluate(turned) == evaluate(known.image(position, 1))
            for evaluate in (material, advance):
                assert evaluate(other) == -evaluate(position)


def turned_round(position: Breakthrough) -> Breakthrough:
    """The same position with top and bottom, and so the players, exchanged."""
    swap = {"W": "B", "B": "W", ".": "."}
    text = "\n".join(" ".join(swap[cell] for cell in row) for row in position.rows()[::-1])
    return Breakthrough.from_text(text, 1 - position.to_move, men_rows=position.men_rows)


@pytest.mark.parametrize(
    "size", [(3, 3, 1), (5, 3, 2), pytest.param((8, 8, 2), marks=pytest.mark.slow)]
)
def test_sure_wins_are_wins(size: tuple[int, int, int]) -> None:
    """A search of three plies proves each; and a man who can arrive is always seen."""
    search, rng, found = AlphaBeta(depth=3), fresh(), {-1: 0, 0: 0, 1: 0}
    while sum(found.values()) < (1 if SHALLOW else 150) or not (SHALLOW or min(found.values())):
        for position in met_in_games(Breakthrough(*size), 1, rng):
            known = decided(position)
            found[known] += 1
            if known != 0:
                result = search.analyse(position)
                assert (result.value, result.proven) == (known, True)
            children = map(position.play, position.legal_actions())
            assert known == 1 or not any(child.has_arrived() for child in children)


def test_moves_have_places_of_their_own() -> None:
    placed(*met_in_games(Breakthrough(6, 6), 1, fresh()))
    assert "<svg" in svg.svg(Breakthrough().move("a2a3"), 3 * 48 + 1)


def test_the_strong_agent_wins_at_once() -> None:
    near = Breakthrough.from_text("B . .\n. . W\n. B .\nW . .", men_rows=1)
    agent = make("alpha_beta(depth=2, evaluate=breakthrough.runners)")
    assert near.name(agent.act(near)) in ("c3c4", "c3b4")
