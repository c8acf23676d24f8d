"""Text protocols between game programs: our agents as engines, other programs as agents.

``htp`` lets any agent answer the commands of the Hex text protocol, with ``htp_clock`` for its time
and ``htp_analysis`` for what a graphical board can show of its search. ``engine`` plays the moves
of another program: ``Engine``, an agent, and the errors that a program can cause.
"""
