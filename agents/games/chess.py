"""Evaluates chess by piece and square; captures first and to the end, exact endings, opponents.

The endings are those of queen, rook or pawn and king against king, all of them at once by
retrograde analysis: mates are found first, then, ply by ply, what leads to a known win or cannot
avoid a known loss. A position is a number that has the piece, who is to move and the squares of the
three pieces, as the side with the piece sees the board. The values know nothing of draws by
repetition, and of fifty moves only that no win here takes as many.

Sources: R. Friederich, PeSTO's Evaluation Function, Chess Programming Wiki, whose tables were tuned
for the program RofChade by fitting the results of games; T. Ströhlein, Untersuchungen über
kombinatorische Spiele (1970).
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.bits import count, lowest, scratch, single
from adv_envs.games.chess import NEVER, Chess
from adv_envs.jit import kernel
from adv_envs.position import Wide, checked
from agents.dialects import GtpGame, UciGame
from agents.knowledge import ExactValues, Knowledge, SolutionText, by_number, register_knowledge
from agents.spec import register
from agents.symmetries import PlayerExchange

from .scored_endings import ScoredEndings

# ---- evaluations

MIDDLEGAME = """
     0    0    0    0    0    0    0    0
    98  134   61   95   68  126   34  -11
    -6    7   26   31   65   56   25  -20
   -14   13    6   21   23   12   17  -23
   -27   -2   -5   12   17    6   10  -25
   -26   -4   -4  -10    3    3   33  -12
   -35   -1  -20  -23  -15   24   38  -22
     0    0    0    0    0    0    0    0

  -167  -89  -34  -49   61  -97  -15 -107
   -73  -41   72   36   23   62    7  -17
   -47   60   37   65   84  129   73   44
    -9   17   19   53   37   69   18   22
   -13    4   16   13   28   19   21   -8
   -23   -9   12   10   19   17   25  -16
   -29  -53  -12   -3   -1   18  -14  -19
  -105  -21  -58  -33  -17  -28  -19  -23

   -29    4  -82  -37  -25  -42    7   -8
   -26   16  -18  -13   30   59   18  -47
   -16   37   43   40   35   50   37   -2
    -4    5   19   50   37   37    7   -2
    -6   13   13   26   34   12   10    4
     0   15   15   15   14   27   18   10
     4   15   16    0    7   21   33    1
   -33   -3  -14  -21  -13  -12  -39  -21

    32   42   32   51   63    9   31   43
    27   32   58   62   80   67   26   44
    -5   19   26   36   17   45   61   16
   -24  -11    7   26   24   35   -8  -20
   -36  -26  -12   -1    9   -7    6  -23
   -45  -25  -16  -17    3    0   -5  -33
   -44  -16  -20   -9   -1   11   -6  -71
   -19  -13    1   17   16    7  -37  -26

   -28    0   29   12   59   44   43   45
   -24  -39   -5    1  -16   57   28   54
   -13  -17    7    8   29   56   47   57
   -27  -27  -16  -16   -1   17   -2    1
    -9  -26   -9  -10   -2   -4    3   -3
   -14    2  -11   -2   -5    2   14    5
   -35   -8   11    2    8   15   -3    1
    -1  -18   -9   10  -15  -25  -31  -50

   -65   23   16  -15  -56  -34    2   13
    29   -1  -20   -7   -8   -4  -38  -29
    -9   24    2  -16  -20    6   22  -22
   -17  -20  -12  -27  -30  -25  -14  -36
   -49   -1  -27  -39  -46  -44  -33  -51
   -14  -14  -22  -46  -44  -30  -15  -27
     1    7   -8  -64  -43  -16    9    8
   -15   36   12  -54    8  -28   24   14
"""
ENDGAME = """
     0    0    0    0    0    0    0    0
   178  173  158  134  147  132  165  187
    94  100   85   67   56   53   82   84
    32   24   13    5   -2    4   17   17
    13    9   -3   -7   -7   -8    3   -1
     4    7   -6    1    0   -5   -1   -8
    13    8    8   10   13    0    2   -7
     0    0    0    0    0    0    0    0

   -58  -38  -13  -28  -31  -27  -63  -99
   -25   -8  -25   -2   -9  -25  -24  -52
   -24  -20   10    9   -1   -9  -19  -41
   -17    3   22   22   22   11    8  -18
   -18   -6   16   25   16   17    4  -18
   -23   -3   -1   15   10   -3  -20  -22
   -42  -20  -10   -5   -2  -20  -23  -44
   -29  -51  -23  -15  -22  -18  -50  -64

   -14  -21  -11   -8   -7   -9  -17  -24
    -8   -4    7  -12   -3  -13   -4  -14
     2   -8    0   -1   -2    6    0    4
    -3    9   12    9   14   10    3    2
    -6    3   13   19    7   10   -3   -9
   -12   -3    8   10   13    3   -7  -15
   -14  -18   -7   -1    4   -9  -15  -27
   -23   -9  -23   -5   -9  -16   -5  -17

    13   10   18   15   12   12    8    5
    11   13   13   11   -3    3    8    3
     7    7    7    5    4   -3   -5   -3
     4    3   13    1    2    1   -1    2
     3    5    8    4   -5   -6   -8  -11
    -4    0   -5   -1   -7  -12   -8  -16
    -6   -6    0    2   -9   -9  -11   -3
    -9    2    3   -1   -5  -13    4  -20

    -9   22   22   27   27   19   10   20
   -17   20   32   41   58   25   30    0
   -20    6    9   49   47   35   19    9
     3   22   24   45   57   40   57   36
   -18   28   19   47   31   34   39   23
   -16  -27   15    6    9   17   10    5
   -22  -23  -30  -16  -16  -23  -36  -32
   -33  -28  -22  -43   -5  -32  -20  -41

   -74  -35  -18  -18  -11   15    4  -17
   -12   17   14   17   17   38   23   11
    10   17   23   15   20   45   44   13
    -8   22   24   27   26   33   26    3
   -18   -4   21   24   27   23    9  -11
   -19   -3   11   21   23   16    7   -9
   -27  -11    4   13   14    4   -5  -17
   -53  -34  -21  -11  -28  -14  -24  -43
"""
"""In hundredths of a pawn, six tables: pawn, knight, bishop, rook, queen, king; in each the eighth
rank first, as White sees the board."""

MATERIAL = ((82, 337, 365, 477, 1025, 0), (94, 281, 297, 512, 936, 0))
"""What the pieces themselves are worth, in the middlegame and in the endgame."""


def piece_square_values() -> NDArray[np.int64]:
    """Returns the value of piece and square, (2, 6, 64): phase, kind, square as the rules count."""
    tables = np.array([MIDDLEGAME.split(), ENDGAME.split()], np.int64).reshape(2, 6, 8, 8)
    by_file = tables[:, :, ::-1, :].swapaxes(2, 3).reshape(2, 6, 64)
    return np.ascontiguousarray(by_file + np.array(MATERIAL)[:, :, None])


def stretched(values: NDArray[np.int64], side: int) -> NDArray[np.int64]:
    """Returns ``piece_square_values`` of a smaller board, corner upon corner: (2, 6, side * side).

    Between the squares of the board of chess they are interpolated along files, then along ranks.
    """
    places, table = np.linspace(0, 7, side), values.reshape(2, 6, 8, 8)
    for axis in (2, 3):
        table = np.apply_along_axis(lambda line: np.interp(places, range(8), line), axis, table)
    return np.rint(table.reshape(2, 6, side * side)).astype(np.int64)


VALUES = np.concatenate([piece_square_values(), stretched(piece_square_values(), 5)], axis=2)
"""The values on the 64 squares of chess, then those on the 25 of Gardner's minichess."""


@kernel
def material(position: Chess) -> float:
    """Returns the material of the player to move less that of the opponent, in pawns: 1 3 3 5 9."""
    own, opp = position.own, position.opp
    queens = position.diagonal & position.straight
    value = count(position.pawns & own) - count(position.pawns & opp)
    minor = position.knights | position.diagonal ^ queens
    value += 3 * (count(minor & own) - count(minor & opp))
    rooks = position.straight ^ queens
    value += 5 * (count(rooks & own) - count(rooks & opp))
    return 1.0 * (value + 9 * (count(queens & own) - count(queens & opp)))


@kernel
def pesto(position: Chess) -> float:
    """Returns what the pieces are worth on their squares, less those of the opponent, in pawns.

    Each piece counts by its square, from the tables for the middlegame and for the endgame in the
    proportion of the pieces that are left. Antisymmetric.
    """
    queens = position.diagonal & position.straight
    bishops, rooks = position.diagonal ^ queens, position.straight ^ queens
    kinds = (position.pawns, position.knights, bishops, rooks, queens, position.kings)
    first = 0 if position.side == 8 else 64
    middle, end = 0, 0
    for kind in range(6):
        own, opp = kinds[kind] & position.own, kinds[kind] & position.opp
        while own != 0:
            square = first + lowest(own)
            middle += VALUES[0, kind, square]
            end += VALUES[1, kind, square]
            own &= own - 1
        while opp != 0:
            square = first + position.opposite(lowest(opp))
            middle -= VALUES[0, kind, square]
            end -= VALUES[1, kind, square]
            opp &= opp - 1
    left = min(24, count(kinds[1]) + count(bishops) + 2 * count(rooks) + 4 * count(queens))
    return float(middle * left + end * (24 - left)) / 2400.0


@kernel
def noise(position: Chess, action: int) -> float:
    """Returns about how much a capture or promotion wins at once, in pawns; 0 for other moves.

    The most valuable victim counts first, then the least valuable attacker.
    """
    square, plane = action // position.num_planes, action % position.num_planes
    piece = single(square, position.own)
    target = position.landing(piece, plane)
    gain = piece_value(position, position.captured(piece, target))
    queens = target & position.last_rank != 0 and plane < position.first_promotion
    if piece & position.pawns != 0 and queens:
        gain += 8.0
    return gain - 0.01 * piece_value(position, piece) if gain > 0.0 else 0.0


@kernel
def piece_value(position: Chess, piece: Wide) -> float:
    """Returns the value of the piece on a square, 10 for a king and 0 for none."""
    if piece & (position.own | position.opp) == 0:
        return 0.0
    if piece & position.pawns != 0:
        return 1.0
    if piece & position.kings != 0:
        return 10.0
    if piece & position.straight != 0:
        return 9.0 if piece & position.diagonal != 0 else 5.0
    return 3.0


# ---- exact endings

QUEEN, ROOK, PAWN = range(3)
SIZE = 3 << 19
"""How many numbers positions have; of most pairs of them that differ in the side to move, both are
positions."""
DRAWN = -1
"""Instead of the number of a position in which nobody can be mated."""
MOST_MOVES = 16_000_000
LATEST = 40
"""The clock from which on a win might come too late for the fifty-move rule."""
MOST_VISITED = 6
"""The most pieces with which ``Retrograde`` is left to try: with more it never ends."""
LONGEST = 100
"""A mate after n plies has the score LONGEST - n: no ending takes as many."""

Values = NDArray[np.int8]
"""By number: n + 1 for a win in n plies, -(n + 1) for a loss, 0 for draws and what is no position,
shape (SIZE,)."""


@kernel
def numbered(number: int, like: Chess) -> Chess:
    """Returns the position of that number; one without pieces if there is none."""
    kind, weak = number >> 19, number >> 18 & 1 != 0
    none = like.own & 0
    squares = number >> 12 & 63, number >> 6 & 63, number & 63
    king, bare, piece = single(squares[0], none), single(squares[1], none), single(squares[2], none)
    right = king & bare == 0 and (king | bare) & piece == 0 and max(squares) < like.board_bits
    if kind == PAWN and piece & (like.first_rank | like.last_rank) != 0:
        right = False
    pawns = piece if kind == PAWN else none
    diagonal = piece if kind == QUEEN else none
    straight = none if kind == PAWN else piece
    strong = like.with_fields(
        NEVER, king | piece, bare, pawns, diagonal, straight, king | bare, none, none, 0, 0, 0,
        0,
    )  # fmt: skip
    other = turned(strong)
    if not right or (strong.in_check() if weak else other.in_check()):
        return like.with_fields(NEVER, none, none, none, none, none, none, none, none, 0, 0, 0, 0)
    return other if weak else strong


@kernel
def turned(position: Chess) -> Chess:
    """Returns the position with the other player to move, for boards without a past."""
    none = position.own & 0
    return position.with_fields(
        NEVER,
        position.mirrored(position.opp),
        position.mirrored(position.own),
        position.mirrored(position.pawns),
        position.mirrored(position.diagonal),
        position.mirrored(position.straight),
        position.mirrored(position.kings),
        none,
        none,
        0,
        1 - position.ply,
        0,
        0,
    )


@kernel
def number_of(position: Chess) -> int:
    """Returns the number of a position of three pieces at most, or DRAWN."""
    piece = (position.own | position.opp) & ~position.kings
    if piece == 0 or position.is_dead():
        return DRAWN
    kind = ROOK if position.straight & piece != 0 else PAWN
    if position.diagonal & piece != 0:
        kind = QUEEN
    king, bare = lowest(position.own & position.kings), lowest(position.opp & position.kings)
    number, square = kind << 19, lowest(piece)
    if piece & position.own == 0:
        number |= 1 << 18
        king, bare = position.opposite(bare), position.opposite(king)
        square = position.opposite(square)
    return number | king << 12 | bare << 6 | square


@kernel
def list_moves(
    like: Chess, first: NDArray[np.int32], children: NDArray[np.int32], values: Values
) -> int:
    """Writes the numbers that each number leads to, from children[first[number]] on, and mates.

    Returns how many there are in all. ``first`` has SIZE + 1 elements.
    """
    n, actions = 0, scratch(like.num_actions)
    for number in range(SIZE):
        first[number] = n
        position = numbered(number, like)
        if position.kings != 0:
            if position.can_move():
                for i in range(position.write_legal(actions)):
                    children[n] = number_of(position.play(int(actions[i])))
                    n += 1
            elif position.in_check():
                values[number] = -1
    first[SIZE] = n
    return n


@kernel
def work_back(
    plies: int, first: NDArray[np.int32], children: NDArray[np.int32], values: Values
) -> int:
    """Finds what is won or lost in ``plies``, all that takes less being known; returns how much."""
    found = 0
    for number in range(SIZE):
        if values[number] != 0 or first[number] == first[number + 1]:
            continue
        wins, longest = False, 0
        for i in range(first[number], first[number + 1]):
            value = 0 if children[i] == DRAWN else int(values[children[i]])
            if value == -plies:
                wins = True
                break
            longest = LONGEST if value <= 0 else max(longest, value)
        if wins:
            values[number] = plies + 1
        elif longest == plies:
            values[number] = -(plies + 1)
        found += values[number] != 0
    return found


@lru_cache
def solved(game: type[Chess] = Chess) -> Values:
    """Returns the values of all numbers, which takes some seconds the first time."""
    like = game(draws="never")
    first, children = np.zeros(SIZE + 1, np.int32), np.empty(MOST_MOVES, np.int32)
    values = np.zeros(SIZE, np.int8)
    list_moves(like, first, children, values)
    plies, idle = 1, 0
    while idle < 2:
        idle = 0 if work_back(plies, first, children, values) else idle + 1
        plies += 1
    return values


def covers(position: Position) -> bool:
    """Returns whether the position has three pieces, two of them kings, and no long past."""
    if not isinstance(position, Chess) or position.castling or position.clock > LATEST:
        return False
    return (position.own | position.opp).bit_count() == 3


def solver_of(position: Position) -> type[ChessEndings] | None:
    """Returns ``ChessEndings``, also where it refuses: with many pieces no other solver can help.

    With few, and a clock near its end or castling, there may be few enough positions to visit all.
    """
    many = isinstance(position, Chess) and (position.own | position.opp).bit_count() > MOST_VISITED
    refused = many and not position.is_terminal()
    return ChessEndings if refused or covers(position) else None


def score(position: Chess) -> int:
    """Returns LONGEST - n if the player to move mates in n plies, -(LONGEST - n) if mated, or 0."""
    number = number_of.plain(position)
    value = 0 if number == DRAWN else int(solved(type(position))[number])
    if value == 0:
        return 0
    left = LONGEST + 1 - abs(value)
    return left if value > 0 else -left


@dataclass(repr=False)
class ChessEndings(ScoredEndings):
    """Computes the exact value of endings of three pieces: who mates and when, with best play.

    A mate after n plies has the score 100 - n, being mated -(100 - n), a draw 0. It takes some
    seconds the first time in a process.
    """

    name: ClassVar[str] = "chess_endings"

    def value(self, position: Position) -> float:
        """Returns the score of ``position``, also of a finished one."""
        return float(score(self._covered(position)))

    def values(self, position: Position) -> dict[int, float]:
        """Returns the score of each legal action for the player to move."""
        position = self._covered(position)
        after = {action: position.play(action) for action in position.legal_actions()}
        found = {action: score(child) for action, child in after.items()}
        return {a: float((value > 0) - (value < 0) - value) for a, value in found.items()}

    def _covered(self, position: Position) -> Chess:
        """Returns ``position``; ValueError if it is not such an ending."""
        position = checked(position)
        if not isinstance(position, Chess) or (not covers(position) and not position.is_dead()):
            raise ValueError(
                f"{self.name} knows chess with three pieces, no castling and a clock of at most "
                f"{LATEST}"
            )
        return position


def random_ending(start: Chess, rng: random.Random) -> Chess:
    """Returns a random unfinished ending of queen, rook or pawn and king against king."""
    while True:
        position = numbered.plain(rng.randrange(SIZE), start)
        if position.kings and not position.is_terminal():
            return position.with_draws(start.draws)


def in_moves(position: Chess, value: float) -> str:
    """Returns what a score means: "mate in 5 moves"."""
    if value == 0:
        return "a draw"
    moves = int(LONGEST - abs(value) + 1) // 2
    plural = "" if moves == 1 else "s"
    return f"{'mate' if value > 0 else 'mated'} in {moves} move{plural}"


# ---- the colours exchanged, as FEN and UCI write it


def exchanged(position: Chess) -> Chess | None:
    """Returns the position with the colours exchanged and the ranks reversed.

    None where earlier positions may occur again, which FEN does not tell.
    """
    if position.history or position.repeated:
        return None
    board, colour, castling, passant, *numbers = position.fen().swapcase().split()
    board = "/".join(reversed(board.split("/")))
    castling = "".join(sorted(castling))
    colour, passant = "wb"["BW".index(colour)], ranks_reversed(passant.lower())
    fen = " ".join([board, colour, castling, passant, *numbers])
    return position.from_fen(fen, position.draws)


def ranks_reversed(squares: str) -> str:
    """Returns the names of squares with their ranks counted from the other side."""
    return "".join(str(9 - int(c)) if c.isdigit() else c for c in squares)


# ---- the record


def table_key(position: Chess) -> Chess:
    """Returns the board as the player to move sees it, either colour, without its past."""
    none = position.passant & 0
    return position.with_fields(
        NEVER,
        position.own,
        position.opp,
        position.pawns,
        position.diagonal,
        position.straight,
        position.kings,
        position.castling,
        position.passant if position.passes() else none,
        0,
        0,
        0,
        0,
    )


def stockfish(nodes: int, level: int = 20) -> str:
    """Returns Stockfish's spec with ``nodes`` for a move, at a skill level from 0 to 20."""
    options = f', options="Skill Level={level}"' if level < 20 else ""
    return f'engine(command="stockfish", protocol="uci"{options}, go="nodes {nodes}")'


register("chess_endings", ChessEndings)
register_knowledge(
    Chess,
    Knowledge(
        evaluations={"material": material, "pesto": pesto},
        noise=noise,
        table_key=table_key,
        exchange=PlayerExchange(exchanged),
        default_evaluation="pesto",
        scale=2.716,  # of a pawn: lichess, WinPercent, 2 / (1 + exp(-0.00368208 centipawns)) - 1
        first_view=True,
        solver=solver_of,
        exact_values=lambda start: ExactValues(start, ChessEndings(), unit="scores", quick=covers),
        progress=lambda position: (32 - (position.own | position.opp).bit_count()) / 30,
        random_position=random_ending,
        opponent=lambda start: "alpha_beta(nodes=200000, evaluate=chess.pesto)",
        analyst=lambda position: "alpha_beta(nodes=1000000, evaluate=chess.pesto)",
        strong=lambda start: "alpha_beta(seconds=3, evaluate=chess.pesto, table_mb=256)",
        solution=SolutionText(name="score", in_words=in_moves),
        rungs={  # "quiet": captures are followed to their end before a position is evaluated
            "random": "random",
            "greedy": "greedy(evaluate=chess.material)",
            "depth 1": "alpha_beta(depth=1, evaluate=chess.pesto, quiescence=False)",
            **by_number("depth %d, quiet", "alpha_beta(depth=%d, evaluate=chess.pesto)", 1, 2),
            "Stockfish, level 0": stockfish(5000, level=0),
            "depth 3, quiet": "alpha_beta(depth=3, evaluate=chess.pesto)",
            "20,000 nodes": "alpha_beta(nodes=20000, evaluate=chess.pesto)",
            "50,000 nodes": "alpha_beta(nodes=50000, evaluate=chess.pesto)",
            "Stockfish, level 5": stockfish(5000, level=5),
            "Stockfish, level 10": stockfish(5000, level=10),
            "Stockfish, 5,000 nodes": stockfish(5000),
            "Stockfish, 20,000 nodes": stockfish(20000),
        },
        gtp=GtpGame(colours=("white", "black")),
        uci=UciGame(
            variant=lambda position: "chess",
            fen=Chess.fen,
            from_fen=lambda start, text: Chess.from_fen(text, start.draws),
            resumed=lambda start, position: position.resumed(start.draws),
        ),
    ),
)
