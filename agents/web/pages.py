"""The pages as HTML; what they show then comes from ``/api``."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

import adv_envs
from adv_envs.registry import game as game_class
from agents.describe import description, full_name
from agents.reports import page

TEMPLATES = Path(__file__).parent / "templates"


@cache
def environment() -> Any:
    """Jinja with the templates of these pages, then those of reports, whose base is ours here."""
    from jinja2 import ChoiceLoader, FileSystemLoader

    shared = page.environment()
    return shared.overlay(loader=ChoiceLoader([FileSystemLoader(TEMPLATES), shared.loader]))


def render(template: str, status: int = 200, **values: Any) -> Response:
    """A page."""
    found = environment().get_template(template)
    return HTMLResponse(found.render(version=adv_envs.__version__, **values), status)


def game(request: Request) -> Response:
    """The board of a game."""
    name = request.path_params["name"]
    try:
        cls = game_class(name)
    except ValueError as error:
        raise HTTPException(404, str(error)) from None
    return render("game.html.j2", name=name, title=full_name(cls), summary=description(cls))


def not_found(request: Request, error: Exception) -> Response:
    """The answer to an address that leads nowhere."""
    why = getattr(error, "detail", "")
    why = why if why and why != "Not Found" else f"Nothing is at {request.url.path}."
    return error_page(request, 404, "There is no such page", why)


def failed(request: Request, error: Exception) -> Response:
    """The answer where a page could not be made; the terminal says why."""
    why = "The page could not be made. The terminal in which adv-envs runs says more."
    return error_page(request, 500, "This has failed", why)


def error_page(request: Request, status: int, title: str, why: str) -> Response:
    """A page, or data for those who ask for data, that says what is wrong."""
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": why}, status)
    return render("error.html.j2", status, title=title, why=why)
