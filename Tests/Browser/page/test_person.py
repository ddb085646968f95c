"""Browsers that stay from one test to the next: nothing of those before is there for whoever comes next."""

import pytest
from conftest import Person

KEEP = """async () => {
    localStorage.setItem('gradecast.one', '1');
    sessionStorage.setItem('gradecast.two', '2');
    await new Promise((resolve, reject) => {
        const opening = indexedDB.open('three');
        Object.assign(opening, { onsuccess: () => { opening.result.close(); resolve(); }, onerror: reject });
    });
    await caches.open('four');
}"""
KEPT = """async () => [localStorage.length, sessionStorage.length, (await indexedDB.databases()).length,
    (await caches.keys()).length,
    document.querySelectorAll('dialog, .toast').length]"""


def test_whoever_comes_next_finds_nothing_of_those_before(browser, url):
    person = Person(browser, url).sign_up()
    page = person.open("/profile")
    page.evaluate(KEEP)
    assert page.evaluate(KEPT) == [1, 1, 1, 1, 0]
    person.window().goto(url)
    page.route("**/v1/**", lambda route: route.abort())
    person.context.set_offline(True)
    page.set_viewport_size({"width": 320, "height": 568})
    person.context.grant_permissions(["clipboard-read"])
    login, size = person.login, person.viewport
    assert not person.is_spoilt
    person.left()

    person = person.renewed(url)
    assert person.login != login
    assert person.context.cookies() == []
    assert person.api("GET", "/v1/accounts/me")["status"] == 401
    assert person.context.pages == [page]
    page = person.sign_up().open("/records")
    assert page.viewport_size == size
    assert page.evaluate(KEPT) == [0, 0, 0, 0, 0]
    assert page.evaluate("history.length") == 2
    asked = "navigator.permissions.query({ name: 'clipboard-read' }).then(({ state }) => state)"
    assert page.evaluate(asked) != "granted"
    person.context.close()
    assert person.problems == []


ACTS = {
    "script": lambda person: person.page.add_init_script("1"),
    "listener": lambda person: person.page.on("dialog", lambda dialog: dialog.accept()),
    "media": lambda person: person.page.emulate_media(color_scheme="dark"),
    "clock": lambda person: person.context.clock.set_fixed_time(0),
    "clock of the page": lambda person: person.page.clock.set_fixed_time(0),
    "protocol": lambda person: person.context.new_cdp_session(person.page),
    "socket": lambda person: person.page.route_web_socket("**/v1/live", lambda socket: None),
    "closed": lambda person: person.page.close(),
}


@pytest.mark.parametrize("act", ACTS)
def test_who_does_what_cannot_be_taken_back_is_the_last_one_there(browser, url, act):
    person = Person(browser, url)
    assert not person.is_spoilt
    ACTS[act](person)
    assert person.is_spoilt
    person.context.close()


@pytest.mark.parametrize("context", [{"service_workers": "allow"}, {"storage_state": {"cookies": []}}])
def test_who_keeps_what_is_loaded_or_comes_with_a_session_is_the_last_one_there(browser, url, context):
    person = Person(browser, url, **context)
    assert person.is_spoilt
    person.context.close()
