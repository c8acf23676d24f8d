"""Leagues: a learner's past selves as its opponents, rated by the games that it plays with them.

- ``league``: ``League``, a folder of past selves, from which the opponent of each game is drawn;
- ``drifting_ratings``: ``DriftingRatings``, the ratings of players that stay as they are, from
  their games against one that changes.
"""

from .drifting_ratings import DriftingRatings
from .league import DRAWS, League, LeagueError, PastSelf

__all__ = ["DRAWS", "DriftingRatings", "League", "LeagueError", "PastSelf"]
