"""What tokens and service accounts may call, by their scopes and by the table of access."""

import pytest
from access_table import ACCESS, HOLDERS, ask, by_column, nowhere, scope_of


def test_every_route_declares_a_scope_or_that_it_takes_sessions_alone(world):
    paths = world.server.api().get("/openapi.json").json["paths"]
    found = {
        f"{method.upper()} {path}": (
            operation["x-scope"],
            [way["token"] for way in operation["security"] if "token" in way],
        )
        for path, operations in paths.items()
        for method, operation in operations.items()
    }
    ways = {"session": [], "any": [[]]}
    assert found == {route: (scope_of(route), ways.get(scope_of(route), [[scope_of(route)]])) for route in ACCESS}


@pytest.mark.parametrize("route", ACCESS)
def test_a_token_without_the_scope_does_nothing(world, route):
    wanted = scope_of(route)
    if wanted == "any":
        return
    told = ("session_required", None) if wanted == "session" else ("insufficient_scope", wanted)
    method, pattern = route.split()
    body = world.body(method, pattern, None)  # nobody uses it up
    for name in HOLDERS:
        for scope in world.scopes(name):
            if scope == wanted:
                continue
            answer = ask(world, route, name, nowhere(pattern), world.token(name, scope), body)
            found = (answer.status, answer.json["code"], answer.json.get("scope"))
            assert found == (403, *told), (name, scope)
            assert world.description.untold(method, pattern, answer) == []


@pytest.mark.parametrize("route", [route for route in ACCESS if scope_of(route) != "session"])
def test_a_token_with_the_scope_does_what_its_owner_may(world, route):
    method, pattern = route.split()
    wanted = scope_of(route)
    for name in HOLDERS:
        for scope in world.scopes(name):
            if wanted not in ("any", scope):
                continue
            answer = ask(world, route, name, world.place(method, pattern), world.token(name, scope))
            assert answer.status == int(by_column(ACCESS[route])[name]), (name, scope)
            assert world.description.untold(method, pattern, answer) == []


@pytest.mark.parametrize("route", ACCESS)
def test_a_token_that_ended_or_expired_does_nothing(world, route):
    method, pattern = route.split()
    for who, code in ((world.ended_token, "unauthenticated"), (world.expired_token, "token_expired")):
        answer = ask(world, route, "administrator", nowhere(pattern), who)
        assert (answer.status, answer.json["code"]) == (401, code)
        assert world.description.untold(method, pattern, answer) == []


@pytest.mark.parametrize("route", ACCESS)
def test_a_service_account_does_what_its_scopes_and_its_role_allow(world, services, route):
    method, pattern = route.split()
    wanted = scope_of(route)
    guarded = dict.fromkeys(("audit:read", "metrics", "backup"), "insufficient_scope")
    refusals = {"session": "session_required"} | guarded
    for role, caller in services.items():
        answer = ask(world, route, role, world.place(method, pattern), caller)
        assert world.description.untold(method, pattern, answer) == [], role
        if wanted in refusals:
            assert (answer.status, answer.json["code"]) == (403, refusals[wanted]), role
        else:
            # It is not among the staff of a class unless the class says so, and has no feed.
            is_outside = (role == "teacher" and "{class}" in pattern) or pattern == "/v1/feed"
            assert answer.status == (404 if is_outside else int(by_column(ACCESS[route])[role])), (role, answer)
