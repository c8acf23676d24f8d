"""What the tests of all phantom games share: games side by side, trees, information sets."""

import random
from random import Random
from typing import Any

import numpy as np
from games.naive_phantom import NaivePhantom

from adv_envs.random import scattered


def fresh_seed() -> int:
    """A seed that is another one in every run, and printed where a test fails."""
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    return seed


def observed(position: Any, player: int) -> Any:
    planes = np.zeros(position.observation_shape)
    position.observe(player, planes)
    return planes


def play_beside(position: Any, naive: NaivePhantom, rng: Random) -> None:
    """A random game of both, the same at every ply."""
    size = naive.size
    while True:
        assert position.is_terminal() == naive.over
        for player in (0, 1):
            told = naive.told[player]
            assert position.attempts(player) == [i * size + j for (i, j), _ in told]
            expected = np.zeros((size, size, 3))
            for number, (cell, free) in enumerate(told, 1):
                expected[cell] = free, not free, number
            assert np.array_equal(observed(position, player), expected)
            view = position.hidden(player)
            shown = {(i, j): view.cell(i, j) for i in range(size) for j in range(size)}
            known = {c: player if free else 1 - player for c, free in told}
            assert {c: who for c, who in shown.items() if who is not None} == known
        if naive.over:
            assert [position.utility(p) for p in (0, 1)] == [naive.utility(p) for p in (0, 1)]
            return
        assert position.to_move == naive.to_move
        assert position.legal_actions() == [i * size + j for i, j in naive.cells()]
        action = rng.choice(position.legal_actions())
        position = position.play(action)
        naive.play(divmod(action, size))


def play_beside_open_spiel(position: Any, game: Any, rng: Random, pairs: Any) -> int:
    """A random game of both; returns its plies. ``pairs`` are the information states met so far."""
    theirs, plies = game.new_initial_state(), 0
    while True:
        assert position.is_terminal() == theirs.is_terminal()
        if position.is_terminal():
            assert [position.utility(player) for player in (0, 1)] == theirs.returns()
            return plies
        assert position.to_move == theirs.current_player()
        assert position.legal_actions() == theirs.legal_actions()
        note(position, theirs, pairs)
        action = rng.choice(position.legal_actions())
        position = position.play(action)
        theirs.apply_action(action)
        plies += 1


def note(ours: Any, theirs: Any, pairs: Any) -> None:
    """The view of the player to move and OpenSpiel's information state go with each other alone.

    By its tensor: the text has the number of all attempts in dark Hex, also where the game is asked
    to reveal nothing.
    """
    player = ours.to_move
    view, state = (
        ours.hidden(player),
        bytes(np.array(theirs.information_state_tensor(player), bool)),
    )
    assert pairs.setdefault((player, view), state) == state
    assert pairs.setdefault((player, state), view) == view


def tree_beside_open_spiel(start: Any, game: Any) -> tuple[int, int]:
    """Both whole trees; how many histories and information sets of players to move there are."""
    pairs: dict[Any, Any] = {}
    number = 0

    def visit(ours: Any, theirs: Any) -> None:
        nonlocal number
        number += 1
        assert ours.is_terminal() == theirs.is_terminal()
        if ours.is_terminal():
            assert [ours.utility(player) for player in (0, 1)] == theirs.returns()
            return
        assert ours.to_move == theirs.current_player()
        assert ours.legal_actions() == theirs.legal_actions()
        note(ours, theirs, pairs)
        for action in ours.legal_actions():
            visit(ours.play(action), theirs.child(action))

    visit(start, game.new_initial_state())
    return number, len(pairs) // 2


def members_are_drawn(start: Any, draws: int = 25) -> None:
    """On the whole tree: ``determinized`` draws each position that has a view, and no other."""
    members: dict[Any, set[Any]] = {}
    todo = [start]
    while todo:
        position = todo.pop()
        if not position.is_terminal():
            for player in (0, 1):
                members.setdefault((player, position.hidden(player)), set()).add(position)
            todo += [position.play(action) for action in position.legal_actions()]
    for (player, view), positions in members.items():
        seeds = range(draws * len(positions) if len(positions) > 1 else 3)
        drawn = {view.determinized(player, scattered(seed)) for seed in seeds}
        assert drawn <= positions, f"{view!r} of {player}: {drawn - positions}"
        assert drawn == positions, f"{view!r} of {player} is never {positions - drawn}"


def members_of(start: Any, view: Any, player: int) -> set[Any]:
    """Every position with that view, by trying all attempts of the other."""
    mine, found, todo = view.attempts(player), set(), [start]
    while todo:
        position = todo.pop()
        if position.is_terminal():
            continue
        done = position.attempts(player)
        if position.hidden(player) == view:
            found.add(position)
        if position.to_move != player:
            todo += [position.play(action) for action in position.legal_actions()]
        elif len(done) < len(mine):
            after = position.play(mine[len(done)])
            stones = after.stones(player) & view.stones(player) == after.stones(player)
            lost = after.stones(player).bit_count() == position.stones(player).bit_count()
            if stones and lost == (view.stones(1 - player) >> view.entry(mine[len(done)]) & 1 == 1):
                todo.append(after)
    return found


def members_are_drawn_in_games(start: Any, rng: Random, games: int, most: int) -> int:
    """In random games, of views with up to ``most`` members each one is drawn, and no other.

    Returns how many views were looked at.
    """
    views = 0
    for _ in range(games):
        position = start
        while not position.is_terminal():
            for player in (0, 1):
                view = position.hidden(player)
                guesses = {view.determinized(player, scattered(i)) for i in range(50)}
                if len(guesses) > most // 2:
                    continue
                members = members_of(start, view, player)
                if len(members) <= most:
                    seeds = range(40 * len(members))
                    drawn = {view.determinized(player, scattered(i)) for i in seeds}
                    assert drawn == members, f"{view!r} of {player}"
                    views += 1
            position = position.play(rng.choice(position.legal_actions()))
    return views
