"""Trains MaskablePPO of Stable-Baselines3 (sb3-contrib) on Connect Four, against a pool.

A step of the environment is my move and the reply, so that the next observation is mine again, and
the reward is my own result, also when the opponent ends the game. MaskablePPO finds the masks by
itself: ``action_masks()`` is a method of the environment, which every wrapper of Gymnasium keeps.
--vector plays compiled games instead, by adv_envs.envs.sb3.

With --curriculum the opponent is random at first. When the mean result of the last hundred games is
high enough, the next one of LADDER takes its place, up to alpha-beta of depth 4; half of the games
are then still played against those before, so that nothing is forgotten. curve.png shows the points
against every rung, and when it was reached.

The same command goes on where it was stopped, on the same rung, with new games.

    python examples/train_sb3.py
    python examples/train_sb3.py --vector --steps 300000
    python examples/train_sb3.py --curriculum --steps 300000 --out runs/curriculum
"""

import json
from collections import deque
from functools import partial
from typing import Any

import gymnasium
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.vec_env import VecMonitor

import adv_envs
from adv_envs.envs.sb3 import VectorEnvForSB3
from agents.learning import (
    PeriodicEvaluation,
    TrainingRun,
    bounded,
    draw_learning_curve,
    run_command,
    training_options,
)

ID = "adv_envs/ConnectFour-v0"
ROLLOUT = 2048  # steps between updates
POOL = {"random": 1, "greedy": 1, "alpha_beta(depth=2)": 2}  # one is drawn for each game

LADDER = ["random", "greedy", *(f"alpha_beta(depth={depth})" for depth in range(1, 5))]
UP = 0.6  # the mean result, from -1 to 1, at which the next rung is reached
GAMES = 100  # games on a rung, at least


def environments(vector: bool, count: int, seed: int, opponent: Any = POOL) -> Any:
    """Returns a VecEnv of Stable-Baselines3 with ``count`` games."""
    if not vector:
        return make_vec_env(ID, count, seed=seed, env_kwargs={"opponent": opponent})
    same_step = gymnasium.vector.AutoresetMode.SAME_STEP
    kwargs: Any = {"opponent": "greedy", "autoreset_mode": same_step}
    games = gymnasium.make_vec(ID, count, vectorization_mode="vector_entry_point", **kwargs)
    return VecMonitor(VectorEnvForSB3(games))


def learner(envs: Any, seed: int) -> MaskablePPO:
    """Returns what learns from steps of ``envs``."""
    model = MaskablePPO(
        "MlpPolicy",
        envs,
        n_steps=ROLLOUT // envs.num_envs,
        batch_size=256,
        n_epochs=4,
        learning_rate=1e-3,
        gamma=1.0,  # the return is the result, however long the game takes
        ent_coef=0.01,
        policy_kwargs={"net_arch": [128, 128]},
        seed=seed,
        device="cpu",
    )
    model.set_logger(Logger(None, []))  # the run logs all there is
    model.ep_info_buffer, model.ep_success_buffer = deque(maxlen=100), deque(maxlen=100)
    return model


def learn(model: MaskablePPO, run: TrainingRun, **told: float) -> None:
    """Plays ROLLOUT steps, learns from them, tells the mean result of the last 100 games."""
    model.learn(1, reset_num_timesteps=False, log_interval=None)
    results = [game["r"] for game in model.ep_info_buffer or ()]
    mean = sum(results) / max(len(results), 1)
    run.advance(model.num_timesteps - run.steps, mean_result=mean, **told)


def state_of(model: MaskablePPO) -> dict[str, Any]:
    """Returns what there is to save: weights, optimiser, and the last hundred results."""
    results = [float(game["r"]) for game in model.ep_info_buffer or ()]
    return {"model": model.get_parameters(), "results": results}


def restore(model: MaskablePPO, run: TrainingRun, seed: int) -> dict[str, Any] | None:
    """Restores what the run saved, with other games than at first; returns it."""
    state = run.restore()
    if state:
        model.set_parameters(state["model"], device="cpu")
        model.ep_info_buffer = deque([{"r": result} for result in state["results"]], 100)
        model.num_timesteps = run.steps
        model.env.seed(seed + run.steps)
    return state


def pool(rung: int) -> dict[str, float]:
    """Returns the opponents at a rung and their weights: it, and all before it, half and half."""
    before = dict.fromkeys(LADDER[:rung], 1 / max(rung, 1))
    return {LADDER[rung]: 1.0} | before


def climb(model: MaskablePPO, rung: int) -> int:
    """Returns the rung to learn on: the next, once enough games in a row went well on this one."""
    results = model.ep_info_buffer
    assert results is not None
    mean = sum(game["r"] for game in results) / max(len(results), 1)
    if len(results) >= GAMES and mean >= UP and rung + 1 < len(LADDER):
        rung += 1
        results.clear()
        model.env.env_method("set_opponent", pool(rung))
    return rung


def curriculum(run: TrainingRun, seed: int) -> None:
    """Trains against stronger and stronger opponents; prints the first and the last grades."""
    envs = environments(False, 8, seed, LADDER[0])
    model, rung = learner(envs, seed), 0
    if state := restore(model, run, seed):
        rung = state["rung"]
        envs.env_method("set_opponent", pool(rung))

    def state_and_rung() -> dict[str, Any]:
        return state_of(model) | {"rung": rung}

    while run.continues(model, state_and_rung):
        rung = climb(model, rung)
        learn(model, run, rung=rung)
    print(f"got as far as {LADDER[rung]}")
    first, *_, last = map(json.loads, run.log.read_text().splitlines())
    for spec in LADDER:
        before, after = first[f"vs {spec}"], last[f"vs {spec}"]
        print(f"  points against {spec}: {before:.0%} before, {after:.0%} after")


def main() -> None:
    """Trains, graded before, at intervals, and after."""
    read = training_options(__doc__, "sb3", 150_000)
    read.add_argument("--vector", action="store_true", help="compiled games, many at once")
    read.add_argument("--curriculum", action="store_true", help="stronger and stronger opponents")
    read.add_argument("--pairs", type=bounded(int, 1), help="openings for each grade")
    options = read.parse_args()
    torch.set_num_threads(1)
    start = adv_envs.start_position("connect_four")
    if options.curriculum:
        kind = f"curriculum, Connect Four, seed {options.seed}"
        evaluation = PeriodicEvaluation(start, LADDER, options.pairs)
        draw = partial(draw_learning_curve, rungs=LADDER)
        run = TrainingRun(options.out, kind, evaluation, options.steps, options.every, draw=draw)
        curriculum(run, options.seed)
        return
    kind = f"MaskablePPO, Connect Four{', vector' * options.vector}, seed {options.seed}"
    evaluation = PeriodicEvaluation(start, pairs=options.pairs)
    run = TrainingRun(options.out, kind, evaluation, options.steps, options.every)
    count = 64 if options.vector else 8
    model = learner(environments(options.vector, count, options.seed), options.seed)
    restore(model, run, options.seed)
    while run.continues(model, lambda: state_of(model)):
        learn(model, run)


if __name__ == "__main__":
    run_command(main)
