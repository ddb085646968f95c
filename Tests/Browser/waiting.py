"""Waits for facts for which the page has no expectation."""

import time

from conftest import PATIENCE


def eventually(page, fact):
    """Calls `fact()` until it is true, and returns its value; the time limit only ends what would never come."""
    deadline = time.monotonic() + PATIENCE / 1000
    while not (found := fact()):
        assert time.monotonic() < deadline, "It never came."
        page.wait_for_timeout(50)
    return found
