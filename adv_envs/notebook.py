"""A board to play on in notebooks: ``adv_envs.widget(position, agent=...)``.

It is an anywidget, and so works in Jupyter, VS Code, Colab and marimo, without a network. The board
is that of the page of ``adv-envs serve``. The kernel keeps the game: the front end is told what the
people at the board see, and sends what they click. Needs the extra ``widget``.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from adv_envs.envs.opponents import Opponent, OpponentError, as_opponent, reply
from adv_envs.notation import read_line
from adv_envs.optional import optional_library
from adv_envs.pictures.clickable import clickable
from adv_envs.pictures.svg import palette_rules, svg
from adv_envs.position import CHANCE, Position, seen_by
from adv_envs.random import chance_action
from adv_envs.registry import start_of

anywidget = optional_library("anywidget", "boards in notebooks need", "widget")
traitlets = optional_library("traitlets", "boards in notebooks need", "widget")

STATIC = Path(__file__).parent / "pictures" / "static"
STYLE = """
.adv-envs-widget { display: grid; gap: .5rem; max-width: 40rem; color-scheme: light dark; }
.adv-envs-widget .bar { display: flex; gap: .4rem; align-items: center; flex-wrap: wrap; }
.adv-envs-widget .said { flex: 1; min-width: 8rem; }
.adv-envs-widget button { min-height: 2rem; cursor: pointer; }
"""


class BoardGame:
    """A game of people and agents on one board, without its looks.

    ``people`` are the seats of those at the board, ``agents`` who plays the other seats.
    """

    def __init__(
        self, start: Position, people: Sequence[int], agents: dict[int, Opponent], seed: int | None
    ) -> None:
        self.start, self.people, self.agents = start, tuple(people), agents
        self.seed, self.flipped = seed, False
        self.begin()

    def begin(self) -> None:
        """Begin a new game from the start."""
        self.rng = random.Random(self.seed)
        self.history, self.actions = [self.start], list[int]()
        self.prepared = False

    def prepare(self) -> None:
        """Tell the agents that a game begins, once a game. OpponentError if one of them fails."""
        if self.prepared:
            return
        for agent in {id(agent): agent for agent in self.agents.values()}.values():
            if hasattr(agent, "reset"):
                try:
                    agent.reset(self.rng.getrandbits(31))
                except Exception as error:
                    raise OpponentError(f"{agent!r} cannot begin a game: {error!r}") from error
        self.prepared = True

    @property
    def position(self) -> Position:
        """The position now, all of it."""
        return self.history[-1]

    @property
    def viewer(self) -> int | None:
        """Who looks: a person, the one to move if there are several; None: all is seen.

        Everybody sees a game that is over.
        """
        position = self.position
        if position.perfect_information or not self.people or position.is_terminal():
            return None
        return position.to_move if position.to_move in self.people else self.people[0]

    def play(self, action: int) -> None:
        """Play a legal action."""
        self.history.append(self.position.play(action))
        self.actions.append(action)

    def answer(self) -> None:
        """Let chance and agents move until a person is to move or the game is over.

        OpponentError if an agent fails.
        """
        self.prepare()
        while not (position := self.position).is_terminal():
            if position.to_move == CHANCE:
                self.play(chance_action(position, self.rng.random()))
            elif position.to_move in self.agents:
                self.play(reply(self.agents[position.to_move], position))
            else:
                return

    def undo(self) -> None:
        """Go back to before the last move of a person, if there is one."""
        own = [i for i, before in enumerate(self.history[:-1]) if before.to_move in self.people]
        if own:
            del self.history[own[-1] + 1 :], self.actions[own[-1] :]

    def shown(self) -> dict[str, Any]:
        """The board as the front end draws it."""
        position, viewer = self.position, self.viewer
        seen = position if viewer is None else position.hidden(viewer)
        last = self.actions[-1] if self.actions and seen is position else None
        playable = not position.is_terminal() and position.to_move in self.people
        board = clickable(seen, last, flipped=self.flipped, playable=playable)
        return board | {"turn": len(self.actions)}


def bundle(*names: str) -> str:
    """The modules of the board as one, each after those that it imports."""
    texts = ((STATIC / name).read_text("utf-8") for name in names)
    imports = re.compile(r"^import [^;]*;\n|^export (?!default)", re.MULTILINE)
    return "\n".join(imports.sub("", text) for text in texts)


class BoardWidget(anywidget.AnyWidget):  # type: ignore[name-defined,misc]  # may be missing
    """A board in a notebook; see ``adv_envs.widget``."""

    _esm = bundle("area.js", "drag.js", "board.js", "widget.js")
    _css = (STATIC / "board.css").read_text("utf-8") + palette_rules() + STYLE
    board = traitlets.Dict().tag(sync=True)
    said = traitlets.Unicode().tag(sync=True)
    moves = traitlets.List().tag(sync=True)

    def __init__(self, game: BoardGame) -> None:
        self.game = game
        super().__init__()
        self.on_msg(self._receive)
        self._go_on()

    @property
    def start(self) -> Position:
        """The position that the game began with."""
        return self.game.start

    @property
    def position(self) -> Position:
        """The position now: all of it, also what the people at the board do not see."""
        return self.game.position

    @position.setter
    def position(self, position: Position) -> None:
        if not isinstance(position, Position):
            raise TypeError(f"a position is needed, not {position!r}")
        if position.num_players != self.game.start.num_players:
            needed = self.game.start.num_players
            raise ValueError(f"a position of {needed} players is needed, not {position!r}")
        self.game.start, _ = start_of(position, {})
        self.game.begin()
        self._go_on()

    @property
    def actions(self) -> list[int]:
        """The actions since the start, those of chance included."""
        return list(self.game.actions)

    def play(self, move: int | str) -> None:
        """Make a move for the player to move, by name or action, and let agents answer.

        IllegalMove if it is not legal.
        """
        self.game.play(read_line(self.game.position, [move])[0])
        self._go_on()

    def _receive(self, _: Any, message: Any, buffers: Any) -> None:
        """Do what the front end asks, {"action": 3, "turn": 0} or {"do": "undo"}, or refuse it.

        "turn" is that of the board that was clicked: a click on an earlier one is not played.
        """
        match message:
            case {"action": int(), "turn": turn} if turn != len(self.game.actions):
                self.said = "The board has changed since that click."
                return
            case {"action": int(action)} if self._may_play(action):
                self.game.play(action)
            case {"do": "undo"}:
                self.game.undo()
            case {"do": "new game"}:
                self.game.begin()
            case {"do": "flip"}:
                self.game.flipped = not self.game.flipped
            case _:
                self.said = "That is not a legal move."
                return
        self._go_on()

    def _may_play(self, action: int) -> bool:
        position = self.game.position
        return (
            not isinstance(action, bool)
            and not position.is_terminal()
            and position.to_move in self.game.people
            and position.legal(action)
        )

    def _go_on(self) -> None:
        """Show the board, let the others move, and show it again."""
        try:
            if not self.game.position.is_terminal() and self.game.agents:
                self._show(f"{self._name()} thinks ...")
            self.game.answer()
            self._show("")
        except OpponentError as error:
            self._show(str(error))

    def _name(self) -> str:
        return " or ".join(sorted({repr(agent) for agent in self.game.agents.values()}))

    def _show(self, said: str) -> None:
        game = self.game
        self.board, self.said = game.shown(), said
        self.moves = move_names(game)

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """The widget, and a picture for viewers that cannot show widgets."""
        bundle = super()._repr_mimebundle_(**options)
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        if data is not None:
            viewer = self.game.viewer
            position = self.game.position
            data["image/svg+xml"] = svg(position if viewer is None else position.hidden(viewer))
        return bundle


def move_names(game: BoardGame) -> list[str]:
    """The names of the moves, as far as the people at the board have seen them."""
    names, viewer = [], game.viewer
    for position, action in zip(game.history, game.actions, strict=False):
        known = viewer is None or seen_by(viewer, position, action)
        names.append(position.name(action) if known else "?")
    return names


def widget(
    position: Position | str,
    agent: Any = None,
    *,
    seat: int | Iterable[int] | None = None,
    seed: int | None = None,
    **parameters: Any,
) -> Any:
    """A board to play on in a notebook.

    ::

        board = adv_envs.widget("connect_four", agent="alpha_beta(depth=4)")
        board            # the last line of a cell shows it
        board.position   # the position now, in another cell

    ``position`` is a position, or the name of a game, with its ``parameters``. ``agent`` is the
    spec of an agent, an agent, or a function from positions to actions; None: all seats are played
    by hand. ``seat`` is the seat of the person, or several; by default the first, or all without an
    agent. ``seed`` decides chance and the choices of the agent; None: anew each time.

    The widget has ``position`` (which can be set), ``start``, ``actions``, ``moves`` (the names
    that are shown) and ``play(move)``; ``observe`` tells of each change of ``moves``. In games in
    which players do not see everything the board shows what the person sees, and all of it at the
    end; ``position`` is all of it at any time.

    Raises ImportError without anywidget, and ValueError or TypeError for a game, an agent or a seat
    that cannot be.
    """
    start, _ = start_of(position, parameters)
    people = seats_of_people(start, agent, seat)
    others = [player for player in range(start.num_players) if player not in people]
    opponents = {} if agent is None else dict.fromkeys(others, as_opponent(agent))
    return BoardWidget(BoardGame(start, people, opponents, seed))


def seats_of_people(start: Position, agent: Any, seat: int | Iterable[int] | None) -> list[int]:
    """The seats that are played by hand. ValueError for seats that the game has not."""
    every = list(range(start.num_players))
    if seat is None:
        return every if agent is None else every[:1]
    seats = [seat] if isinstance(seat, int) else list(seat)
    if not set(seats) <= set(every) or (agent is None and len(set(seats)) < len(every)):
        needed = "name an agent for the others" if agent is None else f"seats are 0 to {every[-1]}"
        raise ValueError(f"seat {seat!r} cannot be: {needed}")
    return sorted(set(seats))
