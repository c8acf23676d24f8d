"""``python -m adv_envs`` is the command line, as ``adv-envs`` is."""

try:
    from agents.cli import main
except (ImportError, AttributeError) as error:
    from adv_envs.envs.opponents import where_agents_are

    raise ImportError(f"the command line needs {where_agents_are()}") from error

if __name__ == "__main__":  # not in the workers of a tournament
    main()
