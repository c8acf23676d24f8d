"""Names the games of adv-envs for verifiers, every seat a model: ``adv-envs-self-play``."""

from agents.integrations.verifiers_games import ChatHarness, SelfPlayEnv, TextGameTaskset

__all__ = ["ChatHarness", "SelfPlayEnv", "TextGameTaskset"]
