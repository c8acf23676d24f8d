"""The script that makes the README's pictures of pages: what it says before it has a browser."""

import runpy
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.compiled

SCRIPT = Path(__file__).resolve().parents[1] / "docs" / "make_gallery.py"


def run(monkeypatch, *arguments):
    """Run it as a program; what it says at the end."""
    monkeypatch.setattr(sys, "argv", [str(SCRIPT), *arguments])
    monkeypatch.setattr(sys, "path", [*sys.path])
    with pytest.raises(SystemExit) as left:
        runpy.run_path(str(SCRIPT), run_name="__main__")
    return left.value.code


def test_help_tells_what_is_made(monkeypatch, capsys):
    assert run(monkeypatch, "--help") == 0
    text = capsys.readouterr().out
    assert "Hex" in text
    assert "--out" in text


def test_without_a_browser_it_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    said = run(monkeypatch, "--out", str(tmp_path))
    assert "apt-get install chromium" in said or "pip install playwright" in said
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_is_refused(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert "file" in run(monkeypatch, "--out", str(tmp_path / "file"))
