"""Whom first and last names in a file mean, without a server."""

import pytest
from test_class_import_plans import NOBODY, SEVERAL, notes, plan, sent

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
        # Two columns and a comma do.
        ("Last name,First name", "LOVELACE,Ada", "ada"),
        ("Name", '"Lovelace, Ada"', "ada"),
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
    ],
)
def test_first_and_last_names_identify_a_student(anywhere, head, line, student):
    found = plan(anywhere, f"{head},Midterm\n{line},70\nGrace Hopper,,\n", students=NAMED)
    assert sent(found) == ({(student, "Midterm"): "70"} if student else {})
    assert len(found["notes"]["several"]) == (student is None)


def test_a_first_and_last_name_that_nobody_has_are_told_as_not_in_the_class(anywhere):
    found = plan(anywhere, "Last name,First name,Midterm\nLovelace,Augusta,70\n", students=NAMED)
    assert (sent(found), notes(found)) == ({}, {"students": ["Augusta Lovelace"]})


SENIOR = {"id": "senior", "name": "Jack", "givenName": "John", "familyName": "Smith"}
JUNIOR = {"id": "junior", "name": "Johnny", "givenName": "John", "familyName": "Smith, Jr."}
# The same text is this student's "Last, First" by another comma.
OTHER = {"id": "other", "name": "Jay", "givenName": "Jr., John", "familyName": "Smith"}
SHOWN = {"id": "shown", "name": "John Smith, Jr."}
LISTED = {"id": "listed", "name": "Smith, Jr., John"}
TURNED = {"id": "turned", "name": "Jr., John Smith"}
SHOWN_SENIOR = {"id": "shown senior", "name": "Smith, John"}
NICKNAMED = {"id": "nicknamed", "name": "Smith, John", "givenName": "Jon", "familyName": "Smyth"}

# In one column: who is in the class, what the file has, and whom it means, or as what it is told.
COMMAS = [
    ([SENIOR, JUNIOR], "Smith, Jr., John", "junior"),
    ([SENIOR, JUNIOR], "SMITH,JR.,JOHN", "junior"),
    ([SENIOR, JUNIOR], "Smith，Jr.，John", "junior"),
    ([SENIOR, JUNIOR], "John Smith, Jr.", "junior"),
    ([SENIOR, JUNIOR], "Smith, John", "senior"),
    ([SENIOR], "Smith, Jr., John", NOBODY),
    ([SENIOR], "John Smith, Jr.", NOBODY),
    ([JUNIOR], "Smith, John", NOBODY),
    ([JUNIOR], "Smith, Jr., Jane", NOBODY),
    # Who has said no names is found by the displayed one, in either order.
    ([SHOWN, SENIOR], "Smith, Jr., John", "shown"),
    ([LISTED, SENIOR], "Smith, Jr., John", "listed"),
    ([LISTED, SENIOR], "John Smith, Jr.", "listed"),
    # Which comma is between the names is not said.
    ([JUNIOR, OTHER], "Smith, Jr., John", SEVERAL),
    ([SHOWN, TURNED], "Smith, Jr., John", SEVERAL),
    ([JUNIOR, TURNED], "Smith, Jr., John", SEVERAL),
    # Said names come before displayed ones, unless whoever is displayed so has said none.
    ([SENIOR, NICKNAMED], "Smith, John", "senior"),
    ([SENIOR, SHOWN_SENIOR], "Smith, John", SEVERAL),
    ([JUNIOR, SHOWN], "Smith, Jr., John", SEVERAL),
    ([JUNIOR, LISTED], "Smith, Jr., John", SEVERAL),
    # Longer than any name, and nothing but commas.
    ([JUNIOR], "Smith" + "," * 100_000 + "John", NOBODY),
    ([JUNIOR], ", ,", NOBODY),
]


def test_a_comma_between_names_is_told_from_one_within_a_name(anywhere):
    for students, text, expected in COMMAS:
        found = plan(anywhere, f'Name,Midterm\n"{text}",70\n', students=students)
        if expected in (SEVERAL, NOBODY):
            assert (sent(found), notes(found)) == ({}, {expected: [text]}), (students, text[:50])
        else:
            assert (sent(found), notes(found)) == ({(expected, "Midterm"): "70"}, {}), (students, text[:50])


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "1 row fits several students of this class and is not read: Smith, Jr., John."),
        ("fr", "1 ligne correspond à plusieurs étudiants de ce cours et n’est pas lue : Smith, Jr., John."),
        ("zh-Hans", "1 行对应此班级中的多名学生，未读取：Smith, Jr., John。"),
    ],
)
def test_a_row_that_fits_several_is_told_as_such(anywhere, language, told):
    choose = "async id => (await import('/app/core/text/i18n.js')).chooseLanguage(id)"
    anywhere.evaluate(choose, language)
    try:
        found = plan(anywhere, 'Name,Midterm\n"Smith, Jr., John",70\n', students=[JUNIOR, OTHER])
    finally:
        # Other tests use the page after this one.
        anywhere.evaluate(choose, "en")
        anywhere.evaluate("localStorage.removeItem('gradecast.language')")
    assert found["told"] == told


@pytest.mark.parametrize("other", [{"givenName": "Ada", "familyName": "Lovelace"}, {}])
def test_a_first_and_last_name_that_two_may_have_identify_neither(anywhere, other):
    students = [NAMED[0], {"id": "other", "name": "Ada Lovelace", **other}]
    found = plan(anywhere, "Last name,First name,Midterm\nLovelace,Ada,70\n", students=students)
    assert (sent(found), notes(found)) == ({}, {"several": ["Ada Lovelace"]})
