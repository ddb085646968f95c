"""What a name means where it stands, and the unit of a formula there.

A place is a tuple of kinds, the record's first and that of the innermost entry last.
"""

from .lexer import Mistake

STATES = ("counts", "attempted", "earned", "in_gpa", "pending", "awaiting", "status")
PLAIN = ()


def ancestors(document, kind):
    """A kind and those that it stands in, up to the record."""
    result = [kind]
    while kind != "record":
        kind = document.kinds[kind].parent
        result.append(kind)
    return result


def place_of(document, kind, places):
    """Which place a kind's name means: how many steps outwards, and how many steps up from there.

    The innermost entry itself comes last, so that `course.x` within `over course` is the course outside.
    """
    for out, around in enumerate(reversed(places)):
        up = ancestors(document, around)
        if kind in up and not (out == 0 and up.index(kind) == 0):
            return out, up.index(kind)
        if document.kinds[kind].base in up:  # the group of that entry
            return out, up.index(document.kinds[kind].base)
    if places[-1] == kind:
        return 0, 0
    return None


def meaning(document, name, kind):
    """What a name is in a kind: `field`, `figure`, `let`, `outcome`, `state` or nothing."""
    if name in document.kinds[kind].fields:
        return "field"
    for word, declared in (("let", document.lets), ("figure", document.figures), ("outcome", document.outcomes)):
        if (kind, name) in declared:
            return word
    if (kind, name) in document.taken:
        return "taken"
    return "state" if name in STATES else None


def resolve(document, owner, name, places):
    """`(what it is, out, up, kind)` of a name; settings stand in no kind, and a copy that is not around has no steps."""
    if owner is None:
        found = meaning(document, name, places[-1])
        if found:
            return found, 0, 0, places[-1]
        if name in document.settings:
            return "setting", 0, 0, None
        raise Mistake(f"there is no {name} in {places[-1]}")
    place = place_of(document, owner, places)
    out, up = place if place or not document.kinds[owner].copies else (None, None)
    found = meaning(document, name, owner)
    if not found:
        raise Mistake(f"there is no {name} in {owner}")
    return found, out, up, owner


def multiplied(left, right, sign=1):
    """The unit of a product, or with `sign` -1 of a quotient."""
    powers = dict(left)
    for name, power in right:
        powers[name] = powers.get(name, 0) + sign * power
    return tuple(sorted((name, power) for name, power in powers.items() if power))


def written(unit):
    """A unit as it is written: `mark`, `mark per days`, `plain`."""
    names = [name for name in unit if name != "plain"]
    return multiplied([(name, 1) for name in names[:1]], [(name, 1) for name in names[1:]], -1)


class Units:
    """The units of a document's formulas. `None` is the unit of a bare number, which takes what is needed."""

    def __init__(self, document):
        self.document, self.known = document, {}

    def of(self, formula, places):
        key = id(formula), places
        if key not in self.known:
            self.known[key] = self.find(formula, places)
        return self.known[key]

    def find(self, formula, places):
        word, *parts = formula
        if word in ("number", "share", "text", "truth"):
            return None
        if word in ("*", "/"):
            left, right = (self.of(part, places) or PLAIN for part in parts)
            return multiplied(left, right, 1 if word == "*" else -1)
        if word in ("+", "-", "otherwise"):
            return self.first(parts, places)
        if word == "parameter":
            return written(parts[1])
        if word == "call" and (places[-1], parts[0]) in self.document.parameters:
            return self.of(self.document.lets[places[-1], parts[0]], places[-1:])
        if word == "call":
            return self.first(parts[1:] if parts[0] != "round" else parts[1:2], places)
        if word == "if":
            return self.first([part for part in parts[1:] if part], places)
        if word in ("negative", "ungraded", "missing"):
            return self.of(parts[0], places)
        if word == "as":
            return ((parts[1], 1),)
        if word == "in":
            return written(parts[1])
        if word == "through":
            curve = self.document.curves.get(parts[1])
            return written(curve["unit"] if curve else self.document.bands[parts[1]]["points"])
        if word == "cell":
            return written(self.document.tables[parts[0]]["unit"])
        if word == "fold":
            kind, of, entries = parts[:3]
            return PLAIN if kind == "count" else self.of(of, (*places, entries[1]))
        if word == "ratio":
            above, below = (self.of(part, (*places, parts[2][1])) or PLAIN for part in parts[:2])
            return multiplied(above, below, -1)
        return self.of_name(parts, places) if word == "name" else PLAIN

    def first(self, parts, places):
        """The unit of the first part that has one."""
        units = (self.of(part, places) for part in parts)
        return next((unit for unit in units if unit is not None), None)

    def of_name(self, parts, places):
        found, _, _, kind = resolve(self.document, *parts, places)
        if found == "setting":
            return written(self.document.settings[parts[1]]["unit"])
        if found == "field":
            return self.of_field(kind, self.document.kinds[kind].fields[parts[1]])
        if found == "figure":
            return written(self.document.figures[kind, parts[1]].unit)
        if found == "taken":
            return written((self.document.taken[kind, parts[1]] or ((), None))[0])
        return self.of(self.document.lets[kind, parts[1]], (kind,)) if found == "let" else PLAIN

    def of_field(self, kind, field):
        if field.type == "grade in":
            return ((field.of, 1),)
        if field.type == "letter of":
            return written(self.document.bands[field.of]["points"])
        if field.type == "grade out of":
            return self.of_field(kind, self.document.kinds[kind].fields[field.of])
        return written(field.unit)
