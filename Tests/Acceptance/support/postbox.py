"""A mail server on loopback: it keeps what it takes, and refuses what a test has it refuse."""

import email
import email.policy
import re
import subprocess
import threading
import time

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult

import gradecast

USER, PASSWORD = "gradecast", "a password of the mail server's"


class Postbox:
    """Takes mails at `url` and keeps them, the newest last."""

    def __init__(self, port=None, **more):
        self.mails = []
        self.seen, self.identifiers = [], set()  # what was offered, whether or not it was taken
        self.replies = []  # what the next mails are answered instead of being taken
        self.taken = lambda mail: None  # called once a mail is kept, and before the client hears of it
        self.changed = threading.Condition()
        self.more = more
        self.port = port or gradecast.free_port()
        self.controller = None
        self.open()

    def open(self):
        """Listens, also once more after `close`."""
        self.controller = Postbox.Listener(self, hostname="127.0.0.1", port=self.port, **self.more)
        self.controller.start()

    def close(self):
        if self.controller:
            self.controller.stop()
        self.controller = None

    class Listener(Controller):
        def factory(self):
            return SMTP(self.handler, **self.SMTP_kwargs)

    @property
    def url(self):
        return f"smtp://127.0.0.1:{self.port}"

    # What aiosmtpd calls.

    async def handle_DATA(self, server, session, envelope):  # noqa: N802
        with self.changed:
            mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
            self.seen += envelope.rcpt_tos
            self.identifiers.add(mail["Message-ID"])
            reply = self.replies.pop(0) if self.replies else None
            if reply is None:
                mail.envelope = list(envelope.rcpt_tos)
                self.mails.append(mail)
                self.taken(mail)
            self.changed.notify_all()
        return reply or "250 OK"

    # What tests ask.

    def to(self, address):
        """The mails to an address, in the order in which they came."""
        return [mail for mail in self.mails if mail.envelope == [address]]

    def wait(self, holds, what):
        """Waits until something holds of this postbox."""
        deadline = time.monotonic() + gradecast.PATIENCE
        with self.changed:
            while not holds():
                left = deadline - time.monotonic()
                assert left > 0, f"{what}: {[(mail['To'], mail['Subject']) for mail in self.mails]}"
                self.changed.wait(left)

    def mail(self, address, number=1):
        """That mail to an address, once it is there."""
        self.wait(lambda: len(self.to(address)) >= number, f"mail {number} to {address}")
        return self.to(address)[number - 1]


def text(mail):
    return mail.get_body(("plain",)).get_content()


def html(mail):
    return mail.get_body(("html",)).get_content()


def link(mail):
    """The one link of a mail: its page, and the token behind `#`."""
    found = re.findall(r"https?://[^\s/]+(/\S*)#(\S+)", text(mail))
    assert len(found) == 1, text(mail)
    return found[0]


def authenticator(server, session, envelope, mechanism, data):
    """Lets in who knows the password."""
    right = (data.login, data.password) == (USER.encode(), PASSWORD.encode())
    return AuthResult(success=right, handled=False)


def authority(folder, name="IP:127.0.0.1"):
    """A certificate of a name that vouches for itself, and its key."""
    paths = folder / "mail.pem", folder / "mail-key.pem"
    make = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=127.0.0.1"
    alternative = ["-addext", f"subjectAltName={name}"]
    subprocess.run(
        [*make.split(), *alternative, "-out", paths[0], "-keyout", paths[1]], check=True, capture_output=True
    )
    return paths
