"""What the project takes from others: pinned, by content."""

import json
import re
import subprocess
from pathlib import Path

import pytest

import gradecast

TESTS = Path(__file__).parents[2]
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


@pytest.mark.slow("makes the list twice, since one alone cannot show that each is the same")
@pytest.mark.skipif(not gradecast.BINARY.exists(), reason="needs the built program")
def test_the_list_of_parts_names_every_library_and_is_the_same_each_time():
    command = [gradecast.ROOT / "deploy" / "sbom", gradecast.BINARY]
    first, second = (subprocess.run(command, check=True, capture_output=True).stdout for _ in range(2))
    assert first == second
    document = json.loads(first)
    assert (document["bomFormat"], document["specVersion"]) == ("CycloneDX", "1.5")
    assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", document["serialNumber"])
    assert document["metadata"]["component"]["version"] == gradecast.run("version").stdout.strip()
    names = {component["name"]: component for component in document["components"]}
    libraries = "libc6 libsqlite3-0 libssl3 libargon2-1 libunistring2 liburing2 libseccomp2 zlib1g swift"
    for library in libraries.split():
        assert names[library]["version"] and names[library]["purl"].startswith("pkg:")
    references = [component["bom-ref"] for component in document["components"]]
    assert len(set(references)) == len(references)
    assert document["dependencies"] == [{"ref": "gradecast", "dependsOn": references}]
