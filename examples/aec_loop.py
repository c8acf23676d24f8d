"""Shows the loop that every PettingZoo game is played with, on one of ours, in three steps.

Random moves with the action mask; then an agent of ours in the same loop, which is given the
position; then a copy of the environment in the middle of a game, played on beside the original.

    python examples/aec_loop.py
"""

import argparse
import copy
from typing import Any

import adv_envs
import agents
from adv_envs.notation import write_line


def random_moves(env: Any, seed: int) -> None:
    """Lets every agent sample from its action space, masked by what is legal."""
    for number, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(seed + number)
    env.reset(seed=seed)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        if termination or truncation:
            print(f"  {agent}'s reward is {reward}")
            action = None
        else:
            action = env.action_space(agent).sample(observation["action_mask"])
        env.step(action)


def one_of_ours(env: Any, player: agents.Agent, seed: int) -> None:
    """Lets an agent play as player_0: agents look at ``env.position``, not at arrays."""
    env.reset(seed=seed)
    player.reset(seed)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        if termination or truncation:
            print(f"  {agent}'s reward is {reward}")
            action = None
        elif agent == "player_0":
            action = player.act(env.position)
        else:
            action = env.action_space(agent).sample(observation["action_mask"])
        env.step(action)


def finish(env: Any, player: agents.Agent) -> str:
    """Lets ``player`` move for everybody until the game is over; returns the moves they made."""
    begin, actions = env.position, []
    while not env.position.is_terminal():
        actions.append(player.act(env.position))
        env.step(actions[-1])
    return write_line(begin, actions)


def main() -> None:
    """Plays three games of Connect Four."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=0, help="draws the random moves (0)")
    seed = parser.parse_args().seed
    env = adv_envs.env("connect_four", render_mode="ansi")
    print("Random moves")
    random_moves(env, seed)
    print(env.render())

    player = agents.make("alpha_beta(depth=4, evaluate=connect_four.threats)")
    print(f"{player} as player_0 against random moves")
    one_of_ours(env, player, seed)
    print(env.render())

    print("A game from the middle, and a copy that goes another way")
    env.reset(options={"position": adv_envs.ConnectFour().after("4453")})
    other = copy.deepcopy(env)
    print(f"  original 4453 {finish(env, player)}")
    print(f"  copy     4453 {finish(other, agents.Random(seed))}")


if __name__ == "__main__":
    main()
