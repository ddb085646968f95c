"""Passkeys, by an authenticator in software: what lets in, and every part of an answer that does not."""

import base64

import pytest
from authenticator import CREDENTIAL, KINDS, PRESENT, VERIFIED, Authenticator, encode
from factors import challenge, enrolled

from client import changed
from stored import stored

OPTIONS, MINE, SIGN_IN = "/v1/passkeys/options", "/v1/accounts/me/passkeys", "/v1/sessions/passkey"


def options(api, purpose="signIn"):
    return changed(api.post(OPTIONS, {"purpose": purpose}), 201).json


def origin(server):
    return f"http://localhost:{server.port}"


@pytest.fixture
def phone(server):
    return Authenticator(origin(server))


def keep(api, authenticator, **wrong):
    """Registers a passkey for an account."""
    return api.post(MINE, authenticator.make(options(api, "register"), **wrong))


def refused(answer):
    return (answer.status, [code for code, _ in answer.faults]) == (422, ["passkey_refused"])


@pytest.mark.parametrize("kind", KINDS)
def test_a_passkey_lets_its_owner_in_without_anything_else(server, student, guest, kind):
    phone = Authenticator(origin(server), kind=kind)
    kept = changed(keep(student, phone), 201).json["passkey"]
    assert (kept["name"], kept["usedAt"]) == ("Phone", None)
    admitted = changed(guest.post(SIGN_IN, phone.use(options(guest))), 201).json
    assert admitted["account"]["id"] == student.account["id"]
    guest.token = admitted["session"]["token"]
    assert guest.get(MINE).json["items"][0]["usedAt"]
    assert guest.get("/v1/accounts/me/export").json["passkeys"] == guest.get(MINE).json["items"]


def test_a_passkey_is_both_factors(student, guest, phone):
    changed(keep(student, phone), 201)
    enrolled(student)
    challenge(guest, student.login, student.password)
    changed(guest.post(SIGN_IN, phone.use(options(guest))), 201)


def test_the_browser_is_told_what_to_ask_for(server, student, guest):
    assert guest.get("/v1/sign-in").json["passkeys"] == {"rpId": "localhost"}
    asked = options(student, "register")
    assert asked["rp"]["id"] == "localhost"
    assert [item["alg"] for item in asked["pubKeyCredParams"]] == [-7, -8, -257]
    assert asked["attestation"] == "none"
    assert asked["authenticatorSelection"]["userVerification"] == "required"
    assert len(base64.urlsafe_b64decode(asked["user"]["id"] + "=")) == 32
    assert options(student, "register")["user"]["id"] == asked["user"]["id"]
    assert student.account["id"] not in base64.urlsafe_b64decode(asked["user"]["id"] + "=").decode("latin-1")
    assert options(guest)["userVerification"] == "required"
    assert guest.post(OPTIONS, {"purpose": "register"}).status == 401
    phone = Authenticator(origin(server))
    changed(keep(student, phone), 201)
    assert [item["id"] for item in options(student, "register")["excludeCredentials"]] == [encode(phone.id)]


@pytest.mark.parametrize(
    "wrong",
    [
        {"type": "webauthn.get"},
        {"origin": "https://evil.example"},
        {"crossOrigin": True},
        {"party": "evil.example"},
        {"flags": VERIFIED | CREDENTIAL},
        {"flags": PRESENT | CREDENTIAL},
        {"flags": PRESENT | VERIFIED},
        {"form": "packed"},
        {"key": {1: 2, 3: -7, -1: 1, -2: bytes(32), -3: bytes(32)}},
        {"key": {1: 2, 3: -35, -1: 2, -2: bytes(48), -3: bytes(48)}},
        {"key": {1: 1, 3: -7, -1: 6, -2: bytes(32)}},
    ],
    ids=str,
)
def test_a_new_passkey_that_is_not_what_was_asked_for_is_refused(student, phone, wrong):
    assert refused(keep(student, phone, **wrong))
    assert student.get(MINE).json["items"] == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"type": "webauthn.create"},
        {"origin": "http://localhost.evil.example"},
        {"crossOrigin": True},
        {"party": "evil.example"},
        {"flags": VERIFIED},
        {"flags": PRESENT},
        {"handle": bytes(32)},
    ],
    ids=str,
)
def test_an_answer_that_is_wrong_in_one_part_lets_nobody_in(student, guest, phone, wrong):
    changed(keep(student, phone), 201)
    assert refused(guest.post(SIGN_IN, phone.use(options(guest), **wrong)))


def test_a_signature_of_another_key_or_none_lets_nobody_in(server, student, guest, phone):
    changed(keep(student, phone), 201)
    thief = Authenticator(origin(server))
    thief.id, thief.handle = phone.id, phone.handle
    assert refused(guest.post(SIGN_IN, thief.use(options(guest))))
    stranger = Authenticator(origin(server))
    stranger.handle = phone.handle
    assert refused(guest.post(SIGN_IN, stranger.use(options(guest))))
    for part in ("signature", "authenticatorData", "clientDataJSON", "id"):
        assert refused(guest.post(SIGN_IN, phone.use(options(guest)) | {part: encode(b"\xa0" * 40)})), part
        assert guest.post(SIGN_IN, phone.use(options(guest)) | {part: "=!"}).status == 422, part
    answer = phone.use(options(guest))
    del answer["userHandle"]
    assert refused(guest.post(SIGN_IN, answer))


def test_a_challenge_holds_once_and_for_its_purpose_and_account(student, stranger, guest, phone):
    changed(keep(student, phone), 201)
    answer = phone.use(options(guest))
    changed(guest.post(SIGN_IN, answer), 201)
    expired = [("sign_in_expired", "")]
    assert guest.post(SIGN_IN, answer).faults == expired
    assert guest.post(SIGN_IN, phone.use(options(student, "proof"))).faults == expired
    assert guest.post(SIGN_IN, phone.use({"challenge": encode(bytes(32))})).faults == expired
    made = phone.make(options(stranger, "register"))
    assert student.post(MINE, made).faults == expired


def test_a_counter_that_does_not_rise_refuses_and_tells_the_owner(server, student, guest, phone):
    phone.counter = 5
    changed(keep(student, phone), 201)
    phone.counter = 6
    changed(guest.post(SIGN_IN, phone.use(options(guest))), 201)
    for counter in (6, 5, 0):
        phone.counter = counter
        assert refused(guest.post(SIGN_IN, phone.use(options(guest)))), counter
    assert student.get(MINE).json["items"][0]["refusedAt"]
    lines = server.signed_in("administrator").get(f"/v1/audit?subject={student.account['id']}").json["items"]
    assert sum(line["action"] == "passkey.refused" for line in lines) == 3
    phone.counter = 7
    changed(guest.post(SIGN_IN, phone.use(options(guest))), 201)


def test_a_disabled_account_is_not_let_in(server, student, guest, phone):
    changed(keep(student, phone), 201)
    administrator = server.signed_in("administrator")
    changed(administrator.patch(f"/v1/accounts/{student.account['id']}", {"disabled": True}))
    assert refused(guest.post(SIGN_IN, phone.use(options(guest))))


def test_a_credential_belongs_to_one_account(student, stranger, phone):
    changed(keep(student, phone), 201)
    assert refused(keep(stranger, phone))
    assert refused(keep(student, phone))


def test_passkeys_are_named_renamed_and_removed_by_their_owner(student, stranger, guest, phone):
    kept = changed(keep(student, phone), 201).json["passkey"]
    path = f"{MINE}/{kept['id']}"
    assert stranger.patch(path, {"name": "Mine"}).status == 404
    assert stranger.delete(path).status == 404
    assert changed(student.patch(path, {"name": "Old phone"})).json["passkey"]["name"] == "Old phone"
    assert student.patch(path, {"name": "x" * 61}).status == 422
    changed(student.delete(path), 204)
    assert student.get(MINE).json["items"] == []
    assert refused(guest.post(SIGN_IN, phone.use(options(guest))))


def test_an_account_has_twenty_passkeys_at_most(server, student):
    for number in range(20):
        changed(keep(student, Authenticator(origin(server)), name=f"{number}"), 201)
    answer = keep(student, Authenticator(origin(server)))
    assert (answer.status, answer.faults) == (422, [("passkey_limit", "")])


def test_the_last_way_in_is_not_removed(server, student, phone):
    kept = changed(keep(student, phone), 201).json["passkey"]
    with stored(server) as store:
        store.execute("UPDATE accounts SET password = NULL WHERE id = ?", (student.account["id"],))
    answer = student.delete(f"{MINE}/{kept['id']}")
    assert (answer.status, answer.faults) == (422, [("last_sign_in", "")])
    second = changed(keep(student, Authenticator(origin(server))), 201).json["passkey"]
    changed(student.delete(f"{MINE}/{second['id']}"), 204)


def test_a_passkey_proves_who_the_owner_of_a_session_is(server, student, stranger, phone):
    proof = "/v1/sessions/current/proof"
    changed(keep(student, phone), 201)
    other = Authenticator(origin(server))
    changed(keep(stranger, other), 201)
    with stored(server) as store:
        store.execute("UPDATE session_proofs SET proven_at = 0")
    assert student.get(proof).json == {"until": None, "ways": ["passkey", "password"], "providers": []}
    assert keep(student, other).json["code"] == "step_up_required"
    assert refused(student.post(proof, {"passkey": other.use(options(student, "proof"))}))
    changed(student.post(proof, {"passkey": phone.use(options(student, "proof"))}), 204)
    assert student.get(proof).json["until"]
