"""Backgammon: known numbers, both dice, other programs, bearing off, searching turns."""

import re
import shutil
import subprocess
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from games.laws import fresh, fresh_seed, load, names, random_line, seen, utilities
from games.naive_backgammon import BAR, NaiveBackgammon

from adv_envs import CHANCE, Backgammon
from adv_envs.games.backgammon import mirrored, movable, places_of
from adv_envs.testing import check_agent
from adv_envs.testing.game_laws import random_action
from agents import make
from agents.games.backgammon import (
    INPUT_WEIGHTS,
    INPUTS,
    OUTPUT_WEIGHTS,
    BearOffSolver,
    TurnSearch,
    bear_off,
    bear_off_value,
    best_end,
    image,
    image_action,
    is_ending,
    network,
    race,
)
from agents.games.backgammon import random_ending as random_ending_of
from agents.knowledge import knowledge_of


def board(position: Backgammon) -> tuple[tuple[int, ...], ...]:
    """The men of both players."""
    return tuple(tuple(position.men(player)) for player in (0, 1))


def after_turn(position: Backgammon) -> dict[Any, Backgammon]:
    """The positions after every way to play a turn, by their boards."""
    found, todo, seen = {}, [position], {position}
    while todo:
        here = todo.pop()
        for action in here.legal_actions():
            child = here.play(action)
            if child.is_terminal() or child.to_move == CHANCE:
                found[board(child)] = child
            elif child not in seen:
                seen.add(child)
                todo.append(child)
    return found


def position_of(own: dict[int, int], opp: dict[int, int], dice: int, turn: int = 0) -> Backgammon:
    """A position from the men on points, each player's own; the rest is borne off."""
    sides = []
    for men in (own, opp):
        number = sum(count << 4 * (25 - point) for point, count in men.items())
        sides.append(number + (15 - sum(men.values()) << 100))
    return Backgammon(own=sides[0], opp=sides[1], dice=dice, turn=turn)


def by_one_die(position: Backgammon) -> set[int]:
    """The actions that are legal without the rule of both dice."""
    men, blocked = places_of(position.own, 1), mirrored(places_of(position.opp, 2))
    by = {die: movable(men, blocked, die) for die in position.dice_left()}
    return {6 * p + 5 + die for p in range(25) for die in by if by[die] >> p & 1}


# ---- known numbers


@pytest.mark.parametrize(
    ("roll", "count"), [("11", 42), ("21", 15), ("31", 16), ("64", 14), ("66", 11)]
)
def test_positions_after_a_roll(roll: str, count: int) -> None:
    start = Backgammon(dice=0, turn=0)
    assert len(after_turn(start.move(roll))) == count


def test_first_roll() -> None:
    start = Backgammon()
    outcomes = start.legal_actions()
    assert len(outcomes) == 30
    assert {start.probability(action) for action in outcomes} == {1 / 30}
    for action in outcomes:
        first, second = map(int, start.name(action))
        after = start.play(action)
        assert after.to_move == (0 if first > second else 1)
        assert after.dice_left() == sorted((first, second), reverse=True)


def test_later_rolls() -> None:
    start = Backgammon(turn=1)
    rolls = {start.name(action): start.probability(action) for action in start.legal_actions()}
    assert list(rolls) == [f"{a}{b}" for a in range(1, 7) for b in range(1, a + 1)]
    assert rolls["44"] == 1 / 36
    assert rolls["43"] == 1 / 18
    assert start.move("44").dice_left() == [4, 4, 4, 4]
    assert start.move("43").to_move == 1


def test_boards_that_can_be_written_down() -> None:
    """The number of boards in the literature, 18,528,584,051,601,162,496, times turns and dice."""
    boards, finished = 18_528_584_051_601_162_496, 40_225_345_056
    assert Backgammon().state_space() == 2 * (40 * (boards - 2 * finished + 1) + finished - 1) + 1


# ---- the rule of both dice


HOME = {6: 1, 4: 2, 2: 1}


@pytest.mark.parametrize(
    ("own", "opp", "dice", "line", "legal"),
    [
        # After bar/19 there is no 5, and after bar/20 there is a 6: so the 5 comes first.
        ({BAR: 1, 13: 1}, {11: 2, 17: 2}, 0x65, "", "bar/20"),
        ({BAR: 1, 13: 1}, {11: 2, 17: 2}, 0x65, "bar/20", "13/7"),
        ({BAR: 1, 13: 1}, {11: 2, 17: 2, 18: 2}, 0x65, "", "bar/19"),
        ({BAR: 1, 13: 1}, {11: 2, 17: 2, 18: 2}, 0x65, "bar/19", "pass"),
        # Either die can be played by the last man, but neither after the other: the higher one.
        ({24: 1}, {12: 2}, 0x65, "", "24/18"),
        ({BAR: 1, 6: 2}, dict.fromkeys(range(1, 7), 2), 0x63, "", "pass"),
        ({BAR: 2, 6: 2}, {6: 2, 8: 1}, 0x61, "", "bar/24"),
        ({BAR: 2, 6: 2}, {6: 2, 8: 1}, 0x61, "bar/24", "pass"),
        (HOME, {12: 15}, 0x41, "", "6/5 6/2 4/3 4/off 2/1"),
        ({7: 1, **HOME}, {12: 15}, 0x6, "", "7/1"),
        ({4: 2, 2: 1}, {12: 15}, 0x65, "", "4/off 4/off(6)"),
        ({4: 2, 2: 1}, {12: 15}, 0x65, "4/off(6)", "4/off"),
        ({8: 2}, {21: 1, 24: 1}, 0x4444, "8/4 8/4", "4/off"),
    ],
)
def test_legal_moves(
    own: dict[int, int], opp: dict[int, int], dice: int, line: str, legal: str
) -> None:
    assert names(position_of(own, opp, dice).after(line)) == legal.split()


def test_by_one_die() -> None:
    assert by_one_die(position_of({24: 1}, {12: 2}, 0x65)) == {6 * 1 + 5 + 5, 6 * 1 + 5 + 6}


def test_what_moves_leave() -> None:
    """A pass nothing but the turn; dice that are left; men on the bar."""
    closed = position_of({BAR: 1, 6: 2}, dict.fromkeys(range(1, 7), 2), 0x63)
    after = closed.move("pass")
    assert (after.to_move, after.turn, board(after)) == (CHANCE, 1, board(closed))
    assert position_of({4: 2, 2: 1}, {12: 15}, 0x65).move("4/off(6)").dice_left() == [5]
    hit = position_of({8: 2}, {21: 1, 24: 1}, 0x4444).after("8/4 8/4")
    assert (hit.men(1)[0], hit.dice_left()) == (1, [4, 4])


@pytest.mark.parametrize(
    ("opp", "points"),
    [
        *(({1: 14}, 1), ({20: 1, 1: 13}, 1), ({1: 15}, 2)),
        *(({18: 1, 1: 14}, 2), ({19: 1, 1: 14}, 3), ({BAR: 1, 2: 14}, 3)),
    ],
)
def test_points(opp: dict[int, int], points: int) -> None:
    last = position_of({1: 1}, opp, 0x1, turn=1).move("1/off")
    assert last.is_terminal()
    assert (last.utility(1), last.utility(0)) == (points, -points)
    plain = Backgammon(False, *last[1:])
    assert (plain.utility(1), plain.utility(0)) == (1, -1)


# ---- other programs


def test_endings_against_a_naive_implementation() -> None:
    """Few men on random points, where the rule of both dice matters most."""
    rng = fresh()
    for _ in range(300):
        naive = random_ending(rng)
        assert naive.turn is not None
        dice = sum(die << 4 * i for i, die in enumerate(sorted(naive.dice)))
        own, opp = (
            {point: count for point, count in enumerate(naive.men[player]) if point and count}
            for player in (naive.turn, 1 - naive.turn)
        )
        position = position_of(own, opp, dice, naive.turn)
        moves = {(26 - a // 6, a % 6 + 1) for a in position.legal_actions() if a > 0}
        assert moves == naive.legal(), position
        listed = [0] * 156
        assert listed[: position.write_legal(listed)] == [*filter(position.legal, range(156))]


def random_ending(rng: Random) -> NaiveBackgammon:
    naive = NaiveBackgammon()
    high = rng.choice([6, 9, 25])
    naive.men = [[0] * 26 for _ in range(2)]
    for _ in range(rng.randint(1, 5)):
        naive.men[0][rng.randint(1, high)] += 1
    for _ in range(rng.randint(1, 7)):
        point = rng.randint(1, 25)
        if point == 25 or naive.men[0][25 - point] == 0:
            naive.men[1][point] += 2 if point < 25 else 1
    for men in naive.men:
        men[0] = 15 - sum(men)
    if naive.men[1][0] == 15:
        naive.men[1][0], naive.men[1][25] = 14, 1
    naive.turn = 0
    naive.roll(rng.randint(1, 6), rng.randint(1, 6))
    return naive


def open_spiel_board(state: Any) -> tuple[tuple[int, ...], ...]:
    """The men of both players as ``board`` has them. OpenSpiel's player 0 runs from 0 to 23."""
    sides = []
    for player in (0, 1):
        points = [state.board(player, point) for point in range(24)]
        men = [state.board(player, 100), *(points if player == 0 else points[::-1])]
        sides.append((*men, 15 - sum(men)))
    return tuple(sides)


def open_spiel_turn(state: Any) -> dict[Any, Any]:
    """The states after every way to play a turn, by their boards; after doubles, two actions."""
    found, todo, player = {}, [state], state.current_player()
    while todo:
        here = todo.pop()
        for action in here.legal_actions():
            child = here.child(action)
            if not child.is_terminal() and child.current_player() == player:
                todo.append(child)
            else:
                found[open_spiel_board(child)] = child
    return found


@pytest.mark.parametrize("turns", [60, pytest.param(5000, marks=pytest.mark.slow)])
def test_against_open_spiel(turns: int) -> None:
    """Random games: who rolls, the boards after every way to play a turn, the points."""
    game, rng, done = (
        load("backgammon(scoring_type=full_scoring,max_player_turns=100000)"),
        fresh(),
        0,
    )
    while done < turns:
        position, state = Backgammon(), game.new_initial_state()
        while not position.is_terminal() and done < turns:
            roll = random_action(position, rng)
            position = position.play(roll)
            low, high = sorted((roll // 6 + 1, roll % 6 + 1))
            for outcome, _ in state.chance_outcomes():
                child = state.child(outcome)
                dice = f"Dice: {low}{high}"
                starts = child.current_player() == position.turn
                if starts and (dice in str(child) or f"Dice: {high}{low}" in str(child)):
                    break
            ours, theirs = after_turn(position), open_spiel_turn(child)
            assert ours.keys() == theirs.keys(), repr(position)
            chosen = rng.choice(sorted(ours))
            position, state = ours[chosen], theirs[chosen]
            done += 1
        if position.is_terminal():
            assert state.is_terminal()
            assert state.returns() == utilities(position)


def pgx_observation(board: Any, dice: Any) -> list[int]:
    """What Pgx shows, in our order; it has no bar and off of its own order."""
    own, opp = np.maximum(board, 0), np.maximum(-board, 0)
    left = [int((dice == die).sum()) for die in range(6)]
    mine = [own[24], *own[:24], own[26]]
    theirs = [opp[25], *opp[:24][::-1], opp[27]]
    return [int(number) for number in (*mine, *theirs, *left)]


@pytest.mark.slow
def test_against_pgx() -> None:
    """Masks and observations, but for the rule of both dice. Pgx passes by six actions."""
    pgx, jax = pytest.importorskip("pgx"), pytest.importorskip("jax")
    env, seed, plies, stricter = pgx.make("backgammon"), fresh_seed(), 0, 0
    rng, key = Random(seed), jax.random.PRNGKey(seed)
    init, step = jax.jit(env.init), jax.jit(env.step)
    while plies < 3000 or stricter == 0:
        key, draw = jax.random.split(key)
        state = init(draw)
        high, low = sorted((int(die) + 1 for die in state._dice), reverse=True)
        position = Backgammon(dice=16 * high + low, turn=int(state.current_player))
        while not position.is_terminal():
            mask = np.array(state.legal_action_mask)
            legal, free = position.legal_actions(), by_one_die(position)
            assert free == set(np.flatnonzero(mask[6:]) + 6), f"seed {seed}: {position!r}"
            assert (legal == [0]) == bool(mask[0])
            stricter += set(legal) != (free or {0})
            theirs = pgx_observation(np.array(state._board), np.array(state._playable_dice))
            assert seen(position, position.turn) == theirs
            key, draw = jax.random.split(key)
            action = rng.choice(legal)
            state, position, plies = step(state, action, draw), position.play(action), plies + 1
            if not position.is_terminal() and position.to_move == CHANCE:
                high, low = sorted((int(die) + 1 for die in state._dice), reverse=True)
                position = position.move(f"{high}{low}")
        assert bool(state.terminated)
        assert [float(reward) for reward in state.rewards] == utilities(position)
    print(f"{plies} plies, {stricter} positions in which the rule of both dice forbids a move")


def test_position_id() -> None:
    start = Backgammon()
    assert start.position_id == "4HPwATDgc/ABMA"
    after = start.after("31 8/5 6/5")
    assert after.position_id == "sGfwATDgc/ABMA"
    assert Backgammon.from_id("sGfwATDgc/ABMA", turn=1) == after


@pytest.mark.compiled
@pytest.mark.skipif(shutil.which("gnubg", path="/usr/games:/usr/bin") is None, reason="no gnubg")
def test_position_id_against_gnubg() -> None:
    """GNU Backgammon reads our Position IDs as positions of the same pip counts."""
    line = random_line(Backgammon(), fresh())[1:-1]
    positions = [position for position in line if position.to_move == CHANCE][:20]
    program = shutil.which("gnubg", path="/usr/games:/usr/bin")
    assert program is not None
    commands = ["new session", "set player 0 human", "set player 1 human", "set turn 1"]
    for each in positions:
        commands += [f"set board {each.position_id}", "show pipcount"]
    done = subprocess.run(
        [program, "-t", "-q", "-r"], input="\n".join([*commands, ""]), capture_output=True,
        text=True, check=True,
    )  # fmt: skip
    found = re.findall(r"pip counts are: .*? (\d+)[,;] .*? (\d+)", done.stdout)
    assert [tuple(map(int, pair)) for pair in found] == [
        (each.pips(each.turn), each.pips(1 - each.turn)) for each in positions
    ], done.stdout[-2000:]


# ---- text and bad input


def test_text() -> None:
    text = str(Backgammon().after("31 8/5 6/5"))
    assert "4X 2X  .  .  . 2O" in text
    assert "pips 163" in text
    assert "O  bar 0  off 0  pips 167  to roll" in text


def test_a_line_of_play() -> None:
    position = Backgammon().after("52 13/8 24/22 66")
    assert position.turn == 1
    assert position.dice_left() == [6, 6, 6, 6]


def test_observation() -> None:
    position = Backgammon().after("52 13/8")
    men = [position.men(player) for player in (0, 1)]
    assert seen(position, 0) == [*men[0], *men[1], 0, 1, 0, 0, 0, 0]
    assert seen(position, 1) == [*men[1], *men[0], 0, 0, 0, 0, 0, 0]


# ---- what is known


def expected(position: Backgammon, known: dict[Backgammon, float]) -> float:
    """The points that player 0 expects with best play, by all lines of play."""
    if position.is_terminal():
        return position.utility(0)
    if position not in known:
        children = {a: expected(position.play(a), known) for a in position.legal_actions()}
        if position.to_move == CHANCE:
            value = sum(position.probability(a) * child for a, child in children.items())
        else:
            value = (max if position.to_move == 0 else min)(children.values())
        known[position] = value
    return known[position]


def test_values_that_can_be_counted() -> None:
    """Rolls that bear off two men from the 6-point: 33, 44, 55, 66 of 36; and so on."""
    known: dict[Backgammon, float] = {}
    for own, good in (({6: 1}, 27), ({6: 2}, 4), ({6: 1, 5: 1}, 6), ({1: 1}, 36)):
        position = position_of(own, {1: 1}, 0)
        assert expected(position, known) == pytest.approx(2 * good / 36 - 1)


@pytest.mark.compiled
def test_the_solver_of_endings() -> None:
    solver, rng = BearOffSolver(), fresh()
    known: dict[Backgammon, float] = {}
    for _ in range(20):
        sides = []
        for _ in range(2):
            points = [rng.randint(1, 6) for _ in range(2)]
            sides.append({point: points.count(point) for point in points})
        position = position_of(*sides, dice=0, turn=rng.randint(0, 1))
        rolled = random_action(position, rng)
        for here in (position, position.play(rolled)):
            sign = -1 if here.to_move == 1 else 1
            assert solver.value(here) == pytest.approx(sign * expected(here, known))
            for action, value in solver.values(here).items():
                assert value == pytest.approx(sign * expected(here.play(action), known))


@pytest.mark.compiled
def test_the_solver_refuses_other_positions() -> None:
    for position in (Backgammon(), position_of({7: 1}, {1: 1}, 0), position_of({1: 7}, {1: 1}, 0)):
        with pytest.raises(ValueError, match="at most 6 men left"):
            BearOffSolver().value(position)


@pytest.mark.parametrize("name", knowledge_of(Backgammon()).evaluations)
def test_evaluations_know_no_colours(name: str) -> None:
    """The value is the same with the players exchanged, and no more than a win is worth."""
    evaluate = knowledge_of(Backgammon()).evaluations[name]
    for position in random_line(Backgammon(), fresh())[:-1]:
        if position.to_move != CHANCE:
            value = evaluate(position)
            assert abs(value) <= position.max_utility
            assert value == evaluate(image(position, 1))


def test_players_exchanged() -> None:
    """The same actions are legal; of the first roll, those with the dice exchanged."""
    start = Backgammon()
    assert image_action(start, 6 * 1 + 4, 1) == 6 * 4 + 1
    position = start.after("31 8/5 6/5 52")
    assert image(position, 1).legal_actions() == position.legal_actions()


# ---- searching whole turns


def best_ends(position: Backgammon, depth: int, evaluate: Any = race) -> float:
    """The value of a turn for the player who plays it, by all ends of turns and all rolls."""
    values = []
    for end in after_turn(position).values():
        if end.is_terminal():
            values.append(float(end.utility(end.turn)))
        elif is_ending(end) and depth == 1:
            values.append(-bear_off_value.plain(end.own, end.opp, bear_off()))
        elif depth == 1:
            values.append(-evaluate(end))
        else:
            replies = {roll: best_ends(end.play(roll), depth - 1) for roll in end.legal_actions()}
            values.append(-sum(end.probability(roll) * value for roll, value in replies.items()))
    return max(values)


@pytest.mark.compiled
@pytest.mark.parametrize("depth", [1, pytest.param(2, marks=pytest.mark.thorough)])
def test_turn_search(depth: int) -> None:
    """The best of all ends of a turn, although each is visited about once."""
    agent, rng = TurnSearch(depth, evaluate=race), fresh()
    position, left = Backgammon(), 40 if depth == 1 else 2
    while left > 0:
        before, position = position, position.play(random_action(position, rng))
        if position.is_terminal():
            position = Backgammon()
        elif before.to_move == CHANCE and rng.random() < 0.3:
            assert agent.analyse(position).value == pytest.approx(best_ends(position, depth))
            left -= 1


@pytest.mark.compiled
def test_turn_search_by_the_network() -> None:
    """The best of all ends of a turn, by an evaluation that needs scratch space of its own."""
    agent, rng, position, left = TurnSearch(), fresh(), Backgammon(), 15
    while left > 0:
        before, position = position, position.play(random_action(position, rng))
        if position.is_terminal():
            position = Backgammon()
        elif before.to_move == CHANCE:
            expected = best_ends(position, 1, network)
            assert agent.analyse(position).value == pytest.approx(expected, abs=1e-6)
            left -= 1


@pytest.mark.compiled
def test_turn_search_values_positions_before_the_roll() -> None:
    """The value of two turns is the mean, over the rolls, of the values of one; for player 0."""
    deep, one = TurnSearch(2, evaluate=race), TurnSearch(1, evaluate=race)
    position, rng = Backgammon(), fresh()
    assert deep.value(position) == one.value(position) == 0
    for _ in range(3):
        position = position.play(random_action(position, rng))
        while position.to_move != CHANCE:
            position = position.play(random_action(position, rng))
        assert not position.is_terminal()
        sign = 1 if position.turn == 0 else -1
        rolls = [(position.probability(r), position.play(r)) for r in position.legal_actions()]
        mean = sum(p * one.analyse(after).value for p, after in rolls)
        assert deep.value(position) == pytest.approx(sign * mean)
        assert one.value(position) == pytest.approx(sign * race(position))


def test_turn_search_values_a_finished_game() -> None:
    position = random_line(Backgammon(), fresh())[-1]
    assert TurnSearch(evaluate=race).value(position) == position.utility(max(position.to_move, 0))


def test_turn_search_visits_each_end_about_once() -> None:
    """The order of moves that can be exchanged is fixed: no end is missed, few come twice."""
    visited: list[Backgammon] = []

    def visit(position: Backgammon, context: Any) -> float:
        visited.append(position)
        return 0.0

    search = best_end.bind(value_of_end=visit).plain
    visits, ends = 0, 0
    for before, position in pairwise(random_line(Backgammon(), Random(20261127))):
        if before.to_move == CHANCE:
            visited.clear()
            search(position, 0, 0, None)
            expected_ends = set(after_turn(position).values())
            assert set(visited) == expected_ends, position
            visits, ends = visits + len(visited), ends + len(expected_ends)
    assert visits < 1.5 * ends


@pytest.mark.compiled
def test_turn_search_plays_endings_exactly() -> None:
    rng = fresh()
    for _ in range(5):
        ending = random_ending_of(Backgammon(), rng)
        best = max(BearOffSolver().values(ending).values())
        action = TurnSearch(evaluate=race).act(ending)
        assert BearOffSolver().values(ending)[action] == pytest.approx(best)


def test_turn_search_refuses() -> None:
    with pytest.raises(ValueError, match="the dice are to be rolled"):
        TurnSearch().act(Backgammon())


def test_network_is_a_sum_over_men() -> None:
    """The compiled evaluation equals matrices in NumPy."""
    for position in random_line(Backgammon(), fresh(), 60)[1:-1]:
        inputs = np.zeros(INPUTS + 1)
        inputs[INPUTS] = 1
        for side, player in ((0, position.turn), (104, 1 - position.turn)):
            for place, count in enumerate(position.men(player)):
                for number in range(count):
                    inputs[side + 4 * place + min(number, 3)] += 1
        hidden = INPUT_WEIGHTS @ inputs
        hidden = np.append(hidden / (1 + abs(hidden)), 1)
        win, *rest = 1 / (1 + np.exp(-(hidden @ OUTPUT_WEIGHTS)))
        points = 2 * win - 1 + rest[0] + rest[1] - rest[2] - rest[3]
        assert network(position) == pytest.approx(points, abs=1e-4)
        plain = Backgammon(False, *position[1:])
        assert network(plain) == pytest.approx(2 * win - 1, abs=1e-4)


@pytest.mark.compiled
@pytest.mark.thorough
def test_agents_keep_the_laws() -> None:
    ending = position_of({6: 2, 4: 1, 2: 2}, {7: 1, 5: 2, 1: 1}, 0)
    for spec in (
        "turn_search(evaluate=backgammon.race)",
        "mcts(simulations=50, evaluate=backgammon.race)",
    ):
        check_agent(make(spec), ending, games=3, make=make)
    check_agent(make("bear_off"), position_of({6: 2, 2: 2}, {5: 2}, 0), games=3, make=make)
