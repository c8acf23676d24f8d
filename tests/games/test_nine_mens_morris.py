"""Nine Men's Morris: mills, men taken, flying, ends, endings by tables, its text and picture."""

from itertools import combinations, permutations
from math import dist
from random import Random
from typing import Any

import pytest
from games.laws import random_line
from games.naive_nine_mens_morris import LINES, POINTS, beside

import agents
from adv_envs import NineMensMorris
from adv_envs.games.nine_mens_morris import BESIDE, GRID, MILLS, closes, outside_mills
from adv_envs.notation import IllegalMove
from adv_envs.pictures import draw, places
from adv_envs.pictures.nine_mens_morris import SMALL_MAN, unplaced_men
from agents.games.nine_mens_morris import covers, random_ending
from agents.games.nine_mens_morris.endings import (
    CHOOSE,
    all_sets,
    number_of,
    put_among,
    table,
)
from agents.games.nine_mens_morris.evaluations import closing, lead, men, structure

BOARD = """
    W-----W-----.
    |     |     |
    | B---.---. |
    | |   |   | |
    | | .-B-. | |
    | | |   | | |
    .-.-.   .-.-W
    | | |   | | |
    | | .-.-. | |
    | |   |   | |
    | B---.---. |
    |     |     |
    .-----.-----.
"""


def test_the_board_is_that_of_a_grid() -> None:
    assert tuple(POINTS) == GRID
    assert {frozenset(GRID[i] for i in mill) for mill in MILLS} == {frozenset(m) for m in LINES}
    for one, other in permutations(range(24), 2):
        assert BESIDE[one] >> other & 1 == beside(GRID[one], GRID[other])


def board(to_move: int = 0, **others: Any) -> NineMensMorris:
    return NineMensMorris.from_text(BOARD, to_move, **others)


def test_three_men_fly_and_four_move_along_lines() -> None:
    assert board().flies()
    assert len(board().legal_actions()) == 3 * (24 - 6)
    walking = board(flying=False)
    assert {walking.name(a) for a in walking.legal_actions()} == {
        "a7-a4", "d7-d6", "d7-g7", "g4-g7", "g4-f4", "g4-g1",
    }  # fmt: skip
    four = NineMensMorris.from_text(BOARD.replace("    .-----.-----.", "    .-----W-----."))
    assert not four.flies()
    assert "d1-a1" in four.choices()


def test_closing_a_mill_takes_a_man() -> None:
    position = board().move("g4-g7")
    assert position.taking
    assert position.to_move == 0
    assert position.choices() == "legal: xb6, xd5, xb2"
    over = position.move("xd5")
    assert over.is_terminal()
    assert over.utility(0) == 1 == -over.utility(1)
    assert over.result_text() == "Black has two men left, White wins"


def test_men_in_mills_are_safe_unless_all_are() -> None:
    start = NineMensMorris().after("a7 f6 d7 d6 b2 b6")
    assert start.choices() == "legal: xa7, xd7, xb2"
    rest = start.after("xb2 g7")
    assert rest.taking
    assert rest.choices() == "legal: xb6, xd6, xf6", "all men of Black are in a mill"
    more = start.after("xb2 a1 g1 g7")
    assert more.choices() == "legal: xg1"


def test_two_mills_at_once_take_one_man() -> None:
    start = NineMensMorris().after("a7 b6 d7 d6 g4 b2 g1 d2 g7")
    assert start.taking
    after = start.move("xb6")
    assert (after.to_move, after.taking) == (1, False)
    assert after.opp.bit_count() == 5


def test_a_mill_that_is_opened_and_closed_counts_again() -> None:
    position = NineMensMorris(own=7 | 1 << 20, opp=0b1111 << 15, own_left=0, opp_left=0)
    opened = position.move("g7-g4")
    assert not opened.taking
    assert opened.after("c3-c4 g4-g7").taking


def test_who_cannot_move_loses() -> None:
    stuck = NineMensMorris(
        own=1 | 2 | 4 | 1 << 9, opp=1 << 4 | 1 << 10 | 1 << 14 | 1 << 21, own_left=0, opp_left=0
    )
    assert stuck.is_terminal()
    assert stuck.legal_actions() == []
    assert stuck.utility(0) == -1
    assert stuck.result_text() == "White cannot move, Black wins"
    flying = NineMensMorris(own=1 | 2 | 4, opp=1 << 4 | 1 << 9 | 1 << 14, own_left=0, opp_left=0)
    assert not flying.is_terminal()
    assert flying._replace(flying=False).is_terminal()


def test_moves_without_a_man_taken_are_a_draw() -> None:
    position = board(draw_moves=1)
    over = position.after("d7-d6 b6-b4")
    assert over.is_terminal()
    assert over.utility(0) == over.utility(1) == 0
    assert over.result_text() == "Draw: 1 move of each without a man taken"
    closed = position._replace(quiet=1).move("g4-g7")
    assert closed.quiet == 2
    assert not closed.is_terminal(), "the man is taken first"
    placing = NineMensMorris(draw_moves=1).after("a1 a4 d1 b4 d7")
    assert placing.quiet == 0


def test_moves_have_second_names_and_boards_are_read_again() -> None:
    position = board().move("g4g7")
    assert position.move("d5") == position.move("XD5") == position.move("xd5")
    for here in random_line(NineMensMorris(), Random(5)):
        assert NineMensMorris.from_text(str(here)) == here
    with pytest.raises(ValueError, match="must have 24 points, W, B or a dot, not 3"):
        NineMensMorris.from_text("W . B")


def test_all_men_in_hand_are_seen() -> None:
    middles = {
        (shape.x, shape.y) for shape in unplaced_men(NineMensMorris()) if shape.radius == SMALL_MAN
    }
    assert len(middles) == 18
    assert all(dist(a, b) > 2 * SMALL_MAN for a, b in combinations(middles, 2))


# ---- evaluations


def test_evaluations() -> None:
    start = NineMensMorris()
    assert men(start) == 0
    assert structure(start) == 0
    ready = NineMensMorris().after("a7 d6 d7 f4")
    assert [ready.name(a) for a in ready.legal_actions() if closing(ready, a) == 2] == ["g7"]
    closed = ready.move("g7")
    assert structure(closed) > 0.1 > structure(ready)
    assert lead(closed, closed.legal_actions()[0]) == lead(ready, ready.action("g7")) > 0
    assert men(closed.move("xd6")) == -1
    waiting = ready.move("a1")
    assert [waiting.name(a) for a in waiting.legal_actions() if closing(waiting, a) == 1] == [
        "g7", "a4",
    ]  # fmt: skip


# ---- endings


def test_numbers_of_boards() -> None:
    """Each board has its own number, the sets in their order."""
    own_sets, opp_sets = all_sets(24, 2), all_sets(22, 1)
    numbers = [
        number_of(int(own), put_among(int(opp), int(own)), CHOOSE)
        for own in own_sets
        for opp in opp_sets
    ]
    assert numbers == list(range(len(own_sets) * len(opp_sets)))
    points = {sum(1 << i for i in chosen) for chosen in combinations(range(24), 2)}
    assert set(own_sets.tolist()) == points


def code_by_moves(position: NineMensMorris) -> int:
    """The code of a board by the tables of those that its moves lead to."""
    children = []
    for action in position.legal_actions():
        after = position.play(action)
        taken = [after.play(a) for a in after.legal_actions()] if after.taking else [after]
        for child in taken:
            number = number_of.plain(child.own, child.opp, CHOOSE)
            few = child.own.bit_count() < 3
            sizes = child.own.bit_count(), child.opp.bit_count(), child.flying
            children.append(1 if few else int(table(*sizes)[number]))
    losses = [code for code in children if code % 2]
    if losses:
        return min(losses) + 1
    return 0 if 0 in children else max(children, default=0) + 1


@pytest.mark.thorough
@pytest.mark.compiled
@pytest.mark.parametrize(("own", "opp"), [(3, 3), (3, 4), (4, 3)])
def test_tables_agree_with_the_rules(own: int, opp: int) -> None:
    """A code follows from those of all moves: what the tables say is then proved."""
    rng = Random(own * 10 + opp)
    for _ in range(300):
        points = rng.sample(range(24), own + opp)
        ours, theirs = (sum(1 << p for p in part) for part in (points[:own], points[own:]))
        position = NineMensMorris(own=ours, opp=theirs, own_left=0, opp_left=0)
        code = int(table(own, opp, True)[number_of.plain(ours, theirs, CHOOSE)])
        assert code == code_by_moves(position), position


RESULTS = {
    (3, 3): (2_232_160, 4_112, 455_648, 26),
    (3, 4): (1_629_336, 10_484_304, 0, 33),
    (4, 3): (1_201_560, 10_863_360, 48_720, 32),
}
"""Boards won, drawn and lost for the player to move, and the longest win or loss in moves."""


@pytest.mark.thorough
@pytest.mark.compiled
def test_how_many_endings_are_won() -> None:
    """Of three men against three the player to move wins 82.9 % of all boards."""
    for (own, opp), wanted in RESULTS.items():
        codes = table(own, opp, True)
        lost = int((codes % 2 == 1).sum())
        won = int((codes > 0).sum()) - lost
        assert (won, len(codes) - won - lost, lost, int(codes.max()) - 1) == wanted


@pytest.mark.thorough
@pytest.mark.compiled
def test_endings_are_played_to_the_end() -> None:
    solver: Any = agents.make("nine_mens_morris_endings")
    search: Any = agents.make("alpha_beta(depth=3)")
    rng, ends = Random(3), []
    for _ in range(10):
        position = random_ending(NineMensMorris(), rng)
        found = solver.analyse(position)
        over = position.after(found.principal_variation)
        moves = sum(not p.taking for p in line_of(position, found.principal_variation)) - 1
        if found.value:
            assert over.is_terminal()
            assert 255 - abs(found.value) == moves
            assert over.utility(position.to_move) == (1 if found.value > 0 else -1)
        if search.analyse(position).proven:
            assert search.analyse(position).value * found.value > 0
        ends.append(found.value)
    assert max(ends) > 0


def line_of(position: NineMensMorris, actions: Any) -> list[NineMensMorris]:
    line = [position]
    for action in actions:
        line.append(line[-1].play(action))
    return line


def test_endings_refuse_what_they_do_not_know() -> None:
    solver: Any = agents.make("nine_mens_morris_endings")
    with pytest.raises(ValueError, match="with all men placed, 8 of them at most"):
        solver.value(NineMensMorris())
    with pytest.raises(ValueError, match="men must be 6 to 9, not 10"):
        agents.make("nine_mens_morris_endings(men=10)")
    assert not covers(NineMensMorris())
    with pytest.raises(ValueError, match="tables of 9 men at most, not of 10"):
        table(5, 5, True)


# ---- the picture


def test_an_x_takes_a_man_and_places_none() -> None:
    start = NineMensMorris()
    with pytest.raises(IllegalMove, match="'xa1'"):
        start.move("xa1")
    taking = start.after("a7 d6 d7 f4 g7")
    assert taking.move("F4") == taking.move("XF4") == taking.move("xf4")


def test_pictures_mark_what_happened() -> None:
    position = NineMensMorris()
    for move in ("a7", "d6", "d7", "f4", "g7", "xf4"):
        last = position.action(move)
        position = position.play(last)
        assert draw(position, last) != draw(position)
        assert len(places(position)) == len(position.legal_actions())
    assert draw(position, 599) == draw(position, 600) == draw(position)


def test_mills_of_sets() -> None:
    assert closes(0b111, 0)
    assert not closes(0b1011, 0)
    assert outside_mills(0b1111) == 0b1000
