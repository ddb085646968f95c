"""Kills the server at random moments under load and checks that nothing acknowledged was lost.

    PYTHONPATH=Tests/Oracle:Tests/Acceptance/support python Tests/Acceptance/crash.py --cycles 200 --writers 8

A cycle: writers change their records as fast as they are answered, the server is killed with SIGKILL, started
again over the same data, and then for each record:
- every acknowledged change is there: the version is the last acknowledged one, or one more when a change was on its
  way; the content is what that version made of it;
- the history has one item for every version since the last kill, without a gap, each with what was acknowledged for
  it; at the end, for every version there is;
- the standing is what the oracle computes from the stored tree.

At the end `gradecast doctor` must find the store sound.
"""

import argparse
import http.client
import random
import sys
import tempfile
import threading
import time
import uuid
from collections import Counter
from decimal import Decimal

from gradecast import Server, run
from oracle import differences, evaluate


class Lost(AssertionError):
    """An invariant did not hold after a crash."""


class Writer:
    """One person who keeps changing one record and remembers what was acknowledged."""

    def __init__(self, server, seed):
        self.server, self.random = server, random.Random(seed)
        self.api = server.api().sign_up()
        self.record = self.api.new_record("iut", template="sample")
        children = [child for entry in self.record.entries for child in entry["children"]]
        self.subjects = [child["id"] for child in children]
        given = {child["id"]: child["fields"].get("grade") for child in children}
        self.grades = {subject: None if grade is None else Decimal(str(grade)) for subject, grade in given.items()}
        self.acknowledged = {self.record.version: None}
        self.pending = None
        self.replayed = 0
        self.told = 0  # the version up to which the history was found whole

    @property
    def version(self):
        """The last version that was acknowledged."""
        return max(self.acknowledged)

    def step(self):
        """One change; raises when the server is gone before it has answered."""
        if self.pending is None:
            subject = self.random.choice(self.subjects)
            grade = Decimal(self.random.randint(0, 2000)) / 100
            if grade == self.grades[subject]:
                return  # what changes nothing makes no version
            self.pending = (uuid.uuid4().hex, subject, grade)
        key, subject, grade = self.pending
        answer = self.record.patch(subject, {"grade": grade}, headers={"idempotency_key": key})
        if answer.status == 503:
            return
        if answer.status != 200:
            raise Lost(f"an ordinary change was refused: {answer!r}")
        version = answer.json["version"]
        if version != self.version + 1:
            raise Lost(f"version {version} was answered after {self.version}")
        self.acknowledged[version] = (subject, grade)
        self.grades[subject] = grade
        self.last_key, self.pending = key, None

    def run(self, failures):
        """Changes until the server is gone."""
        try:
            while True:
                self.step()
        except (OSError, http.client.HTTPException):
            pass
        except BaseException as failure:  # noqa: B902 - reported by the main thread
            failures.append(failure)

    def check(self):
        """The invariants of this record after a restart."""
        whole = self.record.get()
        if whole.status != 200:
            raise Lost(f"the record is gone: {whole!r}")
        found = whole.json["version"]
        allowed = {self.version} | ({self.version + 1} if self.pending else set())
        if found not in allowed:
            raise Lost(f"version {found} after {self.version} was acknowledged")
        self.check_content(whole.json, found)
        self.check_history(found, after=self.told)
        self.told = found
        check_standing(whole.json)
        self.settle(found)

    def check_content(self, body, found):
        """Each subject has the grade that was last given to it."""
        expected = {}
        for version in sorted(self.acknowledged):
            if self.acknowledged[version]:
                subject, grade = self.acknowledged[version]
                expected[subject] = grade
        if found > self.version:
            expected[self.pending[1]] = self.pending[2]
        stored = {
            child["id"]: child["fields"].get("grade")
            for entry in body["record"]["entries"]
            for child in entry["children"]
        }
        for subject, grade in expected.items():
            if stored[subject] is None or Decimal(stored[subject]) != grade:
                raise Lost(f"subject {subject} has {stored[subject]}, acknowledged was {grade}")

    def check_history(self, found, after=0):
        """One item for every version, each about the entry that was changed."""
        items = self.record.history(after)
        versions = [item["version"] for item in items]
        if versions != list(range(found, after, -1)):
            raise Lost(f"the history has gaps: {versions[:20]} …")
        for item in items:
            change = self.acknowledged.get(item["version"])
            if change and item["entry"] != change[0]:
                raise Lost(f"version {item['version']} is told of {item['entry']}, but changed {change[0]}")

    def settle(self, found):
        """Sends the change that was on its way again: with its key it counts once, whatever became of it."""
        if self.pending is None:
            return
        arrived = found > self.version
        self.replayed += arrived
        self.step()
        if self.record.version != (found if arrived else found + 1):
            raise Lost("a change that was sent again counted twice")


def check_standing(body):
    """The stored standing against the oracle's of the stored tree."""
    entries = body["record"]["entries"]
    expected = evaluate({"scheme": "iut", "fields": body["record"].get("fields"), "entries": stripped(entries)})
    found = differences(expected["standing"], body["standing"])
    if found:
        raise Lost("the standing is not what the tree gives: " + "; ".join(found[:5]))


def stripped(entries):
    """Stored entries as an evaluation takes them."""
    kept = ("id", "kind", "fields", "status")
    return [
        {name: entry[name] for name in kept if entry.get(name) is not None}
        | {"children": stripped(entry.get("children") or [])}
        for entry in entries
    ]


def cycle(server, writers, chance):
    """Load, SIGKILL at a random moment, restart, invariants."""
    failures = []
    threads = [threading.Thread(target=writer.run, args=(failures,)) for writer in writers]
    for thread in threads:
        thread.start()
    time.sleep(chance.uniform(0.01, 0.4))  # the random moment, but none before the first answer of all
    while all(thread.is_alive() for thread in threads) and all(len(one.acknowledged) == 1 for one in writers):
        time.sleep(0.01)
    server.kill()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    server.start()
    for writer in writers:
        writer.api.close()
        writer.check()


def crash(directory, cycles, writer_count=8, seed=1, report=lambda line: None):
    """Runs the cycles; returns what was counted."""
    chance = random.Random(seed)
    server = Server(directory).start()
    counts = Counter()
    try:
        writers = [Writer(server, f"{seed} {index}") for index in range(writer_count)]
        for number in range(1, cycles + 1):
            before = sum(len(writer.acknowledged) for writer in writers)
            cycle(server, writers, chance)
            counts["cycles"] += 1
            counts["acknowledged"] += sum(len(writer.acknowledged) for writer in writers) - before
            counts["standings checked"] += len(writers)
            counts["in doubt and found"] = sum(writer.replayed for writer in writers)
            report(f"{number}/{cycles}: {dict(counts)}")
        for writer in writers:
            writer.check_history(writer.version)
        if server.stop() != 0:
            raise Lost("the server did not end cleanly")
        doctor = run("doctor", "--data", server.data)
        if doctor.returncode != 0:
            raise Lost("the doctor finds: " + doctor.stdout + doctor.stderr)
    finally:
        if server.process.poll() is None:
            server.kill()
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cycles", type=int, default=20)
    parser.add_argument("--writers", type=int, default=8)
    parser.add_argument("--seed", default="1")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        try:
            counts = crash(directory, chosen.cycles, chosen.writers, chosen.seed, lambda line: print(line, flush=True))
        except Lost as loss:
            sys.exit(f"LOST: {loss}")
    print(
        f"{counts['cycles']} kills, {counts['acknowledged']} acknowledged changes, "
        f"{counts['in doubt and found']} in doubt and found; 0 lost, 0 without history, 0 wrong standings"
    )


if __name__ == "__main__":
    main()
