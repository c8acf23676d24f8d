"""Defines the settings of AlphaZero: everything that a run is made of."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from adv_envs import Position, name_of
from adv_envs.position import checked, require_competitive

METHODS = "gumbel", "alphazero"
PRECISIONS = "auto", "float32", "bfloat16"
NETWORKS = "conv", "dense"


@dataclass(frozen=True)
class AlphaZeroSettings:
    """Sets how AlphaZero plays and learns. ValueError for values that are not allowed.

    Published values are from D. Silver et al. (Science 2018), I. Danihelka et al. (ICLR 2022) and
    D. Wu (KataGo, arXiv 1902.10565).
    """

    method: str = "gumbel"
    """How searches choose: "gumbel", by sequential halving of actions drawn at the root and by the
    improved policy below it; "alphazero", by PUCT with Dirichlet noise, learning the visits."""

    # ---- the network
    network: str = "conv"
    """The kind of network: "conv", residual blocks of two 3 x 3 convolutions each, or "dense",
    residual blocks of two dense layers each, which see no neighbourhood."""
    width: int = 64
    """Channels of each convolution, or units of each dense layer."""
    blocks: int = 3
    """Residual blocks."""
    features: bool = True
    """Whether the network sees the game's planes of features, if it has any."""
    precision: str = "auto"
    """Numbers that the network computes with: "float32"; "bfloat16", where learning is in mixed
    precision, with weights in float32; or "auto", which takes bfloat16 where the processor has
    instructions for it."""
    device: str = "cpu"
    """Where the network runs, as PyTorch names it: "cpu", "cuda", ..."""

    # ---- self-play
    games: int = 256
    """Games that each self-play process plays at once, with one evaluation for all of them."""
    workers: int = 1
    """Processes for self-play beside the one that learns; 0: one process does both in turn."""
    simulations: int = 32
    """Simulations of a full search."""
    fast_simulations: int = 8
    """Simulations of a fast search, whose policy is not learnt."""
    full_search_probability: float = 1.0
    """How often a search is a full one, by playout-cap randomisation; 1: always. KataGo: 0.25."""
    max_num_considered_actions: int = 16
    """Actions that are drawn at the root, at most, with "gumbel"."""
    value_scale: float = 0.25
    """c_scale of "gumbel": how much values from 0 to 1 count beside logits; times 50 + visits."""
    exploration: float = 1.5
    """The weight of the priors in PUCT, with "alphazero"."""
    dirichlet_fraction: float = 0.25
    """The share of Dirichlet noise in the priors of roots, with "alphazero"."""
    dirichlet_alpha: float = 1.0
    """The concentration of that noise, for each action; published: about 10 / actions."""
    temperature_plies: int = 12
    """Plies at the start of a game whose moves are drawn, as with a temperature of 1. Later moves
    are the best that are found, but for those of full searches of "gumbel": these are always drawn
    with its noise."""
    random_openings: float = 0.9
    """The share of games that begin with random moves."""
    opening_plies: int | None = None
    """The most random moves that they begin with; any number up to it is as likely. None: one less
    than random games usually have."""
    resign: float | None = None
    """Games end as lost where the value of a search is below minus this; None: never."""
    resign_playthrough: float = 0.1
    """The share of games in which nobody resigns, to count how often that would have been wrong."""
    cache: int = 1 << 16
    """Evaluations that each process keeps until the network changes; rounded up to 2**k."""

    # ---- learning
    search_share: float = 0.5
    """The share of the search's value in what the value is to be; the rest is the outcome."""
    window: int = 400_000
    """Latest samples that are learnt from, at most."""
    window_share: float = 0.6
    """The share of all samples so far that is learnt from, while that is below ``window``."""
    reuse: float = 4.0
    """How often a sample is learnt from, on average."""
    batch_size: int = 512
    """Samples of a step of learning."""
    learning_rate: float = 5e-3
    """The highest learning rate, of AdamW."""
    final_learning_rate_fraction: float = 0.1
    """The share of ``learning_rate`` to which it falls until the end, by half a cosine."""
    weight_decay: float = 1e-4
    """The weight decay of AdamW."""
    ema_decay: float = 0.999
    """The decay of the exponential moving average of weights, with which games are played."""
    plies_per_iteration: int = 16
    """Moves in each game between two sets of weights."""
    seed: int = 0
    """What games, first weights and batches are drawn by."""

    def __post_init__(self) -> None:
        allowed = {"method": METHODS, "network": NETWORKS, "precision": PRECISIONS}
        for name, choices in allowed.items():
            if getattr(self, name) not in choices:
                given = getattr(self, name)
                raise ValueError(f"{name} must be one of {', '.join(choices)}, not {given!r}")
        kinds = {each.name: str(each.type) for each in dataclasses.fields(self)}
        for name, (low, high) in RANGES.items():
            value = getattr(self, name)
            kind, _, optional = kinds[name].partition(" | ")
            if value is None and optional:
                continue
            types = (int,) if kind == "int" else (int, float)
            if isinstance(value, bool) or not isinstance(value, types) or not low <= value <= high:
                bounds = f"at least {low}" if math.isinf(high) else f"{low} to {high}"
                what = "an integer, " if kind == "int" else ""
                raise ValueError(f"{name} must be {what}{bounds}, not {value!r}")

    @classmethod
    def suited(cls, start: Position, **changes: Any) -> AlphaZeroSettings:
        """Returns settings that suit the game of ``start``, with ``changes``.

        ValueError as for ``AlphaZero``.
        """
        start = checked(start)
        require_learnable(start)
        shape = start.observation_shape
        suited: dict[str, Any] = {"max_num_considered_actions": min(16, start.num_actions)}
        if len(shape) != 3:
            suited |= {"network": "dense", "width": 256, "blocks": 2}
        elif shape[0] * shape[1] <= SMALL_BOARD:
            suited |= {
                "width": 32,
                "blocks": 1,
                "simulations": 16,
                "temperature_plies": 6,
                "batch_size": 256,
            }
        if start.num_actions > MANY_ACTIONS:  # trees hold numbers for each of them
            suited["games"] = max(16, 256 * MANY_ACTIONS // start.num_actions)
        return cls(**suited | changes)

    @classmethod
    def parse(cls, texts: Iterable[str]) -> dict[str, Any]:
        """Returns settings by name from texts such as "width=32" and "resign=none".

        ValueError for another form, an unknown name, and a value of another type.
        """
        kinds, found = {each.name: str(each.type) for each in dataclasses.fields(cls)}, {}
        for text in texts:
            name, equals, value = text.partition("=")
            name = name.strip().replace("-", "_")
            if not equals or name not in kinds:
                raise ValueError(f"{text}: needs NAME=VALUE; names: {', '.join(kinds)}")
            try:
                found[name] = PARSERS[kinds[name]](value.strip().lower())
            except (ValueError, KeyError):
                raise ValueError(f"{text}: {name} is {kinds[name]}") from None
        return found

    def describe(self) -> str:
        """Returns the settings that a run cannot change, in one line."""
        free = {"workers", "device", "precision", "cache"}
        given = {k: v for k, v in dataclasses.asdict(self).items() if k not in free}
        return ", ".join(f"{name} {value}" for name, value in given.items())


PARSERS: dict[str, Callable[[str], Any]] = {
    "str": str,
    "int": int,
    "float": float,
    "int | None": lambda text: None if text == "none" else int(text),
    "float | None": lambda text: None if text == "none" else float(text),
    "bool": {"true": True, "false": False}.__getitem__,
}
"""What reads a value, by the type of the setting."""

SMALL_BOARD = 20
"""Cells up to which a game is learnt with a small network."""

MANY_ACTIONS = 400
"""Actions up to which 256 games are played at once."""

RANGES: dict[str, tuple[float, float]] = {
    "width": (1, math.inf),
    "blocks": (0, math.inf),
    "games": (1, math.inf),
    "workers": (0, math.inf),
    "simulations": (1, 10_000),
    "fast_simulations": (1, 10_000),
    "full_search_probability": (0.01, 1),
    "max_num_considered_actions": (1, math.inf),
    "value_scale": (0, math.inf),
    "exploration": (0, math.inf),
    "dirichlet_fraction": (0, 1),
    "dirichlet_alpha": (1e-6, math.inf),
    "temperature_plies": (0, math.inf),
    "random_openings": (0, 1),
    "opening_plies": (0, math.inf),
    "resign": (0, 1),
    "resign_playthrough": (0, 1),
    "cache": (1, 1 << 26),
    "search_share": (0, 1),
    "window": (1, math.inf),
    "window_share": (0.01, 1),
    "reuse": (0, math.inf),
    "batch_size": (2, math.inf),
    "learning_rate": (0, math.inf),
    "final_learning_rate_fraction": (0, 1),
    "weight_decay": (0, math.inf),
    "ema_decay": (0, 1),
    "plies_per_iteration": (1, math.inf),
    "seed": (0, 2**32 - 1),
}
"""The least and the largest value of each setting that is a number."""


def require_learnable(start: Position) -> None:
    """Raises ValueError unless AlphaZero can learn the game of ``start``.

    It takes two players, no chance, and nothing hidden.
    """
    name = name_of(start)
    require_competitive(start, "AlphaZero")
    if start.num_players != 2:
        raise ValueError(f"AlphaZero is for two players; {name} has {start.num_players}")
    if not start.perfect_information:
        raise ValueError(
            f"AlphaZero is for games in which players see everything, which {name} is not: "
            "see agents.equilibrium and examples/train_hidden.py"
        )
    if start.has_chance:
        raise ValueError(f"AlphaZero is for games without chance, which {name} is not")
