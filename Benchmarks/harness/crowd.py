"""Stores with very many records: the start of the server over one, and the rehearsal of a cohort."""

import json
import pathlib
import sqlite3
import time

from harness import build, load, people, servers
from harness.main_job import WRITERS, client
from harness.table import figure, ratio

GRADES = 1_000_000
COHORT, COURSES = 10_000, 40


def multiply(server, record, count):
    """Copies a record and its changes `count` times in the file of a server that has stopped.

    The copies' audit chains do not hold, which nothing looks at that is measured here; all else of them does.
    """
    database = sqlite3.connect(server.folder / "data" / "gradecast.db", isolation_level=None)
    columns = {
        table: [row[1] for row in database.execute(f"PRAGMA table_info({table})")] for table in ("records", "changes")
    }
    database.execute("PRAGMA synchronous=OFF")
    database.execute("PRAGMA journal_mode=MEMORY")
    database.execute("BEGIN")
    database.execute(
        "CREATE TEMP TABLE copies AS WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ?)"
        " SELECT printf('ffffffff-ffff-7fff-8000-%012x', i) AS copy FROM n",
        (count,),
    )
    renamed = {"id": "copy", "record": "copy", "seq": "NULL"}
    texts = {"tree", "standing"}
    for table, key in (("records", "id"), ("changes", "record")):
        values = [
            renamed.get(name) or (f"replace({name}, :record, copy)" if name in texts else name)
            for name in columns[table]
        ]
        database.execute(
            f"INSERT INTO {table} ({', '.join(columns[table])}) SELECT {', '.join(values)}"
            f" FROM copies CROSS JOIN {table} WHERE {key} = :record",
            {"record": record},
        )
    # The projector of feeds has nothing to catch up on.
    database.execute("UPDATE feed_progress SET changes = (SELECT max(seq) FROM changes)")
    database.execute("COMMIT")
    database.execute("PRAGMA journal_mode=WAL")
    database.close()


def wait_until_ready(server):
    """Asks for readiness until the server has it."""
    while True:
        try:
            api = people.Api(server)
            api.connection.request("GET", "/readyz")
            if api.connection.getresponse().status == 200:
                return
        except OSError:
            pass
        time.sleep(0.002)


def start_part(rounds, _):
    """From the start of the process to readiness, over a store of a million grades, each with its change."""
    with servers.gradecast(build.swift("gradecast")) as server:
        api = people.Api(server)
        token = api.sign_up(0)
        record = api.record(api.program("iut"), token)
        leaves = people.leaves(record)
        for number, leaf in enumerate(leaves):
            api.grade(record["record"]["id"], leaf, number % 20, token)
        server.stop()
        multiply(server, record["record"]["id"], GRADES // len(leaves))
        size = (server.folder / "data" / "gradecast.db").stat().st_size
        times, crashed = [], []
        for _ in range(rounds):
            times.append(ready_after_start(server))
            server.stop()
            # After a crash the log is read first.
            server.start()
            wait_until_ready(server)
            api = people.Api(server)
            for number, leaf in enumerate(leaves):
                api.grade(record["record"]["id"], leaf, number % 19, token)
            server.process.kill()
            server.process.wait()
            crashed.append(ready_after_start(server))
            server.stop()
        print(f"  {size / 2**20:.0f} MiB  ready {times}  after a crash {crashed}", flush=True)
        server.start()
    return [
        figure(f"ready after start with {GRADES:,} grades in the store ({size / 2**20:.0f} MiB)", min(times), "s", 1),
        figure("… after a crash", min(crashed), "s", 1),
    ]


def ready_after_start(server):
    began = time.monotonic()
    server.start()
    wait_until_ready(server)
    return time.monotonic() - began


class Registrar:
    """The demo's registrar with a program of courses."""

    def __init__(self, server):
        wait_until_ready(server)  # it listens before the demonstration is made
        self.api = people.Api(server)
        signs = json.loads(pathlib.Path(server.folder / "data" / "demo-sign-ins.json").read_text())
        self.token = self.call("POST", "/v1/sessions", signs["registrar"])["session"]["token"]
        body = {"scheme": "chalkboard", "title": "Cohort", "entry": "both", "configuration": {"courseLimit": COURSES}}
        self.program = self.call("POST", "/v1/institutions/demo/programs", body)["program"]["id"]
        self.path = f"/v1/programs/{self.program}"
        self.call("POST", self.path + "/publish", {"digest": self.rehearse()["digest"]})

    def call(self, method, path, body=None):
        return self.api.call(method, path, body, getattr(self, "token", None))

    def record(self):
        """A record of courses with three assessments each; its identifier."""
        record = self.call("POST", "/v1/records", {"program": self.program})["record"]["id"]
        self.call("POST", f"/v1/records/{record}/changes", {"changes": [course(n) for n in range(COURSES)]})
        return record

    def rehearse(self):
        """A rehearsal of the draft, to its end."""
        path = f"{self.path}/rehearsals"
        rehearsal = self.call("POST", path)["rehearsal"]
        while rehearsal["state"] == "running":
            time.sleep(0.01)
            rehearsal = self.call("GET", f"{path}/{rehearsal['id']}")["rehearsal"]
        if rehearsal["state"] != "done":
            raise RuntimeError(f"a rehearsal ended as {rehearsal['state']}")
        return rehearsal


def course(number):
    """A course as a change adds it."""
    parts = [("Assignments", 30), ("Midterm", 30), ("Final", 40)]
    graded = [
        {"name": name, "points": (number * 7 + weight) % 100, "max": 100, "weight": weight} for name, weight in parts
    ]
    assessments = [{"kind": "assessment", "fields": fields} for fields in graded]
    fields = {"title": f"Course {number}", "credits": number % 4 + 1}
    return {"op": "add", "kind": "course", "fields": fields, "children": assessments}


def rehearsal_part(rounds, seconds):
    """The draft of other bands over the cohort, alone and while writers change records of another program."""
    result, program = load.Rounds(), client()
    with servers.gradecast(build.swift("gradecast")) as server:
        registrar = Registrar(server)
        record = registrar.record()
        server.stop()
        multiply(server, record, COHORT - 1)
        server.start()
        wait_until_ready(server)
        plan = people.plan(server, WRITERS)
        registrar.api = people.Api(server)
        bands = [{"label": label, "from": start, "points": points} for label, start, points in BANDS]
        registrar.call("PATCH", registrar.path, {"configuration": {"bands": bands}})
        quiet = ["-f", plan, "-s", seconds, "-r", 200]
        for _ in range(rounds):
            result.note("rehearsal", rehearsal(server, registrar))
            result.note("writers alone", load.run(program, server, *quiet))
            with repeated(registrar):
                result.note("writers beside", load.run(program, server, *quiet))
    # A disk that hesitates once in a round makes its p99, so the middle one of the rounds is compared.
    alone, beside = (result.median(name, "answer_p99") for name in ("writers alone", "writers beside"))
    what = f"rehearsal of {COHORT:,} records of {COURSES} courses"
    return [
        figure(f"{what}: server CPU", result.least("rehearsal", "cpu_s"), "s", 1),
        figure("… from the request to its end", result.least("rehearsal", "seconds"), "s"),
        ratio("… 200 grades/s beside it, sent → answer, p99", f"without it, {alone / 1e3:.3g} ms; medians", beside / alone, 2),
    ]


BANDS = [("A", 88, 4), ("B", 77, 3), ("C", 63, 2), ("F", 0, 0)]


def rehearsal(server, registrar):
    """One rehearsal: the seconds it took, and those of the processor."""
    cpu, began = cpu_seconds(server), time.monotonic()
    done = registrar.rehearse()
    if done["done"] != COHORT:
        raise RuntimeError(f"{done['done']} records were rehearsed")
    return {"seconds": time.monotonic() - began, "cpu_s": cpu_seconds(server) - cpu, **done["counts"]}


def repeated(registrar):
    """Rehearses again and again while the block runs."""

    def rehearse(over, _):
        while not over.is_set():
            registrar.rehearse()

    return load.beside(rehearse)


def cpu_seconds(server):
    """What the server's process has computed so far."""
    tasks = pathlib.Path(f"/proc/{server.process.pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9
