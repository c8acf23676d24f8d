"""What runs the modules: Node.js, and a page in Chromium."""

import json
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from browser import open_chromium, open_page
from node import find_node

ROOT = Path(__file__).parents[2]
MODULES = ROOT / "agents" / "data" / "engines"
SCRIPTS = ROOT / "tests" / "js"

Host = Callable[[dict[str, Any]], Any]
"""Answers a job, see ``tests/js/engine_check.js``."""


@contextmanager
def node() -> Iterator[Host]:
    """Node.js."""
    command = [find_node() or "node", SCRIPTS / "run_engine_check.js", MODULES]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin
        assert process.stdout
        stdin, stdout = process.stdin, process.stdout

        def answer(job: dict[str, Any]) -> Any:
            stdin.write(f"{json.dumps(job)}\n")
            stdin.flush()
            if not (line := stdout.readline()):
                raise RuntimeError(f"Node.js has ended with {process.wait()} at {job['module']}")
            return json.loads(line)

        try:
            yield answer
        finally:
            stdin.close()


class Quiet(SimpleHTTPRequestHandler):
    """A server of files that does not tell of every request."""

    def log_message(self, format: str, *arguments: Any) -> None:
        """Say nothing."""


PAGE = """async ([job, folder]) => {
  const { answer } = await import("/tests/js/engine_check.js");
  return answer(job, (module) => fetch(`${folder}/${module}.wasm`).then((r) => r.arrayBuffer()));
}"""


@contextmanager
def browser_page(page: Any) -> Iterator[Host]:
    """A page of a browser, which gets the modules from a server of files."""
    handler = partial(Quiet, directory=str(ROOT))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page.goto(f"http://127.0.0.1:{server.server_port}/docs/static/favicon.svg")
        folder = f"/{MODULES.relative_to(ROOT)}"
        yield lambda job: page.evaluate(PAGE, [job, folder])
        server.shutdown()


@contextmanager
def chromium() -> Iterator[Host]:
    """Chromium; NoBrowserError without it."""
    with (
        open_chromium() as found,
        open_page(found, harmless="404") as page,  # browsers ask for an icon
        browser_page(page) as host,
    ):
        yield host
