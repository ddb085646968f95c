"""The tests in Python: the oracle, the program from outside, and the pages in Chromium."""

import json
import os
import pathlib
import subprocess
import sys

from outcome import Outcome
from recorder import PHASES

HERE = pathlib.Path(__file__).parent
NOTHING_COLLECTED = 5


def run(
    root: pathlib.Path, build: pathlib.Path, arguments: list[str], workers: int, limit: float, store: str | None = None
) -> Outcome:
    """Runs pytest with arguments; without workers one test after the other in its own process. A test that takes longer
    than `limit` seconds is to say why. Servers under test keep their data in that kind of store, or as the environment
    says."""
    record = build / "pytest-record.json"
    record.unlink(missing_ok=True)
    spread = ["-n", str(workers), "--dist", "loadfile"] if workers else ["-p", "no:xdist"]
    paths = os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH")]))
    command = [sys.executable, "-m", "pytest", "-p", "recorder", "--record", record, *spread, *arguments]
    environment = os.environ | {"PYTHONPATH": paths} | ({"GRADECAST_STORE": store} if store else {})
    ended = subprocess.run(command, cwd=root, env=environment)
    if not record.exists():
        return Outcome(broken=[f"pytest ended with {ended.returncode}"])
    outcome = read(json.loads(record.read_text()), limit)
    if ended.returncode not in (0, 1, NOTHING_COLLECTED) and not outcome.broken:
        outcome.broken.append(f"pytest ended with {ended.returncode}")
    return outcome


def read(record: dict, limit: float) -> Outcome:
    outcome = Outcome(broken=record["broken"])
    for name, test in record["tests"].items():
        outcome.seconds[name] = sum(test[phase] for phase in PHASES)
        # What several tests share is set up in the first of them.
        if test["call"] > limit and "slow" not in test:
            outcome.unexplained[name] = test["call"]
        if test["outcome"] == "skipped":
            outcome.skipped.add(name)
        elif test["outcome"] == "failed":
            outcome.failed[name] = test["output"]
    return outcome
