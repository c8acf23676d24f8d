"""Ship a trained policy: its file, its learning curve, and its model card with an exact grade.

    python docs/make_cards.py runs/ppo connect_four_ppo --seed 1 --how "python examples/..."
    python docs/make_cards.py --pages

What is measured: how often the network alone, and with a search of 100 simulations, gives away what
perfect play would keep, in random positions whose values a solver knows; and its points against
random and alpha-beta from random openings of two plies. At tic-tac-toe all replies are tried: does
it lose?
The file goes to agents/data/policies, its card inside; the card and the curve to docs/baselines.
With --pages nothing is graded: the pages of all policies are written anew from the cards in them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import agents
from agents.grading import grade
from agents.grading.metrics import wilson
from agents.learning import PeriodicEvaluation, draw_learning_curve, never_loses
from agents.networks.checkpoint import SHIPPED, Checkpoint, load_checkpoint, shipped_checkpoints

ROOT = Path(__file__).parent.parent
CARDS = ROOT / "docs" / "baselines"

SIMULATIONS = 100


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
    read.add_argument("--pages", action="store_true", help="only write the pages anew")
    read.add_argument(
        "--hardware", default="one thread of a server CPU, shared", help="for the card"
    )
    read.add_argument("--positions", type=int, default=1000, help="for the share of wrong moves")
    read.add_argument("--games", type=int, default=200, help="against each opponent")
    options = read.parse_args()
    if options.pages:
        write_pages()
        return
    if None in (options.run, options.name, options.how, options.seed):
        read.exit(2, f"{read.prog}: RUN, NAME, --how and --seed are needed, or --pages\n")
    for name in ("policy.safetensors", "log.jsonl"):
        if not (options.run / name).is_file():
            read.exit(2, f"{read.prog}: {options.run} is not a finished run: no {name} in it\n")
    found = load_checkpoint(options.run / "policy.safetensors")
    pairs = max(1, options.games // 2)
    evaluation = PeriodicEvaluation(
        found.start, pairs=pairs, positions=options.positions, seed=2026
    )
    last = json.loads((options.run / "log.jsonl").read_text().splitlines()[-1])
    keys = "seconds", "cpu_seconds", "positions", "steps"
    card = {
        "trained by": options.how,
        "seed": options.seed,
        "hardware": options.hardware,
        **{key: last[key] for key in keys if key in last},
        "grade": graded(options.run / "policy.safetensors", found, evaluation),
    }
    replace(found, card=card).save(SHIPPED / f"{options.name}.safetensors")
    CARDS.mkdir(exist_ok=True)
    draw_learning_curve(options.run / "log.jsonl", CARDS / f"{options.name}.png")
    write_pages()


def write_pages() -> None:
    """Writes the pages of all policies, and the table of them."""
    for name in shipped_checkpoints():
        found = load_checkpoint(SHIPPED / f"{name}.safetensors")
        (CARDS / f"{name}.md").write_text(page(name, found, dict(found.card)))
    (CARDS / "README.md").write_text(index())


def graded(path: Path, found: Checkpoint, evaluation: PeriodicEvaluation) -> dict[str, Any]:
    """What is measured, in words."""
    told: dict[str, Any] = {}
    spec = f"policy(path={str(path)!r})"
    if found.game == "tic_tac_toe":
        safe, looked = never_loses(agents.make(spec), found.start)
        told["never loses"] = f"{'proved' if safe else 'no'}: {looked} positions of both seats"
    specs = {"alone": spec}
    if "value" in found.layers:
        specs[f"with {SIMULATIONS} simulations"] = (
            f"policy(path={str(path)!r}, simulations={SIMULATIONS})"
        )
    for how, each in specs.items():
        if how != "alone":  # a search takes its time: fewer games will do
            openings = evaluation.openings
            evaluation.openings = openings[: max(1, len(openings) // 5)]
        grades = evaluation.evaluate(each)
        told[how] = {
            "moves that keep the value, at the published positions": report(found, each),
            "wrong moves, at random positions": share(
                grades.pop("mistakes"), len(evaluation.positions)
            ),
        }
        for name, points in grades.items():
            told[how][name] = interval(points, 2 * len(evaluation.openings))
    return told


def report(found: Checkpoint, spec: str) -> str:
    """What ``adv-envs grade`` says."""
    kept = grade(found.start, spec, games=0).overall.kept
    assert kept is not None  # there are positions
    return f"{kept.value:.1%} ({kept.low:.1%} to {kept.high:.1%}) of {kept.n}"


def share(found: float, number: int) -> str:
    """A share of so many, with its interval by Wilson."""
    low, high = wilson(found, number)
    return f"{found:.1%} ({low:.1%} to {high:.1%}) of {number}"


def interval(points: float, games: int) -> str:
    """Points, with the widest interval that a mean of so many pairs of games can have."""
    low, high = wilson(points, games / 2)
    return f"{points:.1%} ({low:.1%} to {high:.1%}) of {games} games"


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
        ("SHA-256", hashlib.sha256(path.read_bytes()).hexdigest()),
        ("trained by", f"`{card['trained by']}`"),
        ("seed", str(card["seed"])),
        ("hardware", card["hardware"]),
        ("time", f"{card['seconds'] / 60:.1f} minutes" + cpu(card)),
    ]
    facts += [(key, f"{card[key]:,}") for key in ("positions", "steps") if key in card]
    lines = [f"# {name}", "", "| | |", "|---|---|"]
    lines += [f"| {key} | {value} |" for key, value in facts]
    grade = dict(card["grade"])
    lines += ["", "## Grade", ""]
    if "never loses" in grade:
        lines += [f"Never loses: {grade.pop('never loses')}.", ""]
    lines += [f"| | {' | '.join(grade)} |", f"|---|{'---|' * len(grade)}"]
    for measure in grade["alone"]:
        lines += [f"| {measure} | {' | '.join(told[measure] for told in grade.values())} |"]
    lines += [
        "",
        "Published positions: those of `adv-envs grade`, where a move can be wrong. Wrong moves:",
        "of random positions that are not lost, and in which a move is wrong, the share where it",
        "gives away a win or a draw, by exact values; 95 % intervals by Wilson.",
        "Points: wins, and draws half, from random openings of two plies, each played twice with",
        "seats swapped; 95 % intervals over the pairs, at their widest.",
        "",
        f"![Grades over the time of training]({name}.png)",
        "",
        "Written by `python docs/make_cards.py`.",
    ]
    return "\n".join(lines) + "\n"


def index() -> str:
    """All cards in one table."""
    lines = ["# Trained policies that ship with the package", ""]
    lines += ["| policy | of | moves that keep the value | wrong moves | against depth 3 | card |"]
    lines += ["|---|---|---|---|---|---|"]
    for name in shipped_checkpoints():
        found = load_checkpoint(SHIPPED / f"{name}.safetensors")
        told = found.card["grade"]["alone"]
        third = next(value for measure, value in told.items() if "depth=3" in measure)
        height, width, _ = found.start.observation_shape
        game = f"{found.game.replace('_', ' ')} {height}x{width}"
        kept, wrong, *_ = told.values()
        cells = f"`{name}`", game, kept, wrong, third, f"[card]({name}.md)"
        lines.append(f"| {' | '.join(cells)} |")
    lines += [
        "",
        "The network alone, without a search; the cards tell what each column is. Those called",
    ]
    lines += [
        "alphazero were trained by an `examples/alphazero.py` of its own search and networks, whose"
    ]
    lines += ["place `adv-envs train` has taken."]
    return "\n".join(lines) + "\n"


def cpu(card: dict[str, Any]) -> str:
    """The time on a processor, where it was measured."""
    return f", {card['cpu_seconds'] / 60:.1f} on a processor" if "cpu_seconds" in card else ""


if __name__ == "__main__":
    main()
