"""Every screen of the page: for the keyboard, for screen readers, on phones, in light and dark.

``pytest tests/web/test_accessibility.py -k axe -s`` prints what axe has found.
"""

import io

import pytest
from browser import open_page
from PIL import Image

from adv_envs.registry import GAMES

expect = pytest.importorskip("playwright.sync_api").expect
axe_of = pytest.importorskip("axe_playwright_python.sync_playwright").Axe

pytestmark = [pytest.mark.compiled, pytest.mark.needs("browser")]

SCREENS = {
    "games": ("/", None, ".games svg"),
    "play": ("/game/tic_tac_toe", "play", ".target"),
    "analyse": ("/game/tic_tac_toe", "analyse", "#rows tr"),
    "tree": ("/game/tic_tac_toe", "tree", ".tree-node"),
    "puzzle": ("/game/tic_tac_toe", "puzzle", "#puzzle-solution"),
    "poker": ("/game/kuhn", "play", "#board svg"),
    "follow": ("/follow", None, "h1"),
    "nowhere": ("/game/chequers", None, "h1"),
}
"""The path of each screen, the panel that is opened there, and what shows that it is complete."""
PHONE, DESK = 390, 1280
WIDTHS = (320, PHONE, 800, DESK)
SERIOUS = {"serious", "critical"}


@pytest.fixture(scope="module")
def view(chromium, plain_site):
    """A page for many tests, in which axe may run."""
    with open_page(
        chromium, harmless="status of 404", reduced_motion="reduce", bypass_csp=True
    ) as found:
        found.goto(plain_site.address)
        yield found


@pytest.fixture
def new_view(chromium, plain_site):
    """A page for one test."""
    with open_page(chromium, harmless="status of 404", reduced_motion="reduce") as found:
        found.goto(plain_site.address)
        yield found


def look(view, width, scheme="light", height=844):
    view.set_viewport_size({"width": width, "height": height})
    view.emulate_media(color_scheme=scheme)


def visit(view, site, screen):
    """Open a screen and wait until it is complete."""
    path, panel, complete = SCREENS[screen]
    view.goto(site.at(path))
    if panel is not None:
        expect(view.locator("#board svg :is(rect, circle, polygon)").first).to_be_attached()
        view.locator(f"[role=tab][data-panel={panel}]").press("Enter")
        expect(view.locator(f"#{panel}")).to_be_visible()
    expect(view.locator(complete).first).to_be_visible()


# ---- axe


@pytest.mark.parametrize("screen", SCREENS)
def test_axe_finds_nothing_serious(view, plain_site, screen):
    look(view, DESK)
    visit(view, plain_site, screen)
    for width, scheme in ((DESK, "light"), (DESK, "dark"), (PHONE, "dark"), (PHONE, "light")):
        look(view, width, scheme)
        only = ["color-contrast"] if (width, scheme) == (DESK, "dark") else None
        options = {"runOnly": only} if only else {"rules": {"target-size": {"enabled": True}}}
        pictures = {"exclude": [[".games svg"]]}  # nothing is in them for axe, which takes long
        found = axe_of().run(view, pictures, options).response
        print(f"\n{screen}, {width} px, {scheme}: {told(found)}", end="")
        wrong = [each for each in found["violations"] if each["impact"] in SERIOUS]
        assert not wrong, "\n".join(map(in_words, wrong))
        assert len(found["passes"]) >= (1 if only else 10)


def told(found):
    """What axe has found, in numbers."""
    small = [each["id"] for each in found["violations"]]
    return f"{len(found['passes'])} rules hold, {len(small)} do not {' '.join(small)}"


def in_words(violation):
    """A fault that axe has found, and where."""
    where = [f"  {node['target']} {node['html'][:150]}" for node in violation["nodes"][:5]]
    return "\n".join([f"{violation['id']}: {violation['help']}", *where])


# ---- phones and screens


@pytest.mark.parametrize("screen", SCREENS)
def test_nothing_is_wider_than_the_page(view, plain_site, screen):
    look(view, DESK)
    visit(view, plain_site, screen)
    for width in WIDTHS:
        look(view, width)
        room, taken = view.evaluate(
            "[document.documentElement.clientWidth, document.documentElement.scrollWidth]"
        )
        assert taken <= room == width
        assert view.evaluate(CUT, width) == []


CUT = """(width) => {
  const scrolls = (e) => e &&
    (/auto|scroll/.test(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
  return [...document.querySelectorAll("body *:not(svg *)")].filter((e) => {
    const box = e.getBoundingClientRect();
    return box.width && (box.right > width + 1 || box.left < -1) && !scrolls(e.parentElement);
  }).map((e) => e.outerHTML.slice(0, 100));
}"""
"""Elements that reach beyond the page and cannot be scrolled to."""


@pytest.mark.parametrize("size", [(844, 390), (PHONE, 844)])
def test_on_a_phone_the_board_comes_first_and_is_seen_whole(view, plain_site, size):
    look(view, size[0], height=size[1])
    visit(view, plain_site, "play")
    board = view.locator("#board svg").bounding_box()
    panel = view.locator("#play").bounding_box()
    view.locator("#board svg").scroll_into_view_if_needed()
    assert board["height"] <= size[1]
    assert board["width"] >= 240
    assert panel["y"] >= board["y"] + board["height"] or panel["x"] >= board["x"] + board["width"]


@pytest.mark.parametrize("screen", [s for s in SCREENS if s not in ("nowhere", "follow")])
def test_on_a_phone_what_is_touched_is_large_enough(view, plain_site, screen):
    look(view, PHONE)
    visit(view, plain_site, screen)
    small = view.evaluate(
        """() => [...document.querySelectorAll("main :is(button, select, summary), header button")]
          .map((e) => [e.getBoundingClientRect(), e.outerHTML.slice(0, 90)])
          .filter(([box]) => box.width && (box.width < 40 || box.height < 40))
          .map(([box, text]) => `${box.width} x ${box.height}: ${text}`)"""
    )
    assert small == []


# ---- light and dark


def test_the_theme_that_was_chosen_is_kept(new_view, plain_site):
    view = new_view
    look(new_view, DESK)
    visit(new_view, plain_site, "games")
    light = background(view)
    view.locator("#theme").click()
    dark = background(view)
    view.goto(plain_site.at("/game/hex"))
    assert background(view) == dark != light
    view.locator("#theme").click()
    assert background(view) == light


def background(view):
    return view.evaluate("getComputedStyle(document.body).backgroundColor")


# ---- boards are drawn


DRAWN = 0.02
"""The least share of a board's pixels that differ from its background."""


@pytest.mark.parametrize("name", GAMES)
def test_the_board_of_every_game_is_drawn(view, plain_site, name):
    look(view, 800)
    view.goto(plain_site.at(f"/game/{name}"))
    board = view.locator("#board svg.adv-envs")
    expect(board.locator("g").first).to_contain_text("")
    expect(board.locator("rect, circle, polygon, polyline").nth(1)).to_be_attached()
    light = pixels(board)
    view.emulate_media(color_scheme="dark")
    dark = pixels(board)
    for picture in (light, dark):
        share, colours = shown(picture)
        assert share > DRAWN
        assert colours >= 3
    assert sum(light.resize((1, 1)).getpixel((0, 0))) > sum(dark.resize((1, 1)).getpixel((0, 0)))


def pixels(locator):
    """What is seen of an element."""
    return Image.open(io.BytesIO(locator.screenshot(animations="disabled"))).convert("RGB")


def shown(picture):
    """The share of pixels that are not of the commonest colour, and the number of colours."""
    counts = sorted(picture.getcolors(picture.width * picture.height), reverse=True)
    few = [count for count, _ in counts if count >= 20]
    return 1 - counts[0][0] / (picture.width * picture.height), len(few)


# ---- the keyboard alone


def test_a_game_is_played_with_the_keyboard_alone(view, plain_site):
    look(view, DESK)
    visit(view, plain_site, "play")
    over = view.locator("#status", has_text="wins").or_(view.locator("#status", has_text="draw"))
    for _ in range(9):
        expect(view.locator(".target").first.or_(over)).to_be_visible()
        if over.is_visible():
            break
        to(view, ".target")
        before = view.locator(".target").count()
        view.keyboard.press("ArrowRight")
        view.keyboard.press("Enter")
        expect(view.locator(".target")).not_to_have_count(before)
    expect(over).to_be_visible()


@pytest.mark.parametrize("panel", ["play", "analyse", "tree", "puzzle"])
def test_every_panel_is_reached_with_the_keyboard(view, plain_site, panel):
    look(view, DESK)
    visit(view, plain_site, "play")
    tab = f"[role=tab][data-panel={panel}]"
    to(view, f"[role=tab][aria-selected=true], {tab}")
    for _ in range(4):
        if view.evaluate("(s) => document.activeElement.matches(s)", tab):
            break
        view.keyboard.press("ArrowRight")
    view.keyboard.press("Enter")
    expect(view.locator(f"#{panel}")).to_be_visible()
    to(view, f"#{panel} *, #{panel}")


def to(view, selector):
    """Press Tab until something of this selector has the focus, which must be seen."""
    for _ in range(60):
        if view.evaluate("(s) => document.activeElement.matches(s)", selector):
            style = "(e => [e.outlineStyle, e.stroke])(getComputedStyle(document.activeElement))"
            assert view.evaluate(style) != ["none", "none"]
            return
        view.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {selector}")


def test_the_first_key_leads_past_the_header(view, plain_site):
    look(view, DESK)
    visit(view, plain_site, "games")
    view.keyboard.press("Tab")
    skip = view.get_by_role("link", name="Skip to the content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    view.keyboard.press("Enter")
    view.keyboard.press("Tab")
    expect(view.locator("#find")).to_be_focused()


def test_the_question_mark_lists_the_shortcuts(view, plain_site):
    look(view, DESK)
    visit(view, plain_site, "games")
    view.keyboard.press("?")
    dialog = view.get_by_role("dialog", name="Keyboard")
    expect(dialog).to_be_visible()
    expect(dialog).to_contain_text("Find a game")
    view.keyboard.press("Escape")
    expect(dialog).not_to_be_visible()


def test_shortcuts_can_be_turned_off(new_view, plain_site):
    view = new_view
    look(new_view, DESK)
    visit(new_view, plain_site, "games")
    view.locator("#keys").click()
    view.get_by_role("checkbox").uncheck()
    view.get_by_role("button", name="Close").click()
    view.reload()
    view.keyboard.press("/")
    expect(view.locator("#find")).not_to_be_focused()
    view.evaluate("localStorage.clear()")
    view.keyboard.press("/")
    expect(view.locator("#find")).to_be_focused()


# ---- the front page


def test_games_are_found_by_name_and_by_kind(view, plain_site):
    look(view, DESK)
    visit(view, plain_site, "games")
    games = view.locator(".games li:visible")
    expect(games).to_have_count(len(GAMES))
    view.keyboard.press("/")
    view.keyboard.type("connect f")
    expect(games).to_have_count(1)
    expect(view.locator("#found")).to_have_text("1 game")
    view.keyboard.press("Enter")
    expect(view).to_have_title("Connect Four · adv-envs")
    view.go_back()
    view.locator("#find").fill("")
    view.get_by_role("button", name="Hidden information").click()
    hidden = games.count()
    assert 1 < hidden < len(GAMES)
    view.get_by_role("button", name="Chance").click()
    assert 1 < games.count() < hidden
