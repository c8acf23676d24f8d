"""A plain server of files, as any web host is: for sites, in tests and benchmarks."""

import functools
import http.server
import threading
from contextlib import contextmanager


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Says nothing of what it serves.

    Browsers may use a file again for so many ``seconds`` without asking.
    """

    seconds = 0

    def end_headers(self):
        if self.seconds:
            self.send_header("Cache-Control", f"max-age={self.seconds}")
        super().end_headers()

    def log_message(self, *args):
        pass


@contextmanager
def serving(folder, handler=Quiet):
    """The address of a server of a folder, on this computer, until the block is left."""
    handler = functools.partial(handler, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()
