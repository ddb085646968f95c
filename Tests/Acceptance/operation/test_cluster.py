"""Two and three servers, the nodes, over one database of PostgreSQL: the same promises as one."""

import contextlib
import http.client
import json
import os
import signal
import time
import uuid
from concurrent import futures

import pytest
from nodes import CONFIG, Nodes
from programs import until
from webhooks import LOOPBACK, Webhook, enter, new_record, published, versions

import gradecast
import postgres
from client import changed
from live import Live
from oracle.build import board_total

LISTENING = "query LIKE 'LISTEN%' OR query LIKE '%node_log%' OR query LIKE '%INTO nodes%'"


@pytest.fixture(scope="module")
def cluster():
    return postgres.cluster()


@pytest.fixture(scope="module")
def pair(cluster, tmp_path_factory):
    """Two nodes, which all tests of this module share that end none of them."""
    nodes = Nodes(tmp_path_factory.mktemp("pair"), cluster, "pair", 2)
    yield nodes
    assert [server.stop() for server in nodes] == [0, 0], [server.output() for server in nodes]


def at(server, api):
    """The same caller at another node."""
    return server.api(api.token)


def record_at(server, api, record):
    """The same record of the same caller at another node."""
    return record.seen_by(at(server, api))


def soon(what, condition):
    """Waits until something holds."""
    deadline = time.monotonic() + gradecast.PATIENCE
    while not (found := condition()):
        assert time.monotonic() < deadline, f"never: {what}"
        time.sleep(0.02)
    return found


def test_a_grade_on_one_node_reaches_readers_on_the_other(pair):
    first, second = pair
    student = first.api().sign_up()
    record = student.new_record("chalkboard")
    live = Live(second, student.token)
    topics = [f"standing/{record.id}", f"record/{record.id}", f"records/{student.account['id']}"]
    seen = {topic: live.subscribe(topic)["v"] for topic in topics}
    changed(record.add(board_total("Algorithms", 3, 85)), 201)
    waiting = dict(seen)
    while waiting:
        message = live.receive()
        if message["t"] == "state" and message["v"] > waiting.get(message["topic"], message["v"]):
            del waiting[message["topic"]]
    answer = record_at(second, student, record).get()
    assert answer.json["version"] == record.version
    live.close()


def test_what_ends_on_one_node_ends_on_the_other(pair):
    first, second = pair
    student = first.api().sign_up()
    record = student.new_record("chalkboard")
    live = Live(second, student.token)
    live.subscribe(f"standing/{record.id}")
    assert at(second, student).get("/v1/accounts/me").status == 200
    changed(student.delete("/v1/sessions/current"), 204)
    assert live.closed() == 4503
    soon("the session ends", lambda: at(second, student).get("/v1/accounts/me").status == 401)


def test_a_role_taken_on_one_node_ends_subscriptions_on_the_other(pair):
    first, second = pair
    member = first.api().sign_up()
    registrar = first.signed_in("registrar")
    registrar.makes_member(member, "demo", "registrar")
    program = member.get("/v1/institutions/demo/programs").json["items"][0]["id"]
    live = Live(second, member.token)
    assert live.subscribe(f"cohort/{program}")["t"] == "state"
    changed(registrar.delete(f"/v1/institutions/demo/members/{member.account['id']}"), 204)
    assert live.next("end", topic=f"cohort/{program}")["why"] == "revoked"
    soon("the right ends", lambda: at(second, member).get(f"/v1/programs/{program}/cohort").status in (403, 404))
    live.close()


def test_one_answer_to_one_key_wherever_it_is_sent(pair):
    first, second = pair
    student = first.api().sign_up()
    record = student.new_record("chalkboard")
    key, body = uuid.uuid4().hex, board_total("Algorithms", 3, 85)
    answers = [seen.add(body, idempotency_key=key) for seen in (record, record_at(second, student, record))]
    assert [answer.status for answer in answers] == [201, 201]
    assert answers[0].json == answers[1].json
    assert len(record.get().json["record"]["entries"]) == 1


def test_a_ticket_of_one_node_opens_a_socket_at_the_other_once(pair):
    first, second = pair
    student = first.api().sign_up()
    ticket = student.post("/v1/live/tickets", {}).json["ticket"]
    live = Live(second, ticket)
    assert live.welcome
    again = Live(first, hello=False)
    again.send({"t": "hello", "token": ticket})
    assert again.closed() == 4501
    live.close()


# Pauses a node for longer than it trusts what it last read.
@pytest.mark.slow("pauses a node for longer than the two seconds for which it trusts what it has read")
def test_a_node_that_was_paused_trusts_nothing_that_it_remembers(pair):
    first, second = pair
    student = first.api().sign_up()
    assert at(second, student).get("/v1/accounts/me").status == 200
    second.process.send_signal(signal.SIGSTOP)
    try:
        changed(student.delete("/v1/sessions/current"), 204)
        time.sleep(2.5)  # longer than it trusts what it last read
    finally:
        second.process.send_signal(signal.SIGCONT)
    assert at(second, student).get("/v1/accounts/me").status == 401


@pytest.mark.slow("waits until a node that was cut off listens again or sweeps, every two seconds")
def test_readers_converge_when_the_nodes_cannot_hear_each_other(pair):
    first, second = pair
    student = first.api().sign_up()
    record = student.new_record("chalkboard")
    live = Live(second, student.token)
    topic = f"standing/{record.id}"
    live.subscribe(topic)
    of_nodes = f"datname = '{pair.name}' AND ({LISTENING})"
    end = f"SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE {of_nodes}"
    # A connection that listens is known by its last statement, which may be one that tells other nodes something.
    until(lambda: int(pair.cluster.sql(end)), lambda ended: ended >= 1)
    changed(record.add(board_total("Algorithms", 3, 85)), 201)
    live.until(topic, record.version)
    live.close()


def test_another_key_file_is_refused(pair, tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(CONFIG))
    words = ("serve", "--config", path, "--data", tmp_path / "data", "--port", 0)
    environment = {"HOME": str(tmp_path), "GRADECAST_STORE": pair.url}
    result = gradecast.run(*words, env=environment)
    assert result.returncode == 78 and "is not there" in result.stderr
    keys = tmp_path / "data-keys" / "pepper"
    keys.parent.mkdir(mode=0o700, exist_ok=True)
    keys.write_bytes(b"k" * 32)
    keys.chmod(0o600)
    result = gradecast.run(*words, env=environment)
    assert result.returncode == 78 and "is another key" in result.stderr


@pytest.mark.slow("starts four nodes of its own, twice")
def test_nodes_that_start_at_once_share_the_key_that_one_of_them_makes(cluster, tmp_path):
    environment = {"GRADECAST_STORE": cluster.database("keys"), "GRADECAST_PEPPER": str(tmp_path / "keys" / "pepper")}
    assert gradecast.run("migrate", env=os.environ | environment).returncode == 0
    servers = []
    for number in range(4):
        (tmp_path / f"node{number}").mkdir()
        servers.append(gradecast.Server(tmp_path / f"node{number}", CONFIG, False, environment))
    with contextlib.ExitStack() as stack:
        for server in servers:
            stack.callback(lambda server=server: server.process.poll() is None and server.kill())
        with futures.ThreadPoolExecutor(len(servers)) as pool:
            list(pool.map(gradecast.Server.start, servers))
        person = servers[0].api().sign_up()
        # What they read again is the key that the passwords were stored with.
        for server in servers:
            server.kill()
            assert server.start().api().sign_in(person.login, person.password).account["id"] == person.account["id"]
        assert [server.stop() for server in servers] == [0] * len(servers)
    assert os.listdir(tmp_path / "keys") == ["pepper"]


# Starts two nodes of its own.
@pytest.mark.slow("starts two nodes of its own, since it kills one")
def test_a_killed_node_loses_nothing_and_its_readers_go_on_elsewhere(cluster, tmp_path):
    nodes = Nodes(tmp_path, cluster, "killed", 2, demo=False)
    first, second = nodes
    student = first.api().sign_up()
    record = student.new_record("iut", template="sample")
    entry = record.entries[0]["children"][0]["id"]
    topic = f"standing/{record.id}"
    live = Live(first, student.token)
    place = live.subscribe(topic)
    acknowledged, count, key = record.version, 0, None
    with contextlib.suppress(OSError, http.client.HTTPException):
        while True:
            count, key = count + 1, uuid.uuid4().hex
            if count == 20:
                first.process.kill()
            answer = record.patch(entry, {"grade": f"19.{count}"}, headers={"idempotency_key": key})
            assert answer.status == 200, answer
            acknowledged = answer.json["version"]
    elsewhere = record_at(second, student, record)
    found = elsewhere.get().json
    assert found["version"] in (acknowledged, acknowledged + 1)
    again = elsewhere.patch(entry, {"grade": f"19.{count}"}, headers={"idempotency_key": key})
    assert again.status == 200 and again.json["version"] == acknowledged + 1, "once, whether it had arrived or not"
    resumed = Live(second, student.token)
    state = resumed.subscribe(topic, have={"e": place["e"], "v": place["v"]})
    assert state["e"] == place["e"] and state["v"] == acknowledged + 1 and "doc" in state
    resumed.close()
    nodes.close()


# May make a PostgreSQL server, and starts it again.
@pytest.mark.slow("may make another PostgreSQL, kills it under two nodes and starts it again")
def test_nodes_outlive_a_killed_database(tmp_path):
    own = postgres.mortal()
    nodes = Nodes(tmp_path, own, "outlived_by_nodes", 2, demo=False)
    first, second = nodes
    student = first.api().sign_up()
    record = student.new_record("iut", template="sample")
    entry = record.entries[0]["children"][0]["id"]
    live = Live(second, student.token)
    topic = f"standing/{record.id}"
    live.subscribe(topic)
    own.kill()
    key = uuid.uuid4().hex
    refused = record.patch(entry, {"grade": "19.61"}, headers={"idempotency_key": key})
    assert refused.status == 503, refused
    assert second.api().get("/readyz").status == 503
    own.start()
    for server in nodes:
        soon("it is ready", lambda server=server: server.api().get("/readyz").status == 200)
    answer = record_at(second, student, record).patch(entry, {"grade": "19.61"}, headers={"idempotency_key": key})
    assert answer.status == 200, answer
    live.until(topic, answer.json["version"])
    live.close()
    assert [server.stop() for server in nodes] == [0, 0]


@pytest.mark.slow("starts two nodes, kills one, and lets messages to a webhook wait meanwhile")
def test_a_webhook_hears_everything_once_and_in_order_though_a_node_dies(cluster, receiver, tmp_path):
    nodes = Nodes(tmp_path, cluster, "webhooks", 2, config=CONFIG | LOOPBACK)
    first, second = nodes
    webhook = Webhook(first.signed_in("registrar"), receiver, events=["record.changed"])
    record = new_record(published(webhook.api), first.api().sign_up())
    there = record_at(second, record.api, record)
    for _ in range(4):
        enter(record)
        enter(there)
    until(lambda: webhook.state["waiting"], lambda count: count == 8)
    first.kill()
    enter(there)
    receiver.up()
    until(lambda: versions(receiver, record), lambda found: found == list(range(2, 11)))
    assert len({message["id"] for message in receiver.messages}) == 9
    first.start()
    for place in (record, there):
        enter(place)
    until(lambda: versions(receiver, record), lambda found: found == list(range(2, 13)))
    webhook.rests()
    assert [server.stop() for server in nodes] == [0, 0], [server.output() for server in nodes]
