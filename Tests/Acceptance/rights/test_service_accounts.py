"""Service accounts of institutions: programs act through them, nobody signs in, and their end takes all with it."""

import time

import pytest
from factors import enrolled
from services import FORM, TOKEN, access, ask, basic, new_secret, new_service, path_of
from websockets.exceptions import ConnectionClosed

import gradecast
from client import changed, listed
from live import Live
from stored import stored
from test_http import HOST, exchange, statuses


@pytest.fixture
def plain(tmp_path):
    """A server without the demonstration, so that loopback is limited like any other address."""
    running = gradecast.Server(tmp_path, demo=False).start()
    yield running
    assert running.stop() == 0, running.output()


@pytest.fixture
def registrar(server):
    """The registrar of a demonstration's institution, with the path of its service accounts."""
    api = server.signed_in("registrar")
    place = next(item for item in api.get("/v1/memberships").json["items"] if item["role"] == "registrar")
    api.institution = place["institution"]
    api.path = path_of(api.institution)
    api.members = f"/v1/institutions/{api.institution}/members"
    return api


@pytest.fixture
def service(registrar):
    """A service account with one secret."""
    found = new_service(registrar, registrar.institution)
    found["secret"] = new_secret(registrar, found)
    return found


def requests(service, secrets):
    """Requests for access tokens, one with each secret; the connection ends with the last."""
    head = b"POST %s HTTP/1.1\r\n" % TOKEN.encode() + HOST + b"Content-Type: %s\r\n" % FORM.encode()
    body = b"Content-Length: 29\r\n\r\ngrant_type=client_credentials"
    lines = [b"Authorization: %s\r\n" % basic(service["id"], secret).encode() for secret in secrets]
    lines[-1] += b"Connection: close\r\n"
    return b"".join(head + line + body for line in lines)


def program_of(api):
    return api.get(f"/v1/institutions/{api.institution}/programs").json["items"][0]["id"]


def test_an_id_and_a_secret_give_a_token_for_an_hour(server, registrar, service):
    for post in (False, True):
        answer = changed(ask(server.api(), service, service["secret"]["secret"], post=post))
        assert (answer.headers["Cache-Control"], answer.headers["Pragma"]) == ("no-store", "no-cache")
        told = answer.json
        assert (told["token_type"], told["expires_in"]) == ("Bearer", 3600)
        assert told["scope"] == "programs:read records:read roster:read"
        assert changed(server.api(told["access_token"]).get(registrar.members)).json["items"]
    narrow = access(server, service, service["secret"]["secret"], scope="programs:read")
    refused = narrow.get(registrar.members)
    assert (refused.status, refused.json["code"]) == (403, "insufficient_scope")
    (listed,) = changed(registrar.get(f"{registrar.path}/{service['id']}/secrets")).json["items"]
    assert listed["usedAt"] is not None


def test_a_secret_is_told_once(registrar, service):
    text = service["secret"].pop("secret")
    assert text.startswith("gcs_") and len(text) == 47
    answer = registrar.get(f"{registrar.path}/{service['id']}/secrets")
    assert answer.json["items"] == [service["secret"]]
    assert "scopes" not in service["secret"]


def test_a_secret_is_no_bearer_token(server, service):
    secret = service["secret"]["secret"]
    for token in (secret, "gct_" + secret.removeprefix("gcs_"), secret.removeprefix("gcs_")):
        assert server.api(token).get("/v1/accounts/me").status == 401
        with pytest.raises(ConnectionClosed) as end:
            Live(server, token)
        assert end.value.rcvd.code == 4501


@pytest.mark.parametrize(
    ("status", "error", "secret", "form", "kind"),
    [
        (401, "invalid_client", "gcs_" + "x" * 43, {}, FORM),
        (401, "invalid_client", "short", {}, FORM),
        (400, "unsupported_grant_type", None, {"grant_type": "password"}, FORM),
        (400, "invalid_scope", None, {"scope": "records:write"}, FORM),
        (400, "invalid_scope", None, {"scope": "everything"}, FORM),
        (400, "invalid_request", None, {}, "application/json"),
    ],
)
def test_what_is_refused_is_told_as_oauth_tells_it(server, service, status, error, secret, form, kind):
    for post in (False, True):
        answer = ask(server.api(), service, secret or service["secret"]["secret"], kind, post, **form)
        assert (answer.status, answer.json) == (status, {"error": error})
        assert (answer.headers.get("WWW-Authenticate") or "").startswith("Basic") is (status == 401)


def test_what_is_sent_twice_or_in_two_ways_is_refused(server, service):
    secret = service["secret"]["secret"]
    both = ask(server.api(), service, secret, client_id=service["id"], client_secret=secret)
    assert (both.status, both.json) == (400, {"error": "invalid_request"})
    other = ask(server.api(), service, secret, client_id="another")
    assert (other.status, other.json) == (400, {"error": "invalid_request"})
    changed(ask(server.api(), service, secret, client_id=service["id"]))
    headers = {"content_type": FORM, "authorization": basic(service["id"], secret)}
    for body in (b"grant_type=client_credentials&grant_type=password", b""):
        answer = server.api().call("POST", TOKEN, body, **headers)
        assert (answer.status, answer.json) == (400, {"error": "invalid_request"})


def test_whether_there_is_such_a_client_is_not_told(server, registrar, service):
    administrator = server.signed_in("administrator")
    changed(registrar.delete(f"{registrar.path}/{(ended := new_service(registrar, registrar.institution))['id']}"), 204)
    clients = (service["id"], registrar.account["id"], administrator.account["id"], ended["id"], "nobody", "")
    answers = [ask(server.api(), {"id": client}, "gcs_" + "A" * 43) for client in clients]
    assert {(answer.status, answer.body) for answer in answers} == {(401, b'{"error":"invalid_client"}')}
    # A secret opens its own account alone.
    other = new_service(registrar, registrar.institution)
    assert ask(server.api(), other, service["secret"]["secret"]).json == {"error": "invalid_client"}


def test_malformed_credentials_are_refused_as_wrong_ones(server, service):
    for text in ("Basic", "Basic ", "Basic !!!", "Basic eA==", "Basic " + "A" * 4000):
        answer = server.api().call(
            "POST", TOKEN, b"grant_type=client_credentials", content_type=FORM, authorization=text
        )
        assert answer.status == 401
    # No other route takes them.
    refused = server.api().get("/v1/accounts/me", authorization=basic(service["id"], service["secret"]["secret"]))
    assert (refused.status, refused.json["code"]) == (401, "unauthenticated")


def test_a_session_or_a_token_gives_no_access_token(registrar, server, service):
    body = b"grant_type=client_credentials"
    answer = registrar.call("POST", TOKEN, body, content_type=FORM)
    assert (answer.status, answer.json) == (401, {"error": "invalid_client"})
    caller = access(server, service, service["secret"]["secret"])
    answer = caller.call("POST", TOKEN, body, content_type=FORM)
    assert (answer.status, answer.json["code"]) == (403, "session_required")


def test_a_cookie_plays_no_part(server, registrar, service):
    body = {"login": registrar.login, "password": registrar.password, "cookie": True}
    cookies = changed(server.api().post("/v1/sessions", body), 201).headers.get_all("Set-Cookie")
    session = next(cookie for cookie in cookies if cookie.startswith("gradecast-local=")).split(";")[0]
    form = f"grant_type=client_credentials&client_id={service['id']}&client_secret="
    for secret, status in ((service["secret"]["secret"], 200), ("", 401)):
        answer = server.api().call("POST", TOKEN, (form + secret).encode(), content_type=FORM, cookie=session)
        assert answer.status == status


def test_a_service_account_gets_so_many_tokens_in_a_minute(server, service):
    answers = [ask(server.api(), service, service["secret"]["secret"]) for _ in range(100)]
    assert {answer.status for answer in answers[:60]} == {200}
    limited = [answer for answer in answers if answer.status == 429]
    assert limited
    assert all(int(answer.headers["Retry-After"]) > 0 for answer in limited)


def test_a_secret_that_has_given_enough_keeps_no_other_one_waiting(server, registrar, service):
    other = new_secret(registrar, service, name="Rack 3")["secret"]
    statuses = {ask(server.api(), service, service["secret"]["secret"]).status for _ in range(100)}
    assert statuses == {200, 429}
    changed(ask(server.api(), service, other))


@pytest.mark.slow("tries more than six hundred secrets, until all of the network have to wait")
def test_a_program_with_a_wrong_secret_keeps_no_other_one_of_its_network_waiting(plain):
    administrator, registrar = plain.api().sign_up(), plain.api().sign_up()
    run = gradecast.run("account", "role", administrator.login, "administrator", "--data", plain.data)
    assert run.returncode == 0, run.stderr
    enrolled(administrator)
    made = administrator.post("/v1/institutions", {"slug": "school", "title": "School"})
    school = changed(made, 201).json["institution"]["id"]
    administrator.makes_member(registrar, school, "registrar")
    service = new_service(registrar, school)
    secret = new_secret(registrar, service)["secret"]
    wrong = [ask(plain.api(), service, "gcs_" + "A" * 43) for _ in range(200)]
    assert {answer.status for answer in wrong[:60]} == {401}
    limited = [answer for answer in wrong if answer.status == 429]
    assert limited and all(int(answer.headers["Retry-After"]) > 0 for answer in limited)
    changed(ask(plain.api(), service, secret))
    # Who tries others waits too, with every secret.
    guesses = []
    while guesses[-1:] != [429]:
        assert len(guesses) < 10_000
        # One behind the other at once, for what is used up comes back with time.
        secrets = [f"gcs_{len(guesses) + number:043}" for number in range(200)]
        *told, status = statuses(exchange(plain, requests(service, [*secrets, secret])))
        guesses += [*told, status]
    assert set(told) <= {401, 429} and len(guesses) > 600


def test_an_empty_parameter_counts_as_left_out(server, service):
    secret = service["secret"]["secret"]
    told = changed(ask(server.api(), service, secret, scope="", client_id="", client_secret="")).json
    assert told["scope"] == "programs:read records:read roster:read"
    refused = ask(server.api(), service, secret, grant_type="")
    assert (refused.status, refused.json) == (400, {"error": "invalid_request"})


def test_administrators_list_and_end_service_accounts_and_do_nothing_else_to_them(server, registrar, service):
    administrator = server.signed_in("administrator")
    caller = access(server, service, service["secret"]["secret"])
    assert service["id"] in [item["id"] for item in changed(administrator.get(registrar.path)).json["items"]]
    path = f"{registrar.path}/{service['id']}"
    assert administrator.get(f"{path}/secrets").status == administrator.get(f"{path}/tokens").status == 403
    assert administrator.post(f"{path}/secrets", {"name": "x"}).status == 403
    assert administrator.patch(path, {"name": "x"}).status == 403
    changed(administrator.delete(path), 204)
    assert caller.get(registrar.members).status == 401
    trail = changed(administrator.get(f"/v1/audit?subject={service['id']}")).json["items"]
    assert (trail[0]["action"], trail[0]["by"]) == ("service-account.ended", administrator.account["id"])


def test_a_secret_works_from_its_networks_and_so_do_its_access_tokens(server, registrar, service):
    secret = new_secret(registrar, service, networks=["127.0.0.2"])["secret"]
    assert ask(server.api(), service, secret).json == {"error": "invalid_client"}
    answer = changed(ask(server.api(source="127.0.0.2"), service, secret))
    token = answer.json["access_token"]
    changed(server.api(token, source="127.0.0.2").get(registrar.members))
    refused = server.api(token).get(registrar.members)
    assert (refused.status, refused.json["code"]) == (403, "forbidden")


def test_secrets_are_rolled_without_a_pause(server, registrar, service):
    old, new = service["secret"], new_secret(registrar, service, name="Rack 3")
    before, after = (access(server, service, item["secret"]) for item in (old, new))
    connection = Live(server, before.token)
    changed(registrar.delete(f"{registrar.path}/{service['id']}/secrets/{old['id']}"), 204)
    assert connection.closed() == 4503
    assert before.get(registrar.members).status == 401
    assert ask(server.api(), service, old["secret"]).json == {"error": "invalid_client"}
    changed(after.get(registrar.members))
    changed(ask(server.api(), service, new["secret"]))
    assert registrar.delete(f"{registrar.path}/{service['id']}/secrets/{old['id']}").status == 404


def test_a_secret_that_expires_gives_nothing_more(server, registrar, service):
    end = int((time.time() + 30) * 1_000_000)
    with stored(server) as store:
        store.execute("UPDATE api_tokens SET expires_at = ? WHERE id = ?", (end, service["secret"]["id"]))
    told = changed(ask(server.api(), service, service["secret"]["secret"])).json
    assert told["expires_in"] <= 30
    with stored(server) as store:
        store.execute("UPDATE api_tokens SET expires_at = created_at WHERE id = ?", (service["secret"]["id"],))
    assert ask(server.api(), service, service["secret"]["secret"]).json == {"error": "invalid_client"}


def test_a_service_account_is_no_person(server, registrar, service):
    administrator = server.signed_in("administrator")
    named = new_service(registrar, registrar.institution, name="Nobody in particular")
    assert administrator.get("/v1/accounts?query=particular").json["items"] == []
    members = listed(registrar, f"{registrar.members}?limit=200")
    assert named["id"] not in [member["account"] for member in members]
    path = f"/v1/accounts/{named['id']}"
    assert administrator.patch(path, {"disabled": True}).status == 404
    assert administrator.get(f"{path}/sessions").status == 404
    assert administrator.get(f"{path}/export?reason=asked").status == 404
    assert administrator.delete(f"{path}?reason=asked").status == 404
    member = f"{registrar.members}/{named['id']}"
    assert registrar.call("PUT", member, {"role": "teacher"}).status == 404
    assert registrar.delete(member).status == 404
    login = {"login": f"service:{named['id']}", "password": "correct horse battery"}
    assert server.api().post("/v1/sessions", login).status == 401


def test_what_registrars_do_with_it_is_in_the_trail(server, registrar, service):
    caller = access(server, service, service["secret"]["secret"])
    token = changed(
        registrar.post(f"{registrar.path}/{service['id']}/tokens", {"name": "x", "scopes": ["records:read"]}), 201
    ).json["token"]
    changed(registrar.patch(f"{registrar.path}/{service['id']}", {"name": "Exports"}))
    changed(registrar.delete(f"{registrar.path}/{service['id']}/tokens/{token['id']}"), 204)
    changed(registrar.delete(f"{registrar.path}/{service['id']}/secrets/{service['secret']['id']}"), 204)
    changed(registrar.delete(f"{registrar.path}/{service['id']}"), 204)
    assert caller.get(registrar.members).status == 401
    answer = changed(server.signed_in("administrator").get(f"/v1/audit?subject={service['id']}"))
    trail = answer.json
    assert [line["action"] for line in reversed(trail["items"])] == [
        "service-account.created",
        "secret.created",
        "token.granted",
        "token.created",
        "service-account.changed",
        "token.ended",
        "secret.ended",
        "service-account.ended",
    ]
    assert trail["items"][0]["names"]["subject"]["displayName"] == "Exports"
    assert b"gcs_" not in answer.body and b"gct_" not in answer.body


def test_its_tokens_have_no_scope_beyond_its_own(server, registrar, service):
    tokens = f"{registrar.path}/{service['id']}/tokens"
    refused = registrar.post(tokens, {"name": "x", "scopes": ["records:write"]})
    assert refused.faults == [("service_scope_refused", "/scopes")]
    made = registrar.post(tokens, {"name": "x", "scopes": ["records:read", "programs:read"]})
    token = changed(made, 201).json["token"]
    caller = server.api(token["token"])
    changed(caller.get("/v1/records"))
    changed(registrar.patch(f"{registrar.path}/{service['id']}", {"scopes": ["programs:read"]}))
    assert caller.get("/v1/records").status == 403
    changed(caller.get("/v1/institutions"))
    assert [item["id"] for item in registrar.get(tokens).json["items"]] == [token["id"]]
    changed(registrar.delete(f"{tokens}/{token['id']}"), 204)
    assert caller.get("/v1/institutions").status == 401


def test_its_role_and_programs_count_at_once(server, registrar, service):
    caller = access(server, service, service["secret"]["secret"])
    program = program_of(registrar)
    connection = Live(server, caller.token)
    assert connection.subscribe(f"cohort/{program}")["t"] == "state"
    path = f"{registrar.path}/{service['id']}"
    changed(registrar.patch(path, {"role": "teacher", "programs": [program]}))
    changed(caller.get(f"/v1/programs/{program}/cohort"))
    changed(registrar.patch(path, {"programs": []}))
    assert caller.get(f"/v1/programs/{program}/cohort").status == 403
    connection.next("end", topic=f"cohort/{program}")


def test_its_end_ends_its_tokens_and_connections(server, registrar, service):
    caller = access(server, service, service["secret"]["secret"])
    connection = Live(server, caller.token)
    assert connection.subscribe(f"program/{program_of(registrar)}")["t"] == "state"
    changed(registrar.delete(f"{registrar.path}/{service['id']}"), 204)
    assert connection.closed() == 4503
    assert caller.get("/v1/records").status == 401
    assert ask(server.api(), service, service["secret"]["secret"]).json == {"error": "invalid_client"}
    assert service["id"] not in [item["id"] for item in registrar.get(registrar.path).json["items"]]
    assert registrar.delete(f"{registrar.path}/{service['id']}").status == 404
    assert registrar.get(f"{registrar.path}/{service['id']}/secrets").status == 404


def test_an_institutions_demand_for_a_second_factor_does_not_apply_to_it(own_server):
    administrator, registrar = own_server.signed_in("administrator"), own_server.api().sign_up()
    made = administrator.post("/v1/institutions", {"slug": "school", "title": "School"})
    school = changed(made, 201).json["institution"]["id"]
    administrator.makes_member(registrar, school, "registrar")
    service = new_service(registrar, school)
    caller = access(own_server, service, new_secret(registrar, service)["secret"])
    changed(registrar.patch(f"/v1/institutions/{school}", {"secondFactor": "staff"}))
    assert registrar.get(path_of(school)).json["code"] == "enrolment_required"
    changed(caller.get(f"/v1/institutions/{school}/members"))


def test_it_acts_in_its_own_institution_alone(server, registrar, service):
    caller = access(server, service, service["secret"]["secret"])
    administrator = server.signed_in("administrator")
    made = administrator.post("/v1/institutions", {"slug": "abroad", "title": "Abroad", "open": True})
    abroad = changed(made, 201).json["institution"]["id"]
    # What is open is open to it as to a guest.
    changed(caller.get(f"/v1/institutions/{abroad}"))
    assert caller.get(f"/v1/institutions/{abroad}/members").status == 403
    assert registrar.get(f"{path_of(abroad)}").status == 403
    assert registrar.delete(f"{path_of(abroad)}/{service['id']}").status == 403


def test_an_old_session_makes_neither_a_service_account_nor_a_secret(own_server):
    registrar = own_server.signed_in("registrar")
    place = next(item for item in registrar.get("/v1/memberships").json["items"] if item["role"] == "registrar")
    service = new_service(registrar, place["institution"])
    with stored(own_server) as store:
        store.execute("DELETE FROM session_proofs")
    path = f"{path_of(place['institution'])}/{service['id']}"
    for answer in (
        registrar.post(path_of(place["institution"]), {"name": "x", "role": "teacher", "scopes": ["records:read"]}),
        registrar.patch(path, {"role": "registrar"}),
        registrar.post(f"{path}/secrets", {"name": "x"}),
        registrar.post(f"{path}/tokens", {"name": "x", "scopes": ["records:read"]}),
    ):
        assert (answer.status, answer.json["code"]) == (401, "step_up_required")


def test_everything_wrong_with_a_request_is_told_at_once(registrar, service):
    answer = registrar.post(registrar.path, {"role": "student", "programs": ["x"], "scopes": ["backup", "audit:read"]})
    assert sorted(answer.faults) == [
        ("missing_field", "/name"),
        ("out_of_range", "/role"),
        ("out_of_range", "/scopes/0"),
        ("out_of_range", "/scopes/1"),
        ("program_unknown", "/programs/0"),
    ]
    answer = registrar.post(f"{registrar.path}/{service['id']}/secrets", {"days": 401, "networks": ["everywhere"]})
    assert sorted(answer.faults) == [
        ("missing_field", "/name"),
        ("network_invalid", "/networks/0"),
        ("out_of_range", "/days"),
    ]
