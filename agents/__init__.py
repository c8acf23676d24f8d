"""Plays any game of adv_envs by agents of one interface: ``act(position)``.

``make("alpha_beta(depth=4, evaluate=hex.two_distance)")`` builds an agent from its spec, which is
also what its ``repr`` prints.
"""

from typing import TYPE_CHECKING, Any

from .agent import Agent, SearchAgent, SearchResult
from .engine import Engine, EngineError
from .equilibrium.hidden_agents import (
    CFRAgent,
    CFRPlusAgent,
    DiscountedCFRAgent,
    EquilibriumAgent,
    MCCFRAgent,
)
from .faults import CannotPlay
from .knowledge import Knowledge, knowledge_of, register_knowledge
from .language import LanguageModel
from .match import Forfeits, Game, MatchResult, Score, match, play_game
from .mcts import MCTS, InformationSetMCTS
from .networks.league import League
from .networks.policy import Policy
from .reports.draw_trees import draw_game, draw_game_tree, draw_steps, draw_tree
from .search import (
    AlphaBeta,
    Expectiminimax,
    MarginSolver,
    MaxN,
    Minimax,
    Paranoid,
    Perfect,
    ProofNumber,
    Retrograde,
    Solution,
)
from .simple import FunctionAgent, Greedy, Human, Random, Resign, TakeBack
from .spec import AgentLike, StrongestAgent, known_agents, make, register
from .symmetries import PlayerExchange, Symmetries, board_symmetries

if TYPE_CHECKING:
    from .games import (
        AmazonsSolver,
        BearOffSolver,
        BreakthroughSolver,
        ChessEndings,
        ConnectFourSolver,
        DomineeringSolver,
        HexSolver,
        NimSolver,
        OthelloPlayer,
        OthelloSolver,
        PigSolver,
        Rush,
        ThreatSearch,
        TurnSearch,
    )

    AGENTS: dict[str, type[Agent]]

__all__ = [
    "AGENTS",
    "MCTS",
    "Agent",
    "AgentLike",
    "AlphaBeta",
    "AmazonsSolver",
    "BearOffSolver",
    "BreakthroughSolver",
    "CFRAgent",
    "CFRPlusAgent",
    "CannotPlay",
    "ChessEndings",
    "ConnectFourSolver",
    "DiscountedCFRAgent",
    "DomineeringSolver",
    "Engine",
    "EngineError",
    "EquilibriumAgent",
    "Expectiminimax",
    "Forfeits",
    "FunctionAgent",
    "Game",
    "Greedy",
    "HexSolver",
    "Human",
    "InformationSetMCTS",
    "Knowledge",
    "LanguageModel",
    "League",
    "MCCFRAgent",
    "MarginSolver",
    "MatchResult",
    "MaxN",
    "Minimax",
    "NimSolver",
    "OthelloPlayer",
    "OthelloSolver",
    "Paranoid",
    "Perfect",
    "PigSolver",
    "PlayerExchange",
    "Policy",
    "ProofNumber",
    "Random",
    "Resign",
    "Retrograde",
    "Rush",
    "Score",
    "SearchAgent",
    "SearchResult",
    "Solution",
    "StrongestAgent",
    "Symmetries",
    "TakeBack",
    "ThreatSearch",
    "TurnSearch",
    "board_symmetries",
    "draw_game",
    "draw_game_tree",
    "draw_steps",
    "draw_tree",
    "knowledge_of",
    "make",
    "match",
    "play_game",
    "register",
    "register_knowledge",
]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


if not TYPE_CHECKING:  # type checkers know the names above, and that there are no others

    def __getattr__(name: str) -> Any:
        """Returns ``AGENTS`` or a class of agents that play one game only: games register them."""
        if name == "AGENTS":
            return known_agents()
        for agent in known_agents().values() if name[0].isupper() else ():
            if agent.__name__ == name and agent.__module__.startswith("agents.games."):
                return agent
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
