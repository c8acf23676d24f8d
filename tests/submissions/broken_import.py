"""Imports a module that there is not, as a student does whose helper file was not handed in."""

import my_helpers_that_nobody_has


def agent(position):
    """Returns what the helper chooses."""
    return my_helpers_that_nobody_has.choose(position)
