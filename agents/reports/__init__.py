"""agents.reports."""
