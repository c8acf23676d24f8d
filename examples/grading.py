"""Grades for policies while they learn, against exact values and search agents, and their curve."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np

import agents
from adv_envs import Position, name_of
from agents.policy import Policy

EVALUATE = {
    "tic_tac_toe": "",
    "connect_four": ", evaluate=connect_four.threats",
    "hex": ", evaluate=hex.two_distance",
}
"""How alpha-beta judges positions that it does not search further."""


class Grader:
    """What a policy is worth: without a search, its best action counts.

    - "mistakes": of ``positions`` random unfinished ones that are not lost and where at least one
      move is wrong, how many it gives away (win to draw, draw to loss): of all, if there are few;
    - "vs alpha_beta(depth=d, ...)": the points it wins, draws counting half, in ``games`` games
      from random openings of two plies, each played twice; d is 1 to 5.
    """

    def __init__(self, start: Position, games: int, positions: int = 500, seed: int = 0) -> None:
        self.start, self.games, self.rng = start, games, random.Random(seed)
        self.exams = self._exams(positions)
        self.openings = [self._random_position(2) for _ in range(games // 2)]

    def _random_position(self, plies: int) -> Position:
        """After so many random moves, unfinished."""
        while True:
            position = self.start
            for _ in range(plies):
                if not position.is_terminal():
                    position = position.play(self.rng.choice(position.legal_actions()))
            if not position.is_terminal():
                return position

    def _exams(self, number: int) -> list[tuple[Position, set[int]]]:
        """Positions and their right moves."""
        solver, found, seen = agents.Perfect(), [], set()
        game, cells = name_of(self.start), self.start.height * self.start.width  # type: ignore[attr-defined]
        if game == "tic_tac_toe":
            solver.value(self.start)  # all positions at once
        # the exact values of earlier positions of these take too long
        first = {"connect_four": 12, "hex": max(0, cells - 37)}.get(game, 0)
        for _ in range(50 * number):
            position = self._random_position(self.rng.randrange(first, cells - 1))
            if position in seen:
                continue
            seen.add(position)
            values = {a: np.sign(v) for a, v in solver.values(position).items()}
            right = {a for a, v in values.items() if v == max(values.values())}
            if max(values.values()) >= 0 and len(right) < len(values):
                found.append((position, right))
            if len(found) == number:
                break
        return found

    def grade(self, spec: str) -> dict[str, float]:
        """Shares from 0 to 1 by name."""
        policy = agents.make(spec)
        wrong = sum(policy.act(position) not in right for position, right in self.exams)
        told = {"mistakes": wrong / len(self.exams)}
        for depth in range(1, 6) if self.games else ():
            opponent = f"alpha_beta(depth={depth}{EVALUATE[name_of(self.start)]})"
            told[f"vs {opponent}"] = self._points(policy, agents.make(opponent))
        return told

    def _points(self, policy: Any, opponent: Any) -> float:
        points = 0.0
        for opening in self.openings:
            for seat in (0, 1):
                position = opening
                while not position.is_terminal():
                    mover = policy if position.to_move == seat else opponent
                    position = position.play(mover.act(position))
                points += (1 + position.utility(seat) / position.max_utility) / 2
        return points / (2 * len(self.openings))


def never_loses(policy: Policy | agents.Agent, start: Position) -> tuple[bool, int]:
    """Whether no reply of any opponent beats the policy, on either seat; positions looked at."""
    seen: set[tuple[Position, int]] = set()

    def safe(position: Position, seat: int) -> bool:
        if (position, seat) in seen:
            return True
        seen.add((position, seat))
        if position.is_terminal():
            return position.utility(seat) >= 0
        if position.to_move == seat:
            return safe(position.play(policy.act(position)), seat)
        return all(safe(position.play(action), seat) for action in position.legal_actions())

    return safe(start, 0) and safe(start, 1), len(seen)


def draw_curve(log: Path, picture: Path) -> None:
    """A picture of every grade in a log, a JSON object a line, over the time of training."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    told = [json.loads(line) for line in log.read_text().splitlines()]
    graded = [line for line in told if "mistakes" in line]
    minutes = [line["seconds"] / 60 for line in graded]
    figure, axis = plt.subplots(figsize=(8.5, 4), layout="constrained")
    names = [name for name in graded[-1] if name == "mistakes" or name.startswith("vs ")]
    for name in names:
        style: Any = {"color": "black", "linewidth": 2} if name == "mistakes" else {}
        opponent = name.removeprefix("vs ").partition(",")[0].replace("(", " ").strip(")")
        label = "wrong moves" if name == "mistakes" else f"points against {opponent}"
        axis.plot(minutes, [100 * line[name] for line in graded], marker=".", label=label, **style)
    axis.set(xlabel="minutes of training", ylabel="percent", ylim=(-2, 102))
    axis.grid(alpha=0.3)
    figure.legend(loc="outside right center", fontsize="small", frameon=False)
    figure.savefig(picture, dpi=120)
    plt.close(figure)
