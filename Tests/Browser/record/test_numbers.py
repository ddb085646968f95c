"""Numbers as people write them, and names that are written from right to left."""

import json
import re

import board
import pytest
from conftest import PASSWORD
from playwright.sync_api import expect

READ = """async cases => {
    const [{ marksOf }, { readNumber }] = await Promise.all([import('/app/core/text/marks.js'), import('/app/core/text/numbers.js')]);
    return cases.map(([locale, typed]) => readNumber(typed, marksOf(locale)));
}"""
POINT, COMMA = ("en-US", "zh-CN", "ja-JP", "en-GB"), ("fr-FR", "de-DE", "es-ES", "pt-BR", "ru-RU", "fi-FI")
# What everybody reads in the same way, wherever they live.
EVERYWHERE = {
    "": None,
    "12": "12",
    " 12 ": "12",
    "-3": "-3",
    "+3": "3",
    "\u22123": "-3",
    "\u20133": "-3",
    "\uff0d3": "-3",
    "12.5": "12.5",
    "12,5": "12.5",
    ".5": "0.5",
    ",5": "0.5",
    "5.": "5",
    "0,125": "0.125",
    "0.125": "0.125",
    "1.2345": "1.2345",
    "12,3456": "12.3456",
    "\uff11\uff12": "12",
    "\uff11\uff12\uff0e\uff15": "12.5",
    "\uff11\uff12\uff0c\uff15": "12.5",
    "\u0661\u0662\u066b\u0665": "12.5",
    "\u0661\u066c\u0662\u0663\u0664": "1234",
    "\u200e-\u200e7": "-7",
    "1\u00a0234": "1234",
    "1\u202f234,5": "1234.5",
    "1\u2009234.5": "1234.5",
    "1 234 567": "1234567",
    "1'234": "1234",
    "1\u2019234.5": "1234.5",
    "1,234,567": "1234567",
    "1.234.567": "1234567",
    "1,234.5": "1234.5",
    "1.234,5": "1234.5",
    "1,234.567": "1234.567",
    "12,34,567": "1234567",
    "1234,567": "1234.567",
    "1234.567": "1234.567",
    "1,2,3": None,
    "1.2.3": None,
    "1,23,4": None,
    "12 5": None,
    "1 23": None,
    "1,234 5": None,
    "1.2,3.4": None,
    "1d5": None,
    "1e3": None,
    "85 %": None,
    "--5": None,
    "5-": None,
    "A": None,
    ",": None,
    "-": None,
    "NaN": None,
    "10\u00b2": None,
}
# The meaning of a single mark before three digits depends on the locale: a value, or both values.
BY_LOCALE = {
    "en-US": {"1,000": "1000", "12,500": "12500", "3.125": "3.125", "1.000": "1"},
    "zh-CN": {"1,000": "1000", "3.125": "3.125"},
    "de-DE": {"1,000": ("1", "1000"), "12,500": ("12.5", "12500"), "33,333": "33.333", "3.125": ("3.125", "3125")},
    "fr-FR": {"1,000": ("1", "1000"), "-1,000": ("-1", "-1000"), "16,667": "16.667", "1.000": ("1", "1000")},
    "de-CH": {"1,000": ("1", "1000"), "3.125": "3.125", "1\u2019000": "1000"},
}
LOCALES = """af am ar-EG ar-SA az be bg bn-BD bs ca cs cy da de-AT de-CH de-DE de-LI el en-AU en-CA en-GB en-IE en-IN en-NZ en-US
en-ZA es-419 es-AR es-ES es-MX et eu fa fi fil fr-BE fr-CA fr-CH fr-FR ga gl gu he hi hr hu hy id is it-CH it-IT ja ka kk km kn ko
lo lt lv mk ml mn mr ms mt my nb ne nl-BE nl-NL nn pa pl pt-BR pt-PT ro ru si sk sl sq sr sv sw ta te th tr uk ur uz vi zh-CN
zh-HK zh-TW zu""".split()
VALUES = ["0", "7", "10", "0.5", "12.5", "3.125", "14.375", "33.333", "99.99", "0.0001", "-4.25", "100", "999", "1234.5", "-250.001"]
GROUPED = ["1000", "1234", "25000", "-1250", "1000000", "1234567.5", "12345.678"]
ROUND = """async ([locales, values, grouped]) => {
    const { marksOf, writeNumber } = await import('/app/core/text/marks.js');
    const { readNumber } = await import('/app/core/text/numbers.js');
    const found = [];
    for (const locale of locales) {
        const marks = marksOf(locale);
        for (const value of values) {
            const back = readNumber(writeNumber(value, marks), marks).value;
            if (back !== value) found.push(['written', locale, value, back ?? null]);
        }
        for (const value of [...values, ...grouped]) {
            for (const options of [{}, { numberingSystem: 'latn' }]) {
                const text = new Intl.NumberFormat(locale, { maximumFractionDigits: 4, useGrouping: 'always', ...options }).format(value);
                const read = readNumber(text, marks);
                const isRead = read.value === value || [read.small, read.great].includes(value);
                if (!isRead) found.push(['formatted', locale, value, text, read]);
            }
        }
        const thousand = readNumber('1,000', marks);
        if (Number(thousand.value ?? 1000) !== 1000) found.push(['thousand', locale, thousand]);
    }
    return found;
}"""


def read(page, cases):
    """What is read: a value, both of two, or nothing."""
    found = page.evaluate(READ, cases)
    return [one.get("value", (one["small"], one["great"]) if "small" in one else None) for one in found]


@pytest.mark.parametrize("locale", POINT + COMMA)
def test_what_can_mean_one_number_alone_is_read_everywhere(anywhere, locale):
    found = read(anywhere, [[locale, typed] for typed in EVERYWHERE])
    assert dict(zip(EVERYWHERE, found, strict=True)) == EVERYWHERE


@pytest.mark.parametrize("locale", BY_LOCALE)
def test_three_digits_behind_a_mark_are_read_by_the_locale_or_reported(anywhere, locale):
    found = read(anywhere, [[locale, typed] for typed in BY_LOCALE[locale]])
    assert dict(zip(BY_LOCALE[locale], found, strict=True)) == BY_LOCALE[locale]


def test_what_a_locale_writes_is_read_back_and_a_thousand_is_never_one(anywhere):
    assert anywhere.evaluate(ROUND, [LOCALES, VALUES, GROUPED]) == []


@pytest.mark.parametrize(
    "tags, chosen, locale",
    [
        (["de-DE", "en-US"], None, "de-DE"),
        (["de-DE"], "en", "de-DE"),
        (["fr-CH", "fr"], None, "fr-CH"),
        (["en-GB", "fr-CA"], "fr", "fr-CA"),
        (["en-US"], "fr", "fr"),
        (["zh-TW"], "zh-Hans", "zh-TW"),
        ([], None, "en"),
    ],
)
def test_numbers_are_those_of_the_browser_unless_another_language_was_chosen(anywhere, tags, chosen, locale):
    found = anywhere.evaluate(
        """async ([tags, chosen]) => {
             const { numberLocale } = await import('/app/core/text/marks.js');
             const known = { en: 'en', fr: 'fr', zh: 'zh-Hans' };
             return numberLocale(tags, chosen, tag => known[tag.split('-')[0]]);
           }""",
        [tags, chosen],
    )
    assert found == locale


def test_a_browser_whose_language_the_page_does_not_speak_still_decides_on_the_decimal_sign(newcomer):
    person = newcomer(locale="de-DE").sign_up()
    page = person.new_record("iut", sample=True)
    page.get_by_role("button", name="Unlock the grade: Stage", exact=True).click()
    field = page.get_by_label("Grade out of 20: Stage", exact=True)
    field.fill("1,000")
    page.get_by_role("button", name="Save the grade: Stage", exact=True).click()
    expect(page.locator(".grade-edit .fault")).to_have_text("“1,000” can mean 1 or 1000. Please write the one you mean.")
    field.fill("7,5")
    page.get_by_role("button", name="Save the grade: Stage", exact=True).click()
    expect(page.locator(".block", has_text="Professional average").locator(".figure")).to_have_text("9,81")
    expect(page.locator(".grade-edit")).to_have_count(0)
    record = page.url.split("/")[-1]
    entries = person.api("GET", f"/v1/records/{record}")["body"]["record"]["entries"]
    assert '"grade": 7.5' in json.dumps(entries)


def test_a_number_that_could_be_two_is_not_sent_from_a_form(newcomer):
    page = newcomer(locale="fr-FR").open("/explore/chalkboard")
    page.fill('.course-form [name="/children/0/fields/points"]', "1,000")
    page.locator(".course-form [type=submit]").click()
    expect(page.locator(".course-form .fault")).to_have_text(
        "« 1,000 » peut vouloir dire 1 ou 1000. Précisez lequel."
    )
    expect(page.locator('.course-form [name="/children/0/fields/points"]')).to_be_focused()
    expect(page.locator(".board-line")).to_have_count(0)
    page.fill('.course-form [name="/children/0/fields/points"]', "87,5")
    page.locator(".course-form [type=submit]").click()
    expect(page.locator(".board-line")).to_have_count(1)
    expect(page.locator(".chalk-total")).to_contain_text(",")


def heading(page):
    return page.locator("main h1")


@pytest.mark.slow("signs one person in at three browsers, in three languages")
def test_the_browsers_language_counts_until_one_is_chosen(newcomer):
    english = newcomer().sign_up()
    french = newcomer(locale="fr-FR")
    page = french.open("/sign-in")
    page.fill('[name="/login"]', english.login)
    page.fill('[name="/password"]', PASSWORD)
    page.click("main button[type=submit]")
    expect(heading(page)).to_have_text("Mon travail")
    assert french.api("GET", "/v1/accounts/me")["body"]["locale"] is None
    page.goto(french.url + "/profile")
    # The page changes before the account is updated.
    with page.expect_response(lambda answer: answer.request.method == "PATCH"):
        page.get_by_label("简体中文").check(force=True)
    expect(heading(page)).to_have_text("个人资料")
    third = newcomer().sign_in(english.login, PASSWORD)
    expect(heading(third.open("/work"))).to_have_text("我的工作")
    third.open("/profile")
    third.page.get_by_role("button", name="退出登录").click()
    expect(heading(third.page)).to_have_text("Every grade, exact and live.")


HEBREW = "\u05e2\u05d3\u05d4"


def test_a_name_that_runs_from_right_to_left_turns_nothing_around_it(student):
    page = student.new_record("chalkboard")
    board.added(page, HEBREW, "90", "80", "85")
    line = page.locator(".board-text")
    expect(line.locator("bdi")).to_have_text(HEBREW)
    # The number is at the left end of the line, the credits are at its right end.
    places = line.evaluate(
        """element => {
             const [number, , credits] = element.childNodes;
             return [number, credits].map(node => {
                const range = document.createRange();
                range.selectNode(node);
                return range.getBoundingClientRect().left;
             });
           }"""
    )
    assert places[0] < places[1]
    expect(page.locator(".chalk-total")).to_have_attribute("aria-label", re.compile(f"^\u2068{HEBREW}\u2069: "))


def test_forced_colours_leave_the_chalk_on_its_board(newcomer):
    page = newcomer(forced_colors="active").open("/explore/chalkboard")
    colours = page.locator(".board").evaluate("element => [getComputedStyle(element).color, getComputedStyle(element).backgroundColor]")
    assert colours == ["rgb(244, 243, 234)", "rgb(36, 64, 58)"]
