"""Who may call what: every route of the server's own description, by everybody, against a table written by hand."""

import contextlib
import re
import uuid

import pytest
from websockets.exceptions import ConnectionClosed

import gradecast
from access import COLUMNS, CONFIG, World
from authenticator import Authenticator
from client import changed
from description import Description
from live import Events, Live
from services import access, new_secret, new_service

# One line a route: the status for each of COLUMNS. A route that has no line here fails the test. A line that ends with
# `ended` says that those without a membership, `removed` and `invited`, are answered as the registrar from elsewhere.
#                                                     guest student other teacher colleague registrar
#                                                     foreign administrator disabled ended
EVERYBODY = "200 200 200 200 200 200 200 200 401 401"
SIGNED_IN = "401 200 200 200 200 200 200 200 401 401"
ADMINISTRATOR = "401 403 403 403 403 403 403 200 401 401"
ALONE = "401 200 404 404 404 404 404 404 401 401"
OWNER = "401 200 404 403 404 403 404 403 401 401"
KEEPERS = "401 200 404 200 404 200 404 403 401 401"
READERS = "401 200 404 200 404 200 404 200 401 401"
MEMBERS = "404 200 200 200 200 200 404 200 401 401"
REGISTRAR = "401 403 403 403 403 200 404 403 401 401"
APPOINTERS = "401 403 403 403 403 200 404 200 401 401"
STAFF_HERE = "401 403 403 200 200 200 404 200 401 401"

# Of a class that the teacher teaches, in which none of the students is.
CLASS_READERS = "401 404 404 200 404 200 404 200 401 401"
CLASS_TEACHERS = "401 404 404 200 404 200 404 403 401 401"

OVERSEERS = "401 403 403 200 403 200 404 200 401 401"
GRADERS = "401 403 403 200 403 200 404 403 401 401"


def by_column(line):
    """The line as what each of COLUMNS is answered."""
    values = line.split()
    if len(values) < len(COLUMNS):
        values += [values[COLUMNS.index("foreign")]] * 2
    return dict(zip(COLUMNS, values, strict=True))


def instead(line, status):
    """The line with another status for success."""
    return line.replace("200", status)


ACCESS = {
    "GET /healthz": EVERYBODY,
    "GET /readyz": EVERYBODY,
    "GET /openapi.json": EVERYBODY,
    "GET /v1/schemes": EVERYBODY,
    "GET /v1/schemes/{scheme}": EVERYBODY,
    "POST /v1/evaluate": EVERYBODY,
    "POST /v1/regulations/check": EVERYBODY,
    "GET /v1/regulations/library": EVERYBODY,
    "GET /v1/regulations/library/{document}": EVERYBODY,
    "POST /v1/accounts": instead(EVERYBODY, "201"),
    "POST /v1/accounts/password": instead(EVERYBODY, "422"),  # the token decides, not the caller
    "POST /v1/accounts/first": instead(EVERYBODY, "422"),
    "POST /v1/accounts/email": instead(EVERYBODY, "422"),  # as above
    "POST /v1/accounts/reset": instead(EVERYBODY, "202"),
    "POST /v1/sessions": instead(EVERYBODY, "201"),
    "POST /v1/sessions/second-factor": instead(EVERYBODY, "422"),  # the challenge decides, not the caller
    "GET /v1/sign-in": EVERYBODY,
    "POST /v1/sign-in/{provider}": instead(EVERYBODY, "201"),
    "POST /v1/sign-in/{provider}/logout": instead(EVERYBODY, "415"),  # providers send a form
    "POST /sign-in/{provider}": instead(EVERYBODY, "415"),  # as above
    "POST /v1/sessions/{provider}": instead(EVERYBODY, "422"),  # the token decides, not the caller
    "GET /stand-in/rosefire": EVERYBODY,
    "GET /stand-in/rosefire/script.js": EVERYBODY,
    "POST /stand-in/rosefire/tokens": instead(EVERYBODY, "201"),
    "GET /v1/accounts/me/identities": SIGNED_IN,
    "POST /v1/accounts/me/identities/{provider}": instead(SIGNED_IN, "422"),  # as above
    "DELETE /v1/accounts/me/identities/{provider}": instead(SIGNED_IN, "404"),  # nobody is linked
    "POST /v1/passkeys/options": instead(EVERYBODY, "201"),
    "POST /v1/sessions/passkey": instead(EVERYBODY, "422"),  # the passkey decides, not the caller
    "GET /v1/accounts/me/passkeys": SIGNED_IN,
    "POST /v1/accounts/me/passkeys": instead(SIGNED_IN, "422"),  # no passkey
    "PATCH /v1/accounts/me/passkeys/{passkey}": "401 404 404 404 404 404 404 404 401 401",  # nobody has one
    "DELETE /v1/accounts/me/passkeys/{passkey}": "401 404 404 404 404 404 404 404 401 401",  # as above
    "GET /v1/accounts/me/tokens": SIGNED_IN,
    "POST /v1/accounts/me/tokens": instead(SIGNED_IN, "201"),
    "DELETE /v1/accounts/me/tokens/{token}": "401 404 404 404 404 404 404 404 401 401",  # nobody has it
    "GET /v1/accounts/me/email": SIGNED_IN,
    "DELETE /v1/accounts/me/email": instead(SIGNED_IN, "404"),  # nobody has one yet
    "PUT /v1/accounts/me/email": instead(SIGNED_IN, "202"),
    "GET /v1/accounts/me/totp": SIGNED_IN,
    "POST /v1/accounts/me/totp": instead(SIGNED_IN, "201"),
    "PUT /v1/accounts/me/totp": instead(SIGNED_IN, "422"),  # a wrong code
    "DELETE /v1/accounts/me/totp": instead(SIGNED_IN, "404"),  # nobody has one
    "POST /v1/accounts/me/recovery-codes": instead(SIGNED_IN, "404"),  # as above
    "GET /v1/accounts/me": SIGNED_IN,
    "GET /v1/accounts/me/activity": SIGNED_IN,
    "PATCH /v1/accounts/me": SIGNED_IN,
    "DELETE /v1/accounts/me": instead(SIGNED_IN, "204"),
    "PUT /v1/accounts/me/password": instead(SIGNED_IN, "204"),
    "GET /v1/accounts/me/export": SIGNED_IN,
    "GET /v1/accounts/me/sealing-key": SIGNED_IN,
    "GET /v1/accounts/{account}/avatar": "401 200 200 200 200 200 404 200 401 401",
    "PUT /v1/accounts/{account}/avatar": "401 204 404 404 404 404 404 404 401 401",
    "DELETE /v1/accounts/{account}/avatar": "401 204 404 404 404 404 404 404 401 401",
    "GET /v1/people/{account}": SIGNED_IN,  # one who can be found
    "GET /v1/accounts/me/preview": SIGNED_IN,
    "GET /v1/accounts/{account}/following": SIGNED_IN,
    "PUT /v1/accounts/{account}/following": instead(SIGNED_IN, "201"),
    "DELETE /v1/accounts/{account}/following": instead(SIGNED_IN, "404"),  # there is no follow
    "PUT /v1/accounts/me/followers/{account}": instead(SIGNED_IN, "404"),  # as above
    "DELETE /v1/accounts/me/followers/{account}": instead(SIGNED_IN, "404"),  # as above
    "PUT /v1/accounts/me/blocks/{account}": instead(SIGNED_IN, "204"),
    "DELETE /v1/accounts/me/blocks/{account}": instead(SIGNED_IN, "404"),  # there is no block
    "POST /v1/accounts/me/link": instead(SIGNED_IN, "201"),
    "GET /v1/accounts/me/following": SIGNED_IN,
    "GET /v1/accounts/me/followers": SIGNED_IN,
    "GET /v1/accounts/me/requests": SIGNED_IN,
    "GET /v1/accounts/me/friends": SIGNED_IN,
    "GET /v1/accounts/me/blocks": SIGNED_IN,
    "GET /v1/search": EVERYBODY,
    "GET /v1/work": SIGNED_IN,
    "GET /v1/accounts": ADMINISTRATOR,
    "PATCH /v1/accounts/{account}": ADMINISTRATOR,
    "DELETE /v1/accounts/{account}": instead(ADMINISTRATOR, "204"),
    "GET /v1/accounts/{account}/export": ADMINISTRATOR,
    "GET /v1/accounts/{account}/sessions": ADMINISTRATOR,
    "DELETE /v1/accounts/{account}/sessions": instead(ADMINISTRATOR, "204"),
    "DELETE /v1/accounts/{account}/sessions/{session}": instead(ADMINISTRATOR, "204"),
    "POST /v1/accounts/{account}/reset": instead(ADMINISTRATOR, "201"),
    "GET /v1/audit": ADMINISTRATOR,
    "GET /v1/providers": ADMINISTRATOR,
    "POST /v1/providers/{provider}/test": ADMINISTRATOR,
    "GET /v1/metrics": ADMINISTRATOR,
    "GET /v1/backup": ADMINISTRATOR,
    "GET /v1/sessions": SIGNED_IN,
    "DELETE /v1/sessions": instead(SIGNED_IN, "204"),
    "DELETE /v1/sessions/{session}": "401 204 404 404 404 404 404 404 401 401",
    "GET /v1/sessions/current/proof": SIGNED_IN,
    "POST /v1/sessions/current/proof": instead(SIGNED_IN, "422"),  # a wrong password
    "POST /v1/live/tickets": instead(SIGNED_IN, "201"),
    "GET /v1/institutions": EVERYBODY,
    "POST /v1/institutions": instead(ADMINISTRATOR, "201"),
    "GET /v1/institutions/{institution}": MEMBERS,
    "PATCH /v1/institutions/{institution}": REGISTRAR,
    "GET /v1/memberships": SIGNED_IN,
    "GET /v1/institutions/{institution}/members": STAFF_HERE,
    "PUT /v1/institutions/{institution}/members/{account}": REGISTRAR,
    "PUT /v1/institutions/{institution}/members/{account}/student-number": REGISTRAR,
    "DELETE /v1/institutions/{institution}/members/{account}": instead(REGISTRAR, "204"),
    "GET /v1/institutions/{institution}/invitations": APPOINTERS,
    "POST /v1/institutions/{institution}/invitations": instead(REGISTRAR, "201"),
    "DELETE /v1/institutions/{institution}/invitations/{invitation}": instead(REGISTRAR, "204"),
    "GET /v1/institutions/{institution}/service-accounts": APPOINTERS,
    "POST /v1/institutions/{institution}/service-accounts": instead(REGISTRAR, "201"),
    "PATCH /v1/institutions/{institution}/service-accounts/{account}": REGISTRAR,
    "DELETE /v1/institutions/{institution}/service-accounts/{account}": instead(APPOINTERS, "204"),
    "GET /v1/institutions/{institution}/service-accounts/{account}/secrets": REGISTRAR,
    "POST /v1/institutions/{institution}/service-accounts/{account}/secrets": instead(REGISTRAR, "201"),
    "DELETE /v1/institutions/{institution}/service-accounts/{account}/secrets/{secret}": instead(REGISTRAR, "204"),
    "GET /v1/institutions/{institution}/service-accounts/{account}/tokens": REGISTRAR,
    "POST /v1/institutions/{institution}/service-accounts/{account}/tokens": instead(REGISTRAR, "201"),
    "DELETE /v1/institutions/{institution}/service-accounts/{account}/tokens/{token}": instead(REGISTRAR, "204"),
    "POST /v1/oauth/token": instead(EVERYBODY, "401"),  # the secret decides, not the caller
    "GET /v1/invitations": SIGNED_IN,
    "DELETE /v1/invitations/{invitation}": "401 404 404 404 404 404 404 404 401 401 404 204",
    "POST /v1/invitations/accept": instead(SIGNED_IN, "201"),  # the token decides, not the caller
    "GET /v1/institutions/{institution}/programs": MEMBERS,
    "POST /v1/institutions/{institution}/programs": instead(REGISTRAR, "201"),
    "GET /v1/programs/{program}": MEMBERS,
    "PATCH /v1/programs/{program}": REGISTRAR,
    "GET /v1/programs/{program}/description": MEMBERS,
    "GET /v1/programs/{program}/versions": MEMBERS,
    "DELETE /v1/programs/{program}/versions/{version}": instead(REGISTRAR, "422"),  # allowed, but it holds already
    "POST /v1/programs/{program}/classes": instead(GRADERS, "201"),
    "GET /v1/classes": SIGNED_IN,
    "GET /v1/classes/{class}": CLASS_READERS,
    "PATCH /v1/classes/{class}": CLASS_TEACHERS,
    "POST /v1/classes/{class}/staff": CLASS_TEACHERS,
    "DELETE /v1/classes/{class}/staff/{account}": CLASS_TEACHERS,
    "POST /v1/classes/{class}/rehearsals": CLASS_TEACHERS,
    "POST /v1/classes/{class}/rows/{enrolment}/preview": CLASS_READERS,
    "POST /v1/classes/{class}/changes": CLASS_TEACHERS,
    "POST /v1/classes/{class}/post": CLASS_TEACHERS,
    "GET /v1/classes/{class}/rows": CLASS_READERS,
    "GET /v1/classes/{class}/rows/{enrolment}": CLASS_READERS,
    "PATCH /v1/classes/{class}/rows/{enrolment}": CLASS_TEACHERS,
    "POST /v1/classes/{class}/cells": CLASS_TEACHERS,
    "POST /v1/classes/{class}/undo": CLASS_TEACHERS,
    "GET /v1/classes/{class}/corrections": CLASS_READERS,
    "POST /v1/classes/{class}/corrections": instead(CLASS_TEACHERS, "201"),
    "POST /v1/classes/{class}/corrections/{correction}/approve": "401 404 404 403 404 200 404 403 401 401",
    "DELETE /v1/classes/{class}/corrections/{correction}": CLASS_TEACHERS,
    "POST /v1/classes/{class}/enrolments": instead(CLASS_TEACHERS, "201"),
    "DELETE /v1/classes/{class}/enrolments/{enrolment}": CLASS_TEACHERS,
    "GET /v1/rows/{enrolment}": "401 404 404 404 404 404 404 404 401 401",  # only the student whose row it is
    "GET /v1/classes/{class}/ledger": CLASS_READERS,
    "GET /v1/classes/{class}/rows/{enrolment}/history": CLASS_READERS,
    "POST /v1/programs/{program}/rehearsals": instead(REGISTRAR, "202"),
    "GET /v1/programs/{program}/rehearsals": OVERSEERS,
    "GET /v1/programs/{program}/rehearsals/{rehearsal}": OVERSEERS,
    "DELETE /v1/programs/{program}/rehearsals/{rehearsal}": REGISTRAR,
    "GET /v1/programs/{program}/rehearsals/{rehearsal}/changes": OVERSEERS,
    "POST /v1/programs/{program}/publish": instead(REGISTRAR, "409"),  # allowed, but nobody has seen that digest
    "GET /v1/programs/{program}/moves": OVERSEERS,
    "POST /v1/programs/{program}/recompute": instead(REGISTRAR, "409"),  # allowed, but nobody has seen that digest
    "GET /v1/programs/{program}/recomputations": OVERSEERS,
    "GET /v1/programs/{program}/cohort": OVERSEERS,
    "GET /v1/programs/{program}/students": OVERSEERS,
    "POST /v1/programs/{program}/results": GRADERS,
    "POST /v1/programs/{program}/results/preview": GRADERS,
    "GET /v1/programs/{program}/hidden": OVERSEERS,
    "GET /v1/programs/{program}/results/{import}": OVERSEERS,
    "POST /v1/programs/{program}/release": instead(GRADERS, "202"),
    "GET /v1/programs/{program}/releases": OVERSEERS,
    "GET /v1/records": SIGNED_IN,
    "POST /v1/records": "401 201 201 201 201 201 422 403 401 401",
    "GET /v1/records/{record}": READERS,
    "PATCH /v1/records/{record}": KEEPERS,
    "DELETE /v1/records/{record}": "401 403 404 403 404 204 404 403 401 401",
    "POST /v1/records/{record}/entries": instead(KEEPERS, "201"),
    "DELETE /v1/records/{record}/entries": KEEPERS,
    "PATCH /v1/records/{record}/entries/{entry}": KEEPERS,
    "DELETE /v1/records/{record}/entries/{entry}": KEEPERS,
    "POST /v1/records/{record}/changes": KEEPERS,
    "POST /v1/records/{record}/undo": "401 200 404 409 404 409 404 403 401 401",  # staff have nothing of theirs there
    "GET /v1/records/{record}/standing": READERS,
    "POST /v1/records/{record}/what-if": READERS,
    "POST /v1/records/{record}/goals": READERS,
    "GET /v1/records/{record}/people": READERS,
    "GET /v1/records/{record}/program": READERS,
    "GET /v1/records/{record}/history": READERS,
    "GET /v1/records/{record}/sharing": ALONE,
    "PUT /v1/records/{record}/sharing": ALONE,
    "GET /v1/records/{record}/shared": "401 200 200 200 200 200 404 404 401 401",  # with the members
    "GET /v1/live": instead(EVERYBODY, "400"),  # no upgrade is asked for; see TOPICS
    "GET /v1/live/events": instead(EVERYBODY, "400"),  # no topic is named; see TOPICS
}
# What a token needs for a route: a scope, or nothing in particular. Every other route takes sessions alone.
SCOPES = {
    "any": (
        "GET /healthz",
        "GET /readyz",
        "GET /openapi.json",
        "GET /v1/schemes",
        "GET /v1/schemes/{scheme}",
        "POST /v1/evaluate",
        "POST /v1/regulations/check",
        "GET /v1/regulations/library",
        "GET /v1/regulations/library/{document}",
        "GET /v1/live",
        "GET /v1/live/events",
    ),
    "profile:read": ("GET /v1/accounts/me", "GET /v1/accounts/{account}/avatar", "GET /v1/memberships"),
    "programs:read": (
        "GET /v1/institutions",
        "GET /v1/institutions/{institution}",
        "GET /v1/institutions/{institution}/programs",
        "GET /v1/programs/{program}",
        "GET /v1/programs/{program}/description",
        "GET /v1/programs/{program}/versions",
        "GET /v1/programs/{program}/rehearsals",
        "GET /v1/programs/{program}/rehearsals/{rehearsal}",
        "GET /v1/programs/{program}/moves",
    ),
    "programs:write": (
        "POST /v1/institutions/{institution}/programs",
        "PATCH /v1/programs/{program}",
        "POST /v1/programs/{program}/rehearsals",
        "DELETE /v1/programs/{program}/rehearsals/{rehearsal}",
    ),
    "roster:read": ("GET /v1/institutions/{institution}/members", "GET /v1/institutions/{institution}/invitations"),
    "roster:write": (
        "PUT /v1/institutions/{institution}/members/{account}",
        "PUT /v1/institutions/{institution}/members/{account}/student-number",
        "DELETE /v1/institutions/{institution}/members/{account}",
        "POST /v1/institutions/{institution}/invitations",
        "DELETE /v1/institutions/{institution}/invitations/{invitation}",
        "POST /v1/classes/{class}/enrolments",
        "DELETE /v1/classes/{class}/enrolments/{enrolment}",
    ),
    "classes:read": (
        "GET /v1/classes",
        "GET /v1/classes/{class}",
        "GET /v1/classes/{class}/rows",
        "GET /v1/classes/{class}/rows/{enrolment}",
        "GET /v1/classes/{class}/rows/{enrolment}/history",
        "GET /v1/rows/{enrolment}",
        "GET /v1/classes/{class}/ledger",
        "GET /v1/classes/{class}/corrections",
        "POST /v1/classes/{class}/rows/{enrolment}/preview",
    ),
    "classes:write": (
        "POST /v1/programs/{program}/classes",
        "PATCH /v1/classes/{class}",
        "POST /v1/classes/{class}/rehearsals",
        "POST /v1/classes/{class}/changes",
        "POST /v1/classes/{class}/post",
        "PATCH /v1/classes/{class}/rows/{enrolment}",
        "POST /v1/classes/{class}/cells",
        "POST /v1/classes/{class}/undo",
        "POST /v1/classes/{class}/corrections",
        "DELETE /v1/classes/{class}/corrections/{correction}",
    ),
    "records:read": (
        "GET /v1/programs/{program}/rehearsals/{rehearsal}/changes",
        "GET /v1/programs/{program}/recomputations",
        "GET /v1/programs/{program}/cohort",
        "GET /v1/programs/{program}/students",
        "GET /v1/programs/{program}/hidden",
        "GET /v1/programs/{program}/releases",
        "GET /v1/search",
        "GET /v1/work",
        "GET /v1/records",
        "GET /v1/records/{record}",
        "GET /v1/records/{record}/standing",
        "POST /v1/records/{record}/what-if",
        "POST /v1/records/{record}/goals",
        "GET /v1/records/{record}/people",
        "GET /v1/records/{record}/program",
        "GET /v1/records/{record}/history",
    ),
    "results:write": (
        "POST /v1/programs/{program}/results",
        "POST /v1/programs/{program}/results/preview",
        "GET /v1/programs/{program}/results/{import}",
        "POST /v1/programs/{program}/release",
    ),
    "records:write": (
        "POST /v1/records",
        "PATCH /v1/records/{record}",
        "DELETE /v1/records/{record}",
        "POST /v1/records/{record}/entries",
        "DELETE /v1/records/{record}/entries",
        "PATCH /v1/records/{record}/entries/{entry}",
        "DELETE /v1/records/{record}/entries/{entry}",
        "POST /v1/records/{record}/changes",
        "POST /v1/records/{record}/undo",
    ),
    "audit:read": ("GET /v1/audit",),
    "metrics": ("GET /v1/metrics",),
    "backup": ("GET /v1/backup",),
}
TOPIC_SCOPES = {
    "program": "programs:read", "shared": "session", "class": "classes:read", "grid": "classes:read",
    "row": "classes:read"
}  # fmt: skip - of every other topic: records:read
# Who may follow what, for each of COLUMNS: + a state, - as if it were not there, x no connection at all.
RELEASED = "- + - + - + - + x x"
STAFF = "- - - + - + - + x x"
TOPICS = {
    "standing/{record}": RELEASED,
    "record/{record}": RELEASED,
    "standing/{record}/staff": STAFF,
    "record/{record}/staff": STAFF,
    "cohort/{program}": STAFF,
    "class/{class}": STAFF,
    "grid/{class}": STAFF,
    "row/{enrolment}": "- - - - - - - - x x",  # only the student whose row it is
    "program/{program}": "- + + + + + - + x x",
    "program/{draft}": "- - - - - + - + x x",
    "records/{account}": "- + - - - - - - x x",
    "shared/{record}": "- + + + + + - - x x",
}
# What a session reaches that has to show a second factor first: what anybody may ask, and all that is about signing in and
# out. Setting up a second factor is for those who have none.
UNFINISHED = {
    "GET /healthz",
    "GET /readyz",
    "GET /openapi.json",
    "GET /v1/sign-in",
    "POST /v1/sign-in/{provider}",
    "POST /v1/sign-in/{provider}/logout",
    "POST /sign-in/{provider}",
    "POST /v1/accounts",
    "POST /v1/accounts/password",
    "POST /v1/accounts/first",
    "POST /v1/accounts/email",
    "POST /v1/accounts/reset",
    "POST /v1/sessions",
    "POST /v1/sessions/second-factor",
    "POST /v1/sessions/passkey",
    "POST /v1/sessions/{provider}",
    "POST /v1/oauth/token",
    "GET /stand-in/rosefire",
    "GET /stand-in/rosefire/script.js",
    "POST /stand-in/rosefire/tokens",
    "GET /v1/accounts/me",
    "GET /v1/accounts/me/passkeys",
    "GET /v1/accounts/me/totp",
    "POST /v1/passkeys/options",
    "GET /v1/sessions/current/proof",
    "POST /v1/sessions/current/proof",
}
ENROLLING = {"POST /v1/accounts/me/passkeys", "POST /v1/accounts/me/totp", "PUT /v1/accounts/me/totp"}
# What ends the caller's own sessions or account, or gives it a role, is done by somebody made for it.
SPENDS_THE_CALLER = {
    "DELETE /v1/accounts/me",
    "PUT /v1/accounts/me/password",
    "DELETE /v1/sessions",
    "POST /v1/invitations/accept",
}
TYPES = {"PUT /v1/accounts/{account}/avatar": "image/png", "POST /v1/oauth/token": "application/x-www-form-urlencoded"}
QUERIES = {
    "DELETE /v1/accounts/{account}": "?reason=asked",
    "GET /v1/accounts/{account}/export": "?reason=asked",
    "DELETE /v1/records/{record}/entries": "?position=1",
    "GET /v1/programs/{program}/students": "?records=none",
    "GET /v1/search": "?q=ours",
}


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    running = gradecast.Server(tmp_path_factory.mktemp("access"), config=CONFIG).start()
    world = World(running)
    world.description = Description(running.api().get("/openapi.json").json)
    yield world
    assert running.stop() == 0, running.output()


def routes(world):
    """Every operation of the server's description, with who may call it at all."""
    paths = world.server.api().get("/openapi.json").json["paths"]
    return {
        f"{method.upper()} {path}": operation["x-access"]
        for path, operations in paths.items()
        for method, operation in operations.items()
        if method != "parameters"
    }


def ask(world, route, name, place, who=None):
    """The route's request by somebody, or by another caller, about the things of `place`."""
    method, pattern = route.split()
    who = who or (world.person(name) if route in SPENDS_THE_CALLER and name in COLUMNS else world.people[name])
    path = re.sub(r"{(\w+)}", lambda part: place[part[1]], pattern) + QUERIES.get(route, "")
    more = {"content_type": TYPES[route]} if route in TYPES else {}
    return who.call(method, path, world.body(method, pattern, who), **more)


def told(answer):
    """All that an answer tells."""
    headers = sorted((name, value) for name, value in answer.headers.items() if name != "Date")
    return answer.status, answer.body, headers


def test_every_route_has_its_line(world):
    assert set(routes(world)) == set(ACCESS)


@pytest.mark.parametrize("route", ACCESS)
def test_the_table_holds(world, route):
    method, pattern = route.split()
    found = [ask(world, route, name, world.place(method, pattern)) for name in COLUMNS]
    assert [world.description.untold(method, pattern, answer) for answer in found] == [[] for _ in COLUMNS]
    expected = {name: int(status) for name, status in by_column(ACCESS[route]).items()}
    assert {name: answer.status for name, answer in zip(COLUMNS, found, strict=True)} == expected


@pytest.mark.parametrize("route", [route for route in ACCESS if "{" in route])
def test_what_one_may_not_know_answers_as_what_is_not_there(world, route):
    method, pattern = route.split()
    hidden = ("401", "404", "403") if ACCESS[route].startswith("401 403 403 403 403 403 403") else ("401", "404")
    for name, status in by_column(ACCESS[route]).items():
        if status not in hidden:
            continue
        there = world.place(method, pattern)
        nowhere = {part: str(uuid.uuid4()) for part in there}
        assert told(ask(world, route, name, there)) == told(ask(world, route, name, nowhere)), name


# -- sessions that have to show a second factor, or to set one up, before anything else


def registrar_who_has_to_enrol(world):
    """A registrar of an institution that wants its staff to have a second factor, and a token made before it did."""
    api = world.server.api().sign_up()
    made = world.administrator.post("/v1/institutions", {"slug": uuid.uuid4().hex, "title": "Guild"})
    guild = changed(made, 201).json["institution"]["id"]
    world.administrator.makes_member(api, guild, "registrar")
    token, _ = world.new_token(api, world.scopes("registrar"))
    changed(api.patch(f"/v1/institutions/{guild}", {"secondFactor": "staff"}))
    return api, token


@pytest.fixture(scope="module")
def unfinished(world):
    """Such sessions by their column: of an account without a second factor, and of one with a passkey, by its password;
    and tokens that these accounts have made with their passwords alone."""
    (enrolling, plain), (owner, older) = registrar_who_has_to_enrol(world), registrar_who_has_to_enrol(world)
    options = changed(owner.post("/v1/passkeys/options", {"purpose": "register"}), 201).json
    made = Authenticator(CONFIG["publicUrl"]).make(options)
    changed(owner.post("/v1/accounts/me/passkeys", made), 201)
    showing = world.server.api().sign_in(owner.login, owner.password)
    people = {"enrolling": enrolling, "showing": showing, "token": plain, "token beside a passkey": older}
    world.people |= people
    yield people
    for name in people:
        del world.people[name]


@pytest.mark.parametrize("route", sorted(ACCESS.keys() - {"DELETE /v1/sessions/{session}"}))  # itself alone
def test_a_session_that_is_not_finished_reaches_what_finishes_it(world, unfinished, route):
    method, pattern = route.split()
    for name in unfinished:
        answer = ask(world, route, name, world.place(method, pattern))
        assert world.description.untold(method, pattern, answer) == [], name
        code = answer.json.get("code") if answer.status == 403 else None
        serves = route in UNFINISHED or name in ("enrolling", "token") and route in ENROLLING
        assert (code == "enrolment_required") is not serves, (name, answer)


@pytest.mark.parametrize("name", TOPICS)
def test_a_session_that_is_not_finished_follows_no_topic(world, unfinished, name):
    for column in unfinished:
        assert follow(world, column, topic(world, name))[0] == "-"
        events = Events(world.server, world.people[column].token, topic(world, name))
        events.close()
        assert events.status == 403


# -- tokens

HOLDERS = ("student", "other", "teacher", "colleague", "registrar", "foreign", "administrator")


def scope_of(route):
    """What a token needs for a route."""
    return next((scope for scope, names in SCOPES.items() if route in names), "session")


def nowhere(pattern):
    """Names for the parts of a path that name nothing."""
    return {part: str(uuid.uuid4()) for part in re.findall(r"{(\w+)}", pattern)}


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
    for name in HOLDERS:
        for scope in world.scopes(name):
            if scope == wanted:
                continue
            answer = ask(world, route, name, nowhere(pattern), world.token(name, scope))
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


# -- service accounts


@pytest.fixture(scope="module")
def services(world):
    """Access tokens of service accounts by their roles, with all the scopes that they may have."""
    scopes = [scope for scope in world.scopes("registrar") if scope != "audit:read"]
    callers = {}
    for role in ("registrar", "teacher"):
        programs = {"programs": [world.ours]} if role == "teacher" else {}
        registrar = world.people["registrar"]
        service = new_service(registrar, world.college, role=role, scopes=scopes, **programs)
        callers[role] = access(world.server, service, new_secret(registrar, service)["secret"])
    return callers


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
            # It is not among the staff of a class unless the class says so.
            is_outside = role == "teacher" and "{class}" in pattern
            assert answer.status == (404 if is_outside else int(by_column(ACCESS[route])[role])), (role, answer)


@pytest.mark.parametrize("name", TOPICS)
def test_a_service_account_follows_what_its_role_may_read(world, services, name):
    for role, caller in services.items():
        expected = "-" if name.startswith(("feed", "shared", "accounts")) else by_column(TOPICS[name])[role]
        if role == "teacher" and name.startswith(("class", "grid")):
            expected = "-"  # it is not of the class's staff
        with contextlib.closing(Live(world.server, caller.token)) as connection:
            answer = connection.subscribe(topic(world, name))
        assert (answer["t"] in ("state", "rows")) == (expected == "+"), (role, answer)


# -- live topics


def topic(world, name, missing=False):
    """A topic of the table, or the same about something that is not there."""
    ids = {"record": world.record, "program": world.ours, "draft": world.draft, "account": world.student.account["id"]}
    ids |= {"class": world.classroom["class"], "enrolment": world.classroom["enrolment"]}
    return name.format(**({part: uuid.uuid4() for part in ids} if missing else ids))


def follow(world, name, wanted):
    """What somebody gets who subscribes: the kind of the answer, and all of it but the topic's name."""
    try:
        connection = Live(world.server, world.people[name].token)
    except ConnectionClosed as end:
        assert end.rcvd.code == 4501
        return "x", None
    answer = connection.subscribe(wanted)
    connection.close()
    return "+" if answer["t"] in ("state", "rows") else "-", answer["raw"].replace(wanted, "")


def stream(world, name, wanted):
    """The same for a stream of events."""
    events = Events(world.server, world.people[name].token, wanted)
    events.close()
    return {200: "+", 404: "-", 401: "x"}[events.status]


@pytest.mark.parametrize("name", TOPICS)
def test_a_topic_is_followed_by_those_who_may_read_it(world, name):
    expected = by_column(TOPICS[name])
    wanted = topic(world, name)
    assert {column: follow(world, column, wanted)[0] for column in COLUMNS} == expected
    assert {column: stream(world, column, wanted) for column in COLUMNS} == expected


@pytest.mark.parametrize("name", TOPICS)
def test_a_topic_is_followed_with_the_scope_for_it_alone(world, name):
    wanted = TOPIC_SCOPES.get(name.split("/")[0], "records:read")
    for column in HOLDERS:
        for scope in ("records:read", "programs:read", "classes:read", "profile:read", "records:write"):
            token = world.token(column, scope).token
            allowed = by_column(TOPICS[name])[column] == "+" and scope == wanted
            with contextlib.closing(Live(world.server, token)) as connection:
                answer = connection.subscribe(topic(world, name))
            assert (answer["t"] in ("state", "rows")) == allowed, (column, scope, answer)
            events = Events(world.server, token, topic(world, name))
            events.close()
            assert events.status == (200 if allowed else 404 if scope == wanted else 403), (column, scope)


@pytest.mark.parametrize("name", ["ended", "expired"])
def test_a_token_that_ended_or_expired_opens_no_connection(world, name):
    with pytest.raises(ConnectionClosed) as end:
        Live(world.server, getattr(world, f"{name}_token").token)
    assert end.value.rcvd.code == 4501


@pytest.mark.parametrize("name", [name for name in TOPICS if "{" in name])
def test_a_topic_one_may_not_know_answers_as_one_that_is_not_there(world, name):
    for column, verdict in by_column(TOPICS[name]).items():
        if verdict == "-":
            found, missing = topic(world, name), topic(world, name, missing=True)
            assert follow(world, column, found) == follow(world, column, missing), column


# -- what the caller's own request names


def test_a_foreign_program_is_an_unknown_one_in_a_body(world):
    foreign = world.people["foreign"]
    answers = [foreign.post("/v1/records", {"program": program}) for program in (world.ours, str(uuid.uuid4()))]
    assert told(answers[0]) == told(answers[1])
    path = f"/v1/institutions/{world.college}/invitations"
    registrar = world.people["registrar"]
    answers = [
        registrar.post(path, {"role": "teacher", "programs": [program]})
        for program in (world.elsewhere, str(uuid.uuid4()))
    ]
    assert answers[0].status == 422
    assert told(answers[0]) == told(answers[1])


def test_a_draft_is_known_to_those_who_make_it(world):
    expected = by_column("404 404 404 404 404 200 404 200 401 401")
    for suffix in ("", "/versions"):
        path = f"/v1/programs/{world.draft}{suffix}"
        assert {name: world.people[name].get(path).status for name in COLUMNS} == {
            name: int(status) for name, status in expected.items()
        }
    for name in ("student", "teacher", "foreign"):
        missing = world.people[name].get(f"/v1/programs/{uuid.uuid4()}")
        assert told(world.people[name].get(f"/v1/programs/{world.draft}")) == told(missing)


def test_only_staff_of_the_program_start_a_record_for_somebody(world):
    body = {"program": world.ours, "student": world.people["other"].account["id"]}
    expected = by_column("401 403 201 201 403 201 422 403 401 401")
    found = {name: world.people[name].post("/v1/records", body) for name in COLUMNS}
    assert {name: str(answer.status) for name, answer in found.items()} == expected


# -- what lists hold


def holders(world, path, wanted, member="id"):
    """Who finds something in a list."""
    found = set()
    for name in COLUMNS:
        answer = world.people[name].get(path)
        if answer.status == 200 and wanted in [item.get(member) for item in answer.json["items"]]:
            found.add(name)
    return found


def test_a_list_holds_what_one_may_see_and_nothing_else(world):
    inside = {"student", "other", "teacher", "colleague", "registrar", "administrator"}
    assert holders(world, "/v1/institutions?limit=200", world.college) == inside
    programs = f"/v1/institutions/{world.college}/programs?limit=200"
    assert holders(world, programs, world.ours) == inside
    assert holders(world, programs, world.draft) == {"registrar", "administrator"}
    assert holders(world, "/v1/records?limit=200", world.record) == {"student"}
    of_program = f"/v1/records?program={world.ours}&limit=200"
    assert holders(world, of_program, world.record) == {"student", "teacher", "registrar", "administrator"}
    of_student = f"{of_program}&student={world.student.account['id']}"
    assert holders(world, of_student, world.record) == {"student", "teacher", "registrar", "administrator"}
    anywhere = f"/v1/records?student={world.student.account['id']}&limit=200"
    assert holders(world, anywhere, world.record) == {"student"}


# -- rights that end


@pytest.mark.parametrize("name", ["teacher", "registrar"])
def test_a_member_who_is_removed_sees_nothing_from_then_on(world, name):
    member = world.person(name)
    path = f"/v1/records/{world.record}"
    assert member.get(path).status == 200
    remover = world.administrator if name == "registrar" else world.people["registrar"]
    removed = remover.delete(f"/v1/institutions/{world.college}/members/{member.account['id']}")
    assert removed.status == 204
    assert told(member.get(path)) == told(member.get(f"/v1/records/{uuid.uuid4()}"))


def test_a_teacher_loses_a_program_at_once(world):
    teacher = world.person("teacher")
    path = f"/v1/records/{world.record}"
    assert teacher.get(path).status == 200
    world.enrol(teacher, world.college, "teacher", [world.theirs])
    assert teacher.get(path).status == 404
    assert teacher.patch(f"{path}/entries/{world.entry}", {"fields": {"credits": 9}}).status == 404


def test_students_do_not_write_where_only_staff_enter(world):
    registrar = world.people["registrar"]
    assert registrar.patch(f"/v1/programs/{world.theirs}", {"entry": "staff"}).status == 200
    body = {"program": world.theirs, "student": world.student.account["id"]}
    made = world.people["colleague"].post("/v1/records", body)
    assert made.status == 201, made
    record = f"/v1/records/{made.json['record']['id']}"
    assert world.student.get(record).status == 200
    assert world.student.patch(record, {"fields": {}}).status == 403
    assert world.student.delete(record).status == 403
    assert world.people["colleague"].patch(record, {"fields": {}}).status == 200
    assert world.people["teacher"].get(record).status == 404
    assert registrar.patch(f"/v1/programs/{world.theirs}", {"entry": "both"}).status == 200
