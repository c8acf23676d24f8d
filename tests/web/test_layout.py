"""Where the board and its buttons are on phones, tablets and wide screens."""

import pytest
from browser import open_page

expect = pytest.importorskip("playwright.sync_api").expect

pytestmark = [pytest.mark.compiled, pytest.mark.needs("browser")]


@pytest.fixture
def opened(chromium, plain_site):
    """Opens a game between two people on a screen of a size."""
    with open_page(chromium, reduced_motion="reduce") as page:
        page.goto(plain_site.address)

        def open_game(game, width, height):
            page.set_viewport_size({"width": width, "height": height})
            page.goto("about:blank")
            page.goto(plain_site.at(f"/game/{game}"))
            for seat in (0, 1):
                page.locator(f"[data-seat='{seat}'] select").select_option("human")
            expect(page.locator("#board .target.next").first).to_be_attached()
            return page

        yield open_game


def box(page, selector):
    return page.locator(selector).first.bounding_box()


@pytest.mark.parametrize("game", ["tic_tac_toe", "chess", "backgammon"])
def test_on_a_phone_the_buttons_are_seen_below_a_board_of_its_width(opened, game):
    page = opened(game, 390, 844)
    board, bar = box(page, "#board svg"), box(page, "#bar")
    assert board["width"] > 350
    assert board["y"] + board["height"] <= bar["y"]
    assert bar["y"] + bar["height"] <= 844
    assert box(page, "#seats-above .seat")["y"] < board["y"] < box(page, "#seats .seat")["y"]


def test_hex_stands_upright_on_a_phone_and_can_be_touched(opened):
    page = opened("hex?size=11", 390, 844)
    expect(page.locator("#flip")).to_have_attribute("aria-pressed", "true")
    target = box(page, "#board .target.next")
    assert min(target["width"], target["height"]) >= 24
    page.locator("#flip").click()
    expect(page.locator("#flip")).to_have_attribute("aria-pressed", "false")
    assert box(page, "#board .target.next")["width"] < 24


def test_many_seats_are_folded_above_a_board_that_can_be_touched(chromium, plain_site):
    with open_page(chromium, viewport={"width": 390, "height": 844}) as page:
        page.goto(plain_site.address)
        page.goto(plain_site.at("/game/hanabi?players=5"))
        target = page.locator("#board .target.next").first
        target.wait_for(state="attached")
        assert min(target.bounding_box()[side] for side in ("width", "height")) >= 24
        board = box(page, "#board svg")
        assert board["y"] + board["height"] < 844
        expect(page.locator("[data-seat='3'] select")).to_be_hidden()
        page.get_by_text("4 other players").click()
        page.locator("[data-seat='3'] select").select_option("human")


@pytest.mark.parametrize(("width", "height"), [(820, 1180), (1280, 800), (1920, 1080)])
def test_the_board_takes_the_room_of_the_screen(opened, width, height):
    page = opened("connect_four", width, height)
    board, side = box(page, "#board svg"), box(page, ".side")
    if width < height:  # below each other
        assert board["width"] > 0.9 * width
        assert board["y"] + board["height"] < side["y"] < height
    else:
        assert board["height"] > 0.75 * height
        assert board["x"] + board["width"] < side["x"]


def test_each_side_sits_where_it_looks_from(opened):
    page = opened("chess", 1280, 800)
    below = page.locator("#seats .side-name")
    expect(below).to_have_text("White")
    page.locator("#flip").click()
    expect(below).to_have_text("Black")
    expect(page.locator("#seats-above .side-name")).to_have_text("White")
    expect(page.locator("#status")).to_have_text("White to move")
