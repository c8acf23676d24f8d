"""``adv-envs play``: a game of a person against agents, or of agents only."""

from __future__ import annotations

import contextlib
import dataclasses
import logging
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

import agents
from adv_envs.notation import write_line
from adv_envs.position import CHANCE, Board, Position
from adv_envs.registry import title
from agents.describe import judgement, outcome, seen_name, summary, task
from agents.suitable import suitable_opponent

from .board_text import draw, mark
from .console import CommandError, busy, check_files, command_errors, out
from .matches import check_can_play
from .show import check_sgf, read_moves, save_game

EXAMPLES = (
    "adv-envs play tic_tac_toe",
    'adv-envs play hex --size 7 --opponent "alpha_beta(depth=3)" --second',
    'adv-envs play connect_four --moves 4453 --opponent "alpha_beta(seconds=2)"',
    "adv-envs play hex --size 5 --player rush --opponent random --seed 1",
)

Player = Annotated[
    str, typer.Option(metavar="SPEC", help="Who plays: you, or an agent; see: adv-envs agents.")
]
Opponent = Annotated[
    str | None,
    typer.Option(metavar="SPEC", help="The opponent; by default a search that plays well."),
]
First = Annotated[
    bool, typer.Option("--first/--second", help="Whether the player or the opponent moves first.")
]
Made = Annotated[str, typer.Option(metavar="MOVES", help="Begin after moves: 4453, or game.sgf.")]
Sgf = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write the game, of go or hex, as SGF.")
]
Seed = Annotated[int | None, typer.Option(metavar="N", help="Repeat all random choices.")]


def play(
    start: Position,
    player: Player = "human",
    opponent: Opponent = None,
    first: First = True,
    moves: Made = "",
    sgf: Sgf = None,
    seed: Seed = None,
) -> None:
    """Play a game against an agent, or watch agents play.

    Type moves by name, or help, board, hint, eval, undo, resign.
    """
    start, made = read_moves(start, moves.split())
    check_sgf(start, sgf is not None)
    check_files(sgf)
    with command_errors():
        here = start.after(made)
        if here.is_terminal():
            raise CommandError(f"the game is over after these moves: {outcome(here)}")
        spec = opponent or suitable_opponent(start)
        others = [agents.make(spec) for _ in range(start.num_players - 1)]
        seats = others[:]
        seats.insert(0 if first else 1, agents.make(player))
    console = out()
    with compiling_shown(console):
        for agent in seats:
            if not isinstance(agent, agents.Human):
                check_can_play(start, agent, console)
        screen = Screen(start, made, seats)
        screen.introduce()
        game = agents.play_game(here, screen.players(), seed, screen.on_move)
    if sgf is not None:
        save_game(sgf, start, made, dataclasses.replace(game, players=tuple(seats)))
    screen.report(game)


@contextlib.contextmanager
def compiling_shown(console: Console) -> Iterator[None]:
    """A context in which a line says so when a search has to be compiled."""

    class Notice(logging.Handler):
        """Prints the line, once."""

        def emit(self, record: logging.LogRecord) -> None:
            if not shown:
                shown.append(True)
                console.print("Compiling, which takes some time, but only once ...", style="dim")

    shown: list[bool] = []
    log, notice = logging.getLogger("adv_envs.jit"), Notice()
    level = log.level
    log.addHandler(notice)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(notice)
        log.setLevel(level)


class Screen:
    """What a game looks like while it is played."""

    def __init__(self, start: Position, made: list[int], seats: list[agents.Agent]) -> None:
        self.start, self.made, self.seats = start, made, seats
        self.console = out()
        self.people = [i for i, agent in enumerate(seats) if isinstance(agent, agents.Human)]
        self.here = start.after(made)
        self.whole = {self.seen(self.here): self.here}  # the position that a player sees a part of
        self.before: dict[Position, Position] = {}  # to find the last move after an undo, too
        if made:
            self.before[self.here] = start.after(made[:-1])
        self.found: agents.SearchResult | None = None  # of the agent that moves next
        self.before_search = self.here  # the position of that search
        self.last_player = CHANCE  # who made the last move that was not chance's
        self.made_since: list[tuple[Position, int]] = []  # that move, and those of chance after it
        self.adviser = agents.make(suitable_opponent(start))

    def players(self) -> list[agents.Agent]:
        """The agents, as they play on this screen."""
        return [
            Person(screen=self) if i in self.people else Watched(agent, self)
            for i, agent in enumerate(self.seats)
        ]

    def viewer(self, position: Position) -> int | None:
        """Who looks at the screen: a person, the one to move if there are several; None: nobody.

        Where no person plays, those who watch see everything.
        """
        if not self.people:
            return None
        return position.to_move if position.to_move in self.people else self.people[0]

    def seen(self, position: Position) -> Position:
        """What the screen shows of a position: what a person sees, where not all is seen."""
        viewer = self.viewer(position)
        return position if viewer is None else position.hidden(viewer)

    def label(self, player: int, who: str) -> Text:
        """A player's stones, or number, and who plays them."""
        name = mark(self.console, self.start, player)
        return name + Text(f" {who}" if isinstance(self.start, Board) else f" ({who})")

    def introduce(self) -> None:
        """Say what is played, and who plays."""
        name = Text(f"{title(self.start)} — ", "bold")
        self.console.print(name + Text(summary(type(self.start))))
        for player, agent in enumerate(self.seats):
            who = "you" if [player] == self.people else repr(agent)
            order = ", moves first" * (player == 0)
            name = mark(self.console, self.start, player)
            self.console.print(name + Text(f": {who}{order}{task(self.start, player)}"))
        if self.people:
            self.console.print("Type a move, or help, hint, undo or resign.", style="dim")
        else:
            draw(self.console, self.here, self.before.get(self.here))

    def on_move(self, position: Position, action: int | None) -> None:
        """Announce a move, together with the move of chance that follows it."""
        assert action is not None
        self.before[position] = self.here
        if self.here.to_move != CHANCE:
            self.last_player, self.made_since = self.here.to_move, []
        self.made_since.append((self.here, action))
        self.here = position
        if not position.perfect_information and position.to_move != CHANCE:
            self.whole[position.hidden(position.to_move)] = position
        if position.to_move == CHANCE and not position.is_terminal():
            return
        self.announce()
        self.found, self.last_player, self.made_since = None, CHANCE, []
        if position.is_terminal() or not self.people:
            draw(self.console, self.seen(position), self.before[position])

    def announce(self) -> None:
        """Say which move was played, what chance added to it, and what the search expects.

        As who looks at the screen next has seen it. The only person does not read their own move
        again, unless it was a throw of dice. Cards that are dealt have a line of their own.
        """
        viewer = self.viewer(self.here)
        moves: list[str] = []
        chances: list[str] = []
        for position, action in self.made_since:
            name = seen_name(position, action, viewer)
            (chances if position.to_move == CHANCE else moves).extend([name] if name else [])
        own = [self.last_player] == self.people
        if moves and chances and self.here.perfect_information:
            moves, chances = [f"{moves[0]}: {' '.join(chances)}"], []
            if own:
                self.console.print(Text("You ") + Text(moves[0], "bold"))
        if moves and not own:
            who = self.label(self.last_player, self.seats[self.last_player].name)
            line = who + Text(" plays ") + Text(moves[0], "bold")
            if self.found is not None and (self.here.perfect_information or not self.people):
                line += Text(f"  ({self.expectation()})", "dim")
            self.console.print(line)
        if chances:
            self.console.print(Text("chance plays ") + Text(" ".join(chances), "bold"))

    def expectation(self) -> str:
        """What the agent that has just moved expects for itself, and how it knows."""
        found, agent = self.found, self.seats[self.last_player]
        assert found is not None
        assert isinstance(agent, agents.SearchAgent)
        verb = "expects" if found.proven else "sees itself"
        said = f"{verb} {judgement(self.before_search, agent, found)}"
        if found.depth:
            said += f"; looked {found.depth} moves ahead, at {found.nodes:,} positions"
        return f"{said}; {found.seconds:.2f} s"

    def give_advice(self, position: Position, with_move: bool) -> None:
        """Print what a good agent would play, or how it values the position."""
        with busy(self.console, f"{self.adviser.name} thinks"):
            if not isinstance(self.adviser, agents.SearchAgent):
                action, said = self.adviser.act(position), "it cannot say how good it is"
            else:
                found = self.adviser.analyse(position)
                action, said = found.action, judgement(position, self.adviser, found)
        if with_move:
            self.console.print(f"Hint: {position.name(action)} ({self.adviser.name}: {said})")
        else:
            self.console.print(f"For you: {said} ({self.adviser!r})")

    def report(self, game: agents.Game) -> None:
        """Print the result in a line, and the moves. CommandError if an agent failed."""
        resigned = game.reason.endswith("resigned")
        if game.reason and not resigned:
            raise CommandError(game.reason, 1)
        self.console.print(Text("Resigned. " if resigned else "") + self.verdict(game.utilities))
        actions = [*self.made, *game.actions]
        if actions:
            line = self.moves(actions)
            self.console.print(f"Moves: {line}", style="dim", soft_wrap=True)

    def moves(self, actions: list[int]) -> str:
        """The moves of the game in a line, as far as a person saw them."""
        if self.start.perfect_information or not self.people:
            return write_line(self.start, actions)
        position, names = self.start, []
        for action in actions:
            names.append(seen_name(position, action, self.viewer(position)))
            position = position.play(action)
        return " ".join(filter(None, names))

    def verdict(self, utilities: tuple[float, ...]) -> Text:
        """Who won: for the only person, or for people who watch."""
        if len(self.people) != 1:
            names = [self.label(i, agent.name).plain for i, agent in enumerate(self.seats)]
            result = outcome(self.here, utilities, names)
            return Text(f"{result[0].upper()}{result[1:]}.", "bold")
        mine = utilities[self.people[0]]
        points = "" if abs(mine) in (0, 1) else f" ({mine:+g})"
        if mine == 0:
            return Text("A draw.", "bold yellow")
        if mine > 0:
            return Text(f"You win!{points}", "bold green")
        return Text(f"You lose.{points}", "bold red")


@dataclass(repr=False)
class Watched(agents.Agent):
    """An agent as it is; the screen shows that it thinks, and gets what it found."""

    agent: agents.Agent
    screen: Screen = field(repr=False)

    def reset(self, seed: int | None = None) -> None:
        """Begin a new game."""
        self.agent.reset(seed)

    def act(self, position: Position) -> int:
        """The agent's own action."""
        self.screen.here = self.screen.whole.get(position, position)
        self.screen.before_search = position
        agent = self.agent
        with busy(self.screen.console, f"{agent.name} thinks"):
            if isinstance(agent, agents.SearchAgent) and uses_analyse(agent):
                self.screen.found = agent.analyse(position)
                return self.screen.found.action
            return agent.act(position)

    def __repr__(self) -> str:
        return repr(self.agent)


def uses_analyse(agent: agents.SearchAgent) -> bool:
    """Whether the agent plays what its ``analyse`` finds."""
    return type(agent).act is agents.SearchAgent.act


@dataclass(repr=False)
class Person(agents.Human):
    """A person at this terminal."""

    screen: Screen = field(kw_only=True, repr=False)
    _moves: int = field(default=0, init=False, repr=False)

    def act(self, position: Position) -> int:
        """The move that was typed."""
        self.screen.here = self.screen.whole.get(position, position)
        action = super().act(position)
        self._moves += 1
        return action

    def obey(self, typed: str, position: Position) -> bool:
        """Carry out a command; False if ``typed`` is none."""
        if typed in ("board", "b"):
            self.show(position)
        elif typed in ("hint", "eval"):
            self.screen.give_advice(position, typed == "hint")
        else:
            return super().obey(typed, position)
        return True

    def take_back(self) -> None:
        """Undo, if there is a move to undo."""
        if self._moves == 0:
            self.tell("There is no move of yours to take back.")
            return
        self._moves -= 1
        super().take_back()

    def show(self, position: Position) -> None:
        """The board, with the last move marked."""
        draw(self.screen.console, position, self.screen.before.get(position))

    def ask(self, position: Position) -> str:
        """The line that is typed, with editing keys and a history where there are any."""
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  # changes what input() does
        name = mark(self.screen.console, position, position.to_move).plain
        try:
            typed = input(f"Your move, {name}: ")
        except EOFError:
            self.tell("")
            raise
        if not sys.stdin.isatty():
            self.tell(typed)  # a terminal has shown it
        return typed

    def help(self, position: Position) -> None:
        """The game, the legal moves, the commands."""
        self.tell(summary(type(position)))
        self.tell(f"Legal moves: {', '.join(map(position.name, position.legal_actions()))}")
        self.tell(f"{HELP}\n{BRACKETS}")

    def tell(self, text: str) -> None:
        """Print a line."""
        self.screen.console.print(text)


HELP = """\
board   shows the board again
hint    names a good move
eval    says who is ahead; a value above 0 means that you are
undo    takes your last move back; dice fall as they did before
resign  gives up the game"""

BRACKETS = (
    "After a computer's move the brackets say what it expects for itself, how many moves it looked "
    "ahead, how many positions it looked at, and how long that took."
)
