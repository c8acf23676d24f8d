"""Runs the command line as ``python -m adv_envs``, which ``adv-envs`` is, too."""

from importlib import metadata

from adv_envs.envs.opponents import where_agents_are


def main() -> None:
    """Runs the command line that is installed as ``adv-envs``; ImportError if there is none."""
    try:
        (entry,) = metadata.entry_points(group="console_scripts", name="adv-envs")
        command = entry.load()
    except (ImportError, AttributeError, ValueError) as error:
        raise ImportError(f"the command line needs {where_agents_are()}") from error
    command()


if __name__ == "__main__":  # not in the workers of a tournament
    main()
