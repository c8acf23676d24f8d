"""What each command installs and runs: light tests need no PyTorch, and say what they skip."""

import importlib.util
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

pytestmark = pytest.mark.plain

ROOT = Path(__file__).parent.parent
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]


def libraries(extra):
    """The names of what an extra brings, by way of other extras too."""
    found = set()
    for line in EXTRAS[extra]:
        name, inner = re.fullmatch(r"([\w-]+)(?:\[([\w,]+)\])?.*", line).groups()
        found |= {name} if name != "adv-envs" else set().union(*map(libraries, inner.split(",")))
    return found


def test_make_test_and_make_check_install_no_pytorch():
    for extra in ("test", "dev"):
        assert {"pytest", "scipy", "pillow"} <= libraries(extra)
        assert not {"torch", "ray", "playwright", "matplotlib"} & libraries(extra)
    assert {"torch", "ray", "sb3-contrib", "tianshou", "torchrl", "pygame-ce"} <= libraries("all")


def test_what_is_skipped_is_said_in_one_line():
    command = [sys.executable, "-m", "pytest", "--light", "-q", "-n", "0", "-p", "no:cacheprovider"]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    done = subprocess.run(
        [*command, "tests/test_learning.py"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    told = [line for line in done.stdout.splitlines() if "make test-all" in line]
    assert len(told) == 1
    assert re.fullmatch(r"\d+ skipped for want of extras \(learn\): `make test-all` .*", told[0])


# ---- PyTorch


@pytest.mark.parametrize(
    ("packages", "cpu_index", "installs"),
    [
        (["sympy", "torch"], True, [["torch==2.13.0"]]),
        (["torch", "nvidia-cublas"], True, [["--index-url"]]),
        (["torch", "nvidia-cublas"], False, [["--index-url"], ["torch==2.13.0"]]),
    ],
)
def test_the_cpu_build_of_pytorch_is_preferred(monkeypatch, capsys, packages, cpu_index, installs):
    spec = importlib.util.spec_from_file_location("install", ROOT / ".ci" / "install_torch.py")
    install = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(install)
    done = []

    def run(command, **options):
        if "--dry-run" in command:
            names = [{"metadata": {"name": name}} for name in packages]
            return subprocess.CompletedProcess(command, 0, json.dumps({"install": names}))
        done.append(command)
        failed = "--index-url" in command and not cpu_index
        return subprocess.CompletedProcess(command, int(failed))

    monkeypatch.setattr(install.subprocess, "run", run)
    install.main()
    assert len(done) == len(installs)
    for command, words in zip(done, installs, strict=True):
        assert set(words) <= set(command)
        assert command[-1] == "torch==2.13.0"
    assert ("CUDA" in capsys.readouterr().out) == (len(installs) == 2)
