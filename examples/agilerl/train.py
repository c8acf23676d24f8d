"""Trains DQN of AgileRL with action masks on tic-tac-toe; setup.sh makes its environment.

build/agilerl/bin/python examples/agilerl/train.py
"""

import argparse
from typing import Any

import gymnasium
import numpy as np
import torch
from agilerl.algorithms import DQN
from agilerl.components.replay_buffer import ReplayBuffer
from tensordict import TensorDict
from tqdm import tqdm

import adv_envs
import agents
from adv_envs import Position
from adv_envs.envs.observation import ObservationForm, observation_writer

PAIRS = 50  # of games, to grade it
ENVS, BATCH = 16, 128
FORM = ObservationForm(dtype="float32", flatten=True)


class Player(agents.Agent):
    """Plays the legal action of the greatest Q: the learner as an agent."""

    def __init__(self, dqn: DQN, start: Position) -> None:
        self.dqn, self.observer = dqn, observation_writer(start, FORM)

    def act(self, position: Position) -> int:
        """Returns the action of the greatest Q."""
        seen = self.observer.observe(position, position.to_move, True)
        board, mask = seen["observation"][None], seen["action_mask"][None]
        return int(self.dqn.get_action(board, action_mask=mask)[0])


def grade(title: str, player: agents.Agent, start: Position) -> None:
    """Returns wins, draws and losses in both seats."""
    for opponent in ("random", "alpha_beta(depth=2)"):
        result = agents.match(start, player, agents.make(opponent), pairs=PAIRS, plies=1)
        print(f"{title}, against {opponent}: first {result.first}, second {result.second}")


def learn(dqn: DQN, steps: int, seed: int) -> None:
    """Plays against random moves, and learns from them on the way."""
    envs: Any = gymnasium.make_vec(
        "adv_envs/TicTacToe-v0",
        num_envs=ENVS,
        vectorization_mode="vector_entry_point",
        autoreset_mode=gymnasium.vector.AutoresetMode.SAME_STEP,
        **FORM._asdict(),
    )
    memory = ReplayBuffer(max_size=20_000)
    board, info = envs.reset(seed=seed)
    with tqdm(total=steps, unit=" steps", disable=None) as bar:
        for done in range(0, steps, ENVS):
            epsilon = max(0.1, 1 - 2 * done / steps)
            action = dqn.get_action(board, epsilon, info["action_mask"])
            after, reward, over, _, info = envs.step(action)
            line = {"obs": board, "action": action, "reward": reward[:, None]}
            line |= {"next_obs": after, "done": over[:, None].astype(np.float32)}
            tensors = {key: torch.as_tensor(value) for key, value in line.items()}
            memory.add(TensorDict(tensors, [ENVS]))
            board = after  # where a game is over, what follows is not looked at
            if len(memory) >= BATCH:
                dqn.learn(memory.sample(BATCH))
            bar.update(ENVS)


def main() -> None:
    """Grades before training, trains, grades after."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=60_000, help="steps to learn from (60000)")
    parser.add_argument("--seed", type=int, default=0, help="draws weights and moves (0)")
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    box = gymnasium.spaces.Box(0, 1, (18,), np.float32)
    dqn = DQN(box, gymnasium.spaces.Discrete(9), lr=1e-3, gamma=1.0, tau=0.01)
    start = adv_envs.TicTacToe()
    grade("before", Player(dqn, start), start)
    learn(dqn, options.steps, options.seed)
    grade("after", Player(dqn, start), start)


if __name__ == "__main__":
    main()
