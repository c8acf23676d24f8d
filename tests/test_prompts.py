"""Tests that prompts have nothing that their player must not know, and that leaks are found."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from hidden_games import HIDDEN

from adv_envs import GAMES, Kuhn, start_position
from adv_envs.text import conversation
from adv_envs.text.env import TextGame

pytestmark = pytest.mark.plain

SCRIPT = spec_from_file_location(
    "prompts", Path(__file__).parent.parent / "benchmarks" / "prompts.py"
)
assert SCRIPT is not None
assert SCRIPT.loader is not None
prompts: Any = module_from_spec(SCRIPT)
SCRIPT.loader.exec_module(prompts)


def leaks(name: str, number: int = 60) -> int:
    return int(prompts.search(name, number, seed=1)["leaks"])


WHOLE_DECK = "texas_holdem", "texas_holdem_no_limit"
"""Games in which hardly anybody is dealt the same cards twice."""


@pytest.mark.parametrize("name", HIDDEN)
def test_no_prompt_says_what_its_player_must_not_know(name: str) -> None:
    counts = prompts.search(name, 300, seed=1)
    assert counts["leaks"] == 0
    assert counts["prompts"] >= 300
    assert counts["deals"] > 20
    assert counts["facts"] > 60
    assert counts["equal"] > 0 or name in WHOLE_DECK


def test_the_script_knows_every_game_of_hidden_information() -> None:
    assert sorted(prompts.VARIANTS) == sorted(HIDDEN)
    assert set(HIDDEN) == {g for g in GAMES if not start_position(g).perfect_information}


@pytest.mark.parametrize("name", HIDDEN)
def test_a_board_that_shows_everything_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversation, "view_of", lambda position, seat: position)
    assert leaks(name) > 5


@pytest.mark.parametrize("name", HIDDEN)
def test_a_view_that_hides_nothing_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No other deal gives the same view then: the names tell."""
    monkeypatch.setattr(type(start_position(name)), "hidden", lambda self, player: self)
    assert leaks(name) > 5


def test_a_card_that_is_announced_to_all_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """No name is hidden then: the other deals tell."""
    monkeypatch.setattr(Kuhn, "seen_after", lambda self, player, action: 0)
    assert leaks("kuhn") > 5


def test_rules_that_tell_the_deal_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    unchanged = TextGame.messages

    def messages(self: TextGame, seat: int | None = None) -> Any:
        found = unchanged(self, seat)
        return [{**found[0], "content": f"{found[0]['content']} {self.session.text()}"}, *found[1:]]

    monkeypatch.setattr(TextGame, "messages", messages)
    assert leaks("kuhn") > 5


@pytest.mark.parametrize("name", ["kuhn", "phantom_tic_tac_toe"])
def test_facts_that_tell_the_deal_are_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prompts, "game_facts", lambda game, seat: {"all": game.session.text()})
    assert leaks(name, 300) > 2
