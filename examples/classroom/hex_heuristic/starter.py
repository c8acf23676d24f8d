"""Plays Hex by an evaluation of your own. Your task is in handout.md.

Write ``shortest_path``, ``connected`` and ``evaluate``; ``agent`` looks one move ahead with them.

    python starter.py                          says what is still missing
    python test_public.py starter.py           tests what is there

A cell is (row, column), both from 0; ``position.cell(row, column)`` is 0 or 1, the player whose
stone is there, or None. Player 0 joins the first row with the last one, player 1 the first column
with the last one: a cell is on the first edge of ``player`` if ``cell[player] == 0``, and on their
last edge if ``cell[player] == position.size - 1``.
"""

from math import inf

from adv_envs import Hex

Cell = tuple[int, int]
STEPS = ((0, -1), (0, 1), (-1, 0), (-1, 1), (1, -1), (1, 0))
"""From a cell to its six neighbours: what to add to row and column."""


def neighbours(position: Hex, cell: Cell) -> list[Cell]:
    """Returns the cells on the board that touch ``cell``. It is complete."""
    row, column = cell
    around = [(row + down, column + right) for down, right in STEPS]
    return [(r, c) for r, c in around if 0 <= r < position.size and 0 <= c < position.size]


def shortest_path(position: Hex, player: int) -> int:
    """Returns the least number of stones with which ``player`` would join both edges.

    Only empty cells cost a stone: own stones are free, and no path goes through a stone of the
    opponent. 0 if the edges are joined; ``position.size ** 2`` if they cannot be joined any more.
    """
    raise NotImplementedError("write shortest_path")


def connected(position: Hex, player: int) -> int:
    """Returns the number of stones of ``player`` that touch another stone of theirs."""
    raise NotImplementedError("write connected")


def evaluate(position: Hex, player: int) -> float:
    """Returns how good a position is for ``player``: more is better, 0 is even.

    What one player gains the other loses: evaluate(position, 0) == -evaluate(position, 1). The game
    is not over.
    """
    raise NotImplementedError("write evaluate")


def agent(position: Hex) -> int:
    """Returns the action after which the evaluation is best; you may improve it."""
    player = position.to_move

    def value(action: int) -> float:
        after = position.play(action)
        return inf if after.is_terminal() else evaluate(after, player)

    return max(position.legal_actions(), key=value)


def main() -> None:
    """Tells what the functions say of a position, or that they are missing."""
    position = Hex(5).after("c2 b3 c4 b4")
    print(f"{position}\n")
    for function in (shortest_path, connected, evaluate):
        try:
            values = [function(position, player) for player in (0, 1)]
        except NotImplementedError as missing:
            print(f"Still to do: {missing}")
        else:
            print(f"{function.__name__} is {values[0]} for X and {values[1]} for O")
    print("Right is: shortest_path 3 for X and 4 for O; connected 0 and 2")


if __name__ == "__main__":
    main()
