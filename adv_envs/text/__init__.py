"""Puts games into words: rules, messages that say what a player sees, the reading of replies.

- ``env``: ``text_env``, an environment of messages; ``TextGame``, whose seats are all models;
- ``text_gym``: ``TextGymEnv``, the same with Gymnasium's interface;
- ``inspect_task``: the tasks of Inspect, imported by Inspect alone, with the extra ``inspect``;
- ``grades``: ``MoveGrade``, how good a move was; who gives grades;
- ``conversation``: what one player is told;
- ``reading``: ``read_reply``, which finds the move in a reply, or says that there is none;
- ``explicit_answers``: the explicit answers in a reply, whatever the game;
- ``spelling``: the moves of a position as people write them;
- ``rules``: ``rules_text``, the rules of a game with a worked example;
- ``renaming``: ``renamed``, the same position with other names of cells and pieces;
- ``board_forms``: positions as text, "grid", "cells", "standard" or "json".

Everything holds for every game, and nothing here knows an agent.
"""

from typing import TYPE_CHECKING

from adv_envs.lazy import importing

if TYPE_CHECKING:
    from .board_forms import BOARDS, read_json_board, write_board
    from .env import TextEnv, TextGame, text_env
    from .grades import MoveGrade
    from .reading import Reading, read_reply
    from .renaming import Renaming, draw_renaming, renamed
    from .rules import rules_text
    from .text_gym import TextGymEnv

__all__ = [
    "BOARDS",
    "MoveGrade",
    "Reading",
    "Renaming",
    "TextEnv",
    "TextGame",
    "TextGymEnv",
    "draw_renaming",
    "read_json_board",
    "read_reply",
    "renamed",
    "rules_text",
    "text_env",
    "write_board",
]

_LAZY = {
    "BOARDS": ".board_forms",
    "MoveGrade": ".grades",
    "Reading": ".reading",
    "Renaming": ".renaming",
    "TextEnv": ".env",
    "TextGame": ".env",
    "TextGymEnv": ".text_gym",
    "draw_renaming": ".renaming",
    "read_json_board": ".board_forms",
    "read_reply": ".reading",
    "renamed": ".renaming",
    "rules_text": ".rules",
    "text_env": ".env",
    "write_board": ".board_forms",
}
"""Public names and their modules, imported when they are used: rules need no environment."""


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__getattr__ = importing(__name__, _LAZY)
