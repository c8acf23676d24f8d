"""Twins of items are as good as their originals, by solvers and by plain retrograde analysis."""

import random
from itertools import islice
from typing import Any

import pytest

from adv_envs import (
    GAMES,
    Amazons,
    AnimalShogi,
    Backgammon,
    Breakthrough,
    Chess,
    Clobber,
    ConnectFour,
    Domineering,
    DotsAndBoxes,
    GameOfY,
    Gomoku,
    Havannah,
    Hex,
    Kalah,
    LinesOfAction,
    MiniChess,
    Nim,
    NineMensMorris,
    Othello,
    Pig,
    Position,
    Quoridor,
    ThirtyOne,
    TicTacToe,
    UltimateTicTacToe,
    start_position,
    text_env,
)
from adv_envs.registry import position_of
from adv_envs.text.renaming import Renaming, renamed, why_not_renamed
from agents import Retrograde, knowledge_of
from agents.grading import exact_for, item_position, puzzle_items, symmetry_twins
from agents.grading.move_grader import exact_utilities
from agents.grading.puzzle_items import canonical_position

SOLVED: list[tuple[Position, set[str]]] = [
    (TicTacToe(), {"mirrored", "rotated"}),
    (ConnectFour(4, 4), {"mirrored"}),
    (Hex(4), {"rotated", "exchanged"}),
    (Hex(3, swap=True), {"rotated", "exchanged"}),
    (Othello(4), {"mirrored", "rotated", "exchanged"}),
    (Havannah(3), {"mirrored", "rotated", "exchanged"}),
    (GameOfY(4, swap=True), {"mirrored", "rotated", "exchanged"}),
    (Breakthrough(4, 4, 1), {"mirrored", "exchanged"}),
    (Amazons(4), {"mirrored", "rotated", "exchanged"}),
    (LinesOfAction(4), {"mirrored", "rotated", "exchanged"}),
    (Domineering(4, 4), {"mirrored", "rotated"}),
    (DotsAndBoxes(2, 2), {"mirrored", "rotated", "exchanged"}),
    (Kalah(3, 2), {"exchanged"}),
    (Nim(135), {"exchanged"}),
    (Pig(20), {"exchanged"}),
    (Chess(), {"exchanged"}),
    (MiniChess(), {"exchanged"}),
    (Gomoku(3, 4, 3), {"mirrored", "rotated"}),
    (Clobber(3, 5), {"mirrored", "rotated", "exchanged"}),
    (UltimateTicTacToe(), {"mirrored", "rotated"}),
    (Quoridor(3), {"mirrored", "exchanged"}),
    (ThirtyOne(12, 2, 4), set()),
]
"""Games with items, and the kinds of symmetric twins that they have."""


def items_of(start: Position, number: int, **options: Any) -> list[dict[str, Any]]:
    return list(islice(puzzle_items(start, 1, **options), number))


@pytest.mark.compiled
@pytest.mark.parametrize(("start", "kinds"), SOLVED, ids=[repr(start)[:20] for start, _ in SOLVED])
def test_all_twins_have_the_values_of_their_originals(start: Position, kinds: set[str]) -> None:
    exact, seen = exact_for(start), set[str]()
    for item in items_of(start, 2):
        position = position_of(item["position"])
        values = exact_utilities(exact, position)
        for twin in symmetry_twins(position):
            seen.add(twin.kind)
            twin.position.check()
            assert twin.position.start() == position.start()
            there = {twin.image_action(position, action): v for action, v in values.items()}
            assert dict(sorted(there.items())) == exact_utilities(exact, twin.position)
            assert canonical_position(twin.position) == canonical_position(position)
    assert seen == kinds


SMALL = TicTacToe(), Hex(3), Hex(3, swap=True), Othello(4), Kalah(2, 2), DotsAndBoxes(1, 2), Nim(23)


@pytest.mark.plain
@pytest.mark.parametrize("start", SMALL, ids=lambda start: repr(start)[:20])
def test_retrograde_analysis_agrees(start: Position) -> None:
    """Of late positions, with every move to the end listed by a solver that knows no game."""
    retrograde, rng, number = Retrograde(), random.Random(repr(start)), 0
    for _ in range(8):
        game = [start]
        while not game[-1].is_terminal():
            game.append(game[-1].play(rng.choice(game[-1].legal_actions())))
        position = game[max(0, len(game) - 6)]
        values = retrograde.values(position)
        for twin in symmetry_twins(position):
            number += 1
            there = retrograde.values(twin.position)
            assert there == {twin.image_action(position, a): v for a, v in values.items()}
            assert twin.position.to_move == position.to_move ^ (twin.kind == "exchanged")
    assert number > 6


def stripped(position: Any) -> Any:
    """The position without the number of the move, which no rule of three games asks so early."""
    numbered = isinstance(position, Chess | AnimalShogi | Quoridor)
    return position._replace(ply=position.to_move) if numbered else position


def exchangeable() -> list[Position]:
    return [p for p in map(start_position, GAMES) if knowledge_of(p).exchange is not None]


@pytest.mark.plain
@pytest.mark.parametrize("start", exchangeable(), ids=lambda start: repr(start)[:12])
def test_exchanged_players_play_the_same_game(start: Position) -> None:
    """Along random games: an involution that commutes with play, and exchanges results."""
    exchange, rng, number = knowledge_of(start).exchange, random.Random(1), 0
    assert exchange is not None
    for _ in range(3):
        position, ply = start, 0
        while not position.is_terminal() and ply < 60:
            image = exchange.image(position)
            action, ply = rng.choice(position.legal_actions()), ply + 1
            after = position.play(action)
            if image is not None:
                number += 1
                image.check()
                assert exchange.image(image) == position
                if position.to_move >= 0:
                    assert image.to_move == 1 - position.to_move
                far = [exchange.image_action(position, a) for a in position.legal_actions()]
                assert sorted(far) == image.legal_actions()
                there = image.play(exchange.image_action(position, action))
                assert there.is_terminal() == after.is_terminal()
                if after.is_terminal():
                    assert there.utility(0) == after.utility(1)
                elif (expected := exchange.image(after)) is not None:
                    assert stripped(there) == stripped(expected)
            position = after
    assert number > 3


@pytest.mark.compiled
@pytest.mark.parametrize(
    "start", [TicTacToe(), Hex(4), Kalah(3, 2), Chess()], ids=lambda s: repr(s)[:9]
)
def test_items_and_their_twins(start: Position) -> None:
    items = items_of(start, 30, twins=True)
    originals = {item["id"]: item for item in items if item["twin"] is None}
    assert len({item["id"] for item in items}) == len(items) > len(originals) > 5
    for item in items:
        twin, position = item["twin"], position_of(item["position"])
        if twin is None:
            continue
        of = originals[twin["of"]]
        if twin["renaming"] is not None:
            assert item["position"] == of["position"]
            position = renamed(position, Renaming.from_dict(twin["renaming"]))
        assert item["legal"] == [position.name(action) for action in position.legal_actions()]
        assert item["board"] == str(position)
        assert str(position) in item["messages"][1]["content"]
        for key in ("value", "difficulty", "phase", "task", "plies", "parameters", "seed"):
            assert item[key] == of[key]
        names = twin["moves"]
        for key in ("values", "regrets"):
            assert item[key] == {names[name]: number for name, number in of[key].items()}
        assert item["best"] == [names[name] for name in of["best"]]
        assert position.after(item["line"]).is_terminal() == (
            position_of(of["position"]).after(of["line"]).is_terminal()
        )


@pytest.mark.compiled
@pytest.mark.parametrize(
    "start",
    [TicTacToe(), Hex(4), ConnectFour(4, 5), Kalah(3, 2), Chess()],
    ids=lambda s: repr(s)[:9],
)
def test_environments_of_items_ask_what_their_messages_ask(start: Position) -> None:
    items = items_of(start, 16, twins=True)
    kinds = {item["twin"] and item["twin"]["kind"] for item in items}
    assert len(kinds) > 1
    assert ("renamed" in kinds) == (not why_not_renamed(start))
    for item in items:
        position = item_position(item)
        assert [position.name(action) for action in position.legal_actions()] == item["legal"]
        env = text_env(position, seat=item["to_move"])
        assert env.reset(seed=0) == item["messages"]
        _, _, _, _, info = env.step(f"Final answer: {item['best'][0]}")
        assert info["legal"] == 1


@pytest.mark.compiled  # plain Python takes half a minute for the table
def test_the_values_of_backgammon_do_not_tell_the_players_apart() -> None:
    start = Backgammon()
    position = knowledge_of(start).random_position(start, random.Random(4))  # type: ignore[misc]
    (twin,) = symmetry_twins(position)
    exact = exact_for(start)
    assert twin.kind == "exchanged"
    assert exact_utilities(exact, twin.position) == exact_utilities(exact, position)


@pytest.mark.plain
def test_every_game_with_twins_is_solved_here() -> None:
    records = {type(p): knowledge_of(p) for p in map(start_position, GAMES)}
    graded = {game for game, known in records.items() if known.exact_values is not None}
    related = {g for g, known in records.items() if known.symmetries or known.exchange}
    others = {AnimalShogi, Backgammon, NineMensMorris}  # two need tables, of up to a gigabyte
    assert (
        graded & related == {type(start) for start, _ in SOLVED if type(start) in related} | others
    )
