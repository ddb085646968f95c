"""The figures of the sample year: exact, with floor and ceiling, as the other servers compute them."""

import hashlib
import json
import secrets
import time
from fractions import Fraction

YEAR = [
    ("Génie logiciel", 6, False, [
        ("Processus de développement", 4, 13.17), ("Programmation Orientée Objet", 9, 13.63),
        ("Qualité de développement", 5, 12.4), ("Remise à niveau objets", 4, 20)]),
    ("Systèmes et réseaux", 6, False, [
        ("Internet des Objets", 4, None), ("Réseaux", 4, 14.5), ("Services mobiles", 4, None),
        ("Système", 5, 13.88)]),
    ("Insertion professionnelle", 6, False, [
        ("Anglais", 5, 18.65), ("Communication", 4, 17.13), ("Économie", 4, 9.5), ("Gestion", 3, 9.5)]),
    ("Technologies mobiles 1", 9, False, [
        ("Android", 6, 4), ("Architecture de projet C# .NET (1)", 5, 14.5), ("C++", 4, 10.2), ("Swift", 5, 14.93)]),
    ("Technologies mobiles 2", 9, False, [
        ("Architecture de projet C# .NET (2)", 4, 12.17), ("Client/Serveur", 4, None), ("iOS", 5, None),
        ("Multiplateformes", 3, None), ("Qt Quick", 5, None), ("Xamarin", 5, None)]),
    ("Projet", 9, True, [("Projet", 1, 13.66)]),
    ("Stage", 15, True, [("Stage", 1, None)]),
]
BAR = 1000  # hundredths
CURRENT, FLOOR, CEILING = None, 0, 2000  # what an ungraded subject counts as, in hundredths


def sample_year():
    """The tree of a new record."""
    return [
        {
            "id": secrets.token_hex(16), "kind": "unit", "position": code, "title": title, "code": code,
            "weight": weight, "professional": professional,
            "children": [
                {"id": secrets.token_hex(16), "kind": "subject", "position": position, "title": name,
                 "weight": subject_weight, "grade": grade}
                for position, (name, subject_weight, grade) in enumerate(subjects, 1)
            ],
        }
        for code, (title, weight, professional, subjects) in enumerate(YEAR, 1)
    ]


def average(unit, ungraded):
    """A unit's mean in hundredths, as a ratio of integers; `None` when nothing counts."""
    total = weights = 0
    for subject in unit["children"]:
        grade = ungraded if subject["grade"] is None else round(subject["grade"] * 100)
        if grade is not None:
            total += grade * subject["weight"]
            weights += subject["weight"]
    return Fraction(total, weights) if weights else None


def mean(units, averages):
    """The weighted mean of the units that have an average."""
    pairs = [(average, unit["weight"]) for unit, average in zip(units, averages) if average is not None]
    weights = sum(weight for _, weight in pairs)
    return sum((average * weight for average, weight in pairs), Fraction()) / weights if weights else None


def rounded(value):
    """Hundredths, half up; nothing is negative."""
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)


def display(value):
    if value is None:
        return ""
    hundredths = rounded(value)
    return f"{hundredths // 100}.{hundredths % 100:02}"


def exact(value):
    return None if value is None else str(value / 100)


def figure(current, floor, ceiling):
    band = "none" if current is None else "green" if rounded(current) >= BAR else "red"
    return {
        "exact": exact(current), "display": display(current), "band": band, "floor": display(floor),
        "floorExact": exact(floor), "ceiling": display(ceiling), "ceilingExact": exact(ceiling),
    }


def diploma(units, averages, total, professional):
    """The outcome under one assumption: state and reasons."""
    reasons = [
        {"code": "unit_ungraded", "entry": unit["id"], "message": "A unit has no grade"}
        for unit, average in zip(units, averages) if unit["professional"] and average is None
    ]
    if reasons or total is None or professional is None:
        return "pending", reasons
    if rounded(total) < BAR:
        reasons.append({"code": "total_below_bar", "message": "The overall average is below the bar"})
    if rounded(professional) < BAR:
        reasons.append({"code": "professional_below_bar", "message": "The professional average is below the bar"})
    return ("unmet" if reasons else "met"), reasons


def judge(record, units):
    """The standing of a record."""
    practical = [unit for unit in units if unit["professional"]]
    averages, totals, professionals, states = [], [], [], []
    for ungraded in (CURRENT, FLOOR, CEILING):
        each = [average(unit, ungraded) for unit in units]
        averages.append(each)
        totals.append(mean(units, each))
        professionals.append(
            mean(practical, [value for unit, value in zip(units, each) if unit["professional"]])
        )
        states.append(diploma(units, each, totals[-1], professionals[-1]))
    entries = {
        unit["id"]: {"figures": {"average": figure(*values)}} for unit, *values in zip(units, *averages)
    }
    state, reasons = states[0]
    return {
        "record": record, "scheme": "iut", "program": "iut-program", "programVersion": 1,
        "figures": {"total": figure(*totals), "professional": figure(*professionals)}, "entries": entries,
        "outcomes": {
            "diploma": {"state": state, "final": state == states[1][0] == states[2][0], "reasons": reasons}
        },
        "warnings": [],
    }


def text(value):
    """Compact JSON."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def amended(row, record, entry, account, source, grade):
    """What a change of one grade writes, from the record's row: its row of `changes`, its tree and its standing.

    `LookupError` where the account has no such record, or the record no such entry."""
    if row is None or row[0] != account:
        raise LookupError(record)
    version, chain, tree = row[1] + 1, row[2], json.loads(row[3])
    changed = next((s for unit in tree for s in unit["children"] if s["id"] == entry), None)
    if changed is None:
        raise LookupError(entry)
    before = text(changed)
    changed["grade"] = None if grade is None else float(grade)
    after = text(changed)
    digest = hashlib.sha256((before + after).encode()).digest()
    link = hashlib.sha256(chain + digest).digest()
    change = (record, version, time.time_ns() // 1000, account, source, entry, before, after, digest, link)
    return change, text(tree), text(judge(record, tree))
