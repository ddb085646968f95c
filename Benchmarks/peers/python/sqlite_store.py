"""The grades in a file of SQLite; blocking work is in a worker thread, as FastAPI does it."""

import asyncio
import sqlite3
import threading

from standing import amended

SCHEMA = """
CREATE TABLE records (
    id TEXT PRIMARY KEY, student TEXT NOT NULL, version INTEGER NOT NULL, chain BLOB NOT NULL, tree TEXT NOT NULL,
    standing TEXT NOT NULL
) STRICT;
CREATE TABLE changes (
    seq INTEGER PRIMARY KEY, record TEXT NOT NULL, version INTEGER NOT NULL, at INTEGER NOT NULL,
    account TEXT NOT NULL, source TEXT NOT NULL, entry TEXT NOT NULL, before TEXT, after TEXT, digest BLOB NOT NULL,
    chain BLOB NOT NULL
) STRICT;
"""

database = None
writing = threading.Lock()


async def open():
    """Makes the database, as durable as the others'."""
    global database
    database = sqlite3.connect("grades.db", isolation_level=None, check_same_thread=False)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=FULL")
    database.executescript(SCHEMA)


async def close():
    database.close()


async def insert(record, account, tree, standing):
    await asyncio.to_thread(insert_now, record, account, tree, standing)


def insert_now(*values):
    with writing:
        record, account, tree, standing = values
        database.execute("INSERT INTO records VALUES (?, ?, 1, ?, ?, ?)", (record, account, bytes(32), tree, standing))


async def amend(record, entry, account, source, grade):
    """Changes one grade in one transaction; the new version, the changed entry and the standing's text."""
    return await asyncio.to_thread(amend_now, record, entry, account, source, grade)


def amend_now(record, entry, account, source, grade):
    with writing:
        database.execute("BEGIN IMMEDIATE")
        try:
            done = amend_within(record, entry, account, source, grade)
            database.execute("COMMIT")
            return done
        except BaseException:
            database.execute("ROLLBACK")
            raise


def amend_within(record, entry, account, source, grade):
    row = database.execute("SELECT student, version, chain, tree FROM records WHERE id = ?", (record,)).fetchone()
    change, tree, standing = amended(row, record, entry, account, source, grade)
    database.execute(
        "INSERT INTO changes (record, version, at, account, source, entry, before, after, digest, chain)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        change,
    )
    database.execute(
        "UPDATE records SET version = ?, chain = ?, tree = ?, standing = ? WHERE id = ?",
        (change[1], change[-1], tree, standing, record),
    )
    return change[1], change[7], standing


async def standing(record, account):
    """Version and text of the newest standing, for one who may read it."""
    return database.execute(
        "SELECT version, standing FROM records WHERE id = ? AND student = ?", (record, account)
    ).fetchone()
