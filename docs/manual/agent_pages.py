"""A page for each agent, from its code, the ladders and what ``benchmarks/agent_speeds.py`` writes.

What is written by hand is in ``pseudocode/`` and ``agents.toml``: how an agent works, and where it
comes from. The pictures are drawn by ``docs/make_images.py``.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from adv_envs.registry import GAMES
from agents import AGENTS
from agents.arena.ladder import Ladder, Rung, ladders
from agents.cli.lists import functions_data, paragraphs, parameters_data
from agents.knowledge import strong_spec
from agents.networks import checkpoint
from agents.spec import agent_class

HERE = Path(__file__).parent
PSEUDOCODE = HERE / "pseudocode"
IMAGES = HERE.parent / "images"
COMMAND = "python benchmarks/agent_speeds.py --games --json docs/manual/agents.json"
REASONS = {
    "needs perfect information": "players do not see everything there",
    "games in which players do not see everything": "players see everything there",
    "games without chance": "there is chance",
    r"( was trained for |which \w+ has not|, not [A-Z]\w+$)": "it is for other games",
}
"""What agents say of games that they do not play, and how it is put for all games."""


@cache
def measured() -> dict[str, Any]:
    """What the script wrote: speeds, the games that agents play, and on which machine."""
    return dict(json.loads((HERE / "agents.json").read_text(encoding="utf-8")))


@cache
def said() -> dict[str, Any]:
    """Sources, and what there is to say of trees, by agent."""
    return tomllib.loads((HERE / "agents.toml").read_text(encoding="utf-8"))


def agent_page(name: str) -> Iterator[str]:
    """All that there is to say of an agent."""
    yield f"# {name}\n"
    for paragraph in paragraphs(agent_class(name)):
        yield f"{escaped(paragraph)}\n"
    text = (PSEUDOCODE / f"{name}.txt").read_text(encoding="utf-8")
    yield f"## How it works\n\n```text\n{text}```\n"
    yield from tree(name)
    yield from parameters(name)
    yield from games(name)
    yield from strength(name)
    yield from speed(name)
    yield from sources(name)


def tree(name: str) -> Iterator[str]:
    """The picture of a search, or what there is in place of a tree."""
    yield "## Its tree\n"
    here = said()[name]
    yield f"{here.get('tree') or here['instead']}\n"
    path = IMAGES / f"agent_{name}.svg"
    if path.exists():
        drawn = path.read_text(encoding="utf-8")
        yield f'```{{raw}} html\n<div class="wide-picture" tabindex="0">\n{drawn}</div>\n```\n'


# ---- parameters


def parameters(name: str) -> Iterator[str]:
    """Every parameter: its type, default and range, and what it means."""
    rows = parameters_data(name)
    yield "## Parameters\n"
    if not rows:
        yield f"None: `{name}` is the whole spec.\n"
        return
    for row in rows:
        default = "must be given" if row["required"] else f"default `{row['default']!r}`"
        yield f"`{row['name']}`: `{row['type']}`, {default}; {allowed(name, row)}."
        yield f"{escaped(row['description'])}\n"
    if any(row["name"] in ("evaluate", "order") for row in rows):
        yield "What `evaluate` and `order` can be: [evaluations and move orders](functions.md).\n"


def allowed(name: str, row: dict[str, Any]) -> str:
    """The range of a parameter, from what its agent says when it is exceeded."""
    kind = row["type"]
    if kind == "bool":
        return "True, False"
    if "Callable" in kind or kind.startswith(("Playout", "Policy")):
        return "a function" + ", or None" * ("None" in kind)
    if kind.startswith("tuple[float, float]"):
        return "two numbers of 0 or more" + ", or None" * ("None" in kind)
    text = "" if "PathLike" in kind else " and ".join(bounds(name, row["name"], kind))
    if not text:
        text = {"int": "any whole number", "float": "any number", "str": "any text"}.get(
            kind.partition(" ")[0].partition(".")[0], "a path"
        )
    if row["name"] == "book" and "str" in kind:
        text = "True, False or a path"
    return text + ", or None" * ("None" in kind)


def bounds(name: str, parameter: str, kind: str) -> Iterator[str]:
    """What the agent says that a parameter must be, when it is far too small and far too large."""
    required = {row["name"]: known(row["name"]) for row in parameters_data(name) if row["required"]}
    tried = (0, -(10**9), 10**9) if kind.startswith(("int", "float")) else ("?",)
    found: list[str] = []
    for value in tried:
        try:
            agent_class(name)(**{**required, parameter: value})
        except ValueError as error:
            text = re.sub(r",? not [^,]*$", "", str(error)).removeprefix(f"{parameter} must ")
            text = text.removeprefix("be ").removesuffix(" or None")
            text = text.replace("not be negative", "0 or more")
            if not found or (value > 0 and text not in found):
                found.append(text)
    yield from found


def known(parameter: str) -> str:
    """A value of a parameter that must be given."""
    return checkpoint.shipped_checkpoints()[0] if parameter == "path" else "true"


# ---- games, strength, speed


def games(name: str) -> Iterator[str]:
    """The games that it plays, and of the others those of which it says why not."""
    yield "## Games\n"
    answers = measured()["games"].get(name)
    if answers is None:
        yield from games_by_hand(name)
        return
    plays = [game for game, why in answers.items() if why == ""]
    late = [game for game, why in answers.items() if why is None]
    refused = {game: why for game, why in answers.items() if why}
    if plays:
        yield f"With their usual parameters it plays {links(plays)}.\n"
    else:
        yield "From the start of a game with its usual parameters it plays none.\n"
    if late:
        yield (
            f"It takes {links(late)}, but at the start it had no answer in the time it was given, "
            "ten seconds or more: the tree is too large from there. Later positions and smaller "
            "boards are solved.\n"
        )
    for why, those in reasons(refused).items():
        yield f"- Not {links(those)}: {escaped(why)}."
    yield ""
    if name == "policy":
        yield from shipped()


def games_by_hand(name: str) -> Iterator[str]:
    """The games of agents that ask a person, a model, another program or other agents."""
    if name in ("human", "llm"):
        yield f"All: {links(GAMES)}.\n"
    elif name == "submission":
        yield "Those that its author wrote it for.\n"
    elif name == "engine":
        yield "Those that the program knows, of two players and without chance: see "
        yield "[formats and protocols](../../formats-and-protocols.md).\n"
    elif name == "league":
        yield "The one that its past selves were trained for.\n"
    else:
        yield "All, each by the agent that is named here:\n"
        yield "| game | spec |\n|---|---|"
        yield from (f"| {links([game])} | `{strong_spec(start())}` |" for game, start in starts())
        yield ""


def starts() -> Iterator[tuple[str, Any]]:
    """The games by name, with their classes."""
    from adv_envs.registry import game

    yield from ((name, game(name)) for name in GAMES)


def reasons(refused: dict[str, str]) -> dict[str, list[str]]:
    """Games by why they are not played, in words that are the same for all of them."""
    found: dict[str, list[str]] = {}
    for game, why in refused.items():
        found.setdefault(reason(why), []).append(game)
    return found


def reason(why: str) -> str:
    """What an agent says of a game that it does not play, without names."""
    for said_of_all, short in REASONS.items():
        if re.search(said_of_all, why):
            return short
    return why.partition(";")[0]


def shipped() -> Iterator[str]:
    """The policies that come with the package."""
    yield "These come with the package; a policy plays the very game that it was trained for:\n"
    yield "| path | game |\n|---|---|"
    for name in checkpoint.shipped_checkpoints():
        start = checkpoint.load_checkpoint(checkpoint.SHIPPED / f"{name}.safetensors").start
        given = ", ".join(f"{key}={getattr(start, key)!r}" for key in start.parameters)
        yield f"| `{name}` | `{type(start).__name__}({given})` |"
    yield ""


def links(names: Any) -> str:
    """Games, each with a link to its page."""
    return ", ".join(f"[{name}](../../games/{name}.md)" for name in names)


def strength(name: str) -> Iterator[str]:
    """Where settings of the agent stand on the ladders."""
    rows = [
        (ladder, rung)
        for ladder in ladders()
        for rung in ladder.rungs
        if rung.spec.partition("(")[0] == name
    ]
    yield "## Strength\n"
    if not rows:
        yield "It is on none of the [ladders](../../tournaments.md).\n"
        return
    yield (
        "Its places on the [ladders](../../tournaments.md), in Elo above random play with 95 % "
        "intervals. Ratings compare within a game only. `benchmarks/ladder.py` measures them.\n"
    )
    yield "| game | spec | rating | interval | seconds a move |\n|---|---|---:|---|---:|"
    for ladder, rung in rows:
        yield (
            f"| {ladder_link(ladder)} | `{rung.spec}` | {rung.rating:.0f} | {interval(rung)} "
            f"| {rung.seconds:.2g} |"
        )
    yield ""


def ladder_link(ladder: Ladder) -> str:
    """The game of a ladder with its parameters, and a link to its page."""
    name = ladder.game.partition(",")[0]
    return f"[{ladder.game}](../../games/{name}.md)"


def interval(rung: Rung) -> str:
    """The interval of a rating."""
    low, high = ("no limit" if end is None else f"{end:.0f}" for end in (rung.low, rung.high))
    return f"{low} to {high}"


def speed(name: str) -> Iterator[str]:
    """What it does in a second."""
    yield "## Speed\n"
    row = measured()["speeds"].get(name)
    if row is None:
        yield "Not measured: it is as fast as whom it asks.\n"
        return
    after = f" after `{row['moves']}`" if row["moves"] else ""
    yield (
        f"`{row['spec']}` in [{row['game']}](../../games/{row['start']}.md){after}: "
        f"**{row['per_second']:,.0f} {row['unit']}** in a second of CPU time "
        f"({measured()['machine']}). `{COMMAND}` measures it.\n"
    )


def sources(name: str) -> Iterator[str]:
    """The literature, and where the code is."""
    yield "## Source\n"
    yield from (f"- {source}" for source in said()[name]["sources"])
    module = agent_class(name).__module__
    yield f"- The code: `{module}`, class `{agent_class(name).__qualname__}`.\n"


def functions_page() -> Iterator[str]:
    """The evaluations and move orders of all games."""
    yield "# Evaluations and move orders\n"
    yield "Functions of games that searches can use, by the names that specs have.\n"
    yield "| name | used as | |\n|---|---|---|"
    for each in functions_data():
        yield f"| `{each['name']}` | `{each['use']}` | {escaped(each['description'])} |"


def index_page() -> Iterator[str]:
    """All agents with a line about each."""
    yield "# All agents\n"
    yield "| agent | |\n|---|---|"
    for name in AGENTS:
        yield f"| [{name}]({name}.md) | {escaped(paragraphs(agent_class(name))[0])} |"
    yield "\nFunctions that agents take: [evaluations and move orders](functions.md).\n"
    yield "\n".join(["```{toctree}\n:hidden:\n", *AGENTS, "functions", "```\n"])


def escaped(text: str) -> str:
    """Text in which nothing is Markdown."""
    return re.sub(r"([\\`*_\[\]<>|$])", r"\\\1", text)
