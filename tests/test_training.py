"""The examples that train: each runs, and what they claim of the libraries they use is true.

A toy-scale learning test must beat a threshold that a learner with a flipped sign cannot reach.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import adv_envs
from adv_envs import TicTacToe
from adv_envs.jit import disabled
from agents import make, match

EXAMPLES = Path(__file__).parent.parent / "examples"
SAME_STEP = gymnasium.vector.AutoresetMode.SAME_STEP

# Compiled or not makes no difference to the libraries; once is enough of what is slow to load.
once = pytest.mark.skipif(disabled(), reason="the libraries are tested beside compiled games")


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Imports an example; skips the test where its library is not installed."""

    def load(name: str, *libraries: str) -> Any:
        for library in libraries:
            pytest.importorskip(
                library, reason=f'{library} is needed: pip install "adv-envs[test]"'
            )
        monkeypatch.syspath_prepend(str(EXAMPLES))
        monkeypatch.delitem(sys.modules, name, raising=False)
        module = importlib.import_module(name)
        monkeypatch.setattr(module, "PAIRS", 2)
        return module

    return load


def printed(module: Any, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What an example prints; it must grade itself before and after."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [module.__name__, *arguments])
        module.main()
    output = capsys.readouterr().out
    for title in ("before", "after"):
        for opponent in ("random", "alpha_beta(depth=2)"):
            assert f"{title}, against {opponent}: first +" in output
    return output


# ---- tabular


def test_q_learning_never_loses(example: Any) -> None:
    q_learning = example("train_q_learning")
    table = q_learning.learn(steps=100_000, seed=3)
    assert [q_learning.worst(table, TicTacToe(), seat) for seat in (0, 1)] == [0, 0]


def test_q_learning_with_flipped_rewards_loses(
    example: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    q_learning = example("train_q_learning")
    true = TicTacToe.utility
    monkeypatch.setattr(TicTacToe, "utility", lambda position, player: -true(position, player))
    table = q_learning.learn(steps=20_000, seed=3)
    monkeypatch.undo()
    assert [q_learning.worst(table, TicTacToe(), seat) for seat in (0, 1)] == [-1, -1]
    assert match(TicTacToe(), table, make("random"), pairs=50).total.points < 50


def test_q_learning_prints_its_grades(example: Any, capsys: Any) -> None:
    output = printed(example("train_q_learning"), capsys, "--steps", "1000")
    assert "steps/s" in output
    assert "over all replies: can be beaten" in output


# ---- PPO in one file


def learned(ppo: Any, sign: int) -> float:
    """The share of points against random moves after three seconds of learning tic-tac-toe."""
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(0)
    envs: Any = gymnasium.make_vec(
        "adv_envs/TicTacToe-v0",
        num_envs=16,
        vectorization_mode="vector_entry_point",
        opponent="random",
        autoreset_mode=SAME_STEP,
    )
    if sign < 0:
        envs = gymnasium.wrappers.vector.TransformReward(envs, np.negative)
    start = TicTacToe()
    network = ppo.Network(18, 9)
    ppo.learn(network, envs, steps=16_000)
    total = match(start, ppo.Player(network, start), make("random"), pairs=100).total
    return total.points / total.games


@once
def test_ppo_learns(example: Any) -> None:
    ppo = example("train_ppo", "torch", "tqdm")
    assert learned(ppo, 1) > 0.7


@once
def test_ppo_with_flipped_rewards_does_not(example: Any) -> None:
    ppo = example("train_ppo", "torch", "tqdm")
    assert learned(ppo, -1) < 0.3


@once
def test_ppo_prints_its_grades(example: Any, capsys: Any) -> None:
    ppo = example("train_ppo", "torch", "tqdm")
    printed(ppo, capsys, "--game", "tic_tac_toe", "--steps", "1000", "--envs", "8")


# ---- Stable-Baselines3


@once
def test_sb3(example: Any, capsys: Any) -> None:
    sb3 = example("train_sb3", "torch", "sb3_contrib")
    printed(sb3, capsys, "--steps", "2048")


@once
def test_sb3_keeps_masks_through_wrappers(example: Any) -> None:
    sb3 = example("train_sb3", "torch", "sb3_contrib")
    from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

    for vector in (False, True):
        envs = sb3.environments(vector, 4, 0)
        assert is_masking_supported(envs)
        seen = envs.reset()
        rng, ends = np.random.default_rng(0), []
        for _ in range(200):
            masks = get_action_masks(envs)
            full = seen.reshape(4, 6, 7, 2).sum((1, 3)) == 6
            assert (masks == ~full).all()
            seen, rewards, over, infos = envs.step([rng.choice(m.nonzero()[0]) for m in masks])
            for i in over.nonzero()[0]:
                assert infos[i]["terminal_observation"].sum() > seen[i].sum()
                assert infos[i]["episode"]["r"] == rewards[i]
                ends.append(rewards[i])
        assert {-1, 1} <= set(ends)  # the loser sees its loss


@once
def test_sb3_vector_env_wants_games_reset_in_the_same_step(example: Any) -> None:
    example("train_sb3", "torch", "sb3_contrib")
    from adv_envs.sb3 import VectorEnvForSB3

    envs = gymnasium.make_vec("adv_envs/ConnectFour-v0", 2, vectorization_mode="sync")
    with pytest.raises(
        ValueError, match=r"autoreset_mode=gymnasium\.vector\.AutoresetMode\.SAME_STEP"
    ):
        VectorEnvForSB3(envs)


@once
def test_sb3_vector_env_says_what_it_cannot(example: Any) -> None:
    sb3 = example("train_sb3", "torch", "sb3_contrib")
    envs = sb3.environments(True, 2, 0).venv
    with pytest.raises(RuntimeError, match="reset"):
        envs.action_masks()
    with pytest.raises(AttributeError, match="played together"):
        envs.set_attr("opponent", "random")
    with pytest.raises(AttributeError, match="no method 'set_opponent'"):
        envs.env_method("set_opponent", "random")
    envs.seed(5)
    first = envs.reset()
    envs.step(np.zeros(2, int))
    envs.seed(5)
    assert (envs.reset() == first).all()
    envs.close()


# ---- Tianshou


def returns(tianshou: Any, steps_ahead: int) -> list[float]:
    """What a network that knows nothing is told each move of a game was worth, by DQN."""
    import torch
    from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
    from tianshou.data import Batch, ReplayBuffer

    dqn = tianshou.learner(steps_ahead)
    with torch.no_grad():
        for each in [*dqn.policy.parameters(), *dqn.model_old.parameters()]:
            each.zero_()
    env = tianshou.environment()
    both = MultiAgentOffPolicyAlgorithm(algorithms=[dqn, dqn], env=env)
    buffer = ReplayBuffer(10)
    seen, _ = env.reset()
    for action in [0, 3, 1, 4, 2]:  # the first player wins
        after, rewards, over, truncated, _ = env.step(action)
        line = {"obs": seen, "act": action, "rew": np.array(rewards), "obs_next": after}
        buffer.add(Batch(**line, terminated=over, truncated=truncated, info={}))
        seen = after
    told: dict[int, float] = {}
    indices = np.arange(5)
    batch = both._preprocess_batch(buffer[indices], buffer, indices)
    for offset, player in enumerate(["player_0", "player_1"]):
        told |= dict(zip(indices[offset::2], batch[player].returns.flatten().tolist(), strict=True))
    return [told[i] for i in range(5)]


@once
def test_tianshou_tells_the_loser(example: Any) -> None:
    tianshou = example("train_tianshou", "torch", "tianshou")
    assert returns(tianshou, tianshou.STEPS_AHEAD) == [0, 0, 0, -1, 1]
    assert returns(tianshou, 1) == [0, 0, 0, 0, 1]  # what the example warns of


@once
def test_tianshou(example: Any, capsys: Any) -> None:
    tianshou = example("train_tianshou", "torch", "tianshou")
    printed(tianshou, capsys, "--steps", "320")


@once
def test_tianshou_heeds_masks(example: Any) -> None:
    tianshou = example("train_tianshou", "torch", "tianshou")
    player = tianshou.Player(tianshou.learner().policy, TicTacToe())
    position = adv_envs.TicTacToe()
    while not position.is_terminal():
        action = player.act(position)
        assert position.legal(action)
        position = position.play(action)


# ---- TorchRL


@once
def test_torchrl_sees_what_players_see(example: Any) -> None:
    torchrl = example("train_torchrl", "torch", "torchrl")
    import torch

    torch.manual_seed(0)
    env = torchrl.environment()
    for _ in range(3):
        game = env.rollout(10)
        players, after = game["players"], game["next", "players"]
        moves = len(game)
        assert players["mask"].tolist() == [[t % 2 == 0, t % 2 == 1] for t in range(moves)]
        stones = players["observation", "observation"].sum((-1, -2, -3))
        assert stones.tolist() == [[t, t] for t in range(moves)]
        mover = players["mask"]
        free = 9 - torch.arange(moves)
        assert (players["action_mask"][mover].sum(-1) == free).all()
        assert after["reward"][:-1].eq(0).all()
        assert sorted(after["reward"][-1].flatten().tolist()) in ([-1, 1], [0, 0])
        assert game["next", "done"].flatten().tolist() == [False] * (moves - 1) + [True]


@once
def test_torchrl(example: Any, capsys: Any) -> None:
    torchrl = example("train_torchrl", "torch", "torchrl")
    torchrl.GAMES = 4
    printed(torchrl, capsys, "--steps", "50")
