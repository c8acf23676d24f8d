"""Positions from outside are checked once, before anything trusts them."""

from collections.abc import Callable
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from odd_games import Shuttle
from small_games import Heap, Race

import adv_envs
from adv_envs import (
    CHANCE,
    ConnectFour,
    Fig52,
    Hex,
    IllegalMove,
    Pig,
    Position,
    ThirtyOne,
    TicTacToe,
    Tree,
    reachable,
)
from adv_envs.batch.boards import Boards
from adv_envs.envs.gym import GymEnv
from adv_envs.position import require_valid
from adv_envs.testing import check_game
from adv_envs.testing.game_laws import random_action, same_answers_compiled
from agents import make

BAD = {
    "a negative size": (Hex(), Hex(-3, False, 0, 0, 0, 0, False, 0)),
    "a huge size": (Hex(), Hex(10**9, False, 0, 0, 0, 0, False, 0)),
    "an own stone off the board": (Hex(3), Hex(3, False, 1 << 3, 1, 0, 1, False, 2)),
    "a negative set": (Hex(3), Hex(3, False, -1, 0, 0, 0, False, 0)),
    "two stones on one cell": (Hex(3), Hex(3, False, 1, 1, 1, 1, False, 2)),
    "a wrong ply": (Hex(3), Hex(3, False, 0, 0, 0, 0, False, 7)),
    "joined stones that are none": (Hex(3), Hex(3, False, 0, 1, 0, 2, False, 1)),
    "a win that is none": (Hex(3), Hex(3, False, 0, 0, 0, 0, True, 0)),
    "a stone in the air": (ConnectFour(), ConnectFour(6, 7, 4, 0, 2, 1)),
    "a board of 60 x 60": (ConnectFour(), ConnectFour(60, 60, 4, 0, 0, 0)),
    "a row of none": (TicTacToe(), TicTacToe(3, 3, 0, 0, 0, 0)),
    "a stone in the gap": (TicTacToe(), TicTacToe(3, 3, 3, 0, 8, 1)),
    "a ply of -1": (TicTacToe(), TicTacToe(3, 3, 3, 0, 0, -1)),
    "more tokens than there are": (ThirtyOne(), ThirtyOne(31, 4, 6, 2, 7, 7, 7)),
    "sums of 10,000 values": (ThirtyOne(), ThirtyOne(31, 4, 10_000, 2, 0, 0, 0)),
    "a negative score": (Pig(), Pig(100, 6, -5, 0, 0, 0, False)),
    "a player 7": (Pig(), Pig(100, 6, 0, 0, 0, 7, False)),
    "a node that is none": (Fig52(), Fig52(Fig52().tree, 99, 1)),
    "a tree that is a circle": (Tree(), Tree(((("a", 0),),), 0, 0)),
    "a move to nowhere": (Tree(), Tree(((("a", 5),),), 0, 0)),
}
"""For each a good start of the same kind of game, and a position made without a check."""

WHY = "must|cannot|do not fit|too large|this environment plays"

WRONG_TYPES = {
    "a float": TicTacToe(3, 3, 3, 0, 0, 0.5),  # type: ignore[arg-type]
    "text": TicTacToe(3, 3, 3, "0", 0, 0),  # type: ignore[arg-type]
    "nothing": Hex(5, None, 0, 0, 0, 0, False, 0),  # type: ignore[arg-type]
    "true for a number": Pig(100, 6, True, 0, 0, 0, False),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("spec", ["random()", "alpha_beta(depth=2)", "mcts(simulations=4)"])
def test_agents_refuse_positions_that_cannot_be(name: str, spec: str) -> None:
    _, wrong = BAD[name]
    with pytest.raises(ValueError, match=WHY):
        make(spec).act(wrong)


@pytest.mark.parametrize("name", WRONG_TYPES)
def test_agents_refuse_fields_of_a_wrong_type(name: str) -> None:
    with pytest.raises(TypeError, match=r"ply|own|swap|first"):
        make("random()").act(WRONG_TYPES[name])


def test_numpy_integers_are_integers() -> None:
    position = TicTacToe().play(np.int64(4))  # type: ignore[arg-type]
    assert make("random()").act(position) in position.legal_actions()


MAKE: list[Callable[[Position], Any]] = [adv_envs.env, GymEnv, lambda start: Boards(start, 2)]


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("make_env", MAKE, ids=["aec", "gymnasium", "boards"])
def test_no_environment_begins_with_one(name: str, make_env: Callable[[Position], Any]) -> None:
    _, wrong = BAD[name]
    with pytest.raises(ValueError, match=WHY):
        make_env(wrong)


@pytest.mark.parametrize("name", BAD)
def test_no_environment_goes_on_from_one(name: str) -> None:
    start, wrong = BAD[name]
    aec, gym = adv_envs.env(start), GymEnv(start)
    for reset in (aec.reset, gym.reset):
        with pytest.raises(ValueError, match=WHY):
            reset(options={"position": wrong})
    with pytest.raises(ValueError, match=WHY):
        aec.unwrapped.position = wrong


GAMES = [
    TicTacToe(),
    TicTacToe(4, 5, 3),
    ConnectFour(),
    Hex(3),
    Hex(5, swap=True),
    Hex(9),
    ThirtyOne(),
    Pig(),
]
NUMBERS = st.integers(-3, 40) | st.integers(-(2**64), 2**64) | st.sampled_from([2**63, 10**40])
JUNK: st.SearchStrategy[Any] = NUMBERS | st.booleans() | st.none() | st.floats() | st.text()


@pytest.mark.thorough
@settings(deadline=None, derandomize=True, max_examples=400)
@given(st.sampled_from(GAMES), st.integers(0, 2**32), st.data())
def test_what_is_valid_does_compiled_code_no_harm(
    start: Position, seed: int, data: st.DataObject
) -> None:
    """Any values of the fields are refused, or give the same answers compiled and in Python."""
    rng, position = Random(seed), start
    for _ in range(rng.randrange(9)):
        if not position.is_terminal():
            position = position.play(random_action(position, rng))
    fields = list(position)
    for _ in range(rng.randrange(3)):
        fields[rng.randrange(len(fields))] = data.draw(JUNK)
    position = type(start)(*fields)
    try:
        require_valid(position)
    except (TypeError, ValueError):
        return
    same_answers_compiled(position, rng)
    if not position.is_terminal() and not position.has_chance:
        assert make("alpha_beta(depth=1)").act(position) in position.legal_actions()


def test_gymnasium_make_refuses_one_too() -> None:
    env = gymnasium.make("adv_envs/Hex-v0", size=3)
    with pytest.raises(ValueError, match="own_joined, opp_joined and won do not fit"):
        env.reset(options={"position": Hex(3, False, 0, 1, 0, 2, False, 1)})


# ---- moves from outside


def test_move_takes_a_name_or_an_action() -> None:
    assert ConnectFour().move("4") == ConnectFour().move(3) == ConnectFour().play(3)
    assert ConnectFour().move(np.int64(3)) == ConnectFour().play(3)  # type: ignore[arg-type]
    assert type(ConnectFour().move(np.int64(3)).opp) is int  # type: ignore[arg-type]
    assert Hex(3, swap=True).move("B1").move("swap").to_move == 0
    assert Pig().move("roll").move("6").turn == 6  # chance moves as well
    assert Fig52().move("a1").move("b1").utility(0) == 3


@pytest.mark.parametrize(
    ("position", "move", "says"),
    [
        (ConnectFour(), 7, "action 7 is not legal; legal: 1, 2, 3, 4, 5, 6, 7"),
        (ConnectFour(), -1, "action -1 is not legal"),
        (ConnectFour(), 10**30, "is not legal"),
        (ConnectFour(), "8", "'8' is not a legal move; legal: 1, 2"),
        (ConnectFour().after("444444"), 3, "action 3 is not legal"),
        (ConnectFour().after("444444"), "4", "'4' is not a legal move"),
        (TicTacToe().after("a1 a2 b1 b2 c1"), 8, "the game is over"),
        (TicTacToe().after("a1 a2 b1 b2 c1"), "c3", "the game is over"),
        (Hex(3), 9, "action 9 is not legal"),
    ],
)
def test_moves_that_are_illegal(position: Position, move: Any, says: str) -> None:
    with pytest.raises(IllegalMove, match=says):
        position.move(move)


@pytest.mark.parametrize("move", [None, 0.5, [3], b"4"])
def test_moves_that_are_none(move: Any) -> None:
    with pytest.raises(TypeError, match="a move is an action or its name, not"):
        ConnectFour().move(move)


@pytest.mark.parametrize("start", [*GAMES, Fig52(), Race(), Heap(num_players=3), Shuttle()])
def test_legal_is_safe_for_any_integer(start: Position) -> None:
    rng, position = Random(1), start
    for _ in range(20):
        inside = range(position.num_actions)
        for action in (-1, -2, -(2**70), position.num_actions, position.num_actions + 1, 2**70):
            assert position.legal(action) is False
        assert [a for a in range(-99, 99) if position.legal(a)] == list(
            filter(position.legal, inside)
        )
        if not position.is_terminal():
            position = position.play(random_action(position, rng))


def test_ply() -> None:
    for position, ply in (
        (TicTacToe().after("a1 b2"), 2),
        (ConnectFour().after("4455"), 4),
        (Hex(3, swap=True).after("b1 swap"), 2),
        (ThirtyOne().after("1 5 3"), 3),
        (Fig52().after("a1 b1"), 2),
    ):
        assert position.ply == ply
    with pytest.raises(AttributeError, match="does not count"):
        assert Pig().ply


# ---- boards as text

BOARDS: list[Any] = [
    TicTacToe(),
    TicTacToe(4, 7),
    TicTacToe(1, 1, 1),
    TicTacToe(2, 20, 5),
    ConnectFour(),
    ConnectFour(4, 12),
    ConnectFour(1, 1, 1),
    Hex(2),
    Hex(3, swap=True),
    Hex(5),
    Hex(19),
]


@settings(deadline=None, derandomize=True, max_examples=200)
@given(st.sampled_from(BOARDS), st.integers(0, 2**32))
def test_a_board_is_read_back_from_its_text(start: Any, seed: int) -> None:
    rng, position = Random(seed), start
    for _ in range(rng.randrange(40)):
        if not position.is_terminal():
            position = position.play(random_action(position, rng))
    hidden = {name: getattr(start, name) for name in ("k", "swap") if name in start.parameters}
    for text in (str(position), str(position).replace("\n", "\n\n"), f"{position}\n"):
        assert type(start).from_text(text, position.to_move, **hidden) == position


def test_parameters_that_do_not_show_have_their_defaults() -> None:
    position = ConnectFour().after("4455")
    assert ConnectFour.from_text(str(position)) == position
    assert TicTacToe.from_text("XO.\n.X.\n...") == TicTacToe().after("a1 b1 b2")
    assert TicTacToe.from_text("""
        . . .
        . X .
        . . .""") == TicTacToe().move("b2")
    assert Hex.from_text("X.\n.O") == Hex(2).after("a1 b2")
    assert Hex.from_text("X.\n.O", to_move=1).ply == 3


def test_after_a_swap_stones_do_not_tell_who_is_to_move() -> None:
    position = Hex(3, swap=True).after("b1 swap c3")
    assert Hex.from_text(str(position), to_move=1, swap=True) == position
    assert Hex.from_text(str(position), swap=True).to_move == 0


@pytest.mark.parametrize(
    ("game", "text", "parameters", "says"),
    [
        (TicTacToe, "", {}, "there is no board in ''"),
        (TicTacToe, "XYZ", {}, "there is no board"),
        (TicTacToe, "X..\n..", {}, "as long as each other: X.., .."),
        (TicTacToe, "XX.\nX..\n...", {}, "cannot have"),
        (TicTacToe, "...\n...", {"height": 3}, "3 rows of 3 cells, not 2 of 3"),
        (TicTacToe, "...\n...\n...", {"k": 9}, "k must be 1 to 3"),
        (ConnectFour, "X..\n...", {"k": 2}, "must rest on the floor"),
        (Hex, "...\n...", {}, "2 rows of 2 cells, not 2 of 3"),
        (TicTacToe, "...\n...\n...", {"to_move": 1}, "cannot have"),
        (Hex, "X.\nXO", {"to_move": 0}, "cannot have joined both edges"),
    ],
)
def test_text_that_is_no_board(game: Any, text: str, parameters: dict[str, int], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        game.from_text(text, **parameters)


# ---- all positions of a game


class Loaded(Position):
    """A die that is thrown once and never shows its second face."""

    rolled: int = -1

    @property
    def num_actions(self) -> int:
        return 3

    @property
    def to_move(self) -> int:
        return CHANCE

    def legal(self, action: int) -> bool:
        return True

    def probability(self, action: int) -> float:
        return 0.0 if action == 1 else 0.5

    def play(self, action: int) -> "Loaded":
        return Loaded(action)

    def is_terminal(self) -> bool:
        return self.rolled >= 0


def test_reachable() -> None:
    found = list(reachable(TicTacToe()))
    assert len(found) == len(set(found)) == 5478  # Schaeffer and others
    assert [position.ply for position in found] == sorted(position.ply for position in found)
    assert found[0] == TicTacToe()
    assert sum(1 for _ in reachable(Fig52())) == 13
    end = TicTacToe().after("a1 a2 b1 b2 c1")
    assert list(reachable(end)) == [end]


def test_reachable_by_chance() -> None:
    small = Pig(target=2, faces=2)
    assert set(reachable(small.play(0))) >= {small.after("roll 1"), small.after("roll 2")}
    loaded = Loaded()
    assert {position.rolled for position in reachable(loaded)} == {-1, 0, 2}, "1 never comes up"


def test_reachable_within_a_limit() -> None:
    assert sum(1 for _ in reachable(TicTacToe(), limit=5478)) == 5478
    with pytest.raises(ValueError, match="more than 5,477 positions are reachable"):
        list(reachable(TicTacToe(), limit=5477))
    first = next(iter(reachable(Hex(19), limit=1)))
    assert first == Hex(19)


# ---- starts that depend on parameters


class Stock(Position):
    """Take 1 or 2 of ``size``; the last to take wins."""

    size: int = 5
    left: int = -1  # all of them
    ply: int = 0
    parameters = ("size",)

    @property
    def num_actions(self) -> int:
        return 2

    @property
    def to_move(self) -> int:
        return self.ply % 2

    def legal(self, action: int) -> bool:
        return action < self.left

    def play(self, action: int) -> "Stock":
        return Stock(self.size, self.left - action - 1, self.ply + 1)

    def is_terminal(self) -> bool:
        return self.left == 0

    def utility(self, player: int) -> int:
        return -1 if player == self.to_move else 1

    @property
    def observation_shape(self) -> tuple[int]:
        return (1,)

    @property
    def observation_high(self) -> int:
        return self.size

    def observe(self, player: int, planes: Any) -> None:
        planes[0] = self.left

    def set_up(self) -> "Stock":
        return self if self.left >= 0 else Stock(self.size, self.size, self.ply)

    def check(self) -> None:
        if not 0 <= self.left <= self.size:
            raise ValueError(f"left must be 0 to {self.size}, not {self.left}")


def test_a_start_is_set_up_by_its_parameters() -> None:
    assert Stock() == Stock(5, 5, 0)
    assert Stock(size=7) == Stock(7, 7, 0) == Stock(7).play(0).start()
    assert Stock(7, left=3) == Stock(7, 3, 0)
    with pytest.raises(ValueError, match="left must be 0 to 7, not 8"):
        Stock(7, left=8)
    check_game(Stock(7), games=3)
