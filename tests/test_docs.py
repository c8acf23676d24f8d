"""What README.md, CONTRIBUTING.md and docs/ show is true: code runs, commands work, links lead on.

Every ```python block runs alone, in a process and a folder of its own; a ```text block right after
it is what it prints, where "..." stands for anything. ```python no-run is only read. A comment
before a block, ``<!-- needs learn -->``, names an extra that its code needs. Every line of a
```console or ```sh block that calls adv-envs runs, `play` and `serve` aside, which wait for people.
"""

import doctest
import os
import re
import shlex
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest
from adapters import environments

from adv_envs.registry import GAMES, game, parameters_of, start_position
from agents import AGENTS
from agents.arena.ladder import ladders
from agents.spec import agent_class

pytestmark = pytest.mark.compiled

ROOT = Path(__file__).parent.parent
PAGES = ["README.md", "CONTRIBUTING.md"]
PAGES += [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "docs").glob("*.md"))]
OF_GAMES = [p.relative_to(ROOT).as_posix() for p in sorted((ROOT / "docs/games").glob("*.md"))]
PAGES += OF_GAMES
PAGES += [p.relative_to(ROOT).as_posix() for p in sorted((ROOT / "docs/baselines").glob("*.md"))]
BLOCK = re.compile(
    r"(?:^<!-- needs (?P<extra>\w+) -->\n)?^```(?P<language>[^\n]*)\n(?P<content>.*?)^```$"
    r"(?:\n+```text\n(?P<printed>.*?)^```$)?",
    re.MULTILINE | re.DOTALL,
)
FRAMEWORKS = {framework.name for framework in environments.FRAMEWORKS} - {"gymnasium"}
"""Extras of which each has an environment of its own."""
LINKS = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")
GENERATED = "reference/"
"""What `make docs` writes, which checks these links itself."""
WORDS = 1500
"""The most words of README.md, its code and tables included."""


@dataclass
class Block:
    """A fenced block of a page."""

    page: str
    line: int
    language: str
    content: str
    printed: str | None
    extra: str | None

    @property
    def param(self):
        """The block as a parameter of a test."""
        marks = [pytest.mark.needs(self.extra)] if self.extra else []
        if self.page.startswith("docs/"):  # each is a process of its own
            marks.append(pytest.mark.thorough)
        return pytest.param(self, id=f"{self.page}:{self.line}", marks=marks)


def text_of(page):
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page, *languages):
    """The fenced blocks of a page whose info string is one of ``languages``."""
    text = text_of(page)
    for found in BLOCK.finditer(text):
        if found["language"].strip() in languages:
            line = text.count("\n", 0, found.start("content")) + 1
            yield Block(page, line, found["language"], *found.group("content", "printed", "extra"))


def commands(page):
    """The adv-envs commands of a page that need nobody at the keyboard.

    Each with the command before it in its block that writes the file which it reads, if it does.
    """
    for block in blocks(page, "console", "sh"):
        files = {}
        for line in block.content.replace("\\\n", " ").splitlines():
            words = shlex.split(line.removeprefix("$ "), comments=True)
            if words[:1] == ["adv-envs"] and words[1:2] not in (["play"], ["serve"]):
                yield [*(files[word] for word in words if word in files), words[1:]]
                if "--out" in words:
                    files[words[words.index("--out") + 1]] = words[1:]


def run(folder, *command, warnings="error"):
    environment = {**os.environ, "COLUMNS": "80", "PYTHONUTF8": "1", "NO_COLOR": "1"}
    environment["SB3_LOGDIR"] = str(folder)  # where Stable-Baselines3 makes a folder of logs
    done = subprocess.run(
        [sys.executable, "-W", warnings, *command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr or done.stdout
    return done.stdout


@pytest.mark.parametrize("block", [b.param for page in PAGES for b in blocks(page, "python")])
def test_code_runs_alone(block, tmp_path):
    file = tmp_path / "block.py"
    code = "\n" * (block.line - 1) + block.content  # tracebacks point at the line of the page
    file.write_text(code, encoding="utf-8")
    # Other frameworks warn of what is their own.
    printed = run(tmp_path, file.name, warnings="ignore" if block.extra in FRAMEWORKS else "error")
    if block.printed is not None:
        rules = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        assert doctest.OutputChecker().check_output(block.printed, printed, rules), printed


def test_the_code_of_the_readme_prints_something():
    found = list(blocks("README.md", "python"))
    assert len(found) == 3
    assert all("print(" in block.content for block in found)


def test_the_readme_is_short():
    assert len(text_of("README.md").split()) <= WORDS


@pytest.mark.thorough
@pytest.mark.parametrize(
    "lines", [pytest.param(c, id=" ".join(c[-1])) for page in PAGES for c in commands(page)]
)
def test_commands_work(lines, tmp_path):
    for words in lines:
        assert run(tmp_path, "-m", "adv_envs", *words).strip()


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page):
    targets = [a or b for a, b in LINKS.findall(text_of(page))]
    files = [target.partition("#")[0] for target in targets if "://" not in target]
    files = [file for file in files if not file.startswith(GENERATED)]
    missing = [file for file in files if file and not (ROOT / page).parent.joinpath(file).exists()]
    assert not missing


@pytest.mark.parametrize("page", PAGES)
def test_files_that_are_named_exist(page):
    named = re.findall(
        r"(?<!reference/)\b(?:adv_envs|agents|benchmarks|docs|examples|tests)/[\w/]*(?:\.\w+|/)",
        text_of(page),
    )
    named = [name for name in named if not re.search(r"[/_]x\.\w+$", name)]  # of a game x
    missing = [name for name in named if not (ROOT / name).exists()]
    assert not missing


def test_every_page_is_reached_from_the_readme():
    reached, new = set(), {"README.md"}
    while new:
        page = new.pop()
        reached.add(page)
        targets = {(a or b).partition("#")[0] for a, b in LINKS.findall(text_of(page))}
        paths = {os.path.normpath(Path(page).parent / target) for target in targets if target}
        new |= {*paths} & {*PAGES} - reached
    assert not {*PAGES} - reached


def test_every_benchmark_is_on_the_page_about_reproducing_numbers():
    scripts = [path.relative_to(ROOT).as_posix() for path in (ROOT / "benchmarks").glob("*.py")]
    told = text_of("docs/reproduce.md")
    assert not [script for script in scripts if not re.search(rf"`{script}\b", told)]


def test_every_agent_has_what_its_page_says_by_hand():
    by_hand = ROOT / "docs/manual"
    said = tomllib.loads((by_hand / "agents.toml").read_text(encoding="utf-8"))
    own = {name for name in AGENTS if agent_class(name).__module__.startswith("agents.")}
    assert own == set(said)  # other tests add agents
    assert {f"{name}.txt" for name in own} == set(os.listdir(by_hand / "pseudocode"))
    for name, here in said.items():
        assert {"sources"} < set(here) <= {"sources", "tree", "instead"}, name


def test_pages_are_found_by_their_parts():
    """Guards the helpers above: what is not matched is not tested."""
    for page in PAGES:
        fences = re.findall(r"^```python", text_of(page), re.MULTILINE)
        assert len(fences) == len(list(blocks(page, "python", "python no-run")))
        assert len(LINKS.findall(text_of(page))) >= text_of(page).count("](")


# ---- numbers that the code knows


def tables(page):
    """The rows of a page's tables, as lists of cells."""
    lines = [line for line in text_of(page).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_the_readme_leads_to_the_pages_of_all_games():
    found = re.findall(r"\(docs/games/(\w+)\.md\)", text_of("README.md"))
    assert sorted(found) == sorted(path.stem for path in (ROOT / "docs" / "games").glob("*.md"))


def test_the_parameters_that_are_listed_are_those_of_the_games():
    tables_of = tables("docs/games.md")
    found = [(re.match(r'\[?`"?(\w+)"?`', cells[0]), cells) for cells in tables_of]
    listed = {name[1]: cells for name, cells in found if name and name[1] in GAMES}
    assert {*listed} == {name for name in GAMES if game(name).__module__.startswith("adv_envs.")}
    for name, cells in listed.items():
        values = parameters_of(game(name)())
        own = {key: repr(value).replace("'", '"') for key, value in values.items()}
        told = dict(re.findall(r"\b(\w+)=([\w.\"-]+)", " ".join(cells[1:3])))
        assert told.items() <= own.items(), name
        assert {*own} == {*told} or "..." in cells[1], name


def game_called(text):
    """The name in the registry of a game as the tables of docs/games.md call it."""
    name = re.sub(r"\W+", "_", text.partition(",")[0].lower().replace("'", ""))
    return name if name in GAMES else None


def test_ladders_and_numbers_of_actions_are_those_of_the_games():
    ladders_of = {ladder.game.partition(",")[0]: ladder for ladder in ladders()}
    rows = [(game_called(cells[0]), cells) for cells in tables("docs/games.md")]
    rungs = {name: cells[3] for name, cells in rows if name and len(cells) == 4}
    of_the_start = [(name, cells) for name, cells in rows if "sequences" not in cells[0]]
    actions = {name: cells[1] for name, cells in of_the_start if name and len(cells) == 9}
    assert min(len(rungs), len(actions)) > 12
    for name, text in rungs.items():
        ladder = ladders_of.get(name)
        told = f"{len(ladder.rungs)}, {ladder.rungs[-1].rating:,.0f}" if ladder else ""
        assert text.partition(" (")[0] == told, name
    for name, text in actions.items():
        assert int(text.replace(",", "")) == start_position(name).num_actions, name


def test_the_environment_is_active_before_its_command_is_used():
    for page in ("README.md", "docs/index.md", "docs/install.md"):
        shown = "".join(block.content for block in blocks(page, "sh", "console"))
        assert -1 < shown.find("source .venv/bin/activate") < shown.find("\nadv-envs "), page
