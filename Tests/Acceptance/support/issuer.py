"""An OpenID Connect issuer on loopback that also does what it should not: wrong keys, algorithms, claims and times."""

import base64
import hashlib
import hmac
import json
import re
import secrets
import subprocess
import time
import urllib.parse
import uuid

from service import Service

CLIENT, SECRET = "gradecast client", "a secret of the tests: + % &"


def encoded(value):
    """Base64url without padding, of bytes or of a value as JSON."""
    text = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(text).rstrip(b"=").decode()


class Key:
    """An RSA key of OpenSSL's. Signatures are made here: they owe nothing to the library that checks them."""

    def __init__(self, bits=2048):
        self.id = uuid.uuid4().hex[:8]
        pem = subprocess.run(["openssl", "genrsa", str(bits)], capture_output=True, check=True).stdout
        text = subprocess.run(
            ["openssl", "rsa", "-noout", "-text"], input=pem, capture_output=True, check=True
        ).stdout.decode()
        self.size = bits // 8
        self.modulus = self.number("modulus", text)
        self.parts = [self.number(name, text) for name in ("prime1", "prime2", "exponent1", "exponent2", "coefficient")]

    @staticmethod
    def number(name, text):
        digits = re.search(rf"{name}:((?:\n +[0-9a-f:]+)+)", text)[1]
        return int(re.sub(r"[^0-9a-f]", "", digits), 16)

    @property
    def public(self):
        """The key as others get it."""
        modulus = self.modulus.to_bytes(self.size, "big")
        return {"kty": "RSA", "use": "sig", "kid": self.id, "n": encoded(modulus), "e": "AQAB"}

    def power(self, block):
        """The private operation, in its fourfold faster form (RFC 8017, 5.1.2)."""
        message = int.from_bytes(block, "big")
        p, q, dp, dq, inverse = self.parts
        first, second = pow(message, dp, p), pow(message, dq, q)
        return (second + (first - second) * inverse % p * q).to_bytes(self.size, "big")

    def rs256(self, message):
        """RSASSA-PKCS1-v1_5 (RFC 8017, 8.2)."""
        prefix = bytes.fromhex("3031300d060960864801650304020105000420")
        digest = prefix + hashlib.sha256(message).digest()
        return self.power(b"\0\1" + b"\xff" * (self.size - len(digest) - 3) + b"\0" + digest)

    def ps256(self, message):
        """RSASSA-PSS (RFC 8017, 8.1)."""
        salt = uuid.uuid4().bytes * 2
        digest = hashlib.sha256(bytes(8) + hashlib.sha256(message).digest() + salt).digest()
        block = bytes(self.size - 66) + b"\1" + salt
        mask = b"".join(hashlib.sha256(digest + n.to_bytes(4, "big")).digest() for n in range(self.size // 32))
        masked = bytearray(a ^ b for a, b in zip(block, mask, strict=False))
        masked[0] &= 0x7F
        return self.power(bytes(masked) + digest + b"\xbc")


class EllipticKey:
    """A key of the curve P-256, whose signatures are made here as well (FIPS 186-4)."""

    P = 2**256 - 2**224 + 2**192 + 2**96 - 1
    N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
    G = (
        0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
        0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
    )

    def __init__(self):
        self.id = uuid.uuid4().hex[:8]
        self.secret = secrets.randbelow(self.N - 1) + 1
        self.point = self.times(self.secret)

    @classmethod
    def plus(cls, one, other):
        """The sum of two points; `None` is the point at infinity."""
        if one is None or other is None:
            return one or other
        (x1, y1), (x2, y2) = one, other
        if x1 == x2 and (y1 + y2) % cls.P == 0:
            return None
        rise, run = (3 * x1 * x1 - 3, 2 * y1) if one == other else (y2 - y1, x2 - x1)
        slope = rise * pow(run, -1, cls.P) % cls.P
        x3 = (slope * slope - x1 - x2) % cls.P
        return x3, (slope * (x1 - x3) - y1) % cls.P

    @classmethod
    def times(cls, number):
        """The multiple of the base point."""
        point, power = None, cls.G
        while number:
            if number & 1:
                point = cls.plus(point, power)
            number, power = number >> 1, cls.plus(power, power)
        return point

    @property
    def public(self):
        """The key as others get it."""
        x, y = (encoded(number.to_bytes(32, "big")) for number in self.point)
        return {"kty": "EC", "crv": "P-256", "use": "sig", "kid": self.id, "x": x, "y": y}

    def es256(self, message):
        """ECDSA with SHA-256, as RFC 7518 (3.4) writes it."""
        digest = int.from_bytes(hashlib.sha256(message).digest(), "big")
        once = secrets.randbelow(self.N - 1) + 1
        first = self.times(once)[0] % self.N
        second = pow(once, -1, self.N) * (digest + first * self.secret) % self.N
        return first.to_bytes(32, "big") + second.to_bytes(32, "big")


def signed(claims, key, header=None, algorithm="RS256"):
    """A token; `algorithm` says how it is signed, the header may claim another one."""
    header = {"alg": algorithm, "kid": key.id} | (header or {})
    text = f"{encoded({n: v for n, v in header.items() if v is not None})}.{encoded(claims)}"
    if algorithm == "none":
        return text + "."
    if algorithm == "HS256":  # with the public key as the secret
        signature = hmac.new(json.dumps(key.public).encode(), text.encode(), hashlib.sha256).digest()
    else:
        signature = getattr(key, algorithm.lower())(text.encode())
    return f"{text}.{encoded(signature)}"


class Issuer:
    """The issuer, with its people, codes and faults."""

    def __init__(self, keys=None):
        self.keys = keys or [Key()]
        self.codes = {}
        self.metadata = {}  # what differs from the truth
        self.asked = []  # the paths of the requests
        self.answers = {}  # by path: (status, bytes) in place of the right answer
        self.stalled = {}  # by path: an event until which the answer is not given
        self.visitor = None  # who signs in at the issuer's page; None declines
        self.service = Service(self.answer)
        self.url = self.service.url + "/realm"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        self.service.stop()

    @property
    def document(self):
        return {
            "issuer": self.url,
            "authorization_endpoint": self.url + "/authorize?tenant=1",
            "token_endpoint": self.url + "/token",
            "jwks_uri": self.url + "/keys",
            "authorization_response_iss_parameter_supported": True,
        } | self.metadata

    def grant(self, location, subject, make=None, **claims):
        """The person signs in at the address, just now unless `auth_time` says otherwise; the query with which the browser
        is sent back."""
        asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(location).query))
        assert asked["tenant"] == "1" and asked["response_type"] == "code" and asked["client_id"] == CLIENT, asked
        assert asked["code_challenge_method"] == "S256" and "openid" in asked["scope"].split(), asked
        now = int(time.time())
        said = {
            "iss": self.url, "sub": subject, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": asked["nonce"],
            "auth_time": now,
        } | claims  # fmt: skip
        said = {name: value for name, value in said.items() if value is not None}
        code = uuid.uuid4().hex
        token = (make or (lambda said: signed(said, self.keys[-1])))(said)
        self.codes[code] = (token, asked["code_challenge"], asked["redirect_uri"])
        return {"code": code, "state": asked["state"], "iss": self.url}

    def exchange(self, form, authorization):
        """The token endpoint: each code once, for the one who can show the verifier."""
        text = base64.b64decode(authorization.removeprefix("Basic ")).decode() if authorization else ":"
        client, _, secret = text.partition(":")
        if (urllib.parse.unquote(client), urllib.parse.unquote(secret)) != (CLIENT, SECRET):
            return 401, {"error": "invalid_client"}
        token, challenge, redirect = self.codes.pop(form.get("code"), (None, None, None))
        verifier = encoded(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        if token is None or challenge != verifier or redirect != form.get("redirect_uri"):
            return 400, {"error": "invalid_grant"}
        return 200, {"id_token": token, "access_token": "an access token", "token_type": "Bearer"}

    def visit(self, path):
        """The issuer's page, at which the visitor signs in at once; where the browser is sent back to."""
        asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(path).query))
        declined = {"error": "access_denied", "state": asked["state"], "iss": self.url}
        reply = self.grant(path, **self.visitor) if self.visitor else declined
        return asked["redirect_uri"] + "?" + urllib.parse.urlencode(reply)

    def answer(self, method, path, body, headers):
        if path.startswith("/realm/authorize?"):
            return 302, b"", self.visit(path)
        self.asked.append(path)
        if path in self.stalled:
            self.stalled[path].wait(60)
        if path in self.answers:
            status, content = self.answers[path]
            return (status, content, self.url + "/elsewhere") if 300 <= status < 400 else (status, content)
        if path == "/realm/.well-known/openid-configuration":
            return 200, json.dumps(self.document).encode()
        if path == "/realm/keys":
            return 200, json.dumps({"keys": [key.public for key in self.keys]}).encode()
        if path == "/realm/token" and method == "POST":
            form = dict(urllib.parse.parse_qsl(body.decode()))
            status, value = self.exchange(form, headers.get("Authorization"))
            return status, json.dumps(value).encode()
        return 404, b"{}"
