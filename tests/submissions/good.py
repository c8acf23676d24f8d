"""Plays a winning move if there is one, else the move nearest to the middle."""


def agent(position):
    """Returns an action of Connect Four, or of any game whose actions stand in a row."""
    actions = position.legal_actions()
    for action in actions:
        child = position.play(action)
        if child.is_terminal() and child.utility(position.to_move) > 0:
            return action
    return actions[len(actions) // 2]
