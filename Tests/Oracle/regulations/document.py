"""The declarations of a document as plain data."""

from dataclasses import dataclass, field
from fractions import Fraction

from .formula import Reader
from .lexer import Mistake, declarations
from .node import COUNTS, LEAVES, OPEN, WORST

MODES = {
    ("half", "up"): "halfUp",
    ("half", "even"): "halfEven",
    ("half", "down"): "halfDown",
    ("floor",): "floor",
    ("ceiling",): "ceiling",
    ("truncate",): "truncate",
}
TYPES = ("text", "whole number", "number", "yes/no", "one of", "grade in", "grade out of")


@dataclass
class Field:
    """A field of a kind."""

    name: str
    type: str
    unit: tuple = ()
    of: str = None  # the scale of a grade, or the field that holds its maximum
    choices: tuple = ()
    optional: bool = False
    required: bool = False
    low: Fraction = None
    above: Fraction = None
    high: Fraction = None
    beyond: bool = False
    start: object = None
    comma: bool = False
    unique: bool = False

    @property
    def is_grade(self):
        return self.type.startswith("grade")


@dataclass
class Kind:
    """A kind of entry; that of the record is `record`."""

    name: str
    parent: str = None
    fields: dict = field(default_factory=dict)
    statuses: tuple = ()
    most: int = None


@dataclass
class Figure:
    """A figure with how it is shown."""

    name: str
    kind: str
    unit: tuple
    formula: tuple
    hidden: bool = False
    rounding: str = None
    letters: str = None
    colours: str = None
    ranged: bool = True


@dataclass
class Document:
    """Everything that a document declares."""

    scales: dict = field(default_factory=lambda: {"percent": (Fraction(0), Fraction(100))})
    roundings: dict = field(default_factory=dict)
    bands: dict = field(default_factory=dict)
    settings: dict = field(default_factory=dict)
    presets: dict = field(default_factory=dict)
    statuses: dict = field(default_factory=dict)
    kinds: dict = field(default_factory=lambda: {"record": Kind("record")})
    lets: dict = field(default_factory=dict)
    figures: dict = field(default_factory=dict)
    outcomes: dict = field(default_factory=dict)
    checks: list = field(default_factory=list)
    warnings: list = field(default_factory=list)
    texts: dict = field(default_factory=dict)


def read(text):
    """A document from its text. Templates and examples are passed over: they declare no rule."""
    document = Document()
    for line in declarations(text):
        word = line.tokens[0].text
        if word in ("regulation", "template", "example"):
            continue
        reader = Reader(head(line, word))
        reader.name()
        READERS[word](document, reader, [] if word in WHOLE else line.below)
    return document


WHOLE = ("scale", "rounding", "setting", "status", "preset", "let", "figure", "hidden", "check", "warn")


def head(line, word):
    """The words at the margin; with those below where the declaration has no lines of its own."""
    if word not in WHOLE:
        return line.tokens
    below = [part for part in line.below if part.tokens[0].text != "article"]
    return line.tokens + [token for part in below for token in part.joined()]


def lines(below):
    """A reader for each line of a declaration."""
    return [Reader(line.joined()) for line in below if line.tokens[0].text != "article"]


# -- numbers and their rounding


def scale(document, reader, below):
    name = reader.name()
    reader.label()
    reader.needs("worst")
    worst = reader.number()
    reader.needs("best")
    document.scales[name] = (worst, reader.number())
    if reader.takes("step"):
        reader.number()


def stage(reader):
    """A mode and its grid: `half up, 2 decimals` or `half up 2 decimals`, `step 1/4`."""
    words = next(words for words in MODES if reader.takes(*words))
    reader.takes(",")
    if reader.takes("step"):
        step = reader.number()
        step = step / reader.number() if reader.takes("/") else step
        return {"rounding": MODES[words], "step": str(step)}
    result = {"rounding": MODES[words], "scale": int(reader.number())}
    if not reader.takes("decimals"):
        reader.needs("decimal")
    return result


def rounding(document, reader, below):
    name = reader.name()
    rule = stage(reader)
    reader.needs(",")
    reader.needs("judged")
    if reader.takes("as", "shown"):
        rule["compareOn"] = "displayed"
    elif reader.takes("exactly"):
        rule["compareOn"] = "exact"
    else:
        reader.needs("within")
        rule["compareOn"] = f"tolerance({reader.number()})"
    rule["stages"] = []
    while reader.takes(",", "after") or reader.takes("after"):
        rule["stages"].append(stage(reader))
    document.roundings[name] = rule


def bands(document, reader, below):
    """Rows of a label, a bound and perhaps points, best first."""
    name = reader.name()
    reader.needs("in")
    unit = reader.name()
    reader.needs("judged", "by")
    rule = reader.name()
    points = reader.unit() if reader.takes("worth") else None
    rows = []
    for line in lines(below):
        label = line.next().value if line.is_kind("text") else ""
        while not label or not (line.is_kind("number") or line.sees("-")):
            label += line.next().text
            if line.is_kind("number"):
                break
        rows.append((label, line.number(), line.number() if not line.done else None))
    document.bands[name] = {"unit": unit, "rule": rule, "points": points, "rows": rows}


def setting(document, reader, below):
    name = reader.name()
    unit = reader.unit() if reader.takes("in") else ()
    reader.needs("=")
    if reader.takes("yes") or reader.takes("no"):
        value, kind = reader.tokens[reader.place - 1].text == "yes", "yes/no"
    elif reader.is_kind("name"):
        value, kind = reader.name(), "one of"
    else:
        value, kind = reader.number(), "number"
    made = {"unit": unit, "value": value, "type": kind}
    if reader.takes("one", "of"):
        made["choices"] = reader.names()
    if reader.takes("from"):
        made["low"] = reader.number()
        reader.needs("to")
        made["high"] = reader.number()
    document.settings[name] = made


def preset(document, reader, below):
    name = reader.name()
    reader.label()
    reader.needs(":")
    values = {}
    while True:
        key = reader.name()
        reader.needs("=")
        if reader.is_kind("name"):
            word = reader.name()
            values[key] = {"yes": True, "no": False}.get(word, word)
        else:
            values[key] = reader.number()
        if not reader.takes(","):
            break
    document.presets[name] = values


# -- entries

AVERAGES = {"counts": COUNTS, "worst": WORST, "pending": OPEN, "leaves": LEAVES}


def status(document, reader, below):
    """What an entry of a status counts for: in averages, then in what else."""
    name = reader.name()
    reader.label()
    reader.needs("average")
    word = next((word for word in AVERAGES if reader.takes(word)), None)
    average = AVERAGES[word] if word else reader.number() / 100
    if word is None:
        reader.needs("%")
    counted = []
    while not reader.done:
        counted.append(reader.name())
    document.statuses[name] = average, tuple(counted)


def entry(document, reader, below):
    name = reader.name()
    kind = document.kinds.setdefault(name, Kind(name))
    if name != "record":
        kind.parent = reader.name() if reader.takes("in") else "record"
        reader.label()
        while not reader.done:
            if reader.takes("at", "most"):
                kind.most = int(reader.number())
            else:
                reader.needs("statuses")
                kind.statuses = reader.names()
    for line in lines(below):
        made = field_of(line)
        kind.fields[made.name] = made


def field_of(reader):
    """A field from its line."""
    name = reader.name()
    reader.label()
    kind = next((words for words in TYPES if reader.takes(*words.replace("/", " / ").split())), None)
    if kind is None:
        raise Mistake(f"no type of field: {reader.rest()}")
    made = Field(name, kind)
    if kind == "one of":
        made.choices = reader.names()
    elif made.is_grade:
        made.of = reader.name()
    while not reader.done:
        option(made, reader)
    return made


def option(made, reader):
    """What a field says of itself after its type."""
    word = reader.name()
    if word in ("optional", "required", "comma", "unique"):
        setattr(made, word, True)
    elif word == "in":
        made.unit = reader.unit()
    elif word == "from":
        made.low = reader.number()
    elif word == "above":
        made.above = reader.number()
    elif word == "to":
        made.beyond = reader.takes("any")
        made.high = None if made.beyond else reader.number()
    elif word == "starts":
        reader.needs("at")
        made.start = reader.next().text if not (reader.is_kind("number") or reader.sees("-")) else reader.number()
    else:
        raise Mistake(f"no option of a field: {word}")


# -- formulas


def let(document, reader, below):
    name = reader.name()
    kind = reader.name() if reader.takes("of") else "record"
    reader.needs("=")
    document.lets[kind, name] = ended(reader, reader.formula())


def figure(document, reader, below, hidden=False):
    name = reader.name()
    made = Figure(name, reader.name() if reader.takes("of") else "record", (), (), hidden=hidden)
    if reader.takes("in"):
        made.unit = reader.unit()
    reader.label()
    while not reader.takes("="):
        if reader.takes("shown", "by"):
            made.rounding = reader.name()
        elif reader.takes("lettered", "by"):
            made.letters = reader.name()
        elif reader.takes("coloured", "by"):
            made.colours = reader.name()
        else:
            reader.needs("without", "range")
            made.ranged = False
    made.formula = ended(reader, reader.formula())
    document.figures[made.kind, name] = made


def hidden(document, reader, below):
    reader.needs("figure")
    figure(document, reader, below, hidden=True)


def outcome(document, reader, below):
    """The clauses of an outcome: its kind of clause, the condition, the code, the value.

    What only people give decides nothing.
    """
    name = reader.name()
    kind = reader.name() if reader.takes("of") else "record"
    clauses = []
    for line in lines(below):
        word = line.name()
        value = None
        if word == "else":
            code = line.name()
            if not line.done:
                line.label()
                value, code = code, line.name()
            clauses.append((word, None, ended(line, code), value))
            continue
        if word in ("met", "unmet"):
            if not line.sees("when"):
                value = line.name()
                line.label()
                if line.takes("by", "hand"):
                    continue
            line.needs("when")
        condition = line.formula()
        if word in ("met", "unmet") and line.done:
            clauses.append((word, condition, None, value))
            continue
        line.needs("because" if word in ("met", "unmet") else "else")
        clauses.append((word, condition, ended(line, line.name()), value))
    document.outcomes[kind, name] = clauses


def check(document, reader, below):
    kind = reader.name()
    condition = reader.formula()
    reader.needs("else")
    document.checks.append((kind, condition, ended(reader, reader.name())))


def warn(document, reader, below):
    kind = reader.name()
    condition = reader.formula()
    reader.needs("because")
    document.warnings.append((kind, condition, ended(reader, reader.name())))


def texts(document, reader, below):
    for line in lines(below):
        code = line.name()
        document.texts[code] = line.label()


def ended(reader, value):
    """The value that was read, where nothing is left."""
    if not reader.done:
        raise Mistake(f"not understood: {reader.rest()}")
    return value


READERS = {
    "scale": scale,
    "rounding": rounding,
    "bands": bands,
    "setting": setting,
    "preset": preset,
    "status": status,
    "entry": entry,
    "let": let,
    "figure": figure,
    "hidden": hidden,
    "outcome": outcome,
    "check": check,
    "warn": warn,
    "texts": texts,
}
