"""Your own game in one file: the rules of Domineering, and everything else follows.

Two players lay dominoes on a board in turn, the first upright, the second flat; whoever cannot move
loses. Cells are numbered row by row, and so are actions, each by the upper or left cell of its
domino. On 4 x 4::

     0  1  2  3
     4  5  6  7        action 5 covers 5 and 9 upright,
     8  9 10 11        or 5 and 6 flat
    12 13 14 15

    python examples/your_own_game.py
"""

import argparse
from typing import Any

import adv_envs
import agents
from adv_envs import Position
from adv_envs.position import require_between
from adv_envs.testing import check_agent, check_env, check_game


class Domineering(Position):
    """A position of Domineering; ``Domineering(height=4, width=4)`` is the start."""

    height: int = 4
    width: int = 4
    upright: int = 0  # the cells under dominoes of player 0
    flat: int = 0  # the cells under dominoes of player 1
    ply: int = 0
    parameters = ("height", "width")

    @property
    def num_actions(self) -> int:
        """One action for each cell."""
        return self.height * self.width

    @property
    def to_move(self) -> int:
        """Players alternate."""
        return self.ply % 2

    def domino(self, action: int) -> int:
        """The two cells that the player to move would cover."""
        return 1 << action | 1 << action + (self.width if self.to_move == 0 else 1)

    def legal(self, action: int) -> bool:
        """A domino stays on the board, and off the others."""
        if self.to_move == 0:
            inside = action + self.width < self.num_actions
        else:
            inside = action % self.width != self.width - 1
        return inside and (self.upright | self.flat) & self.domino(action) == 0

    def play(self, action: int) -> "Domineering":
        """Lay a domino."""
        cells = self.domino(action)
        upright = self.upright | (cells if self.to_move == 0 else 0)
        flat = self.flat | (cells if self.to_move == 1 else 0)
        return Domineering(self.height, self.width, upright, flat, self.ply + 1)

    def is_terminal(self) -> bool:
        """The game ends when the player to move cannot."""
        for action in range(self.num_actions):
            if self.legal(action):
                return False
        return True

    def utility(self, player: int) -> int:
        """The player who cannot move has lost."""
        return -1 if player == self.to_move else 1

    @property
    def observation_shape(self) -> tuple[int, int, int]:
        """(height, width, 2): what your own dominoes cover, then what the other's do."""
        return self.height, self.width, 2

    def observe(self, player: int, planes: Any) -> None:
        """Own cells into planes[:, :, 0], the opponent's into planes[:, :, 1]."""
        for cell in range(self.num_actions):
            row, column = cell // self.width, cell % self.width
            planes[row, column, player] = self.upright >> cell & 1
            planes[row, column, 1 - player] = self.flat >> cell & 1

    def check(self) -> None:
        """Raise ValueError for other boards: 7 x 7 cells fit into an integer."""
        require_between("height", self.height, 1, 7)
        require_between("width", self.width, 1, 7)

    def name(self, action: int) -> str:
        """Column letter, row number."""
        return f"{'abcdefg'[action % self.width]}{action // self.width + 1}"

    def __str__(self) -> str:
        cells = range(self.num_actions)
        marks = [".|-"[(self.upright >> c & 1) + 2 * (self.flat >> c & 1)] for c in cells]
        return "\n".join(" ".join(marks[c : c + self.width]) for c in cells[:: self.width])


adv_envs.register("domineering", Domineering)  # that was all


def main() -> None:
    """Check the game, let agents play it, and find out who wins."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--largest", type=int, default=5, help="solve boards up to this size (5)")
    largest = parser.parse_args().largest

    check_game(Domineering())
    check_env(adv_envs.env("domineering"))
    check_agent(agents.make("alpha_beta(depth=3)"), Domineering())
    print("The game, its environment and an agent that plays it keep all laws.")

    env = adv_envs.env("domineering", height=6, width=6)
    env.reset(seed=0)
    observation = env.observe("player_0")["observation"]
    print(f"PettingZoo: {env}, {env.action_space('player_0')}, observation {observation.shape}")

    players = agents.make("random"), agents.make("alpha_beta(depth=3)")
    game = agents.play_game(Domineering(6, 6), players, seed=0)
    print(f"{players[0]} (|) against {players[1]} (-): {game.moves}\n{game.end}")
    print(f"{players[game.utilities[1] > 0]} wins.")

    for size in range(2, largest + 1):
        result = agents.AlphaBeta(nodes=100_000_000).analyse(Domineering(size, size))
        assert result.proven
        print(f"{size} x {size}: the {'second' if result.value < 0 else 'first'} player wins")


if __name__ == "__main__":
    main()
