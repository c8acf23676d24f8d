"""Game trees, policies and best responses against naive ones."""

from __future__ import annotations

import numpy as np
import pytest
from games import naive_best_response as naive
from hidden_games import GAMES, as_function, some_policy

from adv_envs import CHANCE, Kuhn, Leduc, PhantomTicTacToe, Position, TicTacToe
from agents.equilibrium import (
    CFR,
    TERMINAL,
    GameTree,
    TabularPolicy,
    best_response,
    best_value,
    expected_utilities,
    exploitability,
    game_tree,
    losses,
    nash_conv,
    plus,
    uniform_policy,
)
from agents.equilibrium.game_tree import estimated_histories

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
    with pytest.raises(ValueError, match="more than 57 histories"):
        GameTree(Kuhn(), limit=57)
    assert GameTree(Kuhn(), limit=58).num_nodes == 58


def test_games_that_are_much_too_large_are_refused_at_once() -> None:
    with pytest.raises(ValueError, match=r"has about \de\+\d\d histories: too many"):
        GameTree(PhantomTicTacToe())
    for start in (Kuhn(), Kuhn(4), Leduc()):
        number = game_tree(start).num_nodes
        assert number / 2 < estimated_histories(start) < 2 * number


def test_progress_is_told() -> None:
    told: list[int] = []
    GameTree(Kuhn(), progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 58


def test_games_in_which_all_is_seen_are_left_to_others() -> None:
    with pytest.raises(ValueError, match=r"all is seen, and .* solved by retrograde or perfect"):
        GameTree(TicTacToe())


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
