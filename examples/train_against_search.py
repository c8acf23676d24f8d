"""A curriculum: MaskablePPO learns Connect Four from opponents that look further and further ahead.

The opponent is random at first. Whenever the mean result of the last hundred games is high enough,
the next one of the ladder takes its place, up to alpha-beta that looks four plies ahead; half of
the games are then still played against those before, so that nothing is forgotten. curve.png shows
what the policy scores against every rung of the ladder while it learns, and when it got there.

The same command goes on where it was stopped, on the same rung, with games that begin anew.

    python examples/train_against_search.py --steps 300000 --out runs/curriculum
"""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env
from train_sb3 import ID, Player, learn, learner, restore, state_of

import adv_envs
from agents.learning import (
    PeriodicEvaluation,
    TrainingRun,
    bounded,
    draw_learning_curve,
    run_command,
    training_options,
)

LADDER = ["random", "greedy", *(f"alpha_beta(depth={depth})" for depth in range(1, 5))]
UP = 0.6
"""The mean result, from -1 to 1, at which the next rung is reached."""
GAMES = 100
"""How many games on a rung it takes at least; the mean is of the last hundred."""


def pool(rung: int) -> dict[str, float]:
    """The opponents at a rung and their weights: it, and all before it, half and half."""
    before = dict.fromkeys(LADDER[:rung], 1 / max(rung, 1))
    return {LADDER[rung]: 1.0} | before


def climb(model: MaskablePPO, rung: int) -> int:
    """The rung to learn on: the next one, once enough games in a row went well on this one."""
    results = model.ep_info_buffer
    assert results is not None
    mean = sum(game["r"] for game in results) / max(len(results), 1)
    if len(results) >= GAMES and mean >= UP and rung + 1 < len(LADDER):
        rung += 1
        results.clear()
        model.env.env_method("set_opponent", pool(rung))
    return rung


def main() -> None:
    """Train, and print the first and the last grades."""
    read = training_options(__doc__, "curriculum", 200_000)
    read.add_argument(
        "--pairs", type=bounded(int, 1), default=25, help="openings for each grade (25)"
    )
    options = read.parse_args()
    torch.set_num_threads(1)
    start = adv_envs.start_position("connect_four")
    kind = f"curriculum, Connect Four, seed {options.seed}"
    evaluation = PeriodicEvaluation(start, LADDER, options.pairs)
    draw = partial(draw_learning_curve, rungs=LADDER)
    run = TrainingRun(options.out, kind, evaluation, options.steps, options.every, draw=draw)
    envs = make_vec_env(ID, 8, seed=options.seed, env_kwargs={"opponent": LADDER[0]})
    model, rung = learner(envs, options.seed), 0
    if state := restore(model, run, options.seed):
        rung = state["rung"]
        envs.env_method("set_opponent", pool(rung))

    def reached() -> dict[str, Any]:
        return state_of(model) | {"rung": rung}

    while run.continues(Player(model, start), reached):
        rung = climb(model, rung)
        learn(model, run, rung=rung)
    print(f"got as far as {LADDER[rung]}")
    first, *_, last = map(json.loads, run.log.read_text().splitlines())
    for spec in LADDER:
        before, after = first[f"vs {spec}"], last[f"vs {spec}"]
        print(f"  points against {spec}: {before:.0%} before, {after:.0%} after")


if __name__ == "__main__":
    run_command(main)
