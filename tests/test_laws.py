"""Every game and environment under every law; and broken ones, each caught by the law it breaks."""

import copy
import itertools
import random
from collections.abc import Callable
from random import Random
from typing import Any, ClassVar

import numpy as np
import pytest
from pettingzoo.utils import wrappers
from samples import SAMPLES
from small_games import Heap, Pile, Race

import adv_envs
from adv_envs import (
    CHANCE,
    AnimalShogi,
    ConnectFour,
    Fig52,
    Hex,
    Position,
    ThirtyOne,
    TicTacToe,
    Tree,
)
from adv_envs.envs.aec import Env
from adv_envs.jit import disabled
from adv_envs.notation import write_line
from adv_envs.testing import check_agent, check_env, check_game

SMALL: list[Position] = [
    *(position for samples in SAMPLES.values() for position in samples.small),
    Race(),
    Race(goal=3, sides=2),
    Heap(),
    Heap(size=20, num_players=2),
    Pile(),
]

LARGE: list[Position] = [p for samples in SAMPLES.values() for p in samples.large]


def test_every_game_is_under_the_laws() -> None:
    assert SAMPLES.keys() == adv_envs.GAMES.keys()


def spell(position: Any) -> str:
    if isinstance(position, Position):
        fields = [getattr(position, name) for name in position.parameters]
        shown = "" if isinstance(position, Tree) else ",".join(map(str, fields))
        return f"{type(position).__name__}({shown})"
    return getattr(position, "__name__", type(position).__name__)


# ---- every game obeys


@pytest.mark.parametrize("position", SMALL, ids=spell)
def test_games(position: Position) -> None:
    check_game(position, games=10)


@pytest.mark.thorough
@pytest.mark.parametrize("position", LARGE, ids=spell)
def test_large_games(position: Position) -> None:
    check_game(position, games=1 if isinstance(position, AnimalShogi | Hex) else 2)


@pytest.mark.slow
@pytest.mark.parametrize("size", range(2, 20))
def test_hex_of_every_size(size: int) -> None:
    check_game(Hex(size), games=2)
    check_game(Hex(size, swap=True), games=1, seed=1)


BOARDS = [
    (game, height, width)
    for game in (TicTacToe, ConnectFour)
    for height, width in itertools.product(range(1, 63), repeat=2)
    if (height * (width + 1) if game is TicTacToe else (height + 1) * width) <= 63
    and height <= (31 if game is TicTacToe else 62)
    and width <= (62 if game is TicTacToe else 31)
]


def test_boards_of_random_sizes() -> None:
    rng = Random(3)
    for game, height, width in rng.sample(BOARDS, 12):
        check_game(game(height, width, rng.randint(1, max(height, width))), games=1)


@pytest.mark.slow
def test_boards_of_every_size() -> None:
    rng = Random(4)
    for game, height, width in BOARDS:
        check_game(game(height, width, rng.randint(1, max(height, width))), games=1)


def test_from_the_middle_of_a_game() -> None:
    check_game(ConnectFour().after("4455"), games=5)
    check_game(Hex(4, swap=True).after("b1 swap"), games=5)
    check_game(TicTacToe().after("a1 a2 b1 b2 c1"), games=2)  # finished


@pytest.mark.parametrize("position", SMALL, ids=spell)
def test_environments(position: Position) -> None:
    check_env(lambda: adv_envs.env(position), games=4)
    check_env(lambda: adv_envs.raw_env(position), games=4)


@pytest.mark.thorough
@pytest.mark.parametrize("position", LARGE, ids=spell)
def test_large_environments(position: Position) -> None:
    check_env(adv_envs.env(position), games=1)


@pytest.mark.parametrize(
    "position", [TicTacToe(), Hex(3, swap=True), Race(), Heap(), Fig52()], ids=spell
)
def test_wrapped_environments(position: Position) -> None:
    env = wrappers.TerminateIllegalWrapper(adv_envs.raw_env(position), illegal_reward=-1)
    check_env(wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env)))
    check_env(wrappers.OrderEnforcingWrapper(adv_envs.env(position)))


def test_a_game_in_plain_python_is_told_so(capsys: pytest.CaptureFixture[str]) -> None:
    check_game(Pile(), games=1)
    assert capsys.readouterr().out.startswith("hint: Pile says compiled=False")
    check_game(Heap(), games=1)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("what", [TicTacToe, "tic_tac_toe", None, (3, 3, 3)])
def test_only_positions_are_checked(what: Any) -> None:
    with pytest.raises(TypeError, match="check_game checks a position, such as"):
        check_game(what)


class Watched(Pile):
    played: ClassVar[list[int]] = []

    def play(self, action: int) -> Pile:
        self.played.append(action)
        return super().play(action)


def test_the_seed_decides() -> None:
    lines = []
    for seed in (1, 1, 2):
        Watched.played.clear()
        check_game(Watched(9), games=3, seed=seed)
        lines.append(Watched.played[:])
    assert lines[0] == lines[1] != lines[2]


# ---- broken games


def broken(name: str, base: type = Pile, /, **members: Any) -> Any:
    """The class ``name``: ``base`` with some members replaced."""
    return type(base)(name, (base,), {"__module__": __name__, **members})


def take(pile: Any, action: int) -> Pile:
    return type(pile)(pile.stones, pile.taken + action + 1, pile.ply + 1)


def sees(value: Callable[[Any], Any]) -> Callable[..., None]:
    """An ``observe`` that writes ``value``, of the position, in the first place."""

    def observe(self: Any, player: int, planes: Any) -> None:
        planes[0] = value(self)

    return observe


class ChangesItsParent(Pile):
    shared: ClassVar[list[int]] = [0]
    observe = sees(lambda self: self.shared[0] % 2)

    def play(self, action: int) -> Pile:
        self.shared[0] += 1
        return super().play(action)


class HoldsAList(Pile):
    plies = property(lambda self: self.ply if isinstance(self.ply, list) else [self.ply])
    to_move = property(lambda self: sum(self.plies) % 2)

    def play(self, action: int) -> Pile:
        return type(self)(self.stones, self.taken + action + 1, [*self.plies, 1])


class RefusesItself(Pile):
    def check(self) -> None:
        super().check()
        if self.taken > 2:
            raise ValueError("taken must be at most 2")


class BrokenRace(Race):
    def play(self, action: int) -> Race:
        return type(self)(*super().play(action))


class NoDie(BrokenRace):
    def probability(self, action: int) -> float:
        raise NotImplementedError


rng, asked = Random(0), itertools.count()
PlaysAtRandom = broken(
    "PlaysAtRandom", play=lambda self, _: take(self, rng.randrange(2) if self.taken < 3 else 0)
)
ChangesAParameter = broken(
    "ChangesAParameter", play=lambda self, a: take(self, a)._replace(stones=self.stones + 1)
)
TurnsIntoAnother = broken("TurnsIntoAnother", play=lambda self, a: Pile(*take(self, a)))
NumPyInside = broken(
    "NumPyInside", play=lambda self, a: take(self, a)._replace(taken=np.int64(self.taken + a + 1))
)
NothingLegal = broken("NothingLegal", legal=lambda self, a: self.taken + a < self.stones - 1)
NeverEnds = broken(
    "NeverEnds",
    is_terminal=lambda self: False,
    legal=lambda self, a: True,
    play=lambda self, a: type(self)(self.stones, self.taken, 1 - self.ply),
)
LegalIsANumber = broken("LegalIsANumber", legal=lambda self, a: int(Pile.legal(self, a)))
TerminalIsNumPy = broken("TerminalIsNumPy", is_terminal=lambda p: np.bool_(Pile.is_terminal(p)))
NobodyToMove = broken("NobodyToMove", to_move=property(lambda self: self.ply % 3))
NotZeroSum = broken("NotZeroSum", utility=lambda self, player: player != self.to_move)
EndlessUtility = broken("EndlessUtility", utility=lambda p, who: np.inf * Pile.utility(p, who))
WinsTooMuch = broken("WinsTooMuch", utility=lambda p, who: 2 * Pile.utility(p, who))
ThreeNim = broken("ThreeNim", num_players=3, utility=lambda self, player: float("nan"))
SeesTooMuch = broken("SeesTooMuch", observe=sees(lambda self: self.taken))
SeesTooLittle = broken("SeesTooLittle", observe=sees(lambda self: -self.ply))
SeesHalves = broken("SeesHalves", observe=sees(lambda self: 0.5))
SeesOutside = broken("SeesOutside", observe=lambda p, who, planes: planes[p.stones])
SeesSomethingNew = broken("SeesSomethingNew", observe=sees(lambda self: next(asked) % 2))
ShapeChanges = broken(
    "ShapeChanges", observation_shape=property(lambda self: (self.stones + self.ply,))
)
ActionsChange = broken(
    "ActionsChange", num_actions=property(lambda self: 2 if self.taken + 1 < self.stones else 1)
)
SameNames = broken("SameNames", name=lambda self, a: "take")
NamesDifferInCase = broken("NamesDifferInCase", name=lambda self, a: "aA"[a])
SpaceInName = broken("SpaceInName", name=lambda self, a: f"take {a + 1}")
EmptyName = broken("EmptyName", name=lambda self, a: "" if a else "one")
NameIsNotRead = broken("NameIsNotRead", action=lambda self, name: 0)
NamesRunTogether = broken("NamesRunTogether", name=lambda self, a: "11" if a else "1")
ForgetsToStart = broken("ForgetsToStart", start=lambda self: self)
StartsAnotherGame = broken("StartsAnotherGame", start=lambda self: type(self)())
NamelessSides = broken("NamelessSides", side_names=("Left",))
BothDraw = broken("BothDraw", result_text=lambda self: "Draw")
IsBlank = broken("IsBlank", __str__=lambda self: "")
UnfairDie = broken("UnfairDie", BrokenRace, probability=lambda self, a: 0.3)
ImpossibleFace = broken(
    "ImpossibleFace", BrokenRace, legal=lambda p, a: Race.legal(p, a) and a >= p.rolling
)

BROKEN: list[tuple[Callable[[], Position], str, str]] = [
    (ChangesItsParent, "play() gives a new position", "make a new position"),
    (HoldsAList, "A position is a value", r"ply is \[0, 1\]: it is declared to be int"),
    (PlaysAtRandom, "play() gives a new position", "gives another position each time"),
    (ChangesAParameter, "play() gives a new position", "changes a parameter"),
    (TurnsIntoAnother, "play() gives a new position", "is Pile"),
    (NumPyInside, "A position is a value", "it is declared to be int"),
    (NothingLegal, "Somebody is to move", "is_terminal.. must be True"),
    (NeverEnds, "", "no random game .* ended within 10000 plies"),
    (LegalIsANumber, "Somebody is to move", "must be True or False"),
    (TerminalIsNumPy, "Somebody is to move", "must be True or False"),
    (NobodyToMove, "Somebody is to move", "to_move is 2: it must be CHANCE or 0 .. 1"),
    (NotZeroSum, "A finished game is worth", "utility.0. == -utility.1."),
    (EndlessUtility, "A finished game is worth", "finite"),
    (WinsTooMuch, "A finished game is worth", "more than max_utility, 1"),
    (ThreeNim, "A finished game is worth", "finite"),
    (SeesTooMuch, "observe() fills an array", "leaves 0 .. observation_high"),
    (SeesTooLittle, "observe() fills an array", "leaves 0 .. observation_high"),
    (SeesHalves, "observe() fills an array", "not whole"),
    (SeesOutside, "play() gives a new position", "IndexError"),
    (SeesSomethingNew, "observe() fills an array", "something else the second time"),
    (ShapeChanges, "What depends on the game", "observation_shape"),
    (ActionsChange, "What depends on the game", "num_actions is 1 here and 2 at the start"),
    (SameNames, "Legal actions have different names", "'take' is the name of 0 and of 1"),
    (NamesDifferInCase, "Legal actions have different names", "'A' is the name of 0 and of 1"),
    (SpaceInName, "Legal actions have different names", "no spaces or commas"),
    (EmptyName, "Legal actions have different names", "name.1. is ''"),
    (NameIsNotRead, "Legal actions have different names", "is 0, not 1"),
    (RefusesItself, "A position is a value", "ValueError: taken must be at most 2"),
    (
        lambda: ForgetsToStart(5).play(0),
        "play() gives a new position",
        "start.. is another position",
    ),
    (lambda: StartsAnotherGame(7), "The start is the beginning", "another stones"),
    (NamelessSides, "Each player has a name", "side_names are"),
    (BothDraw, "Each player has a name", "names no winner: 'Draw'"),
    (IsBlank, "str() and repr() show the position", "str.. is empty"),
    (lambda: UnfairDie().play(1), "Where chance moves", "add up to 1.2"),
    (lambda: ImpossibleFace().play(1), "Where chance moves", "the action is illegal"),
    (lambda: NoDie().play(1), "Where chance moves", "NotImplementedError"),
]


@pytest.mark.parametrize(
    ("make", "law", "says"), BROKEN, ids=[type(make()).__name__ for make, _, _ in BROKEN]
)
def test_broken_games(make: Callable[[], Position], law: str, says: str) -> None:
    position = make()
    with pytest.raises(AssertionError, match=says) as caught:
        check_game(position, games=6)
    assert f"the law: {law}" in str(caught.value) or not law
    assert type(position).__name__ in str(caught.value)


def test_lines_that_are_misread(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the notation looks after, the law would find."""
    check_game(NamesRunTogether())

    def glued(position: Any, actions: list[int]) -> str:
        return write_line(position, actions).replace(" ", "")

    monkeypatch.setattr("adv_envs.testing.game_laws.write_line", glued)
    with pytest.raises(AssertionError, match="the law: A line of play is read back"):
        check_game(NamesRunTogether())


class OverflowsWhenCompiled(Position):
    """Python's integers have no end; compiled ones have 64 bits."""

    big: int = 1
    parameters = ()

    num_actions = 1
    to_move = 0
    observation_shape = (1,)

    def legal(self, action: int) -> bool:
        return True

    def play(self, action: int) -> "OverflowsWhenCompiled":
        return OverflowsWhenCompiled(self.big * 2**16)

    def is_terminal(self) -> bool:
        return self.big * 2**16 > 2**66

    def utility(self, player: int) -> float:
        return 0.0

    def observe(self, player: int, planes: Any) -> None:
        planes[0] = 1


class CannotBeCompiled(OverflowsWhenCompiled):
    def legal(self, action: int) -> bool:
        return bool({"a": 1}.get(str(action), 1))

    def play(self, action: int) -> "CannotBeCompiled":
        return CannotBeCompiled(self.big * 2)

    def is_terminal(self) -> bool:
        return self.big > 4


@pytest.mark.skipif(disabled(), reason="there is no compiler to disagree with")
@pytest.mark.parametrize("position", [OverflowsWhenCompiled(), CannotBeCompiled()], ids=spell)
def test_games_broken_when_compiled(position: Position) -> None:
    with pytest.raises(AssertionError, match="the law: Compiled or in plain Python"):
        check_game(position)


class PileIsAField(Pile):
    """Games do not know each other: what is a field here is a method or a property there."""

    size: int = 6
    pile: int = 0
    store: int = 0
    parameters = ("size",)

    @property
    def stones(self) -> int:  # type: ignore[override]
        return self.size

    @property
    def taken(self) -> int:  # type: ignore[override]
        return self.pile

    @property
    def ply(self) -> int:  # type: ignore[override]
        return self.store

    @property
    def depot(self) -> int:
        return self.store

    def play(self, action: int) -> Pile:
        return PileIsAField(self.size, self.pile + action + 1, self.depot + 1)


class PileIsAMethod(Pile):
    size: int = 6
    gone: int = 0
    plies: int = 0
    parameters = ("size",)

    def pile(self) -> int:
        return self.gone

    @property
    def store(self) -> int:
        return self.plies

    def depot(self) -> int:
        return self.plies

    @property
    def stones(self) -> int:  # type: ignore[override]
        return self.size

    @property
    def taken(self) -> int:  # type: ignore[override]
        return self.pile()

    @property
    def ply(self) -> int:  # type: ignore[override]
        return self.store

    def play(self, action: int) -> Pile:
        return PileIsAMethod(self.size, self.pile() + action + 1, self.depot() + 1)


def test_names_mean_what_they_mean_in_each_game() -> None:
    for game in (PileIsAMethod, PileIsAField, PileIsAMethod):
        check_game(game(), games=3)


# ---- broken environments


class ForgetsTheGame(Env):
    """What EzPickle does to PettingZoo's own games."""

    def __deepcopy__(self, memo: Any) -> Any:
        other = type(self)(self.start, self.metadata["name"])
        other.reset()
        return other


class LosesWhenPickled(Env):
    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.reset()

    def __deepcopy__(self, memo: Any) -> Any:
        other = type(self).__new__(type(self))
        other.__dict__.update(copy.deepcopy(self.__dict__, memo))
        return other


def shows(change: Callable[[Any], Any]) -> Callable[..., Any]:
    """An ``observe`` that changes what it found."""

    def observe(self: Env, agent: str) -> Any:
        seen = Env.observe(self, agent)
        change(seen)
        return seen

    return observe


MasksForEverybody = broken(
    "MasksForEverybody", Env, observe=shows(lambda seen: seen["action_mask"].fill(1))
)
ShowsAnotherMask = broken(
    "ShowsAnotherMask",
    Env,
    observe=shows(lambda seen: (mask := seen["action_mask"]).put(mask.argmax(), mask.sum() == 1)),
)
ShowsTheOther = broken(
    "ShowsTheOther",
    Env,
    observe=shows(lambda seen: seen.update(observation=seen["observation"][:, :, ::-1].copy())),
)
PlaysIllegalMoves = broken(
    "PlaysIllegalMoves",
    Env,
    _forfeit=lambda self, agent: self._play(agent, self.position.legal_actions()[0]),
)
ForgivesIllegalMoves = broken("ForgivesIllegalMoves", Env, _forfeit=lambda self, agent: None)
IgnoresOptions = broken(
    "IgnoresOptions", Env, reset=lambda self, seed=None, options=None: Env.reset(self, seed)
)
IgnoresTheSeed = broken(
    "IgnoresTheSeed",
    Env,
    reset=lambda self, seed=None, options=None: Env.reset(self, None),
)


class SharesItsArrays(Env):
    def observe(self, agent: str) -> Any:
        key = agent, self.agent_selection, self.position
        known = self.__dict__.setdefault("known", {})
        if key not in known:
            known[key] = super().observe(agent)
        return known[key]


class PaysTwice(Env):
    def _accumulate_rewards(self) -> None:
        super()._accumulate_rewards()
        super()._accumulate_rewards()


class PaysOnTheWay(Env):
    def _enter(self, position: Any, next_player: int) -> None:
        super()._enter(position, next_player)
        if not position.is_terminal():
            self.rewards["player_0"] = 1


class TakesAnyAction(Env):
    def step(self, action: Any) -> None:
        legal = self.position.legal_actions()
        super().step(action if not legal or action in legal else legal[0])


class StopsAtUnknownOptions(Env):
    def reset(self, seed: Any = None, options: Any = None) -> None:
        super().reset(seed, {"position": (options or {}).pop("position", self.start)})
        assert not options, f"unknown options {options}"


BROKEN_ENVS = [
    (ForgetsTheGame, "copy.deepcopy and pickle keep the game", "after deepcopy"),
    (LosesWhenPickled, "copy.deepcopy and pickle keep the game", "after pickle"),
    (MasksForEverybody, "Observations are new arrays", "all zeros|legal"),
    (ShowsAnotherMask, "Observations are new arrays", "the mask is"),
    (ShowsTheOther, "Observations are new arrays", "observe.. says"),
    (SharesItsArrays, "Observations are new arrays", "not a new array"),
    (PaysTwice, "Rewards are 0 before the end", "in all, last"),
    (PaysOnTheWay, "Rewards are 0 before the end", "rewards before the end"),
    (PlaysIllegalMoves, "A forbidden action raises", "was played"),
    (ForgivesIllegalMoves, "A forbidden action raises", "not over"),
    (TakesAnyAction, "A forbidden action raises", "is accepted"),
    (IgnoresOptions, "A game continues from any position", "which was set"),
    (StopsAtUnknownOptions, "reset() begins a new game", "unknown options"),
]


@pytest.mark.parametrize(
    ("cls", "law", "says"), BROKEN_ENVS, ids=[cls.__name__ for cls, _, _ in BROKEN_ENVS]
)
def test_broken_environments(cls: type, law: str, says: str) -> None:
    with pytest.raises(AssertionError, match=says) as caught:
        check_env(lambda: cls(TicTacToe(), "broken_v0"), games=10)
    assert f"the law: {law}" in str(caught.value)
    assert "broken_v0 at TicTacToe" in str(caught.value)


def test_broken_seeds() -> None:
    with pytest.raises(AssertionError, match="the law: The same seed") as caught:
        check_env(IgnoresTheSeed(Race(40), "broken_v0"))
    assert "once" in str(caught.value)


def test_environments_of_others_are_not_checked() -> None:
    from pettingzoo.classic import tictactoe_v3

    with pytest.raises(AssertionError, match="not one of adv_envs"):
        check_env(tictactoe_v3.env())


# ---- agents


class Chooser:
    """A good agent: it plays at random, from its seed."""

    def __init__(self) -> None:
        self.rng = Random()

    def reset(self, seed: int | None = None) -> None:
        self.rng = Random(seed)

    def act(self, position: Any) -> int:
        legal = position.legal_actions()
        if not legal:
            raise ValueError("the game is over")
        return self.rng.choice(legal)

    def __repr__(self) -> str:
        return "chooser()"


class Unseeded(Chooser):
    def reset(self, seed: int | None = None) -> None:
        pass


class Global(Chooser):
    def act(self, position: Any) -> int:
        super().act(position)
        return random.choice(position.legal_actions())


class Cheat(Chooser):
    def act(self, position: Any) -> int:
        super().act(position)
        illegal = [a for a in range(position.num_actions) if a not in position.legal_actions()]
        return [*illegal, position.legal_actions()[0]][0]


class NumPyAnswer(Chooser):
    def act(self, position: Any) -> Any:
        return np.int64(super().act(position))


class NeverStops(Chooser):
    def act(self, position: Any) -> int:
        return super().act(position) if position.legal_actions() else 0


class NoName(Chooser):
    __repr__ = object.__repr__


@pytest.mark.parametrize("position", [*SMALL[:3], Race(), Heap(), ThirtyOne(num_players=4)])
def test_agents(position: Position) -> None:
    check_agent(Chooser(), position, games=8, make={"chooser()": Chooser()}.__getitem__)


@pytest.mark.parametrize(
    ("agent", "law"),
    [
        (Unseeded(), "After the same reset.seed., the same calls give the same actions"),
        (Global(), "After the same reset.seed., the same calls give the same actions"),
        (Cheat(), "act.. answers with a legal action"),
        (NumPyAnswer(), "act.. answers with a legal action"),
        (NeverStops(), "act.. raises ValueError when the game is over"),
        (NoName(), "repr.agent. is its spec"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_broken_agents(agent: Any, law: str) -> None:
    with pytest.raises(AssertionError, match=f"the law: {law}"):
        check_agent(agent, TicTacToe(), games=6)


def test_specs_are_read_back() -> None:
    def make(spec: str) -> Any:
        return Unseeded() if spec == "chooser()" else Chooser()

    with pytest.raises(AssertionError, match=r"make\('chooser\(\)'\) is "):
        check_agent(Chooser(), TicTacToe(), make=make)


def test_positions_cannot_be_changed_by_agents() -> None:
    class Vandal(Chooser):
        def act(self, position: Any) -> int:
            position.own = 7
            return super().act(position)

    with pytest.raises(AssertionError, match="AttributeError"):
        check_agent(Vandal(), TicTacToe())


def test_chance_is_followed_as_often_as_it_says() -> None:
    env = adv_envs.env(Race(goal=100, sides=4))
    env.reset(seed=0)
    faces = [0, 0, 0, 0]
    for _ in range(400):
        before = env.position.first
        env.reset(options={"position": env.start})
        env.step(1)
        assert env.position.to_move != CHANCE
        faces[max(0, env.position.first - 1)] += 1
        assert before >= 0
    assert all(70 <= count <= 130 for count in faces), faces


def test_a_copy_has_chances_of_its_own() -> None:
    env = adv_envs.env(Race(goal=1000, sides=50))
    env.reset(seed=0)
    other = copy.deepcopy(env)
    for _ in range(10):
        env.step(1)
        other.step(1)
        assert env.position == other.position
