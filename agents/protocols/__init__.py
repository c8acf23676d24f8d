"""agents.protocols."""
