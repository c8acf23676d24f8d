"""Q-learning with a table learns tic-tac-toe by playing itself, and is proved never to lose.

A position is worth to whoever moved there the negative of what it is worth to whoever is to move:
the whole difference between a game of two and the Q-learning of a textbook.

    python examples/train_q_learning.py
"""

import argparse
import random
from collections import defaultdict

from rich.progress import Progress, TextColumn

from adv_envs import Position, TicTacToe
from agents import Agent, make, match

PAIRS = 100  # of games, to grade it


class Table(Agent):
    """Plays the action with the greatest Q; what was never tried counts as a draw.

    Nothing is left to luck when a stone is set, so Q(s, a) is kept under the position after it.
    """

    def __init__(self) -> None:
        self.q: defaultdict[Position, float] = defaultdict(float)

    def act(self, position: Position) -> int:
        """The action after which the table promises most."""
        return max(position.legal_actions(), key=lambda action: self.q[position.play(action)])

    def learn_a_game(self, position: Position, rng: random.Random, rate: float = 0.5) -> int:
        """Play a game of random moves; Q(s, a) moves to r, or -max Q(s', .). How many moves."""
        plies = 0
        while not position.is_terminal():
            after = position.play(rng.choice(position.legal_actions()))
            if after.is_terminal():
                target = float(after.utility(position.to_move))
            else:
                target = -max(self.q[after.play(reply)] for reply in after.legal_actions())
            self.q[after] += rate * (target - self.q[after])
            position, plies = after, plies + 1
        return plies


def worst(agent: Agent, position: Position, me: int) -> float:
    """The least that ``agent`` gets as player ``me``, over all replies: -1 if it can be beaten."""
    if position.is_terminal():
        return position.utility(me)
    mine = position.to_move == me
    actions = [agent.act(position)] if mine else position.legal_actions()
    return min(worst(agent, position.play(action), me) for action in actions)


def grade(title: str, agent: Agent) -> None:
    """Wins, draws and losses in both seats, and the proof."""
    for opponent in ("random", "alpha_beta(depth=2)"):
        result = match(TicTacToe(), agent, make(opponent), pairs=PAIRS)
        print(f"{title}, against {opponent}: first {result.first}, second {result.second}")
    beaten = [seat for seat in (0, 1) if worst(agent, TicTacToe(), seat) < 0]
    print(f"{title}, over all replies: {'can be beaten' if beaten else 'never loses'}")


def learn(steps: int, seed: int = 0) -> Table:
    """Play games until ``steps`` moves were made."""
    agent, rng, done = Table(), random.Random(seed), 0
    speed = TextColumn("{task.completed:,.0f} steps, {task.fields[speed]:,.0f} steps/s")
    with Progress(*Progress.get_default_columns(), speed) as bar:
        task = bar.add_task("learning", total=steps, speed=0)
        while done < steps:
            done += sum(agent.learn_a_game(TicTacToe(), rng) for _ in range(100))
            bar.update(task, completed=done, speed=bar.tasks[0].speed or 0)
    return agent


def main() -> None:
    """Before, training, after."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=300_000, help="moves to learn from (300000)")
    parser.add_argument("--seed", type=int, default=0, help="draws the moves it tries (0)")
    options = parser.parse_args()
    grade("before", Table())
    grade("after", learn(options.steps, options.seed))


if __name__ == "__main__":
    main()
