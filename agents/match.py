"""Matches: agents meet, every opening is played twice with seats swapped, results are counted."""

from __future__ import annotations

import operator
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from adv_envs import CHANCE, Position
from adv_envs.notation import write_line

from .agent import Agent, require_unfinished
from .human import Resign, TakeBack


@dataclass(frozen=True)
class Game:
    """A game that was played: from where, by whom, how, and how it ended."""

    start: Position
    players: tuple[Agent, ...]
    actions: tuple[int, ...]
    utilities: tuple[float, ...]
    """What the game was worth to each player."""
    seconds: tuple[float, ...]
    """Time each player thought."""
    reason: str = ""
    """Why it ended before its end: who resigned, made an illegal move or failed, and how."""

    @property
    def end(self) -> Position:
        """The last position."""
        return self.start.after(self.actions)

    @property
    def moves(self) -> str:
        """The actions as text."""
        return write_line(self.start, self.actions)


def play_game(
    start: Position,
    players: Sequence[Agent],
    seed: int | None = None,
    on_move: Callable[[Position, int | None], None] | None = None,
) -> Game:
    """Play from ``start``; player i is players[i]. ``on_move`` sees positions and their last moves.

    Agents are reset with seeds drawn from ``seed``, which also drives chance. An agent that raises
    or answers with an illegal action loses the game there, and ``reason`` says why; resigning is a
    loss. A loss is utility -1, which the others share. "undo" goes back to the player's last move.
    """
    if len(players) != start.num_players:
        raise ValueError(f"{start.num_players} players are needed, not {len(players)}")
    rng = random.Random(seed)
    for agent in players:
        agent.reset(rng.getrandbits(32))
    history, seconds = [start], [0.0] * len(players)
    actions: list[int] = []
    while not (position := history[-1]).is_terminal():
        mover = position.to_move
        if mover == CHANCE:
            weights = [position.probability(a) for a in range(position.num_actions)]
            action = rng.choices(range(position.num_actions), weights)[0]
        else:
            began = time.perf_counter()
            try:
                action = _ask(players[mover], position)
            except TakeBack:
                own = [i for i, before in enumerate(history[:-1]) if before.to_move == mover]
                if own:  # back to before the player's last move
                    del history[own[-1] + 1 :], actions[own[-1] :]
                continue
            except Resign:
                return _lost(start, players, actions, seconds, mover, "resigned")
            except Exception as error:  # the agent's own failure is its loss, on the record
                why = f"failed: {type(error).__name__}: {error}"
                return _lost(start, players, actions, seconds, mover, why)
            finally:
                seconds[mover] += time.perf_counter() - began
        actions.append(action)
        history.append(position.play(action))
        if on_move is not None:
            on_move(history[-1], action)
    utilities = tuple(float(position.utility(player)) for player in range(len(players)))
    return Game(start, tuple(players), tuple(actions), utilities, tuple(seconds))


def _ask(agent: Agent, position: Position) -> int:
    action = agent.act(position)
    if not hasattr(action, "__index__") or action not in position.legal_actions():
        raise ValueError(f"{action!r} is not a legal action")
    return operator.index(action)


def _lost(
    start: Position,
    players: Sequence[Agent],
    actions: list[int],
    seconds: list[float],
    loser: int,
    why: str,
) -> Game:
    share = 1.0 / (len(players) - 1)
    utilities = tuple(-1.0 if player == loser else share for player in range(len(players)))
    reason = f"player {loser}, {players[loser]!r}, {why}"
    return Game(start, tuple(players), tuple(actions), utilities, tuple(seconds), reason)


@dataclass
class Score:
    """Wins, draws and losses."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def count(self, utility: float) -> None:
        """Add a game that was worth ``utility``."""
        self.wins += utility > 0
        self.draws += utility == 0
        self.losses += utility < 0

    def __add__(self, other: Score) -> Score:
        return Score(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """A win is 1, a draw a half."""
        return self.wins + 0.5 * self.draws

    def __str__(self) -> str:
        return f"+{self.wins} ={self.draws} -{self.losses}"


@dataclass
class MatchResult:
    """The result of a match, from the point of view of the first agent."""

    agents: tuple[Agent, Agent]
    first: Score = field(default_factory=Score)
    """The games in which the first agent had the first seat."""
    second: Score = field(default_factory=Score)
    """The games in which it had the second."""
    games: list[Game] = field(default_factory=list)

    @property
    def total(self) -> Score:
        """All games."""
        return self.first + self.second

    @property
    def distinct(self) -> int:
        """How many of the games differ from one another."""
        return len({(repr(game.players), game.start, game.actions) for game in self.games})

    @property
    def seconds(self) -> tuple[float, float]:
        """Time each agent thought."""
        mine = sum(game.seconds[i % 2] for i, game in enumerate(self.games))
        theirs = sum(game.seconds[1 - i % 2] for i, game in enumerate(self.games))
        return mine, theirs

    def to_dict(self) -> dict[str, Any]:
        """The result in plain data, for JSON."""
        return {
            "agents": [repr(agent) for agent in self.agents],
            "first_seat": vars(self.first),
            "second_seat": vars(self.second),
            "distinct_games": self.distinct,
            "seconds": list(self.seconds),
            "games": [
                {
                    "players": [repr(agent) for agent in game.players],
                    "start": repr(game.start),
                    "moves": game.moves,
                    "utilities": list(game.utilities),
                    "reason": game.reason,
                }
                for game in self.games
            ],
        }


def match(
    position: Position,
    a: Agent,
    b: Agent,
    pairs: int = 10,
    seed: int = 0,
    plies: int = 0,
    on_game: Callable[[MatchResult], None] | None = None,
) -> MatchResult:
    """Play ``pairs`` pairs of games: the same opening twice, first with ``a`` in the first seat.

    Each opening is ``position`` after ``plies`` random moves that do not end the game, drawn from
    ``seed``, as all randomness is. Agents that are not random need openings, or they play one game
    over and over: ``distinct`` tells. ``on_game`` sees the result after every game. Raises
    ValueError for a game not for two players, and for fewer than one pair.
    """
    require_unfinished(position)
    if position.num_players != 2:
        raise ValueError(f"a match is played by two, not {position.num_players}: use play_game")
    if pairs < 1 or plies < 0:
        raise ValueError("a match needs at least 1 pair and not fewer than 0 plies")
    result = MatchResult((a, b))
    for pair in range(pairs):
        rng = random.Random(f"{seed} {pair}")
        start = random_opening(position, plies, rng)
        for swapped in (False, True):
            seats = (b, a) if swapped else (a, b)
            game = play_game(start, seats, rng.getrandbits(32))
            (result.second if swapped else result.first).count(game.utilities[swapped])
            result.games.append(game)
            if on_game is not None:
                on_game(result)
    return result


def random_opening(position: Position, plies: int, rng: random.Random) -> Position:
    """``position`` after ``plies`` random moves; ValueError if no such line can be found."""
    for _ in range(1000):
        here = position
        for _ in range(plies):
            if here.is_terminal():
                break
            here = here.play(rng.choice(here.legal_actions()))
        if not here.is_terminal():
            return here
    raise ValueError(f"no opening of {plies} plies leaves the game unfinished")
