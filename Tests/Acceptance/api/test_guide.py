"""The guide to the API: its commands print what it says they print, and it names every problem that there is."""

import json
import re
import subprocess

import pytest

import gradecast

GUIDE = (gradecast.ROOT / "docs" / "api.md").read_text()


@pytest.fixture(scope="module")
def lines():
    """The commands of the guide, line by line."""
    return [
        line
        for block in re.findall(r"^```sh\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
        for line in block.splitlines()
    ]


# Runs every command of the guide, each a process.
@pytest.mark.slow("runs the commands of the whole guide one after the other, since each needs the last")
def test_its_commands_print_what_it_says(server, tmp_path, lines):
    expected = [line.removeprefix("# → ") for line in lines if line.startswith("# → ")]
    script = "set -eu\n" + "\n".join(lines).replace("http://127.0.0.1:8080", f"http://127.0.0.1:{server.port}")
    done = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, timeout=gradecast.PATIENCE, cwd=tmp_path
    )
    assert done.returncode == 0, done
    assert done.stdout.splitlines() == expected, done


def test_it_names_every_problem(server):
    document = server.api().get("/openapi.json").body.decode()
    told = set()
    for codes in re.findall(r'"x-codes":(\[.*?\])', document):
        told |= set(json.loads(codes))
    assert told > {"invalid", "not_computable"}
    table = {
        code
        for row in re.findall(r"^\| [45]\d\d \|(.*?)\|", GUIDE, re.MULTILINE)
        for code in re.findall("`(.*?)`", row)
    }
    assert told - table == set()
    assert table - told == set()
