"""Thousands of random records a scheme: the server and the oracle agree on every claim, exactly."""

import os

import pytest

from oracle import differences, evaluate, explanation, fault_differences
from oracle.generate import requests

COUNT = int(os.environ.get("GRADECAST_RANDOM", "1000"))
SEED = os.environ.get("GRADECAST_SEED", "1")


def disagreements(api, request):
    """How the server's answer differs from the oracle's."""
    expected = evaluate(request)
    answer = api.evaluate(request)
    if "faults" in expected:
        if answer.status != 422:
            return [f"expected {expected['faults']}, got {answer!r}"]
        return fault_differences(expected["faults"], answer.json["faults"])
    if answer.status != 200:
        return [f"expected a standing, got {answer!r}"]
    return differences(expected["standing"], answer.json)


def compare(api, scheme, count, seed):
    """Compares `count` records; shows the first few that differ."""
    failed = []
    for index, request in enumerate(requests(scheme, count, seed)):
        found = disagreements(api, request)
        if found:
            failed.append(f"record {index} of seed {seed}: {request}\n    " + "\n    ".join(found[:8]))
    assert not failed, f"{len(failed)} of {count} records differ\n" + "\n".join(failed[:4])


# Calculates a thousand records twice.
@pytest.mark.slow("compares a thousand random records with the oracle; fewer find fewer differences")
@pytest.mark.parametrize("scheme", ["chalkboard", "rose-hulman", "iut"])
def test_random_records_agree_with_the_oracle(guest, scheme):
    compare(guest, scheme, COUNT, SEED)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 12))
@pytest.mark.parametrize("scheme", ["chalkboard", "rose-hulman", "iut"])
def test_many_random_records_agree_with_the_oracle(guest, scheme, seed):
    compare(guest, scheme, COUNT, seed)


@pytest.mark.parametrize("scheme", ["chalkboard", "rose-hulman", "iut"])
def test_stored_and_evaluated_records_give_the_same_figures(student, guest, scheme):
    for request in requests(scheme, 40, "stored", spoilt=0):
        for key in ("configuration", "preset"):
            request.pop(key, None)
        expected = evaluate(request)
        record = student.new_record(scheme)
        changes = record.fill(request) if request["entries"] or request.get("fields") else record.get()
        if "faults" in expected:
            assert changes.status == 422, (request, changes)
            continue
        assert changes.status == 200, (request, changes)
        mine, theirs = record.standing().json["figures"], guest.evaluate(request).json["figures"]
        assert mine == theirs, request


@pytest.mark.parametrize("scheme", ["chalkboard", "rose-hulman", "iut"])
def test_explanations_of_random_records_give_their_figures(guest, scheme):
    explained = 0
    for request in requests(scheme, 30, "explained", spoilt=0):
        answer = guest.post("/v1/evaluate?trace=all", request)
        if answer.status == 200 and "traces" in answer.json:
            explanation.check(answer.json)
            explained += len(answer.json["traces"]["nodes"])
    assert explained > 100
