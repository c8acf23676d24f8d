"""Go: its rules against a naive game, OpenSpiel and PettingZoo, known counts and values."""

from random import Random, SystemRandom
from typing import Any

import numpy as np
import pytest
from games.naive_go import NaiveGo, value

from adv_envs import Go, IllegalMove, env
from adv_envs.bits import has_word
from adv_envs.jit import disabled, kernel
from adv_envs.notation import read_line, write_line
from adv_envs.testing import check_game

FEWER = 4 if disabled() else 1

KO = """
. X O .
X O . O
. X O .
. . . .
"""
"""Black may take at c3, and White may not take back at once."""


@pytest.fixture
def rng() -> Random:
    """A generator with a fresh seed, which is printed where a test fails."""
    seed = SystemRandom().randrange(2**32)
    print(f"seed {seed}")
    return Random(seed)


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


def test_what_is_refused() -> None:
    for wrong, why in (
        ({"size": 1}, "size must be 2 to 19, not 1"),
        ({"size": 20}, "size must be 2 to 19"),
        ({"komi": float("nan")}, "komi must be a finite number"),
        ({"boards": 9}, "boards must be 1 to 8"),
        ({"max_plies": -1}, "max_plies must be 0 to 10000"),
        ({"own": 1, "opp": 1}, "must not share a cell"),
        ({"own": 1 << 9}, "sets of cells of the board"),
        ({"history": 5}, "history and earlier do not fit"),
        ({"free": 1}, "free and key do not fit the stones"),
        ({"passes": 1}, "passes must be 0 to 0"),
    ):
        with pytest.raises(ValueError, match=why):
            Go(**wrong)
    with pytest.raises(TypeError, match="komi must be a number, not 'six'"):
        Go(komi="six")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="joined to a liberty"):
        Go.from_text("O X\nX .")


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


@pytest.mark.slow
@pytest.mark.parametrize(
    "start", [Go(5), Go(7), Go(9), Go(13), Go(19)], ids=lambda start: f"{start.size}"
)
def test_laws_of_games_with_long_histories(start: Go) -> None:
    check_game(start, games=2)


# ---- against the naive game


def chosen(rng: Random, actions: list[int]) -> int:
    """A random one of ``actions``; the pass, which is the last of them, in a tenth of cases."""
    return actions[-1] if len(actions) == 1 or rng.random() < 0.1 else rng.choice(actions[:-1])


def naive_of(position: Go) -> NaiveGo:
    """The naive game of a start position."""
    size = position.size
    return NaiveGo(size, size, position.komi, position.superko, position.limit)


def action_of(position: Go, cell: Any) -> int:
    return position.num_stone_actions if cell is None else cell[0] * position.size + cell[1]


def test_games_against_the_naive_game(rng: Random) -> None:
    for game in range(60 // FEWER):
        size = rng.choice((2, 2, 3, 3, 4, 5))
        position = Go(size, rng.choice((0, 0.5, 7.5)), game % 3 > 0, 2, 8 * size * size)
        other = naive_of(position)
        while not other.is_over():
            cells = {action_of(position, cell): cell for cell in other.legal()}
            assert position.legal_actions() == list(cells)
            found = {(i, j): position.cell(i, j) for i in range(size) for j in range(size)}
            assert {c: player for c, player in found.items() if player is not None} == other.stones
            action = chosen(rng, list(cells))
            position, other = position.play(action), other.play(cells[action])
        assert position.is_terminal()
        assert position.lead() == other.lead()


def test_keys_tell_boards_apart(rng: Random) -> None:
    """The same board has the same key however it was reached, as ``check`` finds from nothing."""
    position = Go(5)
    while not position.is_terminal():
        position = position.play(rng.choice(position.legal_actions()))
        position.check()


# ---- against other programs


def test_games_against_openspiel(rng: Random) -> None:
    assert compare_with_openspiel(rng, games=24 // FEWER, sizes=(2, 3, 5, 7)) > 50


@pytest.mark.slow
def test_thousands_of_games_against_openspiel(rng: Random) -> None:
    plies = sum(compare_with_openspiel(rng, 500, (size,)) for size in (2, 3, 4, 5, 6, 9))
    plies += compare_with_openspiel(rng, 20, (19,))
    print(f"{plies} plies compared with OpenSpiel")
    assert plies > 100_000


def compare_with_openspiel(rng: Random, games: int, sizes: tuple[int, ...]) -> int:
    """Play random games in both, and return how many plies there were.

    There a move that repeats a board is legal and ends the game as a draw, unless it is forbidden
    as a simple ko. That rule asks for one captured stone by a stone among enemies, even where
    taking back captures more than one; where we allow a move that is forbidden there, it does.
    """
    pyspiel = pytest.importorskip("pyspiel")
    plies = 0
    for _ in range(games):
        size, komi = rng.choice(sizes), rng.choice((0.5, 7.5))
        game = pyspiel.load_game(f"go(board_size={size},komi={komi})")
        position, state = Go(size, komi), game.new_initial_state()
        while not position.is_terminal():
            assert not state.is_terminal()
            ours, theirs = position.legal_actions(), state.legal_actions()
            for action in set(theirs) - set(ours):
                child = state.child(action)
                assert child.is_terminal()
                assert child.returns() == [0, 0]
            for action in set(ours) - set(theirs):
                assert num_captured(position, action) > 1
            tensor = np.array(state.observation_tensor()).reshape(4, size, size)
            seen = np.zeros(position.observation_shape)
            position.observe(0, seen)
            assert (seen[:, :, 0] == tensor[0]).all()
            assert (seen[:, :, 1] == tensor[1]).all()
            action = chosen(rng, sorted(set(ours) & set(theirs)))
            position, plies = position.play(action), plies + 1
            state.apply_action(action)
        assert state.is_terminal()
        assert state.returns() == [position.utility(0), position.utility(1)]
    return plies


def num_captured(position: Go, action: int) -> int:
    return position.opp.bit_count() - position.play(action).own.bit_count()


def test_games_against_pettingzoo(rng: Random) -> None:
    assert compare_with_pettingzoo(rng, games=6 // min(FEWER, 2), sizes=(3, 5, 7)) > 50


@pytest.mark.slow
def test_many_games_against_pettingzoo(rng: Random) -> None:
    plies = compare_with_pettingzoo(rng, 300, (3, 4, 5, 7, 9))
    print(f"{plies} plies compared with PettingZoo")
    assert plies > 10_000


def compare_with_pettingzoo(rng: Random, games: int, sizes: tuple[int, ...]) -> int:
    """Play random games in both, observations and masks included; return how many plies.

    There only a simple ko is forbidden, as above. Each pair of planes is seen by the player who
    made that ply, ours by the player who asks.
    """
    from pettingzoo.classic import go_v5

    plies = 0
    for _ in range(games):
        size = rng.choice(sizes)
        ours, theirs = (
            env("go", size=size, superko=False, max_plies=1000),
            go_v5.env(board_size=size),
        )
        ours.reset()
        theirs.reset()
        while not any(theirs.terminations.values()):
            position: Any = ours.unwrapped.position
            mine, other = (e.observe(e.agent_selection) for e in (ours, theirs))
            pairs = [(2 * i, 2 * i + 1) for i in range(8)]
            order = [plane for i, (a, b) in enumerate(pairs) for plane in ((b, a), (a, b))[i % 2]]
            assert (mine["observation"][:, :, [*order, 16]] == other["observation"]).all()
            differ = np.flatnonzero(mine["action_mask"] != other["action_mask"])
            assert all(num_captured(position, int(action)) > 1 for action in differ)
            both = np.flatnonzero(mine["action_mask"] & other["action_mask"]).tolist()
            action = chosen(rng, both)
            for each in (ours, theirs):
                each.step(action)
            plies += 1
        assert list(ours.rewards.values()) == list(theirs.rewards.values())
    return plies


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
        (2, [5, 21, 68, 156, 316, 604, 1168, 2296]),
        (3, [10, 91, 738, 5281]),
        (5, [26, 651, 15650]),
        (9, [82, 6643]),
    ],
)
def test_perft_by_the_rules_of_openspiel(size: int, counts: list[int]) -> None:
    for depth, count in enumerate(counts[: -1 if disabled() else None], 1):
        assert openspiel_perft(Go(size), Go(size, superko=False), depth) == count


@pytest.mark.parametrize(("rows", "columns", "lead"), [(1, 1, 0), (1, 2, 0), (1, 3, 3), (1, 4, 4)])
def test_values_of_a_line(rows: int, columns: int, lead: int) -> None:
    """What the naive game is worth to Black, by exhaustive search."""
    if columns < 4 or not disabled():
        assert value(NaiveGo(rows, columns, komi=0)) == lead


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
