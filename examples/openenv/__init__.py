"""Packages games of adv-envs for OpenEnv."""

from .client import ServedGameClient
from .models import ServedAction, ServedObservation, ServedState

__all__ = ["ServedAction", "ServedGameClient", "ServedObservation", "ServedState"]
