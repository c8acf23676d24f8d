"""Steps many games at once: n positions of one game in arrays, by one compiled kernel.

- ``boards``: ``Boards``, the batch: positions, actions, observations, masks and rewards as arrays;
- ``vector``: ``BatchVectorEnv``, the same as a Gymnasium vector environment, against any opponents;
- ``stepper``: where games stand, and what runs the kernels, on threads;
- ``kernels``: the step, written once for every game.

Environment i of a batch does what a single game with its seed does, whatever the others do.
"""
