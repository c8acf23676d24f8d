"""Provides opponents of environments: agents, by spec or as objects, functions, and pools."""

from __future__ import annotations

import bisect
import functools
import itertools
import math
import operator
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import metadata
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from adv_envs.position import Position
from adv_envs.random import plain_seed

READERS = "adv_envs.opponents"
"""The group of entry points that read the specs of opponents."""

SELF = "self"
"""The name of an opponent that is set later."""


LARGEST = math.nextafter(1.0, 0.0)
"""The largest number below 1."""


class OpponentError(RuntimeError):
    """Says which opponent raised an exception or gave no legal action."""


class Opponent(Protocol):
    """Requires the method that an opponent needs, ``act``.

    It may also have

    - ``reset(seed)``, which is called before each game;
    - ``act_batch(positions)``, which answers for many games at once, see ``BatchOpponent``;
    - ``act_on_observations(start, observations, masks, players)``, which does the same from what
      is observed, float32 (n, *observation_shape), int8 (n, num_actions) and the players to move,
      int64 (n,), of the game that begins at ``start``; it is called where ``sees_observations``;
    - ``draw_opponent(mark)``, which returns who plays a game in its place, selected by ``mark``, a
      random number from 0 to 1, 1 excluded: such an opponent is a pool, as ``agents.League`` is;
    - ``report_result(points, first)``, which is called after each game that it played, with the
      points of the player it met (1 for a win, 0.5, or 0: whether its utility was larger than, the
      same as or smaller than this opponent's), and whether that player is before it in the order
      of seats. Games that were truncated are not reported.
    """

    def act(self, position: Position) -> int:
        """Returns a legal action for the player to move."""


class FunctionOpponent:
    """Plays by a function from a position to an action. It cannot be seeded."""

    def __init__(self, function: Callable[[Any], int]) -> None:
        self.act = function

    def __repr__(self) -> str:
        return str(getattr(self.act, "__qualname__", None) or repr(self.act))


class RandomOpponent:
    """Plays random legal actions, like the agent "random", but without the package of agents."""

    def __init__(self) -> None:
        self._random = random.Random()

    def reset(self, seed: int) -> None:
        """Draws from ``seed`` from now on."""
        self._random = random.Random(plain_seed(seed))

    def act(self, position: Position) -> int:
        """Returns a random legal action."""
        return self._random.choice(position.legal_actions())

    def __repr__(self) -> str:
        return "random()"


class BatchOpponent:
    """Plays by a function from a list of positions to as many actions.

    For policies that are faster in batches, such as networks: ``BatchVectorEnv`` calls it once for
    all games in which this opponent is to move. Other environments give it lists of one position.
    """

    def __init__(self, function: Callable[[list[Any]], Sequence[int] | NDArray[Any]]) -> None:
        self.act_batch = function

    def act(self, position: Position) -> int:
        """Returns the action for one position."""
        (action,) = self.act_batch([position])
        return action

    def __repr__(self) -> str:
        return str(getattr(self.act_batch, "__qualname__", None) or repr(self.act_batch))


class Opponents:
    """Pools opponents with weights, from which the opponents of each game are drawn.

    ``opponent`` is the spec of an agent, an agent, a function of a position, or a pool of these: a
    list of them, a list of pairs (opponent, weight), or a dict from opponents to weights. "self"
    is a pool of nobody. Weights are numbers of at least 0, not all of them 0. Raises TypeError or
    ValueError, saying what is needed, for anything else.
    """

    def __init__(self, opponent: Any) -> None:
        entries = [] if isinstance(opponent, str) and opponent == SELF else _entries(opponent)
        self.pool = [as_opponent(entry) for entry, _ in entries]
        weights = [_checked_weight(weight) for _, weight in entries]
        self._cumulative = list(itertools.accumulate(weights))
        if weights and not sum(weights):
            raise ValueError("the weights of a pool must not all be 0")

    def draw(self, rng: random.Random, count: int) -> list[Opponent]:
        """Draws ``count`` opponents for a new game, and resets them with seeds from ``rng``.

        Who is drawn for more than one seat plays them all, and is reset once. ValueError for a pool
        of nobody.
        """
        if not self.pool:
            raise ValueError(
                'the opponent is "self", and nobody was set: call env.unwrapped.set_opponent(...) '
                "before reset, with an agent, a function of a position, or a pool of these"
            )
        drawn = [self.choose(rng.random() if self.draws else 0.0) for _ in range(count)]
        reset(drawn, rng)
        return drawn

    @property
    def draws(self) -> bool:
        """Returns whether there is a choice between opponents."""
        return len(self.pool) > 1 or hasattr(self.pool[0], "draw_opponent")

    def choose(self, mark: float) -> Opponent:
        """Returns the opponent that ``mark``, a random number from 0 to 1, 1 excluded, selects."""
        mark *= self._cumulative[-1]
        index = min(bisect.bisect_right(self._cumulative, mark), len(self.pool) - 1)
        opponent: Any = self.pool[index]
        if not hasattr(opponent, "draw_opponent"):
            return opponent  # type: ignore[no-any-return]
        low = self._cumulative[index - 1] if index else 0.0
        within = (mark - low) / (self._cumulative[index] - low)
        return opponent.draw_opponent(min(within, LARGEST))  # type: ignore[no-any-return]


def reset(opponents: list[Opponent], rng: random.Random) -> None:
    """Resets each opponent that has ``reset`` once, with a seed of 31 bits from ``rng``.

    Chance has another generator than ``rng``: nothing about it follows from these seeds.
    """
    for opponent in {id(opponent): opponent for opponent in opponents}.values():
        if hasattr(opponent, "reset"):
            _reset(opponent, rng.getrandbits(31))


def _reset(opponent: Any, seed: int) -> None:
    try:
        opponent.reset(seed)
    except Exception as error:
        raise _failure(opponent, f"failed in reset({seed})", error) from error


def _entries(opponent: Any) -> list[tuple[Any, Any]]:
    """Returns pairs of an opponent and its weight, both not yet checked."""
    if isinstance(opponent, Mapping):
        entries = list(opponent.items())
    elif isinstance(opponent, list | tuple):
        entries = [each if _is_pair(each) else (each, 1) for each in opponent]
    else:
        return [(opponent, 1)]
    if not entries:
        raise ValueError("a pool needs at least one opponent")
    if any(isinstance(each, str) and each == SELF for each, _ in entries):
        raise ValueError(
            '"self" stands alone: make the environment with opponent="self", and give the whole '
            "pool to env.unwrapped.set_opponent"
        )
    return entries


def _is_pair(entry: Any) -> bool:
    return isinstance(entry, tuple) and len(entry) == 2


def _checked_weight(weight: Any) -> float:
    if isinstance(weight, bool) or not isinstance(weight, int | float | np.number):
        raise TypeError(f"the weight of an opponent must be a number, not {weight!r}")
    if not 0 <= weight < math.inf:
        raise ValueError(f"the weight of an opponent must be 0 or more, not {weight!r}")
    return float(weight)


def as_opponent(opponent: Any) -> Opponent:
    """Returns the opponent for a spec, an agent or a function; TypeError for anything else."""
    if isinstance(opponent, str):
        return _opponent_of(opponent)
    if isinstance(opponent, type):
        raise TypeError(f"an opponent is an agent, {opponent.__name__}(), and not its class")
    if callable(getattr(opponent, "act", None)):
        return opponent  # type: ignore[no-any-return]
    if callable(opponent):
        return FunctionOpponent(opponent)
    raise TypeError(
        'an opponent is the spec of an agent, such as "alpha_beta(depth=3)", an agent, a function '
        f"of a position, a pool of these, or alone: {SELF!r}; not {opponent!r}"
    )


def _opponent_of(spec: str) -> Opponent:
    """Returns the opponent of a spec; errors as of ``read_spec``."""
    if spec == "random":
        return RandomOpponent()
    return read_spec(READERS, "opponent", spec)  # type: ignore[no-any-return]


def read_spec(group: str, what: str, spec: str, *context: Any) -> Any:
    """Returns what a spec stands for, from the first reader of ``group`` that knows it.

    Readers are called with the spec and ``context``; ``what`` says in errors what is read.
    ImportError if none knows it, and what readers raise for a spec that is wrong.
    """
    try:
        known = _readers(group)
    except (ImportError, AttributeError) as error:
        raise ImportError(f"the {what} {spec!r} needs {where_agents_are()}") from error
    for read in known:
        found = read(spec, *context)
        if found is not None:
            return found
    raise ImportError(f"the {what} {spec!r} needs {where_agents_are()}")


@functools.cache
def _readers(group: str) -> list[Callable[..., Any]]:
    """Returns what reads specs: the entry points of ``group``, those of other packages first.

    A reader returns None for a spec that it does not know, and raises ValueError or TypeError for
    one that it knows and that is wrong. Ours, ``agents``, is asked last and knows every spec.
    """
    entries = sorted(metadata.entry_points(group=group), key=lambda entry: entry.name == "agents")
    return [entry.load() for entry in entries]


def where_agents_are() -> str:
    """Returns which file ``import agents`` finds in place of our package, and what to do."""
    found = getattr(sys.modules.get("agents"), "__file__", None)
    if found is None:
        return "the package agents of adv-envs, which is not installed"
    return (
        f"the package agents of adv-envs, but `import agents` finds {found}: rename that file, or "
        "use an environment without the project that it belongs to"
    )


def reply(opponent: Opponent, position: Position) -> int:
    """Returns the opponent's action, asked with what it sees of ``position``.

    OpponentError if the opponent fails or the action is illegal.
    """
    position = position.hidden(position.to_move)
    try:
        action = opponent.act(position)
    except Exception as error:
        how = f"failed, as player {position.to_move} at {position!r}"
        raise _failure(opponent, how, error) from error
    return _checked_reply(opponent, position, action)


def replies(opponent: Any, positions: list[Position]) -> list[int]:
    """Returns the opponent's actions in many games, by ``act_batch`` if it has it."""
    if not hasattr(opponent, "act_batch"):
        return [reply(opponent, position) for position in positions]
    positions = [position.hidden(position.to_move) for position in positions]
    try:
        actions = list(opponent.act_batch(positions))
    except Exception as error:
        raise _failure(opponent, f"failed at {len(positions)} positions", error) from error
    if len(actions) != len(positions):
        raise OpponentError(
            f"the opponent {opponent!r} answered {len(actions)} actions for "
            f"{len(positions)} positions"
        )
    return [_checked_reply(opponent, *each) for each in zip(positions, actions, strict=True)]


def observed_replies(
    opponent: Any,
    start: Position,
    observations: NDArray[Any],
    masks: NDArray[np.int8],
    players: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Returns the opponent's actions, int64 (n,), by ``act_on_observations``; see ``replies``."""
    seen = observations.astype(np.float32)
    try:
        actions = np.asarray(opponent.act_on_observations(start, seen, masks, players))
    except Exception as error:
        raise _failure(opponent, f"failed at {len(seen)} observations", error) from error
    if actions.shape != (len(seen),) or actions.dtype.kind not in "iu":
        raise OpponentError(
            f"the opponent {opponent!r} answered {actions.dtype} of shape {actions.shape}, not "
            f"{len(seen)} integers"
        )
    inside = (actions >= 0) & (actions < masks.shape[1])
    legal = inside & (masks[np.arange(len(seen)), np.where(inside, actions, 0)] != 0)
    if not legal.all():
        wrong = int(np.argmin(legal))
        raise OpponentError(
            f"the opponent {opponent!r}, as player {players[wrong]}, answered {actions[wrong]}, "
            f"which is not a legal action; legal: {np.flatnonzero(masks[wrong]).tolist()}"
        )
    return actions.astype(np.int64)


def report_results(opponents: Sequence[Any], seat: int, utilities: Sequence[float]) -> None:
    """Tells the opponents, in the order of seats, how a game ended; see ``Opponent``."""
    for player, opponent in enumerate(opponents):
        if player != seat and hasattr(opponent, "report_result"):
            ahead = float(np.sign(utilities[seat] - utilities[player]))
            opponent.report_result((1 + ahead) / 2, seat < player)


def action_number(action: Any) -> int:
    """Returns ``action`` as an int; -1 for what is no integer."""
    try:
        return -1 if isinstance(action, bool | np.bool_) else operator.index(action)
    except TypeError:
        return -1


def _checked_reply(opponent: Opponent, position: Position, action: Any) -> int:
    """Returns ``action`` as an int; OpponentError if it is not a legal action."""
    index = action_number(action)
    if not 0 <= index < position.num_actions or not position.legal(index):
        raise OpponentError(
            f"the opponent {opponent!r}, as player {position.to_move}, answered {action!r}, which "
            f"is not a legal action at {position!r}; legal: {position.legal_actions()}"
        )
    return index


def _failure(opponent: Opponent, how: str, error: Exception) -> OpponentError:
    return OpponentError(f"the opponent {opponent!r} {how}: {type(error).__name__}: {error}")
