"""Exact exploitability without the tree: as on the tree in small games, and who can be asked."""

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from command_line import refused

import agents
from adv_envs import DarkHex, Kuhn, LiarsDice, PhantomTicTacToe
from agents.equilibrium import CFR, TabularPolicy, best_value, game_tree
from agents.equilibrium.large_games import (
    best_values,
    large_game,
    policy_array,
    uniform_answer,
)
from agents.equilibrium.regret_matching import plus
from agents.games.liars_dice import PublicCFR
from agents.grading.large_card import grade_large, is_large
from agents.learning.policies import observations_of
from agents.networks.checkpoint import make_checkpoint
from agents.networks.policy import Policy

SMALL = pytest.mark.parametrize(
    "start",
    [LiarsDice(1, 3), LiarsDice(2, 2), DarkHex(2), DarkHex(2, abrupt=True)],
    ids=["liars_dice 1x3", "liars_dice 2x2", "dark_hex", "abrupt dark_hex"],
)


def some_answer(seed: int) -> Any:
    """Answers by weights that are drawn for each observation; some are 0, but never all."""

    def answer(observations: Any, masks: Any) -> Any:
        weights = np.zeros(masks.shape)
        for i, (seen, mask) in enumerate(zip(observations, masks, strict=True)):
            rng = Random(crc32(seen.astype(np.int64).tobytes(), seed))
            legal = np.flatnonzero(mask).tolist()
            weights[i, legal] = [rng.random() * (rng.random() < 0.7) for _ in legal]
            weights[i, rng.choice(legal)] += 0.1
        return weights

    return answer


def shown(start: Any) -> tuple[Any, Any]:
    """Observations and masks at all information sets of the tree."""
    tree = game_tree(start)
    seen, masks = observations_of(start, tree.views)
    return seen, masks != 0


def table_of(start: Any, answer: Any) -> TabularPolicy:
    """The policy of an answer, on the tree."""
    tree = game_tree(start)
    weights = answer(*shown(start))
    return TabularPolicy.of_weights(tree, weights[tree.slot_set, tree.slot_action])


@SMALL
@pytest.mark.parametrize("seed", range(5))
def test_best_responses_are_those_of_the_tree(start: Any, seed: int) -> None:
    game, answer = large_game(start), some_answer(seed)
    assert game is not None
    table = table_of(start, answer)
    policies = [policy_array(game, player, answer) for player in (0, 1)]
    before = [policy.copy() for policy in policies]
    expected = [best_value(table, player) for player in (0, 1)]
    assert best_values(game, policies) == pytest.approx(expected, abs=1e-12)
    for policy, old in zip(policies, before, strict=True):
        assert (policy == old).all()  # a policy is only read


@SMALL
def test_the_information_sets_are_those_of_the_tree(start: Any) -> None:
    game, tree = large_game(start), game_tree(start)
    assert game is not None
    seen, masks = shown(start)
    for player in (0, 1):
        own = range(int(tree.first_set[player]), int(tree.first_set[player + 1]))
        theirs = Counter((seen[i].tobytes(), masks[i].tobytes()) for i in own if masks[i].sum() > 1)
        ours, taken = Counter[Any](), list[int]()
        for chunk in game.chunks(player):
            assert chunk.observations.dtype == seen.dtype
            for one, mask, row in zip(*chunk, strict=True):
                ours[one.tobytes(), mask.tobytes()] += 1
                taken += range(row, row + mask.sum())
        assert ours == theirs
        assert game.num_sets(player) == theirs.total()
        assert len(set(taken)) == len(taken)
        assert max(taken) < game.num_slots(player)


@pytest.mark.parametrize("start", [LiarsDice(1, 3), LiarsDice(2, 2)])
def test_regrets_on_public_lines_are_those_on_the_tree(start: Any) -> None:
    game, tree = large_game(start), game_tree(start)
    public, whole = PublicCFR(game), CFR(tree, plus)
    seen, masks = shown(start)
    for iterations in (1, 4, 20):
        public.run(iterations)
        whole.run(iterations)
        found, table = public.average(), whole.average()
        for player in (0, 1):
            rows = {
                one.tobytes(): (int(row), int(mask.sum()))
                for chunk in game.chunks(player)
                for one, mask, row in zip(*chunk, strict=True)
            }
            own = range(int(tree.first_set[player]), int(tree.first_set[player + 1]))
            for i in own:
                if masks[i].sum() > 1:
                    row, number = rows[seen[i].tobytes()]
                    slots = tree.slots(i)
                    theirs = table.array[slots.start : slots.stop]
                    assert found[player][row : row + number] == pytest.approx(theirs, abs=1e-9)
        expected = [best_value(table, player) for player in (0, 1)]
        assert best_values(game, found) == pytest.approx(expected, abs=1e-9)


@SMALL
def test_a_game_that_has_begun_is_taken_from_its_start(start: Any) -> None:
    begun = start
    while begun.to_move < 0:
        begun = begun.play(begun.legal_actions()[-1])
    begun = begun.play(begun.legal_actions()[0])
    whole, same = large_game(start), large_game(begun)
    assert whole is not None
    assert same is not None
    assert same.start == start
    policies = [policy_array(whole, player, some_answer(1)) for player in (0, 1)]
    again = [policy_array(same, player, some_answer(1)) for player in (0, 1)]
    assert best_values(whole, policies) == best_values(same, again)


def network(start: Any, path: Path) -> Policy:
    """A policy with one layer of random weights."""
    rng, size = np.random.default_rng(1), int(np.prod(start.observation_shape))
    shapes = {"p.weight": (start.num_actions, size), "p.bias": (start.num_actions,)}
    arrays = {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    layers = {"policy": [{"op": "flatten"}, {"op": "linear", "name": "p"}]}
    make_checkpoint(start, arrays, layers).save(path)
    return Policy(path, temperature=1.0)


@pytest.mark.parametrize("start", [LiarsDice(1, 3), DarkHex(2)])
@pytest.mark.parametrize("kind", ["random", "policy"])
def test_agents_answer_many_observations_as_one_view(start: Any, kind: str, tmp_path: Path) -> None:
    made = network(start, tmp_path / "some.safetensors") if kind == "policy" else agents.Random()
    agent: Any = made
    views = game_tree(start).views
    seen, masks = shown(start)
    players = np.array([view.to_move for view in views])
    assert getattr(agent, "sees_observations", True)
    told = agent.probabilities_on_observations(start, seen.astype(np.float32), masks, players)
    assert told.shape == masks.shape
    for view, row in zip(views, told, strict=True):
        expected = np.zeros(start.num_actions)
        for action, share in agent.action_probabilities(view).items():
            expected[action] = share
        assert row == pytest.approx(expected, abs=1e-6)


def test_report_cards_are_those_of_the_tree() -> None:
    start = LiarsDice(1, 3)
    report = grade_large(start, ["random"])
    table = table_of(start, uniform_answer)
    expected = [best_value(table, player) for player in (0, 1)]
    assert report.cards[0].best_responses == pytest.approx(expected, abs=1e-12)
    assert report.cards[0].exploitability == pytest.approx(sum(expected) / 2, abs=1e-12)
    sets = report.to_dict()["information_sets"]
    assert sum(sets) == sum(mask.sum() > 1 for mask in shown(start)[1])


def test_which_games_are_too_large_for_their_tree() -> None:
    for start in (LiarsDice(2, 5), DarkHex(3), DarkHex(3, abrupt=True), PhantomTicTacToe()):
        assert is_large(start), start
    for start in (LiarsDice(1, 3), LiarsDice(1, 2, players=3), DarkHex(2), DarkHex(4), Kuhn()):
        assert not is_large(start), start


def test_policies_that_say_nothing_are_refused() -> None:
    game = large_game(LiarsDice(1, 2))
    assert game is not None
    for wrong in (0.0, -1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match="probabilities, at least 0, not all 0"):
            policy_array(game, 0, lambda seen, masks, wrong=wrong: np.full(masks.shape, wrong))


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing finds exploitability in kuhn without its tree"):
        grade_large(Kuhn(), ["random"])
    with pytest.raises(ValueError, match="name an agent to grade"):
        grade_large(LiarsDice(1, 3), [])
    large = "grade", "liars_dice", "--dice", "2", "--sides", "5"
    assert "7,864,320 information sets one by one" in refused(*large, "ismcts(simulations=10)")
    assert "leave out --html" in refused(*large, "random", "--html", "never.html")
    assert "name an agent to grade" in refused(*large)
