"""No public entry takes a position that its game cannot have: see ``entries.py``."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.compiled
def test_every_public_entry_refuses_what_no_game_can_have(tmp_path: Path) -> None:
    """In a process of its own, which compiled code would end if it trusted such a position."""
    here = Path(__file__).parent
    done = subprocess.run(
        [sys.executable, str(here / "entries.py")],
        check=False,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": f"{here.parent}{os.pathsep}{here}"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
    )
    *_, last = done.stderr.strip().splitlines()
    assert done.returncode == 0, f"the process ended with {done.returncode} in {last}"
    assert done.stdout == ""
    assert last.endswith("entries")
