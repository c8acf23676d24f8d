"""Chess: perft, the rules, python-chess and PettingZoo, evaluations, endings, text."""

import io
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from games.laws import fresh, names, perft, seen, utilities
from games.naive_chess import NaiveChess
from manual.game_facts import lines_of_play

import adv_envs
import agents
from adv_envs import Chess, IllegalMove
from adv_envs.formats import pgn
from adv_envs.jit import disabled
from adv_envs.notation import read_line
from adv_envs.registry import start_position
from adv_envs.testing.game_laws import LAWS, same_answers_compiled
from agents.games.chess import PAWN, material, noise, pesto, random_ending, solved

POSITIONS = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": lines_of_play("chess"),
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1": (
        *(48, 2039, 97862, 4085603, 193690690),
    ),
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": (14, 191, 2812, 43238, 674624),
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": (
        *(6, 264, 9467, 422333, 15833292),
    ),
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": (
        *(44, 1486, 62379, 2103487, 89941194),
    ),
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10": (
        *(46, 2079, 89890, 3894594, 164075551),
    ),
}
"""The standard positions and their lines of 1 to 5 plies. Source: chessprogramming.org, Perft
Results; the first of each also from OpenSpiel's chess_test.cc."""

START = next(iter(POSITIONS))
DANCE = "Nf3 Nf6 Ng1 Ng8 "

EN_PASSANT = {
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1": False,  # both pawns leave the rank: the queen gives check
    "8/8/3k4/8/3Pp3/8/8/K7 b - d3 0 1": True,
    "8/5k2/8/2Pp4/2B5/1K6/8/8 w - d6 0 1": True,  # the king's own side is not pinned
    "4k3/8/8/2pP4/8/8/8/K2r4 w - c6 0 1": False,  # in check from elsewhere
    "8/8/4k3/8/2pPp3/8/B7/7K b - d3 0 1": True,
    "1k6/8/8/1K1Pp2r/8/8/8/8 w - e6 0 1": False,
}
"""Whether a capture en passant is legal."""


def random_moves(plies: int) -> Iterator[tuple[Chess, Any]]:
    """The positions of random games, each with the action played there; None at the end."""
    rng, done = fresh(), 0
    while done < plies:
        position = Chess()
        while not position.is_terminal():
            action = rng.choice(position.legal_actions())
            yield position, action
            position, done = position.play(action), done + 1
        yield position, None


# ---- the rules


@pytest.mark.parametrize(("fen", "lines"), POSITIONS.items())
def test_perft(fen: str, lines: tuple[int, ...]) -> None:
    depth = 2 if disabled() else 4
    assert perft(Chess.from_fen(fen), depth) == lines[depth - 1]


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(("fen", "lines"), POSITIONS.items())
def test_perft_to_depth_5(fen: str, lines: tuple[int, ...]) -> None:
    for draws in ("automatic", "claimed", "never"):
        assert perft(Chess.from_fen(fen, draws), 5) == lines[4]


@pytest.mark.plain
@pytest.mark.parametrize("fen", [*POSITIONS, *EN_PASSANT])
def test_moves_of_difficult_positions_are_those_of_the_naive_rules(fen: str) -> None:
    position = Chess.from_fen(fen)
    moves = {str(move) for move in NaiveChess(fen).moves()}
    assert set(names(position)) == moves


@pytest.mark.parametrize(("fen", "expected"), EN_PASSANT.items())
def test_en_passant(fen: str, expected: bool) -> None:
    position = Chess.from_fen(fen)
    passing = [a for a in position.legal_actions() if captures_passing(position, a)]
    assert bool(passing) == expected == position.passes()
    for action in passing:
        after = position.play(action)
        assert after.pawns.bit_count() == position.pawns.bit_count() - 1


def captures_passing(position: Chess, action: int) -> bool:
    piece = 1 << action // position.num_planes
    return (
        piece & position.pawns > 0
        and position.landing(piece, action % position.num_planes) == position.passant
    )


def test_castling() -> None:
    position = Chess.from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    left = position.move("O-O-O")
    assert left.fen() == "r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1"
    assert left.move("O-O").fen() == "r4rk1/8/8/8/8/8/8/2KR3R w - - 2 2"
    assert position.move("Rxh8+").fen() == "r3k2R/8/8/8/8/8/8/R3K3 b Qq - 0 1"
    through_check = Chess.from_fen("4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1")
    assert {"e1c1", "e1g1"} & {*names(through_check)} == {"e1c1"}
    over_attacked_b1 = Chess.from_fen("1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
    assert "e1c1" in names(over_attacked_b1)


def test_promotions() -> None:
    position = Chess.from_fen("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1")
    assert sorted(name for name in names(position) if name[0] == "a") == sorted(
        f"a7{to}{p}" for to in ("a8", "b8") for p in "qrbn"
    )
    for piece in "QRBN":
        after = position.move(f"axb8={piece}")
        assert after.fen().startswith(f"1{piece}2k3/8")
        assert after.clock == 0


@pytest.mark.parametrize("fen", [*POSITIONS, *EN_PASSANT])
def test_laws_hold_where_pieces_promote_castle_and_pass(fen: str) -> None:
    position, rng = Chess.from_fen(fen), Random(0)
    for law in LAWS:
        law(position, rng)
    if not disabled():
        same_answers_compiled(position, rng)


# ---- the end


@pytest.mark.parametrize(
    ("fen", "draws", "line", "over", "utility"),
    [
        (START, "automatic", "f3 e5 g4 Qh4#", True, -1),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "automatic", "", True, 0),  # stalemate
        ("7k/8/6K1/8/8/8/8/R7 w - - 99 80", "automatic", "Ra8", True, 1),  # at the last move
        ("7k/8/8/8/8/8/8/RK6 w - - 98 80", "automatic", "Ra2", False, 0),
        ("7k/8/8/8/8/8/8/RK6 w - - 98 80", "automatic", "Ra2 Kh7", True, 0),
        ("7k/8/8/8/8/8/r7/RK6 w - - 99 80", "automatic", "Rxa2", False, 0),
        (START, "automatic", DANCE, False, 0),
        (START, "automatic", 2 * DANCE, True, 0),
        (START, "never", 3 * DANCE, False, 0),
        (START, "claimed", 2 * DANCE, False, 0),
        (START, "claimed", 4 * DANCE, True, 0),
        ("7k/8/8/8/8/8/8/RK6 w - - 99 80", "claimed", "Ra2", False, 0),
        ("7k/8/8/8/8/8/8/RK6 w - - 149 80", "claimed", "Ra2", True, 0),
        ("7k/8/6K1/8/8/8/8/R7 w - - 149 80", "claimed", "Ra8", True, 1),
        ("3rkr2/3P1P2/2N5/4N3/8/8/8/4K3 b - - 0 1", "automatic", "", True, 1),  # by two pawns
    ],
)
def test_ends(fen: str, draws: str, line: str, over: bool, utility: int) -> None:
    """Mates, fifty moves and repetitions, which are claims or end the game."""
    end = Chess.from_fen(fen, draws).after(line)
    assert end.is_terminal() == over
    assert not over or utilities(end) == [utility, -utility]
    assert not utility or (end.in_check() and not end.can_move())
    if line.startswith(DANCE):
        assert end.repeated == (0 if draws == "never" else len(line) // len(DANCE))
        assert end.history > 0 or draws == "never"


@pytest.mark.plain
def test_draws_are_a_parameter_wherever_parameters_are() -> None:
    from agents.protocols.gtp import GtpServer
    from agents.web.catalogue import catalogue
    from agents.web.game_form import read_parameters

    claimed = Chess(draws="claimed")
    assert start_position("chess", draws="claimed") == claimed
    env = adv_envs.env("chess", draws="claimed")
    env.reset()
    assert env.unwrapped.position == claimed
    assert read_parameters("chess", {"draws": "claimed"}) == {"draws": "claimed"}
    (form,) = catalogue("chess", {"draws": "claimed"})["form"]
    assert form["choices"] == ["automatic", "claimed", "never"]
    assert (form["usual"], form["value"]) == ("automatic", "claimed")
    server = GtpServer(agents.make("random"), Chess())
    assert server.answer("set_game chess draws=claimed") == "=\n\n"
    assert server.position == claimed
    assert "draws must be 'automatic', 'claimed' or 'never'" in server.answer(
        "set_game chess draws=soon"
    )


@pytest.mark.plain
def test_claims_and_automatic_draws_are_those_of_python_chess() -> None:
    chess = pytest.importorskip("chess")
    rng = fresh()
    for fen in ("8/8/8/8/8/1k6/7q/K7 b - - 130 99", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1") * 4:
        position, board = Chess.from_fen(fen, "claimed"), chess.Board(fen)
        while (outcome := board.outcome()) is None:
            assert not position.is_terminal(), board.fen()
            assert position.repeated == sum(map(board.is_repetition, (2, 3, 4))), board.fen()
            name = rng.choice(sorted(map(str, board.legal_moves)))
            position = position.move(name)
            board.push_uci(name)
        assert position.is_terminal(), board.fen()
        assert (position.utility(0) == 0) == (outcome.winner is None)


def test_a_finished_game_is_resumed_with_the_draws_that_let_it_go_on() -> None:
    third = Chess().after(DANCE * 2)
    resumed = third.resumed()
    assert resumed == Chess(draws="claimed").after(DANCE * 2)
    assert resumed.resumed() is resumed or resumed.resumed() == resumed
    fifth = Chess(draws="claimed").after(DANCE * 4).resumed()
    assert (fifth.draws, fifth.history, fifth.is_terminal()) == (2, 0, False)
    dead = Chess.from_fen("k7/8/8/8/8/8/8/K7 w - - 0 1").resumed()
    assert names(dead) == ["a1a2", "a1b1", "a1b2"]
    mated = Chess().after("f3 e5 g4 Qh4")
    assert mated.resumed() == mated


@pytest.mark.plain
@pytest.mark.parametrize(
    ("draws", "clock", "over"),
    [
        *(("automatic", 99, False), ("automatic", 120, True), ("claimed", 120, False)),
        *(("claimed", 150, True), ("claimed", 999, True), ("never", 999, False)),
    ],
)
def test_positions_whose_clock_has_run_on(draws: str, clock: int, over: bool) -> None:
    position = Chess.from_fen(f"7k/8/8/8/8/8/8/RK6 w - - {clock} 600", draws)
    assert position.is_terminal() == over
    assert position.fen().split()[4] == str(clock)
    plane = np.array(seen(position, 0))[:, :, 5]
    assert plane.sum() == 1
    rank, file = 7 - min(clock // 16, 7), 7 if clock >= 126 else clock // 2 % 8
    assert plane.argmax() == rank * 8 + file


def test_castling_rights_make_another_position() -> None:
    position = Chess.from_fen("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
    first = position.after("Ra2 Kd8 Ra1 Ke8")  # the right to castle is lost at the first move
    assert first.repeated == 0
    assert first.after("Ra2 Kd8 Ra1 Ke8").repeated == 1


def test_en_passant_makes_another_position() -> None:
    position = Chess.from_fen("4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1").move("a4")
    assert position.passes()
    assert position.after("Kd8 Kd1 Ke8 Ke1").repeated == 0
    pinned = Chess.from_fen("1k6/8/8/8/1p6/8/P7/1R2K3 w - - 0 1").move("a4")
    assert not pinned.passes()  # the capture is not legal, so it is the same position later
    assert pinned.after("Ka8 Kf1 Kb8 Ke1").repeated == 1


def test_identical_pieces_may_trade_places() -> None:
    position = Chess.from_fen("k7/p7/8/8/8/8/8/KN3N2 w - - 0 1")
    white = "f1h2", "b1d2", "d2f1", "h2f3", "f3d2", "d2b1"
    line = " ".join(f"{move} {'a8b8' if i % 2 == 0 else 'b8a8'}" for i, move in enumerate(white))
    assert [position.after(line[:n]).repeated for n in (49, 59)] == [0, 1]


@pytest.mark.parametrize(
    ("dead", "ranks"),
    [
        (True, "k7 K7, k7 KN6, kb6 K7, kb6 K1B5, k1b5 KB6, k1b5 KB1B4"),
        (False, "k7 KNN5, kn6 KN6, kn6 KB6, kb6 KB6, k7 KR6, k7 P7/K7"),
    ],
)
def test_insufficient_material(dead: bool, ranks: str) -> None:
    """By the first ranks of each."""
    for black, white in map(str.split, ranks.split(", ")):
        empty = "8/" * (6 - white.count("/"))
        position = Chess.from_fen(f"{black}/{empty}{white} w - - 0 1")
        assert position.is_dead() == position.is_terminal() == dead, ranks


# ---- against python-chess and PettingZoo


@pytest.mark.plain
@pytest.mark.parametrize("plies", [600, pytest.param(100_000, marks=pytest.mark.slow)])
def test_random_games_follow_python_chess(plies: int) -> None:
    """Ply by ply: moves, mask, checks, ends, FEN, SAN."""
    chess = pytest.importorskip("chess")
    utils = pytest.importorskip("pettingzoo.classic.chess.chess_utils")
    board = chess.Board()
    for position, action in random_moves(plies):
        drawn = board.is_insufficient_material() or board.is_fifty_moves()
        over = drawn or board.is_repetition(3) or not any(board.legal_moves)
        where = board.fen(en_passant="fen")
        assert (position.is_terminal(), position.in_check()) == (over, board.is_check()), where
        assert position.fen() == where
        assert (position.repeated > 0) == board.is_repetition(2), where
        if action is None:
            outcome = board.outcome(claim_draw=True)
            expected = 0 if outcome.winner is None else 1 if outcome.winner else -1
            assert utilities(position) == [expected, -expected], where
            board = chess.Board()
            continue
        legal = position.legal_actions()
        assert legal == sorted(utils.legal_moves(board)), where
        move = chess.Move.from_uci(position.name(action))
        if plies < 1000:
            assert position.san(action) == board.san(move), where
            assert position.action(position.san(action)) == action, where
        board.push(move)


@pytest.mark.parametrize(  # of a pawn and a knight, two pawns, two knights
    "board", ["3rk3/5P2/3N4", "3rk3/3P1P2/8", "r3k3/2N3N1/8"]
)
def test_only_the_king_moves_out_of_two_checks(board: str) -> None:
    position = Chess.from_fen(f"{board}/8/8/8/8/4K3 b - - 0 1")
    assert {name[:2] for name in names(position)} <= {"e8"}
    assert position.legal_actions() == [a for a in range(position.num_actions) if position.legal(a)]


@pytest.mark.plain
def test_moves_out_of_any_checks_are_those_of_python_chess() -> None:
    """Boards with up to four checkers of any kind, many of which no game can lead to."""
    library, rng, met = pytest.importorskip("chess"), fresh(), Counter[int]()
    while met.total() < 250 or not met[1] or not met[2] or not met[3]:
        board = board_with_checkers(library, rng, rng.randint(1, 4))
        if library.STATUS_OPPOSITE_CHECK & board.status():
            continue
        position = Chess.from_fen(board.fen(en_passant="fen"))
        expected = {str(move) for move in board.legal_moves}
        legal = [a for a in range(position.num_actions) if position.legal(a)]
        assert {position.name(action) for action in legal} == expected, board.fen()
        actions = [0] * position.num_actions
        assert actions[: position.write_legal(actions)] == legal, board.fen()
        assert position.can_move() == bool(expected), board.fen()
        assert position.in_check() == board.is_check(), board.fen()
        met[len(board.checkers())] += 1


def board_with_checkers(library: Any, rng: Random, checkers: int) -> Any:
    """A board of python-chess: kings, pieces put where they may give check, and any others."""
    board, turn = library.Board(None), rng.random() < 0.5
    king, other = rng.sample(range(64), 2)
    board.set_piece_at(king, library.Piece(library.KING, turn))
    board.set_piece_at(other, library.Piece(library.KING, not turn))
    board.turn = turn
    for i in range(checkers + rng.randint(0, 10)):
        kind, color = rng.choice(library.PIECE_TYPES[:-1]), not turn if i < checkers else None
        color = rng.random() < 0.6 if color is None else color
        near = library.Board(None)
        near.set_piece_at(king, library.Piece(kind, turn))
        squares = list(near.attacks(king) if i < checkers else library.SquareSet(library.BB_ALL))
        square = rng.choice(squares or [king])
        last = kind == library.PAWN and library.square_rank(square) in (0, 7)
        if board.piece_at(square) is None and not last:
            board.set_piece_at(square, library.Piece(kind, color))
    back = -8 if turn == library.BLACK else 8
    for square in board.pieces(library.PAWN, not turn) & library.SquareSet(
        library.BB_RANK_4 if turn == library.BLACK else library.BB_RANK_5
    ):
        if not board.occupied & (library.BB_SQUARES[square + back] | 1 << square + 2 * back):
            board.ep_square = square + back
    return board


@pytest.mark.plain
def test_observations_and_masks_are_those_of_pettingzoo() -> None:
    """All 111 planes: ours, and planes 7 to 19 of the seven boards before, the start left out."""
    module = pytest.importorskip("pettingzoo.classic.chess_v6")
    env = module.raw_env()
    env.reset()
    boards: list[list[Any]] = [[], []]
    for position, action in random_moves(200):
        over = any(env.terminations.values())  # it ends a ply earlier where a draw can be claimed
        for player, agent in enumerate(env.possible_agents):
            theirs = env.observe(agent)
            ours = np.array(seen(position, player), bool)
            if position.ply > 0 and not over:  # it shows no board before the first move
                boards[player].insert(0, ours[:, :, 7:])
                shown = [*boards[player], *[np.zeros((8, 8, 13), bool)] * 8][:8]
                stacked = np.dstack([ours[:, :, :7], *shown])
                assert np.array_equal(stacked, theirs["observation"]), position.fen()
            if agent == env.agent_selection and not over:
                legal = theirs["action_mask"].nonzero()[0].tolist()
                assert legal == position.legal_actions(), position.fen()
        if action is None:
            env.reset()
            boards = [[], []]
        elif not over:
            env.step(action)


# ---- text


@pytest.mark.plain
def test_names_in_both_notations() -> None:
    line = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Bxc6", "dxc6", "O-O", "Bg4", "h3", "h5"]
    position = Chess().after(" ".join(line))
    assert position.fen() == "r2qkbnr/1pp2pp1/p1p5/4p2p/4P1b1/5N1P/PPPP1PP1/RNBQ1RK1 w kq h6 0 7"
    moves = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6 e1g1 c8g4 h2h3 h7h5"
    assert read_line(Chess(), moves) == read_line(Chess(), line)
    assert Chess().after(moves.upper()) == position
    with pytest.raises(IllegalMove, match="'Nf6', is not legal; legal: a2a3"):
        Chess().after("Nf6")


@pytest.mark.plain
@pytest.mark.parametrize(
    ("fen", "text", "name"),
    [
        ("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "Rad1", "a1d1"),
        ("4k3/8/8/R7/8/8/4K3/R7 w - - 0 1", "R1a3", "a1a3"),
        ("2k5/8/8/8/Q6Q/8/8/K6Q w - - 0 1", "Qh4e1", "h4e1"),
        ("4k3/8/8/8/8/2b5/1P6/4K3 w - - 0 1", "bxc3", "b2c3"),
        ("4k3/8/8/8/8/2p5/1B6/4K3 w - - 0 1", "Bxc3", "b2c3"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "0-0", "e1g1"),
        ("k7/6P1/8/8/8/8/8/4K3 w - - 0 1", "g8Q", "g7g8q"),
        ("k7/6P1/8/8/8/8/8/4K3 w - - 0 1", "g8=N!?", "g7g8n"),
        ("4k3/p7/8/8/8/8/8/4K1N1 w - - 0 1", "Ng1f3", "g1f3"),
    ],
)
def test_reads_san(fen: str, text: str, name: str) -> None:
    position = Chess.from_fen(fen)
    assert position.name(position.action(text)) == name


@pytest.mark.plain
@pytest.mark.parametrize("fen", POSITIONS)
def test_fen_is_read_as_it_is_written(fen: str) -> None:
    position = Chess.from_fen(fen)
    assert position.fen() == fen
    assert Chess.from_fen(" ".join(fen.split()[:4])).own == position.own
    position.check()
    assert str(position).splitlines()[-1] == "  a b c d e f g h"


# ---- what is known


@pytest.mark.plain
def test_evaluations_are_antisymmetric() -> None:
    for position, _ in random_moves(400):
        kinds = position.pawns, position.diagonal, position.straight, position.kings
        boards = [position.mirrored(cells) for cells in (position.opp, position.own, *kinds)]
        turned = Chess(0, *boards, 0, 0, 0, 0, 0, 0)
        for evaluate in (material, pesto):
            assert evaluate.plain(position) == pytest.approx(-evaluate.plain(turned))


@pytest.mark.plain
def test_evaluations_by_hand() -> None:
    assert material.plain(Chess()) == pesto.plain(Chess()) == 0
    rook_up = Chess.from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    assert material.plain(rook_up) == 5
    # phase 2: rook a1 477 - 19 and 512 - 9; the kings cancel
    assert pesto.plain(rook_up) == pytest.approx((458 * 2 + 503 * 22) / 2400)
    knight = Chess.from_fen("4k3/8/8/3n4/8/8/8/4K3 b - - 0 1")
    assert pesto.plain(knight) == pytest.approx(((337 + 13) * 1 + (281 + 25) * 23) / 2400)


@pytest.mark.plain
def test_noise_is_that_of_captures_and_queens() -> None:
    position = Chess.from_fen("3rk3/2P5/8/8/3q4/4P3/8/3QK3 w - - 0 1")
    found = {position.san(a): noise.plain(position, a) for a in position.legal_actions()}
    noisy = {"Qxd4", "exd4", "c8=Q", "cxd8=B", "cxd8=N", "cxd8=Q+", "cxd8=R+"}
    assert {move for move, value in found.items() if value > 0} == noisy
    assert max(found, key=lambda move: found[move]) == "cxd8=Q+"
    assert found["exd4"] > found["Qxd4"]


@pytest.mark.thorough
@pytest.mark.compiled
def test_search_finds_mates() -> None:
    searcher = agents.make("alpha_beta(depth=3, evaluate=chess.pesto)")
    scholars = Chess().after("e4 e5 Bc4 Nc6 Qh5 Nf6")
    found = searcher.analyse(scholars)
    assert scholars.san(found.action) == "Qxf7#"
    assert found.proven
    assert found.value == 1
    in_two = Chess.from_fen("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1")
    found = searcher.analyse(in_two)
    assert in_two.san(found.action) == "Ra6"
    assert found.proven


@pytest.mark.plain
@pytest.mark.parametrize(
    "fen",
    ["8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "4k3/8/2p1p3/3p4/2PPP3/8/1P6/4K3 b - - 0 1"],
)
def test_quiescence_is_that_of_the_textbook(fen: str) -> None:
    """Against a search without windows and tables."""
    searcher, position = (
        agents.make("alpha_beta(depth=1, evaluate=chess.pesto)"),
        Chess.from_fen(fen),
    )
    assert searcher.analyse(position).value == pytest.approx(looked_ahead(position, 1))


def looked_ahead(position: Chess, depth: int) -> float:
    """The value for the player to move, captures and promotions followed to their end."""
    if position.is_terminal():
        return 1e6 * position.utility(position.to_move)
    actions = position.legal_actions()
    if depth <= 0:
        actions = [action for action in actions if noise.plain(position, action) > 0]
    values = [-looked_ahead(position.play(action), depth - 1) for action in actions]
    return max(values) if depth > 0 else max([pesto.plain(position), *values])


# ---- endings of three pieces


@pytest.mark.compiled
def test_endings_have_the_known_numbers_of_wins_and_longest_mates() -> None:
    """KPK: 62,480 and 48,802 of each half of the board. Source: chessprogramming.org, KPK."""
    values = solved().reshape(3, 2, 1 << 18)
    wins, losses = (values > 0).sum(axis=2), (values < 0).sum(axis=2)
    assert wins[PAWN, 0] == 2 * 62_480
    assert losses[PAWN, 1] == 2 * 48_802
    assert not wins[:, 1].any()
    assert not losses[:, 0].any()
    longest = np.abs(values.astype(int)).max(axis=2)[:, 0] - 1
    assert [(plies + 1) // 2 for plies in longest] == [10, 16, 28]  # moves, by queen, rook, pawn


@pytest.mark.compiled
def test_best_play_in_endings_mates_when_it_says() -> None:
    rng = fresh()
    solver = agents.make("chess_endings")
    for _ in range(20):
        position = random_ending(Chess(), rng)
        found = solver.analyse(position)
        assert solver.value(position) == found.value, position.fen()
        end = position.after(found.principal_variation)
        if found.value != 0:
            assert len(found.principal_variation) == 100 - abs(found.value), position.fen()
            assert end.is_terminal()
            assert end.utility(position.to_move) == (1 if found.value > 0 else -1)
        else:
            assert end.is_terminal() or solver.value(end) == 0


@pytest.mark.thorough
@pytest.mark.compiled
def test_endings_agree_with_a_search_to_the_end() -> None:
    searcher, solver = agents.make("alpha_beta(depth=5)"), agents.make("chess_endings")
    rng = fresh()
    for _ in range(30):
        position = random_ending(Chess(), rng)
        found, value = searcher.analyse(position), solver.value(position)
        quick = abs(value) >= 95
        assert not quick or (found.proven and found.value == np.sign(value)), position.fen()
        assert quick or found.value == 0, position.fen()


@pytest.mark.plain
@pytest.mark.parametrize(
    "fen", ["8/8/8/8/8/2k5/8/KQ5r w - - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]
)
def test_other_endings_are_refused(fen: str) -> None:
    with pytest.raises(ValueError, match="three pieces"):
        agents.make("chess_endings").analyse(Chess.from_fen(fen))


# ---- PGN


@pytest.mark.plain
def test_pgn_is_read_as_it_is_written() -> None:
    for start in (Chess(), Chess.from_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 3 40")):
        position, actions, rng = start, [], fresh()
        while not position.is_terminal() and len(actions) < 80:
            actions.append(rng.choice(position.legal_actions()))
            position = position.play(actions[-1])
        text = pgn.write(start, actions, White='Ann "A" \\ B', Round="1")
        (game,) = pgn.read(text)
        assert (game.start, list(game.actions)) == (start, actions)
        assert game.tags["White"] == 'Ann "A" \\ B'
        assert game.end == position
        assert (game.result == "*") == (not position.is_terminal())
        assert max(map(len, text.splitlines()[8:])) < 80
        assert pgn.read(text * 2) == [game, game]
        follow_pgn(text, actions, start)


def follow_pgn(text: str, actions: list[int], start: Chess) -> None:
    """python-chess reads the same moves."""
    library = pytest.importorskip("chess.pgn")
    game = library.read_game(io.StringIO(text))
    assert not game.errors
    names, position = [], start
    for action in actions:
        names.append(position.name(action))
        position = position.play(action)
    assert [move.uci() for move in game.mainline_moves()] == names


@pytest.mark.plain
def test_pgn_of_others() -> None:
    text = """% escaped
[Event "A [strange] \\"one\\""]
[Result "1-0"]

1.e4 {best} e5 2. Bc4!? $14 (2. Nf3 Nc6 (2... d6) 3. Bb5) 2... Nc6 ; to the end
3.Qh5 Nf6?? 4. Qxf7# 1-0

1. d2d4 d5 1/2-1/2
1. c4"""
    first, second, third = pgn.read(text)
    assert first.end.is_terminal()
    assert first.tags == {"Event": 'A [strange] "one"', "Result": "1-0"}
    assert [game.result for game in (first, second, third)] == ["1-0", "1/2-1/2", "*"]
    assert second.end == Chess().after("d4 d5")
    assert third.end == Chess().after("c4")


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1. e4 e4 *", r"game 1, line 1: 1\.\.\. e4 is not legal; legal: a7a6"),
        ("\n1. e4 {open", "line 2: a comment is not closed"),
        ("1. e4 (e5", "a variation is not closed"),
        ('[FEN "8/8/8 w - - 0 1"]\n1. e4 *', "eight ranks"),
    ],
)
def test_pgn_that_cannot_be_read(text: str, message: str) -> None:
    with pytest.raises(pgn.PgnError, match=message):
        pgn.read(text)


@pytest.mark.plain
def test_positions_with_many_pieces_are_not_solved_and_that_is_said_at_once() -> None:
    for solve in (agents.Perfect().analyse, agents.Perfect().value, agents.Perfect().values):
        with pytest.raises(ValueError, match="chess_endings knows chess with three pieces"):
            solve(Chess())
    mated = Chess().after("f3 e5 g4 Qh4")
    assert agents.Perfect().value(mated) == -1
    few = Chess.from_fen("8/8/8/4k3/8/8/4PP2/4K3 w - - 0 1")
    assert isinstance(agents.Perfect().solver(few), agents.Retrograde)
