"""Implements text protocols in which our agents answer other programs, as engines do.

``gtp`` lets any agent answer the commands of the Go text protocol, ``htp`` those of its dialect for
Hex, and ``uci`` those of programs that play chess; ``agent_control`` is what they share, and
``best_lines`` finds the best few moves of a position side by side. What the protocols must know of
a game is in its record, see ``agents.dialects``. The other direction, programs that are asked for
moves, is ``agents.engine``.
"""
