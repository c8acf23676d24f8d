"""The local page, running, and a browser that looks at it."""

import pytest
from browser import open_page
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
    with open_page(chromium) as found:
        found.goto(site.address)
        yield found
