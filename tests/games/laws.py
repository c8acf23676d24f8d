"""What the tests of all games share: seeds, views, counts, and games played beside other programs.

``cases.py`` says for each game what these laws need to know.
"""

import random
from collections.abc import Callable, Hashable, Iterable
from functools import cache
from math import inf
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest

from adv_envs import CHANCE
from adv_envs.jit import kernel
from adv_envs.testing.game_laws import random_action

# ---- what many tests need


def fresh_seed() -> int:
    """A seed that is another one in every run, and printed where a test fails."""
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    return seed


def fresh() -> Random:
    return Random(fresh_seed())


def seen(position: Any, player: int) -> Any:
    """The observation of ``player``, as lists."""
    planes = np.zeros(position.observation_shape)
    position.observe(player, planes)
    return planes.tolist()


def utilities(position: Any) -> list[float]:
    return [position.utility(player) for player in range(position.num_players)]


def names(position: Any) -> list[str]:
    return [position.name(action) for action in position.legal_actions()]


def owners(position: Any) -> dict[tuple[int, int], int]:
    """Whose piece stands on each cell that is not empty."""
    cells = [(row, column) for row in range(position.height) for column in range(position.width)]
    found = {cell: position.cell(*cell) for cell in cells}
    return {cell: player for cell, player in found.items() if player is not None}


def random_line(start: Any, rng: Random, plies: float = inf) -> list[Any]:
    """The positions of a random game, the last one finished or after so many plies."""
    line = [start]
    while not line[-1].is_terminal() and len(line) <= plies:
        line.append(line[-1].play(random_action(line[-1], rng)))
    return line


def met(start: Any, rng: Random, good: Callable[[Any], bool]) -> Any:
    """The first unfinished position of random games that is ``good``."""
    while True:
        for position in random_line(start, rng)[:-1]:
            if good(position):
                return position


@kernel
def _lines(position: Any, depth: int, moves: Any) -> int:
    """moves (depth + 1, num_actions) is workspace."""
    if depth == 0:
        return 1
    if position.is_terminal():
        return 0
    number = position.write_legal(moves[depth])
    if depth == 1:
        return int(number)
    lines = 0
    for i in range(number):
        lines += _lines(position.play(int(moves[depth, i])), depth - 1, moves)
    return lines


def perft(position: Any, depth: int) -> int:
    """How many lines of play of ``depth`` plies there are; a finished game has none."""
    return int(_lines(position, depth, np.zeros((depth + 1, position.num_actions), np.int64)))


# ---- beside OpenSpiel


@cache
def load(game: str) -> Any:
    return pytest.importorskip("pyspiel").load_game(game)


def numbered(number: Callable[[Any, int], int]) -> Callable[[Any, Any], dict[int, int]]:
    """Compares the legal actions, where OpenSpiel's is ``number(position, action)``."""

    def actions(position: Any, state: Any) -> dict[int, int]:
        found = {action: number(position, action) for action in position.legal_actions()}
        assert sorted(found.values()) == state.legal_actions(), state.history()
        return found

    return actions


same_numbers = numbered(lambda _, action: action)


def returns(position: Any, state: Any) -> list[float]:
    """What OpenSpiel gives in a game that is over here as well."""
    assert position.is_terminal()
    return utilities(position)


def tensors(position: Any, state: Any) -> None:
    """At decisions every player observes here what OpenSpiel's information state tensor says."""
    for player in range(position.num_players) if position.to_move != CHANCE else ():
        assert seen(position, player) == state.information_state_tensor(player), state.history()


def told(position: Any, state: Any) -> dict[int, Hashable]:
    """OpenSpiel's information state of every player, at decisions."""
    players = range(position.num_players) if position.to_move != CHANCE else ()
    return {player: state.information_state_string(player) for player in players}


class Peer(NamedTuple):
    """How OpenSpiel plays a game of ours."""

    starts: Callable[[Random], Iterable[Any]]
    """Start positions from each of which a game is played, again and again."""
    game: Callable[[Any], str]
    """OpenSpiel's game, as its load_game reads it."""
    actions: Callable[[Any, Any], dict[int, int]] = same_numbers
    """Compares the legal actions; returns those to choose from, each with OpenSpiel's number."""
    look: Callable[[Any, Any], None] = lambda position, state: None
    """Compares what is shown."""
    told: Callable[[Any, Any], dict[int, Hashable]] | None = None
    """What OpenSpiel tells each player: it is to go with our views one to one."""
    returns: Callable[[Any, Any], list[float]] = returns
    choose: Callable[[Any, list[int], Random], int] = lambda position, actions, rng: rng.choice(
        actions
    )
    plies: int = 300
    """How many plies are compared, with the compiler; without it a third."""


def moment(peer: Peer, position: Any, state: Any, pairs: dict[Any, Any]) -> dict[int, int]:
    """Holds a position and OpenSpiel's to each other; returns the actions that may be played."""
    where = state.history()
    peer.look(position, state)
    if state.is_terminal():
        assert state.returns() == peer.returns(position, state), where
        return {}
    assert not position.is_terminal(), where
    assert position.to_move == state.current_player(), where
    if position.to_move == CHANCE:
        for action, probability in state.chance_outcomes():
            assert position.probability(action) == pytest.approx(probability), where
    for player, said in peer.told(position, state).items() if peer.told else ():
        view, text = (player, position.hidden(player)), (player, peer.game(position), said)
        assert pairs.setdefault(view, text) == text, where
        assert pairs.setdefault(text, view) == view, where
    return peer.actions(position, state)


def begin(peer: Peer, start: Any) -> Any:
    """OpenSpiel's start."""
    game = load(peer.game(start))
    if peer.actions is same_numbers and not start.has_chance:
        assert game.num_distinct_actions() == start.num_actions
    return game.new_initial_state()


def play_beside(peer: Peer, plies: int, seed: int) -> int:
    """Random games of both until that many plies are compared; returns how many there were."""
    rng, done, pairs = Random(seed), 0, dict[Any, Any]()
    while done < plies:
        for start in peer.starts(rng):
            position, state = start, begin(peer, start)
            while actions := moment(peer, position, state, pairs):
                action = peer.choose(position, [*actions], rng)
                position, done = position.play(action), done + 1
                state.apply_action(actions[action])
    return done


def tree_beside(peer: Peer, start: Any) -> tuple[int, int]:
    """Both whole trees: how many histories, and information sets of players to move, they have."""
    pairs: dict[Any, Any] = {}
    number, stack = 0, [(start, begin(peer, start))]
    while stack:
        position, state = stack.pop()
        number += 1
        for action, theirs in moment(peer, position, state, pairs).items():
            stack.append((position.play(action), state.child(theirs)))
    return number, sum(len(key) == 2 and key[1].to_move == key[0] for key in pairs)
