"""Provides adversarial board games as PettingZoo environments, with rules that run everywhere.

``env("connect_four")`` is an AEC environment with action masks, and
``gymnasium.make("adv_envs/ConnectFour-v0")`` one against an opponent; ``ConnectFour()`` is the
start position, an immutable value that knows the rules; ``agents`` plays on both.
"""

from __future__ import annotations

import difflib
import importlib
import sys
from typing import TYPE_CHECKING, Any

from . import startup  # noqa: F401  # before all that takes long to import
from .notation import IllegalMove
from .position import CHANCE, Board, Position, reachable, register_svg
from .registration import register, register_environments
from .registry import (
    GAMES,
    game,
    name_of,
    start_position,
    versioned,
)
from .version import __version__ as __version__

if TYPE_CHECKING:
    from .batch.boards import Boards
    from .envs import GameModule
    from .envs import env as env
    from .envs import parallel_env as parallel_env
    from .envs import raw_env as raw_env
    from .envs.aec import Env
    from .envs.gym import GymEnv
    from .games.amazons import Amazons as Amazons
    from .games.animal_shogi import AnimalShogi as AnimalShogi
    from .games.backgammon import Backgammon as Backgammon
    from .games.breakthrough import Breakthrough as Breakthrough
    from .games.checkers import Checkers as Checkers
    from .games.chess import Chess as Chess
    from .games.clobber import Clobber as Clobber
    from .games.connect_four import ConnectFour as ConnectFour
    from .games.dark_hex import DarkHex as DarkHex
    from .games.domineering import Domineering as Domineering
    from .games.dots_and_boxes import DotsAndBoxes as DotsAndBoxes
    from .games.gin_rummy import GinRummy as GinRummy
    from .games.go import Go as Go
    from .games.gomoku import Gomoku as Gomoku
    from .games.goofspiel import Goofspiel as Goofspiel
    from .games.hanabi import Hanabi as Hanabi
    from .games.havannah import Havannah as Havannah
    from .games.hex import Hex as Hex
    from .games.kalah import Kalah as Kalah
    from .games.kuhn import Kuhn as Kuhn
    from .games.leduc import Leduc as Leduc
    from .games.liars_dice import LiarsDice as LiarsDice
    from .games.lines_of_action import LinesOfAction as LinesOfAction
    from .games.minichess import MiniChess as MiniChess
    from .games.nim import Nim as Nim
    from .games.nine_mens_morris import NineMensMorris as NineMensMorris
    from .games.othello import Othello as Othello
    from .games.phantom_tic_tac_toe import PhantomTicTacToe as PhantomTicTacToe
    from .games.pig import Pig as Pig
    from .games.quoridor import Quoridor as Quoridor
    from .games.rock_paper_scissors import RockPaperScissors as RockPaperScissors
    from .games.texas_holdem import TexasHoldem as TexasHoldem
    from .games.texas_holdem_no_limit import TexasHoldemNoLimit as TexasHoldemNoLimit
    from .games.thirty_one import ThirtyOne as ThirtyOne
    from .games.tic_tac_toe import TicTacToe as TicTacToe
    from .games.tree import Fig52 as Fig52
    from .games.tree import Tree
    from .games.ultimate_tic_tac_toe import UltimateTicTacToe as UltimateTicTacToe
    from .games.y import GameOfY as GameOfY
    from .notebook import widget as widget
    from .pictures import Picture, register_picture
    from .text import text_env

    # what is found in the registry when it is asked for, for type checkers
    tic_tac_toe_v0: GameModule
    connect_four_v0: GameModule
    hex_v0: GameModule
    thirty_one_v0: GameModule
    fig52_v0: GameModule
    pig_v0: GameModule
    gomoku_v0: GameModule
    othello_v0: GameModule
    breakthrough_v0: GameModule
    animal_shogi_v0: GameModule
    nim_v0: GameModule
    hanabi_v0: GameModule
    kalah_v0: GameModule
    dots_and_boxes_v0: GameModule
    domineering_v0: GameModule
    checkers_v0: GameModule
    amazons_v0: GameModule
    backgammon_v0: GameModule
    go_v0: GameModule
    chess_v0: GameModule
    kuhn_v0: GameModule
    gin_rummy_v0: GameModule
    leduc_v0: GameModule
    texas_holdem_v0: GameModule
    texas_holdem_no_limit_v0: GameModule
    liars_dice_v0: GameModule
    goofspiel_v0: GameModule
    rock_paper_scissors_v0: GameModule
    phantom_tic_tac_toe_v0: GameModule
    dark_hex_v0: GameModule
    ultimate_tic_tac_toe_v0: GameModule
    clobber_v0: GameModule
    quoridor_v0: GameModule
    havannah_v0: GameModule
    y_v0: GameModule
    lines_of_action_v0: GameModule
    nine_mens_morris_v0: GameModule
    minichess_v0: GameModule

__all__ = [
    "CHANCE",
    "GAMES",
    "Board",
    "Boards",
    "Env",
    "GymEnv",
    "IllegalMove",
    "Picture",
    "Position",
    "Tree",
    "env",
    "game",
    "name_of",
    "parallel_env",
    "raw_env",
    "reachable",
    "register",
    "register_picture",
    "start_position",
    "text_env",
]

_LAZY = {
    "Boards": ".batch.boards",
    "Env": ".envs.aec",
    "GymEnv": ".envs.gym",
    "Picture": ".pictures",
    "Tree": ".games.tree",
    "env": ".envs",
    "parallel_env": ".envs",
    "raw_env": ".envs",
    "register_picture": ".pictures",
    "text_env": ".text",
    "widget": ".notebook",
}
"""Public names of modules that are imported when they are used."""

for _name, _path in GAMES.items():
    _module, _, _class = str(_path).partition(":")
    _LAZY[_class] = _module
    __all__.append(_class)

register_environments(*GAMES)


@register_svg
def _svg(position: Position, last: int | None) -> str:
    from .pictures.svg import svg

    return svg(position, last)


def __dir__() -> list[str]:
    modules = [name for name in globals() if f"{__name__}.{name}" in sys.modules]
    special = [name for name in globals() if name.startswith("__")]
    return sorted({*__all__, *modules, *special, *map(versioned, GAMES)})


if not TYPE_CHECKING:  # type checkers know the names above, and that there are no others

    def __getattr__(name: str) -> Any:
        """Finds games as modules with ``env`` and ``raw_env``: ``from adv_envs import hex_v0``."""
        if name in _LAZY:
            return getattr(importlib.import_module(_LAZY[name], __name__), name)
        game = name.rpartition("_v")[0]
        if game in GAMES and name == versioned(game):
            from .envs import game_module

            return game_module(game)
        close = [] if name[0] == "_" else difflib.get_close_matches(name, __dir__(), 1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise AttributeError(f"module 'adv_envs' has no attribute {name!r}{hint}")
