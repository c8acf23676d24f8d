"""A page of the local server without a browser, for tests."""

import warnings

from agents.web.server import Settings, make_app

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it prefers another library to httpx
    from starlette.testclient import TestClient

HOST = "127.0.0.1:8000"
ORIGIN = f"http://{HOST}"
SEARCH = f"ws://{HOST}/api/search"
TOKEN = "the-token-of-the-tests"  # no secret


def client(headers=None, **settings):
    """Somebody who asks the server; ``with`` starts its processes for searches."""
    app = make_app(Settings(token=TOKEN, **settings))
    return TestClient(app, base_url=ORIGIN, follow_redirects=False, headers=headers)


def our_page(**settings):
    """One of our own pages, which has the cookie."""
    found = client(headers={"Origin": ORIGIN}, **settings)
    found.cookies.set("adv_envs_8000", TOKEN)
    return found


def ask(socket, number, job="move", agent="random", game_state=None, **options):
    """Begin a search."""
    wanted = {"game": "nim"} if game_state is None else game_state
    message = {"id": number, "job": job, "game_state": wanted}
    socket.send_json({**message, "options": {"agent": agent, **options}})


def last(socket, number):
    """The last message of a search."""
    while True:
        message = socket.receive_json()
        if message["id"] == number and ("done" in message or "error" in message):
            return message


def everything(socket):
    """All messages until the connection is closed, that included."""
    found = [socket.receive()]
    while found[-1]["type"] != "websocket.close":
        found.append(socket.receive())
    return found
