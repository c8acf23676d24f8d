"""Counts move sequences per second in every game, beside OpenSpiel, python-chess and pyffish.

Perft counts the sequences of ``depth`` moves from the start; a game that ends sooner has none. The
moves of the last ply are counted and not played, by everybody. Ours is compiled and on one core;
OpenSpiel's states are C++, python-chess is Python, pyffish is Fairy-Stockfish's generator, all of
them driven from Python. Every peer counts at its own depth, so as to take a moment, and the counts
of equal depths are compared first. They take turns (see ``compare.py``). Peers that are not
installed are left out (``pip install open_spiel chess pyffish``).

The size of a position is what it takes in a batch and in the table of a search, in bytes.

    python benchmarks/perft.py [--games chess,othello] [--pairs 7]
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any, NamedTuple

from compare import Machine, compare, parser_of, printer, rate
from rich.table import Table

from adv_envs import GAMES, Position, start_position
from adv_envs.bits import num_words, scratch
from adv_envs.jit import kernel

Count = Callable[[int], int]
"""``count(depth)``: perft of a peer's own start position."""


@kernel
def perft(position: Any, depth: int) -> int:
    """Returns how many sequences of ``depth`` moves there are, ``depth`` >= 1."""
    if position.is_terminal():
        return 0
    if not position.lists_legal:
        lines = 0
        for action in range(position.num_actions):
            if position.legal(action):
                lines += 1 if depth == 1 else perft(position.play(action), depth - 1)
        return lines
    actions = scratch(position.num_actions)
    number = position.write_legal(actions)
    if depth == 1:
        return int(number)
    lines = 0
    for i in range(number):
        lines += perft(position.play(int(actions[i])), depth - 1)
    return lines


class Case(NamedTuple):
    """Names a game: our parameters, our depth, and the peers with their names for it and depths."""

    depth: int
    parameters: tuple[tuple[str, Any], ...] = ()
    peers: tuple[tuple[str, str, int], ...] = ()
    whole_moves: bool = True
    """Whether a ply is one move of the peers, so that their counts are ours."""


GOOFSPIEL = (
    "turn_based_simultaneous_game"
    "(game=goofspiel(num_cards=7,points_order=descending,imp_info=true))"
)

HOLDEM = (
    "universal_poker(betting=limit,numPlayers=2,numRounds=4,blind=1 2,firstPlayer=1 2 2 2,"
    "numSuits=4,numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,raiseSize=2 2 4 4,"
    "maxRaises=3 4 4 4,stack=100 100)"
)

CASES: dict[str, Case] = {
    "tic_tac_toe": Case(9, peers=(("OpenSpiel", "tic_tac_toe", 6),)),
    "connect_four": Case(8, peers=(("OpenSpiel", "connect_four", 5),)),
    "domineering": Case(5),
    "gomoku": Case(4, peers=(("OpenSpiel", "gomoku", 2),)),
    "othello": Case(9, peers=(("OpenSpiel", "othello", 6), ("pyffish", "flipello", 5))),
    "ultimate_tic_tac_toe": Case(
        7, peers=(("OpenSpiel", "ultimate_tic_tac_toe", 4),), whole_moves=False
    ),
    "clobber": Case(5, peers=(("OpenSpiel", "clobber", 3), ("pyffish", "clobber", 3))),
    "hex": Case(3, peers=(("OpenSpiel", "hex", 2),)),
    "havannah": Case(3, peers=(("OpenSpiel", "havannah", 2),)),
    "y": Case(3, peers=(("OpenSpiel", "y", 2),)),
    "breakthrough": Case(
        6, peers=(("OpenSpiel", "breakthrough", 4), ("pyffish", "breakthrough", 3))
    ),
    "minichess": Case(7, peers=(("pyffish", "gardner", 4),)),
    "animal_shogi": Case(7, (("repetition", "ignored"),), peers=(("pyffish", "dobutsu", 4),)),
    "nim": Case(8, peers=(("OpenSpiel", "nim", 6),)),
    "amazons": Case(6, peers=(("OpenSpiel", "amazons(board_size=10)", 4),)),
    "nine_mens_morris": Case(7, peers=(("OpenSpiel", "nine_mens_morris", 4),)),
    "lines_of_action": Case(5, peers=(("OpenSpiel", "lines_of_action", 3),)),
    "kalah": Case(9, peers=(("OpenSpiel", "mancala", 6),)),
    "checkers": Case(8, peers=(("OpenSpiel", "checkers", 5),)),
    "dots_and_boxes": Case(5, peers=(("OpenSpiel", "dots_and_boxes(num_rows=3,num_cols=3)", 3),)),
    "go": Case(3, peers=(("OpenSpiel", "go(board_size=9)", 2),)),
    "backgammon": Case(7, peers=(("OpenSpiel", "backgammon", 4),), whole_moves=False),
    "chess": Case(
        5,
        peers=(("OpenSpiel", "chess", 3), ("python-chess", "chess", 3), ("pyffish", "chess", 3)),
    ),
    "quoridor": Case(3, peers=(("OpenSpiel", "quoridor", 2),)),
    "kuhn": Case(9, (("players", 4),), peers=(("OpenSpiel", "kuhn_poker(players=4)", 7),)),
    "hanabi": Case(
        8,
        (("colours", 2), ("ranks", 2), ("hand_size", 1)),
        peers=(("OpenSpiel", "hanabi(players=2,colors=2,ranks=2,hand_size=1)", 6),),
    ),
    "leduc": Case(9, (("players", 3),), peers=(("OpenSpiel", "leduc_poker(players=3)", 7),)),
    "gin_rummy": Case(4, peers=(("OpenSpiel", "gin_rummy", 3),)),
    "texas_holdem": Case(5, peers=(("OpenSpiel", HOLDEM, 3),), whole_moves=False),
    "texas_holdem_no_limit": Case(5),
    "liars_dice": Case(8, peers=(("OpenSpiel", "liars_dice", 5),)),
    "goofspiel": Case(
        10,
        (("cards", 7), ("order", -1), ("secret", True)),
        peers=(("OpenSpiel", GOOFSPIEL, 6),),
    ),
    "rock_paper_scissors": Case(14, (("rounds", 15),)),
}
"""By the name of the game; a game without an entry is counted to a depth that takes a moment."""


def open_spiel(name: str) -> Count:
    """Counts by OpenSpiel's states."""
    import pyspiel

    def count(state: Any, depth: int) -> int:
        actions = state.legal_actions()
        if depth == 1:
            return len(actions)
        return sum(count(state.child(action), depth - 1) for action in actions)

    start = pyspiel.load_game(name).new_initial_state()
    return lambda depth: count(start, depth)


def python_chess(name: str) -> Count:
    """Counts by python-chess, which makes and takes back its moves."""
    import chess

    def count(board: Any, depth: int) -> int:
        if depth == 1:
            return int(board.legal_moves.count())
        lines = 0
        for move in board.legal_moves:
            board.push(move)
            lines += count(board, depth - 1)
            board.pop()
        return lines

    return lambda depth: count(chess.Board(), depth)


def pyffish(name: str) -> Count:
    """Counts by pyffish, which is given the moves from the start each time."""
    import pyffish as library

    start = library.start_fen(name)

    def count(moves: list[str], depth: int) -> int:
        legal = library.legal_moves(name, start, moves)
        if depth == 1:
            return len(legal)
        return sum(count([*moves, move], depth - 1) for move in legal)

    return lambda depth: count([], depth)


PEERS: dict[str, tuple[str, Callable[[str], Count]]] = {
    "OpenSpiel": ("pyspiel", open_spiel),
    "python-chess": ("chess", python_chess),
    "pyffish": ("pyffish", pyffish),
}


def suitable_depth(start: Position) -> int:
    """Returns the largest depth with at most some hundred thousand sequences."""
    depth = 1
    while depth < 12 and 0 < perft(start, depth) < 200_000:
        depth += 1
    return depth


def measured(name: str, pairs: int) -> tuple[list[str], ...]:
    """Returns the rows of one game: ours, then each peer that is installed."""
    case = CASES.get(name)
    start = start_position(name, **dict(case.parameters if case else ()))
    depth = case.depth if case else suitable_depth(start)
    counts: dict[str, Count] = {"adv_envs": lambda depth: int(perft(start, depth))}
    depths = {"adv_envs": depth}
    for peer, theirs, their_depth in case.peers if case else ():
        module, make = PEERS[peer]
        if importlib.util.find_spec(module) is None:
            continue
        counts[peer], depths[peer] = make(theirs), their_depth
        found, ours = counts[peer](their_depth), counts["adv_envs"](their_depth)
        if case is not None and case.whole_moves and found != ours:
            raise SystemExit(f"{name}: {peer} counts {found} at depth {their_depth}, we {ours}")
    works = {
        who: rate(lambda who=who: counts[who](depths[who]))  # type: ignore[misc]
        for who in counts
    }
    result = compare(works, pairs, name)
    size = 8 * num_words(start)
    return tuple(
        [
            name if who == "adv_envs" else "",
            who,
            str(depths[who]),
            f"{counts[who](depths[who]):,}",
            f"{result.speed(who) / 1e6:,.3g} M",
            "" if who == "adv_envs" else str(result.ratio("adv_envs", who)),
            f"{size}" if who == "adv_envs" else "",
        ]
        for who in counts
    )


def main() -> None:
    """Prints the table."""
    parser = parser_of(__doc__)
    parser.add_argument("--games", help="names with commas between; all")
    given = parser.parse_args()
    names = given.games.split(",") if given.games else list(GAMES)
    table = Table(title="Sequences of moves counted per second, one core")
    for heading in ("game", "by", "depth", "sequences", "per second", "ours is", "bytes"):
        table.add_column(heading, justify="left" if heading in ("game", "by") else "right")
    with Machine():
        for name in names:
            if start_position(name).is_compiled:
                for row in measured(name, given.pairs):
                    table.add_row(*row)
    printer().print(table)


if __name__ == "__main__":
    main()
