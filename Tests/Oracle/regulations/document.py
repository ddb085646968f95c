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
TYPES = ("text", "whole number", "number", "yes/no", "one of", "grade in", "grade out of", "letter of")


@dataclass
class Field:
    """A field of a kind."""

    name: str
    type: str
    unit: tuple = ()
    of: str = None  # the scale of a grade, the field that holds its maximum, or the bands of its letters
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
    was: tuple = ()
    per_student: bool = False

    @property
    def is_grade(self):
        return self.type.startswith(("grade", "letter"))


@dataclass
class Kind:
    """A kind of entry; that of the record is `record`."""

    name: str
    parent: str = None
    fields: dict = field(default_factory=dict)
    statuses: tuple = ()
    most: int = None
    was: tuple = ()
    levels: int = 1  # how deep its entries stand in each other
    copies: bool = False  # whether its entries are copies of an earlier record, or of what stands in one
    base: str = None  # of groups, the kind that is grouped


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
    curves: dict = field(default_factory=dict)
    tables: dict = field(default_factory=dict)
    settings: dict = field(default_factory=dict)
    chosen: set = field(default_factory=set)  # roundings, bands and statuses that a program may choose otherwise
    presets: dict = field(default_factory=dict)
    statuses: dict = field(default_factory=dict)
    kinds: dict = field(default_factory=lambda: {"record": Kind("record")})
    groups: dict = field(default_factory=dict)
    lets: dict = field(default_factory=dict)
    parameters: dict = field(default_factory=dict)  # of lets that are called with numbers, in their order
    figures: dict = field(default_factory=dict)
    taken: dict = field(default_factory=dict)  # of copies: the unit and the rounding of a figure, nothing of an outcome
    values: dict = field(default_factory=dict)  # of outcomes of copies: the values that they may have, by state
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
        has_lines = word not in WHOLE or (word == "setting" and line.tokens[1].text == "bands")
        reader = Reader(line.tokens if has_lines else head(line, word))
        reader.name()
        READERS[word](document, reader, line.below if has_lines else [])
    for kind in document.kinds.values():
        for made in kind.fields.values():
            if made.type == "letter of":
                made.choices = tuple(row[0] for row in document.bands[made.of]["rows"])
    for name, (base, keys) in document.groups.items():
        document.kinds[name] = group_kind(name, document.kinds[base], keys)
    name_copies(document)
    return document


def name_copies(document):
    """Gives `ue of year1` in formulas the name that the kind has among all kinds."""

    def renamed(formula):
        if not isinstance(formula, tuple):
            return formula
        parts = tuple(renamed(part) for part in formula)
        if parts[:1] == ("entries",) and parts[2] in document.kinds and document.kinds[parts[2]].copies:
            return ("entries", f"{parts[2]}_{parts[1]}", *parts[2:])
        return parts

    for one in document.figures.values():
        one.formula = renamed(one.formula)
    document.lets = {key: renamed(formula) for key, formula in document.lets.items()}
    document.outcomes = {key: [renamed(clause) for clause in clauses] for key, clauses in document.outcomes.items()}
    document.checks = [renamed(check) for check in document.checks]
    document.warnings = [renamed(warning) for warning in document.warnings]


def group_kind(name, base, keys):
    """Groups stand where their members do, and have the fields that all of these share."""
    names = [key[2] for key in keys if key[0] == "name" and key[1] is None and key[2] in base.fields]
    shared = {field: base.fields[field] for field in names if not base.fields[field].is_grade}
    return Kind(name, base.parent, shared, base=base.name)


WHOLE = ("scale", "rounding", "setting", "status", "preset", "group", "let", "figure", "hidden", "check", "warn")


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
        step = ratio(reader)
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
    unit = reader.name() if reader.takes("in") else None
    rule = reader.name() if reader.takes("judged", "by") else None
    points = reader.unit() if reader.takes("worth") else None
    rows = []
    for line in lines(below):
        label = line.next().value if line.is_kind("text") else ""
        while not label or not (line.is_kind("number") or line.sees("-") or line.sees("fr") or line.sees("zh")):
            label += line.next().text
            if line.is_kind("number"):
                break
        while line.takes("fr") or line.takes("zh"):
            line.next("text")
        bound = line.number() if unit else None
        rows.append((label, bound, line.number() if not line.done else None))
    document.bands[name] = {"unit": unit, "rule": rule, "points": points, "rows": rows}


def curve(document, reader, below):
    """Lines of a value and what becomes of it."""
    name = reader.name()
    reader.needs("from")
    reader.unit()
    reader.needs("to")
    unit = reader.unit()
    points = [(ratio(line), ratio(line)) for line in lines(below)]
    document.curves[name] = {"unit": unit, "points": sorted(points)}


def ratio(reader):
    """A number, or one over another."""
    value = reader.number()
    return value / reader.number() if reader.takes("/") else value


def table(document, reader, below):
    """A line of columns, then a line for each row: its name, and a number, a text or `-` for each column."""
    name = reader.name()
    unit = reader.unit() if reader.takes("in") else ()
    reader.label()
    head, *rest = [cells(line.tokens) for line in below if line.tokens[0].text != "article"]
    numeric = unit or any(is_number(cell) for row in rest for cell in row[1:])
    read_cell = value_of if numeric else text_of
    rows = {name_of(row[0]): [read_cell(cell) for cell in row[1:]] for row in rest}
    document.tables[name] = {"unit": unit, "columns": [name_of(cell) for cell in head], "rows": rows}


def cells(tokens):
    """The words of a line, those together that stand without white space between."""
    result = []
    for token in tokens:
        if token.glued and result:
            result[-1].append(token)
        else:
            result.append([token])
    return result


def name_of(cell):
    return cell[0].value if cell[0].kind == "text" else "".join(token.text for token in cell)


def is_number(cell):
    first = cell[1:] if cell[0].text == "-" else cell
    return bool(first) and first[0].kind == "number"


def text_of(cell):
    return None if cell[0].text == "-" and len(cell) == 1 else name_of(cell)


def value_of(cell):
    written = "".join(token.text for token in cell)
    return None if written == "-" else Fraction(written)


def any_setting(document, reader, below):
    """A setting of one value, or a rounding, bands or a status that a program may choose otherwise."""
    for word in ("rounding", "bands", "status"):
        if reader.sees(word) and len(reader.tokens) > 2 and reader.tokens[reader.place + 1].text not in ("=", "in"):
            reader.takes(word)
            document.chosen.add((word, reader.tokens[reader.place].text))
            return READERS[word](document, reader, below)
    return setting(document, reader, below)


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
        made["choices"] = numbers(reader) if kind == "number" else reader.names()
    if reader.takes("from"):
        made["low"] = reader.number()
        reader.needs("to")
        made["high"] = reader.number()
    document.settings[name] = made


def numbers(reader):
    """Numbers between commas."""
    result = [ratio(reader)]
    while reader.takes(","):
        result.append(ratio(reader))
    return tuple(result)


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
            elif reader.takes("nested"):
                kind.levels = int(reader.number())
                reader.needs("deep")
            elif reader.takes("was"):
                kind.was = reader.names()
            else:
                reader.needs("statuses")
                kind.statuses = reader.names()
    for line in lines(below):
        made = field_of(line)
        kind.fields[made.name] = made


def earlier(document, reader, below):
    """A copy of an earlier record: a kind of one entry, with kinds of what stands in it."""
    name = reader.name()
    document.kinds[name] = Kind(name, "record", most=1, copies=True)
    for line in lines(below):
        if line.takes("entry"):
            kind = f"{name}_{line.name()}"
            document.kinds[kind] = Kind(kind, name, most=100, copies=True)
            line.label()
            part(document, line, document.kinds[kind])
            while line.takes(","):
                part(document, line, document.kinds[kind])
        else:
            part(document, line, document.kinds[name])
        ended(line, None)


def part(document, reader, kind):
    """A figure, an outcome or a field of a copy."""
    if reader.takes("outcome"):
        name = reader.name()
        reader.label()
        document.taken[kind.name, name] = None
        document.values[kind.name, name] = values = {}
        while reader.sees("met") or reader.sees("unmet"):
            state = reader.name()
            values[reader.name()] = state
            reader.label()
    elif reader.takes("figure"):
        name = reader.name()
        unit = reader.unit() if reader.takes("in") else ()
        reader.label()
        document.taken[kind.name, name] = unit, reader.name() if reader.takes("shown", "by") else None
    else:
        name = reader.name()
        reader.label()
        word = next(words for words in TYPES[:4] if reader.takes(*words.replace("/", " / ").split()))
        unit = reader.unit() if reader.takes("in") else ()
        kind.fields[name] = Field(name, word, unit=unit, optional=True)


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
    elif word == "per":
        reader.needs("student")
        made.per_student = True
    elif word == "was":
        made.was = reader.names()
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


def group(document, reader, below):
    """`group NAME of KIND by KEYS`."""
    name = reader.name()
    reader.needs("of")
    base = reader.name()
    reader.needs("by")
    document.groups[name] = base, reader.keys()
    reader.label()
    ended(reader, None)


def let(document, reader, below):
    name = reader.name()
    parameters = []
    if reader.takes("("):
        while not reader.takes(")"):
            parameters.append((reader.name(), reader.unit() if reader.takes("in") else ()))
            reader.takes(",")
    kind = reader.name() if reader.takes("of") else "record"
    reader.needs("=")
    formula = ended(reader, reader.formula())
    document.lets[kind, name] = bound(formula, dict(parameters))
    if parameters:
        document.parameters[kind, name] = parameters


def bound(formula, parameters):
    """A formula in which the names of parameters are told from all others."""
    if not isinstance(formula, tuple):
        return formula
    if formula[:2] == ("name", None) and formula[2] in parameters:
        return ("parameter", formula[2], parameters[formula[2]])
    return tuple(bound(part, parameters) for part in formula)


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
        elif reader.takes("was"):
            reader.names()
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
    "curve": curve,
    "table": table,
    "setting": any_setting,
    "preset": preset,
    "status": status,
    "entry": entry,
    "earlier": earlier,
    "group": group,
    "let": let,
    "figure": figure,
    "hidden": hidden,
    "outcome": outcome,
    "check": check,
    "warn": warn,
    "texts": texts,
}
