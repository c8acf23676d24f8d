"""Puts games into words: rules, messages that say what a player sees, the reading of replies.

- ``env``: ``text_env``, an environment of messages; ``TextGame``, whose seats are all models;
- ``text_gym``: ``TextGymEnv``, the same with Gymnasium's interface;
- ``inspect_task``: the tasks of Inspect, imported by Inspect alone, with the extra ``inspect``;
- ``grades``: ``MoveGrade``, how good a move was; who gives grades;
- ``conversation``: what one player is told;
- ``reading``: ``read_reply``, which finds the move in a reply, or says that there is none;
- ``answers``: the explicit answers in a reply, whatever the game;
- ``spelling``: the moves of a position as people write them;
- ``rules``: ``rules_text``, the rules of a game with a worked example;
- ``board_forms``: positions as text, "grid", "cells", "standard" or "json".

Everything holds for every game, and nothing here knows an agent.
"""

from .board_forms import BOARDS, read_json_board, write_board
from .env import TextEnv, TextGame, text_env
from .grades import MoveGrade
from .reading import Reading, read_reply
from .rules import rules_text
from .text_gym import TextGymEnv

__all__ = [
    "BOARDS",
    "MoveGrade",
    "Reading",
    "TextEnv",
    "TextGame",
    "TextGymEnv",
    "read_json_board",
    "read_reply",
    "rules_text",
    "text_env",
    "write_board",
]
