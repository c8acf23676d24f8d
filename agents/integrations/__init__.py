"""Adapts the games of messages, ``adv_envs.text_env``, to frameworks for language models.

Each file is one framework, whose package it imports, so it is imported when its name is asked for:

- ``text_arena``: ``TextArenaEnv``, and ``register_text_arena``, whose ids ``textarena.make`` takes;
- ``kaggle_harness``: ``register_kaggle``, whose names ``kaggle_environments.make`` takes;
  ``KaggleTextHarness``, for Kaggle's harness of language models; ``KaggleAgent``, other agents;
- ``verifiers_games``: ``TextGameTaskset``, ``TextGameEnv`` for one model and ``SelfPlayEnv``;
- ``openenv_games``: ``games_app``, which serves games, and ``ServedGameClient``, which plays there.
- ``trl_environment``: ``trl_environment_factory``, which ``trl.GRPOTrainer`` takes, and
  ``TextGameTools``, what it makes.

Those of Gymnasium and of Inspect need no agents, and are in ``adv_envs.text``. ``adapting`` holds
what several need, ``kaggle_specification`` what Kaggle is told of a game.

docs/frameworks.md has an example of each, and ``make test-adapters`` plays the same games in all of
them, in an environment of its own for each.
"""

from adv_envs.lazy import importing

__all__: list[str] = []

_LAZY = {
    "KaggleAgent": ".kaggle_harness",
    "KaggleTextHarness": ".kaggle_harness",
    "SelfPlayEnv": ".verifiers_games",
    "ServedAction": ".openenv_games",
    "ServedGameClient": ".openenv_games",
    "TextArenaEnv": ".text_arena",
    "TextGameEnv": ".verifiers_games",
    "TextGameTaskset": ".verifiers_games",
    "games_app": ".openenv_games",
    "TextGameTools": ".trl_environment",
    "register_kaggle": ".kaggle_harness",
    "register_text_arena": ".text_arena",
    "trl_environment_factory": ".trl_environment",
}
"""Public names, all of which need a framework, and their modules."""

__getattr__ = importing(__name__, _LAZY)
