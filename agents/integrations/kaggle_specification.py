"""Describes games to Kaggle: what may be configured, and what agents observe and submit."""

from __future__ import annotations

from typing import Any

from adv_envs.registry import start_position

LONGEST_GAME = 10**6
"""Steps after which Kaggle would end a game by itself; the rules of games end them before."""
LONG, LONGER = 3600, 48 * 3600
"""Seconds for a reply and for a game, as in Kaggle's environments for language models."""
MOST_PLAYERS = 16

CONFIGURATION: dict[str, Any] = {
    "episodeSteps": LONGEST_GAME,
    "actTimeout": LONG,
    "runTimeout": LONGER,
    "options": {
        "description": "Options of adv_envs.text.TextGame, and the parameters of the game.",
        "type": "object",
        "default": {},
    },
    "seed": {
        "description": 'Determines chance, random moves, and those of the agent "random"; other '
        "agents have seeds of their own.",
        "type": ["integer", "null"],
    },
    "freeForm": {
        "description": "Whether replies are submitted, and read by the environment, which answers "
        "those that name no legal move. Otherwise the harness reads them, submits an action, and "
        "repeats its question itself.",
        "type": "boolean",
        "default": True,
    },
    "illegalMoveForfeit": {
        "description": "Whether the harness submits -1 when no attempt has named a legal move.",
        "type": "boolean",
        "default": True,
    },
}
OBSERVATION: dict[str, Any] = {
    "playerId": {"description": "The player who sees this.", "type": "integer"},
    "currentPlayer": {"description": "The player to move; -1 at the end.", "type": "integer"},
    "isTerminal": {"description": "Whether the game is over.", "type": "boolean"},
    "messages": {"description": "The chat of this player so far.", "type": "array"},
    "position": {"description": "What this player sees, as text for programs.", "type": "string"},
    "legalActions": {"description": "Their numbers, unless freeForm.", "type": "array"},
    "legalActionStrings": {"description": "Their names, unless freeForm.", "type": "array"},
    "remainingOverageTime": 60,
}
UNTOLD_STEP: dict[str, Any] = {
    "description": "Actions so far, those of others that were rejected too. No agent sees it.",
    "type": "integer",
    "minimum": 0,
    "default": 0,
    "hidden": True,
}
"""Kaggle's "step" where what others try is hidden."""


def kaggle_name(game: str) -> str:
    """Returns what Kaggle's environment of a game is called: "adv_envs_hex"."""
    return f"adv_envs_{game}"


def specification(game: str) -> dict[str, Any]:
    """Returns Kaggle's specification of a game."""
    start = start_position(game)
    first = start.num_players
    hidden = {} if start.perfect_information else {"step": UNTOLD_STEP}
    return {
        "name": kaggle_name(game),
        "title": game.replace("_", " ").capitalize(),
        "description": "A game by messages, the first of which tells its rules.",
        "version": f"{start.version}.0.0",
        # The first is how many there are unless options say otherwise.
        "agents": [first, *(n for n in range(2, MOST_PLAYERS + 1) if n != first)],
        "configuration": CONFIGURATION,
        "observation": OBSERVATION | hidden,
        "action": {
            "description": 'An object with "submission", a reply or the number of an action.',
            "type": "object",
            "default": {},  # takes the place of anything that is no object
        },
        "reward": {"type": "number", "default": 0.0},
    }
