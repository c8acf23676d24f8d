"""Trains PPO in one file, in the style of CleanRL: Connect Four, from many games at once.

    python examples/train_ppo.py --game tic_tac_toe --steps 1000000 --envs 64

The environment is a Gymnasium VectorEnv of compiled games. Against an opponent a step is my move
and the reply. With --opponent self the network plays both sides: a step is one move, observations
are those of the next player, and the discount is -1, as what is good for you is bad for me.

Games begin with a few random moves, which are not learnt from: else it would know its own openings
only, and lose to anybody who leaves them. policy.safetensors in --out plays as
``policy(path=...)``; the same command goes on where it was stopped, with new games.
"""

from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium.vector import AutoresetMode
from torch import nn
from torch.distributions import Categorical

from adv_envs import Position, registry, start_position
from agents.learning import (
    PeriodicEvaluation,
    TrainingRun,
    bounded,
    run_command,
    training_options,
)
from agents.networks.pytorch import save_torch

GAMES = "tic_tac_toe", "connect_four", "hex"

ROLLOUT, EPOCHS, MINIBATCHES = 32, 4, 4
RATE, LAMBDA, CLIP, ENTROPY, VALUE = 1e-3, 0.95, 0.2, 0.03, 0.5


class Network(nn.Module):
    """Maps an observation to logits of the actions, -inf where one is illegal, and a value."""

    def __init__(self, start: Position, width: int = 128) -> None:
        super().__init__()
        inputs = int(np.prod(start.observation_shape))
        layers = [nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()]
        self.trunk = nn.Sequential(nn.Flatten(), *layers)
        self.policy = nn.Linear(width, start.num_actions)
        self.value = nn.Sequential(nn.Linear(width, 1), nn.Tanh())  # -1 to 1, as results
        nn.init.zeros_(self.policy.weight)  # begin with every legal move as likely as the others

    def forward(self, seen: torch.Tensor, legal: torch.Tensor) -> tuple[Any, Any]:
        """Returns logits (n, actions) and values (n,)."""
        x = self.trunk(seen.float())
        return self.policy(x).masked_fill(~legal, -torch.inf), self.value(x).squeeze(1)

    def save(self, path: Any, start: Position) -> None:
        """Writes it as an agent that needs no PyTorch."""
        parts = {name: getattr(self, name) for name in ("trunk", "policy", "value")}
        card = {"trained by": "examples/train_ppo.py"}
        save_torch(path, start, **parts, channels_first=False, card=card)


class PPO:
    """Learns from ``envs``; gamma -1 if sides alternate; up to ``wild`` random moves at first."""

    def __init__(
        self,
        network: Any,
        envs: Any,
        seed: int = 0,
        gamma: float = 1,
        wild: int = 0,
        minibatches: int = MINIBATCHES,
        lam: float = LAMBDA,
    ) -> None:
        self.network, self.envs, self.gamma, self.wild = network, envs, gamma, wild + 1
        self.minibatches, self.lam = minibatches, lam
        self.optimizer = torch.optim.Adam(network.parameters(), RATE, eps=1e-5)
        seen, info = envs.reset(seed=seed)
        self.seen, self.legal = torch.from_numpy(seen), torch.from_numpy(info["action_mask"] != 0)
        self.random_plies = torch.randint(self.wild, (envs.num_envs,))

    def update(self, rate: float = 1.0) -> float:
        """Plays ``batch`` steps and learns from them; the mean result of the games that ended."""
        self.optimizer.param_groups[0]["lr"] = RATE * rate
        rollout, ends = [], []
        for _ in range(ROLLOUT):
            seen, legal, own = self.seen, self.legal, self.random_plies == 0
            with torch.no_grad():
                logits, value = self.network(seen, legal)
            drawn = Categorical(logits=logits)
            action = torch.where(own, drawn.sample(), Categorical(legal.float()).sample())
            after, reward, over, _, info = self.envs.step(action.numpy())
            got = drawn.log_prob(action), value, *map(torch.from_numpy, (reward, over)), own
            rollout.append((seen, legal, action, *got))
            ends.append(reward[over])
            self.seen = torch.from_numpy(after)
            self.legal = torch.from_numpy(info["action_mask"] != 0)
            left, again = (self.random_plies - 1).clamp(min=0), torch.randint(self.wild, own.shape)
            self.random_plies = torch.where(torch.from_numpy(over), again, left)
        self.improve(rollout, self.network(self.seen, self.legal)[1].detach())
        return float(np.concatenate(ends).mean()) if any(map(len, ends)) else 0.0

    def improve(self, rollout: Any, ahead: torch.Tensor) -> None:
        """Updates: advantages by GAE, then epochs of clipped steps on shuffled minibatches."""
        stacked = [torch.stack(each) for each in zip(*rollout, strict=True)]
        seen, legal, action, before, value, reward, over, own = stacked
        advantage, running = torch.zeros_like(value), torch.zeros_like(ahead)
        for t in reversed(range(ROLLOUT)):
            going_on = self.gamma * ~over[t]
            running = reward[t] + going_on * (ahead + self.lam * running) - value[t]
            advantage[t], ahead = running, value[t]
        wanted = seen, legal, action, before, advantage, advantage + value
        batch = [x.flatten(0, 1)[own.flatten()] for x in wanted]
        for _ in range(EPOCHS):
            for rows in torch.randperm(len(batch[0])).chunk(self.minibatches):
                seen_, legal_, action_, before_, gain, target = (x[rows] for x in batch)
                logits, value_ = self.network(seen_, legal_)
                drawn = Categorical(logits=logits)
                ratio = (drawn.log_prob(action_) - before_).exp()
                gain = (gain - gain.mean()) / (gain.std() + 1e-8)
                clipped = torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain)
                wrong = (value_ - target).square().mean()
                loss = VALUE * wrong - clipped.mean() - ENTROPY * drawn.entropy().mean()
                self.network.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.network.parameters(), 0.5)
                self.optimizer.step()


def main() -> None:
    """Trains; grades tell how it goes."""
    read, some = training_options(__doc__, "ppo", 1_000_000), bounded(int, 1)
    read.add_argument("--game", default="connect_four", choices=GAMES, help="Hex is 5x5")
    read.add_argument("--opponent", default="self", choices=["random", "greedy", "self"])
    read.add_argument("--envs", type=some, default=256, help="games at once (256)")
    read.add_argument("--width", type=some, default=128, help="units of the two layers (128)")
    read.add_argument("--wild", type=bounded(int, 0), default=4, help="random moves at first (4)")
    options = read.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    name, size = registry.gymnasium_id(options.game), {"size": 5} if options.game == "hex" else {}
    start = start_position(options.game, **size)
    kind = f"PPO, {start!r}, {options.opponent}, {options.width} units, seed {options.seed}"
    evaluation = PeriodicEvaluation(start)
    run = TrainingRun(options.out, kind, evaluation, options.steps, options.every)
    how: Any = size | {"opponent": options.opponent, "autoreset_mode": AutoresetMode.SAME_STEP}
    envs: Any = gymnasium.make_vec(name, options.envs, "vector_entry_point", **how)
    network, gamma = Network(start, options.width), -1.0 if options.opponent == "self" else 1.0
    ppo = PPO(network, envs, options.seed, gamma, options.wild)
    policy = options.out / "policy.safetensors"
    parts = {"network": network, "optimizer": ppo.optimizer}
    if state := run.restore():
        for key, part in parts.items():
            part.load_state_dict(state[key])

    def saved() -> dict[str, Any]:
        network.save(policy, start)
        return {key: part.state_dict() for key, part in parts.items()}

    while run.continues(f"policy(path={str(policy)!r})", saved):
        run.advance(options.envs * ROLLOUT, result=ppo.update(1 - run.steps / options.steps))


if __name__ == "__main__":
    run_command(main)
