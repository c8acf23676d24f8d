"""The pages of the games: every section is there, and what is said of a game is so."""

import re
from pathlib import Path

import gymnasium
import pettingzoo
import pytest
from manual import game_pages
from manual.game_facts import FOLDER, facts_of

import adv_envs
import agents
from adv_envs import Position
from adv_envs.pictures import places
from adv_envs.registry import GAMES, game, parameters_of, start_position
from agents.arena.ladder import ladders
from agents.equilibrium import expected_utilities, game_tree, solve_zero_sum
from agents.knowledge import suitable_opponent

ROOT = Path(__file__).parent.parent

pytestmark = pytest.mark.compiled

NAMES = [name for name in GAMES if (FOLDER / f"{name}.md").exists()]
PLAIN_LINES = 20_000
"""The most lines of play that are counted in plain Python."""


def test_every_game_has_a_page():
    known = {name for name in GAMES if str(GAMES[name]).startswith(("adv_envs.", "<class 'adv_"))}
    assert known == {*NAMES} == {path.stem for path in FOLDER.glob("*.toml")}
    assert len(NAMES) == 38


@pytest.mark.parametrize("name", NAMES)
def test_every_section_is_on_the_page(name):
    """Each says something: it is not enough that a heading is there."""
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    page = game_pages.page(name, text)
    head, found = game_pages.sections_of(page)
    assert re.match(r"# \S", head)
    assert "<svg" in head
    assert len(re.findall(r"\w+", re.sub(r"```.*?```", "", head, flags=re.DOTALL))) > 25  # rules
    order = [key for key in found if key in game_pages.SECTIONS]
    assert order == list(game_pages.SECTIONS)
    written = game_pages.sections_of(text)[1]
    assert {*found} == {*game_pages.SECTIONS, *written}
    assert all(body in page for body in written.values())
    start = game(name)()
    drawn = ["<svg"] if places(game_pages.typical(start)[0]) else []
    assert drawn or name == "pig"  # a die and two scores: nothing to click on but buttons
    ladder = next((each for each in ladders() if each.game.partition(",")[0] == name), None)
    measured = ["| Elo (95 %) |", ladder.rungs[-1].spec] if ladder else []
    needed = {
        "Creation": ["adv_envs.env(", "gymnasium.make(", "pettingzoo.make(", "adv_envs.Boards("],
        "Parameters": [f"`{key}={value!r}`" for key, value in parameters_of(start).items()]
        or ["None."],
        "Actions": [f"Discrete({start.num_actions})", "| name |", *drawn],
        "Observation": [f"`{start.observation_shape}`", "| meaning |", "<svg"],
        "Rewards and end": ["**Rewards**", "**The game is over**", "No reward is larger"],
        "What is known": ["**Symmetries**", "**Solved by**", "value"],
        "Strength": [f"`{suitable_opponent(start)}`", *measured],
        "Speed": ["adv_envs.env", "benchmarks/games.py"],
        "Other libraries": ["OpenSpiel", "PettingZoo", "Pgx", "migration.md"],
        "Versions": ["| 0.1.0 |"],
        "References": ["- "],
    }
    assert needed.keys() == game_pages.SECTIONS.keys()
    for heading, parts in needed.items():
        missing = [part for part in parts if part not in found[heading]]
        assert not missing, (heading, missing)


@pytest.mark.parametrize("name", NAMES)
def test_all_ways_of_creation_work(name):
    rows = "\n".join(game_pages.creation(name, game(name)()))
    found = re.findall(r"`((?:adv_envs|gymnasium|pettingzoo)\.[^`]+)`", rows)
    assert len(found) == 7
    assert f"from adv_envs import {name}_v0" in rows
    names = {"adv_envs": adv_envs, "gymnasium": gymnasium, "pettingzoo": pettingzoo}
    made = [eval(each.replace("1024", "2"), names) for each in found]  # noqa: S307  # our own page
    assert len({type(each) for each in made}) == 5
    assert type(getattr(adv_envs, f"{name}_v0").env()) is adv_envs.Env


@pytest.mark.parametrize("name", NAMES)
def test_parameters_are_as_they_are_told(name):
    told = facts_of(name).get("parameters", {})
    assert told.keys() == parameters_of(game(name)()).keys()
    for key, each in told.items():
        around = each.get("with", {})
        for value in each.get("choices", each.get("range", [])):
            start_position(name, **{key: value}, **around)
        low, *_, high = each.get("choices", each.get("range", [0, 0]))
        for value in (low - 1, high + 1) if low < high else ():
            with pytest.raises(ValueError, match=r"must|allowed|at most|between"):
                start_position(name, **{key: value}, **around)


@pytest.mark.parametrize("name", NAMES)
def test_observations_have_the_planes_that_are_told(name):
    start = game(name)()
    assert sum(number for number, _ in facts_of(name)["observation"]) == start.observation_shape[-1]


def perft(position: Position, depth: int) -> int:
    if position.is_terminal():
        return 0
    legal = position.legal_actions()
    return len(legal) if depth == 1 else sum(perft(position.play(a), depth - 1) for a in legal)


COUNTS = [
    pytest.param(name, count, id=f"{name}-{i}")
    for name in NAMES
    for i, count in enumerate(facts_of(name).get("counts", []))
    if count.get("unit", "plies") == "plies"
]


@pytest.mark.parametrize(("name", "count"), COUNTS)
def test_lines_of_play(name, count):
    start = start_position(name, **count.get("game", {}))
    lines = [number for number in count["lines"] if number <= PLAIN_LINES]
    assert [perft(start, depth) for depth in range(1, len(lines) + 1)] == lines


VALUES = [
    pytest.param(name, value, id=f"{name}-{i}")
    for name in NAMES
    for i, value in enumerate(facts_of(name).get("values", []))
    if "by" in value
]


@pytest.mark.parametrize(("name", "told"), VALUES)
def test_values_are_found_by_the_agents_that_are_named(name, told):
    start = start_position(name, **told.get("game", {}))
    if told["by"] == "equilibrium":
        found = expected_utilities(solve_zero_sum(game_tree(start)).policy)[0]
    else:
        found = agents.make(told["by"]).value(start)
    assert found == pytest.approx(told["value"], abs=told.get("within", 1e-9))


def test_values_and_counts_have_a_source():
    for name in NAMES:
        for value in facts_of(name).get("values", []):
            assert value.get("source") or value.get("by"), (name, value)
            limit = start_position(name, **value.get("game", {})).max_utility
            assert abs(value["value"]) <= limit
        assert all(count["source"] for count in facts_of(name).get("counts", []))


def test_versions_are_those_of_the_changelog():
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    known = {*re.findall(r"^## \[(\d[^]]*)\]", changes, re.MULTILINE), adv_envs.__version__}
    assert all({*facts_of(name)["versions"]} <= known for name in NAMES)


# ---- other libraries


def peers(library):
    return [
        pytest.param(peer, id=peer["game"])
        for name in NAMES
        for peer in facts_of(name).get("peers", [])
        if peer["library"] == library
    ]


@pytest.mark.parametrize("peer", peers("OpenSpiel"))
def test_games_of_open_spiel(peer):
    theirs = pytest.importorskip("pyspiel").load_game(peer["game"])
    assert theirs.num_distinct_actions() == peer["actions"]
    assert theirs.observation_tensor_shape() == peer["observation"]


@pytest.mark.parametrize("peer", peers("PettingZoo"))
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore:.*precision lowered")
def test_games_of_pettingzoo(peer):
    if "holdem" in peer["game"]:
        pytest.importorskip("rlcard")
    if "hanabi" in peer["game"]:
        pytest.importorskip("shimmy")
    env = pettingzoo.make("aec", peer["game"], **peer.get("options", {}))
    env.reset()
    agent = env.possible_agents[0]
    assert env.action_space(agent).n == peer["actions"]
    space = env.observation_space(agent)
    if "observation" in peer:
        assert list(space["observation"].shape) == peer["observation"]
    else:
        assert space.shape == ()


def test_all_games_of_pettingzoo_are_named():
    """So that no page says that PettingZoo does not have a game."""
    ours = {each.values[0]["game"] for each in peers("PettingZoo")}
    theirs = {str(key) for key in pettingzoo.aec_registry if str(key).startswith("classic/")}
    assert theirs == ours


@pytest.mark.parametrize("peer", peers("Pgx"))
def test_games_of_pgx(peer):
    theirs = pytest.importorskip("pgx").make(peer["game"])
    assert theirs.num_actions == peer["actions"]
    assert list(theirs.observation_shape) == peer["observation"]
