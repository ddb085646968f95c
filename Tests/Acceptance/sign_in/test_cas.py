"""Sign-in with CAS: which tickets are believed, of whom, and for which attempt."""

import urllib.parse
import uuid

import pytest
from service import Service

import gradecast
from client import changed

PUBLIC = "https://grades.example.org"
REFUSED, EXPIRED = [("sign_in_refused", "/ticket")], [("sign_in_expired", "")]


def success(user, attributes="", more=""):
    """What CAS says of a ticket that is valid."""
    return (
        "<cas:serviceResponse xmlns:cas='http://www.yale.edu/tp/cas'><cas:authenticationSuccess>"
        f"<cas:user>{user}</cas:user><cas:attributes>{attributes}</cas:attributes>{more}"
        "</cas:authenticationSuccess></cas:serviceResponse>"
    ).encode()


FAILURE = (
    b"<cas:serviceResponse xmlns:cas='http://www.yale.edu/tp/cas'>"
    b"<cas:authenticationFailure code='INVALID_TICKET'>no such ticket</cas:authenticationFailure></cas:serviceResponse>"
)


class Cas:
    """A stand-in for a CAS server: each ticket is for one service, and used once."""

    def __init__(self):
        self.tickets = {}
        self.renewed = False  # whether the last ticket was validated for a new sign-in alone
        self.next = None  # (status, bytes) in place of the right answer
        self.service = Service(self.answer)
        self.url = self.service.url + "/cas"

    def answer(self, method, path, body, headers):
        parts = urllib.parse.urlsplit(path)
        asked = dict(urllib.parse.parse_qsl(parts.query))
        if parts.path != "/cas/p3/serviceValidate":
            return 404, b""
        if self.next:
            return self.next
        self.renewed = asked.get("renew") == "true"
        service, said = self.tickets.pop(asked.get("ticket"), (None, None))
        return 200, said if service == asked.get("service") else FAILURE

    def grant(self, location, said):
        """The person signs in at the address; the query with which the browser is sent back."""
        parts = urllib.parse.urlsplit(location)
        assert location.startswith(self.url + "/login?"), location
        service = dict(urllib.parse.parse_qsl(parts.query))["service"]
        assert service.startswith(PUBLIC + "/sign-in/cas?state="), service
        ticket = "ST-" + uuid.uuid4().hex
        self.tickets[ticket] = (service, said)
        return {"ticket": ticket} | dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(service).query))


@pytest.fixture(scope="module")
def cas():
    running = Cas()
    yield running
    running.service.stop()


@pytest.fixture(scope="module")
def campus(tmp_path_factory, cas):
    entry = {"id": "cas", "title": "CAS", "url": cas.url}
    config = {"publicUrl": PUBLIC, "signIn": {"cas": [entry]}, "outbound": {"networks": ["127.0.0.0/8"]}}
    running = gradecast.Server(tmp_path_factory.mktemp("cas"), config=config).start()
    yield running
    assert running.stop() == 0, running.output()


def begin(api):
    answer = changed(api.post("/v1/sign-in/cas", {}), 201)
    return answer.headers["Set-Cookie"].split(";")[0], answer.json["location"]


def sign_in(server, cas, said):
    api = server.api()
    cookie, location = begin(api)
    return api.post("/v1/sessions/cas", cas.grant(location, said), cookie=cookie)


def test_a_person_signs_in_and_is_found_again(campus, cas):
    user = f"ada-{uuid.uuid4().hex[:8]}"
    said = success(user, "<cas:mail>ada@example.org</cas:mail><cas:displayName>Ada Lovelace</cas:displayName>")
    account = changed(sign_in(campus, cas, said), 201).json["account"]
    assert (account["login"], account["displayName"]) == (f"{user}@cas", "Ada Lovelace")
    assert changed(sign_in(campus, cas, success(user)), 201).json["account"]["id"] == account["id"]


NAMED = {
    "of a directory": (
        "<cas:givenName>Ada</cas:givenName><cas:sn>Lovelace</cas:sn><cas:sn>King</cas:sn>",
        "Ada",
        "Lovelace",
    ),
    "of the specification": (
        "<cas:firstname>Ada</cas:firstname><cas:lastname>Lovelace</cas:lastname>",
        "Ada",
        "Lovelace",
    ),
    "only one": ("<cas:sn>Lovelace</cas:sn><cas:givenName> </cas:givenName>", None, "Lovelace"),
    "deceptive": ("<cas:sn>\u202eecalevoL</cas:sn><cas:givenName>Ada</cas:givenName>", "Ada", None),
}


@pytest.mark.parametrize("name", NAMED)
def test_a_new_account_has_the_first_and_last_name_that_cas_sends(campus, cas, name):
    attributes, given, family = NAMED[name]
    user = f"ada-{uuid.uuid4().hex[:8]}"
    account = changed(sign_in(campus, cas, success(user, attributes)), 201).json["account"]
    assert (account["givenName"], account["familyName"]) == (given, family)
    again = success(user, "<cas:sn>Other</cas:sn><cas:givenName>Other</cas:givenName>")
    account = changed(sign_in(campus, cas, again), 201).json["account"]
    assert (account["givenName"], account["familyName"]) == (given, family)


def test_a_ticket_is_for_one_attempt_and_used_once(campus, cas):
    api = campus.api()
    cookie, location = begin(api)
    reply = cas.grant(location, success("once"))
    other, elsewhere = begin(api)
    mixed = cas.grant(elsewhere, success("once")) | {"ticket": reply["ticket"]}
    assert api.post("/v1/sessions/cas", mixed, cookie=other).faults == REFUSED
    cookie, location = begin(api)
    reply = cas.grant(location, success("once"))
    assert api.post("/v1/sessions/cas", reply, cookie=cookie).status == 201
    assert api.post("/v1/sessions/cas", reply, cookie=cookie).faults == EXPIRED
    assert campus.api().post("/v1/sessions/cas", cas.grant(begin(api)[1], success("x"))).faults == EXPIRED


REFUSALS = {
    "a failure": FAILURE,
    "a proxy's ticket": success("ada", more="<cas:proxies><cas:proxy>https://p.example</cas:proxy></cas:proxies>"),
    "no user": success(" "),
    "two users": success("ada", more="<cas:user>administrator</cas:user>"),
    "a long user": success("x" * 256),
}
UNREADABLE = {
    "a document type": b"<!DOCTYPE x [<!ENTITY e 'ada'>]>" + success("&e;"),
    "another namespace": success("ada").replace(b"www.yale.edu", b"elsewhere.example"),
    "two answers": success("ada").replace(b"</cas:serviceResponse>", FAILURE[50:]),
    "an error page": b"<html><body>Error</body></html>",
    "nothing": b"",
    "a huge answer": success("ada", "x" * (300 << 10)),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_what_cas_does_not_vouch_for_is_refused(campus, cas, name):
    answer = sign_in(campus, cas, REFUSALS[name])
    assert (answer.status, answer.faults) == (422, REFUSED), answer


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_is_no_answer_of_cas_is_told_as_such(campus, cas, name):
    answer = sign_in(campus, cas, UNREADABLE[name])
    assert (answer.status, answer.json["code"]) == (503, "provider_unavailable"), answer


@pytest.mark.parametrize("ticket", ["PT-1", "PGT-1", "x", "", "ST-\n", "ST-" + "x" * 600])
def test_what_is_no_service_ticket_is_not_even_asked_about(campus, cas, ticket):
    api = campus.api()
    cookie, location = begin(api)
    asked = len(cas.service.asked)
    reply = cas.grant(location, success("x")) | {"ticket": ticket}
    assert api.post("/v1/sessions/cas", reply, cookie=cookie).faults == REFUSED
    assert len(cas.service.asked) == asked


@pytest.mark.parametrize(
    ("answer", "code"),
    [(None, None), ((404, b""), "outbound_status"), ((200, UNREADABLE["an error page"]), "outbound_form")],
)
def test_a_trial_has_a_ticket_validated_that_is_none(campus, cas, answer, code):
    cas.next = answer
    try:
        tried = changed(campus.signed_in("administrator").post("/v1/providers/cas/test")).json
    finally:
        cas.next = None
    found = [(step["step"], step["fault"] and step["fault"]["code"]) for step in tried["steps"]]
    assert (tried["works"], found) == (code is None, [("tickets", code)])
