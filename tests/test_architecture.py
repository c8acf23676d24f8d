"""The laws of the house: where games may be named, what names mean, what a room says of itself."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from adv_envs import Position
from adv_envs.registry import GAMES, game

pytestmark = pytest.mark.plain

ROOT = Path(__file__).parent.parent

FILES = sorted(
    path.relative_to(ROOT).as_posix()
    for package in ("adv_envs", "agents")
    for path in (ROOT / package).rglob("*.py")
)


@cache
def tree_of(file: str) -> ast.Module:
    return ast.parse((ROOT / file).read_text(encoding="utf-8"))


@pytest.fixture(scope="module", autouse=True)
def forget_trees() -> Iterator[None]:
    """Frees 700,000 objects for the tests that come after these."""
    yield
    tree_of.cache_clear()


def base_classes(cls: type[Position]) -> Iterator[type[Position]]:
    """The class of a game, and those of its bases that are games themselves."""
    return (base for base in cls.__mro__ if base.__module__.startswith("adv_envs.games."))


# ---- a complete game is three files and a line

CLASSES = {base.__name__ for name in GAMES for base in base_classes(game(name))}
MODULES = {base.__module__.rpartition(".")[2] for n in GAMES for base in base_classes(game(n))}

OF_GAMES = re.compile(
    r"adv_envs/games/\w+\.py"
    rf"|adv_envs/pictures/({'|'.join(sorted(MODULES))})\.py"
    rf"|agents/games/({'|'.join(sorted(MODULES))})(\.py|/.*)"
)
"""The three files of a game; the last one is a package where there is a solver."""

MAY_NAME_GAMES = {
    "adv_envs/registry.py": "the line that every game has",
    "adv_envs/__init__.py": "the public names of the package",
    "adv_envs/aima/games_py.py": "the games of a module that it takes the place of",
    "agents/protocols/uci.py": "`go` is the command of UCI that begins a search",
    "agents/classroom/tree_checks.py": "searches are checked on trees, the game `Tree`",
    "agents/engine.py": "UCI calls its usual game so, and `go` begins a search",
    "adv_envs/formats/pgn.py": "PGN is the file format of chess",
    "adv_envs/formats/sgf.py": "SGF of games number 1 and 11 is a file format of Go and Hex",
    "adv_envs/formats/go_sgf.py": "what is Go's own in SGF",
    "adv_envs/formats/hex_sgf.py": "what is Hex's own in SGF",
    "agents/protocols/htp.py": "the Hex text protocol",
}


def names_of_games(tree: ast.Module) -> Iterator[str]:
    """Where a module names a concrete game: its class, its modules, or its registered name."""
    for node in ast.walk(tree):
        line = f"line {getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.Name) and node.id in CLASSES:
            yield f"{line}: {node.id}"
        elif isinstance(node, ast.Attribute) and node.attr in CLASSES:
            yield f"{line}: {node.attr}"
        elif isinstance(node, ast.ImportFrom | ast.Import):
            module = getattr(node, "module", None) or ""
            if module and node.level == 0 and module.split(".")[0] not in ("adv_envs", "agents"):
                continue  # somebody else's Tree
            for path in (f"{module}.{alias.name}".strip(".") for alias in node.names):
                parts = path.split(".")
                if CLASSES & set(parts) or ("games" in parts and MODULES & set(parts)):
                    yield f"{line}: import of {path}"
        elif isinstance(node, ast.Constant) and node.value in set(GAMES):
            yield f"{line}: {node.value!r}"


@pytest.mark.parametrize("file", [f for f in FILES if not OF_GAMES.fullmatch(f)])
def test_no_other_module_names_a_game(file: str) -> None:
    found = list(names_of_games(tree_of(file)))
    if file in MAY_NAME_GAMES:
        assert found, f"{file} names no game any more: strike it from MAY_NAME_GAMES"
        return
    assert not found, "\n".join(found)


def test_exceptions_are_of_files_that_exist() -> None:
    assert set(MAY_NAME_GAMES) <= set(FILES)


def test_every_game_has_its_three_files() -> None:
    for name in GAMES:
        module = next(base_classes(game(name))).__module__.rpartition(".")[2]
        assert f"adv_envs/games/{module}.py" in FILES
        assert f"adv_envs/pictures/{module}.py" in FILES
        assert {f"agents/games/{module}.py", f"agents/games/{module}/__init__.py"} & set(FILES)


@pytest.mark.parametrize(
    "source",
    [
        "from adv_envs import Hex",
        "from adv_envs.games import pig",
        "from adv_envs.games.pig import MOST",
        "import adv_envs.games.hex",
        "isinstance(position, Tree)",
        "isinstance(position, adv_envs.Pig)",
        "name_of(position) == 'connect_four'",
    ],
)
def test_every_way_to_name_a_game_is_seen(source: str) -> None:
    assert list(names_of_games(ast.parse(source)))


# ---- one name for each thing

SAME_NAME = {"__init__", "__main__"} | MODULES
"""Modules that may share a name: the three files of a game are called after it."""

PART_OF_A_GAME = re.compile(r"agents/games/\w+/(evaluations|solver|dialect)\.py")
"""What several games have: these are called the same in each."""

OF_THE_TEXTBOOK = "adv_envs/aima/"
"""Its classes have the names that the textbook gives them."""


def test_no_two_modules_share_a_name() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for file in FILES:
        if not PART_OF_A_GAME.fullmatch(file):
            places[Path(file).stem].append(file)
    twins = {n: where for n, where in places.items() if len(where) > 1 and n not in SAME_NAME}
    assert not twins, twins


def test_no_two_classes_share_a_name() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for file in FILES:
        if not file.startswith(OF_THE_TEXTBOOK):
            for node in ast.walk(tree_of(file)):
                if isinstance(node, ast.ClassDef):
                    places[node.name].append(f"{file}:{node.lineno}")
    twins = {name: where for name, where in places.items() if len(where) > 1}
    assert not twins, twins


PRIVATE_WORDS = {
    "lane", "lanes", "worth", "worths", "mover", "desk", "crew", "hand", "hired", "bury", "hear",
    "parted", "placing", "anchored", "carriers_of", "evenest", "deepen", "tighten",
    "neglected", "favourite", "asked", "advise", "gather", "judge", "settle", "give_back",
    "refusal", "marks", "examiner", "observer", "rendered", "scene", "whoever", "trial", "onlooker",
}  # fmt: skip
"""Words that the standard ones of the field have replaced."""

KEEPS_ITS_WORD = {
    "adv_envs/games/gin_rummy.py": "`hand`: the cards that a player holds",
    "adv_envs/games/hanabi.py": "`hand_size` is the name in PettingZoo and OpenSpiel",
    "adv_envs/games/pig.py": "`mover` has the turn, also while chance is to move",
    "adv_envs/pictures/gin_rummy.py": "`hand`: the cards that a player holds",
    "agents/games/gin_rummy.py": "`hand`: the cards that a player holds",
    "adv_envs/games/holdem.py": "a hand of poker is the cards of a player",
    "adv_envs/games/poker_hands.py": "a hand of poker is the cards of a player",
    "agents/games/holdem/equities.py": "a hand of poker is the cards of a player",
}
"""Files in which one of these is the field's own word, and why."""


def identifiers(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Every name that a module defines or takes as a parameter, with its line."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name, node.lineno
            case ast.arg():
                yield node.arg, node.lineno
            case ast.Name(id=name, ctx=ast.Store()):
                yield name, node.lineno
            case ast.Attribute(attr=name, ctx=ast.Store()):
                yield name, node.lineno


@pytest.mark.parametrize("file", FILES)
def test_names_are_the_standard_ones(file: str) -> None:
    stem = Path(file).stem
    assert not PRIVATE_WORDS & set(stem.split("_")) or file in KEEPS_ITS_WORD
    found = [
        f"{file}:{line}: {name}"
        for name, line in identifiers(tree_of(file))
        if PRIVATE_WORDS & {w.lower() for w in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}
    ]
    assert not found or file in KEEPS_ITS_WORD, "\n".join(found)


# ---- imports run one way, also those in functions and in tables of lazy names

SCRIPT = spec_from_file_location("house", ROOT / "benchmarks" / "house.py")
house = module_from_spec(SCRIPT)
SCRIPT.loader.exec_module(house)
IMPORTS = house.all_imports(ROOT)


def test_no_files_import_each_other() -> None:
    assert not house.loops(IMPORTS)


def test_no_import_runs_upwards() -> None:
    assert not house.upwards(IMPORTS)


@pytest.mark.parametrize(
    "source",
    [
        "from agents import spec",
        "def make(): import agents.spec",
        "importlib.import_module('agents.spec')",
        "LAZY = {'make': 'agents.spec:make'}",
        "register(entry_point='agents.spec:make')",
        "from ..agents import spec",
        "from ..agents.spec import make",
    ],
)
def test_every_way_to_import_is_seen(source: str) -> None:
    trees = {"adv_envs/envs.py": source, "agents/spec.py": "import adv_envs.envs"}
    parsed = {Path(path): ast.parse(text) for path, text in trees.items()}
    imports = house.imports_of(parsed)
    assert house.loops(imports) == [{"adv_envs.envs", "agents.spec"}]
    assert house.upwards(imports) == [("adv_envs.envs", "agents.spec")]


def test_what_only_type_checkers_read_is_no_import() -> None:
    source = "if TYPE_CHECKING:\n    import agents.spec\nLOGGER = 'agents.spec'"
    parsed = {Path("adv_envs/envs.py"): ast.parse(source), Path("agents/spec.py"): ast.parse("")}
    assert not any(house.imports_of(parsed).values())


# ---- every room says what lives there


@pytest.mark.parametrize("file", [f for f in FILES if f.endswith("__init__.py")])
def test_every_room_says_what_lives_there(file: str) -> None:
    text = ast.get_docstring(tree_of(file)) or ""
    assert len(text.split()) >= 12, f"{file} says no more than {text!r}"


@pytest.mark.parametrize("file", FILES)
def test_every_function_is_typed(file: str) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    without = [line for line in text.splitlines() if "no-untyped-def" in line]
    assert not [line for line in without if line.rstrip().endswith("ignore[no-untyped-def]")]
