"""The front page, the pages of games and of errors, as a client without a browser gets them."""

import html
import re

import pytest
from event_loops import run_apart

from adv_envs import Position, register
from adv_envs.pictures.picture import draw
from adv_envs.pictures.svg import shapes_text
from adv_envs.registry import GAMES, game
from agents.describe import description, full_name

httpx = pytest.importorskip("httpx")
pytest.importorskip("starlette")

from agents.web.game_form import game_form  # noqa: E402
from agents.web.pages import picture_under_way, position_under_way  # noqa: E402
from agents.web.server import Settings, make_app  # noqa: E402

pytestmark = pytest.mark.compiled

LARGEST = 50_000
"""Bytes of the front page, compressed."""


class TakeAway(Position):
    """Take one or two stones, and the last one wins."""

    stones: int = 5
    left: int = 5
    ply: int = 0
    parameters = ("stones",)
    num_actions = 2
    observation_shape = (1,)

    @property
    def to_move(self):
        return self.ply % 2

    def legal(self, action):
        return action < self.left

    def play(self, action):
        return TakeAway(self.stones, self.left - action - 1, self.ply + 1)

    def is_terminal(self):
        return self.left == 0

    def utility(self, player):
        return 1 if player != self.to_move else -1


class Client:
    """Asks the page for addresses, with its token."""

    def __init__(self):
        self.settings = Settings()
        self.app = make_app(self.settings)

    def get(self, path, **headers):
        return run_apart(self.answer(path, headers))

    async def answer(self, path, headers):
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
        address = f"http://127.0.0.1:{self.settings.port}"
        async with httpx.AsyncClient(transport=transport, base_url=address) as client:
            await client.get(self.settings.address())
            return await client.get(path, headers=headers)


@pytest.fixture
def client():
    """A client with a token."""
    return Client()


@pytest.fixture
def take_away():
    """A game of a user."""
    register("take_away", TakeAway)
    yield "take_away"
    del GAMES["take_away"]


def test_every_game_is_there_with_its_name_and_a_picture(client):
    text = client.get("/").text
    tiles = re.findall(r'<li data-name="(\w+)".*?</li>', text, re.DOTALL)
    assert tiles == list(GAMES)
    for found in re.finditer(r'<li data-name="(\w+)".*?</li>', text, re.DOTALL):
        tile, cls = html.unescape(found[0]), game(found[1])
        assert f'href="/game/{found[1]}"' in tile
        assert f"<strong>{full_name(cls)}</strong>" in tile
        assert description(cls) in tile
        assert tile.count("<rect") + tile.count("<circle") + tile.count("<poly") >= 2


def test_the_front_page_is_small(client):
    answer = client.get("/", **{"Accept-Encoding": "gzip"})
    assert answer.headers["Content-Encoding"] == "gzip"
    assert answer.num_bytes_downloaded < LARGEST


def test_a_game_of_a_user_is_on_the_page(client, take_away):
    text = client.get("/").text
    assert "<strong>Take Away</strong>" in text
    assert "Take one or two stones" in text
    assert "<h1>Take Away</h1>" in client.get(f"/game/{take_away}").text


def test_names_are_those_that_people_use():
    names = {name: full_name(game(name)) for name in GAMES}
    assert names["connect_four"] == "Connect Four"
    assert names["chess"] == "Chess"
    assert names["leduc"] == "Leduc hold'em"
    assert names["thirty_one"] == "The Game of 31"
    assert names["fig52"] == "The textbook's tree"
    assert description(game("chess")).startswith("Attack the other king")
    assert len(set(names.values())) == len(names)


def test_the_best_known_games_come_first():
    assert [*GAMES][:3] == ["chess", "go", "texas_holdem_no_limit"]
    assert [*GAMES][-1] == "fig52"


@pytest.mark.parametrize("name", GAMES)
def test_every_parameter_is_explained_in_words(name):
    cls = game(name)
    assert len(cls.parameter_words) == len(cls.parameters)
    labels = [label for label, _ in cls.parameter_words]
    assert len({*labels}) == len(labels)
    for label, about in cls.parameter_words:
        assert label[0].isupper()
        assert about.endswith(".")
    for field in game_form(cls())["form"]:
        assert (field["label"], field["about"]) in cls.parameter_words


@pytest.mark.parametrize("name", GAMES)
def test_positions_are_of_games_under_way(name):
    start = game(name)()
    position = position_under_way(start)
    assert position != start
    assert not position.is_terminal()
    assert position == position_under_way(start)


def test_pictures_of_hidden_games_show_no_more_than_a_player_sees():
    cls = game("dark_hex")
    position = position_under_way(cls())
    view = position.hidden(position.to_move)
    assert shapes_text(draw(view)) != shapes_text(draw(position))  # there is something to hide
    shown = picture_under_way(cls)["shapes"].splitlines()
    assert set(shown) <= set(shapes_text(draw(view)).splitlines())


def test_kinds_of_games_are_those_of_the_filter(client):
    text = client.get("/").text
    kinds = dict(re.findall(r'data-name="(\w+)" data-kinds="([\w ]*)"', text))
    assert kinds["tic_tac_toe"] == ""
    assert kinds["pig"] == "chance"
    assert kinds["kuhn"] == "chance hidden many"
    assert kinds["dark_hex"] == "hidden"


def test_the_icon_is_a_picture(client):
    answer = client.get("/icon.svg")
    assert answer.headers["Content-Type"].startswith("image/svg+xml")
    assert answer.text.startswith("<svg")
    assert "<circle" in answer.text


@pytest.mark.parametrize("path", ["/nowhere", "/game/chequers", "/static/nothing.js"])
def test_an_address_that_leads_nowhere_is_answered_by_a_page(client, path):
    answer = client.get(path)
    assert answer.status_code == 404
    assert "<h1>There is no such page</h1>" in answer.text
    assert 'href="/"' in answer.text


def test_the_page_of_an_unknown_game_says_what_may_be_meant(client):
    assert "did you mean 'checkers'" in html.unescape(client.get("/game/checkerz").text)


def test_what_is_asked_for_data_is_answered_with_data(client):
    assert client.get("/api/nothing").json() == {"error": "Nothing is at /api/nothing."}


def test_an_address_cannot_write_into_the_page(client):
    text = client.get("/<script>alert(1)</script>").text
    assert "<script>alert" not in text


def test_a_page_that_cannot_be_made_says_so(client, monkeypatch):
    monkeypatch.setattr("agents.web.pages.tile", lambda name, cls: 1 / 0)
    answer = client.get("/")
    assert answer.status_code == 500
    assert "<h1>This has failed</h1>" in answer.text
    assert "ZeroDivisionError" not in answer.text


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("reversi", "Othello"),
        ("Mancala", "Kalah"),
        ("draughts", "Checkers"),
        ("baduk", "Go"),
        ("noughts and crosses", "Tic-tac-toe"),
        ("four in a row", "Connect Four"),
        ("five in a row", "Gomoku"),
        ("boxes", "Dots and Boxes"),
        ("RPS", "Rock-paper-scissors"),
    ],
)
def test_games_are_found_by_their_other_names(page, word, found):
    page.fill("#find", word)
    assert found in page.locator(".games li:not([hidden]) strong").all_text_contents()
    assert page.locator(".games li:not([hidden])").count() < 4
