"""AlphaZero in one file: it learns from nothing but playing itself, with a search it guides.

    python examples/alphazero.py --game tic_tac_toe --minutes 4
    python examples/alphazero.py --game connect_four --minutes 120 --device cuda
    python examples/alphazero.py --game hex --size 5 --minutes 60 --out runs/hex5

Many games are played at once. Each move is chosen by a Monte Carlo tree search (PUCT, and at the
root the Gumbel trick, for which a dozen simulations are enough) whose leaves, one of each game, are
valued by the network in one batch; the rules run compiled, in ``Boards``. What the search makes of
its probabilities and the results of the games are what the network learns: how it would search, and
who will win. Every few iterations it is graded, without any search: how often does it give away
what perfect play would keep, and how often does it win against alpha-beta?

The same command goes on where it was stopped, with new games; --begin-with goes on from any policy
of the same --net, --width and --blocks, such as a shipped one. In --out are policy.safetensors,
which plays as ``policy(path='.../policy.safetensors')``; curve.png; log.jsonl. Steps are moves.

Source: D. Silver et al., "A general reinforcement learning algorithm that masters chess, shogi, and
Go through self-play", Science 2018; I. Danihelka et al., "Policy improvement by planning with
Gumbel", ICLR 2022. Games must be of two players in turn, without chance.
"""

from __future__ import annotations

import argparse
import copy
import json
import math
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

import adv_envs
from adv_envs.batch.boards import Boards
from agents.learning import PeriodicEvaluation, TrainingRun, bounded, run_command
from agents.learning.training_run import OneLineParser
from agents.networks.checkpoint import CheckpointError
from agents.networks.pytorch import load_torch, save_torch

LAYOUT = torch.channels_last
"""How convolutions are faster: half as fast again on CPUs."""

# ---- the network


class Residual(nn.Module):
    """x + body(x)."""

    def __init__(self, body: nn.Module) -> None:
        super().__init__()
        self.body = body

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Add."""
        added: torch.Tensor = x + self.body(x)
        return added


class Net(nn.Module):
    """Planes in; logits of the actions and a value for the player to move out.

    A residual network of convolutions, or of dense layers: these see no neighbourhood, but play
    ten times as many games in the same time, which on small boards is better.
    """

    def __init__(self, start: Any, width: int, blocks: int, dense: bool) -> None:
        super().__init__()
        height, columns, planes = start.observation_shape

        def layer(inputs: int, outputs: int, size: int = 3) -> list[nn.Module]:
            if dense:
                return [nn.Linear(inputs, outputs, bias=False), nn.BatchNorm1d(outputs)]
            convolution = nn.Conv2d(inputs, outputs, size, padding="same", bias=False)
            return [convolution, nn.BatchNorm2d(outputs)]

        def block() -> nn.Module:
            first, second = layer(width, width), layer(width, width)
            return Residual(nn.Sequential(nn.ReLU(), *first, nn.ReLU(), *second))

        def head() -> tuple[list[nn.Module], int]:
            if dense:
                return [], width
            return [*layer(width, 8, 1), nn.ReLU(), nn.Flatten()], 8 * height * columns

        inputs = (planes + 1) * (height * columns if dense else 1)
        first = [nn.Flatten()] if dense else []
        self.trunk = nn.Sequential(
            *first, *layer(inputs, width), *(block() for _ in range(blocks)), nn.ReLU()
        )
        layers, size = head()
        self.policy = nn.Sequential(*layers, nn.Linear(size, start.num_actions))
        layers, size = head()
        self.value = nn.Sequential(
            *layers, nn.Linear(size, 64), nn.ReLU(), nn.Linear(64, 1), nn.Tanh()
        )

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """(n, planes + 1, height, width) to logits (n, num_actions) and values (n,)."""
        x = self.trunk(x)
        return self.policy(x), self.value(x)[:, 0]


def evaluate(net: Any, boards: Boards, device: str) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities of the legal actions and values of all boards, for the players to move."""
    with torch.no_grad():
        planes = torch.from_numpy(inputs(boards)).to(device, memory_format=LAYOUT)
        logits, values = net(planes)
        logits = torch.from_numpy(turned(boards, logits.cpu().numpy()))
        legal = torch.from_numpy(boards.masks != 0)
        priors = logits.masked_fill(~legal, -torch.inf).softmax(-1)
    return priors.numpy(), values.cpu().numpy()


def inputs(boards: Boards) -> np.ndarray:
    """The boards as the players to move see them, and a plane that is 1 for the second player."""
    seen = boards.observations
    if is_hex(boards.start):
        second = boards.to_move[:, None, None, None] == 1
        seen = np.where(second, seen.swapaxes(-2, -1), seen)
    player = np.broadcast_to(boards.to_move[:, None, None, None], (len(seen), 1, *seen.shape[2:]))
    return np.concatenate([seen, player.astype(np.float32)], axis=1)


def turned(boards: Any, numbers: np.ndarray) -> np.ndarray:
    """Numbers for actions (n, num_actions) from how the players see the board to how it is."""
    if not is_hex(boards.start):
        return numbers
    mirrored = numbers.reshape(-1, boards.start.height, boards.start.width).swapaxes(1, 2)
    return np.where(boards.to_move[:, None] == 1, mirrored.reshape(numbers.shape), numbers)


def is_hex(start: Any) -> bool:
    """In Hex the second player sees the board mirrored on its long diagonal.

    Then both join top and bottom, and what is learnt in one part is known in the other.
    """
    return bool(adv_envs.name_of(start) == "hex")


# ---- the search: one tree for each of n games, all grown by one leaf at a time


class Trees:
    """Arrays of shape (games, nodes, actions); node 0 is the root, node i the i-th leaf."""

    def __init__(self, start: Any, games: int, simulations: int, args: argparse.Namespace) -> None:
        shape = games, simulations + 1, start.num_actions
        self.boards = Boards(
            start, games, autoreset="disabled", dtype=np.float32, channels_first=True
        )
        self.boards.reset(seed=0)
        self.words = np.zeros((*shape[:2], self.boards.words.shape[1]), np.int64)
        self.priors, self.totals = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        self.visits, self.children = np.zeros(shape, np.int32), np.zeros(shape, np.int32)
        self.ends = np.zeros(shape[:2], np.bool_)  # finished games
        self.args, self.games, self.simulations = args, np.arange(games), simulations

    def search(
        self, words: np.ndarray, net: Any, rng: np.random.Generator, bold: np.ndarray
    ) -> Any:
        """The actions to play, what the search makes of the network's probabilities, and values.

        That is (games,), (games, num_actions) and (games,), the values for the players to move.
        ``bold``, bool (games,), says where an action may be drawn, not only the best one played.
        """
        boards, games = self.boards, self.games
        boards.words[:] = words
        boards.refresh()
        for array in (self.totals, self.visits, self.children, self.ends):
            array.fill(0)
        self.priors[:, 0], values = evaluate(net, boards, self.args.device)
        self.words[:, 0] = words
        root = Root(self.priors[:, 0], boards.masks != 0, values, bold, rng, self.args)
        for leaf in range(1, self.simulations + 1):
            first = root.choose(leaf - 1, self.visits[:, 0], self.totals[:, 0])
            path = self.descend(first)
            nodes, actions = path[-1][:2]
            known = self.children[games, nodes, actions]  # not 0: the end of a game, seen before
            boards.words[:] = self.words[games, nodes]
            boards.refresh()
            boards.step(actions)
            priors, values = evaluate(net, boards, self.args.device)
            values = np.where(boards.terminated, -boards.rewards, values)  # of who did not move
            self.children[games, nodes, actions] = np.where(known, known, leaf)
            self.words[:, leaf], self.priors[:, leaf] = boards.words, priors
            self.ends[:, leaf] = boards.terminated
            for nodes, actions, active in reversed(path):
                # each game's path has its own length: the value turns only where it was
                values = np.where(active, -values, values)
                at = games[active], nodes[active], actions[active]
                self.visits[at] += 1
                self.totals[at] += values[active]
        return root.conclude(self.visits[:, 0], self.totals[:, 0])

    def descend(self, first: np.ndarray) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """From the roots to where nothing is known: (nodes, actions, whose path is that long).

        Paths begin with the actions ``first``. The last nodes and actions are those of all games,
        also of paths that ended before.
        """
        games = self.games
        path: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        nodes, actions = np.zeros_like(games), np.zeros_like(games)
        active = np.ones(len(games), np.bool_)
        while active.any():
            visits = self.visits[games, nodes]
            means = self.totals[games, nodes] / np.maximum(visits, 1)
            spread = self.args.exploration * np.sqrt(visits.sum(1, keepdims=True) + 1.0)
            priors = self.priors[games, nodes]
            scores = means + spread * priors / (1 + visits)
            best = np.where(priors > 0, scores, -np.inf).argmax(1) if path else first
            actions = np.where(active, best, actions)
            path.append((nodes, actions, active))
            below = self.children[games, nodes, actions]
            active = active & (below > 0) & ~self.ends[games, below]
            nodes = np.where(active, below, nodes)
        return path


class Root:
    """Which actions to try at the roots, and what to learn from them: Gumbel AlphaZero.

    A few actions are drawn without replacement, by their probabilities (the Gumbel trick), and the
    visits are shared among them by sequential halving. However few the visits are, what comes out
    is in expectation no worse than what the network knew, so a dozen of them is enough to learn.
    """

    def __init__(
        self, priors: Any, legal: Any, values: Any, bold: Any, rng: Any, args: argparse.Namespace
    ) -> None:
        self.legal, self.values, self.rows = legal, values, np.arange(len(legal))
        self.logits = np.where(legal, np.log(np.maximum(priors, 1e-9)), -np.inf)
        self.drawn = self.logits + rng.gumbel(size=legal.shape) * bold[:, None]
        number = np.minimum(legal.sum(1), args.considered)
        sequences = np.array([visits_in_turn(m, args.simulations) for m in range(number.max() + 1)])
        self.in_turn = sequences[number]  # (games, simulations)
        least = -np.sort(-self.drawn, 1)[self.rows, number - 1]
        self.considered = legal & (self.drawn >= least[:, None])

    def choose(self, simulation: int, visits: np.ndarray, totals: np.ndarray) -> np.ndarray:
        """Of the considered actions whose turn it is, the most promising: (games,)."""
        turn = self.considered & (visits == self.in_turn[:, simulation, None])
        scores = self.drawn + self.gains(visits, totals)
        best: np.ndarray = np.where(turn, scores, -np.inf).argmax(1)
        return best

    def gains(self, visits: np.ndarray, totals: np.ndarray) -> np.ndarray:
        """What the search adds to the logits; where nothing was tried it supposes the mean."""
        tried = visits > 0
        means = totals / np.maximum(visits, 1)
        priors = np.exp(self.logits)
        weights = np.where(tried, priors, 0).sum(1)
        known = (np.where(tried, priors * means, 0)).sum(1) / np.maximum(weights, 1e-9)
        number = visits.sum(1)
        supposed = (self.values + number * known) / (1 + number)
        self.q = q = np.where(tried, means, supposed[:, None])
        low = np.where(self.legal, q, np.inf).min(1, keepdims=True)
        high = np.where(self.legal, q, -np.inf).max(1, keepdims=True)
        certainty = 0.1 * (50 + visits.max(1, keepdims=True))
        gains: np.ndarray = certainty * (q - low) / np.maximum(high - low, 1e-6)
        return gains

    def conclude(self, visits: np.ndarray, totals: np.ndarray) -> Any:
        """The actions to play, the improved policies, and the values: see ``Trees.search``."""
        gains = self.gains(visits, totals)
        most = self.considered & (visits == np.where(self.considered, visits, 0).max(1)[:, None])
        actions = np.where(most, self.drawn + gains, -np.inf).argmax(1)
        improved = np.exp(self.logits + gains - (self.logits + gains).max(1, keepdims=True))
        improved /= improved.sum(1, keepdims=True)
        return actions, improved, (improved * self.q).sum(1)


def visits_in_turn(actions: int, simulations: int) -> list[int]:
    """How often an action must have been visited to be visited next, for each simulation.

    Sequential halving: all actions in turn, then the better half, then a quarter, down to two.
    """
    found: list[int] = []
    visits, left = [0] * max(actions, 1), max(actions, 1)
    phases = max(1, math.ceil(math.log2(left)))
    while len(found) < simulations:
        for _ in range(max(1, simulations // (phases * left))):
            found += visits[:left]
            visits[:left] = [number + 1 for number in visits[:left]]
        left = max(min(2, len(visits)), left // 2)
    return found[:simulations]


# ---- self-play


class SelfPlay:
    """Games that go on from one iteration to the next, and what is to be learnt from them."""

    def __init__(self, start: Any, args: argparse.Namespace) -> None:
        self.trees = Trees(start, args.games, args.simulations, args)
        self.games = Boards(
            start, args.games, autoreset="disabled", dtype=np.float32, channels_first=True
        )
        self.games.reset(seed=args.seed)
        self.start, self.args, self.plies = start, args, np.zeros(args.games, np.int64)
        self.stories: list[list[Any]] = [[] for _ in range(args.games)]
        self.wander(range(args.games))

    def wander(self, indices: Iterable[int]) -> None:
        """Some games begin with random moves, so that the network has seen more than good play."""
        for index in indices:
            position = self.start
            if random.random() < self.args.wild:
                for _ in range(random.randrange(self.start.height * self.start.width - 1)):
                    after = position.play(random.choice(position.legal_actions()))
                    position = position if after.is_terminal() else after
            self.games[index] = position

    def play(self, net: Any, rng: np.random.Generator) -> list[tuple[Any, Any, Any]]:
        """One move in every game; samples (planes, visits, target) of the games that ended."""
        games, samples = self.games, []
        bold = self.plies < self.args.bold
        actions, improved, expected = self.trees.search(games.words, net, rng, bold)
        seen, movers = inputs(games), games.to_move.copy()
        policies = turned(games, improved.astype(np.float32))
        for index, story in enumerate(self.stories):
            story.append((seen[index], policies[index], movers[index], expected[index]))
        games.step(actions)
        self.plies += 1
        over, trust = np.flatnonzero(games.terminated).tolist(), self.args.trust
        for index in over:
            utilities = games.utilities[index]
            samples += [
                (planes, policy, (1 - trust) * utilities[mover] + trust * hope)
                for planes, policy, mover, hope in self.stories[index]
            ]
            self.stories[index] = []
            self.plies[index] = 0
        if over:
            games.reset(envs=games.terminated.copy())
            self.wander(over)
        return samples


def symmetries(start: Any) -> list[tuple[Any, np.ndarray]]:
    """Images of planes (..., height, width), each with the action that stands for each action."""
    name, height, width = adv_envs.name_of(start), start.height, start.width
    cells = np.arange(height * width).reshape(height, width)
    if name == "connect_four":
        return [(same, np.arange(width)), (lambda x: x[..., ::-1], np.arange(width)[::-1])]
    if name == "hex":
        return [(same, cells.ravel()), (half_turn, cells[::-1, ::-1].ravel())]
    found = []
    for k in range(4) if height == width else (0, 2):
        turned = np.rot90(cells, k)
        found.append((lambda x, k=k: np.rot90(x, k, (-2, -1)), turned.ravel()))
        found.append((lambda x, k=k: np.rot90(x, k, (-2, -1))[..., ::-1], turned[:, ::-1].ravel()))
    return found


def same(planes: np.ndarray) -> np.ndarray:
    """As it is."""
    return planes


def half_turn(planes: np.ndarray) -> np.ndarray:
    """Turned upside down."""
    return np.rot90(planes, 2, (-2, -1))


# ---- learning


class Replay:
    """The latest samples, in a ring."""

    def __init__(self, size: int, planes: tuple[int, ...], actions: int) -> None:
        self.planes = np.zeros((size, *planes), np.int8)
        self.policies = np.zeros((size, actions), np.float32)
        self.targets = np.zeros(size, np.float32)
        self.added = np.zeros(1, np.int64)

    def add(self, samples: list[tuple[Any, Any, Any]]) -> None:
        """Keep samples, each in the place of the oldest."""
        for planes, policy, target in samples:
            at = self.added[0] % len(self.targets)
            self.planes[at], self.policies[at], self.targets[at] = planes, policy, target
            self.added += 1

    def batch(self, number: int, images: list[Any], rng: np.random.Generator) -> list[torch.Tensor]:
        """Random samples, all seen in one random image."""
        drawn = rng.integers(0, min(self.added[0], len(self.targets)), number)
        image, action = images[rng.integers(len(images))]
        planes = np.ascontiguousarray(image(self.planes[drawn].astype(np.float32)))
        arrays = planes, self.policies[drawn][:, action], self.targets[drawn]
        return [torch.from_numpy(array) for array in arrays]


class Learner:
    """Everything that goes on from one iteration to the next."""

    def __init__(self, start: Any, args: argparse.Namespace) -> None:
        torch.manual_seed(args.seed)
        random.seed(args.seed)
        self.start, self.args, self.rng = start, args, np.random.default_rng(args.seed)
        self.net = Net(start, args.width, args.blocks, args.net == "dense").to(
            args.device, memory_format=LAYOUT
        )
        if args.begin_with is not None:
            self.begin_with(args.begin_with)
        self.optimiser = torch.optim.AdamW(self.net.parameters(), args.rate, weight_decay=1e-4)
        # the mean of the latest weights plays: it is steadier, and stronger, than the last ones
        mean = get_ema_multi_avg_fn(args.memory)
        self.player = AveragedModel(self.net, multi_avg_fn=mean, use_buffers=True).eval()
        height, width, planes = start.observation_shape
        self.replay = Replay(args.replay, (planes + 1, height, width), start.num_actions)
        self.self_play, self.images = SelfPlay(start, args), symmetries(start)
        self.positions = 0

    def begin_with(self, policy: str) -> None:
        """Take over the weights of a policy, as it sees positions of random play."""
        boards = Boards(self.start, 2048, dtype=np.float32, channels_first=True)
        boards.reset(seed=self.args.seed)
        boards.play_random(self.start.num_actions)
        seen = torch.from_numpy(inputs(boards)).to(self.args.device, memory_format=LAYOUT)
        load_torch(policy, self.start, seen, **self.parts(self.net))

    @staticmethod
    def parts(net: Net) -> dict[str, nn.Module]:
        """What a checkpoint consists of."""
        return {"trunk": net.trunk, "policy": net.policy, "value": net.value}

    def iterate(self) -> dict[str, float]:
        """Play, learn; what there is to tell."""
        new = 0
        for _ in range(self.args.plies):
            samples = self.self_play.play(self.player, self.rng)
            self.replay.add(samples)
            new += len(samples)
        self.positions += new
        policy_loss, value_loss = self.learn(int(new * self.args.reuse / 256))
        told = {"policy_loss": policy_loss, "value_loss": value_loss}
        return {"positions": self.positions, **told}

    def learn(self, steps: int) -> tuple[float, float]:
        """So many steps of gradient descent; the mean losses of policy and value."""
        self.net.train()
        losses = np.zeros((max(steps, 1), 2))
        for step in range(steps):
            batch = self.replay.batch(256, self.images, self.rng)
            planes, policies, targets = (t.to(self.args.device) for t in batch)
            logits, values = self.net(planes.to(memory_format=LAYOUT))
            policy_loss = functional.cross_entropy(logits, policies)
            value_loss = functional.mse_loss(values, targets)
            self.optimiser.zero_grad()
            (policy_loss + value_loss).backward()
            self.optimiser.step()
            self.player.update_parameters(self.net)
            losses[step] = policy_loss.item(), value_loss.item()
        return losses[:, 0].mean(), losses[:, 1].mean()

    def state(self) -> dict[str, Any]:
        """What there is to save; games that are going on are not in it."""
        return {
            "net": self.net.state_dict(),
            "player": self.player.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "replay": {k: torch.from_numpy(v) for k, v in vars(self.replay).items()},
            "rng": json.dumps(self.rng.bit_generator.state),
            "positions": self.positions,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from what was saved."""
        self.net.load_state_dict(state["net"])
        self.player.load_state_dict(state["player"])
        self.optimiser.load_state_dict(state["optimiser"])
        for group in self.optimiser.param_groups:
            group["lr"] = self.args.rate  # which may be another one now
        for name, tensor in state["replay"].items():
            getattr(self.replay, name)[:] = tensor.numpy()
        self.rng.bit_generator.state = json.loads(state["rng"])
        self.positions = state["positions"]

    def export(self, path: Path, card: dict[str, Any]) -> None:
        """Write the network as an agent that needs no PyTorch."""
        parts = self.parts(copy.deepcopy(self.player.module))
        seen = {"player": True, "mirrored": is_hex(self.start)}
        save_torch(path, self.start, **parts, **seen, card=card)


def main(arguments: list[str] | None = None) -> None:
    """Train until the time is up."""
    args = read(arguments)
    torch.set_num_threads(args.threads)
    net = f"{args.net} {args.width} x {args.blocks} blocks, {args.replay} samples"
    kind = f"AlphaZero, {args.start!r}, {net}, seed {args.seed}"
    moves = args.games * args.plies
    evaluation = PeriodicEvaluation(args.start, pairs=args.grade_games // 2)
    steps, every = moves * args.iterations, moves * args.grade_every
    kind += f", begun with {args.begin_with}" if args.begin_with else ""
    try:
        learner, policy = Learner(args.start, args), args.out / "policy.safetensors"
    except CheckpointError as error:
        raise SystemExit(f"--begin-with: {error}") from None
    run = TrainingRun(args.out, kind, evaluation, steps, every, args.minutes)
    if state := run.restore():
        learner.restore(state)

    def saved() -> dict[str, Any]:
        learner.export(policy, {"trained by": "examples/alphazero.py", "steps": run.steps})
        return learner.state()

    while run.continues(f"policy(path={str(policy)!r})", saved):
        run.advance(moves, **learner.iterate())


def read(arguments: list[str] | None) -> argparse.Namespace:
    """What was asked for; the defaults suit the game."""
    parser = OneLineParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_options(parser.add_argument)
    args = parser.parse_args(arguments)
    if args.size is not None and args.game != "hex":
        parser.error("--size is for hex")
    args.start = adv_envs.start_position(
        args.game, **{"size": args.size or 5} if args.game == "hex" else {}
    )
    try:
        torch.zeros(1, device=args.device)
    except (RuntimeError, AssertionError) as error:  # they say what would be right
        parser.error(str(error).partition("\n")[0])
    args.out = args.out or Path(f"runs/alphazero_{args.game}")
    small = args.game == "tic_tac_toe"
    suited: dict[str, tuple[Any, Any]] = {
        "simulations": (24, 20),
        "width": (64, 256),
        "blocks": (1, 2),
        "bold": (6, 10),
    }
    for name, (little, much) in suited.items():
        if getattr(args, name) is None:
            setattr(args, name, little if small else much)
    return args


def add_options(add: Any) -> None:
    """Every option; ``add`` is a parser's ``add_argument``."""
    games, nets = ["tic_tac_toe", "connect_four", "hex"], ["dense", "conv"]
    some, positive, share = bounded(int, 1), bounded(float, 0), bounded(float, 0, 1)
    add("--game", choices=games, default="tic_tac_toe", help="what to learn")
    add("--size", type=bounded(int, 2, 8), help="rows and columns of the Hex board (5)")
    add("--minutes", type=positive, default=4, help="time for play and learning")
    add("--iterations", type=some, default=math.inf, help="stop after so many, if time is left")
    add("--out", type=Path, help="folder for everything that is written")
    add("--seed", type=bounded(int, 0), default=1, help="other games, other first weights")
    add("--begin-with", metavar="POLICY", help="weights to begin with: a file, or a shipped name")
    add("--device", default="cpu", help="cpu, cuda, ...: where the network runs")
    add("--threads", type=some, default=2, help="threads of the network")
    add("--games", type=some, default=256, help="games played at once")
    add("--simulations", type=some, help="of each search")
    add("--net", choices=nets, default="dense", help="kind of network")
    add("--width", type=some, help="of the network: channels, or units")
    add("--blocks", type=bounded(int, 0), help="of the network: residual ones")
    add("--plies", type=some, default=16, help="moves per game and iteration")
    add("--bold", type=bounded(int, 0), help="plies at first that are drawn from the visits")
    add("--wild", type=share, default=0.5, help="share of games begun at random")
    add("--trust", type=share, default=0.5, help="in the search, not the result")
    add("--memory", type=share, default=0.999, help="of the weights that play")
    add("--reuse", type=positive, default=8, help="how often a sample is learnt from")
    add("--replay", type=some, default=100_000, help="samples that are kept")
    add("--rate", type=positive, default=2e-3, help="of learning")
    add("--exploration", type=positive, default=1.5, help="weight of the priors")
    add("--considered", type=some, default=8, help="actions tried at the root")
    add("--grade-every", type=some, default=10, help="iterations between two grades")
    add("--grade-games", type=bounded(int, 2), default=60, help="against each opponent")


if __name__ == "__main__":
    run_command(main)
