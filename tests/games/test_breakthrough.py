"""Breakthrough against a second implementation, OpenSpiel, pyffish, known counts and values."""

import shutil
import subprocess
from random import Random, randrange
from typing import Any

import numpy as np
import pytest
from games.naive_breakthrough import NaiveBreakthrough, Square
from hypothesis import given, settings
from hypothesis import strategies as st
from manual.game_facts import lines_of_play

from adv_envs import Breakthrough, IllegalMove, TicTacToe, reachable
from adv_envs.jit import disabled, kernel
from adv_envs.pictures import places, svg
from agents import AlphaBeta, BreakthroughSolver, ProofNumber, Retrograde, make
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

PERFT = {
    (8, 8, 2): lines_of_play("breakthrough"),
    (6, 6, 2): lines_of_play("breakthrough", height=6, width=6),
    (5, 5, 2): lines_of_play("breakthrough", height=5, width=5),
    (5, 5, 1): lines_of_play("breakthrough", height=5, width=5, men_rows=1),
}
"""By height, width and rows of men."""

VALUES = {
    (3, 3, 1): 1, (4, 2, 1): -1, (4, 3, 1): 1, (4, 4, 1): 1, (5, 4, 1): 1, (4, 3, 2): -1,
    (5, 3, 2): -1, (6, 3, 2): 1,
}  # fmt: skip
"""The value for the first player. 3 x 3, 4 x 2, 4 x 4 with one row and 4 x 3 with two: computed by
others as well."""


@kernel
def perft(position: Any, depth: int) -> int:
    """How many lines of play of ``depth`` plies there are."""
    lines = 0
    for action in range(0 if position.is_terminal() else position.num_actions):
        if position.legal(action):
            lines += 1 if depth == 1 else perft(position.play(action), depth - 1)
    return lines


def fresh_seed() -> int:
    """A seed that is another one in every run, and printed where a test fails."""
    seed = randrange(2**32)
    print(f"seed {seed}")
    return seed


def random_positions(start: Breakthrough, games: int, rng: Random) -> list[Breakthrough]:
    """All unfinished positions of random games."""
    found = []
    for _ in range(games):
        position = start
        while not position.is_terminal():
            found.append(position)
            position = position.play(rng.choice(position.legal_actions()))
    return found


def names(position: Breakthrough) -> list[str]:
    return sorted(position.name(action) for action in position.legal_actions())


# ---- the rules


@pytest.mark.parametrize("size", PERFT)
def test_perft(size: tuple[int, int, int]) -> None:
    depths = PERFT[size][: 3 if SHALLOW else 5]
    start = Breakthrough(*size)
    assert tuple(perft(start, depth) for depth in range(1, len(depths) + 1)) == depths


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("size", PERFT)
def test_deep_perft(size: tuple[int, int, int]) -> None:
    assert perft(Breakthrough(*size), len(PERFT[size])) == PERFT[size][-1]


def same_square(height: int, column: int, row: int) -> Square:
    """The naive game's name of a cell."""
    return column + 1, height - row


@settings(deadline=None)
@given(
    height=st.integers(2, 9),
    width=st.integers(2, 8),
    men_rows=st.integers(1, 4),
    seed=st.integers(0, 2**32),
)
def test_random_games_as_the_naive_one_plays_them(
    height: int, width: int, men_rows: int, seed: int
) -> None:
    height = min(height, 64 // width)
    men_rows = min(men_rows, height // 2)
    position, naive = (
        Breakthrough(height, width, men_rows),
        NaiveBreakthrough(height, width, men_rows),
    )
    rng = Random(seed)
    while True:
        moves = {}
        for action in position.legal_actions():
            row, column = divmod(action // 3, width)
            ahead = -1 if position.to_move == 0 else 1
            start = same_square(height, column, row)
            moves[start, same_square(height, column + action % 3 - 1, row + ahead)] = action
        assert sorted(moves) == sorted(naive.moves())
        for player in (0, 1):
            planes = np.zeros(position.observation_shape)
            position.observe(player, planes)
            assert (planes[:, :, 2] == 1 - player).all()
            for row in range(height):
                for column in range(width):
                    owner = naive.men.get(same_square(height, column, row))
                    assert position.cell(row, column) == owner
                    seen = [owner == player, owner == 1 - player]
                    assert planes[row, column, :2].tolist() == seen
        position.check()
        assert Breakthrough.from_text(str(position), men_rows=men_rows) == position
        assert position.is_terminal() == (naive.winner is not None)
        if position.is_terminal():
            break
        assert position.to_move == naive.to_move
        move = rng.choice(sorted(moves))
        position = position.play(moves[move])
        naive.play(*move)
    assert naive.winner is not None
    assert position.utility(naive.winner) == 1
    assert position.utility(1 - naive.winner) == -1
    arrived = [naive.men[c] for c in naive.men if c[1] == (height, 1)[naive.winner]]
    assert bool(position.winning_cells()) == (naive.winner in arrived)


def test_what_a_man_may_do() -> None:
    position = Breakthrough.from_text(
        """
        . B . .
        B B . .
        W . W .
        . W . .
        """
    )
    assert names(position) == ["a2b3", "b1b2", "c2b3", "c2c3", "c2d3"]
    after = position.move("c2b3")
    assert after.cell(1, 1) == 0
    assert names(after) == ["a3b2", "b4c3"]


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


@pytest.mark.parametrize(
    ("size", "message"),
    [
        ({"height": 1}, "height must be 2 to 32, not 1"),
        ({"width": 1}, "width must be 2 to 32"),
        ({"height": 10**9}, "height must be"),
        ({"height": 9}, "height \\* width must be at most 64"),
        ({"men_rows": 5}, "men_rows must be 1 to 4"),
        ({"men_rows": 0}, "men_rows must be 1 to 4"),
        ({"turn": 2}, "turn must be 0 to 1"),
        ({"own": 1 << 64, "opp": 1}, "sets of cells"),
        ({"own": 3, "opp": 6}, "must not share a cell"),
        ({"own": 1 << 30, "opp": 0}, "must have a man"),
        ({"own": 1, "opp": 1 << 20}, "on the far row"),
        ({"own": 1 << 30, "opp": 3 << 60}, "the first man on the far row"),
        ({"own": (1 << 56) - (1 << 39), "opp": 1}, "the men of White must be 0 to 16, not 17"),
    ],
)
def test_what_is_not_allowed(size: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Breakthrough(**size)


def test_illegal_moves() -> None:
    start = Breakthrough(5, 5)
    for action in (0, 45, 48 - 3, 62, 74, 75, -1):
        assert not start.legal(action)
    with pytest.raises(IllegalMove, match="'b2b4' is not a legal move; legal: a2a3, a2b3, b2a3"):
        start.move("b2b4")
    assert start.move("b2a3") == start.move(48)
    with pytest.raises(ValueError, match="rows of 5 cells"):
        Breakthrough.from_text("B B B B\nW W W W", height=5, width=5)


def test_who_is_to_move_in_a_text() -> None:
    text = "B B\n. .\nW W"
    white, black = (Breakthrough.from_text(text, player, men_rows=1) for player in (0, 1))
    assert (white.to_move, black.to_move) == (0, 1)
    assert Breakthrough.from_text(text, men_rows=1) == white
    assert Breakthrough.from_text(str(black), men_rows=1) == black
    assert (white.own, white.opp) == (black.opp, black.own) == (0b110000, 0b11)


# ---- other programs


def compare_with_open_spiel(games: int, size: tuple[int, int], seed: int) -> int:
    """Random games of both, ply by ply; returns how many plies that were.

    OpenSpiel's player 0 is Black, at the top: its board is ours upside down.
    """
    pyspiel = pytest.importorskip("pyspiel")
    height, width = size
    theirs = pyspiel.load_game(f"breakthrough(rows={height},columns={width})")
    rng, plies = Random(seed), 0
    for _ in range(games):
        position = Breakthrough(height, width, 2 if height >= 6 else 1)
        state = theirs.new_initial_state()
        while not position.is_terminal():
            assert not state.is_terminal()
            assert state.current_player() == position.to_move
            legal = {state.action_to_string(a).rstrip("*"): a for a in state.legal_actions()}
            ours = {upside_down(position.name(a), height): a for a in position.legal_actions()}
            assert legal.keys() == ours.keys(), state.history()
            planes = np.zeros(position.observation_shape)
            position.observe(0, planes)
            board = np.array(state.observation_tensor(0)).reshape(3, height, width)
            assert (board[:2] == planes[::-1, :, :2].transpose(2, 0, 1)).all(), state.history()
            move = rng.choice(sorted(legal))
            position = position.play(ours[move])
            state.apply_action(legal[move])
            plies += 1
        assert state.is_terminal()
        assert state.returns() == [position.utility(0), position.utility(1)]
    return plies


def upside_down(name: str, height: int) -> str:
    """The name of a move on the board with its rows numbered from the other side."""
    first, second = (f"{name[i]}{height + 1 - int(name[i + 1])}" for i in (0, 2))
    return first + second


@pytest.mark.parametrize("size", [(8, 8), (6, 6), (5, 5), (7, 5)])
def test_random_games_as_open_spiel_plays_them(size: tuple[int, int]) -> None:
    assert compare_with_open_spiel(2 if SHALLOW else 5, size, fresh_seed()) > 0


@pytest.mark.slow
def test_thousands_of_games_as_open_spiel_plays_them() -> None:
    seed = fresh_seed()
    plies = sum(compare_with_open_spiel(1000, size, seed) for size in ((8, 8), (6, 6), (5, 5)))
    print(f"{plies} plies compared")
    assert plies > 50_000


def compare_with_pyffish(games: int, seed: int) -> int:
    """Random games of both, ply by ply; returns how many plies that were."""
    pyffish = pytest.importorskip("pyffish")
    rng, plies = Random(seed), 0
    fen = pyffish.start_fen("breakthrough")
    for _ in range(games):
        position: Breakthrough = Breakthrough()
        line: list[str] = []
        while not position.is_terminal():
            assert names(position) == sorted(pyffish.legal_moves("breakthrough", fen, line)), line
            line.append(rng.choice(names(position)))
            position = position.move(line[-1])
            plies += 1
        assert pyffish.legal_moves("breakthrough", fen, line) == [], line
    return plies


def test_random_games_as_pyffish_plays_them() -> None:
    assert compare_with_pyffish(1 if SHALLOW else 3, fresh_seed()) > 0


@pytest.mark.slow
def test_a_thousand_games_as_pyffish_plays_them() -> None:
    plies = compare_with_pyffish(1000, fresh_seed())
    print(f"{plies} plies compared")
    assert plies > 20_000


@pytest.mark.plain
def test_perft_of_fairy_stockfish() -> None:
    program = shutil.which("fairy-stockfish", path="/usr/games:/usr/bin:/usr/local/bin")
    if program is None:
        pytest.skip("fairy-stockfish is not installed")
    lines = "setoption name UCI_Variant value breakthrough\nposition startpos\ngo perft 4\nquit\n"
    answer = subprocess.run(
        [program], input=lines, capture_output=True, text=True, timeout=60, check=True
    )
    assert f"Nodes searched: {PERFT[8, 8, 2][3]}" in answer.stdout


# ---- values


@pytest.mark.parametrize("size", VALUES if not SHALLOW else [(3, 3, 1), (4, 2, 1)])
def test_values_of_small_boards(size: tuple[int, int, int]) -> None:
    found = BreakthroughSolver(table_mb=64).analyse(Breakthrough(*size))
    assert (found.value, found.proven) == (VALUES[size], True)


def test_the_solver_equals_retrograde_analysis() -> None:
    """Every position of one board, and the value of every move."""
    listed, solver = Retrograde(), BreakthroughSolver(table_mb=1)
    positions = [p for p in reachable(Breakthrough(3, 3, 1)) if not p.is_terminal()]
    assert len(positions) > 100
    for position in positions[:: 20 if SHALLOW else 1]:
        assert solver.values(position) == listed.values(position)


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


@pytest.mark.slow
@pytest.mark.compiled
def test_the_second_player_wins_on_5_by_5() -> None:
    """Some minutes and a table of a gigabyte. Source: the forum of Little Golem."""
    found = BreakthroughSolver(table_mb=1024).analyse(Breakthrough(5, 5))
    print(f"{found.nodes:,} positions in {found.seconds:.0f} s")
    assert (found.value, found.proven) == (-1, True)


def test_only_small_boards_are_solved() -> None:
    with pytest.raises(ValueError, match="boards of up to 25 cells"):
        BreakthroughSolver().analyse(Breakthrough(6, 6))
    with pytest.raises(ValueError, match="solves breakthrough, not TicTacToe"):
        BreakthroughSolver().analyse(TicTacToe())
    with pytest.raises(ValueError, match="graded on boards of up to 36 cells"):
        exact_for(Breakthrough())


@pytest.mark.parametrize(("size", "quick_from"), [((5, 5), 10), ((6, 6), 24)])
def test_positions_of_the_middle_of_the_game_are_graded(
    size: tuple[int, int], quick_from: int
) -> None:
    """On boards whose openings take too long."""
    exact, rng = exact_for(Breakthrough(*size)), Random(2)
    longest = max((random_line(Breakthrough(*size), rng) for _ in range(30)), key=len)
    quick = [exact.is_quick(position) for position, _ in longest]
    assert not any(quick[:quick_from])
    assert quick[-1]
    for ply, (position, _) in enumerate(longest):
        assert certain_moves(position) <= ply
        assert exact.is_feasible(position) >= exact.is_quick(position)
    position, action = longest[-1]
    assert exact.move_values(position)[action].value == 1, "the last move has won"


def random_line(position: Any, rng: Random) -> list[tuple[Any, int]]:
    """The positions of a random game, each with its move."""
    line = []
    while not position.is_terminal():
        action = rng.choice(position.legal_actions())
        line.append((position, action))
        position = position.play(action)
    return line


# ---- what is known


def test_evaluations_are_antisymmetric() -> None:
    rng, known = Random(fresh_seed()), knowledge_of(Breakthrough()).symmetries
    assert known is not None
    sizes = [(8, 8, 2), (5, 5, 2), (4, 3, 1)]
    for size in sizes:
        for position in random_positions(Breakthrough(*size), 3, rng):
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
    search, rng, found = AlphaBeta(depth=3), Random(fresh_seed()), {-1: 0, 0: 0, 1: 0}
    games = 1 if SHALLOW else 30
    for position in random_positions(Breakthrough(*size), games, rng):
        known = decided(position)
        found[known] += 1
        if known != 0:
            result = search.analyse(position)
            assert (result.value, result.proven) == (known, True)
        children = map(position.play, position.legal_actions())
        assert known == 1 or not any(child.has_arrived() for child in children)
    assert SHALLOW or min(found.values()) > 0


def test_moves_have_places_of_their_own() -> None:
    for position in random_positions(Breakthrough(6, 6), 1, Random(fresh_seed())):
        found = places(position)
        assert list(found) == position.legal_actions()
        assert len({(place.x, place.y) for place in found.values()}) == len(found)
    assert "<svg" in svg.svg(Breakthrough().move("a2a3"), 3 * 48 + 1)


def test_the_strong_agent_wins_at_once() -> None:
    near = Breakthrough.from_text("B . .\n. . W\n. B .\nW . .", men_rows=1)
    agent = make("alpha_beta(depth=2, evaluate=breakthrough.runners)")
    assert near.name(agent.act(near)) in ("c3c4", "c3b4")
