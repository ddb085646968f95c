"""People who use the page, each with a browser of his or her own."""

import itertools
import os

from playwright.sync_api import Page, expect

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


# What a test does to a page, a context or its clock that stays there.
SPOILING = (
    "add_init_script", "close", "emulate_media", "expose_binding", "expose_function", "install", "new_cdp_session",
    "on", "once", "pause_at", "route_web_socket", "set_extra_http_headers", "set_fixed_time", "set_geolocation",
    "set_system_time",
)  # fmt: skip


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
        # Whether a test has done to the browser what cannot be taken back.
        self.is_spoilt = context.get("service_workers") == "allow" or "storage_state" in context
        for target in (self.page, self.page.clock, self.context, self.context.clock):
            for name in SPOILING:
                if hasattr(target, name):
                    setattr(target, name, self._spoiling(getattr(target, name)))

    def _spoiling(self, act):
        def spoil(*all_, **named):
            self.is_spoilt = True
            return act(*all_, **named)

        return spoil

    def window(self) -> Page:
        page = self.context.new_page()
        if SLOWDOWN > 1:
            # Another window goes before anybody else comes, and its slowness with it.
            session = type(self.context).new_cdp_session(self.context, page)
            session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
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

    def left(self):
        """Leaves the browser to somebody else: nothing is open or kept there, and nobody is signed in."""
        self._put_back()
        self.page.goto(self.url + BESIDE)
        session = self.context.new_cdp_session(self.page)
        # All is cookies, too.
        session.send("Storage.clearDataForOrigin", {"origin": self.url, "storageTypes": "all"})
        session.send("Page.resetNavigationHistory")
        session.detach()
        self.context.clear_permissions()

    def renewed(self, url: str) -> "Person":
        """Somebody else at the browser, who has not signed up."""
        self.url, self.login, self.problems, self.is_spoilt = url, next(names), [], False
        return self

    def cleared(self):
        """Takes away what a test has put about the page: other tabs, held requests, another size, what is kept or said."""
        self._put_back()
        # It is in the memory of the client, too.
        if self.page.url.startswith(self.url) and self.page.evaluate(FORGET):
            self.page.goto(self.url + BESIDE)

    def _put_back(self):
        for page in self.context.pages:
            if page != self.page:
                page.close()
        self.page.unroute_all()
        self.context.unroute_all()
        self.context.set_offline(False)
        if self.page.viewport_size != self.viewport:
            self.page.set_viewport_size(self.viewport)

    def api(self, method: str, path: str, body=None):
        """A request of the browser's own session, past its pages."""
        headers = {"origin": self.url}
        answer = self.context.request.fetch(self.url + path, method=method, data=body, headers=headers)
        is_json = "json" in answer.headers.get("content-type", "")
        return {"status": answer.status, "body": answer.json() if is_json else None}
