"""Plays any game of adv_envs by agents of one interface: ``act(position)``.

``make("alpha_beta(depth=4, evaluate=hex.two_distance)")`` builds an agent from its spec, which is
also what its ``repr`` prints.
"""

from typing import TYPE_CHECKING, Any

from adv_envs.lazy import importing

if TYPE_CHECKING:
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
    from .games import (
        AmazonsSolver,
        AnimalShogiSolver,
        BearOffSolver,
        BreakthroughSolver,
        ChessEndings,
        ClobberSolver,
        ConnectFourSolver,
        DomineeringSolver,
        EquityPlayer,
        GinRummyPlayer,
        HexSolver,
        Iggi,
        NimSolver,
        NineMensMorrisEndings,
        OthelloPlayer,
        OthelloSolver,
        Piers,
        PigSolver,
        QuoridorSolver,
        Recommendations,
        Rush,
        ThreatSearch,
        TurnSearch,
        YSolver,
    )
    from .knowledge import Knowledge, knowledge_of, register_knowledge
    from .language import LanguageModel
    from .match_loop import Forfeits, Game, MatchResult, Score, match, play_game
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
    from .spec import AgentLike, StrongestAgent, make, register
    from .symmetries import PlayerExchange, Symmetries, board_symmetries

    AGENTS: dict[str, type[Agent]]

__all__ = [
    "AGENTS",
    "MCTS",
    "Agent",
    "AgentLike",
    "AlphaBeta",
    "AmazonsSolver",
    "AnimalShogiSolver",
    "BearOffSolver",
    "BreakthroughSolver",
    "CFRAgent",
    "CFRPlusAgent",
    "CannotPlay",
    "ChessEndings",
    "ClobberSolver",
    "ConnectFourSolver",
    "DiscountedCFRAgent",
    "DomineeringSolver",
    "Engine",
    "EngineError",
    "EquilibriumAgent",
    "EquityPlayer",
    "Expectiminimax",
    "Forfeits",
    "FunctionAgent",
    "Game",
    "GinRummyPlayer",
    "Greedy",
    "HexSolver",
    "Human",
    "Iggi",
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
    "NineMensMorrisEndings",
    "OthelloPlayer",
    "OthelloSolver",
    "Paranoid",
    "Perfect",
    "Piers",
    "PigSolver",
    "PlayerExchange",
    "Policy",
    "ProofNumber",
    "QuoridorSolver",
    "Random",
    "Recommendations",
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
    "YSolver",
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

_LAZY = {
    "Agent": ".agent",
    "AgentLike": ".spec",
    "AlphaBeta": ".search",
    "CFRAgent": ".equilibrium.hidden_agents",
    "CFRPlusAgent": ".equilibrium.hidden_agents",
    "CannotPlay": ".faults",
    "DiscountedCFRAgent": ".equilibrium.hidden_agents",
    "Engine": ".engine",
    "EngineError": ".engine",
    "EquilibriumAgent": ".equilibrium.hidden_agents",
    "Expectiminimax": ".search",
    "Forfeits": ".match_loop",
    "FunctionAgent": ".simple",
    "Game": ".match_loop",
    "Greedy": ".simple",
    "Human": ".simple",
    "InformationSetMCTS": ".mcts",
    "Knowledge": ".knowledge",
    "LanguageModel": ".language",
    "League": ".networks.league",
    "MCCFRAgent": ".equilibrium.hidden_agents",
    "MCTS": ".mcts",
    "MarginSolver": ".search",
    "MatchResult": ".match_loop",
    "MaxN": ".search",
    "Minimax": ".search",
    "Paranoid": ".search",
    "Perfect": ".search",
    "PlayerExchange": ".symmetries",
    "Policy": ".networks.policy",
    "ProofNumber": ".search",
    "Random": ".simple",
    "Resign": ".simple",
    "Retrograde": ".search",
    "Score": ".match_loop",
    "SearchAgent": ".agent",
    "SearchResult": ".agent",
    "Solution": ".search",
    "StrongestAgent": ".spec",
    "Symmetries": ".symmetries",
    "TakeBack": ".simple",
    "board_symmetries": ".symmetries",
    "draw_game": ".reports.draw_trees",
    "draw_game_tree": ".reports.draw_trees",
    "draw_steps": ".reports.draw_trees",
    "draw_tree": ".reports.draw_trees",
    "knowledge_of": ".knowledge",
    "known_agents": ".spec",
    "make": ".spec",
    "match": ".match_loop",
    "play_game": ".match_loop",
    "register": ".spec",
    "register_knowledge": ".knowledge",
}
"""Public names and their modules, which are imported when the names are used."""


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


if not TYPE_CHECKING:  # type checkers know the names above, and that there are no others
    _find = importing(__name__, _LAZY)

    def __getattr__(name: str) -> Any:
        """Imports what is asked for; games register the classes of agents that play them only."""
        if name in _LAZY or not name[0].isupper():
            return _find(name)
        from .spec import known_agents

        if name == "AGENTS":
            return known_agents()
        for agent in known_agents().values():
            if agent.__name__ == name and agent.__module__.startswith("agents.games."):
                return agent
        return _find(name)
