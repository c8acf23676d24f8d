"""The page of a game: what was written by hand, and between it what is computed and measured.

A page begins with a picture and the rules, as the game tells them in words. The sections of
``SECTIONS`` come in this order, in all pages; what ``docs/games/NAME.md`` has under the same
headings follows what is made here. Its other sections come after the end of the game.
"""

from __future__ import annotations

import html
import json
import random
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from adv_envs import Position
from adv_envs.envs.observation import observation_writer
from adv_envs.pictures.svg import svg
from adv_envs.registry import (
    GAMES,
    game,
    gymnasium_id,
    parameters_of,
    start_position,
    version_of,
    versioned,
)
from adv_envs.text import rules_text
from agents import AGENTS
from agents.arena.ladder import Ladder, Rung, ladders
from agents.describe import summary
from agents.games import __name__ as _  # noqa: F401  # registers what is known about games
from agents.knowledge import knowledge_of, strong_spec, suitable_opponent, value_in_words
from agents.match_loop import random_action
from agents.networks.checkpoint import SHIPPED, load_checkpoint, shipped_checkpoints

from .figures import drawn_planes, numbered_actions
from .game_facts import FOLDER, facts_of

SPEEDS = Path(__file__).parent / "speeds.json"
PICTURES = FOLDER.parent / "images"
"""The games as ``make_images.py`` draws them."""
NO_BREAK = "\u00a0"
MOST_NAMES = 16
"""Actions of a position that are listed with their names."""


def page(name: str, text: str) -> str:
    """The page of a game as Markdown, given what its file has."""
    start = game(name)()
    head, written = sections_of(text)
    parts = [f"{head.strip()}\n\n{picture(name)}\n{board_to_play(name)}\n{rules_text(start)}\n"]
    for heading, make in SECTIONS.items():
        made = "\n".join(make(name, start)).strip()
        body = "\n\n".join(part for part in (made, written.pop(heading, "")) if part)
        parts.append(f"## {heading}\n\n{body}\n")
        if heading == LAST_OF_RULES:
            theirs = [key for key in written if key not in SECTIONS]
            parts += [f"## {key}\n\n{written.pop(key)}\n" for key in theirs]
    return "\n".join(parts)


def sources(name: str) -> list[Path]:
    """The files that the page of a game is made from; those of its rules and ladders aside."""
    code = Path(__file__)
    return [FOLDER / f"{name}.toml", SPEEDS, code, code.with_name("figures.py")]


def sections_of(text: str) -> tuple[str, dict[str, str]]:
    """What is before the first heading of the second level, and what is under each."""
    head, *rest = re.split(r"^## (.+)\n", text, flags=re.MULTILINE)
    return head, {key: body.strip() for key, body in zip(rest[::2], rest[1::2], strict=True)}


def picture(name: str) -> str:
    """The game in the middle of a random game, which is the same at every call."""
    return raw(svg(*typical(game(name)())))


def tiles() -> str:
    """All games, each a picture, its name and what it is, which lead to its page."""
    return raw(f'<div class="game-tiles">{"".join(map(tile, GAMES))}</div>')


def tile(name: str) -> str:
    """One of them."""
    drawn = (PICTURES / f"{name}.svg").read_text(encoding="utf-8")
    heading = (FOLDER / f"{name}.md").read_text(encoding="utf-8").partition("\n")[0]
    told = summary(game(name)).partition(": ")[2] or summary(game(name))
    told = html.escape(told[:1].upper() + told[1:])
    called = html.escape(heading.removeprefix("# "))
    return f'<a href="games/{name}.html"><div>{drawn}</div><b>{called}</b><span>{told}</span></a>'


def board_to_play(name: str) -> str:
    """How the game is played in the browser; ``manual.js`` offers it here if the site is there."""
    return f"`adv-envs serve {name}` [plays it in the browser](../browser.md).\n\n" + raw(
        f'<div class="play-here" data-game="{name}"></div>'
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


def raw(text: str) -> str:
    """HTML within Markdown."""
    return f"```{{raw}} html\n{text}\n```\n"


def table(head: str, rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """A table, whose columns of numbers are told by a colon: "depth: | lines:"."""
    names = [name.strip() for name in head.split("|")]
    yield "| " + " | ".join(name.rstrip(":") for name in names) + " |"
    yield "|" + "|".join("---:" if name.endswith(":") else "---" for name in names) + "|"
    yield from (f"| {' | '.join(row)} |" for row in rows)
    yield ""


def named(parameters: dict[str, Any]) -> str:
    """A game by those of its parameters that are not usual."""
    given = ", ".join(f"{key}={value!r}" for key, value in parameters.items())
    return f"`{given}`" if given else "as usual"


# ---- how it is made, and its spaces


def creation(name: str, start: Position) -> Iterator[str]:
    """The game in all interfaces."""
    given = ", ".join(f"{key}={value!r}" for key, value in parameters_of(start).items())
    rows = [
        ("a position", f"`adv_envs.{type(start).__name__}({given})`"),
        ("PettingZoo", f'`adv_envs.env("{name}")`'),
        ("", f'`pettingzoo.make("aec", "adv_envs/{name}-v{version_of(name)}")`'),
        ("", f"`from adv_envs import {versioned(name)}` and `{versioned(name)}.env()`"),
        ("Gymnasium", f'`gymnasium.make("{gymnasium_id(name)}", opponent="random")`'),
        ("", f'by messages, `gymnasium.make("{gymnasium_id(name, "Text")}")`'),
        ("a batch", f"`adv_envs.Boards(adv_envs.{type(start).__name__}(), 1024)`"),
        ("", f'`gymnasium.make_vec("{gymnasium_id(name)}", 1024, opponent="random")`'),
    ]
    yield from table("interface | made by", rows)
    yield "All of them take the parameters below; `import adv_envs` registers the names.\n"
    players = f"{start.num_players} players"
    seen = "perfect information" if start.perfect_information else "hidden information"
    yield f"{players}, {seen}, {'with' if start.has_chance else 'without'} chance."


def parameters(name: str, start: Position) -> Iterator[str]:
    """Every parameter, its default and its range."""
    told, defaults = facts_of(name).get("parameters", {}), parameters_of(start)
    rows = [
        (f"`{key}={default!r}`", limits(start, key, told[key]), told[key]["text"])
        for key, default in defaults.items()
    ]
    if not rows:
        yield "None."
        return
    yield from table("parameter | values | meaning", rows)
    yield "Others raise `ValueError`, which says what is allowed."


def limits(start: Position, key: str, told: dict[str, Any]) -> str:
    """What a parameter may be, in a cell of a table."""
    default = parameters_of(start)[key]
    if key in start.field_words:
        return ", ".join(f'`"{word}"`' for word in start.field_words[key])
    if "choices" in told:
        return ", ".join(map(str, told["choices"]))
    if "range" in told:
        return f"{told['range'][0]} to {told['range'][1]}"
    return type(default).__name__


def actions(name: str, start: Position) -> Iterator[str]:
    """The actions in words, by name and drawn on the board."""
    yield f"`Discrete({start.num_actions})`, with a mask. {facts_of(name)['actions']}\n"
    position, rng = start, random.Random(1)
    while position.to_move < 0:
        position = position.play(random_action(position, rng))
    position = position.hidden(position.to_move)
    legal = position.legal_actions()
    shown = legal[:MOST_NAMES]
    more = f", the first {MOST_NAMES} of {len(legal)}" if len(legal) > MOST_NAMES else ""
    yield f"Legal at the start{more}:\n"
    names = tuple(f'`"{position.name(action)}"`' for action in shown)
    yield from table("action | " + " | ".join(map(str, shown)), [("name", *names)])
    drawn = numbered_actions(position)
    if drawn is not None:
        yield "Each at its place on the board, as clicks on it and heat maps go:\n"
        yield raw(drawn)


def observation(name: str, start: Position) -> Iterator[str]:
    """What the numbers of an observation mean, and an example."""
    position, _last = typical(start)
    writer = observation_writer(start)
    observed = writer.observe(position, position.to_move, True)["observation"]
    low, high = int(np.min(writer.high)), int(np.max(writer.high))
    most = "" if low == high else " at most"
    kind = np.dtype(writer.dtype).name
    yield f"`observation` is `{writer.shape}`, `{kind}`, from 0 to {high}{most}; `action_mask` "
    yield f"is `({start.num_actions},)`, 1 where an action is legal.\n"
    rows, first = [], 0
    for number, meaning in facts_of(name)["observation"]:
        where = str(first) if number == 1 else f"{first} to {first + number - 1}"
        rows.append((where, meaning))
        first += number
    yield from table(f"{'plane' if len(writer.shape) == 3 else 'index'} | meaning", rows)
    yield (
        "What the player to move observes in the position of the picture at the top: larger "
        "numbers have larger squares, 0 has none.\n"
    )
    yield raw(drawn_planes(np.asarray(observed), np.asarray(writer.high)))


def rewards(name: str, start: Position) -> Iterator[str]:
    """What the game is worth, and when it is over."""
    told = facts_of(name)
    yield f"**Rewards**: {told['rewards']} No reward is larger than {start.max_utility:g}.\n"
    yield f"**The game is over**: {told['end']}"


# ---- what is known


def known(name: str, start: Position) -> Iterator[str]:
    """Values, counts, symmetries, and what solves the game."""
    told = facts_of(name)
    if told.get("values"):
        yield "With best play of both sides, for player 0:\n"
        yield from table("game | value | source", [value_row(name, v) for v in told["values"]])
    else:
        yield "The value of the start is not known here.\n"
    if told.get("counts"):
        yield "Lines of play by depth from 1 on, in plies; a line ends where the game does:\n"
        rows = [(named(c.get("game", {})), listed(c), c["source"]) for c in told["counts"]]
        yield from table("game | lines of play | source", rows)
    yield symmetries(start) + "\n"
    yield solver(start)


def listed(count: dict[str, Any]) -> str:
    """Lines of play as text, with what depth is counted in if that is not plies."""
    lines = ", ".join(map(str, count["lines"]))
    return f"{count['unit']}: {lines}" if "unit" in count else lines


def value_row(name: str, told: dict[str, Any]) -> tuple[str, str, str]:
    """A value as a row of a table."""
    start = start_position(name, **told.get("game", {}))
    value = value_in_words(start, told["value"])
    text = f"{value}, {told['text']}" if "text" in told else value
    found = f"found by {linked(told['by'])}" if "by" in told else ""
    return named(told.get("game", {})), text, "; ".join(filter(None, [told.get("source"), found]))


def linked(agent: str) -> str:
    """The spec of an agent, which leads to its page if it has one."""
    kind = agent.partition("(")[0]
    return f"[`{agent}`](../reference/agents/{kind}.md)" if kind in AGENTS else f"`{agent}`"


def symmetries(start: Position) -> str:
    """The images of a position, as its record has them, and those of one action."""
    images = knowledge_of(start).symmetries
    if images is None:
        return "**Symmetries**: none are used."
    number = images.num_images(start)
    position, rng = start, random.Random(1)
    while position.to_move < 0:
        position = position.play(random_action(position, rng))
    action = position.legal_actions()[0]
    here, others = position.name(action), dict[str, None]()
    for other, i in sorted((images.image_action(position, action, i), i) for i in range(number)):
        others[images.playable(position, i).name(other)] = None  # it may be legal only there
    others.pop(here)
    told = f"**Symmetries**: a position has {number} images of the same value, itself included."
    if not others:
        return told
    return f"{told} `{here}` is the same as {', '.join(f'`{other}`' for other in others)}."


def solver(start: Position) -> str:
    """What solves the game, and up to which size it is graded."""
    record = knowledge_of(start)
    found = record.solver(start) if record.solver is not None else None
    told = "**Solved by**: "
    if found is not None:
        first = (found.__doc__ or "").split("\n\n")[0].replace("\n", " ")
        told += f"{linked(found.name)}. {' '.join(first.split())}"
    elif not start.perfect_information:
        told += f"{linked('equilibrium')}, where the tree of the game is small."
    else:
        told += f"{linked('perfect')}, by listing all positions where these are few."
    if record.exact_values is None:
        return told
    try:
        record.exact_values(start)
    except ValueError as error:
        return f"{told} [Report cards](../grading.md): {error}."
    return f"{told} [Report cards](../grading.md) compare moves with exact values."


# ---- what was measured


def strength(name: str, start: Position) -> Iterator[str]:
    """The ladders of the game, the trained policies, and the agents that are offered."""
    for ladder in ladders():
        if ladder.game.partition(",")[0] == name:
            yield from ladder_table(ladder)
    yield from policies(name)
    yield f"An opponent that answers within about a second: `{suitable_opponent(start)}`; "
    yield f"with some seconds for a move: `{strong_spec(start)}`.\n"
    names = ", ".join(f"`{name}.{each}`" for each in knowledge_of(start).evaluations)
    if names:
        yield f"[Evaluations](../reference/agents/functions.md): {names}.\n"


MEASURES = {
    "kept": "the share of moves that keep the value of the game",
    "strongest": "of the strongest moves",
}
"""Of the report cards of a ladder."""


def ladder_table(ladder: Ladder) -> Iterator[str]:
    """Opponents with their ratings, and their report cards if the game is solved."""
    how = ladder.how.rstrip(".")
    yield f"Opponents of measured strength at `{ladder.game}`: {how}.\n"
    measures = [key for key in MEASURES if any(key in (rung.report or {}) for rung in ladder.rungs)]
    rows = []
    for rung in ladder.rungs:
        bounds = interval(rung).replace(" ", NO_BREAK)
        told = (f"{(rung.report or {})[key]:.0%}" for key in measures)
        rating = f"{rung.rating:.0f} ({bounds})"
        rows.append((rung.name, rating, f"{1000 * rung.seconds:.3g}", *told, f"`{rung.spec}`"))
    numbers = [f"{key}:" for key in measures]
    yield from table(" | ".join(["", "Elo (95 %)", "ms a move:", *numbers, "agent"]), rows)
    if measures:
        yield f"{'; '.join(f'{key}: {MEASURES[key]}' for key in measures)}.\n".capitalize()


def interval(rung: Rung) -> str:
    """The interval of a rating."""
    low, high = ("no limit" if end is None else f"{end:.0f}" for end in (rung.low, rung.high))
    return f"{low} to {high}"


def policies(name: str) -> Iterator[str]:
    """The trained policies of the game, with their grades."""
    rows = []
    for each in shipped_checkpoints():
        found = load_checkpoint(SHIPPED / f"{each}.safetensors")
        if found.game == name:
            grade = found.card["grade"]["alone"]
            kept, wrong = (f"{grade[key][0]:.1%}" for key in ("kept", "wrong"))
            size = "x".join(map(str, found.start.observation_shape[:2]))
            rows.append((f"[{each}](../baselines/{each}.md)", size, kept, wrong))
    if rows:
        yield "Trained policies that are shipped, without a search; each has a report card:\n"
        yield from table("policy | board | moves that keep the value | wrong moves", rows)


WAYS = {
    "env": "`adv_envs.env`, PettingZoo's loop, plies",
    "gymnasium": "`gymnasium.make`, steps against a random opponent",
    "one": "a batch of one game, plies",
    "batch": "a batch of 1,024, one thread, plies",
    "all cores": "a batch of 1,024, all cores, plies",
}


def speed(name: str, start: Position) -> Iterator[str]:
    """How fast random games are."""
    found = json.loads(SPEEDS.read_text(encoding="utf-8"))
    speeds = found["plies_per_second"][name]
    rows = [(WAYS[way], f"{speeds[way]:,.0f}") for way in WAYS if way in speeds]
    yield from table("random legal moves, with observations and masks | per second:", rows)
    yield (
        f"Measured by `{found['command']}` on {found['cores']} cores ({found['machine']}, Python "
        f"{found['python']}); [performance](../performance.md) compares with others."
    )


# ---- other libraries, and the past

LIBRARIES = ("PettingZoo", "OpenSpiel", "Pgx")


def differences(name: str, start: Position) -> Iterator[str]:
    """The game in other libraries, and what to do to move over."""
    peers = facts_of(name).get("peers", [])
    for peer in peers:
        shape = f"`{tuple(peer['observation'])}`" if "observation" in peer else "a number"
        yield f"- **{peer['library']}** `{peer['game']}`, {peer['actions']} actions, observation "
        yield f"  {shape}. {peer['text']}"
    found = {peer["library"] for peer in peers}
    missing = [each for each in LIBRARIES if each not in found]
    if missing:
        *most, last = missing
        listed = f"{', '.join(most)} and {last}" if most else last
        yield f"\n{listed} {'do' if most else 'does'} not have the game."
    yield "\nInterfaces of each library: [coming from other libraries](../migration.md)."


def versions(name: str, start: Position) -> Iterator[str]:
    """What changed in which version of the package."""
    yield from table("version | changes", list(facts_of(name)["versions"].items()))


def references(name: str, start: Position) -> Iterator[str]:
    """Where rules, counts and values are from."""
    yield from (f"- {each}" for each in facts_of(name)["references"])


LAST_OF_RULES = "Rewards and end"

SECTIONS: dict[str, Callable[[str, Position], Iterator[str]]] = {
    "Creation": creation,
    "Parameters": parameters,
    "Actions": actions,
    "Observation": observation,
    LAST_OF_RULES: rewards,
    "What is known": known,
    "Strength": strength,
    "Speed": speed,
    "Other libraries": differences,
    "Versions": versions,
    "References": references,
}
"""The sections of every page, and what writes each."""
