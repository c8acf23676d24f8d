"""Ends its process in the middle of a game, as if all were well."""

import os


def agent(position):
    """Returns an action at the start; exits with code 0 everywhere else."""
    if position != position.start():
        os._exit(0)
    return position.legal_actions()[0]
