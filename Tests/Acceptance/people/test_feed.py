"""Feeds: what happened to whom, read by those who may read it now, in pages, live and after a crash."""

import contextlib
import json
import uuid

import pytest
from programs import Program, enrolled, until
from test_friends import accept, befriend, following, person, share

import gradecast
from client import changed
from live import Events
from oracle.build import board_total
from stored import stored


def feed(api):
    return changed(api.get("/v1/feed")).json


def own(api):
    """The lines about the caller's records."""
    return [line for line in lines(api) if "record" in line and "person" not in line]


def lines(api, kind=None):
    return [line for line in feed(api)["items"] if kind is None or kind in line["types"]]


def arrived(api, kind, count=1):
    """The lines of a type, once there are so many."""
    return until(lambda: lines(api, kind), lambda found: len(found) >= count)


def types(found):
    """All types of some lines: what happens in a moment may stand on both sides of a full ten minutes."""
    return {kind for line in found for kind in line["types"]}


def total(found):
    return sum(line["count"] for line in found)


def pages(api, limit, cursor=None):
    """Every line from a place on, page by page."""
    while True:
        answer = changed(api.get(f"/v1/feed?limit={limit}" + (f"&cursor={cursor}" if cursor else ""))).json
        yield from answer["items"]
        cursor = answer["next"]
        if cursor is None:
            return


def institution_of(administrator, keeper):
    """An institution of its own, and its registrar."""
    made = administrator.post("/v1/institutions", {"slug": uuid.uuid4().hex, "title": "School", "open": False})
    institution = changed(made, 201).json["institution"]["id"]
    administrator.makes_member(keeper, institution, "registrar")
    return institution


def announce(api, institution, text):
    return changed(api.post(f"/v1/institutions/{institution}/announcements", {"text": text}), 201).json["announcement"]


def test_what_happens_to_a_record_is_a_line_with_figures(board, student):
    record, entry = board
    changed(record.patch(entry, {"credits": 4}))
    found = until(lambda: own(student), lambda found: total(found) == 3)
    assert types(found) == {"figure.changed", "grade.entered", "record.started"}
    assert {line["record"]["id"] for line in found} == {record.id}
    (line,) = (line for line in found if "figures" in line)
    assert (line["type"], line["figures"]) == ("figure.changed", [{"name": "gpa", "from": None, "to": "3.00"}])
    assert "by" not in line and "person" not in line


def test_a_hidden_grade_is_no_event_until_its_release(server, registrar):
    student = enrolled(server, registrar)
    program = Program(registrar, "chalkboard")
    changed(program.publish())
    record = program.record([board_total("Algebra", 3, 85)], student=student.account["id"])
    before = until(lambda: lines(student), lambda found: {"record.started", "grade.entered"} <= types(found))
    changed(record.seen_by(registrar).add(board_total("Secret", 3, 20) | {"hidden": True}), 201)
    # The announcement follows the hidden grade: when it arrives, the grade would have arrived before.
    changed(registrar.post("/v1/institutions/demo/announcements", {"text": "Wait"}), 201)
    until(
        lambda: lines(student, "announcement.made"),
        lambda found: any(line["announcement"]["text"] == "Wait" for line in found),
    )
    before = [line for line in before if "record" in line]
    assert [line for line in lines(student) if "record" in line] == before
    changed(registrar.post(program.path + "/release", {}), 202)
    released = arrived(student, "result.released")[0]
    assert released["by"]["id"] == registrar.account["id"]
    assert released["at"] > before[0]["at"]
    assert any(figure["name"] == "gpa" for figure in released["figures"])


def test_an_announcement_reaches_members_and_is_withdrawn(server, administrator, stranger):
    keeper, member = server.api().sign_up(), server.api().sign_up()
    institution = institution_of(administrator, keeper)
    keeper.makes_member(member, institution, "student")
    made = announce(keeper, institution, "The results are out on Friday.")
    (line,) = arrived(member, "announcement.made")
    assert line["announcement"] == {"id": made["id"], "text": made["text"]}
    assert line["institution"] == {"id": institution, "title": "School"}
    (granted,) = lines(member, "membership.granted")
    assert granted["role"] == "student"
    assert lines(stranger) == []
    path = f"/v1/institutions/{institution}/announcements/{made['id']}"
    assert member.delete(path).status == 403
    changed(keeper.delete(path), 204)
    assert lines(member, "announcement.made") == []
    assert keeper.delete(path).status == 404
    # One that was withdrawn counts, since it was told.
    for number in range(19):
        announce(keeper, institution, f"Number {number}")
    refused = keeper.post(f"/v1/institutions/{institution}/announcements", {"text": "One more"})
    assert (refused.status, [fault["code"] for fault in refused.json["faults"]]) == (422, ["announcement_limit"])
    # Members who leave get no further lines about it.
    changed(keeper.delete(f"/v1/institutions/{institution}/members/{person(member)}"), 204)
    assert lines(member) == []


def test_a_friends_headline_is_told_while_it_is_shared(board, student, stranger):
    record, entry = board
    befriend(student, stranger)
    share(record, "friends")
    changed(record.patch(entry, {"credits": 4}))
    changed(record.add(board_total("Analysis", 3, 95)), 201)
    line = arrived(stranger, "friend.headline")[0]
    assert (line["person"]["id"], line["record"]["id"]) == (person(student), record.id)
    # No figure of another person stands in a feed: what is shared is read where it is shared.
    assert "figures" not in line and "outcomes" not in line
    assert "3." not in json.dumps({name: line[name] for name in line if name not in ("at", "person", "program")})
    share(record)
    assert lines(stranger, "friend.headline") == []
    # A consent that is given again tells nothing of what was before it.
    share(record, "friends")
    assert lines(stranger, "friend.headline") == []
    changed(record.add(board_total("Geometry", 3, 40)), 201)
    arrived(stranger, "friend.headline")


def test_an_open_feed_is_withdrawn_with_the_consent(live, board, student, stranger):
    record, _ = board
    befriend(student, stranger)
    share(record, "friends")
    changed(record.add(board_total("Analysis", 3, 95)), 201)
    arrived(stranger, "friend.headline")
    topic = f"feed/{person(stranger)}"
    reader = live(stranger.token)
    state = reader.subscribe(topic)
    while "friend.headline" not in types(state["doc"]["items"]):
        state = reader.until(topic, state["v"] + 1)
    share(record)
    # A feed opened after the answer has no line of it; an open one shows another.
    late = live(stranger.token).subscribe(topic)
    assert "friend.headline" not in types(late["doc"]["items"])
    while "friend.headline" in types(state["doc"]["items"]):
        state = reader.until(topic, state["v"] + 1)


@pytest.mark.parametrize("end", ["block", "blocked", "unfollow", "forbid", "delete"])
def test_nothing_has_to_be_cleared_when_a_right_ends(board, student, stranger, end):
    record, _ = board
    befriend(student, stranger)
    share(record, "friends")
    changed(record.add(board_total("Analysis", 3, 95)), 201)
    arrived(stranger, "friend.headline")
    arrived(stranger, "person.followed")
    {
        "block": lambda: changed(stranger.call("PUT", f"/v1/accounts/me/blocks/{person(student)}"), 204),
        "blocked": lambda: changed(student.call("PUT", f"/v1/accounts/me/blocks/{person(stranger)}"), 204),
        "unfollow": lambda: changed(following(stranger, student, "DELETE"), 204),
        "forbid": lambda: share(record),
        "delete": lambda: changed(student.delete("/v1/accounts/me"), 204),
    }[end]()
    assert lines(stranger, "friend.headline") == []
    still = {"unfollow", "forbid"}
    assert bool(lines(stranger, "person.followed")) == (end in still)


def test_who_follows_is_told_of_requests_and_of_followers(student, stranger):
    changed(student.patch("/v1/accounts/me", {"discoverable": True}))
    changed(following(stranger, student), 201)
    (line,) = arrived(student, "person.followed")
    assert (line["person"]["id"], line["state"]) == (person(stranger), "requested")
    accept(student, stranger)
    assert lines(student, "person.followed")[0]["state"] == "following"


@pytest.mark.slow("waits out a long poll of a second, and for the feed to be written before")
def test_the_topic_tells_of_news_and_of_what_was_seen_elsewhere(server, live, board, student):
    record, entry = board
    count = len(until(lambda: own(student), lambda found: total(found) == 2))
    topic = f"feed/{person(student)}"
    reader, elsewhere = live(student.token), live(student.token)
    state = reader.subscribe(topic)
    assert state["doc"] == feed(student)
    assert state["doc"]["unread"] == len(state["doc"]["items"]) == count and state["doc"]["seen"] is None
    other = elsewhere.subscribe(topic)
    changed(record.patch(entry, {"credits": 4}))
    while total((state := reader.until(topic, state["v"] + 1))["doc"]["items"]) < 3:
        pass
    at = state["doc"]["items"][0]["at"]
    changed(student.call("PUT", "/v1/feed/seen", {"at": at}))
    while (other := elsewhere.until(topic, other["v"] + 1))["doc"]["unread"] > 0:
        pass
    assert other["doc"]["seen"] == at
    # An earlier moment takes nothing back.
    seen = changed(student.call("PUT", "/v1/feed/seen", {"at": "2020-01-01T00:00:00Z"})).json["seen"]
    assert seen == at
    # The two other channels say the same.
    answer = changed(student.get("/v1/feed"))
    with contextlib.closing(Events(server, student.token, topic)) as events:
        assert json.loads(events.receive()["data"])["doc"] == answer.json
    assert student.get("/v1/feed", if_none_match=answer.etag).status == 304
    assert student.get("/v1/feed", if_none_match=answer.etag, prefer="wait=1").status == 304
    assert live(student.token).subscribe(f"feed/{uuid.uuid4()}")["t"] == "error"


def test_a_type_is_muted(board, student):
    until(lambda: own(student), lambda found: total(found) == 2)
    choices = changed(student.get("/v1/accounts/me/notices")).json["notices"]
    assert all(channels == {"page": True, "mail": "none"} for channels in choices["types"].values())
    muted = {"types": {"grade.entered": {"page": False}, "record.started": {"page": False}}}
    changed(student.call("PUT", "/v1/accounts/me/notices", muted))
    assert types(lines(student)) == {"figure.changed"}
    changed(
        student.call("PUT", "/v1/accounts/me/notices", {"types": {"figure.changed": {"page": False}} | muted["types"]})
    )
    assert lines(student) == []
    unknown = student.call("PUT", "/v1/accounts/me/notices", {"types": {"weather": {"page": False}}})
    assert [(fault["code"], fault["path"]) for fault in unknown.json["faults"]] == [("unknown_field", "/types/weather")]


def test_a_place_that_is_none_is_refused(student):
    for cursor in ("x", "bm9uZQ", "%00", "A" * 3000):
        assert student.get(f"/v1/feed?cursor={cursor}").status == 400, cursor
    for at in ("yesterday", "2026-13-01T00:00:00Z", "2026-01-01T00:00:00+01:00", 5):
        assert student.call("PUT", "/v1/feed/seen", {"at": at}).status == 422, at


def test_the_export_holds_it_and_deletion_erases_it(server, board, student):
    record, _ = board
    line = until(lambda: own(student), lambda found: total(found) == 2)[0]
    changed(student.call("PUT", "/v1/feed/seen", {"at": line["at"]}))
    exported = changed(student.get("/v1/accounts/me/export")).json
    assert {event["object"] for event in exported["feed"]} == {record.id}
    assert exported["feedSeen"] == line["at"] and exported["notices"]["figures"] is False
    changed(student.delete("/v1/accounts/me"), 204)
    with stored(server) as store:
        place = ("a/" + person(student),)
        assert store.execute("SELECT count(*) FROM feed_events WHERE stream = ?", place).fetchone() == (0,)
        for table in ("feed_seen", "notice_choices", "notices_due"):
            rows = store.execute(f"SELECT count(*) FROM {table} WHERE account = ?", (person(student),))
            assert rows.fetchone() == (0,)


@pytest.mark.slow("reads the feed six hundred times")
def test_an_account_reads_its_feed_only_so_often(tmp_path):
    server = gradecast.Server(tmp_path, {"listen": {"proxies": ["127.0.0.1"]}}).start()
    student = server.api().sign_up()
    answers = [student.get("/v1/feed?limit=1", x_forwarded_for="198.51.100.7") for _ in range(600)]
    refused = [answer for answer in answers if answer.status != 200]
    assert all(answer.status == 200 for answer in answers[:30])
    assert {(answer.status, answer.json["code"]) for answer in refused} == {(429, "rate_limited")}
    assert refused[-1].headers["Retry-After"] == "1"
    assert server.stop() == 0, server.output()


def test_without_people_there_is_no_feed(tmp_path):
    server = gradecast.Server(tmp_path, config={"people": {"enabled": False}}).start()
    student, registrar = server.api().sign_up(), server.signed_in("registrar")
    for answer in (
        student.get("/v1/feed"),
        student.call("PUT", "/v1/feed/seen", {"at": "2026-01-01T00:00:00Z"}),
        student.get("/v1/accounts/me/notices"),
        registrar.post("/v1/institutions/demo/announcements", {"text": "Nothing"}),
    ):
        assert (answer.status, answer.json["code"]) == (404, "not_found")
    assert server.stop() == 0


def inserted(server, account, count, start):
    """Events of a person, ten minutes apart, as if so much had happened; the server is not running."""
    with stored(server) as store:
        row = (
            "INSERT INTO feed_events (number, stream, shown, at, id, types, object, institution, program, version, job)"
        )
        institution, program, record = store.execute(
            "SELECT institution, program, id FROM records WHERE student = ?", (account,)
        ).fetchone()
        # The server numbers them itself.
        (last,) = store.execute("SELECT max(number) FROM feed_events").fetchone()
        store.executemany(
            row + " VALUES (?, ?, 0, ?, ?, 2, ?, ?, ?, 1, 0)",
            (
                (last + 1 + number, f"a/{account}", start - number * 600_000_000, f"e{number:015}")
                + (record, institution, program)
                for number in range(count)
            ),
        )


# Reads ten thousand events page by page.
@pytest.mark.slow("pages through ten thousand events")
def test_ten_thousand_events_are_paged_without_gap_or_repeat_while_others_arrive(tmp_path):
    server = gradecast.Server(tmp_path).start()
    student = server.api().sign_up()
    record = student.new_record("chalkboard")
    entry = changed(record.add(board_total("Algorithms", 3, 85)), 201).json["entry"]["id"]
    first = until(lambda: own(student), lambda found: total(found) == 2)
    assert server.stop() == 0
    with stored(server) as store:
        query = "SELECT min(at) FROM feed_events WHERE stream = ?"
        (start,) = store.execute(query, (f"a/{person(student)}",)).fetchone()
    inserted(server, person(student), 10_000, start - 600_000_000)
    server.start()
    student = server.api(student.token)
    record.api = student
    found = []
    for number, line in enumerate(pages(student, 50)):
        found.append(line)
        if number % 1_000 == 0:
            changed(record.patch(entry, {"credits": 1 + number // 1_000 % 5}))
    assert len({line["id"] for line in found}) == len(found)
    assert {line["id"] for line in found} >= {line["id"] for line in first}
    told = sum(line["count"] for line in found if line["at"] < first[-1]["at"])
    assert told == 10_000
    assert [line["at"] for line in found] == sorted((line["at"] for line in found), reverse=True)
    until(lambda: total(own(student)), lambda count: count > total(first) + 5)
    assert server.stop() == 0


@pytest.mark.slow("kills its server three times, and has the whole log told once more after a stop")
def test_a_projector_that_is_killed_leaves_the_same_feed(tmp_path):
    server = gradecast.Server(tmp_path).start()
    student = server.api().sign_up()
    account = person(student)
    record = student.new_record("chalkboard")
    entry = changed(record.add(board_total("Algorithms", 3, 85)), 201).json["entry"]["id"]
    changed(record.add(board_total("Analysis", 3, 55)), 201)
    for number in range(3):
        for credits in range(1, 11):
            changed(record.patch(entry, {"credits": credits + number / 10}))
        server.kill()
        server.start()
        student = server.api(student.token)
        record.api = student
    with stored(server) as store:
        (seen,) = store.execute("SELECT count(*) FROM changes WHERE record = ?", (record.id,)).fetchone()

    def events():
        with stored(server) as store:
            query = "SELECT count, * FROM feed_events WHERE stream = ? ORDER BY at, id"
            return store.execute(query, (f"a/{account}",)).fetchall()

    # Changes within a second may be one event.
    before = until(events, lambda rows: sum(row[0] for row in rows) == seen)
    document = feed(student)["items"]
    # The projector goes through the whole log once more.
    assert server.stop() == 0
    with stored(server) as store:
        store.execute("UPDATE feed_progress SET changes = 0, audit = 0, classes = 0")
    server.start()
    student = server.api(student.token)
    changed(record.seen_by(student).patch(entry, {"credits": 20}))
    after = until(events, lambda rows: sum(row[0] for row in rows) == seen + 1)
    assert after[:-1] == before
    assert feed(student)["items"][-1]["id"] == document[-1]["id"]
    assert server.stop() == 0
