"""Runs self-play: in this process, in processes of its own, or on a Ray cluster.

All of them answer in the same order with the same samples, however long each takes.
"""

from __future__ import annotations

import pickle
import traceback
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

from adv_envs import Position
from agents import processes
from agents.arena.cluster import connect, require_ray
from agents.processes import Channel, Closed, WorkerError, how

from .self_play import Samples, SelfPlay, SelfPlayCounts
from .settings import AlphaZeroSettings

PATIENCE = 120.0
"""Seconds that an actor on a cluster may take to begin in the place of one that was lost."""


class ActorError(RuntimeError):
    """Says that a process of self-play failed or ended, and how."""


class Played(NamedTuple):
    """Holds what an actor sends back."""

    samples: Samples
    counts: SelfPlayCounts
    state: bytes
    """What the actor goes on from, as ``SelfPlay.state`` returns it."""


class SelfPlayActor:
    """Plays against itself with the networks that it is sent, one after the other."""

    def __init__(
        self,
        start: Position,
        settings: AlphaZeroSettings,
        index: int,
        state: bytes | None,
        threads: int | None = 1,
    ) -> None:
        import torch

        from .residual_network import Network

        if threads is not None:
            torch.set_num_threads(threads)
        self.settings, self.self_play = settings, SelfPlay(start, settings, index)
        if state is not None:
            self.self_play.restore(state)
        random = torch.get_rng_state()
        self.network = Network(self.self_play.encoder, settings)
        torch.set_rng_state(random)

    def play(self, weights: dict[str, Any]) -> Played:
        """Plays the moves of an iteration in every game, with a network of these weights."""
        from .residual_network import BatchEvaluator

        self.network.load_state_dict(weights)
        evaluator = BatchEvaluator(self.network, self.settings)
        samples, counts = self.self_play.play(evaluator, self.settings.plies_per_iteration)
        return Played(samples, counts, self.self_play.state())


class Actors(Protocol):
    """Defines actors, which play while the caller does something else."""

    def begin(self, weights: dict[str, Any]) -> None:
        """Lets all of them play with these weights."""

    def finish(self) -> list[Played]:
        """Waits for them; returns what each sends back, in order."""

    def close(self) -> None:
        """Ends them."""


class LocalActor:
    """Runs one actor in this process: it plays when it is waited for."""

    def __init__(
        self, start: Position, settings: AlphaZeroSettings, states: list[bytes | None]
    ) -> None:
        self.actor = SelfPlayActor(start, settings, 0, states[0], threads=None)
        self.weights: dict[str, Any] = {}

    def begin(self, weights: dict[str, Any]) -> None:
        """Keeps the weights for the games that ``finish`` plays."""
        self.weights = weights

    def finish(self) -> list[Played]:
        """Plays with the weights of ``begin``, and returns what was played."""
        return [self.actor.play(self.weights)]

    def close(self) -> None:
        """Has nothing to do."""


class ProcessActors:
    """Runs actors in processes of their own, each with one thread."""

    def __init__(
        self, start: Position, settings: AlphaZeroSettings, states: list[bytes | None]
    ) -> None:
        self.actors = []
        for index, state in enumerate(states):
            task = pickle.dumps((start, settings, index, state))
            self.actors.append(processes.start(serve_actor, [], main=b"__main__" in task))
            with suppress(Closed):  # it has ended, which ``finish`` notices
                self.actors[-1].channel.send(task)

    def begin(self, weights: dict[str, Any]) -> None:
        """Sends the weights to all of them."""
        for actor in self.actors:
            with suppress(Closed):
                actor.channel.send(pickle.dumps(weights))

    def finish(self) -> list[Played]:
        """Receives from all of them."""
        return [self._receive(index) for index in range(len(self.actors))]

    def _receive(self, index: int) -> Played:
        child = self.actors[index]
        try:
            received: Played | str = pickle.loads(child.channel.receive())
        except Closed:
            child.join(1)  # its channel ends a little before the process does
            raise ActorError(
                f"self-play process {index} {how(child.exitcode)}; the same command goes on from "
                "what was saved last"
            ) from None
        if isinstance(received, str):
            raise ActorError(f"self-play process {index} failed:\n{received}")
        return received

    def close(self) -> None:
        """Ends the processes."""
        for actor in self.actors:
            actor.end()


def serve_actor(channel: Channel) -> None:
    """Plays with the weights that it is sent, until the learner closes the channel."""
    with suppress(Closed):
        try:
            actor = SelfPlayActor(*pickle.loads(channel.receive()))
            while True:
                channel.send(pickle.dumps(actor.play(pickle.loads(channel.receive()))))
        except Closed:
            raise
        except Exception:
            channel.send(pickle.dumps(traceback.format_exc()))


class RayCluster:
    """Connects to a Ray cluster that has a CPU for each of ``number`` self-play processes.

    ``address`` is the cluster's; "auto" is one that runs here, "local" begins one. ActorError where
    there is none, or too small a one.
    """

    def __init__(self, address: str, number: int) -> None:
        try:
            self.ray = ray = require_ray()
            self.connected = connect(ray, address)
        except (ImportError, WorkerError) as error:
            raise ActorError(str(error)) from None
        if (cpus := int(ray.cluster_resources().get("CPU", 0))) < number:
            self.close()
            raise ActorError(
                f"the cluster has {cpus} CPUs; {number} self-play processes need one each: add "
                "nodes, or choose fewer workers"
            )

    def close(self) -> None:
        """Ends the connection if this made it; the cluster goes on."""
        if self.connected:
            self.ray.shutdown()


class RayActors:
    """Runs actors on a Ray cluster, one CPU each.

    One that is lost, alone or with its node, is replaced where the cluster has a CPU for it: the
    new one plays the same moves again. ActorError where there is none.
    """

    def __init__(
        self,
        start: Position,
        settings: AlphaZeroSettings,
        states: list[bytes | None],
        cluster: RayCluster,
    ) -> None:
        self.ray, self.arguments, self.states = cluster.ray, (start, settings), list(states)
        self.remote: Any = self.ray.remote(SelfPlayActor)
        self.actors = [self._new(index) for index in range(len(states))]
        self.weights: Any = None
        self.pending: list[Any] = []

    def _new(self, index: int) -> Any:
        options = self.remote.options(num_cpus=1)
        return options.remote(*self.arguments, index, self.states[index])

    def begin(self, weights: dict[str, Any]) -> None:
        """Puts the weights where all nodes find them."""
        self.weights = self.ray.put(weights)
        self.pending = [actor.play.remote(self.weights) for actor in self.actors]

    def finish(self) -> list[Played]:
        """Receives from all of them."""
        errors = self.ray.exceptions
        try:
            return [self._receive(index) for index in range(len(self.actors))]
        except errors.RayError as error:
            what = str(error).strip().splitlines()[0]
            raise ActorError(
                f"self-play on the Ray cluster failed: {what} The same command goes on from what "
                "was saved last"
            ) from None

    def _receive(self, index: int) -> Played:
        try:
            played: Played = self.ray.get(self.pending[index])
        except self.ray.exceptions.RayActorError:
            if int(self.ray.cluster_resources().get("CPU", 0)) < len(self.actors):
                raise
            self.actors[index] = actor = self._new(index)
            self.ray.get(actor.__ray_ready__.remote(), timeout=PATIENCE)
            played = self.ray.get(actor.play.remote(self.weights))
        self.states[index] = played.state
        return played

    def close(self) -> None:
        """Ends the actors."""
        for actor in self.actors:
            with suppress(self.ray.exceptions.RayError):
                self.ray.kill(actor)


def make_actors(
    start: Position,
    settings: AlphaZeroSettings,
    states: list[bytes | None],
    cluster: RayCluster | None = None,
) -> Actors:
    """Returns as many actors as ``states``: on a cluster, in processes, or one in this process."""
    if cluster is not None:
        return RayActors(start, settings, states, cluster)
    if settings.workers == 0:
        return LocalActor(start, settings, states)
    return ProcessActors(start, settings, states)
