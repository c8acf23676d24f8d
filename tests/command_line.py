"""Runs command lines: in this process, or in one of its own."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from children import child
from typer.testing import CliRunner

from agents.cli import app


class Answer(NamedTuple):
    """What a command printed, and how it ended."""

    code: int
    out: str
    err: str


def run(*args: str, typed: str | bytes = "", **environment: str) -> Answer:
    """Run a command, with this input, in an environment with these variables too."""
    runner = CliRunner(env=environment)
    result = runner.invoke(app, args, input=typed, prog_name="adv-envs")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return Answer(result.exit_code, result.stdout, result.stderr)


def well(*args: str, typed: str | bytes = "") -> str:
    """What a command that succeeds, and complains of nothing, prints."""
    answer = run(*args, typed=typed)
    assert (answer.code, answer.err) == (0, "")
    return answer.out


def refused(*args: str) -> str:
    """What a command that is refused complains of, without line breaks; it prints nothing else."""
    answer = run(*args)
    assert answer.code in (1, 2)
    assert answer.out == ""
    return words(answer.err)


def words(text: str) -> str:
    """The text without its line breaks and frames."""
    return " ".join(re.sub("[│╭╮╰╯─]", " ", text).split())


@contextmanager
def process(*args: str, **options: Any) -> Iterator["subprocess.Popen[str]"]:
    """``python -m adv_envs`` with these arguments; it does not outlive the test."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    line = [sys.executable, "-m", "adv_envs", *args]
    with child(line, text=True, encoding="utf-8", **{**pipes, **options}) as started:
        yield started
