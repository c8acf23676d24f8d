"""Amazons: its turns and its end, solving endings, territory, the picture."""

from itertools import product

import pytest
from games.laws import fresh, met, placed, random_line

from adv_envs import Amazons
from adv_envs.games.amazons import CHOOSE, MOVE, SHOOT
from adv_envs.pictures import svg
from agents import AmazonsSolver
from agents.games.amazons import (
    king_territory,
    mobility,
    queen_territory,
    territory,
)
from agents.grading.exact_values import exact_for
from agents.knowledge import knowledge_of


def test_a_turn() -> None:
    start = Amazons()
    chosen = start.move("d1")
    assert (chosen.to_move, chosen.part, chosen.targets().bit_count()) == (0, MOVE, 20)
    moved = chosen.move("d7")
    assert (moved.to_move, moved.part) == (0, SHOOT)
    assert moved.legal(moved.action("d1")), "the cell that the amazon left is empty"
    shot = moved.move("g7")
    assert (shot.to_move, shot.part, shot.chosen) == (1, CHOOSE, -1)
    assert shot.rows()[3] == list("B..W..#..B")
    assert str(shot).endswith("Black to move")
    assert str(moved).endswith("White to shoot with d7")
    assert shot == start.after("d1 d7 g7")


def test_the_end_of_the_game() -> None:
    text = "W#..\n##..\n..#B\n..##\nWhite to move"
    over = Amazons.from_text(text)
    assert over.is_terminal()
    assert [over.utility(player) for player in (0, 1)] == [-1, 1]
    assert over.legal_actions() == []
    assert str(over).endswith("Black wins")
    assert Amazons.from_text(str(over)) == over
    assert not Amazons.from_text(text, to_move=1).is_terminal()
    two = Amazons.from_text("W#..\n##..\nW.#B\n..##")
    assert [two.name(action) for action in two.legal_actions()] == ["a2"]


def brute_force(position: Amazons) -> int:
    """The value for the player to move, by trying everything."""
    if position.is_terminal():
        return int(position.utility(position.to_move))
    values = []
    for action in position.legal_actions():
        child = position.play(action)
        values.append(brute_force(child) * (1 if child.to_move == position.to_move else -1))
        if values[-1] == 1:
            return 1
    return -1


def test_the_solver_equals_brute_force() -> None:
    solver, rng = AmazonsSolver(), fresh()
    for size, empty in product((4, 5), (1, 2, 3, 4)):
        position = met(
            Amazons(size), rng, lambda p, n=empty: p.empty.bit_count() == n and p.part == CHOOSE
        )
        values = solver.values(position)
        assert values == {a: brute_force(position.play(a)) for a in position.legal_actions()}
        assert solver.value(position) == brute_force(position)
        graded = exact_for(position).move_values(position)
        assert {action: 2 * value.value - 1 for action, value in graded.items()} == values


def test_evaluations_are_those_of_every_image() -> None:
    rng, known = fresh(), knowledge_of(Amazons()).symmetries
    assert known is not None
    for size in (5, 8):
        for position in random_line(Amazons(size), rng)[:-1:7]:
            for evaluate in (territory, queen_territory, king_territory, mobility):
                values = {evaluate(known.image(position, i)) for i in range(8)}
                assert values == {evaluate(position)}
            other = position._replace(own=position.opp, opp=position.own, part=0, chosen=-1)
            for evaluate in (king_territory, mobility):
                assert evaluate(other) == -evaluate(position)


def test_territory_of_separate_regions() -> None:
    position = Amazons.from_text("W..#.\n...#.\n####.\n...#.\n...#B\nWhite to move")
    assert queen_territory(position) == king_territory(position) == 5 - 4
    assert territory(position) == 1.5
    shared = Amazons.from_text("W...B\n#####\n#####\n#####\n#####\nWhite to move")
    assert queen_territory(shared) == pytest.approx(0.6)
    assert king_territory(shared) == 0


def test_the_picture() -> None:
    position = Amazons(6).after("b1 b4 e4")
    assert svg.svg(position, position.entry(0)).count("<polygon") == 9, "eight, and the caption's"
    placed(Amazons(), position, position.move("a5"))
