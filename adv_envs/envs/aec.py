"""Makes any position a PettingZoo AEC environment; one class serves every game.

``RawEnv`` is the environment itself. ``Env`` behaves as PettingZoo's three standard wrappers around
it would (TerminateIllegalWrapper with reward -1, AssertOutOfBoundsWrapper, OrderEnforcingWrapper),
to the letter of their messages, in one class that costs a fraction of them.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils.env import AECIterable, AECIterator
from pettingzoo.utils.env_logger import EnvLogger

from adv_envs.position import CHANCE, Position, checked
from adv_envs.random import chance_action, plain_seed
from adv_envs.session import Session

from .observation import PLAIN_FORM, ObservationForm, observation_writer
from .render_mixin import RENDER_MODES, RenderMixin, require_render_mode

_INTEGERS = frozenset({int, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32})


class RawEnv(RenderMixin, AECEnv):  # type: ignore[misc]
    """Plays a game from ``start`` with agents player_0, player_1, ...

    PettingZoo's ``connect_four_v3`` has the same names, but in its ``tictactoe_v3`` they are
    player_1 and player_2: a "player_1" that was written for it means the other player here. Code
    that takes names from ``possible_agents`` works with all.

    - Observation: ``{"observation": array of start.observation_shape, "action_mask": int8 array of
      shape (num_actions,)}``, unless ``form`` says otherwise; the mask is all zeros for an agent
      that is not to move. After the end it means nothing: for ``agent_selection`` it may be that of
      the last board, as in PettingZoo's classics. With ``history``, observations show that many
      boards of the game.
    - Action: an integer, 0 .. num_actions - 1. An illegal one raises ValueError.
    - Reward: the utility of the finished game, 0 before its end.
    - ``position`` is the position on the board; assign it to continue from another one. In games of
      hidden information it is what ``agent_selection`` sees, ``view(player)`` what another sees,
      and ``whole_position`` everything, as is ``last_action``; a whole position is what is
      assigned.
    - ``reset(seed, options={"position": p})`` starts from any position of the same game; the seed
      matters to games with chance.

    Copying and pickling keep the game that is being played.
    """

    def __init__(
        self,
        start: Position,
        name: str,
        render_mode: str | None = None,
        form: ObservationForm = PLAIN_FORM,
        history: int | None = None,
    ) -> None:
        super().__init__()
        require_render_mode(render_mode)
        self.metadata = {
            "render_modes": RENDER_MODES[:],
            "name": name,
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.render_mode = render_mode
        self.start = start = checked(start, whole=True)
        self.__module__ = type(start).__module__  # inspect.getmodule(env) is that of the rules
        self.possible_agents = [f"player_{player}" for player in range(start.num_players)]
        self._players = {agent: player for player, agent in enumerate(self.possible_agents)}
        self._observations = observation_writer(start, form, history)
        self._keeps_game = history is not None
        self._played: Session | None = None  # since ``reset``, where observations need it
        self.num_actions = start.num_actions
        self.observation_spaces = {
            agent: self._observations.space() for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(self.num_actions) for agent in self.possible_agents}
        self.np_random, _ = seeding.np_random()
        self.last_action: int | None = None
        self._position = start

    def observation_space(self, agent: str) -> Dict:
        """Returns the same space object at every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """Returns the same space object at every call."""
        return self.action_spaces[agent]

    @property
    def state_space(self) -> Box:
        """Returns the space of ``state()``: that of one player's observation."""
        observation, _ = self._observations.names
        return self.observation_spaces[self.possible_agents[0]][observation]  # type: ignore[return-value]

    # ---- playing

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game, from ``options["position"]`` if given; other options are ignored."""
        if seed is not None:
            self.np_random, _ = seeding.np_random(plain_seed(seed))
        position = (options or {}).get("position", self.start)
        self._begin(checked(position, self.start, whole=True))

    @property
    def position(self) -> Position:
        """Returns the position on the board, as ``agent_selection`` sees it.

        Assigning another whole position of the same game continues from there.
        """
        position = self._position
        if position.perfect_information:
            return position
        agent = self.__dict__.get("agent_selection")  # none before the first reset
        return position.hidden(0 if agent is None else self._players[agent])

    @position.setter
    def position(self, position: Position) -> None:
        self._begin(checked(position, self.start, whole=True))

    @property
    def whole_position(self) -> Position:
        """Returns the position on the board, with all that some player may not see."""
        return self._position

    def _begin(self, position: Position) -> None:
        agents = self.agents = self.possible_agents[:]
        self.rewards: dict[str, float] = dict.fromkeys(agents, 0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(agents, 0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        self._skip_agent_selection = None
        self.last_action = None
        self._played = Session(position) if self._keeps_game else None
        self._enter(position, 0)

    def _enter(self, position: Position, next_player: int) -> None:
        """Goes to ``position``: lets chance act, selects who is to move, or ends the game."""
        while not (over := position.is_terminal()) and position.to_move == CHANCE:
            position = self._after(position, chance_action(position, self.np_random.random()))
        self._position = position
        player = position.to_move
        self.agent_selection = self.possible_agents[player if player != CHANCE else next_player]
        if over:
            for player, agent in enumerate(self.possible_agents):
                self.rewards[agent] = position.utility(player)
                self.terminations[agent] = True
            self._accumulate_rewards()

    def _after(self, position: Position, action: int) -> Position:
        """Returns the position after ``action``, and keeps it where observations need it."""
        return position.play(action) if self._played is None else self._played.play(action)

    def step(self, action: Any) -> None:
        """Plays ``action`` for ``agent_selection``; None when that agent's game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        try:
            action = operator.index(action)
        except TypeError:
            raise TypeError(f"an action is an integer, not {action!r}") from None
        if not 0 <= action < self.num_actions or not self._position.legal(action):
            legal = self._position.legal_actions()
            raise ValueError(f"action {action} is illegal for {agent}; legal: {legal}")
        self._play(agent, action)

    def _play(self, agent: str, action: int) -> None:
        self._cumulative_rewards[agent] = 0
        self.last_action = action
        position = self._after(self._position, action)
        player = position.to_move
        if player == CHANCE or position.is_terminal():
            self._enter(position, (self._players[agent] + 1) % len(self._players))
        else:
            self._position = position
            self.agent_selection = self.possible_agents[player]
        if self.render_mode == "human":
            self.render()

    # ---- seeing

    def observe(self, agent: str) -> dict[str, Any]:
        """Returns what ``agent`` sees now, in new arrays."""
        return self._observations.observe(
            self._position, self._players[agent], agent == self.agent_selection, self._played
        )

    def state(self) -> np.ndarray[Any, Any]:
        """Returns the position as player_0 sees it; if information is hidden, that is not all."""
        observation, _ = self._observations.names
        return self._observations.observe(self._position, 0, False, self._played)[observation]


class SinceReset:
    """Stands for an attribute that an environment gets at its first ``reset``, to refuse it before.

    As an instance's own attribute hides it, it costs nothing afterwards.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, env: Any, owner: type) -> Any:
        if env is None:
            return self
        raise AttributeError(f"{self._name} cannot be accessed before reset")


class Env(RawEnv):
    """Adds the behaviour of PettingZoo's standard wrappers to ``RawEnv``.

    An action outside the space raises AssertionError. An illegal one ends the game: reward -1 for
    the agent, 0 for the others, everybody terminated and truncated. Using the environment before
    ``reset`` raises, stepping when no agent is left warns, and every iteration of ``agent_iter``
    needs a ``step``.
    """

    agents: Any = SinceReset()
    agent_selection: Any = SinceReset()
    rewards: Any = SinceReset()
    terminations: Any = SinceReset()
    truncations: Any = SinceReset()
    infos: Any = SinceReset()
    _begun = False

    @property
    def num_agents(self) -> int:
        """Returns how many agents have not left yet."""
        if not self._begun:
            raise AttributeError("num_agents cannot be accessed before reset")
        return len(self.agents)

    def _begin(self, position: Position) -> None:
        self._begun = self._has_updated = True
        super()._begin(position)

    def step(self, action: Any) -> None:
        """Plays ``action`` for ``agent_selection``; None when that agent's game is over."""
        if not self._begun:
            EnvLogger.error_step_before_reset()
        self._has_updated = True
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        agent = self.agent_selection
        dead = self.terminations[agent] or self.truncations[agent]
        if action is None and dead:
            self._was_dead_step(None)
            return
        if type(action) not in _INTEGERS:
            number = not isinstance(action, bool | np.bool_)
            inside = number and self.action_spaces[agent].contains(action)
            assert inside, "action is not in action space"
        action = int(action)
        assert 0 <= action < self.num_actions, "action is not in action space"
        if dead:
            self._was_dead_step(action)
        elif self._position.legal(action):
            self._play(agent, action)
        else:
            self._forfeit(agent)

    def _forfeit(self, agent: str) -> None:
        EnvLogger.warn_on_illegal_move()
        self._cumulative_rewards[agent] = 0
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.rewards = dict.fromkeys(self.agents, 0)
        self.rewards[agent] = -1.0
        self._accumulate_rewards()
        self._deads_step_first()

    def observe(self, agent: str) -> dict[str, Any]:
        """Returns what ``agent`` sees now, in new arrays."""
        if not self._begun:
            EnvLogger.error_observe_before_reset()
        return self._observations.observe(
            self._position, self._players[agent], agent == self.agent_selection, self._played
        )

    def state(self) -> np.ndarray[Any, Any]:
        """Returns the position as player_0 sees it; in games of hidden information that is not all.

        An array of the shape of one observation.
        """
        if not self._begun:
            EnvLogger.error_state_before_reset()
        return super().state()

    def render(self, view: int | str | None = None) -> Any:
        """Renders the position as text ("ansi", "svg"), uint8 (height, width, 3), or in a window.

        ``view``, an agent's number, "own" or "all", stands for ``render_view``.
        """
        if not self._begun:
            EnvLogger.error_render_before_reset()
        return super().render(view)

    def agent_iter(self, max_iter: int = 2**63) -> AgentIter:
        """Yields the agent to act, until the game is over; ``step`` in every iteration."""
        if not self._begun:
            EnvLogger.error_agent_iter_before_reset()
        return AgentIter(self, max_iter)


class AgentIter(AECIterable):  # type: ignore[misc]
    """Iterates as ``agent_iter`` does: the agents to act, until the game is over."""

    def __iter__(self) -> AgentIterator:
        return AgentIterator(self.env, self.max_iter)


class AgentIterator(AECIterator):  # type: ignore[misc]
    """Gives the agent to act; AssertionError if the last one did not act."""

    def __next__(self) -> str:
        env = self.env
        if not env.agents or self.iters_til_term <= 0:
            raise StopIteration
        self.iters_til_term -= 1
        assert env._has_updated, "need to call step() or reset() in a loop over `agent_iter`"
        env._has_updated = False
        return env.agent_selection  # type: ignore[no-any-return]
