"""Pig: its rules against a naive game and OpenSpiel's, its picture, and its solution."""

import itertools
import re
from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest
from brute import played
from naive import NaivePig, positions

import adv_envs
from adv_envs import CHANCE, IllegalMove, Pig, Position, reachable
from adv_envs.jit import disabled
from adv_envs.notation import read_line, write_line
from adv_envs.pictures import draw
from adv_envs.pictures.shapes import Circle, Polygon
from adv_envs.testing import check_agent
from agents import Expectiminimax, Retrograde, make, match
from agents.games.pig import PigSolver, lead

BUSY = "roll 4 roll 6 hold roll 5 roll 3"


# ---- the rules, by hand


def test_a_turn() -> None:
    position = Pig()
    assert position.legal_actions() == [0], "a turn begins with a roll"
    rolling = position.after("roll")
    assert (rolling.to_move, rolling.legal_actions()) == (CHANCE, list(range(6)))
    assert [rolling.name(action) for action in range(6)] == list("123456")
    assert sum(rolling.probability(action) for action in range(6)) == pytest.approx(1)
    four = rolling.after("4")
    assert (four.to_move, four.turn, four.legal_actions()) == (0, 4, [0, 1])
    ten = four.after("roll 6")
    assert (ten.turn, ten.score(0)) == (10, 0)
    held = ten.after("hold")
    assert (held.score(0), held.score(1), held.turn, held.to_move) == (10, 0, 0, 1)
    lost = ten.after("roll 1")
    assert (lost.score(0), lost.score(1), lost.turn, lost.to_move) == (0, 0, 0, 1)
    assert held.after("roll 5 roll 1") == Pig(first=10), "positions come again"


def test_the_end() -> None:
    position = Pig(target=10).after("roll 4 roll 6")
    assert not position.is_terminal(), "points count once they are held"
    assert position.legal_actions() == [1], "and there is nothing more to roll for"
    over = position.after("hold")
    assert over.is_terminal()
    assert (over.utility(0), over.utility(1)) == (1, -1)
    assert over.legal_actions() == []
    other = Pig(target=10).after("roll 1 roll 6 roll 6 hold")
    assert (other.score(1), other.utility(1), other.utility(0)) == (12, 1, -1)


def test_names() -> None:
    assert Pig().after("roll 4 Roll 6 HOLD") == Pig().after([0, 3, 0, 5, 1])
    assert Pig(faces=20).after("roll 12 roll 2").turn == 14
    line = read_line(Pig(), BUSY)
    assert line == [0, 3, 0, 5, 1, 0, 4, 0, 2]
    assert write_line(Pig(), line) == BUSY
    with pytest.raises(IllegalMove, match="move 1, 'hold', is not legal; legal: roll"):
        Pig().after("hold")
    with pytest.raises(IllegalMove, match="move 2, '7', is not legal; legal: 1, 2, 3, 4, 5, 6"):
        Pig().after("roll 7")


def test_text() -> None:
    assert str(Pig().after(BUSY).play(0)) == (
        "  player 0    10\n> player 1     0 + 8, the die rolls\n  target     100"
    )
    assert ">" not in str(Pig(5).after("roll 6 hold"))


def test_observation() -> None:
    position = Pig().after(BUSY)
    for player, expected in ((0, [10, 0, 8, 0]), (1, [0, 10, 8, 1])):
        seen = np.zeros(4, np.int32)
        position.observe(player, seen)
        assert seen.tolist() == expected


@pytest.mark.parametrize(
    ("parameters", "allowed"),
    [
        ({"mover": 2}, "mover must be 0 to 1, not 2"),
        ({"first": 100}, "the score of the player to move must be 0 to 99, not 100"),
        ({"second": 106}, "the other score must be 0 to 105, not 106"),
        ({"first": 90, "turn": 16}, "turn must be 0 to 15, not 16"),
        ({"turn": -1}, "turn must be 0 to 105, not -1"),
        ({"second": 100, "turn": 3}, "turn must be 0, and the die cannot be rolling"),
        ({"second": 100, "rolling": True}, "turn must be 0, and the die cannot be rolling"),
        ({"turn": 101, "rolling": True}, "nothing to roll for: hold"),
    ],
    ids=str,
)
def test_impossible_positions(parameters: dict[str, int], allowed: str) -> None:
    with pytest.raises(ValueError, match=re.escape(allowed)):
        Pig(**parameters)  # type: ignore[arg-type]


@pytest.mark.parametrize(("target", "faces"), [(1, 2), (3, 2), (4, 6), (6, 3)])
def test_state_space_is_what_check_accepts(target: int, faces: int) -> None:
    accepted, numbers = 0, range(-1, target + faces + 1)
    for state in itertools.product(numbers, numbers, numbers, range(2), (False, True)):
        try:
            Pig(target, faces, *state).check()
            accepted += 1
        except ValueError:
            pass
    assert accepted == Pig(target, faces).state_space()


# ---- against a naive game


def same(position: Any, naive: NaivePig) -> None:
    """Every answer is the same."""
    assert position.legal_actions() == naive.actions()
    assert position.is_terminal() == naive.is_over()
    assert position.to_move == naive.to_move
    assert (position.score(0), position.score(1)) == naive.scores
    assert position.turn == sum(naive.rolls)
    for player in (0, 1):
        assert not naive.is_over() or position.utility(player) == naive.utility(player)


def test_random_games_of_random_sizes() -> None:
    rng = Random(11)
    for _ in range(100 if disabled() else 300):
        size = rng.randint(1, 60), rng.randint(2, 12)
        position, naive = Pig(*size), NaivePig(*size)
        while True:
            same(position, naive)
            if naive.is_over():
                break
            action = rng.choice(naive.actions())
            position = position.play(action)
            naive = played(naive, [action])


@pytest.mark.parametrize(("target", "faces"), [(1, 2), (5, 2), (4, 6), (7, 3)])
def test_positions_that_can_be_reached(target: int, faces: int) -> None:
    """The same positions, each once; as many, and no more, as the naive game has."""
    start = Pig(target, faces)
    seen = list(reachable(start))
    found = Counter(((p.first, p.second), p.turn, p.mover, p.to_move) for p in seen)
    expected = {game.key() for game in positions(NaivePig(target, faces))}
    assert set(found) == expected
    assert set(found.values()) == {1}
    assert len(seen) <= start.state_space()


def test_lines_of_play() -> None:
    """Worked out by hand: a turn starts with one action, a die has six, then there are two."""
    here, counts = [Pig()], []
    for _ in range(5):
        counts.append(len(here))
        here = [position.play(a) for position in here for a in position.legal_actions()]
    assert counts == [1, 1, 6, 1 + 5 * 2, 6 + 5 * (6 + 1)]


def test_random_play_ends() -> None:
    """It ends with probability 1, and after some hundred plies at the usual size."""
    rng, plies = Random(5), []
    for _ in range(50):
        position, count = Pig(), 0
        while not position.is_terminal():
            position = position.play(rng.choice(position.legal_actions()))
            count += 1
        plies.append(count)
    assert 60 < sum(plies) / len(plies) < 500
    assert max(plies) < 3000


def test_open_spiel() -> None:
    """The same game there, but for holding nothing and for rolling on with enough in hand."""
    spiel = pytest.importorskip("pyspiel")
    rng = Random(7)
    for target, faces in ((20, 6), (50, 6), (30, 4)):
        size = f"winscore={target},diceoutcomes={faces}"
        game = spiel.load_game(f"pig(players=2,horizon=5000,{size})")
        for _ in range(20):
            position, there = Pig(target, faces), game.new_initial_state()
            while not position.is_terminal():
                numbers = [int(n) for n in re.findall(r"\d+", str(there))]
                assert numbers == [position.first, position.second, position.turn, position.mover]
                assert not there.is_terminal()
                assert set(position.legal_actions()) <= set(there.legal_actions())
                assert there.is_chance_node() == position.rolling
                if position.rolling:
                    chances = [position.probability(a) for a in position.legal_actions()]
                    assert [p for _, p in there.chance_outcomes()] == pytest.approx(chances)
                action = rng.choice(position.legal_actions())
                position = position.play(action)
                there.apply_action(action)
            assert there.is_terminal()
            assert there.returns() == [position.utility(0), position.utility(1)]


# ---- laws, environments, pictures


def test_the_seed_throws_the_die() -> None:
    games = []
    for seed in (1, 1, 2):
        env = adv_envs.env("pig")
        env.reset(seed=seed)
        seen = []
        for _ in range(30):
            env.step(0 if env.position.legal(0) else 1)
            seen.append(env.position)
        games.append(seen)
    assert games[0] == games[1] != games[2]


def pips(position: Position, last: int | None) -> int:
    shapes = draw(position, last).shapes
    return sum(isinstance(shape, Circle) for shape in shapes)


def test_the_picture_shows_the_die() -> None:
    position = Pig()
    for action in read_line(position, BUSY):
        rolled = position.rolling
        position = position.play(action)
        assert pips(position, action) == (action + 1 if rolled else 0)
        dice = [shape for shape in draw(position, action).shapes if isinstance(shape, Polygon)]
        assert bool(dice) == position.rolling
    lost = position.after("roll 1")
    assert pips(lost, 0) == 1
    assert pips(position, 0) == 0, "an environment tells what a player did, not the die"
    assert draw(position.play(0)).title == "Player 2 rolls"
    assert draw(lost).title == "Player 1 to move"
    assert draw(Pig(5).after("roll 6 hold")).title == "Player 1 wins, 6 to 0"
    twenty = draw(Pig(faces=20).after("roll 20"), 19)
    assert "20" in [shape.text for shape in twenty.shapes if hasattr(shape, "text")]


# ---- solved


def plain_values(start: Pig) -> dict[Position, float]:
    """What every position is worth to player 0, by value iteration over all of them at once."""
    children = {p: [p.play(a) for a in p.legal_actions()] for p in reachable(start)}
    values = {p: p.utility(0) if p.is_terminal() else 0.0 for p in children}
    change = 1.0
    while change > 1e-14:
        change = 0.0
        for position, after in children.items():
            if after:
                worth = [values[child] for child in after]
                best = {0: max(worth), 1: min(worth), CHANCE: sum(worth) / len(worth)}
                change = max(change, abs(best[position.to_move] - values[position]))
                values[position] = best[position.to_move]
    return values


@pytest.mark.parametrize(("target", "faces"), [(1, 2), (2, 6), (7, 2), (6, 3), (9, 4)])
def test_solver_equals_plain_value_iteration(target: int, faces: int) -> None:
    """Every position, rolling and finished ones too, and every action."""
    start, solver = Pig(target, faces), PigSolver()
    values = plain_values(start)
    for position, value in values.items():
        sign = -1 if position.to_move == 1 else 1
        assert solver.value(position) == pytest.approx(sign * value, abs=1e-12)
        expected = {a: sign * values[position.play(a)] for a in position.legal_actions()}
        assert solver.values(position) == pytest.approx(expected, abs=1e-12)
        assert solver.win_probability(position, 0) == pytest.approx((value + 1) / 2, abs=1e-12)
        if position.to_move >= 0 and not position.is_terminal():
            found = solver.analyse(position)
            assert found.proven
            assert found.value == pytest.approx(max(expected.values()), abs=1e-12)
            assert expected[found.action] == pytest.approx(found.value, abs=1e-12)
            assert found.values == solver.values(position)


@pytest.mark.skipif(disabled(), reason="twenty million steps")
def test_the_full_game() -> None:
    """What Neller and Presser (2004) say of it."""
    solver = PigSolver()
    assert solver.win_probability(Pig()) == pytest.approx(0.5306, abs=5e-5)
    assert solver.win_probability(Pig(), player=1) == pytest.approx(1 - 0.5306, abs=5e-5)
    assert solver.value(Pig()) == 2 * solver.win_probability(Pig()) - 1
    assert solver.hold_at(0, 0) == 21
    assert solver.solve(Pig()) == 0, "once is enough"
    assert solver.act(Pig(first=90, second=95, turn=8)) == 0, "to hold would be too late"
    assert [solver.act(Pig(turn=turn)) for turn in (2, 20, 21, 40)] == [0, 0, 1, 1]


def test_better_than_a_habit() -> None:
    """Against always holding at 5, from either seat, in exact expectation."""
    start, solver = Pig(target=8, faces=4), PigSolver()
    positions: list[Any] = [p for p in plain_values(start) if not p.is_terminal()]
    children = {p: [p.play(a) for a in p.legal_actions()] for p in positions}
    for seat in (0, 1):
        chosen = {}
        for p in positions:
            if not p.rolling:
                habit = int(p.turn >= 5 or p.score(p.mover) + p.turn >= 8)
                chosen[p] = p.play(solver.act(p) if p.mover == seat else habit)
        values: dict[Position, float] = {}
        for _ in range(40):
            for p in positions:
                after = children[p] if p.rolling else [chosen[p]]
                worth = [c.utility(seat) if c.is_terminal() else values.get(c, 0) for c in after]
                values[p] = sum(worth) / len(worth)
        assert values[start] > (1 if seat == 0 else -1) * solver.value(start) + 0.01


def test_the_lead() -> None:
    """An estimate of the utility: for the player to move, -1 to 1, and antisymmetric."""
    rng = Random(3)
    for _ in range(200):
        first, second = rng.randrange(100), rng.randrange(100)
        position = Pig(first=first, second=second, turn=rng.randrange(106 - first))
        assert -1 <= lead(position) <= 1
        assert lead(Pig(first=second, second=first)) == -lead(Pig(first=first, second=second))
    assert lead(Pig().after("roll 4 roll 6")) == 0.1
    assert lead(Pig().after("roll 4 roll 6 hold")) == -0.1


def test_a_search_with_the_lead_plays_nearly_perfectly() -> None:
    solver, agent = PigSolver(), Expectiminimax(depth=3, evaluate=lead)
    rng, lost = Random(4), []
    for _ in range(30):
        first, second = rng.randrange(25), rng.randrange(25)
        position = Pig(30, 6, first, second, rng.randrange(2, 12))
        values = solver.values(position)
        lost.append(max(values.values()) - values[agent.act(position)])
    assert sum(lost) / len(lost) < 0.01


def test_solver_refuses() -> None:
    solver = PigSolver()
    for ask, position, says in (
        (solver.value, adv_envs.TicTacToe(), "pig_solver solves pig, not TicTacToe"),
        (solver.act, Pig(target=201), "targets up to 200, not 201; use expectiminimax"),
        (solver.act, Pig(5).after("roll 6 hold"), "the game is over"),
        (solver.act, Pig(5).after("roll"), "here the die is rolling"),
        (Retrograde().value, Pig(target=3), "chance goes in circles"),
    ):
        with pytest.raises(ValueError, match=says):
            ask(position)


def test_solver_is_an_agent() -> None:
    check_agent(PigSolver(), Pig(target=12), make=make)
    result = match(Pig(target=20), PigSolver(), make("random"), pairs=15)
    assert result.total.wins > 20
    assert make("pig_solver") == PigSolver()
