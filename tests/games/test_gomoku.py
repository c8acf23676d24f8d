"""k in a row: long rows, swap2, the evaluation, threat search and what it proves."""

from random import Random

import numpy as np
import pytest
from games.drawn_gomoku import DrawProof
from naive import lines

from adv_envs import Gomoku, IllegalMove
from adv_envs.bits import has_line, line_cells
from adv_envs.jit import disabled
from adv_envs.pictures import draw
from adv_envs.pictures.shapes import Circle
from agents import AlphaBeta, ThreatSearch, knowledge_of, make
from agents.games.gomoku import heaviest, threats, winning_action
from agents.games.gomoku.threat_proof import counts_of, place, remove, rows_of

SHALLOW = disabled()


# ---- the rules


def test_rows_of_wide_sets() -> None:
    """has_line and line_cells of sets of more than 64 cells, against lists of cells."""
    rng = Random(5)
    for height, width in ((15, 15), (19, 19), (19, 4), (8, 19), (1, 19)):
        for k in {2, 3, 4, 5, 6, max(height, width)} - set(range(max(height, width) + 1, 7)):
            rows = lines(height, width, k)
            density = rng.choice([0.3, 0.6, 0.9])
            cells = {
                (r, c) for r in range(height) for c in range(width) if rng.random() < density
            } | (set(rng.choice(rows)) if rng.random() < 0.5 else set())
            stones = sum(1 << r * (width + 1) + c for r, c in cells)
            full = [row for row in rows if row <= cells]
            assert has_line(stones, k, width + 1) == bool(full)
            within = {cell for row in full for cell in row}
            found = line_cells(stones, k, width + 1)
            assert found == sum(1 << r * (width + 1) + c for r, c in within)


def test_six_in_a_row() -> None:
    six = "a1 a2 b1 b2 c1 c2 e1 e2 f1 f2 d1"
    assert Gomoku().after(six).winning_cells() == [(0, column) for column in range(6)]
    longer = Gomoku(exact=True).after(six)
    assert not longer.is_terminal()
    assert longer.move("d2").is_terminal() is False  # six of the other colour
    five = Gomoku(exact=True).after("a1 a2 b1 b2 c1 c2 e1 e2 d1")
    assert (five.utility(0), len(five.winning_cells())) == (1, 5)


def test_every_way_through_swap2() -> None:
    start = Gomoku(swap2=True)
    set_up = start.after("h8 h9 i9")
    assert [start.to_move, start.move("h8").to_move, set_up.to_move] == [0, 0, 1]
    assert not {"black", "more"} & {start.name(action) for action in start.legal_actions()}
    stay, black, more = (set_up.move(name) for name in ("a1", "black", "more"))
    assert [position.to_move for position in (stay, black, more)] == [0, 0, 1]
    assert black.stones(1).bit_count() == 2
    asked = more.after("a1 b1")
    assert asked.to_move == 0
    assert asked.move("black").to_move == asked.move("c1").to_move == 1
    assert asked.move("black").stones(0).bit_count() == 3
    assert asked.move("c1").stones(0).bit_count() == 3  # white
    with pytest.raises(IllegalMove):
        asked.move("more")


def test_text() -> None:
    position = Gomoku(6, 5, 4).after("c3 b2 c4 c2")
    assert Gomoku.from_text(str(position), k=4) == position
    won = position.after("c5 d2 c6")
    assert Gomoku.from_text(str(won), k=4) == won
    swapped = Gomoku(6, 5, 4, swap2=True).after("c3 b2 c4 black d4")
    assert Gomoku.from_text(str(swapped), swapped.to_move, k=4, swap2=True) == swapped
    assert str(swapped).splitlines()[4] == " 4 . . X O ."


@pytest.mark.plain
def test_the_picture_shows_colours() -> None:
    """After a swap black is the colour of player 1, and stays black."""
    position = Gomoku(6, 6, 5, swap2=True).after("c3 b2 c4 black")
    pictures = [draw(position), draw(position.move("a1"))]
    stones = [shape for shape in pictures[0].shapes if isinstance(shape, Circle)]
    assert len(stones) == 4  # three, and that of the caption
    assert stones[-1].fill == stones[0].fill  # player 0 is to move, and white as b2
    assert [picture.title for picture in pictures] == ["Player 1 to move", "Player 2 to move"]


# ---- what is known


def random_position(start: Gomoku, plies: int, rng: Random) -> Gomoku:
    """An unfinished position after up to that many random plies, near to the middle."""
    position = start
    for _ in range(plies):
        row, column = (int(rng.gauss(size / 2, size / 5)) for size in (start.height, start.width))
        action = min(
            position.legal_actions(),
            key=lambda a: abs(a // start.width - row) + abs(a % start.width - column),
        )
        if position.play(action).is_terminal():
            break
        position = position.play(action)
    return position


BOARDS = [Gomoku(), Gomoku(3, 3, 3)]
if SHALLOW:  # each width of a set takes seconds to compile
    BOARDS += [Gomoku(9, 9), Gomoku(6, 7, 4), Gomoku(10, 8, 5, exact=True)]


@pytest.mark.plain
def test_symmetries_of_the_evaluation_and_of_the_order() -> None:
    rng = Random(3)
    for start in BOARDS:
        known = knowledge_of(start).symmetries
        assert known is not None
        position = random_position(start, rng.randrange(4, 40), rng)
        value, action = threats(position), rng.choice(position.legal_actions())
        for i in range(known.num_images(position)):
            image = known.image(position, i)
            image.check()
            assert threats(image) == pytest.approx(value)
            there = known.image_action(position, action, i)
            assert heaviest(image, there) == pytest.approx(heaviest(position, action))


@pytest.mark.plain
def test_the_evaluation_knows_forced_moves() -> None:
    four = Gomoku().after("h8 a1 h9 c1 h10 e1 h11 g1")
    assert threats(four) == 100
    assert threats(four.move("a9")) < -50  # two cells complete a row
    three = Gomoku().after("h8 a1 h9 c1 h10 e1")
    assert threats(three) > 20
    assert threats(three.move("a15")) < 0


def test_winning_actions() -> None:
    rng = Random(4)
    for _ in range(4 if SHALLOW else 30):
        start = rng.choice(BOARDS)
        position = random_position(start, rng.randrange(5, 60), rng)
        wins = [a for a in position.legal_actions() if position.play(a).won]
        found = winning_action(position, np.zeros(5, np.int64))
        assert found in wins if wins else found == -1


@pytest.mark.parametrize("start", BOARDS, ids=lambda start: "_".join(map(str, start[:4])))
def test_counts_of_rows(start: Gomoku) -> None:
    """Counted stone by stone, also when taken back, as from nothing."""
    rng = Random(6)
    rows = rows_of(start.height, start.width, start.k, start.exact)
    position = random_position(start, 30, rng)
    counts = counts_of(position)[1]
    before = [array.copy() for array in counts]
    empty = [a for a in range(start.num_stone_actions) if counts.stone[a] < 0]
    stones = [(cell, rng.randrange(2)) for cell in rng.sample(empty, min(10, len(empty)))]
    for cell, colour in stones:
        place(cell, colour, rows, counts)
    for colour in (0, 1):
        own = {cell for cell in range(len(counts.stone)) if counts.stone[cell] == colour}
        other = {cell for cell in range(len(counts.stone)) if counts.stone[cell] == 1 - colour}
        for needed in (1, 2, 3):
            rows_of_own = [row for row in naive_rows(start, own) if not row & other]
            live = [row for row in rows_of_own if len(row - own) == needed]
            if needed < start.k or start.k <= 3:
                assert counts.total[colour, needed] == len(live)
                for cell in range(len(counts.stone)):
                    through = sum(cell in row for row in live)
                    assert counts.needs[colour, needed, cell] == through
    for cell, colour in reversed(stones):
        remove(cell, colour, rows, counts)
    assert all((one == two).all() for one, two in zip(before, counts, strict=True))


def naive_rows(start: Gomoku, own: set[int]) -> list[set[int]]:
    """The rows of k cells, as actions; where exactly k win, those with no stone at their ends."""
    width, found = start.width, []
    for row in lines(start.height, width, start.k):
        cells = sorted(row)
        (top, left), (bottom, right) = cells[0], cells[-1]
        down, across = (1 if bottom > top else 0), (right > left) - (right < left)
        ends = [(top - down, left - across), (bottom + down, right + across)]
        inside = [r * width + c for r, c in ends if 0 <= r < start.height and 0 <= c < width]
        if not (start.exact and own & set(inside)):
            found.append({r * width + c for r, c in row})
    return found


# ---- threat search


@pytest.mark.plain
def test_what_is_proven_is_true() -> None:
    """Against alpha-beta, which sees every game to its end on these boards."""
    rng, exact = Random(8), AlphaBeta(nodes=50_000_000)
    agent, proven = ThreatSearch(nodes=3000, table_mb=0.1), 0
    for _ in range(100):
        size = rng.choice([(4, 4, 3), (5, 3, 3), (4, 4, 4), (3, 3, 3), (3, 3, 2)])
        start = Gomoku(*size, exact=rng.random() < 0.5)
        position = random_position(start, rng.randrange(6, 12), rng)
        found = agent.analyse(position)
        if found.proven:
            assert found.value == exact.value(position), repr(position)
            proven += 1
    assert proven > 10


WINS = {
    "a line of fours": "h8 a1 h9 a2 i8 a4",
    "two threes that cross": "f8 a1 g8 o1 h9 a15 h10 o15",
    "two fours and a three": "j10 k11 l10 j9 h8 l8 j8 j7 k8 h6 g7 i6 i7 g5",
    "a ring": "f10 j11 j10 f9 d8 h9 e8 l9 h8 c8 k8 e7 j7 g6 f6 l6 h4 g3",
    "five fours": "h8 e9 f7 i9 h7 i8 f6 j8 j6 e7 h4 i6 l4 g3",
}
"""Positions of gomoku that the player to move wins by threats; the last three and the two below are
problems for programs of Renju, from the tests of mintaka (github.com/junghyun397/mintaka). What
Black forces there by fours is forced in gomoku as well; rows are counted from the other side."""

LONG_WINS = {
    "round the corner": "j10 h11 i9 k10 k9 h9 h8 i8 k8 m8 l7 g7 j6 j7 n6 l6 i5 m6 l5 j5 m5 h4",
    "through the middle": "g12 h10 k11 e9 h9 k9 e8 f8 g8 d7 h8 f7 i8 g7 j7 k6 k5 j5",
}
"""The same, of ten threats each."""


def certify(position: Gomoku, nodes: int) -> int:
    """The player to move wins against all answers; returns how many times the agent was asked.

    The agent plays the winning side. Where no row of it needs one stone, every legal answer is
    tried; where one does, all answers but that one are lost at once. All of this is found out from
    lists of cells, not by the agent.
    """
    agent = ThreatSearch(nodes=nodes, table_mb=4)
    rows = [sum(1 << 16 * r + c for r, c in row) for row in lines(15, 15, 5)]

    def completing(own: int, other: int) -> set[int]:
        missing = {row & ~own for row in rows if not row & other}
        cells = [cell.bit_length() - 1 for cell in missing if cell & (cell - 1) == 0]
        return {cell // 16 * 15 + cell % 16 for cell in cells}

    def attack(position: Gomoku) -> int:
        if completing(position.own, position.opp):
            return 0
        found = agent.analyse(position)
        assert (found.proven, found.value) == (True, 1), position
        after = position.play(found.action)
        assert not completing(after.own, after.opp), position
        answers = completing(after.opp, after.own) or {*after.legal_actions()}
        return 1 + sum(attack(after.play(answer)) for answer in sorted(answers))

    return attack(position)


@pytest.mark.compiled
@pytest.mark.parametrize("moves", WINS.values(), ids=WINS)
def test_every_answer_to_a_proven_win_loses(moves: str) -> None:
    agent = ThreatSearch(nodes=400_000)
    position = Gomoku().after(moves)
    found = agent.analyse(position)
    assert (found.proven, found.value) == (True, 1)
    after = position.play(found.action)
    for answer in after.legal_actions():
        reply = agent.analyse(after.play(answer))
        assert (reply.proven, reply.value) == (True, 1), after.name(answer)


@pytest.mark.compiled
@pytest.mark.parametrize("moves", LONG_WINS.values(), ids=LONG_WINS)
def test_long_wins_are_found(moves: str) -> None:
    found = ThreatSearch(nodes=4_000_000).analyse(Gomoku().after(moves))
    assert (found.proven, found.value) == (True, 1)
    assert found.depth == 10
    seen = ThreatSearch(nodes=20_000).analyse(Gomoku().after(moves))
    assert seen.proven or abs(seen.value) <= 100
    assert Gomoku().after(moves).after(found.principal_variation).ply > 36


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("moves", [*WINS.values(), *LONG_WINS.values()], ids=[*WINS, *LONG_WINS])
def test_wins_are_wins_to_the_end_of_every_game(moves: str) -> None:
    print(f"{certify(Gomoku().after(moves), 4_000_000):,} positions")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "drawn"),
    [
        *(((3, 3, 3), True), ((3, 4, 3), False), ((4, 4, 4), True), ((4, 5, 4), True)),
        *(((5, 5, 4), True), ((6, 5, 4), False), ((6, 6, 5), True)),
    ],
)
def test_which_small_games_are_drawn(size: tuple[int, int, int], drawn: bool) -> None:
    """J. W. H. M. Uiterwijk and H. J. van den Herik, The advantage of the initiative (2000)."""
    assert DrawProof(*size).first_cannot_win() == drawn


@pytest.mark.compiled
def test_four_in_a_row_on_6_rows_of_5() -> None:
    """The first player wins (literature), as c3 wins against every answer by threats."""
    start = Gomoku(6, 5, 4).move("c3")
    agent = ThreatSearch(nodes=10_000, table_mb=1)
    for answer in start.legal_actions():
        found = agent.analyse(start.play(answer))
        assert (found.proven, found.value) == (True, 1), start.name(answer)


def test_it_completes_rows_and_prevents_them() -> None:
    agent = ThreatSearch(nodes=200 if SHALLOW else 2000, table_mb=0.1)
    four = Gomoku().after("h8 a1 h9 c1 h10 e1 h11 g1")
    assert agent.act(four) in {four.action("h7"), four.action("h12")}
    closed = Gomoku().after("h8 h7 h9 c1 h10 e1 h11")
    assert agent.act(closed) == closed.action("h12")
    three = Gomoku().after("h8 c1 h9 e3 h10")
    assert agent.act(three) in {three.action(name) for name in ("h6", "h7", "h11", "h12")}


def test_it_plays_the_opening_by_swap2() -> None:
    agent = ThreatSearch(nodes=300, table_mb=0.1)
    position = Gomoku(9, 9, swap2=True)
    for ply in range(8):
        position = position.play(agent.act(position))
        assert position.ply == ply + 1
    strong = Gomoku(swap2=True).after("h8 a1 i8")  # two black stones, one in the corner
    assert strong.name(agent.act(strong)) == "black"


@pytest.mark.thorough
@pytest.mark.compiled
def test_searches_of_all_games_prevent_rows() -> None:
    closed = Gomoku().after("h8 h7 h9 c1 h10 e1 h11")
    for spec in (
        "mcts(simulations=2000, seed=1)",
        "alpha_beta(depth=2, evaluate=gomoku.threats)",
        "greedy(evaluate=gomoku.threats)",
    ):
        assert closed.name(make(spec).act(closed)) == "h12", spec
