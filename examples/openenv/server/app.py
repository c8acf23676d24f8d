"""Says which games are served: change the table, and the count in openenv.yaml."""

from agents.integrations.openenv_games import games_app

GRADED = {"grade": "exact", "reward": "kept"}
"""Rewards how much of what its moves could lose the model has kept: 1 for who plays perfectly."""

GAMES = (
    {"game": "tic_tac_toe", "opponent": "random", **GRADED},
    {"game": "hex", "size": 4, "opponent": "random", **GRADED},
    {"game": "nim", "opponent": "random", **GRADED},
    {"game": "pig", "target": 20, "opponent": "random", **GRADED},
)
"""The options of ``adv_envs.text_env`` for each game."""

app = games_app(GAMES)


def main() -> None:
    """Serves the games at the port that OpenEnv expects."""
    import uvicorn

    uvicorn.run(app, host="0.0.0.0", port=8000)


if __name__ == "__main__":
    main()
