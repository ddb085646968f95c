"""The tables of a server's store, for what no request brings about or tells: alike in SQLite and in PostgreSQL."""

import contextlib
import ctypes
import itertools
import re
import sqlite3

import pytest

import gradecast

INTEGER, TEXT, BYTES, COUNT, TRUTH = 20, 25, 17, 1700, 16  # PostgreSQL's numbers of its types


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

    It asks the library that the server uses as well: a driver of Python's would be another thing to install.
    """

    def __init__(self, url):
        self.library = library = ctypes.CDLL("libpq.so.5")
        for name in ("PQconnectdb", "PQexecParams"):
            getattr(library, name).restype = ctypes.c_void_p
        for name in ("PQerrorMessage", "PQresultErrorMessage", "PQgetvalue", "PQcmdTuples"):
            getattr(library, name).restype = ctypes.c_char_p
        self.connection = ctypes.c_void_p(library.PQconnectdb(str(url).encode()))
        assert library.PQstatus(self.connection) == 0, library.PQerrorMessage(self.connection).decode()

    def __enter__(self):
        self.execute("BEGIN")
        return self

    def __exit__(self, error, *_):
        self.execute("ROLLBACK" if error else "COMMIT")

    def close(self):
        self.library.PQfinish(self.connection)

    def executemany(self, statement, rows):
        for values in rows:
            self.execute(statement, values)

    def execute(self, statement, values=()):
        """Runs a statement, whose parameters are written `?`."""
        places = itertools.count(1)
        text = re.sub(r"\?", lambda _: f"${next(places)}", statement)
        kinds = [{int: INTEGER, str: TEXT, bytes: BYTES}.get(type(value), 0) for value in values]
        sent = [value if value is None or isinstance(value, bytes) else str(value).encode() for value in values]
        count = len(sent)
        result = ctypes.c_void_p(
            self.library.PQexecParams(
                self.connection,
                text.encode(),
                count,
                (ctypes.c_uint * count)(*kinds),
                (ctypes.c_char_p * count)(*sent),
                (ctypes.c_int * count)(*(len(value or b"") for value in sent)),
                (ctypes.c_int * count)(*(isinstance(value, bytes) for value in values)),
                0,
            )
        )
        try:
            problem = self.library.PQresultErrorMessage(result).decode()
            assert not problem, f"{statement}: {problem}"
            return self.rows(result)
        finally:
            self.library.PQclear(result)

    def rows(self, result):
        library = self.library
        columns = range(library.PQnfields(result))
        kinds = [library.PQftype(result, column) for column in columns]

        def value(row, column):
            if library.PQgetisnull(result, row, column):
                return None
            text = library.PQgetvalue(result, row, column).decode()
            if kinds[column] in (INTEGER, COUNT, 21, 23):
                return int(text)
            if kinds[column] == TRUTH:
                return text == "t"
            return bytes.fromhex(text[2:]) if kinds[column] == BYTES else text

        found = [tuple(value(row, column) for column in columns) for row in range(library.PQntuples(result))]
        return Rows(found, int(library.PQcmdTuples(result) or 0))
