"""Reads positions and games from requests, and writes them as pages show them.

The page keeps the moves of a game, with their variations; the server keeps no games. A request has
the game, its parameters and the ``line``: the actions from the start to the position in question,
those of chance included.

Games in which players do not see everything are kept here, because the page must not know the
actions (``HiddenGame``). Their line consists of codes, which only this process can read, and the
names of moves are those that the person who looks has seen. A code stands for a whole game up to a
point: so it cannot be put into another game to see what happens there, and moves that nobody at the
page has noticed have no codes that could be counted. What a request says about who looks is checked
against the seats that people had when the game began; everything is shown when the game is over by
its rules, or when its owner ends it with the move {"reveal": true}, after which it cannot go on.
Chance draws from a sequence that is fixed when the game begins, and agents are seeded by the game:
asking twice shows nothing more than asking once.

Games are text in addresses, where they are pasted, opened and saved: ``read_text`` finds the line
of moves in a text, ``saved_texts`` writes a line in every format that the game has. Files are read
and saved by the browser: only texts come here.
"""

from __future__ import annotations

import base64
import hashlib
import math
import re
import secrets
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from adv_envs import CHANCE, IllegalMove, Position
from adv_envs.formats import game_texts
from adv_envs.notation import read_line
from adv_envs.pictures.clickable import clickable
from adv_envs.pictures.picture import picture_of, sided
from adv_envs.random import chance_action
from adv_envs.registry import name_of, start_position, title
from adv_envs.session import Session
from agents.arena.game_files import SCORES, read_pgn, write_pgn
from agents.arena.game_record import GameRecord
from agents.describe import game_data

Message = dict[str, Any]
"""What a job sends to a page: plain data for JSON."""

MOST_MOVES = 2000
"""The longest line that is accepted."""
LONGEST_SET_UP = 5000
"""Characters of the text of a position that is set up."""
LONGEST_TEXT = 50_000
"""Characters of a text with a game."""
LONGEST_REASON = 320
"""Characters of what is wrong with it; of more the begin and the end are told."""
MOST_CODES = 20_000
"""Codes of hidden games that are remembered; the oldest are forgotten."""
HIDDEN = (
    "In this game players do not see everything: a text of its moves would tell what is hidden. "
    "It can be saved when the game is over."
)
ENDINGS = {"SGF": "sgf", "PGN": "pgn", "FEN": "fen"}
GONE = "the server has forgotten this game, or was started again: begin a new game"


class BadRequest(ValueError):
    """Says what is wrong with a request that makes no sense."""


class UnfinishedJob(Exception):
    """Says that a job cannot go on before a search by an engine has found more."""


@dataclass(eq=False)
class HiddenGame:
    """Keeps a game in which players do not see everything."""

    start: Position
    people: tuple[int, ...]
    """The seats of people when it began; none: agents play, and everything is seen."""
    over: bool = False
    """Whether it has ended, by its rules or because its owner has said so."""
    _key: bytes = field(default_factory=lambda: secrets.token_bytes(16), repr=False)

    def number(self, purpose: str, place: int) -> int:
        """Returns a number from 0 to 2**62 - 1, always the same, that does not tell others."""
        text = f"{purpose} {place}".encode()
        digest = hashlib.blake2b(text, key=self._key, digest_size=8).digest()
        return int.from_bytes(digest, "big") >> 2

    def require_seats(self, people: tuple[int, ...]) -> tuple[int, ...]:
        """Returns the seats of those who look: the people, those asked for, or all.

        BadRequest for another seat.
        """
        if not self.people:
            return people
        for player in people:
            if player not in self.people:
                raise BadRequest(
                    f"what {self.start.side_names[player]} sees is hidden from this page until "
                    "the game is over: begin a new game to sit there"
                )
        return people or self.people


@dataclass
class GameState(Session):
    """Describes a game at a position that is asked about; ``people`` look at the page."""

    codes: tuple[int | str, ...] = ()
    """The line as the page has it: the actions, or, where something is hidden, codes as given."""
    ends: tuple[int, ...] = ()
    """The number of actions up to each code."""
    flipped: bool = False
    seed: int | None = None
    """Seeds the agents of a hidden game, whatever a page asks for; None in other games."""
    game: HiddenGame | None = field(default=None, repr=False)
    """The hidden game; None before its first move, and in other games."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.start.perfect_information:
            self.codes, self.ends = tuple(self.actions), tuple(range(1, len(self.actions) + 1))

    @classmethod
    def from_plain(cls, data: Mapping[str, Any]) -> GameState:
        """Returns the state that ``plain`` has written."""
        return cls(
            read_start(data),
            data["actions"],
            people=tuple(data["people"]),
            over=data["over"],
            flipped=data["flipped"],
            seed=data["seed"],
        )

    @property
    def plain(self) -> dict[str, Any]:
        """Returns the state as plain data for JSON, for the searches' processes; without codes."""
        return {
            **start_data(self.start),
            "actions": self.actions,
            "people": self.people,
            "over": self.over,
            "flipped": self.flipped,
            "seed": self.seed,
        }

    @property
    def may_choose(self) -> bool:
        """Returns whether the person who looks may choose the next move."""
        if self.ended or self.start.perfect_information:
            return not self.ended
        return self.position.to_move != CHANCE and self.position.to_move == self.viewer

    def in_game(self, game: HiddenGame) -> GameState:
        """Returns the state as part of a hidden game, with what the game says about it."""
        return replace(
            self,
            people=game.require_seats(self.people),
            over=game.over,
            seed=game.number("agent", len(self.actions)),
            game=game,
        )


class GameStates:
    """Reads what pages send, and writes what they show; keeps the codes of hidden games."""

    def __init__(self) -> None:
        self._coded: OrderedDict[str, tuple[HiddenGame, list[int]]] = OrderedDict()

    def read(self, request: Mapping[str, Any]) -> GameState:
        """Returns the state that a request asks about.

        Its keys are "game", "parameters", "set_up" (a start that is not the usual one, see
        ``formats.game_texts``), "line", "people" (seats) and "flipped"; all but the first may
        be missing. BadRequest, which says what is wrong.
        """
        start, codes = read_start(request), request.get("line", [])
        if not isinstance(codes, list) or len(codes) > MOST_MOVES:
            raise BadRequest(f"a line is a list of at most {MOST_MOVES} moves")
        game, games, actions = None, list[list[int]](), codes
        for code in codes:
            if type(code) is not (int if start.perfect_information else str):
                raise BadRequest(f"{code!r} is no move of a line")
        if not start.perfect_information:
            game, games = self._decode(start, codes)
            actions = games[-1] if games else []
        people, flipped = read_people(request, start), request.get("flipped") is True
        ends = tuple(map(len, games))
        try:
            state = GameState(start, actions, people, False, tuple(codes), ends, flipped)
        except ValueError as error:
            raise BadRequest(str(error)) from None
        return state if game is None else state.in_game(game)

    def _decode(
        self, start: Position, codes: Sequence[str]
    ) -> tuple[HiddenGame | None, list[list[int]]]:
        """Returns the game of the codes and the actions up to each; None and () without codes.

        BadRequest unless each code is of the same game and longer than the one before.
        """
        game: HiddenGame | None = None
        found: list[list[int]] = []
        for code in codes:
            if code not in self._coded:
                raise BadRequest(GONE)
            coded, actions = self._coded[code]
            last = found[-1] if found else []
            same = coded.start == start and game in (None, coded)
            if not same or actions[: len(last)] != last or len(actions) == len(last):
                raise BadRequest("these moves are of different games")
            game = coded
            found.append(actions)
        return game, found

    def after(self, state: GameState, *played: int) -> GameState:
        """Returns the state after one more move, and those that follow it unnoticed.

        BadRequest if a move is not legal, which does not say how many there were before.
        """
        start, actions, game = state.start, [*state.actions, *played], state.game
        if len(actions) > MOST_MOVES:
            raise BadRequest(f"the page keeps games of at most {MOST_MOVES} moves")
        if game is not None and game.over:
            raise BadRequest("the game is over")
        try:
            later = replace(state, actions=actions, ends=(*state.ends, len(actions)))
        except ValueError:
            raise BadRequest("this move is not legal here") from None
        if start.perfect_information:
            return later
        game = game or HiddenGame(start, state.people)
        game.over = game.over or later.position.is_terminal()
        code = secrets.token_urlsafe(9)
        self._coded[code] = game, actions
        if len(self._coded) > MOST_CODES:
            with suppress(KeyError):  # another thread has taken the last one
                self._coded.popitem(last=False)
        later.codes = (*state.codes, code)
        return later.in_game(game)

    def played(self, state: GameState, move: Any) -> GameState:
        """Returns the state after a person's move: {"action": 3}, {"name": "d4"}, {"chance": true}.

        The last is a move of chance, drawn at random. {"reveal": true} ends a hidden game: all of
        it is shown from then on, and it cannot go on. BadRequest if the move is not legal.
        """
        match move:
            case {"reveal": True}:
                return revealed(state)
            case _ if state.ended:
                raise BadRequest("the game is over")
            case {"chance": True}:
                return self.thrown(state)
            case {"name": str(chosen)} if len(chosen) <= 100:
                pass
            case {"action": int(chosen)}:
                pass
            case _:
                raise BadRequest("a move is an action, a name, or chance")
        if not state.may_choose:
            raise BadRequest("it is not your turn")
        try:
            return self.after(state, state.view.action(chosen))
        except (IllegalMove, TypeError) as error:
            raise BadRequest(str(error)) from None

    def thrown(self, state: GameState) -> GameState:
        """Returns the state after chance has moved; BadRequest if it is not its turn.

        Where hidden cards are dealt all of them in a row. In a hidden game the numbers by which
        chance moves are fixed when it begins, as if a deck was shuffled: the one of its third move
        of chance is the same, however often and in which variation it is asked for.
        """
        if state.position.to_move != CHANCE:
            raise BadRequest("it is not chance's turn")
        if not state.start.perfect_information and state.game is None:
            state = replace(state, game=HiddenGame(state.start, state.people))
        position, game, actions = state.position, state.game, list[int]()
        place = sum(each.to_move == CHANCE for each in state.positions[:-1])
        while not actions or not (
            game is None or position.is_terminal() or position.to_move != CHANCE
        ):
            bits = secrets.randbits(53) if game is None else game.number("chance", place) >> 9
            actions.append(chance_action(position, bits / 2**53))
            position, place = position.play(actions[-1]), place + 1
        return self.after(state, *actions)


# ---- data for pages


def start_data(start: Position) -> dict[str, Any]:
    """Returns the game that begins at ``start`` as ``read_start`` reads it."""
    return {**game_data(start), "set_up": game_texts.write_set_up(start)}


def line_data(state: GameState) -> dict[str, Any]:
    """Returns the game and its line, the first keys of ``shown``."""
    return {
        **start_data(state.start),
        "line": list(state.codes),
        "moves": moves(state),
        "text": state.text() if state.start.perfect_information else "",
    }


def shown(state: GameState) -> dict[str, Any]:
    """Returns a state as a page shows it, as plain data for JSON.

    The keys are

    - "game", "parameters", "set_up" and "line", as in requests; "moves": for each of the line
      {"name", "player"}, where the name is "?" or "" for what the viewer has not seen, and the
      player of chance is -1; "text": the line as ``write_line`` has it, "" in games in which
      players do not see everything;
    - "title"; "players" (their number), "hidden" (whether players see different things),
      "cooperative" (whether they share the result), "most" (a utility at most), "sides" (the names
      of the players) and "tasks" (of each player); "turns", see ``turns``;
    - "to_move" (-1: chance), "turn_text" ("" at the end), "viewer" (None: everything is seen),
      "over", "utilities" and "result" (both None before the end);
    - "board": see ``pictures.clickable``. Actions are those of the person to move, or of chance
      where nothing is hidden.
    """
    start, position = state.start, state.position
    players = range(start.num_players)
    ended = position.is_terminal()
    return {
        **line_data(state),
        "title": title(start),
        "players": start.num_players,
        "hidden": not start.perfect_information,
        "cooperative": start.cooperative,
        "most": start.max_utility,
        "sides": list(start.side_names),
        "tasks": list(sided(start, state.flipped).tasks),
        "turns": turns(start),
        "to_move": state.view.to_move,
        "viewer": state.viewer,
        "over": ended,
        "utilities": [position.utility(player) for player in players] if ended else None,
        "turn_text": "" if ended else state.view.turn_text(),
        "result": position.result_text() if ended else None,
        "board": board(state),
    }


def turns(start: Position) -> str:
    """Returns how the board turns: to the other side, "sides", to be "upright"; "": not at all."""
    picture = picture_of(start)
    return "" if picture.flipped is None else "upright" if picture.upright else "sides"


def shown_after(states: GameStates, state: GameState, message: Message) -> Message:
    """Returns a message of a job with the "state" after the moves that were "played" in it."""
    if "played" not in message:
        return message
    rest = {key: value for key, value in message.items() if key != "played"}
    return {**rest, "state": shown(states.after(state, *message["played"]))}


def finite(data: Any) -> Any:
    """Returns data with None in the place of infinite numbers and of NaN."""
    if isinstance(data, dict):
        return {key: finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data


def board(state: GameState, values: Mapping[int, float] | None = None) -> dict[str, Any]:
    """Returns the picture of a state and what can be clicked, with ``values`` as a heat map."""
    return clickable(
        state.view,
        state.last_seen(state.viewer),
        flipped=state.flipped,
        values=values,
        playable=state.may_choose,
    )


def moves(state: GameState) -> list[dict[str, Any]]:
    """Returns the name and the player of each move of the line, as far as the viewer knows them.

    A move of chance "goes_on" if it is a throw within a turn, see ``is_throw``.
    What follows a move unnoticed is not told apart from it.
    """
    seen = state.seen(state.viewer)
    found, begin = [], 0
    for end in state.ends:
        names = [
            each.name if each.action is None else state.positions[i].short_name(each.action)
            for i, each in enumerate(seen[begin:end], begin)
            if each.name
        ]
        move: dict[str, Any] = {"name": " ".join(names), "player": seen[begin].player}
        if state.start.perfect_information and begin and is_throw(state.positions[begin - 1 : end]):
            move["goes_on"] = True
        found.append(move)
        begin = end
    return found


def is_throw(positions: Sequence[Position]) -> bool:
    """Returns whether chance moves for the player who has moved before, who may then go on.

    ``positions`` are those before that player's move, before chance's, and after it.
    """
    before, chance = positions[:2]
    if chance.to_move != CHANCE or before.to_move == CHANCE:
        return False
    return any(chance.play(each).to_move == before.to_move for each in chance.legal_actions())


# ---- parts of requests


def read_start(request: Mapping[str, Any]) -> Position:
    """Returns the start position that a request names. BadRequest, which says what is wrong."""
    name, parameters = request.get("game"), request.get("parameters", {})
    if not isinstance(name, str) or not isinstance(parameters, dict):
        raise BadRequest("a request needs the name of a game, and parameters by name")
    set_up = request.get("set_up", "")
    if not isinstance(set_up, str) or len(set_up) > LONGEST_SET_UP:
        raise BadRequest(f"a set-up is a text of at most {LONGEST_SET_UP} characters")
    try:
        return game_texts.read_set_up(start_position(name, **parameters), set_up)
    except (TypeError, ValueError) as error:
        raise BadRequest(str(error)) from None


def read_people(request: Mapping[str, Any], start: Position) -> tuple[int, ...]:
    """Returns the seats of those who look, as a request has them: all by default; BadRequest."""
    people, seats = request.get("people", list(range(start.num_players))), range(start.num_players)
    if not isinstance(people, list) or not all(type(p) is int and p in seats for p in people):
        raise BadRequest(f"people are a list of seats, 0 to {start.num_players - 1}")
    return tuple(people)


def revealed(state: GameState) -> GameState:
    """Returns the state of a hidden game that its owner has ended; BadRequest in other games."""
    if state.start.perfect_information:
        raise BadRequest("nothing is hidden in this game")
    if state.game is None:
        return state  # nothing has happened that could be shown
    state.game.over = True
    return replace(state, over=True)


# ---- games as text


def read_text(request: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the line of moves in the "text" of a request, which also has "game" and "parameters".

    Instead of a text there may be a "file": its bytes in base 64, as they may be in any encoding.
    The text has moves (see ``adv_envs.notation``), or is in one of the formats of the game. The
    answer has "parameters" and "set_up", which a file may change, "line" and "moves" as states have
    them, and "text" for the address. BadRequest says which move is wrong.
    """
    usual, file = read_start(request), request.get("file")
    text = request.get("text") if file is None else text_of_file(usual, file)
    if not isinstance(text, str) or len(text) > LONGEST_TEXT:
        raise BadRequest(f"a game is a text of at most {LONGEST_TEXT:,} characters")
    if not usual.perfect_information:
        raise BadRequest("games in which players do not see everything cannot be read from text")
    try:
        start, actions = game_of(usual, text)
    except (ValueError, OverflowError, RecursionError) as error:
        why = str(error) or "this text cannot be read"
        fits = len(why) <= LONGEST_REASON
        raise BadRequest(why if fits else f"{why[:150]} … {why[-120:]}") from None
    if len(actions) > MOST_MOVES:
        raise BadRequest(f"the page keeps games of at most {MOST_MOVES} moves")
    return line_data(GameState(start, list(actions)))


def text_of_file(usual: Position, file: object) -> str:
    """Returns the text of a file in base 64; BadRequest if its encoding is not known."""
    if not isinstance(file, str) or len(file) > 2 * LONGEST_TEXT:
        raise BadRequest(f"a file has at most {LONGEST_TEXT:,} bytes, in base 64")
    try:
        return game_texts.decode(usual, base64.b64decode(file, validate=True))
    except ValueError as error:
        raise BadRequest(str(error)) from None


def game_of(start: Position, text: str) -> tuple[Position, tuple[int, ...]]:
    """Returns the start and the actions of a game in any format; ValueError says what is wrong."""
    found = game_texts.read_game(start.start(), text)
    if found is not None:
        return found.start, found.actions
    if text.lstrip().startswith("["):
        games = read_pgn(text, start)
        if not games:
            raise ValueError("there is no game in this text")
        return start, (*games[0].opening, *games[0].actions)
    if len(re.split(r"[\s,]+", text)) > MOST_MOVES + 1:
        raise ValueError(f"the page keeps games of at most {MOST_MOVES} moves")
    return start, tuple(read_line(start, text))


def saved_texts(state: GameState) -> dict[str, Any]:
    """Returns the line in every format of the game: a list of {"format", "file", "text"}.

    BadRequest in games in which something is hidden still.
    """
    start, actions = state.start, state.actions
    if state.viewer is not None:
        raise BadRequest(HIDDEN)
    texts = {"Moves": state.text(), **game_texts.write_game(start, actions)}
    if "PGN" not in texts and start.num_players == 2 and state.position.is_terminal():
        record = finished_game(state)
        if record.points in SCORES:
            texts["PGN"] = write_pgn(start, [record], "analysis")
    name = name_of(start)
    return {
        "formats": [
            {"format": kind, "file": f"{name}.{ENDINGS.get(kind, 'txt')}", "text": text}
            for kind, text in texts.items()
        ]
    }


def finished_game(state: GameState) -> GameRecord:
    """Returns a finished game as tournaments keep theirs; by how much it was won is left out."""
    lead = state.position.utility(0)
    points = (1.0, 0.0) if lead > 0 else (0.5, 0.5) if lead == 0 else (0.0, 1.0)
    first, second = state.start.side_names
    return GameRecord(0, (first, second), (), tuple(state.actions), points, (0.0, 0.0))
