"""Policies from files: what is computed, what a damaged file says, how they play."""

from __future__ import annotations

import copy
import hashlib
import importlib
import json
import pickle
import re
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Event
from typing import Any

import numpy as np
import pytest
from children import LONGEST
from safetensors.numpy import load_file, save_file
from threadpoolctl import threadpool_limits

from adv_envs import ConnectFour, Hex, Pig, TicTacToe
from adv_envs.jit import disabled
from agents import Policy, Retrograde, make, match
from agents.knowledge import knowledge_of
from agents.networks.checkpoint import (
    CheckpointError,
    checkpoint_path,
    forward,
    libraries,
    load_checkpoint,
    make_checkpoint,
    one_thread,
    release,
    shipped_checkpoints,
    softmax,
    table_key,
)
from agents.networks.league import LeagueError
from agents.networks.pytorch import load_torch, save_torch

pytestmark = pytest.mark.compiled

RNG = np.random.default_rng(0)
CARDS = Path(__file__).parent.parent / "docs" / "baselines"


def random_arrays(**shapes: tuple[int, ...]) -> dict[str, Any]:
    return {
        name.replace("__", "."): RNG.normal(size=shape).astype(np.float32)
        for name, shape in shapes.items()
    }


def linear_policy(position: Any, **more: Any) -> Any:
    """A checkpoint with one layer for the moves and one for the value."""
    inputs, actions = int(np.prod(position.observation_shape)), position.num_actions
    if more.get("player"):
        inputs += inputs // position.observation_shape[-1]
    arrays = random_arrays(
        p__weight=(actions, inputs), p__bias=(actions,), v__weight=(1, inputs), v__bias=(1,)
    )
    layers = {
        "policy": [{"op": "flatten"}, {"op": "linear", "name": "p"}],
        "value": [{"op": "flatten"}, {"op": "linear", "name": "v"}, {"op": "tanh"}],
    }
    return make_checkpoint(position, arrays, layers, **more)


# ---- layers


def test_convolution_is_that_of_its_definition() -> None:
    arrays = random_arrays(c__weight=(4, 3, 3, 3), c__bias=(4,))
    x = RNG.normal(size=(2, 3, 5, 4)).astype(np.float32)
    found = forward([{"op": "conv", "name": "c"}], arrays, x)
    for n, out, row, column in np.ndindex(2, 4, 5, 4):
        total = float(arrays["c.bias"][out])
        for channel, i, j in np.ndindex(3, 3, 3):
            y, z = row + i - 1, column + j - 1
            if 0 <= y < 5 and 0 <= z < 4:
                total += arrays["c.weight"][out, channel, i, j] * x[n, channel, y, z]
        assert found[n, out, row, column] == pytest.approx(total, abs=1e-4)


def test_other_layers() -> None:
    arrays = {
        "l.weight": np.array([[1, -2]], np.float32),
        "l.bias": np.array([0.5], np.float32),
        "a.scale": np.array([2, 3], np.float32),
        "a.shift": np.array([1, 0], np.float32),
    }
    x = np.array([[1.0, 2.0]], np.float32)
    assert forward([{"op": "linear", "name": "l"}], arrays, x).tolist() == [[-2.5]]
    assert forward([{"op": "affine", "name": "a"}], arrays, x).tolist() == [[3.0, 6.0]]
    inner = [{"op": "affine", "name": "a"}]
    assert forward([{"op": "residual", "layers": inner}], arrays, x).tolist() == [[4.0, 8.0]]
    assert forward([{"op": "relu"}], arrays, -x).tolist() == [[0.0, 0.0]]
    assert forward([{"op": "tanh"}], arrays, x)[0, 0] == pytest.approx(0.76159416)
    probabilities = softmax(np.array([[0.0, -np.inf, 0.0]]))
    assert probabilities.tolist() == [[0.5, 0.0, 0.5]]


def test_layers_that_do_not_fit_are_named() -> None:
    x = np.zeros((1, 3), np.float32)
    with pytest.raises(ValueError, match="no layer 'attention'; layers: linear, conv"):
        forward([{"op": "attention"}], {}, x)
    with pytest.raises(ValueError, match=r"needs 'l.weight', which is missing"):
        forward([{"op": "linear", "name": "l"}], {}, x)
    with pytest.raises(ValueError, match=r"cannot follow \(1, 3\)"):
        forward([{"op": "linear", "name": "l"}], random_arrays(l__weight=(2, 2), l__bias=(2,)), x)


# ---- files


def test_a_checkpoint_is_read_as_it_was_written(tmp_path: Path) -> None:
    made = linear_policy(ConnectFour(4, 5), card={"seed": 3})
    made.save(tmp_path / "policy.safetensors")
    read = load_checkpoint(tmp_path / "policy.safetensors")
    assert (read.game, read.parameters) == ("connect_four", {"height": 4, "width": 5, "k": 4})
    assert read.card == {"seed": 3}
    start = ConnectFour(4, 5)
    for mine, theirs in zip(made.outputs([start]), read.outputs([start]), strict=True):
        assert mine is not None
        assert theirs is not None
        assert (mine == theirs).all()
    assert [path.name for path in tmp_path.iterdir()] == ["policy.safetensors"]


def test_what_goes_in() -> None:
    position = TicTacToe().after([0, 4, 2])  # the second player is to move
    plain = linear_policy(TicTacToe())
    first = plain.inputs([position])
    assert first.shape == (1, 2, 3, 3)
    assert first[0, 0].ravel().nonzero()[0].tolist() == [4]  # own stones
    assert first[0, 1].ravel().nonzero()[0].tolist() == [0, 2]
    told = linear_policy(TicTacToe(), channels_first=False, player=True).inputs(
        [position, position.play(1)]
    )
    assert told.shape == (2, 3, 3, 3)
    assert told[0, :, :, 2].tolist() == np.ones((3, 3)).tolist()
    assert told[1, :, :, 2].tolist() == np.zeros((3, 3)).tolist()
    assert (told[0, :, :, :2] == np.moveaxis(first[0], 0, -1)).all()


def test_damaged_files(tmp_path: Path) -> None:
    path = tmp_path / "policy.safetensors"
    linear_policy(TicTacToe()).save(path)
    whole = path.read_bytes()
    with pytest.raises(CheckpointError, match="there is no checkpoint"):
        load_checkpoint(tmp_path / "other")
    for torn in (b"", whole[:100], whole[:-1], b"\0" * 50):
        path.write_bytes(torn)
        with pytest.raises(CheckpointError, match="is torn, or no safetensors file"):
            load_checkpoint(path)
    path.write_bytes(whole)
    arrays = load_file(path)
    about = {
        "format": 1,
        "game": "tic_tac_toe",
        "parameters": {},
        "layers": {"policy": [{"op": "flatten"}, {"op": "linear", "name": "p"}]},
    }
    nested: list[dict[str, Any]] = [{"op": "relu"}]
    for _ in range(300):
        nested = [{"op": "residual", "layers": nested}]
    wrong: list[tuple[dict[str, Any] | None, str]] = [
        (None, "does not say what it plays"),
        (about | {"format": 2}, "another format than 1"),
        (about | {"surprise": 1}, "header that cannot be read"),
        (about | {"game": "shogi"}, "no game 'shogi'"),
        (about | {"parameters": {"size": 3}}, "unexpected keyword argument 'size'"),
        (about | {"layers": {"value": []}}, "cannot be used"),
        (about | {"parameters": {"width": 4}}, r"cannot follow \(1, 24\)"),
        (about | {"layers": []}, "layers must be a dict"),
        (about | {"layers": {"policy": 5}}, "layers are a list, not 5"),
        (about | {"layers": {"policy": [["relu"]]}}, "a layer is a dictionary such as"),
        (about | {"layers": {"policy": [{"op": []}]}}, "a layer is a dictionary such as"),
        (
            about | {"layers": {"policy": nested}},
            "cannot be used|cannot be read|gives logits of shape",
        ),
        (about | {"parameters": []}, "parameters must be a dict"),
        (about | {"mirrored": "no"}, "mirrored must be a bool"),
        (about | {"card": 7}, "card must be a dict"),
        (about | {"game": ["hex"]}, "game must be a str"),
    ]
    for header, message in wrong:
        save_file(arrays, path, None if header is None else {"adv_envs": json.dumps(header)})
        with pytest.raises(CheckpointError, match=message):
            load_checkpoint(path)
    save_file(arrays, path, {"adv_envs": "{"})
    with pytest.raises(CheckpointError, match="header that cannot be read"):
        load_checkpoint(path)
    save_file(
        arrays | {"p.bias": np.full(9, np.nan, np.float32)}, path, {"adv_envs": json.dumps(about)}
    )
    with pytest.raises(CheckpointError, match="not finite"):
        load_checkpoint(path)
    save_file(
        arrays | random_arrays(p__weight=(4, 18), p__bias=(4,)),
        path,
        {"adv_envs": json.dumps(about)},
    )
    with pytest.raises(CheckpointError, match=r"logits of shape \(4,\), but tic_tac_toe has 9"):
        load_checkpoint(path)


@pytest.mark.parametrize("path", ["a" * 5_000, "a\0b", ""])
def test_no_file_has_such_a_name(path: str) -> None:
    with pytest.raises(CheckpointError, match="there is no checkpoint"):
        make(f"policy(path={path!r})")
    with pytest.raises(LeagueError, match="has no league"):
        make(f"league(path={path!r})")


@pytest.mark.parametrize("shape", [(2, 2, 2, 2), (2, 2, 3, 1), (2, 3, 3, 3), (8,)])
def test_a_convolution_that_does_not_fit(shape: tuple[int, ...]) -> None:
    weight = np.zeros(shape, np.float32)
    with pytest.raises(ValueError, match="cannot follow"):
        forward(
            [{"op": "conv", "name": "c"}],
            {"c.weight": weight, "c.bias": np.zeros(2, np.float32)},
            np.zeros((1, 2, 3, 3), np.float32),
        )


# ---- the agent


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A policy for tic-tac-toe with random weights."""
    linear_policy(TicTacToe()).save(tmp_path / "random.safetensors")
    return tmp_path / "random.safetensors"


def test_the_best_legal_action_is_played(saved: Path) -> None:
    agent = Policy(saved)
    position = TicTacToe()
    while not position.is_terminal():
        logits, values = agent.checkpoint.outputs([position])
        result = agent.analyse(position)
        assert values is not None
        assert result.value == pytest.approx(float(values[0]))
        legal = position.legal_actions()
        assert agent.act(position) == result.action == max(legal, key=lambda a: logits[0, a])
        priors, worth = agent.evaluate_batch([position])
        assert priors.sum() == pytest.approx(1)
        assert [a for a in range(9) if priors[0, a] > 0] == legal
        assert worth[0] == pytest.approx(result.value)
        position = position.play(result.action)
    with pytest.raises(ValueError, match="the game is over"):
        agent.act(position)


def threads() -> set[int]:
    """On how many threads NumPy multiplies matrices; libraries of others may be loaded later."""
    return {each["num_threads"] for each in libraries().info()}


def test_a_network_is_asked_on_one_thread(saved: Path, monkeypatch: Any) -> None:
    seen = []

    def watched(*arguments: Any) -> Any:
        seen.append(threads())
        return forward(*arguments)

    monkeypatch.setattr("agents.networks.checkpoint.forward", watched)
    with threadpool_limits(2, user_api="blas"):
        if threads() != {2}:
            pytest.skip("the number of threads cannot be set here")
        Policy(saved).act(TicTacToe())
        assert seen
        assert all(each == {1} for each in seen)
        assert threads() == {2}
        with pytest.raises(ValueError, match="no layer"), one_thread():
            forward([{"op": "attention"}], {}, np.zeros(1, np.float32))
        assert threads() == {2}


@pytest.fixture
def two_threads() -> Iterator[None]:
    """NumPy multiplies on two threads, and every thread may change that."""
    limits = threadpool_limits(2, user_api="blas")
    release()
    try:
        if threads() != {2}:
            pytest.skip("the number of threads cannot be set here")
        yield
    finally:
        limits.restore_original_limits()
        release()


@pytest.mark.usefixtures("two_threads")
def test_the_last_thread_to_leave_puts_the_number_back() -> None:
    """Even while the first one, which has set the number, is still there."""
    both_inside, first_left, over, seen = Barrier(2, timeout=LONGEST), Event(), Event(), []

    def first() -> None:
        with one_thread():
            both_inside.wait()
            seen.append(threads())
        first_left.set()
        over.wait(LONGEST)

    def second() -> set[int]:
        with one_thread():
            both_inside.wait()
            first_left.wait(LONGEST)
            seen.append(threads())
        return threads()

    with ThreadPoolExecutor(2) as pool:
        done = pool.submit(first)
        after = pool.submit(second).result()
        over.set()
        done.result()
    assert seen == [{1}, {1}]
    assert after == {2}


@pytest.mark.usefixtures("two_threads")
def test_every_thread_is_kept_to_one_in_turn() -> None:
    def inside() -> set[int]:
        with one_thread():
            return threads()

    assert inside() == {1}  # on this thread, which lives on
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(inside).result() == {1}
        assert inside() == {1}
    assert threads() == {2}


def test_temperature_draws_by_probability(saved: Path) -> None:
    agent = Policy(saved, temperature=1.0, seed=5)
    priors, _ = agent.evaluate_batch([TicTacToe()])
    drawn = np.bincount([agent.act(TicTacToe()) for _ in range(4000)], minlength=9) / 4000
    assert np.abs(drawn - priors[0]).max() < 0.04
    agent.reset(7)
    first = [agent.act(TicTacToe()) for _ in range(20)]
    agent.reset(7)
    assert [agent.act(TicTacToe()) for _ in range(20)] == first
    assert Policy(saved, temperature=1e-6).act(TicTacToe()) == Policy(saved).act(TicTacToe())


def test_a_search_mends_a_bad_network(saved: Path) -> None:
    exact = Retrograde()
    alone, guided = Policy(saved), Policy(saved, simulations=400)
    mistakes = [0, 0]
    rng = np.random.default_rng(1)
    for _ in range(25):
        position = TicTacToe()
        for _ in range(rng.integers(2, 6)):
            if not position.play(a := int(rng.choice(position.legal_actions()))).is_terminal():
                position = position.play(a)
        values = exact.values(position)
        for i, agent in enumerate((alone, guided)):
            mistakes[i] += values[agent.act(position)] < max(values.values())
    assert mistakes[1] <= 1 < mistakes[0]


@pytest.mark.parametrize("selection", ["gumbel", "puct"])
def test_a_search_draws_from_its_own_policy(saved: Path, selection: str) -> None:
    agent = Policy(saved, simulations=60, selection=selection, temperature=1.0, seed=1)
    found = agent.action_probabilities(TicTacToe())
    assert sum(found.values()) == pytest.approx(1)
    drawn = [agent.act(TicTacToe()) for _ in range(30)]
    assert len(set(drawn)) > 1
    later = agent.action_probabilities(TicTacToe())  # of a tree that has grown with every search
    assert all(later[action] > 0 for action in drawn)
    cold = [
        Policy(saved, simulations=60, selection=selection, temperature=1e-3, seed=1)
        for _ in range(2)
    ]
    likeliest = max(found.values())
    shares = cold[0].action_probabilities(TicTacToe())
    assert sum(share for action, share in shares.items() if found[action] == likeliest) > 0.99
    assert found[cold[1].act(TicTacToe())] == likeliest


@pytest.mark.parametrize("start", [TicTacToe(), ConnectFour(), Hex(5)], ids=repr)
def test_symmetries_are_averaged(start: Any) -> None:
    """All images of a position get the same answer: the mean of those of the network alone."""
    path = {"TicTacToe": "tic_tac_toe_ppo", "ConnectFour": "connect_four_ppo"}
    name = path.get(type(start).__name__, "hex_5_alphazero")
    alone, all_images = Policy(name), Policy(name, symmetries=True)
    assert not all_images.sees_observations
    known: Any = knowledge_of(start).symmetries
    position = start
    for _ in range(4):
        position = position.play(position.legal_actions()[1])
        number = known.num_images(position)
        images = [known.image(position, i) for i in range(number)]
        images = [start.with_stones(p.stones(0), p.stones(1), p.ply) for p in images]
        legal = position.legal_actions()
        there = [[known.image_action(position, a, i) for a in legal] for i in range(number)]
        shares, values = alone.evaluate_batch(images)
        mean = np.mean([shares[i][there[i]] for i in range(number)], axis=0)
        told, told_values = all_images.evaluate_batch(images)
        for i in range(number):
            assert told[i][there[i]] == pytest.approx(mean, abs=1e-5)
        assert told_values == pytest.approx([values.mean()] * number, abs=1e-5)
        assert told.sum(1) == pytest.approx(1)
        assert np.ptp(values) > 0 or np.ptp([shares[i][there[i]] for i in range(number)], 0).any()
        assert all_images.act(position) == legal[int(np.argmax(mean))]


def test_symmetries_that_cannot_be_asked_for() -> None:
    with pytest.raises(ValueError, match="it is a table"):
        Policy("tic_tac_toe_q_learning", symmetries=True)
    with pytest.raises(TypeError, match="symmetries must be True or False, not 3"):
        Policy("tic_tac_toe_ppo", symmetries=3)  # type: ignore[arg-type]


def test_a_table_of_values(tmp_path: Path) -> None:
    position = TicTacToe().after([0])
    keys = np.array([table_key(position)], np.int64)
    values = np.arange(9, dtype=np.float32).reshape(1, 9)
    make_checkpoint(TicTacToe(), {"keys": keys, "values": values}).save(tmp_path / "q.safetensors")
    agent = Policy(tmp_path / "q.safetensors")
    assert agent.act(position) == 8
    assert agent.values(position) == {a: float(a) for a in range(1, 9)}
    assert agent.act(position.play(8)) == 1  # not in the table: the first legal action
    with pytest.raises(ValueError, match="has no values, which simulations need"):
        Policy(tmp_path / "q.safetensors", simulations=10)


def test_what_is_refused(saved: Path) -> None:
    agent = Policy(saved)
    for other in (TicTacToe(4, 4, 4), ConnectFour(), Hex(3)):
        with pytest.raises(ValueError, match="was trained for tic_tac_toe, not for"):
            agent.act(other)
    with pytest.raises(CheckpointError, match="shipped ones: "):
        Policy("no_such_policy")
    with pytest.raises(ValueError, match="simulations must be at least 1"):
        Policy(saved, simulations=0)
    with pytest.raises(ValueError, match="temperature must not be negative"):
        Policy(saved, temperature=-1)
    for simulations in (None, 5):
        with pytest.raises(ValueError, match="selection must be puct or gumbel, not 'uct'"):
            Policy(saved, simulations=simulations, selection="uct")
    linear_policy(Pig(10)).save(saved)
    with pytest.raises(ValueError, match="here chance is to move"):
        Policy(saved).act(Pig(10).play(0))


def test_policies_are_agents_like_any_other(saved: Path) -> None:
    agent = make(f"policy(path={str(saved)!r}, simulations=20)")
    assert repr(make(repr(agent))) == repr(agent)
    result = match(TicTacToe(), agent, make("random(seed=1)"), pairs=5)
    assert result.total.games == 10
    assert result.total.wins >= 7
    for other in (copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
        assert other.act(TicTacToe()) == agent.act(TicTacToe())


@pytest.mark.parametrize("how", ["alphazero", "ppo", "q_learning"])
def test_the_shipped_policies_of_tic_tac_toe_never_lose(how: str) -> None:
    agent = Policy(f"tic_tac_toe_{how}")
    seen: set[tuple[Any, int]] = set()

    def worst(position: Any, seat: int) -> float:
        """The least that the policy gets over all replies; positions are looked at once."""
        if position.is_terminal():
            return float(position.utility(seat))
        if (position, seat) in seen:
            return 1.0
        seen.add((position, seat))
        mine = position.to_move == seat
        actions = [agent.act(position)] if mine else position.legal_actions()
        return min(worst(position.play(action), seat) for action in actions)

    assert [worst(TicTacToe(), seat) for seat in (0, 1)] == [0, 0]
    assert agent.checkpoint.card["grade"]["alone"]["never loses"]["proved"]


@pytest.mark.parametrize("name", shipped_checkpoints())
def test_shipped_policies_are_small_have_cards_and_play(name: str) -> None:
    assert checkpoint_path(name).stat().st_size < 2_000_000
    agent = Policy(name)
    card, start = agent.checkpoint.card, agent.checkpoint.start
    page = (CARDS / f"{name}.md").read_text()
    kept, wrong = (card["grade"]["alone"][key] for key in ("kept", "wrong"))
    assert kept[1] <= kept[0] <= kept[2]
    shares = (
        f"{value:.1%} ({low:.1%} to {high:.1%}) of {n}" for value, low, high, n in (kept, wrong)
    )
    for told in (card["trained by"], f"| {card['seed']} |", *shares):
        assert told in page
    assert hashlib.sha256(checkpoint_path(name).read_bytes()).hexdigest() in page
    assert (CARDS / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    points = match(start, agent, make("random(seed=1)"), pairs=3, plies=2).total.points
    assert points >= 4 + (start.num_actions > 9)


def test_the_second_players_board_goes_in_mirrored(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    weight = rng.normal(size=(9, 18)).astype(np.float32)
    arrays = {"policy.weight": weight, "policy.bias": np.zeros(9, np.float32)}
    layers = {"policy": [{"op": "flatten"}, {"op": "linear", "name": "policy"}]}
    make_checkpoint(Hex(3), arrays, layers, mirrored=True).save(tmp_path / "hex.safetensors")
    found = load_checkpoint(tmp_path / "hex.safetensors")
    positions = [Hex(3).after([1, 5]), Hex(3).after([0, 3, 7])]  # the first is to move, the second
    logits, _ = found.outputs(positions)
    for position, row in zip(positions, logits, strict=True):
        planes = np.zeros(position.observation_shape, np.float32)
        position.observe(position.to_move, planes)
        turn = position.to_move == 1
        seen = planes.swapaxes(0, 1) if turn else planes
        wanted = (weight @ np.moveaxis(seen, -1, 0).ravel()).reshape(3, 3)
        assert row.reshape(3, 3) == pytest.approx(wanted.T if turn else wanted, abs=1e-5)


# ---- cards


@pytest.mark.needs("learn")
@pytest.mark.skipif(disabled(), reason="a card takes minutes in plain Python")
def test_a_run_becomes_a_policy_with_a_card(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(CARDS.parent))
    make_cards = importlib.import_module("make_cards")
    for name in ("CARDS", "SHIPPED"):
        monkeypatch.setattr(make_cards, name, tmp_path / name)
        (tmp_path / name).mkdir()
    monkeypatch.setattr(make_cards, "SIMULATIONS", 3)
    monkeypatch.setattr(make_cards, "shipped_checkpoints", lambda: ["best"])
    (tmp_path / "run").mkdir()
    saved.rename(tmp_path / "run" / "policy.safetensors")
    given = ["make_cards", str(tmp_path / "run"), "best", "--how", "by hand", "--seed", "5"]
    monkeypatch.setattr(sys, "argv", [*given, "--positions", "5", "--games", "10"])
    line = {"steps": 3, "seconds": 90.0, "cpu_seconds": 60.0, "positions": 1234}
    grade = {"mistakes": 0.3, "vs alpha_beta(depth=1)": 0.5}
    text = "".join(json.dumps(each) + "\n" for each in (line, line | grade))
    (tmp_path / "run" / "log.jsonl").write_text(text)
    make_cards.main()
    page = (tmp_path / "CARDS" / "best.md").read_text()
    assert "| time | 1.5 minutes, 1.0 on a processor |\n" in page
    assert "| cost | 0.03 core-hours, at most |\n| positions | 1,234 |\n" in page
    assert re.search(r"\| never loses, whatever is replied( \| no: \d+ positions){4} \|", page)
    cells = r"( \| [^|]* of 5){2}( \| [^|]* of 1){2} \|"
    assert re.search(rf"\| wrong moves, at random positions{cells}", page)
    cells = r"( \| [^|]* of 5){2} \| [^|]* of 1 \|  \|"
    assert re.search(rf"\| points against alpha_beta\(depth=5\){cells}", page)
    assert (tmp_path / "CARDS" / "best.png").read_bytes().startswith(b"\x89PNG")
    card = Policy(tmp_path / "SHIPPED" / "best.safetensors").checkpoint.card
    assert card["seed"] == 5
    assert tuple(card["grade"]) == make_cards.WAYS
    # a later run that began with it takes its place, and both are graded alike
    more = ["--after", str(tmp_path / "run"), "--cores", "2"]
    monkeypatch.setattr(sys, "argv", [*given, *more, "--positions", "5", "--games", "10"])
    make_cards.main()
    page = (tmp_path / "CARDS" / "best.md").read_text()
    assert "| time | 3.0 minutes |\n| cost | 0.10 core-hours, at most |\n" in page
    assert "| positions | 2,468 |\n" in page
    assert re.search(r"## What it replaces\n\nThe policy with the SHA-256 `[0-9a-f]{64}`", page)
    assert page.count("| points against alpha_beta(depth=5)") == 2
    index = (tmp_path / "CARDS" / "README.md").read_text()
    assert re.search(r"\| \[`best`\]\(best.md\) \| 3x3( \| \d+\.\d%){6} \| 0\.10 \|\n", index)
    assert re.search(r"\| what it replaces \| 3x3( \| \d+\.\d%){6} \|  \|\n", index)


@pytest.mark.needs("learn")
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("{0} best --how x --seed 5", "is not a finished run: no log.jsonl in it"),
        ("{0} best --how x --seed 5 --after no_one", "nor a policy that ships: no policy.s"),
        ("{0} best", "RUN, NAME, --how and --seed are needed"),
        ("--regrade no_one", "no policy no_one; there are breakthrough_5_alphazero"),
        ("--regrade hex_5_alphazero --replaced {0}/policy.safetensors", "not what it replaced"),
    ],
)
def test_what_becomes_no_card_is_said_in_a_line(
    saved: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any, given: str, message: str
) -> None:
    monkeypatch.syspath_prepend(str(CARDS.parent))
    make_cards = importlib.import_module("make_cards")
    run = saved.parent / "run"
    run.mkdir()
    saved.rename(run / "policy.safetensors")
    monkeypatch.setattr(sys, "argv", ["make_cards", *given.format(run).split()])
    with pytest.raises(SystemExit) as end:
        make_cards.main()
    assert end.value.code == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1


@pytest.mark.needs("learn")
def test_what_a_shipped_policy_cost_is_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(CARDS.parent))
    make_cards = importlib.import_module("make_cards")
    line = {"seconds": 90.0, "cpu_seconds": 60.0, "positions": 1234, "steps": 2000}
    (tmp_path / "log.jsonl").write_text(json.dumps(line) + "\n")
    first = Policy("hex_5_alphazero").checkpoint.card
    found = make_cards.costs([Path("hex_5_alphazero"), tmp_path], 2)
    assert found == {
        "seconds": first["seconds"] + 90,
        "positions": first["positions"] + 1234,
        "steps": first["steps"] + 2000,
        "core_hours": pytest.approx(first["core_hours"] + 0.05),
    }


# ---- from PyTorch


@pytest.mark.needs("learn")
def test_modules_of_pytorch_are_saved_as_they_are_and_come_back(tmp_path: Path) -> None:
    import torch

    nn = torch.nn

    class Residual(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self, body: Any) -> None:
            super().__init__()
            self.body = body

        def forward(self, x: Any) -> Any:
            return x + self.body(x)

    torch.manual_seed(1)
    inner = nn.Sequential(nn.Conv2d(8, 8, 3, padding=1, bias=False), nn.BatchNorm2d(8), nn.ReLU())
    trunk = nn.Sequential(
        nn.Conv2d(3, 8, 3, padding="same"), nn.Tanh(), Residual(inner), nn.Dropout(0)
    )
    policy = nn.Sequential(nn.Conv2d(8, 2, 1), nn.Flatten(), nn.Linear(2 * 12, 4))
    value = nn.Sequential(
        nn.Flatten(), nn.BatchNorm1d(96, affine=False), nn.Linear(96, 1), nn.Tanh()
    )
    batch = torch.rand(64, 3, 3, 4)
    for _ in range(3):  # so that the statistics of the normalisations are not those of the start
        policy(trunk(batch)), value(trunk(batch))
    for part in (trunk, policy, value):
        part.eval()
    path, position = tmp_path / "net.safetensors", ConnectFour(3, 4, 3)
    made = save_torch(path, position, trunk=trunk, policy=policy, value=value, player=True)
    positions = [position, position.play(1), position.play(1).play(2)]
    logits, values = Policy(path).checkpoint.outputs(positions)
    with torch.no_grad():
        x = trunk(torch.from_numpy(made.inputs(positions)))
        assert np.allclose(logits, policy(x).numpy(), atol=1e-5)
        assert values is not None
        assert np.allclose(values, value(x)[:, 0].numpy(), atol=1e-5)

    again = [copy.deepcopy(part) for part in (trunk, policy, value)]
    for part in again:
        part.train()
        for tensor in part.state_dict().values():
            tensor.data.zero_()
    parts = dict(zip(("trunk", "policy", "value"), again, strict=True))
    load_torch(path, positions[1], batch, **parts)
    assert all(module.training for part in again for module in part.modules())
    with torch.no_grad():
        for one, other in ((again[1], policy), (again[2], value)):
            assert torch.allclose(
                one.eval()(again[0].eval()(batch)), other(trunk(batch)), atol=1e-5
            )
        # in training normalised by the batch, which is the same, where there are weights to fit it
        trained = again[1].train()(again[0].train()(batch))
        assert torch.allclose(trained, policy(trunk(batch)), atol=1e-5)
    with pytest.raises(CheckpointError, match=r"plays connect_four, height=3.*, not connect"):
        load_torch(path, ConnectFour(4, 4, 3), batch, **parts)
    for others in ({**parts, "value": None}, {**parts, "policy": value}, {"policy": policy}):
        with pytest.raises(CheckpointError, match="has other layers than these modules"):
            load_torch(path, position, batch, **others)
    with pytest.raises(CheckpointError, match="there is no checkpoint 'nobody'"):
        load_torch("nobody", position, batch, **parts)
    for module in (nn.MaxPool2d(2), nn.Conv2d(2, 2, 3), nn.Conv2d(2, 2, 3, padding=1, stride=2)):
        with pytest.raises(TypeError, match="cannot export"):
            save_torch(path, position, policy=module)
