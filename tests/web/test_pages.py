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
