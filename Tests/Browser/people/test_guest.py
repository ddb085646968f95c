"""What a person without an account can do."""

import board
from accessibility import violations
from playwright.sync_api import expect

# People sign up anew in browsers that stay.
STAYING = {"browser"}


def test_private_pages_show_the_slogan_and_the_way_in(newcomer):
    person = newcomer()
    for path in ("/records", "/records/some-record", "/programs", "/admin", "/institutions/demo/members"):
        page = person.open(path)
        expect(page.get_by_role("heading", name="Every grade, exact and live.")).to_be_visible()
        expect(page.locator("main").get_by_role("link", name="Sign in")).to_be_visible()


def test_a_guest_calculates_with_the_chalkboard(newcomer):
    person = newcomer()
    page = person.open("/explore")
    page.get_by_role("link").filter(has_text="halkboard").click()
    expect(page.locator(".board")).to_be_visible()
    board.added(page, "Algorithms", "90", "80", "85")
    expect(page.locator(".board-gpa")).to_have_text("GPA: 3.00")
    board.add(page, "algorithms", "90", "80", "85")
    expect(page.locator('.course-form [name="/fields/title"]')).to_have_attribute("aria-invalid", "true")
    board.delete(page, "7")
    expect(page.get_by_text("That course does not exist")).to_be_visible()
    board.delete(page, "1")
    expect(page.locator(".board-gpa")).to_have_text("GPA: ")


def test_a_guest_chooses_language_and_theme(newcomer):
    page = newcomer().open("/profile")
    page.locator('[name="language"][value="fr"]').check(force=True)
    expect(page.get_by_role("heading", name="Profil", exact=True)).to_be_visible()
    page.locator('[name="theme"][value="dark"]').check(force=True)
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_language_and_theme_are_reached_from_every_page_of_a_guest(newcomer):
    person = newcomer(viewport={"width": 320, "height": 568})
    for path in (
        "/",
        "/explore",
        "/explore/iut",
        "/sign-in",
        "/sign-up",
        "/records",
        "/security",
        "/reset",
        "/no/such/page",
    ):
        button = person.open(path).get_by_role("button", name="Language and theme")
        expect(button).to_be_visible()
        assert person.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    button.click()
    menu = person.page.get_by_role("menu", name="Language and theme")
    expect(menu.get_by_role("menuitemcheckbox", name="English")).to_be_focused()
    assert violations(person.page) == []
    menu.get_by_role("menuitemcheckbox", name="Dark").click()
    assert person.page.evaluate("document.documentElement.dataset.theme") == "dark"
    button.click()
    expect(menu.get_by_role("menuitemcheckbox", name="English")).to_be_focused()
    person.page.keyboard.press("ArrowDown")
    person.page.keyboard.press("Enter")
    expect(person.page.get_by_role("heading", name="Rien ici")).to_be_visible()
    expect(person.page.get_by_role("button", name="Langue et thème")).to_be_focused()


def test_an_unknown_address_says_so(newcomer):
    page = newcomer().open("/no/such/page/here")
    expect(page.get_by_role("heading", name="Nothing here")).to_be_visible()
