"""Lets Ctrl-C end the command line without a traceback while the packages are being imported.

That takes a moment, and ``agents.cli.main``, which handles Ctrl-C from then on, runs after it. In
every other program that imports the package nothing is changed.
"""

from __future__ import annotations

import os
import signal
import sys


def is_command_line() -> bool:
    """Returns whether this process is ``adv-envs`` or ``python -m adv_envs``."""
    program = os.path.basename(sys.argv[0]) if sys.argv else ""
    return program.startswith("adv-envs") or (program == "-m" and "adv_envs" in sys.orig_argv)


if is_command_line() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
