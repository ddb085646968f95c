"""The queue of mails, which loses nothing, and the mail server it goes to."""

import json
import ssl

import pytest
from mailing import ELSEWHERE, PUBLIC, address, configuration, confirm, eventually, hurried, request
from postbox import PASSWORD, USER, Postbox, authenticator, authority, link

import gradecast
from client import changed
from stored import kept


@pytest.fixture
def own(tmp_path):
    """Starts a server and a postbox of the test's own."""
    started = []

    def start(**more):
        box = Postbox()
        server = gradecast.Server(tmp_path, config=configuration(box.url, **more)).start()
        started.append((server, box))
        return server, box

    yield start
    for server, box in started:
        if server.process.poll() is None:
            server.kill()
        box.close()


# -- the queue


@pytest.mark.slow("waits for a mail that is put off twice; the courier looks once a second")
def test_a_mail_that_is_put_off_is_sent_later_as_the_same(own):
    server, box = own()
    api = server.api().sign_up()
    to = address()
    box.replies = ["451 later", "421 later still"]
    changed(request(api, to), 202)
    hurried(server, lambda: box.to(to))
    assert box.mail(to)["Message-ID"]
    assert box.seen == [to] * 3
    assert len(box.identifiers) == 1
    eventually(lambda: server.metric("gradecast_mails_sent_total"), 1)
    assert server.metric("gradecast_mails_postponed_total") == 2
    eventually(lambda: server.metric("gradecast_mails_waiting"), 0)  # counted at the end of the round
    assert to not in server.output(2**20)


@pytest.mark.slow("waits for the courier, which looks once a second, and for the end of its round")
def test_a_mail_that_is_refused_is_given_up_and_noted(own):
    server, box = own()
    api = server.api().sign_up()
    to = address()
    box.replies = ["550 there is no such mailbox"]
    changed(request(api, to), 202)
    eventually(lambda: server.metric("gradecast_mails_failed_total"), 1)
    eventually(lambda: server.metric("gradecast_mails_waiting"), 0)  # counted at the end of the round
    lines = api.get("/v1/accounts/me/export").json["audit"]
    refused = next(line for line in lines if line["action"] == "mail.refused")
    assert refused["detail"] == {"kind": "confirmation", "reply": 550}


@pytest.mark.slow("waits for a second attempt, and restarts its server in between")
def test_a_mail_waits_for_a_mail_server_that_is_down_and_outlives_a_restart(own):
    server, box = own()
    api = server.api().sign_up()
    to = address()
    box.close()
    changed(request(api, to), 202)
    eventually(lambda: server.metric("gradecast_mails_postponed_total") >= 1, True)
    assert server.stop() == 0
    box.open()
    server.start()
    hurried(server, lambda: box.to(to))
    _, token = link(box.mail(to))
    changed(server.api().post("/v1/accounts/email", {"token": token}), 204)


@pytest.mark.slow("restarts its server between two mails, for which the courier looks once a second")
def test_a_crash_between_sending_and_noting_sends_the_same_mail_again(own):
    server, box = own()
    api = server.api().sign_up()
    to = address()
    box.taken = lambda _: server.kill()
    changed(request(api, to), 202)
    first = box.mail(to)
    box.taken = lambda _: None
    server.process.wait()
    server.start()
    second = box.mail(to, 2)
    assert second["Message-ID"] == first["Message-ID"]
    assert link(second) == link(first)
    assert second.as_bytes() == first.as_bytes()


@pytest.mark.slow("waits for the second attempt of a mail that was put off")
def test_no_token_is_in_the_store(own):
    server, box = own()
    api = server.api().sign_up()
    to = address()
    box.replies = ["451 later"]
    changed(request(api, to), 202)
    hurried(server, lambda: box.to(to))
    _, token = link(box.mail(to))
    assert server.stop() == 0
    found = kept(server)
    assert to.encode() in found and token.encode() not in found


def test_the_mails_of_an_account_go_with_it(own):
    server, box = own()
    api = server.api().sign_up()
    to = address()
    box.close()
    changed(request(api, to), 202)
    changed(api.delete("/v1/accounts/me"), 204)
    eventually(lambda: server.metric("gradecast_mails_waiting"), 0)
    assert server.stop() == 0
    assert to.encode() not in kept(server)


# -- the mail server


@pytest.fixture
def certificate(tmp_path):
    return authority(tmp_path)


def tls(certificate):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    return context


def password_file(folder, content=PASSWORD):
    path = folder / "mail-password"
    path.write_text(content + "\n")
    path.chmod(0o600)
    return str(path)


@pytest.mark.slow("starts a server, and waits for a mail, for which the courier looks once a second")
def test_a_mail_server_with_tls_and_a_password(tmp_path, certificate):
    box = SecurePostbox(tls(certificate), authenticator=authenticator, auth_required=True, auth_require_tls=False)
    more = {"user": USER, "passwordFile": password_file(tmp_path), "authorities": str(certificate[0])}
    server = gradecast.Server(tmp_path, config=configuration(box.url, **more)).start()
    try:
        to = address()
        confirm(server.api().sign_up(), box, to)
    finally:
        server.kill()
        box.close()


class SecurePostbox(Postbox):
    """A mail server that speaks TLS from the first byte on."""

    def __init__(self, context, **more):
        super().__init__(ssl_context=context, **more)

    @property
    def url(self):
        return f"smtps://127.0.0.1:{self.port}"


class UpgradedPostbox(Postbox):
    """A mail server that turns to TLS when it is asked to, at a name that could be another machine's."""

    @property
    def url(self):
        return f"smtp://{ELSEWHERE}:{self.port}"


def test_a_connection_to_another_machine_turns_to_tls_before_the_password(tmp_path):
    certificate = authority(tmp_path, f"DNS:{ELSEWHERE}")
    box = UpgradedPostbox(
        tls_context=tls(certificate), require_starttls=True, authenticator=authenticator, auth_required=True
    )
    more = {"user": USER, "passwordFile": password_file(tmp_path), "authorities": str(certificate[0])}
    server = gradecast.Server(tmp_path, config=configuration(box.url, **more)).start()
    try:
        confirm(server.api().sign_up(), box, address())
    finally:
        server.kill()
        box.close()


def test_a_mail_server_elsewhere_without_tls_gets_no_mail_and_no_password(tmp_path):
    asked = []

    def listen(server, session, envelope, mechanism, data):
        asked.append(mechanism)
        return authenticator(server, session, envelope, mechanism, data)

    box = UpgradedPostbox(authenticator=listen, auth_required=True, auth_require_tls=False)
    more = {"user": USER, "passwordFile": password_file(tmp_path)}
    server = gradecast.Server(tmp_path, config=configuration(box.url, **more)).start()
    try:
        changed(request(server.api().sign_up(), address()), 202)
        eventually(lambda: server.metric("gradecast_mails_postponed_total") >= 1, True)
        assert (box.seen, asked) == ([], [])
    finally:
        server.kill()
        box.close()


@pytest.mark.parametrize("fault", ["authority", "password"])
def test_a_mail_server_that_is_not_trusted_or_does_not_trust_gets_nothing(tmp_path, certificate, fault):
    box = SecurePostbox(tls(certificate), authenticator=authenticator, auth_required=True, auth_require_tls=False)
    more = {"user": USER, "passwordFile": password_file(tmp_path, "wrong" if fault == "password" else PASSWORD)}
    if fault == "password":
        more["authorities"] = str(certificate[0])
    server = gradecast.Server(tmp_path, config=configuration(box.url, **more)).start()
    try:
        changed(request(server.api().sign_up(), address()), 202)
        eventually(lambda: server.metric("gradecast_mails_postponed_total") >= 1, True)
        assert box.mails == []
        assert PASSWORD not in server.output(2**20)
    finally:
        server.kill()
        box.close()


# -- without mail


def test_without_mail_there_is_none_and_links_are_handed_over(server, student, guest, registrar):
    assert guest.get("/v1/sign-in").json["mail"] is False
    assert student.get("/v1/accounts/me/email").status == 404
    assert request(student, address()).status == 404
    assert guest.post("/v1/accounts/reset", {"login": "ada"}).status == 404
    assert guest.post("/v1/accounts/email", {"token": "x"}).status == 404
    asked = registrar.post("/v1/institutions/demo/invitations", {"role": "student", "email": address()})
    assert asked.faults == [("unknown_field", "/email")]
    assert changed(registrar.post("/v1/institutions/demo/invitations", {"role": "student"}), 201)


@pytest.mark.parametrize("mail, fault", [
    ({"smtp": "http://mail.example.org", "from": "a@example.org"}, "/mail/smtp"),
    ({"smtp": "smtp://", "from": "a@example.org"}, "/mail/smtp"),
    ({"smtp": "smtps://mail.example.org", "from": "nobody"}, "/mail/from"),
    ({"smtp": "smtps://mail.example.org", "from": "A <a@example.org>", "passwordFile": "/x"}, "/mail/user"),
    ({"smtp": "smtps://mail.example.org"}, "/mail/from"),
])  # fmt: skip
def test_check_finds_what_is_wrong_with_mail(tmp_path, mail, fault):
    path = tmp_path / "config.json"
    path.write_text(json.dumps({"publicUrl": PUBLIC, "mail": mail}))
    result = gradecast.run("check", "--config", path, "--data", tmp_path / "data", "--port", 0)
    assert result.returncode == 1
    assert fault in result.stderr


def test_check_wants_a_public_address_and_a_private_password(tmp_path):
    path = tmp_path / "config.json"
    secret = tmp_path / "password"
    secret.write_text(PASSWORD)
    secret.chmod(0o644)
    mail = {"smtp": "smtp://127.0.0.1:1", "from": "a@example.org", "user": "a", "passwordFile": str(secret)}

    def check(config):
        path.write_text(json.dumps(config))
        return gradecast.run("check", "--config", path, "--data", tmp_path / "data", "--port", 0)

    assert "/publicUrl" in check({"mail": mail}).stderr
    assert "chmod 600" in check({"publicUrl": PUBLIC, "mail": mail}).stderr
    secret.chmod(0o600)
    sound = check({"publicUrl": PUBLIC, "mail": mail})
    assert sound.returncode == 0
    assert "does not take mail from here at this moment" in sound.stdout + sound.stderr
