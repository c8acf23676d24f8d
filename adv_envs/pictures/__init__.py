"""What each game looks like: ``draw(position, last)`` is its picture as a list of shapes.

A game without a drawing of its own is drawn as what it is: a ``Board`` as round stones on a grid,
any other position as its text. ``draw.register(MyGame, my_drawing)`` gives it one. A dot or a frame
marks the last move, rings or golden cells the stones that won. ``heat_map(position, values)`` is
the same picture with the value of every move upon it.
"""

from . import boards
from . import hex as hexagons
from . import pig as dice
from . import thirty_one as tokens
from . import tree as trees
from .card import draw
from .heat import heat_map

__all__ = ["boards", "dice", "draw", "heat_map", "hexagons", "tokens", "trees"]
