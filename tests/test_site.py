"""The check of the built manual finds what is wrong; `make docs` checks the manual itself."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.plain

SCRIPT = Path(__file__).resolve().parents[1] / "docs" / "check_site.py"
GOALS = ("training", "own-game", "own-agent", "tournaments", "grading")


def page(text):
    return f'<html><nav><a href="#top">menu</a></nav><article id="top">{text}</article></html>'


def checked(folder, **pages):
    """The exit status of the check, and what it says, of these pages beside the goals."""
    goals = {name: page("") for name in GOALS}
    front = "".join(f'<a href="{name}.html">{name}</a>' for name in goals)
    for name, text in {"index": page(front), **goals, **pages}.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "error", SCRIPT, folder, "--since", "0"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def test_a_good_site_passes(tmp_path):
    status, said = checked(tmp_path)
    assert status == 0, said
    assert said.startswith("6 pages, 0.0 MB, built in ")
    assert "a tournament 1" in said


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('<a href="nowhere.html">x</a>', "nowhere.html: no such file"),
        ('<a href="index.html#nowhere">x</a>', "index.html#nowhere: no such place on the page"),
        ('<img src="a.png" srcset="b.png 2x">', "b.png: no such file"),
        ('<a href="../outside.html">x</a>', "../outside.html: outside the site"),
        ('<a href="file:///etc/hosts">x</a>', "not an address for readers"),
    ],
)
def test_what_leads_nowhere_is_told(tmp_path, text, why):
    (tmp_path / "outside.html").write_text("")
    (tmp_path / "site").mkdir()
    status, said = checked(tmp_path / "site", training=page(text))
    assert status == 1
    assert f"training.html: {text.split(chr(34))[1]}" in said or "srcset" in text
    assert why in said


def test_pages_that_no_text_leads_to_and_goals_that_are_far_are_told(tmp_path):
    steps = {f"step{n}": page(f'<a href="step{n + 1}.html">x</a>') for n in range(3)}
    goals = "".join(f'<a href="{name}.html">x</a>' for name in GOALS[1:])
    front = f'<a href="step0.html">x</a>{goals}'
    steps["step2"] = page('<a href="training.html">x</a>')
    status, said = checked(tmp_path, index=page(front), **steps)
    assert status == 1
    assert "a trained agent (training.html) is more than 3 clicks from the front page" in said
    menus = page("").replace("#top", "alone.html")
    status, said = checked(tmp_path, index=page(front), **steps, grading=menus, alone=page(""))
    assert "alone.html is not reached from the front page by links in texts" in said
