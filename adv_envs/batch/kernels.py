"""The kernels of a batch: one step of each environment, and what its player sees, for every game.

An environment is a row of int64 numbers: the words of its position, as ``bits.pack`` writes them,
and the six columns that are named below. ``step`` unpacks, plays and packs the rows of a range of
environments; ``show`` writes their observations and masks. No kernel allocates memory. Each
environment has a random number generator of its own and reads and writes only its own row, so the
results are the same for every division of the environments among threads.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from adv_envs.bits import (
    BEYOND,
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
from adv_envs.position import CHANCE, Position
from adv_envs.random import advanced, below, chance_action, fraction

Rows = NDArray[np.int64]
"""Environments, shape (n, words + COLUMNS): the words of a position, then the columns below."""

Results = tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_]]
"""Rewards (n,), utilities (n, num_players), terminated (n,) and truncated (n,)."""

Layout = NDArray[np.int64]
"""Stretches of cells, shape (k, 6) for observations and (k, 4) for masks, see ``layout``."""

Sources = NDArray[np.uint8]
"""Where numbers come from, shape (2, numbers + BEYOND), see ``bits.unpack_bits``."""

Seen = tuple[NDArray[Any], NDArray[np.uint8], Layout, Sources, Layout, Sources]
"""What ``show`` writes and reads: planes, masks, and the layouts and sources of both."""

GENERATOR, STATUS, AGE, SEAT, TO_MOVE, NUMBER = range(6)
COLUMNS = 6
"""The columns after the words: the state of the generator; PLAYING, OVER, EARLY or WAITING; the
number of steps in this game; the player whose actions are given, if there are opponents; the player
to move, whose observation is shown; and the number of the game, counted from the seed."""

PLAYING, OVER, EARLY, WAITING = range(4)
"""The status of a game: it goes on; it has ended; it ended before the first turn of the
environment's seat; or it waits for the action of an external opponent."""

DRAW, BEGIN, ENTER, SKIP, STAY = -1, -2, -3, -4, -5
"""Commands in place of actions: play a random action, begin a new game, continue from the position
in the words, skip the environment, and leave it at the end of its game."""

NEXT_STEP, SAME_STEP, DISABLED = range(3)
"""When a new game follows one that ended: at the next step, in the same step, or by ``reset``."""

FIXED, RANDOM, ALTERNATE, GIVEN = range(4)
"""How the seat is chosen: the same in every game, at random, each player in turn from game to game,
or as it is written in the row."""

LISTED = False
"""Whether the game lists its legal actions; bound by the batch."""

TRIES = 6
"""How often a random action is drawn before the legal ones are counted."""

BLOCK = 256
"""How many environments are stepped before they are shown: their rows fit into the first cache."""

GAME: Any = None
"""The start position, bound by the batch: the parameters of the game become constants."""

ASKS = False
"""Whether there are external opponents, which act in the middle of a step; bound by the batch."""

OWN, OPP = 0, 1
"""The words of both players' stones, for boards of one word; bound by the batch."""

ENTRIES = 0
"""The set of the cells that must be empty for an action, for boards of one word whose actions are
in the order of these cells; bound by the batch."""

# ---- chance and opponents: the batch binds the second function of each pair where there are any


def after_dice(position: Any, state: int) -> tuple[Any, int]:
    """The position after all moves of chance; in games without chance, the same position."""
    return position, state


@kernel
def after_rolls(
    position: Any,
    state: int,
) -> tuple[Any, int]:
    """``after_dice`` in games with chance."""
    while not position.is_terminal() and position.to_move == CHANCE:
        state = advanced(state)
        position = position.play(chance_action(position, fraction(state)))
    return position, state


def after_replies(position: Any, seat: int, state: int) -> tuple[Any, int]:
    """The position where ``seat`` is to move or the game is over; without opponents, the same."""
    return position, state


@kernel
def after_opponent(
    position: Any,
    seat: int,
    state: int,
) -> tuple[Any, int]:
    """``after_replies`` with a compiled opponent, which plays all other seats."""
    while not position.is_terminal() and position.to_move != seat:
        action, state = reply(position, state)
        position, state = after_dice(position.play(action), state)
    return position, state


def reply(position: Any, state: int) -> tuple[int, int]:
    """The opponent's action, and the next state of the generator; bound by the batch."""
    return 0, state


@kernel
def random_reply(
    position: Any,
    state: int,
) -> tuple[int, int]:
    """``reply`` of a random opponent."""
    return any_legal(position, state)


@kernel
def greedy_reply(
    position: Any,
    state: int,
) -> tuple[int, int]:
    """``reply`` of an opponent that looks one move ahead, as the agent ``greedy`` does.

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
    """``move_value``; bound to ``mean_value`` in games with chance."""
    return move_value(child, player)


def move_value(child: Any, player: int) -> tuple[float, float]:
    """(utility, evaluation) of the position after a move for ``player``; one of them is 0."""
    if child.is_terminal():
        return float(child.utility(player)), 0.0
    value = float(evaluate(child))
    return 0.0, value if child.to_move == player else 0.0 - value


@kernel
def mean_value(
    child: Any,
    player: int,
) -> tuple[float, float]:
    """``move_value``, or its mean over the actions of chance where chance is to move."""
    if child.to_move != CHANCE or child.is_terminal():
        return move_value(child, player)
    utility, value = 0.0, 0.0
    for action in range(GAME.num_actions):
        if child.legal(action):
            probability = child.probability(action)
            after = move_value(child.play(action), player)
            utility, value = utility + probability * after[0], value + probability * after[1]
    return utility, value


def evaluate(position: Any) -> float:
    """The value of a position for the player to move; bound by the batch."""
    return 0.0


@inlined
def any_legal(position: Any, state: int) -> tuple[int, int]:
    """A random legal action, all equally likely, and the next state of the generator."""
    for _ in range(TRIES):
        state = advanced(state)
        action = below(state, GAME.num_actions)
        if position.legal(action):
            return action, state
    return counted(position, state)


@inlined
def counted(position: Any, state: int) -> tuple[int, int]:
    """``any_legal`` by counting the legal actions."""
    number = 0
    for action in range(GAME.num_actions):
        number += position.legal(action)
    state = advanced(state)
    left = below(state, number)
    before = 0  # without branches, which the processor could not predict
    for action in range(GAME.num_actions):
        left -= position.legal(action)
        before += 1 if left >= 0 else 0
    return before, state


@inlined
@kernel
def any_listed(
    position: Any,
    state: int,
) -> tuple[int, int]:
    """``any_legal`` for games that list their legal actions."""
    actions = scratch(GAME.num_actions)
    state = advanced(state)
    return int(actions[below(state, position.write_legal(actions))]), state


@inlined
@kernel
def any_free(
    position: Any,
    state: int,
) -> tuple[int, int]:
    """``any_legal`` for boards of one word, from the set of free cells."""
    state = advanced(state)
    free = ENTRIES & ~(position.own | position.opp)
    cell = nth(free, below(state, count(free)))
    return count(ENTRIES & (1 << cell) - 1), state


def viewer(position: Any, seat: int, last: int, number: int) -> int:
    """The player whose observation is shown: to move, or next after ``last`` where chance is."""
    to_move: int = position.to_move
    if to_move != CHANCE:
        return to_move
    return last + 1 if last + 1 < number else 0


def seated(position: Any, seat: int, last: int, number: int) -> int:
    """``viewer`` with opponents: always the player whose actions are given."""
    return seat


# ---- the step


@kernel
def run(
    start: Position,
    first: int,
    last: int,
    plies: int,
    draws: bool,
    rules: NDArray[np.int64],
    forfeit: float,
    actions: NDArray[np.int64],
    starts: Rows,
    rows: Rows,
    ends: Rows,
    results: Results,
    seen: Seen,
) -> int:
    """Make ``plies`` steps of environments ``first`` to ``last`` - 1; return how many games ended.

    ``actions``, int64 (n,), are actions, legal or not, or BEGIN, ENTER or SKIP; with ``draws`` they
    are ignored, and the random legal actions that were played are written there. ``rules``, int64
    (4,), says when new games begin, how seats are chosen, the largest number of steps of a game (0:
    no limit), and the fixed seat. ``forfeit`` is the reward for an illegal action. The last row of
    each game that ends is copied to ``ends``, which has n rows, or none if they are not needed.
    ``results`` are the outputs of ``step``, ``seen`` those of ``show``.
    """
    rewards, utilities, terminated, truncated = results
    planes, masks, layout, sources, mask_layout, mask_sources = seen
    ended = 0
    for _ in range(plies):
        for low in range(first, last, BLOCK):
            high = min(low + BLOCK, last)
            ended += step(
                start, low, high, draws, rules, forfeit, actions, starts, rows, ends, rewards,
                utilities, terminated, truncated,
            )  # fmt: skip
            show(
                start, low, high, last, rows, planes, masks, layout, sources, mask_layout,
                mask_sources,
            )  # fmt: skip
    return ended


@kernel
def step(  # noqa: C901, PLR0912, PLR0915 - calls cost more than the rest
    start: Position,
    first: int,
    last: int,
    draws: bool,
    rules: NDArray[np.int64],
    forfeit: float,
    actions: NDArray[np.int64],
    starts: Rows,
    rows: Rows,
    ends: Rows,
    rewards: NDArray[np.float32],
    utilities: NDArray[np.float32],
    terminated: NDArray[np.bool_],
    truncated: NDArray[np.bool_],
) -> int:
    """Make one step of each environment; return how many games ended.

    Outputs: ``rewards``, float32 (n,), for the player who acted; ``utilities``, float32 (n,
    num_players), for each player; ``terminated`` and ``truncated``, bool (n,): whether the game
    ended by its rules, or by the limit of steps.

    Where the status is WAITING, the action is that of an external opponent and belongs to the same
    step: if the step has already ended a game, the results of that game are kept.
    """
    count, size, players = 0, num_words(GAME), GAME.num_players
    when, limit = int(rules[0]), int(rules[2])
    first_position = unpack_row(GAME, starts, 0)
    for env in range(index(first), index(last)):
        status = int(rows[env, size + STATUS])
        action = DRAW if draws else int(actions[env])
        if action >= DRAW and status == OVER:
            action = STAY if when == DISABLED else BEGIN
        if action == SKIP:
            continue
        state, age = int(rows[env, size + GENERATOR]), int(rows[env, size + AGE])
        seat, to_move = int(rows[env, size + SEAT]), int(rows[env, size + TO_MOVE])
        replies = ASKS and status == WAITING and action > BEGIN
        if replies:
            to_move = seat
        else:
            age += 1
        if age > 0 or not ASKS:
            rewards[env] = 0.0  # until the game ends
            for player in range(players):
                utilities[env, player] = 0.0
        if draws:
            actions[env] = 0
        if action == STAY:
            continue
        position, illegal, finished = unpack_row(GAME, rows, env), False, False
        if action <= BEGIN:
            age = 0
            if action == BEGIN:
                rows[env, size + NUMBER] += 1
                number = int(rows[env, size + NUMBER])
                position, state, seat = begun(first_position, state, seat, number, rules)
            else:
                finished = position.is_terminal()
                position, state = after_dice(position, state)
                position, state = after_replies(position, seat, state)
        elif status == PLAYING or replies:
            if action == DRAW:
                action, state = any_legal(position, state)
                actions[env] = action
            position, state, illegal = played(position, action, to_move, state)
        over, reward = illegal or position.is_terminal(), 0.0
        waiting = ASKS and not over and position.to_move != seat
        # Where the others end a game before the seat's first turn, its next action reports the end.
        done = over and (finished or age > 0)
        if done:
            for player in range(players):
                utilities[env, player] = settled(position, player, to_move, illegal, forfeit)
            reward = utilities[env, index(to_move)] if age > 0 else 0.0
        cut = age > 0 and age == limit and not done and not waiting
        if age > 0 or not replies:
            rewards[env], terminated[env], truncated[env] = reward, done, cut
        to_move = viewer(position, seat, to_move, players)
        status = status_of(done or cut, over)
        if (done or cut) and age > 0:
            count += 1
            if ends.shape[0] > 0:
                pack_row(position, ends, env)
                ends[env, size + TO_MOVE] = to_move
            if when == SAME_STEP:
                rows[env, size + NUMBER] += 1
                number = int(rows[env, size + NUMBER])
                position, state, seat = begun(first_position, state, seat, number, rules)
                to_move, age = viewer(position, seat, to_move, players), 0
                status = status_of(False, ended_early(position))
                waiting = ASKS and status == PLAYING and position.to_move != seat
        if waiting:
            status, to_move = WAITING, position.to_move
        pack_row(position, rows, env)
        rows[env, size + GENERATOR], rows[env, size + STATUS] = state, status
        rows[env, size + AGE], rows[env, size + SEAT] = age, seat
        rows[env, size + TO_MOVE] = to_move
    return count


@inlined
def played(position: Any, action: int, to_move: int, state: int) -> tuple[Any, int, bool]:
    """The position after the action, chance and opponents, and whether the action was illegal."""
    if not position.legal(action):
        return position, state, True
    position, state = after_dice(position.play(action), state)
    position, state = after_replies(position, to_move, state)
    return position, state, False


@inlined
def settled(position: Any, player: int, to_move: int, illegal: bool, forfeit: float) -> float:
    """The result of the finished game for ``player``, where ``to_move`` has acted."""
    if illegal:
        return forfeit if player == to_move else 0.0
    return float(position.utility(player))


@inlined
def status_of(ended: bool, over: bool) -> int:
    """The status where this step has ``ended`` the game, or where the position is ``over``."""
    if ended:
        return OVER
    return EARLY if over else PLAYING


@inlined
def begun(position: Any, state: int, seat: int, number: int, rules: Any) -> tuple[Any, int, int]:
    """The position of game ``number`` where the seat moves first, the state, and the seat."""
    if rules[1] == RANDOM:
        state = advanced(state)
        seat = below(state, GAME.num_players)
    elif rules[1] == ALTERNATE:
        seat = number % GAME.num_players
    elif rules[1] == FIXED:
        seat = int(rules[3])
    position, state = after_dice(position, state)
    position, state = after_replies(position, seat, state)
    return position, state, seat


def ended_early(position: Any) -> bool:
    """Whether a new game is over before the seat's first turn; without others, it cannot be."""
    return False


def is_over(position: Any) -> bool:
    """``ended_early`` with a compiled opponent, or with chance."""
    return bool(position.is_terminal())


@kernel
def answer(
    start: Position,
    chosen: NDArray[np.bool_],
    actions: NDArray[np.int64],
    rows: Rows,
) -> None:
    """Write the action of ``reply`` where ``chosen``, bool (n,), and advance those generators."""
    size = num_words(GAME)
    for env in range(len(chosen)):
        if chosen[env]:
            state = int(rows[env, size + GENERATOR])
            action, state = reply(unpack_row(GAME, rows, env), state)
            actions[env], rows[env, size + GENERATOR] = action, state


# ---- what is seen


@kernel
def show(
    start: Position,
    first: int,
    last: int,
    end: int,
    rows: Rows,
    planes: NDArray[Any],
    masks: NDArray[np.uint8],
    layout: Layout,
    sources: Sources,
    mask_layout: Layout,
    mask_sources: Sources,
) -> None:
    """Write the observation of each player to move, and the mask, 1 where an action is legal.

    ``planes`` has the shape (n, *observation_shape). ``masks``, uint8, has the shape
    (n * num_actions,) and is all 1 where a game is over; or the shape (0,) if masks are not needed.
    The outputs of the environments ``last`` to ``end`` - 1 may be overwritten. Only boards use the
    other arguments, see ``layout``.
    """
    size, number = num_words(GAME), GAME.num_actions
    for env in range(first, last):
        position, to_move = unpack_row(GAME, rows, env), int(rows[env, size + TO_MOVE])
        over = rows[env, size + STATUS] != PLAYING
        planes[env].fill(0)
        position.observe(to_move, planes[env])
        if masks.shape[0] > 0:
            write_mask(position, over, 0, masks, env * number)


@kernel
def show_boards(
    start: Position,
    first: int,
    last: int,
    end: int,
    rows: Rows,
    planes: NDArray[Any],
    masks: NDArray[np.uint8],
    layout: Layout,
    sources: Sources,
    mask_layout: Layout,
    mask_sources: Sources,
) -> None:
    """``show`` for boards, from the bits of their words. ``planes`` has the shape (n * size,).

    ``bits.unpack_bits`` writes 32 numbers at a time: with a plain loop over the cells, whole steps
    take a sixth to a quarter longer (benchmarks/batch.py). It may write beyond the numbers of this
    environment into those of the next ones, which follow in this loop, but must not do so from
    environment ``end`` on, where another thread may be writing.
    """
    size, number, cells = num_words(GAME), GAME.num_actions, 2 * GAME.height * GAME.width
    stones, masked = GAME.num_stone_actions, masks.shape[0] > 0
    for env in range(first, last):
        position = unpack_row(GAME, rows, env)
        turn = 2 if rows[env, size + TO_MOVE] != position.to_move else 0
        for i in range(layout.shape[0]):
            own, opp = rows[env, layout[i, 2 + turn]], rows[env, layout[i, 3 + turn]]
            at, length = env * cells + layout[i, 0], layout[i, 1]
            if at + length + BEYOND < end * cells:
                unpack_bits(own, opp, sources, layout[i, 0], length, planes, at)
            else:
                unpack_bits_exactly(own, opp, sources, layout[i, 0], length, planes, at)
        if not masked:
            continue
        over = -1 if rows[env, size + STATUS] != PLAYING else 0
        for i in range(mask_layout.shape[0]):
            free = over | ~(rows[env, mask_layout[i, 2]] | rows[env, mask_layout[i, 3]])
            at, length = env * number + mask_layout[i, 0], mask_layout[i, 1]
            if at + length + BEYOND < end * number:
                unpack_bits(free, free, mask_sources, mask_layout[i, 0], length, masks, at)
            else:
                unpack_bits_exactly(free, free, mask_sources, mask_layout[i, 0], length, masks, at)
        write_mask(position, over != 0, stones, masks, env * number)


@kernel
def show_small_boards(
    start: Position,
    first: int,
    last: int,
    end: int,
    rows: Rows,
    planes: NDArray[Any],
    masks: NDArray[np.uint8],
    layout: Layout,
    sources: Sources,
    mask_layout: Layout,
    mask_sources: Sources,
) -> None:
    """``show_boards`` for boards of one word, where all lengths are constants of the game."""
    size, number, cells = num_words(GAME), GAME.num_actions, 2 * GAME.height * GAME.width
    stones, masked = GAME.num_stone_actions, masks.shape[0] > 0
    ample = end - BEYOND // stones - 1  # before these, unpack_bits cannot reach beyond ``end``
    for env in range(first, last):
        row, position = index(env), unpack_row(GAME, rows, index(env))
        own, opp = rows[row, OWN], rows[row, OPP]
        if rows[row, size + TO_MOVE] != position.to_move:
            own, opp = opp, own
        over = rows[row, size + STATUS] != PLAYING
        free = -1 if over else ~(own | opp)
        if env < ample:
            unpack_bits(own, opp, sources, 0, cells, planes, env * cells)
            if masked:
                unpack_bits(free, free, mask_sources, 0, stones, masks, env * number)
        else:
            unpack_bits_exactly(own, opp, sources, 0, cells, planes, env * cells)
            if masked:
                unpack_bits_exactly(free, free, mask_sources, 0, stones, masks, env * number)
        if masked:
            write_mask(position, over, stones, masks, env * number)


@inlined
def write_mask(position: Any, over: bool, first: int, masks: Any, at: int) -> None:
    """Write the mask of the actions from ``first`` on, where that of action 0 is masks[at]."""
    number = GAME.num_actions
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


def unpack_bits_exactly(
    low: int, high: int, sources: Any, first: int, number: int, out: Any, at: int
) -> None:
    """``bits.unpack_bits`` that writes no more than ``number``: the rest is another's."""
    for i in range(first, first + number):
        word = high if sources[0, i] & 8 != 0 else low
        out[at + i - first] = word >> 8 * int(sources[0, i] & 7) & int(sources[1, i]) != 0
