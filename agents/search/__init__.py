"""agents.search."""
