"""The trees of searches other than minimax, alpha-beta and MCTS: what ``draw_tree`` draws of them.

``max_n`` and ``paranoid`` are run once more in plain Python, as their sources write them, and visit
exactly the nodes that the compiled ones visit. Of ``proof_number`` and ``ismcts`` the table of a
real search is read: proof and disproof numbers of positions, visits and means of what players see.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from adv_envs import CHANCE, Position
from adv_envs.random import scattered
from agents.agent import Agent, require_perfect_information, require_unfinished
from agents.mcts import InformationSetMCTS
from agents.mcts.information_set import Keys, Totals, Visits, find_node
from agents.search import MaxN, Paranoid, ProofNumber
from agents.search.limits import EVALUATION_LIMIT, WIN, require_no_chance
from agents.search.transposition_table import INFINITE, WorkTable, find, probe_proof

from .search_tree import MOST_NODES, TreeNode, plain, require_at_most
from .tree_picture import number, rounded

OTHERS = MaxN, Paranoid, ProofNumber, InformationSetMCTS
"""The agents whose trees are drawn here."""
PLIES_OF_VIEWS = 2
"""Plies of a tree of information sets that are drawn if no number is given."""
DEALS = 200
"""Guesses of what is not seen, of which the different ones are drawn."""


def other_tree(position: Position, agent: Agent, depth: int | None) -> tuple[TreeNode, str]:
    """The tree of one of ``OTHERS`` from ``position``, and its caption.

    Raises ValueError for a finished game, one that the agent does not play, and a tree of more than
    2,000 nodes.
    """
    require_unfinished(position)
    if isinstance(agent, InformationSetMCTS):
        return views_tree(position, agent, depth or PLIES_OF_VIEWS)
    require_perfect_information(position, agent.name)
    require_no_chance(position, agent.name)
    if isinstance(agent, ProofNumber):
        return proof_tree(position, agent, depth or MOST_NODES)
    assert isinstance(agent, MaxN | Paranoid), "one of OTHERS"
    search = multiplayer_tree(position, agent, depth or agent.depth or MOST_NODES)
    return search, multiplayer_caption(search, agent)


# ---- three players and more


def multiplayer_tree(position: Position, agent: MaxN | Paranoid, depth: int) -> TreeNode:
    """The tree of max^n or of paranoid search."""
    recorder = MultiplayerRecorder(agent.evaluate, position.to_move)
    root = TreeNode(position)
    if isinstance(agent, MaxN):
        recorder.max_n(root, depth)
    else:
        recorder.paranoid(root, depth, -math.inf, math.inf)
    return root


def multiplayer_caption(root: TreeNode, agent: MaxN | Paranoid) -> str:
    """What was found, and how many nodes it took."""
    found = "" if root.best is None else f" by {root.best.name}"
    visited, cut = len(root.visited), sum(node.cut for node in root)
    if isinstance(agent, MaxN):
        return f"Max^n: {root.text}{found}, {visited} nodes; the values of players 0, 1, ..."
    less = f", {cut} branch{'es' * (cut > 1)} cut off" if cut else ""
    text = f"Paranoid: {number(root.value or 0)}{found}, {visited} nodes{less}"
    return f"{text}; MAX is player {root.position.to_move}, MIN all others"


@dataclass
class MultiplayerRecorder:
    """Searches in plain Python and keeps the tree; ``player`` is to move at the root."""

    evaluate: Callable[[Any, int], float] | None
    player: int
    nodes: int = 0

    def leaf(self, position: Position, player: int) -> tuple[float, float]:
        """The value and the score of a leaf for ``player``."""
        if position.is_terminal():
            utility = float(position.utility(player))
            return utility, WIN * utility
        value = 0.0 if self.evaluate is None else float(plain(self.evaluate)(position, player))
        return value, min(max(value, -EVALUATION_LIMIT), EVALUATION_LIMIT)

    def visit(self, node: TreeNode, depth: int) -> bool:
        """Count a node; whether it is a leaf."""
        self.nodes += 1
        require_at_most(self.nodes, MOST_NODES)
        return node.ended or depth == 0

    def max_n(self, node: TreeNode, depth: int) -> list[tuple[float, float]]:
        """The values and scores of ``node``, one of each player (Luckhardt and Irani 1986)."""
        position = node.position
        best: list[tuple[float, float]] = []
        if self.visit(node, depth):
            best = [self.leaf(position, player) for player in range(position.num_players)]
        else:
            for action in position.legal_actions():
                child = TreeNode(position.play(action), position.name(action))
                node.children.append(child)
                found = self.max_n(child, depth - 1)
                own = found[position.to_move][1]
                child.score = -own if position.to_move == 1 else own
                if not best or own > best[position.to_move][1]:
                    node.best, best = child, found
        node.value = best[self.player][0]
        node.text = f"({', '.join(number(value) for value, _ in best)})"
        return best

    def paranoid(self, node: TreeNode, depth: int, alpha: float, beta: float) -> float:
        """The score of ``node`` for the player at the root (Sturtevant and Korf 2000)."""
        position = node.position
        own = position.to_move == self.player
        node.role = 0 if own else 1
        if self.visit(node, depth):
            node.value, node.score = self.leaf(position, self.player)
            return node.score
        node.alpha, node.beta = alpha, beta
        actions = position.legal_actions()
        for i, action in enumerate(actions):
            child = TreeNode(position.play(action), position.name(action))
            node.children.append(child)
            score = self.paranoid(child, depth - 1, alpha, beta)
            if node.best is None or (score > node.score if own else score < node.score):
                node.best, node.value, node.score = child, child.value, score
            alpha, beta = (max(alpha, score), beta) if own else (alpha, min(beta, score))
            if alpha >= beta:
                for left in actions[i + 1 :]:
                    name = position.name(left)
                    node.children.append(TreeNode(position.play(left), name, cut=True))
                break
        return node.score


# ---- proof numbers


def proof_tree(position: Position, agent: ProofNumber, depth: int) -> tuple[TreeNode, str]:
    """The positions in the table of a search of the agent, with proof and disproof numbers.

    They answer the first question: whether the player to move, MAX, can get more than nothing.
    """
    table = agent.new_table(position)
    *_, last = agent.analysis(position, table)
    root = proof_node(position, "", position.to_move, table)
    open_nodes, drawn = deque([(root, depth)]), 1
    while open_nodes:
        node, left = open_nodes.popleft()
        there, _ = find.plain(node.position, table[0], table[2])
        if node.ended or not there:
            continue
        if left == 0 or drawn > MOST_NODES:
            node.hidden = 1
            continue
        for action in node.position.legal_actions():
            here = node.position
            child = proof_node(here.play(action), here.name(action), position.to_move, table)
            node.children.append(child)
            open_nodes.append((child, left - 1))
        drawn += len(node.children)
        pick = max if node.player == 0 else min
        node.best = pick(node.children, key=lambda child: child.score)
    found = f"value {number(last.value)}" if last.proven else "not decided"
    text = f"Proof-number search: {found} after {last.nodes:,} nodes; proof / disproof numbers"
    return root, text


def proof_node(position: Position, name: str, player: int, table: WorkTable) -> TreeNode:
    """A position with its numbers: MAX is ``player``, who is to get more than nothing."""
    node = TreeNode(position, name, role=0 if position.to_move == player else 1)
    if position.is_terminal():
        won = position.utility(player) > 0
        proof, disproof = (0, INFINITE) if won else (INFINITE, 0)
    else:
        proof, disproof, _ = probe_proof.plain(position, 0.0, table)
    node.text = " / ".join("∞" if n >= INFINITE else str(n) for n in (proof, disproof))
    node.score = float(disproof - proof)
    return node


# ---- information sets


class KeptViews(InformationSetMCTS):
    """The search, which keeps its nodes when it is done."""

    kept: tuple[Keys, Visits, Totals]

    def _arrays(self, view: Position, most: int) -> Any:
        """The arrays of the search."""
        arrays = super()._arrays(view, most)
        self.kept = arrays[:3]
        return arrays


def views_tree(position: Position, agent: InformationSetMCTS, depth: int) -> tuple[TreeNode, str]:
    """What players may see after ``position``, with the visits and the best mean of each node."""
    given = {name: value for name, value in vars(agent).items() if not name.startswith("_")}
    search = KeptViews(**given)
    found = search.analyse(position)
    view = position.hidden(position.to_move)
    deals = {view.determinized(position.to_move, scattered(i)) for i in range(DEALS)}
    root = grow_views(view, "", sorted(deals), depth, search.kept)
    require_at_most(sum(1 for _ in root), MOST_NODES)
    root.best = None
    name = view.name(found.action)
    text = f"ISMCTS: {name}, {found.nodes:,} simulations; nodes are what the player to move sees"
    return root, text


def grow_views(
    view: Position,
    name: str,
    deals: list[Position],
    depth: int,
    kept: tuple[Keys, Visits, Totals],
) -> TreeNode:
    """The node of ``view``; ``deals`` are the positions that it may be."""
    node = TreeNode(view, name)
    keys, visits, totals = kept
    at = find_node.plain(view, keys, visits)
    tried = [(int(visits[at, a]), float(totals[at, a]), a) for a in view.legal_actions()]
    node.visits = sum(n for n, _, _ in tried)
    node.note = f"{node.visits:,} ×"
    if node.visits:
        n, total, _ = max(tried)
        node.value = total / n * (1 if view.to_move == 0 else -1)
        node.text = rounded(node.value)
    if depth > 0:
        for _, _, action in tried:
            node.children += views_after(view, action, deals, depth - 1, kept)
    node.hidden = int(depth == 0)
    return node


def views_after(
    view: Position,
    action: int,
    deals: list[Position],
    depth: int,
    kept: tuple[Keys, Visits, Totals],
) -> Iterator[TreeNode]:
    """What the next player may see after ``action``, or the finished games."""
    after: dict[Position, list[Position]] = {}
    for deal in deals:
        for position in after_chance(deal.play(action)):
            over = position.is_terminal()
            seen = position if over else position.hidden(position.to_move)
            after.setdefault(seen, []).append(position)
    for seen, those in after.items():
        if seen.is_terminal():
            value = float(seen.utility(0))
            yield TreeNode(seen, view.name(action), value=value, text=number(value))
        else:
            yield grow_views(seen, view.name(action), those, depth, kept)


def after_chance(position: Position) -> Iterator[Position]:
    """The position, or all that chance may make of it."""
    if position.is_terminal() or position.to_move != CHANCE:
        yield position
        return
    for action in position.legal_actions():
        yield from after_chance(position.play(action))
