"""The local page in a real browser."""

import pytest

expect = pytest.importorskip("playwright.sync_api").expect

pytestmark = [pytest.mark.compiled, pytest.mark.needs("browser")]


def test_a_move_is_answered(page, site):
    page.goto(site.at("/game/tic_tac_toe"))
    page.get_by_role("button", name="b2").click()
    expect(page.locator(".target")).to_have_count(7)


def test_a_page_that_is_loaded_again_is_as_it_was(page, site):
    page.goto(site.at("/game/tic_tac_toe"))
    page.get_by_role("button", name="b2").click()
    expect(page.locator(".target")).to_have_count(7)
    address = page.url
    assert "#moves=b2" in address
    page.reload()
    expect(page.get_by_role("tab", name="Play")).to_have_attribute("aria-selected", "true")
    expect(page.locator(".target")).to_have_count(7)
    page.goto("about:blank")
    page.goto(address)  # a link
    expect(page.get_by_role("tab", name="Analyse")).to_have_attribute("aria-selected", "true")


def test_a_new_game_begins_from_the_usual_start(page, site):
    page.goto(site.at("/game/chess?set_up=4k3/8/8/8/8/8/8/4K2R+w+-+-+0+1"))
    first = page.locator("#board svg")
    expect(first).to_have_attribute("aria-label", "White to move")
    pieces = page.locator("#board svg g").first.locator("polygon").count()
    page.get_by_role("button", name="New game").click()
    page.get_by_role("button", name="Begin").click()
    expect(page).to_have_url(site.at("/game/chess"))
    expect(first).to_have_attribute("aria-label", "White to move")
    shapes = page.locator("#board svg g").first.locator("polygon")
    expect(shapes).not_to_have_count(pieces)
    assert shapes.count() > pieces


def test_how_to_play_opens_the_rules_of_the_game_that_is_shown(page, site):
    page.set_viewport_size({"width": 390, "height": 800})  # a phone
    page.goto(site.at("/game/hex?size=4&swap=true"))
    button = page.get_by_role("button", name="How to play")
    button.click()
    dialog = page.get_by_role("dialog", name="How to play hex, size=4, swap=True")
    expect(dialog).to_be_visible()
    expect(dialog).to_contain_text("a rhombus of 4 rows of 4 hexagons")
    expect(dialog.locator("code", has_text="swap").first).to_be_visible()
    expect(dialog.locator("ol li")).to_have_count(7)
    assert dialog.evaluate("(dialog) => dialog.scrollWidth <= dialog.clientWidth")
    assert dialog.evaluate("(dialog) => dialog.scrollTop") == 0  # it begins with the goal
    page.keyboard.press("Escape")
    expect(dialog).not_to_be_visible()
    expect(button).to_be_focused()
