"""The text of a document: its `rules` blocks, their lines by indentation, and the words of a line."""

import re
from dataclasses import dataclass, field
from fractions import Fraction

WORD = re.compile(
    r"""(?P<space>\s+)
      | (?P<text>"[^"]*")
      | (?P<number>[0-9]+(?:\.[0-9]+)?)
      | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
      | (?P<sign><=|>=|<>|[-+*/=<>()\[\],.:%])""",
    re.VERBOSE,
)


class Mistake(Exception):
    """The document is not one that this reader understands."""


@dataclass(frozen=True)
class Token:
    """A word of the language: a `text`, `number`, `name` or `sign`."""

    kind: str
    text: str
    glued: bool = False  # whether it follows another one without white space

    @property
    def value(self):
        """What a text says, or the number that is written."""
        return self.text[1:-1] if self.kind == "text" else Fraction(self.text)


@dataclass
class Line:
    """A line of a block with those that are indented further below it."""

    tokens: list
    indent: int
    below: list = field(default_factory=list)

    def joined(self):
        """Its words and those of every line below."""
        return self.tokens + [token for line in self.below for token in line.joined()]


def words(line):
    """The words of one line, without its comment."""
    result, place = [], 0
    while place < len(line) and not line.startswith("--", place):
        match = WORD.match(line, place)
        if not match:
            raise Mistake(f"cannot read {line[place:]!r}")
        if match.lastgroup != "space":
            glued = place > 0 and not line[place - 1].isspace()
            result.append(Token(match.lastgroup, match.group(), glued))
        place = match.end()
    return result


def declarations(document):
    """Every declaration of a document, as the line at the margin with what is indented below it."""
    result, inside, open_lines = [], False, []
    for raw in document.splitlines():
        if raw.strip() == "```rules":
            inside, open_lines = True, []
        elif raw.strip() == "```":
            inside = False
        elif inside and (tokens := words(raw)):
            line = Line(tokens, len(raw) - len(raw.lstrip()))
            while open_lines and open_lines[-1].indent >= line.indent:
                open_lines.pop()
            (open_lines[-1].below if open_lines else result).append(line)
            open_lines.append(line)
    return result
