"""What explanations say: every line of computation is correct, for random records of the schemes and of documents."""

import json
import pathlib
import re
import urllib.error
import urllib.request
from fractions import Fraction

import board
import pytest
from accessibility import violations
from conftest import configured
from playwright.sync_api import expect
from regulations.document import read
from regulations.generate import requests as documents

import gradecast
from oracle import generate, wire

DOCUMENTS = pathlib.Path(gradecast.ROOT) / "GradingKit" / "Sources" / "RegulationLibrary" / "Documents"
CONSTRUCTS = pathlib.Path(gradecast.ROOT) / "Tests" / "Oracle" / "documents" / "constructs.md"
# The number of records for each scheme and each document.
COUNT = 20

# For each standing: the explanations of its figures, as text and value, and those of all their steps.
SAID = """async told => {
    const { sentence, step } = await import('/app/core/text/traceWords.js');
    const { traceOf } = await import('/app/core/data/traces.js');
    await (await import('/app/core/text/i18n.js')).useTexts('record');
    return JSON.stringify(JSON.parse(told).map(standing => {
        const said = [];
        const shown = node => (node.op !== 'figure' ? null
            : (node.entry ? standing.entries[node.entry]?.figures : standing.figures)?.[node.figure]?.display ?? null);
        const traces = standing.traces ?? { figures: {}, entries: {} };
        const figures = [...Object.keys(traces.figures).map(name => [name, null]),
            ...Object.entries(traces.entries).flatMap(([id, own]) => Object.keys(own).map(name => [name, { id }]))];
        const seen = new Set();
        const look = node => {
            if (seen.has(node)) return;
            seen.add(node);
            const text = step(node, shown);
            if (text !== null) said.push([text, node.value, node.op]);
            node.children.forEach(look);
        };
        for (const [name, entry] of figures) {
            const trace = traceOf(standing, name, entry);
            const text = sentence(trace, shown);
            if (trace.value !== null) said.push([text.includes(' = ') ? text.split(' = ')[0] : text, trace.value, name]);
            if (text.includes(' = ') && trace.value !== null) said.push([text.split(' = ')[1], trace.value, name]);
            look(trace);
        }
        return said;
    }));
}"""

TOKEN = re.compile(r"≈?\d+(?:\.\d+)?|min|max|median|mode|[()+−×/,→]")


class Line:
    """The result of a line of computation, as a least and a greatest value: a value marked with ≈ may be off by its
    last digit."""

    def __init__(self, text):
        self.tokens = TOKEN.findall(text)
        assert "".join(self.tokens) == text.replace(" ", ""), text
        self.value = self.arrow()
        assert self.tokens == [], text

    def take(self, *tokens):
        return self.tokens.pop(0) if self.tokens and self.tokens[0] in tokens else None

    def arrow(self):
        value = self.sum()
        while self.take("→"):
            value = self.sum()
        return value

    def sum(self):
        value = self.product()
        while sign := self.take("+", "−"):
            low, high = self.product()
            value = (value[0] + low, value[1] + high) if sign == "+" else (value[0] - high, value[1] - low)
        return value

    def product(self):
        value = self.one()
        while sign := self.take("×", "/"):
            other = self.one()
            if sign == "/":
                assert other[0] * other[1] > 0, "a division by nothing"
                other = (1 / other[1], 1 / other[0])
            ends = [left * right for left in value for right in other]
            value = (min(ends), max(ends))
        return value

    def one(self):
        if self.take("−"):
            low, high = self.one()
            return -high, -low
        if name := self.take("min", "max", "median", "mode"):
            return self.call(name)
        if self.take("("):
            value = self.arrow()
            assert self.take(")")
            return value
        token = self.tokens.pop(0)
        number = Fraction(token.removeprefix("≈"))
        off = Fraction(1, 10 ** len(token.partition(".")[2])) if token.startswith("≈") else 0
        return number - off, number + off

    def call(self, name):
        assert self.take("(")
        values = [self.arrow()]
        while self.take(","):
            values.append(self.arrow())
        assert self.take(")")
        if name in ("min", "max"):
            pick = {"min": min, "max": max}[name]
            return pick(low for low, _ in values), pick(high for _, high in values)
        lows, highs = sorted(low for low, _ in values), sorted(high for _, high in values)
        middle = len(values) // 2
        if name == "median":
            return tuple((ends[middle] + ends[middle - (len(values) % 2 == 0)]) / 2 for ends in (lows, highs))
        # The most frequent one, and the best or the worst of several.
        most = max(values.count(value) for value in values)
        frequent = [value for value in values if values.count(value) == most]
        return min(low for low, _ in frequent), max(high for _, high in frequent)


def holds(text, value):
    low, high = Line(text).value
    return low <= Fraction(value) <= high


@pytest.fixture(scope="module")
def standings(tmp_path_factory):
    """Explained standings of random records, by what judges them."""
    with configured(tmp_path_factory.mktemp("why"), {"limits": {"evaluationsPerSecond": 1_000_000}}) as server:
        return {
            name: [found for body in questions if (found := explained(server.url, body))]
            for name, questions in asked().items()
        }


def asked():
    """Random records of the schemes and of documents, as requests."""
    questions = {
        scheme: [{"scheme": scheme, **made} for made in generate.requests(scheme, COUNT, "why", spoilt=0)]
        for scheme in generate.RECORDS
    }
    for path in [*sorted(DOCUMENTS.glob("*.md")), CONSTRUCTS]:
        text = path.read_text()
        questions[path.name] = [
            {"scheme": "regulations", **made, "preset": None, "configuration": {"document": text, "settings": settings}}
            for made, settings in documents(path.stem, read(text), COUNT, "why", spoilt=0)
        ]
    return questions


def explained(url, body):
    """The standing with all its explanations; nothing for a record that the rules refuse."""
    request = urllib.request.Request(
        f"{url}/v1/evaluate?trace=all", wire.dumps(body).encode(), {"content-type": "application/json"}
    )
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refusal:
        assert refusal.code == 422, refusal.read()
        return None


def test_a_line_that_does_not_hold_is_seen():
    assert holds("(9 × 13.66 + 15 × 8) / (9 + 15)", "24294/2400")
    assert holds("max(0, 16 − 2 × (1.5 → 2))", "12") and not holds("max(0, 16 − 2 × 1.5)", "12")
    assert holds("60 × ≈66.67 / 60", "200/3") and not holds("60 × 66.67 / 60", "200/3")
    assert holds("3 − (−5)", "8") and holds("2 / (1/3)", "6") and not holds("2 / 1/3", "6")


def test_parts_are_bracketed_where_the_line_would_not_hold_without(anywhere):
    told = """async cases => {
        const { sentence } = await import('/app/core/text/traceWords.js');
        const node = made => (typeof made === 'string' ? { op: 'field', value: made, children: [] }
            : { op: made[0], value: made[1], children: made.slice(2).map(node) });
        return cases.map(made => sentence(node(made), () => null));
    }"""
    cases = {
        "10 − (4 − 3) = 9": ["subtract", "9", "10", ["subtract", "1", "4", "3"]],
        "10 − (4 + 3) = 3": ["subtract", "3", "10", ["add", "7", "4", "3"]],
        "10 − 4 − 3 = 3": ["subtract", "3", ["subtract", "6", "10", "4"], "3"],
        "10 − (−3) = 13": ["subtract", "13", "10", "-3"],
        "24 / (6 / 2) = 8": ["divide", "8", "24", ["divide", "3", "6", "2"]],
        "24 / (2 × 3) = 4": ["divide", "4", "24", ["multiply", "6", "2", "3"]],
        "(4 + 3) × 2 = 14": ["multiply", "14", ["add", "7", "4", "3"], "2"],
    }
    assert anywhere.evaluate(told, list(cases.values())) == list(cases)
    assert all(holds(text.split(" = ")[0], made[1]) for text, made in cases.items())


@pytest.mark.slow("checks each line of all explanations of twenty random records a scheme or document")
def test_every_line_of_an_explanation_holds(standings, anywhere):
    found = {}
    for name, answers in standings.items():
        # As text: Playwright takes seconds to pack so many values one by one.
        said = json.loads(anywhere.evaluate(SAID, json.dumps(answers)))
        lines = {(text, value, node) for lines in said for text, value, node in lines}
        assert len(answers) > COUNT / 2, name
        found[name] = [line for line in sorted(lines) if not holds(*line[:2])]
    assert {name: lines[:5] for name, lines in found.items() if lines} == {}


@pytest.mark.slow("publishes a long document twice, and lets axe read three sheets")
def test_a_figure_cites_its_article_as_the_record_is_judged_by_it(staff):
    registrar, student = staff("registrar"), staff("student")
    text = (DOCUMENTS / "uk-honours.md").read_text()
    body = {"scheme": "regulations", "title": "Honours", "entry": "both", "configuration": {"document": text}}
    program = registrar.api("POST", "/v1/institutions/demo/programs", body)["body"]["program"]["id"]
    board.publish(registrar, f"/v1/programs/{program}")
    record = student.api("POST", "/v1/records", {"program": program})["body"]["record"]["id"]
    for number, mark in enumerate((65, 66), 1):
        fields = {"title": f"Module {number}", "number": number, "level": 6, "credits": 60, "mark": mark}
        entry = {"kind": "module", "fields": fields}
        assert student.api("POST", f"/v1/records/{record}/entries", entry)["status"] == 201
    # A newer version has other words, and judges other records.
    newer = text.replace("The final mark gives the class.", "Boards decide on classes.")
    changed = registrar.api("PATCH", f"/v1/programs/{program}", {"configuration": {"document": newer}})
    assert changed["status"] == 200, changed
    board.publish(registrar, f"/v1/programs/{program}")

    page = student.load(f"/records/{record}")
    expect(page.locator(".outcome")).to_contain_text("§4 Degree")
    page.locator(".headline").get_by_role("button", name="Mark of the class").click()
    sheet = page.get_by_role("dialog")
    expect(sheet.locator(".why-letter")).to_contain_text("whose limit is 60. The limit of")
    assert violations(page) == []
    sheet.get_by_role("button", name="§3 Class").click()
    expect(sheet).to_contain_text("The final mark gives the class.")
    expect(sheet).not_to_contain_text("Boards decide")
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(sheet).to_contain_text("Mark of the class")
    expect(sheet.get_by_role("button", name="§2 Final mark")).to_be_visible()


def test_a_letter_is_explained_by_the_limits_around_it(anywhere):
    told = """async cases => {
        const { letterLimits } = await import('/app/parts/record/letters.js');
        return cases.map(([bands, letter, display, exact]) => letterLimits(bands.map(([label, from]) => ({ label, from })), letter, { display, exact }));
    }"""
    more, less = [["A", 84], ["B", 70.5], ["F", 0]], [["good", "2.5"], ["fair", "3.5"], ["failed", "5"]]
    cases = [
        [more, "B", "70.50", "141/2"], [more, "A", "84.00", "8399/100"], [more, "B", "90.00", "90"], [more, "X", "80", "80"],
        [less, "fair", "2.6", "13/5"], [less, "good", "1.0", "1"], [less, "fair", "1.0", "1"], [more, "B", "–", None],
    ]  # fmt: skip
    assert anywhere.evaluate(told, cases) == [
        {"from": 70.5, "better": {"label": "A", "from": 84}}, {"from": 84, "better": None}, None, None,
        {"from": "3.5", "better": {"label": "good", "from": "2.5"}}, {"from": "2.5", "better": None}, None, None,
    ]  # fmt: skip


HALVES = """# Halves

```rules
regulation halves "Halves" language 1
scale mark "/20" worst 0 best 20 step 0.01
rounding two half up, 2 decimals, judged exactly
entry unit "Unit"
    title "Title" text
    grade "Grade" grade in mark
hidden figure half of unit in mark "Half of the grade" fr "Moitié de la note" = grade / 2
hidden figure third of unit in mark = grade / 3
figure total of unit in mark "Total" shown by two = half + third
```
"""


def test_what_is_not_shown_is_called_by_its_label_and_never_by_its_internal_name(staff):
    registrar = staff("registrar", locale="fr-FR")
    body = {"scheme": "regulations", "title": "Halves", "entry": "both", "configuration": {"document": HALVES}}
    program = registrar.api("POST", "/v1/institutions/demo/programs", body)["body"]["program"]["id"]
    board.publish(registrar, f"/v1/programs/{program}")
    record = registrar.api("POST", "/v1/records", {"program": program})["body"]["record"]["id"]
    entry = {"kind": "unit", "fields": {"title": "Algèbre", "grade": 13}}
    assert registrar.api("POST", f"/v1/records/{record}/entries", entry)["status"] == 201
    page = registrar.load(f"/records/{record}")
    page.locator(".entry-card .figure").click()
    sheet = page.get_by_role("dialog")
    expect(sheet.locator(".why-formula")).to_contain_text("6,5 + 13/3 = 65/6")
    expect(sheet.locator(".trace-value").first).to_have_text("10,83 (65/6)")
    expect(sheet.locator(".trace-label", has_text="Moitié de la note")).to_be_visible()
    expect(sheet.locator(".trace-label", has_text="résultat intermédiaire")).to_be_visible()
    expect(sheet).not_to_contain_text("third")
