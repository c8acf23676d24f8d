"""Makes environments for TRL's ``GRPOTrainer(environment_factory=...)``, whose models call tools.

For example::

    from agents.integrations import trl_environment_factory

    rows = [{"prompt": [{"role": "user", "content": ""}], "seed": seed} for seed in range(1000)]
    trainer = GRPOTrainer(
        model="Qwen/Qwen3-0.6B",
        train_dataset=datasets.Dataset.from_list(rows),
        environment_factory=trl_environment_factory("connect_four", opponent="alpha_beta(depth=2)"),
    )

The answers that GRPO compares with each other begin with the same row, and so, by its "seed", with
the same game. Several games are a dictionary of factories; each row then has the name of one of
them as "environment". Made for TRL 1.16, which this file does not import.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adv_envs.position import Position
from adv_envs.text import Reading, TextEnv, text_env
from adv_envs.text.conversation import ASK

from .adapting import with_own_opponent

CALL = "Call the tool `play` with one move."
"""What is asked of models in place of an answer in words."""


class TextGameTools:
    """Plays a game of ``env`` by calls of a tool: every public method but ``reset`` is one.

    ``env`` is the ``TextEnv``, ``info`` its last info, empty before the first move (unless the
    others had the only turns), and ``readings`` are those of all moves of this game: reward
    functions may read them, as ``environments[i].info["kept"]``. ``play`` raises ValueError when
    the game is over, which TRL tells the model and counts as a failed call.
    """

    def __init__(self, env: TextEnv) -> None:
        self.env = env
        self.info: dict[str, Any] = {}
        self.readings: list[Reading] = []
        self._reward, self._over = 0.0, False

    def reset(self, seed: int | None = None, **row: Any) -> str:
        """Begins a game; returns its rules and the first turn, which TRL adds to the prompt.

        ``row`` is the rest of the row of the data set, which is not used. Without a seed each
        answer to a prompt is given in another game.
        """
        self.info, self.readings, self._reward, self._over = {}, [], 0.0, False
        messages = self.env.reset(seed=seed)
        if self.env.game.over:  # the others had the only turns
            self._step("")
        return _for_tools("\n\n".join(message["content"] for message in messages))

    def play(self, move: str) -> str:
        """Plays a move for you in the game, then the other players move until it is your turn.

        Args:
            move: Your move, written as the rules say.

        Returns:
            What has happened since and the board; or what was wrong with the move.
        """
        if self._over:
            raise ValueError("the game is over: no move can be played")
        return _for_tools(self._step(str(move))[-1]["content"])

    def _step(self, reply: str) -> list[dict[str, str]]:
        messages, reward, terminated, truncated, self.info = self.env.step(reply)
        if self.info["reading"] is not None:
            self.readings.append(self.info["reading"])
        self._reward += reward
        self._over = terminated or truncated
        return messages

    def get_reward(self) -> float:
        """Returns the sum of the rewards of the game, for TRL.

        A game that the model has left is worth ``illegal_reward`` besides, as a forfeit.
        """
        return self._reward + (0.0 if self._over else self.env.game.illegal_reward)


def trl_environment_factory(
    game: str | Position, *, seat: str | int = "random", **options: Any
) -> Callable[[], TextGameTools]:
    """Returns a function that makes environments of ``game``, for ``environment_factory``.

    ``seat`` and ``options`` are those of ``text_env``, and the parameters of the game: opponent, of
    which each environment has a copy, reward, grade and so on. ValueError or TypeError, at once,
    for what does not exist, and for seat="all", as a tool is called by one player.
    """
    if seat == "all":
        raise ValueError('a tool is called by one player: seat must be one, not "all"')

    def make() -> TextGameTools:
        env = text_env(game, seat=seat, **with_own_opponent(options))
        assert isinstance(env, TextEnv)
        return TextGameTools(env)

    make()
    return make


def _for_tools(text: str) -> str:
    """Returns what a player is told, with a tool to call in place of words to answer."""
    return text.replace(f"You may think first. {ASK}", CALL).replace(ASK, CALL)
