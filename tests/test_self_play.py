"""Self-play of AlphaZero: its searches beside plain ones, its samples, and what networks see."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive_tree_search import gumbel_search, puct_search
from samples import SAMPLES

from adv_envs import (
    ConnectFour,
    DotsAndBoxes,
    Hex,
    Kalah,
    Kuhn,
    Othello,
    Pig,
    Position,
    RockPaperScissors,
    TicTacToe,
)
from adv_envs.bits import pack, unpack
from agents.knowledge import knowledge_of
from agents.learning.alphazero.settings import RANGES, AlphaZeroSettings, require_learnable

pytestmark = pytest.mark.needs("learn")

FEW = AlphaZeroSettings(
    games=4,
    simulations=4,
    width=4,
    blocks=1,
    batch_size=8,
    workers=0,
    precision="float32",
    cache=64,
)
GAMES: tuple[Position, ...] = (
    TicTacToe(), ConnectFour(4, 5), Hex(3), Kalah(3, 2), DotsAndBoxes(2, 2),
)  # fmt: skip


COMPILED = pytest.param(False, marks=pytest.mark.slow, id="compiled")


@pytest.fixture(autouse=True)
def plain(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """As plain Python, which takes less time than to compile, unless a test asks for the other.

    On one thread: two wait for each other wherever the machine has other work.
    """
    import torch

    torch.set_num_threads(1)
    if getattr(request, "param", True):
        monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


def middle_games(start: Position, number: int, seed: int = 0) -> list[Any]:
    """Unfinished positions of random games; the first is the start."""
    rng, found = np.random.default_rng(seed), [start]
    while len(found) < number:
        position = start
        for _ in range(int(rng.integers(1, 12))):
            after = position.play(int(rng.choice(position.legal_actions())))
            if after.is_terminal():
                break
            position = after
        found.append(position)
    return found


def packed(positions: list[Any]) -> Any:
    from adv_envs.bits import num_words

    words = np.zeros((len(positions), num_words(positions[0])), np.int64)
    for row, position in zip(words, positions, strict=True):
        pack(position, row)
    return words


def drawn_network(encoder: Any, seed: int = 1) -> Callable[[Any], Any]:
    """A linear network with drawn weights, in float64: rows do not depend on each other."""
    rng, size = np.random.default_rng(seed), int(np.prod(encoder.shape))
    policy = rng.normal(size=(size, encoder.start.num_actions))
    value = rng.normal(size=size) / 2

    def evaluate(inputs: Any) -> Any:
        flat = inputs.reshape(len(inputs), -1).astype(np.float64)
        outcomes = np.tanh([row @ value for row in flat])
        return np.array([row @ policy for row in flat], np.float32), outcomes.astype(np.float32)

    return evaluate


def search_of(start: Position, settings: AlphaZeroSettings, games: int) -> Any:
    from agents.learning.alphazero.search import BatchedSearch
    from agents.networks.encoding import Encoder

    encoder = Encoder(start)
    return BatchedSearch(encoder, games, settings, drawn_network(encoder))


def plain_network(encoder: Any, evaluate: Any) -> Any:
    """The same network, of one position, by the actions of the position."""
    mirrored = knowledge_of(encoder.start).transposed_sides

    def network(position: Any) -> Any:
        logits, values = evaluate(encoder.inputs([position]))
        row = logits[0].tolist()
        if mirrored and position.to_move == 1:
            row = np.array(row).reshape(position.height, position.width).T.ravel().tolist()
        return row, float(values[0])

    return network


# ---- searches


@pytest.mark.parametrize("plain", [True, COMPILED], indirect=True)
@pytest.mark.parametrize("start", GAMES, ids=repr)
@pytest.mark.parametrize("simulations", [1, 5, 40])
def test_the_gumbel_search_is_the_plain_one(start: Position, simulations: int) -> None:
    settings = dataclasses.replace(
        FEW, simulations=simulations, fast_simulations=3, max_num_considered_actions=4
    )
    positions = middle_games(start, 12)
    games = len(positions)
    search = search_of(start, settings, games)
    full, sampled = np.arange(games) % 3 != 1, np.arange(games) % 2 == 0
    found = search.search(packed(positions), full, sampled, np.random.default_rng(5))
    noise = np.random.default_rng(5).gumbel(size=(games, start.num_actions)).astype(np.float32)
    noise[~(full | sampled)] = 0  # a fast search that is to play its best
    network = plain_network(search.encoder, search.evaluate)
    for game, position in enumerate(positions):
        budget = simulations if full[game] else 3
        action, root = gumbel_search(
            position, network, budget, 4, settings.value_scale, noise[game].tolist()
        )
        improved = root.improved(settings.value_scale)
        legal = position.legal_actions()
        assert search.visits()[game, legal].tolist() == list(root.visits.values())
        assert found.actions[game] == action
        assert found.policies[game, legal] == pytest.approx(list(improved.values()), abs=1e-4)
        value = sum(improved[a] * root.q(a) for a in legal)
        assert found.values[game] == pytest.approx(value, abs=1e-4)


@pytest.mark.parametrize("plain", [True, COMPILED], indirect=True)
@pytest.mark.parametrize("start", GAMES, ids=repr)
def test_puct_is_the_plain_one(start: Position) -> None:
    settings = dataclasses.replace(FEW, method="alphazero", simulations=60, fast_simulations=7)
    positions = middle_games(start, 8)
    games = len(positions)
    search = search_of(start, settings, games)
    full = np.arange(games) % 3 != 1
    greedy = np.zeros(games, np.bool_)
    found = search.search(packed(positions), full, greedy, np.random.default_rng(5))
    visits = search.visits()
    noise = np.random.default_rng(5).standard_gamma(1.0, (games, start.num_actions))
    network = plain_network(search.encoder, search.evaluate)
    for game, position in enumerate(positions):
        budget, share = (60, 0.25) if full[game] else (7, 0.0)
        root = puct_search(position, network, budget, 1.5, share, noise[game].tolist())
        counts = np.array(list(root.visits.values()))
        legal = position.legal_actions()
        assert visits[game, legal].tolist() == counts.tolist()
        assert found.policies[game, legal] == pytest.approx(counts / budget, abs=1e-6)
        assert found.actions[game] == legal[int(counts.argmax())]
        assert found.values[game] == pytest.approx(sum(root.totals.values()) / budget, abs=1e-5)


def test_sampled_moves_of_puct_follow_the_visits() -> None:
    settings = dataclasses.replace(FEW, method="alphazero", simulations=12, dirichlet_fraction=0.0)
    search = search_of(TicTacToe(), settings, 2000)
    words = np.repeat(packed([TicTacToe()]), 2000, 0)
    sampled = np.ones(2000, np.bool_)
    found = search.search(words, sampled, sampled, np.random.default_rng(0))
    shares = np.bincount(found.actions, minlength=9) / 2000
    assert found.policies[0].max() < 1
    assert abs(shares - found.policies[0]).max() < 5 * np.sqrt(0.25 / 2000)


@pytest.mark.parametrize("method", ["gumbel", "alphazero"])
@pytest.mark.parametrize("start", GAMES[:3], ids=repr)
def test_a_win_in_one_is_played(start: Position, method: str) -> None:
    """With visits for every action, and without noise."""
    positions = [
        position
        for position in middle_games(start, 60, seed=2)
        if any(
            after.is_terminal() and after.utility(position.to_move) == 1
            for after in map(position.play, position.legal_actions())
        )
    ][:16]
    assert len(positions) > 3
    settings = dataclasses.replace(
        FEW, method=method, simulations=64, max_num_considered_actions=16, dirichlet_fraction=0
    )
    search = search_of(start, settings, len(positions))
    search.evaluate = lambda inputs: (
        np.zeros((len(inputs), start.num_actions), np.float32), np.zeros(len(inputs), np.float32),
    )  # fmt: skip
    yes = np.ones(len(positions), np.bool_)
    found = search.search(packed(positions), yes, ~yes, np.random.default_rng(0))
    for position, action, policy in zip(positions, found.actions, found.policies, strict=True):
        after = position.play(int(action)) if method == "alphazero" else None
        best = position.play(int(policy.argmax()))
        assert best.is_terminal()
        assert best.utility(position.to_move) == 1
        assert after is None or after.utility(position.to_move) == 1


@pytest.mark.parametrize("simulations", [1, 2, 4, 16])
def test_policies_are_improved_in_expectation(simulations: int) -> None:
    """By the exact values of one's actions, from a network whose values are exact."""
    from agents import Perfect

    position = TicTacToe().after([0, 4, 1])
    exact = Perfect()
    values = {a: -_value(exact, position.play(a)) for a in position.legal_actions()}
    settings = dataclasses.replace(FEW, simulations=simulations, max_num_considered_actions=4)
    games = 4000
    search = search_of(position, settings, games)
    encoder, rng = search.encoder, np.random.default_rng(3)
    logits = rng.normal(size=9).astype(np.float32)
    known: dict[bytes, float] = {}
    stack = [position]
    while stack:
        each = stack.pop()
        key = encoder.inputs([each]).tobytes()
        if key not in known and not each.is_terminal():
            known[key] = _value(exact, each)
            stack += map(each.play, each.legal_actions())
    search.evaluate = lambda inputs: (
        np.repeat(logits[None], len(inputs), 0),
        np.array([known[row.tobytes()] for row in inputs], np.float32),
    )
    words = np.repeat(packed([position]), games, 0)
    yes = np.ones(games, np.bool_)
    found = search.search(words, yes, yes, rng)
    legal = list(values)
    prior = np.exp(logits[legal]) / np.exp(logits[legal]).sum()
    before = float(prior @ list(values.values()))
    played = np.mean([values[int(a)] for a in found.actions])
    after = float(found.policies[0, legal] @ list(values.values()))
    noise = 4 / np.sqrt(games)
    assert played > before - noise
    assert after > before - 1e-6
    if simulations > 1:
        assert played > before + noise
    assert found.policies.sum(1) == pytest.approx(np.ones(games), abs=1e-5)
    assert not found.policies[:, [a for a in range(9) if a not in legal]].any()


def _value(exact: Any, position: Any) -> float:
    """The exact value for the player to move."""
    if position.is_terminal():
        return float(position.utility(position.to_move))
    return float(exact.analyse(position).value)


def test_kept_evaluations_change_nothing() -> None:
    found = []
    for cache in (1, 64, 1 << 16):
        play = self_play(ConnectFour(4, 5), cache=cache, games=16, simulations=20)
        samples, counts = play.play(drawn_network(play.encoder), 20)
        found.append((samples, counts))
    for samples, counts in found[1:]:
        for one, other in zip(samples, found[0][0], strict=True):
            assert (one == other).all()
        assert counts.evaluations < found[0][1].evaluations
        assert counts.games == found[0][1].games > 0


def test_evaluations_of_another_network_are_forgotten() -> None:
    once, twice = (self_play(TicTacToe(), games=8) for _ in range(2))
    for network in (1, 2):
        samples = [play.play(drawn_network(play.encoder, network), 6)[0] for play in (once, twice)]
        if network == 1:
            twice.search.cache.keys[:] = 0
        assert all((a == b).all() for a, b in zip(*samples, strict=True))


# ---- self-play


def self_play(start: Position, **changes: Any) -> Any:
    from agents.learning.alphazero.self_play import SelfPlay

    return SelfPlay(start, dataclasses.replace(FEW, **changes))


@pytest.mark.parametrize("start", GAMES, ids=repr)
def test_values_are_the_outcome_for_who_is_to_move(start: Position) -> None:
    play = self_play(start, games=8, search_share=0.0, random_openings=0.0)
    samples, counts = play.play(drawn_network(play.encoder), 40)
    assert counts.games > 8
    at = 0
    while at < len(samples.values):  # samples of a game are in the order of its moves
        game, ended = [unpack(play.start, samples.words[at])], False
        assert game[0] == play.start
        at += 1
        while at < len(samples.values):
            position = unpack(play.start, samples.words[at])
            if position == play.start:
                break
            assert position in [game[-1].play(a) for a in game[-1].legal_actions()]
            game.append(position)
            at += 1
        values = samples.values[at - len(game) : at]
        first = [v if p.to_move == 0 else -v for p, v in zip(game, values, strict=True)]
        assert len(set(np.round(first, 5))) == 1  # one result, seen from both sides
        ends = [game[-1].play(a) for a in game[-1].legal_actions()]
        results = {e.utility(0) / e.max_utility for e in ends if e.is_terminal()}
        assert any(abs(first[0] - result) < 1e-6 for result in results)
        assert not ended


def test_values_mix_search_and_outcome() -> None:
    outcome, searched, mixed = (
        self_play(TicTacToe(), games=8, search_share=share) for share in (0.0, 1.0, 0.25)
    )
    a, b, c = (each.play(drawn_network(each.encoder), 30)[0] for each in (outcome, searched, mixed))
    assert (a.words == c.words).all()
    assert len(np.unique(b.values)) > 20
    assert c.values == pytest.approx(0.75 * a.values + 0.25 * b.values, abs=1e-6)


def test_fast_searches_are_not_learnt() -> None:
    play = self_play(ConnectFour(4, 5), games=32, full_search_probability=0.25)
    weights = play.play(drawn_network(play.encoder), 60)[0].weights
    assert set(weights) == {0.0, 1.0}
    assert abs(weights.mean() - 0.25) < 5 * np.sqrt(0.19 / len(weights))
    play = self_play(ConnectFour(4, 5), games=8)
    assert play.play(drawn_network(play.encoder), 30)[0].weights.all()


def test_a_share_of_games_has_random_openings() -> None:
    for share in (0.0, 0.5, 1.0):
        play = self_play(ConnectFour(), games=400, random_openings=share)
        started = np.mean([play.position(game) == play.start for game in range(400)])
        # one of the random numbers of moves is 0
        expected = 1 - share * (1 - 1 / (play.opening_plies + 1))
        assert abs(started - expected) <= 5 * np.sqrt(0.25 / 400) * (share > 0)
        assert not any(play.position(game).is_terminal() for game in range(400))


def test_openings_have_any_number_of_plies_up_to_the_most() -> None:
    for most in (0, 5):
        play = self_play(ConnectFour(), games=600, random_openings=1.0, opening_plies=most)
        begun: Any = [play.position(game) for game in range(600)]
        numbers = np.bincount([position.ply for position in begun], minlength=most + 1)
        expected = 600 / (most + 1)
        assert len(numbers) == most + 1
        assert np.all(abs(numbers - expected) <= 5 * np.sqrt(expected) * (most > 0))


def test_hopeless_games_are_resigned_but_for_controls() -> None:
    def hopeless(inputs: Any) -> Any:
        """The first player loses, says this network, and is often wrong."""
        second = inputs[..., -1].max((1, 2)) == 1
        values = np.where(second, 0.9, -0.9).astype(np.float32)
        return np.zeros((len(inputs), 9), np.float32), values

    options = {"resign": 0.2, "games": 200, "simulations": 1, "random_openings": 0.0}
    play = self_play(TicTacToe(), resign_playthrough=0.0, search_share=0.0, **options)
    samples, counts = play.play(hopeless, 1)
    assert counts.resigned == counts.games == 200  # after its first move
    assert counts.controls == 0
    assert (samples.values == -1).all()
    play = self_play(TicTacToe(), resign_playthrough=1.0, search_share=0.0, **options)
    samples, counts = play.play(hopeless, 10)
    assert counts.resigned == 0
    assert counts.controls == counts.games > 200
    starts = [unpack(play.start, row) == play.start for row in samples.words]
    not_lost = (samples.values[starts] >= 0).sum()
    assert counts.wrong == not_lost > 0


def test_self_play_goes_on_from_its_state() -> None:
    """After any number of moves: the generator may keep half of a number for the next draw."""
    network = None
    for plies in (1, 2, 5, 9, 14):
        play, again = (self_play(TicTacToe(), games=3) for _ in range(2))
        network = network or drawn_network(play.encoder)
        play.play(network, plies)
        again.restore(play.state())
        for one, other in zip(play.play(network, 30)[0], again.play(network, 30)[0], strict=True):
            assert (one == other).all()


# ---- how the network is asked


def any_network(start: Position, settings: AlphaZeroSettings) -> tuple[Any, Any]:
    """Returns a network with other numbers than at first, and positions as it sees them."""
    import torch

    from agents.learning.alphazero.residual_network import Network
    from agents.networks.encoding import Encoder

    encoder = Encoder(start, settings.features)
    torch.manual_seed(0)
    network = Network(encoder, settings)
    with torch.no_grad():
        for name, tensor in network.state_dict().items():
            if name.endswith("running_var"):
                tensor.add_(torch.rand_like(tensor))
            elif tensor.is_floating_point():
                tensor.add_(torch.randn_like(tensor) / 10)
    return network, encoder.inputs(middle_games(start, 40))


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
@pytest.mark.parametrize("blocks", [0, 1, 3])
@pytest.mark.parametrize("start", [ConnectFour(), Hex(4), Othello(6)], ids=repr)
def test_fused_layers_say_the_same(start: Position, blocks: int, precision: str) -> None:
    import torch

    from agents.learning.alphazero.residual_network import BatchEvaluator, FusedNetwork, can_fuse

    if not can_fuse(getattr(torch, precision)):
        pytest.skip("this PyTorch cannot fuse layers here")
    settings = dataclasses.replace(FEW, width=24, blocks=blocks, precision=precision)
    network, inputs = any_network(start, settings)
    fused, plain = (BatchEvaluator(network, settings, way) for way in (True, False))
    assert isinstance(fused.network, FusedNetwork)
    assert not isinstance(plain.network, FusedNetwork)
    near = 1e-5 if precision == "float32" else 0.02
    expected = plain(inputs)
    for number in (1, 3, 40, 17, 16):  # of which 17 and 40 are filled up
        found = fused(inputs[:number])
        for ours, theirs in zip(found, expected, strict=True):
            assert ours.shape == theirs[:number].shape
            assert ours.dtype == theirs.dtype == np.float32
            most = float(np.abs(theirs).max())
            assert ours == pytest.approx(theirs[:number], rel=near, abs=near * most)
    assert np.ptp(found[0]) > 0.1  # they do not say nothing
    assert np.ptp(found[1]) > 0.001


def test_layers_are_fused_only_where_that_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not where PyTorch lacks the operators, nor where it has others."""
    import torch

    from agents.learning.alphazero import residual_network
    from agents.learning.alphazero.residual_network import BatchEvaluator, Convolution, FusedNetwork

    def fails(*_: Any) -> None:
        raise RuntimeError("not for such numbers")

    def lacks(*_: Any) -> None:
        raise AttributeError("no such operator")

    can_fuse = residual_network.can_fuse.__wrapped__
    before = torch.get_rng_state()
    usual = can_fuse(torch.float32)
    assert torch.equal(before, torch.get_rng_state())
    assert usual or not torch.backends.mkldnn.is_available()
    for broken in (fails, lacks, lambda *_: None):  # the last: nothing is added
        with monkeypatch.context() as patched:
            patched.setattr(Convolution, "add_to", broken)
            assert not can_fuse(torch.float32)
            patched.setattr(residual_network, "can_fuse", can_fuse)
            network, inputs = any_network(ConnectFour(), FEW)
            evaluator = BatchEvaluator(network, FEW)
            assert not isinstance(evaluator.network, FusedNetwork)
            assert np.isfinite(evaluator(inputs)[0]).all()


def test_negative_numbers_become_zero() -> None:
    import torch

    from agents.learning.alphazero.residual_network import rectified

    numbers = [0.0, -0.0, 1.5, -1.5, 1e-40, -1e-40, 3e38, -3e38, float("inf"), -float("inf")]
    for kind in (torch.float32, torch.bfloat16):
        given = torch.tensor(numbers, dtype=kind)
        assert torch.equal(rectified(given), torch.relu(given))


# ---- what networks see


LEARNABLE = [
    pytest.param(samples.small[0], id=name)
    for name, samples in SAMPLES.items()
    if samples.small[0].num_players == 2
    and samples.small[0].perfect_information
    and not samples.small[0].has_chance
]


@pytest.mark.parametrize("start", LEARNABLE)
def test_samples_are_seen_in_all_symmetries(start: Any) -> None:
    """As the images of the moves of a game lead to them, features and all."""
    from agents.networks.encoding import Encoder

    encoder, known = Encoder(start), knowledge_of(start).symmetries
    assert encoder.num_images == (known.num_images(start) if known else 1)
    rng = np.random.default_rng(1)
    for i in range(encoder.num_images):
        whole = known and (known.whole_image or known.image)
        position, other = start, whole(start, i) if whole else start
        for _ in range(12):
            if position.is_terminal():
                break
            legal = position.legal_actions()
            policy = np.zeros((1, start.num_actions), np.float32)
            policy[0, legal] = rng.dirichlet(np.ones(len(legal)))
            planes, targets = encoder.samples(packed([position]), np.array([i]), policy)
            assert (planes == encoder.inputs([other])).all()
            images = [known.image_action(position, a, i) if known else a for a in legal]
            assert sorted(images) == other.legal_actions()
            for action, there in zip(legal, images, strict=True):
                number = there
                if encoder.mirrored and other.to_move == 1 and there < other.height * other.width:
                    number = there % other.width * other.height + there // other.width
                assert targets[0, number] == policy[0, action]
            played = int(rng.integers(len(legal)))
            position, other = position.play(legal[played]), other.play(images[played])


@pytest.mark.parametrize(
    ("start", "network"),
    [
        (ConnectFour(), "conv"), (ConnectFour(), "dense"), (Hex(4), "conv"), (Hex(4), "dense"),
        (Othello(6), "conv"), (Kalah(), "dense"),
    ],
    ids=repr,
)  # fmt: skip
def test_the_saved_policy_is_the_network(start: Any, network: str, tmp_path: Path) -> None:
    """It sees the same, and says the same."""
    import torch

    from agents import make
    from agents.learning import AlphaZero
    from agents.learning.alphazero.residual_network import BatchEvaluator

    learner = AlphaZero(start, dataclasses.replace(FEW, network=network, width=8))
    with torch.no_grad():
        for parameter in learner.average.parameters():
            parameter.add_(torch.randn_like(parameter) / 4)
    learner.save(tmp_path / "policy.safetensors", {"note": 1})
    agent: Any = make(f"policy(path={str(tmp_path / 'policy.safetensors')!r})")
    positions = middle_games(start, 16)
    inputs = learner.encoder.inputs(positions)
    theirs = agent.checkpoint.inputs(positions)
    ours = np.moveaxis(inputs, -1, 1) if inputs.ndim == 4 else inputs
    assert (theirs == ours).all()
    logits, values = BatchEvaluator(learner.average, learner.settings)(inputs)
    priors, expected = agent.evaluate_batch(positions)
    assert values * start.max_utility == pytest.approx(expected, rel=1e-4, abs=1e-4)
    for row, prior, position in zip(logits, priors, positions, strict=True):
        legal = numbers = position.legal_actions()
        if learner.encoder.mirrored and position.to_move == 1:
            numbers = [a % position.width * position.height + a // position.width for a in legal]
        powers = np.exp(row[numbers] - row[numbers].max())
        assert prior[legal] == pytest.approx(powers / powers.sum(), abs=1e-4)


@pytest.mark.parametrize(
    ("network", "blocks", "width"),  # every pair of two of them
    [
        *(("conv", 1, 4), ("conv", 3, 7), ("conv", 1, 12)),
        *(("dense", 3, 4), ("dense", 1, 7), ("dense", 3, 12)),
    ],
)
def test_training_can_begin_with_a_policy(
    network: str, blocks: int, width: int, tmp_path: Path
) -> None:
    """New blocks and channels change nothing at first, and are learnt; fewer are refused."""
    import torch

    from agents.learning import AlphaZero
    from agents.networks.checkpoint import CheckpointError

    few = dataclasses.replace(FEW, network=network)
    first, path = AlphaZero(TicTacToe(), few), str(tmp_path / "policy.safetensors")
    for parameter in first.average.parameters():
        parameter.data.add_(torch.randn_like(parameter) / 4)
    first.save(path)
    more = dataclasses.replace(few, blocks=blocks, width=width)
    with AlphaZero(TicTacToe(), more, begin_with=path) as grown:
        inputs = torch.from_numpy(first.encoder.inputs(middle_games(TicTacToe(), 9)))
        inputs = inputs.permute(0, 3, 1, 2) if network == "conv" else inputs
        with torch.inference_mode():
            for old, new in zip(first.average(inputs), grown.average(inputs), strict=True):
                assert new.numpy() == pytest.approx(old.numpy(), abs=1e-4)
        added = list(grown.network.trunk.children())[-2].body[-1].weight
        assert (added == 0).all() == (blocks == 3)
        for _ in range(4):
            grown.iterate()
        assert not (added == 0).any()
        first_layer = grown.network.trunk[0 if network == "conv" else 1].weight
        assert len(np.unique(first_layer.detach().flatten(1), axis=0)) == width  # copies differ
    for changes, told in (
        ({"blocks": 0}, f"has blocks {few.blocks}, more than the 0 of the network: set blocks="),
        ({"width": 3}, "has width 4, more than the 3 of the network: set width=4"),
    ):
        with pytest.raises(CheckpointError, match=told):
            AlphaZero(TicTacToe(), dataclasses.replace(few, **changes), begin_with=path)


def test_the_learning_rate_falls_until_the_end() -> None:
    """By half a cosine, to its fraction, after a rise of 100 steps."""
    from agents.learning import AlphaZero

    settings = dataclasses.replace(
        FEW, games=32, learning_rate=0.1, final_learning_rate_fraction=0.2
    )
    with AlphaZero(TicTacToe(), settings) as learner:
        while not learner.steps:
            learner.iterate()
        assert learner.optimiser.param_groups[0]["lr"] == pytest.approx(0.001)
        learner.steps = 1000
        for done, expected in ((0.0, 0.1), (0.5, 0.06), (1.0, 0.02)):
            learner.iterate(done)
            assert learner.optimiser.param_groups[0]["lr"] == pytest.approx(expected)


def test_mixed_precision_learns_what_float32_does() -> None:
    """Weights stay in float32; losses after some iterations differ by rounding only."""
    import torch

    from agents.learning import AlphaZero

    losses = []
    for precision in ("float32", "bfloat16"):
        settings = dataclasses.replace(FEW, precision=precision, games=32, batch_size=64)
        with AlphaZero(TicTacToe(), settings) as learner:
            for _ in range(6):
                told = learner.iterate()
            assert all(each.dtype == torch.float32 for each in learner.network.parameters())
            losses.append([told["policy_loss"], told["value_loss"]])
    assert losses[0] != losses[1]
    assert losses[0] == pytest.approx(losses[1], rel=0.15)


# ---- settings


@given(st.sampled_from(sorted(RANGES)), st.data())
def test_settings_have_ranges(name: str, data: Any) -> None:
    low, high = RANGES[name]
    whole = str(AlphaZeroSettings.__dataclass_fields__[name].type).startswith("int")
    below = (
        st.integers(max_value=int(low) - 1) if whole else st.floats(max_value=low, exclude_max=True)
    )
    bad: Any = below | st.text() | st.booleans() | st.just(float("nan"))
    if high < float("inf"):
        bad |= st.floats(min_value=high, exclude_min=True)
    if whole:
        bad |= st.just(low + 0.5)
    value = data.draw(bad)
    with pytest.raises(ValueError, match=f"^{name} must be "):
        AlphaZeroSettings(**{name: value})
    least: dict[str, Any] = {name: int(low) if whole else low}
    assert getattr(AlphaZeroSettings(**least), name) == low


def test_settings_are_read_from_text() -> None:
    texts = ["width=12", "resign=0.9", "features = False", "learning-rate=1e-3", "method=alphazero"]
    assert AlphaZeroSettings.parse(texts) == {
        "width": 12, "resign": 0.9, "features": False, "learning_rate": 1e-3, "method": "alphazero",
    }  # fmt: skip
    texts = ["resign=none", "opening_plies=none", "device=cuda:0"]
    nones = {"resign": None, "opening_plies": None}
    assert AlphaZeroSettings.parse(texts) == {**nones, "device": "cuda:0"}
    for text in ("width", "depth=3"):
        with pytest.raises(ValueError, match=f"^{text}: needs NAME=VALUE; names: method, network"):
            AlphaZeroSettings.parse([text])
    kinds = {"width=1.5": "int", "features=1": "bool", "resign=x": "float | None"}
    for text, kind in kinds.items():
        told = f"{text}: {text.partition('=')[0]} is {kind}"
        with pytest.raises(ValueError, match=f"^{re.escape(told)}$"):
            AlphaZeroSettings.parse([text])


@pytest.mark.parametrize("name", ["method", "network", "precision"])
def test_settings_have_choices(name: str) -> None:
    other: dict[str, Any] = {name: "best"}
    with pytest.raises(ValueError, match=f"^{name} must be one of .*, not 'best'"):
        AlphaZeroSettings(**other)


@pytest.mark.parametrize(
    ("start", "reason"),
    [
        (Pig(), "without chance"),
        (Kuhn(), "see everything"),
        (RockPaperScissors(), "see everything"),
    ],
    ids=repr,
)
def test_games_that_cannot_be_learnt(start: Position, reason: str) -> None:
    with pytest.raises(ValueError, match=f"AlphaZero is for .*{reason}"):
        require_learnable(start)
