"""Batches: n environments do what n single games do, with any threads, mode and opponent."""

import copy
import inspect
import os
import pickle
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from odd_games import Toss
from samples import SAMPLES
from small_games import Heap, Pile, Race

from adv_envs import (
    CHANCE,
    ConnectFour,
    Fig52,
    Gomoku,
    Hex,
    Kuhn,
    Othello,
    Pig,
    Position,
    RockPaperScissors,
    ThirtyOne,
    TicTacToe,
)
from adv_envs.batch import kernels
from adv_envs.batch.boards import Boards
from adv_envs.bits import BEYOND, num_words, pack, unpack, unpack_bits
from adv_envs.games.tree import FIG52
from adv_envs.jit import disabled, kernel
from adv_envs.random import scattered
from agents.games import pig
from agents.games.connect_four import evaluations as connect_four
from agents.simple import value_for

compiles_long = pytest.mark.plain if disabled() else pytest.mark.slow  # seconds for each game

SOME: list[Position] = [ConnectFour(), Hex(9), Pig(target=12)]
GAMES = [
    *SOME,
    Fig52(),
    *(
        pytest.param(position, marks=compiles_long)
        for position in (
            *(samples.small[0] for name, samples in SAMPLES.items() if name != "fig52"),
            ThirtyOne(num_players=3),
        )
    ),
]
NEARLY = ConnectFour().after("112233")
"""Column 4 wins."""


def level(position: Any) -> float:
    """Player 1, to move, likes it where the only stone is in column 3 or 5 the least."""
    return -1.0 if position.opp in (1 << 14, 1 << 28) else 0.0


def rest(position: Any) -> float:
    """The more is left the better for the player to move, though not at the end of the heap."""
    return float(position.heap) if position.heap > 2 else -9.0


def name(position: Any) -> str:
    if not isinstance(position, Position):
        return getattr(position, "__name__", "")
    return "-".join(str(x) for x in (type(position).__name__, *position[:2]) if x != FIG52)


def boards(position: Position, n: int = 5, **settings: Any) -> Boards:
    made = Boards(position, n, 1, **settings)
    made.reset(seed=3)
    return made


def legal(batch: Boards, draws: np.random.Generator) -> np.ndarray[Any, Any]:
    """A random legal action for each environment, found by NumPy."""
    return np.array([draws.choice(np.flatnonzero(mask)) for mask in batch.masks])


class Single:
    """One game in plain Python that should do what an environment does, with its random numbers."""

    def __init__(self, start: Position, state: int) -> None:
        self.start, self.state, self.mover = start, state, 0
        self.begin()

    def begin(self) -> None:
        self.position, self.over = self.start, False
        self.roll()

    def roll(self) -> None:
        while not self.position.is_terminal() and self.position.to_move == CHANCE:
            self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**62
            left, faces = (self.state >> 30) / 2**32, self.position.legal_actions()
            for action in faces:
                left -= self.position.probability(action)
                if left < 0:
                    break
            self.position = self.position.play(action)

    def step(self, action: int) -> list[float]:
        """Play, and tell the rewards of the players."""
        self.mover = self.position.to_move
        players = range(self.start.num_players)
        if not self.position.legal(action):
            self.over = True
            return [-1 if player == self.mover else 0 for player in players]
        self.position = self.position.play(action)
        self.roll()
        self.over = self.position.is_terminal()
        return [self.position.utility(player) if self.over else 0 for player in players]

    @property
    def looks(self) -> int:
        player = self.position.to_move
        return (self.mover + 1) % self.start.num_players if player == CHANCE else player

    def compare(self, batch: Boards, index: int) -> None:
        assert batch[index] == self.position
        assert batch.to_move[index] == self.looks
        planes = np.zeros(self.start.observation_shape, batch.observations.dtype)
        self.position.observe(self.looks, planes)
        assert np.array_equal(batch.observations[index], planes)
        actions = range(self.start.num_actions)
        mask = [1 if self.over else self.position.legal(action) for action in actions]
        assert batch.masks[index].tolist() == mask


# ---- a batch of n is n games


@pytest.mark.parametrize("position", GAMES, ids=name)
@given(data=st.data())
@settings(max_examples=3, deadline=None, derandomize=True)
def test_environments_are_single_games(position: Position, data: st.DataObject) -> None:
    n, mode = data.draw(st.integers(1, 4)), data.draw(st.sampled_from(["same_step", "next_step"]))
    seeds = data.draw(st.lists(st.integers(0, 2**40), min_size=n, max_size=n))
    draws = np.random.default_rng(data.draw(st.integers(0, 99)))
    batch = Boards(position, n, 1, autoreset=mode)
    batch.reset(seeds)
    games = [Single(position, scattered(seed)) for seed in seeds]
    for _ in range(12 if isinstance(position, Hex) else 30):
        actions = legal(batch, draws)
        if draws.random() < 0.1:
            actions[draws.integers(n)] = draws.integers(position.num_actions)
        batch.step(actions)
        for index, game in enumerate(games):
            begins, gains = game.over, [0.0] * position.num_players
            if begins:
                game.begin()
            else:
                gains = game.step(int(actions[index]))
            assert batch.utilities[index].tolist() == np.float32(gains).tolist()
            assert batch.rewards[index] == (0 if begins else np.float32(gains[game.mover]))
            assert batch.terminated[index] == game.over
            if game.over and mode == "same_step":
                game.begin()
            game.compare(batch, index)


def test_every_game_ends_and_begins_again_in_one_loop() -> None:
    batch = boards(ConnectFour(), 50)
    batch.play_random(30)
    assert batch.play_random(60) == pytest.approx(50 * 60 / 21.3, rel=0.1)  # plies of a random game


@pytest.mark.parametrize("position", SOME, ids=name)
def test_threads_change_nothing(position: Position, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adv_envs.batch.stepper.ENVS_PER_THREAD", 1)
    one, three = Boards(position, 10, 1), Boards(position, 10, 3)
    for batch in (one, three):
        batch.reset(seed=8)
        batch.play_random(25)
        batch.step(legal(batch, np.random.default_rng(1)))
    assert np.array_equal(one.state.rows, three.state.rows)
    for array in ("observations", "masks", "rewards", "utilities", "terminated"):
        assert np.array_equal(getattr(one, array), getattr(three, array)), array


def test_an_environment_depends_on_its_seed_alone() -> None:
    many, alone = Boards(Pig(target=12), 6, 1), Boards(Pig(target=12), 1, 1)
    many.reset(seed=20)
    alone.reset(seed=24)
    many.play_random(40)
    alone.play_random(40)
    assert many[4] == alone[0]
    assert many.state.generators[4] == alone.state.generators[0]
    assert len(set(many.state.generators.tolist())) == 6


def test_without_a_seed_the_generators_go_on() -> None:
    batch = boards(Pig(target=12))
    batch.play_random(3)
    before = batch.state.generators.copy()
    batch.reset()
    assert np.array_equal(batch.state.generators, before)
    first, second = Boards(Pig(target=12), 2, 1), Boards(Pig(target=12), 2, 1)
    first.reset()
    second.reset()
    assert not np.array_equal(first.state.generators, second.state.generators)


def check_even(counts: Any, chi_square: float) -> None:
    """As often each, up to a chi square of 0.1 %: 13.8, 20.5 or 22.5 for 3, 6 or 7 numbers."""
    mean = counts.mean()
    assert ((counts - mean) ** 2).sum() / mean < chi_square


def test_dice_are_fair() -> None:
    batch = boards(Pig(target=12), 600 if disabled() else 6000)
    batch.step(np.zeros(len(batch), np.int64))  # everybody rolls, and a 1 passes the turn on
    shown = np.where(batch.to_move == 1, 1, batch.observations[:, 2])
    counts = np.bincount(shown, minlength=7)[1:]
    assert counts.sum() == len(batch)
    check_even(counts, 20.5)


def test_random_actions_are_uniform() -> None:
    n = 700 if disabled() else 7000
    batch = boards(ConnectFour(), n)
    batch.start_from(ConnectFour().after("111111"))
    counts = np.bincount(batch.random_actions(), minlength=7)
    assert counts[0] == 0
    check_even(counts[1:], 20.5)
    batch = boards(Hex(9), n // 2)  # drawn, not counted
    batch.start_from(Hex(9).after("a1 b2"))
    batch.play_random()
    counts = np.bincount(batch.actions, minlength=81)
    assert counts[0] == counts[10] == 0
    check_even(np.delete(counts, [0, 10]), 124)  # 78 degrees of freedom


def test_random_actions_are_uniform_where_few_are_legal() -> None:
    """They are found by trial at first, and then counted: each is as likely as the others."""
    position: Position = Hex(9)
    draws = random.Random(5)
    while len(position.legal_actions()) > 3:
        position = position.play(draws.choice(position.legal_actions()[:-1]))  # the last is left
        if position.is_terminal():
            position = Hex(9)
    n = 3000 if disabled() else 6000
    batch = boards(position, n, autoreset="disabled")
    for _ in range(2):
        actions = batch.random_actions()
        counts = np.bincount(actions, minlength=81)
        assert counts.nonzero()[0].tolist() == position.legal_actions()
        check_even(counts[position.legal_actions()], 13.8)
    batch.play_random()
    check_even(np.bincount(batch.actions, minlength=81)[position.legal_actions()], 13.8)


# ---- when games end


def test_autoreset_at_once_and_at_the_next_step() -> None:
    for mode in ("same_step", "next_step", "disabled"):
        batch = boards(ConnectFour(), 2, autoreset=mode)
        batch.start_from(ConnectFour().after("1111115"))
        batch.step([0, 4])  # an illegal action ends the game
        assert batch.terminated.tolist() == [True, False]
        assert batch.rewards.tolist() == [-1, 0]
        assert batch.utilities.tolist() == [[0, -1], [0, 0]]
        batch.reset()
        batch[0] = NEARLY
        batch.step([3, 4])
        assert batch.terminated.tolist() == [True, False]
        assert batch.rewards.tolist() == [1, 0]
        assert batch.utilities.tolist() == [[1, -1], [0, 0]]
        assert batch[0] == (ConnectFour() if mode == "same_step" else NEARLY.play(3))
        assert batch.over.tolist() == [mode != "same_step", False]
        batch.step([6, 0])
        after = {"same_step": ConnectFour().play(6), "next_step": ConnectFour()}
        assert batch[0] == after.get(mode, NEARLY.play(3))
        assert batch.terminated.tolist() == [mode == "disabled", False]
        assert not batch.rewards.any()
        assert batch.utilities.tolist() == [[0, 0], [0, 0]]
        assert batch[1] == ConnectFour().play(4).play(0)


def test_chosen_environments_are_reset() -> None:
    batch = boards(ConnectFour(), 3, autoreset="disabled")
    batch.step([1, 2, 3])
    batch.reset(envs=np.array([True, False, True]))
    assert [batch[index].ply for index in range(3)] == [0, 1, 0]


@pytest.mark.parametrize("mode", ["next_step", "disabled"])
def test_games_are_cut_off(mode: str) -> None:
    """The game could go on; where it is over by its rules, all is legal."""
    batch = boards(ConnectFour(), 2, max_steps=1, autoreset=mode)
    batch.start_from(ConnectFour().after("1111122"))
    batch.step([0, 0])
    assert batch.masks.tolist() == [[0, 1, 1, 1, 1, 1, 1]] * 2
    batch.reset()
    batch.start_from(NEARLY)
    batch.step([3, 4])
    assert batch.masks.tolist() == [[1] * 7] * 2
    assert batch.over.tolist() == batch.truncated.tolist() == [True, True]
    assert batch.terminated.tolist() == [True, False]
    longer = boards(ConnectFour(), 2, max_steps=3, autoreset="next_step")
    for truncated in (False, False, True, False, False, False, True):
        longer.step([0, 1])
        assert longer.truncated.tolist() == [truncated, truncated]
        assert not longer.terminated.any()


def test_what_was_seen_last() -> None:
    batch = boards(ConnectFour(), 3)
    batch[1] = NEARLY
    batch.step([0, 3, 0])
    observations, masks, players = batch.seen([1], last=True)
    planes = np.zeros((6, 7, 2), np.int8)
    NEARLY.play(3).observe(1, planes)
    assert np.array_equal(observations, planes[None])
    assert masks.all()
    assert players.tolist() == [1]


@pytest.mark.plain
@pytest.mark.parametrize("position", [Kuhn(), Pig(target=10), RockPaperScissors()])
def test_what_was_seen_last_of_what_is_no_board(position: Position) -> None:
    batch = boards(position, 8)
    seen_end = np.zeros(8, bool)
    while not seen_end.all():
        before = [batch[env] for env in range(8)]
        batch.step(batch.random_actions())
        seen_end |= batch.terminated
        ended = np.flatnonzero(batch.terminated)
        observations, _, players = batch.seen(ended, last=True)
        assert len(observations) == len(players) == len(ended)
        for env, seen, player in zip(ended, observations, players, strict=True):
            if before[env].has_chance:
                continue  # what chance did after the action is not known here
            planes = np.zeros(position.observation_shape, seen.dtype)
            before[env].play(int(batch.actions[env])).observe(int(player), planes)
            assert np.array_equal(seen, planes)


@pytest.mark.plain
@pytest.mark.parametrize("position", [Hex(9), Gomoku(9, 9, 3), TicTacToe(), Othello(4)])
def test_all_is_legal_where_a_game_is_over(position: Position) -> None:
    """On boards of one word and of several; and nothing else is where it goes on."""
    batch, over = boards(position, 4, autoreset="disabled"), np.zeros(4, bool)
    while not over.all():
        over |= batch.terminated
        for env in range(4):
            legal = [batch[env].legal(action) for action in range(position.num_actions)]
            expected = [True] * position.num_actions if over[env] else legal
            assert batch.masks[env].tolist() == expected
        batch.step(np.where(over, 0, batch.random_actions()))


# ---- positions in and out


def test_an_environment_is_set_and_read() -> None:
    batch = boards(ConnectFour())
    batch.play_random(4)
    position = ConnectFour().after("4455")
    before = batch.state.rows[:-1].copy()
    batch[-1] = position
    assert batch[4] == position
    assert np.array_equal(batch.state.rows[:-1], before)
    assert batch.observations[4].sum() == 4
    finished = NEARLY.play(3)
    batch[0] = finished
    assert batch.over[0]
    assert batch.utilities[0].tolist() == [1, -1]
    assert batch.rewards[0] == 0, "no action has brought it about"
    for index, wrong, error, says in (
        (5, finished, IndexError, "environments 0 to 4, not 5"),
        (0, TicTacToe(), TypeError, "must be a ConnectFour"),
        (0, ConnectFour(5, 5), ValueError, "ConnectFour"),
    ):
        with pytest.raises(error, match=says):
            batch[index] = wrong
    with pytest.raises(IndexError, match="environments 0 to 4, not 5"):
        batch[5]


def test_each_board_can_start_from_a_position_of_its_own() -> None:
    batch = boards(ConnectFour(), 3)
    lines = ["1", "23", "456"]
    batch.start_from([ConnectFour().after(line) for line in lines])
    assert [batch[i] for i in range(3)] == [ConnectFour().after(line) for line in lines]
    batch.start_from([None, ConnectFour().after("77"), None], np.array([False, True, False]))
    assert [batch[i] for i in range(3)] == [ConnectFour().after(x) for x in ("1", "77", "456")]
    finished = ConnectFour().after("1122334")
    for wrong, error, match in (
        (finished, ValueError, "finished position"),
        ([ConnectFour()] * 2, ValueError, "must be one or 3, not 2"),
        ([ConnectFour(), finished, ConnectFour()], ValueError, "finished position"),
        ([ConnectFour(), None, ConnectFour()], TypeError, "must be a ConnectFour"),
        (7, TypeError, "must be a ConnectFour"),
    ):
        before = batch.state.words.copy()
        with pytest.raises(error, match=match):
            batch.start_from(wrong)  # type: ignore[arg-type]
        assert (batch.state.words == before).all()


@pytest.mark.parametrize("position", SOME, ids=name)
def test_copies_go_on_with_the_same_games(position: Position) -> None:
    batch = boards(position)
    batch.play_random(3)
    twins = [copy.copy(batch), copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))]
    batch.play_random(9)
    for twin in twins:
        assert not np.shares_memory(twin.observations, batch.observations)
        twin.play_random(9)
        assert np.array_equal(twin.state.rows, batch.state.rows)
        assert np.array_equal(twin.observations, batch.observations)


@pytest.mark.parametrize(
    "dtype", ["bool", "uint8", "int8", pytest.param("float32", marks=compiles_long)]
)
def test_dtypes_and_channels(dtype: str) -> None:
    plain = boards(ConnectFour(), 3)
    other = boards(ConnectFour(), 3, dtype=dtype, channels_first=True)
    for batch in (plain, other):
        batch.play_random(9)
    assert other.observations.dtype == dtype
    assert other.observations.shape == (3, 2, 6, 7)
    assert other.observations.flags.c_contiguous
    assert np.array_equal(np.moveaxis(other.observations, 1, -1), plain.observations)


@pytest.mark.parametrize(
    "position", [ConnectFour(4, 3, 3).play(1), Hex(9).after("a1 i9")], ids=name
)
def test_nothing_is_written_outside(position: Any) -> None:
    """Boards are written many cells at a time: not into the environments of another thread."""
    batch = Boards(position, 6, 1)
    batch.observations[:] = 7
    batch.masks[:] = 7
    facts = batch._stepper._facts(None)._asdict()
    seen = batch._stepper.view.seen(batch.observations, batch.masks)
    kernels.show.bind_used(**facts)(position, batch.state.rows, seen, 2, 4, 4)
    planes = np.full((6, *position.observation_shape), 7, np.int8)
    for index in (2, 3):
        position.observe(0, planes[index])  # in rows that were not entered yet, player 0 looks
    assert np.array_equal(batch.observations, planes)
    assert (batch.masks[[0, 1, 4, 5]] == 7).all()
    legal = [position.legal(action) for action in range(position.num_actions)]
    assert batch.masks[2:4].tolist() == [legal, legal]


# ---- opponents


def test_a_random_opponent() -> None:
    batch = boards(ConnectFour(), 60, opponent="random", seat="alternate", autoreset="next_step")
    assert batch.state.seats.tolist() == [(3 + index) % 2 for index in range(60)]
    assert [batch[index].ply for index in range(60)] == batch.state.seats.tolist()
    for _ in range(2):
        batch.step(batch.random_actions())
    assert [batch[index].to_move for index in range(60)] == batch.state.seats.tolist()
    assert np.array_equal(batch.to_move, batch.state.seats)
    assert len({batch[index] for index in range(60)}) > 50


def test_seats_alternate_and_are_drawn() -> None:
    batch = boards(ConnectFour(), 40, opponent="random", seat="alternate")
    seats, ended = batch.state.seats.copy(), np.zeros(40, np.int64)
    for _ in range(30):
        batch.step(batch.random_actions())
        ended += batch.terminated
    assert np.array_equal(batch.state.seats, (seats + ended) % 2)
    assert 8 < boards(ConnectFour(), 40, opponent="random", seat="random").state.seats.sum() < 32
    second = boards(ConnectFour(), 4, opponent="random", seat="second")
    second.play_random(20)
    assert second.state.seats.tolist() == [1] * 4
    second.reset(seats=[0, 1, 0, 1])
    assert [second[index].ply for index in range(4)] == [0, 1, 0, 1]


@compiles_long
@pytest.mark.parametrize(
    ("position", "evaluate"),
    [(ConnectFour(), connect_four.lines), (TicTacToe(), None), (Pig(target=12), pig.lead)],
    ids=name,
)
def test_a_greedy_opponent_plays_as_the_agent_does(position: Position, evaluate: Any) -> None:
    opponent = evaluate or "greedy"
    batch = boards(position, 8, opponent=opponent, autoreset="disabled", seat="second")
    look = (value_for.bind(evaluate=evaluate) if evaluate else value_for).plain
    for step in range(8):
        before = [batch[index] for index in range(8)]
        actions, over = legal(batch, np.random.default_rng(step)), batch.over.copy()
        batch.step(actions)
        for index in np.flatnonzero(~over):
            after, mine = batch[index], before[index].play(int(actions[index]))
            if position.has_chance or mine.is_terminal():
                continue  # dice: what the opponent chose cannot be seen
            replies = [mine.play(action) for action in mine.legal_actions()]
            values = [look(reply, mine.to_move) for reply in replies]
            best = [r for r, v in zip(replies, values, strict=True) if v == max(values)]
            assert after in best


@pytest.mark.parametrize("evaluate", [None, pytest.param(level, marks=compiles_long)])
def test_a_greedy_opponent_takes_any_of_the_best(evaluate: Any) -> None:
    """From the empty board all columns are, without an evaluation."""
    n = 700 if disabled() else 7000
    batch = boards(ConnectFour(), n, opponent=evaluate or "greedy", seat="second")
    counts = np.bincount(batch.observations[:, 5, :, 1].argmax(axis=1), minlength=7)
    best = counts if evaluate is None else counts[[2, 4]]
    assert best.sum() == n
    check_even(best, 22.5)


@compiles_long
def test_a_greedy_opponent_may_move_again() -> None:
    """An evaluation for the player to move counts as it is where the same player is to move."""
    start = Heap(size=9, num_players=2)
    batch = boards(start, 40, opponent=rest, seat="second")
    assert {batch[index] for index in range(40)} == {start.play(1).play(1).play(2)}


@compiles_long
def test_the_end_is_seen_from_ones_own_seat() -> None:
    """Of a board of several words, whoever would be to move."""
    start = Hex(9)
    nearly = start.after("a1 b1 a2 b2 a3 b3 a4 b4 a5 b5 a6 b6 a7 b7 a8 b8")
    batch = boards(start, 2, opponent="random", seat="first", autoreset="disabled")
    batch.start_from(nearly)
    batch.step([start.action("a9"), start.action("i9")])
    assert batch.terminated.tolist() == [True, False]
    planes = np.zeros(start.observation_shape, np.int8)
    batch[0].observe(0, planes)
    assert batch[0].to_move == 1
    assert np.array_equal(batch.observations[0], planes)


@compiles_long
def test_a_game_that_the_opponent_ends_at_once() -> None:
    batch = boards(TicTacToe(1, 1, 1), 2, opponent="random", seat=1, autoreset="next_step")
    assert batch.masks.all()
    assert not batch.terminated.any()
    batch.step([0, 0])
    assert batch.terminated.all()
    assert batch.rewards.tolist() == [-1, -1]


@pytest.mark.parametrize("mode", ["same_step", "next_step", "disabled"])
def test_a_game_that_chance_ends_at_once(mode: str) -> None:
    """Without an opponent, too, the next step reports it, whatever its action."""
    batch = boards(Toss(coins=1, tossed=True), 2, autoreset=mode)
    for _ in range(3):
        assert batch.masks.all()
        batch.step([0, 1])
        assert batch.terminated.tolist() == [True, True]
        assert batch.utilities.tolist() == [[1, -1], [1, -1]]
        if mode != "same_step":
            batch.reset()


# ---- the words of a position


@kernel
def again(position, row):  # type: ignore[no-untyped-def]
    pack(position, row)
    return unpack(position, row)


@pytest.mark.parametrize(
    "position",
    [
        ConnectFour().after("4455"),
        Hex(9, swap=True).after("i9 swap a5"),
        ThirtyOne(num_players=3).after("1 2"),
        Pig(target=12).play(0),
        Pile().play(1),
        Race().play(0),
    ],
    ids=name,
)
def test_words_make_a_position_again(position: Position) -> None:
    row = np.zeros(num_words(position), np.int64)
    found = again(position, row)
    assert found == position
    assert type(found) is type(position)
    assert unpack(position.start(), row) == position
    assert [type(value) for value in unpack(position, row)] == [type(value) for value in position]


@kernel
def unpack_bits_kernel(words, sources, span, out, end):  # type: ignore[no-untyped-def]
    unpack_bits(words, sources, span, out, 3, end)


WORDS = st.integers(-(2**63), 2**63 - 1)


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.float32])
@pytest.mark.parametrize(("first", "number"), [(0, 1), (5, 13), (2, 40)])
@given(low=WORDS, high=WORDS, seed=st.integers(0, 1000))
@settings(max_examples=10, deadline=None)
def test_bits_are_unpacked(
    dtype: Any, first: int, number: int, low: int, high: int, seed: int
) -> None:
    cells = np.random.default_rng(seed).integers(0, 128, 45 + BEYOND)
    sources = np.array([cells >> 3, 1 << (cells & 7)], np.uint8)
    both = (high % 2**64) << 64 | low % 2**64
    expected = [both >> int(cell) & 1 for cell in cells[first : first + number]]
    for room in (0, BEYOND + 1):  # exactly, and many at a time
        out = np.zeros(4 + number + BEYOND, dtype)
        unpack_bits_kernel((low, high), sources, (first, number), out, 3 + number + room)
        assert out[3 : 3 + number].tolist() == expected
        assert not out[:3].any()
        assert room or not out[3 + number :].any()


@pytest.mark.thorough
@pytest.mark.skipif(disabled(), reason="nothing is compiled")
def test_any_processor_will_do(tmp_path: Path) -> None:
    """Where the processor lacks the instructions that make it fast here, the same comes out."""
    path = tmp_path / "played.py"
    path.write_text(inspect.getsource(played))
    code = "import sys; sys.path.insert(0, sys.argv[1]); from played import played; print(played())"
    plain = {**os.environ, "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    command = [sys.executable, "-c", code, str(tmp_path)]
    found = subprocess.run(command, env=plain, check=True, capture_output=True, text=True)
    assert found.stdout.strip() == played()


def played() -> str:
    """What random games come to."""
    import hashlib

    from adv_envs import ConnectFour, Hex
    from adv_envs.batch.boards import Boards

    seen = hashlib.sha256()
    for start, dtype in ((ConnectFour(), "float32"), (Hex(9), "int8")):
        batch = Boards(start, 20, 1, dtype=dtype)
        batch.reset(seed=1)
        for _ in range(12):
            batch.play_random(5)
            seen.update(batch.observations.tobytes() + batch.masks.tobytes())
            seen.update(batch.state.words.tobytes() + batch.utilities.tobytes())
    return seen.hexdigest()


# ---- bad input


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"position": TicTacToe}, "position must be a position"),
        ({"position": TicTacToe().after("a1 a2 b1 b2 c1")}, "finished position"),
        ({"n": 0}, "n must be at least 1, not 0"),
        ({"n": 2.5}, "n must be an integer, not 2.5"),
        ({"threads": 0}, "threads must be at least 1"),
        ({"autoreset": "never"}, "autoreset must be one of"),
        ({"opponent": "minimax"}, 'opponent must be None, "random", "greedy" or an evaluation'),
        ({"opponent": "random", "seat": 2}, "0 .. 1, not 2"),
        ({"opponent": "random", "seat": "last"}, "not 'last'"),
        ({"seat": "second"}, "a seat needs an opponent"),
        ({"max_steps": 0}, "max_steps must be at least 1"),
        ({"dtype": "complex64"}, "observations can be of dtype bool"),
        ({"position": Pig(), "dtype": bool}, "up to 105 do not fit into bool"),
    ],
)
def test_bad_parameters(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        Boards(**{"position": TicTacToe(), "n": 2, **wrong})


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([1], r"3 integers, an array of shape \(3,\), not int64 of shape \(1,\)"),
        ([[1, 1, 1]], r"of shape \(1, 3\)"),
        ([1.0, 2.0, 3.0], "not float64"),
        ([True, False, True], "not bool"),
        ([0, 1, 9], r"actions must be 0 to 6, not 9 \(in environment 2\)"),
        ([0, -1, 1], r"not -1 \(in environment 1\)"),
    ],
)
def test_bad_actions(actions: Any, message: str) -> None:
    batch = boards(ConnectFour(), 3)
    batch.step([0, 1, 2])
    before = batch.state.rows.copy()
    with pytest.raises(ValueError, match=message):
        batch.step(actions)
    assert np.array_equal(batch.state.rows, before)


def test_bad_resets() -> None:
    batch, against = Boards(TicTacToe(), 3), Boards(TicTacToe(), 3, opponent="random")
    for use in (lambda: batch.step([0, 0, 0]), batch.play_random, batch.random_actions):
        with pytest.raises(RuntimeError, match="reset"):
            use()
    for which, wrong, message in (
        (batch, {"seed": -1}, "a seed must be at least 0"),
        (batch, {"seed": 2**61}, "less than 2"),
        (batch, {"seed": 1.5}, "an integer"),
        (batch, {"seed": [1, 2]}, "3 of them|one integer, or 3"),
        (batch, {"seed": [1, 2, -3]}, "at least 0"),
        (batch, {"envs": [0, 1, 0]}, "bool array of shape"),
        (batch, {"seats": [0, 1, 0]}, "seats need an opponent"),
        (against, {"seats": [0, 1, 2]}, "seats must be 0 to 1"),
        (against, {"seats": [0.5, 1, 1]}, "seats must be 3 integers"),
    ):
        with pytest.raises((ValueError, TypeError), match=message):
            which.reset(**wrong)  # type: ignore[arg-type]


def test_a_field_that_is_no_word() -> None:
    class Half(Position, compiled=False):
        share: float = 0.5

        def is_terminal(self) -> bool:
            return False

    with pytest.raises(TypeError, match="the field share is of type <class 'float'>"):
        Boards(Half(), 2)
