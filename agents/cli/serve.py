"""``adv-envs serve``: the page to play, analyse and follow games in a browser."""

from __future__ import annotations

import os
import socket
import sys
import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adv_envs.optional import optional_library
from adv_envs.registry import game

from .console import CommandError, command_errors, out

if TYPE_CHECKING:  # it needs Starlette
    from agents.web.follow import Source

EXAMPLES = (
    "adv-envs serve",
    "adv-envs serve hex --open",
    "adv-envs serve connect_four --port 9000",
    "adv-envs --import my_game serve my_game",
    "adv-envs serve --db t.db --training runs/dqn",
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


Db = Annotated[
    list[Path] | None,
    typer.Option("--db", metavar="FILE", help="Follow a tournament: what --out FILE writes."),
]
Card = Annotated[
    list[Path] | None,
    typer.Option("--card", metavar="FILE", help="Show a report card: what grade --json prints."),
]
Training = Annotated[
    list[Path] | None,
    typer.Option("--training", metavar="FOLDER", help="Follow a training, or all in a folder."),
]


def serve(
    context: typer.Context,
    name: Game = None,
    port: Port = 8000,
    open_page: Open = False,
    workers: Workers = None,
    seconds: Seconds = 600,
    memory: Memory = 4096,
    db: Db = None,
    card: Card = None,
    training: Training = None,
) -> None:
    """Play, analyse and follow games in a browser.

    --db, --card and --training may be given several times, and before there is such a file. Runs of
    training are shown side by side. Files are only read, also while they grow.

    The page is for this computer only. Its address contains a token that lets you in. Ctrl-C ends
    the server.
    """
    with command_errors():
        for library in ("starlette", "uvicorn", "websockets", "jinja2"):
            optional_library(library, "the page needs", "web")
        if name is not None:
            name = name.replace("-", "_").lower()
            game(name)
    from agents.web.kept_token import kept_token, new_token
    from agents.web.server import Settings
    from agents.web.server import serve as run

    with listening(port) as listener:
        taken = listener.getsockname()[1]
        settings = Settings(
            port=taken,
            token=kept_token(taken) if port else new_token(),
            seconds=seconds,
            memory=memory,
            modules=tuple(context.find_root().params.get("imports") or ()),
        )
        settings.followed = sources(db, card, training)
        if workers is not None:
            settings.searches = workers
        address = settings.address
        if name is not None:
            address = address.replace("/?", f"/game/{name}?")
        elif settings.followed:
            first = "/follow/0" if len(settings.followed) == 1 else "/follow"
            address = address.replace("/?", f"{first}?")

        def say() -> None:
            out().print(f"Open {address}", soft_wrap=True, highlight=False)
            for path in (path for each in settings.followed for path in each.paths):
                if not Path(path).exists():
                    out().print(f"{path} is not there yet: its page waits for it.", soft_wrap=True)
            out().print("Ctrl-C ends it.", style="dim")
            sys.stdout.flush()
            if open_page:
                threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

        run(settings, listener, say)


def sources(
    db: list[Path] | None, card: list[Path] | None, training: list[Path] | None
) -> tuple[Source, ...]:
    """What is followed: all trainings on one page, everything else on a page of its own."""
    from agents.web.follow import Source

    found = [Source("db", (str(path),)) for path in db or ()]
    found += [Source("card", (str(path),)) for path in card or ()]
    if training:
        found.append(Source("training", tuple(map(str, training))))
    return tuple(found)


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
