"""Observations of the last boards: chess beside PettingZoo's, bit by bit, and what is not known."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from games.laws import fresh

import adv_envs
from adv_envs import Chess, ConnectFour
from adv_envs.batch.vector import BatchVectorEnv
from adv_envs.envs.gym import GymEnv

pytestmark = pytest.mark.plain

LINES = (
    # castling on both sides, of both players, and underpromotion by captures
    "e4 e5 Nf3 Nf6 Bc4 Bc5 O-O O-O d3 d6",
    "d4 d5 Nc3 Nc6 Bf4 Bf5 Qd2 Qd7 O-O-O O-O-O e3 e6",
    "b4 g5 b5 g4 b6 g3 bxc7 gxh2 cxb8=N hxg1=R Nxd7 Rxh1",
    # captures en passant by both, and double steps that nobody could answer
    "e4 a6 e5 d5 exd6 h5 g4 hxg4 h4 gxh3 c4 b5",
    # rights lost by a rook, and by a rook that was captured
    "a4 h5 Ra3 Rh6 Rb3 Rg6 Rxb7 Rxg2 Rxb8 Rxg1 Rxa8 Rxh1",
    # until the third time can be claimed; the second is shown
    "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1",
)

EMPTY = np.zeros((8, 8, 13), np.int8)


class Beside:
    """Our environment and ``chess_v6``, which must show and allow the same."""

    def __init__(self) -> None:
        module = pytest.importorskip("pettingzoo.classic.chess_v6")
        self.ours = adv_envs.env("chess", history=8, dtype="bool")
        self.theirs = module.raw_env()
        self.compared = 0

    def over(self) -> bool:
        """Whether theirs is: a ply earlier than ours, where a move would allow to claim a draw."""
        return any(self.theirs.terminations.values())

    def compare(self) -> None:
        for agent in self.ours.possible_agents:
            seen, expected = self.ours.observe(agent), self.theirs.observe(agent)
            fen = self.ours.position.fen()
            assert seen["observation"].dtype == expected["observation"].dtype
            assert np.array_equal(seen["observation"], expected["observation"]), fen
            if not self.over():
                assert np.array_equal(seen["action_mask"], expected["action_mask"]), fen
            assert self.ours.observation_space(agent).contains(seen)
            self.compared += 1
        state = self.ours.state()
        assert np.array_equal(state, self.theirs.observe("player_0")["observation"])

    def play(self, choose: Callable[[Chess], int | None]) -> None:
        """Plays a game by ``choose``, until it gives None or the game is over."""
        self.ours.reset()
        self.theirs.reset()
        self.compare()
        while not self.over() and (action := choose(self.ours.position)) is not None:
            self.ours.step(action)
            self.theirs.step(action)
            self.compare()


def line(moves: Iterable[str]) -> Callable[[Chess], int | None]:
    left = iter(moves)
    return lambda position: next((position.action(move) for move in left), None)


def quiet(rng: Random) -> Callable[[Chess], int]:
    """Chooses moves that no draw but that of quiet moves ends: none by pawns, none repeated."""

    def choose(position: Chess) -> int:
        if position.ply < 4:
            return position.action(("a4", "a5", "h4", "h5")[position.ply])
        actions = position.legal_actions()
        rng.shuffle(actions)
        after = {action: position.play(action) for action in actions}
        calm = (a for a in actions if after[a].clock > 0 and after[a].repeated == 0)
        return next(calm, actions[0])

    return choose


@pytest.mark.parametrize("moves", LINES)
def test_chess_by_every_special_rule(moves: str) -> None:
    beside = Beside()
    beside.play(line(moves.split()))
    assert beside.compared == 2 * (len(moves.split()) + 1), "the game ended early"


def test_chess_until_the_clock_ends_it() -> None:
    beside, rng = Beside(), fresh()
    most = 0
    while most < 40:  # plane 5 has wandered over three ranks
        beside.play(quiet(rng))
        most = max(most, beside.ours.position.clock)


@pytest.mark.parametrize("plies", [300, pytest.param(30_000, marks=pytest.mark.slow)])
def test_chess_in_random_games(plies: int) -> None:
    beside, rng = Beside(), fresh()
    while beside.compared < 2 * plies:
        beside.play(lambda position: rng.choice(position.legal_actions()))


# ---- the game goes on, or begins in its middle


def boards(env: Any, agent: str = "player_0") -> list[Any]:
    planes = env.observe(agent)["observation"]
    assert planes.shape == (8, 8, 7 + 8 * 13)
    return [planes[:, :, 7 + 13 * i : 20 + 13 * i] for i in range(8)]


def alone(position: Chess, player: int) -> Any:
    """The planes of one board, by the rules."""
    planes = np.zeros((8, 8, 20), np.int8)
    position.observe(player, planes)
    return planes[:, :, 7:]


def same(one: Any, other: Any) -> bool:
    pairs = zip(one, other, strict=True)
    return all(np.array_equal(mine, told) for mine, told in pairs)


def test_copies_and_pickles_go_on() -> None:
    env = adv_envs.env("chess", history=8)
    env.reset()
    for move in ("e4", "e5", "Nf3", "Nc6", "Bb5", "a6"):
        env.step(env.position.action(move))
    twins = copy.deepcopy(env), pickle.loads(pickle.dumps(env))
    for each in (env, *twins):
        each.step(env.position.action("Ba4") if each is env else each.position.action("Bxc6"))
    for agent in env.possible_agents:
        shown, others = boards(env, agent), [boards(twin, agent) for twin in twins]
        assert same(*others)
        assert same(shown[1:], others[0][1:])
        assert not np.array_equal(shown[0], others[0][0])
        assert not np.array_equal(shown[6], EMPTY)
        assert np.array_equal(shown[7], EMPTY)


def test_what_is_not_known_is_empty() -> None:
    env, middle = adv_envs.env("chess", history=8), Chess().after("e4 e5 Nf3")
    env.reset()
    assert same(boards(env), [EMPTY] * 8)  # as in PettingZoo, no move has led to a board
    for move in ("d4", "d5"):
        env.step(env.position.action(move))
    env.position = middle
    for player, agent in enumerate(env.possible_agents):
        assert same(boards(env, agent), [alone(middle, player)] + [EMPTY] * 7)
    env.step(middle.action("Nc6"))
    expected = [alone(middle.after("Nc6"), 1), alone(middle, 1)] + [EMPTY] * 6
    assert same(boards(env, "player_1"), expected)
    env.reset()
    assert same(boards(env), [EMPTY] * 8)
    env.reset(options={"position": middle})
    assert same(boards(env), [alone(middle, 0)] + [EMPTY] * 7)


def test_any_rules_that_state_their_board_planes() -> None:
    class Shown(ConnectFour):
        board_planes = 0, 2

    env = adv_envs.raw_env(Shown(), history=3)
    env.reset()
    kept = [env.observe("player_1")["observation"]]
    plain = adv_envs.raw_env(ConnectFour())
    plain.reset()
    for action in (3, 3, 2, 4, 1):
        env.step(action)
        plain.step(action)
        kept.append(plain.observe("player_1")["observation"])
        shown = env.observe("player_1")["observation"]
        expected = ([*reversed(kept[1:])] + [np.zeros((6, 7, 2))] * 3)[:3]
        assert np.array_equal(shown, np.dstack(expected))


def test_forms() -> None:
    plain = adv_envs.env("chess", history=2)
    form = {"channels_first": True, "keys": {"observation": "planes"}}
    env = adv_envs.env("chess", history=2, dtype="float32", **form)
    flat = adv_envs.env("chess", history=2, flatten=True)
    for each in (plain, env, flat):
        each.reset()
        each.step(each.position.action("e4"))
    planes = plain.observe("player_1")["observation"]
    seen = env.observe("player_1")["planes"]
    assert (seen.shape, str(seen.dtype)) == ((33, 8, 8), "float32")
    assert np.array_equal(seen, planes.transpose(2, 0, 1))
    assert np.array_equal(flat.observe("player_1")["observation"], planes.ravel())
    assert env.observation_space("player_1").contains(env.observe("player_1"))
    assert flat.state_space.shape == (64 * 33,)


# ---- against an opponent


def test_gymnasium_shows_the_boards_of_both_players() -> None:
    env = GymEnv("chess", history=8, seat="second", dtype="bool")
    aec = adv_envs.env("chess", history=8, dtype="bool")
    rng = fresh()
    seen, info = env.reset(seed=1)
    over = False
    for _ in range(12):
        aec.reset()
        for action in env.actions:
            aec.step(action)
        assert np.array_equal(seen, aec.observe("player_1")["observation"])
        if over:
            break
        assert np.array_equal(env.observe(env.whole_position)["observation"], seen)
        chosen = rng.choice(np.flatnonzero(info["action_mask"]).tolist())
        seen, _, over, _, info = env.step(chosen)
    unknown = env.observe(Chess().after("e4 e5"))["observation"]
    assert unknown[:, :, 7:20].any()
    assert not unknown[:, :, 20:].any()
    twin = copy.deepcopy(env)
    assert np.array_equal(twin.observe(twin.whole_position)["observation"], seen) or over
    vector = gymnasium.make_vec(
        "adv_envs/Chess-v0", num_envs=2, vectorization_mode="sync", history=8, seat="first"
    )
    assert vector.reset(seed=1)[0].shape == (2, 8, 8, 111)
    vector.close()


@pytest.mark.parametrize(
    ("game", "history", "error", "says"),
    [
        ("chess", 0, ValueError, "history must be 1 to 100, not 0"),
        ("chess", 101, ValueError, "history must be 1 to 100, not 101"),
        ("chess", "8", TypeError, "history is a number of boards, such as 8, not '8'"),
        ("chess", True, TypeError, "history is a number of boards, such as 8, not True"),
        ("kuhn", 8, ValueError, "observations of Kuhn cannot show earlier boards: .* leave hist"),
    ],
)
@pytest.mark.parametrize("make", [adv_envs.env, adv_envs.raw_env, GymEnv])
def test_what_is_no_history(
    make: Any, game: str, history: Any, error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        make(game, history=history)


def test_batches_keep_no_boards() -> None:
    with pytest.raises(ValueError, match=r"batches keep no earlier boards: .*mode=.sync"):
        BatchVectorEnv(2, "chess", history=8)
