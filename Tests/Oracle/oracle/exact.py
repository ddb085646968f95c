"""Exact numbers: reading, rounding, showing and judging."""

import math
import re
from decimal import Decimal
from fractions import Fraction

PLAIN = re.compile(r"-?[0-9]+(\.[0-9]+)?", re.ASCII)
WITH_COMMA = re.compile(r"-?[0-9]+([.,][0-9]+)?", re.ASCII)


class NotANumber(Exception):
    """The text is no plain decimal number."""


class TooPrecise(Exception):
    """The number has more digits than a field may have."""


def read(value, digits=9, decimals=4, comma=False):
    """The exact value of a JSON number or string, read from its text."""
    text = value if isinstance(value, str) else str(value)
    pattern = WITH_COMMA if comma and isinstance(value, str) else PLAIN
    if not pattern.fullmatch(text):
        raise NotANumber(text)
    text = text.replace(",", ".")
    whole, _, part = text.lstrip("-").partition(".")
    part = part.rstrip("0")
    significant = (whole + part).lstrip("0") if part else whole.strip("0")
    if len(part) > decimals or len(significant) > digits:
        raise TooPrecise(text)
    return Fraction(text)


def number(value):
    """The exact value of a trusted constant such as `Decimal("0.5")`, `3` or `"7/2"`."""
    return Fraction(value) if isinstance(value, (int, str, Decimal, Fraction)) else None


def rounded(value, rule):
    """`value` on the grid of `rule`: `{"rounding", "scale"}` or `{"rounding", "step"}`."""
    step = number(rule["step"]) if rule.get("step") is not None else Fraction(1, 10 ** rule["scale"])
    units = value / step
    below = math.floor(units)
    rest = units - below
    mode = rule["rounding"]
    if rest == 0 or mode == "floor":
        return below * step
    if mode == "ceiling":
        return (below + 1) * step
    if mode == "truncate":
        return (below if value >= 0 else below + 1) * step
    if rest != Fraction(1, 2):
        return (below + (1 if rest > Fraction(1, 2) else 0)) * step
    away = below + 1 if value > 0 else below
    toward = below if value > 0 else below + 1
    even = below if below % 2 == 0 else below + 1
    return {"halfUp": away, "halfDown": toward, "halfEven": even}[mode] * step


def staged(value, rule):
    """`value` after the intermediate roundings that a configuration lists."""
    for stage in rule.get("stages") or []:
        value = rounded(value, stage)
    return value


def display(value, rule):
    """The text of `value`: rounded once, with as many decimals as the rule has."""
    if value is None:
        return ""
    shown = rounded(value, rule)
    scale = decimals(number(rule["step"])) if rule.get("step") is not None else rule["scale"]
    units = abs(shown) * 10**scale
    digits = str(int(units)).rjust(scale + 1, "0")
    sign = "-" if shown < 0 else ""
    return sign + (digits[:-scale] + "." + digits[-scale:] if scale else digits)


def decimals(value):
    """How many decimals a value has that has finitely many."""
    return next(count for count in range(20) if (value * 10**count).denominator == 1)


def shortest(value):
    """The shortest decimal of a value that has a finite one."""
    text = f"{Decimal(value.numerator) / Decimal(value.denominator):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def reaches(value, bound, rule):
    """Whether `value` stands at or above `bound`, on the value that the rule says is judged."""
    compare = rule["compareOn"]
    if compare == "displayed":
        return rounded(value, rule) >= bound
    if compare == "exact":
        return value >= bound
    return value >= bound - Fraction(compare.removeprefix("tolerance(").removesuffix(")"))


def band(value, bands, rule):
    """The first band whose lower bound `value` reaches; below all of them the last."""
    for candidate in bands:
        if reaches(value, number(candidate["from"]), rule):
            return candidate
    return bands[-1]


def text(value):
    """A rational as it stands on the wire: `577/40`, `4`, or nothing."""
    return None if value is None else str(value)


def figure(current, floor, ceiling, rule, **more):
    """One figure of a standing, current, floor and ceiling."""
    return {
        "exact": text(current),
        "display": display(current, rule),
        "floorExact": text(floor),
        "floor": display(floor, rule),
        "ceilingExact": text(ceiling),
        "ceiling": display(ceiling, rule),
        **more,
    }
