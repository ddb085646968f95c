"""Accounts with an address, and how a server is told of its mail server."""

import itertools
import time
import uuid

from postbox import link

import gradecast
from client import changed
from stored import stored

PUBLIC = "https://grades.example.org"
NAMES = itertools.count(1)
ELSEWHERE = "mail.localhost"  # on loopback too, but the server does not count it as its own machine


def configuration(url, **more):
    return {"publicUrl": PUBLIC, "mail": {"smtp": url, "from": "Gradecast <grades@example.org>"} | more}


def address():
    """An address that no other test has."""
    return f"person-{next(NAMES)}-{uuid.uuid4().hex[:8]}@example.net"


def request(api, to):
    return api.call("PUT", "/v1/accounts/me/email", {"email": to})


def confirm(api, postbox, to, number=1):
    """Sets an account's address and follows the link."""
    changed(request(api, to), 202)
    page, token = link(postbox.mail(to, number))
    assert page == "/email"
    changed(api.post("/v1/accounts/email", {"token": token}, authorization=None), 204)
    return to


def hurried(server, holds):
    """Waits until something holds; meanwhile mails that were put off, and news that wait for more of them, are due at
    once, as if their pauses had passed."""

    def look():
        now = (int(time.time() * 1_000_000),)
        with stored(server) as store:
            put_off = "due_at > ? AND attempts > 0 AND leased_until IS NULL"
            store.execute(f"UPDATE mails SET due_at = 1 WHERE {put_off}", now)
            store.execute("UPDATE notices_due SET at = 1 WHERE at > ? AND pace = 'now'", now)
        return bool(holds())

    eventually(look, True)


def eventually(read, wanted):
    deadline = time.monotonic() + gradecast.PATIENCE
    while (found := read()) != wanted:
        assert time.monotonic() < deadline, found
        time.sleep(0.05)
