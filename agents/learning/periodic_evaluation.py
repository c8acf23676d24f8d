"""Grades of a learner, by exact values and against search agents, and the learning curve."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from adv_envs import Position, name_of
from agents.agent import Agent
from agents.knowledge import knowledge_of
from agents.match import match
from agents.search.perfect import Perfect
from agents.spec import AgentLike, make

NUM_POSITIONS, NUM_PAIRS = 300, 30
"""Test positions, and pairs of games against each opponent, by default."""

SOLVED_AT_ONCE = 100_000
"""Positions up to which a game is solved from its start."""

OPPONENT_DEPTHS = range(1, 6)
"""Search depths of the default opponents."""


class PeriodicEvaluation:
    """Evaluates an agent at one game, always at the same positions and from the same openings.

    ``evaluate`` returns shares from 0 to 1:

    - "mistakes": the share of ``positions`` at which the agent plays a wrong move (from a win to a
      draw or loss, from a draw to a loss). The positions are random, not lost, and have at least
      one wrong move; all of them if there are few. The exact values are those of ``Perfect``;
    - "vs SPEC": the points against each of ``opponents``, a draw counting half, in ``pairs`` random
      openings of two plies, each played twice with the seats swapped. The default opponents are
      random and alpha-beta of depth 1 to 5.

    ValueError for games without ``sample_plies`` in their record of ``agents.knowledge``.
    """

    def __init__(
        self,
        start: Position,
        opponents: Iterable[str] | None = None,
        pairs: int | None = None,
        positions: int | None = None,
        seed: int = 0,
    ) -> None:
        sample_plies = knowledge_of(start).sample_plies
        if sample_plies is None:
            raise ValueError(
                f"learners of {name_of(start)} are not evaluated: its record in agents.knowledge "
                "has no sample_plies"
            )
        self.start, self.rng = start, random.Random(seed)
        specs = default_opponents(start) if opponents is None else opponents
        self.opponents = {spec: make(spec) for spec in specs}
        self.positions = self._test_positions(sample_plies(start), positions or NUM_POSITIONS)
        self.openings = [self._random_position(2) for _ in range(pairs or NUM_PAIRS)]

    def evaluate(self, agent: AgentLike) -> dict[str, float]:
        """Returns the shares by name; RuntimeError if the agent fails in a game."""
        made = make(agent)
        wrong = sum(made.act(position) not in right for position, right in self.positions)
        points = {f"vs {spec}": self._points(made, o) for spec, o in self.opponents.items()}
        return {"mistakes": wrong / len(self.positions)} | points

    def _points(self, agent: Agent, opponent: Agent) -> float:
        """Returns the share of the points of ``agent`` against ``opponent``."""
        points = 0.0
        for seed, opening in enumerate(self.openings):
            result = match(opening, agent, opponent, pairs=1, seed=seed)
            for game in result.games:
                if game.reason:  # otherwise a bug would look like bad play
                    raise RuntimeError(game.reason)
            points += result.total.points
        return points / (2 * len(self.openings))

    def _random_position(self, plies: int) -> Position:
        """Returns an unfinished position after ``plies`` random moves."""
        while True:
            position = self.start
            for _ in range(plies):
                if not position.is_terminal():
                    position = position.play(self.rng.choice(position.legal_actions()))
            if not position.is_terminal():
                return position

    def _test_positions(self, plies: range, number: int) -> list[tuple[Position, set[int]]]:
        """Returns random positions and their right moves."""
        from tqdm import tqdm

        solver, found, seen = Perfect(), [], set()
        if (self.start.state_space() or math.inf) <= SOLVED_AT_ONCE:
            solver.value(self.start)  # all positions at once
        bar = tqdm(total=number, desc="exact values", leave=False, disable=None)
        for _ in range(50 * number):
            position = self._random_position(self.rng.choice(plies))
            if position in seen:
                continue
            seen.add(position)
            values = {a: np.sign(v) for a, v in solver.values(position).items()}
            right = {a for a, v in values.items() if v == max(values.values())}
            if max(values.values()) >= 0 and len(right) < len(values):
                found.append((position, right))
                bar.update()
            if len(found) == number:
                break
        bar.close()
        return found


def default_opponents(start: Position) -> list[str]:
    """Returns random, and alpha-beta of OPPONENT_DEPTHS with the game's default evaluation."""
    evaluation = knowledge_of(start).default_evaluation
    evaluate = "" if evaluation is None else f", evaluate={name_of(start)}.{evaluation}"
    return ["random", *(f"alpha_beta(depth={depth}{evaluate})" for depth in OPPONENT_DEPTHS)]


def never_loses(agent: Agent, start: Position) -> tuple[bool, int]:
    """Returns whether no sequence of replies beats the agent in any seat, and the positions seen.

    The agent must be deterministic.
    """
    seen: set[tuple[Position, int]] = set()

    def safe(position: Position, seat: int) -> bool:
        if (position, seat) in seen:
            return True
        seen.add((position, seat))
        if position.is_terminal():
            return position.utility(seat) >= 0
        if position.to_move == seat:
            return safe(position.play(agent.act(position)), seat)
        return all(safe(position.play(action), seat) for action in position.legal_actions())

    return safe(start, 0) and safe(start, 1), len(seen)


def draw_learning_curve(log: Path, picture: Path, rungs: Sequence[str] = ()) -> None:
    """Draws the grades in a log, a JSON object a line, over the time of training.

    Above are the points against each opponent, below the mistakes. Where the "rung" of the log goes
    up, a vertical line is labelled with the name in ``rungs``.
    """
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.ticker import PercentFormatter

    lines = map(json.loads, log.read_text().splitlines())
    graded = [line for line in lines if "mistakes" in line]
    unit, name = (60, "minutes") if graded[-1]["seconds"] > 180 else (1, "seconds")
    times = [line["seconds"] / unit for line in graded]
    shape: Any = {"figsize": (9, 5.5), "height_ratios": (2, 1), "layout": "constrained"}
    figure, (above, below) = plt.subplots(2, sharex=True, **shape)
    against = [key for key in graded[-1] if key.startswith("vs ")]
    colors, evaluation = plt.get_cmap("viridis_r")(np.linspace(0.15, 1, len(against))), ""
    for key, color in zip(against, colors, strict=True):  # deeper searches are darker
        spec, comma, evaluation = key.removeprefix("vs ").partition(", evaluate=")
        label = f"{spec})" if comma else spec
        above.plot(times, [line[key] for line in graded], ".-", color=color, label=label)
    above.axhline(0.5, color="gray", linewidth=0.8)
    reached = [int(line.get("rung", 0)) for line in graded]
    for i, (before, after) in enumerate(pairwise(reached), 1):
        if after > before:
            above.axvline(times[i], color="gray", linewidth=0.8, linestyle=":")
            above.text(
                times[i], 1, rungs[after], rotation=90, ha="right", va="top", fontsize="small"
            )
    mistakes = [line["mistakes"] for line in graded]
    below.plot(times, mistakes, ".-", color="firebrick")
    above.set(ylabel="points against", ylim=(-0.02, 1.02))
    below.set(ylabel="wrong moves", ylim=(0, 1.1 * max(0.1, *mistakes)))
    below.set(xlabel=f"{name} of training")
    for axis in (above, below):
        axis.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        axis.grid(alpha=0.3)
    title = f"evaluate={evaluation.removesuffix(')')}" if evaluation else None
    figure.legend(title=title, loc="outside right upper", fontsize="small", frameon=False)
    figure.savefig(picture, dpi=120)
    plt.close(figure)
