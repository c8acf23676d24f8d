"""Many games at once: n positions of one game in arrays, stepped by one compiled kernel.

- ``boards``: ``Boards``, the batch: positions, actions, observations, masks and rewards as arrays;
- ``vector``: ``BatchVectorEnv``, the same as a Gymnasium vector environment, against any opponents;
- ``device_boards``: ``DeviceBoards``, the batch on a CUDA device; experimental;
- ``kernels``: the step, written once for every game; ``layout``: where the cells of boards are.

Environment i of a batch does what a single game with its seed does, whatever the others do.
"""
