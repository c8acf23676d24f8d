"""Lines of Action: how far men go, captures, groups, ends, solved boards, its text and picture."""

from random import Random
from typing import Any

import numpy as np
import pytest
from games.laws import random_line

from adv_envs import LinesOfAction
from adv_envs.pictures import draw
from adv_envs.pictures.lines_of_action import moved_by_last
from agents import make
from agents.games.lines_of_action import (
    concentration,
    links,
    mobility,
    quads,
    spread,
    towards_the_middle,
)

BOTH = """
    . . . . W
    . B . . .
    . W . . .
    . . . . .
    . . . B .
"""
"""Black can capture b3, which leaves White a single man, with or without joining its own."""

STUCK = """
    . . . B B W
    . . . . B B
    . . . . . B
    B . . . . .
    B B . . . .
    W B B . . .
"""


def test_how_far_a_man_goes() -> None:
    """By the men of both on the whole line, ahead and behind."""
    start = LinesOfAction()
    moves = [start.name(a) for a in start.legal_actions() if start.name(a).startswith("c1")]
    assert moves == ["c1-c3", "c1-e3", "c1xa3"]
    assert start.name(start.action("b1h1")) == "b1-h1"


def test_a_man_passes_over_own_men_and_not_over_others() -> None:
    position = LinesOfAction.from_text("""
        B . . . W
        . . . . .
        . . W . W
        . . . . .
        B B . W .
    """)
    names = {position.name(action) for action in position.legal_actions()}
    assert "a1xd1" in names, "over b1"
    assert {name for name in names if name.startswith("b1")} == {"b1-b2", "b1-c2", "b1-a2"}
    white = position._replace(own=position.opp, opp=position.own, turn=1)
    passing = [white.name(a) for a in white.legal_actions() if white.name(a).startswith("d1")]
    assert "d1xa1" not in passing, "b1 is in the way"


@pytest.mark.parametrize("rule", ["win", "draw"])
def test_a_capture_that_joins_both(rule: str) -> None:
    position = LinesOfAction.from_text(BOTH, joined_both=rule)
    assert not position.is_terminal()
    after = position.move("d1xb3")
    assert after.is_terminal()
    assert [after.utility(i) for i in (0, 1)] == ([1, -1] if rule == "win" else [0, 0])
    assert len(after.winning_cells()) == (2 if rule == "win" else 0)
    assert after.result_text().startswith("The men of both are joined")


@pytest.mark.parametrize("rule", ["win", "draw"])
def test_a_capture_that_joins_the_other_player_loses(rule: str) -> None:
    apart = BOTH.replace(". B . . .", ". . . . .").replace(". . . . W", ". B . . W")
    after = LinesOfAction.from_text(apart, joined_both=rule).move("d1xb3")
    assert [after.utility(i) for i in (0, 1)] == [-1, 1]
    assert after.result_text() == "White wins"
    assert after.winning_cells() == [(0, 4)]
    assert "\nWhite wins, after a move of Black; 0 of" in str(after)
    quiet = after._replace(quiet=7)
    assert LinesOfAction.from_text(str(quiet), joined_both=rule) == quiet
    assert str(quiet).endswith("; 7 of 100 moves without a capture")
    with pytest.raises(ValueError, match="quiet must be 0 to 100, not 777"):
        LinesOfAction.from_text(str(quiet).replace("7 of", "777 of"), joined_both=rule)


def test_who_cannot_move_loses() -> None:
    stuck = LinesOfAction.from_text(STUCK, to_move=1)
    assert stuck.is_terminal()
    assert not any(stuck.legal(action) for action in range(stuck.num_actions))
    assert [stuck.utility(i) for i in (0, 1)] == [1, -1]
    assert stuck.result_text() == "White cannot move, Black wins"
    assert not LinesOfAction.from_text(STUCK).is_terminal()


def test_moves_without_a_capture_are_a_draw() -> None:
    position = LinesOfAction(5, draw_moves=2).after("b1-b3 a4-c4 b3-b1")
    assert not position.is_terminal()
    over = position.move("c4-a4")
    assert over.is_terminal()
    assert over.utility(0) == over.utility(1) == 0
    assert over.result_text() == "Draw: 2 moves of each without a capture"
    captures = [name for name in map(position.name, position.legal_actions()) if "x" in name]
    assert {position.move(name).quiet for name in captures} == {0}


def test_moves_have_a_second_name() -> None:
    start = LinesOfAction()
    assert start.action("c1a3") == start.action("c1xa3") == start.action("C1-A3")
    with pytest.raises(ValueError, match="'c1c4' is not a legal move"):
        start.move("c1c4")


def turned_left(position: Any) -> Any:
    """The board after a quarter turn; each player then has the other's edges."""
    rows = ["".join(row) for row in position.rows()]
    columns = [" ".join(row[i] for row in rows) for i in reversed(range(position.size))]
    return LinesOfAction.from_text("\n".join(columns), position.turn)


@pytest.mark.parametrize("size", [4, 5, 8, 9])
def test_a_quarter_turn_has_as_many_moves(size: int) -> None:
    for position in random_line(LinesOfAction(size), Random(size), 40)[:-1]:
        assert len(turned_left(position).legal_actions()) == len(position.legal_actions())


# ---- evaluations


def naive_links(cells: list[tuple[int, int]]) -> int:
    near = [(a, b) for a in cells for b in cells if a < b]
    return sum(max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1 for a, b in near)


def naive_quads(cells: list[tuple[int, int]], size: int) -> int:
    """Squares of 2 x 2 within the square of 5 x 5 around the centre of mass, rounded half up."""
    middle = [int(sum(c[i] for c in cells) / len(cells) + 0.5) for i in (0, 1)]
    near = {c for c in cells if all(abs(c[i] - middle[i]) <= 2 for i in (0, 1))}
    corners = [(r, c) for r in range(size - 1) for c in range(size - 1)]
    squares = [{(r, c), (r + 1, c), (r, c + 1), (r + 1, c + 1)} for r, c in corners]
    return sum(len(square & near) >= 3 for square in squares)


@pytest.mark.parametrize("size", [5, 8])
def test_features_are_those_of_the_cells(size: int) -> None:
    for position in random_line(LinesOfAction(size), Random(size), 60)[:-1:3]:
        cells = position.cells_in(position.own)
        assert links(position, position.own) == naive_links(cells)
        assert quads(position, position.own) == naive_quads(cells, size)


def test_the_start_is_even_and_a_group_is_not_spread() -> None:
    start = LinesOfAction()
    assert concentration(start) == mobility(start) == 0
    block = sum(1 << start.bit(row, column) for row in (3, 4, 5) for column in (2, 3, 4))
    assert spread(start, block) == 0 < spread(start, start.own)
    assert towards_the_middle(start, start.action("b1-h1")) == 0
    assert towards_the_middle(start, start.action("c1-c3")) == 2
    assert towards_the_middle(start, start.action("c1xa3")) == 3


# ---- what is known


@pytest.mark.parametrize("rule", ["win", "draw"])
def test_the_first_player_wins_on_4_by_4(rule: str) -> None:
    found: Any = make("alpha_beta(depth=3)")
    result = found.analyse(LinesOfAction(4, joined_both=rule))
    assert (result.value, result.proven) == (1, True)


@pytest.mark.thorough
@pytest.mark.compiled
@pytest.mark.parametrize("rule", ["win", "draw"])
def test_the_first_player_wins_on_5_by_5_in_eleven_plies(rule: str) -> None:
    start = LinesOfAction(5, joined_both=rule)
    shallow: Any = make("alpha_beta(depth=10, evaluate=lines_of_action.concentration)")
    deep: Any = make("alpha_beta(depth=11, evaluate=lines_of_action.concentration)")
    assert not shallow.analyse(start).proven
    assert (deep.analyse(start).value, deep.analyse(start).proven) == (1, True)


# ---- the picture


def test_the_last_move_is_marked_where_it_can_have_been() -> None:
    position, last = LinesOfAction(), -1
    for move in ("c1-e3", "h3xe3", "b8-b6"):
        last = position.action(move)
        ends = moved_by_last(position.play(last), last)
        position = position.play(last)
        assert [position.cell_name(*cell) for cell in ends] == [move[:2], move[3:]]
        assert draw(position, last) != draw(position)
    for action in (None, -1, 512, last ^ 1):
        assert moved_by_last(position, action) == []


def test_what_players_observe() -> None:
    start = LinesOfAction(4)
    planes = np.zeros(start.observation_shape)
    start.observe(1, planes)
    assert planes[1, 0].tolist() == [1, 0]
    assert planes[0, 1].tolist() == [0, 1]
