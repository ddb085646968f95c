"""What every scheme asks of a tree before its own rules: kinds, fields, types, ranges, nesting, counts."""

from decimal import Decimal

from .exact import NotANumber, TooPrecise, number, read

ENVELOPE = {"id", "kind", "fields", "children", "status", "hidden"}


def field(kind, required=False, low=None, high=None, choices=None):
    """One field of a kind: text, number, comma (a number that may be written "12,5"), integer, boolean or choice."""
    return {"type": kind, "required": required, "low": low, "high": high, "choices": choices}


class Faults:
    """Every fault of a request, each once, sorted by path and then by code."""

    def __init__(self):
        self.found = set()

    def add(self, code, path):
        self.found.add((path, code))

    def sorted(self):
        return [{"code": code, "path": path} for path, code in sorted(self.found)]


def check_fields(given, declared, path, faults):
    """Reads the fields of one entry. Returns `(values, bad)`: what could be read, and the names of what could not."""
    values, bad = {}, set()
    for name in given:
        if name not in declared:
            faults.add("unknown_field", f"{path}/{name}")
    for name, rule in declared.items():
        value = given.get(name)
        at = f"{path}/{name}"
        if value is None or (rule["type"] in ("text", "choice") and isinstance(value, str) and not value.strip()):
            if rule["required"]:
                faults.add("missing_field", at)
            continue
        code, result = check_value(value, rule)
        if code is not None:
            faults.add(code, at)
            bad.add(name)
        else:
            values[name] = result
    return values, bad


def check_value(value, rule):
    """One value against its field: `(fault code or None, the value as read)`."""
    kind = rule["type"]
    if kind == "text":
        return (None, value) if isinstance(value, str) else ("wrong_type", None)
    if kind == "choice":
        if not isinstance(value, str):
            return "wrong_type", None
        return (None, value) if value in rule["choices"] else ("out_of_range", None)
    if kind == "boolean":
        return (None, value) if isinstance(value, bool) else ("wrong_type", None)
    if isinstance(value, bool) or not isinstance(value, (int, str, Decimal)):
        return "wrong_type", None
    try:
        result = read(value, decimals=0 if kind == "integer" else 4, comma=kind == "comma")
    except NotANumber:
        return "not_a_number", None
    except TooPrecise:
        return "too_precise", None
    low, high = rule["low"], rule["high"]
    if (low is not None and result < number(low)) or (high is not None and result > number(high)):
        return "out_of_range", None
    return None, result


def check_tree(entries, scheme, parent, path, faults):
    """Reads a list of entries below `parent` (a kind, or None for the record) into nodes.

    An entry whose kind cannot be told is not looked into any further.
    """
    nodes = []
    for index, entry in enumerate(entries):
        at = f"{path}/{index}"
        if not isinstance(entry, dict):
            faults.add("wrong_type", at)
            continue
        kind = entry.get("kind")
        if kind is None:
            faults.add("missing_field", f"{at}/kind")
            continue
        if not isinstance(kind, str):
            faults.add("wrong_type", f"{at}/kind")
            continue
        if kind not in scheme.NESTING[parent]:
            faults.add("wrong_kind", f"{at}/kind")
            continue
        for name in entry:
            if name not in ENVELOPE:
                faults.add("unknown_field", f"{at}/{name}")
        values, bad = check_fields(entry.get("fields") or {}, scheme.KINDS[kind], f"{at}/fields", faults)
        node = {
            "id": entry.get("id"),
            "kind": kind,
            "fields": values,
            "bad": bad,
            "path": at,
            "status": entry.get("status"),
        }
        if node["status"] is not None and node["status"] not in scheme.statuses(node):
            faults.add("out_of_range" if scheme.statuses(node) else "unknown_field", f"{at}/status")
            node["status"] = None
        node["children"] = check_tree(entry.get("children") or [], scheme, kind, f"{at}/children", faults)
        nodes.append(node)
    return nodes


def count(nodes):
    """How many entries a tree has."""
    return sum(1 + count(node["children"]) for node in nodes)
