"""The timeline: what happened, live, on every device, without repeats."""

import json

import board
import pytest
from accessibility import violations
from classroom import LINES, Classroom
from playwright.sync_api import expect
from test_friends import account, befriend
from texts import LANGUAGES
from waiting import eventually

# Staff stay, and others sign up anew in browsers that do.
STAYING = {"staff", "browser"}


def recorded(person, total=85):
    """A record with one course, made without the page; returns its path."""
    programs = person.api("GET", "/v1/institutions/demo/programs")["body"]["items"]
    program = next(item["id"] for item in programs if item["scheme"] == "chalkboard")
    record = person.api("POST", "/v1/records", {"program": program})["body"]["record"]["id"]
    path = f"/v1/records/{record}"
    grade(person, path, total)
    return path


def grade(person, path, total):
    answer = person.api(
        "POST", path + "/changes", {"changes": [{"op": "add", **board.course(f"Course {total}", total)}]}
    )
    assert answer["status"] == 200, answer


def announce(staff, text):
    answer = staff.api("POST", "/v1/institutions/demo/announcements", {"text": text})
    assert answer["status"] == 201, answer


def faked(number, start=0):
    """A page of the feed with lines of a type that this client does not know."""
    return [
        {"id": f"line-{start + index:04}", "type": "weather.changed", "types": ["weather.changed"], "count": 1,
         "at": f"2026-01-{28 - (start + index) // 50:02}T10:{59 - (start + index) % 50:02}:00.000Z"}
        for index in range(number)
    ]  # fmt: skip


def test_what_happens_is_told_and_new_lines_wait_at_the_top(student):
    path = recorded(student)
    page = student.open("/timeline")
    expect(page.get_by_text("Your figures changed in")).to_be_visible()
    expect(page.locator(".line-figures").first).to_contain_text("3.00")
    assert violations(page) == []
    # Another record makes another line, which waits until the user asks for it.
    count = page.locator(".line").count()
    recorded(student, 95)
    button = page.get_by_role("button", name="1 new")
    expect(button).to_be_visible()
    expect(page.locator(".line")).to_have_count(count)
    button.click()
    expect(page.locator(".line")).to_have_count(count + 1)
    expect(button).to_have_count(0)
    page.get_by_role("link", name="Your figures changed in").last.click()
    page.wait_for_url(f"**{path.removeprefix('/v1')}")


@pytest.mark.slow("waits for the feed to tell a result and its correction, which it gathers first")
def test_results_of_a_class_are_told_with_their_maxima_and_corrected_where_they_stand(staff):
    # The record has other classes, whose results may be in the same line.
    lines = [
        {
            **line,
            "fields": {**line["fields"], **({"title": "Signal lab"} if line["fields"].get("title") == "Lab 1" else {})},
        }
        for line in LINES
    ]
    room = Classroom(staff("teacher"), title="Signals and Systems", lines=lines)
    row = room.names.index("Demo student")
    room.enter(row, 4, 7)
    page = staff("student").load("/timeline")
    lab = page.locator(".line-figures div", has_text="Signal lab").first
    expect(lab.locator("ins")).to_have_text("7 / 10")
    # A line that others have joined changes in place.
    room.enter(row, 4, 8.5)
    expect(lab.locator("ins")).to_have_text("8.5 / 10")
    assert violations(page) == []


def test_figures_of_own_regulations_go_by_their_labels_here_and_on_homepages(student, staff, newcomer):
    registrar = staff("registrar")
    document = registrar.api("GET", "/v1/regulations/library/coursework")["body"]["document"]
    body = {"scheme": "regulations", "title": "Own rules", "entry": "both", "configuration": {"document": document}}
    program = registrar.api("POST", "/v1/institutions/demo/programs", body)["body"]["program"]["id"]
    board.publish(registrar, f"/v1/programs/{program}")
    path = f"/v1/records/{student.api('POST', '/v1/records', {'program': program})['body']['record']['id']}"
    essay = {"kind": "piece", "fields": {"title": "Essay", "score": 17, "max": 20, "weight": 1}}
    assert student.api("POST", path + "/entries", essay)["status"] == 201
    entry = student.api("GET", path)["body"]["record"]["entries"][0]["id"]
    page = student.open("/timeline")
    expect(page.locator(".line-figures div", has_text="Coursework").first.locator("ins")).to_have_text("17.00")
    friend = newcomer().sign_up()
    befriend(student, friend)
    assert student.api("PUT", path + "/sharing", {"what": "headline", "with": ["friends"]})["status"] == 200
    page = friend.open(f"/people/{account(student)}")
    shared = page.locator(".shared-records li", has_text="Own rules").locator(".shared div")
    expect(shared).to_have_text("Coursework17.00")
    assert student.api("PATCH", f"{path}/entries/{entry}", {"fields": {"score": 18}})["status"] == 200
    expect(shared).to_have_text("Coursework18.00")
    # A line that arrives while the timeline is open waits at the top.
    eventually(page, lambda: '"friend.headline"' in json.dumps(friend.api("GET", "/v1/feed")["body"]["items"]))
    page = friend.open("/timeline")
    expect(page.locator(".line .shared div").first).to_have_text("Coursework18.00")


def test_unread_lines_are_unread_on_every_device_until_one_shows_them(student):
    page = student.open("/people")
    recorded(student)
    page = student.open("/timeline")
    expect(page.locator(".line.unread").first).to_be_visible()
    expect(page.locator("[data-unread]")).to_have_count(0)
    other = student.open("/timeline", student.window())
    expect(other.locator(".line").first).to_be_visible()
    expect(other.locator(".line.unread")).to_have_count(0)


def test_a_friends_news_are_gone_at_once_when_they_are_withdrawn(student, newcomer):
    friend = newcomer().sign_up()
    befriend(student, friend)
    path = recorded(student)
    assert student.api("PUT", path + "/sharing", {"what": "headline", "with": ["friends"]})["status"] == 200
    grade(student, path, 95)
    eventually(friend.page, lambda: '"friend.headline"' in json.dumps(friend.api("GET", "/v1/feed")["body"]["items"]))
    page = friend.open("/timeline")
    line = page.locator(".line", has_text="Ada Student has news in")
    expect(line).to_be_visible()
    expect(line.locator(".shared")).to_contain_text("3.50")
    grade(student, path, 95.5)
    expect(line.locator(".shared")).to_contain_text("3.67")
    assert violations(page) == []
    assert student.api("PUT", path + "/sharing", {"what": "headline", "with": []})["status"] == 200
    expect(line).to_have_count(0)


def test_a_long_timeline_scrolls_to_its_end_without_a_repeat(newcomer):
    student = newcomer().sign_up()
    recorded(student)
    lines = faked(130)

    def page_of(route):
        answer = route.fetch()
        if "cursor=" not in route.request.url:
            first = answer.json()
            first |= {"items": lines[:20], "next": "20", "unread": 0}
            return route.fulfill(response=answer, json=first)
        start = int(route.request.url.rsplit("=", 1)[1])
        # The server may send a line twice, because others have joined it.
        body = {"items": lines[start - 1 : start + 20], "next": str(start + 20) if start + 20 < 130 else None}
        return route.fulfill(status=200, json=body)

    student.page.route("**/v1/feed*", page_of)
    page = student.page
    # The live document would bring the real feed.
    page.route_web_socket("**/v1/live", lambda socket: None)
    student.open("/timeline")
    while page.get_by_text("That is all.").count() == 0:
        page.mouse.wheel(0, 3000)
        page.wait_for_function("() => new Promise(requestAnimationFrame).then(() => true)")
    expect(page.locator(".line")).to_have_count(130)
    expect(page.get_by_text("There is news").first).to_be_visible()


def test_pulling_asks_for_what_is_new(newcomer):
    person = newcomer(has_touch=True, is_mobile=True, viewport={"width": 390, "height": 800}).sign_up()
    page = person.open("/timeline")
    expect(page.get_by_text("Nothing has happened yet.")).to_be_visible()
    assert violations(page) == []
    with page.expect_request("**/v1/feed"):
        page.evaluate(
            """() => {
                const target = document.querySelector('.timeline');
                const touch = y => new Touch({identifier: 1, target, clientX: 100, clientY: y});
                target.dispatchEvent(new TouchEvent('touchstart', {bubbles: true, touches: [touch(100)], changedTouches: [touch(100)]}));
                target.dispatchEvent(new TouchEvent('touchend', {bubbles: true, touches: [], changedTouches: [touch(300)]}));
            }"""
        )


def test_a_type_is_muted(student):
    recorded(student)
    page = student.open("/timeline")
    expect(page.locator(".line").first).to_be_visible()
    page.get_by_role("button", name="Notifications").click()
    sheet = page.get_by_role("dialog")
    for name in ("My figures change", "Grades are entered", "A record is started"):
        sheet.get_by_label(f"In the page – {name}").uncheck()
    assert violations(page) == []
    sheet.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    expect(page.locator(".line")).to_have_count(0)


def test_registrars_announce_and_withdraw(staff, student):
    registrar = staff("registrar")
    invited = registrar.api("PUT", f"/v1/institutions/demo/members/{account(student)}", {"role": "student"})
    assert invited["status"] in (200, 202)
    page = registrar.open("/timeline")
    page.get_by_role("button", name="Announce").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Text").fill("The results are out on Friday.")
    assert violations(page) == []
    sheet.get_by_role("button", name="Announce").click()
    expect(page.get_by_text("Announced.")).to_be_visible()
    # The user's own announcement does not wait.
    line = page.locator(".line", has_text="The results are out on Friday.")
    expect(line).to_be_visible()
    line.get_by_role("button", name="Withdraw the announcement").click()
    expect(line).to_have_count(0)


@pytest.mark.parametrize("language", ["fr", "zh-Hans"])
def test_the_timeline_speaks_the_readers_language(newcomer, language):
    person = newcomer(locale={"fr": "fr-FR", "zh-Hans": "zh-CN"}[language])
    page = person.open("/timeline")
    expect(page.get_by_role("heading", name=LANGUAGES[language]["slogan"])).to_be_visible()


def test_guests_are_shown_the_way_in(newcomer):
    page = newcomer().open("/timeline")
    expect(page.get_by_role("heading", name="Every grade, exact and live.")).to_be_visible()
    expect(page.locator("main").get_by_role("link", name="Sign in")).to_be_visible()
    assert violations(page) == []


def test_a_timeline_that_fails_can_be_tried_again(student):
    recorded(student)
    page = student.page
    page.route("**/v1/feed", lambda route: route.fulfill(status=503, json={"code": "unavailable"}))
    student.open("/timeline")
    expect(page.get_by_role("button", name="Retry")).to_be_visible()
    assert violations(page) == []
    # The page also retries by itself: as long as that cannot succeed, the button stays.
    with page.expect_response("**/v1/feed"):
        page.get_by_role("button", name="Retry").click()
    page.unroute("**/v1/feed")
    expect(page.locator(".line").first).to_be_visible()


def test_without_a_network_the_lines_stay_and_the_page_says_so(student):
    recorded(student)
    page = student.open("/timeline")
    expect(page.locator(".line").first).to_be_visible()
    student.context.set_offline(True)
    expect(page.locator('.connection[data-kind="offline"]')).to_be_visible()
    page.get_by_role("button", name="Refresh").click()
    expect(page.get_by_text("The server cannot be reached.")).to_be_visible()
    expect(page.locator(".line").first).to_be_visible()
    student.context.set_offline(False)
    page.locator(".problem").get_by_role("button", name="Retry").click()
    expect(page.locator(".problem")).to_have_count(0)
