"""Openings of tournaments: distinct, balanced as they say, decided by the seed."""

import pytest

from adv_envs import ConnectFour, Hex, Pig, ThirtyOne, TicTacToe
from adv_envs.jit import disabled
from adv_envs.notation import write_line
from agents.arena.schedule import key, openings
from agents.search.perfect import Perfect
from agents.search.retrograde import Retrograde

pytestmark = pytest.mark.plain

CASES = [
    (TicTacToe(), "first", 3),  # corner, edge, centre
    (TicTacToe(), "all:2", 12),  # as every book on the game has it
    (TicTacToe(3, 4, 3), "first", 4),  # a quarter of a rectangle
    (ConnectFour(), "first", 4),
    (ConnectFour(), "all:2", 25),  # 49 boards, 1 of which is its own mirror image
    (ConnectFour(), "all:4", 568),  # 1,120 boards, 16 of which are
    (Hex(5), "first", 13),
    (Hex(5), "all:2", 300),  # 25 * 24, turned
    (ThirtyOne(), "all:2", 21),  # the order in which tokens are taken does not matter
    (TicTacToe(), "none", 1),
]


@pytest.mark.parametrize(("start", "kind", "number"), CASES)
def test_all_positions_up_to_symmetry(start, kind, number):
    found = openings(start, kind)
    assert len(found.lines) == found.available == number
    assert len({key(start.after(line)) for line in found.lines}) == number
    some = openings(start, kind, 2)
    assert (len(some.lines), some.available) == (min(2, number), number)


def test_the_seed_decides():
    start = ConnectFour()
    for kind in ("all:3", "random:5"):
        assert openings(start, kind, 20, seed=1) == openings(start, kind, 20, seed=1)
        assert openings(start, kind, 20, seed=1).lines != openings(start, kind, 20, seed=2).lines
    assert openings(start, "all:3", 20, seed=1).lines == openings(start, "all:3", 60, 1).lines[:20]


def test_random_openings_are_distinct_and_unfinished():
    found = openings(TicTacToe(), "random:5", 100, seed=3)
    ends = [TicTacToe().after(line) for line in found.lines]
    assert len({key(end) for end in ends}) == len(ends) == 100
    assert all(len(line) == 5 for line in found.lines)
    assert not any(end.is_terminal() for end in ends)
    assert found.available is None
    few = openings(TicTacToe(), "random:1", 100)
    assert len(few.lines) == few.available == 3
    assert str(few) == "3 openings: 1 random plies"


def test_balanced_openings_pass_over_dice():
    found = openings(Pig(target=10), "balanced", 1)
    assert len(found.lines) == 1
    assert found.how.startswith("after 2 plies")


def test_lines_begin_again_where_there_are_too_few():
    found = openings(TicTacToe(), "first")
    assert found.take(7) == [*found.lines, *found.lines, found.lines[0]]
    assert found.take(2) == list(found.lines[:2])


def test_balanced_openings_of_tic_tac_toe_are_the_draws():
    start, solver = TicTacToe(), Retrograde()
    solver.solve(start)
    found = openings(start, "balanced:2")
    every = [start.after(line) for line in openings(start, "all:2").lines]
    draws = {key(position) for position in every if solver.value(position) == 0}
    assert {key(start.after(line)) for line in found.lines} == draws
    assert found.how == "draws with best play after 2 plies"
    assert found.available == len(found.lines) == 5


def test_balanced_openings_of_connect_four_are_draws_of_the_book():
    start, solver = ConnectFour(), Perfect()
    found = openings(start, "balanced:3", 12, seed=1)
    assert len(found.lines) == 12
    assert all(solver.value(start.after(line)) == 0 for line in found.lines)


def test_balanced_without_a_number_takes_as_few_plies_as_have_enough():
    plies = {count: len(openings(TicTacToe(), "balanced", count).lines[0]) for count in (3, 5, 9)}
    assert plies == {3: 1, 5: 2, 9: 3}
    tiny = openings(TicTacToe(2, 2, 2), "balanced", 100)  # over after three plies
    assert tiny.available == len(tiny.lines) == 1


@pytest.mark.again
@pytest.mark.skipif(disabled(), reason="a search of 400 simulations for each position takes long")
def test_where_nothing_is_drawn_the_most_even_quarter_is_taken():
    start = Hex(4)
    found = openings(start, "balanced:2", seed=1)
    every = openings(start, "all:2", seed=1)
    assert len(found.lines) == found.available == len(every.lines) // 4
    how = "the quarter of 120 positions that a search of 400 simulations finds most even"
    assert how in found.how
    assert set(found.lines) < set(every.lines)
    assert found == openings(start, "balanced:2", seed=1)
    centre = (start.action("b3"), start.action("a1"))  # wins by a mile
    assert key(start.after(centre)) not in {key(start.after(line)) for line in found.lines}
    assert len(openings(start, "balanced:2", 5, seed=1).lines) == 5


def test_dice_are_thrown_as_they_fall():
    start = Pig(target=20)
    found = openings(start, "random:4", 10)
    assert all(not start.after(line).is_terminal() for line in found.lines)
    assert len(openings(start, "all:2").lines) == 6  # a throw of 1 loses the turn, the rest scores


def test_files_are_read_and_written(tmp_path):
    path = tmp_path / "lines.txt"
    path.write_text("# comment\nb2 a1\n\na1 b2  # the centre\nb2 c3\n", encoding="utf-8")
    for kind in (f"file:{path}", str(path)):
        found = openings(TicTacToe(), kind)
        assert [write_line(TicTacToe(), line) for line in found.lines] == ["b2 a1", "a1 b2"]
        assert found.how == "3 lines of lines.txt, 1 of them repeated and left out"
    again = tmp_path / "again.txt"
    some = openings(ConnectFour(), "all:3", 10)
    again.write_text(some.text(), encoding="utf-8")
    assert openings(ConnectFour(), str(again)).lines == some.lines
    assert openings(ConnectFour(), str(again), 4).lines == some.lines[:4]


def test_where_positions_are_too_many_to_list_some_are_drawn(monkeypatch):
    monkeypatch.setattr("agents.arena.schedule.LIMIT", 5)
    found = openings(TicTacToe(), "balanced:2", 3, seed=1)
    assert len(found.lines) == 3
    assert found.available is None
    assert all(TicTacToe().after(line).ply == 2 for line in found.lines)
    with pytest.raises(ValueError, match="more than 5 positions after 2 plies"):
        openings(TicTacToe(), "balanced:2")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"b2 a1\nb2 b2\n", r"lines\.txt, line 2: move 2, 'b2', is not legal; legal: a1"),
        (b"a1 a2 b1 b2 c1\n", r"lines\.txt, line 1: 'a1 a2 b1 b2 c1' ends the game"),
        (b"# nothing\n", "has no opening: write a line of play in each line"),
        (b"\xff\xfe\x00", "is no text in UTF-8"),
    ],
)
def test_a_file_that_is_wrong_is_refused(tmp_path, text, message):
    path = tmp_path / "lines.txt"
    path.write_bytes(text)
    with pytest.raises(ValueError, match=message):
        openings(TicTacToe(), f"file:{path}")
    with pytest.raises(FileNotFoundError, match=r"^cannot read .*none: No such file or directory$"):
        openings(TicTacToe(), f"file:{tmp_path}/none")


@pytest.mark.parametrize(
    ("start", "kind", "count", "message"),
    [
        (TicTacToe(), "best", 5, "openings are none, first, all:N, .* not 'best'"),
        (TicTacToe(), "random:0", 5, "not 'random:0'"),
        (TicTacToe(), "random:", 5, "not 'random:'"),
        (TicTacToe(), "all:-1", 5, "not 'all:-1'"),
        (TicTacToe(), "first", 0, "at least 1 opening is needed, not 0"),
        (TicTacToe(), "random:2", None, "how many random openings are wanted"),
        (TicTacToe(), "random:9", 5, "no opening of 9 plies leaves the game unfinished"),
        (TicTacToe(), "all:9", 5, r"no opening of this kind \(all after 9 plies\)"),
        (TicTacToe(), "balanced:9", 5, "after 9 plies there is nothing to decide"),
        (ThirtyOne(num_players=3), "balanced:2", 5, "are for two players, not 3: use random:2"),
        (TicTacToe().after("a1 a2 b1 b2 c1"), "first", 5, "the game is over"),
        (Hex(11), "all:3", 5, "more than 20,000 positions after 3 plies: take fewer plies, or ran"),
    ],
)
def test_what_cannot_be_had_is_refused(start, kind, count, message):
    with pytest.raises(ValueError, match=message):
        openings(start, kind, count)


def test_openings_of_a_game_that_has_begun():
    start = ConnectFour().after("44")
    found = openings(start, "all:2", 10)
    assert all(start.after(line).ply == 4 for line in found.lines)
    with pytest.raises(TypeError, match="agents see positions"):
        openings("44", "first")
