"""The searches of AlphaZero in plain Python: one game, dictionaries, float64.

Written from the papers and from nothing else: Gumbel AlphaZero (I. Danihelka et al., ICLR 2022) and
PUCT (D. Silver et al., Science 2018). The compiled search of ``agents.learning`` must be equal.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from adv_envs import Position

Network = Callable[[Position], tuple[list[float], float]]
"""A position to the logits of all its actions and the value for its player to move."""


def softmax(logits: dict[int, float]) -> dict[int, float]:
    largest = max(logits.values())
    powers = {action: math.exp(logit - largest) for action, logit in logits.items()}
    total = sum(powers.values())
    return {action: power / total for action, power in powers.items()}


@dataclass
class Node:
    """A position, and what the search knows of it."""

    position: Position
    value: float
    exact: bool
    logits: dict[int, float] = field(default_factory=dict)
    visits: dict[int, int] = field(default_factory=dict)
    totals: dict[int, float] = field(default_factory=dict)
    below: dict[int, Node] = field(default_factory=dict)

    def q(self, action: int) -> float:
        """The mean value of an action with visits, the completed value of one without."""
        if self.visits[action]:
            return self.totals[action] / self.visits[action]
        tried = [a for a in self.visits if self.visits[a]]
        if not tried:
            return self.value
        prior = softmax(self.logits)
        weight = sum(prior[a] for a in tried)
        mean = sum(prior[a] / weight * self.totals[a] / self.visits[a] for a in tried)
        number = sum(self.visits.values())
        return (self.value + number * mean) / (1 + number)

    def improved(self, scale: float) -> dict[int, float]:
        return softmax({a: logit + self.sigma(a, scale) for a, logit in self.logits.items()})

    def sigma(self, action: int, scale: float) -> float:
        return (50 + max(self.visits.values())) * scale * (self.q(action) + 1) / 2


def new_node(position: Position, network: Network, root: bool = False) -> Node:
    """A node; its value is exact if the game is over or, below the root, a move wins at once."""
    mover, most = position.to_move, position.max_utility
    if position.is_terminal():
        return Node(position, position.utility(mover) / most, True)
    legal = position.legal_actions()
    for after in map(position.play, legal):
        if not root and after.is_terminal() and after.utility(mover) >= most:
            return Node(position, 1.0, True)
    logits, value = network(position)
    zeros = dict.fromkeys(legal, 0)
    return Node(
        position, value, False, {a: logits[a] for a in legal}, dict(zeros),
        dict.fromkeys(legal, 0.0),
    )  # fmt: skip


def simulate(root: Node, first: int, network: Network, choose: Callable[[Node], int]) -> None:
    """One simulation that begins with an action at the root."""
    node, action, path = root, first, [(root, first)]
    while action in node.below and not node.below[action].exact:
        node = node.below[action]
        action = choose(node)
        path.append((node, action))
    if action not in node.below:
        node.below[action] = new_node(node.position.play(action), network)
    leaf = node.below[action]
    for above, taken in path:
        same = above.position.to_move == leaf.position.to_move
        above.visits[taken] += 1
        above.totals[taken] += leaf.value if same else -leaf.value


def gumbel_search(
    position: Position,
    network: Network,
    simulations: int,
    considered: int,
    scale: float,
    noise: list[float],
) -> tuple[int, Node]:
    """The action that is chosen with this Gumbel ``noise`` for each action, and the root."""
    root = new_node(position, network, root=True)
    prior = softmax(root.logits)
    drawn = {a: math.log(prior[a]) + noise[a] for a in prior}
    best = sorted(drawn, key=lambda a: -drawn[a])[: min(considered, simulations)]

    def inside(node: Node) -> int:
        policy, number = node.improved(scale), sum(node.visits.values())
        return max(node.logits, key=lambda a: policy[a] - node.visits[a] / (1 + number))

    def promising(action: int) -> float:
        return drawn[action] + root.sigma(action, scale)

    phases, left, done = max(1, math.ceil(math.log2(len(best)))), len(best), 0
    while done < simulations:
        # all that are left get equally many visits, the most promising first; half of them stay
        for _ in range(max(1, simulations // (phases * left))):
            least = min(root.visits[a] for a in best)
            for _ in range(left):
                if done < simulations:
                    waiting = [a for a in best if root.visits[a] == least]
                    simulate(root, max(waiting, key=promising), network, inside)
                    done += 1
        left = min(len(best), max(2, left // 2))
        best = sorted(best, key=lambda a: (-root.visits[a], -promising(a)))[:left]
    most = max(root.visits[a] for a in drawn)
    return max((a for a in drawn if root.visits[a] == most), key=promising), root


def puct_search(
    position: Position,
    network: Network,
    simulations: int,
    exploration: float,
    share: float,
    noise: list[float],
) -> Node:
    """The root, whose priors were mixed with a ``share`` of ``noise``."""
    root = new_node(position, network, root=True)
    prior = softmax(root.logits)
    total = sum(noise[a] for a in prior)
    mixed = {a: (1 - share) * prior[a] + share * noise[a] / total for a in prior}
    root.logits = {a: math.log(each) for a, each in mixed.items()}

    def choose(node: Node) -> int:
        prior, number = softmax(node.logits), sum(node.visits.values())
        untried = sum(node.totals.values()) / max(number, 1)

        def score(action: int) -> float:
            tried = node.visits[action]
            value = node.totals[action] / tried if tried else untried
            return value + exploration * math.sqrt(number + 1) * prior[action] / (1 + tried)

        return max(node.logits, key=score)

    for _ in range(simulations):
        simulate(root, choose(root), network, choose)
    return root
