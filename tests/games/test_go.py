"""Go: its rules by hand, PettingZoo's games, known counts and values, playouts, GTP."""

import os
import shutil
from typing import Any

import numpy as np
import pytest
from games.cases import captured_by, sparing_passes
from games.laws import fresh, random_line
from games.naive_go import NaiveGo, value
from manual.game_facts import lines_of_play
from pettingzoo.classic import go_v5

from adv_envs import Go, IllegalMove, env
from adv_envs.bits import has_word
from adv_envs.jit import disabled, kernel
from adv_envs.notation import read_line, write_line
from adv_envs.pictures import draw, places
from adv_envs.pictures.shapes import Circle, Rect
from adv_envs.testing import check_game
from agents import knowledge_of, make, play_game
from agents.games.go import area, centre, is_eye, nearest, sparing_eyes

KO = ". X O .\nX O . O\n. X O .\n. . . ."
"""Black may take at c3, and White may not take back at once."""


# ---- the rules, by hand


def test_capture_and_ko() -> None:
    position = Go.from_text(KO, to_move=0)
    taken = position.move("c3")
    assert taken.cell(1, 1) is None
    assert not taken.legal(5), "White would restore the board before"
    assert taken.after("a1 b1").legal(5), "the board is another one now"
    with pytest.raises(IllegalMove, match="action 5 is not legal"):
        taken.move(5)


def test_two_passes_do_not_lift_superko() -> None:
    for superko in (True, False):
        taken = Go.from_text(KO, to_move=0, superko=superko).move("c3")
        assert not taken.legal(5)
        assert taken.move("pass").to_move == 0


def test_suicide_is_illegal_and_capture_is_not() -> None:
    eye = Go.from_text(". X .\nX X .\n. . .", to_move=1)
    assert not eye.legal(0)
    taken = Go.from_text(". X O .\nX X O .\nO O . .\n. . . .", to_move=1).move("a4")
    cells = [taken.cell(*cell) for cell in ((0, 0), (0, 1), (1, 0), (1, 1))]
    assert cells == [1, None, None, None]


def test_superko_remembers_the_whole_game() -> None:
    """Taking all three stones would restore the board after the first ply."""
    line = "a2 b2 a1 b1 a2 a1"
    assert not Go(2).after(line).legal(0)
    simple = Go(2, superko=False).after(line)
    assert simple.play(0).key == Go(2).after("a2").key
    assert simple.legal(0)


def test_end_and_score() -> None:
    position = Go(3, komi=0.5).after("b2 pass pass")
    assert position.is_terminal()
    assert (position.lead(), position.utility(0), position.utility(1)) == (8.5, 1, -1)
    empty = Go(3, komi=0).after("pass pass")
    assert (empty.utility(0), empty.utility(1)) == (0, 0)
    neutral = Go.from_text("X . O\nX . O\nX . O", to_move=0, komi=0)
    assert neutral.lead() == 0


def test_the_limit_ends_a_game() -> None:
    position = Go(3, max_plies=2).after("b2 a1")
    assert position.is_terminal()
    assert position.lead() == 1 - 1 - 7.5
    assert Go(3).limit == 18


def test_text_and_names() -> None:
    position = Go(5).after("c3 c4 d4 pass b4")
    same = Go.from_text(str(position), to_move=1)
    assert (same.own, same.opp, same.free) == (position.own, position.opp, position.free)
    assert str(same) == str(position)
    assert [position.name(action) for action in (0, 4, 24, 25)] == ["a5", "e5", "e1", "pass"]
    line = Go(19).after("j10 pass t1")
    assert write_line(Go(19), read_line(Go(19), "J10 pass t1")) == "j10 pass t1"
    assert line.ply == 3
    assert Go(komi=6) == Go(komi=6.0)


def test_positions_with_long_histories_are_written() -> None:
    position = Go(19).after("a1 b1")
    late = Go(**{**position._asdict(), "history": 1 << 20_000, "ply": 400})
    history = repr(late).partition("history=")[2].partition(",")[0]
    assert history.startswith("0x1000")
    assert int(history, 16) == late.history
    assert f"history={position.history}, shown=" in repr(position)


@pytest.mark.slow
@pytest.mark.parametrize(
    "start", [Go(5), Go(7), Go(9), Go(13), Go(19)], ids=lambda start: f"{start.size}"
)
def test_laws_of_games_with_long_histories(start: Go) -> None:
    check_game(start, games=2)


def test_keys_tell_boards_apart() -> None:
    """The same board has the same key however it was reached, as ``check`` finds from nothing."""
    for position in random_line(Go(5), fresh()):
        position.check()


# ---- against other programs


@pytest.mark.parametrize("plies", [60, pytest.param(10_000, marks=pytest.mark.slow)])
def test_games_against_pettingzoo(plies: int) -> None:
    """Random games in both, observations and masks included.

    There only a simple ko is forbidden, as in OpenSpiel. Each pair of planes is seen by the player
    who made that ply, ours by the player who asks.
    """
    rng, done = fresh(), 0
    while done < plies:
        size = rng.choice((3, 4, 5, 7, 9))
        ours = env("go", size=size, superko=False, max_plies=1000)
        theirs = go_v5.env(board_size=size)
        ours.reset()
        theirs.reset()
        while not any(theirs.terminations.values()):
            position: Any = ours.unwrapped.position
            mine, other = (e.observe(e.agent_selection) for e in (ours, theirs))
            pairs = [(2 * i, 2 * i + 1) for i in range(8)]
            order = [plane for i, (a, b) in enumerate(pairs) for plane in ((b, a), (a, b))[i % 2]]
            assert (mine["observation"][:, :, [*order, 16]] == other["observation"]).all()
            differ = np.flatnonzero(mine["action_mask"] != other["action_mask"])
            assert all(captured_by(position, int(action)) > 1 for action in differ)
            both = np.flatnonzero(mine["action_mask"] & other["action_mask"]).tolist()
            action = sparing_passes(position, both, rng)
            for each in (ours, theirs):
                each.step(action)
            done += 1
        assert list(ours.rewards.values()) == list(theirs.rewards.values())


# ---- counts and values


def openspiel_perft(position: Go, free: Go, depth: int) -> int:
    """Perft where moves that repeat a board are legal and end the game; ``free`` has simple ko."""
    if position.is_terminal():
        return 0
    actions = free.legal_actions()
    if depth == 1:
        return len(actions)
    return sum(
        openspiel_perft(position.play(action), free.play(action), depth - 1)
        for action in actions
        if position.legal(action)
    )


@pytest.mark.parametrize(
    ("size", "counts"),
    [
        *((size, lines_of_play("go", unit="plies of OpenSpiel", size=size)) for size in (2, 3, 5)),
        (9, lines_of_play("go", unit="plies of OpenSpiel")[:2]),
    ],
)
def test_perft_by_the_rules_of_openspiel(size: int, counts: tuple[int, ...]) -> None:
    for depth, count in enumerate(counts[: -1 if disabled() else None], 1):
        assert openspiel_perft(Go(size), Go(size, superko=False), depth) == count


@pytest.mark.parametrize(
    ("columns", "lead"), [(1, 0), (2, 0), (3, 3), pytest.param(4, 4, marks=pytest.mark.slow)]
)
def test_values_of_a_line(columns: int, lead: int) -> None:
    """What the naive game is worth to Black, by exhaustive search."""
    assert value(NaiveGo(1, columns, komi=0)) == lead


@pytest.mark.parametrize(
    ("komi", "max_plies", "expected"),
    [
        (0.5, 8, -1),
        pytest.param(0.5, 12, 1, marks=pytest.mark.slow),
        pytest.param(1, 12, 0, marks=pytest.mark.slow),
        pytest.param(1.5, 12, -1, marks=pytest.mark.slow),
    ],
)
def test_black_wins_2x2_by_one_point(komi: float, max_plies: int, expected: float) -> None:
    """With best play, in games that are long enough: eight plies, the usual limit, are not."""
    solver: Any = make("perfect")
    assert solver.value(Go(2, komi, boards=1, max_plies=max_plies)) == expected


# ---- playouts, evaluations, pictures


@pytest.mark.parametrize("komi", [0.5, 20.5, -20.5])
def test_playouts_of_boards_with_eyes_only_find_the_result(komi: float) -> None:
    text = ". X . X O\nX X X X O\nX X X O O\nX X O O .\nX X O . O"
    position = Go.from_text(text, to_move=0, komi=komi, superko=False, boards=1)
    winner = 1 if position.lead() > 0 else -1
    for seed in range(5):
        values, played = np.zeros(2), np.zeros((2, 26), np.int64)
        sparing_eyes(position, values, played, np.full(2000, seed, np.int64))
        assert values.tolist() == [winner, -winner]


def test_eyes() -> None:
    """At the edge one of the diagonal cells makes an eye false, in the middle two do."""
    cells, middle, corners = Go(3).cells(), 1 << 5, (1 << 0, 1 << 2, 1 << 8, 1 << 10)
    assert is_eye(corners[0], 0, cells, 4)
    assert not is_eye(corners[0], middle, cells, 4)
    assert is_eye(middle, corners[1], cells, 4)
    assert not is_eye(middle, corners[1] | corners[2], cells, 4)


def test_evaluations() -> None:
    plain: dict[str, Any] = {"superko": False, "boards": 1}  # less to compile
    row = ". . . . .\n"
    position = Go.from_text(f"{row}. X . . .\n{row}. . . O .\n{row}", 0, **plain, komi=0)
    assert (area(position), nearest(position)) == (0, 0)
    ahead = Go.from_text(f"{2 * row}. . X . .\n{2 * row}", 1, **plain, komi=0.5)
    assert area(ahead) == nearest(ahead) == pytest.approx(-24.5 / 25)
    assert centre(ahead, 12) == 0 > centre(ahead, 0) > centre(ahead, 25)


def test_picture() -> None:
    position = Go(5).after("c3 b2 pass pass")
    drawing = draw(position, 25)
    stones = [s for s in drawing.shapes if isinstance(s, Circle) and s.radius > 20]
    assert len(stones) == 2
    assert drawing.title == "White wins by 7.5"
    assert draw(Go(5).after("c3 pass"), 25).title == "Pass. Black to move"
    assert len([s for s in draw(Go(19)).shapes if isinstance(s, Circle)]) == 9 + 1
    assert set(places(Go(5))) == set(range(25))
    surrounded = draw(Go(3).after("b2 pass pass"), 9)
    assert len([s for s in surrounded.shapes if isinstance(s, Rect)]) == 1 + 8


@pytest.mark.plain
def test_gtp_program() -> None:
    program = shutil.which("gnugo", path=f"{os.environ['PATH']}:/usr/games")
    if program is None:
        pytest.skip("GNU Go is not installed: apt install gnugo")
    command = f"{program} --mode gtp --level 0 --chinese-rules --capture-all-dead"
    engine = make(f'engine(command="{command}", protocol="gtp")')
    result = play_game(Go(5), [engine, make("mcts(simulations=50, seed=1)")])
    assert result.end.is_terminal()
    assert engine.act(Go.from_text(". X O .\n. X O .\n. X O .\n. X O .", 0)) in range(17)


def test_other_komi_and_handicaps_by_gtp() -> None:
    game = knowledge_of(Go()).gtp
    assert game is not None
    assert game.with_komi is not None
    assert game.with_komi(Go(5), 0.5) == Go(5, 0.5)
    handicap = game.turned(Go(5).after("c3"), 0)
    assert (handicap.to_move, handicap.passes) == (0, 0)
    assert list(game.settings(Go(13, 6.5))) == ["boardsize 13", "komi 6.5"]
    assert game.score(Go(3, 0.5).after("b2 pass pass")) == "B+8.5"


def test_has_word() -> None:
    words = 7 << 128 | 2**62 - 1 << 64
    assert has_word(words, 7)
    assert has_word(words, 2**62 - 1)
    assert not has_word(words, 2**61 - 1)
    assert has_word_compiled(Go(3).after("b2 a1 pass"), Go(3).after("b2").key)
    assert not has_word_compiled(Go(3).after("b2 a1"), Go(3).after("b2 a1").key)


@kernel
def has_word_compiled(position: Go, word: int) -> bool:
    return has_word(position.history, word)
