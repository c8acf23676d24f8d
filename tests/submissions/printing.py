"""Prints when it is imported and at every move, also past Python's own output."""

import os

print("printing.py is imported")


def agent(position):
    """Returns the last legal action, and says so."""
    actions = position.legal_actions()
    print(f"I could play {len(actions)} moves")
    os.write(1, b"and I write to descriptor 1\n")
    return actions[-1]
