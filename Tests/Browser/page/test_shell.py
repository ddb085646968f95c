"""What the service worker keeps, and which addresses the page follows."""

import pytest
import shell
from conftest import KEEPING, PASSWORD
from playwright.sync_api import expect

READY = "() => navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)"
GO = "path => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')); }"
# Whether every style sheet that the page names applies.
STYLED = "() => [...document.querySelectorAll('link[rel=stylesheet]')].every(link => link.sheet?.cssRules.length > 0)"
PATHS = """async () => {
    const cache = await caches.open('gradecast-shell');
    return (await cache.keys()).map(request => request.url.slice(location.origin.length));
}"""


@pytest.fixture
def visitor(newcomer):
    person = newcomer(**KEEPING)
    page = person.open("/")
    page.wait_for_function(READY)
    shell.kept(page)
    return person


@pytest.mark.slow("loads the page with and without a network after each of four addresses")
def test_only_the_page_is_kept_as_the_page(visitor):
    for path in ("/openapi.json", "/healthz", "/stand-in/rosefire?platform=web", "/manifest.webmanifest"):
        other = visitor.window()
        other.goto(visitor.url + path)
        other.close()
        visitor.context.set_offline(True)
        visitor.page.reload()
        expect(visitor.page.locator(".brand")).to_be_visible()
        visitor.context.set_offline(False)
        expect(visitor.page.get_by_role("heading", name="Every grade, exact and live.")).to_be_visible()


def test_a_page_that_was_reached_from_another_one_opens_without_a_network(newcomer):
    """Its files do not depend on the page by which one came."""
    person = newcomer(**KEEPING).sign_up()
    page = person.open("/profile")
    page.wait_for_function(READY)
    shell.kept(page)
    person.new_record("chalkboard")
    expect(page.locator(".board")).to_be_visible()
    shell.kept(page)
    person.context.set_offline(True)
    page.reload()
    # Nobody's data is kept: the page says that it waits for the server, and goes on by itself.
    expect(page.locator(".brand")).to_be_visible()
    assert page.evaluate(STYLED) is True
    person.context.set_offline(False)
    expect(page.locator(".board")).to_be_visible()


@pytest.mark.slow("asks for four hundred addresses that must not fill the cache")
def test_the_cache_holds_the_clients_files_alone(visitor):
    page = visitor.page
    page.evaluate(
        """async () => {
            const paths = [...Array(400).keys()].map(number => `/app/main.js?${number}`);
            for (const path of [...paths, '/app/none.js', '/v1/schemes', '/openapi.json']) await fetch(path);
            const { active } = await navigator.serviceWorker.ready;
            const own = ['/openapi.json', '/v1/schemes', '/app/main.js?1'].map(path => location.origin + path);
            active.postMessage([...own, 'https://elsewhere.example/app/x.js', 7, null]);
            active.postMessage({ not: 'a list' });
        }"""
    )
    page.goto(visitor.url + "/explore")
    kept = page.evaluate(PATHS)
    assert "/" in kept and any(path.startswith("/app/built/main-") for path in kept)
    assert [path for path in kept if path != "/" and not path.startswith("/app/") and "." not in path] == []
    assert not {"/openapi.json", "/app/none.js", "/v1/schemes"} & set(kept)
    assert [path for path in kept if "?" in path] == []


def test_a_page_in_the_place_of_a_file_is_not_kept(visitor):
    page = visitor.page
    # Something in front of the server answered with a page of its own for a while.
    poisoned = page.evaluate(
        """async () => {
            const cache = await caches.open('gradecast-shell');
            const built = (await cache.keys()).filter(({ url }) => url.includes('/app/built/'));
            const answer = () => new Response('<h1>Back soon</h1>', { headers: { 'content-type': 'text/html' } });
            await Promise.all(built.map(request => cache.put(request, answer())));
            return built.length;
        }"""
    )
    assert poisoned > 3
    page.reload()
    expect(page.get_by_role("heading", name="Every grade, exact and live.")).to_be_visible()


ELSEWHERE = [
    "//elsewhere.example/x",
    "/\\elsewhere.example",
    "/\t/elsewhere.example",
    "https://elsewhere.example",
    "javascript:x",
]


@pytest.mark.slow("signs in five times, once for each address that is another site's")
def test_signing_in_leads_to_no_other_site(newcomer, student):
    person = newcomer()
    for path in ELSEWHERE:
        page = person.load("/sign-in")
        with page.expect_navigation():
            page.evaluate("path => { location.search = '?next=' + encodeURIComponent(path); }", path)
        page.fill('[name="/login"]', student.login)
        page.fill('[name="/password"]', PASSWORD)
        page.click("main button[type=submit]")
        expect(page.locator(".me")).to_be_visible()
        assert page.url.startswith(student.url + "/"), path
        person.context.clear_cookies()


OTHER_PARTS = [
    "/records/..%2Faccounts%2Fme",
    "/records/%2e%2e%2fsessions",
    "/records/%E0%A4%A",
    "/programs/a%3Fb",
    "/explore/..",
]


def test_an_address_leads_to_no_other_part_of_the_server(student):
    asked = []
    student.page.on("request", lambda request: asked.append(request.url.removeprefix(student.url)))
    for path in OTHER_PARTS:
        student.page.goto(student.url + "/records")
        expect(student.page.locator("h1").first).to_be_visible()
        asked.clear()
        student.page.evaluate(GO, path)
        expect(student.page.locator("main h1")).to_be_visible()
        parts = ("/v1/accounts", "/v1/sessions", "/v1/records", "/v1/programs")
        assert [wrong for wrong in asked if wrong.startswith(parts)] == [], path
