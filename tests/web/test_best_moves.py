"""Which values of moves a page gets: the best few, compared by searches of equal depth."""

from dataclasses import dataclass, replace

import pytest

from adv_envs.registry import start_position
from agents import make
from agents.agent import SearchAgent, SearchResult
from agents.move_values import FoundValue, MovesBelow
from agents.web.analyse_jobs import FEW, analyse, best_first
from agents.web.game_states import GameState
from agents.web.python_jobs import PythonSearchers

pytestmark = pytest.mark.plain


def last_values(name, spec, line=(), **parameters):
    """The table of values that a page gets at last, and the lines."""
    start = start_position(name, **parameters)
    state = GameState(start, tuple(line), people=())
    options = {"agent": spec}
    found = {}
    for message in analyse(state, options, PythonSearchers(options)):
        found |= message
    return found


def test_of_many_moves_the_best_few_stand_on_the_board(monkeypatch):
    monkeypatch.setattr("agents.web.analyse_jobs.board", lambda state, values: [*values])
    found = last_values("hex", "alpha_beta(depth=1, evaluate=hex.two_distance)", size=7)["values"]
    moves = [move["action"] for move in found["moves"]]
    assert len(moves) == 49
    assert (found["board"], found["full"]) == (moves[:FEW], moves)


def test_few_moves_all_stand_on_the_board():
    found = last_values("tic_tac_toe", "alpha_beta()", (4,))["values"]
    assert found["full"] is None
    assert found["exact"]


def test_chess_is_told_from_whites_view_in_its_own_notation():
    spec = "alpha_beta(depth=1, evaluate=chess.pesto, quiescence=False)"
    white = last_values("chess", spec)
    assert white["values"]["view"] == "White"
    assert {"e4", "Nf3"} <= {move["name"] for move in white["values"]["moves"]}
    best = white["values"]["moves"][0]["name"]
    assert white["lines"][0]["moves"][0][1] == best
    start = start_position("chess")
    black = last_values("chess", spec, (start.action("e4"),))
    numbers = [float(move["text"]) for move in black["values"]["moves"]]
    assert numbers == sorted(numbers)  # the best for Black are the lowest
    assert numbers[0] < 0.3


def test_a_search_that_samples_is_told_by_its_visits():
    """Means of moves that were hardly tried say little: the search's own move comes first."""
    found = last_values("hex", "mcts(simulations=200, seed=1)", size=9)
    agent = make("mcts(simulations=200, seed=1)")
    agent.reset(0)
    result = agent.analyse(start_position("hex", size=9))
    moves = [move["action"] for move in found["values"]["moves"]]
    assert moves[0] == result.action
    visits = [result.visits.get(action, 0) for action in moves[1:]]
    assert visits == sorted(visits, reverse=True)
    assert found["lines"][0]["moves"][0][0] == result.action
    assert best_first({}) == []


@dataclass(repr=False)
class OddAndEven(SearchAgent):
    """Finds more at odd depths than at even ones, as evaluations for who has just moved do."""

    depth: int | None = None
    reach: int = 9
    """How deep its time allows it to look."""
    name = "odd_and_even"

    def analyse(self, position):
        depth = min(self.depth or self.reach, self.reach)
        value = 0.3 * (depth % 2) * (1 - 2 * position.to_move) + 0.01 * position.ply
        legal = position.legal_actions()
        return SearchResult(legal[0], value, (legal[0],), depth=depth)


@pytest.mark.parametrize("reach", [2, 3, 4])
def test_moves_are_compared_by_searches_of_equal_depth(reach):
    position = start_position("tic_tac_toe")
    agent = OddAndEven(reach=4)
    found = agent.analyse(position)
    below = MovesBelow(replace(agent, reach=reach), position, found, shallow=reach < 3)
    assert below.value(found.action) == FoundValue(found.value, False)
    assert below.value(8).value == pytest.approx(found.value)  # no worse: the same search says so


def test_a_proven_loss_is_not_compared():
    position = start_position("tic_tac_toe").after("a1 b1 a2 b2")
    found = SearchResult(position.action("a3"), 1.0, proven=True)
    below = MovesBelow(make("alpha_beta()"), position, found)
    assert below.value(position.action("c3")) == FoundValue(-1.0, True)
