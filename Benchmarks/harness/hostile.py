"""A hostile scheme of a third party that burns, floods and devours what it can, while others work."""

import json
import shutil

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


def attacks(running, token, record, answers):
    """One attack after the other while the block runs."""
    api = people.Api(running)

    def attack(over, _):
        while not over.is_set():
            for name in ATTACKS:
                body = json.dumps({"kind": "task", "fields": {"title": name}})
                headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
                api.connection.request("POST", f"/v1/records/{record}/entries", body, headers)
                response = api.connection.getresponse()
                response.read()
                answers.append((name, response.status))

    return load.beside(attack)


def hostile_part(rounds, seconds):
    """What writers wait alone and beside a scheme that attacks."""
    answers = []
    with server(build.swift("gradecast")) as running:
        options = ["-f", people.plan(running, WRITERS), "-s", seconds, "-r", 200]
        api = people.Api(running)
        token = api.sign_up(1_000_000)
        record = api.call("POST", "/v1/records", {"program": api.program("hostile")}, token)["record"]["id"]
        result = load.alone_and_beside(
            client(), running, options, rounds, attacks=lambda: attacks(running, token, record, answers)
        )
    print(f"  answers {({answer: answers.count(answer) for answer in sorted(set(answers))})}", flush=True)
    alone, beside = (result.median(name, "answer_p99") / 1e3 for name in ("writers alone", "writers beside attacks"))
    return [
        figure(
            "a scheme burns, floods and devours; 200 grades/s beside it, sent → answer, p99", beside, "ms", 5,
            f"without it, {alone:.3g} ms; medians")
    ]
