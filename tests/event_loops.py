"""Coroutines in a thread of their own.

Playwright keeps an event loop in the thread of the tests for as long as its browser is open, and
``asyncio.run`` refuses to begin another one there.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor


def run_apart(coroutine):
    """What a coroutine returns, run by an event loop in another thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


class RunnerApart:
    """``asyncio.Runner``, with its event loop in another thread."""

    def __init__(self):
        self.thread = ThreadPoolExecutor(1)
        self.runner = self.thread.submit(asyncio.Runner).result()

    def run(self, coroutine):
        return self.thread.submit(self.runner.run, coroutine).result()

    def close(self):
        self.thread.submit(self.runner.close).result()
        self.thread.shutdown()
