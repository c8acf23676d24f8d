"""Measures positions of Connect Four that self-play generates per second, beside other AlphaZeros.

All have a residual network of the same width and depth on one thread, and make as many simulations
for each move; CPU time, in turns (see ``compare.py``). Ours is ``SelfPlay`` of ``agents.learning``:
with PUCT as the others, with Gumbel's search, both in float32; as it plays by default, which is
with Gumbel's search in bfloat16 where the processor has it; and so with the layers as PyTorch has
them, and batches as they come. It plays the moves of an iteration, 16 in every game, for which it
keeps evaluations. The others, in float32:

- OpenSpiel: ``open_spiel.python.algorithms.mcts.MCTSBot`` as its Python AlphaZero makes it, with an
  evaluator that keeps evaluations as its own does, but asks PyTorch, one position at a time;
- alpha-zero-general, with ``--alpha-zero-general PATH`` of its source: ``Coach.executeEpisode``,
  with a network of ours behind ``predict``;
- mctx with Pgx, with ``--pgx-python PATH`` of a Python that has both: ``selfplay_mctx.py``.

Learning, and the copying of samples to the process that learns, is not part of it.

    taskset -c 1 python benchmarks/selfplay.py [--pairs 7] [--simulations 32] [--width 64]
        [--blocks 3] [--alpha-zero-general PATH] [--pgx-python PATH]
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from compare import Contestant, Machine, at_least, compare, parser_of, printer, rate, without
from rich.table import Table

try:
    import pyspiel
    import torch
    from open_spiel.python.algorithms import mcts
except ImportError as error:
    without(error, "-e '.[learn]' open_spiel")

from adv_envs import ConnectFour
from agents.learning import AlphaZeroSettings
from agents.learning.alphazero.residual_network import BatchEvaluator, Network, as_tensor
from agents.learning.alphazero.self_play import SelfPlay

EXPLORATION, NOISE_SHARE, NOISE = 1.5, 0.25, 1.0
PUCT, GUMBEL, DEFAULT = "ours", "ours, Gumbel", "ours, by default"
PLAIN = "the same, layers as they are"


def ours(settings: AlphaZeroSettings, plain: bool = False) -> Callable[[], float]:
    """Plays the moves of an iteration in every game, with one network.

    With ``plain`` it is PyTorch's layers that are asked, with batches as they come.
    """
    play = SelfPlay(ConnectFour(), settings)
    evaluator = BatchEvaluator(Network(play.encoder, settings), settings, fused=not plain)

    def ask(inputs: Any) -> tuple[Any, Any]:
        with torch.inference_mode():
            logits, values = evaluator.network(as_tensor(inputs).to(evaluator.dtype))
            return logits.float().numpy(), values.float().numpy()

    evaluate = ask if plain else evaluator

    def work() -> float:
        return play.play(evaluate, settings.plies_per_iteration)[1].moves

    return work


def network_of(planes: int, settings: AlphaZeroSettings) -> Callable[[Any], tuple[Any, float]]:
    """Returns an evaluation of one board (height, width, planes): probabilities and the value."""
    encoder: Any = SimpleNamespace(shape=(6, 7, planes), start=ConnectFour())
    # one position at a time takes longer with layers that are fused
    evaluate = BatchEvaluator(Network(encoder, settings), settings, fused=False)

    def predict(board: Any) -> tuple[Any, float]:
        logits, values = evaluate(board[None])
        powers = np.exp(logits[0] - logits[0].max())
        return powers / powers.sum(), float(values[0])

    return predict


class SpielEvaluator:
    """Evaluates a network as OpenSpiel's AlphaZero asks it: evaluations are kept."""

    def __init__(self, predict: Callable[[Any], tuple[Any, float]]) -> None:
        self.predict = predict
        self.kept: dict[bytes, tuple[Any, float]] = {}

    def inference(self, state: Any) -> tuple[Any, float]:
        """Returns the probabilities and the value for the player to move."""
        planes = np.array(state.observation_tensor(), np.float32)
        key = planes.tobytes()
        if key not in self.kept:
            board = np.ascontiguousarray(np.moveaxis(planes.reshape(3, 6, 7), 0, -1))
            self.kept[key] = self.predict(board)
        return self.kept[key]

    def evaluate(self, state: Any) -> Any:
        """Returns the values for both players."""
        value = self.inference(state)[1]
        return np.array([value, -value] if state.current_player() == 0 else [-value, value])

    def prior(self, state: Any) -> list[tuple[int, float]]:
        """Returns the probabilities of the legal actions."""
        probabilities = self.inference(state)[0]
        return [(action, probabilities[action]) for action in state.legal_actions()]


def open_spiel(settings: AlphaZeroSettings, moves: int = 30) -> Callable[[], float]:
    """Plays some moves of games, one after the other."""
    game, rng = pyspiel.load_game("connect_four"), np.random.RandomState(0)
    bot = mcts.MCTSBot(
        game, EXPLORATION, settings.simulations, SpielEvaluator(network_of(3, settings)),
        solve=False, dirichlet_noise=(NOISE_SHARE, NOISE), random_state=rng,
        child_selection_fn=mcts.SearchNode.puct_value, verbose=False,
    )  # fmt: skip
    states = [game.new_initial_state()]

    def work() -> float:
        bot.evaluator.kept.clear()  # as ours, which has a new network in each call
        for _ in range(moves):
            root = bot.mcts_search(states[0])
            counts = np.array([child.explore_count for child in root.children], float)
            chosen = rng.choice(len(counts), p=counts / counts.sum())
            states[0].apply_action(root.children[chosen].action)
            if states[0].is_terminal():
                states[0] = game.new_initial_state()
        return moves

    return work


def alpha_zero_general(path: Path, settings: AlphaZeroSettings) -> Callable[[], float]:
    """Plays a game with the code at ``path``."""
    sys.path.insert(0, str(path))
    vars(np)["int"] = int  # which NumPy had when that was written
    coach_module: Any = __import__("Coach")
    game_module: Any = __import__("connect4.Connect4Game", fromlist=["Connect4Game"])

    class Game(game_module.Connect4Game):  # type: ignore[misc] # as above
        def stringRepresentation(self, board: Any) -> bytes:  # noqa: N802 # its name there
            """Does what ``tostring``, which NumPy has no more, did."""
            return bytes(board.tobytes())

    class Net:
        def __init__(self, game: Any) -> None:
            self.network = network_of(1, settings)

        def predict(self, board: Any) -> tuple[Any, float]:
            """Returns the probabilities of all actions and the value."""
            return self.network(np.ascontiguousarray(board[..., None], np.float32))

    game = Game()
    arguments = SimpleNamespace(
        numMCTSSims=settings.simulations,
        cpuct=EXPLORATION,
        tempThreshold=settings.temperature_plies,
    )
    coach = coach_module.Coach(game, Net(game), arguments)

    def work() -> float:
        coach.mcts = coach_module.MCTS(game, coach.nnet, arguments)  # as its ``learn`` does
        return len(coach.executeEpisode()) / 2  # each position is there twice, mirrored

    return work


def pgx_and_mctx(python: str, settings: AlphaZeroSettings) -> Contestant:
    """Plays moves in another Python, which measures itself."""
    script = Path(__file__).with_name("selfplay_mctx.py")
    numbers = [settings.games, settings.simulations, settings.width, settings.blocks]
    process = subprocess.Popen(
        [python, str(script), *map(str, numbers)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip

    def run() -> float:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("\n")
        process.stdin.flush()
        return float(json.loads(process.stdout.readline()))

    return run


def main() -> None:
    """Measures, and prints the table."""
    parser = parser_of(__doc__)
    for name, number in {"simulations": 32, "width": 64, "blocks": 3, "games": 256}.items():
        parser.add_argument(f"--{name}", type=at_least(1), default=number, help=f"({number})")
    parser.add_argument("--alpha-zero-general", type=Path, metavar="PATH")
    parser.add_argument("--pgx-python", metavar="PATH")
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    settings = AlphaZeroSettings(
        method="alphazero", simulations=args.simulations, width=args.width, blocks=args.blocks,
        games=args.games, precision="float32", exploration=EXPLORATION,
    )  # fmt: skip
    gumbel = replace(settings, method="gumbel")
    ways = {PUCT: settings, GUMBEL: gumbel, DEFAULT: replace(gumbel, precision="auto")}
    contestants: dict[str, Contestant] = {
        **{way: rate(ours(each)) for way, each in ways.items()},
        PLAIN: rate(ours(ways[DEFAULT], plain=True)),
        "OpenSpiel": rate(open_spiel(settings)),
    }
    if args.alpha_zero_general:
        contestants["alpha-zero-general"] = rate(
            alpha_zero_general(args.alpha_zero_general, settings)
        )
    if args.pgx_python:
        contestants["mctx with Pgx"] = pgx_and_mctx(args.pgx_python, settings)
    with Machine():
        found = compare(contestants, args.pairs, "self-play")
    table = Table(
        title=f"Connect Four, {args.simulations} simulations, {args.blocks} blocks of {args.width}"
    )
    table.add_column("self-play")
    for column in ("positions/s", "ours is as fast, times", "with Gumbel", "by default"):
        table.add_column(column, justify="right")
    for name in contestants:
        ratios = ["" if name in ways else str(found.ratio(way, name)) for way in ways]
        table.add_row(name, f"{found.speed(name):,.0f}", *ratios)
    printer().print(table)


if __name__ == "__main__":
    main()
