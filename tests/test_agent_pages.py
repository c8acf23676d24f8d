"""The pages of agents in the manual: that each has what it needs, and that ranges are true."""

import importlib
import json
import sys
from pathlib import Path

import pytest

from agents import AGENTS
from agents.cli.lists import parameters_data

DOCS = Path(__file__).parent.parent / "docs"
OURS = sorted(name for name, agent in AGENTS.items() if agent.__module__.startswith("agents."))
UNMEASURED = {"engine", "human", "league", "llm", "strong", "submission"}
"""People, other programs, models, files that are handed in, and agents that ask others."""


@pytest.fixture(scope="module")
def pages():
    """The module that writes the pages."""
    sys.path.insert(0, str(DOCS))
    try:
        return importlib.import_module("manual.agent_pages")
    finally:
        sys.path.remove(str(DOCS))


@pytest.mark.plain
def test_every_agent_has_all_of_its_page_and_nothing_is_left_over(pages):
    assert sorted(path.stem for path in pages.PSEUDOCODE.glob("*.txt")) == OURS
    assert sorted(pages.said()) == OURS
    data = json.loads((DOCS / "manual" / "agents.json").read_text(encoding="utf-8"))
    assert sorted(data["speeds"]) == sorted({*OURS} - UNMEASURED)
    assert sorted(data["games"]) == sorted({*OURS} - UNMEASURED)
    drawn = {path.stem.removeprefix("agent_") for path in pages.IMAGES.glob("agent_*.svg")}
    assert drawn == {name for name, said in pages.said().items() if "tree" in said}


@pytest.mark.plain
@pytest.mark.parametrize("name", OURS)
def test_a_page_names_every_parameter_with_its_range_and_what_none_means(pages, name):
    text = "\n".join(pages.agent_page(name))
    for row in parameters_data(name):
        assert f"`{row['name']}`: `{row['type']}`" in text
        assert row["description"], f"{name} does not say what {row['name']} is"
        if "None" in row["type"]:
            assert "None" in row["description"], f"{name} does not say what {row['name']}=None is"


@pytest.mark.plain
def test_ranges_are_what_the_agents_say(pages):
    def allowed(name, parameter):
        (row,) = [row for row in parameters_data(name) if row["name"] == parameter]
        return pages.allowed(name, row)

    assert allowed("alpha_beta", "depth") == "at least 1, or None"
    assert allowed("alpha_beta", "seconds") == "more than 0 and at most 10000000, or None"
    assert allowed("alpha_beta", "table_mb") == "0 or more"
    assert allowed("alpha_beta", "killers") == "True, False"
    assert allowed("alpha_beta", "evaluate") == "a function, or None"
    assert allowed("turn_search", "depth") == "1 to 2"
    assert allowed("mccfr", "sampling") == "external or outcome"
    assert allowed("mccfr", "exploration") == "above 0 and at most 1"
    assert allowed("discounted_cfr", "alpha") == "from -20 to 20"
    assert allowed("othello_player", "exact") == "0 to 64"
    assert allowed("random", "seed") == "any whole number, or None"
    assert allowed("perfect", "book") == "True, False or a path"
