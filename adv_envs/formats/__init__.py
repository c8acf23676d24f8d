"""Reads and writes files of games, and positions as other programs describe them.

``sgf`` reads and writes games of Hex in the Smart Game Format, and ``sgf.supports(position)`` says
whether a game can be written; ``hex_sgf`` makes positions of Hex from stones alone.
``pgn`` reads and writes games of chess in the Portable Game Notation. ``game_texts`` finds the
format that goes with a game.
"""
