"""Plays by a language model: ``LanguageModel``, the agent ``llm``."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field, replace
from math import floor, inf, isfinite, log10
from typing import Any, ClassVar

from adv_envs import CHANCE, IllegalMove, Position
from adv_envs.session import Session
from adv_envs.text import BOARDS, read_reply
from adv_envs.text.conversation import Conversation, Message
from agents.agent import MOST_SECONDS, SeededAgent, require_limit, require_unfinished
from agents.engine import line_between

from .answer_cache import AnswerCache
from .endpoint import Completion, Endpoint, checked_url, load_client, usual_url

ON_FAILURE = "forfeit", "random"


class NoLegalMove(IllegalMove):
    """Says that none of a model's replies named a legal move, which loses the game."""


@dataclass
class ModelCounts:
    """Counts what a model was asked and answered, in one game or in all of them."""

    requests: int = 0
    """Requests to the endpoint, repeated ones included."""
    cached: int = 0
    """Answers from the cache, which took no request."""
    legal: int = 0
    illegal: int = 0
    unreadable: int = 0
    """Replies by how they were read."""
    failures: int = 0
    """Moves for which no reply was legal."""
    forfeits: int = 0
    """Those that lost the game; the others were random moves."""
    tokens_in: int = 0
    tokens_out: int = 0
    """Tokens of the messages and of the answers, as the endpoint counts them; of answers from the
    cache, too, so that a run that is repeated or resumed has the same numbers."""
    seconds: float = 0.0
    """Wall-clock time of the requests, of answers from the cache that of then."""
    cost: float = 0.0
    """Dollars for the tokens, where prices are known."""

    def add(self, **more: float) -> None:
        """Adds the numbers ``more`` to the counts of the same names."""
        for name, number in more.items():
            setattr(self, name, getattr(self, name) + number)

    def __str__(self) -> str:
        answers = f"{self.requests} requests, {self.cached} answers from the cache"
        read = f"{self.legal} legal, {self.illegal} illegal, {self.unreadable} unreadable"
        tokens = f"{self.tokens_in} tokens in, {self.tokens_out} out"
        cost = f"; {dollars(self.cost)}" * bool(self.cost)
        return f"{answers}; {read}; {self.failures} failures; {tokens}; {self.seconds:.1f} s{cost}"


@dataclass(repr=False)
class LanguageModel(SeededAgent):
    """Plays by a language model at any endpoint of OpenAI's chat completions.

    Parameters:
        model: the name by which the endpoint knows the model.
        base_url: the address of the endpoint; None for OPENAI_BASE_URL, or else OpenAI's.
        temperature: the temperature of its answers; None for that of the endpoint.
        max_tokens: tokens of an answer at most; None for as many as the endpoint gives.
        timeout: the longest that a request may take, in seconds.
        retries: how often a request is repeated that fails in a way that may pass.
        attempts: replies that a move may take, each after a message that says what was wrong.
        on_failure: what follows then, "forfeit", which loses the game, or "random", a random move.
        memory: whether it is sent its earlier turns, too, where a position follows from the last.
        board: how positions are written, "grid", "cells", "standard" or "json".
        show_legal: whether the legal moves are listed.
        seed: sent with each request, and decides random moves; None: not sent.
        cache: a folder where answers are stored and found again; None for none.
        prices: dollars for a million tokens of messages and of answers; None: not known.

    The key is that of the environment variable OPENAI_API_KEY, if there is one. The model is told
    the rules and what its player sees, as in ``text_env``; ``prepare`` asks it nothing. ``counts``
    says what it answered, and ``game_counts`` what since the last ``reset``, which is stored with
    each game. An endpoint that fails raises NoAnswer, which stops a match or a tournament and loses
    no game: with a ``cache`` the same run goes on where it stopped. Stored answers are found
    by the endpoint, all that is sent, the number of the attempt and, unless the temperature is 0,
    the seed of the game.
    ImportError without httpx; ValueError for ``memory`` in a game of hidden information, where a
    view does not say which moves led to it.
    """

    model: str
    base_url: str | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    timeout: float = 120.0
    retries: int = 4
    attempts: int = 3
    on_failure: str = "forfeit"
    memory: bool = False
    board: str = "grid"
    show_legal: bool = False
    seed: int | None = None
    cache: str | None = None
    prices: tuple[float, float] | None = None

    name: ClassVar[str] = "llm"
    reads_text: ClassVar[bool] = True
    """Whether it is told positions in words, so that other names of cells matter to it."""
    counts: ModelCounts = field(default_factory=ModelCounts, init=False, repr=False, compare=False)
    _game: ModelCounts = field(default_factory=ModelCounts, init=False, repr=False, compare=False)
    """The counts since the last reset."""
    _game_seed: int | None = field(default=None, init=False, repr=False, compare=False)
    _turns: dict[int, tuple[Conversation, Session]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """The conversation of each seat, and the game so far; kept where there is a ``memory``."""

    def __post_init__(self) -> None:
        """Raises TypeError or ValueError for invalid parameters."""
        if not isinstance(self.model, str):
            raise TypeError(f"model must be the name of a model, not {self.model!r}")
        if not self.model.strip():
            raise ValueError("model must be the name of a model, not empty")
        if self.base_url is not None:
            self.base_url = checked_url(self.base_url)
        if self.temperature is not None:
            _require_number("temperature", self.temperature, 0, inf)
        _require_number("timeout", self.timeout, 0, MOST_SECONDS, above=True)
        require_limit("max_tokens", self.max_tokens)
        _require_count("retries", self.retries, 0)
        _require_count("attempts", self.attempts, 1)
        for what, given, known in (
            ("on_failure", self.on_failure, ON_FAILURE),
            ("memory", self.memory, (True, False)),
            ("board", self.board, BOARDS),
            ("show_legal", self.show_legal, (True, False)),
        ):
            if given not in known:
                choices = " or ".join(map(str, known))
                raise ValueError(f"{what} must be {choices}, not {given!r}")
        if self.cache is not None:
            if not isinstance(self.cache, str | os.PathLike):
                raise TypeError(f"cache must be the path of a folder or None, not {self.cache!r}")
            self.cache = os.fspath(self.cache)
        if self.prices is not None:
            self.prices = checked_prices(self.prices)
        super().__post_init__()
        self._game_seed = self.seed

    def reset(self, seed: int | None = None) -> None:
        """Begins a new game; ``seed`` decides random moves, and which stored answers count."""
        super().reset(seed)
        self._turns.clear()
        self._game = ModelCounts()
        if seed is not None:
            self._game_seed = seed

    def game_counts(self) -> dict[str, float]:
        """Returns what is not 0 since the last reset, by the names of ``ModelCounts``.

        Without ``requests`` and ``cached``: a game that is played again from the cache is the same.
        """
        of_run = "requests", "cached"
        return {name: n for name, n in vars(self._game).items() if n and name not in of_run}

    def prepare(self, position: Position) -> None:
        """Raises what keeps it from playing this game; the model is not asked, as that may cost."""
        load_client()
        if self.base_url is None:
            usual_url()
        self._begin_turn(self._checked(position))

    def act(self, position: Position) -> int:
        """Returns the model's move; NoLegalMove if it names none, NoAnswer if it is not there."""
        view = self._checked(position)
        talk, session = self._begin_turn(view)
        action = self._choose(talk, session.position)
        if self.memory:
            session.play(action)
            self._turns[view.to_move] = talk, session
        return action

    def _checked(self, position: Position) -> Position:
        """Returns what its player sees; ValueError for a position in which it does not play."""
        position = require_unfinished(position)
        seat = position.to_move
        if seat == CHANCE:
            raise ValueError(f"{self.name} plays for a player, and here chance is to move")
        if self.memory and not position.perfect_information:
            raise ValueError(
                f"{self.name} keeps no conversation where players do not see everything: "
                "leave out memory=True"
            )
        return position.hidden(seat)

    def _begin_turn(self, view: Position) -> tuple[Conversation, Session]:
        """Returns a conversation that ends with the question for a move, and its game."""
        seat = view.to_move
        kept = self._turns.pop(seat, None)  # put back when the turn has gone well
        line = None if kept is None else line_between(kept[1].position, view)
        if kept is None or line is None:
            talk, session = Conversation(view.start(), seat, self.board, self.show_legal), None
        else:
            talk, session = kept
            for action in line:
                session.play(action)
        session = session or Session(view)
        talk.ask(session)
        return talk, session

    def _choose(self, talk: Conversation, view: Position) -> int:
        """Returns the move of the first reply that names a legal one, and what follows if none."""
        for attempt in range(self.attempts):
            reply = self._reply(talk.messages(), attempt, quiet=not view.perfect_information)
            reading = read_reply(view, reply)
            self._add(**{reading.outcome: 1})
            talk.reply(reply or "(no answer)")  # endpoints refuse messages without text
            if reading.action is not None:
                return reading.action
            if left := self.attempts - attempt - 1:
                talk.ask_again(reading, left)
        self._add(failures=1, forfeits=int(self.on_failure == "forfeit"))
        if self.on_failure == "random":
            return self.rng.choice(view.legal_actions())
        last = f"answered {reading.answer!r}" if reading.answer else "answered nothing"
        replies = "1 reply" if self.attempts == 1 else f"{self.attempts} replies"
        raise NoLegalMove(f"no legal move in {replies}; the last one {last}")

    def _reply(self, messages: list[Message], attempt: int, quiet: bool) -> str:
        """Returns the reply to ``messages``, from the cache if it is there; NoAnswer if none.

        ``quiet``: without what the server says, where the messages have what others do not see.
        """
        request = self._request(messages)
        base_url = self.base_url or usual_url()
        seed = None if self.temperature == 0 else self._game_seed
        query = {"base_url": base_url, "request": request, "attempt": attempt, "seed": seed}
        cache = None if self.cache is None else AnswerCache(self.cache)
        if cache is not None and (stored := cache.find(query)) is not None:
            self._count(stored, cached=1)
            return stored.text
        began = time.perf_counter()
        endpoint = Endpoint(base_url, self.timeout, self.retries, quiet)
        answer = endpoint.complete(request)
        answer = replace(answer, seconds=time.perf_counter() - began)
        self._count(answer, requests=answer.requests)
        if cache is not None:
            cache.store(query, answer)
        return answer.text

    def _request(self, messages: list[Message]) -> dict[str, Any]:
        """Returns the body of the request; parameters that are None are left to the endpoint."""
        seed = None if self.seed is None or self.temperature == 0 else self._game_seed
        given = {"temperature": self.temperature, "max_tokens": self.max_tokens, "seed": seed}
        kept = {name: value for name, value in given.items() if value is not None}
        return {"model": self.model, "messages": messages, **kept}

    def _count(self, answer: Completion, **requests: int) -> None:
        tokens = answer.tokens_in, answer.tokens_out
        prices = self.prices or (0.0, 0.0)
        cost = sum(number * price for number, price in zip(tokens, prices, strict=True)) / 1e6
        self._add(
            tokens_in=tokens[0], tokens_out=tokens[1], seconds=answer.seconds, cost=cost, **requests
        )

    def _add(self, **more: float) -> None:
        for counts in (self.counts, self._game):
            counts.add(**more)


def checked_prices(prices: Any) -> tuple[float, float]:
    """Returns the prices of a million tokens in and out; TypeError or ValueError for others."""
    if not isinstance(prices, tuple | list) or len(prices) != 2:
        raise TypeError(
            "prices must be two numbers, the dollars for a million tokens of messages and of "
            f"answers, such as (0.25, 2.0), not {prices!r}"
        )
    for price in prices:
        _require_number("each of prices", price, 0, inf)
    return prices[0], prices[1]


def dollars(amount: float) -> str:
    """Returns an amount of dollars, with three digits if it is small: "$0.000420", "$12.30"."""
    digits = 2 - floor(log10(amount)) if 0 < amount < 1 else 2
    return f"${amount:,.{digits}f}"


def _require_number(name: str, value: Any, least: float, most: float, above: bool = False) -> None:
    """Raises TypeError or ValueError unless ``value`` is a finite number in its range."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{name} must be a number, not {value!r}")
    if not (isfinite(value) and least <= value <= most) or (above and value == least):
        bounds = f"{'above' if above else 'at least'} {least}"
        bounds += f" and at most {most}" if isfinite(most) else ""
        raise ValueError(f"{name} must be {bounds}, not {value!r}")


def _require_count(name: str, value: Any, least: int) -> None:
    """Raises TypeError or ValueError unless ``value`` is a whole number of ``least`` or more."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} must be a whole number, not {value!r}")
    if value < least:
        raise ValueError(f"{name} must be at least {least}, not {value}")
