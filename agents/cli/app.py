"""Puts the commands together: a sub-command for each game, errors on one line, exit codes.

A command such as ``play`` is a function of a start position and of its own options. For every game
that is registered when the command line is read it has a sub-command: the same function, with the
parameters of the game as options in place of the position. Games that a user's module registers,
imported with ``--import``, are no different.
"""

from __future__ import annotations

import difflib
import inspect
import os
import re
import signal
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.text import Text
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

import adv_envs
from adv_envs.position import Position
from adv_envs.registry import GAMES, parameters_of, start_position
from agents.describe import about, summary
from agents.knowledge import known_game
from agents.spec import DidNotLoad, load_module

from . import (
    autogrades,
    class_command,
    grade,
    lists,
    matches,
    play,
    programs,
    puzzle_lines,
    serving,
    show,
    sites,
    solve,
    tournaments,
    warming,
)
from .console import NOT_LOADED, CommandError, command_errors, err, option, out, print_message, warn

Function = Callable[..., None]

# What typer raises for a command line it cannot read. Only its subclass is public in all releases
# of typer, which takes the class from click or has one of its own.
UsageError: type[Any] = typer.BadParameter.__mro__[1]

EXAMPLES = (
    "adv-envs games",
    "adv-envs rules hex",
    'adv-envs play hex --size 7 --opponent "alpha_beta(depth=3)"',
    'adv-envs match connect_four "alpha_beta(depth=4)" "alpha_beta(depth=2)" --plies 2',
    "adv-envs solve tic_tac_toe b2",
)


# ---- help that ends with examples


LINE_WITHIN = re.compile(r"(?<=[^\n])\n(?=[^\n -])")
"""The end of a line within a paragraph; what is indented or begins with a dash is left alone."""


class ShowsExamples:
    """Represents a command whose epilog has an example on each line; the help shows them so."""

    help: str | None
    epilog: str | None

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Writes the usual help, as wide as the terminal, then the examples."""
        examples, self.epilog = self.epilog or "", None
        self.help = LINE_WITHIN.sub(" ", inspect.cleandoc(self.help or ""))
        super().format_help(ctx, formatter)  # type: ignore[misc]  # of the class it is mixed into
        self.epilog = examples
        if formatter.getvalue():  # help is plain text: TYPER_USE_RICH=0
            formatter.write(f"\nExamples:\n{examples}\n")
        else:
            out().print(Text(" Examples\n", "bold"))
            out().print("\n".join(f"   {line}" for line in examples.split("\n")), soft_wrap=True)


class Command(ShowsExamples, TyperCommand):
    """Represents a command whose help ends with examples."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Lets some options stand without their value."""
        return super().parse_args(ctx, with_values(args))


class Group(ShowsExamples, TyperGroup):
    """Groups commands; without arguments it shows its help, which ends with examples."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Shows help where there are no arguments."""
        return super().parse_args(ctx, args or ["--help"])


OPTIONAL = {"--ray": ("auto", re.compile(r"auto|local|\w+://.+|[^()]+:\d+"))}
"""Options whose value may be left out: the value they then have, and the pattern of a value."""


def with_values(args: Sequence[str]) -> list[str]:
    """Returns the arguments, with the values that were left out."""
    found: list[str] = []
    for i, arg in enumerate(args):
        found.append(arg)
        if arg in OPTIONAL:
            value, pattern = OPTIONAL[arg]
            if not pattern.fullmatch("".join(args[i + 1 : i + 2])):
                found.append(value)
    return found


# ---- a sub-command for each game


def game_command(function: Function, examples: Sequence[str]) -> typer.Typer:
    """Represents a command with a sub-command per game, which calls ``function`` with its start."""

    class Games(Group):
        """Returns the games as commands."""

        def list_commands(self, ctx: Any) -> list[str]:
            return list(GAMES)

        def get_command(self, ctx: Any, name: str) -> Any:
            known = name.partition("(")[0]
            if known in GAMES and known != name:
                seen = f"{ctx.command_path} {known} --help"
                raise CommandError(f"the parameters of a game are options: see {seen}")
            name = name.replace("-", "_").lower()
            with command_errors():
                cls = known_game(name)
            return for_game(function, name, cls, examples)

        def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
            return super().parse_args(ctx, game_first(args))

        def format_help(self, ctx: Any, formatter: Any) -> None:
            """Shows the options that every game has, which are those of the sub-commands."""
            usual, every = self.params, own_parameters(function)[1]
            self.params = [*usual, *(p for p in every if p.param_type_name == "option")]
            super().format_help(ctx, formatter)
            self.params = usual

    return typer.Typer(
        cls=Games,
        help=inspect.getdoc(function),
        epilog="\n".join(examples),
        subcommand_metavar="GAME [ARGS]...",
        rich_markup_mode="rich",
        options_metavar="",
    )


def command_of(run: Function, parameters: list[inspect.Parameter], name: str, **more: Any) -> Any:
    """Returns the command that calls ``run`` with these parameters."""
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # of functions
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    single = typer.Typer(add_completion=False, rich_markup_mode="rich")
    single.command(name, cls=Command, **more)(run)
    return get_command(single)


def own_parameters(function: Function) -> tuple[list[inspect.Parameter], list[Any]]:
    """Returns the parameters of a command beside those of the game, also as typer has them."""
    _, *own = inspect.signature(function, eval_str=True).parameters.values()
    return own, command_of(lambda **values: None, own, "own").params


def game_first(args: list[str]) -> list[str]:
    """Returns the arguments with the game in front, where options were given before it."""
    if not args or not args[0].startswith("-") or args[0] in ("--help", "-h"):
        return args
    for i, arg in enumerate(args):
        if arg.replace("-", "_").lower() in GAMES:
            return [arg, *args[:i], *args[i + 1 :]]
    raise CommandError(f"name a game first, then its options; games: {', '.join(GAMES)}")


def for_game(function: Function, name: str, cls: type[Position], examples: Sequence[str]) -> Any:
    """Returns the command for one game, with the game's parameters as options."""
    own, made = own_parameters(function)
    taken = {name for one in made for name in (*one.opts, *one.secondary_opts)}
    words = {key: "|".join(known) for key, known in cls.field_words.items()}
    notes = dict(zip(cls.parameters, (about for _, about in cls.parameter_words), strict=False))
    options = {
        key: game_option(name, key, value, taken, words.get(key), notes.get(key, ""))
        for key, value in parameters_of(cls()).items()
    }

    own_examples = [line for line in examples if f" {name}" in line]
    first = next((known for known in GAMES if f" {known}" in examples[0]), name)

    def run(**values: Any) -> None:
        chosen = {key: values.pop(parameter.name) for key, parameter in options.items()}
        with command_errors():
            start = start_position(name, **chosen)
        function(start, **values)

    return command_of(
        run,
        [*own, *options.values()],
        name,
        help=escape(f"{summary(cls)}\n\n{inspect.getdoc(function)}\n\n{about(cls)}".strip()),
        short_help=escape(summary(cls)),
        epilog="\n".join(own_examples or [examples[0].replace(first, name)]),
        rich_help_panel="Games",
    )


def game_option(
    game_name: str,
    key: str,
    value: Any,
    taken: set[str],
    words: str | None = None,
    note: str = "",
) -> inspect.Parameter:
    """Makes an option of a game's parameter: --size, or --game-size where --size is taken.

    ``words`` are those that it may be, if it is one of several; ``note`` says what it does.
    """
    word = key.replace("_", "-")
    if {f"--{word}", f"--no-{word}"} & taken:
        word = f"game-{word}"
    names = f"--{word}/--no-{word}" if isinstance(value, bool) else f"--{word}"
    panel = f"Parameters of {game_name}"
    info = typer.Option(
        names, show_default=True, metavar=words, help=escape(note), rich_help_panel=panel
    )
    return inspect.Parameter(
        f"parameter_{key}",
        inspect.Parameter.KEYWORD_ONLY,
        default=value,
        annotation=Annotated[type(value), info],
    )


# ---- the command line


class Root(Group):
    """Runs ``adv-envs``: every error of a command is one line on standard error."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Finds a command; CommandError, which lists the commands, for an unknown one."""
        known = self.list_commands(ctx)
        if args[0] not in known:
            close = difflib.get_close_matches(args[0], known, 1)
            hint = f"did you mean {close[0]!r}? " if close else ""
            raise CommandError(f"no command {args[0]!r}; {hint}commands: {', '.join(known)}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Runs the command; Ctrl-C ends it with one line."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            err().print("\nInterrupted.")
            raise typer.Exit(130) from None

    def main(self, *args: Any, **options: Any) -> Any:
        """Runs, prints errors, exits: 2 for what cannot be understood, 130 for Ctrl-C."""
        options["standalone_mode"] = False
        try:
            with warnings.catch_warnings():
                warnings.showwarning = lambda message, *_, **__: warn(str(message))
                code = super().main(*args, **options)
            sys.stdout.flush()
        except CommandError as error:
            code = error.code
            print_message("Error", str(error), "bold red")
        except UsageError as error:
            code = error.exit_code
            print_message("Error", explain(error), "bold red")
        except typer.Abort:
            code = 130
        except OSError as error:
            code = 1
            discard_output()
            if not isinstance(error, BrokenPipeError):  # as in `adv-envs games | head -1`
                print_message("Error", str(error), "bold red")
        sys.exit(code if isinstance(code, int) else 0)


def discard_output() -> None:
    """Lets nothing more be written to standard output, which may be a pipe that was closed."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def explain(error: Any) -> str:
    """Returns what is wrong with a command line, and what would be right, on one line."""
    message: str = error.format_message().rstrip()
    message += "" if message[-1] in ".?" else "."
    if error.ctx is None:
        return message
    if not getattr(error, "possibilities", True):  # no such option, nor one like it
        options = [o for p in error.ctx.command.get_params(error.ctx) for o in p.opts]
        message += f" Options: {', '.join(o for o in options if o.startswith('--'))}."
    return f"{message} See {error.ctx.command_path} --help."


app = typer.Typer(
    name="adv-envs",
    cls=Root,
    add_completion=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    epilog="\n".join(EXAMPLES),
    context_settings={
        "help_option_names": ["--help", "-h"],
        "token_normalize_func": lambda name: name.replace("_", "-"),
    },
)
for _function, _examples, _of_a_game in (
    (lists.games, lists.GAMES_EXAMPLES, False),
    (lists.agents, lists.AGENTS_EXAMPLES, False),
    (show.rules, show.RULES_EXAMPLES, True),
    (show.show, show.EXAMPLES, True),
    (play.play, play.EXAMPLES, True),
    (matches.match, matches.EXAMPLES, True),
    (tournaments.tournament, tournaments.EXAMPLES, True),
    (grade.grade, grade.EXAMPLES, True),
    (class_command.class_command, class_command.EXAMPLES, False),
    (autogrades.autograde, autogrades.EXAMPLES, False),
    (matches.rate, matches.RATE_EXAMPLES, True),
    (programs.train, programs.TRAIN_EXAMPLES, True),
    (solve.solve, solve.EXAMPLES, True),
    (puzzle_lines.puzzles, puzzle_lines.EXAMPLES, True),
    (solve.analyse, solve.ANALYSE_EXAMPLES, True),
    (show.tree, show.TREE_EXAMPLES, True),
    (programs.gtp, programs.GTP_EXAMPLES, True),
    (programs.uci, programs.UCI_EXAMPLES, True),
    (programs.book, programs.BOOK_EXAMPLES, True),
    (programs.htp, programs.HTP_EXAMPLES, False),
    (serving.serve, serving.SERVE_EXAMPLES, False),
    (sites.site, sites.EXAMPLES, False),
    (warming.warm, warming.EXAMPLES, False),
):
    if _of_a_game:
        app.add_typer(game_command(_function, _examples), name=_function.__name__)
    else:
        _name = _function.__name__.removesuffix("_command")  # `class` cannot be a function's
        app.command(_name, cls=Command, epilog="\n".join(_examples))(_function)


def version(wanted: bool) -> None:
    """Prints the version, if it is wanted, and stops."""
    if wanted:
        print(f"adv-envs {adv_envs.__version__}")
        raise typer.Exit


IMPORT = "Import a module that registers games or agents of your own; may be repeated."


@app.callback()
def adv_envs_command(
    context: typer.Context,
    imports: Annotated[list[str] | None, option(IMPORT, "MODULE", "--import")] = None,
    _: Annotated[
        bool, option("Print the version.", None, "--version", callback=version, is_eager=True)
    ] = False,
) -> None:
    """Plays board games and pencil-and-paper games, with agents that play, search and solve."""
    if os.getcwd() not in sys.path:  # as with python -m adv_envs
        sys.path.insert(0, os.getcwd())
    NOT_LOADED.clear()
    for name in imports or []:
        try:
            load_module(name)
        except DidNotLoad as error:
            if context.invoked_subcommand != "tournament":
                raise CommandError(str(error)) from error
            NOT_LOADED.append(str(error))
        except (ImportError, ValueError) as error:
            raise CommandError(
                f"cannot import {name!r}: {type(error).__name__}: {error}"
            ) from error


def main() -> None:
    """Runs the command line of this process; never returns.

    A second Ctrl-C, while the first one is handled, ends it at once; so does a closed pipe.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:  # see adv_envs.startup
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        app(prog_name="adv-envs")
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        discard_output()
        sys.exit(1)
    finally:  # nothing is left to be done that a traceback could be about
        signal.signal(signal.SIGINT, signal.SIG_DFL)
