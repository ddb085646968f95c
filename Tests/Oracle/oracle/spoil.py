"""Ways to spoil a sound record, each a fault or several."""

from decimal import Decimal as D

NUMBER_FIELDS = {"points", "max", "weight", "credits", "score", "grade"}


def nodes(entries):
    """Every entry of a tree."""
    for entry in entries:
        yield entry
        yield from nodes(entry.get("children", []))


def with_field(record, *names):
    """The entries that have one of these fields, with its name."""
    return [(entry, name) for entry in nodes(record["entries"]) for name in names if name in entry["fields"]]


def unknown_field(record, dice):
    dice.pick(list(nodes(record["entries"])))["fields"]["colour"] = "blue"


def unknown_member(record, dice):
    dice.pick(list(nodes(record["entries"])))["colour"] = "blue"


def wrong_kind(record, dice):
    dice.pick(list(nodes(record["entries"])))["kind"] = dice.pick(["lesson", ""])


def no_title(record, dice):
    entry, name = dice.pick(with_field(record, "title", "name", "category"))
    if dice.chance(0.5) and name == "title":
        entry["fields"][name] = dice.pick(["", "   "])
    else:
        del entry["fields"][name]


def wrong_type(record, dice):
    entry, name = dice.pick(with_field(record, "title", *NUMBER_FIELDS))
    entry["fields"][name] = dice.pick([True, [], {}])


def not_a_number(record, dice):
    entry, name = dice.pick(with_field(record, *NUMBER_FIELDS))
    entry["fields"][name] = dice.pick(["abc", "NaN", "Infinity", "+1", "1 000", "1.2.3", "0x10", "١٢"])


def too_precise(record, dice):
    entry, name = dice.pick(with_field(record, "points", "credits", "score", "grade"))
    entry["fields"][name] = dice.pick([D("1.00001"), D("0.12345"), 1234567891, D("123456.7891")])


def negative(record, dice):
    entry, name = dice.pick(with_field(record, "points", "max", "score", "grade", "credits"))
    entry["fields"][name] = dice.pick([-1, D("-0.5")])


def zero_maximum(record, dice):
    entry, name = dice.pick(with_field(record, "max"))
    entry["fields"][name] = 0


def twice(record, dice):
    """Says something twice that may be said once: a title, an assessment, a category."""
    lists = [record["entries"], *(one.get("children", []) for one in nodes(record["entries"]))]
    siblings = dice.pick([siblings for siblings in lists if len(siblings) > 1])
    name = {"assessment": "name", "category": "category"}.get(siblings[0]["kind"], "title")
    if name in siblings[0]["fields"]:
        siblings[-1]["fields"][name] = siblings[0]["fields"][name]


WAYS = [
    unknown_field,
    unknown_member,
    wrong_kind,
    no_title,
    wrong_type,
    not_a_number,
    too_precise,
    negative,
    zero_maximum,
    twice,
]


def spoil(record, dice):
    """Spoils a record in one to three ways; a way that finds nothing to spoil leaves it alone."""
    for _ in range(dice.whole(1, 3)):
        try:
            dice.pick(WAYS)(record, dice)
        except IndexError:
            continue
