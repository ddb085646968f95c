"""A hostile scheme of a third party that burns, floods and devours what it can, while others work."""

import contextlib
import json
import shutil
import threading

from harness import build, load, people, servers
from harness.main_job import WRITERS, client
from harness.table import figure

SCHEME = build.ROOT / "Tests" / "SchemeHostTests" / "Schemes" / "hostile"
ATTACKS = ["burn", "flood", "devour", "threads without end", "fork"]


def server(binary):
    """A server with the hostile scheme beside its own."""

    def command(port, folder):
        # A scheme of a server of root runs as another user, who must be able to read it.
        folder.chmod(0o755)
        schemes = folder / "schemes"
        schemes.mkdir(mode=0o755)
        program = shutil.copy(SCHEME, schemes)
        (schemes / "target.json").write_text("{}")
        configuration = folder / "config.json"
        limits = {"memoryMiB": 256, "deadlineMilliseconds": 4_000, "startSeconds": 30}
        plugins = [{"builtin": "chalkboard"}, {"builtin": "iut"}, {"run": program} | limits]
        configuration.write_text(json.dumps({"plugins": plugins}))
        return [binary, "serve", "--demo", "--config", configuration, "--data", folder / "data", "--port", port]

    return servers.Server("gradecast", command)


@contextlib.contextmanager
def attacks(running, token, record, answers):
    """One attack after the other while the block runs."""
    over, api = threading.Event(), people.Api(running)

    def attack():
        while not over.is_set():
            for name in ATTACKS:
                body = json.dumps({"kind": "task", "fields": {"title": name}})
                headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
                api.connection.request("POST", f"/v1/records/{record}/entries", body, headers)
                response = api.connection.getresponse()
                response.read()
                answers.append((name, response.status))

    thread = threading.Thread(target=attack)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def hostile_part(rounds, seconds):
    """What writers wait alone and beside a scheme that attacks."""
    result, program, answers = load.Rounds(), client(), []
    with server(build.swift("gradecast")) as running:
        plan = people.plan(running, WRITERS)
        api = people.Api(running)
        token = api.sign_up(1_000_000)
        record = api.call("POST", "/v1/records", {"program": api.program("hostile")}, token)["record"]["id"]
        quiet = ["-f", plan, "-s", seconds, "-r", 200]
        load.run(program, running, *quiet)
        for _ in range(rounds):
            result.note("writers alone", load.run(program, running, *quiet))
            with attacks(running, token, record, answers):
                result.note("writers beside", load.run(program, running, *quiet))
    print(f"  answers {({answer: answers.count(answer) for answer in sorted(set(answers))})}", flush=True)
    alone, beside = (result.median(name, "answer_p99") / 1e3 for name in ("writers alone", "writers beside"))
    return [
        figure(
            "a scheme burns, floods and devours; 200 grades/s beside it, sent → answer, p99", beside, "ms", 5,
            f"without it, {alone:.3g} ms; medians")
    ]
