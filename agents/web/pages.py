"""Renders the pages as HTML: the games, each with a picture; a board; what went wrong.

What a board shows then comes from ``/api``. Pictures are of random games, always the same, so every
game has one, those of users too.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

import adv_envs
from adv_envs import CHANCE, Position
from adv_envs.pictures.picture import draw, picture_of
from adv_envs.pictures.shapes import Circle, Drawing, Line, Polygon, Rect, Shape, Text
from adv_envs.pictures.svg import element
from adv_envs.random import advanced, below, chance_action, fraction, scattered
from adv_envs.registry import GAMES, parameters_of
from adv_envs.registry import game as game_class
from agents.describe import description, full_name
from agents.knowledge import knowledge_of
from agents.reports import page

TEMPLATES = Path(__file__).parent / "templates"
SEED = 3
LONGEST = 60
"""Plies of the games that pictures are taken from."""
RIM = 3.0
"""Around a picture, in its units."""


@cache
def environment() -> Any:
    """Returns Jinja with these pages' templates, then those of reports, whose base is ours here."""
    from jinja2 import ChoiceLoader, FileSystemLoader

    shared = page.environment()
    return shared.overlay(loader=ChoiceLoader([FileSystemLoader(TEMPLATES), shared.loader]))


def render(template: str, status: int = 200, **values: Any) -> Response:
    """Returns a page of the server."""
    return HTMLResponse(page_text(template, root="/", site=False, **values), status)


def page_text(template: str, **values: Any) -> str:
    """Returns a page as HTML.

    ``root`` is what addresses begin with, ``site`` whether it is a file that no server answers.
    """
    return str(environment().get_template(template).render(version=adv_envs.__version__, **values))


def game(request: Request) -> Response:
    """Returns the board of a game."""
    name = request.path_params["name"]
    try:
        cls = game_class(name)
    except ValueError as error:
        raise HTTPException(404, str(error)) from None
    return render("game.html.j2", **heading(name, cls))


def heading(name: str, cls: type[Position]) -> dict[str, Any]:
    """Returns what is above the board of a game."""
    return {"name": name, "title": full_name(cls), "summary": description(cls)}


def not_found(request: Request, error: Exception) -> Response:
    """Returns the answer to an address that leads nowhere."""
    why = getattr(error, "detail", "")
    why = why if why and why != "Not Found" else f"Nothing is at {request.url.path}."
    return error_page(request, 404, "There is no such page", why)


def failed(request: Request, error: Exception) -> Response:
    """Returns the answer where a page could not be made; the terminal says why."""
    why = "The page could not be made. The terminal in which adv-envs runs says more."
    return error_page(request, 500, "This has failed", why)


def error_page(request: Request, status: int, title: str, why: str) -> Response:
    """Returns a page, or data for those who ask for data, that says what is wrong."""
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": why}, status)
    return render("error.html.j2", status, title=title, why=why)


# ---- the games


def gallery(request: Request) -> Response:
    """Returns the front page."""
    return render("gallery.html.j2", games=tiles())


def tiles() -> list[dict[str, Any]]:
    """Returns what the front page shows of all games."""
    return [tile(name, game_class(name)) for name in GAMES]


def icon(request: Request) -> Response:
    """Returns the picture in the browser's tab."""
    return Response(icon_svg(), media_type="image/svg+xml")


def icon_svg() -> str:
    """Draws the picture in the browser's tab: the first game there is, as small as it gets."""
    position = position_under_way(game_class(next(iter(GAMES)))())
    picture = stamp(position) or picture_under_way(type(position))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{picture["box"]}">'
    return f"{head}{picture['shapes']}</svg>"


@cache
def tile(name: str, cls: type[Position]) -> dict[str, Any]:
    """Returns what the front page shows of a game."""
    return {
        "name": name,
        "title": full_name(cls),
        "about": description(cls),
        "names": knowledge_of(cls()).names,
        "kinds": kinds(cls()),
        "picture": picture_under_way(cls),
    }


def kinds(start: Position) -> list[str]:
    """Returns what kind of game it is, by the words of the page's filter."""
    holds = {
        "chance": start.has_chance,
        "hidden": not start.perfect_information,
        "many": start.num_players > 2 or any("players" in key for key in parameters_of(start)),
    }
    return [kind for kind, it_holds in holds.items() if it_holds]


# ---- pictures


@cache
def picture_under_way(cls: type[Position]) -> dict[str, str]:
    """Returns a picture of a game that is under way, for the template, which wraps it into SVG.

    Where moves have no places on the board, and so the picture consists of words for the most part,
    it is the miniature, if the game has one.
    """
    position = position_under_way(cls())
    if not position.perfect_information:
        position = position.hidden(max(position.to_move, 0))
    record = picture_of(position)
    small = stamp(position)
    if small is not None and not position.perfect_information and not record.places(cls()):
        return small
    drawing = draw(position)
    end = caption_top(drawing)
    shapes = [shape for shape in drawing.shapes if top(shape) < end]
    box = f"{drawing.x:g} {drawing.y:g} {drawing.width} {end - drawing.y:g}"
    return {"box": box, "shapes": "\n".join(map(element, shapes))}


def stamp(position: Position) -> dict[str, str] | None:
    """Returns the miniature of a position for the template; None if it has none."""
    small = picture_of(position).miniature(position)
    if small is None:
        return None
    width, height = small.width + 2 * RIM, small.height + 2 * RIM
    box = f"{-width / 2:g} {-height / 2:g} {width:g} {height:g}"
    return {"box": box, "shapes": "\n".join(map(element, small.shapes))}


def position_under_way(start: Position) -> Position:
    """Returns a position from the second half of a random game, or the start of a long one."""
    positions, state = [start], scattered(SEED)
    while not positions[-1].is_terminal() and len(positions) < LONGEST:
        position, state = positions[-1], advanced(state)
        if position.to_move == CHANCE:
            action = chance_action(position, fraction(state))
        else:
            legal = position.legal_actions()
            action = legal[below(state, len(legal))]
        positions.append(position.play(action))
    return positions[len(positions) * 6 // 10]


def caption_top(drawing: Drawing) -> float:
    """Returns where the caption of a picture begins, its last shape, or its lower end."""
    last = drawing.shapes[-1] if drawing.shapes else None
    if not isinstance(last, Text) or last.text != drawing.title:
        return drawing.y + drawing.height
    return last.y - 0.7 * last.size


def top(shape: Shape) -> float:
    """Returns the upper end of a shape."""
    match shape:
        case Polygon(points) | Line(points):
            return min(y for _, y in points)
        case Circle(_, y, radius):
            return y - radius
        case Text():
            return shape.y - 0.5 * shape.size
        case Rect():
            return shape.y
