"""Writes chess as text: FEN, UCI's moves and standard algebraic notation; possible positions.

Sources: S. J. Edwards, Standard: Portable Game Notation Specification and Implementation Guide
(1994), sections 8.2 and 16.1; R. Huber and S. Meyer-Kahlen, UCI protocol (2004).
"""

from __future__ import annotations

import re
from typing import Any

from adv_envs.bits import count, lowest
from adv_envs.position import IllegalMove, choices_among, require_between

from .chess_board import FILES

ROOKS = {"K": 1 << 56, "Q": 1 << 0, "k": 1 << 63, "q": 1 << 7}
"""The rooks that may castle, as FEN calls them, on the board as White sees it."""
BY_FILE = {"H": "K", "A": "Q", "h": "k", "a": "q"}
"""The same, as FEN for Chess960 may call them, in positions in which both mean the same."""
SIDES = {5: "five", 8: "eight"}
"""The sides of boards in words."""
LARGEST = 10**9 - 1
"""The largest number of moves or of plies that a position may tell of."""
FIELDS = {
    "board": "[1-8pnbrqkPNBRQK/]+",
    "side to move": "[wb]",
    "castling": r"-|(?:([KQkqHAha])(?!.*\1))+",
    "en passant": "-|[a-h][36]",
    "number of half moves (nine digits at most)": "[0-9]{1,9}",
    "move number (nine digits at most)": "[0-9]{1,9}",
}
"""The fields of a FEN record, and what they look like."""
SAN = re.compile(
    r"([KQRBNP]?)([a-h]?)([1-8]?)[x:-]?([a-h][1-8])(?:[=/]?\(?([QRBNqrbn])\)?)?"
    r"(?:[+#]*\s*e\.?p\.?)?"
)
"""Piece, file and rank where it stands, square, promotion; also as they are found in books."""
ANNOTATIONS = "+#!? "
"""What may follow a move."""
FIGURINES = str.maketrans("♔♕♖♗♘♙♚♛♜♝♞♟", "KQRBNPKQRBNP")


# ---- FEN


def read_fen(start: Any, fen: str) -> tuple[int, ...]:
    """Returns the fields of the position of a FEN record, without ``draws``.

    ``start`` is a position of the same game.
    """
    ranks, turn, castling, passant, clock, move = _fields(fen)
    if start.side != 8 and (castling, passant) != ("-", "-"):
        raise ValueError(f"castling and en passant must be - in a FEN record of this game: {fen!r}")
    sets = _read_board(start.side, ranks)
    white = sum(sets[piece] for piece in "PNBRQK")
    black = sum(sets[piece] for piece in "pnbrqk")
    pawns, bishops, rooks, queens, kings = (sets[p] | sets[p.upper()] for p in "pbrqk")
    rights = sum(ROOKS[BY_FILE.get(rook, rook)] for rook in castling if rook != "-")
    passed = 0 if passant == "-" else 1 << _square(passant)
    board = [white, black, pawns, bishops | queens, rooks | queens, kings, rights, passed]
    if turn == "b":
        board = [start.mirrored(cells) for cells in (black, white, *board[2:])]
    ply = 2 * max(int(move) - 1, 0) + (turn == "b")
    return *board, int(clock), ply, 0, 0


def _fields(fen: str) -> list[str]:
    """Returns the six fields of a FEN record."""
    fields = fen.split()
    fields += ["w", "-", "-", "0", "1"][max(len(fields) - 1, 0) :]
    if len(fields) != 6:
        raise ValueError(f"a FEN record has six fields, not {len(fields)}: {fen[:100]!r}")
    for (name, pattern), field in zip(FIELDS.items(), fields, strict=True):
        if not re.fullmatch(pattern, field):
            raise ValueError(f"{field[:80]!r} cannot be the {name} of a FEN record: {fen[:100]!r}")
    return fields


def _read_board(side: int, ranks: str) -> dict[str, int]:
    """Returns where the pieces of each kind and colour are, on the board as White sees it."""
    sets = dict.fromkeys("PNBRQKpnbrqk", 0)
    rows = [re.sub("[1-8]", lambda digit: "." * int(digit[0]), rank) for rank in ranks.split("/")]
    if [len(row) for row in rows] != [side] * side:
        n = SIDES[side]
        raise ValueError(f"the board of a FEN record has {n} ranks of {n} squares: {ranks!r}")
    for i, row in enumerate(rows):
        for column, piece in enumerate(row):
            if piece != ".":
                sets[piece] |= 1 << side * (column + 1) - 1 - i
    return sets


def _square(name: str) -> int:
    """Returns the number of a square, as White sees it."""
    return 8 * FILES.index(name[0]) + int(name[1]) - 1


def write_fen(position: Any) -> str:
    """Returns a position as a FEN record, whose en passant field is set after every double step."""
    rows = []
    side = position.side
    for row in reversed(range(side)):
        pieces = "".join(piece_at(position, side * column + row) or "." for column in range(side))
        rows.append(re.sub(r"\.+", lambda gap: str(len(gap[0])), pieces))
    castling, passant = position.castling, position.passant
    if position.to_move == 1:
        castling, passant = position.mirrored(castling), position.mirrored(passant)
    rights = "".join(name for name, rook in ROOKS.items() if castling & rook) or "-"
    passed = position.square_name(lowest(passant)) if passant else "-"
    turn, move = "wb"[position.to_move], position.ply // 2 + 1
    return f"{'/'.join(rows)} {turn} {rights} {passed} {position.clock} {move}"


def piece_at(position: Any, square: int) -> str | None:
    """Returns the letter of the piece on a square, as White sees the board; None if it is empty."""
    cell = 1 << (position.opposite(square) if position.to_move == 1 else square)
    if not (position.own | position.opp) & cell:
        return None
    letter = letter_of(position, cell)
    white = (position.own & cell != 0) == (position.to_move == 0)
    return letter if white else letter.lower()


def letter_of(position: Any, cell: int) -> str:
    """Returns the letter of the kind of piece on ``cell``, as the player to move sees the board."""
    if position.pawns & cell:
        return "P"
    if position.kings & cell:
        return "K"
    kind = (position.diagonal & cell != 0) + 2 * (position.straight & cell != 0)
    return "NBRQ"[kind]


# ---- moves


def squares_of(position: Any, action: int) -> tuple[int, int, str]:
    """Returns (from and to, as White sees the board, and the promotion's letter or "")."""
    square, plane = divmod(action, position.num_planes)
    target = position.landing(1 << square, plane)
    promoted = ""
    if position.pawns >> square & 1 and target & position.last_rank:
        other = plane - position.first_promotion
        promoted = "NBR"[other % 3] if other >= 0 else "Q"
    end = lowest(target)
    if position.to_move == 1:
        square, end = position.opposite(square), position.opposite(end)
    return square, end, promoted


def uci(position: Any, action: int) -> str:
    """Returns an action as UCI writes it."""
    start, end, promoted = squares_of(position, action)
    return f"{position.square_name(start)}{position.square_name(end)}{promoted.lower()}"


def write_san(position: Any, action: int) -> str:
    """Returns a legal action in standard algebraic notation."""
    after = position.play(action)
    sign = ("#" if after.is_terminal() and after.utility(0) else "+") if after.in_check() else ""
    start, end, promoted = squares_of(position, action)
    piece = 1 << action // position.num_planes
    letter = letter_of(position, piece)
    if _castles(position, action):
        return ("O-O" if end > start else "O-O-O") + sign
    captures = position.captured(piece, position.landing(piece, action % position.num_planes))
    cross = "x" if captures else ""
    if letter == "P":
        origin = FILES[start // position.side] if cross else ""
        return f"{origin}{cross}{position.square_name(end)}{promoted and '=' + promoted}{sign}"
    return f"{letter}{_origin(position, action, letter)}{cross}{position.square_name(end)}{sign}"


def _origin(position: Any, action: int, letter: str) -> str:
    """Returns what tells a piece from others of its kind that may move to the same square."""
    side = position.side
    start, end, _ = squares_of(position, action)
    rivals = [
        squares_of(position, other)[0]
        for other in position.legal_actions()
        if other != action
        and letter_of(position, 1 << other // position.num_planes) == letter
        and squares_of(position, other)[1] == end
    ]
    if not rivals:
        return ""
    if all(rival // side != start // side for rival in rivals):
        return FILES[start // side]
    if all(rival % side != start % side for rival in rivals):
        return str(start % side + 1)
    return str(position.square_name(start))


def read_san(position: Any, text: str) -> int | None:
    """Returns the action of ``text`` in standard algebraic notation; None if it is no such.

    It may say more than needed, be written as in books, "Ng1-f3", "exd6 e.p.", "e8(Q)", "0-0!", or
    castle as in Chess960, "e1h1". IllegalMove for moves that are illegal or that two pieces can
    make.
    """
    plain = text.strip().translate(FIGURINES).rstrip(ANNOTATIONS)
    castling, found = _castling(position, plain), SAN.fullmatch(plain)
    if castling is None and found is None:
        return None
    legal = position.legal_actions()
    if castling is not None:
        fits = [a for a in legal if uci(position, a) == castling and _castles(position, a)]
    elif found is not None:
        letter, file, rank, target, promoted = found.groups(default="")
        fits = [
            action
            for action in legal
            if letter_of(position, 1 << action // position.num_planes) == (letter or "P")
            and not _castles(position, action)
            and _matches(position, action, file, rank, target, promoted.upper())
        ]
    if len(fits) != 1:
        names = " or ".join(position.short_name(action) for action in fits)
        why = f"may be {names}" if fits else "is not a legal move"
        choices = choices_among([position.short_name(action) for action in legal])
        raise IllegalMove(f"{text!r} {why}; {choices}")
    return int(fits[0])


def _castling(position: Any, text: str) -> str | None:
    """Returns the king's move in UCI if ``text`` is castling; None for other moves."""
    rank = 1 + 7 * position.to_move
    files = {"o-o": "g", "0-0": "g", f"e{rank}h{rank}": "g"}
    files |= {"o-o-o": "c", "0-0-0": "c", f"e{rank}a{rank}": "c"}
    file = files.get(text.lower())
    return None if file is None else f"e{rank}{file}{rank}"


def _castles(position: Any, action: int) -> bool:
    """Returns whether a king moves by two squares."""
    start, end, _ = squares_of(position, action)
    return (
        letter_of(position, 1 << action // position.num_planes) == "K"
        and abs(end - start) == 2 * position.side
    )


def _matches(position: Any, action: int, file: str, rank: str, target: str, promoted: str) -> bool:
    """Returns whether a move is from that file and rank, where they are given, to that square."""
    start, end, piece = squares_of(position, action)
    name = position.square_name(start)
    return (
        file in name and rank in name and position.square_name(end) == target and piece == promoted
    )


# ---- which positions can be


def require_possible(position: Any) -> None:
    """Raises ValueError, saying what is allowed, unless chess can have the position."""
    own, opp, kings = position.own, position.opp, position.kings
    kinds = position.pawns, position.diagonal | position.straight, kings
    for name in ("own", "opp", "pawns", "diagonal", "straight", "kings", "castling", "passant"):
        require_between(name, getattr(position, name), 0, position.squares)
    if own & opp or any(cells & ~(own | opp) for cells in kinds):
        raise ValueError("own and opp must not share a square, and have all pieces between them")
    if kinds[0] & kinds[1] or (kinds[0] | kinds[1]) & kings:
        raise ValueError("a piece cannot be of two kinds, but for queens, diagonal and straight")
    if count(own & kings) != 1 or count(opp & kings) != 1:
        raise ValueError("each player must have one king")
    if position.pawns & (position.first_rank | position.last_rank):
        raise ValueError("pawns cannot stand on the first and last rank")
    _require_rights(position)
    require_between("draws", position.draws, 0, 2)
    require_between("clock", position.clock, 0, LARGEST)
    require_between("ply", position.ply, 0, 2 * LARGEST)
    _require_history(position)
    if position.with_fields(*_turned(position)).in_check():
        raise ValueError("the king of the player who just moved cannot be in check")


def _turned(position: Any) -> tuple[int, ...]:
    """Returns the fields of the position with the other player to move."""
    kinds = position.pawns, position.diagonal, position.straight, position.kings
    boards = [position.mirrored(cells) for cells in (position.opp, position.own, *kinds)]
    return position.draws, *boards, 0, 0, 0, position.ply + 1, 0, 0


def _require_rights(position: Any) -> None:
    """Raises ValueError unless the rooks, kings and pawns stand where castling and passant say."""
    rooks, castling, passed = (
        position.straight & ~position.diagonal,
        position.castling,
        position.passant,
    )
    for side, row in ((position.own, 0), (position.opp, 7)):
        home = castling & position.first_rank << row
        if home & ~(rooks & side & (1 << row | 1 << 56 + row)):
            raise ValueError("castling must be rooks in the corners of their owners")
        if home and not position.kings & side & 1 << 32 + row:
            raise ValueError("kings that may castle must stand on the e-file of their first rank")
    if castling & ~(position.first_rank | position.last_rank):
        raise ValueError("castling must be rooks in the corners of their owners")
    behind = passed | passed << 1
    if passed and (
        count(passed) > 1
        or not passed & position.first_rank << 5
        or behind & (position.own | position.opp)
        or not passed >> 1 & position.pawns & position.opp
        or position.clock
    ):
        raise ValueError("passant must be the square that a pawn of opp has just passed by")


def _require_history(position: Any) -> None:
    """Raises ValueError unless ``history`` are moves, and ``repeated`` is what they say."""
    history = position.history
    longest = min(12 * position.clock, position.history_bits - position.history_bits % 12)
    if history < 0 or history.bit_length() > longest:
        raise ValueError("history must be the moves since the last that cannot be undone")
    own, opp = position.mirrored(position.opp), position.mirrored(position.own)
    diagonal, straight = position.mirrored(position.diagonal), position.mirrored(position.straight)
    expected = position.occurrences(
        own, opp, diagonal, straight, position.mirrored(position.kings), history
    )
    if position.repeated != expected:
        raise ValueError(f"repeated must be {expected} with this history, not {position.repeated}")
