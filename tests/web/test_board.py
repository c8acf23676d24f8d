"""The board that is clicked, by itself: mouse, touch, keyboard, marks, and what it says."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from browser import open_page
from samples import SAMPLES

from adv_envs import (
    CHANCE,
    Backgammon,
    Checkers,
    Chess,
    ConnectFour,
    DotsAndBoxes,
    Go,
    Hex,
    LiarsDice,
    MiniChess,
)
from adv_envs.pictures import clickable as board_data
from adv_envs.random import chance_action

pytestmark = pytest.mark.needs("browser")

HOME = "http://board.test/"
PAGE = """<!doctype html><html lang="en"><title>Board</title>
<meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="board.css">
<style>body { margin: 0; height: 3000px; } .board svg { max-width: 100%; }</style>
<button>before</button><div id="board"></div>
<script type="module">
import { Board } from "./board.js";
window.said = [];
window.board = new Board(document.querySelector("#board"), {
  onMove: (action, name) => said.push(name), onWrong: (text) => said.push(text),
});
document.body.dataset.ready = "";
</script></html>"""


class Table:
    """A page with nothing but a board."""

    def __init__(self, page):
        self.page = page
        page.route(HOME + "**", self.serve)
        page.goto(HOME)
        page.wait_for_selector("[data-ready]")

    @staticmethod
    def serve(route):
        name = route.request.url.removeprefix(HOME)
        if not name:
            route.fulfill(body=PAGE, content_type="text/html")
        elif name in {"area.js", "drag.js", "redraw.js", "board.js", "board.css"}:
            kind = "text/css" if name.endswith("css") else "text/javascript"
            path = Path(board_data.__file__).parent / "static" / name
            route.fulfill(body=path.read_text("utf-8"), content_type=kind)
        else:
            route.fulfill(status=204)

    def show(self, position, last=None, options=None, **more):
        data = board_data.clickable(position, last, **more)
        self.page.evaluate("([data, options]) => board.show(data, options)", [data, options or {}])
        self.data = data
        return self

    def enable(self):
        """Let moves be made again; returns what is shown."""
        self.page.evaluate("board.enable(true)")
        return self.data

    def spot(self, name):
        """A target by its name, or by the name of its move."""
        return self.page.locator(f'[aria-label="{name}"], [aria-label^="{name},"]')

    def middle(self, name):
        box = self.spot(name).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    @property
    def said(self):
        return self.page.evaluate("said")

    @property
    def focused(self):
        return self.page.evaluate(
            "document.activeElement.ariaLabel ?? document.activeElement.textContent"
        )

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)


WINDOW = {"width": 500, "height": 640}


@pytest.fixture
def table(chromium):
    with open_page(chromium, viewport=WINDOW) as page:
        yield Table(page)


@pytest.fixture
def phone(chromium):
    with open_page(chromium, viewport=WINDOW, has_touch=True, is_mobile=True) as page:
        yield Table(page)


def test_a_move_is_two_clicks(table):
    table.show(Chess())
    table.spot("e2").click()
    assert table.page.locator(".dot").count() == 2
    assert table.spot("e2").get_attribute("aria-pressed") == "true"
    table.spot("e2e4").click()
    assert table.said == ["e2e4"]
    assert table.page.locator(".target").count() == 0  # until the next position


def test_another_piece_may_be_chosen_or_none(table):
    table.show(Chess())
    knight = table.middle("b1")
    table.spot("e2").click()
    table.page.mouse.click(*knight)
    assert table.spot("b1").get_attribute("aria-pressed") == "true"
    assert table.page.locator(".dot").count() == 2
    table.spot("b1").click()
    assert table.page.locator(".dot, .chosen").count() == 0
    assert table.said == []


def test_a_wrong_click_is_answered_and_forgotten(table):
    table.show(Chess())
    x, y = table.middle("e2")
    side = table.spot("e2").bounding_box()["width"]
    for number, up in enumerate((-1, 2, 4, 5), 1):  # a piece that cannot move, empty ones, a pawn
        table.spot("e2").click()
        table.page.mouse.click(x - 2 * side, y - up * side)
        assert table.said == ["That is not a legal move"] * number
        assert table.page.locator(".chosen, .dot").count() == 0
    table.page.mouse.click(3, table.page.locator("svg").bounding_box()["y"] + 3)  # the margin
    assert len(table.said) == 4


def test_a_piece_is_dragged(table):
    table.show(Chess())
    mouse = table.page.mouse
    mouse.move(*table.middle("g1"))
    mouse.down()
    x, y = table.middle("g1f3")
    mouse.move(x + 60, y)
    assert table.page.locator(".ghost").count() == 1
    assert table.page.locator(".lifted").count() >= 2  # of the knight
    assert table.page.locator(".over").count() == 0
    mouse.move(x, y)
    assert table.page.locator(".over").count() == 1
    mouse.up()
    assert table.said == ["g1f3"]
    assert table.page.locator(".ghost, .lifted").count() == 0


def test_a_piece_is_put_back(table):
    table.show(Chess())
    mouse, home = table.page.mouse, table.middle("g1")
    mouse.move(*home)
    mouse.down()
    x, y = table.middle("g1f3")
    mouse.move(x, y)
    mouse.move(*home)
    mouse.up()
    assert table.said == []
    assert table.spot("g1").get_attribute("aria-pressed") == "true"
    mouse.move(*home)
    mouse.down()
    mouse.move(x - 60, y)
    mouse.up()
    assert table.said == ["That is not a legal move"]


def test_a_finger_drags_pieces_and_scrolls_from_elsewhere(phone):
    phone.show(Chess())
    page = phone.page
    touch = page.context.new_cdp_session(page)

    def swipe(start, end):
        for kind, at in (("touchStart", [start]), ("touchMove", [between(start, end)]),
                         ("touchMove", [end]), ("touchEnd", [])):  # fmt: skip
            points = [{"x": x, "y": y} for x, y in at]
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    x, y = phone.middle("e2")
    side = phone.spot("e2").bounding_box()["width"]
    swipe((x, y), (x, y - 2 * side))
    assert phone.said == ["e2e4"]
    assert page.evaluate("scrollY") == 0
    styles = "e => getComputedStyle(e).touchAction"
    assert page.locator("svg").evaluate(styles) == "manipulation"
    phone.show(Chess()).enable()
    assert phone.spot("e2").evaluate(styles) == "none"


def between(start, end):
    return (start[0] + end[0]) / 2, (start[1] + end[1]) / 2


def test_a_tap_moves_and_near_counts_for_small_targets(phone):
    phone.show(Hex(11))
    phone.spot("f6").tap()
    assert phone.said == ["f6"]
    phone.enable()
    x, y = phone.middle("a1")
    phone.page.touchscreen.tap(x - 11, y - 9)  # beside it, outside of the board
    assert phone.said == ["f6", "a1"]


@pytest.mark.parametrize(
    ("position", "here", "there"),
    [
        (Chess.from_fen("8/P7/8/8/8/8/k6K/8 w - - 0 1"), "a7", "a8"),
        (MiniChess.from_fen("5/P4/5/5/k3K w - - 0 1"), "a4", "a5"),
    ],
    ids=["chess", "minichess"],
)
def test_promotions_are_chosen_by_name_beside_the_square(table, position, here, there):
    table.show(position)
    table.spot(here).click()
    table.spot(there).click()
    menu = table.page.locator(".board-menu")
    assert menu.locator("button").all_inner_texts() == ["queen", "knight", "bishop", "rook"]
    assert table.focused == "queen"
    table.press("ArrowRight", "ArrowRight")
    assert table.focused == "bishop"
    table.press("Escape")
    assert menu.count() == 0
    table.spot(here).click()
    table.spot(there).click()
    menu.get_by_text("queen").click()
    assert table.said == [f"{here}{there}q"]


def test_chess_by_keyboard_alone(table):
    table.show(Chess())
    table.press("Tab", "Tab")
    assert table.focused.startswith("a2, white pawn, 2 moves")
    table.press("ArrowRight", "ArrowRight")
    assert table.focused.startswith("c2")
    table.press("Enter")
    assert table.focused == "c2c3"
    table.press("Escape")
    assert table.focused.startswith("c2")
    table.press(" ", "ArrowUp")
    assert table.focused == "c2c4"
    table.press(" ")
    assert table.said == ["c2c4"]
    position = Chess()
    table.show(position.play(position.action("c2c4")))
    table.enable()
    assert "black" in table.focused  # still on the board


@pytest.mark.parametrize(
    ("position", "keys", "moves"),
    [
        (Hex(5), ("ArrowRight", "ArrowDown", "Enter"), {"a2", "b2"}),
        (ConnectFour(), ("ArrowRight", "ArrowRight", "Enter"), {"3"}),
        (DotsAndBoxes(2, 2), ("ArrowRight", "Enter"), {"b1c1"}),
        (Go(5), ("ArrowDown", " "), {"a4"}),
    ],
    ids=["hex", "connect_four", "dots_and_boxes", "go"],
)
def test_other_games_by_keyboard(table, position, keys, moves):
    table.show(position)
    table.press("Tab", "Tab", *keys)
    assert len(table.said) == 1
    assert table.said[0] in moves


def test_backgammon_by_keyboard_and_by_drag(table):
    position = Backgammon()
    position = position.play(position.action("31"))
    table.show(position)
    table.press("Tab", "Tab", "Enter")
    assert table.focused in {position.name(a) for a in position.legal_actions()}
    table.press("Enter")
    (name,) = table.said
    after = position.play(position.action(name))
    table.show(after)
    table.enable()
    name = after.name(after.legal_actions()[0])
    start, _ = name.split("/")
    mouse = table.page.mouse
    mouse.move(*table.middle(f"point {start}"))
    mouse.down()
    x, y = table.middle(name)
    mouse.move(x - 20, y)
    mouse.move(x, y)
    mouse.up()
    assert table.said[-1] == name


def test_a_man_on_the_bar_is_chosen_already(table):
    position = Backgammon(
        own=0x00000050300005000000000011, opp=0x00000050300005000000000020, dice=0x21, turn=0
    )
    table.show(position)
    assert table.page.locator(".target.chosen").get_attribute("aria-label") == "bar, chosen"
    table.spot("bar").click()
    assert table.page.locator(".target.chosen").count() == 1


def test_what_was_chosen_stays_while_values_stream_in(table):
    position = Chess()
    table.show(position)
    table.spot("e2").click()
    values = dict.fromkeys(position.legal_actions(), 0.5)
    before = table.page.locator("svg").bounding_box()
    table.show(position, values=values)
    assert table.page.locator(".dot").count() == 2
    assert table.page.locator("svg > g").first.text_content().count("+0.5") > 10
    assert before["width"] == table.page.locator("svg").bounding_box()["width"]
    table.spot("e2e4").click()
    assert table.said == ["e2e4"]


def test_marks_are_arrows_and_rings_and_stay_with_heat(table):
    position = Chess()
    action = position.action("g1f3")
    table.show(position)
    table.page.evaluate(
        "marks => board.mark(marks)",
        [{"action": action, "text": "+3", "kind": "best"}, {"target": 0, "kind": "bad"}],
    )
    assert table.page.locator(".mark.best .head").count() == 1
    assert table.page.locator(".mark.best text").text_content() == "+3"
    assert table.page.locator(".mark.bad .ring").count() == 1
    table.show(position, values={action: 1.0})
    assert table.page.locator(".mark").count() == 2
    table.page.mouse.click(*table.middle("g1"))  # they are not in the way
    table.spot("g1f3").click()
    assert table.said == ["g1f3"]
    table.show(position.play(action), action)
    assert table.page.locator(".mark").count() == 0


RECORD_ANIMATIONS = """() => {
  const animate = Element.prototype.animate;
  window.animations = 0;
  Element.prototype.animate = function (...how) {
    if (board.shapes.contains(this)) animations += 1;
    return animate.apply(this, how);
  };
}"""


def test_the_last_move_is_seen_to_happen_unless_less_motion_is_wished(table):
    position = Chess()
    action = position.action("g1f3")
    after = position.play(action)
    table.page.evaluate(RECORD_ANIMATIONS)
    table.show(position).show(after, action, {"animate": True})
    assert table.page.evaluate("animations") >= 2
    table.page.emulate_media(reduced_motion="reduce")
    table.page.evaluate("animations = 0")
    table.show(position).show(after, action, {"animate": True})
    assert table.page.evaluate("animations") == 0


REMEMBER = "() => { for (const shape of board.shapes.children) shape.seen = shape.outerHTML; }"
SHAPES = "[...board.shapes.children].map((shape) => [shape.outerHTML, shape.seen ?? null])"


@pytest.mark.parametrize(
    ("start", "moves"),
    [(Chess(), ["e2e4", "e7e5"]), (ConnectFour(), ["4", "4"]), (Hex(4), ["b2", "c3"])],
    ids=["chess", "connect_four", "hex"],
)
def test_what_stays_where_it_is_keeps_its_element(table, start, moves):
    table.show(start)
    position = start
    for name in moves:
        action = position.action(name)
        table.page.evaluate(REMEMBER)
        before = [text for text, _ in table.page.evaluate(SHAPES)]
        position = position.play(action)
        table.show(position, action)
        after = table.page.evaluate(SHAPES)
        stayed = [text for text, seen in after if seen is not None]
        assert stayed == [seen for _, seen in after if seen is not None]
        assert Counter(stayed) == Counter(before) & Counter(text for text, _ in after)
        assert 0 < len(after) - len(stayed) < len(stayed)
        drawn = table.page.evaluate(
            "shapes => { const g = board.shapes.cloneNode(); g.innerHTML = shapes;"
            " return [...g.children].map((shape) => shape.outerHTML); }",
            table.data["shapes"],
        )
        assert [text for text, _ in after] == drawn


def test_a_piece_in_the_air_stays_there_when_the_board_is_drawn_anew(table):
    position = Chess()
    table.show(position)
    x, y = table.middle("g1")
    table.page.mouse.move(x, y)
    table.page.mouse.down()
    table.page.mouse.move(x, y - 60, steps=4)
    lifted = "[...board.shapes.children].filter((shape) => shape.matches('.lifted')).length"
    count = table.page.evaluate(lifted)
    assert count > 0
    table.show(position, values=dict.fromkeys(position.legal_actions(), 1.0))
    assert table.page.evaluate(lifted) == count
    table.show(position)
    assert table.page.evaluate(lifted) == count
    table.page.mouse.move(x, y, steps=4)
    table.page.mouse.up()
    assert table.page.evaluate(lifted) == 0


def test_actions_without_a_place_are_buttons(table):
    position = Go(5)
    table.show(position)
    table.page.get_by_role("button", name="pass").click()
    assert table.said == ["pass"]
    position = LiarsDice()
    while position.to_move < 0:
        position = position.play(position.legal_actions()[0])
    table.show(position.play(position.legal_actions()[0]))
    table.enable()
    table.page.get_by_role("button", name="Liar!").click()
    assert table.said[-1] == "liar"


def test_a_jump_goes_on_with_the_same_piece(table):
    table.show(Checkers())
    table.spot("11, black man").click()
    table.spot("11-15").click()
    assert table.said == ["11-15"]


def test_every_game_is_played_by_clicks(table):
    for name, samples in SAMPLES.items():
        position, rng = samples.small[0], Random(name)
        for number in range(4):
            while position.to_move == CHANCE and not position.is_terminal():
                position = position.play(chance_action(position, rng.random()))
            if position.is_terminal():
                break
            action = rng.choice(position.legal_actions())
            seen = position.hidden(position.to_move)
            data = table.show(seen, flipped=number % 2 == 1).enable()
            _, move, ways, label = next(each for each in data["actions"] if each[0] == action)
            forced = table.page.evaluate("board.forced")
            for target in ways[forced is not None and len(ways) > 1 :]:
                table.page.mouse.click(*table.page.evaluate(MIDDLE, target))
            if not table.said:
                table.page.get_by_role("button", name=label, exact=True).click()
            assert table.said == [move], name
            table.page.evaluate("said.length = 0")
            position = position.play(action)


MIDDLE = """target => {
  const at = board.areas[target].boxOn(board.svg);
  return [at.x + at.width / 2, at.y + at.height / 2];
}"""


def test_a_large_board_has_all_its_places(table):
    table.show(Go(19)).show(Go(19), 0)
    assert table.page.locator(".target").count() == 361
