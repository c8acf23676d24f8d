"""Analysis in a browser: variations, links, exact values on the board, reviews, files."""

import re

import pytest

expect = pytest.importorskip("playwright.sync_api").expect

pytestmark = [pytest.mark.compiled, pytest.mark.needs("browser")]

GAME = "/game/tic_tac_toe#moves=b2%20b1%20a1%20c2%20c3"


@pytest.fixture
def analysis(page, plain_site):
    """Opens an address of the site and waits for the panel."""
    page.goto(plain_site.address)

    def open_at(path):
        page.goto("about:blank")
        page.goto(plain_site.at(path))
        page.locator("#board svg[aria-label]").wait_for()
        if "#" not in path:
            page.get_by_role("tab", name="Analyse").click()
        page.locator("#analyse-said:not(:empty)").wait_for()
        return page

    return open_at


def moves(page):
    """The names of the moves in the list, and which of them is looked at."""
    buttons = page.locator("#analyse-moves .analyse-move")
    return [text.strip("?!") for text in buttons.all_text_contents()]


def current(page):
    return page.locator("#analyse-moves [aria-current]")


def test_exact_values_stand_on_the_board(analysis):
    page = analysis("/game/tic_tac_toe#moves=b2%20b1")
    expect(page.locator("#analyse-said")).to_have_text(
        "exact, by a list of all positions, worked back from the ends"
    )
    assert "win" in page.locator("#analyse-values tr").first.text_content()
    board = page.locator("#board svg")
    expect(board).to_have_attribute("aria-label", re.compile("the value of each move"))
    page.get_by_label("Values on the board").uncheck()
    expect(board).not_to_have_attribute("aria-label", re.compile("the value of each move"))
    expect(page.locator(".analyse-bar")).to_have_attribute("aria-label", re.compile("wins, exact"))
    expect(page.locator("#rows tr").first).to_be_visible()
    expect(page.locator("#analyse-lines li")).to_have_count(3)


def test_a_late_position_of_four_in_a_row_is_exact(analysis):
    page = analysis("/game/connect_four#moves=4757744575227546572143215164621112")
    expect(page.locator("#analyse-said")).to_contain_text("exact, by ")
    values = page.locator("#analyse-values tr").all_inner_texts()
    assert [row.split() for row in values] == [["3", "win", "(+4)"], ["6", "loss", "(-4)"]]
    expect(page.locator("#board svg")).to_have_attribute(
        "aria-label", re.compile("the value of each move")
    )


def test_an_agent_is_not_called_exact(analysis):
    page = analysis("/game/hex?size=11#moves=f6")
    page.locator("#analyse-seconds").select_option("1")
    expect(page.locator("#analyse-said")).to_contain_text("not proven")
    assert "exact" not in page.locator("#analyse-said").text_content()


def test_go_through_the_moves_by_keyboard(analysis):
    page = analysis(GAME)
    expect(current(page)).to_have_text("c3")
    assert moves(page) == ["b2", "b1", "a1", "c2", "c3"]
    for key, name in (
        ("ArrowLeft", "c2"),
        ("ArrowLeft", "a1"),
        ("ArrowRight", "c2"),
        ("End", "c3"),
    ):
        page.keyboard.press(key)
        expect(current(page)).to_have_text(name)
    page.keyboard.press("Home")
    expect(current(page)).to_have_count(0)
    expect(page).to_have_url(re.compile("tic_tac_toe$"))


def test_branch_promote_and_delete(analysis):
    page = analysis("/game/tic_tac_toe#moves=b2%20b1%20a1%20c2")
    page.keyboard.press("ArrowLeft")
    expect(current(page)).to_have_text("a1")
    page.locator("#board .target[aria-label=c3]").click()
    expect(current(page)).to_have_text("c3")
    assert moves(page) == ["b2", "b1", "a1", "c2", "c3"]
    expect(page.locator("#analyse-moves .variation")).to_have_text(re.compile("2….*c3"))
    page.keyboard.press("ArrowUp")
    expect(current(page)).to_have_text("c2")
    page.keyboard.press("ArrowDown")
    expect(current(page)).to_have_text("c3")
    page.get_by_role("button", name="Promote").click()
    expect(page.locator("#analyse-moves .variation")).to_have_text(re.compile("2….*c2"))
    page.get_by_role("button", name="Delete from here").click()
    expect(current(page)).to_have_text("a1")
    assert moves(page) == ["b2", "b1", "a1", "c2"]


def test_a_link_is_a_position(analysis):
    page = analysis("/game/tic_tac_toe#moves=b2%20b1")
    page.locator("#board .target[aria-label=c3]").click()
    expect(page).to_have_url(re.compile("#moves=b2%20b1%20c3$"))
    other = page.context.new_page()
    other.goto(page.url)
    expect(current(other)).to_have_text("c3")
    assert moves(other) == ["b2", "b1", "c3"]
    expect(other.locator("#board svg")).to_have_attribute("aria-label", re.compile("O to move"))
    other.close()
    page.wait_for_timeout(600)  # positions that follow at once are one entry of the history
    page.locator("#board .target[aria-label=a1]").click()
    expect(current(page)).to_have_text("a1")
    page.go_back()
    expect(current(page)).to_have_text("c3")
    page.go_forward()
    expect(current(page)).to_have_text("a1")


def test_what_is_wrong_with_a_link_or_a_text_is_said(page, plain_site):
    context = page.context.browser.new_context()
    other = context.new_page()
    other.goto(plain_site.address)
    other.goto(plain_site.at("/game/tic_tac_toe#moves=b2%20b2"))
    expect(other.locator("#status")).to_contain_text("move 2, 'b2', is not legal")
    expect(other.locator("#board svg")).to_have_attribute("aria-label", re.compile("X to move"))
    late = []

    def hold(route):
        late.append(route)

    other.route("**/api/texts", hold)  # its answer comes after the text is opened
    other.get_by_text("Save and open games").click()
    other.locator("#analyse-text").fill("c3 a9")
    other.get_by_role("button", name="Open this text").click()
    said = other.locator("#analyse-text-said")
    expect(said).to_contain_text("move 2, 'a9', is not legal")
    assert late
    for route in late:
        route.continue_()
    expect(other.get_by_role("button", name=re.compile("^Save ")).first).to_be_visible()
    expect(said).to_contain_text("move 2, 'a9', is not legal")
    context.close()


def test_a_review_names_the_mistakes(analysis):
    page = analysis(GAME)
    page.get_by_role("button", name="Review the game").click()
    expect(page.locator("#analyse-progress")).to_have_text("all values are exact")
    expect(page.get_by_role("button", name=re.compile("b1, mistake: loss"))).to_have_text("b1?")
    expect(page.get_by_role("button", name=re.compile("c2, inaccuracy"))).to_have_text("c2?!")
    rows = page.locator("#analyse-summary tbody tr")
    assert [row.split() for row in rows.all_inner_texts()] == [
        ["X", "0", "0", "0"],
        ["O", "1", "1", "0"],
    ]
    curve = page.locator("#analyse-curve svg")
    box = curve.bounding_box()
    curve.click(position={"x": box["width"] * 0.4, "y": box["height"] / 2})
    expect(current(page)).to_have_text("b1?")
    page.set_viewport_size({"width": 360, "height": 800})
    width = "document.documentElement.scrollWidth"
    assert page.evaluate(f"() => {width}") == 360


@pytest.mark.thorough
def test_a_game_with_dice_is_reviewed(page, site):
    """The curve begins at the start, although the dice come first."""
    page.goto(site.at("/game/backgammon#moves=64%2024/18%2018/14%2031%208/5%206/5"))
    summary = page.locator("#analyse-summary")
    page.locator("#analyse-moves .analyse-move").first.wait_for()  # the game has come
    page.get_by_role("button", name="Review the game").click()
    progress = page.locator("#analyse-progress")
    expect(progress).to_contain_text("where not exact")
    points = page.locator("#analyse-curve .curve").get_attribute("points").split()
    assert points[0].startswith("0.0,")
    assert len(points) == 5
    expect(summary.locator("tbody tr")).to_have_count(2)


def test_games_are_saved_and_opened(analysis, tmp_path):
    page = analysis("/game/hex?size=5#moves=a1%20b2")
    page.get_by_text("Save and open games").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save SGF").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert file.name == "hex.sgf"
    page.keyboard.press("Home")
    page.locator("#analyse-text").fill("c3 d4")
    page.get_by_role("button", name="Open this text").click()
    expect(current(page)).to_have_text("d4")
    page.locator("#analyse-file").set_input_files(file)
    expect(current(page)).to_have_text("b2")
    assert moves(page) == ["a1", "c3", "d4", "b2"]


def test_a_position_of_chess_by_fen(analysis):
    page = analysis("/game/chess")
    page.get_by_text("Save and open games").click()
    page.locator("#analyse-text").fill("8/8/8/4k3/8/8/4P3/4K3 b - - 0 1")
    page.get_by_role("button", name="Open this text").click()
    expect(page).to_have_url(re.compile("set_up="))
    expect(page.get_by_role("tab", name="Analyse")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#board svg")).to_have_attribute("aria-label", re.compile("Black to move"))


def test_hidden_games_tell_nothing_by_their_address(analysis):
    page = analysis("/game/kuhn")
    expect(page.locator("#board svg")).to_have_attribute("aria-label", re.compile("to move"))
    assert "#" not in page.url
    page.get_by_role("button", name="Review the game").click()
    expect(page.locator("#analyse-progress")).to_contain_text("do not see everything")
