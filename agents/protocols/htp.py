"""Speaks the Hex text protocol (HTP) for any agent: GTP with what Hex needs beyond it.

HexGui and the programs of Benzene speak it. Black begins and connects top and bottom; ``a1`` is the
top left cell. Stones may be placed in any order of colours, as in a set-up: HexGui sends the stones
of a position row by row. The pie rule has its own moves, ``swap-pieces`` and ``swap-sides``.

``HtpServer`` holds the game. The functions below it analyse a position, by commands, in forms that
HexGui can show: ``var`` is moves, ``pspairs`` cells and the texts to write on them, ``gfx``
``INFLUENCE``, cells and numbers from 0 to 1 for their colours, and ``TEXT``.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import agents
from adv_envs import Position
from adv_envs.formats.hex_sgf import COLOURS, set_up, stones, turned
from adv_envs.games.hex import Hex
from adv_envs.notation import write_line
from agents.move_values import move_values

from .gtp import GtpError, GtpServer, Moment, count_of

# ---- the game


class HtpServer(GtpServer):
    """Plays a game of Hex that a controller drives by commands."""

    def __init__(
        self, agent: agents.Agent, size: int = 11, swap: bool = False, seed: int | None = None
    ) -> None:
        """Raises ValueError unless 2 <= size <= 19. With ``swap`` the agent may swap."""
        super().__init__(agent, Hex(size, swap), seed)
        for name, (_, function) in ANALYSES.items():
            self.commands[name] = partial(self.analysed, function)

    def new_game(self, start: Position, history: list[Moment] | None = None) -> None:
        """Empties the board and resets the agent."""
        super().new_game(start, history)
        self.extra_plies = 0

    def emptied(self, position: Any) -> Any:
        """Returns an empty board of that size, with the pie rule if this server has it."""
        return Hex(position.size, self.start.swap)

    def written(self, position: Position, action: int) -> str:
        """Returns the name of the move."""
        return move_name(position, action)

    def play(self, player: int, word: str) -> None:
        """Plays a stone of either colour, or swaps; GtpError where that is not possible."""
        here = self.history[-1]
        if word in ("swap-pieces", "swap-sides"):
            self.exchange(player, word)
            return
        if word in ("swap", "pass"):
            known = "say swap-pieces or swap-sides" if word == "swap" else "nobody passes in hex"
            raise GtpError(f"illegal move: {known}")
        row, column = cell_of(word, here.position.size)
        if here.position.cell(row, column) is not None:
            raise GtpError(f"illegal move: there is a stone on {word}")
        if here.regular and here.position.is_terminal():
            raise GtpError(f"illegal move: {self.game_over()}")
        if here.regular and here.position.to_move == player:
            self.put(player, here.position, row * here.position.size + column)
        else:
            self.put_stone(player, (row, column))

    def put_stone(self, player: int, cell: tuple[int, int]) -> None:
        """Places a stone of a set-up, in any order of colours."""
        cells = [stones(self.position, 0), stones(self.position, 1)]
        cells[player].append(cell)
        size, swap = self.start.size, self.start.swap
        plain = set_up(size, cells[0], cells[1], swap=swap)
        after = plain if plain.is_terminal() else turned(plain, 1 - player)
        self.history.append(Moment(after, False))

    def exchange(self, player: int, how: str) -> None:
        """Applies the pie rule; GtpError unless the opponent's first stone is the only one."""
        position = self.position
        theirs = stones(position, 1 - player)
        if len(self.history) != 2 or len(theirs) != 1:
            raise GtpError(f"illegal move: {how} answers the first stone, at once or never")
        regular = self.history[-1].regular and self.start.swap and how == "swap-pieces"
        if how == "swap-pieces":
            ((row, column),) = theirs
            cells: list[list[tuple[int, int]]] = [[], []]
            cells[player] = [(column, row)]
            position = set_up(position.size, cells[0], cells[1], 1 - player, self.start.swap)
        self.history.append(Moment(position, regular))

    def turn(self, position: Position) -> str:
        """Returns the message that says whose turn it is, and which edges they join."""
        edges = ("top to bottom", "left to right")[position.to_move]
        return f"{super().turn(position)} ({edges})"

    def game_over(self) -> str:
        """Returns the message that says who has won."""
        loser = self.position.to_move
        edges = ("left and right", "top and bottom")[loser]
        return f"the game is over: {COLOURS[1 - loser]} has joined {edges}"

    @contextlib.contextmanager
    def thinking(self, position: Any, seconds: float | None = None) -> Iterator[None]:
        """Does the same for an agent that forgets its search where set-ups are of another kind."""
        placed = len(stones(position, 0)) + len(stones(position, 1))
        if position.ply - placed != self.extra_plies:
            self.reset(self.agent)
            self.extra_plies = position.ply - placed
        with super().thinking(position, seconds):
            yield

    def analysed(self, function: Analysis, color: str = "") -> str:
        """Returns what a function finds of the agent in the position, with this player to move."""
        player = self.player_of(color) if color else self.position.to_move
        position = self.position_for(player)
        with self.thinking(position):
            return function(self.agent, position)

    # ---- commands

    def do_loadsgf(self, file: str, moves: str = "") -> str:
        """Loads the game in a file, or its first MOVES moves."""
        self.load(file, count_of(moves) if moves else None)
        return ""

    def do_final_score(self) -> str:
        """Answers B+ or W+; as in Benzene it is no error to ask too early."""
        return self.result() if self.position.is_terminal() else "cannot score"

    def do_hexgui__analyze_commands(self) -> str:
        """Lists the entries of HexGui's menu: type, label, command; %m is the colour to move."""
        return "\n".join(
            [
                *(f"{label}/{name} %m" for name, (label, _) in ANALYSES.items()),
                "param/Agent Parameters/param_agent",
                "var/Reg GenMove/reg_genmove %m",
                "plist/All Legal Moves/all_legal_moves %m",
                "string/Show Board/showboard",
                "string/Final Score/final_score",
            ]
        )


def move_name(position: Position, action: int) -> str:
    """Returns the name of ``action`` in the protocol."""
    return position.name(action).replace("swap", "swap-pieces")


def cell_of(word: str, size: int) -> tuple[int, int]:
    """Returns (row, column) of a cell such as c4."""
    match = re.fullmatch(r"([a-z])([1-9][0-9]?)", word)
    row, column = (int(match[2]) - 1, ord(match[1]) - ord("a")) if match else (-1, -1)
    if not (0 <= row < size and 0 <= column < size):
        last = Hex(size).cell_name(size - 1, size - 1)
        raise GtpError(f"{word!r} is not a cell: a1 to {last}")
    return row, column


# ---- what an agent finds in a position

Analysis = Callable[[agents.Agent, Hex], str]

ANALYSES: dict[str, tuple[str, Analysis]] = {}
"""Each of these commands: the type and label under which HexGui lists it, and what it does."""


def analysis(label: str, name: str = "") -> Callable[[Analysis], Analysis]:
    """Registers a function as a command, under its own name or ``name``."""

    def enter(function: Analysis) -> Analysis:
        ANALYSES[name or function.__name__] = label, function
        return function

    return enter


def require_search(agent: agents.Agent) -> agents.SearchAgent:
    """Returns the agent, if it searches; ValueError otherwise."""
    if not isinstance(agent, agents.SearchAgent):
        raise ValueError(f"{agent!r} does not search, so it has nothing to show")
    return agent


@analysis("var/Principal Variation")
def principal_variation(agent: agents.Agent, position: Hex) -> str:
    """Returns the moves of best play."""
    return line(position, require_search(agent).analyse(position).principal_variation)


def line(position: Position, actions: tuple[int, ...]) -> str:
    """Returns the names of a line of play."""
    return write_line(position, actions).replace("swap", "swap-pieces")


def values(agent: agents.Agent, position: Hex) -> dict[int, float]:
    """Returns the value of each move, for the player to move, as far as a search can say."""
    search = require_search(agent)
    found = search.analyse(position)
    return {action: value for action, (value, _) in move_values(search, position, found).items()}


@analysis("pspairs/Move Values", "move_values")
def values_of_stones(agent: agents.Agent, position: Hex) -> str:
    """Returns the value of each stone, as text on its cell; the swap has none."""
    found = sorted(values(agent, position).items(), key=lambda item: -item[1])
    return " ".join(
        f"{position.name(a)} {value:.3g}" for a, value in found if a < position.num_stone_actions
    )


@analysis("gfx/Heat Map of Values")
def heat_map(agent: agents.Agent, position: Hex) -> str:
    """Returns the value of each move as a colour, from the worst to the best of them."""
    found = values(agent, position)
    low, high = min(found.values()), max(found.values())
    if low == high:  # all win, or lose, or are even
        low, high = min(low, -abs(high)), max(high, abs(low))
    width = high - low or 1.0
    cells = " ".join(
        f"{position.name(action)} {(value - low) / width:.3f}"
        for action, value in found.items()
        if action < position.num_stone_actions
    )
    return f"INFLUENCE {cells} TEXT values from {low:.3g} to {high:.3g}"


@analysis("string/Board of Values")
def value_board(agent: agents.Agent, position: Hex) -> str:
    """Returns the board with the value of each move in its cell, for a terminal."""
    size, found = position.size, values(agent, position)
    cells = [divmod(action, size) for action in range(size * size)]
    owners = {None: ".", 0: "B", 1: "W"}
    texts = [
        f"{found[a]:.2g}" if a in found else owners[position.cell(*cell)]
        for a, cell in enumerate(cells)
    ]
    width = max(map(len, texts)) | 1  # odd, so that half a cell is a whole number of characters
    texts = [text.rjust(width) for text in texts]
    letters = [position.cell_name(0, column)[:-1].rjust(width) for column in range(size)]
    lines = ["", f"   {' '.join(letters)}"]
    for row in range(size):
        indent = " " * ((width + 1) // 2 * row)
        lines.append(f"{indent}{row + 1:2} {' '.join(texts[row * size : (row + 1) * size])}")
    return "\n".join(lines)


@analysis("string/Search Report")
def search_report(agent: agents.Agent, position: Hex) -> str:
    """Returns the result of a search, one fact on each line."""
    found = require_search(agent).analyse(position)
    facts = {
        "move": move_name(position, found.action),
        "value": f"{found.value:+.4g}{' (proven)' if found.proven else ''}",
        "depth": f"{found.depth}",
        "nodes": f"{found.nodes} in {found.seconds:.2f} s",
        "line": line(position, found.principal_variation),
    }
    return "".join(f"\n{name:6}{fact}" for name, fact in facts.items())


@analysis("string/Winner", "dfpn-solve-state")
def winner(agent: agents.Agent, position: Hex) -> str:
    """Returns the colour that wins; ValueError unless the agent has proven it.

    HexGui's Solve button asks for it under the command's name in Benzene.
    """
    found = require_search(agent).analyse(position)
    if not found.proven:
        raise ValueError(f"{agent!r} has not proven who wins: {found.nodes} nodes")
    return COLOURS[position.to_move if found.value > 0 else 1 - position.to_move]


@analysis("string/Search Report in One Line", "gogui-gfx-analyze")
def summary(agent: agents.Agent, position: Hex) -> str:
    """Returns the report on one line, as HexGui's Solve button shows it where nothing is proven."""
    facts = search_report(agent, position).strip().split("\n")
    return ", ".join(" ".join(fact.split()) for fact in facts)
