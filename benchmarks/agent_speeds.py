"""Measures every agent on one game that suits it, and lists the games that each agent plays.

A speed is what an agent does in a second of CPU time, on one core: nodes searched, simulations,
iterations, solutions of a game (with its tree), or decisions. Searches begin with an empty table.
It is the median of ``--pairs`` rounds of a tenth of a second or one search, whichever is longer.

With ``--games`` every agent is asked whether it can choose an action at the start of every game
with its usual parameters: the check that comes before every tournament. Agents with limits get
small ones; one that has not answered after ``--patience`` seconds, neither in plain Python nor
compiled, is listed apart.

    python benchmarks/agent_speeds.py [--agents mcts,ismcts] [--pairs 7] [--games]
                                      [--patience 10] [--json docs/manual/agents.json]

``--json`` writes what was measured into the file, from which the pages of the agents are made, and
leaves the rest of the file as it was.
"""

from __future__ import annotations

import json
import os
import platform
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

from compare import Machine, compare, parser_of, printer, rate
from rich.table import Table

from adv_envs import GAMES, Backgammon, Chess, Position, start_position
from adv_envs.notation import read_line
from adv_envs.registry import title
from agents import AGENTS, SearchAgent, make
from agents.agent import Agent
from agents.equilibrium import GameTree
from agents.faults import CannotPlay, first_decision, require_player
from agents.networks import checkpoint


class Trial(NamedTuple):
    """Describes what is timed: a spec, a game with parameters, the moves before, the unit."""

    spec: str
    game: str
    unit: str = "nodes"
    moves: str = ""
    parameters: dict[str, Any] = {}  # noqa: RUF012  # nothing changes it

    def position(self) -> Position:
        """Returns the position that is searched."""
        if self.game == "chess":
            return Chess.from_fen("8/8/8/3k4/8/8/8/K6R w - - 0 1")
        if self.spec == "bear_off()":  # both have two men on each of their first three points
            men = sum(2 << 4 * (25 - point) for point in (1, 2, 3)) + (9 << 100)
            return Backgammon(own=men, opp=men, dice=0, turn=0)
        start = start_position(self.game, **self.parameters)
        return first_decision(start.after(read_line(start, self.moves)))


TRIALS: dict[str, Trial] = {
    "random": Trial("random(seed=1)", "connect_four", "decisions"),
    "greedy": Trial("greedy(evaluate=connect_four.threats, seed=1)", "connect_four", "decisions"),
    "minimax": Trial("minimax(depth=7)", "connect_four"),
    "alpha_beta": Trial("alpha_beta(nodes=3000000)", "connect_four"),
    "max_n": Trial("max_n(depth=8)", "thirty_one", parameters={"num_players": 3}),
    "paranoid": Trial("paranoid(depth=10)", "thirty_one", parameters={"num_players": 3}),
    "expectiminimax": Trial("expectiminimax(depth=6)", "pig"),
    "proof_number": Trial("proof_number(nodes=1000000)", "connect_four"),
    "mcts": Trial("mcts(simulations=20000, seed=1)", "connect_four", "simulations"),
    "ismcts": Trial("ismcts(simulations=20000, seed=1)", "leduc", "simulations"),
    "retrograde": Trial("retrograde()", "tic_tac_toe"),
    "margin_solver": Trial("margin_solver()", "dots_and_boxes", parameters={"margin": True}),
    "perfect": Trial("perfect()", "connect_four", "decisions", "44444"),
    "cfr": Trial("cfr(iterations=300)", "leduc", "iterations"),
    "cfr_plus": Trial("cfr_plus(iterations=300)", "leduc", "iterations"),
    "discounted_cfr": Trial("discounted_cfr(iterations=300)", "leduc", "iterations"),
    "mccfr": Trial("mccfr(iterations=20000)", "leduc", "iterations"),
    "equilibrium": Trial("equilibrium()", "leduc", "solutions"),
    "policy": Trial("policy(path='connect_four_ppo')", "connect_four", "decisions"),
    "amazons_solver": Trial("amazons_solver()", "amazons", parameters={"size": 4}),
    "quoridor_solver": Trial("quoridor_solver()", "quoridor", parameters={"size": 4}),
    "animal_shogi_solver": Trial("animal_shogi_solver()", "animal_shogi", moves="b1c2 b4a3"),
    "bear_off": Trial("bear_off()", "backgammon", "decisions"),
    "turn_search": Trial("turn_search()", "backgammon", "decisions", "31"),
    "breakthrough_solver": Trial(
        "breakthrough_solver()", "breakthrough", parameters={"height": 5, "width": 4}
    ),
    "chess_endings": Trial("chess_endings()", "chess", "decisions"),
    "connect_four_solver": Trial(
        "connect_four_solver(book=False)", "connect_four", moves="4444422"
    ),
    "clobber_solver": Trial("clobber_solver()", "clobber", parameters={"height": 4, "width": 5}),
    "domineering_solver": Trial(
        "domineering_solver()", "domineering", parameters={"height": 6, "width": 7}
    ),
    "threat_search": Trial("threat_search(nodes=30000)", "gomoku", moves="h8 h9 i8 g8 i9"),
    "rush": Trial("rush(seed=1)", "hex", "decisions"),
    "hex_solver": Trial("hex_solver(book=False)", "hex", parameters={"size": 5}),
    "y_solver": Trial("y_solver()", "y", parameters={"size": 7}),
    "nine_mens_morris_endings": Trial(
        "nine_mens_morris_endings(men=6)",
        "nine_mens_morris",
        "decisions",
        "a1 a4 g1 d2 g7 d3",
        {"men": 3},
    ),
    "nim_solver": Trial("nim_solver()", "nim", "decisions"),
    "othello_solver": Trial("othello_solver()", "othello", parameters={"size": 4}),
    "othello_player": Trial("othello_player(depth=9)", "othello"),
    "equity_player": Trial("equity_player(seed=1)", "texas_holdem", "decisions"),
    "iggi": Trial("iggi()", "hanabi", "decisions"),
    "piers": Trial("piers()", "hanabi", "decisions"),
    "recommendations": Trial("recommendations()", "hanabi", "decisions", parameters={"players": 5}),
    "gin_rummy_player": Trial(
        "gin_rummy_player(simulations=1000, seed=1)", "gin_rummy", "simulations"
    ),
    "pig_solver": Trial("pig_solver()", "pig", "decisions"),
}
"""All agents but people, other programs, and ``strong``, which asks another agent."""

SMALL = {
    "minimax": "depth=1",
    "alpha_beta": "depth=1",
    "max_n": "depth=1",
    "paranoid": "depth=1",
    "expectiminimax": "depth=1",
    "proof_number": "nodes=10",
    "mcts": "simulations=2",
    "ismcts": "simulations=2",
    "cfr": "iterations=1",
    "cfr_plus": "iterations=1",
    "discounted_cfr": "iterations=1",
    "mccfr": "iterations=1",
    "clobber_solver": "seconds=0.1",
    "domineering_solver": "seconds=0.1",
    "hex_solver": "seconds=0.1",
    "y_solver": "seconds=0.1",
    "threat_search": "nodes=10",
    "othello_player": "depth=1",
}
"""Limits with which agents are asked whether they can play."""

PLIES = 12
"""How many positions those are asked for decisions that count them."""


# ---- speeds


def work_of(trial: Trial) -> Any:
    """Returns a function that works once and returns how many units that was."""
    position = trial.position()
    agent = make(trial.spec)

    def decide() -> int:
        here, asked = position, 0
        while asked < PLIES and not here.is_terminal():
            here = first_decision(here)
            if not here.is_terminal():
                here, asked = here.play(agent.act(here)), asked + 1
        return asked

    def search() -> int:
        searcher = make(trial.spec, SearchAgent)
        return searcher.analyse(position).nodes

    tree = GameTree(position.start()) if trial.unit == "iterations" else None

    def solve() -> int:
        policy: Any = agent
        policy.solve(tree if trial.unit == "iterations" else GameTree(position.start()))
        return getattr(policy, "iterations", 1) if trial.unit == "iterations" else 1

    if trial.unit in ("iterations", "solutions"):
        return solve
    return decide if trial.unit == "decisions" else search


def speeds(names: list[str], pairs: int) -> dict[str, dict[str, Any]]:
    """Returns for each agent what was timed, and how many units it did in a second."""
    found = {}
    for name in names:
        trial = TRIALS[name]
        speed = compare({name: rate(enough(work_of(trial)))}, pairs, name).speed(name)
        found[name] = {
            "spec": trial.spec,
            "game": title(trial.position().start()),
            "start": trial.game,
            "moves": trial.moves,
            "unit": trial.unit,
            "per_second": float(f"{speed:.2g}"),
        }
    return found


def enough(work: Any) -> Any:
    """Repeats ``work`` for a tenth of a second."""

    def run() -> int:
        units, until = 0, time.process_time() + 0.1
        while True:
            units += work()
            if time.process_time() >= until:
                return units

    return run


# ---- games


class OutOfPatience(BaseException):
    """Says that an agent has not answered; it is no error that agents could handle."""


def agent_of(name: str, game: str) -> Agent | None:
    """Returns the agent that is asked; None for those whose games follow from a parameter."""
    if name in ("engine", "human", "league", "strong"):
        return None
    if name == "policy":
        shipped = checkpoint.shipped_checkpoints()
        fits = [known for known in shipped if known.startswith(f"{game}_")]
        return make(f"policy(path={fits[0]!r})") if fits else make(f"policy(path={shipped[0]!r})")
    return make(f"{name}({SMALL.get(name, '')})")


def answer(name: str, game: str, patience: int) -> str | None:
    """Returns why an agent does not play a game, "" if it does, None if it was too slow."""
    agent = agent_of(name, game)
    assert agent is not None, "people and programs are not asked"
    signal.alarm(patience)
    try:
        require_player(agent, start_position(game))
        return ""
    except CannotPlay as error:
        return error.why
    except OutOfPatience:
        return None
    finally:
        signal.alarm(0)


def give_up(*_: object) -> None:
    """Interrupts an agent."""
    raise OutOfPatience


def asked(names: list[str], patience: int) -> dict[str, Any]:
    """Returns the answers of agents, each asked in a process of its own."""
    found: dict[str, Any] = {}
    for name in names:
        if agent_of(name, "hex") is None:
            continue
        found[name] = in_process(name, list(GAMES), patience, compiled=False, limit=None)
        late = [game for game, why in found[name].items() if why is None]
        for game in late if name != "retrograde" else []:  # which compiles nothing
            found[name] |= in_process(name, [game], 100 * patience, True, 6 * patience)
        plays = sum(why == "" for why in found[name].values())
        print(f"{name}: plays {plays} of {len(found[name])} games", file=sys.stderr)
    return found


def in_process(
    name: str, games: list[str], patience: int, compiled: bool, limit: int | None
) -> dict[str, str | None]:
    """Returns an agent's answers about some games, all None if that takes longer than ``limit``."""
    asked_for = ["--ask", name, "--of", ",".join(games), "--patience", str(patience)]
    try:
        done = subprocess.run(
            [sys.executable, __file__, *asked_for],
            capture_output=True,
            text=True,
            check=True,
            timeout=limit,
            env=os.environ if compiled else {**os.environ, "NUMBA_DISABLE_JIT": "1"},
        )
    except subprocess.TimeoutExpired:
        return dict.fromkeys(games)
    return dict(json.loads(done.stdout))


def main() -> None:
    """Measures, prints the table and writes the file."""
    parser = parser_of(__doc__)
    parser.add_argument("--agents", help="some of them, with commas; all if not given")
    parser.add_argument("--games", action="store_true", help="ask which games agents play, too")
    parser.add_argument("--patience", type=int, default=10, help="seconds for an answer (10)")
    parser.add_argument("--json", type=Path, help="the file to be written")
    parser.add_argument("--ask", help="print the answers of one agent, as JSON")
    parser.add_argument("--of", help="about these games, with commas")
    options = parser.parse_args()
    if options.ask:
        signal.signal(signal.SIGALRM, give_up)
        asked_about = options.of.split(",")
        found = {game: answer(options.ask, game, options.patience) for game in asked_about}
        print(json.dumps(found))
        return
    names = options.agents.split(",") if options.agents else list(AGENTS)
    with Machine():
        fast = speeds([name for name in names if name in TRIALS], options.pairs)
    table = Table("agent", "game", "spec", "a second")
    for name, row in fast.items():
        table.add_row(name, row["game"], row["spec"], f"{row['per_second']:,.0f} {row['unit']}")
    printer().print(table)
    games = asked(names, options.patience) if options.games else {}
    if options.json:
        write(options.json, fast, games)


def write(path: Path, fast: dict[str, Any], games: dict[str, Any]) -> None:
    """Adds what was found to the file."""
    data = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    data["machine"] = f"{platform.machine()}, one core, Python {platform.python_version()}"
    data["speeds"] = data.get("speeds", {}) | fast
    data["games"] = data.get("games", {}) | games
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
