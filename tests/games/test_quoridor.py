"""Quoridor: jumps, the law of walls, passing, its ends, the solver, evaluations, the picture."""

from random import Random
from typing import Any

import numpy as np
import pytest
from games.laws import fresh, placed, random_line, utilities

from adv_envs import Quoridor, reachable
from adv_envs.games.quoridor import LEFT_BITS
from adv_envs.pictures import svg
from adv_envs.random import scattered
from agents import QuoridorSolver, Retrograde
from agents.games.quoridor import RACE, TEMPO, WALL, lead, near, paths, running
from agents.grading.exact_values import exact_for
from agents.knowledge import knowledge_of
from agents.mcts.playouts import RANDOM

pytestmark = pytest.mark.plain


def steps(position: Quoridor) -> set[str]:
    """Where the pawn may go."""
    cells = position.size**2
    return {position.name(a) for a in position.legal_actions() if a < cells}


# ---- moves of pawns


def test_a_pawn_steps_and_jumps_straight() -> None:
    position = Quoridor(5).after("c2 c4 c3")
    assert steps(position) == {"c5", "b4", "d4", "c2"}
    assert steps(position.move("c2")) == {"b3", "d3", "c4", "c1"}
    assert position.move("c2").winning_cells() == []


def test_a_wall_behind_turns_the_jump_aside() -> None:
    position = Quoridor(5).after("c2 c4 c3 b2h c3v")
    assert steps(position) == {"c5", "b4", "b3"}, "another wall is at the right of c3"


def test_the_edge_behind_turns_the_jump_aside() -> None:
    position = Quoridor(5).after("c2 c4 c3 b4 b3 a4 b4")
    assert steps(position) == {"a5", "a3", "c4"}, "straight on, over b4"
    assert steps(position.move("a1h")) == {"a5", "a3", "b5", "b3", "c4"}


def test_a_wall_between_pawns_stops_both() -> None:
    position = Quoridor(5).after("c2 c4 c3 c3h")
    assert steps(position) == {"b3", "d3", "c2"}
    assert steps(position.move("a1h")) == {"c5", "b4", "d4"}


FOUR = """
 5 .   .   R   .   .

 4 .   .   B   .   .

 3 .   .   W   .   Y

 2 .   .   .   .   .

 1 .   .   .   .   .
White to move, after 8 of 100 moves
Walls left: White 1, Black 1, Red 1, Yellow 1
"""


def test_nobody_jumps_over_two_pawns() -> None:
    position = Quoridor.from_text(FOUR)
    assert steps(position) == {"b3", "d3", "c2"}
    assert steps(position.move("b3")) == {"b4", "d4", "c3", "b5", "d5"}


def test_a_cell_that_is_taken_cannot_be_jumped_to() -> None:
    position = Quoridor.from_text(FOUR.replace("4 .   .   B   .", "4 .   .   B   Y").replace(
        "W   .   Y", "W   .   .").replace("5 .   .   R", "5 R   .   .").replace(
        "\n\n 4", "\n       -----\n 4").replace("White 1, ", "White 0, "))  # fmt: skip
    assert steps(position) == {"b3", "d3", "c2", "b4"}


def test_who_can_do_nothing_passes() -> None:
    """White's only way leads through two pawns."""
    text = """
 5 .   .   .   .   .

 4 .   .   .   .   Y

 3 R   .   .   .   .

 2 B | .   .   .   .
     |
 1 W | .   .   .   .
White to move, after 8 of 100 moves
Walls left: White 0, Black 1, Red 1, Yellow 1
"""
    position = Quoridor.from_text(text, walls=1)
    assert [position.name(a) for a in position.legal_actions()] == ["pass"]
    assert position.legal(position.cell_of(0))
    after = position.move("pass")
    assert (after.pawns, after.to_move, after.ply) == (position.pawns, 1, 9)
    assert not after.legal(after.cell_of(1)), "Black can move"
    assert position.choices() == "legal: pass"


# ---- walls


def test_walls_do_not_cross_or_overlap() -> None:
    position = Quoridor().move("d4h")
    names = {position.name(action) for action in position.legal_actions()}
    assert {"d4h", "c4h", "e4h", "d4v"} & names == set()
    assert {"b4h", "f4h", "d3v", "d5v", "c4v", "e4v", "d3h"} <= names
    upright = Quoridor().move("d4v")
    names = {upright.name(action) for action in upright.legal_actions()}
    assert {"d4v", "d3v", "d5v", "d4h"} & names == set()
    assert {"d2v", "d6v", "c4h", "e4h"} <= names


def test_a_wall_must_leave_a_way() -> None:
    """White is on c1; b1v closes off a1, b1, a2 and b2, which nobody needs."""
    position = Quoridor(5, 8).after("a2h c2h")
    names = {position.name(action) for action in position.legal_actions()}
    assert not {"c1v", "d1v"} & names
    assert {"a1v", "b1v", "b2v", "d2v"} <= names
    shut = position.move("b1v")
    assert [shut.distance(player) for player in (0, 1)] == [6, 6]


def test_the_last_wall_is_the_last() -> None:
    position = Quoridor(5, 1).after("a1h a4h")
    assert position.left == 0
    assert all(action < 25 for action in position.legal_actions())
    assert not position.legal(25)


def test_which_walls_need_a_search() -> None:
    """Every wall that closes a way is among the risky ones, which are few."""
    rng, risky, every = fresh(), 0, 0
    for _ in range(4):
        for position in random_line(Quoridor(6, 8), rng, 16):
            for upright in (False, True):
                points = position.open_points(upright)
                doubtful = points & position.risky_points(upright)
                closing = points & ~position.open_walls(upright)
                assert closing & ~doubtful == 0
                for i in range(position.board_bits):
                    if points >> i & 1:
                        cut = any(position.cuts_off(p, 1 << i, upright) for p in (0, 1))
                        assert cut == bool(closing >> i & 1)
                risky, every = risky + doubtful.bit_count(), every + points.bit_count()
    assert 0 < risky < every


# ---- the ends


def test_who_arrives_wins() -> None:
    won = Quoridor(3, 0).after("a1 a3 a2 b3 a3")
    assert won.is_terminal()
    assert utilities(won) == [1, -1]
    assert won.result_text() == "White wins"
    assert won.legal_actions() == []


def test_one_of_four_wins_and_the_others_share_the_loss() -> None:
    start = Quoridor(3, 0, players=4)
    assert [start.name(start.cell_of(player)) for player in (1, 2, 3)] == ["a2", "b3", "c2"]
    won = start.after("b2 a3 c3")
    assert won.is_terminal() is False, "c3 is no goal of Red, who goes down"
    won = start.after("a1 b2 c3 c1 b1 c2")
    assert utilities(won) == pytest.approx([-1 / 3, 1, -1 / 3, -1 / 3])
    assert won.result_text() == "Black wins"


def test_the_limit_of_plies() -> None:
    drawn = Quoridor(5, max_plies=4).after("c2 c4 c1 c5")
    assert drawn.is_terminal()
    assert utilities(drawn) == [0, 0]
    assert drawn.result_text() == "Draw: 4 moves without a winner"
    assert Quoridor(5).last_ply == 100
    won = Quoridor(3, 0, max_plies=5).after("a1 a3 a2 b3 a3")
    assert utilities(won) == [1, -1], "the last move that is allowed may win"


@pytest.mark.parametrize(("size", "two", "four"), [(3, 1, 1), (5, 3, 1), (9, 10, 5), (11, 15, 7)])
def test_usual_numbers_of_walls(size: int, two: int, four: int) -> None:
    assert Quoridor(size).walls_of(1) == two
    assert Quoridor(size, players=4).walls_of(3) == four


def test_boards_as_text() -> None:
    position = Quoridor(5).after("c2 c4 c3 b2h c3v b3")
    assert str(position).splitlines()[4:6] == [" 3 .   B   W | .   .", "       -----"]
    assert Quoridor.from_text(str(position)) == position
    bare = "3 .   B   .\n\n2 .   .   .\n  -----\n1 .   W   ."
    found = Quoridor.from_text(bare)
    assert (found.ply, found.left) == (1, 1 << LEFT_BITS), "White is taken to have put the wall"
    assert Quoridor.from_text(bare, left=[1, 0], ply=2).to_move == 0


# ---- the solver


WINS = {(3, 1): -8, (3, 4): -12, (4, 0): 5, (4, 3): 13, (5, 0): -8, (5, 1): -12}
"""By size and walls of each: in how many plies the first player wins, or the second (below 0)."""


@pytest.mark.parametrize(("size", "walls"), [(3, 1), (4, 0)])
def test_small_boards_are_solved(size: int, walls: int) -> None:
    found = QuoridorSolver().analyse(Quoridor(size, walls))
    assert found.proven
    assert len(found.principal_variation) == abs(WINS[size, walls])
    assert (found.value > 0) == (WINS[size, walls] > 0)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "walls"), WINS)
def test_larger_boards_are_solved(size: int, walls: int) -> None:
    test_small_boards_are_solved(size, walls)


def test_the_solver_equals_retrograde_analysis() -> None:
    """With limits of plies as well: what takes longer is a draw."""
    solver: Any = QuoridorSolver()
    for start in (Quoridor(3, 1, max_plies=5), Quoridor(3, 1, max_plies=7), Quoridor(4, 0, 2, 7)):
        everything = Retrograde()
        everything.solve(start)
        for position in Random(1).sample(sorted(reachable(start)), 150):
            score = solver.value(position)
            assert (score > 0) - (score < 0) == everything.value(position), position


def test_graded_moves_have_the_scores_of_the_solver() -> None:
    solver = QuoridorSolver()
    for position in random_line(Quoridor(3, 1), fresh())[:-1:3]:
        graded = exact_for(position).move_values(position)
        assert {action: value.score for action, value in graded.items()} == solver.values(position)
        assert max(value.score for value in graded.values()) == solver.value(position)


def test_nobody_can_draw_on_small_boards() -> None:
    """Other boards may have positions where pawns go to and fro for ever; these have none."""
    solver: Any = QuoridorSolver()
    solver.value(Quoridor(3, 2))
    assert len(solver._tables) == 111
    assert not any((table == 0).any() for table in solver._tables.values())


@pytest.mark.parametrize(
    ("position", "message"),
    [
        (
            Quoridor(),
            "5 x 5 with two of each player or 9 x 9 with one; here are 10 and 10 on 9 x 9",
        ),
        (Quoridor(3, players=4), "games of two players, not of 4"),
    ],
)
def test_what_the_solver_refuses(position: Quoridor, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        QuoridorSolver().value(position)


def test_solutions_in_words() -> None:
    words = knowledge_of(Quoridor()).solution.in_words
    start = Quoridor(3, 0)
    assert words(start, QuoridorSolver().value(start)) == "a loss in 4 moves"
    assert words(start, 36) == "a win in 1 move"
    assert words(start, 0) == "a draw"


# ---- evaluations, order, playouts


def test_paths_count_steps_and_walls() -> None:
    assert paths(Quoridor()) == TEMPO
    ahead = Quoridor().after("e2 a1h")
    assert paths(ahead) == TEMPO + 1 + WALL
    race = Quoridor(5, 0).after("c2 d5 c3")
    assert paths(race) == RACE * (2 - 4 + TEMPO), "Black needs four steps, White two"
    four = Quoridor(players=4).after("e2")
    assert lead(four, 0) == 8 - TEMPO - 7
    assert lead(four, 2) == 7 - 8


def test_evaluations_are_those_of_every_image() -> None:
    known = knowledge_of(Quoridor())
    assert known.symmetries is not None
    assert known.exchange is not None
    for position in random_line(Quoridor(6, 4), fresh())[:-1:5]:
        assert paths(known.symmetries.image(position, 1)) == paths(position)
        other = known.exchange.image(position)
        if other is not None:
            assert paths(other) == paths(position)
            assert known.exchange.image(other) == position
            moved = sorted(
                known.exchange.image_action(position, a) for a in position.legal_actions()
            )
            assert moved == other.legal_actions()


def test_walls_before_pawns_come_first() -> None:
    position = Quoridor()
    first = sorted(position.legal_actions(), key=lambda a: -near(position, a))
    assert {position.name(a) for a in first[:3]} == {"e2", "d1", "f1"}
    assert {position.name(a) for a in first[3:7]} == {"d8h", "e8h", "d8v", "e8v"}


def test_playouts_run_home() -> None:
    """Who is far ahead wins them all where no walls are left, and most of them otherwise."""
    workspace, played, values = np.zeros(2000, np.int64), np.zeros((2, 209), np.int64), np.zeros(2)
    for start, least in ((Quoridor(9, 0), 20), (Quoridor(9, 2), 14)):
        won = 0
        for seed in range(20):
            workspace[RANDOM] = scattered(seed + 1)
            running.plain(start.after("e2 d9 e3 c9 e4 b9"), values, played, workspace)
            assert values.sum() == 0
            won += values[0] == 1
        assert won >= least


# ---- the picture


def test_the_picture() -> None:
    position = Quoridor().after("e2 e8 e3h")
    placed(Quoridor(), position, Quoridor(4, players=4), Quoridor(11, 40, max_plies=9))
    plain, marked = svg.svg(position), svg.svg(position, position.start().action("e3h"))
    assert plain != marked
    moved = position.move("e7")
    assert svg.svg(moved, 2 * 9 + 4).count("<rect") == svg.svg(moved).count("<rect")
