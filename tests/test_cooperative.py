"""Games in which all players share one utility: what plays them, and what refuses them."""

from collections.abc import Callable
from typing import Any, ClassVar

import pytest

import agents
from adv_envs import Hanabi, Position
from adv_envs.testing import check_game
from agents.arena.clock import TimeControl
from agents.arena.ladder import ladder_for
from agents.arena.schedule import make_plan
from agents.equilibrium import CFR, MCCFR, GameTree, expected_utilities, exploitability
from agents.equilibrium.linear_program import solve_zero_sum
from agents.equilibrium.tabular_policy import uniform_policy
from agents.grading.exact_values import exact_for
from agents.grading.exploitability_card import grade_hidden
from agents.learning.alphazero.settings import require_learnable

pytestmark = pytest.mark.plain


class Rendezvous(Position):
    """Two players choose one of three places in turn; each gets 1 if both are in one place."""

    first: int = -1
    second: int = -1
    num_actions = 3
    observation_shape = (3,)
    cooperative: ClassVar[bool] = True

    @property
    def to_move(self) -> int:
        return int(self.first >= 0)

    def legal(self, action: int) -> bool:
        return True

    def play(self, action: int) -> "Rendezvous":
        return Rendezvous(action, -1) if self.first < 0 else Rendezvous(self.first, action)

    def is_terminal(self) -> bool:
        return self.second >= 0

    def utility(self, player: int) -> int:
        return int(self.first == self.second)

    def observe(self, player: int, planes: Any) -> None:
        if self.first >= 0:
            planes[self.first] = 1


class Blind(Rendezvous):
    """The same, where the second does not see where the first is."""

    first: int = -1
    second: int = -1
    moved: bool = False

    @property
    def to_move(self) -> int:
        return int(self.moved)

    def play(self, action: int) -> "Blind":
        return Blind(action, -1, True) if not self.moved else Blind(self.first, action, True)

    def hidden(self, player: int) -> "Blind":
        if player == 0 or self.is_terminal():
            return self
        return Blind(-1, -1, self.moved)

    def determinized(self, player: int, state: int) -> "Blind":
        if player == 0 or not self.moved:
            return self
        return Blind(state % 3, -1, True)

    def observe(self, player: int, planes: Any) -> None:
        if self.first >= 0 and (player == 0 or self.is_terminal()):
            planes[self.first] = 1


class Divided(Rendezvous):
    """A team of whom only one gets something."""

    first: int = -1
    second: int = -1

    def play(self, action: int) -> "Divided":
        return Divided(action, -1) if self.first < 0 else Divided(self.first, action)

    def utility(self, player: int) -> int:
        return player


def test_a_team_is_under_the_laws_of_games() -> None:
    check_game(Rendezvous(), games=5)
    check_game(Blind(), games=5)
    with pytest.raises(AssertionError, match="a team has the same for all"):
        check_game(Divided(), games=2)


def test_who_maximises_the_own_utility_plays_with_a_team() -> None:
    for spec in ("max_n()", "retrograde()", "greedy()"):
        result = agents.match(Rendezvous(), spec, spec, pairs=2, seed=1)
        assert result.mean_utilities[0].value == 1
    result = agents.match(Blind(), *["ismcts(simulations=50)"] * 2, pairs=2, seed=1)
    assert len(result.games) == 4


def test_a_match_tells_the_mean_score() -> None:
    result = agents.match(Rendezvous(), "max_n()", "max_n()", pairs=2, seed=1)
    assert str(result) == "max_n() with max_n(): 1.000 points per game"
    broken = agents.match(Rendezvous(), "max_n()", lambda position: 7, pairs=1, seed=1)
    assert [game.utilities for game in broken.games] == [(0, 0), (0, 0)]
    assert "2 of 2 games forfeited" in str(broken)


def asked(spec: str) -> Callable[[], Any]:
    """Asks an agent at the start of the game."""
    return lambda: agents.make(spec).act(Rendezvous())


REFUSED: dict[str, Callable[[], Any]] = {
    "alpha_beta": asked("alpha_beta()"),
    "minimax": asked("minimax()"),
    "expectiminimax": asked("expectiminimax()"),
    "proof_number": asked("proof_number()"),
    "paranoid": asked("paranoid()"),
    "mcts with two players": asked("mcts(simulations=10)"),
    "a tournament": lambda: make_plan(
        Hanabi(), ["random", "random()"], 2, "none", "all", 1, TimeControl()
    ),
    "a rating": lambda: ladder_for(Hanabi()),
    "AlphaZero": lambda: require_learnable(Rendezvous()),
    "exploitability": lambda: exploitability(uniform_policy(Blind())),
    "regret minimisation": lambda: CFR(GameTree(Blind())),
    "linear programming": lambda: solve_zero_sum(GameTree(Blind())),
    "a report card": lambda: grade_hidden(Hanabi(), ["random"]),
}
"""By who needs opponents."""


@pytest.mark.parametrize("who", REFUSED)
def test_what_needs_opponents_refuses_a_team(who: str) -> None:
    with pytest.raises(ValueError, match=f"^{who} needs players who .* share the score"):
        REFUSED[who]()


def test_sampled_regrets_are_refused_as_well() -> None:
    with pytest.raises(ValueError, match="regret minimisation needs players"):
        MCCFR(GameTree(Blind()))


def test_moves_of_a_team_are_not_graded() -> None:
    with pytest.raises(ValueError, match="a team's moves are not graded"):
        exact_for(Rendezvous())


def test_what_a_team_expects_is_computed() -> None:
    assert expected_utilities(uniform_policy(Blind())) == pytest.approx([1 / 3, 1 / 3])
