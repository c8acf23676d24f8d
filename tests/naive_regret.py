"""Counterfactual regret minimisation as the papers write it: a walk through all lines, and dicts.

It knows nothing of trees, slots or arrays: it asks positions, and files numbers under what the
player to move sees.
"""

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from adv_envs import CHANCE

Weights = Callable[[int], tuple[float, float, float]]


class NaiveRegret:
    """Updates the players in turn; ``sign`` -1 follows the actions that one should regret."""

    def __init__(self, start: Any, weights: Weights, sign: int = 1) -> None:
        self.start, self.weights, self.sign, self.iterations = start, weights, sign, 0
        self.regret: dict[Any, dict[int, float]] = {}
        self.total: dict[Any, dict[int, float]] = {}
        self.policy: dict[Any, dict[int, float]] = {}

    def run(self, iterations: int) -> None:
        for _ in range(iterations):
            self.iterations += 1
            for player in range(self.start.num_players):
                self.gained: dict[Any, dict[int, float]] = defaultdict(lambda: defaultdict(float))
                self.reached: dict[Any, float] = {}
                self.walk(self.start, player, 1.0, 1.0)
                self.update()

    def policy_at(self, position: Any) -> tuple[Any, dict[int, float]]:
        view, legal = position.hidden(position.to_move), position.legal_actions()
        if view not in self.policy:
            self.policy[view] = dict.fromkeys(legal, 1 / len(legal))
            self.regret[view] = dict.fromkeys(legal, 0.0)
            self.total[view] = dict.fromkeys(legal, 0.0)
        return view, self.policy[view]

    def walk(self, position: Any, player: int, own: float, others: float) -> float:
        if position.is_terminal():
            return position.utility(player)
        if position.to_move == CHANCE:
            return sum(
                position.probability(a)
                * self.walk(position.play(a), player, own, others * position.probability(a))
                for a in position.legal_actions()
            )
        view, policy = self.policy_at(position)
        mine = position.to_move == player
        values = {
            a: self.walk(
                position.play(a),
                player,
                own * (share if mine else 1),
                others * (1 if mine else share),
            )
            for a, share in policy.items()
        }
        value = sum(policy[a] * values[a] for a in policy)
        if mine:
            self.reached[view] = own
            for a in policy:
                self.gained[view][a] += others * (values[a] - value)
        return value

    def update(self) -> None:
        positive, negative, weight = self.weights(self.iterations)
        for view, own in self.reached.items():
            policy, regret = self.policy[view], self.regret[view]
            for a in policy:
                found = regret[a] + self.sign * self.gained[view][a]
                regret[a] = found * (positive if found > 0 else negative)
                self.total[view][a] += weight * own * policy[a]
            gains = {a: max(r, 0.0) for a, r in regret.items()}
            most = sum(gains.values())
            self.policy[view] = {a: gains[a] / most if most > 0 else 1 / len(gains) for a in gains}

    def average(self, view: Any, action: int) -> float:
        total = self.total[view]
        most = sum(total.values())
        return total[action] / most if most > 0 else 1 / len(total)
