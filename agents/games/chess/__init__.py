"""Chess: piece-square evaluation, captures first and to the end, opponents up to other programs."""

from __future__ import annotations

from adv_envs.games.chess import Chess
from agents.dialects import GtpGame, UciGame
from agents.knowledge import Knowledge, SolutionText, register_knowledge
from agents.spec import register

from .captures import noise
from .endings import ChessEndings, ChessValues, in_moves, random_ending, solver_of
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


def stockfish(nodes: int, level: int = 20) -> str:
    """The spec of Stockfish with so many nodes for a move, at a skill level from 0 to 20."""
    options = f', options="Skill Level={level}"' if level < 20 else ""
    return f'engine(command="stockfish", protocol="uci"{options}, go="nodes {nodes}")'


RUNGS = {
    "random": "random",
    "greedy": "greedy(evaluate=chess.material)",
    "depth 1": "alpha_beta(depth=1, evaluate=chess.pesto, quiescence=False)",
    "depth 1, quiet": "alpha_beta(depth=1, evaluate=chess.pesto)",
    "depth 2, quiet": "alpha_beta(depth=2, evaluate=chess.pesto)",
    "Stockfish, level 0": stockfish(5000, level=0),
    "depth 3, quiet": "alpha_beta(depth=3, evaluate=chess.pesto)",
    "20,000 nodes": "alpha_beta(nodes=20000, evaluate=chess.pesto)",
    "50,000 nodes": "alpha_beta(nodes=50000, evaluate=chess.pesto)",
    "Stockfish, level 5": stockfish(5000, level=5),
    "Stockfish, level 10": stockfish(5000, level=10),
    "Stockfish, 5,000 nodes": stockfish(5000),
    "Stockfish, 20,000 nodes": stockfish(20000),
}
"""Opponents from random up; the quiet ones follow captures to their end before they evaluate. Those
that are Stockfish have 5,000 nodes for a move where their names say nothing else."""

register("chess_endings", ChessEndings)
register_knowledge(
    Chess,
    Knowledge(
        evaluations={"material": material, "pesto": pesto},
        noise=noise,
        table_key=table_key,
        default_evaluation="pesto",
        solver=solver_of,
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
