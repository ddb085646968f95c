"""Documents of the library as a student reads them in each language: labels, an explanation and its article."""

import re

import pytest
from playwright.sync_api import expect
from regulated import published, record_of_example, text_of
from texts import LANGUAGES

# People sign up anew in browsers that stay.
STAYING = {"browser"}

# A worked example of each document; without one, the first.
EXAMPLES = {"but-year": "matrice", "cgpa": "semester", "glasgow": None, "italy-110": None}
HEADING = re.compile(r"^#{1,6} +(.*?) *$", re.MULTILINE)
NAMED = re.compile(r"^(?:hidden )?(?:figure|outcome|let) (\w+_\w+)", re.MULTILINE)


def first_example(text):
    return re.search(r"^example (\w+)", text, re.MULTILINE)[1]


def labels_of(described):
    """The labels of kinds, fields and shown figures of a description."""
    kinds = described["shape"]["kinds"]
    return [
        item["label"]
        for item in [*kinds, *(field for kind in kinds for field in kind["fields"]), *described["figures"]]
    ]


@pytest.fixture(scope="module")
def read(browser, url, resident):
    """Records of the documents, which their student reads on one page a language."""
    registrar, student = resident("registrar"), resident("student")
    found = []
    for name, example in EXAMPLES.items():
        text = text_of(registrar, name)
        program = published(registrar, name)
        path = record_of_example(student, registrar, name, example or first_example(text), program)
        described = registrar.api("GET", f"/v1/programs/{program}/description")["body"]
        found.append((name, text, path, described))
    return student, found


@pytest.mark.slow("reads four records, each with an explanation and its article")
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_student_reads_every_label_and_the_article_of_an_explanation(read, newcomer, language):
    student, found = read
    texts = LANGUAGES[language]
    reader = newcomer(storage_state=student.context.storage_state(), reduced_motion="reduce")
    reader.context.add_init_script(f"localStorage.setItem('gradecast.language', '{language}')")
    for name, text, path, described in found:
        page = reader.open(path)
        figure = page.locator("main button.figure").first
        expect(figure).to_be_visible()
        shown = page.locator("main").inner_text()
        figures = [item["label"][language] for item in described["figures"] if not item["kind"]]
        assert figures[0] in shown, (name, shown)
        others = {label["en"] for label in labels_of(described)} - {label[language] for label in labels_of(described)}
        lines = {line.strip() for line in shown.splitlines()}
        assert lines & others == set(), name
        figure.click()
        dialog = page.get_by_role("dialog")
        expect(dialog.locator(".why-answer")).to_be_visible()
        said = dialog.inner_text()
        internal = [word for word in NAMED.findall(text) if re.search(rf"\b{word}\b", said + shown)]
        assert internal == [], (name, internal)
        article = dialog.locator("button.article").first
        title = article.inner_text()
        assert title in {" ".join(heading.split()) for heading in HEADING.findall(text)}
        article.click()
        expect(page.get_by_role("dialog").get_by_role("heading", name=title)).to_be_visible()
        expect(page.locator(".article-text")).not_to_be_empty()
        page.get_by_role("dialog").get_by_role("button", name=texts["action.close"], exact=True).click()
        page.keyboard.press("Escape")
