"""Draws what agents do as pictures and pages: search trees, tournaments, report cards.

``search_tree`` records what searches do, node by node (``tree_node``), ``tree_steps`` tells it step
by step, ``tree_picture`` lays it out, and ``draw_trees`` writes the pictures, those of whole games
with their information sets, too; ``tournament_page`` and ``report_card_page`` write pages of one
file that need no network, in the style of ``page``.
"""
