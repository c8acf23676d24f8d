"""Tests puzzles as JSON lines, by retrograde analysis."""

import json
from itertools import islice
from pathlib import Path

import pytest
from command_line import run, well

from adv_envs import Kalah, Position, ThirtyOne, TicTacToe
from adv_envs.notation import read_line
from adv_envs.registry import position_of
from agents import Retrograde
from agents.grading import NotGraded, puzzle_items

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
