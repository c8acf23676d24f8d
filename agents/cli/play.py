"""``adv-envs play``: a person at the terminal, or agents only, one game."""

from __future__ import annotations

import contextlib
import dataclasses
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

import agents
from adv_envs.games.hex import Hex
from adv_envs.notation import write_line
from adv_envs.position import CHANCE, Board, Position
from agents.knowledge import knowledge_of

from .board import draw, mark
from .console import Refusal, busy, out, refusing
from .describe import outcome, summary, task, title, worth
from .files import check_files
from .records import line, save_game

EXAMPLES = (
    "adv-envs play tic_tac_toe",
    'adv-envs play hex --size 7 --opponent "alpha_beta(depth=3)" --second',
    'adv-envs play connect_four --moves 4453 --opponent "alpha_beta(seconds=2)"',
    "adv-envs play hex --size 5 --player rush --opponent random --seed 1",
)

Spec = Annotated[str, typer.Option(metavar="SPEC", help="Who plays; see: adv-envs agents.")]
Seed = Annotated[int | None, typer.Option(metavar="N", help="Repeat what chance decides.")]


def play(
    start: Position,
    player: Spec = "human",
    opponent: Annotated[
        str | None,
        typer.Option(metavar="SPEC", help="Against whom; by default a search that plays well."),
    ] = None,
    first: Annotated[
        bool, typer.Option("--first/--second", help="Whether the player begins, or the opponent.")
    ] = True,
    moves: Annotated[
        str, typer.Option(metavar="MOVES", help="Moves made already: 4453, or game.sgf.")
    ] = "",
    sgf: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the game of hex.")] = None,
    seed: Seed = None,
) -> None:
    """Play a game against an agent, or watch agents play.

    Type moves by name, or help, undo, resign.
    """
    start, made = line(start, moves.split())
    if sgf is not None and not isinstance(start, Hex):
        raise Refusal(f"SGF files are written for hex, not for {title(start)}")
    check_files(sgf)
    with refusing():
        here = start.after(made)
        if here.is_terminal():
            raise Refusal(f"the game is over after these moves: {outcome(here)}")
        others = [agents.make(opponent or suitable(start)) for _ in range(start.num_players - 1)]
        seats = others[:]
        seats.insert(0 if first else 1, agents.make(player))
    screen = Screen(start, made, seats)
    screen.introduce()
    game = agents.play_game(here, screen.players(), seed, screen.on_move)
    if sgf is not None:
        save_game(sgf, start, made, dataclasses.replace(game, players=tuple(seats)))
    screen.report(game)


def suitable(start: Position) -> str:
    """An opponent that plays a game well."""
    own = knowledge_of(start).opponent
    if own is not None and (spec := own(start)) is not None:
        return spec
    if start.num_players != 2:
        return "greedy()" if start.has_chance else "max_n(depth=4)"
    return "expectiminimax(nodes=100000)" if start.has_chance else "alpha_beta(nodes=100000)"


class Screen:
    """What a game looks like while it is played."""

    def __init__(self, start: Position, made: list[int], seats: list[agents.Agent]) -> None:
        self.start, self.made, self.seats = start, made, seats
        self.console = out()
        self.people = [i for i, agent in enumerate(seats) if isinstance(agent, agents.Human)]
        self.here = start.after(made)
        self.before: dict[Position, Position] = {}  # to find the last move after an undo, too
        if made:
            self.before[self.here] = start.after(made[:-1])
        self.found: agents.SearchResult | None = None  # by the agent that moves next
        self.mover = CHANCE  # who made the last move that was not chance's
        self.said: list[str] = []  # that move, and what chance has added to it

    def players(self) -> list[agents.Agent]:
        """The agents, as they play on this screen."""
        return [
            Person(screen=self) if i in self.people else Watched(agent, self)
            for i, agent in enumerate(self.seats)
        ]

    def label(self, player: int, who: str) -> Text:
        """A player's stones, or number, and who plays them."""
        sign = mark(self.console, self.start, player)
        return sign + Text(f" {who}" if isinstance(self.start, Board) else f" ({who})")

    def introduce(self) -> None:
        """Say what is played, and who plays."""
        name = Text(f"{title(self.start)} — ", "bold")
        self.console.print(name + Text(summary(type(self.start))))
        for player, agent in enumerate(self.seats):
            who = "you" if [player] == self.people else repr(agent)
            self.console.print(self.label(player, who + task(self.start, player)))
        if self.people:
            self.console.print("Type a move, or help, undo or resign.", style="dim")
        else:
            draw(self.console, self.here, self.before.get(self.here))

    def on_move(self, position: Position, action: int | None) -> None:
        """A move was made: announce it, once chance has answered it where it has to."""
        assert action is not None
        self.before[position] = self.here
        name = self.here.name(action)
        if self.here.to_move != CHANCE:
            self.mover, self.said = self.here.to_move, []
        self.said.append(name)
        self.here = position
        if position.to_move == CHANCE and not position.is_terminal():
            return
        self.announce()
        self.found, self.mover, self.said = None, CHANCE, []
        if position.is_terminal() or not self.people:
            draw(self.console, position, self.before[position])

    def announce(self) -> None:
        """Say what was played, what chance made of it, and what a search saw.

        Not to the only person of a move of theirs, if chance had no part in it.
        """
        move, *chances = self.said
        words = Text(move, "bold") + Text(f": {' '.join(chances)}" if chances else "", "bold")
        if [self.mover] == self.people:
            if chances:
                self.console.print(Text("You ") + words)
            return
        who = Text("chance")
        if self.mover != CHANCE:
            who = self.label(self.mover, self.seats[self.mover].name)
        line = who + Text(" plays ") + words
        if (found := self.found) is not None:
            value = f"value {found.value:+.4g}"
            if found.proven:
                value = f"sees {worth(found.value, self.here.max_utility)}"
            if found.depth:
                value += f", depth {found.depth}, {found.nodes:,} nodes"
            line += Text(f"  {value}, {found.seconds:.2f} s", "dim")
        self.console.print(line)

    def report(self, game: agents.Game) -> None:
        """How it ended, in a line, and the moves. Refusal if an agent failed."""
        resigned = game.reason.endswith("resigned")
        if game.reason and not resigned:
            raise Refusal(game.reason, 1)
        self.console.print(Text("Resigned. " if resigned else "") + self.verdict(game.utilities))
        actions = [*self.made, *game.actions]
        if actions:
            line = write_line(self.start, actions)
            self.console.print(f"Moves: {line}", style="dim", soft_wrap=True)

    def verdict(self, utilities: tuple[float, ...]) -> Text:
        """Who won, as told to the only person there is, or to whoever watches."""
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
    """An agent as it is; the screen shows that it thinks, and hears what it found."""

    agent: agents.Agent
    screen: Screen = field(repr=False)
    _ready: bool = field(default=False, init=False, repr=False)

    def reset(self, seed: int | None = None) -> None:
        """Begin a new game."""
        self.agent.reset(seed)

    def act(self, position: Position) -> int:
        """The agent's own action."""
        self.screen.here = position
        name, agent = self.agent.name, self.agent
        what = f"{name} thinks" + ("" if self._ready else " (the first time ever, it compiles)")
        with busy(self.screen.console, what):
            if isinstance(agent, agents.SearchAgent) and uses_analyse(agent):
                self.screen.found = agent.analyse(position)
                action = self.screen.found.action
            else:
                action = agent.act(position)
        self._ready = True
        return action

    def __repr__(self) -> str:
        return repr(self.agent)


def uses_analyse(agent: agents.SearchAgent) -> bool:
    """Whether what the agent does is what ``analyse`` finds."""
    return type(agent).act is agents.SearchAgent.act


@dataclass(repr=False)
class Person(agents.Human):
    """A human at this terminal."""

    screen: Screen = field(kw_only=True, repr=False)
    _moves: int = field(default=0, init=False, repr=False)

    def act(self, position: Position) -> int:
        """The move that was typed."""
        self.screen.here = position
        action = super().act(position)
        self._moves += 1
        return action

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
        """What is typed, with the keys for editing and for earlier input where there are any."""
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401
        sign = mark(self.screen.console, position, position.to_move).plain
        try:
            typed = input(f"Your move, {sign}: ")
        except EOFError:
            self.tell("")
            raise
        if not sys.stdin.isatty():
            self.tell(typed)  # a terminal has shown it
        return typed

    def help(self, position: Position) -> None:
        """The game, the legal moves, the commands."""
        self.tell(summary(type(position)))
        super().help(position)

    def tell(self, text: str) -> None:
        """Say something."""
        self.screen.console.print(text)
