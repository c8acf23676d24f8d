"""The step of a batch: what happens in each environment, written once for every game.

An environment is one game among many, and a row of int64 numbers: the words of its position, as
``bits.pack`` writes them, then the five columns named below. ``step`` takes environments by their
numbers, unpacks, plays and packs each; ``show`` writes what their players see. Nothing is
allocated, an environment touches nothing of another, and its random numbers come from a generator
of its own: so environments may be divided among threads in any way, or be given to the threads of a
GPU one by one, and the results are the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from adv_envs.bits import BEYOND, count, index, nth, num_words, pack_row, unpack_bits, unpack_row
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
"""After the words: the state of the generator; PLAYING, OVER, EARLY or WAITING; the steps of this
game; with an opponent, whose actions are given; whose move it is, who is also the one who looks;
and the number of the game, counted from the seed."""

PLAYING, OVER, EARLY, WAITING = range(4)
"""Whether a game is going on, ended, ended before it was the turn of the environment's seat, or
waits for the action of an opponent outside."""

DRAW, BEGIN, ENTER, SKIP, STAY = -1, -2, -3, -4, -5
"""In place of actions: a random one, begin another game, go on from the position in the words,
leave the environment alone, and leave it at the end of its game."""

NEXT_STEP, SAME_STEP, DISABLED = range(3)
"""When a game that ended is followed by another: at the next step, at once, or when told to."""

FIXED, RANDOM, ALTERNATE, GIVEN = range(4)
"""How the seat of the actions is chosen: once for all, by chance, the next one every game, or as it
is written in the row."""

TRIES = 6
"""So often a random action is drawn, before the legal ones are counted."""

BLOCK = 256
"""How many environments are stepped, then shown: few enough to stay in the first cache between."""

GAME: Any = None
"""The start of the game, bound by the batch: its parameters are compiled in, as constants."""

ASKS = False
"""Whether opponents are asked for their actions in the middle of a step, bound by the batch."""

OWN, OPP = 0, 1
"""Of a board of one word, bound by the batch: the words of the stones."""

ENTRIES = 0
"""Of such a board: the cells that must be empty for an action, in the order of the actions."""

# ---- who else moves: bound by the batch where there are dice, and where there is an opponent


def after_dice(position: Any, state: int) -> tuple[Any, int]:
    """The position when no die is rolling any more. Without dice: the same."""
    return position, state


@kernel
def after_rolls(
    position: Any,
    state: int,
) -> tuple[Any, int]:
    """What ``after_dice`` stands for in games with chance."""
    while not position.is_terminal() and position.to_move == CHANCE:
        state = advanced(state)
        position = position.play(chance_action(position, fraction(state)))
    return position, state


def after_replies(position: Any, seat: int, state: int) -> tuple[Any, int]:
    """The position when ``seat`` is to move or the game over. Without opponent: the same."""
    return position, state


@kernel
def after_opponent(
    position: Any,
    seat: int,
    state: int,
) -> tuple[Any, int]:
    """What ``after_replies`` stands for with an opponent, who plays all other seats."""
    while not position.is_terminal() and position.to_move != seat:
        action, state = reply(position, state)
        position, state = after_dice(position.play(action), state)
    return position, state


def reply(position: Any, state: int) -> tuple[int, int]:
    """The opponent's action, and the state of the generator after it; bound by the batch."""
    return 0, state


@kernel
def random_reply(
    position: Any,
    state: int,
) -> tuple[int, int]:
    """``reply`` of an opponent that plays at random."""
    return any_legal(position, state)


@kernel
def greedy_reply(
    position: Any,
    state: int,
) -> tuple[int, int]:
    """``reply`` of one that looks one move ahead, as the agent ``greedy`` does.

    It takes the action with the largest (expected) utility, of these the one with the largest
    (expected) ``evaluate`` of what is not over, and among equals any.
    """
    to_move, best, equals = position.to_move, 0, 0
    most_sure, most_hoped = 0.0, 0.0
    for action in range(GAME.num_actions):
        if position.legal(action):
            sure, hoped = outlook(position.play(action), to_move)
            better = sure > most_sure or (sure == most_sure and hoped > most_hoped)
            if equals == 0 or better:
                best, most_sure, most_hoped, equals = action, sure, hoped, 1
            elif sure == most_sure and hoped == most_hoped:
                state, equals = advanced(state), equals + 1
                if below(state, equals) == 0:
                    best = action
    return best, state


def outlook(child: Any, to_move: int) -> tuple[float, float]:
    """``move_value``; in games with chance ``mean_value`` stands for it."""
    return move_value(child, to_move)


def move_value(child: Any, to_move: int) -> tuple[float, float]:
    """(utility, evaluation) of a position for ``player to move``; one of them is 0."""
    if child.is_terminal():
        return float(child.utility(to_move)), 0.0
    value = float(evaluate(child))
    return 0.0, value if child.to_move == to_move else 0.0 - value


@kernel
def mean_value(
    child: Any,
    to_move: int,
) -> tuple[float, float]:
    """``move_value``, or its mean over what one roll may bring."""
    if child.to_move != CHANCE or child.is_terminal():
        return move_value(child, to_move)
    sure, hoped = 0.0, 0.0
    for action in range(GAME.num_actions):
        if child.legal(action):
            share = child.probability(action)
            after = move_value(child.play(action), to_move)
            sure, hoped = sure + share * after[0], hoped + share * after[1]
    return sure, hoped


def evaluate(position: Any) -> float:
    """The value of a position for the player to move; bound by the batch."""
    return 0.0


@inlined
def any_legal(position: Any, state: int) -> tuple[int, int]:
    """A random legal action, each as likely as the others, and the state after it."""
    for _ in range(TRIES):
        state = advanced(state)
        action = below(state, GAME.num_actions)
        if position.legal(action):
            return action, state
    return counted(position, state)


@inlined
def counted(position: Any, state: int) -> tuple[int, int]:
    """``any_legal``, found by counting the legal actions."""
    number = 0
    for action in range(GAME.num_actions):
        number += position.legal(action)
    state = advanced(state)
    left = below(state, number)
    before = 0  # no branches: nothing here can be foreseen
    for action in range(GAME.num_actions):
        left -= position.legal(action)
        before += 1 if left >= 0 else 0
    return before, state


@inlined
@kernel
def any_free(
    position: Any,
    state: int,
) -> tuple[int, int]:
    """``any_legal`` of a board of one word, from the set of the free cells."""
    state = advanced(state)
    free = ENTRIES & ~(position.own | position.opp)
    cell = nth(free, below(state, count(free)))
    return count(ENTRIES & (1 << cell) - 1), state


def viewer(position: Any, seat: int, last: int, number: int) -> int:
    """Who is to move, or would be next; ``seated`` stands for it with an opponent."""
    to_move: int = position.to_move
    if to_move != CHANCE:
        return to_move
    return last + 1 if last + 1 < number else 0


def seated(position: Any, seat: int, last: int, number: int) -> int:
    """Whose actions are given, always."""
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
    """``plies`` steps of the environments ``first`` to ``last`` - 1; how many games ended.

    For n environments, ``actions`` is int64 (n,), legal or not, BEGIN, ENTER or SKIP; if ``draws``,
    random legal ones are written there. ``rules`` is int64 (4,): when games begin anew, how seats
    are chosen, the largest number of steps of a game, 0 for no bound, and the seat that is fixed.
    ``forfeit`` is the reward for an illegal action. ``rows`` is int64 (n, words + COLUMNS). A game
    that ends leaves its last row in ``ends``, if that has n rows and not 0. ``results`` is
    (rewards, utilities, terminated, truncated), see ``step``; ``seen`` is (planes, masks, *layout),
    see ``show``.
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
    """One step of each environment; how many games ended.

    Written are ``rewards``, float32 (n,), what it brought to the one who acted; ``utilities``,
    float32 (n, num_players), what it brought to each player; ``terminated`` and ``truncated``, bool
    (n,): the game ended by its rules, or because it got too long.

    An environment that is WAITING takes its action for that of the opponent outside, as a part of
    the same step: what was written of a game that the step has ended remains.
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
            rewards[env] = 0.0  # nobody gets anything, until the game has ended
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
        # A game that the others end before the seat's first turn ends with its next action.
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
    """The position after the action and all that follows it, and whether it was illegal."""
    if not position.legal(action):
        return position, state, True
    position, state = after_dice(position.play(action), state)
    position, state = after_replies(position, to_move, state)
    return position, state, False


@inlined
def settled(position: Any, player: int, to_move: int, illegal: bool, forfeit: float) -> float:
    """What the end of the game brought to a player."""
    if illegal:
        return forfeit if player == to_move else 0.0
    return float(position.utility(player))


@inlined
def status_of(ended: bool, over: bool) -> int:
    """Of an environment whose game ended with the step, or whose position is over."""
    if ended:
        return OVER
    return EARLY if over else PLAYING


@inlined
def begun(position: Any, state: int, seat: int, number: int, rules: Any) -> tuple[Any, int, int]:
    """Game ``number`` from ``position``: chance and the others move until the seat's turn."""
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
    """Whether the game is over before the seat's turn, as it can be with an opponent."""
    return False


def is_over(position: Any) -> bool:
    """What ``ended_early`` stands for with an opponent."""
    return bool(position.is_terminal())


@kernel
def answer(
    start: Position,
    chosen: NDArray[np.bool_],
    actions: NDArray[np.int64],
    rows: Rows,
) -> None:
    """Write the action that ``reply`` takes where ``chosen``, bool (n,), and advance generators."""
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
    """Write what each player to move sees, and the mask, 1 where an action is legal.

    ``planes`` is (n, *observation_shape); ``masks`` is uint8 (n * num_actions,), all 1 where a game
    is over, or (0,): no masks are wanted. What is shown of the environments ``last`` to ``end`` - 1
    may be overwritten. The rest is for boards, see ``layout.py``.
    """
    size, number = num_words(GAME), GAME.num_actions
    for env in range(first, last):
        position, to_move = unpack_row(GAME, rows, env), int(rows[env, size + TO_MOVE])
        over = rows[env, size + STATUS] != PLAYING
        planes[env].fill(0)
        position.observe(to_move, planes[env])
        if masks.shape[0] > 0:
            for action in range(number):
                masks[env * number + action] = over or position.legal(action)


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
    """``show`` for boards, from the words. ``planes`` is (n * size,).

    Many numbers are written at a time, some of the next environments' with them, which come next;
    but nothing from environment ``end`` on, where another thread may be at work.
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
        for action in range(stones, number):
            masks[env * number + action] = over != 0 or position.legal(action)


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
    """``show_boards`` for boards of one word: how much is copied is known when this is compiled."""
    size, number, cells = num_words(GAME), GAME.num_actions, 2 * GAME.height * GAME.width
    stones, masked = GAME.num_stone_actions, masks.shape[0] > 0
    ample = (
        end - BEYOND // stones - 1
    )  # environments after which there is room for so many numbers more
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
            for action in range(stones, number):
                masks[env * number + action] = over or position.legal(action)


def unpack_bits_exactly(
    low: int, high: int, sources: Any, first: int, number: int, out: Any, at: int
) -> None:
    """``bits.unpack_bits`` that writes no more than ``number``: the rest is another's."""
    for i in range(first, first + number):
        word = high if sources[0, i] & 8 != 0 else low
        out[at + i - first] = word >> 8 * int(sources[0, i] & 7) & int(sources[1, i]) != 0
