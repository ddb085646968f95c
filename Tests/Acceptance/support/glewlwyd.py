"""Glewlwyd, an OpenID Connect provider of others' making (Debian's package), on loopback with a database of its own."""

import gzip
import http.cookiejar
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

from gradecast import PATIENCE, free_port

PROGRAM = shutil.which("glewlwyd")
SCHEMA = pathlib.Path("/usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz")
SETTINGS = pathlib.Path("/etc/glewlwyd/glewlwyd.conf")
SCOPES = "openid profile"


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Hands a redirect over as an answer."""

    def redirect_request(self, *_):
        return None


class Person:
    """A browser at the provider, with its cookies."""

    def __init__(self, url):
        self.url = url
        cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self.opener = urllib.request.build_opener(NoRedirect, cookies)

    def call(self, method, path, body=None):
        """One request; the status, the headers and the JSON."""
        content = None if body is None else json.dumps(body).encode()
        url = path if path.startswith("http") else f"{self.url}/api{path}"
        request = urllib.request.Request(url, content, {"Content-Type": "application/json"}, method=method)
        try:
            with self.opener.open(request, timeout=PATIENCE) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as answer:
            return answer.code, answer.headers, answer.read()

    def done(self, method, path, body=None):
        """The same, where it has to succeed."""
        status, _, content = self.call(method, path, body)
        assert status == 200, (method, path, status, content)
        return content


class Glewlwyd:
    """The provider, with one client and its people."""

    def __init__(self, folder, client, secret, redirect):
        self.folder, self.client, self.secret, self.redirect = pathlib.Path(folder), client, secret, redirect
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.issuer = f"{self.url}/api/oidc"
        self.process = None

    def start(self):
        database = self.folder / "glewlwyd.db"
        with sqlite3.connect(database) as connection:
            connection.executescript(gzip.decompress(SCHEMA.read_bytes()).decode())
        log = self.folder / "glewlwyd.log"
        text = re.sub(r'@include "[^"]*glewlwyd-db.conf"', "", SETTINGS.read_text())
        replaced = {
            "port": str(self.port), "external_url": f'"{self.url}"', "log_file": f'"{log}"', "cookie_secure": "0",
        }  # fmt: skip
        for name, value in replaced.items():
            text = re.sub(rf"(?m)^{name}\s*=.*$", f"{name}={value}", text)
        path = self.folder / "glewlwyd.conf"
        path.write_text(
            text + f'\nbind_address="127.0.0.1"\ndatabase = {{ type = "sqlite3"; path = "{database}"; }};\n'
        )
        with log.open("ab") as output:
            self.process = subprocess.Popen(
                [PROGRAM, f"--config-file={path}"], stdout=output, stderr=output, env=os.environ
            )
        deadline = time.monotonic() + PATIENCE
        while not self.answers():
            assert self.process.poll() is None and time.monotonic() < deadline, log.read_text(errors="replace")
            time.sleep(0.05)
        self.furnish()
        return self

    def answers(self):
        try:
            return Person(self.url).call("GET", "/auth/")[0] > 0
        except OSError:
            return False

    def stop(self):
        self.process.terminate()
        self.process.wait(PATIENCE)

    def furnish(self):
        """The plugin for OpenID Connect, its scope and the client."""
        self.admin = self.signed_in("admin", "password")
        key, certificate = self.folder / "key.pem", self.folder / "certificate.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-keyout", key,
             "-out", certificate], check=True, capture_output=True,
        )  # fmt: skip
        parameters = {
            "iss": self.issuer, "jwt-type": "rsa", "jwt-key-size": "256", "key": key.read_text(),
            "cert": certificate.read_text(), "access-token-duration": 3600, "refresh-token-duration": 3600,
            "code-duration": 600, "refresh-token-rolling": True, "allow-non-oidc": False,
            "auth-type-code-enabled": True, "auth-type-code-revoke-replayed": True, "auth-type-token-enabled": False,
            "auth-type-id-token-enabled": True, "auth-type-none-enabled": False, "auth-type-password-enabled": False,
            "auth-type-client-enabled": False, "auth-type-device-enabled": False, "auth-type-refresh-enabled": False,
            "pkce-allowed": True, "pkce-required": True, "pkce-method-plain-allowed": False, "scope": [],
            "additional-parameters": [], "claims": [], "subject-type": "public", "jwks-show": True,
            "name-claim": "mandatory", "name-claim-scope": ["openid"],
        }  # fmt: skip
        module = {"module": "oidc", "name": "oidc", "display_name": "OpenID Connect", "parameters": parameters}
        self.admin.done("POST", "/mod/plugin/", module)
        self.admin.done("POST", "/scope/", {"name": "profile", "display_name": "Profile", "password_required": False})
        client = {
            "client_id": self.client, "name": "Gradecast", "confidential": True, "enabled": True,
            "client_secret": self.secret, "password": self.secret, "redirect_uri": [self.redirect],
            "authorization_type": ["code"], "scope": [], "token_endpoint_auth_method": ["client_secret_basic"],
        }  # fmt: skip
        self.admin.done("POST", "/client/?source=database", client)

    def add(self, login, name, password="a password of the tests"):
        """A new person at the provider."""
        scopes = ["g_profile", *SCOPES.split()]
        person = {"username": login, "name": name, "password": password, "enabled": True, "scope": scopes}
        self.admin.done("POST", "/user/?source=database", person)

    def signed_in(self, login, password="a password of the tests"):
        """A browser whose person has signed in at the provider."""
        person = Person(self.url)
        person.done("POST", "/auth/", {"username": login, "password": password})
        return person

    def grant(self, location, person):
        """The person goes to the address and agrees; the query with which the browser is sent back."""
        person.done("PUT", f"/auth/grant/{urllib.parse.quote(self.client)}", {"scope": SCOPES})
        status, headers, content = person.call("GET", location + "&g_continue")
        assert status == 302 and headers["Location"].startswith(self.redirect + "?"), (status, headers, content)
        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(headers["Location"]).query))
