"""SGF files: what is written can be read, by us and by others, and what is wrong is told."""

import itertools
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
import sgfmill.sgf
import sgfmill.sgf_moves
from command_line import run
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sgf_corpus import CORPUS, File

import adv_envs
from adv_envs import ConnectFour, Go, Hex, IllegalMove
from adv_envs.formats import sgf
from adv_envs.formats.hex_sgf import set_up, stones
from adv_envs.formats.sgf import SgfError, SgfGame

pytestmark = pytest.mark.plain

# ---- there and back

TEXTS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\r\t\f\v"), max_size=30
)
always = settings(deadline=None, derandomize=True, max_examples=100)
NAMES = st.sampled_from(["PB", "PW", "EV", "DT", "GN", "XYZ"])


@st.composite
def games(draw: st.DrawFn) -> tuple[Hex, list[int]]:
    """A start, of a game or not, and a line of play from it."""
    start = Hex(draw(st.integers(2, 7)), draw(st.booleans()))
    rng = draw(st.randoms(use_true_random=False))
    kind = draw(st.sampled_from(["empty", "later", "puzzle"]))
    if kind == "later":
        start, _ = walk(start, rng, draw(st.integers(0, 12)))
    elif kind == "puzzle":
        cells = [(row, column) for row in range(start.size) for column in range(start.size)]
        few = rng.sample(cells, draw(st.integers(0, 4)))
        split = draw(st.integers(0, len(few)))
        puzzle = set_up(start.size, few[:split], few[split:])
        if not puzzle.is_terminal():
            mover = draw(st.integers(0, 1))
            puzzle = set_up(start.size, few[:split], few[split:], mover)
        start = puzzle
    return start, walk(start, rng, draw(st.integers(0, 60)))[1]


def walk(position: Hex, rng: Any, plies: int) -> tuple[Hex, list[int]]:
    """The position after some random actions, and those."""
    actions: list[int] = []
    while len(actions) < plies and not position.is_terminal():
        actions.append(rng.choice(position.legal_actions()))
        position = position.play(actions[-1])
    return position, actions


@always
@given(games(), st.dictionaries(NAMES, TEXTS), st.dictionaries(st.integers(0, 3), TEXTS))
@example((Hex(3, swap=True), [2, 9, 4]), {"PB": "a]b\\c[d:e"}, {0: "\\", 1: "]\n\n;B[a1]"})
def test_what_is_written_is_read(
    game: tuple[Hex, list[int]], properties: dict[str, str], comments: dict[int, str]
) -> None:
    start, actions = game
    comments = {n: text for n, text in comments.items() if n <= len(actions) and text}
    record = sgf.read(sgf.write(start, actions, comments, **properties))
    assert record.start == start
    assert list(record.actions) == actions
    assert record.end == start.after(actions)
    assert dict(record.comments) == comments
    assert {name: record.properties[name] for name in properties} == properties
    assert not record.sides_swapped


@always
@given(st.binary(max_size=60) | st.text("(;)[]FGMSZBWC1a2\\ :", max_size=40))
def test_anything_else_is_refused_or_a_game(text: str | bytes) -> None:
    try:
        record = sgf.read(text)
    except SgfError:
        return
    again = sgf.read(sgf.write(record.start, record.actions))
    assert (again.start, again.actions) == (record.start, record.actions)


@always
@given(games(), st.data())
def test_torn_files_are_refused(game: tuple[Hex, list[int]], data: st.DataObject) -> None:
    text = sgf.write(*game, PB="Ann").rstrip()
    torn = text[: data.draw(st.integers(0, len(text) - 1))]
    with pytest.raises(SgfError, match=r"line \d+, column \d+: unexpected end|no game"):
        sgf.read(torn)


# ---- writing


def test_a_game_as_hexgui_writes_it() -> None:
    game = Hex(3, swap=True), [2, 9, 4, 0]
    text = sgf.write(*game, {3: "good"}, PB="Ann", PW="Bob")
    assert max(map(len, text.split("\n"))) < 80
    assert text.replace("\n", "") == (
        f"(;FF[4]AP[adv-envs:{adv_envs.__version__}]CA[UTF-8]GM[11]PB[Ann]PW[Bob]RU[swap]SZ[3]"
        ";B[c1];W[swap-pieces];B[b2]C[good];W[a1])"
    )


def test_results_are_written() -> None:
    won = Hex(2).after("a1 b1 a2")
    assert "RE[B+]" in sgf.write(Hex(2), [0, 1, 2])
    assert sgf.read(sgf.write(Hex(2), [0, 1, 2])).result == "B+"
    assert "RE[W+Time]" in sgf.write(Hex(2), [0, 1, 2], RE="W+Time")
    assert "RE" not in sgf.write(Hex(2), [0, 1])
    assert sgf.supports(Hex(3).after("b2"))
    assert not sgf.supports(ConnectFour())
    assert sgf.read(sgf.write(won, [])).start == won


def test_set_ups_are_written() -> None:
    puzzle = set_up(3, [(0, 0)], [(1, 1), (2, 2)], 1)
    assert re.search(r"AB\[a1\]AP\[.*\]AW\[b2\]\[c3\].*PL\[W\]", sgf.write(puzzle, []))


@pytest.mark.parametrize(
    ("values", "error", "why"),
    [
        ({"start": ConnectFour()}, ValueError, "not for ConnectFour"),
        ({"actions": [0, 0]}, IllegalMove, "move 2, 'action 0', is not legal"),
        ({"actions": [99]}, IllegalMove, "action 99"),
        ({"comments": {3: "x"}}, ValueError, "comment on move 3 of 2"),
        ({"comments": {-1: "x"}}, ValueError, "comment on move -1 of 2"),
        ({"GM": "1"}, ValueError, "GM belongs to the game"),
        ({"pb": "Ann"}, ValueError, "pb is no name of a property"),
        ({"PB": 3}, TypeError, "PB must be text, not 3"),
        ({"PB": "\ud800"}, ValueError, "has half of a character at 0"),
    ],
)
def test_what_cannot_be_written(values: Any, error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=why):
        sgf.write(**{"start": Hex(3), "actions": [0, 1], **values})


# ---- reading


def test_a_file_of_hexgui() -> None:
    record = sgf.read(
        "(;FF[4]AP[HexGui:0.10]GM[11]SZ[5]C[two\\] bridges\\: nice];B[c3];W[b4]\nC[hm];B[c4]\n"
        "(;W[d2];B[a1])(;W[e5]C[not read];B[e4]))"
    )
    assert record.start == Hex(5)
    assert record.end == Hex(5).after("c3 b4 c4 d2 a1")
    assert record.comments == {0: "two] bridges: nice", 2: "hm"}
    assert record.result == ""


def test_a_puzzle() -> None:
    record = sgf.read("(;FF[4]GM[11]SZ[4];AB[a1][d4]AW[b2]AE[d4];AW[c3][c1]PL[W];W[b1])")
    assert [stones(record.start, player) for player in (0, 1)] == [
        [(0, 0)],
        [(0, 2), (1, 1), (2, 2)],
    ]
    assert record.start.to_move == 1
    assert record.actions == (1,)


def test_whose_turn_it_is_in_a_set_up() -> None:
    def mover(rest: str) -> int:
        return sgf.read(f"(;GM[11]SZ[3]{rest})").start.to_move

    assert mover("AB[a1]") == 1
    assert mover("AB[a1]AW[b1]") == 0
    assert mover("AB[a1];B[b1]") == 0  # the first move says so
    assert mover("AB[a1]PL[black]") == 0
    assert mover(";W[a1]") == 1
    assert mover("AB[a1][a2][a3]AW[b1]") == 1  # Black has won


@pytest.mark.parametrize("word", ["swap-pieces", "swap-sides", "swap", "SWAP"])
def test_the_next_move_tells_which_swap_it_was(word: str) -> None:
    pieces = sgf.read(f"(;GM[11]SZ[3];B[c1];W[{word}];B[b2];W[a1])")
    assert pieces.end == Hex(3, swap=True).after("c1 swap b2 a1")
    assert not pieces.sides_swapped
    sides = sgf.read(f"(;GM[11]SZ[3];B[c1];W[{word}];W[b2];B[a1])")
    assert sides.end == Hex(3).after("c1 b2 a1")
    assert sides.sides_swapped
    last = sgf.read(f"(;GM[11]SZ[3];B[c1];W[{word}])")
    assert last.sides_swapped == (word == "swap-sides")


def test_the_pie_rule_may_be_in_force_and_unused() -> None:
    assert sgf.read("(;GM[11]SZ[3]RU[Pie rule];B[a1];W[b1])").start == Hex(3, swap=True)


def test_resignations() -> None:
    record = sgf.read("(;GM[11]SZ[3];B[b2];W[resign])")
    assert record.result == "B+Resign"
    assert record.actions == (4,)
    assert sgf.read("(;GM[11]SZ[3]RE[B+4];B[b2];W[forfeit])").result == "B+4"


def test_letters_as_on_little_golem() -> None:
    assert sgf.read("(;GM[11]SZ[5];B[cb];W[ae])").end == Hex(5).after("c2 a5")


def test_encodings() -> None:
    text = "(;GM[11]SZ[3]CA[{}]PB[Bölling];B[a1]C[schön])"
    for name, codec in [("UTF-8", "utf-8"), ("ISO-8859-1", "latin-1"), ("nonsense", "latin-1")]:
        record = sgf.read(text.format(name).encode(codec))
        assert record.properties["PB"] == "Bölling"
        assert record.comments == {1: "schön"}
    assert sgf.read(text.format("UTF-8").encode("latin-1")).properties["PB"] == "Bölling"
    assert sgf.read(text.format("ISO-8859-1")).properties["PB"] == "Bölling"  # text is decoded


def test_comments_of_one_moment_are_joined() -> None:
    assert sgf.read("(;GM[11]SZ[3]C[one];C[two\\\n!];B[a1])").comments == {0: "one\ntwo!"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no game: it would begin with"),
        ("hello", "no game"),
        ("(;GM[11]SZ[3]\n;B[a1", "line 2, column 3: unexpected end"),
        ("(;GM[11]SZ[3];B[a1]", "line 1, column 20: unexpected end"),
        ("(;GM[11]SZ[3];B)", "line 1, column 17: property with no values"),
        ("(;GM[11]SZ[3]\n\n();B[a1])", "line 3, column 3: empty sequence"),
        ("(;GM[2]SZ[8];B[pd])", r"game number 2; Go is GM\[1\], and Hex is GM\[11\]"),
        ("(;GM[11];B[a1])", "size of the board is missing"),
        ("(;GM[11]SZ[10:12])", r"SZ\[10:12\] is no square board"),
        ("(;GM[11]SZ[big])", r"SZ\[big\] is no square board"),
        ("(;GM[11]SZ[20])", "size must be 2 to 19, not 20"),
        ("(;GM[11]SZ[1])", "size must be 2 to 19, not 1"),
        ("(;GM[11]SZ[3];B[d1])", r"move 1: B\[d1\] is not a cell: a1 to c3"),
        ("(;GM[11]SZ[3];B[])", r"B\[\] is not a cell"),
        ("(;GM[11]SZ[3];B[a0])", r"B\[a0\] is not a cell"),
        ("(;GM[11]SZ[3];B[pass])", r"B\[pass\] is not a cell"),
        ("(;GM[11]SZ[3]AB[d1])", r"AB\[d1\] is not a cell"),
        ("(;GM[11]SZ[3]PL[x])", r"PL\[x\] is no player"),
        ("(;GM[11]SZ[3];B[a1];W[a1])", r"move 2, W\[a1\], is not legal: there is a stone"),
        ("(;GM[11]SZ[3];B[a1];B[a2])", r"move 2, B\[a2\], is out of turn: white is to move"),
        ("(;GM[11]SZ[3];B[a1]W[a2])", "two moves in the node after move 0"),
        ("(;GM[11]SZ[2];B[a1];W[b1];B[a2];W[b2])", r"move 4, W\[b2\], comes after the end"),
        ("(;GM[11]SZ[3];B[a1];AW[a1]", "unexpected end"),
        ("(;GM[11]SZ[3];B[a1](;W[b1]);B[c1])", "line 1, column 28: a node follows a variation"),
        ("(;GM[11]SZ[3];B[\ud800])", "line 1, column 17: half of a character"),
        ("(;GM[11]SZ[3];B[swap-pieces])", "White may swap for the first stone"),
        ("(;GM[11]SZ[3];B[a1];W[b1];B[swap])", "White may swap"),
        ("(;GM[11]SZ[3];B[a1];W[swap];W[swap])", "White may swap"),
        ("(;GM[11]SZ[2]AB[a1][a2]PL[B])", "black has won: white is to move"),
    ],
)
def test_errors_say_what_and_where(text: str, why: str) -> None:
    with pytest.raises(SgfError, match=why):
        sgf.read(text)


# ---- files and the command line


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    sgf.save(path, Hex(5), [12, 7], {1: "ö"}, PB="Ann")
    record = sgf.load(path)
    assert isinstance(record, SgfGame)
    assert (record.end, record.properties["PB"]) == (Hex(5).after([12, 7]), "Ann")
    path.write_text("(;GM[2])")
    with pytest.raises(SgfError, match=r"game\.sgf: this is game number 2"):
        sgf.load(path)
    with pytest.raises(FileNotFoundError):
        sgf.load(tmp_path / "none.sgf")


def test_show_writes_and_reads_and_solve_reads(tmp_path: Path) -> None:
    path = str(tmp_path / "game.sgf")
    assert run("show", "hex", "--size", "3", "a1", "b2", "--sgf", path).code == 0
    shown = json.loads(run("show", "hex", path, "c3", "--json").out)
    assert shown["position"] == repr(Hex(3).after("a1 b2 c3"))
    assert run("show", "hex", path, "--size", "3").code == 0
    sgf.save(path, Hex(3), [4])
    assert json.loads(run("solve", "hex", path, "--json").out)["value"] == -1


def test_play_reads_and_writes(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    sgf.save(path, Hex(3), [4, 0])
    players = ["--player", "random", "--opponent", "random", "--seed", "1"]
    assert run("play", "hex", "--moves", str(path), "--sgf", str(path), *players).code == 0
    record = sgf.load(path)
    assert record.actions[:2] == (4, 0)
    assert record.end.is_terminal()
    assert record.properties["PB"] == "random()"
    assert record.result == "WB"[record.end.to_move] + "+"


def test_matches_are_written(tmp_path: Path) -> None:
    folder = tmp_path / "some" / "games"
    options = ["--size", "3", "--pairs", "2", "--sgf", str(folder)]
    assert run("match", "hex", "random", "rush", *options).code == 0
    files = sorted(folder.iterdir())
    assert [file.name for file in files] == ["001.sgf", "002.sgf", "003.sgf", "004.sgf"]
    records = [sgf.load(file) for file in files]
    assert all(record.end.is_terminal() for record in records)
    assert [record.properties["PW"] for record in records] == ["rush()", "random()"] * 2


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (["show", "hex", "FILE", "--size", "5"], "is a game of hex, size=3, not of hex, size=5:"),
        (["show", "tic_tac_toe", "FILE"], "SGF files are for go and hex, not for tic_tac_toe"),
        (["show", "tic_tac_toe", "--sgf", "FILE"], "go and hex, not for tic_tac_toe"),
        (["play", "tic_tac_toe", "--sgf", "FILE"], "SGF files are for go and hex"),
        (
            ["match", "tic_tac_toe", *["random"] * 2, "--sgf", "FILE"],
            "SGF files are for go and hex",
        ),
        (["show", "hex", "FILE", "a1"], "'a1', is not legal"),
        (["show", "hex", "missing.sgf"], "there is no file"),
    ],
)
def test_refusals(args: list[str], why: str, tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    sgf.save(path, Hex(3), [0])
    done = run(*(str(path) if arg == "FILE" else arg for arg in args))
    assert done.code in (1, 2)
    assert why in " ".join(done.err.split())


def test_random_games_of_every_size_are_read_again() -> None:
    rng = random.Random(1)
    for size in range(2, 20):
        start = Hex(size, swap=bool(size % 2))
        end, actions = walk(start, rng, 400)
        assert end.is_terminal()
        record = sgf.read(sgf.write(start, actions))
        assert (record.start, list(record.actions)) == (start, actions)


# ---- files as they are found


def same_game(found: Any, file: File) -> bool:
    """Whether a game has this line of play, by the rules of its own start."""
    names, position = [], found.start
    for action in found.actions:
        names.append(position.name(action))
        position = position.play(action)
    rules = {"superko", "passes_to_end", "max_plies"}
    same = [name for name in found.start.parameters if name not in rules]
    return (
        position == found.end
        and " ".join(names) == file.moves
        and all(getattr(found.start, name) == getattr(file.start, name) for name in same)
        and found.start.rows() == file.start.rows()
        and found.start.to_move == file.start.to_move
    )


@pytest.mark.parametrize("name", CORPUS)
def test_files_as_they_are_found(name: str) -> None:
    file = CORPUS[name]
    record = sgf.read(file.data)
    assert same_game(record, file), record
    if file.alike:
        game = sgfmill.sgf.Sgf_game.from_bytes(file.data)
        size = record.start.size
        cells = [node.get_move() for node in game.get_main_sequence()]
        found = [
            size * size if cell is None else (size - 1 - cell[0]) * size + cell[1]
            for colour, cell in cells
            if colour is not None
        ]
        assert list(record.actions) == found
    again = sgf.read(sgf.write(record.start, record.actions, record.comments))
    assert (again.start, again.actions) == (record.start, record.actions)
    assert again.comments == record.comments


@pytest.mark.parametrize("name", [name for name in CORPUS if b"CA[" in CORPUS[name].data])
def test_comments_in_their_encoding(name: str) -> None:
    record = sgf.read(CORPUS[name].data)
    text = record.properties.get("PB", "")
    assert record.comments == ({1: text, 2: 2 * text} if text else {})
    assert "\ufffd" not in text


ENCODINGS = {"Shift_JIS": "cp932", "GBK": "gb18030", "Big5": "big5", "EUC-KR": "cp949"}


@pytest.mark.parametrize("name", ENCODINGS)
@settings(deadline=None, derandomize=True, max_examples=50)
@given(data=st.data())
def test_no_move_is_lost_in_any_encoding(name: str, data: st.DataObject) -> None:
    codec = ENCODINGS[name]
    pairs = st.tuples(st.integers(0x81, 0xFE), st.sampled_from(b"\\]@[A|\xa1\xfe"))
    texts = st.lists(pairs, max_size=8).map(
        lambda found: b"".join(map(bytes, found)).decode(codec, "ignore")
    )
    comments = [data.draw(texts.filter(lambda t: "\\" not in t and "]" not in t)) for _ in range(3)]
    cells = "ee", "cc", "gg"
    moves = "".join(
        f";{'BW'[i % 2]}[{cell}]C[{text}]"
        for i, (cell, text) in enumerate(zip(cells, comments, strict=True))
    )
    record = sgf.read(f"(;CA[{name}]SZ[9]{moves})".encode(codec))
    assert record.end == Go(9, 0).after("e5 c7 g3")
    assert record.comments == {i: text for i, text in enumerate(comments, 1) if text}


@pytest.mark.parametrize("said", ["", "CA[nonsense]", "CA[undefined]", "CA[punycode]", "CA[utf-7]"])
def test_moves_are_not_lost_for_want_of_an_encoding(said: str) -> None:
    text = f"(;{said}SZ[9];B[ee]C[表];W[cc];B[gg])".encode("shift_jis")
    with pytest.raises(SgfError, match=r"the text is not .*UTF-8: say what it is, such as CA\["):
        sgf.read(text)


@pytest.mark.parametrize("said", [b"\0", b"\xff", b"\xed\xa0\x80", b"a" * 5000, b"idna", b"hex"])
def test_odd_names_of_encodings(said: bytes) -> None:
    assert sgf.read(b"(;CA[" + said + b"]SZ[9];B[ee])").end == Go(9, 0).after("e5")


def test_games_in_different_encodings_are_refused() -> None:
    two = "(;CA[GBK]SZ[9]C[围];B[ee])".encode("gbk") + "(;CA[UTF-8]SZ[9]C[围])".encode()
    with pytest.raises(SgfError, match="the games are in different encodings: gbk, utf-8"):
        sgf.read(two)


def test_each_game_of_a_file_is_read_by_itself() -> None:
    text = (
        "(;SZ[9];B[ee])(;GM[2]SZ[8])x(;SZ[5];B[aa](;W[%%])(;W[bb])) (;GM[11]SZ[3];B[a1])(;SZ[9];B"
    )
    first, second, third, fourth, last = sgf.read_all(text)
    assert isinstance(first, SgfGame)
    assert first.end == Go(9, 0).after("e5")
    assert "game number 2" in str(second)
    assert "W[%%], is not a cell" in str(third)
    assert isinstance(fourth, SgfGame)
    assert fourth.end == Hex(3).after("a1")
    assert "line 1, column 89: unexpected end" in str(last)
    with pytest.raises(SgfError, match="no game"):
        list(sgf.read_all("nothing"))


def test_a_game_that_goes_on_says_by_which_rules() -> None:
    record = sgf.read("(;SZ[5];B[cc];W[];B[];W[aa];B[];W[])")
    assert record.start == Go(5, 0, passes_to_end=3)
    assert not record.end.is_terminal()
    assert record.end.cell(0, 0) == 1
    assert sgf.read("(;SZ[5];B[cc];W[];B[])").end.is_terminal()
    assert sgf.read("(;SZ[2]RU[max_plies=3];B[aa];W[];B[bb];W[])").start.max_plies == 6
    assert not sgf.read(CORPUS["a repeated board"].data).start.superko


def test_stones_that_are_set_up_later() -> None:
    record = sgf.read("(;SZ[5];B[cc];W[bb]C[now];AE[bb]AB[dd]C[then];B[aa];AB[aa];W[ab])")
    assert record.start == Go.from_text(
        ". . . . .\n. . . . .\n. . X . .\n. . . X .\n. . . . .", 0, komi=0
    )
    assert (record.actions, record.comments) == ((0, 5), {0: "then"})
    (before,) = record.earlier
    assert before.start == Go(5, 0)
    assert (before.actions, before.comments) == ((12, 6), {2: "now"})
    cleared = sgf.read("(;SZ[5];B[cc];W[bb];B[];W[];AE[bb]TB[aa])")
    assert cleared.start.to_move == 0
    assert (cleared.actions, len(cleared.earlier)) == ((), 1)
    turned = sgf.read("(;GM[11]SZ[3];B[a1];PL[B];B[a2])")
    assert turned.end == set_up(3, [(0, 0), (1, 0)], [], 1)
    with pytest.raises(SgfError, match=r"move 3, B\[aa\], is not legal"):
        sgf.read("(;SZ[5];B[cc];AB[aa];W[bb];B[aa])")


def test_results_of_little_golem() -> None:
    record = sgf.read("(;SZ[5];W[ad];B[cc];W[resign])")
    assert (record.end, record.result) == (Hex(5).after("a4 c3"), "W+Resign")


def test_long_and_deep_texts_take_no_time() -> None:
    for text in ("(" * 50_000, "(;" * 50_000, "[" * 100_000, "(;C" + "[" * 100_000, "( " * 50_000):
        with pytest.raises(SgfError):
            sgf.read(text)
    nested = "(;SZ[9]" + "(;B[ee]" * 1 + "(;C[x]" * 20_000 + ")" * 20_002
    assert sgf.read(nested).end == Go(9, 0).after("e5")


# ---- Go


def other_reader(text: str) -> tuple[Any, list[Any]]:
    """The game as sgfmill itself understands it: the game, and (colour, (row, column)) by move."""
    game = sgfmill.sgf.Sgf_game.from_string(text)
    return game, [node.get_move() for node in game.get_main_sequence()][1:]


def test_random_games_of_go_are_read_again_by_us_and_by_sgfmill() -> None:
    rng = random.Random(1)
    for size in (2, 3, 5, 9, 13, 19):
        start = Go(size, rng.choice([0, 0.5, 7.5, -3.25]), max_plies=60)
        end, actions = walk(start, rng, 60)
        text = sgf.write(start, actions, {0: "one"}, PB="Ann")
        record = sgf.read(text)
        assert (record.start, list(record.actions)) == (start, actions)
        assert (record.end, record.comments) == (end, {0: "one"})
        game, moves = other_reader(text)
        assert (game.get_size(), game.get_komi()) == (size, start.komi)
        assert (game.get_player_name("b"), game.get_winner()) == ("Ann", winner(end))
        assert [colour for colour, _ in moves] == ["bw"[i % 2] for i in range(len(moves))]
        cells = [None if a == size * size else (size - 1 - a // size, a % size) for a in actions]
        assert [cell for _, cell in moves] == cells


def winner(position: Go) -> str | None:
    if not position.is_terminal() or position.lead() == 0:
        return None
    return "b" if position.lead() > 0 else "w"


@pytest.mark.parametrize(
    "start",
    [
        Go(5, superko=False, boards=1, max_plies=12),
        Go.from_text("X . .\n. . .\n. . X", to_move=1, komi=0.5),
        Go.from_text("X . O\n. . .\n. O X", to_move=0),
        Go.from_text(". . .\n. X .\n. . .", to_move=0),
    ],
)
def test_starts_of_go(start: Go) -> None:
    text = sgf.write(start, [1, start.num_stone_actions])
    record = sgf.read(text)
    assert (record.start, record.actions) == (start, (1, start.num_stone_actions))
    game, moves = other_reader(text)
    assert moves == [("bw"[start.to_move], (start.size - 1, 1)), ("wb"[start.to_move], None)]
    board, _ = sgfmill.sgf_moves.get_setup_and_moves(game)
    assert board.list_occupied_points() == [
        ("bw"[player], (i, j))
        for i, j in itertools.product(range(start.size), repeat=2)
        if (player := start.cell(start.size - 1 - i, j)) is not None
    ]


def test_files_of_other_programs() -> None:
    text = "(;GM[1]FF[3]SZ[19]HA[2]KM[0.5]RU[Japanese]RE[W+R]AB[dd][pp];W[pd];B[tt](;W[])(;W[aa]))"
    record = sgf.read(text)
    assert record.start.to_move == 1
    assert record.end == record.start.after("q16 pass pass")
    assert (record.start.komi, record.result, record.properties["HA"]) == (0.5, "W+R", "2")
    assert sgf.read("(;SZ[9];B[ee])").end == Go(9, 0).after("e5")
    assert sgf.read("(;;W[aa])").start == Go(19, 0).with_stones(0, 0, 1)
    box = sgf.read("(;SZ[5]AB[aa:bb]AE[bb]AW[ee]PL[B])").start
    assert box == Go.from_text("X X . . .\nX . . . .\n. . . . .\n. . . . .\n. . . . O", 0, komi=0)


def test_a_handicap_is_written() -> None:
    start = Go.from_text("X . .\n. . .\n. . X", to_move=1, komi=0.5)
    text = sgf.write(start, []).replace("\n", "")
    assert re.search(r"AB\[aa\]\[cc\].*HA\[2\]KM\[0.5\]PL\[W\]SZ\[3\]", text)
    assert other_reader(text)[0].get_handicap() == 2


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("(;GM[1]SZ[20])", "size must be 2 to 19, not 20"),
        ("(;SZ[9:13])", "no square board"),
        ("(;SZ[9]KM[six])", r"KM\[six\]"),
        ("(;SZ[9]RU[boards=9])", "boards must be 1 to 8"),
        ("(;SZ[9];B[e5])", r"B\[e5\], is not a cell: aa to ii"),
        ("(;SZ[9]AB[jj])", r"AB\[jj\] is not a cell"),
        ("(;SZ[9];B[ee];W[ee])", r"move 2, W\[ee\], is not legal: there is a stone"),
        ("(;SZ[3]AB[ab][ba]PL[W];W[aa])", "it is suicide, or repeats a board"),
        ("(;SZ[2]AB[aa][ab][ba][bb])", "joined to a liberty"),
        ("(;SZ[9];B[ee];B[aa])", "out of turn: white is to move"),
        ("(;SZ[9]KM[1e999])", "komi must be a finite number"),
        ("(;SZ[9]RU[superko=maybe])", "superko"),
        ("(;SZ[9]AB[aa:bb:cc])", "nor a rectangle such as aa:cc"),
    ],
)
def test_errors_in_games_of_go(text: str, why: str) -> None:
    with pytest.raises(SgfError, match=why):
        sgf.read(text)


def test_boards_before_the_start_are_not_lost_in_silence() -> None:
    with pytest.raises(ValueError, match="not the boards before"):
        sgf.write(Go(5).after("c3"), [0])
    with pytest.raises(ValueError, match="KM belongs to the game"):
        sgf.write(Go(5), [0], KM="7")


def test_commands_with_games_of_go(tmp_path: Path) -> None:
    path, folder = str(tmp_path / "game.sgf"), tmp_path / "games"
    assert run("show", "go", "--size", "5", "c3", "pass", "--sgf", path).code == 0
    shown = json.loads(run("show", "go", path, "b2", "--json").out)
    assert shown["position"] == repr(Go(5).after("c3 pass b2"))
    wrong = run("show", "hex", path)
    assert "is a game of go, size=5, not of hex" in " ".join(wrong.err.split())
    players = ("--player", "random", "--opponent", "random", "--seed", "1")
    assert run("play", "go", "--moves", path, "--sgf", path, *players).code == 0
    assert sgf.load(path).end.is_terminal()
    options = ("--size", "3", "--pairs", "1", "--sgf", str(folder))
    assert run("match", "go", "random", "random", *options).code == 0
    ends = [sgf.load(file).end for file in sorted(folder.iterdir())]
    assert [end.is_terminal() for end in ends] == [True, True]


def test_commands_with_a_game_that_went_on(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;SZ[2]KM[0.5]RU[max_plies=9];B[aa];W[];B[];W[bb];AE[bb];B[];W[ab])")
    shown = json.loads(run("show", "go", str(path), "--size", "2", "--json").out)
    assert shown["board"].split() == ["a", "b", "2", "X", ".", "1", "O", "."]
    assert run("show", "go", str(path), "--komi", "3").code == 2
    assert run("analyse", "go", str(path), "--agent", "mcts(simulations=10)").code == 0
    graded = json.loads(run("grade", "go", "--record", str(path), "--json").out)
    assert [len(game["moves"]) for game in graded["games"]] == [4, 2]


def test_grading_every_game_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    path.write_text("(;GM[11]SZ[3]PB[Ann];B[b2])(;GM[11]SZ[3];B[z9])(;GM[11]SZ[3];B[a1];W[b2])")
    done = run("grade", "hex", "--record", str(path), "--json")
    assert [len(game["moves"]) for game in json.loads(done.out)["games"]] == [1, 2]
    assert "game 2: move 1: B[z9] is not a cell" in " ".join(done.err.split())
    path.write_text("(;GM[11]SZ[3];B[z9])")
    assert run("grade", "hex", "--record", str(path)).code == 1
    path.write_text("(;GM[11]SZ[3];B[b2])(;GM[11]SZ[3];B[a1])")
    shown = run("show", "hex", str(path), "--json")
    assert json.loads(shown.out)["position"] == repr(Hex(3).after("b2"))
    assert "has 2 games; this is the first" in " ".join(shown.err.split())
