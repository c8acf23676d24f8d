"""Ratings: how strong agents are, and how sure that is.

``ratings.rate`` rates all agents of a tournament under the model of ``bradley_terry``;
``head_to_head.HeadToHead`` compares two, and ``sprt.Sprt`` tests sequentially which one is
stronger; ``adaptive.place`` rates one agent on a ladder. ``clusters`` says which pairs of games are
independent. All need the extra ``lab``.
"""
