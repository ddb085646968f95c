"""A student shares a record, sees it as others do, and stops sharing it."""

import re

import board
import pytest
from accessibility import violations
from playwright.sync_api import expect

STAYING = {"student", "staff"}

FOLLOWED = """async ([record]) => {
    const ticket = (await (await fetch('/v1/live/tickets', {method: 'POST'})).json()).ticket;
    const socket = new WebSocket(location.origin.replace('http', 'ws') + '/v1/live', 'gradecast.live.v1');
    window.heard = [];
    socket.onmessage = message => window.heard.push(JSON.parse(message.data));
    socket.onopen = () => {
        socket.send(JSON.stringify({t: 'hello', client: 'test/1', token: ticket}));
        socket.send(JSON.stringify({t: 'sub', topic: `shared/${record}`}));
    };
}"""


def opened(page, name="Who may see this"):
    page.get_by_role("button", name=name).click()
    sheet = page.get_by_role("dialog", name=name)
    expect(sheet.get_by_role("heading", name=re.compile("This is how others|Voici ce que|他人看到"))).to_be_visible()
    return sheet


@pytest.mark.slow("shares, changes and withdraws a record, and waits for each in a second browser")
def test_a_record_is_shared_seen_live_and_withdrawn(student, newcomer):
    page = student.new_record("chalkboard")
    board.added(page, "Algorithms", "90", "80", "85")
    record = page.url.rsplit("/", 1)[1]
    sheet = opened(page)
    expect(sheet).to_contain_text("Others see nothing of this record.")
    assert violations(page) == []
    sheet.get_by_label("Everyone who is signed in").check()
    expect(sheet.locator(".shared")).to_contain_text("3.00")
    assert violations(page) == []
    sheet.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Sharing changed")).to_be_visible()
    friend = newcomer().sign_up().open("/")
    friend.evaluate(FOLLOWED, [record])
    friend.wait_for_function("() => heard.some(message => message.t === 'state')")
    board.added(page, "Analysis", "95", "95", "95")
    friend.wait_for_function("() => heard.some(message => message.doc?.figures.gpa.display === '3.50')")
    sheet = opened(page)
    expect(sheet.get_by_label("Everyone who is signed in")).to_be_checked()
    sheet.get_by_label("Everyone who is signed in").uncheck()
    sheet.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Sharing changed").first).to_be_visible()
    friend.wait_for_function("() => heard.some(message => message.t === 'end' && message.why === 'revoked')")


@pytest.mark.slow("loads the page in two more languages, and has axe read the sheet in each")
def test_the_choice_is_offered_in_every_language(student):
    page = student.new_record("iut", sample=True)
    for language, name in (("fr", "Qui peut voir ceci"), ("zh-Hans", "谁可以看到")):
        page.evaluate("language => localStorage.setItem('gradecast.language', language)", language)
        page.reload()
        sheet = opened(page, name)
        sheet.get_by_role("checkbox").first.check()
        sheet.get_by_role("radio").last.check()
        expect(sheet.locator(".shared > div")).to_have_count(3)
        assert violations(page) == []


def test_a_choice_that_fails_says_why_and_is_tried_again(student):
    page = student.new_record("chalkboard")
    page.route("**/sharing", lambda route: route.abort())
    page.get_by_role("button", name="Who may see this").click()
    sheet = page.get_by_role("dialog", name="Who may see this")
    expect(sheet.locator(".alert")).to_be_visible()
    page.unroute("**/sharing")
    sheet.get_by_role("button", name="Retry").click()
    expect(sheet.get_by_label("Everyone who is signed in")).to_be_visible()


def test_an_institution_that_forbids_sharing_offers_none(staff, student):
    page = student.new_record("chalkboard")
    registrar = staff("registrar")
    settings = registrar.open("/institutions/demo/members").get_by_label("Students may share their records")
    with registrar.page.expect_response(lambda answer: answer.request.method == "PATCH"):
        settings.uncheck()
    page.reload()
    expect(page.get_by_role("button", name="History")).to_be_visible()
    expect(page.get_by_role("button", name="Who may see this")).to_have_count(0)
    with registrar.page.expect_response(lambda answer: answer.request.method == "PATCH"):
        settings.check()
    assert registrar.api("GET", "/v1/institutions/demo")["body"]["institution"]["sharing"] == "allowed"
