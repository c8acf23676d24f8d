"""Adapts the games of messages, ``adv_envs.text_env``, to frameworks for language models.

Each file is one framework, which it imports, so nothing is imported here; docs/frameworks.md has an
example of each, and ``make test-adapters`` plays the same games in all of them.
"""

__all__: list[str] = []
