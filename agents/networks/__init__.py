"""Plays trained policies without the library that trained them: files, forward pass, agent.

- ``checkpoint``: ``Checkpoint``, a file of safetensors described by JSON in its header, and the
  forward pass of its layers in NumPy, on one thread;
- ``encoding``: what a network sees of a position, here and in self-play;
- ``pytorch``: ``save_torch`` and ``load_torch``, from PyTorch modules to such files and back;
- ``policy``: ``Policy``, the agent, alone or with a search;
- ``league``: ``League``, past policies of a learner as its opponents, one drawn for each game;
- ``drifting_ratings``: ``DriftingRatings``, the ratings of players that stay as they are, from
  their games against one that changes.
"""
