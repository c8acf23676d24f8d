"""What README.md and CONTRIBUTING.md show is true: code runs, commands work, links lead somewhere.

The ```python blocks of a file run in order, as one script; ```python no-run stays unread. Of
```console and ```sh blocks, every line that calls adv-envs runs, `play` aside, which waits for a
person.
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from adv_envs.jit import disabled

ROOT = Path(__file__).parent.parent
PAGES = ["README.md", "CONTRIBUTING.md"]
LINKS = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")


def text_of(page):
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page, *languages):
    """(line number, content) of each fenced block whose info string is one of ``languages``."""
    found = re.finditer(r"^```([^\n]*)\n(.*?)^```$", text_of(page), re.MULTILINE | re.DOTALL)
    for block in found:
        if block[1].strip() in languages:
            yield text_of(page).count("\n", 0, block.start(2)) + 1, block[2]


def script(page):
    """All Python of a page, each line where it stands in the page, for tracebacks to point at."""
    code = ""
    for line, content in blocks(page, "python"):
        code += "\n" * (line - 1 - code.count("\n")) + content
    return code


def commands(page):
    """The adv-envs commands of a page that need nobody at the keyboard."""
    for _, content in blocks(page, "console", "sh"):
        for line in content.replace("\\\n", " ").splitlines():
            words = shlex.split(line.removeprefix("$ "), comments=True)
            if words[:1] == ["adv-envs"] and "play" not in words[1:2]:
                yield words[1:]


def run(folder, *command):
    environment = {**os.environ, "COLUMNS": "80", "PYTHONUTF8": "1", "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "error", *command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr or done.stdout
    return done.stdout


@pytest.mark.parametrize("page", PAGES)
def test_code_runs(page, tmp_path):
    file = tmp_path / f"{Path(page).stem.lower()}.py"
    file.write_text(script(page), encoding="utf-8")
    run(tmp_path, file.name)


@pytest.mark.parametrize("page", PAGES)
def test_there_is_code(page):
    assert script(page).count("\n") > 10


@pytest.mark.parametrize(
    "words", [pytest.param(c, id=" ".join(c)) for page in PAGES for c in commands(page)]
)
def test_commands_work(words, tmp_path):
    pytest.importorskip("agents.cli", reason="there is no command line yet")
    if disabled() and words[0] in ("match", "tournament"):
        pytest.skip("takes minutes in plain Python")
    assert run(tmp_path, "-m", "adv_envs", *words).strip()


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page):
    targets = [a or b for a, b in LINKS.findall(text_of(page))]
    files = [target.partition("#")[0] for target in targets if "://" not in target]
    missing = [file for file in files if file and not (ROOT / file).exists()]
    assert not missing


@pytest.mark.parametrize("page", PAGES)
def test_scripts_that_are_named_exist(page):
    named = re.findall(r"\b(?:benchmarks|examples|tests)/\w+(?:\.\w+|/)", text_of(page))
    missing = [name for name in named if not (ROOT / name).exists()]
    assert not missing


def test_the_readme_is_found_by_its_parts():
    """Guards the helpers above: what is not matched is not tested."""
    page = text_of("README.md")
    assert page.count("```python") == len(list(blocks("README.md", "python", "python no-run")))
    assert len(LINKS.findall(page)) >= page.count("](")
