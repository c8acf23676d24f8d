"""Report cards: what moves are worth, what is asked, and what is said of the answers."""

import dataclasses
import json
import random
import re
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any, ClassVar

import numpy as np
import pytest
from command_line import Answer, run
from odd_agents import Odd
from scipy.stats import binomtest
from small_games import Pile

from adv_envs import (
    Breakthrough,
    Chess,
    ConnectFour,
    Fig52,
    Hex,
    Othello,
    Pig,
    Position,
    ThirtyOne,
    TicTacToe,
    Tree,
)
from adv_envs.formats import game_texts, sgf
from adv_envs.jit import disabled
from adv_envs.notation import read_line
from agents import Agent, CannotPlay, Retrograde, make
from agents.arena.isolation import isolated
from agents.cli.card_tables import where
from agents.games.connect_four import ConnectFourSolver
from agents.games.connect_four.classes import (
    CLASSES,
    CLASSES_PATH,
    class_of,
    draw_classes,
    load_classes,
    plies_to_end,
)
from agents.grading import (
    ExactValues,
    Grader,
    MoveValue,
    PositionsError,
    TestPosition,
    exact_for,
    expected_random,
    grade,
    grade_game,
    positions_for,
    record_card,
)
from agents.grading.evaluator import Claim, calibrate
from agents.grading.position_sets import PHASES, SHIPPED, load_positions, sample, shipped_path
from agents.grading.report_card import ReportCard
from agents.reports.report_card_page import graded_games_html, report_card_html
from agents.statistics import design_effect, mean_interval, share_interval, wilson

SMALL = [TicTacToe(), ThirtyOne(), Fig52(), ConnectFour(4, 3, 3)]
compiled = pytest.mark.skipif(disabled(), reason="takes minutes as plain Python")


@dataclass(repr=False)
class Does(Agent):
    """It does what a function says."""

    what: Callable[[Position], Any] = lambda position: position.legal_actions()[0]

    name: ClassVar[str] = "does"

    def act(self, position: Position) -> int:
        answer: int = self.what(position)
        return answer


def fails(position: Position) -> int:
    raise RuntimeError("out of order")


# ---- what moves are worth


@pytest.mark.parametrize("start", [TicTacToe(), ThirtyOne(), Fig52()])
def test_values_are_those_of_retrograde_analysis(start: Position) -> None:
    exact, solver, rng = exact_for(start), Retrograde(), random.Random(1)
    position = start
    while not position.is_terminal():
        values = solver.values(position)
        for action, move in exact.move_values(position).items():
            expected = (values[action] + 1) / 2 if exact.in_points else values[action]
            assert move.value == expected
        position = position.play(rng.choice(position.legal_actions()))


def test_scores_are_those_of_connect_four() -> None:
    """The k-th last stone of the winner, in every game, as the solver of Connect Four has it."""
    exact = exact_for(TicTacToe())
    move_values = exact.move_values(TicTacToe().after("a1 b1 a2 b2"))
    assert move_values[6] == (1, 3)  # a3, the third of five stones
    assert move_values[8] == (0, -2)  # c3 lets b3 win, the third of four
    assert exact.move_values(TicTacToe())[4] == (0.5, 0)
    if not disabled():
        small, solver = ConnectFour(4, 4, 4), make("perfect(book=False)")
        position = small.after("1122334")
        found = exact_for(small).move_values(position)
        assert {a: w.score for a, w in found.items()} == solver.values(position)  # type: ignore[attr-defined]


@compiled
def test_connect_four_and_pig_are_their_solvers() -> None:
    four = ConnectFour().after("44455554221")
    values = {a: w.score for a, w in exact_for(four).move_values(four).items()}
    assert max(values.values()) == -15
    pig = Pig(20).after("roll 6")
    chances = exact_for(Pig(20)).move_values(pig)
    assert 0.5 < chances[0].value < 1


@compiled
@pytest.mark.slow  # compiles
def test_hex_is_its_solver() -> None:
    move_values = exact_for(Hex(3)).move_values(Hex(3))
    assert [w.value for w in move_values.values()] == [0, 0, 1, 1, 1, 1, 1, 0, 0]


@pytest.mark.parametrize(
    ("start", "why"),
    [
        (Hex(11), "up to size 7"),
        (TicTacToe(4, 4, 4), "up to 12 cells"),
        (Pig(300), "up to target 200"),
        (ThirtyOne(num_players=3), "two players"),
        (ThirtyOne(highest=12, copies=15, limit=200), "more than 250,000 positions"),
        (ConnectFour(5, 5, 3), "more than 250,000 positions"),
    ],
)
def test_other_games_are_refused(start: Position, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        exact_for(start)


# ---- what is asked


def test_sets_are_balanced_and_the_same_again() -> None:
    exact = exact_for(TicTacToe())
    first, again = (sample(exact, 60, seed=3) for _ in range(2))
    assert [q.position for q in first] == [q.position for q in again]
    assert len({q.position for q in first}) == 60
    assert all(q.value_matters or q.score_matters for q in first)
    for some in (first[:20], first):
        phases = [sum(q.phase == phase for q in some) for phase in PHASES]
        assert min(phases) >= len(some) / 6
    assert first[0].position == TicTacToe().after(first[0].moves)


@pytest.mark.parametrize("path", sorted(SHIPPED.glob("*.json")), ids=lambda path: path.stem)
def test_shipped_sets_are_whole(path: Any) -> None:
    starts = [TicTacToe(), ConnectFour(), Hex(5), Hex(6), Hex(7), ThirtyOne(), Pig(), Fig52()]
    starts += [Breakthrough(5, 5), Breakthrough(6, 6), Othello(6)]
    paths = {shipped_path(start): start for start in starts} | {CLASSES_PATH: ConnectFour()}
    start = paths[path]
    found = load_positions(path, exact_for(start))
    assert found.name.split("-")[-1] == found.digest[:12]
    assert all(not q.position.is_terminal() for q in found.positions)
    assert sum(p.stat().st_size for p in SHIPPED.iterdir()) < 300_000


@compiled
def test_connect_four_is_scored_as_by_another_solver() -> None:
    """Openings by the book that bitbully brings along, late positions by its search."""
    bitbully = pytest.importorskip("bitbully")
    peer, exact = bitbully.BitBully(), exact_for(ConnectFour())
    if not peer.is_book_loaded():
        pytest.skip("bitbully has no book of openings here")
    found = load_positions(shipped_path(ConnectFour()), exact).positions
    chosen = [q for q in found if q.position.ply < 7 or q.position.ply > 20]  # type: ignore[attr-defined]
    assert len(chosen) > 150
    for question in chosen:
        board = bitbully.Board(read_line(ConnectFour(), question.moves))
        assert peer.score_all_moves(board) == {a: w.score for a, w in question.move_values.items()}


@compiled
def test_classes_are_by_stones_and_plies_to_the_end() -> None:
    """Principal variations of the solver are as long as is said, and classes as they are called."""
    solver, found, compared = ConnectFourSolver(), load_classes(), 0
    assert {name: len(tests) for name, tests in found.items()} == dict.fromkeys(CLASSES, 200)
    stones = {"begin": (0, 14), "middle": (15, 28), "end": (29, 41)}
    plies = {"easy": (0, 13), "medium": (14, 27), "hard": (28, 42)}
    for name, tests in found.items():
        when, difficulty = name.split()
        for i, test in enumerate(tests):
            position: Any = test.position
            left = plies_to_end(position, test.score)
            assert stones[when][0] <= position.ply <= stones[when][1]
            assert plies[difficulty][0] <= left <= plies[difficulty][1]
            assert test.value_matters
            if i % 8 == 0 and position.ply > 12:
                *_, last = solver.analysis(position)
                assert position.after(last.principal_variation).is_terminal()
                assert len(last.principal_variation) == left
                compared += 1
    assert compared > 80


@compiled
def test_classes_are_drawn_as_they_were() -> None:
    drawn, known = draw_classes(exact_for(ConnectFour()), 3, seed=5), load_classes()
    assert [class_of(test) for test in drawn.positions] == [c for c in CLASSES for _ in range(3)]
    again = draw_classes(exact_for(ConnectFour()), 3, seed=5)
    assert again.digest == drawn.digest
    published = {test.position for tests in known.values() for test in tests}
    assert len(published) == 1200


def test_trees_of_ones_own_are_not_taken_for_others() -> None:
    tree = Tree({"a1": {"b1": 1, "b2": 2}, "a2": {"c1": 0, "c2": 3}, "a3": {"d1": 4, "d2": -1}})
    other = Fig52(tree=tree.tree)
    assert shipped_path(other) != shipped_path(Fig52())
    for start in (tree, other):
        card = grade(start, "perfect", games=1)
        assert card.positions.start == start
        assert card.overall.kept is not None
        assert card.overall.kept.value == 1


def test_damaged_sets_are_refused(tmp_path: Any) -> None:
    exact, path = exact_for(TicTacToe()), tmp_path / "set.json"
    whole = shipped_path(TicTacToe()).read_text()
    for text, why in [
        (whole[:500], "is torn"),
        (whole.replace('"move_values":[0', '"move_values":[1', 1), "SHA-256"),
        (whole.replace('"moves":"', '"moves":"b2 b2 ', 1), "SHA-256"),
        (whole.replace('"version": 2', '"version": 9'), "version 9"),
        (whole.replace('"width": 3', '"width": 4'), "is about tic_tac_toe"),
        ("[]", "no set of positions"),
    ]:
        path.write_text(text)
        with pytest.raises(PositionsError, match=why):
            load_positions(path, exact)
    with pytest.raises(PositionsError, match="there is no set"):
        load_positions(tmp_path / "none.json", exact)


# ---- grades that must be


@pytest.mark.parametrize("start", SMALL)
def test_perfect_play_is_perfect(start: Position) -> None:
    check_perfect(Grader(start, "perfect", positions=20, games=1))


@compiled
@pytest.mark.parametrize(
    "start", [ConnectFour(), Pig(20), pytest.param(Hex(4), marks=pytest.mark.slow)]
)
def test_solvers_are_perfect(start: Position) -> None:
    grader = Grader(start, "perfect", positions=30, games=0 if start == ConnectFour() else 1)
    late = tuple(q for q in grader.positions.positions if q.phase != "opening")
    grader.positions = dataclasses.replace(grader.positions, positions=late)
    check_perfect(grader)


def check_perfect(grader: Grader) -> None:
    for _ in grader.run():
        pass
    card = grader.card()
    for metrics in (card.overall, *card.phases.values(), *card.games.values()):
        for estimate in (metrics.kept, metrics.strongest):
            assert estimate is None or (estimate.value == estimate.high == 1 > estimate.low)
        assert metrics.lost is None or metrics.lost.value == 0 < metrics.lost.high
    assert not card.blunders
    assert not card.failures
    if card.calibration is not None:
        assert card.calibration.brier.value < 1e-12


def test_random_play_scores_what_arithmetic_says() -> None:
    """The number of right moves is Poisson binomial: each question has a chance of its own."""
    card = grade(TicTacToe(), "random", games=0, seed=5)
    telling = [q for q in card.positions.positions if q.value_matters]
    chances = [len(q.right) / len(q.move_values) for q in telling]
    kept, expected = card.overall.kept, expected_random(card.positions.positions)
    assert kept is not None
    assert expected.kept == pytest.approx(np.mean(chances))
    counts = [1.0]  # how likely each number of right moves is
    for chance in chances:
        counts = np.convolve(counts, [1 - chance, chance])
    below = np.cumsum(counts)[round(kept.value * len(telling))]
    assert 0.001 < below < 0.999
    assert kept.low < expected.kept < kept.high
    lost = card.overall.lost
    assert lost is not None
    assert lost.low < card.overall.random.lost < lost.high  # type: ignore[operator]


def test_worst_play_keeps_nothing() -> None:
    exact = exact_for(TicTacToe())

    def worst(position: Position) -> int:
        move_values = exact.move_values(position)
        return min(move_values, key=lambda action: move_values[action].score)

    card = grade(TicTacToe(), Does(worst), games=2)
    assert card.overall.kept.value == card.overall.strongest.value == 0  # type: ignore[union-attr]
    assert card.blunders[0].answer.lost == 1
    assert len({blunder.answer.test.position for blunder in card.blunders}) == 6


# ---- games of one's own


def take_the_remainder(position: Any) -> int:
    """Perfect play of ``Pile``: leave a multiple of 3."""
    left = position.stones - position.taken
    return 1 if left % 3 == 2 else 0


def test_small_games_of_ones_own_are_graded() -> None:
    """Without a record of what is known about them: their positions are listed."""
    card = grade(Pile(20), take_the_remainder, positions=9, games=1)
    assert {test.phase for test in card.positions.positions} == set(PHASES)
    assert card.overall.kept is not None
    assert card.overall.kept.value == 1
    assert card.failures == {}
    assert card.positions.name.startswith("pile-stones-20-9-seed-0-")
    worst = grade(Pile(20), lambda position: 1 - take_the_remainder(position), positions=9, games=0)
    assert worst.overall.kept is not None
    assert worst.overall.kept.value == 0


def test_values_of_ones_own_need_a_progress() -> None:
    class NimValues(ExactValues):
        def move_values(self, position: Position) -> dict[int, MoveValue]:
            return exact_for(Pile()).move_values(position)

    with pytest.raises(NotImplementedError, match="NimValues needs a method progress, or the rec"):
        NimValues(Pile()).progress(Pile())


def test_more_positions_than_a_tree_has_are_all_of_them() -> None:
    assert len(positions_for(exact_for(Fig52()), 20).positions) == 4


# ---- agents that fail


@pytest.mark.parametrize(
    ("what", "failure"),
    [
        (fails, "crash: RuntimeError: out of order"),
        (lambda position: 99, "illegal: 99 is not a legal action"),
        (lambda position: None, "illegal: None is not a legal action"),
        (lambda position: time.sleep(0.05), "time: TooSlow: no answer within 0.01 s"),
    ],
)
def test_failures_are_counted(what: Callable[[Position], Any], failure: str) -> None:
    limit = 0.01 if failure.startswith("time") else 60
    card = grade(TicTacToe(), Does(what), positions=9, games=1, limit=limit)
    assert card.failures == {failure: 9 + 2}
    assert card.overall.kept is not None
    assert card.overall.kept.value == 0
    assert card.times.median is None
    assert not card.blunders
    json.dumps(card.to_dict())


def graded_apart(agent: Agent, limit: float = 60.0, ready: float = 60.0) -> ReportCard:
    """The card of an agent in a process of its own, as the command gives it."""
    start = TicTacToe()
    with isolated([agent], start, ready=ready, seconds=limit, trusted=True) as (player,):
        return grade(start, player, positions=9, games=1, limit=limit)


@pytest.mark.parametrize(
    ("what", "ply", "failure"),
    [
        ("exit", 0, "crash: its process ended with exit status 3"),
        ("quit", 0, "crash: SystemExit: 3"),
        ("kill", 0, "crash: its process was ended by SIGKILL"),
        ("raise", 0, "crash: RuntimeError: I do not know"),
        ("illegal", 2, "illegal: -7 is not a legal action"),
        ("resign", 2, "resigned"),
        ("half a character", 2, "crash: \\ud800 \\x1b[31m"),
    ],
)
def test_failures_in_processes_of_their_own_are_counted(what: str, ply: int, failure: str) -> None:
    card = graded_apart(Odd(what, ply=ply))
    assert set(card.failures) == {failure}
    json.dumps(card.to_dict())


def test_limits_hold_from_the_first_call_on_every_thread() -> None:
    """Who never gets ready is not asked again, and who hangs later is ended each time."""
    cards: list[ReportCard] = []
    for given in ((Odd("hang", ply=0), 60.0, 0.1), (Odd("hang", ply=2), 0.1, 60.0)):
        thread = threading.Thread(target=lambda g=given: cards.append(graded_apart(*g)))
        thread.start()
        thread.join()
    late, slow = (list(card.failures) for card in cards)
    assert len(late) == 1
    assert late[0].startswith("time: it was not ready after 0.1 s")
    assert slow == ["time: TooSlow: no answer within 0.1 s"]


@pytest.mark.parametrize("agent", ["alpha_beta(depth=2)", "mcts(simulations=20)", "greedy"])
def test_an_agent_in_a_process_of_its_own_gets_the_same_card(agent: str) -> None:
    def without_seconds(data: Any) -> Any:
        """What is the same each time."""
        if isinstance(data, dict):
            return {k: without_seconds(each) for k, each in data.items() if k != "seconds"}
        return [*map(without_seconds, data)] if isinstance(data, list) else data

    apart, here = graded_apart(make(agent)), grade(TicTacToe(), agent, positions=9, games=1)
    assert without_seconds(apart.to_dict()) == without_seconds(here.to_dict())


def test_what_cannot_be_graded() -> None:
    for agent, changes, why in [
        ("human", {}, "records"),
        ("random", {"positions": 0}, "at least 1 position"),
        ("random", {"limit": 0}, "more than 0 seconds"),
        ("nobody", {}, "no agent 'nobody'"),
    ]:
        with pytest.raises(ValueError, match=why):
            Grader(TicTacToe(), agent, **changes)  # type: ignore[arg-type]
    with pytest.raises(CannotPlay, match="cannot play tic_tac_toe: rush plays hex"):
        grade(TicTacToe(), "rush", positions=3, games=0)


def test_a_grading_can_be_left() -> None:
    grader = Grader(TicTacToe(), "random", games=1)
    for step in grader.run():
        if step.done == 25:
            break
    card = grader.card()
    assert (card.evaluated, card.complete, card.played) == (25, False, 0)


# ---- numbers


def test_shares_have_wilsons_intervals() -> None:
    for hits, n in [(0, 10), (3, 10), (10, 10), (57, 240)]:
        found = share_interval([True] * hits + [False] * (n - hits))
        interval = binomtest(hits, n).proportion_ci(method="wilson")
        assert found is not None
        assert (found.low, found.high) == pytest.approx((interval.low, interval.high))
        assert wilson(hits / n, n) == pytest.approx((interval.low, interval.high))
    assert share_interval([]) is None


def test_answers_of_one_game_count_less() -> None:
    values = np.repeat([1.0, 0.0, 1.0, 0.0], 10)
    groups = np.repeat([0, 1, 2, 3], 10)
    assert design_effect(values, groups) == pytest.approx(10 * 4 / 3)
    assert design_effect(values, np.arange(40)) == pytest.approx(40 / 39)
    wide, narrow = share_interval(list(values > 0), list(groups)), share_interval(list(values > 0))
    assert wide is not None
    assert narrow is not None
    assert wide.low < narrow.low < 0.5 < narrow.high < wide.high


def test_means_cover_the_truth() -> None:
    """The intervals of 200 samples of a known distribution hold its mean in about 95 %."""
    rng, inside = np.random.default_rng(1), 0
    for seed in range(100):
        found = mean_interval(rng.choice([0, 0, 0.5, 1], 60).tolist(), seed)
        assert found is not None
        inside += found.low <= 0.375 <= found.high
    assert 88 <= inside <= 100
    never = mean_interval([0.0] * 50, 0)
    assert never is not None
    assert never.low == 0 < never.high < 0.1


def test_calibration_knows_who_tells_the_truth() -> None:
    rng = np.random.default_rng(1)
    chances = rng.random(2000)
    truths = (rng.random(2000) < chances).astype(float)
    stated = calibrate([Claim(2 * p - 1) for p in chances], truths.tolist(), 1, 0)
    boastful = calibrate([Claim(0.98) for _ in chances], truths.tolist(), 1, 0)
    scaled = calibrate([Claim(7 * np.log(p / (1 - p))) for p in chances], truths.tolist(), 1, 0)
    assert stated is not None
    assert boastful is not None
    assert scaled is not None
    assert stated.factor is None
    assert stated.error.value < 0.04
    assert boastful.error.value == pytest.approx(0.99 - truths.mean())
    assert boastful.tau is None
    assert scaled.factor is not None
    assert scaled.factor == pytest.approx(1 / 7, rel=0.1)
    assert scaled.brier.value == pytest.approx(stated.brier.value, abs=0.01)
    assert stated.tau == pytest.approx(scaled.tau)
    assert calibrate([Claim(0.0)] * 3, [0.0] * 3, 1, 0) is None


def test_proven_claims_are_taken_as_they_are() -> None:
    found = calibrate([Claim(18, True), Claim(-3, True)] * 10, [1.0, 0.0] * 10, 1, 0)
    assert found is not None
    assert (found.brier.value, found.error.value, found.factor) == (0, 0, None)


# ---- games that were played


def test_games_are_graded_move_by_move(tmp_path: Any) -> None:
    exact = exact_for(TicTacToe())
    actions = read_line(TicTacToe(), "b2 a2 a1 c3 a3 c1 b3")
    game = grade_game(exact, TicTacToe(), actions, "first", ("Ann", "Bob"))
    verdicts = [move.verdict for move in game.moves]
    assert verdicts[:2] == ["same", "mistake"]  # a corner holds the draw
    assert verdicts[3] == verdicts[5] == "strongest"
    assert game.moves[1].to_dict()["right"] == ["a1", "c1", "a3", "c3"]
    card = record_card(exact, [game])
    kept = card.players["Bob"].kept
    assert kept is not None
    assert (kept.value, kept.n) == (0.5, 2)
    assert card.blunders[0].to_dict()["played"] == "a2"
    json.dumps(card.to_dict())
    slow = grade_game(exact, TicTacToe(), read_line(TicTacToe(), "a1 b1 a2 b3 b2")).moves[-1]
    assert (slow.verdict, slow.answer.lost_score) == ("right", 1)  # a3 wins at once
    with pytest.raises(ValueError, match="no moves"):
        grade_game(exact, TicTacToe(), [])
    with pytest.raises(ValueError, match="the game is one of"):
        grade_game(exact, TicTacToe(3, 4), [0])


# ---- the page and the command


class Reader(HTMLParser):
    """A page that must be well formed: every tag is closed, and nothing comes from elsewhere."""

    VOID: ClassVar = {"meta", "br", "link", "img", "rect", "circle", "line", "polyline", "polygon"}

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.text = ""
        self.tags: Counter[str] = Counter()
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags[tag] += 1
        self.links += [value for name, value in attrs if name in ("src", "href", "xlink:href")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        self.tags[tag] += 1

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("start", [TicTacToe(), Fig52(), ThirtyOne()])
def test_pages_need_nothing_else(start: Position) -> None:
    agent = Does(lambda position: position.legal_actions()[0])
    card = grade(start, agent, positions=12, games=1)
    found = report_card_html(card)
    read = Reader(found)
    assert read.links == []
    assert not re.search(r"https?:|url\(|@import|//[a-z]", found)
    assert 'name="viewport"' in found
    assert "light-dark(" in found
    assert read.tags["figure"] == len(card.blunders) > 0
    assert card.positions.digest in read.text


@pytest.mark.compiled
def test_a_position_is_told_as_people_enter_it_elsewhere() -> None:
    """A FEN record however long the game was; elsewhere its moves."""
    agent = Does(lambda position: position.legal_actions()[0])
    for start, moves in ((Chess(), "g1f3 g8f6 f3g1 f6g8"), (TicTacToe(), "a1 b2")):
        position = start.after(moves)
        fen = position.fen() if isinstance(position, Chess) else ""
        assert where(TestPosition(position, {}, "start", moves), start) == (fen or moves)
        card = grade(start, agent, positions=6, games=0)
        page = Reader(report_card_html(card)).text
        assert card.blunders
        for blunder in card.blunders:
            shown = game_texts.write_position(blunder.answer.test.position)
            assert bool(shown) == bool(fen)
            assert (shown or blunder.answer.test.moves) in page
    assert where(TestPosition(start, {}, "start"), start) == "the start"


def test_pages_escape_what_comes_from_outside() -> None:
    exact, evil = exact_for(TicTacToe()), "<script>alert(1)</script>"
    game = grade_game(exact, TicTacToe(), [4, 1, 0], evil, (evil, "Bob"))
    read = Reader(graded_games_html(record_card(exact, [game])))
    assert read.tags["script"] == 1, "the page's own"
    assert evil in read.text
    failing = report_card_html(grade(TicTacToe(), Does(fails), positions=4, games=0))
    assert "out of order" in Reader(failing).text


def test_calibration_is_drawn() -> None:
    found = report_card_html(grade(TicTacToe(), "perfect", positions=60, games=0))
    assert Reader(found).tags["circle"] >= 3  # won, drawn and lost
    assert "Calibration of its own values" in found


def grade_command(*args: str) -> Answer:
    return run("grade", *args, COLUMNS="120")


def test_the_command_prints_a_card(tmp_path: Any) -> None:
    html = tmp_path / "card.html"
    few = ("--positions", "9", "--games")
    code, out, err = grade_command("tic_tac_toe", "perfect", *few, "1", "--html", str(html))
    assert (code, err) == (0, "")
    assert "100.0\N{NO-BREAK SPACE}(" in out
    assert "No mistake was seen." in out
    assert Reader(html.read_text()).tags["html"] == 1
    data = json.loads(grade_command("tic_tac_toe", "random", *few, "0", "--json").out)
    assert data["positions"]["asked"] == 9
    assert set(data["overall"]["kept"]) == {"value", "low", "high", "n"}


def test_the_command_grades_records(tmp_path: Any) -> None:
    data = json.loads(grade_command("tic_tac_toe", "--record", "b2 a2 a1", "--json").out)
    assert data["games"][0]["moves"][1]["verdict"] == "mistake"
    file = tmp_path / "games.txt"
    file.write_text("# two games\nb2 a2 a1\n\na1 b2\n")
    assert "2 games of tic_tac_toe" in grade_command("tic_tac_toe", "--record", str(file)).out


@compiled
@pytest.mark.slow  # compiles
def test_the_command_grades_files_of_hex(tmp_path: Any) -> None:
    sgf.save(tmp_path / "game.sgf", Hex(3), [0, 4, 2], PB="Ann", PW="Bob")
    done = grade_command("hex", "--record", str(tmp_path / "game.sgf"))
    assert "Ann" in done.out
    assert done.code == 0


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (["hex", "random"], "hex is graded up to size 7"),
        (["tic_tac_toe"], "name an agent to grade, or give games"),
        (["tic_tac_toe", "random", "--record", "b2"], "name an agent to grade, or give games"),
        (["tic_tac_toe", "--record", "b2 b2"], "move 2, 'b2', is not legal"),
        (["tic_tac_toe", "--record", " "], "a record needs moves"),
        (["tic_tac_toe", "human"], "give records of them"),
        (["tic_tac_toe", "random", "--html", "/no/where.html"], "cannot write /no/where.html"),
        (["tic_tac_toe", "random", "--timeout", "0"], "must be more than 0 seconds"),
        (["tic_tac_toe", "rush"], "rush() cannot play tic_tac_toe: rush plays hex, not TicTacToe"),
    ],
)
def test_the_command_refuses(args: list[str], why: str) -> None:
    done = grade_command(*args)
    assert done.code in (1, 2)
    assert why in done.err
    assert done.err.count("\n") == 1


def test_the_command_tells_of_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    done = grade_command("tic_tac_toe", repr(Odd("raise")), "--positions", "60", "--games", "1")
    assert done.code == 1
    assert re.search(r"\d+ answers failed: crash: RuntimeError: I do not know", done.err)

    def interrupted(self: Any) -> Any:
        for number, step in enumerate(run_all(self)):
            if number == 3:
                raise KeyboardInterrupt
            yield step

    run_all = Grader.run
    monkeypatch.setattr(Grader, "run", interrupted)
    done = grade_command("tic_tac_toe", "random")
    assert done.code == 130
    assert "interrupted after 3 of 240 positions" in done.err
    assert "random()" in done.out


@pytest.mark.parametrize(("package", "option"), [("scipy", ""), ("jinja2", "--html")])
def test_what_is_missing_is_named(
    package: str, option: str, without: Callable[[str], None], tmp_path: Any
) -> None:
    without(package)
    options = [option, str(tmp_path / "x.html")] if option else []
    done = grade_command("tic_tac_toe", "random", *options)
    assert done.code in (1, 2)
    assert 'pip install "adv-envs[lab]"' in done.err.replace("'", '"')
