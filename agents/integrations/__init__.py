"""Holds thin adapters to other frameworks, one file each: ``adv_envs.text`` does what they offer.

Each is imported by whoever uses its framework, and by nobody else; ``docs/frameworks.md`` says how.

- ``verifiers_games``: tasksets and environments of verifiers, for one model and for self-play;
- ``game_facts``: what has happened in a game, as plain data for such frameworks' records.
"""

from .game_facts import game_facts, new_messages

__all__ = ["game_facts", "new_messages"]
