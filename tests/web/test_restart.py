"""A page in a browser goes on when its server was killed and started again."""

import pytest
from browser import PATIENCE
from local_page import Site

expect = pytest.importorskip("playwright.sync_api").expect

pytestmark = [pytest.mark.compiled, pytest.mark.needs("browser")]


def test_a_page_outlives_its_server(chromium, tmp_path):
    environment = {"XDG_STATE_HOME": str(tmp_path)}
    with Site(**environment) as first:  # which finds a free port
        port = first.origin.rpartition(":")[2]
    context = chromium.new_context()
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    with Site("--port", port, **environment) as site:
        page.goto(site.address.replace("/?", "/game/tic_tac_toe?"))
        expect(page.locator(".target")).to_have_count(9)
        assert "token" not in page.url
        page.get_by_role("button", name="b2").click()
        expect(page.locator(".target")).to_have_count(7)
    with Site("--port", port, **environment):
        page.locator(".target").first.click()
        expect(page.locator(".target")).to_have_count(5)
    context.close()
