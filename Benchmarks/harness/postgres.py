"""A server of PostgreSQL for what is measured: Debian's, in a temporary folder, durable, run by an ordinary user."""

import os
import pathlib
import pwd
import shutil
import subprocess
import tempfile
import time
import urllib.parse

from harness import build

USER = "gradecast"
# As it ships, but for the counts of statements and what a container lacks.
SETTINGS = {
    "listen_addresses": "",
    "max_connections": "200",
    "shared_buffers": "256MB",
    "dynamic_shared_memory_type": "mmap",
    "shared_preload_libraries": "pg_stat_statements",
    "pg_stat_statements.max": "1000",
}


class Cluster:
    """One server, reached by a Unix socket; ends with the `with` block."""

    def __init__(self):
        build.debian("postgresql-15")
        self.programs = pathlib.Path("/usr/lib/postgresql/15/bin")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gradecast-bench-pg."))
        self.under = ["setpriv", "--pdeathsig", "INT"]
        if os.geteuid() == 0:
            postgres = pwd.getpwnam("postgres")
            os.chown(self.folder, postgres.pw_uid, postgres.pw_gid)
            self.under += [f"--reuid={postgres.pw_uid}", f"--regid={postgres.pw_gid}", "--clear-groups"]

    def __enter__(self):
        data = self.folder / "data"
        build.run(
            *self.under, self.programs / "initdb", "-D", data, "-U", USER, "-E", "UTF8", "--locale=C.UTF-8", "-A", "trust",
            cwd=self.folder,
        )
        settings = SETTINGS | {"unix_socket_directories": str(self.folder)}
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                [*self.under, self.programs / "postgres", "-D", data, *options],
                cwd=self.folder, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
            )
        while subprocess.run([self.programs / "pg_isready", "-q", "-h", self.folder]).returncode:
            if self.process.poll() is not None:
                raise build.Missing("PostgreSQL does not start:\n" + (self.folder / "log").read_text()[-2000:])
            time.sleep(0.02)
        return self

    def __exit__(self, *_):
        self.process.terminate()  # lets clients finish
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.send_signal(2)
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def sql(self, statement, database="postgres"):
        """Runs a statement; its rows as text."""
        return build.run(
            self.programs / "psql", "-qAtX", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-U", USER, "-d", database,
            "-c", statement,
        ).rstrip("\n")

    def url(self, database):
        return f"postgresql://{USER}@{urllib.parse.quote(str(self.folder), safe='')}/{database}"

    def words(self, database):
        """The same in libpq's words."""
        return f"host={self.folder} user={USER} dbname={database}"

    def database(self, name):
        """A new database; its URL."""
        self.sql(f"CREATE DATABASE {name} TEMPLATE template0")
        self.sql("CREATE EXTENSION pg_stat_statements", name)
        return self.url(name)

    def cpu(self):
        """User and system time of all its processes so far, in seconds; those that have ended count with their parent."""
        total, ticks = 0, os.sysconf("SC_CLK_TCK")
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        for pid in [str(self.process.pid), *children]:
            try:
                fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            except FileNotFoundError:
                continue
            total += sum(int(field) for field in fields[11:15 if pid == str(self.process.pid) else 13])
        return total / ticks

    def counts(self, database):
        """What a database has done so far: transactions that wrote or read, statements, and bytes written to its log."""
        statements, log = self.sql(
            f"SELECT coalesce(sum(calls), 0), pg_current_wal_insert_lsn() - '0/0'::pg_lsn FROM pg_stat_statements"
            f" WHERE dbid = (SELECT oid FROM pg_database WHERE datname = '{database}')", database,
        ).split("|")
        return {"statements": float(statements), "log": float(log)}
