"""Seeded random records: realistic ones, and many that sit on a boundary."""

import itertools
import random
from decimal import Decimal as D

from .build import board_course, category, item, request, rose_course, subject, unit
from .spoil import spoil

MAXIMA = [1, 3, 7, 9, 10, 20, 30, 50, 100, 100, 100, 140, 200, D("0.5"), D("12.5"), D("33.3333")]
CREDITS = [1, 2, 3, 3, 4, 4, 5, 6, 12, 199, D("0.5"), D("1.5"), D("0.0001")]
MODES = ["halfUp", "halfEven", "halfDown", "ceiling", "floor", "truncate"]
TITLES = ["Algorithms", "Génie logiciel", "数据结构", "Analyse", "Réseaux", "Mobile programming", "C# .NET (1)", "🎓"]


class Dice:
    """A seeded source of the numbers that records are made of."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.pick, self.chance = self.random.choice, lambda share: self.random.random() < share

    def whole(self, low, high):
        return self.random.randint(low, high)

    def decimal(self, low, high, places=None):
        """A number in `low…high` with up to four decimals."""
        scale = 10 ** (self.whole(0, 4) if places is None else places)
        steps = self.random.randint(0, int((D(high) - D(low)) * scale))
        return number(D(low) + D(steps) / scale)

    def split(self, total, parts, places):
        """`parts` weights that sum to exactly `total`."""
        scale = 10**places
        cuts = sorted(self.random.randint(0, total * scale) for _ in range(parts - 1))
        edges = [0, *cuts, total * scale]
        return [number(D(b - a) / scale) for a, b in itertools.pairwise(edges)]

    def near(self, bound, maximum, places=4):
        """`bound` percent of `maximum`, exactly or one step off, where the decimals allow it."""
        exact = (D(bound) * D(maximum) / 100).quantize(D(1).scaleb(-places))
        exact += self.pick([0, 0, D(1), D(-1)]) * D(1).scaleb(-places)
        return number(min(max(exact, D(0)), D(maximum)))

    def rule(self):
        """A rounding rule."""
        compare = self.pick(["exact", "displayed", "tolerance(0.05)"])
        step = {"rounding": self.pick(MODES)}
        step |= {"step": self.pick(["1/2", "1/4", "0.05", 1])} if self.chance(0.2) else {"scale": self.whole(0, 3)}
        stages = [{"rounding": self.pick(MODES), "scale": self.whole(1, 3)}] if self.chance(0.2) else []
        return step | {"compareOn": compare, "stages": stages}

    def as_text(self, value, comma=False):
        """Sometimes the same number as a JSON string."""
        if value is None or not self.chance(0.05):
            return value
        return str(value).replace(".", ",") if comma and self.chance(0.5) else str(value)


def number(value):
    """A `Decimal` as the generator writes it: an `int` where it is whole."""
    return int(value) if value == int(value) else value.normalize()


def title(dice, index):
    """A title that no other entry has."""
    return f"{dice.pick(TITLES)} {index + 1}"


def chalkboard(dice):
    """A board of up to four courses."""
    courses = []
    for index in range(dice.pick([0, 1, 1, 2, 3, 4, 4])):
        weights = dice.pick([[30, 30, 40], [25, 25, 50]]) if dice.chance(0.5) else dice.split(100, 3, dice.whole(0, 4))
        bound = dice.pick([60, 70, 80, 90, 100, 0, D("89.95"), D("59.99")])
        on_boundary = dice.chance(0.5)
        parts = []
        for weight in weights:
            maximum = dice.pick(MAXIMA)
            points = dice.near(bound, maximum) if on_boundary else dice.decimal(0, maximum)
            parts.append((dice.as_text(points), maximum, weight))
        courses.append(board_course(title(dice, index), dice.as_text(dice.pick(CREDITS)), *parts))
    config = {}
    if dice.chance(0.2):
        config = {"total": dice.rule(), "gpa": dice.rule()}
    if dice.chance(0.1):
        config["bands"] = [{"label": "P", "from": dice.pick([50, D("89.95")]), "points": D("3.5")}]
        config["bands"] += [{"label": "F", "from": 0, "points": 0}]
    return request("chalkboard", courses, **({"configuration": config} if config else {}))


def rose_item(dice, index, highest):
    """An item: graded by score, by percentage, or not yet."""
    status = dice.pick(["excused", "absent", "pending"]) if dice.chance(0.08) else None
    weight = dice.pick([0, 1, 2, 20, D("0.5"), 40]) if dice.chance(0.5) else None
    bound = dice.pick([60, 65, 70, 75, 80, 85, 90, D("89.995"), 100, 0])
    shape = dice.whole(0, 9)
    fields = {}
    if shape < 4:
        maximum = dice.pick(MAXIMA)
        fields = {"max": maximum, "score": dice.as_text(dice.near(bound, maximum))}
    elif shape < 8:
        grade = dice.near(bound, 100) if dice.chance(0.6) else dice.decimal(0, highest)
        fields = {"grade": dice.as_text(grade)}
    elif shape < 9:
        fields = {"max": dice.pick(MAXIMA)}
    if dice.chance(0.1):
        fields["bonus"] = dice.chance(0.8)
    return item(f"Item {index + 1}", status=status, weight=weight, **fields)


def rose_categories(dice, highest):
    """Categories in any order, with weights that do or do not sum to 100."""
    names = ["assignments", "exams", "labs", "quizzes", "participation"]
    dice.random.shuffle(names)
    names = names[: dice.pick([0, 1, 2, 3, 4, 5, 5])]
    sums = dice.pick([100, 100, 100, 99, 101, 60, 130])
    weights = dice.split(sums, len(names), dice.pick([0, 0, 1, 4])) if names else []
    result = []
    for name, weight in zip(names, weights, strict=True):
        if name == "participation":
            grade = None if dice.chance(0.4) else dice.decimal(0, 100)
            status = dice.pick(["excused", "absent", "pending"]) if dice.chance(0.1) else None
            result.append(category(name, weight, grade=grade, status=status))
        else:
            items = [rose_item(dice, index, highest) for index in range(dice.pick([0, 1, 1, 2, 3, 5]))]
            drops = [drop for drop in ("dropLowest", "dropHighest") if dice.chance(0.2)]
            result.append(category(name, weight, items, **{drop: dice.whole(0, 3) for drop in drops}))
    return result


def rose_hulman(dice):
    """A record of several quarters, with repeats and statuses."""
    extra = dice.chance(0.8)
    config = {} if extra else {"extraCredit": False}
    for key, choices in (
        ("weights", ["normalise", "mustEqual100", "bonusAbove100"]),
        ("attempts", ["all", "best", "last"]),
        ("participationMissing", ["zero", "skip"]),
    ):
        if dice.chance(0.4):
            config[key] = dice.pick(choices)
    if dice.chance(0.2):
        config |= {"grade": dice.rule(), "gpa": dice.rule()}
    courses = [
        rose_course(
            *rose_categories(dice, 120 if extra else 100),
            title=title(dice, index),
            credits=dice.pick(CREDITS + [0]),
            number=dice.pick(["", "", "MA 101", "ma 101 ", "CS 2", f"X{index}"]),
            section=dice.whole(0, 99),
            quarter=dice.whole(1, 4),
            year=dice.whole(2021, 2023),
            status=dice.pick(["audit", "withdrawn", "transfer"]) if dice.chance(0.08) else None,
        )
        for index in range(dice.pick([0, 1, 1, 2, 3, 5, 8]))
    ]
    more = {"configuration": config} if config else {}
    if dice.chance(0.4):
        more["fields"] = {"priorGPA": dice.decimal(0, 4), "priorCredits": dice.pick([0, 4, 40, 100, D("0.5")])}
    return request("rose-hulman", courses, **more)


def iut_subject(dice, index, poles):
    """A subject: graded, often on a bar, or not yet."""
    status = dice.pick(["excused", "absent", "pending"]) if dice.chance(0.06) else None
    grade = None
    if dice.chance(0.85):
        on_bar = dice.pick([8, 10, D("9.995"), D("9.9949"), D("7.995"), 20, 0, D("7.99")])
        grade = number(D(on_bar)) if dice.chance(0.4) else dice.decimal(0, 20)
    return subject(
        f"Matière {index + 1}",
        dice.whole(1, 9),
        dice.as_text(grade, comma=True),
        pole=dice.pick(["resources", "sae"]) if poles else None,
        status=status,
    )


def iut(dice):
    """A year of units."""
    preset = dice.pick([None, "lp", "dut", "but", "but"])
    poles = preset == "but" and dice.chance(0.5)
    units = [
        unit(
            title(dice, index),
            dice.pick([0, 1, 3, 6, 6, 9, 15, D("2.5")]),
            [iut_subject(dice, place, poles) for place in range(dice.pick([0, 1, 1, 2, 3, 6]))],
            professional=dice.chance(0.4),
            code=index + 1,
            rcue=dice.pick([None, "R1", "R2", "R3"]) if preset == "but" else None,
            status=dice.pick(["excused", "audit", "withdrawn", "transfer", "transfer"]) if dice.chance(0.12) else None,
        )
        for index in range(dice.pick([0, 1, 2, 3, 4, 7]))
    ]
    more = {"preset": preset} if preset else {}
    if dice.chance(0.3):
        more["configuration"] = {"average": dice.rule(), "bar": dice.pick([10, 12, D("9.995")]), "unitBar": 7}
    return request("iut", units, **more)


RECORDS = {"chalkboard": chalkboard, "rose-hulman": rose_hulman, "iut": iut}


def requests(scheme, count, seed, spoilt=0.1):
    """`count` requests, of which about that share is spoilt by a fault or several."""
    dice = Dice(f"{scheme} {seed}")
    for _ in range(count):
        made = RECORDS[scheme](dice)
        if dice.chance(spoilt):
            spoil(made, dice)
        yield made
