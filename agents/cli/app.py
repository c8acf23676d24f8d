"""The commands put together, and what holds for all of them: errors, Ctrl-C, closed pipes."""

from __future__ import annotations

import difflib
import importlib
import os
import sys
import warnings
from typing import Annotated, Any

import typer

import adv_envs

from .analyse import EXAMPLES as ANALYSE_EXAMPLES
from .analyse import analyse
from .book import EXAMPLES as BOOK_EXAMPLES
from .book import book
from .commands import Command, Group, game_command
from .console import Refusal, err, say_on_one_line, warn
from .grade import EXAMPLES as GRADE_EXAMPLES
from .grade import grade
from .htp import EXAMPLES as HTP_EXAMPLES
from .htp import htp
from .lists import agents, games
from .matches import EXAMPLES as MATCH_EXAMPLES
from .matches import match
from .play import EXAMPLES as PLAY_EXAMPLES
from .play import play
from .rate import EXAMPLES as RATE_EXAMPLES
from .rate import rate
from .show import EXAMPLES as SHOW_EXAMPLES
from .show import show
from .solve import EXAMPLES as SOLVE_EXAMPLES
from .solve import solve
from .tournament import EXAMPLES as TOURNAMENT_EXAMPLES
from .tournament import tournament
from .tree import EXAMPLES as TREE_EXAMPLES
from .tree import tree

# What typer raises for a command line it cannot read. Only this descendant of it is public in every
# release, as typer has it from click or from itself.
UsageError: type[Any] = typer.BadParameter.__mro__[1]

EXAMPLES = (
    "adv-envs games",
    'adv-envs play hex --size 7 --opponent "alpha_beta(depth=3)"',
    'adv-envs match connect_four "alpha_beta(depth=4)" "alpha_beta(depth=2)" --plies 2',
    "adv-envs solve tic_tac_toe b2",
)


class Root(Group):
    """``adv-envs`` itself: whatever goes wrong below is one line on standard error."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Unknown commands are told which ones exist."""
        known = self.list_commands(ctx)
        if args[0] not in known:
            close = difflib.get_close_matches(args[0], known, 1)
            hint = f"did you mean {close[0]!r}? " if close else ""
            raise Refusal(f"no command {args[0]!r}; {hint}commands: {', '.join(known)}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Leave on Ctrl-C, whatever is being done, with one line."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            err().print("\nInterrupted.")
            raise typer.Exit(130) from None

    def main(self, *args: Any, **options: Any) -> Any:
        """Run, print errors, exit: 2 for what cannot be understood, 130 for Ctrl-C."""
        options["standalone_mode"] = False
        try:
            with warnings.catch_warnings():
                warnings.showwarning = lambda message, *_, **__: warn(str(message))
                code = super().main(*args, **options)
            sys.stdout.flush()
        except Refusal as refusal:
            code = refusal.code
            say_on_one_line("Error", str(refusal), "bold red")
        except UsageError as error:
            code = error.exit_code
            say_on_one_line("Error", explain(error), "bold red")
        except typer.Abort:
            code = 130
        except OSError as error:
            code = 1
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            if not isinstance(error, BrokenPipeError):  # as in `adv-envs games | head -1`
                say_on_one_line("Error", str(error), "bold red")
        sys.exit(code if isinstance(code, int) else 0)


def explain(error: Any) -> str:
    """What is wrong with a command line, and what would be right, on one line."""
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
app.command(cls=Command, epilog="adv-envs games\nadv-envs --import my_module games --json")(games)
app.command(cls=Command, epilog="adv-envs agents\nadv-envs agents --json")(agents)
app.add_typer(game_command(show, SHOW_EXAMPLES), name="show")
app.add_typer(game_command(play, PLAY_EXAMPLES), name="play")
app.add_typer(game_command(match, MATCH_EXAMPLES), name="match")
app.add_typer(game_command(tournament, TOURNAMENT_EXAMPLES), name="tournament")
app.add_typer(game_command(grade, GRADE_EXAMPLES), name="grade")
app.add_typer(game_command(rate, RATE_EXAMPLES), name="rate")
app.add_typer(game_command(solve, SOLVE_EXAMPLES), name="solve")
app.add_typer(game_command(analyse, ANALYSE_EXAMPLES), name="analyse")
app.add_typer(game_command(tree, TREE_EXAMPLES), name="tree")
app.command(cls=Command, epilog="\n".join(HTP_EXAMPLES))(htp)
app.command(cls=Command, epilog="\n".join(BOOK_EXAMPLES))(book)


def version(wanted: bool) -> None:
    """Print the version, if it is wanted, and stop."""
    if wanted:
        print(f"adv-envs {adv_envs.__version__}")
        raise typer.Exit


@app.callback()
def adv_envs_command(
    imports: Annotated[
        list[str] | None,
        typer.Option(
            "--import",
            metavar="MODULE",
            help="Import a module that registers games or agents of your own; may be repeated.",
        ),
    ] = None,
    _: Annotated[
        bool,
        typer.Option("--version", callback=version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Board and pencil-and-paper games, and agents that play, search and solve them."""
    if imports and os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    for name in imports or []:
        try:
            importlib.import_module(name)
        except Exception as error:  # whatever a module of the user's own may do
            raise Refusal(f"cannot import {name!r}: {type(error).__name__}: {error}") from error


def main() -> None:
    """Run the command line of this process; never returns."""
    app(prog_name="adv-envs")
