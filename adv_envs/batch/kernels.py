"""The step of a batch: what happens in each lane, written once for every game.

A lane is one game among many, and a row of int64 numbers: the words of its position, as
``bits.pack`` writes them, then the five columns named below. ``step`` takes lanes by their numbers,
unpacks, plays and packs each; ``show`` writes what their players see. Nothing is allocated, a lane
touches nothing of another, and its random numbers come from a generator of its own: so lanes may be
divided among threads in any way, or be given to the threads of a GPU one by one, and the results
are the same.
"""

from __future__ import annotations

from typing import Any

from adv_envs.bits import BEYOND, count, index, nth, num_words, pack_row, unpack_bits, unpack_row
from adv_envs.jit import inlined, kernel
from adv_envs.position import CHANCE
from adv_envs.random import advanced, below, chance_action, fraction

GENERATOR, STATUS, AGE, SEAT, MOVER, NUMBER = range(6)
COLUMNS = 6
"""After the words: the state of the generator; PLAYING, OVER, EARLY or WAITING; the steps of this
game; with an opponent, whose actions are given; whose move it is, who is also the one who looks;
and the number of the game, counted from the seed."""

PLAYING, OVER, EARLY, WAITING = range(4)
"""Whether a game is going on, ended, ended before it was the turn of the lane's seat, or waits for
the action of an opponent outside."""

DRAW, BEGIN, ENTER, SKIP, STAY = -1, -2, -3, -4, -5
"""In place of actions: a random one, begin another game, go on from the position in the words,
leave the lane alone, and leave it at the end of its game."""

NEXT_STEP, SAME_STEP, DISABLED = range(3)
"""When a game that ended is followed by another: at the next step, at once, or when told to."""

FIXED, RANDOM, ALTERNATE, GIVEN = range(4)
"""How the seat of the actions is chosen: once for all, by chance, the next one every game, or as it
is written in the row."""

TRIES = 6
"""So often a random action is drawn, before the legal ones are counted."""

BLOCK = 256
"""How many lanes are stepped, then shown: few enough to stay in the first cache between."""

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
def after_rolls(position, state):  # type: ignore[no-untyped-def]
    """What ``after_dice`` stands for in games with chance."""
    while not position.is_terminal() and position.to_move == CHANCE:
        state = advanced(state)
        position = position.play(chance_action(position, fraction(state)))
    return position, state


def after_replies(position: Any, seat: int, state: int) -> tuple[Any, int]:
    """The position when ``seat`` is to move or the game over. Without opponent: the same."""
    return position, state


@kernel
def after_opponent(position, seat, state):  # type: ignore[no-untyped-def]
    """What ``after_replies`` stands for with an opponent, who plays all other seats."""
    while not position.is_terminal() and position.to_move != seat:
        action, state = reply(position, state)
        position, state = after_dice(position.play(action), state)
    return position, state


def reply(position: Any, state: int) -> tuple[int, int]:
    """The opponent's action, and the state of the generator after it; bound by the batch."""
    return 0, state


@kernel
def random_reply(position, state):  # type: ignore[no-untyped-def]
    """``reply`` of an opponent that plays at random."""
    return any_legal(position, state)


@kernel
def greedy_reply(position, state):  # type: ignore[no-untyped-def]
    """``reply`` of one that looks one move ahead, as the agent ``greedy`` does.

    It takes the action with the largest (expected) utility, of these the one with the largest
    (expected) ``evaluate`` of what is not over, and among equals any.
    """
    mover, best, equals = position.to_move, 0, 0
    most_sure, most_hoped = 0.0, 0.0
    for action in range(GAME.num_actions):
        if position.legal(action):
            sure, hoped = outlook(position.play(action), mover)
            better = sure > most_sure or (sure == most_sure and hoped > most_hoped)
            if equals == 0 or better:
                best, most_sure, most_hoped, equals = action, sure, hoped, 1
            elif sure == most_sure and hoped == most_hoped:
                state, equals = advanced(state), equals + 1
                if below(state, equals) == 0:
                    best = action
    return best, state


def outlook(child: Any, mover: int) -> tuple[float, float]:
    """``worth``; in games with chance ``mean_worth`` stands for it."""
    return worth(child, mover)


def worth(child: Any, mover: int) -> tuple[float, float]:
    """(utility, evaluation) of a position for ``mover``; one of them is 0."""
    if child.is_terminal():
        return float(child.utility(mover)), 0.0
    value = float(evaluate(child))
    return 0.0, value if child.to_move == mover else 0.0 - value


@kernel
def mean_worth(child, mover):  # type: ignore[no-untyped-def]
    """``worth``, or its mean over what one roll may bring."""
    if child.to_move != CHANCE or child.is_terminal():
        return worth(child, mover)
    sure, hoped = 0.0, 0.0
    for action in range(GAME.num_actions):
        if child.legal(action):
            share = child.probability(action)
            after = worth(child.play(action), mover)
            sure, hoped = sure + share * after[0], hoped + share * after[1]
    return sure, hoped


def evaluate(position: Any) -> float:
    """What a position is worth to the player to move; bound by the batch."""
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
def any_free(position, state):  # type: ignore[no-untyped-def]
    """``any_legal`` of a board of one word, from the set of the free cells."""
    state = advanced(state)
    free = ENTRIES & ~(position.own | position.opp)
    cell = nth(free, below(state, count(free)))
    return count(ENTRIES & (1 << cell) - 1), state


def viewer(position: Any, seat: int, last: int, number: int) -> int:
    """Who is to move, or would be next; ``seated`` stands for it with an opponent."""
    mover: int = position.to_move
    if mover != CHANCE:
        return mover
    return last + 1 if last + 1 < number else 0


def seated(position: Any, seat: int, last: int, number: int) -> int:
    """Whose actions are given, always."""
    return seat


# ---- the step


@kernel
def run(  # type: ignore[no-untyped-def]
    start, first, last, plies, draws, rules, forfeit, actions, starts, rows, ends, results, seen
):
    """``plies`` steps of the lanes ``first`` to ``last`` - 1; how many games ended.

    For n lanes, ``actions`` is int64 (n,), legal or not, BEGIN, ENTER or SKIP; if ``draws``, random
    legal ones are written there. ``rules`` is int64 (4,): when games begin anew, how seats are
    chosen, the largest number of steps of a game, 0 for no bound, and the seat that is fixed.
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
def step(  # type: ignore[no-untyped-def]  # noqa: C901, PLR0912, PLR0915 - calls cost more than the rest
    start, first, last, draws, rules, forfeit, actions, starts, rows, ends, rewards, utilities,
    terminated, truncated,
):  # fmt: skip
    """One step of each lane; how many games ended.

    Written are ``rewards``, float32 (n,), what it brought to the one who acted; ``utilities``,
    float32 (n, num_players), what it brought to each player; ``terminated`` and ``truncated``, bool
    (n,): the game ended by its rules, or because it got too long.

    A lane that is WAITING takes its action for that of the opponent outside, as a part of the same
    step: what was written of a game that the step has ended remains.
    """
    count, size, players = 0, num_words(GAME), GAME.num_players
    when, limit = int(rules[0]), int(rules[2])
    first_position = unpack_row(GAME, starts, 0)
    for lane in range(index(first), index(last)):
        status = int(rows[lane, size + STATUS])
        action = DRAW if draws else int(actions[lane])
        if action >= DRAW and status == OVER:
            action = STAY if when == DISABLED else BEGIN
        if action == SKIP:
            continue
        state, age = int(rows[lane, size + GENERATOR]), int(rows[lane, size + AGE])
        seat, mover = int(rows[lane, size + SEAT]), int(rows[lane, size + MOVER])
        replies = ASKS and status == WAITING and action > BEGIN
        if replies:
            mover = seat
        else:
            age += 1
        if age > 0 or not ASKS:
            rewards[lane] = 0.0  # nobody gets anything, until the game has ended
            for player in range(players):
                utilities[lane, player] = 0.0
        if draws:
            actions[lane] = 0
        if action == STAY:
            continue
        position, illegal, finished = unpack_row(GAME, rows, lane), False, False
        if action <= BEGIN:
            age = 0
            if action == BEGIN:
                rows[lane, size + NUMBER] += 1
                number = int(rows[lane, size + NUMBER])
                position, state, seat = begun(first_position, state, seat, number, rules)
            else:
                finished = position.is_terminal()
                position, state = after_dice(position, state)
                position, state = after_replies(position, seat, state)
        elif status == PLAYING or replies:
            if action == DRAW:
                action, state = any_legal(position, state)
                actions[lane] = action
            position, state, illegal = played(position, action, mover, state)
        over, reward = illegal or position.is_terminal(), 0.0
        waiting = ASKS and not over and position.to_move != seat
        # A game that the others end before the seat's first turn ends with its next action.
        done = over and (finished or age > 0)
        if done:
            for player in range(players):
                utilities[lane, player] = settled(position, player, mover, illegal, forfeit)
            reward = utilities[lane, index(mover)] if age > 0 else 0.0
        cut = age > 0 and age == limit and not done and not waiting
        if age > 0 or not replies:
            rewards[lane], terminated[lane], truncated[lane] = reward, done, cut
        mover = viewer(position, seat, mover, players)
        status = status_of(done or cut, over)
        if (done or cut) and age > 0:
            count += 1
            if ends.shape[0] > 0:
                pack_row(position, ends, lane)
                ends[lane, size + MOVER] = mover
            if when == SAME_STEP:
                rows[lane, size + NUMBER] += 1
                number = int(rows[lane, size + NUMBER])
                position, state, seat = begun(first_position, state, seat, number, rules)
                mover, age = viewer(position, seat, mover, players), 0
                status = status_of(False, ended_early(position))
                waiting = ASKS and status == PLAYING and position.to_move != seat
        if waiting:
            status, mover = WAITING, position.to_move
        pack_row(position, rows, lane)
        rows[lane, size + GENERATOR], rows[lane, size + STATUS] = state, status
        rows[lane, size + AGE], rows[lane, size + SEAT] = age, seat
        rows[lane, size + MOVER] = mover
    return count


@inlined
def played(position: Any, action: int, mover: int, state: int) -> tuple[Any, int, bool]:
    """The position after the action and all that follows it, and whether it was illegal."""
    if not position.legal(action):
        return position, state, True
    position, state = after_dice(position.play(action), state)
    position, state = after_replies(position, mover, state)
    return position, state, False


@inlined
def settled(position: Any, player: int, mover: int, illegal: bool, forfeit: float) -> float:
    """What the end of the game brought to a player."""
    if illegal:
        return forfeit if player == mover else 0.0
    return float(position.utility(player))


@inlined
def status_of(ended: bool, over: bool) -> int:
    """Of a lane whose game ended with the step, or whose position is over."""
    if ended:
        return OVER
    return EARLY if over else PLAYING


@inlined
def begun(position: Any, state: int, seat: int, number: int, rules: Any) -> tuple[Any, int, int]:
    """Game ``number`` from ``position``: chance and the others move until it is the lane's turn."""
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
def answer(start, chosen, actions, rows):  # type: ignore[no-untyped-def]
    """Write the action that ``reply`` takes where ``chosen``, bool (n,), and advance generators."""
    size = num_words(GAME)
    for lane in range(len(chosen)):
        if chosen[lane]:
            state = int(rows[lane, size + GENERATOR])
            action, state = reply(unpack_row(GAME, rows, lane), state)
            actions[lane], rows[lane, size + GENERATOR] = action, state


# ---- what is seen


@kernel
def show(  # type: ignore[no-untyped-def]
    start, first, last, end, rows, planes, masks, layout, sources, mask_layout, mask_sources
):
    """Write what the mover of each lane sees, and the mask, 1 where an action is legal.

    ``planes`` is (n, *observation_shape); ``masks`` is uint8 (n * num_actions,), all 1 where a game
    is over, or (0,): no masks are wanted. What is shown of the lanes ``last`` to ``end`` - 1 may be
    overwritten. The rest is for boards, see ``layout.py``.
    """
    size, number = num_words(GAME), GAME.num_actions
    for lane in range(first, last):
        position, mover = unpack_row(GAME, rows, lane), int(rows[lane, size + MOVER])
        over = rows[lane, size + STATUS] != PLAYING
        planes[lane].fill(0)
        position.observe(mover, planes[lane])
        if masks.shape[0] > 0:
            for action in range(number):
                masks[lane * number + action] = over or position.legal(action)


@kernel
def show_boards(  # type: ignore[no-untyped-def]
    start, first, last, end, rows, planes, masks, layout, sources, mask_layout, mask_sources
):
    """``show`` for boards, from the words. ``planes`` is (n * size,).

    Many numbers are written at a time, some of the next lanes' with them, which come next; but
    nothing from lane ``end`` on, where another thread may be at work.
    """
    size, number, cells = num_words(GAME), GAME.num_actions, 2 * GAME.height * GAME.width
    stones, masked = GAME.num_stone_actions, masks.shape[0] > 0
    for lane in range(first, last):
        position = unpack_row(GAME, rows, lane)
        turn = 2 if rows[lane, size + MOVER] != position.to_move else 0
        for i in range(layout.shape[0]):
            own, opp = rows[lane, layout[i, 2 + turn]], rows[lane, layout[i, 3 + turn]]
            at, length = lane * cells + layout[i, 0], layout[i, 1]
            if at + length + BEYOND < end * cells:
                unpack_bits(own, opp, sources, layout[i, 0], length, planes, at)
            else:
                unpack_bits_exactly(own, opp, sources, layout[i, 0], length, planes, at)
        if not masked:
            continue
        over = -1 if rows[lane, size + STATUS] != PLAYING else 0
        for i in range(mask_layout.shape[0]):
            free = over | ~(rows[lane, mask_layout[i, 2]] | rows[lane, mask_layout[i, 3]])
            at, length = lane * number + mask_layout[i, 0], mask_layout[i, 1]
            if at + length + BEYOND < end * number:
                unpack_bits(free, free, mask_sources, mask_layout[i, 0], length, masks, at)
            else:
                unpack_bits_exactly(free, free, mask_sources, mask_layout[i, 0], length, masks, at)
        for action in range(stones, number):
            masks[lane * number + action] = over != 0 or position.legal(action)


@kernel
def show_small_boards(  # type: ignore[no-untyped-def]
    start, first, last, end, rows, planes, masks, layout, sources, mask_layout, mask_sources
):
    """``show_boards`` for boards of one word: how much is copied is known when this is compiled."""
    size, number, cells = num_words(GAME), GAME.num_actions, 2 * GAME.height * GAME.width
    stones, masked = GAME.num_stone_actions, masks.shape[0] > 0
    ample = end - BEYOND // stones - 1  # lanes after which there is room for so many numbers more
    for lane in range(first, last):
        row, position = index(lane), unpack_row(GAME, rows, index(lane))
        own, opp = rows[row, OWN], rows[row, OPP]
        if rows[row, size + MOVER] != position.to_move:
            own, opp = opp, own
        over = rows[row, size + STATUS] != PLAYING
        free = -1 if over else ~(own | opp)
        if lane < ample:
            unpack_bits(own, opp, sources, 0, cells, planes, lane * cells)
            if masked:
                unpack_bits(free, free, mask_sources, 0, stones, masks, lane * number)
        else:
            unpack_bits_exactly(own, opp, sources, 0, cells, planes, lane * cells)
            if masked:
                unpack_bits_exactly(free, free, mask_sources, 0, stones, masks, lane * number)
        if masked:
            for action in range(stones, number):
                masks[lane * number + action] = over or position.legal(action)


def unpack_bits_exactly(
    low: int, high: int, sources: Any, first: int, number: int, out: Any, at: int
) -> None:
    """``bits.unpack_bits`` that writes no more than ``number``: the rest is another's."""
    for i in range(first, first + number):
        word = high if sources[0, i] & 8 != 0 else low
        out[at + i - first] = word >> 8 * int(sources[0, i] & 7) & int(sources[1, i]) != 0
