"""Records what is known about each game: a module for a game, or a package where it has a solver.

Every module registers a ``Knowledge`` record for its game (see ``agents.knowledge``), and agents
that play only this game with ``agents.spec.register``. It is imported when the game's record is
looked for; ``agents`` has the classes of those agents as well, without naming them.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # type checkers cannot look for them
    from .amazons import AmazonsSolver as AmazonsSolver
    from .animal_shogi import AnimalShogiSolver as AnimalShogiSolver
    from .backgammon import BearOffSolver as BearOffSolver
    from .backgammon import TurnSearch as TurnSearch
    from .breakthrough import BreakthroughSolver as BreakthroughSolver
    from .chess import ChessEndings as ChessEndings
    from .clobber import ClobberSolver as ClobberSolver
    from .connect_four import ConnectFourSolver as ConnectFourSolver
    from .domineering import DomineeringSolver as DomineeringSolver
    from .gin_rummy import GinRummyPlayer as GinRummyPlayer
    from .gomoku import ThreatSearch as ThreatSearch
    from .hanabi import Iggi as Iggi
    from .hanabi import Piers as Piers
    from .hanabi import Recommendations as Recommendations
    from .hex import HexSolver as HexSolver
    from .hex import Rush as Rush
    from .holdem import EquityPlayer as EquityPlayer
    from .nim import NimSolver as NimSolver
    from .nine_mens_morris import NineMensMorrisEndings as NineMensMorrisEndings
    from .othello import OthelloPlayer as OthelloPlayer
    from .othello import OthelloSolver as OthelloSolver
    from .pig import PigSolver as PigSolver
    from .quoridor import QuoridorSolver as QuoridorSolver
    from .y import YSolver as YSolver
