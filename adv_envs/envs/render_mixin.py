"""Shows what every environment shows of its position: text, pixels, or a window."""

from __future__ import annotations

from typing import Any

import gymnasium

from adv_envs.position import Position

RENDER_MODES = ["human", "rgb_array", "ansi", "svg"]


def require_render_mode(render_mode: str | None) -> None:
    """Raises ValueError unless ``render_mode`` is None or one that every environment has."""
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise ValueError(f"render_mode must be one of {RENDER_MODES} or None, not {render_mode!r}")


class RenderMixin:
    """Renders an environment with ``position``, ``last_action``, ``render_mode``, ``metadata``.

    In games of hidden information ``position`` is what one player sees, and ``whole_position`` all
    of it. Pictures show the former, unless ``render_view`` says which player's view they show, or,
    being "all", that they show everything.
    """

    render_view: int | str = "own"
    """What ``render`` shows: "own", what ``position`` is; a player's view; "all", everything."""

    last_action: int | None
    render_mode: str | None
    metadata: dict[str, Any]
    _window: Any = None

    @property
    def position(self) -> Position:
        """Returns the position on the board, as a player sees it."""
        raise NotImplementedError

    @property
    def whole_position(self) -> Position:
        """Returns the position with all that some player may not see."""
        raise NotImplementedError

    def view(self, player: int | str) -> Position:
        """Returns what a player, 0 .. num_players - 1, sees; "own" is ``position``, "all" all."""
        whole = self.whole_position
        if player == "all":
            return whole
        if player == "own":
            return self.position
        if isinstance(player, bool) or not isinstance(player, int):
            raise TypeError(f'a view is that of a player, "own" or "all", not {player!r}')
        if not 0 <= player < whole.num_players:
            raise ValueError(f"players are 0 .. {whole.num_players - 1}, not {player}")
        return whole.hidden(player)

    def render(self, view: int | str | None = None) -> Any:
        """Renders the position as text ("ansi", "svg"), uint8 (height, width, 3), or in a window.

        Unless it is None, ``view`` takes the place of ``render_view`` this once.
        """
        if self.render_mode is None:
            gymnasium.logger.warn(
                "You are calling render method without specifying any render mode."
            )
            return None
        shown = self.view(self.render_view if view is None else view)
        if self.render_mode == "ansi":
            return str(shown)
        all_seen = shown.perfect_information or shown is self.whole_position
        last = self.last_action if all_seen else None
        if self.render_mode == "svg":
            return shown.svg(last)
        from adv_envs.pictures import raster

        pixels = raster.pixels(shown, last)
        if self.render_mode == "rgb_array":
            return pixels
        if self._window is None:
            self._window = raster.Window(str(self.metadata["name"]))
        self._window.show(pixels, self.metadata["render_fps"])
        return None

    def close(self) -> None:
        """Closes the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None

    def __getstate__(self) -> dict[str, Any]:
        """Returns everything but the window: copies and unpickled environments open their own."""
        return {**self.__dict__, "_window": None}
