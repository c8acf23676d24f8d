"""Stacks chess and Go with a history of eight boards, element for element as in PettingZoo.

Our observations of chess show the board as it is. ``StackedHistory`` is a wrapper of PettingZoo's
kind that adds the boards before, so that networks that were made for ``chess_v6``, of 111 planes,
and ``go_v5``, of 17, see what they were trained on. As there, the board before the first move is
not part of the history. ``adv_envs.env("chess", history=8, dtype="bool")`` does the same for chess
without a wrapper.

This plays random games in both and compares what every player sees.

    python examples/stacked_history.py [--games 2]

needs ``pip install "pettingzoo[classic]"``.
"""

import argparse
from typing import Any

import numpy as np
import pettingzoo
from gymnasium.spaces import Box, Dict
from pettingzoo.utils import BaseWrapper

import adv_envs
from adv_envs import Position

LENGTH = 8


class StackedHistory(BaseWrapper):  # type: ignore[misc]  # PettingZoo's types are partial
    """Wraps ``env``: observations of the last ``LENGTH`` boards, bool (height, width, planes).

    ``board``: which planes show a board; ``other``: which of the current ones are kept, before the
    boards or, with ``last``, after them. Boards are seen by the player who asks or, ``by_mover``,
    by the one whose move led there.
    """

    def __init__(
        self, env: Any, board: slice, other: slice, last: bool = False, by_mover: bool = False
    ) -> None:
        super().__init__(env)
        self.board, self.other, self.is_last, self.by_mover = board, other, last, by_mover
        self.history: list[tuple[Position, int]] = []
        shape = self.stacked(env.unwrapped.start, 0).shape
        self.spaces = {agent: Dict(env.observation_space(agent)) for agent in self.possible_agents}
        for space in self.spaces.values():
            space.spaces["observation"] = Box(0, 1, shape, np.bool_)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game without a history."""
        self.history = []
        self.env.reset(seed=seed, options=options)

    def step(self, action: Any) -> None:
        """Plays, and keeps the board."""
        mover = self.possible_agents.index(self.agent_selection)
        before = self.unwrapped.whole_position
        self.env.step(action)
        after = self.unwrapped.whole_position
        if after is not before:
            self.history = [(after, mover), *self.history][:LENGTH]

    def observation_space(self, agent: str) -> Dict:
        """Returns the space of what is observed."""
        return self.spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        """Returns the boards, newest first, and the other planes."""
        seen = self.env.observe(agent)
        player = self.possible_agents.index(agent)
        return {**seen, "observation": self.stacked(self.unwrapped.whole_position, player)}

    def stacked(self, position: Position, player: int) -> Any:
        """Returns what the player sees of a position after those of the history."""
        now = planes_of(position, player)
        boards = [
            planes_of(before, mover if self.by_mover else player)[..., self.board]
            for before, mover in self.history
        ]
        boards += [np.zeros_like(now[..., self.board])] * (LENGTH - len(boards))
        parts = [*boards, now[..., self.other]] if self.is_last else [now[..., self.other], *boards]
        return np.dstack(parts)


def planes_of(position: Position, player: int) -> Any:
    """Returns what a player sees of one position."""
    planes = np.zeros(position.observation_shape, np.bool_)
    position.observe(player, planes)
    return planes


def chess(**parameters: Any) -> StackedHistory:
    """Returns chess as in ``chess_v6``: seven planes of rights, clock, colour; 8 boards of 13."""
    return StackedHistory(adv_envs.env("chess", **parameters), slice(7, 20), slice(7))


def go(**parameters: Any) -> StackedHistory:
    """Goes as in ``go_v5``: eight boards of two planes, and one of colour."""
    env = adv_envs.env("go", **parameters)
    return StackedHistory(env, slice(2), slice(-1, None), last=True, by_mover=True)


def compare(ours: Any, theirs: Any, rng: np.random.Generator) -> int:
    """Plays a random game in both; how many observations were compared, all of them equal."""
    compared = 0
    ours.reset()
    theirs.reset()
    while not any(theirs.terminations.values()):
        for agent, other in zip(ours.possible_agents, theirs.possible_agents, strict=True):
            mine, told = ours.observe(agent)["observation"], theirs.observe(other)["observation"]
            assert mine.dtype == told.dtype
            assert np.array_equal(mine, told), ours.unwrapped.position
            compared += 1
        masks = (env.observe(env.agent_selection)["action_mask"] for env in (ours, theirs))
        action = rng.choice(np.flatnonzero(np.logical_and(*masks)))
        for env in (ours, theirs):
            env.step(action)
    return compared


def main() -> None:
    """Compares random games of chess and of Go on 9 x 9 with PettingZoo's."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=2, help="random games of each (2)")
    parser.add_argument("--seed", type=int, default=1, help="draws their moves (1)")
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    pairs = {
        "chess-v6": (chess(), pettingzoo.make("aec", "classic/chess-v6")),
        "go-v5": (
            go(size=9, superko=False),
            pettingzoo.make("aec", "classic/go-v5", board_size=9),
        ),
    }
    for name, (ours, theirs) in pairs.items():
        compared = sum(compare(ours, theirs, rng) for _ in range(options.games))
        shape = ours.observation_space("player_0")["observation"].shape
        print(f"{name}: {compared} observations {shape} are equal")


if __name__ == "__main__":
    main()
