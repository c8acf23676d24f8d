"""Knows Gardner's minichess as ``chess.py`` knows chess: it evaluates and solves both."""

from __future__ import annotations

from adv_envs.games.minichess import MiniChess
from agents.dialects import GtpGame, UciGame
from agents.knowledge import ExactValues, Knowledge, SolutionText, by_number, register_knowledge
from agents.symmetries import PlayerExchange

from .chess import (
    ChessEndings,
    covers,
    exchanged,
    in_moves,
    material,
    noise,
    pesto,
    random_ending,
    solver_of,
    table_key,
)

SEARCH = "alpha_beta(%s, evaluate=chess.pesto)"  # which minichess.pesto is

register_knowledge(
    MiniChess,
    Knowledge(
        names=("gardner", "gardner_chess", "gardners_minichess"),
        evaluations={"material": material, "pesto": pesto},
        noise=noise,
        table_key=table_key,
        exchange=PlayerExchange(exchanged),
        default_evaluation="pesto",
        scale=2.716,  # of a pawn, as in chess
        first_view=True,
        solver=solver_of,
        exact_values=lambda start: ExactValues(start, ChessEndings(), unit="scores", quick=covers),
        progress=lambda position: (20 - (position.own | position.opp).bit_count()) / 18,
        random_position=random_ending,
        opponent=lambda start: SEARCH % "nodes=200000",
        analyst=lambda position: SEARCH % "nodes=1000000",
        strong=lambda start: SEARCH % "seconds=3",
        solution=SolutionText(name="score", in_words=in_moves),
        rungs={
            "random": "random",
            "greedy": "greedy(evaluate=chess.material)",
            "depth 1": "alpha_beta(depth=1, evaluate=chess.pesto, quiescence=False)",
            **by_number("depth %d, quiet", SEARCH % "depth=%d", 1, 2, 3, 4),
            "20,000 nodes": SEARCH % "nodes=20000",
            "100,000 nodes": SEARCH % "nodes=100000",
        },
        gtp=GtpGame(colours=("white", "black")),
        uci=UciGame(
            variant=lambda position: "gardner",
            fen=MiniChess.fen,
            from_fen=lambda start, text: MiniChess.from_fen(text, start.draws),
            resumed=lambda start, position: position.resumed(start.draws),
        ),
    ),
)
