"""Games as text for pages: what is in an address, what is pasted or opened, what is saved.

``read_text`` finds the line of moves in a text, ``saved_texts`` writes a line in every format that
the game has. Files are read and saved by the browser: only texts come here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from adv_envs import Position
from adv_envs.formats import game_texts
from adv_envs.notation import read_line, write_line
from adv_envs.registry import name_of, parameters_of
from agents.arena.game_files import SCORES, read_pgn, write_pgn
from agents.arena.store import GameRecord

from .situations import MOST_MOVES, BadRequest, Situation, moves, read_start

LONGEST = 50_000
"""Characters of a text with a game."""
LONGEST_MESSAGE = 320

HIDDEN = (
    "In this game players do not see everything: a text of its moves would tell what is hidden. "
    "It can be saved when the game is over."
)
ENDINGS = {"SGF": "sgf", "PGN": "pgn", "FEN": "fen"}


def read_text(request: Mapping[str, Any]) -> dict[str, Any]:
    """The line of moves in the "text" of a request, which also has "game" and "parameters".

    The text has moves (see ``adv_envs.notation``), or is in one of the formats of the game. The
    answer has "parameters" and "set_up", which a file may change, "line" and "moves" as states have
    them, and "text" for the address. BadRequest says which move is wrong.
    """
    usual, text = read_start(request), request.get("text")
    if not isinstance(text, str) or len(text) > LONGEST:
        raise BadRequest(f"a game is a text of at most {LONGEST:,} characters")
    if not usual.perfect_information:
        raise BadRequest("games in which players do not see everything cannot be read from text")
    try:
        start, actions = game_of(usual, text)
    except (ValueError, OverflowError, RecursionError) as error:
        raise BadRequest(shortened(str(error) or "this text cannot be read")) from None
    if len(actions) > MOST_MOVES:
        raise BadRequest(f"the page keeps games of at most {MOST_MOVES} moves")
    situation = Situation(start, actions, actions, tuple(range(1, len(actions) + 1)))
    return {
        "game": name_of(start),
        "parameters": parameters_of(start),
        "set_up": game_texts.write_set_up(start),
        "line": list(actions),
        "moves": moves(situation),
        "text": write_line(start, actions),
    }


def shortened(message: str) -> str:
    """A message that fits a page, which may quote the text it is about: its begin and its end."""
    return message if len(message) <= LONGEST_MESSAGE else f"{message[:150]} … {message[-120:]}"


def game_of(start: Position, text: str) -> tuple[Position, tuple[int, ...]]:
    """The start and the actions of a game in any format; ValueError says what is wrong."""
    found = game_texts.read_game(start.start(), text)
    if found is not None:
        return found
    if text.lstrip().startswith("["):
        games = read_pgn(text, start)
        if not games:
            raise ValueError("there is no game in this text")
        return start, (*games[0].opening, *games[0].actions)
    if len(re.split(r"[\s,]+", text)) > MOST_MOVES + 1:
        raise ValueError(f"the page keeps games of at most {MOST_MOVES} moves")
    return start, tuple(read_line(start, without_numbers(text)))


def without_numbers(text: str) -> str:
    """The moves of a text without the numbers before them: "1. a1 b2 2. c3" is "a1 b2 c3"."""
    return re.sub(r"(^|\s)\d+\.+(?=\s|\D)", r"\1", text)


def saved_texts(situation: Situation) -> dict[str, Any]:
    """The line in every format of the game: a list of {"format", "file", "text"}.

    BadRequest in games in which something is hidden still.
    """
    start, actions = situation.start, situation.actions
    if situation.viewer is not None:
        raise BadRequest(HIDDEN)
    texts = {"Moves": write_line(start, actions), **game_texts.write_game(start, actions)}
    if "PGN" not in texts and start.num_players == 2 and situation.position.is_terminal():
        record = finished_game(situation)
        if record.points in SCORES:
            texts["PGN"] = write_pgn(start, [record], "analysis")
    name = name_of(start)
    return {
        "formats": [
            {"format": kind, "file": f"{name}.{ENDINGS.get(kind, 'txt')}", "text": text}
            for kind, text in texts.items()
        ]
    }


def finished_game(situation: Situation) -> GameRecord:
    """A game that is over as tournaments keep theirs; by how much it was won is not said."""
    lead = situation.position.utility(0)
    points = (1.0, 0.0) if lead > 0 else (0.5, 0.5) if lead == 0 else (0.0, 1.0)
    return GameRecord(0, ("player 0", "player 1"), (), situation.actions, points, (0.0, 0.0))
