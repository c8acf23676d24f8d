"""DQN of Tianshou with action masks learns tic-tac-toe, playing both sides of our AEC environment.

Tianshou's ``PettingZooEnv`` gives transitions of one move: the next observation is the opponent's,
and a loss comes with the opponent's last move. With returns of one step, or any odd number, a
learner takes the opponent's prospects for its own and never sees a loss. With two steps, my move
and the reply, it looks ahead to its own next observation, and losses count: hence STEPS_AHEAD.

    python examples/train_tianshou.py
"""

import argparse
import logging
from typing import Any

import numpy as np
import torch
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.utils.net.common import Net
from tianshou.utils.torch_utils import policy_within_training_step
from tqdm import tqdm

import adv_envs
import agents
from adv_envs import Position, TicTacToe
from adv_envs.observer import observer

logging.getLogger("tianshou.data.stats").setLevel(logging.ERROR)  # it expects one reward a step

PAIRS = 50  # of games, to grade it
STEPS_AHEAD = 2
ENVS, EVERY = 16, 160  # games at once, and moves between updates
UPDATES, BATCH = 8, 256


class Player(agents.Agent):
    """A trained policy as an agent: the legal action with the greatest Q."""

    def __init__(self, policy: DiscreteQLearningPolicy, start: Position) -> None:
        self.policy, self.observer = policy, observer(start)

    def act(self, position: Position) -> int:
        """The action of the greatest Q."""
        seen = self.observer.observe(position, position.to_move, True)
        batch = Batch(obs=seen["observation"][None], mask=seen["action_mask"][None] == 1)
        with torch.no_grad():
            return int(self.policy(Batch(obs=batch, info=Batch())).act[0])


def environment() -> PettingZooEnv:
    """Our AEC environment as Tianshou sees it."""
    return PettingZooEnv(adv_envs.env("tic_tac_toe"))


def grade(title: str, player: agents.Agent, start: Position) -> None:
    """Wins, draws and losses in both seats."""
    for opponent in ("random", "alpha_beta(depth=2)"):
        result = agents.match(start, player, agents.make(opponent), pairs=PAIRS, plies=1)
        print(f"{title}, against {opponent}: first {result.first}, second {result.second}")


def learner(steps_ahead: int = STEPS_AHEAD) -> DQN:
    """One network for both sides: observations are those of the player to move."""
    env = environment()
    box = env.observation_space["observation"]
    net = Net(state_shape=box.shape, action_shape=env.action_space.n, hidden_sizes=[128, 128])
    policy = DiscreteQLearningPolicy(model=net, action_space=env.action_space, eps_training=0.3)
    return DQN(
        policy=policy,
        optim=AdamOptimizerFactory(lr=1e-3),
        gamma=1.0,
        n_step_return_horizon=steps_ahead,
        target_update_freq=50,
    )


def learn(dqn: DQN, steps: int, seed: int = 0) -> None:
    """Play ``steps`` moves of both sides, and learn from them on the way."""
    both: Any = MultiAgentOffPolicyAlgorithm(algorithms=[dqn, dqn], env=environment())
    envs = DummyVectorEnv([environment for _ in range(ENVS)])
    envs.seed(seed)
    buffer = VectorReplayBuffer(20_000, ENVS)
    collector = Collector[CollectStats](both, envs, buffer, exploration_noise=True)
    collector.reset()
    with tqdm(total=steps, unit=" steps", disable=None) as bar:
        for _ in range(0, steps, EVERY):
            with policy_within_training_step(both.policy):
                played = collector.collect(n_step=EVERY)
                losses = [both.update(buffer, BATCH).get_loss_stats_dict() for _ in range(UPDATES)]
            bar.update(played.n_collected_steps)
            bar.set_postfix_str(f"loss {np.mean([list(each.values()) for each in losses]):.3f}")


def main() -> None:
    """Before, training, after."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=60_000, help="moves to learn from (60000)")
    parser.add_argument("--seed", type=int, default=0, help="draws weights and moves (0)")
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    np.random.seed(options.seed)  # noqa: NPY002 - Tianshou explores with it
    dqn, start = learner(), TicTacToe()
    grade("before", Player(dqn.policy, start), start)
    learn(dqn, options.steps, options.seed)
    grade("after", Player(dqn.policy, start), start)


if __name__ == "__main__":
    main()
