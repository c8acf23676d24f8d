"""The law of ``BatchVectorEnv``: every field is that of Gymnasium's own vector environment.

Gymnasium's ``SyncVectorEnv`` over single environments, each in ``TimeLimit``, and the batch play
the same actions. Single environments are ``GymEnv`` and, for self-play, a loop over the AEC
environment. Chance falls alike, as single environments draw from the generators of the batch.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeLimit
from samples import SAMPLES

from adv_envs import CHANCE, ConnectFour, Position, raw_env
from adv_envs.batch.boards import Boards
from adv_envs.batch.vector import BatchVectorEnv
from adv_envs.bits import pack
from adv_envs.envs.gym import GymEnv
from adv_envs.jit import disabled
from adv_envs.random import advanced, below, fraction, scattered

ENVS, STEPS = 3, 20


def lowest(position: Any) -> int:
    """An opponent that two environments can share: the lowest legal action."""
    return int(position.legal_actions()[0])


class Stream:
    """Draws as an environment of a batch does; takes the place of NumPy's generator."""

    def __init__(self, seed: int) -> None:
        self.state = scattered(seed)

    def random(self) -> float:
        self.state = advanced(self.state)
        return float(fraction(self.state))

    def integers(self, number: int) -> int:
        self.state = advanced(self.state)
        return below(self.state, number)


class Compiled:
    """An opponent of the batch in a single game: its move, drawn from that game's stream."""

    def __init__(self, start: Position, name: str) -> None:
        self.name, self.boards = name, Boards(start, 1, 1)
        self.env: Any = None

    def act(self, _: Position) -> int:
        boards, stream = self.boards, self.env.stream
        pack(self.env.whole_position, boards.state.words[0])
        boards.state.generators[0] = stream.state
        action = boards.replies(self.name, np.ones(1, np.bool_))[0]
        stream.state = int(boards.state.generators[0])
        return int(action)


class Single(GymEnv):
    """``GymEnv`` with the random numbers and the "utilities" of an environment of a batch."""

    stream: Any = None

    @property
    def np_random(self) -> Any:
        return self.stream

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        if seed is not None:
            self.stream = Stream(seed)
        for opponent in self._pool.pool:
            if isinstance(opponent, Compiled):
                opponent.env = self
        seen, info = super().reset(seed=seed, options=options)
        return seen, info | {"utilities": self.utilities(False, None)}

    def step(self, action: Any) -> Any:
        seen, reward, over, cut, info = super().step(action)
        forfeit = self.illegal_reward if "reason" in info else None
        return seen, reward, over, cut, info | {"utilities": self.utilities(over, forfeit)}

    def utilities(self, over: bool, forfeit: float | None) -> Any:
        found = np.zeros(self.start.num_players, np.float32)
        if forfeit is not None:
            found[self.seat] = forfeit
        elif over:
            found[:] = [self.whole_position.utility(player) for player in range(len(found))]
        return found


class SelfPlay(gymnasium.Env[Any, Any]):
    """All moves of a game in one environment, played in the AEC environment."""

    def __init__(
        self, start: Position, mask_in_observation: bool, illegal_reward: float, **form: Any
    ) -> None:
        self.aec = raw_env(start, **form)
        self.inside, self.illegal_reward = mask_in_observation, illegal_reward
        space = self.aec.observation_space("player_0")
        keys = form.get("keys", {})
        self.names = [keys.get(name, name) for name in ("observation", "action_mask")]
        self.observation_space = space if self.inside else space[self.names[0]]
        self.action_space = self.aec.action_space("player_0")
        self.stream: Any = None

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        if seed is not None:
            self.stream = Stream(seed)
        self.aec.np_random = self.stream
        self.aec.reset(options=options)
        self.over = False
        early = self.aec.whole_position.is_terminal()
        return self.seen(np.int8(1) if early else None)

    def seen(self, mask: Any = None, **more: Any) -> Any:
        agent = self.aec.agent_selection
        seen = self.aec.observe(agent)
        if mask is not None:
            seen[self.names[1]][:] = mask
        player = self.aec.possible_agents.index(agent)
        utilities = np.zeros(len(self.aec.possible_agents), np.float32)
        info = {"action_mask": seen[self.names[1]].copy(), "to_move": player}
        info |= {"utilities": utilities, **more}
        return (seen if self.inside else seen[self.names[0]]), info

    def step(self, action: Any) -> Any:
        assert not self.over
        aec, position = self.aec, self.aec.whole_position
        mover = aec.possible_agents.index(aec.agent_selection)
        utilities, reason = np.zeros(len(aec.possible_agents), np.float32), {}
        if not position.is_terminal():
            try:
                aec.step(action)
                self.over = aec.whole_position.is_terminal()
            except ValueError as error:  # illegal
                reason = {"reason": str(error).replace("player_", "player ")}
                self.over, utilities[mover] = True, self.illegal_reward
        else:
            self.over = True
        if self.over and not reason:
            utilities[:] = list(aec.rewards.values())
        seen, info = self.seen(np.int8(0) if self.over else None, **reason)
        return seen, float(utilities[mover]), self.over, False, info | {"utilities": utilities}


# ---- the two, side by side


def pair(start: Position, opponent: Any, limit: int | None, mode: Any, **how: Any) -> Any:
    """The batch, and Gymnasium's vector environment of as many single ones."""
    seat = {} if opponent == "self" else {"seat": how.pop("seat")}
    both = {"illegal_reward": -0.5, **how}
    ours: Any = BatchVectorEnv(
        ENVS, start, opponent=opponent, threads=1, autoreset_mode=mode, max_episode_steps=limit,
        **seat, **both,
    )  # fmt: skip

    def single() -> Any:
        if opponent == "self":
            env: Any = SelfPlay(start, **both)
        else:
            facing = Compiled(start, opponent) if isinstance(opponent, str) else opponent
            env = Single(start, opponent=facing, **seat, **both)
        return env if limit is None else TimeLimit(env, limit)

    return ours, SyncVectorEnv([single] * ENVS, autoreset_mode=mode)


def same(ours: Any, theirs: Any, told: Any = ...) -> None:
    """Hold two parts of what environments return to be equal; arrays only where ``told``."""
    if isinstance(theirs, dict):
        assert set(ours) == set(theirs)
        for key, value in theirs.items():
            same(ours[key], value, theirs.get(f"_{key}", told))
    elif theirs is None or isinstance(theirs, str):
        assert ours == theirs
    else:
        assert (ours.shape, ours.dtype) == (theirs.shape, theirs.dtype)
        if ours.dtype == object:
            for mine, other in zip(ours, theirs, strict=True):
                same(mine, other)
        else:
            assert np.array_equal(ours[told], theirs[told])


def compare(ours: Any, theirs: Any) -> None:
    """Hold what ``reset`` or ``step`` returned to be equal, but for rewards in float32."""
    same(ours[0], theirs[0])
    if (final := theirs[-1].get("final_info")) is not None:  # ours are always those of the step
        ended = theirs[-1]["_final_info"]
        theirs[-1]["utilities"][ended] = final["utilities"][ended]
    same(ours[-1], theirs[-1])
    if len(ours) > 2:
        same(ours[1], theirs[1].astype(np.float32))
        same(ours[2], theirs[2])
        same(ours[3], theirs[3])


def actions(infos: Any, masks: Any, rng: Any) -> Any:
    """Legal actions, one in twelve at random: illegal ones among them."""
    number = masks.shape[1]
    drawn = [int(rng.choice(mask.nonzero()[0])) if mask.any() else 0 for mask in masks]
    return np.where(rng.random(len(masks)) < 11 / 12, drawn, rng.integers(number, size=len(masks)))


def midway(start: Position, rng: Any, plies: int) -> Position | None:
    """A position of a random game where a player is to move, if it lasts as long."""
    position = start
    while plies > 0 or position.to_move == CHANCE:
        if position.is_terminal():
            return None
        position = position.play(int(rng.choice(position.legal_actions())))
        plies -= 1
    return None if position.is_terminal() else position


def resets(start: Position, rng: Any, opponent: Any) -> Iterator[dict[str, Any]]:
    """Options of ``reset``: none, a seat, a position with the seat that is to move."""
    while True:
        yield {}
        if opponent != "self":
            yield {"seat": int(rng.integers(start.num_players))}
        position = midway(start, rng, int(rng.integers(1, 9)))
        if position is not None:
            seat = {} if opponent == "self" else {"seat": position.to_move}
            yield {"position": position, **seat}


def reset_both(ours: Any, theirs: Any, seed: int | None, options: dict[str, Any]) -> Any:
    """Reset both, with chance of the second going on from where that of the first is."""
    both = ours.reset(seed=seed, options=dict(options)), theirs.reset(seed=seed, options=options)
    if "position" in options:  # the batch has begun a game from the start before
        for env, state in zip(theirs.envs, ours.boards.state.generators.tolist(), strict=True):
            env.unwrapped.stream.state = state
    return both


def play(start: Position, opponent: Any, mode: Any, limit: int | None, rng: Any, **how: Any) -> Any:
    """Play both, step by step, and compare everything; how many games ended and were truncated."""
    ours, theirs = pair(start, opponent, limit, mode, **how)
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.action_space == theirs.action_space
    options = resets(start, rng, opponent)
    both = reset_both(ours, theirs, int(rng.integers(100)), next(options))
    compare(*both)
    counts = np.zeros(2, int)
    for _ in range(STEPS):
        masks = ours.action_masks()
        chosen = actions(both[0][-1], masks, rng)
        both = ours.step(chosen), theirs.step(chosen)
        compare(*both)
        over = both[0][2] | both[0][3]
        counts += both[0][2].sum(), (both[0][3] & ~both[0][2]).sum()
        if mode is AutoresetMode.DISABLED and over.any():
            both = reset_both(ours, theirs, None, {"reset_mask": over, **next(options)})
            compare(*both)
        elif rng.random() < 0.04:
            both = reset_both(ours, theirs, rng.choice([None, 7]), next(options))
            compare(*both)
    return counts


OPPONENTS = [lowest, "self", "random", "greedy"]

FORMS: list[dict[str, Any]] = [
    {},
    {"mask_dtype": "bool", "keys": {"observation": "observations"}},
    {"flatten": True, "dtype": "float32", "mask_dtype": "float32", "channels_first": True},
    {"channels_first": True, "keys": {"action_mask": "mask"}},
]


SOON_COMPILED = ("tic_tac_toe", "kuhn", "pig", "rock_paper_scissors")
"""Games whose batches, with every opponent, are compiled in seconds."""
GAMES = [
    name if disabled() or name in SOON_COMPILED else pytest.param(name, marks=pytest.mark.slow)
    for name in SAMPLES
]


@pytest.mark.plain
@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("name", GAMES)
def test_every_field_is_that_of_gymnasiums_own(name: str, mode: AutoresetMode) -> None:
    rng = np.random.default_rng(len(name))
    counts = np.zeros(2, int)
    starts = SAMPLES[name].small
    for number, opponent in enumerate(OPPONENTS):
        for limit, start in ((1, starts[0]), (rng.choice([None, 2, 4]), starts[number % 2])):
            if opponent == "greedy" and not start.perfect_information:
                continue
            how: dict[str, Any] = {"mask_in_observation": limit is None, **FORMS[number]}
            if limit is not None:
                how.pop("keys", None)
            if opponent != "self":
                how["seat"] = ["alternate", "random", 1, 0][int(rng.integers(4))]
            counts += play(start, opponent, mode, limit, rng, **how)
    assert counts.all(), "no game ended, or none was truncated"


@pytest.mark.compiled
@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("opponent", [lowest, "self", "random"])
def test_compiled_fields_are_those_of_gymnasiums_own(opponent: Any, mode: AutoresetMode) -> None:
    rng = np.random.default_rng(5)
    seat = {} if opponent == "self" else {"seat": "alternate"}
    counts = sum(
        play(ConnectFour(), opponent, mode, limit, rng, mask_in_observation=inside, **seat)
        for inside in (False, True)
        for limit in (1, 3, None, None)
    )
    assert counts.all(), "no game ended, or none was truncated"
