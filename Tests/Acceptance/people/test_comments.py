"""Comments on results: to the student as part of posting, or among staff."""

import pytest
from programs import until

import gradecast
from classroom import CONFIG, Room
from client import changed


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = gradecast.Server(tmp_path_factory.mktemp("comments"), config=CONFIG).start()
    yield server
    assert server.stop() == 0, server.output()


@pytest.fixture
def room(server):
    """A class whose first lab shows its results at once, and the second one only when they are posted."""
    room = Room(server)
    changed(room.enter(4, value=7))
    return room


def path(room):
    return f"{room.path}/rows/{room.row}/comments"


def write(room, text, line=4, audience="student", by=None, **more):
    body = {"line": room.lines[line], "for": audience, "text": text}
    return (by or room.teacher).post(path(room), body, **more)


def texts(room, by=None, query=""):
    return [item["text"] for item in (by or room.teacher).get(path(room) + query).json["items"]]


def notes(room, line=4):
    cell = room.teacher.get(f"{room.path}/rows").json["rows"][0]["cells"][room.column(line)]
    return cell.get("notes", 0) if isinstance(cell, dict) else 0


def refusal(answer):
    return answer.status, answer.faults[0]


def comment_events(room):
    lines = room.student.get("/v1/feed").json["items"]
    return [line for line in lines if line["type"] == "comment.received"]


def grader_of(room, line):
    grader = room.server.api().sign_up()
    room.registrar.makes_member(grader, room.college, "teacher", [room.program])
    member = {"account": grader.account["id"], "role": "grader", "lines": [room.lines[line]]}
    changed(room.teacher.post(f"{room.path}/staff", member))
    return grader


def test_a_comment_reaches_its_student_and_the_grid(room):
    changed(write(room, "Clear.\nSee page 4."), 201)
    changed(write(room, "Check for copying", audience="staff"), 201)
    assert texts(room) == ["Check for copying", "Clear.\nSee page 4."]
    assert notes(room) == 2
    assert texts(room, room.student) == ["Clear.\nSee page 4."]
    own = room.student.get(f"/v1/rows/{room.row}").json["lines"][room.lines[4]]
    assert own["comments"] == 1
    [item] = room.student.get(path(room)).json["items"]
    assert (item["line"], item["for"], item["name"]) == (room.lines[4], "student", room.teacher.account["displayName"])
    [line] = until(lambda: comment_events(room), len)
    assert line["result"] == {"class": "Algorithms", "entry": room.entry}
    assert line["by"]["id"] == room.teacher.account["id"]


def test_a_comment_on_a_result_that_is_not_shown_tells_the_student_nothing(room):
    before = room.student.get(f"/v1/rows/{room.row}")
    changed(room.enter(5, value=8))
    changed(write(room, "Well done", line=5), 201)
    after = room.student.get(f"/v1/rows/{room.row}")
    assert (after.headers["ETag"], after.json) == (before.headers["ETag"], before.json)
    assert texts(room, room.student) == []
    # One that is shown comes after it: the first would have come by then.
    changed(write(room, "Good"), 201)
    assert len(until(lambda: comment_events(room), len)) == 1
    changed(room.teacher.post(f"{room.path}/post", {"lines": [room.lines[5]]}))
    assert texts(room, room.student) == ["Good", "Well done"]
    changed(room.teacher.post(f"{room.path}/post", {"lines": [room.lines[4]], "hide": True}))
    assert texts(room, room.student) == ["Well done"]
    assert comment_events(room) == []


def test_who_else_may_not_read_or_write(room):
    changed(write(room, "Good"), 201)
    other = room.server.api().sign_up()
    room.registrar.makes_member(other, room.college, "student", [])
    assert other.get(path(room)).status == 404
    assert write(room, "I agree", by=room.student).status == 404
    grader = grader_of(room, 3)
    assert texts(room, grader) == ["Good"]
    assert refusal(write(room, "Mine", by=grader)) == (422, ("line_not_assigned", "/line"))


def test_what_one_has_written_is_there_to_be_written_again(room):
    author = grader_of(room, 4)
    for text, audience in (("Clear", "student"), ("See page 4", "staff"), ("Clear", "staff"), ("x" * 501, "staff")):
        changed(write(room, text, audience=audience, by=author), 201)
    changed(write(room, "By the teacher"), 201)
    own = changed(author.get("/v1/accounts/me/comments")).json["items"]
    assert own == [{"text": "Clear", "for": "staff", "count": 2}, {"text": "See page 4", "for": "staff", "count": 1}]
    assert changed(room.student.get("/v1/accounts/me/comments")).json["items"] == []


def test_one_deletes_the_own_comments_and_a_teacher_those_of_others(room):
    grader = grader_of(room, 4)
    first = changed(write(room, "Mine", by=grader), 201).json["comment"]["id"]
    second = changed(write(room, "Mine too", by=grader), 201).json["comment"]["id"]
    own = changed(write(room, "By the teacher"), 201).json["comment"]["id"]
    assert grader.delete(f"{path(room)}/{own}").status == 403
    changed(grader.delete(f"{path(room)}/{first}"))
    assert grader.delete(f"{path(room)}/{first}").status == 404
    changed(room.teacher.delete(f"{path(room)}/{second}"))
    assert texts(room) == ["By the teacher"]
    operations = [line["operation"] for line in room.teacher.get(f"{room.path}/rows/{room.row}/history").json["items"]]
    assert operations[:5] == ["comment_deleted", "comment_deleted", "comment", "comment", "comment"]
    assert "Mine" not in room.teacher.get(f"{room.path}/ledger").body.decode()


def test_bounds(room):
    assert refusal(write(room, "x" * 4001))[1] == ("text_too_long", "/text")
    assert refusal(write(room, " \n\t"))[1] == ("missing_field", "/text")
    assert refusal(write(room, "a\u202eb"))[1] == ("text_invalid", "/text")
    assert refusal(write(room, "x", audience="all"))[1][1] == "/for"
    changed(write(room, "x" * 4000), 201)
    for _ in range(49):
        changed(write(room, "again"), 201)
    assert refusal(write(room, "one more"))[1][0] == "comment_limit"
    changed(write(room, "elsewhere", line=3), 201)
    assert len(texts(room, query=f"?line={room.lines[4]}&limit=100")) == 50
    page = room.teacher.get(f"{path(room)}?limit=1")
    assert [item["text"] for item in page.json["items"]] == ["elsewhere"]
    assert 'rel="next"' in page.headers["Link"]


def test_what_takes_no_result_takes_no_comment(room):
    changed(room.teacher.patch(room.path, {"state": "closed"}))
    assert refusal(write(room, "Late"))[1][0] == "class_closed"
    changed(room.registrar.patch(room.path, {"state": "open"}))
    changed(room.teacher.delete(f"{room.path}/enrolments/{room.row}"))
    assert refusal(write(room, "Gone"))[1] == ("enrolment_ended", "/row")


def test_a_repeated_request_writes_once(room):
    first, again = (write(room, "Once", idempotency_key="once") for _ in range(2))
    assert (first.status, again.status, again.json) == (201, 201, first.json)
    assert texts(room) == ["Once"]


def test_an_export_has_the_comments_that_one_reads_and_those_that_one_wrote(room):
    changed(write(room, "Good"), 201)
    changed(write(room, "Hidden", line=5), 201)
    changed(write(room, "Among us", audience="staff"), 201)
    of_student = room.student.get("/v1/accounts/me/export").json["comments"]
    assert [item["text"] for item in of_student["received"]] == ["Good"]
    assert of_student["written"] == []
    of_teacher = room.teacher.get("/v1/accounts/me/export").json["comments"]
    assert [item["text"] for item in of_teacher["written"]] == ["Among us", "Hidden", "Good"]


def test_a_deleted_account_leaves_no_comment_about_itself(room):
    changed(write(room, "Good"), 201)
    changed(room.student.delete("/v1/accounts/me"), 204)
    assert texts(room) == []
    assert room.student.account["id"] not in room.teacher.get(path(room)).body.decode()
