"""Games and matches: who played what, who is told what, and who is said to have won."""

import copy
import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import pytest
from odd_agents import Nameless, Odd, Shifty
from small_games import Heap, Race

from adv_envs import (
    CHANCE,
    ConnectFour,
    Hex,
    Kuhn,
    LiarsDice,
    Position,
    TexasHoldem,
    ThirtyOne,
    TicTacToe,
    Tree,
)
from agents import (
    Agent,
    AlphaBeta,
    CannotPlay,
    Forfeits,
    FunctionAgent,
    Game,
    Greedy,
    Human,
    MatchResult,
    Random,
    Resign,
    Retrograde,
    Score,
    TakeBack,
    match,
    play_game,
)
from agents.match_loop import forfeited

CHOICE = Tree({"win": 3, "draw": 0, "lose": -0.5})


@dataclass(repr=False)
class Always(Agent):
    """It takes the same action whenever that is legal, else the first that is."""

    action: int = 0

    name: ClassVar[str] = "always"

    def act(self, position: Position) -> int:
        legal = position.legal_actions()
        return self.action if self.action in legal else legal[0]


@dataclass(repr=False)
class Script(Agent):
    """It does what it is told, ply by ply: answers with this, or raises it."""

    answers: dict[int, Any] = field(default_factory=dict)

    name: ClassVar[str] = "script"

    def act(self, position: Any) -> Any:
        answer = self.answers.get(position.ply, position.legal_actions()[0])
        if isinstance(answer, list):
            answer = answer.pop(0) if answer else position.legal_actions()[0]
        if isinstance(answer, BaseException):
            raise answer
        return answer


@dataclass(repr=False)
class Person(Script, Human):
    """A person who does what the script says."""

    name: ClassVar[str] = "person"


@dataclass(repr=False)
class Failing(Agent):
    """In each game it begins with the next of these answers, or raises it; None is a good one."""

    answers: list[Any] = field(default_factory=list)

    name: ClassVar[str] = "failing"
    new: bool = field(default=True, init=False, repr=False, compare=False)

    def reset(self, seed: int | None = None) -> None:
        self.new = True

    def act(self, position: Position) -> Any:
        answer = self.answers.pop(0) if self.new and self.answers else None
        self.new = False
        if isinstance(answer, Exception):
            raise answer
        return position.legal_actions()[0] if answer is None else answer


@dataclass(repr=False)
class Witness(Agent):
    """It writes down what it is shown, and plays the first move."""

    name: ClassVar[str] = "witness"
    seen: list[Any] = field(default_factory=list, compare=False, repr=False)
    seeds: list[Any] = field(default_factory=list, compare=False, repr=False)

    def act(self, position: Position) -> int:
        self.seen.append(position)
        return position.legal_actions()[0]

    def reset(self, seed: int | None = None) -> None:
        self.seeds.append(seed)


# ---- one game


def test_a_game() -> None:
    x, o = Script({0: 4, 2: 0, 4: 8}), Script({1: 1, 3: 2})
    seen: list[Any] = []
    game = play_game(TicTacToe(), (x, o), on_move=lambda *move: seen.append(move))
    assert (game.start, game.players) == (TicTacToe(), (x, o))
    assert (game.actions, game.moves) == ((4, 1, 0, 2, 8), "b2 b1 a1 c1 c3")
    assert (game.utilities, game.reason) == ((1, -1), "")
    assert game.end == TicTacToe().after("b2 b1 a1 c1 c3")
    assert game.end.is_terminal()
    assert len(game.seconds) == 2
    assert min(game.seconds) >= 0
    assert [action for _, action in seen] == list(game.actions)
    assert [position.ply for position, _ in seen] == [1, 2, 3, 4, 5]
    assert seen[-1][0] == game.end


def test_a_game_from_the_middle_is_played_by_who_is_to_move() -> None:
    witnesses = Witness(), Witness()
    game = play_game(TicTacToe().after("a1 b1 c1"), witnesses)
    assert [position.ply % 2 for position in witnesses[0].seen] == [0] * len(witnesses[0].seen)
    assert witnesses[1].seen[0] == game.start
    assert game.end.is_terminal()


def test_a_finished_game_is_not_played() -> None:
    over = TicTacToe().after("a1 a2 b1 b2 c1")
    game = play_game(over, (Witness(), Witness()))
    assert (game.actions, game.utilities) == ((), (1, -1))


@pytest.mark.parametrize("start", [TicTacToe(4, 3, 3), ConnectFour(), Hex(5, swap=True)], ids=repr)
def test_nobody_sees_a_position_that_was_changed(start: Position) -> None:
    """Every position is what the moves so far make of the start, also when the game is over."""
    witnesses = Witness(), Witness()
    before = copy.deepcopy(tuple(start))
    game = play_game(start, witnesses)
    shown = sorted((p for w in witnesses for p in w.seen), key=lambda p: p.ply)  # type: ignore[attr-defined, no-any-return]
    assert [tuple(p) for p in shown] == [
        tuple(start.after(game.actions[:ply])) for ply in range(len(game.actions))
    ]
    assert tuple(start) == before


def test_three_players() -> None:
    game = play_game(ThirtyOne(num_players=3), (Random(1), Random(2), Random(3)), seed=4)
    assert sorted(game.utilities) == [-1, 0.5, 0.5]
    assert len(game.seconds) == 3
    game = play_game(Heap(size=5), (Always(2), Always(0), Always(0)))
    assert game.actions == (2, 0, 0)
    assert game.utilities == (-1, -1, 2)


@pytest.mark.parametrize("number", [0, 1, 3])
def test_the_number_of_players(number: int) -> None:
    with pytest.raises(ValueError, match=f"2 players are needed, not {number}"):
        play_game(TicTacToe(), [Always()] * number)


# ---- giving up, going wrong


ILLEGAL = [-1, 9, 99, None, "3", "a1", [3], (), 2.5, 3.0, np.int64(9), np.float64(2.5), 2**63]
ILLEGAL.append(np.float64(3.0))


@pytest.mark.parametrize("answer", ILLEGAL, ids=repr)
@pytest.mark.parametrize("ply", [0, 1, 4])
def test_an_illegal_answer_loses(answer: Any, ply: int) -> None:
    if isinstance(answer, list):
        answer = [answer]  # a script takes its answers from a list
    x = Script({0: 4, ply: answer})
    game = play_game(TicTacToe(), (x, x))
    loser = ply % 2
    assert (game.loser, game.fault) == (loser, "illegal")
    assert game.utilities == ((-1, 1) if loser == 0 else (1, -1))
    assert len(game.actions) == ply
    assert not game.end.is_terminal()
    assert game.reason.startswith(f"player {loser}, script(")
    assert "is not a legal action" in game.reason


def test_an_occupied_cell_loses() -> None:
    game = play_game(TicTacToe(), (Script({0: 4}), Script({1: 4})))
    assert game.utilities == (1, -1)
    assert game.actions == (4,)
    assert "4 is not a legal action" in game.reason


@pytest.mark.parametrize("answer", [np.int64(3), np.int32(3), np.uint8(3)], ids=repr)
def test_numpys_integers_are_actions(answer: Any) -> None:
    game = play_game(TicTacToe(), (Script({0: answer}), Always()))
    assert game.reason == ""
    assert game.actions[0] == 3
    assert all(type(action) is int for action in game.actions)
    assert all(type(value) is int for value in game.end)


@pytest.mark.parametrize("values", [(0, 1), (8, -1)])
def test_an_answer_is_asked_for_its_integer_once(values: tuple[int, int]) -> None:
    game = play_game(TicTacToe(), (Script({0: Shifty(*values)}), Always(4)))
    assert game.reason == ""
    assert game.actions[0] == values[0]


def test_an_integer_too_large_to_be_written_is_not_an_action() -> None:
    game = play_game(TicTacToe(), (Script({0: -(10**5000)}), Always()))
    assert (game.loser, game.fault) == (0, "illegal")


def test_messages_are_cut_and_may_fail() -> None:
    game = play_game(TicTacToe(), (Odd("long message", ply=0), Always()))
    assert len(game.reason) < 2200
    assert game.reason.endswith("xxx... (10000000 characters)")
    game = play_game(TicTacToe(), (Odd("no message", ply=0), Always()))
    assert game.reason.endswith("failed: Silent: (its message fails: RuntimeError)")
    game = play_game(TicTacToe(), (Script({0: ValueError("\ud800")}), Always()))
    assert game.reason.encode().endswith(rb"ValueError: \ud800")


def test_an_agent_whose_repr_fails_loses_by_what_it_does() -> None:
    game = play_game(TicTacToe(), (Nameless(), Always()))
    assert game.reason == (
        "player 0, <an agent of Nameless whose repr fails>, failed: RuntimeError: I do not know"
    )


@pytest.mark.parametrize(
    "error", [ValueError("no idea"), KeyError("b"), ZeroDivisionError(), RecursionError()], ids=repr
)
def test_an_agent_that_fails_loses(error: Exception) -> None:
    game = play_game(TicTacToe(), (Always(), Script({3: error})))
    assert game.utilities == (1, -1)
    assert len(game.actions) == 3
    assert f"failed: {type(error).__name__}: {error}".removesuffix(": ") in game.reason


def test_who_presses_ctrl_c_ends_it_all() -> None:
    with pytest.raises(KeyboardInterrupt):
        play_game(TicTacToe(), (Script({2: KeyboardInterrupt()}), Always()))


def test_resigning_loses() -> None:
    game = play_game(TicTacToe(), (Always(), Script({1: Resign()})))
    assert game.utilities == (1, -1)
    assert game.actions == (0,)
    assert game.reason.endswith("resigned")
    game = play_game(ThirtyOne(num_players=3), (Always(), Script({1: Resign()}), Always()))
    assert game.utilities == (0.5, -1, 0.5)


def test_forfeits_are_totalled_by_side() -> None:
    """An agent that fails in another way in every game; its first answer is tried out."""
    broken = Failing([None, 9, TimeoutError("late"), KeyError("b"), Resign(), 9.5, None])
    result = match(TicTacToe(), broken, Always(), pairs=4)
    assert result.forfeits == (Forfeits(illegal=2, crash=1, time=1), Forfeits())
    assert [*map(str, result.forfeits)] == ["4: 2 illegal, 1 crash, 1 time", "0"]
    faults = ["illegal", "time", "crash", "resigned", "illegal"]
    assert [game.fault for game in result.games[:5]] == faults
    assert [game.loser for game in result.games] == [0, 1, 0, 1, 0, *[None] * 3]
    turned = match(TicTacToe(), Always(), Failing([None, 9, 9]), pairs=1)
    assert turned.forfeits == (Forfeits(), Forfeits(illegal=2))
    assert turned.forfeits[0] + turned.forfeits[1] == Forfeits(illegal=2)


# ---- taking back


def test_taking_back() -> None:
    """O takes b1 back and plays c3; X, who had answered a1, is asked again."""
    x = Person(answers={0: 4, 2: [0, 6]})
    o = Person(answers={1: [1, 8], 3: [TakeBack()]})
    seen: list[Any] = []
    game = play_game(TicTacToe(), (x, o), on_move=lambda *move: seen.append(move))
    assert game.actions[:3] == (4, 8, 6)
    assert [action for _, action in seen[:5]] == [4, 1, 0, None, 8]
    assert seen[3][0] == TicTacToe().after("b2")
    assert game.end.is_terminal()
    assert game.reason == ""


def test_taking_back_twice_in_a_row() -> None:
    x = Person(answers={0: [4, 0], 2: [8, TakeBack()], 4: [TakeBack()]})
    game = play_game(TicTacToe(), (x, Person()))
    assert game.actions[0] == 0
    assert game.end.is_terminal()


def test_taking_back_before_the_first_own_move_changes_nothing() -> None:
    game = play_game(TicTacToe(), (Person(answers={0: [TakeBack(), TakeBack(), 4]}), Person()))
    assert game.actions[0] == 4
    x = Person(answers={0: [4, 0]})
    game = play_game(TicTacToe(), (x, Person(answers={1: [TakeBack(), 8]})))
    assert game.actions[:2] == (4, 8)


def test_taking_back_where_turns_do_not_alternate() -> None:
    """Player 0 takes 2 and moves again, then takes that back: the last own move, and no more."""
    game = play_game(
        Heap(size=6, num_players=2), (Heaps(answers=[1, TakeBack(), 0, 0]), Heaps(answers=[]))
    )
    assert game.actions[0] == 0
    assert game.end.is_terminal()


def test_only_people_take_moves_back() -> None:
    game = play_game(TicTacToe(), (Always(), Script({3: TakeBack()})))
    assert (game.loser, game.fault, len(game.actions)) == (1, "illegal", 3)
    assert game.reason.endswith("failed: only people take moves back")
    assert match(TicTacToe(), Script({0: TakeBack()}), Always(), pairs=1).first.losses == 1


@dataclass(repr=False)
class Heaps(Human):
    answers: list[Any] = field(default_factory=list)

    name: ClassVar[str] = "heaps"

    def act(self, position: Position) -> int:
        answer = self.answers.pop(0) if self.answers else 0
        if isinstance(answer, Exception):
            raise answer
        return int(answer)


def test_a_person_can_undo(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    typed = iter(["b2", "c3", "undo", "undo", "a1", "a2", "a3"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(typed))
    game = play_game(TicTacToe(), (Human(), Script({1: 1, 3: 5})))
    assert game.moves.startswith("a1 b1 a2")
    assert game.utilities[0] == 1
    assert capsys.readouterr().out.count('"help", "undo" or "resign"') == 1


# ---- chance


def test_chance_is_driven_by_the_seed() -> None:
    games = {seed: play_game(Race(), (Always(1), Always(1)), seed=seed) for seed in range(20)}
    for seed, game in games.items():
        assert play_game(Race(), (Always(1), Always(1)), seed=seed).actions == game.actions
    assert len({game.actions for game in games.values()}) > 15


def test_chance_is_as_likely_as_it_says() -> None:
    faces: Counter[int] = Counter()
    for seed in range(300):
        start = Race(goal=20)
        game = play_game(start, (Always(1), Always(1)), seed=seed)
        position = start
        for action in game.actions:
            if position.to_move == CHANCE:
                faces[action] += 1
            position = position.play(action)
    total = sum(faces.values())
    assert set(faces) == {0, 1, 2, 3}
    for count in faces.values():
        assert abs(count - total / 4) < 5 * (total * 3 / 16) ** 0.5  # five standard deviations


# ---- matches


@pytest.mark.parametrize("pairs", [1, 2, 5])
def test_seats_are_swapped_and_results_counted(pairs: int) -> None:
    best, worst, even = Always(0), Always(2), Always(1)
    result = match(CHOICE, best, worst, pairs=pairs)
    assert result.first == Score(pairs, 0, 0)  # the best took 3 for itself
    assert result.second == Score(pairs, 0, 0)  # and the worst gave it 0.5
    assert result.total == Score(2 * pairs, 0, 0)
    result = match(CHOICE, best, Always(0), pairs=pairs)
    assert (result.first, result.second) == (Score(pairs, 0, 0), Score(0, 0, pairs))
    result = match(CHOICE, worst, even, pairs=pairs)
    assert (result.first, result.second) == (Score(0, 0, pairs), Score(0, pairs, 0))
    assert len(result.games) == 2 * pairs
    for i, game in enumerate(result.games):
        assert game.players == ((worst, even) if i % 2 == 0 else (even, worst))


def test_the_result_is_shown_as_it_grows() -> None:
    seen: list[tuple[int, int]] = []

    def show(result: MatchResult) -> None:
        seen.append((len(result.games), result.total.wins))

    assert isinstance(match(CHOICE, Always(0), Always(2), pairs=3, on_game=show), MatchResult)
    assert seen == [(n, n) for n in range(1, 7)]


def test_failures_count_as_losses() -> None:
    result = match(TicTacToe(), Script({0: None, 1: None}), Always(), pairs=2)
    assert result.first == result.second == Score(0, 0, 2)
    assert all("is not a legal action" in game.reason for game in result.games)


def first_legal(position: Position) -> int:
    """A policy in a line."""
    return position.legal_actions()[0]


def test_functions_and_specs_are_players() -> None:
    game = play_game(TicTacToe(), (first_legal, "random"), seed=1)
    assert game.actions == play_game(TicTacToe(), (Always(), Random()), seed=1).actions
    result = match(TicTacToe(), "random", first_legal, pairs=2)
    assert result.agents == (Random(), FunctionAgent(first_legal))
    assert result.forfeits == (Forfeits(), Forfeits())
    assert str(result) == f"random() against {__name__}.first_legal: {result.total}"
    with pytest.raises(TypeError, match=r"an agent is needed, Random\(\), and not its class"):
        match(TicTacToe(), Random, first_legal)
    with pytest.raises(TypeError, match="a function from positions to actions is needed, not 3"):
        play_game(TicTacToe(), (3, first_legal))  # type: ignore[arg-type]


def test_a_match_with_forfeits_says_so_when_it_is_printed() -> None:
    result = match(TicTacToe(), lambda position: 4, Always(), pairs=1)
    name = f"{__name__}.test_a_match_with_forfeits_says_so_when_it_is_printed.<locals>.<lambda>"
    note = f"2 of 2 games forfeited; the first: player 0, {name}, failed: IllegalAction: 4 is not"
    assert str(result.total).startswith(f"+0 =0 -2 ({note}")
    assert str(result) == f"{name} against always(): {result.total}"
    assert note in repr(result.total)
    assert result.total == Score(0, 0, 2)
    assert "note" not in json.dumps(result.to_dict())


@pytest.mark.parametrize("seats", [("rush", "random"), ("random", "rush")])
def test_who_cannot_play_is_refused_before_a_match(seats: tuple[str, str]) -> None:
    with pytest.raises(CannotPlay, match=r"rush\(\) cannot play connect_four: rush plays hex"):
        match(ConnectFour(), *seats, pairs=1)


def test_agents_begin_anew_before_every_game() -> None:
    a, b = Witness(), Witness()
    match(TicTacToe(), a, b, pairs=4, seed=1)
    assert len(a.seeds) == len(b.seeds) == 1 + 8  # with those of the trials
    assert len(set(a.seeds)) == 9
    assert all(isinstance(seed, int) for seed in a.seeds)
    again = Witness()
    match(TicTacToe(), again, Witness(), pairs=4, seed=1)
    assert again.seeds == a.seeds
    match(TicTacToe(), other := Witness(), Witness(), pairs=4, seed=2)
    assert set(other.seeds) & set(a.seeds) == {0}  # that of the trials


def test_same_seed_same_match() -> None:
    def moves(seed: int, plies: int) -> list[str]:
        result = match(ConnectFour(), Random(), Greedy(), pairs=3, seed=seed, plies=plies)
        return [game.moves for game in result.games]

    for plies in (0, 3):
        assert moves(5, plies) == moves(5, plies)
        assert moves(5, plies) != moves(6, plies)


def test_more_pairs_begin_with_the_same_ones() -> None:
    agents = Random(), Random()
    few, many = (match(TicTacToe(), *agents, pairs=n, seed=3, plies=2).games for n in (2, 4))
    assert [g.actions for g in many[: len(few)]] == [g.actions for g in few]


@pytest.mark.parametrize("plies", [0, 1, 4])
def test_both_games_of_a_pair_begin_alike(plies: int) -> None:
    result = match(TicTacToe(), Always(), Always(3), pairs=10, seed=1, plies=plies)
    starts: list[Any] = [game.start for game in result.games]
    assert starts[::2] == starts[1::2]
    assert all(start.ply == plies and not start.is_terminal() for start in starts)
    assert len(set(starts)) == (1 if plies == 0 else len(set(starts[::2])))
    assert plies == 0 or len(set(starts)) > 3


def test_distinct_games() -> None:
    same = match(TicTacToe(), Always(), Always(3), pairs=5)
    assert same.distinct == 2  # one for each seat
    assert match(TicTacToe(), Always(), Always(), pairs=5).distinct == 1
    assert match(TicTacToe(), Random(), Always(), pairs=10).distinct > 12
    assert match(TicTacToe(), Always(), Always(3), pairs=5, plies=3, seed=2).distinct > 5


def test_perfect_play_draws() -> None:
    result = match(TicTacToe(), Retrograde(), AlphaBeta(), pairs=1)
    assert result.total == Score(0, 2, 0)
    result = match(ThirtyOne(), Retrograde(), AlphaBeta(), pairs=1)
    assert (result.first, result.second) == (Score(1, 0, 0), Score(0, 0, 1))


def test_a_match_with_oneself() -> None:
    agent = Random()
    result = match(TicTacToe(), agent, agent, pairs=3)
    assert result.by_seat[0][0].wins == result.by_seat[1][1].losses
    assert result.total.games == 6


@dataclass(repr=False)
class Counting(Agent):
    """It counts its moves, and what it was asked last; a reset counts as well, and it may fail."""

    name: ClassVar[str] = "counting"
    fails_at: int = 99
    seen: dict[str, float] = field(default_factory=dict, compare=False, repr=False)

    def reset(self, seed: int | None = None) -> None:
        self.seen = {"resets": 1}

    def act(self, position: Position) -> int:
        count = sum(cell != "." for cell in str(position))
        self.seen["moves"] = self.seen.get("moves", 0) + 1
        self.seen["cells"] = self.seen.get("cells", 0) + count
        if position.ply >= self.fails_at:
            raise ValueError("that is enough")
        return position.legal_actions()[0]

    def game_counts(self) -> dict[str, float]:
        return self.seen


@pytest.mark.parametrize("fails_at", [0, 1, 2, 3, 4, 99])
def test_who_has_two_seats_counts_for_each_apart(fails_at: int) -> None:
    one = Counting(fails_at)
    expected = play_game(TicTacToe(), [Counting(fails_at), Counting(fails_at)], seed=1)
    for _ in range(2):  # what was counted in an earlier game does not matter
        game = play_game(TicTacToe(), [one, one], seed=1)
        assert (game.counts, game.actions) == (expected.counts, expected.actions)
    assert [counts.get("moves", 0) for counts in game.counts] == [
        len(game.actions[seat::2]) + (game.loser == seat) for seat in (0, 1)
    ]


def test_two_seats_of_one_among_three() -> None:
    one, other = Counting(), Counting()
    start = ThirtyOne(num_players=3)
    game = play_game(start, [one, other, one], seed=1)
    expected = play_game(start, [Counting(), Counting(), Counting()], seed=1)
    assert game.counts == expected.counts


def test_seats_of_three_players_are_rotated() -> None:
    """Whoever begins takes the whole heap of three, save the one that never takes more than one."""
    strong, weak, other = Always(2), Always(0), Random()
    result = match(Heap(size=3), strong, weak, other, pairs=2, seed=1)
    assert [game.players for game in result.games[:3]] == [
        (strong, weak, other),
        (other, strong, weak),
        (weak, other, strong),
    ]
    assert len(result.games) == 6
    assert result.by_seat[0][0] == result.first == Score(2, 0, 0)
    assert all(score.games == 2 for scores in result.by_seat for score in scores)
    for i, game in enumerate(result.games):
        for agent, player in enumerate(result.agents):
            assert game.players[result.seat(agent, i)] is player
    utilities = sum(sum(game.utilities) for game in result.games)
    assert utilities == 0
    assert sum(total.wins for total in result.totals) == 6
    assert result.seconds[1] == sum(game.seconds[i % 3 - 2] for i, game in enumerate(result.games))
    names = map(repr, result.agents)
    expected = (f"{n}: {t}" for n, t in zip(names, result.totals, strict=True))
    assert str(result) == "; ".join(expected)
    assert len(json.loads(json.dumps(result.to_dict()))["by_seat"]) == 3


def test_forfeits_of_three_players_are_those_of_the_agent() -> None:
    result = match(Heap(size=9), Always(0), Failing([0, "x", "x", "x"]), Always(0), pairs=1)
    assert result.forfeits == (Forfeits(), Forfeits(illegal=3), Forfeits())
    assert [total.wins for total in result.totals] == [3, 0, 3]
    assert str(result).endswith(f" ({result.total.note})")
    assert str(result).count("games forfeited") == 1


@pytest.mark.parametrize("start", [Kuhn(3), LiarsDice(players=4), TexasHoldem(3)])
def test_to_forfeit_costs_what_no_play_does(start: Position) -> None:
    lost = forfeited(start, 1)
    assert lost[1] == -start.max_utility
    assert sum(lost) == pytest.approx(0)


def test_to_dict_is_plain_data() -> None:
    a = Script({0: np.int64(4), 2: Resign()})
    result = match(TicTacToe(), a, Always(), pairs=2, plies=0)
    data = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert data["agents"] == [repr(a), repr(Always())]
    assert data["first_seat"] == {"wins": 0, "draws": 0, "losses": 2}
    assert data["second_seat"]["losses"] == 2
    assert data["distinct_games"] == result.distinct
    assert len(data["games"]) == 4
    assert data["games"][0]["moves"] == "b2 a1"
    assert data["games"][0]["utilities"] == [-1, 1]
    assert "resigned" in data["games"][0]["reason"]
    assert data["games"][1]["players"] == [repr(Always()), repr(a)]
    assert len(data["seconds"]) == 2


@pytest.mark.parametrize(
    ("start", "changes", "message"),
    [
        (ThirtyOne(num_players=3), {}, "needs 3 agents, one for each player, not 2"),
        (TicTacToe().after("a1 a2 b1 b2 c1"), {}, "the game is over"),
        (TicTacToe(), {"pairs": 0}, "at least 1 pair"),
        (TicTacToe(), {"pairs": -1}, "at least 1 pair"),
        (TicTacToe(), {"plies": -1}, "not fewer than 0 plies"),
        (TicTacToe(), {"plies": 9}, "no opening of 9 plies leaves the game unfinished"),
    ],
)
def test_what_cannot_be_a_match(start: Position, changes: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        match(start, Always(), Always(), **changes)  # type: ignore[arg-type]


# ---- scores


def test_scores() -> None:
    score = Score()
    for utility in (3, 0.5, 0, -0.5, -7, 0.0):
        score.count(utility)
    assert score == Score(wins=2, draws=2, losses=2)
    assert (score.games, score.points, str(score)) == (6, 3.0, "+2 =2 -2")
    assert score + Score(1, 0, 3) == Score(3, 2, 5)


def test_seconds_are_those_of_the_agent() -> None:
    """Not of the seat: the first agent sits first and second in turn."""

    def game(swapped: bool) -> Game:
        a, b = Always(0), Always(1)
        seconds = (5.0, 1.0) if swapped else (2.0, 10.0)
        return Game(TicTacToe(), (b, a) if swapped else (a, b), (), (0, 0), seconds)

    result = MatchResult((Always(0), Always(1)), games=[game(False), game(True)])
    assert result.seconds == (3.0, 15.0)
