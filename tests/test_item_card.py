"""Cards at items: what is known by heart shows in twins, and perfect play has no difference."""

import functools
import json
import random
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from command_line import refused, run, well

from adv_envs import Hex, Nim, Position, TicTacToe
from adv_envs.registry import position_of
from adv_envs.testing import ChatEndpoint
from agents import Agent, AlphaBeta, LanguageModel, Perfect, Random
from agents.grading import ItemCard, ItemGrader, ItemsError, LoadedItem, puzzle_items, read_items
from agents.grading.item_files import read_item
from agents.language import endpoint
from agents.statistics import paired_interval

pytestmark = pytest.mark.plain


@functools.cache
def all_items() -> tuple[dict[str, Any], ...]:
    """24 items and their twins."""
    return tuple(islice(puzzle_items(TicTacToe(), twins=True), 96))


def originals() -> list[dict[str, Any]]:
    return [item for item in all_items() if item["twin"] is None]


def renaming_in(item: dict[str, Any]) -> Any:
    return (item["twin"] or {}).get("renaming")


def asked(items: Sequence[dict[str, Any]], start: Position) -> list[LoadedItem]:
    return [read_item(json.dumps(item), start) for item in items]


def card_of(
    agent: Any, items: Any = None, start: Position | None = None, seed: int = 5, **options: Any
) -> ItemCard:
    start = start or TicTacToe()
    grader = ItemGrader(start, asked(items or all_items(), start), agent, seed, **options)
    for _ in grader.run():
        pass
    return grader.card()


class ByHeart(Agent):
    """Knows the answers to some items, and plays at random elsewhere."""

    name = "by_heart"

    def __init__(self) -> None:
        self.known = {position_of(i["position"]): i["best"][0] for i in originals()}
        self.rng = random.Random()

    def reset(self, seed: int | None = None) -> None:
        self.rng.seed(seed)

    def act(self, position: Position) -> int:
        known = self.known.get(position)
        return (
            self.rng.choice(position.legal_actions()) if known is None else position.action(known)
        )


def test_what_is_known_by_heart_is_exposed() -> None:
    card = card_of(ByHeart())
    for kind in ("mirrored", "rotated", "all twins"):
        found = card.paired[kind]
        assert found.kept_originals == 1
        assert found.tells
        assert found.kept.high is not None and found.lost.low is not None  # noqa: PT018
        assert found.kept.high < -0.3
        assert found.lost.low > 0.3
    assert card.paired["mirrored"].items == len(originals()) == 24


def test_perfect_play_is_the_same_at_twins() -> None:
    card = card_of(Perfect())
    assert card.overall.kept is not None
    assert card.overall.kept.value == 1
    for found in card.paired.values():
        assert (found.kept.value, found.lost.value, found.tells) == (0, 0, False)
    assert not card.blunders and not card.failures  # noqa: PT018


def test_the_numbers_are_those_of_the_answers() -> None:
    card = card_of("random")
    tests = [item.test for item in asked(all_items(), TicTacToe()) if item.kind != "renamed"]
    assert (card.items, card.unasked, card.answered) == (96, 24, 72) == (96, 24, len(tests))
    grader = ItemGrader(TicTacToe(), asked(all_items(), TicTacToe()), Random(), 5)
    assert grader.card().answered == 0
    for _ in grader.run():
        pass
    again = grader.card()
    assert again.to_dict() == card.to_dict()
    answers = {item.id: a for item, a in zip(grader.items, grader.answers, strict=True)}
    kept = {key: float(answer.kept) for key, answer in answers.items()}
    differences = [kept[f"{o['id']}-mirrored"] - kept[o["id"]] for o in originals()]
    assert card.paired["mirrored"].kept == paired_interval(differences, 5)
    assert card.paired["mirrored"].kept.value == pytest.approx(fmean(differences))
    assert card.overall.lost is not None
    assert card.overall.lost.value == pytest.approx(fmean(a.lost for a in answers.values()))
    for groups in (card.kinds, card.phases, card.difficulties):
        assert sum(found.positions for found in groups.values()) == 72
    assert not card.paired["mirrored"].tells
    assert json.loads(json.dumps(card.to_dict()))["items"]["answered"] == 72


def test_paired_intervals() -> None:
    assert paired_interval([], 1).value == 0
    same, worse = paired_interval([0.0] * 20, 1), paired_interval([-1.0] * 20, 1)
    assert same.low == pytest.approx(-(same.high or 0))
    assert -0.2 < (same.low or 0) < same.value == 0
    assert worse.low == worse.value == -1
    assert (worse.high or 0) < -0.6
    mixed = [-1.0, 0.0, 0.0, 1.0, -1.0, -1.0, 0.0, -0.5]
    found, doubled = paired_interval(mixed, 1), paired_interval([2 * d for d in mixed], 1, 2.0)
    assert found.value == pytest.approx(fmean(mixed))
    assert (doubled.low, doubled.high) == pytest.approx(
        (2 * (found.low or 0), 2 * (found.high or 0))
    )


def test_searches_that_fail_are_on_the_card() -> None:
    class Broken(Agent):
        name = "broken"

        def act(self, position: Position) -> int:
            raise RuntimeError("out of order")

    card = card_of(Broken(), all_items()[:8])
    assert card.failures == {"crash: RuntimeError: out of order": 6}
    assert card.overall.kept is not None
    assert card.overall.kept.value == 0


def test_twins_without_their_original_and_originals_without_twins() -> None:
    alone = card_of("random", originals()[:5])
    assert alone.paired == {}
    twins = card_of("random", [item for item in all_items() if item["twin"]])
    assert twins.paired == {}
    assert twins.answered == 48
    with pytest.raises(ValueError, match="at least 1 item"):
        ItemGrader(TicTacToe(), [], "random")
    renamed = asked([item for item in all_items() if renaming_in(item)], TicTacToe())
    with pytest.raises(ValueError, match="random can be asked none of the items: renamed twins"):
        ItemGrader(TicTacToe(), renamed, "random")
    with pytest.raises(ValueError, match="people are not graded at items"):
        ItemGrader(TicTacToe(), asked(all_items()[:1], TicTacToe()), "human")


def test_games_without_symmetry_have_no_twins() -> None:
    items = list(islice(puzzle_items(Nim(234), twins=True), 10))
    assert {item["twin"]["kind"] for item in items if item["twin"]} == {"exchanged"}
    assert card_of(AlphaBeta(), items, Nim(234)).paired["exchanged"].kept.value == 0


# ---- language models


def test_models_are_asked_renamed_twins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint, "pause", lambda seconds: None)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    items, start = list(islice(puzzle_items(Hex(3), twins=True), 24)), Hex(3)
    answers = {item["messages"][1]["content"]: item["best"][0] for item in items}
    prompts = {item["messages"][0]["content"] for item in items}
    known = {i["messages"][1]["content"] for i in items if i["twin"] is None}

    def knows_all(messages: Any) -> str:
        assert messages[0]["content"] in prompts
        return f"Final answer: {answers.get(messages[1]['content'], 'a1')}"

    def knows_originals(messages: Any) -> str:
        question = messages[1]["content"]
        return f"Final answer: {answers[question] if question in known else 'zz99'}"

    with ChatEndpoint(knows_all) as served:
        card = card_of(LanguageModel("scripted", served.base_url), items, start)
        assert (card.unasked, card.failures) == (0, {})
        assert card.paired["renamed"].kept_twins == card.paired["all twins"].kept_twins == 1
    with ChatEndpoint(knows_originals) as served:
        model = LanguageModel("scripted", served.base_url, attempts=1)
        card = card_of(model, items, start)
        assert card.paired["renamed"].kept.value == -1
        assert card.paired["renamed"].tells
        of_originals, of_twins, of_all = card.models
        assert [row.name for row in card.models] == ["originals", "twins", "all"]
        assert (of_originals.counts.legal, of_originals.counts.illegal) == (6, 0)
        assert (of_twins.counts.legal, of_twins.counts.illegal) == (0, 18)
        assert (of_all.moves, of_all.counts.forfeits) == (24, 18)
        copies = [LanguageModel("scripted", served.base_url, attempts=1) for _ in range(3)]
        again = card_of(model, items, start, copies=copies)
        untimed = {"models": None, "blunders": None}
        assert again.to_dict() | untimed == card.to_dict() | untimed
        assert [row.counts.illegal for row in again.models] == [0, 18, 18]


@pytest.mark.parametrize(("board", "left_out"), [("standard", 3), ("cells", 0), ("json", 0)])
def test_twins_that_a_board_cannot_show_are_left_out(
    board: str, left_out: int, tmp_path: Path
) -> None:
    path = tmp_path / "items.jsonl"
    items = list(islice(puzzle_items(Hex(3), twins=True), 12))
    path.write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")
    with ChatEndpoint(lambda messages: "Final answer: b2") as served:
        spec = f"llm(model='x', base_url={served.base_url!r}, board={board!r}, on_failure='random')"
        answer = run("grade", "hex", "--size", "3", spec, "--items", str(path), "--json")
    card = json.loads(answer.out)
    assert (answer.code, card["failures"]) == (0, {})
    assert card["items"] == {"given": 12, "unasked": left_out, "answered": 12 - left_out}
    assert ("renamed" in card["paired"]) == (left_out == 0)
    assert "exchanged" in card["paired"]
    for why in card["left_out"]:
        assert why.startswith("as a renamed twin hex has no text that other programs read: board")


def test_a_board_that_a_game_does_not_have_is_refused() -> None:
    model = LanguageModel("x", "http://localhost:9", board="standard")
    with pytest.raises(ValueError, match="none of the items: tic_tac_toe has no text that other"):
        ItemGrader(TicTacToe(), asked(all_items()[:4], TicTacToe()), model)


def test_copies_are_others_of_the_same_agent() -> None:
    agent = Random(seed=1)
    for copies, why in (
        ([agent], "copies must be other objects"),
        ([Random(seed=2)], r"copies of random\(seed=1\) must be as it is, not random\(seed=2\)"),
    ):
        with pytest.raises(ValueError, match=why):
            card_of(agent, copies=copies)


# ---- files

NAN = float("nan")
FIRST = next(puzzle_items(TicTacToe()))
LINE = json.dumps(FIRST)


def changed(**fields: Any) -> str:
    return json.dumps({**FIRST, **fields})


BAD: dict[str, tuple[str, str]] = {
    "empty": ("", "is empty: it has no item"),
    "cut off": (f"{LINE}\n{LINE[:300]}", "line 2: it is cut off"),
    "no JSON": (f"{LINE}\nhello\n", "line 2: it is not JSON"),
    "a list": ("[]\n", "line 1: it is no item, which `adv-envs puzzles` writes"),
    "nested": ("[" * 100_000 + "\n", "line 1:"),
    "version": (changed(version=2), "line 1: it is of version '2', and 1 is needed"),
    "other game": (changed(game="hex"), 'line 1: it is about "hex with {'),
    "parameters": (changed(parameters={}), "not tic_tac_toe with {'height': 3"),
    "huge value": (
        changed(values=dict.fromkeys(FIRST["legal"], 10**400)),
        "no move is worth '1000",
    ),
    "no number": (changed(values=dict.fromkeys(FIRST["legal"], NAN)), "no move is worth 'nan'"),
    "truth": (changed(values=dict.fromkeys(FIRST["legal"], True)), "no move is worth 'True'"),
    "regrets": (changed(regrets=dict.fromkeys(FIRST["legal"], NAN)), "do not follow from its"),
    "huge regrets": (changed(regrets=dict.fromkeys(FIRST["legal"], 10**400)), "do not follow"),
    "words": (changed(regrets=dict.fromkeys(FIRST["legal"], "x")), "regrets must be numbers"),
    "id": (changed(id=""), "line 1: its id is empty"),
    "number": (changed(moves=5), "line 1: its moves must be text, not '5'"),
    "moves in a list": (changed(moves=["a1"]), "its moves must be text"),
    "truth for a version": (changed(version=True), "it is of version 'True', and 1 is needed"),
    "float for a version": (changed(version=1.0), "it is of version '1.0', and 1 is needed"),
    "seat": (changed(to_move=2), "its to_move must be "),
    "itself": (changed(twin={"kind": "mirrored", "of": FIRST["id"]}), "given as a twin of itself"),
    "of nothing": (changed(twin={"kind": "mirrored", "of": ""}), "its of is empty"),
    "names in lists": (
        changed(
            twin={
                "kind": "renamed",
                "of": "x",
                "renaming": {"columns": [["u"], "v", "w"], "rows": ["41"] * 3, "symbols": "@%"},
            }
        ),
        "line 1: a renaming has a letter for each column",
    ),
    "digits": (LINE.replace('"plies": ', '"plies": ' + "9" * 5000), "line 1: Exceeds the limit"),
    "infinite": (changed(values=dict.fromkeys(FIRST["legal"], 1e999)), "no move is worth 'inf'"),
    "a word": (changed(values=dict.fromkeys(FIRST["legal"], "x")), "no move is worth 'x'"),
    "all the same": (changed(values=dict.fromkeys(FIRST["legal"], 1)), "nothing to find"),
    "moves": (changed(legal=["a1"]), "its moves are not those that are legal"),
    "best": (changed(best=["a1", "b2"]), "do not follow from its values"),
    "position": (changed(position="TicTacToe()"), "a position of tic_tac_toe has the fields"),
    "line": (changed(moves="a1"), "its moves do not lead to its position"),
    "phase": (changed(phase="late"), "its phase is not one of opening, middle, end"),
    "kind": (changed(twin={"kind": "bent"}), "its twin must be null or of a kind: mirrored"),
    "names": (
        changed(twin={"kind": "renamed", "of": "x", "renaming": {"columns": 3}}),
        "a renaming has columns, rows and symbols",
    ),
    "twice": (f"{LINE}\n\n{LINE}\n", "line 3: the item of line 1 is here again"),
    "nothing": ('{"format": "adv-envs item", "version": 1}', "line 1: it has no 'game'"),
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_files_are_refused_with_their_line(kind: str, tmp_path: Path) -> None:
    content, message = BAD[kind]
    path = tmp_path / "items.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ItemsError) as error:
        read_items(path, TicTacToe())
    assert message in str(error.value)
    assert len(str(error.value)) < 400
    assert "\n" not in str(error.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ItemsError, match="cannot be read: No such file"):
        read_items(tmp_path / "none", TicTacToe())
    (tmp_path / "bytes").write_bytes(b"\xff\xfe{}")
    with pytest.raises(ItemsError, match="no text in UTF-8"):
        read_items(tmp_path / "bytes", TicTacToe())


# ---- the command


def test_the_command_grades_items(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    written = well("puzzles", "tic_tac_toe", "--count", "6", "--twins", "--out", str(path))
    assert written == f"{path}: 6 puzzles and 18 twins\n"
    grade = "grade", "tic_tac_toe", "random", "--items", str(path), "--seed", "3"
    text = " ".join(well(*grade).split())
    assert "24 of them, 6 left out: renamed twins are for agents that read text" in text
    for words in ("mirrored twins", "all twins", "an eighth to a quarter right", "seed: 3"):
        assert words in text
    data = json.loads(well(*grade, "--json"))
    assert data["items"] == {"given": 24, "unasked": 6, "answered": 18}
    assert set(data["paired"]) == {"mirrored", "rotated", "all twins"}
    assert "line 1: it is about" in refused("grade", "nim", "random", "--items", str(path))
    for option in ("--html", "--games", "--samples", "--positions", "--set-seed"):
        value = str(tmp_path / "card.html") if option == "--html" else "10"
        assert "--items has no page, and no --record" in refused(*grade, option, value)
    assert "one agent is graded at items, not 2" in refused(
        "grade", "tic_tac_toe", "random", "greedy", "--items", str(path)
    )
    assert run("grade", "tic_tac_toe", "--items", str(path)).code == 2


def test_any_whole_number_is_a_seed() -> None:
    card = ("grade", "tic_tac_toe", "random", "--positions", "6", "--games", "1", "--seed", "-1")
    assert "seed: -1" in well(*card)
