"""What users do on the chalkboard."""

from playwright.sync_api import Page, expect


def add(page: Page, title: str, *points: str, credits: str = "3", weights=None):
    """Fills the form and presses Add Course."""
    page.fill('.course-form [name="/fields/title"]', title)
    page.fill('.course-form [name="/fields/credits"]', credits)
    for index, value in enumerate(points):
        page.fill(f'.course-form [name="/children/{index}/fields/points"]', value)
    for index, value in enumerate(weights or ()):
        page.fill(f'.course-form [name="/children/{index}/fields/weight"]', value)
    page.get_by_role("button", name="Add Course").click()


def added(page: Page, title: str, *points: str, **more):
    add(page, title, *points, **more)
    expect(page.locator(".board-line", has_text=title)).to_be_visible()
    expect(page.locator('.course-form [name="/fields/title"]')).to_have_value("Mobile programming")


def delete(page: Page, position: str):
    page.fill('[name="/position"]', position)
    page.get_by_role("button", name="Delete Course").click()


def course(title: str, total: float) -> dict:
    """A course in a request whose total is exactly `total`."""
    assessments = zip(("Assignments", "Midterm", "Final"), (30, 30, 40), strict=True)
    children = [
        {"kind": "assessment", "fields": {"name": name, "points": total, "max": 100, "weight": weight}}
        for name, weight in assessments
    ]
    return {"kind": "course", "fields": {"title": title, "credits": 3}, "children": children}


def publish(person, path: str):
    """Rehearses and publishes the draft of the program at `path`."""
    person.api("POST", path + "/rehearsals")
    rehearsal = {"state": "running"}
    while rehearsal["state"] == "running":
        rehearsal = person.api("GET", path + "/rehearsals")["body"]["items"][0]
    assert rehearsal["state"] == "done", rehearsal
    answer = person.api("POST", path + "/publish", {"digest": rehearsal["digest"]})
    # A server without time for it says when to ask again.
    while answer["status"] == 503:
        answer = person.api("POST", path + "/publish", {"digest": rehearsal["digest"]})
    assert answer["status"] == 200, answer


def graded_program(person, title: str, totals, institution: str = "demo") -> str:
    """A published program of an institution with one record for each total; each record has one course."""
    body = {"scheme": "chalkboard", "title": title, "entry": "both"}
    program = person.api("POST", f"/v1/institutions/{institution}/programs", body)["body"]["program"]["id"]
    publish(person, f"/v1/programs/{program}")
    for total in totals:
        record = person.api("POST", "/v1/records", {"program": program})["body"]["record"]["id"]
        answer = person.api(
            "POST", f"/v1/records/{record}/changes", {"changes": [{"op": "add", **course("Algorithms", total)}]}
        )
        assert answer["status"] == 200, answer
    return program
