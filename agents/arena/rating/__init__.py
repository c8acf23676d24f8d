"""Rates: how strong agents are, and how sure that is.

``ratings.rate`` rates all agents of a tournament under the model of Bradley and Terry;
``head_to_head.HeadToHead`` compares two, and ``sprt.Sprt`` tests sequentially which one is
stronger; ``winnings`` tells what they win per game, where games are played for amounts. All need
the extra ``lab``.
"""
