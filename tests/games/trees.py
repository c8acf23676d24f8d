"""Whole game trees: histories, information sets, and what is to be won against uniform play."""

from collections import defaultdict
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


def uniform_nash_conv(start: Position) -> float:
    """What both players could win more against uniform play, added up, by looking at everything."""
    return sum(best_response(start, player) - uniform_value(start, player) for player in (0, 1))


def uniform_value(position: Any, player: int) -> float:
    """What a position is worth to a player if everybody plays at random."""
    if position.is_terminal():
        return float(position.utility(player))
    actions = position.legal_actions()
    if position.to_move == CHANCE:
        return sum(
            position.probability(a) * uniform_value(position.play(a), player) for a in actions
        )
    return sum(uniform_value(position.play(a), player) for a in actions) / len(actions)


def best_response(start: Position, player: int) -> float:
    """The most that ``player`` can win against uniform play, as sets of positions are followed."""
    return _best_of([(start, 1.0)], player)


def _best_of(positions: list[tuple[Any, float]], player: int) -> float:
    """The value of positions with their probabilities, which looked the same to the player."""
    total, groups = 0.0, defaultdict(list)
    stack = positions
    while stack:
        position, chance = stack.pop()
        if position.is_terminal():
            total += chance * position.utility(player)
        elif position.to_move == player:
            groups[position.hidden(player)].append((position, chance))
        else:
            actions = position.legal_actions()
            for action in actions:
                natural = position.to_move == CHANCE
                part = position.probability(action) if natural else 1 / len(actions)
                if part > 0:
                    stack.append((position.play(action), chance * part))
    for view, members in groups.items():
        total += max(
            _best_of([(position.play(action), chance) for position, chance in members], player)
            for action in view.legal_actions()
        )
    return total
