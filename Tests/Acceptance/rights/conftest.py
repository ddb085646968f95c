"""The callers of the table of access."""

import uuid

import pytest
from authenticator import Authenticator
from description import Description
from services import access, new_secret, new_service

import gradecast
from access import CONFIG, World
from client import changed


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    running = gradecast.Server(tmp_path_factory.mktemp("access"), config=CONFIG).start()
    world = World(running)
    world.description = Description(running.api().get("/openapi.json").json)
    yield world
    assert running.stop() == 0, running.output()


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
