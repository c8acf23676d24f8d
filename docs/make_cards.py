"""Ship a trained policy: its file, its learning curve, and its model card with an exact grade.

    python docs/make_cards.py runs/ppo connect_four_ppo --seed 1 --how "python examples/..."
    python docs/make_cards.py runs/long connect_four_alphazero --after runs/short --seed 0 --how ...
    python docs/make_cards.py runs/more hex_7_alphazero --after hex_7_alphazero --seed 1 --how ...
    python docs/make_cards.py --regrade connect_four_ppo hex_5_alphazero
    python docs/make_cards.py --regrade connect_four_alphazero --replaced old.safetensors
    python docs/make_cards.py --pages

What is measured: how often the network alone, and with a search of 100 simulations, each also with
its answers averaged over the symmetries of the game, gives away what perfect play would keep, in
random positions whose values a solver knows; and its points against random and alpha-beta from
random openings of two plies; at Connect Four also the wrong moves by the six classes of positions
that its solvers are compared at. At tic-tac-toe all replies are tried:
does it lose? A run that began with the policy of another, or with a shipped one, is graded as one
with it (--after): times and positions are added.
The file goes to agents/data/policies, its card inside; the card and the curve to docs/baselines.
What it replaces is told on the card, with its grades. With --regrade a policy that is shipped is
graded anew; with --pages nothing is graded: the pages of all policies are written anew from the
cards in them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

import agents
from adv_envs import ConnectFour
from agents.games.connect_four.classes import CLASSES, load_classes
from agents.grading import grade
from agents.knowledge import knowledge_of
from agents.learning import PeriodicEvaluation, draw_learning_curve, never_loses
from agents.learning.periodic_evaluation import default_opponents
from agents.networks.checkpoint import (
    SHIPPED,
    Checkpoint,
    load_checkpoint,
    shipped_checkpoints,
)
from agents.statistics import Interval, share_interval

ROOT = Path(__file__).parent.parent
CARDS = ROOT / "docs" / "baselines"

SIMULATIONS = 100

WAYS = ALONE, SYMMETRIC, SEARCHING, BOTH = (
    "alone",
    "alone, averaged over symmetries",
    f"with {SIMULATIONS} simulations",
    f"with {SIMULATIONS} simulations, averaged over symmetries",
)
"""How a policy is asked; not all can be asked in each way."""

SELECTION = "gumbel"
"""How the searches select moves; cards that do not say so are of searches by PUCT."""

SEARCHING_SHARE = 5
"""With a search, which takes its time, only one in so many random positions and games is played;
with both, no games."""


def main() -> None:
    """Grade, then write all three files."""
    read = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    read.add_argument(
        "run", type=Path, nargs="?", help="folder of the training: policy.safetensors, log.jsonl"
    )
    read.add_argument("name", nargs="?", help="of the checkpoint: connect_four_ppo")
    read.add_argument("--how", help="the command that trained it")
    read.add_argument("--seed", type=int, help="of the training")
    read.add_argument(
        "--after",
        type=Path,
        nargs="+",
        default=[],
        help="runs that this one began with, in turn, or the name of a shipped policy",
    )
    read.add_argument("--cores", type=int, default=1, help="that the training had, for its cost")
    read.add_argument("--regrade", metavar="NAME", nargs="+", help="grade shipped policies anew")
    read.add_argument(
        "--replaced", type=Path, help="file of what it replaced, which --regrade grades, too"
    )
    read.add_argument("--pages", action="store_true", help="only write the pages anew")
    read.add_argument(
        "--hardware", default="one thread of a server CPU, shared", help="for the card"
    )
    read.add_argument("--positions", type=int, default=5000, help="for the share of wrong moves")
    read.add_argument("--games", type=int, default=200, help="against each opponent")
    options = read.parse_args()
    if options.regrade:
        known = shipped_checkpoints()
        for name in options.regrade:
            if name not in known:
                read.exit(2, f"{read.prog}: no policy {name}; there are {', '.join(known)}\n")
        if options.replaced:
            told = (load_checkpoint(SHIPPED / f"{n}.safetensors").card for n in options.regrade)
            if [card.get("replaces", {}).get("sha256") for card in told] != [
                sha256(options.replaced)
            ]:
                read.exit(2, f"{read.prog}: {options.replaced} is not what it replaced\n")
        for name in options.regrade:
            regrade(name, options)
    elif not options.pages:
        if None in (options.run, options.name, options.how, options.seed):
            read.exit(2, f"{read.prog}: RUN, NAME, --how and --seed are needed, or --pages\n")
        known = shipped_checkpoints()
        earlier = [run for run in options.after if str(run) not in known]
        for run in (*earlier, options.run):
            for name in ("policy.safetensors", "log.jsonl"):
                if not (run / name).is_file():
                    or_policy = "" if run is options.run else ", nor a policy that ships"
                    read.exit(
                        2, f"{read.prog}: {run} is not a finished run{or_policy}: no {name} in it\n"
                    )
        ship(options)
    write_pages()


def ship(options: argparse.Namespace) -> None:
    """Grades the policy of a run, and writes it with its card and its curve."""
    found = load_checkpoint(options.run / "policy.safetensors")
    card = {
        "trained by": options.how,
        "seed": options.seed,
        "hardware": options.hardware,
        **costs([*options.after, options.run], options.cores),
        "grade": graded(options.run / "policy.safetensors", found, options),
        "selection": SELECTION,
    }
    if "settings" in found.card:
        card["settings"] = found.card["settings"]
    path = SHIPPED / f"{options.name}.safetensors"
    if path.is_file():
        old = load_checkpoint(path)
        card["replaces"] = {
            "sha256": sha256(path),
            "grade": graded(path, old, options),
            "selection": SELECTION,
        }
    replace(found, card=card).save(path)
    CARDS.mkdir(exist_ok=True)
    draw_learning_curve(options.run / "log.jsonl", CARDS / f"{options.name}.png")


def regrade(name: str, options: argparse.Namespace) -> None:
    """Grades a shipped policy anew."""
    path = SHIPPED / f"{name}.safetensors"
    found = load_checkpoint(path)
    card = {"core_hours": found.card["seconds"] / 3600, **found.card}  # older ones had one core
    card |= {"grade": graded(path, found, options), "selection": SELECTION}
    if options.replaced:
        old = load_checkpoint(options.replaced)
        grades = graded(options.replaced, old, options)
        card["replaces"] = {**card["replaces"], "grade": grades, "selection": SELECTION}
    replace(found, card=card).save(path)


def costs(runs: list[Path], cores: int) -> dict[str, float]:
    """What runs that follow each other took in all, as their logs say, or their cards."""
    total: dict[str, float] = {}
    for run in runs:
        log = run / "log.jsonl"
        if log.is_file():
            told = json.loads(log.read_text().splitlines()[-1])
            told["core_hours"] = told["seconds"] * cores / 3600
        else:
            told = load_checkpoint(SHIPPED / f"{run}.safetensors").card
        for key in ("seconds", "cpu_seconds", "positions", "steps", "core_hours"):
            if key in told:
                total[key] = total.get(key, 0) + told[key]
    if cores > 1:  # what one process counts is not all of it
        total.pop("cpu_seconds", None)
    return total


def write_pages() -> None:
    """Writes the pages of all policies, and the table of them."""
    for name in shipped_checkpoints():
        found = load_checkpoint(SHIPPED / f"{name}.safetensors")
        (CARDS / f"{name}.md").write_text(page(name, found, dict(found.card)))
    (CARDS / "README.md").write_text(index())


def graded(path: Path, found: Checkpoint, options: argparse.Namespace) -> dict[str, Any]:
    """Returns what is measured of a policy, as ``Measures`` by the way of playing."""
    opponents = default_opponents(found.start)
    if found.game == "connect_four":
        opponents.append(opponents[-1].replace("depth=5", "depth=6"))
    pairs = max(1, options.games // 2)
    evaluation = PeriodicEvaluation(
        found.start, opponents, pairs=pairs, positions=options.positions, seed=2026
    )
    grades: dict[str, Any] = {}
    for how, spec in ways_of_playing(path, found).items():
        if how == SEARCHING:
            evaluation.openings = evaluation.openings[: max(1, pairs // SEARCHING_SHARE)]
            evaluation.tests = evaluation.tests[: max(1, options.positions // SEARCHING_SHARE)]
        if how == BOTH:
            evaluation.opponents = {}
        grades[how] = measures(found, spec, evaluation)
    return grades


def ways_of_playing(path: Path, found: Checkpoint) -> dict[str, str]:
    """Returns the specs by how the policy is asked."""
    known = knowledge_of(found.start).symmetries
    symmetric = bool(found.layers) and known is not None and known.num_images(found.start) > 1
    searching = "value" in found.layers
    more = {
        ALONE: "",
        SYMMETRIC: ", symmetries=True" if symmetric else None,
        SEARCHING: f", simulations={SIMULATIONS}" if searching else None,
        BOTH: f", simulations={SIMULATIONS}, symmetries=True" if symmetric and searching else None,
    }
    return {way: f"policy(path={str(path)!r}{how})" for way, how in more.items() if how is not None}


def measures(found: Checkpoint, spec: str, evaluation: PeriodicEvaluation) -> dict[str, Any]:
    """Returns what is measured of one way of playing: numbers with intervals."""
    kept, grades = grade(found.start, spec, games=0, seed=0).overall.kept, evaluation.evaluate(spec)
    assert kept is not None  # there are positions
    points = {spec: [*astuple(share)] for spec, share in grades.points.items()}
    told: dict[str, Any] = {"kept": [*astuple(kept)], "wrong": wrong_of(grades.kept)}
    told["points"] = points
    if found.start == ConnectFour():
        told["classes"] = by_class(spec)
    if found.game == "tic_tac_toe":
        safe, positions = never_loses(agents.make(spec), found.start)
        told["never loses"] = {"proved": safe, "positions": positions}
    return told


def by_class(spec: str) -> dict[str, list[float]]:
    """Returns the shares of wrong moves in the classes of Connect Four."""
    agent, told = agents.make(spec), {}
    for name, tests in load_classes().items():
        kept = share_interval([agent.act(test.position) in test.right for test in tests])
        assert kept is not None  # there are positions
        told[name] = wrong_of(kept)
    return told


def wrong_of(kept: Interval) -> list[float]:
    """Returns the share of wrong moves from that of the others: value, ends and number."""
    assert kept.low is not None
    assert kept.high is not None
    return [1 - kept.value, 1 - kept.high, 1 - kept.low, kept.n]


def text(found: list[float]) -> str:
    """Returns a share with its interval and the number of what was measured."""
    value, low, high, number = found
    return f"{value:.1%} ({low:.1%} to {high:.1%}) of {number:.0f}"


def page(name: str, found: Checkpoint, card: dict[str, Any]) -> str:
    """The card as Markdown."""
    parameters = sum(array.size for array in found.arrays.values())
    path = SHIPPED / f"{name}.safetensors"
    size = path.stat().st_size
    kind = "network" if found.layers else "table"
    facts = [
        ("plays", f"`{found.start!r}`"),
        (
            "use",
            f"`policy(path={name!r})`" + (", with `simulations=100` stronger" * (kind != "table")),
        ),
        ("is", f"a {kind} of {parameters:,} numbers, {size / 1000:,.0f} kB"),
        ("SHA-256", sha256(path)),
        ("trained by", f"`{card['trained by']}`"),
        ("seed", str(card["seed"])),
        ("hardware", card["hardware"]),
        ("time", time_of(card)),
    ]
    if "core_hours" in card:
        facts.append(("cost", f"{card['core_hours']:.2f} core-hours, at most"))
    facts += [(key, f"{card[key]:,}") for key in ("positions", "steps") if key in card]
    facts += [("settings", card["settings"])] if "settings" in card else []
    lines = [f"# {name}", "", "| | |", "|---|---|"]
    lines += [f"| {key} | {value} |" for key, value in facts]
    lines += ["", "## Grade", "", *grade_table(card["grade"]), ""]
    if SEARCHING in card["grade"]:
        lines += [search_of(card)]
    lines += [
        "Published positions: those of `adv-envs grade`, where a move can be wrong. Wrong moves:",
        "of random positions that are not lost, and in which a move is wrong, the share where it",
        "gives away a win or a draw, by exact values; 95 % intervals by Wilson.",
        "Points: wins, and draws half, from random openings of two plies, each played twice with",
        "seats swapped; the number is that of openings, which the 95 % intervals resample.",
    ]
    if found.start == ConnectFour():
        lines += [
            "Classes: begin with at most 14 stones, middle with at most 28, end with more; easy",
            "with fewer than 14 plies to the end under perfect play, medium with fewer than 28,",
            "hard with more; at all positions a move is wrong.",
        ]
    lines += ["", f"![Grades over the time of training]({name}.png)", ""]
    if "--begin-with" in card["trained by"]:
        lines += [
            "The curve is of the last run: it begins with what the runs before had learnt.",
            "",
        ]
    if "replaces" in card:
        old = card["replaces"]
        lines += ["", "## What it replaces", ""]
        lines += [f"The policy with the SHA-256 `{old['sha256']}`, graded in the same way:", ""]
        lines += grade_table(old["grade"])
        if SEARCHING in old["grade"]:
            lines += ["", search_of(old)]
    lines += ["", "Written by `python docs/make_cards.py`."]
    return "\n".join(lines) + "\n"


def search_of(card: dict[str, Any]) -> str:
    """Returns in words which search the simulations are of."""
    if card.get("selection") == "gumbel":
        return "Simulations are those of Gumbel AlphaZero's search, the default of `policy`."
    return "Simulations are those of a search by PUCT: `selection='puct'`."


def grade_table(grades: dict[str, Any]) -> list[str]:
    """Returns a row for each measure, and a column for each way of playing."""
    lines = [f"| | {' | '.join(grades)} |", f"|---|{'---|' * len(grades)}"]
    for measure, cells in rows_of(grades):
        lines.append(f"| {measure} | {' | '.join(cells)} |")
    return lines


def rows_of(grades: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """Yields the measures in words, and what was found for each way of playing."""
    ways = list(grades.values())
    yield "moves that keep the value, at the published positions", [text(w["kept"]) for w in ways]
    yield "wrong moves, at random positions", [text(w["wrong"]) for w in ways]
    for name in ways[0].get("classes", ()):
        yield f"wrong moves, {name}", [text(w["classes"][name]) for w in ways]
    for spec in ways[0]["points"]:
        found = [w["points"].get(spec) for w in ways]
        yield f"points against {spec}", [text(points) if points else "" for points in found]
    if "never loses" in ways[0]:
        safe = (way["never loses"] for way in ways)
        told = [f"{'proved' if s['proved'] else 'no'}: {s['positions']} positions" for s in safe]
        yield "never loses, whatever is replied", told


def sha256(path: Path) -> str:
    """The hash of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


HEAD = (
    "policy", "board", "keeps the value", "symmetries", "search", "both",
    "wrong moves", "depth 3", "core-hours",
)  # fmt: skip


def index() -> str:
    """All cards in one table, and the classes of Connect Four in another."""
    lines = ["# Trained policies that ship with the package", ""]
    lines += [f"| {' | '.join(HEAD)} |", "|---" * len(HEAD) + "|"]
    classes: list[tuple[str, dict[str, Any]]] = []
    for name in shipped_checkpoints():
        found = load_checkpoint(SHIPPED / f"{name}.safetensors")
        board = "x".join(map(str, found.start.observation_shape[:2]))
        link, card = f"[`{name}`]({name}.md)", found.card
        lines.append(row(link, board, card["grade"], f"{card['core_hours']:.2f}"))
        grades = {link: card["grade"]}
        if "replaces" in card:
            grades["what it replaces"] = card["replaces"]["grade"]
            lines.append(row("what it replaces", board, card["replaces"]["grade"], ""))
        if found.start == ConnectFour():
            classes += [
                (f"{who}, {how}", told["classes"])
                for who, grade in grades.items()
                for how, told in grade.items()
            ]
    lines += [
        "",
        "- **Keeps the value**: moves that do so at the published positions of `adv-envs grade`,",
        "  of the network alone; **symmetries**, of the mean of its answers to all images of a",
        f"  position; **search**, of {SIMULATIONS} simulations that it guides; **both**, of as",
        "  many that the mean of its answers guides.",
        "- **Wrong moves**: of the network alone at random positions that are not lost and have a",
        "  wrong move.",
        "- **Depth 3**: points of the network alone against `alpha_beta(depth=3)` with the",
        "  default evaluation of the game, from random openings.",
        "",
        "The cards, behind the names, have the 95 % interval of each number, and tell by which",
        "search it was measured, and how a policy was trained.",
    ]
    if classes:
        lines += ["", "## Connect Four by classes of positions", ""]
        lines += [
            "Wrong moves at 200 positions of each of the classes by which solvers of Connect",
            "Four are compared (see [methods](../methods.md)); at all of them some move is wrong:",
            "",
            f"| | {' | '.join(CLASSES)} |",
            "|---" * (len(CLASSES) + 1) + "|",
        ]
        for who, told in classes:
            cells = (f"{told[name][0]:.1%}" for name in CLASSES)
            lines.append(f"| {who} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def row(name: str, board: str, grade: dict[str, Any], cost: str) -> str:
    """A row of the table of all policies."""
    alone, points = grade[ALONE], grade[ALONE]["points"]
    shares = [grade[way]["kept"][0] if way in grade else None for way in WAYS]
    shares += [alone["wrong"][0], next(points[spec][0] for spec in points if "depth=3" in spec)]
    cells = ("" if share is None else f"{share:.1%}" for share in shares)
    return f"| {' | '.join((name, board, *cells, cost))} |"


def time_of(card: dict[str, Any]) -> str:
    """The time of a training."""
    return f"{card['seconds'] / 60:.1f} minutes" + cpu(card)


def cpu(card: dict[str, Any]) -> str:
    """The time on a processor, where it was measured."""
    return f", {card['cpu_seconds'] / 60:.1f} on a processor" if "cpu_seconds" in card else ""


if __name__ == "__main__":
    main()
