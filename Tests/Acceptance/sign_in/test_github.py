"""Sign-in with GitHub: the person is the numeric id, errors come with status 200, and the token goes nowhere."""

import base64
import hashlib
import json
import urllib.parse
import uuid

import pytest
from service import Service

import gradecast
from client import changed

PUBLIC, CLIENT, SECRET = "https://grades.example.org", "a client", "a-secret-of-the-tests"
REFUSED, EXPIRED = [("sign_in_refused", "/code")], [("sign_in_expired", "")]


class GitHub:
    """A stand-in for a GitHub Enterprise Server."""

    def __init__(self):
        self.codes = {}
        self.people = {}
        self.exchange = self.user = None  # what is answered in place of the truth
        self.service = Service(self.answer)
        self.url = self.service.url

    def answer(self, method, path, body, headers):
        if (method, path) == ("POST", "/login/oauth/access_token"):
            return 200, json.dumps(self.exchange or self.token(dict(urllib.parse.parse_qsl(body.decode())))).encode()
        if (method, path) == ("GET", "/api/v3/user"):
            person = self.people.get(headers.get("Authorization", "").removeprefix("Bearer "))
            return (200, json.dumps(self.user or person).encode()) if person else (401, b"{}")
        return 404, b"{}"

    def token(self, form):
        person, challenge = self.codes.pop(form.get("code"), (None, None))
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        right = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        known = (form.get("client_id"), form.get("client_secret")) == (CLIENT, SECRET)
        if not known:
            return {"error": "incorrect_client_credentials"}
        if person is None or challenge != right or form["redirect_uri"] != PUBLIC + "/sign-in/github":
            return {"error": "bad_verification_code", "error_description": "The code passed is incorrect or expired."}
        token = "gho_" + uuid.uuid4().hex
        self.people[token] = person
        return {"access_token": token, "scope": "read:user", "token_type": "bearer"}

    def grant(self, location, person):
        asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(location).query))
        assert location.startswith(self.url + "/login/oauth/authorize?"), location
        assert (asked["client_id"], asked["scope"], asked["code_challenge_method"]) == (CLIENT, "read:user", "S256")
        code = uuid.uuid4().hex
        self.codes[code] = (person, asked["code_challenge"])
        return {"code": code, "state": asked["state"]}


@pytest.fixture(scope="module")
def github():
    running = GitHub()
    yield running
    running.service.stop()


@pytest.fixture(scope="module")
def campus(tmp_path_factory, github):
    folder = tmp_path_factory.mktemp("github")
    secret = folder / "secret"
    secret.write_text(SECRET)
    secret.chmod(0o600)
    entry = {"clientId": CLIENT, "clientSecretFile": str(secret), "url": github.url, "signUp": "open"}
    config = {"publicUrl": PUBLIC, "signIn": {"github": entry}, "outbound": {"networks": ["127.0.0.1"]}}
    running = gradecast.Server(folder, config=config).start()
    yield running
    assert running.stop() == 0, running.output()


def begin(api):
    answer = changed(api.post("/v1/sign-in/github", {}), 201)
    return answer.headers["Set-Cookie"].split(";")[0], answer.json["location"]


def sign_in(server, github, person):
    api = server.api()
    cookie, location = begin(api)
    return api.post("/v1/sessions/github", github.grant(location, person), cookie=cookie)


def test_the_person_is_the_id_whoever_has_the_login_name(campus, github):
    number = uuid.uuid4().int % 10**9 + 1
    ada = {"id": number, "login": f"ada-{number}", "name": "Ada Lovelace", "email": "ada@example.org"}
    # A name that turns round what stands beside it is not shown.
    bob = changed(sign_in(campus, github, {"id": number + 2, "login": f"bob-{number}", "name": "Bob\u202e"}), 201)
    assert bob.json["account"]["displayName"] == f"bob-{number}"
    account = changed(sign_in(campus, github, ada), 201).json["account"]
    assert (account["login"], account["displayName"]) == (f"ada-{number}@github", "Ada Lovelace")
    renamed = changed(sign_in(campus, github, ada | {"login": "lovelace", "name": None}), 201).json["account"]
    assert renamed["id"] == account["id"]
    heir = changed(sign_in(campus, github, ada | {"id": number + 1}), 201).json["account"]
    assert heir["id"] != account["id"]


def test_a_code_is_used_once_and_with_its_own_verifier(campus, github):
    api = campus.api()
    cookie, location = begin(api)
    reply = github.grant(location, {"id": 1, "login": "x"})
    other, elsewhere = begin(api)
    mixed = github.grant(elsewhere, {"id": 1, "login": "x"}) | {"code": reply["code"]}
    assert api.post("/v1/sessions/github", mixed, cookie=other).faults == REFUSED
    cookie, location = begin(api)
    reply = github.grant(location, {"id": 1, "login": "x"})
    assert api.post("/v1/sessions/github", reply, cookie=cookie).status == 201
    assert api.post("/v1/sessions/github", reply, cookie=cookie).faults == EXPIRED


@pytest.mark.parametrize(
    "person", [{"login": "x"}, {"id": "7", "login": "x"}, {"id": 0}, {"id": -1}, {"id": 1.5}, {"id": 10**30}]
)
def test_somebody_without_a_numeric_id_is_nobody(campus, github, person):
    assert sign_in(campus, github, person).faults == REFUSED


@pytest.mark.parametrize(
    "answer",
    [
        {"error": "incorrect_client_credentials"}, {"error": "redirect_uri_mismatch"}, {}, {"access_token": "x"},
        {"access_token": "a\nb", "token_type": "bearer"}, {"access_token": 7, "token_type": "bearer"}, [],
    ],
)  # fmt: skip
def test_an_exchange_that_fails_is_told_as_such(campus, github, answer):
    github.exchange = answer or [0]
    try:
        found = sign_in(campus, github, {"id": 1, "login": "x"})
    finally:
        github.exchange = None
    assert (found.status, found.json["code"]) == (503, "provider_unavailable"), found


def test_the_token_stands_nowhere(campus, github):
    changed(sign_in(campus, github, {"id": 2, "login": "quiet"}), 201)
    kept = b"".join(path.read_bytes() for path in campus.data.iterdir() if path.is_file()) + campus.log.read_bytes()
    assert not any(token.encode() in kept for token in github.people)


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (None, None),
        ({"error": "incorrect_client_credentials"}, "client_refused"),
        ({"error": "redirect_uri_mismatch"}, "callback_refused"),
    ],
)
def test_a_trial_shows_a_code_that_is_none(campus, github, answer, code):
    github.exchange = answer
    try:
        tried = changed(campus.signed_in("administrator").post("/v1/providers/github/test")).json
    finally:
        github.exchange = None
    found = [(step["step"], step["fault"] and step["fault"]["code"]) for step in tried["steps"]]
    assert (tried["works"], found) == (code is None, [("client", code)])
