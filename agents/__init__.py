"""Agents that play any game of adv_envs, through one interface: ``act(position)``.

``make("alpha_beta(depth=4, evaluate=hex.two_distance)")`` builds an agent from its spec, which is
also what its ``repr`` prints.
"""

from .agent import Agent, SearchAgent, SearchResult

__all__ = ["Agent", "SearchAgent", "SearchResult"]
