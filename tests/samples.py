"""Positions of every game, under all laws: of positions, environments, batches and agents.

The first of ``small`` stands for its game where a test takes a while; whole games of it take some
milliseconds in plain Python.
"""

from typing import NamedTuple

from adv_envs import (
    Amazons,
    AnimalShogi,
    Backgammon,
    Breakthrough,
    Checkers,
    Chess,
    Clobber,
    ConnectFour,
    DarkHex,
    Domineering,
    DotsAndBoxes,
    Fig52,
    GameOfY,
    GinRummy,
    Go,
    Gomoku,
    Goofspiel,
    Hanabi,
    Havannah,
    Hex,
    Kalah,
    Kuhn,
    Leduc,
    LiarsDice,
    LinesOfAction,
    MiniChess,
    Nim,
    NineMensMorris,
    Othello,
    PhantomTicTacToe,
    Pig,
    Position,
    Quoridor,
    RockPaperScissors,
    TexasHoldem,
    TexasHoldemNoLimit,
    ThirtyOne,
    TicTacToe,
    Tree,
    UltimateTicTacToe,
)

GLUED = {"a": {"b": {"c": 1}, "bc": 2}, "x": {"c": 0}}
BRANCHY = {"l": 1, "middle": {"l": -2.5, "r": {"only": 0}}, "r": {"x": {"y": {"z": 7}}, "l": 3}}


MEN_OFF = (14 << 100) + (1 << 4 * 24)
"""Backgammon: the last man is on the 1-point."""


LATE = (
    "d2 a5 a4 c1 h1 e3 d9 b7 f1 h3 f7 g3 b8 f4 i3 g9 c8 i5 h6 f8 g4 b3 e9 d8 c6 g8 b6 d7 a2 b5 e5 "
    "d5 c5 i6 h8 d4 a3 a9 c7 i2 g5 c4 g1 c3 i9 h7 e2 f6 i8 i4 g2 b4 f3 h9 e7 e1 d3 a7 b1 b2 f5 h2 "
    "d6 c9 i7 i1 a8 a6"
)
"""Ultimate tic-tac-toe: any open board may be played on, and 104 positions are reached."""

LATER = (
    "a9 b8 d6 a7 a3 a8 b4 e3 d8 a4 a2 c6 h7 d2 c5 i6 g8 a5 b5 e5 e4 e1 f2 g6 c8 g5 b6 d9 b7 e2 e6 "
    "e7 h8 d5 e8 f5 i4 g3 b9 e9 f9 i8 h5 h2 c1 i3 i7 h1 i2 h4 f8 g4 c3 i9 g7 a1 c2 c7"
)
"""The same on board 3, with 62 positions."""


class Samples(NamedTuple):
    """Starts of one game: ``small`` ones, and ``large`` ones, of which few games are played."""

    small: tuple[Position, ...]
    large: tuple[Position, ...] = ()


SAMPLES: dict[str, Samples] = {
    "tic_tac_toe": Samples(
        (
            TicTacToe(),
            TicTacToe(1, 1, 1),
            TicTacToe(2, 3, 2),
            TicTacToe(4, 3, 3),
            TicTacToe(3, 5, 1),
        ),
        (
            TicTacToe(7, 7, 5),
            TicTacToe(1, 62, 3),
            TicTacToe(31, 1, 4),
            TicTacToe(4, 14, 8),
            TicTacToe(2, 30, 4),
        ),
    ),
    "connect_four": Samples(
        (
            ConnectFour(4, 5, 3),
            ConnectFour(),
            ConnectFour(1, 1, 1),
            ConnectFour(3, 3, 2),
        ),
        (
            ConnectFour(8, 7, 4),
            ConnectFour(62, 1, 4),
            ConnectFour(1, 31, 2),
            ConnectFour(14, 4, 8),
            ConnectFour(5, 10, 4),
        ),
    ),
    "hex": Samples(
        (Hex(3, swap=True), Hex(2), Hex(5), Hex(7, swap=True)),
        (Hex(8), Hex(11, swap=True)),
    ),
    "havannah": Samples((Havannah(2, swap=True), Havannah(3)), (Havannah(5), Havannah())),
    "y": Samples((GameOfY(3, swap=True), GameOfY(2), GameOfY(4)), (GameOfY(9), GameOfY(19))),
    "thirty_one": Samples(
        (
            ThirtyOne(),
            ThirtyOne(limit=5, copies=1, highest=3),
            ThirtyOne(limit=1, copies=1, highest=1),
            ThirtyOne(num_players=3),
            ThirtyOne(limit=50, copies=9, highest=6, num_players=5),
        ),
        (
            ThirtyOne(limit=200, copies=7, highest=21),
            ThirtyOne(limit=90, copies=1, highest=12, num_players=16),
        ),
    ),
    "fig52": Samples((Fig52(), Tree({"only": 1}), Tree(BRANCHY), Tree(GLUED))),
    "pig": Samples(
        (Pig(target=20), Pig(target=30), Pig(target=1, faces=2)), (Pig(), Pig(target=300, faces=20))
    ),
    "gomoku": Samples(
        (
            Gomoku(3, 3, 3),
            Gomoku(4, 3, 2, exact=True),
            Gomoku(3, 4, 4, swap2=True),
            Gomoku(1, 2, 1),
        ),
        (Gomoku(9, 9, 5, exact=True, swap2=True), Gomoku(11, 13)),
    ),
    "othello": Samples((Othello(4), Othello(4, margin=True)), (Othello(), Othello(6, margin=True))),
    "animal_shogi": Samples(
        (
            AnimalShogi(max_plies=5),
            AnimalShogi(max_plies=11, repetition="ignored"),
            AnimalShogi(max_plies=1),
        ),
        (AnimalShogi(), AnimalShogi(max_plies=1000)),
    ),
    "breakthrough": Samples(
        (
            Breakthrough(4, 3),
            Breakthrough(3, 3, men_rows=1),
            Breakthrough(2, 5, men_rows=1),
            Breakthrough(5, 5),
        ),
        (Breakthrough(), Breakthrough(6, 6), Breakthrough(32, 2, men_rows=16), Breakthrough(9, 7)),
    ),
    "nim": Samples(
        (Nim(135), Nim(), Nim(1357, misere=True), Nim(1), Nim(11, misere=True)), (Nim(12345678),)
    ),
    "kalah": Samples(
        (Kalah(2, 2), Kalah(1, 3), Kalah(3, 2, empty_capture=True)),
        (Kalah(), Kalah(6, 21, empty_capture=True)),
    ),
    "dots_and_boxes": Samples(
        (DotsAndBoxes(1, 2), DotsAndBoxes(2, 2, margin=True), DotsAndBoxes()),
        (DotsAndBoxes(5, 5), DotsAndBoxes(1, 20, margin=True)),
    ),
    "domineering": Samples(
        (Domineering(3, 3), Domineering(4, 3), Domineering(2, 5)),
        (Domineering(), Domineering(12, 11), Domineering(7, 8)),
    ),
    "checkers": Samples(
        (Checkers(4, draw_moves=4), Checkers(6, draw_moves=6)),
        (Checkers(), Checkers(10)),
    ),
    "lines_of_action": Samples(
        (LinesOfAction(4, draw_moves=3), LinesOfAction(4, "draw"), LinesOfAction(5, draw_moves=5)),
        (LinesOfAction(draw_moves=4), LinesOfAction(10, draw_moves=3)),
    ),
    "nine_mens_morris": Samples(
        (
            NineMensMorris(3, draw_moves=2),
            NineMensMorris(4, False, 3),
            NineMensMorris(draw_moves=9),
        ),
        (NineMensMorris(),),
    ),
    "amazons": Samples((Amazons(4), Amazons(5)), (Amazons(), Amazons(8))),
    "backgammon": Samples(
        (
            Backgammon(own=(13 << 100) + (2 << 4 * 22), opp=(14 << 100) + (1 << 4 * 20), turn=0),
            Backgammon(False, own=MEN_OFF, opp=MEN_OFF - (1 << 100) + 1, dice=0x31, turn=1),
        ),
        (Backgammon(),),
    ),
    "go": Samples(
        (Go(3), Go(2, komi=0.5, boards=2, max_plies=12)),
        (Go(9, superko=False, boards=1),),
    ),
    "chess": Samples(
        (
            Chess.from_fen("8/8/8/1k6/8/8/3q4/K7 b - - 95 70"),
            Chess.from_fen("r3k3/8/8/8/8/8/8/4K2R w Kq - 96 60"),
            Chess.from_fen("8/8/8/1k6/8/8/3q4/K7 b - - 146 70", draws="claimed"),
        ),
    ),
    "minichess": Samples(
        (
            MiniChess.from_fen("5/5/1k3/3q1/K4 b - - 96 70"),
            MiniChess.from_fen("2k2/P4/5/4p/2K2 w - - 95 60"),
            MiniChess.from_fen("5/5/1k3/3q1/K4 b - - 146 70", draws="claimed"),
        ),
        (MiniChess(),),
    ),
    "kuhn": Samples((Kuhn(), Kuhn(3)), (Kuhn(4), Kuhn(10))),
    "leduc": Samples((Leduc(), Leduc(blinds=True)), (Leduc(3), Leduc(10))),
    "texas_holdem": Samples(
        (TexasHoldem(raises=1), TexasHoldem(rlcard=True)),
        (TexasHoldem(3, stacks=20_007_015),),
    ),
    "texas_holdem_no_limit": Samples(
        (
            TexasHoldemNoLimit(stack=10),
            TexasHoldemNoLimit(rlcard=True),
            TexasHoldemNoLimit(2, 6, amounts="all"),
        ),
        (TexasHoldemNoLimit(3, stacks=100_050_021),),
    ),
    "liars_dice": Samples(
        (LiarsDice(sides=3), LiarsDice(), LiarsDice(2, 2, 3)), (LiarsDice(5, 6, 4),)
    ),
    "goofspiel": Samples(
        (
            Goofspiel(4, -1, secret=True),
            Goofspiel(3, 0, margin=True),
            Goofspiel(5, 1, secret=True, turns=2),
            Goofspiel(2, 0, secret=True),
        ),
        (Goofspiel(), Goofspiel(15, -1, secret=True)),
    ),
    "gin_rummy": Samples(
        (
            GinRummy(ranks=3, hand_size=1),
            GinRummy("simplified", ranks=3, hand_size=3),
        ),
        (GinRummy(knock=60),),
    ),
    "hanabi": Samples(
        (
            Hanabi(2, 1, 2, 1, hints=2, lives=2),
            Hanabi(3, 2, 2, 1, hints=1, keep_score=True),
        ),
        (Hanabi(),),
    ),
    "rock_paper_scissors": Samples(
        (RockPaperScissors(), RockPaperScissors(3)), (RockPaperScissors(40),)
    ),
    "phantom_tic_tac_toe": Samples((PhantomTicTacToe(), PhantomTicTacToe(abrupt=True))),
    "quoridor": Samples(
        (Quoridor(3), Quoridor(4, 1), Quoridor(3, 1, players=4), Quoridor(5, 0, max_plies=30)),
        (Quoridor(max_plies=40), Quoridor(11, 5, players=4, max_plies=30)),
    ),
    "dark_hex": Samples(
        (DarkHex(2), DarkHex(2, abrupt=True), DarkHex(3, abrupt=True)), (DarkHex(5), DarkHex(4))
    ),
    "clobber": Samples(
        (Clobber(2, 3), Clobber(3, 3), Clobber(1, 6), Clobber(1, 1)), (Clobber(), Clobber(6, 7))
    ),
    "ultimate_tic_tac_toe": Samples(
        (UltimateTicTacToe().after(LATER), UltimateTicTacToe().after(LATE)),
        (UltimateTicTacToe(),),
    ),
}
"""By the registered name of the game."""
