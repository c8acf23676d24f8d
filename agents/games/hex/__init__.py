"""The parts of ``HexSolver``, for boards up to 8 x 8, and an H-search for boards of every size.

- ``board``: cells, sets of cells, what a kernel needs to know of a board;
- ``inferior``: dead and captured cells, which are filled in before anything else;
- ``connections``: H-search, virtual connections, and the must-play region that follows from them;
- ``circuit``: the order of moves, by the currents through their cells;
- ``memory``: the table of positions;
- ``proof``: depth-first proof-number search with carriers;
- ``knowledge``: what connections alone say of a position: must-play, and sometimes the winner;
- ``openings``: the openings that were solved, as a file;
- ``anchored``, ``carriers``: a smaller H-search, for boards of every size;
- ``decided``: the moves that win or lose by what it finds, for ``mcts``.
"""
