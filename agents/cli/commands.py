"""One sub-command for each game: ``adv-envs play hex --help`` shows the parameters of hex.

A command such as ``play`` is a function of a start position and of its own options. For each game
that is registered, at the moment the command line is read, there is a sub-command: the same
function, with the parameters of the game as options in place of the position. Games of the user's
own, imported with ``--import``, are no different.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.text import Text
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from adv_envs.position import Position
from adv_envs.registry import GAMES, game, start_position

from .console import Refusal, out, refusing
from .describe import about, parameters, summary

Function = Callable[..., None]


class ShowsExamples:
    """A command whose epilog is one example in each line, and shown as such by any typer."""

    epilog: str | None

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """The usual help, then the examples."""
        examples, self.epilog = self.epilog or "", None
        super().format_help(ctx, formatter)  # type: ignore[misc]
        self.epilog = examples
        if formatter.getvalue():  # help is plain text: TYPER_USE_RICH=0
            formatter.write(f"\nExamples:\n{examples}\n")
        else:
            out().print(Text(" Examples\n", "bold"))
            out().print("\n".join(f"   {line}" for line in examples.split("\n")), soft_wrap=True)


class Command(ShowsExamples, TyperCommand):
    """A command whose help ends with examples."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Some options may stand without their value."""
        return super().parse_args(ctx, with_values(args))


OPTIONAL = {"--ray": ("auto", re.compile(r"auto|local|\w+://.+|[^()]+:\d+"))}
"""Options whose value may be left out: what it is then, and what can be a value if it is not."""


def with_values(args: Sequence[str]) -> list[str]:
    """The arguments with the values that were left out."""
    found: list[str] = []
    for i, arg in enumerate(args):
        found.append(arg)
        if arg in OPTIONAL:
            value, pattern = OPTIONAL[arg]
            if not pattern.fullmatch("".join(args[i + 1 : i + 2])):
                found.append(value)
    return found


class Group(ShowsExamples, TyperGroup):
    """A group of commands, called without arguments to see its help, which ends with examples."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Without arguments, help."""
        return super().parse_args(ctx, args or ["--help"])


def game_command(function: Function, examples: Sequence[str]) -> typer.Typer:
    """A command with a sub-command for each game, which calls ``function`` with its start."""

    class Games(Group):
        """The games as commands."""

        def list_commands(self, ctx: Any) -> list[str]:
            return list(GAMES)

        def get_command(self, ctx: Any, name: str) -> Any:
            name = name.replace("-", "_").lower()
            with refusing():
                cls = game(name)
            return for_game(function, name, cls, examples)

        def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
            return super().parse_args(ctx, game_first(args))

    return typer.Typer(
        cls=Games,
        help=inspect.getdoc(function),
        epilog="\n".join(examples),
        subcommand_metavar="GAME [ARGS]...",
        rich_markup_mode="rich",
        options_metavar="",
    )


def game_first(args: list[str]) -> list[str]:
    """The arguments with the game in front, where options were given before it."""
    if not args or not args[0].startswith("-") or args[0] in ("--help", "-h"):
        return args
    for i, arg in enumerate(args):
        if arg.replace("-", "_").lower() in GAMES:
            return [arg, *args[:i], *args[i + 1 :]]
    raise Refusal(f"name a game first, then its options; games: {', '.join(GAMES)}")


def for_game(function: Function, name: str, cls: type[Position], examples: Sequence[str]) -> Any:
    """The command for one game, with the game's parameters as options."""
    _, *own = inspect.signature(function, eval_str=True).parameters.values()
    taken = {declaration for parameter in own for declaration in declarations(parameter)}
    options = {key: option(name, key, value, taken) for key, value in parameters(cls).items()}

    def run(**values: Any) -> None:
        chosen = {key: values.pop(parameter.name) for key, parameter in options.items()}
        with refusing():
            start = start_position(name, **chosen)
        function(start, **values)

    every = [*own, *options.values()]
    run.__signature__ = inspect.Signature(every)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in every}
    single = typer.Typer(add_completion=False, rich_markup_mode="rich")
    single.command(
        name,
        cls=Command,
        help=escape(f"{summary(cls)}\n\n{inspect.getdoc(function)}\n\n{about(cls)}".strip()),
        short_help=escape(summary(cls)),
        epilog="\n".join(own_examples(name, examples)),
        rich_help_panel="Games",
    )(run)
    return get_command(single)


def own_examples(name: str, examples: Sequence[str]) -> list[str]:
    """The examples about one game; for a new one, the first example, which suits any."""
    found = [line for line in examples if f" {name}" in line]
    return found or [examples[0].replace("tic_tac_toe", name)]


def declarations(parameter: inspect.Parameter) -> list[str]:
    """The option names of a parameter, such as "--seed"."""
    (info,) = parameter.annotation.__metadata__
    given = [name for name in (info.default, *(info.param_decls or ())) if isinstance(name, str)]
    given = given or [f"--{parameter.name.replace('_', '-')}"]
    return [part for names in given for part in names.split("/")]


def option(game_name: str, key: str, value: Any, taken: set[str]) -> inspect.Parameter:
    """A parameter of a game as an option: --size, or --game-size where the command has a --size."""
    word = key.replace("_", "-")
    if {f"--{word}", f"--no-{word}"} & taken:
        word = f"game-{word}"
    names = f"--{word}/--no-{word}" if isinstance(value, bool) else f"--{word}"
    info = typer.Option(names, show_default=True, rich_help_panel=f"Parameters of {game_name}")
    return inspect.Parameter(
        f"parameter_{key}",
        inspect.Parameter.KEYWORD_ONLY,
        default=value,
        annotation=Annotated[type(value), info],
    )
