"""Holds your own game, environment or agent to the laws, in one line of a test.

- ``check_game(MyGame())``: the contract of ``position.py``, on seeded random games;
- ``check_env(adv_envs.env(MyGame()))``: what our environments promise on top of PettingZoo's laws;
- ``check_gym(GymEnv(MyGame()))``: the same against an opponent, on top of Gymnasium's laws;
- ``check_agent(agent, MyGame())``: agents move legally, change nothing and repeat themselves;
- ``check_reading(MyGame())``: replies of language models are read as what they say.

``ScriptedModel`` and ``ChatEndpoint`` stand in for a language model and its server.

Each check returns nothing or raises AssertionError, which names the law, the position that breaks
it and what to do. They depend on their seed alone.
"""

from .agent_laws import check_agent
from .chat_endpoint import ChatEndpoint, ScriptedModel
from .env_laws import check_env
from .game_laws import check_game
from .gym_laws import check_gym
from .reading_laws import check_reading

__all__ = [
    "ChatEndpoint",
    "ScriptedModel",
    "check_agent",
    "check_env",
    "check_game",
    "check_gym",
    "check_reading",
]
