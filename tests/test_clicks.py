"""What is clicked on pictures: every move can be made, in one way, from both sides."""

from random import Random

import pytest
from samples import SAMPLES

from adv_envs import CHANCE, Chess, ConnectFour, Go, Hex
from adv_envs.pictures.clickable import clickable
from adv_envs.pictures.picture import picture_of
from adv_envs.random import chance_action

TWO_SIDED = {
    "amazons",
    "animal_shogi",
    "backgammon",
    "breakthrough",
    "checkers",
    "chess",
    "kalah",
    "minichess",
    "quoridor",
}


def some_positions(name):
    """Positions of random games, each with the action that led there, and those of views."""
    samples, rng = SAMPLES[name], Random(name)
    for start in (*samples.small, *samples.large):
        position, last = start, None
        for _ in range(10):
            yield position, last
            if not position.perfect_information and position.to_move >= 0:
                yield position.hidden(position.to_move), None
            if position.is_terminal():
                break
            if position.to_move == CHANCE:
                last = chance_action(position, rng.random())
            else:
                last = rng.choice(position.legal_actions())
            position = position.play(last)


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("name", SAMPLES)
def test_every_move_can_be_made_in_one_way(name: str, flipped: bool) -> None:
    for position, last in some_positions(name):
        data = clickable(position, last, flipped=flipped)
        legal = [] if position.is_terminal() else position.legal_actions()
        assert [action for action, *_ in data["actions"]] == list(legal)
        ways = [tuple(way) for _, _, way, _ in data["actions"]]
        for way in ways:
            assert not any(way[:i] in ways for i in range(1, len(way))), f"{way} goes on"
            assert len(set(way)) == len(way)
        said = {(way, label) for way, (_, _, _, label) in zip(ways, data["actions"], strict=True)}
        assert len(said) == len(ways), "two moves look the same"
        used = {target for way in ways for target in way}
        assert used == set(range(len(data["targets"])))


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("name", SAMPLES)
def test_targets_lie_on_the_picture_and_not_on_each_other(name: str, flipped: bool) -> None:
    for position, last in some_positions(name):
        data = clickable(position, last, flipped=flipped)
        left, top, width, height = data["box"]
        for x, y, wide, high, form, _, shown in data["targets"]:
            assert left <= x - wide < x + wide <= left + width
            assert top <= y - high < y + high <= top + height
            assert form in {"box", "disc", "hexagon", "diamond"}
            assert shown is None or (
                left <= shown[0] - shown[2] < shown[0] + shown[2] <= left + width
            )
        for i, one in enumerate(data["targets"]):
            assert not any(within(one[:2], other) for other in data["targets"][:i])


def within(point, target):
    """Whether a point lies in a target's rectangle, its edge aside."""
    x, y, wide, high = target[:4]
    return abs(point[0] - x) < wide and abs(point[1] - y) < high


@pytest.mark.parametrize("name", SAMPLES)
def test_heat_maps_can_be_clicked_as_pictures_can(name: str) -> None:
    for position, last in some_positions(name):
        if position.is_terminal():
            continue
        plain = clickable(position, last)
        values = dict.fromkeys(position.legal_actions(), 1.0)
        warm = clickable(position, last, values=values)
        assert (warm["targets"], warm["actions"]) == (plain["targets"], plain["actions"])
        lines = warm["shapes"].splitlines()
        assert "\n".join(lines[: warm["own"]]) == plain["shapes"]
        assert len(lines) > warm["own"] == plain["own"]


@pytest.mark.parametrize("name", SAMPLES)
def test_games_with_sides_look_different_from_the_other_one(name: str) -> None:
    start = (*SAMPLES[name].large, *SAMPLES[name].small)[0]
    picture = picture_of(start)
    assert (picture.flipped is not None and not picture.upright) == (name in TWO_SIDED)
    here, there = clickable(start), clickable(start, flipped=True)
    if picture.upright:
        assert here["box"][2] / here["box"][3] > 1 > there["box"][2] / there["box"][3]
        return
    assert (here["shapes"] != there["shapes"]) == (name in TWO_SIDED)
    assert here["box"] == there["box"]
    assert here["title"] == there["title"]


def test_the_other_side_of_a_board_is_that_of_half_a_turn() -> None:
    beside_the_board = {"animal_shogi", "backgammon"}  # pieces in hand, men on the bar
    for name in TWO_SIDED - beside_the_board:
        for position, _ in some_positions(name):
            if not position.is_terminal():
                here, there = clickable(position), clickable(position, flipped=True)
                middle = sum_of_centres(here, there)
                assert len(set(middle)) <= 1


def sum_of_centres(here, there):
    """For each action the sum of its first targets' centres, rounded."""
    for one, other in zip(here["actions"], there["actions"], strict=True):
        if one[2]:
            (x, y, *_), (a, b, *_) = here["targets"][one[2][0]], there["targets"][other[2][0]]
            yield round(x + a), round(y + b)


def test_a_pawn_becomes_what_the_button_says() -> None:
    position = Chess.from_fen("8/P7/8/8/8/8/k6K/8 w - - 0 1")
    promotions = [each for each in clickable(position)["actions"] if each[1].startswith("a7a8")]
    assert {label: name for _, name, _, label in promotions} == {
        "queen": "a7a8q",
        "rook": "a7a8r",
        "bishop": "a7a8b",
        "knight": "a7a8n",
    }
    assert len({tuple(ways) for _, _, ways, _ in promotions}) == 1


def test_squares_say_what_stands_on_them() -> None:
    labels = {target[5] for target in clickable(Chess())["targets"]}
    assert {"e2, white pawn", "g1, white knight", "e4", "f3"} <= labels


def test_whole_columns_and_cells_are_clicked() -> None:
    data = clickable(ConnectFour())
    assert {(wide, high) for _, _, wide, high, *_ in data["targets"]} == {(32.5, 195)}
    assert {form for *_, form, _, _ in clickable(Hex())["targets"]} == {"hexagon"}
    board = clickable(Go(9))
    assert [label for _, _, ways, label in board["actions"] if not ways] == ["pass"]


def test_nothing_is_clicked_where_nobody_may_play() -> None:
    data = clickable(Chess(), playable=False)
    assert (data["targets"], data["actions"]) == ([], [])
