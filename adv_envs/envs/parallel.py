"""Makes games of simultaneous choices PettingZoo parallel environments: all agents act at once.

Such a game is played ply by ply as well (``Position.simultaneous``): in a round the players choose
one after the other, and nobody sees a choice before all have chosen. A step here is such a round,
of the AEC environment of the same game; chance, such as the next prize, acts between rounds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from gymnasium.spaces import Dict, Discrete
from pettingzoo import ParallelEnv
from pettingzoo.utils.env_logger import EnvLogger

from adv_envs.position import Position, checked
from adv_envs.registry import name_of

from .aec import RawEnv
from .observation import PLAIN_FORM, ObservationForm
from .render_mixin import RenderMixin

Observations: TypeAlias = dict[str, dict[str, Any]]
"""What each agent sees."""

Step: TypeAlias = tuple[
    Observations, dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
]
"""Observations, rewards, terminations, truncations and infos, by agent."""


def require_simultaneous(position: Position) -> None:
    """Raises ValueError for games in which players take turns."""
    if not position.simultaneous:
        raise ValueError(
            f"in {name_of(position)} the players take turns: use env; parallel_env is for games of "
            "simultaneous choices, such as rock_paper_scissors and goofspiel"
        )


class ParallelGame(RenderMixin, ParallelEnv):  # type: ignore[misc]
    """Plays a game of simultaneous choices from ``start``, with agents player_0, player_1, ...

    Observations, masks and rewards are those that the AEC environment gives each agent on its turn,
    so no agent sees what another chooses in the same round. An illegal action ends the game: reward
    -1 for each agent that has taken one, 0 for the others, everybody terminated and truncated.
    ValueError for games in which players take turns.
    """

    def __init__(
        self,
        start: Position,
        name: str,
        render_mode: str | None = None,
        form: ObservationForm = PLAIN_FORM,
    ) -> None:
        require_simultaneous(checked(start))
        self._game = RawEnv(start, name, render_mode, form)
        self.metadata = self._game.metadata | {"is_parallelizable": True}
        self.render_mode = render_mode
        self.__module__ = type(start).__module__  # inspect.getmodule(env) is that of the rules
        self.possible_agents = self._game.possible_agents[:]
        self.agents: list[str] = []
        self._require_round(start)

    @property
    def observation_spaces(self) -> dict[str, Dict]:
        """Returns the space of each agent's observations."""
        return self._game.observation_spaces

    @property
    def action_spaces(self) -> dict[str, Discrete]:
        """Returns the space of each agent's actions."""
        return self._game.action_spaces

    def observation_space(self, agent: str) -> Dict:
        """Returns the same space object at every call."""
        return self._game.observation_space(agent)

    def action_space(self, agent: str) -> Discrete:
        """Returns the same space object at every call."""
        return self._game.action_space(agent)

    @property
    def start(self) -> Position:
        """Returns the position from which games begin."""
        return self._game.start

    @property
    def np_random(self) -> np.random.Generator:
        """Returns the generator that chance draws from."""
        return self._game.np_random

    @property
    def position(self) -> Position:
        """Returns the position between two rounds, as the first player sees it."""
        return self._game.position

    @property
    def whole_position(self) -> Position:
        """Returns the position between two rounds, with all that some player may not see."""
        return self._game.whole_position

    @property
    def last_action(self) -> int | None:  # type: ignore[override]
        """Returns the action of the player who is last in a round, None before the first."""
        return self._game.last_action

    # ---- playing

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, dict[str, Any]]]:
        """Begins a game, from ``options["position"]`` if given; other options are ignored.

        Returns observations and infos by agent. ValueError for a position within a round.
        """
        self._require_round((options or {}).get("position", self.start))
        self._game.reset(seed, options)
        self.agents = [] if self.whole_position.is_terminal() else self.possible_agents[:]
        return self._observed(), {agent: {} for agent in self.possible_agents}

    def step(self, actions: Mapping[str, Any]) -> Step:
        """Plays a round, with an action of every agent.

        Returns observations, rewards, terminations, truncations and infos by agent. KeyError for
        actions of other agents than ``agents``; TypeError for what is no integer.
        """
        if "agent_selection" not in self._game.__dict__:
            EnvLogger.error_step_before_reset()
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return {}, {}, {}, {}, {}
        chosen = self._actions(actions)
        illegal = [agent for agent in self.agents if not self._allows(agent, chosen[agent])]
        agents, game = self.agents, self._game
        if illegal:
            EnvLogger.warn_on_illegal_move()
            rewards = {agent: -1.0 if agent in illegal else 0.0 for agent in agents}
            over = dict.fromkeys(agents, True)
            self.agents = []
            return self._observed(), rewards, over, over.copy(), {agent: {} for agent in agents}
        for _ in agents:
            game.step(chosen[game.agent_selection])
        over = dict(game.terminations)
        self.agents = [agent for agent in agents if not over[agent]]
        rewards, truncations = dict(game.rewards), dict.fromkeys(agents, False)
        return self._observed(), rewards, over, truncations, {agent: {} for agent in agents}

    def _actions(self, actions: Mapping[str, Any]) -> dict[str, int]:
        """Returns the action of each agent as an integer."""
        if not isinstance(actions, Mapping) or set(actions) != set(self.agents):
            raise KeyError(
                f"step takes a dictionary with an action of each of {', '.join(self.agents)}, "
                f"not {actions!r}"
            )
        for agent, action in actions.items():
            if isinstance(action, bool | np.bool_) or not hasattr(action, "__index__"):
                raise TypeError(f"an action is an integer, not {action!r} of {agent}")
        return {agent: int(action) for agent, action in actions.items()}

    def _allows(self, agent: str, action: int) -> bool:
        """Returns whether an agent may take an action in the round that begins."""
        return self._turn_of(self.possible_agents.index(agent)).legal(action)

    def _turn_of(self, player: int) -> Position:
        """Returns the position at a player's ply of the round that begins.

        Those before have chosen something: what, makes no difference to the player.
        """
        position = self.whole_position
        while position.to_move != player:
            position = position.play(position.legal_actions()[0])
        return position

    def _require_round(self, position: Any) -> None:
        """Raises ValueError for a position in which some player has chosen and others have not."""
        position = checked(position, self.start, whole=True)
        if position.to_move > 0 and not position.is_terminal():
            raise ValueError(
                f"a parallel environment begins where a round begins, and in {position!r} player 0 "
                "has chosen already"
            )

    # ---- seeing

    def _observed(self) -> Observations:
        """Returns what every agent sees; at the end nothing may be done, and masks are zeros."""
        position, writer = self.whole_position, self._game._observations
        if position.is_terminal() or not self.agents:
            return {
                agent: writer.observe(position, player, False)
                for player, agent in enumerate(self.possible_agents)
            }
        return {
            agent: writer.observe(self._turn_of(player), player, True)
            for player, agent in enumerate(self.possible_agents)
        }

    def state(self) -> np.ndarray[Any, Any]:
        """Returns the position as player_0 sees it; if information is hidden, that is not all."""
        return self._game.state()

    def render(self, view: int | str | None = None) -> Any:
        """Renders the position as the AEC environment does; see there for ``view``."""
        if "agent_selection" not in self._game.__dict__:
            EnvLogger.error_render_before_reset()
        return super().render(view)
