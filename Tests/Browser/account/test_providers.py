"""Sign-in with a provider to which the browser leaves and from which it comes back."""

import re

import accessibility
import board
import pytest
from conftest import configured
from issuer import CLIENT, SECRET, Issuer
from playwright.sync_api import expect
from test_second_factor import set_up, sign_out

# People sign up anew in browsers that stay.
STAYING = {"browser"}


@pytest.fixture(scope="module")
def issuer():
    with Issuer() as running:
        yield running


@pytest.fixture(scope="module")
def campus(tmp_path_factory, issuer):
    """A server with the issuer, under the address to which the issuer sends browsers back."""
    folder = tmp_path_factory.mktemp("providers")
    secret = folder / "secret"
    secret.write_text(SECRET)
    secret.chmod(0o600)
    entry = {"id": "university", "title": "University", "issuer": issuer.url, "clientId": CLIENT}
    configuration = {
        "signIn": {"oidc": [entry | {"clientSecretFile": str(secret)}]},
        "outbound": {"networks": ["127.0.0.0/8"]},
    }
    with configured(folder, configuration) as server:
        yield server


@pytest.fixture(scope="module")
def url(campus):
    return campus.url


def test_somebody_signs_in_and_is_led_to_the_page_asked_for(newcomer, issuer):
    issuer.visitor = {"subject": "ada", "name": "Ada Lovelace"}
    page = newcomer().open("/sign-in?next=%2Fsecurity")
    page.get_by_role("button", name="Continue with University").click()
    page.wait_for_url("**/security")
    expect(page.get_by_role("button", name="Remove University")).to_be_visible()


def test_a_guest_with_an_invitation_is_shown_it_after_signing_in_with_a_provider(newcomer, url, campus, issuer):
    issuer.visitor = {"subject": "joan", "name": "Joan Clarke"}
    registrar = newcomer().sign_in(*campus.sign_ins()["registrar"].values())
    path = "/v1/institutions/demo/invitations"
    token = registrar.api("POST", path, {"role": "student"})["body"]["invitation"]["token"]
    guest = newcomer()
    page = guest.open(f"/invitation#{token}")
    page.get_by_role("link", name="Sign up").click()
    expect(page.get_by_text("you see the invitation again once you have signed in")).to_be_visible()
    assert accessibility.serious(page) == []
    page.get_by_role("button", name="Continue with University").click()
    page.wait_for_url(f"{url}/")

    def roles():
        return [item["role"] for item in guest.api("GET", "/v1/memberships")["body"]["items"]]

    offer = page.get_by_role("listitem").filter(has=page.get_by_role("button", name="Accept"))
    expect(offer).to_contain_text("student")
    assert roles() == []
    assert accessibility.serious(page) == []
    offer.get_by_role("button", name="Accept").click()
    expect(offer).to_have_count(0)
    assert roles() == ["student"]


def test_what_came_back_stands_neither_in_the_address_nor_in_the_history(newcomer, issuer):
    issuer.visitor = None
    page = newcomer().open("/sign-in")
    page.get_by_role("button", name="Continue with University").click()
    expect(page.get_by_role("alert")).to_have_text("The provider did not sign you in.")
    assert re.fullmatch(r"http://localhost:\d+/sign-in/university", page.url)
    page.get_by_role("link", name="Back to sign-in").click()
    expect(page.get_by_role("button", name="Continue with University")).to_be_enabled()


def test_a_stolen_answer_signs_nobody_in(newcomer, issuer):
    """Login CSRF: the address to which an attacker's own sign-in came back, opened in the victim's browser."""
    issuer.visitor = {"subject": "mallory"}
    attacker, victim = newcomer(), newcomer()
    attacker.open("/sign-in")
    attempt = attacker.api("POST", "/v1/sign-in/university", {})["body"]
    page = victim.page
    page.goto(attempt["location"])
    expect(page.get_by_role("alert")).to_contain_text("begin again")
    assert victim.api("GET", "/v1/accounts/me")["status"] == 401
    assert "code=" not in page.url


def test_a_second_factor_on_the_way_back_still_leads_to_the_page_asked_for(newcomer, issuer):
    issuer.visitor = {"subject": "hedy", "name": "Hedy Lamarr"}
    person = newcomer()
    page = person.open("/sign-in?next=%2Fsecurity")
    page.get_by_role("button", name="Continue with University").click()
    page.wait_for_url("**/security")
    secret, codes = set_up(person)
    sign_out(person)
    page = person.open("/sign-in?next=%2Fexplore%2Fiut")
    page.get_by_role("button", name="Continue with University").click()
    expect(page.get_by_role("heading", name="Second factor")).to_be_visible()
    page.fill('[name="/code"]', codes[0])
    page.click("main button[type=submit]")
    page.wait_for_url("**/explore/iut")
    expect(page.locator(".record")).to_be_visible()


def test_who_gives_up_at_the_second_factor_is_led_back_to_sign_in(newcomer, issuer):
    issuer.visitor = {"subject": "katherine", "name": "Katherine Johnson"}
    person = newcomer()
    page = person.open("/sign-in?next=%2Fsecurity")
    page.get_by_role("button", name="Continue with University").click()
    page.wait_for_url("**/security")
    set_up(person)
    sign_out(person)
    page = person.open("/sign-in")
    page.get_by_role("button", name="Continue with University").click()
    page.get_by_role("button", name="Start again").click()
    page.get_by_role("link", name="Back to sign-in").click()
    expect(page.get_by_role("button", name="Continue with University")).to_be_enabled()


def test_what_a_guest_typed_is_there_after_signing_in_elsewhere(newcomer, issuer):
    issuer.visitor = {"subject": "emmy", "name": "Emmy Noether"}
    person = newcomer()
    page = person.open("/explore/chalkboard")
    board.added(page, "Abstract algebra", "90", "80", "85")
    page.locator("header").get_by_role("link", name="Sign in").click()
    page.get_by_role("button", name="Continue with University").click()
    page.wait_for_url("**/explore/chalkboard")
    expect(page.get_by_role("link", name="Profile")).to_be_visible()
    expect(page.locator(".board-line")).to_contain_text("Abstract algebra")
    sign_out(person)
    page = person.open("/explore/chalkboard")
    expect(page.locator(".course-form")).to_be_visible()
    expect(page.locator(".board-line")).to_have_count(0)


def test_an_account_is_linked_and_then_signed_in_to(newcomer, issuer):
    issuer.visitor = {"subject": "grace", "name": "Grace Hopper"}
    person = newcomer().sign_up()
    page = person.open("/security")
    page.get_by_role("button", name="Link University").click()
    expect(page.get_by_role("button", name="Remove University")).to_be_visible()
    other = newcomer()
    page = other.open("/sign-in")
    page.get_by_role("button", name="Continue with University").click()
    expect(page.get_by_role("heading", name="My work")).to_be_visible()
    assert other.api("GET", "/v1/accounts/me")["body"]["displayName"] == "Ada Student"


def test_an_administrator_reads_what_is_wrong_with_a_provider(newcomer, campus, issuer):
    page = newcomer().sign_in(*campus.sign_ins()["administrator"].values()).open("/admin/providers")
    card = page.locator(".provider", has_text="University")
    expect(card).to_contain_text(f"{campus.url}/sign-in/university")
    card.get_by_role("button", name="Test University").click()
    expect(card.locator("[data-outcome=doubtful]")).to_contain_text("PKCE")
    expect(card).to_contain_text("A sign-in would go through.")
    issuer.answers["/realm/keys"] = (503, b"")
    try:
        card.get_by_role("button", name="Test University").click()
        expect(card.locator("[data-outcome=failed]")).to_contain_text("503")
    finally:
        del issuer.answers["/realm/keys"]
    expect(card).to_contain_text("Nobody can sign in with it now.")


def test_the_provider_asks_again_in_a_window_of_its_own_and_the_act_goes_on(newcomer, issuer):
    issuer.visitor = {"subject": "grace", "name": "Grace Hopper", "auth_time": None}
    person = newcomer()
    page = person.open("/sign-in?next=%2Fsecurity")
    page.get_by_role("button", name="Continue with University").click()
    page.wait_for_url("**/security")
    page.evaluate("window.same = true")
    page.get_by_role("button", name="Set up an authenticator app").click()
    sheet = page.get_by_role("dialog", name="Is it you?")
    issuer.visitor = {"subject": "grace"}
    with page.expect_popup() as window:
        sheet.get_by_role("button", name="Confirm with University").click()
    expect(page.get_by_role("img", name="QR code for your authenticator app")).to_be_visible()
    expect(sheet).to_have_count(0)
    assert page.evaluate("window.same") is True
    if not window.value.is_closed():
        window.value.wait_for_event("close")


def test_a_provider_that_does_not_ask_again_confirms_nothing(newcomer, issuer):
    issuer.visitor = {"subject": "rosalind", "name": "Rosalind Franklin", "auth_time": None}
    person = newcomer()
    page = person.open("/sign-in?next=%2Fsecurity")
    page.get_by_role("button", name="Continue with University").click()
    page.wait_for_url("**/security")
    page.get_by_role("button", name="Set up an authenticator app").click()
    sheet = page.get_by_role("dialog", name="Is it you?")
    with page.expect_popup() as window:
        sheet.get_by_role("button", name="Confirm with University").click()
    expect(window.value.get_by_role("alert")).to_contain_text("was not accepted")
    expect(sheet).to_be_visible()
    sheet.get_by_role("button", name="Close").click()
    expect(page.get_by_role("button", name="Set up an authenticator app")).to_be_enabled()
