"""UCI, spoken by any agent in the games that have it: the protocol of programs that play chess.

A command is a line; answers are sent whenever there are any, while a search goes on in a thread of
its own. Source: R. Huber and S. Meyer-Kahlen, UCI protocol (2004). How moves and positions are
written is the game's own, see ``agents.dialects``. What cannot be understood changes nothing and is
answered with ``info string``.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from math import pi, tan

import adv_envs
import agents
from adv_envs import Position
from agents.agent import MOST_SECONDS, require_two_players
from agents.search.limits import Stopper, require_no_chance

from .agent_parameters import parameters_of_agent, with_parameter
from .gtp_clock import share, thinking_for
from .uci_client import USUAL, VARIANT, uci_of

MOVES_LEFT = 25
"""The number of moves among which a player shares the rest of the time of the game."""

MOST_CENTIPAWNS = 20_000

NUMBERS = "wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "movetime"
"""What ``go`` says in numbers; times are in milliseconds. Player 0 is White."""

NO_MOVE = "(none)"


@dataclass
class Search:
    """A search that goes on in a thread."""

    infinite: bool = False
    """Whether the answer is not to be given before ``stop``."""
    stopper: Stopper = field(default_factory=Stopper)
    ended: threading.Event = field(default_factory=threading.Event)
    """Set by ``stop``."""
    thread: threading.Thread | None = None

    def stop(self) -> None:
        """End the search; it answers with the best that it has found."""
        self.stopper.stop()
        self.ended.set()


class UciServer:
    """A position that a controller sets and asks an agent about, until ``running`` is False."""

    def __init__(
        self,
        agent: agents.Agent,
        start: Position,
        send: Callable[[str], None],
        seed: int | None = None,
    ) -> None:
        """``send`` is called with each line of an answer. ValueError unless the game has UCI."""
        require_two_players(start, "a program of UCI")
        require_no_chance(start, "a program of UCI")
        self.game = uci_of(start)
        self.variant = self.game.variant(start)
        self.agent, self.start, self.position = agent, start, start
        self.send, self.seed = send, seed
        self.running = True
        self._search: Search | None = None
        self._is_compiled = False
        self.agent.reset(seed)

    def receive(self, line: str) -> None:
        """Execute a line of input."""
        words = line.split()
        commands = {
            "uci": self._uci,
            "isready": self._isready,
            "setoption": self._setoption,
            "ucinewgame": self._ucinewgame,
            "position": self._position,
            "go": self._go,
            "stop": lambda words: self.stop(),
            "quit": self._quit,
            "d": self._display,
        }
        if words and words[0] in commands:
            try:
                commands[words[0]](words[1:])
            except ValueError as error:  # of an argument
                self.say(str(error))
        elif words and words[0] not in ("debug", "register", "ponderhit"):
            self.say(f"unknown command: {words[0]}; commands: {', '.join(commands)}")

    def say(self, text: str) -> None:
        """Send a message that people may read."""
        self.send(f"info string {' '.join(text.split())}")

    # ---- commands

    def _uci(self, words: list[str]) -> None:
        self.send(f"id name adv-envs {self.agent.name} {adv_envs.__version__}")
        self.send("id author the authors of adv-envs")
        if self.variant != USUAL:
            default = f"type combo default {self.variant} var {self.variant}"
            self.send(f"option name {VARIANT} {default}")
        for name, value in parameters_of_agent(self.agent).items():
            kind = "check" if isinstance(value, bool) else "string"
            shown = str(value).lower() if isinstance(value, bool) else value
            self.send(f"option name {name} type {kind} default {shown}")
        self.send("uciok")

    def _isready(self, words: list[str]) -> None:
        """Let the agent choose a move at once, the first time, for which it is compiled."""
        if not self._is_compiled and self._search is None:
            self._is_compiled = True
            try:
                with thinking_for(self.agent, 0.01, depth=1, nodes=1, simulations=1):
                    self.agent.act(self.start)
            except Exception as error:  # it will fail again when it is asked
                self.say(f"{self.agent!r} failed: {type(error).__name__}: {error}")
            self.agent.reset(self.seed)
        self.send("readyok")

    def _setoption(self, words: list[str]) -> None:
        name, _, value = " ".join(words).removeprefix("name ").partition(" value ")
        if name.lower() == VARIANT.lower():
            if value != self.variant:
                raise ValueError(f"this program plays {self.variant}, not {value}")
            return
        self.stop()
        self.agent = with_parameter(self.agent, name.strip(), value.strip())
        self.agent.reset(self.seed)

    def _ucinewgame(self, words: list[str]) -> None:
        self.stop()
        self.agent.reset(self.seed)

    def _position(self, words: list[str]) -> None:
        """Set the position: startpos or fen TEXT, then moves MOVE ..., if there are any."""
        self.stop()
        split = words.index("moves") if "moves" in words else len(words)
        place, moves = words[:split], words[split + 1 :]
        if place == ["startpos"]:
            position = self.start
        elif place[:1] == ["fen"]:
            position = self.game.from_fen(self.start, " ".join(place[1:]))
        else:
            raise ValueError("write position startpos, or position fen and the six fields of a FEN")
        for move in moves:
            position = position.play(self.game.action(position, move.lower()))
        self.position = position

    def _go(self, words: list[str]) -> None:
        """Begin a search within these limits, see NUMBERS; or "infinite", until it is stopped."""
        self.stop()
        limits = {name: number_after(words, name) for name in NUMBERS if name in words}
        search = self._search = Search("infinite" in words)
        search.thread = threading.Thread(target=self._think, args=(search, limits), daemon=True)
        search.thread.start()

    def _quit(self, words: list[str]) -> None:
        self.stop()
        self.running = False

    def _display(self, words: list[str]) -> None:
        for line in str(self.position).split("\n"):
            self.send(f"info string {line}".rstrip())
        self.say(f"fen {self.game.fen(self.position)}")

    # ---- the search

    def stop(self) -> None:
        """End the search, if there is one, and wait for its answer."""
        if self._search is not None:
            self._search.stop()
        self.wait()

    def wait(self) -> None:
        """Wait for the answer of the search, if there is one."""
        search, self._search = self._search, None
        if search is not None and search.thread is not None:
            if search.infinite:
                search.stop()
            search.thread.join()

    def _think(self, search: Search, limits: dict[str, int]) -> None:
        """Search the position and send the best move; runs in a thread."""
        position, move = self.position, NO_MOVE
        if position.is_terminal():
            self.say("the game is over")
        else:
            try:
                action = self._best(position, search, limits)
                if action not in position.legal_actions():
                    raise ValueError(f"it answers {action!r}, which is not legal")
                move = self.game.move(position, action)
            except agents.Resign:
                self.say(f"{self.agent!r} resigns")
            except Exception as error:  # the agent's own failure must not end the session
                self.say(f"{self.agent!r} failed: {type(error).__name__}: {error}")
                if search.stopper.stopped:  # a search that keeps nothing when it is cut off
                    move = self.game.move(position, position.legal_actions()[0])
        if search.infinite:
            search.ended.wait()
        self.send(f"bestmove {move}")

    def _best(self, position: Position, search: Search, limits: dict[str, int]) -> int:
        """The agent's move; what a search finds is sent as it is found."""
        seconds = MOST_SECONDS if search.infinite else seconds_for(position.to_move, limits)
        nodes = limits.get("nodes")
        more = {"depth": limits.get("depth"), "nodes": nodes, "simulations": nodes}
        agent, result = self.agent, None
        with search.stopper as stopper, thinking_for(agent, seconds, **more):
            if not isinstance(agent, agents.SearchAgent):
                return agent.act(position)
            for result in agent.analysis(position):
                self.send(self.info(position, result))
                if stopper.stopped:
                    break
        assert result is not None  # a search has one at least
        return result.action

    def info(self, position: Position, result: agents.SearchResult) -> str:
        """The line that says what a search has found."""
        milliseconds = round(1000 * result.seconds)
        line = []
        for action in result.principal_variation:
            line.append(self.game.move(position, action))
            position = position.play(action)
        nps = round(result.nodes / result.seconds) if result.seconds > 0 else 0
        return " ".join(
            [
                f"info depth {result.depth} score {self.score(result)} nodes {result.nodes}",
                f"nps {nps} time {milliseconds}",
                *(["pv", *line] if line else []),
            ]
        )

    def score(self, result: agents.SearchResult) -> str:
        """The value of a search: a win in so many moves, or hundredths of a pawn.

        The mean of playouts is stretched to that scale, as in Leela Chess Zero.
        """
        largest = self.start.max_utility
        if result.proven and abs(result.value) >= largest:
            moves = (len(result.principal_variation) + 1) // 2
            return f"mate {moves if result.value > 0 else -moves}"
        points = result.value * self.game.centipawns
        if result.visits:
            points = 90 * tan(0.995 * pi / 2 * result.value / largest)
        return f"cp {round(min(max(points, -MOST_CENTIPAWNS), MOST_CENTIPAWNS))}"


def number_after(words: list[str], name: str) -> int:
    """The number that follows ``name``; ValueError if there is none."""
    number = "".join(words[words.index(name) + 1 :][:1])
    if not number.lstrip("-").isdecimal() or len(number) > 12:
        raise ValueError(f"a number is needed after {name}, not {number!r}")
    return max(int(number), 0 if name in NUMBERS[:4] else 1)


def seconds_for(player: int, limits: dict[str, int]) -> float | None:
    """Seconds for the move of ``player``; None for no limit."""
    if "movetime" in limits:
        return min(limits["movetime"] / 1000, MOST_SECONDS)
    left = limits.get(("wtime", "btime")[player])
    if left is None:
        return None
    gained = limits.get(("winc", "binc")[player], 0) / 1000
    wanted = share(left / 1000, limits.get("movestogo", MOVES_LEFT)) + gained
    return min(wanted, share(left / 1000, 1), MOST_SECONDS)
