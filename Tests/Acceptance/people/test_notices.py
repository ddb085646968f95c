"""News by mail: what was asked for, a grade only where that was asked for too, and nothing that may no longer be read."""

import re

import pytest
from mailing import address, configuration, confirm, eventually, hurried
from postbox import html, text
from programs import until
from test_feed import announce, institution_of, lines, total
from test_friends import befriend, person, share

import gradecast
from client import changed
from oracle.build import board_total
from stored import stored


@pytest.fixture(scope="module")
def server(tmp_path_factory, postbox):
    config = configuration(postbox.url) | {"plugins": gradecast.PLUGINS}
    running = gradecast.Server(tmp_path_factory.mktemp("notices"), config=config).start()
    yield running
    assert running.stop() == 0, running.output()


def choose(api, mails, **more):
    """Has events mailed: `{type: pace}`."""
    body = {"types": {kind: {"mail": pace} for kind, pace in mails.items()}} | more
    changed(api.call("PUT", "/v1/accounts/me/notices", body))


def reader(api, postbox):
    """The caller's confirmed address."""
    return confirm(api, postbox, address())


def arrived(server, postbox, to, number):
    """That mail to an address; news are not waited for until more of them have gathered."""
    hurried(server, lambda: len(postbox.to(to)) >= number)
    return postbox.mail(to, number)


@pytest.mark.slow("waits for three mails; news and courier each look once a second")
def test_a_mail_tells_what_happened_and_a_figure_only_where_that_was_asked_for(server, postbox, student):
    to = reader(student, postbox)
    choose(student, {"figure.changed": "now"})
    record = student.new_record("chalkboard")
    changed(record.add(board_total("Algorithms", 3, 85)), 201)
    mail = arrived(server, postbox, to, 2)
    assert mail["Subject"].startswith("News on ") and "3.00" not in mail["Subject"]
    assert "Your figures changed" in text(mail) and "3.00" not in text(mail) and "3.00" not in html(mail)
    assert "/timeline" in text(mail) and "Algorithms" not in text(mail)
    choose(student, {"figure.changed": "now"}, figures=True)
    changed(record.add(board_total("Analysis", 3, 95)), 201)
    mail = arrived(server, postbox, to, 3)
    assert "3.00 → 3.50" in text(mail) and "3.50" not in mail["Subject"]


@pytest.mark.slow("waits for two mails; news and courier each look once a second")
@pytest.mark.parametrize(
    ("language", "words", "page"),
    [("fr", "Vos résultats ont changé\u00a0:", "La page Fil"), ("zh-Hans", "您的成绩指标有变化", "“动态”页面")],
)
def test_a_mail_speaks_its_readers_language(server, postbox, student, language, words, page):
    to = reader(student, postbox)
    changed(student.patch("/v1/accounts/me", {"locale": language}))
    choose(student, {"figure.changed": "now"})
    changed(student.new_record("chalkboard").add(board_total("Algorithms", 3, 85)), 201)
    mail = text(arrived(server, postbox, to, 2))
    assert words in mail and page in mail


@pytest.mark.slow("waits until a mail was put off and withdrawn; the courier looks once a second")
def test_a_consent_that_ended_before_a_mail_is_sent_stops_it(server, postbox, student, stranger):
    to = reader(stranger, postbox)
    befriend(student, stranger)
    choose(stranger, {"friend.headline": "now"})
    record = student.new_record("chalkboard")
    share(record, "friends")
    # The mail server takes nothing now, so the mail waits.
    postbox.close()
    changed(record.add(board_total("Algorithms", 3, 85)), 201)
    until(lambda: lines(stranger, "friend.headline"), bool)
    hurried(server, lambda: server.metric("gradecast_mails_postponed_total") >= 1)
    share(record)
    postbox.open()
    hurried(server, lambda: server.metric("gradecast_mails_waiting") == 0)
    assert len(postbox.to(to)) == 1  # the link to confirm the address


# Waits the five seconds in which the news of a mail gather.
@pytest.mark.slow("waits for the five seconds for which news are gathered into one mail")
def test_a_mail_tells_how_many_lines_it_leaves_out(postbox, student):
    to = reader(student, postbox)
    choose(student, {"record.started": "now"})
    for _ in range(25):
        student.new_record("chalkboard")
    postbox.wait(lambda: told(postbox, to) == 25, "25 lines")
    assert all(text(mail).count("A record was started") <= 20 for mail in postbox.to(to))


def told(postbox, to):
    """How many lines mails with news tell and count."""
    words = [text(mail) for mail in postbox.to(to)[1:]]
    counted = [re.search(r"And (\d+) more", each) for each in words]
    return sum(each.count("A record was started") for each in words) + sum(int(found[1]) for found in counted if found)


@pytest.mark.slow("waits until a mail was put off and withdrawn; the courier looks once a second")
@pytest.mark.parametrize("end", ["changed", "removed"])
def test_news_are_not_mailed_to_an_address_that_the_account_no_longer_has(server, postbox, student, end):
    former = reader(student, postbox)
    choose(student, {"figure.changed": "now"})
    # The mail server takes nothing now, so the mail waits.
    postbox.close()
    changed(student.new_record("chalkboard").add(board_total("Algorithms", 3, 85)), 201)
    hurried(server, lambda: server.metric("gradecast_mails_waiting") >= 1)
    if end == "removed":
        changed(student.delete("/v1/accounts/me/email"), 204)
    else:
        # The mail that confirms another address would not arrive, so the test writes it to the store.
        with stored(server) as store:
            store.execute("UPDATE emails SET address = ? WHERE account = ?", (address(), person(student)))
    postbox.open()
    hurried(server, lambda: server.metric("gradecast_mails_waiting") == 0)
    assert not [mail for mail in postbox.to(former) if mail["Subject"].startswith("News on ")]


@pytest.mark.slow("waits for a turn of the news and one of the courier, a second each")
def test_nothing_is_mailed_without_an_address_or_a_wish(server, postbox, student, stranger):
    to = reader(stranger, postbox)
    choose(student, {"figure.changed": "now"})
    for api in (student, stranger):
        changed(api.new_record("chalkboard").add(board_total("Algorithms", 3, 85)), 201)
        until(lambda api=api: lines(api), lambda found: total(found) == 2)

    def due():
        with stored(server) as store:
            accounts = (person(student), person(stranger))
            return store.execute("SELECT count(*) FROM notices_due WHERE account IN (?, ?)", accounts).fetchone()[0]

    hurried(server, lambda: due() == 0)
    eventually(lambda: server.metric("gradecast_mails_waiting"), 0)
    assert len(postbox.to(to)) == 1


def mornings(server, api):
    """The times of day, in hours of UTC, at which the caller's daily mails are due."""
    with stored(server) as store:
        query = "SELECT at % 86400000000 FROM notices_due WHERE account = ? AND pace = 'daily'"
        return [at / 3_600_000_000 for (at,) in store.execute(query, (person(api),))]


def test_daily_mails_wait_for_the_morning(server, postbox, student):
    reader(student, postbox)
    choose(student, {"record.started": "daily"})
    student.new_record("chalkboard")
    eventually(lambda: mornings(server, student), [7])


def test_the_morning_is_that_of_the_institution(server, postbox, administrator, student, stranger):
    institution = institution_of(administrator, stranger)
    place = f"/v1/institutions/{institution}"
    stranger.makes_member(student, institution, "student")
    reader(student, postbox)
    choose(student, {"announcement.made": "daily"})
    # Five hours and three quarters ahead of UTC, without summer time.
    answer = changed(stranger.patch(place, {"timeZone": "Asia/Kathmandu"}))
    assert answer.json["institution"]["timeZone"] == "Asia/Kathmandu"
    announce(stranger, institution, "Welcome")
    eventually(lambda: mornings(server, student), [1.25])


@pytest.mark.parametrize("zone", ["Paris", "GMT+5", "Etc/Unknown", "../../etc/passwd", "x" * 64])
def test_a_time_zone_is_one_of_the_database(administrator, stranger, zone):
    place = f"/v1/institutions/{institution_of(administrator, stranger)}"
    answer = stranger.patch(place, {"timeZone": zone})
    assert (answer.status, [fault["code"] for fault in answer.json["faults"]]) == (422, ["time_zone_unknown"])
    assert answer.json["faults"][0]["path"] == "/timeZone"
    assert changed(stranger.get(place)).json["institution"]["timeZone"] == "UTC"
