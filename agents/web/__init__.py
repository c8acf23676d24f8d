"""Serves a local page to play, analyse and follow games in a browser: ``adv-envs serve``.

``server`` answers requests, behind ``security``; ``game_states`` turns what a page sends into
positions and positions into what a page shows; ``pool`` runs the ``jobs`` of searches in processes
of their own; ``allow_list`` says which agents a page may name. Needs the extra ``web``.
"""
