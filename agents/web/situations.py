"""What a page sends as positions, and positions as what a page shows.

The page keeps the moves of a game, with their variations; the server keeps no games. A request has
the game, its parameters and the ``line``: the actions from the start to the position in question,
those of chance included. In games in which players do not see everything the page must not know
the actions: its line consists of codes, which only this process can read (``Vault``), and the
names of moves are those that the person who looks has seen. A code stands for a whole game up to a
point: so it cannot be put into another game to see what happens there, and moves that nobody at
the page has noticed have no codes that could be counted.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from adv_envs import CHANCE, IllegalMove, Position
from adv_envs.formats import game_texts
from adv_envs.pictures.clickable import clickable
from adv_envs.pictures.picture import picture_of
from adv_envs.random import chance_action
from adv_envs.registry import name_of, parameters_of, start_position, title
from agents.describe import outcome, seat

from .history import History, history_of, line_text, moves_seen

MOST_MOVES = 2000
"""The longest line that is accepted."""
LONGEST_SET_UP = 5000
"""Characters of the text of a position that is set up."""
MOST_CODES = 20_000
"""Codes of hidden games that are remembered; the oldest are forgotten."""
GONE = "the server has forgotten this game, or was started again: begin a new game"


class BadRequest(ValueError):
    """What a page has sent makes no sense; the message says what is wrong."""


class Vault:
    """Codes that stand for games up to a point, of which a page must not know every action."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, tuple[Position, tuple[int, ...]]] = OrderedDict()

    def seal(self, start: Position, actions: tuple[int, ...]) -> str:
        """A new code for a game up to a point."""
        code = secrets.token_urlsafe(9)
        self._games[code] = start, actions
        if len(self._games) > MOST_CODES:
            with suppress(KeyError):
                self._games.popitem(last=False)
        return code

    def open(self, start: Position, codes: Sequence[object]) -> list[tuple[int, ...]]:
        """The actions up to each code, each a longer beginning of the same game; BadRequest."""
        found: list[tuple[int, ...]] = []
        for code in codes:
            if not isinstance(code, str):
                raise BadRequest(f"{code!r} is no move of a line")
            if code not in self._games:
                raise BadRequest(GONE)
            sealed_start, actions = self._games[code]
            last = found[-1] if found else ()
            if sealed_start != start or actions[: len(last)] != last or len(actions) == len(last):
                raise BadRequest("these moves are of different games")
            found.append(actions)
        return found


@dataclass(frozen=True)
class Situation:
    """A position of a game as a page asks about it."""

    start: Position
    actions: tuple[int, ...] = ()
    """The moves that were made, those of chance included."""
    codes: tuple[int | str, ...] = ()
    """The same as the page has them."""
    ends: tuple[int, ...] = ()
    """The number of actions up to each code."""
    people: tuple[int, ...] = (0, 1)
    """The seats of those who look at the page."""
    over: bool = False
    """Whether the game has ended before its end, so that everything may be seen."""
    flipped: bool = False
    history: History = field(init=False, repr=False)

    def __post_init__(self) -> None:
        try:
            found = history_of(self.start, self.actions)
        except ValueError as error:
            raise BadRequest(str(error)) from None
        object.__setattr__(self, "history", found)

    @property
    def position(self) -> Position:
        """The position in question."""
        return self.history.position

    @classmethod
    def from_plain(cls, data: Mapping[str, Any]) -> Situation:
        """The situation that ``plain`` has written."""
        return cls(
            read_start(data),
            tuple(data["actions"]),
            people=tuple(data["people"]),
            over=data["over"],
            flipped=data["flipped"],
        )

    @property
    def plain(self) -> dict[str, Any]:
        """The situation as plain data for JSON, for the processes of searches; without codes."""
        return {
            "game": name_of(self.start),
            "parameters": parameters_of(self.start),
            "set_up": game_texts.write_set_up(self.start),
            "actions": self.actions,
            "people": self.people,
            "over": self.over,
            "flipped": self.flipped,
        }

    @property
    def viewer(self) -> int | None:
        """Who looks: a person, the one to move if there are several; None: someone who sees all."""
        if self.start.perfect_information or not self.people or self.ended:
            return None
        to_move = self.position.to_move
        return to_move if to_move in self.people else self.people[0]

    @property
    def ended(self) -> bool:
        """Whether the game is over, by its rules or otherwise."""
        return self.over or self.position.is_terminal()

    @property
    def seen(self) -> Position:
        """What the viewer sees of the position."""
        return self.position if self.viewer is None else self.position.hidden(self.viewer)


class Situations:
    """Reads what pages send, and writes what they show."""

    def __init__(self) -> None:
        self.vault = Vault()

    def read(self, request: Mapping[str, Any]) -> Situation:
        """The situation that a request is about.

        Its keys are "game", "parameters", "set_up" (a start that is not the usual one, see
        ``formats.game_texts``), "line", "people" (seats), "over" and "flipped", of which all but
        the first may be missing. BadRequest, which says what is wrong.
        """
        start = read_start(request)
        codes = request.get("line", [])
        if not isinstance(codes, list) or len(codes) > MOST_MOVES:
            raise BadRequest(f"a line is a list of at most {MOST_MOVES} moves")
        if start.perfect_information:
            actions = tuple(map(read_action, codes))
            ends = tuple(range(1, len(actions) + 1))
        else:
            games = self.vault.open(start, codes)
            actions = games[-1] if games else ()
            ends = tuple(map(len, games))
        people = request.get("people", list(range(start.num_players)))
        seats = range(start.num_players)
        if not isinstance(people, list) or not all(type(p) is int and p in seats for p in people):
            raise BadRequest(f"people are a list of seats, 0 to {start.num_players - 1}")
        over, flipped = request.get("over") is True, request.get("flipped") is True
        return Situation(start, actions, tuple(codes), ends, tuple(people), over, flipped)

    def after(self, situation: Situation, *played: int) -> Situation:
        """The situation after one more move, and those that follow it unnoticed.

        BadRequest if a move is not legal, which does not say how many there were before.
        """
        start, actions = situation.start, (*situation.actions, *played)
        if len(actions) > MOST_MOVES:
            raise BadRequest(f"the page keeps games of at most {MOST_MOVES} moves")
        try:
            history_of(start, actions)
        except ValueError:
            raise BadRequest("this move is not legal here") from None
        code = played[0] if start.perfect_information else self.vault.seal(start, actions)
        return replace(
            situation,
            actions=actions,
            codes=(*situation.codes, code),
            ends=(*situation.ends, len(actions)),
        )

    def played(self, situation: Situation, move: Any) -> Situation:
        """The situation after a person's move: {"action": 3}, {"name": "d4"}, {"chance": true}.

        The last is a move of chance, drawn at random. BadRequest if the move is not legal.
        """
        position = situation.position
        if situation.ended:
            raise BadRequest("the game is over")
        match move:
            case {"chance": True}:
                if position.to_move != CHANCE:
                    raise BadRequest("it is not chance's turn")
                return self.after(situation, *thrown(position))
            case {"name": str(name)} if len(name) <= 100:
                require_seen(situation)
                try:
                    return self.after(situation, situation.seen.action(name.strip()))
                except IllegalMove as error:
                    raise BadRequest(str(error)) from None
            case {"action": int(action)} if not isinstance(action, bool):
                require_seen(situation)
                return self.after(situation, action)
        raise BadRequest("a move is an action, a name, or chance")

    def state(
        self, situation: Situation, values: Mapping[int, float] | None = None
    ) -> dict[str, Any]:
        """A situation as a page shows it, as plain data for JSON.

        The keys are

        - "game", "title", "parameters", "set_up"; "players" (their number), "hidden" (whether
          players see different things), "symbols" and "tasks" (of each player);
        - "line", as in requests, and "moves": for each of them {"name", "player"}, where the name
          is "?" or "" for what the viewer has not seen, and the player of chance is -1; "text":
          the line as ``write_line`` has it, "" in games in which players do not see everything;
        - "to_move" (-1: chance), "viewer" (None: everything is seen), "over", "utilities" and
          "result" (both None before the end);
        - "board": see ``pictures.clickable``. Actions are those of the person to move, or of
          chance where nothing is hidden; with ``values`` it is a heat map.
        """
        start, position, seen = situation.start, situation.position, situation.seen
        players = range(start.num_players)
        ended = position.is_terminal()
        return {
            "game": name_of(start),
            "title": title(start),
            "parameters": parameters_of(start),
            "set_up": game_texts.write_set_up(start),
            "players": start.num_players,
            "hidden": not start.perfect_information,
            "symbols": [seat(start, player) for player in players],
            "tasks": list(picture_of(start).tasks),
            "line": list(situation.codes),
            "moves": moves(situation),
            "text": line_text(situation.history) if start.perfect_information else "",
            "to_move": seen.to_move,
            "viewer": situation.viewer,
            "over": ended,
            "utilities": [position.utility(player) for player in players] if ended else None,
            "result": outcome(position) if ended else None,
            "board": board(situation, values),
        }


def board(situation: Situation, values: Mapping[int, float] | None = None) -> dict[str, Any]:
    """The picture of a situation and what can be clicked, with ``values`` as a heat map."""
    moves = situation.history.parent and situation.history.seen(situation.viewer)
    return clickable(
        situation.seen,
        moves.action if moves else None,
        flipped=situation.flipped,
        values=values,
        playable=not situation.ended and may_choose(situation),
    )


# ---- parts


def read_start(request: Mapping[str, Any]) -> Position:
    """The start position that a request names. BadRequest, which says what is wrong."""
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


def read_action(code: object) -> int:
    """A move of a line in a game in which everything is seen; BadRequest if it is none."""
    if isinstance(code, bool) or not isinstance(code, int):
        raise BadRequest(f"{code!r} is no move of a line")
    return code


def thrown(position: Position) -> list[int]:
    """Moves of chance, drawn at random: one, or where hidden cards are dealt all in a row."""
    actions: list[int] = []
    while not actions or not (
        position.perfect_information or position.is_terminal() or position.to_move != CHANCE
    ):
        actions.append(chance_action(position, secrets.randbelow(2**53) / 2**53))
        position = position.play(actions[-1])
    return actions


def moves(situation: Situation) -> list[dict[str, Any]]:
    """The name and the player of each move of the line, as far as the viewer knows them.

    What follows a move unnoticed is not told apart from it.
    """
    path = situation.history.path()
    seen = moves_seen(situation.history, situation.viewer)
    found, begin = [], 0
    for end in situation.ends:
        names = [each.name for each in seen[begin:end] if each.name]
        found.append({"name": " ".join(names), "player": path[begin].player})
        begin = end
    return found


def may_choose(situation: Situation) -> bool:
    """Whether the person who looks may choose the next move."""
    to_move = situation.position.to_move
    if situation.start.perfect_information:
        return True
    return to_move != CHANCE and to_move == situation.viewer


def require_seen(situation: Situation) -> None:
    """BadRequest if the move is not the viewer's to make."""
    if not may_choose(situation):
        raise BadRequest("it is not your turn")
