"""``adv-envs serve``: the page to play, analyse and follow games in a browser."""

from __future__ import annotations

import socket
import webbrowser
from typing import Annotated

import typer

from adv_envs.optional import optional_library
from adv_envs.registry import game

from .console import CommandError, command_errors, out

EXAMPLES = (
    "adv-envs serve",
    "adv-envs serve hex --open",
    "adv-envs serve connect_four --port 9000",
)

Game = Annotated[str | None, typer.Argument(metavar="[GAME]", help="The game to begin with.")]
Port = Annotated[int, typer.Option(metavar="N", help="The port; 0 takes a free one.")]
Open = Annotated[bool, typer.Option("--open", help="Open the page in a browser.")]


def serve(name: Game = None, port: Port = 8000, open_page: Open = False) -> None:
    """Play, analyse and follow games in a browser.

    The page is for this computer only. Its address contains a token that lets you in. Ctrl-C ends
    the server.
    """
    with command_errors():
        for library in ("starlette", "uvicorn", "jinja2"):
            optional_library(library, "the page needs", "web")
        if name is not None:
            game(name)
    from agents.web.server import Settings
    from agents.web.server import serve as run

    settings = Settings(port=free_port(port))
    address = settings.address
    if name is not None:
        address = address.replace("/?", f"/game/{name}?")
    out().print(f"Open {address}", soft_wrap=True, highlight=False)
    out().print("Ctrl-C ends it.", style="dim")
    if open_page:
        webbrowser.open(address)
    run(settings)


def free_port(port: int) -> int:
    """The port, or a free one for 0; CommandError if it is in use."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except (OSError, OverflowError) as error:
            raise CommandError(
                f"port {port} cannot be used ({error}); take another --port"
            ) from None
        return int(probe.getsockname()[1])
