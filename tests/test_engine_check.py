"""Engines and Python agree in Node.js and Chromium; ``make engines-check`` is the long proof."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from browser import open_page
from engine_check.__main__ import starts
from engine_check.compare import compare_games, compare_searches
from engine_check.hosts import Host, browser_page, node
from engine_check.rules import digests

from adv_envs import Position, TicTacToe

GAMES = [*starts([])]
SEARCHED = ("connect_four-0", "tic_tac_toe-0")
"""Modules whose searches are compiled here in a moment."""


def name(value: Any) -> str:
    return value if isinstance(value, str) else ""


@pytest.fixture(scope="module")
def in_node() -> Iterator[dict[str, Host]]:
    with node() as host:
        yield {"Node.js": host}


@pytest.mark.plain
@pytest.mark.needs("node")
@pytest.mark.parametrize(("module", "start"), GAMES, ids=name)
def test_rules(
    module: str, start: Position, in_node: dict[str, Host], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Against plain Python, which the laws compare with compiled code: that takes a second each."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    plies, wrong = compare_games(module, start, 60, Random(repr(start)), in_node)
    assert plies >= 60
    assert not wrong


@pytest.mark.compiled
@pytest.mark.needs("node")
@pytest.mark.parametrize(("module", "start"), [g for g in GAMES if g[0] in SEARCHED], ids=name)
def test_searches(module: str, start: Position, in_node: dict[str, Host]) -> None:
    done, _, wrong = compare_searches(module, start, 4, Random(repr(start)), in_node)
    assert done >= 20
    assert not wrong


@pytest.mark.compiled
@pytest.mark.needs("node")
def test_rules_in_a_browser(chromium: Any) -> None:
    module, start = next(game for game in GAMES if game[0] == SEARCHED[0])
    no_icon = "404"  # of the site, which browsers ask for
    with open_page(chromium, harmless=no_icon) as page, browser_page(page) as host:
        _, wrong = compare_games(module, start, 500, Random(1), {"Chromium": host})
    assert not wrong


@pytest.mark.plain
def test_what_differs_is_told() -> None:
    module, start = next(game for game in GAMES if game[0] == SEARCHED[1])

    def broken(job: dict[str, Any]) -> Any:
        found = [[*each] for each in digests(start, job["games"]["seeds"])]
        found[1][0] ^= 1
        return found

    _, (wrong,) = compare_games(module, start, 100, Random(2), {"a host": broken})
    assert wrong.startswith(f"{start!r}: the game with seed ")
    assert wrong.endswith(" is another one in a host")


@pytest.mark.parametrize(
    ("method", "other"),
    [
        ("utility", lambda self, player: 2.0 * player),
        ("observe", lambda self, player, planes: planes.__setitem__((0, 0, 0), 1 - player)),
        ("legal", lambda self, action: action == self.ply),
        ("is_terminal", lambda self: self.ply == 4),
        ("to_move", property(lambda self: 1 - self.ply % 2)),
    ],
)
def test_a_digest_is_of_all_that_is_answered(
    method: str, other: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds = [*range(1, 9)]
    before = digests(TicTacToe(), seeds, plain=True)
    monkeypatch.setattr(TicTacToe, method, other)
    assert digests(TicTacToe(), seeds, plain=True) != before
