"""Whom first and last names in a file mean, without a server."""

import pytest
from test_class_import_plans import plan, sent

# One student who is displayed under another name, one who is displayed under the first one's, and two without first and
# last names.
NAMED = [
    {"id": "ada", "name": "Countess", "givenName": "Ada", "familyName": "Lovelace"},
    {"id": "byron", "name": "Ada Lovelace", "givenName": "Anne Isabella", "familyName": "Byron"},
    {"id": "wang", "name": "Yutong", "givenName": "雨桐", "familyName": "王"},
    {"id": "grace", "name": "Grace Hopper"},
    {"id": "jr", "name": "Sammy", "givenName": "Sam", "familyName": "Davis, Jr."},
]


@pytest.mark.parametrize(
    ("head", "line", "student"),
    [
        ("Name", "Countess", "ada"),
        # Somebody has this name and somebody else is displayed so: one column does not say who is meant.
        ("Name", "Ada Lovelace", None),
        ("Name", '"Lovelace, Ada"', None),
        # Two columns do.
        ("Last name,First name", "LOVELACE,Ada", "ada"),
        ("First name,Last name", "Ada,Lovelace", "ada"),
        ("Nom,Prénom", "Lovelace,Ada", "ada"),
        ("姓,名", "王,雨桐", "wang"),
        ("Name", "王雨桐", "wang"),
        ("Name", '"Byron, Anne Isabella"', "byron"),
        ("Name", "Byron Anne Isabella", "byron"),
        ("Last name,First name", "Hopper,Grace", "grace"),
        ("Last name,First name", '"Davis, Jr.",Sam', "jr"),
        # The identifiers of an exported file, which need no row.
        ("name,familyName,givenName", "Countess,Lovelace,Ada", "ada"),
        ("name,familyName,givenName", "Grace Hopper,,", "grace"),
        ("Last name,First name", "Lovelace,Augusta", None),
    ],
)
def test_first_and_last_names_identify_a_student(anywhere, head, line, student):
    found = plan(anywhere, f"{head},Midterm\n{line},70\nGrace Hopper,,\n", students=NAMED)
    assert sent(found) == ({(student, "Midterm"): "70"} if student else {})
    if student is None:
        assert len(found["notes"]["students"]) == 1


@pytest.mark.parametrize("other", [{"givenName": "Ada", "familyName": "Lovelace"}, {}])
def test_a_first_and_last_name_that_two_may_have_identify_neither(anywhere, other):
    students = [NAMED[0], {"id": "other", "name": "Ada Lovelace", **other}]
    found = plan(anywhere, "Last name,First name,Midterm\nLovelace,Ada,70\n", students=students)
    assert (sent(found), found["notes"]["students"]) == ({}, ["Ada Lovelace"])
