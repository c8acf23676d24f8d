"""Trees of max^n, paranoid, proof-number and information set search, and of policies."""

import re

import pytest

import agents
from adv_envs import Kuhn, ThirtyOne, TicTacToe
from agents import SearchAgent, draw_game_tree, draw_tree
from agents.equilibrium import PolicyAgent
from agents.reports.other_trees import other_tree
from agents.search.limits import WIN

pytestmark = pytest.mark.plain


def texts(svg: str) -> list[str]:
    """What is written in a picture."""
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg)


@pytest.mark.parametrize("spec", ["max_n(depth=3)", "paranoid(depth=4)", "paranoid()", "max_n()"])
def test_trees_for_three_players_have_the_nodes_of_the_search(spec: str) -> None:
    position = ThirtyOne(limit=9, highest=3, num_players=3).after("3")
    agent = agents.make(spec, SearchAgent)
    root, text = other_tree(position, agent, None)
    found = agent.analyse(position)
    assert len(root.visited) == found.nodes
    assert root.value is not None
    assert found.value == root.value * (1 if found.proven else WIN)
    assert root.best is not None
    assert root.best.name == position.name(found.action)
    assert f"{found.nodes} nodes" in text


def test_proof_numbers_are_those_of_the_children() -> None:
    position = TicTacToe().after("b2 a1 c3 b1 c1")
    root, text = other_tree(position, agents.ProofNumber(), None)
    assert root.text == "∞ / 0"  # O cannot win
    assert text.startswith("Proof-number search: value −1")
    for node in root:
        if node.children and node.player == 1:  # X refutes with one move
            assert any(child.text == "∞ / 0" for child in node.children)
        elif node.children:
            assert all(child.text == "∞ / 0" for child in node.children)


def test_nodes_of_information_sets_are_what_a_player_sees() -> None:
    position = Kuhn().after("Q J")
    agent = agents.make("ismcts(simulations=300, seed=1)")
    root, text = other_tree(position, agent, 2)
    assert root.visits == 300
    assert [child.name for child in root.children] == ["pass", "pass", "bet", "bet"]
    for node in root:
        assert node.ended or node.position == node.position.hidden(node.position.to_move)
    assert "300 simulations" in text
    svg = draw_tree(position, agent)
    assert "300 ×" in texts(svg)


def test_the_picture_of_a_game_tree_has_the_probabilities_of_a_policy() -> None:
    policy = agents.make("cfr(iterations=10)", PolicyAgent).policy(Kuhn())
    written = texts(draw_game_tree(Kuhn(), policy))
    position = Kuhn().after("Q J")
    for action, share in policy.probabilities(position).items():
        assert f"{position.name(action)} {share:.2f}" in written


@pytest.mark.parametrize("spec", ["max_n", "paranoid", "proof_number", "ismcts"])
def test_other_trees_refuse_what_their_agents_refuse(spec: str) -> None:
    over = TicTacToe().after("a1 a2 b1 b2 c1")
    with pytest.raises(ValueError, match="over"):
        draw_tree(over, spec)
    if spec != "ismcts":
        with pytest.raises(ValueError, match="perfect information"):
            draw_tree(Kuhn().after("Q J"), spec)
