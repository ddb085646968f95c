"""API tokens for tests."""

from client import changed

TOKENS = "/v1/accounts/me/tokens"


def bearer(server, api, *scopes, **more):
    """A caller with a new token of somebody's."""
    token = changed(api.post(TOKENS, {"name": "Test", "scopes": list(scopes), **more}), 201).json["token"]
    caller = server.api(token["token"])
    caller.id = token["id"]
    return caller
