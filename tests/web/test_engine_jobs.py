"""Engines that search in the page: workers of a real browser, and the server if they fail."""

import pytest
from browser import open_page

from adv_envs.registry import start_position
from agents import make
from agents.knowledge import suitable_opponent

expect = pytest.importorskip("playwright.sync_api").expect

pytestmark = [pytest.mark.compiled, pytest.mark.needs("browser")]

COUNTED = """
window.sockets = 0;
const Socket = WebSocket;
window.WebSocket = class extends Socket {
  constructor(...args) {
    super(...args);
    window.sockets += 1;
  }
};
"""
"""Counts the connections by which the server is asked to search."""


@pytest.fixture
def browsing(chromium, plain_site):
    """A page of a server that compiles nothing, which counts its searches there."""
    with open_page(chromium, harmless="Failed to load resource") as page:
        page.goto(plain_site.address)
        page.add_init_script(COUNTED)
        yield page


def open_game(page, site, game, *seats, fragment=""):
    page.goto(site.at(f"/game/{game}{fragment}"))
    page.locator("#board svg[aria-label]").wait_for()
    for seat, who in enumerate(seats):
        page.locator(f"[data-seat='{seat}'] select").select_option(who)


def target(page, name):
    return page.locator("#board").get_by_role("button", name=name, exact=True).first


def test_an_engine_replies_as_the_agent_of_python_and_the_server_does_not_search(
    browsing, plain_site
):
    open_game(browsing, plain_site, "tic_tac_toe")
    target(browsing, "b2").click()
    expect(browsing.locator("#moves button")).to_have_count(2)
    position = start_position("tic_tac_toe").play(4)
    found = make(suitable_opponent(start_position("tic_tac_toe"))).act(position)
    expect(browsing.locator("#moves button").last).to_have_text(position.name(found))
    browsing.locator("#expects summary").click()
    expect(browsing.locator("#expects p")).to_have_text("alpha_beta expects a draw")
    assert browsing.evaluate("sockets") == 0


def test_a_hint_is_an_engines(browsing, plain_site):
    open_game(browsing, plain_site, "tic_tac_toe", "human", "human")
    browsing.locator("#hint").click()
    expect(browsing.locator("#hint-said")).to_contain_text("alpha-beta: a draw")
    assert browsing.evaluate("sockets") == 0


def test_an_analysis_goes_on_until_it_is_stopped(browsing, plain_site):
    open_game(browsing, plain_site, "chess", fragment="#panel=analyse")
    browsing.locator("#analyse-seconds").select_option("600")
    expect(browsing.locator("#rows tr").nth(4)).to_be_visible()
    browsing.locator("#analyse-stop").click()
    expect(browsing.locator("#analyse-stop")).to_be_disabled()
    depth = browsing.locator("#rows td").first.text_content()
    browsing.locator("#analyse-seconds").select_option("1")  # a new worker takes its place
    expect(browsing.locator("#analyse-lines li")).to_have_count(3)
    expect(browsing.locator("#analyse-values tr")).to_have_count(20)
    assert int(depth) >= 5
    assert browsing.evaluate("sockets") == 0


def test_a_review_is_made_ply_by_ply(browsing, plain_site):
    moves = "e2e4%20e7e5%20d1h5%20e8e7%20h5e5"
    open_game(browsing, plain_site, "chess", fragment=f"#panel=analyse&moves={moves}")
    browsing.locator("#analyse-review").click()
    expect(browsing.locator("#analyse-progress")).to_contain_text("where not exact")
    expect(browsing.locator("#analyse-summary tbody tr").last).to_contain_text("1")
    assert browsing.evaluate("sockets") == 0


def test_the_server_searches_where_an_engine_fails(browsing, plain_site):
    browsing.route("**/*.wasm", lambda route: route.abort())
    open_game(browsing, plain_site, "tic_tac_toe", "human", "alpha_beta(depth=2)")
    target(browsing, "b2").click()
    expect(browsing.locator("#moves button")).to_have_count(2)
    expect(browsing.locator("#compiling")).to_contain_text("has failed: ")
    expect(browsing.locator("#compiling")).to_contain_text("Python searches.")
    assert browsing.evaluate("sockets") == 1


def test_agents_without_an_engine_are_asked_on_the_server(browsing, plain_site):
    policy = "policy(path='tic_tac_toe_q_learning')"
    open_game(browsing, plain_site, "tic_tac_toe", "human", policy)
    target(browsing, "b2").click()
    expect(browsing.locator("#moves button")).to_have_count(2)
    assert browsing.evaluate("sockets") == 1
