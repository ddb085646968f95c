"""A demo server, a browser, and people who use it."""

import atexit
import contextlib
import functools
import itertools
import json
import os
import pathlib
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from gradecast import PLUGINS, free_port

ROOT = pathlib.Path(__file__).resolve().parents[2]
PASSWORD = "a long enough passphrase"
# Patience ends only what would never come: a machine under load is slow, not wrong. Between two of its tries the page
# itself waits up to half a minute. `GRADECAST_PATIENCE` (milliseconds) shortens it while a test is written.
PATIENCE = int(os.environ.get("GRADECAST_PATIENCE", "120000"))
expect.set_options(timeout=PATIENCE)
# `GRADECAST_DELAY` (milliseconds) holds each request of a page up on its way there and on its way back: a test that does
# not wait for what it has asked for then fails.
DELAY = int(os.environ.get("GRADECAST_DELAY", "0"))
# `GRADECAST_SLOWDOWN` (a factor) slows down the processor of each page as it is slowed down on a busy machine.
SLOWDOWN = float(os.environ.get("GRADECAST_SLOWDOWN", "1"))
names = (f"person-{os.getpid()}-{number}" for number in itertools.count(1))


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


# A message that offers a way back goes after fifteen seconds.
LASTING = """
    const { setTimeout } = window;
    window.setTimeout = (act, wait, ...more) => setTimeout(act, wait === 15000 ? 2 ** 30 : wait, ...more);
"""


def lasting(page: Page) -> Page:
    """The page, on which such messages stay from the next address on: a busy machine may take longer over an act that
    comes between."""
    page.add_init_script(LASTING)
    return page


# The service worker reads every file of the client once more, which costs as much as the page itself: those whose tests
# open pages without a network have it.
KEEPING = {"service_workers": "allow"}
USUAL = {"locale": "en-US", "viewport": {"width": 1100, "height": 800}, "service_workers": "block"}


# The client scrolls to the top of a page that it has just drawn at another address.
TURNS = """
    window.turns = 0;
    const { scrollTo } = window;
    window.scrollTo = (...place) => { window.turns += 1; scrollTo(...place); };
"""
DELAYED = """
    const { fetch, setTimeout } = window;
    const delayed = () => new Promise(done => setTimeout(done, %d));
    window.fetch = async (...all) => {
        await delayed();
        try { return await fetch(...all); } finally { await delayed(); }
    };
"""
GO = """path => {
    window.turns = 0;
    history.pushState(null, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
}"""


# An address of the server that is no page of the client: whoever goes there and back loads the client.
BESIDE = "/readyz"
# What the client keeps and says from one page to the next goes: whether there was any of it.
FORGET = """() => {
    const isLeft = localStorage.length + sessionStorage.length > 0 || document.querySelector('.toast, dialog') !== null;
    for (const storage of [localStorage, sessionStorage]) storage.clear();
    return isLeft;
}"""


class Person:
    """Somebody with one browser of his or her own."""

    def __init__(self, browser, url: str, **context):
        self.url = url
        self.viewport = {**USUAL, **context}["viewport"]
        self.context = browser.new_context(**{**USUAL, **context})
        self.context.set_default_timeout(PATIENCE)
        self.context.add_init_script(TURNS)
        if DELAY:
            self.context.add_init_script(DELAYED % DELAY)
        self.problems: list[str] = []
        self.page = self.window()
        self.login = next(names)

    def window(self) -> Page:
        page = self.context.new_page()
        if SLOWDOWN > 1:
            self.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("console", lambda message: self._heard(message))
        return page

    def _heard(self, message):
        # The browser itself reports refused requests and lost networks; what matters are broken scripts and policies.
        expected = (
            "Failed to load resource", "WebSocket connection to", "ERR_INTERNET_DISCONNECTED", "ERR_CONNECTION_REFUSED",
            "ERR_CONNECTION_RESET", "ERR_CONNECTION_CLOSED", "ERR_EMPTY_RESPONSE",
        )  # fmt: skip
        if message.type == "error" and not any(words in message.text for words in expected):
            self.problems.append(message.text)

    def open(self, path: str, page: Page | None = None) -> Page:
        """Goes to a page as the client's links do. Loads the client for the first page, for an address in which only
        the query is new, and over a dialog, which stays wherever one goes."""
        page = page or self.page
        here = page.url.removeprefix(self.url)
        is_same = here.partition("?")[0] == path.partition("?")[0]
        if here in (page.url, BESIDE) or is_same or page.locator("dialog").count() > 0:
            return self.load(path, page)
        page.evaluate(GO, path)
        page.wait_for_function("() => window.turns > 0")
        expect(page.locator("h1").first).to_be_visible()
        return page

    def load(self, path: str, page: Page | None = None) -> Page:
        """Opens a page by its address: nothing is left of the one before."""
        page = page or self.page
        page.goto(self.url + path)
        expect(page.locator("h1").first).to_be_visible()
        return page

    def sign_up(self) -> "Person":
        """Makes an account, whose session the browser has from then on. No page is open yet."""
        account = {"displayName": "Ada Student", "login": self.login, "password": PASSWORD, "cookie": True}
        assert self.api("POST", "/v1/accounts", account)["status"] == 201
        return self._begun()

    def sign_in(self, login: str, password: str) -> "Person":
        """Gives the browser a session of an account. No page is open yet."""
        credentials = {"login": login, "password": password, "cookie": True}
        assert self.api("POST", "/v1/sessions", credentials)["status"] == 201
        return self._begun()

    def _begun(self) -> "Person":
        # A client that is open knows nothing of the new session: the next page loads it.
        if self.page.url.startswith(self.url):
            self.page.goto(self.url + BESIDE)
        return self

    def new_record(self, scheme: str, sample: bool = False) -> Page:
        """Starts a record in the demo program of `scheme` and opens it."""
        programs = self.api("GET", "/v1/institutions/demo/programs")["body"]["items"]
        program = next(item["id"] for item in programs if item["scheme"] == scheme and item["version"])
        template = {"template": "sample"} if sample else {}
        record = self.api("POST", "/v1/records", {"program": program, **template})["body"]["record"]["id"]
        page = self.open(f"/records/{record}")
        expect(page.locator(".record")).to_be_visible()
        return page

    def cleared(self):
        """Takes away what a test has put about the page: other tabs, held requests, another size, what is kept or said."""
        for page in self.context.pages:
            if page != self.page:
                page.close()
        self.page.unroute_all()
        self.context.unroute_all()
        self.context.set_offline(False)
        if self.page.viewport_size != self.viewport:
            self.page.set_viewport_size(self.viewport)
        # It is in the memory of the client, too.
        if self.page.url.startswith(self.url) and self.page.evaluate(FORGET):
            self.page.goto(self.url + BESIDE)

    def api(self, method: str, path: str, body=None):
        """A request of the browser's own session, past its pages."""
        headers = {"origin": self.url}
        answer = self.context.request.fetch(self.url + path, method=method, data=body, headers=headers)
        is_json = "json" in answer.headers.get("content-type", "")
        return {"status": answer.status, "body": answer.json() if is_json else None}


@pytest.fixture(scope="session")
def anywhere(browser, url):
    """A page for what needs a browser but no person: it imports modules of the client, and leaves nothing behind."""
    page = browser.new_page(locale="en-US", service_workers="block")
    page.goto(url)
    yield page
    page.close()


@pytest.fixture
def newcomer(browser, url):
    """Makes people who have not signed up; checks in the end that no page of theirs broke."""
    people = []

    def make(**context) -> Person:
        people.append(Person(browser, url, **context))
        return people[-1]

    yield make
    problems = [problem for person in people for problem in person.problems]
    for person in people:
        person.context.close()
    assert problems == []


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


def stays(request) -> bool:
    """Whether the test's file says in `STAYING` that whoever the fixture makes stays for all of its tests."""
    return request.fixturename in getattr(request.module, "STAYING", ())


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
def desk(browser, line, server, keeping):
    """A person with a record, at a browser behind that network."""
    from desk import Desk

    desk = Desk(browser, line, server, **keeping)
    yield desk
    desk.person.context.close()
    assert desk.person.problems == []
