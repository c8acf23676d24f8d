"""Othello: rules that are easily got wrong, deep counts, pictures, evaluations, the solver."""

import itertools
from random import Random
from typing import Any

import pytest
from games.laws import fresh, met, names, owners, perft, placed, random_line
from games.naive_othello import NaiveOthello
from manual.game_facts import lines_of_play

import agents
from adv_envs import Othello
from adv_envs.jit import disabled, kernel
from adv_envs.notation import IllegalMove
from adv_envs.pictures import draw, palette
from agents.games.othello import OthelloPlayer, OthelloSolver, evaluations
from agents.games.othello.solver import EndgameSearch
from agents.knowledge import knowledge_of
from agents.search.alpha_beta import AlphaBeta
from agents.search.limits import counters

FFO_40 = "O..OOOOX\n.OOOOOOX\nOOXXOOOX\nOOXOOOXX\nOOOOOOXX\n...OOOOX\n....O..X\n........"
"""The first position of the test suite of the French Othello federation; X moves, a2 wins by 38."""


def with_empty(start: Any, empty: int, rng: Random) -> Any:
    """An unfinished position of a random game with that many empty cells."""
    cells = start.size**2
    return met(start, rng, lambda p: (p.own | p.opp).bit_count() == cells - empty)


# ---- counts of lines of play; a pass is a ply


@kernel
def finished(position: Any, depth: int) -> int:
    """How many games are over after ``depth`` plies or sooner."""
    if position.is_terminal():
        return 1
    if depth == 0:
        return 0
    games = 0
    for action in range(position.num_actions):
        if position.legal(action):
            games += finished(position.play(action), depth - 1)
    return games


@pytest.mark.slow
@pytest.mark.parametrize(("depth", "lines", "games"), [(10, 24571284, 228), (11, 212258800, 584)])
def test_deep_counts_of_lines_of_play(depth: int, lines: int, games: int) -> None:
    """Published counts have the games that were over before, too; the first are after 9 plies."""
    assert finished(Othello(), depth - 1) == games
    assert perft(Othello(), depth) == lines - games == lines_of_play("othello")[depth - 1]


def test_counts_of_lines_of_play_by_fairy_stockfish() -> None:
    fish = pytest.importorskip("pyffish")

    def lines(fen: str, depth: int) -> int:
        moves = fish.legal_moves("flipello", fen, [])
        if depth == 1:
            return len(moves)
        return sum(lines(fish.get_fen("flipello", fen, [move]), depth - 1) for move in moves)

    for depth in range(1, 5):
        assert lines(fish.start_fen("flipello"), depth) == lines_of_play("othello")[depth - 1]


# ---- rules that are easily got wrong


def test_the_start() -> None:
    position = Othello()
    assert position.cell(3, 3) == position.cell(4, 4) == 1
    assert position.cell(3, 4) == position.cell(4, 3) == 0
    assert names(position) == ["d3", "c4", "f5", "e6"]
    assert Othello(8) == Othello(size=8, margin=False) == position.start()


def test_no_line_wraps_around_an_edge() -> None:
    """Discs at the ends of rows, of which the next row begins with one of the other colour."""
    text = "......XO\nO.......\n.......X\nO..OX..X\n...XO..O\nO.......\nX.......\n.......O"
    position = Othello.from_text(text, to_move=0)
    naive = NaiveOthello()
    naive.discs = owners(position)
    assert position.legal_actions() == naive.actions()
    assert position.play(64).legal_actions() == naive.placements(1)


def test_passing() -> None:
    position = Othello.from_text("X X X X\nX O X X\nX X O .\nX X X .", to_move=1)
    assert position.legal_actions() == [16] == [position.action("pass")]
    assert not any(position.legal(action) for action in range(16))
    after = position.move("pass")
    assert (after.to_move, after.ply) == (0, position.ply + 1)
    assert after.legal_actions() == [11, 15]
    with pytest.raises(IllegalMove, match="legal: d3, d4"):
        after.move("pass")


def test_the_game_ends_when_neither_player_can_move() -> None:
    position = Othello.from_text(". X X X\nX X X X\nX X X X\nX X O X", to_move=1)
    assert position.is_terminal()
    assert position.legal_actions() == []
    assert position.utility(0) == 1
    assert Othello(4, True, *position[2:]).utility(0) == 13
    assert Othello(4, True, *position[2:]).max_utility == 16


# ---- text and errors


@pytest.mark.parametrize("size", [4, 6, 8])
def test_text_is_read_back(size: int) -> None:
    for position in random_line(Othello(size), fresh()):
        found = Othello.from_text(str(position), to_move=position.to_move)
        assert found.to_move == position.to_move
        assert (found.own, found.opp, found.moves) == position[2:5]


# ---- pictures


def test_the_picture_tells_the_winner_and_by_how_much() -> None:
    over = Othello.from_text(". X X X\nX X X X\nX X X X\nX X O X", to_move=1)
    assert draw(over).title == "Black wins, 14 to 1"
    assert draw(Othello()).title == "Black to move"


def test_moves_have_their_places_and_the_last_one_a_mark() -> None:
    position = Othello(6).after("c2")
    placed(position)
    plain = len(draw(position).shapes)
    assert [len(draw(position, last=last).shapes) - plain for last in (8, 36)] == [1, 0]


@pytest.mark.parametrize("colour", [palette.BLACK, palette.WHITE])
def test_discs_are_seen_on_the_board(colour: palette.Colour) -> None:
    assert palette.contrast(colour, palette.FELT) >= 3
    assert palette.contrast(colour.dark, palette.FELT.dark) >= 3


# ---- what is known


def test_evaluations_are_fair_and_symmetric() -> None:
    rng, symmetries = fresh(), knowledge_of(Othello()).symmetries
    assert symmetries is not None
    mobility, discs = (getattr(f, "plain", f) for f in (evaluations.mobility, evaluations.discs))
    for size in (4, 6, 8):
        position = with_empty(Othello(size), size * size // 2, rng)
        for i in range(8):
            image = symmetries.image(position, i)
            board = Othello(size, own=image.own, opp=image.opp, ply=position.ply)
            assert mobility(board) == mobility(position)
        turned = Othello(size, own=position.opp, opp=position.own, ply=position.ply)
        assert mobility(turned) == pytest.approx(-mobility(position))
        assert discs(turned) == -discs(position)


def test_corners_are_worth_much() -> None:
    start = Othello()
    corner, bad = start.own | 1, start.own | 1 << 9
    mobility = getattr(evaluations.mobility, "plain", evaluations.mobility)
    value = mobility(start)
    assert mobility(Othello(own=corner, opp=start.opp, ply=1)) > value + 5
    assert mobility(Othello(own=bad, opp=start.opp, ply=1)) < value


def test_four_by_four_is_lost_by_eight_discs() -> None:
    solver = OthelloSolver(table_mb=4)
    if disabled():
        assert solver.value(Othello(4).after("b1 a1 a2 c1")) == -8
        return
    assert solver.value(Othello(4)) == -8
    assert solver.values(Othello(4)) == dict.fromkeys(Othello(4).legal_actions(), -8.0)
    line = solver.line(Othello(4, margin=True))
    assert Othello(4, margin=True).after(line).utility(0) == -8
    assert OthelloSolver(table_mb=1, weak=True).value(Othello(4)) == -1


def best_play(position: Any) -> int:
    """The own discs minus the opponent's with best play, by looking at every line of play."""
    if position.is_terminal():
        return int(position.own.bit_count() - position.opp.bit_count())
    return max(-best_play(position.play(action)) for action in position.legal_actions())


@pytest.mark.parametrize("size", [4, pytest.param(6, marks=pytest.mark.thorough), 8])
def test_the_solver_is_as_exact_as_looking_at_everything(size: int) -> None:
    rng, solver, weak = fresh(), OthelloSolver(table_mb=1), OthelloSolver(table_mb=1, weak=True)
    for _ in range(2 if disabled() else 10):
        empty = 6 if disabled() else 9 if size == 4 else 7
        position = with_empty(Othello(size, True), empty, rng)
        expected = best_play(position)
        assert solver.value(position) == expected
        assert weak.value(position) == (expected > 0) - (expected < 0)
        values = solver.values(position)
        assert max(values.values()) == expected
        assert values[solver.act(position)] == expected
        *_, last = solver.analysis(position)
        assert last.proven
        assert last.value == expected
        player = position.to_move
        assert position.after(last.principal_variation).utility(player) == expected


@pytest.mark.plain
def test_the_search_with_a_table_is_as_exact_too() -> None:
    """``finish`` takes on the last two discs only, and the table is as small as can be."""
    rng, search = fresh(), EndgameSearch(Othello(6), 1e-4, FEW=2, PROBED_FROM=4)
    for _ in range(30):
        position = with_empty(Othello(6), 6, rng)
        expected = best_play(position)
        assert search.score(position, counters(), -64, 64) == expected
        low, high = sorted((rng.randrange(-20, 20), rng.randrange(-20, 20)))
        found = search.score(position, counters(), low, high + 1)
        assert min(max(found, low), high + 1) == min(max(expected, low), high + 1)


@pytest.mark.slow
def test_the_solver_is_as_exact_as_alpha_beta() -> None:
    rng, solver = fresh(), OthelloSolver()
    search = agents.make("alpha_beta(nodes=1000000000)")
    for size, empty in itertools.product((6, 8), range(8, 13)):
        for _ in range(20):
            position = with_empty(Othello(size, True), empty, rng)
            result = search.analyse(position)
            assert result.proven
            assert solver.value(position) == result.value


@pytest.mark.compiled
@pytest.mark.thorough
def test_a_position_of_the_test_suite_of_the_french_federation() -> None:
    position = Othello.from_text(FFO_40, to_move=0)
    assert 64 - (position.own | position.opp).bit_count() == 20
    solver = OthelloSolver()
    assert solver.value(position) == 38
    assert position.name(solver.act(position)) == "a2"


# ---- other programs by GTP


def test_passes_are_not_told() -> None:
    position, gtp = Othello(4).after("b1 a1 a2 c1 d4 a3 d1"), knowledge_of(Othello()).gtp
    assert gtp.vertex(position, position.action("b4")) == "b4"
    position = Othello.from_text("X X X X\nX O X X\nX X O .\nX X X .", to_move=1)
    assert gtp.vertex(position, 16) == ""
    assert gtp.action(position, "pass") == 16
    assert gtp.turned(position, 0) == position.play(16)
    with pytest.raises(ValueError, match="no other move passes"):
        gtp.turned(Othello(), 1)
    assert gtp.score(position.after("pass d3 d4")) == "B+10"
    assert list(gtp.settings(position)) == ["boardsize 4"]


@pytest.mark.plain
def test_the_player_changes_to_the_solver() -> None:
    rng = fresh()
    player = OthelloPlayer(depth=1, exact=5, table_mb=1)
    assert player.act(Othello(4)) in Othello(4).legal_actions()
    position = with_empty(Othello(4, True), 5, rng)
    assert player.analyse(position).proven
    assert player.value(position) == OthelloSolver(table_mb=1).value(position)
    assert player.values(position) == OthelloSolver(table_mb=1).values(position)
    early = AlphaBeta(1, evaluate=evaluations.mobility, order="own", table_mb=1)
    assert player.values(Othello(4)) == early.values(Othello(4))
    while not position.is_terminal():
        position = position.play(rng.choice(position.legal_actions()))
    assert player.values(position) == {}
    assert repr(player) == "othello_player(depth=1, exact=5, table_mb=1)"
    for wrong in (-1, 65):
        with pytest.raises(ValueError, match="exact must be 0 to 64"):
            OthelloPlayer(exact=wrong)
    with pytest.raises(TypeError, match="exact must be a number of empty cells"):
        OthelloPlayer(exact=True)


def test_limits_that_are_set_later_count() -> None:
    """Programs that control an agent set them for each move."""
    player = OthelloPlayer(nodes=1000, exact=5)
    player.nodes = 10
    start = Othello(6)
    assert player.analyse(start).nodes <= 10 + start.num_actions
