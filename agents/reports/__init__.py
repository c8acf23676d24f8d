"""Pictures and pages of what agents do: search trees, tournaments, report cards.

``draw_trees`` draws the trees of searches (``search_tree`` records them, ``tree_picture`` lays them
out), ``extensive_form`` whole games with their information sets; ``tournament_page`` and
``report_card_page`` write pages of one file that need no network, in the style of ``page``, with
the ``charts``.
"""
