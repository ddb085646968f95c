"""Writes while programs and rights change: others hold nobody up, and a right that is gone is gone."""

import concurrent.futures
import contextlib
import itertools
import threading

from programs import Program, enrolled

from client import changed
from gradecast import PATIENCE
from oracle.build import board_total

WRITES = 150


@contextlib.contextmanager
def meanwhile(*steps):
    """Does every step again and again, each on a thread of its own, until the block has ended; none may fail."""
    done = threading.Event()

    def repeat(step):
        for number in itertools.count():
            if done.is_set():
                return number
            step(number)

    with concurrent.futures.ThreadPoolExecutor(len(steps)) as pool:
        running = [pool.submit(repeat, step) for step in steps]
        try:
            yield
        finally:
            done.set()
        assert all(one.result() for one in running)


def test_records_are_written_while_programs_and_drafts_change(server, registrar):
    program, others = Program(registrar, "chalkboard"), [Program(registrar, "chalkboard") for _ in range(2)]
    changed(program.publish())
    student = enrolled(server, registrar)
    record = program.record(student=student.account["id"]).seen_by(student)
    changed(record.change({"op": "add"} | board_total("Logic", 3, 80)))
    course = record.entries[0]["id"]
    callers = [registrar.twin() for _ in range(3)]
    drafts = callers.pop()

    def changing(other, api):
        return lambda number: changed(api.patch(other.path, {"entry": ("self", "staff")[number % 2]}))

    steps = [changing(other, api) for other, api in zip(others, callers, strict=True)]
    with meanwhile(*steps, lambda number: changed(drafts.patch(program.path, {"title": f"Program {number}"}))):
        for number in range(WRITES):
            changed(record.patch(course, {"credits": 1 + number % 3}))
            if number % 10 == 0:
                gone = changed(student.post("/v1/records", {"program": program.id}), 201).json["record"]["id"]
                assert student.delete(f"/v1/records/{gone}").status == 403
    assert record.version == 2 + WRITES


def test_nothing_is_written_once_a_right_was_taken(server, registrar):
    program = Program(registrar, "chalkboard")
    changed(program.publish())
    record = program.record([board_total("Logic", 3, 80)])
    course = record.entries[0]["id"]
    for taken in ("membership", "role", "entry"):
        teacher = enrolled(server, registrar, "teacher", [program.id])
        path = f"/v1/institutions/demo/members/{teacher.account['id']}"
        begun = threading.Barrier(5)

        def write(api, begun=begun):
            """Writes until it is refused."""
            mine = record.seen_by(api)
            for number in itertools.count():
                answer = mine.patch(course, {"credits": 1 + number % 3})
                if number == 0:
                    begun.wait(PATIENCE)
                if answer.status != 200:
                    return answer

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            writers = [pool.submit(write, teacher.twin()) for _ in range(4)]
            begun.wait(PATIENCE)
            if taken == "membership":
                changed(registrar.delete(path), 204)
            elif taken == "role":
                changed(registrar.call("PUT", path, {"role": "student"}))
            else:
                changed(program.edit(entry="self"))
            version = record.version
            refused = {one.result().status for one in writers}
        assert refused <= {401, 403, 404}, refused
        assert record.version == version, taken
        changed(program.edit(entry="both"))
