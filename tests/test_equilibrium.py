"""Game trees, best responses and regret minimisation against naive ones, OpenSpiel and theory."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from games import naive_best_response as naive
from naive_regret import NaiveRegret
from typer.testing import CliRunner

from adv_envs import CHANCE, Goofspiel, Kuhn, Leduc, LiarsDice, Position, TicTacToe
from adv_envs.testing import check_agent
from agents import Policy, SearchAgent, make
from agents.cli import app
from agents.equilibrium import (
    CFR,
    MCCFR,
    TERMINAL,
    GameTree,
    TabularPolicy,
    best_response,
    best_value,
    constant,
    discounted,
    expected_utilities,
    exploitability,
    game_tree,
    hidden_agents,
    losses,
    nash_conv,
    plus,
    solve_zero_sum,
    uniform_policy,
)
from agents.equilibrium.game_tree import set_labels
from agents.equilibrium.hidden_agents import expected_values
from agents.equilibrium.regret_matching import Schedule
from agents.equilibrium.sampled_regret import INITIAL, SAMPLING
from agents.networks.checkpoint import CheckpointError, make_checkpoint


class LeducInOtherOrder(Leduc):
    """Leduc hold'em with OpenSpiel's numbers: 0 fold, 1 call or check, 2 raise.

    Where regrets are equal, the order of a sum decides by its rounding what is played next.
    """

    def set_up(self) -> LeducInOtherOrder:
        return LeducInOtherOrder(*Leduc.set_up(self))

    def check(self) -> None:
        Leduc(*self).check()

    def hidden(self, player: int) -> LeducInOtherOrder:
        return LeducInOtherOrder(*Leduc.hidden(self, player))

    def _own(self, action: int) -> int:
        if self.to_move == CHANCE:
            return action
        return (2, 0 if Leduc.legal(self, 0) else 3, 1)[action] if action < 3 else -1

    def legal(self, action: int) -> bool:
        own = self._own(action)
        return own >= 0 and Leduc.legal(self, own)

    def play(self, action: int) -> LeducInOtherOrder:
        return LeducInOtherOrder(*Leduc.play(self, self._own(action)))


SCHEDULES: dict[str, Schedule] = {"cfr": constant, "cfr_plus": plus, "discounted": discounted()}

GAMES: list[Position] = [Kuhn(), Kuhn(3)]


def as_function(policy: TabularPolicy) -> Callable[[Any, int], float]:
    """A policy as the naive functions take it."""
    return lambda view, action: policy.probabilities(view)[action]


def some_policy(start: Position, seed: int) -> TabularPolicy:
    """A policy drawn by chance, in which some actions are never taken."""
    tree = game_tree(start)
    weights = np.random.default_rng(seed).random(tree.num_slots)
    return TabularPolicy.of_weights(tree, np.maximum(weights - 0.3, 0))


# ---- the tree


@pytest.mark.parametrize("start", GAMES, ids=repr)
def test_a_tree_is_what_play_leads_to(start: Position) -> None:
    tree, last = game_tree(start), 0
    first = np.flatnonzero(tree.set_of >= 0)
    for node in range(tree.num_nodes):
        position = tree.position(node)
        line = tree.line(node)
        assert len(line) >= last  # breadth first
        last = len(line)
        children = tree.first_child[node] + np.arange(tree.num_children[node])
        if position.is_terminal():
            assert tree.player[node] == TERMINAL
            assert [position.utility(p) for p in range(tree.num_players)] == [*tree.utilities[node]]
            continue
        assert tree.player[node] == position.to_move
        assert tree.action[children].tolist() == position.legal_actions()
        assert (tree.parent[children] == node).all()
        if position.to_move == CHANCE:
            shares = [position.probability(int(a)) for a in tree.action[children]]
            assert tree.probability[children].tolist() == shares
        else:
            number = tree.find(position)
            assert tree.set_of[node] == number
            assert tree.views[number] == position.hidden(position.to_move)
            assert tree.legal_actions(number) == position.legal_actions()
            assert tree.set_player[number] == position.to_move
    assert len(first) > tree.num_sets


def test_sizes_of_trees() -> None:
    sizes = [
        (game_tree(g).num_nodes, len(game_tree(g).leaves), game_tree(g).num_sets) for g in GAMES
    ]
    assert sizes == [(58, 30, 12), (617, 312, 48)]


def test_slots_of_a_player_follow_their_past() -> None:
    tree = game_tree(Kuhn(3))
    for number in range(tree.num_sets):
        before = tree.parent_slot[number]
        if tree.depth[number] == 0:
            assert before == tree.num_slots
        else:
            earlier = tree.slot_set[before]
            assert earlier < number
            assert tree.depth[earlier] == tree.depth[number] - 1
            assert tree.set_player[earlier] == tree.set_player[number]


def test_a_tree_is_kept() -> None:
    assert game_tree(Kuhn()) is game_tree(Kuhn())


def test_too_many_histories_are_refused() -> None:
    with pytest.raises(ValueError, match=r"more than 50 histories: too many .* smaller game"):
        GameTree(Kuhn(), limit=50)
    assert GameTree(Kuhn(), limit=58).num_nodes == 58


def test_progress_is_told() -> None:
    told: list[int] = []
    GameTree(Kuhn(), progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 58


def test_games_in_which_all_is_seen_are_left_to_others() -> None:
    with pytest.raises(ValueError, match=r"all is seen, and .* solved by retrograde or perfect"):
        GameTree(TicTacToe())


class Forgetful(Kuhn):
    """Kuhn in which players see the card and how many have acted, but not what they did."""

    def hidden(self, player: int) -> Forgetful:
        view = Kuhn.hidden(self, player)
        bets = view.bets & ~(1 << player) if self.ply > 2 else 0
        return Forgetful(self.players, view.cards, bets, self.ply)

    def play(self, action: int) -> Forgetful:
        return Forgetful(*Kuhn.play(self, action))


class Unsure(Kuhn):
    """Kuhn in which one may not bet against a king, whose holder nobody knows."""

    def hidden(self, player: int) -> Unsure:
        return Unsure(*Kuhn.hidden(self, player))

    def legal(self, action: int) -> bool:
        king = self.ply > 2 and action == 1 and self.card(0) == 3
        return Kuhn.legal(self, action) and not king

    def play(self, action: int) -> Unsure:
        return Unsure(*Kuhn.play(self, action))


class Absent(Kuhn):
    """Kuhn of three in which the first player forgets the own bet."""

    def hidden(self, player: int) -> Absent:
        view = Kuhn.hidden(self, player)
        return Absent(view.players, view.cards, view.bets & ~1, view.ply)

    def play(self, action: int) -> Absent:
        return Absent(*Kuhn.play(self, action))

    def is_terminal(self) -> bool:
        return self.ply == 2 * self.players + 1

    def legal(self, action: int) -> bool:
        return Kuhn.legal(self, action) if self.ply < self.players else action < 2


def test_where_players_forget_or_cannot_tell_what_is_legal() -> None:
    with pytest.raises(ValueError, match=r"player 0 forgets .* after 'pass' at .* and after 'bet'"):
        GameTree(Absent())
    with pytest.raises(ValueError, match=r"player 1 cannot tell what is legal: .* once .* then"):
        GameTree(Unsure())


# ---- policies


def test_policies_say_what_is_wrong() -> None:
    tree = game_tree(Kuhn())
    with pytest.raises(ValueError, match=r"24 pairs of .* shape, not \(3,\)"):
        TabularPolicy(tree, np.ones(3))
    with pytest.raises(ValueError, match=r"add up to 1.4, not 1"):
        TabularPolicy(tree, np.full(24, 0.7))
    with pytest.raises(ValueError, match="numbers from 0 to 1"):
        TabularPolicy(tree, np.full(24, np.nan))
    with pytest.raises(ValueError, match="action 7 is not legal at"):
        TabularPolicy.of_function(tree, lambda view: {7: 1.0})
    with pytest.raises(ValueError, match="never comes up"):
        uniform_policy(Kuhn()).probabilities(Kuhn(3).after("J Q K"))
    with pytest.raises(ValueError, match="no player is to move"):
        uniform_policy(Kuhn()).probabilities(Kuhn())


def test_probabilities_of_positions_and_views() -> None:
    policy = TabularPolicy.of_function(
        game_tree(Kuhn()), lambda view: {1: 0.25, 0: 0.75} if view.card(0) == 2 else {0: 1}
    )
    position = Kuhn().after("Q K")
    assert policy.probabilities(position) == {0: 0.75, 1: 0.25}
    assert policy.probabilities(position.hidden(0)) == {0: 0.75, 1: 0.25}
    assert policy.probabilities(Kuhn().after("K Q")) == {0: 1, 1: 0}


# ---- best responses


@pytest.mark.parametrize("start", GAMES, ids=repr)
@pytest.mark.parametrize("seed", range(3))
def test_values_and_best_responses_are_the_naive_ones(start: Position, seed: int) -> None:
    policy = some_policy(start, seed)
    found = as_function(policy)
    utilities = expected_utilities(policy)
    assert utilities == pytest.approx(naive.expected(start, found), abs=1e-12)
    for player in range(start.num_players):
        most = naive.best_response(start, player, found)
        assert best_value(policy, player) == pytest.approx(most, abs=1e-12)
        best = best_response(policy, player)
        assert best.value == pytest.approx(most, abs=1e-12)
        assert expected_utilities(best.policy)[player] == pytest.approx(most, abs=1e-12)
    assert nash_conv(policy) == pytest.approx(naive.nash_conv(start, found), abs=1e-12)
    assert exploitability(policy) == nash_conv(policy) / start.num_players


@pytest.mark.parametrize("start", GAMES, ids=repr)
@pytest.mark.parametrize("seed", range(3))
def test_losses_add_up_to_the_gain_of_a_best_response(start: Position, seed: int) -> None:
    policy = some_policy(start, seed)
    for player, utility in enumerate(expected_utilities(policy)):
        found = losses(policy, player)
        gain = best_value(policy, player) - utility
        assert found.loss.sum() == pytest.approx(gain, abs=1e-12)
        assert (found.gap >= -1e-12).all()
        assert found.loss == pytest.approx(found.reach * found.gap, abs=1e-12)
        sets = game_tree(start).depth[found.first : found.first + len(found.loss)] == 0
        assert found.reach[sets].sum() <= 1 + 1e-12


def test_a_loss_is_where_the_mistake_is() -> None:
    """To fold a king costs what the opponent bets with worse cards, and nothing elsewhere."""
    equilibrium = CFR(game_tree(Kuhn()), plus)
    equilibrium.run(2000)
    tree, array = game_tree(Kuhn()), equilibrium.average().array.copy()
    number = tree.find(Kuhn().after("Q K bet"))
    array[tree.slots(number).start : tree.slots(number).stop] = 1, 0
    found = losses(TabularPolicy(tree, array), 1)
    assert np.argmax(found.loss) == number - found.first
    assert found.gap[number - found.first] == pytest.approx(3, abs=1e-3)  # wins 2, not -1
    others = np.delete(found.loss, number - found.first)
    assert others == pytest.approx(np.zeros(len(others)), abs=1e-3)


# ---- regret minimisation


@pytest.mark.parametrize("start", GAMES, ids=repr)
@pytest.mark.parametrize("name", SCHEDULES)
def test_average_policies_are_the_naive_ones(start: Position, name: str) -> None:
    """In each information set, after each of some numbers of iterations, to nine digits."""
    fast, slow = CFR(game_tree(start), SCHEDULES[name]), NaiveRegret(start, SCHEDULES[name])
    for more in (1, 2, 7, 10):
        fast.run(more)
        slow.run(more)
        policy = fast.average()
        for view in policy.tree.views:
            for action, share in policy.probabilities(view).items():
                assert share == pytest.approx(slow.average(view, action), abs=1e-9)


def test_the_wrong_sign_does_not_converge() -> None:
    """Whoever prefers the actions that were worse gets worse: the signs are the right ones."""
    wrong, right = NaiveRegret(Kuhn(), constant, -1), NaiveRegret(Kuhn(), constant)
    wrong.run(200)
    right.run(200)
    assert naive.nash_conv(Kuhn(), right.average) < 0.01
    assert naive.nash_conv(Kuhn(), wrong.average) > 0.9


OPEN_SPIEL = {
    "cfr": [0.4583333, 0.0686988, 0.0082260, 0.0009376],
    "cfr_plus": [0.4583333, 0.0326871, 0.0011944, 0.0000874],
}
"""Exploitability in Kuhn poker after 1, 10, 100 and 1,000 iterations of OpenSpiel 2.0.2."""


@pytest.mark.parametrize("name", OPEN_SPIEL)
def test_exploitability_falls_as_in_open_spiel(name: str) -> None:
    solver, found = CFR(game_tree(Kuhn()), SCHEDULES[name]), []
    for iterations in (1, 10, 100, 1000):
        solver.run(iterations - solver.iterations)
        found.append(exploitability(solver.average()))
    assert found == pytest.approx(OPEN_SPIEL[name], abs=5.1e-8)


def open_spiel_solver(game: Any, name: str, iterations: int) -> Any:
    """OpenSpiel's solver after so many iterations. Its policies end with it."""
    pyspiel = pytest.importorskip("pyspiel")
    if name == "discounted":
        from open_spiel.python.algorithms.discounted_cfr import DCFRSolver as Solver
    else:
        Solver = pyspiel.CFRSolver if name == "cfr" else pyspiel.CFRPlusSolver  # noqa: N806
    solver = Solver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    return solver


def compare_with_open_spiel(start: Position, load: str, name: str, iterations: int) -> int:
    """Walks through both trees and compares average policies; returns how many decisions."""
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game(load)
    solver_there = open_spiel_solver(game, name, iterations)
    theirs = solver_there.average_policy()
    solver = CFR(game_tree(start), SCHEDULES[name])
    solver.run(iterations)
    ours, compared = solver.average(), 0
    todo = [(start, game.new_initial_state())]
    while todo:
        position, state = todo.pop()
        if position.is_terminal():
            continue
        if position.to_move != CHANCE:
            compared += 1
            told = theirs.action_probabilities(state)
            expected = [told[action] for action in state.legal_actions()]
            found = ours.probabilities(position)
            assert list(found.values()) == pytest.approx(expected, abs=1e-9)
        actions = zip(position.legal_actions(), state.legal_actions(), strict=True)
        todo += [(position.play(a), state.child(b)) for a, b in actions]
    return compared


@pytest.mark.parametrize("name", SCHEDULES)
@pytest.mark.parametrize("iterations", [1, 2, 10, 50])
def test_average_policies_are_those_of_open_spiel(name: str, iterations: int) -> None:
    assert compare_with_open_spiel(Kuhn(), "kuhn_poker", name, iterations) == 24


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["cfr", "cfr_plus"])
@pytest.mark.parametrize("iterations", [1, 20])
def test_average_policies_in_other_games(name: str, iterations: int) -> None:
    goofspiel = "goofspiel(num_cards=4,imp_info=true,points_order=descending)"
    for start, load, decisions in [
        (LeducInOtherOrder(), "leduc_poker", 3780),
        (LiarsDice(sides=4), "liars_dice(dice_sides=4)", 4096),
        (Goofspiel(4, -1, secret=True), f"turn_based_simultaneous_game(game={goofspiel})", 501),
    ]:
        assert compare_with_open_spiel(start, load, name, iterations) == decisions


def test_run_goes_on() -> None:
    at_once, in_steps = CFR(game_tree(Kuhn(3)), plus), CFR(game_tree(Kuhn(3)), plus)
    at_once.run(30)
    for _ in range(10):
        in_steps.run(3)
    assert (at_once.average().array == in_steps.average().array).all()
    with pytest.raises(ValueError, match="iterations must be at least 1"):
        at_once.run(0)


@functools.cache
def solved(start: Position) -> TabularPolicy:
    solver = CFR(game_tree(start), plus)
    solver.run(20_000)
    return solver.average()


@pytest.mark.compiled
def test_the_equilibrium_of_kuhn() -> None:
    policy = solved(Kuhn())
    assert expected_utilities(policy)[0] == pytest.approx(-1 / 18, abs=1e-6)
    jack = policy.probabilities(Kuhn().after("J Q"))[1]
    assert 0 <= jack <= 1 / 3 + 1e-3
    assert policy.probabilities(Kuhn().after("K Q"))[1] == pytest.approx(3 * jack, abs=2e-3)
    assert policy.probabilities(Kuhn().after("Q J bet"))[1] == pytest.approx(0, abs=1e-3)
    assert policy.probabilities(Kuhn().after("J Q bet"))[1] == pytest.approx(1 / 3, abs=1e-3)


# ---- Leduc hold'em, to all digits


LEDUC = {
    "cfr": [2.3736111, 0.8885790, 0.0957164, 0.0118178],
    "cfr_plus": [2.3736111, 0.6104389, 0.0134160, 0.0002572],
}
"""As ``OPEN_SPIEL``."""


@pytest.mark.compiled
@pytest.mark.parametrize("name", LEDUC)
def test_exploitability_in_leduc_falls_as_in_open_spiel(name: str) -> None:
    exact, ours = (CFR(game_tree(g), SCHEDULES[name]) for g in (LeducInOtherOrder(), Leduc()))
    found = []
    for iterations in (1, 10, 100, 1000):
        for solver in (exact, ours):
            solver.run(iterations - solver.iterations)
        found.append([exploitability(solver.average()) for solver in (exact, ours)])
    assert [there for there, _ in found] == pytest.approx(LEDUC[name], abs=5.1e-8)
    assert [here for _, here in found[:3]] == pytest.approx(LEDUC[name][:3], abs=5.1e-8)
    assert found[3][1] == pytest.approx(LEDUC[name][3], rel=0.05)


# ---- linear programming


@pytest.mark.parametrize(
    ("start", "value"), [(Kuhn(), -1 / 18), (Leduc(), -0.085606424078)], ids=["kuhn", "leduc"]
)
def test_the_value_of_a_game(start: Position, value: float) -> None:
    found = solve_zero_sum(game_tree(start))
    assert found.value == pytest.approx(value, abs=1e-10)
    assert expected_utilities(found.policy) == pytest.approx([value, -value], abs=1e-10)
    assert exploitability(found.policy) == pytest.approx(0, abs=1e-9)


class Generous(Kuhn):
    """Kuhn in which both get a chip more."""

    def hidden(self, player: int) -> Generous:
        return Generous(*Kuhn.hidden(self, player))

    def play(self, action: int) -> Generous:
        return Generous(*Kuhn.play(self, action))

    def utility(self, player: int) -> float:
        return Kuhn.utility(self, player) + 1


def test_what_linear_programming_refuses() -> None:
    with pytest.raises(ValueError, match="games of two players, not 3; use cfr_plus"):
        solve_zero_sum(game_tree(Kuhn(3)))
    with pytest.raises(ValueError, match="one wins what the other loses"):
        solve_zero_sum(game_tree(Generous()))


# ---- sampling


@pytest.mark.compiled
@pytest.mark.parametrize("sampling", SAMPLING)
@pytest.mark.parametrize("start", GAMES, ids=repr)
def test_sampled_regrets_are_right_on_average(start: Position, sampling: str) -> None:
    """Of the player who is first updated: the mean of many first iterations is the true regret."""
    tree, number = game_tree(start), 1000
    own = slice(0, int(tree.first_slot[tree.first_set[1]]))
    found = np.zeros((number, own.stop))
    for seed in range(number):
        solver = MCCFR(tree, sampling, seed=seed)
        solver.run(1)
        found[seed] = solver.regrets[own] - INITIAL
    exact = CFR(tree)
    exact.run(1)
    error = np.abs(found.mean(axis=0) - exact.regrets[own])
    assert (error < 5 * found.std(axis=0) / np.sqrt(number) + 1e-9).all()


@pytest.mark.compiled
@pytest.mark.parametrize(("sampling", "most"), [("external", 0.005), ("outcome", 0.02)])
def test_sampling_converges(sampling: str, most: float) -> None:
    solver = MCCFR(game_tree(Kuhn()), sampling, seed=1)
    solver.run(200_000)
    assert exploitability(solver.average()) < most


def test_the_same_seed_gives_the_same_policy() -> None:
    tree = game_tree(Kuhn(3))
    for sampling in SAMPLING:
        runs = [MCCFR(tree, sampling, seed=seed) for seed in (1, 1, 2)]
        for solver in runs:
            solver.run(20)
            solver.run(30)
        first, again, other = (solver.average().array for solver in runs)
        assert (first == again).all()
        assert (first != other).any()


def test_what_sampling_refuses() -> None:
    for wrong in ({"sampling": "robust"}, {"exploration": 0.0}, {"exploration": float("nan")}):
        with pytest.raises(ValueError, match=r"sampling must be external or|must be above 0"):
            MCCFR(game_tree(Kuhn()), **wrong)  # type: ignore[arg-type]


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
    for spec in ("cfr(iterations=0)", "mccfr(sampling='all')", "mccfr(exploration=2)"):
        with pytest.raises(ValueError, match="must be"):
            make(spec)
    assert repr(make("discounted_cfr(beta=0.5)")) == "discounted_cfr(beta=0.5)"


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
    ]:
        found = CliRunner().invoke(app, ["solve", *arguments], prog_name="adv-envs")
        assert found.exit_code in (1, 2)
        assert why in found.output


def test_labels_of_information_sets() -> None:
    labels = set_labels(game_tree(Kuhn()))
    assert labels[:4] == ["J ?", "Q ?", "K ?", "J ? pass bet"]
    assert len(set(labels)) == 12
