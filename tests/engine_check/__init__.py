"""Compares the engines with Python, in Node.js and in Chromium, over random games with fresh seeds.

``rules`` plays the same games everywhere, ``searches`` makes the same searches; ``hosts`` runs the
modules. ``python -m engine_check`` is the long proof, and prints a table; the tests make a short
one.
"""
