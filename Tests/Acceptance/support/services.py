"""Service accounts for tests."""

import base64
import urllib.parse

from client import changed

FORM = "application/x-www-form-urlencoded"
TOKEN = "/v1/oauth/token"


def path_of(institution):
    return f"/v1/institutions/{institution}/service-accounts"


def new_service(registrar, institution, **more):
    """A new service account of an institution."""
    body = {"name": "Timetables", "role": "registrar", "scopes": ["records:read", "programs:read", "roster:read"]}
    answer = registrar.post(path_of(institution), {**body, **more})
    return changed(answer, 201).json["serviceAccount"]


def new_secret(registrar, service, **more):
    """A new secret of a service account."""
    path = f"{path_of(service['institution'])}/{service['id']}/secrets"
    return changed(registrar.post(path, {"name": "Rack 2", **more}), 201).json["secret"]


def basic(client, secret):
    """The credentials by HTTP Basic."""
    return "Basic " + base64.b64encode(f"{client}:{secret}".encode()).decode()


def ask(api, service, secret, kind=FORM, post=False, **form):
    """A request for an access token with a secret, by HTTP Basic or in the body."""
    form = {"grant_type": "client_credentials"} | form
    headers = {"content_type": kind}
    if post:
        form |= {"client_id": service["id"], "client_secret": secret}
    else:
        headers["authorization"] = basic(service["id"], secret)
    return api.call("POST", TOKEN, urllib.parse.urlencode(form).encode(), **headers)


def access(server, service, secret, **form):
    """A caller with a new access token."""
    return server.api(changed(ask(server.api(), service, secret, **form)).json["access_token"])
