"""Who may call what and follow what, written by hand, and the requests that try it."""

import re
import uuid

from websockets.exceptions import ConnectionClosed

import gradecast
from access import COLUMNS
from live import Events, Live

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
    "GET /v1/session": SIGNED_IN,
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
    "DELETE /v1/accounts/me/blocks/{account}": instead(SIGNED_IN, "204"),
    "POST /v1/accounts/me/link": instead(SIGNED_IN, "201"),
    "GET /v1/accounts/me/following": SIGNED_IN,
    "GET /v1/accounts/me/followers": SIGNED_IN,
    "GET /v1/accounts/me/requests": SIGNED_IN,
    "GET /v1/accounts/me/friends": SIGNED_IN,
    "GET /v1/accounts/me/blocks": SIGNED_IN,
    "GET /v1/search": EVERYBODY,
    "GET /v1/work": SIGNED_IN,
    "GET /v1/feed": SIGNED_IN,
    "PUT /v1/feed/seen": SIGNED_IN,
    "GET /v1/accounts/me/notices": SIGNED_IN,
    "PUT /v1/accounts/me/notices": SIGNED_IN,
    "POST /v1/institutions/{institution}/announcements": instead(REGISTRAR, "201"),
    "DELETE /v1/institutions/{institution}/announcements/{announcement}": instead(REGISTRAR, "204"),
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
    "GET /v1/institutions/{institution}/webhooks": APPOINTERS,
    "POST /v1/institutions/{institution}/webhooks": instead(REGISTRAR, "201"),
    "GET /v1/institutions/{institution}/webhooks/{webhook}": APPOINTERS,
    "PATCH /v1/institutions/{institution}/webhooks/{webhook}": REGISTRAR,
    "DELETE /v1/institutions/{institution}/webhooks/{webhook}": instead(APPOINTERS, "204"),
    "POST /v1/institutions/{institution}/webhooks/{webhook}/secret": REGISTRAR,
    "POST /v1/institutions/{institution}/webhooks/{webhook}/test": REGISTRAR,
    "GET /v1/institutions/{institution}/webhooks/{webhook}/deliveries": REGISTRAR,
    # No message has failed for three days.
    "POST /v1/institutions/{institution}/webhooks/{webhook}/deliveries/{delivery}/resend": instead(REGISTRAR, "404"),
    "POST /v1/institutions/{institution}/webhooks/{webhook}/resend": REGISTRAR,
    "GET /v1/institutions/{institution}/terms": MEMBERS,
    "POST /v1/institutions/{institution}/terms": instead(REGISTRAR, "201"),
    "PATCH /v1/institutions/{institution}/terms/{term}": REGISTRAR,
    "DELETE /v1/institutions/{institution}/terms/{term}": instead(REGISTRAR, "204"),
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
    "GET /v1/classes/{class}/program": CLASS_READERS,
    "PATCH /v1/classes/{class}": CLASS_TEACHERS,
    "POST /v1/classes/{class}/staff": CLASS_TEACHERS,
    "DELETE /v1/classes/{class}/staff/{account}": CLASS_TEACHERS,
    "POST /v1/classes/{class}/rehearsals": CLASS_TEACHERS,
    "POST /v1/classes/{class}/rows/{enrolment}/preview": CLASS_READERS,
    "POST /v1/classes/{class}/changes": CLASS_TEACHERS,
    "POST /v1/classes/{class}/post": CLASS_TEACHERS,
    "GET /v1/classes/{class}/rows": CLASS_READERS,
    "GET /v1/classes/{class}/statistics": CLASS_READERS,
    "GET /v1/classes/{class}/export": CLASS_READERS,
    "GET /v1/classes/{class}/marking/{line}": CLASS_READERS,
    "POST /v1/classes/{class}/marking/{line}": CLASS_TEACHERS,
    "POST /v1/classes/{class}/reveal": CLASS_TEACHERS,
    "GET /v1/classes/{class}/rows/{enrolment}": CLASS_READERS,
    "PATCH /v1/classes/{class}/rows/{enrolment}": CLASS_TEACHERS,
    "POST /v1/classes/{class}/cells": CLASS_TEACHERS,
    "POST /v1/classes/{class}/undo": CLASS_TEACHERS,
    "POST /v1/classes/{class}/override": CLASS_TEACHERS,
    "GET /v1/corrections": SIGNED_IN,
    "GET /v1/classes/{class}/corrections": CLASS_READERS,
    "POST /v1/classes/{class}/corrections": instead(CLASS_TEACHERS, "201"),
    "POST /v1/classes/{class}/corrections/{correction}/approve": "401 404 404 403 404 200 404 403 401 401",
    "DELETE /v1/classes/{class}/corrections/{correction}": CLASS_TEACHERS,
    "GET /v1/classes/{class}/rows/{enrolment}/comments": CLASS_READERS,
    "GET /v1/accounts/me/comments": SIGNED_IN,
    "POST /v1/classes/{class}/rows/{enrolment}/comments": instead(CLASS_TEACHERS, "201"),
    "DELETE /v1/classes/{class}/rows/{enrolment}/comments/{comment}": CLASS_TEACHERS,
    "POST /v1/classes/{class}/enrolments": instead(CLASS_TEACHERS, "201"),
    "PATCH /v1/classes/{class}/enrolments/{enrolment}": CLASS_TEACHERS,
    "DELETE /v1/classes/{class}/enrolments/{enrolment}": CLASS_TEACHERS,
    "POST /v1/classes/{class}/sections": CLASS_TEACHERS,
    "POST /v1/classes/{class}/groups": instead(CLASS_TEACHERS, "201"),
    "PATCH /v1/classes/{class}/groups/{group}": CLASS_TEACHERS,
    "DELETE /v1/classes/{class}/groups/{group}": CLASS_TEACHERS,
    "POST /v1/classes/{class}/groups/{group}/members": CLASS_TEACHERS,
    # Allowed, but there is no such class to go to.
    "POST /v1/classes/{class}/transfers": "401 404 404 404 404 404 404 403 401 401",
    "GET /v1/rows/{enrolment}": "401 404 404 404 404 404 404 404 401 401",  # only the student whose row it is
    "GET /v1/classes/{class}/ledger": CLASS_READERS,
    "GET /v1/classes/{class}/structures/{structure}": CLASS_READERS,
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
    "PUT /v1/records/{record}/earlier/{earlier}": "401 403 404 403 404 422 404 403 401 401",  # the scheme has none
    "DELETE /v1/records/{record}/earlier/{earlier}": "401 403 404 403 404 422 404 403 401 401",  # as above
    "POST /v1/records/{record}/changes": KEEPERS,
    "POST /v1/records/{record}/undo": "401 200 404 409 404 409 404 403 401 401",  # staff have nothing of theirs there
    "GET /v1/records/{record}/standing": READERS,
    "GET /v1/records/{record}/assembled": READERS,
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
if gradecast.STORE != "sqlite":
    del ACCESS["GET /v1/backup"]  # PostgreSQL has its own backups
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
        "GET /v1/institutions/{institution}/terms",
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
        "POST /v1/institutions/{institution}/terms",
        "PATCH /v1/institutions/{institution}/terms/{term}",
        "DELETE /v1/institutions/{institution}/terms/{term}",
        "POST /v1/classes/{class}/enrolments",
        "PATCH /v1/classes/{class}/enrolments/{enrolment}",
        "POST /v1/classes/{class}/sections",
        "POST /v1/classes/{class}/transfers",
        "POST /v1/classes/{class}/groups",
        "PATCH /v1/classes/{class}/groups/{group}",
        "DELETE /v1/classes/{class}/groups/{group}",
        "POST /v1/classes/{class}/groups/{group}/members",
        "DELETE /v1/classes/{class}/enrolments/{enrolment}",
    ),
    "classes:read": (
        "GET /v1/classes",
        "GET /v1/classes/{class}",
        "GET /v1/classes/{class}/program",
        "GET /v1/classes/{class}/rows",
        "GET /v1/classes/{class}/statistics",
        "GET /v1/classes/{class}/export",
        "GET /v1/classes/{class}/marking/{line}",
        "GET /v1/classes/{class}/rows/{enrolment}",
        "GET /v1/classes/{class}/rows/{enrolment}/history",
        "GET /v1/rows/{enrolment}",
        "GET /v1/classes/{class}/ledger",
        "GET /v1/classes/{class}/structures/{structure}",
        "GET /v1/corrections",
        "GET /v1/classes/{class}/corrections",
        "GET /v1/classes/{class}/rows/{enrolment}/comments",
        "GET /v1/accounts/me/comments",
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
        "POST /v1/classes/{class}/rows/{enrolment}/comments",
        "POST /v1/classes/{class}/marking/{line}",
        "POST /v1/classes/{class}/reveal",
        "DELETE /v1/classes/{class}/rows/{enrolment}/comments/{comment}",
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
        "GET /v1/feed",
        "GET /v1/records",
        "GET /v1/records/{record}",
        "GET /v1/records/{record}/standing",
        "GET /v1/records/{record}/assembled",
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
    # Beside records:write, too, for a change that gives something.
    "given:write": (
        "POST /v1/classes/{class}/override",
        "PUT /v1/records/{record}/earlier/{earlier}",
        "DELETE /v1/records/{record}/earlier/{earlier}",
    ),
    "audit:read": ("GET /v1/audit",),
    "metrics": ("GET /v1/metrics",),
    "backup": ("GET /v1/backup",),
}
TOPIC_SCOPES = {
    "program": "programs:read",
    "shared": "session",
    "class": "classes:read",
    "grid": "classes:read",
    "row": "classes:read",
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
    "grid/{class}/{group}": STAFF,
    "row/{enrolment}": "- - - - - - - - x x",  # only the student whose row it is
    "program/{program}": "- + + + + + - + x x",
    "program/{draft}": "- - - - - + - + x x",
    "records/{account}": "- + - - - - - - x x",
    "shared/{record}": "- + + + + + - - x x",
    "feed/{account}": "- + - - - - - - x x",
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
    "GET /v1/session",
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


ANEW = object()  # a body of the request's own


def ask(world, route, name, place, who=None, body=ANEW):
    """The route's request by somebody, or by another caller, about the things of `place`."""
    method, pattern = route.split()
    who = who or (world.person(name) if route in SPENDS_THE_CALLER and name in COLUMNS else world.people[name])
    path = re.sub(r"{(\w+)}", lambda part: place[part[1]], pattern) + QUERIES.get(route, "")
    more = {"content_type": TYPES[route]} if route in TYPES else {}
    return who.call(method, path, world.body(method, pattern, who) if body is ANEW else body, **more)


def told(answer):
    """All that an answer tells."""
    headers = sorted((name, value) for name, value in answer.headers.items() if name != "Date")
    return answer.status, answer.body, headers


HOLDERS = ("student", "other", "teacher", "colleague", "registrar", "foreign", "administrator")


def scope_of(route):
    """What a token needs for a route."""
    return next((scope for scope, names in SCOPES.items() if route in names), "session")


def nowhere(pattern):
    """Names for the parts of a path that name nothing."""
    return {part: str(uuid.uuid4()) for part in re.findall(r"{(\w+)}", pattern)}


def topic(world, name, missing=False):
    """A topic of the table, or the same about something that is not there."""
    ids = {"record": world.record, "program": world.ours, "draft": world.draft, "account": world.student.account["id"]}
    ids |= {"class": world.classroom["class"], "enrolment": world.classroom["enrolment"], "group": world.group}
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
