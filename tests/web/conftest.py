"""The local page, running, and a browser that looks at it."""

import pytest
from local_page import Site


@pytest.fixture(scope="session")
def site():
    """A server for all tests; one that hurts it starts its own with ``local_page.Site``."""
    with Site() as found:
        yield found


@pytest.fixture(scope="session")
def plain_site():
    """A server that compiles nothing, so that the first answers of small games need no time."""
    with Site(NUMBA_DISABLE_JIT="1") as found:
        yield found


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
