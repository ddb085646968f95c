"""A small HTTP client: one keep-alive connection, JSON whose numbers keep their text."""

import http.client
import itertools
import select
import uuid
import weakref

from oracle.build import without_ids
from oracle.wire import dumps, loads

TIMEOUT = 180
NAMES = itertools.count(1)


class Answer:
    """A response, read whole."""

    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return loads(self.body.decode("utf-8"))

    @property
    def etag(self):
        return self.headers.get("ETag")

    @property
    def faults(self):
        """The faults of a problem document as `[(code, path)]`."""
        return [(fault["code"], fault["path"]) for fault in self.json["faults"]]

    def __repr__(self):
        return f"<{self.status} {self.body[:2000].decode('utf-8', 'replace')}>"


# All who may have a connection open.
callers = weakref.WeakSet()


def has_ended(kept):
    """Whether there is something to read on a connection that waits for nothing. The descriptor may be any number."""
    poll = select.poll()
    poll.register(kept, select.POLLIN)
    return bool(poll.poll(0))


class Api:
    """A caller of the API, signed in or not."""

    def __init__(self, host, port, token=None, language="en", context=None, source=None):
        self.host, self.port, self.token, self.language, self.context = host, port, token, language, context
        more = {"timeout": TIMEOUT, "source_address": (source, 0) if source else None}  # an address of loopback's
        if context:
            self.connection = http.client.HTTPSConnection(host, port, context=context, **more)
        else:
            self.connection = http.client.HTTPConnection(host, port, **more)
        self.account = None
        callers.add(self)

    def close(self):
        self.connection.close()

    def twin(self, **more):
        """Another connection of the same caller."""
        return Api(self.host, self.port, self.token, **({"language": self.language, "context": self.context} | more))

    def call(self, method, path, body=None, **headers):
        """One request. `body` is JSON unless it is bytes; header names are written `if_match`."""
        sent = {"Accept-Language": self.language}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        if body is not None:
            sent["Content-Type"] = "application/json"
            body = body if isinstance(body, bytes) else dumps(body).encode("utf-8")
        for name, value in headers.items():
            name = name.replace("_", "-").title()
            sent.pop(name, None)
            if value is not None:
                sent[name] = value
        try:
            return self.exchange(method, path, body, sent)
        except http.client.RemoteDisconnected:
            # A kept connection that the server has closed meanwhile, as after a restart: reading may be repeated.
            self.connection.close()
            if method != "GET":
                raise
            return self.exchange(method, path, body, sent)
        except (OSError, http.client.HTTPException):
            self.connection.close()
            raise

    def exchange(self, method, path, body, headers):
        """One request on the kept connection, and its answer."""
        kept = self.connection.sock
        # The server closes connections that are idle for a minute, which a busy machine makes of a short test.
        if kept and has_ended(kept):
            self.connection.close()
        self.connection.request(method, path, body, headers)
        response = self.connection.getresponse()
        return Answer(response.status, response.headers, response.read())

    def get(self, path, **headers):
        return self.call("GET", path, **headers)

    def post(self, path, body=None, **headers):
        return self.call("POST", path, body, **headers)

    def put(self, path, body, **headers):
        return self.call("PUT", path, body, **headers)

    def patch(self, path, body, **headers):
        return self.call("PATCH", path, body, **headers)

    def delete(self, path, **headers):
        return self.call("DELETE", path, **headers)

    # -- accounts

    def sign_up(self, **more):
        """This caller as a new account."""
        login = f"person-{next(NAMES)}-{uuid.uuid4().hex[:8]}"
        details = {"login": login, "password": "correct horse battery", "displayName": "Person", **more}
        answer = self.post("/v1/accounts", details)
        assert answer.status == 201, answer
        self.account = answer.json["account"]
        self.token = answer.json["session"]["token"]
        self.login, self.password = details["login"], details["password"]
        return self

    def sign_in(self, login, password):
        """This caller signed in."""
        answer = self.post("/v1/sessions", {"login": login, "password": password})
        assert answer.status == 201, answer
        self.account = answer.json["account"]
        self.token = answer.json["session"]["token"]
        self.login, self.password = login, password
        return self

    # -- memberships

    def makes_member(self, api, institution, role, programs=()):
        """Gives somebody a role in an institution; a role that rises is accepted."""
        member = {"role": role} | ({"programs": list(programs)} if programs else {})
        answer = self.call("PUT", f"/v1/institutions/{institution}/members/{api.account['id']}", member)
        if answer.status == 202:
            changed(api.post("/v1/invitations/accept", {"invitation": answer.json["invitation"]["id"]}), 201)
        else:
            changed(answer)

    # -- records

    def program(self, scheme):
        """The demo's program of a scheme."""
        answer = self.get("/v1/institutions/demo/programs")
        assert answer.status == 200, answer
        return next(program["id"] for program in answer.json["items"] if program["scheme"] == scheme)

    def new_record(self, scheme, **more):
        """An own record; returns a `Record`."""
        answer = self.post("/v1/records", {"program": self.program(scheme), **more})
        assert answer.status == 201, answer
        return Record(self, answer.json["record"]["id"])

    def evaluate(self, request):
        """A stateless evaluation."""
        return self.post("/v1/evaluate", request)


class Record:
    """One stored record as one caller sees it."""

    def __init__(self, api, id):
        self.api, self.id = api, id
        self.path = f"/v1/records/{id}"

    def seen_by(self, api):
        """The same record through another caller."""
        return Record(api, self.id)

    def get(self, **headers):
        return self.api.get(self.path, **headers)

    def standing(self, **headers):
        return self.api.get(self.path + "/standing", **headers)

    @property
    def version(self):
        answer = self.get()
        assert answer.status == 200, answer
        return answer.json["version"]

    @property
    def entries(self):
        """The top entries in the order of their positions."""
        return sorted(self.get().json["record"]["entries"], key=lambda entry: entry["position"])

    def add(self, entry, parent=None, **headers):
        body = without_ids([entry])[0] | ({"parent": parent} if parent else {})
        return self.api.post(self.path + "/entries", body, **headers)

    def change(self, *changes, **headers):
        return self.api.post(self.path + "/changes", {"changes": list(changes)}, **headers)

    def fill(self, request):
        """Stores the fields and entries of an evaluation in one change."""
        changes = [{"op": "fields", "fields": request["fields"]}] if request.get("fields") else []
        changes += [{"op": "add"} | entry for entry in without_ids(request["entries"])]
        return self.change(*changes)

    def patch(self, entry, fields=None, **more):
        headers = more.pop("headers", {})
        body = ({"fields": fields} if fields is not None else {}) | more
        return self.api.patch(f"{self.path}/entries/{entry}", body, **headers)

    def remove(self, entry, **headers):
        return self.api.delete(f"{self.path}/entries/{entry}", **headers)

    def history(self, after=0):
        """Every history item of a later version, newest first."""
        items, path = [], self.path + "/history?limit=200"
        while path:
            answer = self.api.get(path)
            assert answer.status == 200, answer
            items += answer.json["items"]
            path = next_page(answer) if items and items[-1]["version"] > after else None
        return [item for item in items if item["version"] > after]

    def delete(self):
        return self.api.delete(self.path)


def next_page(answer):
    """The path of the next page, if there is one."""
    for link in (answer.headers.get("Link") or "").split(","):
        address, _, parameters = link.partition(";")
        if 'rel="next"' in parameters:
            address = address.strip().strip("<>")
            return address if address.startswith("/") else "/" + address.split("/", 3)[3]
    return None


def listed(api, path):
    """Every item of a list, page after page."""
    items = []
    while path:
        answer = changed(api.get(path))
        items += answer.json["items"]
        path = next_page(answer)
    return items


def changed(answer, status=200):
    """The answer to a write that was accepted."""
    assert answer.status == status, answer
    return answer
