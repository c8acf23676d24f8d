"""PPO in one file, in the style of CleanRL, learns Connect Four from thousands of games at once.

The environment is a Gymnasium VectorEnv of compiled games. Against an opponent a step is my move
and the reply. With --opponent self the network plays both sides: a step is one move, observations
are those of whoever moves next, and the discount is -1, as what is good for you is bad for me.

    python examples/train_ppo.py --game hex --opponent self --steps 1000000
"""

import argparse
from typing import Any

import gymnasium
import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical
from tqdm import tqdm

import adv_envs
import agents
from adv_envs import Position
from adv_envs.observer import observer

PAIRS = 50  # of games, to grade it
ROLLOUT, EPOCHS, MINIBATCHES = 32, 3, 4
LAMBDA, CLIP, ENTROPY, VALUE = 0.95, 0.2, 0.01, 0.5


class Network(nn.Module):
    """Logits of the actions, -inf where one is illegal, and a value, from a flat observation."""

    def __init__(self, inputs: int, actions: int, width: int = 128) -> None:
        super().__init__()
        layers = [nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()]
        self.body = nn.Sequential(*layers)
        self.policy, self.value = nn.Linear(width, actions), nn.Linear(width, 1)
        nn.init.zeros_(self.policy.weight)  # begin with every legal move as likely as the others

    def forward(self, seen: torch.Tensor, legal: torch.Tensor) -> tuple[Any, Any]:
        """Logits (n, actions) and values (n,)."""
        body = self.body(seen.float().flatten(1))
        logits = self.policy(body).masked_fill(~legal, -torch.inf)
        return logits, self.value(body).squeeze(1).tanh()  # what a game can be worth


class Player(agents.Agent):
    """The network as an agent: the likeliest legal move."""

    def __init__(self, network: Network, start: Position) -> None:
        self.network, self.observer = network, observer(start)

    @torch.no_grad()
    def act(self, position: Position) -> int:
        """The likeliest action."""
        seen = self.observer.observe(position, position.to_move, True)
        board, mask = (torch.from_numpy(seen[key])[None] for key in ("observation", "action_mask"))
        return int(self.network(board, mask.bool())[0].argmax())


def grade(title: str, player: agents.Agent, start: Position) -> None:
    """Wins, draws and losses in both seats, from random openings of two plies."""
    for opponent in ("random", "alpha_beta(depth=2)"):
        result = agents.match(start, player, agents.make(opponent), pairs=PAIRS, plies=2)
        print(f"{title}, against {opponent}: first {result.first}, second {result.second}")


def learn(network: Network, envs: Any, steps: int, seed: int = 0, gamma: float = 1.0) -> None:
    """PPO on ``envs``, which reset in the same step; the discount is -1 where sides alternate."""
    torch.manual_seed(seed)
    optimizer = torch.optim.Adam(network.parameters(), eps=1e-5)
    batch = envs.num_envs * ROLLOUT
    updates = max(1, steps // batch)
    seen, info = envs.reset(seed=seed)
    seen, legal = torch.from_numpy(seen), torch.from_numpy(info["action_mask"]).bool()
    with tqdm(total=updates * batch, unit=" steps", disable=None) as bar:
        for update in range(updates):
            optimizer.param_groups[0]["lr"] = 1e-3 * (1 - update / updates)
            rollout, ends = [], []
            for _ in range(ROLLOUT):
                with torch.no_grad():
                    logits, value = network(seen, legal)
                    drawn = Categorical(logits=logits)
                    action = drawn.sample()
                after, reward, over, _, info = envs.step(action.numpy())
                got = drawn.log_prob(action), value, *map(torch.from_numpy, (reward, over))
                rollout.append((seen, legal, action, *got))
                ends.append(reward[over])
                seen, legal = torch.from_numpy(after), torch.from_numpy(info["action_mask"]).bool()
            improve(network, optimizer, rollout, network(seen, legal)[1].detach(), gamma)
            bar.update(batch)
            bar.set_postfix_str(f"mean result {np.concatenate(ends).mean():+.2f}")


def improve(network: Network, optimizer: Any, rollout: Any, ahead: Any, gamma: float) -> None:
    """An update: advantages by GAE, then epochs of clipped steps on shuffled minibatches."""
    stacked = [torch.stack(each) for each in zip(*rollout, strict=True)]
    seen, legal, action, before, value, reward, over = stacked
    advantage, running = torch.zeros_like(value), 0.0
    for t in reversed(range(ROLLOUT)):
        going_on = gamma * ~over[t]
        running = reward[t] + going_on * (ahead + LAMBDA * running) - value[t]
        advantage[t], ahead = running, value[t]
    batch = [x.flatten(0, 1) for x in (seen, legal, action, before, advantage, advantage + value)]
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(batch[0])).chunk(MINIBATCHES):
            seen_, legal_, action_, before_, gain, target = (x[rows] for x in batch)
            logits, worth = network(seen_, legal_)
            drawn = Categorical(logits=logits)
            ratio = (drawn.log_prob(action_) - before_).exp()
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            clipped = torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain)
            wrong = (worth - target).square().mean()
            loss = VALUE * wrong - clipped.mean() - ENTROPY * drawn.entropy().mean()
            network.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()


def main() -> None:
    """Before, training, after."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="connect_four", help="any game of two (connect_four)")
    parser.add_argument("--opponent", default="self", help="random, greedy or self (self)")
    parser.add_argument(
        "--steps", type=int, default=1_000_000, help="steps to learn from (1000000)"
    )
    parser.add_argument("--envs", type=int, default=256, help="games at once (256)")
    parser.add_argument("--seed", type=int, default=0, help="draws weights, games and moves (0)")
    options = parser.parse_args()
    torch.set_num_threads(1)
    envs: Any = gymnasium.make_vec(
        adv_envs.registry.gymnasium_id(options.game),
        num_envs=options.envs,
        vectorization_mode="vector_entry_point",
        opponent=options.opponent,
        autoreset_mode=gymnasium.vector.AutoresetMode.SAME_STEP,
    )
    start = adv_envs.make(options.game)
    torch.manual_seed(options.seed)
    network = Network(int(np.prod(start.observation_shape)), start.num_actions)
    grade("before", Player(network, start), start)
    learn(network, envs, options.steps, options.seed, -1.0 if options.opponent == "self" else 1.0)
    grade("after", Player(network, start), start)


if __name__ == "__main__":
    main()
