"""The dialog of a new game: an opponent by level, a side, parameters in words."""

import re

import pytest

expect = pytest.importorskip("playwright.sync_api").expect

pytestmark = [pytest.mark.compiled, pytest.mark.needs("browser")]


@pytest.fixture
def dialog(page, plain_site):
    """The dialog of a new game of tic-tac-toe, open."""
    page.goto(plain_site.address)
    page.goto(plain_site.at("/game/tic_tac_toe"))
    page.locator("#board svg[aria-label]").wait_for()
    page.get_by_role("button", name="New game").click()
    return page.get_by_role("dialog", name="New game")


def chosen(dialog, group):
    """What is chosen of a group of buttons."""
    radios = dialog.get_by_role("radiogroup", name=group)
    return radios.locator("label:has(:checked)").all_inner_texts()


def test_a_level_and_a_side_are_chosen_and_specs_stay_behind(dialog, page):
    advanced = dialog.locator(".new-advanced")
    expect(advanced.locator("select").first).not_to_be_visible()
    levels = dialog.get_by_role("radiogroup", name="Level")
    assert levels.locator("label").all_inner_texts() == [*"1234567"]
    levels.get_by_role("radio", name="2").check()
    expect(dialog.locator(".new-group [role=status]")).to_have_text("Novice")
    dialog.get_by_role("radio", name="O", exact=True).check()
    assert (chosen(dialog, "Level"), chosen(dialog, "You play")) == (["2"], ["O"])
    seats = [select.input_value() for select in advanced.locator("select").all()]
    assert seats == ["greedy", "human"]
    dialog.get_by_role("button", name="Begin").click()
    expect(page.locator("#moves")).to_contain_text(re.compile("[abc][123]"))  # it has begun


def test_what_is_chosen_for_seats_is_shown_as_level_and_side(dialog):
    dialog.get_by_text("Advanced").click()
    first, second = dialog.locator(".new-advanced select").all()
    first.select_option("perfect")
    assert (chosen(dialog, "Level"), chosen(dialog, "You play")) == (["7"], ["Only watch"])
    first.select_option("human")
    second.select_option("human")
    assert (chosen(dialog, "Level"), chosen(dialog, "You play")) == ([], ["Two people"])
    dialog.get_by_role("radio", name="1").check()
    assert (first.input_value(), second.input_value()) == ("human", "random")


def test_parameters_are_explained(dialog):
    field = dialog.get_by_label("In a row")
    expect(field).to_have_accessible_description("How many marks in a row win.")
