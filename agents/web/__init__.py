"""Serves a local page to play, analyse and follow games in a browser: ``adv-envs serve``.

``server`` answers requests, behind ``security``; ``game_states`` turns requests into
positions and positions into data for pages; ``pool`` runs the ``jobs`` of searches in processes
of their own; ``agents.allow_list`` says which agents a page may name. Needs the extra ``web``.
"""
