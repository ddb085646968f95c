"""A scheme whose executable is exchanged for another while its server is down."""

import hashlib
import json
import re

from programs import Program, until
from test_plugins import SCHEMES

import gradecast
from client import Record, changed

ORIGINAL = (SCHEMES / "pass-fail").read_text()
# Half of a task that is not done counts; the scheme says which build it is.
GENEROUS = ORIGINAL.replace('"id": "pass-fail",', '"id": "pass-fail", "version": "2.0.0-rc.1",').replace(
    "share = Fraction(100 * done, len(tasks))", "share = Fraction(50 * (done + len(tasks)), len(tasks))"
)
# However busy the machine is.
PATIENT = {"deadlineMilliseconds": 20_000, "startSeconds": 50}
TASK = {"kind": "task", "fields": {"title": "read", "done": False}}


def digest(program):
    return hashlib.sha256(program.read_bytes()).hexdigest()


class Upgrades:
    """A server whose scheme is exchanged while it is down."""

    def __init__(self, folder):
        self.scheme = folder / "pass-fail"
        self.build(ORIGINAL)
        self.config = {"plugins": [{"builtin": "chalkboard"}, {"run": str(self.scheme)} | PATIENT]}
        self.server = gradecast.Server(folder, config=self.config)

    def build(self, text):
        self.scheme.write_text(text)
        self.scheme.chmod(0o755)

    def start(self, text=None):
        """Starts the server, over another executable if one is given."""
        if self.server.process and self.server.process.poll() is None:
            assert self.server.stop() == 0, self.server.output()
        if text:
            self.build(text)
        self.server.start()
        self.registrar = self.server.signed_in("registrar")
        return self.server

    def program(self):
        program = Program(self.registrar, "pass-fail", entry="staff")
        changed(program.publish())
        return program

    def command(self, *words):
        return gradecast.run(*words, "--config", self.server.data.parent / "config.json", "--data", self.server.data)

    def doctor(self):
        return json.loads(self.command("doctor", "--json").stdout)["executables"]

    def stale(self):
        """The metric."""
        text = self.server.management().get("/metrics").body.decode()
        return int(re.search(r'^gradecast_stale_records\{scheme="pass-fail"\} (\d+)', text, re.MULTILINE)[1])


def of(upgrades, program):
    """The program as its registrar sees it now, after a restart."""
    program.api = upgrades.registrar
    return program


def rehearse(program):
    answer = changed(program.api.post(program.path + "/rehearsals", {"of": "executable"}), 202)
    return program.wait(f"{program.path}/rehearsals/{answer.json['rehearsal']['id']}", "rehearsal")


def recompute(program, digest):
    return program.api.post(program.path + "/recompute", {"digest": digest})


def recomputed(program):
    path = program.path + "/recomputations"
    return until(lambda: program.api.get(path).json["items"][0], lambda one: one["state"] != "running")


def seen(record, api):
    return Record(api, record.id).standing().json
