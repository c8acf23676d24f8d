"""``adv-envs serve``, running, for those who look at its pages: tests, docs and benchmarks."""

import os
import subprocess
import sys
from urllib.parse import urlsplit


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
