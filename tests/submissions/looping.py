"""Answers at the start of a game, and then never again."""


def agent(position):
    """Returns an action at the start; loops without end everywhere else."""
    while position != position.start():
        pass
    return position.legal_actions()[0]
