"""Offers games of adv-envs as a package of OpenEnv, whose ``AutoEnv`` finds it as "adv-games"."""

from .client import AdvGamesEnv
from .models import AdvGamesAction, AdvGamesObservation

__all__ = ["AdvGamesAction", "AdvGamesEnv", "AdvGamesObservation"]
