"""Writes the rules of a game for its players, people and language models, with an example."""

from __future__ import annotations

import re
from collections.abc import Iterator

from adv_envs.position import CHANCE, Example, Position, checked
from adv_envs.registry import parameters_of


def rules_text(position: Position) -> str:
    """Returns the rules of the game of ``position`` as Markdown, and its example if it has one.

    The example is played by the rules: every board and every player in it is computed. IllegalMove
    if a move of it is not legal; TypeError or ValueError, as ``checked``, for what is no position.
    """
    parts = [checked(position).rules()]
    if position.example is not None:
        parts += example_parts(position, position.example)
    return "\n\n".join(parts)


def with_side_names(position: Position, text: str) -> str:
    """Returns ``text`` with "Red" for "player 0": as people read it, see ``Position.side_names``.

    Rules and boards number the players, as programs and language models do. Where a text says both,
    "player 0, Red, begins", the name is enough; "player 0 is Red" is left as it is.
    """
    calls = [call(number, name) for number, name in enumerate(position.side_names)]

    def side_name(found: re.Match[str]) -> str:
        return position.side_names[int((found.lastgroup or "")[1:])]

    return re.sub("|".join(calls), side_name, text)


def call(number: int, name: str) -> str:
    """Returns a pattern of what rules call a player, whose group is "p0" for player 0."""
    player, name = rf"\b[Pp]layer {number}\b", re.escape(name)
    space = r"(?:[^\S\n]+|\n)"  # a board's next line is indented
    not_told = rf"{player}(?!{space}(?:is{space})?(?i:{name})\b)"
    return rf"(?P<p{number}>\b{name},\s+{player},?|{player},\s+{name}\b,?|{not_told})"


def example_parts(of: Position, example: Example) -> Iterator[str]:
    """Yields the paragraphs of an ``example`` of a game: boards, moves, what players see.

    It names the parameters that are not those of the game of the position ``of``.
    """
    position, usual = example_start(of, example), parameters_of(of)
    others = [f"{k}={v!r}" for k, v in parameters_of(position).items() if v != usual[k]]
    yield f"**Example.** A game{' with ' if others else ''}{', '.join(others)} begins:"
    yield board(position)
    lines = []
    for number, (name, comment) in enumerate(example.moves, 1):
        told = f": {comment}" if comment else ""
        lines.append(f"{number}. {player_to_move(position)} `{name}`{told}")
        position = position.move(name)
    yield "\n".join(lines)
    yield f"Now {state(position)}:"
    yield board(position)
    for player in range(position.num_players):
        view = position.hidden(player)
        if str(view) != str(position):
            yield f"Player {player} sees:"
            yield board(view)


def example_start(of: Position, example: Example) -> Position:
    """Returns where an ``example`` begins: with its own sizes and the options of ``of``."""
    found = parameters_of(of).items()
    options = {name: value for name, value in found if isinstance(value, bool | str)}
    return type(of)(**(options | example.parameters))


def board(position: Position) -> str:
    """Returns a position as it is printed, in a block of Markdown."""
    return f"```text\n{position}\n```"


def player_to_move(position: Position) -> str:
    """Returns who is to move."""
    return "chance" if position.to_move == CHANCE else f"player {position.to_move}"


def state(position: Position) -> str:
    """Returns who is to move, or what the finished game was worth to each player."""
    if not position.is_terminal():
        return f"{player_to_move(position)} is to move"
    utilities = (f"{position.utility(i):g} to player {i}" for i in range(position.num_players))
    return f"the game is over, worth {', '.join(utilities)}"
