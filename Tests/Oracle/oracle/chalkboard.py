"""The scheme `chalkboard`: a course is points/max × weight of three assessments."""

import unicodedata
from fractions import Fraction

from .exact import band, display, figure, number, staged, text
from .shape import field

NAMES = ("Assignments", "Midterm", "Final")
RECORD = {}
KINDS = {
    "course": {"title": field("text", required=True), "credits": field("number", required=True)},
    "assessment": {
        "name": field("choice", required=True, choices=NAMES),
        "points": field("number", required=True),
        "max": field("number", required=True),
        "weight": field("number", required=True),
    },
}
NESTING = {None: ("course",), "course": ("assessment",), "assessment": ()}
DEFAULTS = {
    "courseLimit": 4,
    "bands": [
        {"label": "A", "from": 90, "points": 4},
        {"label": "B", "from": 80, "points": 3},
        {"label": "C", "from": 70, "points": 2},
        {"label": "D", "from": 60, "points": 1},
        {"label": "F", "from": 0, "points": 0},
    ],
    "total": {"rounding": "floor", "scale": 1, "compareOn": "exact", "stages": []},
    "gpa": {"rounding": "halfUp", "scale": 2, "compareOn": "displayed", "stages": []},
    "colours": [{"label": "green", "from": 3}, {"label": "orange", "from": 2}, {"label": "red", "from": 0}],
}
PRESETS = {"default": {}}


def statuses(node):
    """A chalkboard entry has no status."""
    return ()


def folded(title):
    """A title as it is compared: trimmed, white space collapsed, lower case, canonical."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", " ".join(title.split())).lower())


def check(courses, fields, config, faults):
    """The rules of the chalkboard beyond its shape."""
    if len(courses) > config["courseLimit"]:
        faults.add("course_limit", "")
    seen = set()
    for course in courses:
        title = course["fields"].get("title")
        if title is not None:
            if folded(title) in seen:
                faults.add("duplicate_title", course["path"] + "/fields/title")
            seen.add(folded(title))
        credits = course["fields"].get("credits")
        if credits is not None and credits <= 0:
            faults.add("credits_not_positive", course["path"] + "/fields/credits")
        check_assessments(course, faults)


def check_assessments(course, faults):
    """The three assessments of a course."""
    children = course["children"]
    if len(children) < 3:
        faults.add("missing_child", course["path"] + "/children")
    if len(children) > 3:
        faults.add("entry_limit", course["path"] + "/children")
    names = set()
    for child in children:
        fields, path = child["fields"], child["path"] + "/fields/"
        name, points, maximum, weight = (fields.get(key) for key in ("name", "points", "max", "weight"))
        if name is not None:
            if name in names:
                faults.add("duplicate_child", path + "name")
            names.add(name)
        if maximum is not None and maximum <= 0:
            faults.add("max_not_positive", path + "max")
        if points is not None and (points < 0 or (maximum is not None and maximum > 0 and points > maximum)):
            faults.add("points_out_of_range", path + "points")
        if weight is not None and not 0 <= weight <= 100:
            faults.add("weight_out_of_range", path + "weight")
    weights = [child["fields"].get("weight") for child in children]
    if len(weights) == 3 and None not in weights and sum(weights) != 100:
        faults.add("weights_sum", course["path"])


def standing(courses, fields, config):
    """Everything computed for a chalkboard."""
    entries, credit_sum, point_sum = {}, Fraction(0), Fraction(0)
    for course in courses:
        total = Fraction(0)
        for child in course["children"]:
            total += child["fields"]["points"] / child["fields"]["max"] * child["fields"]["weight"]
        total = staged(total, config["total"])
        letter = band(total, config["bands"], config["total"])
        credit_sum += course["fields"]["credits"]
        point_sum += course["fields"]["credits"] * number(letter["points"])
        entries[course["id"]] = {
            "figures": {"total": figure(total, total, total, config["total"])},
            "letter": letter["label"],
            "points": text(number(letter["points"])),
        }
    return {"figures": {"gpa": gpa(point_sum, credit_sum, config)}, "entries": entries, "outcomes": {}, "warnings": []}


def gpa(points, credits, config):
    """The grade point average with its colour and text."""
    rule = config["gpa"]
    if credits == 0:
        return figure(None, None, None, rule, reason="no_courses", band="white", text="GPA: ")
    value = staged(points / credits, rule)
    colour = band(value, config["colours"], rule)["label"]
    return figure(value, value, value, rule, band=colour, text="GPA: " + display(value, rule))
