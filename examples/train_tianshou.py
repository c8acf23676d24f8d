"""Trains DQN of Tianshou with action masks on tic-tac-toe, both sides of our AEC environment.

Tianshou's ``PettingZooEnv`` gives transitions of one move: the next observation is the opponent's,
and what is good for the opponent is bad for me. So the discount is -1: a move is worth what it wins
at once, or else the opposite of the opponent's best reply. With a discount of 1 a learner takes the
opponent's prospects for its own. With returns of two steps, my move and the reply in the buffer, it
gets the sign right, but hopes for the mistakes of opponents that explored or knew less.

And the policy of each player must be told that it trains, not only the one that is made of both:
else it never explores, plays the same few games over and over, and knows no others.

The same command goes on where it was stopped, with a new replay buffer, which is filled first.

    python examples/train_tianshou.py
"""

import logging
from typing import Any

import numpy as np
import torch
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.utils.net.common import Net
from tianshou.utils.torch_utils import policy_within_training_step as within_training

import adv_envs
from adv_envs import TicTacToe
from agents.learning import PeriodicEvaluation, TrainingRun, run_command, training_options

logging.getLogger("tianshou.data.stats").setLevel(logging.ERROR)  # it expects one reward a step

ENVS, EVERY = 16, 160  # games at once, and moves between updates
UPDATES, BATCH = 8, 256
TARGET = 50  # updates between two copies of the network to the one that judges
FIRST, KEPT = 1_600, 20_000  # moves in the buffer before the first update, and at most


def environment() -> PettingZooEnv:
    """Shows our AEC environment as Tianshou sees it."""
    return PettingZooEnv(adv_envs.env("tic_tac_toe"))


def learner(discount: float = -1.0) -> DQN:
    """Returns one network for both sides: observations are those of the player to move."""
    env = environment()
    box = env.observation_space["observation"]
    net = Net(state_shape=box.shape, action_shape=env.action_space.n, hidden_sizes=[128, 128])
    policy = DiscreteQLearningPolicy(model=net, action_space=env.action_space, eps_training=0.3)
    optim = AdamOptimizerFactory(lr=1e-3)
    dqn = DQN(policy=policy, optim=optim, target_update_freq=TARGET)
    dqn.gamma = discount  # it cannot be given: Tianshou thinks of one player, and asks for 0 to 1
    return dqn


def learn(dqn: DQN, run: TrainingRun, seed: int = 0) -> None:
    """Plays moves of both sides, and learns from them on the way."""
    both: Any = MultiAgentOffPolicyAlgorithm(algorithms=[dqn, dqn], env=environment())
    envs = DummyVectorEnv([environment for _ in range(ENVS)])
    envs.seed(seed)
    buffer = VectorReplayBuffer(KEPT, ENVS)
    collector = Collector[CollectStats](both, envs, buffer, exploration_noise=True)
    collector.reset()
    if state := run.restore():
        dqn.load_state_dict(state["dqn"])
    while run.continues(dqn.policy, lambda: {"dqn": dqn.state_dict()}):
        with within_training(both.policy), within_training(dqn.policy):  # only then it explores
            if len(buffer) == 0:
                collector.collect(n_step=FIRST)
            played = collector.collect(n_step=EVERY)
            losses = [both.update(buffer, BATCH).get_loss_stats_dict() for _ in range(UPDATES)]
        loss = np.mean([list(each.values()) for each in losses])
        run.advance(played.n_collected_steps, loss=float(loss))


def main() -> None:
    """Trains, graded before, at intervals, and after."""
    options = training_options(__doc__, "tianshou", 60_000).parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    np.random.seed(options.seed)  # noqa: NPY002 - Tianshou explores with it
    kind = f"Tianshou, tic-tac-toe, seed {options.seed}"
    evaluation = PeriodicEvaluation(TicTacToe())
    run = TrainingRun(options.out, kind, evaluation, options.steps, options.every)
    learn(learner(), run, options.seed)


if __name__ == "__main__":
    run_command(main)
