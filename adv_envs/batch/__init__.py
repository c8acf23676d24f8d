"""Many games of one kind at once, stepped by compiled rules on all cores.

- ``boards``: ``Boards``, a batch of positions that is stepped, set and read;
- ``vector``: ``BatchVectorEnv``, the same as a Gymnasium ``VectorEnv``, against any opponents;
- ``kernels``: what happens in a step, written once for every game;
- ``layout``: where the cells of a board are in the words of its position.
"""
