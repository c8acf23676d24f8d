"""Make the pictures in docs/images: of every game, of all of them, and of searches."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw

from adv_envs import ConnectFour, Fig52, Hex, Pig, Position, ThirtyOne, TicTacToe
from adv_envs.notation import read_line
from adv_envs.pictures import draw, heat_map, palette
from adv_envs.pictures.raster import to_pixels
from adv_envs.pictures.shapes import Drawing, moved
from adv_envs.pictures.svg import svg, to_svg
from agents import MCTS, AlphaBeta, draw_game, draw_steps, draw_tree
from agents.games.hex import evaluations as hex
from agents.reports.draw_trees import searched_tree, tree_drawing

IMAGES = Path(__file__).parent / "images"
GAMES: dict[str, tuple[Position, str]] = {  # a start, and the moves that lead to what is shown
    "tic_tac_toe": (TicTacToe(), "b2 a1 c3 a3 c1 a2"),
    "connect_four": (ConnectFour(), "2234456556766"),
    "hex": (
        Hex(9),
        "f4 f3 g7 c6 g3 i1 h1 h2 g2 f5 d6 e5 d5 e4 h4 g4 h3 h5 g5 g6 f6 f7 e7 e8 d8 d9 c9",
    ),
    "thirty_one": (ThirtyOne(), "1535"),
    "fig52": (Fig52(), "a1"),
    "pig": (
        Pig(),
        "roll 4 roll 6 roll 5 roll 6 hold roll 3 roll 1 roll 6 roll 6 roll 4 roll 2 hold "
        "roll 6 roll 5 roll 6 roll 4 hold roll 2 roll 5",
    ),
}
ROWS = (("connect_four", "hex"), ("tic_tac_toe", "thirty_one", "pig", "fig52"))  # of all games
WIDTH, GAP, CORNER = 1200, 14, 14  # pixels


def main() -> None:
    """Write every picture anew."""
    IMAGES.mkdir(exist_ok=True)
    draw_games()
    draw_searches()


def draw_games() -> None:
    """Each game, and all of them in one picture."""
    shown = {}
    for name, (start, line) in GAMES.items():
        actions = read_line(start, line)
        shown[name] = start.after(actions), actions[-1]
        (IMAGES / f"{name}.svg").write_text(svg(*shown[name]) + "\n", encoding="utf-8")
    rows = [row_of_cards([shown[name] for name in row]) for row in ROWS]
    height = sum(row.height for row in rows) + GAP * (len(rows) - 1)
    picture = Image.new("RGBA", (WIDTH, height))
    y = 0
    for row in rows:
        picture.paste(row, (0, y))
        y += row.height + GAP
    picture.save(IMAGES / "games.png", optimize=True)


def draw_searches() -> None:
    """The figures of AIMA chapter 5, a tree of MCTS, and what the README shows."""
    tic_tac_toe, hexes = TicTacToe().after("b2"), Hex(7).after("d4 e3 c5 f2")
    values = AlphaBeta(depth=3, evaluate=hex.resistance).values(hexes)
    heat = heat_map(hexes, values, 12)
    tree = tree_drawing(*searched_tree(Fig52(), "alpha_beta"))
    pictures = {
        "figure_5_1": draw_game(TicTacToe()),
        "figure_5_2": draw_tree(Fig52()),
        "figure_5_5": draw_steps(Fig52(), steps=(1, 2, 3, 4, 5, 7)),
        "alpha_beta": draw_tree(TicTacToe().after("b2 a1 c3 b1 c1 a3"), "alpha_beta"),
        "mcts": draw_tree(tic_tac_toe, MCTS(simulations=1000, seed=1), children=3),
        "search": to_svg(side_by_side([heat, tree])),
    }
    for name, picture in pictures.items():
        (IMAGES / f"{name}.svg").write_text(picture + "\n", encoding="utf-8")


def side_by_side(drawings: list[Drawing]) -> Drawing:
    """Pictures in a row, on one card, their middles at one height."""
    height, x, shapes = max(drawing.height for drawing in drawings), 0.0, []
    for drawing in drawings:
        down = (height - drawing.height) / 2 - drawing.y
        shapes += [moved(shape, x - drawing.x, down) for shape in drawing.shapes]
        x += drawing.width
    return Drawing(0, 0, round(x), height, "; ".join(drawing.title for drawing in drawings), shapes)


def row_of_cards(shown: list[tuple[Position, int]]) -> Image.Image:
    """Pictures side by side, as high as it takes to fill the width."""
    drawings = [draw(position, last) for position, last in shown]
    free = WIDTH - GAP * (len(drawings) - 1)
    height = round(free / sum(drawing.width / drawing.height for drawing in drawings))
    row = Image.new("RGBA", (WIDTH, height))
    x = 0
    for drawing in drawings:
        picture = Image.fromarray(to_pixels(drawing, height / drawing.height))
        box = (0, 0, picture.width - 1, picture.height - 1)
        ImageDraw.Draw(picture).rounded_rectangle(box, CORNER, None, palette.CARD_RIM)
        picture.putalpha(rounded(picture.size))
        row.paste(picture, (x, 0))
        x += picture.width + GAP
    return row


def rounded(size: tuple[int, int]) -> Image.Image:
    """A mask with rounded corners."""
    mask = Image.new("L", (4 * size[0], 4 * size[1]))
    box = (0, 0, mask.width - 1, mask.height - 1)
    ImageDraw.Draw(mask).rounded_rectangle(box, 4 * CORNER, 255)
    return mask.reduce(4)


if __name__ == "__main__":
    main()
