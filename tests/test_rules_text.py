"""The rules in words: what they say applies to the game, and their examples are played by it."""

import inspect
import random
import re
from collections.abc import Iterator

import pytest
from samples import SAMPLES
from small_games import Race

from adv_envs import (
    Backgammon,
    Chess,
    ConnectFour,
    DarkHex,
    Domineering,
    DotsAndBoxes,
    GameOfY,
    Go,
    Gomoku,
    Goofspiel,
    Havannah,
    Hex,
    IllegalMove,
    Kalah,
    Leduc,
    Nim,
    Othello,
    PhantomTicTacToe,
    Position,
)
from adv_envs.position import Example, reflowed
from adv_envs.registry import GAMES, game
from adv_envs.text import rules_text
from adv_envs.text.rules import example_start
from agents.match_loop import random_action

pytestmark = pytest.mark.plain

STARTS = [
    pytest.param(start, id=f"{name}-{i}")
    for name, samples in SAMPLES.items()
    for i, start in enumerate(samples.small + samples.large)
]
LEADS = ["Goal", "Moves", "Hidden", "End", "Notation", "Board"]
"""How the paragraphs of all rules begin."""

MOST_WORDS = {
    "chess": 480,
    "backgammon": 520,
    "dark_hex": 370,
    "gin_rummy": 440,
    "hanabi": 450,
    "minichess": 360,
    "quoridor": 410,
    "texas_holdem": 520,
    "texas_holdem_no_limit": 520,
}
"""Of rules in words; of other games 350."""


@pytest.mark.parametrize("name", SAMPLES)
def test_every_game_has_its_own_rules_and_an_example(name: str) -> None:
    start = game(name)()
    assert type(start).rules is not Position.rules
    assert start.example is not None
    assert 3 <= len(start.example.moves) <= 8 or name == "fig52"
    assert 120 <= len(start.rules().split()) <= MOST_WORDS.get(name, 350)


@pytest.mark.parametrize("start", STARTS)
def test_rules_have_the_same_paragraphs_in_all_games(start: Position) -> None:
    text = start.rules()
    leads = re.findall(r"^\*\*(\w+)\.\*\* ", text, re.MULTILINE)
    assert leads == [lead for lead in LEADS if lead != "Hidden" or not start.perfect_information]
    assert not re.search(r"  |\n\n\n| $|\bNone\b", text, re.MULTILINE)
    assert rules_text(start).startswith(text)


def test_rules_of_other_games_are_their_docstrings() -> None:
    assert rules_text(Race()) == Race().rules() == inspect.getdoc(Race)


def test_paragraphs_and_items_are_on_one_line_each() -> None:
    text = reflowed("""
        One line, up to
        31. No item.

        31
        - 1 is 30.

        - an item
          of two lines
        - another

        1. first
        2. second


        """)
    assert text == (
        "One line, up to 31. No item.\n\n"
        "31 - 1 is 30.\n\n- an item of two lines\n- another\n\n1. first\n2. second"
    )


# ---- parameters and options


@pytest.mark.parametrize("start", STARTS)
def test_rules_name_the_sizes(start: Position) -> None:
    """Numbers that say how large the game is; some are told by words or decide what is observed."""
    words = set(re.findall(r"\d+", start.rules()))
    for name in {"height", "width", "k", "size", "limit", "copies", "highest", "target", "faces",
                 "pits", "seeds", "rows", "columns", "draw_moves", "players", "sides", "cards",
                 "passes_to_end"} & {*start.parameters}:  # fmt: skip
        assert str(getattr(start, name)) in words, name


OPTIONS = [
    (Hex(5, swap=True), Hex(5), "swap"),
    (Havannah(5, swap=True), Havannah(5), "swap"),
    (GameOfY(5, swap=True), GameOfY(5), "swap"),
    (Gomoku(swap2=True), Gomoku(), "`black`"),
    (Gomoku(swap2=True), Gomoku(), "`more`"),
    (Gomoku(exact=True), Gomoku(), "exactly 5 stones"),
    (Othello(margin=True), Othello(), "minus that of the other"),
    (DotsAndBoxes(margin=True), DotsAndBoxes(), "minus that of the other"),
    (Nim(misere=True), Nim(), "loses and gets -1"),
    (Nim(), Nim(misere=True), "wins and gets 1"),
    (Kalah(empty_capture=True), Kalah(), "the last seed alone goes into the own store"),
    (Kalah(), Kalah(empty_capture=True), "nothing is captured"),
    (Backgammon(), Backgammon(gammons=False), "gammon, if"),
    (Go(), Go(superko=False), "superko"),
    (Go(superko=False), Go(), "(ko)"),
    (Go(passes_to_end=3), Go(), "3 passes"),
    (Go(max_plies=50), Go(), "50 moves"),
    (Go(komi=6.5), Go(), "6.5 points more"),
    (Chess(), Chess(draws="claimed"), "occurs 3 times"),
    (Chess(), Chess(draws="never"), "50 moves of each player"),
    (Chess(draws="claimed"), Chess(), "75 moves of each player"),
    (Chess(draws="claimed"), Chess(), "cannot claim"),
    (Chess(draws="never"), Chess(), "for ever"),
    (Leduc(blinds=True), Leduc(), "the blinds"),
    (Leduc(), Leduc(blinds=True), "the ante"),
    (Goofspiel(secret=True), Goofspiel(), "stay hidden until the end"),
    (Goofspiel(margin=True), Goofspiel(), "half the difference"),
    (Goofspiel(order=-1), Goofspiel(), "from the highest to the lowest"),
    (Goofspiel(order=1), Goofspiel(), "from the lowest to the highest"),
    (Goofspiel(), Goofspiel(order=1), "by chance"),
    (Goofspiel(turns=4), Goofspiel(), "4 turns; cards that are left are not played"),
    (Goofspiel(), Goofspiel(turns=4), "is played at once"),
    (PhantomTicTacToe(abrupt=True), PhantomTicTacToe(), "the move is over without a stone"),
    (DarkHex(), DarkHex(abrupt=True), "must try another cell"),
]


@pytest.mark.parametrize(("start", "other", "phrase"), OPTIONS)
def test_rules_tell_what_an_option_does(start: Position, other: Position, phrase: str) -> None:
    assert phrase in start.rules()
    assert phrase not in other.rules()


@pytest.mark.parametrize(
    ("start", "symbols"),
    [
        (game("tic_tac_toe")(), "XO"),
        (ConnectFour(), "XO"),
        (Hex(5), "XO"),
        (Hex(5, swap=True), "XO"),
        (Gomoku(5, 5), "XO"),
        (Domineering(5, 6), "|-"),
    ],
)
def test_boards_show_who_is_to_move_as_the_rules_say(start: Position, symbols: str) -> None:
    """Player 0 is to move when both have as many stones; after a swap, when they have not."""
    text, swapped = start.rules(), False
    assert "when there are as many X as O" in text or "when both have laid as many" in text
    for position in visited(start, 20):
        first, second = (str(position).count(symbol) for symbol in symbols)
        if first + second < 2:
            swapped = (first, second) == (0, 1)
        assert (position.to_move == 0) == ((first == second) != swapped)


# ---- names of moves

LINES = {
    "chess": [Chess().after("e4 e5 Nf3 Nc6 Bc4 Nf6")],
    "backgammon": [Backgammon(own=(14 << 100) + (1 << 4 * 20), dice=0x65, turn=0)],
}
"""Positions in which moves are legal that random games do not always have."""


def visited(start: Position, games: int) -> Iterator[Position]:
    """The positions of some random games, which are the same at every call."""
    rng = random.Random(1)
    for _ in range(games):
        position = start
        for _ in range(2000):
            if position.is_terminal():
                break
            yield position
            position = position.play(random_action(position, rng))


def is_legal(position: Position, name: str) -> bool:
    try:
        position.action(name)
    except IllegalMove:
        return False
    return True


@pytest.mark.parametrize("name", SAMPLES)
def test_moves_in_the_rules_are_moves(name: str) -> None:
    start = game(name)()
    missing = set(re.findall(r"`([^`]+)`", start.rules()))
    assert missing
    for position in (start, *LINES.get(name, []), *visited(start, 6)):
        if not missing:
            break
        missing -= {move for move in missing if is_legal(position, move)}
    assert not missing


# ---- the examples


WITH_EXAMPLES = [
    *(param for param in STARTS if param.values[0].example is not None),  # trees have none
    *(pytest.param(start, id=f"option-{i}") for i, (start, *_) in enumerate(OPTIONS)),
]


def played(start: Position) -> Iterator[tuple[Position, Position, str]]:
    """The positions before and after each move of an example, and what is said of it."""
    assert start.example is not None
    position = example_start(start, start.example)
    for move, comment in start.example.moves:
        after = position.move(move)
        yield position, after, comment
        position = after


@pytest.mark.parametrize("start", WITH_EXAMPLES)
def test_an_example_needs_no_other_rules(start: Position) -> None:
    """It has the options of the game, and no choice in words of which the rules say nothing."""
    assert start.example is not None
    for name, value in start.example.parameters.items():
        assert type(value) is int
        assert value == getattr(start, name) or name != "order"
    for move, _ in start.example.moves:
        if len(re.findall("[a-z]", move)) > 2 and not re.search(r"\d", move):
            assert f"`{move}`" in start.rules()


@pytest.mark.parametrize("start", WITH_EXAMPLES)
def test_what_is_said_of_the_moves_of_an_example_is_so(start: Position) -> None:
    for before, after, comment in played(start):
        for winner in re.findall(r"player (\d) wins$", comment):
            assert after.is_terminal()
            assert after.utility(int(winner)) > 0
        for loser in re.findall(r"player (\d) (?:cannot move and )?loses", comment):
            assert after.is_terminal()
            assert after.utility(int(loser)) < 0
        again = re.search(r"moves again|tries again|must go on|can jump again", comment)
        if before.to_move >= 0 and again:
            assert after.to_move == before.to_move
        if "loses the turn" in comment:
            assert after.to_move != before.to_move
        for field, value in re.findall(r"(?:the|the turn) (total) is (\d+)", comment):
            found = getattr(after, field, None) or getattr(after, "turn", None)
            assert found == int(value)
        for player, chips in re.findall(r"player (\d) has put in (\d+) chips", comment):
            assert after.chips(int(player)) == int(chips)  # type: ignore[attr-defined]
        for move in re.findall(r"`([^`]+)`", comment):
            assert is_legal(before, move) or is_legal(after, move)


@pytest.mark.parametrize(
    ("name", "captures"), [("breakthrough", 3), ("checkers", 2), ("go", 1), ("chess", 1)]
)
def test_captures_of_an_example_are_captures(name: str, captures: int) -> None:
    taken = 0
    for before, after, comment in played(game(name)()):
        said = bool(re.search(r"\bcaptures\b|is captured", comment))
        set_or_taken = after.own.bit_count() + after.opp.bit_count()  # type: ignore[attr-defined]
        was = before.own.bit_count() + before.opp.bit_count()  # type: ignore[attr-defined]
        new = name == "go" and "pass" not in comment and "points" not in comment
        assert (set_or_taken < was + new) == said, comment
        taken += said
    assert taken == captures


def test_seeds_of_the_example_are_captured() -> None:
    (_, first, _), (_, second, _), _ = played(Kalah())
    assert [first.store(0), second.store(0)] == [1, 1 + 1 + 2]  # type: ignore[attr-defined]


def test_boards_and_players_of_an_example_are_computed() -> None:
    text = rules_text(Hex(3))
    assert "**Example.** A game begins:" in text
    assert "1. player 0 `b2`\n2. player 1 `b1`: stops" in text
    assert "**Example.** A game with size=3 begins:" in rules_text(Hex(5, swap=True))
    assert "1. player 0 `b1`\n2. player 1 `swap`: the stone" in rules_text(Hex(5, swap=True))
    assert "Now the game is over, worth 1 to player 0, -1 to player 1:" in text
    assert text.endswith("```text\n  a b c\n 1 . O X\n  2 . X .\n   3 X O .\n```")


def test_an_example_tells_what_each_player_sees() -> None:
    text = rules_text(game("kuhn")())
    assert "1. chance `Q`: is dealt to player 0" in text
    for player, card in enumerate("QK"):
        view = text.partition(f"Player {player} sees:")[2]
        assert re.search(rf"player {player}  {card}", view)
        assert re.search(rf"player {1 - player}  \?", view)
    assert "sees" not in rules_text(Hex()).partition("**Example.**")[2]


def test_an_example_that_is_not_legal_is_refused() -> None:
    class Wrong(Hex):
        example = Example("a1\na1")

    with pytest.raises(IllegalMove, match="'a1' is not a legal move"):
        rules_text(Wrong())


def test_every_game_is_sampled() -> None:
    assert {*SAMPLES} == {*GAMES}


@pytest.mark.parametrize("start", STARTS)
def test_one_thing_is_no_plural(start: Position) -> None:
    assert not re.search(r"\b1 (rows|columns|cells|boxes|pits|heaps|dice|cards)\b", start.rules())
