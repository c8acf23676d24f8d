"""Plays Connect Four as a first attempt often does: two moves deep, whatever the time.

The evaluation counts stones in the middle column, which is better than nothing.
"""

from adv_envs import ConnectFour


def evaluate(position: ConnectFour, player: int) -> float:
    """Returns the stones of ``player`` in the middle column minus those of the opponent."""
    owners = [position.cell(row, position.width // 2) for row in range(position.height)]
    return owners.count(player) - owners.count(1 - player)


def minimax(position: ConnectFour, player: int, depth: int) -> float:
    """Returns the value of a position for ``player``."""
    if position.is_terminal():
        return 100 * position.utility(player)
    if depth == 0:
        return evaluate(position, player)
    values = [minimax(position.play(a), player, depth - 1) for a in position.legal_actions()]
    return max(values) if position.to_move == player else min(values)


def best_move(position: ConnectFour, depth: int) -> int:
    """Returns the best action, but takes a late win for as good as an early one."""
    player = position.to_move
    actions = position.legal_actions()
    return max(actions, key=lambda a: minimax(position.play(a), player, depth - 1))


def agent(position: ConnectFour) -> int:
    """Returns the action that looks best two moves ahead."""
    return best_move(position, 2)
