"""The way of a person through Rosefire, and tokens as it makes them."""

import base64
import hashlib
import hmac
import json
import time
import uuid

import gradecast
from client import changed

SECRET, OLD = "a secret of the tests, longer than 32 bytes".replace(" ", "-"), "the-secret-before-" + "x" * 32


def encoded(value):
    text = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(text).rstrip(b"=").decode()


def signed(payload, header=None, secret=SECRET, digest=hashlib.sha256):
    """A token as Rosefire makes one."""
    text = f"{encoded(header or {'alg': 'HS256', 'typ': 'JWT'})}.{encoded(payload)}"
    return f"{text}.{encoded(hmac.new(secret.encode(), text.encode(), digest).digest())}"


def claims(uid=None, **more):
    person = {"uid": uid or f"u-{uuid.uuid4().hex[:12]}", "name": "A Person", "group": "STUDENT"}
    return {"v": 0, "iat": int(time.time()), "d": person} | more


def start(folder, demo=False, secrets=(SECRET, OLD), **rosefire):
    key = folder / "rosefire"
    key.write_text("\n".join(secrets))
    key.chmod(0o600)
    config = {"signIn": {"rosefire": {"registry": "an app/1", "secret": str(key)} | rosefire}}
    return gradecast.Server(folder, config=config, demo=demo)


def begin(api):
    """Sets out; the cookie to come back with, and the attempt."""
    answer = changed(api.post("/v1/sign-in/rosefire"), 201)
    cookie = answer.headers["Set-Cookie"]
    assert {"HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=600"} <= set(cookie.split("; "))
    return cookie.split(";")[0], answer.json["attempt"]


def come_back(api, token, outset=None, path="/v1/sessions/rosefire", **more):
    cookie, attempt = outset or begin(api)
    return api.post(path, {"token": token, "attempt": attempt} | more, cookie=cookie)


def signed_in(server, uid):
    """Somebody who has come by way of Rosefire."""
    api = server.api()
    answer = changed(come_back(api, signed(claims(uid, jti=uuid.uuid4().hex))), 201)
    api.token, api.account = answer.json["session"]["token"], answer.json["account"]
    return api
