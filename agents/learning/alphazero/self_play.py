"""Plays many games at once, and keeps the latest samples, from which a network learns."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass, fields
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.bits import num_words, pack, pack_row, unpack, unpack_row
from adv_envs.jit import kernel
from adv_envs.literals import literal
from agents.networks.encoding import Encoder, Words

from .search import BatchedSearch, Evaluate
from .settings import AlphaZeroSettings

PAST = "past", "policies", "weights", "movers", "values"
"""The columns of the histories of games in a state."""

LONGEST = 1000
"""Plies after which a game is stopped and counts as drawn."""


class Samples(NamedTuple):
    """Holds positions of finished games and what is to be learnt from them, n of each."""

    words: Words
    """(n, num_words): the positions."""
    policies: NDArray[np.float32]
    """(n, num_actions): the improved policies."""
    weights: NDArray[np.float32]
    """(n,): 1 where the policy is to be learnt, 0 where the search was a fast one."""
    values: NDArray[np.float32]
    """(n,): the values to be learnt, from -1 to 1, for the player to move."""


@dataclass
class SelfPlayCounts:
    """Counts what self-play did, in one period or, added up, in all."""

    games: int = 0
    moves: int = 0
    evaluations: int = 0
    resigned: int = 0
    """Games that ended by resignation."""
    controls: int = 0
    """Games in which somebody would have resigned, but for the control."""
    wrong: int = 0
    """Those of them that this player did not lose."""

    def __add__(self, other: SelfPlayCounts) -> SelfPlayCounts:
        names = [each.name for each in fields(self)]
        return SelfPlayCounts(
            **{name: getattr(self, name) + getattr(other, name) for name in names}
        )


@kernel
def advance(
    start: Position,
    words: Words,
    actions: NDArray[np.int64],
    over: NDArray[np.bool_],
    results: NDArray[np.float32],
) -> None:
    """Plays an action in each game; writes which are ``over`` and their ``results`` (n,).

    Results are for player 0, divided by the largest utility there is.
    """
    for game in range(words.shape[0]):
        after = unpack_row(start, words, game).play(int(actions[game]))
        pack_row(after, words, game)
        over[game] = after.is_terminal()
        results[game] = after.utility(0) / after.max_utility if over[game] else 0.0


@kernel
def players_to_move(start: Position, words: Words, players: NDArray[np.int64]) -> None:
    """Writes who is to move in each game."""
    for game in range(words.shape[0]):
        players[game] = unpack_row(start, words, game).to_move


class SelfPlay:
    """Plays ``settings.games`` games in one process, which go on from one ``play`` to the next.

    ``index`` is the number of the process: each draws other games.
    """

    def __init__(self, start: Position, settings: AlphaZeroSettings, index: int = 0) -> None:
        self.encoder = Encoder(start, settings.features)
        self.start, self.settings = self.encoder.start, settings
        games, size = settings.games, num_words(self.start)
        self.rng = np.random.default_rng([settings.seed, index])
        self.search = BatchedSearch(self.encoder, games, settings, _no_network)
        self.words: Words = np.zeros((games, size), np.int64)
        self.plies = np.zeros(games, np.int64)
        self.control = np.zeros(games, np.bool_)
        self.doubted = np.full(games, -1, np.int64)  # who would have resigned in a control game
        self.players, self.over = np.zeros(games, np.int64), np.zeros(games, np.bool_)
        self.results = np.zeros(games, np.float32)
        self.histories: list[list[tuple[Any, ...]]] = [[] for _ in range(games)]
        most = settings.opening_plies
        self.opening_plies = _usual_length(self.start) - 1 if most is None else most
        self._begin(range(games))

    def _begin(self, games: Iterable[int]) -> None:
        """Begins new games, a share of them with random moves."""
        for game in games:
            position = self.start
            if self.rng.random() < self.settings.random_openings:
                for _ in range(int(self.rng.integers(self.opening_plies + 1))):
                    legal = position.legal_actions()
                    after = position.play(legal[int(self.rng.integers(len(legal)))])
                    if after.is_terminal():
                        break
                    position = after
            pack(position, self.words[game])
            self.plies[game], self.doubted[game] = 0, -1
            self.control[game] = self.rng.random() < self.settings.resign_playthrough
            self.histories[game] = []

    def play(self, evaluate: Evaluate, plies: int) -> tuple[Samples, SelfPlayCounts]:
        """Makes ``plies`` moves in every game with a new network.

        Returns the samples of the games that ended, and what was counted.
        """
        self.search.evaluate = evaluate
        self.search.clear_cache()
        before, counts, samples = self.search.evaluations, SelfPlayCounts(), list[tuple[Any, ...]]()
        for _ in range(plies):
            samples += self._move(counts)
        counts.moves = plies * len(self.words)
        counts.evaluations = self.search.evaluations - before
        return self._arrays(samples), counts

    def _move(self, counts: SelfPlayCounts) -> list[tuple[Any, ...]]:
        """Makes one move in every game; returns the samples of those that end."""
        settings = self.settings
        full = self.rng.random(len(self.words)) < settings.full_search_probability
        sampled = self.plies < settings.temperature_plies
        found = self.search.search(self.words, full, sampled, self.rng)
        players_to_move(self.start, self.words, self.players)
        for game, history in enumerate(self.histories):
            history.append(
                (
                    self.words[game].copy(), found.policies[game], float(full[game]),
                    int(self.players[game]), float(found.values[game]),
                )
            )  # fmt: skip
        movers = self.players.copy()
        advance(self.start, self.words, found.actions, self.over, self.results)
        self.plies += 1
        resigned = self._resignations(movers, found.values)
        self.results[resigned] = np.where(movers[resigned] == 0, -1, 1)
        stopped = (self.plies >= LONGEST) & ~self.over
        done = np.flatnonzero(self.over | resigned | stopped).tolist()
        samples = [each for game in done for each in self._finish(game)]
        counts.games += len(done)
        counts.resigned += int(resigned.sum())
        for game in done:
            if self.doubted[game] >= 0 and not resigned[game]:
                lost = -1 if self.doubted[game] == 0 else 1
                counts.controls += 1
                counts.wrong += int(self.results[game] != lost)
        self._begin(done)
        return samples

    def _resignations(
        self, movers: NDArray[np.int64], values: NDArray[np.float32]
    ) -> NDArray[np.bool_]:
        """Returns where the player who moved resigns; notes it where there is a control."""
        limit = self.settings.resign
        if limit is None:
            return np.zeros(len(values), np.bool_)
        hopeless = (values < -limit) & ~self.over
        noted = hopeless & self.control & (self.doubted < 0)
        self.doubted[noted] = movers[noted]
        return hopeless & ~self.control

    def _finish(self, game: int) -> list[tuple[Any, ...]]:
        share, result = self.settings.search_share, float(self.results[game])
        return [
            (words, policy, weight, share * value + (1 - share) * (result if p == 0 else -result))
            for words, policy, weight, p, value in self.histories[game]
        ]

    def _arrays(self, samples: list[tuple[Any, ...]]) -> Samples:
        size, actions = self.words.shape[1], self.start.num_actions
        words, *numbers = zip(*samples, strict=True) if samples else ((), (), (), ())
        policies, weights, values = (np.array(each, np.float32) for each in numbers)
        shaped = np.array(words, np.int64).reshape(-1, size), policies.reshape(-1, actions)
        return Samples(*shaped, weights, values)

    # ---- going on where it was stopped

    def state(self) -> bytes:
        """Returns everything that later moves depend on but the network."""
        lengths = [len(history) for history in self.histories]
        rows = [row for history in self.histories for row in history]
        arrays: dict[str, Any] = {
            name: getattr(self, name) for name in ("words", "plies", "control", "doubted")
        }
        arrays["lengths"] = np.array(lengths)
        arrays |= {name: np.array([row[i] for row in rows]) for i, name in enumerate(PAST)}
        with io.BytesIO() as file:
            np.savez(file, **arrays)
            data = file.getvalue()
        generator: Any = self.rng.bit_generator.state
        # with the half of a number that may be kept for the next draw of 32 bits
        halves = {name: generator[name] for name in ("has_uint32", "uinteger")}
        numbers = repr(generator["state"] | halves).encode()
        return len(numbers).to_bytes(4, "big") + numbers + data

    def restore(self, state: bytes) -> None:
        """Goes on from what ``state`` returned."""
        size = int.from_bytes(state[:4], "big")
        numbers = literal(state[4 : 4 + size].decode())
        generator: Any = self.rng.bit_generator.state
        for name in ("has_uint32", "uinteger"):
            generator[name] = numbers.pop(name, 0)
        generator["state"] = numbers
        self.rng.bit_generator.state = generator
        with np.load(io.BytesIO(state[4 + size :])) as arrays:
            for name in ("words", "plies", "control", "doubted"):
                getattr(self, name)[:] = arrays[name]
            rows = zip(*(arrays[name] for name in PAST), strict=True)
            self.histories = [list(islice(rows, length)) for length in arrays["lengths"].tolist()]

    def position(self, game: int) -> Position:
        """Returns the position that game ``number`` has reached."""
        found: Position = unpack(self.start, self.words[game])
        return found


def _no_network(inputs: Any) -> Any:
    raise RuntimeError("play() gives the network")


def _usual_length(start: Position) -> int:
    """Returns how many plies random games take, at the least 1: the median of 21."""
    rng, lengths = np.random.default_rng(0), []
    for _ in range(21):
        position, plies = start, 0
        while not position.is_terminal() and plies < LONGEST:
            legal = position.legal_actions()
            position = position.play(legal[int(rng.integers(len(legal)))])
            plies += 1
        lengths.append(plies)
    return max(1, sorted(lengths)[10])


class Replay:
    """Keeps a ring of at most ``size`` samples."""

    def __init__(self, encoder: Encoder, size: int) -> None:
        actions = encoder.start.num_actions
        self.encoder, self.size, self.added = encoder, size, 0
        self.words = np.zeros((size, num_words(encoder.start)), np.int64)
        self.policies = np.zeros((size, actions), np.float32)
        self.weights, self.values = np.zeros(size, np.float32), np.zeros(size, np.float32)

    def add(self, samples: Samples) -> None:
        """Keeps samples, each in the place of the oldest."""
        number = len(samples.values)
        at = (self.added + np.arange(number)) % self.size
        for array, new in zip(self._arrays(), samples, strict=True):
            array[at] = new
        self.added += number

    def batch(
        self, number: int, window: int, rng: np.random.Generator
    ) -> tuple[NDArray[np.float32], ...]:
        """Returns inputs, policies, weights and values of random samples of the last ``window``.

        Each is seen in a random image of the game's symmetries.
        """
        available = min(window, self.size, self.added)
        at = (self.added - 1 - rng.integers(0, available, number)) % self.size
        images = rng.integers(0, self.encoder.num_images, number)
        inputs, policies = self.encoder.samples(self.words[at], images, self.policies[at])
        return inputs, policies, self.weights[at], self.values[at]

    def state(self) -> dict[str, Any]:
        """Returns the samples, as tensors."""
        import torch

        kept = min(self.added, self.size)
        arrays = [torch.from_numpy(array[:kept]) for array in self._arrays()]
        return {"added": self.added, "arrays": arrays}

    def restore(self, state: dict[str, Any]) -> None:
        """Takes over what ``state`` returned."""
        self.added = state["added"]
        for array, tensor in zip(self._arrays(), state["arrays"], strict=True):
            array[: len(tensor)] = tensor.numpy()

    def _arrays(self) -> tuple[NDArray[Any], ...]:
        return self.words, self.policies, self.weights, self.values
