"""Tells by exact values which moves keep what there is, what the best play is, and in words.

Values are those of ``ExactValues``: where they come from does not matter.
"""

from __future__ import annotations

from adv_envs import CHANCE, Position

from .knowledge import ExactValues, MoveValue, value_in_words

SAME = 1e-9
"""Values that differ by less are equal: those of games with dice have rounding errors."""
MARGIN = 0.05
"""How much better than all others the best move is in a game of chance, as a part of the difference
between a simple win and a loss."""
MOST_PLIES = 60
"""The longest line of best play that is shown."""


def task_of(exact: ExactValues, values: dict[int, MoveValue]) -> str:
    """Returns the name of the task if one move only is right, and "" otherwise."""
    if len(values) < 2:
        return ""
    first, second = sorted((move.value for move in values.values()), reverse=True)[:2]
    if exact.start.has_chance:
        most = 1.0 if exact.in_points else 2.0
        return "best" if first - second >= MARGIN * most else ""
    best, next_best = result(exact, first), result(exact, second)
    if best > next_best:
        return "win" if best > 0 else "hold"
    return "best" if not exact.in_points and first > second + SAME else ""


def result(exact: ExactValues, value: float) -> int:
    """Returns 1 for the value of a win, 0 of a draw, -1 of a loss."""
    middle = 0.5 if exact.in_points else 0.0
    return (value > middle + SAME) - (value < middle - SAME)


def best_line(exact: ExactValues, position: Position, action: int) -> tuple[int, ...]:
    """Returns ``action`` and the best moves after it, to the end, to chance or to what is unknown.

    The stronger side wins as soon as it can and the weaker one holds out, where there are scores.
    """
    line = [action]
    position = position.play(action)
    while len(line) < MOST_PLIES and not position.is_terminal() and position.to_move != CHANCE:
        if not exact.is_feasible(position):
            break
        line.append(best_move(exact, position))
        position = position.play(line[-1])
    return tuple(line)


def best_move(exact: ExactValues, position: Position) -> int:
    """Returns the move with the best score; where there are no scores, one that ends the game."""
    values = exact.move_values(position)
    ends = {action: position.play(action).is_terminal() for action in values}
    wins = {a: ends[a] == (result(exact, move.value) > 0) for a, move in values.items()}
    return max(values, key=lambda action: (*values[action][::-1], wins[action]))


# ---- in words


def keeps(exact: ExactValues, values: dict[int, MoveValue], action: int) -> bool:
    """Returns whether a move keeps what there is: the result, or in games of chance the value."""
    best = max(move.value for move in values.values())
    if exact.start.has_chance or task_of(exact, values) == "best":
        return values[action].value >= best - SAME
    return result(exact, values[action].value) == result(exact, best)


def said_of(exact: ExactValues, position: Position, value: float, best: float) -> str:
    """Returns what a value means for the player to move, where ``best`` is that of the best move.

    For example "wins", "only draws", "wins with probability 61.2%".
    """
    if exact.in_points and exact.start.has_chance:
        return f"wins with probability {value:.1%}"
    draws = "only draws" if result(exact, best) > 0 else "holds the draw"
    if exact.in_points:
        return ("loses", draws, "wins")[result(exact, value) + 1]
    words = value_in_words(position, value)
    if words.startswith("a "):
        return {"a win": "wins", "a draw": draws, "a loss": "loses"}[words]
    return f"is {'on average ' * exact.start.has_chance}worth {words}"
