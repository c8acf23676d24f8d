"""Plays the games of a running server perfectly; ends with 1 unless every reward is 1.

    python validation/oracle.py [http://localhost:8000] [--agent random] [--games 20]

Another agent, such as random, measures the floor.
"""

import argparse
import sys
from functools import reduce
from statistics import fmean

import requests

import agents
from adv_envs import Position
from adv_envs.text import TextGame
from agents.agent import Agent
from agents.integrations.openenv_games import ServedAction, ServedGameClient, served_game


def main() -> int:
    """Returns 0 if every game has had the largest reward."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("url", nargs="?", default="http://localhost:8000")
    parser.add_argument("--agent", default="perfect", help="the spec of who plays")
    parser.add_argument("--games", type=int, default=20, help="how many of each kind")
    given = parser.parse_args()
    agent, rewards = agents.make(given.agent), list[float]()
    with ServedGameClient(base_url=given.url).sync() as client:
        for index, start in enumerate(starts(given.url)):
            found = [play(client, agent, start, index, seed) for seed in range(given.games)]
            print(f"{index}  lowest {min(found):.3f}  mean {fmean(found):.3f}", flush=True)
            rewards += found
    print(f"mean of all {fmean(rewards):.3f}")
    return int(min(rewards) < 1)


def starts(url: str) -> list[Position]:
    """Returns the start of each game that a server offers."""
    answer = requests.post(f"{url}/adv_envs/tasks", json={"split": "games"}, timeout=60)
    answer.raise_for_status()
    games = ({k: v for k, v in task.items() if k != "index"} for task in answer.json()["tasks"])
    environments = map(served_game, games)
    return [env.start if isinstance(env, TextGame) else env.game.start for env in environments]


def play(client: ServedGameClient, agent: Agent, start: Position, index: int, seed: int) -> float:
    """Returns the reward of a game that ``agent`` plays."""
    agent.reset(seed)
    told = client.reset(seed=seed, index=index)
    while not told.done:
        names = told.observation.facts["moves"]
        position = reduce(lambda before, name: before.move(name), names, start)
        name = position.name(agent.act(position))
        told = client.step(ServedAction(reply=f"Final answer: {name}"))
    return float(told.reward)


if __name__ == "__main__":
    sys.exit(main())
