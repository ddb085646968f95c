"""A program whose rules are a document of the library, from its draft to a record."""

import accessibility
from playwright.sync_api import expect
from waiting import eventually


def test_a_program_begins_with_a_document_of_the_library(staff):
    registrar = staff("registrar")
    page = registrar.open("/programs")
    page.get_by_role("button", name="New program").first.click()
    dialog = page.get_by_role("dialog")
    dialog.locator('[name="/title"]').fill("Points of our own")
    dialog.locator('[name="/scheme"]').select_option("regulations")
    dialog.locator('[name="/document"]').select_option("natural")
    dialog.get_by_role("button", name="Create draft").click()
    page.wait_for_url("**/regulation")
    program = page.url.split("/")[-2]
    expect(page.get_by_role("textbox", name="Text of the regulations")).to_have_value(
        registrar.api("GET", "/v1/regulations/library/natural")["body"]["document"]
    )
    # The section of the rules is the same editor.
    expect(page.get_by_role("link", name="Rules")).to_have_attribute("aria-current", "page")
    assert accessibility.violations(page) == []
    rehearsal = registrar.api("POST", f"/v1/programs/{program}/rehearsals")["body"]["rehearsal"]["id"]
    path = f"/v1/programs/{program}/rehearsals/{rehearsal}"
    eventually(page, lambda: registrar.api("GET", path)["body"]["rehearsal"]["state"] != "running")
    digest = registrar.api("GET", path)["body"]["rehearsal"]["digest"]
    published = registrar.api("POST", f"/v1/programs/{program}/publish", {"digest": digest})
    assert published["status"] == 200, published
    record = registrar.api("POST", "/v1/records", {"program": program})["body"]["record"]["id"]
    fields = {"title": "Lab", "score": 27, "max": 30}
    assert registrar.api("POST", f"/v1/records/{record}/entries", {"kind": "item", "fields": fields})["status"] == 201
    page = registrar.open(f"/records/{record}")
    expect(page.get_by_text("90.00").first).to_be_visible()
    expect(page.get_by_text("Lab").first).to_be_visible()
