"""Webhooks: each event arrives, in the order of its record, signed, whatever fails in between."""

import base64
import uuid

import pytest
from access import course
from programs import Program, until
from receiver import Receiver

import gradecast
from client import Record, changed, listed
from stored import kept, stored

ALL = [
    "record.created", "record.changed", "record.ended", "program.published", "member.added", "member.changed",
    "member.removed", "class.changed",
]  # fmt: skip
LOOPBACK = {"webhooks": {"networks": ["127.0.0.0/8"]}}
LINES = [
    {"op": "add", "kind": "assessment", "in": "#0", "fields": {"name": name, "max": 100, "weight": weight}}
    for name, weight in (("Assignments", 30), ("Midterm", 30), ("Final", 40))
]
SETS = {"title": "Sets", "root": "course", "fields": {"title": "Sets", "credits": 3}, "lines": LINES}


@pytest.fixture
def receiver():
    made = Receiver()
    yield made
    made.down()


@pytest.fixture
def place(tmp_path):
    """A server whose operator lets messages go to this machine."""
    running = gradecast.Server(tmp_path, config=LOOPBACK).start()
    yield running
    assert running.stop() == 0, running.output()


class Webhook:
    """A webhook of the demonstration's institution."""

    def __init__(self, api, receiver, **more):
        self.api, self.receiver = api, receiver
        place = next(item for item in api.get("/v1/memberships").json["items"] if item["role"] == "registrar")
        self.all = f"/v1/institutions/{place['institution']}/webhooks"
        body = {"title": "Registry", "url": receiver.url, "events": ALL} | more
        answer = changed(api.post(self.all, body), 201).json
        self.path = f"{self.all}/{answer['webhook']['id']}"
        receiver.secrets.append(answer["secret"])

    @property
    def state(self):
        return changed(self.api.get(self.path)).json["webhook"]

    def waiting(self, state="waiting"):
        return listed(self.api, f"{self.path}/deliveries?state={state}&limit=2")

    def rests(self):
        """Waits until everything was accepted."""
        return until(lambda: self.state, lambda state: state["waiting"] == 0)


def enter(record):
    """Adds a course to a record, or gives the one that is there another title."""
    title = f"Course {uuid.uuid4().hex[:8]}"
    entries = record.entries
    if entries:
        changed(record.patch(entries[0]["id"], {"title": title}))
    else:
        changed(record.add(course(title)), 201)


def new_record(program, owner=None):
    owner = owner or program.api
    return Record(owner, changed(owner.post("/v1/records", {"program": program.id}), 201).json["record"]["id"])


def published(api):
    program = Program(api, "chalkboard")
    changed(program.publish())
    return program


def versions(receiver, record):
    """The versions of a record in the order in which the receiver first accepted them."""
    return [message["data"]["version"] for message in receiver.messages if message["data"].get("record") == record.id]


@pytest.mark.slow("kills and starts a server twice while messages wait")
def test_a_receiver_that_was_down_gets_everything_in_order_though_the_server_was_killed(tmp_path, receiver):
    server = gradecast.Server(tmp_path, config=LOOPBACK).start()
    webhook = Webhook(server.signed_in("registrar"), receiver)
    student = server.api().sign_up()
    records = [new_record(published(webhook.api), student) for _ in range(2)]
    program = Program.of(webhook.api, records[0].get().json["record"]["program"])
    records.append(new_record(program, server.api().sign_up()))
    for round_ in range(3):
        for record in records:
            for _ in range(4):
                enter(record)
        if round_ < 2:
            until(lambda: webhook.state["waiting"], bool)
            server.kill()
            server.start()
    changed(records[2].seen_by(webhook.api).delete(), 204)
    assert receiver.messages == []
    receiver.up()
    until(lambda: versions(receiver, records[2]), lambda found: found and found[-1] == 14)
    webhook.rests()
    assert [versions(receiver, record) for record in records] == [
        list(range(1, 14)), list(range(1, 14)), list(range(1, 15)),
    ]  # fmt: skip
    assert receiver.of("record.ended", "record", records[2].id)[0]["version"] == 14
    assert [data["version"] for data in receiver.of("program.published")] == [1, 1]
    server.kill()
    server.start()
    enter(records[0])
    until(lambda: versions(receiver, records[0]), lambda found: found[-1] == 14)
    assert versions(receiver, records[0]) == list(range(1, 15))
    assert server.stop() == 0, server.output()


def test_a_message_tells_identifiers_and_figures_by_name(place, receiver):
    receiver.up()
    webhook = Webhook(place.signed_in("registrar"), receiver)
    record = new_record(published(webhook.api))
    enter(record)
    (data,) = until(lambda: receiver.of("record.changed", "record", record.id), bool)
    entry = record.entries[0]["id"]
    account = webhook.api.get("/v1/accounts/me").json["id"]
    assert data == {
        "institution": webhook.state["institution"],
        "record": record.id,
        "program": record.get().json["record"]["program"],
        "student": account,
        "version": 2,
        "act": "add",
        "entry": entry,
        "figures": ["gpa"],
    }


def test_a_message_has_the_record_as_staff_see_it_if_that_is_wished(place, receiver):
    receiver.up()
    webhook = Webhook(place.signed_in("registrar"), receiver, content="document", events=["record.changed"])
    record = new_record(published(webhook.api))
    enter(record)
    (data,) = until(lambda: receiver.of("record.changed", "record", record.id), bool)
    assert data["document"] == record.get().json
    assert {message["type"] for message in receiver.messages} == {"record.changed"}


def test_members_and_classes_make_events(place, receiver):
    receiver.up()
    webhook = Webhook(place.signed_in("registrar"), receiver)
    program = published(webhook.api)
    student = place.api().sign_up()
    webhook.api.makes_member(student, "demo", "student", [])
    account = student.account["id"]
    path = f"/v1/institutions/demo/members/{account}"
    changed(webhook.api.put(path + "/student-number", {"studentNumber": "77"}))
    changed(webhook.api.delete(path), 204)
    made = changed(webhook.api.post(f"{program.path}/classes", SETS), 201).json["class"]["id"]
    until(lambda: receiver.of("class.changed", "class", made), bool)
    webhook.rests()
    kinds = [message["type"] for message in receiver.messages if message["data"].get("account") == account]
    assert kinds == ["member.added", "member.changed", "member.removed"]
    assert receiver.of("class.changed", "class", made)[0]["program"] == program.id


def test_a_webhook_of_a_program_hears_of_that_one_alone(place, receiver):
    receiver.up()
    api = place.signed_in("registrar")
    ours, other = published(api), published(api)
    webhook = Webhook(api, receiver, program=ours.id)
    enter(new_record(other))
    record = new_record(ours, place.api().sign_up())
    changed(record.seen_by(api).delete(), 204)
    until(lambda: receiver.of("record.ended"), bool)
    webhook.rests()
    assert {message["data"]["record"] for message in receiver.messages} == {record.id}


def test_a_message_that_one_record_cannot_deliver_holds_up_no_other(place, receiver):
    api = place.signed_in("registrar")
    program = published(api)
    stuck, free = new_record(program), new_record(program)
    receiver.answer = lambda message: 500 if message["data"].get("record") == stuck.id else 204
    receiver.up()
    webhook = Webhook(api, receiver, events=["record.changed"])
    for _ in range(3):
        enter(stuck)
        enter(free)
    until(lambda: versions(receiver, free), lambda found: found == [2, 3, 4])
    refused = until(webhook.waiting, lambda items: len(items) == 3 and items[0]["attempts"])
    assert [item["dueAt"] is None for item in refused] == [False, True, True]
    assert (refused[0]["reason"], refused[0]["status"]) == ("status", 500)
    assert {message["data"]["version"] for message in receiver.attempts if message["data"]["record"] == stuck.id} == {2}


def test_a_receiver_that_is_gone_turns_the_webhook_off_and_on_again_it_misses_nothing(place, receiver):
    receiver.answer = lambda message: 410
    receiver.up()
    webhook = Webhook(place.signed_in("registrar"), receiver)
    record = new_record(published(webhook.api))
    state = until(lambda: webhook.state, lambda state: not state["enabled"])
    assert (state["stopped"], state["refusal"]["status"]) == ("gone", 410)
    enter(record)
    receiver.answer = lambda message: 204
    changed(webhook.api.patch(webhook.path, {"enabled": True}))
    until(lambda: versions(receiver, record), lambda found: found == [1, 2])
    assert webhook.state["stopped"] is None


def test_a_pause_that_a_receiver_asks_for_is_told(place, receiver):
    receiver.answer = lambda message: (503, {"Retry-After": "1800"})
    receiver.up()
    webhook = Webhook(place.signed_in("registrar"), receiver)
    new_record(published(webhook.api))
    state = until(lambda: webhook.state, lambda state: state["refusal"])
    assert state["resumesAt"] > state["refusal"]["at"]
    assert state["waiting"] > 0 and state["down"] is False


def test_both_secrets_sign_for_a_day_after_a_new_one(place, receiver):
    receiver.up()
    webhook = Webhook(place.signed_in("registrar"), receiver)
    answer = changed(webhook.api.post(webhook.path + "/secret")).json
    receiver.secrets.append(answer["secret"])
    assert answer["webhook"]["formerSecretUntil"] > answer["webhook"]["createdAt"]
    new_record(published(webhook.api))
    until(lambda: receiver.of("record.created"), bool)
    assert len(receiver.messages[0]["signature"].split()) == 2
    text = str(webhook.state) + str(changed(webhook.api.get(webhook.all)).json)
    assert not any(secret.removeprefix("whsec_") in text for secret in receiver.secrets)


def test_a_test_message_says_what_became_of_it(place, receiver):
    receiver.up()
    webhook = Webhook(place.signed_in("registrar"), receiver)
    outcome = changed(webhook.api.post(webhook.path + "/test")).json["outcome"]
    assert outcome == {"accepted": True, "status": 204, "reason": None, "excerpt": ""}
    assert receiver.messages[0]["type"] == "webhook.test"
    receiver.answer = lambda message: 200
    assert changed(webhook.api.post(webhook.path + "/test")).json["outcome"]["excerpt"] == "ok"
    receiver.down()
    outcome = changed(webhook.api.post(webhook.path + "/test")).json["outcome"]
    assert outcome == {"accepted": False, "status": None, "reason": "connection", "excerpt": ""}


def test_of_a_long_answer_a_printable_beginning_is_told(place, receiver):
    receiver.answer = lambda message: (200, {}, b"<p>\x1b[1m\xc3\xa9 " + b"x" * 1_000_000)
    receiver.up()
    webhook = Webhook(place.signed_in("registrar"), receiver)
    outcome = changed(webhook.api.post(webhook.path + "/test")).json["outcome"]
    assert outcome["accepted"] is True
    assert outcome["excerpt"] == ("<p> [1m   " + "x" * 200)[:200]


def test_a_redirect_is_not_followed(place, receiver):
    other = Receiver().up()
    receiver.answer = lambda message: (302, {"Location": other.url})
    receiver.up()
    webhook = Webhook(place.signed_in("registrar"), receiver)
    outcome = changed(webhook.api.post(webhook.path + "/test")).json["outcome"]
    assert (outcome["accepted"], outcome["status"]) == (False, 302)
    assert other.attempts == []
    other.down()


@pytest.mark.parametrize("address", [
    "http://127.0.0.1:9/", "https://127.0.0.1/", "https://10.1.2.3/", "https://[::1]/", "https://169.254.169.254/x",
    "http://example.org/", "ftp://example.org/", "https://user:word@example.org/", "https:///x",
])  # fmt: skip
def test_an_address_inside_the_own_network_is_refused_unless_it_is_allowed(server, address):
    api = server.signed_in("registrar")
    refused = api.post("/v1/institutions/demo/webhooks", {"title": "In", "url": address, "events": ALL})
    assert refused.status == 422
    assert [(fault["code"], fault["path"]) for fault in refused.json["faults"]] == [("webhook_address", "/url")]


def test_a_name_that_leads_into_the_own_network_is_refused_when_it_is_connected_to(server):
    api = server.signed_in("registrar")
    body = {"title": "In", "url": "https://localhost:9/", "events": ALL, "enabled": False}
    webhook = changed(api.post("/v1/institutions/demo/webhooks", body), 201).json["webhook"]
    path = f"/v1/institutions/demo/webhooks/{webhook['id']}"
    outcome = changed(api.post(path + "/test")).json["outcome"]
    assert (outcome["accepted"], outcome["reason"]) == (False, "network")
    changed(api.delete(path), 204)


def test_what_is_not_understood_is_named(server):
    api = server.signed_in("registrar")
    path = "/v1/institutions/demo/webhooks"
    body = {
        "title": "In",
        "url": "https://example.org/",
        "events": ["record.read"],
        "program": "none",
        "content": "all",
    }
    faults = {fault["path"]: fault["code"] for fault in api.post(path, body).json["faults"]}
    assert faults == {"/events/0": "out_of_range", "/program": "program_unknown", "/content": "out_of_range"}
    for _ in range(20):
        changed(api.post(path, {"title": "In", "url": "https://example.org/", "events": ALL, "enabled": False}), 201)
    refused = api.post(path, {"title": "In", "url": "https://example.org/", "events": ALL})
    assert [fault["code"] for fault in refused.json["faults"]] == ["webhook_limit"]
    for item in changed(api.get(path)).json["items"]:
        changed(api.delete(f"{path}/{item['id']}"), 204)


def test_an_erased_person_is_not_told_of(place, receiver):
    webhook = Webhook(place.signed_in("registrar"), receiver)
    program = published(webhook.api)
    student = place.api().sign_up()
    record = new_record(program, student)
    enter(record)
    until(webhook.waiting, lambda items: any(item["subject"]["id"] == record.id for item in items))
    changed(student.delete("/v1/accounts/me"), 204)
    until(lambda: [item["type"] for item in webhook.waiting()], lambda types: "record.ended" in types)
    receiver.up()
    webhook.rests()
    told = [message["data"] for message in receiver.messages if message["data"].get("record") == record.id]
    assert [data["version"] for data in told] == [1, 2, 3]
    assert all(data["student"] is None and data["entry"] is None for data in told)


def test_metrics_say_what_waits(place, receiver):
    webhook = Webhook(place.signed_in("registrar"), receiver)
    new_record(published(webhook.api))
    until(lambda: place.metric("gradecast_webhook_deliveries_waiting"), bool)
    until(lambda: place.metric('gradecast_webhook_deliveries_total{result="postponed"}'), bool)
    receiver.up()
    webhook.rests()
    until(lambda: place.metric("gradecast_webhook_deliveries_waiting"), lambda count: count == 0)
    assert place.metric('gradecast_webhook_deliveries_total{result="accepted"}') >= 2


def test_what_was_given_up_after_three_days_is_listed_and_sent_again(place, receiver):
    api = place.signed_in("registrar")
    record = new_record(published(api))
    receiver.answer = lambda message: 500 if message["data"].get("version") in (2, 3) else 204
    receiver.up()
    webhook = Webhook(api, receiver, events=["record.changed"])
    for _ in range(3):
        enter(record)
    until(webhook.waiting, lambda items: len(items) == 3 and items[0]["attempts"])
    with stored(place) as store:
        store.execute("UPDATE webhook_deliveries SET queued_at = queued_at - 259200000000, due_at = due_at - due_at")
    until(lambda: versions(receiver, record), lambda found: found == [4])
    letters = webhook.waiting("failed")
    assert [letter["subject"] for letter in letters] == [{"kind": "record", "id": record.id}] * 2
    assert all(letter["failedAt"] and letter["status"] == 500 and not letter["dueAt"] for letter in letters)
    assert webhook.state["failed"] == 2
    receiver.answer = lambda message: 204
    path = f"{webhook.path}/deliveries/{letters[1]['id']}/resend"
    assert changed(webhook.api.post(path)).json == {"resent": 1}
    until(lambda: versions(receiver, record), lambda found: found == [4, 3])
    assert webhook.api.post(path).status == 404
    assert changed(webhook.api.post(webhook.path + "/resend")).json == {"resent": 1}
    until(lambda: versions(receiver, record), lambda found: found == [4, 3, 2])
    names = {message["data"]["version"]: message["id"] for message in receiver.messages}
    assert [names[version] for version in (2, 3)] == [letter["message"] for letter in letters]
    assert webhook.state["failed"] == 0


def test_a_secret_is_sealed_in_the_store(tmp_path, receiver):
    server = gradecast.Server(tmp_path).start()
    api = server.signed_in("registrar")
    body = {"title": "In", "url": "https://example.org/", "events": ALL}
    secret = changed(api.post("/v1/institutions/demo/webhooks", body), 201).json["secret"].removeprefix("whsec_")
    assert server.stop() == 0, server.output()
    found = kept(server)
    assert b"https://example.org/" in found
    assert secret.encode() not in found and base64.b64decode(secret) not in found
