"""The scheme `iut`: units of subjects on /20, with the presets `lp`, `dut` and `but`."""

from fractions import Fraction

from .exact import figure, number, reaches, staged
from .shape import field

RECORD = {}
KINDS = {
    "unit": {
        "title": field("text", required=True),
        "code": field("integer"),
        "weight": field("comma", required=True, low=0),
        "professional": field("boolean"),
        "rcue": field("text"),
    },
    "subject": {
        "title": field("text", required=True),
        "weight": field("integer", required=True),
        "grade": field("comma"),
        "pole": field("choice", choices=("resources", "sae")),
    },
}
NESTING = {None: ("unit",), "unit": ("subject",), "subject": ()}
DEFAULTS = {
    "preset": "lp",
    "bar": 10,
    "unitBar": 8,
    "groupLow": 8,
    "average": {"rounding": "halfUp", "scale": 2, "compareOn": "displayed", "stages": []},
}
PRESETS = {name: {"preset": name} for name in ("lp", "dut", "but")}
CURRENT, FLOOR, CEILING = "current", "floor", "ceiling"
RUNS = (CURRENT, FLOOR, CEILING)
OUTSIDE = ("excused", "audit", "withdrawn", "transfer")
MET, UNMET, PENDING = "met", "unmet", "pending"


def statuses(node):
    """The statuses that may be set by hand on one node."""
    return ("graded",) + (OUTSIDE if node["kind"] == "unit" else ("excused", "absent", "pending"))


def check(units, fields, config, faults):
    """The rules of the scheme beyond its shape."""
    for unit in units:
        for subject in unit["children"]:
            weight, grade = subject["fields"].get("weight"), subject["fields"].get("grade")
            if weight is not None and weight < 1:
                faults.add("weight_not_positive", subject["path"] + "/fields/weight")
            if grade is not None and not 0 <= grade <= 20:
                faults.add("grade_out_of_range", subject["path"] + "/fields/grade")


# -- averages --------------------------------------------------------------------------------------------------


def open_value(run):
    """What a run takes for something that is not graded yet."""
    return {CURRENT: None, FLOOR: Fraction(0), CEILING: Fraction(20)}[run]


def grade(subject, run):
    """The grade of a subject in a run: `None` when it does not count."""
    if subject["status"] == "excused":
        return None
    if subject["status"] == "absent":
        return Fraction(0)
    if subject["status"] != "pending" and "grade" in subject["fields"]:
        return subject["fields"]["grade"]
    return open_value(run)


def mean(pairs):
    """The weighted mean of `(weight, value)`, without what has no value."""
    pairs = [(weight, value) for weight, value in pairs if value is not None]
    total = sum(weight for weight, _ in pairs)
    return None if total == 0 else sum(weight * value for weight, value in pairs) / total


def unit_average(unit, run, config):
    """The average of a unit; of one in which nothing counts yet the run's own 0 or 20."""
    value = mean([(subject["fields"]["weight"], grade(subject, run)) for subject in unit["children"]])
    return open_value(run) if value is None else staged(value, config["average"])


def average(units, run, config):
    """The weighted mean of units."""
    value = mean(
        [
            (unit["fields"]["weight"], unit_average(unit, run, config))
            for unit in units
            if unit["status"] not in OUTSIDE and unit["fields"]["weight"] > 0
        ]
    )
    return None if value is None else staged(value, config["average"])


def professional(units):
    """The professional units."""
    return [unit for unit in units if unit["fields"].get("professional")]


# -- decisions -------------------------------------------------------------------------------------------------


def judge(value, bar, config):
    """A value against a bar."""
    if value is None:
        return PENDING
    return MET if reaches(value, number(bar), config["average"]) else UNMET


def all_of(states):
    """Every one must be met; pending wins over unmet."""
    if PENDING in states:
        return PENDING
    return UNMET if UNMET in states else MET


def weighty(units):
    """The units that a bar looks at."""
    return [unit for unit in units if unit["fields"]["weight"] > 0 and unit["status"] not in OUTSIDE]


def has_pending(units, run):
    """Whether a grade is marked as pending, which only the current run sees."""
    return run == CURRENT and any(s["status"] == "pending" for unit in weighty(units) for s in unit["children"])


def diploma(units, run, config):
    """The state of the outcome `diploma` in a run."""
    if has_pending(units, run):
        return PENDING
    total = judge(average(units, run, config), config["bar"], config)
    averages = {unit["id"]: unit_average(unit, run, config) for unit in weighty(units)}
    if config["preset"] == "lp":
        work = weighty(professional(units))
        block = judge(average(work, run, config), config["bar"], config)
        if not work or any(averages[unit["id"]] is None for unit in work):
            block = PENDING
        return all_of([total, block])
    if config["preset"] == "dut":
        return all_of([total] + [judge(value, config["unitBar"], config) for value in averages.values()])
    states = [acquired(unit, units, run, config)[0] for unit in weighty(units)]
    return all_of(states) if states else without_averages(units)


def transferred(units):
    """The units that were acquired elsewhere."""
    return [unit for unit in units if unit["status"] == "transfer"]


def without_averages(units):
    """The state of a year in which no average decides."""
    return MET if transferred(units) else PENDING


def group_of(unit, units):
    """The units that are judged together with this one."""
    rcue = unit["fields"].get("rcue")
    return [unit] if rcue is None else [other for other in weighty(units) if other["fields"].get("rcue") == rcue]


def group_average(group, run, config):
    """The mean of a group, undefined until each of its units has one."""
    values = [unit_average(unit, run, config) for unit in group]
    if None in values:
        return None
    return mean([(unit["fields"]["weight"], value) for unit, value in zip(group, values, strict=True)])


def acquired(unit, units, run, config):
    """The outcome `acquired` of a unit: `(state, transferred | direct | compensation | None)`."""
    if unit["status"] == "transfer":
        return MET, "transferred"
    group = group_of(unit, units)
    own = judge(unit_average(unit, run, config), config["bar"], config)
    together = judge(group_average(group, run, config), config["bar"], config)
    if has_pending([unit], run):
        return PENDING, None
    if own == MET:
        return MET, "direct"
    if together == MET:
        return MET, "compensation"
    return (PENDING if PENDING in (own, together) else UNMET), None


def progression(units, run, config):
    """The outcome `progression` of a `but` year."""
    groups = []
    for unit in weighty(units):
        group = group_of(unit, units)
        if group not in groups:
            groups.append(group)
    values = [group_average(group, run, config) for group in groups]
    if not groups:
        return without_averages(units)
    if None in values or has_pending(units, run):
        return PENDING
    above = sum(1 for value in values if judge(value, config["bar"], config) == MET)
    low = all(judge(value, config["groupLow"], config) == MET for value in values)
    return MET if 2 * above > len(values) and low else UNMET


def outcome(decide, units):
    """An outcome with `final`: whether floor and ceiling agree on a state other than pending."""
    floor, ceiling = decide(FLOOR), decide(CEILING)
    result = {"state": decide(CURRENT)}
    waiting = any(subject["status"] == "pending" for unit in units for subject in unit["children"])
    if PENDING not in (floor, ceiling) and not waiting:
        result["final"] = floor == ceiling
    return result


def acquired_outcome(unit, units, config):
    """The outcome `acquired` of a unit with its reason."""
    result = outcome(lambda run: acquired(unit, units, run, config)[0], [unit] + group_of(unit, units))
    reason = acquired(unit, units, CURRENT, config)[1]
    return result | ({"reasons": [{"code": reason}]} if reason else {})


# -- the record ------------------------------------------------------------------------------------------------


def shown(values, config):
    """A figure with its colour."""
    if values[0] is None:
        return figure(*values, config["average"], band="none")
    colour = "green" if judge(values[0], config["bar"], config) == MET else "red"
    return figure(*values, config["average"], band=colour)


def standing(units, fields, config):
    """Everything computed for an iut year."""
    entries = {}
    for unit in units:
        values = [unit_average(unit, run, config) for run in RUNS]
        mine = {"figures": {"average": shown(values, config)}}
        if unit["fields"]["weight"] == 0:
            for key in ("floor", "floorExact", "ceiling", "ceilingExact"):
                del mine["figures"]["average"][key]
        if config["preset"] == "but":
            decided = unit in weighty(units) + transferred(units)
            mine["outcomes"] = {"acquired": acquired_outcome(unit, units, config)} if decided else {}
        entries[unit["id"]] = mine
    work = professional(units)
    outcomes = {"diploma": outcome(lambda run: diploma(units, run, config), weighty(units))}
    if config["preset"] == "but":
        outcomes["progression"] = outcome(lambda run: progression(units, run, config), weighty(units))
    return {
        "figures": {
            "total": shown([average(units, run, config) for run in RUNS], config),
            "professional": shown([average(work, run, config) for run in RUNS], config),
        },
        "entries": entries,
        "outcomes": outcomes,
        "warnings": warnings(units),
    }


def warnings(units):
    """`pole_share_out_of_range` for a unit whose two poles are not within 40–60 % of its weight."""
    result = []
    for unit in units:
        subjects = [subject["fields"] for subject in unit["children"]]
        if not any("pole" in subject for subject in subjects):
            continue
        total = sum(subject["weight"] for subject in subjects)
        shares = [sum(s["weight"] for s in subjects if s.get("pole") == pole) / total for pole in ("resources", "sae")]
        if any(not Fraction(2, 5) <= share <= Fraction(3, 5) for share in shares):
            result.append({"code": "pole_share_out_of_range", "entry": unit["id"]})
    return result
