"""Every game against OpenSpiel's: random games ply by ply, and whole trees."""

from typing import Any

import pytest
from games.cases import PEERS
from games.laws import fresh_seed, numbered, play_beside, told, tree_beside, tree_size

from adv_envs import DarkHex, Go, Goofspiel, Hex, Kuhn, Leduc, LiarsDice, RockPaperScissors
from adv_envs.jit import disabled


@pytest.mark.parametrize("name", PEERS)
def test_random_games(name: str) -> None:
    plies = PEERS[name].plies // (3 if disabled() else 1)
    assert play_beside(PEERS[name], plies, fresh_seed()) >= plies


@pytest.mark.slow
@pytest.mark.parametrize("name", PEERS)
def test_many_random_games(name: str) -> None:
    print(f"{play_beside(PEERS[name], 100_000, fresh_seed()):,} plies compared")


@pytest.mark.parametrize(
    ("name", "start"),
    [("hex", Hex(19)), ("hex", Hex(19, swap=True)), ("go", Go(9)), ("go", Go(19))],
)
def test_large_boards(name: str, start: Any) -> None:
    play_beside(PEERS[name]._replace(starts=lambda rng: [start]), 1, fresh_seed())


@pytest.mark.parametrize(
    ("name", "start"),
    [
        *(("kuhn", Kuhn(players)) for players in (2, 3, 4)),
        ("leduc", Leduc()),
        *(("dark_hex", DarkHex(2, abrupt)) for abrupt in (False, True)),
        *(("liars_dice", LiarsDice(*size)) for size in ((1, 2), (1, 3), (1, 4), (2, 2))),
        ("rock_paper_scissors", RockPaperScissors()),
        ("goofspiel", Goofspiel(3, -1, secret=True)),
        ("goofspiel", Goofspiel(3, 0, secret=True)),
        ("goofspiel", Goofspiel(4, -1, secret=True)),
        ("goofspiel", Goofspiel(4, 1, secret=True, margin=True)),
        ("goofspiel", Goofspiel(5, 1, secret=True, turns=2)),
        ("goofspiel", Goofspiel(4, 0, secret=True, turns=2)),
        pytest.param("goofspiel", Goofspiel(4, 0, secret=True), marks=pytest.mark.slow),
    ],
)
def test_whole_trees(name: str, start: Any) -> None:
    """Positions look the same here exactly where OpenSpiel's information states do."""
    found = tree_beside(PEERS[name]._replace(told=PEERS[name].told or told), start)
    histories, _, sets = tree_size(start)
    assert found == (histories, sets)


@pytest.mark.parametrize(
    "wrong",
    [
        {"actions": numbered(lambda position, action: action + 1)},
        {"returns": lambda position, state: [1.0, 1.0]},
        {"game": lambda position: "nim(pile_sizes=1;2;4)"},
        {"told": lambda position, state: {0: "nothing"}},
    ],
)
def test_the_law_can_fail(wrong: dict[str, Any]) -> None:
    """A wrong number of an action, result, start or information state is found."""
    with pytest.raises(AssertionError):
        play_beside(PEERS["nim"]._replace(**wrong), 100, 0)
