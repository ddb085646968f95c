"""A demo server, a browser, and people who use it."""

import atexit
import contextlib
import functools
import json
import os
import pathlib
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

import pytest
from person import KEEPING, PASSWORD, PATIENCE, Person, lasting
from playwright.sync_api import sync_playwright

from gradecast import PLUGINS, free_port

# What tests import from here.
__all__ = ["KEEPING", "PASSWORD", "PATIENCE", "Person", "lasting"]

ROOT = pathlib.Path(__file__).resolve().parents[2]


def binary() -> str:
    candidates = [os.environ.get("GRADECAST_BINARY", "")]
    candidates += [str(ROOT / ".build" / kind / "gradecast") for kind in ("debug", "release")]
    found = [path for path in candidates if path and os.access(path, os.X_OK)]
    if not found:
        pytest.exit("No gradecast program: run `swift build`, or set GRADECAST_BINARY or GRADECAST_URL.")
    return found[0]


def pytest_configure(config):
    """Keeps the order of files below: xdist would begin with those that have the most tests."""
    config.option.loadscopereorder = False


def pytest_collection_modifyitems(items):
    """Puts the longest files first: a worker that begins one last leaves the other alone at the end."""
    items.sort(key=lambda item: not item.path.name.startswith("test_pages"))


def bundled(web: pathlib.Path, folder: pathlib.Path) -> str:
    """The folder of a web client as it ships; its modules are in it, too."""
    subprocess.run([ROOT / "deploy" / "bundle-web", web, folder], check=True)
    return str(folder)


@functools.cache
def client() -> str:
    """The folder of this checkout's web client, wherever the program was built."""
    if os.environ.get("GRADECAST_WEB"):
        return os.environ["GRADECAST_WEB"]
    folder = tempfile.TemporaryDirectory(prefix="gradecast-web-")
    atexit.register(folder.cleanup)
    return bundled(ROOT / "Web", pathlib.Path(folder.name) / "web")


class Server:
    """`gradecast serve --demo`, which can be stopped and started again on the same data and port."""

    def __init__(self, data: pathlib.Path, *options: str):
        self.data = data
        self.options = options
        if "--config" not in options:
            config = pathlib.Path(f"{data}.json")
            # A server that stops waits no longer for pages that are open.
            config.write_text(json.dumps({"plugins": PLUGINS, "limits": {"drainSeconds": 1}}))
            self.options += ("--config", str(config))
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self.process = None
        self.web = None

    def start(self):
        command = [binary(), "serve", "--demo", "--port", str(self.port), "--data", str(self.data), *self.options]
        environment = os.environ | {"GRADECAST_WEB": self.web or client()}
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
        deadline = time.monotonic() + PATIENCE / 1000
        while time.monotonic() < deadline:
            try:
                urllib.request.urlopen(self.url + "/readyz", timeout=2)
                return self
            except (urllib.error.URLError, OSError):
                if self.process.poll() is not None:
                    pytest.exit(f"The server ended with {self.process.returncode}.")
                time.sleep(0.05)
        self.kill()
        pytest.exit("The server did not become ready.")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(timeout=PATIENCE / 1000)
        except subprocess.TimeoutExpired:
            self.kill()

    def sign_ins(self) -> dict:
        return json.loads((self.data / "demo-sign-ins.json").read_text())


@contextlib.contextmanager
def configured(folder: pathlib.Path, configuration: dict):
    """A server with a configuration, under its own address as the public one."""
    path = folder / "config.json"
    server = Server(folder / "data", "--config", str(path))
    path.write_text(json.dumps({"publicUrl": server.url} | configuration))
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    if os.environ.get("GRADECAST_URL"):
        yield None
        return
    server = Server(tmp_path_factory.mktemp("data")).start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def url(server) -> str:
    return os.environ.get("GRADECAST_URL") or server.url


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium-headless-shell"), args=["--no-sandbox"]
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def anywhere(browser, url):
    """A page for what needs a browser but no person: it imports modules of the client, and leaves nothing behind."""
    page = browser.new_page(locale="en-US", service_workers="block")
    page.goto(url)
    yield page
    page.close()


@pytest.fixture(scope="module")
def spare():
    """The browsers that people have left as they had found them, by what they are like. There are none but in files
    that say so in `STAYING`."""
    left = {}
    yield left
    for people in left.values():
        for person in people:
            person.context.close()


@pytest.fixture
def people(browser, spare, request):
    """Makes people who have not signed up, at an address; checks in the end that no page of theirs broke."""
    here, failed = [], request.session.testsfailed

    def make(url, **context) -> Person:
        key = json.dumps(context, sort_keys=True)
        person = spare[key].pop().renewed(url) if spare.get(key) else Person(browser, url, **context)
        here.append((key, person))
        return person

    yield make
    problems = [problem for _, person in here for problem in person.problems]
    stay = stays(request, "browser") and request.session.testsfailed == failed and not problems
    for key, person in here:
        if stay and not person.is_spoilt:
            person.left()
            spare.setdefault(key, []).append(person)
        else:
            person.context.close()
    assert problems == []


@pytest.fixture
def newcomer(people, url):
    """Makes people who have not signed up."""
    return lambda **context: people(url, **context)


@pytest.fixture(scope="module")
def resident(browser, url, server):
    """Signs a demo role in for a whole file, whose tests leave all as they found it."""
    if server is None:
        pytest.skip("needs the demo server's own sign-ins")
    people = []

    def sign_in(role, **context):
        entry = server.sign_ins()[role]
        people.append(Person(browser, url, **context).sign_in(entry["login"], entry["password"]))
        return people[-1]

    yield sign_in
    problems = [problem for person in people for problem in person.problems]
    for person in people:
        person.context.close()
    assert problems == []


def stays(request, name: str | None = None) -> bool:
    """Whether the test's file says in `STAYING` that whoever the fixture makes stays for all of its tests."""
    return (name or request.fixturename) in getattr(request.module, "STAYING", ())


@pytest.fixture
def student(request) -> Person:
    if stays(request):
        return request.getfixturevalue("staying")()
    return request.getfixturevalue("newcomer")().sign_up()


@pytest.fixture
def staff(request, newcomer, server):
    """Signs a demo role in."""
    if stays(request):
        return request.getfixturevalue("staying")
    if server is None:
        pytest.skip("needs the demo server's own sign-ins")

    def sign_in(role, **context):
        entry = server.sign_ins()[role]
        return newcomer(**context).sign_in(entry["login"], entry["password"])

    return sign_in


@pytest.fixture(scope="module")
def guests(browser):
    """Those who stay, by who they are and what their browsers are like."""
    people = {}
    yield people
    for person in people.values():
        person.context.close()


@pytest.fixture
def staying(guests, browser, url, server, request):
    """Somebody who stays for a whole file in one browser, where the client is open: each test has records and classes
    of its own. Whose page a test spoils in other ways than `cleared` mends is a newcomer instead."""
    here, failed = {}, request.session.testsfailed

    def stay(role=None, **context):
        if role and server is None:
            pytest.skip("needs the demo server's own sign-ins")
        key = (role, json.dumps(context, sort_keys=True))
        if key not in guests:
            person = Person(browser, url, **context)
            guests[key] = person.sign_in(*server.sign_ins()[role].values()) if role else person.sign_up()
        here[key] = guests[key]
        return guests[key]

    yield stay
    problems = [problem for person in here.values() for problem in person.problems]
    for key, person in here.items():
        if request.session.testsfailed > failed or problems:
            guests.pop(key).context.close()
        else:
            person.cleared()
    assert problems == []


@pytest.fixture(scope="session")
def gallery(browser, url, server):
    """Somebody to go through every page of the client with."""
    from gallery import Gallery

    if server is None:
        pytest.skip("needs the demo server's own sign-ins")
    return Gallery(browser, url, server.sign_ins())


@pytest.fixture
def line(server):
    """A network between browser and server that can be cut."""
    from line import Line

    if server is None:
        pytest.skip("needs a server of its own")
    line = Line(server.port)
    yield line
    line.close()


@pytest.fixture
def keeping():
    """The browser behind that network opens pages without it, too."""
    return KEEPING


@pytest.fixture
def desk(line, people, server, keeping):
    """A person with a record, at a browser behind that network."""
    from desk import Desk

    yield Desk(people(line.url, **keeping), line, server)
    line.mend()
