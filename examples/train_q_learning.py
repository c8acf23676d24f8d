"""Trains Q-learning with a table on tic-tac-toe from random games, and proves that it never loses.

    python examples/train_q_learning.py

The value of a position for the player who moved there is the negative of that for the player to
move: the only difference between a game of two players and the Q-learning of a textbook. In --out
are policy.safetensors, which plays as ``policy(path=...)``, curve.png and log.jsonl; the same
command goes on where it was stopped.
"""

import random
from collections import defaultdict
from pathlib import Path

import numpy as np

from adv_envs import Position, TicTacToe
from agents import Agent
from agents.learning import (
    PeriodicEvaluation,
    TrainingRun,
    never_loses,
    run_command,
    training_options,
)
from agents.networks.checkpoint import make_checkpoint, table_key


class Table(Agent):
    """Plays the action with the greatest Q; what was never tried counts as a draw.

    Nothing is left to luck when a stone is set, so Q(s, a) is kept under the position after it.
    """

    def __init__(self) -> None:
        self.q: defaultdict[Position, float] = defaultdict(float)

    def act(self, position: Position) -> int:
        """Returns the action after which the table promises most."""
        return max(position.legal_actions(), key=lambda action: self.q[position.play(action)])

    def learn_a_game(self, position: Position, rate: float = 0.5) -> int:
        """Plays a game of random moves; Q(s, a) moves to r, or -max Q(s', .). How many moves."""
        plies = 0
        while not position.is_terminal():
            after = position.play(random.choice(position.legal_actions()))
            replies = [self.q[after.play(reply)] for reply in after.legal_actions()]
            target = -max(replies) if replies else float(after.utility(position.to_move))
            self.q[after] += rate * (target - self.q[after])
            position, plies = after, plies + 1
        return plies

    def save(self, path: Path, start: Position) -> None:
        """Writes it as an agent: the key of a row is a position, its values are Q(s, .)."""
        rows = sorted(
            (table_key(s), [self.q[s.play(a)] if s.legal(a) else 0.0 for a in range(s.num_actions)])
            for s in {start, *self.q}
            if not s.is_terminal()
        )
        keys, values = (np.array(column) for column in zip(*rows, strict=True))
        make_checkpoint(start, {"keys": keys, "values": values.astype(np.float32)}).save(path)


def main() -> None:
    """Trains, graded before, at intervals, and after; then proves it."""
    options = training_options(__doc__, "q_learning", 300_000).parse_args()
    random.seed(options.seed)
    table, start = Table(), TicTacToe()
    kind = f"Q-learning, seed {options.seed}"
    evaluation = PeriodicEvaluation(start)
    run = TrainingRun(options.out, kind, evaluation, options.steps, options.every)
    if state := run.restore():
        table.q.update({TicTacToe(*s): value for s, value in state["q"]})
    while run.continues(table, lambda: {"q": [[list(s), v] for s, v in table.q.items()]}):
        run.advance(sum(table.learn_a_game(start) for _ in range(100)))
    table.save(options.out / "policy.safetensors", start)
    safe, positions = never_loses(table, start)
    print(f"{'never loses' if safe else 'can be beaten'}: {positions} positions looked at")


if __name__ == "__main__":
    run_command(main)
