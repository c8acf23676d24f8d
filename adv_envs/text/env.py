"""Plays any game by messages: ``text_env``, one language model against opponents or all seats."""

from __future__ import annotations

import operator
import random
from collections import Counter
from collections.abc import Callable
from typing import Any, Literal, overload

from adv_envs.envs.opponents import Opponent, Opponents, report_results
from adv_envs.envs.opponents import reply as opponent_action
from adv_envs.position import CHANCE, Position, checked_seat
from adv_envs.random import chance_action, derived_seed, plain_seed
from adv_envs.registry import start_of
from adv_envs.session import Session

from .board_forms import write_board
from .conversation import Conversation, Message
from .grades import (
    GIVE_ONE,
    Grade,
    MoveGrade,
    grade_function,
    grade_totals,
    reward_of_grade,
)
from .reading import Reading, read_reply

Reward = Callable[[float | None, dict[str, Any]], float]
FAILURES = ("forfeit", "random", "end")


class TextGame:
    """Plays ``game`` by messages, every seat a language model.

    For example::

        game = text_env("leduc", seat="all")
        seat, messages = game.reset(seed=1)
        while not game.over:
            seat, messages = game.step(model(messages))
        print(game.utilities)

    Messages are those of a chat, {"role": "system", "user" or "assistant", "content": text}, and
    have only what the player of ``seat`` sees. A reply is read by ``read_reply``; one that names no
    legal move is answered by what was wrong with it.

    - ``game``: a name with ``parameters``, or the position to start from.
    - ``board``: "grid", "cells", "standard" or "json", see ``adv_envs.text.write_board``.
    - ``show_legal``: whether messages list the legal moves.
    - ``retries``: how often a player may answer again in a turn, 0 or more.
    - ``on_failure``: what follows then: "forfeit" ends the game with ``illegal_reward`` for that
      player and 0 for the others, "random" plays a random legal move, "end" cuts the game off.
    - ``memory``: how many earlier turns messages keep; None for all.
    - ``grade``: "exact", "analyst" or the spec of an agent that searches, which give each move a
      ``MoveGrade``, see ``agents.grading.move_grader``; or a function of what the player saw and
      the action. Its value for each move is ``info["grade"]``.

    ``over``, ``utilities`` (by player, None before the end), ``session`` and ``reading`` (of the
    last reply) may be read. ValueError or TypeError for what does not exist.
    """

    def __init__(
        self,
        game: str | Position,
        *,
        board: str = "grid",
        show_legal: bool = False,
        retries: int = 2,
        on_failure: str = "forfeit",
        memory: int | None = None,
        illegal_reward: float = -1.0,
        grade: str | Grade | None = None,
        **parameters: Any,
    ) -> None:
        self.start, self.name = start_of(game, parameters)
        write_board(self.start.hidden(0), board)
        if on_failure not in FAILURES:
            raise ValueError(f"on_failure must be one of {', '.join(FAILURES)}, not {on_failure!r}")
        self.retries = _count("retries", retries)
        self.on_failure = on_failure
        self.illegal_reward = float(illegal_reward)
        self.grade = grade_function(grade, self.start)
        kept = None if memory is None else _count("memory", memory)
        self._form: tuple[Any, ...] = board, bool(show_legal), kept
        self._seeds = random.Random()
        self._begin(0)
        self._begun = False

    def _begin(self, seed: int) -> None:
        players = range(self.start.num_players)
        self.session = Session(self.start)
        self.conversations = [Conversation(self.start, seat, *self._form) for seat in players]
        self.counts = [Counter[str]() for _ in players]
        self.grades: list[list[MoveGrade]] = [[] for _ in players]
        self.reading: Reading | None = None
        self._readings: list[Reading | None] = [None for _ in players]
        self.utilities: list[float] | None = None
        self.failure: str | None = None
        self._failures: list[str | None] = [None for _ in players]
        self._last_grades: list[Any] = [None for _ in players]
        self._tries = 0
        self._closed: set[int] = set()
        self._chance = random.Random(derived_seed(seed, "chance"))
        self._failing = random.Random(derived_seed(seed, "failures"))

    def reset(self, seed: int | None = None) -> tuple[int | None, list[Message]]:
        """Begins a game; returns the seat to move and its messages.

        The seed determines chance and random moves; None draws a new one from the last.
        """
        self._begin(self.draw_seed(seed))
        self._begun = True
        self._let_chance_play()
        return self.seat, self.messages()

    def draw_seed(self, seed: int | None) -> int:
        """Returns ``seed``, from which others will follow, or the next one; TypeError if none."""
        seed = plain_seed(seed)
        if seed is not None:
            if isinstance(seed, bool) or not isinstance(seed, int):
                raise TypeError(f"a seed is an integer or None, not {seed!r}")
            self._seeds.seed(derived_seed(seed, "seeds"))
            return seed
        return self._seeds.getrandbits(63)

    # ---- the game

    @property
    def over(self) -> bool:
        """Returns whether the game has ended, by its rules or by a failure."""
        return self.utilities is not None

    @property
    def truncated(self) -> bool:
        """Returns whether the game was cut off, by ``on_failure="end"``."""
        return self.over and self.failure == "end" and not self.session.ended

    @property
    def seat(self) -> int | None:
        """Returns the player to move; None if the game is over."""
        return None if self.over else self.session.position.to_move

    def messages(self, seat: int | None = None) -> list[Message]:
        """Returns the messages of a seat, by default of the one to move; else of player 0."""
        if seat is None:
            seat = self.seat or 0
        talk = self.conversations[seat]
        if self.over and seat not in self._closed:
            self._closed.add(seat)
            talk.close(self.session, self._ending(seat))
        elif seat == self.seat and not self._has_turn(talk):
            talk.ask(self.session)
        return talk.messages()

    def _has_turn(self, talk: Conversation) -> bool:
        return bool(talk.turns) and len(talk.told) == len(self.session.actions)

    def _ending(self, seat: int) -> str:
        """Returns how the game has ended, for the player of a seat."""
        if self.failure == "end":
            return "It was cut off, as no legal move was answered."
        assert self.utilities is not None
        why = "It was forfeited, as no legal move was answered. " * (self.failure == "forfeit")
        return f"{why}Your result: {self.utilities[seat]:+g}."

    def step(self, reply: str) -> tuple[int | None, list[Message]]:
        """Reads the reply of the player to move; returns the seat to move next and its messages.

        Where the reply names no legal move, that is the same seat, until its tries are used up.
        ValueError if the game is over, and before the first one.
        """
        if not self._begun or (seat := self.seat) is None:
            state = "the game is over" if self._begun else "no game is being played"
            raise ValueError(f"{state}: call reset() before step()")
        self.messages(seat)
        view = self.session.position.hidden(seat)
        reading, grade = read_reply(view, reply), None
        if (action := reading.action) is not None and self.grade is not None:
            grade = self.grade(view, action)
        self._note(seat, reply, reading, grade)  # all has gone well
        if action is not None:
            self.play(action)
        elif self._tries < self.retries:
            self._tries += 1
            self.conversations[seat].ask_again(reading, self.retries - self._tries + 1)
        else:
            self._fail(seat)
        return self.seat, self.messages()

    def _note(self, seat: int, reply: str, reading: Reading, grade: Any) -> None:
        """Adds a reply to what a seat has said."""
        self.conversations[seat].reply(reply)
        self.counts[seat][reading.outcome] += 1
        self.reading = self._readings[seat] = reading
        self._last_grades[seat] = grade
        if isinstance(grade, MoveGrade):
            self.grades[seat].append(grade)

    def _fail(self, seat: int) -> None:
        """Does what follows when the tries of a player are used up."""
        self.failure = self._failures[seat] = self.on_failure
        self.counts[seat]["failures"] += 1
        if self.on_failure == "random":
            self.play(self._failing.choice(self.session.position.legal_actions()))
            return
        self.utilities = [0.0] * self.start.num_players
        if self.on_failure == "forfeit":
            self.utilities[seat] = self.illegal_reward

    def play(self, action: int) -> None:
        """Plays a legal action, which is not checked, for the player to move, then chance."""
        self._tries = 0
        self.session.play(action)
        self._let_chance_play()

    def _let_chance_play(self) -> None:
        while not (position := self.session.position).is_terminal() and position.to_move == CHANCE:
            self.session.play(chance_action(position, self._chance.random()))
        if position.is_terminal():
            players = range(self.start.num_players)
            self.utilities = [float(position.utility(player)) for player in players]

    def info(self, seat: int) -> dict[str, Any]:
        """Returns what a player's replies were.

        "seat"; "legal", "illegal", "unreadable" and "failures", counts in this game; "reading", of
        this player's last reply; "action", its action or None; "failure", "forfeit", "random" or
        "end" if this player has used up the tries of a turn, else None; "grade", of that reply,
        None where it was no move; "graded", "kept" and "mean_regret", of all moves with a
        ``MoveGrade`` in this game.
        """
        reading = self._readings[seat]
        return {
            "seat": seat,
            **self.totals(seat),
            "reading": reading,
            "action": reading.action if reading else None,
            "failure": self._failures[seat],
            "grade": self._last_grades[seat],
        }

    def totals(self, seat: int) -> dict[str, Any]:
        """Returns the numbers of ``info``: counts of a player's replies, and of graded moves."""
        kinds = ("legal", "illegal", "unreadable", "failures")
        counts = {kind: self.counts[seat][kind] for kind in kinds}
        return {**counts, **grade_totals(self.grades[seat])}


class TextEnv:
    """Plays ``game`` by messages as one player, "me", a language model, against ``opponent``.

    A step is my reply and, if it is a legal move, all moves of opponents and chance until it is my
    turn again or the game is over. ``opponent`` and ``seat`` are as in ``GymEnv``; the other
    options are those of ``TextGame``, which plays it. ``reward`` is "result", the utility of the
    game for me at its end, ``illegal_reward`` for a forfeit and 0 otherwise; "grade", minus the
    regret of each move and ``illegal_reward`` for a forfeit, to which the result is not added; or a
    function of the utility (None before the end, and where the game is cut off) and the info.
    """

    def __init__(
        self,
        game: str | Position,
        *,
        seat: str | int = "random",
        opponent: Any = "random",
        reward: str | Reward = "result",
        **options: Any,
    ) -> None:
        self.game = TextGame(game, **options)
        self._seat_choice = checked_seat(seat, self.game.start.num_players)
        self._pool = Opponents(opponent)
        if reward not in ("result", "grade") and not callable(reward):
            raise ValueError(f'reward must be "result", "grade" or a function, not {reward!r}')
        if reward == "grade" and self.game.grade is None:
            raise ValueError(f'reward="grade" needs {GIVE_ONE}')
        self._reward = reward
        self._games = -1
        self.seat = 0
        self.opponents: list[Opponent | None] = []
        self._playing = False

    @property
    def pool(self) -> tuple[Opponent, ...]:
        """Returns those from whom the opponents of each game are drawn."""
        return tuple(self._pool.pool)

    @property
    def has_own_reward(self) -> bool:
        """Returns whether the reward is a function that was given."""
        return callable(self._reward)

    def set_opponent(self, opponent: Any) -> None:
        """Plays against ``opponent``, as for the class, from the next game on."""
        self._pool = Opponents(opponent)

    def reset(self, seed: int | None = None) -> list[Message]:
        """Begins a game; the others play until it is my turn. Returns my messages.

        The seed determines seats, opponents and their choices, chance and random moves. Where the
        game is over before my first turn, the first step ends it whatever the reply is.
        """
        root = self.game.draw_seed(seed)
        self._games = self._games + 1 if seed is None else root
        self.seat = self._draw_seat(root)
        others = self._pool.draw(
            random.Random(derived_seed(root, "opponents")), self.game.start.num_players - 1
        )
        self.opponents = [*others[: self.seat], None, *others[self.seat :]]
        self.game.reset(root)
        self._playing = True
        self._let_others_play()
        return self.game.messages(self.seat)

    def _draw_seat(self, root: int) -> int:
        players, choice = self.game.start.num_players, self._seat_choice
        if choice == "random":
            return random.Random(derived_seed(root, "seats")).randrange(players)
        return self._games % players if choice == "alternate" else int(choice)

    def step(self, reply: str) -> tuple[list[Message], float, bool, bool, dict[str, Any]]:
        """Returns my messages after ``reply``, the reward, terminated, truncated and the info.

        ValueError where no game is being played.
        """
        if not self._playing:
            raise ValueError("no game is being played: call reset() before step()")
        if not self.game.over:
            self.game.step(reply)
            self._playing = False  # until all has gone well
            self._let_others_play()
        game = self.game
        truncated = game.truncated
        terminated, info = game.over and not truncated, game.info(self.seat)
        self._playing = not game.over
        utility = game.utilities[self.seat] if game.utilities and terminated else None
        if game.utilities and terminated:
            report_results(self.opponents, self.seat, game.utilities)
        reward = self._reward_of(utility, info)
        return game.messages(self.seat), reward, terminated, truncated, info

    def _reward_of(self, utility: float | None, info: dict[str, Any]) -> float:
        if callable(self._reward):
            return float(self._reward(utility, info))
        if self._reward == "grade" and info["failure"] != "forfeit":
            return reward_of_grade(info["grade"])
        return utility or 0.0

    def _let_others_play(self) -> None:
        """Plays until it is my turn or the game is over."""
        while (seat := self.game.seat) is not None and seat != self.seat:
            opponent = self.opponents[seat]
            assert opponent is not None
            self.game.play(opponent_action(opponent, self.game.session.position))


def _count(name: str, value: Any) -> int:
    """Returns ``value`` as an int of 0 or more; TypeError or ValueError."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be an integer, not {value!r}")
    if operator.index(value) < 0:
        raise ValueError(f"{name} must be 0 or more, not {value!r}")
    return operator.index(value)


@overload
def text_env(game: str | Position, *, seat: Literal["all"], **options: Any) -> TextGame: ...
@overload
def text_env(game: str | Position, *, seat: str | int = "random", **options: Any) -> TextEnv: ...
def text_env(
    game: str | Position, *, seat: str | int = "random", **options: Any
) -> TextEnv | TextGame:
    """Makes an environment of messages, for a language model: ``text_env("hex", size=5)``.

    ``seat`` is that of the model, "first", "second", "random", "alternate" or the number of a
    player, against opponents, see ``TextEnv``; with "all" every seat is a model's, see
    ``TextGame``. The other ``options`` are theirs, and the parameters of ``game``.
    """
    return TextGame(game, **options) if seat == "all" else TextEnv(game, seat=seat, **options)
