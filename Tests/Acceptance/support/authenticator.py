"""An authenticator in software: it makes passkeys and signs with them as WebAuthn says, or as a test wants it wrong.

OpenSSL signs; what is CBOR here is the little that attestation objects need.
"""

import base64
import hashlib
import json
import pathlib
import subprocess
import tempfile

KINDS = {
    "ES256": ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
    "EdDSA": ["-algorithm", "ED25519"],
    "RS256": ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"],
}
PRESENT, VERIFIED, CREDENTIAL = 0x01, 0x04, 0x40


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def openssl(*arguments, **more):
    return subprocess.run(["openssl", *arguments], capture_output=True, check=True, timeout=60, **more).stdout


def head(kind, number):
    """The head of a value, in its shortest form."""
    for short, size, most in ((None, 0, 24), (24, 1, 1 << 8), (25, 2, 1 << 16), (26, 4, 1 << 32)):
        if number < most:
            first = number if short is None else short
            return bytes([kind << 5 | first]) + (number.to_bytes(size, "big") if size else b"")
    raise ValueError(number)


def cbor(value):
    if isinstance(value, int):
        return head(0, value) if value >= 0 else head(1, -1 - value)
    if isinstance(value, bytes):
        return head(2, len(value)) + value
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    return head(5, len(value)) + b"".join(cbor(key) + cbor(item) for key, item in value.items())


class Authenticator:
    """One authenticator with one passkey."""

    def __init__(self, origin, party="localhost", kind="ES256"):
        self.origin, self.party, self.kind = origin, party, kind
        self.key = openssl("genpkey", *KINDS[kind])
        self.id = hashlib.sha256(self.key).digest()
        self.counter = 0
        self.handle = None

    def public_key(self):
        der = openssl("pkey", "-pubout", "-outform", "DER", input=self.key)
        if self.kind == "ES256":
            return {1: 2, 3: -7, -1: 1, -2: der[-64:-32], -3: der[-32:]}
        if self.kind == "EdDSA":
            return {1: 1, 3: -8, -1: 6, -2: der[-32:]}
        modulus = openssl("rsa", "-noout", "-modulus", input=self.key).decode().strip().split("=")[1]
        return {1: 3, 3: -257, -1: bytes.fromhex(modulus), -2: b"\1\0\1"}

    def client_data(self, kind, challenge, **wrong):
        return json.dumps(
            {"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False} | wrong
        ).encode()

    def data(self, flags, rest=b"", party=None):
        digest = hashlib.sha256((party or self.party).encode()).digest()
        return digest + bytes([flags]) + self.counter.to_bytes(4, "big") + rest

    def sign(self, message):
        with tempfile.TemporaryDirectory() as folder:
            key, text = pathlib.Path(folder, "key"), pathlib.Path(folder, "text")
            key.write_bytes(self.key)
            text.write_bytes(message)
            if self.kind == "EdDSA":
                return openssl("pkeyutl", "-sign", "-rawin", "-inkey", key, "-in", text)
            return openssl("dgst", "-sha256", "-sign", key, text)

    def make(
        self, options, name="Phone", flags=PRESENT | VERIFIED | CREDENTIAL, party=None, form="none", key=None, **wrong
    ):
        """What a browser hands over of a new passkey."""
        self.handle = decode(options["user"]["id"])
        public_key = cbor(key or self.public_key())
        credential = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + public_key if flags & CREDENTIAL else b""
        statement = {"fmt": form, "attStmt": {}, "authData": self.data(flags, credential, party)}
        client_data = self.client_data("webauthn.create", options["challenge"], **wrong)
        return {"name": name, "clientDataJSON": encode(client_data), "attestationObject": encode(cbor(statement))}

    def use(self, options, flags=PRESENT | VERIFIED, party=None, handle=None, **wrong):
        """What a browser hands over of a passkey that was used."""
        client_data = self.client_data("webauthn.get", options["challenge"], **wrong)
        data = self.data(flags, party=party)
        signature = self.sign(data + hashlib.sha256(client_data).digest())
        return {
            "id": encode(self.id),
            "clientDataJSON": encode(client_data),
            "authenticatorData": encode(data),
            "signature": encode(signature),
            "userHandle": encode(handle or self.handle),
        }
