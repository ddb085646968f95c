"""The tables of a server's store, for what no request brings about or tells: alike in SQLite and in PostgreSQL."""

import contextlib
import json
import re
import sqlite3
import subprocess

import pytest

import gradecast
import postgres


def of_a_file(why):
    """Marks a test that only a store in a file of SQLite can pass."""
    return pytest.mark.skipif(gradecast.STORE != "sqlite", reason=f"is about the file of SQLite: {why}")


@contextlib.contextmanager
def stored(server):
    """The store of a server in one transaction, as `sqlite3` gives it; the server may be running."""
    url = (server.environment or {}).get("GRADECAST_STORE")
    store = Database(url) if url else sqlite3.connect(server.data / "gradecast.db", timeout=60)
    with contextlib.closing(store), store:
        yield store


def back_up(server, copy):
    """Copies the store of a running server as an operator does."""
    if gradecast.STORE == "sqlite":
        copied = gradecast.run("backup", copy, "--data", server.data)
        assert copied.returncode == 0, copied
    else:
        postgres.cluster().dump(server.data, copy)


def restore(server, copy):
    """Replaces the store of a server, which is stopped, as an operator does."""
    if gradecast.STORE == "sqlite":
        restored = gradecast.run("restore", copy, "--data", server.data)
        assert restored.returncode == 0 and "API tokens" in restored.stdout, restored
    else:
        postgres.cluster().restore(copy, server.data)


def kept(server):
    """All texts and bytes in the store of a server, which is stopped."""
    if gradecast.STORE == "sqlite":
        return b"".join(path.read_bytes() for path in server.data.glob("*.db*"))
    file = server.data.with_name("dump")
    postgres.cluster().dump(server.data, file, "plain")
    # Bytes are written in digits.
    return re.sub(rb"\\+x((?:[0-9a-f]{2})+)", lambda found: bytes.fromhex(found[1].decode()), file.read_bytes())


class Rows(list):
    """What a statement gave."""

    def __init__(self, rows, rowcount):
        super().__init__(rows)
        self.rowcount = rowcount

    def fetchone(self):
        return self.pop(0) if self else None

    def fetchall(self):
        return list(self)


class Database:
    """A connection to a database of PostgreSQL, with what the tests use of a connection of `sqlite3`.

    A process of `psql` keeps it: whatever happens there, these tests go on. Bytes come as PostgreSQL writes them.
    """

    def __init__(self, url):
        command = [postgres.cluster().programs / "psql", "-qAtX", "-v", "ON_ERROR_STOP=1", url]
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        self.psql = subprocess.Popen(command, text=True, **pipes)

    def __enter__(self):
        self.execute("BEGIN")
        return self

    def __exit__(self, error, *_):
        if self.psql.poll() is None:
            self.execute("ROLLBACK" if error else "COMMIT")

    def close(self):
        self.psql.communicate(timeout=postgres.PATIENCE)

    def executemany(self, statement, rows):
        self.answer("".join(bound(statement, values) + ";\n" for values in rows))

    def execute(self, statement, values=()):
        """Runs a statement, whose parameters are written `?`."""
        text = bound(statement, values)
        # Rows of JSON have types, and one line each.
        return self.answer(f"SELECT row_to_json(r) FROM ({text}) r;" if text.startswith("SELECT ") else text + ";")

    def answer(self, text):
        """The rows that the last of some statements gave."""
        with contextlib.suppress(BrokenPipeError):
            self.psql.stdin.write(text + "\n\\echo :ROW_COUNT\n")
            self.psql.stdin.flush()
        rows = []
        for line in self.psql.stdout:
            if not line.startswith("{"):
                return Rows(rows, int(line))
            # Two columns of a row may have one name.
            rows.append(json.loads(line, object_pairs_hook=lambda pairs: tuple(value for _, value in pairs)))
        raise AssertionError(f"{text[:400]}: {self.psql.stderr.read()}")


def bound(statement, values):
    """A statement with values for its parameters."""
    remaining = iter(values)
    return re.sub(r"\?", lambda _: literal(next(remaining)), statement)


def literal(value):
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f"'\\x{value.hex()}'::bytea"
    return str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"
