"""Thinks far longer than it may, and would play well."""

import time


def agent(position):
    """Returns a middle action after ten seconds; quickly at the start of a game."""
    actions = position.legal_actions()
    if position != position.start():
        time.sleep(10)
    return actions[len(actions) // 2]
