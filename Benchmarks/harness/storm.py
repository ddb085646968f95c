"""A storm of sign-ins, by passwords and by OpenID Connect, while others work."""

import collections
import http.client
import itertools
import json
import sys
import time

from harness import build, load, people, servers
from harness.main_job import WRITERS, client
from harness.table import figure

sys.path.append(str(build.ROOT / "Tests" / "Acceptance" / "support"))
from issuer import CLIENT, SECRET, Issuer  # noqa: E402

RATE, THREADS, ACCOUNTS = 100, 40, 40
PASSWORD = "correct horse battery"


def server(binary, issuer):
    """A server where people sign in with a password or with the issuer."""

    def command(port, folder):
        secret, configuration = folder / "client-secret", folder / "config.json"
        secret.write_text(SECRET)
        secret.chmod(0o600)
        provider = {"id": "university", "title": "University", "issuer": issuer.url, "clientId": CLIENT}
        provider["clientSecretFile"] = str(secret)
        configuration.write_text(
            json.dumps(
                {
                    "publicUrl": f"http://127.0.0.1:{port}",
                    "signIn": {"oidc": [provider]},
                    "outbound": {"networks": ["127.0.0.0/8"]},
                }
            )
        )
        return [binary, "serve", "--demo", "--config", configuration, "--data", folder / "data", "--port", port]

    return servers.Server("gradecast", command)


class Visitor:
    """Somebody with an address of his or her own."""

    def __init__(self, running, number):
        source = (f"127.0.1.{number % 250 + 1}", 0)
        self.connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=60, source_address=source)

    def post(self, path, body, cookie=None):
        headers = {"Content-Type": "application/json"} | ({"Cookie": cookie} if cookie else {})
        self.connection.request("POST", path, json.dumps(body), headers)
        response = self.connection.getresponse()
        text = response.read()
        return response.status, response.headers, json.loads(text)

    def with_password(self, number):
        return self.post("/v1/sessions", {"login": f"load-{number}", "password": PASSWORD})[0]

    def with_issuer(self, issuer, number):
        status, headers, answer = self.post("/v1/sign-in/university", {})
        if status != 201:
            return status
        reply = issuer.grant(answer["location"], f"storm-{number}")
        return self.post("/v1/sessions/university", reply, headers["Set-Cookie"].split(";")[0])[0]


def storm(running, issuer, accounts, answers):
    """`RATE` sign-ins begin each second while the block runs, every other one at the issuer."""
    turns, began = itertools.count(), time.monotonic()

    def visit(over, number):
        visitor = Visitor(running, number)
        while True:
            turn = next(turns)
            if over.wait(max(0, began + turn / RATE - time.monotonic())):
                return
            if turn % 2:
                answers["issuer", visitor.with_issuer(issuer, turn % 200)] += 1
            else:
                answers["password", visitor.with_password(accounts[turn // 2 % len(accounts)])] += 1

    return load.beside(visit, THREADS)


def storm_part(rounds, seconds):
    """How long grades take to their subscribers: alone, beside the storm, and beside a storm at a neighbour."""
    answers = {"storm": collections.Counter(), "neighbour": collections.Counter()}
    binary, accounts = build.swift("gradecast"), range(2_000_000, 2_000_000 + ACCOUNTS)
    with Issuer() as issuer, server(binary, issuer) as running, server(binary, issuer) as neighbour:
        options = ["-f", people.plan(running, WRITERS), "-s", seconds, "-r", 200]
        for each in running, neighbour:
            api = people.Api(each)
            for number in accounts:
                api.sign_up(number)
        result = load.alone_and_beside(
            client(), running, options, rounds,
            storm=lambda: storm(running, issuer, accounts, answers["storm"]),
            neighbour=lambda: storm(neighbour, issuer, accounts, answers["neighbour"]),
        )
    for name, counts in answers.items():
        print(f"  {name}: answers {dict(sorted(counts.items()))}", flush=True)
    alone, own, other = (
        result.median(f"writers {name}", "frame_p99") / 1e3 for name in ("alone", "beside storm", "beside neighbour")
    )
    return [
        figure(
            f"{RATE} sign-ins a second; 200 grades/s beside them, sent → frame, p99", own, "ms", None,
            f"the same sign-ins at another server of this machine, {other:.3g} ms; without them, {alone:.3g} ms; medians")
    ]
