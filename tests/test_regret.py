"""Regret minimisation and linear programming against naive ones, OpenSpiel and theory."""

from __future__ import annotations

import functools
import importlib
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from games import naive_best_response as naive
from hidden_games import GAMES, SCHEDULES, LeducInOtherOrder
from naive_regret import NaiveRegret

from adv_envs import CHANCE, Goofspiel, Kuhn, Leduc, LiarsDice, Position
from agents.equilibrium import (
    CFR,
    MCCFR,
    FictitiousPlay,
    GameTree,
    TabularPolicy,
    best_response,
    constant,
    expected_utilities,
    exploitability,
    game_tree,
    plus,
    solve_zero_sum,
    uniform_policy,
)
from agents.equilibrium.best_response import reach_of, slot_values
from agents.equilibrium.regret_matching import INITIAL, SAMPLING

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


@pytest.mark.parametrize(
    ("sides", "value"),
    [
        (2, 1 / 2),
        (3, 1 / 9),
        (4, 1 / 16),
        pytest.param(5, 1 / 125, marks=pytest.mark.slow),
        pytest.param(6, -0.027131782945736, marks=pytest.mark.slow),
    ],
)
def test_the_value_of_liars_dice(sides: int, value: float) -> None:
    """Of six sides as in OpenSpiel's sequence_form_lp_test.py."""
    found = solve_zero_sum(game_tree(LiarsDice(sides=sides)))
    assert found.value == pytest.approx(value, abs=1e-9)
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


# ---- fictitious play


def test_fictitious_play_becomes_harder_to_exploit() -> None:
    fictitious = FictitiousPlay(game_tree(Kuhn()))
    assert fictitious.average().array.tolist() == [0.5] * 24
    curve = []
    for _ in range(4):
        fictitious.run(50)
        curve.append(exploitability(fictitious.average()))
    assert fictitious.iterations == 200
    assert curve[-1] < 0.03 < 11 / 24
    assert expected_utilities(fictitious.average())[0] == pytest.approx(-1 / 18, abs=0.02)


def test_fictitious_play_of_the_worst_answers_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    def worst(policy: TabularPolicy, player: int) -> Any:
        tree = policy.tree
        values = slot_values(tree, player, policy.array)
        array = policy.array.copy()
        for number in range(tree.first_set[player], tree.first_set[player + 1]):
            slots = tree.slots(number)
            array[slots.start : slots.stop] = 0
            array[slots.start + int(values[slots.start : slots.stop].argmin())] = 1
        return SimpleNamespace(policy=TabularPolicy(tree, array))

    module = importlib.import_module("agents.equilibrium.best_response")
    monkeypatch.setattr(module, "best_response", worst)
    fictitious = FictitiousPlay(game_tree(Kuhn()))
    fictitious.run(200)
    assert exploitability(fictitious.average()) > 11 / 24


def test_fictitious_play_answers_best() -> None:
    tree = game_tree(Kuhn())
    fictitious = FictitiousPlay(tree)
    fictitious.run()
    answers = [best_response(uniform_policy(Kuhn()), player).policy for player in (0, 1)]
    expected = answers[0].with_player(1, answers[1])
    reached = [view for view in tree.views if reach_of_set(tree, expected, view) > 0]
    for view in reached:
        assert fictitious.average().probabilities(view) == expected.probabilities(view)


def reach_of_set(tree: GameTree, policy: TabularPolicy, view: Position) -> float:
    """How likely the player's own actions lead to an information set."""
    return float(reach_of(tree, policy.array)[tree.parent_slot[tree.find(view)]])
