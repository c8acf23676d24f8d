"""Names the games of adv-envs for verifiers, one model against an opponent: ``adv-envs-games``."""

from agents.integrations.verifiers_games import ChatHarness, TextGameEnv, TextGameTaskset

__all__ = ["ChatHarness", "TextGameEnv", "TextGameTaskset"]
