"""Makes every game of messages a task of Inspect: ``inspect eval adv_envs/connect_four``.

For example, ten games against a search, every move graded by exact values::

    inspect eval adv_envs/hex --model openai/gpt-5-mini -T size=4 -T grade=exact -T games=10

Inspect finds tasks by an entry point under the name of the package whose module defines them, so
these are here. It needs inspect-ai: ``pip install "adv-envs[inspect]"``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adv_envs.optional import optional_library
from adv_envs.position import Position
from adv_envs.registry import GAMES, title

from .conversation import Message
from .env import TextEnv, TextGame
from .grades import STEPPING

NEEDS = "tasks of Inspect need", "inspect"
inspect_ai = optional_library("inspect_ai", *NEEDS)
anyio = optional_library("anyio", *NEEDS)
chat = optional_library("inspect_ai.model", *NEEDS)
dataset = optional_library("inspect_ai.dataset", *NEEDS)
solver = optional_library("inspect_ai.solver", *NEEDS)
scorer = optional_library("inspect_ai.scorer", *NEEDS)

STORED = "adv_envs_game"
"""The name of a game's record in the store of its sample."""


def game_task(
    game: str | Position,
    *,
    games: int = 10,
    seed: int = 0,
    seat: str | int = "alternate",
    opponent: Any = "random",
    **options: Any,
) -> Any:
    """Returns a task of Inspect: ``games`` games with the seeds ``seed``, ``seed + 1`` and so on.

    ``seat``, ``opponent`` and the other ``options`` are those of ``text_env``, and the parameters
    of ``game``. With ``grade`` the moves are scored, too. Specs may be as Inspect's command line
    gives them, see ``whole_specs``. ValueError or TypeError for what does not exist.
    """
    opponent = whole_specs(opponent)
    options = {
        name: whole_specs(each) if name == "grade" else each for name, each in options.items()
    }
    env = TextEnv(game, seat=seat, opponent=opponent, **options)  # says what is wrong, at once
    name, seeds = title(env.game.start), sample_seeds(games, seed)
    samples = [
        dataset.Sample(f"A game of {name}, seed {each}", id=each, metadata={"seed": each})
        for each in seeds
    ]
    of_moves = [kept_moves(), move_regret()] if env.game.grade else []
    return inspect_ai.Task(
        dataset=dataset.MemoryDataset(samples, name=name),
        solver=play_game(game, seat=seat, opponent=opponent, **options),
        scorer=[game_result(), legal_replies(), *of_moves],
        version=env.game.start.version,
    )


def whole_specs(value: Any) -> Any:
    """Returns a spec, or a list of specs, that Inspect's command line has split at each comma.

    ["random", "mcts(simulations=5", " c=1.0)"] are "random" and "mcts(simulations=5, c=1.0)": parts
    belong together until brackets are closed. What is one spec then is no list; anything that is
    no list stays as it is.
    """
    if not isinstance(value, list):
        return value
    specs: list[Any] = []
    for part in value:
        last = specs[-1] if specs else None
        if isinstance(last, str) and isinstance(part, str) and last.count("(") > last.count(")"):
            specs[-1] = f"{last},{part}"
        else:
            specs.append(part)
    return specs[0] if len(specs) == 1 < len(value) else specs


def sample_seeds(games: int, seed: int) -> range:
    """Returns the seeds of all games; TypeError or ValueError where there are none."""
    for name, number in (("games", games), ("seed", seed)):
        if isinstance(number, bool) or not hasattr(number, "__index__"):
            raise TypeError(f"{name} must be a whole number, not {number!r}")
    if games < 1:
        raise ValueError(f"games must be 1 or more, not {games!r}")
    return range(seed, seed + games)


@solver.solver
def play_game(game: str | Position, **options: Any) -> solver.Solver:  # type: ignore[name-defined]
    """Returns a solver that plays the game of a sample with the model, to its end.

    The model is not asked where the game is over before its first turn.
    """

    async def solve(state: Any, generate: Any) -> Any:
        env = TextEnv(game, **options)
        said = [chat_message(each) for each in await in_thread(env.reset, state.metadata["seed"])]
        outcomes: list[str] = []
        state.messages = [*said]
        if over := env.game.over:
            await in_thread(env.step, "")  # tells the opponents their result
            state.store.set(STORED, game_record(env.game, env.seat, outcomes))
        while not over:
            state = await generate(state, tool_calls="none")
            said.append(state.messages[-1])
            reply = state.output.completion
            messages, _, terminated, truncated, info = await in_thread(env.step, reply)
            over = terminated or truncated
            outcomes.append(info["reading"].outcome)
            said.append(chat_message(messages[-1]))
            # Only the last turns, where the game's memory is limited.
            state.messages = [said[0], *said[len(said) - len(messages) + 1 :]]
            state.store.set(STORED, game_record(env.game, env.seat, outcomes))
        state.completed = True
        return state

    return solve


async def in_thread(function: Callable[..., Any], *arguments: Any) -> Any:
    """Calls a function in another thread, so that the other games go on meanwhile."""

    def locked() -> Any:
        with STEPPING:
            return function(*arguments)

    return await anyio.to_thread.run_sync(locked)


def chat_message(message: Message) -> Any:
    """Returns a message of the game as Inspect has it."""
    of_system = message["role"] == "system"
    kind = chat.ChatMessageSystem if of_system else chat.ChatMessageUser
    return kind(content=message["content"])


def game_record(game: TextGame, seat: int, outcomes: list[str]) -> dict[str, Any]:
    """Returns what has happened in a game so far, as plain data.

    "moves" are those of all players and chance by name, "outcomes" those of the model's replies,
    "utility" the model's, None before the end and where the game was cut off; the rest is as in
    ``TextGame.info``.
    """
    return {
        "seat": seat,
        **game.totals(seat),
        "failure": game.info(seat)["failure"],
        "utility": game.utilities[seat] if game.utilities and not game.truncated else None,
        "moves": [move.name for move in game.session.seen(None)],
        "outcomes": list(outcomes),
    }


# ---- scores


def _score(value: Callable[[dict[str, Any]], float | None]) -> Any:
    """Returns a scorer of games by a number of their records; None is left out of the means."""

    async def score(state: Any, target: Any) -> Any:
        record = state.store.get(STORED)
        found = None if record is None else value(record)
        if found is None:
            return scorer.Score.unscored(reason="not known", metadata=record)
        answer = f"{record['legal']} legal moves"
        return scorer.Score(value=found, answer=answer, metadata=record)

    return score


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


METRICS = [scorer.mean(), scorer.stderr()]


@scorer.scorer(metrics=METRICS)
def game_result() -> scorer.Scorer:  # type: ignore[name-defined]
    """Returns a scorer of the model's utility at the end; games that were cut off have none."""
    return _score(lambda record: record["utility"])


@scorer.scorer(metrics=METRICS)
def legal_replies() -> scorer.Scorer:  # type: ignore[name-defined]
    """Returns a scorer of the share of replies that named a legal move; None without any reply."""
    return _score(lambda record: _share(record["legal"], len(record["outcomes"])))


@scorer.scorer(metrics=METRICS)
def kept_moves() -> scorer.Scorer:  # type: ignore[name-defined]
    """Returns a scorer of the share of graded moves that kept the value of the position.

    A turn without a legal move counts as one that kept nothing.
    """
    return _score(lambda record: _share(record["kept"], record["graded"] + record["failures"]))


@scorer.scorer(metrics=METRICS)
def move_regret() -> scorer.Scorer:  # type: ignore[name-defined]
    """Returns a scorer of the mean regret of the graded moves; failed turns have none."""
    return _score(lambda record: record["mean_regret"])


# ---- tasks


def _register(name: str) -> None:
    def of_game(games: int = 10, seed: int = 0, **options: Any) -> inspect_ai.Task:  # type: ignore[name-defined]
        return game_task(name, games=games, seed=seed, **options)

    inspect_ai.task(of_game, name=name)


for _name in GAMES:
    _register(_name)
