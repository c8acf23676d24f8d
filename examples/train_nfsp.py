"""Trains neural fictitious self-play: an average of best responses, graded exactly.

    python examples/train_nfsp.py
    python examples/train_nfsp.py --game liars_dice --steps 4000000

Neural fictitious self-play (J. Heinrich and D. Silver, Deep Reinforcement Learning from
Self-Play in Imperfect-Information Games, 2016, arXiv 1603.01121) has two networks. One learns a
best response to what is played, by DQN from a circular memory of turns. The other learns what that
response chose in all of the past, from a memory that is an even sample of it: the average policy,
which approaches an equilibrium as in fictitious play, and which is graded and saved. In each game
each player follows the best response with probability ANTICIPATORY and else the average policy.
Games, networks and grades are those of train_hidden.py; here too one network serves both seats.
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import nn
from torch.distributions import Categorical
from train_hidden import ENVS, Learner, Network, SelfPlay, train

from adv_envs import Position
from agents.learning import run_command


class Circular:
    """Remembers the last ``capacity`` rows of several tensors."""

    def __init__(self, capacity: int) -> None:
        self.capacity, self.seen = capacity, 0
        self.fields: list[torch.Tensor] = []

    def __len__(self) -> int:
        """Returns how many rows there are."""
        return min(self.seen, self.capacity)

    def slots(self, number: int) -> torch.Tensor:
        """Returns where ``number`` new rows go; those from ``capacity`` on are forgotten."""
        return torch.arange(self.seen, self.seen + number) % self.capacity

    def add(self, *rows: torch.Tensor) -> None:
        """Remembers rows, the same number of each field."""
        if not self.fields:
            self._allocate(rows)
        slots = self.slots(len(rows[0])).numpy()
        kept = slots < self.capacity
        for field, row in zip(self.fields, rows, strict=True):
            field.numpy()[slots[kept]] = row.numpy()[kept]  # of equal slots the last one stays
        self.seen += len(slots)

    def _allocate(self, rows: Sequence[torch.Tensor]) -> None:
        self.fields = [row.new_zeros(self.capacity, *row.shape[1:]) for row in rows]

    def sample(self, number: int) -> list[torch.Tensor]:
        """Returns rows drawn with equal chances."""
        rows = torch.randint(len(self), (number,))
        return [field[rows] for field in self.fields]

    def state_dict(self) -> dict[str, Any]:
        """Returns what has been remembered."""
        return {"seen": self.seen, "fields": [field[: len(self)].clone() for field in self.fields]}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Remembers that instead."""
        self.seen = state["seen"]
        self._allocate(state["fields"])
        for field, rows in zip(self.fields, state["fields"], strict=True):
            field[: len(rows)] = rows


class Reservoir(Circular):
    """Remembers an even sample of all rows, by reservoir sampling (J. S. Vitter, 1985)."""

    def slots(self, number: int) -> torch.Tensor:
        """Returns any place for the n-th row, of n; the first ones stay where they come."""
        at = torch.arange(self.seen, self.seen + number)
        drawn = (torch.rand(number, dtype=torch.float64) * (at + 1)).long()
        return torch.where(at < self.capacity, at, drawn)


class NFSP(Learner):
    """Learns a best response, and the average of all best responses so far."""

    NAME = "NFSP"
    PARTS = (*Learner.PARTS, "best", "target", "turns", "choices")
    ANTICIPATORY, EXPLORE = 0.1, 0.06
    TURNS, CHOICES = 200_000, 1_000_000  # what the memories hold
    BATCH, REFRESH = 256, 300  # steps between copies to the target network

    def __init__(self, start: Position, games: SelfPlay, sign: float = 1) -> None:
        super().__init__(start, games, sign)
        self.best, self.target = (Network(start, self.WIDTH) for _ in range(2))  # values of actions
        self.target.load_state_dict(self.best.state_dict())
        self.optimizer.add_param_group({"params": self.best.parameters()})
        self.turns, self.choices = Circular(self.TURNS), Reservoir(self.CHOICES)
        self.steps = 0
        shape = ENVS, self.players
        self.responds = torch.rand(shape) < self.ANTICIPATORY  # rather than plays the average
        self.waits = torch.zeros(shape, dtype=torch.bool)  # for what comes of its last turn
        self.last_seen = games.seen.new_zeros(*shape, *start.observation_shape)
        self.last_action = torch.zeros(shape, dtype=torch.long)

    def learn(self, left: float) -> dict[str, float]:
        """Makes steps of gradient descent between the moves."""
        for group in self.optimizer.param_groups:
            group["lr"] = self.RATE * left
        wrong = unlike = 0.0
        for _ in range(self.ROLLOUT):
            self.play(self.EXPLORE * left**0.5)
            if len(self.choices) >= self.BATCH:
                wrong, unlike = self.improve()
        return {"squared error": wrong, "cross-entropy": unlike}

    @torch.no_grad()
    def play(self, explore: float) -> None:
        """Plays a move in every game and remembers what is known now."""
        games, own = self.games, (torch.arange(ENVS), self.games.to_move)
        seen, legal = games.seen, games.legal
        self.remember(own, self.waits[own], torch.zeros(ENVS))
        responds = self.responds[own]
        action = Categorical(self.behaviour(seen, legal, responds, explore)).sample()
        self.choices.add(seen[responds], legal[responds], action[responds])
        self.last_seen[own], self.last_action[own], self.waits[own] = seen, action, True
        over, utilities = games.step(action)
        for player in range(self.players):
            own = torch.arange(ENVS), torch.full((ENVS,), player)
            ended = over & self.waits[own]
            self.remember(own, ended, self.scale * utilities[:, player], ended=True)
        self.waits[over] = False
        self.responds[over] = torch.rand(int(over.sum()), self.players) < self.ANTICIPATORY

    def remember(self, own: Any, rows: Any, reward: Any, ended: bool = False) -> None:
        """Remembers the last turns of players ``own``, in some rows, and what came of them."""
        games, over = self.games, torch.full((ENVS,), ended)
        turn = self.last_seen[own], self.last_action[own], reward, games.seen, games.legal, over
        self.turns.add(*(field[rows] for field in turn))

    def behaviour(self, seen: Any, legal: Any, responds: Any, explore: float) -> Any:
        """Returns the probabilities of actions (n, actions): of best response or of average."""
        average = self.network(seen, legal)[0].softmax(1)
        values = self.best(seen, legal)[0]
        greedy = nn.functional.one_hot(values.argmax(1), values.shape[1])
        explored = (1 - explore) * greedy + explore * legal / legal.sum(1, keepdim=True)
        return torch.where(responds.unsqueeze(1), explored, average)

    def improve(self) -> tuple[float, float]:
        """Makes a step of both networks; returns their losses."""
        wrong, unlike = self.wrong(*self.turns.sample(self.BATCH)), self.unlike()
        self.descend(wrong + unlike)
        self.steps += 1
        if self.steps % self.REFRESH == 0:
            self.target.load_state_dict(self.best.state_dict())
        return wrong.item(), unlike.item()

    def wrong(self, seen: Any, action: Any, reward: Any, then: Any, legal: Any, over: Any) -> Any:
        """Returns the mean squared error of the values of actions taken."""
        with torch.no_grad():
            target = torch.where(over, reward, self.target(then, legal)[0].amax(1))
        found = self.best(seen, torch.ones_like(legal))[0].gather(1, action.unsqueeze(1))
        return (found.squeeze(1) - target).square().mean()

    def unlike(self) -> Any:
        """Returns the mean cross-entropy of what the best responses chose."""
        seen, legal, action = self.choices.sample(self.BATCH)
        return nn.functional.cross_entropy(self.network(seen, legal)[0], action)


def main() -> None:
    """Trains NFSP."""
    train(NFSP, __doc__, "nfsp")


if __name__ == "__main__":
    run_command(main)
