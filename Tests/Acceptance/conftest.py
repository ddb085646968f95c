"""One server for the whole run; each test has its own people and records."""

import pathlib
import tempfile

import pytest
from issuer import Issuer
from postbox import Postbox
from upgrades import Upgrades

import gradecast
from client import changed
from live import Live
from oracle.build import board_total

# The files that take longest, in this order; so the last ones are short, and workers end together.
LONG = [
    f"test_{name}.py"
    for name in """bounds access access_tokens stalled imports proxy confinement operations openapi random mail
    oracle_regulations search thieves notices oidc_providers class_export lockout cluster executables plugins copy_store
    unread misfits documents feed long_answers oracle_laws late_work database_faults mail_server crash""".split()
]


def pytest_configure(config):
    # Otherwise xdist begins with the files of the most tests.
    config.option.loadscopereorder = False


def pytest_collection_modifyitems(items):
    places = {name: place for place, name in enumerate(LONG)}
    items.sort(key=lambda item: places.get(item.path.name, len(LONG)))
    if not gradecast.BINARY.exists():
        reason = f"{gradecast.BINARY} is not built (set GRADECAST_BINARY)"
        for item in items:
            if "Acceptance" in item.path.parts:
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="module")
def postbox():
    """A mail server that keeps what a module's own server sends."""
    box = Postbox()
    yield box
    box.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """The shared server, alive to the end; a test that must stop one starts its own."""
    running = gradecast.Server(tmp_path_factory.mktemp("server")).start()
    yield running
    assert running.process.poll() is None, "the server ended during the tests\n" + running.output()
    assert running.stop() == 0, running.output()


@pytest.fixture
def own_server(tmp_path):
    """A server of the test's own."""
    running = gradecast.Server(tmp_path).start()
    yield running
    if running.process.poll() is None:
        running.kill()


@pytest.fixture(scope="module")
def issuer():
    """A provider of the module's own that speaks OpenID Connect."""
    with Issuer() as running:
        yield running


@pytest.fixture(scope="module")
def other():
    """A second issuer, which the module's server knows as well."""
    with Issuer() as running:
        yield running


@pytest.fixture
def public_path():
    """A folder of the test's own that every user of the machine can read; pytest's are for their owner alone."""
    with tempfile.TemporaryDirectory(prefix="gradecast-") as folder:
        path = pathlib.Path(folder)
        path.chmod(0o755)
        yield path


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Shows the end of the server's log with a failed test."""
    report = yield
    running = item.funcargs.get("own_server") or item.funcargs.get("server") if hasattr(item, "funcargs") else None
    if report.failed and running is not None:
        report.sections.append(("server log", running.output()))
    return report


@pytest.fixture
def upgrades(public_path):
    """A server of the test's own whose scheme is exchanged."""
    upgrades = Upgrades(public_path)
    yield upgrades
    if upgrades.server.process and upgrades.server.process.poll() is None:
        upgrades.server.kill()


@pytest.fixture
def guest(server):
    """A caller who is not signed in."""
    api = server.api()
    yield api
    api.close()


@pytest.fixture
def student(server):
    """A new account of its own for this test."""
    api = server.api().sign_up()
    yield api
    api.close()


@pytest.fixture
def stranger(server):
    """Another new account."""
    api = server.api().sign_up()
    yield api
    api.close()


@pytest.fixture
def administrator(server):
    """The demo's administrator."""
    api = server.signed_in("administrator")
    yield api
    api.close()


@pytest.fixture(scope="module")
def registrar(server):
    """The demo's registrar."""
    api = server.signed_in("registrar")
    yield api
    api.close()


@pytest.fixture
def live(server):
    """Opens live connections and closes them after the test."""
    opened = []

    def connect(token=None, at=server, **more):
        opened.append(Live(at, token, **more))
        return opened[-1]

    yield connect
    for connection in opened:
        connection.close()


@pytest.fixture
def board(student):
    """A chalkboard with one course; the record and the course's id."""
    record = student.new_record("chalkboard")
    answer = changed(record.add(board_total("Algorithms", 3, 85)), 201)
    return record, answer.json["entry"]["id"]
