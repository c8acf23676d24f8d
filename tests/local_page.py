"""``adv-envs serve``, running, for those who look at its pages: tests, docs and benchmarks."""

import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from urllib.parse import urlsplit

from browser import BROWSERS, FLAGS, NoBrowserError


class Site:
    """A server that runs; ``address`` lets a browser in, ``at(path)`` is another page."""

    def __init__(self, *arguments, **environment):
        command = [sys.executable, "-m", "adv_envs", "serve", "--port", "0", *arguments]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env={**os.environ, **environment}
        )
        self.address = self.process.stdout.readline().split()[-1]
        self.origin = "{0.scheme}://{0.netloc}".format(urlsplit(self.address))

    def at(self, path):
        return self.origin + path

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()


@contextmanager
def open_chromium():
    """Chromium, driven by Playwright, until the block is left; NoBrowserError without them."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise NoBrowserError("needs playwright: pip install playwright") from None
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        raise NoBrowserError("needs Chromium: apt-get install chromium")
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(
            executable_path=program, args=list(FLAGS), chromium_sandbox=False
        )
        yield found
        found.close()
