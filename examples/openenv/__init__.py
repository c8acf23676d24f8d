"""Offers games of adv-envs as a package of OpenEnv."""

from .client import ServedGameClient
from .models import ServedAction, ServedObservation, ServedState

__all__ = ["ServedAction", "ServedGameClient", "ServedObservation", "ServedState"]
