"""Attacks on the local page: by other sites in the same browser, and by pages that lie."""

import asyncio
import os
import socket
import time
from contextlib import ExitStack, suppress

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx")
pytest.importorskip("uvicorn")

from children import LONGEST
from event_loops import run_apart
from starlette.websockets import WebSocketDisconnect
from uvicorn.config import Config
from uvicorn.server import ServerState
from web_client import HOST, ORIGIN, SEARCH, TOKEN, client, our_page

from adv_envs.registry import GAMES
from agents.web import security
from agents.web.security import (
    KEPT,
    LARGEST_BODY,
    MOST_CONNECTIONS,
    PatientConnection,
    kept_token,
    new_token,
)


@pytest.fixture
def outsider():
    """Somebody who has no token."""
    return client()


@pytest.fixture
def ours():
    """Our own page."""
    return our_page()


# ---- who is let in


def test_the_token_of_the_address_becomes_a_strict_cookie(outsider):
    answer = outsider.get(f"/game/nim?heaps=12&token={TOKEN}")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/game/nim?heaps=12"
    cookie = answer.headers["set-cookie"].lower()
    assert cookie.startswith(f"adv_envs_8000={TOKEN}".lower())
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert outsider.get("/game/nim").status_code == 200  # by the cookie alone


@pytest.mark.parametrize(
    "cookie",
    ["", "adv_envs_8000=", "adv_envs_8000=wrong", f"adv_envs_8001={TOKEN}", f"x={TOKEN}", "ü=ü"],
)
@pytest.mark.parametrize("path", ["/", "/?token=", "/?token=wrong", "/static/board/board.js"])
def test_nobody_is_let_in_without_the_token(outsider, cookie, path):
    answer = outsider.get(path, headers={"Cookie": cookie.encode()})
    assert answer.status_code == 403
    assert TOKEN not in answer.text


def test_a_cookie_that_another_port_has_set_shuts_nobody_out(outsider):
    both = {"Cookie": f"adv_envs_8000=theirs; adv_envs_8000={TOKEN}"}
    assert outsider.get("/game/nim", headers=both).status_code == 200


def test_the_token_leads_to_no_other_site(outsider):
    for path in ("//evil.example/", "/%2f%2fevil.example", "/\\evil.example", "/%0d%0aX-Evil: 1"):
        outsider.cookies.clear()
        answer = outsider.get(f"{ORIGIN}{path}?token={TOKEN}")
        assert answer.status_code == 303
        assert answer.headers["location"].startswith("/")
        assert not answer.headers["location"].startswith(("//", "/\\"))
        assert "x-evil" not in answer.headers


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8000", "127.0.0.1", "127.0.0.1:8001", "localhost:80000",
     "127.0.0.1:8000.evil.example", "0.0.0.0:8000", "[::1]:8000", "127.1:8000", "2130706433:8000",
     "LOCALHOST.:8000", "", "127.0.0.1:8000,evil.example"],
)  # fmt: skip
def test_a_name_that_leads_here_is_not_enough(ours, host):
    assert ours.get("/", headers={"Host": host}).status_code == 421
    with pytest.raises(WebSocketDisconnect), ours.websocket_connect(SEARCH, headers={"Host": host}):
        pass


@pytest.mark.parametrize(
    "origin",
    [None, "", "null", "http://evil.example", "http://127.0.0.1", "http://127.0.0.1:8001",
     "https://127.0.0.1:8000", "http://localhost:8000", "http://127.0.0.1:8000.evil.example"],
)  # fmt: skip
def test_writes_and_websockets_come_from_our_own_pages(ours, origin):
    del ours.headers["origin"]
    headers = {} if origin is None else {"Origin": origin}
    for kind in ("application/json", "text/plain", "application/x-www-form-urlencoded"):
        answer = ours.post(
            "/api/position", content='{"game": "nim"}', headers={**headers, "Content-Type": kind}
        )
        assert answer.status_code == 403
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "FOO"):
        assert ours.request(method, "/api/position", headers=headers).status_code == 403
    with pytest.raises(WebSocketDisconnect), ours.websocket_connect(SEARCH, headers=headers):
        pass


def test_two_hosts_or_origins_are_none(ours):
    for name, value in (("Host", HOST), ("Origin", ORIGIN)):
        del ours.headers["origin"]
        twice = [(name, value), (name, value)] + ([("Origin", ORIGIN)] if name == "Host" else [])
        answer = ours.post("/api/position", json={"game": "nim"}, headers=twice)
        ours.headers["origin"] = ORIGIN
        assert answer.status_code in {403, 421}


def test_no_other_site_may_read_an_answer(ours):
    for path in ("/", "/game/nim", "/api/games/nim", "/static/board/board.js", "/nothing"):
        answer = ours.get(path)
        assert "access-control-allow-origin" not in answer.headers
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["referrer-policy"] == "no-referrer"
        policy = dict(
            p.split(" ", 1) for p in answer.headers["content-security-policy"].split("; ")
        )
        assert policy["default-src"] == "'none'"
        assert policy["worker-src"] == policy["connect-src"] == policy["style-src"] == "'self'"
        assert policy["script-src"] == "'self' 'wasm-unsafe-eval'"
        assert "server" not in answer.headers


@pytest.mark.parametrize("path", ["/", "/game/nim"])
def test_pages_have_no_inline_scripts_and_styles(ours, path):
    text = ours.get(path).text
    assert "<style" not in text
    assert text.count("<script") == text.count('<script type="module" src="/') + text.count(
        '<script src="/'
    )
    assert "javascript:" not in text
    assert " onclick" not in text


# ---- files and sizes


@pytest.mark.parametrize("folder", ["/static/", "/static/board/", "/static/reports/"])
@pytest.mark.parametrize(
    "path",
    ["../security.py", "%2e%2e/security.py", "..%2fsecurity.py", "..%5csecurity.py",
     "%2e%2e%2f%2e%2e%2f%2e%2e%2fpyproject.toml", "....//security.py", "/etc/passwd",
     "%2fetc%2fpasswd", "board/../../pool.py", "x%00.js", "..;/security.py", "a" * 5000, "%ff%fe"],
)  # fmt: skip
def test_static_files_lead_nowhere_else(ours, folder, path):
    answer = ours.get(f"{ORIGIN}{folder}{path}")
    assert answer.status_code in {400, 404, 405, 414}
    assert "import" not in answer.text


@pytest.mark.parametrize(
    "name", ["../nim", "__class__", "os", "a" * 3000, "nim%00", "{{7*7}}", "%ff"]
)
def test_what_is_no_game_is_not_found(ours, name):
    for place in ("/game/", "/api/games/"):
        answer = ours.get(f"{ORIGIN}{place}{name}")
        assert answer.status_code == 404
        assert "49" not in answer.text
        assert len(answer.text) < 20_000


def test_a_name_in_an_address_is_no_html(ours):
    answer = ours.get("/game/<script>alert(1)<script>")
    assert "<script>alert" not in answer.text


@pytest.mark.parametrize("length", ["abc", "-1", "1e3", "+5", "0x10", "", "١٢", "9" * 30])
def test_a_length_that_makes_no_sense_is_refused(ours, length):
    answer = ours.post("/api/position", content=b"{}", headers={"Content-Length": length.encode()})
    assert answer.status_code in {400, 413}


def test_a_body_is_not_too_long(ours):
    large = b"[" + b"1," * (LARGEST_BODY // 2) + b"1]"
    assert ours.post("/api/position", content=large).status_code == 413
    pieces = (b" " * 100_000 for _ in range(20))  # sent in chunks, without a length
    assert ours.post("/api/position", content=pieces).status_code == 413


# ---- what a page sends


NONSENSE = [
    b"", b"null", b"[]", b"7", b'"nim"', b"{", b"\xff\xfe", b'{"game": "n\x00im"}', b"NaN",
    b"[" * 100_000, b'{"a":' * 100_000, b'{"game": ' + b"9" * 10_000 + b"}",
    b'{"game": "nim", "parameters": {"heaps": NaN}}',
    b'{"game": "nim", "parameters": {"heaps": Infinity}}',
    b'{"game": "nim", "parameters": {"heaps": 1e999}}',
    b'{"game": "nim", "parameters": {"__class__": 1}}',
    b'{"game": "nim", "parameters": {"self": 1, "cls": 2}}',
    b'{"game": "nim", "parameters": [["heaps", 1]]}',
    b'{"game": "nim", "line": {"0": 1}}', b'{"game": "nim", "line": "ab"}',
    b'{"game": "nim", "line": [true]}', b'{"game": "nim", "line": [null]}',
    b'{"game": "nim", "line": [-1]}', b'{"game": "nim", "line": [1e3]}',
    b'{"game": "nim", "line": [' + b"9" * 4000 + b"]}",
    b'{"game": "nim", "line": [' + b"0," * 3000 + b"0]}",
    b'{"game": "nim", "people": [{}]}', b'{"game": "nim", "people": [[]]}',
    b'{"game": "nim", "people": [true]}', b'{"game": "nim", "people": [-1]}',
    b'{"game": "nim", "people": 5}', b'{"game": "nim", "people": [' + b"5," * 9 + b"0]}",
    b'{"game": "nim", "move": {"action": true}}', b'{"game": "nim", "move": {"action": -1}}',
    b'{"game": "nim", "move": {"action": 1e400}}', b'{"game": "nim", "move": []}',
    b'{"game": "nim", "move": {"name": {}}}', b'{"game": "nim", "move": {"name": "__class__"}}',
    b'{"game": "nim", "move": {"name": "' + b"(" * 5000 + b'"}}', b'{"game": "nim", "move": null}',
    b'{"game": "chess", "parameters": {"fen": "/etc/passwd"}}',
    b'{"game": "hex", "parameters": {"size": "../../etc/passwd"}}',
    b'{"game": "adv_envs.games.nim:Nim"}', b'{"game": "os:system"}', b'{"game": "__builtins__"}',
    b'{"game": "kuhn", "line": [0, 1]}', b'{"game": "kuhn", "line": ["x"]}',
]  # fmt: skip


@pytest.mark.parametrize("body", NONSENSE, ids=range(len(NONSENSE)))
def test_nonsense_is_answered_in_words(ours, body):
    answer = ours.post("/api/position", content=body)
    assert answer.status_code == 400
    assert answer.json()["error"]


def test_half_a_character_in_what_comes_back_is_refused(ours):
    plan = b'{"name": "random", "more": "\\ud800"}'
    asked = b'{"game": "nim", "job": "move", "options": {"agent": "random()"}, "plan": ' + plan
    answer = ours.post("/api/found", content=asked + b"}")
    assert answer.status_code == 400
    assert answer.json() == {"error": "a text has half a character"}


@pytest.mark.parametrize("path", ["/api/line", "/api/texts", "/api/position"])
@pytest.mark.parametrize(
    "text",
    ["(" * 90_000, "(;" * 20_000, "{" * 90_000, "[" * 90_000, "(;SZ[" + "9" * 5000 + "])",
     "(;SZ[1000000])", "9" * 5000, "1. e4 " * 20_000, "\\" * 90_000, "\x00", "/etc/passwd",
     '[FEN "' + "8/" * 20_000 + '"]', "(;C[" + "\\]" * 40_000, 7, None, [], {"text": 1}],
)  # fmt: skip
def test_no_text_of_a_game_takes_long_or_breaks_the_reader(ours, path, text):
    for game in ("go", "chess", "hex", "kalah", "kuhn"):
        for key in ("text", "set_up"):
            answer = ours.post(path, json={"game": game, key: text})
            assert answer.status_code in {200, 400}
            assert answer.status_code == 200 or len(answer.json()["error"]) < 20_000


@pytest.mark.parametrize(
    "path", ["/follow/", "/api/follow/", "/api/follow/1/games/", "/game/", "/api/games/", "/"]
)
@pytest.mark.parametrize("number", ["99999999999", "9" * 3000, "9" * 10_000, "-1", "1.5", "../1"])
def test_a_number_in_an_address_leads_nowhere_else(ours, path, number):
    assert ours.get(f"{ORIGIN}{path}{number}").status_code in {404, 414}


@pytest.mark.parametrize("value", [10**6, 10**30, 1e308, "x" * 10_000, [[1]]])
def test_no_parameter_makes_a_game_too_large(ours, value):
    for name in GAMES:
        usual = ours.get(f"/api/games/{name}").json()["parameters"]
        for key in usual:
            answer = ours.post("/api/position", json={"game": name, "parameters": {key: value}})
            assert answer.status_code in {200, 400}
            assert len(answer.content) < 300_000
            assert ours.get(f"/api/games/{name}", params={key: str(value)}).status_code < 500


@pytest.mark.parametrize(
    "name",
    ["a" * 100, "1" * 100, "x" * 50 + "1" * 50, "O-" * 50, "a1" * 50, "!?+#=" * 20, "(" * 100,
     "\\" * 100, "ａ１" * 50, "0" * 99 + "!"],
)  # fmt: skip
def test_no_name_of_a_move_takes_long(ours, name):
    for game in GAMES:
        answer = ours.post("/api/position", json={"game": game, "move": {"name": name}})
        assert answer.status_code == 400


# ---- as it is served


@pytest.fixture
def port(site):
    return int(site.origin.rpartition(":")[2])


def answer_to(port, request):
    """What the real server answers to these bytes, until it closes or is done."""
    with socket.create_connection(("127.0.0.1", port), timeout=LONGEST) as connection:
        try:
            connection.sendall(request)
        except ConnectionError:  # it has heard enough
            return b"HTTP/1.1 400"
        return connection.recv(65536)


def test_requests_that_are_no_http_are_refused(site, port):
    token = site.address.rpartition("=")[2]
    host = f"Host: 127.0.0.1:{port}\r\n".encode()
    cookie = f"Cookie: adv_envs_{port}={token}\r\nConnection: close\r\n".encode()
    for request in (
        b"nonsense\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",  # no Host
        b"GET / HTTP/1.1\r\n" + host + host + b"\r\n",
        b"GET / HTTP/1.1\r\n" + host + cookie + b"X: " + b"x" * 10_000_000 + b"\r\n\r\n",
        b"POST /api/position HTTP/1.1\r\n" + host + cookie + b"Content-Length: x\r\n\r\n",
        b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n" + cookie + b"\r\n",
        b"GET / HTTP/1.1\r\n" + host + b"Connection: close\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: 127.0.0.1\r\n"
        + cookie
        + b"\r\n",
    ):
        status = answer_to(port, request).split(b" ")[1]
        assert status in {b"400", b"403", b"421", b"431"}
    found = answer_to(port, b"GET /game/nim HTTP/1.1\r\n" + host + cookie + b"\r\n")
    assert found.startswith(b"HTTP/1.1 200")
    assert b"uvicorn" not in found.lower().partition(b"\r\n\r\n")[0]


def test_the_server_listens_on_this_machine_only(port):
    addresses = {a[4][0] for a in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    for address in addresses - {"127.0.0.1"}:
        if not address.startswith("127."):
            with pytest.raises(OSError, match=r"\w"):
                socket.create_connection((address, port), timeout=5).close()


HALF = (b"", b"GET", b"GET / HTTP/1.1\r\nHost: 127.0.0.1", b"GET / HTTP/1.1\r\nX: ")


def half_sent(port, number):
    """Connections on which a part of a request has been sent, or nothing."""
    host = f"Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n".encode()
    body = b"POST /api/position HTTP/1.1\r\n" + host + b"Content-Length: 9\r\n\r\n{"
    for i in range(number):
        connection = socket.create_connection(("127.0.0.1", port), timeout=LONGEST)
        connection.sendall([*HALF, body][i % 5])
        yield connection


def test_connections_that_send_half_a_request_keep_nobody_out(site, port):
    resource = pytest.importorskip("resource")
    if resource.getrlimit(resource.RLIMIT_NOFILE)[0] < 3 * MOST_CONNECTIONS:
        pytest.skip("opens more files than a process may here")
    token = site.address.rpartition("=")[2]
    request = (
        f"GET /game/nim HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        f"Cookie: adv_envs_{port}={token}\r\nConnection: close\r\n\r\n"
    ).encode()
    with ExitStack() as stack:
        for connection in half_sent(port, MOST_CONNECTIONS + 20):
            stack.enter_context(connection)
        for _ in range(3):
            assert answer_to(port, request).startswith(b"HTTP/1.1 200")


def test_a_request_has_only_so_long_to_arrive(monkeypatch):
    """And one that has arrived may be answered as slowly as it needs."""
    state = ServerState()

    async def app(scope, receive, send):
        while (await receive()).get("more_body"):
            pass
        for each in state.connections:
            each.close_if_waiting()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"late"})

    async def answers():
        config = Config(app, lifespan="off", log_config=None)
        loop = asyncio.get_running_loop()
        server = await loop.create_server(
            lambda: PatientConnection(config, state, {}), "127.0.0.1", 0
        )
        port = server.sockets[0].getsockname()[1]
        head = b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n"
        for sent in (b"", b"GET / HT", head, head + b"1", head + b"12"):
            monkeypatch.setattr(security, "SECONDS", 60 if sent.endswith(b"12") else 0.05)
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(sent)
            with suppress(ConnectionResetError):
                yield await reader.read()
            writer.close()
        server.close()

    async def collected():
        return [answer async for answer in answers()]

    *waited, answered = run_apart(collected())
    assert not any(waited)
    assert answered.endswith(b"late\r\n0\r\n\r\n")


# ---- the token that a restarted server has again


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """Where the token of port 8000 is kept."""
    monkeypatch.setattr(
        security.platformdirs, "user_state_path", lambda *a, **k: tmp_path / "state"
    )
    return tmp_path / "state" / "token_8000"


def test_a_port_has_the_same_token_again_and_others_have_their_own(kept):
    token = kept_token(8000)
    assert kept_token(8000) == token
    assert kept_token(8001) != token
    assert new_token() not in {token, new_token()}
    assert len(token) == 32
    if os.name == "posix":
        assert kept.stat().st_mode & 0o077 == 0
        assert kept.parent.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "text", ["", "short", "x" * 31, "x" * 33, "é" * 32, "x" * 31 + "\n", "../" * 11]
)
def test_what_is_no_token_does_not_count(kept, text):
    kept_token(8000)
    kept.write_text(text, encoding="utf-8")
    assert kept_token(8000) != text
    assert len(kept_token(8000)) == 32


def test_an_old_token_does_not_count(kept):
    token = kept_token(8000)
    os.utime(kept, (time.time() - KEPT - 60,) * 2)
    assert kept_token(8000) != token


@pytest.mark.skipif(os.name != "posix", reason="files have no modes")
def test_a_file_that_others_can_read_or_a_link_does_not_count(kept, tmp_path):
    token = kept_token(8000)
    kept.chmod(0o644)
    second = kept_token(8000)
    assert second != token
    assert kept.stat().st_mode & 0o077 == 0
    other = tmp_path / "other"
    kept.rename(other)
    kept.symlink_to(other)
    assert kept_token(8000) != second
    assert other.read_text() == second  # what the link leads to is not written


def test_a_folder_that_cannot_be_written_costs_only_the_keeping(kept):
    kept.parent.write_text("a file where the folder should be")
    assert len(kept_token(8000)) == 32
