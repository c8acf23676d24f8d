"""An agent's analysis of a position of Hex, in the forms that HexGui can show.

A command of the type ``var`` answers with moves; ``pspairs`` with cells and the texts to write on
them; ``gfx`` with ``INFLUENCE``, cells and numbers from 0 to 1 for their colours, and ``TEXT``.
"""

from __future__ import annotations

from collections.abc import Callable

import agents
from adv_envs.formats.hex_setup import COLOURS
from adv_envs.games.hex import Hex
from adv_envs.position import Position

from .gtp_clock import thinking_for


def move_name(position: Position, action: int) -> str:
    """The name of ``action`` in the protocol."""
    name = position.name(action)
    return "swap-pieces" if name == "swap" else name


def board_text(position: Hex) -> str:
    """The board with B for Black and W for White."""
    return str(position).translate(str.maketrans("XO", "BW"))


def require_search(agent: agents.Agent) -> agents.SearchAgent:
    """The agent, if it searches; ValueError otherwise."""
    if not isinstance(agent, agents.SearchAgent):
        raise ValueError(f"{agent!r} does not search, so it has nothing to show")
    return agent


def report(agent: agents.Agent, position: Hex) -> str:
    """The result of a search, one fact on each line."""
    found = require_search(agent).analyse(position)
    facts = {
        "move": move_name(position, found.action),
        "value": f"{found.value:+.4g}{' (proven)' if found.proven else ''}",
        "depth": f"{found.depth}",
        "nodes": f"{found.nodes} in {found.seconds:.2f} s",
        "line": line(position, found.principal_variation),
    }
    return "".join(f"\n{name:6}{fact}" for name, fact in facts.items())


def summary(agent: agents.Agent, position: Hex) -> str:
    """The same on one line, as HexGui's Solve button shows it where nothing is proven."""
    return ", ".join(" ".join(fact.split()) for fact in report(agent, position).split("\n") if fact)


def winner(agent: agents.Agent, position: Hex) -> str:
    """The colour that wins; ValueError unless the agent has proven it.

    HexGui's Solve button asks for it under the command's name in Benzene.
    """
    found = require_search(agent).analyse(position)
    if not found.proven:
        raise ValueError(f"{agent!r} has not proven who wins: {found.nodes} nodes")
    return COLOURS[position.to_move if found.value > 0 else 1 - position.to_move]


def principal_variation(agent: agents.Agent, position: Hex) -> str:
    """The moves of best play."""
    return line(position, require_search(agent).analyse(position).principal_variation)


def line(position: Position, actions: tuple[int, ...]) -> str:
    """The names of a line of play."""
    names = []
    for action in actions:
        names.append(move_name(position, action))
        position = position.play(action)
    return " ".join(names)


def values(agent: agents.Agent, position: Hex) -> dict[int, float]:
    """The value of each move, for the player to move.

    A solver has them, and so has the result of a search that samples. Any other search values the
    moves one by one, in its time for a move altogether.
    """
    search = require_search(agent)
    if type(search).values is not agents.SearchAgent.values:
        return dict(search.values(position))
    found = dict(search.analyse(position).values)
    if found:
        return found
    seconds = getattr(search, "seconds", None)
    each = None if seconds is None else seconds / len(position.legal_actions())
    with thinking_for(search, each):
        return search.values(position)


def move_values(agent: agents.Agent, position: Hex) -> str:
    """The value of each stone, as text on its cell; the swap has none."""
    found = sorted(values(agent, position).items(), key=lambda item: -item[1])
    stones = [(a, value) for a, value in found if a < position.num_stone_actions]
    return " ".join(f"{position.name(a)} {value:.3g}" for a, value in stones)


def heat_map(agent: agents.Agent, position: Hex) -> str:
    """The value of each move as a colour, from the worst to the best of them."""
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


def value_board(agent: agents.Agent, position: Hex) -> str:
    """The board with the value of each move in its cell, for a terminal."""
    size, found = position.size, values(agent, position)
    cells = [divmod(action, size) for action in range(size * size)]
    texts = [
        f"{found[a]:.2g}" if a in found else _stone(position, *cells[a]) for a in range(len(cells))
    ]
    width = max(map(len, texts)) | 1  # odd, so that half a cell is a whole number of characters
    texts = [text.rjust(width) for text in texts]
    letters = [position.cell_name(0, column)[:-1].rjust(width) for column in range(size)]
    lines = ["", f"   {' '.join(letters)}"]
    for row in range(size):
        indent = " " * ((width + 1) // 2 * row)
        lines.append(f"{indent}{row + 1:2} {' '.join(texts[row * size : (row + 1) * size])}")
    return "\n".join(lines)


def _stone(position: Hex, row: int, column: int) -> str:
    owner = position.cell(row, column)
    return "." if owner is None else "BW"[owner]


Analysis = Callable[[agents.Agent, Hex], str]

ANALYSES: dict[str, tuple[str, Analysis]] = {
    "principal_variation": ("var/Principal Variation", principal_variation),
    "move_values": ("pspairs/Move Values", move_values),
    "heat_map": ("gfx/Heat Map of Values", heat_map),
    "value_board": ("string/Board of Values", value_board),
    "search_report": ("string/Search Report", report),
    "dfpn-solve-state": ("string/Winner", winner),
    "gogui-gfx-analyze": ("string/Search Report in One Line", summary),
}
"""For each command the type and label under which HexGui lists it, and its function."""
