"""Mail: an address of an account, links, notices, and limits against floods."""

import itertools
import uuid

import factors
import pytest
from mailing import PUBLIC, address, configuration, confirm, request
from postbox import html, link, text

import gradecast
from client import changed


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


def test_an_address_that_waits_goes_with_a_session_that_another_one_ends(campus, person, postbox):
    to = address()
    thief = campus.api().sign_in(person.login, person.password)
    changed(request(thief, to), 202)
    token = link(postbox.mail(to))[1]
    [other] = [item["id"] for item in person.get("/v1/sessions").json["items"] if not item["current"]]
    changed(person.delete(f"/v1/sessions/{other}"), 204)
    refused = campus.api().post("/v1/accounts/email", {"token": token})
    assert (refused.status, refused.faults) == (422, [("token_refused", "/token")])
    assert person.get("/v1/accounts/me/email").json["pending"] is None


def test_an_address_that_waits_outlives_the_end_of_a_session_by_itself_and_no_disabled_account(campus, person, postbox):
    to = address()
    changed(request(person, to), 202)
    token = link(postbox.mail(to))[1]
    other = campus.api().sign_in(person.login, person.password)
    changed(person.delete("/v1/sessions/current"), 204)
    assert changed(other.get("/v1/accounts/me/email")).json["pending"] == to
    administrator = campus.signed_in("administrator")
    for disabled in (True, False):
        changed(administrator.patch(f"/v1/accounts/{person.account['id']}", {"disabled": disabled}))
    refused = campus.api().post("/v1/accounts/email", {"token": token})
    assert (refused.status, refused.faults) == (422, [("token_refused", "/token")])


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
    assert title not in text(mail), "nor what it says"
    assert sorted(set(mail.keys())) == sorted(mail.keys())


# -- resets


@pytest.mark.slow("waits for two mails, for which the courier looks once a second")
def test_a_forgotten_password_is_reset_by_a_link(campus, person, postbox):
    to = confirm(person, postbox, address())
    guest = campus.api()
    changed(guest.post("/v1/accounts/reset", {"login": person.login.upper()}), 202)
    page, token = link(postbox.mail(to, 2))
    assert page == "/reset"
    changed(guest.post("/v1/accounts/password", {"token": token, "password": "another battery staple"}), 204)
    assert person.get("/v1/accounts/me").status == 401, "the sessions before have ended"
    guest.sign_in(person.login, "another battery staple")


@pytest.mark.slow("waits for four mails, for which the courier looks once a second")
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


@pytest.mark.slow("waits for nine mails, for which the courier looks once a second")
def test_strangers_who_ask_for_resets_use_up_none_of_the_owner_s(campus, person, postbox):
    credentials = {"login": person.login, "password": person.password}
    device = changed(campus.api().post("/v1/sessions", credentials), 201).json["device"]
    to = confirm(person, postbox, address())
    stranger, other = campus.api(), campus.api().sign_up()
    wish = {"login": person.login}
    for number in range(2, 7):
        changed(stranger.post("/v1/accounts/reset", wish), 202)
        postbox.mail(to, number)
    # From here on strangers get none, with a device of their own or another's session neither.
    foreign = changed(campus.api().post("/v1/sessions", {"login": other.login, "password": other.password}), 201)
    changed(stranger.post("/v1/accounts/reset", wish), 202)
    changed(stranger.post("/v1/accounts/reset", wish | {"device": foreign.json["device"]}), 202)
    changed(other.post("/v1/accounts/reset", wish), 202)
    changed(stranger.post("/v1/accounts/reset", wish | {"device": device}), 202)
    tokens = [link(postbox.mail(to, 7))[1]]
    changed(person.post("/v1/accounts/reset", wish), 202)
    tokens.append(link(postbox.mail(to, 8))[1])
    cookie = {"Cookie": f"gradecast-device={device}"}
    changed(stranger.post("/v1/accounts/reset", wish, **cookie), 202)
    tokens.append(link(postbox.mail(to, 9))[1])
    assert len(postbox.to(to)) == 9
    used = {"token": tokens[0], "password": "another battery staple"}
    changed(stranger.post("/v1/accounts/password", used), 204)
    for token in tokens:
        again = stranger.post("/v1/accounts/password", {"token": token, "password": "a third battery staple"})
        assert again.faults == [("token_refused", "/token")]


@pytest.mark.slow("waits for three mails, for which the courier looks once a second")
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


@pytest.mark.slow("waits for three mails, for which the courier looks once a second")
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


@pytest.mark.slow("waits for three mails, for which the courier looks once a second")
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


@pytest.mark.slow("waits for seven mails, for which the courier looks once a second")
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


@pytest.mark.slow("waits for two mails, for which the courier looks once a second")
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


@pytest.mark.slow("waits for two mails, for which the courier looks once a second")
def test_the_owner_is_told_that_the_account_was_deleted(campus, person, postbox):
    to = confirm(person, postbox, address())
    changed(person.call("PATCH", "/v1/accounts/me", {"locale": "fr"}))
    changed(person.delete("/v1/accounts/me"), 204)
    mail = postbox.mail(to, 2)
    assert mail["Subject"] == "Votre compte a été supprimé"
    assert f"Votre compte {person.login} sur grades.example.org a été supprimé." in text(mail)


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
