"""Guests and students who ask for as much as they can: every request is answered, and nobody else pays for it."""

import itertools
import json
import socket
import threading

import pytest

import gradecast
from client import changed

ITEMS = 800
BODY_LIMIT = 1 << 20
MIB = 1 << 20
ROUNDS = 50  # in which others ask; each takes turns of the processors from the crowd, which then takes the longer
PATIENCE = 10 * gradecast.PATIENCE  # they wait for each other on a machine that has other work, too


def course(items, title="Attack"):
    """A course with one category of these items."""
    category = {"kind": "category", "fields": {"category": "exams", "weight": 100}, "children": items}
    fields = {"title": title, "number": "A1", "quarter": 1, "year": 2026, "credits": 4}
    return {"kind": "course", "fields": fields, "children": [category]}


def item(**fields):
    return {"kind": "item", "fields": fields}


def calculation(items):
    return json.dumps({"scheme": "rose-hulman", "entries": [course(items)]}).encode()


GRADED = calculation([item(score=number % 100, max=100) for number in range(ITEMS)])
SMALL = calculation([item(score=7, max=10)])


def outcome(answer):
    """The status and, of a problem, its code; a refusal that may pass says when to come back."""
    if answer.status == 200:
        return 200, None
    problem = answer.json
    assert problem["status"] == answer.status
    assert problem["retryable"] is (answer.status in (429, 503))
    if problem["retryable"]:
        assert int(answer.headers["Retry-After"]) > 0
    return answer.status, problem["code"]


# How a calculation is refused while too many wait: of all callers together, and of this one.
CROWDED = (503, "unavailable")
HASTY = (429, "rate_limited")


def served(answers, refusal):
    """The answers with a result; every other answer is this refusal."""
    results = [answer for answer in answers if answer.status == 200]
    assert [outcome(answer) for answer in answers if answer.status != 200] == [refusal] * (len(answers) - len(results))
    return results


class Crowd:
    """Callers who ask at the same time, each on a connection of its own and from an address of its own."""

    addresses = (f"127.0.{high}.{low}" for high, low in itertools.product(range(2, 250), range(1, 250)))

    def __init__(self, server, count, token=None):
        self.apis = [server.api(token, source=next(self.addresses)) for _ in range(count)]
        for api in self.apis:
            api.connection.timeout = PATIENCE

    def ask(self, path, body):
        """Every caller's answer."""
        answers, begin = [], threading.Barrier(len(self.apis))

        def ask(api):
            begin.wait()
            answers.append(api.post(path, body))
            api.close()

        threads = [threading.Thread(target=ask, args=(api,)) for api in self.apis]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(answers) == len(self.apis)
        return answers


@pytest.fixture
def own_server(tmp_path):
    """A server of the test's own; a calculation may wait for its turn as long as its caller does."""
    running = gradecast.Server(tmp_path, {"limits": {"requestSeconds": PATIENCE}}).start()
    yield running
    running.kill()


@pytest.fixture
def limited(tmp_path):
    """A server on which loopback is limited as everybody is, to one unit of calculation a second."""
    running = gradecast.Server(tmp_path, {"limits": {"evaluationsPerSecond": 1}}, demo=False).start()
    yield running
    running.kill()


def primes(count, below):
    """The greatest primes below a bound."""
    found = []
    for candidate in range(below, 2, -1):
        if len(found) == count:
            return found
        if pow(2, candidate - 1, candidate) == 1 and all(candidate % small for small in range(3, 200, 2)):
            found.append(candidate)


def test_a_mean_without_a_common_denominator_is_refused_as_soon_as_that_shows(guest):
    # Took 13 seconds, and far longer in a build that is not optimised.
    items = [item(score=1, max=prime, weight=1) for prime in primes(990, 999_999_999)]
    answer = guest.post("/v1/evaluate", calculation(items))
    assert outcome(answer) == (422, "invalid")
    assert answer.faults == [("too_precise", "")]


def test_a_record_is_filled_beyond_its_limit_in_one_request(student):
    record = student.new_record("rose-hulman")
    one = {"op": "add", **course([])}
    body = json.dumps({"changes": [one] * 4000}).encode()
    assert len(body) < BODY_LIMIT
    answer = student.post(record.path + "/what-if", body)
    assert outcome(answer) == (422, "invalid")
    assert answer.faults == [("entry_limit", "")]


# Calculates twenty explanations of 800 items.
@pytest.mark.slow("calculates 800 results twenty times, five requests ahead on each of four connections")
def test_requests_sent_ahead_on_a_few_connections_are_answered_in_order(own_server):
    count = 5
    head = "POST /v1/evaluate?trace=gpa HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    request = head.encode() + b"Content-Length: %d\r\n\r\n" % len(GRADED) + GRADED
    before = own_server.memory

    def converse(found):
        with socket.create_connection(("127.0.0.1", own_server.port), PATIENCE) as connection:
            sender = threading.Thread(target=connection.sendall, args=(request * count,))
            sender.start()
            stream = connection.makefile("rb")
            for _ in range(count):
                status = int(stream.readline().split()[1])
                headers = {}
                while line := stream.readline().strip():
                    name, _, value = line.partition(b":")
                    headers[name.lower()] = value.strip()
                body = json.loads(stream.read(int(headers[b"content-length"])))
                found.append((status, body.get("code")))
            sender.join()

    outcomes = [[] for _ in range(4)]
    threads = [threading.Thread(target=converse, args=(found,)) for found in outcomes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # One at a time of each connection: they wait for each other and nothing is refused.
    assert outcomes == [[(200, None)] * count] * 4
    assert own_server.peak_memory - before < 32 * MIB


# Calculates some forty explanations of 800 items, and what others ask meanwhile.
@pytest.mark.slow("has a hundred guests calculate 800 results each at once, and others ask beside them")
def test_a_hundred_guests_are_answered_in_bounded_memory_and_others_beside_them(own_server):
    student = own_server.api().sign_up()
    record = student.new_record("chalkboard")
    guest, asked = own_server.api(source="127.0.1.1"), 0
    whole = guest.post("/v1/evaluate?trace=all", GRADED)
    assert whole.status == 200
    crowd, before = Crowd(own_server, 100), own_server.memory
    over, found = threading.Event(), []

    def attack():
        found.extend(crowd.ask("/v1/evaluate?trace=all", GRADED))
        over.set()

    attacker = threading.Thread(target=attack)
    attacker.start()
    while asked < ROUNDS and not over.is_set() or asked == 0:
        assert guest.get("/v1/schemes").status == 200
        assert guest.post("/v1/evaluate", SMALL).status == 200
        changed(student.patch(record.path, {"fields": {}}))
        assert record.standing().status == 200
        asked += 1
    attacker.join()
    assert {answer.body for answer in served(found, CROWDED)} == {whole.body}
    assert own_server.peak_memory - before < 32 * MIB
    assert guest.post("/v1/evaluate?trace=all", GRADED).body == whole.body


# Searches for goals with 900 unknowns.
@pytest.mark.slow("asks three questions about a record of 900 results, each by eight callers at once")
def test_goals_what_ifs_and_explanations_of_a_full_record_wait_their_turn(own_server):
    student = own_server.api().sign_up()
    record = student.new_record("rose-hulman")
    changed(record.add(course([item(max=100) for _ in range(900)])), 201)
    entry = record.entries[0]
    items = [one["id"] for one in entry["children"][0]["children"]]
    goal = {"entry": entry["id"], "figure": "grade", "target": "57.123", "unknowns": items, "grid": "0.0001"}
    what_if = {"changes": [{"op": "patch", "entry": one, "fields": {"score": 50}} for one in items]}
    before = own_server.memory
    for path, body in [("/goals", goal), ("/what-if?trace=all", what_if), ("/what-if", what_if)]:
        answers = Crowd(own_server, 8, student.token).ask(record.path + path, body)
        assert served(answers, HASTY), path
    assert own_server.peak_memory - before < 32 * MIB
    assert student.post(record.path + "/goals", goal).json["status"] == "reachable"
    assert student.get(record.path + "/standing?trace=all").status == 200


def test_a_goal_names_no_more_unknowns_than_a_record_has_leaves(student):
    record = student.new_record("rose-hulman")
    changed(record.add(course([item(max=100)])), 201)
    entry = record.entries[0]
    leaf = entry["children"][0]["children"][0]["id"]
    goal = {"entry": entry["id"], "figure": "grade", "target": 50, "unknowns": [leaf] * 2000}
    assert student.post(record.path + "/goals", goal).status == 200
    answer = student.post(record.path + "/goals", goal | {"unknowns": [leaf] * 2001})
    assert outcome(answer) == (422, "invalid")
    assert answer.faults == [("out_of_range", "/unknowns")]


def test_what_costs_more_counts_more_and_for_its_caller_alone(limited):
    here, there = limited.api(source="127.0.3.1"), limited.api(source="127.0.3.2")
    # On credit; paid back a unit a second.
    assert outcome(here.post("/v1/evaluate?trace=all", GRADED)) == (200, None)
    refused = here.post("/v1/evaluate", SMALL)
    assert outcome(refused) == (429, "rate_limited")
    assert int(refused.headers["Retry-After"]) > 60
    assert outcome(there.post("/v1/evaluate", SMALL)) == (200, None)
    # What is no calculation is not limited by it.
    assert here.get("/v1/schemes").status == 200


def test_accounts_at_one_address_have_limits_of_their_own(limited):
    source = "127.0.3.3"
    one, other = (limited.api(source=source).sign_up() for _ in range(2))
    assert outcome(one.post("/v1/evaluate?trace=all", GRADED)) == (200, None)
    assert outcome(one.post("/v1/evaluate", SMALL)) == (429, "rate_limited")
    assert outcome(other.post("/v1/evaluate", SMALL)) == (200, None)
    assert outcome(limited.api(source=source).post("/v1/evaluate", SMALL)) == (200, None)
