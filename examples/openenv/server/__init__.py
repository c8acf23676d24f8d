"""Serves the games: ``uvicorn server.app:app`` in the folder above."""
