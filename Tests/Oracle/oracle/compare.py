"""A server's answer against the oracle's. The oracle's claims count; what it is silent about is not compared."""

from fractions import Fraction

EXACT = ("exact", "floorExact", "ceilingExact")
FALLBACK = {"floorExact": "exact", "ceilingExact": "exact", "floor": "display", "ceiling": "display"}


def rational(value):
    """A rational from the wire; anything else stays what it is."""
    try:
        return None if value is None else Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        return value


def figure_differences(where, expected, actual):
    """The claims of one figure that the answer does not meet."""
    if not isinstance(actual, dict):
        return [f"{where}: no such figure"]
    result = []
    for key, want in expected.items():
        got = actual.get(key, actual.get(FALLBACK.get(key))) if key in FALLBACK else actual.get(key)
        same = rational(want) == rational(got) if key in EXACT else (want or None) == (got or None)
        if not same:
            result.append(f"{where}.{key}: expected {want!r}, got {got!r}")
    return result


def outcome_differences(where, expected, actual):
    """The claims of one outcome that the answer does not meet."""
    if not isinstance(actual, dict):
        return [f"{where}: no such outcome"]
    result = [
        f"{where}.{key}: expected {expected[key]!r}, got {actual.get(key)!r}"
        for key in ("state", "final")
        if key in expected and expected[key] != actual.get(key)
    ]
    codes = [reason.get("code") for reason in actual.get("reasons", [])]
    for reason in expected.get("reasons", []):
        if reason["code"] not in codes:
            result.append(f"{where}.reasons: expected {reason['code']!r} among {codes!r}")
    return result


def differences(expected, actual):
    """Every way in which a standing differs from the oracle's, as text; empty when they agree."""
    result = []
    for name, want in expected["figures"].items():
        result += figure_differences(f"figures.{name}", want, actual.get("figures", {}).get(name))
    terms = [name for name in expected["figures"] if ":" in name]
    for name in actual.get("figures", {}) if terms else ():
        if ":" in name and name not in terms:
            result.append(f"figures.{name}: not expected")
    for entry, want in expected["entries"].items():
        result += entry_differences(f"entries.{entry}", want, actual.get("entries", {}).get(entry, {}))
    for name, want in expected["outcomes"].items():
        result += outcome_differences(f"outcomes.{name}", want, actual.get("outcomes", {}).get(name))
    if "warnings" not in expected:
        return result
    want = sorted((warning["code"], warning["entry"]) for warning in expected["warnings"])
    got = sorted((warning.get("code"), warning.get("entry") or "") for warning in actual.get("warnings", []))
    if want != got:
        result.append(f"warnings: expected {want!r}, got {got!r}")
    return result


def entry_differences(where, expected, actual):
    """The claims about one entry that the answer does not meet."""
    result = []
    for name, want in expected.get("figures", {}).items():
        result += figure_differences(f"{where}.{name}", want, actual.get("figures", {}).get(name))
    if "letter" in expected and expected["letter"] != actual.get("letter"):
        result.append(f"{where}.letter: expected {expected['letter']!r}, got {actual.get('letter')!r}")
    if "points" in expected and rational(expected["points"]) != rational(actual.get("points")):
        result.append(f"{where}.points: expected {expected['points']!r}, got {actual.get('points')!r}")
    for name, want in expected.get("outcomes", {}).items():
        result += outcome_differences(f"{where}.{name}", want, actual.get("outcomes", {}).get(name))
    if "outcomes" in expected:
        surplus = sorted(set(actual.get("outcomes", {})) - set(expected["outcomes"]))
        result += [f"{where}.outcomes: {name} is not expected" for name in surplus]
    if "effectiveWeight" in expected and "effectiveWeight" in actual.get("figures", {}):
        got = actual["figures"]["effectiveWeight"].get("display")
        if got != expected["effectiveWeight"]:
            result.append(f"{where}.effectiveWeight: expected {expected['effectiveWeight']!r}, got {got!r}")
    return result


def fault_differences(expected, actual):
    """Every way in which a fault list differs from the oracle's: codes, paths and their order."""
    got = [{"code": fault.get("code"), "path": fault.get("path")} for fault in actual]
    return [] if got == expected else [f"faults: expected {expected!r}, got {got!r}"]
