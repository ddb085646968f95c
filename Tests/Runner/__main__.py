"""Runs the tests: `python Tests/Runner quick|test|all`, or `steady --runs 5`.

Every part is run, whatever failed before it. What failed is then run once more by itself: a test that passes this time
is unsteady, which is a bug of its own but no reason to call the change wrong; one that fails again makes the run red.
"""

import argparse
import contextlib
import multiprocessing
import pathlib
import subprocess
import sys
import time

import parts
import quick
import report
from outcome import Outcome

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"


def main() -> int:
    parser = argparse.ArgumentParser(prog="Tests/Runner", description=__doc__)
    parser.add_argument("size", choices=["quick", "test", "all", "steady"])
    parser.add_argument("--workers", type=int, default=2, help="processes that run tests in Python")
    parser.add_argument("--base", help="quick: what the change is compared with")
    parser.add_argument("--runs", type=int, default=5, help="steady: how often")
    options = parser.parse_args()
    BUILD.mkdir(exist_ok=True)
    if options.size == "steady":
        return steady(options)
    chosen = (
        quick.parts(ROOT, options.base) if options.size == "quick" else parts.everything(long=options.size == "all")
    )
    run = report.Run()
    commit = head()
    tested = BUILD / "tested"
    # A short run says nothing of the whole, for or against.
    if options.size != "quick":
        tested.unlink(missing_ok=True)
    for step in (*parts.LINT, parts.BUILD):
        with run.timed(step.name, step.budget):
            status = subprocess.run(step.command, cwd=ROOT).returncode
        if status != 0:
            print(f"\n{step.name}: ended with {status}")
            return 1
    test(run, chosen, options.workers)
    run.write(BUILD)
    if run.is_green and options.size != "quick" and commit and commit == head():
        tested.write_text(commit + "\n")
    return 0 if run.is_green else 1


def test(run: report.Run, chosen: list[parts.Part], workers: int):
    """Runs the parts, then what failed in them once more."""
    failed: list[tuple[parts.Part, Outcome]] = []
    for part in chosen:
        print(f"\n== {part.name}", flush=True)
        with run.timed(part.name, part.budget):
            outcome = part.run(ROOT, BUILD, workers)
        run.add(part.name, outcome)
        if outcome.failed:
            failed.append((part, outcome))
    for part, outcome in failed:
        # So many do not fail by chance.
        if len(outcome.failed) > report.MOST_UNSTEADY:
            continue
        print(f"\n== {part.name}: {len(outcome.failed)} that failed, once more", flush=True)
        with run.timed(f"{part.name}, once more", None):
            again = part.again(ROOT, BUILD, list(outcome.failed))
        run.repeat(part.name, outcome, again)


def steady(options) -> int:
    """Runs what is built again and again beside two busy loops."""
    unsteady: dict[str, int] = {}
    is_green = True
    with busy(2):
        for number in range(options.runs):
            print(f"\n==== run {number + 1} of {options.runs}", flush=True)
            run = report.Run()
            test(run, parts.everything(long=False), options.workers)
            run.write(BUILD)
            is_green &= run.is_green
            for name in run.unsteady:
                unsteady[name] = unsteady.get(name, 0) + 1
    print(f"\nunsteady in {options.runs} runs beside two busy loops: {len(unsteady)}")
    for name, times in sorted(unsteady.items()):
        print(f"  {times} × {name}")
    return 0 if is_green else 1


@contextlib.contextmanager
def busy(count: int):
    loops = [multiprocessing.Process(target=spin, daemon=True) for _ in range(count)]
    for loop in loops:
        loop.start()
    yield
    for loop in loops:
        loop.terminate()


def spin():
    while True:
        pass


def head() -> str | None:
    """The commit that the working tree is, if it is one."""
    changed = subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True)
    if changed.returncode != 0 or changed.stdout:
        return None
    return subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    started = time.monotonic()
    status = main()
    print(f"\n{'green' if status == 0 else 'red'} after {(time.monotonic() - started) / 60:.1f} minutes")
    sys.exit(status)
