"""Checks by ``check_env`` what our environments promise on top of PettingZoo's ``api_test``."""

from __future__ import annotations

import copy
import io
import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from random import Random
from typing import Any

import numpy as np

from adv_envs.position import CHANCE

from .game_laws import law, random_action


def check_env(env_or_factory: Any, games: int = 5, seed: int = 0) -> None:
    """Holds an AEC environment of ``adv_envs`` to our laws; AssertionError names the broken one.

    Give the environment, wrapped or not, or a function that makes one. Each law is tried on
    ``games`` random games. PettingZoo's ``api_test`` and ``seed_test`` are worth running as well.
    """
    hold(env_or_factory, "position", LAWS, same_game, Random(seed), games)


def hold(
    env_or_factory: Any,
    needed: str,
    laws: Sequence[Callable[[Any, Random], None]],
    same_game: Callable[[Any, Any, int], None],
    rng: Random,
    games: int,
) -> None:
    """Holds an environment, which has ``needed``, to laws, two of a factory to ``same_game``."""
    env = env_or_factory() if callable(env_or_factory) else env_or_factory
    assert hasattr(env.unwrapped, needed), f"{env} has no {needed}: not one of adv_envs"
    for each in laws:
        with law(each.__doc__, _Shown(env)):
            for _ in range(games):
                each(env, rng)
    if callable(env_or_factory):
        with law("The same seed and the same actions give the same game.", _Shown(env)):
            same_game(env, env_or_factory(), rng.randrange(2**31))


class _Shown:
    """Shows where a law is broken: the environment, and what it shows when that is asked."""

    def __init__(self, env: Any) -> None:
        self.env = env

    def __repr__(self) -> str:
        inside = self.env.unwrapped
        played = f", player {inside.seat}, {inside.actions}" if hasattr(inside, "seat") else ""
        return f"{self.env} at {inside.whole_position!r}{played}"


# ---- games, moment by moment, as values that can be compared


def moments(env: Any, seed: int) -> Iterator[dict[str, Any]]:
    """Plays on at random from here: all that can be seen before each step, and at the end."""
    rng = Random(seed)
    while env.agents:
        now = moment(env)
        yield now
        env.step(_random_legal(now, rng))
    yield {"agents": [], "rewards": dict(env.rewards), "position": env.unwrapped.whole_position}


def moment(env: Any) -> dict[str, Any]:
    """Returns all that can be seen of an environment whose game is not over for everybody."""
    seen, reward, terminated, truncated, info = env.last()
    return {
        "agent": env.agent_selection,
        "observation": seen["observation"].tolist(),
        "mask": seen["action_mask"].tolist(),
        "reward": reward,
        "over": (terminated, truncated),
        "info": dict(info),
        "agents": list(env.agents),
        "rewards": dict(env.rewards),
        "terminations": dict(env.terminations),
        "truncations": dict(env.truncations),
        "position": env.unwrapped.whole_position,
    }


def _random_legal(now: dict[str, Any], rng: Random) -> int | None:
    if any(now["over"]):
        return None
    return rng.choice([action for action, legal in enumerate(now["mask"]) if legal])


def midway(env: Any, rng: Random) -> None:
    """Resets, and play some of a game: stop before its end, if it lasts long enough."""
    env.reset(seed=rng.randrange(2**31))
    for _ in range(rng.choice([0, 1, 2, 3, 5, 8, 13])):
        before = env.unwrapped.whole_position
        env.step(_random_legal(moment(env), rng))
        if env.unwrapped.whole_position.is_terminal():
            env.reset(options={"position": before})
            return


# ---- the laws


def beginning(env: Any, rng: Random) -> None:
    """reset() begins a new game with every agent, whatever options it does not know."""
    env.reset(seed=rng.randrange(2**31), options={"no such option": 1})
    start, agents = env.unwrapped.start, env.possible_agents
    assert len(agents) == start.num_players, f"{start.num_players} players, but agents {agents}"
    assert list(env.agents) == agents, f"agents are {env.agents} after reset, not {agents}"
    if start.to_move != CHANCE and not start.is_terminal():
        assert env.unwrapped.whole_position == start, f"begins at {env.unwrapped.whole_position!r}"
        assert env.agent_selection == agents[start.to_move], f"{env.agent_selection} begins"
    for agent in agents:
        assert env.observation_space(agent) is env.observation_space(agent), "a new space"
        assert env.action_space(agent) is env.action_space(agent), "a new space"
        assert env.action_space(agent).n == start.num_actions, "not num_actions actions"
        over = env.terminations[agent] or env.truncations[agent]
        assert not over or start.is_terminal(), f"{agent} is out of the game after reset"


def seeing(env: Any, rng: Random) -> None:
    """Observations are new arrays in their space, and the mask is what legal() says, or zeros."""
    env.reset(seed=rng.randrange(2**31))
    for now in moments(env, rng.randrange(2**31)):
        for agent in now["agents"]:
            seen, again = env.observe(agent), env.observe(agent)
            space = env.observation_space(agent)
            assert space.contains(seen), f"{agent}'s observation is outside its space: {seen}"
            for key, array in seen.items():
                assert array.dtype == space[key].dtype, f"{key} has the type {array.dtype}"
                assert np.array_equal(array, again[key]), f"{key} is another one when asked again"
                assert not np.shares_memory(array, again[key]), f"{key} is not a new array"
                array[...] = 1 - array
                same = np.array_equal(env.observe(agent)[key], again[key])
                assert same, f"changing an observed {key} changes what is observed later"
            _mask(env, agent, again["action_mask"])
            planes = np.zeros(again["observation"].shape, int)
            now["position"].observe(env.possible_agents.index(agent), planes)
            same = np.array_equal(again["observation"], planes)
            assert same, f"{agent} sees {again['observation']}, and observe() says {planes}"


def viewing(env: Any, rng: Random) -> None:
    """``position`` is what the agent to act sees; no other position is shown, drawn or told."""
    env.reset(seed=rng.randrange(2**31))
    inside = env.unwrapped
    for now in moments(env, rng.randrange(2**31)):
        if now["agents"]:
            player = env.possible_agents.index(now["agent"])
            view = now["position"].hidden(player)
            assert inside.position == view, f"{now['agent']} is shown {inside.position!r}"
            assert inside.view("own") == inside.view(player) == view, "view() shows another"
            assert inside.view("all") == now["position"], "view('all') must show everything"


def _mask(env: Any, agent: str, mask: Any) -> None:
    position = env.unwrapped.whole_position
    if agent != env.agent_selection:
        assert not mask.any(), f"{agent} is not to move: its mask must be all zeros, not {mask}"
    elif not position.is_terminal():
        next_agent = env.possible_agents[position.to_move]
        assert agent == next_agent, f"{agent} is selected, and {next_agent} is to move"
        legal = [int(position.legal(action)) for action in range(position.num_actions)]
        assert mask.tolist() == legal, f"the mask is {mask}, and legal() says {legal}"


def rewarding(env: Any, rng: Random) -> None:
    """Rewards are 0 before the end and the utilities at the end; then every agent leaves."""
    env.reset(seed=rng.randrange(2**31))
    expected: dict[str, float] = {}
    given = dict.fromkeys(env.agents, 0.0)
    for now in moments(env, rng.randrange(2**31)):
        position = now["position"]
        if not now["agents"]:
            break
        given[now["agent"]] += now["reward"]
        over = position.is_terminal()
        if over and not expected:
            players = enumerate(env.possible_agents)
            expected = {agent: position.utility(player) for player, agent in players}
            assert now["rewards"] == expected, f"rewards are {now['rewards']}, not {expected}"
        elif not over:
            assert not any(now["rewards"].values()), f"rewards before the end: {now}"
        assert now["over"] == (over, False), f"terminated, truncated: {now['over']}"
    assert given == expected, f"in all, last() gave {given}, and the game was worth {expected}"
    assert not env.agents, f"{env.agents} are still there after the end"


def copying(env: Any, rng: Random) -> None:
    """copy.deepcopy and pickle keep the game; copies play on alike, none in another's way."""
    midway(env, rng)
    copies = [env, copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    seed = rng.randrange(2**31)
    games = [moments(each, seed) for each in copies]
    for original, deep, pickled in zip(*games, strict=True):
        assert deep == original, f"after deepcopy: {deep}\n  not {original}"
        assert pickled == original, f"after pickle: {pickled}\n  not {original}"


def positioning(env: Any, rng: Random) -> None:
    """A game continues from any position: env.unwrapped.position = p, or reset's options."""
    midway(env, rng)
    middle = env.unwrapped.whole_position
    position = middle
    while not position.is_terminal():
        position = position.play(random_action(position, rng))
    for there in (middle, position, middle):
        env.reset(options={"position": there})
        _continues(env, there)
        env.unwrapped.position = there
        _continues(env, there)
    seed = rng.randrange(2**31)
    games = []
    for again in (True, False):
        env.reset(seed=seed, options={"position": middle})
        if again:
            env.unwrapped.position = middle
        games.append(list(moments(env, seed)))
    assert games[0] == games[1], "assigned and given to reset, a position goes on differently"
    for wrong in ("nonsense", None, 3):
        refuses((TypeError, ValueError), env.reset, None, {"position": wrong})


def _continues(env: Any, there: Any) -> None:
    assert env.unwrapped.whole_position == there, f"the position is not {there!r}, which was set"
    assert list(env.agents) == env.possible_agents, f"only {env.agents} are there"
    over = there.is_terminal()
    for player, agent in enumerate(env.possible_agents):
        expected = there.utility(player) if over else 0
        assert env.rewards[agent] == expected, f"{agent} is rewarded {env.rewards[agent]}"
        assert env.terminations[agent] == over, f"{agent} is terminated: {not over}"


def refusing(env: Any, rng: Random) -> None:
    """A forbidden action raises and changes nothing, or, if illegal, ends the game at -1."""
    midway(env, rng)
    before = moment(env)
    if any(before["over"]):
        return
    count = env.unwrapped.num_actions
    for outside in (-1, count, count + 7, None, "nonsense", 0.5):
        refuses((AssertionError, ValueError, TypeError), env.step, outside)
        assert moment(env) == before, f"the refused action {outside!r} changes {before}"
    illegal = [action for action, legal in enumerate(before["mask"]) if not legal]
    if illegal:
        try:
            with redirect_stdout(io.StringIO()):  # the wrappers warn in print
                env.step(rng.choice(illegal))
        except ValueError:
            assert moment(env) == before, f"a refused illegal action changes {before}"
        else:
            _forfeited(env, before)


def _forfeited(env: Any, before: dict[str, Any]) -> None:
    assert env.unwrapped.whole_position == before["position"], "an illegal action was played"
    expected = {agent: -1 if agent == before["agent"] else 0 for agent in env.possible_agents}
    for end in (env.terminations, env.truncations):
        assert end == dict.fromkeys(expected, True), f"not over after an illegal action: {end}"
    assert env.rewards == expected, f"rewards for an illegal action are {env.rewards}"
    paid = {now["agent"]: now["reward"] for now in moments(env, 0) if now["agents"]}
    assert paid == expected, f"last() pays {paid} for an illegal action, not {expected}"


def refuses(errors: tuple[type[Exception], ...], call: Callable[..., Any], *args: Any) -> None:
    """Raises AssertionError unless ``call`` raises one of ``errors``."""
    try:
        call(*args)
    except errors:
        return
    raise AssertionError(f"{args} is accepted: raise {' or '.join(e.__name__ for e in errors)}")


def seeds(env: Any, rng: Random) -> None:
    """The same seed and the same actions give the same game, chance included."""
    same_game(env, env, rng.randrange(2**31))


def same_game(env: Any, other: Any, seed: int) -> None:
    """Plays the same game on both, one after the other, and compares all that is seen."""
    games = []
    for each in (env, other):
        each.reset(seed=seed)
        games.append(list(moments(each, seed)))
    for first, second in zip(*games, strict=True):
        assert first == second, f"once {first}\n  and then {second}"


LAWS = [beginning, seeing, viewing, rewarding, seeds, copying, positioning, refusing]
