"""Holds a batch's kernels: one step of each environment, and what its player sees.

An environment is a row of int64 numbers: the words of its position, as ``bits.pack`` writes them,
and the six columns that are named below. ``step`` unpacks, plays and packs the rows of a range of
environments; ``show`` writes their observations and masks. No kernel allocates memory. Each
environment has a random number generator of its own and reads and writes only its own row, so the
results are the same for every division of the environments among threads.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from adv_envs.bits import (
    count,
    index,
    nth,
    num_words,
    pack_row,
    scratch,
    unpack_bits,
    unpack_row,
)
from adv_envs.jit import inlined, kernel
from adv_envs.layout import Stretches
from adv_envs.position import CHANCE, Position
from adv_envs.random import advanced, below, chance_action, fraction

Rows = NDArray[np.int64]
"""Environments, shape (n, words + COLUMNS): the words of a position, then the columns below."""

GENERATOR, STATUS, AGE, SEAT, TO_MOVE, NUMBER = range(6)
COLUMNS = 6
"""The columns after the words: the state of the generator; the status, PLAYING to FORFEITED; the
number of steps in this game; the player whose actions are given, if there are opponents; the player
to move, whose observation is shown; and the number of the game, counted from the seed."""

PLAYING, CUT, WAITING, EARLY, OVER, FORFEITED = range(6)
"""The status of a game: it goes on; it was truncated, and the position could go on; it waits for
the action of an external opponent; it ended before the first turn of the environment's seat; it has
ended by its rules; or by an illegal action. The mask shows legal actions up to CUT, else all 1."""

DRAW, BEGIN, ENTER, SKIP, STAY = -1, -2, -3, -4, -5
"""Commands in place of actions: play a random action, begin a new game, continue from the position
in the words, skip the environment, and leave it at the end of its game."""

NEXT_STEP, SAME_STEP, DISABLED = range(3)
"""When a new game follows one that ended: at the next step, in the same step, or by ``reset``."""

FIXED, RANDOM, ALTERNATE, GIVEN = range(4)
"""How the seat is chosen: the same in every game, at random, each player in turn from game to game,
or as it is written in the row."""

NOBODY, COMPILED, EXTERNAL = range(3)
"""Who plays the other seats: nobody, as the actions are those of all players; ``reply``; or those
who are asked in the middle of a step."""

TRIES = 6
"""How often a random action is drawn before the legal ones are counted."""

BLOCK = 256
"""How many environments are stepped before they are shown: their rows fit into the first cache."""


# ---- the data of a batch


class Environments(NamedTuple):
    """Holds the environments of a batch."""

    rows: Rows
    """Where they stand."""
    ends: Rows
    """The last row of the game that ended in each; with SAME_STEP only, else of shape (0, ...)."""
    start: NDArray[np.int64]
    """The words of the position that games start from, shape (1, words)."""
    actions: NDArray[np.int64]
    """Actions, legal or not, or commands, shape (n,); random actions are written there."""


class Results(NamedTuple):
    """Holds what a step brought."""

    rewards: NDArray[np.float32]
    """Shape (n,): for the player who acted."""
    utilities: NDArray[np.float32]
    """Shape (n, num_players): for each player; 0 until the game ends by its rules."""
    terminated: NDArray[np.bool_]
    """Shape (n,): whether the game ended by its rules or an illegal action."""
    truncated: NDArray[np.bool_]
    """Shape (n,): whether the step was the last that the limit allows."""


class Seen(NamedTuple):
    """Holds what players see."""

    planes: NDArray[Any]
    """Shape (n, *observation_shape); of boards (n * size,)."""
    masks: NDArray[np.uint8]
    """Shape (n * num_actions,): 1 where an action is legal."""
    sources: NDArray[np.uint8]
    """Of boards, where the numbers of observations are, see ``layout.BoardLayout``."""
    mask_sources: NDArray[np.uint8]
    """Of boards, where the numbers of masks are."""


class Rules(NamedTuple):
    """Says how games follow each other."""

    autoreset: int
    """NEXT_STEP, SAME_STEP or DISABLED."""
    seating: int
    """FIXED, RANDOM, ALTERNATE or GIVEN."""
    seat: int
    """The fixed seat."""
    limit: int
    """The largest number of steps of a game; 0 for no limit."""
    forfeit: float
    """The reward for an illegal action."""


class Work(NamedTuple):
    """Says what one call of ``run`` does."""

    first: int
    last: int
    """The environments ``first`` to ``last`` - 1."""
    plies: int
    """How many steps each makes."""
    draws: bool
    """Whether actions are random instead of given."""


class Turn(NamedTuple):
    """Describes an environment after its action, chance and compiled opponents."""

    position: Any
    state: int
    """Of the generator."""
    seat: int
    acting: int
    """The player who acted."""
    age: int
    """The number of steps in this game; 0 where it has just begun."""
    illegal: bool
    """Whether the action was."""
    entered: bool
    """Whether the game was over when its position was set."""
    replied: bool
    """Whether it was an external opponent that acted, in the middle of a step."""


# ---- what a batch binds in all kernels


def even(position: Any) -> float:
    """Returns the evaluation of an opponent that has none."""
    return 0.0


class Facts(NamedTuple):
    """Holds what is known when a batch's kernels are compiled: constants, by their names."""

    GAME: Any = None
    """The start position: the parameters of the game become constants."""
    LISTED: bool = False
    """Whether the game lists its legal actions, and they fit on the stack."""
    HAS_CHANCE: bool = False
    """Whether chance ever moves."""
    OPPONENTS: int = NOBODY
    """NOBODY, COMPILED or EXTERNAL."""
    GREEDY: bool = False
    """Whether compiled opponents look one move ahead; else they play at random."""
    evaluate: Any = even
    """What greedy opponents think of a position, for the player to move."""
    ENTRIES: int = 0
    """The cells that must be empty for an action, if they decide what is legal, and actions are in
    their order, on a board of one word; else 0."""
    STONES: bool = False
    """Whether observations are the stones on a board, and these are constants of its layout:"""
    OWN: int = 0
    OPP: int = 0
    STRETCHES: Stretches = ()
    MASK_STRETCHES: Stretches = ()


(
    GAME, LISTED, HAS_CHANCE, OPPONENTS, GREEDY, evaluate,
    ENTRIES, STONES, OWN, OPP, STRETCHES, MASK_STRETCHES,
) = Facts()  # fmt: skip


# ---- chance, random actions and opponents


def after_chance(position: Any, state: int) -> tuple[Any, int]:
    """Returns the position after all moves of chance, and the next state of the generator."""
    while HAS_CHANCE and not position.is_terminal() and position.to_move == CHANCE:
        state = advanced(state)
        position = position.play(chance_action(position, fraction(state)))
    return position, state


@inlined
def after_others(position: Any, seat: int, state: int) -> tuple[Any, int]:
    """Returns the position after chance and compiled opponents, and the generator's state."""
    position, state = after_chance(position, state)
    while OPPONENTS == COMPILED and not position.is_terminal() and position.to_move != seat:
        action, state = reply(position, state)
        position, state = after_chance(position.play(action), state)
    return position, state


@inlined
def any_legal(position: Any, state: int) -> tuple[int, int]:
    """Returns a random legal action, all equally likely, and the next state of the generator."""
    state = advanced(state)
    if LISTED:
        actions = scratch(GAME.num_actions)
        return int(actions[below(state, position.write_legal(actions))]), state
    if ENTRIES != 0:
        free = ENTRIES & ~(position.own | position.opp)
        cell = nth(free, below(state, count(free)))
        return count(ENTRIES & (1 << cell) - 1), state
    for _ in range(TRIES):
        action = below(state, GAME.num_actions)
        if position.legal(action):
            return action, state
        state = advanced(state)
    return counted(position, state), state


@inlined
def counted(position: Any, state: int) -> int:
    """Returns a random legal action, found by counting them."""
    number = 0
    for action in range(GAME.num_actions):
        number += position.legal(action)
    left = below(state, number)
    before = 0  # without branches, which the processor could not predict
    for action in range(GAME.num_actions):
        left -= position.legal(action)
        before += 1 if left >= 0 else 0
    return before


def reply(position: Any, state: int) -> tuple[int, int]:
    """Returns the action of a compiled opponent, and the next state of the generator."""
    if GREEDY:
        return greedy_reply(position, state)
    return any_legal(position, state)


def greedy_reply(position: Any, state: int) -> tuple[int, int]:
    """Replies as an opponent that looks one move ahead, as the agent ``greedy`` does.

    It takes the action with the largest expected utility; among those with equal utility, the one
    with the largest expected evaluation; and among those that are still equal, a random one.
    """
    to_move, best, equals = position.to_move, 0, 0
    best_utility, best_value = 0.0, 0.0
    actions = scratch(GAME.num_actions if LISTED else 1)
    for i in range(position.write_legal(actions) if LISTED else GAME.num_actions):
        action = int(actions[i]) if LISTED else i
        if LISTED or position.legal(action):
            utility, value = expected_value(position.play(action), to_move)
            better = utility > best_utility or (utility == best_utility and value > best_value)
            if equals == 0 or better:
                best, best_utility, best_value, equals = action, utility, value, 1
            elif utility == best_utility and value == best_value:
                state, equals = advanced(state), equals + 1
                if below(state, equals) == 0:
                    best = action
    return best, state


def expected_value(child: Any, player: int) -> tuple[float, float]:
    """Returns the mean (utility, evaluation) for ``player``, over what chance may do."""
    if not HAS_CHANCE or child.to_move != CHANCE or child.is_terminal():
        return move_value(child, player)
    utility, value = 0.0, 0.0
    for action in range(GAME.num_actions):
        if child.legal(action):
            probability = child.probability(action)
            after = move_value(child.play(action), player)
            utility, value = utility + probability * after[0], value + probability * after[1]
    return utility, value


def move_value(child: Any, player: int) -> tuple[float, float]:
    """Returns (utility, evaluation) after a move for ``player``; one of them is 0."""
    if child.is_terminal():
        return float(child.utility(player)), 0.0
    value = float(evaluate(child))
    return 0.0, value if child.to_move == player else 0.0 - value


@kernel
def answer(
    start: Position,
    chosen: NDArray[np.bool_],
    actions: NDArray[np.int64],
    rows: Rows,
) -> None:
    """Writes the action of ``reply`` where ``chosen``, bool (n,), and advance those generators."""
    size = num_words(GAME)
    for env in range(len(chosen)):
        if chosen[env]:
            state = int(rows[env, size + GENERATOR])
            action, state = reply(unpack_row(GAME, rows, env), state)
            actions[env], rows[env, size + GENERATOR] = action, state


# ---- the step


@kernel
def run(
    start: Position,
    games: Environments,
    results: Results,
    seen: Seen,
    rules: Rules,
    work: Work,
) -> int:
    """Steps environments and shows them, block by block; returns how many games ended."""
    ended = 0
    for _ in range(work.plies):
        for low in range(work.first, work.last, BLOCK):
            high = min(low + BLOCK, work.last)
            ended += step(games, results, rules, low, high, work.draws)
            show(start, games.rows, seen, low, high, work.last)
    return ended


@kernel
def step(
    games: Environments,
    results: Results,
    rules: Rules,
    low: int,
    high: int,
    draws: bool,
) -> int:
    """Makes one step of the environments ``low`` to ``high`` - 1; returns how many games ended.

    Where the status is WAITING, the action is that of an external opponent and belongs to the same
    step: if the step has already ended a game, the results of that game are kept.
    """
    ended, size = 0, num_words(GAME)
    for env in range(index(low), index(high)):
        status = int(games.rows[env, size + STATUS])
        action = DRAW if draws else int(games.actions[env])
        if action >= DRAW and (status >= OVER or status == CUT):
            action = STAY if rules.autoreset == DISABLED else BEGIN
        if action == SKIP:
            continue
        if draws:
            games.actions[env] = 0
        if action == STAY:
            results.rewards[env] = 0.0
            for player in range(GAME.num_players):
                results.utilities[env, player] = 0.0
            continue
        turn = acted(games, rules, env, action, status)
        over = turn.illegal or turn.position.is_terminal()
        waiting = OPPONENTS == EXTERNAL and not over and turn.position.to_move != turn.seat
        if over or (turn.age > 0 and turn.age == rules.limit and not waiting):
            ended += finish(games, results, rules, env, turn, over)
        else:
            go_on(games, results, env, turn, waiting)
    return ended


@inlined
def acted(games: Any, rules: Any, env: int, action: int, status: int) -> Turn:
    """Returns the environment after an action or a command, chance and compiled opponents."""
    rows, size = games.rows, num_words(GAME)
    state, age = int(rows[env, size + GENERATOR]), int(rows[env, size + AGE])
    seat, acting = int(rows[env, size + SEAT]), int(rows[env, size + TO_MOVE])
    replied = OPPONENTS == EXTERNAL and status == WAITING and action > BEGIN
    if replied:
        acting = seat
    else:
        age += 1
    position, illegal, entered = unpack_row(GAME, rows, env), False, False
    if action == BEGIN:
        position, age = unpack_row(GAME, games.start, 0), 0
        seat, state = next_seat(games, rules, env, seat, state)
    elif action == ENTER:
        entered, age = position.is_terminal(), 0
    elif status == PLAYING or replied:
        if action == DRAW:
            action, state = any_legal(position, state)
            games.actions[env] = action
        illegal = not position.legal(action)
        if not illegal:
            position = position.play(action)
    if not illegal:
        position, state = after_others(position, seat, state)
    return Turn(position, state, seat, acting, age, illegal, entered, replied)


@inlined
def next_seat(games: Any, rules: Any, env: int, seat: int, state: int) -> tuple[int, int]:
    """Returns the seat in the next game, which is counted, and the generator's state."""
    size = num_words(GAME)
    games.rows[env, size + NUMBER] += 1
    if rules.seating == RANDOM:
        state = advanced(state)
        return below(state, GAME.num_players), state
    if rules.seating == ALTERNATE:
        return int(games.rows[env, size + NUMBER]) % GAME.num_players, state
    return rules.seat if rules.seating == FIXED else seat, state


@inlined
def go_on(games: Any, results: Any, env: int, turn: Any, waiting: bool) -> None:
    """Writes the environment where the game goes on."""
    position, status = turn.position, WAITING if waiting else PLAYING
    if turn.age > 0 or not turn.replied:
        for player in range(GAME.num_players):
            results.utilities[env, player] = 0.0
        results.rewards[env] = 0.0
        results.terminated[env], results.truncated[env] = False, False
    to_move = position.to_move if waiting else viewer(position, turn.seat, turn.acting)
    pack_row(position, games.rows, env)
    write_columns(games.rows, env, (turn.state, status, turn.age, turn.seat, to_move))


def finish(games: Any, results: Any, rules: Any, env: int, turn: Any, over: bool) -> int:
    """Writes the environment where a game is over or cut off, and begins the next; 1 if it ended.

    Where the others end a game before the seat's first turn, its next action reports the end.
    """
    done, cut = over and (turn.entered or turn.age > 0), turn.age > 0 and turn.age == rules.limit
    position, state, seat, age = turn.position, turn.state, turn.seat, turn.age
    if age > 0 or not turn.replied:
        write_results(results, rules, env, turn, done)
        results.terminated[env], results.truncated[env] = done, cut
    status = CUT
    if over:
        status = (FORFEITED if turn.illegal else OVER) if done else EARLY
    to_move = viewer(position, seat, turn.acting)
    if age > 0 and rules.autoreset == SAME_STEP:
        pack_row(position, games.ends, env)
        write_columns(games.ends, env, (state, status, age, seat, to_move))
        seat, state = next_seat(games, rules, env, seat, state)
        position, state = after_others(unpack_row(GAME, games.start, 0), seat, state)
        status, age, to_move = PLAYING, 0, viewer(position, seat, to_move)
        if (HAS_CHANCE or OPPONENTS != NOBODY) and position.is_terminal():
            status = EARLY
        elif OPPONENTS == EXTERNAL and position.to_move != seat:
            status, to_move = WAITING, position.to_move
    pack_row(position, games.rows, env)
    write_columns(games.rows, env, (state, status, age, seat, to_move))
    return 1 if turn.age > 0 else 0


@inlined
def write_results(results: Any, rules: Any, env: int, turn: Any, done: bool) -> None:
    """Writes what the step brought to the players, if the game is ``done`` by its rules."""
    for player in range(GAME.num_players):
        utility = 0.0
        if done and turn.illegal:
            utility = rules.forfeit if player == turn.acting else 0.0
        elif done:
            utility = float(turn.position.utility(player))
        results.utilities[env, player] = utility
    acts = done and turn.age > 0
    results.rewards[env] = results.utilities[env, index(turn.acting)] if acts else 0.0


@inlined
def write_columns(rows: Any, env: int, values: tuple[int, int, int, int, int]) -> None:
    """Writes the columns of an environment from GENERATOR to TO_MOVE."""
    size = num_words(GAME)
    rows[env, size + GENERATOR], rows[env, size + STATUS] = values[0], values[1]
    rows[env, size + AGE], rows[env, size + SEAT] = values[2], values[3]
    rows[env, size + TO_MOVE] = values[4]


@inlined
def viewer(position: Any, seat: int, last: int) -> int:
    """Returns who sees the position: the seat, if there are opponents, else who is to move.

    Where chance is to move, that is the player after the ``last`` one.
    """
    if OPPONENTS != NOBODY:
        return seat
    to_move: int = position.to_move
    if to_move != CHANCE:
        return to_move
    return last + 1 if last + 1 < GAME.num_players else 0


# ---- what is seen


@kernel
def show(
    start: Position,
    rows: Rows,
    seen: Seen,
    first: int,
    last: int,
    end: int,
) -> None:
    """Writes the observation of each player to move, and the mask, 1 where an action is legal.

    Where a game has ended by its rules, the mask is all 1. The outputs of the environments ``last``
    to ``end`` - 1 may be overwritten.
    """
    size, number = num_words(GAME), GAME.num_actions
    for env in range(first, last):
        row = index(env)
        position, to_move = unpack_row(GAME, rows, row), int(rows[row, size + TO_MOVE])
        over = rows[row, size + STATUS] > CUT
        if STONES:
            write_stones(rows, seen, env, end, to_move != position.to_move)
        else:
            seen.planes[row].fill(0)
            position.observe(to_move, seen.planes[row])
        if STONES:
            write_free(rows, seen, env, end, over)
        write_mask(position, seen.masks, env * number, over)


@inlined
def write_stones(rows: Any, seen: Any, env: int, end: int, swap: bool) -> None:
    """Writes the observation of a board: what ``Board.observe`` writes, from the bits of the words.

    With a plain loop over the cells, whole steps take three to seven times as long
    (benchmarks/batch.py). ``swap``: for the player who is not to move.
    """
    size = 2 * GAME.height * GAME.width
    for i in range(len(STRETCHES)):
        at, length, word = STRETCHES[i]
        own, opp = rows[index(env), OWN + word], rows[index(env), OPP + word]
        words = (opp, own) if swap else (own, opp)
        unpack_bits(words, seen.sources, (at, length), seen.planes, env * size + at, end * size)


@inlined
def write_free(rows: Any, seen: Any, env: int, end: int, over: bool) -> None:
    """Writes the mask of the actions that place a stone on a free cell."""
    size = GAME.num_actions
    for i in range(len(MASK_STRETCHES)):
        at, length, word = MASK_STRETCHES[i]
        free = ~(rows[index(env), OWN + word] | rows[index(env), OPP + word])
        if over:
            free = -1
        words, place = (free, free), env * size + at
        unpack_bits(words, seen.mask_sources, (at, length), seen.masks, place, end * size)


@inlined
def write_mask(position: Any, masks: Any, at: int, over: bool) -> None:
    """Writes the mask of the other actions, where that of action 0 is masks[at]."""
    first, number = GAME.num_stone_actions if STONES else 0, GAME.num_actions
    if not LISTED:
        for action in range(first, number):
            masks[at + action] = over or position.legal(action)
        return
    masks[at + first : at + number] = over
    if not over:
        actions = scratch(number)
        for i in range(position.write_legal(actions)):
            if actions[i] >= first:
                masks[at + actions[i]] = 1
