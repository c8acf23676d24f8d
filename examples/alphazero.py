"""AlphaZero in one file: it learns from nothing but playing itself, with a search it guides.

    python examples/alphazero.py --game tic_tac_toe --minutes 4
    python examples/alphazero.py --game connect_four --minutes 120 --device cuda
    python examples/alphazero.py --game hex --size 5 --minutes 60 --out runs/hex5

Many games are played at once. Each move is chosen by a Monte Carlo tree search (PUCT) whose leaves,
one of each game, are valued by the network in one batch; the rules run compiled, in ``Boards``. The
visits at the root and the results of the games are what the network learns: how it would search,
and who will win. Every few iterations it is graded, without any search: how often does it give away
what perfect play would keep, and how often does it win against alpha-beta?

Everything is saved after each iteration: the same command goes on where it was killed. In --out are
policy.safetensors, which plays as ``policy(path='.../policy.safetensors')``; curve.png; log.jsonl.

Source: D. Silver et al., "A general reinforcement learning algorithm that masters chess, shogi, and
Go through self-play", Science 2018. Games must be of two players in turn, without chance.
"""

from __future__ import annotations

import argparse
import copy
import json
import os
import random
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from grading import Grader, draw_curve
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from torch import nn
from torch.nn import functional

import adv_envs
from adv_envs.batch import Boards
from agents.networks.export import save_torch

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
    """Planes in; logits of the actions and a value for the player to move out."""

    def __init__(self, start: Any, channels: int, blocks: int) -> None:
        super().__init__()
        height, width, planes = start.observation_shape

        def conv(inputs: int, outputs: int, size: int = 3) -> list[nn.Module]:
            convolution = nn.Conv2d(inputs, outputs, size, padding="same", bias=False)
            return [convolution, nn.BatchNorm2d(outputs)]

        def block() -> nn.Module:
            first, second = conv(channels, channels), conv(channels, channels)
            return Residual(nn.Sequential(nn.ReLU(), *first, nn.ReLU(), *second))

        self.trunk = nn.Sequential(
            *conv(planes + 1, channels), *(block() for _ in range(blocks)), nn.ReLU()
        )
        head = 8 * height * width
        self.policy = nn.Sequential(
            *conv(channels, 8, 1), nn.ReLU(), nn.Flatten(), nn.Linear(head, start.num_actions)
        )
        self.value = nn.Sequential(
            *conv(channels, 8, 1), nn.ReLU(), nn.Flatten(), nn.Linear(head, 64), nn.ReLU(),
            nn.Linear(64, 1), nn.Tanh(),
        )  # fmt: skip

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """(n, planes + 1, height, width) to logits (n, num_actions) and values (n,)."""
        x = self.trunk(x)
        return self.policy(x), self.value(x)[:, 0]


def evaluate(net: Net, boards: Boards, device: str) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities of the legal actions and values of all boards, for the players to move."""
    with torch.no_grad():
        logits, values = net(torch.from_numpy(inputs(boards)).to(device))
        legal = torch.from_numpy(boards.masks != 0).to(device)
        priors = logits.masked_fill(~legal, -torch.inf).softmax(-1)
    return priors.cpu().numpy(), values.cpu().numpy()


def inputs(boards: Boards) -> np.ndarray:
    """The boards as the players to move see them, and a plane that is 1 for the second player."""
    seen = boards.observations
    player = np.broadcast_to(boards.to_move[:, None, None, None], (len(seen), 1, *seen.shape[2:]))
    return np.concatenate([seen, player.astype(np.float32)], axis=1)


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
        self.worth = np.zeros(shape[:2], np.float32)  # of them, for the player to move
        self.args, self.games, self.simulations = args, np.arange(games), simulations

    def search(self, words: np.ndarray, net: Net, rng: np.random.Generator) -> np.ndarray:
        """How often each action of each position was tried: (games, num_actions)."""
        boards, games = self.boards, self.games
        boards.words[:] = words
        boards.refresh()
        for array in (self.totals, self.visits, self.children, self.ends):
            array.fill(0)
        priors, _ = evaluate(net, boards, self.args.device)
        noise = rng.gamma(self.args.noise, 1.0, priors.shape) * (boards.masks != 0) + 1e-9
        noise /= noise.sum(1, keepdims=True)
        self.words[:, 0] = words
        self.priors[:, 0] = 0.75 * priors + 0.25 * noise * (boards.masks != 0)
        for leaf in range(1, self.simulations + 1):
            path = self.descend()
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
        return self.visits[:, 0].copy()

    def descend(self) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """From the roots to where nothing is known: (nodes, actions, whose path is that long).

        The last nodes and actions are those of all games, also of paths that ended before.
        """
        games, path = self.games, []
        nodes, actions = np.zeros_like(games), np.zeros_like(games)
        active = np.ones(len(games), np.bool_)
        while active.any():
            visits = self.visits[games, nodes]
            means = self.totals[games, nodes] / np.maximum(visits, 1)
            spread = self.args.exploration * np.sqrt(visits.sum(1, keepdims=True) + 1.0)
            priors = self.priors[games, nodes]
            scores = means + spread * priors / (1 + visits)
            best = np.where(priors > 0, scores, -np.inf).argmax(1)
            actions = np.where(active, best, actions)
            path.append((nodes, actions, active))
            below = self.children[games, nodes, actions]
            active = active & (below > 0) & ~self.ends[games, below]
            nodes = np.where(active, below, nodes)
        return path


# ---- self-play


class SelfPlay:
    """Games that go on from one iteration to the next, and what is to be learnt from them."""

    def __init__(self, start: Any, args: argparse.Namespace) -> None:
        self.trees = Trees(start, args.games, args.simulations, args)
        self.games = Boards(
            start, args.games, autoreset="disabled", dtype=np.float32, channels_first=True
        )
        self.games.reset(seed=args.seed)
        self.args, self.plies = args, np.zeros(args.games, np.int64)
        self.stories: list[list[Any]] = [[] for _ in range(args.games)]

    def play(self, net: Net, rng: np.random.Generator) -> list[tuple[Any, Any, Any]]:
        """One move in every game; samples (planes, visits, result) of the games that ended."""
        games, samples = self.games, []
        visits = self.trees.search(games.words, net, rng)
        shares = visits / visits.sum(1, keepdims=True)
        seen, movers = inputs(games), games.to_move.copy()
        bold = self.plies < self.args.bold
        drawn = (shares.cumsum(1) < rng.random((len(shares), 1))).sum(1)
        actions = np.where(bold, drawn, visits.argmax(1))
        for lane, story in enumerate(self.stories):
            story.append((seen[lane], shares[lane].astype(np.float32), movers[lane]))
        games.step(actions)
        self.plies += 1
        for lane in np.flatnonzero(games.terminated).tolist():
            utilities = games.utilities[lane]
            samples += [(x, p, utilities[mover]) for x, p, mover in self.stories[lane]]
            self.stories[lane] = []
            self.plies[lane] = 0
        if games.terminated.any():
            games.reset(lanes=games.terminated.copy())
        return samples


def symmetries(start: Any) -> list[tuple[Any, np.ndarray]]:
    """Images of planes (..., height, width), each with the action that stands for each action."""
    name, height, width = adv_envs.name_of(start), start.height, start.width
    cells = np.arange(height * width).reshape(height, width)
    if name == "connect_four":
        return [(lambda x: x[..., ::-1], np.arange(width)[::-1])]
    if name == "hex":
        return [(lambda x: x[..., ::-1, ::-1], cells[::-1, ::-1].ravel())]
    turns = range(4) if height == width else (0, 2)
    found = []
    for k in turns:
        found.append((lambda x, k=k: np.rot90(x, k, (-2, -1)), np.rot90(cells, k).ravel()))
        found.append(
            (
                lambda x, k=k: np.rot90(x, k, (-2, -1))[..., ::-1],
                np.rot90(cells, k)[:, ::-1].ravel(),
            )
        )
    return found[1:]  # the first changes nothing


# ---- learning


class Replay:
    """The latest samples, in a ring."""

    def __init__(self, size: int, planes: tuple[int, ...], actions: int) -> None:
        self.planes = np.zeros((size, *planes), np.int8)
        self.policies = np.zeros((size, actions), np.float32)
        self.results = np.zeros(size, np.float32)
        self.added = np.zeros(1, np.int64)

    def add(self, samples: list[tuple[Any, Any, Any]], images: list[tuple[Any, Any]]) -> None:
        """Keep samples, each as it is and in one of its images."""
        for planes, policy, result in samples:
            turned = [(planes, policy)]
            if images:
                image, action = random.choice(images)
                turned.append((image(planes), policy[action]))
            for seen, wanted in turned:
                at = self.added[0] % len(self.results)
                self.planes[at], self.policies[at], self.results[at] = seen, wanted, result
                self.added += 1

    def batch(self, number: int, rng: np.random.Generator) -> list[torch.Tensor]:
        """Random samples."""
        drawn = rng.integers(0, min(self.added[0], len(self.results)), number)
        arrays = self.planes[drawn].astype(np.float32), self.policies[drawn], self.results[drawn]
        return [torch.from_numpy(array) for array in arrays]


def learn(
    net: Net, optimiser: Any, replay: Replay, steps: int, rng: np.random.Generator, device: str
) -> tuple[float, float]:
    """So many steps of gradient descent; the mean losses of policy and value."""
    net.train()
    losses = np.zeros((max(steps, 1), 2))
    for step in range(steps):
        planes, policies, results = (t.to(device) for t in replay.batch(256, rng))
        logits, values = net(planes)
        policy_loss = functional.cross_entropy(logits, policies)
        value_loss = functional.mse_loss(values, results)
        optimiser.zero_grad()
        (policy_loss + value_loss).backward()
        optimiser.step()
        losses[step] = policy_loss.item(), value_loss.item()
    net.eval()
    return losses[:, 0].mean(), losses[:, 1].mean()


class Run:
    """Everything that goes on from one iteration to the next, and is saved after each."""

    def __init__(self, start: Any, args: argparse.Namespace) -> None:
        torch.manual_seed(args.seed)
        random.seed(args.seed)
        self.start, self.args, self.rng = start, args, np.random.default_rng(args.seed)
        self.net = Net(start, args.channels, args.blocks).to(args.device).eval()
        self.optimiser = torch.optim.AdamW(self.net.parameters(), args.rate, weight_decay=1e-4)
        height, width, planes = start.observation_shape
        self.replay = Replay(args.replay, (planes + 1, height, width), start.num_actions)
        self.self_play, self.images = SelfPlay(start, args), symmetries(start)
        self.iteration, self.seconds, self.samples = 0, 0.0, 0

    @property
    def kind(self) -> str:
        """What runs must share for one to go on with the other."""
        args = self.args
        sizes = f"{args.channels} channels, {args.blocks} blocks, {args.replay} samples"
        return f"{self.start!r}, {sizes}"

    def is_over(self) -> bool:
        """Whether the time is up, or all iterations are done."""
        late = self.seconds >= 60 * float(self.args.minutes)
        return late or self.iteration == self.args.iterations

    def iterate(self) -> dict[str, float]:
        """Play, learn; what there is to tell."""
        began, new = time.perf_counter(), 0
        for _ in range(self.args.plies):
            samples = self.self_play.play(self.net, self.rng)
            self.replay.add(samples, self.images)
            new += len(samples)
        self.samples += new
        steps = int(new * (2 if self.images else 1) * self.args.reuse / 256)
        policy_loss, value_loss = learn(
            self.net, self.optimiser, self.replay, steps, self.rng, self.args.device
        )
        self.iteration += 1
        took = time.perf_counter() - began
        self.seconds += took
        return {
            "iteration": self.iteration,
            "seconds": round(self.seconds, 1),
            "positions": self.samples,
            "positions_per_second": round(self.args.games * self.args.plies / took),
            "policy_loss": round(policy_loss, 4),
            "value_loss": round(value_loss, 4),
        }

    def save(self, folder: Path) -> None:
        """Write the state, whole; games that are going on are not in it."""
        state = {
            "net": self.net.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "replay": {k: torch.from_numpy(v) for k, v in vars(self.replay).items()},
            "rng": json.dumps([self.rng.bit_generator.state, random.getstate()]),
            "counts": [self.iteration, self.seconds, self.samples],
            "kind": self.kind,
        }
        torch.save(state, folder / "state.part")
        os.replace(folder / "state.part", folder / "state.pt")

    def restore(self, folder: Path) -> None:
        """Go on from what was saved there."""
        state = torch.load(folder / "state.pt", weights_only=True)
        if state["kind"] != self.kind:
            raise SystemExit(
                f"{folder} has a run of {state['kind']}, not of {self.kind}: choose another --out"
            )
        self.net.load_state_dict(state["net"])
        self.optimiser.load_state_dict(state["optimiser"])
        for name, tensor in state["replay"].items():
            getattr(self.replay, name)[:] = tensor.numpy()
        generator, (version, numbers, gauss) = json.loads(state["rng"])
        self.rng.bit_generator.state = generator
        random.setstate((version, tuple(numbers), gauss))
        self.iteration, self.seconds, self.samples = state["counts"]

    def export(self, path: Path, card: dict[str, Any]) -> None:
        """Write the network as an agent that needs no PyTorch."""
        net = copy.deepcopy(self.net)
        parts = {"trunk": net.trunk, "policy": net.policy, "value": net.value}
        save_torch(path, self.start, **parts, player=True, card=card)


def main(arguments: list[str] | None = None) -> None:
    """Train until the time is up."""
    args = read(arguments)
    torch.set_num_threads(args.threads)
    parameters = {"size": args.size} if args.size else {}
    start = adv_envs.make(args.game, **parameters)
    run, folder = Run(start, args), args.out or Path(f"runs/alphazero_{args.game}")
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "log.jsonl"
    if (folder / "state.pt").exists():
        run.restore(folder)
        lines = log.read_text().splitlines() if log.exists() else []
        kept = [line for line in lines if json.loads(line)["iteration"] <= run.iteration]
        log.write_text("".join(f"{line}\n" for line in kept))
        print(f"going on after iteration {run.iteration} in {folder}")
    grader = Grader(start, args.grade_games)
    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    with Progress(*columns, transient=True) as bar:
        task, grade = bar.add_task("playing the first games"), {}
        while not run.is_over():
            told: dict[str, Any] = run.iterate()
            last = run.is_over()
            if run.iteration % args.grade_every == 0 or last:
                policy = folder / "policy.safetensors"
                run.export(policy, {"trained by": "examples/alphazero.py", **told})
                grade = grader.grade(f"policy(path={str(policy)!r})")
                told |= grade
                bar.console.print(
                    f"iteration {told['iteration']}, {told['seconds']:.0f} s: "
                    + ", ".join(f"{name} {value:.1%}" for name, value in grade.items()),
                    soft_wrap=True,
                )
            with log.open("a") as file:
                file.write(json.dumps(told) + "\n")
            run.save(folder)
            if grade:
                draw_curve(log, folder / "curve.png")
            shown = f"{told['positions_per_second']} positions/s, loss {told['policy_loss']:.2f}"
            bar.update(task, description=f"iteration {run.iteration}, {shown}")
    print(f"saved in {folder}: policy.safetensors, curve.png, log.jsonl")


def read(arguments: list[str] | None) -> argparse.Namespace:
    """What was asked for; the defaults suit the game."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    games = ["tic_tac_toe", "connect_four", "hex"]
    parser.add_argument("--game", choices=games, default="tic_tac_toe", help="what to learn")
    parser.add_argument("--size", type=int, help="rows and columns of the Hex board")
    parser.add_argument("--minutes", type=float, default=4, help="time for play and learning")
    parser.add_argument("--iterations", type=int, help="stop after so many, before the time is up")
    parser.add_argument("--out", type=Path, help="folder for everything that is written")
    parser.add_argument("--seed", type=int, default=1, help="other games, other first weights")
    parser.add_argument("--device", default="cpu", help="cpu, cuda, ...: where the network runs")
    parser.add_argument("--threads", type=int, default=2, help="threads of the network")
    parser.add_argument("--games", type=int, default=256, help="games played at once")
    parser.add_argument("--simulations", type=int, help="of each search")
    parser.add_argument("--channels", type=int, help="of the network")
    parser.add_argument("--blocks", type=int, help="of the network: residual ones")
    parser.add_argument("--plies", type=int, default=16, help="moves per game and iteration")
    parser.add_argument("--bold", type=int, help="plies at first that are drawn from the visits")
    parser.add_argument("--reuse", type=float, default=6, help="how often a sample is learnt from")
    parser.add_argument("--replay", type=int, default=100_000, help="samples that are kept")
    parser.add_argument("--rate", type=float, default=2e-3, help="of learning")
    parser.add_argument("--exploration", type=float, default=1.5, help="weight of the priors")
    parser.add_argument("--noise", type=float, help="concentration of the noise at the root")
    parser.add_argument("--grade-every", type=int, default=5, help="iterations between two grades")
    parser.add_argument("--grade-games", type=int, default=100, help="against each opponent")
    args = parser.parse_args(arguments)
    small = args.game == "tic_tac_toe"
    if args.game == "hex":
        args.size = args.size or 5
    elif args.size:
        parser.error("--size is for hex")
    suited: dict[str, tuple[float, float]] = {
        "simulations": (32, 64),
        "channels": (16, 32),
        "blocks": (1, 3),
        "bold": (6, 10),
        "noise": (1.0, 0.5),
    }
    for name, (little, much) in suited.items():
        if getattr(args, name) is None:
            setattr(args, name, little if small else much)
    return args


if __name__ == "__main__":
    main()
