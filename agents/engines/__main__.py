"""Makes the modules of the engines: ``python -m agents.engines``."""

from __future__ import annotations
