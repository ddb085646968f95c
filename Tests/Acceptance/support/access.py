"""A small world of institutions, people and things, and the request that each route is tried with."""

import itertools
import struct
import uuid
import zlib

from services import new_secret, new_service, path_of

from client import changed
from gradecast import PLUGINS
from oracle.build import board_total, without_ids
from stored import stored

COLUMNS = (
    "guest", "student", "other", "teacher", "colleague", "registrar", "foreign", "administrator", "disabled", "ended",
    "removed", "invited"
)  # fmt: skip
PLACES = {
    "other": "student", "colleague": "teacher", "disabled": "registrar", "ended": "student", "removed": "registrar"
}  # fmt: skip
SCOPES = (
    "profile:read", "records:read", "records:write", "classes:read", "classes:write", "given:write", "results:write",
    "roster:read", "roster:write", "programs:read", "programs:write", "audit:read", "metrics",
    "backup"
)  # fmt: skip
GUARDED = ("metrics", "backup")  # for administrators alone
BOARD = {"scheme": "chalkboard", "entry": "both"}
CONFIG = {
    "plugins": PLUGINS,
    "publicUrl": "http://localhost",
    "mail": {"smtp": "smtp://127.0.0.1:1", "from": "grades@example.org"},  # nobody listens there
    "institutions": [
        {"slug": "demo", "title": "Demo", "open": True, "programs": [BOARD | {"title": "Open"}]},
        {
            "slug": "college",
            "title": "College",
            "open": False,
            "programs": [BOARD | {"title": "Ours"}, BOARD | {"title": "Theirs"}],
        },
        {"slug": "academy", "title": "Academy", "open": False, "programs": [BOARD | {"title": "Elsewhere"}]},
    ],
}


YEAR = {"kind": "year", "title": "2026/27", "from": "2026-08-01", "until": "2027-07-31"}
WEBHOOK = {"title": "Registry", "url": "https://webhooks.invalid/grades", "events": ["record.changed"]}
SHARING = {"what": "headline", "with": ["members"]}


def picture():
    """A PNG of one pixel."""

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    pixels = zlib.compress(b"\0\0")
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def course(title="Algorithms"):
    """A course as a request adds it."""
    return without_ids([board_total(title, 3, 85)])[0]


class World:
    """People of every kind around one record of one program of one closed institution.

    `student` owns the record; `other` studies beside; `teacher` keeps the program and `colleague` another one of the
    same institution, whose `registrar` sees both; `foreign` is the registrar of another institution; `disabled` was
    a registrar here and `ended` is the student again, with a session that was signed out. `removed` was a registrar
    here until the membership was ended; `invited` may become one and has not accepted. The `administrator` is a member
    of no institution.
    """

    def __init__(self, server):
        self.server = server
        self.administrator = server.signed_in("administrator")
        self.college, self.academy = (self.institution(slug) for slug in ("college", "academy"))
        self.ours, self.theirs = self.programs("college")["Ours"], self.programs("college")["Theirs"]
        self.elsewhere = self.programs("academy")["Elsewhere"]
        self.registrars = {}
        for institution in (self.college, self.academy):
            self.registrars[institution] = server.api().sign_up()
            self.enrol(self.registrars[institution], institution, "registrar")
        self.people = {name: self.person(name) for name in COLUMNS if name not in ("administrator", "ended")}
        self.people |= {"administrator": self.administrator, "ended": self.ended(self.people["student"])}
        self.spare = self.person_to_be_found()
        answer = self.people["registrar"].post(f"/v1/institutions/{self.college}/programs", BOARD | {"title": "Draft"})
        self.draft = changed(answer, 201).json["program"]["id"]
        self.record, self.entry = self.new_record()
        # Of the one record that is not changed by any request, its owner shares the headline with the members.
        changed(self.student.call("PUT", f"/v1/records/{self.record}/sharing", SHARING))
        self.classroom = self.new_class()
        self.sealed = self.anonymous_class()
        self.groups = []
        self.group = self.new_group()
        self.groups.clear()
        self.closed, self.corrected = self.closed_class(), (number / 100 for number in itertools.count(2_000))
        self.tokens = {}
        self.session = None
        self.service = None
        self.announcement = None
        self.ended_token, self.expired_token = self.spent_tokens()

    @property
    def student(self):
        return self.people["student"]

    def institution(self, slug):
        return self.administrator.get(f"/v1/institutions/{slug}").json["institution"]["id"]

    def programs(self, slug):
        items = self.administrator.get(f"/v1/institutions/{slug}/programs").json["items"]
        return {program["title"]: program["id"] for program in items}

    def person(self, name):
        """Somebody new of that kind, signed in, or as far as that kind ever is."""
        if name == "guest":
            return self.server.api()
        api = self.server.api().sign_up()
        account = f"/v1/accounts/{api.account['id']}"
        if name == "administrator":
            changed(self.administrator.patch(account, {"role": "administrator"}))
        elif name == "foreign":
            self.enrol(api, self.academy, "registrar")
        elif name == "invited":
            self.offer(api)
        else:
            role = PLACES.get(name, name)
            programs = {"teacher": [self.ours], "colleague": [self.theirs]}.get(name, [])
            self.enrol(api, self.college, role, programs)
        if name == "administrator":
            api = self.server.api().sign_in(api.login, api.password)  # the role has ended the first session
        if name == "removed":
            changed(self.administrator.delete(f"/v1/institutions/{self.college}/members/{api.account['id']}"), 204)
        if name == "disabled":
            changed(self.administrator.patch(account, {"disabled": True}))
        return self.ended(api) if name == "ended" else api

    def person_to_be_found(self):
        """A new person whom everyone can find."""
        api = self.server.api().sign_up()
        changed(api.patch("/v1/accounts/me", {"discoverable": True}))
        return api

    def enrol(self, api, institution, role, programs=()):
        giver = self.administrator if role == "registrar" else self.registrars[institution]
        giver.makes_member(api, institution, role, programs)

    def offer(self, api):
        """An invitation that would make somebody a registrar of the college; its id."""
        path = f"/v1/institutions/{self.college}/members/{api.account['id']}"
        answer = self.administrator.call("PUT", path, {"role": "registrar"})
        return changed(answer, 202).json["invitation"]["id"]

    def ended(self, api):
        """The same person with a session that is over."""
        gone = self.server.api().sign_in(api.login, api.password)
        changed(gone.delete("/v1/sessions/current"), 204)
        return gone

    def new_record(self):
        """A record of the student's own with one course; its id and the course's."""
        made = self.student.post("/v1/records", {"program": self.ours})
        record = changed(made, 201).json["record"]["id"]
        added = self.student.post(f"/v1/records/{record}/entries", course())
        return record, changed(added, 201).json["entry"]["id"]

    def new_session(self):
        """Another session of the student in place of the last one, as an account has fifty at most; its id."""
        if self.session:
            self.student.delete(f"/v1/sessions/{self.session}")
        answer = self.server.api().post(
            "/v1/sessions", {"login": self.student.login, "password": self.student.password}
        )
        self.session = changed(answer, 201).json["session"]["id"]
        return self.session

    def standing_announcement(self):
        """An announcement of the college: another one only after a test has withdrawn the last, as a day has twenty."""
        with stored(self.server) as store:
            found = store.execute("SELECT id FROM announcements WHERE id = ?", (self.announcement,)).fetchone()
        if found is None:
            path = f"/v1/institutions/{self.college}/announcements"
            made = changed(self.people["registrar"].post(path, {"text": "Friday"}), 201)
            self.announcement = made.json["announcement"]["id"]
        return self.announcement

    def new_invitation(self):
        """An open invitation of the college."""
        path = f"/v1/institutions/{self.college}/invitations"
        answer = self.people["registrar"].post(path, {"role": "student"})
        return changed(answer, 201).json["invitation"]

    def place_of_service(self, method, pattern):
        """What the parts of the path of a service account name: one of its own only for a request that ends it."""
        registrar = self.people["registrar"]
        if pattern.endswith("{account}") and method == "DELETE":
            return {"account": new_service(registrar, self.college)["id"]}
        self.service = self.service or new_service(registrar, self.college)
        names = {"account": self.service["id"]}
        if "{secret}" in pattern:
            names["secret"] = new_secret(registrar, self.service)["id"]
        if "{token}" in pattern:
            path = f"{path_of(self.college)}/{self.service['id']}/tokens"
            made = registrar.post(path, {"name": "Matrix", "scopes": ["records:read"]})
            names["token"] = changed(made, 201).json["token"]["id"]
        return names

    def draft_changes(self):
        """Opens a draft of the program."""
        changed(self.people["registrar"].patch(f"/v1/programs/{self.ours}", {"configuration": {}}))

    def scopes(self, name):
        """The scopes that somebody may give a token."""
        return SCOPES if name == "administrator" else [scope for scope in SCOPES if scope not in GUARDED]

    def token(self, name, scope):
        """A caller with somebody's token of one scope."""
        if (name, scope) not in self.tokens:
            self.tokens[name, scope] = self.new_token(self.people[name], [scope])[0]
        return self.tokens[name, scope]

    def new_token(self, api, scopes):
        """A caller with a new token of somebody's, and the token as it is listed."""
        body = {"name": "Matrix", "scopes": scopes, "networks": ["127.0.0.0/8"]}
        token = changed(api.post("/v1/accounts/me/tokens", body), 201).json["token"]
        caller = self.server.api(token["token"])
        caller.account = api.account
        return caller, token

    def spent_tokens(self):
        """A token that its owner has ended, and one that has expired."""
        ended, token = self.new_token(self.administrator, SCOPES)
        changed(self.administrator.delete(f"/v1/accounts/me/tokens/{token['id']}"), 204)
        expired, token = self.new_token(self.administrator, SCOPES)
        with stored(self.server) as store:
            store.execute("UPDATE api_tokens SET expires_at = created_at WHERE id = ?", (token["id"],))
        return ended, expired

    def closed_class(self):
        """A class that has ended, with a student who has a result in it: its parts by name."""
        open_class = self.classroom
        closed = self.new_class()
        self.classroom = open_class
        changed(self.people["teacher"].patch(f"/v1/classes/{closed['class']}", {"state": "closed"}))
        return closed

    def new_correction(self):
        """A correction that the teacher asks for in the closed class, and the only one there; its id."""
        path = f"/v1/classes/{self.closed['class']}/corrections"
        for item in self.people["registrar"].get(path).json["items"]:
            if item["state"] == "waiting":
                changed(self.people["registrar"].delete(f"{path}/{item['id']}"))
        return changed(self.people["teacher"].post(path, self.correction_input()), 201).json["correction"]["id"]

    def class_for(self, method, pattern):
        """The class that a path names. One that is marked anonymously is revealed once."""
        if (method, pattern.rsplit("/", 1)[-1]) in (("POST", "{line}"), ("POST", "reveal")):
            self.sealed = self.anonymous_class()
            return self.sealed["class"]
        return (self.closed if "/corrections" in pattern else self.classroom)["class"]

    def anonymous_class(self):
        """A class of the teacher without students, whose midterm is marked anonymously, with one of its codes."""
        lines = [
            {"op": "add", "kind": "assessment", "in": "#0", "fields": {"name": name, "max": 100, "weight": weight}}
            for name, weight in (("Assignments", 30), ("Midterm", 30), ("Final", 40))
        ]
        lines[1]["marking"] = "anonymous"
        body = {"title": "Sets", "root": "course", "fields": {"title": "Sets", "credits": 3}, "lines": lines}
        teacher = self.people["teacher"]
        made = changed(teacher.post(f"/v1/programs/{self.ours}/classes", body), 201).json["class"]
        line = made["structure"]["lines"][2]["id"]
        codes = teacher.get(f"/v1/classes/{made['id']}/marking/{line}").json["codes"]
        return {"class": made["id"], "line": line, "code": codes[0]["code"]}

    def new_group(self):
        """A group of the class in a set of its own; its id."""
        body = {"set": uuid.uuid4().hex, "title": "Monday"}
        path = f"/v1/classes/{self.classroom['class']}/groups"
        group = changed(self.people["teacher"].post(path, body), 201).json["group"]["id"]
        self.groups.append(group)
        # A class has a limited number of them. Some of the requests have deleted theirs.
        if len(self.groups) > 20:
            self.people["teacher"].delete(f"{path}/{self.groups.pop(0)}")
        return group

    def new_comment(self):
        """A comment of the teacher on a result of the class; its id."""
        path = f"/v1/classes/{self.classroom['class']}/rows/{self.classroom['enrolment']}/comments"
        return changed(self.people["teacher"].post(path, self.comment_input()), 201).json["comment"]["id"]

    def comment_input(self):
        """A comment of staff on the one result of the class."""
        return {"line": self.classroom["line"], "for": "staff", "text": "Page 4"}

    def correction_input(self):
        """Another result than stands there by now."""
        cell = {"row": self.closed["enrolment"], "line": self.closed["line"], "value": next(self.corrected)}
        return {"cells": [cell], "reason": "Page 4"}

    def new_class(self):
        """A class of the teacher with a student in it, who has a result: its parts by name."""
        teacher = self.people["teacher"]
        lines = [
            {"op": "add", "kind": "assessment", "in": "#0", "fields": {"name": name, "max": 100, "weight": weight}}
            for name, weight in (("Assignments", 30), ("Midterm", 30), ("Final", 40))
        ]
        body = {"title": "Logic", "root": "course", "fields": {"title": "Logic", "credits": 3}, "lines": lines}
        made = changed(teacher.post(f"/v1/programs/{self.ours}/classes", body), 201).json["class"]
        self.classroom = {"class": made["id"], "root": made["structure"]["lines"][0]["id"]}
        self.classroom["line"] = made["structure"]["lines"][1]["id"]
        self.classroom["structure"] = str(made["structure"]["s"])
        self.classroom["enrolment"] = self.new_enrolment()
        row = f"/v1/classes/{made['id']}/rows/{self.classroom['enrolment']}"
        entered = changed(teacher.patch(row, {"cells": {self.classroom["line"]: {"value": 10}}}))
        return self.classroom | {"v": entered.json["v"]}

    def new_enrolment(self):
        """A new student in the class."""
        path = f"/v1/classes/{self.classroom['class']}/enrolments"
        answer = self.people["teacher"].post(path, {"student": self.new_member()})
        return changed(answer, 201).json["enrolment"]["id"]

    def new_rehearsal(self):
        """A rehearsal of the program's draft; its id."""
        self.draft_changes()
        answer = self.people["registrar"].post(f"/v1/programs/{self.ours}/rehearsals")
        return changed(answer, 202).json["rehearsal"]["id"]

    def new_import(self):
        """An import of results; its id."""
        body = {"student": self.student.account["id"]}
        answer = self.people["registrar"].post(f"/v1/programs/{self.ours}/results", body)
        return changed(answer).json["import"]["id"]

    def new_grader(self):
        """A new grader of the class; the account."""
        member = {"account": self.person("colleague").account["id"], "role": "grader"}
        changed(self.people["teacher"].post(f"/v1/classes/{self.classroom['class']}/staff", member))
        return member["account"]

    def set_picture(self):
        """Gives the student a picture."""
        path = f"/v1/accounts/{self.student.account['id']}/avatar"
        changed(self.student.call("PUT", path, picture(), content_type="image/png"), 204)

    def new_member(self):
        """Somebody whom the college may lose; the account."""
        return self.person("student").account["id"]

    def place(self, method, pattern):
        """What the parts of a path name when the thing is there. What a request may use up is made for it."""
        if (method, pattern) == ("POST", "/v1/programs/{program}/rehearsals"):
            self.draft_changes()
        if "/avatar" in pattern:
            self.set_picture()
        writes = method != "GET" and "{record}" in pattern
        record, entry = self.new_record() if writes else (self.record, self.entry)
        mine = pattern == "/v1/invitations/{invitation}"
        ends = (method, pattern) == ("DELETE", "/v1/classes/{class}/enrolments/{enrolment}")
        names = {
            "institution": lambda: self.college,
            "program": lambda: self.ours,
            "class": lambda: self.class_for(method, pattern),
            "correction": self.new_correction,
            "comment": self.new_comment,
            "group": self.new_group,
            "line": lambda: (self.sealed if method == "POST" else self.classroom)["line"],
            "enrolment": lambda: self.new_enrolment() if ends else self.classroom["enrolment"],
            "record": lambda: record,
            "entry": lambda: entry,
            "account": lambda: self.subject(method, pattern),
            "session": self.new_session,
            "announcement": self.standing_announcement,
            "invitation": lambda: self.offer(self.people["invited"]) if mine else self.new_invitation()["id"],
            "scheme": lambda: "chalkboard",
            "document": lambda: "iut",
            "earlier": lambda: "year1",
            "rehearsal": self.new_rehearsal,
            "import": self.new_import,
            "version": lambda: "1",
            "structure": lambda: self.classroom["structure"],
            "passkey": lambda: str(uuid.uuid4()),
            "term": self.new_term,
            "webhook": self.standing_webhook,
            "delivery": lambda: str(uuid.uuid4()),
            "token": lambda: str(uuid.uuid4()),
            "provider": lambda: "rosefire",
        }
        service = self.place_of_service(method, pattern) if "service-accounts/" in pattern else {}
        return service | {
            name: make() for name, make in names.items() if f"{{{name}}}" in pattern and name not in service
        }

    def standing_webhook(self):
        """A webhook of the college, made anew once somebody has ended it."""
        path = f"/v1/institutions/{self.college}/webhooks"
        items = changed(self.people["registrar"].get(path)).json["items"]
        if not items:
            items = [changed(self.people["registrar"].post(path, WEBHOOK), 201).json["webhook"]]
        return items[0]["id"]

    def new_term(self):
        """A year in which nothing stands yet."""
        answer = self.people["registrar"].post(f"/v1/institutions/{self.college}/terms", YEAR)
        return changed(answer, 201).json["term"]["id"]

    def subject(self, method, pattern):
        """The account that a path names."""
        if "followers" in pattern or (method, pattern.rsplit("/", 1)[-1]) == ("DELETE", "following"):
            return str(uuid.uuid4())  # without any follow
        if "/blocks/" in pattern:
            return self.person_to_be_found().account["id"]
        if "/staff/" in pattern:
            return self.new_grader()
        if "/avatar" in pattern or "{session}" in pattern:
            return self.student.account["id"]
        is_spent = "members" in pattern or (method, pattern) == ("DELETE", "/v1/accounts/{account}")
        return self.new_member() if is_spent else self.spare.account["id"]

    def body(self, method, pattern, who):
        """A sound body for a request."""
        if (method, pattern) == ("POST", "/v1/classes/{class}/corrections"):
            # Apart from the others, because each call takes one of a limited number of results.
            return self.correction_input()
        if method == "POST" and pattern.startswith("/v1/classes/{class}/marking/"):
            return {"cells": [{"code": self.sealed["code"], "value": 17}]}
        if (method, pattern) == ("POST", "/v1/classes/{class}/reveal"):
            return {"line": self.sealed["line"]}
        fresh = uuid.uuid4().hex
        bodies = {
            "POST /v1/accounts": {"login": f"new-{fresh}", "password": fresh, "displayName": "New"},
            "PATCH /v1/accounts/me": {"description": "changed"},
            "PUT /v1/accounts/me/password": {"current": getattr(who, "password", ""), "new": fresh},
            "PUT /v1/accounts/{account}/avatar": picture(),
            "PATCH /v1/accounts/{account}": {"disabled": False},
            "POST /v1/accounts/password": {"token": "x", "password": fresh},
            "PUT /v1/accounts/me/email": {"email": f"{fresh}@example.org"},
            "POST /v1/accounts/email": {"token": "x"},
            "POST /v1/accounts/reset": {"login": fresh},
            "POST /v1/accounts/first": {"token": "x", "login": fresh, "password": fresh, "displayName": "First"},
            "POST /v1/sessions": {"login": self.spare.login, "password": self.spare.password},
            "POST /v1/sessions/second-factor": {"challenge": "x", "code": "x"},
            "POST /v1/sessions/current/proof": {"password": "not the password"},
            "POST /v1/passkeys/options": {"purpose": "signIn"},
            "POST /v1/sessions/passkey": {
                "id": "eA",
                "clientDataJSON": "eA",
                "authenticatorData": "eA",
                "signature": "eA",
            },
            "POST /v1/accounts/me/passkeys": {"name": "Phone", "clientDataJSON": "eA", "attestationObject": "eA"},
            "PATCH /v1/accounts/me/passkeys/{passkey}": {"name": "Phone"},
            "PUT /v1/accounts/me/totp": {"code": "x"},
            "POST /v1/accounts/me/tokens": {"name": "Export", "scopes": ["profile:read"]},
            "POST /v1/sessions/{provider}": {"token": "x", "attempt": "x"},
            "POST /v1/accounts/me/identities/{provider}": {"token": "x", "attempt": "x"},
            "POST /stand-in/rosefire/tokens": {"person": "lovelace"},
            "POST /v1/evaluate": {"scheme": "chalkboard", "entries": []},
            "POST /v1/regulations/check": {"document": "# Rules", "laws": False},
            "POST /v1/institutions": {"slug": f"new-{fresh}", "title": "New"},
            "PATCH /v1/institutions/{institution}": {"title": "College"},
            "PUT /v1/institutions/{institution}/members/{account}": {"role": "student"},
            "PUT /v1/institutions/{institution}/members/{account}/student-number": {"studentNumber": fresh},
            "POST /v1/institutions/{institution}/invitations": {"role": "student"},
            "POST /v1/institutions/{institution}/service-accounts": {
                "name": "Timetables",
                "role": "teacher",
                "scopes": ["programs:read"],
            },
            "PATCH /v1/institutions/{institution}/service-accounts/{account}": {"name": "Timetables"},
            "POST /v1/institutions/{institution}/service-accounts/{account}/secrets": {"name": "Rack 2"},
            "POST /v1/institutions/{institution}/service-accounts/{account}/tokens": {
                "name": "Export",
                "scopes": ["records:read"],
            },
            "POST /v1/institutions/{institution}/webhooks": WEBHOOK,
            "PATCH /v1/institutions/{institution}/webhooks/{webhook}": {"title": "Registry"},
            "POST /v1/institutions/{institution}/terms": YEAR,
            "PATCH /v1/institutions/{institution}/terms/{term}": {"title": "2027"},
            "POST /v1/oauth/token": b"grant_type=client_credentials",
            "POST /v1/institutions/{institution}/programs": BOARD | {"title": f"New {fresh}"},
            "PATCH /v1/programs/{program}": {"title": "Ours"},
            "POST /v1/programs/{program}/publish": {"digest": fresh},
            "POST /v1/programs/{program}/recompute": {"digest": fresh},
            "POST /v1/programs/{program}/results": {"student": self.student.account["id"]},
            "POST /v1/programs/{program}/results/preview": {"student": self.student.account["id"]},
            "POST /v1/programs/{program}/classes": {
                "title": "Sets",
                "teacher": self.people["teacher"].account["id"],
                "root": "course",
                "fields": {"title": "Sets", "credits": 3},
            },
            "PATCH /v1/classes/{class}": {"title": "Sets"},
            "POST /v1/classes/{class}/rows/{enrolment}/preview": {"cells": {self.classroom["line"]: {"value": 17}}},
            "POST /v1/classes/{class}/rehearsals": {
                "changes": [{"op": "patch", "line": self.classroom["root"], "fields": {"credits": 4}}]
            },
            "POST /v1/classes/{class}/changes": {
                "changes": [{"op": "patch", "line": self.classroom["root"], "fields": {"credits": 4}}]
            },
            "POST /v1/classes/{class}/post": {"lines": [self.classroom["line"]]},
            "PATCH /v1/classes/{class}/rows/{enrolment}": {"cells": {self.classroom["line"]: {"value": 17}}},
            "POST /v1/classes/{class}/cells": {
                "cells": [{"row": self.classroom["enrolment"], "line": self.classroom["line"], "value": 12}]
            },
            "PATCH /v1/classes/{class}/enrolments/{enrolment}": {"section": None},
            "POST /v1/classes/{class}/sections": {"rows": [{"row": self.classroom["enrolment"], "section": None}]},
            "POST /v1/classes/{class}/transfers": {"enrolment": fresh, "to": fresh},
            "POST /v1/classes/{class}/groups": {"set": fresh, "title": "Monday"},
            "PATCH /v1/classes/{class}/groups/{group}": {"title": "Tuesday"},
            "POST /v1/classes/{class}/groups/{group}/members": {"join": [self.classroom["enrolment"]]},
            "POST /v1/classes/{class}/override": {
                "rows": [{"row": self.classroom["enrolment"], "figures": {"total": "3"}}],
                "reason": "Oral examination",
            },
            "POST /v1/classes/{class}/undo": {"v": self.classroom["v"]},
            "POST /v1/classes/{class}/rows/{enrolment}/comments": self.comment_input(),
            "PUT /v1/records/{record}/sharing": SHARING,
            "PUT /v1/feed/seen": {"at": "2026-11-21T09:31:05.120Z"},
            "PUT /v1/accounts/me/notices": {"types": {}},
            "POST /v1/institutions/{institution}/announcements": {"text": "Friday"},
            "POST /v1/records": {"program": self.ours},
            "PATCH /v1/records/{record}": {"fields": {}},
            "POST /v1/records/{record}/entries": course("Second"),
            "PATCH /v1/records/{record}/entries/{entry}": {"fields": {"credits": 4}},
            "PUT /v1/records/{record}/earlier/{earlier}": {"figures": {}},
            "POST /v1/records/{record}/changes": {"changes": [{"op": "add"} | course("Second")]},
            "POST /v1/records/{record}/what-if": {"changes": [{"op": "add"} | course("Second")]},
            "POST /v1/records/{record}/undo": {},
            "POST /v1/records/{record}/goals": {"figure": "gpa", "target": "3"},
        }
        if (method, pattern) == ("POST", "/v1/classes/{class}/staff"):
            return {"account": self.person("colleague").account["id"], "role": "observer"}
        if (method, pattern) == ("POST", "/v1/classes/{class}/enrolments"):
            return {"student": self.new_member()}
        if (method, pattern) == ("POST", "/v1/invitations/accept"):
            return {"token": self.new_invitation()["token"]}
        return bodies.get(f"{method} {pattern}")
