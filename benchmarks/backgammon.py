"""Trains the network of Backgammon by playing against itself, and plays against GNU Backgammon.

    python benchmarks/backgammon.py train            # writes agents/data/backgammon.npz
    python benchmarks/backgammon.py gnubg "turn_search()" --games 1000

``gnubg`` is started as a process, without its cube and Jacoby rule, and plays by its evaluation
of the positions after a move (0-ply). Points are for the agent, who is player 0 in every other
game; the interval is of 95 %.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

import agents
from adv_envs import CHANCE, Backgammon, Position
from adv_envs.jit import kernel
from adv_envs.random import advanced, chance_action, fraction, scattered
from agents.games.backgammon import (
    FILE,
    INPUT_WEIGHTS,
    INPUTS,
    LOSE_BACKGAMMON,
    LOSE_GAMMON,
    MEN,
    OUTPUT_WEIGHTS,
    OUTPUTS,
    WIN,
    WIN_BACKGAMMON,
    WIN_GAMMON,
    best_end,
    logistic,
    write_inputs,
)

Floats = NDArray[np.float32]
Numbers = NDArray[np.float64]
Network = tuple[Floats, Floats, NDArray[np.int64], Numbers, Numbers]
"""The weights of the inputs and of the outputs, and workspaces: inputs, hidden units, outputs."""


# ---- training


@kernel
def forward(position: Backgammon, network: Network) -> None:
    """Writes inputs, hidden units and outputs for the player whose turn it is."""
    weights, out_weights, inputs, hidden, outputs = network
    write_inputs(position.own, position.opp, inputs)
    units = weights.shape[0]
    for k in range(OUTPUTS):
        outputs[k] = out_weights[units, k]
    for unit in range(units):
        total = weights[unit, INPUTS]
        for i in range(MEN):
            total += weights[unit, inputs[i]]
        hidden[unit] = total / (1 + abs(total))
        for k in range(OUTPUTS):
            outputs[k] += hidden[unit] * out_weights[unit, k]
    for k in range(OUTPUTS):
        outputs[k] = logistic(outputs[k])


@kernel
def points_at_end(position: Backgammon, network: Network) -> float:
    """Returns what the end of a turn is worth to the player who has played it."""
    if position.is_terminal():
        return float(position.utility(position.turn))
    forward(position, network)
    out = network[4]
    points = 2 * out[WIN] - 1 + out[WIN_GAMMON] + out[WIN_BACKGAMMON]
    return -float(points - out[LOSE_GAMMON] - out[LOSE_BACKGAMMON])


@kernel
def write_target(end: Backgammon, network: Network, target: Numbers) -> None:
    """Writes the outcome at the end of a turn for the player who has played it."""
    if end.is_terminal():
        points = end.utility(end.turn)
        target[:] = 0.0
        target[WIN] = 1.0
        target[WIN_GAMMON] = points >= 2
        target[WIN_BACKGAMMON] = points == 3
        return
    forward(end, network)
    out = network[4]
    target[WIN] = 1.0 - out[WIN]
    target[WIN_GAMMON], target[WIN_BACKGAMMON] = out[LOSE_GAMMON], out[LOSE_BACKGAMMON]
    target[LOSE_GAMMON], target[LOSE_BACKGAMMON] = out[WIN_GAMMON], out[WIN_BACKGAMMON]


@kernel
def learn(position: Backgammon, target: Numbers, rate: float, network: Network) -> None:
    """Moves the outputs at ``position`` towards the target: one step of gradient descent."""
    forward(position, network)
    weights, out_weights, inputs, hidden, outputs = network
    units = weights.shape[0]
    for unit in range(units):
        gradient = 0.0
        for k in range(OUTPUTS):
            error = target[k] - outputs[k]
            gradient += error * out_weights[unit, k]
            out_weights[unit, k] += rate * error * hidden[unit]
        step = rate * gradient * (1 - abs(hidden[unit])) ** 2
        weights[unit, INPUTS] += step
        for i in range(MEN):
            weights[unit, inputs[i]] += step
    for k in range(OUTPUTS):
        out_weights[units, k] += rate * (target[k] - outputs[k])


@kernel
def train_games(
    start: Backgammon, games: int, rate: float, state: int, network: Network, target: Numbers
) -> int:
    """Plays ``games`` against itself, learning from turn to turn; returns the random state."""
    for _ in range(games):
        position = start
        while not position.is_terminal():
            state = advanced(state)
            rolled = position.play(chance_action(position, fraction(state)))
            _, end = best_end(rolled, 0, 0, network)
            if position.turn >= 0:
                write_target(end, network, target)
                learn(position, target, rate, network)
            position = end
    return state


def train(games: int, hidden: int, rate: float, resume: bool, seed: int) -> None:
    """Trains a network from random weights, or goes on, and writes it to its file now and then."""
    rng, began = np.random.default_rng(seed), time.process_time()
    weights = rng.normal(0, 0.1, (hidden, INPUTS + 1)).astype(np.float32)
    out_weights = rng.normal(0, 0.1, (hidden + 1, OUTPUTS)).astype(np.float32)
    if resume:
        weights, out_weights = INPUT_WEIGHTS.copy(), OUTPUT_WEIGHTS.copy()
    workspaces = np.zeros(MEN, np.int64), np.zeros(len(weights)), np.zeros(OUTPUTS)
    network = (weights, out_weights, *workspaces)
    play = train_games.bind(value_of_end=points_at_end)
    state, step = scattered(seed), max(1, games // 40)
    for done in range(0, games, step):
        now = rate * (1 - done / games) ** 2 + 0.002
        state = play(Backgammon(), step, now, state, network, np.zeros(OUTPUTS))
        np.savez(FILE, inputs=weights, outputs=out_weights)
        seconds = time.process_time() - began
        print(f"{done + step:,} games, {seconds:.0f} s of CPU", flush=True)


# ---- GNU Backgammon

SERVER = """
import sys, gnubg
gnubg.command("set automatic game off"); gnubg.command("set automatic roll off")
gnubg.command("set jacoby off"); gnubg.command("set cube use off")
gnubg.command("set player 0 human"); gnubg.command("set player 1 human")
gnubg.command("new session")
cube = dict(gnubg.cubeinfo(), jacoby=0, gammonprice=((1.0, 1.0), (1.0, 1.0)))
how = dict(gnubg.evalcontext(), plies=PLIES, cubeful=0)
print("READY", flush=True)
for line in sys.stdin:
    name, high, low = line.split()
    board = gnubg.positionfromid(name)
    print("MOVE", *gnubg.findbestmove(board, cube, how, (int(high), int(low))), flush=True)
"""
"""What runs in gnubg's Python: a Position ID and two dice in, points from and to out."""


class Gnubg(agents.Agent):
    """Plays as GNU Backgammon by its evaluation ``plies`` plies ahead, without cube."""

    name = "gnubg"

    def __init__(self, plies: int = 0) -> None:
        program = shutil.which("gnubg", path="/usr/games:/usr/local/bin:/usr/bin")
        if program is None:
            raise SystemExit("gnubg is not installed")
        self.folder = tempfile.TemporaryDirectory()
        script = Path(self.folder.name, "server.py")
        script.write_text(SERVER.replace("PLIES", str(plies)))
        self.process = subprocess.Popen(
            [program, "-t", "-q", "-r", "-p", str(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.plan: dict[Position, int] = {}
        self._read("READY")

    def _read(self, word: str) -> list[int]:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith(word):
                return [int(number) for number in line.split()[1:]]
        raise SystemExit("gnubg has ended")

    def act(self, position: Position) -> int:
        """Returns the next action of gnubg's turn; it is asked once a turn."""
        assert isinstance(position, Backgammon)
        if position not in self.plan:
            assert self.process.stdin is not None
            dice = position.dice_left()
            self.process.stdin.write(f"{position.position_id} {dice[0]} {dice[1]}\n")
            self.process.stdin.flush()
            self.plan = plan_of(position, self._read("MOVE"))
        return self.plan[position]


def plan_of(position: Backgammon, points: list[int]) -> dict[Position, int]:
    """Returns the actions that lead where gnubg's do; ``points`` are from, to, from, to."""
    own, other = position.men(position.turn), position.men(1 - position.turn)
    for start, end in zip(points[::2], points[1::2], strict=True):
        if start > 0:
            own[25 - start] -= 1
            own[25 - max(end, 0)] += 1
            if end > 0 and other[end] == 1:
                other[end], other[0] = 0, other[0] + 1
    found: dict[Backgammon, dict[Position, int]] = {position: {}}
    todo = [position]
    while todo:
        here = todo.pop()
        for action in here.legal_actions():
            child, plan = here.play(action), found[here] | {here: action}
            if child.dice == 0:
                sides = child.men(position.turn), child.men(1 - position.turn)
                if sides == (own, other):
                    return plan
            elif child not in found:
                found[child] = plan
                todo.append(child)
    raise SystemExit(f"gnubg's move {points} is not legal at {position!r}")


def play_gnubg(spec: str, games: int, seed: int, plies: int) -> None:
    """Plays games against gnubg and prints the points per game."""
    agent, other, rng = agents.make(spec), Gnubg(plies), Random(seed)
    points = []
    for game in range(games):
        players = [agent, other] if game % 2 == 0 else [other, agent]
        position: Any = Backgammon()
        while not position.is_terminal():
            to_move = position.to_move
            if to_move == CHANCE:
                action = chance_action(position, rng.random())
            else:
                action = players[to_move].act(position)
            position = position.play(action)
        points.append(position.utility(game % 2))
        if game % 100 == 99 or game + 1 == games:
            mean, error = np.mean(points), np.std(points) / len(points) ** 0.5
            won = np.mean(np.array(points) > 0)
            print(
                f"{spec} against gnubg {plies}-ply: {mean:+.3f} +- {1.96 * error:.3f} points "
                f"a game, {won:.1%} won, {game + 1} games",
                flush=True,
            )


def main() -> None:
    """Trains, or plays against gnubg."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    training = commands.add_parser("train")
    training.add_argument("--games", type=int, default=300_000)
    training.add_argument("--hidden", type=int, default=48)
    training.add_argument("--rate", type=float, default=0.1, help="of learning; it falls to 0.002")
    training.add_argument("--resume", action="store_true", help="go on from the network there is")
    training.add_argument("--seed", type=int, default=1)
    playing = commands.add_parser("gnubg")
    playing.add_argument("spec")
    playing.add_argument("--games", type=int, default=1000)
    playing.add_argument("--seed", type=int, default=1)
    playing.add_argument("--plies", type=int, default=0)
    given = parser.parse_args()
    if given.command == "train":
        train(given.games, given.hidden, given.rate, given.resume, given.seed)
    else:
        play_gnubg(given.spec, given.games, given.seed, given.plies)


if __name__ == "__main__":
    main()
