"""Lets language models play as agents.

- ``model``: ``LanguageModel``, the agent ``llm``, and ``ModelCounts``, what it has counted;
- ``endpoint``: ``Endpoint``, which asks a server of OpenAI's chat completions, and ``NoAnswer``;
- ``usage``: ``model_usage``, the rows of tables of what models answered, and what that took;
- ``answer_cache``: ``AnswerCache``, the folder of answers that a repeated run does not ask again.

What models are told and how their replies are read is the business of ``adv_envs.text``.
"""

from .answer_cache import AnswerCache
from .endpoint import Completion, Endpoint, NoAnswer
from .model import LanguageModel, ModelCounts, NoLegalMove
from .usage import ModelUsage, model_usage, usage_cells

__all__ = [
    "AnswerCache",
    "Completion",
    "Endpoint",
    "LanguageModel",
    "ModelCounts",
    "ModelUsage",
    "NoAnswer",
    "NoLegalMove",
    "model_usage",
    "usage_cells",
]
