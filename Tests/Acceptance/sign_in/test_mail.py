"""Mail: an address of an account, links, notices, and a queue that loses nothing and floods nobody."""

import itertools
import json
import ssl
import time
import uuid

import factors
import pytest
from postbox import PASSWORD, USER, Postbox, authenticator, authority, html, link, text

import gradecast
from client import changed

PUBLIC = "https://grades.example.org"
NAMES = itertools.count(1)
ELSEWHERE = "mail.localhost"  # on loopback too, but the server does not count it as its own machine


def configuration(url, **more):
    return {"publicUrl": PUBLIC, "mail": {"smtp": url, "from": "Gradecast <grades@example.org>"} | more}


def address():
    """An address that no other test has."""
    return f"person-{next(NAMES)}-{uuid.uuid4().hex[:8]}@example.net"


@pytest.fixture(scope="module")
def postbox():
    box = Postbox()
    yield box
    box.close()


@pytest.fixture(scope="module")
def campus(tmp_path_factory, postbox):
    running = gradecast.Server(tmp_path_factory.mktemp("mail"), config=configuration(postbox.url)).start()
    yield running
    assert running.stop() == 0, running.output()


@pytest.fixture
def person(campus):
    api = campus.api().sign_up()
    yield api
    api.close()


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


def request(api, to):
    return api.call("PUT", "/v1/accounts/me/email", {"email": to})


def confirm(api, postbox, to, number=1):
    """Sets an account's address and follows the link."""
    changed(request(api, to), 202)
    page, token = link(postbox.mail(to, number))
    assert page == "/email"
    changed(api.post("/v1/accounts/email", {"token": token}, authorization=None), 204)
    return to


def metric(server, name):
    lines = server.management().get("/metrics").body.decode().splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith(name + " "))


def eventually(read, wanted):
    deadline = time.monotonic() + gradecast.PATIENCE
    while (found := read()) != wanted:
        assert time.monotonic() < deadline, found
        time.sleep(0.05)


# -- an address


def test_an_address_counts_once_its_link_is_followed(person, postbox):
    to = address()
    answer = changed(request(person, to.replace("example.net", "EXAMPLE.net")), 202).json
    assert (answer["address"], answer["pending"]) == (None, to)
    page, token = link(postbox.mail(to))
    assert page == "/email"
    assert person.get("/v1/accounts/me/email").json["address"] is None
    changed(person.post("/v1/accounts/email", {"token": token}, authorization=None), 204)
    answer = person.get("/v1/accounts/me/email").json
    assert (answer["address"], answer["pending"], answer["pendingUntil"]) == (to, None, None)
    assert answer["confirmedAt"]
    again = person.post("/v1/accounts/email", {"token": token})
    assert again.faults == [("token_refused", "/token")]


def test_a_mail_is_a_whole_message(person, postbox):
    to = address()
    changed(request(person, to), 202)
    mail = postbox.mail(to)
    assert mail["From"] == "Gradecast <grades@example.org>"
    assert mail["To"].addresses[0].addr_spec == to
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["Content-Language"] == "en"
    assert mail["Message-ID"].endswith("@example.org>")
    assert mail["Date"].datetime.tzinfo is not None
    assert mail.get_content_type() == "multipart/alternative"
    page, token = link(mail)
    assert f'href="{PUBLIC}{page}#{token}"' in html(mail)
    assert "src=" not in html(mail) and "url(" not in html(mail)
    assert mail.defects == [] and all(part.defects == [] for part in mail.walk())


@pytest.mark.parametrize("language, subject", [
    ("en", "Confirm your e-mail address"), ("fr", "Confirmez votre adresse e-mail"), ("zh", "确认您的电子邮件地址"),
])  # fmt: skip
def test_a_mail_is_in_its_recipients_language(person, postbox, language, subject):
    to = address()
    person.language = language
    changed(request(person, to), 202)
    assert postbox.mail(to)["Subject"] == subject


def test_a_change_tells_the_address_before(person, postbox):
    first = confirm(person, postbox, address())
    second = confirm(person, postbox, address())
    notice = postbox.mail(first, 2)
    assert notice["Subject"] == "Your e-mail address was changed"
    assert person.login in text(notice)
    assert second not in text(notice)
    changed(person.delete("/v1/accounts/me/email"), 204)
    assert postbox.mail(second, 2)["Subject"] == "Your e-mail address was removed"
    assert person.get("/v1/accounts/me/email").json["address"] is None
    assert person.delete("/v1/accounts/me/email").status == 404


def test_another_wish_takes_the_place_of_the_first(person, postbox):
    first, second = address(), address()
    changed(request(person, first), 202)
    _, old = link(postbox.mail(first))
    changed(request(person, second), 202)
    _, new = link(postbox.mail(second))
    assert person.post("/v1/accounts/email", {"token": old}).faults == [("token_refused", "/token")]
    changed(person.post("/v1/accounts/email", {"token": new}), 204)
    assert person.get("/v1/accounts/me/email").json["address"] == second


def test_an_address_is_shown_to_its_owner_alone(campus, person, postbox):
    to = confirm(person, postbox, address())
    administrator = campus.signed_in("administrator")
    found = administrator.get(f"/v1/accounts?query={person.login}")
    assert to not in found.body.decode()
    assert to not in administrator.get(f"/v1/audit?subject={person.account['id']}").body.decode()
    assert person.get("/v1/accounts/me/export").json["email"]["address"] == to
    assert to not in campus.output(2**20)


@pytest.mark.parametrize("typed", [
    "ada", "@example.org", "ada@", "ada@localhost", "ada@127.0.0.1", "a b@example.org", "ada@example.org\nBcc: x@y.org",
    "ada@example.org,eve@example.org", "<ada@example.org>", '"a b"@example.org', "ada@exämple.org", "a..b@example.org",
    "ada@-example.org", "x" * 65 + "@example.org", "ada@" + "x." * 130 + "org",
])  # fmt: skip
def test_what_is_no_address_is_refused(person, typed):
    assert request(person, typed).faults == [("email_invalid", "/email")]


def test_names_cannot_become_headers(campus, postbox):
    administrator = campus.signed_in("administrator")
    title = "数据科学学院 =?x?= École"
    wish = {"title": title, "slug": f"s{uuid.uuid4().hex[:8]}"}
    institution = changed(administrator.post("/v1/institutions", wish), 201).json["institution"]["id"]
    to = address()
    invite(administrator, institution, to, "registrar")
    mail = postbox.mail(to)
    assert mail["Subject"] == "You have been invited to an institution", "a registrar chooses no subject"
    assert title in text(mail)
    assert sorted(set(mail.keys())) == sorted(mail.keys())


# -- resets


def test_a_forgotten_password_is_reset_by_a_link(campus, person, postbox):
    to = confirm(person, postbox, address())
    guest = campus.api()
    changed(guest.post("/v1/accounts/reset", {"login": person.login.upper()}), 202)
    page, token = link(postbox.mail(to, 2))
    assert page == "/reset"
    changed(guest.post("/v1/accounts/password", {"token": token, "password": "another battery staple"}), 204)
    assert person.get("/v1/accounts/me").status == 401, "the sessions before have ended"
    guest.sign_in(person.login, "another battery staple")


def test_asking_again_voids_no_link_and_using_one_voids_all(campus, person, postbox):
    to = confirm(person, postbox, address())
    stranger = campus.api()
    tokens = []
    for number in (2, 3, 4):
        changed(stranger.post("/v1/accounts/reset", {"login": person.login}), 202)
        tokens.append(link(postbox.mail(to, number))[1])
    used = {"token": tokens[0], "password": "another battery staple"}
    changed(stranger.post("/v1/accounts/password", used), 204)
    for token in tokens:
        again = stranger.post("/v1/accounts/password", {"token": token, "password": "a third battery staple"})
        assert again.faults == [("token_refused", "/token")]


def test_a_reset_does_not_skip_the_second_factor(campus, person, postbox):
    to = confirm(person, postbox, address())
    factors.enrolled(person)
    assert postbox.mail(to, 2)["Subject"] == "An authenticator app was added to your account"
    guest = campus.api()
    changed(guest.post("/v1/accounts/reset", {"login": person.login}), 202)
    _, token = link(postbox.mail(to, 3))
    changed(guest.post("/v1/accounts/password", {"token": token, "password": "another battery staple"}), 204)
    factors.challenge(guest, person.login, "another battery staple")


def test_asking_for_a_reset_tells_nothing_of_accounts(campus, person, postbox):
    guest = campus.api()
    with_address = campus.api().sign_up()
    to = confirm(with_address, postbox, address())
    answers = [
        guest.post("/v1/accounts/reset", {"login": login})
        for login in [with_address.login, person.login, "nobody-at-all", "\u202e", "x" * 500]
    ]
    assert {(answer.status, answer.body) for answer in answers} == {(202, b"")}
    assert len({tuple(sorted(answer.headers.keys())) for answer in answers}) == 1
    assert postbox.mail(to, 2)["Subject"] == "Set a new password"


@pytest.mark.parametrize("way", ["a new password", "sign-out everywhere"])
def test_what_ends_all_sessions_voids_an_address_that_was_not_confirmed(campus, person, postbox, way):
    to = address()
    changed(request(person, to), 202)
    _, token = link(postbox.mail(to))
    if way == "a new password":
        passwords = {"current": person.password, "new": "another long passphrase"}
        changed(person.call("PUT", "/v1/accounts/me/password", passwords), 204)
    else:
        administrator = campus.signed_in("administrator")
        changed(administrator.delete(f"/v1/accounts/{person.account['id']}/sessions"), 204)
    assert campus.api().post("/v1/accounts/email", {"token": token}).status == 422


def test_an_address_that_is_not_confirmed_is_sent_no_reset(campus, person, postbox):
    to = address()
    changed(request(person, to), 202)
    postbox.mail(to)
    other = campus.api().sign_up()
    there = confirm(other, postbox, address())
    guest = campus.api()
    changed(guest.post("/v1/accounts/reset", {"login": person.login}), 202)
    changed(guest.post("/v1/accounts/reset", {"login": other.login}), 202)
    # Wishes are answered in their order: what was asked first would have been sent by now.
    postbox.mail(there, 2)
    assert len(postbox.to(to)) == 1


# -- invitations and devices


def invite(api, institution, to, role="student"):
    path = f"/v1/institutions/{institution}/invitations"
    return changed(api.post(path, {"role": role, "email": to}), 201).json["invitation"]


def test_an_invitation_is_mailed_and_accepted(campus, person, postbox):
    registrar = campus.signed_in("registrar")
    to = address()
    invitation = invite(registrar, "demo", to)
    page, token = link(postbox.mail(to))
    assert (page, token) == ("/invitation", invitation["token"])
    changed(person.post("/v1/invitations/accept", {"token": token}), 201)


def test_a_new_device_is_told_to_the_owner_once(campus, person, postbox):
    to = confirm(person, postbox, address())
    credentials = {"login": person.login, "password": person.password}
    known = changed(campus.api().post("/v1/sessions", {**credentials, "deviceName": "Ada’s phone"}), 201).json["device"]
    mail = postbox.mail(to, 2)
    assert mail["Subject"] == "Sign-in from a new device"
    assert "Ada’s phone" in text(mail) and "127.0.0.1" in text(mail)
    changed(campus.api().post("/v1/sessions", {**credentials, "device": known}), 201)
    changed(campus.api().post("/v1/sessions", credentials), 201)  # within the quarter of an hour
    changed(campus.api().post("/v1/accounts/reset", {"login": person.login}), 202)
    assert postbox.mail(to, 3)["Subject"] == "Set a new password"


def test_what_changes_the_ways_into_an_account_is_told_to_its_owner(campus, person, postbox):
    to = confirm(person, postbox, address())
    number = itertools.count(2)

    def told(subject, source="127.0.0.1"):
        mail = postbox.mail(to, next(number))
        assert mail["Subject"] == subject
        assert subject in text(mail) and person.login in text(mail) and source in text(mail)
        assert "http" not in text(mail)

    passwords = {"current": person.password, "new": "another long passphrase"}
    changed(person.call("PUT", "/v1/accounts/me/password", passwords), 204)
    told("Your password was changed")
    app, codes = factors.enrolled(person)
    told("An authenticator app was added to your account")
    changed(person.post("/v1/accounts/me/tokens", {"name": "Export", "scopes": ["profile:read"]}), 201)
    told("An API token was made for your account")
    waiting = factors.challenge(campus.api(), person.login, "another long passphrase")
    shown = {"challenge": waiting["challenge"], "code": codes[0]}
    changed(campus.api().post("/v1/sessions/second-factor", shown), 201)
    subjects = {postbox.mail(to, next(number))["Subject"] for _ in range(2)}
    assert subjects == {"A recovery code of your account was used", "Sign-in from a new device"}
    command = ("account", "second-factor", "--remove", person.login, "--data", campus.data)
    assert gradecast.run(*command).returncode == 0
    told("The second factor of your account was removed", "by an administrator, or on the server")


@pytest.mark.parametrize(
    ("language", "subject"), [("fr", "Votre mot de passe a été modifié"), ("zh-Hans", "您的密码已更改")]
)
def test_a_notice_is_in_its_owner_s_language(person, postbox, language, subject):
    to = confirm(person, postbox, address())
    changed(person.patch("/v1/accounts/me", {"locale": language}))
    passwords = {"current": person.password, "new": "another long passphrase"}
    changed(person.call("PUT", "/v1/accounts/me/password", passwords), 204)
    mail = postbox.mail(to, 2)
    assert mail["Subject"] == subject and subject in text(mail) and subject in html(mail)


# -- floods


def test_nobody_is_flooded(campus, person, postbox):
    to = address()
    answers = []
    for api in [person, campus.api().sign_up()]:
        answers += [request(api, to) for _ in range(4)]
    assert [answer.status for answer in answers] == [202] * 5 + [429] * 3
    assert 0 < int(answers[-1].headers["Retry-After"]) <= 3600
    own = [request(person, address()).status for _ in range(3)]
    assert own == [202, 429, 429], "an account has five an hour, to whatever address"


# -- the queue


def test_a_mail_that_is_put_off_is_sent_later_as_the_same(own):
    server, box = own()
    api = server.api().sign_up()
    to = address()
    box.replies = ["451 later", "421 later still"]
    changed(request(api, to), 202)
    assert box.mail(to)["Message-ID"]
    assert box.seen == [to] * 3
    assert len(box.identifiers) == 1
    eventually(lambda: metric(server, "gradecast_mails_sent_total"), 1)
    assert metric(server, "gradecast_mails_postponed_total") == 2
    assert metric(server, "gradecast_mails_waiting") == 0
    assert to not in server.output(2**20)


def test_a_mail_that_is_refused_is_given_up_and_noted(own):
    server, box = own()
    api = server.api().sign_up()
    to = address()
    box.replies = ["550 there is no such mailbox"]
    changed(request(api, to), 202)
    eventually(lambda: metric(server, "gradecast_mails_failed_total"), 1)
    assert metric(server, "gradecast_mails_waiting") == 0
    lines = api.get("/v1/accounts/me/export").json["audit"]
    refused = next(line for line in lines if line["action"] == "mail.refused")
    assert refused["detail"] == {"kind": "confirmation", "reply": 550}


def test_a_mail_waits_for_a_mail_server_that_is_down_and_outlives_a_restart(own):
    server, box = own()
    api = server.api().sign_up()
    to = address()
    box.close()
    changed(request(api, to), 202)
    eventually(lambda: metric(server, "gradecast_mails_postponed_total") >= 1, True)
    assert server.stop() == 0
    box.open()
    server.start()
    _, token = link(box.mail(to))
    changed(server.api().post("/v1/accounts/email", {"token": token}), 204)


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


def test_no_token_is_in_the_store(own):
    server, box = own()
    api = server.api().sign_up()
    to = address()
    box.replies = ["451 later"]
    changed(request(api, to), 202)
    _, token = link(box.mail(to))
    assert server.stop() == 0
    stored = b"".join(path.read_bytes() for path in server.data.iterdir() if path.is_file())
    assert to.encode() in stored
    assert token.encode() not in stored


def test_the_mails_of_an_account_go_with_it(own):
    server, box = own()
    api = server.api().sign_up()
    to = address()
    box.close()
    changed(request(api, to), 202)
    changed(api.delete("/v1/accounts/me"), 204)
    eventually(lambda: metric(server, "gradecast_mails_waiting"), 0)
    assert server.stop() == 0
    assert to.encode() not in (server.data / "gradecast.db").read_bytes()


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
        eventually(lambda: metric(server, "gradecast_mails_postponed_total") >= 1, True)
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
        eventually(lambda: metric(server, "gradecast_mails_postponed_total") >= 1, True)
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
