"""Policies as files and agents, the command line and the picture of game trees."""

from __future__ import annotations

import functools
import itertools
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from games import naive_best_response as naive
from hidden_games import SCHEDULES, as_function, some_policy
from typer.testing import CliRunner

from adv_envs import CHANCE, Kuhn, Leduc, LiarsDice, Position, TicTacToe
from adv_envs.pictures.shapes import Line
from adv_envs.testing import check_agent
from agents import Policy, SearchAgent, draw_game_tree, make
from agents.cli import app
from agents.equilibrium import (
    CFR,
    GameTree,
    PolicyAgent,
    TabularPolicy,
    expected_utilities,
    exploitability,
    game_tree,
    hidden_agents,
    losses,
    uniform_policy,
)
from agents.equilibrium.game_tree import set_labels
from agents.equilibrium.hidden_agents import expected_values
from agents.networks.checkpoint import CheckpointError, make_checkpoint
from agents.reports.draw_trees import ExtensiveForm

# ---- files


def test_a_saved_policy_is_the_same(tmp_path: Path) -> None:
    policy = some_policy(Kuhn(3), 4)
    policy.save(tmp_path / "kuhn.safetensors", iterations=4)
    again = TabularPolicy.load(tmp_path / "kuhn.safetensors")
    assert again.tree is policy.tree
    assert (again.array == policy.array).all()


def test_a_saved_policy_is_played(tmp_path: Path) -> None:
    path = tmp_path / "kuhn.safetensors"
    policy = some_policy(Kuhn(), 4)
    policy.save(path)
    agent = make(f"policy(path={str(path)!r})", Policy)
    assert agent.checkpoint.is_mixed
    assert repr(agent) == f"policy(path={str(path)!r})"
    agent.reset(3)
    for view in policy.tree.views:
        expected = policy.probabilities(view)
        assert agent.action_probabilities(view) == pytest.approx(expected, abs=1e-6)
        drawn = [agent.act(view) for _ in range(400)]
        for action, share in expected.items():
            assert drawn.count(action) / 400 == pytest.approx(share, abs=0.13)
    played = TabularPolicy.of_agent(agent, Kuhn())
    assert played.array == pytest.approx(policy.array, abs=1e-6)
    greedy = TabularPolicy.of_agent(Policy(path, temperature=0), Kuhn())
    assert set(greedy.array) == {0.0, 1.0}
    check_agent(agent, Kuhn(), make=make)


def test_files_of_other_kinds_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "kuhn.safetensors"
    uniform_policy(Kuhn()).save(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    with pytest.raises(CheckpointError, match="is torn"):
        TabularPolicy.load(path)
    with pytest.raises(CheckpointError, match="a network or a table of values: use policy"):
        TabularPolicy.load("connect_four_ppo")
    keys = np.zeros((1, 3), np.int64)
    for table, why in [
        (np.full((1, 3), 0.4), "do not add up to 1"),
        (np.full((2, 3), 1 / 3), "no row of probabilities for each key"),
        (np.full((1, 3), np.nan), "do not add up to 1"),
    ]:
        with pytest.raises(CheckpointError, match=why):
            make_checkpoint(Kuhn(), {"keys": keys, "probabilities": table})
    few = make_checkpoint(Kuhn(), {"keys": keys, "probabilities": np.full((1, 3), 1 / 3)})
    few.save(path)
    with pytest.raises(CheckpointError, match="does not say what to play at Kuhn"):
        TabularPolicy.load(path)


# ---- agents

SPECS = {
    "cfr(iterations=50)": "cfr",
    "cfr_plus(iterations=50)": "cfr_plus",
    "discounted_cfr(iterations=50)": "discounted",
}


@pytest.mark.parametrize("spec", SPECS)
def test_agents_play_the_average_policy(spec: str) -> None:
    solver = CFR(game_tree(Kuhn(3)), SCHEDULES[SPECS[spec]])
    solver.run(50)
    played = TabularPolicy.of_agent(make(spec), Kuhn(3))
    assert (played.array == solver.average().array).all()


@pytest.mark.parametrize("spec", [*SPECS, "mccfr(iterations=200)", "equilibrium()"])
def test_agents_obey_the_laws(spec: str) -> None:
    check_agent(make(spec), Kuhn(), games=9, make=make)


def test_values_are_what_is_expected_where_all_play_so() -> None:
    agent = make("equilibrium()", SearchAgent)
    assert agent.value(Kuhn()) == pytest.approx(-1 / 18)
    found = agent.analyse(Kuhn().after("Q K bet"))
    assert (found.action, found.values) == (1, pytest.approx({0: -1, 1: 2}))
    assert found.probabilities == pytest.approx({0: 0, 1: 1})
    assert found.value == pytest.approx(2)
    assert agent.value(Kuhn().after("Q K bet call")) == -2
    assert agent.values(Kuhn().after("Q K bet call")) == {}


@pytest.mark.parametrize("seed", range(3))
def test_expected_values_are_the_naive_ones(seed: int) -> None:
    """At each view: the mean over the positions it may be, by how likely the others come there."""
    policy = some_policy(Kuhn(3), seed)
    found = as_function(policy)
    for number, view in enumerate(policy.tree.views):
        player = view.to_move
        values = expected_values(policy, player)
        total, weighted = 0.0, dict.fromkeys(view.legal_actions(), 0.0)
        for position, weight in members(policy, view):
            total += weight
            for action in weighted:
                weighted[action] += weight * naive.expected(position.play(action), found)[player]
        if total:
            expected = [weighted[action] / total for action in weighted]
            slots = policy.tree.slots(number)
            assert values[slots.start : slots.stop] == pytest.approx(expected, abs=1e-9)


def members(policy: TabularPolicy, view: Position) -> list[tuple[Position, float]]:
    """The positions that look like ``view``, and how likely the others and chance lead there."""
    tree = policy.tree
    number, found = tree.find(view), []
    for node in np.flatnonzero(tree.set_of == number):
        weight, here = 1.0, tree.start
        for action in tree.line(int(node)):
            if here.to_move == CHANCE:
                weight *= here.probability(action)
            elif here.to_move != view.to_move:
                weight *= policy.probabilities(here)[action]
            here = here.play(action)
        found.append((here, weight))
    return found


def test_values_where_nobody_should_get() -> None:
    """Nobody bets here, and still it is known what a call would win."""
    tree = game_tree(Kuhn())
    passive = TabularPolicy.of_function(tree, lambda view: {0: 1.0})
    number = tree.find(Kuhn().after("Q K bet"))
    values = expected_values(passive, 1)
    assert [values[slot] for slot in tree.slots(number)] == pytest.approx([-1, 2])


def test_agents_refuse_games_in_which_all_is_seen() -> None:
    for spec in (*SPECS, "mccfr()", "equilibrium()"):
        with pytest.raises(ValueError, match=r"do not see everything; .* use retrograde"):
            make(spec).act(TicTacToe())
        with pytest.raises(ValueError, match="here chance is to move"):
            make(spec).act(Kuhn())


def test_agents_refuse_games_that_are_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hidden_agents, "game_tree", functools.partial(GameTree, limit=1000))
    with pytest.raises(ValueError, match=r"more than 1,000 histories: too many"):
        make("cfr()").act(Leduc().after("Js Qs"))


def test_parameters_of_agents() -> None:
    for spec, error, says in (
        ("cfr(iterations=0)", ValueError, "must be"),
        ("mccfr(sampling='all')", ValueError, "must be"),
        ("mccfr(exploration=2)", ValueError, "must be"),
        ("discounted_cfr(gamma=1000)", ValueError, "gamma must be from -20 to 20"),
        ("mccfr(seed=1.5)", TypeError, r"seed must be a whole number, not 1\.5"),
        ("cfr(iterations=None)", TypeError, "iterations must be a whole number"),
    ):
        with pytest.raises(error, match=says):
            make(spec)
    assert repr(make("discounted_cfr(beta=0.5)")) == "discounted_cfr(beta=0.5)"


def test_a_tree_begins_with_a_whole_position_and_policies_stay_with_their_game() -> None:
    with pytest.raises(ValueError, match="only what player 0 sees"):
        GameTree(Kuhn().after("Q K").hidden(0))
    uniform = uniform_policy(Kuhn())
    with pytest.raises(ValueError, match="is no policy for Kuhn"):
        uniform.with_player(0, uniform_policy(Leduc()))
    with pytest.raises(ValueError, match="player must be 0 to 1, not -1"):
        losses(uniform, -1)


def test_asking_an_agent_that_tells_no_probabilities() -> None:
    policy = TabularPolicy.of_agent(make("ismcts(simulations=20)"), Kuhn(), samples=5)
    shares = set(np.round(policy.array * 5, 9))
    assert shares <= {0, 1, 2, 3, 4, 5}
    uniform = TabularPolicy.of_agent(make("random()"), Kuhn())
    assert (uniform.array == 0.5).all()


# ---- the command line


def solve(*arguments: str) -> str:
    """What ``adv-envs solve`` prints."""
    found = CliRunner().invoke(app, ["solve", *arguments], prog_name="adv-envs")
    assert found.exit_code == 0, found.output
    return found.stdout


def test_solve_prints_an_equilibrium() -> None:
    text = solve("kuhn")
    assert "Value: -0.0555555556 for player 0, +0.0555555556 for player 1" in text
    assert "12 information sets, 58 histories, 30 of them ended" in text
    assert re.search(r"^ ?1 +\? K bet +pass 0, bet 1$", text, re.MULTILINE)
    one = solve("kuhn", "Q", "K", "bet")
    assert len(one.splitlines()) == len(text.splitlines()) - 11


def test_solve_by_an_agent_as_json() -> None:
    told = json.loads(solve("kuhn", "--players", "3", "--agent", "cfr(iterations=10)", "--json"))
    solver = CFR(game_tree(Kuhn(3)))
    solver.run(10)
    assert told["exploitability"] == exploitability(solver.average())
    assert told["values"] == expected_utilities(solver.average())
    assert len(told["policy"]) == told["information_sets"] == 48
    first = told["policy"][0]
    assert (first["player"], first["sees"]) == (0, "J ? ?")
    assert sum(first["plays"].values()) == pytest.approx(1)


def test_solve_says_what_cannot_be_solved() -> None:
    for arguments, why in [
        (["kuhn", "--agent", "random()"], "has no policy for a whole game"),
        (["kuhn", "Q"], "chance is to move there"),
        (["kuhn", "Q", "K", "bet", "call"], "the game is over"),
        (["kuhn", "--players", "3", "--agent", "equilibrium"], "two players, not 3; use cfr_plus"),
        (["dark_hex"], "find exploitability without it: adv-envs grade does"),
        (["dark_hex", "--size", "4"], "give GameTree a larger limit"),
        (["hanabi"], "an equilibrium needs players who want different things"),
    ]:
        found = CliRunner().invoke(app, ["solve", *arguments], prog_name="adv-envs")
        assert found.exit_code in (1, 2)
        assert why in found.output


def test_labels_of_information_sets() -> None:
    labels = set_labels(game_tree(Kuhn()))
    assert labels[:4] == ["J ?", "Q ?", "K ?", "J ? pass bet"]
    assert len(set(labels)) == 12
    two_dice = set_labels(game_tree(LiarsDice(2, 2)))
    assert "> player 0 1 2 player 1 ? ? bids" in two_dice  # thrown in either order
    assert len(set(two_dice)) == len(two_dice)


# ---- pictures


def test_the_picture_of_a_game_tree() -> None:
    text = draw_game_tree(Kuhn())
    svg = ElementTree.fromstring(text)
    told = [element.text for element in svg.iter() if element.tag.endswith("text")]
    assert told.count("0") == 12
    assert told.count("1") >= 12  # nodes of player 1, and what is won
    assert told.count("pass") == told.count("bet") == 24
    title = "Kuhn: 58 histories, 12 information sets (dashed); boxes have what each player wins"
    assert title in told
    assert text.count("stroke-dasharray") == 3 * 12  # each set has two nodes, and a line of 3 parts
    with pytest.raises(ValueError, match="more than 200 histories"):
        draw_game_tree(Kuhn(3))


def test_the_picture_of_a_game_tree_has_the_probabilities_of_a_policy() -> None:
    policy = make("cfr(iterations=10)", PolicyAgent).policy(Kuhn())
    svg = ElementTree.fromstring(draw_game_tree(Kuhn(), policy))
    written = {element.text for element in svg.iter() if element.tag.endswith("text")}
    position = Kuhn().after("Q J")
    for action, share in policy.probabilities(position).items():
        assert f"{position.name(action)} {share:.2f}" in written


def test_lines_of_sets_do_not_overlap() -> None:
    picture = ExtensiveForm(game_tree(Kuhn()))
    flat = [
        (shape.points[0][1], *sorted(x for x, _ in shape.points), shape.stroke)
        for shape in picture.sets()
        if isinstance(shape, Line) and shape.points[0][1] == shape.points[1][1]
    ]
    assert len(flat) == 12
    for (y, left, right, _), (v, begin, end, _) in itertools.combinations(flat, 2):
        assert y != v or right < begin or end < left
