"""Implements ``adv-envs play``: a game of a person against agents, or of agents only."""

from __future__ import annotations

import contextlib
import dataclasses
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated

from rich.text import Text

import agents
from adv_envs.position import CHANCE, Board, Position
from adv_envs.registry import title
from adv_envs.session import Session
from agents.agent import plays_as_analysed
from agents.arena.clock import READY
from agents.background import answering_in_time
from agents.describe import advice, expectation, outcome, summary, task
from agents.knowledge import suitable_opponent
from agents.levels import level_of
from agents.protocols.agent_control import compiling_told

from .board_text import draw, mark
from .console import CommandError, Ready, Repeat, busy, check_files, command_errors, option, out
from .matches import check_can_play, isolated_players
from .show import check_sgf, read_moves, save_game

EXAMPLES = (
    "adv-envs play tic_tac_toe",
    "adv-envs play chess --level 2",
    'adv-envs play hex --size 7 --opponent "alpha_beta(depth=3)" --second',
    'adv-envs play connect_four --moves 4453 --opponent "alpha_beta(seconds=2)"',
    "adv-envs play hex --size 5 --player rush --opponent random --seed 1",
)

PLAYER = "Who plays: you, or an agent; see: adv-envs agents."
OPPONENT = "The opponent; by default a search that plays well."
LEVEL = "In place of --opponent: a level from 1, a beginner, up to 8; some games have fewer."
FIRST = "Whether the player or the opponent moves first."
COMPILING = "Compiling, which takes some time, but only once ..."
BEGINNING = "Begin after moves: 4453, game.sgf or game.pgn."


def play(
    start: Position,
    player: Annotated[str, option(PLAYER, "SPEC")] = "human",
    opponent: Annotated[str | None, option(OPPONENT, "SPEC")] = None,
    level: Annotated[int | None, option(LEVEL, "NUMBER")] = None,
    first: Annotated[bool, option(FIRST, None, "--first/--second")] = True,
    moves: Annotated[str, option(BEGINNING, "MOVES")] = "",
    sgf: Annotated[Path | None, option("Write the game, of go or hex, as SGF.", "FILE")] = None,
    ready: Ready = READY,
    seed: Repeat = None,
) -> None:
    """Plays a game against an agent, or shows agents at play.

    Type moves by name, or help, board, hint, eval, undo, resign.
    """
    start, made = read_moves(start, moves.split())
    check_sgf(start, sgf)
    check_files(sgf)
    with command_errors():
        here = start.after(made)
        if here.is_terminal():
            raise CommandError(f"the game is over after these moves: {here.result_text()}")
        if opponent and level is not None:
            raise CommandError("the opponent is named by --opponent or by --level, not by both")
        usual = suitable_opponent(start) if level is None else level_of(start, level).spec
        spec = opponent or usual
        others = [agents.make(spec) for _ in range(start.num_players - 1)]
        seats = others[:]
        seats.insert(0 if first else 1, agents.make(player))
    console = out()
    said = partial(console.print, COMPILING, style="dim")
    with command_errors(), compiling_told(said), apart(start, seats, ready) as playing:
        for agent in playing:
            if not isinstance(agent, agents.Human):
                check_can_play(start, agent, console, in_time=True)
        screen = Screen(start, made, playing)
        screen.introduce()
        game = agents.play_game(here, screen.players(), seed, screen.on_move)
    if sgf is not None:
        save_game(sgf, start, made, dataclasses.replace(game, players=tuple(seats)))
    screen.print_result(game)


@contextlib.contextmanager
def apart(
    start: Position, seats: Sequence[agents.Agent], ready: float
) -> Iterator[list[agents.Agent]]:
    """Gives the same agents, files that were handed in in their sandboxes; all others play here."""
    with contextlib.ExitStack() as stack:
        playing: list[agents.Agent] = []
        for agent in seats:
            alone = (
                isolated_players(start, [agent], ready)
                if agent.foreign
                else contextlib.nullcontext([agent])
            )
            playing += stack.enter_context(alone)
        yield playing


class Screen:
    """Shows a game while it is played."""

    def __init__(self, start: Position, made: list[int], seats: list[agents.Agent]) -> None:
        self.seats, self.made, self.console = seats, len(made), out()
        people = [i for i, agent in enumerate(seats) if isinstance(agent, agents.Human)]
        self.session = Session(start, made, tuple(people))
        self.announced = len(made)  # how many actions were announced
        self.found: agents.SearchResult | None = None  # of the agent that moves next
        self.searched = start  # the position of that search
        self.adviser = agents.make(suitable_opponent(start))

    def players(self) -> list[agents.Agent]:
        """Returns the agents, as they play on this screen."""
        return [
            Person(screen=self) if i in self.session.people else Watched(agent, self)
            for i, agent in enumerate(self.seats)
        ]

    @property
    def only_person(self) -> int | None:
        """Returns the seat of the person, if there is just one."""
        people = self.session.people
        return people[0] if len(people) == 1 else None

    def label(self, player: int, who: str) -> Text:
        """Returns what a player is called, and who plays."""
        name = mark(self.console, self.session.start, player)
        return name + Text(f" {who}" if isinstance(self.session.start, Board) else f" ({who})")

    def introduce(self) -> None:
        """Says what is played, and who plays."""
        start = self.session.start
        name = Text(f"{title(start)} — ", "bold")
        self.console.print(name + Text(summary(type(start))))
        for player, agent in enumerate(self.seats):
            who = "you" if player == self.only_person else repr(agent)
            order = ", moves first" * (player == 0)
            name = mark(self.console, start, player)
            self.console.print(name + Text(f": {who}{order}{task(start, player)}"))
        if self.session.people:
            self.console.print("Type a move, or help, hint, undo or resign.", style="dim")
        else:
            self.draw()

    def draw(self) -> None:
        """Prints the position as it is seen; where all of it is, with the last move marked."""
        earlier = self.session.positions[:-1] if self.session.viewer is None else []
        draw(self.console, self.session.view, earlier[-1] if earlier else None)

    def on_move(self, position: Position, action: int | None) -> None:
        """Announces a move, together with the move of chance that follows it."""
        if action is None:  # moves were taken back
            self.session.undo([position.to_move])
            self.announced = len(self.session.actions)
            return
        self.session.play(action)
        if position.to_move == CHANCE and not position.is_terminal():
            return
        self.announce()
        self.found, self.announced = None, len(self.session.actions)
        if position.is_terminal() or not self.session.people:
            self.draw()

    def announce(self) -> None:
        """Says which move was played, what chance added to it, and what the search expects.

        As who looks at the screen next has seen it. The only person does not read their own move
        again, unless it was a throw of dice. Cards that are dealt have a line of their own.
        """
        seen = self.session.seen(self.session.viewer)[self.announced :]
        moves = [move.name for move in seen if move.player != CHANCE and move.name]
        chances = [move.name for move in seen if move.player == CHANCE and move.name]
        player = next((move.player for move in seen if move.player != CHANCE), CHANCE)
        open_game = self.session.start.perfect_information
        own = player == self.only_person
        if moves and chances and open_game:
            moves, chances = [f"{moves[0]}: {' '.join(chances)}"], []
            if own:
                self.console.print(Text("You ") + Text(moves[0], "bold"))
        if moves and not own:
            who = self.label(player, self.seats[player].name)
            line = who + Text(" plays ") + Text(moves[0], "bold")
            if self.found is not None and (open_game or not self.session.people):
                line += Text(f"  ({self.thought(self.found, self.seats[player])})", "dim")
            self.console.print(line)
        if chances:
            self.console.print(Text("chance plays ") + Text(" ".join(chances), "bold"))

    def thought(self, found: agents.SearchResult, agent: agents.Agent) -> str:
        """Returns what the agent that has just moved expects for itself, and how it knows."""
        assert isinstance(agent, agents.SearchAgent)
        said = expectation(self.searched, agent, found)
        if found.depth:
            said += f"; looked {found.depth} moves ahead, at {found.nodes:,} positions"
        return f"{said}; {found.seconds:.2f} s"

    def give_advice(self, position: Position, with_move: bool) -> None:
        """Prints what a good agent would play, or how it values the position."""
        with busy(self.console, f"{self.adviser.name} thinks"):
            action, said = advice(position, self.adviser)
        said = said or "it cannot say how good it is"
        if with_move:
            self.console.print(f"Hint: {position.name(action)} ({self.adviser.name}: {said})")
        else:
            self.console.print(f"For you: {said} ({self.adviser!r})")

    def print_result(self, game: agents.Game) -> None:
        """Prints the result in a line, and all moves. CommandError if an agent failed."""
        resigned = game.reason.endswith("resigned")
        if game.reason and not resigned:
            raise CommandError(game.reason, 1)
        self.console.print(Text("Resigned. " if resigned else "") + self.verdict(game.utilities))
        if self.session.actions:
            self.console.print(f"Moves: {self.session.text()}", style="dim", soft_wrap=True)

    def verdict(self, utilities: tuple[float, ...]) -> Text:
        """Returns who won: for the only person, or for people who watch; and how."""
        position = self.session.position
        ending = position.result_text() if position.is_terminal() else "Draw"
        if not any(utilities):
            return Text(f"{ending}.", "bold yellow")
        more = position.is_terminal() and ending != Position.result_text(position)
        how = f" {ending}." if more else ""
        if self.only_person is None:
            names = [self.label(i, agent.name).plain for i, agent in enumerate(self.seats)]
            return Text(f"{outcome(utilities, names)}.{how}", "bold")
        mine = utilities[self.only_person]
        points = "" if abs(mine) in (0, 1) else f" ({mine:+g})"
        if mine > 0:
            return Text(f"You win!{points}{how}", "bold green")
        return Text(f"You lose.{points}{how}", "bold red")


@dataclass(repr=False)
class Watched(agents.Agent):
    """Plays as an agent does; the screen shows that it thinks, and gets what it found."""

    agent: agents.Agent
    screen: Screen = field(repr=False)

    def reset(self, seed: int | None = None) -> None:
        """Begins a new game."""
        self.agent.reset(seed)

    def act(self, position: Position) -> int:
        """Returns the agent's own action."""
        agent, self.screen.searched = self.agent, position
        with busy(self.screen.console, f"{agent.name} thinks"):
            if plays_as_analysed(agent):
                with answering_in_time(agent, position):
                    self.screen.found = agent.analyse(position)
                return self.screen.found.action
            return agent.act(position)

    def __repr__(self) -> str:
        return repr(self.agent)


@dataclass(repr=False)
class Person(agents.Human):
    """Asks a person at this terminal."""

    screen: Screen = field(kw_only=True, repr=False)

    def obey(self, typed: str, position: Position) -> bool:
        """Carries out a command; False if ``typed`` is none."""
        if typed in ("board", "b"):
            self.show(position)
        elif typed in ("hint", "eval"):
            self.screen.give_advice(position, typed == "hint")
        else:
            return super().obey(typed, position)
        return True

    def take_back(self) -> None:
        """Undoes the last move, if there is one."""
        session = self.screen.session
        last = session.last_move_of([session.position.to_move])
        if last is None or last < self.screen.made:
            self.tell("There is no move of yours to take back.")
        else:
            super().take_back()

    def show(self, position: Position) -> None:
        """Shows the board, with the last move marked."""
        self.screen.draw()

    def ask(self, position: Position) -> str:
        """Returns the line that is typed, with editing keys and a history where there are any."""
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
        """Shows the game, the legal moves, the commands."""
        self.tell(summary(type(position)))
        self.tell(f"Legal moves: {', '.join(map(position.name, position.legal_actions()))}")
        self.tell(f"{HELP}\n{BRACKETS}")

    def tell(self, text: str) -> None:
        """Prints a line."""
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
