"""Any agent in the PettingZoo environment: what it scores on each seat, against another.

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


def play(env: adv_envs.aec.Env, players: dict[str, Agent], seed: int) -> dict[str, float]:
    """One game, agent by agent: the reward of each."""
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


def main() -> None:
    """Play the games with the seats in turns, and print what became of them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", nargs="?", default="tic_tac_toe", help=", ".join(adv_envs.GAMES))
    parser.add_argument("first", nargs="?", default="alpha_beta()", help="an agent")
    parser.add_argument("second", nargs="?", default="random", help="its opponent")
    parser.add_argument("--games", type=int, default=20, help="how many on each seat (20)")
    options = parser.parse_args()
    env = adv_envs.env(options.game)
    if len(env.possible_agents) != 2:
        parser.error(f"{options.game} is not a game of two")
    found = [Counter[str](), Counter[str]()]
    progress = Console(stderr=True)
    for game in track(range(2 * options.games), "Playing", console=progress, transient=True):
        seat = game % 2
        agents = [make(options.first), make(options.second)]
        players = dict(zip(env.possible_agents, agents[::-1] if seat else agents, strict=True))
        reward = play(env, players, seed=game)[env.possible_agents[seat]]
        found[seat]["won" if reward > 0 else "lost" if reward < 0 else "drawn"] += 1
    print(f"{options.first} against {options.second}, {options.game}")
    for seat, name in enumerate(env.possible_agents):
        told = ", ".join(f"{found[seat][what]} {what}" for what in ("won", "drawn", "lost"))
        print(f"  as {name}: {told}")


if __name__ == "__main__":
    main()
