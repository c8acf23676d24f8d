"""``Env`` behaves as PettingZoo's three standard wrappers, to the letter, whatever is called.

The same calls, in any order, sensible or not, go to two environments: the results, the exceptions
with their messages, the warnings and the log, and all that can be seen afterwards must be equal.
"""

import copy
import importlib
import pickle
import warnings
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pettingzoo.utils import wrappers
from pettingzoo.utils.env_logger import EnvLogger
from small_games import Heap, Race

import adv_envs
from adv_envs import ConnectFour, Fig52, Hex, Position, ThirtyOne, TicTacToe
from adv_envs.envs.aec import Env
from adv_envs.jit import disabled

pytestmark = [pytest.mark.plain, pytest.mark.again]

EXAMPLES = 60 if disabled() else 150


def wrapped(start: Position) -> Any:
    """The standard wrappers around the plain environment: what ``adv_envs.env`` must equal."""
    env = wrappers.TerminateIllegalWrapper(adv_envs.raw_env(start), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


def classic(name: str) -> Any:
    return importlib.import_module(f"pettingzoo.classic.{name}").env()


# ---- what can be seen


def plain(value: Any, env: Any) -> Any:
    """``value`` with agents as numbers and arrays as lists, to compare with another env's."""
    if isinstance(value, str):
        names = {agent: f"agent {i}" for i, agent in enumerate(env.possible_agents)}
        return names.get(value, value)
    if isinstance(value, dict):
        return {plain(key, env): plain(item, env) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item, env) for item in value]
    if isinstance(value, np.ndarray):
        return value.tolist(), str(value.dtype)
    if isinstance(value, bool | int | float | None):
        return type(value) is bool, value
    return value


def unnamed(text: str, env: Any) -> str:
    for i, agent in enumerate(env.possible_agents):
        text = text.replace(f"'{agent}'", f"agent {i}")
    return text


ATTRIBUTES = [
    *("agents", "agent_selection", "rewards", "terminations", "truncations", "infos"),
    *("num_agents", "max_num_agents", "possible_agents", "_cumulative_rewards", "render_mode"),
]


def outcome(env: Any, call: Callable[[Any], Any]) -> dict[str, Any]:
    """What a call does: its result or its exception, what it logs, and what it warns of."""
    EnvLogger.flush()
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            result = plain(call(env), env)
        except StopIteration:
            result = "stop"
        except Exception as error:
            result = type(error).__name__, unnamed(str(error), env)
    said = [(w.category.__name__, str(w.message)) for w in warned]
    return {"result": result, "log": sorted(set(EnvLogger.mqueue)), "warned": said}


def same(ours: Any, theirs: Any, call: Callable[[Any], Any], what: object) -> Any:
    mine, yours = outcome(ours, call), outcome(theirs, call)
    assert mine == yours, f"{what}:\n  ours   {mine}\n  theirs {yours}"
    return mine["result"]


def same_sight(ours: Any, theirs: Any, what: object) -> None:
    for name in ATTRIBUTES:
        if name == "_cumulative_rewards":
            values = [getattr(env.unwrapped, name, None) for env in (ours, theirs)]
            assert plain(values[0], ours) == plain(values[1], theirs), f"{name} after {what}"
        elif name != "num_agents" or hasattr(theirs, "agents"):
            same(ours, theirs, lambda env, name=name: getattr(env, name), f"{name} after {what}")


# ---- what can be done


ACTIONS = st.one_of(
    st.integers(-2, 12),
    st.sampled_from(
        [None, "a", "0", 1.0, 0.5, 10**30, -(10**30), [1], (0,), {}, np.float64(1), b"0", 1j]
    ),
    st.integers(-1, 9).flatmap(
        lambda n: st.sampled_from(
            [np.int8(n), np.int32(n), np.int64(n), np.uint8(max(0, n)), np.array(n), np.array([n])]
        )
    ),
)
CALLS = st.one_of(
    st.tuples(st.just("moves"), st.integers(0, 99), st.integers(1, 45)),
    st.tuples(st.just("moves"), st.integers(0, 99), st.integers(1, 5)),
    st.tuples(st.just("step"), ACTIONS),
    st.tuples(st.just("step"), ACTIONS),
    st.tuples(st.just("illegal"), st.integers(0, 99)),
    st.tuples(st.just("end")),
    st.tuples(st.just("reset"), st.sampled_from([None, 0, 7])),
    st.tuples(st.just("last"), st.booleans()),
    st.tuples(st.just("observe"), st.integers(0, 1)),
    st.tuples(st.just("render")),
    st.tuples(st.just("close")),
    st.tuples(st.just("iter"), st.sampled_from([2**63, 0, 1, 3])),
    st.tuples(st.just("next")),
    st.tuples(st.just("next")),
    st.tuples(st.just("loop"), st.integers(0, 99), st.integers(0, 9)),
)


SIMPLE: dict[str, Callable[..., Any]] = {
    "end": lambda env: env.step(None),
    "last": lambda env, observe: env.last(observe),
    "observe": lambda env, number: env.observe(env.possible_agents[number]),
    "render": lambda env: env.render(),
    "close": lambda env: env.close(),
    "state": lambda env: env.state(),
}
"""Calls of one method."""


class Twins:
    """Two environments to which the same is done."""

    def __init__(self, ours: Any, theirs: Any) -> None:
        self.ours, self.theirs = ours, theirs
        self.iterators: dict[int, Any] = {}

    def both(self, what: object, call: Callable[[Any], Any]) -> Any:
        return same(self.ours, self.theirs, call, what)

    def do(self, kind: str, *arguments: Any) -> None:
        if kind in SIMPLE:
            self.both(kind, lambda env: SIMPLE[kind](env, *arguments))
        else:
            getattr(self, kind)(*arguments)
        same_sight(self.ours, self.theirs, (kind, *arguments))

    def legal(self) -> list[int]:
        """The legal actions, or nothing if nobody is to move."""
        env = self.ours
        if "agents" not in env.__dict__ or not env.agents:
            return []
        agent = env.agent_selection
        if env.terminations[agent] or env.truncations[agent]:
            return []
        return [int(a) for a in np.flatnonzero(env.observe(agent)["action_mask"])]

    def moves(self, seed: int, count: int) -> None:
        rng = Random(seed)
        for _ in range(count):
            if not (legal := self.legal()):
                return
            self.step(rng.choice(legal))

    def step(self, action: Any) -> None:
        self.both(("step", action), lambda env: env.step(action))

    def illegal(self, seed: int) -> None:
        """An action of the space that is not legal, where there is one."""
        legal = self.legal()
        others = [a for a in range(self.ours.unwrapped.num_actions) if a not in legal]
        if legal and others:
            self.step(Random(seed).choice(others))

    def reset(self, seed: int | None) -> None:
        self.both(("reset", seed), lambda env: env.reset(seed=seed, options={"unknown": 1}))
        self.theirs.unwrapped._skip_agent_selection = None  # PettingZoo's own games forget to

    def iter(self, max_iter: int) -> None:
        self.iterators.clear()

        def begin(env: Any) -> None:
            self.iterators[id(env)] = iter(env.agent_iter(max_iter))

        self.both("agent_iter", begin)

    def next(self) -> None:
        if self.iterators:
            told = self.both("next", lambda env: next(self.iterators[id(env)]))
            if isinstance(told, tuple) or told == "stop":  # what may follow is tested by hand
                self.iterators.clear()

    def loop(self, seed: int, skipped: int) -> None:
        """The usual loop, but in round number ``skipped`` there is no step."""

        def play(env: Any) -> list[Any]:
            rng, seen = Random(seed), []
            for number, agent in enumerate(env.agent_iter(30)):
                observation, *rest = env.last()
                seen.append((agent, observation, *rest))
                if number == skipped:
                    continue
                legal = np.flatnonzero(observation["action_mask"]).tolist()
                env.step(None if rest[1] or rest[2] else rng.choice(legal))
            return seen

        self.both("loop", play)


def fuzz(twins: Twins, calls: list[Any]) -> None:
    same_sight(twins.ours, twins.theirs, "nothing")
    for call in calls:
        twins.do(*call)


def begun(calls: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
    """Lists of calls; most of them begin with a reset, as they should."""
    lists = st.lists(calls, max_size=25)
    return st.one_of(lists.map(lambda some: [("reset", None), *some]), lists)


@pytest.mark.parametrize(
    ("name", "theirs"), [("tic_tac_toe", "tictactoe_v3"), ("connect_four", "connect_four_v3")]
)
@settings(deadline=None, derandomize=True, max_examples=EXAMPLES)
@given(calls=begun(CALLS))
def test_as_pettingzoo(name: str, theirs: str, calls: list[Any]) -> None:
    fuzz(Twins(adv_envs.env(name), classic(theirs)), calls)


GAMES = [
    TicTacToe(),
    TicTacToe(1, 2, 2),
    ConnectFour(2, 3, 2),
    Hex(3, swap=True),
    ThirtyOne(limit=9, num_players=3),
    Fig52(),
    Race(goal=4),
    Heap(size=6),
]


@pytest.mark.parametrize("start", GAMES, ids=lambda start: type(start).__name__)
@settings(deadline=None, derandomize=True, max_examples=EXAMPLES // 2)
@given(
    calls=begun(
        st.one_of(
            CALLS,
            CALLS,
            st.tuples(st.just("state")),
            st.tuples(st.just("copy"), st.sampled_from([copy.deepcopy, "pickle"])),
            st.tuples(st.just("jump"), st.integers(0, 99), st.integers(0, 9)),
        )
    )
)
def test_as_the_wrappers(start: Position, calls: list[Any]) -> None:
    twins = MoreTwins(adv_envs.env(start), wrapped(start))
    twins.both("seed", lambda env: env.unwrapped.__dict__.update(np_random=Dice()))
    fuzz(twins, calls)


class Dice:
    """A random generator that both environments can have, and that nobody reseeds."""

    def __init__(self) -> None:
        self.rng = Random(0)

    def random(self) -> float:
        return self.rng.random()


class MoreTwins(Twins):
    """Calls that PettingZoo's own games do not have, or do not survive."""

    def copy(self, how: Any) -> None:
        """Go on with copies."""
        if how == "pickle":
            self.ours, self.theirs = pickle.loads(pickle.dumps((self.ours, self.theirs)))
        else:
            self.ours, self.theirs = how(self.ours), how(self.theirs)
        self.iterators.clear()

    def jump(self, seed: int, plies: int) -> None:
        """Reset to a position somewhere in a game."""
        rng, position = Random(seed), self.ours.unwrapped.start
        for _ in range(plies):
            if not position.is_terminal():
                position = position.play(rng.choice(position.legal_actions()))
        options = {"position": position}
        self.both(options, lambda env: env.reset(options=options))


# ---- by hand, what a fuzz may miss


def test_an_iterator_goes_on_after_its_complaint_and_after_its_end() -> None:
    """A forgotten step raises; after the step, and in the next game, the same iterator goes on."""
    told = []
    for env in (adv_envs.env("tic_tac_toe"), classic("tictactoe_v3")):
        env.reset()
        agents = iter(env.agent_iter())
        next(agents)
        with pytest.raises(AssertionError, match=r"need to call step\(\) or reset\(\)"):
            next(agents)
        env.step(0)
        told.append(env.possible_agents.index(next(agents)))
        env.step(1)
        for _ in agents:
            mask = env.last()[0]["action_mask"]
            env.step(None if any(env.last()[2:4]) else int(np.argmax(mask)))
        env.reset()
        told.append(env.possible_agents.index(next(agents)))
    assert told == [1, 0, 1, 0]


def test_every_iterator_counts_for_itself() -> None:
    for env in (adv_envs.env("tic_tac_toe"), classic("tictactoe_v3")):
        env.reset()
        agents = env.agent_iter(2)
        for _ in range(2):
            seen = 0
            for _ in agents:
                seen += 1
                env.step(int(np.argmax(env.last()[0]["action_mask"])))
            assert seen == 2


def test_true_is_not_an_action_by_accident() -> None:
    """PettingZoo's wrappers stumble over True; ours must not play action 1 for it either."""
    for env in (adv_envs.env("tic_tac_toe"), classic("tictactoe_v3")):
        env.reset()
        with pytest.raises((AssertionError, ValueError)):
            env.step(True)


@pytest.mark.parametrize(
    "name",
    ["rewards", "terminations", "truncations", "infos", "agent_selection", "agents", "num_agents"],
)
def test_nothing_is_seen_before_reset(name: str) -> None:
    for env in (adv_envs.env("hex", size=3), classic("connect_four_v3")):
        with pytest.raises(AttributeError, match=f"{name} cannot be accessed before reset"):
            getattr(env, name)
        assert not hasattr(env, name)


@pytest.mark.parametrize(
    ("call", "what"),
    [
        (lambda env: env.step(0), "step."),
        (lambda env: env.observe(env.possible_agents[0]), "ob"),
        (lambda env: env.state(), "state."),
        (lambda env: env.render(), "render."),
        (lambda env: env.agent_iter(), "agent_iter()."),
    ],
)
def test_nothing_is_done_before_reset(call: Callable[[Any], Any], what: str) -> None:
    for env in (adv_envs.env("hex", size=3), classic("connect_four_v3"), wrapped(Hex(3))):
        with pytest.raises(AssertionError) as caught:
            call(env)
        assert str(caught.value).startswith(f"reset() needs to be called before {what}")


class Mine(Env):
    """Somebody's own environment, made from ours."""


def test_subclasses_are_as_careful() -> None:
    env = Mine(TicTacToe(), "mine_v0")
    with pytest.raises(AttributeError, match="agents cannot be accessed before reset"):
        _ = env.agents
    with pytest.raises(AssertionError, match="needs to be called before step"):
        env.step(0)
    env.reset()
    env.step(0)
    assert isinstance(env, Mine)
    assert env.agent_selection == "player_1"
