"""Solvers against known values, retrograde analysis, alpha-beta, and what they refuse."""

from functools import partial
from random import Random
from typing import Any

import pytest
from games.laws import met, sampled, solves

from adv_envs import (
    Amazons,
    Breakthrough,
    Clobber,
    Domineering,
    DotsAndBoxes,
    Kalah,
    Nim,
    Pig,
    TicTacToe,
    start_position,
)
from adv_envs.jit import disabled
from adv_envs.registry import GAMES
from agents import (
    AlphaBeta,
    AmazonsSolver,
    BreakthroughSolver,
    ClobberSolver,
    DomineeringSolver,
    MarginSolver,
    NimSolver,
    ThreatSearch,
    make,
)
from agents.faults import CannotPlay, require_player
from agents.games.amazons import territory
from agents.games.backgammon import TurnSearch
from agents.games.kalah import left
from agents.grading.exact_values import exact_for

SHALLOW = disabled()

BREAKTHROUGH = {
    (3, 3, 1): 1, (4, 2, 1): -1, (4, 3, 1): 1, (4, 4, 1): 1, (5, 4, 1): 1, (4, 3, 2): -1,
    (5, 3, 2): -1, (6, 3, 2): 1,
}  # fmt: skip
"""The value for the first player. 3 x 3, 4 x 2, 4 x 4 with one row and 4 x 3 with two: computed by
others as well."""

DOTS_AND_BOXES = {(1, 1): -1, (1, 2): 0, (1, 3): -1, (2, 2): 2, (2, 3): -2}
"""The margin of the first player, computed by others."""

KALAH = {1: (0, -2, 6, -2, 2, 0), 2: (2, -2, -2, -10), 3: (0, 4, 2), 4: (2, 6)}
"""By pits, then seeds from 1 on: the margin of the first player, computed by others."""

VALUES: list[tuple[Any, Any, int, bool]] = [
    *(
        (
            partial(BreakthroughSolver, 64),
            Breakthrough(*size),
            value,
            size in ((3, 3, 1), (4, 2, 1)),
        )
        for size, value in BREAKTHROUGH.items()
    ),
    *(
        (
            partial(MarginSolver, 8),
            DotsAndBoxes(*size),
            value,
            sum(size) < 5,
        )
        for size, value in DOTS_AND_BOXES.items()
    ),
    *(
        (partial(MarginSolver, 1), Kalah(pits, seeds), value, (pits, seeds) != (3, 3))
        for pits, values in KALAH.items()
        for seeds, value in enumerate(values, 1)
    ),
    # The first player wins both: G. Irving et al., 2000; by how much, we computed.
    *((MarginSolver, Kalah(4, 4, empty_capture), 2, False) for empty_capture in (False, True)),
    # M. Mueller, Solving 5x5 Amazons, 2001.
    (AmazonsSolver, Amazons(4), -1, False),
]
"""The solver, the start, its value, and whether plain Python finds it soon."""


@pytest.mark.parametrize(
    ("solver", "start", "value"),
    [
        pytest.param(*case, marks=[] if soon else pytest.mark.compiled)
        for *case, soon in VALUES
        if soon or not SHALLOW
    ],
)
def test_known_values(solver: Any, start: Any, value: int) -> None:
    found = solver().analyse(start)
    assert (found.value, found.proven) == (value, True)


@pytest.mark.compiled
def test_three_by_three_boxes() -> None:
    """The second player wins by 6 boxes to 3, as alpha-beta without the solver finds too."""
    assert MarginSolver().value(DotsAndBoxes()) == -3


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(
    ("solver", "start", "value"),
    [
        (partial(AlphaBeta, nodes=10**7, evaluate=territory), Amazons(4), -1),
        (partial(MarginSolver, 200), Kalah(6, 3), 2),
        # Some minutes and a table of a gigabyte. Source: the forum of Little Golem.
        (partial(BreakthroughSolver, 1024), Breakthrough(5, 5), -1),
    ],
)
def test_values_that_take_long(solver: Any, start: Any, value: int) -> None:
    test_known_values(solver, start, value)


@pytest.mark.parametrize(
    ("solver", "start", "count"),
    [
        (partial(BreakthroughSolver, 1), Breakthrough(3, 3, 1), 20 if SHALLOW else 999),
        *(
            (partial(ClobberSolver, 1), Clobber(*size), 20 if SHALLOW else 100)
            for size in ((2, 3), (3, 3), (1, 8), (2, 5))
        ),
        *(
            (partial(DomineeringSolver, 1), Domineering(*size), 20 if SHALLOW else 100)
            for size in ((3, 3), (4, 3), (2, 5), (4, 4))
        ),
        *(
            (partial(MarginSolver, 1), DotsAndBoxes(*size, True), 200)
            for size in ((1, 2), (1, 3), *([] if SHALLOW else [(2, 2)]))
        ),
        *(
            (partial(MarginSolver, 1), Kalah(*size, empty_capture), 60)
            for size in ((1, 5), (2, 2), (2, 3), (3, 1), (3, 2))
            for empty_capture in (False, True)
        ),
    ],
)
def test_as_retrograde_analysis(solver: Any, start: Any, count: int) -> None:
    solves(solver(), sampled(start, count))


@pytest.mark.parametrize("start", [Nim(123), Nim(133, misere=True), Nim(111, misere=True)])
def test_nim_as_retrograde_analysis(start: Nim) -> None:
    """At every position: the value of every move, and a line of best play to the end."""
    solver, graded = NimSolver(), exact_for(start)
    positions = sampled(start, 10**6)
    solves(solver, positions)
    for position in positions:
        values = solver.values(position)
        assert {a: 2 * v.value - 1 for a, v in graded.move_values(position).items()} == values
        followed(position, solver.analyse(position))


def followed(position: Any, found: Any) -> None:
    """The line of best play ends with the value."""
    end = position.after(found.principal_variation)
    assert end.is_terminal()
    assert end.utility(position.to_move) == found.value


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("start", "late"),
    [
        (DotsAndBoxes(4, 5, True), lambda position: position.edges.bit_count() >= 49 - 13),
        (Kalah(), lambda position: left(position) <= 12),
        (Kalah(empty_capture=True), lambda position: left(position) <= 12),
    ],
)
def test_endings_of_large_boards_as_alpha_beta(start: Any, late: Any) -> None:
    solver, search = MarginSolver(table_mb=8), make("alpha_beta(nodes=9000000)")
    for seed in range(5):
        position = met(start, Random(seed), late)
        found = solver.analyse(position)
        assert found.proven
        assert found.value == search.analyse(position).value
        followed(position, found)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: AmazonsSolver().analyse(Amazons(5)), "12 empty cells; this one has 17: use alpha"),
        (lambda: AmazonsSolver().analyse(TicTacToe()), "amazons_solver solves amazons, not Tic"),
        (lambda: BreakthroughSolver().analyse(Breakthrough(6, 6)), "boards of up to 25 cells"),
        (lambda: BreakthroughSolver().analyse(TicTacToe()), "solves breakthrough, not TicTacToe"),
        (lambda: exact_for(Breakthrough()), "graded on boards of up to 36 cells"),
        (lambda: ClobberSolver().value(Clobber()), "such as the start of 4 x 5; not 30 stones on"),
        (lambda: ClobberSolver().act(TicTacToe()), "plays clobber, not TicTacToe"),
        (lambda: exact_for(Clobber(8, 8)), "graded on boards with height . .width . 1. up to 63"),
        (lambda: DomineeringSolver().value(Domineering()), "7 x 8"),
        (lambda: DomineeringSolver().act(TicTacToe()), "plays domineering, not TicTacToe"),
        (lambda: MarginSolver().value(TicTacToe()), "margin_solver solves games with margins"),
        (lambda: NimSolver().analyse(TicTacToe()), "nim_solver solves nim, not TicTacToe"),
        (lambda: NimSolver().analyse(Nim(left=0)), "over"),
        (lambda: ThreatSearch().act(TicTacToe()), "plays gomoku, not TicTacToe"),
        (lambda: ThreatSearch(width=-1), "width"),
        (lambda: TurnSearch(3), "depth must be 1 to 2, not 3"),
        (lambda: TurnSearch().act(Pig()), "turn_search plays backgammon, not Pig"),
    ],
)
def test_what_is_refused(ask: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ask()


PLAYERS = {
    "amazons_solver": "amazons", "animal_shogi_solver": "animal_shogi", "bear_off": "backgammon",
    "breakthrough_solver": "breakthrough", "chess_endings": "chess", "clobber_solver": "clobber",
    "connect_four_solver": "connect_four", "domineering_solver": "domineering",
    "equity_player": "texas_holdem", "gin_rummy_player": "gin_rummy", "hex_solver": "hex",
    "iggi": "hanabi", "nim_solver": "nim", "nine_mens_morris_endings": "nine_mens_morris",
    "othello_player": "othello", "othello_solver": "othello", "pig_solver": "pig",
    "quoridor_solver": "quoridor", "rush": "hex", "threat_search": "gomoku",
    "turn_search": "backgammon", "y_solver": "y",
}  # fmt: skip
"""Agents of one game."""


@pytest.mark.plain
@pytest.mark.parametrize("name", PLAYERS)
def test_a_player_of_one_game_says_that_it_plays_no_other(name: str) -> None:
    for game in GAMES:
        if not game.startswith(PLAYERS[name]):
            with pytest.raises(CannotPlay, match=r" (plays|solves|knows) "):
                require_player(make(name), start_position(game))
