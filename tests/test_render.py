import copy
import subprocess
import sys
from random import Random
from xml.etree import ElementTree

import gymnasium
import numpy as np
import pytest
from browser import run, size, widths

import adv_envs
from adv_envs import Board, ConnectFour, Fig52, Hex, Pig, Position, ThirtyOne, TicTacToe, Tree
from adv_envs.pictures import Picture, draw, palette, raster, register_picture, svg
from adv_envs.pictures.picture import outcome, picture_of
from adv_envs.pictures.shapes import Circle, Drawing, Polygon
from adv_envs.registry import GAMES, start_position

pytestmark = pytest.mark.plain

SVG = "{http://www.w3.org/2000/svg}"
WIDE_TREE = Tree({f"m{i}": {f"n{j}": -1.5 * i * j for j in range(9)} for i in range(9)})


class Anywhere(Board):
    """A stranger's board game: stones may be set anywhere, and nobody wins."""

    height: int = 4
    width: int = 6
    own: int = 0
    opp: int = 0
    ply: int = 0
    parameters = ("height", "width")

    @property
    def num_actions(self):
        return self.height * self.width

    def bit(self, row, column):
        return row * self.width + column

    def entry(self, action):
        return action

    def legal(self, action):
        return not (self.own | self.opp) >> action & 1

    def play(self, action):
        return type(self)(self.height, self.width, self.opp, self.own | 1 << action, self.ply + 1)

    def is_terminal(self):
        return self.ply == self.num_actions

    def utility(self, player):
        return 0


class Chest(Position, compiled=False):
    """A stranger's game for three, about nothing that could be drawn."""

    opened: int = 0
    num_players = 3
    num_actions = 3

    @property
    def to_move(self):
        return self.opened - 1  # at first it is chance

    def is_terminal(self):
        return self.opened == 3

    def utility(self, player):
        return 1 if player < 2 else -2

    def __str__(self):
        return f"<gold & 'silver'>\n  opened\t{self.opened}\x1b\x00"


BOARDS = [
    (TicTacToe(), None),
    (TicTacToe().after("b2 a1 c3"), 8),
    (TicTacToe().after("b2 a1 c3 a3 c1 a2"), 3),
    (TicTacToe(1, 62, 3).after("bj1 a1"), 0),
    (TicTacToe(31, 1, 3).after("a1"), 0),
    (TicTacToe(1, 1, 1).after("a1"), 0),
    (TicTacToe(6, 7, 4).after("a1 b1 a2"), 7),
    (ConnectFour(), None),
    (ConnectFour().after("44445"), 4),
    (ConnectFour().after("2234456556766"), 5),
    (ConnectFour(62, 1, 5).after("1111"), 0),
    (ConnectFour(1, 31, 5).after([30, 0]), 0),
    (Hex(2), None),
    (Hex(5, swap=True).after("b1 swap"), 25),
    (Hex(4).after("a1 b1 a2 b2 a3 b3 a4"), 12),
    (Hex(11).after("f6 a1 k11 e3"), 26),
    (Hex(19).after("s19 a1"), 0),
    (Anywhere(), None),
    (Anywhere().after([0, 5, 23]), 23),
    (Anywhere(40, 40).after([0, 41]), 41),
]
OTHERS = [
    (ThirtyOne(), None),
    (ThirtyOne().after("1535"), 4),
    (ThirtyOne(num_players=3).after("6666511"), 0),
    (ThirtyOne(10_000, 1023, 6), None),
    (ThirtyOne(50, 1, 63).after(["50"]), 49),
    (ThirtyOne(1, 1, 1).after("1"), 0),
    (Pig(), None),
    (Pig().after("roll 4 roll"), 0),
    (Pig(10_000, 100).after(["roll", "100", "hold"]), 1),
    (Pig(5).after("roll 6 hold"), 1),
    (Fig52(), None),
    (Fig52().after("a3 d1"), 0),
    (Tree({"stay": 0.25}), None),
    (Tree({"<tags>&more": {"b": 1}, "c": -7}).play(0), 0),
    (WIDE_TREE, None),
    (Chest(), None),
    (Chest(3), 1),
]


def known(case):
    name = type(case[0]).__name__
    return name if name == "Tree" else f"{name}{[*case[0]][:3]}"


def elements(position, last=None):
    return list(ElementTree.fromstring(svg.svg(position, last)))


def circles(position, last=None, **attributes):
    return [
        e
        for e in elements(position, last)
        if e.tag == SVG + "circle" and attributes.items() <= e.attrib.items()
    ]


def texts(position, last=None):
    return [e.text for e in elements(position, last) if e.tag == SVG + "text"]


def colours_of(position):
    if isinstance(position, ConnectFour):
        return palette.RED, palette.YELLOW
    return (
        (palette.RED, palette.BLUE) if isinstance(position, Hex) else (palette.BLACK, palette.WHITE)
    )


def rgb(colour):
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


# ---- every picture


@pytest.mark.parametrize("case", BOARDS + OTHERS, ids=known)
def test_svg_is_well_formed_and_everything_lies_on_the_card(case):
    root = ElementTree.fromstring(svg.svg(*case))
    assert root.tag == SVG + "svg"
    left, top, width, height = map(float, root.get("viewBox").split())
    assert (root.get("width"), root.get("height")) == (f"{width:g}", f"{height:g}")
    for element in root:
        points = element.get("points", f"{element.get('cx', left)},{element.get('cy', top)}")
        points += f" {element.get('x', left)},{element.get('y', top)}"
        for x, y in (map(float, point.split(",")) for point in points.split()):
            assert left <= x <= left + width
            assert top <= y <= top + height


@pytest.mark.parametrize("case", BOARDS + OTHERS, ids=known)
def test_pixels_have_the_size_of_the_svg(case):
    image = raster.pixels(*case)
    drawing = draw(*case)
    assert image.shape == (drawing.height, drawing.width, 3)
    assert image.dtype == np.uint8
    assert image.flags.writeable
    assert image[0, 0].tolist() == rgb(palette.CARD)
    assert max(image.shape) <= 1500


@pytest.mark.parametrize("case", BOARDS + OTHERS, ids=known)
@pytest.mark.parametrize("last", [-1, 0, 1, 99, 10**9, np.int64(3)])
def test_any_last_move_can_be_drawn(case, last):
    assert svg.svg(case[0], last)


def test_positions_draw_themselves():
    position = Hex(3).after("b2")
    assert position.svg() == position._repr_svg_() == svg.svg(position)
    assert position.svg(4) == svg.svg(position, 4) != position.svg()


@pytest.mark.parametrize(("size", "widest"), [(3, 450), (11, 760), (19, 1000)])
def test_sizes_of_hex(size, widest):
    drawing = draw(Hex(size))
    assert 300 <= drawing.width <= widest


# ---- stones


@pytest.mark.parametrize("case", [c for c in BOARDS if type(c[0]) is not TicTacToe], ids=known)
def test_as_many_stones_as_on_the_board(case):
    position, last = case
    for player, colour in enumerate(colours_of(position)):
        in_caption = outcome(position)[1] == player
        rims = [c for c in circles(position, last, fill=colour) if c.get("stroke")]
        assert len(rims) == position.stones(player).bit_count() + in_caption


def test_as_many_marks_as_on_the_board():
    position = TicTacToe().after("b2 a1 c3 a3 c1")
    lines = [e for e in elements(position) if e.get("stroke") == palette.RED]
    assert len(lines) == 2 * 3
    assert len(circles(position, stroke=palette.BLUE)) == 2 + 1  # O is to move


@pytest.mark.parametrize("case", [c for c in BOARDS if type(c[0]) is not TicTacToe], ids=known)
def test_pixels_have_the_stones_of_the_svg(case):
    position, last = case
    drawing, image = draw(position, last), raster.pixels(position, last)
    for shape in drawing.shapes:
        if isinstance(shape, Circle) and shape.fill and shape.stroke:
            x = shape.x - drawing.x + 0.4 * shape.radius  # between dot and ring
            colour = image[int(shape.y - drawing.y), int(x)]
            assert np.abs(colour - np.array(rgb(shape.fill))).max() < 50


def test_hex_edges_have_the_colours_of_the_players():
    drawing, image = draw(Hex(5)), raster.pixels(Hex(5))
    rims = [s for s in drawing.shapes if isinstance(s, Polygon) and s.fill in colours_of(Hex(5))]
    corners = [corner for shape in rims for corner in shape.points]
    x, y = min(corners, key=lambda corner: corner[1])
    above = image[int(y - drawing.y) + 3, int(x - drawing.x)]
    assert np.abs(above - np.array(rgb(palette.RED))).max() < 20
    x = min(x for x, _ in corners)
    before = image[int(-drawing.y), int(x - drawing.x) + 3]
    assert np.abs(before - np.array(rgb(palette.BLUE))).max() < 20


# ---- marks


def rings(position):
    return [c for c in circles(position, fill="none") if c.get("stroke") != palette.BLUE]


@pytest.mark.parametrize(
    "position", [ConnectFour().after("2234456556766"), Hex(4).after("a1 b1 a2 b2 a3 b3 a4"), Hex(3)]
)
def test_winning_stones_have_rings(position):
    assert len(rings(position)) == len(position.winning_cells())


def test_winning_marks_have_golden_cells():
    position = TicTacToe().after("b2 a1 c3 a3 c1 a2")
    golden = [e for e in elements(position) if e.get("fill") == palette.GOLD_PALE]
    assert len(golden) == len(position.winning_cells()) == 3


def dots(position, last):
    """The (x, y) of marks that are there because of ``last``."""
    before = {ElementTree.tostring(c) for c in circles(position)}
    added = [c for c in circles(position, last) if ElementTree.tostring(c) not in before]
    return [(float(c.get("cx")), float(c.get("cy"))) for c in added]


def test_a_dot_on_the_stone_that_fell():
    position = ConnectFour().after("4445")
    discs = [c for c in draw(position).shapes if isinstance(c, Circle) and c.stroke]
    (dot,) = dots(position, 3)
    column = [disc.y for disc in discs if disc.x == pytest.approx(dot[0], abs=0.1)]
    assert len(column) == 3
    assert dot[1] == pytest.approx(min(column), abs=0.1)


def test_a_dot_on_the_last_stone_of_hex_and_after_a_swap_on_its_mirror():
    (dot,) = dots(Hex(5).after("c2"), 7)
    assert dots(Hex(5, swap=True).after("b3 swap"), 25) == [dot]
    assert dots(Hex(5, swap=True).after("b3"), 25) == []
    assert dots(Hex(5), 7) == []


@pytest.mark.parametrize(
    ("position", "number"),
    [(TicTacToe().after("b2"), 1), (TicTacToe(), 0), (ThirtyOne().after("35"), 1)],
)
def test_a_frame_around_the_last_mark_or_token(position, number):
    frames = [e for e in elements(position, 4) if e.get("stroke") == palette.GOLD]
    assert len(frames) == number


# ---- words


@pytest.mark.parametrize(
    ("position", "caption"),
    [
        (TicTacToe(), "X to move"),
        (Hex(3).after("b2"), "Blue to move"),
        (ConnectFour().after("2234456556766"), "Red wins"),
        (TicTacToe().after("a1 b1 c1 b2 a2 c2 b3 a3 c3"), "Draw"),
        (
            ThirtyOne(1, 2, 1, num_players=3).after("1"),
            "Player 2 cannot move, Player 1 and Player 3 win",
        ),
        (Fig52(), "MAX to move"),
        (Fig52().after("a3"), "MIN to move"),
        (Fig52().after("a3 d1"), "Worth 14 to MAX"),
        (Pig().after("roll 4 roll"), "Player 1 rolls"),
        (Chest(), "Chance moves"),
        (Chest(3), "Player 1 and Player 2 win"),
    ],
)
def test_captions(position, caption):
    assert draw(position).title == caption
    assert texts(position)[-1] == caption


@pytest.mark.parametrize(
    ("position", "words"),
    [
        (Hex(11), {"a", "k", "1", "11"}),
        (ConnectFour(), set("1234567")),
        (TicTacToe(1, 62, 3), {"bj", "1"}),
        (Fig52(), {"a1", "d3", "14", "MAX", "MIN"}),
        (ThirtyOne().after("1535"), {"14", "of 31"}),
    ],
)
def test_coordinates_moves_and_totals(position, words):
    assert words <= set(texts(position))


# ---- colours


TEXTS = [(ink, ground) for ink in ("INK", "MUTED") for ground in ("CARD", "CELL")]
TEXTS += [("ON_FELT", "FELT")]
MARKS = [
    *[(piece, ground) for piece in ("RED", "BLUE") for ground in ("CARD", "CELL", "GOLD_PALE")],
    *[("RED", "HOLE"), ("YELLOW", "HOLE"), ("GOLD", "CARD"), ("GOLD", "HALO")],
    *[("ON_DARK", "RED"), ("ON_DARK", "BLUE"), ("ON_LIGHT", "YELLOW"), ("ON_LIGHT", "WHITE")],
    *[(mark, "SQUARE_LIGHT") for mark in ("LAST_MOVE", "CHECK", "PIECE_RIM")],
    *[(mark, "SQUARE_DARK") for mark in ("LAST_MOVE", "CHECK")],
    *[("ON_DARK", "BLACK"), ("BLACK_RIM", "CELL"), ("WHITE_RIM", "CELL"), ("RED", "WHITE")],
    *[(rim, "WOOD") for rim in ("BLACK", "WHITE_RIM")],
    *[("BLACK", "FELT"), ("WHITE", "FELT")],
]


@pytest.mark.parametrize(("one", "other"), TEXTS + MARKS)
def test_text_and_marks_have_contrast_on_light_and_on_dark_pages(one, other):
    least = 4.5 if (one, other) in TEXTS else 3
    first, second = getattr(palette, one), getattr(palette, other)
    assert palette.contrast(first, second) >= least
    assert palette.contrast(first.dark, second.dark) >= least


def test_every_colour_has_one_role():
    colours = [c for c in vars(palette).values() if isinstance(c, palette.Colour)]
    assert len(colours) == len(set(colours)) > 20


@pytest.mark.parametrize("case", BOARDS + OTHERS, ids=known)
def test_every_colour_of_a_picture_has_its_dark_one(case):
    root = ElementTree.fromstring(svg.svg(*case))
    rules = "".join(e.text for e in root if e.tag == SVG + "style")
    dark = {c: c.dark for c in vars(palette).values() if isinstance(c, palette.Colour)}
    for element in root:
        for name in ("fill", "stroke"):
            colour = element.get(name, "none")
            if dark.get(colour, colour) != colour:
                assert f'[{name}="{colour}"]{{{name}:light-dark({colour},{dark[colour]})}}' in rules
    assert root.get("class") == "adv-envs"
    assert rules.startswith("@supports(color:light-dark(#000,#fff)){")  # others show light ones
    assert rules.endswith("}}")


def test_pictures_are_dark_on_dark_pages_only(browser, tmp_path):
    """In a page that says so and alone if the reader prefers it, but not in a light page."""
    picture = svg.svg(TicTacToe().after("b2"))
    shown = "return getComputedStyle(document.querySelector('svg rect')).fill"
    pages = {"light": ("", False), "dark": ("<style>:root{color-scheme:light dark}</style>", True)}
    for name, (style, dark) in pages.items():
        path = tmp_path / f"{name}.html"
        path.write_text(f"<!doctype html>{style}{picture}", encoding="utf-8")
        size(browser, 200, dark=True)
        browser.goto(path.as_uri())
        colour = palette.CARD.dark if dark else palette.CARD
        assert run(browser, shown) == f"rgb{tuple(rgb(colour))}"
        room, wide = widths(browser)
        assert wide == room, "the picture is scaled down"
    alone = tmp_path / "board.svg"
    alone.write_text(picture, encoding="utf-8")
    for dark in (False, True):
        size(browser, 200, dark)
        browser.goto(alone.as_uri())
        colour = palette.CARD.dark if dark else palette.CARD
        assert run(browser, shown) == f"rgb{tuple(rgb(colour))}"


# ---- games of strangers


def test_a_game_without_picture_shows_its_text():
    space = "\N{NO-BREAK SPACE}"
    first, second, _ = texts(Chest(1))
    assert first == f"<gold{space}&{space}'silver'>"
    assert second.startswith(f"{space}{space}opened")
    assert second.endswith("1\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}")
    assert texts(WIDE_TREE)[0].startswith("MAX"), "it is too wide to draw"


def test_a_game_may_bring_its_own_drawing():
    class Drawn(Chest):
        opened: int = 0

    picture = Picture(draw=lambda position, last: Drawing(0, 0, 7, 5, "mine", []))
    register_picture(Drawn, picture)
    assert 'aria-label="mine"' in svg.svg(Drawn())
    assert raster.pixels(Drawn()).shape == (5, 7, 3)
    assert len(elements(Chest())) > 1


def test_a_subclass_has_the_picture_of_its_base_and_a_namesake_has_none():
    class Tilted(Hex):
        pass

    namesake = type("Hex", (Chest,), {"opened": 0, "__annotations__": {"opened": int}})
    assert picture_of(Tilted(3)) is picture_of(Hex(3))
    assert picture_of(namesake()) is picture_of(Chest())
    assert picture_of(Anywhere()) is not picture_of(Chest())


def test_a_record_is_registered_for_a_class_and_nothing_else():
    with pytest.raises(TypeError, match="for a class of positions"):
        register_picture("hex", Picture(draw=draw))
    with pytest.raises(TypeError, match="a Picture record is needed"):
        register_picture(Chest, draw)


def test_what_terminals_and_pages_need_to_know_of_a_game():
    assert picture_of(Hex()).tasks == ("top to bottom", "left to right")
    assert picture_of(Hex()).row_shift == 0.5
    assert picture_of(ConnectFour()).column_names_below
    assert picture_of(TicTacToe()).stones == "XO"
    assert not picture_of(Pig()).tasks


def test_pictures_are_public_and_imported_when_they_are_used():
    """And an SVG needs no library."""
    assert adv_envs.register_picture is register_picture
    assert adv_envs.Picture is Picture
    code = (
        "import sys, adv_envs; assert 'adv_envs.pictures' not in sys.modules; "
        "adv_envs.Hex(5).svg(); "
        "heavy = {'numba', 'PIL', 'pygame', 'matplotlib', 'agents'} & set(sys.modules); "
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# ---- libraries


@pytest.mark.parametrize(
    ("module", "name", "needed"),
    [
        ("PIL", "Pillow", lambda: raster.pixels(TicTacToe())),
        ("pygame", "pygame", lambda: raster.Window("game")),
    ],
)
def test_a_missing_library_is_named_with_the_way_to_get_it(without, module, name, needed):
    without(module)
    with pytest.raises(ImportError) as caught:
        needed()
    message = str(caught.value)
    assert name in message
    assert 'pip install "adv-envs[render]"' in message
    assert "\n" not in message


# ---- the window


@pytest.fixture
def pygame(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    yield pytest.importorskip("pygame")
    sys.modules["pygame"].quit()


def test_a_window_shows_pictures_of_any_size_and_closes(pygame):
    window = raster.Window("a game")
    for position in (TicTacToe(), TicTacToe().after("b2"), Hex(4)):
        image = raster.pixels(position)
        window.show(image, 1000)
        surface = pygame.display.get_surface()
        assert surface.get_size() == (image.shape[1], image.shape[0])
        assert surface.get_at((30, 40))[:3] == tuple(image[40, 30])
    assert pygame.display.get_caption()[0] == "a game"
    window.close()
    window.close()
    assert not pygame.display.get_init()


def test_a_window_that_the_user_closed_stays_closed(pygame):
    window, image = raster.Window("a game"), raster.pixels(TicTacToe())
    window.show(image, 1000)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    window.show(image, 0.001)  # does not wait for the moment of the next picture
    assert window.closed
    assert not pygame.display.get_init()
    window.show(image, 1000)
    assert not pygame.display.get_init()


def test_closing_one_window_leaves_the_next_picture_of_another(pygame):
    first, second = raster.Window("first"), raster.Window("second")
    for window in (first, second):
        window.show(raster.pixels(TicTacToe()), 1000)
    first.close()
    second.show(raster.pixels(TicTacToe()), 1000)
    assert pygame.display.get_surface() is not None


def test_environments_render(pygame):
    env = adv_envs.env("connect_four", render_mode="human")
    env.metadata["render_fps"] = 1000
    env.reset(seed=1)
    env.step(3)
    copied = copy.deepcopy(env)
    env.close()
    copied.step(3)
    copied.close()
    env = adv_envs.env("hex", size=4, render_mode="rgb_array")
    env.reset()
    env.step(5)
    assert np.array_equal(env.render(), raster.pixels(Hex(4).play(5), 5))


# ---- frames


@pytest.mark.parametrize("name", sorted(GAMES))
def test_all_frames_of_a_game_have_one_size(name: str) -> None:
    """For every viewer and all of it, of random games to their ends."""
    rng, start, sizes = Random(1), start_position(name), set()
    for _ in range(3):
        position, last = start, None
        for _ in range(60):
            views = [position.hidden(player) for player in range(position.num_players)]
            sizes |= {(d.width, d.height) for d in (draw(position, last), *map(draw, views))}
            if position.is_terminal():
                break
            last = rng.choice(position.legal_actions())
            position = position.play(last)
    assert len(sizes) == 1


@pytest.mark.parametrize("players", [3, 5])
def test_tables_of_poker_have_one_size(players: int) -> None:
    rng, start = Random(players), start_position("leduc", players=players)
    sizes = set()
    for _ in range(100):
        position = start
        while not position.is_terminal():
            position = position.play(rng.choice(position.legal_actions()))
            drawn = draw(position)
            sizes.add((drawn.width, drawn.height))
    assert len(sizes) == 1


def test_frames_of_an_environment_can_be_recorded() -> None:
    env = gymnasium.make("adv_envs/RockPaperScissors-v0", rounds=2, render_mode="rgb_array")
    recorded = gymnasium.wrappers.AddRenderObservation(env)
    observation, _ = recorded.reset(seed=1)
    over = False
    while not over:
        assert recorded.observation_space.contains(observation)
        observation, _, over, _, _ = recorded.step(0)
    assert recorded.observation_space.contains(observation)
