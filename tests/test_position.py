"""Positions from outside are checked once, before anything trusts them."""

import math
from collections.abc import Callable
from random import Random
from typing import Annotated, Any, ClassVar

import gymnasium
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from odd_games import Shuttle
from samples import SAMPLES
from small_games import Heap, Race

import adv_envs
from adv_envs import (
    CHANCE,
    ConnectFour,
    Fig52,
    Go,
    Hex,
    IllegalMove,
    Kuhn,
    Othello,
    Pig,
    Position,
    ThirtyOne,
    TicTacToe,
    Tree,
    reachable,
    registry,
)
from adv_envs.batch.boards import Boards
from adv_envs.envs.gym import GymEnv
from adv_envs.position import Words, checked
from adv_envs.testing import check_game
from adv_envs.testing.game_laws import answers, is_whole, random_action, same_answers_compiled
from agents import make
from agents.knowledge import named_functions

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
    made = gymnasium.make("adv_envs/Hex-v0", size=3)
    for reset in (aec.reset, gym.reset, *([made.reset] if start == Hex(3) else [])):
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


@pytest.mark.plain
@pytest.mark.parametrize("name", SAMPLES)
def test_what_is_valid_can_be_asked_everything(name: str) -> None:
    """Any values of the fields of any game are refused, or the rules have an answer."""
    rng, accepted = Random(name), 0
    for _ in range(150):
        position: Any = rng.choice(SAMPLES[name].small)
        for _ in range(rng.choice((0, 1, 3, 9))):
            if not position.is_terminal():
                position = position.play(random_action(position, rng))
        if rng.random() < 0.2:
            position = position.hidden(rng.randrange(position.num_players))
        fields = [damaged(value, rng) if rng.random() < 0.3 else value for value in position]
        try:
            found = checked(type(position)(*fields))
        except (TypeError, ValueError):
            continue
        accepted += 1
        answers(found)
        if is_whole(found) and found.to_move != CHANCE:
            for action in found.legal_actions()[:4]:
                checked(found.play(action))
        assert tuple(found) == tuple(fields)
        assert tuple(map(type, found)) == tuple(map(type, position))
    assert accepted > 0


def damaged(value: Any, rng: Random) -> Any:
    """Another value of a field: a bit turned, another type, off the board, negative or huge."""
    if isinstance(value, int):
        bit = 1 << rng.randrange(value.bit_length() + 2)
        near = [value ^ bit, value + 1, value - 1, -value, value << 1, value >> 1]
        near.append(np.int64(value & 63))
        return rng.choice([*near, value, 0, -1, 2**62, 2**63, 10**400, True, 1.0, "x", None])
    return rng.choice([value, math.nan, math.inf, 10**400, "x", None, (), ((1,),), (("a", 5),)])


def test_numpy_integers_are_converted() -> None:
    board = TicTacToe().play(np.int64(4))  # type: ignore[arg-type]
    assert make("random()").act(board) in board.legal_actions()
    given = tuple(np.int64(number) for number in Hex(5).after("c3 b2")[2:])
    position = Hex(np.int8(5), np.False_, *given)  # type: ignore[arg-type]
    found = checked(position)
    assert found == Hex(5).after("c3 b2")
    assert [type(value) for value in found] == [int, bool, int, int, int, int, bool, int]
    boards = Boards(position, 1)
    assert type(boards.start.own) is int
    env = GymEnv(Hex(5))
    env.reset(options={"position": position, "seat": 0})
    assert type(env.position.own) is int  # type: ignore[attr-defined]


def test_a_position_with_parts_that_nobody_lacks_is_not_whole() -> None:
    """Three players: the third one's card is unknown, which is no player's view."""
    dealt = Kuhn(3).after("Q K A")
    checked(dealt, whole=True)
    without = dealt._replace(cards=dealt.cards & 0xFF)
    with pytest.raises(ValueError, match="it lacks what player 2 knows"):
        checked(without, whole=True)


@pytest.mark.parametrize("size", [-3, 2, 3, 5, 7, 9, 10, 1000, 10**30])
def test_a_board_of_another_size_is_no_othello(size: int) -> None:
    with pytest.raises(ValueError, match="size must be 4, 6 or 8"):
        checked(Othello(4)._replace(size=size))


@pytest.mark.parametrize("komi", [10**400, -(10**400)])
def test_a_number_that_no_float_holds_is_refused(komi: int) -> None:
    with pytest.raises(ValueError, match="komi must be a number that a float can hold"):
        Go(komi=komi)


@pytest.mark.parametrize("name", ["hex.resistance", "hex.connected", "othello.mobility"])
def test_functions_that_can_be_named_check_positions(name: str) -> None:
    """They are compiled, and trust what they are given."""
    start = Hex(3) if name.startswith("hex") else Othello()
    for size in (-3, 1000):
        with pytest.raises(ValueError, match="size must be"):
            named_functions()[name](start._replace(size=size))
    with pytest.raises(ValueError, match="cells of the board"):
        named_functions()[name](start._replace(own=1 << 80))


@pytest.mark.plain
@pytest.mark.parametrize(
    ("tree", "error"),
    [
        ((), TypeError),
        (5, TypeError),
        ((("a",),), TypeError),
        ((("a", 1),), TypeError),
        (((("a", 1),), (math.nan,)), ValueError),
        (((("a", 1),), ("b",)), TypeError),
        (((("a", 1), ("a", 2)), (0,), (1,)), TypeError),
        (((("a b", 1),), (0,)), ValueError),
        (((("a", 0),), (0,)), ValueError),
        (((("a", 7),), (0,)), ValueError),
        (((("a", 1),), (10**400,)), ValueError),
    ],
)
def test_what_is_no_tree(tree: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        checked(Tree(tree, 0, 0))


@pytest.mark.plain
def test_a_tree_that_is_too_deep() -> None:
    drawn: Any = 0
    for _ in range(3_000):
        drawn = {"a": drawn}
    with pytest.raises(ValueError, match="at most 200 moves deep"):
        Tree(drawn)


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
        checked(position)
    except (TypeError, ValueError):
        return
    same_answers_compiled(position, rng)
    if not position.is_terminal() and not position.has_chance:
        assert make("alpha_beta(depth=1)").act(position) in position.legal_actions()


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


@pytest.mark.parametrize("move", [None, 0.5, [3], b"4", True])
def test_moves_that_are_none(move: Any) -> None:
    with pytest.raises(TypeError, match="a move is an action or its name, not"):
        ConnectFour().move(move)


class Cased(TicTacToe):
    """Two moves have names that differ in their case."""

    def name(self, action: int) -> str:
        """ab, AB, c, and so on."""
        return ("ab", "AB", *"cdefghi")[action]


def test_another_case_is_read_only_where_one_move_can_be_meant() -> None:
    assert [Cased().action(name) for name in ("ab", "AB", "C")] == [0, 1, 2]
    with pytest.raises(IllegalMove, match="'Ab' is not a legal move"):
        Cased().action("Ab")


@pytest.mark.parametrize("start", [*GAMES, Fig52(), Race(), Heap(num_players=3), Shuttle()])
def test_legal_is_safe_for_any_integer(start: Position) -> None:
    rng, position = Random(1), start
    for _ in range(20):
        inside = range(position.num_actions)
        for action in (-1, -2, -(2**70), position.num_actions, position.num_actions + 1, 2**70):
            assert position.legal(action) is False
        assert [*filter(position.legal, range(-99, 99))] == [*filter(position.legal, inside)]
        if not position.is_terminal():
            position = position.play(random_action(position, rng))


@pytest.mark.parametrize(
    ("start", "line"),
    [
        (TicTacToe(), "a1 b2"),
        (ConnectFour(), "4 4 5 5"),
        (Hex(3, swap=True), "b1 swap"),
        (ThirtyOne(), "1 5 3"),
        (Fig52(), "a1 b1"),
    ],
)
def test_ply(start: Position, line: str) -> None:
    assert start.after(line).ply == len(line.split())
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
    swapped = Hex(3, swap=True).after("b1 swap c3")  # the stones do not tell who is to move
    assert Hex.from_text(str(swapped), to_move=1, swap=True) == swapped
    assert Hex.from_text(str(swapped), swap=True).to_move == 0


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


# ---- fields of a base


def test_a_class_has_the_fields_of_its_base_and_its_parameters_first() -> None:
    class Walk(Position, compiled=False):
        steps: int = 3
        mode: Words = Words("slow", "fast")
        at: Annotated[int, "room"] = 0
        parameters: ClassVar[tuple[str, ...]] = ("steps", "mode")

    class Maze(Walk):
        mode: Words = Words("quick", "lazy")
        steps: int = 4
        width: int = 5
        parameters = ("steps", "mode", "width")

    class Still(Walk):
        steps: int = 2
        at = 7

    assert Maze._fields == ("steps", "mode", "width", "at")
    assert (Still._fields, Still(mode="fast").at) == (("steps", "mode"), 7)
    assert Maze.state_fields == ("at",)
    assert Maze.wide_fields == {"at": "room"}
    assert repr(Maze(width=9, mode="lazy")) == "Maze(steps=4, mode='lazy', width=9, at=0)"
    assert repr(Walk(mode="fast")) == "Walk(steps=3, mode='fast', at=0)"
    with pytest.raises(TypeError, match="first fields of Odd must be its parameters"):
        type(Walk)("Odd", (Walk,), {"__annotations__": {"n": int}, "n": 1, "parameters": ("m",)})


# ---- all positions of a game


class Loaded(Position):
    """A die that is thrown once and never shows its second face."""

    rolled: int = -1
    num_actions = 3
    to_move = CHANCE

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


class Lamp(Position):
    """Switched once; green wins."""

    colour: Words = Words("red", "green", "blue")
    on: bool = False
    parameters = ("colour",)
    num_actions = 1
    to_move = 0
    observation_shape = (1,)

    def legal(self, action: int) -> bool:
        return True

    def play(self, action: int) -> "Lamp":
        return Lamp(self.colour, True)

    def is_terminal(self) -> bool:
        return self.on

    def utility(self, player: int) -> float:
        return 0 if self.colour != 1 else 1 - 2 * player

    def observe(self, player: int, planes: Any) -> None:
        planes[0] = self.on


def test_a_parameter_with_words_is_kept_as_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.GAMES, "lamp", Lamp)
    green = Lamp("green")
    assert green == Lamp(colour=1) == Lamp(colour=np.int64(1)) != Lamp()
    assert (green.colour, type(green.colour), Lamp().colour) == (1, int, 0)
    assert repr(green) == "Lamp(colour='green', on=False)"
    assert registry.position_of(repr(green)) == green
    assert registry.title(green) == "lamp, colour='green'"
    assert registry.parameters_of(green) == {"colour": "green"}
    assert registry.start_position("lamp", **registry.parameters_of(green)) == green
    assert green.move(0).start() == green
    check_game(green, games=1)


@pytest.mark.parametrize("value", ["pink", "Green", 3, -1, True, None, 1.0])
def test_other_words_are_refused(value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.GAMES, "lamp", Lamp)
    error = ValueError if type(value) in (str, int) else TypeError
    says = "colour must be 'red', 'green' or 'blue'"
    with pytest.raises(error, match=f"{says}, not {value!r}"):
        Lamp(value)
    with pytest.raises((ValueError, TypeError), match=says):
        checked(Lamp(value, False))
    with pytest.raises(ValueError, match=says):
        registry.position_of(f"Lamp(colour={value!r}, on=False)")


class Stock(Position):
    """Take 1 or 2 of ``size``; the last to take wins."""

    size: int = 5
    left: int = -1  # all of them
    ply: int = 0
    parameters = ("size",)
    num_actions = 2
    observation_shape = (1,)

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
