"""Amazons against a second implementation, OpenSpiel, pyffish, known counts and values."""

from random import Random, randrange
from typing import Any

import numpy as np
import pytest
from games.naive_amazons import NaiveAmazons
from hypothesis import given, settings
from hypothesis import strategies as st
from manual.game_facts import lines_of_play

from adv_envs import Amazons, IllegalMove, TicTacToe
from adv_envs.bits import scratch
from adv_envs.games.amazons import CHOOSE, MOVE, SHOOT
from adv_envs.jit import disabled, kernel
from adv_envs.pictures import places, svg
from agents import AlphaBeta, AmazonsSolver
from agents.games.amazons import (
    king_territory,
    mobility,
    queen_territory,
    territory,
)
from agents.grading.exact_values import exact_for
from agents.knowledge import knowledge_of

SHALLOW = disabled()

TURNS = {
    10: lines_of_play("amazons", unit="whole turns"),
    8: lines_of_play("amazons", unit="whole turns", size=8),
}
"""Sequences of whole turns, three plies each, by size."""


@kernel
def perft(position: Any, depth: int) -> int:
    """How many lines of play of ``depth`` plies there are."""
    if position.is_terminal():
        return 0
    actions = scratch(position.num_actions)
    number = position.write_legal(actions)
    if depth == 1:
        return int(number)
    lines = 0
    for i in range(number):
        lines += perft(position.play(int(actions[i])), depth - 1)
    return lines


def fresh_seed() -> int:
    """A seed that is another one in every run, and printed where a test fails."""
    seed = randrange(2**32)
    print(f"seed {seed}")
    return seed


def random_line(start: Amazons, rng: Random) -> list[Amazons]:
    """The positions of a random game, the last one finished."""
    line = [start]
    while not line[-1].is_terminal():
        line.append(line[-1].play(rng.choice(line[-1].legal_actions())))
    return line


def ending(rng: Random, size: int, empty: int) -> Amazons:
    """A random unfinished position with so many empty cells, at the beginning of a turn."""
    while True:
        for position in random_line(Amazons(size), rng):
            here = position.empty.bit_count() == empty and position.part == CHOOSE
            if here and not position.is_terminal():
                return position


# ---- the rules


@pytest.mark.parametrize("size", TURNS)
def test_perft(size: int) -> None:
    assert perft(Amazons(size), 3) == TURNS[size][0]


@pytest.mark.slow
@pytest.mark.compiled
def test_deep_perft() -> None:
    assert perft(Amazons(), 6) == TURNS[10][1]


@settings(deadline=None, max_examples=20 if SHALLOW else 60)
@given(size=st.integers(4, 10), seed=st.integers(0, 2**32))
def test_random_games_as_the_naive_one_plays_them(size: int, seed: int) -> None:
    position, rng = Amazons(size), Random(seed)
    cells = [(row, column) for row in range(size) for column in range(size)]
    sides = [[cell for cell in cells if position.cell(*cell) == player] for player in (0, 1)]
    naive = NaiveAmazons(size, *sides)
    planes = np.zeros((2, *position.observation_shape))
    while True:
        moves = [divmod(action, size) for action in position.legal_actions()]
        assert moves == naive.moves()
        assert position.is_terminal() == (not moves)
        assert position.to_move == naive.to_move
        planes[:] = 0
        for player in (0, 1):
            position.observe(player, planes[player])
            for cell in cells:
                there = naive.board[cell]
                seen = [there == player, there == 1 - player, there == "burnt"]
                assert planes[player][cell].tolist() == [*seen, cell == naive.chosen, naive.shoots]
                assert position.cell(*cell) == (there if there in (0, 1) else None)
        position.check()
        assert Amazons.from_text(str(position)) == position
        if not moves:
            break
        move = rng.choice(moves)
        position = position.play(move[0] * size + move[1])
        naive.play(move)
    assert position.utility(naive.to_move) == -1
    assert position.utility(1 - naive.to_move) == 1


def compare_with_open_spiel(games: int, size: int, seed: int) -> int:
    """Random games of both, ply by ply; returns how many plies that were. Actions are the same."""
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game(f"amazons(board_size={size})")
    rng, plies = Random(seed), 0
    for _ in range(games):
        position, state = Amazons(size), theirs.new_initial_state()
        assert theirs.num_distinct_actions() == position.num_actions
        while not position.is_terminal():
            assert not state.is_terminal()
            assert position.to_move == state.current_player()
            assert position.legal_actions() == state.legal_actions(), state.history()
            board = str(state).translate(str.maketrans("XO", "WB")).split()
            ours = position.rows()
            if position.part == MOVE:  # theirs is off the board while it moves
                row, column = divmod(position.chosen, size + 1)
                ours[row][column] = "."
            assert board == ["".join(row) for row in ours], state.history()
            action = rng.choice(position.legal_actions())
            position = position.play(action)
            state.apply_action(action)
            plies += 1
        assert state.is_terminal()
        assert state.returns() == [position.utility(0), position.utility(1)]
    return plies


@pytest.mark.parametrize("size", [6, 8, 10])
def test_random_games_as_open_spiel_plays_them(size: int) -> None:
    assert compare_with_open_spiel(2 if SHALLOW else 4, size, fresh_seed()) > 0


@pytest.mark.slow
def test_a_thousand_games_as_open_spiel_plays_them() -> None:
    seed = fresh_seed()
    plies = sum(compare_with_open_spiel(350, size, seed) for size in (6, 8, 10))
    print(f"{plies} plies compared")
    assert plies > 50_000


def turns(position: Amazons) -> dict[str, Amazons]:
    """Every whole turn as pyffish writes it, and the position after it."""
    found = {}
    for choice in position.legal_actions():
        chosen = position.play(choice)
        for target in chosen.legal_actions():
            moved = chosen.play(target)
            start, end = position.name(choice), chosen.name(target)
            for burnt in moved.legal_actions():
                name = f"{start}{end},{end}{moved.name(burnt)}"
                found[name] = moved.play(burnt)
    return found


def compare_with_pyffish(games: int, stride: int, seed: int) -> int:
    """Random games of both; every ``stride``-th turn all legal ones are compared. Returns turns."""
    pyffish = pytest.importorskip("pyffish")
    fen, rng, number = pyffish.start_fen("amazons"), Random(seed), 0
    for _ in range(games):
        position: Amazons = Amazons()
        line: list[str] = []
        while not position.is_terminal():
            legal = pyffish.legal_moves("amazons", fen, line)
            if len(line) % stride == 0:
                assert sorted(turns(position)) == sorted(legal), line
                number += 1
            line.append(rng.choice(sorted(legal)))
            position = after_turn(position, line[-1])
        assert pyffish.legal_moves("amazons", fen, line) == [], line
    return number


def after_turn(position: Amazons, turn: str) -> Amazons:
    """The position after a turn as pyffish writes it, "a1b2,b2c3"."""
    move, shot = turn.split(",")
    cut = 2 + move[2:3].isdigit()
    start, end = move[:cut], move[cut:]
    return position.after([start, end, shot[len(end) :]])


def test_random_games_as_pyffish_plays_them() -> None:
    assert compare_with_pyffish(1, 8, fresh_seed()) >= 3


@pytest.mark.slow
def test_many_games_as_pyffish_plays_them() -> None:
    number = compare_with_pyffish(40, 1, fresh_seed())
    print(f"{number} turns compared")
    assert number > 1000


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
    with pytest.raises(IllegalMove, match="'e1' is not a legal move; legal: a4, j4, d1, g1"):
        start.move("e1")


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


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"size": 3}, "size must be 4 to 10, not 3"),
        ({"size": 11}, "size must be 4 to 10"),
        ({"turn": 2}, "turn must be 0 to 1"),
        ({"part": 3}, "part must be 0 to 2"),
        ({"chosen": 3}, "chosen must be -1 while part is 0"),
        ({"part": 1}, "chosen must be 0 to 109"),
        ({"part": 1, "chosen": 5}, "an amazon of the player to move that can move"),
        ({"own": 1, "opp": 1}, "must not share a cell"),
        ({"own": 1, "opp": 2, "empty": 3}, "own, opp and empty must not share a cell"),
        ({"own": 1, "opp": 2, "empty": 2}, "own, opp and empty must not share a cell"),
        (
            {"own": 1, "opp": 2, "empty": 1 << 60, "part": 1, "chosen": 0},
            "an amazon of the player to move that can move",
        ),
        ({"own": 1, "opp": 1 << 10}, "sets of cells"),
        ({"own": 1, "opp": 2, "empty": 1 << 10}, "empty must be a set of cells"),
    ],
)
def test_what_is_not_allowed(fields: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Amazons(**fields)


def test_boards_as_text() -> None:
    with pytest.raises(ValueError, match="6 rows of 6 cells, not 4 of 4"):
        Amazons.from_text("W...\n....\n....\n...B", size=6)
    with pytest.raises(ValueError, match="4 rows of 4 cells, not 4 of 5"):
        Amazons.from_text("W....\n.....\n.....\n....B")


# ---- values and what is known


@pytest.mark.compiled
def test_the_second_player_wins_on_4_by_4() -> None:
    """Source: M. Mueller, Solving 5x5 Amazons, 2001."""
    found = AmazonsSolver().analyse(Amazons(4))
    assert (found.value, found.proven) == (-1, True)


@pytest.mark.slow
@pytest.mark.compiled
def test_alpha_beta_agrees_about_4_by_4() -> None:
    full = AlphaBeta(nodes=10**7, evaluate=territory).analyse(Amazons(4))
    assert (full.value, full.proven) == (-1, True)


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
    solver, rng = AmazonsSolver(), Random(fresh_seed())
    for size in (4, 5):
        for empty in (1, 2, 3, 4):
            position = ending(rng, size, empty)
            values = solver.values(position)
            assert values == {
                action: brute_force(position.play(action)) for action in position.legal_actions()
            }
            assert solver.value(position) == brute_force(position)
            graded = exact_for(position).move_values(position)
            assert {action: 2 * value.value - 1 for action, value in graded.items()} == values


def test_only_endings_are_solved() -> None:
    with pytest.raises(ValueError, match="up to 12 empty cells; this one has 17: use alpha_beta"):
        AmazonsSolver().analyse(Amazons(5))
    with pytest.raises(ValueError, match="amazons_solver solves amazons, not TicTacToe"):
        AmazonsSolver().analyse(TicTacToe())


def test_evaluations_are_those_of_every_image() -> None:
    rng, known = Random(fresh_seed()), knowledge_of(Amazons()).symmetries
    assert known is not None
    for size in (5, 8):
        for position in random_line(Amazons(size), rng)[:-1:7]:
            for evaluate in (territory, queen_territory, king_territory, mobility):
                values = {evaluate(known.image(position, i)) for i in range(8)}
                assert values == {evaluate(position)}
            other = position._replace(own=position.opp, opp=position.own, part=0, chosen=-1)
            for evaluate in (king_territory, mobility):
                assert evaluate(other) == -evaluate(position)


@pytest.mark.parametrize("last", ["White to m0ve with a1", "White to with a1", "to move with"])
def test_a_damaged_last_line_is_refused(last: str) -> None:
    with pytest.raises(ValueError, match=r"to move or to shoot with, not|there is no board|chosen"):
        Amazons.from_text(f"W...\n....\n....\n...B\n{last}")


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
    for here in (Amazons(), position, position.move("a5")):
        assert list(places(here)) == here.legal_actions()
