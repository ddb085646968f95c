"""A request's entries read as a record of a document: nodes, or every fault of them."""

from fractions import Fraction

from oracle import shape
from oracle.shape import Faults, check_tree, count

from .judge import Judge
from .node import STATUS, Node, folded

ENTRY_LIMIT = 1000
TYPES = {"whole number": "integer", "yes/no": "boolean", "one of": "choice", "text": "text"}


class Shape:
    """The kinds of a document as `oracle.shape` checks them."""

    def __init__(self, document):
        self.document = document
        self.kinds = {name: kind for name, kind in document.kinds.items() if kind.base is None}
        self.KINDS = {name: fields(kind) for name, kind in self.kinds.items()}
        self.NESTING = {None: self.inside("record")} | {name: self.inside(name) for name in self.kinds}

    def inside(self, parent):
        kinds = self.kinds.items()
        return [name for name, kind in kinds if kind.parent == parent or (name == parent and kind.levels > 1)]

    def statuses(self, node):
        return ("graded", *self.document.kinds[node["kind"]].statuses)


def fields(kind):
    """The fields of a kind: what type, whether they must be there."""
    result = {}
    for name, field in kind.fields.items():
        kind = "choice" if field.type == "letter of" else TYPES.get(field.type, "number")
        kind = "comma" if kind == "number" and field.comma else kind
        required = field.required if field.is_grade else not field.optional
        result[name] = shape.field(kind, required, choices=field.choices)
    return result


def read(document, settings, request):
    """`(record, faults)` of a request: the record's node, or what is wrong with it."""
    faults = Faults()
    checked = Shape(document)
    copies = dict(copied(document, request.get("entries") or []))
    request = request | {"entries": [without_blanks(document, entry) for entry in request.get("entries") or []]}
    given, _ = shape.check_fields(request.get("fields") or {}, checked.KINDS["record"], "/fields", faults)
    root = {"kind": "record", "fields": given, "path": "", "children": []}
    root["children"] = check_tree(request.get("entries") or [], checked, None, "/entries", faults)
    if count(root["children"]) > ENTRY_LIMIT:
        faults.add("entry_limit", "/entries")
    check_ranges(document, root, faults)
    record = node_of(root, None, paths := {}, STATUS | document.statuses)
    for node in paths:
        node.given, node.values = copies.get(node.id, ({}, {}))
    judge = Judge(document, settings, record)
    for kind, condition, code in document.checks:
        for node in [record] if kind == "record" else record.inside(kind):
            if judge.value(condition, (node,), "current") is False:
                faults.add(code, paths[node.named])
    return record, faults.sorted()


def copied(document, entries):
    """By identifiers, what copies of earlier records have: figures and states of outcomes, and the values of these."""
    for entry in entries:
        given = entry.get("given") or {}
        made = {name: Fraction(str(value)) for name, value in given.get("figures", {}).items()}
        values = {}
        for name, word in given.get("outcomes", {}).items():
            known = document.values.get((entry.get("kind"), name), {})
            if isinstance(word, dict):
                made[name], values[name] = word["state"], word["value"]
            elif word in known:
                made[name], values[name] = known[word], word
            else:
                made[name] = word
        yield entry.get("id"), (made, values)
        yield from copied(document, entry.get("children") or [])


def without_blanks(document, entry):
    """An entry in which a choice that says nothing is told from one that is not there: it is none of the choices."""
    kind = document.kinds.get(entry.get("kind"))
    choices = {name for name, field in kind.fields.items() if field.choices} if kind else ()
    fields = entry.get("fields") or {}
    blank = {name: "none of them" for name in choices if fields.get(name) == ""}
    children = [without_blanks(document, child) for child in entry.get("children") or []]
    entry = {name: value for name, value in entry.items() if name != "given"}
    return entry | {"fields": fields | blank, "children": children}


def node_of(made, parent, paths, table):
    """The node of a checked entry and of everything in it."""
    status = made.get("status")
    node = Node(made["kind"], made.get("id"), made["fields"], None if status == "graded" else status, parent, table)
    paths[node] = made["path"]
    node.children = [node_of(child, node, paths, table) for child in made["children"]]
    return node


def check_ranges(document, made, faults):
    """Bounds of fields, and of how many entries of a kind stand beside each other."""
    # What is out of range itself bounds no grade.
    fields, others = document.kinds[made["kind"]].fields, dict(made["fields"])
    for name, field in sorted(fields.items(), key=lambda item: item[1].type == "grade out of"):
        value = made["fields"].get(name)
        if isinstance(value, Fraction) and field.type != "letter of" and not within(document, field, value, others):
            faults.add("out_of_range", f"{made['path']}/fields/{name}")
            others.pop(name)
    seen = {}
    for child in made["children"]:
        kind = document.kinds[child["kind"]]
        seen[kind.name] = seen.get(kind.name, 0) + 1
        if kind.most is not None and seen[kind.name] == kind.most + 1:
            faults.add("entry_limit", made["path"] + "/children" if made["path"] else "")
        for name, field in kind.fields.items():
            value = child["fields"].get(name)
            if field.unique and value is not None:
                value = " ".join(folded(value).split()) if isinstance(value, str) else value
                if (kind.name, name, value) in seen:
                    faults.add(f"duplicate_{name}", f"{child['path']}/fields/{name}")
                seen[kind.name, name, value] = True
        check_ranges(document, child, faults)


def within(document, field, value, others):
    """Whether a number is within the bounds of its field."""
    low, high = field.low, field.high
    if field.is_grade:
        worst, best = document.scales[field.of] if field.type == "grade in" else (Fraction(0), others.get(field.of))
        ends = [end for end in (worst, best) if end is not None]
        low = min(ends) if low is None else low
        if high is None and not field.beyond and best is not None:
            high = max(ends)
    if field.above is not None and value <= field.above:
        return False
    return (low is None or value >= low) and (high is None or value <= high)
