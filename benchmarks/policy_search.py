"""Measures how many simulations a trained policy needs: Gumbel AlphaZero beside PUCT.

    python benchmarks/policy_search.py                      # Connect Four, some minutes of one core
    python benchmarks/policy_search.py --policy othello_6_alphazero --simulations 100
    python benchmarks/policy_search.py --policy runs/mine/policy.safetensors --symmetries

Both searches are given the same network, positions and numbers of simulations. The positions are
those of the game's report cards at which a move is wrong, at Connect Four also those of its six
classes, else random ones if the game has them. A wrong move gives away a win or a draw. Differences
are paired, with 95 % intervals by a bootstrap over the positions; times are those of one move.
"""

from __future__ import annotations

import argparse
import time

import agents
from adv_envs import ConnectFour, Position
from agents.games.connect_four.classes import load_classes
from agents.grading import TestPosition, exact_for, positions_for
from agents.knowledge import knowledge_of
from agents.learning import PeriodicEvaluation
from agents.networks.checkpoint import checkpoint_path, load_checkpoint
from agents.statistics import mean_interval

RANDOM_POSITIONS = 1000


def positions_of(start: Position) -> list[TestPosition]:
    """Returns the test positions: in each of them some move is wrong."""
    known = positions_for(exact_for(start), None, None).positions
    found = [test for test in known if test.value_matters]
    if start == ConnectFour():
        return found + [test for tests in load_classes().values() for test in tests]
    if knowledge_of(start).sample_plies is not None:
        found += PeriodicEvaluation(start, (), positions=RANDOM_POSITIONS).tests
    return found


def wrong_moves(spec: str, tests: list[TestPosition]) -> tuple[list[bool], float]:
    """Returns at which positions the agent is wrong, and its seconds for a move."""
    agent, found = agents.make(spec), []
    agent.act(tests[0].position)  # compiles
    began = time.perf_counter()
    for test in tests:
        agent.reset(0)
        found.append(agent.act(test.position) not in test.right)
    return found, (time.perf_counter() - began) / len(tests)


def main() -> None:
    """Prints the table."""
    read = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    read.add_argument("--policy", default="connect_four_alphazero", help="a file or shipped name")
    read.add_argument("--simulations", type=int, nargs="+", default=[4, 8, 16, 32, 100])
    read.add_argument(
        "--symmetries", action="store_true", help="answers are averaged over all images"
    )
    options = read.parse_args()
    how = f"path={options.policy!r}, symmetries={options.symmetries}"
    try:
        for number in options.simulations:
            agents.make(f"policy({how}, simulations={number})")
    except ValueError as error:  # there is none, it has no values, or the number is not one
        read.error(str(error))
    tests = positions_of(load_checkpoint(checkpoint_path(options.policy)).start)
    alone, _ = wrong_moves(f"policy({how})", tests)
    print(f"{options.policy}: {len(tests)} positions, alone wrong at {sum(alone)}\n")
    print("| simulations | Gumbel, wrong | PUCT, wrong | fewer by Gumbel | Gumbel, ms | PUCT, ms |")
    print("|---|---|---|---|---|---|")
    for number in options.simulations:
        spec = f"policy({how}, simulations={number}, selection="
        gumbel, gumbel_time = wrong_moves(f"{spec}'gumbel')", tests)
        puct, puct_time = wrong_moves(f"{spec}'puct')", tests)
        fewer = mean_interval([p - g for g, p in zip(gumbel, puct, strict=True)], seed=0)
        assert fewer is not None  # there are positions
        told = f"{fewer.value:+.1%} ({fewer.low:+.1%} to {fewer.high:+.1%})"
        print(
            f"| {number} | {sum(gumbel)} ({sum(gumbel) / len(tests):.1%}) "
            f"| {sum(puct)} ({sum(puct) / len(tests):.1%}) "
            f"| {'the same' if gumbel == puct else told} "
            f"| {gumbel_time * 1e3:.0f} | {puct_time * 1e3:.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
