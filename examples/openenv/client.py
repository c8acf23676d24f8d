"""Names the client, and the models, as OpenEnv looks for them."""

from agents.integrations.openenv_games import ServedGameClient as AdvGamesEnv

from .models import AdvGamesAction, AdvGamesObservation

__all__ = ["AdvGamesAction", "AdvGamesEnv", "AdvGamesObservation"]
