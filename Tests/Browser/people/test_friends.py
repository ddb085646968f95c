"""Two browsers: follow, accept, see a friend's headline change, withdraw, and gone at once in the open window."""

import board
import pytest
from accessibility import violations
from playwright.sync_api import expect

# People sign up anew in browsers that stay.
STAYING = {"browser"}


def account(person):
    return person.api("GET", "/v1/accounts/me")["body"]["id"]


def befriend(one, other):
    for person in (one, other):
        assert person.api("PATCH", "/v1/accounts/me", {"discoverable": True})["status"] == 200
    for person, to in ((one, other), (other, one)):
        assert person.api("PUT", f"/v1/accounts/{account(to)}/following")["status"] == 201
        assert to.api("PUT", f"/v1/accounts/me/followers/{account(person)}")["status"] == 204


@pytest.mark.slow("leads two people from a link to friendship, and through what one shares and withdraws")
def test_a_friend_follows_what_is_shared_until_it_is_withdrawn(student, newcomer):
    friend = newcomer().sign_up()
    record = student.new_record("chalkboard")
    board.added(record, "Algorithms", "90", "80", "85")
    # The student hands out a link; the friend asks to follow, and is accepted and followed in return.
    page = student.open("/people", student.window())
    expect(page.get_by_text("No friends yet.")).to_be_visible()
    page.get_by_role("button", name="Make a new link").click()
    link = page.locator(".link-once code").inner_text()
    assert violations(page) == []
    other = friend.open(link.removeprefix(friend.url))
    assert "#" not in other.url
    assert violations(other) == []
    other.get_by_role("button", name="Follow").click()
    expect(other.get_by_text("asked on")).to_be_visible()
    page.reload()
    page.get_by_role("button", name="Accept").click()
    expect(page.get_by_role("heading", name="People who follow you")).to_be_visible()
    page.get_by_role("link", name="Ada Student").click()
    page.get_by_role("button", name="Follow").click()
    expect(page.get_by_text("You have asked to follow this person.")).to_be_visible()
    other.reload()
    other.get_by_role("button", name="Accept").click()
    expect(other.get_by_role("heading", name="Friends", level=2)).to_be_visible()
    other.locator(".card", has=other.get_by_role("heading", name="Friends", exact=True)).get_by_role("link").click()
    expect(other.get_by_text("You follow each other: you are friends.")).to_be_visible()
    expect(other.get_by_text("Nothing is shared with you.")).to_be_visible()
    # What is shared appears, changes and disappears.
    record.get_by_role("button", name="Who may see this").click()
    sheet = record.get_by_role("dialog")
    sheet.get_by_label("Friends").check()
    sheet.get_by_role("button", name="Save").click()
    expect(record.get_by_text("Sharing changed")).to_be_visible()
    other.reload()
    expect(other.locator(".shared")).to_contain_text("3.00")
    assert violations(other) == []
    board.added(record, "Analysis", "95", "95", "95")
    expect(other.locator(".shared")).to_contain_text("3.50")
    record.get_by_role("button", name="Who may see this").click()
    sheet.get_by_label("Friends").uncheck()
    sheet.get_by_role("button", name="Save").click()
    expect(other.locator(".shared")).to_have_count(0)
    expect(other.get_by_text("Nothing is shared with you.")).to_be_visible()


def test_a_person_is_blocked_and_unblocked(student, newcomer):
    other = newcomer().sign_up()
    befriend(student, other)
    page = student.open(f"/people/{account(other)}")
    page.get_by_role("button", name="Block").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("dialog").get_by_role("button", name="Block").click()
    expect(page.get_by_role("heading", name="People you block")).to_be_visible()
    assert violations(page) == []
    assert other.api("GET", f"/v1/people/{account(student)}")["status"] == 404
    page.get_by_role("button", name="Unblock").click()
    expect(page.get_by_role("heading", name="People you block")).to_have_count(0)


def test_ones_own_page_is_shown_as_others_see_it(student):
    page = student.new_record("chalkboard")
    board.added(page, "Algorithms", "90", "80", "85")
    path = f"/v1/records/{page.url.rsplit('/', 1)[1]}/sharing"
    assert student.api("PUT", path, {"what": "headline", "with": ["members"]})["status"] == 200
    page = student.open("/profile")
    page.get_by_role("link", name="How others see you").click()
    expect(page.get_by_text("They see nothing of your records.")).to_be_visible()
    page.get_by_role("radio", name="a member").check()
    expect(page.locator(".shared")).to_contain_text("3.00")
    assert violations(page) == []


def test_choices_are_kept(student):
    page = student.open("/people")
    page.get_by_label("People can find me").check()
    page.get_by_label("I accept followers one by one").uncheck()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.reload()
    expect(page.get_by_label("People can find me")).to_be_checked()
    expect(page.get_by_label("I accept followers one by one")).not_to_be_checked()


# The page also retries by itself, so requests fail until the button is pressed.
FAILING = """
    const { fetch } = window;
    let isPressed = false;
    addEventListener('click', () => { isPressed = true; }, true);
    window.fetch = (path, options) => (isPressed || !path.startsWith('/v1/accounts/me/friends') ? fetch(path, options)
        : Promise.resolve(new Response('{"code": "unavailable"}', { status: 503 })));
"""


def test_a_page_that_is_not_there_says_so_and_one_that_fails_can_be_tried_again(student):
    page = student.open("/people/0d9f2f9e-8f5c-4d7e-9a51-6a1d4a1f7c11")
    assert violations(page) == []
    page.add_init_script(FAILING)
    student.load("/people")
    page.get_by_role("button", name="Retry").click()
    expect(page.get_by_text("No friends yet.")).to_be_visible()


def test_guests_see_no_person(newcomer):
    page = newcomer().open("/people")
    expect(page.get_by_role("link", name="Sign in").first).to_be_visible()
    assert violations(page) == []


def test_how_others_see_ones_own_page_is_chosen_by_a_press_on_the_word(student):
    page = student.open(f"/people/{account(student)}")
    page.set_viewport_size({"width": 375, "height": 667})
    expect(page.get_by_role("radio")).to_have_count(3)
    for choice in page.locator("fieldset label").all():
        word, radio = choice.locator("span").bounding_box(), choice.locator("input").bounding_box()
        # The radio button covers its whole word, which shows whether it is selected.
        assert word["width"] - 1 <= radio["width"] <= word["width"] + 1
    assert violations(page) == []
    page.get_by_role("radio", name="a friend").check()
    expect(page.get_by_role("radio", name="a friend")).to_be_checked()
