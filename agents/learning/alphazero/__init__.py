"""AlphaZero for every two-player game of perfect information without chance.

- ``settings``: ``AlphaZeroSettings``, everything a run is made of, and where it was published;
- ``learner``: ``AlphaZero``, self-play and learning; on
- ``self_play`` and ``replay``: games, and the samples of the latest ones; by
- ``search`` and ``tree``: a search in hundreds of games at once, in compiled steps; with
- ``encoding`` and ``residual_network``: what a network sees, and what it is; in
- ``actors``: processes of self-play, on this machine or on a Ray cluster;
- ``run``: ``train_alphazero``, all that in a folder, graded while it learns, to be continued.

Needs the extra ``learn``: PyTorch.
"""

from .actors import ActorError
from .learner import AlphaZero
from .run import train_alphazero
from .settings import AlphaZeroSettings

__all__ = ["ActorError", "AlphaZero", "AlphaZeroSettings", "train_alphazero"]
