"""Takes what nobody gives: a board, a player and a depth."""


def agent(board, player, depth):
    """Returns an action for the player."""
    return board.legal_actions()[depth + player]
