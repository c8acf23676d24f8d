"""Whole game trees: their sizes, and their histories beside those of OpenSpiel."""

from collections.abc import Iterator
from typing import Any

from adv_envs import CHANCE, Position


def histories(start: Position) -> Iterator[tuple[Any, tuple[int, ...]]]:
    """Every position that chance and the players can reach, once for each way to it."""
    stack: list[tuple[Any, tuple[int, ...]]] = [(start, ())]
    while stack:
        position, history = stack.pop()
        yield position, history
        if position.is_terminal():
            continue
        for action in position.legal_actions():
            if position.to_move != CHANCE or position.probability(action) > 0:
                stack.append((position.play(action), (*history, action)))


def tree_size(start: Position) -> tuple[int, int, int]:
    """How many histories there are, how many of them are finished, and information sets."""
    number, finished, sets = 0, 0, set()
    for position, _ in histories(start):
        number += 1
        finished += position.is_terminal()
        if not position.is_terminal() and position.to_move != CHANCE:
            sets.add((position.to_move, position.hidden(position.to_move)))
    return number, finished, len(sets)


def compare_with_state(start: Position, state: Any) -> int:
    """Hold a whole tree to OpenSpiel's, history by history; returns how many there are.

    At each: who moves, the legal actions, their probabilities, utilities. At every decision, for
    both players: positions look the same here exactly where OpenSpiel's information states do.
    """
    ours: dict[tuple[int, Any], str] = {}
    theirs: dict[tuple[int, str], Any] = {}
    number, stack = 0, [(start, state)]
    while stack:
        position, state = stack.pop()
        number += 1
        assert position.is_terminal() == state.is_terminal()
        if position.is_terminal():
            players = range(position.num_players)
            assert [position.utility(player) for player in players] == state.returns()
            continue
        assert position.legal_actions() == state.legal_actions()
        if position.to_move == CHANCE:
            assert state.is_chance_node()
            for action, probability in state.chance_outcomes():
                assert position.probability(action) == probability
        else:
            assert position.to_move == state.current_player()
            for player in range(position.num_players):
                view, text = position.hidden(player), state.information_state_string(player)
                assert ours.setdefault((player, view), text) == text
                assert theirs.setdefault((player, text), view) == view
        for action in position.legal_actions():
            stack.append((position.play(action), state.child(action)))
    return number
