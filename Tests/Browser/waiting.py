"""Waits for facts for which the page has no expectation."""

import time

from conftest import PATIENCE

# What a fact raises that reads a part which is not there yet: a cell without a result, a list without its last row.
NOT_THERE_YET = (AttributeError, IndexError, KeyError, TypeError)


def eventually(page, fact):
    """Calls `fact()` until it is true, and returns its value; the time limit only ends what would never come.

    A fact that cannot be read yet is not true yet: what it raised is raised again when the time limit ends."""
    deadline = time.monotonic() + PATIENCE / 1000
    while True:
        fault = None
        try:
            if found := fact():
                return found
        except NOT_THERE_YET as raised:
            fault = raised
        if time.monotonic() >= deadline:
            raise fault or AssertionError("It never came.")
        page.wait_for_timeout(50)
