"""Builds the tree of a search, node by node: what was visited, found there, and cut off.

``record`` lets a search run once in plain Python, with a trace of the calls of its own kernels.
``grown`` copies the tree that Monte Carlo tree search keeps, ``proof_tree`` and ``views_tree`` read
the table of a search.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from adv_envs import CHANCE, Position
from adv_envs.random import scattered
from agents.agent import Agent, require_limit, require_perfect_information, require_unfinished
from agents.knowledge import knowledge_of
from agents.mcts import MCTS, InformationSetMCTS
from agents.mcts.information_set import ViewArrays, find_node
from agents.search import (
    AlphaBeta,
    Expectiminimax,
    MaxN,
    Minimax,
    Paranoid,
    ProofNumber,
    alpha_beta,
    expectiminimax,
    minimax,
    multiplayer,
    ordering,
    transposition_table,
)
from agents.search.limits import MAX_DEPTH, WIN, traced
from agents.search.proof_number import INFINITE, probe_proof
from agents.search.transposition_table import HashTable, find_position
from agents.spec import make

from .tree_node import (
    UNKNOWN,
    TooManyNodes,
    TreeNode,
    bounds_of,
    mean_of,
    number,
    require_at_most,
    rounded,
)

MOST_NODES = 2000
"""Nodes of the largest tree that is recorded."""
DEALS = 200
"""Guesses of what is not seen, of which the different ones are drawn."""

# ---- searches whose calls are traced

Recorded = Minimax | AlphaBeta | Expectiminimax | MaxN | Paranoid
"""The agents whose searches are recorded while they run."""


def record(
    position: Position,
    agent: Agent | str | None = None,
    depth: int | None = None,
    limit: int = MOST_NODES,
    as_played: bool = False,
) -> TreeNode:
    """Returns the tree that a search from ``position`` goes through.

    ``agent`` is minimax, alpha-beta, expectiminimax, max^n or paranoid, as an object or a spec; by
    default minimax, or expectiminimax in a game of chance, with the game's first evaluation.
    ``depth`` is that of the agent unless it is given; where neither is, the search goes to the end
    of the game, or as deep as ``limit`` nodes allow.

    The search is the agent's, as textbooks have it: one iteration of alpha-beta without table, null
    windows, killers, history and quiescence, and expectiminimax that prunes nothing. ``as_played``
    records all that it does when it plays, and returns the tree of its last iteration.

    Raises ValueError for a finished game, for an agent that has no such tree, for a game that it
    does not play, and if the tree to a given depth has more than ``limit`` nodes.
    """
    position = require_unfinished(position)
    agent = default_agent(position) if agent is None else make(agent)
    if not isinstance(agent, Recorded):
        raise ValueError(
            f"{agent.name} has no tree that could be drawn; "
            "minimax, alpha_beta, expectiminimax and mcts have"
        )
    require_limit("depth", depth)
    depth = agent.depth if depth is None else depth
    if depth is not None:
        return Trace.of(position, dataclasses.replace(agent, depth=depth), limit, as_played).tree
    found: list[TreeNode] = []
    while not found or (found[-1].plies == len(found) and not found[-1].complete):
        search = dataclasses.replace(agent, depth=len(found) + 1)
        try:
            found.append(Trace.of(position, search, limit, as_played).tree)
        except TooManyNodes:
            if not found:
                raise
            break
    return found[-1]


def default_agent(position: Position) -> Minimax | Expectiminimax:
    """Returns the search that is drawn if none is given."""
    require_perfect_information(position, "a search tree")
    evaluation = next(iter(knowledge_of(position).evaluations.values()), None)
    kind = Expectiminimax if position.has_chance else Minimax
    return kind(evaluate=evaluation)


class Trace:
    """Builds the trees of a search from ``position``, from the calls of its kernels.

    Each iteration has a tree; TooManyNodes is raised for one of more than ``limit`` nodes.
    ``visits`` counts the nodes of all iterations, those that were searched again each time.
    """

    def __init__(self, position: Position, limit: int) -> None:
        self.player, self.limit = position.to_move, limit
        self.trees: list[TreeNode] = []
        self.visits = self.nodes = self.leaves = 0
        """Of all trees, and of the last one."""
        self.path: list[TreeNode] = []
        """The nodes in which the search is, again for each kernel that looks at the same one."""
        self.tried: dict[TreeNode, int] = {}
        """The action that the search tries at each node."""

    @classmethod
    def of(
        cls, position: Position, agent: Recorded, limit: int = MOST_NODES, as_played: bool = True
    ) -> Trace:
        """Returns the trace of a search of ``agent``, which has a depth; see ``record``."""
        trace = cls(position, limit)
        if as_played or isinstance(agent, Minimax | MaxN | Paranoid):
            with traced(trace.wrap):
                agent.value(position)
        elif isinstance(agent, Expectiminimax):
            with traced(trace.wrap, STAR=False, ALPHA_BETA=False, SHALLOW=MAX_DEPTH):
                agent.value(position)
            for node in trace.tree:
                node.score_window = None
        else:
            off = dict.fromkeys(
                ("symmetry", "quiescence", "killers", "history", "null_window"), False
            )
            order = None if agent.order == "own" else agent.order
            agent = dataclasses.replace(agent, **off, table_mb=0, order=order)  # type: ignore[arg-type]
            with traced(trace.wrap, STEP=0.0):
                one = alpha_beta.IterativeDeepening(agent, position)
                window = minimax.SearchWindow(agent.depth or 0, *UNKNOWN, 0)
                one.search(position, window, one.arrays)
        return trace

    @property
    def tree(self) -> TreeNode:
        """Returns the tree of the last iteration."""
        return self.trees[-1]

    def wrap(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Returns what is called in place of a function, see ``Kernel.traced``."""
        hook = HOOKS.get(function.__code__)
        return function if hook is None else functools.partial(hook, self, function)

    # ---- nodes

    def enter(self, position: Position) -> TreeNode:
        """Begins a visit of ``position``, or goes on with it in another kernel."""
        above = self.path[-1] if self.path else None
        if above is not None and above.position is position:
            self.path.append(above)
            return above
        if above is None:
            node = TreeNode(position)
            self.trees.append(node)
            self.nodes = self.leaves = 0
        elif above.children and above.children[-1].position is position:  # it is searched again
            node = above.children[-1]
            node.children, node.known = [], False
        else:
            node = above.after(self.tried[above])
            node.position = position
            above.children.append(node)
        self.path.append(node)
        self.visits += 1
        self.count(1)
        return node

    def count(self, nodes: int) -> None:
        """Counts nodes of this tree."""
        self.nodes += nodes
        require_at_most(self.nodes, self.limit)

    def leave(self, score: float, prunes: bool = False) -> None:
        """Ends a visit; where the search ``prunes``, the moves that were not tried are cut off."""
        node = self.path.pop()
        node.score = score + 0.0
        if self.path and self.path[-1] is node:
            return
        if node.children:
            if prunes:
                self.cut(node)
            if node.player != CHANCE:
                searched = [child for child in node.children if not child.cut]
                node.best = max(searched, key=lambda child: node.sign * (child.score or 0.0))
            node.bounds = bounds_of(node, [child.bounds for child in node.children])
            node.known = False
        elif node.known:
            alpha, beta = node.score_window or UNKNOWN
            node.bounds = score if score < beta else -math.inf, score if score > alpha else math.inf
        else:
            self.leaves += 1
            node.leaf, node.bounds = self.leaves, (node.score, node.score)
            if node.ended:
                self.learn(node.position, node.score, node.scale)

    def learn(self, position: Position, score: float, scale: dict[float, float]) -> None:
        """Notes which utilities the scores of a finished game are."""
        utilities = [float(position.utility(player)) for player in range(position.num_players)]
        utilities += [-utility for utility in utilities]
        scale |= {WIN * utility: utility for utility in utilities}
        scale[score] = min(utilities, key=lambda utility: abs(WIN * utility - score)) + 0.0

    def cut(self, node: TreeNode) -> None:
        """Adds the moves that the search did not try."""
        tried = {child.action for child in node.children}
        left = [node.after(a, cut=True) for a in node.position.legal_actions() if a not in tried]
        left = [child for child in left if child.chance != 0]
        self.count(len(left))
        node.children += left

    # ---- hooks: each calls ``function``, a kernel in plain Python

    def pick(self, function: Callable[..., int], *args: Any) -> int:
        """Notes the action that a search is going to try."""
        action = function(*args)
        self.tried[self.path[-1]] = action
        return action

    def look_up(self, function: Callable[..., Any], *args: Any) -> Any:
        """Notes whether a table answers."""
        found = function(*args)
        self.path[-1].known = found[0]
        return found

    def visit(self, function: Callable[..., float], *args: Any) -> float:
        """Records a visit, whose value is for the player to move, the ``player`` given, or MAX."""
        given = arguments(function, *args)
        node, window = self.enter(given["position"]), given.get("window")
        player = given.get("player", node.position.to_move)
        sign = -1 if player == 1 and function.__code__ not in FOR_MAX else 1
        limits = given if window is None else window._asdict()
        if "alpha" in limits:
            low, high = sorted((sign * limits["alpha"], sign * limits["beta"]))
            node.score_window = low + 0.0, high + 0.0
        if function.__name__ == "paranoid":
            node.role = int(node.position.to_move != self.player)
        found = function(*args)
        self.leave(sign * found, prunes=window is not None)
        return found

    def visit_root(self, function: Callable[..., int], *args: Any) -> int:
        """Records the root of expectiminimax, which answers with an action."""
        given = arguments(function, *args)
        node = self.enter(given["position"])
        node.score_window = -given["bound"], given["bound"]
        best = function(*args)
        scores = [child.score or 0.0 for child in node.children]
        chances = [child.chance or 0.0 for child in node.children]
        expected = node.player == CHANCE
        self.leave(mean_of(chances, scores) if expected else float(given["values"][best]))
        return best

    def visit_max_n(self, function: Callable[..., None], *args: Any) -> None:
        """Records a node of max^n, whose score is that of the player who moved before it."""
        given = arguments(function, *args)
        above = self.path[-1] if self.path else None
        node = self.enter(given["position"])
        function(*args)
        scores = given["values"][given["ply"]].tolist()
        player = self.player if above is None else above.player
        self.leave(scores[player] if above is None else above.sign * scores[player])
        node.text = f"({', '.join(number(node.in_values(score)) for score in scores)})"


def arguments(function: Callable[..., Any], *args: Any) -> dict[str, Any]:
    """Returns the arguments of a kernel by name."""
    return dict(zip(function.__code__.co_varnames, args, strict=False))


TRACED: dict[Callable[..., Any], tuple[Any, ...]] = {
    Trace.pick: (ordering.candidate, ordering.preferred, ordering.pick_action),
    Trace.look_up: (transposition_table.probe,),
    Trace.visit: (
        minimax.minimax,
        minimax.plain_alpha_beta,
        minimax.leaf_value,
        minimax.horizon_value,
        minimax.quiesce,
        minimax.terminal_value,
        alpha_beta.principal_variation,
        alpha_beta.scout,
        alpha_beta.alpha_beta,
        expectiminimax.expectiminimax,
        multiplayer.paranoid,
    ),
    Trace.visit_root: (expectiminimax.search_root,),
    Trace.visit_max_n: (multiplayer.max_n,),
}
"""The kernels and functions that are traced, by their hook."""


def code_of(function: Any) -> Any:
    """Returns the code of a function, or of that of a kernel."""
    return getattr(function, "function", function).__code__


HOOKS = {code_of(each): hook for hook, functions in TRACED.items() for each in functions}
FOR_MAX = {code_of(expectiminimax.expectiminimax), code_of(multiplayer.paranoid)}
"""Those whose value is for MAX, whoever is to move."""


# ---- trees of which a part is kept from the beginning


def grown(position: Position, agent: MCTS, depth: int, most: int) -> TreeNode:
    """Returns the tree that ``agent`` grows from ``position``, with what was learnt of each node.

    Contains ``depth`` plies, and of each node the ``most`` children with the most visits. Values
    are means for player 0, or what was proven.
    """
    if position.num_players != 2:
        players = position.num_players
        raise ValueError(f"trees of mcts are drawn of games for two players, not {players}")
    search = dataclasses.replace(agent, threads=1)
    search.analyse(position)
    tree = search.trees[0].nodes
    root = TreeNode(position, score=mean(tree[0], position), visits=int(tree[0]["visits"]))
    grow(root, 0, tree, depth, most)
    require_at_most(sum(1 for _ in root), MOST_NODES)
    return root


def grow(node: TreeNode, at: int, tree: Any, depth: int, most: int) -> None:
    """Adds the children of ``node``, which is record ``at`` of the tree."""
    width = int(tree[at]["width"])
    if depth == 0 or width <= 0:
        return
    begin, position = int(tree[at]["first"]), node.position
    tried = [i for i in range(begin, begin + width) if tree[i]["visits"] > 0]
    ranked = sorted(tried, key=lambda i: -int(tree[i]["visits"]))[:most]
    for i in sorted(ranked):
        child = node.after(
            int(tree[i]["action"]), visits=int(tree[i]["visits"]), score=mean(tree[i], position)
        )
        node.children.append(child)
        grow(child, i, tree, depth - 1, most)
        if i == ranked[0] and position.to_move != CHANCE:
            node.best = child
    if node.children and len(ranked) < width:
        node.children.append(TreeNode(position, f"{width - len(ranked)} more", dots=True))


def mean(entry: Any, parent: Position) -> float:
    """Returns the value of a tree's entry for player 0; it is kept for the player at its parent."""
    lower, upper = float(entry["lower"]), float(entry["upper"])
    value = lower if lower == upper else float(entry["total"]) / max(int(entry["visits"]), 1)
    return value if parent.to_move in (0, CHANCE) else 0.0 - value


def proof_tree(position: Position, agent: ProofNumber, depth: int) -> tuple[TreeNode, str]:
    """Returns the positions in the table of a search, with proof and disproof numbers; a caption.

    They answer the first question: whether the player to move, MAX, can get more than nothing.
    """
    table = agent.new_table(position)
    *_, last = agent.analysis(position, table)
    root = numbers(TreeNode(position), position.to_move, table)
    open_nodes, drawn = deque([(root, depth)]), 1
    while open_nodes:
        node, left = open_nodes.popleft()
        if node.ended or find_position.plain(node.position, table) < 0:
            continue
        if left == 0 or drawn > MOST_NODES:
            node.hidden = 1
            continue
        for action in node.position.legal_actions():
            child = numbers(node.after(action), position.to_move, table)
            node.children.append(child)
            open_nodes.append((child, left - 1))
        drawn += len(node.children)
        node.best = max(node.children, key=lambda child: node.sign * (child.score or 0.0))
    found = f"value {number(last.value)}" if last.proven else "not decided"
    text = f"Proof-number search: {found} after {last.nodes:,} nodes; proof / disproof numbers"
    return root, text


def numbers(node: TreeNode, player: int, table: HashTable) -> TreeNode:
    """Returns a node with its numbers: MAX is ``player``, who is to get more than nothing."""
    position = node.position
    node.role = 0 if position.to_move == player else 1
    if position.is_terminal():
        won = position.utility(player) > 0
        proof, disproof = (0, INFINITE) if won else (INFINITE, 0)
    else:
        proof, disproof, _ = probe_proof.plain(position, 0.0, table)
    node.text = " / ".join("∞" if n >= INFINITE else str(n) for n in (proof, disproof))
    node.score = float(disproof - proof)
    return node


def views_tree(position: Position, agent: InformationSetMCTS, depth: int) -> tuple[TreeNode, str]:
    """Returns what players may see after ``position``, with visits and the best means; a caption.

    Contains ``depth`` plies.
    """
    view = position.hidden(position.to_move)
    arrays = agent.new_arrays(view)
    *_, found = agent.analysis(position, arrays)
    deals = {view.determinized(position.to_move, scattered(i)) for i in range(DEALS)}
    root = TreeNode(view)
    grow_views(root, sorted(deals), depth, arrays)
    require_at_most(sum(1 for _ in root), MOST_NODES)
    name = view.name(found.action)
    text = f"ISMCTS: {name}, {found.nodes:,} simulations; nodes are what the player to move sees"
    return root, text


def grow_views(node: TreeNode, deals: list[Position], depth: int, arrays: ViewArrays) -> None:
    """Writes what was learnt of a node, and adds those below; it may be any of ``deals``."""
    view, visits, totals = node.position, arrays.visits, arrays.totals
    at = find_node.plain(view, arrays)
    tried = [(int(visits[at, a]), float(totals[at, a]), a) for a in view.legal_actions()]
    node.visits, node.hidden = sum(n for n, _, _ in tried), int(depth == 0)
    node.note = f"{node.visits:,} ×"
    if node.visits:
        n, total, _ = max(tried)
        node.score = total / n * (1 if view.to_move == 0 else -1)
        node.text = rounded(node.score)
    for _, _, action in tried if depth else ():
        after: dict[Position, list[Position]] = {}
        for deal in deals:
            for position in after_chance(deal.play(action)):
                over = position.is_terminal()
                seen = position if over else position.hidden(position.to_move)
                after.setdefault(seen, []).append(position)
        for seen, those in after.items():
            child = TreeNode(seen, view.name(action), action)
            node.children.append(child)
            if child.ended:
                child.score = float(seen.utility(0))
                child.text = number(child.score)
            else:
                grow_views(child, those, depth - 1, arrays)


def after_chance(position: Position) -> Iterator[Position]:
    """Yields the position, or all that chance may make of it."""
    if position.is_terminal() or position.to_move != CHANCE:
        yield position
        return
    for action in position.legal_actions():
        yield from after_chance(position.play(action))
