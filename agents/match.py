"""Games and matches: agents meet, every opening is played from all seats, results are counted."""

from __future__ import annotations

import hashlib
import operator
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from adv_envs import CHANCE, Position
from adv_envs.random import chance_action

from .agent import Agent, require_unfinished
from .faults import FAILURES, Forfeit, IllegalAction, describe, fault_of, require_player
from .human import Human, Resign, TakeBack
from .results import Game, MatchResult, label
from .spec import AgentLike, make


class MoveCallbacks:
    """Functions called around each reset and move, such as those of a clock. These do nothing."""

    def before_reset(self, player: int) -> None:
        """The agent of ``player`` is about to be reset."""

    def before(self, player: int, actions: Sequence[int], began: float) -> None:
        """``player`` is asked at the time ``began``, by ``perf_counter``, after ``actions``."""

    def after(self, player: int, seconds: float) -> None:
        """The player has answered. By a TimeoutError raised here it loses the game."""


def play_game(
    start: Position,
    players: Sequence[AgentLike],
    seed: int | None = None,
    on_move: Callable[[Position, int | None], None] | None = None,
    callbacks: MoveCallbacks | None = None,
    chance_seed: int | None = None,
) -> Game:
    """Play from ``start``; player i is players[i]. ``on_move`` sees positions and their last moves.

    Players are agents, specs or functions from positions to actions. They are reset with seeds
    drawn from ``seed``, which also drives chance, unless there is a ``chance_seed``: games with the
    same one have the same deal, or each seat the same dice, whoever plays; see ``SameChance``. An
    agent is asked with what it sees of a position;
    ``on_move`` sees all of it. An agent that raises or answers with an illegal action loses the
    game there, and ``reason`` says why; resigning is a loss. It costs a player of two all that a
    game can cost, ``max_utility``; of more players 1, which the others share. When a ``Human``
    raises TakeBack the game goes back to the player's last move; other agents lose by it.
    ``callbacks`` are called around every reset and move. ValueError unless there is a player for
    every seat.
    """
    if len(players) != start.num_players:
        raise ValueError(f"{start.num_players} players are needed, not {len(players)}")
    agents = tuple(map(make, players))
    rng, callbacks = random.Random(seed), callbacks or MoveCallbacks()
    dice = Dice(rng) if chance_seed is None else SameChance(chance_seed)
    history, seconds = [start], [0.0] * len(agents)
    actions: list[int] = []
    lost = partial(_lost, start, agents, actions, seconds)
    for player, agent in enumerate(agents):
        callbacks.before_reset(player)
        try:
            agent.reset(rng.getrandbits(32))
        except FAILURES as error:  # its own failure is its loss, on the record
            return lost(player, fault_of(error), _failure(error))
    while not (position := history[-1]).is_terminal():
        to_move = position.to_move
        if to_move == CHANCE:
            action = dice.throw(history)
        else:
            began = time.perf_counter()
            try:
                callbacks.before(to_move, actions, began)
                try:
                    action = ask(agents[to_move], position)
                finally:
                    spent = time.perf_counter() - began
                    seconds[to_move] += spent
                callbacks.after(to_move, spent)
            except TakeBack:
                if not isinstance(agents[to_move], Human):
                    return lost(to_move, "illegal", "failed: only people take moves back")
                _take_back(history, actions, to_move, dice)
                continue
            except Resign:
                return lost(to_move, "resigned", "resigned")
            except FAILURES as error:
                return lost(to_move, fault_of(error), _failure(error))
        actions.append(action)
        history.append(position.play(action))
        if on_move is not None:
            on_move(history[-1], action)
    utilities = tuple(float(position.utility(player)) for player in range(len(agents)))
    return Game(start, agents, tuple(actions), utilities, tuple(seconds))


class Dice:
    """Draws the actions of chance; after moves are taken back, the same ones again."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._states: dict[int, Any] = {}  # of the generator, before the draw at each ply

    def throw(self, history: Sequence[Position]) -> int:
        """The action of chance at the last of these positions."""
        self._states[len(history) - 1] = self._rng.getstate()
        return chance_action(history[-1], self._rng.random())

    def rewind(self, ply: int) -> None:
        """Go back to ``ply`` actions: the next draw is the one that was made first after them."""
        for later in sorted((p for p in self._states if p >= ply), reverse=True):
            self._rng.setstate(self._states.pop(later))


class SameChance(Dice):
    """Draws the same actions of chance in different games: duplicate deals, or dice by seat.

    The random number of a draw is a function of ``seed`` and of how many draws there were before.
    Cards that are dealt before anybody acts are so the same in all games, and later ones wherever
    the same are left. Where players see everything, as in games with dice, draws are counted for
    each seat: a throw belongs to the player who has moved last. So the n-th throw after a move of
    the first seat is the same in all games, even where the other seat throws more often.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._draws: list[tuple[int, int]] = []  # after how many plies, and for whom
        self._drawn = Counter[int]()

    def throw(self, history: Sequence[Position]) -> int:
        """The action of chance at the last of these positions."""
        here, thrower = history[-1], CHANCE
        if here.perfect_information:
            movers = (position.to_move for position in reversed(history))
            thrower = next((player for player in movers if player != CHANCE), CHANCE)
        text = b"%d %d %d" % (self._seed, thrower, self._drawn[thrower])
        self._draws.append((len(history) - 1, thrower))
        self._drawn[thrower] += 1
        number = int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big")
        return chance_action(here, (number >> 11) * 2.0**-53)

    def rewind(self, ply: int) -> None:
        """Go back to ``ply`` actions."""
        while self._draws and self._draws[-1][0] >= ply:
            self._drawn[self._draws.pop()[1]] -= 1


def _take_back(history: list[Position], actions: list[int], to_move: int, dice: Dice) -> None:
    """Back to before the player's last move, if there was one."""
    own = [i for i, before in enumerate(history[:-1]) if before.to_move == to_move]
    if own:
        del history[own[-1] + 1 :], actions[own[-1] :]
        dice.rewind(len(actions))


def ask(agent: Agent, position: Position) -> int:
    """The action of the agent to move, which sees its view; IllegalAction if it is not legal."""
    position = position.hidden(position.to_move)
    action = to_action(agent.act(position))
    if not position.legal(action):
        raise IllegalAction(f"{action} is not a legal action")
    return action


def to_action(answer: Any) -> int:
    """Return an agent's answer as an integer; IllegalAction if it is not one."""
    try:
        action = operator.index(answer)
    except TypeError:
        raise IllegalAction(f"{answer!r} is not a legal action") from None
    if not -(2**63) <= action < 2**63:
        raise IllegalAction("an integer of more than 64 bits is not a legal action")
    return action


def _failure(error: BaseException) -> str:
    return f"failed: {error.why if isinstance(error, Forfeit) else describe(error)}"


def _lost(
    start: Position,
    players: Sequence[Agent],
    actions: list[int],
    seconds: list[float],
    loser: int,
    fault: str,
    why: str,
) -> Game:
    cost = float(start.max_utility) if len(players) == 2 else 1.0
    share = cost / (len(players) - 1)
    utilities = tuple(-cost if player == loser else share for player in range(len(players)))
    reason = f"player {loser}, {label(players[loser])}, {why}"
    return Game(
        start, tuple(players), tuple(actions), utilities, tuple(seconds), reason, loser, fault
    )


def match(
    position: Position,
    *agents: AgentLike,
    pairs: int = 10,
    seed: int = 0,
    plies: int = 0,
    on_game: Callable[[MatchResult], None] | None = None,
) -> MatchResult:
    """Play ``pairs`` openings, each twice: first with the first agent in the first seat.

    ``agents`` are agents, specs or functions from positions to actions, one for each player of the
    game. Where there are n players, each opening is played n times, with the seats rotated. Each
    opening is ``position`` after ``plies`` random moves that do not end the game, drawn from
    ``seed``, as all randomness is. Agents that are not random need openings, or they play one game
    over and over: ``distinct`` tells. Chance is the same in all games of an opening: cards are
    dealt to the seats, so that with them the agents swap the deal. ``on_game`` sees the result
    after every game.

    Raises ValueError for another number of agents and for fewer than one pair, and CannotPlay, a
    ValueError, for an agent that cannot play this game at all. An agent that fails in another way
    loses that game; the result says so when it is printed.
    """
    require_unfinished(position)
    if len(agents) != position.num_players or len(agents) < 2:
        needed = f"{position.num_players} agents, one for each player"
        raise ValueError(f"a match of this game needs {needed}, not {len(agents)}")
    if pairs < 1 or plies < 0:
        raise ValueError("a match needs at least 1 pair and not fewer than 0 plies")
    result = MatchResult(tuple(map(make, agents)))
    for agent in result.agents:
        require_player(agent, position)
    for pair in range(pairs):
        rng = random.Random(f"{seed} {pair}")
        start = random_opening(position, plies, rng)
        chance_seed = random.Random(f"{seed} {pair} chance").getrandbits(64)
        for turn in range(len(agents)):
            seats = result.agents[-turn:] + result.agents[:-turn] if turn else result.agents
            game_seed = rng.getrandbits(32)
            result.add(play_game(start, seats, game_seed, chance_seed=chance_seed))
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
            here = here.play(random_action(here, rng))
        if not here.is_terminal():
            return here
    raise ValueError(f"no opening of {plies} plies leaves the game unfinished")


def random_action(position: Position, rng: random.Random) -> int:
    """A legal action, each as likely; one of chance by its probability."""
    if position.to_move == CHANCE:
        return chance_action(position, rng.random())
    return rng.choice(position.legal_actions())
