"""A server's answer against the oracle's: every figure, letter, outcome, reason, warning and fault."""

from oracle.compare import EXACT, fault_differences, rational

# The most reasons that are told of an outcome.
REASONS = 50
RANGE = ("floor", "floorExact", "ceiling", "ceilingExact")


def differences(expected, actual):
    """Every way in which two standings differ, as text; empty when they agree."""
    result = part_differences("record", expected, actual)
    for entry, want in expected["entries"].items():
        result += part_differences(entry, want, actual["entries"].get(entry, {}))
    result += [f"{entry}: not expected" for entry in actual["entries"] if entry not in expected["entries"]]
    want = [(warning["code"], warning["entry"]) for warning in expected["warnings"]]
    got = [(warning["code"], warning["entry"]) for warning in actual["warnings"]]
    return result + ([] if want == got else [f"warnings: expected {want}, got {got}"])


def part_differences(where, expected, actual):
    """The figures, letter and outcomes of one entry, or of the record."""
    figures = actual.get("figures", {})
    if set(figures) != set(expected["figures"]):
        return [f"{where}: expected figures {sorted(expected['figures'])}, got {sorted(figures)}"]
    result = []
    for name, want in expected["figures"].items():
        result += figure_differences(f"{where}.{name}", want, figures[name])
    for key in ("letter", "points"):
        want, got = rational(expected.get(key)), rational(actual.get(key))
        result += [] if want == got else [f"{where}.{key}: expected {want}, got {got}"]
    outcomes = actual.get("outcomes", {})
    if set(outcomes) != set(expected["outcomes"]):
        return result + [f"{where}: expected outcomes {sorted(expected['outcomes'])}, got {sorted(outcomes)}"]
    for name, want in expected["outcomes"].items():
        result += outcome_differences(f"{where}.{name}", want, outcomes[name])
    return result


def figure_differences(where, expected, actual):
    """The value of one figure, its range and its colour; what is not defined is not there."""
    result = []
    for key in ("exact", "display", *RANGE, "band"):
        want, got = expected.get(key) or None, actual.get(key) or None
        want, got = (rational(want), rational(got)) if key in EXACT else (want, got)
        result += [] if want == got else [f"{where}.{key}: expected {want}, got {got}"]
    return result


def outcome_differences(where, expected, actual):
    """State, value, finality and reasons of one outcome."""
    result = [
        f"{where}.{key}: expected {expected[key]!r}, got {actual.get(key)!r}"
        for key in ("state", "value", "final")
        if expected[key] != actual.get(key)
    ]
    if len(actual["reasons"]) == REASONS:
        return result  # The oracle counts a grade that is missing once, whatever keeps it from counting.
    want = [(reason["code"], reason["entry"]) for reason in expected["reasons"]]
    got = [(reason["code"], reason["entry"]) for reason in actual["reasons"]]
    known = [reason for reason in want if reason[0] is not None]
    unknown = [reason for reason in got if reason not in known]
    same = known == [reason for reason in got if reason in known] and bool(unknown) == (len(known) < len(want))
    return result + ([] if same else [f"{where}.reasons: expected {want}, got {got}"])


__all__ = ["differences", "fault_differences"]
