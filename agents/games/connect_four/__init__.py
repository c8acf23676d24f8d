"""Connect Four solved exactly: threats on bitboards, null windows, a table and a book.

- ``bitboard.py``: boards as words, threats as shifts;
- ``table.py``: the transposition table;
- ``search.py``: the compiled search;
- ``solver.py``: ``ConnectFourSolver``, the agent;
- ``book.py``: books of openings.
"""

from .book import Book, BookError
from .solver import ConnectFourSolver

__all__ = ["Book", "BookError", "ConnectFourSolver"]
