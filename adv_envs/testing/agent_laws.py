"""Checks by ``check_agent`` what a match relies on."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random
from typing import Any, Protocol

from adv_envs.position import CHANCE, Position, checked

from .game_laws import law, random_action


class Actor(Protocol):
    """Describes an agent, as far as these laws know it."""

    def act(self, position: Any) -> int:
        """Returns a legal action; ValueError if the game is over."""

    def reset(self, seed: int | None = None) -> None:
        """Begins a new game, with random choices from ``seed``."""


def check_agent(
    agent: Actor,
    position: Position,
    games: int = 4,
    seed: int = 0,
    make: Callable[[str], Any] | None = None,
) -> None:
    """Lets ``agent`` play ``games`` from ``position``; AssertionError names the law it breaks.

    The agent must

    - answer every position, in every seat, with a legal action of type ``int``;
    - leave positions as they were;
    - give the same answers again after the same ``reset(seed)``;
    - raise ``ValueError`` at the end of a game, where there is no action to choose;
    - have a ``repr`` that says what it is; with ``make``, which turns a spec into an agent, the
      ``repr`` is read back.

    It takes each seat in turn against random moves, then all seats, and plays every game twice
    with the same seed: an agent that thinks for a time, not to a depth, may well answer
    differently.
    """
    position, rng = checked(position), Random(seed)
    with law(speaking.__doc__, agent):
        speaking(agent, make)
    for number in range(games):
        seat, game_seed = number % (position.num_players + 1), rng.randrange(2**31)
        first = playing(agent, position, seat, game_seed)
        again = playing(agent, position, seat, game_seed)
        with law(repeating.__doc__, agent):
            repeating(first, again)


def speaking(agent: Actor, make: Callable[[str], Any] | None) -> None:
    """repr(agent) is its spec: what it is called, and what it was made with."""
    spec = repr(agent)
    assert " object at 0x" not in spec, "has no repr: write its name and its fields"
    if make is not None:
        again = make(spec)
        assert type(again) is type(agent), f"make({spec!r}) is {again!r}"
        assert repr(again) == spec, f"make({spec!r}) calls itself {again!r}"


def repeating(first: list[int], again: list[int]) -> None:
    """After the same reset(seed), the same calls give the same actions."""
    assert again == first, f"the game was once {first} and then {again}"


def playing(agent: Actor, position: Any, seat: int, seed: int) -> list[int]:
    """Plays the game of ``agent`` at ``seat`` (num_players: all seats) against random moves."""
    rng, everywhere = Random(seed), position.num_players
    agent.reset(seed)
    actions: list[int] = []
    while not position.is_terminal():
        player = position.to_move
        if player != CHANCE and seat in (player, everywhere):
            with law(acting.__doc__, (agent, position)):
                actions.append(acting(agent, position))
        else:
            actions.append(random_action(position, rng))
        position = position.play(actions[-1])
    with law(stopping.__doc__, (agent, position)):
        stopping(agent, position)
    return actions


def acting(agent: Actor, position: Any) -> int:
    """act() answers with a legal action, a Python int, and leaves the position as it is."""
    position = position.hidden(position.to_move)
    before = copy.deepcopy(tuple(position))
    action = agent.act(position)
    assert tuple(position) == before, "act() changed the position"
    assert type(action) is int, f"act() answers {action!r}: it must be an int"
    legal = position.legal_actions()
    assert action in legal, f"act() answers {action}, which is illegal; legal: {legal}"
    return action


def stopping(agent: Actor, position: Any) -> None:
    """act() raises ValueError when the game is over."""
    try:
        action = agent.act(position)
    except ValueError:
        return
    raise AssertionError(f"the game is over, and act() answers {action!r}: raise ValueError")
