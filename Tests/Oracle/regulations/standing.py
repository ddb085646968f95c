"""What a document makes of a request: the standing, or the faults."""

from dataclasses import replace
from fractions import Fraction

from oracle import exact
from oracle.exact import display, text

from .document import AVERAGES
from .document import read as read_document
from .judge import Judge
from .node import CEILING, CURRENT, FLOOR, STATUS
from .record import read as read_record

RUNS = (CURRENT, FLOOR, CEILING)


def settings_of(document, settings=None, preset=None):
    """The settings of a document with those of a preset and those that are chosen.

    Of roundings, bands and statuses both apply, one after the other.
    """
    values = {name: setting["value"] for name, setting in document.settings.items()}
    structured = {name for _, name in document.chosen}
    for changes in (document.presets[preset] if preset else {}, settings or {}):
        for name, value in changes.items():
            values[name] = [*values.get(name, []), value] if name in structured else value
    return values


def evaluate(document, request, settings=None):
    """`{"standing": …}` or `{"faults": [{"code", "path"}]}`; the document is its text, or what was read of it."""
    document = read_document(document) if isinstance(document, str) else document
    settings = settings_of(document) if settings is None else settings
    document = chosen(document, settings)
    record, faults = read_record(document, settings, request)
    return {"faults": faults} if faults else {"standing": standing(document, Judge(document, settings, record))}


def chosen(document, settings):
    """The document with the roundings, bands and statuses that a program chooses in place of its own."""
    roundings, bands, statuses = dict(document.roundings), dict(document.bands), dict(document.statuses)
    for word, name in document.chosen:
        for value in settings.get(name, []):
            if word == "rounding":
                roundings[name] = (
                    document.roundings[value] if isinstance(value, str) else merged(roundings[name], value)
                )
            elif word == "bands":
                bands[name] = bands[name] | {"rows": document.bands[value]["rows"]}
            else:
                known = STATUS | document.statuses
                statuses[name] = known[value] if isinstance(value, str) else counted(statuses[name], value)
    return replace(document, roundings=roundings, bands=bands, statuses=statuses)


def merged(rule, value):
    """A rounding with the members that a program chooses."""
    grids = ("scale", "step") if {"scale", "step"} & set(value) else ()
    return {key: old for key, old in rule.items() if key not in grids} | value


def counted(rule, value):
    """What a status counts for, with the members that a program chooses."""
    average, words = rule
    word = value.get("average")
    average = average if word is None else AVERAGES[word] if word in AVERAGES else Fraction(word[:-1]) / 100
    return average, tuple(key for key in ("attempted", "earned", "in_gpa") if value.get(key, key in words))


def standing(document, judge):
    """Every figure, letter, outcome and warning of a record."""
    record = judge.record
    nodes = [record, *descendants(record)]
    entries = {node.id: described(document, judge, node) for node in nodes[1:]}
    warned = [
        (nodes.index(node.named), code, node.id)
        for kind, condition, code in document.warnings
        for node in ([record] if kind == "record" else record.inside(kind))
        if judge.value(condition, (node,), CURRENT) is True
    ]
    return described(document, judge, record) | {
        "entries": entries,
        "warnings": [{"code": code, "entry": id} for _, code, id in sorted(warned, key=lambda warning: warning[:2])],
    }


def descendants(node):
    for child in node.children:
        yield child
        yield from descendants(child)


def described(document, judge, node):
    """What is shown of one entry, or of the record: its own, and that of the groups in it as `name:key`."""
    result = own(document, judge, node)
    for group in [group for groups in node.groups.values() for group in groups]:
        shown = own(document, judge, group)
        for part in ("figures", "outcomes"):
            result[part] |= {f"{name}:{group.key}": value for name, value in shown[part].items()}
    return result


def own(document, judge, node):
    """The figures of one entry, of the record or of a group, with its letter and its outcomes."""
    result = {"figures": {}, "outcomes": {}}
    for (kind, name), figure in document.figures.items():
        if kind != node.kind or figure.hidden:
            continue
        values = [judge.figure(name, node, run) for run in RUNS]
        shown = result["figures"][name] = shown_by(document.roundings[figure.rounding], values, figure.ranged)
        if figure.colours:
            row = judge.band(values[0], figure.colours)
            shown["band"] = "none" if row is None else row[0]
        if figure.letters:
            row = judge.band(values[0], figure.letters)
            result["letter"], points = (None, None) if row is None else (row[0], row[2])
            result["points"] = text(points)
    for (kind, name), figure in document.taken.items():
        if kind != node.kind:
            continue
        value = node.given.get(name)
        if figure is None:
            reasons = [] if value else [{"code": None, "entry": None}]
            result["outcomes"][name] = {
                "state": value or "pending",
                "value": node.values.get(name),
                "final": value is not None,
                "reasons": reasons,
            }
        elif figure[1]:
            result["figures"][name] = shown_by(document.roundings[figure[1]], [value] * 3, False)
    for (kind, name), clauses in document.outcomes.items():
        if kind == node.kind:
            result["outcomes"][name] = decided(judge, clauses, node)
    return result


def shown_by(rule, values, ranged):
    """A figure on the wire; without a range only as it stands."""
    result = exact.figure(*values, rule)
    if not ranged:
        return {"exact": result["exact"], "display": display(values[0], rule)}
    return result


# -- outcomes


def decided(judge, clauses, node):
    """An outcome with what it follows from. A reason without a code is one that the document has no word for."""
    state, value = judge.verdict(clauses, node, CURRENT)
    ends = {judge.verdict(clauses, node, FLOOR), judge.verdict(clauses, node, CEILING)}
    final = len(ends) == 1 and ("pending", None) not in ends
    reasons = [{"code": code, "entry": entry} for code, entry in judge.reasons(clauses, node)]
    return {"state": state, "value": value, "final": final, "reasons": reasons}
