"""Waiting for what the page has no expectation for."""

import time

from conftest import PATIENCE


def eventually(page, fact):
    """Asks until `fact()` is true, and answers it; patience ends only what would never come."""
    deadline = time.monotonic() + PATIENCE / 1000
    while not (found := fact()):
        assert time.monotonic() < deadline, "It never came."
        page.wait_for_timeout(50)
    return found
