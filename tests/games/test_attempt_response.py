"""Exact best responses in phantom games, against the whole tree and an obvious recursion."""

from random import Random
from typing import Any

import pytest
from games.merged_response import best_against_uniform

from adv_envs import DarkHex, PhantomTicTacToe
from agents.equilibrium import TabularPolicy, best_value, exploitability, game_tree
from agents.games import phantom

UNIFORM = {
    DarkHex(3): (1, 0.832804),
    PhantomTicTacToe(): (0.953125, 0.624339),
    DarkHex(3, abrupt=True): (0.908030, 0.617179),
    PhantomTicTacToe(abrupt=True): (0.847140, 0.391529),
}
"""What each player wins at most against uniform play, by both walks."""

VERSIONS = pytest.mark.parametrize("abrupt", [False, True])


def some_policy(seed: int, most: int) -> Any:
    """A policy that chooses between up to ``most`` actions, at random but always alike."""

    def policy(view: Any) -> dict[int, float]:
        rng = Random(hash((seed, tuple(view))))
        actions = view.legal_actions()
        chosen = rng.sample(actions, min(most, len(actions)))
        weights = [rng.random() for _ in chosen]
        return {a: weight / sum(weights) for a, weight in zip(chosen, weights, strict=True)}

    return policy


def naive_best(positions: list[tuple[Any, float]], player: int, policy: Any) -> float:
    """What ``player`` wins at most from positions with their chances, on views as keys."""
    total, sets = 0.0, {}
    todo = list(positions)
    while todo:
        position, chance = todo.pop()
        if position.is_terminal():
            total += chance * position.utility(player)
        elif position.to_move == player:
            sets.setdefault(position.hidden(player), []).append((position, chance))
        else:
            shares = policy(position.hidden(1 - player))
            todo += [(position.play(a), chance * share) for a, share in shares.items()]
    for view, members in sets.items():
        total += max(
            naive_best([(position.play(a), chance) for position, chance in members], player, policy)
            for a in view.legal_actions()
        )
    return total


@VERSIONS
def test_small_games_as_on_the_whole_tree(abrupt: bool) -> None:
    start = DarkHex(2, abrupt)
    tree = game_tree(start)
    for most in (1, 2, 4):
        policy = some_policy(most, most)
        table = TabularPolicy.of_function(tree, policy)
        ours = [phantom.AttemptPolicy.of_function(start, player, policy) for player in (0, 1)]
        for player in (0, 1):
            found = phantom.best_value(start, player, ours[1 - player])
            assert found == pytest.approx(best_value(table, player), abs=1e-12)
            naive = naive_best([(start, 1.0)], player, policy)
            assert found == pytest.approx(naive, abs=1e-12)
        assert phantom.exploitability(*ours) == pytest.approx(exploitability(table), abs=1e-12)


@VERSIONS
def test_the_information_sets_are_those_of_the_tree(abrupt: bool) -> None:
    start = DarkHex(2, abrupt)
    tree = game_tree(start)
    for player in (0, 1):
        policy = phantom.AttemptPolicy.uniform(start, player)
        views = [view for _, view in policy.views()]
        for view in views:
            view.check()
        own = range(int(tree.first_set[player]), int(tree.first_set[player + 1]))
        theirs = [tree.views[i] for i in own if len(tree.legal_actions(i)) > 1]
        assert set(views) == set(theirs)
        assert len(views) == len(theirs)


@pytest.mark.compiled
@pytest.mark.thorough
@VERSIONS
def test_a_function_is_asked_where_it_leads_to(abrupt: bool) -> None:
    """On 3 x 3, where there are millions of other information sets."""
    asked = []

    def policy(view: Any) -> dict[int, float]:
        view.check()
        asked.append(view)
        return {max(view.legal_actions()): 1.0}

    table = phantom.AttemptPolicy.of_function(DarkHex(3, abrupt), 1, policy)
    assert len(set(asked)) == len(asked) < 2**8
    for view in asked:
        attempts = view.attempts(1)
        assert attempts == sorted(attempts, reverse=True)
        assert table.probabilities(view)[8 - len(attempts)] == 1.0


def compare_in_large_game(start: Any, player: int) -> None:
    """Against an opponent who mixes in attempts 2, 3 and 4 only: a recursion can do that."""
    table = phantom.AttemptPolicy.uniform(start, 1 - player)
    mixing, firm = some_policy(5, 2), some_policy(6, 1)

    def policy(view: Any) -> dict[int, float]:
        shares = (mixing if 1 <= len(view.attempts(1 - player)) <= 3 else firm)(view)
        legal = view.legal_actions()
        if len(legal) > 1:
            place = table.place(view)
            table.array[place : place + len(legal)] = [shares.get(a, 0.0) for a in legal]
            assert table.probabilities(view) == {a: shares.get(a, 0.0) for a in legal}
        return shares

    expected = naive_best([(start, 1.0)], player, policy)
    assert phantom.best_value(start, player, table) == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    "start", [PhantomTicTacToe(), PhantomTicTacToe(True), DarkHex(3), DarkHex(3, True)]
)
def test_large_games_against_opponents_who_mix(start: Any, player: int) -> None:
    compare_in_large_game(start, player)


@VERSIONS
@pytest.mark.parametrize("player", [0, 1])
def test_uniform_play_on_small_boards_as_where_attempts_are_merged(
    abrupt: bool, player: int
) -> None:
    start = DarkHex(2, abrupt)
    uniform = phantom.AttemptPolicy.uniform(start, 1 - player)
    expected = phantom.best_value(start, player, uniform)
    assert best_against_uniform(start, player) == pytest.approx(expected, abs=1e-12)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(("start", "values"), UNIFORM.items())
def test_uniform_play_as_where_attempts_are_merged(start: Any, values: tuple[float, ...]) -> None:
    """The walk tells all orders of attempts apart."""
    for player in (0, 1):
        uniform = phantom.AttemptPolicy.uniform(start, 1 - player)
        found = phantom.best_value(start, player, uniform)
        assert found == pytest.approx(best_against_uniform(start, player), abs=1e-9)
        assert found == pytest.approx(values[player], abs=1e-6)


def test_what_is_refused() -> None:
    start = DarkHex(2)
    uniform = phantom.AttemptPolicy.uniform(start, 0)
    with pytest.raises(ValueError, match="that of player 1"):
        phantom.best_value(start, 1 - 1, uniform)
    with pytest.raises(ValueError, match="in DarkHex"):
        phantom.best_value(DarkHex(2, abrupt=True), 1, uniform)
    with pytest.raises(ValueError, match="up to 9 cells"):
        phantom.AttemptPolicy.uniform(DarkHex(4), 0)
    with pytest.raises(ValueError, match="numbers"):
        phantom.AttemptPolicy(start, 0, uniform.array[1:])
    with pytest.raises(ValueError, match="legal actions are"):
        phantom.AttemptPolicy.of_function(start, 0, lambda view: {0: 0.5})
    with pytest.raises(ValueError, match="not to move"):
        uniform.probabilities(start.after("a1"))
