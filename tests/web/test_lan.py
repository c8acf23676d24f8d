"""``adv-envs serve --lan``: who is let in, what is printed, and that the page works there."""

import io
import re
import socket
import sys

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx")
pytest.importorskip("uvicorn")

from browser import open_page
from command_line import refused, well, words
from local_page import Site
from rich.console import Console
from starlette.websockets import WebSocketDisconnect
from web_client import ORIGIN, TOKEN, TestClient, client

from agents.cli import serving
from agents.web import lan, server
from agents.web.lan import is_private, lan_addresses, qr_code
from agents.web.server import Settings, make_app

HERE = "192.168.1.7"
THERE = f"http://{HERE}:8000"


def visitor(origin=THERE, token=True, **headers):
    """Somebody in the local network, on one of our own pages unless ``headers`` say otherwise."""
    app = make_app(Settings(token=TOKEN, lan=(HERE,)))
    found = TestClient(app, base_url=origin, follow_redirects=False)
    found.headers["Origin"] = origin
    found.headers.update(headers)
    if token:
        found.cookies.set("adv_envs_8000", TOKEN)
    return found


# ---- who is let in


def test_visitors_with_the_token_are_let_in_and_get_a_strict_cookie():
    guest = visitor(token=False)
    answer = guest.get(f"/game/nim?token={TOKEN}")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/game/nim"
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert guest.get("/game/nim").status_code == 200
    assert guest.post("/api/position", json={"game": "nim"}).status_code == 200
    with guest.websocket_connect(f"ws://{HERE}:8000/api/search"):
        pass


@pytest.mark.parametrize("path", ["/", "/?token=", "/?token=wrong", "/static/board/board.js"])
def test_nobody_of_the_network_is_let_in_without_the_token(path):
    guest = visitor(token=False)
    assert guest.get(path).status_code == 403
    assert guest.post("/api/position", json={"game": "nim"}).status_code == 403
    with (
        pytest.raises(WebSocketDisconnect),
        guest.websocket_connect(f"ws://{HERE}:8000/api/search"),
    ):
        pass


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8000", HERE, f"{HERE}:8001", f"{HERE}:8000.evil.example",
     "192.168.1.8:8000", "0.0.0.0:8000", "[::1]:8000", f"[::ffff:{HERE}]:8000", "my-laptop:8000",
     "my-laptop.local:8000", f"{HERE}.nip.io:8000", "3232235783:8000", "192.168.263:8000"],
)  # fmt: skip
def test_other_names_that_lead_here_are_not_enough(host):
    """Such as a name of an attacker's that points here for now: DNS rebinding."""
    guest = visitor(Origin=f"http://{host}")
    assert guest.get("/", headers={"Host": host}).status_code == 421
    with (
        pytest.raises(WebSocketDisconnect),
        guest.websocket_connect(f"ws://{HERE}:8000/api/search", headers={"Host": host}),
    ):
        pass


@pytest.mark.parametrize(
    "origin",
    ["", "null", "http://evil.example", f"https://{HERE}:8000", f"http://{HERE}",
     f"http://{HERE}:8001", "http://192.168.1.8:8000", ORIGIN, "http://localhost:8000"],
)  # fmt: skip
def test_writes_and_websockets_of_other_origins_are_refused(origin):
    """Also those of the same server under another of its addresses."""
    guest = visitor(Origin=origin)
    assert guest.post("/api/position", json={"game": "nim"}).status_code == 403
    with (
        pytest.raises(WebSocketDisconnect),
        guest.websocket_connect(f"ws://{HERE}:8000/api/search"),
    ):
        pass


def test_this_computer_is_let_in_as_ever():
    own = visitor(origin=ORIGIN)
    assert own.post("/api/position", json={"game": "nim"}).status_code == 200


def test_without_the_option_no_address_of_the_network_is_served():
    with_cookie = {"Host": f"{HERE}:8000", "Cookie": f"adv_envs_8000={TOKEN}"}
    assert client(headers=with_cookie).get("/").status_code == 421


# ---- the addresses, and the code


@pytest.mark.parametrize("address", ["10.0.0.1", "172.16.0.1", "172.31.9.9", "192.168.178.20"])
def test_addresses_of_local_networks(address):
    assert is_private(address)


@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.1.1", "0.0.0.0", "8.8.8.8", "172.32.0.1"])
def test_addresses_of_the_internet_and_of_this_computer_alone(address):
    assert not is_private(address)


def test_each_address_is_listed_once_and_the_first_first(monkeypatch):
    found = ["192.168.1.7", "127.0.0.1", "8.8.8.8", "10.0.0.2", "192.168.1.7"]
    monkeypatch.setattr(lan, "_addresses", lambda: iter(found))
    assert lan_addresses() == ["192.168.1.7", "10.0.0.2"]


def test_the_addresses_that_are_found_are_of_this_computer():
    for address in lan_addresses():
        with socket.create_server((address, 0)) as listener:
            assert listener.getsockname()[0] == address


def test_the_code_is_of_the_whole_text():
    segno = pytest.importorskip("segno")
    text = f"{THERE}/game/hex?token={'x' * 32}"
    blocks = {" ": (1, 1), "▀": (0, 1), "▄": (1, 0), "█": (0, 0)}  # upper and lower; 1 is dark
    drawn = [[blocks[char] for char in line] for line in qr_code(text).splitlines()]
    rows = [[pair[half] for pair in line] for line in drawn for half in (0, 1)]
    matrix = [list(row) for row in segno.make(text, error="l", micro=False).matrix]
    size = len(matrix)
    assert [row[2 : size + 2] for row in rows[2 : size + 2]] == matrix


@pytest.mark.parametrize(("columns", "drawn"), [(37, True), (36, False), (20, False)])
def test_a_code_is_drawn_whole_or_not_at_all(columns, drawn, monkeypatch):
    pytest.importorskip("segno")
    plain = {"color_system": None, "force_terminal": False}  # whatever the environment says
    terminal = Console(width=columns, file=io.StringIO(), **plain)
    monkeypatch.setattr(serving, "out", lambda: terminal)
    code = qr_code(f"{THERE}/?token={TOKEN:x<32}")
    serving.show_code(code)
    said = terminal.file.getvalue()
    assert all(line in said for line in code.splitlines()) is drawn
    assert ("needs 37 columns" in words(said)) is not drawn


# ---- the command


@pytest.fixture
def served(monkeypatch):
    """What the server is started with; it is not."""
    found = []

    def run(settings, listeners, on_start):
        found.append((settings, [listener.getsockname() for listener in listeners]))
        on_start()

    monkeypatch.setattr(server, "serve", run)
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="listens on 127.0.0.2")
def test_it_listens_on_these_addresses_only_and_says_who_can_do_what(served, monkeypatch):
    monkeypatch.setattr(lan, "lan_addresses", lambda: ["127.0.0.2"])
    said = words(well("serve", "hex", "--lan", "--port", "0"))
    ((settings, places),) = served
    assert [host for host, _ in places] == ["127.0.0.1", "127.0.0.2"]
    assert {port for _, port in places} == {settings.port}
    assert settings.lan == ("127.0.0.2",)
    assert f"http://127.0.0.2:{settings.port}/game/hex?token={settings.token}" in said
    for warning in ("can play, search and see", "Nothing is encrypted", "networks that you trust"):
        assert warning in said


@pytest.mark.skipif(sys.platform != "linux", reason="listens on 127.0.0.2")
def test_the_token_is_a_new_one_each_time(served, monkeypatch, tmp_path):
    """Those who were let in once are not let in again."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(lan, "lan_addresses", lambda: ["127.0.0.2"])
    well("serve", "--lan", "--port", "0")
    port = str(served[0][0].port)
    well("serve", "--lan", "--port", port)
    assert served[0][0].token != served[1][0].token


def test_only_this_computer_is_served_without_the_option(served):
    well("serve", "--port", "0")
    ((settings, places),) = served
    assert settings.lan == ()
    assert [host for host, _ in places] == ["127.0.0.1"]


def test_a_computer_in_no_network_says_so(served, monkeypatch):
    monkeypatch.setattr(lan, "lan_addresses", list)
    assert "no local network" in refused("serve", "--lan")
    assert not served


# ---- the page, by an address that is no secure context for a browser


@pytest.mark.compiled
@pytest.mark.needs("browser")
def test_the_page_plays_where_the_browser_trusts_the_address_less(chromium):
    if not lan_addresses():
        pytest.skip("this computer is in no local network")
    with (
        Site("tic_tac_toe", "--lan") as site,
        open_page(chromium, harmless="Cross-Origin-Opener-Policy") as page,
    ):
        page.goto(site.address.replace("127.0.0.1", lan_addresses()[0]))
        assert not page.evaluate("isSecureContext")
        page.locator("#board .target").first.click()
        page.wait_for_url(re.compile(r"#moves=\w\d%20\w\d"))  # it has answered
