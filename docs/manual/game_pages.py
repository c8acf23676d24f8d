"""What is computed of a game for its page: facts, figures, and its measured opponents."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np

from adv_envs import Position
from adv_envs.envs.observation import observation_writer
from adv_envs.pictures.svg import svg
from adv_envs.registry import game, gymnasium_id, parameters_of
from agents.arena.ladder import Ladder, Rung, ladders
from agents.games import __name__ as _  # noqa: F401  # registers what is known about games
from agents.knowledge import knowledge_of
from agents.match import random_action

from .figures import drawn_planes, numbered_actions


def picture(name: str) -> str:
    """The game in the middle of a random game, which is the same at every call."""
    return raw(svg(*typical(game(name)())))


def facts(name: str) -> str:
    """Sections of facts about a game, as Markdown."""
    start = game(name)()
    return "\n".join(
        [*summary_table(name, start), *actions(start), *observation(start), *rungs(name)]
    )


def typical(start: Position) -> tuple[Position, int]:
    """A position in the middle of a random game, as its player sees it, and the last action."""
    rng = random.Random(1)
    played: list[tuple[Position, int]] = []
    position = start
    while not position.is_terminal() and len(played) < 40:
        action = random_action(position, rng)
        position = position.play(action)
        played.append((position, action))
    chosen = [(p, a) for p, a in played if p.to_move >= 0 and not p.is_terminal()]
    position, last = chosen[len(chosen) // 2] if chosen else (start, -1)
    if not position.perfect_information:
        return position.hidden(position.to_move), -1
    return position, last


def raw(html: str) -> str:
    """HTML within Markdown."""
    return f"```{{raw}} html\n{html}\n```\n"


def summary_table(name: str, start: Position) -> Iterator[str]:
    """How the game is made, and its spaces."""
    writer = observation_writer(start)
    given = ", ".join(f"{key}={value!r}" for key, value in parameters_of(start).items())
    low, high = int(np.min(writer.high)), int(np.max(writer.high))
    known = knowledge_of(start)
    solver = known.solver(start) if known.solver is not None else None
    rows = {
        "Position": f"`adv_envs.{type(start).__name__}({given})`",
        "PettingZoo AEC": f'`adv_envs.env("{name}")`',
        "by name": f'`pettingzoo.make("aec", "adv_envs/{name}-v0")`',
        "Gymnasium": f'`gymnasium.make("{gymnasium_id(name)}", opponent="random")`',
        "Batch": f'`adv_envs.Boards("{name}", 1024)`',
        "Players": str(start.num_players),
        "Information": "perfect" if start.perfect_information else "hidden",
        "Chance": "yes" if start.has_chance else "no",
        "Actions": f"`Discrete({start.num_actions})`, with a mask",
        "Observation": f"`{writer.shape}`, `{np.dtype(writer.dtype).name}`, 0 to "
        + (str(high) if low == high else f"{high} at most"),
        "Largest reward": f"{start.max_utility:g}",
        "Symmetries": str(known.symmetries.num_images(start)) if known.symmetries else "none used",
        "Solver": f"`{solver.name}`" if solver is not None else "none for these parameters",
    }
    yield "## At a glance\n"
    yield "| | |\n|---|---|"
    yield from (f"| {key} | {value} |" for key, value in rows.items())
    yield ""


def actions(start: Position) -> Iterator[str]:
    """The actions drawn on the board."""
    position, rng = start, random.Random(1)
    while position.to_move < 0:
        position = position.play(random_action(position, rng))
    drawn = numbered_actions(position)
    if drawn is not None:
        yield "## The numbers of the actions\n"
        yield "The actions that are legal at the start, each at its place on the board.\n"
        yield raw(drawn)


def observation(start: Position) -> Iterator[str]:
    """What the player to move observes."""
    position, _last = typical(start)
    writer = observation_writer(start)
    observed = writer.observe(position, position.to_move, True)["observation"]
    yield "## An observation\n"
    yield (
        "What the player to move observes in the position of the picture above, plane by plane: "
        "larger numbers have larger squares, 0 has none. "
        f"The array has the shape `{writer.shape}`.\n"
    )
    yield raw(drawn_planes(np.asarray(observed), np.asarray(writer.high)))


def rungs(name: str) -> Iterator[str]:
    """The ladders of the game, as tables."""
    for ladder in ladders():
        if ladder.game.partition(",")[0] == name:
            yield from table_of(ladder)


def table_of(ladder: Ladder) -> Iterator[str]:
    """Opponents with their ratings."""
    yield f"## Opponents of measured strength: {ladder.game}\n"
    yield f"{ladder.how} Ratings are in Elo, with 95 % intervals.\n"
    yield "| name | spec | rating | interval | seconds a move |\n|---|---|---:|---|---:|"
    for rung in ladder.rungs:
        yield (
            f"| {rung.name} | `{rung.spec}` | {rung.rating:.0f} | {interval(rung)} "
            f"| {rung.seconds:.2g} |"
        )
    yield ""


def interval(rung: Rung) -> str:
    """The interval of a rating."""
    low, high = ("no limit" if end is None else f"{end:.0f}" for end in (rung.low, rung.high))
    return f"{low} to {high}"
