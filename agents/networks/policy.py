"""Plays trained policies as agents: a network or a table of values, alone or with a search."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from adv_envs import CHANCE, Position
from adv_envs.position import checked
from adv_envs.registry import title
from agents.agent import SearchAgent, SearchResult, SeededAgent, require_limit, require_unfinished
from agents.knowledge import knowledge_of
from agents.mcts import MCTS
from agents.mcts.mcts import require_selection
from agents.symmetries import Symmetries

from .checkpoint import Checkpoint, checkpoint_path, load_checkpoint, softmax

MOST_TEMPERATURE = 1e9
"""At this temperature all legal actions are as likely."""


@dataclass(repr=False)
class Policy(SeededAgent, SearchAgent):
    """Plays a trained policy: ``path`` is a checkpoint, or the name of a shipped one.

    Alone it plays the legal action with the largest logit; with a ``temperature`` above 0 it draws
    an action from softmax(logits / temperature). Tables of probabilities are drawn from as they are
    unless a temperature is given. With ``simulations`` it guides a Monte Carlo tree search of this
    many simulations, and the temperature applies to the policy that the search makes of its own.
    Files have data and no code, see ``agents.networks``.

    CheckpointError if there is no such file or it is damaged; ValueError for games other than the
    one it was trained for.
    """

    path: str | os.PathLike[str]
    """A checkpoint, or the name of a shipped one."""
    simulations: int | None = None
    """Simulations of a Monte Carlo tree search that the policy guides; None: it plays alone."""
    selection: str = "gumbel"
    """How the search selects moves: "gumbel", as policies of ``adv-envs train`` have learnt by, or
    "puct", see ``MCTS``."""
    temperature: float | None = None
    """0: the best action; above 0: one drawn from softmax(logits / temperature), with a search of
    its improved policy or, with PUCT, of the logarithms of visits; None: 0, but 1 for tables of
    probabilities."""
    symmetries: bool = False
    """Whether a network is asked about all images of a position under the game's symmetries, and
    the means of its probabilities and values are taken (the symmetry ensemble of D. Silver et al.,
    Mastering the game of Go with deep neural networks and tree search, 2016)."""
    seed: int | None = None
    """Decides random choices until ``reset`` gives another seed; None: new ones each time."""

    name: ClassVar[str] = "policy"
    checkpoint: Checkpoint = field(init=False, repr=False, compare=False)
    _search: MCTS | None = field(init=False, repr=False, compare=False)
    _heat: float = field(init=False, repr=False, compare=False)
    _known: Symmetries | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.path = os.fspath(self.path)  # so that the spec can be read back
        require_limit("simulations", self.simulations)
        require_selection(self.selection)
        if not isinstance(self.symmetries, bool):
            raise TypeError(f"symmetries must be True or False, not {self.symmetries!r}")
        given = self.temperature
        if given is not None and not 0 <= given <= MOST_TEMPERATURE:
            raise ValueError(f"temperature must not be negative, nor above {MOST_TEMPERATURE:g}")
        self.checkpoint = load_checkpoint(checkpoint_path(self.path))
        known = knowledge_of(self.checkpoint.start).symmetries
        if self.symmetries and (known is None or not self.checkpoint.layers):
            reason = "the game has none" if known is None else "it is a table"
            raise ValueError(f"{self.path} cannot be asked about symmetries: {reason}")
        self._known = known if self.symmetries else None
        self._heat = float(self.checkpoint.is_mixed if given is None else given)
        super().__post_init__()
        self._search = None
        if self.simulations is not None:
            if "value" not in self.checkpoint.layers:
                raise ValueError(f"{self.path} has no values, which simulations need")
            self._search = MCTS(
                self.simulations,
                policy=self._evaluate,
                selection=self.selection,
                seed=self.seed,
            )

    def reset(self, seed: int | None = None) -> None:
        """Seeds the random choices again; None leaves them as they are."""
        super().reset(seed)
        if self._search is not None:
            self._search.reset(seed)

    def evaluate_batch(
        self, positions: list[Any]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Returns probabilities (n, num_actions) and values (n,): a ``policy`` for ``MCTS``.

        Illegal actions have probability 0, values are utilities for the player to move; where the
        checkpoint has no values they are 0.
        """
        return self._evaluate([checked(position) for position in positions])

    def _evaluate(self, positions: list[Any]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        logits, values = self._logits(positions)
        if values is None:
            return softmax(logits), np.zeros(len(positions))
        return softmax(logits), np.asarray(values, np.float64) * positions[0].max_utility

    def act(self, position: Position) -> int:
        """Returns the best action, or a random one; ValueError if the game is over."""
        if self._heat == 0:
            return self.analyse(position).action
        position = self._decision(position)
        return self._draw(self._weights(position))

    def _weights(self, position: Position) -> NDArray[Any]:
        """Returns the probability of each action, (num_actions,), for a temperature above 0."""
        if self._search is None:
            weights: NDArray[Any] = softmax(self._logits([position])[0][0] / self._heat)
            return weights
        self._search.analyse(position)
        logits = np.full(position.num_actions, -np.inf)
        for action, logit in self._search.root_logits().items():
            logits[action] = logit / self._heat
        return softmax(logits)

    def action_probabilities(self, position: Position) -> dict[int, float]:
        """Returns how likely ``act`` is to play each legal action."""
        if self._heat == 0:
            best = self.act(position)
            return {action: float(action == best) for action in position.legal_actions()}
        position = self._decision(position)
        weights = self._weights(position)
        return {action: float(weights[action]) for action in position.legal_actions()}

    def act_batch(self, positions: list[Any]) -> list[int]:
        """Returns the actions of ``act`` at many positions, by one evaluation of the network.

        With ``simulations`` each position is searched separately.
        """
        if self._search is not None or not positions:
            return [self.act(position) for position in positions]
        positions = [self._decision(position) for position in positions]
        return self._chosen(self._logits(positions)[0])

    @property
    def sees_observations(self) -> bool:
        """Tells whether ``act_on_observations`` can be asked: the network sees nothing more."""
        network = bool(self.checkpoint.layers) and not self.checkpoint.features
        return network and self._search is None and self._known is None

    def act_on_observations(
        self,
        start: Position,
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
        players: NDArray[np.int64],
    ) -> list[int]:
        """Returns the actions of ``act_batch`` from what is observed in the game of ``start``.

        ``observations`` ``(n, *observation_shape)`` and ``masks`` (n, num_actions) are those of the
        ``players`` to move, (n,).
        """
        return self._chosen(self._observed_logits(start, observations, masks, players))

    def probabilities_on_observations(
        self,
        start: Position,
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
        players: NDArray[np.int64],
    ) -> NDArray[np.float64]:
        """Returns the probabilities of ``action_probabilities``, (n, num_actions).

        ``observations``, ``masks`` and ``players`` are those of ``act_on_observations``.
        """
        logits = self._observed_logits(start, observations, masks, players)
        if self._heat > 0:
            return np.asarray(softmax(logits / self._heat), np.float64)
        chosen = np.zeros(logits.shape)
        chosen[np.arange(len(logits)), logits.argmax(axis=1)] = 1.0
        return chosen

    def _observed_logits(
        self,
        start: Position,
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
        players: NDArray[np.int64],
    ) -> NDArray[np.float32]:
        self._require_same_rules(start)
        logits = self.checkpoint.observed_outputs(observations, players)[0]
        return np.where(masks != 0, logits, -np.inf).astype(np.float32)

    def _chosen(self, logits: NDArray[np.float32]) -> list[int]:
        """Returns the best action of each row of logits (n, num_actions), or one that is drawn."""
        if self._heat == 0:
            return [int(action) for action in logits.argmax(axis=1)]
        return [self._draw(weights) for weights in softmax(logits / self._heat)]

    def _draw(self, weights: NDArray[Any]) -> int:
        return self.rng.choices(range(len(weights)), weights.tolist())[0]

    def analysis(self, position: Position) -> Iterator[SearchResult]:
        """Yields the result of the network, or those of the search that it guides."""
        position = self._decision(position)
        if self._search is not None:
            yield from self._search.analysis(position)
            return
        logits, values = self._logits([position])
        action = int(logits[0].argmax())
        value = 0.0 if values is None else float(values[0]) * position.max_utility
        yield SearchResult(action, value, (action,), nodes=1, leaves=1)

    def values(self, position: Position) -> dict[int, float]:
        """Returns the value of each legal action for the player to move."""
        self._require_game(position)
        if self.checkpoint.layers:
            return super().values(position)
        logits, _ = self._logits([position])
        return {action: float(logits[0, action]) for action in position.legal_actions()}

    def _logits(
        self, positions: list[Any]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32] | None]:
        """Returns logits (n, num_actions), -inf for illegal actions, and values or None."""
        if self._known is not None:
            return self._symmetric_logits(positions, self._known)
        logits, values = self.checkpoint.outputs(positions)
        return np.where(legal_actions_of(positions), logits, -np.inf).astype(np.float32), values

    def _symmetric_logits(
        self, positions: list[Any], known: Symmetries
    ) -> tuple[NDArray[np.float32], NDArray[np.float32] | None]:
        """Returns the logarithms of mean probabilities over all images, and mean values."""
        image, number = known.whole_image or known.image, known.num_images(positions[0])
        images = [image(position, i) for position in positions for i in range(number)]
        logits, values = self.checkpoint.outputs(images)
        shares = softmax(np.where(legal_actions_of(images), logits, -np.inf))
        shape = len(positions), number, -1
        mean = np.zeros((len(positions), logits.shape[1]))
        for i, position in enumerate(positions):
            of_images = shares.reshape(shape)[i]
            for action in position.legal_actions():
                there = [known.image_action(position, action, k) for k in range(number)]
                mean[i, action] = of_images[range(number), there].mean()
        with np.errstate(divide="ignore"):
            found = np.log(mean).astype(np.float32)
        return found, None if values is None else values.reshape(shape).mean(axis=(1, 2))

    def _require_game(self, position: Position) -> None:
        self._require_same_rules(position)
        if position.to_move == CHANCE:
            raise ValueError(f"{self.name} chooses actions; here chance is to move")

    def _decision(self, position: Position) -> Position:
        """Returns the position, ``checked``; ValueError where no player of the game is to move."""
        position = require_unfinished(position)
        self._require_game(position)
        return position

    def _require_same_rules(self, position: Position) -> None:
        trained = self.checkpoint.start
        game = len(position.parameters)
        if type(position) is not type(trained) or position[:game] != trained[:game]:
            given = title(position)
            raise ValueError(f"{self.path} was trained for {title(trained)}, not for {given}")


def legal_actions_of(positions: list[Any]) -> list[list[bool]]:
    """Returns which actions are legal, (n, num_actions)."""
    return [[p.legal(action) for action in range(p.num_actions)] for p in positions]
