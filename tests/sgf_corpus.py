"""Small files of Go and Hex with the quirks of those that other programs write, and what they mean.

``moves`` are the names of the moves of the main line, from ``start``. ``alike``: sgfmill reads the
same moves; it does not parse text in Shift_JIS, GBK and Big5, nor damaged variations, and knows no
Hex.
"""

from typing import NamedTuple

from adv_envs import Go, Hex
from adv_envs.position import Position


class File(NamedTuple):
    """A file, and the game in it."""

    data: bytes
    start: Position
    moves: str
    alike: bool = True


NINE = Go(9, 0)
GOLEM = b"(;FF[4]EV[%s]PB[Ann]PW[Bob]SZ[5]RE[B]GC[game #1]SO[http://www.littlegolem.com]"


def in_encoding(name: str, codec: str, text: str) -> File:
    """A game with a comment, after which a move would be lost if it was parsed as bytes."""
    game = f"(;GM[1]CA[{name}]SZ[9]PB[{text}];B[ee]C[{text}];W[cc]C[{text}{text}];B[gg])"
    return File(game.encode(codec), NINE, "e5 c7 g3", False)


CORPUS = {
    # ---- properties
    "nothing in them": File(b"(;GM[]SZ[9]KM[]HA[]RU[]PL[]CA[]AB[]AE[];B[ee])", NINE, "e5", False),
    "no size": File(b"(;GM[1]SZ[];B[pd])", Go(19, 0), "q16", False),
    "a size twice": File(b"(;GM[1]SZ[9:9];B[ee])", NINE, "e5", False),
    "a decimal comma": File(b"(;GM[1]SZ[9]KM[6,5];B[ee])", Go(9, 6.5), "e5"),
    "quarter stones": File(b"(;GM[1]SZ[9]KM[375]RU[Chinese];B[ee])", Go(9, 7.5), "e5"),
    "hundredths": File(b"(;GM[1]SZ[9]KM[650];B[ee])", Go(9, 6.5), "e5"),
    "long names": File(
        b"(;GaMe[1]FileFormat[3]SiZe[9]KoMi[5.5]PlayerBlack[Ann];Black[ee];White[cc])",
        Go(9, 5.5),
        "e5 c7",
    ),
    "old passes": File(b"(;FF[3]GM[1]SZ[19];B[pd];W[tt];B[])", Go(19, 0), "q16 pass pass"),
    "a pass in words": File(b"(;GM[1]SZ[9];B[pass];W[ee])", NINE, "pass e5", False),
    "rectangles": File(
        b"(;GM[1]SZ[5]AB[aa:cb]AB[ee:dd]AE[bb:ba]PL[W];W[ad])",
        Go.from_text("X . X . .\nX . X . .\n. . . . .\n. . . X X\n. . . X X", 1, komi=0),
        "a2",
        False,
    ),
    "unknown properties": File(b"(;GM[1]SZ[9]KGSDE[x:\\]]ZZ[1][2];B[ee]BL[10]ZZ[])", NINE, "e5"),
    "a handicap as moves": File(
        b"(;GM[1]SZ[5]HA[3];B[aa];B[ee]C[two];B[ea];W[cc];B[bb])",
        Go.from_text("X . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . X", 0, komi=0),
        "e5 c3 b4",
        False,
    ),
    # ---- the end
    "AGA passes": File(b"(;GM[1]SZ[9];B[ee];W[];B[];W[])", NINE, "e5 pass pass pass"),
    "a dispute": File(
        b"(;GM[1]SZ[9];B[ee];W[];B[];W[cc];B[gg];W[];B[])", NINE, "e5 pass pass c7 g3 pass pass"
    ),
    "two disputes": File(
        b"(;GM[1]SZ[9];B[];W[];B[ee];W[];B[];W[];B[cc])", NINE, "pass pass e5 pass pass pass c7"
    ),
    "a longer game": File(
        b"(;GM[1]SZ[2];B[aa];W[bb];B[];W[ab];B[];W[ba];B[];W[];B[aa];W[];B[])",
        Go(2, 0),
        "a2 b1 pass a1 pass b2 pass pass a2 pass pass",
    ),
    "a repeated board": File(
        b"(;GM[1]SZ[4]AB[ba][ab][bc]AW[ca][db][cc][bb]PL[B];B[cb];W[];B[];W[bb])",
        Go.from_text(". X O .\nX O . O\n. X O .\n. . . .", 0, komi=0),
        "c3 pass pass b3",
        False,
    ),
    # ---- the file
    "a byte-order mark": File(b"\xef\xbb\xbf(;GM[1]SZ[9];B[ee])", NINE, "e5"),
    "UTF-16": File("(;GM[1]SZ[9]PB[é];B[ee])".encode("utf-16"), NINE, "e5", False),
    "lines of Windows": File(b"(\r\n;GM[1]\r\nSZ[9]\r\n;B[ee]\r\n;W[cc]\r\n)\r\n", NINE, "e5 c7"),
    "a letter before it": File(b"From: Ann\nSubject: (a game)\n\n(;GM[1]SZ[9];B[ee])", NINE, "e5"),
    "several games": File(b"(;GM[1]SZ[9];B[ee])\n\n(;GM[1]SZ[5];B[aa])", NINE, "e5"),
    "brackets missing": File(b"(;GM[1]SZ[9];B[ee](;W[cc];B[gg])", NINE, "e5 c7 g3", False),
    "escapes": File(b"(;GM[1]SZ[9]C[a \\] b \\\\];B[ee]C[(;B\\[aa\\])])", NINE, "e5"),
    # ---- variations
    "variations": File(b"(;GM[1]SZ[9];B[ee](;W[cc](;B[gg])(;B[hh]))(;W[dd]))", NINE, "e5 c7 g3"),
    "illegal variations": File(
        b"(;GM[1]SZ[9];B[ee](;W[cc])(;W[ee];W[zz])(;Q))", NINE, "e5 c7", False
    ),
    "damaged variations": File(
        b"(;GM[1]SZ[9];B[ee](;W[cc])(;%%W dd];)(;W[gg", NINE, "e5 c7", False
    ),
    # ---- encodings
    "Shift_JIS": in_encoding("Shift_JIS", "cp932", "表ソ十構"),
    "Shift_JIS, another name": in_encoding("x-sjis", "cp932", "能表"),
    "GBK": in_encoding("GBK", "gbk", "俓乗僝"),
    "GB2312 with more": in_encoding("GB2312", "gb18030", "俓乗僝"),
    "Big5": in_encoding("Big5", "big5", "功許蓋"),
    "EUC-KR": in_encoding("EUC-KR", "cp949", "바둑"),
    "HZ": in_encoding("HZ-GB-2312", "hz", "围棋"),
    "Latin-1": in_encoding("ISO-8859-1", "latin-1", "Bölling"),
    "Latin-1, but it says UTF-8": in_encoding("UTF-8", "latin-1", "Bölling"),
    "UTF-8 without a word": File("(;SZ[9]C[é围];B[ee])".encode(), NINE, "e5", False),
    "an unknown encoding": in_encoding("nonsense", "utf-8", "围棋"),
    "a code that is no encoding": in_encoding("undefined", "ascii", "x"),
    # ---- Hex
    "Little Golem": File(
        GOLEM % b"hex.ld.DEFAULT" + b";W[ad];B[cc];W[eb];B[resign])", Hex(5), "a4 c3 e2", False
    ),
    "Little Golem, no event": File(GOLEM % b"null" + b";W[ad];B[cc])", Hex(5), "a4 c3", False),
    "Little Golem, a swap": File(
        GOLEM % b"null" + b";W[ad];B[swap];W[cc])", Hex(5, swap=True), "a4 swap c3", False
    ),
    "White begins and swaps sides": File(
        b"(;FF[4]GM[11]SZ[5];W[a4];B[swap];B[c3])", Hex(5), "a4 c3", False
    ),
    "HexWorld": File(
        b"(;AP[HexWorld]SZ[5];B[a2];W[swap-pieces];B[c3])", Hex(5, swap=True), "a2 swap c3", False
    ),
    "cells with numbers": File(b"(;SZ[5];B[a2];W[c3])", Hex(5), "a2 c3", False),
    "PlayHex": File(
        b"(;FF[4]GM[11]AP[PlayHex:0.0.0]PL[B]SZ[4];B[a1];W[b1])", Hex(4), "a1 b1", False
    ),
}
