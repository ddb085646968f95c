"""How the page rounds an exact value, against fractions."""

import fractions
import math
import random

HALF = fractions.Fraction(1, 2)
MODES = {
    "halfUp": lambda x: math.floor(abs(x) + HALF) * (1 if x > 0 else -1),
    "halfDown": lambda x: math.ceil(abs(x) - HALF) * (1 if x > 0 else -1),
    "halfEven": round,
    "ceiling": math.ceil,
    "floor": math.floor,
    "truncate": math.trunc,
}
READ = """async cases => {
    const { roundedText } = await import('/app/core/text/rounding.js');
    return cases.map(([text, mode, scale]) => roundedText(text, { mode, scale }));
}"""


def rounded(text, mode, scale):
    whole = MODES[mode](fractions.Fraction(text) * 10**scale)
    digits = str(abs(whole)).zfill(scale + 1)
    return ("-" if whole < 0 else "") + (f"{digits[:-scale]}.{digits[-scale:]}" if scale else digits)


def test_values_are_rounded_as_by_exact_fractions_in_every_mode(anywhere):
    chance = random.Random(7)
    values = [
        "0",
        "0.5",
        "-0.5",
        "1.5",
        "2.5",
        "-2.5",
        "1/3",
        "-2/3",
        "109/2",
        "0.005",
        "-0.004",
        "99.995",
        "12345678901234567891/2",
    ]
    values += [f"{chance.randint(-3000, 3000)}/{chance.randint(1, 16)}" for _ in range(60)]
    values += [f"{chance.randint(-300, 300)}.{chance.randint(0, 999):03}" for _ in range(40)]
    cases = [(value, mode, scale) for value in values for mode in MODES for scale in (0, 1, 2)]
    found = anywhere.evaluate(READ, cases)
    assert [(*case, text) for case, text in zip(cases, found, strict=True)] == [
        (*case, rounded(*case)) for case in cases
    ]
