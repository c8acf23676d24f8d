"""Behaviour is as it was recorded: what agents find, how environments go on, how games are judged.

``signatures.json`` holds the answer of every case here: actions, values, node counts, best lines,
visits, and hashes of trajectories. A change that only moves or renames code changes none of them,
compiled or in plain Python. A change of behaviour that is meant is recorded again, and the
difference is part of its review::

    python tests/test_signatures.py --write          # or --write NAME for the cases that begin so

What the packages call things is in the block "names" alone, so a renaming is followed there: the
names of the cases and the keys in the file stay as they are.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

# ---- names: these imports, and what follows until "cases", is all that a renaming may touch
from adv_envs import CHANCE, ConnectFour, Fig52, Hex, Pig, Position, ThirtyOne, TicTacToe, env
from adv_envs.batch.boards import Boards
from adv_envs.jit import disabled
from adv_envs.random import scattered
from agents import (
    MCTS,
    ConnectFourSolver,
    Policy,
    Retrograde,
    SearchAgent,
    SearchResult,
    knowledge_of,
    make,
)
from agents.arena import run as run_tournament
from agents.arena.schedule import openings
from agents.games.connect_four import evaluations as connect_four_playouts
from agents.games.hex import bridge_playouts as hex_playouts
from agents.grading import grade
from agents.mcts import playouts as general_playouts
from agents.mcts.playouts import playout_for
from agents.mcts.playouts import winning_move_for as winning_for

Json = Any
"""Plain data: what a case gives, and what is in the file."""

RENAMED: dict[str, str] = {"expectimax": "expectiminimax"}
"""Words of the specs below, as they were recorded, and what they are called now."""

SAME = ("nodes", "leaves", "depth", "proven", "values", "visits")
ATTRIBUTES = {"action": "action", "value": "value", "line": "principal_variation"}
ATTRIBUTES |= {name: name for name in SAME}
"""The keys of a recorded search, and the attributes of SearchResult."""


def agent_of(spec: str) -> Any:
    """The agent of a spec, written as it was when it was recorded."""
    for old, new in RENAMED.items():
        spec = spec.replace(old, new)
    return make(spec)


def knowledge(position: Position, name: str) -> Any:
    """What is known about a game under the ``name`` that it had when it was recorded."""
    record = knowledge_of(position)
    if name == "decided":
        return record.proven_moves
    return getattr(record.symmetries, name, None)


def play_out(playout: Any, position: Position, seed: int, amaf: bool) -> Json:
    """What a playout is worth to each player, the state of its generator, and who moved where."""
    bindings: dict[str, Any] = {"AMAF": amaf}
    if position.has_chance:
        bindings["next_by_chance"] = general_playouts.draw_chance
    worth = np.zeros(position.num_players)
    seen = np.zeros((position.num_players, position.num_actions), np.int64)
    work = np.zeros(4096, np.int64)
    work[0], work[1] = scattered(seed), 7
    playout.bind(**bindings)(position, worth, seen, work)
    return [worth.tolist(), int(work[0]), seen.tolist()]


def make_vector(game: str, number: int, **settings: Any) -> Any:
    """The Gymnasium vector environment of a game."""
    return gymnasium.make_vec(
        f"adv_envs/{game}-v0",
        num_envs=number,
        vectorization_mode="vector_entry_point",
        threads=1,
        **settings,
    )


# ---- cases

RECORDED = Path(__file__).with_name("signatures.json")

CASES: dict[str, Callable[[], Json]] = {}
"""What is recorded, by name."""

SLOW_IN_PLAIN: set[str] = set()
"""Cases that take more than a few seconds without compiling."""


def case(name: str, function: Callable[..., Json], *args: Any, slow: bool = False) -> None:
    """Add a case; ``slow`` ones run compiled only."""
    assert name not in CASES, f"two cases are called {name!r}"
    CASES[name] = functools.partial(function, *args)
    if slow:
        SLOW_IN_PLAIN.add(name)


POSITIONS: dict[str, Position] = {
    "tic_tac_toe": TicTacToe().after("a1 b2"),
    "tic_tac_toe 4x3": TicTacToe(4, 3, 3).after("b2"),
    "connect_four": ConnectFour().after("4453"),
    "connect_four late": ConnectFour().after("444555542213261166"),
    "connect_four 4x5": ConnectFour(4, 5, 3).after("31"),
    "connect_four solved": ConnectFour(4, 4, 4).after("1231"),
    "hex 3": Hex(3).after("a1"),
    "hex 4": Hex(4).after("b2 c3"),
    "hex 5": Hex(5).after("c3 b2 d3"),
    "hex 5 swap": Hex(5, swap=True).after("a2"),
    "hex 7": Hex(7).after("d4 c3 e4 b6"),
    "hex 11": Hex(11).after("f6 e4 g4 d8"),
    "thirty_one": ThirtyOne().after("3 5"),
    "thirty_one small": ThirtyOne(limit=12, copies=2, highest=4),
    "thirty_one for three": ThirtyOne(limit=9, copies=2, highest=3, num_players=3),
    "fig52": Fig52(),
    "pig": Pig(20).after("roll 6 roll 3"),
    "pig start": Pig(20),
}


def as_json(value: Json, digits: int | None = None) -> Json:
    """Plain data, as it is read back from a file; floats are rounded to ``digits``."""
    if isinstance(value, dict):
        return {str(key): as_json(entry, digits) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(entry, digits) for entry in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and digits is not None:
        value = round(value, digits) + 0.0
    return value


def hashed(*parts: Any) -> str:
    """The SHA-256 of arrays, with their types and shapes, and of plain data."""
    digest = hashlib.sha256()
    for part in parts:
        if isinstance(part, np.ndarray):
            digest.update(f"{part.dtype.str}{part.shape}".encode())
            digest.update(np.ascontiguousarray(part).tobytes())
        else:
            digest.update(json.dumps(as_json(part)).encode())
    return digest.hexdigest()


def found(result: SearchResult, digits: int | None) -> Json:
    """All that a search says, but for the time it took."""
    values = {key: getattr(result, attribute) for key, attribute in ATTRIBUTES.items()}
    return as_json({key: value for key, value in values.items() if value != {}}, digits)


def random_line(position: Position, plies: int, seed: int) -> Iterator[Position]:
    """The positions of a random game from ``position``, finished ones left out."""
    rng = random.Random(seed)
    for _ in range(plies):
        if position.is_terminal():
            return
        yield position
        position = position.play(rng.choice(position.legal_actions()))


# ---- agents


def searched(spec: str, place: str, digits: int | None = None) -> Json:
    """The results of a fresh agent: ``analyse`` and, by another one, ``act``."""
    position, agent, other = POSITIONS[place], agent_of(spec), agent_of(spec)
    agent.reset(5)
    other.reset(5)
    return {**found(agent.analyse(position), digits), "act": other.act(position)}


def iterated(spec: str, place: str) -> Json:
    """Every result on the way."""
    return [found(result, None) for result in agent_of(spec).analysis(POSITIONS[place])]


def valued(spec: str, place: str, digits: int | None = None) -> Json:
    """The value of the position and of every action."""
    position, agent = POSITIONS[place], agent_of(spec)
    agent.reset(5)
    values = {"value": agent.value(position), "values": agent.values(position)}
    return as_json(values, digits)


def acted(spec: str, place: str) -> Json:
    """The actions of ten calls, and of ten after another seed."""
    position, agent = POSITIONS[place], agent_of(spec)
    actions = []
    for seed in (1, 2):
        agent.reset(seed)
        actions += [agent.act(position) for _ in range(10)]
    return actions


def played(spec: str, place: str, digits: int | None) -> Json:
    """A search that goes on from what it knows: its results along a game against itself."""
    position, agent = POSITIONS[place], agent_of(spec)
    agent.reset(5)
    results = []
    for _ in range(4):
        if position.is_terminal() or position.to_move == CHANCE:
            break
        results.append(found(agent.analyse(position), digits))
        position = position.play(results[-1]["action"])
    return results


for name in ("tic_tac_toe", "connect_four", "hex 5 swap", "thirty_one", "fig52", "pig"):
    case(f"random: {name}", acted, "random()", name)
    case(f"greedy: {name}", acted, "greedy()", name)
for name in ("hex 4", "hex 5", "hex 11"):
    case(f"rush: {name}", acted, "rush()", name)

EVALUATIONS = {
    "tic_tac_toe 4x3": ["tic_tac_toe.lines"],
    "connect_four": ["connect_four.lines", "connect_four.threats"],
    "hex 5": [
        "hex.shortest_path",
        "hex.two_distance",
        "hex.resistance",
        "hex.connected",
        "hex.relevant_connected",
    ],
    "pig": ["pig.lead"],
}
ORDERS = {
    "tic_tac_toe 4x3": ["tic_tac_toe.centre"],
    "connect_four": ["connect_four.centre"],
    "hex 5": ["hex.centre", "hex.on_shortest_path"],
}
for name, evaluations in EVALUATIONS.items():
    for each in evaluations:
        case(f"greedy, {each}: {name}", acted, f"greedy(evaluate={each})", name)

for spec, name in (
    ("minimax()", "tic_tac_toe"),
    ("minimax(depth=3)", "connect_four"),
    ("minimax(depth=3, evaluate=connect_four.lines)", "connect_four"),
    ("minimax(depth=2, evaluate=hex.two_distance)", "hex 4"),
    ("minimax()", "thirty_one small"),
    ("minimax()", "fig52"),
    ("max_n()", "tic_tac_toe"),
    ("max_n()", "thirty_one for three"),
    ("max_n(depth=3)", "thirty_one for three"),
    ("max_n()", "fig52"),
    ("paranoid()", "tic_tac_toe"),
    ("paranoid()", "thirty_one for three"),
    ("paranoid(depth=4)", "connect_four"),
    ("paranoid()", "fig52"),
    ("alpha_beta()", "tic_tac_toe"),
    ("alpha_beta()", "connect_four 4x5"),
    ("alpha_beta()", "hex 3"),
    ("alpha_beta()", "thirty_one small"),
    ("alpha_beta()", "fig52"),
    ("alpha_beta(nodes=1000)", "thirty_one"),
    ("alpha_beta(nodes=700)", "connect_four"),
    ("alpha_beta(nodes=500, evaluate=hex.two_distance)", "hex 5 swap"),
    ("alpha_beta(depth=2, evaluate=hex.two_distance)", "hex 11"),
    ("proof_number()", "tic_tac_toe"),
    ("proof_number()", "connect_four late"),
    ("proof_number()", "hex 3"),
    ("proof_number()", "thirty_one small"),
    ("proof_number(nodes=500)", "connect_four"),
    ("proof_number()", "fig52"),
    ("retrograde()", "tic_tac_toe"),
    ("retrograde()", "thirty_one for three"),
    ("retrograde()", "fig52"),
    ("perfect()", "tic_tac_toe"),
    ("perfect()", "thirty_one small"),
    ("perfect()", "fig52"),
):
    case(f"{spec}: {name}", searched, spec, name)

for depth, name in ((6, "tic_tac_toe 4x3"), (5, "connect_four"), (2, "hex 5")):
    evaluation = EVALUATIONS[name][-1] if depth > 2 else "hex.two_distance"
    for setting in (
        "killers=False",
        "history=False",
        "null_window=False",
        "symmetry=False",
        "table_mb=0",
        "order=None",
        *(f"order={order}" for order in ORDERS[name]),
    ):
        spec = f"alpha_beta(depth={depth}, evaluate={evaluation}, {setting})"
        case(f"{spec}: {name}", searched, spec, name)
for name, evaluations in EVALUATIONS.items():
    if name != "pig":
        for each in ("None", *evaluations):
            spec = f"alpha_beta(depth={2 if name == 'hex 5' else 5}, evaluate={each})"
            case(f"iterations, {spec}: {name}", iterated, spec, name)

for spec, name in (
    ("expectimax()", "tic_tac_toe"),
    ("expectimax(depth=3)", "pig"),
    ("expectimax(depth=3, evaluate=pig.lead)", "pig"),
    ("expectimax(depth=3, evaluate=pig.lead, win=2, table_mb=0.1)", "pig"),
    ("expectimax(nodes=500, evaluate=pig.lead)", "pig start"),
    ("expectimax()", "fig52"),
    ("pig_solver()", "pig"),
    ("perfect()", "pig"),
    ("mcts(simulations=200)", "tic_tac_toe"),
    ("mcts(simulations=200)", "connect_four"),
    ("mcts(simulations=200)", "connect_four 4x5"),
    ("mcts(simulations=100)", "hex 5"),
    ("mcts(simulations=100, threads=2)", "hex 4"),
    ("mcts(simulations=200)", "thirty_one for three"),
    ("mcts(simulations=200)", "fig52"),
    ("mcts(simulations=200)", "pig"),
    ("mcts(simulations=200, exploration=0.5, solver=False)", "tic_tac_toe"),
    ("mcts(simulations=200, solver=False)", "connect_four"),
    ("mcts(simulations=200, rave=50)", "tic_tac_toe"),
    ("mcts(simulations=200, rave=50)", "connect_four"),
    ("mcts(simulations=100, rave=0)", "hex 5"),
    ("mcts(simulations=200, evaluate=connect_four.lines)", "connect_four"),
    ("mcts(simulations=100, evaluate=hex.two_distance)", "hex 5"),
    ("mcts(simulations=150, knowledge=20)", "hex 4"),
    ("mcts(simulations=150, knowledge=20)", "hex 7"),
):
    case(f"{spec}: {name}", searched, spec, name, 9)
case("mcts goes on: connect_four", played, "mcts(simulations=100)", "connect_four", 9)
case("mcts forgets: connect_four", played, "mcts(simulations=100, reuse=False)", "connect_four", 9)
case("mcts goes on: pig", played, "mcts(simulations=100)", "pig", 9)

for spec, name in (
    ("minimax(depth=3)", "connect_four"),
    ("max_n()", "thirty_one for three"),
    ("paranoid()", "thirty_one for three"),
    ("alpha_beta(depth=4, evaluate=connect_four.lines)", "connect_four"),
    ("alpha_beta()", "hex 3"),
    ("expectimax(depth=3, evaluate=pig.lead)", "pig"),
    ("proof_number()", "hex 3"),
    ("retrograde()", "thirty_one small"),
    ("retrograde()", "fig52"),
    ("perfect()", "tic_tac_toe"),
    ("pig_solver()", "pig"),
    ("hex_solver()", "hex 4"),
):
    case(f"values, {spec}: {name}", valued, spec, name, 9)


def solved(place: str) -> Json:
    solution = dataclasses.asdict(Retrograde().solve(POSITIONS[place]))
    return as_json({key: value for key, value in solution.items() if key != "seconds"})


for name in ("tic_tac_toe", "thirty_one", "thirty_one for three", "fig52"):
    case(f"retrograde solves: {name}", solved, name)


# ---- solvers of one game


def solver_found(make_solver: Callable[[], SearchAgent], place: str) -> Json:
    solver, position = make_solver(), POSITIONS[place]
    results = found(solver.analyse(position), None)
    return {**results, "act": solver.act(position), "of actions": as_json(solver.values(position))}


for name in ("hex 4", "hex 5", "hex 5 swap"):
    case(f"hex_solver(): {name}", searched, "hex_solver()", name)
case("hex_solver(book=False): hex 3", searched, "hex_solver(book=False)", "hex 3")
case("hex_solver(): hex 7", searched, "hex_solver()", "hex 7")
case("perfect(): connect_four", searched, "perfect()", "connect_four", slow=True)
case("perfect(weak=True): connect_four", searched, "perfect(weak=True)", "connect_four late")
for weak in (False, True):
    for book in (False, True):
        made = functools.partial(ConnectFourSolver, weak=weak, book=book, table_mb=1)
        for name in ("connect_four late", "connect_four solved"):
            case(f"connect_four_solver, {weak=}, {book=}: {name}", solver_found, made, name)


# ---- trained policies

NETWORKS = {
    "tic_tac_toe_q_learning": "tic_tac_toe",
    "tic_tac_toe_ppo": "tic_tac_toe",
    "tic_tac_toe_alphazero": "tic_tac_toe",
    "connect_four_ppo": "connect_four",
    "connect_four_alphazero": "connect_four",
    "hex_5_alphazero": "hex 5",
    "hex_7_alphazero": "hex 7",
}
COARSE = 5
"""Networks calculate in float32."""


def guided(path: str, place: str, batch: int, solver: bool) -> Json:
    policy = Policy(path)
    search = MCTS(40, policy=policy.evaluate_batch, batch=batch, solver=solver)
    search.reset(5)
    return found(search.analyse(POSITIONS[place]), COARSE)


def asked(path: str, place: str) -> Json:
    positions = list(random_line(POSITIONS[place], 4, 1))
    return as_json([part.tolist() for part in Policy(path).evaluate_batch(positions)], COARSE)


for path, name in NETWORKS.items():
    case(f"policy {path}", searched, f'policy(path="{path}")', name, COARSE)
    case(f"policy {path}, temperature", acted, f'policy(path="{path}", temperature=0.5)', name)
    case(f"policy {path}, values", valued, f'policy(path="{path}")', name, COARSE)
    case(f"policy {path}, asked", asked, path, name)
    if "alphazero" in path:
        spec = f'policy(path="{path}", simulations=40)'
        case(f"policy {path}, simulations", searched, spec, name, COARSE)
        spec = f'policy(path="{path}", simulations=16, temperature=1.0)'
        case(f"policy {path}, simulations and temperature", acted, spec, name)
        case(f"mcts with {path}", guided, path, name, 8, True)
        case(f"mcts with {path}, one by one", guided, path, name, 1, False)


# ---- knowledge: evaluations, orders, symmetries, playouts


def evaluated(evaluation: str, place: str) -> Json:
    function = agent_of(f"greedy(evaluate={evaluation})").evaluate
    return [
        as_json([function(here) for here in random_line(POSITIONS[place].start(), 30, seed)], 9)
        for seed in range(3)
    ]


def ordered(order: str, place: str) -> Json:
    function = agent_of(f"alpha_beta(order={order})").order
    return [
        as_json([function(here, action) for action in here.legal_actions()], 9)
        for here in random_line(POSITIONS[place].start(), 6, 1)
    ]


for name, evaluations in EVALUATIONS.items():
    for each in evaluations:
        case(f"evaluation {each}", evaluated, each, name)
for name, orders in ORDERS.items():
    for each in orders:
        case(f"order {each}", ordered, each, name)
for each in ("hex.shortest_path", "hex.two_distance", "hex.resistance"):
    case(f"evaluation {each} on 11x11", evaluated, each, "hex 11")


def symmetric(place: str) -> Json:
    position = POSITIONS[place]
    image, image_action, inverse = (
        knowledge(position, each) for each in ("image", "image_action", "inverse_image")
    )
    return [
        [
            as_json(list(image(position, i))),
            [image_action(position, action, i) for action in range(position.num_actions)],
            inverse(position, i),
        ]
        for i in range(knowledge(position, "num_images")(position))
    ]


for name in ("tic_tac_toe", "tic_tac_toe 4x3", "connect_four", "hex 5", "hex 11"):
    case(f"symmetries: {name}", symmetric, name)


def decided(place: str) -> Json:
    position = POSITIONS[place]
    return [as_json(knowledge(position, "decided")(p)) for p in random_line(position, 8, 1)]


for name in ("hex 3", "hex 4", "hex 5"):
    case(f"decided moves: {name}", decided, name)

PLAYOUTS: dict[str, tuple[Any, list[str]]] = {
    "best": (None, ["tic_tac_toe", "connect_four", "hex 5", "thirty_one", "fig52", "pig"]),
    "uniform": (general_playouts.uniform, ["tic_tac_toe", "thirty_one for three", "pig"]),
    "filling": (general_playouts.filling, ["tic_tac_toe"]),
    "decisive": (general_playouts.decisive, ["tic_tac_toe", "thirty_one"]),
    "connect_four": (connect_four_playouts.decisive, ["connect_four", "connect_four late"]),
    "hex.dealt": (hex_playouts.dealt, ["hex 4", "hex 11"]),
    "hex.bridged": (hex_playouts.bridged, ["hex 4", "hex 11"]),
}


def played_out(playout: Any, place: str) -> Json:
    position = POSITIONS[place]
    playout = playout or playout_for(position)
    plain = [play_out(playout, position, seed, False) for seed in range(20)]
    noted = [play_out(playout, position, seed, True) for seed in range(20)]
    return {
        "worth": [values[0] for values, *_ in plain],
        "hash": hashed(plain),
        "hash with moves": hashed(noted),
    }


for kind_of_playout, (playout, names) in PLAYOUTS.items():
    for name in names:
        case(f"playout {kind_of_playout}: {name}", played_out, playout, name)


def winning_moves(place: str) -> Json:
    winning = winning_for(POSITIONS[place])
    return [
        [
            winning(here, np.zeros(1000, np.int64))
            for here in random_line(POSITIONS[place].start(), 40, seed)
        ]
        for seed in range(4)
    ]


for name in ("tic_tac_toe", "connect_four", "connect_four 4x5", "hex 4", "thirty_one small"):
    case(f"winning moves: {name}", winning_moves, name)


# ---- environments


def boards(place: str, steps: int, settings: dict[str, Any]) -> Json:
    """What a batch of six shows on its way, by its own random actions; now and then a bad one."""
    start = POSITIONS[place].start()
    batch = Boards(start, 6, 1, **settings)
    batch.reset(seed=11)
    digests, ended = [], 0
    for step in range(steps):
        shown = batch.observations, batch.masks, batch.to_move, batch.state.words
        actions = batch.random_actions()
        if step % 7 == 6:
            actions[step % 6] = start.num_actions - 1
        batch.step(actions)
        results = batch.rewards, batch.utilities, batch.terminated, batch.truncated
        digests.append(hashed(*shown, actions, *results))
        ended += int((batch.terminated | batch.truncated).sum())
    return {"hash": hashed(digests), "first steps": digests[:3], "ended": ended}


for name in ("tic_tac_toe", "connect_four", "hex 5 swap", "thirty_one for three", "pig"):
    case(f"boards: {name}", boards, name, 40, {})
case("boards, hex 11", boards, "hex 11", 40, {"autoreset": "next_step", "max_steps": 30})
case("boards, disabled", boards, "connect_four", 40, {"autoreset": "disabled"})
case("boards, random", boards, "connect_four", 30, {"opponent": "random", "seat": "random"})
case("boards, random pig", boards, "pig", 30, {"opponent": "random", "seat": "alternate"})
case("boards, greedy", boards, "tic_tac_toe", 30, {"opponent": "greedy", "seat": "alternate"})
case(
    "boards, types",
    boards,
    "connect_four",
    20,
    {"dtype": "float32", "channels_first": True, "autoreset": "next_step"},
)


def vector(game: str, steps: int, settings: dict[str, Any]) -> Json:
    envs = make_vector(game, 4, **settings)
    rng = random.Random(3)
    observations, infos = envs.reset(seed=7)
    digests = [hashed(observations, infos["action_mask"])]
    for _ in range(steps):
        masks = infos["action_mask"]
        choices = [np.flatnonzero(mask if mask.any() else mask == 0).tolist() for mask in masks]
        actions = np.array([rng.choice(each) for each in choices])
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        others = [infos[key] for key in ("seat", "to_move", "utilities") if key in infos]
        shown = observations, rewards, terminated, truncated, infos["action_mask"], *others
        digests.append(hashed(actions, *shown))
    envs.close()
    return {"hash": hashed(digests), "first steps": digests[:3]}


case("vector: connect_four", vector, "ConnectFour", 40, {"opponent": "random"})
case("vector: tic_tac_toe", vector, "TicTacToe", 30, {"autoreset_mode": "SameStep"})
case("vector: hex", vector, "Hex", 30, {"opponent": "self", "size": 4})
case("vector: pig", vector, "Pig", 30, {"opponent": "random", "target": 15})
case("vector: thirty_one", vector, "ThirtyOne", 30, {"opponent": "greedy", "seat": "alternate"})


def aec(place: str, games: int) -> Json:
    """What every agent sees and gets in some games; the last one ends by an illegal action."""
    environment = env(POSITIONS[place].start())
    digests, lines = [], []
    for seed in range(games):
        environment.reset(seed=seed)
        rng, line = random.Random(seed), list[int | None]()
        for agent in environment.agent_iter():
            observation, reward, terminated, truncated, info = environment.last()
            seen = observation["observation"], observation["action_mask"], environment.state()
            digests.append(hashed(agent, *seen, [reward, terminated, truncated, sorted(info)]))
            mask = observation["action_mask"]
            choices = np.flatnonzero(mask).tolist()
            illegal = np.flatnonzero(mask == 0).tolist()
            if seed == games - 1 and len(line) > 3 and illegal:
                choices = illegal
            action = None if terminated or truncated else rng.choice(choices)
            environment.step(action)
            line.append(action)
        lines.append(line)
    environment.close()
    return {"actions": lines, "hash": hashed(digests)}


for name in ("tic_tac_toe", "connect_four", "hex 4", "hex 5 swap", "thirty_one for three", "fig52"):
    case(f"aec: {name}", aec, name, 3)
case("aec: pig", aec, "pig", 2)


def gymnastic(game: str, settings: dict[str, Any]) -> Json:
    """Games of one player against opponents: all that is seen, and the moves of both."""
    environment = gymnasium.make(f"adv_envs/{game}-v0", **settings)
    digests, lines, rewards = [], [], []
    for seed in range(4):
        rng, over = random.Random(seed), False
        observation, info = environment.reset(seed=seed)
        digests.append(hashed(observation, info["action_mask"], [info["seat"]]))
        while not over:
            action = rng.choice(np.flatnonzero(info["action_mask"]).tolist())
            observation, reward, over, cut, info = environment.step(action)
            digests.append(hashed(observation, info["action_mask"], [reward, over, cut]))
        rewards.append(reward)
        lines.append(list(environment.unwrapped.actions))  # type: ignore[attr-defined]
    environment.close()
    return {"actions": lines, "rewards": as_json(rewards), "hash": hashed(digests)}


case("gymnasium: tic_tac_toe", gymnastic, "TicTacToe", {})
case("gymnasium: connect_four", gymnastic, "ConnectFour", {"opponent": "greedy"})
pool = [("random", 1), ("rush()", 2)]
case("gymnasium: hex", gymnastic, "Hex", {"size": 4, "swap": True, "opponent": pool})
case("gymnasium: pig", gymnastic, "Pig", {"target": 15, "seat": "alternate"})
case(
    "gymnasium: thirty_one",
    gymnastic,
    "ThirtyOne",
    {"num_players": 3, "opponent": "mcts(simulations=20)", "seat": "second"},
)
case("gymnasium: fig52", gymnastic, "Fig52", {"opponent": "alpha_beta(depth=2)"})


# ---- tournaments and report cards


def without(data: Json, keys: set[str]) -> Json:
    """Plain data without the entries of these names."""
    if isinstance(data, dict):
        return {key: without(value, keys) for key, value in data.items() if key not in keys}
    return [without(value, keys) for value in data] if isinstance(data, list) else data


def tournament(place: str, specs: tuple[str, ...], games: int, settings: dict[str, Any]) -> Json:
    """The games, and what is made of them: ratings, and all against all."""
    agents = [agent_of(spec) for spec in specs]
    start = POSITIONS[place].start()
    result = run_tournament(start, agents, games, workers=0, seed=4, **settings)
    number = {name: index for index, name in enumerate(result.names)}
    table = result.ratings()
    ratings = [
        {**dataclasses.asdict(rating), "agent": number[rating.agent]} for rating in table.ratings
    ]
    told = {
        "games": [
            [[number[name] for name in game.players], game.opening, game.actions, game.points]
            for game in result.games
        ],
        "complete": result.complete,
        "ratings": ratings,
        "superiority": table.superiority,
        "first seat": dataclasses.astuple(table.first_seat)[:3],
        "draws": dataclasses.astuple(table.draw_share)[:3],
        "counts": [table.games, table.pairs, table.clusters, table.resamples],
    }
    if len(specs) == 2:
        told["head to head"] = without(result.head_to_head().to_dict(), {"a", "b"})
    return as_json(told, 2)


case(
    "tournament: tic_tac_toe",
    tournament,
    "tic_tac_toe",
    ("random()", "greedy()", "mcts(simulations=20)"),
    8,
    {"openings": "random:1"},
)
case(
    "tournament: connect_four",
    tournament,
    "connect_four",
    ("alpha_beta(depth=2)", "greedy()"),
    8,
    {"openings": "random:2", "sprt": (0.0, 200.0)},
)
case(
    "tournament: hex",
    tournament,
    "hex 4",
    ("rush()", "random()", "alpha_beta(depth=1)"),
    6,
    {"openings": "first", "mode": "gauntlet"},
)
case("tournament: pig", tournament, "pig", ("greedy()", "random()"), 6, {"openings": "none"})


def opened(start: Position, kind: str, count: int | None) -> Json:
    some = openings(start, kind, count, seed=6)
    return as_json([some.lines, some.available])


for kind, start, count in (
    ("none", TicTacToe(), None),
    ("first", TicTacToe(4, 3, 3), None),
    ("first", Hex(5), None),
    ("all:2", ConnectFour(), None),
    ("all:2", ThirtyOne(), None),
    ("random:3", Hex(5), 10),
    ("random:4", ConnectFour(), 10),
    ("random:3", Pig(20), 5),
    ("balanced:2", TicTacToe(), 8),
    ("balanced", ThirtyOne(), 3),
):
    case(f"openings {kind}: {start!r}", opened, start, kind, count)
case("openings balanced:2: hex", opened, Hex(4), "balanced:2", 3, slow=True)
case("openings balanced:3: connect_four", opened, ConnectFour(), "balanced:3", 5)


def graded(start: Position, spec: str, positions: int | None) -> Json:
    """A report card without times, the agent's name and what is said in words."""
    card = grade(start, agent_of(spec), positions=positions, games=2, seed=2).to_dict()
    del card["seconds"], card["agent"]
    return as_json(without(card, {"source"}), 6)


case("report card: tic_tac_toe", graded, TicTacToe(), "greedy()", 20)
case("report card: tic_tac_toe, mcts", graded, TicTacToe(), "mcts(simulations=50)", 10)
case("report card: fig52", graded, Fig52(), "random()", None)
case("report card: thirty_one", graded, ThirtyOne(), "alpha_beta(depth=2)", 10)
case("report card: pig", graded, Pig(), "greedy(evaluate=pig.lead)", 20, slow=True)
case("report card: connect_four", graded, ConnectFour(), "alpha_beta(depth=3)", 20, slow=True)
case("report card: hex", graded, Hex(5), "rush()", 10, slow=True)


# ---- compared and recorded


def answer(name: str) -> Json:
    """What a case gives now, as it would be read from the file."""
    return json.loads(json.dumps(CASES[name]()))


@functools.cache
def recorded() -> dict[str, Json]:
    """What every case gave when it was recorded."""
    data: dict[str, Json] = json.loads(RECORDED.read_text("utf-8"))
    return data


def differences(then: Json, now: Json, within: float, path: str = "") -> Iterator[str]:
    """Where two answers differ, numbers that are not whole by more than ``within``: in lines."""
    if isinstance(then, dict) and isinstance(now, dict):
        for key in {**then, **now}:
            yield from differences(then.get(key), now.get(key), within, f"{path}.{key}")
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for index, pair in enumerate(zip(then, now, strict=True)):
            yield from differences(*pair, within, f"{path}[{index}]")
    elif isinstance(then, float) and isinstance(now, float) and abs(then - now) <= within:
        return
    elif then != now or type(then) is not type(now):
        yield f"{path or 'answer'}: recorded {then!r}, now {now!r}"


# Compiled, `make test` answers only those that take long otherwise: each compiles for seconds.
BOTH_WAYS = [pytest.mark.plain, pytest.mark.again]
PARAMS = [name if name in SLOW_IN_PLAIN else pytest.param(name, marks=BOTH_WAYS) for name in CASES]


@pytest.mark.parametrize("name", PARAMS)
def test_nothing_has_changed(name: str) -> None:
    if name in SLOW_IN_PLAIN and disabled():
        pytest.skip("takes long as plain Python")
    # the last digit of a network's answer is not the same on all processors
    within = 1.5 * 10**-COARSE if name.startswith(("policy ", "mcts with ")) else 0.0
    changed = list(differences(recorded()[name], answer(name), within))
    assert not changed, "\n".join([f"{len(changed)} differences", *changed[:20]])


def test_every_case_is_recorded() -> None:
    assert sorted(recorded()) == sorted(CASES)


def write(beginning: str) -> None:
    """Record the cases whose name begins so, and keep the others."""
    kept = recorded() if RECORDED.exists() else {}
    names = [name for name in CASES if name.startswith(beginning) or name not in kept]
    kept = {name: kept[name] for name in CASES if name not in names} | {
        name: answer(name) for name in names
    }
    lines = [f"{json.dumps(name)}: {json.dumps(kept[name])}" for name in CASES]
    RECORDED.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] != ["--write"]:
        sys.exit(__doc__)
    write(" ".join(sys.argv[2:]))
