"""Writers with a record each, made through the API that every server of the main job speaks."""

import http.client
import json
import select


class Api:
    """A keep-alive connection to a server."""

    def __init__(self, server):
        if server.context:
            self.connection = http.client.HTTPSConnection("127.0.0.1", server.port, timeout=60, context=server.context)
        else:
            self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)

    def call(self, method, path, body=None, token=None):
        """The answer's body; anything but success ends the run."""
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        # The server closes connections that are idle for a minute, which a round of other measurements takes.
        if (kept := self.connection.sock) and select.select([kept], [], [], 0)[0]:
            self.connection.close()
        self.connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = self.connection.getresponse()
        text = response.read()
        if response.status >= 300:
            raise RuntimeError(f"{method} {path}: {response.status} {text[:500]}")
        return json.loads(text)

    def program(self, scheme):
        """The demo's program of a scheme."""
        items = self.call("GET", "/v1/institutions/demo/programs")["items"]
        return next(item["id"] for item in items if item["scheme"] == scheme)

    def sign_up(self, number):
        """A new account; its token."""
        details = {"login": f"load-{number}", "password": "correct horse battery", "displayName": f"Load {number}"}
        return self.call("POST", "/v1/accounts", details)["session"]["token"]

    def record(self, program, token):
        """A new record with the sample year."""
        return self.call("POST", "/v1/records", {"program": program, "template": "sample"}, token)

    def grade(self, record, entry, value, token):
        """Changes a grade; the answer."""
        path = f"/v1/records/{record}/entries/{entry}"
        return self.call("PATCH", path, {"fields": {"grade": value}}, token)


def leaves(record):
    """The entries that carry grades."""
    return [subject["id"] for unit in record["record"]["entries"] for subject in unit["children"]]


def plan(server, writers, records=1):
    """Makes `writers` accounts with `records` records each; the plan for the load client, a line for each writer."""
    api, lines = Api(server), []
    program = api.program("iut")
    for number in range(writers):
        token = api.sign_up(number)
        made = [api.record(program, token) for _ in range(records)]
        # Each writer has another grade to change.
        entries = leaves(made[0])
        lines.append(f"{token} {made[0]['record']['id']} {entries[number % len(entries)]}\n")
    path = server.folder / "plan"
    path.write_text("".join(lines))
    return path


def figures(server):
    """What a server makes of a fixed run of changes, to see that all do the same work."""
    api = Api(server)
    token = api.sign_up(1_000_000)
    record = api.record(api.program("iut"), token)
    seen = []
    for number, entry in enumerate(leaves(record)):
        value = None if number == 3 else number * 777 % 2001 / 100
        standing = api.grade(record["record"]["id"], entry, value, token)["standing"]
        figures = [*standing["figures"].items()]
        figures += [item for each in standing["entries"].values() for item in each["figures"].items()]
        seen.append(sorted((n, str(f["exact"]), f["display"], f["floor"], f["ceiling"]) for n, f in figures))
        seen.append({name: (outcome["state"], outcome["final"]) for name, outcome in standing["outcomes"].items()})
    return seen
