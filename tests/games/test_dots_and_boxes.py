"""Dots and Boxes against a second implementation, OpenSpiel, known counts and known margins."""

import re
from random import Random, randrange
from typing import Any

import numpy as np
import pytest
from games.naive_dots_and_boxes import NaiveDotsAndBoxes
from hypothesis import given, settings
from hypothesis import strategies as st
from manual.game_facts import lines_of_play

from adv_envs import DotsAndBoxes, IllegalMove, reachable
from adv_envs.jit import disabled, kernel
from adv_envs.pictures import draw
from agents import MarginSolver, make
from agents.games.dots_and_boxes import (
    all_taken,
    chains,
    closing,
    value_of_chains,
)
from agents.grading.exact_values import exact_for
from agents.knowledge import knowledge_of

SHALLOW = disabled()

PERFT = {
    (2, 2): lines_of_play("dots_and_boxes", rows=2, columns=2),
    (3, 3): lines_of_play("dots_and_boxes"),
}
"""By depth: every order of the edges."""

MARGINS = {(1, 1): -1, (1, 2): 0, (1, 3): -1, (2, 2): 2, (2, 3): -2}
"""Of the first player, computed by others."""


@kernel
def perft(position: Any, depth: int) -> int:
    """How many lines of play of ``depth`` plies there are."""
    if depth == 0:
        return 1
    lines = 0
    for action in range(0 if position.is_terminal() else position.num_actions):
        if position.legal(action):
            lines += 1 if depth == 1 else perft(position.play(action), depth - 1)
    return lines


def seen(position: DotsAndBoxes, player: int) -> list[Any]:
    planes = np.zeros(position.observation_shape)
    position.observe(player, planes)
    return planes.astype(int).tolist()


def random_position(start: DotsAndBoxes, rng: Random, edges: int) -> DotsAndBoxes:
    """A position after so many random moves."""
    position = start
    for _ in range(edges):
        position = position.play(rng.choice(position.legal_actions()))
    return position


# ---- the rules


@pytest.mark.parametrize("size", PERFT, ids=str)
def test_perft(size: tuple[int, int]) -> None:
    counts = PERFT[size][: 4 if SHALLOW else 7]
    start = DotsAndBoxes(*size)
    assert tuple(perft(start, depth) for depth in range(1, len(counts) + 1)) == counts


@settings(deadline=None, max_examples=40)
@given(
    rows=st.integers(1, 5),
    columns=st.integers(1, 5),
    margin=st.booleans(),
    seed=st.integers(0, 2**32),
)
def test_random_games_as_the_naive_one_plays_them(
    rows: int, columns: int, margin: bool, seed: int
) -> None:
    position, naive = DotsAndBoxes(rows, columns, margin), NaiveDotsAndBoxes(rows, columns)
    rng = Random(seed)
    while not position.is_terminal():
        assert position.legal_actions() == naive.actions()
        assert position.to_move == naive.to_move
        for player in (0, 1):
            assert seen(position, player) == naive.seen_by(player)
        position.check()
        action = rng.choice(position.legal_actions())
        assert position.dots(action) == tuple(sorted(naive.all_edges[action]))
        position = position.play(action)
        naive.play(action)
    assert naive.actions() == []
    expected = naive.margin() if margin else np.sign(naive.margin())
    assert position.utility(0) == -position.utility(1) == expected


def compare_with_open_spiel(games: int, seed: int) -> int:
    """Random games of both, ply by ply; returns how many plies that were."""
    pyspiel = pytest.importorskip("pyspiel")
    rng, plies = Random(seed), 0
    for _ in range(games):
        rows, columns, margin = rng.randint(1, 5), rng.randint(1, 5), rng.random() < 0.5
        spell = str(margin).lower()
        game = pyspiel.load_game(
            f"dots_and_boxes(num_rows={rows},num_cols={columns},utility_margin={spell})"
        )
        position, state = DotsAndBoxes(rows, columns, margin), game.new_initial_state()
        assert position.num_actions == game.num_distinct_actions()
        while not position.is_terminal():
            where = f"seed {seed}: {game} {state.history()}"
            assert position.to_move == state.current_player(), where
            assert position.legal_actions() == state.legal_actions(), where
            action = rng.choice(state.legal_actions())
            position = position.play(action)
            state.apply_action(action)
            plies += 1
        assert state.is_terminal(), f"seed {seed}: {game} {state.history()}"
        assert [position.utility(0), position.utility(1)] == state.returns()
    return plies


def test_random_games_as_open_spiel_plays_them() -> None:
    assert compare_with_open_spiel(20, randrange(2**32)) > 0


@pytest.mark.slow
def test_thousands_of_games_as_open_spiel_plays_them() -> None:
    plies = compare_with_open_spiel(5000, randrange(2**32))
    print(f"{plies} plies compared")
    assert plies > 50_000


def test_who_closes_a_box_draws_again() -> None:
    three = DotsAndBoxes(1, 2).after("a1b1 a2b2 a1a2")
    assert (three.to_move, three.first, three.second) == (1, 0, 0)
    closed = three.move("b1b2")
    assert (closed.to_move, closed.first, closed.second) == (1, 0, 1)
    two_at_once = DotsAndBoxes(1, 2).after("a1b1 a2b2 a1a2 b1c1 b2c2 c1c2 b1b2")
    assert (two_at_once.to_move, two_at_once.first) == (0, 3)
    assert two_at_once.is_terminal()
    assert two_at_once.utility(0) == 1
    assert DotsAndBoxes(1, 2, True, *two_at_once[3:]).utility(0) == 2


# ---- values


@pytest.mark.parametrize("size", MARGINS, ids=str)
def test_known_margins(size: tuple[int, int]) -> None:
    if SHALLOW and size == (2, 3):
        pytest.skip("takes a minute in plain Python")
    assert MarginSolver(table_mb=8).value(DotsAndBoxes(*size)) == MARGINS[size]


@pytest.mark.compiled
def test_only_outer_edges_win_on_two_by_two() -> None:
    start = DotsAndBoxes(2, 2)
    values = MarginSolver(table_mb=1).values(start)
    inner = {start.action(name) for name in ("b1b2", "b2b3", "a2b2", "b2c2")}
    assert values == {action: 0 if action in inner else 2 for action in range(12)}


@pytest.mark.compiled
def test_three_by_three() -> None:
    """The second player wins by 6 boxes to 3, as alpha-beta without the solver finds too."""
    assert MarginSolver().value(DotsAndBoxes()) == -3


@pytest.mark.parametrize("size", [(1, 2), (1, 3), (2, 2)], ids=str)
def test_the_solver_equals_retrograde_analysis(size: tuple[int, int]) -> None:
    if SHALLOW and size == (2, 2):
        pytest.skip("takes a while in plain Python")
    start, solver, everything = DotsAndBoxes(*size, True), MarginSolver(1), make("retrograde()")
    positions = list(reachable(start))
    for position in Random(1).sample(positions, min(len(positions), 200)):
        assert solver.value(position) == everything.value(position)
        assert solver.values(position) == everything.values(position)


@pytest.mark.compiled
def test_the_solver_equals_alpha_beta_in_endings_of_a_large_board() -> None:
    solver, search = MarginSolver(table_mb=8), make("alpha_beta(nodes=9000000)")
    for seed in range(6):
        position = random_position(DotsAndBoxes(4, 5, True), Random(seed), 49 - 13)
        found = solver.analyse(position)
        assert found.value == search.analyse(position).value
        over = position.after(found.principal_variation)
        assert over.is_terminal()
        assert over.utility(position.to_move) == found.value


def test_report_cards() -> None:
    late = random_position(DotsAndBoxes(4, 4), Random(2), 40 - (5 if SHALLOW else 12))
    points, margins = exact_for(DotsAndBoxes(4, 4)), exact_for(DotsAndBoxes(4, 4, margin=True))
    assert points.is_quick(late)
    assert not points.is_feasible(DotsAndBoxes(4, 4))
    same = DotsAndBoxes(4, 4, True, late.edges, late.first, late.second, late.to_move)
    for action, (value, score) in points.move_values(late).items():
        assert margins.move_values(same)[action] == (score, score)
        assert value == (score > 0) + 0.5 * (score == 0)


# ---- what is known


def test_the_value_of_chains_by_hand() -> None:
    """Whoever opens a chain loses it; of the first of two the last two boxes are declined."""
    row = DotsAndBoxes(1, 5).after("a1b1 a2b2 b1c1 b2c2 c1d1 c2d2 d1e1 d2e2 e1f1 e2f2")
    assert value_of_chains(row, row.edges) == -5
    two = row.move("c1c2")  # opens it: what is on both sides can be taken
    edges, taken = all_taken(two, two.edges)
    assert (taken, two.start().num_actions - edges.bit_count()) == (5, 0)
    separate = DotsAndBoxes(2, 3).after("a1b1 b1c1 c1d1 a2b2 b2c2 c2d2 a3b3 b3c3 c3d3")
    assert value_of_chains(separate, separate.edges) == -2  # 1 - 2 + 3 boxes for the other


def test_a_loop() -> None:
    loop = DotsAndBoxes(2, 2).after("a1b1 b1c1 a1a2 a2a3 c1c2 c2c3 a3b3 b3c3")
    assert value_of_chains(loop, loop.edges) == -4


def test_evaluation_and_order_are_those_of_every_image() -> None:
    rng, known = Random(7), knowledge_of(DotsAndBoxes()).symmetries
    assert known is not None
    for start in (DotsAndBoxes(3, 3), DotsAndBoxes(2, 4)):
        position = random_position(start, rng, start.num_actions // 2)
        for i in range(known.num_images(start)):
            turned = known.image(position, i)
            assert chains(turned) == pytest.approx(chains(position))
            for action in position.legal_actions():
                assert closing(position, action) == closing(
                    turned, known.image_action(position, action, i)
                )


def test_the_evaluation_is_antisymmetric_in_what_was_closed() -> None:
    start = DotsAndBoxes(3, 3)
    for seed in range(10):
        position = random_position(start, Random(seed), 18)
        turned = DotsAndBoxes(
            3, 3, False, position.edges, position.second, position.first, 1 - position.to_move
        )
        assert chains(turned) == chains(position)
    assert abs(chains(start)) < 1


# ---- text, pictures, and what is refused


def test_text() -> None:
    assert str(DotsAndBoxes(2, 2).after("a1b1 a1a2 a2b2 b1b2 c2c3")).splitlines() == [
        "   a   b   c",
        " 1 +---+   +",
        "   | 1 |",
        " 2 +---+   +",
        "           |",
        " 3 +   +   +",
        "   boxes: 0 of player 0, 1 of player 1",
    ]


def test_the_picture_tells_the_score() -> None:
    assert draw(DotsAndBoxes(1, 2).after("a1b1 a2b2 a1a2 b1b2")).title == "Player 1 to move   0 : 1"


@pytest.mark.parametrize(
    ("parameters", "allowed"),
    [
        ({"rows": 0}, "rows must be 1 to 20, not 0"),
        ({"columns": 21}, "columns must be 1 to 20, not 21"),
        ({"rows": 5, "columns": 6}, "5 x 6 boxes have 71 edges: at most 63 are allowed"),
        ({"edges": 1 << 24}, "edges must be 0 to"),
        ({"edges": -1}, "edges must be 0 to"),
        ({"first": 1}, "together all that are closed"),
        ({"edges": (1 << 24) - 1}, "together all that are closed"),
        ({"edges": (1 << 24) - 1, "first": 511, "second": 1}, "must not share a box"),
        ({"to_move": 2}, "to_move must be 0 to 1, not 2"),
    ],
)
def test_what_cannot_be(parameters: dict[str, int], allowed: str) -> None:
    with pytest.raises(ValueError, match=re.escape(allowed)):
        DotsAndBoxes(**parameters)


def test_illegal_moves() -> None:
    with pytest.raises(IllegalMove, match="legal: b1c1, c1d1"):
        DotsAndBoxes().after("a1b1 a1b1")
