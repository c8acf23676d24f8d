"""What the tests of all games share: seeds, views, counts, and games played beside other programs.

``cases.py`` says for each game what these laws need to know.
"""

import pickle
import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cache
from math import inf
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import strategies as st

from adv_envs import CHANCE, reachable
from adv_envs.jit import kernel
from adv_envs.pictures import places
from adv_envs.random import scattered
from adv_envs.testing.game_laws import random_action
from agents import Retrograde

# ---- what many tests need


def fresh_seed() -> int:
    """A seed that is another one in every run, and printed where a test fails."""
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    return seed


def fresh() -> Random:
    return Random(fresh_seed())


def seen(position: Any, player: int) -> Any:
    """The observation of ``player``, as lists."""
    planes = np.zeros(position.observation_shape)
    position.observe(player, planes)
    return planes.tolist()


def utilities(position: Any) -> list[float]:
    return [position.utility(player) for player in range(position.num_players)]


def names(position: Any) -> list[str]:
    return [position.name(action) for action in position.legal_actions()]


def owners(position: Any) -> dict[tuple[int, int], int]:
    """Whose piece stands on each cell that is not empty."""
    cells = [(row, column) for row in range(position.height) for column in range(position.width)]
    found = {cell: position.cell(*cell) for cell in cells}
    return {cell: player for cell, player in found.items() if player is not None}


def random_line(start: Any, rng: Random, plies: float = inf) -> list[Any]:
    """The positions of a random game, the last one finished or after so many plies."""
    line = [start]
    while not line[-1].is_terminal() and len(line) <= plies:
        line.append(line[-1].play(random_action(line[-1], rng)))
    return line


def met(start: Any, rng: Random, good: Callable[[Any], bool]) -> Any:
    """The first unfinished position of random games that is ``good``."""
    while True:
        for position in random_line(start, rng)[:-1]:
            if good(position):
                return position


@kernel
def _lines(position: Any, depth: int, moves: Any) -> int:
    """moves (depth + 1, num_actions) is workspace."""
    if depth == 0:
        return 1
    if position.is_terminal():
        return 0
    number = position.write_legal(moves[depth])
    if depth == 1:
        return int(number)
    lines = 0
    for i in range(number):
        lines += _lines(position.play(int(moves[depth, i])), depth - 1, moves)
    return lines


def perft(position: Any, depth: int) -> int:
    """How many lines of play of ``depth`` plies there are; a finished game has none."""
    return int(_lines(position, depth, np.zeros((depth + 1, position.num_actions), np.int64)))


# ---- beside OpenSpiel


@cache
def load(game: str) -> Any:
    return pytest.importorskip("pyspiel").load_game(game)


def numbered(number: Callable[[Any, int], int]) -> Callable[[Any, Any], dict[int, int]]:
    """Compares the legal actions, where OpenSpiel's is ``number(position, action)``."""

    def actions(position: Any, state: Any) -> dict[int, int]:
        found = {action: number(position, action) for action in position.legal_actions()}
        assert sorted(found.values()) == state.legal_actions(), state.history()
        return found

    return actions


same_numbers = numbered(lambda _, action: action)


def returns(position: Any, state: Any) -> list[float]:
    """What OpenSpiel gives in a game that is over here as well."""
    assert position.is_terminal()
    return utilities(position)


def tensors(position: Any, state: Any) -> None:
    """At decisions every player observes here what OpenSpiel's information state tensor says."""
    for player in range(position.num_players) if position.to_move != CHANCE else ():
        assert seen(position, player) == state.information_state_tensor(player), state.history()


def told(position: Any, state: Any) -> dict[int, Hashable]:
    """OpenSpiel's information state of every player, at decisions."""
    players = range(position.num_players) if position.to_move != CHANCE else ()
    return {player: state.information_state_string(player) for player in players}


class Peer(NamedTuple):
    """How OpenSpiel plays a game of ours."""

    starts: Callable[[Random], Iterable[Any]]
    """Start positions from each of which a game is played, again and again."""
    game: Callable[[Any], str]
    """OpenSpiel's game, as its load_game reads it."""
    actions: Callable[[Any, Any], dict[int, int]] = same_numbers
    """Compares the legal actions; returns those to choose from, each with OpenSpiel's number."""
    look: Callable[[Any, Any], None] = lambda position, state: None
    """Compares what is shown."""
    told: Callable[[Any, Any], dict[int, Hashable]] | None = None
    """What OpenSpiel tells each player: it is to go with our views one to one."""
    returns: Callable[[Any, Any], list[float]] = returns
    choose: Callable[[Any, list[int], Random], int] = lambda position, actions, rng: rng.choice(
        actions
    )
    seats: Callable[[Any], tuple[int, ...]] = lambda position: tuple(range(position.num_players))
    """OpenSpiel's number of each of our players."""
    plies: int = 300
    """How many plies are compared, with the compiler; without it a third."""
    apply: Callable[[Any, int], None] = lambda state, number: state.apply_action(number)
    """Plays OpenSpiel's number of an action, where that takes more than one of its plies."""


def moment(peer: Peer, position: Any, state: Any, pairs: dict[Any, Any]) -> dict[int, int]:
    """Holds a position and OpenSpiel's to each other; returns the actions that may be played."""
    where = state.history()
    peer.look(position, state)
    if state.is_terminal():
        assert state.returns() == peer.returns(position, state), where
        return {}
    assert not position.is_terminal(), where
    mover = position.to_move
    theirs = mover if mover == CHANCE else peer.seats(position)[mover]
    assert state.current_player() == theirs, where
    if position.to_move == CHANCE:
        for action, probability in state.chance_outcomes():
            assert position.probability(action) == pytest.approx(probability), where
    for player, said in peer.told(position, state).items() if peer.told else ():
        view, text = (player, position.hidden(player)), (player, peer.game(position), said)
        assert pairs.setdefault(view, text) == text, where
        assert pairs.setdefault(text, view) == view, where
    return peer.actions(position, state)


def begin(peer: Peer, start: Any) -> Any:
    """OpenSpiel's start."""
    game = load(peer.game(start))
    if peer.actions is same_numbers and not start.has_chance:
        assert game.num_distinct_actions() == start.num_actions
    return game.new_initial_state()


def play_beside(peer: Peer, plies: int, seed: int) -> int:
    """Random games of both until that many plies are compared; returns how many there were."""
    rng, done, pairs = Random(seed), 0, dict[Any, Any]()
    while done < plies:
        for start in peer.starts(rng):
            position, state = start, begin(peer, start)
            while actions := moment(peer, position, state, pairs):
                action = peer.choose(position, [*actions], rng)
                position, done = position.play(action), done + 1
                peer.apply(state, actions[action])
    return done


def tree_beside(peer: Peer, start: Any) -> tuple[int, int]:
    """Both whole trees: how many histories, and information sets of players to move, they have."""
    pairs: dict[Any, Any] = {}
    number, stack = 0, [(start, begin(peer, start))]
    while stack:
        position, state = stack.pop()
        number += 1
        for action, theirs in moment(peer, position, state, pairs).items():
            stack.append((position.play(action), state.child(theirs)))
    return number, sum(len(key) == 2 and key[1].to_move == key[0] for key in pairs)


# ---- beside a naive implementation


class Twin(NamedTuple):
    """A game of ours and the naive one."""

    games: st.SearchStrategy[tuple[Any, Any]]
    """Start positions of both."""
    move: Callable[[Any, int], Hashable] = lambda position, action: action
    """What the naive one calls an action."""
    look: Callable[[Any, Any], None] = lambda position, naive: None
    """Compares more of what both show than cells and observations."""
    choose: Callable[[Any, list[int], Random], int] = lambda position, actions, rng: rng.choice(
        actions
    )
    settled: Callable[[Any, Any], Any] = lambda position, naive: position
    """The position after the moves of chance that the naive one does not have."""
    often: float = 1
    """The share of positions that are looked at, and all finished ones."""
    examples: int = 40
    plies: float = inf


def same_answers(twin: Twin, position: Any, naive: Any, more: bool) -> dict[Hashable, int]:
    """Holds a position and a naive one to each other; returns the actions by their naive names.

    Naive games have actions (none when they are over), to_move, play and utility; some have owners,
    the dictionary of the pieces on cells, and observation.
    """
    actions, players = naive.actions(), range(position.num_players)
    moves = {twin.move(position, action): action for action in position.legal_actions()}
    assert position.is_terminal() == (not actions), position
    assert Counter(moves.keys()) == Counter(actions), position
    assert len(moves) == len(position.legal_actions())
    if more or not actions:
        position.check()
        if hasattr(naive, "owners"):
            assert owners(position) == naive.owners(), position
        for player in players if hasattr(naive, "observation") else ():
            assert seen(position, player) == naive.observation(player), position
        twin.look(position, naive)
    if not actions:
        assert utilities(position) == [naive.utility(player) for player in players], position
    else:
        assert position.to_move == naive.to_move, position
    return moves


def same_game(twin: Twin, position: Any, naive: Any, rng: Random) -> int:
    """Plays one random game on both, comparing every answer; returns how many plies it took."""
    plies = 0
    while moves := same_answers(twin, position, naive, rng.random() < twin.often):
        if plies >= twin.plies:
            break
        action = twin.choose(position, [*moves.values()], rng)
        move = next(move for move in moves if moves[move] == action)
        naive = naive.play(move) or naive  # some games are values
        position, plies = twin.settled(position.play(action), naive), plies + 1
    return plies


def same_tree(twin: Twin, start: Any, naive: Any) -> int:
    """Compares every history; returns how many are finished.

    Where the naive game says what is seen, two positions look the same to a player where the naive
    ones do.
    """
    finished, stack, pairs = 0, [(start, naive)], dict[Any, Any]()
    while stack:
        position, naive = stack.pop()
        moves = same_answers(twin, position, naive, True)
        finished += not moves
        for player in range(position.num_players if moves else 0):
            view, told = (player, position.hidden(player)), ("naive", player, naive.seen(player))
            assert pairs.setdefault(told, view) == view
            assert pairs.setdefault(view, told) == told
        for move, action in moves.items():
            after = pickle.loads(pickle.dumps(naive))
            after.play(move)
            stack.append((twin.settled(position.play(action), after), after))
    return finished


# ---- beside pyffish, the Python module of Fairy-Stockfish


class Fish(NamedTuple):
    """How Fairy-Stockfish plays a game of ours."""

    variant: str
    start: Any
    turns: Callable[[Any], Iterable[str]]
    """The names of all turns at a position."""
    after: Callable[[Any, str], Any]
    """The position after a turn."""
    real: Callable[[str], bool] = bool
    """Whether one of its moves is none of passing."""
    stride: int = 1
    """Every how many turns all legal ones are compared."""
    drawn: Callable[[Any], bool] = lambda position: False
    """Whether the game is over by a rule that does not take its moves from a player."""


def swim_beside(fish: Fish, turns: int, seed: int) -> int:
    """Random games of both until that many turns are compared; returns how many there were."""
    pyffish, rng, done = pytest.importorskip("pyffish"), Random(seed), 0
    fen = pyffish.start_fen(fish.variant)
    while done < turns:
        position, line = fish.start, list[str]()
        while True:
            legal = pyffish.legal_moves(fish.variant, fen, line)
            real = sorted(filter(fish.real, legal))
            if position.is_terminal():
                assert not real or fish.drawn(position), line
                break
            if len(line) % fish.stride == 0:
                assert sorted(fish.turns(position)) == real, line
                done += 1
            line.append(rng.choice(real or legal))
            position = fish.after(position, line[-1])
    return done


# ---- hidden information


def histories(start: Any) -> Iterator[Any]:
    """Every position that chance and the players can reach, once for each way to it."""
    stack = [start]
    while stack:
        position = stack.pop()
        yield position
        for action in position.legal_actions():
            if position.to_move != CHANCE or position.probability(action) > 0:
                stack.append(position.play(action))


def tree_size(start: Any) -> tuple[int, int, int]:
    """How many histories there are, how many of them are finished, and information sets."""
    number, finished, sets = 0, 0, set()
    for position in histories(start):
        number += 1
        finished += position.is_terminal()
        if not position.is_terminal() and position.to_move != CHANCE:
            sets.add((position.to_move, position.hidden(position.to_move)))
    return number, finished, len(sets)


def members_of(positions: Iterable[Any]) -> dict[Any, set[Any]]:
    """The unfinished positions that look the same, by player and view."""
    found: dict[Any, set[Any]] = {}
    for position in positions:
        for player in range(0 if position.is_terminal() else position.num_players):
            found.setdefault((player, position.hidden(player)), set()).add(position)
    return found


def each_is_drawn(members: dict[Any, set[Any]], most: int = 10**9, draws: int = 40) -> None:
    """``determinized`` draws each position that has a view, and no other; of ``most`` views."""
    rng = Random(1)
    for (player, view), positions in rng.sample([*members.items()], min(len(members), most)):
        states = [scattered(rng.getrandbits(62)) for _ in range(draws * len(positions))]
        drawn = {view.determinized(player, state) for state in states}
        assert drawn <= positions, f"{view!r} of {player}: {drawn - positions}"
        assert drawn == positions, f"{view!r} of {player} is never {positions - drawn}"


# ---- solvers and pictures


def solves(solver: Any, positions: Iterable[Any]) -> None:
    """The solver finds the values of positions and of all moves that retrograde analysis does."""
    everything: Any = Retrograde()
    for position in positions:
        assert solver.value(position) == everything.value(position), position
        assert solver.values(position) == everything.values(position), position


def unfinished(start: Any, rng: Random) -> Any:
    """A position of a random game."""
    return rng.choice(random_line(start, rng)[:-1])


def wins_by_advice(solver: Any, position: Any, rng: Random) -> None:
    """A won position is won against all play that follows the solver's advice."""
    winner = position.to_move if solver.value(position) > 0 else 1 - position.to_move
    while not position.is_terminal():
        best = solver.analyse(position)
        assert best.proven
        assert (best.value > 0) == (position.to_move == winner)
        choices = position.legal_actions()
        position = position.play(best.action if best.value > 0 else rng.choice(choices))
    assert position.utility(winner) == 1


def sampled(start: Any, count: int) -> list[Any]:
    """Up to so many of the unfinished positions that can be reached, always the same."""
    found = [position for position in reachable(start) if not position.is_terminal()]
    return Random(1).sample(found, min(len(found), count))


def placed(*positions: Any) -> None:
    """Every legal action has a place of its own on the picture."""
    for position in positions:
        found = places(position)
        assert list(found) == position.legal_actions()
        assert len({(place.x, place.y) for place in found.values()}) == len(found)
