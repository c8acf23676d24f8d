"""Puzzles: one move only is right, by an independent count, and a page can solve them."""

import json
from functools import cache

import pytest

from adv_envs import (
    CHANCE,
    Chess,
    ConnectFour,
    Fig52,
    Hex,
    Kalah,
    Kuhn,
    Nim,
    Pig,
    ThirtyOne,
    TicTacToe,
)
from adv_envs.registry import start_position
from agents.best_play import MARGIN, best_line
from agents.grading.exact_values import exact_for
from agents.grading.puzzles import LEVELS, find_puzzle, smaller_game
from agents.web.game_states import BadRequest, GameState
from agents.web.python_jobs import JOBS

puzzle, puzzle_move, puzzle_reply = (JOBS[f"puzzle{part}"] for part in ("", "_move", "_reply"))

SMALL = [
    TicTacToe(),
    ConnectFour(3, 4, 3),
    Hex(3),
    Nim(134),
    ThirtyOne(12, 2, 4),
    Kalah(pits=3, seeds=2),
]
ids = [type(start).__name__ for start in SMALL]


@cache
def minimax(position):
    """The utility for player 0, from the rules alone."""
    if position.is_terminal():
        return position.utility(0)
    best = min if position.to_move == 1 else max
    return best(minimax(position.play(action)) for action in position.legal_actions())


def signs(position):
    """Whether each move wins (1), draws (0) or loses (-1), from the rules alone."""
    sign = 1 if position.to_move == 0 else -1
    values = {a: sign * minimax(position.play(a)) for a in position.legal_actions()}
    return {action: (value > 0) - (value < 0) for action, value in values.items()}


def only(messages):
    (message,) = messages
    json.dumps(message)
    return message


@pytest.mark.plain
@pytest.mark.parametrize("start", SMALL, ids=ids)
def test_one_move_only_is_right(start):
    exact, found = exact_for(start), set()
    for seed in range(25):
        each = find_puzzle(exact, seed, LEVELS[seed % 3])
        results = signs(each.position)
        best = max(results.values())
        if each.task == "best":  # only where no puzzle about the result was found
            assert not exact.in_points
            continue
        assert [a for a, sign in results.items() if sign == best] == [each.answer]
        assert each.task == ("win" if best > 0 else "hold")
        assert best >= 0
        assert start.after(each.actions) == each.position
        found.add(each.position)
    assert len(found) > 5


@pytest.mark.plain
@pytest.mark.parametrize("start", SMALL, ids=ids)
def test_the_line_is_best_play(start):
    exact = exact_for(start)
    for seed in range(10):
        each = find_puzzle(exact, seed, "hard")
        position = each.position
        assert each.line[0] == each.answer
        for action in each.line:
            results = signs(position)
            assert results[action] == max(results.values())
            position = position.play(action)
        assert position.is_terminal()


@pytest.mark.plain
def test_a_seed_gives_the_same_puzzle_and_levels_differ():
    exact = exact_for(TicTacToe())
    assert find_puzzle(exact, 7, "hard") == find_puzzle(exact, 7, "hard")
    efforts = [[find_puzzle(exact, s, level).effort for level in LEVELS] for s in range(10)]
    assert all(easy <= medium <= hard for easy, medium, hard in efforts)
    assert any(easy < hard for easy, _, hard in efforts)
    with pytest.raises(ValueError, match="easy, medium, hard"):
        find_puzzle(exact, 7, "fiendish")


@pytest.mark.plain
def test_no_win_at_once_where_there_are_harder_ones():
    exact = exact_for(TicTacToe())
    for seed in range(20):
        each = find_puzzle(exact, seed, "easy")
        assert not each.position.play(each.answer).is_terminal()


def chances_of_winning(start):
    """The probability that player 0 wins from each position, by iterating over all of them."""
    children, queue = {}, [start]
    while queue:
        position = queue.pop()
        if position in children:
            continue
        children[position] = [position.play(action) for action in position.legal_actions()]
        queue += children[position]
    values = {p: float(p.is_terminal() and p.utility(0) > 0) for p in children}
    for _ in range(200):
        for p, below in children.items():
            if p.is_terminal():
                continue
            found = [values[child] for child in below]
            if p.to_move == CHANCE:
                values[p] = sum(
                    p.probability(a) * v for a, v in zip(p.legal_actions(), found, strict=True)
                )
            else:
                values[p] = max(found) if p.to_move == 0 else min(found)
    return values


@pytest.mark.plain
def test_the_best_move_is_clearly_best_in_a_game_of_chance():
    start = Pig(target=6, faces=3)
    exact, values = exact_for(start), chances_of_winning(start)
    for seed in range(10):
        each = find_puzzle(exact, seed, LEVELS[seed % 3])
        player = each.position.to_move
        found = {}
        for action in each.position.legal_actions():
            value = values[each.position.play(action)]
            found[action] = value if player == 0 else 1 - value
        first, second = sorted(found.values(), reverse=True)[:2]
        assert each.task == "best"
        assert found[each.answer] == first
        assert first - second > MARGIN - 1e-6


@pytest.mark.plain
@pytest.mark.parametrize("start", SMALL, ids=ids)
def test_what_is_said_of_every_move(start):
    """Every move of some puzzles: the answer is right, the others are wrong."""
    for seed in range(4):
        found = only(puzzle(GameState(start), {"seed": seed, "level": "medium"}))["puzzle"]
        assert "answer" not in found
        here = GameState(start, tuple(found["state"]["line"]))
        answer = only(puzzle_move(here, {}))
        assert answer["right"]
        results = signs(here.position)
        if len(set(results.values())) == 1:
            continue
        for action, sign in results.items():
            said = only(puzzle_move(here, {"action": action}))
            assert said["right"] == (sign == max(results.values()))
            assert said["right"] or "The right move" in said["said"]


@pytest.mark.plain
def test_a_puzzle_is_won_against_the_best_defence():
    start = Hex(3)
    found = only(puzzle(GameState(start), {"seed": 1, "level": "hard"}))["puzzle"]
    here, me = GameState(start, tuple(found["state"]["line"])), found["player"]
    while not here.position.is_terminal():
        if here.position.to_move == me:
            action = best_line(exact_for(start), here.position, next(iter(right_moves(here))))[0]
        else:
            action = only(puzzle_reply(here, {}))["played"][0]
        here = GameState(start, (*here.actions, action))
    assert here.position.utility(me) == 1


def right_moves(here):
    return [
        action
        for action in here.position.legal_actions()
        if only(puzzle_move(here, {"action": action}))["right"]
    ]


@pytest.mark.plain
def test_games_without_puzzles_say_why():
    assert "do not see everything" in next(puzzle(GameState(Kuhn()), {"seed": 1}))["sorry"]
    first, second = puzzle(GameState(Hex()), {"seed": 1})
    assert "up to size 7" in first["sorry"]
    assert second["smaller"]["parameters"]["size"] == 7
    assert smaller_game(start_position("checkers")) == start_position(
        "checkers", size=4, draw_moves=5
    )
    assert smaller_game(start_position("chess")) is None
    found = only(puzzle(GameState(Fig52()), {"seed": 1}))["puzzle"]
    assert found["task"] == "MAX to move: find the best move."


@pytest.mark.plain
@pytest.mark.parametrize("seed", [-1, 1.5, "1", None, True, 10**9])
def test_seeds_are_whole_numbers(seed):
    with pytest.raises(BadRequest, match="whole number"):
        list(puzzle(GameState(TicTacToe()), {"seed": seed, "level": "easy"}))


@pytest.mark.plain
def test_what_is_no_move_of_a_puzzle_is_refused():
    with pytest.raises(BadRequest, match="not legal"):
        list(puzzle_move(GameState(TicTacToe()), {"action": 99}))
    with pytest.raises(BadRequest, match="no player"):
        list(puzzle_move(GameState(Fig52(), (0, 0)), {}))


@pytest.mark.compiled
def test_endings_are_set_up():
    """Play hardly ever leads to positions that are known: the page is given the start instead."""
    start = Chess()
    for seed in range(3):
        found = only(puzzle(GameState(start), {"seed": seed, "level": "hard"}))["puzzle"]
        here = GameState(Chess.from_fen(found["state"]["set_up"]))
        assert found["state"]["line"] == []
        assert len(right_moves(here)) == 1
        other = GameState(Chess.from_fen(found["state"]["set_up"]))
        assert only(puzzle(other, {"seed": seed, "level": "hard"}))["puzzle"] == found


# ---- in a browser


def open_panel(page, name):
    """Go to a panel of a page that is ready."""
    from playwright.sync_api import expect

    expect(page.locator("#status")).not_to_be_empty()
    page.get_by_role("tab", name=name).click()


@pytest.fixture
def puzzled(page, site):
    """The page of tic-tac-toe with puzzle 3, and the names of its right move and the others."""
    start = TicTacToe()
    exact = find_puzzle(exact_for(start), 3, "medium")
    right = exact.position.name(exact.answer)
    names = map(exact.position.name, exact.position.legal_actions())
    page.goto(site.at("/game/tic_tac_toe"))
    open_panel(page, "Puzzles")
    page.get_by_label("Puzzle", exact=True).fill("3")
    page.get_by_role("button", name="Show it").click()
    page.locator("#puzzle-task", has_text="find the only move").wait_for()
    page.locator(".target").nth(exact.legal - 1).wait_for()
    return page, right, [name for name in names if name != right]


@pytest.mark.compiled
@pytest.mark.needs("browser")
def test_a_puzzle_is_solved_by_clicks(puzzled):
    from playwright.sync_api import expect

    page, right, _ = puzzled
    page.locator("#board").get_by_role("button", name=right, exact=True).click()
    expect(page.locator("#puzzle-said")).to_contain_text("Right!")
    expect(page.locator("#puzzle-line")).to_contain_text("Best play:")
    expect(page.locator("#puzzle-solved")).to_have_text("1")
    expect(page.locator("#puzzle-streak")).to_have_text("1")
    expect(page.locator("#board .target")).to_have_count(1)  # the defence has been played
    page.locator("#board .target").click()
    expect(page.locator("#puzzle-said")).to_contain_text("The game is over: Draw.")
    page.reload()
    open_panel(page, "Puzzles")
    expect(page.locator("#puzzle-solved")).to_have_text("1")


@pytest.mark.compiled
@pytest.mark.needs("browser")
def test_a_wrong_move_is_refuted_and_taken_back(puzzled):
    from playwright.sync_api import expect

    page, right, wrong = puzzled
    page.locator("#board").get_by_role("button", name=wrong[0], exact=True).click()
    expect(page.locator("#puzzle-said")).to_contain_text("The right move")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#board .target")).to_have_count(len(wrong) + 1)
    page.locator("#board").get_by_role("button", name=right, exact=True).click()
    expect(page.locator("#puzzle-said")).to_contain_text("Right!")
    expect(page.locator("#puzzle-solved")).to_have_text("1")
    expect(page.locator("#puzzle-streak")).to_have_text("0")


@pytest.mark.compiled
@pytest.mark.needs("browser")
def test_the_solution_is_shown_and_not_counted(puzzled):
    from playwright.sync_api import expect

    page, right, _ = puzzled
    page.get_by_role("button", name="Show the solution").click()
    expect(page.locator("#puzzle-said")).to_contain_text(f"The solution: {right}")
    expect(page.locator("#puzzle-solved")).to_have_text("0")


@pytest.mark.compiled
@pytest.mark.needs("browser")
def test_a_changed_address_offers_the_way_back(puzzled):
    from playwright.sync_api import expect

    page, right, wrong = puzzled
    page.evaluate("() => { location.hash = '#moves=b2' }")
    expect(page.locator("#puzzle-said")).to_contain_text("not the puzzle's")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#board .target")).to_have_count(len(wrong) + 1)
    page.locator("#board").get_by_role("button", name=right, exact=True).click()
    expect(page.locator("#puzzle-said")).to_contain_text("Right!")
