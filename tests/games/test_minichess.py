"""Gardner's minichess: what its board has no room for, promotion, and Pgx beside it."""

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from games.laws import fresh_seed, utilities

from adv_envs import MiniChess
from adv_envs.position import IllegalMove


def test_pawns_go_one_square_and_nobody_castles() -> None:
    start = MiniChess()
    with pytest.raises(IllegalMove):
        start.move("b2b4")
    free = MiniChess.from_fen("2k2/5/5/5/R3K w - - 0 1")
    assert {name[2:] for name in map(free.name, free.legal_actions()) if name[:2] == "e1"} == {
        *("d1", "d2", "e2"),
    }
    assert (free.castling, free.passant) == (0, 0)


@pytest.mark.parametrize("piece", "qrbn")
@pytest.mark.parametrize(
    ("fen", "move"),
    [("2k2/P4/5/4p/2K2 w - - 0 9", "a4a5"), ("2k2/P4/5/4p/2K2 b - - 0 9", "e2e1")],
)
def test_pawns_of_both_sides_become_four_pieces(fen: str, move: str, piece: str) -> None:
    board = MiniChess.from_fen(fen).move(move + piece).fen().split()[0]
    found = board[0] if move == "a4a5" else board[-1]
    assert found == (piece.upper() if move == "a4a5" else piece)


def test_boards_of_chess_are_refused() -> None:
    with pytest.raises(ValueError, match="five ranks of five squares"):
        MiniChess.from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1")


def names_of_pgx(state: Any, to_map: Any, black: bool) -> Iterator[tuple[str, int]]:
    """The moves of its mask in the notation of UCI; to Black it shows the board turned over."""
    for action in map(int, np.flatnonzero(state.legal_action_mask)):
        start, plane = divmod(action, 49)
        end = int(to_map[start, plane])
        squares = [
            f"{'abcde'[at // 5]}{5 - at % 5 if black else 1 + at % 5}" for at in (start, end)
        ]
        pawn = int(state._board[start]) == 1
        last = pawn and end % 5 == 4
        yield "".join(squares) + ("rbn"[plane // 3] if plane < 9 else "q" if last else ""), action


@pytest.mark.slow
def test_minichess_against_pgx() -> None:
    """Moves, FEN, ends and rewards; Pgx ends games after 256 steps."""
    pgx, jax = pytest.importorskip("pgx"), pytest.importorskip("jax")
    from pgx._src.gardner_chess_utils import TO_MAP

    env, seed, plies = pgx.make("gardner_chess"), fresh_seed(), 0
    rng, key = Random(seed), jax.random.PRNGKey(seed)
    init, step = jax.jit(env.init), jax.jit(env.step)
    while plies < 3000:
        key, draw = jax.random.split(key)
        state, position = init(draw), MiniChess()
        white = int(state.current_player)
        while not position.is_terminal() and state._step_count < 256:
            assert not state.terminated
            assert position.fen() == state._to_fen()
            theirs = dict(names_of_pgx(state, TO_MAP, position.to_move == 1))
            assert {*map(position.name, position.legal_actions())} == {*theirs}, position.fen()
            name = rng.choice(sorted(theirs))
            position, state, plies = position.move(name), step(state, theirs[name]), plies + 1
        assert state.terminated
        if position.is_terminal():
            rewards = [float(state.rewards[player]) for player in (white, 1 - white)]
            assert rewards == utilities(position), position.fen()
    print(f"{plies:,} plies compared")
