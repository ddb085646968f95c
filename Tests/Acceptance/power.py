"""Takes the power away at random moments of a recorded run and checks that nothing acknowledged was lost.

    PYTHONPATH=Tests/Oracle:Tests/Acceptance/support python Tests/Acceptance/power.py --cycles 500 --writers 8

The server runs once under load with every write and every sync of its store recorded (`disk.c`). A cycle picks a moment
of that run and makes the files as a disk may have them then: what was synced is there; of what was written since the
file's last sync any sectors may be there or not, whichever was written first. A server is started over these files,
and what `crash.py` checks after a kill must hold: every change that was acknowledged before that moment is there,
each version has its history, each standing is the oracle's. Then `gradecast doctor` must find the store sound.
"""

import argparse
import copy
import pathlib
import random
import shutil
import sys
import tempfile
import threading
from collections import Counter

from crash import Lost, Writer
from disk import Disk, after_power_loss
from gradecast import Server, run


class RecordedWriter(Writer):
    """A writer that remembers where the disk's log was when each of its changes was acknowledged."""

    def __init__(self, server, seed, disk):
        super().__init__(server, seed)
        self.disk = disk
        self.moments, self.sent = {self.version: disk.position}, {}

    def run(self, count):
        """So many changes, one after the other."""
        while len(self.sent) < count:
            self.step()

    def step(self):
        before = self.version
        super().step()
        if self.version > before:
            self.moments[self.version] = self.disk.position
            subject, grade = self.acknowledged[self.version]
            self.sent[self.version] = (self.last_key, subject, grade)

    def as_of(self, moment, server):
        """The same writer as it was at that moment, with the change on its way that it sent next."""
        past = copy.copy(self)
        known = {version for version, position in self.moments.items() if position <= moment}
        past.acknowledged = {version: change for version, change in self.acknowledged.items() if version in known}
        past.pending = self.sent.get(max(known) + 1)
        past.replayed, past.moments, past.sent = 0, dict(self.moments), {}
        past.api = server.api(self.api.token)
        past.record = self.record.seen_by(past.api)
        return past


def record(directory, writer_count, changes, seed):
    """One run under load; the writers, and the log between the end of the preparation and the end of the run."""
    disk = Disk(directory, records=True)
    server = Server(directory, demo=False, environment=disk.environment).start()
    try:
        writers = [RecordedWriter(server, f"{seed} {index}", disk) for index in range(writer_count)]
        start = disk.position
        threads = [threading.Thread(target=writer.run, args=(changes,)) for writer in writers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return writers, disk.log, start, disk.position
    finally:
        server.kill()


def cycle(directory, recorded, files, moment, writers):
    """A server over the files of a moment, and the invariants."""
    folder = pathlib.Path(directory)
    (folder / "data").mkdir(parents=True)
    for other in recorded.iterdir():
        if ".db" not in other.name:
            shutil.copy(other, folder / "data")
    for name, content in files.items():
        if ".db" in name:
            (folder / "data" / name).write_bytes(content)
    # The key was on the disk, folder and all, before anything was acknowledged.
    shutil.copytree(recorded.parent / "data-keys", folder / "data-keys")
    server = Server(folder, demo=False).start()
    try:
        past = [writer.as_of(moment, server) for writer in writers]
        for writer in past:
            writer.check()
            writer.api.close()
    finally:
        server.kill()
    doctor = run("doctor", "--data", server.data)
    if doctor.returncode != 0:
        raise Lost("the doctor finds: " + doctor.stdout + doctor.stderr)
    return sum(len(writer.acknowledged) - 1 for writer in past), sum(writer.replayed for writer in past)


def power(directory, cycles, writer_count=8, changes=60, seed="1", report=lambda line: None, keeps_syncs=True):
    """Runs the cycles; returns what was counted."""
    directory, chance, counts = pathlib.Path(directory), random.Random(seed), Counter()
    directory.joinpath("recorded").mkdir()
    writers, log, start, end = record(directory / "recorded", writer_count, changes, seed)
    for number in range(1, cycles + 1):
        moment, place = chance.randint(start, end), directory / f"cycle-{number}"
        files = after_power_loss(log, moment, chance, keeps_syncs)
        try:
            acknowledged, found = cycle(place, directory / "recorded" / "data", files, moment, writers)
        except Lost as loss:
            raise Lost(f"cycle {number} of seed {seed}, log cut at {moment}: {loss}") from None
        counts["cycles"] += 1
        counts["acknowledged"] += acknowledged
        counts["in doubt and found"] += found
        counts["standings checked"] += len(writers)
        report(f"{number}/{cycles}: {dict(counts)}")
        shutil.rmtree(place)
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cycles", type=int, default=20)
    parser.add_argument("--writers", type=int, default=8)
    parser.add_argument("--changes", type=int, default=60)
    parser.add_argument("--seed", default="1")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        try:
            counts = power(
                directory,
                chosen.cycles,
                chosen.writers,
                chosen.changes,
                chosen.seed,
                lambda line: print(line, flush=True),
            )
        except Lost as loss:
            sys.exit(f"LOST: {loss}")
    print(
        f"{counts['cycles']} power losses, {counts['acknowledged']} acknowledged changes looked for, "
        f"{counts['in doubt and found']} in doubt and found; 0 lost, 0 without history, 0 wrong standings"
    )


if __name__ == "__main__":
    main()
