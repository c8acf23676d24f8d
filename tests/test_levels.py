"""Levels of opponents: rising strength in every game, all of whom a page may name."""

import random
from itertools import pairwise

import pytest

from adv_envs import CHANCE
from adv_envs.random import chance_action
from adv_envs.registry import GAMES, start_position
from agents.allow_list import allowed_agent
from agents.arena.ladder import ladders
from agents.levels import APART, LONGEST, MOST, WORDS, Level, level_of, levels, spread
from agents.offers import allowed, seat_specs

OTHERS = {
    "hex": {"size": 7},
    "connect_four": {"width": 9},
    "tic_tac_toe": {"height": 5, "width": 5, "k": 4},
    "kuhn": {"players": 3},
    "nim": {"heaps": 34567},
}
STARTS = [*((name, {}) for name in GAMES), *OTHERS.items()]


@pytest.fixture(params=STARTS, ids=str)
def start(request):
    """The start of every game, and of some other sizes."""
    name, parameters = request.param
    return start_position(name, **parameters)


def test_levels_rise_from_random_moves_to_the_last(start):
    found = levels(start)
    assert [level.number for level in found] == [*range(1, len(found) + 1)]
    assert len(found) <= MOST
    assert repr(allowed_agent(found[0].spec)) == "random()"
    assert len({repr(allowed_agent(level.spec)) for level in found}) == len(found)
    words = [level.words for level in found]
    assert words == sorted(set(words), key=WORDS.index)
    assert words[-1] == WORDS[-1] or len(found) == 1
    ratings = [level.elo for level in found]
    assert None in ratings or all(b - a >= APART for a, b in pairwise(ratings))
    assert all(rating is None for rating in ratings) or None not in ratings


def test_levels_are_among_what_is_offered_for_a_seat(start):
    offered = {repr(allowed_agent(s)) for s in allowed(seat_specs(start), start).values()}
    assert {repr(allowed_agent(level.spec)) for level in levels(start)} <= offered


def test_the_game_has_ratings_where_it_was_measured():
    measured = {ladder.start: ladder for ladder in ladders()}
    starts = [start_position(name, **parameters) for name, parameters in STARTS]
    for start in starts:
        ladder = measured.get(repr(start))
        assert (levels(start)[0].elo is None) == (ladder is None)
        if ladder is not None:
            own = [r for r in ladder.rungs if r.seconds <= LONGEST and "engine(" not in r.spec]
            best = max(own, key=lambda rung: rung.rating)
            last = levels(start)[-1]
            assert (repr(allowed_agent(last.spec)), last.elo) == (best.spec, best.rating)


@pytest.mark.parametrize("name", ["chess", "backgammon", "kuhn", "gomoku", "rock_paper_scissors"])
def test_the_first_two_levels_play(name):
    rng, start = random.Random(0), start_position(name)
    position = start
    while position.to_move == CHANCE:
        position = position.play(chance_action(position, rng.random()))
    for level in levels(start)[:1]:
        agent = allowed_agent(level.spec)
        agent.reset(1)
        assert position.legal(agent.act(position.hidden(position.to_move)))


def rated(*ratings):
    return [Level(0, f"{rating}", rating, "") for rating in ratings]


@pytest.mark.parametrize(
    ("ratings", "most", "kept"),
    [
        ([0.0, 10.0, 100.0, 200.0], 8, [0.0, 100.0, 200.0]),
        ([0.0, 100.0, 190.0, 200.0], 8, [0.0, 100.0, 200.0]),
        ([0.0, 100.0, 150.0, 300.0, 400.0], 4, [0.0, 150.0, 300.0, 400.0]),
        ([0.0, 5.0], 8, [0.0, 5.0]),
        ([0.0], 8, [0.0]),
        ([], 8, []),
    ],
)
def test_levels_are_spread(ratings, most, kept):
    assert [level.elo for level in spread(rated(*ratings), most)] == kept


def test_a_level_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match="tic_tac_toe has the levels 1 to 7, not 8"):
        level_of(start_position("tic_tac_toe"), 8)
    assert level_of(start_position("tic_tac_toe"), 7).spec == "perfect"
