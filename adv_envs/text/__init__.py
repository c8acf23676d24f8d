"""Lets language models play: messages that say what a player sees, and the reading of replies.

- ``env``: ``text_env``, an environment of messages; ``TextGame``, whose seats are all models;
- ``reading``: ``read_reply``, which finds the move in a reply, or says that there is none;
- ``spelling``: the moves of a position as people write them.

Everything holds for every game, and nothing here knows an agent.
"""

from .reading import Reading, read_reply

__all__ = ["Reading", "read_reply"]
