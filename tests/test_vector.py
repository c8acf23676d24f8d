"""Batches as Gymnasium vector environments: its protocol, and equality with its own."""

import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import HumanRendering, RecordEpisodeStatistics

from adv_envs import ConnectFour, TicTacToe
from adv_envs.bits import unpack
from adv_envs.envs.gym import GymEnv
from adv_envs.jit import disabled
from agents import Greedy, Random
from agents.games.connect_four import evaluations as connect_four

compiles_long = [] if disabled() else [pytest.mark.slow]  # seconds for each game: not in CI

NEARLY = ConnectFour().after("112233")
"""Column 4 wins."""

LAST_CELL = ConnectFour().after("55575345172625621631111624342446243373777")
"""One cell is left, and player 1, who takes it, wins."""


def make(num_envs: int = 4, game: str = "ConnectFour", **settings: Any) -> Any:
    return gymnasium.make_vec(
        f"adv_envs/{game}-v0",
        num_envs=num_envs,
        vectorization_mode="vector_entry_point",
        **{"threads": 1, "opponent": "self", **settings},
    )


def sample(env: Any, infos: dict[str, Any]) -> Any:
    return env.action_space.sample(mask=tuple(infos["action_mask"]))


@pytest.mark.parametrize("opponent", ["self", "random"])
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_the_protocol(mode: AutoresetMode, opponent: str) -> None:
    env = make(3, autoreset_mode=mode, opponent=opponent)
    assert env.metadata["autoreset_mode"] is mode
    assert env.unwrapped.spec.id == "adv_envs/ConnectFour-v0"
    assert env.observation_space.shape == (3, 6, 7, 2)
    observations, infos = env.reset(seed=1)
    env.action_space.seed(1)
    over = np.zeros(3, np.bool_)
    ended = 0
    for _ in range(60):
        assert observations in env.observation_space
        assert infos["action_mask"].shape == (3, 7)
        assert infos["action_mask"].dtype == np.int8
        assert np.array_equal(env.unwrapped.action_masks(), infos["action_mask"] == 1)
        actions = sample(env, infos)
        observations, rewards, terminated, truncated, infos = env.step(actions)
        assert rewards.dtype == np.float32
        assert terminated.dtype == truncated.dtype == np.bool_
        assert not truncated.any()
        assert not rewards[~terminated].any()
        ended += terminated.sum()
        if mode is AutoresetMode.NEXT_STEP:
            assert not terminated[over].any()
            assert not observations[over].any() or opponent == "random"
            over = terminated
        elif mode is AutoresetMode.SAME_STEP:
            assert ("final_obs" in infos) == terminated.any()
            if terminated.any():
                assert np.array_equal(infos["_final_obs"], terminated)
                for lane in range(3):
                    final = infos["final_obs"][lane]
                    assert (final is not None) == terminated[lane]
                    assert final is None or final.sum() >= 7
        elif terminated.any():
            with pytest.raises(ResetNeeded, match="games have ended"):
                env.step(actions)
            before = observations.copy()
            observations, infos = env.reset(options={"reset_mask": terminated})
            assert np.array_equal(observations[~terminated], before[~terminated])
            assert observations[terminated].sum() <= terminated.sum()
    assert ended > 3


def test_gymnasiums_own_vector_environment_says_the_same() -> None:
    """The same games, move by move, in lanes and in as many ``GymEnv``."""
    ours = make(3, opponent="random", seat="first", autoreset_mode="SameStep")
    ours.reset(seed=4)
    single = GymEnv("connect_four", opponent=Copied(ours), seat="first")
    env = gymnasium.vector.SyncVectorEnv([lambda: single], autoreset_mode="SameStep")
    env.reset(seed=1)
    ours.action_space.seed(2)
    masks = ours.unwrapped.boards.masks
    for _ in range(40):
        actions = ours.action_space.sample(mask=tuple(masks.astype(np.int8)))
        mine = ours.step(actions)
        theirs = env.step(actions[:1])
        for one, other in zip(mine[:4], theirs[:4], strict=True):
            assert np.array_equal(one[:1], other)
        assert np.array_equal(mine[4]["action_mask"][:1], theirs[4]["action_mask"])
        assert ("final_obs" in theirs[4]) == mine[2][0]
        if mine[2][0]:
            assert np.array_equal(mine[4]["final_obs"][0], theirs[4]["final_obs"][0])
            info, other = mine[4]["final_info"], theirs[4]["final_info"]
            assert info["seat"][0] == other["seat"][0]
            assert np.array_equal(info["action_mask"][0], other["action_mask"][0])


class Copied:
    """The opponent that makes the moves which that of lane 0 has made already."""

    def __init__(self, env: Any) -> None:
        self.boards = env.unwrapped.boards

    def act(self, position: Any) -> int:
        seen = self.boards[0]
        if seen.ply != position.ply + 1:  # the game is over, and another one has begun
            row = self.boards._ends[0]
            seen = unpack(position, row)
        return next(a for a in position.legal_actions() if position.play(a) == seen)


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_an_opponent_that_ends_the_game_after_reset_is_reported(mode: AutoresetMode) -> None:
    """From a position in the options, too: by the next step, whose action is ignored."""
    single = GymEnv("connect_four", opponent="random", seat="first")
    expected = [single.reset(options={"position": LAST_CELL})[1]["action_mask"]]
    expected += single.step(0)[1:3]
    env = make(3, opponent="random", seat="first", autoreset_mode=mode)
    infos = env.reset(seed=1, options={"position": LAST_CELL})[1]
    assert infos["action_mask"].tolist() == [expected[0].tolist()] * 3
    assert not env.unwrapped.boards.over.any()
    observations, rewards, terminated, truncated, infos = env.step([0, 3, 6])
    assert rewards.tolist() == [expected[1]] * 3 == [-1] * 3
    assert terminated.tolist() == [expected[2]] * 3 == [True] * 3
    assert not truncated.any()
    assert infos["utilities"].tolist() == [[-1, 1]] * 3
    stones = [0 if mode is AutoresetMode.SAME_STEP else 42] * 3
    assert observations.sum((1, 2, 3)).tolist() == stones
    if mode is AutoresetMode.DISABLED:
        env.reset(options={"reset_mask": terminated})
    _, rewards, terminated, _, _ = env.step([0, 3, 6])
    assert not rewards.any()
    assert not terminated.any()


def test_self_play_rewards_the_one_who_moved() -> None:
    env = make(2, autoreset_mode="SameStep")
    _, infos = env.reset(seed=0, options={"position": NEARLY})
    assert infos["to_move"].tolist() == [0, 0]
    observations, rewards, _, _, infos = env.step([3, 4])
    assert rewards.tolist() == [1, 0]
    assert infos["utilities"].tolist() == [[1, -1], [0, 0]]
    assert infos["to_move"].tolist() == [0, 1]  # the first lane has begun again
    own, opp = observations[1, ..., 0], observations[1, ..., 1]
    assert (own.sum(), opp.sum()) == (3, 4)  # as player 1 sees it
    final, player = infos["final_obs"][0], infos["final_info"]["to_move"][0]
    assert (player, final[5, 3].tolist()) == (1, [0, 1])
    assert infos["final_info"]["utilities"].tolist() == [[1, -1], [0, 0]]
    rewards, infos = env.step([0, 3])[1::3]
    assert rewards.tolist() == [0, 0]


def test_an_illegal_action_costs_one() -> None:
    env = make(2, opponent="random", seat="first")
    env.reset(seed=0, options={"position": ConnectFour().after("111111")})
    _, rewards, terminated, _, infos = env.step([0, 1])
    assert rewards[0] == -1
    assert terminated.tolist() == [True, False]
    assert infos["utilities"][0].tolist() == [-1, 0]
    assert infos["action_mask"][0].all()
    with pytest.raises(ValueError, match="0 to 6, not 7"):
        env.step([7, 0])


def test_seeds() -> None:
    together, alone = make(5, opponent="random"), make(1, opponent="random")
    first = together.reset(seed=10)[0]
    others = together.reset(seed=[10, 11, 12, 13, 14])[0]
    assert np.array_equal(first, others)
    seat = alone.reset(seed=13)[1]["seat"]
    assert together.unwrapped.boards.seats[3] == seat[0]
    for action in (3, 2, 4):
        assert np.array_equal(together.step([action] * 5)[0][3], alone.step([action])[0][0])
    assert len({make(8, opponent="random").reset()[0].tobytes() for _ in range(4)}) > 1


def test_seats() -> None:
    env = make(4, opponent="random", seat="alternate")
    assert env.reset(seed=0)[1]["seat"].tolist() == [0, 1, 0, 1]
    assert env.reset()[1]["seat"].tolist() == [1, 0, 1, 0]
    assert env.reset(options={"seat": 1})[1]["seat"].tolist() == [1, 1, 1, 1]


def test_what_is_returned_stays_as_it_is() -> None:
    env = make(3, opponent="random", autoreset_mode="SameStep")
    returned = [(*env.reset(seed=1)[:1],)]
    env.action_space.seed(1)
    results = [env.step(sample(env, {"action_mask": env.unwrapped.boards.masks})) for _ in range(9)]
    frozen = pickle.loads(pickle.dumps(results))
    env.step(sample(env, {"action_mask": env.unwrapped.boards.masks}))
    for one, other in zip(results, frozen, strict=True):
        for mine, theirs in zip(one[:4], other[:4], strict=True):
            assert np.array_equal(mine, theirs)
        assert np.array_equal(one[4]["action_mask"], other[4]["action_mask"])
        assert np.array_equal(one[4]["utilities"], other[4]["utilities"])
    returned += results
    observations = [result[0] for result in returned]
    assert not any(
        np.shares_memory(a, b) for i, a in enumerate(observations) for b in observations[:i]
    )
    shared = make(3, copy=False)
    assert np.shares_memory(shared.reset(seed=1)[0], shared.step([1, 2, 3])[0])


@pytest.mark.parametrize("dtype", ["bool", "uint8", pytest.param("float32", marks=compiles_long)])
def test_dtypes_and_channels(dtype: str) -> None:
    env = make(2, dtype=dtype, channels_first=True)
    assert env.single_observation_space.shape == (2, 6, 7)
    assert env.single_observation_space.dtype == dtype
    assert env.reset(seed=1)[0] in env.observation_space
    observations = env.step([3, 3])[0]
    assert observations in env.observation_space
    assert observations[0, 1, 5, 3] == 1


def test_steps_are_counted_and_cut_off() -> None:
    env = RecordEpisodeStatistics(make(2, max_episode_steps=4))
    env.reset(seed=1)
    for column in (0, 1, 0):
        assert not env.step([column, column])[3].any()
    _, _, terminated, truncated, infos = env.step([1, 1])
    assert truncated.all()
    assert not terminated.any()
    assert infos["episode"]["l"].tolist() == [4, 4]


def test_rendering() -> None:
    env = make(2, render_mode="ansi")
    env.reset(seed=1)
    env.step([3, 0])
    assert env.render()[0] == str(ConnectFour().play(3))
    pytest.importorskip("pygame")
    frames = make(2, render_mode="rgb_array")
    frames.reset(seed=1)
    assert [frame.ndim for frame in frames.render()] == [3, 3]
    assert frames.render()[0].dtype == np.uint8


def test_gymnasiums_window_can_show_it() -> None:
    """Which needs OpenCV to draw, but reads the metadata before."""
    env = make(2, render_mode="rgb_array")
    assert HumanRendering(env).render_mode == "human"
    assert env.metadata["render_fps"] == GymEnv.metadata["render_fps"]
    assert "human" not in make(2).metadata["render_modes"]


def test_a_registered_game_has_a_batch() -> None:
    env = make(2, "ThirtyOne", num_players=3) if disabled() else make(2, "Fig52")
    assert env.reset(seed=1)[0] in env.observation_space


@pytest.mark.parametrize(
    ("opponent", "found"),
    [
        ("self", None),
        ("random", "random"),
        ("greedy", "greedy"),
        ("connect_four.lines", connect_four.lines),
        ("greedy(evaluate=connect_four.lines)", connect_four.lines),
        (Greedy(connect_four.lines), connect_four.lines),
        (connect_four.lines, connect_four.lines),
        (Greedy(), "greedy"),
        (Random(seed=1), "random"),
    ],
)
def test_opponents(opponent: Any, found: Any) -> None:
    env = make(2, opponent=opponent)
    assert env.unwrapped.boards.opponent is found


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            {"opponent": "alpha_beta(depth=2)"},
            'a batch plays against "self" or a compiled opponent',
        ),
        ({"opponent": 5}, "a batch plays against"),
        ({"opponent": "connect_four.nothing"}, "connect_four.nothing"),
        ({"opponent": "random", "seat": "third"}, "seat must be"),
        ({"num_envs": 0}, "n must be at least 1"),
        ({"dtype": "complex64"}, "dtype"),
        ({"autoreset_mode": "Never"}, "Never"),
        ({"render_mode": "human"}, "render_mode must be one of"),
        ({"heigth": 5}, "no parameter 'heigth'"),
    ],
)
def test_bad_parameters(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        make(**wrong)


def test_bad_resets() -> None:
    env = make(3)
    with pytest.raises(RuntimeError, match="reset"):
        env.step([0, 0, 0])
    for mask, message in (
        ([True, False, True], "must be a NumPy array"),
        (np.array([1, 0, 1]), "dtype bool"),
        (np.array([True]), "of shape"),
        (np.zeros(3, np.bool_), "true somewhere"),
    ):
        with pytest.raises((TypeError, ValueError), match=message):
            env.reset(options={"reset_mask": mask})
    with pytest.raises(TypeError, match="must be a ConnectFour"):
        env.reset(options={"position": TicTacToe()})
    with pytest.raises(ValueError, match="finished"):
        env.reset(options={"position": NEARLY.play(3)})
