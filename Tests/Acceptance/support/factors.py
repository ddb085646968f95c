"""A second factor as its owner has it: an authenticator app, which oathtool plays, and recovery codes."""

import subprocess
import time

from client import changed


class App:
    """An authenticator app that has been set up for an account."""

    def __init__(self, api):
        setup = changed(api.post("/v1/accounts/me/totp"), 201).json
        self.secret, self.address, self.qr = setup["secret"], setup["address"], setup["qr"]
        self.confirm = lambda: api.call("PUT", "/v1/accounts/me/totp", {"code": self.code()})

    def code(self, later=0):
        """The code that the app shows, or will show in so many seconds."""
        moment = f"@{int(time.time()) + later}"
        command = ["oathtool", "--totp", "--base32", "--now", moment, self.secret]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.strip()

    def next_code(self):
        """A code that counts after the present one was used."""
        return self.code(30)


def enrolled(api):
    """The app and the recovery codes of an account that has a second factor from now on."""
    app = App(api)
    return app, changed(app.confirm()).json["recoveryCodes"]


def challenge(api, login, password):
    """What a right password is answered where it is not enough."""
    answer = api.post("/v1/sessions", {"login": login, "password": password})
    assert (answer.status, answer.json["code"]) == (401, "second_factor_required"), answer
    return answer.json
