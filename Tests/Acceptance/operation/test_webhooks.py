"""Webhooks: each event arrives, in the order of its record, signed, whatever fails in between."""

import threading

import pytest
from programs import Program, until
from receiver import Receiver
from webhooks import LOOPBACK, Webhook, enter, new_record, published, versions

import gradecast
from client import changed
from stored import stored

LINES = [
    {"op": "add", "kind": "assessment", "in": "#0", "fields": {"name": name, "max": 100, "weight": weight}}
    for name, weight in (("Assignments", 30), ("Midterm", 30), ("Final", 40))
]
SETS = {"title": "Sets", "root": "course", "fields": {"title": "Sets", "credits": 3}, "lines": LINES}


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
        "epoch": record.get().etag.strip('"').partition(".")[0],
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


def test_messages_that_are_rejected_do_not_count_as_a_receiver_that_is_down(place, receiver):
    api = place.signed_in("registrar")
    program = published(api)
    rejected = [new_record(program, place.api().sign_up()) for _ in range(6)]
    free = new_record(program)
    named = {record.id for record in rejected}
    receiver.answer = lambda message: 422 if message["data"].get("record") in named else 204
    receiver.up()
    webhook = Webhook(api, receiver, events=["record.changed"])
    for record in rejected:
        enter(record)
    until(webhook.waiting, lambda items: len(items) == 6 and all(item["attempts"] for item in items))
    assert (webhook.state["down"], webhook.state["refusal"]["status"]) == (False, 422)
    enter(free)
    until(lambda: versions(receiver, free), lambda found: found == [2])
    # The receiver has the message before the server has its answer.
    until(lambda: webhook.state["waiting"], lambda count: count == 6)


def test_a_deleted_account_ends_its_memberships(place, receiver):
    receiver.up()
    webhook = Webhook(place.signed_in("registrar"), receiver, events=["member.added", "member.removed"])
    student, guest = place.api().sign_up(), place.api().sign_up()
    webhook.api.makes_member(student, "demo", "student", [])
    account = student.account["id"]
    for person in (student, guest):
        changed(person.delete("/v1/accounts/me"), 204)
    told = until(lambda: receiver.of("member.removed"), bool)
    webhook.rests()
    assert [data["account"] for data in told] == [account]
    assert {message["data"]["account"] for message in receiver.messages} == {account}


def test_what_a_webhook_no_longer_asks_for_is_not_sent(place, receiver):
    api = place.signed_in("registrar")
    ours, other = published(api), published(api)
    webhook = Webhook(api, receiver, events=["record.created", "record.changed"])
    first, second = new_record(ours), new_record(other, place.api().sign_up())
    for record in (first, second):
        enter(record)
    until(webhook.waiting, lambda items: len(items) == 4)
    changed(api.patch(webhook.path, {"events": ["record.changed"], "program": ours.id}))
    receiver.up()
    webhook.again()
    webhook.rests()
    assert [(message["type"], message["data"]["record"]) for message in receiver.messages] == [
        ("record.changed", first.id)
    ]


def test_where_as_many_wait_as_may_nothing_is_sent_again(place, receiver):
    webhook = Webhook(place.signed_in("registrar"), receiver, events=["record.created"])
    new_record(published(webhook.api))
    until(webhook.waiting, bool)
    changed(webhook.api.patch(webhook.path, {"enabled": False}))
    columns = "webhook, message, event, subject, log, place, at, queued_at, attempts"
    copied = f"""
        WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 2000)
        INSERT INTO webhook_deliveries ({columns}, number, failed_at)
        SELECT {columns.replace("message", "message || n")}, number + n,
            CASE WHEN n = 2000 THEN 1 END FROM webhook_deliveries, counted"""
    with stored(place) as store:
        store.execute(copied)
    (letter,) = webhook.waiting("failed")
    for path in (f"{webhook.path}/deliveries/{letter['id']}/resend", webhook.path + "/resend"):
        refused = webhook.api.post(path)
        assert (refused.status, [fault["code"] for fault in refused.json["faults"]]) == (422, ["webhook_queue_full"])
    assert webhook.state["failed"] == 1


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


def test_the_answer_of_a_former_address_says_nothing_of_the_new_one(place, receiver):
    asked, held = threading.Event(), threading.Event()

    def late(_):
        asked.set()
        held.wait(gradecast.PATIENCE)
        return 410

    receiver.answer = late
    receiver.up()
    webhook = Webhook(place.signed_in("registrar"), receiver, events=["record.created"])
    record = new_record(published(webhook.api))
    assert asked.wait(gradecast.PATIENCE)
    other = Receiver().up()
    other.secrets = receiver.secrets
    changed(webhook.api.patch(webhook.path, {"url": other.url}))
    held.set()
    until(lambda: versions(other, record), lambda found: found == [1])
    state = webhook.rests()
    assert (state["enabled"], state["stopped"], state["refusal"]) == (True, None, None)
    other.down()


@pytest.mark.slow("starts three servers, and waits for two messages of one after the other")
def test_a_copy_sends_nothing_while_webhooks_are_turned_off(place, receiver, tmp_path_factory):
    receiver.up()
    other = Receiver().up()
    folder = tmp_path_factory.mktemp("copy")
    silent = {"webhooks": LOOPBACK["webhooks"] | {"enabled": False}}
    server = gradecast.Server(folder, config=silent).start()
    webhook = Webhook(server.signed_in("registrar"), other, events=["record.created"])
    record = new_record(published(webhook.api))
    # Meanwhile a server that sends has looked into its logs twice.
    usual = Webhook(place.signed_in("registrar"), receiver, events=["record.created"])
    program = published(usual.api)
    for _ in range(2):
        sent = new_record(program, place.api().sign_up())
        until(lambda sent=sent: versions(receiver, sent), lambda found: found == [1])
    assert webhook.state["enabled"] and webhook.waiting() == []
    assert server.stop() == 0, server.output()
    assert other.attempts == []
    server = gradecast.Server(folder, config=LOOPBACK).start()
    until(lambda: versions(other, record), lambda found: found == [1])
    assert server.stop() == 0, server.output()
    other.down()


def test_a_pause_that_a_receiver_asks_for_is_told(place, receiver):
    receiver.answer = lambda message: (503, {"Retry-After": "1800"})
    receiver.up()
    webhook = Webhook(place.signed_in("registrar"), receiver)
    new_record(published(webhook.api))
    state = until(lambda: webhook.state, lambda state: state["refusal"])
    assert state["resumesAt"] > state["refusal"]["at"]
    assert state["waiting"] > 0 and state["down"] is False


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
    webhook.again()
    webhook.rests()
    told = [message["data"] for message in receiver.messages if message["data"].get("record") == record.id]
    assert [data["version"] for data in told] == [1, 2, 3]
    assert all(data["student"] is None and data["entry"] is None for data in told)


@pytest.mark.slow("what waits is measured every five seconds")
def test_metrics_say_what_waits(place, receiver):
    webhook = Webhook(place.signed_in("registrar"), receiver)
    new_record(published(webhook.api))
    until(lambda: place.metric("gradecast_webhook_deliveries_waiting"), bool)
    until(lambda: place.metric('gradecast_webhook_deliveries_total{result="postponed"}'), bool)
    receiver.up()
    webhook.again()
    webhook.rests()
    until(lambda: place.metric("gradecast_webhook_deliveries_waiting"), lambda count: count == 0)
    assert place.metric('gradecast_webhook_deliveries_total{result="accepted"}') >= 2


@pytest.mark.slow("sends, gives up and sends again, each time looking once a second")
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
        store.execute(
            "UPDATE webhook_deliveries SET queued_at = queued_at - 259200000000, due_at = due_at - due_at, attempts = 9"
        )
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
