"""The environments against an opponent: laws, exact values, opponents, seats, seeds, mistakes."""

import copy
import inspect
import pickle
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.error import InvalidAction, NameNotFound, ResetNeeded
from gymnasium.utils.env_checker import check_env
from hypothesis import given, settings
from hypothesis import strategies as st
from odd_games import Toss
from samples import SAMPLES
from small_games import Heap, Pile, Race, ThreeInARow

import adv_envs
import agents
from adv_envs import (
    CHANCE,
    ConnectFour,
    Fig52,
    Hex,
    Pig,
    Position,
    ThirtyOne,
    TicTacToe,
    Tree,
    reachable,
)
from adv_envs.envs.gym import GymEnv
from adv_envs.envs.opponents import OpponentError
from adv_envs.jit import disabled
from adv_envs.registry import gymnasium_id
from adv_envs.testing import check_gym

SEATS = ["first", "second", "random", "alternate"]

GAMES: list[Position] = [
    *(samples.small[0] for samples in SAMPLES.values()),
    TicTacToe(1, 1, 1),
    ThirtyOne(limit=7, copies=2, highest=3),
    ThirtyOne(num_players=3),
    Tree({"only": 1}),
    Pig(target=1),
    Race(),
    Toss(),
    Heap(),
    Heap(size=20, num_players=2),
    ThreeInARow(),
    Pile(),
]


def spell(position: Any) -> str:
    if isinstance(position, Position):
        fields = [getattr(position, name) for name in position.parameters if name != "tree"]
        return f"{type(position).__name__}({','.join(map(str, fields))})"
    return str(position)


def first_legal(position: Position) -> int:
    return position.legal_actions()[0]


def begin_at(position: Position) -> None:
    GymEnv("hex").reset(options={"position": position})


# ---- laws, Gymnasium's and ours


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("name", list(adv_envs.GAMES))
def test_gymnasiums_own_check(name: str, seat: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setitem(GymEnv.metadata, "render_fps", 1000)  # no need to watch
    with_pictures = seat == "second" and not disabled()
    if with_pictures:
        pytest.importorskip("pygame")
        pytest.importorskip("PIL")
    for inside in (False, True):
        env = gymnasium.make(gymnasium_id(name), seat=seat, mask_in_observation=inside)
        check_env(env.unwrapped, skip_render_check=not with_pictures or inside)


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("start", GAMES, ids=spell)
def test_every_game_and_seat(start: Position, seat: str) -> None:
    check_gym(lambda: GymEnv(start, seat=seat, mask_in_observation=seat == "first"))


def test_a_wrapped_environment() -> None:
    def make() -> Any:
        return gymnasium.make("adv_envs/ConnectFour-v0", opponent="greedy", height=4, width=4, k=3)

    check_gym(make, games=2)


def broken(name: str, **methods: Any) -> type[GymEnv]:
    return type(name, (GymEnv,), {"__module__": __name__, **methods})


Forgetful = broken(
    "Forgetful", reset=lambda self, *, seed=None, options=None: GymEnv.reset(self, options=options)
)
Blind = broken(
    "Blind",
    _look=lambda self: GymEnv._look(self) | {"action_mask": np.ones(self.num_actions, np.int8)},
)
Slippery = broken("Slippery", __deepcopy__=lambda self, memo: type(self)(self.start))


class Flipped(GymEnv):
    def step(self, action: Any) -> Any:
        seen, reward, *rest = super().step(action)
        return seen, -reward, *rest


class Sleeper(GymEnv):
    """Lets the first opponent move for me, where I should move twice."""

    def _let_others_play(self) -> bool:
        over = super()._let_others_play()
        if not over and self.actions and self._playing is False and len(self.actions) % 3 == 2:
            self._play(first_legal(self._position))
            return super()._let_others_play()
        return over


class Peeping(GymEnv):
    def _look(self) -> Any:
        seen = super()._look()
        other = self._observations.observe(self._position, 1 - self.seat, True)
        return {**seen, "observation": other["observation"]}


class Lenient(GymEnv):
    def _forfeit(self, action: int) -> Any:
        self._playing = True
        return (*self._seen()[:1], 0.0, False, False, self._seen()[1])


@pytest.mark.parametrize(
    ("broken", "law"),
    [
        (Flipped, "at the end what the game was worth to me"),
        (Forgetful, "The same seed and the same actions"),
        (Sleeper, "each of mine is a step"),
        (Blind, "Masks are what legal"),
        (Peeping, "what observe() says"),
        (Lenient, "an illegal one ends the game"),
        (Slippery, "copy.deepcopy and pickle keep the game"),
    ],
)
def test_broken_environments_are_caught(broken: type[GymEnv], law: str) -> None:
    with pytest.raises(AssertionError) as caught:
        check_gym(broken(TicTacToe()))
    assert law in str(caught.value)


def test_environments_of_others_are_not_checked() -> None:
    with pytest.raises(AssertionError, match="not one of adv_envs"):
        check_gym(adv_envs.env("hex", size=3))


# ---- the same moves in the bare rules


@settings(max_examples=60 if disabled() else 150, deadline=None)
@given(
    start=st.sampled_from(GAMES),
    seat=st.integers(0, 2),
    seed=st.integers(0, 2**31),
    choices=st.lists(st.integers(0, 1000), min_size=1, max_size=12),
)
def test_an_episode_is_the_same_moves_in_the_rules(
    start: Position, seat: int, seed: int, choices: list[int]
) -> None:
    """The rules are played beside it, knowing only how everybody decides and how dice fell."""
    seat %= start.num_players

    def decide(position: Position, shift: int) -> int:
        legal = position.legal_actions()
        return legal[(choices[sum(map(hash, position)) % len(choices)] + shift) % len(legal)]

    env = GymEnv(start, opponent=lambda position: decide(position, 1), seat=seat)
    seen, info = env.reset(seed=seed)
    position, played = start, 0

    def others_play() -> None:
        nonlocal position, played
        while not position.is_terminal() and position.to_move != seat:
            fallen = position.to_move == CHANCE
            position = position.play(
                env.actions[played] if fallen else decide(position.hidden(position.to_move), 1)
            )
            played += 1

    others_play()
    over = False
    while not over:
        planes = np.zeros(start.observation_shape, int)
        position.observe(seat, planes)
        assert np.array_equal(seen, planes)
        if position.is_terminal():  # before the first turn
            assert info["action_mask"].all()
            action = choices[0] % start.num_actions
        else:
            legal = position.legal_actions()
            assert info["action_mask"].nonzero()[0].tolist() == legal
            assert env.action_masks().nonzero()[0].tolist() == legal
            action = decide(position.hidden(seat), 0)
            position, played = position.play(action), played + 1
        seen, reward, over, truncated, info = env.step(action)
        others_play()
        assert over == position.is_terminal()
        assert reward == (position.utility(seat) if over else 0)
        assert not truncated
        assert (env.whole_position, env.position) == (position, position.hidden(seat))
        assert len(env.actions) == played
    planes = np.zeros(start.observation_shape, int)
    position.observe(seat, planes)
    assert np.array_equal(seen, planes)
    assert not info["action_mask"].any()
    assert not env.action_masks().any()


# ---- the decision process is the right one: exact values


class Enumerated(GymEnv):
    """An environment whose random opponents and chance go, run by run, through all they can do."""

    def __init__(self, start: Position, seat: int) -> None:
        super().__init__(start, seat=seat, opponent=self.choose)

    def choose(self, position: Position) -> int:
        legal = position.legal_actions()
        return self._branch([(action, 1 / len(legal)) for action in legal])

    def _draw_action(self) -> int:
        here = self._position
        return self._branch([(a, here.probability(a)) for a in here.legal_actions()])

    def _branch(self, options: list[tuple[int, float]]) -> int:
        if len(self.path) == self.depth:
            self.path.append((0, len(options)))
        action, chance = options[self.path[self.depth][0]]
        self.depth += 1
        self.likelihood *= chance
        return action

    def outcomes(self, run: Callable[[], Any]) -> Iterator[tuple[float, Any]]:
        """(probability, result of ``run``) for every way in which it can go."""
        self.path: list[tuple[int, int]] = []
        while True:
            self.depth, self.likelihood = 0, 1.0
            result = run()
            yield self.likelihood, result
            while self.path and self.path[-1][0] + 1 == self.path[-1][1]:
                self.path.pop()
            if not self.path:
                return
            choice, options = self.path.pop()
            self.path.append((choice + 1, options))

    def begin(self) -> Position:
        self.reset()
        return self.position

    def transition(self, position: Position, action: int) -> tuple[Position, float, bool]:
        self.reset(options={"position": position})
        assert self.position == position
        _, reward, over, _, _ = self.step(action)
        return self.position, reward, over


Model = dict[Position, dict[int, list[tuple[float, Position, float, bool]]]]


def model_of(env: Enumerated) -> tuple[list[tuple[float, Position]], Model]:
    """How episodes begin, and all transitions that ever happen, asked of the environment alone."""
    begins = list(env.outcomes(env.begin))
    model: Model = {}
    waiting = [position for _, position in begins]
    while waiting:
        position = waiting.pop()
        if position in model:
            continue
        env.reset(options={"position": position})
        legal = env.action_masks().nonzero()[0].tolist()
        model[position] = {}
        for action in legal:
            found = env.outcomes(lambda p=position, a=action: env.transition(p, a))
            model[position][action] = [(chance, *rest) for chance, rest in found]
            waiting += [there for _, there, _, over in model[position][action] if not over]
    return begins, model


def iterate(
    begins: list[tuple[float, Position]], model: Model, choose: Callable[[list[float]], float]
) -> float:
    """The value of an episode by value iteration, where ``choose`` is made of actions' values."""
    values = dict.fromkeys(model, 0.0)
    while True:
        change = 0.0
        for position, actions in model.items():
            worth = [
                sum(p * (reward + (0 if over else values[to])) for p, to, reward, over in ways)
                for ways in actions.values()
            ]
            value = choose(worth)
            change = max(change, abs(value - values[position]))
            values[position] = value
        if change < 1e-13:
            return sum(chance * values[position] for chance, position in begins)


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def by_the_rules(start: Position, seat: int, choose: Callable[[list[float]], float]) -> float:
    """The same value from the rules alone: every position, mine or not, valued by its children."""
    children = {p: [p.play(action) for action in p.legal_actions()] for p in reachable(start)}
    values = {p: p.utility(seat) if p.is_terminal() else 0.0 for p in children}
    order = sorted(children, key=lambda p: getattr(p, "ply", 0), reverse=True)
    while True:
        change = 0.0
        for position in order:
            if not children[position]:
                continue
            worth = [values[child] for child in children[position]]
            if position.to_move == CHANCE:
                chances = [position.probability(action) for action in position.legal_actions()]
                value = sum(p * v for p, v in zip(chances, worth, strict=True))
            else:
                value = choose(worth) if position.to_move == seat else mean(worth)
            change = max(change, abs(value - values[position]))
            values[position] = value
        if change < 1e-13:
            return values[start]


EXACT = [
    (TicTacToe(), 0),
    (TicTacToe(), 1),
    (Pig(target=5, faces=3), 0),
    (Pig(target=5, faces=3), 1),
    (Race(goal=5, sides=3), 1),
    (Heap(size=9), 0),
    (Heap(size=9), 2),
    (Toss(), 0),
    (Fig52(), 1),
    (TicTacToe(1, 1, 1), 1),
]


@pytest.mark.parametrize(("start", "seat"), EXACT, ids=spell)
def test_the_values_of_its_transitions_are_those_of_the_rules(start: Position, seat: int) -> None:
    begins, model = model_of(Enumerated(start, seat))
    assert sum(chance for chance, _ in begins) == pytest.approx(1, abs=1e-12)
    for actions in model.values():
        for ways in actions.values():
            assert sum(chance for chance, *_ in ways) == pytest.approx(1, abs=1e-12)
    for choose in (max, mean, min):
        found = iterate(begins, model, choose)
        assert found == pytest.approx(by_the_rules(start, seat, choose), abs=1e-10)
    if start == TicTacToe():  # random play, counted elsewhere: 737/1260 wins, 363/1260 losses
        known = Fraction(737 - 363, 1260) * (1 if seat == 0 else -1)
        assert iterate(begins, model, mean) == pytest.approx(float(known), abs=1e-12)


# ---- rewards: whose they are


def play(env: Any, *actions: int) -> tuple[list[float], bool]:
    """The rewards of my ``actions``, and whether the game is over."""
    rewards, over = [], False
    for action in actions:
        _, reward, over, _, _ = env.step(action)
        rewards.append(reward)
    return rewards, over


def scripted(*actions: int) -> Callable[[Position], int]:
    left = list(actions)
    return lambda position: left.pop(0)


@pytest.mark.parametrize(
    ("start", "seat", "mine", "theirs", "rewards"),
    [
        (TicTacToe(), 0, (0, 1, 2), (3, 4), [0, 0, 1]),  # I win
        (TicTacToe(), 0, (0, 1, 8), (3, 4, 5), [0, 0, -1]),  # the opponent does, in its reply
        (TicTacToe(), 1, (3, 4), (0, 1, 2), [0, -1]),  # the same from the second seat
        (TicTacToe(), 1, (3, 4, 5), (0, 1, 8), [0, 0, 1]),
        (TicTacToe(), 0, (0, 1, 5, 6, 8), (2, 3, 4, 7), [0, 0, 0, 0, 0]),  # nobody
        (Heap(3, 3), 0, (1, 0), (), [0, 2]),  # two, so I move again; I take the last of three
        (Heap(3, 3), 0, (0,), (0, 0), [-1]),  # the third player takes it
        (Heap(3, 3), 2, (0,), (0, 0), [2]),
        (Heap(5, 3), 1, (1, 0), (0, 0), [0, -1]),
        (Fig52(), 0, (0,), (1,), [12]),  # trees are worth what is written at their leaves
        (Fig52(), 1, (1,), (0,), [-12]),
        (ThirtyOne(limit=3, num_players=3), 1, (0,), (0, 0), [0.5]),  # player 0 cannot move
        (ThirtyOne(limit=3, num_players=3), 0, (0,), (0, 0), [-1]),
    ],
)
def test_rewards_are_mine(
    start: Position, seat: int, mine: Any, theirs: Any, rewards: list[float]
) -> None:
    env = GymEnv(start, seat=seat, opponent=scripted(*theirs))
    env.reset()
    assert play(env, *mine) == (rewards, True)
    assert env.position.utility(seat) == rewards[-1]


class Loaded(GymEnv):
    """The die shows what was written."""

    die: Any

    def _draw_action(self) -> int:
        return next(self.die)


@pytest.mark.parametrize(
    ("seat", "die", "mine", "theirs", "rewards"),
    [
        (0, [5, 3], [0, 0, 1], [], [0, 0, 1]),  # 6 and 4 make 10, and I hold
        (0, [0, 5, 5], [0], [0, 0, 1], [-1]),  # a 1: the opponent's turn, who wins it all
        (1, [0, 5, 4], [0, 0, 1], [0], [0, 0, 1]),
        (1, [4, 0, 3, 3], [0], [0, 1, 0, 0, 1], [-1]),
    ],
)
def test_rewards_of_a_game_of_chance(
    seat: int, die: list[int], mine: list[int], theirs: list[int], rewards: list[float]
) -> None:
    env = Loaded(Pig(target=10), seat=seat, opponent=scripted(*theirs))
    env.die = iter(die)
    env.reset()
    assert play(env, *mine) == (rewards, True)
    assert not list(env.die)


def test_a_flipped_sign_would_be_seen_in_the_values() -> None:
    class Wrong(Enumerated):
        def step(self, action: Any) -> Any:
            seen, reward, over, *rest = super().step(action)
            ended_by_me = self.actions[-1:] == [action] and len(self.actions) == 1
            return seen, reward if ended_by_me else abs(reward), over, *rest

    start = TicTacToe(2, 3, 2)
    right, wrong = (iterate(*model_of(kind(start, 1)), max) for kind in (Enumerated, Wrong))
    assert right == pytest.approx(by_the_rules(start, 1, max))
    assert wrong > right + 0.1


def test_chance_falls_as_the_rules_say() -> None:
    env = GymEnv(Race(goal=20, sides=4), seat="first")
    rolls: Counter[int] = Counter()
    for seed in range(600):
        env.reset(seed=seed)
        env.step(1)
        rolls[env.actions[1]] += 1
    assert sorted(rolls) == [0, 1, 2, 3]
    assert all(110 < count < 190 for count in rolls.values())  # 150 and four deviations


def test_a_game_that_is_over_before_my_turn_ends_at_the_next_step() -> None:
    env = GymEnv(TicTacToe(1, 1, 1), seat="second")
    for action in (0, np.int64(0)):
        seen, info = env.reset()
        assert seen.tolist() == [[[0, 1]]]
        assert info["action_mask"].tolist() == [1]
        assert env.action_masks().tolist() == [True]
        assert env.step(action)[1:4] == (-1.0, True, False)
        assert not env.action_masks().any()
    env.reset(options={"position": TicTacToe(1, 1, 1).play(0), "seat": 0})
    assert env.step(0)[1:3] == (1.0, True)


# ---- opponents


class Mover:
    """Not one of ours, but it acts; it takes note of its seeds."""

    def __init__(self) -> None:
        self.seeds: list[int] = []

    def act(self, position: Position) -> int:
        return np.int32(position.legal_actions()[-1])

    def reset(self, seed: int) -> None:
        self.seeds.append(seed)


class Silent:
    def act(self, position: Position) -> int:
        return np.array(first_legal(position))


@pytest.mark.parametrize(
    ("opponent", "answer"),
    [
        ("greedy(evaluate=tic_tac_toe.lines)", 4),
        (agents.Greedy(), None),
        (first_legal, 0),
        (lambda position: 7, 7),
        (Mover(), 8),
        (Silent(), 0),
        ([first_legal], 0),
        ({first_legal: 2.5}, 0),
        ([("random", 0), (first_legal, 1)], 0),
        (("random()", "greedy"), None),
    ],
)
def test_what_can_be_an_opponent(opponent: Any, answer: int | None) -> None:
    env = GymEnv("tic_tac_toe", opponent=opponent, seat="second")
    _, info = env.reset(seed=3)
    assert answer in (None, env.actions[0])
    assert info["action_mask"].sum() == 8
    assert env.opponents[1] is None


def test_pools_are_sampled_by_their_weights() -> None:
    a, b, c = Mover(), Mover(), Silent()
    env = GymEnv("tic_tac_toe", opponent=[(a, 1), (b, 2), (c, 3.0)], seat="first")
    met = Counter()
    for game in range(600):
        env.reset(seed=game)
        met[env.opponents[1]] += 1
    assert met[a] == len(a.seeds)
    assert met[b] == len(b.seeds)
    for opponent, expected in ((a, 100), (b, 200), (c, 300)):
        assert abs(met[opponent] - expected) < 50  # four standard deviations
    env.set_opponent([a, b])
    seeds = {id(env.opponents[1]) for _ in range(20) if env.reset()}
    assert seeds == {id(a), id(b)}


def test_more_players_are_drawn_each_for_themselves() -> None:
    pool = [Mover(), Mover()]
    env = GymEnv(ThirtyOne(num_players=4), opponent=pool, seat=2)
    tables: Counter[tuple[int, ...]] = Counter()
    for game in range(60):
        env.reset(seed=game)
        assert env.opponents[2] is None
        tables[tuple(pool.index(other) for other in env.opponents if other)] += 1
    assert len(tables) == 8
    seated = sum(len(set(table)) * games for table, games in tables.items())
    assert sum(len(mover.seeds) for mover in pool) == seated, "reset once a game each"


def test_self_is_who_is_set() -> None:
    """Through all the wrappers of ``gymnasium.make``, after a first ``reset`` that raised."""
    env = gymnasium.make("adv_envs/TicTacToe-v0", opponent="self", seat="second")
    says = r"nobody was set: call env\.unwrapped\.set_opponent\(\.\.\.\) before reset"
    for reset in (env.unwrapped.reset, env.reset):
        with pytest.raises(ValueError, match=says):
            reset()
    env.unwrapped.set_opponent(first_legal)
    env.reset()
    assert env.unwrapped.actions == [0]
    env.get_wrapper_attr("set_opponent")(lambda position: 8)
    assert env.step(1)[2] is False
    assert env.unwrapped.actions == [0, 1, 2], "the new one came into a game that had begun"
    env.reset()
    assert env.unwrapped.actions == [8]


def test_an_opponent_can_see_what_i_see() -> None:
    """A policy that was trained on observations and masks plays for the other side."""
    told: list[Any] = []

    def policy(position: Position) -> int:
        seen = env.observe(position)
        told.append(seen["observation"].tolist())
        return int(seen["action_mask"].nonzero()[0][-1])

    env = GymEnv("connect_four", opponent="self", seat="first")
    env.set_opponent(policy)
    env.reset()
    env.step(0)
    planes = np.zeros((6, 7, 2), int)
    planes[5, 0, 1] = 1  # my stone is the opponent's opponent's
    assert told == [planes.tolist()]
    assert env.actions == [0, 6]


class Wicked(agents.Random):
    def act(self, position: Position) -> int:
        raise RuntimeError("the network is gone")


def cannot_begin(position: Position) -> int:
    return 1


class Unready(Mover):
    def reset(self, seed: int) -> None:
        raise OSError("no engine")


@pytest.mark.parametrize(
    ("opponent", "says"),
    [
        (Wicked(), "the opponent random() failed, as player 1 at TicTacToe("),
        (Wicked(), "RuntimeError: the network is gone"),
        (cannot_begin, "the opponent cannot_begin, as player 1, answered 1, which is not a legal"),
        (lambda position: 9, "<lambda>, as player 1, answered 9"),
        (lambda position: -1, "answered -1"),
        (lambda position: None, "answered None"),
        (lambda position: 2.0, "answered 2.0"),
        (lambda position: True, "answered True"),
        (lambda position: np.array([2]), "answered array([2])"),
        (lambda position: 1, "legal: [0, 2, 3, 4, 5, 6, 7, 8]"),
        (Unready(), "failed in reset("),
        ("rush", "the opponent rush() failed, as player 1"),
        ("rush", "rush plays hex"),
    ],
)
def test_opponents_that_fail_are_named(opponent: Any, says: str) -> None:
    env = GymEnv("tic_tac_toe", opponent=opponent, seat="first")
    with pytest.raises(OpponentError) as caught:  # noqa: PT012
        env.reset()
        env.step(1)
    assert says in str(caught.value)
    with pytest.raises(ResetNeeded):
        env.step(1)
    env.set_opponent(first_legal)
    env.reset()
    assert env.step(1)[2] is False


# ---- seats


def test_seats() -> None:
    def seats(seat: Any, players: int = 2, games: int = 6, seeds: Any = (4,)) -> list[int]:
        env = GymEnv(ThirtyOne(num_players=players), seat=seat)
        left = [*seeds, *[None] * (games - len(seeds))]
        return [env.reset(seed=seed)[1]["seat"] for seed in left]

    assert seats("first") == [0] * 6
    assert seats("second") == seats(1) == [1] * 6
    assert seats(np.int64(2), players=3) == [2] * 6
    assert seats("alternate") == [0, 1, 0, 1, 0, 1]
    assert seats("alternate", seeds=range(6)) == [0, 1, 0, 1, 0, 1]
    assert seats("alternate", seeds=()) == [0, 1, 0, 1, 0, 1]
    assert seats("alternate", players=3) == [1, 2, 0, 1, 2, 0]
    counts = Counter(seats("random", players=3, games=600))
    assert sorted(counts) == [0, 1, 2]
    assert all(150 < count < 250 for count in counts.values())
    env = GymEnv("tic_tac_toe", seat="first")
    for seat, number in (("second", 1), (1, 1), ("first", 0), ("alternate", 0)):
        assert env.reset(seed=2, options={"seat": seat})[1]["seat"] == number
    env.reset(options={"seat": 1})
    assert env.reset()[1]["seat"] == env.seat == 0, "in the next game it is the old one again"


# ---- seeds


def episode(env: Any, seed: int | None) -> list[int]:
    """All that everybody plays, where I always take the first legal action."""
    _, info = env.reset(seed=seed)
    over = False
    while not over:
        _, _, over, _, info = env.step(int(info["action_mask"].argmax()))
    return [env.unwrapped.seat, *env.unwrapped.actions]


@pytest.mark.parametrize(
    "opponent", ["random", "greedy", ["random", "greedy", "random(seed=7)"]], ids=str
)
def test_a_seed_is_an_episode(opponent: Any) -> None:
    env, other = (GymEnv(Pig(target=12), opponent=opponent) for _ in range(2))
    games = [episode(env, seed) for seed in range(8)]
    episode(other, 99)
    assert [episode(other, seed) for seed in range(8)] == games
    assert len(set(map(tuple, games))) > 4


def test_games_after_one_seed_differ_and_repeat() -> None:
    def run() -> list[list[int]]:
        env = GymEnv("connect_four", opponent=["random", "greedy"], height=4, width=4)
        games = [episode(env, seed) for seed in (5, *[None] * 5)]
        assert env.np_random_seed == 5, "it is known to Gymnasium"
        return games

    first = run()
    assert run() == first
    assert len(set(map(tuple, first))) == 6


def test_the_last_action_is_known_until_another_game() -> None:
    env = GymEnv("tic_tac_toe", opponent=first_legal, seat="first")
    for _ in range(2):
        env.reset()
        assert env.last_action is None
        env.step(4)
        assert env.last_action == 0, "the opponent's"


def test_an_agent_of_ones_own_is_reseeded() -> None:
    mover = Mover()
    env = GymEnv(ThirtyOne(num_players=3), opponent=mover, seat=0)
    for seed in (1, 2, 1):
        env.reset(seed=seed)
    assert len(mover.seeds) == 3, "reset once a game, though it has two seats"
    assert mover.seeds[0] == mover.seeds[2] != mover.seeds[1]


# ---- what I must not do


def test_an_illegal_action_ends_the_game() -> None:
    env = GymEnv(TicTacToe(), seat="second", opponent=first_legal)
    before, _ = env.reset()
    seen, reward, over, truncated, info = env.step(0)
    assert (reward, over, truncated) == (-1.0, True, False)
    assert info["reason"] == ("action 0 is illegal for player 1; legal: [1, 2, 3, 4, 5, 6, 7, 8]")
    assert not info["action_mask"].any()
    assert np.array_equal(seen, before)
    assert env.actions == [0]
    tree = Tree({"a": {"b": 1}, "c": {"d": 2, "e": 3}})
    harsh = GymEnv(tree, seat="second", opponent=first_legal, illegal_reward=-20)
    harsh.reset()
    assert harsh.step(1)[1:3] == (-20.0, True)


def test_what_is_no_action() -> None:
    env = GymEnv("tic_tac_toe")
    env.reset()
    wrong = [-1, 9, 100, None, "4", 1.0, np.float32(1), [1], np.array([1]), True, np.True_]
    for action in wrong:
        with pytest.raises(InvalidAction, match=r"an action is an integer, 0 \.\. 8, not "):
            env.step(action)
    assert not env.step(int(env.action_masks().argmax()))[2], "the game goes on"


def test_whole_numbers_of_any_kind_are_actions() -> None:
    env = GymEnv("tic_tac_toe", seat="first", opponent=first_legal)
    for action in (4, np.int8(4), np.int64(4), np.uint8(4), np.array(4)):
        env.reset()
        env.step(action)
        assert env.actions == [4, 0]
        assert type(env.actions[0]) is int


def test_out_of_order() -> None:
    env = GymEnv("tic_tac_toe", seat="first", opponent=first_legal)
    for forbidden in (lambda: env.step(0), env.action_masks):
        with pytest.raises(ResetNeeded, match=r"call reset\(\)"):
            forbidden()
    env.reset()
    play(env, 8, 7, 6)
    with pytest.raises(ResetNeeded, match=r"call reset\(\) before step\(\)"):
        env.step(3)


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: GymEnv("shogi"), ValueError, "no game 'shogi'"),
        (lambda: GymEnv("hex", width=3), TypeError, "unexpected keyword argument 'width'"),
        (lambda: GymEnv(7), TypeError, "a game is a name or a position, not 7"),
        (lambda: GymEnv("hex", render_mode="png"), ValueError, "render_mode must be one of"),
        (lambda: GymEnv("hex", seat="third"), TypeError, "seat must be one of first, second, "),
        (lambda: GymEnv("hex", seat=2), ValueError, "or a player, 0 .. 1, not 2"),
        (lambda: GymEnv("hex", seat=-1), ValueError, "not -1"),
        (lambda: GymEnv("hex", seat=True), TypeError, "not True"),
        (lambda: GymEnv("hex", seat=None), TypeError, "not None"),
        (lambda: GymEnv("hex", opponent="beta"), ValueError, "no agent 'beta'"),
        (lambda: GymEnv("hex", opponent="mcts(x=1)"), TypeError, "mcts has no parameter 'x'"),
        (lambda: GymEnv("hex", opponent=3), TypeError, "a pool of these, or alone: 'self'; not 3"),
        (lambda: GymEnv("hex", opponent=None), TypeError, "not None"),
        (lambda: GymEnv("hex", opponent=agents.Random), TypeError, "Random(), and not its class"),
        (lambda: GymEnv("hex", opponent=[]), ValueError, "a pool needs at least one"),
        (lambda: GymEnv("hex", opponent={}), ValueError, "a pool needs at least one"),
        (lambda: GymEnv("hex", opponent=["self"]), ValueError, '"self" stands alone'),
        (lambda: GymEnv("hex", opponent=[["random"]]), TypeError, "not ['random']"),
        (lambda: GymEnv("hex", opponent={"random": "1"}), TypeError, "a number, not '1'"),
        (lambda: GymEnv("hex", opponent={"random": True}), TypeError, "a number, not True"),
        (lambda: GymEnv("hex", opponent={"random": -1}), ValueError, "0 or more, not -1"),
        (lambda: GymEnv("hex", opponent={"rush": float("nan")}), ValueError, "not nan"),
        (lambda: GymEnv("hex", opponent={"random": 0}), ValueError, "must not all be 0"),
        (lambda: begin_at(TicTacToe()), TypeError, "position must be a Hex"),
        (lambda: begin_at(Hex(3)), ValueError, "this environment plays Hex(size=11"),
        (lambda: GymEnv("hex").reset(options={"seat": 5}), ValueError, "not 5"),
        (lambda: GymEnv("hex").observe(TicTacToe()), TypeError, "position must be a Hex"),
        (lambda: GymEnv("hex").observe(Hex(4)), ValueError, "plays Hex(size=11"),
        (lambda: GymEnv("hex").reset(seed=-1), gymnasium.error.Error, "Seed must be greater"),
        (lambda: gymnasium.make("adv_envs/Hexx-v0"), NameNotFound, "Did you mean: `Hex`?"),
    ],
)
def test_mistakes_are_named(call: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error) as caught:
        call()
    assert says in str(caught.value)


# ---- starting anywhere, copies, pictures


def test_a_game_begins_where_it_is_told() -> None:
    env = GymEnv("tic_tac_toe", opponent=first_legal, seat="first")
    middle = TicTacToe().after("b2 a1")
    env.reset(options={"position": middle})
    assert env.position == middle
    env.reset(options={"position": middle, "seat": "second"})
    assert env.position == middle.play(1)
    assert env.actions == [1]
    assert env.reset()[0].sum() == 0
    later = GymEnv(middle, seat="first")
    later.reset()
    assert later.position == middle


def test_copies_are_games_of_their_own() -> None:
    """``check_gym`` has played on with them; before the start and at the end they say so."""
    env = gymnasium.make("adv_envs/Hex-v0", size=4, opponent="random", seat="second")
    for each in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert each.unwrapped._pool.pool[0] is not env.unwrapped._pool.pool[0]
        with pytest.raises(ResetNeeded):
            each.unwrapped.step(0)
    episode(env, 1)
    with pytest.raises(ResetNeeded):
        copy.deepcopy(env).unwrapped.step(0)


def test_text_shows_the_board() -> None:
    env = gymnasium.make("adv_envs/TicTacToe-v0", render_mode="ansi", opponent=first_legal, seat=0)
    env.reset()
    env.step(4)
    assert env.render() == str(TicTacToe().after("b2 a1"))
    many = gymnasium.make("adv_envs/TicTacToe-v0", render_mode="ansi_list", seat="first")
    many.reset(seed=1)
    many.step(4)
    assert [text.count("X") for text in many.render()] == [0, 1]
    with pytest.warns(UserWarning, match="without specifying any render mode"):
        assert GymEnv("hex").render() is None


def test_pixels_and_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pytest.importorskip("PIL")
    pygame = pytest.importorskip("pygame")
    shown: list[int | None] = []
    env = GymEnv("tic_tac_toe", render_mode="human", opponent=first_legal, seat="second")
    env.metadata["render_fps"] = 1000
    picture = env.render
    monkeypatch.setattr(env, "render", lambda: (shown.append(env.last_action), picture())[1])
    env.reset()
    env.step(4)
    assert shown == [None, 0, 4, 1], "everybody's moves are shown, one by one"
    assert pygame.display.get_surface() is not None
    env.close()
    pixels = GymEnv("tic_tac_toe", render_mode="rgb_array", opponent=first_legal, seat="second")
    pixels.reset()
    image = pixels.render()
    assert image.dtype == np.uint8
    assert image.shape[2] == 3
    pixels.close()
    pixels.close()


# ---- in Gymnasium


def test_masks_and_boards_together() -> None:
    env = GymEnv("connect_four", mask_in_observation=True, seat="first")
    seen, info = env.reset()
    assert env.observation_space.contains(seen)
    assert sorted(seen) == ["action_mask", "observation"]
    seen["action_mask"][:] = 0
    assert info["action_mask"].all()
    aec = adv_envs.env("connect_four")
    assert env.observation_space == aec.observation_space("player_0")
    assert env.action_space == aec.action_space("player_0")


def test_masks_through_wrappers() -> None:
    env = gymnasium.make("adv_envs/ConnectFour-v0", max_episode_steps=3)
    env = gymnasium.wrappers.FlattenObservation(gymnasium.wrappers.RecordEpisodeStatistics(env))
    env.reset(seed=1)
    masks = env.get_wrapper_attr("action_masks")()
    assert masks.dtype == bool
    assert masks.tolist() == [True] * 7


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_many_at_once(mode: str) -> None:
    envs = gymnasium.make_vec(
        "adv_envs/TicTacToe-v0", 3, vectorization_mode=mode, seat="alternate", opponent="random"
    )
    _, infos = envs.reset(seed=10)
    assert infos["seat"].tolist() == [0, 1, 0]
    assert infos["action_mask"].shape == (3, 9)
    masks = np.array(envs.call("action_masks"))
    assert np.array_equal(masks, infos["action_mask"])
    envs.call("set_opponent", "greedy")
    envs.step(masks.argmax(axis=1))
    envs.close()
    alone = GymEnv("tic_tac_toe", seat="alternate", opponent="random")
    _, info = alone.reset(seed=11)
    assert np.array_equal(info["action_mask"], infos["action_mask"][1])


def test_every_game_has_an_id() -> None:
    ids = {name for name in gymnasium.registry if name.startswith("adv_envs/")}
    expected = ["TicTacToe", "ConnectFour", "Hex", "ThirtyOne", "Pig", "Fig52"]
    assert ids >= {f"adv_envs/{name}-v0" for name in expected}
    assert {gymnasium_id(name) for name in adv_envs.GAMES} <= ids
    for name in adv_envs.GAMES:
        env = gymnasium.make(gymnasium_id(name))
        assert env.unwrapped.start == adv_envs.start_position(name)
        assert env.unwrapped.metadata["name"] == f"{name}_v0"
    search = "alpha_beta(depth=3)"
    env = gymnasium.make("adv_envs/ConnectFour-v0", opponent=search, height=5, width=6)
    assert env.unwrapped.start == ConnectFour(5, 6)
    assert env.observation_space.shape == (5, 6, 2)
    again = gymnasium.make(EnvSpec.from_json(env.spec.to_json()))
    assert again.unwrapped.start == ConnectFour(5, 6)


def test_the_module_of_an_environment_tells_the_rules() -> None:
    """As language models are told of a game: by the docstring of its environment's module."""
    for name in adv_envs.GAMES:
        env = gymnasium.make(gymnasium_id(name))
        copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
        for each in (env, *copies):
            rules = inspect.getmodule(type(each.unwrapped.start))
            assert inspect.getmodule(each.unwrapped) is rules
            assert rules is not None
            assert rules.__doc__


def test_a_registered_game_of_ones_own() -> None:
    adv_envs.register("gym_pile", Pile)
    try:
        env = gymnasium.make("adv_envs/GymPile-v0", stones=7, opponent=first_legal, seat="second")
        env.reset()
        assert env.unwrapped.position == Pile(7).play(0)
        check_env(env.unwrapped, skip_render_check=True)
    finally:
        del adv_envs.GAMES["gym_pile"], gymnasium.registry["adv_envs/GymPile-v0"]


def test_nothing_heavy_is_loaded() -> None:
    """Agents come with the first opponent that is a spec, and not before."""
    code = (
        "import sys, gymnasium, adv_envs\n"
        "env = gymnasium.make('adv_envs/Hex-v0', size=3, opponent=lambda p: p.legal_actions()[0])\n"
        "env.reset(seed=0)\n"
        "env.step(env.unwrapped.action_masks().argmax())\n"
        "print(*[m for m in ['agents', 'numba', 'pygame', 'PIL', 'rich'] if m in sys.modules])\n"
    )
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("", "")
