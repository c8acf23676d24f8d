"""What is known about a game reaches every consumer, along the bases of its class alone."""

import random
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from samples import SAMPLES

from adv_envs import ConnectFour, Hex, Position, TicTacToe, start_position
from adv_envs.position import require_between
from adv_envs.registry import GAMES
from agents import (
    MCTS,
    AlphaBeta,
    HexSolver,
    Knowledge,
    Perfect,
    ProofNumber,
    Retrograde,
    SearchAgent,
    Symmetries,
    knowledge,
    knowledge_of,
    make,
    register_knowledge,
)
from agents.arena.schedule import openings
from agents.grading import exact_for
from agents.knowledge import (
    NOTHING,
    ExactValues,
    named_functions,
    suitable_analyst,
    suitable_opponent,
)
from agents.mcts.playouts import playout_for, uniform, winning_move, winning_move_for
from agents.search.ordering import preference_of


@pytest.fixture(autouse=True)
def plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plain Python, and records that are forgotten afterwards."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.setattr(knowledge, "_records", knowledge._records.copy())


class Pile(Position):
    """Two heaps; take any number of counters from one of them. To take the last one wins."""

    most: int = 3
    first: int = 3
    second: int = 3
    ply: int = 0
    parameters = ("most",)
    observation_shape = (2,)

    @property
    def num_actions(self) -> int:
        return 2 * self.most

    @property
    def to_move(self) -> int:
        return self.ply % 2

    def legal(self, action: int) -> bool:
        return action % self.most < (self.first if action < self.most else self.second)

    def play(self, action: int) -> "Pile":
        taken = action % self.most + 1
        if action < self.most:
            return type(self)(self.most, self.first - taken, self.second, self.ply + 1)
        return type(self)(self.most, self.first, self.second - taken, self.ply + 1)

    def is_terminal(self) -> bool:
        return self.first == self.second == 0

    def utility(self, player: int) -> float:
        return -1.0 if player == self.to_move else 1.0

    def check(self) -> None:
        require_between("most", self.most, 1, 9)

    def observe(self, player: int, planes: Any) -> None:
        planes[0], planes[1] = self.first, self.second


class LargeNim(Pile):
    """The same rules; a record of its own or that of Pile."""


def num_images(position: Pile) -> int:
    return 2


def image(position: Pile, i: int) -> Pile:
    heaps = (position.second, position.first) if i else (position.first, position.second)
    return type(position)(position.most, *heaps, position.ply)


def image_action(position: Pile, action: int, i: int) -> int:
    return (action + i * position.most) % position.num_actions


def inverse_image(position: Pile, i: int) -> int:
    return i


SWAPPED = Symmetries(num_images, image, image_action, inverse_image)


def balance(position: Pile) -> float:
    return float(position.first != position.second)


def last_first(position: Pile, action: int) -> float:
    return float(action)


class NimSolver(Retrograde):
    """The exact solver of the game."""

    name = "nim_solver"


def first_player_wins(position: Any, values: Any, played: Any, workspace: Any) -> None:
    values[0], values[1] = 1.0, -1.0


# ---- where a record is found


def test_nothing_is_known_of_a_new_game() -> None:
    assert knowledge_of(Pile()) is NOTHING
    assert playout_for(Pile()) is uniform
    assert winning_move_for(Pile()) is winning_move
    assert type(Perfect().solver(Pile())) is Retrograde
    assert preference_of(Pile()).tolist() == [0, 1, 2, 3, 4, 5]


def test_a_subclass_inherits_until_it_has_a_record_of_its_own() -> None:
    register_knowledge(Pile, Knowledge(grave=7))
    assert knowledge_of(LargeNim()) is knowledge_of(Pile())
    register_knowledge(LargeNim, Knowledge(grave=8))
    assert (knowledge_of(Pile()).grave, knowledge_of(LargeNim()).grave) == (7, 8)
    register_knowledge(Pile, Knowledge(grave=9))
    assert (knowledge_of(Pile()).grave, knowledge_of(LargeNim()).grave) == (9, 8)


def test_a_subclass_of_a_game_of_the_package_inherits_everything() -> None:
    mine, theirs = type(Hex)("MyHex", (Hex,), {})(4), Hex(4)
    assert knowledge_of(mine) is knowledge_of(theirs)
    assert knowledge_of(theirs).symmetries is not None
    assert playout_for(mine) is playout_for(theirs) is not uniform
    assert winning_move_for(mine) is winning_move_for(theirs) is not winning_move
    assert type(Perfect().solver(mine)) is HexSolver
    assert preference_of(mine).tolist() == preference_of(theirs).tolist()
    assert suitable_opponent(mine) == suitable_opponent(theirs)


@pytest.mark.parametrize("base", [Hex, ConnectFour, TicTacToe])
def test_another_class_of_the_same_name_gets_nothing(base: type[Position]) -> None:
    stranger: Any = type(base.__name__, (Pile,), {"__module__": "somewhere", "__slots__": ()})
    position = stranger()
    assert type(position).__name__ == base.__name__
    assert knowledge_of(position) is NOTHING
    assert playout_for(position) is uniform
    solver = Perfect().solver(position)
    assert type(solver) is Retrograde
    assert Perfect().value(position) == -1.0, "two heaps of the same size are lost"
    assert len(openings(position, "all:1").lines) == 6


# ---- what the record of a game of one's own does


def test_the_order_is_used() -> None:
    """Of equal moves the first one tried counts."""
    start = Pile(4, 4, 4)
    assert AlphaBeta(depth=1).act(start) == 0
    register_knowledge(Pile, Knowledge(order=last_first))
    assert preference_of(start).tolist() == [7, 6, 5, 4, 3, 2, 1, 0]
    assert AlphaBeta(depth=1).act(start) == 7
    assert AlphaBeta(depth=1, order=None).act(start) == 0
    assert ProofNumber(nodes=1).act(start) == 7


def test_evaluations_and_orders_have_names() -> None:
    with pytest.raises(ValueError, match=r"no function 'pile.balance'"):
        make("greedy(evaluate=pile.balance)")
    record = Knowledge(evaluations={"balance": balance}, orders={"last_first": last_first})
    register_knowledge(Pile, record)
    assert named_functions()["pile.balance"] is balance
    agent = make("alpha_beta(depth=1, evaluate=pile.balance, order=pile.last_first)", AlphaBeta)
    assert (agent.evaluate, agent.order) == (balance, last_first)
    assert repr(agent) == "alpha_beta(depth=1, evaluate=pile.balance, order=pile.last_first)"


def test_two_games_cannot_share_the_name_of_a_function() -> None:
    register_knowledge(Pile, Knowledge(evaluations={"balance": balance}))
    stranger: Any = type("Pile", (Pile,), {"__module__": "somewhere", "__slots__": ()})
    with pytest.raises(ValueError, match=r"pile.balance is a function of .*\.Pile already"):
        register_knowledge(stranger, Knowledge(orders={"balance": last_first}))
    register_knowledge(Pile, Knowledge(evaluations={"balance": balance}))
    register_knowledge(stranger, Knowledge(evaluations={"other": balance}))


def test_symmetries_are_used_by_searches_and_openings() -> None:
    start = Pile(7, 7, 7)
    nodes, lines = AlphaBeta(nodes=10**9).analyse(start).nodes, openings(start, "all:1").lines
    register_knowledge(Pile, Knowledge(symmetries=SWAPPED))
    found = AlphaBeta(nodes=10**9).analyse(start)
    assert (found.value, found.proven) == (-1.0, True)
    assert found.nodes < nodes
    assert AlphaBeta(nodes=10**9, symmetry=False).analyse(start).nodes == nodes
    assert (len(lines), len(openings(start, "all:1").lines)) == (14, 7)


def test_playouts_and_winning_moves_are_used() -> None:
    register_knowledge(Pile, Knowledge(playout=lambda position: first_player_wins))
    assert playout_for(Pile()) is first_player_wins
    search = MCTS(200, solver=False, seed=1)
    won = search.analyse(Pile(9, 9, 9))
    assert won.value > 0.9, "every playout is won by the first player"

    def never(position: Pile) -> int:
        return -1

    record = Knowledge(playout=lambda position: None, winning_move=lambda position: never)
    register_knowledge(Pile, record)
    assert playout_for(Pile()) is uniform, "None: the general one"
    assert winning_move_for(Pile()) is never


def test_proven_moves_are_used() -> None:
    start = Pile(6, 6, 6)
    assert not MCTS(60, seed=1, knowledge=40).analyse(start).proven
    register_knowledge(Pile, Knowledge(proven_moves=Retrograde().values))
    found = MCTS(60, seed=1, knowledge=40).analyse(start)
    assert (found.proven, found.value) == (True, -1.0)


def test_the_solver_is_used() -> None:
    def solver(position: Pile) -> type[SearchAgent] | None:
        return NimSolver if position.most > 2 else None

    register_knowledge(Pile, Knowledge(solver=solver))
    perfect = Perfect()
    assert type(perfect.solver(Pile())) is NimSolver
    assert type(perfect.solver(LargeNim())) is NimSolver
    assert type(perfect.solver(Pile(2, 2, 2))) is Retrograde
    assert perfect.value(Pile(3, 2, 3)) == 1.0


def test_agents_for_people_are_used() -> None:
    assert suitable_opponent(Pile()) == "alpha_beta(nodes=100000)"
    assert suitable_analyst(Pile()) == "alpha_beta(seconds=3)"
    record = Knowledge(opponent=lambda start: "random()", analyst=lambda position: "perfect()")
    register_knowledge(Pile, record)
    assert (suitable_opponent(Pile()), suitable_analyst(Pile())) == ("random()", "perfect()")


# ---- what is refused


def test_what_cannot_be_registered() -> None:
    with pytest.raises(TypeError, match="a Knowledge record is for a class of positions, not"):
        register_knowledge(Pile(), Knowledge())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a Knowledge record is needed, not"):
        register_knowledge(Pile, {"order": last_first})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="unexpected keyword argument 'centre'"):
        Knowledge(centre=last_first)  # type: ignore[call-arg]


def test_playouts_of_the_package_write_utilities() -> None:
    for start in (Hex(5), ConnectFour(), TicTacToe()):
        values, played = np.zeros(2), np.zeros((2, start.num_actions), np.int64)
        playout_for(start)(start, values, played, np.zeros(1000, np.int64))
        assert values[0] == -values[1]
        assert abs(values[0]) in (0.0, 1.0)


@pytest.mark.parametrize("name", GAMES)
def test_records_of_the_package_fit_their_games(name: str) -> None:
    start = start_position(name)
    known = knowledge_of(start)
    assert known.default_evaluation is None or known.default_evaluation in known.evaluations
    assert known.order is None or known.order in known.orders.values()
    for suitable in (suitable_opponent, suitable_analyst):
        assert make(suitable(start)).name
    rng, progress, position = random.Random(1), [], start
    while not position.is_terminal():
        if known.progress is not None:
            progress.append(known.progress(position))
        position = position.play(rng.choice(position.legal_actions()))
    assert progress == sorted(progress)
    assert all(0 <= share <= 1 for share in progress)
    plies = None if known.sample_plies is None else known.sample_plies(start)
    if plies is not None:
        assert not plies or 0 <= plies.start < plies.stop
    if not start.perfect_information:
        with pytest.raises(ValueError, match="perfect information"):
            exact_for(start)
        return
    exact = graded(name)
    assert 0 <= exact.progress(exact.start) <= 1


def graded(name: str) -> ExactValues:
    """The exact values of the game's start, or else of the first sample that is not too large."""
    for start in (start_position(name), *SAMPLES[name].small):
        with suppress(ValueError):
            return exact_for(start)
    raise AssertionError(f"no sample of {name} is graded")
