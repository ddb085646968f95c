"""Seeded random records of a document, made from its shape: many of their values sit on a bound of its rules."""

from decimal import Decimal as D
from fractions import Fraction

from oracle import generate
from oracle.build import with_ids
from oracle.generate import Dice, number

from .record import read
from .standing import settings_of

TEXTS = ["Algorithms", "Génie logiciel", "数据结构", "Analyse", "🎓", "  x "]
KEYS = ["A1", "a1 ", "B2", "C3"]
COUNTS = [0, 1, 1, 2, 3, 4]
ENTRIES = 60
MENDINGS = 20


class Maker:
    """Random records of one document."""

    def __init__(self, document, dice):
        self.document, self.dice, self.left = document, dice, 0
        self.bounds, self.settings = bounds_of(document), settings_of(document)
        self.labels, self.names = labels_of(document), {}

    def request(self):
        """Entries with identifiers of their own, and the fields of the record."""
        self.left, self.names = ENTRIES, {}
        made = {"entries": with_ids(self.entries("record")), "fields": self.fields("record", 0)}
        for _ in range(MENDINGS):
            _, faults = read(self.document, self.settings, made)
            if not faults:
                break
            for fault in faults:
                self.mend(made, fault["path"])
        return made

    def mend(self, made, path):
        """Changes an entry that checks refuse: a value or what stands in it goes, or all is drawn again."""
        entry = entry_at(made, path)
        if entry is None:
            return
        kind = self.document.kinds[entry.get("kind", "record")]
        free = [
            name
            for name in entry["fields"]
            if name in kind.fields and (kind.fields[name].optional or kind.fields[name].is_grade)
        ]
        way = self.dice.whole(0, 2)
        if way == 0 and free:
            del entry["fields"][self.dice.pick(free)]
        elif way == 1 and entry.get("children"):
            entry["children"] = entry["children"][1:]
        else:
            entry["fields"] = self.fields(kind.name, self.dice.whole(0, 99))

    def entries(self, parent, level=1):
        """The entries inside one; `level` counts those of its own kind around it and itself."""
        result = []
        for kind in self.document.kinds.values():
            own = kind.name == parent
            if kind.base or (kind.parent != parent and not (own and level < kind.levels)):
                continue
            count = self.dice.pick([0, 0, 1, 2] if own else COUNTS)
            for place in range(count if kind.most is None else min(count, kind.most)):
                if self.left:
                    self.left -= 1
                    result.append(self.entry(kind, place, level + 1 if own else 1))
        self.dice.random.shuffle(result)
        return result

    def entry(self, kind, place, level=1):
        entry = {"kind": kind.name, "fields": self.fields(kind.name, place)}
        if kind.statuses and self.dice.chance(0.12):
            entry["status"] = self.dice.pick([*kind.statuses, "graded"])
        if kind.copies:
            entry["given"] = self.given(kind)
        children = self.entries(kind.name, level)
        return entry | ({"children": children} if children else {})

    def given(self, kind):
        """What a copy of an earlier record has; some of it is not there."""
        made = {"figures": {}, "outcomes": {}}
        for (owner, name), figure in self.document.taken.items():
            if owner != kind.name or self.dice.chance(0.2):
                continue
            if figure is None:
                values = self.document.values[owner, name]
                words = [*values, *values, {"value": "elsewhere", "state": "met"}] if values else []
                made["outcomes"][name] = self.dice.pick(["met", "unmet", *words])
            elif self.dice.chance(0.3):
                made["figures"][name] = f"{self.dice.whole(1, 120)}/7"
            else:
                made["figures"][name] = str(decimal(self.dice.pick(self.bounds)))
        return made

    def fields(self, kind, place):
        """The values of an entry's fields, in which a grade comes after its maximum."""
        result = {}
        fields = self.document.kinds[kind].fields.values()
        for field in sorted(fields, key=lambda field: field.type == "grade out of"):
            may_lack = not field.required if field.is_grade else field.optional
            if may_lack and self.dice.chance(0.2 if field.is_grade else 0.4):
                continue
            value = self.label(kind, field, place) or self.value(field, place, result)
            if value is not None:
                result[field.name] = value
        return result

    def value(self, field, place, others):
        """A value that its field takes."""
        if field.type == "text":
            if field.unique:  # from a small store, so that what looks for it finds it
                pattern = self.dice.pick(TEXTS) + " {}" if field.name == "title" else self.dice.pick(["K{}", " k{}"])
                return pattern.format(place)
            return self.dice.pick(TEXTS if field.name == "title" else KEYS)
        if field.type == "yes/no":
            return self.dice.chance(0.4)
        if field.type == "one of":
            return self.dice.pick(field.choices)
        if field.is_grade:
            return self.grade(field, others)
        low, high = self.range(field)
        if field.unique:
            return number(D(place + 1) if low is None else D(low + place))
        whole = field.type == "whole number"
        start = field.start if isinstance(field.start, Fraction) and self.dice.chance(0.4) else None
        if start is not None:
            return number(decimal(start))
        value = self.dice.whole(int(low), int(high)) if whole or self.dice.chance(0.6) else self.dice.decimal(low, high)
        if field.above is not None and value <= decimal(field.above):
            value = int(field.above) + 1
        return value

    def label(self, kind, field, place):
        """What a row or a column of a table is called, for a text by which formulas may look there."""
        if not self.labels or field.type != "text" or field.name == "title":
            return None
        if kind not in self.names:
            self.names[kind] = self.dice.pick(self.labels)
        labels = self.names[kind]
        if field.unique:
            return labels[place] if place < len(labels) else None
        name = self.dice.pick(labels)
        return self.dice.pick([name, f" {name.lower()} ", None])

    def range(self, field):
        """The bounds of a number, not far from each other where the field has none."""
        low = field.above if field.low is None else field.low
        low = D(0) if low is None else decimal(low)
        high = low + self.dice.pick([3, 3, 12, 200]) if field.high is None else decimal(field.high)
        return low, min(high, low + 1000)

    def grade(self, field, others):
        """A grade, often one of the numbers that the rules compare with, or one step beside it."""
        if field.type == "letter of":
            return self.dice.pick(field.choices)
        if field.type == "grade out of":
            if field.of not in others:
                return None
            worst, best = D(0), D(str(others[field.of]))
        else:
            worst, best = (decimal(end) for end in self.document.scales[field.of])
        low, high = min(worst, best), max(worst, best)
        low = low if field.low is None else decimal(field.low)
        high = decimal(field.high) if field.high is not None else high
        if field.beyond and self.dice.chance(0.15):
            high = high + self.dice.pick([1, 5, 20])
        if self.dice.chance(0.5):
            value = decimal(self.dice.pick(self.bounds))
            value = value * high / 100 if field.type == "grade out of" else value
            value = value.quantize(D("0.0001")) + self.dice.pick([0, 0, D("0.0001"), D("-0.0001"), D("0.005"), 1])
        else:
            value = self.dice.decimal(low, high, places=self.dice.pick([0, 0, 1, 2]))
        return number(min(max(D(value), low), high))


def entry_at(made, path):
    """The entry to which a fault's path leads, or the request for the record itself; nothing where it is gone."""
    entry = made
    try:
        for step in path.partition("/fields/")[0].split("/")[1:]:
            entry = entry[int(step) if step.isdigit() else step]
    except (IndexError, KeyError):
        return None
    return entry if isinstance(entry, dict) and "fields" in entry else None


def decimal(value):
    return D(value.numerator) / D(value.denominator)


def bounds_of(document):
    """The numbers that a document compares grades with: bounds of bands, settings, ends of scales."""
    found = {Fraction(0)}
    found |= {row[1] for bands in document.bands.values() for row in bands["rows"] if row[1] is not None}
    found |= {one["value"] for one in document.settings.values() if isinstance(one["value"], Fraction)}
    found |= {end for ends in document.scales.values() for end in ends}
    for formula in [figure.formula for figure in document.figures.values()] + list(document.lets.values()):
        found |= numbers(formula)
    for clauses in document.outcomes.values():
        for _, condition, *_ in clauses:
            found |= numbers(condition)
    return sorted(found)


def labels_of(document):
    """What the rows, or the columns, of each table of a document are called."""
    return [list(table[part]) for table in document.tables.values() for part in ("rows", "columns")]


def numbers(formula):
    """The numbers that are written in a formula."""
    if not isinstance(formula, tuple):
        return set()
    if formula and formula[0] == "number":
        return {formula[1]}
    return {value for part in formula for value in numbers(part)}


def chosen_settings(document, dice):
    """Some settings of a program, as they are written in a request and as the rules use them."""
    chosen = {}
    for name, setting in document.settings.items():
        if dice.chance(0.7):
            continue
        if setting["type"] == "number" and "choices" in setting:
            chosen[name] = decimal(dice.pick(setting["choices"]))
        elif setting["type"] == "number":
            chosen[name] = dice.decimal(decimal(setting["low"]), decimal(setting["high"]), places=dice.whole(0, 2))
        elif setting["type"] == "yes/no":
            chosen[name] = dice.chance(0.5)
        else:
            chosen[name] = dice.pick(setting["choices"])
    for word, name in sorted(document.chosen):
        if word == "rounding" and dice.chance(0.5):
            chosen[name] = {"rounding": dice.pick(["halfUp", "halfEven", "floor"]), "scale": dice.whole(0, 3)}
        if word == "status" and dice.chance(0.5):
            chosen[name] = {
                "average": dice.pick(["counts", "worst", "leaves", "pending", "25%"]),
                "earned": dice.chance(0.5),
            }
    return chosen


def chalkboard(dice):
    """A board, whose weights must make 100 to the last digit."""
    return {"entries": generate.chalkboard(dice)["entries"], "fields": {}}


MAKERS = {"chalkboard": chalkboard}


def requests(name, document, count, seed, spoilt=0.1):
    """`count` pairs of a request and the settings that go with it; that share of them is spoilt."""
    dice = Dice(f"document {name} {seed}")
    make = MAKERS.get(name) or (lambda dice: Maker(document, dice).request())
    for _ in range(count):
        settings = chosen_settings(document, dice) if dice.chance(0.3) else {}
        made = make(dice)
        if document.presets and dice.chance(0.15):
            made["preset"] = dice.pick(sorted(document.presets))
        if dice.chance(spoilt):
            spoil(made, dice)
        yield made, settings


def spoil(made, dice):
    """Makes an entry one that may not be stored: a value of another type, out of range, not there, or too much."""
    found = list(nodes(made["entries"]))
    if not found:
        return
    entry = dice.pick(found)
    fields = entry["fields"]
    ways = [lambda: fields.update(colour="blue")]
    ways += [lambda: entry.update(kind="lesson"), lambda: entry.update(status="ill")]
    for name in fields:
        ways += [lambda name=name: fields.pop(name)] + [
            lambda name=name, value=value: fields.update({name: value})
            for value in ("abc", -1, True, 1001, D("1.00001"), None, "", "１")
        ]
    dice.pick(ways)()


def nodes(entries):
    for entry in entries:
        yield entry
        yield from nodes(entry.get("children", []))
