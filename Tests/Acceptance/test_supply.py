"""What the project takes from others: pinned, by content."""

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
WANTED = TESTS / "requirements.in"
PINNED = TESTS / "requirements.txt"


def canonical(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def requirements(text):
    """Each requirement, with the lines that continue it: {name: (version, hashes)}."""
    whole = re.sub(r"\\\n", " ", text)
    found = {}
    for line in whole.splitlines():
        if match := re.match(r"([A-Za-z0-9._-]+)==(\S+)", line):
            found[canonical(match[1])] = (match[2], re.findall(r"--hash=sha256:([0-9a-f]{64})\b", line))
    return found


def test_every_python_package_is_pinned_by_hash():
    pinned = requirements(PINNED.read_text())
    assert pinned
    assert [name for name, (_, hashes) in pinned.items() if not hashes] == []


def test_what_is_pinned_is_what_is_asked_for():
    """A package added to requirements.in alone would not be installed: run `make requirements`."""
    pinned = requirements(PINNED.read_text())
    for name, (version, _) in requirements(WANTED.read_text()).items():
        assert name in pinned and pinned[name][0] == version, name
