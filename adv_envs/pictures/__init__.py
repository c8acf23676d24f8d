"""Draws what each game looks like: boards, dice and trees as SVG, pixels, heat maps, miniatures.

``draw(position, last)`` is the picture of a position as a list of shapes; ``svg`` and ``raster``
turn it into text, pixels or a window. ``heat_map(position, values)`` adds the value of every move.
Each game is drawn by its ``Picture`` record, and ``register_picture(Game, Picture(draw=...))``
gives one to another game. Those of the games of this package are imported when they are looked for.
"""

from . import grids as grids  # boards without a picture of their own
from .heat import heat_map
from .picture import Picture, draw, picture_of, places, register_picture

__all__ = ["Picture", "draw", "heat_map", "picture_of", "places", "register_picture"]
