"""Heat maps: every move's value where the move goes, in a colour that says how good it is."""

from xml.etree import ElementTree

import numpy as np
import pytest
from small_games import Pile

from adv_envs import ConnectFour, Fig52, Hex, Pig, Position, ThirtyOne, TicTacToe, Tree
from adv_envs.pictures import draw, heat_map, palette, places
from adv_envs.pictures.heat import ColourScale, short
from adv_envs.pictures.palette import contrast, rgb
from adv_envs.pictures.raster import heat_map_pixels
from adv_envs.pictures.shapes import Circle, Polygon, Rect, Shape, Text
from adv_envs.pictures.svg import heat_map_svg

pytestmark = pytest.mark.plain

POSITIONS = [
    TicTacToe().after("b2 a1"),
    TicTacToe(6, 7, 4).after("a1 b1 a2"),
    ConnectFour().after("4455"),
    ConnectFour(4, 5, 3).after("1111"),
    Hex(4).after("a1 b1"),
    Hex(11).after("f6"),
    Hex(5, swap=True).after("b1"),
    ThirtyOne().after("1535"),
    ThirtyOne(10_000, 1023, 6),
    Fig52(),
    Fig52().after("a3"),
    Tree({f"m{i}": {f"n{j}": -1.5 * i * j for j in range(9)} for i in range(9)}),
    Pig().after("roll 4"),
    Pile(),
]
ids = [f"{type(p).__name__}{i}" for i, p in enumerate(POSITIONS)]


def made_up(position: Position) -> dict[int, float]:
    """Different values on both sides of 0."""
    actions = position.legal_actions()
    return {a: i - len(actions) / 2 + 0.25 for i, a in enumerate(actions)}


def added(position: Position, values: dict[int, float]) -> list[Shape]:
    """The shapes that are on the heat map only."""
    return heat_map(position, values).shapes[len(draw(position).shapes) :]


def written(shapes: list[Shape]) -> list[str]:
    return [shape.text for shape in shapes if isinstance(shape, Text)]


def framed(shapes: list[Shape]) -> list[Shape]:
    """What has a golden frame."""
    return [
        s for s in shapes if not isinstance(s, Text) and getattr(s, "stroke", 0) == palette.GOLD
    ]


@pytest.mark.parametrize("position", POSITIONS, ids=ids)
def test_every_value_is_written_and_the_best_is_framed(position: Position) -> None:
    values = made_up(position)
    shapes = added(position, values)
    for value in values.values():
        assert short(value) in written(shapes)
    assert len(framed(shapes)) == 1
    least = min(values.values())
    many = dict.fromkeys(values, least)
    assert len(framed(added(position, many))) == len(values)


@pytest.mark.parametrize("position", POSITIONS, ids=ids)
def test_the_picture_is_well_formed_and_in_its_frame(position: Position) -> None:
    values = made_up(position)
    root = ElementTree.fromstring(heat_map_svg(position, values))
    left, top, width, height = map(float, root.get("viewBox", "").split())
    for element in root:
        points = element.get("points", f"{element.get('cx', left)},{element.get('cy', top)}")
        points += f" {element.get('x', left)},{element.get('y', top)}"
        for x, y in (map(float, point.split(",")) for point in points.split()):
            assert left <= x <= left + width
            assert top <= y <= top + height
    pixels = heat_map_pixels(position, values)
    assert pixels.shape == (height, width, 3)


@pytest.mark.parametrize("position", [p for p in POSITIONS if places(p)], ids=repr)
def test_spots_do_not_overlap(position: Position) -> None:
    spots = list(places(position).values())
    middles = np.array([(spot.x, spot.y) for spot in spots])
    for i, spot in enumerate(spots):
        apart = np.linalg.norm(np.delete(middles, i, axis=0) - middles[i], axis=1)
        if len(apart):
            assert apart.min() >= 1.7 * spot.half


def test_the_discs_of_connect_four_stand_where_they_would_come_to_rest() -> None:
    position = ConnectFour().after("445")
    found = places(position)
    for action in position.legal_actions():
        after = position.play(action)
        new = [
            (x.x, x.y)
            for x in draw(after).shapes
            if isinstance(x, Circle) and x.fill in (palette.RED, palette.YELLOW)
        ]
        assert any((x, y) == pytest.approx((found[action].x, found[action].y)) for x, y in new)
    full = ConnectFour(4, 5, 3).after("1111")
    assert 0 not in places(full)


def test_hexagons_cover_the_cells_that_are_empty() -> None:
    position = Hex(5).after("c3 a1")
    cells = [s for s in draw(position).shapes if isinstance(s, Polygon) and s.fill == palette.CELL]
    assert len(cells) == 25
    marked = [s for s in added(position, made_up(position)) if isinstance(s, Polygon) and s.fill]
    assert len(marked) == 23


def test_the_swap_and_moves_of_other_games_are_bars() -> None:
    position = Hex(5, swap=True).after("b1")
    values = made_up(position)
    assert "swap" in written(added(position, values))
    assert "a1" not in written(added(position, values))
    shapes = added(Pig().after("roll 4"), {0: 0.5, 1: 0.25})
    long, brief = (s.width for s in shapes if isinstance(s, Rect) and s.height == 12 and s.radius)
    assert long == pytest.approx(2 * brief)


def test_the_last_move_is_marked_as_on_the_usual_picture() -> None:
    position = Hex(5).after("c3")
    values = made_up(position)
    assert heat_map(position, values, 12).shapes != heat_map(position, values).shapes
    assert len(heat_map(position, values, 12).shapes) == len(heat_map(position, values).shapes) + 1


# ---- colours


def test_good_is_teal_and_bad_is_brown() -> None:
    scale = ColourScale([-2, 0, 1])
    assert scale.colours(-2)[0] == palette.BROWN_TEAL[0]
    assert scale.colours(0)[0] == palette.BROWN_TEAL[4]
    assert scale.colours(2)[0] == palette.BROWN_TEAL[-1]
    for values in ([-3, 5], [1, 2, 3], [-1, -9], [0.25], [-1]):
        for value in values:
            red, _, blue = rgb(ColourScale(values).colours(value)[0])
            assert (blue > red) == (value > 0)


@pytest.mark.parametrize("values", [[-3, -1, 0, 2, 5], [1, 2, 3], [-1, -5, -9], [0.001, 0.0011]])
def test_better_is_further_along_the_scale(values: list[float]) -> None:
    scale = ColourScale(values)
    depths = [scale.depth(value) for value in sorted(values)]
    assert depths == sorted(set(depths))
    assert max(map(abs, depths)) == pytest.approx(1)


@pytest.mark.parametrize("values", [[0, 0], [1, 1], [-4]])
def test_scales_of_one_value(values: list[float]) -> None:
    scale = ColourScale(values)
    assert abs(scale.depth(values[0])) == (values[0] != 0)
    assert written(scale.legend(0, 0, 200)) == [short(values[0])]


def test_numbers_can_be_read_on_their_colours_on_light_and_on_dark_pages() -> None:
    scale = ColourScale([-1, 1])
    for value in np.linspace(-1, 1, 101):
        fill, ink = scale.colours(float(value))
        assert contrast(fill, ink) >= 4.5
        assert contrast(fill.dark, ink.dark) >= 4.5
        assert contrast(palette.GOLD, palette.HALO) >= 3
        assert contrast(palette.GOLD.dark, palette.HALO.dark) >= 3


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (18, "+18"),
        (-2.0, "−2"),
        (0, "0"),
        (-0.0, "0"),
        (0.001, "0"),
        (-0.354, "−0.35"),
        (12.34, "+12.3"),
        (123.4, "+123"),
        (-99999, "−1e5"),
    ],
)
def test_short_numbers(value: float, text: str) -> None:
    assert short(value) == text


def test_decided_games_are_deeper_than_any_evaluation() -> None:
    inf = float("inf")
    values = {0: inf, 1: -inf, 2: 18.0, 3: -5.0}
    scale = ColourScale(values.values())
    assert [scale.depth(value) for value in (inf, -inf)] == [1, -1]
    assert abs(scale.depth(18)) < 1
    shapes = added(ConnectFour(), values)
    assert {"win", "loss", "+18", "−5"} <= set(written(shapes))
    assert len(framed(shapes)) == 1
    assert {"win", "loss"} <= set(written(added(ConnectFour(), {0: inf, 1: -inf})))
    assert written(added(Pig().after("roll 4"), {0: inf, 1: -1.0}))


# ---- bad input


def test_finished_games_are_refused() -> None:
    with pytest.raises(ValueError, match="the game is over"):
        heat_map_svg(TicTacToe().after("a1 a2 b1 b2 c1"), {})


def test_a_map_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one move"):
        heat_map_svg(TicTacToe(), {})


@pytest.mark.parametrize("action", [4, 9, -1])
def test_illegal_actions_are_refused(action: int) -> None:
    with pytest.raises(ValueError, match=f"{action} is not a legal action; legal: a1"):
        heat_map_svg(TicTacToe().after("b2"), {action: 0})


def test_values_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="the value of a1 must be a number, not nan"):
        heat_map_svg(TicTacToe(), {0: float("nan")})
