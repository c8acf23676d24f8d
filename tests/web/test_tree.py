"""Stepping through search trees: the steps are those of the search, and the page shows them."""

import json
import math
import random
from itertools import pairwise

import pytest

from adv_envs import ConnectFour, Fig52, Kuhn, Pig, Position, ThirtyOne, TicTacToe, Tree
from agents.reports.search_tree import record
from agents.reports.tree_node import fold, pruned
from agents.reports.tree_steps import after_each_leaf, steps_of
from agents.web.game_states import GameState
from agents.web.tree_jobs import tree

FIG52 = {
    "a1": {"b1": 3, "b2": 12, "b3": 8},
    "a2": {"c1": 2, "c2": 4, "c3": 6},
    "a3": {"d1": 14, "d2": 5, "d3": 2},
}


def textbook(tree, maximise=True, alpha=-math.inf, beta=math.inf, name="", events=None):
    """AIMA figure 5.7, which notes where it comes to a node and where it goes back to one."""
    events.append((name, alpha, beta))
    value = -math.inf if maximise else math.inf
    for move, child in tree.items():
        if isinstance(child, dict):
            found = textbook(child, not maximise, alpha, beta, move, events)
        else:
            found = child
        value = (max if maximise else min)(value, found)
        if maximise:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        events.append((name, alpha, beta))
        if alpha >= beta:
            return value
    return value


def random_tree(rng, depth):
    if depth == 0:
        return rng.randint(-9, 9)
    return {
        f"m{i}": random_tree(rng, depth - (rng.random() < 0.9)) for i in range(rng.randint(1, 4))
    }


def one_message(position: Position, **options):
    (message,) = tree(GameState(position), options)
    json.dumps(message)
    return message


@pytest.mark.plain
def test_steps_of_figure_5_2_are_those_of_the_textbook():
    events = []
    assert textbook(FIG52, events=events) == 3
    steps = steps_of(record(Fig52(), "alpha_beta"))
    assert [(s.node.name, *s.windows[s.node]) for s in steps if s.windows] == events


@pytest.mark.plain
def test_intervals_of_figure_5_5():
    """The root and the nodes B, C, D after each leaf, as they are printed in the textbook."""
    infinity, found, now = math.inf, [], {}
    for step in steps_of(record(Fig52(), "alpha_beta")):
        now |= {node.name: bounds for node, bounds in step.bounds.items()}
        if step.node.leaf:
            found.append([now.get(name) for name in ("", "a1", "a2", "a3")])
    assert found == [
        [(-infinity, infinity), (-infinity, 3), None, None],
        [(-infinity, infinity), (-infinity, 3), None, None],
        [(3, infinity), (3, 3), None, None],
        [(3, infinity), (3, 3), (-infinity, 2), None],
        [(3, 14), (3, 3), (-infinity, 2), (-infinity, 14)],
        [(3, 5), (3, 3), (-infinity, 2), (-infinity, 5)],
        [(3, 3), (3, 3), (-infinity, 2), (2, 2)],
    ]


@pytest.mark.plain
def test_the_cut_is_explained():
    steps = steps_of(record(Fig52(), "alpha_beta"))
    (cut,) = [step for step in steps if step.cut]
    assert [node.name for node in cut.cut] == ["c2", "c3"]
    assert cut.said.startswith("β = 2 ≤ α = 3 at a2:")
    assert cut.said.endswith("Cut: c2 and c3.")
    assert steps[-1].said == "The search is done: a1 is best, value 3."


@pytest.mark.plain
@pytest.mark.parametrize("seed", range(30))
def test_steps_of_any_tree_are_those_of_the_textbook(seed):
    rng = random.Random(seed)
    drawn = {f"m{i}": random_tree(rng, 3) for i in range(3)}
    events = []
    value = textbook(drawn, events=events)
    root = record(Tree(drawn), "alpha_beta")
    steps = steps_of(root)
    assert [(s.node.name, *s.windows[s.node]) for s in steps if s.windows] == events
    assert steps[-1].bounds[root] == (value, value)
    leaves = [step for step in steps if step.node.leaf]
    for known, step in zip(after_each_leaf(steps), leaves, strict=True):
        assert all(known[node] == bounds for node, bounds in step.bounds.items())


@pytest.mark.plain
@pytest.mark.parametrize("agent", ["minimax", "alpha_beta"])
@pytest.mark.parametrize("nodes", [4, 9, 20, 60])
def test_what_is_left_out_of_a_picture_changes_no_value(agent, nodes):
    root = record(TicTacToe().after("b2 a1 c3 b1"), agent)
    value = root.value
    fold(root)
    drawn = pruned(root, nodes, 3)
    steps = steps_of(drawn)
    assert {step.node for step in steps} <= set(drawn)
    bounds = {node: b for step in steps for node, b in step.bounds.items()}
    assert bounds[drawn] == (value, value)
    for node in drawn:
        if node in bounds and node is not drawn and node.children:
            assert bounds[node][0] <= node.value <= bounds[node][1]


@pytest.mark.plain
def test_the_mean_of_chance():
    root = record(Pig(target=6), "expectiminimax", 2)
    chances = [node for node in root if node.player == -1 and node.children]
    last = {step.node: step for step in steps_of(root)}
    assert chances
    for node in chances:
        mean = sum(child.chance * child.value for child in node.children)
        assert last[node].bounds[node] == pytest.approx((mean, mean))
        assert "the mean of all is" in last[node].said


@pytest.mark.plain
def test_a_message_has_all_that_a_page_needs():
    found = one_message(TicTacToe(), agent="alpha_beta(depth=2)", nodes=30)["tree"]
    assert len(found["nodes"]) <= 30 + 1
    assert found["left_out"] or not any(node["hidden"] for node in found["nodes"])
    seen = {node for step in found["steps"] for node, _, _ in step["changed"]}
    cut = {node for step in found["steps"] for node in step["cut"]}
    assert seen.isdisjoint(cut)
    for i, node in enumerate(found["nodes"]):
        assert (i in cut) == node["cut"]
        assert i in seen or node["cut"] or node["dots"]
        assert i == 0 or node["parent"] < i
        if node["actions"] is not None:
            position = TicTacToe()
            for action in node["actions"]:
                assert position.legal(action)
                position = position.play(action)


@pytest.mark.plain
def test_a_tree_of_simulations_grows():
    found = one_message(TicTacToe(), agent="mcts(simulations=50, seed=3)")["tree"]
    steps = found["steps"]
    assert [step["simulations"] for step in steps] == [1, 2, 4, 8, 16, 32, 50]
    visits = [{node: note for node, _, note in step["changed"]} for step in steps]
    for before, after in pairwise(visits):
        assert before.keys() <= after.keys()
    total = [sum(visits for _, visits, _ in step["moves"]) for step in steps]
    assert all(n - 1 <= sum_ <= n for n, sum_ in zip([1, 2, 4, 8, 16, 32, 50], total, strict=True))
    assert one_message(TicTacToe(), agent="mcts(simulations=50, seed=3)")["tree"] == found


@pytest.mark.plain
def test_a_search_that_knows_all_ends():
    steps = one_message(Fig52(), agent="mcts(simulations=64)")["tree"]["steps"]
    made = [step["simulations"] for step in steps]
    assert made[-1] < 64
    assert made == sorted(set(made))


@pytest.mark.plain
def test_games_without_a_tree_say_why():
    assert "do not see everything" in one_message(Kuhn(), agent="minimax")["sorry"]
    assert "two players" in one_message(ThirtyOne(num_players=3), agent="minimax")["sorry"]
    assert "over" in one_message(Fig52().after("a1 b1"), agent="minimax")["sorry"]


@pytest.mark.plain
def test_what_cannot_be_drawn_is_an_error_in_words():
    with pytest.raises(ValueError, match="more than 2,000 nodes"):
        one_message(ConnectFour(), agent="minimax(depth=6)")
    with pytest.raises(ValueError, match="no tree that could be drawn"):
        one_message(ConnectFour(), agent="random")
    with pytest.raises(ValueError, match="cannot be sent by a page"):
        one_message(ConnectFour(), agent="minimax(evaluate='os.system')")


# ---- in a browser


def open_panel(page, name):
    """Go to a panel of a page that is ready."""
    from playwright.sync_api import expect

    expect(page.locator("#status")).not_to_be_empty()
    page.get_by_role("tab", name=name).click()
    expect(page.locator("#play")).to_be_hidden()


@pytest.fixture
def fig52(page, site):
    """The page of figure 5.2 with its tree."""
    page.goto(site.at("/game/fig52"))
    open_panel(page, "Search tree")
    page.locator(".tree-node").first.wait_for()
    return page


@pytest.mark.compiled
@pytest.mark.needs("browser")
def test_step_through_figure_5_2(fig52):
    from playwright.sync_api import expect

    texts = [step.said for step in steps_of(record(Fig52(), "alpha_beta"))]
    said = fig52.locator("#tree-said")
    expect(said).to_have_text(texts[-1])  # it opens with the whole tree
    fig52.get_by_role("button", name="First step").click()
    for text in texts:
        expect(said).to_have_text(text)
        if text is not texts[-1]:
            fig52.get_by_role("button", name="Next step").click()
    expect(fig52.get_by_role("button", name="Next step")).to_be_disabled()
    shown = [g.text_content() for g in fig52.locator(".tree-node:not(.unseen)").all()]
    assert [text for text in shown if "[" in text] == [
        "[3, 3]α 3, β +∞", "[3, 3]α −∞, β 3", "[−∞, 2]α 3, β 2", "[2, 2]α 3, β 2",
    ]  # fmt: skip
    expect(fig52.locator(".tree-branch.struck")).to_have_count(2)
    expect(fig52.locator(".tree-branch.best")).to_have_count(2)
    fig52.keyboard.press("Home")
    expect(said).to_have_text(texts[0])
    expect(fig52.locator(".tree-branch.struck")).to_have_count(0)
    fig52.locator("#tree-view").press("ArrowRight")
    expect(said).to_have_text(texts[1])
    fig52.locator("#tree-slider").fill("12")
    expect(said).to_have_text(texts[12])


@pytest.mark.compiled
@pytest.mark.needs("browser")
def test_the_steps_play_by_themselves(fig52):
    from playwright.sync_api import expect

    last = int(fig52.locator("#tree-slider").get_attribute("max"))
    fig52.locator("#tree-slider").fill(str(last - 2))
    fig52.locator("#tree-speed").select_option("fast")
    fig52.get_by_role("button", name="Play the steps").click()
    expect(fig52.locator("#tree-count")).to_have_text(f"{last + 1} / {last + 1}")
    expect(fig52.get_by_role("button", name="Play the steps")).to_be_visible()


@pytest.mark.compiled
@pytest.mark.needs("browser")
def test_a_node_shows_its_position(fig52):
    from playwright.sync_api import expect

    board = fig52.locator("#board svg")
    expect(board).to_have_attribute("aria-label", "MAX to move")
    fig52.get_by_text("The tree as a list").click()
    fig52.get_by_role("button", name="a2, MIN, 2").click()
    expect(board).to_have_attribute("aria-label", "MIN to move")
    fig52.get_by_role("button", name="Back to the root of the tree").click()
    expect(board).to_have_attribute("aria-label", "MAX to move")
    fig52.get_by_role("button", name="a3, MIN, 2").click()
    expect(board).to_have_attribute("aria-label", "MIN to move")
    fig52.get_by_role("tab", name="Play").click()
    expect(board).to_have_attribute("aria-label", "MAX to move")
    fig52.get_by_role("tab", name="Search tree").click()
    expect(fig52.locator("#tree-back")).to_be_hidden()


@pytest.mark.compiled
@pytest.mark.needs("browser")
def test_a_wide_tree_stays_in_its_own_box(page, site):
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(site.at("/game/tic_tac_toe"))
    open_panel(page, "Search tree")
    page.locator(".tree-node").first.wait_for()
    wide, room = page.evaluate(
        "() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]"
    )
    assert wide <= room
    tree_wide, tree_room = page.locator("#tree-view").evaluate(
        "(element) => [element.scrollWidth, element.clientWidth]"
    )
    assert tree_wide > tree_room


@pytest.mark.compiled
@pytest.mark.needs("browser")
def test_a_game_without_a_tree_says_so_on_the_page(page, site):
    from playwright.sync_api import expect

    page.goto(site.at("/game/kuhn"))
    open_panel(page, "Search tree")
    expect(page.locator("#tree-note")).to_contain_text("do not see everything")
    expect(page.locator("#tree-shown")).to_be_hidden()
