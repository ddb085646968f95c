"""The codes of faults that Swift declares with their wording: a catalog lists each of them, none is declared twice, and
their texts differ in every language."""

import collections
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[3]
TEXT = r'"((?:[^"\\]|\\.)*)"'
DECLARED = re.compile(rf"static let (\w+) = FaultCode\(\s*{TEXT},\s*{TEXT},\s*fr:\s*{TEXT},\s*zh:\s*{TEXT}\s*\)")
CATALOG = re.compile(r"MessageCatalog\(\[((?:\s*\.\w+,?)+)\s*\]\)")


def faults(files: dict[str, str]) -> list[str]:
    """The faults of files of Swift, by their paths: a catalog lists a name once for each of its declarations."""
    declared = [(path.rpartition("/")[0], *match) for path, text in files.items() for match in DECLARED.findall(text)]
    names = collections.Counter(name for _, name, *_ in declared)
    listed = collections.Counter(
        name for text in files.values() for names in CATALOG.findall(text) for name in re.findall(r"\w+", names)
    )
    codes = collections.Counter((folder, code) for folder, _, code, *_ in declared)
    return (
        [f"{name}: no catalog lists it" for name in names - listed]
        + [f"{name}: listed twice, or without wording" for name in listed - names]
        + [f"{folder}: {code} is declared twice" for (folder, code), count in codes.items() if count > 1]
        + [f"{code}: the same text in two languages" for *_, code, en, fr, zh in declared if len({en, fr, zh}) < 3]
    )


def test_a_catalog_lists_every_code_that_has_a_wording():
    paths = [path for folder in ("Sources", "GradingKit") for path in (ROOT / folder).rglob("*.swift")]
    files = {str(path.relative_to(ROOT)): path.read_text() for path in sorted(paths)}
    assert any(DECLARED.search(text) for text in files.values())
    assert faults(files) == []


def test_a_code_that_is_unlisted_unworded_untranslated_or_declared_twice_is_found():
    def declaring(name: str, french: str = "F") -> str:
        return f'static let {name} = FaultCode(\n    "c", "E", fr: "{french}",\n    zh: "C")\n'

    both = "MessageCatalog([\n    .a, .b,\n])"
    assert faults({"m/one": declaring("a") + "MessageCatalog([.a])"}) == []
    assert faults({"m/one": declaring("a") + both, "n/one": declaring("b")}) == []
    assert faults({"m/one": declaring("a")}) == ["a: no catalog lists it"]
    assert faults({"m/one": declaring("a") + both}) == ["b: listed twice, or without wording"]
    assert faults({"m/one": declaring("a") + declaring("b") + both}) == ["m: c is declared twice"]
    assert faults({"m/one": declaring("a", "E") + "MessageCatalog([.a])"}) == ["c: the same text in two languages"]
