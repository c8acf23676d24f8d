"""The local page in a real browser."""

import pytest

expect = pytest.importorskip("playwright.sync_api").expect

pytestmark = [pytest.mark.compiled, pytest.mark.needs("browser")]


def test_a_move_is_answered(page, site):
    page.goto(site.at("/game/tic_tac_toe"))
    page.get_by_role("button", name="b2").click()
    expect(page.locator(".target")).to_have_count(7)
