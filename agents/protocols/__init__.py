"""Text protocols between game programs: our agents as engines, other programs as agents.

``engine`` plays the moves of another program: ``Engine``, an agent. It asks for them by GTP
(``gtp_client``) or UCI (``uci_client``); the running program and the errors that it can cause are
in ``process``. In the other direction ``htp`` lets any agent answer the commands of the Hex text
protocol, with ``htp_clock`` for its time and ``htp_analysis`` for what a graphical board can show
of its search. What the protocols must know of a game is in its record: ``agents.dialects``.
"""
