"""What a page sends as positions, and positions as what a page shows.

The page keeps the moves of a game, with their variations; the server keeps no games. A request has
the game, its parameters and the ``line``: the actions from the start to the position in question,
those of chance included. In games in which players do not see everything the page must not know
the actions: its line consists of codes, which only this process can read (``Vault``), and the
names of moves are those that the person who looks has seen.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from adv_envs import CHANCE, IllegalMove, Position
from adv_envs.pictures.clickable import clickable
from adv_envs.pictures.picture import picture_of
from adv_envs.random import chance_action
from adv_envs.registry import name_of, parameters_of, start_position, title
from agents.describe import outcome, seat, seen_name

MOST_MOVES = 2000
"""The longest line that is accepted."""
MOST_POSITIONS = 4096
"""Positions that are remembered, so that a line is not played from its start at every request."""
MOST_CODES = 200_000
"""Codes of hidden actions that are remembered; the oldest are forgotten."""


class BadRequest(ValueError):
    """What a page has sent makes no sense; the message says what is wrong."""


class Vault:
    """Codes that stand for actions which a page must not know."""

    def __init__(self) -> None:
        self._actions: OrderedDict[str, int] = OrderedDict()

    def seal(self, action: int) -> str:
        """A new code for ``action``."""
        code = secrets.token_urlsafe(9)
        self._actions[code] = action
        if len(self._actions) > MOST_CODES:
            self._actions.popitem(last=False)
        return code

    def open(self, code: str) -> int:
        """The action; BadRequest for a code that is not known, or no longer."""
        try:
            return self._actions[code]
        except KeyError:
            raise BadRequest(
                "this game was dealt by a server that has stopped: begin a new game"
            ) from None


@dataclass(frozen=True)
class Situation:
    """A position of a game as a page asks about it."""

    start: Position
    actions: tuple[int, ...] = ()
    """The moves that were made, those of chance included."""
    codes: tuple[int | str, ...] = ()
    """The same as the page has them."""
    people: tuple[int, ...] = (0, 1)
    """The seats of those who look at the page."""
    over: bool = False
    """Whether the game has ended before its end, so that everything may be seen."""
    flipped: bool = False
    position: Position = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "position", position_after(self.start, self.actions))

    @classmethod
    def from_plain(cls, data: Mapping[str, Any]) -> Situation:
        """The situation that ``plain`` has written."""
        return cls(
            start_position(data["game"], **data["parameters"]),
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

        Its keys are "game", "parameters", "line", "people" (seats), "over" and "flipped", of which
        all but the first may be missing. BadRequest, which says what is wrong.
        """
        start = read_start(request)
        codes = request.get("line", [])
        if not isinstance(codes, list) or len(codes) > MOST_MOVES:
            raise BadRequest(f"a line is a list of at most {MOST_MOVES} moves")
        actions = tuple(self._action(start, code) for code in codes)
        people = request.get("people", list(range(start.num_players)))
        seats = range(start.num_players)
        if not isinstance(people, list) or not all(type(p) is int and p in seats for p in people):
            raise BadRequest(f"people are a list of seats, 0 to {start.num_players - 1}")
        over, flipped = request.get("over") is True, request.get("flipped") is True
        return Situation(start, actions, tuple(codes), tuple(people), over, flipped)

    def _action(self, start: Position, code: Any) -> int:
        if isinstance(code, str) and not start.perfect_information:
            return self.vault.open(code)
        if isinstance(code, bool) or not isinstance(code, int) or not start.perfect_information:
            raise BadRequest(f"{code!r} is no move of a line")
        return code

    def after(self, situation: Situation, action: int) -> Situation:
        """The situation after one more move; BadRequest if it is not legal."""
        code = action if situation.start.perfect_information else self.vault.seal(action)
        return replace(
            situation,
            actions=(*situation.actions, action),
            codes=(*situation.codes, code),
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
                random = secrets.randbelow(2**53) / 2**53
                return self.after(situation, chance_action(position, random))
            case {"name": str(name)} if len(name) <= 100:
                require_seen(situation)
                try:
                    return self.after(situation, position.action(name.strip().lower()))
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

        - "game", "title", "parameters"; "players" (their number), "hidden" (whether players see
          different things), "symbols" and "tasks" (of each player);
        - "line", as in requests, and "moves": for each of them {"name", "player"}, where the name
          is "?" or "" for what the viewer has not seen, and the player of chance is -1;
        - "to_move" (-1: chance), "viewer" (None: everything is seen), "over", "utilities" and
          "result" (both None before the end);
        - "board": see ``pictures.clickable``. Actions are those of the person to move, or of
          chance where nothing is hidden; with ``values`` it is a heat map.
        """
        start, position, seen = situation.start, situation.position, situation.seen
        players = range(start.num_players)
        ended = position.is_terminal()
        last = situation.actions[-1] if situation.actions else None
        return {
            "game": name_of(start),
            "title": title(start),
            "parameters": parameters_of(start),
            "players": start.num_players,
            "hidden": not start.perfect_information,
            "symbols": [seat(start, player) for player in players],
            "tasks": list(picture_of(start).tasks),
            "line": list(situation.codes),
            "moves": moves(situation),
            "to_move": position.to_move,
            "viewer": situation.viewer,
            "over": ended,
            "utilities": [position.utility(player) for player in players] if ended else None,
            "result": outcome(position) if ended else None,
            "board": clickable(
                seen,
                last if situation.viewer is None else last_seen(situation),
                flipped=situation.flipped,
                values=values,
                playable=not situation.ended and may_choose(situation),
            ),
        }


# ---- parts


def read_start(request: Mapping[str, Any]) -> Position:
    """The start position that a request names. BadRequest, which says what is wrong."""
    name, parameters = request.get("game"), request.get("parameters", {})
    if not isinstance(name, str) or not isinstance(parameters, dict):
        raise BadRequest("a request needs the name of a game, and parameters by name")
    try:
        return start_position(name, **parameters)
    except (TypeError, ValueError) as error:
        raise BadRequest(str(error)) from None


_positions: OrderedDict[tuple[Position, tuple[int, ...]], Position] = OrderedDict()


def position_after(start: Position, actions: Sequence[int]) -> Position:
    """The position after ``actions``; BadRequest if one of them is not legal."""
    actions = tuple(actions)
    position = None
    for known in range(len(actions), -1, -1):
        position = _positions.get((start, actions[:known])) if known else start
        if position is not None:
            break
    assert position is not None
    for i, action in enumerate(actions[known:], known + 1):
        if position.is_terminal() or not position.legal(action):
            raise BadRequest(f"move {i} is not legal")
        position = position.play(action)
        _positions[start, actions[:i]] = position
        if len(_positions) > MOST_POSITIONS:
            with suppress(KeyError):  # another thread has taken the last one
                _positions.popitem(last=False)
    return position


def moves(situation: Situation) -> list[dict[str, Any]]:
    """The name and the player of each move, as far as the viewer has seen them."""
    found = []
    for i, action in enumerate(situation.actions):
        position = position_after(situation.start, situation.actions[:i])
        name = seen_name(position, action, situation.viewer)
        found.append({"name": name, "player": position.to_move})
    return found


def last_seen(situation: Situation) -> int | None:
    """The last action, if the viewer has seen it."""
    if not situation.actions:
        return None
    before = position_after(situation.start, situation.actions[:-1])
    last = situation.actions[-1]
    return last if seen_name(before, last, situation.viewer) == before.name(last) else None


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
