"""From its seed no agent can compute what it may not see; and runs can be repeated."""

import hashlib
import json
import random
import runpy
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from typer.testing import CliRunner

import adv_envs.random
import agents
from adv_envs import CHANCE, Kuhn, Pig, Position, TicTacToe
from adv_envs.batch.boards import Boards
from adv_envs.batch.vector import BatchVectorEnv
from adv_envs.envs.gym import GymEnv
from adv_envs.random import derived_seed, root_seed
from agents import Agent, make, match, play_game
from agents.arena import run
from agents.arena.store import read
from agents.cli import app
from agents.grading import Grader, grade
from agents.grading.exploitability_card import grade_hidden

pytestmark = pytest.mark.plain

UNKNOWN = 0x9E3779B97F4A7C15
"""A root that stands for 64 random bits: no attack below tries it."""

GUESSES = range(300)
"""The roots that attackers try."""


@dataclass(repr=False)
class Spy(Agent):
    """Plays the first legal action, and keeps its seeds and what it sees."""

    name: ClassVar[str] = "spy"
    seeds: list[int | None] = field(default_factory=list, repr=False, compare=False)
    seen: list[tuple[int | None, Position]] = field(default_factory=list, repr=False, compare=False)

    def reset(self, seed: int | None = None) -> None:
        self.seeds.append(seed)

    def act(self, position: Position) -> int:
        self.seen.append((self.seeds[-1] if self.seeds else None, position))
        return position.legal_actions()[0]


@pytest.fixture
def unknown_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adv_envs.random, "_random_seed", lambda: UNKNOWN)


# ---- the derivation


def test_the_derivation_is_a_hash_of_root_and_name() -> None:
    digest = hashlib.blake2b(b"1 chance 2", digest_size=8).hexdigest()
    assert f"{derived_seed(1, 'chance', 2):016x}" == digest
    assert f"{derived_seed(1, 'chance', 2, bits=32):08x}" == digest[:8]
    seeds = {
        derived_seed(root, name, number)
        for root in (0, 1, 10, -1, UNKNOWN)
        for name in ("agent", "agents", "chance")
        for number in range(20)
    }
    assert len(seeds) == 5 * 3 * 20
    assert all(0 <= seed < 2**64 for seed in seeds)
    assert all(0 <= derived_seed(root, "agent", bits=32) < 2**32 for root in range(100))


def test_a_root_is_what_was_given_or_random() -> None:
    unpatched = runpy.run_path(adv_envs.random.__file__)["root_seed"]
    drawn = {unpatched() for _ in range(8)}
    assert len(drawn) == 8
    assert all(0 <= root < 2**64 for root in drawn)
    assert root_seed(-3) == -3
    assert type(root_seed(np.int64(4))) is int  # type: ignore[arg-type]
    for wrong in (True, "1", 1.0):
        with pytest.raises(TypeError, match="seed must be a whole number or None"):
            root_seed(wrong)  # type: ignore[arg-type]


# ---- attacks on the deal


def playing(seed: int | None) -> list[Any]:
    """The players of ten pairs of games of Kuhn poker, as they were told their seeds."""
    spies = [Spy(), Spy()]
    match(Kuhn(), *spies, pairs=10, seed=seed)
    return spies


def deals_of(root: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """All seeds of agents in a match with this root, with the deal of the game: our own way."""
    result = match(Kuhn(), lambda position: 0, lambda position: 0, pairs=10, seed=root)
    for number, game in enumerate(result.games):
        own = derived_seed(root, "agents", number)
        for player in range(2):
            yield derived_seed(own, "agent", player, bits=32), game.actions[:2]


def test_who_tries_many_roots_does_not_find_the_deal(unknown_root: None) -> None:
    told = {seed for spy in playing(None) for seed in spy.seeds}
    for guess in GUESSES:
        assert not told & {seed for seed, _ in deals_of(guess)}


def test_a_root_that_can_be_guessed_protects_nothing() -> None:
    spies = playing(7)
    known = dict(deals_of(7))
    told = [(known[seed], view) for spy in spies for seed, view in spy.seen if seed in known]
    assert len(told) >= 20
    for deal, view in told:  # as the documentation says: here an agent knows both cards
        assert Kuhn().after(deal).card(view.to_move) == view.card(view.to_move)


def draws(seed: int) -> Iterator[int]:
    """The first numbers of 31 and 32 bits that the usual generators draw from a seed."""
    python, numbers = random.Random(seed), np.random.default_rng(seed)
    for _ in range(4):
        yield python.getrandbits(32)
        yield int(numbers.integers(2**31))
    yield seed


def test_no_agent_is_told_what_a_generator_draws_that_decides_chance() -> None:
    for seed in range(40):
        spy = Spy()
        play_game(Kuhn(), [spy, spy], seed=seed)
        env = GymEnv(Kuhn(), opponent=spy)
        env.reset(seed=seed)
        BatchVectorEnv(2, Kuhn(), opponent=spy).reset(seed=seed)
        assert len(spy.seeds) == 4
        assert not {*spy.seeds} & {*draws(seed), *draws(seed + 1)}


def test_what_an_opponent_is_told_tells_nothing_about_the_next_numbers() -> None:
    spy = Spy()
    env = GymEnv(Kuhn(), opponent=[spy, "random"], seat="second")
    env.reset(seed=5)
    state = env.np_random.bit_generator.state
    told = set(spy.seeds)
    for _ in range(50):
        env.reset()
        told |= set(spy.seeds)
    assert len(told) > 10
    generator = np.random.default_rng(5)
    words = generator.bit_generator.random_raw(2000).tolist()
    assert not told & {word >> shift & 2**31 - 1 for word in words for shift in (0, 1, 32, 33)}
    assert env.np_random.bit_generator.state != state


def test_a_pool_is_told_a_hash_of_the_state_that_chance_goes_on_from() -> None:
    class Pool:
        told: ClassVar[list[float]] = []

        def act(self, position: Position) -> int:
            return position.legal_actions()[0]

        def draw_opponent(self, drawn: float) -> Any:
            self.told.append(drawn)
            return self

    envs = BatchVectorEnv(8, Pig(), opponent=Pool())
    envs.reset(seed=1)
    states = {int(state) >> 30 for state in envs.boards.state.generators}
    assert len(Pool.told) >= 8
    assert all(0 <= drawn < 1 for drawn in Pool.told)
    assert not states & {int(drawn * 2**32) for drawn in Pool.told}


def test_no_two_streams_of_a_run_have_one_seed() -> None:
    spies = [Spy(), Spy()]
    result = run(Kuhn(), spies, 20, seed=3, workers=0)
    schedule = result.plan.schedule
    tasks = [schedule.task(number) for number in range(20)]
    seeds = [seed for spy in spies for seed in spy.seeds]
    warm_ups = [seed for seed in seeds if seed == 0]
    told = [seed for seed in seeds if seed != 0]
    assert len(warm_ups) in (0, 2, 4)  # agents are copied for a tournament
    others = {3, *(task.seed for task in tasks), *(task.chance_seed for task in tasks)}
    assert not others & set(told)
    assert len({task.seed for task in tasks} | {task.chance_seed for task in tasks}) == 20 + 10


# ---- roots are random, and written down


def test_a_match_says_its_seed_and_can_be_repeated(unknown_root: None) -> None:
    first = match(Kuhn(), "random", "random", pairs=5)
    again = match(Kuhn(), "random", "random", pairs=5, seed=first.seed)
    assert first.seed == UNKNOWN == first.to_dict()["seed"]
    assert [game.actions for game in first.games] == [game.actions for game in again.games]
    other = match(Kuhn(), "random", "random", pairs=5, seed=1)
    assert [game.actions for game in first.games] != [game.actions for game in other.games]


def test_a_tournament_keeps_its_seed(tmp_path: Path, unknown_root: None) -> None:
    path = tmp_path / "t.db"
    first = run(Kuhn(), ["random", "random"], 10, workers=0, out=path)
    assert read(path)[0]["seed"] == first.seed == UNKNOWN
    given = run(Kuhn(), ["random", "random"], 10, workers=0, seed=UNKNOWN)
    assert [game.actions for game in given.games] == [game.actions for game in first.games]


def test_what_is_continued_without_a_seed_has_that_of_its_file(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    for _ in range(2):  # the second one would draw another seed by itself
        result = run(Kuhn(), ["random", "random"], 10, seed=None, workers=0, out=path, resume=True)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(adv_envs.random, "_random_seed", lambda: UNKNOWN + 1)
            again = run(Kuhn(), ["random", "random"], 10, workers=0, out=path, resume=True)
    assert again.seed == result.seed == 0
    assert again.games == result.games


def test_cards_say_their_seed(unknown_root: None) -> None:
    card = grade(TicTacToe(), "random", positions=3, games=1)
    assert card.seed == UNKNOWN == card.to_dict()["seed"]
    hidden = grade_hidden(Kuhn(), ["random"])
    assert hidden.seed == UNKNOWN == hidden.to_dict()["seed"]


def test_a_graded_agent_is_not_told_the_seed_of_the_games() -> None:
    spy = Spy()
    grader = Grader(TicTacToe(), spy, positions=3, games=2, seed=5)
    for _ in grader.run():
        pass
    assert len({*spy.seeds}) == 1 + max(3, 4)  # 0 for the first move, which does not count
    assert not {*spy.seeds} & {5, 6, 7, 8, derived_seed(5, "game", 0)}


@pytest.mark.parametrize(
    "line",
    [
        "match kuhn random random --pairs 2",
        "tournament kuhn random random --games 2 --workers 0",
        "grade tic_tac_toe random --positions 3 --games 1",
        "grade kuhn random",
        "rate tic_tac_toe random --games 10 --workers 0",
    ],
)
def test_every_command_prints_the_seed_that_it_drew(line: str, unknown_root: None) -> None:
    printed = CliRunner().invoke(app, line.split(), catch_exceptions=False).stdout
    assert printed.endswith(f"seed: {UNKNOWN}\n")
    data = json.loads(CliRunner().invoke(app, [*line.split(), "--json"]).stdout)
    assert UNKNOWN in (data.get("seed"), data.get("settings", {}).get("seed"))
    assert f"seed: {UNKNOWN}" not in CliRunner().invoke(app, [*line.split(), "--seed", "5"]).stdout


# ---- views hold no more than their owner sees


def test_what_an_agent_is_given_is_its_view() -> None:
    spies = [Spy(), Spy()]
    game = play_game(Kuhn(), spies, seed=1)
    position, wanted = game.start, [[], []]  # type: tuple[Position, list[list[Position]]]
    for action in game.actions:
        if position.to_move != CHANCE:
            wanted[position.to_move].append(position.hidden(position.to_move))
            assert wanted[position.to_move][-1] != position
        position = position.play(action)
    assert [[view for _, view in spy.seen] for spy in spies] == wanted


SEEDS = [np.int8(3), np.int64(3), np.uint64(3), np.array(3)]


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: str(getattr(seed, "dtype", seed)))
def test_numpys_integers_are_seeds_everywhere(seed: Any) -> None:
    """And mean what Python's mean."""

    def agent_draws(of: Any) -> list[int]:
        agent = make("random")
        agent.reset(of)
        return [agent.act(TicTacToe()) for _ in range(5)]

    def starts(of: Any) -> list[Any]:
        aec, single = adv_envs.env("kuhn"), GymEnv("kuhn", seat="random")
        boards, one = Boards(Kuhn(), 2, 1), Boards(Kuhn(), 2, 1)
        batch: Any = BatchVectorEnv(2, "kuhn", opponent=lambda position: 0)
        boards.reset(of)
        one.reset([of, None])
        for env in (aec, single, batch):
            env.reset(seed=of)
        rows = [[each[0], each[1]] for each in (boards, batch.boards)]
        batch.reset(seed=[of, of])
        return [aec.whole_position, single.whole_position, *rows, one[0], batch.boards[0]]

    assert agent_draws(seed) == agent_draws(3)
    assert starts(seed) == starts(3)
    assert agents.Random(seed[()]).act(TicTacToe()) == agents.Random(3).act(TicTacToe())
    assert repr(agents.Random(seed[()])) == "random(seed=3)"


@pytest.mark.parametrize("seeds", [[2**61, 0], [True, 0], [0.5, 1], [-1, 0], [1]])
def test_what_is_no_list_of_seeds(seeds: Any) -> None:
    with pytest.raises(ValueError, match="each at least 0 and less than 2"):
        Boards(Kuhn(), 2, 1).reset(seeds)
