"""Compares our Monte Carlo tree search with OpenSpiel's C++ ``MCTSBot``, in turns in one process.

Simulations a second from the start position, CPU time, one thread, one random playout each, UCT,
nothing proven or kept, in turns (see ``compare.py``); the last column is ours as it plays by
default, with the playouts and the RAVE that suit the game best. With --match also games: each
random opening is played twice with seats swapped, at equal simulations and at equal time; the
bot proves and backs up wins and losses, too. With --knowledge ours plays Hex at equal time against
itself without virtual connections. Needs ``open_spiel``.

    python benchmarks/mcts.py [--pairs 7] [--match] [--knowledge] [--openings 100]
                              [--simulations 1000] [--seconds 0.05] [--games connect_four hex7]
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from statistics import mean, stdev
from typing import Any

import pyspiel
from compare import Contestant, Machine, at_least, compare, parser_of, printer, rate
from rich.table import Table

from adv_envs import ConnectFour, Hex, Position, TicTacToe
from agents import MCTS, Agent, Game, match
from agents.agent import require_unfinished
from agents.games.hex import bridge_playouts as hex
from agents.mcts import playouts as general

MEGABYTES = 1000

GAMES: dict[str, tuple[Position, str, int, Any]] = {
    "tic_tac_toe": (TicTacToe(), "tic_tac_toe", 400_000, general.filling),
    "connect_four": (ConnectFour(), "connect_four", 100_000, general.filling),
    "hex11": (Hex(11), "hex(board_size=11)", 15_000, hex.dealt),
    "hex7": (Hex(7), "hex(board_size=7)", 30_000, hex.dealt),
}
"""Ours, OpenSpiel's, how many simulations are timed, and how ours plays random moves."""

UCT_C = 2.0
"""The exploration of the bot, as in OpenSpiel's examples."""


@dataclass(repr=False)
class Bot(Agent):
    """Plays as OpenSpiel's MCTSBot, as one of our agents."""

    game: str = "connect_four"
    simulations: int = 1000
    seconds: float = -1.0
    solve: bool = True
    seed: int = 1

    name = "open_spiel"

    def __post_init__(self) -> None:
        """Loads the game."""
        self.rules = pyspiel.load_game(self.game)
        self.reset(self.seed)

    def reset(self, seed: int | None = None) -> None:
        """Makes a new bot with a new seed."""
        seed = (self.seed if seed is None else seed) % 2**31
        self.bot = pyspiel.MCTSBot(
            self.rules,
            pyspiel.RandomRolloutEvaluator(1, seed),
            UCT_C,
            self.simulations,
            MEGABYTES,
            self.solve,
            seed,
            False,
            pyspiel.ChildSelectionPolicy.UCT,
            self.seconds,
        )

    def state(self, position: Any) -> Any:
        """Returns the same position in OpenSpiel's words, by any order of moves that gives it."""
        state = self.rules.new_initial_state()
        for action in line_to(position):
            state.apply_action(action)
        return state

    def act(self, position: Position) -> int:
        """Returns the action the bot chooses."""
        require_unfinished(position)
        return int(self.bot.step(self.state(position)))

    def search(self, position: Position) -> int:
        """Searches, and returns how many simulations were made."""
        return int(self.bot.mcts_search(self.state(position)).explore_count)


def line_to(position: Any) -> list[int]:
    """Returns actions from the start to ``position``: Connect Four, or a game that fills cells."""
    if isinstance(position, ConnectFour):
        return drops_to(position)
    players = [
        [a for a in range(position.num_actions) if position.stones(p) >> position.entry(a) & 1]
        for p in (0, 1)
    ]
    return [players[i % 2][i // 2] for i in range(position.ply)]


def drops_to(position: ConnectFour) -> list[int]:
    """Returns columns in an order that sets the same stones: depth first, the last stone first."""
    filled = [0] * position.width

    def search(ply: int) -> list[int] | None:
        if ply == position.ply:
            return []
        for column in range(position.width):
            row = position.height - 1 - filled[column]
            if row >= 0 and position.cell(row, column) == ply % 2:
                filled[column] += 1
                rest = search(ply + 1)
                filled[column] -= 1
                if rest is not None:
                    return [column, *rest]
        return None

    found = search(0)
    assert found is not None
    return found


def speeds(pairs: int) -> Table:
    """Measures simulations a second, ours and the bot's in turns."""
    table = Table(title="simulations/s from the start position, CPU time, one thread")
    titles = "game", "OpenSpiel C++ MCTSBot", "ours, the same", "ratio, median (range)"
    for column in (*titles, "ours as it plays"):
        table.add_column(column, justify="left" if column == "game" else "right")
    for name in ("tic_tac_toe", "connect_four", "hex11"):
        position, theirs, number, random_play = GAMES[name]
        bot = Bot(theirs, number, solve=False)
        many = 4 * number  # ours is faster: let both work for about as long
        options: dict[str, Any] = {"solver": False, "reuse": False, "seed": 1}  # so no knowledge
        options["table_mb"] = MEGABYTES
        same = MCTS(many, rave=0, playouts=random_play, **options)
        usual = MCTS(number, **options)
        searches: dict[str, Contestant] = {
            "bot": rate(partial(bot.search, position)),
            "same": rate(partial(simulations, same, position)),
            "usual": rate(partial(simulations, usual, position)),
        }
        found = compare(searches, pairs, name)
        ratio = str(found.ratio("same", "bot"))
        shown = [f"{found.speed(who):,.0f}" for who in searches]
        table.add_row(name, shown[0], shown[1], ratio, shown[2])
    return table


def simulations(search: MCTS, position: Position) -> int:
    """Searches, and returns how many simulations were made."""
    return search.analyse(position).nodes


def matches(games: list[str], pairs: int, simulations: int, seconds: float) -> Table:
    """Measures our score against the bot, with its 95 % interval over pairs of games."""
    table = Table(title=f"score of ours against the bot, {pairs} pairs of games")
    for column in ("game", "each has", "won drawn lost", "score", "95 %"):
        table.add_column(column)
    for name in games:
        position, theirs, *_ = GAMES[name]
        equal = (
            (
                f"{simulations} simulations",
                MCTS(simulations, reuse=False),
                Bot(theirs, simulations),
            ),
            (f"{seconds} s a move", MCTS(seconds=seconds), Bot(theirs, 10**9, seconds)),
        )
        for budget, ours, bot in equal:
            table.add_row(name, budget, *outcome(position, ours, bot, pairs))
    return table


def of_knowledge(pairs: int, seconds: float) -> Table:
    """Measures our score in Hex with virtual connections against ours without."""
    table = Table(title=f"Hex at {seconds} s a move, knowledge against none, {pairs} pairs")
    for column in ("size", "won drawn lost", "score", "95 %"):
        table.add_column(column)
    for size in (9, 11):
        ours, without = MCTS(seconds=seconds), MCTS(seconds=seconds, knowledge=0)
        without.act(Hex(size))  # compiles
        table.add_row(str(size), *outcome(Hex(size), ours, without, pairs))
    return table


def outcome(position: Position, ours: Agent, other: Agent, pairs: int) -> tuple[str, str, str]:
    """Describes games won, drawn and lost by ours, its score, and the 95 % interval."""
    ours.act(position)  # compiles
    result = match(position, ours, other, pairs=pairs, plies=2, seed=1)
    total = result.total
    low, high = interval([pair_score(*result.games[i : i + 2]) for i in range(0, 2 * pairs, 2)])
    counts = f"{total.wins} {total.draws} {total.losses}"
    return counts, f"{total.points / total.games:.1%}", f"{low:.1%} - {high:.1%}"


def pair_score(first: Game, second: Game) -> float:
    """Returns our part of a pair: the first seat in the first game, the second in the other."""
    return 0.5 + (first.utilities[0] + second.utilities[1]) / 4


def interval(scores: list[float]) -> tuple[float, float]:
    """Returns the 95 % confidence interval of the mean."""
    error = 1.96 * stdev(scores) / len(scores) ** 0.5 if len(scores) > 1 else 1.0
    return max(mean(scores) - error, 0.0), min(mean(scores) + error, 1.0)


def main() -> None:
    """Measures and prints the tables."""
    parser = parser_of(__doc__)
    parser.add_argument("--match", action="store_true", help="play matches instead")
    parser.add_argument("--knowledge", action="store_true", help="play Hex with and without it")
    parser.add_argument("--openings", type=at_least(2), default=100, help="each is played twice")
    parser.add_argument("--simulations", type=at_least(1), default=1000)
    parser.add_argument("--seconds", type=float, default=0.05)
    parser.add_argument("--games", nargs="+", choices=GAMES, default=["connect_four", "hex7"])
    args = parser.parse_args()
    if args.knowledge:
        printer().print(of_knowledge(args.openings, args.seconds))
    elif args.match:
        printer().print(matches(args.games, args.openings, args.simulations, args.seconds))
    else:
        with Machine():
            printer().print(speeds(args.pairs))


if __name__ == "__main__":
    main()
