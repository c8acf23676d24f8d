"""The local page, running, and a browser that looks at it."""

import os
import shutil
import subprocess
import sys
from unittest import mock
from urllib.parse import urlsplit

import pytest
from browser import BROWSERS, FLAGS


class Site:
    """A server that runs; ``address`` lets a browser in, ``at(path)`` is another page."""

    def __init__(self, *arguments):
        command = [sys.executable, "-m", "adv_envs", "serve", "--port", "0", *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().split()[-1]
        self.origin = "{0.scheme}://{0.netloc}".format(urlsplit(self.address))

    def at(self, path):
        return self.origin + path

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


@pytest.fixture(scope="session")
def site():
    """A server for all tests; a test that hurts it starts one of its own with ``Site``."""
    found = Site()
    yield found
    found.close()


@pytest.fixture(scope="session")
def plain_site():
    """A server that compiles nothing, so that the first answers of small games need no time."""
    with mock.patch.dict(os.environ, NUMBA_DISABLE_JIT="1"):
        found = Site()
    yield found
    found.close()


@pytest.fixture(scope="session")
def chromium():
    """Chromium, driven by Playwright."""
    from playwright.sync_api import sync_playwright

    program = next(filter(None, map(shutil.which, BROWSERS)))
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(
            executable_path=program, args=list(FLAGS), chromium_sandbox=False
        )
        yield found
        found.close()


@pytest.fixture
def page(chromium, site):
    """A page that has been let in; any error in its console fails the test."""
    context = chromium.new_context()
    context.set_default_timeout(30_000)
    found = context.new_page()
    errors = []
    found.on("pageerror", lambda error: errors.append(str(error)))
    found.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    found.goto(site.address)
    yield found
    context.close()
    assert not errors
