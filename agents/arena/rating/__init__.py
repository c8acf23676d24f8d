"""agents.arena.rating."""
