"""Registers games: here, with PettingZoo and with Gymnasium."""

from __future__ import annotations

from .position import Position
from .registry import GAMES, VERSIONS, gymnasium_id, version_of


def register(name: str, game: str | type[Position], version: int = 0) -> None:
    """Makes ``game``, a position class or "module:Class", known as ``name`` everywhere.

    It is then an environment, ``env(name)`` and ``pettingzoo.make("aec", "adv_envs/<name>-v0")``,
    one against an opponent, ``gymnasium.make("adv_envs/<Name>-v0")``, the same by messages,
    "adv_envs/<Name>Text-v0", and a game of the command line and of every agent. Of a class, which
    states its ``version``, none is given; that of a "module:Class" must be the one that the class
    states. ValueError for a name that is no identifier, or for another version.
    """
    if not name.isidentifier():
        raise ValueError(f"a game's name must be an identifier like 'connect_four', not {name!r}")
    stated = version
    if not isinstance(game, str):
        stated = game.version
        if version not in (0, stated):
            raise ValueError(f"{game.__name__} states version {stated} of its rules, not {version}")
    GAMES[name], VERSIONS[name] = game, stated
    register_environments(name)


def register_environments(*names: str) -> None:
    """Registers games with PettingZoo and Gymnasium; they are imported when they are made.

    Nothing is registered where the two are not installed: rules and pictures need neither.
    Gymnasium's passive checker is not added: Gymnasium 1.4's raises TypeError in ``step`` if the
    first ``reset`` had raised, as it does for ``opponent="self"`` before ``set_opponent``.
    """
    try:
        import gymnasium
        import pettingzoo
    except ModuleNotFoundError:
        return
    for name in names:
        pettingzoo.register(
            "aec",
            f"adv_envs/{name}-v{version_of(name)}",
            entry_point="adv_envs.envs:env",
            kwargs={"game": name},
        )
        gymnasium.register(
            gymnasium_id(name),
            entry_point="adv_envs.envs.gym:GymEnv",
            vector_entry_point="adv_envs.batch.vector:BatchVectorEnv",
            disable_env_checker=True,
            kwargs={"game": name},
        )
        gymnasium.register(
            gymnasium_id(name, "Text"),
            entry_point="adv_envs.text.text_gym:TextGymEnv",
            disable_env_checker=True,
            kwargs={"game": name},
        )
