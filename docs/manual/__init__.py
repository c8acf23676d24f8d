"""What ``make docs`` adds to the hand-written pages: figures, tables and references from the code.

``figures`` draws numbered actions and observations, ``game_pages`` writes what is computed of every
game, ``reference`` the pages of agents, public names and commands, ``trees`` searches to step
through.
"""
