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
    expect(first).to_have_attribute("aria-label", "Player 0 to move")
    pieces = page.locator("#board svg g").first.locator("polygon").count()
    page.get_by_role("button", name="New game").click()
    page.get_by_role("button", name="Begin").click()
    expect(page).to_have_url(site.at("/game/chess"))
    expect(first).to_have_attribute("aria-label", "Player 0 to move")
    shapes = page.locator("#board svg g").first.locator("polygon")
    expect(shapes).not_to_have_count(pieces)
    assert shapes.count() > pieces
