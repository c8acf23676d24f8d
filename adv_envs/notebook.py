"""Shows a board to play on in notebooks: ``adv_envs.widget(position, agent=...)``.

It is an anywidget, and so works in Jupyter, VS Code, Colab and marimo, without a network. The board
is that of the page of ``adv-envs serve``. The kernel keeps the game: the front end is told what the
people at the board see, and sends what they click. Needs the extra ``widget``.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from adv_envs.envs.opponents import Opponent, OpponentError, as_opponent, reply
from adv_envs.optional import optional_library
from adv_envs.pictures.clickable import clickable
from adv_envs.pictures.svg import palette_rules, svg
from adv_envs.position import CHANCE, Position
from adv_envs.random import chance_action, derived_seed
from adv_envs.registry import start_of
from adv_envs.session import Session

anywidget = optional_library("anywidget", "boards in notebooks need", "widget")
traitlets = optional_library("traitlets", "boards in notebooks need", "widget")

STATIC = Path(__file__).parent / "pictures" / "static"
STYLE = """
.adv-envs-widget { display: grid; gap: .5rem; max-width: 40rem; color-scheme: light dark; }
.adv-envs-widget .bar { display: flex; gap: .4rem; align-items: center; flex-wrap: wrap; }
.adv-envs-widget .said { flex: 1; min-width: 8rem; }
.adv-envs-widget button { min-height: 2rem; cursor: pointer; }
"""


def bundle(*names: str) -> str:
    """Returns the modules of the board as one, each after those that it imports."""
    texts = ((STATIC / name).read_text("utf-8") for name in names)
    imports = re.compile(r"^import [^;]*;\n|^export (?!default)", re.MULTILINE)
    return "\n".join(imports.sub("", text) for text in texts)


class BoardWidget(anywidget.AnyWidget):  # type: ignore[name-defined,misc]  # may be missing
    """Shows a board in a notebook; see ``adv_envs.widget``."""

    _esm = bundle("area.js", "redraw.js", "drag.js", "board.js", "widget.js")
    _css = (STATIC / "board.css").read_text("utf-8") + palette_rules() + STYLE
    board = traitlets.Dict().tag(sync=True)
    said = traitlets.Unicode().tag(sync=True)
    moves = traitlets.List().tag(sync=True)

    def __init__(
        self, start: Position, people: list[int], agents: dict[int, Opponent], seed: int | None
    ) -> None:
        """Seats ``people`` at the board and ``agents`` at the other seats."""
        self.people, self.agents, self.seed, self.flipped = tuple(people), agents, seed, False
        self._begin(start)
        super().__init__()
        self.on_msg(self._receive)
        self._go_on()

    @property
    def start(self) -> Position:
        """Returns the position that the game began with."""
        return self.session.start

    @property
    def position(self) -> Position:
        """Returns the position now: all of it, also what the people at the board do not see."""
        return self.session.position

    @position.setter
    def position(self, position: Position) -> None:
        if not isinstance(position, Position):
            raise TypeError(f"a position is needed, not {position!r}")
        if position.num_players != self.start.num_players:
            needed = self.start.num_players
            raise ValueError(f"a position of {needed} players is needed, not {position!r}")
        self._begin(start_of(position, {})[0])
        self._go_on()

    @property
    def actions(self) -> list[int]:
        """Returns the actions since the start, those of chance included."""
        return list(self.session.actions)

    def play(self, move: int | str) -> None:
        """Makes a move for the player to move, by name or action, and lets agents answer.

        IllegalMove if it is not legal.
        """
        self.session.play(self.position.action(move))
        self._go_on()

    def _begin(self, start: Position) -> None:
        self.session = Session(start, people=self.people)
        self.rng, self.prepared = random.Random(self.seed), False

    def _receive(self, _: Any, message: Any, buffers: Any) -> None:
        """Does what the front end asks, {"action": 3, "turn": 0} or {"do": "undo"}, or refuses it.

        "turn" is that of the board that was clicked: a click on an earlier one is not played.
        """
        match message:
            case {"action": int(), "turn": turn} if turn != len(self.session.actions):
                self.said = "The board has changed since that click."
                return
            case {"action": int(action)} if self._may_play(action):
                self.session.play(action)
            case {"do": "undo"}:
                self.session.undo(self.people)
            case {"do": "new game"}:
                self._begin(self.start)
            case {"do": "flip"}:
                self.flipped = not self.flipped
            case _:
                self.said = "That is not a legal move."
                return
        try:
            self._go_on()
        except (Exception, KeyboardInterrupt, SystemExit):
            raise
        except BaseException:
            pass  # it is shown, and would end the notebook's kernel

    def _may_play(self, action: int) -> bool:
        return not isinstance(action, bool) and self._playable and self.position.legal(action)

    @property
    def _playable(self) -> bool:
        return not self.position.is_terminal() and self.position.to_move in self.people

    def _go_on(self) -> None:
        """Shows the board, lets the others move, and shows it again."""
        try:
            if not self.position.is_terminal() and self.agents:
                names = {repr(agent) for agent in self.agents.values()}
                self._show(f"{' or '.join(sorted(names))} thinks ...")
            self._prepare()
            while not self.position.is_terminal() and self.position.to_move not in self.people:
                self.session.play(self._answer(self.position))
            self._show("")
        except OpponentError as error:
            self._show(str(error))
        except BaseException as error:  # such as that of a language model that cannot be reached
            self._show(f"{type(error).__name__}: {error}. Undo, and play again.")
            raise

    def _prepare(self) -> None:
        """Tells the agents that a game begins, once a game. OpponentError if one of them fails."""
        if self.prepared:
            return
        for agent in {id(agent): agent for agent in self.agents.values()}.values():
            if hasattr(agent, "reset"):
                try:
                    agent.reset(derived_seed(self.rng.getrandbits(64), "opponent", bits=31))
                except Exception as error:
                    raise OpponentError(f"{agent!r} cannot begin a game: {error!r}") from error
        self.prepared = True

    def _answer(self, position: Position) -> int:
        """Returns the action of chance or of the agent to move. OpponentError if that fails."""
        if position.to_move == CHANCE:
            return chance_action(position, self.rng.random())
        return reply(self.agents[position.to_move], position)

    def _show(self, said: str) -> None:
        session, viewer = self.session, self.session.viewer
        last = session.last_seen(viewer)
        board = clickable(session.view, last, flipped=self.flipped, playable=self._playable)
        self.board, self.said = board | {"turn": len(session.actions)}, said
        self.moves = [move.name for move in session.seen(viewer) if move.name]

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """Returns the widget, and a picture for viewers that cannot show widgets."""
        bundle = super()._repr_mimebundle_(**options)
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        if data is not None:
            data["image/svg+xml"] = svg(self.session.view)
        return bundle


def widget(
    position: Position | str,
    agent: Any = None,
    *,
    seat: int | Iterable[int] | None = None,
    seed: int | None = None,
    **parameters: Any,
) -> Any:
    """Returns a board to play on in a notebook.

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
    return BoardWidget(start, people, opponents, seed)


def seats_of_people(start: Position, agent: Any, seat: int | Iterable[int] | None) -> list[int]:
    """Returns the seats that are played by hand. ValueError for seats that the game has not."""
    every = list(range(start.num_players))
    if seat is None:
        return every if agent is None else every[:1]
    seats = [seat] if isinstance(seat, int) else list(seat)
    if not set(seats) <= set(every) or (agent is None and len(set(seats)) < len(every)):
        needed = "name an agent for the others" if agent is None else f"seats are 0 to {every[-1]}"
        raise ValueError(f"seat {seat!r} cannot be: {needed}")
    return sorted(set(seats))
