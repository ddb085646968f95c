"""Edits that a browser keeps: whose they are, what signing out does with them, and what follows later."""

import datetime
import json

import board
import pytest
from desk import FULL, add, lines, lose_no_more, lose_until_pressed, rename, sign_in, sign_in_again, waits
from playwright.sync_api import expect


@pytest.mark.slow("has two people sign in at one browser, whose network is cut for each of them")
def test_another_person_at_the_browser_neither_reads_nor_loses_edits(desk, line, newcomer, url):
    other = newcomer().sign_up().login
    line.cut()
    add(desk.page, "Secret course")
    waits(desk.page, 1)
    assert "Secret" not in json.dumps(desk.kept())
    desk.elsewhere.end_other_sessions()
    line.mend()
    sign_in_again(desk.page, other)
    expect(desk.page.locator("main h1")).to_have_text("Nothing here")
    desk.person.new_record("chalkboard")
    # A page that was never live does not tell the time of its figures, so wait until it is.
    expect(desk.page.locator(".connection")).to_contain_text("Live")
    line.cut()
    expect(desk.page.locator(".connection")).to_contain_text("As of")
    add(desk.page, "Another")
    waits(desk.page, 1)
    line.mend()
    lines(desk.page, "Another")
    assert "Secret" not in desk.page.content()
    desk.person.open("/profile")
    desk.page.get_by_role("button", name="Sign out", exact=True).click()
    expect(desk.page.locator(".banner")).to_contain_text("1 change on this device has not been sent")
    desk.person.open("/sign-in")
    sign_in(desk.page, desk.person.login)
    expect(desk.page.get_by_role("heading", name="My work")).to_be_visible()
    desk.page.wait_for_function("() => !Object.keys(localStorage).some(key => key.startsWith('gradecast.edit'))")
    assert desk.elsewhere.titles(desk.record) == ["Secret course"]


def test_nothing_is_sent_under_another_name(desk, newcomer, url):
    other = newcomer().sign_up()
    desk.person.context.clear_cookies()
    desk.person.context.add_cookies(other.context.cookies())
    board.add(desk.page, "Mine", *FULL)
    desk.page.wait_for_function("() => Object.keys(localStorage).some(key => key.startsWith('gradecast.edit'))")
    expect(desk.page.locator(".me")).to_have_attribute("aria-label", "Profile")
    expect(desk.page.locator(".board-line")).to_have_count(0)
    assert desk.elsewhere.titles(desk.record) == []
    desk.person.open("/profile")
    expect(desk.page.get_by_text(other.login)).to_be_visible()
    desk.page.get_by_role("button", name="Sign out", exact=True).click()
    expect(desk.page.locator(".banner")).to_contain_text("1 change on this device")
    desk.person.open("/sign-in?next=" + desk.path)
    sign_in(desk.page, desk.person.login)
    lines(desk.page, "Mine")


def leave_with_one_edit(desk, line):
    line.cut()
    add(desk.page, "One")
    lose_until_pressed(desk.page, "/entries", "Send and sign out")
    line.mend()
    desk.page.locator(".me").click()
    desk.page.get_by_role("button", name="Sign out", exact=True).click()
    sheet = desk.page.get_by_role("dialog")
    expect(sheet).to_contain_text("1 change has not been sent")
    return sheet


def test_signing_out_may_send_what_waits(desk, line):
    sheet = leave_with_one_edit(desk, line)
    sheet.get_by_role("button", name="Send and sign out").click()
    expect(desk.page.get_by_role("link", name="Sign in").first).to_be_visible()
    assert desk.elsewhere.titles(desk.record) == ["One"]


def test_signing_out_goes_on_when_what_waited_has_been_sent(desk, line):
    sheet = leave_with_one_edit(desk, line)
    lose_no_more(desk.page)
    expect(sheet).to_contain_text("Everything has been sent")
    sheet.get_by_role("button", name="Sign out", exact=True).click()
    expect(desk.page.get_by_role("link", name="Sign in").first).to_be_visible()
    assert desk.elsewhere.titles(desk.record) == ["One"]


def test_signing_out_may_keep_what_waits(desk, line):
    sheet = leave_with_one_edit(desk, line)
    sheet.get_by_role("button", name="Keep on this device").click()
    expect(desk.page.locator(".banner")).to_contain_text("1 change on this device")
    desk.person.load("/sign-in?next=" + desk.path)
    sign_in(desk.page, desk.person.login)
    lines(desk.page, "One")


def test_signing_out_may_discard_what_waits(desk, line):
    sheet = leave_with_one_edit(desk, line)
    sheet.get_by_role("button", name="Discard and sign out").click()
    expect(desk.page.get_by_role("link", name="Sign in").first).to_be_visible()
    assert not any(key.startswith("gradecast.edit") for key in desk.kept())
    assert desk.elsewhere.titles(desk.record) == []


def test_edits_kept_by_an_earlier_version_are_taken_over(desk):
    document = desk.elsewhere.call("GET", f"/v1/records/{desk.record}")
    mine = {
        "id": "a" * 32, "account": desk.person.api("GET", "/v1/accounts/me")["body"]["id"], "record": desk.record,
        "topic": f"record/{desk.record}", "ops": [{"op": "add", **board.course("Old", 90)}], "base": {}, "place": None,
        "at": datetime.datetime.now(datetime.UTC).isoformat(), "state": "waiting",
    }  # fmt: skip
    old = mine | {"id": "c" * 32, "ops": [{"op": "add", **board.course("Older", 90)}], "at": "2026-01-02T03:04:05.000Z"}
    assert document["record"]["entries"] == []
    theirs = mine | {"id": "b" * 32, "account": "somebody"}
    desk.page.evaluate("edits => localStorage.setItem('gradecast.edits', edits)", json.dumps([mine, old, theirs]))
    desk.page.reload()
    lines(desk.page, "Old")
    expect(desk.page.locator(".refused")).to_contain_text("Older")
    assert json.loads(desk.kept()["gradecast.edits"]) == [theirs]


@pytest.mark.slow("waits for a cut network to be noticed, and decides a refusal and a conflict after it")
def test_what_rests_on_a_refused_addition_follows_when_it_is_sent_again(desk, line):
    for title in ("One", "Two", "Three"):
        desk.elsewhere.call("POST", f"/v1/records/{desk.record}/entries", board.course(title, 90))
    expect(desk.page.locator(".board-line")).to_have_count(3)
    line.cut()
    expect(desk.page.locator(".connection")).to_contain_text("As of")
    add(desk.page, "Five")
    rename(desk.page, "Five", "Fifth")
    waits(desk.page, 2)
    desk.elsewhere.call("POST", f"/v1/records/{desk.record}/entries", board.course("Four", 90))
    line.mend()
    refused, conflict = desk.page.locator(".refused"), desk.page.locator(".conflict")
    expect(refused).to_have_count(1)
    expect(conflict).to_have_count(1)
    expect(desk.page.locator(".board-line")).to_have_count(4)
    desk.page.locator(".board-line", has_text="Four").click()
    desk.page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    desk.page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(desk.page.locator(".board-line")).to_have_count(3)
    refused.get_by_role("button", name="Send it again").click()
    expect(refused).to_have_count(0)
    conflict.get_by_role("button", name="Keep mine").click()
    expect(conflict).to_have_count(0)
    lines(desk.page, "One", "Two", "Three", "Fifth")


def test_without_sealing_edits_outlive_their_session(desk, line):
    desk.page.add_init_script("Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined })")
    desk.page.reload()
    expect(desk.page.locator(".connection")).to_contain_text("Live")
    line.cut()
    add(desk.page, "One")
    waits(desk.page, 1)
    desk.elsewhere.end_other_sessions()
    line.mend()
    expect(desk.page.locator("main").get_by_role("link", name="Sign in")).to_be_visible()
    assert not any(key.startswith("gradecast.edit") for key in desk.kept())
    sign_in_again(desk.page, desk.person.login)
    lines(desk.page, "One")


def test_a_position_that_is_not_there_deletes_nothing_later(desk, line):
    add(desk.page, "One")
    line.cut()
    board.delete(desk.page, "2")
    expect(desk.page.get_by_text("That course does not exist")).to_be_visible()
    expect(desk.page.locator(".banner.waiting")).to_have_count(0)
    desk.elsewhere.call("POST", f"/v1/records/{desk.record}/entries", board.course("Two", 100))
    line.mend()
    lines(desk.page, "One", "Two")


def test_undo_twice_goes_two_steps_back(desk):
    add(desk.page, "One", "Two", "Three")
    desk.page.get_by_role("button", name="History").click()
    sheet = desk.page.get_by_role("dialog")
    for left in (2, 1):
        sheet.get_by_role("button", name="Undo").click()
        expect(desk.page.locator(".board-line")).to_have_count(left)
    assert desk.elsewhere.titles(desk.record) == ["One"]


SLOW = """() => {
    const { encrypt } = SubtleCrypto.prototype;
    SubtleCrypto.prototype.encrypt = async function (...all) {
        const sealed = await encrypt.apply(this, all);
        await new Promise(resolve => { window.seal = resolve; });
        SubtleCrypto.prototype.encrypt = encrypt;
        return sealed;
    };
}"""


def test_a_form_is_not_closed_before_what_it_sent_is_kept(desk, line):
    desk.page.evaluate(SLOW)
    board.add(desk.page, "Late", *FULL)
    desk.page.wait_for_function("() => window.seal !== undefined")
    with desk.page.expect_response(lambda answer: answer.url.endswith("/v1/session") and answer.status == 401):
        desk.elsewhere.end_other_sessions()
    expect(desk.page.locator('.course-form [name="/fields/title"]')).to_have_value("Late")
    desk.page.evaluate("window.seal()")
    expect(desk.page.locator(".banner")).to_contain_text("1 change on this device has not been sent")
    sign_in_again(desk.page, desk.person.login)
    lines(desk.page, "Late")
    # What is kept as an edit is not in its form as well.
    expect(desk.page.locator('.course-form [name="/fields/title"]')).to_have_value("Mobile programming")
