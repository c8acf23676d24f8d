"""Make the pictures in docs/images: of every game, of all of them, and of searches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from adv_envs import (
    Amazons,
    AnimalShogi,
    Backgammon,
    Breakthrough,
    Checkers,
    Chess,
    Clobber,
    ConnectFour,
    DarkHex,
    Domineering,
    DotsAndBoxes,
    Fig52,
    GameOfY,
    GinRummy,
    Go,
    Gomoku,
    Goofspiel,
    Hanabi,
    Havannah,
    Hex,
    Kalah,
    Kuhn,
    Leduc,
    LiarsDice,
    LinesOfAction,
    MiniChess,
    Nim,
    NineMensMorris,
    Othello,
    PhantomTicTacToe,
    Pig,
    Position,
    Quoridor,
    RockPaperScissors,
    TexasHoldem,
    TexasHoldemNoLimit,
    ThirtyOne,
    TicTacToe,
    UltimateTicTacToe,
)
from adv_envs.notation import read_line
from adv_envs.pictures import draw, heat_map, palette
from adv_envs.pictures.raster import to_pixels
from adv_envs.pictures.shapes import Drawing, Rect, Shape, moved
from adv_envs.pictures.svg import to_svg
from agents import MCTS, AlphaBeta, draw_game, draw_game_tree, draw_steps, draw_tree, make
from agents.equilibrium import PolicyAgent
from agents.games.hex import evaluations as hex
from agents.networks.policy import Policy
from agents.reports.draw_trees import drawn_tree, labels_of, on_card

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
    "gomoku": (Gomoku(), "h8 h9 i8 g8 i9 i7 j10 k11 g7 j8 h7 f9 h10 h6 e5 f6 j7 k6 g10"),
    "othello": (
        Othello(),
        "c4 c5 d6 e3 d3 b4 f4 e6 f5 c3 f6 f3 f2 c7 c6 d7 b5 e7 e8 a6 d8 b6 f7 g4 h3 g3 e2 d2 d1",
    ),
    "animal_shogi": (AnimalShogi(), "b1a2 b3b2 a1b2 c4b3 a2b1 a4a3 b2a3 b4a3 G@b2 E@c3"),
    "breakthrough": (
        Breakthrough(),
        "h2g3 e7f6 a2b3 f6f5 b3c4 a7b6 d2c3 b7c6 c3b4 b6b5 c4c5 d7d6 c5d6 c7d6 e2d3 d8c7 g3f4 c7b6",
    ),
    "nim": (Nim(), "a1 b1 c2"),
    "kalah": (Kalah(), "123615364"),
    "dots_and_boxes": (
        DotsAndBoxes(),
        "d1d2 a1b1 d3d4 a2b2 b2b3 b4c4 c2c3 b2c2 a1a2 c3d3 b3b4 a3b3 a2a3",
    ),
    "domineering": (Domineering(), "e1 f6 h7 b2 h4 g2 f4 a7 f1 b1 f7 d7 a1 f3"),
    "checkers": (
        Checkers(),
        "10-14 24-20 14-17 22x13 11-15 23-19 15x24 28x19 12-16 19x12 6-10 13x6 2x9 25-22 1-6 30-25",
    ),
    "amazons": (
        Amazons(),
        "j4 f8 f7 j7 g4 h5 f8 c5 a3 g10 e8 f8 c5 b5 d5 d10 d8 c9 a4 c4 c5 d8 f10 c7 g1 e3 c1",
    ),
    "lines_of_action": (
        LinesOfAction(),
        "g8-e6 h4-f2 b8-d6 h3xe6 c8xe6 h5-f7 d8-d5 h7-e7 e8-c6 h2-f4 c1xf4 h6xf4 d1-d4 a4xd4 e1-e4",
    ),
    "nine_mens_morris": (
        NineMensMorris(),
        "d2 e5 c3 e3 e4 c5 d5 f4 g1 a7 g7 g4 d6 a1 a4 d7 d3 f2 g1-d1 xd7 a7-d7 c3-c4",
    ),
    "backgammon": (
        Backgammon(),
        "31 8/5 6/5 43 13/9 13/10 64 24/18 18/14 52 13/8 10/8 61 13/7 8/7",
    ),
    "go": (
        Go(),
        "g6 g4 f4 g3 d4 c6 e6 b4 c3 b3 d7 c7 c8 b8 d8 c2 d2 g5 f5 h6 g7 h7 b2 a2 c1 g8 f8 h8 f2 g2",
    ),
    "minichess": (MiniChess(), "Nc3 dxc3 dxc3 b3 axb3 axb3 cxb3 Ra1"),
    "chess": (  # Anderssen against Kieseritzky, London 1851
        Chess(),
        "e4 e5 f4 exf4 Bc4 Qh4+ Kf1 b5 Bxb5 Nf6 Nf3 Qh6 d3 Nh5 Nh4 Qg5 Nf5 c6 g4 Nf6 Rg1 cxb5 h4 "
        "Qg6 h5 Qg5 Qf3 Ng8 Bxf4 Qf6 Nc3 Bc5 Nd5 Qxb2 Bd6",
    ),
    "quoridor": (
        Quoridor(),
        "e2 e8 e3 e7 e4 e6 e3h d6v e5 d4h f6h g5v c3h b5h d5 e5",
    ),
    "kuhn": (Kuhn(), "Q K pass bet"),
    "leduc": (Leduc(), "Js Qh raise call Kh check raise"),
    "gin_rummy": (
        GinRummy(),
        "5s 5d 5c Ks Kh Kd 9s 9c 6c 3h Js Jc Tc 8h 7s 7c 6h 4h 4c As 2d "
        "pass pass draw Qd Qd draw 8d 8d draw Qs Qs take Js draw 9d",
    ),
    "texas_holdem": (
        TexasHoldem(3),
        "Ah 7c Qs Ad 7d Js call call check 7h Kc 2s check raise call fold 9s check",
    ),
    "texas_holdem_no_limit": (
        TexasHoldemNoLimit(),
        "Ah 7c Ad 7d half-pot call 7h Kc 2s check half-pot",
    ),
    "liars_dice": (LiarsDice(dice=5), "1 1 1 3 2 6 6 3 3 5 2-3 3-1 3-3 4-3"),
    "goofspiel": (Goofspiel(), "4 10 1 11 12 4 8 13 9 12 6 12 10 11 7 1"),
    "hanabi": (
        Hanabi(3),
        "Y1 B4 R3 W3 R2 Y2 B5 Y1 W1 G2 G2 G3 R5 B1 R2 tell-1-1 play-c Y3 tell-2-2 "
        "tell-1-yellow play-a R1 tell-2-white tell-1-3 play-b Y4 tell-2-1 tell-1-red play-c "
        "G3 tell-2-4 discard-a B2 play-c G1 tell-1-2 discard-a R4",
    ),
    "rock_paper_scissors": (RockPaperScissors(5), "rock paper scissors scissors paper rock rock"),
    "phantom_tic_tac_toe": (PhantomTicTacToe(), "b2 b2 a1 a1 c3 c3 a3"),
    "havannah": (
        Havannah(),
        "m8 h6 i8 e3 k9 i13 j7 g4 l9 f5 k7 j8 j9 i7 k8 m9 m11 e4 l11 f3 g5 h5 g6 j12 m10 k10 k11 "
        "j10 n10 n9 n12 o11 m13 k14 n13 l12 l13 k12 n15 e6 n7 i12 n8 k13 j14 d4 o9 f6 d5 g7 h7 g12 "
        "n14 a1 l7",
    ),
    "y": (
        GameOfY(11),
        "e4 d5 e5 d4 d6 e3 c6 f3 g4 h2 b5 c3 b3 b4 g3 g2 h3 i2 j2 i3 a4 a5 d2 j1 a1 d3",
    ),
    "dark_hex": (DarkHex(5), "c3 c3 b4 d2 d2 c2 c2 b3 b3 e1 b4 d1"),
    "clobber": (
        Clobber(),
        "d4d3 a2a3 d2e2 d5c5 b4b3 f5f4 e5e4 a3b3 b2b3 f1f2 c1c2 f4e4 a1b1",
    ),
    "ultimate_tic_tac_toe": (
        UltimateTicTacToe(),
        "b8 e5 d5 a6 b7 f2 g6 b9 e7 e1 e3 d8 c6 i9 g7 b1 d3 c9 i7 i1 i3 h7 f3 h9 f8 g4 b2 e6 e9 d7 "
        "c2 g5 a5 b5 e4 d6 a9 c7 h3 d9 c8 h5 f6 g9",
    ),
}
ROWS = (
    ("chess", "go", "othello", "hex"),
    ("backgammon", "connect_four", "checkers", "breakthrough"),
    ("texas_holdem_no_limit", "texas_holdem", "gin_rummy", "hanabi"),
    ("gomoku", "havannah", "y", "quoridor", "nine_mens_morris"),
    ("amazons", "lines_of_action", "domineering", "clobber", "dots_and_boxes"),
    ("ultimate_tic_tac_toe", "animal_shogi", "minichess", "leduc", "dark_hex", "goofspiel"),
    ("kuhn", "liars_dice", "phantom_tic_tac_toe", "rock_paper_scissors"),
    ("tic_tac_toe", "kalah", "thirty_one", "pig", "nim", "fig52"),
)
"""The rows of the picture of all games."""
WIDTH, GAP, CORNER = 1200, 14, 14  # pixels


def main() -> None:
    """Write every picture anew."""
    IMAGES.mkdir(exist_ok=True)
    draw_games()
    draw_searches()
    draw_agents()


def draw_games() -> None:
    """Each game, as the player to move sees it, and all of them on light and on dark pages."""
    shown = {}
    for name, (start, line) in GAMES.items():
        actions = read_line(start, line)
        position = start.after(actions)
        if start.perfect_information:
            shown[name] = draw(position, actions[-1])
        else:
            shown[name] = draw(position.hidden(position.to_move))
        (IMAGES / f"{name}.svg").write_text(to_svg(shown[name]) + "\n", encoding="utf-8")
    gallery(shown, "games.png", palette.CARD_RIM)
    dark = {name: darkened(drawing) for name, drawing in shown.items()}
    gallery(dark, "games_dark.png", palette.CARD_RIM.dark)


def gallery(shown: dict[str, Drawing], name: str, rim: str) -> None:
    """Write one picture of all games."""
    rows = [row_of_cards([shown[game] for game in row], rim) for row in ROWS]
    height = sum(row.height for row in rows) + GAP * (len(rows) - 1)
    picture = Image.new("RGBA", (WIDTH, height))
    y = 0
    for row in rows:
        picture.paste(row, (0, y))
        y += row.height + GAP
    picture.save(IMAGES / name, optimize=True)


def darkened(drawing: Drawing) -> Drawing:
    """The drawing in the colours of dark pages, on their card."""
    x, y, width, height = drawing[:4]
    shapes = [Rect(x, y, width, height, 0, palette.CARD), *drawing.shapes]
    dark = [shape._replace(**dark_colours(shape)) for shape in shapes]
    return drawing._replace(shapes=dark)


def dark_colours(shape: Shape) -> dict[str, Any]:
    """The colours of a shape that are others on dark pages."""
    named = shape._asdict().items()
    return {key: value.dark for key, value in named if isinstance(value, palette.Colour)}


def draw_searches() -> None:
    """The figures of AIMA chapter 5, a tree of MCTS, and what the README shows."""
    tic_tac_toe, hexes = TicTacToe().after("b2"), Hex(7).after("d4 e3 c5 f2")
    values = AlphaBeta(depth=3, evaluate=hex.resistance).values(hexes)
    heat = heat_map(hexes, values, 12)
    root, text = drawn_tree(Fig52(), "alpha_beta")
    tree = on_card(root, labels_of(root), text)
    pictures = {
        "figure_5_1": draw_game(TicTacToe()),
        "figure_5_2": draw_tree(Fig52()),
        "figure_5_5": draw_steps(Fig52(), steps=(1, 2, 3, 4, 5, 7)),
        "alpha_beta": draw_tree(TicTacToe().after("b2 a1 c3 b1 c1 a3"), "alpha_beta"),
        "mcts": draw_tree(tic_tac_toe, MCTS(simulations=1000, seed=1), children=3),
        "search": to_svg(side_by_side([heat, tree])),
        "game_tree": draw_game_tree(Kuhn()),
    }
    for name, picture in pictures.items():
        (IMAGES / f"{name}.svg").write_text(picture + "\n", encoding="utf-8")


def agent_trees() -> dict[str, str]:
    """For every agent that builds a tree one of a small search, as it is on the agent's page."""
    three = ThirtyOne(limit=9, highest=3, num_players=3).after("3")
    one = TicTacToe().after("b2")
    five = TicTacToe().after("b2 a1 c3 b1 c1")
    cards = Kuhn().after("Q J")
    pictures = {
        "greedy": draw_tree(ThirtyOne(limit=12).after("1 1"), "minimax(depth=1)"),
        "minimax": draw_tree(Fig52(), "minimax"),
        "alpha_beta": draw_tree(Fig52(), "alpha_beta"),
        "max_n": draw_tree(three, "max_n(depth=3)"),
        "paranoid": draw_tree(three, "paranoid(depth=3)"),
        "expectiminimax": draw_tree(Pig(10).after("roll 4"), "expectiminimax(depth=1)", children=7),
        "proof_number": draw_tree(five, "proof_number", nodes=24),
        "mcts": draw_tree(one, MCTS(simulations=300, seed=1), children=3),
        "ismcts": draw_tree(cards, "ismcts(simulations=1000, seed=1)"),
        "policy": draw_tree(one, guided("tic_tac_toe_alphazero", 300), children=3),
    }
    for name in ("cfr", "cfr_plus", "discounted_cfr", "mccfr", "equilibrium"):
        agent = make(name, PolicyAgent)
        pictures[name] = draw_game_tree(Kuhn(), agent.policy(Kuhn()))
    return pictures


def guided(path: str, simulations: int) -> MCTS:
    """The search that a shipped policy guides."""
    policy = make(f"policy(path={path!r})", Policy)
    return MCTS(simulations, policy=policy.evaluate_batch, seed=1)


def draw_agents() -> None:
    """The trees on the pages of agents."""
    for name, picture in agent_trees().items():
        (IMAGES / f"agent_{name}.svg").write_text(picture + "\n", encoding="utf-8")


def side_by_side(drawings: list[Drawing]) -> Drawing:
    """Pictures in a row, on one card, their middles at one height."""
    height, x, shapes = max(drawing.height for drawing in drawings), 0.0, []
    for drawing in drawings:
        down = (height - drawing.height) / 2 - drawing.y
        shapes += [moved(shape, x - drawing.x, down) for shape in drawing.shapes]
        x += drawing.width
    return Drawing(0, 0, round(x), height, "; ".join(drawing.title for drawing in drawings), shapes)


def row_of_cards(drawings: list[Drawing], rim: str) -> Image.Image:
    """Pictures side by side, as high as it takes to fill the width."""
    free = WIDTH - GAP * (len(drawings) - 1)
    height = int(free / sum(drawing.width / drawing.height for drawing in drawings))
    row = Image.new("RGBA", (WIDTH, height))
    x = 0
    for drawing in drawings:
        picture = Image.fromarray(to_pixels(drawing, height / drawing.height))
        box = (0, 0, picture.width - 1, picture.height - 1)
        ImageDraw.Draw(picture).rounded_rectangle(box, CORNER, None, rim)
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
