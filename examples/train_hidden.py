"""PPO and NFSP in one file learn Leduc hold'em from themselves, graded by exact exploitability.

    python examples/train_hidden.py --method ppo
    python examples/train_hidden.py --method nfsp --steps 6000000

Both play all seats of many games at once (a Gymnasium VectorEnv of compiled games). The players do
not see the same, so what one can expect must not be taken from what the other expects: every player
has transitions of its own, from one of its turns to the next or to the end of the game.

PPO (Schulman et al., 2017) plays against itself, with a bonus for entropy that shrinks as it
learns; Rudolph et al. (2025) found it as good as methods made for such games. NFSP (Heinrich and
Silver, 2016) learns a best response by DQN and, from what that plays, an average policy, which is
what is graded.

policy.safetensors in --out plays as ``policy(path=..., temperature=1)``; log.jsonl and curve.png
show how the exploitability falls; the same command goes on where it was stopped.
"""

from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium.vector import AutoresetMode
from torch import nn
from torch.distributions import Categorical
from torch.nn.functional import cross_entropy, huber_loss

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

GAMES = "kuhn", "leduc"
ENVS = 256


class Network(nn.Module):
    """Numbers for the actions, -inf where one is illegal, and perhaps a value."""

    def __init__(self, start: Position, width: int = 128, value: bool = False) -> None:
        super().__init__()
        inputs = int(np.prod(start.observation_shape))
        layers = [nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()]
        self.trunk = nn.Sequential(nn.Flatten(), *layers)
        self.policy = nn.Linear(width, start.num_actions)
        self.value = nn.Linear(width, 1) if value else None
        nn.init.zeros_(self.policy.weight)
        nn.init.zeros_(self.policy.bias)  # begin with every legal action as likely as the others

    def forward(self, seen: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
        """Numbers (n, actions)."""
        return self.policy(self.trunk(seen.float())).masked_fill(~legal, -torch.inf)

    def both(self, seen: torch.Tensor, legal: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Numbers (n, actions) and values (n,)."""
        assert self.value is not None
        x = self.trunk(seen.float())
        numbers = self.policy(x).masked_fill(~legal, -torch.inf)
        return numbers, self.value(x).squeeze(1)

    @torch.no_grad()
    def probabilities(self, seen: Any, legal: Any) -> Any:
        """The policy at information sets, as arrays."""
        return self(torch.from_numpy(seen), torch.from_numpy(legal)).softmax(1).numpy()

    def save(self, path: Any, start: Position) -> None:
        """Write it as an agent that needs no PyTorch."""
        card = {"trained by": "examples/train_hidden.py"}
        save_torch(path, start, trunk=self.trunk, policy=self.policy, card=card)


class SelfPlay:
    """Many games, of which each learner plays all seats."""

    def __init__(self, game: str, seed: int) -> None:
        self.envs: Any = gymnasium.make_vec(
            registry.gymnasium_id(game), ENVS, "vector_entry_point",
            opponent="self", autoreset_mode=AutoresetMode.SAME_STEP,
        )  # fmt: skip
        self._look(*self.envs.reset(seed=seed))

    def _look(self, seen: Any, info: Any) -> None:
        self.seen, self.legal = torch.from_numpy(seen), torch.from_numpy(info["action_mask"] != 0)
        self.to_move = torch.from_numpy(info["to_move"])

    def step(self, action: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Play a move in every game: which games ended (n,), and utilities (n, players)."""
        seen, _, over, _, info = self.envs.step(action.numpy())
        self._look(seen, info)
        return torch.from_numpy(over), torch.from_numpy(info["utilities"])


class PPO:
    """Proximal policy optimisation in self-play; ``sign`` -1 is the error of a wrong sign."""

    ROLLOUT, EPOCHS, MINIBATCHES = 32, 4, 4
    RATE, LAMBDA, CLIP, VALUE, SCALE = 1e-3, 0.95, 0.2, 0.5, 0.2
    ENTROPY, LEAST = 0.3, 0.1  # the weight of the entropy, at first and in the end

    def __init__(self, start: Position, games: SelfPlay, sign: float = 1) -> None:
        self.games, self.sign = games, sign
        self.network = self.answer = Network(start, value=True)
        self.optimizer = torch.optim.Adam(self.network.parameters(), self.RATE, eps=1e-5)
        self.players = start.num_players

    def state(self) -> dict[str, Any]:
        """What a run that goes on needs."""
        return {"network": self.network.state_dict(), "optimizer": self.optimizer.state_dict()}

    def load_state(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])

    def learn(self, left: float) -> dict[str, float]:
        """Play a rollout and learn from it; ``left`` is the share of the run that is left."""
        games, rollout = self.games, []
        for _ in range(self.ROLLOUT):
            seen, legal, player = games.seen, games.legal, games.to_move
            with torch.no_grad():
                numbers, value = self.network.both(seen, legal)
            drawn = Categorical(logits=numbers)
            action = drawn.sample()
            over, utilities = games.step(action)
            got = action, drawn.log_prob(action), value, player, over, utilities
            rollout.append((seen, legal, *got))
        self.optimizer.param_groups[0]["lr"] = self.RATE * left
        stacked = [torch.stack(each) for each in zip(*rollout, strict=True)]
        return {"entropy": self.improve(stacked, max(self.ENTROPY * left, self.LEAST))}

    def advantages(self, value: Any, player: Any, over: Any, utilities: Any) -> Any:
        """GAE along each player's own turns, and where it is known: (time, games) each."""
        games, rows = value.shape[1], torch.arange(value.shape[1])
        ahead, running = torch.zeros(2, games, self.players)
        known = torch.zeros(games, self.players, dtype=torch.bool)
        advantage, valid = torch.zeros_like(value), torch.zeros_like(value, dtype=torch.bool)
        for t in reversed(range(len(value))):
            ended = over[t]
            ahead[ended] = self.sign * self.SCALE * utilities[t][ended]
            running[ended], known[ended] = 0.0, True
            own = rows, player[t]
            advantage[t] = ahead[own] - value[t] + self.LAMBDA * running[own]
            valid[t] = known[own]
            running[own], ahead[own] = advantage[t], value[t]
        return advantage, valid

    def improve(self, rollout: Any, bonus: float) -> float:
        """Epochs of clipped steps on shuffled minibatches; returns the entropy."""
        seen, legal, action, before, value, player, over, utilities = rollout
        advantage, valid = self.advantages(value, player, over, utilities)
        wanted = seen, legal, action, before, advantage, advantage + value
        batch = [x.flatten(0, 1)[valid.flatten()] for x in wanted]
        entropy = 0.0
        for _ in range(self.EPOCHS):
            for rows in torch.randperm(len(batch[0])).chunk(self.MINIBATCHES):
                seen_, legal_, action_, before_, gain, target = (x[rows] for x in batch)
                numbers, value_ = self.network.both(seen_, legal_)
                drawn = Categorical(logits=numbers)
                ratio = (drawn.log_prob(action_) - before_).exp()
                gain = gain / (gain.std() + 1e-8)
                clipped = torch.min(ratio * gain, ratio.clamp(1 - self.CLIP, 1 + self.CLIP) * gain)
                wrong = (value_ - target).square().mean()
                uncertain = drawn.entropy().mean()
                loss = self.VALUE * wrong - clipped.mean() - bonus * uncertain
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.network.parameters(), 0.5)
                self.optimizer.step()
                entropy = uncertain.item()
        return entropy


class Memory:
    """Rows of some tensors, the latest ones or, as a reservoir, an even sample of all."""

    def __init__(self, capacity: int, reservoir: bool = False) -> None:
        self.capacity, self.reservoir, self.number = capacity, reservoir, 0
        self.columns: list[torch.Tensor] = []

    def add(self, *rows: torch.Tensor) -> None:
        """Add rows; the columns are those of the first call."""
        if not self.columns:
            shapes = [(self.capacity, *row.shape[1:]) for row in rows]
            self.columns = [
                torch.zeros(s, dtype=r.dtype) for s, r in zip(shapes, rows, strict=True)
            ]
        count = torch.arange(self.number, self.number + len(rows[0]))
        at = count % self.capacity
        if self.reservoir:  # the i-th row comes in with probability capacity / i
            drawn = (torch.rand(len(at)) * (count + 1)).long()
            at = torch.where(count < self.capacity, count, drawn)
        kept = at < self.capacity
        for column, row in zip(self.columns, rows, strict=True):
            column[at[kept]] = row[kept]
        self.number += len(at)

    def draw(self, size: int) -> list[torch.Tensor]:
        """Draw rows at random."""
        rows = torch.randint(min(self.number, self.capacity), (size,))
        return [column[rows] for column in self.columns]


class NFSP:
    """Neural fictitious self-play; ``sign`` -1 is the error of a wrong sign."""

    ANTICIPATE, RATE, AVERAGE_RATE, BATCH, UPDATES, RENEW, SCALE = 0.1, 1e-3, 1e-3, 512, 2, 300, 0.2

    def __init__(self, start: Position, games: SelfPlay, sign: float = 1) -> None:
        self.games, self.sign, self.updates = games, sign, 0
        self.values, self.target = Network(start), Network(start)  # Q and an older Q
        self.answer = Network(start)  # the average policy
        self.target.load_state_dict(self.values.state_dict())
        self.optimizer = torch.optim.Adam(self.values.parameters(), self.RATE)
        self.average_optimizer = torch.optim.Adam(self.answer.parameters(), self.AVERAGE_RATE)
        self.transitions, self.played = Memory(200_000), Memory(1_000_000, reservoir=True)
        shape = ENVS, start.num_players
        self.best = torch.rand(shape) < self.ANTICIPATE  # who plays the best response
        self.waiting = torch.zeros(shape, dtype=torch.bool)  # whose last turn has no outcome yet
        self.last_seen = torch.zeros(*shape, *games.seen.shape[1:], dtype=games.seen.dtype)
        self.last_action = torch.zeros(shape, dtype=torch.int64)

    def parts(self) -> dict[str, Any]:
        """The networks and optimisers."""
        names = "values", "target", "answer", "optimizer", "average_optimizer"
        return {name: getattr(self, name) for name in names}

    def state(self) -> dict[str, Any]:
        """What a run that goes on needs; the memories as they are."""
        memories = {n: (m.number, m.columns) for n, m in self.memories().items()}
        return {n: p.state_dict() for n, p in self.parts().items()} | {"memories": memories}

    def memories(self) -> dict[str, Memory]:
        """The two memories by name."""
        return {"transitions": self.transitions, "played": self.played}

    def load_state(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        for name, part in self.parts().items():
            part.load_state_dict(state[name])
        for name, memory in self.memories().items():
            memory.number, memory.columns = state["memories"][name]

    def learn(self, left: float) -> dict[str, float]:
        """Play some moves in every game, then some steps of both networks."""
        for _ in range(4):
            self.play(explore=0.06 * left)
        if self.played.number < self.BATCH:
            return {}
        for _ in range(self.UPDATES):
            wrong, surprise = self.improve()
        return {"wrong": wrong, "surprise": surprise}

    @torch.no_grad()
    def play(self, explore: float) -> None:
        """A move in every game, into the memories."""
        games, rows = self.games, torch.arange(ENVS)
        seen, legal, own = games.seen, games.legal, (rows, games.to_move)
        self.remember(own, self.waiting[own], seen, legal, torch.zeros(ENVS), False)
        greedy, best = self.values(seen, legal).argmax(1), self.best[own]
        wild = torch.rand(ENVS) < explore
        response = torch.where(wild, Categorical(legal.float()).sample(), greedy)
        action = torch.where(best, response, Categorical(logits=self.answer(seen, legal)).sample())
        if best.any():
            self.played.add(seen[best], legal[best], action[best])
        self.last_seen[own], self.last_action[own], self.waiting[own] = seen, action, True
        over, utilities = games.step(action)
        for player in range(utilities.shape[1]):
            at, result = (rows, torch.full_like(rows, player)), utilities[:, player]
            ended = over & self.waiting[at]
            self.remember(at, ended, seen, legal, self.sign * self.SCALE * result, True)
        self.waiting[over] = False
        self.best[over] = torch.rand(int(over.sum()), self.best.shape[1]) < self.ANTICIPATE

    def remember(self, at: Any, which: Any, after: Any, legal: Any, got: Any, over: bool) -> None:
        """Keep the transitions of the players ``at`` to ``after``, where ``which``."""
        if which.any():
            before, action = self.last_seen[at][which], self.last_action[at][which]
            ended = torch.full((len(action),), over)
            self.transitions.add(before, action, got[which], after[which], legal[which], ended)

    def improve(self) -> tuple[float, float]:
        """A step of the best response (double DQN) and one of the average policy; the losses."""
        before, action, got, after, legal, over = self.transitions.draw(self.BATCH)
        with torch.no_grad():
            chosen = self.values(after, legal).argmax(1, keepdim=True)
            target = got + self.target(after, legal).gather(1, chosen).squeeze(1) * ~over
        every = torch.ones(len(action), legal.shape[1], dtype=torch.bool)
        found = self.values(before, every).gather(1, action[:, None]).squeeze(1)
        wrong = huber_loss(found, target)
        seen, allowed, played = self.played.draw(self.BATCH)
        surprise = cross_entropy(self.answer(seen, allowed), played)
        for optimizer, loss in ((self.optimizer, wrong), (self.average_optimizer, surprise)):
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        self.updates += 1
        if self.updates % self.RENEW == 0:
            self.target.load_state_dict(self.values.state_dict())
        return wrong.item(), surprise.item()


METHODS = {"ppo": (PPO, 32 * ENVS), "nfsp": (NFSP, 4 * ENVS)}
"""The learners, and how many steps one call of ``learn`` makes."""


def main() -> None:
    """Train; the exploitability tells how it goes."""
    read = training_options(__doc__, "hidden", 3_000_000)
    read.add_argument("--game", default="leduc", choices=GAMES)
    read.add_argument("--method", default="ppo", choices=METHODS)
    read.add_argument("--threads", type=bounded(int, 1), default=1, help="of PyTorch (1)")
    options = read.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    start = start_position(options.game)
    kind = f"{options.method}, {start!r}, seed {options.seed}"
    evaluation = ExploitabilityEvaluation(start)
    run = TrainingRun(
        options.out, kind, evaluation, options.steps, options.every, draw=draw_exploitability_curve
    )
    method, steps = METHODS[options.method]
    learner: Any = method(start, SelfPlay(options.game, options.seed))
    if state := run.restore():
        learner.load_state(state)

    def saved() -> dict[str, Any]:
        learner.answer.save(options.out / "policy.safetensors", start)
        return learner.state()

    while run.continues(learner.answer.probabilities, saved):
        run.advance(steps, **learner.learn(max(1 - run.steps / options.steps, 0.01)))


if __name__ == "__main__":
    run_command(main)
