"""Lists the games, beside the usual ones, that engines are made for."""

from __future__ import annotations

from typing import Any

SETTINGS: dict[str, tuple[dict[str, Any], ...]] = {}
