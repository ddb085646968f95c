"""Documents of the library, and one of what they leave out, read twice: by the server and by the oracle."""

import os
import pathlib
import tempfile
from fractions import Fraction

import pytest
from regulations import differences, evaluate, fault_differences, read, requests, settings_of

import gradecast
from oracle import differences as claims
from oracle import evaluate as evaluate_scheme
from oracle.generate import requests as scheme_requests

COUNT = int(os.environ.get("GRADECAST_DOCUMENT_RECORDS", "40"))
SEED = os.environ.get("GRADECAST_SEED", "1")
LIBRARY = gradecast.ROOT / "GradingKit" / "Sources" / "RegulationLibrary" / "Documents"
CONSTRUCTS = pathlib.Path(__file__).parent / "documents" / "constructs.md"
DOCUMENTS = {path.stem: path for path in [*sorted(LIBRARY.glob("*.md")), CONSTRUCTS]}


@pytest.fixture(scope="module")
def guest():
    """A guest of a server of the module's own."""
    if not gradecast.BINARY.exists():
        pytest.skip(f"{gradecast.BINARY} is not built (set GRADECAST_BINARY)")
    with tempfile.TemporaryDirectory(prefix="gradecast-") as folder:
        running = gradecast.Server(folder).start()
        api = running.api()
        yield api
        api.close()
        assert running.stop() == 0, running.output()


def exactly(chosen):
    """Settings of a request as the rules calculate with them."""
    exact = {name: Fraction(str(value)) for name, value in chosen.items() if not isinstance(value, (bool, str, dict))}
    return chosen | exact


def disagreements(api, text, document, request, chosen):
    """How the server's answer differs from the oracle's."""
    expected = evaluate(document, request, settings_of(document, exactly(chosen), request.get("preset")))
    configuration = {"document": text, "settings": chosen}
    answer = api.evaluate({"scheme": "regulations", "configuration": configuration} | request)
    if "faults" in expected:
        if answer.status != 422:
            return [f"expected {expected['faults']}, got {answer!r}"]
        return fault_differences(expected["faults"], answer.json["faults"])
    if answer.status != 200:
        return [f"expected a standing, got {answer!r}"]
    return differences(expected["standing"], answer.json)


def compare(api, name, count, seed):
    """Compares `count` records under a document; shows the first few that differ."""
    text = DOCUMENTS[name].read_text(encoding="utf-8")
    document = read(text)
    failed = []
    for place, (request, chosen) in enumerate(requests(name, document, count, seed)):
        found = disagreements(api, text, document, request, chosen)
        if found:
            failed.append(f"record {place} of seed {seed}, {chosen}: {request}\n    " + "\n    ".join(found[:8]))
    assert not failed, f"{len(failed)} of {count} records differ\n" + "\n".join(failed[:4])


# Calculates forty records twice, in Python step by step.
@pytest.mark.slow("compares forty random records a document; fewer meet fewer of its rules together")
@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_means_the_same_to_the_server_and_to_the_oracle(guest, name):
    compare(guest, name, COUNT, SEED)


@pytest.mark.long
@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_means_the_same_over_many_records(guest, name):
    compare(guest, name, 2000, f"{SEED} and more")


@pytest.mark.slow("reads and judges twenty records in the interpreter in Python")
@pytest.mark.parametrize("name", DOCUMENTS)
def test_most_of_the_records_may_be_stored(name):
    document = read(DOCUMENTS[name].read_text(encoding="utf-8"))
    answers = [evaluate(document, request) for request, _ in requests(name, document, 20, SEED, spoilt=0)]
    assert sum("standing" in answer for answer in answers) >= 14


# -- The schemes that are also written in code, as documents and by the oracle that knows them alone.

CLAIMS = ("exact", "display", "floorExact", "ceilingExact")
SHARED = {"chalkboard": {"gpa", "total"}, "iut": {"total", "professional", "average"}, "rose-hulman": {"gpa", "grade"}}
# What the documents leave out: the preset `but`, and what rose-hulman drops and takes as extra credit.
OWN = {"rcue", "pole", "dropLowest", "dropHighest", "bonus"}


def plain(entries):
    """The entries without the fields that only the scheme in code has."""
    return [
        entry
        | {"fields": {name: value for name, value in entry["fields"].items() if name not in OWN}}
        | ({"children": plain(entry["children"])} if "children" in entry else {})
        for entry in entries
    ]


def shared(standing, names):
    """What the scheme in code and its document both claim of a standing."""

    def figures(of):
        return {
            name: {key: value for key, value in figure.items() if key in CLAIMS}
            for name, figure in of["figures"].items()
            if name in names
        }

    entries = {id: {"figures": figures(entry)} for id, entry in standing["entries"].items() if figures(entry)}
    for id, entry in entries.items():
        entry |= {key: standing["entries"][id][key] for key in ("letter", "points") if key in standing["entries"][id]}
    return {"figures": figures(standing), "entries": entries, "outcomes": standing["outcomes"]}


# Calculates 150 records twice in Python.
@pytest.mark.slow("evaluates 150 random records in two ways; fewer meet fewer of the rules together")
@pytest.mark.parametrize("scheme", SHARED)
def test_a_document_says_what_its_scheme_in_code_does(scheme):
    document = read(DOCUMENTS[scheme].read_text(encoding="utf-8"))
    compared = 0
    for request in scheme_requests(scheme, 150, "documents", spoilt=0):
        request = {key: value for key, value in request.items() if key not in ("preset", "configuration")}
        request["entries"] = plain(request["entries"])
        mine, theirs = evaluate(document, request), evaluate_scheme(request)
        assert ("faults" in mine) == ("faults" in theirs), (request, mine, theirs)
        if "standing" in theirs:
            compared += 1
            expected = shared(theirs["standing"], SHARED[scheme])
            assert claims(expected, mine["standing"]) == [], request
    assert compared > 60
