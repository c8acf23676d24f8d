"""Names the models, where OpenEnv looks for them."""

from agents.integrations.openenv_games import ServedAction, ServedObservation, ServedState

__all__ = ["ServedAction", "ServedObservation", "ServedState"]
