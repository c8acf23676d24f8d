"""Implements ``adv-envs serve``: the page, for this computer or for its local network."""

from __future__ import annotations

import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.panel import Panel
from rich.text import Text

import agents
from adv_envs.optional import optional_library
from agents.knowledge import known_game
from agents.simple import Human

from .console import CommandError, command_errors, option, out

if TYPE_CHECKING:
    from agents.web.follow import Source

SERVE_EXAMPLES = (
    "adv-envs serve",
    "adv-envs serve hex --open",
    "adv-envs serve connect_four --port 9000",
    "adv-envs serve --lan",
    "adv-envs --import my_game serve my_game",
    "adv-envs serve --db t.db --training runs/dqn",
)

SEARCHES = "Searches at once at most; as many as cores."
MEMORY = "Memory of a search at most (on Linux)."
DB = "Follow a tournament: what --out FILE writes."
NAMED = "An agent to play against: a language model, an engine. May be given several times."
CARD = "Show a report card: what grade --json prints."
LAN = "Let phones and computers of your local network in, too: shows a QR code."
RUNS = "Follow a training, or all in a folder."

Followed = list[Path] | None


def serve(
    context: typer.Context,
    name: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="The game to begin with.")
    ] = None,
    port: Annotated[int, option("The port; 0 takes a free one.", "N", min=0)] = 8000,
    lan: Annotated[bool, option(LAN, None, "--lan")] = False,
    open_page: Annotated[bool, option("Open the page in a browser.", None, "--open")] = False,
    workers: Annotated[int | None, option(SEARCHES, "N", min=1, max=64)] = None,
    seconds: Annotated[float, option("The longest time of a search.", "S", min=1, max=86400)] = 600,
    memory: Annotated[int, option(MEMORY, "MB", min=256)] = 4096,
    opponent: Annotated[list[str] | None, option(NAMED, "AGENT", "--opponent")] = None,
    db: Annotated[Followed, option(DB, "FILE", "--db")] = None,
    card: Annotated[Followed, option(CARD, "FILE", "--card")] = None,
    training: Annotated[Followed, option(RUNS, "FOLDER", "--training")] = None,
) -> None:
    """Plays, analyses and follows games in a browser.

    Beside the agents of the package the page plays with every --opponent, such as
    "llm(model='gpt-5-mini')" or "engine(command='gnugo --mode gtp')".

    --db, --card and --training may be given several times, and before there is such a file. Runs of
    training are shown side by side. Files are only read, also while they grow.

    The page is for this computer only, unless you say --lan: then all who are in your local network
    and have the address can play, search and see what is followed. Nothing is encrypted: use it
    only in networks that you trust. The address contains a token that lets you in. Ctrl-C ends the
    server.
    """
    with command_errors():
        for library in ("starlette", "uvicorn", "websockets", "jinja2", *["segno"] * lan):
            optional_library(library, "the page needs", "web")
        if name is not None:
            name = name.replace("-", "_").lower()
            known_game(name)
        named = tuple(map(named_spec, opponent or ()))
    from agents.web.lan import lan_addresses, qr_code
    from agents.web.security import kept_token, new_token
    from agents.web.server import Settings
    from agents.web.server import serve as run

    hosts = lan_addresses() if lan else []
    if lan and not hosts:
        raise CommandError("this computer is in no local network: it has no private address (IPv4)")
    with listening(["127.0.0.1", *hosts], port) as listeners:
        taken = listeners[0].getsockname()[1]
        settings = Settings(
            lan=tuple(hosts),
            port=taken,
            token=kept_token(taken) if port and not lan else new_token(),
            seconds=seconds,
            memory=memory,
            modules=tuple(context.find_root().params.get("imports") or ()),
            named=named,
            followed=tuple(sources(db or (), card or (), training or ())),
        )
        if workers is not None:
            settings.searches = workers
        path = first_path(name, len(settings.followed))

        def say() -> None:
            address = settings.address(path)
            out().print(f"Open {address}", soft_wrap=True, highlight=False)
            if hosts:
                invite([settings.address(path, host) for host in hosts], qr_code, bool(named))
            for file in (file for each in settings.followed for file in each.paths):
                if not Path(file).exists():
                    out().print(f"{file} is not there yet: its page waits for it.", soft_wrap=True)
            out().print("Ctrl-C ends it.", style="dim")
            sys.stdout.flush()
            if open_page:
                threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

        run(settings, listeners, say)


def sources(db: Sequence[Path], card: Sequence[Path], training: Sequence[Path]) -> list[Source]:
    """Returns what is followed: each file, and all runs of training on one page."""
    from agents.web.follow import Source

    found = [Source("db", (str(path),)) for path in db]
    found += [Source("card", (str(path),)) for path in card]
    return found + ([Source("training", tuple(map(str, training)))] if training else [])


def first_path(name: str | None, followed: int) -> str:
    """Returns the path of the page to begin with: a game, what is followed, or all games."""
    if name is not None:
        return f"/game/{name}"
    return {0: "/", 1: "/follow/0"}.get(followed, "/follow")


def named_spec(spec: str) -> str:
    """Returns the spec of an agent as a page names it; ValueError or TypeError if there is none."""
    agent = agents.make(spec)
    if isinstance(agent, Human):
        raise ValueError("people sit down on the page: --opponent is for agents")
    if agent.foreign:
        raise ValueError(f"the page has no sandbox for {agent!r}: play with it by adv-envs play")
    return repr(agent)


@contextmanager
def listening(hosts: Sequence[str], port: int) -> Iterator[list[socket.socket]]:
    """Yields sockets that listen at one port of these addresses, a free one for 0.

    CommandError if the port is in use.
    """
    with ExitStack() as stack:
        listeners: list[socket.socket] = []
        try:
            for host in hosts:
                listener = socket.create_server((host, port), backlog=100)
                listeners.append(stack.enter_context(listener))
                port = listener.getsockname()[1]
        except (OSError, OverflowError) as error:
            number = getattr(error, "errno", None)
            why = str(error) if number is None else os.strerror(number)
            raise CommandError(
                f"port {port} cannot be used ({why}): take another one with --port, or --port 0"
            ) from None
        yield listeners


WHO = "Whoever is in this network and has the address can play, search and see what is followed"
COSTS = ", and play with your --opponent, which may cost you money"
TRUST = ". Nothing is encrypted. Use it only in networks that you trust."


def invite(addresses: Sequence[str], qr_code: Callable[[str], str], named: bool) -> None:
    """Prints the addresses for others, the first one as a QR code, and a warning."""
    out().print(Panel(Text(WHO + COSTS * named + TRUST), border_style="yellow", width=72))
    out().print("On a phone or another computer of this network open", style="bold")
    for address in addresses:
        out().print(address, soft_wrap=True, highlight=False)
    if out().is_terminal:
        show_code(qr_code(addresses[0]))
    out().print("If it does not open, a firewall of this computer may be in the way.", style="dim")


def show_code(code: str) -> None:
    """Prints a QR code, or how wide the terminal has to be for one."""
    columns = code.index("\n")
    if out().width < columns:
        told = f"For a QR code the terminal needs {columns} columns."
        out().print(told, style="dim")
    else:
        out().print(Text(code, style="#ffffff on #000000"), soft_wrap=True)
