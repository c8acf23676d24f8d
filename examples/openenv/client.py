"""Names the client, where OpenEnv looks for it."""

from agents.integrations.openenv_games import ServedGameClient

__all__ = ["ServedGameClient"]
