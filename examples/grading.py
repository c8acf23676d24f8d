"""Exams for agents while they learn, by exact values and against search agents, and their curve."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

import agents
from adv_envs import Position, name_of
from agents import Agent

EVALUATE = {
    "tic_tac_toe": "",
    "connect_four": ", evaluate=connect_four.threats",
    "hex": ", evaluate=hex.two_distance",
}
"""The games there are exams of, and how alpha-beta judges what it does not search further."""

POSITIONS, PAIRS = 300, 30


class Exam:
    """What an agent is worth, in shares from 0 to 1; every grade asks the same questions.

    - "mistakes": of ``positions`` random unfinished ones that are not lost and where at least one
      move is wrong, how many it gives away (win to draw or loss, draw to loss): of all such, if
      there are few. Exact values tell, so no search is part of it;
    - "vs SPEC": the points, a draw being half of one, that it wins of each of ``opponents``, in
      ``pairs`` random openings of two plies, each played twice with the seats swapped. Without
      ``opponents`` these are random and alpha-beta to the depths 1 to 5.
    """

    def __init__(
        self,
        start: Position,
        opponents: Iterable[str] | None = None,
        pairs: int | None = None,
        positions: int | None = None,
        seed: int = 0,
    ) -> None:
        game = name_of(start)
        if game not in EVALUATE:
            raise ValueError(f"no exams of {game}, only of {', '.join(EVALUATE)}")
        if opponents is None:
            depths = (f"alpha_beta(depth={depth}{EVALUATE[game]})" for depth in range(1, 6))
            opponents = "random", *depths
        self.start, self.rng = start, random.Random(seed)
        self.opponents = {spec: agents.make(spec) for spec in opponents}
        self.questions = self._questions(game, positions or POSITIONS)
        self.openings = [self._random_position(2) for _ in range(pairs or PAIRS)]

    def grade(self, player: Agent | str) -> dict[str, float]:
        """The shares by name. RuntimeError if the agent fails in a game."""
        player = agents.make(player)
        wrong = sum(player.act(position) not in right for position, right in self.questions)
        points = {f"vs {spec}": self._points(player, o) for spec, o in self.opponents.items()}
        return {"mistakes": wrong / len(self.questions)} | points

    def _points(self, player: Agent, opponent: Agent) -> float:
        points = 0.0
        for seed, opening in enumerate(self.openings):
            result = agents.match(opening, player, opponent, pairs=1, seed=seed)
            for game in result.games:
                if game.reason:  # else a bug would look like bad play
                    raise RuntimeError(game.reason)
            points += result.total.points
        return points / (2 * len(self.openings))

    def _random_position(self, plies: int) -> Position:
        """After so many random moves, unfinished."""
        while True:
            position = self.start
            for _ in range(plies):
                if not position.is_terminal():
                    position = position.play(self.rng.choice(position.legal_actions()))
            if not position.is_terminal():
                return position

    def _questions(self, game: str, number: int) -> list[tuple[Position, set[int]]]:
        """Positions and their right moves."""
        solver, found, seen = agents.Perfect(), [], set()
        cells = self.start.height * self.start.width  # type: ignore[attr-defined]
        if game == "tic_tac_toe":
            solver.value(self.start)  # all positions at once
        # the exact values of earlier positions of these take too long
        first = {"connect_four": 12, "hex": max(0, cells - 37)}.get(game, 0)
        bar = tqdm(total=number, desc="exact values", leave=False, disable=None)
        for _ in range(50 * number):
            position = self._random_position(self.rng.randrange(first, cells - 1))
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


def never_loses(agent: Agent, start: Position) -> tuple[bool, int]:
    """Whether no reply of any opponent beats the agent, on either seat; positions looked at."""
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


def draw_curve(log: Path, picture: Path, rungs: Sequence[str] = ()) -> None:
    """A picture of every grade in a log, a JSON object a line, over the time of training.

    Above are the points against each opponent, below the mistakes. Where the log has a "rung" that
    goes up, a line says to which of ``rungs``.
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
    colors, judged = plt.get_cmap("viridis_r")(np.linspace(0.15, 1, len(against))), ""
    for key, color in zip(against, colors, strict=True):  # who looks further ahead is darker
        spec, comma, judged = key.removeprefix("vs ").partition(", evaluate=")
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
    title = f"evaluate={judged.removesuffix(')')}" if judged else None
    figure.legend(title=title, loc="outside right upper", fontsize="small", frameon=False)
    figure.savefig(picture, dpi=120)
    plt.close(figure)
