"""Plays agents of ours against OpenSpiel's Monte Carlo tree search, in games with the same rules.

OpenSpiel's search is its C++ bot with random rollouts, uct_c 2 and solving switched on. Openings
are random, each is played twice with seats swapped, and both programs follow the game move by move
by their own rules. A game that OpenSpiel ends sooner, as its checkers after 40 plies without a
capture, counts as it says.

    python benchmarks/open_spiel_matches.py kalah [--pairs 20] [--simulations 10000] [--agent SPEC]

needs ``pip install open_spiel``. Without ``--agent``, alpha-beta with 20,000 nodes a move.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import agents
from adv_envs import Position, start_position
from agents.arena.game_record import GameRecord
from agents.arena.rating.head_to_head import HeadToHead

Action = Callable[[Any, int], int]
"""``action(position, ours)``: what OpenSpiel calls our action."""


class Peer(NamedTuple):
    """Names a game of OpenSpiel's, its actions, and the agent of ours."""

    name: str
    action: Action
    agent: str
    parameters: tuple[tuple[str, Any], ...] = ()
    opening: int = 4
    """Random plies."""


def pit(position: Any, action: int) -> int:
    """Returns OpenSpiel's hole: player 0 has 1 to 6, player 1 has 8 to 13."""
    return action + (1, 8)[position.to_move]


def turned_square(position: Any, action: int) -> int:
    """Returns row, column, direction and kind of move, on the board turned by half."""
    square, direction = 31 - action // 4, action % 4 ^ 2
    row, column = square // 4, 2 * (square % 4) + 1 - square // 4 % 2
    return ((row * 8 + column) * 4 + direction) * 2 + ("x" in position.name(action))


PEERS = {
    "kalah": Peer("mancala", pit, "alpha_beta(nodes=20000, evaluate=kalah.lead)"),
    "dots_and_boxes": Peer(
        "dots_and_boxes(num_rows=4,num_cols=4)",
        lambda position, action: action,
        "alpha_beta(nodes=20000, evaluate=dots_and_boxes.chains, order=dots_and_boxes.closing)",
        (("rows", 4), ("columns", 4)),
    ),
    "gomoku": Peer("gomoku", lambda position, action: action, "threat_search(nodes=300)"),
    "checkers": Peer(
        "checkers", turned_square, "alpha_beta(nodes=20000, evaluate=checkers.material)"
    ),
}


def play(
    start: Position, opening: list[int], agent: Any, seat: int, bot: Any, state: Any, action: Action
) -> tuple[list[int], float, list[float]]:
    """Returns (actions after the opening, the game's worth to the agent, seconds of both)."""
    position, actions, seconds = start, [*opening], [0.0, 0.0]
    moves = iter(opening)
    while not state.is_terminal():
        chosen, began = next(moves, None), time.perf_counter()
        theirs = {action(position, a): a for a in position.legal_actions()}
        if chosen is None:
            ours = position.to_move == seat
            chosen = agent.act(position) if ours else theirs[bot.step(state)]
            seconds[0 if ours else 1] += time.perf_counter() - began
            actions.append(chosen)
        state.apply_action(action(position, chosen))
        position = position.play(chosen)
    return actions[len(opening) :], state.returns()[seat], seconds


def random_opening(start: Position, plies: int, rng: Random) -> list[int]:
    """Returns a number of random moves."""
    position, opening = start, []
    for _ in range(plies):
        opening.append(rng.choice(position.legal_actions()))
        position = position.play(opening[-1])
    return opening


def measured(peer: Peer, start: Position, given: argparse.Namespace) -> list[GameRecord]:
    """Returns the games of all openings, each played twice."""
    import pyspiel

    game, rng = pyspiel.load_game(peer.name), Random(given.seed)
    agent: Any = agents.make(given.agent or peer.agent)
    evaluator, records = pyspiel.RandomRolloutEvaluator(1, given.seed), []
    for number in range(2 * given.pairs):
        seat = number % 2
        if seat == 0:
            opening = random_opening(start, peer.opening, rng)
        bot = pyspiel.MCTSBot(
            game, evaluator, 2.0, given.simulations, 1000, True, given.seed + number, False
        )
        agent.reset(given.seed + number)
        state = game.new_initial_state()
        actions, worth, seconds = play(start, opening, agent, seat, bot, state, peer.action)
        points = (worth > 0) + 0.5 * (worth == 0)
        both = (points, 1 - points) if seat == 0 else (1 - points, points)
        names = ("ours", "OpenSpiel") if seat == 0 else ("OpenSpiel", "ours")
        taken = (seconds[seat], seconds[1 - seat])
        records.append(GameRecord(number, names, tuple(opening), tuple(actions), both, taken))
        print(f"\r{number + 1}/{2 * given.pairs}", end="", flush=True)
    return records


def main() -> None:
    """Plays and prints."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game", choices=PEERS)
    parser.add_argument("--pairs", type=int, default=20, help="openings, each played twice")
    parser.add_argument("--simulations", type=int, default=10_000, help="of OpenSpiel's search")
    parser.add_argument("--agent", help="a spec, in place of the game's")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    peer = PEERS[given.game]
    start = start_position(given.game, **dict(peer.parameters))
    records = measured(peer, start, given)
    seconds = [0.0, 0.0]
    for record in records:
        for name, taken in zip(record.players, record.seconds, strict=True):
            seconds[name != "ours"] += taken
    print(f"\n{given.agent or peer.agent} against {peer.name}, {given.simulations} simulations")
    print(HeadToHead.of(records, "ours", "OpenSpiel"))
    print(f"seconds: {seconds[0]:.1f} ours, {seconds[1]:.1f} OpenSpiel's")


if __name__ == "__main__":
    main()
