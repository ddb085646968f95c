"""Following a GPA by the examples of the guide: each prints the figure now, and again after a change."""

import os
import re
import signal
import subprocess
import sys

import pytest

import gradecast
from client import changed
from oracle.build import board_total

GUIDE = (gradecast.ROOT / "docs" / "follow.md").read_text(encoding="utf-8")


def example(language, heading):
    """The first example in a language below a heading."""
    below = GUIDE.split(f"\n## {heading}\n", 1)[1]
    return re.search(rf"^```{language}\n(.*?)^```$", below, re.MULTILINE | re.DOTALL)[1]


@pytest.mark.parametrize(
    "command",
    [["bash", "-c", example("sh", "curl")], [sys.executable, "-c", example("python", "Python")]],
    ids=["curl", "python"],
)
def test_an_example_prints_the_gpa_now_and_after_a_change(server, student, command):
    record = student.new_record("chalkboard")
    changed(record.add(board_total("Logic", 4, 95)), 201)
    variables = {"SERVER": f"http://127.0.0.1:{server.port}", "TOKEN": student.token, "RECORD": record.id}
    # A group of its own, since a pipeline is several processes.
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=os.environ | variables, start_new_session=True
    )
    with process:
        try:
            assert process.stdout.readline() == "4.00\n"
            changed(record.add(board_total("Sets", 4, 85)), 201)
            assert process.stdout.readline() == f"{record.standing().json['figures']['gpa']['display']}\n" != "4.00\n"
        finally:
            os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.slow("stops and starts the server while the example follows a record")
def test_the_example_in_python_goes_on_after_the_server_was_away(own_server):
    student = own_server.api().sign_up()
    record = student.new_record("chalkboard")
    changed(record.add(board_total("Logic", 4, 95)), 201)
    variables = {"SERVER": f"http://127.0.0.1:{own_server.port}", "TOKEN": student.token, "RECORD": record.id}
    command = [sys.executable, "-c", example("python", "Python")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | variables) as process:
        try:
            assert process.stdout.readline() == "4.00\n"
            own_server.kill()
            own_server.start()
            changed(record.add(board_total("Sets", 4, 70)), 201)
            assert process.stdout.readline() == "3.00\n"
        finally:
            process.kill()
