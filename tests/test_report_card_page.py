"""The pages of report cards in a real browser: large and small, light and dark."""

import pytest
from browser import background, click, find, marks_of_bars, pale_texts, run, size, widths

from adv_envs import TicTacToe
from adv_envs.pictures.palette import contrast
from agents.grading import Grader, exact_for, grade_game, record_card
from agents.reports.report_card_page import graded_games_html, report_card_html

pytestmark = pytest.mark.compiled

LIGHT, DARK = "rgb(251, 250, 247)", "rgb(22, 24, 28)"


@pytest.fixture(scope="module")
def pages():
    """A card of one who blunders but has values of its own, and one of a game."""
    grader = Grader(TicTacToe(), "mcts(simulations=3)", positions=20, games=1)
    for _ in grader.run():
        pass
    card = grader.card()
    assert card.blunders
    assert card.calibration
    exact = exact_for(TicTacToe())
    game = grade_game(exact, TicTacToe(), [4, 1, 0, 8], "A game", ("Ann", "Bob"))
    record = record_card(exact, [game])
    return {"card": (card, report_card_html(card)), "record": (record, graded_games_html(record))}


@pytest.fixture(params=["card", "record"])
def opened(request, pages, browser, tmp_path):
    """A page in the browser; whatever it says is an error."""
    what, text = pages[request.param]
    path = tmp_path / "page.html"
    path.write_text(text, encoding="utf-8")
    size(browser, 1200, dark=False)
    browser.goto(path.as_uri())
    return request.param, what


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_pages_fit_every_screen_and_can_be_read(browser, opened, dark):
    for width in (1200, 700, 360):
        size(browser, width, dark)
        room, wide = widths(browser)
        assert width - 20 < room <= width
        assert wide == room
    assert background(browser) == (DARK if dark else LIGHT)
    assert pale_texts(browser) == []


def test_blunders_are_shown(browser, opened):
    """The picture is there, at a size to look at, with its marks; the words say what was wrong."""
    _, card = opened
    for width in (1200, 360):
        size(browser, width, dark=False)
        figures = find(browser, "figure")
        assert len(figures) == len(card.blunders) > 0
        for figure, blunder in zip(figures, card.blunders, strict=True):
            picture = figure.query_selector("svg")
            assert 150 < picture.bounding_box()["width"] < figure.bounding_box()["width"] <= width
            assert 150 < picture.bounding_box()["height"] <= 320
            assert picture.query_selector_all("[fill='#c0262d']")  # the one made
            assert picture.query_selector_all("[stroke='#12805c']")  # the right ones
            position = blunder.answer.test.position
            wrong = figure.query_selector(".wrong").inner_text()
            assert wrong == position.name(blunder.answer.action)
            right = figure.query_selector(".right").inner_text()
            assert right.split(", ")[0] in map(position.name, blunder.answer.test.strongest)


def test_bars_are_as_long_as_what_they_tell(browser, opened):
    bars = run(
        browser,
        "const place = (e) => { const r = e.getBoundingClientRect(); return [r.left, r.right]; };"
        "return [...document.querySelectorAll('.bar')].map((bar) => [bar.ariaLabel, place(bar),"
        "...['.fill', '.random'].map((part) => place(bar.querySelector(part)))]);",
    )
    assert bars
    for label, (left, right), fill, random in bars:
        told = float(label.partition("\N{NO-BREAK SPACE}%")[0]) / 100
        assert fill == pytest.approx([left, left + told * (right - left)], abs=1)
        assert left - 2 <= random[0] < random[1] <= right + 2


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_marks_of_bars_are_seen_on_every_ground(browser, opened, dark):
    """A mark stands out from its outline, and one of the two from what is below them."""
    size(browser, 1200, dark)
    bars = marks_of_bars(browser)
    assert bars
    for mark, outline, grounds in bars:
        assert contrast(mark, outline) >= 3
        for ground in grounds:
            assert max(contrast(mark, ground), contrast(outline, ground)) >= 3


def test_the_page_has_a_main_part_and_a_button_for_its_colours(browser, opened):
    assert len(find(browser, "main")) == 1
    assert find(browser, "main h2")
    picture = "return getComputedStyle(document.querySelector('figure svg rect')).fill"
    assert background(browser) == LIGHT
    light = run(browser, picture)
    click(browser, "#theme")
    assert background(browser) == DARK
    assert run(browser, picture) != light
    click(browser, "#theme")
    assert (background(browser), run(browser, picture)) == (LIGHT, light)


def test_wide_tables_move_sideways_on_a_phone(browser, opened):
    """That is all there is to touch, beside the button for the colours. Names stay in sight."""
    size(browser, 360, dark=False)
    controls = find(browser, "a, button, input, select, summary, [onclick], [tabindex]")
    assert [control.get_attribute("id") for control in controls] == ["theme"]
    moved = run(
        browser,
        "const e = document.querySelector('.scroll'), name = e.querySelector('tbody td');"
        "const left = () => Math.round(name.getBoundingClientRect().left);"
        "const before = left(); e.scrollLeft = 80; return [e.scrollLeft, left() - before];",
    )
    assert moved == [80, 0]
