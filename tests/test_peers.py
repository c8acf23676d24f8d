"""Our games against PettingZoo's and bitbully's; ``tests/games`` has those of OpenSpiel."""

from random import Random
from typing import Any

import numpy as np
import pytest

import adv_envs
from adv_envs import ConnectFour, Position
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
