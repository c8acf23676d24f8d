"""Tests the grades of moves in games of messages, by brute force and retrograde analysis."""

import copy
import json
import pickle
from typing import Any

import pytest
from brute import Known, played, random_lines, worth
from naive import NaiveConnectFour, NaiveGame, NaiveThirtyOne, NaiveTicTacToe

from adv_envs import (
    CHANCE,
    Checkers,
    Chess,
    ConnectFour,
    Goofspiel,
    Kalah,
    Leduc,
    Nim,
    Pig,
    Position,
    ThirtyOne,
    TicTacToe,
    reachable,
    text_env,
)
from adv_envs.text import MoveGrade, TextGame
from agents import Retrograde
from agents.grading import MoveGrader, NotGraded, move_grader

pytestmark = pytest.mark.compiled

WRONG = "Final answer: z9"


def grade_by(values: dict[int, float], position: Position, action: int) -> MoveGrade:
    """Returns what a grade should be, by the utility of each move for the player to move."""
    value = max(values.values())
    best = [each for each in values if values[each] > value - 1e-6]
    return MoveGrade(
        action in best,
        pytest.approx(value - values[action], abs=1e-6),
        pytest.approx(value, abs=1e-6),
        tuple(map(position.name, best)),
        True,
        len(best) / len(values),
    )


def check_grades(grader: MoveGrader, values: dict[int, float], position: Position) -> None:
    for action in position.legal_actions():
        assert grader(position, action) == grade_by(values, position, action)


# ---- exact values


@pytest.mark.parametrize(
    ("start", "game", "plies"),
    [
        (TicTacToe(), NaiveTicTacToe(), range(2, 7)),
        (ConnectFour(), NaiveConnectFour(), range(31, 39)),
        (
            ThirtyOne(limit=12, copies=2, highest=4),
            NaiveThirtyOne(limit=12, copies=2, highest=4),
            range(3),
        ),
    ],
    ids=["tic-tac-toe", "Connect Four", "12"],
)
def test_grades_are_those_of_brute_force(start: Position, game: NaiveGame, plies: range) -> None:
    grader, known = move_grader("exact", start), Known()
    for line in random_lines(start, 40, seed=1, plies=plies):
        check_grades(grader, worth(played(game, line), known), start.after(line))


@pytest.mark.parametrize("start", [Kalah(3, 2), Nim(), Nim(misere=True)], ids=repr)
def test_grades_are_those_of_retrograde_analysis(start: Position) -> None:
    grader, retrograde = move_grader("exact", start), Retrograde()
    for line in random_lines(start, 30, seed=2, plies=range(5)):
        position = start.after(line)
        check_grades(grader, retrograde.values(position), position)


def test_grades_with_dice_are_those_of_value_iteration() -> None:
    start = Pig(target=12, faces=4)
    known = dict.fromkeys(reachable(start), 0.0)
    for _ in range(200):
        for position in known:
            known[position] = first_players_utility(position, known)
    grader = move_grader("exact", start)
    for position in known:
        if not position.is_terminal() and position.to_move != CHANCE:
            sign = 1 - 2 * position.to_move
            after = {a: sign * known[position.play(a)] for a in position.legal_actions()}
            check_grades(grader, after, position)


def first_players_utility(position: Pig, known: dict[Pig, float]) -> float:
    if position.is_terminal():
        return position.utility(0)
    after = {action: known[position.play(action)] for action in position.legal_actions()}
    if position.to_move == CHANCE:
        return sum(position.probability(action) * value for action, value in after.items())
    return min(after.values()) if position.to_move else max(after.values())


@pytest.mark.parametrize(
    ("start", "why"),
    [
        (Leduc(), "players do not see everything"),
        (Goofspiel(), "players do not see everything"),
        (Checkers(), "checkers is graded on boards of size 4, not 8"),
        (ThirtyOne(num_players=3), "games of two players are graded, not of 3"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_games_without_exact_values_are_refused(start: Position, why: str) -> None:
    with pytest.raises(NotGraded, match=f'grade="exact" needs .*{why}.*grade="analyst"'):
        text_env(start, grade="exact")


@pytest.mark.parametrize("grade", ["exactly", "random", "", "alpha_beta(depth=x)"])
def test_other_grades_are_refused(grade: str) -> None:
    what = 'grade must be "exact", "analyst" or the spec of an agent that searches: '
    with pytest.raises((ValueError, TypeError), match=what):
        text_env("tic_tac_toe", grade=grade)


def test_what_the_solver_does_not_reach_has_no_grade() -> None:
    env = text_env(Chess(), seat=0, grade="exact", reward="grade")
    env.reset(seed=0)
    _, reward, *_, info = env.step("e2e4")
    assert (info["grade"], reward) == (MoveGrade(), 0)
    assert (info["graded"], info["kept"], info["mean_regret"]) == (0, 0, None)
    ending = Chess.from_fen("8/8/8/8/8/2k5/4q3/1K6 b - - 0 1")
    env = text_env(ending, seat=1, grade="exact", reward="grade")
    env.reset(seed=0)
    _, reward, *_, info = env.step("Qe2-d1")
    assert info["grade"].proven
    assert (info["grade"].kept, info["grade"].value, reward) == (True, 1, 0)


# ---- estimates


def test_the_analyst_judges_where_values_are_not_exact() -> None:
    start = Kalah()
    grade = move_grader("alpha_beta(depth=3, evaluate=kalah.lead)", start)
    again = pickle.loads(pickle.dumps(grade))
    for action in start.legal_actions():
        found = grade(start, action)
        assert found == again(start, action)
        assert found.regret is not None
        assert found.kept == (found.regret == 0) == (start.name(action) in found.best)
        assert not found.proven
    late = Kalah(3, 2)
    assert move_grader("analyst", late)(late, 0) == move_grader("exact", late)(late, 0)


def test_proven_estimates_are_exact() -> None:
    start = ThirtyOne(limit=12, copies=2, highest=4)
    exact, retrograde = MoveGrader(start, False, "retrograde"), Retrograde()
    check_grades(exact, retrograde.values(start), start)


def test_estimates_of_hidden_information_come_from_what_is_seen() -> None:
    game = text_env(Leduc(), seat="all", grade="ismcts(simulations=300)")
    views = []
    assert isinstance(game.grade, MoveGrader)
    game.reset(seed=3)
    while not game.over:
        seat = game.seat
        assert seat is not None
        position = game.session.position
        name = position.name(position.legal_actions()[-1])
        game.step(f"**{name}**")
        found = game.info(seat)["grade"]
        views.append(found)
        assert not found.proven
        assert found.regret >= 0
        assert 0 < found.difficulty <= 1
    assert views


def test_specs_are_checked() -> None:
    with pytest.raises(ValueError, match="no agent 'perfectly'"):
        text_env("tic_tac_toe", grade="perfectly")
    with pytest.raises(ValueError, match=r"random does not search; .*alpha_beta"):
        text_env("tic_tac_toe", grade="random")
    with pytest.raises(TypeError, match="grade must be None, a function, or a spec"):
        text_env("tic_tac_toe", grade=1)
    with pytest.raises(ValueError, match='reward="grade" needs grade="exact"'):
        text_env("tic_tac_toe", reward="grade")
    grader = move_grader("exact", TicTacToe())
    with pytest.raises(ValueError, match="action 9 is not legal; legal: "):
        grader(TicTacToe(), 9)
    with pytest.raises(TypeError, match="position must be a TicTacToe"):
        grader(ConnectFour(), 3)
    env = text_env("tic_tac_toe", seat=0, grade=lambda seen, action: 1, reward="grade")
    env.reset(seed=0)
    with pytest.raises(TypeError, match=r'reward="grade" needs .*; this one returned 1'):
        env.step("a1")


# ---- in games


def test_rewards_are_minus_the_regret_and_totals_add_up() -> None:
    env = text_env(
        TicTacToe(), seat=0, opponent=lambda p: p.legal_actions()[0], grade="exact", reward="grade"
    )
    env.reset(seed=0)
    rewards = []
    for reply in ("b1", "b2", WRONG, "b3"):
        *_, reward, _, _, info = env.step(reply)
        rewards.append(reward)
        assert (info["grade"] is None) == (reply == WRONG)
    grades = env.game.grades[0]
    assert rewards == [0, 0, 0, 0]
    env.reset(seed=0)
    assert not any(env.game.grades)
    rewards = [env.step(reply)[1] for reply in ("b1", "c3", "a3")]
    grades = env.game.grades[0]
    info = env.game.info(0)
    assert rewards == [-(grade.regret or 0) for grade in grades]
    assert (info["graded"], info["kept"]) == (3, sum(grade.kept is True for grade in grades))
    assert info["mean_regret"] == pytest.approx(-sum(rewards) / 3)
    assert min(rewards) < 0
    assert json.loads(json.dumps(grades))[0] == [*grades[0][:3], [*grades[0].best], *grades[0][4:]]


def test_a_forfeit_costs_what_it_did_and_no_result_is_added() -> None:
    for reward in ("result", "grade"):
        env = text_env("nim", seat=0, retries=0, grade="exact", reward=reward, illegal_reward=-3)
        env.reset(seed=0)
        _, value, terminated, *_, info = env.step(WRONG)
        assert (value, terminated, info["grade"], info["graded"]) == (-3, True, None, 0)
    env = text_env(TicTacToe().after("a1 b1 a2 b2"), seat=0, grade="exact", reward="grade")
    env.reset(seed=0)
    _, value, terminated, *_, info = env.step("a3")
    assert (value, terminated, env.game.utilities) == (0, True, [1, -1])
    assert info["grade"].best == ("a3",)


def test_a_function_rewards_by_both() -> None:
    def reward(utility: float | None, info: dict[str, Any]) -> float:
        return (utility or 0) - info["grade"].regret

    env = text_env(
        TicTacToe().after("a1 b1 a2 b2"), seat=0, grade="exact", reward=reward,
        opponent=lambda position: position.legal_actions()[-1],
    )  # fmt: skip
    env.reset(seed=0)
    assert env.step("a3")[1] == 1
    env.reset(seed=0)
    assert env.step("c3")[1] == -3, "a win has become a loss at once"


def test_random_moves_are_not_graded() -> None:
    game = TextGame("nim", retries=0, on_failure="random", grade="exact")
    seat, _ = game.reset(seed=0)
    assert seat == 0
    game.step(WRONG)
    assert (game.info(0)["grade"], game.info(0)["graded"]) == (None, 0)


def test_copies_grade_alike() -> None:
    env = text_env("pig", seat=0, grade="exact", reward="grade")
    env.reset(seed=4)
    for _ in range(3):
        position = env.game.session.position
        reply = f"**{position.name(position.legal_actions()[-1])}**"
        copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
        result = env.step(reply)
        assert all(copied.step(reply) == result for copied in copies)
