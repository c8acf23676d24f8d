"""Engines are up to date, there is one for each game, and they play what Python's agents play."""

import json

import pytest

from adv_envs.registry import GAMES, start_position
from agents import MCTS, AlphaBeta
from agents.engines.build import Module, modules, offered_specs
from agents.engines.npm_package import write_package
from agents.engines.plans import FOLDER, engine_info, module_of_game, plan_of
from agents.spec import make

MODULES = dict(modules())

MOST_BYTES = 4_200_000
"""How large all modules together may be."""


@pytest.mark.parametrize("name", MODULES)
def test_modules_are_up_to_date(name):
    info = engine_info().get(name)
    assert info is not None, f"there is no module {name}: make engines"
    assert (FOLDER / f"{name}.wasm").stat().st_size == info["bytes"]
    made = Module(name, MODULES[name]).info()
    told = {key: value for key, value in info.items() if key != "bytes"}
    assert told == made, f"the module {name} was made of something else: make engines"


def test_there_is_nothing_else():
    assert engine_info().keys() == MODULES.keys()
    assert {path.stem for path in FOLDER.glob("*.wasm")} == MODULES.keys()
    assert sum(info["bytes"] for info in engine_info().values()) < MOST_BYTES


@pytest.mark.parametrize("game", GAMES)
def test_every_compiled_game_has_an_engine(game):
    start = start_position(game)
    assert (module_of_game(start) is not None) == start.is_compiled


@pytest.mark.parametrize("name", MODULES)
def test_searches_that_are_offered_have_plans(name):
    for start in MODULES[name]:
        for spec in offered_specs(start):
            agent = make(spec)
            if type(agent) in (AlphaBeta, MCTS):
                plan = plan_of(agent, start)
                assert plan is not None, f"{spec} for {start!r}"
                assert plan["module"] == name
                assert plan["name"] == agent.name


@pytest.mark.parametrize(
    ("game", "spec"),
    [
        ("connect_four", "mcts(seed={})"),
        ("kuhn", "ismcts(seed={})"),
        ("kuhn", "mccfr(iterations=10, seed={})"),
    ],
)
def test_seeds_are_told_exactly(game, spec):
    plan = plan_of(make(spec.format(2**61 + 1)), start_position(game))
    assert plan["seed"] == str(2**61 + 1)


def test_other_agents_have_no_plan():
    start = start_position("connect_four")
    assert plan_of(make("human()"), start) is None
    assert plan_of(AlphaBeta(2, evaluate=lambda position: 0.0), start) is None
    assert plan_of(MCTS(2, threads=2), start) is None


def test_a_package_is_written_over_packages_only(tmp_path, monkeypatch):
    monkeypatch.setattr("agents.engines.npm_package.all_plans", dict)  # they take some seconds
    other = tmp_path / "package.json"
    other.write_text('{"name": "other"}', encoding="utf-8")
    with pytest.raises(FileExistsError, match="not a package of engines"):
        write_package(tmp_path)
    assert [*tmp_path.iterdir()] == [other]
    own = tmp_path / "own"
    number = write_package(own)
    (own / "modules" / "former-0.wasm").touch()
    assert write_package(own) == number
    assert (own / "LICENSE").read_text(encoding="utf-8").startswith("MIT License")
    told = json.loads((own / "package.json").read_text(encoding="utf-8"))
    assert (own / told["main"]).is_file()
    assert all([*own.glob(pattern)] for pattern in told["files"])
