"""Needs ten gigabytes for its second move."""


def agent(position):
    """Returns the first legal action, after a table that is far too large."""
    if position != position.start():
        table = bytearray(10 * 2**30)
        return len(table) % 7
    return position.legal_actions()[0]
