"""Animal shogi: its moves and its end, repetition, and the table of all positions."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest
from games.laws import fresh, random_line

from adv_envs import AnimalShogi, TicTacToe
from adv_envs.position import IllegalMove
from agents import AnimalShogiSolver, Retrograde, knowledge_of
from agents.cli import solve
from agents.cli.console import CommandError
from agents.games.animal_shogi import table_key
from agents.games.animal_shogi.numbering import (
    FIRST,
    SIZE,
    mirror_image,
    number_as_is,
    number_of,
    pieces_in,
    pieces_of,
)
from agents.games.animal_shogi.solver import AnimalShogiTable, plies_to_end
from agents.games.animal_shogi.table import DECIDED, OPEN, TableProgress
from agents.knowledge import Knowledge


def at(fen: str, **parameters: object) -> AnimalShogi:
    return AnimalShogi.from_fen(fen, **parameters)


# ---- the rules


def test_a_chick_becomes_a_hen_only_by_a_move() -> None:
    position = at("1l1/C2/3/1L1[CEg] w 0 9".replace("[CEg]", "[CEEGg]"))
    promoted = position.move("a3a4+")
    assert promoted.piece_at(0) == "H"
    dropped = position.move("C@c4")
    assert dropped.piece_at(2) == "C"
    assert not [name for name in map(position.name, position.legal_actions()) if name == "a3a4"]
    stuck = dropped.move("b4a4").after([dropped.move("b4a4").legal_actions()[0]])
    assert "c4" not in {name[:2] for name in map(stuck.name, stuck.legal_actions())}


def test_a_captured_hen_is_a_chick_again() -> None:
    position = at("1lH/3/3/2L[CEEGG] b 0 9").move("b4c4")
    assert position.held_by(1) == "C"


def test_two_chicks_may_stand_in_one_column_and_a_drop_may_catch_the_lion() -> None:
    position = at("l2/3/C2/2L[CEEGG] w 0 9").move("C@a3")
    assert [position.piece_at(cell) for cell in (0, 3, 6)] == ["l", "C", "C"]
    lost = at("lg1/gE1/3/2L[CCE] w 0 9").move("C@b1")
    assert not lost.is_terminal()


def test_a_lion_across_wins_where_it_cannot_be_taken() -> None:
    safe = at("3/l1L/3/3[CCEEGG] w 0 9").move("c3c4")
    assert safe.result_text() == "The lion is across, Forest wins"
    assert [safe.utility(player) for player in (0, 1)] == [1, -1]


def test_a_lion_across_that_is_attacked_wins_if_it_is_not_taken() -> None:
    """As Fairy-Stockfish has it."""
    tried = at("1l1/2L/3/3[CCEEGG] w 0 9").move("c3c4")
    assert not tried.is_terminal()
    assert tried.move("b4c4").result_text() == "The lion is caught, Sky wins"
    left = tried.move("b4a4")
    assert left.is_terminal()
    assert left.utility(0) == 1
    assert not tried.move("b4b3").is_terminal()


def test_a_player_without_a_move_loses() -> None:
    position = at("GE1/LGE/CC1/2l w 0 9".replace("l w", "l[] w"))
    assert position.legal_actions() == []
    assert position.result_text() == "No move is left, Sky wins"


def test_the_lion_may_be_left_to_be_caught() -> None:
    position = AnimalShogi().move("b2b3")
    assert "a4a3" in map(position.name, position.legal_actions())
    assert position.move("a4a3").move("b3b4+").utility(0) == 1


def test_a_position_may_occur_twice() -> None:
    cycle = "b1a2 b4c3 a2b1 c3b4"
    once, twice = AnimalShogi().after(cycle), AnimalShogi().after(f"{cycle} {cycle}")
    assert (once.repeated, once.is_terminal()) == (1, False)
    assert (twice.repeated, twice.result_text()) == (2, "Draw by threefold repetition")
    ignored = AnimalShogi(repetition="ignored").after(f"{cycle} {cycle}")
    assert not ignored.is_terminal()
    assert AnimalShogi(8).after(f"{cycle} {cycle}").is_terminal()
    assert AnimalShogi(7).after(f"{cycle} b1a2 b4c3 a2b1").is_drawn()
    assert AnimalShogi(1).after("b1a2").result_text() == "Draw: 1 move without a winner"


def test_the_same_board_with_the_other_player_to_move_is_no_repetition() -> None:
    """The start looks the same to both players."""
    start = AnimalShogi()
    line = "b1a2 b4c3 a2a1 c3c4 a1b1 c4b4"
    with pytest.raises(IllegalMove):
        start.after(line)
    waited = start.after("b1a2 b4c3 a2b1 c3b4").move("c1c2").move("a4a3")
    assert waited.repeated == 0
    assert table_key(waited) == table_key(waited._replace(ply=7))


def test_a_board_tells_the_end_and_how_near_a_draw_is() -> None:
    assert str(AnimalShogi()).endswith("\nForest to move, after 0 of 128 moves")
    again = AnimalShogi(20).after("b1a2 b4c3 a2b1 c3b4")
    assert str(again).endswith("\nForest to move, after 4 of 20 moves; seen 1 time before")
    caught = AnimalShogi().after("b2b3 b4b3 C@b2 b3b2 b1b2")
    assert str(caught).endswith("\nThe lion is caught, Forest wins, after 5 of 128 moves")


def test_boards_are_read_again() -> None:
    for here in random_line(AnimalShogi(), Random(5)):
        known = here._replace(history=0, repeated=0)
        assert AnimalShogi.from_text(str(here)) == known


def test_a_history_has_keys_of_positions() -> None:
    late = AnimalShogi().after("b2b3 b4b3 C@b2")
    first, word = AnimalShogi().key, 1 << 64
    assert late.history // word**2 == first
    for ply, history in (
        (0, 5),
        (3, 5),
        (3, late.history + (1 << 50)),
        (4, late.history),
        (3, first << 1),
    ):
        with pytest.raises(ValueError, match="history must have the keys of earlier positions"):
            late._replace(ply=ply, history=history).check()
    with pytest.raises(ValueError, match="does not fit the plies"):
        late._replace(history=late.history * word**2 + first).check()


def test_texts_that_are_no_position() -> None:
    for text, why in (
        ("gle/1c1/1C1/ELG w 0 1", "is like 'gle/1c1/1C1/ELG"),
        ("gle/1c1/1C1/EL[-] w 0 1", "four rows of three cells"),
        ("gle/1c1/1C1/ELG[CCC] w 0 1", "at most two pieces of a kind"),
        ("gle/1c1/3/ELG[-] w 0 1", "two chicks"),
    ):
        with pytest.raises(ValueError, match=why):
            at(text)
    with pytest.raises(ValueError, match="in rows such as"):
        AnimalShogi.from_text("4 g l e")


# ---- numbers of positions, and the table


def test_every_class_begins_where_the_one_before_ends() -> None:
    assert len(FIRST) == 28
    assert FIRST[-1] == SIZE
    assert 2 * AnimalShogi().state_space() // (2 * 128) == 3 * SIZE


def test_numbers_and_positions_belong_together() -> None:
    rng = fresh()
    numbers = [*(FIRST[i] for i in range(27)), *(rng.randrange(SIZE) for _ in range(200))]
    for number in numbers:
        pieces = pieces_of(number)
        AnimalShogi(repetition="ignored", **pieces._asdict())
        assert number_as_is(pieces) == number
        assert number_of(pieces)[0] == number_of(mirror_image(pieces))[0] <= number


def test_positions_of_games_have_numbers_of_their_own() -> None:
    met, rng = {}, fresh()
    for _ in range(20):
        for position in random_line(AnimalShogi(repetition="ignored"), rng):
            if position.own & position.lions:
                image = min(table_key(p) for p in images(position))
                assert met.setdefault(number_of(pieces_in(position))[0], image) == image
    assert len(met) > 100


def images(position: AnimalShogi) -> list[AnimalShogi]:
    known = knowledge_of(position).symmetries
    assert known is not None
    return [known.image(position, i) for i in range(2)]


def test_the_solver_knows_little_without_the_table(tmp_path: Path) -> None:
    solver = AnimalShogiSolver(table=tmp_path / "none.npy")
    assert solver.value(AnimalShogi().after("b2b3 a4a3")) == 511  # the lion can be caught
    bad = tmp_path / "bad.npy"
    np.save(bad, np.zeros(3, np.uint8))
    with pytest.raises(ValueError, match="is no table of animal shogi"):
        AnimalShogiSolver(table=bad).value(AnimalShogi())


@pytest.mark.thorough
def test_the_solver_proves_what_a_search_can(tmp_path: Path) -> None:
    solver = AnimalShogiSolver(table=tmp_path / "none.npy", nodes=1000)
    with pytest.raises(ValueError, match=r"proves nothing .* 1,000 nodes: `adv-envs solve animal"):
        solver.analyse(AnimalShogi(16))
    assert solver.act(AnimalShogi(16)) in AnimalShogi().legal_actions()
    near = AnimalShogi.from_fen("1l1/1L1/3/3[CCEEGG] b 0 2", max_plies=16)
    assert solver.values(near)[near.action("b4b3")] == 511
    lost = AnimalShogi(16).after("b2b3")
    found = solver.analyse(lost.move("a4a3"))
    assert (found.value, found.proven) == (511, True)
    short = AnimalShogi.from_fen("1le/1C1/1G1/1LE[CG] b 0 3", max_plies=7)
    assert (solver.value(short) > 0) - (solver.value(short) < 0) == Retrograde().value(short)


@pytest.mark.parametrize("byte", [DECIDED + 3, DECIDED + 2, OPEN + 5])
def test_values_are_read_from_the_table(byte: int) -> None:
    """From bytes, not from a file of a gigabyte."""
    start = AnimalShogi()
    table = {number_of(pieces_in(start))[0]: byte}
    plies = plies_to_end(start, table)  # type: ignore[arg-type]
    assert plies == {DECIDED + 3: 3, DECIDED + 2: 2, OPEN + 5: 0}[byte]
    assert plies_to_end(AnimalShogi(2), table) == (2 if plies == 2 else 0)  # type: ignore[arg-type]


def test_the_table_is_kept_only_when_it_is_whole(tmp_path: Path) -> None:
    writer = AnimalShogiTable(tmp_path / "table.npy")
    assert "begun anew" in writer.save()
    assert not [*tmp_path.iterdir()]
    progress = [TableProgress(0, -1, 0), TableProgress(10, -1, 0), TableProgress(10, 3, 5)]
    assert [writer.share(each) for each in progress] == [0, 10, 15]


@pytest.mark.slow
@pytest.mark.compiled
def test_the_whole_game() -> None:
    """The numbers of T. Tanaka, 2009; it takes ten minutes and 1.1 GB."""
    from agents.games.animal_shogi.table import WORDS, counts_of, filled_table

    table = np.zeros(8 * WORDS, np.uint8)
    for _ in filled_table(table):
        pass
    found = counts_of(table)
    assert (found.positions, found.plies, found.longest) == (246_803_167, 78, 173)
    assert (found.wins, found.losses, found.draws) == (196_773_087, 47_347_380, 2_682_700)
    assert (found.catches, found.across) == (140_298_614, 7_018_985)


# ---- adv-envs solve --table


class Built:
    """A table of three parts."""

    about, total = "three parts, at once", 3

    def __init__(self) -> None:
        self.saved = False

    def fill(self) -> Iterator[int]:
        yield from (1, 2, 3)

    def save(self) -> str:
        self.saved = True
        return "three parts"


def test_a_table_is_built_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    built = Built()
    writers: list[Built | None] = [None, built]
    known = Knowledge(table_writer=lambda start: writers.pop())
    monkeypatch.setattr(solve, "knowledge_of", lambda start: known)
    solve.build_table(AnimalShogi())
    assert built.saved
    assert capsys.readouterr().err.split("\n")[:2] == [
        "three parts, at once; Ctrl-C stops it",
        "kept for the next time: three parts",
    ]
    solve.build_table(AnimalShogi())
    assert capsys.readouterr().err == ""
    assert not writers


def test_most_games_have_no_table() -> None:
    with pytest.raises(CommandError, match="no table is built of tic_tac_toe, only of animal_shog"):
        solve.build_table(TicTacToe())
