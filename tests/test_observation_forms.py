"""How observations and masks are given: the same options in every environment."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import adv_envs
from adv_envs import Backgammon, ConnectFour, Kuhn, Pig, Position
from adv_envs.batch.vector import BatchVectorEnv
from adv_envs.envs.gym import GymEnv
from adv_envs.envs.observation import ObservationForm

pytestmark = pytest.mark.plain

FORMS: list[dict[str, Any]] = [
    {"mask_dtype": "bool"},
    {"mask_dtype": np.float32, "dtype": np.float32, "keys": {"observation": "observations"}},
    {"channels_first": True, "keys": {"action_mask": "legal", "observation": "obs"}},
    {"flatten": True, "channels_first": True, "dtype": "int32"},
    {"flatten": True},
]


def formed(form: dict[str, Any], seen: Any) -> dict[str, Any]:
    """What one sees in a form, said once more."""
    planes, keys = seen["observation"], {"observation": "observation", "action_mask": "action_mask"}
    if form.get("channels_first") and planes.ndim == 3:
        planes = planes.transpose(2, 0, 1)
    if form.get("flatten"):
        planes = planes.ravel()
    keys |= form.get("keys", {})
    return {
        keys["observation"]: planes.astype(form.get("dtype") or planes.dtype),
        keys["action_mask"]: seen["action_mask"].astype(form.get("mask_dtype") or np.int8),
    }


def equal(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert set(one) == set(other)
    for key, array in one.items():
        assert (array.shape, array.dtype) == (other[key].shape, other[key].dtype)
        assert np.array_equal(array, other[key])


@pytest.mark.parametrize("form", FORMS, ids=str)
@pytest.mark.parametrize("start", [ConnectFour(), Kuhn(), Pig(), Backgammon()], ids=type)
def test_all_environments_give_the_form(start: Position, form: dict[str, Any]) -> None:
    aec, plain = adv_envs.env(start, **form), adv_envs.env(start)
    same = {"opponent": "random", "seat": 0, "mask_in_observation": True}
    ours: list[Any] = [GymEnv(start, **same, **form), GymEnv(start, **same)]
    batches: list[Any] = [BatchVectorEnv(2, start, **same, **each) for each in (form, {})]
    for seed in range(3):
        aec.reset(seed)
        plain.reset(seed)
        for _ in range(5):
            for agent in aec.possible_agents:
                equal(aec.observe(agent), formed(form, plain.observe(agent)))
                assert aec.observation_space(agent).contains(aec.observe(agent))
            if aec.terminations[aec.agent_selection]:
                break
            action = aec.whole_position.legal_actions()[0]
            aec.step(action)
            plain.step(action)
        assert aec.state_space.contains(aec.state())
        (seen, info), (expected, told) = (env.reset(seed=seed) for env in ours)
        equal(seen, formed(form, expected))
        assert info["action_mask"].dtype == form.get("mask_dtype", np.int8)
        assert np.array_equal(info["action_mask"], told["action_mask"])
        assert ours[0].observation_space.contains(seen)
        assert ours[0].observation_space == batches[0].single_observation_space
        here = ours[0].whole_position
        equal(ours[0].observe(here), formed(form, ours[1].observe(here)))
        both = [batch.reset(seed=seed)[0] for batch in batches]
        rows = [{key: array[1] for key, array in seen.items()} for seen in both]
        equal(rows[0], formed(form, rows[1]))
        assert both[0] in batches[0].observation_space
        rows = [{k: a[0] for k, a in batch.observe([here]).items()} for batch in batches]
        equal(rows[0], formed(form, rows[1]))
        assert batches[0].action_masks().dtype == bool


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_gymnasiums_laws(form: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*spec")
        check_env(GymEnv("tic_tac_toe", mask_in_observation=True, **form), skip_render_check=True)


def test_a_form_of_many() -> None:
    form = ObservationForm(flatten=True, mask_dtype="bool", keys={"observation": "obs"})
    seen = form(np.ones((4, 2, 3, 5), np.int8), np.ones((4, 7), np.int8))
    assert {key: (array.shape, str(array.dtype)) for key, array in seen.items()} == {
        "obs": ((4, 30), "int8"),
        "action_mask": ((4, 7), "bool"),
    }


def makers() -> list[Any]:
    return [
        lambda **form: adv_envs.env("backgammon", **form),
        lambda **form: adv_envs.raw_env("backgammon", **form),
        lambda **form: GymEnv("backgammon", mask_in_observation=True, **form),
        lambda **form: BatchVectorEnv(1, "backgammon", mask_in_observation=True, **form),
    ]


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize(
    ("form", "error", "says"),
    [
        ({"mask_dtype": "complex64"}, ValueError, "masks can be of dtype bool, .*, not complex64"),
        ({"mask_dtype": "boolean"}, TypeError, "boolean"),
        ({"dtype": "bool"}, ValueError, "do not fit into bool"),
        ({"dtype": "float16"}, ValueError, "observations can be of dtype"),
        ({"keys": ["observations"]}, TypeError, "keys must be a dict"),
        ({"keys": {"obs": "observations"}}, ValueError, "keys rename observation and action_mask"),
        ({"keys": {"observation": "action_mask"}}, ValueError, "two different names"),
        ({"keys": {"observation": 3}}, ValueError, "two different names"),
    ],
)
def test_what_is_no_form(number: int, form: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        makers()[number](**form)


def test_keys_need_dicts() -> None:
    for make in (GymEnv, lambda *args, **form: BatchVectorEnv(1, *args, **form)):
        with pytest.raises(ValueError, match="mask_in_observation=True"):
            make("tic_tac_toe", keys={"observation": "observations"})


# ---- as libraries take them, without a line of glue


@pytest.mark.needs("torchrl")
def test_torchrl_takes_masks_as_they_are() -> None:
    import torch
    from torchrl.envs import GymEnv as TorchGymEnv
    from torchrl.envs import GymWrapper, TransformedEnv
    from torchrl.envs.transforms import ActionMask

    how = {"mask_in_observation": True, "mask_dtype": "bool"}
    single = gymnasium.make("adv_envs/TicTacToe-v0", **how)
    for env in (GymWrapper(single), TorchGymEnv("adv_envs/TicTacToe-v0", **how)):
        masked = TransformedEnv(env, ActionMask())
        masked.set_seed(1)
        game = masked.rollout(9)
        assert game["action_mask"].dtype == torch.bool
        chosen = game["action"].argmax(-1) if game["action"].ndim > 1 else game["action"]
        assert game["action_mask"].gather(-1, chosen[:, None]).all(), "an illegal action was drawn"


@pytest.mark.needs("torchrl")
def test_torchrl_takes_players_in_any_form() -> None:
    from torchrl.envs.libs.pettingzoo import PettingZooWrapper

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PettingZoo in TorchRL is tested using")
        aec = adv_envs.env("tic_tac_toe", mask_dtype="bool", dtype="float32", flatten=True)
        env = PettingZooWrapper(aec, use_mask=True, group_map={"players": aec.possible_agents})
    game = env.rollout(9)["players"]
    boards = game["observation", "observation"]
    assert (boards.shape[-1], str(boards.dtype)) == (18, "torch.float32")
    assert str(game["action_mask"].dtype) == "torch.bool"
