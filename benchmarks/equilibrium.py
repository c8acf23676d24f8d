"""Measures regret minimisation and exploitability beside OpenSpiel's C++: iterations per second.

Each solver runs a second or more, the compiler's time left out. The exploitability is that of the
average policy after that number of iterations, which both count as 1, 2, 3, ...: OpenSpiel's own,
worked out by OpenSpiel, and ours. The last row of a game is how often a second the exploitability
of the uniform policy is worked out, and how large it is.

    python benchmarks/equilibrium.py [--seconds 5] [--game leduc ...]

needs ``pip install open_spiel``.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

from adv_envs import Position, start_position
from agents.equilibrium import (
    CFR,
    MCCFR,
    constant,
    discounted,
    exploitability,
    game_tree,
    plus,
    uniform_policy,
)

GAMES: dict[str, tuple[str, dict[str, Any]]] = {
    "kuhn": ("kuhn_poker", {}),
    "leduc": ("leduc_poker", {}),
    "liars_dice": ("liars_dice(dice_sides=4)", {"sides": 4}),
    "goofspiel": (
        "turn_based_simultaneous_game(game=goofspiel("
        "num_cards=4,imp_info=true,points_order=descending))",
        {"cards": 4, "order": -1, "secret": True},
    ),
}
"""OpenSpiel's name and our parameters."""

FIRST = 100
"""The number of iterations after which the exploitability is printed."""


def rate(run: Callable[[int], object], seconds: float) -> float:
    """Returns iterations per second of ``run(number)``, over at least this many seconds."""
    number, began = 1, time.perf_counter()
    run(number)
    while (taken := time.perf_counter() - began) < seconds:
        number, began = 2 * number, time.perf_counter()
        run(number)
    return number / taken


def theirs(name: str, solver: str) -> Any:
    """Returns OpenSpiel's game and solver."""
    import pyspiel

    game = pyspiel.load_game(name)
    made = {
        "cfr": pyspiel.CFRSolver,
        "cfr_plus": pyspiel.CFRPlusSolver,
        "external sampling": pyspiel.ExternalSamplingMCCFRSolver,
        "outcome sampling": pyspiel.OutcomeSamplingMCCFRSolver,
    }[solver](game)
    return game, made


def runner(solver: Any) -> Callable[[int], None]:
    """Returns a function that runs an OpenSpiel solver a number of times."""
    step = getattr(solver, "evaluate_and_update_policy", None) or solver.run_iteration

    def run(number: int) -> None:
        for _ in range(number):
            step()

    return run


def ours(start: Position, solver: str) -> Any:
    """Makes a solver of ours by its name, for a game with parameters."""
    tree = game_tree(start)
    if solver.endswith("sampling"):
        return MCCFR(tree, solver.removesuffix(" sampling"))
    schedules = {"cfr": constant, "cfr_plus": plus, "discounted_cfr": discounted()}
    return CFR(tree, schedules[solver])


def compare(game: str, solver: str, seconds: float) -> str:
    """Returns a row of the table."""
    import pyspiel

    peer, parameters = GAMES[game]
    there, other = theirs(peer, solver)
    own = ours(start_position(game, **parameters), solver)
    runner(other)(FIRST)
    own.run(FIRST)
    lost = exploitability(own.average())
    lost_there = pyspiel.exploitability(there, other.average_policy())
    fast, slow = rate(own.run, seconds), rate(runner(other), seconds)
    return (
        f"{game:<11} {solver:<18} {fast:>12,.0f} {slow:>12,.0f} {fast / slow:>8,.0f}x"
        f" {lost:>12.7f} {lost_there:>12.7f}"
    )


def compare_exploitability(game: str, seconds: float) -> str:
    """Returns the same row for the exploitability of the policy that is uniform."""
    import pyspiel

    peer, parameters = GAMES[game]
    there = pyspiel.load_game(peer)
    uniform = pyspiel.UniformRandomPolicy(there)
    own = uniform_policy(start_position(game, **parameters))
    lost, lost_there = exploitability(own), pyspiel.exploitability(there, uniform)
    fast = rate(lambda number: [exploitability(own) for _ in range(number)], seconds)
    slow = rate(
        lambda number: [pyspiel.exploitability(there, uniform) for _ in range(number)], seconds
    )
    return (
        f"{game:<11} {'exploitability':<18} {fast:>12,.0f} {slow:>12,.1f} {fast / slow:>8,.0f}x"
        f" {lost:>12.7f} {lost_there:>12.7f}"
    )


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--game", nargs="*", choices=GAMES, default=list(GAMES))
    options = parser.parse_args()
    print(f"{'':30} {'iterations/s':>12} {'OpenSpiel':>12} {'ratio':>9}", end="")
    print(f" {f'after {FIRST}':>12} {'OpenSpiel':>12}")
    for game in options.game:
        for solver in ("cfr", "cfr_plus", "external sampling", "outcome sampling"):
            print(compare(game, solver, options.seconds), flush=True)
        print(compare_exploitability(game, options.seconds), flush=True)


if __name__ == "__main__":
    main()
