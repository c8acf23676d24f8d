"""Numbers of games, positions and results that others computed or published: the table ORACLES.

Each test says where its number is from: computed (by an independent program) or literature. Without
the compiler the depths are smaller, and what takes minutes is marked slow.
"""

import itertools
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from adv_envs import ConnectFour, Fig52, Hex, Position, ThirtyOne, TicTacToe
from adv_envs.jit import disabled, kernel

SHALLOW = disabled()
"""Whether everything runs as plain Python, some hundred times slower."""


# ---- counting, compiled


@kernel
def outcomes(position: Any, counts: Any) -> None:
    """Add up the games that begin here: counts (3,) of losses, draws and wins of player 0."""
    if position.is_terminal():
        counts[int(position.utility(0)) + 1] += 1
        return
    for action in range(position.num_actions):
        if position.legal(action):
            outcomes(position.play(action), counts)


@kernel
def playouts(start: Any, games: int, seed: int, counts: Any) -> int:
    """The plies of ``games`` random games, all together; counts as in ``outcomes``."""
    plies, state = 0, seed
    for _ in range(games):
        position = start
        while not position.is_terminal():
            legal = 0
            for action in range(position.num_actions):
                legal += position.legal(action)
            state = (state * 1103515245 + 12345) & 0x7FFFFFFF
            chosen = (state >> 8) % legal
            action = 0
            while not position.legal(action) or chosen > 0:
                chosen -= position.legal(action)
                action += 1
            position = position.play(action)
            plies += 1
        counts[int(position.utility(0)) + 1] += 1
    return plies


@kernel
def make(like: Any, own: int, opp: int, ply: int) -> Any:
    """A position of the game of ``like``; each test binds its own."""
    return like


def make_tic_tac_toe(like: Any, own: int, opp: int, ply: int) -> Any:
    return TicTacToe(like.height, like.width, like.k, own, opp, ply)


def make_connect_four(like: Any, own: int, opp: int, ply: int) -> Any:
    return ConnectFour(like.height, like.width, like.k, own, opp, ply)


def make_hex(like: Any, own: int, opp: int, ply: int) -> Any:
    mine = joined(like, own, ply % 2)
    theirs = joined(like, opp, 1 - ply % 2)
    won = like.joins(theirs, 1 - ply % 2)
    return Hex(like.size, like.swap, own, opp, mine, theirs, won, ply)


def joined(like: Any, stones: int, player: int) -> int:
    """Those of ``stones`` that are joined to the first edge of ``player``."""
    edge = 0
    for i in range(like.size):
        edge |= 1 << (i if player == 0 else i * (like.size + 1))
    found = 0
    grown = stones & edge
    while grown != 0:
        found |= grown
        grown = like.neighbours(grown) & stones & ~found
    return found


@kernel
def children(like: Any, ply: int, boards: Any, found: Any, counts: Any) -> int:
    """Write the boards after ``boards`` (n, 2), own and opp at ``ply``, into found (m, 2).

    counts (2, 3): boards that go on (in the middle), and finished ones by their utility.
    """
    n = 0
    for i in range(len(boards)):
        position = make(like, boards[i, 0], boards[i, 1], ply)
        if position.is_terminal():
            counts[1, int(position.utility(0)) + 1] += 1
            continue
        counts[0, 1] += 1
        for action in range(position.num_actions):
            if position.legal(action):
                child = position.play(action)
                found[n, 0] = child.own
                found[n, 1] = child.opp
                n += 1
    return n


MAKE = {TicTacToe: make_tic_tac_toe, ConnectFour: make_connect_four, Hex: make_hex}


def levels(start: Any, plies: int = 99) -> Iterator[tuple[int, Any]]:
    """For each ply: how many different positions, and how many of them go on or are finished."""
    expand = children.bind(make=MAKE[type(start)])
    boards = np.zeros((1, 2), np.int64)
    for ply in range(plies + 1):
        counts = np.zeros((2, 3), np.int64)
        found = np.zeros((len(boards) * start.num_actions, 2), np.int64)
        n = expand(start, ply, boards, found, counts)
        yield len(boards), counts
        if not n:
            return
        found = found[:n][np.lexsort(found[:n].T)]
        new = np.append(True, np.any(found[1:] != found[:-1], axis=1))
        boards = found[new]


def reachable(start: Any) -> tuple[int, dict[int, int]]:
    """How many positions there are, and of how many finished ones player 0 has won, drawn, lost."""
    total, ends = 0, np.zeros(3, np.int64)
    for positions, counts in levels(start):
        total += positions
        ends += counts[1]
    return total, {1: int(ends[2]), 0: int(ends[1]), -1: int(ends[0])}


# ---- counting and solving any game, in plain Python


def positions(start: Position) -> set[Any]:
    """Every position that can be reached."""
    seen, todo = {start}, [start]
    for position in todo:
        for action in position.legal_actions():
            child = position.play(action)
            if child not in seen:
                seen.add(child)
                todo.append(child)
    return seen


def value(position: Any, known: dict[Any, float]) -> float:
    """What the game is worth to the player to move: 1, 0 or -1; games of two who alternate."""
    if position in known:
        return known[position]
    if position.is_terminal():
        best = position.utility(position.to_move)
    else:
        best = -1.0
        for action in position.legal_actions():
            best = max(best, -value(position.play(action), known))
            if best == 1:
                break
    known[position] = best
    return best


# ---- tic-tac-toe


def test_tic_tac_toe_games() -> None:
    """Computed: 255,168 games; 131,184 X, 77,904 O, 46,080 draws."""
    counts = np.zeros(3, np.int64)
    outcomes(TicTacToe(), counts)
    assert counts.tolist() == [77_904, 46_080, 131_184]


def test_tic_tac_toe_positions() -> None:
    """Computed: 5,478, of which 4,520 go on, 626 X wins, 316 O wins, 16 draws; by ply."""
    found = positions(TicTacToe())
    assert len(found) == 5478
    ends = Counter(p.utility(0) for p in found if p.is_terminal())
    assert ends == {1: 626, -1: 316, 0: 16}
    plies = Counter(position.ply for position in found)
    assert [plies[ply] for ply in range(10)] == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert reachable(TicTacToe()) == (5478, dict(ends))


def test_tic_tac_toe_positions_up_to_symmetry() -> None:
    """Computed: 765."""

    def images(position: Any) -> Iterator[tuple[int | None, ...]]:
        cells = [[position.cell(row, column) for column in range(3)] for row in range(3)]
        for _ in range(4):
            cells = [list(row) for row in zip(*cells[::-1], strict=True)]
            yield tuple(itertools.chain(*cells))
            yield tuple(itertools.chain(*(row[::-1] for row in cells)))

    def key(position: Any) -> list[int]:
        return min(
            [-1 if owner is None else owner for owner in image] for image in images(position)
        )

    assert len({tuple(key(position)) for position in positions(TicTacToe())}) == 765


def test_tic_tac_toe_at_random() -> None:
    """Computed: X wins 737/1260 of random games, O 121/420, and 8/63 are drawn."""
    known: dict[Any, Any] = {}

    def chances(position: Any) -> Any:
        if position not in known:
            if position.is_terminal():
                known[position] = {position.utility(0): Fraction(1)}
            else:
                legal = position.legal_actions()
                mixed: Counter[float] = Counter()
                for action in legal:
                    for result, chance in chances(position.play(action)).items():
                        mixed[result] += chance / len(legal)  # type: ignore[assignment]
                known[position] = mixed
        return known[position]

    assert chances(TicTacToe()) == {
        1: Fraction(737, 1260),
        -1: Fraction(121, 420),
        0: Fraction(8, 63),
    }


@pytest.mark.parametrize(
    ("size", "count", "worth"),
    [
        ((3, 3, 3), 5478, 0),
        ((3, 3, 2), 1234, 1),
        pytest.param((4, 3, 3), 111_973, 1, marks=pytest.mark.skipif(SHALLOW, reason="slow")),
        pytest.param((4, 3, 4), 142_231, 0, marks=pytest.mark.slow),
    ],
)
def test_boards_of_other_sizes(size: tuple[int, int, int], count: int, worth: int) -> None:
    """Computed: how many positions, and who wins."""
    assert reachable(TicTacToe(*size))[0] == count
    assert value(TicTacToe(*size), {}) == worth


def test_four_in_a_four_by_four_corner() -> None:
    """Computed: 4,4,3 is a win."""
    assert value(TicTacToe(4, 4, 3).after("b2" if SHALLOW else ""), {}) == (-1 if SHALLOW else 1)


@pytest.mark.slow
def test_four_by_four() -> None:
    """Computed: 9,722,011 positions of 4,4,4."""
    assert reachable(TicTacToe(4, 4, 4))[0] == 9_722_011


# ---- Connect Four


def test_connect_four_positions_by_ply() -> None:
    """Computed: different positions at plies 0 to 9."""
    expected = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186]
    depth = 6 if SHALLOW else 9
    assert [count for count, _ in levels(ConnectFour(), depth)] == expected[: depth + 1]


def test_connect_four_on_a_small_board() -> None:
    """Computed: 161,029 positions of 4x4. Literature: a draw."""
    if SHALLOW:
        assert value(ConnectFour(4, 4).after("2233"), {}) == 0
        return
    assert reachable(ConnectFour(4, 4))[0] == 161_029
    assert value(ConnectFour(4, 4), {}) == 0


@pytest.mark.slow
def test_connect_four_five_wide() -> None:
    """Literature: 5 wide, 4 high is a draw."""
    assert value(ConnectFour(4, 5), {}) == 0


def test_connect_four_at_random() -> None:
    """Computed: the first player wins 55.56 % of random games, which last 21.31 plies."""
    counts, games = np.zeros(3, np.int64), 300 if SHALLOW else 400_000
    plies = playouts(ConnectFour(), games, 1, counts)
    assert counts.sum() == games
    assert counts[2] / games == pytest.approx(0.5556, abs=0.1 if SHALLOW else 0.004)
    assert plies / games == pytest.approx(21.31, abs=1.5 if SHALLOW else 0.05)


# ---- Hex


def test_hex_positions() -> None:
    """Computed: 2x2 32; 3x3 5,514, of which 624 are won by the first player, 370 by the second."""
    assert len(positions(Hex(2))) == reachable(Hex(2))[0] == 32
    found = positions(Hex(3))
    assert len(found) == 5514
    ends = Counter(p.utility(0) for p in found if p.is_terminal())
    assert ends == {1: 624, -1: 370}
    assert reachable(Hex(3)) == (5514, {1: 624, 0: 0, -1: 370})


@pytest.mark.slow
def test_hex_positions_of_four_by_four() -> None:
    """Computed: 9,386,235."""
    assert reachable(Hex(4))[0] == 9_386_235


@pytest.mark.parametrize(
    "openings",
    [
        ".W/W.",
        "..W/WWW/W..",
        pytest.param("...W/..W./.W../W...", marks=pytest.mark.slow),
    ],
)
def test_hex_openings(openings: str) -> None:
    """Literature and computed: the first stones that win, rows top to bottom."""
    size, known = len(openings.split("/")), {}  # type: ignore[var-annotated]
    wins = [-value(Hex(size).play(action), known) for action in range(size * size)]
    assert ["W" if won == 1 else "." for won in wins] == list(openings.replace("/", ""))
    assert value(Hex(size), known) == 1


@pytest.mark.parametrize(("size", "share"), [(7, 0.545), (11, 0.524)])
def test_hex_at_random(size: int, share: float) -> None:
    """Computed: of boards filled at random the first player wins 54.5 % (7x7), 52.4 % (11x11)."""
    counts = np.zeros(3, np.int64)
    games = 40 if SHALLOW else 40_000 if size == 7 else 8_000
    playouts(Hex(size), games, 5, counts)
    assert counts[0] + counts[2] == games
    assert counts[2] / games == pytest.approx(share, abs=0.25 if SHALLOW else 0.02)


# ---- the Game of 31


def test_thirty_one_positions() -> None:
    """Computed: 3,551 of 15,625 can be reached; 397 finished: 331 at 31, 66 at 28 to 30."""
    found = positions(ThirtyOne())
    assert ThirtyOne().state_space() == 15_625
    assert len(found) == 3551
    totals = Counter(p.total for p in found if p.is_terminal())
    assert totals.total() == 397
    assert totals[31] == 331
    assert totals[28] + totals[29] + totals[30] == 66


def test_the_first_player_wins_the_game_of_31() -> None:
    """Computed; and the last to move wins, at 31 or below."""
    known: dict[Any, float] = {}
    assert value(ThirtyOne(), known) == 1
    assert all(p.utility(p.to_move) == -1 for p in known if p.is_terminal())


def test_staying_on_3_10_17_24_loses_to_a_player_who_exhausts_a_token() -> None:
    """Literature (Dudeney): 3 against the strategy, then always back to the same remainder of 7."""
    position: Any = ThirtyOne().after("3")
    while not position.is_terminal():
        step = (3 - position.total) % 7
        natural = [step - 1] if 1 <= step <= 6 and position.legal(step - 1) else []
        if position.to_move == 0:  # the strategy, as long as it can
            action = natural[0] if natural else position.legal_actions()[-1]
        else:
            known: dict[Any, float] = {}
            action = max(position.legal_actions(), key=lambda a: -value(position.play(a), known))
        position = position.play(action)
    assert position.utility(1) == 1


# ---- figure 5.2


def test_fig52() -> None:
    """AIMA figure 5.2: 13 nodes, nine of them leaves; worth 3 by a1."""
    found = positions(Fig52())
    assert len(found) == 13
    assert sum(p.is_terminal() for p in found) == 9
    assert [min(Fig52().play(a).play(b).utility(0) for b in range(3)) for a in range(3)] == [
        3,
        2,
        2,
    ]
