"""Agents that play any game of adv_envs, through one interface: ``act(position)``.

``make("alpha_beta(depth=4, evaluate=hex.two_distance)")`` builds an agent from its spec, which is
also what its ``repr`` prints.
"""

from .agent import Agent, SearchAgent, SearchResult
from .alpha_beta import AlphaBeta
from .engine import Engine
from .expectimax import Expectimax
from .hex_solver import HexSolver
from .human import Human, Resign, TakeBack
from .match import match, play_game
from .max_n import MaxN
from .mcts import MCTS
from .minimax import Minimax
from .paranoid import Paranoid
from .perfect import SOLVERS, Perfect
from .pig import PigSolver
from .policy import Policy
from .program import EngineError
from .proof_number import ProofNumber
from .results import Forfeits, Game, MatchResult, Score
from .retrograde import Retrograde, Solution
from .simple import Greedy, Random, Rush
from .spec import AGENTS, make, register
from .trees import draw_game, draw_steps, draw_tree
from .trial import CannotPlay

__all__ = [
    "AGENTS",
    "MCTS",
    "SOLVERS",
    "Agent",
    "AlphaBeta",
    "CannotPlay",
    "Engine",
    "EngineError",
    "Expectimax",
    "Forfeits",
    "Game",
    "Greedy",
    "HexSolver",
    "Human",
    "MatchResult",
    "MaxN",
    "Minimax",
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
    "TakeBack",
    "draw_game",
    "draw_steps",
    "draw_tree",
    "make",
    "match",
    "play_game",
    "register",
]
