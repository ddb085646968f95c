"""What is typed and not sent when a session ends comes back for its author alone."""

import board
import pytest
from account import Account
from conftest import PASSWORD
from desk import sign_in
from playwright.sync_api import expect

# People sign up anew in browsers that stay.
STAYING = {"browser"}

FULL = ("100", "100", "100")
ADD_TITLE = '.course-form [name="/fields/title"]'
TITLE = '[name="/fields/title"]'
KEPT = "Object.keys(sessionStorage).filter(key => key.startsWith('gradecast.typed')).length"


def signed_out(page):
    """The link to sign in."""
    return page.locator("main, header").get_by_role("link", name="Sign in").last


def end_session(person, seals=True):
    """Ends the session elsewhere; the page learns of it over its live connection, and has kept what was typed."""
    Account(person.url, person.login).end_other_sessions()
    expect(signed_out(person.page)).to_be_visible()
    if seals:
        person.page.wait_for_function(f"() => {KEPT} > 0")


def lose_session(person, act):
    """The session is gone, and the page learns of it when `act` sends a request."""
    person.context.clear_cookies()
    act()
    expect(signed_out(person.page)).to_be_visible()


def sign_in_again(page, login, password=PASSWORD):
    signed_out(page).click()
    page.fill('[name="/login"]', login)
    page.fill('[name="/password"]', password)
    page.click("main button[type=submit]")


def live(page):
    expect(page.locator(".connection")).to_contain_text("Live")


@pytest.fixture
def page(student):
    page = student.new_record("chalkboard")
    live(page)
    return page


def without_sealing(page):
    page.add_init_script("Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined })")
    page.reload()
    live(page)


@pytest.mark.parametrize("seals", [True, False], ids=["sealed", "without-cryptography"])
def test_what_stands_in_a_form_is_there_after_signing_in_again(student, page, seals):
    if not seals:
        without_sealing(page)
    page.fill(ADD_TITLE, "Half typed")
    page.fill('[name="/children/1/fields/points"]', "87")
    end_session(student, seals)
    stored = page.evaluate("JSON.stringify([{...sessionStorage}, {...localStorage}])")
    assert "Half" not in stored
    assert page.evaluate(KEPT) == int(seals)
    sign_in_again(page, student.login)
    expect(page.locator(ADD_TITLE)).to_have_value("Half typed")
    expect(page.locator('[name="/children/1/fields/points"]')).to_have_value("87")
    expect(page.locator(".banner")).to_have_count(0)
    page.get_by_role("button", name="Add Course").click()
    expect(page.locator(".board-line")).to_have_text(["1) Half typed | 3"])
    assert page.evaluate(KEPT) == 0


def test_a_sheet_opens_again_with_what_was_typed(student, page):
    board.added(page, "Algebra", *FULL)
    page.locator(".board-line").click()
    sheet = page.get_by_role("dialog")
    sheet.locator(TITLE).fill("Linear algebra")
    end_session(student)
    sign_in_again(page, student.login)
    expect(sheet.locator(TITLE)).to_have_value("Linear algebra")
    sheet.get_by_role("button", name="Save").click()
    expect(page.locator(".board-line")).to_have_text(["1) Linear algebra | 3"])


def test_it_comes_back_twice(student, page):
    page.fill(ADD_TITLE, "Half typed")
    for _ in range(2):
        end_session(student)
        sign_in_again(page, student.login)
        expect(page.locator(ADD_TITLE)).to_have_value("Half typed")
        live(page)


def test_it_outlives_the_page_on_which_one_signs_in(student, page):
    page.fill(ADD_TITLE, "Half typed")
    end_session(student)
    signed_out(page).click()
    page.reload()
    page.fill('[name="/login"]', student.login)
    page.fill('[name="/password"]', PASSWORD)
    page.click("main button[type=submit]")
    expect(page.locator(ADD_TITLE)).to_have_value("Half typed")


@pytest.mark.slow("two people sign in one after the other, and each takes up what was typed")
@pytest.mark.parametrize("seals", [True, False], ids=["sealed", "without-cryptography"])
def test_another_person_neither_sees_nor_loses_it(student, page, newcomer, seals):
    other = newcomer().sign_up().login
    if not seals:
        without_sealing(page)
    path = page.url.removeprefix(student.url)
    page.fill(ADD_TITLE, "Secret course")
    end_session(student, seals)
    sign_in_again(page, other)
    expect(page.locator("main h1")).to_have_text("Nothing here")
    assert "Secret" not in page.content()
    page.locator("nav.tabs").get_by_role("link", name="Records").click()
    page.get_by_role("button", name="New record").click()
    page.locator('.option:has(img[src$="scheme-chalkboard.svg"])').first.click()
    page.get_by_role("button", name="Start it").click()
    expect(page.locator(ADD_TITLE)).to_have_value("Mobile programming")
    page.fill(ADD_TITLE, "Mine")
    page.locator(".me").click()
    page.get_by_role("button", name="Sign out", exact=True).click()
    page.locator("header").get_by_role("link", name="Sign in").click()
    page.fill('[name="/login"]', student.login)
    page.fill('[name="/password"]', PASSWORD)
    page.click("main button[type=submit]")
    expect(page.locator(".banner")).to_contain_text("Secret course")
    assert "Mine" not in page.content()
    page.locator(".banner").get_by_role("link", name="Continue").click()
    expect(page.locator(ADD_TITLE)).to_have_value("Secret course")
    assert page.url.endswith(path)


def test_what_was_tried_out_is_not_typed_into_the_record(student, page):
    board.added(page, "Algebra", *FULL)
    page.get_by_role("button", name="What if?").click()
    page.locator(".board-line").click()
    page.get_by_role("dialog").locator(TITLE).fill("Imagined")
    end_session(student)
    sign_in_again(page, student.login)
    expect(page.locator(".board-line")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".banner")).to_contain_text("Imagined")
    page.locator(".board-line").click()
    expect(page.get_by_role("dialog").locator(TITLE)).to_have_value("Algebra")


def test_a_password_is_never_kept(student):
    page = student.open("/security")
    fields = page.locator("input[type=password]")
    expect(fields).to_have_count(2)
    for field in fields.all():
        field.fill("another long passphrase")
    lose_session(student, page.get_by_role("button", name="Change the password").click)
    # The link in the page leads back to this page; the one above it comes first and does not.
    expect(page.locator("main").get_by_role("link", name="Sign in")).to_be_visible()
    sign_in_again(page, student.login)
    expect(page.get_by_role("heading", name="Sign-in and security")).to_be_visible()
    expect(fields).to_have_count(2)
    for field in fields.all():
        expect(field).to_have_value("")


def test_a_grade_that_was_unlocked_and_drafts_of_a_year_come_back(student):
    page = student.new_record("iut", sample=True)
    live(page)
    page.get_by_role("button", name="Unlock").first.click()
    page.locator(".grade-edit input[type=text]").fill("13.25")
    end_session(student)
    sign_in_again(page, student.login)
    expect(page.locator(".grade-edit input[type=text]")).to_have_value("13.25")
    page.get_by_role("button", name="Lock without saving").click()
    live(page)
    page.locator(".edit-bar").get_by_role("button", name="Edit").click()
    page.locator(".draft-name").first.fill("Another name")
    end_session(student)
    sign_in_again(page, student.login)
    expect(page.locator(".iut.editing")).to_be_visible()
    page.locator(".edit-bar").get_by_role("button", name="OK").click()
    expect(page.locator(".units h3").first).to_contain_text("Another name")


@pytest.fixture
def registrar(newcomer, server):
    if server is None:
        pytest.skip("needs the demo server's own sign-ins")
    return newcomer().sign_in(*server.sign_ins()["registrar"].values())


def again_as_registrar(registrar, server):
    sign_in_again(registrar.page, *server.sign_ins()["registrar"].values())


def test_rules_come_back_with_their_new_rows(registrar, server):
    program = board.graded_program(registrar, "Half typed rules", [80])
    page = registrar.open(f"/programs/{program}/rules")
    bands = page.locator('fieldset[class="settings-rows"]').first
    expect(bands.locator(".settings-row").first).to_be_visible()
    count = bands.locator(".settings-row").count()
    bands.get_by_role("button", name="Add").click()
    expect(bands.locator(".settings-row")).to_have_count(count + 1)
    bands.locator(".settings-row").last.locator("input").first.fill("Z")
    lose_session(registrar, page.get_by_role("button", name="Save draft").click)
    again_as_registrar(registrar, server)
    expect(bands.locator(".settings-row")).to_have_count(count + 1)
    expect(bands.locator(".settings-row").last.locator("input").first).to_have_value("Z")


def test_results_that_were_tried_are_still_typed(registrar, server):
    program = board.graded_program(registrar, "Half typed results", [80])
    page = registrar.open(f"/programs/{program}/results")
    page.fill('[name="/text"]', "nobody,nothing\n1,2")
    page.get_by_role("button", name="Check the rows").click()
    expect(page.get_by_role("button", name="Check the rows")).to_be_enabled()
    lose_session(registrar, page.get_by_role("button", name="Check the rows").click)
    again_as_registrar(registrar, server)
    expect(page.locator('[name="/text"]')).to_have_value("nobody,nothing\n1,2")


def test_a_form_that_is_not_open_says_what_was_typed_and_takes_it_later(newcomer, server):
    if server is None:
        pytest.skip("needs the demo server's own sign-ins")
    entry = server.sign_ins()["administrator"]
    administrator = newcomer().sign_in(*entry.values())
    page = administrator.open("/admin/accounts")

    def ask():
        page.locator(".record-link").first.get_by_role("button", name="Export").click()

    ask()
    reason = page.get_by_role("dialog").locator('[name="/reason"]')
    reason.fill("A request of the person")
    lose_session(administrator, page.get_by_role("dialog").locator("button[type=submit]").click)
    sign_in_again(page, *entry.values())
    expect(page.locator(".banner")).to_contain_text("A request of the person")
    ask()
    expect(reason).to_have_value("A request of the person")
    expect(page.locator(".banner")).to_have_count(0)


def test_it_can_be_discarded(student, page):
    page.fill(ADD_TITLE, "Half typed")
    end_session(student)
    sign_in(student.open("/sign-in"), student.login)
    banner = page.locator(".banner")
    expect(banner).to_contain_text("Half typed")
    banner.get_by_role("button", name="Discard").click()
    expect(banner).to_have_count(0)
    assert page.evaluate(KEPT) == 0
