"""The details of the audit trail: in words, in every language."""

import re

import board
import pytest
from playwright.sync_api import expect
from texts import LANGUAGES
from waiting import eventually

STAYING = {"staff"}

# Texts of the store that no user should have to read; some of the values are English words, too.
KEYS = re.compile(
    r"\b[a-z]+[A-Z][a-z]+|\d{4}-\d\d-\d\dT|\[object|[0-9a-f]{8}-[0-9a-f]{4}-|\b(null|true|false|undefined)\b"
)
VALUES = re.compile(
    r"\b(floor|displayed|exact|normalise|zero|best|last|skip|leaves|counts|minimum|pending|unspecified|nobody|self|both"
    r"|staff|keep|move|student|teacher|registrar|administrator|scale|stages|yes|no|green|red)\b"
)


PAIRS = "all => all.map(div => [...div.children].map(part => part.innerText))"
# Names that people give to themselves and their things.
GIVEN = [f"audit.field.{name}" for name in ("login", "displayName", "title", "slug", "description")]
BANDS = [
    {"label": "A", "from": 89, "points": 4},
    {"label": "B", "from": 80, "points": 3},
    {"label": "C", "from": 70, "points": 2},
    {"label": "F", "from": 0, "points": 0},
]


def changed(registrar, scheme, configuration):
    """A new program of a scheme with a changed draft."""
    body = {"scheme": scheme, "title": "Told rules", "entry": "both"}
    program = registrar.api("POST", "/v1/institutions/demo/programs", body)["body"]["program"]["id"]
    answer = registrar.api("PATCH", f"/v1/programs/{program}", {"configuration": configuration})
    assert answer["status"] == 200, answer
    return program


def unfold(page):
    """Opens the details of every line."""
    lines = page.locator(".audit details")
    expect(lines.first).to_be_attached()
    lines.evaluate_all("all => { for (const details of all) details.open = true; }")
    expect(page.locator(".audit details:not(:has(dl, p))")).to_have_count(0)
    return page


def particulars(page, action):
    """The newest details of an action: name to text."""
    line = page.locator(".audit > li", has=page.locator("strong", has_text=action)).first
    pairs = line.locator(".particulars > div").evaluate_all(PAIRS)
    return dict(pairs)


def test_a_changed_rule_is_told_row_by_row_in_the_words_of_its_scheme(staff):
    gpa = {"rounding": "halfEven", "scale": 3, "compareOn": "tolerance(0.005)"}
    changed(staff("registrar"), "chalkboard", {"bands": BANDS, "gpa": gpa, "courseLimit": 6})
    page = unfold(staff("administrator").open("/admin/audit"))
    told = particulars(page, "Program changed")
    told.pop("draft › edited", None)
    assert told == {
        "draft › rules › Most courses": "4 → 6",
        "draft › rules › Letters › A": "From 90 → From 89",
        "draft › rules › Letters › D": "From 60, Points 1 → –",
        "draft › rules › GPA": "2 decimals, to the nearest, halves up, judged on the shown value"
        " → 3 decimals, to the nearest, halves to even, judged on the exact value, with a tolerance of 0.005",
    }
    made = particulars(page, "Program created")
    assert made["scheme"] == "Chalkboard"
    assert made["draft › rules › Letters › B"] == "From 80, Points 3"
    assert made["draft › rules › Colours › green"] == "From 3"
    assert made["draft › rules › What the form offers › Midterm"] == "Name Midterm, Points 80, Maximum 100, Weight 30"
    assert made["who enters the grades"] == "students and staff"


def test_settings_and_their_values_have_words(staff):
    statuses = {"absent": {"average": "leaves", "gpa": False}}
    changes = {"weights": "mustEqual100", "participationMissing": "skip", "attempts": "last", "statuses": statuses}
    changed(staff("registrar"), "rose-hulman", changes)
    told = particulars(unfold(staff("administrator").open("/admin/audit")), "Program changed")
    told.pop("draft › edited", None)
    assert told == {
        "draft › rules › Weights that do not make 100": "scaled to 100 → must be 100",
        "draft › rules › Participation without a grade": "counts as zero → left out",
        "draft › rules › Repeated courses": "best attempt → last attempt",
        "draft › rules › Statuses › absent": "average as the lowest grade, GPA yes → average no, GPA no",
    }


def test_numbers_and_moments_follow_the_language(staff):
    changed(staff("registrar"), "iut", {"bar": 10.5, "preset": "but"})
    page = unfold(staff("administrator", locale="fr-FR").open("/admin/audit"))
    made = particulars(page, "Formation créée")
    assert re.fullmatch(r"\d+ \w+\.? \d{4},? (à )?\d\d:\d\d", made["brouillon › modifié le"])
    told = particulars(page, "Formation modifiée")
    assert told["brouillon › règles › Moyenne à atteindre"] == "10 → 10,5"
    assert told["brouillon › règles › Règles du diplôme"] == "Licence professionnelle → BUT"


def test_a_document_is_told_by_its_lines(staff):
    registrar = staff("registrar")
    text = registrar.api("GET", "/v1/regulations/library/coursework")["body"]["document"]
    program = changed(registrar, "regulations", {"document": text, "settings": {"per_day": 4}})
    for change in (text.replace("#", "##", 1), "Foreword.\n\n" + text):
        body = {"configuration": {"document": change, "settings": {"per_day": 4}}}
        assert registrar.api("PATCH", f"/v1/programs/{program}", body)["status"] == 200
    lines = len(text.strip().split("\n"))
    page = unfold(staff("administrator", locale="fr-FR").open("/admin/audit"))
    told = page.locator(".audit > li", has=page.locator("strong", has_text="Formation modifiée"))
    pairs = [dict(told.nth(at).locator(".particulars > div").evaluate_all(PAIRS)) for at in range(3)]
    assert pairs[2]["brouillon › règles › Réglages › Retrait par jour"] == "4"
    assert [pair["brouillon › règles › Règlement"] for pair in pairs[:2]] == [
        f"{lines} lignes → {lines + 2} lignes",
        f"{lines} lignes, dont certaines modifiées",
    ]


def keep_a_term(registrar):
    """Creates a term, locks it and removes it."""
    terms = "/v1/institutions/demo/terms"
    term = {"kind": "term", "title": "Told term", "from": "2031-02-01", "until": "2031-06-30"}
    made = registrar.api("POST", terms, term)
    assert made["status"] == 201, made
    path = f"{terms}/{made['body']['term']['id']}"
    assert registrar.api("PATCH", path, {"locked": True})["status"] == 200
    assert registrar.api("DELETE", path)["status"] == 204


@pytest.mark.slow("publishes three programs, and reads the particulars of three pages of the trail")
@pytest.mark.parametrize("locale", ["en-US", "fr-FR", "zh-CN"])
def test_no_raw_key_stands_in_any_particulars(staff, locale):
    registrar = staff("registrar")
    for scheme, configuration in (
        ("chalkboard", {"bands": BANDS}),
        ("rose-hulman", {"weights": "mustEqual100"}),
        ("iut", {"bar": 9}),
    ):
        board.publish(registrar, f"/v1/programs/{changed(registrar, scheme, configuration)}")
    keep_a_term(registrar)
    page = unfold(staff("administrator", locale=locale).open("/admin/audit"))
    found, labels = set(), set()
    given = {texts[name] for texts in LANGUAGES.values() for name in GIVEN}
    more = page.get_by_role("button", name=re.compile("^(More|Plus|更多)$"))
    for _ in range(3):
        for name, text in page.locator(".particulars > div").evaluate_all(PAIRS):
            labels |= set(name.split(" › "))
            told = name if name in given else f"{name} {text}"
            if KEYS.search(told) or (locale != "en-US" and VALUES.search(told)):
                found.add(told)
        if more.count() == 0:
            break
        before = page.locator(".audit > li").count()
        more.click()
        # A trail whose end is that of a page has an empty page behind it.
        eventually(page, lambda before=before: page.locator(".audit > li").count() > before or more.count() == 0)
        unfold(page)
    assert found == set()
    if locale == "zh-CN":
        assert [label for label in labels if re.search("[a-z]{3}", label)] == []


def test_a_day_is_the_same_everywhere(staff):
    registrar = staff("registrar", timezone_id="America/Los_Angeles")
    program = board.graded_program(registrar, "Days", [])
    day = registrar.api("GET", f"/v1/programs/{program}")["body"]["program"]["effectiveFrom"]
    page = registrar.open(f"/programs/{program}")
    year, month, number = (int(part) for part in day.split("-"))
    months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
    expect(page.locator(".page-facts")).to_contain_text(f"{months[month - 1]} {number}, {year}")


def test_reading_and_acting_are_apart(staff):
    registrar = staff("registrar")
    changed(registrar, "chalkboard", {"courseLimit": 6})
    taught = registrar.api("GET", "/v1/classes?institution=demo")["body"]["items"][0]["program"]
    assert registrar.api("GET", f"/v1/records?program={taught}")["status"] == 200
    page = staff("administrator").open("/admin/audit")
    read = page.locator(".audit > li strong", has_text="List of records read").first
    expect(page.locator(".audit > li strong", has_text="Program changed").first).to_be_visible()
    expect(read).to_be_visible()
    page.get_by_role("button", name="Reading", exact=True).click()
    expect(page.locator(".audit > li strong", has_text="Program changed")).to_have_count(0)
    expect(read).to_be_visible()
    page.get_by_role("button", name="Acting", exact=True).click()
    expect(page.locator(".audit > li strong", has_text="List of records read")).to_have_count(0)
    expect(page.locator(".audit > li strong", has_text="Program changed").first).to_be_visible()
