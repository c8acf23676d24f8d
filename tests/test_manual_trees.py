"""The search trees of the manual are stepped through, also where it is opened as files."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from manual import trees

from agents.reports.search_tree import record
from agents.reports.tree_steps import steps_of

ROOT = Path(__file__).parents[1]


@pytest.mark.plain
def test_every_tree_that_a_page_names_is_there() -> None:
    named = [
        name
        for path in (ROOT / "docs").glob("**/*.md")
        for name in re.findall(r"<!-- tree: (\w+) -->", path.read_text("utf-8"))
    ]
    assert {*named} == {*trees.TREES}
    for name in named:
        assert f'data-tree="{name}"' in trees.figure(name)


@pytest.mark.plain
def test_the_script_is_no_module() -> None:
    text = trees.bundle()
    assert not re.search(r"^(import|export)\b", text, re.MULTILINE)
    for declared in ("function finder", "class TreeSteps", "function showTree"):
        assert text.count(f"{declared}(") + text.count(f"{declared} {{") == 1


@pytest.mark.compiled
def test_a_click_steps_through_a_tree_in_a_file(browser: Any, tmp_path: Path) -> None:
    from playwright.sync_api import expect

    trees.write_scripts(tmp_path)
    shutil.copy(ROOT / "docs" / "static" / "manual.js", tmp_path)
    figures = "".join(map(trees.figure, ("alpha_beta", "mcts")))
    page = f'<meta charset="utf-8"><link rel="icon" href="data:,">{figures}'
    (tmp_path / "index.html").write_text(f"{page}<script src=manual.js></script>", "utf-8")
    browser.goto((tmp_path / "index.html").as_uri())
    browser.get_by_role("button", name="Step through the search").first.click()
    said = browser.locator("#alpha_beta-said")
    for step in steps_of(record(trees.TREES["alpha_beta"].start, "alpha_beta")):
        expect(said).to_have_text(step.said)
        browser.keyboard.press("ArrowRight")
    expect(browser.locator(".tree-branch.struck")).to_have_count(2)
    browser.get_by_role("button", name="Step through the search").click()
    browser.locator("#mcts-view").press("End")
    expect(browser.locator("#mcts-said")).to_contain_text("After 256 simulations")
    expect(said).to_contain_text("The search is done")
