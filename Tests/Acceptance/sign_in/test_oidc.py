"""Sign-in with OpenID Connect: what is believed of an issuer, by whom an attempt is finished, and where it leads."""

import base64
import hashlib
import time
import uuid

import pytest
from issuer import CLIENT, SECRET, EllipticKey, Issuer, Key, signed
from oidc import EXPIRED, REFUSED, begin, come_back, configuration, sign_in

import gradecast
from client import changed

# -- who is let in


def test_the_offer_names_the_providers_without_a_page(campus):
    offer = changed(campus.api().get("/v1/sign-in")).json["providers"]
    assert {"id": "university", "title": "University", "page": None} in offer


def test_the_first_sign_in_makes_the_account_and_later_ones_find_it(campus, issuer):
    subject = f"s-{uuid.uuid4().hex}"
    first = changed(sign_in(campus, issuer, subject, name="Ada Lovelace", preferred_username="ada.l"), 201)
    account = first.json["account"]
    assert account["displayName"] == "Ada Lovelace" and account["login"].startswith("ada.l")
    assert account["login"].endswith("@university") and account["role"] is None
    again = changed(sign_in(campus, issuer, subject, name="Another Name"), 201).json["account"]
    assert (again["id"], again["displayName"]) == (account["id"], "Ada Lovelace")
    assert changed(sign_in(campus, issuer, f"s-{uuid.uuid4().hex}"), 201).json["account"]["id"] != account["id"]


def test_a_new_account_has_the_first_and_last_name_that_the_issuer_asserts_and_keeps_its_own(campus, issuer):
    subject = f"s-{uuid.uuid4().hex}"
    named = {"name": "Ada L.", "given_name": "Ada", "family_name": "Lovelace"}
    account = changed(sign_in(campus, issuer, subject, **named), 201).json["account"]
    assert (account["displayName"], account["givenName"], account["familyName"]) == ("Ada L.", "Ada", "Lovelace")
    # As with the displayed name, later sign-ins change nothing.
    again = changed(sign_in(campus, issuer, subject, given_name="Augusta", family_name="King"), 201).json
    assert (again["account"]["givenName"], again["account"]["familyName"]) == ("Ada", "Lovelace")
    me = campus.api(again["session"]["token"])
    changed(me.patch("/v1/accounts/me", {"givenName": None, "familyName": "Byron"}))
    account = changed(sign_in(campus, issuer, subject, **named), 201).json["account"]
    assert (account["givenName"], account["familyName"]) == (None, "Byron")


@pytest.mark.parametrize("claim", [7, "", " ", ["Ada"], None, "\u202eadA"], ids=str)
def test_a_first_name_that_is_none_leaves_the_account_without(campus, issuer, claim):
    subject = f"s-{uuid.uuid4().hex}"
    account = changed(sign_in(campus, issuer, subject, given_name=claim, family_name="Lovelace"), 201).json["account"]
    assert (account["givenName"], account["familyName"]) == (None, "Lovelace")


def test_the_browser_goes_to_the_issuer_and_comes_back_to_a_page_of_this_site(campus):
    _, location = begin(campus.api())
    assert "redirect_uri=https%3A%2F%2Fgrades.example.org%2Fsign-in%2Funiversity" in location
    for secret in (SECRET, "code_verifier"):
        assert secret not in location


def test_an_e_mail_address_links_nobody(campus, issuer):
    local = campus.api().sign_up(login=f"ada-{uuid.uuid4().hex[:8]}@example.org")
    more = {"email": local.login, "email_verified": True, "preferred_username": local.login}
    answer = changed(sign_in(campus, issuer, uuid.uuid4().hex, **more), 201)
    assert answer.json["account"]["id"] != local.account["id"]


def test_ps256_is_believed_as_well(campus, issuer):
    def make(said):
        return signed(said, issuer.keys[-1], algorithm="PS256")

    assert sign_in(campus, issuer, "ps", make=make).status == 201


def test_es256_is_believed_as_well(tmp_path):
    with Issuer() as issuer:
        issuer.keys = [EllipticKey()]
        server = gradecast.Server(tmp_path, configuration(tmp_path, {"university": issuer.url})).start()
        impostor = EllipticKey()
        impostor.id = issuer.keys[0].id
        for key, status in ((impostor, 422), (issuer.keys[0], 201)):
            answer = sign_in(server, issuer, "es", make=lambda said, key=key: signed(said, key, algorithm="ES256"))
            assert answer.status == status, answer
        assert server.stop() == 0, server.output()


def test_a_session_as_a_cookie_leads_to_the_page_it_was_begun_for(campus, issuer):
    api = campus.api()
    cookie, location = begin(api, returnTo="/records/one?tab=2")
    answer = changed(come_back(api, issuer.grant(location, "cookie"), cookie, cookie=True), 201)
    assert answer.json["returnTo"] == "/records/one?tab=2" and "token" not in answer.json["session"]


# -- what is not believed


def half(text):
    digest = hashlib.sha256(text.encode()).digest()[:16]
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


NOW = int(time.time())
STRANGER = Key()
CLAIMS = {
    "another issuer": {"iss": "https://login.example.org"},
    "no issuer": {"iss": None},
    "another audience": {"aud": "somebody else"},
    "an audience of others": {"aud": ["a", "b"]},
    "several audiences and no party": {"aud": [CLIENT, "b"]},
    "several audiences and another party": {"aud": [CLIENT, "b"], "azp": "b"},
    "another party": {"azp": "b"},
    "no audience": {"aud": None},
    "another nonce": {"nonce": "another"},
    "no nonce": {"nonce": None},
    "expired": {"exp": NOW - 120},
    "no end": {"exp": None},
    "an end as text": {"exp": str(NOW + 300)},
    "from the future": {"iat": NOW + 30 * 86_400},
    "older than the attempt": {"iat": NOW - 600},
    "no time": {"iat": None},
    "not yet": {"nbf": NOW + 30 * 86_400},
    "no subject": {"sub": None},
    "an empty subject": {"sub": ""},
    "a long subject": {"sub": "x" * 256},
    "a subject with a line break": {"sub": "a\nb"},
    "a number as subject": {"sub": 7},
    "another access token": {"at_hash": half("another access token")},
}


@pytest.mark.parametrize("name", CLAIMS)
def test_a_wrong_claim_signs_nobody_in(campus, issuer, name):
    answer = sign_in(campus, issuer, "claims", **CLAIMS[name])
    assert (answer.status, answer.faults) == (422, REFUSED), answer


def test_right_claims_that_need_not_be_there_are_fine(campus, issuer):
    right = {"at_hash": half("an access token"), "azp": CLIENT, "aud": [CLIENT, "b"], "nbf": NOW - 5}
    assert sign_in(campus, issuer, "claims", **right).status == 201


TOKENS = {
    "another key by the same name": lambda said, key: signed(said, STRANGER, {"kid": key.id}),
    "an unknown key": lambda said, key: signed(said, STRANGER),
    "no algorithm": lambda said, key: signed(said, key, algorithm="none"),
    "none with a signature": lambda said, key: signed(said, key, {"alg": "none"}),
    "HS256 with the public key": lambda said, key: signed(said, key, algorithm="HS256"),
    "HS256 by name": lambda said, key: signed(said, key, {"alg": "HS256"}),
    "ES256 by name": lambda said, key: signed(said, key, {"alg": "ES256"}),
    "PS256 by name": lambda said, key: signed(said, key, {"alg": "PS256"}),
    "a critical extension": lambda said, key: signed(said, key, {"crit": ["b64"], "b64": False}),
    "a key of its own": lambda said, key: signed(said, STRANGER, {"kid": None, "jwk": STRANGER.public}),
    "a payload of another token": lambda said, key: swapped(said, key),
    "cut short": lambda said, key: signed(said, key)[:-8],
    "too long": lambda said, key: signed(said | {"more": "x" * 20_000}, key),
    "not a token": lambda said, key: "x.y.z",
    "a number": lambda said, key: 7,
}


def swapped(said, key):
    one, two = signed(said, key).split("."), signed(said | {"sub": "administrator"}, key).split(".")
    return ".".join((one[0], two[1], one[2]))


@pytest.mark.parametrize("name", TOKENS)
def test_a_wrong_signature_signs_nobody_in(campus, issuer, name):
    answer = sign_in(campus, issuer, "tokens", make=lambda said: TOKENS[name](said, issuer.keys[-1]))
    assert (answer.status, answer.faults) == (422, REFUSED), answer


@pytest.mark.parametrize("kind", ["at+jwt", "logout+jwt", "", ["JWT"]], ids=str)
def test_a_token_of_another_kind_signs_nobody_in(campus, issuer, kind):
    answer = sign_in(campus, issuer, "kinds", make=lambda said: signed(said, issuer.keys[-1], {"typ": kind}))
    assert (answer.status, answer.faults) == (422, REFUSED), answer


@pytest.mark.parametrize("kind", ["JWT", "jwt"])
def test_an_id_token_may_call_itself_a_jwt(campus, issuer, kind):
    changed(sign_in(campus, issuer, "kinds", make=lambda said: signed(said, issuer.keys[-1], {"typ": kind})), 201)


def test_a_new_key_is_looked_for_and_at_most_once_a_minute(tmp_path, issuer):
    server = gradecast.Server(tmp_path, config=configuration(tmp_path, {"university": issuer.url})).start()
    try:
        assert sign_in(server, issuer, "rotation").status == 201
        known = issuer.asked.count("/realm/keys")
        for _ in range(3):
            assert sign_in(server, issuer, "rotation", make=lambda said: signed(said, STRANGER)).faults == REFUSED
        assert issuer.asked.count("/realm/keys") == known  # they are not a minute old
    finally:
        assert server.stop() == 0


# -- by whom, and how often


def test_a_code_and_an_attempt_are_used_once(campus, issuer):
    api = campus.api()
    cookie, location = begin(api)
    reply = issuer.grant(location, "once")
    assert come_back(api, reply, cookie).status == 201
    assert come_back(api, reply, cookie).faults == EXPIRED
    cookie, location = begin(api)
    again = issuer.grant(location, "once") | {"code": reply["code"]}
    assert come_back(api, again, cookie).faults == REFUSED


def test_a_token_is_believed_once_whatever_the_issuer_does(campus, issuer):
    kept = []
    subject = uuid.uuid4().hex

    def make(said):
        kept.append(signed(said, issuer.keys[-1]))
        return kept[0]

    assert sign_in(campus, issuer, subject, make=make).status == 201
    assert sign_in(campus, issuer, subject, make=lambda said: kept[0]).faults == REFUSED


def test_only_the_browser_that_set_out_comes_back(campus, issuer):
    """Login CSRF and session fixation: an attacker's code, or attempt, is worth nothing in another browser."""
    attacker, victim = campus.api(), campus.api()
    cookie, location = begin(attacker)
    reply = issuer.grant(location, "attacker")
    mine, _ = begin(victim)
    for shown in (None, "gradecast-sign-in=" + "A" * 43, mine):
        assert come_back(victim, reply, shown).faults == EXPIRED
    assert come_back(attacker, reply, cookie).status == 201


def test_a_session_that_was_planted_in_a_browser_is_not_the_one_that_opens(campus, issuer):
    """Session fixation: who signs in gets a session of its own, whatever cookie was there before."""
    planted, person = "A" * 43, campus.api().sign_up()

    def opened(answer):
        cookies = [text.split(";")[0].split("=") for text in changed(answer, 201).headers.get_all("Set-Cookie")]
        return next(value for name, value in cookies if name == "gradecast-local")

    api = campus.api()
    cookie, location = begin(api)
    shown = f"{cookie}; gradecast-local={planted}"
    sessions = [opened(come_back(api, issuer.grant(location, uuid.uuid4().hex), shown, cookie=True))]
    body = {"login": person.login, "password": person.password, "cookie": True}
    sessions.append(opened(campus.api().post("/v1/sessions", body, cookie=f"gradecast-local={planted}")))
    for value in sessions:
        changed(campus.api().get("/v1/accounts/me", cookie=f"gradecast-local={value}"))
    assert planted not in sessions and len(set(sessions)) == 2
    assert campus.api().get("/v1/accounts/me", cookie=f"gradecast-local={planted}").status == 401


def test_states_and_nonces_of_two_attempts_are_not_exchanged(campus, issuer):
    api = campus.api()
    (one, there), (two, elsewhere) = begin(api), begin(api)
    first, second = issuer.grant(there, "swap"), issuer.grant(elsewhere, "swap")
    assert come_back(api, first | {"state": second["state"]}, one).faults == EXPIRED
    assert come_back(api, second | {"code": first["code"]}, two).faults == REFUSED  # another verifier


def test_an_answer_of_another_issuer_is_not_taken_to_this_one(campus, issuer, other):
    """Mix-up: the attempt, its page and `iss` have to name the same issuer."""
    api = campus.api()
    cookie, location = begin(api)
    reply = issuer.grant(location, "mix")
    assert come_back(api, reply, cookie, provider="academy").faults == EXPIRED
    for wrong in (other.url, "", issuer.url + "/"):
        cookie, location = begin(api)
        asked = len(issuer.codes)
        answer = come_back(api, issuer.grant(location, "mix") | {"iss": wrong}, cookie)
        assert answer.faults == REFUSED and len(issuer.codes) == asked + 1  # the code was not even sent
    cookie, location = begin(api)
    reply = issuer.grant(location, "mix")
    del reply["iss"]
    assert come_back(api, reply, cookie).faults == REFUSED


@pytest.mark.parametrize(
    "path",
    [
        "https://elsewhere.example", "//elsewhere.example", "/\\elsewhere.example", "/.//elsewhere.example",
        "javascript:alert(1)", "records",
        "", "/a b", "/a\tb", "/records#secret", "/" + "x" * 2_000, "/é",
    ],
)  # fmt: skip
def test_a_page_of_another_site_is_not_returned_to(campus, path):
    answer = campus.api().post("/v1/sign-in/university", {"returnTo": path})
    assert (answer.status, answer.faults) == (422, [("out_of_range", "/returnTo")])


def test_another_origin_cannot_sign_anybody_in(campus, issuer):
    api, elsewhere = campus.api(), "https://elsewhere.example"
    assert api.post("/v1/sign-in/university", {}, origin=elsewhere).status == 403
    cookie, location = begin(api)
    reply = issuer.grant(location, "x")
    assert api.post("/v1/sessions/university", reply, cookie=cookie, origin=elsewhere).status == 403
