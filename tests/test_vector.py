"""Batches as Gymnasium vector environments: its protocol, and equality with its own."""

import copy
import itertools
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import HumanRendering, RecordEpisodeStatistics

from adv_envs import ConnectFour, TicTacToe
from adv_envs.envs.gym import GymEnv
from adv_envs.envs.opponents import BatchOpponent, OpponentError
from adv_envs.jit import disabled
from agents import Greedy, Random
from agents import make as make_agent
from agents.games.connect_four import evaluations as connect_four

compiles_long = [] if disabled() else [pytest.mark.slow]  # seconds for each game: not in CI

NEARLY = ConnectFour().after("112233")
"""Column 4 wins."""

LAST_CELL = ConnectFour().after("55575345172625621631111624342446243373777")
"""One cell is left, and player 1, who takes it, wins."""


def first_legal(position: Any) -> int:
    return position.legal_actions()[0]


def last_legal(position: Any) -> int:
    return position.legal_actions()[-1]


def all_first_legal(positions: list[Any]) -> Any:
    return np.array([first_legal(position) for position in positions])


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
                for index in range(3):
                    final = infos["final_obs"][index]
                    assert (final is not None) == terminated[index]
                    assert final is None or final.sum() >= 7
        elif terminated.any():
            with pytest.raises(ResetNeeded, match="games have ended"):
                env.step(actions)
            before = observations.copy()
            observations, infos = env.reset(options={"reset_mask": terminated})
            assert np.array_equal(observations[~terminated], before[~terminated])
            assert observations[terminated].sum() <= terminated.sum()
    assert ended > 3


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
    assert infos["to_move"].tolist() == [0, 1]  # the first environment has begun again
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
    assert not infos["action_mask"][0].any()
    reason = "action 0 is illegal for player 0; legal: [1, 2, 3, 4, 5, 6]"
    assert infos["reason"].tolist() == [reason, None]
    assert infos["_reason"].tolist() == [True, False]
    with pytest.raises(ValueError, match="0 to 6, not 7"):
        env.step([7, 0])


def test_what_an_illegal_action_costs() -> None:
    for opponent, seat in (("self", {}), ("random", {"seat": "first"})):
        env = make(2, opponent=opponent, illegal_reward=-7.5, **seat)
        env.reset(seed=0, options={"position": ConnectFour().after("111111")})
        _, rewards, _, _, infos = env.step([0, 1])
        assert rewards.tolist() == [-7.5, 0]
        assert infos["utilities"].tolist() == [[-7.5, 0], [0, 0]]


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_masks_in_observations(mode: AutoresetMode) -> None:
    settings = {"opponent": "random", "autoreset_mode": mode}
    env, plain = make(3, mask_in_observation=True, **settings), make(3, **settings)
    single = GymEnv("connect_four", mask_in_observation=True)
    assert env.single_observation_space == single.observation_space
    seen, infos = env.reset(seed=2)
    bare, _ = plain.reset(seed=2)
    plain.action_space.seed(1)
    for _ in range(30):
        assert seen in env.observation_space
        assert np.array_equal(seen["observation"], bare)
        assert np.array_equal(seen["action_mask"], infos["action_mask"])
        assert not np.shares_memory(seen["action_mask"], infos["action_mask"])
        actions = sample(plain, infos)
        seen, _, ended, _, infos = env.step(actions)
        bare, *_, told = plain.step(actions)
        if mode is AutoresetMode.SAME_STEP and ended.any():
            for index in np.flatnonzero(ended):
                final = infos["final_obs"][index]
                assert final in env.single_observation_space
                assert np.array_equal(final["observation"], told["final_obs"][index])
                assert not final["action_mask"].any()


def test_seeds() -> None:
    together, alone = make(5, opponent="random"), make(1, opponent="random")
    first = together.reset(seed=10)[0]
    others = together.reset(seed=[10, 11, 12, 13, 14])[0]
    assert np.array_equal(first, others)
    seat = alone.reset(seed=13)[1]["seat"]
    assert together.unwrapped.boards.state.seats[3] == seat[0]
    for action in (3, 2, 4):
        assert np.array_equal(together.step([action] * 5)[0][3], alone.step([action])[0][0])
    assert len({make(8, opponent="random").reset()[0].tobytes() for _ in range(4)}) > 1
    together.reset(seed=5)
    assert together.np_random_seed == 5
    assert together.np_random.random() == np.random.default_rng(5).random()


def test_seeds_of_some() -> None:
    """None in a list of seeds: that generator goes on, as in Gymnasium's own environments."""
    env, other = make(2, opponent="random", seat="second"), make(2, opponent="random", seat=1)
    env.reset(seed=[1, 2])
    before = env.unwrapped.boards.state.generators.copy()
    env.reset(seed=[1, None])
    assert env.unwrapped.boards.state.generators[0] == before[0]
    assert env.unwrapped.boards.state.generators[1] != before[1]
    other.reset(seed=[1, 2])
    other.reset()
    assert env.unwrapped.boards.state.generators[1] == other.unwrapped.boards.state.generators[1]
    fresh = make(2, opponent="random", seat="second")
    fresh.reset(seed=[1, None])
    assert fresh.unwrapped.boards[0] == env.unwrapped.boards[0]


def test_seats() -> None:
    env = make(4, opponent="random", seat="alternate")
    assert env.reset(seed=0)[1]["seat"].tolist() == [0, 1, 0, 1]
    assert env.reset()[1]["seat"].tolist() == [1, 0, 1, 0]
    assert env.reset(options={"seat": 1})[1]["seat"].tolist() == [1, 1, 1, 1]
    assert env.reset()[1]["seat"].tolist() == [1, 0, 1, 0], "an option shifts the alternation"


@pytest.mark.parametrize("seat", ["first", "second", "alternate", 1, "random", [0, 1, 1]])
def test_a_seat_for_one_game_is_that_of_single_games(seat: Any) -> None:
    """As "random" is drawn by another generator, only what follows can be compared there."""
    env = make(3, opponent="random", seat="alternate")
    env.reset(seed=5)
    found = env.reset(options={"seat": seat})[1]["seat"]
    singles = [GymEnv("connect_four", seat="alternate") for _ in range(3)]
    for number, single in enumerate(singles):
        single.reset(seed=5 + number)
        one = seat[number] if isinstance(seat, list) else seat
        told = single.reset(options={"seat": one})[1]["seat"]
        assert seat == "random" or told == found[number]
    after = [single.reset()[1]["seat"] for single in singles]
    assert env.reset()[1]["seat"].tolist() == after
    fixed = make(3, opponent="random", seat="first")
    fixed.reset(seed=5, options={"seat": seat})
    assert fixed.reset()[1]["seat"].tolist() == [0, 0, 0]


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
    seen = [result[0] for result in returned]
    assert not any(np.shares_memory(a, b) for a, b in itertools.combinations(seen, 2))
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


@pytest.mark.parametrize("opponent", ["first_legal", pytest.param("greedy", marks=compiles_long)])
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_a_game_that_ends_at_the_last_step_is_over(mode: AutoresetMode, opponent: str) -> None:
    """By my move, or by the reply that follows it; truncated too, as in Gymnasium's TimeLimit."""
    facing = first_legal if opponent == "first_legal" else opponent
    env = make(3, opponent=facing, seat="first", max_episode_steps=1, autoreset_mode=mode)
    _, infos = env.reset(seed=1, options={"position": ConnectFour().after("213141")})
    _, rewards, terminated, truncated, infos = env.step([4, 6, 0])
    assert rewards.tolist() == [1, -1, 0]
    assert terminated.tolist() == [True, True, False]
    assert truncated.tolist() == [True, True, True]
    assert infos["utilities"].tolist() == [[1, -1], [-1, 1], [0, 0]]


def test_games_can_begin_at_positions_of_their_own() -> None:
    env = make(3, opponent="self", autoreset_mode=AutoresetMode.DISABLED)
    lines = ["1", "22", "333"]
    _, infos = env.reset(options={"position": [ConnectFour().after(line) for line in lines]})
    assert infos["to_move"].tolist() == [1, 0, 1]
    some = np.array([True, False, True])
    again = [ConnectFour().after("4444"), None, ConnectFour()]
    _, infos = env.reset(options={"reset_mask": some, "position": again})
    assert infos["to_move"].tolist() == [0, 0, 0]
    assert [env.boards[i].ply for i in range(3)] == [4, 2, 0]


def test_rendering() -> None:
    env = make(2, render_mode="ansi")
    env.reset(seed=1)
    env.step([3, 0])
    assert env.render()[0] == str(ConnectFour().play(3))
    drawn = make(2, render_mode="svg")
    drawn.reset(seed=1)
    assert drawn.render() == (ConnectFour().svg(),) * 2
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
        (Greedy(), "greedy"),
        (Random(seed=1), "random"),
        ({"greedy": 2}, "greedy"),
        (first_legal, "external"),
        ("alpha_beta(depth=2)", "external"),
        (["random", "greedy"], "external"),
        (BatchOpponent(all_first_legal), "external"),
    ],
)
def test_opponents(opponent: Any, found: Any) -> None:
    env = make(2, opponent=opponent)
    assert env.unwrapped.boards.opponent is found


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"opponent": "beta"}, "no agent 'beta'"),
        ({"opponent": 5}, "an opponent is the spec of an agent"),
        ({"opponent": []}, "a pool needs at least one"),
        ({"opponent": "connect_four.nothing"}, "connect_four.nothing"),
        ({"opponent": "random", "seat": "third"}, "seat must be"),
        ({"num_envs": 0}, "n must be at least 1"),
        ({"dtype": "complex64"}, "dtype"),
        ({"autoreset_mode": "Never"}, "Never"),
        ({"render_mode": "human"}, "render_mode must be one of"),
        ({"heigth": 5}, "unexpected keyword argument 'heigth'"),
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


# ---- opponents that are asked


class Asked:
    """First legal actions, one by one or together; it takes note of how it was asked."""

    def __init__(self) -> None:
        self.seeds: list[int] = []
        self.sizes: list[int] = []

    def act(self, position: Any) -> int:
        self.sizes.append(0)
        return first_legal(position)

    def reset(self, seed: int) -> None:
        self.seeds.append(seed)


class AskedTogether(Asked):
    def act_batch(self, positions: list[Any]) -> Any:
        self.sizes.append(len(positions))
        return all_first_legal(positions)


@pytest.mark.parametrize(
    "opponent",
    [["random", "greedy"], {"random": 1, first_legal: 1, BatchOpponent(all_first_legal): 3}],
)
def test_an_environment_depends_on_its_seed_alone(opponent: Any) -> None:
    """Whom it meets and what these do, too, if they are compiled or functions."""
    many = make(5, opponent=opponent, autoreset_mode="SameStep")
    alone = make(1, opponent=opponent, autoreset_mode="SameStep")
    many.reset(seed=10)
    alone.reset(seed=13)
    for step in range(40):
        columns = np.full(5, step % 7)
        both = many.step(columns), alone.step(columns[:1])
        for mine, other in zip(*(each[:4] for each in both), strict=True):
            assert np.array_equal(mine[3], other[0])
    assert many.unwrapped.boards[3] == alone.unwrapped.boards[0]


def test_pools_are_sampled_by_their_weights_for_each_game() -> None:
    asked = {name: Asked() for name in "abc"}
    pool = list(zip(asked.values(), (1, 2, 5), strict=True))
    env = make(400, opponent=pool, seat="second", autoreset_mode="Disabled")
    met = dict.fromkeys("abc", 0)
    for _ in range(2):
        env.reset(seed=None if met["a"] else 3)
        for name, opponent in asked.items():
            met[name] += len(opponent.sizes)
            opponent.sizes.clear()
    assert sum(met.values()) == 800  # who begins is asked once a game
    for name, expected in (("a", 100), ("b", 200), ("c", 500)):
        assert abs(met[name] - expected) < 60  # four standard deviations
    env.step(np.zeros(400, np.int64))
    for name, opponent in asked.items():
        assert abs(len(opponent.sizes) - met[name] / 2) < 60, "the same ones play on"
        assert len(opponent.seeds) == 2, "once for each reset of all games"


def test_a_batched_policy_is_asked_once_for_all() -> None:
    opponent = AskedTogether()
    env = make(6, opponent=opponent, seat="alternate")
    env.reset(seed=0)
    assert opponent.sizes == [3]
    env.step([6, 5, 6, 5, 6, 5])
    assert opponent.sizes == [3, 6]


def test_policies_that_come_along_answer_together() -> None:
    def policy(more: str = "") -> Any:
        return make_agent(f"policy(path='tic_tac_toe_ppo'{more})")

    positions = [TicTacToe(), TicTacToe().after("b2 a1"), TicTacToe().after("a1 a2 b1")]
    together = policy().act_batch(positions)
    assert together == [policy().act(position) for position in positions]
    drawn, again = (policy(", temperature=2.0, seed=1") for _ in range(2))
    many = [*positions] * 20
    assert drawn.act_batch(many) == [again.act(position) for position in many]
    searching, again = (policy(", simulations=5, seed=1") for _ in range(2))
    assert searching.act_batch(positions) == [again.act(position) for position in positions]
    assert policy().act_batch([]) == []
    with pytest.raises(ValueError, match="was trained for"):
        policy().act_batch([ConnectFour()])


def test_opponents_can_see_what_i_see() -> None:
    env: Any = None

    def policy(positions: list[Any]) -> Any:
        seen = env.unwrapped.observe(positions)
        assert seen["observation"].shape == (len(positions), 2, 6, 7)
        for planes, mask, position in zip(*seen.values(), positions, strict=True):
            expected = np.zeros((6, 7, 2), np.int8)
            position.observe(position.to_move, expected)
            assert np.array_equal(np.moveaxis(planes, 0, -1), expected)
            assert mask.nonzero()[0].tolist() == position.legal_actions()
        return seen["action_mask"].argmax(axis=1)

    env = make(4, opponent=BatchOpponent(policy), seat="alternate", channels_first=True)
    env.reset(seed=1)
    env.step([1, 2, 3, 4])
    with pytest.raises(TypeError, match="must be a ConnectFour"):
        env.unwrapped.observe([TicTacToe()])


@pytest.mark.parametrize("before", ["random", first_legal], ids=["compiled", "asked"])
def test_another_opponent_comes_with_the_next_games(before: Any) -> None:
    env = make(2, opponent=before, seat="first", autoreset_mode="SameStep")
    env.reset(seed=1, options={"position": ConnectFour().after("66")})
    new = Asked()
    env.unwrapped.set_opponent(new)
    ended = np.zeros(2, np.bool_)
    for _ in range(3):  # 1, 1, 1 and 1 in the first column, unless it is blocked
        ended |= env.step([0, 1])[2]
    assert not ended.any()
    assert not new.sizes, "it came into games that had begun"
    env.reset(options={"reset_mask": np.array([True, False])})
    env.step([0, 3])
    assert len(new.sizes) == 1, "it plays in the game that began since, and in no other"
    assert env.unwrapped.boards[0].after is not None
    env.unwrapped.set_opponent("random")
    env.reset(seed=2)
    env.step([0, 3])
    assert len(new.sizes) == 1


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("self", "random", "the actions are those of all players"),
        ("random", "self", "cannot be set to"),
        ("random", "beta", "no agent 'beta'"),
    ],
)
def test_opponents_that_cannot_be_set(before: str, after: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        make(2, opponent=before).unwrapped.set_opponent(after)


class Stubborn(Random):
    """Not the agent "random", whatever it is called."""

    def act(self, position: Any) -> int:
        return last_legal(position)


def test_an_agent_that_only_looks_compiled_is_asked() -> None:
    env = make(2, opponent=Stubborn(), seat="second")
    env.reset(seed=1)
    assert [env.unwrapped.boards[index] for index in range(2)] == [ConnectFour().play(6)] * 2


def nothing(positions: list[Any]) -> Any:
    raise RuntimeError("the network is gone")


@pytest.mark.parametrize(
    ("opponent", "says"),
    [
        (lambda position: 9, "as player 1, answered 9, which is not a legal action at ConnectFour"),
        (BatchOpponent(lambda positions: [0.5] * len(positions)), "answered 0.5"),
        (BatchOpponent(lambda positions: [0]), "answered 1 actions for 2 positions"),
        (BatchOpponent(nothing), "opponent nothing failed at 2 positions: RuntimeError: the net"),
    ],
)
def test_opponents_that_fail_are_named(opponent: Any, says: str) -> None:
    env = make(2, opponent=opponent, seat="first")
    env.reset(seed=1)
    with pytest.raises(OpponentError) as caught:
        env.step([0, 0])
    assert says in str(caught.value)
    with pytest.raises(ResetNeeded, match="an opponent failed"):
        env.step([0, 0])
    env.unwrapped.set_opponent(first_legal)
    env.reset()
    assert not env.step([0, 0])[2].any()


@pytest.mark.parametrize("mode", ["SameStep", "Disabled"])
def test_copies_go_on_against_the_same(mode: str) -> None:
    env = make(3, opponent=["random", AskedTogether(), first_legal], autoreset_mode=mode)
    env.reset(seed=1)
    env.step([1, 2, 3])
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    for _ in range(3):
        steps = [each.step([1, 2, 3]) for each in (env, *copies)]
        if mode == "Disabled" and steps[0][2].any():
            break
        for other in steps[1:]:
            for mine, theirs in zip(steps[0][:4], other[:4], strict=True):
                assert np.array_equal(mine, theirs)
