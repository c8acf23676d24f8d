"""Says of phantom tic-tac-toe how far a game has come, and what it is offered with."""

from __future__ import annotations

from adv_envs import PhantomTicTacToe
from agents.games.phantom import RUNGS, large_game, progress
from agents.knowledge import Knowledge, register_knowledge

register_knowledge(
    PhantomTicTacToe,
    Knowledge(
        names=("blind tic-tac-toe", "noughts and crosses", "kriegspiel"),
        progress=progress,
        rungs=RUNGS,
        large_game=large_game,
    ),
)
