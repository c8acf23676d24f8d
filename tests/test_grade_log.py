"""Grades while learning: known shares, the same numbers by every callback, nothing disturbed."""

from __future__ import annotations

import json
import random
import runpy
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import adv_envs
from adv_envs import Kuhn, Pig, Position, TicTacToe
from adv_envs.random import derived_seed
from agents import match
from agents.grading import exact_for, grade, positions_for
from agents.learning import (
    ExploitabilityEvaluation,
    GradeLog,
    PeriodicEvaluation,
    PointsEvaluation,
    evaluation_for,
    evaluation_or_points,
    policy_function,
    torch_policy,
)
from agents.learning.policies import observations_of, probabilities_of

pytestmark = [pytest.mark.needs("learn"), pytest.mark.compiled]

START = TicTacToe()


@pytest.fixture(scope="module")
def evaluation() -> PeriodicEvaluation:
    """The share of right moves alone."""
    return PeriodicEvaluation(START, opponents=(), positions=60)


def perfect_table(evaluation: PeriodicEvaluation, mistakes: int = 0) -> Any:
    """A function of observations and masks that is right but for some of the first positions."""
    wanted = []
    for i, test in enumerate(evaluation.tests):
        wrong = next(action for action in test.move_values if action not in test.right)
        wanted.append(wrong if i < mistakes else test.right[0])
    seen = observations_of(START, [test.position for test in evaluation.tests])[0]
    table = {each.tobytes(): action for each, action in zip(seen, wanted, strict=True)}
    return lambda seen, masks: np.array([table[each.tobytes()] for each in seen])


def network() -> Any:
    """A small network with dropout and batch normalisation, in training."""
    import torch

    torch.manual_seed(1)
    layers = torch.nn.Flatten(), torch.nn.Linear(18, 32), torch.nn.BatchNorm1d(32)
    return torch.nn.Sequential(*layers, torch.nn.Dropout(), torch.nn.Linear(32, 9)).train()


# ---- known values


@pytest.mark.parametrize("mistakes", [0, 1, 7])
def test_planted_mistakes_are_counted_exactly(
    evaluation: PeriodicEvaluation, mistakes: int
) -> None:
    found = evaluation.evaluate(perfect_table(evaluation, mistakes))
    assert found.kept.value == 1 - mistakes / 60
    assert found["mistakes"] == pytest.approx(mistakes / 60)
    assert found.kept.low < found.kept.value <= found.kept.high
    assert sum(each.n for each in found.phases.values()) == found.kept.n == 60
    right = sum(each.n * each.value for each in found.phases.values())
    assert right == pytest.approx(60 - mistakes)


def test_random_moves_keep_their_known_share(evaluation: PeriodicEvaluation) -> None:
    expected = np.mean([len(t.right) / len(t.move_values) for t in evaluation.tests])
    rng, shares = np.random.default_rng(0), []
    for _ in range(200):
        found = evaluation.evaluate(lambda seen, masks: masks * rng.random(masks.shape))
        shares.append(found.kept.value)
    assert found.random == pytest.approx(expected)
    assert abs(np.mean(shares) - expected) < 4 * np.std(shares) / 200**0.5


def test_the_share_is_that_of_the_report_card() -> None:
    positions = positions_for(exact_for(START))
    spec = "alpha_beta(depth=1)"
    found = PeriodicEvaluation(START, (), positions=positions).evaluate(spec)
    card = grade(START, spec, games=0)
    assert found.kept == card.overall.kept
    assert found.random == card.overall.random.kept
    with pytest.raises(ValueError, match="these positions are of tic_tac_toe, not"):
        PeriodicEvaluation(adv_envs.ConnectFour(), (), positions=positions)


def test_a_policy_sees_what_the_environment_shows() -> None:
    env: Any = gymnasium.make(
        "adv_envs/ConnectFour-v0", opponent="random", seat="alternate", mask_in_observation=True
    )
    rng = random.Random(3)
    for seed in range(3):
        shown, over = env.reset(seed=seed)[0], False
        while not over:
            position = env.unwrapped.position
            seen, masks = observations_of(adv_envs.ConnectFour(), [position])
            assert seen.dtype == shown["observation"].dtype
            assert np.array_equal(seen[0], shown["observation"])
            assert np.array_equal(masks[0], shown["action_mask"] == 1)
            shown, _, over, _, _ = env.step(rng.choice(position.legal_actions()))


def test_other_games_are_graded_by_their_report_cards() -> None:
    pig = evaluation_for(Pig(), opponents=(), positions=10)
    assert isinstance(pig, PeriodicEvaluation)
    assert pig.evaluate("perfect")["mistakes"] == 0
    kuhn = evaluation_for(Kuhn())
    assert isinstance(kuhn, ExploitabilityEvaluation)
    assert kuhn.evaluate(lambda seen, masks: masks)["exploitability"] == pytest.approx(11 / 24)
    with pytest.raises(TypeError, match="grade_hidden"):
        kuhn.evaluate("random")
    for game, advice in ("go", "graded on 2 x 2"), ("goofspiel", "ask for a smaller game"):
        with pytest.raises(ValueError, match=advice):
            evaluation_for(adv_envs.start_position(game))


@pytest.mark.parametrize("name", ["amazons", "breakthrough", "domineering", "go", "gomoku", "hex"])
def test_games_whose_values_are_not_known_have_points_alone(name: str) -> None:
    """It takes a moment to say so, and opponents are as deep as takes moments."""
    start = adv_envs.start_position(name)
    found = evaluation_or_points(start)
    assert type(found) is PointsEvaluation
    assert found.reason
    assert list(found.opponents)[:2] == ["random", next(s for s in found.opponents if "=1" in s)]
    assert len(found.opponents) <= (5 if name == "breakthrough" else 4)
    assert type(evaluation_or_points(START)) is PeriodicEvaluation


def test_a_fault_is_not_taken_for_a_game_whose_values_are_not_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(self: PeriodicEvaluation, *_: object) -> None:
        raise ValueError("a fault")

    monkeypatch.setattr(PeriodicEvaluation, "_tests", broken)
    with pytest.raises(ValueError, match="a fault"):
        evaluation_or_points(START)


def test_points_are_those_of_the_games(tmp_path: Path) -> None:
    evaluation = PointsEvaluation(START, ["random", "perfect"], pairs=6)
    assert len(evaluation.openings) == 6
    for agent in "perfect", "random":
        again = [evaluation.evaluate(agent) for _ in range(2)]
        assert again[0] == again[1]
    found = evaluation.evaluate("perfect")
    assert list(found) == ["vs random", "vs perfect"]
    points = {}
    for opponent in "random", "perfect":
        games = [
            match(opening, "perfect", opponent, pairs=1, seed=derived_seed(0, "match", number))
            for number, opening in enumerate(evaluation.openings)
        ]
        points[f"vs {opponent}"] = sum(each.total.points for each in games) / 12
    assert dict(found) == pytest.approx(points)
    log = GradeLog(tmp_path, evaluation, 5)
    for step in 0, 5:
        log("perfect", step)
    assert [line["vs perfect"] for line in read(tmp_path)] == [points["vs perfect"]] * 2
    assert read(tmp_path)[0]["intervals"]["vs random"]["n"] == 6
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")


# ---- any policy


def test_every_form_of_a_policy_has_the_same_grade(evaluation: PeriodicEvaluation) -> None:
    import torch

    net = network()

    def one_by_one(position: Position) -> int:
        seen, masks = observations_of(START, [position])
        with torch.no_grad():
            logits = net.eval()(torch.from_numpy(seen).float())[0]
        return int(logits.masked_fill(~torch.from_numpy(masks[0]), -torch.inf).argmax())

    expected = evaluation.evaluate(one_by_one)
    flat, channels = torch_policy(net, (18,)), torch_policy(ChannelsFirst.of(net), (2, 3, 3))
    for policy in net, flat, channels, torch_policy(net, greedy=True), Masked.of(net):
        assert evaluation.evaluate(policy) == expected


class ChannelsFirst:
    """Makes modules that see channels first, or a mask."""

    @staticmethod
    def of(net: Any) -> Any:
        import torch

        class Module(torch.nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.net = net

            def forward(self, seen: Any) -> Any:
                return self.net(seen.permute(0, 2, 3, 1).contiguous())

        return Module()


class Masked:
    """Makes modules that are given the mask, and return a value as well."""

    @staticmethod
    def of(net: Any) -> Any:
        import torch

        class Module(torch.nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.net = net

            def forward(self, seen: Any, mask: Any) -> Any:
                return self.net(seen).masked_fill(~mask, -torch.inf), mask.sum(1)

        return Module()


def test_policies_that_are_wrong_are_told_what_is_right(evaluation: PeriodicEvaluation) -> None:
    seen, masks = evaluation._batch
    for policy, message in (
        (lambda seen, masks: np.zeros(len(seen), int) + 9, "answers with 9, where"),
        (lambda seen, masks: np.zeros((len(seen), 3)), "not \\(60, 3\\)"),
        (lambda seen, masks: -1.0 * masks, "take the softmax"),
        (lambda seen, masks: ~masks, "no probability to any legal action"),
    ):
        with pytest.raises(ValueError, match=message):
            probabilities_of(policy, seen, masks)
    with pytest.raises(TypeError, match="a policy is an agent or its spec"):
        policy_function(3)
    with pytest.raises(RuntimeError, match="IllegalAction: 77"):
        evaluation.evaluate(lambda position: 77)
    with pytest.raises(ValueError, match="flat or with channels first"):
        evaluation.evaluate(torch_policy(network(), (4, 4)))


# ---- nothing is disturbed


def test_grading_leaves_random_numbers_and_modes_as_they_were() -> None:
    import torch

    net = network()
    net[1].eval()  # one part is not trained
    graded = PeriodicEvaluation(START, ["random"], pairs=2, positions=10)

    def noisy(seen: Any, masks: Any) -> Any:
        torch.rand(3), np.random.random(), random.random()  # noqa: NPY002 - as libraries do
        return masks

    def draw() -> list[float]:
        return [float(torch.rand(1)), np.random.random(), random.random()]  # noqa: NPY002

    for policy in noisy, net:
        torch.manual_seed(4), np.random.seed(4), random.seed(4)  # noqa: NPY002
        expected = draw()
        torch.manual_seed(4), np.random.seed(4), random.seed(4)  # noqa: NPY002
        before = {name: each.clone() for name, each in net.state_dict().items()}
        graded.evaluate(policy)
        assert draw() == expected
        assert all(torch.equal(each, before[name]) for name, each in net.state_dict().items())
        assert [each.training for each in net] == [True, False, True, True, True]
        assert torch.is_grad_enabled()
        assert all(each.grad is None for each in net.parameters())


# ---- the log


def read(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


def train(
    folder: Path, evaluation: PeriodicEvaluation, steps: range, **options: Any
) -> list[dict[str, Any]]:
    """A training that unlearns mistakes, one in ten steps."""
    log = GradeLog(folder, evaluation, 20, draw=False, **options)
    for step in steps:
        log(perfect_table(evaluation, max(0, 10 - step // 10)), step)
    log.close()
    return [{k: v for k, v in line.items() if k != "seconds"} for line in read(folder)]


def test_the_log_goes_on_where_a_training_was_killed(
    tmp_path: Path, evaluation: PeriodicEvaluation
) -> None:
    whole = train(tmp_path / "whole", evaluation, range(0, 81, 10))
    assert [line["steps"] for line in whole] == [0, 20, 40, 60, 80]
    assert [round(60 * line["mistakes"]) for line in whole] == [10, 8, 6, 4, 2]
    train(tmp_path / "killed", evaluation, range(0, 61, 10))
    with (tmp_path / "killed" / "log.jsonl").open("a") as file:
        file.write('{"steps": 7')  # torn
    with pytest.raises(FileExistsError, match="resume=True"):
        train(tmp_path / "killed", evaluation, range(50, 81, 10))
    again = train(tmp_path / "killed", evaluation, range(50, 81, 10), resume=True)
    assert again == whole  # what was graded at 60 is graded anew
    seconds = [line["seconds"] for line in read(tmp_path / "killed")]
    assert seconds == sorted(seconds)


def test_tensorboard_and_the_curve_have_the_same_numbers(
    tmp_path: Path, evaluation: PeriodicEvaluation
) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    told: list[tuple[int, float]] = []
    log = GradeLog(
        tmp_path,
        evaluation,
        5,
        tensorboard=True,
        on_grade=lambda scalars, step: told.append((step, scalars["grade/kept"])),
    )
    for step in 0, 3, 5, 7:
        log(perfect_table(evaluation, step), step, last=step == 7)
    log.close()
    events = EventAccumulator(str(tmp_path)).Reload()
    lines = read(tmp_path)
    assert [line["steps"] for line in lines] == [0, 5, 7]
    for name, end in ("kept", "value"), ("kept_low", "low"), ("kept_high", "high"):
        found = [(event.step, event.value) for event in events.Scalars(f"grade/{name}")]
        expected = [(line["steps"], line["intervals"]["kept"][end]) for line in lines]
        assert found == [(step, pytest.approx(value)) for step, value in expected]
    assert told == [(line["steps"], line["intervals"]["kept"]["value"]) for line in lines]
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")


def test_the_band_of_the_curve_is_the_interval(
    tmp_path: Path, evaluation: PeriodicEvaluation, monkeypatch: pytest.MonkeyPatch
) -> None:
    from matplotlib import pyplot

    figures: list[Any] = []
    close = pyplot.close
    monkeypatch.setattr(pyplot, "close", figures.append)
    log = GradeLog(tmp_path, evaluation, 1)
    for step in range(3):
        log(perfect_table(evaluation, 9 - 3 * step), step)
    (axis,) = figures[-1].axes
    corners = axis.collections[0].get_paths()[0].vertices
    for line in log.lines:
        kept, step = line["intervals"]["kept"], line["steps"]
        heights = corners[corners[:, 0] == step, 1]
        assert min(heights) == pytest.approx(1 - kept["high"])
        assert max(heights) == pytest.approx(1 - kept["low"])
    assert axis.get_xlabel() == "steps of training"
    for each in figures:
        close(each)


# ---- callbacks of libraries


def numbers(grades: GradeLog) -> list[tuple[int, float]]:
    assert grades.lines == read(grades.folder)
    return [(line["steps"], line["mistakes"]) for line in grades.lines]


@pytest.mark.needs("sb3")
def test_sb3(
    tmp_path: Path, evaluation: PeriodicEvaluation, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3 import DQN

    from agents.learning import SB3GradingCallback

    torch.set_num_threads(1)
    monkeypatch.setenv("SB3_LOGDIR", str(tmp_path / "logs"))  # else each `learn` leaves a folder

    def model() -> Any:
        env = gymnasium.make("adv_envs/TicTacToe-v0", opponent="random")
        return MaskablePPO(
            "MlpPolicy", env, n_steps=64, batch_size=32, n_epochs=1, seed=1, device="cpu"
        )

    alone = model().learn(256)
    callback = SB3GradingCallback(tmp_path, evaluation, 100, draw=False)
    graded = model().learn(256, callback=callback)
    assert [steps for steps, _ in numbers(callback.grades)] == [0, 128, 256]
    assert numbers(callback.grades)[-1][1] == evaluation.evaluate(graded)["mistakes"]
    weights = zip(graded.policy.parameters(), alone.policy.parameters(), strict=True)
    assert all(torch.equal(mine, other) for mine, other in weights)  # it learnt the same
    graded.learn(128, callback=callback, reset_num_timesteps=False)
    assert [steps for steps, _ in numbers(callback.grades)] == [0, 128, 256, 384]

    def predicted(position: Position) -> int:
        seen, masks = observations_of(START, [position])
        return int(graded.predict(seen, action_masks=masks, deterministic=True)[0][0])

    assert evaluation.evaluate(predicted) == evaluation.evaluate(graded)
    env = gymnasium.make("adv_envs/TicTacToe-v0", opponent="random")
    dqn = DQN("MlpPolicy", gymnasium.wrappers.FlattenObservation(env), seed=1, device="cpu")
    assert 0 < evaluation.evaluate(dqn)["mistakes"] < 1  # heeds masks, though DQN has none


@pytest.mark.needs("tianshou")
def test_tianshou(tmp_path: Path, evaluation: PeriodicEvaluation) -> None:
    from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
    from tianshou.data import Batch
    from tianshou.env import PettingZooEnv
    from tianshou.utils.net.common import Net

    from agents.learning import TianshouGradingCallback

    env = PettingZooEnv(adv_envs.env("tic_tac_toe"))
    net = Net(state_shape=(3, 3, 2), action_shape=9, hidden_sizes=[32])
    policy = DiscreteQLearningPolicy(model=net, action_space=env.action_space)
    written: list[Any] = []

    class Logger:
        def write(self, kind: str, step: int, data: dict[str, float]) -> None:
            written.append((step, data["grade/kept"]))

    called: list[int] = []
    callback = TianshouGradingCallback(
        tmp_path, evaluation, 40, policy, Logger(), lambda epoch, step: called.append(step),
        draw=False,
    )  # fmt: skip
    for step in 0, 20, 40, 60:  # as the trainer does
        callback(1, step)
    callback.finish(70)
    assert called == [0, 20, 40, 60]
    assert [steps for steps, _ in numbers(callback.grades)] == [0, 40, 70]
    assert [step for step, _ in written] == [0, 40, 70]

    def played(position: Position) -> int:
        seen, masks = observations_of(START, [position])
        return int(policy(Batch(obs=Batch(obs=seen, mask=masks), info=Batch())).act[0])

    expected = evaluation.evaluate(played)["mistakes"]
    assert numbers(callback.grades)[-1][1] == expected
    assert 1 - written[-1][1] == pytest.approx(expected)


@pytest.mark.needs("torchrl")
def test_torchrl(tmp_path: Path, evaluation: PeriodicEvaluation) -> None:
    from tensordict.nn import TensorDictModule
    from torchrl.modules import MaskedCategorical, ProbabilisticActor

    from agents.learning import TorchRLGradingHook, torchrl_policy

    net = network()
    net.insert(0, Float.module())
    actor = ProbabilisticActor(
        TensorDictModule(net, ["observation"], ["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        out_keys=["action"],
        distribution_class=MaskedCategorical,
    )
    hook = TorchRLGradingHook(tmp_path, evaluation, 40, actor, draw=False)
    hook.register(trainer := Trainer())  # type: ignore[arg-type] # all of it that hooks meet
    for frames in 0, 20, 40, 60:
        trainer.collected_frames = frames
        trainer.ops["setup" if frames == 0 else "post_steps"]()
    trainer.ops["shutdown"]()
    assert [steps for steps, _ in numbers(hook.grades)] == [0, 40, 60]
    assert [step for name, _, step in trainer.logged if name == "grade/kept"] == [0, 40, 60]
    expected = evaluation.evaluate(torch_policy(net))
    assert numbers(hook.grades)[-1][1] == expected["mistakes"]
    assert evaluation.evaluate(torchrl_policy(actor)) == expected


@pytest.mark.needs("rllib")
@pytest.mark.filterwarnings("default")  # Ray warns, and leaves sockets to the collector
def test_rllib(tmp_path: Path, evaluation: PeriodicEvaluation) -> None:
    """In the training of the example, with small batches."""
    import ray

    from agents.learning import RLlibGradingCallback, rllib_policy

    example = runpy.run_path(str(Path(__file__).parents[1] / "examples" / "rllib" / "train.py"))

    def callback(**options: Any) -> Any:
        observe = example["FORM"]
        return RLlibGradingCallback(tmp_path, evaluation, 80, observe, draw=False, **options)

    made: list[Any] = []
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, logging_level="error")
    try:
        config = example["config_of"](lambda: made.append(callback()) or made[-1], 0, batch=64)
        algorithm = config.build_algo()
        results = [algorithm.train() for _ in range(2)]
        lines = read(tmp_path)
        steps = [result["num_env_steps_sampled_lifetime"] for result in results]
        assert [line["steps"] for line in lines] == [0, steps[1]]
        assert ["grade" in result for result in results] == [False, True]
        module = algorithm.get_module("default_policy")
        expected = evaluation.evaluate(rllib_policy(module, example["FORM"]))
        assert results[1]["grade"] == dict(expected)
        assert lines[-1]["mistakes"] == expected["mistakes"]
        callback(resume=True).on_algorithm_init(algorithm=algorithm)  # it goes on: no grade at 0
        assert read(tmp_path) == lines
        algorithm.stop()
    finally:
        ray.shutdown()


class Float:
    """Makes a module that turns the board into floats."""

    @staticmethod
    def module() -> Any:
        import torch

        class Module(torch.nn.Module):
            def forward(self, seen: Any) -> Any:
                return seen.float()

        return Module()


class Trainer:
    """What hooks see of a trainer of TorchRL."""

    def __init__(self) -> None:
        self.ops: dict[str, Any] = {}
        self.logged: list[tuple[str, float, int]] = []
        self.collected_frames, self.logger = 0, self

    def register_module(self, name: str, module: Any) -> None:
        assert module.state_dict() == {}

    def register_op(self, where: str, op: Any) -> None:
        self.ops[where] = op

    def log_scalar(self, name: str, value: float, step: int) -> None:
        self.logged.append((name, value, step))
