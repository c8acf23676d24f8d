"""Plays Connect Four with a limit of time for each move. Your task is in handout.md.

Write ``evaluate`` and ``best_move``, then have ``agent`` search deeper while there is time.

    python starter.py                          says what is still missing
    python test_public.py starter.py           tests what is there

``position.cell(row, column)`` is 0 or 1, the player whose stone is there, or None; row 0 is at the
top. Action ``c`` drops a stone into column ``c``, the left one being 0.
"""

from adv_envs import ConnectFour


def evaluate(position: ConnectFour, player: int) -> float:
    """Returns how good an unfinished game is for ``player``: more is better, 0 is even.

    What one player gains the other loses: evaluate(position, 0) == -evaluate(position, 1).
    """
    raise NotImplementedError("write evaluate")


def best_move(position: ConnectFour, depth: int) -> int:
    """Returns the best action for the player to move, by alpha-beta ``depth`` moves deep.

    A win counts more than every evaluation, and an early win more than a late one.
    """
    raise NotImplementedError("write best_move")


def agent(position: ConnectFour, seconds: float = 1.0) -> int:
    """Returns an action within ``seconds``: a move that comes later loses the game.

    The first legal column stands here so that the file runs: replace it.
    """
    return position.legal_actions()[0]


def main() -> None:
    """Tells what the functions say of a position, or that they are missing."""
    position = ConnectFour().after("4 3 4 3 4")
    print(f"{position}\n")
    try:
        print(f"evaluate is {evaluate(position, 0)} for X and {evaluate(position, 1)} for O")
        print(f"best_move is column {position.name(best_move(position, 2))}; right is 4")
    except NotImplementedError as missing:
        print(f"Still to do: {missing}")
    print(f"agent plays column {position.name(agent(position))}")


if __name__ == "__main__":
    main()
