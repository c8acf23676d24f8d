"""Holds the rules, one file for each game: a docstring with a picture of the cells, one class.

A class of positions (see ``adv_envs.position``) is all that a file of rules holds: no arrays, no
environment, no strategy, no drawing. ``adv_envs.registry`` gives each game its name.
"""
