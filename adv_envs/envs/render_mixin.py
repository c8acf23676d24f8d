"""What every environment shows of its position: text, pixels, or a window."""

from __future__ import annotations

from typing import Any

import gymnasium

from adv_envs.position import Position

RENDER_MODES = ["human", "rgb_array", "ansi"]


def require_render_mode(render_mode: str | None) -> None:
    """Raise ValueError unless ``render_mode`` is None or one that every environment has."""
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise ValueError(f"render_mode must be one of {RENDER_MODES} or None, not {render_mode!r}")


class RenderMixin:
    """An environment with a ``position``, a ``last_action``, ``render_mode`` and ``metadata``."""

    last_action: int | None
    render_mode: str | None
    metadata: dict[str, Any]
    _window: Any = None

    @property
    def position(self) -> Position:
        """The position on the board."""
        raise NotImplementedError

    def render(self) -> Any:
        """The position as text ("ansi"), as a uint8 array (height, width, 3), or in a window."""
        if self.render_mode is None:
            gymnasium.logger.warn(
                "You are calling render method without specifying any render mode."
            )
            return None
        if self.render_mode == "ansi":
            return str(self.position)
        from adv_envs.pictures import raster

        pixels = raster.pixels(self.position, self.last_action)
        if self.render_mode == "rgb_array":
            return pixels
        if self._window is None:
            self._window = raster.Window(str(self.metadata["name"]))
        self._window.show(pixels, self.metadata["render_fps"])
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the window: copies and unpickled environments open their own."""
        return {**self.__dict__, "_window": None}
