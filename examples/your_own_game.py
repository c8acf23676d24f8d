"""Defines a complete game of your own: rules, picture, what is known about it, and one line.

The game is Cram. Then come an environment, agents, exact values, a report card, a tournament and
its page, which follow from these.

Two players lay dominoes on a board in turn, upright or flat; a player who cannot move
loses. Cells are numbered row by row. An action is the upper cell of an upright domino, or the
number of cells plus the left cell of a flat one. On 4 x 4::

     0  1  2  3
     4  5  6  7        action 5 covers 5 and 9,
     8  9 10 11        action 16 + 5 covers 5 and 6
    12 13 14 15

    python examples/your_own_game.py [--out FOLDER]
"""

import argparse
from pathlib import Path
from typing import Any

import adv_envs
import agents
from adv_envs import Picture, Position, register_picture
from adv_envs.jit import kernel
from adv_envs.pictures import palette
from adv_envs.pictures.picture import Place, card, outcome
from adv_envs.pictures.shapes import Drawing, Rect
from adv_envs.pictures.svg import heat_map_svg
from adv_envs.position import require_between
from adv_envs.testing import check_agent, check_env, check_game
from agents import AlphaBeta, Knowledge, Retrograde, arena, board_symmetries, register_knowledge
from agents.grading import grade
from agents.reports.report_card_page import report_card_html
from agents.reports.tournament_page import page_data, tournament_html
from agents.symmetries import REFLECTIONS, image_cells

# ---- 1. the rules


class Cram(Position):
    """Represents a position of Cram; ``Cram(height=4, width=4)`` is the start."""

    height: int = 4
    width: int = 4
    upright: int = 0  # the cells under upright dominoes
    flat: int = 0  # the cells under flat dominoes
    ply: int = 0
    parameters = ("height", "width")

    @property
    def num_actions(self) -> int:
        """Returns two actions for each cell."""
        return 2 * self.height * self.width

    @property
    def to_move(self) -> int:
        """Returns the player to move: players alternate."""
        return self.ply % 2

    def bit(self, row: int, column: int) -> int:
        """Returns the bit of a cell: cells are numbered row by row."""
        return row * self.width + column

    def domino(self, action: int) -> int:
        """Returns the two cells that are covered."""
        cells = self.height * self.width
        return 1 << action | 1 << action + self.width if action < cells else 3 << action - cells

    def legal(self, action: int) -> bool:
        """Returns a domino stays on the board, and off the others."""
        cells = self.height * self.width
        if action < cells:
            inside = action + self.width < cells
        else:
            inside = (action - cells) % self.width != self.width - 1
        return inside and (self.upright | self.flat) & self.domino(action) == 0

    def play(self, action: int) -> "Cram":
        """Returns the position after a domino is laid."""
        upright, flat = self.upright, self.flat
        if action < self.height * self.width:
            upright |= self.domino(action)
        else:
            flat |= self.domino(action)
        return Cram(self.height, self.width, upright, flat, self.ply + 1)

    def is_terminal(self) -> bool:
        """Tests whether the player to move has no move."""
        for action in range(self.num_actions):
            if self.legal(action):
                return False
        return True

    def utility(self, player: int) -> int:
        """Returns the player who cannot move has lost."""
        return -1 if player == self.to_move else 1

    @property
    def observation_shape(self) -> tuple[int, int, int]:
        """Returns (height, width, 2): the cells under upright dominoes, then under flat ones."""
        return self.height, self.width, 2

    def observe(self, player: int, planes: Any) -> None:
        """Writes upright dominoes into planes[:, :, 0], flat ones into planes[:, :, 1]."""
        for cell in range(self.height * self.width):
            row, column = cell // self.width, cell % self.width
            planes[row, column, 0] = self.upright >> cell & 1
            planes[row, column, 1] = self.flat >> cell & 1

    def check(self) -> None:
        """Raises ValueError for what is no board: 7 x 7 cells fit into an integer."""
        require_between("height", self.height, 1, 7)
        require_between("width", self.width, 2, 7)
        for cells in (self.upright, self.flat):
            require_between("a set of cells", cells, 0, (1 << self.height * self.width) - 1)
        if self.upright & self.flat:
            raise ValueError("a cell has one half of a domino")

    def name(self, action: int) -> str:
        """Returns | or -, column letter, row number."""
        kind, cell = divmod(action, self.height * self.width)
        return f"{'|-'[kind]}{'abcdefg'[cell % self.width]}{cell // self.width + 1}"

    def __str__(self) -> str:
        cells = range(self.height * self.width)
        marks = [".|-"[(self.upright >> c & 1) + 2 * (self.flat >> c & 1)] for c in cells]
        return "\n".join(" ".join(marks[c : c + self.width]) for c in cells[:: self.width])


# ---- 2. the picture

SIDE = 40
"""The side of a cell in pixels."""
COLOURS = palette.RED, palette.BLUE


def draw(position: Cram, last: int | None = None) -> Drawing:
    """Draws every cell as a square: one colour under upright dominoes, another under flat ones."""
    shapes = []
    for cell in range(position.height * position.width):
        fill = palette.CELL
        for colour, cells in zip(COLOURS, (position.upright, position.flat), strict=True):
            if cells >> cell & 1:
                fill = colour
        row, column = divmod(cell, position.width)
        shapes.append(Rect(SIDE * column, SIDE * row, SIDE, SIDE, 3, fill, palette.GRID, 1))
    box = (0, 0, SIDE * position.width, SIDE * position.height)
    return card(shapes, box, *outcome(position))


def places(position: Cram) -> dict[int, Place]:
    """Returns each move between the two cells of its domino."""
    found = {}
    for action in position.legal_actions():
        flat, cell = divmod(action, position.height * position.width)
        x, y = cell % position.width + (1 if flat else 0.5), cell // position.width + 1 - flat / 2
        found[action] = Place(SIDE * x, SIDE * y, 0.25 * SIDE, "disc")
    return found


register_picture(Cram, Picture(draw=draw, places=places))

# ---- 3. what is known about it


@kernel
def odd(position: Cram) -> float:
    """Returns 1 if the number of moves left is odd, otherwise -1: a guess at who moves last."""
    taken, moves, cells = position.upright | position.flat, 0, position.height * position.width
    for cell in range(cells):
        down, right = 1 << cell | 1 << cell + position.width, 3 << cell
        moves += cell + position.width < cells and taken & down == 0
        moves += cell % position.width != position.width - 1 and taken & right == 0
    return 2.0 * (moves % 2) - 1.0


def core(position: Cram) -> Cram:
    """Returns how cells were covered does not matter to the value, nor who began."""
    taken = position.upright | position.flat
    return Cram(position.height, position.width, taken, 0, position.ply % 2)


def image_action(position: Cram, action: int, turn: int) -> int:
    """Returns a domino's image: bit 1 of ``turn`` reverses rows, bit 0 columns."""
    cells = position.height * position.width
    flat, cell = action // cells, action % cells
    row, column = cell // position.width, cell % position.width
    if turn & 2 != 0:
        row = max(position.height - 2 + flat - row, 0)
    if turn & 1 != 0:
        column = max(position.width - 1 - flat - column, 0)
    return flat * cells + row * position.width + column


SIDES = {"upright": image_cells, "flat": image_cells}

register_knowledge(
    Cram,
    Knowledge(
        evaluations={"odd": odd},
        symmetries=board_symmetries(Cram, REFLECTIONS, SIDES, image_action, core),
        opponent=lambda position: "alpha_beta(seconds=1, evaluate=cram.odd)",
    ),
)

# ---- and one line

adv_envs.register("cram", Cram)


def main() -> None:
    """Checks the game, lets agents play it, grades one, and finds out who wins."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--largest", type=int, default=5, help="solve boards up to this size (5)")
    parser.add_argument("--out", type=Path, help="write pictures and pages into this folder")
    args = parser.parse_args()

    check_game(Cram())
    check_env(adv_envs.env("cram"))
    search = agents.make("alpha_beta(depth=3, evaluate=cram.odd)")
    check_agent(search, Cram())
    print("The game, its environment and an agent that plays it keep all laws.")

    env = adv_envs.env("cram", height=6, width=6)
    env.reset(seed=0)
    observation = env.observe("player_0")["observation"]
    print(f"PettingZoo: {env}, {env.action_space('player_0')}, observation {observation.shape}")

    players = agents.make("random"), search
    game = agents.play_game(Cram(6, 6), players, seed=0)
    print(f"{players[0]} against {players[1]}: {game.moves}\n{game.end}")
    print(f"{players[game.utilities[1] > 0]} wins.")

    for size in range(2, args.largest + 1):
        result = AlphaBeta(nodes=100_000_000, evaluate=odd).analyse(Cram(size, size))
        assert result.proven
        print(f"{size} x {size}: the {'second' if result.value < 0 else 'first'} player wins")
    measure(args.out)


def measure(out: Path | None) -> None:
    """Prints exact values, a report card and a tournament on 4 x 4, and writes their pages."""
    start = Cram()
    solver = Retrograde()
    solution = solver.solve(start)
    print(f"4 x 4 has {solution.explored:,} positions; best play takes {solution.plies} moves.")
    card = grade(start, "greedy(evaluate=cram.odd)", positions=20, games=2, seed=0)
    kept = card.overall.kept
    assert kept is not None
    print(f"Moves that keep the value, with the parity one ply ahead: {100 * kept.value:.0f} %")
    rivals = ["random", "greedy(evaluate=cram.odd)"]
    result = arena.run(start, rivals, games=20, seed=1, workers=0)
    print(result.head_to_head())
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        values = solver.values(start)
        pages = {
            "board.svg": start.move("|a2").svg(),
            "values.svg": heat_map_svg(start, values),
            "report_card.html": report_card_html(card),
            "tournament.html": tournament_html(page_data(start, result.games, "Cram")),
        }
        for name, text in pages.items():
            (out / name).write_text(text, encoding="utf-8")
        print(f"Written to {out}: {', '.join(pages)}")


if __name__ == "__main__":
    main()
