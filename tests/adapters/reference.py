"""Fifty seeded games of messages, which every framework must play in the same way.

A ``Case`` is a game with its seat, opponent and options; ``Script`` answers in place of a model:
mostly with legal moves, sometimes in many words, with an illegal move, or with none. What it
answers depends on the case, on how many replies it has given and on the last position that it was
shown as JSON, not on the way in which a framework gives the texts. ``played_directly`` is the game
by ``text_env`` alone, and ``record_of`` makes the same ``Record`` of a framework's game.
"""

from __future__ import annotations

import functools
import hashlib
import json
import random
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from adv_envs import start_position
from adv_envs.envs.opponents import Opponent, Opponents
from adv_envs.envs.opponents import reply as opponent_action
from adv_envs.position import Position
from adv_envs.random import derived_seed
from adv_envs.testing import ScriptedModel
from adv_envs.testing.chat_endpoint import position_in
from adv_envs.text import TextEnv, TextGame, text_env, write_board

GAMES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "tic_tac_toe": ({}, {"opponent": "alpha_beta(depth=2)", "grade": "exact"}),
    "connect_four": ({}, {"opponent": "alpha_beta(depth=2)", "retries": 1}),
    "hex": ({"size": 3}, {"grade": "exact"}),
    "kalah": ({"pits": 3, "seeds": 2}, {"opponent": "alpha_beta(depth=2)", "grade": "exact"}),
    "pig": ({"target": 20}, {"grade": "exact", "on_failure": "random"}),
    "kuhn": ({}, {}),
    "leduc": ({}, {"on_failure": "random"}),
    "goofspiel": ({"cards": 4}, {}),
    "thirty_one": ({"limit": 15, "copies": 2, "num_players": 3}, {"retries": 1}),
    "chess": ({}, {"on_failure": "end", "retries": 1, "memory": 2}),
}
"""The games, their parameters, and the options of ``text_env``."""


class Case(NamedTuple):
    """Holds what determines a game, except for the replies of the player of ``seat``."""

    game: str
    seed: int

    def __str__(self) -> str:
        return f"{self.game}-{self.seed}"

    @property
    def seat(self) -> int:
        """Returns the seat of the scripted model; the opponent plays the others."""
        return self.seed % start_position(self.game, **self.parameters).num_players

    @property
    def parameters(self) -> dict[str, Any]:
        """Returns the parameters of the game."""
        return dict(GAMES[self.game][0])

    @property
    def opponent(self) -> str:
        """Returns the spec of the opponent."""
        return str(GAMES[self.game][1].get("opponent", "random"))

    @property
    def options(self) -> dict[str, Any]:
        """Returns the options of ``TextGame``, without seat, opponent and parameters."""
        options = {"board": "json", **GAMES[self.game][1]}
        options.pop("opponent", None)
        return options

    def env(self, **more: Any) -> TextEnv:
        """Returns the environment of one seat."""
        return text_env(self.game, **self.arguments(), **more)

    def arguments(self) -> dict[str, Any]:
        """Returns all that ``text_env`` is given besides the game."""
        return {
            "seat": self.seat,
            "opponent": self.opponent,
            **self.options,
            **self.parameters,
        }


CASES = tuple(Case(game, seed) for game in GAMES for seed in range(5))


class Record(NamedTuple):
    """Says what happened in a game, in plain data."""

    moves: tuple[str, ...]
    """Of all players and chance, by name."""
    outcomes: tuple[str, ...]
    """Of the replies of the model in turn: "legal", "illegal" or "unreadable"."""
    result: float | None
    """The utility of the model's seat; None where the game was cut off."""
    failure: str | None
    """"forfeit", "random" or "end", if the model has used up its tries."""
    graded: int
    kept: int
    mean_regret: float | None


def record_of(game: TextGame, seat: int, outcomes: Iterable[str]) -> Record:
    """Returns the record of a game that is over, for the model's seat."""
    assert game.over, "the framework has left before the end of the game"
    session, info = game.session, game.info(seat)
    position, moves = session.start, []
    for action in session.actions:
        moves.append(position.name(action))
        position = position.play(action)
    regret = info["mean_regret"]
    outcomes = tuple(outcomes)
    for kind in ("legal", "illegal", "unreadable"):
        assert outcomes.count(kind) == info[kind]
    assert game.utilities is not None
    return Record(
        tuple(moves),
        outcomes,
        None if game.truncated else game.utilities[seat],
        game.failure,
        info["graded"],
        info["kept"],
        None if regret is None else round(regret, 9),
    )


@functools.cache
def played_directly(case: Case) -> Record:
    """Returns the record of a case that ``text_env`` plays."""
    env, script = case.env(), Script(case)
    messages, outcomes = env.reset(seed=case.seed), []
    terminated = truncated = False
    while not (terminated or truncated):
        messages, _, terminated, truncated, info = env.step(script(text_of(messages)))
        outcomes.append(info["reading"].outcome)
    return record_of(env.game, case.seat, outcomes)


def text_of(messages: Iterable[Mapping[str, str]]) -> str:
    """Returns the contents of messages as one text."""
    return "\n".join(message["content"] for message in messages)


class Script:
    """Answers for the model of a case: call it once a turn with what was said, new or all of it."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.replies: list[str] = []
        self._shown: Position | None = None

    def __call__(self, text: str) -> str:
        """Returns the next reply; ValueError if no position was shown yet."""
        self._shown = shown_in(text) or self._shown
        if self._shown is None:
            raise ValueError("no position was shown as JSON")
        self.replies.append(scripted_reply(self.case, len(self.replies), self._shown))
        return self.replies[-1]


def scripted_reply(case: Case, number: int, shown: Position) -> str:
    """Returns the model's reply of a ``number``, from 0, where it was shown a position."""
    rng = random.Random(f"{case} {number}")
    manner = rng.choices(("plain", "chatty", "forgetful", "rude"), (9, 6, 4, 1))[0]
    model = ScriptedModel(lambda position: rng.choice(position.legal_actions()), manner, case.seed)
    said = (write_board(shown, "json"), str(number))
    return model([{"role": "user", "content": content} for content in said])


def shown_in(text: str) -> Position | None:
    """Returns the last position in a text that is written as a line of JSON; None without one."""
    lines = [line for line in text.split("\n") if '{"game"' in line]
    if not lines:
        return None
    begin = lines[-1].index('{"game"')
    _, end = json.JSONDecoder().raw_decode(lines[-1], begin)
    return position_in([{"role": "user", "content": lines[-1][begin:end]}])


class OpponentModel:
    """Answers as an opponent would choose, which reads what its player sees from the text.

    For frameworks in which every seat is a model; see ``models_of``.
    """

    def __init__(self, opponent: Opponent) -> None:
        self._opponent = opponent

    def __call__(self, text: str) -> str:
        """Returns the reply, which names one legal move."""
        shown = shown_in(text)
        assert shown is not None, "no position was shown as JSON"
        return f"Final answer: {shown.name(opponent_action(self._opponent, shown))}"


def models_of(case: Case) -> list[Script | OpponentModel]:
    """Returns a model for each seat, for one game: the script, and the opponents of the case."""
    players = start_position(case.game, **case.parameters).num_players
    rng = random.Random(derived_seed(case.seed, "opponents"))
    others = Opponents(case.opponent).draw(rng, players - 1)
    models: list[Script | OpponentModel] = [OpponentModel(each) for each in others]
    models.insert(case.seat, Script(case))
    return models


# ---- games in which an adapter could go wrong

OVER_AT_ONCE: tuple[dict[str, Any], ...] = (
    {"game": "pig", "target": 3, "seat": 1, "opponent": "perfect"},
    {"game": "thirty_one", "num_players": 3, "limit": 5, "copies": 2, "seat": 2},
)
"""Options of games that, with some seeds below 30, are over before the first turn of the model."""
SMALL: dict[str, dict[str, Any]] = {
    "liars_dice": {"sides": 2},
    "gin_rummy": {"ranks": 3, "hand_size": 1},
    "goofspiel": {"cards": 3},
    "dark_hex": {"size": 2},
    "hanabi": {"colours": 1, "ranks": 2, "hand_size": 1},
}
"""Parameters with which a player is often told the same in different games."""


def told_apart(reset: Any, step: Any, told: Any, seeds: int = 60) -> list[tuple[Any, Any]]:
    """Returns pairs of what players were given who could not tell their games apart.

    ``reset(seed=seed)`` and ``step(reply)`` play a game of which every seat is a model, shown as
    JSON; ``told`` makes a dictionary with "messages" of what they return and "done".
    AssertionError if no two games came to the same messages.
    """
    known: dict[str, tuple[int, Any]] = {}
    found, compared = [], 0
    for seed in range(seeds):
        rng, given = random.Random(seed), told(reset(seed=seed))
        for _ in range(8):
            before, same = known.setdefault(text_of(given["messages"]), (seed, given))
            compared += before != seed
            if same != given:
                found.append((same, given))
            shown = shown_in(text_of(given["messages"]))
            assert shown is not None
            given = told(step(f"Final answer: {shown.name(rng.choice(shown.legal_actions()))}"))
            if given["done"]:
                break
    assert compared > 0
    return found


def digest(records: Iterable[Record]) -> str:
    """Returns a number of 16 hexadecimal digits that stands for all records."""
    return hashlib.sha256(json.dumps(list(records)).encode()).hexdigest()[:16]


DIGEST = "d30bc24dde2f7ca6"
"""Of the records of all ``CASES``."""
