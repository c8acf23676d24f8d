"""The page of a tournament: its data, its text, and what it does in a real browser."""

import json
import random
import re

import pytest
from browser import background, click, find, pale_texts, run, size, widths
from children import wait_for

from adv_envs import ConnectFour, Hex, Pig, ThirtyOne, TicTacToe
from adv_envs.pictures.svg import svg
from agents.arena.game_files import changes_between, replays
from agents.arena.game_record import GameRecord
from agents.reports.tournament_page import page_data, times, tournament_html

pytestmark = pytest.mark.compiled

AGENTS = ("random()", 'odd(</script><b id="odd">&")', "mcts(simulations=100)")


def played(start, first, second, number, rng, **changes):
    """A random game after an opening of two plies."""
    position, actions = start, []
    while not position.is_terminal():
        actions.append(rng.choice(position.legal_actions()))
        position = position.play(actions[-1])
    points = ((position.utility(0) + 1) / 2, (position.utility(1) + 1) / 2)
    opening, rest = tuple(actions[:2]), tuple(actions[2:])
    record = {"opening": opening, "actions": rest, "points": points, "seconds": (0.25, 0.001)}
    return GameRecord(number, (first, second), **(record | changes))


def tournament(start, pairs=3):
    """A round robin of three; the last game was lost on time."""
    rng, records = random.Random(1), []
    for a, b in ((0, 1), (0, 2), (1, 2)):
        for _ in range(pairs):
            for first, second in ((a, b), (b, a)):
                records.append(played(start, AGENTS[first], AGENTS[second], len(records), rng))
    lost = {"points": (0.0, 1.0), "reason": "player 0 was late", "loser": 0, "fault": "time"}
    *rest, last = records
    return [*rest, played(start, *last.players, last.number, rng, **lost, actions=())]


def pictures(data, number):
    """What the browser draws, by the same splices."""
    shapes = []
    for changes in data["games"][str(number)]["changes"]:
        for at, gone, *come in changes:
            shapes[at : at + gone] = come
        yield [data["shapes"][shape] for shape in shapes]


@pytest.mark.parametrize(
    "start", [TicTacToe(), ConnectFour(), Hex(3, swap=True), ThirtyOne(), Pig(9)]
)
def test_every_step_is_the_picture_of_the_position(start):
    rng = random.Random(2)
    records = [played(start, "a", "b", number, rng) for number in range(2)]
    data = json.loads(json.dumps(replays(start, records)))
    for record in records:
        position, last = start, None
        shown = list(pictures(data, record.number))
        actions = (*record.opening, *record.actions)
        assert len(shown) == len(actions) + 1
        for picture, action in zip(shown, (*actions, None), strict=True):
            assert picture == svg(position, last).split("\n")[2:-1]
            if action is not None:
                position, last = position.play(action), action


def test_changes_are_few():
    assert changes_between([1, 2, 3, 4], [1, 3, 5, 4]) == [[1, 1], [2, 0, 5]]
    assert changes_between([1, 2], [2, 1]) == [[0, 2, 2, 1]]  # the order has changed
    assert changes_between([1, 1], [1]) == [[0, 2, 1]]
    assert changes_between([1, 2], [1, 2]) == []
    assert changes_between([], [1, 2]) == [[0, 0, 1, 2]]


def test_games_to_step_through_are_limited_and_those_that_went_wrong_come_first():
    records = tournament(TicTacToe())
    found = replays(TicTacToe(), records, games=7)["games"]
    assert list(found) == ["17", "0", "1", "6", "7", "12", "13"]  # then the first pair of each two
    few = replays(TicTacToe(), records, shapes=12 * 10)["games"]  # an empty board has ten shapes
    assert 0 < sum(len(game["moves"]) for game in few.values()) <= 12


def test_a_move_at_which_an_agent_fails_takes_time_too() -> None:
    """Fifteen games lost by a first move of 1.6 s each are no move of 24 s."""
    agents = [
        {"seconds": 24.0, "moves": 0, "faults": {"time": 15}},
        {"seconds": 3.0, "moves": 2, "faults": {"crash": 1}},
        {"seconds": 0.0, "moves": 0, "faults": {}},
    ]
    assert [round(each["mean"], 9) for each in times(agents)] == [1.6, 1.0, 0.0]


def test_the_data_are_what_was_played():
    start, records = TicTacToe(), tournament(TicTacToe())
    records.append(
        GameRecord(
            18,
            *[getattr(records[0], f) for f in ("players", "opening")],
            records[0].actions,
            records[0].points,
            (1.0, 1.0),
        )
    )
    data = page_data(start, records, "A test", settings={"Openings": "random"})
    assert data["game"] == "tic_tac_toe"
    assert page_data(start.after("b2"), [], agents=("a", "b"))["game"] == repr(start.after("b2"))
    assert len(data["games"]) == data["table"]["games"] == 19
    assert data["distinct"] == 18
    late = data["agents"][records[17].players[0]]
    assert late["faults"] == {"time": 1}
    assert sum(agent["moves"] for agent in data["agents"].values()) == sum(
        len(record.actions) for record in records
    )
    for agent, found in data["agents"].items():
        rating = next(r for r in data["table"]["ratings"] if r["agent"] == agent)
        assert sum(found["points"]) == rating["points"]
        assert found["games"][0] == sum(rating["as_first"])
    assert data == page_data(start, records[::-1], "A test", settings={"Openings": "random"})


def test_the_page_needs_nothing_else_and_can_be_made_from_json():
    data = page_data(TicTacToe(), tournament(TicTacToe()), "A <test> & more")
    text = tournament_html(data)
    assert text == tournament_html(json.loads(json.dumps(data, allow_nan=False)))
    assert "<title>A &lt;test&gt; &amp; more</title>" in text
    assert not re.search(r"""(src|href)=["']|url\(|@import|<link|https?://""", text)
    assert "odd(</script>" not in text
    assert len(text) < 100_000


@pytest.mark.parametrize("agents", [("a", "b"), ("a", "b", "c")])
def test_a_tournament_without_games_has_a_page(agents):
    text = tournament_html(page_data(Hex(4), [], agents=agents))
    assert "no game was played" in text


def test_what_is_no_data_and_what_is_missing_is_told(without):
    with pytest.raises(ValueError, match=r"page_data of format 1: \['games'\]"):
        tournament_html({"games": []})
    data = page_data(TicTacToe(), tournament(TicTacToe(), 1))
    without("jinja2")
    with pytest.raises(ImportError, match=r'need jinja2: pip install "adv-envs\[lab\]"'):
        tournament_html(data)


# ---- in a browser


@pytest.fixture
def opened(browser, tmp_path):
    """The page of a tournament of Connect Four, in the browser; whatever it says is an error."""
    start = ConnectFour(4, 4, 3)
    records = tournament(start)
    path = tmp_path / "page.html"
    path.write_text(
        tournament_html(page_data(start, records, "A tournament", games=16)), encoding="utf-8"
    )
    size(browser, 1200, dark=False)
    browser.goto(path.as_uri())
    return start, records


def board(browser):
    return run(browser, "return document.getElementById('board').innerHTML")


def test_tables_sort(browser, opened):
    def column(number):
        cells = find(browser, f"#numbers tbody td:nth-child({number})")
        return [float(cell.get_attribute("data-value")) for cell in cells]

    assert column(2) == sorted(column(2), reverse=True)
    for number in (2, 9, 9, 12):
        before = column(number)
        click(browser, f"#numbers th:nth-child({number}) button")
        assert column(number) in (sorted(before), sorted(before, reverse=True))
        head = find(browser, "#numbers th[aria-sort]")
        assert len(head) == 1
        down = head[0].get_attribute("aria-sort") == "descending"
        assert column(number) == sorted(before, reverse=down)
    click(browser, "#numbers th:nth-child(1) button")
    names = [
        cell.inner_text().replace("\n", "")
        for cell in find(browser, "#numbers tbody td:first-child")
    ]
    assert names == sorted(names, key=str.lower)
    assert set(names) == set(AGENTS)
    assert not find(browser, "#odd")  # the name of an agent, and no element


def test_a_game_is_stepped_through(browser, opened):
    start, records = opened
    click(browser, "#list tr[data-number='4'] a")
    record = records[4]
    actions = (*record.opening, *record.actions)
    seen = run(browser, "return document.getElementById('ply').textContent")
    assert seen == f"2 / {len(actions)}"  # where the players took over
    click(browser, "#to-start")

    def expected(ply):
        position = start.after(actions[:ply])
        return "".join(svg(position, actions[ply - 1] if ply else None).split("\n")[2:-1])

    def as_drawn(text):
        script = "const e = document.createElementNS('http://www.w3.org/2000/svg', 'svg');"
        return run(browser, f"{script} e.innerHTML = arguments[0]; return e.innerHTML", text)

    for ply in range(len(actions)):
        assert board(browser) == as_drawn(expected(ply))
        click(browser, "#on")
    assert board(browser) == as_drawn(expected(len(actions)))
    click(browser, "#on")  # there is no more
    assert board(browser) == as_drawn(expected(len(actions)))
    click(browser, "#back")
    click(browser, "#moves button:nth-child(3)")
    assert board(browser) == as_drawn(expected(3))
    browser.keyboard.press("ArrowLeft")
    assert board(browser) == as_drawn(expected(2))
    click(browser, "#to-end")
    assert board(browser) == as_drawn(expected(len(actions)))
    click(browser, "#play")  # from the start again, by itself
    wait_for(lambda: board(browser) == as_drawn(expected(1)))
    click(browser, "#play")
    assert find(browser, "#play")[0].inner_text() == "Play"


def test_games_are_chosen(browser, opened):
    assert len(find(browser, "#list tbody tr")) == 16
    click(browser, "#shown")
    assert len(find(browser, "#list tbody tr")) == 18
    assert len(find(browser, "#list tbody tr.replay")) == 16
    click(browser, "#cross button")
    pair = find(browser, "#cross button")[0].get_attribute("data-pair")
    rows = find(browser, "#list tbody tr")
    assert len(rows) == 6
    one = run(browser, "return document.getElementById('one').selectedOptions[0].text")
    assert all(one in row.text_content() for row in rows)
    assert pair.split() == [
        run(browser, f"return document.getElementById('{id_}').value") for id_ in ("one", "other")
    ]
    run(
        browser,
        "const [one, other] = ['one', 'other'].map((id) => document.getElementById(id));"
        "other.value = one.value; other.dispatchEvent(new Event('change'));",
    )
    assert len(find(browser, "#list tbody tr")) == 12  # all of this agent
    run(
        browser,
        "const one = document.getElementById('one'), other = document.getElementById('other');"
        "one.value = other.value = ''; one.dispatchEvent(new Event('change'));",
    )
    click(browser, "#list tr[data-number='17'] a")
    assert find(browser, "#reason")[0].inner_text() == "player 0 was late"
    assert browser.url.endswith("#game-18")
    browser.reload()
    assert find(browser, "#players")[0].inner_text().startswith("Game 18 ")


def test_light_dark_and_on_a_phone(browser, opened):
    assert background(browser) == "rgb(251, 250, 247)"
    click(browser, "#theme")
    assert background(browser) == "rgb(22, 24, 28)"
    click(browser, "#theme")
    assert background(browser) == "rgb(251, 250, 247)"
    browser.reload()
    size(browser, 1200, dark=True)
    assert background(browser) == "rgb(22, 24, 28)"
    for width in (1200, 700, 360):
        size(browser, width, dark=False)
        room, wide = widths(browser)
        assert width - 20 < room <= width
        assert wide == room


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_texts_can_be_read(browser, opened, dark):
    size(browser, 1200, dark)
    assert pale_texts(browser) == []


def test_the_board_is_dark_on_a_dark_page(browser, opened):
    shapes = "[...document.querySelectorAll('#board *')]"
    colours = f"return {shapes}.map((e) => getComputedStyle(e).fill).join()"
    size(browser, 1200, dark=False)
    light = run(browser, colours)
    click(browser, "#theme")
    assert run(browser, colours) != light


def test_what_can_be_pressed_has_a_name_and_the_page_a_main_part(browser, opened):
    assert len(find(browser, "main")) == 1
    labels = [b.get_attribute("aria-label") for b in find(browser, "#cross button")]
    assert len(set(labels)) == len(labels) == 6
    for label in labels:
        one, _, rest = label.partition(" against ")
        assert one in AGENTS
        assert re.fullmatch(r".*: \d+ % of 6 games; show them", rest)
    names = run(
        browser,
        "return [...document.querySelectorAll('button, input, select')]"
        ".map((e) => e.ariaLabel || e.textContent.trim() || e.labels?.[0]?.textContent.trim())",
    )
    assert all(names)
