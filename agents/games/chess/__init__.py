"""Chess: piece-square evaluation, captures first and to the end, opponents up to other programs."""

from __future__ import annotations

from adv_envs.games.chess import Chess
from agents.dialects import GtpGame, UciGame
from agents.knowledge import Knowledge, SolutionText, register_knowledge
from agents.spec import register

from .captures import noise
from .endings import ChessEndings, ChessValues, covers, in_moves, random_ending
from .piece_square import material, pesto


def table_key(position: Chess) -> Chess:
    """Returns the board as the player to move sees it, whoever that is, without its past."""
    none = position.passant & 0
    return Chess(
        False,
        position.own,
        position.opp,
        position.pawns,
        position.diagonal,
        position.straight,
        position.kings,
        position.castling,
        position.passant if position.passes() else none,
        0,
        0,
        0,
        0,
    )


RUNGS = {
    "random": "random",
    "greedy": "greedy(evaluate=chess.material)",
    "depth 1": "alpha_beta(depth=1, evaluate=chess.pesto, quiescence=False)",
    "depth 1, quiet": "alpha_beta(depth=1, evaluate=chess.pesto)",
    "depth 2, quiet": "alpha_beta(depth=2, evaluate=chess.pesto)",
    "depth 3, quiet": "alpha_beta(depth=3, evaluate=chess.pesto)",
    "20,000 nodes": "alpha_beta(nodes=20000, evaluate=chess.pesto)",
    "50,000 nodes": "alpha_beta(nodes=50000, evaluate=chess.pesto)",
}
"""Opponents from random up; the quiet ones follow captures to their end before they evaluate."""

register("chess_endings", ChessEndings)
register_knowledge(
    Chess,
    Knowledge(
        evaluations={"material": material, "pesto": pesto},
        noise=noise,
        table_key=table_key,
        default_evaluation="pesto",
        solver=lambda position: ChessEndings if covers(position) else None,
        exact_values=ChessValues,
        progress=lambda position: (32 - (position.own | position.opp).bit_count()) / 30,
        random_position=random_ending,
        opponent=lambda start: "alpha_beta(nodes=200000, evaluate=chess.pesto)",
        analyst=lambda position: "alpha_beta(nodes=1000000, evaluate=chess.pesto)",
        strong=lambda start: "alpha_beta(seconds=3, evaluate=chess.pesto, table_mb=256)",
        solution=SolutionText(name="score", in_words=in_moves),
        rungs=RUNGS,
        gtp=GtpGame(colours=("white", "black")),
        uci=UciGame(
            variant=lambda position: "chess",
            fen=Chess.fen,
            from_fen=lambda start, text: Chess.from_fen(text, start.repetition),
        ),
    ),
)
