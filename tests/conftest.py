"""What all tests need."""

import contextlib
import signal

# A shell that runs the tests in the background may make them, and all they start, deaf to Ctrl-C.
with contextlib.suppress(ValueError):  # not in the main thread
    signal.signal(signal.SIGINT, signal.default_int_handler)
