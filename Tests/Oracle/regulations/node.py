"""Entries of a record with their statuses, and what conditions and numbers have in common."""

from fractions import Fraction

from oracle.exact import rounded, staged

CURRENT, FLOOR, CEILING = "current", "floor", "ceiling"
# Whether a status takes an entry out of averages, leaves it open or sets its grade, as the share of the way from the
# worst to the best; what it is counted in.
LEAVES, OPEN, COUNTS = "leaves", "open", "counts"
WORST = Fraction(0)
STATUS = {
    None: (COUNTS, ("attempted", "earned", "in_gpa")),
    "excused": (LEAVES, ()),
    "audit": (LEAVES, ()),
    "absent": (WORST, ("attempted", "in_gpa")),
    "pending": (OPEN, ("attempted",)),
    "withdrawn": (LEAVES, ("attempted",)),
    "transfer": (LEAVES, ("earned",)),
}


class Node:
    """An entry, or the record itself, whose kind is `record`."""

    def __init__(self, kind, id, fields, status=None, parent=None, table=STATUS):
        self.kind, self.id, self.fields, self.status, self.parent = kind, id, fields, status, parent
        self.table, self.children = table, []
        self.given = {}  # what a copy of an earlier record has, figures and outcomes by their names
        self.values = {}  # the values that its outcomes have there
        self.groups, self.group_of = {}, {}  # of a grouping: the groups in the entry, and the one that the entry is in
        self.key, self.named = None, self  # of a group: what its members share, and the one by which it is named

    @property
    def average(self):
        """What its status does to it in averages."""
        return self.table[self.status][0]

    @property
    def standing(self):
        """What statuses do to a grade in it: its own, or that of the nearest entry around it that sets one or leaves it
        open."""
        return self.average if self.average != COUNTS or self.parent is None else self.parent.imposed

    @property
    def imposed(self):
        """What its status, or one around it, does to the grades of entries within it."""
        if self.average == OPEN or is_set(self.average):
            return self.average
        return COUNTS if self.parent is None else self.parent.imposed

    def inside(self, kind):
        """Every entry of a kind within it, in the order of the tree; of a group every member and what stands in it."""
        yield from self.groups.get(kind, ())
        for child in self.children:
            if child.kind == kind:
                yield child
            yield from child.inside(kind)


def is_set(average):
    """Whether it is a share of the way from the worst to the best."""
    return isinstance(average, Fraction)


def set_grade(average, worst, best):
    """The grade that a status sets; none where the best is not known."""
    return worst if average == WORST else None if best is None else worst + average * (best - worst)


def combined(operation, *values):
    """The result, unless a part is not known."""
    return None if None in values else operation(*values)


def quotient(pairs):
    """The sum of the first over the sum of the second."""
    pairs = list(pairs)
    below = sum(pair[1] for pair in pairs)
    return None if below == 0 else sum(pair[0] for pair in pairs) / below


def at_least(needed, yes, no, total):
    """Whether so many hold, of those that hold, do not, or are not known."""
    return True if yes >= needed else False if total - no < needed else None


def node_at(scope, out, up, kind=None):
    """So many steps outwards and up; from there into the entry's group, where the kind is one of groups."""
    node = scope[-1 - out]
    for _ in range(up):
        node = node.parent
    return node if kind in (None, node.kind) else node.group_of[kind]


def folded(text):
    """A text as it is compared."""
    return text.strip().lower()


def stands(value, bound, rule, scale):
    """Whether a value, as it is judged, is at least as good as a bound; on some scales the lower is the better."""
    sign = -1 if scale[0] is not None and scale[0] > scale[1] else 1
    compare = rule["compareOn"]
    slack = Fraction(0)
    if compare == "displayed":
        value = rounded(staged(value, rule), rule)
    elif compare != "exact":
        slack = Fraction(compare.removeprefix("tolerance(").removesuffix(")"))
    return sign * value >= sign * bound - slack


SIGNS = {
    "=": lambda left, right: left == right,
    "<>": lambda left, right: left != right,
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
}
