"""Speaks UCI, the protocol of programs that play chess, for any agent in the games that have it.

A command is a line; answers are sent whenever there are any, while a search goes on in a thread of
its own. Source: R. Huber and S. Meyer-Kahlen, UCI protocol (2004). How moves and positions are
written is the game's own, see ``agents.dialects``. What cannot be understood or obeyed is answered
with ``info string``; after a position that cannot be understood there is none, and ``go`` answers
``bestmove (none)``. As in all programs of UCI, draws that have to be claimed end no game: who
controls the program says when it is over.
"""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from math import pi, tan

import adv_envs
import agents
from adv_envs import Position
from agents.agent import MOST_SECONDS, require_two_players
from agents.background import answering_in_time, waiting_search
from agents.engine import USUAL, VARIANT, uci_of
from agents.faults import NobodyToBlame
from agents.search.limits import Stopper, require_no_chance

from .agent_control import (
    compiling_told,
    parameters_of_agent,
    share,
    thinking_for,
    with_parameter,
)
from .best_lines import best_lines

MOVES_LEFT = 25
"""The number of moves among which a player shares the rest of the time of the game."""

MOST_CENTIPAWNS = 20_000

NUMBERS = "wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "movetime", "mate"
"""What ``go`` says in numbers; times are in milliseconds. Player 0 is White."""

FLAGS = "infinite", "ponder"

BOUNDS = {
    "depth": ("depth",),
    "mate": ("depth",),
    "nodes": ("nodes", "simulations"),
    "movetime": ("seconds",),
    "wtime": ("seconds",),
    "btime": ("seconds",),
}
"""What ``go`` limits, and the parameters of agents, of which one has to be there."""

NO_MOVE = "(none)"

TABLE = "table_mb"
"""The parameter of agents that UCI calls Hash."""

THREADS = "threads"
"""The parameter of agents that UCI calls Threads."""

MOST_LINES = 500
MOST_MEGABYTES = 1024
MOST_THREADS = 64


@dataclass
class GoCommand:
    """Describes what a search is to keep to."""

    numbers: dict[str, int] = field(default_factory=dict)
    """See NUMBERS."""
    flags: set[str] = field(default_factory=set)
    """See FLAGS."""
    moves: list[str] = field(default_factory=list)
    """The moves to choose from, if not all."""
    unknown: list[str] = field(default_factory=list)
    """Words that UCI does not have."""

    @classmethod
    def read(cls, words: list[str]) -> GoCommand:
        """Reads the words after ``go``; ValueError for a number that is none."""
        found, rest = cls(), [word.lower() for word in words]
        while rest:
            word = rest.pop(0)
            if word in NUMBERS:
                found.numbers[word] = number_after(word, rest.pop(0) if rest else "")
            elif word in FLAGS:
                found.flags.add(word)
            elif word == "searchmoves":
                while rest and rest[0] not in (*NUMBERS, *FLAGS, word):
                    found.moves.append(rest.pop(0))
                if not found.moves:
                    raise ValueError("moves are needed after searchmoves")
            else:
                found.unknown.append(word)
        return found

    def depth(self) -> int | None:
        """Returns the plies to look ahead, also those of a mate in n moves; None for no limit."""
        plies = [self.numbers[name] for name in ("depth",) if name in self.numbers]
        plies += [2 * self.numbers[name] - 1 for name in ("mate",) if name in self.numbers]
        return min(plies, default=None)

    def not_heeded(self, agent: agents.Agent) -> list[str]:
        """Names limits that the agent does not know."""
        return [
            name
            for name in self.numbers
            if name in BOUNDS and not any(hasattr(agent, bound) for bound in BOUNDS[name])
        ]

    def beyond(self, agent: agents.Agent, seconds: float | None = None) -> list[str]:
        """Returns the agent's own limits, such as "depth=2", that end a search sooner."""
        nodes, time = self.numbers.get("nodes"), MOST_SECONDS if self.flags else seconds
        requested: dict[str, float | None] = {"depth": self.depth(), "seconds": time}
        requested |= {"nodes": nodes, "simulations": nodes}
        found = []
        for name, limit in requested.items():
            own: float | None = getattr(agent, name, None)
            if limit is not None and own is not None and limit > own:
                found.append(f"{name}={own}")
        return found


@dataclass
class Search:
    """Runs a search that goes on in a thread."""

    go: GoCommand
    seconds: float | None = None
    """Those for the move; None for no limit."""
    stopper: Stopper = field(default_factory=Stopper)
    ended: threading.Event = field(default_factory=threading.Event)
    """Set when the answer may be given, see ``waits``."""
    thread: threading.Thread | None = None
    clock: threading.Timer | None = None
    """Runs after ``ponderhit``."""

    @property
    def waits(self) -> bool:
        """Returns whether the answer is not to be given before ``stop`` or ``ponderhit``."""
        return bool(self.go.flags) and not self.ended.is_set()

    def hit(self) -> None:
        """Starts the time for the answer: the move that was pondered on has been made."""
        if self.seconds is not None:
            self.clock = threading.Timer(self.seconds, self.stopper.stop)
            self.clock.daemon = True
            self.clock.start()
        self.go.flags.discard("ponder")
        if not self.go.flags:
            self.ended.set()

    def stop(self) -> None:
        """Ends the search; it answers with the best that it has found."""
        self.stopper.stop()
        self.ended.set()


class UciServer:
    """Holds a position that a controller sets and asks about, until ``running`` is False."""

    def __init__(
        self,
        agent: agents.Agent,
        start: Position,
        send: Callable[[str], None],
        seed: int | None = None,
        usual: float | None = None,
    ) -> None:
        """Calls ``send`` with each line of an answer. ValueError unless the game has UCI.

        ``usual`` are the seconds of a search that ``go`` gives no limits.
        """
        start = require_two_players(start, "a program of UCI")
        require_no_chance(start, "a program of UCI")
        self.game = uci_of(start)
        self.variant = self.game.variant(start)
        self.agent, self.start = agent, start
        self.position: Position | None = start
        """None after a position that could not be understood."""
        self.send, self.seed, self.usual = send, seed, usual
        self.lines = 1
        """How many of the best moves are shown."""
        self.ponders = False
        """Whether the answer is expected, too, that the other player may give."""
        self.running = True
        self._search: Search | None = None
        self._is_compiled = self._has_told = False
        self.agent.reset(seed)

    def receive(self, line: str) -> None:
        """Executes a line of input, from the first word on that is a command."""
        words = line.split()
        commands: dict[str, Callable[[list[str]], None]] = {
            "uci": self._uci,
            "isready": self._isready,
            "setoption": self._setoption,
            "ucinewgame": self._ucinewgame,
            "position": self._position,
            "go": self._go,
            "ponderhit": self._ponderhit,
            "stop": lambda words: self.stop(),
            "quit": self._quit,
            "d": self._display,
            "debug": lambda words: None,  # whatever may help is said anyway
            "register": lambda words: None,
        }
        first = next((i for i, word in enumerate(words) if word in commands), len(words))
        if first > 0:
            unknown = " ".join(words[:first])[:60]
            self.say(f"unknown command: {unknown}; commands: {', '.join(commands)}")
        if first < len(words):
            try:
                commands[words[first]](words[first + 1 :])
            except ValueError as error:  # of an argument
                self.say(str(error))

    def say(self, text: str) -> None:
        """Sends a message that people may read."""
        self.send(f"info string {' '.join(text.split())}")

    # ---- commands

    def _uci(self, words: list[str]) -> None:
        self.send(f"id name adv-envs {self.agent.name} {adv_envs.__version__}")
        self.send("id author the authors of adv-envs")
        if self.variant != USUAL:
            default = f"type combo default {self.variant} var {self.variant}"
            self.send(f"option name {VARIANT} {default}")
        for option in self._options():
            self.send(f"option name {option}")
        self.send("uciok")

    def _options(self) -> Iterator[str]:
        """Yields the options: those of UCI that the agent can obey, then its parameters."""
        parameters = parameters_of_agent(self.agent)
        megabytes, threads = parameters.pop(TABLE, None), parameters.pop(THREADS, None)
        most = 1 if threads is None else MOST_THREADS
        yield f"Threads type spin default {threads or 1} min 1 max {most}"
        if megabytes is not None:
            yield f"Hash type spin default {round(megabytes)} min 1 max {MOST_MEGABYTES}"
            yield "Clear Hash type button"
        if isinstance(self.agent, agents.SearchAgent):
            yield f"MultiPV type spin default {self.lines} min 1 max {MOST_LINES}"
            yield f"Ponder type check default {str(self.ponders).lower()}"
        for name, value in parameters.items():
            kind = "check" if isinstance(value, bool) else "string"
            shown = str(value).lower() if isinstance(value, bool) else value
            yield f"{name} type {kind} default {shown}"

    def _isready(self, words: list[str]) -> None:
        """Lets the agent choose a move at once, the first time, for which it is compiled.

        An agent with a limit of time is compiled in the background; others are before the answer.
        """
        if not self._is_compiled and self._search is None:
            self._is_compiled = True
            try:
                with (
                    thinking_for(self.agent, 0.01, depth=1, nodes=1, simulations=1),
                    self._in_time(self.start),
                ):
                    if isinstance(self.agent, agents.SearchAgent):
                        self.agent.analyse(self.start)
                    else:
                        self.agent.act(self.start)
                    self._tell_of_compiling()
            except (Exception, NobodyToBlame) as error:  # it will fail again when it is asked
                self.say(f"{self.agent!r} failed: {type(error).__name__}: {error}")
            self.agent.reset(self.seed)
        self.send("readyok")

    @contextlib.contextmanager
    def _in_time(self, position: Position) -> Iterator[None]:
        """Keeps to limits of time while code is compiled, and says so where one has to wait."""
        say = partial(self.say, "compiling, which takes some time, but only once")
        with compiling_told(say), answering_in_time(self.agent, position):
            yield

    def _tell_of_compiling(self) -> None:
        """Says, once, that the search of this thread runs uncompiled."""
        if waiting_search() is not None and not self._has_told:
            self._has_told = True
            self.say("compiling in the background; until then searches are slower and less deep")

    def _setoption(self, words: list[str]) -> None:
        """Sets an option: name NAME value VALUE. Names are the same in upper and lower case."""
        text = " ".join(words)
        found = re.fullmatch(r"name (.+?)(?: value(?: (.*))?)?", text, re.IGNORECASE)
        if not found:
            raise ValueError(f"write setoption name NAME value VALUE, not {text[:60]!r}")
        name, value = found[1].lower(), (found[2] or "").strip()
        known = {option.partition(" type ")[0].lower() for option in self._options()}
        self.stop()
        if name == VARIANT.lower():
            if value.lower() != self.variant.lower():
                raise ValueError(f"this program plays {self.variant}, not {value[:60]}")
        elif name == "clear hash" and name in known:
            self.agent.reset(self.seed)
        elif name == "multipv" and name in known:
            self.lines = whole_number(name, value, MOST_LINES)
        elif name == "ponder" and name in known:
            self.ponders = truth(name, value)
        elif name == "hash":
            megabytes = str(whole_number(name, value, MOST_MEGABYTES))
            if name not in known:
                raise ValueError(f"{self.agent!r} has no table: Hash changes nothing")
            self._set(TABLE, megabytes)
        elif name == "threads":
            self._set_threads(value)
        else:
            own = {each.lower(): each for each in parameters_of_agent(self.agent)}
            self._set(own.get(name, found[1]), value)

    def _set(self, parameter: str, value: str) -> None:
        """Changes a parameter of the agent; ValueError says what is wrong."""
        self.agent = with_parameter(self.agent, parameter, value)
        self.agent.reset(self.seed)

    def _set_threads(self, value: str) -> None:
        """Sets the number of threads; ValueError if the agent has not as many."""
        threads = THREADS in parameters_of_agent(self.agent)
        wanted = whole_number(THREADS, value, MOST_THREADS if threads else 1)
        if threads:
            self._set(THREADS, str(wanted))

    def _ucinewgame(self, words: list[str]) -> None:
        self.stop()
        self.agent.reset(self.seed)

    def _position(self, words: list[str]) -> None:
        """Sets the position: startpos or fen TEXT, then moves MOVE ..., if there are any."""
        self.stop()
        self.position = None
        split = words.index("moves") if "moves" in words else len(words)
        place, moves = words[:split], words[split + 1 :]
        if place == ["startpos"]:
            position = self.start
        elif place[:1] == ["fen"]:
            position = self.game.from_fen(self.start, " ".join(place[1:]))
        else:
            raise ValueError("write position startpos, or position fen and the six fields of a FEN")
        for move in moves:
            position = self.game.resumed(self.start, position)
            position = position.play(self.game.action(position, move.lower()))
        self.position = self.game.resumed(self.start, position)

    def _go(self, words: list[str]) -> None:
        """Begins a search within limits, see ``GoCommand``."""
        self.stop()
        try:
            go = GoCommand.read(words)
        except ValueError as error:
            self.say(str(error))
            self.send(f"bestmove {NO_MOVE}")  # every go is answered
            return
        if go.unknown:
            self.say(f"go does not know {' '.join(go.unknown)[:60]}")
        if ignored := go.not_heeded(self.agent):
            self.say(f"{self.agent!r} cannot be limited by {' or '.join(ignored)}")
        to_move = self.position.to_move if self.position is not None else 0
        unlimited = not (go.numbers or go.flags)
        seconds = self.usual if unlimited else seconds_for(to_move, go.numbers)
        search = self._search = Search(go, seconds)
        if own := go.beyond(self.agent, search.seconds):
            self.say(f"the search ends at the agent's own {' and '.join(own)}")
        search.thread = threading.Thread(target=self._think, args=(search,), daemon=True)
        search.thread.start()

    def _ponderhit(self, words: list[str]) -> None:
        """Begins the clock of the search that ponders on the expected move, which was made."""
        if self._search is None or "ponder" not in self._search.go.flags:
            raise ValueError("ponderhit comes after go ponder")
        self._search.hit()

    def _quit(self, words: list[str]) -> None:
        self.stop()
        self.running = False

    def _display(self, words: list[str]) -> None:
        position = self._known_position()
        for line in str(position).split("\n"):
            self.send(f"info string {line}".rstrip())
        self.say(f"fen {self.game.fen(position)}")

    def _known_position(self) -> Position:
        """Returns the position; ValueError if there is none."""
        if self.position is None:
            raise ValueError("there is no position: the last one could not be understood")
        return self.position

    # ---- the search

    def stop(self) -> None:
        """Ends the search, if there is one, and waits for its answer."""
        if self._search is not None:
            self._search.stop()
        self.wait()

    def wait(self) -> None:
        """Waits for the answer of the search, if there is one."""
        search, self._search = self._search, None
        if search is not None and search.thread is not None:
            if search.waits:
                search.stop()
            search.thread.join()
            if search.clock is not None:
                search.clock.cancel()

    def _think(self, search: Search) -> None:
        """Searches the position and sends the best move; runs in a thread."""
        answer = NO_MOVE
        try:
            position = self._known_position()
            if position.is_terminal():
                raise ValueError("the game is over")
            answer = self._answer(position, search)
        except ValueError as error:
            self.say(str(error))
        if search.waits:
            search.ended.wait()
        self.send(f"bestmove {answer}")

    def _answer(self, position: Position, search: Search) -> str:
        """Returns the best move as text, and the expected answer where that is wanted.

        ValueError if there is none to choose from.
        """
        actions = [self.game.action(position, move) for move in search.go.moves]
        if actions and not isinstance(self.agent, agents.SearchAgent):
            raise ValueError(f"{self.agent!r} chooses from all moves: searchmoves is refused")
        try:
            line = self._best(position, search, actions)
            if line[0] not in position.legal_actions():
                raise ValueError(f"it answers {line[0]!r}, which is not legal")
        except agents.Resign:
            raise ValueError(f"{self.agent!r} resigns") from None
        except (Exception, NobodyToBlame) as error:  # no failure ends the session
            self.say(f"{self.agent!r} failed: {type(error).__name__}: {error}")
            if not search.stopper.stopped:
                return NO_MOVE
            line = tuple(actions or position.legal_actions())[:1]  # a search that was cut off
        move = self.game.move(position, line[0])
        if not self.ponders or len(line) < 2:
            return move
        return f"{move} ponder {self.game.move(position.play(line[0]), line[1])}"

    def _best(self, position: Position, search: Search, actions: list[int]) -> tuple[int, ...]:
        """Returns the line that the agent would play; what a search finds is sent as found."""
        agent, go = self.agent, search.go
        seconds, nodes, depth = search.seconds, go.numbers.get("nodes"), go.depth()
        if search.waits:
            seconds = MOST_SECONDS
        line = tuple[int, ...]()
        with search.stopper as stopper:
            more = {"depth": depth, "nodes": nodes, "simulations": nodes}
            with thinking_for(agent, seconds, **more), self._in_time(position):
                if not isinstance(agent, agents.SearchAgent):
                    return (agent.act(position),)
                if actions or self.lines > 1:
                    for results in best_lines(agent, position, self.lines, actions, stopper):
                        line = results[0].principal_variation
                        self._show(position, results)
                        if stopper.stopped:
                            break
                    return line
                for result in agent.analysis(position):
                    line = result.principal_variation or (result.action,)
                    self._show(position, [result])
                    if stopper.stopped:
                        break
        return line

    def _show(self, position: Position, results: list[agents.SearchResult]) -> None:
        """Sends what a search has found, the best move first."""
        self._tell_of_compiling()
        for number, result in enumerate(results, 1):
            self.send(self.info(position, result, number if self.lines > 1 else None))

    def info(
        self, position: Position, result: agents.SearchResult, number: int | None = None
    ) -> str:
        """Writes the line that says what a search has found, ``number`` if it is one of several."""
        milliseconds = round(1000 * result.seconds)
        line = []
        for action in result.principal_variation:
            line.append(self.game.move(position, action))
            position = position.play(action)
        nps = round(result.nodes / result.seconds) if result.seconds > 0 else 0
        which = "" if number is None else f"multipv {number} "
        return " ".join(
            [
                f"info depth {result.depth} {which}score {self.score(result)}",
                f"nodes {result.nodes} nps {nps} time {milliseconds}",
                *(["pv", *line] if line else []),
            ]
        )

    def score(self, result: agents.SearchResult) -> str:
        """Returns the value of a search: a win in a number of moves, or hundredths of a pawn.

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


def number_after(name: str, text: str) -> int:
    """Returns the number that follows ``name``; ValueError if there is none."""
    if not re.fullmatch(r"-?[0-9]{1,12}", text):
        raise ValueError(f"a number is needed after {name}, not {text[:20]!r}")
    return max(int(text), 0 if name in NUMBERS[:4] else 1)


def whole_number(name: str, text: str, most: int) -> int:
    """Returns the value of an option; ValueError says what is allowed."""
    if not re.fullmatch(r"[0-9]{1,12}", text) or not 1 <= int(text) <= most:
        raise ValueError(f"{name} must be 1 to {most}, not {text[:20]!r}")
    return int(text)


def truth(name: str, text: str) -> bool:
    """Returns the value of an option; ValueError says what is allowed."""
    if text.lower() not in ("true", "false"):
        raise ValueError(f"{name} must be true or false, not {text[:20]!r}")
    return text.lower() == "true"


def seconds_for(player: int, limits: dict[str, int]) -> float | None:
    """Returns the seconds for the move of ``player``; None for no limit."""
    if "movetime" in limits:
        return min(limits["movetime"] / 1000, MOST_SECONDS)
    left = limits.get(("wtime", "btime")[player])
    if left is None:
        return None
    gained = limits.get(("winc", "binc")[player], 0) / 1000
    wanted = share(left / 1000, limits.get("movestogo", MOVES_LEFT)) + gained
    return min(wanted, share(left / 1000, 1), MOST_SECONDS)
