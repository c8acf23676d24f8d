"""Offers every game to verifiers (v1): a taskset of seeded games, and who plays them.

One package exports one environment, so two small packages in ``examples/verifiers`` name what is
here: in ``adv_envs_games`` one model plays against an opponent, in ``adv_envs_self_play`` a model
plays every seat. Both play by ``text_env``; what a seat is told is what its player sees.
"""

from __future__ import annotations

import asyncio
import functools
import ssl
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from itertools import count
from typing import Any

from adv_envs.optional import optional_library
from adv_envs.text import TextEnv, TextGame
from adv_envs.text.grades import reward_of_grade

from .adapting import game_facts, new_messages, stepping

optional_library("verifiers.v1", "Games in verifiers need", "verifiers")  # says what is missing

import certifi
import openai
import verifiers.v1 as vf
from pydantic import Field
from verifiers.v1.dialects.chat import message_to_wire
from verifiers.v1.errors import MODEL_TRANSPORT_ERROR_EXIT_CODE

FACTS = "game"
"""The key of a trace's ``info`` that holds what ``game_facts`` says of its game."""
NUMBERS = (
    "legal", "illegal", "unreadable", "failures", "graded", "kept", "plies", "finished", "utility",
    "mean_regret",
)  # fmt: skip
"""The facts that are metrics, where they are known."""


# ---- games as tasks


class TextGamesConfig(vf.TasksetConfig):
    """Says which games are played; the options are those of ``text_env``."""

    game: str = ""
    """Its name. Command lines are read before it is known, so that there must be a default."""
    parameters: dict[str, Any] = Field(default_factory=dict)
    """The parameters of the game, such as ``{"size": 5}``."""
    seat: str | int = "random"
    """The model's seat; not used in self-play, which takes all of them."""
    opponent: str | list[str] = "random"
    """The spec of an agent, or a pool of them; not used in self-play."""
    board: str = "grid"
    show_legal: bool = False
    retries: int = 2
    on_failure: str = "forfeit"
    memory: int | None = None
    """A conversation keeps every turn here; with a number each turn lists the moves so far."""
    illegal_reward: float = -1.0
    grade: str | None = None
    reward: str = "result"
    """"result", or "grade": minus the sum of all regrets."""
    first_seed: int = Field(0, ge=0)
    num_games: int | None = Field(None, ge=1)
    """How many games there are; None for no end."""


TEXT_ENV_OPTIONS = (
    "game", "seat", "opponent", "board", "show_legal", "retries", "on_failure", "memory",
    "illegal_reward", "grade", "reward",
)  # fmt: skip


class TextGameData(vf.TaskData):
    """Holds what a game is played from; the same data give the same game."""

    seed: int
    options: dict[str, Any]
    """Those of ``text_env``; ``seat`` is the model's."""


class TextGameTask(vf.Task[TextGameData, vf.State, vf.TaskConfig]):
    """Scores a seat by the facts of its game, which the environment puts into the trace."""

    @vf.reward
    async def game_reward(self, trace: vf.Trace) -> float:
        """Returns the rewards of all steps: the result or minus the regrets; 0 if cut off."""
        return float(_facts(trace)["reward"])

    @vf.metric
    async def replies(self, trace: vf.Trace) -> dict[str, float]:
        """Returns how many replies were legal, illegal and unreadable, and how the game went."""
        facts = _facts(trace)
        return {key: float(facts[key]) for key in NUMBERS if facts[key] is not None}


def _facts(trace: vf.Trace) -> dict[str, Any]:
    if FACTS not in trace.info:
        raise ValueError(
            "this trace has no game: games are played by the environments adv_envs_games and "
            "adv_envs_self_play, not by the one of a single prompt"
        )
    return dict(trace.info[FACTS])


class TextGameTaskset(vf.Taskset[TextGameTask, TextGamesConfig]):
    """Yields one game after another, with seeds from ``first_seed`` on."""

    def __init__(self, config: TextGamesConfig) -> None:
        super().__init__(config)
        self.INFINITE = config.num_games is None
        if config.seat == "all":
            raise ValueError("seat is that of one model; adv-envs-self-play plays all of them")
        TextEnv(**self._options())  # says at once what is wrong

    def load(self) -> Iterator[TextGameTask]:
        """Yields the tasks; their prompts are told when they are played."""
        numbers = count() if self.config.num_games is None else range(self.config.num_games)
        for seed in (self.config.first_seed + number for number in numbers):
            data = TextGameData(
                name=f"{self.config.game}#{seed}", seed=seed, options=self._options()
            )
            yield TextGameTask(data, self.config.task)

    def _options(self) -> dict[str, Any]:
        options = {name: getattr(self.config, name) for name in TEXT_ENV_OPTIONS}
        if str(options["seat"]).isdecimal():
            options["seat"] = int(options["seat"])  # a command line gives "1"
        return options | dict(self.config.parameters)


# ---- how a model is asked


class ChatHarness(vf.Harness[vf.HarnessConfig]):
    """Asks a model for one reply a turn, in this process: games need no program and no box."""

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_RESUME = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: vf.TaskData,
    ) -> vf.ProgramResult:
        """Sends the conversation to ``endpoint``, which records the answer in the trace."""
        system, prompt = self.resolve_prompt(data)
        said = [vf.UserMessage(content=prompt)] if isinstance(prompt, str) else list(prompt or [])
        messages: list[Any] = [message_to_wire(message) for message in said]
        if system is not None:
            messages.insert(0, {"role": "system", "content": system})
        try:
            async with (
                openai.DefaultAsyncHttpxClient(verify=certificates()) as http,
                openai.AsyncOpenAI(
                    base_url=endpoint, api_key=secret, timeout=None, http_client=http
                ) as client,
            ):
                await client.chat.completions.create(model=ctx.model, messages=messages)
        except openai.APIConnectionError as error:
            code = MODEL_TRANSPORT_ERROR_EXIT_CODE
            return vf.ProgramResult(exit_code=code, stdout="", stderr=f"{error}: {error.__cause__}")
        except openai.APIError as error:  # or a turn that a limit has refused, which is no error
            return vf.ProgramResult(exit_code=1, stdout="", stderr=str(error))
        return vf.ProgramResult(exit_code=0, stdout="", stderr="")


@functools.cache
def certificates() -> ssl.SSLContext:
    """Returns the certificates that are trusted, which take longer to read than many a reply."""
    return ssl.create_default_context(cafile=certifi.where())


def chat_seat() -> vf.AgentConfig:
    """Returns how a seat is played unless it is said otherwise: a chat, in this process."""
    return vf.AgentConfig(runtime=vf.SubprocessConfig())  # with the harness of the package


# ---- who plays


class TextGameEnvConfig(vf.EnvConfig):
    """Says who the model is."""

    player: vf.AgentConfig = chat_seat()


class TextGameEnv(vf.Env[TextGameEnvConfig]):
    """Plays each game by one model, against the opponents that the task names."""

    async def run(self, task: vf.Task, agents: vf.Agents) -> None:
        """Plays a game to its end, or until the model may not go on."""
        env = TextEnv(**task.data.options)
        messages = await in_thread(env, env.reset, task.data.seed)
        reward, outcomes = 0.0, list[str]()
        async with agents.player.interaction(seat_task(task, messages)) as talk:
            running = True
            while running:
                reply = ""  # counts for nothing where the others have ended the game
                if not env.game.over:
                    segment = await talk.turn(new_messages(messages))
                    if segment.terminated:
                        break
                    reply = segment.last_reply
                    outcomes.append("")
                messages, more, terminated, truncated, info = await in_thread(env, env.step, reply)
                reward += more
                if outcomes:
                    outcomes[-1] = info["reading"].outcome
                running = not (terminated or truncated)
            talk.trace.info[FACTS] = seat_facts(env.game, env.seat, outcomes, reward)


class SelfPlayConfig(vf.EnvConfig):
    """Says who plays each seat, by default the model of the run; seats beyond the game's rest."""

    player0: vf.AgentConfig = chat_seat()
    player1: vf.AgentConfig = chat_seat()
    player2: vf.AgentConfig = chat_seat()
    player3: vf.AgentConfig = chat_seat()
    player4: vf.AgentConfig = chat_seat()
    player5: vf.AgentConfig = chat_seat()
    player6: vf.AgentConfig = chat_seat()
    player7: vf.AgentConfig = chat_seat()
    player8: vf.AgentConfig = chat_seat()
    player9: vf.AgentConfig = chat_seat()


class SelfPlayEnv(vf.Env[SelfPlayConfig]):
    """Plays every seat of a game by a model; each seat has a conversation and a trace of its own.

    ValueError for games of more than ten players.
    """

    async def run(self, task: vf.Task, agents: vf.Agents) -> None:
        """Plays a game to its end, or until a model may not go on."""
        options = {k: v for k, v in task.data.options.items() if k not in OF_ONE_SEAT}
        game = TextGame(**options)
        players = game.start.num_players
        if players > MOST_SEATS:
            raise ValueError(
                f"self-play has {MOST_SEATS} seats, and {game.name} has {players} players here"
            )
        await in_thread(game, game.reset, task.data.seed)
        async with AsyncExitStack() as stack:
            talks = []
            for seat in range(players):
                own = seat_task(task, game.conversations[seat].messages())
                agent = getattr(agents, f"player{seat}")
                talks.append(await stack.enter_async_context(agent.interaction(own)))
            facts = await play_seats(game, talks, task.data.options["reward"])
            for talk, found in zip(talks, facts, strict=True):
                talk.trace.info[FACTS] = found


OF_ONE_SEAT = ("seat", "opponent", "reward")
"""Options of ``text_env`` that a game in which every seat is a model does not have."""
MOST_SEATS = 10
"""The fields ``player0`` to ``player9`` of ``SelfPlayConfig``."""


async def play_seats(
    game: TextGame, talks: Sequence[vf.Interaction], reward: str
) -> list[dict[str, Any]]:
    """Plays a game that has begun, each seat by its interaction; returns the facts of each seat.

    The ``reward`` of a seat is "result", its utility (0 where the game is cut off), or "grade",
    minus its regrets, and the reward of an illegal move for who forfeits.
    """
    outcomes = [list[str]() for _ in talks]
    rewards = [0.0 for _ in talks]
    while (seat := game.seat) is not None:
        segment = await talks[seat].turn(new_messages(game.messages(seat)))
        if segment.terminated:
            break
        await in_thread(game, game.step, segment.last_reply)
        info = game.info(seat)
        outcomes[seat].append(info["reading"].outcome)
        if reward == "grade":
            failed = info["failure"] == "forfeit"
            rewards[seat] += game.illegal_reward if failed else reward_of_grade(info["grade"])
    if reward == "result" and game.utilities is not None:
        rewards = list(game.utilities)
    return [seat_facts(game, seat, outcomes[seat], rewards[seat]) for seat in range(len(talks))]


# ---- what both need


def seat_facts(game: TextGame, seat: int, outcomes: Sequence[str], reward: float) -> dict[str, Any]:
    """Returns the facts of a seat, with the outcomes of its replies and its reward."""
    return {**game_facts(game, seat), "outcomes": list(outcomes), "reward": reward}


def seat_task(task: vf.Task, messages: Sequence[dict[str, str]]) -> vf.Task:
    """Returns the task of a seat, whose system prompt has the rules, after one that was given."""
    given, rules = task.data.system_prompt, messages[0]["content"]
    return task.with_data(system_prompt=f"{given}\n\n{rules}" if given else rules)


async def in_thread(env: TextEnv | TextGame, function: Any, *arguments: Any) -> Any:
    """Returns what a step of a game returns; models answer meanwhile, see ``stepping``."""

    def step() -> Any:
        with stepping(env):
            return function(*arguments)

    return await asyncio.to_thread(step)
