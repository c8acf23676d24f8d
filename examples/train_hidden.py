"""Trains PPO in one file: it learns Leduc hold'em from itself, graded by exact exploitability.

    python examples/train_hidden.py
    python examples/train_hidden.py --game liars_dice --steps 4000000

It plays all seats of many games at once (a Gymnasium VectorEnv of compiled games). The players do
not see the same, so what one can expect must not be taken from what the other expects: every player
has transitions of its own, from one of its turns to the next or to the end of the game. Otherwise
this is PPO (Schulman et al., 2017), with a bonus for entropy that shrinks as it learns; tuned like
that it is as good as methods made for such games (Rudolph et al., Reevaluating Policy Gradient
Methods for Imperfect-Information Games, 2025).

policy.safetensors in --out plays as ``policy(path=..., temperature=1)``; log.jsonl and curve.png
show how the exploitability falls; the same command goes on where it was stopped, with new games.
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
    ExploitabilityEvaluation,
    TrainingRun,
    bounded,
    draw_exploitability_curve,
    run_command,
    training_options,
)
from agents.networks.pytorch import save_torch

GAMES: dict[str, tuple[str, dict[str, Any]]] = {
    "kuhn": ("kuhn", {}),
    "leduc": ("leduc", {}),
    "phantom_tic_tac_toe": ("phantom_tic_tac_toe", {}),
    "abrupt_phantom_tic_tac_toe": ("phantom_tic_tac_toe", {"abrupt": True}),
    "dark_hex": ("dark_hex", {}),
    "abrupt_dark_hex": ("dark_hex", {"abrupt": True}),
    "liars_dice": ("liars_dice", {"dice": 2, "sides": 5}),
}
"""Two small games and, from the third on, the five of the paper, with their parameters."""
ENVS = 256


class Network(nn.Module):
    """Maps an observation to logits of the actions, -inf where one is illegal, and a value."""

    def __init__(self, start: Position, width: int) -> None:
        super().__init__()
        inputs = int(np.prod(start.observation_shape))
        layers = [nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()]
        self.trunk = nn.Sequential(nn.Flatten(), *layers)
        self.policy, self.value = nn.Linear(width, start.num_actions), nn.Linear(width, 1)
        nn.init.zeros_(self.policy.weight)
        nn.init.zeros_(self.policy.bias)  # begin with every legal action as likely as the others

    def forward(self, seen: torch.Tensor, legal: torch.Tensor) -> tuple[Any, Any]:
        """Returns logits (n, actions) and values (n,)."""
        x = self.trunk(seen.float())
        return self.policy(x).masked_fill(~legal, -torch.inf), self.value(x).squeeze(1)

    @torch.no_grad()
    def probabilities(self, seen: Any, legal: Any) -> Any:
        """Returns the policy at information sets, as arrays."""
        return self(torch.from_numpy(seen), torch.from_numpy(legal))[0].softmax(1).numpy()

    def save(self, path: Any, start: Position, script: str) -> None:
        """Writes it as an agent that needs no PyTorch; ``script`` is what trained it."""
        layers = {"trunk": self.trunk, "policy": self.policy}
        save_torch(path, start, **layers, channels_first=False, card={"trained by": script})


class SelfPlay:
    """Plays many games at once, all their seats played by the learner."""

    def __init__(self, game: str, seed: int) -> None:
        name, parameters = GAMES[game]
        self.envs: Any = gymnasium.make_vec(
            registry.gymnasium_id(name), ENVS, "vector_entry_point",
            opponent="self", autoreset_mode=AutoresetMode.SAME_STEP, **parameters,
        )  # fmt: skip
        self._look(*self.envs.reset(seed=seed))

    def _look(self, seen: Any, info: Any) -> None:
        self.seen, self.legal = torch.from_numpy(seen), torch.from_numpy(info["action_mask"] != 0)
        self.to_move = torch.from_numpy(info["to_move"])

    def step(self, action: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Plays a move in every game: which games ended (n,), and utilities (n, players)."""
        seen, _, over, _, info = self.envs.step(action.numpy())
        self._look(seen, info)
        return torch.from_numpy(over), torch.from_numpy(info["utilities"])


class Learner:
    """Learns in self-play; ``sign`` -1 is a wrong sign, a bug. ``network`` is what is graded."""

    NAME, ROLLOUT, WIDTH, RATE = "", 32, 128, 1e-3
    PARTS: tuple[str, ...] = ("network", "optimizer")
    """Its attributes that have a state."""

    def __init__(self, start: Position, games: SelfPlay, sign: float = 1) -> None:
        self.games, self.players = games, start.num_players
        self.scale = sign if start.max_utility == 1 else 0.2 * sign  # of utilities
        self.network = Network(start, self.WIDTH)
        self.optimizer = torch.optim.Adam(self.network.parameters(), self.RATE, eps=1e-5)

    def state(self) -> dict[str, Any]:
        """Returns what a run that goes on needs."""
        return {part: getattr(self, part).state_dict() for part in self.PARTS}

    def load_state(self, state: dict[str, Any]) -> None:
        """Goes on from there."""
        for part in self.PARTS:
            getattr(self, part).load_state_dict(state[part])

    def learn(self, left: float) -> dict[str, float]:
        """Plays a rollout and learns from it; ``left`` is the share of the run that is left."""
        raise NotImplementedError

    def descend(self, loss: Any) -> None:
        """Makes a step of gradient descent; each network's gradient is cut to a length of 0.5."""
        self.optimizer.zero_grad()
        loss.backward()
        for group in self.optimizer.param_groups:
            nn.utils.clip_grad_norm_(group["params"], 0.5)
        self.optimizer.step()


class PPO(Learner):
    """Learns by proximal policy optimisation."""

    NAME = "PPO"
    EPOCHS, MINIBATCHES = 4, 4
    LAMBDA, CLIP, VALUE = 0.95, 0.2, 0.5
    ENTROPY, LEAST = 0.3, 0.1  # the weight of the entropy, at first and in the end

    def learn(self, left: float) -> dict[str, float]:
        """Makes epochs of clipped steps with what a rollout brought."""
        games, rollout = self.games, []
        for _ in range(self.ROLLOUT):
            seen, legal, player = games.seen, games.legal, games.to_move
            with torch.no_grad():
                logits, value = self.network(seen, legal)
            action = Categorical(logits=logits).sample()
            over, utilities = games.step(action)
            got = action, logits.log_softmax(1), value, player, over, utilities
            rollout.append((seen, legal, *got))
        self.optimizer.param_groups[0]["lr"] = self.RATE * left
        stacked = [torch.stack(each) for each in zip(*rollout, strict=True)]
        return {"entropy": self.improve(stacked, max(self.ENTROPY * left, self.LEAST))}

    def advantages(self, value: Any, player: Any, over: Any, utilities: Any) -> Any:
        """Returns GAE along each player's own turns, and where it is known: (time, games) each."""
        games, rows = value.shape[1], torch.arange(value.shape[1])
        ahead, running = torch.zeros(2, games, self.players)
        known = torch.zeros(games, self.players, dtype=torch.bool)
        advantage, valid = torch.zeros_like(value), torch.zeros_like(value, dtype=torch.bool)
        for t in reversed(range(len(value))):
            ended = over[t]
            ahead[ended] = self.scale * utilities[t][ended]
            running[ended], known[ended] = 0.0, True
            own = rows, player[t]
            advantage[t] = ahead[own] - value[t] + self.LAMBDA * running[own]
            valid[t] = known[own]
            running[own], ahead[own] = advantage[t], value[t]
        return advantage, valid

    def improve(self, rollout: Any, bonus: float) -> float:
        """Makes epochs of clipped steps on shuffled minibatches; returns the entropy."""
        seen, legal, action, before, value, player, over, utilities = rollout
        advantage, valid = self.advantages(value, player, over, utilities)
        wanted = seen, legal, action, before, advantage, advantage + value
        batch = [x.flatten(0, 1)[valid.flatten()] for x in wanted]
        entropy = 0.0
        for _ in range(self.EPOCHS):
            for rows in torch.randperm(len(batch[0])).chunk(self.MINIBATCHES):
                seen_, legal_, action_, before_, gain, target = (x[rows] for x in batch)
                logits, value_ = self.network(seen_, legal_)
                now, gain = logits.log_softmax(1), gain / (gain.std() + 1e-8)
                wrong = (value_ - target).square().mean()
                uncertain = Categorical(logits=logits).entropy().mean()
                lost = self.policy_loss(now, before_, action_, gain)
                self.descend(self.VALUE * wrong + lost - bonus * uncertain)
                entropy = uncertain.item()
        return entropy

    def policy_loss(self, now: Any, before: Any, action: Any, gain: Any) -> Any:
        """Returns minus the gain of a step, from log-probabilities (n, actions) after and before.

        No gain is seen beyond the clipped ratio.
        """
        ratio = ratio_of(now, before, action)
        return -torch.min(ratio * gain, ratio.clamp(1 - self.CLIP, 1 + self.CLIP) * gain).mean()


def ratio_of(now: Any, before: Any, action: Any) -> Any:
    """Returns how much likelier each ``action`` (n,) is now than before."""
    chosen = action.unsqueeze(1)
    return (now.gather(1, chosen) - before.gather(1, chosen)).squeeze(1).exp()


def train(learner: type[Learner], description: str | None, name: str) -> None:
    """Trains as the command line says, in ``train_{name}.py``; exploitability tells how it goes."""
    read = training_options(description or "", name, 3_000_000)
    read.add_argument("--game", default="leduc", choices=GAMES)
    read.add_argument("--threads", type=bounded(int, 1), default=1, help="of PyTorch (1)")
    options = read.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    game, parameters = GAMES[options.game]
    start = start_position(game, **parameters)
    kind = f"{learner.NAME}, {start!r}, seed {options.seed}"
    run = TrainingRun(
        options.out, kind, ExploitabilityEvaluation(start), options.steps, options.every,
        draw=draw_exploitability_curve,
    )  # fmt: skip
    made = learner(start, SelfPlay(options.game, options.seed))
    if state := run.restore():
        made.load_state(state)

    def saved() -> dict[str, Any]:
        made.network.save(options.out / "policy.safetensors", start, f"examples/train_{name}.py")
        return made.state()

    while run.continues(made.network.probabilities, saved):
        run.advance(made.ROLLOUT * ENVS, **made.learn(max(1 - run.steps / options.steps, 0.01)))


def main() -> None:
    """Trains PPO."""
    train(PPO, __doc__, "hidden")


if __name__ == "__main__":
    run_command(main)
