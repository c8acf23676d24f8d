"""Registers our games with OpenSpiel by name, to be solved and played by its own algorithms.

``register()`` makes every game known to ``pyspiel.load_game`` as "adv_envs_NAME", with its
parameters: "adv_envs_hex(size=5)". All that takes a pyspiel.Game or its name can then use it, such
as OpenSpiel's solvers, searches and policies, and Shimmy. What a player sees is the position as
that player sees it, as a string, which is an information set, and the observation of our
environments as a tensor. Two simultaneous choices are two moves; the second does not see the
first. OpenSpiel's bots in C++ run without Python's lock: take those in Python.

    python examples/open_spiel_game.py [kuhn] [--iterations 200]

needs ``pip install open_spiel``.
"""

import argparse
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

from adv_envs import CHANCE, GAMES, Position, start_position
from adv_envs.envs.observation import observation_writer
from adv_envs.registry import parameters_of

LONGEST = 10_000
"""The longest game that OpenSpiel is told of, in moves."""

TYPE, INFO = pyspiel.GameType, pyspiel.GameInfo


def game_type(name: str, start: Position) -> Any:
    """Tells OpenSpiel about a game, whose parameters are numbers, texts and flags."""
    chance, information, utility = TYPE.ChanceMode, TYPE.Information, TYPE.Utility
    return TYPE(
        short_name=f"adv_envs_{name}",
        long_name=f"{name} of adv-envs",
        dynamics=TYPE.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if start.has_chance else chance.DETERMINISTIC,
        information=information.PERFECT_INFORMATION
        if start.perfect_information
        else information.IMPERFECT_INFORMATION,
        utility=utility.ZERO_SUM if start.num_players == 2 else utility.GENERAL_SUM,
        reward_model=TYPE.RewardModel.TERMINAL,
        max_num_players=10,
        min_num_players=1,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters_of(start),
    )


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """Makes the game ``name`` with parameters of its own."""

    name = ""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self.start = start_position(self.name, **(params or {}))
        info = INFO(
            num_distinct_actions=self.start.num_actions,
            max_chance_outcomes=self.start.num_actions if self.start.has_chance else 0,
            num_players=self.start.num_players,
            min_utility=-self.start.max_utility,
            max_utility=self.start.max_utility,
            utility_sum=0.0 if self.start.num_players == 2 else None,
            max_game_length=LONGEST,
        )
        super().__init__(game_type(self.name, self.start), info, params or {})

    def new_initial_state(self) -> "SpielState":
        """Returns the start of a game."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        """Returns what shows states to players."""
        return Observer(self.start)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """Wraps a position as a state."""

    def __init__(self, of: SpielGame) -> None:
        super().__init__(of)
        self.position: Position = of.start

    def current_player(self) -> int:
        """Returns the player to move, chance or the end."""
        if self.position.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        player = self.position.to_move
        return int(pyspiel.PlayerId.CHANCE) if player == CHANCE else player

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal_actions() if player == self.position.to_move else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Returns the actions of chance and their probabilities."""
        actions = self.position.legal_actions()
        return [(action, self.position.probability(action)) for action in actions]

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.name(action)

    def is_terminal(self) -> bool:
        """Returns whether the game is over."""
        return self.position.is_terminal()

    def returns(self) -> list[float]:
        """Returns the utility for each player at the end, 0 before."""
        players = range(self.position.num_players)
        over = self.position.is_terminal()
        return [float(self.position.utility(player)) if over else 0.0 for player in players]

    def __str__(self) -> str:
        return repr(self.position)


class Observer:
    """Shows a state to a player, by the interface of OpenSpiel's Python observers."""

    def __init__(self, start: Position) -> None:
        self._writer = observation_writer(start)
        self.tensor = np.zeros(int(np.prod(start.observation_shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(start.observation_shape)}

    def set_from(self, state: SpielState, player: int) -> None:
        """Writes the tensor."""
        seen = self._writer.observe(state.position, player, False)
        self.dict["observation"][:] = seen["observation"]

    def string_from(self, state: SpielState, player: int) -> str:
        """Returns what the player sees, as text."""
        return repr(state.position.hidden(player))


def register() -> None:
    """Makes every game known to OpenSpiel."""
    for name in GAMES:
        pyspiel.register_game(
            game_type(name, start_position(name)), type(name, (SpielGame,), {"name": name})
        )


def play_by_search(name: str, simulations: int = 200) -> str:
    """Plays OpenSpiel's Monte Carlo tree search against itself; prints moves and their worth."""
    played = pyspiel.load_game(name)
    draws = np.random.RandomState(1)
    rollouts = mcts.RandomRolloutEvaluator(1, draws)
    bot = mcts.MCTSBot(played, 2.0, simulations, rollouts, random_state=draws)
    state = played.new_initial_state()
    while not state.is_terminal():
        state.apply_action(bot.step(state))
    history = state.full_history()
    moves = (state.action_to_string(each.player, each.action) for each in history)
    return f"{' '.join(moves)}, worth {state.returns()}"


def main() -> None:
    """Solves a game by OpenSpiel's CFR+, and plays another by its search."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", nargs="?", default="kuhn", help="a game of hidden cards (kuhn)")
    parser.add_argument("--iterations", type=int, default=200, help="of CFR+ (200)")
    options = parser.parse_args()
    register()
    hidden = pyspiel.load_game(f"adv_envs_{options.game}")
    solver = pyspiel.CFRPlusSolver(hidden)
    for _ in range(options.iterations):
        solver.evaluate_and_update_policy()
    conv = pyspiel.nash_conv(hidden, solver.average_policy())
    print(f"{options.game}: {options.iterations} iterations of OpenSpiel's CFR+")
    print(f"  NashConv by OpenSpiel: {conv:.4f}")
    name = "adv_envs_connect_four(height=4,width=4)"
    print(f"{name}, OpenSpiel's MCTS on both sides\n  {play_by_search(name)}")


if __name__ == "__main__":
    main()
