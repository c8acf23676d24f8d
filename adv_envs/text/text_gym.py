"""Makes a game of messages a Gymnasium environment, whose observations and actions are texts.

``gymnasium.make("adv_envs/ConnectFourText-v0", opponent="alpha_beta(depth=3)")`` makes a
``TextGymEnv``: ``text_env`` with the interface of Gymnasium and spaces of ``Text``.
"""

from __future__ import annotations

import string
from typing import Any

import gymnasium
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.spaces import Text

from adv_envs.envs.render_mixin import RENDER_MODES, RenderMixin, require_render_mode
from adv_envs.position import Position
from adv_envs.registry import start_of

from .conversation import Message
from .env import TextEnv

REPLACEMENT = "\ufffd"
"""What observations have for characters outside of their space, which only replies bring in."""
CHARACTERS = string.printable + REPLACEMENT
LONGEST_OBSERVATION, LONGEST_REPLY = 1 << 16, 1 << 14
"""Characters. Longer replies are read all the same."""


class TextGymEnv(RenderMixin, gymnasium.Env[str, str]):
    """Plays ``game`` by messages as one player, "me", against ``opponent``; see ``TextEnv``.

    - ``game``, ``parameters`` and ``options`` are those of ``text_env``, all seats ("all") aside.
    - Observation: what was said to me since my last reply, after ``reset`` the rules as well.
    - Action: my reply, a text of any kind; InvalidAction for what is no text.
    - Reward, terminated, truncated and info: those of ``TextEnv``, except for values of None, as
      Gymnasium's vectors take none; and ``info["messages"]``, the chat as language models take it.
    - ``reset(seed)``: the seed determines seats, opponents, chance and random moves. Options are
      ignored.

    ``messages`` (those of the info) and ``text_env`` may be read; ``render`` shows the board.
    Gymnasium 1.4 never reads texts from shared memory after the first: ``make_vec(...,
    vectorization_mode="async")`` needs ``vector_kwargs={"shared_memory": False}``.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self, game: str | Position, *, render_mode: str | None = None, **options: Any
    ) -> None:
        require_render_mode(render_mode)
        self.text_env = TextEnv(game, **options)
        self.render_mode = render_mode
        start, name = start_of(self.text_env.game.start, {})
        self.metadata = {**type(self).metadata, "name": f"{name}_v{start.version}"}
        self.observation_space = Text(LONGEST_OBSERVATION, min_length=0, charset=CHARACTERS)
        self.action_space = Text(LONGEST_REPLY, min_length=0, charset=CHARACTERS)
        self.messages: list[Message] = []

    def set_opponent(self, opponent: Any) -> None:
        """Plays against ``opponent``, as for ``TextEnv``, from the next game on."""
        self.text_env.set_opponent(opponent)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Begins a game; the others play until it is my turn."""
        super().reset(seed=seed)
        self.messages = self.text_env.reset(seed)
        self._show()
        seen = "\n\n".join(message["content"] for message in self.messages)
        return _within(seen), self._info(self.text_env.game.info(self.text_env.seat))

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Reads ``action``, my reply; the others play until it is my turn or the game is over.

        ResetNeeded where no game is being played.
        """
        if not isinstance(action, str):
            raise InvalidAction(f"an action is a text, the reply of a model, not {action!r}")
        try:
            self.messages, reward, *ended, info = self.text_env.step(action)
        except ValueError as error:
            if not self.messages or self.text_env.game.over:
                raise ResetNeeded(str(error)) from None
            raise
        self._show()
        terminated, truncated = ended
        seen = _within(self.messages[-1]["content"])
        return seen, reward, terminated, truncated, self._info(info)

    def _info(self, info: dict[str, Any]) -> dict[str, Any]:
        known = {key: value for key, value in info.items() if value is not None}
        return {**known, "messages": self.messages}

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    @property
    def position(self) -> Position:
        """Returns the position on the board, as I see it."""
        return self.whole_position.hidden(self.text_env.seat)

    @property
    def whole_position(self) -> Position:
        """Returns the position on the board, with all that I may not see."""
        return self.text_env.game.session.position

    @property
    def last_action(self) -> int | None:  # type: ignore[override] # of a game that others play
        """Returns the last action of any player or chance; None before the first one."""
        actions = self.text_env.game.session.actions
        return actions[-1] if actions else None


def _within(text: str) -> str:
    """Returns a text with characters of the observation space only."""
    return "".join(each if each in CHARACTERS else REPLACEMENT for each in text)
