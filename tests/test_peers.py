"""Our games against other people's: PettingZoo's, OpenSpiel's, and bitbully's solver."""

from collections.abc import Iterator
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import adv_envs
from adv_envs import ConnectFour, Hex, Position, TicTacToe
from adv_envs.jit import disabled
from adv_envs.notation import read_line

FEWER = 3 if disabled() else 1


# ---- PettingZoo: every element of everything, at every step, the dead steps included


def classic(name: str, make: str) -> Any:
    """PettingZoo's game ``name``: its env() or raw_env()."""
    import importlib

    return getattr(importlib.import_module(f"pettingzoo.classic.{name}"), make)()


def shown(env: Any) -> dict[str, Any]:
    """Everything an environment shows, its agents as numbers."""
    number = {agent: i for i, agent in enumerate(env.possible_agents)}

    def by_number(values: dict[str, Any]) -> dict[int, Any]:
        return {number[agent]: value for agent, value in values.items()}

    moment: dict[str, Any] = {
        "agents": [number[agent] for agent in env.agents],
        "num_agents": env.num_agents,
        "max_num_agents": env.max_num_agents,
        "rewards": by_number(env.rewards),
        "terminations": by_number(env.terminations),
        "truncations": by_number(env.truncations),
        "infos": by_number(env.infos),
        "in all": by_number(env.unwrapped._cumulative_rewards),
        "selected": number[env.agent_selection],
    }
    for agent in env.possible_agents:
        seen = env.observe(agent)
        moment[f"seen by {number[agent]}"] = {
            key: (array.tolist(), array.shape, array.dtype) for key, array in seen.items()
        }
    if env.agents:
        observation, *rest = env.last()
        moment["last"] = observation["action_mask"].tolist(), rest, env.last(observe=False)
        for value in rest[1:3]:
            assert type(value) is bool
    return moment


@pytest.mark.parametrize("make", ["env", "raw_env"])
@pytest.mark.parametrize(
    ("name", "theirs", "games"),
    [("tic_tac_toe", "tictactoe_v3", 150), ("connect_four", "connect_four_v3", 60)],
)
def test_pettingzoo(name: str, theirs: str, games: int, make: str) -> None:
    ours, other = getattr(adv_envs, make)(name), classic(theirs, make)
    rng, steps = Random(41), 0
    for _ in range(games // FEWER):
        ours.reset(seed=1)
        other.reset(seed=1)
        assert shown(ours) == shown(other)
        while other.agents:
            mask = other.last()[0]["action_mask"]
            action = None
            if not any(other.last()[2:4]):
                action = rng.choice(np.flatnonzero(mask).tolist())
            for env in (ours, other):
                assert env.step(action) is None
            assert shown(ours) == shown(other)
            steps += 1
    assert steps > 5 * games // FEWER


@pytest.mark.parametrize(
    ("name", "theirs"), [("tic_tac_toe", "tictactoe_v3"), ("connect_four", "connect_four_v3")]
)
def test_the_spaces_of_pettingzoo(name: str, theirs: str) -> None:
    ours, other = adv_envs.env(name), classic(theirs, "env")
    for mine, yours in zip(ours.possible_agents, other.possible_agents, strict=True):
        assert ours.observation_space(mine) == other.observation_space(yours)
        assert ours.action_space(mine) == other.action_space(yours)


# ---- OpenSpiel


def spiel() -> ModuleType:
    return pytest.importorskip("pyspiel")


def owners(text: str) -> list[int | None]:
    """The cells of a board that OpenSpiel prints: x is player 0."""
    return [{"x": 0, "o": 1, ".": None}[c] for c in text if c in "xo."]


def playouts(position: Any, game: Any, games: int) -> Iterator[tuple[Any, Any]]:
    """Play the same random games on both, comparing what every game has; yield every position."""
    rng = Random(42)
    assert game.num_distinct_actions() == position.num_actions
    for _ in range(games):
        here, there = position, game.new_initial_state()
        while True:
            assert here.is_terminal() == there.is_terminal()
            assert here.legal_actions() == there.legal_actions()
            yield here, there
            if here.is_terminal():
                break
            assert here.to_move == there.current_player()
            action = rng.choice(here.legal_actions())
            here = here.play(action)
            there.apply_action(action)
        assert [here.utility(player) for player in (0, 1)] == there.returns()


def cells(position: Any) -> list[int | None]:
    rows, columns = range(position.height), range(position.width)
    return [position.cell(row, column) for row in rows for column in columns]


def test_openspiel_tic_tac_toe() -> None:
    for here, there in playouts(TicTacToe(), spiel().load_game("tic_tac_toe"), 300 // FEWER):
        assert cells(here) == owners(str(there))


@pytest.mark.parametrize("size", [(3, 3, 3), (3, 4, 3), (5, 4, 4), (7, 7, 5), (2, 6, 2)])
def test_openspiel_boards_of_other_sizes(size: tuple[int, int, int]) -> None:
    height, width, k = size
    game = spiel().load_game(f"mnk(m={width},n={height},k={k})")
    for here, there in playouts(TicTacToe(height, width, k), game, 40 // FEWER):
        assert cells(here) == owners(str(there).split("to play")[0])


@pytest.mark.parametrize("size", [(6, 7, 4), (4, 5, 3), (5, 4, 4), (7, 6, 5), (4, 4, 2)])
def test_openspiel_connect_four(size: tuple[int, int, int]) -> None:
    height, width, k = size
    game = spiel().load_game(f"connect_four(rows={height},columns={width},x_in_row={k})")
    for here, there in playouts(ConnectFour(*size), game, 60 // FEWER):
        assert cells(here) == owners(str(there))


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize(
    ("size", "games"), [(2, 60), (3, 60), (4, 60), (5, 40), (7, 20), (8, 10), (11, 6), (19, 1)]
)
def test_openspiel_hex(size: int, games: int, swap: bool) -> None:
    """The same edges, neighbours, coordinates and swap: b1 becomes a2."""
    game = spiel().load_game(f"hex(board_size={size},swap={swap})")
    for here, there in playouts(Hex(size, swap), game, max(1, games // FEWER)):
        assert cells(here) == owners(str(there))
        if here.ply < 3:
            for action in here.legal_actions():
                assert here.name(action) == there.action_to_string(here.to_move, action)


def test_openspiel_swap() -> None:
    here = Hex(3, swap=True).after("b1 swap")
    there = spiel().load_game("hex(board_size=3,swap=True)").new_initial_state()
    for action in (1, 9):
        there.apply_action(action)
    assert cells(here) == owners(str(there))
    assert here.legal_actions() == there.legal_actions()


# ---- bitbully


def score(position: Any, known: dict[Position, int]) -> int:
    """By full search: +n, who is to move wins with their n-th last stone; -n, they lose; or 0."""
    if position not in known:
        if position.is_terminal():
            lost = position.utility(position.to_move) == -1
            known[position] = -((44 - position.ply) // 2) if lost else 0
        else:
            known[position] = max(
                -score(position.play(action), known) for action in position.legal_actions()
            )
    return known[position]


def near_the_end(rng: Random, empty: int) -> list[int]:
    """A random line of Connect Four that leaves ``empty`` cells, in which nobody has won."""
    while True:
        position, actions = ConnectFour(), []
        while position.ply < 42 - empty and not position.is_terminal():
            actions.append(rng.choice(position.legal_actions()))
            position = position.play(actions[-1])
        if not position.is_terminal():
            return actions


def test_bitbully_scores() -> None:
    """Won, drawn or lost, and when: full search by our rules and a solver by its own agree."""
    bitbully = pytest.importorskip("bitbully")
    solver, rng = bitbully.BitBully(opening_book=None), Random(43)
    signs = set()
    for number in range(60 // FEWER):
        actions = near_the_end(rng, 6 + number % (6 if disabled() else 8))
        position, known = ConnectFour().after(actions), {}  # type: ignore[var-annotated]
        board = bitbully.Board(actions)
        assert board.count_tokens() == position.ply
        assert board.legal_moves() == position.legal_actions()
        scores = {a: -score(position.play(a), known) for a in position.legal_actions()}
        assert solver.mtdf(board) == score(position, known) == max(scores.values())
        assert solver.score_all_moves(board) == scores
        signs.add(np.sign(score(position, known)))
        for action in position.legal_actions():
            child = position.play(action)
            assert board.can_win_next(action) == (child.utility(position.to_move) == 1)
    assert signs == {-1, 0, 1}


def test_bitbully_games() -> None:
    """The same columns open, the same winner at the same ply, over whole random games."""
    bitbully, rng = pytest.importorskip("bitbully"), Random(44)
    for _ in range(60 // FEWER):
        position, board = ConnectFour(), bitbully.Board()
        while not position.is_terminal():
            assert board.legal_moves() == position.legal_actions()
            assert not board.is_game_over()
            action = rng.choice(position.legal_actions())
            position = position.play(action)
            assert board.play(action)
        assert board.is_game_over()
        assert board.has_win() == (position.utility(0) != 0)


@pytest.mark.parametrize(
    ("line", "value"), [("4455", 18), ("44455554221", -15), ("76461241141", -1)]
)
def test_bitbully_and_the_table_of_oracles(line: str, value: int) -> None:
    """ORACLES' scores, by the solver, of the positions that our reading of the line gives."""
    bitbully = pytest.importorskip("bitbully")
    solver = bitbully.BitBully(opening_book=None)
    assert solver.mtdf(bitbully.Board(read_line(ConnectFour(), line))) == value
