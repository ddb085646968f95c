"""The editor of regulations: a document of the library, its faults and examples, its versions, and a student's page."""

import re

import accessibility
import board
import pytest
from playwright.sync_api import expect
from waiting import eventually

STAYING = {"student", "staff"}

DOCUMENT = "coursework"


def text_of(page):
    return page.get_by_role("textbox", name="Text of the regulations")


def typed(page, before: str, after: str):
    """Replaces a part of the text like a user who types over it."""
    area = text_of(page)
    text = area.input_value()
    assert text.count(before) == 1, before
    start = len(text[: text.index(before)].encode("utf-16-le")) // 2
    area.evaluate(
        "(area, [start, end]) => { area.focus(); area.setSelectionRange(start, end); }", [start, start + len(before)]
    )
    page.keyboard.insert_text(after)


def result(page, name: str):
    return page.locator(".results tr", has=page.get_by_role("button", name=name, exact=True))


def with_laws(request, text: str) -> bool:
    """Whether a request tries a text with the laws of grading, which is the page's last request."""
    if not request.url.endswith("/v1/regulations/check"):
        return False
    return request.post_data_json["laws"] and text in request.post_data_json["document"]


def program_of(registrar, document: str = DOCUMENT, **more) -> str:
    text = registrar.api("GET", f"/v1/regulations/library/{document}")["body"]["document"]
    body = {"scheme": "regulations", "title": "Own rules", "entry": "both", "configuration": {"document": text}} | more
    return registrar.api("POST", "/v1/institutions/demo/programs", body)["body"]["program"]["id"]


def opened(registrar, program: str):
    page = registrar.open(f"/programs/{program}/regulation")
    expect(page.get_by_text("No fault", exact=True)).to_be_visible()
    return page


@pytest.fixture
def registrar(staff):
    return staff("registrar")


def test_the_text_is_that_of_the_program_to_which_one_goes(registrar):
    page = opened(registrar, program_of(registrar))
    other = program_of(registrar, "us-gpa")
    opened(registrar, other)
    text = registrar.api("GET", "/v1/regulations/library/us-gpa")["body"]["document"]
    expect(text_of(page)).to_have_value(text)
    typed(page, text[:20], "# Of our own")
    expect(page.locator(".paper-frame")).to_contain_text("# Of our own")


def test_what_a_word_processor_makes_of_a_text_is_mended_by_its_fixes(registrar):
    page = opened(registrar, program_of(registrar))
    text = text_of(page).input_value()
    slips = [
        ("* per_day", "× per_day"),
        ("= 2 from 0 to 20", "= 2,0 from 0 to 20"),
        ('    mark "Mark in %"', "mark “Mark in %”"),
    ]
    broken = text
    for plain, slip in slips:
        assert broken.count(plain) == 1, plain
        broken = broken.replace(plain, slip)
    text_of(page).fill(broken)
    faults = page.locator(".faults li")
    expect(faults).to_have_count(4)
    expect(faults.first).to_contain_text("“2,0” is no number")
    for left in (3, 2, 1, 0):
        faults.first.get_by_role("button", name=re.compile("^Write")).click()
        expect(faults).to_have_count(left)
    expect(page.get_by_text("No fault", exact=True)).to_be_visible()
    expect(text_of(page)).to_have_value(text.replace("= 2 from 0 to 20", "= 2.0 from 0 to 20"))


@pytest.mark.slow("leads one document from the library through faults and examples to publication")
def test_a_registrar_writes_own_rules_and_a_students_page_moves(registrar, student):
    page = registrar.open("/programs")
    page.get_by_role("button", name="New program").first.click()
    dialog = page.get_by_role("dialog")
    dialog.locator('[name="/title"]').fill("Coursework of our own")
    dialog.locator('[name="/scheme"]').select_option("regulations")
    dialog.locator('[name="/document"]').select_option(DOCUMENT)
    dialog.locator('[name="/entry"]').select_option("both")
    dialog.get_by_role("button", name="Create draft").click()
    page.wait_for_url("**/regulation")
    program = page.url.split("/")[-2]
    board.publish(registrar, f"/v1/programs/{program}")
    record = student.api("POST", "/v1/records", {"program": program})["body"]["record"]["id"]
    piece = {"kind": "piece", "fields": {"title": "Essay", "weight": 1, "score": 17, "max": 20, "late": 3}}
    assert student.api("POST", f"/v1/records/{record}/entries", piece)["status"] == 201
    window = student.open(f"/records/{record}")
    expect(window.get_by_text("11.00").first).to_be_visible()

    # Three marks a day: the worked example no longer gives the expected result, and is shown beside the version in
    # force.
    page = opened(registrar, program)
    expect(page.get_by_text("Examples: 4 of 4 come out")).to_be_visible()
    typed(page, "per days = 2 from", "per days = 3 from")
    expect(page.get_by_text("Examples: 2 of 4 come out")).to_be_visible()
    page.get_by_role("combobox", name="Sample").select_option("example:late")
    moved = result(page, "Essay · Mark")
    expect(moved.locator("del")).to_have_text("11.00")
    expect(moved.locator("ins")).to_have_text("8.00")
    # The same for the student's own record.
    page.get_by_role("combobox", name="Sample").select_option(f"record:{record}")
    expect(moved.locator("del")).to_have_text("11.00")
    expect(moved.locator("ins")).to_have_text("8.00")

    # A spelling mistake is reported, and its fix corrects it.
    typed(page, "weighted by weight", "weighted by wieght")
    fault = page.locator(".faults li")
    expect(fault).to_contain_text("did you mean weight?")
    expect(page.locator(".layer .wrong")).to_have_text("wieght")
    expect(page.locator(".articles .wrong-dot")).to_have_count(1)
    fault.get_by_role("button", name="Write weight").click()
    expect(page.get_by_text("No fault", exact=True)).to_be_visible()
    expect(text_of(page)).to_have_value(re.compile("weighted by weight"))

    # The examples follow the rule.
    difference = page.locator(".examples .link.fault").first
    expect(difference).to_contain_text("11")
    difference.click()
    chosen = text_of(page).evaluate("area => area.value.slice(area.selectionStart, area.selectionEnd)")
    assert "expect net of" in chosen
    typed(
        page,
        '= 11, net of "Essay" shown 11.00, average shown 11.00',
        '= 8, net of "Essay" shown 8.00, average shown 8.00',
    )
    expect(page.get_by_text("Examples: 3 of 4 come out")).to_be_visible()
    typed(page, 'expect net of "Essay" = 11\n', 'expect net of "Essay" = 8\n')
    expect(page.get_by_text("Examples: 4 of 4 come out")).to_be_visible()
    expect(page.get_by_text(re.compile("Laws of grading: (\\d+) of \\1 kept"))).to_be_visible()
    assert accessibility.violations(page) == []

    page.get_by_role("button", name="Save draft").click()
    expect(page.get_by_text("Saved", exact=True).first).to_be_visible()
    page.get_by_role("link", name="Rehearse it").click()
    page.get_by_role("button", name=re.compile("^Rehearse")).first.click()
    page.locator('[name="/records"]').select_option("move")
    page.get_by_role("button", name="Publish version 2").click()
    page.get_by_role("dialog").get_by_role("button", name="Publish version 2").click()
    expect(window.get_by_text("8.00").first).to_be_visible()
    expect(window.get_by_text("11.00")).to_have_count(0)


OWN = """# Own

```rules
regulation own "Own" language 1
rounding shown half up, 1 decimal, judged as shown
entry module "Module"
    title text
    mark grade in percent
entry course "Course"
    title text
entry test in course "Test"
    title text
    score grade in percent
figure grade of course in percent "Grade" shown by shown = mean of score over test
outcome credit of course "Credit"
    awaits any test else none
    awaits every test : score is known else open
    needs grade reaches 40 else below
```
"""


@pytest.mark.slow("writes a document from nothing, checked after each part")
def test_a_document_begins_empty_and_says_what_a_class_can_grade(registrar):
    page = registrar.open("/programs")
    page.get_by_role("button", name="New program").first.click()
    dialog = page.get_by_role("dialog")
    dialog.locator('[name="/title"]').fill('Our "own" rules')
    dialog.locator('[name="/scheme"]').select_option("regulations")
    dialog.locator('[name="/document"]').select_option("An empty document")
    dialog.get_by_role("button", name="Create draft").click()
    page.wait_for_url("**/regulation")
    begun = '# Our "own" rules\n\n```rules\nregulation program "Our ’own’ rules" language 1\n```\n'
    expect(text_of(page)).to_have_value(begun)
    expect(page.get_by_text("No fault", exact=True)).to_be_visible()
    text_of(page).fill(OWN)
    roots = page.get_by_role("region", name="Classes")
    expect(roots).to_contain_text(re.compile("A class can grade: .*Module"))
    hint = roots.get_by_role("button")
    expect(hint).to_contain_text("No class can grade “Course”: “Credit” looks at what stands in it.")
    hint.click()
    chosen = "area => area.value.slice(0, area.selectionStart).split('\\n').length"
    assert text_of(page).evaluate(chosen) == 1 + OWN[: OWN.index("outcome credit")].count("\n")
    assert accessibility.violations(page) == []


def test_what_held_before_is_asked_for_again_where_the_server_asks_to_wait(registrar):
    program = program_of(registrar)
    board.publish(registrar, f"/v1/programs/{program}")
    problem = {"code": "rate_limited", "title": "Too many calculations at once.", "status": 429}
    registrar.page.route(
        "**/v1/evaluate",
        lambda route: route.fulfill(
            status=429, headers={"retry-after": "1", "content-type": "application/problem+json"}, json=problem
        ),
    )
    page = opened(registrar, program)
    said = page.locator(".side [role=status]", has_text="Too many calculations at once.")
    expect(said).to_be_visible()
    expect(page.locator(".results thead th")).to_have_count(2)
    page.unroute("**/v1/evaluate")
    expect(page.locator(".results thead th")).to_have_count(3)
    expect(said).to_have_count(0)


def test_a_name_is_explained_and_leads_to_its_formula_and_back(registrar):
    page = opened(registrar, program_of(registrar))
    page.get_by_role("combobox", name="Sample").select_option("example:late")
    # From the figure to its formula.
    result(page, "Coursework").get_by_role("button").click()
    chosen = text_of(page).evaluate("area => area.value.slice(area.selectionStart, area.selectionEnd)")
    assert chosen == "mean of net over piece weighted by weight"
    explained = page.get_by_role("region", name="What the name means")
    # To the meaning of a name in it, by keys.
    page.keyboard.press("ArrowLeft")
    for _ in range(len("mean of n")):
        page.keyboard.press("ArrowRight")
    expect(explained).to_contain_text("net")
    expect(explained).to_contain_text("of piece")
    expect(explained).to_contain_text("max(0, (score / max as mark) - deduction)")
    expect(explained).to_contain_text(
        "“Mark” of “Piece of work” = the greatest of 0, (“Points” ÷ “Maximum” as mark) − “deduction”"
    )
    page.keyboard.press("F12")
    chosen = text_of(page).evaluate("area => area.value.slice(area.selectionStart, area.selectionEnd)")
    assert chosen == "max(0, (score / max as mark) - deduction)"
    # The name under the pointer is explained as well.
    page.locator(".layer .name", has_text="per_day").first.scroll_into_view_if_needed()
    box = page.locator(".layer .name", has_text="per_day").first.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(explained).to_contain_text("Deduction a day")
    expect(explained).to_contain_text("in mark per days")
    expect(explained).to_contain_text("For the sample: 2")
    # And back to the result.
    text_of(page).evaluate(
        "area => { const at = area.value.indexOf('average in mark'); area.setSelectionRange(at, at); }"
    )
    page.keyboard.press("ArrowRight")
    expect(explained).to_contain_text("For the sample: 11.00")
    explained.get_by_role("button", name="Show its result").click()
    expect(result(page, "Coursework").get_by_role("button")).to_be_focused()


def test_faults_are_gone_through_and_mended_by_keys(registrar):
    page = opened(registrar, program_of(registrar))
    faults = page.locator(".faults li")
    typed(page, "min(mark, cap)", "min(mork, cop)")
    typed(page, "weighted by weight", "weighted by wieght")
    expect(faults).to_have_count(2)
    text_of(page).evaluate("area => area.setSelectionRange(0, 0)")
    page.keyboard.press("ArrowRight")
    for mended in ("weight", "mark", "cap"):
        expect(faults.first).to_contain_text(f"did you mean {mended}?")
        page.keyboard.press("F8")
        page.keyboard.press("Alt+Enter")
    expect(page.get_by_text("No fault", exact=True)).to_be_visible()
    text = text_of(page).input_value()
    assert "weighted by weight" in text and "min(mark, cap)" in text
    # A fix can be undone like typed text.
    page.keyboard.press("Control+z")
    expect(faults).to_contain_text(["did you mean cap?"])


def test_values_are_forms_that_edit_the_text(registrar):
    page = opened(registrar, program_of(registrar))
    page.get_by_role("button", name="Values").click()
    page.get_by_label("Cap of resits", exact=True).first.fill("45")
    page.keyboard.press("Tab")
    expect(text_of(page)).to_have_value(re.compile("cap in percent = 45 from"))
    expect(page.get_by_text("Not saved yet")).to_be_visible()
    # The program's own setting does not change the text.
    page.locator('[name="/configuration/settings/per_day"]').fill("4")
    page.get_by_role("group", name="What it does").get_by_role("button", name="Result").click()
    page.get_by_role("combobox", name="Sample").select_option("example:late")
    expect(result(page, "Essay · Mark")).to_contain_text("7.00")
    page.get_by_role("button", name="Save draft").click()
    expect(page.get_by_text("Saved", exact=True).first).to_be_visible()
    draft = registrar.api("GET", "/v1/programs/" + page.url.split("/")[-2])["body"]["program"]["draft"]["configuration"]
    assert draft["settings"] == {"per_day": 4}
    assert "cap in percent = 45 from" in draft["document"] and "per days = 2 from" in draft["document"]
    assert accessibility.violations(page) == []


def test_a_number_of_a_formula_is_changed_where_it_stands_in_its_rule(registrar):
    page = opened(registrar, program_of(registrar, "uk-honours"))
    page.get_by_role("button", name="Values").click()
    rule = page.get_by_role("group", name="Mark of the class", exact=True)
    expect(rule).to_contain_text("if lifted(")
    bar = rule.get_by_label("Mark of the class: number 1", exact=True)
    expect(bar).to_have_value("70")
    bar.fill("72,5")
    page.keyboard.press("Tab")
    expect(text_of(page)).to_have_value(re.compile(r"if lifted\(72\.5\) then max\(final, 70\)"))
    # The focus moves to the next number of the rule.
    expect(rule.get_by_label("Mark of the class: number 2", exact=True)).to_be_focused()
    # Words are not numbers: they are written in the text, where faults can be shown.
    bar.fill("final")
    page.keyboard.press("Tab")
    expect(bar).to_have_value("72.5")
    # The bars of an outcome work in the same way.
    degree = page.get_by_role("group", name="Honours degree", exact=True)
    degree.get_by_label("Honours degree: number 4", exact=True).fill("45")
    page.keyboard.press("Tab")
    expect(text_of(page)).to_have_value(re.compile("met when final reaches 45 because final_mark"))
    expect(page.get_by_text("No fault", exact=True)).to_be_visible()
    assert accessibility.violations(page) == []


def test_a_status_is_a_form_that_edits_the_text(registrar):
    page = opened(registrar, program_of(registrar, "weighted-groups"))
    page.get_by_role("button", name="Values").click()
    form = page.get_by_role("group", name="Missing", exact=True)
    expect(form.get_by_label("In averages")).to_have_value("share")
    form.get_by_label("Percent of the way to the best grade").fill("25")
    page.keyboard.press("Tab")
    expect(text_of(page)).to_have_value(re.compile("average 25% attempted in_gpa\n"))
    expect(page.get_by_text("No fault", exact=True)).to_be_visible()
    form.get_by_role("checkbox", name="attempted").click()
    expect(text_of(page)).to_have_value(re.compile("average 25% in_gpa\n"))
    expect(page.get_by_text("No fault", exact=True)).to_be_visible()
    form.get_by_label("In averages").select_option("worst")
    expect(text_of(page)).to_have_value(re.compile("average worst in_gpa\n"))
    assert accessibility.violations(page) == []


def test_two_versions_are_compared_article_by_article(registrar):
    program = program_of(registrar)
    board.publish(registrar, f"/v1/programs/{program}")
    page = opened(registrar, program)
    typed(page, "if attempt > 1 then", "if attempt > 2 then")
    page.get_by_role("button", name="Compare versions").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("h3")).to_have_text(["§3 Resits"])
    expect(dialog.locator("del")).to_contain_text(["if attempt > 1 then"])
    expect(dialog.locator("ins")).to_contain_text(["if attempt > 2 then"])
    page.set_viewport_size({"width": 360, "height": 640})
    assert dialog.evaluate("dialog => dialog.scrollWidth - dialog.clientWidth") == 0
    assert accessibility.violations(page) == []


@pytest.mark.slow("loads the editor three times, which tries the whole document each time")
def test_unsaved_text_survives_a_reload_and_a_lost_session(registrar, server):
    page = opened(registrar, program_of(registrar))
    program = page.url.split("/")[-2]
    typed(page, "# Coursework policy", "# Kept policy")
    count = "() => Object.keys(sessionStorage).filter(key => key.startsWith('gradecast.regulation.')).length"
    eventually(page, lambda: page.evaluate(count) == 1)
    # Only its author can read it.
    assert not page.evaluate("JSON.stringify(sessionStorage).includes('Kept policy')")
    page.reload()
    expect(page.get_by_text("The text that you had not saved is back.")).to_be_visible()
    expect(text_of(page)).to_have_value(re.compile("^# Kept policy"))
    # The page's own requests are over, so the press is what finds the session ended.
    with page.expect_response(lambda answer: with_laws(answer.request, "# Kept once more")):
        typed(page, "# Kept policy", "# Kept once more")
    registrar.api("DELETE", "/v1/sessions/current")
    page.get_by_role("button", name="Save draft").click()
    expect(text_of(page)).to_have_count(0)
    registrar.sign_in(*server.sign_ins()["registrar"].values())
    page = registrar.open(f"/programs/{program}/regulation")
    expect(text_of(page)).to_have_value(re.compile("^# Kept once more"))
    page.get_by_role("button", name="Discard it").click()
    expect(text_of(page)).to_have_value(re.compile("^# Coursework policy"))
    eventually(page, lambda: page.evaluate(count) == 0)


@pytest.mark.slow("has two tabs try and save the whole document, one against the other")
def test_two_tabs_do_not_overwrite_each_other(registrar):
    program = program_of(registrar)
    page = opened(registrar, program)
    other = registrar.window()
    registrar.open(f"/programs/{program}/regulation", other)
    expect(other.get_by_text("No fault", exact=True)).to_be_visible()
    typed(page, "# Coursework policy", "# First tab")
    page.get_by_role("button", name="Save draft").click()
    expect(page.get_by_text("Saved", exact=True).first).to_be_visible()
    typed(other, "# Coursework policy", "# Second tab")
    other.get_by_role("button", name="Save draft").click()
    card = other.get_by_role("alert")
    expect(card).to_contain_text("Saved elsewhere meanwhile")
    expect(card.locator("del")).to_contain_text(["First tab"])
    expect(card.locator("ins")).to_contain_text(["Second tab"])
    stored = f"/v1/programs/{program}"
    document = registrar.api("GET", stored)["body"]["program"]["draft"]["configuration"]["document"]
    assert document.startswith("# First tab")
    assert accessibility.violations(other) == []
    card.get_by_role("button", name="Save mine over it").click()
    expect(card).to_have_count(0)
    expect(other.get_by_text("Saved", exact=True).first).to_be_visible()
    document = registrar.api("GET", stored)["body"]["program"]["draft"]["configuration"]["document"]
    assert document.startswith("# Second tab")


def test_another_change_of_the_program_is_no_conflict(registrar):
    program = program_of(registrar)
    page = opened(registrar, program)
    registrar.api("PATCH", f"/v1/programs/{program}", {"title": "Renamed"})
    typed(page, "# Coursework policy", "# Our policy")
    page.get_by_role("button", name="Save draft").click()
    expect(page.get_by_text("Saved", exact=True).first).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.slow("writes in the editor, each time until its rules are checked, and reloads it")
def test_a_guest_tries_without_saving(newcomer):
    guest = newcomer()
    page = guest.open("/explore")
    page.get_by_role("link", name="Write an institution’s own regulations").click()
    expect(page.get_by_text("No fault", exact=True)).to_be_visible()
    page.get_by_role("combobox", name="Start from").select_option("natural")
    expect(text_of(page)).to_have_value(re.compile("^# Points of all that is graded"))
    expect(result(page, "Total")).to_contain_text("87.78")
    # A cell of the bands is a number of the text, with the user's or the text's decimal mark.
    page.get_by_role("button", name="Values").click()
    page.get_by_label("letters, row 1, column 2").fill("87,5")
    page.keyboard.press("Tab")
    expect(text_of(page)).to_have_value(re.compile("\n    A 87.5 4\n"))
    expect(page.get_by_label("letters, row 2, column 1")).to_have_value("B")
    typed(page, "# Points of all", "# All points of all")
    expect(page.get_by_role("button", name="Save draft")).to_have_count(0)
    kept = "() => sessionStorage.getItem('gradecast.calculation.regulations')?.includes('All points of all') ?? false"
    eventually(page, lambda: page.evaluate(kept) == True)
    page.reload()
    expect(text_of(page)).to_have_value(re.compile("^# All points of all"))
    assert accessibility.violations(page) == []


def test_a_phone_shows_one_of_three_at_a_time(newcomer):
    guest = newcomer(viewport={"width": 390, "height": 844})
    page = guest.open("/regulations/try")
    shown = [page.locator(part) for part in (".articles", ".document", ".side")]
    expect(page.get_by_text("No fault", exact=True)).to_be_visible()
    for name, visible in (("Articles", 0), ("What it does", 2), ("Text", 1)):
        page.get_by_role("button", name=name, exact=True).click()
        for place, part in enumerate(shown):
            expect(part).to_be_visible(visible=place == visible)
    page.get_by_role("button", name="What it does", exact=True).click()
    page.locator(".results th button").first.click()
    expect(text_of(page)).to_be_focused()


def test_markup_in_a_document_stays_text(newcomer):
    page = newcomer().open("/regulations/try")
    expect(page.get_by_text("No fault", exact=True)).to_be_visible()
    rules = '```rules\nregulation a "<b>x</b>" language 1\nfigure <script>\n```\n'
    text_of(page).fill('# <img src=x onerror="window.broken = 1">\n\n' + rules)
    expect(page.locator(".articles .way button")).to_contain_text(['<img src=x onerror="window.broken = 1">'])
    expect(page.locator(".regulation img, .regulation script, .regulation b")).to_have_count(0)
    assert page.evaluate("window.broken") is None


TWICE = """# Twice

## §1 Result

```rules
regulation twice "Twice" language 1
rounding shown half up, 2 decimals, judged as shown
entry module "Module"
    title "Title" text
    mark "Mark" grade in percent
figure result in percent "Result" shown by shown = ((mean of mark over module) + (mean of mark over module)) / 2
```
"""


@pytest.mark.slow("tries the laws of grading three times, and axe reads two pages")
def test_a_broken_law_is_told_where_the_registrar_looks_and_leads_to_its_line(registrar):
    body = {"scheme": "regulations", "title": "Twice", "entry": "both", "configuration": {"document": TWICE}}
    program = registrar.api("POST", "/v1/institutions/demo/programs", body)["body"]["program"]["id"]
    page = registrar.open(f"/programs/{program}/versions")
    # Before anything is rehearsed, and again when it is published all the same.
    card = page.get_by_role("alert").filter(has=page.get_by_role("heading", name="before they can be published"))
    expect(card).to_contain_text("each grade counts once in a figure")
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("button", name="Rehearse the draft").click()
    page.get_by_role("button", name="Publish version 1").click()
    page.get_by_role("dialog").get_by_role("button", name="Publish version 1").click()
    expect(card).to_contain_text("a law of grading is broken")
    expect(card.get_by_role("heading")).to_be_focused()
    expect(card).to_be_in_viewport()
    assert accessibility.violations(page) == []
    card.get_by_role("link", name="Line 11 · §1 Result").click()
    # The text opens at the figure, and says that it cannot be published.
    area = text_of(page)
    expect(area).to_be_focused()
    start = len(TWICE[: TWICE.index("figure result")])
    eventually(page, lambda: area.evaluate("area => area.selectionStart") == start)
    faults = page.get_by_role("region", name="Faults")
    expect(faults.get_by_role("status")).to_have_text("1 law of grading is broken: this cannot be published")
    expect(faults.locator(".laws")).to_contain_text("Line 11: §1 Result")
    expect(page.get_by_text("No fault", exact=True)).to_have_count(0)
    assert accessibility.violations(page) == []
