"""The answers of a site: Python in the browser has the standard library alone."""

import json
import subprocess
import sys

import pytest

pytest.importorskip("markdown_it")

from agents.web.site.site_answers import reply

pytestmark = pytest.mark.plain

PURE = {"markdown_it", "mdurl", "sgfmill"}
"""Packages in pure Python that come with a site."""

PROGRAM = f"""
import importlib.abc, sys

class Refuse(importlib.abc.MetaPathFinder):
    allowed = {{*sys.stdlib_module_names, "adv_envs", "agents", *{sorted(PURE)}}} - {{"sqlite3"}}

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in self.allowed:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Refuse())
import agents.games
agents.games.__path__ = []  # a site has none of its modules
from agents.web.site.rehearsal import rehearse
print(rehearse(longest=25))
"""


def test_all_games_are_answered_by_the_standard_library_alone():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False
    )
    assert not done.returncode, done.stderr
    assert int(done.stdout) > 25 * 4


@pytest.mark.parametrize(
    ("path", "data", "words"),
    [
        ("/api/position", {"game": "chesss"}, "chess"),
        ("/api/position", {"game": "hex", "line": [999]}, "not legal"),
        ("/api/line", {"game": "hex", "text": "z99"}, "z99"),
        ("/api/games", {"game": "hex", "query": {"size": "99"}, "usual": {}}, "size"),
        ("/api/games", {"game": "hex", "query": {"size": "x"}, "usual": {}}, "size=x"),
    ],
)
def test_what_is_wrong_is_said(path, data, words):
    answer = json.loads(reply(path, json.dumps(data)))
    assert words in answer["error"]


@pytest.mark.parametrize(("size", "opponent"), [(10, "random()"), (5, "")])
def test_a_catalogue_of_other_parameters_has_the_engines_for_as_many_words(size, opponent):
    choices = {"engines": {"random()": {}}, "opponent": "random()"}
    usual = {"players": 9, "exact": {}, "modules": [{"widths": [2, 2, 2, 2], **choices}]}
    data = {"game": "hex", "query": {"size": str(size), "other": "1"}, "usual": usual}
    found = json.loads(reply("/api/games", json.dumps(data)))["found"]
    assert found["chosen"]["size"] == size
    assert found["players"] == 2
    assert found["opponent"] == opponent
    assert bool(found["engines"]) == bool(opponent)
    assert found["exact"] is None
