"""Makes any position a Gymnasium environment: one player against opponents.

``gymnasium.make("adv_envs/ConnectFour-v0", opponent="alpha_beta(depth=3)", seat="random")`` makes a
``GymEnv``. It is the Markov decision process that the learner really faces: the dynamics are the
opponents, chance and the rules together, and the reward is what the game was worth to the learner.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.spaces import Discrete
from numpy.typing import DTypeLike, NDArray

from adv_envs.position import CHANCE, Position, checked, checked_seat
from adv_envs.random import chance_action, derived_seed, plain_seed
from adv_envs.registry import start_of
from adv_envs.session import Session

from .observation import ObservationForm, observation_writer
from .opponents import Opponent, Opponents, action_number, reply, report_results
from .render_mixin import RENDER_MODES, RenderMixin, require_render_mode


class GymEnv(RenderMixin, gymnasium.Env[Any, Any]):
    """Plays ``game`` as one player, "me", against ``opponent``.

    A step is my move and all moves of opponents and chance that follow, until it is my turn again
    (at once, if the same player moves twice) or the game is over.

    - ``game``: a name with ``parameters``, or the position to start from.
    - ``opponent``: the spec of an agent, an agent, or a function from a position to an action; or a
      pool of these, from which one is drawn for each game and seat: a list, a list of pairs
      (opponent, weight), or a dict {opponent: weight}. "self" is a place for the opponent that
      ``set_opponent`` gives before the first ``reset``.
    - ``seat``: "first", "second", "random", "alternate", or the number of a player. "alternate"
      begins with the player seed % num_players.
    - Observation: what I see of the position, an array of its observation_shape; with
      ``mask_in_observation``, a dict of this "observation" and the "action_mask". ``dtype``,
      ``channels_first``, ``flatten``, ``mask_dtype`` and ``keys`` say how these are given, see
      ``adv_envs.envs.observation.ObservationForm``. ``history`` is how many boards of the game it
      shows, those of others' moves included, where the rules have such: 8 for chess.
    - Action: an integer, 0 .. num_actions - 1; InvalidAction for anything else. An illegal one ends
      the game with the reward ``illegal_reward``, and ``info["reason"]`` says why.
    - Reward: the utility of the game for me at its end, after whichever move; 0 before the end.
    - Info: "action_mask", int8 of shape (num_actions,), 1 where an action is legal, all 0 at the
      end; and "seat", the number of my player.
    - ``reset(seed, options={"position": p, "seat": 1})`` starts from any position of the same game,
      in any seat. The seed determines seats, opponents, their random choices (by their
      ``reset(seed)``) and chance. The same seed and actions give the same game, except against
      opponents that search for a time and functions with random choices of their own.

    Where the game is over before my first turn, the mask is all 1, and the next action, whatever it
    is, ends the game with its utility. The attributes ``position``, ``seat``, ``opponents`` (by
    player, None for me) and ``actions`` (of all players and chance since ``reset``) may be read. In
    games of hidden information ``position`` is what I see, and ``whole_position``, ``actions`` and
    ``last_action`` are everything; each opponent is asked with what it sees.
    OpponentError if an opponent fails or its action is illegal.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        game: str | Position,
        *,
        opponent: Any = "random",
        seat: str | int = "random",
        illegal_reward: float = -1.0,
        mask_in_observation: bool = False,
        dtype: DTypeLike | None = None,
        channels_first: bool = False,
        flatten: bool = False,
        mask_dtype: DTypeLike = "int8",
        keys: Mapping[str, str] | None = None,
        history: int | None = None,
        render_mode: str | None = None,
        **parameters: Any,
    ) -> None:
        self.start, name = start_of(game, parameters)
        self.__module__ = type(self.start).__module__  # inspect.getmodule(env) is that of the rules
        require_render_mode(render_mode)
        self.render_mode = render_mode
        self.metadata = {**type(self).metadata, "name": f"{name}_v{self.start.version}"}
        self._seat_choice = checked_seat(seat, self.start.num_players)
        self._pool = Opponents(opponent)
        self.illegal_reward = float(illegal_reward)
        self.mask_in_observation = bool(mask_in_observation)
        form = ObservationForm(dtype, channels_first, flatten, mask_dtype, keys)
        self._observations = observation_writer(self.start, form, history)
        self._keeps_game = history is not None
        self._played: Session | None = None  # since ``reset``, where observations need it
        self._names = self._observations.names
        self.num_actions = self.start.num_actions
        self.action_space = Discrete(self.num_actions)
        self.observation_space = self._observations.shown_space(self.mask_in_observation)
        self._opponents_random = random.Random()  # draws opponents and their seeds, but no chance
        self._games = -1  # counted from the last seed, for seats that alternate
        self.seat = 0
        self.opponents: list[Opponent | None] = []
        self.actions: list[int] = []
        self.last_action: int | None = None
        self._position = self.start
        self._playing = False
        self._over_early = False  # before my first turn, which is all that is left of the game

    def set_opponent(self, opponent: Any) -> None:
        """Plays against ``opponent``, as for the class, from the next game on."""
        self._pool = Opponents(opponent)

    # ---- playing

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begins a game; the others play until it is my turn. See the class for ``options``.

        Options that are not known are ignored. ValueError if the opponent is "self" and was not
        set.
        """
        seed = plain_seed(seed)
        super().reset(seed=seed)
        self._playing = False
        options = options or {}
        position = checked(options.get("position", self.start), self.start, whole=True)
        self._games = self._games + 1 if seed is None else seed
        self.seat = self._draw_seat(options.get("seat"))
        if seed is not None:
            self._opponents_random.seed(derived_seed(seed, "opponents"))
        others = self._pool.draw(self._opponents_random, self.start.num_players - 1)
        self.opponents = [*others[: self.seat], None, *others[self.seat :]]
        self._played = Session(position) if self._keeps_game else None
        self.actions = [] if self._played is None else self._played.actions
        self.last_action = None
        self._position = position
        if self.render_mode == "human":
            self.render()
        self._over_early = self._let_others_play()
        self._playing = True
        return self._seen()

    def _draw_seat(self, option: Any) -> int:
        players = self.start.num_players
        seat = self._seat_choice if option is None else checked_seat(option, players)
        if seat == "random":
            return int(self.np_random.integers(players))
        return self._games % players if seat == "alternate" else int(seat)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Plays ``action`` and lets the others play until it is my turn again or the game is over.

        An illegal action loses the game. ResetNeeded where no game is being played.
        """
        if not self._playing:
            raise ResetNeeded("no game is being played: call reset() before step()")
        action = self._inside(action)
        self._playing = False  # until all has gone well
        over = self._over_early
        if not over:
            if not self._position.legal(action):
                return self._forfeit(action)
            self._play(action)
            over = self._let_others_play()
        self._playing = not over
        reward = 0.0
        if over:
            utilities = [float(self._position.utility(p)) for p in range(self.start.num_players)]
            reward = utilities[self.seat]
            report_results(self.opponents, self.seat, utilities)
        observation, info = self._seen()
        return observation, reward, over, False, info

    def _inside(self, action: Any) -> int:
        """Returns ``action`` as an int of the action space, or InvalidAction."""
        number = action_number(action)
        if not 0 <= number < self.num_actions:
            raise InvalidAction(
                f"an action is an integer, 0 .. {self.num_actions - 1}, not {action!r}"
            )
        return number

    def _forfeit(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Ends the game here, because ``action`` is illegal."""
        observation, info = self._seen()
        legal = self._position.legal_actions()
        utilities = [0.0] * self.start.num_players
        utilities[self.seat] = self.illegal_reward
        report_results(self.opponents, self.seat, utilities)
        info["reason"] = why_illegal(action, f"player {self.seat}", legal)
        return observation, self.illegal_reward, True, False, info

    def _let_others_play(self) -> bool:
        """Plays until it is my turn or the game is over; returns whether it is over."""
        while not (over := self._position.is_terminal()):
            to_move = self._position.to_move
            if to_move == self.seat:
                break
            opponent = None if to_move == CHANCE else self.opponents[to_move]
            self._play(self._draw_action() if opponent is None else reply(opponent, self._position))
        return over

    def _draw_action(self) -> int:
        """Returns a random action of chance."""
        return chance_action(self._position, self.np_random.random())

    def _play(self, action: int) -> None:
        if self._played is None:
            self._position = self._position.play(action)
            self.actions.append(action)
        else:
            self._position = self._played.play(action)  # into ``actions`` as well
        self.last_action = action
        if self.render_mode == "human":
            self.render()

    # ---- seeing

    @property
    def position(self) -> Position:
        """Returns the position on the board, as I see it."""
        return self._position.hidden(self.seat)

    @property
    def whole_position(self) -> Position:
        """Returns the position on the board, with all that I may not see."""
        return self._position

    def observe(self, position: Position) -> dict[str, NDArray[Any]]:
        """Returns "observation" and "action_mask" of the player to move, as I see ``position``.

        For opponents that see the same as I do, such as policies that were trained here. With
        ``history``, boards before are known of the position on the board alone. TypeError or
        ValueError for positions of other games.
        """
        position = checked(position, self.start)
        played = self._played if position == self._position else None
        return self._observations.observe(position, position.to_move, True, played)

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which actions are legal now, of shape (num_actions,); as sb3-contrib asks for it.

        ResetNeeded before the first game.
        """
        if not self.opponents:
            raise ResetNeeded("no game has begun: call reset() before action_masks()")
        return self._look()[self._names[1]].astype(bool)

    def _look(self) -> dict[str, NDArray[Any]]:
        seen = self._observations.observe(self._position, self.seat, self._playing, self._played)
        if self._playing and self._over_early:
            seen[self._names[1]][:] = 1
        return seen

    def _seen(self) -> tuple[Any, dict[str, Any]]:
        """Returns the observation and the info."""
        seen = self._look()
        names = self._names
        observation, mask = seen[names[0]], seen[names[1]]
        if self.mask_in_observation:
            return seen, {"action_mask": mask.copy(), "seat": self.seat}
        return observation, {"action_mask": mask, "seat": self.seat}


def why_illegal(action: int, player: str, legal: list[int]) -> str:
    """Returns the ``info["reason"]`` of a game that an illegal action has ended."""
    return f"action {action} is illegal for {player}; legal: {legal}"
