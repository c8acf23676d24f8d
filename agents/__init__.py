"""Agents that play any game of adv_envs, through one interface: ``act(position)``.

``make("alpha_beta(depth=4, evaluate=hex.two_distance)")`` builds an agent from its spec, which is
also what its ``repr`` prints.
"""

from .agent import Agent, SearchAgent, SearchResult
from .equilibrium.hidden_agents import (
    CFRAgent,
    CFRPlusAgent,
    DiscountedCFRAgent,
    EquilibriumAgent,
    MCCFRAgent,
)
from .faults import CannotPlay
from .games.amazons import AmazonsSolver
from .games.breakthrough import BreakthroughSolver
from .games.connect_four import ConnectFourSolver
from .games.domineering import DomineeringSolver
from .games.gomoku import ThreatSearch
from .games.hex import HexSolver, Rush
from .games.nim import NimSolver
from .games.othello import OthelloPlayer, OthelloSolver
from .games.pig import PigSolver
from .human import Human, Resign, TakeBack
from .knowledge import Knowledge, Symmetries, knowledge_of, register_knowledge
from .match import match, play_game
from .mcts import MCTS, InformationSetMCTS
from .networks.league import League
from .networks.policy import Policy
from .protocols.engine import Engine
from .protocols.process import EngineError
from .reports.draw_trees import draw_game, draw_steps, draw_tree
from .reports.extensive_form import draw_game_tree
from .results import Forfeits, Game, MatchResult, Score
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
from .simple import FunctionAgent, Greedy, Random
from .spec import AGENTS, AgentLike, Strong, make, register

__all__ = [
    "AGENTS",
    "MCTS",
    "Agent",
    "AgentLike",
    "AlphaBeta",
    "AmazonsSolver",
    "BreakthroughSolver",
    "CFRAgent",
    "CFRPlusAgent",
    "CannotPlay",
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
    "Strong",
    "Symmetries",
    "TakeBack",
    "ThreatSearch",
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
