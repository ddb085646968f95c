"""Short ways to write records on the wire. Ids are given by the caller or follow the place in the tree."""

NAMES = ("Assignments", "Midterm", "Final")


def entry(kind, fields, children=(), id=None, status=None):
    """One entry; fields that are None are left out."""
    result = {"kind": kind, "fields": {name: value for name, value in fields.items() if value is not None}}
    if id is not None:
        result = {"id": id} | result
    if status is not None:
        result["status"] = status
    if children:
        result["children"] = list(children)
    return result


def with_ids(entries, prefix=""):
    """The same tree in which every entry without an id has one: `a`, `a.b` … by place, sorting as they stand."""
    result = []
    for index, one in enumerate(entries):
        name = one.get("id") or f"{prefix}{index + 1:03d}"
        copy = {"id": name} | one
        if "children" in one:
            copy["children"] = with_ids(one["children"], name + ".")
        result.append(copy)
    return result


def without_ids(entries):
    """The same tree as a stored record takes it."""
    return [
        {key: without_ids(value) if key == "children" else value for key, value in one.items() if key != "id"}
        for one in entries
    ]


def request(scheme, entries, **more):
    """A body for `POST /v1/evaluate`."""
    return {"scheme": scheme, **more, "entries": with_ids(entries)}


# -- chalkboard


def board_course(title, credits, *assessments, id=None):
    """A course from three `(points, max, weight)`."""
    children = [
        entry("assessment", {"name": name, "points": points, "max": maximum, "weight": weight})
        for name, (points, maximum, weight) in zip(NAMES, assessments, strict=True)
    ]
    return entry("course", {"title": title, "credits": credits}, children, id=id)


def board_total(title, credits, total):
    """A course whose total is exactly `total`."""
    return board_course(title, credits, (total, 100, 30), (total, 100, 30), (total, 100, 40))


# -- rose-hulman


def item(title="Item", status=None, **fields):
    """An item: `score` and `max`, or `grade`; `weight` if it has its own."""
    return entry("item", {"title": title, **fields}, status=status)


def weighted(*pairs):
    """Percent items from `(weight, grade)`."""
    return [item(f"Item {index + 1}", weight=weight, grade=grade) for index, (weight, grade) in enumerate(pairs)]


def category(name, weight, items=(), grade=None, status=None, id=None, **drops):
    """A category; participation has `grade` and no items. Others may drop results: `dropLowest`, `dropHighest`."""
    fields = {"category": name, "weight": weight, "grade": grade, **drops}
    return entry("category", fields, items, id=id, status=status)


def rose_course(
    *categories, title="Course", credits=4, number="", section=1, quarter=1, year=2022, status=None, id=None
):
    """A course of categories."""
    fields = {
        "title": title,
        "number": number,
        "section": section,
        "quarter": quarter,
        "year": year,
        "credits": credits,
    }
    return entry("course", fields, categories, id=id, status=status)


def rose_grade(percent, **more):
    """A course with one exam of that percentage."""
    return rose_course(category("exams", 100, weighted((1, percent))), **more)


# -- iut


def unit(title, weight, subjects, professional=False, code=None, rcue=None, status=None, id=None):
    """A unit from subjects: `(title, weight, grade or None)` or ready entries."""
    children = [one if isinstance(one, dict) else subject(*one) for one in subjects]
    fields = {"title": title, "code": code, "weight": weight, "professional": professional, "rcue": rcue}
    return entry("unit", fields, children, id=id, status=status)


def subject(title, weight, grade=None, pole=None, status=None):
    """A subject of a unit."""
    return entry("subject", {"title": title, "weight": weight, "grade": grade, "pole": pole}, status=status)
