"""Serves games to OpenEnv: the environment of a session, its models, the server, the client.

A server offers a list of games, each with the options of ``text_env``; a client chooses one by
its number, as OpenEnv's tasks are chosen, ``reset(seed=1, index=2)``, and no agents or files.
``examples/openenv`` is a package that ``openenv validate`` accepts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar
from uuid import uuid4

from adv_envs.optional import optional_library
from adv_envs.position import Position
from adv_envs.registry import name_of, parameters_of
from adv_envs.text import TextEnv, TextGame, text_env
from adv_envs.text.grades import STEPPING
from adv_envs.version import __version__

from .adapting import game_facts, kept_share, stepping, with_own_opponent

optional_library("openenv.core", "Games in OpenEnv need", "openenv")  # says what is missing

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, EnvironmentMetadata, Observation, State
from pydantic import Field

KEPT = "kept"
"""The name of ``kept_share`` as a reward."""
SPLIT = "games"
"""The only split of tasks, in which each game of a server is one."""

Options = Mapping[str, Any]
"""Those of ``text_env``, with ``game``; ``reward="kept"`` is ``kept_share``, when a game ends."""


class ServedAction(Action):
    """Holds the reply of a model."""

    reply: str = Field(description="What the model answers; it should end with one move")


class ServedObservation(Observation):
    """Holds what a model is told, and what became of its last reply."""

    messages: list[dict[str, str]] = Field(description="The chat of the seat that is to answer")
    seat: int = Field(description="The player who is to answer; at the end, who has answered")
    outcome: str | None = Field(
        default=None, description='The last reply of this seat: "legal", "illegal", "unreadable"'
    )
    facts: dict[str, Any] = Field(
        description="Counts of the seat's replies, its last grade, the moves that it has seen"
    )
    seats: list[dict[str, Any]] = Field(
        default_factory=list, description="The facts of each seat, at the end of any game"
    )


class ServedState(State):
    """Holds the facts of the present game, as its player sees it."""

    facts: dict[str, Any] = Field(default_factory=dict)


class ServedGameEnvironment(Environment[ServedAction, ServedObservation, ServedState]):
    """Plays one game after another for a session, by ``text_env``.

    ``games`` are the options of each game that can be chosen. With ``seat="all"`` every seat is a
    model: an observation is for its ``seat``, and its reward that of the player who has answered.
    ValueError or TypeError, for options that ``text_env`` refuses, when that game is begun.
    """

    SUPPORTS_CONCURRENT_SESSIONS: ClassVar[bool] = True

    def __init__(self, games: Sequence[Options]) -> None:
        super().__init__()
        self.games = [dict(options) for options in games]
        self._env: TextEnv | TextGame | None = None
        self._index = -1
        self._state = ServedState()

    # ---- the games that can be chosen

    def list_splits(self) -> list[str]:
        """Returns the name of the only split."""
        return [SPLIT]

    def num_tasks(self, split: str) -> int:
        """Returns the number of games; ValueError for another split."""
        if split != SPLIT:
            raise ValueError(f"the split is {SPLIT!r}, not {split!r}")
        return len(self.games)

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        """Returns the options of a game; IndexError if there is none of this number."""
        games = self.num_tasks(split)
        if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < games:
            raise IndexError(f"index must be from 0 to {games - 1}, not {index!r}")
        options, game = self.games[index], self.games[index]["game"]
        if isinstance(game, Position):
            options = {**options, "game": name_of(game), **parameters_of(game)}
        return {"index": index, **options}

    def get_task_range(
        self, split: str, start: int | None = None, stop: int | None = None
    ) -> list[dict[str, Any]]:
        """Returns the options of the games from ``start`` to before ``stop``."""
        numbers = range(self.num_tasks(split))[slice(start, stop)]
        return [self.get_task(split, index) for index in numbers]

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        """Returns the options of all games."""
        return self.get_task_range(split)

    # ---- a game

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        split: str = SPLIT,
        index: int = 0,
        **others: Any,
    ) -> ServedObservation:
        """Begins the game of a number; the seed determines all but the replies."""
        if others:
            names = ", ".join(map(repr, others))
            raise TypeError(f"reset takes seed, episode_id, split and index, not {names}")
        self.get_task(split, index)
        if self._env is None or index != self._index:
            with STEPPING:  # solvers make tables
                self._env, self._index = served_game(self.games[index]), index
        with stepping(self._env):
            self._env.reset(seed)
            self._state = ServedState(episode_id=episode_id or str(uuid4()))
            if isinstance(self._env, TextEnv) and self._env.game.over:
                return self._step_of_one(self._env, "")  # the others had the only turns
            return self._observation(self._env, 0, 0.0, done=False)

    def step(
        self, action: ServedAction, timeout_s: float | None = None, **others: Any
    ) -> ServedObservation:
        """Reads a reply, plays on until a model is to answer again; ValueError without a game."""
        if self._env is None:
            raise ValueError(
                "no game is being played: call reset() in this session first; a session is one "
                "WebSocket, not several requests"
            )
        with stepping(self._env):
            if isinstance(self._env, TextGame):
                observation = self._step_of_all(self._env, action.reply)
            else:
                observation = self._step_of_one(self._env, action.reply)
            self._state.step_count += 1
            return observation

    def _step_of_one(self, env: TextEnv, reply: str) -> ServedObservation:
        _, reward, terminated, truncated, _ = env.step(reply)
        done = terminated or truncated
        if self.games[self._index].get("reward") == KEPT:
            reward = kept_share(env.game, env.seat) if done else 0.0
        return self._observation(env, env.seat, reward, done)

    def _step_of_all(self, game: TextGame, reply: str) -> ServedObservation:
        replied = game.seat or 0
        game.step(reply)
        reward = 0.0 if game.utilities is None else game.utilities[replied]
        return self._observation(game, replied, reward, game.over)

    def _observation(
        self, env: TextEnv | TextGame, replied: int, reward: float, done: bool
    ) -> ServedObservation:
        """Returns what the seat that is to answer is told; at the end, the one that has replied."""
        game = env if isinstance(env, TextGame) else env.game
        seat = replied if env.seat is None else env.seat
        players = range(game.start.num_players)
        facts = self._state.facts = game_facts(game, seat)
        return ServedObservation(
            messages=game.messages(seat),
            seat=seat,
            outcome=facts["outcome"],
            facts=facts,
            seats=[game_facts(game, each) for each in players] if done else [],
            reward=reward,
            done=done,
        )

    @property
    def state(self) -> ServedState:
        """Returns the number of replies in this game and its facts."""
        return self._state

    def get_metadata(self) -> EnvironmentMetadata:
        """Returns what the environment is called, and its version."""
        names = ", ".join(dict.fromkeys(task["game"] for task in self.list_tasks(SPLIT)))
        return EnvironmentMetadata(
            name="adv-envs",
            description=f"Games by messages, with a grade for every move: {names}",
            version=__version__,
        )


def served_game(options: Options) -> TextEnv | TextGame:
    """Returns the environment of these options, with opponents that no other has.

    ValueError or TypeError for what is wrong.
    """
    if not isinstance(options, Mapping) or "game" not in options:
        raise TypeError(f'a game is given by its options, {{"game": "nim"}}, not by {options!r}')
    given = with_own_opponent(options)
    if given.get("seat") == "all" and (needless := {"opponent", "reward"} & given.keys()):
        raise ValueError(
            f'leave out {" and ".join(sorted(needless))}: with seat="all" every seat is a model, '
            "and its reward is its result"
        )
    if given.get("reward") == KEPT:
        del given["reward"]
        if given.get("grade") is None:
            raise ValueError(f'reward={KEPT!r} needs a grade, such as grade="exact"')
    env: TextEnv | TextGame = text_env(**given)
    return env


def games_app(games: Sequence[Options], *, sessions: int = 64) -> FastAPI:
    """Returns the server of these games, for uvicorn; up to ``sessions`` are played at a time.

    ValueError or TypeError, before anything is served, for options that ``text_env`` refuses.
    """
    if isinstance(games, str | Mapping | Position) or not isinstance(games, Sequence):
        raise TypeError(f'games must be a list such as [{{"game": "nim"}}], not {games!r}')
    if not games:
        raise ValueError("there must be at least one game")
    for options in games:
        served_game(options)
    app = create_app(
        partial(ServedGameEnvironment, games),
        ServedAction,
        ServedObservation,
        env_name="adv_envs",
        max_concurrent_envs=sessions,
        state_cls=ServedState,
    )
    for kind in (ValueError, TypeError, IndexError):
        app.add_exception_handler(kind, bad_request)
    return app


async def bad_request(request: Request, error: Exception) -> JSONResponse:
    """Returns what is answered, 400, to a request that asks for what is not there."""
    return JSONResponse({"detail": str(error)}, status_code=400)


class ServedGameClient(EnvClient[ServedAction, ServedObservation, ServedState]):
    """Plays at a server of games: ``reset(seed=1, index=0)``, then ``step(ServedAction(...))``."""

    def _step_payload(self, action: ServedAction) -> dict[str, Any]:
        return dict(action.model_dump())

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[ServedObservation]:
        reward, done = payload.get("reward"), bool(payload.get("done"))
        told = ServedObservation(**{**payload["observation"], "reward": reward, "done": done})
        return StepResult(observation=told, reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> ServedState:
        return ServedState(**payload)
