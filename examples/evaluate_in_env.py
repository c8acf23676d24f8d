"""Plays any agent in the PettingZoo environment: what it scores on each seat, against another.

An agent sees positions; the environment has its own, ``env.unwrapped.position``. So a search agent,
a trained policy and a function that only looks at observations can meet in one loop.

    python examples/evaluate_in_env.py connect_four "alpha_beta(depth=4)" random
    python examples/evaluate_in_env.py hex "mcts(simulations=500)" "rush" --games 10
"""

from __future__ import annotations

import argparse
from collections import Counter

from rich.console import Console
from rich.progress import track

import adv_envs
from agents import Agent, make


def play(env: adv_envs.Env, players: dict[str, Agent], seed: int) -> dict[str, float]:
    """Returns one game, agent by agent: the reward of each."""
    env.reset(seed=seed)
    for i, player in enumerate(players.values()):
        player.reset(seed + i)
    rewards = dict.fromkeys(env.possible_agents, 0.0)
    for name in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        rewards[name] += reward
        action = None
        if not (terminated or truncated):
            action = players[name].act(env.unwrapped.position)
            assert observation["action_mask"][action]  # what a policy would be told, too
        env.step(action)
    return rewards


def evaluate(
    game: str, first: str, second: str, games: int
) -> tuple[list[Counter[str]], list[str]]:
    """Returns how often ``first`` won, drew and lost on each seat, and the names of the seats."""
    env = adv_envs.env(game)
    if len(env.possible_agents) != 2:
        raise ValueError(f"{game} is not a game of two")
    if games < 1:
        raise ValueError(f"--games must be at least 1, not {games}")
    agents, found = [make(first), make(second)], [Counter[str](), Counter[str]()]
    progress = Console(stderr=True)
    for number in track(range(2 * games), "Playing", console=progress, transient=True):
        seat = number % 2
        players = dict(zip(env.possible_agents, agents[::-1] if seat else agents, strict=True))
        reward = play(env, players, seed=number)[env.possible_agents[seat]]
        found[seat]["won" if reward > 0 else "lost" if reward < 0 else "drawn"] += 1
    return found, env.possible_agents


def main() -> None:
    """Plays the games with the seats in turns, and prints what became of them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", nargs="?", default="tic_tac_toe", help=", ".join(adv_envs.GAMES))
    parser.add_argument("first", nargs="?", default="alpha_beta()", help="an agent")
    parser.add_argument("second", nargs="?", default="random", help="its opponent")
    parser.add_argument("--games", type=int, default=20, help="how many on each seat (20)")
    options = parser.parse_args()
    try:
        found, names = evaluate(options.game, options.first, options.second, options.games)
    except (ValueError, TypeError) as error:  # they say what would be right
        parser.exit(2, f"{parser.prog}: {error}\n")
    except KeyboardInterrupt:
        parser.exit(130, "\nstopped\n")
    print(f"{options.first} against {options.second}, {options.game}")
    for name, counts in zip(names, found, strict=True):
        told = ", ".join(f"{counts[what]} {what}" for what in ("won", "drawn", "lost"))
        print(f"  as {name}: {told}")


if __name__ == "__main__":
    main()
