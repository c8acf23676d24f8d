"""What all tests need."""

import contextlib
import signal

import pytest
from browser import NoBrowserError, open_browser

# A shell that runs the tests in the background may make them, and all they start, deaf to Ctrl-C.
with contextlib.suppress(ValueError):  # not in the main thread
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def browser():
    """One Chromium for all tests that look at pages; without one they are skipped."""
    with contextlib.ExitStack() as stack:
        try:
            found = stack.enter_context(open_browser())
        except NoBrowserError as error:
            pytest.skip(str(error))
        yield found
