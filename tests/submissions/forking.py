"""Makes copies of its process without end."""

import os


def agent(position):
    """Returns an action at the start; forks without end everywhere else."""
    while position != position.start():
        os.fork()
    return position.legal_actions()[0]
