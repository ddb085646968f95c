"""The scheme `rose-hulman`: weighted categories of weighted items, quarters, a cumulative GPA."""

import functools
import itertools
from fractions import Fraction

from .exact import band, figure, number, rounded, shortest, staged, text
from .shape import field

CATEGORIES = ("assignments", "exams", "labs", "quizzes", "participation")
RECORD = {"priorGPA": field("number", low=0), "priorCredits": field("number", low=0)}
KINDS = {
    "course": {
        "title": field("text", required=True),
        "number": field("text"),
        "section": field("integer", low=0),
        "quarter": field("integer", required=True, low=1, high=4),
        "year": field("integer", required=True, low=1900, high=2999),
        "credits": field("number", required=True, low=0),
    },
    "category": {
        "category": field("choice", required=True, choices=CATEGORIES),
        "weight": field("number", low=0),
        "grade": field("number"),
        "dropLowest": field("integer", low=0, high=50),
        "dropHighest": field("integer", low=0, high=50),
    },
    "item": {
        "title": field("text"),
        "score": field("number"),
        "max": field("number"),
        "grade": field("number"),
        "weight": field("number", low=0),
        "bonus": field("boolean"),
    },
}
NESTING = {None: ("course",), "course": ("category",), "category": ("item",), "item": ()}
HALF_UP = {"rounding": "halfUp", "scale": 2, "compareOn": "displayed", "stages": []}
DEFAULTS = {
    "bands": [
        {"label": label, "from": start, "points": points}
        for label, start, points in [
            ("A", 90, "4"),
            ("B+", 85, "3.5"),
            ("B", 80, "3"),
            ("C+", 75, "2.5"),
            ("C", 70, "2"),
            ("D+", 65, "1.5"),
            ("D", 60, "1"),
            ("F", 0, "0"),
        ]
    ],
    "grade": HALF_UP,
    "gpa": HALF_UP,
    "weights": "normalise",
    "participationMissing": "zero",
    "extraCredit": True,
    "attempts": "best",
}
PRESETS = {"default": {}}
CURRENT, FLOOR, CEILING = "current", "floor", "ceiling"
RUNS = (CURRENT, FLOOR, CEILING)
OUTSIDE_GPA = ("audit", "withdrawn", "transfer")


def statuses(node):
    """The statuses that may be set by hand on one node."""
    if node["kind"] == "course":
        return ("graded", "audit", "withdrawn", "transfer")
    if node["kind"] == "item" or node["fields"].get("category", "participation") == "participation":
        return ("graded", "excused", "absent", "pending")
    return ()


# -- rules -----------------------------------------------------------------------------------------------------


def check(courses, fields, config, faults):
    """The rules of the scheme beyond its shape."""
    highest = max(number(candidate["points"]) for candidate in config["bands"])
    prior = fields.get("priorGPA")
    if prior is not None and prior > highest:
        faults.add("out_of_range", "/fields/priorGPA")
    if prior is None and fields.get("priorCredits", 0) > 0 and "priorGPA" not in fields.get("bad", ()):
        faults.add("missing_field", "/fields/priorGPA")
    for course in courses:
        seen = set()
        for category in course["children"]:
            name = category["fields"].get("category")
            if name is not None and name in seen:
                faults.add("duplicate_category", category["path"] + "/fields/category")
            seen.add(name)
            if name not in (None, "participation") and has(category, "grade"):
                faults.add("unknown_field", category["path"] + "/fields/grade")
            if name == "participation":
                if category["children"]:
                    faults.add("wrong_kind", category["path"] + "/children")
                for drop in ("dropLowest", "dropHighest"):
                    if has(category, drop):
                        faults.add("unknown_field", f"{category['path']}/fields/{drop}")
            check_percent(category, config, faults)
            for item in category["children"]:
                check_item(item, config, faults)


def has(node, name):
    """Whether a field is there, though it may be none that can be read."""
    return name in node["fields"] or name in node["bad"]


def check_percent(node, config, faults):
    """A grade in percent."""
    grade = node["fields"].get("grade")
    if grade is not None and (grade < 0 or (grade > 100 and not config["extraCredit"])):
        faults.add("grade_out_of_range", node["path"] + "/fields/grade")


def check_item(item, config, faults):
    """One graded thing: a score out of a maximum, or a percentage."""
    fields, path = item["fields"], item["path"] + "/fields/"
    score, maximum = fields.get("score"), fields.get("max")
    if maximum is not None and maximum <= 0:
        faults.add("max_not_positive", path + "max")
    if has(item, "score"):
        if not has(item, "max"):
            faults.add("missing_field", path + "max")
        if has(item, "grade"):
            faults.add("score_and_grade", path + "grade")
    if score is not None:
        above = maximum is not None and maximum > 0 and score > maximum and not config["extraCredit"]
        if score < 0 or above:
            faults.add("grade_out_of_range", path + "score")
    check_percent(item, config, faults)


# -- one course ------------------------------------------------------------------------------------------------


def once(calculate):
    """Calculates something of a node and a run once, and keeps it with the node: a record is read for one standing."""

    @functools.wraps(calculate)
    def known(node, run, *config):
        kept = node.setdefault("known", {})
        if (calculate, run) not in kept:
            kept[calculate, run] = calculate(node, run, *config)
        return kept[calculate, run]

    return known


def percent(node, run):
    """The percentage of an item or of participation: `None` when it does not count in this run."""
    fields = node["fields"]
    if node["status"] == "excused":
        return None
    if node["status"] == "absent":
        return Fraction(0)
    if node["status"] != "pending":
        if "score" in fields:
            return fields["score"] / fields["max"] * 100
        if "grade" in fields:
            return fields["grade"]
    return {CURRENT: None, FLOOR: Fraction(0), CEILING: Fraction(100)}[run]


def item_weight(item):
    """`weight`, else `max`, else 1."""
    return item["fields"].get("weight", item["fields"].get("max", Fraction(1)))


def is_bonus(item):
    """Whether an item is extra credit."""
    return item["fields"].get("bonus", False)


@once
def counted(category, run):
    """The items that count in a run but for extra credit, after the drop rules: `[(item, weight, percent)]`.

    Of all ways to leave out the lowest, the one that is best when the highest are left out in the worst way.
    """
    parts = [(item, item_weight(item), percent(item, run)) for item in category["children"] if not is_bonus(item)]
    parts = [part for part in parts if part[1] > 0 and part[2] is not None]
    lowest = min(int(category["fields"].get("dropLowest", 0)), max(len(parts) - 1, 0))
    highest = min(int(category["fields"].get("dropHighest", 0)), max(len(parts) - 1 - lowest, 0))
    if lowest + highest == 0:
        return parts
    kept = itertools.combinations(parts, len(parts) - lowest)
    mean = max(min(mean_of(rest) for rest in itertools.combinations(some, len(some) - highest)) for some in kept)
    ranked = sorted(parts, key=lambda part: (part[1] * (part[2] - mean), part[0]["id"]))
    return ranked[lowest : len(ranked) - highest]


def mean_of(parts):
    """The weighted mean of some items."""
    return sum(weight * value for _, weight, value in parts) / sum(weight for _, weight, _ in parts)


def whole_weight(category):
    """The weights of all items but extra credit and what is excused."""
    items = [item for item in category["children"] if not is_bonus(item) and item["status"] != "excused"]
    return sum((item_weight(item) for item in items), Fraction(0))


@once
def category_percent(category, run):
    """The mean of a category, and what extra credit adds up to 100; of one in which nothing counts yet the run's own 0 or 100."""
    if category["fields"]["category"] == "participation":
        return percent(category, run)
    parts = counted(category, run)
    if not counted(category, CURRENT):
        return {CURRENT: None, FLOOR: Fraction(0), CEILING: Fraction(100)}[run]
    extra = [(percent(item, run), item_weight(item)) for item in category["children"] if is_bonus(item)]
    points = sum((value * weight for value, weight in extra if value is not None), Fraction(0))
    mean = mean_of(parts)
    return max(mean, min(Fraction(100), mean + points / whole_weight(category)))


def declared_sum(course):
    """The sum of all category weights, empty categories too."""
    return sum((category["fields"].get("weight", Fraction(0)) for category in course["children"]), Fraction(0))


@once
def counting(course, run, config):
    """The categories that count in a run: `[(category, weight, percent)]`."""
    result, missing = [], []
    for category in course["children"]:
        weight = category["fields"].get("weight", Fraction(0))
        if weight == 0:
            continue
        value = category_percent(category, run)
        if value is not None:
            result.append((category, weight, value))
        elif category["fields"]["category"] == "participation" and category["status"] in (None, "graded"):
            missing.append((category, weight, Fraction(0)))
    if result and config["participationMissing"] == "zero":
        result += missing
    return result


@once
def course_grade(course, run, config):
    """The grade of a course in percent, or `None`."""
    if config["weights"] == "mustEqual100" and declared_sum(course) != 100:
        return None
    parts = counting(course, run, config)
    if not parts:
        return {CURRENT: None, FLOOR: Fraction(0), CEILING: Fraction(100)}[run]
    divisor = sum(weight for _, weight, _ in parts)
    if config["weights"] == "bonusAbove100":
        divisor = min(divisor, Fraction(100))
    return staged(sum(weight * value for _, weight, value in parts) / divisor, config["grade"])


def course_points(course, run, config):
    """Grade points of a course in a run, or `None`."""
    grade = course_grade(course, run, config)
    return None if grade is None else number(band(grade, config["bands"], config["grade"])["points"])


# -- attempts --------------------------------------------------------------------------------------------------


def superseded(courses, config):
    """The ids of attempts that another attempt of the same course replaces, and the ids of all repeated courses."""
    groups = {}
    for course in courses:
        name = course["fields"].get("number", "").strip().lower()
        competes = course_grade(course, CURRENT, config) is not None and course["status"] not in OUTSIDE_GPA
        if name and competes:
            groups.setdefault(name, []).append(course)
    if config["attempts"] == "all":
        return set()
    losers = set()
    for group in groups.values():
        winner = max(group, key=lambda course: rank(course, config))
        losers |= {course["id"] for course in group if course is not winner}
    return losers


def rank(course, config):
    """The order in which attempts compete."""
    when = (course["fields"]["year"], course["fields"]["quarter"], course["id"])
    if config["attempts"] == "last":
        return when
    return (course_points(course, CURRENT, config), course_grade(course, CURRENT, config)) + when


# -- the record ------------------------------------------------------------------------------------------------


def mean_points(courses, run, config, points=Fraction(0), credits=Fraction(0)):
    """Σ credits × points / Σ credits over the courses that are in the GPA."""
    for course in courses:
        value = None if course["status"] in OUTSIDE_GPA else course_points(course, run, config)
        if value is not None:
            points += course["fields"]["credits"] * value
            credits += course["fields"]["credits"]
    return None if credits == 0 else staged(points / credits, config["gpa"])


def standing(courses, fields, config):
    """Everything computed for a rose-hulman record."""
    replaced = superseded(courses, config)
    kept = [course for course in courses if course["id"] not in replaced]
    prior_credits = fields.get("priorCredits", Fraction(0))
    prior_points = fields.get("priorGPA", Fraction(0)) * prior_credits
    figures = {
        "gpa": figure(*(mean_points(kept, run, config, prior_points, prior_credits) for run in RUNS), config["gpa"])
    }
    if (
        courses
        and not prior_credits
        and all(course["fields"]["credits"] == 0 for course in kept)
        and mean_graded(kept, config)
    ):
        figures["gpa"]["reason"] = "no_credits"
    if courses:
        figures |= credit_figures(kept, prior_credits, config)
    for year, quarter in sorted({(c["fields"]["year"], c["fields"]["quarter"]) for c in courses}):
        term = [c for c in courses if (c["fields"]["year"], c["fields"]["quarter"]) == (year, quarter)]
        figures[f"term:{year}.{quarter}"] = figure(*(mean_points(term, run, config) for run in RUNS), config["gpa"])
        figures[f"credits:{year}.{quarter}"] = credit_figure(term, lambda course: course["status"] != "audit")
    entries = {}
    for course in courses:
        describe(course, config, entries)
    return {"figures": figures, "entries": entries, "outcomes": {}, "warnings": warnings(courses, replaced, config)}


def mean_graded(courses, config):
    """Whether any course in the GPA has a grade."""
    return any(c["status"] not in OUTSIDE_GPA and course_grade(c, CURRENT, config) is not None for c in courses)


def credit_figure(courses, counts, start=Fraction(0)):
    """A sum of credits; credits show without trailing zeros."""
    total = start + sum((course["fields"]["credits"] for course in courses if counts(course)), Fraction(0))
    return {"exact": text(total), "display": shortest(total)}


def credit_figures(kept, prior, config):
    """`credits`, `creditsAttempted` and `creditsEarned` of the whole record."""

    def attempted(course):
        if course["status"] in ("audit", "transfer"):
            return False
        return course["status"] == "withdrawn" or course_grade(course, CURRENT, config) is not None

    def earned(course):
        if course["status"] in ("audit", "withdrawn"):
            return False
        return course["status"] == "transfer" or (course_points(course, CURRENT, config) or 0) > 0

    return {
        "credits": credit_figure(kept, lambda course: course["status"] != "audit"),
        "creditsAttempted": credit_figure(kept, attempted, prior),
        "creditsEarned": credit_figure(kept, earned, prior),
    }


def describe(course, config, entries):
    """What the standing says of one course, its categories and items."""
    values = [course_grade(course, run, config) for run in RUNS]
    result = figure(*values, config["grade"])
    mine = {"figures": {"grade": result}, "letter": None, "points": None}
    if values[0] is not None:
        letter = band(values[0], config["bands"], config["grade"])
        mine["letter"], mine["points"] = letter["label"], text(number(letter["points"]))
        result["band"] = "red" if number(letter["points"]) < 2 else "black"
    elif config["weights"] == "mustEqual100" and declared_sum(course) != 100:
        result["reason"] = "weights_sum"
    entries[course["id"]] = mine
    parts = counting(course, CURRENT, config)
    for category in course["children"]:
        values = [category_percent(category, run) for run in RUNS]
        participation = category["fields"]["category"] == "participation"
        if participation and values[0] is None:
            continue
        shown = figure(*values, config["grade"])
        if category["fields"].get("weight", 0) == 0 or participation:
            for key in ("floor", "floorExact", "ceiling", "ceilingExact"):
                del shown[key]
        entries[category["id"]] = {"figures": {"percent": shown}}
        effective(category, parts, entries)


def effective(category, parts, entries):
    """The effective weights of a category's items, or of participation, in percent of the course."""
    share = next((weight for part, weight, _ in parts if part is category), None)
    total = sum(weight for _, weight, _ in parts)
    one_decimal = {"rounding": "halfUp", "scale": 1}
    if category["fields"]["category"] == "participation":
        leaves = [(category, Fraction(1), Fraction(1))]
    else:
        parts = counted(category, CURRENT)
        whole = sum(weight for _, weight, _ in parts)
        graded = [item for item in category["children"] if percent(item, CURRENT) is not None]
        leaves = [(item, weight, whole) for item, weight, _ in parts]
        leaves += [(item, 0, whole) for item in graded if not is_bonus(item) and item_weight(item) == 0]
        leaves += [(item, item_weight(item), whole_weight(category)) for item in graded if is_bonus(item)]
    if share is None:
        return
    for leaf, weight, whole in leaves:
        value = share / total * weight / whole * 100
        mine = entries.setdefault(leaf["id"], {"figures": {}})
        mine["effectiveWeight"] = shortest_fixed(rounded(value, one_decimal))


def shortest_fixed(value):
    """An effective weight as text, with its one decimal."""
    return f"{int(value * 10) // 10}.{int(value * 10) % 10}"


def warnings(courses, replaced, config):
    """The warnings in tree order, then by code."""
    result = []
    for course in courses:
        total = declared_sum(course)
        if course["id"] in replaced:
            result.append({"code": "repeated_course", "entry": course["id"]})
        if config["weights"] == "normalise" and total not in (0, 100):
            result.append({"code": "weights_normalised", "entry": course["id"]})
        for category in course["children"]:
            items = [item["fields"] for item in category["children"]]
            from_max = any("max" in item and "weight" not in item for item in items)
            if from_max and any("grade" in item for item in items):
                result.append({"code": "mixed_item_weights", "entry": category["id"]})
    return result
