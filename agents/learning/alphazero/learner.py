"""Runs AlphaZero: self-play and learning at the same time, and a run of it in a folder."""

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
from adv_envs.position import checked
from agents.learning.periodic_evaluation import evaluation_or_points
from agents.learning.training_run import LearnerEvaluation, TrainingRun, TrainingRunError
from agents.networks.encoding import Encoder
from agents.networks.pytorch import save_torch

from .actors import Actors, RayCluster, make_actors
from .residual_network import (
    Network,
    as_tensor,
    keep_freed_memory,
    load_network,
    random_positions,
    require_device,
    takes_bfloat16,
)
from .self_play import Replay, SelfPlayCounts
from .settings import AlphaZeroSettings, require_learnable


class AlphaZero:
    """Learns the game of ``start`` from nothing but self-play.

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
        start = checked(start, whole=True)
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
            some = random_positions(self.encoder.start, 2048, settings.seed)
            load_network(begin_with, self.network, self.encoder, settings, some)
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
        self._ray = ray
        self._cluster = self._connect()

    def iterate(self, done: float = 0.0) -> dict[str, float]:
        """Makes one iteration; returns what was counted and the losses, by name.

        ``done`` is the share of the training that is over, from 0 to 1, by which the learning
        rate falls; always 0 where the end is not known.
        """
        began, settings = time.perf_counter(), self.settings
        if self._actors is None:
            self._cluster = self._cluster or self._connect()
            self._actors = make_actors(self.encoder.start, settings, self.states, self._cluster)
            self._actors.begin(self.sent)
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
        self.due += new * settings.reuse / settings.batch_size
        steps = int(self.due) if self.replay.added >= settings.batch_size else 0
        self.due -= steps
        window = max(int(settings.window_share * self.replay.added), 20 * settings.batch_size)
        losses = self.learn(steps, window, done)
        self.iterations += 1
        seconds, wrong = time.perf_counter() - began, {}
        if self.counts.controls:  # games in which it would have been wrong to resign
            wrong = {"wrong_resignations": self.counts.wrong / self.counts.controls}
        return {
            **losses,
            "games": self.counts.games,
            "positions": self.replay.added,
            "games_per_second": counts.games / seconds,
            "positions_per_second": counts.moves / seconds,
            "evaluations_per_second": counts.evaluations / seconds,
            **wrong,
        }

    def _connect(self) -> RayCluster | None:
        return None if self._ray is None else RayCluster(self._ray, len(self.states))

    # ---- learning

    def learn(self, steps: int, window: int, done: float = 0.0) -> dict[str, float]:
        """Makes ``steps`` steps of gradient descent; returns the mean losses by name.

        Samples are drawn from the latest ``window`` of ``replay``, to which others than those of
        self-play may be added; ``done`` is as for ``iterate``. Without steps nothing is returned.
        """
        losses = []
        rise, least = min(1.0, (self.steps + 1) / 100), self.settings.final_learning_rate_fraction
        fall = least + (1 - least) * (1 + math.cos(math.pi * done)) / 2  # half a cosine
        for group in self.optimiser.param_groups:
            group["lr"] = self.settings.learning_rate * rise * fall
        self.network.train()
        for _ in range(steps):
            losses.append(self._step(window))
        if not losses:
            return {}
        policy_loss, value_loss = np.mean(losses, 0)
        return {"policy_loss": float(policy_loss), "value_loss": float(value_loss)}

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
        return {k: v.detach().cpu().clone() for k, v in self.average.state_dict().items()}

    def save(self, path: str | Path, card: dict[str, Any] | None = None) -> None:
        """Writes the policy, which plays without PyTorch; ``card`` says how it came to be."""
        encoder, plain = self.encoder, copy.deepcopy(self.average).eval().cpu()
        sees = {"mirrored": encoder.mirrored, "features": encoder.features is not None}
        save_torch(path, encoder.start, **plain.parts(), player=True, **sees, card=card or {})

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


# ---- a run in a folder

POLICY = "policy.safetensors"


def train_alphazero(
    start: Position,
    folder: Path,
    settings: AlphaZeroSettings | None = None,
    *,
    minutes: float | None = None,
    iterations: int | None = None,
    grade_every: int = 20,
    evaluation: LearnerEvaluation | None = None,
    begin_with: str | None = None,
    ray: str | None = None,
    threads: int = 1,
    tensorboard: bool = False,
) -> Path:
    """Trains until ``iterations`` are made or ``minutes`` are over; returns the policy's file.

    ``folder`` gets the policy, which plays as ``policy(path=...)``, the state, from which the same
    call goes on, log.jsonl, and the curve of its grades, made every ``grade_every`` iterations;
    ``evaluation`` makes them, by default ``PeriodicEvaluation``, or ``PointsEvaluation`` where
    exact values are not known. The learning rate falls until the end; a later call may give other
    ``iterations`` and ``minutes``. The same ``iterations`` give the same policy, the same
    ``minutes`` do not. ``settings`` None are the usual ones; ``begin_with`` and ``ray`` are as for
    ``AlphaZero``. ``threads`` are those of the process that learns. With ``tensorboard`` the folder
    gets the numbers of the log as TensorBoard reads them.

    TrainingRunError for a folder with another run; else as ``AlphaZero``.
    """
    settings = settings or AlphaZeroSettings()
    torch.set_num_threads(threads)
    moves = settings.games * max(settings.workers, 1) * settings.plies_per_iteration
    kind = f"AlphaZero, {start!r}: {settings.describe()}"
    kind += f", begun with {begin_with}" if begin_with else ""
    if evaluation is None:
        evaluation = evaluation_or_points(start)
    total = math.inf if iterations is None else moves * iterations
    path = folder / POLICY
    with AlphaZero(start, settings, begin_with=begin_with, ray=ray) as learner:
        run = TrainingRun(
            folder, kind, evaluation, total, moves * grade_every,
            math.inf if minutes is None else minutes, tensorboard=tensorboard,
        )  # fmt: skip
        if state := run.restore():
            try:
                learner.restore(state)
            except ValueError as error:
                raise TrainingRunError(f"{folder}: {error}") from None

        def saved() -> dict[str, Any]:
            learner.save(path, card_of(settings, learner))
            return learner.state()

        while run.continues(f"policy(path={str(path)!r})", saved):
            run.advance(moves, **learner.iterate(run.done))
    return path


def card_of(settings: AlphaZeroSettings, learner: AlphaZero) -> dict[str, Any]:
    """Returns what a checkpoint says about its origin."""
    return {
        "trained by": "adv-envs train",
        "settings": settings.describe(),
        "iterations": learner.iterations,
        "games": learner.counts.games,
        "positions": learner.replay.added,
        "evaluations": learner.counts.evaluations,
    }
