"""A program's life: rehearsing and publishing, the cohort, results."""

import json
import re

import pytest
from board import course, graded_program
from board import publish as publish_draft
from classroom import Classroom
from playwright.sync_api import expect
from waiting import eventually

STAYING = {"student", "staff"}


@pytest.fixture
def registrar(staff):
    """The demo's registrar."""
    return staff("registrar")


def publish(page, *sentences):
    """Publishes version 2 after reading what will happen."""
    page.get_by_role("button", name="Publish version 2").click()
    dialog = page.get_by_role("dialog")
    for sentence in sentences:
        expect(dialog).to_contain_text(sentence)
    dialog.get_by_role("button", name="Publish version 2").click()


def save_course_limit(page, number):
    page.get_by_text("More settings").click()
    page.locator('[name="/configuration/courseLimit"]').fill(number)
    # The message of an earlier draft may still be there.
    with page.expect_response(lambda answer: answer.request.method == "PATCH"):
        page.get_by_role("button", name="Save draft").click()
    expect(page.get_by_text("Saved.").last).to_be_visible()


@pytest.mark.slow("rehearses, publishes and moves records, each a job of the server")
def test_a_draft_is_rehearsed_and_published_and_its_records_move(registrar):
    program = graded_program(registrar, "Rehearsed rules", [61, 79, 85])
    bands = [
        {"label": "A", "from": 84, "points": 4},
        {"label": "B", "from": 70, "points": 3},
        {"label": "F", "from": 0, "points": 0},
    ]
    assert registrar.api("PATCH", f"/v1/programs/{program}", {"configuration": {"bands": bands}})["status"] == 200
    page = registrar.open(f"/programs/{program}/versions")
    expect(page.get_by_role("button", name="Publish version 2")).to_have_count(0)
    page.get_by_role("button", name="Rehearse the draft").click()
    expect(page.locator('[data-count="compared"] dd')).to_have_text("3")
    expect(page.locator('[data-count="letters"] dd')).to_have_text("3")
    letters = page.locator('tr[data-kind="letter"] td:last-child')
    eventually(page, lambda: sorted(letters.all_inner_texts()) == ["A", "B", "F"])
    with page.expect_download() as download:
        page.get_by_role("button", name="Everything as CSV").click()
    lines = download.value.path().read_text().splitlines()
    assert lines[0] == "record,account,displayName,entry,kind,figure,before,after,path,closed"
    assert sum(",letter," in line for line in lines) == 3
    page.locator('[name="/records"]').select_option("move")
    publish(page, "Version 2 takes effect today", "3 existing records move to it")
    expect(page.locator('.sweeps li[data-state="done"]')).to_contain_text("3 of 3 done")
    expect(page.get_by_role("button", name="Rehearse the draft")).to_have_count(0)
    expect(page.locator(".page-head").first).to_contain_text("Version 2")


@pytest.mark.slow("makes two classes, rehearses a draft over both, and publishes it with a move")
def test_what_changes_in_closed_classes_stands_apart_and_is_confirmed_by_its_number(registrar):
    body = {"scheme": "rose-hulman", "title": "Rules of closed classes", "entry": "staff"}
    program = registrar.api("POST", "/v1/institutions/demo/programs", body)["body"]["program"]["id"]
    publish_draft(registrar, f"/v1/programs/{program}")
    closed = Classroom(registrar, program=program, students=1)
    for room in (closed, Classroom(registrar, "Databases", program=program, students=2)):
        room.enter(-1, 3, 84.57)
    closed.call("PATCH", closed.path, {"state": "closed"})
    registrar.api("PATCH", f"/v1/programs/{program}", {"configuration": {"grade": {"scale": 1}}})
    page = registrar.open(f"/programs/{program}/versions")
    page.get_by_role("button", name="Rehearse the draft").click()
    changes, apart = (page.get_by_role("region", name=name) for name in ("What would change", "In closed classes"))
    for table, title in ((changes, "Databases"), (apart, "Compilers")):
        row = table.get_by_role("row").filter(has_text=f"{title} › Exams")
        expect(row).to_contain_text("84.57")
        expect(row).to_contain_text("84.6")
    expect(changes).not_to_contain_text("Compilers")
    expect(apart).not_to_contain_text("Databases")
    page.locator('[name="/records"]').select_option("move")
    page.get_by_role("button", name="Publish version 2").click()
    expect(page.get_by_role("dialog")).to_contain_text("1 record stays with its version, because something in a closed")
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    page.locator('[name="/records"]').select_option("move_closed")
    page.get_by_role("button", name="Publish version 2").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("In 1 of them something changes in a closed class")
    dialog.get_by_role("button", name="Publish version 2 and change closed classes in 1 record").click()
    expect(page.locator('.sweeps li[data-state="done"]')).to_contain_text("2 of 2 done")


def test_the_word_rehearsal_is_explained_where_it_first_stands(registrar):
    program = graded_program(registrar, "Explained rules", [85])
    page = registrar.open(f"/programs/{program}")
    expect(page.locator(".help")).to_have_count(1)
    registrar.api("PATCH", f"/v1/programs/{program}", {"configuration": {"courseLimit": 6}})
    page = registrar.open(f"/programs/{program}")
    expect(page.get_by_role("link", name="Rehearse and publish the draft")).to_be_visible()
    expect(page.locator(".help").last).to_contain_text("A rehearsal tries the saved draft on every record")


def test_publishing_tells_what_the_rehearsal_could_not_know(registrar):
    program = graded_program(registrar, "Overtaken rules", [85])
    bands = [{"label": "A", "from": 84, "points": 4}, {"label": "F", "from": 0, "points": 0}]
    registrar.api("PATCH", f"/v1/programs/{program}", {"configuration": {"bands": bands}})
    page = registrar.open(f"/programs/{program}/versions")
    page.get_by_role("button", name="Rehearse the draft").click()
    expect(page.get_by_role("button", name="Publish version 2")).to_be_visible()
    record = registrar.api("POST", "/v1/records", {"program": program})["body"]["record"]["id"]
    assert registrar.api("POST", f"/v1/records/{record}/entries", course("Latecomer", 70))["status"] == 201
    publish(page, "1 existing record keeps its version")
    card = page.locator(".since-card")
    expect(card).to_contain_text("1 record is not as it was rehearsed")
    expect(card.locator('tr[data-kind="letter"]')).to_contain_text("F")
    card.get_by_role("button", name="Got it").click()
    expect(card).to_have_count(0)


@pytest.mark.slow("saves and rehearses a draft twice, and publishes it")
def test_a_draft_that_has_changed_is_rehearsed_again(registrar):
    program = graded_program(registrar, "Changed rules", [85])
    page = registrar.open(f"/programs/{program}/rules")
    save_course_limit(page, "6")
    page.get_by_role("link", name="Rehearse it").click()
    page.get_by_role("button", name="Rehearse the draft").click()
    expect(page.get_by_role("button", name="Publish version 2")).to_be_visible()
    page.get_by_role("link", name="Rules").click()
    save_course_limit(page, "7")
    page.get_by_role("link", name="Versions").click()
    expect(page.get_by_role("button", name="Rehearse the draft")).to_be_visible()
    expect(page.get_by_role("button", name="Publish version 2")).to_have_count(0)
    page.get_by_role("button", name="Rehearse the draft").click()
    publish(page)
    expect(page.locator(".page-head").first).to_contain_text("Version 2")


def test_a_small_cohort_says_that_it_is_small_and_grows_live(registrar):
    program = graded_program(registrar, "Small cohort", [61, 62, 85, 86])
    page = registrar.open(f"/programs/{program}")
    page.get_by_role("link", name="Cohort").click()
    expect(page.locator(".empty")).to_contain_text("fewer than five")
    expect(page.locator(".bars")).to_have_count(0)
    for _ in range(5):
        assert registrar.api("POST", "/v1/records", {"program": program})["status"] == 201
    expect(page.locator(".lead")).to_have_text("9 records")
    expect(page.locator(".cohort")).to_contain_text("kept private")


def test_rows_are_imported_and_refused_ones_say_why(registrar):
    program = graded_program(registrar, "Imported results", [61, 62])
    records = [item["id"] for item in registrar.api("GET", f"/v1/records?program={program}")["body"]["items"]]
    page = registrar.open(f"/programs/{program}")
    page.get_by_role("link", name="Enter or release results").click()
    page.get_by_role("button", name="Check the rows").click()
    expect(page.get_by_role("alert")).to_have_text("There is no row to import.")
    page.locator('[name="/text"]').fill(
        "record;path;points\n"
        f"{records[0]};Algorithms/Final;92,5\n"
        f"{records[1]};Algorithms/Final;ninety\n"
        f"{records[1]};Algorithms/Viva;90\n"
    )
    page.locator('[name="/delimiter"]').select_option("semicolon")
    page.locator('[name="/decimal"]').select_option("comma")
    page.get_by_role("button", name="Check the rows").click()
    tried = page.locator(".preview tbody tr")
    expect(tried).to_have_count(3)
    expect(page.locator(".preview [role=status]")).to_contain_text("1 of 3 rows can be entered. 2 would be refused.")
    expect(tried.first).to_contain_text("ninety")
    # A refused row is shown as it was sent.
    expect(tried.first).to_contain_text(f"{records[1]} Algorithms › Final Points ninety")
    expect(tried.last).to_contain_text("Demo registrar")
    expect(tried.last).to_contain_text("Points 61 → 92.5")
    course = registrar.api("GET", f"/v1/records/{records[0]}")["body"]["record"]["entries"][0]
    assert course["children"][2]["fields"]["points"] == 61
    page.get_by_role("button", name="Enter 1 row").click()
    expect(page.locator(".import-result [role=status]")).to_have_text("Entered: 1. Refused: 2.")
    rows = page.locator(".import-result tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.first.locator("th")).to_have_text("2")
    expect(rows.first).to_contain_text("Algorithms › Final Points ninety")
    expect(rows.last).to_contain_text("Algorithms › Viva")
    course = registrar.api("GET", f"/v1/records/{records[0]}")["body"]["record"]["entries"][0]
    assert course["children"][2]["fields"]["points"] == 92.5


def test_an_import_whose_answer_was_lost_is_sent_again_as_the_same(registrar):
    program = graded_program(registrar, "Lost answers", [61])
    record = registrar.api("GET", f"/v1/records?program={program}")["body"]["items"][0]["id"]
    page = registrar.open(f"/programs/{program}/results")
    row = {"record": record, "path": "Algorithms/Final", "fields": {"points": 92}}
    before = registrar.api("GET", f"/v1/records/{record}/history")["body"]["items"]
    page.locator('[name="/text"]').fill(json.dumps(row))
    page.locator('[name="/format"]').select_option("lines")
    page.get_by_role("button", name="Check the rows").click()
    keys = []

    def lose_the_first(route):
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) > 1:
            route.continue_()
        else:
            assert route.fetch().status == 200
            route.abort()

    page.route(re.compile(r"/results(\?|$)"), lose_the_first)
    enter = page.get_by_role("button", name="Enter 1 row")
    enter.click()
    expect(page.locator(".toast")).to_be_visible()
    enter.click()
    expect(page.locator(".import-result [role=status]")).to_have_text("Entered: 1. Refused: 0.")
    assert keys[0] == keys[1]
    after = registrar.api("GET", f"/v1/records/{record}/history")["body"]["items"]
    assert len(after) == len(before) + 1


@pytest.mark.slow("imports six hundred rows by the page, and releases what they hide")
def test_a_file_is_imported_hidden_and_released(registrar, staff, tmp_path):
    program = graded_program(registrar, "Hidden results", [])
    owner = staff("student").api("GET", "/v1/accounts/me")["body"]
    record = registrar.api("POST", "/v1/records", {"program": program, "student": owner["id"]})["body"]["record"]["id"]
    added = {"changes": [{"op": "add", **course("Algorithms", 61)}]}
    assert registrar.api("POST", f"/v1/records/{record}/changes", added)["status"] == 200
    file = tmp_path / "final.jsonl"
    file.write_text(f'{{"record":"{record}","path":["Algorithms"],"fields":{{"credits":4}}}}\n' * 600)
    page = registrar.open(f"/programs/{program}/results")
    page.locator('[name="/file"]').set_input_files(file)
    expect(page.locator('[name="/format"]')).to_have_value("lines")
    page.locator('[name="/hidden"]').check()
    page.get_by_role("button", name="Check the rows").click()
    page.get_by_role("button", name="Enter 600 rows").click()
    expect(page.locator(".import-result h2")).to_have_text("Imported")
    expect(page.locator(".import-result [role=status]")).to_have_text("Entered: 600. Refused: 0.")
    page.get_by_role("button", name="Release Algorithms").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(f"1 student will see it: {owner['displayName']}.")
    dialog.get_by_role("button", name="Release").click()
    expect(page.get_by_text("Nothing is hidden in this program.")).to_be_visible()
    expect(page.locator('.sweeps li[data-state="done"]')).to_contain_text("1 of 1 done")


def test_a_version_that_waits_is_withdrawn(registrar):
    program = graded_program(registrar, "Waiting rules", [85])
    path = f"/v1/programs/{program}"
    registrar.api("PATCH", path, {"configuration": {"courseLimit": 7}})
    page = registrar.open(f"/programs/{program}/versions")
    page.get_by_role("button", name="Rehearse the draft").click()
    page.locator('[name="/effectiveFrom"]').fill("2999-01-01")
    publish(page, "Version 2 takes effect on Jan 1, 2999", "you can withdraw it")
    expect(page.locator(".page-head").first).to_contain_text("Version 1")
    page.get_by_role("button", name="Withdraw version 2").click()
    expect(page.get_by_role("dialog")).to_contain_text("Version 2 will not come into force")
    page.get_by_role("dialog").get_by_role("button", name="Withdraw").click()
    expect(page.get_by_role("button", name="Withdraw version 2")).to_have_count(0)
    page.get_by_role("link", name="Rules").click()
    page.get_by_text("More settings").click()
    expect(page.locator('[name="/configuration/courseLimit"]')).to_have_value("7")


def test_students_begin_and_remove_only_records_that_are_theirs_alone(registrar, student):
    program = graded_program(registrar, "Kept by staff", [])
    assert registrar.api("PATCH", f"/v1/programs/{program}", {"entry": "staff"})["status"] == 200
    page = student.open("/records")
    page.get_by_role("button", name="New record").click()
    expect(page.get_by_role("dialog").get_by_text("Four-course GPA")).to_be_visible()
    expect(page.get_by_role("dialog").get_by_text("Kept by staff")).to_have_count(0)
    assert registrar.api("PATCH", f"/v1/programs/{program}", {"entry": "both"})["status"] == 200
    record = student.api("POST", "/v1/records", {"program": program})["body"]["record"]["id"]
    student.open(f"/records/{record}", page)
    expect(page.get_by_role("button", name="What if?")).to_be_visible()
    expect(page.get_by_role("button", name="Delete record")).to_have_count(0)
