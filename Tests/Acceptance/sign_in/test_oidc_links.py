"""An account and the people of an issuer: links, and the ways in that stay."""

import uuid

from oidc import EXPIRED, LINKING, REFUSED, begin, come_back, configuration, sign_in

import gradecast
from client import changed
from live import Live

# -- linking


def test_an_account_links_and_unlinks_a_person(campus, issuer):
    api, subject = campus.api().sign_up(), uuid.uuid4().hex
    cookie, location = begin(api)
    made = changed(come_back(api, issuer.grant(location, subject), cookie, path=LINKING), 201).json["identity"]
    assert (made["provider"], made["issuer"], made["subject"]) == ("university", issuer.url, subject)
    assert changed(sign_in(campus, issuer, subject), 201).json["account"]["id"] == api.account["id"]
    assert api.delete("/v1/accounts/me/identities/university").status == 204
    assert changed(sign_in(campus, issuer, subject), 201).json["account"]["id"] != api.account["id"]


def test_the_end_of_a_link_ends_the_sessions_that_it_opened(campus, issuer, other):
    api, subject = campus.api().sign_up(), uuid.uuid4().hex
    for provider, source in (("university", issuer), ("academy", other)):
        cookie, location = begin(api, provider)
        changed(come_back(api, source.grant(location, subject), cookie, provider, LINKING), 201)
    opened = []
    for provider, source in (("university", issuer), ("university", issuer), ("academy", other)):
        guest = campus.api()
        cookie, location = begin(guest, provider)
        answer = changed(come_back(guest, source.grant(location, subject), cookie, provider), 201)
        opened.append(campus.api(token=answer.json["session"]["token"]))
    thief, keeper, elsewhere = opened
    changed(keeper.post("/v1/sessions/current/proof", {"password": api.password}), 204)
    live = Live(campus, thief.token)
    assert keeper.delete("/v1/accounts/me/identities/university").status == 204
    assert live.closed() == 4503
    statuses = [one.get("/v1/accounts/me").status for one in (thief, keeper, elsewhere, api)]
    assert statuses == [401, 200, 200, 200]


def test_what_one_account_begins_no_other_finishes(campus, issuer):
    attacker, victim = campus.api().sign_up(), campus.api().sign_up()
    for beginner in (attacker, campus.api()):
        cookie, location = begin(beginner)
        assert come_back(victim, issuer.grant(location, "link"), cookie, path=LINKING).faults == EXPIRED
    assert victim.get("/v1/accounts/me/identities").json["items"] == []


def test_a_link_signs_nobody_in_and_a_sign_in_links_nobody(campus, issuer):
    api = campus.api().sign_up()
    cookie, location = begin(api)
    assert come_back(campus.api(), issuer.grant(location, "purpose"), cookie).faults == EXPIRED
    assert campus.api().post("/v1/sign-in/university", {"purpose": "link"}).faults == [("out_of_range", "/purpose")]
    assert api.post("/v1/sign-in/university", {"purpose": "signIn"}).faults == [("out_of_range", "/purpose")]


def test_nobody_who_is_signed_in_is_switched_to_another_account(campus, issuer):
    guest = campus.api()
    cookie, location = begin(guest)
    local = campus.api().sign_up()
    answer = come_back(local, issuer.grant(location, uuid.uuid4().hex), cookie)
    assert (answer.status, answer.faults) == (422, REFUSED)


def test_a_person_of_another_account_is_refused(campus, issuer):
    one, two, subject = campus.api().sign_up(), campus.api().sign_up(), uuid.uuid4().hex
    cookie, location = begin(one)
    changed(come_back(one, issuer.grant(location, subject), cookie, path=LINKING), 201)
    cookie, location = begin(two)
    taken = come_back(two, issuer.grant(location, subject), cookie, path=LINKING)
    assert taken.faults == [("identity_taken", "/code")]
    cookie, location = begin(one)
    present = come_back(one, issuer.grant(location, uuid.uuid4().hex), cookie, path=LINKING)
    assert present.faults == [("identity_present", "/code")]


def test_the_last_way_in_stays(campus, issuer):
    api = campus.api()
    answer = changed(sign_in(campus, issuer, uuid.uuid4().hex), 201)
    api.token = answer.json["session"]["token"]
    assert api.delete("/v1/accounts/me/identities/university").faults == [("last_sign_in", "")]


def test_accounts_are_made_only_where_the_operator_allows_it(tmp_path, issuer):
    config = configuration(tmp_path, {"university": issuer.url}, signUp="closed")
    server = gradecast.Server(tmp_path, config=config).start()
    try:
        answer = sign_in(server, issuer, uuid.uuid4().hex)
        assert (answer.status, answer.faults) == (422, [("sign_up_closed", "/code")])
    finally:
        assert server.stop() == 0
