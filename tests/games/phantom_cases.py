"""What the tests of all phantom games share: games side by side, trees, information sets."""

from random import Random
from typing import Any

from adv_envs.random import scattered


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
