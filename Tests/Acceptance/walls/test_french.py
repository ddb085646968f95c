"""French texts of the server and of the library's documents: the signs that keep a space before them keep it on their
line."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[3]
# `fr: "…"` in Swift, `fr "…"` in a document.
TEXT = re.compile(r'(?<!")\bfr:?\s*"((?:[^"\\]|\\.)*)"')
ORDINARY = re.compile(r" [:;?!»%]|« ")


def faults(text: str) -> list[str]:
    """The French texts with an ordinary space there, other than in code, which is between backticks."""
    return [found for found in TEXT.findall(text) if any(ORDINARY.search(part) for part in found.split("`")[::2])]


def test_french_texts_break_no_line_before_a_sign():
    paths = [path for folder in ("Sources", "GradingKit", "Plugins") for path in (ROOT / folder).rglob("*")]
    found = [
        f"{path.relative_to(ROOT)}: {text}"
        for path in sorted(paths)
        if path.suffix == ".swift" or path.parent.name == "Documents" and path.suffix == ".md"
        for text in faults(path.read_text())
    ]
    assert found == [], "\n" + "\n".join(found)


def test_such_a_space_is_found_outside_of_code_alone():
    good = 'fr: "«\u00a0a\u00a0»\u00a0: `if a : b`", en: "a : b"'
    assert faults(good) == [] and faults('fr "a : b"') == ["a : b"] and faults('fr:\n "« a"') == ["« a"]
