"""The contract of ``position.py``, law by law. The docstring of each function is the law."""

from __future__ import annotations

import copy
import math
import pickle
from random import Random
from typing import Any

import numpy as np

from adv_envs.notation import read_line, write_line
from adv_envs.position import CHANCE

from .law import some


def start(position: Any) -> None:
    """The start is the beginning of the same game: the same parameters and nothing else."""
    begin = position.start()
    assert type(begin) is type(position), f"start() is a {type(begin).__name__}"
    for name in position.parameters:
        same = getattr(begin, name) == getattr(position, name)
        assert same, f"start() has another {name}: start() must keep every parameter"
    assert begin.start() == begin, "start().start() is another position than start()"
    assert not begin.is_terminal() or position.is_terminal(), "start() is terminal"
    begin.check()


def constants(position: Any, rng: Random) -> None:
    """What depends on the game and not on the moment is the same in all its positions."""
    begin = position.start()
    start(position)
    for name in ("num_players", "num_actions", "board_bits"):
        value = getattr(position, name)
        assert type(value) is int, f"{name} is {value!r}: it must be an int"
        assert value >= 1, f"{name} is {value}: it must be at least 1"
    for name in ("num_players", "num_actions", "board_bits", "observation_shape", "max_utility"):
        found, first = getattr(position, name), getattr(begin, name)
        assert found == first, f"{name} is {found} here and {first} at the start"
    same = np.array_equal(position.observation_high, begin.observation_high)
    assert same, "observation_high is another one here than at the start"
    space = position.state_space()
    assert space is None or (type(space) is int and space > 0), f"state_space() is {space!r}"


def value(position: Any, rng: Random) -> None:
    """A position is a value: hashable, equal by content, copied and pickled without loss."""
    cls = type(position)
    for field, kind in zip(cls._fields, cls._field_types, strict=True):
        found = getattr(position, field)
        right = kind not in (int, bool, float) or type(found) is kind
        assert right, f"{field} is {found!r}: it is declared to be {kind.__name__}"
    again = {
        "hash and rebuild": cls(*position),
        "rebuild by keyword": cls(**position._asdict()),
        "copy.copy": copy.copy(position),
        "copy.deepcopy": copy.deepcopy(position),
        "pickle": pickle.loads(pickle.dumps(position)),
    }
    for how, other in again.items():
        assert type(other) is cls, f"{how} gives a {type(other).__name__}"
        assert other == position, f"{how} gives another position, {other!r}"
        assert hash(other) == hash(position), f"{how} gives another hash"


def moves(position: Any, rng: Random) -> None:
    """Somebody is to move; legal() and is_terminal() are bools; unfinished, a move is legal."""
    mover, over = position.to_move, position.is_terminal()
    assert type(mover) is int, f"to_move is {mover!r}: it must be an int"
    inside = mover == CHANCE or 0 <= mover < position.num_players
    assert inside, f"to_move is {mover}: it must be CHANCE or 0 .. {position.num_players - 1}"
    assert type(over) is bool, f"is_terminal() is {over!r}: it must be True or False"
    legal = [position.legal(action) for action in range(position.num_actions)]
    for action, answer in enumerate(legal):
        assert type(answer) is bool, f"legal({action}) is {answer!r}: it must be True or False"
    assert over or any(legal), "no action is legal: then is_terminal() must be True"
    expected = [] if over else [action for action, yes in enumerate(legal) if yes]
    found = position.legal_actions()
    assert found == expected, f"legal_actions() is {found}, and legal() says {expected}"


def immutable(position: Any, rng: Random) -> None:
    """play() gives a new position of the same game, always the same, and changes nothing else."""
    before = _answers(position)
    for action in some(position.legal_actions(), rng, 2):
        child = position.play(action)
        assert type(child) is type(position), f"play({action}) is {child!r}"
        kept = all(getattr(child, n) == getattr(position, n) for n in position.parameters)
        assert kept, f"play({action}) changes a parameter: {child!r}"
        same = child.start() == position.start()
        assert same, f"after play({action}) start() is another position, {child.start()!r}"
        first = _answers(child)
        assert position.play(action) == child, f"play({action}) gives another position each time"
        for further in some(child.legal_actions(), rng, 1):
            child.play(further)
        assert _answers(child) == first, f"play() changed {child!r}: make a new position"
    assert _answers(position) == before, "play() changed its parent: make a new position"


def _answers(position: Any) -> tuple[Any, ...]:
    """What can be seen of a position, as a value that does not share anything with it."""
    legal = [position.legal(action) for action in range(position.num_actions)]
    seen = [_observed(position, player).tolist() for player in range(position.num_players)]
    return copy.deepcopy(tuple(position)), position.to_move, position.is_terminal(), legal, seen


def ending(position: Any, rng: Random) -> None:
    """A finished game is worth a number to every player; of two, one wins what the other loses."""
    if not position.is_terminal():
        return
    worth = [position.utility(player) for player in range(position.num_players)]
    for player, utility in enumerate(worth):
        number = isinstance(utility, int | float) and math.isfinite(utility)
        assert number, f"utility({player}) is {utility!r}: it must be a finite number"
        most = position.max_utility
        assert utility <= most, f"utility({player}) is {utility}, more than max_utility, {most}"
    zero_sum = len(worth) != 2 or worth[0] == -worth[1]
    assert zero_sum, f"utilities are {worth}: of two players, utility(0) == -utility(1)"


def chance(position: Any, rng: Random) -> None:
    """Where chance moves, the probabilities of the legal actions add up to 1."""
    if position.to_move != CHANCE or position.is_terminal():
        return
    total = 0.0
    for action in range(position.num_actions):
        probability = position.probability(action)
        right = 0 <= probability <= 1
        assert right, f"probability({action}) is {probability!r}: it must be 0 to 1"
        right = position.legal(action) or probability == 0
        assert right, f"probability({action}) is {probability}, and the action is illegal"
        total += probability
    assert abs(total - 1) < 1e-9, f"the probabilities add up to {total}, not 1"


def observation(position: Any, rng: Random) -> None:
    """observe() fills an array of observation_shape with whole numbers, 0 to observation_high."""
    for player in range(position.num_players):
        seen = _observed(position, player)
        high = np.broadcast_to(position.observation_high, seen.shape)
        whole = np.isfinite(seen).all() and (seen == np.floor(seen)).all()
        assert whole, f"observe({player}) writes numbers that are not whole: {seen.tolist()}"
        inside = (seen >= 0).all() and (seen <= high).all()
        assert inside, f"observe({player}) leaves 0 .. observation_high: {seen.tolist()}"
        same = np.array_equal(seen, _observed(position, player))
        assert same, f"observe({player}) writes something else the second time"


def _observed(position: Any, player: int) -> Any:
    planes = np.zeros(position.observation_shape)
    position.observe(player, planes)
    return planes


def names(position: Any, rng: Random) -> None:
    """Legal actions have different names, in upper or lower case, that action() reads back."""
    legal = position.legal_actions()
    named: dict[str, int] = {}
    for action in legal:
        name = position.name(action)
        right = isinstance(name, str) and name and not any(c.isspace() or c == "," for c in name)
        assert right, f"name({action}) is {name!r}: names have no spaces or commas"
        other = named.setdefault(name.lower(), action)
        assert other == action, f"{name!r} is the name of {other} and of {action}"
    for name, action in some(sorted(named.items()), rng):
        for spelt in (name, name.upper(), f" {position.name(action)} "):
            read = position.action(spelt)
            assert type(read) is int, f"action({spelt!r}) is {read!r}: it must be an int"
            assert read == action, f"action({spelt!r}) is {read}, not {action}"


def text(position: Any, rng: Random) -> None:
    """str() and repr() show the position; check() accepts it, as every position one can reach."""
    assert str(position).strip(), "str() is empty: draw the position"
    assert repr(position).strip(), "repr() is empty"
    position.check()


def lines(first: Any, actions: list[int]) -> None:
    """A line of play is read back as it was written, in upper or lower case, or as a list."""
    line = write_line(first, actions)
    for spelt in (line, line.upper(), line.lower(), actions):
        assert read_line(first, spelt) == actions, f"{spelt!r} is not read as {actions}"


def run_together(first: Any, actions: list[int], position: Any) -> None:
    """A line of play is read back as it was written, where short names make up a longer one."""
    legal = [position.name(action).lower() for action in position.legal_actions()]
    short = {name for name in legal if len(name) == 1}
    for name in legal:
        later, line = position, [*actions]
        for letter in name if len(name) > 1 and name[0] in short else "":
            found = [a for a in later.legal_actions() if later.name(a).lower() == letter]
            if not found:
                break
            line.append(found[0])
            later = later.play(found[0])
        if later is not position:
            lines(first, line)


LAWS = [constants, value, moves, immutable, ending, chance, observation, names, text]
