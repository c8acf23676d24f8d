"""The token that a restarted server has again: nobody else can have put it there or read it."""

import os
import time

import pytest

from agents.web import kept_token as module
from agents.web.kept_token import KEPT, kept_token, new_token


@pytest.fixture
def file(tmp_path, monkeypatch):
    """Where the token of port 8000 is kept."""
    monkeypatch.setattr(module.platformdirs, "user_state_path", lambda *a, **k: tmp_path / "state")
    return tmp_path / "state" / "token_8000"


def test_a_port_has_the_same_token_again_and_others_have_their_own(file):
    token = kept_token(8000)
    assert kept_token(8000) == token
    assert kept_token(8001) != token
    assert new_token() not in {token, new_token()}
    assert len(token) == 32
    if os.name == "posix":
        assert file.stat().st_mode & 0o077 == 0
        assert file.parent.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "text", ["", "short", "x" * 31, "x" * 33, "é" * 32, "x" * 31 + "\n", "../" * 11]
)
def test_what_is_no_token_does_not_count(file, text):
    kept_token(8000)
    file.write_text(text, encoding="utf-8")
    assert kept_token(8000) != text
    assert len(kept_token(8000)) == 32


def test_an_old_token_does_not_count(file):
    token = kept_token(8000)
    os.utime(file, (time.time() - KEPT - 60,) * 2)
    assert kept_token(8000) != token


@pytest.mark.skipif(os.name != "posix", reason="files have no modes")
def test_a_file_that_others_can_read_or_a_link_does_not_count(file, tmp_path):
    token = kept_token(8000)
    file.chmod(0o644)
    second = kept_token(8000)
    assert second != token
    assert file.stat().st_mode & 0o077 == 0
    other = tmp_path / "other"
    file.rename(other)
    file.symlink_to(other)
    assert kept_token(8000) != second
    assert other.read_text() == second  # what the link leads to is not written


def test_a_folder_that_cannot_be_written_costs_only_the_keeping(file):
    file.parent.write_text("a file where the folder should be")
    assert len(kept_token(8000)) == 32
