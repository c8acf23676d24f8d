"""``python -m adv_envs`` is the command line, as ``adv-envs`` is."""

from agents.cli import main

if __name__ == "__main__":  # not in the workers of a tournament
    main()
