"""``adv-envs warm`` compiles what a game needs, says how long it takes, and does it once."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import refused, well

from adv_envs.jit import disabled
from adv_envs.registry import GAMES
from agents import AlphaBeta
from agents.background import NotCompiled, compiled_only
from agents.cli import warming
from agents.cli.console import CommandError
from agents.cli.warming import in_words, is_compiled, searches
from agents.knowledge import suitable_opponent

pytestmark = pytest.mark.compiled

kernels: Any = sys.modules["adv_envs.jit.kernel"]  # the module, not the decorator


@pytest.fixture
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes it so that no kernel is compiled yet, as far as this process knows."""
    if disabled():
        pytest.skip("NUMBA_DISABLE_JIT is set")
    kinds = kernels._kinds
    monkeypatch.setattr(kernels, "_kinds", lambda args: (1, *k) if (k := kinds(args)) else k)
    monkeypatch.setattr(kernels, "is_kept", lambda *what: False)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_searches_each_of_them_once(name: str) -> None:
    found = list(searches(name))
    assert found
    assert len({repr(search.agent) for search in found}) == len(found)
    assert all(search.position.legal_actions() for search in found)


def test_agents_with_a_limit_of_time_move_at_once() -> None:
    for name in GAMES:
        for search in searches(name):
            assert search.agent.limits().get("seconds") is None or search.agent.seconds < 0.1


def test_what_is_not_compiled_is_seen_without_compiling(nothing_kept: None) -> None:
    for search in searches("connect_four"):
        assert not is_compiled(search)
    with compiled_only(), pytest.raises(NotCompiled):
        AlphaBeta(depth=1).act(search.position)


def test_a_search_in_plain_python_alone_needs_nothing(nothing_kept: None) -> None:
    (search,) = searches("nim")
    assert suitable_opponent(search.position) == repr(search.agent)
    assert is_compiled(search)


def warm(cache: Path, *games: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "adv_envs", "warm", *games],
        env={**os.environ, "ADV_ENVS_CACHE": str(cache)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.skipif(disabled(), reason="NUMBA_DISABLE_JIT is set")
def test_it_compiles_once(tmp_path: Path) -> None:
    assert warm(tmp_path, "kuhn") == (
        f"Compiling 1 search, about 6 seconds.\nCompiled 1 search, kept in {tmp_path}.\n"
    )
    assert list(tmp_path.glob("*.kernel"))
    assert warm(tmp_path, "kuhn", "Kuhn") == "Nothing to do for kuhn: all is compiled.\n"


@pytest.mark.skipif(disabled(), reason="NUMBA_DISABLE_JIT is set")
def test_what_could_not_be_compiled_is_an_error(nothing_kept: None) -> None:
    missing = list(searches("connect_four"))
    text = f"not compiled: {len(missing)} of {len(missing)} search"
    with pytest.raises(CommandError, match=text):
        warming.report(missing, missing, "here")


def test_words(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (in_words(12.4), in_words(200)) == ("12 seconds", "3 minutes")
    assert "say --all" in refused("warm")
    assert "did you mean 'chess'" in refused("warm", "ches")
    if not disabled():
        assert well("warm", "nim") == "Nothing to do for nim: all is compiled.\n"
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert "NUMBA_DISABLE_JIT is set" in refused("warm", "nim")


def test_nowhere_to_keep_it(monkeypatch: pytest.MonkeyPatch) -> None:
    if disabled():
        pytest.skip("NUMBA_DISABLE_JIT is set")
    monkeypatch.setattr(warming, "folder", lambda: None)
    assert "set ADV_ENVS_CACHE" in refused("warm", "nim")
