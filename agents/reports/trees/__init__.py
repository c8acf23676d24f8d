"""Pictures of searches: what was looked at, what was found, what was left out."""

from .draw import draw_game, draw_steps, draw_tree, record
from .node import Node

__all__ = ["Node", "draw_game", "draw_steps", "draw_tree", "record"]
