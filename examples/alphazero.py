"""Runs AlphaZero in a loop of one's own: from self-play alone to a policy that is graded exactly.

    python examples/alphazero.py
    python examples/alphazero.py --game connect_four --iterations 60 --every 10
    python examples/alphazero.py --game hex --size 5 --method alphazero --iterations 40

``AlphaZero.iterate`` plays some moves in hundreds of games at once and learns from those that have
ended. Now and then the network, without any search, is asked for its moves at positions whose exact
values are known: how often does it give away what perfect play would keep? At the end it meets
alpha-beta. `adv-envs train` does the same in a folder, with a curve, and can be continued.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import torch

import adv_envs
import agents
from agents.learning import AlphaZero, AlphaZeroSettings, PeriodicEvaluation, bounded
from agents.learning.training_run import OneLineParser


def read(arguments: list[str] | None) -> argparse.Namespace:
    """Reads the command line."""
    parser = OneLineParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    some = bounded(int, 1)
    parser.add_argument("--game", default="tic_tac_toe", help="what to learn (tic_tac_toe)")
    parser.add_argument("--size", type=some, help="of the board, where the game has a size")
    parser.add_argument("--method", default="gumbel", help="gumbel or alphazero (gumbel)")
    parser.add_argument("--iterations", type=some, default=60, help="of self-play (60)")
    parser.add_argument("--every", type=some, default=10, help="iterations between grades (10)")
    parser.add_argument("--games", type=some, default=128, help="played at once (128)")
    parser.add_argument("--seed", type=bounded(int, 0), default=0, help="other games (0)")
    args = parser.parse_args(arguments)
    try:
        given = {} if args.size is None else {"size": args.size}
        args.start = adv_envs.start_position(args.game, **given)
        args.settings = AlphaZeroSettings.suited(
            args.start, method=args.method, games=args.games, seed=args.seed, workers=0
        )
    except (ValueError, TypeError) as error:
        parser.error(str(error))
    return args


def main(arguments: list[str] | None = None) -> None:
    """Learns, grades, and plays a match."""
    args = read(arguments)
    torch.set_num_threads(1)  # more would wait for each other: the network is small
    grades = PeriodicEvaluation(args.start, opponents=[], positions=200)
    with (
        tempfile.TemporaryDirectory() as folder,
        AlphaZero(args.start, args.settings) as learner,
    ):
        path = Path(folder) / "policy.safetensors"
        policy = f"policy(path={str(path)!r})"
        for i in range(args.iterations + 1):
            if i % args.every == 0:
                learner.save(path)
                mistakes = grades.evaluate(policy)["mistakes"]
                played = learner.counts.games
                print(
                    f"{i:4} iterations, {played:6} games: {mistakes:6.1%} wrong moves", flush=True
                )
            if i < args.iterations:
                learner.iterate(i / args.iterations)
        learner.save(path)
        for opponent in ("random", "alpha_beta(depth=3)"):
            print(agents.match(args.start, policy, opponent, pairs=20, plies=2, seed=0))


if __name__ == "__main__":
    main()
