"""Formulas of a document evaluated over a record, by plain recursion and without haste."""

import re
from decimal import Decimal
from fractions import Fraction

from oracle.exact import rounded, staged

from .document import Figure
from .folds import Folds
from .names import Units, resolve
from .node import (
    CEILING,
    COUNTS,
    CURRENT,
    FLOOR,
    LEAVES,
    OPEN,
    SIGNS,
    Node,
    at_least,
    combined,
    folded,
    is_set,
    node_at,
    set_grade,
    stands,
)

NOTHING = Node("", None, {})
# The most reasons that are told of an outcome.
REASONS = 50


class Judge(Folds):
    """A record under the rules of a document and the settings that were chosen."""

    def __init__(self, document, settings, record):
        self.document, self.settings, self.record = document, settings, record
        self.units, self.kept = Units(document), {}
        self.called = []  # what the lets that are being computed are called with
        for name in document.groups:
            self.group(name, record)

    # -- groups

    def group(self, name, node):
        """Groups the entries in one, and those in what stands in it."""
        kind = self.document.kinds[name]
        if node.kind == kind.parent:
            node.groups[name] = self.groups_of(
                [child for child in node.children if child.kind == kind.base], name, node
            )
        for child in node.children:
            self.group(name, child)

    def groups_of(self, members, name, parent):
        """Those that share a key together; one without a key by itself, under its identifier."""
        found = {}
        for member in members:
            key = self.key_of(member, name)
            found.setdefault(member if key is None else compared(key), []).append(member)
        taken = {key for key in found if isinstance(key, str)}
        return [self.group_node(name, key, members, parent, taken) for key, members in found.items()]

    def group_node(self, name, key, members, parent, taken):
        first = min(members, key=lambda member: member.id)
        made = Node(name, first.id, first.fields, None, parent, parent.table)
        made.children, made.named = members, first
        if isinstance(key, str):
            made.key = " ".join(self.key_of(first, name).split())
        else:
            made.key = f"#{first.id}"
            while compared(made.key) in taken:
                made.key = "#" + made.key
            taken.add(compared(made.key))
        for member in members:
            member.group_of[name] = made
        return made

    def key_of(self, member, name):
        """The parts of a key between points; nothing where one of them is not there."""
        parts = [self.value(key, (member,), CURRENT) for key in self.document.groups[name][1]]
        if any(part is None or (isinstance(part, str) and not part.strip()) for part in parts):
            return None
        return ".".join(part if isinstance(part, str) else decimal_text(part) for part in parts)

    # -- figures

    def figure(self, name, node, run):
        """The value of a figure of an entry, after the roundings that come before the last."""
        key = name, node, run
        if key not in self.kept:
            figure = self.document.figures[node.kind, name]
            value = self.value(figure.formula, (node,), run)
            if value is not None and figure.rounding:
                value = staged(value, self.document.roundings[figure.rounding])
            self.kept[key] = value
        return self.kept[key]

    def scale_of(self, unit):
        """The worst and the best of a unit; of one without a scale neither."""
        return self.document.scales.get(unit[0] if len(unit) == 1 else None, (None, None))

    def assumed(self, scale, run):
        """What is not graded yet: nothing, the worst or the best."""
        return {CURRENT: None, FLOOR: scale[0], CEILING: scale[1]}[run]

    # -- values. Numbers are fractions, conditions are true or false, and what is not known is None.

    def value(self, formula, scope, run):
        word, *parts = formula
        return getattr(self, WORDS[word])(parts, scope, run)

    def unit(self, formula, scope):
        return self.units.of(formula, tuple(node.kind for node in scope))

    def constant(self, parts, scope, run):
        return parts[0]

    def share(self, parts, scope, run):
        return parts[0] / 100

    def beside(self, formula, other, scope, run):
        """The value of a formula in a sum or a comparison: `10%` is 10 beside percent, one tenth elsewhere."""
        if formula[0] == "share" and self.unit(other, scope) == (("percent", 1),):
            return formula[1]
        return self.value(formula, scope, run)

    def pair(self, left, right, scope, run):
        return self.beside(left, right, scope, run), self.beside(right, left, scope, run)

    def plus(self, parts, scope, run):
        return combined(lambda left, right: left + right, *self.pair(*parts, scope, run))

    def minus(self, parts, scope, run):
        return combined(lambda left, right: left - right, *self.pair(*parts, scope, run))

    def times(self, parts, scope, run):
        return combined(lambda left, right: left * right, *(self.value(part, scope, run) for part in parts))

    def over(self, parts, scope, run):
        left, right = (self.value(part, scope, run) for part in parts)
        return None if right == 0 else combined(lambda left, right: left / right, left, right)

    def negative(self, parts, scope, run):
        return combined(lambda value: -value, self.value(parts[0], scope, run))

    def call(self, parts, scope, run):
        """`min`, `max`, and `round` by a rounding that the document declares."""
        name, *arguments = parts
        if (scope[-1].kind, name) in self.document.parameters:
            return self.calling(name, arguments, scope, lambda formula: self.value(formula, scope[-1:], run))
        if name == "round":
            rule = self.document.roundings[arguments[1][2]]
            return combined(lambda value: rounded(staged(value, rule), rule), self.value(arguments[0], scope, run))
        values = [self.beside(argument, arguments[0], scope, run) for argument in arguments]
        return combined(lambda *values: (min if name == "min" else max)(values), *values)

    def calling(self, name, arguments, scope, work):
        """What is made of the formula of a `let` that is called with numbers, which no record changes."""
        key = scope[-1].kind, name
        values = {
            # `10%` is 10 where the parameter is in percent.
            parameter: argument[1]
            if argument[0] == "share" and unit == ("percent",)
            else self.value(argument, scope, CURRENT)
            for (parameter, unit), argument in zip(self.document.parameters[key], arguments, strict=True)
        }
        self.called.append(values)
        result = work(self.document.lets[key])
        self.called.pop()
        return result

    def parameter(self, parts, scope, run):
        return self.called[-1][parts[0]]

    def otherwise(self, parts, scope, run):
        first = self.value(parts[0], scope, run)
        return self.value(parts[1], scope, run) if first is None else first

    def ungraded(self, parts, scope, run):
        """Where nothing counts yet, an entry is one missing grade, or the one that its status sets."""
        value = self.value(parts[0], scope, run)
        if value is not None:
            return value
        scale = self.scale_of([name for name, _ in self.unit(parts[0], scope)])
        standing = scope[-1].standing
        return set_grade(standing, *scale) if is_set(standing) else self.assumed(scale, run)

    def missing(self, parts, scope, run):
        """A missing grade that counts as the worst one in the current figure too."""
        value = self.value(parts[0], scope, run)
        if value is None and run == CURRENT and self.is_missing(parts[0], scope):
            if self.value(parts[1], scope, run):
                return self.value(parts[0], scope, FLOOR)
        return value

    def is_missing(self, formula, scope):
        """Whether a name is a grade that is not there, for which no status accounts."""
        _, out, up, kind = resolve(self.document, *formula[1:], tuple(node.kind for node in scope))
        return node_at(scope, out, up, kind).standing == COUNTS

    def choice(self, parts, scope, run):
        condition, then, other = parts
        holds = self.value(condition, scope, run)
        if holds is None or (not holds and other is None):
            return None
        return self.value(then if holds else other, scope, run)

    def converted(self, parts, scope, run):
        """A ratio in percent or on a scale, or a grade of one scale on another."""
        value, unit = self.value(parts[0], scope, run), self.unit(parts[0], scope) or ()
        if value is None:
            return None
        worst, best = self.scale_of([name for name, _ in unit])
        ratio = value if worst is None else (value - worst) / (best - worst)
        worst, best = self.document.scales[parts[1]]
        return worst + ratio * (best - worst)

    def same(self, parts, scope, run):
        return self.value(parts[0], scope, run)

    def points(self, parts, scope, run):
        value = self.value(parts[0], scope, run)
        if parts[1] in self.document.curves:
            return None if value is None else read_off(value, self.document.curves[parts[1]]["points"])
        row = self.band(value, parts[1])
        return None if row is None else row[2]

    def band(self, value, name):
        """The row of a scale of bands in which a value lies: the first that it reaches, else the last."""
        if value is None:
            return None
        bands = self.document.bands[name]
        scale = self.scale_of((bands["unit"],))
        rule = self.document.roundings[bands["rule"]]
        rows = bands["rows"]
        return next((row for row in rows if stands(value, row[1], rule, scale)), rows[-1])

    def cell(self, parts, scope, run):
        """What a table has in a row and a column, which are found as texts are compared, or as numbers."""
        name, *keys = parts
        table = self.document.tables[name]
        row, column = (self.key(key, scope, run) for key in keys)
        rows = [labels for labels in table["rows"] if is_label(labels, row)]
        columns = [place for place, label in enumerate(table["columns"]) if is_label(label, column)]
        return table["rows"][rows[0]][columns[0]] if rows and columns else None

    def key(self, formula, scope, run):
        """By what a table is looked into: a text, a number, or of a grade by letters the letter."""
        value = self.value(formula, scope, run)
        if formula[0] != "name" or value is None:
            return value
        found, out, up, kind = resolve(self.document, *formula[1:], tuple(node.kind for node in scope))
        field = self.document.kinds[kind].fields[formula[2]] if found == "field" else None
        if field is None or field.type != "letter of":
            return value
        rows = self.document.bands[field.of]["rows"]
        alike = [row[0] for row in rows if row[2] == value]
        recorded = self.node(scope, out, up, kind).fields.get(formula[2])
        if recorded in alike:
            return recorded
        return rows[-1][0] if rows[-1][2] == value else alike[0] if alike else None

    # -- names

    def name(self, parts, scope, run):
        found, out, up, kind = resolve(self.document, *parts, tuple(node.kind for node in scope))
        if found == "setting":
            return self.settings[parts[1]]
        node = self.node(scope, out, up, kind)
        if node is None:
            return None if found != "taken" or self.document.taken[kind, parts[1]] else "pending"
        if found == "taken":
            return node.given.get(parts[1], None if self.document.taken[kind, parts[1]] else "pending")
        if found == "field":
            return self.field(node, parts[1], run)
        if found == "figure":
            return self.figure(parts[1], node, run)
        if found == "let":
            return self.value(self.document.lets[node.kind, parts[1]], (node,), run)
        if found == "outcome":
            return self.state(self.document.outcomes[node.kind, parts[1]], node, run)
        return self.of_status(node, parts[1], run)

    def node(self, scope, out, up, kind):
        """The entry that a name belongs to; of a copy of an earlier record none where none was taken."""
        return self.copy(kind) if out is None else node_at(scope, out, up, kind)

    def copy(self, kind):
        return next((node for node in self.record.children if node.kind == kind), None)

    def field(self, node, name, run):
        """A field; a grade as its entry's status and the run would have it."""
        field = self.document.kinds[node.kind].fields[name]
        if not field.is_grade:
            return node.fields.get(name, False if field.type == "yes/no" else None)
        standing = node.standing
        if standing == LEAVES:
            return None
        if is_set(standing):
            return set_grade(standing, *self.scale_of_field(node, field))
        if standing == COUNTS and node.fields.get(name) is not None:
            return self.points_of(field, node.fields[name]) if field.type == "letter of" else node.fields[name]
        return self.assumed(self.scale_of_field(node, field), run)

    def points_of(self, field, letter):
        """What a letter counts as."""
        return next(row[2] for row in self.document.bands[field.of]["rows"] if row[0] == letter)

    def scale_of_field(self, node, field):
        """The worst and the best grade that an entry can have; letters stand best first."""
        if field.type == "letter of":
            rows = self.document.bands[field.of]["rows"]
            return rows[-1][2], rows[0][2]
        if field.type == "grade out of":
            return Fraction(0), node.fields.get(field.of)
        return self.document.scales[field.of]

    def of_status(self, node, name, run):
        if name == "status":
            return node.status or "none"
        if name == "counts":
            return node.average != LEAVES
        if name == "pending":
            return run == CURRENT and node.standing == OPEN
        if name == "awaiting":
            return self.of_status(node, "pending", run) or any(
                self.of_status(child, "awaiting", run) for child in node.children
            )
        return name in node.table[node.status][1]

    # -- conditions

    def both(self, parts, scope, run):
        left, right = (self.value(part, scope, run) for part in parts)
        return False if left is False or right is False else None if None in (left, right) else True

    def either(self, parts, scope, run):
        left, right = (self.value(part, scope, run) for part in parts)
        return True if left is True or right is True else None if None in (left, right) else False

    def negated(self, parts, scope, run):
        return combined(lambda value: not value, self.value(parts[0], scope, run))

    def compare(self, parts, scope, run):
        sign, left, right = parts
        if sign == "reaches":
            return self.reaches(left, right, scope, run)
        left, right = self.pair(left, right, scope, run)
        if isinstance(left, str) and isinstance(right, str):
            left, right = folded(left), folded(right)
        return combined(SIGNS[sign], left, right)

    def reaches(self, left, right, scope, run):
        """Whether a figure, as it is shown and judged, is at least as good as a bound."""
        places = tuple(node.kind for node in scope)
        figure = self.named_figure(left, places)
        rule = {"compareOn": "exact"}
        if figure and figure.rounding:
            rule = self.document.roundings[figure.rounding]
        scale = self.scale_of([name for name, _ in self.unit(left, scope) or ()])
        left, right = self.pair(left, right, scope, run)
        return combined(lambda value, bound: stands(value, bound, rule, scale), left, right)

    def named_figure(self, formula, places):
        """The figure that a name means, also by another name."""
        if formula[0] != "name":
            return None
        found, _, _, kind = resolve(self.document, *formula[1:], places)
        if found == "let":
            return self.named_figure(self.document.lets[kind, formula[2]], (kind,))
        if found == "taken":
            unit, rounding = self.document.taken[kind, formula[2]]
            return Figure(formula[2], kind, unit, (), rounding=rounding)
        return self.document.figures[kind, formula[2]] if found == "figure" else None

    def state_of(self, parts, scope, run):
        """`x is known`, `category is exams`, `status is absent`, `diploma is met`."""
        formula, word = parts
        if word == "recorded":
            return self.recorded(formula, scope)
        if word == "known":
            return self.value(formula, scope, run) is not None
        value = self.value(formula, scope, run)
        taken = self.taken(formula, scope)
        if taken:
            if value == "pending" and word != "pending":
                return None
            if word not in ("met", "unmet", "pending"):
                return taken[0].values.get(taken[1]) == word
        clauses, node = self.named_outcome(formula, scope)
        if clauses:
            if value == "pending" and word != "pending":
                return None
            if word not in ("met", "unmet", "pending"):
                return self.verdict(clauses, node, run)[1] == word
        same = (
            (lambda value: folded(value) == folded(word)) if isinstance(value, str) else (lambda value: value == word)
        )
        return combined(same, value)

    def taken(self, formula, scope):
        """The copy that has the outcome which a name means, also by another name, and what it is called there."""
        if formula[0] != "name":
            return None
        found, out, up, kind = resolve(self.document, *formula[1:], tuple(node.kind for node in scope))
        node = self.node(scope, out, up, kind) if found in ("let", "taken") else None
        if found == "let":
            return node and self.taken(self.document.lets[kind, formula[2]], (node,))
        return (node or NOTHING, formula[2]) if found == "taken" else None

    def named_outcome(self, formula, scope):
        """The clauses of the outcome that a name means, also by another name, and the entry that it is of."""
        if formula[0] != "name":
            return None, None
        found, out, up, kind = resolve(self.document, *formula[1:], tuple(node.kind for node in scope))
        node = self.node(scope, out, up, kind)
        if found == "let":
            return self.named_outcome(self.document.lets[kind, formula[2]], (node,))
        return (self.document.outcomes[kind, formula[2]], node) if found == "outcome" else (None, None)

    def recorded(self, formula, scope):
        found, out, up, kind = resolve(self.document, *formula[1:], tuple(node.kind for node in scope))
        if found == "field":
            node = self.node(scope, out, up, kind)
            return node is not None and node.fields.get(formula[2]) is not None
        return self.value(formula, scope, CURRENT) is not None

    def quantifier(self, parts, scope, run):
        kind, entries, condition = parts
        found = self.entries(entries, scope, run)
        if found is None:
            return None
        holds = [self.value(condition, (*scope, node), run) if condition else True for node in found]
        yes, no = holds.count(True), holds.count(False)
        if kind[0] == "most" and None in holds:
            return None
        needed = {"every": len(holds), "any": 1, "most": len(holds) // 2 + 1}.get(kind[0])
        if kind[0] == "no":
            return combined(lambda any_of_them: not any_of_them, at_least(1, yes, no, len(holds)))
        return at_least(kind[1] if needed is None else needed, yes, no, len(holds))

    # -- why a condition is not known

    def why(self, formula, scope):
        """What a condition waits for in the current figures, as `(code, entry)`, where it is not known.

        A code of None is a reason for which the document has no word, such as a grade that is missing.
        """
        if self.value(formula, scope, CURRENT) is not None:
            return []
        word, *parts = formula
        if word in ("and", "or", "not"):
            return [reason for part in parts for reason in self.why(part, scope)]
        if word == "name":
            found, out, up, kind = resolve(self.document, *parts, tuple(node.kind for node in scope))
            if found == "let":
                node = self.node(scope, out, up, kind)
                return self.why(self.document.lets[node.kind, parts[1]], (node,))
        if word == "call" and (scope[-1].kind, parts[0]) in self.document.parameters:
            return self.calling(parts[0], parts[1:], scope, lambda formula: self.why(formula, scope[-1:]))
        if word == "is":
            clauses, node = self.named_outcome(parts[0], scope)
            if clauses:
                return self.reasons(clauses, node)
        if word == "quantifier":
            _, entries, condition = parts
            found = self.entries(entries, scope, CURRENT)
            if found is not None:
                waiting = [(one, self.why(condition, (*scope, one))) for one in found]
                return [(code, entry if code else one.id) for one, reasons in waiting for code, entry in reasons]
        return [(None, None)]

    # -- outcomes

    def reasons(self, clauses, node):
        """Why an outcome is as it is, each reason once."""
        state, _ = self.verdict(clauses, node, CURRENT)
        held = [
            (word, condition, code, self.value(condition, (node,), CURRENT))
            for word, condition, code, _ in clauses
            if condition
        ]
        result = []
        for word, condition, code, holds in held:
            if word == "awaits" and holds is False and state == "pending":
                result += self.in_the_way(condition, code, node)
            if word in ("awaits", "needs") and holds is None and state == "pending":
                result += self.why(condition, (node,))
            if word == "needs" and holds is False and state == "unmet":
                result += self.in_the_way(condition, code, node)
        return list(dict.fromkeys(result or self.decisive(clauses, held, node)))[:REASONS]

    def decisive(self, clauses, held, node):
        """The reason of the first `when` that does not fail, or of `else`."""
        for word, condition, code, holds in held:
            if word in ("met", "unmet") and holds is not False:
                return self.why(condition, (node,)) if holds is None else [(code, node.id)] if code else []
        return [(code, node.id) for word, _, code, _ in clauses if word == "else"]

    def in_the_way(self, condition, code, node):
        """`every … :` and `no … where` name each entry that stands in the way."""
        if condition[0] == "quantifier" and condition[1][0] in ("every", "no"):
            _, kind, entries, what = condition
            wrong = kind[0] == "no"
            found = self.entries(entries, (node,), CURRENT)
            holds = [(one, self.value(what, (node, one), CURRENT) if what else True) for one in found]
            return [(code, one.id) for one, value in holds if value is wrong]
        return [(code, node.id)]

    def state(self, clauses, node, run):
        """`met`, `unmet` or `pending`."""
        return self.verdict(clauses, node, run)[0]

    def verdict(self, clauses, node, run):
        """The state with the value that the line names which decides it."""
        for word in ("awaits", "needs"):
            values = [self.value(condition, (node,), run) for kind, condition, *_ in clauses if kind == word]
            if None in values or (word == "awaits" and False in values):
                return "pending", None
        if False in values:
            return "unmet", None
        for word, condition, _, value in clauses:
            if word in ("met", "unmet", "else"):
                holds = True if condition is None else self.value(condition, (node,), run)
                if holds is not False:
                    return ("pending", None) if holds is None else ({"else": "unmet"}.get(word, word), value)
        return ("unmet" if any(word in ("met", "unmet") for word, *_ in clauses) else "met"), None


def read_off(value, points):
    """A value off the straight lines between points; beyond the first and the last their values hold."""
    for (low, low_to), (high, high_to) in zip(points, points[1:], strict=False):
        if low <= value <= high:
            return low_to + (value - low) / (high - low) * (high_to - low_to)
    return points[0][1] if value < points[0][0] else points[-1][1]


def compared(key):
    """A key as keys are compared."""
    return " ".join(folded(key).split())


def decimal_text(value):
    """A number as it is written."""
    written = Decimal(value.numerator) / Decimal(value.denominator)
    return f"{written:f}" if Fraction(written) == value else str(value)


def is_label(label, key):
    """Whether a key is that of a row or a column."""
    if isinstance(key, Fraction):
        return re.fullmatch(r"-?[0-9]+([.][0-9]+)?", label) is not None and Fraction(label) == key
    return isinstance(key, str) and folded(key) == folded(label)


WORDS = {
    "number": "constant",
    "text": "constant",
    "truth": "constant",
    "share": "share",
    "+": "plus",
    "-": "minus",
    "*": "times",
    "/": "over",
    "negative": "negative",
    "call": "call",
    "parameter": "parameter",
    "otherwise": "otherwise",
    "ungraded": "ungraded",
    "missing": "missing",
    "if": "choice",
    "as": "converted",
    "in": "same",
    "through": "points",
    "cell": "cell",
    "name": "name",
    "and": "both",
    "or": "either",
    "not": "negated",
    "compare": "compare",
    "is": "state_of",
    "quantifier": "quantifier",
    "fold": "fold",
    "ratio": "ratio",
}
