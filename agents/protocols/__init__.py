"""Text protocols between game programs: our agents as engines, other programs as agents.

``engine`` plays the moves of another program: ``Engine``, an agent. It asks for them by GTP
(``gtp_client``) or UCI (``uci_client``); the running program and the errors that it can cause are
in ``process``. In the other direction ``gtp`` lets any agent answer the commands of the Go text
protocol, with ``gtp_clock`` for its time, and ``htp`` those of its dialect for Hex, with
``htp_analysis`` for what a graphical board can show of a search. What the protocols must know of a
game is in its record, see ``agents.dialects``.
"""
