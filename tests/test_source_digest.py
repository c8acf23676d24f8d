"""The digest of what a module is made of changes with the code, and with nothing else."""

import importlib.util

import pytest

from adv_envs import ConnectFour, Hex
from adv_envs.jit import kernel
from adv_envs.jit.source_digest import digest_of_sources

SOURCE = '''"""Says what it does."""
from adv_envs.jit import kernel

LIMIT = 3


def helper(number):
    """Returns more."""
    if number > LIMIT:
        number -= 1
        number *= 2
    return number + LIMIT


@kernel
def entry(number):
    """Returns what ``helper`` does."""
    return helper(number) * 2  # twice
'''


@pytest.fixture
def digest_of(tmp_path):
    """The digest of the kernel of a file with this source."""

    def load(source, **bound):
        path = tmp_path / f"source_{len(list(tmp_path.iterdir()))}.py"
        path.write_text(source, encoding="utf-8")
        spec = importlib.util.spec_from_file_location("source_of_a_kernel", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return digest_of_sources(module.entry.bind(**bound))

    return load


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# twice", "# two times"),
        ("Returns more.", "Returns\\n    even more."),
        ("return number + LIMIT", "return  number + LIMIT"),
    ],
)
def test_words_and_blanks_do_not_count(digest_of, old, new):
    assert digest_of(SOURCE.replace(old, new)) == digest_of(SOURCE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (") * 2", ") * 3"),
        ("LIMIT = 3", "LIMIT = 4"),
        ("number + LIMIT", "number - LIMIT"),
        ("        number *= 2", "    number *= 2"),
    ],
)
def test_code_and_constants_count(digest_of, old, new):
    assert digest_of(SOURCE.replace(old, new)) != digest_of(SOURCE)


def test_what_is_bound_counts(digest_of):
    assert digest_of(SOURCE, LIMIT=3) != digest_of(SOURCE, LIMIT=5)


@kernel
def moves(position):
    return position.num_actions


def test_members_of_positions_count_where_they_are_used(monkeypatch):
    before = digest_of_sources(moves, ConnectFour())
    monkeypatch.setattr(ConnectFour, "rules", lambda self: "none")
    assert digest_of_sources(moves, ConnectFour()) == before
    monkeypatch.setattr(ConnectFour, "num_actions", property(lambda self: 3))
    assert digest_of_sources(moves, ConnectFour()) != before


def test_games_of_other_widths_are_others():
    assert digest_of_sources(moves, Hex(7)) == digest_of_sources(moves, Hex(6))
    assert digest_of_sources(moves, Hex(11)) != digest_of_sources(moves, Hex(7))
