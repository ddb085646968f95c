"""The way of a person through a provider that speaks OpenID Connect."""

from issuer import CLIENT, SECRET

from client import changed

PUBLIC = "https://grades.example.org"


def configuration(folder, issuers, networks=("127.0.0.0/8",), **more):
    """A configuration with these issuers, by their names here."""
    secret = folder / "client-secret"
    secret.write_text(SECRET + "\n")
    secret.chmod(0o600)
    oidc = [
        {"id": name, "title": name.title(), "issuer": url, "clientId": CLIENT, "clientSecretFile": str(secret)} | more
        for name, url in issuers.items()
    ]
    return {"publicUrl": PUBLIC, "signIn": {"oidc": oidc}, "outbound": {"networks": list(networks)}}


def begin(api, provider="university", **wish):
    """Sets out; answers the cookie to come back with, and where the browser goes."""
    answer = changed(api.post(f"/v1/sign-in/{provider}", wish), 201)
    return answer.headers["Set-Cookie"].split(";")[0], answer.json["location"]


def come_back(api, reply, shown, provider="university", path="/v1/sessions/{}", **more):
    return api.post(path.format(provider), reply | more, cookie=shown)


def sign_in(server, issuer, subject, **more):
    """The whole way of a person who signs in."""
    api = server.api()
    cookie, location = begin(api)
    return come_back(api, issuer.grant(location, subject, **more), cookie)


LINKING = "/v1/accounts/me/identities/{}"
REFUSED = [("sign_in_refused", "/code")]
EXPIRED = [("sign_in_expired", "")]
