"""Every document of the library is published, used in a class, and read by a student in three languages with its articles."""

import re

import pytest
from programs import Program, enrolled

import gradecast
from client import Record, changed

DOCUMENTS = sorted((gradecast.ROOT / "GradingKit" / "Sources" / "RegulationLibrary" / "Documents").glob("*.md"))
# The others are tried in the long run: each tries the laws once more, which Swift tests do for all.
FIRST = {"but-year", "cgpa", "coursework", "glasgow", "ib-diploma", "italy-110", "uk-honours"}
NAMES = [path.stem if path.stem in FIRST else pytest.param(path.stem, marks=pytest.mark.long) for path in DOCUMENTS]
# What stands in them is asked for by the record, or their results count in several (`MountTests`).
NO_ROOTS = {("but-year", "ue"), ("licence-lmd", "semester")}
LANGUAGES = ("en", "fr", "zh-Hans")
WORD = re.compile(r"[^\W\d_]{3}")
HEADING = re.compile(r"^#{1,6} +(.*?) *$", re.MULTILINE)


def text_of(name):
    return next(path for path in DOCUMENTS if path.stem == name).read_text()


def examples(guest, text):
    """The records of the worked examples of a document that are not refused, as `{fields, entries}`."""
    names = re.findall(r"^example (\w+)", text, re.MULTILINE)
    found = []
    for name in names:
        asked = {"document": text, "laws": False, "record": {"example": name}}
        found.append(changed(guest.post("/v1/regulations/check", asked)).json["record"])
    return [record for record in found if record["entries"] and "standing" in record]


def published(registrar, text):
    program = Program(registrar, "regulations", configuration={"document": text}, entry="staff")
    changed(program.publish())
    return program


def check_articles(server, registrar, guest, text, program):
    """A student reads every figure with its article, and labels in every language."""
    student = enrolled(server, registrar)
    headings = {" ".join(heading.split()) for heading in HEADING.findall(text)}
    shape = changed(registrar.get(program.path + "/description")).json
    kinds = {kind["kind"]: kind for kind in shape["shape"]["kinds"]}
    samples = [
        record
        for record in examples(guest, text)
        if not any(kinds[entry["kind"]].get("copies") for entry in record["entries"])
    ]
    sample = max(samples, key=lambda record: len(record["entries"]))
    made = changed(registrar.post("/v1/records", {"program": program.id, "student": student.account["id"]}), 201)
    path = f"/v1/records/{made.json['record']['id']}"
    record = Record(registrar, made.json["record"]["id"])
    changed(record.fill(sample))
    nodes = changed(student.get(path + "/standing?trace=all")).json["traces"]["nodes"]
    # Figures that are not shown have none.
    cited = [node["article"] for node in nodes if node.get("article")]
    cited += [
        item["article"]
        for item in shape["figures"] + shape["outcomes"]
        if not kinds.get(item["kind"], {}).get("copies")
    ]
    assert cited and set(cited) <= headings
    labels = labels_of(
        [shape[member] for member in ("shape", "figures", "outcomes", "hiddenFigures") if member in shape]
    )
    assert labels
    for label in labels:
        assert all(label.get(language, "").strip() for language in LANGUAGES), label


def labels_of(json):
    """Every label in a description. A band that is called by a word has a text in each language beside its label; what
    is a sign, such as A+, is the same in all of them."""
    if isinstance(json, list):
        return [label for part in json for label in labels_of(part)]
    if not isinstance(json, dict):
        return []
    own = [json["label"]] if isinstance(json.get("label"), dict) else []
    if "letters" in json:
        bands = [band for band in json["letters"]["bands"] if WORD.search(band["label"])]
        own += [band.get("text", {}) for band in bands]
    return own + [label for part in json.values() for label in labels_of(part)]


def structure_of(entry, kinds):
    """The lines of a class as an entry of a record has them, and the cells that a student has in them, in the same order."""
    lines, cells = [], []

    def add(entry, parent):
        fields = kinds[entry["kind"]]["fields"]
        own = {field["name"] for field in fields if field["grade"] or field.get("perStudent")}
        grades = [
            field["name"] for field in fields if field["grade"] and entry["fields"].get(field["name"]) is not None
        ]
        number = len(cells)
        shared = {key: value for key, value in entry["fields"].items() if key not in own and value is not None}
        cell = {key: value for key, value in entry["fields"].items() if key in own and value is not None}
        cells.append((grades, cell, entry.get("status")))
        if parent is not None:
            grade = {"grade": grades[0]} if grades else {}
            lines.append({"op": "add", "kind": entry["kind"], "in": f"#{parent}", "fields": shared} | grade)
        for child in entry.get("children", []):
            add(child, number)
        return shared

    return add(entry, None), lines, cells


def without_kinds_of_copies(entries, kinds):
    return [entry for entry in entries if entry["kind"] in kinds and not kinds[entry["kind"]].get("copies")]


def check_classes(server, registrar, guest, name, text, program):
    """A class of each kind that can be a root gives a student what the document says of the same results."""
    shape = changed(registrar.get(program.path + "/description")).json["shape"]
    kinds = {kind["kind"]: kind for kind in shape["kinds"]}
    tried = set()
    for sample in examples(guest, text):
        for entry in without_kinds_of_copies(sample["entries"], kinds):
            if entry["kind"] in tried:
                continue
            root, lines, cells = structure_of(entry, kinds)
            if not any(grades for grades, _, _ in cells):
                continue
            tried.add(entry["kind"])
            body = {"title": "Class", "root": entry["kind"], "fields": root, "lines": lines}
            answer = registrar.post(f"{program.path}/classes", body)
            if (name, entry["kind"]) in NO_ROOTS:
                (fault,) = answer.json["faults"]
                assert fault["code"] == "not_mountable" and fault["args"]["figure"]
                continue
            made = changed(answer, 201).json["class"]
            path = f"/v1/classes/{made['id']}"
            ids = [line["id"] for line in sorted(made["structure"]["lines"], key=lambda line: line["number"])]
            student = enrolled(server, registrar)
            answer = registrar.post(f"{path}/enrolments", {"student": student.account["id"]})
            enrolment = changed(answer, 201).json["enrolment"]
            entered = {}
            columns = {column["line"] for column in made["columns"]}
            for line, (grades, cell, status) in zip(ids, cells, strict=True):
                others = {key: value for key, value in cell.items() if key not in grades}
                values = ({"value": cell[grades[0]]} if grades else {}) | ({"fields": others} if others else {})
                if status and status != "graded":
                    if line == ids[0] and not grades:
                        total = {"rows": [{"row": enrolment["id"], "status": status}], "reason": "As in the example"}
                        changed(registrar.post(f"{path}/override", total))
                    else:
                        values["status"] = status
                # Without a column of its own a line has nothing that is a student's alone.
                assert line in columns or not values, (name, entry["kind"], values)
                if values:
                    entered[line] = values
            changed(registrar.patch(f"{path}/rows/{enrolment['id']}", {"cells": entered}))
            found = changed(student.get(f"/v1/records/{enrolment['record']}/assembled")).json["standing"]
            alone = {"scheme": "regulations", "configuration": {"document": text}, "entries": [entry]}
            expected = changed(guest.post("/v1/evaluate", alone)).json
            of_record = {name: figure["exact"] for name, figure in expected["figures"].items()}
            assert {name: figure["exact"] for name, figure in found["figures"].items()} == of_record
            assert figures(found, enrolment["entry"]) == figures(expected, next(iter(expected["entries"]), None))
    assert tried


def figures(standing, entry):
    """The exact figures of an entry; kinds without figures have none."""
    found = standing["entries"].get(entry, {"figures": {}})["figures"]
    return {name: figure["exact"] for name, figure in found.items()}


# Publishing tries the laws on two hundred records, and founding a class on a hundred.
@pytest.mark.slow("publishes a document, and teaches a class of each kind that can be one")
@pytest.mark.parametrize("name", NAMES)
def test_a_document_is_published_taught_and_read(server, registrar, guest, name):
    text = text_of(name)
    program = published(registrar, text)
    check_articles(server, registrar, guest, text, program)
    check_classes(server, registrar, guest, name, text, program)
