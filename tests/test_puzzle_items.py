"""Tests puzzles as JSON lines, by retrograde analysis."""

import json
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from command_line import refused, run, well, words

from adv_envs import Hex, Kalah, Position, ThirtyOne, TicTacToe, text_env
from adv_envs.notation import read_line
from adv_envs.registry import position_of
from agents import Retrograde
from agents.cli.puzzle_lines import read_secret
from agents.grading import NotGraded, exact_for, puzzle_items, symmetry_twins
from agents.grading.position_sets import phase_of
from agents.grading.puzzle_items import canonical_position, split_of
from agents.grading.puzzles import shipped_tests

pytestmark = pytest.mark.compiled


@pytest.mark.parametrize(
    "start",
    [TicTacToe(), Kalah(3, 2), ThirtyOne(limit=12, copies=2, highest=4)],
    ids=lambda start: repr(start)[:12],
)
def test_items_are_what_retrograde_analysis_says(start: Position) -> None:
    items, retrograde = list(islice(puzzle_items(start, seed=3), 15)), Retrograde()
    assert items == list(islice(puzzle_items(start, seed=3), 15))
    assert items != list(islice(puzzle_items(start, seed=4), 15))
    assert len({item["position"] for item in items}) == len(items) > 5
    for item in items:
        position = position_of(item["position"])
        assert position.parameters == start.parameters
        assert start.after(read_line(start, item["moves"])) == position
        names = [position.name(action) for action in position.legal_actions()]
        values = dict(zip(names, retrograde.values(position).values(), strict=True))
        value = max(values.values())
        assert item["legal"] == names
        assert item["values"] == values
        assert item["regrets"] == {name: value - each for name, each in values.items()}
        assert item["value"] == value
        assert item["best"] == [name for name in names if values[name] == value]
        assert item["difficulty"] == len(item["best"]) / len(names)
        assert item["proven"]
        assert (item["board"], item["to_move"]) == (str(position), position.to_move)
        assert item["line"].startswith(item["best"][0])
        assert item["plies"] == len(read_line(position, item["line"]))
        assert item["phase"] == phase_of(exact_for(start).progress(position))
        env = text_env(position, seat=position.to_move, opponent="random")
        assert item["messages"] == env.reset(seed=0)
        assert (item["format"], item["version"], item["seed"]) == ("adv-envs item", 1, 3)


def test_games_without_puzzles_are_refused() -> None:
    with pytest.raises(NotGraded, match="games of two players are graded, not of 3"):
        puzzle_items(ThirtyOne(num_players=3))


def test_the_command_writes_lines(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    command = "puzzles", "kalah", "--pits", "3", "--seeds", "2", "--count", "4", "--seed", "1"
    printed = well(*command)
    assert well(*command, "--out", str(path)) == f"{path}: 4 puzzles\n"
    assert path.read_text(encoding="utf-8") == printed
    items = [json.loads(line) for line in printed.splitlines()]
    assert items == list(islice(puzzle_items(Kalah(3, 2), seed=1), 4))
    assert items[0]["parameters"]["pits"] == 3
    few = run("puzzles", "tic_tac_toe", "--count", "100000")
    assert few.code == 0
    assert "puzzles were found in tic_tac_toe, not 100000" in " ".join(few.err.split())


# ---- without end, and in two splits


def smallest(items: Iterable[dict[str, Any]]) -> list[Position]:
    return [canonical_position(position_of(item["position"])) for item in items]


SECRET = b"correct horse battery staple"


def test_few_items_are_the_beginning_of_many() -> None:
    many = list(islice(puzzle_items(Kalah(3, 2), seed=2), 200))
    assert many[:40] == list(islice(puzzle_items(Kalah(3, 2), seed=2), 40))
    assert len(set(smallest(many))) == len(many) == 200, "more than one round of games has"


def test_no_item_is_an_image_of_another() -> None:
    items = list(islice(puzzle_items(TicTacToe()), 150))
    assert len(set(smallest(items))) == len(items) == 150
    twins = list(islice(puzzle_items(TicTacToe(), twins=True), 40))
    assert len(set(smallest(twins))) == sum(item["twin"] is None for item in twins) == 10


@pytest.mark.parametrize("start", [TicTacToe(), Hex(3), Kalah(3, 2)], ids=lambda s: repr(s)[:8])
def test_the_splits_have_no_position_in_common(start: Position) -> None:
    public = list(islice(puzzle_items(start, split="public"), 25))
    private = list(islice(puzzle_items(start, split="private", secret=SECRET), 25))
    assert {item["split"] for item in public} == {"public"}
    assert {(item["seed"], item["split"]) for item in private} == {(None, "private")}
    assert len({item["commitment"] for item in private}) == 1
    assert min(len(public), len(private)) > 5
    assert not set(smallest(public)) & set(smallest(private))
    for item in (*public, *private):
        position = position_of(item["position"])
        assert split_of(position) == item["split"]
        assert {split_of(twin.position) for twin in symmetry_twins(position)} <= {item["split"]}


def test_the_private_split_needs_its_secret() -> None:
    def first(secret: bytes) -> list[str]:
        items = islice(puzzle_items(Kalah(4, 3), split="private", secret=secret), 12)
        return [item["position"] for item in items]

    assert first(SECRET) == first(SECRET)
    assert len(set(first(SECRET)) & set(first(SECRET + b"!"))) < 4
    for options, message in (
        ({"split": "private"}, "the private split needs a secret"),
        ({"split": "public", "secret": SECRET}, "and no other items do"),
        ({"split": "private", "secret": b"short"}, "at least 16 bytes, not 5"),
        ({"split": "other"}, "split must be one of public, private, not 'other'"),
        ({"split": "public", "seed": 3}, "cannot be chosen: leave out seed=3"),
    ):
        with pytest.raises(ValueError, match=message):
            puzzle_items(TicTacToe(), **options)  # type: ignore[arg-type]


def test_no_position_of_the_package_is_private() -> None:
    exact = exact_for(TicTacToe())
    shipped = {canonical_position(test.position) for test in shipped_tests(exact)}
    private = smallest(islice(puzzle_items(TicTacToe(), split="private", secret=SECRET), 60))
    assert shipped
    assert not shipped & set(private)


def test_the_command_says_that_there_are_no_twins() -> None:
    options = "puzzles", "thirty_one", "--limit", "12", "--copies", "2", "--highest", "4"
    answer = run(*options, "--count", "3", "--twins")
    assert answer.code == 0
    assert "thirty_one has no twins: it has no symmetry, nor cells to be renamed" in words(
        answer.err
    )
    assert len(answer.out.splitlines()) == 3


def test_an_interrupted_command_keeps_what_was_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def interrupted(*args: Any, **options: Any) -> Iterator[dict[str, Any]]:
        yield from islice(puzzle_items(*args, **options), 3)
        raise KeyboardInterrupt

    monkeypatch.setattr(sys.modules["agents.grading.puzzle_items"], "puzzle_items", interrupted)
    path = tmp_path / "items.jsonl"
    answer = run("puzzles", "tic_tac_toe", "--count", "9", "--out", str(path))
    assert (answer.code, answer.out) == (130, f"{path}: 3 puzzles\n")
    assert "interrupted after 3 of 9 puzzles" in answer.err
    assert len(path.read_text(encoding="utf-8").splitlines()) == 3


TEXT = b"0123456789abcdef"


@pytest.mark.parametrize(
    ("content", "secret"),
    [
        (TEXT, TEXT),
        (TEXT + b"\n", TEXT),
        (TEXT + b"\r\n", TEXT),
        (b" " + TEXT + b"  \n", b" " + TEXT + b"  "),
        ("ein längeres Geheimnis\n".encode(), "ein längeres Geheimnis".encode()),
        *[(key, key) for key in (TEXT[1:] + b"\n", TEXT[2:] + b"\r\n", b"\n" + TEXT[1:])],
        *[(key, key) for key in (b"\x00" * 15 + b"\n", b"\t" * 15 + b" ", b"\xff" * 31 + b"\n")],
        (TEXT + b"\n" + TEXT + b"\n", TEXT + b"\n" + TEXT + b"\n"),
    ],
    ids=range(12),
)
def test_secrets_of_bytes_and_of_text(content: bytes, secret: bytes, tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_bytes(content)
    assert read_secret(path) == secret
    split = "tic_tac_toe", "--count", "1", "--split", "private", "--secret", str(path)
    item = next(puzzle_items(TicTacToe(), split="private", secret=secret))
    assert json.loads(well("puzzles", *split)) == item


def test_the_command_writes_splits(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(SECRET + b"\n")
    options = "puzzles", "tic_tac_toe", "--count", "3", "--split"
    private = [
        json.loads(each) for each in well(*options, "private", "--secret", str(secret)).splitlines()
    ]
    assert private == list(islice(puzzle_items(TicTacToe(), split="private", secret=SECRET), 3))
    assert SECRET.decode() not in json.dumps(private)
    public = [json.loads(line) for line in well(*options, "public").splitlines()]
    assert public == list(islice(puzzle_items(TicTacToe(), split="public"), 3))
    for args, message in (
        (("private",), "--split private and --secret FILE go together"),
        (("public", "--secret", str(secret)), "--split private and --secret FILE go together"),
        (("private", "--secret", str(tmp_path)), "cannot be read: Is a directory"),
        (("public", "--seed", "4"), "leave out --seed"),
        (("other",), "split must be one of public, private, not 'other'"),
    ):
        assert message in refused(*options, *args)
    secret.write_bytes(b"\n")
    assert "is empty: write a secret" in refused(*options, "private", "--secret", str(secret))
