"""Agents by their specs: read back as they were printed, and refused with what there is instead."""

import dataclasses
import importlib
import pkgutil
import re
import subprocess
import sys
import types
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import agents
from adv_envs import Hex, Position, TicTacToe
from agents import (
    AGENTS,
    Agent,
    AlphaBeta,
    FunctionAgent,
    Greedy,
    MaxN,
    Random,
    Retrograde,
    SearchAgent,
    make,
)
from agents.games import tic_tac_toe
from agents.games.connect_four import evaluations as connect_four
from agents.games.hex import evaluations as hex
from agents.knowledge import named_functions
from agents.spec import agent_class, find_function, parameters

pytestmark = pytest.mark.plain

NAMES = ("random", "human", "greedy", "rush", "minimax", "alpha_beta", "max_n", "retrograde")


@pytest.fixture
def registry() -> Iterator[None]:
    before = dict(AGENTS)
    yield
    AGENTS.clear()
    AGENTS.update(before)


# ---- there and back


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_a_spec(name: str) -> None:
    agent = make(name)
    assert isinstance(agent, Agent)
    assert (agent.name, repr(agent)) == (name, f"{name}()")
    for spec in (f"{name}()", f"  {name} ( )\n", repr(agent)):
        assert make(spec) == agent
        assert type(make(spec)) is agent_class(name)


def test_agents_of_one_game_are_found_when_they_are_asked_for() -> None:
    of_games = {c.__name__ for c in AGENTS.values() if c.__module__.startswith("agents.games.")}
    assert {"HexSolver", "Rush", "TurnSearch"} <= of_games <= set(agents.__all__) & set(dir(agents))
    for name in of_games:
        assert make(getattr(agents, name).name) == getattr(agents, name)()
    with pytest.raises(AttributeError, match="no attribute 'ShogiSolver'"):
        _ = agents.ShogiSolver  # type: ignore[attr-defined]
    code = "import agents, sys; print([m for m in sys.modules if m.startswith('agents.games.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(
    ("spec", "agent"),
    [
        ("alpha_beta(depth=4, evaluate=hex.two_distance)", AlphaBeta(4, evaluate=hex.two_distance)),
        ("alpha_beta(seconds=0.1)", AlphaBeta(seconds=0.1)),
        ("alpha_beta(nodes=1_000)", AlphaBeta(nodes=1000)),
        ("alpha_beta(depth=None)", AlphaBeta()),
        ("alpha_beta(order=connect_four.centre)", AlphaBeta(order=connect_four.centre)),
        ("alpha_beta(table_mb=0)", AlphaBeta(table_mb=0)),
        ("greedy(evaluate=tic_tac_toe.lines)", Greedy(evaluate=tic_tac_toe.lines)),
        ("greedy(evaluate=agents.games.tic_tac_toe.lines)", Greedy(tic_tac_toe.lines)),
        ("random(seed=-3)", Random(seed=-3)),
        ("retrograde(limit=10)", Retrograde(limit=10)),
    ],
)
def test_specs(spec: str, agent: Agent) -> None:
    assert make(spec) == agent
    assert make(repr(agent)) == agent


def test_only_what_differs_is_printed() -> None:
    for agent, spec in [
        (AlphaBeta(), ""),
        (AlphaBeta(depth=None, table_mb=16), ""),
        (AlphaBeta(3, evaluate=hex.resistance), "depth=3, evaluate=hex.resistance"),
        (AlphaBeta(seconds=0.25, order=hex.centre), "seconds=0.25, order=hex.centre"),
    ]:
        assert repr(agent) == f"alpha_beta({spec})"


LIMIT = st.integers(1, 2**62)
SECONDS = st.floats(1e-9, 1e7)
EVALUATE = st.sampled_from(
    [None, hex.two_distance, hex.shortest_path, connect_four.threats, tic_tac_toe.lines]
)
ORDER = st.sampled_from([None, "own", hex.centre, connect_four.centre, tic_tac_toe.centre])
SWITCHES = ["symmetry", "quiescence", "killers", "history", "null_window"]
"""Techniques of alpha-beta that can be turned off."""

VALUES: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "random": {"seed": st.integers()},
    "greedy": {"seed": st.integers(), "evaluate": EVALUATE},
    "rush": {"seed": st.integers()},
    "human": {"show_board": st.booleans()},
    "minimax": {"depth": LIMIT, "evaluate": EVALUATE},
    "max_n": {"depth": LIMIT, "evaluate": EVALUATE},
    "retrograde": {"limit": LIMIT},
    "alpha_beta": {
        "depth": LIMIT,
        "nodes": LIMIT,
        "seconds": SECONDS,
        "evaluate": EVALUATE,
        "order": ORDER,
        "table_mb": st.floats(0, 1e6) | st.integers(0, 1000),
        **{name: st.booleans() for name in SWITCHES},
    },
}


@settings(deadline=None, derandomize=True, max_examples=300)
@given(st.data())
def test_repr_is_read_back(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(NAMES))
    values = data.draw(st.fixed_dictionaries({}, optional=VALUES[name]))
    agent = agent_class(name)(**values)
    again = make(repr(agent))
    assert again == agent
    assert type(again) is type(agent)
    assert repr(again) == repr(agent)
    for key, value in values.items():
        assert getattr(again, key) == value


def test_parameters_are_the_fields() -> None:
    known = {name: [field.name for field in parameters(name)] for name in NAMES}
    first = ["depth", "seconds", "nodes", "evaluate", "order", "table_mb"]
    assert known["alpha_beta"] == first + SWITCHES
    assert known["random"] == ["seed"]
    for name, values in VALUES.items():
        assert set(values) == set(known[name])


# ---- functions by name


def test_heuristics_are_listed_as_they_are_named() -> None:
    names = [*named_functions()]
    assert len(names) == len(set(names))
    for game in ("hex.", "connect_four.", "tic_tac_toe."):
        assert any(name.startswith(game) for name in names)
    of_hex = ("shortest_path", "two_distance", "resistance", "connected", "relevant_connected")
    assert {f"hex.{name}" for name in of_hex} <= {*names}
    assert {"connect_four.lines", "connect_four.threats", "tic_tac_toe.lines"} <= {*names}
    for name in names:
        found = find_function(name)
        assert callable(found)
        told = repr(Greedy(evaluate=found))
        again = make(told)  # two games may share a function, which is called by the first
        assert told == f"greedy(evaluate={name})" or again.evaluate is found
        assert not name.split(".")[1].startswith("_")


def of_mine(position: Position) -> float:
    return 1.0


def test_a_function_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("a_module_of_mine")
    module.of_mine = of_mine  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "a_module_of_mine", module)
    monkeypatch.setattr(of_mine, "__module__", "a_module_of_mine")
    agent = make("greedy(evaluate=a_module_of_mine.of_mine)")
    assert agent == Greedy(evaluate=of_mine)
    assert repr(agent) == "greedy(evaluate=a_module_of_mine.of_mine)"
    assert make(repr(agent)) == agent


# ---- what cannot be read


NO_SPECS = [
    *("", "   ", "alpha_beta(", "alpha_beta)", "alpha_beta(depth=)", "alpha_beta(depth 4)", "\0"),
    *("alpha_beta(4)", "alpha_beta(depth=4, 5)", "alpha_beta(*[4])", "alpha beta", "alpha-beta"),
    *("4", "None", "'random'", "random()()", "agents.Random()", "random; random", "x := 3"),
    *("random\n\nrandom", "lambda: 0", "[random()]", "random(seed=1"),
]


@pytest.mark.parametrize("spec", NO_SPECS)
def test_what_is_not_a_spec(spec: str) -> None:
    with pytest.raises(ValueError, match=r"cannot read the agent .*: write name\(parameter=value"):
        make(spec)


@pytest.mark.parametrize(
    "spec",
    [
        f"{'-' * 3000}1",
        "." * 3000,
        f"a{'.b' * 3000}",
        f"{'(' * 5000}",
        f"random(seed={'-' * 3000}1)",
        f"random(seed={'-' * 120}1)",
        f"random(seed={'[' * 120}{']' * 120})",
        f"random(seed=1{'0' * 5000})",
        "random(seed={[]: 1})",
        "random(seed={{}})",
        "random(seed=1, seed=2)",
        f"alpha_beta(evaluate={'a' * 5000}.b)",
        f"{'a' * 5000}.b",
        "alpha_beta(evaluate=broken_module.f)",
        f"policy(path='{'a' * 5000}')",
        "policy(path='\0')",
        f"policy(path='tic_tac_toe_ppo', temperature=0x{'f' * 300})",
        f"league(path='{'a' * 5000}')",
        "random(seed='\ud800' * 3)",
        "random(seed=1_)",
        "\ud800",
    ],
)
def test_odd_texts_are_value_errors(
    spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_module.py").write_text("1 / 0")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ValueError, match=r".") as error:
        make(spec)
    assert isinstance(error.value, ValueError)
    assert not isinstance(error.value, UnicodeError)
    assert len(str(error.value)) < 20_000


@pytest.mark.parametrize("name", ["alphabeta", "Random", "minmax", "mtcs", "os", "__import__"])
def test_an_unknown_agent(name: str) -> None:
    with pytest.raises(ValueError, match=f"no agent '{name}'; .*agents: ") as error:
        make(f"{name}()")
    for known in NAMES:
        assert known in str(error.value)


def test_a_slip_of_the_keys() -> None:
    with pytest.raises(ValueError, match="did you mean 'alpha_beta'"):
        make("alphabeta")
    with pytest.raises(ValueError, match=r"did you mean 'hex.two_distance'"):
        make("greedy(evaluate=hex.two_distnace)")


@pytest.mark.parametrize("name", NAMES)
def test_an_unknown_parameter(name: str) -> None:
    with pytest.raises(TypeError, match=f"{name} has no parameter 'deepness'; parameters: ") as e:
        make(f"{name}(deepness=4)")
    for parameter in parameters(name):
        assert parameter.name in str(e.value)
    with pytest.raises(TypeError, match="has no parameter"):
        make(f"{name}(**{{'seed': 1}})")
    with pytest.raises(TypeError, match="has no parameter"):
        make(f"{name}(_random=1)")


@pytest.mark.parametrize(
    "value", ["two_distance", "hex.three_distance", "no_module.f", "hex", "x.y.z", "foo.bar"]
)
def test_an_unknown_function(value: str) -> None:
    with pytest.raises(ValueError, match=f"no function '{value}'; .*heuristics: ") as error:
        make(f"alpha_beta(evaluate={value})")
    for known in ("hex.two_distance", "connect_four.lines", "tic_tac_toe.centre"):
        assert known in str(error.value)


@pytest.mark.parametrize("value", ["1 + 'a'", "3 if 1 else 2", "[i for i in (1, 2)]", "f'{1}'"])
def test_a_value_that_is_neither_number_nor_name(value: str) -> None:
    with pytest.raises(ValueError, match="is neither a number nor a known name"):
        make(f"alpha_beta(depth={value})")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("alpha_beta(depth=0)", "depth must be at least 1"),
        ("alpha_beta(seconds=-1)", "seconds must be more than 0"),
        ("minimax(depth=0)", "depth must be at least 1"),
        ("max_n(depth=-1)", "depth must be at least 1"),
        ("retrograde(limit=0)", "limit must be at least 1"),
        ("alpha_beta(table_mb=-1)", "table_mb must not be negative"),
    ],
)
def test_a_value_that_is_not_allowed(spec: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make(spec)


@pytest.mark.parametrize("value", ["math.pi", "hex", "3", "'hex.two_distance'"])
def test_an_evaluation_is_a_function(value: str) -> None:
    with pytest.raises((ValueError, TypeError), match="evaluate"):
        make(f"alpha_beta(evaluate={value})")


# ---- a spec is data


HARM = [
    '__import__("os").system("touch {0}")',
    'alpha_beta(depth=__import__("os").system("touch {0}"))',
    'alpha_beta(depth=open("{0}", "w"))',
    'alpha_beta(evaluate=__import__("os").system)',
    'alpha_beta(evaluate=(lambda: open("{0}", "w"))())',
    'exec("open({0!r}, chr(119))")',
    'random(seed=[open("{0}", "w") for _ in (1,)])',
    'random(seed=open("{0}", "w").close())',
    'alpha_beta(depth=eval("1"))',
    '(lambda: open("{0}", "w"))()',
    'random(seed=random.seed.__globals__["os"])',
    "random(seed={{1: open('{0}', 'w')}})",
    'random(seed=f"{{open({0!r}, chr(119))}}")',
]


@pytest.mark.parametrize("spec", HARM)
def test_a_spec_cannot_do_anything(spec: str, tmp_path: Any) -> None:
    witness = tmp_path / "witness"
    with pytest.raises((ValueError, TypeError)):
        make(spec.format(witness))
    assert not witness.exists()


# ---- agents of one's own


@dataclass(repr=False)
class Twice(Agent):
    """It does what another agent does."""

    inner: Agent = field(default_factory=Random)
    label: str = "x"
    weights: tuple[float, ...] = ()

    name: ClassVar[str] = "twice"

    def act(self, position: Position) -> int:
        return self.inner.act(position)


def test_an_agent_of_ones_own(registry: None) -> None:
    agents.register("twice", Twice)
    agent = make("twice(inner=alpha_beta(depth=2, evaluate=tic_tac_toe.lines), label='a, b')")
    assert agent == Twice(AlphaBeta(2, evaluate=tic_tac_toe.lines), "a, b")
    assert make(repr(agent)) == agent
    assert make("twice(inner=twice(inner=max_n(depth=1)))") == Twice(Twice(MaxN(1)))
    assert make(repr(Twice(weights=(1, -2.5)))) == Twice(weights=(1, -2.5))
    assert make("twice").act(TicTacToe()) in range(9)
    with pytest.raises(ValueError, match=r"no agent 'alfa'; .*twice"):
        make("twice(inner=alfa(depth=2))")
    with pytest.raises(TypeError, match="max_n has no parameter 'width'; parameters: depth"):
        make("twice(inner=max_n(width=2))")


def test_what_cannot_be_registered(registry: None) -> None:
    for wrong in (Random(), "agents_of_mine:Twice", TicTacToe):
        with pytest.raises(TypeError, match="register needs a class of agents, not "):
            agents.register("twice", wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="Twice calls itself 'twice' in its spec, not 'thrice'"):
        agents.register("thrice", Twice)
    assert not {"twice", "thrice"} & set(AGENTS)


def test_fields_that_are_no_parameters_stay_inside() -> None:
    for name in NAMES:
        shown = {field.name for field in parameters(name)}
        for each in dataclasses.fields(agent_class(name)):
            assert (each.name in shown) == (not each.name.startswith("_"))


def test_made_agents_play() -> None:
    for name in NAMES:
        if name not in ("human", "retrograde", "minimax", "max_n"):
            assert make(name).act(Hex(3)) in range(9)
    for spec in ("minimax(depth=2)", "max_n(depth=2)", "retrograde()"):
        assert make(spec).act(Hex(2)) in range(4)


# ---- functions


def policy(position: Position) -> int:
    """The last legal action."""
    return position.legal_actions()[-1]


class Callable_:  # noqa: N801 - the name of an instance without a name
    def __call__(self, position: Position) -> int:
        return 0


def test_functions_are_agents() -> None:
    agent = make(policy)
    assert agent == FunctionAgent(policy)
    assert agent.act(TicTacToe()) == 8
    assert repr(agent) == f"{__name__}.policy"
    assert make(repr(agent)) == agent
    assert repr(make(Callable_())) == f"{__name__}.Callable_"
    with pytest.raises(ValueError, match="the game is over"):
        agent.act(TicTacToe().after("a1 a2 b1 b2 c1"))


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        (FunctionAgent, TypeError, "an agent is needed, FunctionAgent(), and not its class"),
        (Random, TypeError, "an agent is needed, Random(), and not its class"),
        (None, TypeError, "a function from positions to actions is needed, not None"),
        (3, TypeError, "a function from positions to actions is needed, not 3"),
        ("hex.two_distance", ValueError, "as in greedy(evaluate=hex.two_distance)"),
        ("no_module.policy", ValueError, "no agent 'no_module.policy'"),
        ("agents.Greedy", ValueError, "agents.Greedy is a class"),
        ("math.pi", TypeError, "function must be a function of a position, not 3.14"),
    ],
)
def test_what_is_no_agent(spec: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=re.escape(message)):
        make(spec)


# ---- every agent of the package

MINIMAL = {
    "policy": "policy(path='tic_tac_toe_ppo')",
    "submission": f"submission({str(Path(__file__))!r})",
    "engine": "engine(command='some_program')",
    "llm": "llm(model='some_model')",
}
"""Specs of agents that cannot be made without parameters."""


WITHOUT_SPEC = {
    "function": "its spec is the name of the function",
    "learner": "a policy while it is trained",
    "league": "it needs a folder of past selves, see tests/test_league.py",
    "mixed": "an opponent that report cards make for themselves",
    "notebook": "what the cells of a notebook define",
    "isolated": "an agent in a process of its own, whose spec counts",
}


def agents_of_the_package() -> list[type[Agent]]:
    """Every class of agents that can be made, command line and base classes aside."""
    for module in pkgutil.walk_packages(agents.__path__, "agents."):
        if not module.name.startswith("agents.cli"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)  # those of the extras
                try:
                    importlib.import_module(module.name)
                except ModuleNotFoundError as error:  # an extra, or a part of it, is not installed
                    if (error.name or "").partition(".")[0] in ("adv_envs", "agents"):
                        raise
    found, todo = [], [Agent]
    while todo:
        cls = todo.pop()
        todo += cls.__subclasses__()
        named = vars(cls).get("name")  # not one that only has the name of its base class
        ours = cls.__module__.startswith("agents.") and "cli" not in cls.__module__
        if ours and named and isinstance(named, str):  # not what gets its name with a plan
            found.append(cls)
    return found


@pytest.mark.again
def test_every_repr_is_a_spec() -> None:
    classes = agents_of_the_package()
    assert {agents.ConnectFourSolver, agents.HexSolver, agents.PigSolver, AlphaBeta} <= {*classes}
    for cls in classes:
        if cls.name not in WITHOUT_SPEC:
            assert AGENTS[cls.name] is cls
            agent = make(MINIMAL.get(cls.name, cls.name))
            assert type(agent) is cls
            again = make(repr(agent))
            assert again == agent
            assert repr(again) == repr(agent)


def test_a_parameter_that_is_needed() -> None:
    for spec in ("policy", "policy()", "policy(simulations=10)"):
        with pytest.raises(TypeError, match=r"^policy needs path: write policy\(path=\.\.\.\)$"):
            make(spec)


def test_a_kind_of_agent() -> None:
    found = make("alpha_beta(depth=1)", SearchAgent).analyse(TicTacToe())
    assert found.action in range(9)
    assert make("alpha_beta(depth=1)", AlphaBeta).depth == 1
    assert make(agent := Random(3)) is agent
    with pytest.raises(TypeError, match=r"a SearchAgent is needed, which random\(\) is not"):
        make("random", SearchAgent)
    with pytest.raises(TypeError, match=r"a SearchAgent is needed, which .*first_legal is not"):
        make(first_legal, SearchAgent)


def first_legal(position: Position) -> int:
    return position.legal_actions()[0]
