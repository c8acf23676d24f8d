"""Plays Connect Four by alpha-beta, one move deeper at a time until the time is up."""

from functools import cache
from math import inf
from time import monotonic

from adv_envs import ConnectFour

WIN = 10_000
DEEPEST = 42
"""The most moves that are looked ahead: all of the usual board."""


class TimeIsUp(Exception):
    """Says that a search has reached its deadline."""


@cache
def lines(height: int, width: int, k: int) -> list[int]:
    """Returns every row of ``k`` cells on the board, each as a set of bits."""
    start, found = ConnectFour(height, width, k), []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row in range(height):
            for column in range(width):
                cells = [(row + i * down, column + i * right) for i in range(k)]
                if all(0 <= r < height and 0 <= c < width for r, c in cells):
                    found.append(sum(1 << start.bit(r, c) for r, c in cells))
    return found


def evaluate(position: ConnectFour, player: int) -> float:
    """Returns the rows that only ``player`` can still fill minus those of the opponent.

    A row counts as the square of the number of stones in it.
    """
    own, other = position.stones(player), position.stones(1 - player)
    value = 0
    for line in lines(position.height, position.width, position.k):
        mine, theirs = own & line, other & line
        if not theirs:
            value += mine.bit_count() ** 2
        elif not mine:
            value -= theirs.bit_count() ** 2
    return value


def central(position: ConnectFour) -> list[int]:
    """Returns the legal actions, those in the middle first: alpha-beta prunes more then."""
    middle = (position.width - 1) / 2
    return sorted(position.legal_actions(), key=lambda action: abs(action - middle))


def search(
    position: ConnectFour, depth: int, alpha: float, beta: float, deadline: float
) -> tuple[float, int]:
    """Returns (value, action) for the player to move, by alpha-beta in its negamax form.

    -1 is the action where none is searched. Raises TimeIsUp after ``deadline``, a ``monotonic()``.
    """
    if monotonic() > deadline:
        raise TimeIsUp
    if position.is_terminal():
        return position.utility(position.to_move) * (WIN + depth), -1
    if depth == 0:
        return evaluate(position, position.to_move), -1
    best, best_action = -inf, -1
    for action in central(position):
        value = -search(position.play(action), depth - 1, -beta, -alpha, deadline)[0]
        if value > best:
            best, best_action = value, action
        if best >= beta:
            break
        alpha = max(alpha, best)
    return best, best_action


def best_move(position: ConnectFour, depth: int) -> int:
    """Returns the best action for the player to move, by alpha-beta ``depth`` moves deep."""
    return search(position, depth, -inf, inf, deadline=inf)[1]


def agent(position: ConnectFour, seconds: float = 1.0) -> int:
    """Returns the action of the deepest search that ends within two thirds of ``seconds``."""
    deadline = monotonic() + seconds * 2 / 3
    action = central(position)[0]
    for depth in range(1, DEEPEST + 1):
        try:
            value, action = search(position, depth, -inf, inf, deadline)
        except TimeIsUp:
            break
        if abs(value) >= WIN:
            break
    return action
