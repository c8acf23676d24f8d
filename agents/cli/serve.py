"""``adv-envs serve``: the page to play, analyse and follow games in a browser."""

from __future__ import annotations

import os
import socket
import sys
import threading
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
    "adv-envs --import my_game serve my_game",
)

Game = Annotated[str | None, typer.Argument(metavar="[GAME]", help="The game to begin with.")]
Port = Annotated[int, typer.Option(metavar="N", help="The port; 0 takes a free one.", min=0)]
Open = Annotated[bool, typer.Option("--open", help="Open the page in a browser.")]
Workers = Annotated[
    int | None,
    typer.Option(metavar="N", help="Searches at once at most; as many as cores.", min=1, max=64),
]
Seconds = Annotated[
    float, typer.Option(metavar="S", help="The longest time of a search.", min=1, max=86400)
]
Memory = Annotated[
    int, typer.Option(metavar="MB", help="Memory of a search at most (on Linux).", min=256)
]


def serve(
    context: typer.Context,
    name: Game = None,
    port: Port = 8000,
    open_page: Open = False,
    workers: Workers = None,
    seconds: Seconds = 600,
    memory: Memory = 4096,
) -> None:
    """Play, analyse and follow games in a browser.

    The page is for this computer only. Its address contains a token that lets you in. Ctrl-C ends
    the server.
    """
    with command_errors():
        for library in ("starlette", "uvicorn", "websockets", "jinja2"):
            optional_library(library, "the page needs", "web")
        if name is not None:
            name = name.replace("-", "_").lower()
            game(name)
    from agents.web.server import Settings
    from agents.web.server import serve as run

    with listening(port) as listener:
        settings = Settings(
            port=listener.getsockname()[1],
            seconds=seconds,
            memory=memory,
            modules=tuple(context.find_root().params.get("imports") or ()),
        )
        if workers is not None:
            settings.searches = workers
        address = settings.address
        if name is not None:
            address = address.replace("/?", f"/game/{name}?")

        def say() -> None:
            out().print(f"Open {address}", soft_wrap=True, highlight=False)
            out().print("Ctrl-C ends it.", style="dim")
            sys.stdout.flush()
            if open_page:
                threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

        run(settings, listener, say)


def listening(port: int) -> socket.socket:
    """A socket that listens at a port of this computer, a free one for 0.

    CommandError if the port is in use.
    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":  # elsewhere this would take the port from another server
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen(100)
    except (OSError, OverflowError) as error:
        listener.close()
        why = getattr(error, "strerror", None) or str(error)
        raise CommandError(
            f"port {port} cannot be used ({why}): take another one with --port, or --port 0"
        ) from None
    return listener
