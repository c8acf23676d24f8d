"""What is refused: positions that cannot be, boards that cannot be read, moves that are illegal."""

import re
from typing import Any

import pytest

from adv_envs import (
    Amazons,
    AnimalShogi,
    Backgammon,
    Breakthrough,
    Checkers,
    Chess,
    Clobber,
    Domineering,
    DotsAndBoxes,
    GameOfY,
    GinRummy,
    Go,
    Gomoku,
    Goofspiel,
    Hanabi,
    Havannah,
    IllegalMove,
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
    Quoridor,
    RockPaperScissors,
    TexasHoldem,
    TexasHoldemNoLimit,
    UltimateTicTacToe,
)

MEN = Backgammon().own
HOLE = TexasHoldem().after("Ah 7c Ad 7d raise")._asdict()
BOARD = TexasHoldem().after("Ah 7c Ad 7d raise call 2c 3c 4s")._asdict()
OVER = (
    TexasHoldem()
    .after("Ah 7c Ad 7d call check 2c 3c 4s check check 9s check check Js check check")
    ._asdict()
)
FLOP = Leduc().after("Js Qh raise call Kh")._asdict()
TAKEN = GinRummy(ranks=4, hand_size=3).after(
    "As 2s 4h 3h 3d 4c Ad pass pass draw 2h 4h take"
)._asdict()  # fmt: skip
OTHELLO = Othello()._asdict()
PAWNLESS = {"straight": 0, "castling": 0}

RANGES = {
    AnimalShogi: "max_plies 1 1000, repeated 0 2, ply 0 128",
    Amazons: "size 4 10, turn 0 1, part 0 2",
    Backgammon: "turn -1 1",
    Breakthrough: "height 2 32, width 2 32, men_rows 1 4, turn 0 1",
    Checkers: "draw_moves 1 1000, quiet 0 80, to_move 0 1",
    Clobber: "height 1 40, width 1 40, turn 0 1",
    DotsAndBoxes: "rows 1 20, columns 1 20, to_move 0 1",
    GinRummy: "knock 0 100, gin_bonus 0 1000, undercut_bonus 0 1000, ranks 3 13, hand_size 1 10, "
    "limit 0 100, discards 0 100, stage 0 10, turn 0 1",
    Go: "size 2 19, boards 1 8, max_plies 0 10000, passes 0 0",
    Goofspiel: "cards 2 15, order -1 1",
    GameOfY: "size 2 19, ply 0 1",
    Havannah: "size 2 11, ply 0 1",
    Hanabi: "players 2 5, colours 1 5, ranks 1 5, hand_size 0 5, hints 0 8, lives 1 3, dealt 0 50",
    Kalah: "pits 1 6, seeds 1 21, to_move 0 1",
    Kuhn: "players 2 10, ply 0 5, cards 0 0",
    Leduc: "players 2 10",
    LiarsDice: "dice 1 10, sides 2 12, players 2 10, rolled 0 2",
    LinesOfAction: "size 4 10, draw_moves 1 1000, quiet 0 100, turn 0 1",
    Nim: "turn 0 1",
    NineMensMorris: "men 3 9, draw_moves 1 1000, quiet 0 100, turn 0 1",
    TexasHoldem: "players 2 10, stack 2 50000, big_blind 1 1000, raises 1 9, dealt 0 9",
    TexasHoldemNoLimit: "players 2 10, stack 2 50000, small_blind 1 2, raises 0 60, dealt 0 9",
    Othello: "ply 0 1",
    Quoridor: "size 3 11, walls -1 64, max_plies 0 100000, ply 0 324",
    RockPaperScissors: "rounds 1 100, ply 0 2",
    UltimateTicTacToe: "sent 0 9",
}
"""By game: fields with the least and the greatest number that they may be."""

REFUSED: dict[Any, list[tuple[Any, ...]]] = {
    AnimalShogi: [
        ("repetition must be 'draw' or 'ignored', not 2", {"repetition": 2}),
        ("own, cells as bits, must be 0 to 4095", {"own": -1}, {"own": 4096}),
        ("must not share a cell", {"own": 0o7220}),
        ("every piece must be of one kind", {"hens": 0o0020}),
        ("must be pieces of own or opp", {"hens": 0o0100}),
        ("each player has a lion", {"giraffes": 0o4003}, {"elephants": 0}),
        ("there must be two chicks", {"hands": 1}, {"chicks": 0o0200, "opp": 0o0007}),
        ("there must be two elephants", {"hands": 4}),
        ("hands must be 0 to", {"hands": -1}, {"hands": 1 << 12}),
        ("history does not fit the plies", {"history": 1 << 64}, {"ply": 1, "history": 1 << 128}),
        ("repeated does not fit the history", {"repeated": 1, "ply": 8}),
    ],
    Amazons: [
        ("chosen must be -1 while part is 0", {"chosen": 3}),
        ("chosen must be 0 to 109", {"part": 1}),
        ("an amazon of the player to move that can move", {"part": 1, "chosen": 5},
         {"own": 1, "opp": 2, "empty": 1 << 60, "part": 1, "chosen": 0}),
        ("must not share a cell", {"own": 1, "opp": 1}),
        ("own, opp and empty must not share a cell", {"own": 1, "opp": 2, "empty": 3},
         {"own": 1, "opp": 2, "empty": 2}),
        ("sets of cells", {"own": 1, "opp": 1 << 10}),
        ("empty must be a set of cells", {"own": 1, "opp": 2, "empty": 1 << 10}),
    ],
    Backgammon: [
        ("own must have 15 men on 26 places", {"own": MEN + 1}, {"own": MEN + (1 << 104)}),
        ("opp must have 15 men", {"opp": -1}, {"opp": (MEN << 52) & (1 << 104) - 1, "turn": 0}),
        ("both players have men",
         {"own": (14 << 100) + (1 << 96), "opp": (14 << 100) + (1 << 4), "turn": 0},
         {"own": (14 << 100) + (1 << 4), "opp": (14 << 100) + (1 << 96), "turn": 0}),
        ("both players have men on the 13-point", {"opp": MEN << 4, "turn": 0},
         {"own": (13 << 100) + (2 << 48), "opp": (13 << 100) + (2 << 52), "turn": 0}),
        ("before the first roll, turn -1", {"dice": 0x31}, {"own": 15, "opp": 15}),
        ("dice must be 0, or one to four digits",
         *({"dice": dice, "turn": 0} for dice in (0x13, 0x331, 0x7, 0x55555, -3, 0x301))),
        ("only the player whose turn it is", {"opp": 15 << 100, "turn": 0}),
        ("the game is over: dice must be 0", {"own": 15 << 100, "turn": 0, "dice": 1}),
    ],
    Breakthrough: [
        ("height * width must be at most 64", {"height": 9}),
        ("sets of cells", {"own": 1 << 64, "opp": 1}),
        ("must not share a cell", {"own": 3, "opp": 6}),
        ("must have a man", {"own": 1 << 30, "opp": 0}),
        ("on the far row", {"own": 1, "opp": 1 << 20}),
        ("the first man on the far row", {"own": 1 << 30, "opp": 3 << 60}),
        ("the men of White must be 0 to 16, not 17", {"own": (1 << 56) - (1 << 39), "opp": 1}),
    ],
    Checkers: [
        ("size must be 4, 6, 8 or 10, not ", {"size": 7}, {"size": 12}),
        ("own and opp must be sets of squares", {"own": 1}, {"own": 1 << 8, "opp": 1}),
        ("own and opp must not share a square", {"own": 1, "opp": 1}),
        ("a man on the far row must be a king", {"own": 1, "opp": 2}),
        ("there must be pieces on the board", {"own": 0, "opp": 0}),
        ("kings must be a set of squares with pieces", {"kings": 1 << 20}),
        (  # a piece that goes on jumping has just captured one
            "jumping must be 0 or an own piece that has jumped",
            {"jumping": 1},
            {"own": 10749040, "opp": 1107296256, "kings": 262144, "jumping": 2097152, "quiet": 1},
        ),
    ],
    LinesOfAction: [
        ("joined_both must be 'win' or 'draw', not 2", {"joined_both": 2}),
        ("joined_both must be 'win' or 'draw', not 'loss'", {"joined_both": "loss"}),
        ("sets of cells", {"own": 1 << 64, "opp": 1}),
        ("must not share a cell", {"own": 3, "opp": 6}),
        ("both players must have a man", {"own": 0, "opp": 1}, {"own": 1, "opp": 0}),
    ],
    NineMensMorris: [
        ("sets of points", {"own": 1 << 24}, {"opp": -1}),
        ("must not share a point", {"own": 3, "opp": 6}),
        ("the men of own, on the board and in hand, must be 2 to 9, not 1", {"own_left": 1}),
        ("the men of opp, on the board and in hand, must be 3 to 9, not 2", {"opp_left": 2}),
        ("and in hand, must be 2 to 9, not 10", {"own": 1, "own_left": 9}),
        ("own_left must be 0 to 9, not 10", {"own_left": 10}),
        ("taking needs a mill of own, and a man of opp", {"taking": True},
         {"own": 7, "taking": True}, {"own": 11, "opp": 48, "taking": True}),
    ],
    Chess: [
        ("own must be 0 to", {"own": -1}), ("share a square", {"opp": Chess().own}),
        ("two kinds", {"pawns": Chess().pawns | Chess().straight}),
        ("repeated must be 0", {"repeated": 1}), ("history must be", {"history": 1}),
        ("ply must be 0 to", {"ply": -2}, {"ply": 2**63}),
        ("draws must be 'automatic', 'claimed' or 'never', not 3", {"draws": 3}),
        ("pawns cannot stand on the first and last", {"pawns": 1 << 8, **PAWNLESS},
         {"pawns": 1 << 15, **PAWNLESS}),
        ("a pawn of opp has just passed by", Chess().after("e4 a6 e5 d5")._asdict() | {"clock": 3}),
    ],
    MiniChess: [
        ("own must be 0 to 33554431", {"own": -1}), ("share a square", {"opp": MiniChess().own}),
        ("pawns cannot stand on the first and last", {"pawns": 1, "straight": 0}),
    ],
    Clobber: [
        ("a board of 21 x 20 is too large: height * width must be at most 400",
         {"height": 21, "width": 20}),
        ("cells of the board", {"own": 1 << 6, "opp": 1}), ("share a cell", {"own": 1, "opp": 1}),
    ],
    Domineering: [
        ("1 to 19", {"height": 20}, {"width": 0}), ("cells of the board", {"own": 1 << 8}),
        ("upright dominoes", {"own": 3, "ply": 2}, {"opp": 3, "ply": 1}),
        ("after 2 plies", {"opp": 3, "ply": 2}),
    ],
    Quoridor: [
        ("players must be 2 or 4, not ", {"players": 3}, {"players": 5}),
        ("walls must be -1 to 4, not 5", {"size": 3, "walls": 5}),
        ("pawns must be 0 to", {"pawns": -2}, {"pawns": 1 << 14}),
        ("pawns must stand on different cells, 0 to 80", {"pawns": 40 << 7 | 40},
         {"pawns": 81 << 7 | 40}),
        ("White has arrived: the game ended with it", {"pawns": 4 | 5 << 7, "ply": 2}),
        ("Black has arrived", {"pawns": 76 << 7 | 40, "ply": 1}, {"pawns": 76 << 7 | 40}),
        ("the walls left to White must be 0 to 10, not 11", {"left": 11 | 10 << 8}),
        ("left must be 0 to", {"left": -2}, {"left": 1 << 16}),
        ("1 wall must be on the board, with [9, 10] left", {"left": 9 | 10 << 8, "ply": 1}),
        ("1 wall cannot have been put in 0 plies", {"left": 9 | 10 << 8, "horizontal": 1}),
        ("must be sets of points", {"horizontal": 1 << 8}, {"vertical": 1 << 81}, {"vertical": -1}),
        ("walls must not cross or overlap", {"horizontal": 1, "vertical": 1}, {"horizontal": 3},
         {"vertical": 1 | 1 << 10}),
        ("walls must leave White a way to the goal",
         {"size": 5, "walls": 8, "left": 7 | 6 << 8, "horizontal": 20480, "vertical": 1 << 21,
          "ply": 3}),
    ],
    DotsAndBoxes: [
        ("5 x 6 boxes have 71 edges: at most 63 are allowed", {"rows": 5, "columns": 6}),
        ("edges must be 0 to", {"edges": 1 << 24}, {"edges": -1}),
        ("together all that are closed", {"first": 1}, {"edges": (1 << 24) - 1}),
        ("must not share a box", {"edges": (1 << 24) - 1, "first": 511, "second": 1}),
    ],
    Go: [
        ("komi must be a finite number", {"komi": float("nan")}),
        ("must not share a cell", {"own": 1, "opp": 1}),
        ("sets of cells of the board", {"own": 1 << 9}),
        ("history and shown do not fit", {"history": 5}),
        ("free and key do not fit the stones", {"free": 1}),
        ("fresh must be cells of the board", Go(3).after("a1 b2")._asdict() | {"fresh": 1 << 3}),
        ("own_lost, opp_lost and fresh", Go(3).after("a1 b2")._asdict() | {"own_lost": 1 << 3}),
        *(
            ("shown does not fit the stones", Go(3).after("a1 b2")._asdict() | {"shown": shown})
            for shown in (0, Go(3).after("a1 b2").shown ^ 1)
        ),
    ],
    Gomoku: [
        ("1 to 19", {"height": 20}, {"width": 0}), ("1 to 15", {"k": 16}),
        ("4 to 15", {"k": 3, "swap2": True}),
        ("longer board", {"height": 3, "width": 3, "k": 3, "swap2": True}),
        ("cells of the board", {"own": 1 << 15}), ("share a cell", {"own": 1, "opp": 1}),
        ("take turns", {"opp": 3}), ("after()", {"opp": 1, "ply": 2}, {"more": True}),
        ("does not fit", {"won": True}),
        ("game ended", {"own": 31, "opp": 31 << 16, "won": True, "ply": 10}),
        (  # asked before three stones are set; two choices take six plies and more
            "there cannot be",
            {"swap2": True, "own": 1, "opp": 2, "more": True, "ply": 3},
            {"swap2": True, "own": 5, "opp": 10, "ply": 6},
        ),
    ],
    GinRummy: [
        ("12 cards are too few for hands of 10: ranks must be at least 6", {"ranks": 3}),
        ("each card in one only", {"first": 3, "second": 1}, {"pile": -1}, {"first": 1 << 52},
         {"ranks": 6, "first": 1 << 6}),
        ("shown must be a set of cards that are in first or second", {"shown": 1}),
        ("history must have a byte for each discard", {"history": 0x80}, {"history": 53}),
        ("must fit each other", {"first": 1}, {"ply": 1}, {"stage": 1}, {"stage": 10},
         *(TAKEN | {field: value} for field, value in (
             ("ply", 14), ("limit", 3), ("stock", 4), ("discards", 2), ("stage", 6), ("stage", 8),
             ("turn", 0), ("shown", 0), ("first_draws", 43), ("second_draws", 1), ("history", 17),
             ("first", 7), ("variant", "simplified"), ("hand_size", 4),
         ))),
    ],
    Goofspiel: [
        ("turns must be 0 to 4", {"cards": 4, "turns": 5}),
        ("ply must be 0 to 9", {"cards": 4, "ply": 10}),
        ("prizes must have 1 different", {"ply": 1}),
        ("digits 1 to d, not 0xe", {"ply": 1, "prizes": 14}),
        ("second must have 1 different", {"order": 1, "ply": 2, "first": 1, "taken": 1}),
        ("taken must say who", {"order": 1, "ply": 2, "first": 1, "second": 2},
         {"order": 1, "ply": 2, "first": 1, "second": 2, "taken": 1}),
        ("first must have 2", {"order": 1, "ply": 4, "first": 17, "second": 33, "taken": 0x33}),
        ("first must have 0", {"order": 1, "first": 1}),
        ("taken must have 0", {"order": 1, "taken": 1}),
        ("first must have", {"order": 1, "first": -1, "ply": 1}),
        (  # a secret bid of this turn is there, or all are hidden
            "first must have 3 different hexadecimal digits",
            Goofspiel(4, -1, secret=True).after("4 1 2 3 1")._asdict() | {"first": 0x24},
        ),
    ],
    GameOfY: [
        ("sets of cells of the board", {"size": 3, "own": 1 << 7, "ply": 1}, {"opp": -1}),
        ("must not share a cell", {"own": 1, "opp": 1, "ply": 2}),
        ("own_top, opp_top, own_both and opp_both do not fit", {"opp": 1, "ply": 1}),
        ("won does not fit the stones", {"won": True}),
    ],
    Havannah: [
        ("sets of cells of the board", {"size": 3, "own": 1 << 10, "ply": 1}, {"own": 1, "ply": 1}),
        ("must not share a cell", {"own": 1 << 17, "opp": 1 << 17, "ply": 2}),
        ("the player to move cannot have a figure", {"size": 2, "own": 0b11 << 5, "ply": 2}),
        ("won does not fit", {"won": True}, {"size": 2, "opp": 0b11 << 5, "ply": 2}),
    ],
    Kalah: [
        ("seeds must be 1 to 127, not 128", {"pits": 1, "seeds": 128}),
        ("opp must be 0 to", {"own": 0}, {"own": 48, "opp": 1 << 56}),
        ("there must be 48 seeds in all, not 0", {"own": 0, "opp": 0}),
        ("a row is empty, so the game is over", {"own": 48, "opp": 0}),
    ],
    Kuhn: [
        ("different ranks, 1 to 3, or 0, face down, not 0x1", {"cards": 0x11, "ply": 2},
         {"cards": 0x14, "ply": 2}),
        ("cards must be 0 to 255", {"cards": 0x321, "ply": 3}),
        ("bets must be 0 to 1, not 2", {"cards": 0x12, "bets": 2, "ply": 3}),
        ("after the end of the game", {"cards": 0x12, "bets": 1, "ply": 5},
         {"cards": 0x12, "bets": 4, "ply": 5}),
        ("of those who have bet must be face up", {"cards": 0x02, "bets": 3, "ply": 4}),
    ],
    Leduc: [
        ("with blinds players must be 2, not 3", {"players": 3, "blinds": True}),
        ("must be different ones", FLOP | {"cards": 0b00110_00001_00001}),
        ("1 to 6, or 0, face down, not [1, 3, 7]", FLOP | {"cards": 0b00111_00011_00001}),
        ("must fit each other",
         *(FLOP | {"first": number} for number in (0b1_01, 0b1_01_01_01_00, 2)),
         FLOP | {"stakes": 0x31}, FLOP | {"second": 0b1_00}, FLOP | {"turn": 1},
         FLOP | {"waiting": 0}, FLOP | {"folded": 1}, FLOP | {"ply": 6}, FLOP | {"ply": -1}),
        ("must be face up",
         FLOP | {"cards": 0b00110_00000_00001, "second": 0b1_11_11, "waiting": 0, "ply": 7}),
    ],
    Hanabi: [
        ("5 hands of 4 cards need more than 6 cards: choose a smaller hand_size",
         {"players": 5, "colours": 1, "ranks": 3}),
        ("hands must have 18 bits for each slot", {"hands": -1}, {"hands": 1 << 450}),
        ("deck must have five bits for each of 0 cards", {"deck": 1}, {"deck": -1}),
        ("the fields must fit each other and the game",
         {"dealt": 1, "deck": 1}, {"turns": 1}, {"spent": 1}, {"moves": 1},
         {"dealt": 1, "deck": 1, "seen": 1}, {"last": 1}, {"late": 1}, {"mistakes": 1}),
        ("cards [1] of the deck are face down, which is no player's hand", {"dealt": 1}),
    ],
    LiarsDice: [
        ("all dice must be rolled", {"bids": 1}),
        ("bids must be a set of actions", {"rolled": 2, "bids": 1 << 13},
         {"rolled": 2, "bids": 1 << 12}),
        ("faces must show 1 dice of player 0, not 2", {"rolled": 2, "faces": 0x11}),
        ("faces must show 0 dice of player 1, not 1", {"rolled": 1, "faces": 0x1000000}),
        ("faces must show 1 dice of player 1", {"rolled": 2, "faces": 1, "bids": 0x1001}),
        ("faces must have a digit for each player and face", {"rolled": 2, "faces": 1 << 48}),
    ],
    Nim: [
        ("a digit from 1 to 9 for each of one to eight heaps", {"heaps": 0}, {"heaps": 123456789}),
        ("not be ", {"heaps": 105}, {"heaps": -13}), ("left must be", {"left": 1358}, {"left": -2}),
        ("heap c of left must be 0 to 5, not 8", {"left": 1285}),
    ],
    Othello: [
        ("size must be 4, 6 or 8, not 5", {"size": 5}),
        ("the four cells in the middle must have discs", {"own": 1, "opp": 2}),
        ("moves do not fit the discs", OTHELLO | {"moves": 1}),
        ("own and opp must be sets of cells", {"own": 1 << 64, "opp": 1}),
        ("must not share a cell", OTHELLO | {"opp": OTHELLO["own"]}),
    ],
    TexasHoldem: [
        ("stacks must be 0, for all the same, or three digits for each", {"stacks": -1},
         {"stacks": 100_001}, {"stacks": 100_050_200}, {"players": 7, "stacks": 100_100_100}),
        ("with rlcard all have the same stack", {"rlcard": True, "stacks": 100_200}),
        ("with rlcard nobody is all in: stack must be at least 50", {"rlcard": True, "stack": 49}),
        ("must be different ones", HOLE | {"cards": HOLE["cards"] & ~63 | HOLE["cards"] >> 6 & 63},
         HOLE | {"cards": -1},
         HOLE | {"cards": HOLE["cards"] | 1 << 24}, HOLE | {"cards": 63}),
        ("the cards of all must be face up", BOARD | {"cards": HOLE["cards"]}),
        ("must fit each other",
         *(HOLE | {"history": number} for number in (0b1_11, 0b1_10_00, 2, 0, -1)),
         HOLE | {"stakes": 0x20002}, HOLE | {"folded": 1}, HOLE | {"turn": 0}, HOLE | {"size": 4},
         HOLE | {"waiting": 0}, HOLE | {"ply": 6}, HOLE | {"raised": 2}, HOLE | {"acted": 0}),
        ("one cannot be face down alone", HOLE | {"cards": HOLE["cards"] & ~63}),
        ("the cards that have to be shown are missing",
         OVER | {"cards": OVER["cards"] >> 24 << 24}),
    ],
    TexasHoldemNoLimit: [
        ("with rlcard amounts must be 'pot'", {"rlcard": True, "amounts": "all"}),
        ("amounts must be 'pot' or 'all', not 'some'", {"amounts": "some"}),
        ("too many chips for so many raises", {"stack": 20_000, "amounts": "all"}),
    ],
    PhantomTicTacToe: [
        ("use after", {"own": 1, "opp_tried": 1, "turn": 0}),
        ("each once", {"own": 1, "own_tried": 0x11}),
        ("no attempts of the other", {"own": 1, "own_tried": 1, "opp_tried": 2, "viewer": 0}),
        ("no others", {"own": 1, "viewer": 0}),
        ("no position has this view", {"own": 1, "opp": 6, "own_tried": 0x123, "viewer": 0},
         {"opp": 1, "own_tried": 1, "viewer": 0}),
        ("viewer", {"viewer": 2}),
    ],
    RockPaperScissors: [
        ("first must have", {"ply": 1, "first": 4}, {"ply": 1, "first": -1}),
        ("first must have", {"ply": 2, "second": 1}, {"rounds": 2, "ply": 3, "second": 1}),
        ("first must have", {"rounds": 2, "ply": 4, "first": 0x10, "second": 0x11}),
        ("second must have a hexadecimal digit 1 to 3 for each of 1", {"ply": 2, "first": 1}),
    ],
    UltimateTicTacToe: [
        ("cells of the board", {"opp": 1 << 9, "ply": 1}), ("share a cell", {"own": 1, "opp": 1}),
        ("after 1 plies the player to move cannot have 0 stones and the other 2",
         {"opp": 3, "ply": 1}),
        ("only one player can have three in a row", {"own": 7, "opp": 7 << 10, "ply": 6}),
        ("own_boards, opp_boards and drawn must be", {"own_boards": 1}, {"drawn": 1},
         {"own": 7, "opp": 7 << 3, "ply": 6, "own_boards": 1}),
        ("here 1, 2 and 0", {"own": 7, "opp": 7 << 3, "ply": 6}),
        ("the game ended with that",
         {"own": 7 | 7 << 3 | 7 << 6, "opp": 0o777 << 30, "ply": 18, "own_boards": 7,
          "opp_boards": 7 << 4}),
        ("the next move cannot be on board 1", {"sent": 0}, {"opp": 2, "ply": 1, "sent": 0}),
        ("the next move cannot be on any open board", {"opp": 1, "ply": 1}),
    ],
}  # fmt: skip
"""By game: the message, or its beginning where the rest names what was given, and its fields."""


@pytest.mark.parametrize(
    ("game", "field", "low", "high"),
    [(game, *entry.split()) for game, text in RANGES.items() for entry in text.split(", ")],
)
def test_numbers_out_of_range(game: Any, field: str, low: str, high: str) -> None:
    for number in (int(low) - 1, int(high) + 1, 10**12):
        with pytest.raises(ValueError, match=f"{field} must be {low} to {high}, not {number}"):
            game(**{field: number})


@pytest.mark.parametrize(
    ("game", "message", "fields"),
    [
        (game, message, fields)
        for game, rows in REFUSED.items()
        for message, *given in rows
        for fields in given
    ],
)
def test_positions_that_cannot_be(game: Any, message: str, fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=re.escape(message)) as raised:
        game(**fields)
    if message.endswith("not "):
        assert any(str(raised.value).endswith(f" {value}") for value in fields.values())


ONE_STONE = "X........\n" + 8 * f"{'.' * 9}\n"
"""A board of ultimate tic-tac-toe, without its last line."""


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (Amazons.from_text, "W....\n.....\n.....\n....B", "4 rows of 4 cells, not 4 of 5"),
        *(
            (Amazons.from_text, f"W...\n....\n....\n...B\n{last}", message)
            for last, message in (
                ("White to m0ve with a1", "to move or to shoot with, not"),
                ("White to with a1", "to move or to shoot with, not"),
                ("to move with", "to move or to shoot with, not"),
            )
        ),
        (Checkers.from_text, "", "size must be"),
        (Checkers.from_text, "b.\n", "as many rows as columns"),
        (Checkers.from_text, ". x . .\n" * 4, "as many rows as columns, of bwBW and dots"),
        (
            Checkers.from_text,
            "b . . .\n. . . .\n. . . .\n. . . .",
            "row 1 has a piece on a light square",
        ),
        (Domineering.from_text, "|.\n..", "upright dominoes"),
        (Domineering.from_text, "|-\n|-", "flat dominoes"),
        (Domineering.from_text, "--\n..", "cannot have"),
        *(
            (Quoridor.from_text, text, message)
            for text, message in (
                ("", "a board has 3 to 11 rows, which begin with their numbers"),
                ("3 .   B   .\n2 .   .   .\n1 .   .   .", "the pawns WB or WBRY"),
                ("3 .   B   .\n2 .   B   .\n1 .   W   .", "one each of WBRY; not 'B' in row 2"),
                ("3 .   B\n2 .   .   .\n1 .   W   .", "not ' ' in row 3"),
            )
        ),
        (Go.from_text, "O X\nX .", "joined to a liberty"),
        (UltimateTicTacToe.from_text, "X . .\n. . .\n. . .", "9 rows of 9 cells, not 3 of 3"),
        (UltimateTicTacToe.from_text, f"{ONE_STONE}O to move on board 12", "no board 12: small"),
        (UltimateTicTacToe.from_text, f"{ONE_STONE}O to move on board 10", "no board 10: small"),
        (UltimateTicTacToe.from_text, f"{ONE_STONE}O to move on board x", "no board x: small"),
        (UltimateTicTacToe.from_text, f"{ONE_STONE}O to move on any board", "any open board"),
        (
            UltimateTicTacToe.from_text,
            ONE_STONE.replace("X........", "XOO.....X"),
            "next move is: 'X to move on board 2' or 'X to move on board 3'",
        ),
        (Havannah.from_text, ". .\n. . .\n. . .", "have 2, 3, 2 cells, not 2, 3, 3"),
        (Havannah.from_text, "", "there is no board in '': rows are written with XO and dots"),
        (Havannah.from_text, "X X\n. . .\nO O", "the player to move cannot have a figure"),
        (GameOfY.from_text, ". . .\n. .\n. .", "size 3 must have 3, 2, 1 cells, not 3, 2, 2"),
        (GameOfY.from_text, "X X X\nO O\nO", "the player to move cannot have joined all sides"),
        *(
            (Backgammon.from_id, text, "14 characters")
            for text in ("", "sGfwATDgc/ABMA=", "sGfwATDgc/ABM", "!Gfw", "/////////////w")
        ),
        *(
            (Chess.from_fen, fen, message)
            for fen, message in {
                "8/8/8/8/8/8/8/8 w - - 0 1": "one king",
                "k7/8/8/8/8/8/8/K6 w - - 0 1": "eight ranks of eight",
                "k7/8/8/8/8/8/K7 w - - 0 1": "eight ranks of eight",
                "k7/8/8/8/8/8/8/K7 x - - 0 1": "side to move",
                "k7/8/8/8/8/8/8/K7 w - - 0 1 2": "six fields, not 7",
                "k7/8/8/8/8/8/8/K7 w KQ - 0 1": "castling must be rooks",
                "k7/8/8/8/8/8/8/K6R w K - 0 1": "must stand on the e-file",
                "k7/8/8/8/8/8/8/K7 w - e6 0 1": "passant must be",
                "k7/8/8/8/8/8/8/K7 w - e4 0 1": "cannot be the en passant",
                f"k7/8/8/8/8/8/8/K7 w - - {'9' * 23} 1": "half moves (nine digits",
                f"k7/8/8/8/8/8/8/K7 w - - 0 {'9' * 23}": "move number (nine digits",
                "k7/8/8/8/8/8/8/K7 w - - 0 -1": "move number",
                "k7/8/8/8/8/8/8/K7 w - - 0 \u0661": "move number",
                "r3k2r/8/8/8/8/8/8/R3K2R w KQkqK - 0 1": "cannot be the castling",
                "k7/R7/8/8/8/8/8/K7 w - - 0 1": "cannot be in check",
                "P6k/8/8/8/8/8/8/K7 w - - 0 1": "first and last rank",
            }.items()
        ),
    ],
)
def test_texts_that_are_no_position(read: Any, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        read(text)


def test_texts_of_other_sizes() -> None:
    with pytest.raises(ValueError, match="6 rows of 6 cells, not 4 of 4"):
        Amazons.from_text("W...\n....\n....\n...B", size=6)
    with pytest.raises(ValueError, match="rows of 5 cells"):
        Breakthrough.from_text("B B B B\nW W W W", height=5, width=5)
    with pytest.raises(TypeError, match="komi must be a number, not 'six'"):
        Go(komi="six")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("position", "moves", "message"),
    [
        (Amazons(), ["e1"], "'e1' is not a legal move; legal: a4, j4, d1, g1"),
        (Backgammon(), ["11"], "legal: "),
        (Backgammon().after("52 13/8 24/22 66"), ["6/off"], "legal: 24/18, 13/7, 8/2"),
        (Breakthrough(5, 5), ["b2b4"], "'b2b4' is not a legal move; legal: a2a3, a2b3, b2a3"),
        (Breakthrough(5, 5), [0, 45, 62, 74, 75, -1], "legal"),
        (Checkers(), ["11-14"], "legal: 9-14, 9-13"),
        (Domineering(3, 3).move("b1"), ["a1", "b2", "c1", 9, -1], "legal"),
        (DotsAndBoxes().after("a1b1"), ["a1b1"], "legal: b1c1, c1d1"),
        (Gomoku().move("h8"), ["h8", "p1", "black", 225, -1], "legal"),
        (Goofspiel(4, -1).after("3 1"), ["3"], "'3' is not a legal move; legal: 1, 2, 4"),
        (Kalah().after("3"), ["3"], "legal: 1, 2, 4, 5, 6"),
        (Kuhn().after("Q K pass bet"), ["check"], "'check' is not a legal move; legal: pass, bet"),
        (LiarsDice().after("3 6"), ["liar"], "'liar' is not a legal move; legal: 1-1, 1-2"),
        (LiarsDice().after("3 6 1-2"), ["1-2"], "'1-2' is not a legal move; legal: 1-3, 1-4"),
        (Nim().after("c3 a1 d7"), ["a1"], "'a1' is not a legal move; legal: b1, c1, b2, c2, b3"),
        (Quoridor(5).after("c2 c4 c3"), ["c3", "pass", "z9h", 7, 99], "legal: c5, b4, d4, c2"),
        (Quoridor(5).after("a1h"), ["a1h", "b1h", "a1v"], "legal: "),
        (
            Othello(),
            ["a1", "pass", -1, 64, 65, 27, "d33", ""],
            "legal: d3, c4, f5, e6",
        ),
        (PhantomTicTacToe().after("b2 b2"), ["b2"], "b2"),
        (RockPaperScissors(), ["well"], "'well' is not a legal move; legal: rock, paper, scis"),
        (
            Chess.from_fen("4k3/8/8/8/8/8/4K3/R6R w - - 0 1"),
            ["Rd1", "Ra9", "e2e4e5", "O-O", "", "R"],
            "legal",
        ),
        (Chess.from_fen("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1"), ["O-O"], "legal"),
        (Chess(), ["Nf6"], "'Nf6' is not a legal move; legal: a3"),
    ],
)  # fmt: skip
def test_illegal_moves(position: Any, moves: list[int | str], message: str) -> None:
    for move in moves:
        with pytest.raises(IllegalMove, match=re.escape(message)):
            position.move(move)
        with pytest.raises(IllegalMove):
            position.after([move])
