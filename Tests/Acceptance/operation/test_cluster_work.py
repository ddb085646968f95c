"""What nodes over one database do once together: links, guesses, jobs and feeds; and how they come and go."""

import json
import uuid

import pytest
from nodes import CONFIG, Nodes
from programs import Program, until

import gradecast
import postgres
from client import changed
from live import Background, Live
from oracle.build import board_total, unit

# What reaches a node that is to stop is served for so long, and its readers then have a moment to leave.
LEAVING = CONFIG | {"limits": {"noticeSeconds": 5, "drainSeconds": 1}}


@pytest.fixture(scope="module")
def cluster():
    return postgres.cluster()


@pytest.fixture(scope="module")
def pair(cluster, tmp_path_factory):
    """Two nodes, which all tests of this module share that end none of them."""
    nodes = Nodes(tmp_path_factory.mktemp("pair"), cluster, "working", 2)
    yield nodes
    assert [server.stop() for server in nodes] == [0, 0], [server.output() for server in nodes]


@pytest.fixture
def own_pair(cluster, tmp_path):
    """Two nodes that the test may end."""
    nodes = Nodes(tmp_path, cluster, f"own{uuid.uuid4().hex}", 2)
    yield nodes
    nodes.close()


def at_once(nodes, work, times=4):
    """The results of calls at once, so many at each node."""
    calls = [Background(lambda server=server, n=n: work(server, n)) for n in range(times) for server in nodes]
    return [call.result() for call in calls]


def test_a_link_for_a_password_is_used_once_wherever_it_is_shown(pair):
    first, _ = pair
    person = first.api().sign_up()
    administrator = first.signed_in("administrator")
    link = changed(administrator.post(f"/v1/accounts/{person.account['id']}/reset"), 201).json["path"]
    words = [f"another horse battery {n}" for n in range(4)]

    def use(server, n):
        answer = server.api().post("/v1/accounts/password", {"token": link.split("#")[1], "password": words[n]})
        return n, answer.status, answer.faults if answer.status == 422 else None

    answers = at_once(pair, use)
    (used,) = (n for n, status, _ in answers if status < 300)
    refused = [faults for _, status, faults in answers if status >= 300]
    assert refused == [[("token_refused", "/token")]] * 7
    for server in pair:
        server.api().sign_in(person.login, words[used])


def test_failed_sign_ins_count_together(pair):
    first, second = pair
    person = first.api().sign_up()

    def sign_in(server, password):
        # Its own source, because a source that fails often waits with whatever it asks for next.
        api = server.api(source="127.0.0.77")
        return api.post("/v1/sessions", {"login": person.login, "password": password})

    for server in (first, second, first, second):
        assert sign_in(server, "wrong horse battery").status == 401
    counted = "SELECT count(*), sum(count) FROM sign_in_failures WHERE until <= expires_at - 3600000000"
    assert pair.cluster.sql(counted, pair.name) == "1\t4", "one count of the login for both"
    # A fifth failure holds the next attempt up, for an hour here, so that a slow machine sees it too.
    pair.cluster.sql("UPDATE sign_in_failures SET count = 16 WHERE count = 4", pair.name)
    assert sign_in(first, "wrong horse battery").status == 401
    for server in pair:
        answer = sign_in(server, person.password)
        assert answer.status == 429 and int(answer.headers["Retry-After"]) > 600
    # Who shows the password where nobody guessed is let in by both.
    for server in pair:
        server.api().sign_in(person.login, person.password)


def test_an_import_is_entered_once_wherever_it_is_sent(pair):
    first, _ = pair
    program, record = with_record(first)
    rows, key = subjects(record, 40), uuid.uuid4().hex
    registrars = {server: server.signed_in("registrar") for server in pair}

    def send(server, _):
        return enter(registrars[server].twin(), program, rows, key)

    answers = at_once(pair, send, times=2)
    assert {answer.status for answer in answers} <= {200, 202}
    (path,) = {answer.headers["Location"] for answer in answers}
    done = program.wait(path, "import")
    assert (done["state"], done["accepted"]) == ("done", 40)
    assert len(record.entries[0]["children"]) == 41


# Ends a node while it works; the other one waits a minute before it takes the work for left.
@pytest.mark.long
def test_an_import_of_a_killed_node_goes_on_at_the_other_and_enters_each_row_once(own_pair):
    first, second = own_pair
    program, record = with_record(first)
    rows = subjects(record, 800)
    path = changed(enter(program.api, program, rows, uuid.uuid4().hex), 202).headers["Location"]
    elsewhere = second.api(program.api.token)
    seen = until(lambda: elsewhere.get(path).json["import"], lambda found: found["done"] >= 32)
    assert seen["state"] == "running"
    first.kill()
    program.api = elsewhere
    done = program.wait(path, "import")
    assert (done["state"], done["done"], done["accepted"]) == ("done", 800, 800)
    assert len(record.seen_by(elsewhere).entries[0]["children"]) == 801


# Ends both nodes, one after the other, while each may be the one that writes the feeds.
@pytest.mark.slow("kills and restarts both nodes in turn, since either may write the feeds")
def test_feeds_go_on_when_the_node_that_writes_them_is_killed_and_tell_each_thing_once(own_pair):
    first, second = own_pair
    student = first.api().sign_up()
    record = student.new_record("chalkboard")
    entry = changed(record.add(board_total("Algorithms", 3, 85)), 201).json["entry"]["id"]
    done = 2  # it was begun, and an entry was added

    def change(server):
        nonlocal done
        changed(record.seen_by(server.api(student.token)).patch(entry, {"credits": done}))
        done += 1

    for dying, living in ((first, second), (second, first)):
        change(dying)
        change(living)
        dying.kill()
        change(living)
        until(lambda: told(living, student), lambda found: found >= done)  # noqa: B023
        dying.start()
    # Once the last is told, all before it are, and no more often than they happened.
    assert told(first, student) == told(second, student) == done


@pytest.mark.slow("waits for the five seconds of notice that a node gives before its readers leave")
def test_a_node_that_is_to_stop_says_so_and_its_readers_lose_nothing(cluster, tmp_path):
    nodes = Nodes(tmp_path, cluster, "leaving", 2, demo=False, config=LEAVING)
    first, second = nodes
    student = first.api().sign_up()
    record = student.new_record("chalkboard")
    topic = f"standing/{record.id}"
    live = Live(first, student.token)
    place = live.subscribe(topic)
    etag = record.standing().etag
    poll = Background(lambda: record.seen_by(first.api(student.token)).standing(if_none_match=etag, prefer="wait=25"))
    first.process.terminate()
    until(lambda: first.api().get("/readyz").status, lambda status: status == 503)
    assert second.api().get("/readyz").status == 200
    elsewhere = record.seen_by(second.api(student.token))
    changed(elsewhere.add(board_total("Algorithms", 3, 85)), 201)
    # Both are still served here.
    assert poll.result().status == 200
    place = live.until(topic, elsewhere.version)
    live.next("drain")
    assert live.closed() == 1012
    changed(elsewhere.add(board_total("Analysis", 3, 55)), 201)
    resumed = Live(second, student.token)
    state = resumed.subscribe(topic, have={"e": place["e"], "v": place["v"]})
    assert state["e"] == place["e"] and state["v"] == elsewhere.version and "doc" in state
    resumed.close()
    assert first.process.wait(gradecast.PATIENCE) == 0
    assert second.stop() == 0


# The step before the last program's is taken back beside the nodes, which then are of the newer schema in an older one.
def test_a_step_that_only_adds_is_taken_while_the_nodes_serve(own_pair):
    first, second = own_pair
    student = first.api().sign_up()
    record = student.new_record("chalkboard")
    sql = own_pair.cluster.sql
    last = "number = (SELECT max(number) FROM migrations)"
    assert sql(f"SELECT name, expands FROM migrations WHERE {last}", own_pair.name) == "webhooks\tt"
    drop = "DROP TABLE webhook_deliveries, webhooks; ALTER TABLE deleted_records DROP COLUMN program"
    sql(f"{drop}; DELETE FROM migrations WHERE {last}", own_pair.name)
    changed(record.add(board_total("Algorithms", 3, 85)), 201)
    done = gradecast.run("migrate", env={"GRADECAST_STORE": own_pair.url, "HOME": str(first.data.parent)})
    assert done.returncode == 0 and "webhooks" in done.stdout, done
    for server, title in ((first, "Analysis"), (second, "Logic")):
        changed(record.seen_by(server.api(student.token)).add(board_total(title, 3, 55)), 201)
        assert server.api().get("/readyz").status == 200
    until(lambda: told(second, student), lambda found: found == 4)


def with_record(server):
    """A program and a record with one unit, whose results are entered by a registrar."""
    program = Program(server.signed_in("registrar"), "iut", entry="staff")
    changed(program.publish())
    return program, program.record([unit("Maths", 2, [("Algebra", 1, 10)])])


def subjects(record, count):
    """Rows that each add a subject, so that a row entered twice shows."""
    row = {"record": record.id, "path": ["Maths"], "kind": "subject"}
    return [json.dumps(row | {"fields": {"title": f"S{n}", "weight": 1, "grade": n % 21}}) for n in range(count)]


def enter(api, program, rows, key):
    body = "\n".join(rows).encode()
    return api.post(program.path + "/results", body, content_type="application/jsonl", idempotency_key=key)


def told(server, student):
    """How many changes of records the student's feed tells of."""
    items = changed(server.api(student.token).get("/v1/feed")).json["items"]
    return sum(line["count"] for line in items if "record" in line)
