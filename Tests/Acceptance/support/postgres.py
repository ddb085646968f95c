"""A PostgreSQL server of the tests' own, with a database for each server under test. It ends with this process."""

import atexit
import contextlib
import functools
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import urllib.parse

import gradecast

USER = "gradecast"
PATIENCE = 180
# What the tests need of it is the SQL, not that it outlives a power cut.
SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "full_page_writes": "off",
    "max_connections": "400",
    "shared_buffers": "64MB",
    "dynamic_shared_memory_type": "mmap",
    "lc_messages": "C",
}


class Cluster:
    """One server, in a temporary folder, reached by a Unix socket there."""

    def __init__(self, settings=(), access=None):
        """`settings` come on top of the others; `access` is the file `pg_hba.conf`, by default one that asks nobody."""
        versions = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: int(p.parts[4]))
        assert versions, "PostgreSQL is not installed: deploy/install-dependencies --test"
        self.programs = versions[-1].parent
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gc-pg."))
        self.log = self.folder / "log"
        # It refuses to run as root.
        self.under = ["setpriv", "--pdeathsig", "INT"]
        self.owner = (os.geteuid(), os.getegid())
        if os.geteuid() == 0:
            postgres = pwd.getpwnam("postgres")
            self.owner = (postgres.pw_uid, postgres.pw_gid)
            os.chown(self.folder, *self.owner)
            self.under += [f"--reuid={postgres.pw_uid}", f"--regid={postgres.pw_gid}", "--clear-groups"]
        self.databases = {}
        self.naming = threading.Lock()
        self.settings = {"port": "5432"} | SETTINGS | dict(settings)
        self.process = None
        self.prepare("initdb", "-D", self.data, "-U", USER, "-E", "UTF8", "--locale=C.UTF-8", "-A", "trust", "-N")
        if access:
            (self.data / "pg_hba.conf").write_text(access)
        self.start()
        atexit.register(self.close)

    @property
    def place(self):
        """Where PostgreSQL's own programs find it."""
        return ["-h", self.folder, "-p", self.settings["port"]]

    @property
    def data(self):
        return self.folder / "data"

    def prepare(self, program, *arguments):
        command = [*self.under, self.programs / program, *arguments]
        subprocess.run(command, check=True, cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE)

    def start(self):
        """Starts the server, and waits until it lets clients in."""
        settings = self.settings | {"unix_socket_directories": str(self.folder)}
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        with self.log.open("ab") as log:
            command = [*self.under, self.programs / "postgres", "-D", self.data, *options]
            self.process = subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        deadline = time.monotonic() + PATIENCE
        while subprocess.run([self.programs / "pg_isready", "-q", *self.place], timeout=PATIENCE).returncode != 0:
            assert self.process.poll() is None and time.monotonic() < deadline, self.log.read_text()[-4000:]
            time.sleep(0.02)

    def admit_everyone(self):
        """Lets in what runs as another user of the machine."""
        self.folder.chmod(0o711)

    def stop(self):
        """Disconnects everyone and stops the server."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(PATIENCE)

    def kill(self):
        """Ends every process of the server at once, as a power cut would, and leaves the data as they are."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        self.process.kill()
        self.process.wait(PATIENCE)
        for child in map(int, children):
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        # Its processes let go of the memory that they share before the next ones begin.
        deadline = time.monotonic() + PATIENCE
        while any(pathlib.Path(f"/proc/{child}").exists() for child in children):
            assert time.monotonic() < deadline
            time.sleep(0.01)

    def close(self):
        if self.process.poll() is None:
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def sql(self, statement, database="postgres"):
        """Runs a statement; returns the rows as text, values between tabs."""
        command = [self.programs / "psql", "-qAtX", "-F", "\t", "-v", "ON_ERROR_STOP=1", *self.place, "-U", USER]
        done = subprocess.run(
            [*command, "-d", database, "-c", statement], capture_output=True, text=True, timeout=PATIENCE
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.rstrip("\n")

    def url(self, database):
        """How the program names a database."""
        return f"postgresql://{USER}@{urllib.parse.quote(str(self.folder), safe='')}:{self.settings['port']}/{database}"

    @functools.cached_property
    def template(self):
        """A database with the tables of the program under test, and nothing in them."""
        self.sql("CREATE DATABASE tables TEMPLATE template0 ENCODING 'UTF8'")
        environment = os.environ | {"GRADECAST_STORE": self.url("tables")}
        done = subprocess.run(
            [gradecast.BINARY, "migrate"],
            env=environment,
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, done.stderr
        return "tables"

    def database(self, name):
        """Makes a database with tables; returns its URL."""
        self.sql(f"CREATE DATABASE {name} TEMPLATE {self.template}")
        return self.url(name)

    def database_of(self, data):
        """The URL of the database that stands for a data folder, made when it is first asked for."""
        key = str(pathlib.Path(data).resolve())
        with self.naming:
            if key not in self.databases:
                self.databases[key] = self.database(f"store{len(self.databases) + 1}")
            return self.databases[key]

    def dump(self, data, file, form="custom"):
        """Copies the database that stands for a data folder into a file, whoever uses it."""
        self.use("pg_dump", f"--format={form}", "-f", file, "-d", self.name_of(data))

    def restore(self, file, data):
        """Puts what was copied where the database is that stands for a data folder, which nobody uses."""
        name = self.name_of(data)
        self.sql(f"DROP DATABASE {name}")
        self.sql(f"CREATE DATABASE {name} TEMPLATE template0")
        self.use("pg_restore", "--exit-on-error", "-d", name, file)

    def use(self, program, *arguments):
        """Runs one of PostgreSQL's own programs to its end."""
        command = [self.programs / program, *self.place, "-U", USER, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 0, done.stderr

    def name_of(self, data):
        """The name of the database that stands for a data folder."""
        return self.database_of(data).rpartition("/")[2]

    def copy(self, data, other):
        """Makes the database that stands for the data folder `other` a copy of that of `data`, which nobody uses."""
        source, target = map(self.name_of, (data, other))
        self.sql(f"DROP DATABASE {target}")
        self.sql(f"CREATE DATABASE {target} TEMPLATE {source}")


@functools.cache
def cluster():
    """The server that all tests of this process share."""
    return Cluster()


@functools.cache
def mortal():
    """The server that those tests of this process share that stop or kill it; each leaves it running."""
    return Cluster()
