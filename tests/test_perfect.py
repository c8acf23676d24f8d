"""Perfect picks the exact solver of a game; the book of openings, and its faults."""

import json
import re
from pathlib import Path

import pytest
from command_line import run, well

import agents
from adv_envs import ConnectFour, Hex, Pig, TicTacToe
from adv_envs.jit import disabled
from adv_envs.testing import check_agent
from agents import Perfect, Retrograde
from agents.games.connect_four import BookError, ConnectFourSolver
from agents.games.connect_four.book import SHIPPED, load_book, make_book, position_key, shipped_book
from agents.games.connect_four.solver import complete_plies, opening_layers, solve_openings

SMALL = ConnectFour(4, 4)


def whole_book(plies: int) -> dict[int, int]:
    """The scores of the first plies of the board of 4 x 4."""
    scores: dict[int, int] = {}
    solver = ConnectFourSolver(book=False, table_mb=1)
    for _ in solve_openings(solver, opening_layers(SMALL, plies), scores):
        pass
    return scores


# ---- which solver


def test_each_game_has_its_solver() -> None:
    perfect = Perfect(book=False, table_mb=2, weak=True)
    solver = perfect.solver(ConnectFour())
    assert isinstance(solver, ConnectFourSolver)
    assert (solver.book, solver.table_mb, solver.weak) == (False, 2, True)
    assert perfect.solver(ConnectFour(4, 4)) is solver
    assert isinstance(perfect.solver(Pig()), agents.PigSolver)
    assert isinstance(perfect.solver(TicTacToe()), Retrograde)
    assert perfect.solver(Hex(3)).name == "hex_solver"


def test_rows_of_another_length_are_solved_by_retrograde_analysis() -> None:
    position = ConnectFour(3, 3, 3)
    assert isinstance(Perfect().solver(position), Retrograde)
    assert Perfect().value(position) == Retrograde().value(position)


def test_values_are_those_of_the_solver() -> None:
    perfect, position = Perfect(book=False), TicTacToe().after("b2 a2")
    assert perfect.value(position) == 1
    assert perfect.values(position) == Retrograde().values(position)
    assert perfect.analyse(position).value == 1
    assert [result.value for result in perfect.analysis(position)] == [1]
    with pytest.raises(ValueError, match="the game is over"):
        perfect.analyse(TicTacToe().after("a1 b1 a2 b2 a3"))
    with pytest.raises(ValueError, match="table_mb must be more than 0, not 0"):
        Perfect(table_mb=0)


def test_reset_forgets_what_the_solvers_know() -> None:
    perfect, position = Perfect(table_mb=4, book=False), Hex(3).after("a1")
    solver = perfect.solver(position)
    assert isinstance(solver, agents.HexSolver)
    perfect.act(position)
    assert solver.nodes > 0
    perfect.reset(1)
    assert solver.nodes == 0


def test_laws() -> None:
    check_agent(agents.make("perfect"), TicTacToe(), make=agents.make)
    late = ConnectFour().after("4444443333332222225")
    check_agent(agents.make("perfect(table_mb=1)"), late, games=3, make=agents.make)


@pytest.mark.skipif(disabled(), reason="many nodes")
def test_it_wins_what_is_won() -> None:
    perfect, position = Perfect(table_mb=4), ConnectFour().after("4455")
    for _ in range(3):
        position = position.play(perfect.act(position))
    assert position.lost() or position.ply == 7
    assert position.is_terminal()


# ---- the book


def test_the_shipped_book() -> None:
    book = shipped_book()
    assert book.board == (6, 7)
    assert SHIPPED.stat().st_size < 2_000_000
    scores = book.scores()
    layers = opening_layers(ConnectFour(), 3)
    assert complete_plies(layers, scores) >= min(book.complete, 3)
    assert set(scores.values()) <= set(range(-19, 20))


@pytest.mark.skipif(disabled(), reason="many nodes")
def test_the_shipped_book_agrees_with_the_search() -> None:
    scores, solver = shipped_book().scores(), ConnectFourSolver(book=False)
    known = [p for _, p in opening_layers(ConnectFour(), 6)[-1] if position_key(p) in scores]
    for position in known[:: len(known) // 4 + 1]:
        assert solver.value(position) == scores[position_key(position)]


@pytest.mark.skipif(shipped_book().complete < 1, reason="the book is not finished")
def test_scores_of_the_first_moves() -> None:
    assert list(Perfect().values(ConnectFour()).values()) == [-2, -1, 0, 1, 0, -1, -2]  # ORACLES


@pytest.mark.skipif(disabled(), reason="many nodes")
def test_a_book_is_exact_and_read_back(tmp_path: Path) -> None:
    scores = whole_book(4)
    book = make_book(SMALL, 4, 4, scores)
    book.save(tmp_path / "b")
    again = load_book(tmp_path / "b", 4, 4)
    assert again.scores() == scores
    assert (again.plies, again.complete, again.board) == (4, 4, (4, 4))
    solver = ConnectFourSolver(book=False, table_mb=1)
    for layer in opening_layers(SMALL, 5):
        for _, position in layer:
            found = again.score(position)
            assert found == (solver.value(position) if position.ply <= 4 else None)
    assert again.score(ConnectFour()) is None


FAULTS = {
    "torn": (lambda raw: raw[:-5], "is torn or was changed: its SHA-256"),
    "changed": (lambda raw: raw[:-1] + bytes([raw[-1] ^ 1]), "is torn or was changed"),
    "header": (lambda raw: raw.replace(b'"plies": 2', b'"plies": 3'), "is torn or was changed"),
    "version": (lambda raw: raw.replace(b'"version": 1', b'"version": 9'), "is of version 9, and"),
    "game": (lambda raw: raw.replace(b'"connect_four"', b'"hex"'), "is a book of hex, not of"),
    "noise": (lambda raw: raw[::-1], "is no book of openings, or is torn"),
    "empty": (lambda raw: b"", "is no book of openings, or is torn"),
    "list": (lambda raw: b"[1]\n", "is no book of openings, or is torn"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_damaged_books_are_refused(tmp_path: Path, fault: str) -> None:
    damage, message = FAULTS[fault]
    path = tmp_path / "b"
    make_book(SMALL, 2, -1, {0: 0, 1: -3}).save(path)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(BookError, match=message):
        load_book(path, 4, 4)


def test_missing_books_and_other_boards(tmp_path: Path) -> None:
    with pytest.raises(BookError, match=r"there is no book at .*; make it again with: adv-envs"):
        load_book(tmp_path / "none")
    make_book(SMALL, 2, -1, {0: 0}).save(tmp_path / "b")
    with pytest.raises(BookError, match="is a book of the board 4 x 4, not 6 x 7"):
        load_book(tmp_path / "b")


# ---- the commands


@pytest.mark.skipif(disabled(), reason="many nodes")
def test_a_book_of_ones_own_is_used(tmp_path: Path) -> None:
    path, first = tmp_path / "b", SMALL.play(0)
    wrong = {**whole_book(1), position_key(first): 5}  # not its score: whoever says 5 has read it
    make_book(SMALL, 1, 1, wrong).save(path)
    perfect = Perfect(path)
    assert agents.make(repr(perfect)) == perfect == Perfect(str(path))
    for made in (ConnectFourSolver(path), perfect):
        assert made.value(first) == 5
        assert made.values(SMALL)[0] == -5
        with pytest.raises(BookError, match="is a book of the board 4 x 4, not 6 x 7"):
            made.value(ConnectFour())
    assert perfect.value(Hex(3)) == 1  # other games have no such books
    path.write_bytes(path.read_bytes()[:-3])
    says = r"torn or was changed.*--height 4 --width 4 --rebuild --out"
    with pytest.raises(BookError, match=says):
        Perfect(path).value(SMALL)


def test_what_is_no_book_or_no_table(tmp_path: Path) -> None:
    says = "book must be True, False or the path of a file, not 3"
    for kind in (Perfect, ConnectFourSolver):
        with pytest.raises(TypeError, match=says):
            kind(book=3)
    with pytest.raises(BookError, match="cannot be read: "):
        Perfect(tmp_path).value(ConnectFour())  # a folder
    searches = (agents.AlphaBeta, agents.MCTS, agents.ProofNumber, agents.Expectiminimax)
    for agent in (*searches, agents.HexSolver, Perfect, ConnectFourSolver):
        for wrong in ("8", None, True):
            with pytest.raises(TypeError, match=f"table_mb must be a number, not {wrong!r}"):
                agent(table_mb=wrong)
    for agent in (agents.HexSolver, agents.MCTS):
        with pytest.raises(TypeError, match="seconds must be a number or None, not '1'"):
            agent(seconds="1")


def test_book_command_goes_on_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "small.book"
    line = ["book", "connect_four", "--height", "4", "--width", "4", "--table-mb", "1"]
    plies = "1" if disabled() else "3"
    if disabled():  # too much for plain Python: begin where little is left to do
        line[3], line[5] = "2", "4"
    scores = {}
    said = well(*line, "--plies", plies, "--out", str(path))
    assert f"every one up to {plies} plies" in said
    scores = load_book(path, int(line[3]), 4).scores()
    wrong = {**scores, next(iter(scores)): 7}  # what is there is not solved again
    make_book(ConnectFour(int(line[3]), 4), int(plies), -1, wrong).save(path)
    well(*line, "--plies", plies, "--out", str(path))
    assert load_book(path, int(line[3]), 4).scores() == wrong
    well(*line, "--plies", plies, "--out", str(path), "--rebuild")
    assert load_book(path, int(line[3]), 4).scores() == scores


@pytest.mark.compiled
def test_book_command_refuses(tmp_path: Path) -> None:
    path = tmp_path / "b"
    path.write_text("nonsense")
    answer = run("book", "connect_four", "--out", str(path))
    assert answer.code == 2
    assert "is torn" in answer.err
    assert answer.err.count("--rebuild") == 1
    make_book(SMALL, 2, -1, {0: 0}).save(path)
    answer = run("book", "connect_four", "--out", str(path))
    assert "is a book of the board 4 x 4, not 6 x 7; begin again with --rebuild" in answer.err
    answer = run("book", "hex")
    assert answer.code == 2
    assert "no book is made of hex, only of connect_four" in answer.err


@pytest.mark.skipif(disabled(), reason="many nodes")
def test_solve_shows_scores(tmp_path: Path) -> None:
    picture = tmp_path / "scores.svg"
    said = well("solve", "connect_four", "4455", "--svg", str(picture))
    assert re.search(r"^ 3 +\+18 +a win with 2 more stones$", said, re.MULTILINE)
    assert re.search(r"^ 1 +-4 +a loss to 16 more stones$", said, re.MULTILINE)
    assert "18" in picture.read_text()
    found = json.loads(well("solve", "connect_four", "4455", "--json"))
    values = [found["values"][column]["value"] for column in "1234567"]
    assert values == [-4, -3, 18, 2, 2, 18, -3]
    assert found["proven"] is True
