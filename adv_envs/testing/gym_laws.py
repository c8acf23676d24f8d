"""Checks by ``check_gym`` what our environments promise on top of Gymnasium's laws."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
from gymnasium.error import InvalidAction, ResetNeeded

from .env_laws import hold, refuses


def check_gym(env_or_factory: Any, games: int = 4, seed: int = 0) -> None:
    """Holds an environment against an opponent to our laws; AssertionError names the broken one.

    Give the environment, wrapped or not, or a function that makes one. Each law is tried on
    ``games`` random games. The opponent must answer alike when it is given the same seed again, as
    one that thinks for a time may not. Gymnasium's ``check_env`` is worth running as well.
    """
    hold(env_or_factory, "opponents", LAWS, _same_game, Random(seed), games)


# ---- playing at random


def _moments(env: Any, rng: Random, seen: Any, info: Any) -> Iterator[dict[str, Any]]:
    """Plays on at random from here: all that can be seen, before each step and at the end."""
    inside, reward, over, truncated = env.unwrapped, 0.0, False, False
    while True:
        choices = info["action_mask"].nonzero()[0].tolist()
        yield {
            "seen": seen,
            "observation": seen["observation"] if inside.mask_in_observation else seen,
            "mask": info["action_mask"],
            "seat": info["seat"],
            "reward": reward,
            "over": (over, truncated),
            "actions": list(inside.actions),
            "position": inside.whole_position,
        }
        if over:
            return
        seen, reward, over, truncated, info = env.step(rng.choice(choices))


def _game(env: Any, seed: int, begun: tuple[Any, Any]) -> list[dict[str, Any]]:
    """Returns the rest of a game as values that can be compared."""
    arrays = ("seen", "observation", "mask")
    return [
        {**now, "seen": None, **{key: now[key].tolist() for key in arrays[1:]}}
        for now in _moments(env, Random(seed), *begun)
    ]


def _begin(env: Any, rng: Random, **options: Any) -> tuple[Any, Any]:
    seen, info = env.reset(seed=rng.randrange(2**31), options=options)
    return seen, info


def _midway(env: Any, rng: Random) -> tuple[Any, Any]:
    """Resets, and play some of a game: stop before its end."""
    seen, info = _begin(env, rng)
    for _ in range(rng.choice([0, 1, 2, 3, 5, 8])):
        before = env.unwrapped.whole_position
        seen, _, over, _, info = env.step(rng.choice(info["action_mask"].nonzero()[0].tolist()))
        if over:
            return _begin(env, rng, position=before, seat=env.unwrapped.seat)
    return seen, info


# ---- the laws


def following(env: Any, rng: Random) -> None:
    """All that happens are legal actions in turn; each of mine is a step, and I miss no turn."""
    begun = _begin(env, rng, **{"no such option": 1})
    for steps, now in enumerate(_moments(env, rng, *begun)):
        position, turns, seat = env.unwrapped.start, 0, now["seat"]
        for action in now["actions"]:
            assert position.legal(action), f"{action} was played, illegally, at {position!r}"
            turns += position.to_move == seat
            position = position.play(action)
        over = position.is_terminal()
        assert position == now["position"], f"the actions lead to {position!r}, not {now}"
        assert over or position.to_move == seat, f"it is not the turn of player {seat}: {now}"
        early = over and turns == 0  # the one step that is left only ends the game
        assert turns == steps or early, f"{turns} turns of player {seat} in {steps} steps: {now}"
        ended = (over and steps > 0, False)
        assert now["over"] == ended, f"terminated, truncated: {now['over']}, not {ended}"


def seeing(env: Any, rng: Random) -> None:
    """Observations are new arrays in their space: what observe() says. Masks are what legal() says.

    At the end the mask is all 0; where the game was over before my first turn, all 1.
    """
    begun = _begin(env, rng)
    for now in _moments(env, rng, *begun):
        position, mask = now["position"], now["mask"]
        assert env.observation_space.contains(now["seen"]), f"outside of its space: {now}"
        planes = np.zeros(position.observation_shape, int)
        position.observe(now["seat"], planes)
        same = np.array_equal(now["observation"], planes)
        assert same, f"seen is {now['observation']}, and observe() says {planes}"
        if position.is_terminal():
            right = [int(not now["over"][0])] * position.num_actions
        else:
            right = [int(position.legal(action)) for action in range(position.num_actions)]
        assert mask.dtype == np.int8, f"the mask is of {mask.dtype}, and Discrete wants int8"
        assert mask.tolist() == right, f"the mask is {mask}, not {right}"
        mask[...], now["observation"][...] = 1 - mask, 1
        again = env.unwrapped.action_masks()
        assert again.dtype == bool, f"action_masks() is of {again.dtype}, not bool"
        assert again.tolist() == [bool(legal) for legal in right], f"action_masks() is {again}"


def rewarding(env: Any, rng: Random) -> None:
    """The reward is 0 before the end, and at the end what the game was worth to me."""
    begun = _begin(env, rng)
    for now in _moments(env, rng, *begun):
        reward, position = now["reward"], now["position"]
        expected = position.utility(now["seat"]) if now["over"][0] else 0
        assert type(reward) is float, f"the reward is {reward!r}: it must be a float"
        assert reward == expected, f"the reward is {reward} and not {expected}: {now}"


def seeds(env: Any, rng: Random) -> None:
    """The same seed and the same actions give the same game, opponents and chance included."""
    _same_game(env, env, rng.randrange(2**31))


def _same_game(env: Any, other: Any, seed: int) -> None:
    first, again = (_game(each, seed, each.reset(seed=seed)) for each in (env, other))
    assert first == again, f"once {first}\n  and then {again}"


def copying(env: Any, rng: Random) -> None:
    """copy.deepcopy and pickle keep the game; copies play on alike, none in another's way."""
    begun = _midway(env, rng)
    seed, copies = rng.randrange(2**31), [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    original = _game(env, seed, begun)
    for how, each in zip(("deepcopy", "pickle"), copies, strict=True):
        again = _game(each, seed, begun)
        assert again == original, f"after {how}: {again}\n  not {original}"


def positioning(env: Any, rng: Random) -> None:
    """reset(options={"position": p, "seat": s}) continues from there, in that seat."""
    _midway(env, rng)
    position, seat = env.unwrapped.whole_position, env.unwrapped.seat
    for _ in range(2):
        _, info = _begin(env, rng, position=position, seat=seat)
        assert env.unwrapped.whole_position == position, (
            f"began at {env.unwrapped.whole_position!r}"
        )
        assert info["seat"] == seat, f"the seat is {info['seat']}, not {seat}"
        assert not env.unwrapped.actions, "somebody else has moved, and it was my turn"
    for wrong in ({"position": "nonsense"}, {"position": 3}, {"seat": -1}, {"seat": "third"}):
        refuses((TypeError, ValueError), lambda options: env.reset(options=options), wrong)


def refusing(env: Any, rng: Random) -> None:
    """What is no action raises and changes nothing; an illegal one ends the game at a penalty."""
    _, info = _midway(env, rng)
    inside, mask = env.unwrapped, info["action_mask"]
    before = (inside.whole_position, list(inside.actions))
    for outside in (-1, mask.size, None, "nonsense", 0.5, True):
        refuses((InvalidAction,), inside.step, outside)
        assert (inside.whole_position, inside.actions) == before, (
            f"{outside!r} was refused and played"
        )
    illegal = [action for action, legal in enumerate(mask) if not legal]
    if not illegal:
        return
    _, reward, *over, info = env.step(rng.choice(illegal))
    assert inside.whole_position == before[0], "an illegal action was played"
    assert reward == inside.illegal_reward, f"the reward is {reward}, not {inside.illegal_reward}"
    assert over == [True, False], f"terminated, truncated: {over}"
    assert "illegal" in info["reason"], f"no reason is given, only {info}"
    assert not info["action_mask"].any(), f"the game is over, and the mask {info['action_mask']}"
    refuses((ResetNeeded,), inside.step, 0)


LAWS = [seeing, following, rewarding, seeds, copying, positioning, refusing]
