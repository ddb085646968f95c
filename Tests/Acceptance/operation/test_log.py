"""The log on standard error: what the server does while it is not read."""

import fcntl
import json
import os
import pathlib
import re
import signal
import threading

import pytest
from rosefire import come_back

import gradecast
from test_hunger import eventually

DROPPED = "gradecast_log_dropped_lines_total"


def has_to_hear(process):
    """Whether a hang-up waits to be heard by the process; another one would be the same."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return any(int(mask, 16) & 1 << signal.SIGHUP - 1 for mask in re.findall(r"^(?:Sig|Shd)Pnd:\s+(\w+)", status, re.M))


@pytest.mark.slow("sends hang-ups, five hundred at a time, until the log is full and drops lines")
def test_a_log_that_is_not_read_holds_up_no_request_and_tells_what_it_dropped(tmp_path):
    end, full = os.pipe()
    fcntl.fcntl(full, fcntl.F_SETPIPE_SZ, 4096)
    server = gradecast.Server(tmp_path, errors=full).start()
    os.close(full)

    def is_full():
        for _ in range(500):
            os.kill(server.process.pid, signal.SIGHUP)  # each that is heard is a line
            while has_to_hear(server.process):
                os.sched_yield()
        return server.metric(DROPPED) > 0

    lines = []
    try:
        eventually(lambda: "Metrics and readiness" in server.output())
        eventually(is_full)
        # A refused sign-in is told in the log from the loop that answers it.
        assert come_back(server.api(), "x.y.z").faults == [("sign_in_refused", "/token")]
        assert server.api().sign_up().get("/v1/accounts/me").status == 200
        reader = threading.Thread(target=lambda: lines.extend(iter(os.fdopen(end).readline, "")), daemon=True)
        reader.start()

        def told():
            """How many dropped lines the log tells of so far."""
            log = [json.loads(line) for line in list(lines)]
            return sum(line["lines"] for line in log if line["message"] == "lines were dropped")

        # Lines are dropped until the reader has made room; all of them are told of.
        eventually(lambda: told() == server.metric(DROPPED))
        dropped = server.metric(DROPPED)
        assert server.stop() == 0
    finally:
        if server.process.poll() is None:
            server.kill()
    reader.join(gradecast.PATIENCE)
    assert told() == dropped
    assert json.loads(lines[-1])["message"] == "stopped"
