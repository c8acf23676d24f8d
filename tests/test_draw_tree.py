"""Drawn search trees: what they record is what the searches do, and nothing overlaps."""

import math
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from small_games import Pile

import adv_envs
import agents
from adv_envs import (
    GAMES,
    Checkers,
    ConnectFour,
    Fig52,
    Hex,
    Kuhn,
    Pig,
    Position,
    ThirtyOne,
    TicTacToe,
    Tree,
)
from adv_envs.aima import Game, alphabeta_search
from adv_envs.pictures import palette
from adv_envs.pictures.picture import picture_of
from adv_envs.pictures.raster import to_pixels
from adv_envs.pictures.shapes import Circle, Drawing, Line, moved
from adv_envs.pictures.svg import to_svg
from agents import (
    AlphaBeta,
    Expectiminimax,
    InformationSetMCTS,
    Minimax,
    ProofNumber,
    SearchAgent,
    draw_game,
    draw_steps,
    draw_tree,
)
from agents.games import checkers, tic_tac_toe
from agents.mcts import MCTS
from agents.reports.draw_trees import drawn_tree, labels_of, outline
from agents.reports.search_tree import Trace, grown, proof_tree, record, views_tree
from agents.reports.tree_node import TreeNode, fold, number, pruned
from agents.reports.tree_picture import Labels, TreePicture, crosses, tidy
from agents.reports.tree_steps import after_each_leaf, steps_of
from agents.search.limits import WIN

pytestmark = pytest.mark.plain

SVG = "{http://www.w3.org/2000/svg}"
DEEP = Tree(
    {
        "L": {"a": {"x": 5, "y": 6}, "b": {"x": 7, "y": 4, "z": 5}},
        "M": {"c": {"x": 3}},
        "R": {"d": {"x": 6}, "e": {"x": 6, "y": 9}, "f": {"x": 7}},
    }
)
TIC_TAC_TOE = TicTacToe().after("b2 a1 c3 b1")
CASES: list[tuple[Position, int | None]] = [
    (Fig52(), None),
    (Fig52().after("a3"), None),
    (DEEP, None),
    (DEEP, 2),
    (TIC_TAC_TOE, None),
    (TicTacToe().after("b2 a1"), 2),
    (TicTacToe().after("a1"), 2),
    (TicTacToe(), 1),
    (ConnectFour(4, 5, 3).after("33"), 3),
    (ConnectFour(), 2),
    (Hex(3).after("b2 a1"), 2),
    (Hex(2), None),
    (ThirtyOne(6, 2, 3), None),
    (Pile(9), None),
]
ids = [f"{type(position).__name__}-{depth}-{i}" for i, (position, depth) in enumerate(CASES)]


def for_max(position: Position, value: float) -> float:
    return value if position.to_move == 0 else -value


def lines_of(position: Position, plies: int) -> Iterator[Position]:
    """Every position within some plies, the unfinished ones."""
    if not position.is_terminal():
        yield position
        if plies:
            for action in position.legal_actions():
                yield from lines_of(position.play(action), plies - 1)


def texts(svg: str) -> list[str]:
    return [e.text or "" for e in ElementTree.fromstring(svg) if e.tag == SVG + "text"]


# ---- the record


def test_figure_5_2() -> None:
    full, pruned = record(Fig52(), "minimax"), record(Fig52(), "alpha_beta")
    assert [len(full.visited), len(full.leaves)] == [13, 9]
    assert [len(pruned.visited), len(pruned.leaves)] == [11, 7]
    assert [full.value, pruned.value] == [3, 3]
    assert [node.name for node in pruned if node.cut] == ["c2", "c3"]
    assert [node.name for node in full.line()] == ["", "a1", "b1"]
    assert [child.value for child in full.children] == [3, 2, 2]
    assert [child.window for child in pruned.children] == [
        (-math.inf, math.inf),
        (3, math.inf),
        (3, math.inf),
    ]


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_minimax_visits_what_the_agent_visits(case: tuple[Position, int | None]) -> None:
    position, depth = case
    root, found = record(position, Minimax(), depth), Minimax(depth).analyse(position)
    assert root.value == pytest.approx(for_max(position, found.value))
    assert (len(root.visited), len(root.leaves)) == (found.nodes, found.leaves)
    assert not any(node.cut for node in root)
    line = [position.action(node.name) for node in root.line()[1:2]]
    assert line == list(found.principal_variation[:1])


def naive(position: Position, depth: int, evaluate: Callable[[Any], float]) -> float:
    """The value for the player to move, in the plainest way: a win is worth 10 ** 6."""
    if position.is_terminal():
        return 10**6 * position.utility(position.to_move)
    if depth == 0:
        return evaluate(position)
    return max(-naive(position.play(a), depth - 1, evaluate) for a in position.legal_actions())


def test_many_positions_of_tic_tac_toe() -> None:
    for position in lines_of(TicTacToe().after("b2 a1 c3"), 2):
        full, pruned = record(position, "minimax(depth=2)"), record(position, "alpha_beta(depth=2)")
        for found in (Minimax(2).analyse(position), AlphaBeta(2, table_mb=0).analyse(position)):
            assert full.value == pruned.value == for_max(position, found.value)
        assert len(pruned.visited) + sum(node.cut for node in pruned) <= len(full.visited)


def test_many_positions_with_an_evaluation() -> None:
    lines = tic_tac_toe.lines.plain
    for position in lines_of(TicTacToe().after("b2 a1 c3"), 2):
        for agent in (Minimax(2, lines), AlphaBeta(2, evaluate=lines)):
            root = record(position, agent)
            assert root.score == pytest.approx(for_max(position, naive(position, 2, lines)))


class Counting(Game):
    """A game of the textbook's, which counts the leaves that are valued."""

    leaves = 0

    def utility(self, state: Any, player: Any) -> float:
        self.leaves += 1
        return super().utility(state, player)


@pytest.mark.parametrize(
    "position",
    [Fig52(), DEEP, TIC_TAC_TOE, Hex(2), ThirtyOne(6, 2, 3), ConnectFour(3, 3, 3).after("212")],
    ids=repr,
)
def test_alpha_beta_visits_what_the_textbook_visits(position: Position) -> None:
    game = Counting(position)
    value, _ = alphabeta_search(game, game.initial)
    root = record(position, AlphaBeta())
    assert root.value == for_max(position, value)
    assert len(root.leaves) == game.leaves


THREE = ThirtyOne(limit=9, highest=3, num_players=3).after("3")
PLAYED: list[tuple[Position, SearchAgent]] = [
    *((position, Minimax(depth or 3)) for position, depth in CASES),
    *((position, AlphaBeta(depth or 4)) for position, depth in CASES),
    (TicTacToe().after("b2 a1 c3"), AlphaBeta(5, evaluate=tic_tac_toe.lines)),
    (Hex(3).after("b2 a1"), AlphaBeta(4, null_window=False, killers=False, table_mb=0)),
    (Checkers().after("11-15 22-17"), AlphaBeta(3, evaluate=checkers.material)),
    (Pig(10).after("roll 4"), Expectiminimax(3)),
    (Pig(5, 3).after("roll 3"), Expectiminimax(4)),
    (TicTacToe().after("b2 a1"), Expectiminimax(4, tic_tac_toe.lines, win=100)),
    *((THREE, agents.make(f"{name}(depth={n})")) for name in ("max_n", "paranoid") for n in (3, 9)),
]


@pytest.mark.parametrize("played", PLAYED, ids=repr)
def test_the_tree_as_played_is_that_of_the_agent(played: tuple[Position, SearchAgent]) -> None:
    position, agent = played
    trace, found = Trace.of(position, agent, 10**6), agent.analyse(position)
    root, line = trace.tree, found.principal_variation
    assert trace.visits == found.nodes
    assert root.best is not None
    assert root.best.action == found.action
    assert [node.action for node in root.line()[1 : len(line) + 1]] == list(line)
    scale = 1 if found.proven or isinstance(agent, AlphaBeta | Expectiminimax) else WIN
    for_player = position.num_players > 2 or position.to_move == 0
    assert root.value is not None
    assert root.value * scale == pytest.approx(found.value if for_player else -found.value)


def test_utilities_that_are_no_whole_numbers_stay_what_they_are() -> None:
    tree = Tree({"l": {"a": 0.5, "b": 0.25}, "r": {"c": -0.5, "d": 3}, "s": 0.3})
    for as_played in (False, True):
        root = record(tree, "alpha_beta", as_played=as_played)
        assert root.value == 0.3
        for node in root.visited:
            assert node.window is None or all(
                abs(x) in (0.25, 0.3, 0.5, 3, math.inf) for x in node.window
            )


def test_what_a_table_knew_and_null_windows_are_recorded() -> None:
    position, agent = PLAYED[len(CASES) * 2]
    root = Trace.of(position, agent, 10**6).tree
    assert any(node.known for node in root)
    windows = [node.score_window for node in root if node.score_window]
    assert any(np.nextafter(alpha, WIN) == beta for alpha, beta in windows)
    svg = draw_tree(position, agent, nodes=2000, children=20, as_played=True)
    assert "table" in texts(svg)
    assert not [text for text in texts(svg) if "e−" in text]  # the bound above 0 is 0
    assert texts(svg)[-1].endswith("; the last iteration, as played")


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_windows_hold_what_alpha_beta_promises(case: tuple[Position, int | None]) -> None:
    position, depth = case
    root = record(position, AlphaBeta(), depth)
    for node in root.visited:
        exact = node.position
        assert node.window is not None
        alpha, beta = node.window
        assert alpha < beta
        assert node.value is not None
        left = None if depth is None else depth - (exact.ply - position.ply)  # type: ignore[attr-defined]
        if exact.is_terminal() or left == 0:
            continue
        truth = for_max(exact, Minimax(left).analyse(exact).value)
        if node.value <= alpha:
            assert truth <= node.value
        elif node.value >= beta:
            assert truth >= node.value
        else:
            assert truth == node.value


def test_the_order_of_moves_is_used_and_saves_work() -> None:
    def worst(position: Position, action: int) -> float:
        return action

    left, right = record(Fig52(), "alpha_beta"), record(Fig52(), AlphaBeta(order=worst))
    assert [child.name for child in right.children] == ["a3", "a2", "a1"]
    assert len(left.leaves) < len(right.leaves) == 9
    assert left.value == right.value == 3


def test_evaluations_are_for_max_and_less_than_a_win() -> None:
    def own(position: Position) -> float:
        return 1e9

    root = record(TicTacToe(), Minimax(1, own))
    assert {child.value for child in root.children} == {-999_000.0}  # good for O, who is to move
    won = record(TicTacToe().after("a1 a2 b1 b2"), Minimax(1, own))
    assert (won.value, won.line()[1].name) == (1, "c1")


def test_expectiminimax_takes_the_mean_where_chance_moves() -> None:
    position = Pig(5, 3).after("roll 3")
    root, found = record(position, Expectiminimax(2)), Expectiminimax(2).analyse(position)
    assert root.value == pytest.approx(for_max(position, found.value))
    chance = next(node for node in root if node.player == -1)
    assert sum(child.chance or 0 for child in chance.children) == pytest.approx(1)
    svg = draw_tree(position, Expectiminimax(2))
    assert {"CHANCE", "3: 0.33"} <= set(texts(svg))


# ---- trees of sampling searches


def test_the_tree_of_mcts_is_the_one_that_the_agent_grows() -> None:
    position = TicTacToe().after("b2")
    root = grown(position, MCTS(simulations=400, seed=3), 2, 4)
    found = MCTS(simulations=400, seed=3).analyse(position)
    children = [child for child in root.children if not child.dots]
    assert len(children) == 4
    assert root.children[-1].dots
    for child in children:
        action = position.action(child.name)
        assert child.visits == found.visits[action]
        assert child.value == pytest.approx(for_max(position, found.values[action]))
    drawn = sorted(child.visits or 0 for child in children)
    assert drawn == sorted(found.visits.values())[-4:]
    for child in children:
        below = [node for node in child.children if not node.dots]
        assert below
        assert all(node.position.ply == 3 for node in below)  # type: ignore[attr-defined]


def test_the_tree_of_mcts_shows_visits() -> None:
    svg = draw_tree(Fig52(), MCTS(simulations=50, seed=1, solver=False), children=2)
    assert sum(text.endswith(" ×") for text in texts(svg)) >= 3
    assert any("50 simulations" in text for text in texts(svg))


def test_proof_numbers_are_those_of_the_children() -> None:
    root, text = proof_tree(TicTacToe().after("b2 a1 c3 b1 c1"), ProofNumber(), 99)
    assert root.text == "∞ / 0"  # O cannot win
    assert text.startswith("Proof-number search: value −1")
    for node in root:
        if node.children and node.player == 1:  # X refutes with one move
            assert any(child.text == "∞ / 0" for child in node.children)
        elif node.children:
            assert all(child.text == "∞ / 0" for child in node.children)


def test_nodes_of_information_sets_are_what_a_player_sees() -> None:
    position, agent = Kuhn().after("Q J"), InformationSetMCTS(simulations=300, seed=1)
    root, text = views_tree(position, agent, 2)
    assert root.visits == 300
    assert [child.name for child in root.children] == ["pass", "pass", "bet", "bet"]
    for node in root:
        assert node.ended or node.position == node.position.hidden(node.position.to_move)
    assert "300 simulations" in text
    assert "300 ×" in texts(draw_tree(position, agent))


def test_the_game_tree_of_figure_5_1() -> None:
    root = outline(TicTacToe(), (9, 3, 3))
    assert len(root.children) == 9
    ends = [node for node in root if node.ended]
    assert sorted(end.value or 0 for end in ends) == [-1, 0, 1]
    svg = draw_game(TicTacToe())
    assert {"MAX (X)", "MIN (O)", "TERMINAL", "−1", "0", "1"} <= set(texts(svg))
    assert draw_game(TicTacToe()) == svg
    assert draw_game(ThirtyOne(), (2, 2))
    assert draw_game(Fig52(), (3, 9, 9))


# ---- the picture


@pytest.mark.parametrize("agent", ["minimax", "alpha_beta"])
@pytest.mark.parametrize("case", CASES, ids=ids)
def test_nothing_overlaps(case: tuple[Position, int | None], agent: str) -> None:
    root = record(case[0], agent, case[1])
    fold(root)
    picture = TreePicture(root, Labels(note=lambda node: "" if node.cut else "α −∞ β +∞"))
    levels: dict[float, list[tuple[float, float]]] = {}
    for node, (x, y) in picture.places.items():
        left, right = picture.extent(node)
        levels.setdefault(y, []).append((x - left, x + right))
    left, top, right, bottom = picture.box
    for y, spans in levels.items():
        assert top <= y <= bottom
        spans.sort()
        assert left <= spans[0][0]
        assert max(high for _, high in spans) <= right + 1e-6
        for (_, high), (low, _) in pairwise(spans):
            assert high < low
    for node in root:
        for child in node.children:
            assert picture.places[child][1] == picture.places[node][1] + picture.level


@pytest.mark.parametrize(
    "position", [ThirtyOne().after("5 6 6 6 2"), TicTacToe(), ConnectFour(), Pig(), DEEP], ids=repr
)
def test_no_branch_runs_through_a_node(position: Position) -> None:
    root, _ = drawn_tree(position)
    picture = TreePicture(root, labels_of(root))
    for parent, child in picture.branches():
        for start, end in pairwise(picture.points(parent, child)):
            for node in root:
                if node is not parent and node is not child:
                    left, top, right, bottom = picture.area(node)
                    assert not crosses(start, end, (left + 1, top + 1, right - 1, bottom - 1))


def test_a_line_and_a_box() -> None:
    box = (0.0, 0.0, 10.0, 10.0)
    assert crosses((-5, 5), (15, 5), box)
    assert crosses((-5, -5), (5, 5), box)
    assert crosses((2, 2), (3, 3), box)
    assert not crosses((-5, 12), (15, 12), box)
    assert not crosses((-5, 5), (-1, 5), box)
    assert not crosses((-6, 5), (5, -6), box)
    assert not crosses((12, -5), (12, 15), box)


def test_moves_have_names_in_trees_of_boards() -> None:
    position = TIC_TAC_TOE
    names = [position.name(action) for action in position.legal_actions()]
    assert set(names) <= set(texts(draw_tree(position, depth=1)))


# ---- what is left out


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_tree_by_default(name: str) -> None:
    start = adv_envs.game(name)()
    if not start.perfect_information:
        with pytest.raises(ValueError, match="a search tree needs perfect information"):
            draw_tree(start)
        return
    svg = ElementTree.fromstring(draw_tree(start))
    assert float(svg.get("width", "")) < 1500


def test_large_trees_are_drawn_in_part() -> None:
    root, text = drawn_tree(TicTacToe(), "minimax", 3, nodes=30)
    whole = record(TicTacToe(), "minimax", 3)
    drawn = [node for node in root if not node.dots]
    assert 15 < len(drawn) <= 30
    hidden = sum(node.hidden for node in root)
    assert len(drawn) + hidden == len(list(whole)) == 1 + 9 + 9 * 8 + 9 * 8 * 7
    assert text.endswith(f"504 leaves; {hidden} nodes are not drawn")
    assert [node.name for node in root.line()] == [node.name for node in whole.line()]
    assert root.value == whole.value


def test_a_node_keeps_its_best_children() -> None:
    root = pruned(record(Fig52(), "minimax"), 8, 1)
    assert [node.name for node in root.children] == ["a1", "2 more"]
    assert [node.name for node in root.children[0].children] == ["b1", "2 more"]
    whole = record(Fig52(), "minimax")
    assert pruned(whole, 13, 1) is whole


def test_without_a_depth_the_search_goes_as_deep_as_can_be_recorded() -> None:
    assert len(list(record(TicTacToe(), "minimax"))) == 586
    assert len(list(record(TicTacToe(), "minimax", limit=100))) == 82
    assert all(leaf.ended for leaf in record(TIC_TAC_TOE, "minimax").leaves)
    with pytest.raises(ValueError, match="more than 9 nodes"):
        record(TicTacToe(), "minimax", limit=9)


def test_a_search_that_knows_the_result_ends() -> None:
    won = TicTacToe().after("a1 a2 b1 b2")
    for agent in (AlphaBeta(), Expectiminimax()):
        root = record(won, agent, as_played=True)
        assert (root.value, root.plies) == (1, 1)


def test_the_default_search_evaluates() -> None:
    assert {child.value for child in record(TicTacToe()).children} != {0}
    assert record(Pig()).value not in (0, None)


def test_parents_stand_above_the_middle_of_their_children() -> None:
    root = record(DEEP)
    places = tidy(root, lambda node: (20, 20))
    for node in root:
        if node.children:
            xs = [places[child][0] for child in node.children]
            assert xs == sorted(xs)
            assert places[node][0] == pytest.approx((xs[0] + xs[-1]) / 2)


@pytest.mark.parametrize("agent", ["minimax", "alpha_beta"])
@pytest.mark.parametrize("case", CASES, ids=ids)
def test_the_svg_shows_every_node(case: tuple[Position, int | None], agent: str) -> None:
    position, depth = case
    svg = draw_tree(position, agent, depth, children=500, nodes=2000)
    shapes = list(ElementTree.fromstring(svg))
    root = record(position, agent, depth)
    written = texts(svg)
    assert written[-1].startswith("Minimax" if agent == "minimax" else "Alpha-beta")
    assert f"{len(root.visited)} nodes, {len(root.leaves)} leaves" in written[-1]
    values = [number(node.value or 0) for node in root.visited]
    for value in set(values):
        assert written.count(value) >= values.count(value)
    fold(root)
    dashed = [e for e in shapes if e.get("stroke-dasharray")]
    assert len(dashed) == sum(node.cut for node in root)
    assert ("α −∞  β +∞" in written) == (agent == "alpha_beta")


def test_boards_are_drawn_where_there_are_any() -> None:
    svg = draw_tree(TIC_TAC_TOE)
    assert "polygon" not in svg
    assert {"MAX (X)", "MIN (O)"} <= set(texts(svg))
    assert "polygon" in draw_tree(Fig52())
    assert {"MAX", "MIN", "a1", "b3", "14"} <= set(texts(draw_tree(Fig52())))


def test_large_boards_are_drawn_as_triangles() -> None:
    svg = draw_tree(Hex(11), depth=1)
    assert "polygon" in svg
    assert {"a1", "109 more"} <= set(texts(svg))
    assert "f6" in texts(draw_tree(Hex(11), depth=1, children=121, nodes=200))


def test_a_dashed_line_is_dashed_in_pixels() -> None:
    drawing = Drawing(0, 0, 100, 20, "", [Line(((10, 10), (90, 10)), palette.INK, 2, 8)])
    row = to_pixels(drawing)[10, :, 0] < 128
    changes = np.flatnonzero(row[1:] != row[:-1])
    assert len(changes) == 2 * 5
    assert "stroke-dasharray" in to_svg(drawing)
    bent = Drawing(0, 0, 60, 60, "", [Line(((5, 5), (5, 55), (55, 55)), palette.INK, 2, 8)])
    image = to_pixels(bent)[:, :, 0] < 128
    assert image[40, 5]
    assert image[55, 8]
    assert not image[20:35, 20:35].any()
    there = moved(drawing.shapes[0], 5, -3)
    assert there == Line(((15, 7), (95, 7)), palette.INK, 2, 8)


@pytest.mark.parametrize(
    "position", [TicTacToe(4, 5, 3).after("a1 b2"), ConnectFour().after("44"), Hex(5).after("c3")]
)
def test_miniatures_are_as_small_as_they_say(position: Position) -> None:
    width, height, shapes = picture_of(position).miniature(position)
    assert 0 < width <= 110
    assert 0 < height <= 110
    for shape in shapes:
        points = getattr(shape, "points", None) or [(shape.x, shape.y)]  # type: ignore[union-attr]
        for x, y in points:
            assert abs(x) <= width / 2 + 0.1
            assert abs(y) <= height / 2 + 0.1
    assert picture_of(Fig52()).miniature(Fig52()) is None


def test_no_border_cuts_a_stone_of_a_small_hex_board() -> None:
    position = Hex(3).after("a1 a3 c3 c1")
    picture = picture_of(position).miniature(position)
    stones = [s for s in picture.shapes if isinstance(s, Circle)]
    assert len(stones) == 4
    for number_of_shape, shape in enumerate(picture.shapes):
        for stone in stones:
            if number_of_shape > picture.shapes.index(stone) and shape is not stone:
                corners = getattr(shape, "points", [(shape.x, shape.y)] if shape in stones else [])
                distances = [math.dist((stone.x, stone.y), corner) for corner in corners]
                assert min(distances) > stone.radius


def test_many_cut_branches_are_drawn_as_one() -> None:
    position = ConnectFour(4, 5, 3).after("33")
    assert "4 cut off" in texts(draw_tree(position, "alpha_beta", 2))


# ---- step by step


def test_panels_show_what_was_visited_by_then() -> None:
    known = list(after_each_leaf(steps_of(record(Fig52(), "alpha_beta"))))
    assert [len(panel) for panel in known] == [3, 4, 5, 9, 11, 12, 13]
    svg = draw_steps(Fig52(), steps=(1, 2, 3, 4, 5, 7))
    written = texts(svg)
    assert [text for text in written if re.fullmatch(r"\([a-z]\)", text)] == [
        f"({letter})" for letter in "abcdef"
    ]
    assert written.count("[−∞, 2]") == 3
    assert {"[3, 14]", "[−∞, 14]", "[3, 3]", "[2, 2]"} <= set(written)
    assert len(texts(draw_steps(Fig52()))) > len(written)


def test_the_figures_of_the_readme_are_what_is_drawn_now() -> None:
    images = Path(__file__).parent.parent / "docs" / "images"
    figures = {
        "figure_5_1": draw_game(TicTacToe()),
        "figure_5_2": draw_tree(Fig52()),
        "figure_5_5": draw_steps(Fig52(), steps=(1, 2, 3, 4, 5, 7)),
    }
    for name, svg in figures.items():
        assert (images / f"{name}.svg").read_text(encoding="utf-8") == svg + "\n"


# ---- bad input


OVER = TicTacToe().after("a1 a2 b1 b2 c1")
FEW = MCTS(simulations=5)
REFUSED: list[tuple[Any, tuple[Any, ...], str]] = [
    *[(draw, (OVER,), "the game is over") for draw in (draw_tree, draw_steps, draw_game)],
    *[
        (draw_tree, (OVER, agent), "the game is over")
        for agent in (FEW, "max_n", "paranoid", "proof_number", "ismcts")
    ],
    *[
        (draw, (Fig52(), None, depth), "depth must be at least 1")
        for draw in (draw_tree, draw_steps)
        for depth in (0, -1)
    ],
    (draw_tree, (TicTacToe(), None, 5), "more than 2,000 nodes.*smaller depth"),
    (
        draw_tree,
        (TicTacToe(), MCTS(simulations=20_000, seed=1), 6, 9),
        "more than 2,000 nodes.*smaller depth",
    ),
    (draw_steps, (TicTacToe().after("b2"), None, 3), "too many to be read: choose some of the st"),
    *[
        (draw_tree, (Fig52(), spec), f"{spec} has no tree .* minimax, alpha_beta, .* mcts")
        for spec in ("random", "greedy", "retrograde")
    ],
    *[
        (draw_tree, (ThirtyOne(num_players=3), agent), "two players, not 3")
        for agent in (Minimax(), FEW)
    ],
    (draw_tree, (Pig(5), "alpha_beta", 2), "alpha_beta plays games without chance, which Pig has"),
    *[
        (draw_tree, (Kuhn().after("Q J"), spec), "perfect information")
        for spec in ("max_n", "paranoid", "proof_number", "minimax", "alpha_beta")
    ],
    (draw_tree, (Fig52(), FEW, None, 0), "children must be at least 1"),
    (draw_game, (Fig52(), (3, 0)), "every width must be at least 1"),
    (draw_tree, (Fig52(), "minmax"), "no agent 'minmax'; did you mean 'minimax'"),
]


@pytest.mark.parametrize(("draw", "given", "why"), REFUSED)
def test_what_cannot_be_drawn_is_refused(draw: Any, given: tuple[Any, ...], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        draw(*given)


def test_what_is_no_position_is_refused() -> None:
    with pytest.raises(TypeError, match="agents see positions"):
        draw_tree("b2")  # type: ignore[arg-type]


@pytest.mark.parametrize("steps", [(), (0,), (8,), (-1, 2)])
def test_steps_that_there_are_not(steps: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="1 to 7"):
        draw_steps(Fig52(), steps=steps)


def test_the_nodes_are_public() -> None:
    assert isinstance(record(Fig52()), TreeNode)
