"""The environments under PettingZoo's own tests, copied, wrapped, registered and imported."""

import copy
import importlib
import inspect
import pathlib
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
from pettingzoo.test.state_test import state_test
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import turn_based_aec_to_parallel
from small_games import Heap, Pile, Race

import adv_envs
from adv_envs import CHANCE, ConnectFour, Fig52, Hex, Position, ThirtyOne, TicTacToe, Tree
from adv_envs.envs.aec import Env, RawEnv

pytestmark = pytest.mark.plain

STARTS: list[Position] = [
    TicTacToe(),
    TicTacToe(1, 1, 1),
    TicTacToe(5, 6, 4),
    ConnectFour(),
    ConnectFour(4, 5, 3),
    ConnectFour(1, 20, 3),
    Hex(2),
    Hex(5, swap=True),
    Hex(11),
    ThirtyOne(),
    ThirtyOne(limit=300, copies=7, highest=21),
    ThirtyOne(num_players=4),
    Fig52(),
    Tree({"a": {"b": -1, "c": {"d": 2.5}}, "e": 0}),
    Race(),
    Heap(),
    Pile(),
]

every_start = pytest.mark.parametrize(
    "start", STARTS, ids=[f"{type(p).__name__}{i}" for i, p in enumerate(STARTS)]
)
raw_or_not = pytest.mark.parametrize("make", [adv_envs.env, adv_envs.raw_env], ids=["env", "raw"])


# ---- PettingZoo's tests


@every_start
@raw_or_not
def test_api(start: Position, make: Any) -> None:
    api_test(make(start), num_cycles=100)


@every_start
@raw_or_not
def test_seed(start: Position, make: Any) -> None:
    seed_test(lambda: make(start), num_cycles=60)


@every_start
def test_render(start: Position, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pytest.importorskip("pygame")
    pytest.importorskip("PIL")

    def make(**options: Any) -> Any:
        env = adv_envs.env(start, **options)
        env.metadata["render_fps"] = 1000  # no need to watch
        return env

    render_test(make, {"ansi": lambda text: "\x1b" not in text and text.strip() != ""})


@every_start
def test_render_as_text(start: Position) -> None:
    env = adv_envs.env(start, render_mode="ansi")
    env.reset(seed=3)
    assert env.render() == str(env.position)
    env.close()
    env.close()


@every_start
@raw_or_not
def test_parallel_api(start: Position, make: Any) -> None:
    parallel_api_test(turn_based_aec_to_parallel(make(start)), num_cycles=100)


@every_start
def test_state(start: Position) -> None:
    state_test(adv_envs.env(start), turn_based_aec_to_parallel(adv_envs.env(start)))


def test_without_any_render_mode_and_with_an_unknown_one() -> None:
    env = adv_envs.env("tic_tac_toe")
    env.reset()
    with pytest.warns(UserWarning, match="without specifying any render mode"):
        assert env.render() is None
    with pytest.raises(ValueError, match="render_mode must be one of"):
        adv_envs.env("hex", render_mode="png")


# ---- PettingZoo's conventions


@every_start
def test_metadata(start: Position) -> None:
    for env in (adv_envs.env(start), adv_envs.raw_env(start)):
        assert str(env) == env.metadata["name"]
        assert env.metadata["render_modes"] == ["human", "rgb_array", "ansi", "svg"]
        assert env.metadata["is_parallelizable"] is False
        assert env.unwrapped is env
        assert env.render_mode is None
        assert env.possible_agents == [f"player_{i}" for i in range(start.num_players)]
        assert env.max_num_agents == start.num_players


def test_names_of_environments() -> None:
    assert str(adv_envs.env(ConnectFour(4, 4, 3))) == "connect_four_v0"
    assert str(adv_envs.raw_env(Pile())) == "pile_v0"
    assert str(adv_envs.env(Tree({"a": 1}))) == "tree_v0"


@raw_or_not
def test_the_module_of_an_environment_tells_the_rules(make: Any) -> None:
    """As PettingZoo's tutorial tells a language model the rules: before and after reset."""
    env = make("hex", size=3)
    for reset in (lambda: None, env.reset):
        reset()
        for each in (env, copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
            module = inspect.getmodule(each.unwrapped)
            assert module is sys.modules["adv_envs.games.hex"]
            assert "join your two sides of the board" in (module.__doc__ or "")


def test_all_wrappers_of_pettingzoo_unwrap_to_ours() -> None:
    env = adv_envs.raw_env("tic_tac_toe")
    wrapped: Any = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    for name in ("AssertOutOfBoundsWrapper", "OrderEnforcingWrapper", "BaseWrapper"):
        wrapped = getattr(wrappers, name)(wrapped)
        assert wrapped.unwrapped is env
    api_test(wrapped, num_cycles=50)


def test_actions_of_every_integer_type() -> None:
    for kind in (int, np.int8, np.int16, np.int32, np.int64, np.uint8, np.array):
        for make in (adv_envs.env, adv_envs.raw_env):
            env = make("hex", size=11)
            env.reset()
            env.step(kind(100))
            assert env.position == Hex(11).play(100)
            assert all(type(value) in (int, bool) for value in env.position)


class Cliff(Position):
    """Three players step in turn; after the last step chance would be to move, but it is over."""

    steps: int = 2
    taken: int = 0
    parameters = ("steps",)
    num_players = 3
    num_actions = 1
    observation_shape = (1,)

    @property
    def to_move(self) -> int:
        return CHANCE if self.is_terminal() else self.taken % 3

    def legal(self, action: int) -> bool:
        return True

    def play(self, action: int) -> "Cliff":
        return Cliff(self.steps, self.taken + 1)

    def is_terminal(self) -> bool:
        return self.taken == self.steps

    def utility(self, player: int) -> float:
        return 0

    def observe(self, player: int, planes: Any) -> None:
        planes[0] = self.is_terminal()


@raw_or_not
@pytest.mark.parametrize(("steps", "selected"), [(1, "player_1"), (2, "player_2"), (3, "player_0")])
def test_at_an_end_where_chance_would_move_the_next_player_is_selected(
    make: Any, steps: int, selected: str
) -> None:
    env = make(Cliff(steps))
    env.reset()
    for _ in range(steps):
        env.step(0)
    assert env.agent_selection == selected
    assert all(env.terminations.values())


@raw_or_not
def test_the_last_action_is_known_until_another_game(make: Any) -> None:
    env = make("tic_tac_toe")
    env.reset()
    assert env.last_action is None
    for action in (4, 0):
        env.step(action)
        assert env.last_action == action
    env.position = TicTacToe().after("b2")
    assert env.last_action is None
    env.step(8)
    assert env.last_action == 8
    env.reset()
    assert env.last_action is None


@raw_or_not
def test_a_reset_among_leaving_agents_begins_anew(make: Any) -> None:
    def selected(env: Any) -> list[str]:
        """Who is selected from the beginning of a game until after its end."""
        env.reset()
        found = [env.agent_selection]
        for action in (1, 1, None, None, None):
            env.step(action)
            found.append(env.agent_selection)
        return found

    env = make(ThirtyOne(limit=4, num_players=3))
    env.reset(options={"position": ThirtyOne(limit=4, num_players=3).after("2 1 1")})
    assert env.agent_selection == "player_0"
    env.step(None)  # one of three has left
    assert selected(env) == selected(make(ThirtyOne(limit=4, num_players=3)))


@pytest.mark.parametrize(
    ("start", "line", "told"),
    [
        (TicTacToe(), (0, 3, 1, 4, 2), {"player_1": -1, "player_0": 1}),
        (
            ThirtyOne(limit=4, num_players=3),
            (1, 1),
            {"player_2": -1, "player_0": 0.5, "player_1": 0.5},
        ),
    ],
)
def test_agents_leave_in_turn(start: Position, line: Any, told: dict[str, float]) -> None:
    """The loser is selected first; each agent takes one None and is told its own result."""
    env = adv_envs.env(start)
    env.reset()
    for action in line:
        env.step(action)
    assert env.rewards == told
    for number, (player, reward) in enumerate(told.items()):
        assert env.num_agents == len(env.agents) == len(told) - number
        assert env.agent_selection == player
        assert env.last()[1:4] == (reward, True, False)
        env.step(None)
    assert env.agents == []
    assert env.num_agents == 0


def test_a_player_may_move_twice_in_a_row() -> None:
    env = adv_envs.env(Heap(9, 2))
    env.reset()
    env.step(1)
    assert env.agent_selection == "player_0"
    mask = env.last()[0]["action_mask"]
    assert mask.tolist() == [1, 1, 1]
    env.step(0)
    assert env.agent_selection == "player_1"


# ---- positions


def test_read_and_set_the_position() -> None:
    env = adv_envs.env("connect_four")
    assert env.start == ConnectFour()
    env.reset()
    env.step(3)
    assert env.position == ConnectFour().after("4")
    env.position = ConnectFour().after("44556")
    assert env.agent_selection == "player_1"
    assert not any(env.terminations.values())
    env.step(0)
    env.step(6)
    assert env.rewards == {"player_0": 1, "player_1": -1}
    env.reset()
    assert env.position == ConnectFour()
    fresh = adv_envs.env(Hex(4).after("b2 c3 a1"))
    fresh.reset()
    assert fresh.position == Hex(4).after("b2 c3 a1")
    assert fresh.agent_selection == "player_1"
    fresh.reset(options={"position": Hex(4)})
    assert fresh.position == Hex(4)
    unbegun = adv_envs.env("connect_four")
    unbegun.position = ConnectFour().after("44")
    assert unbegun.agent_selection == "player_0"
    unbegun.step(0)
    assert unbegun.position == ConnectFour().after("441")


def test_begin_at_the_end() -> None:
    env = adv_envs.env(TicTacToe())
    env.reset(options={"position": TicTacToe().after("a1 a2 b1 b2 c1")})
    assert all(env.terminations.values())
    paid = {}
    while env.agents:
        paid[env.agent_selection] = env.last()[1]
        env.step(None)
    assert paid == {"player_0": 1, "player_1": -1}


@raw_or_not
@pytest.mark.parametrize(
    ("position", "error", "says"),
    [
        (ConnectFour(), TypeError, "position must be a Hex, not ConnectFour"),
        ("b2", TypeError, "position must be a Hex, not 'b2'"),
        (None, TypeError, "position must be a Hex, not None"),
        (Hex(4), ValueError, "this environment plays Hex.size=3"),
        (Hex(3, swap=True), ValueError, "this environment plays Hex.size=3"),
        (Hex(3, False, 0, 1, 0, 0, False, 1), ValueError, "do not fit the stones"),
    ],
    ids=repr,
)
def test_wrong_positions(make: Any, position: Any, error: type[Exception], says: str) -> None:
    env = make(Hex(3))
    env.reset()
    env.step(4)
    with pytest.raises(error, match=says):
        env.reset(options={"position": position})
    with pytest.raises(error, match=says):
        env.position = position
    assert env.position == Hex(3).play(4)


@pytest.mark.parametrize("action", [9, -1, 100, None, "a1", 1.5, np.float64(1)], ids=repr)
def test_raw_environments_refuse(action: Any) -> None:
    env = adv_envs.raw_env("tic_tac_toe")
    env.reset()
    with pytest.raises((ValueError, TypeError), match="action"):
        env.step(action)
    assert env.position == TicTacToe()
    env.step(4)
    with pytest.raises(ValueError, match=r"action 4 is illegal for player_1; legal: \[0, 1, 2, 3"):
        env.step(4)


# ---- copies


WAYS_TO_COPY = (
    copy.deepcopy,
    lambda env: pickle.loads(pickle.dumps(env, 2)),
    lambda env: pickle.loads(pickle.dumps(env, pickle.HIGHEST_PROTOCOL)),
)


@every_start
@pytest.mark.parametrize("wrapped", [False, True])
def test_copies_play_on(start: Position, wrapped: bool) -> None:
    """At any moment, before reset and after the end, wrapped or not; each copy on its own."""
    for moves in (None, 0, 1, 2, 3, 99):
        env: Any = adv_envs.raw_env(start) if wrapped else adv_envs.env(start)
        if wrapped:
            env = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
            env = wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))
        if moves is not None:
            env.reset(seed=5)
            play(env, moves, 1)
        for way in WAYS_TO_COPY:
            other, before = way(env), sight(env)
            assert type(other) is type(env)
            if moves is None:
                with pytest.raises(AssertionError, match="needs to be called before step"):
                    other.step(0)
                other.reset(seed=5)
                continue
            twin = way(env)
            assert play(other, 99, 2) == play(twin, 99, 2)
            assert sight(env) == before


def sight(env: Any) -> Any:
    """What can be seen of an environment that has begun."""
    env = env.unwrapped
    if "agents" not in vars(env):
        return env.position
    told = [env.rewards, env.terminations, env.truncations, env.infos, env.agents]
    return env.position, repr(told), [repr(env.observe(agent)) for agent in env.agents]


def play(env: Any, moves: int, seed: int) -> list[Any]:
    """Up to ``moves`` moves, or dead steps, of a seeded random game; what was seen on the way."""
    rng, seen = np.random.default_rng(seed), []
    while env.agents and len(seen) < moves:
        observation, *rest = env.last()
        legal = np.flatnonzero(observation["action_mask"])
        action = None if rest[1] or rest[2] else int(rng.choice(legal))
        seen.append((env.agent_selection, observation["observation"].tolist(), rest, action))
        env.step(action)
    return seen


def test_copies_after_an_illegal_move() -> None:
    env = adv_envs.env("tic_tac_toe")
    env.reset()
    env.step(0)
    env.step(0)
    for way in WAYS_TO_COPY:
        other = way(env)
        assert [seen[2] for seen in play(other, 9, 0)] == [seen[2] for seen in play(way(env), 9, 0)]
        assert not other.agents


# ---- making them


GAMES = ["tic_tac_toe", "connect_four", "hex", "thirty_one", "fig52", "pig"]


@pytest.mark.parametrize("name", GAMES)
def test_every_way_to_make_one(name: str) -> None:
    module = getattr(adv_envs, f"{name}_v0")
    made = {
        "env": adv_envs.env(name),
        "module": module.env(),
        "position": adv_envs.env(adv_envs.start_position(name)),
        "make": pettingzoo.make("aec", f"adv_envs/{name}-v0"),
        "unversioned": pettingzoo.make("aec", f"adv_envs/{name}"),
    }
    for env in made.values():
        assert type(env) is type(adv_envs.env(name))
        assert isinstance(env, Env)
        assert str(env) == f"{name}_v0"
        assert env.start == adv_envs.start_position(name)
        api_test(env, num_cycles=20)
    assert not isinstance(module.raw_env(), Env)
    assert isinstance(module.raw_env(), RawEnv)
    assert adv_envs.game(name) is type(adv_envs.start_position(name))
    assert adv_envs.name_of(adv_envs.start_position(name)) == name


def test_parameters_reach_the_game() -> None:
    from adv_envs import hex_v0

    for env in (
        adv_envs.env("hex", size=5, swap=True),
        hex_v0.env(size=5, swap=True),
        pettingzoo.make("aec", "adv_envs/hex-v0", size=5, swap=True),
        pettingzoo.spec("aec", "adv_envs/hex-v0").make(size=5, swap=True),
        adv_envs.env(Hex(5, swap=True)),
    ):
        assert env.start == Hex(size=5, swap=True)
        assert env.action_space("player_0").n == 26
        assert env.observation_space("player_1")["observation"].shape == (5, 5, 2)
    env = pettingzoo.make("aec", "adv_envs/connect_four-v0", render_mode="ansi", height=4, width=4)
    assert env.render_mode == "ansi"
    assert importlib.import_module("adv_envs").hex_v0.__name__ == "adv_envs.hex_v0"


def test_what_there_is_is_listed() -> None:
    names = dir(adv_envs)
    assert {"hex_v0", "tic_tac_toe_v0", "Boards", "GymEnv", "Env", "start_position"} <= {*names}
    assert {*adv_envs.__all__} <= {*names}
    assert not {"Any", "annotations", "importlib", "make"} & {*names}
    for name in names:
        assert hasattr(adv_envs, name), name
    assert not hasattr(adv_envs, "_no_such_name")


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: adv_envs.env("shogi"), ValueError, "no game 'shogi'; games: chess, go"),
        (lambda: adv_envs.env("conect_four"), ValueError, "did you mean 'connect_four'?"),
        (lambda: adv_envs.env("Hex"), ValueError, "did you mean 'hex'?"),
        (lambda: adv_envs.env(""), ValueError, "no game ''; games: chess"),
        (lambda: adv_envs.env(3), TypeError, "a game is a name or a position, not 3"),
        (lambda: adv_envs.env(Hex), TypeError, "a game is a name or a position, not "),
        (lambda: adv_envs.env(Hex(3), size=3), TypeError, "parameters go with a game's name"),
        (lambda: adv_envs.env("hex", sise=5), TypeError, "'sise'; parameters: size, swap"),
        (lambda: adv_envs.env("hex", own=5), TypeError, "unexpected keyword argument 'own'"),
        (lambda: adv_envs.env("hex", size="5"), TypeError, "size must be an integer, not '5'"),
        (lambda: adv_envs.hex_v0.env(size=1), ValueError, "size must be 2 to 19, not 1"),
        (lambda: adv_envs.hex_v0.raw_env(k=1), TypeError, "unexpected keyword argument 'k'"),
        (lambda: pettingzoo.make("aec", "adv_envs/hex-v0", k=1), TypeError, "'k'; parameters: si"),
        (lambda: adv_envs.start_position("thirty_one", n=2), TypeError, "'n'; parameters: limit, "),
        (lambda: adv_envs.register("not a name", Pile), ValueError, "must be an identifier like"),
        (lambda: adv_envs.shogi_v0, AttributeError, "module 'adv_envs' has no attribute 'shogi_"),
        (lambda: adv_envs.make("hex"), AttributeError, "has no attribute 'make'"),
        (lambda: adv_envs.connect_four_v3, AttributeError, "did you mean 'connect_four_v0'"),
        (lambda: adv_envs.hex_v1, AttributeError, "module 'adv_envs' has no attribute 'hex_v1'"),
    ],
)
def test_mistakes_are_named(call: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error) as caught:
        call()
    assert says in str(caught.value)


def test_a_registered_game_is_a_game_everywhere() -> None:
    adv_envs.register("my_pile", Pile)
    try:
        env = pettingzoo.make("aec", "adv_envs/my_pile-v0", stones=7)
        assert env.start == Pile(7)
        assert str(env) == "my_pile_v0"
        assert adv_envs.my_pile_v0.env().start == Pile()
        assert adv_envs.name_of(Pile(3)) == "my_pile"
    finally:
        del adv_envs.GAMES["my_pile"]


# ---- light imports

HEAVY = ["numba", "llvmlite", "pygame", "matplotlib", "PIL", "torch", "typer", "rich", "agents"]

PLAY = """
env = adv_envs.env("hex", size=4, render_mode="ansi")
env.reset(seed=0)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    over = terminated or truncated
    env.step(None if over else int(observation["action_mask"].argmax()))
    env.render()
adv_envs.ConnectFour().after("4455").check()
"""


def run(code: str) -> tuple[str, str]:
    """What a new Python prints that takes warnings for errors: to stdout, to stderr."""
    here = pathlib.Path(adv_envs.__file__).parents[1]
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=here)
    return done.stdout.strip(), done.stderr


@pytest.mark.parametrize("then", ["", PLAY], ids=["import", "play"])
def test_importing_and_playing_load_nothing_heavy(then: str) -> None:
    code = f"import sys, adv_envs\n{then}\nprint(*[m for m in {HEAVY} if m in sys.modules])"
    assert run(code) == ("", "")


def test_the_laws_need_no_tests_of_others() -> None:
    """check_game and check_env are for users: they import nothing but the package."""
    code = (
        "import sys\nfrom adv_envs.testing import check_env, check_game\nimport adv_envs\n"
        "check_env(adv_envs.env('tic_tac_toe'), games=1)\n"
        "print(*[m for m in ['pytest', 'pettingzoo.test', 'hypothesis'] if m in sys.modules])"
    )
    assert run(code) == ("", "")
