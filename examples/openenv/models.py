"""Names the models as OpenEnv looks for them."""

from agents.integrations.openenv_games import ServedAction as AdvGamesAction
from agents.integrations.openenv_games import ServedObservation as AdvGamesObservation

__all__ = ["AdvGamesAction", "AdvGamesObservation"]
