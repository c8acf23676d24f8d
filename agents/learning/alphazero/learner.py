"""AlphaZero: self-play and learning, one after the other or at the same time."""

from __future__ import annotations

import copy
import json
import math
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from adv_envs import Position

from .actors import Actors, RayCluster, make_actors
from .batch_evaluator import keep_freed_memory
from .encoding import Encoder
from .replay import Replay
from .residual_network import (
    Network,
    as_tensor,
    load_network,
    random_words,
    require_device,
    save_network,
    takes_bfloat16,
)
from .self_play import SelfPlayCounts
from .settings import AlphaZeroSettings, require_learnable


class AlphaZero:
    """A learner of the game of ``start`` from nothing but self-play.

    A hundred iterations, and a policy that every command plays::

        learner = AlphaZero(ConnectFour(), AlphaZeroSettings(simulations=32))
        for _ in range(100):
            print(learner.iterate())
        learner.save("policy.safetensors")  # plays as policy(path="policy.safetensors")

    In an iteration the actors play ``plies_per_iteration`` moves in all games, with the weights of
    the iteration before, while the network learns from what they played before that; so the results
    are the same whether they run at the same time or not. ``begin_with`` is a policy, a file or the
    name of a shipped one, whose weights the network begins with; residual blocks and channels that
    it lacks change nothing at first. ``ray`` is the address of a Ray cluster.

    ValueError for games that AlphaZero cannot learn: it takes two players, no chance, and nothing
    hidden; and for a device that is not there. CheckpointError for a policy of another game or
    shape. ActorError if the cluster cannot be used, and if self-play fails.
    """

    def __init__(
        self,
        start: Position,
        settings: AlphaZeroSettings | None = None,
        *,
        begin_with: str | None = None,
        ray: str | None = None,
    ) -> None:
        require_learnable(start)
        self.settings = settings = settings or AlphaZeroSettings()
        require_device(settings.device)
        keep_freed_memory()
        self.encoder = Encoder(start, settings.features)
        torch.manual_seed(settings.seed)
        self.network = Network(self.encoder, settings).to(
            settings.device, memory_format=torch.channels_last
        )
        if begin_with is not None:
            words = random_words(self.encoder.start, 2048, settings.seed)
            load_network(begin_with, self.network, self.encoder, settings, words)
        self.mixed = takes_bfloat16(settings)
        # the moving average of the weights plays: it is steadier, and stronger, than the last ones
        self.average = copy.deepcopy(self.network).eval()
        self.optimiser = torch.optim.AdamW(
            self.network.parameters(), settings.learning_rate, weight_decay=settings.weight_decay
        )
        self.replay = Replay(self.encoder, settings.window)
        self.rng = np.random.default_rng([settings.seed, 2**31])
        self.counts, self.iterations, self.steps = SelfPlayCounts(), 0, 0
        self.due = 0.0  # steps of learning that the samples so far are good for
        self.states: list[bytes | None] = [None] * max(settings.workers, 1)
        self.sent = self._weights()  # with which the actors play
        self._actors: Actors | None = None
        self._ray, self._cluster = ray, self._connect(ray)

    def iterate(self, done: float = 0.0) -> dict[str, float]:
        """Makes one iteration; returns what was counted and the losses, by name.

        ``done`` is the share of the training that is over, from 0 to 1, by which the learning
        rate falls; always 0 where the end is not known.
        """
        began = time.perf_counter()
        if self._actors is None:
            self._actors = self._begin_actors()
        played = self._actors.finish()
        self.sent = self._weights()
        self._actors.begin(self.sent)
        counts = SelfPlayCounts()
        for each in played:
            self.replay.add(each.samples)
            counts += each.counts
        self.states = [each.state for each in played]
        self.counts += counts
        new = sum(len(each.samples.values) for each in played)
        losses = self._learn(new, done)
        self.iterations += 1
        seconds = time.perf_counter() - began
        return {
            **losses,
            "games": self.counts.games,
            "positions": self.replay.added,
            "games_per_second": counts.games / seconds,
            "positions_per_second": counts.moves / seconds,
            "evaluations_per_second": counts.evaluations / seconds,
            **self._resignations(),
        }

    def _begin_actors(self) -> Actors:
        """Begins the actors where they were stopped, again on the cluster if there was one."""
        self._cluster = self._cluster or self._connect(self._ray)
        actors = make_actors(self.encoder.start, self.settings, self.states, self._cluster)
        actors.begin(self.sent)
        return actors

    def _connect(self, ray: str | None) -> RayCluster | None:
        return None if ray is None else RayCluster(ray, len(self.states))

    def _resignations(self) -> dict[str, float]:
        """Returns the share of control games in which it would have been wrong to resign."""
        if not self.counts.controls:
            return {}
        return {"wrong_resignations": self.counts.wrong / self.counts.controls}

    # ---- learning

    def _learn(self, new: int, done: float) -> dict[str, float]:
        """Makes as many steps as ``new`` samples are good for; returns the mean losses."""
        settings = self.settings
        self.due += new * settings.reuse / settings.batch_size
        steps = int(self.due) if self.replay.added >= settings.batch_size else 0
        self.due -= steps
        window = max(int(settings.window_share * self.replay.added), 20 * settings.batch_size)
        return self.learn(steps, window, done)

    def learn(self, steps: int, window: int, done: float = 0.0) -> dict[str, float]:
        """Makes ``steps`` steps of gradient descent; returns the mean losses by name.

        Samples are drawn from the latest ``window`` of ``replay``, to which others than those of
        self-play may be added; ``done`` is as for ``iterate``. Without steps nothing is returned.
        """
        losses = []
        for group in self.optimiser.param_groups:
            group["lr"] = self._learning_rate(done)
        self.network.train()
        for _ in range(steps):
            losses.append(self._step(window))
        if not losses:
            return {}
        policy_loss, value_loss = np.mean(losses, 0)
        return {"policy_loss": float(policy_loss), "value_loss": float(value_loss)}

    def _learning_rate(self, done: float) -> float:
        """Returns the learning rate: a short rise, then half a cosine."""
        rise = min(1.0, (self.steps + 1) / 100)
        least = self.settings.final_learning_rate_fraction
        fall = least + (1 - least) * (1 + math.cos(math.pi * done)) / 2
        return self.settings.learning_rate * rise * fall

    def _step(self, window: int) -> tuple[float, float]:
        """Makes one step of gradient descent; returns the losses of policy and value."""
        arrays = self.replay.batch(self.settings.batch_size, window, self.rng)
        device = self.settings.device
        inputs = as_tensor(arrays[0], device)
        policies, weights, values = (torch.from_numpy(each).to(device) for each in arrays[1:])
        with torch.autocast(inputs.device.type, torch.bfloat16, enabled=self.mixed):
            outputs = self.network(inputs)
        logits, expected = (each.float() for each in outputs)
        crossed = functional.cross_entropy(logits, policies, reduction="none")
        policy_loss = (crossed * weights).sum() / weights.sum().clamp(min=1)
        value_loss = functional.mse_loss(expected, values)
        self.optimiser.zero_grad()
        (policy_loss + value_loss).backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 5.0)
        self.optimiser.step()
        self.steps += 1
        self._update_average()
        return float(policy_loss.detach()), float(value_loss.detach())

    def _update_average(self) -> None:
        """Moves the average a little towards the weights, further while there were few steps."""
        decay = min(self.settings.ema_decay, self.steps / (self.steps + 10))
        with torch.no_grad():
            old, new = self.average.state_dict(), self.network.state_dict()
            for name, tensor in old.items():
                if tensor.is_floating_point():
                    tensor.lerp_(new[name], 1 - decay)
                else:
                    tensor.copy_(new[name])

    # ---- files

    def _weights(self) -> dict[str, Any]:
        """Returns a copy of the averaged weights, on the CPU."""
        return {k: v.detach().cpu().clone() for k, v in self.average.state_dict().items()}

    def save(self, path: str | Path, card: dict[str, Any] | None = None) -> None:
        """Writes the policy, which plays without PyTorch; ``card`` says how it came to be."""
        save_network(Path(path), self.average, self.encoder, card or {})

    def state(self) -> dict[str, Any]:
        """Returns everything to go on from, as ``torch.save`` takes it."""
        return {
            "network": self.network.state_dict(),
            "average": self.average.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "replay": self.replay.state(),
            "rng": json.dumps(self.rng.bit_generator.state),
            "counts": dict(vars(self.counts)),
            "numbers": [self.iterations, self.steps, self.due],
            "sent": self.sent,
            "actors": self.states,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Goes on from what ``state`` returned; ValueError for another number of actors."""
        if len(state["actors"]) != len(self.states):
            raise ValueError(
                f"this run has {len(state['actors'])} self-play processes, not {len(self.states)}"
            )
        self._end_actors()
        self.network.load_state_dict(state["network"])
        self.average.load_state_dict(state["average"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.replay.restore(state["replay"])
        self.rng.bit_generator.state = json.loads(state["rng"])
        self.counts = SelfPlayCounts(**state["counts"])
        self.iterations, self.steps, self.due = state["numbers"]
        self.sent, self.states = state["sent"], list(state["actors"])

    def close(self) -> None:
        """Ends the actors, and the connection to a cluster; ``iterate`` begins them again."""
        self._end_actors()
        if self._cluster is not None:
            self._cluster.close()
            self._cluster = None

    def _end_actors(self) -> None:
        if self._actors is not None:
            self._actors.close()
            self._actors = None

    def __enter__(self) -> AlphaZero:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
