"""Lets language models play as agents.

- ``model``: ``LanguageModel``, the agent ``llm``, and ``ModelCounts``, what it has counted;
- ``endpoint``: ``Endpoint``, which asks a server of OpenAI's chat completions, and ``NoAnswer``;
- ``answer_cache``: ``AnswerCache``, the folder of answers that a repeated run does not ask again.

What models are told and how their replies are read is the business of ``adv_envs.text``.
"""

from .answer_cache import AnswerCache
from .endpoint import Completion, Endpoint, NoAnswer
from .model import LanguageModel, ModelCounts, NoLegalMove

__all__ = [
    "AnswerCache",
    "Completion",
    "Endpoint",
    "LanguageModel",
    "ModelCounts",
    "NoAnswer",
    "NoLegalMove",
]
