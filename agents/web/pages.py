"""The pages as HTML; what they show then comes from ``/api``."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from adv_envs import Position
from adv_envs.pictures.picture import draw
from adv_envs.pictures.svg import shapes_text
from adv_envs.registry import GAMES
from adv_envs.registry import game as game_class
from agents.describe import summary

TEMPLATES = Path(__file__).parent / "templates"


@cache
def environment() -> Any:
    """Jinja with the templates of these pages."""
    import jinja2

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def render(template: str, **values: Any) -> Response:
    """A page."""
    return HTMLResponse(environment().get_template(template).render(**values))


def gallery(request: Request) -> Response:
    """All games, with their pictures."""
    games = [
        {"name": name, "summary": summary(game_class(name)), "picture": picture(game_class(name)())}
        for name in GAMES
    ]
    return render("gallery.html.j2", games=games)


def game(request: Request) -> Response:
    """The board of a game."""
    name = request.path_params["name"]
    if name not in GAMES:
        return PlainTextResponse(f"there is no game {name!r}", 404)
    return render("game.html.j2", name=name, summary=summary(game_class(name)))


def picture(position: Position) -> dict[str, Any]:
    """A position for the template, which wraps it into SVG."""
    drawing = draw(position)
    box = f"{drawing.x:g} {drawing.y:g} {drawing.width} {drawing.height}"
    return {"box": box, "title": drawing.title, "shapes": shapes_text(drawing)}
