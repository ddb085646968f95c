"""The Swift tests."""

import json
import os
import pathlib
import re
import subprocess

from outcome import Outcome

# How many run at a time. All at once, what a test waits for would wait behind a thousand others.
WIDTH = 4


def run(root: pathlib.Path, build: pathlib.Path, chosen: list[str] | None = None) -> Outcome:
    """Runs the tests that are built: all, or those with names that one of the expressions finds."""
    events = build / "swift-events.jsonl"
    events.unlink(missing_ok=True)
    command = ["swift", "test", "--skip-build", "--event-stream-output-path", events, "--event-stream-version", "0"]
    for expression in chosen or []:
        command += ["--filter", expression]
    ended = subprocess.run(
        command, cwd=root, env=os.environ | {"SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH": str(WIDTH)}
    )
    outcome = read(events)
    if ended.returncode != 0 and not outcome.failed and not outcome.broken:
        outcome.broken.append(f"swift test ended with {ended.returncode}")
    return outcome


def read(events: pathlib.Path) -> Outcome:
    """Reads the stream of events, in which a trap leaves the tests that were under way without an end."""
    outcome = Outcome()
    parametrised, ready, begun, turns = {}, {}, {}, []
    stream = events.read_text() if events.exists() else ""
    # Names may hold other ends of lines. What stands behind the last one, a trap has cut off.
    for line in stream.split("\n")[:-1]:
        record = json.loads(line)
        payload = record["payload"]
        if record["kind"] == "test":
            if payload["kind"] == "function":
                parametrised[payload["id"]] = payload["isParameterized"]
            continue
        test = payload.get("testID")
        if test not in parametrised:
            continue
        instant = payload["instant"]["absolute"]
        match payload["kind"]:
            case "testStarted":
                ready[test] = instant
            case "testCaseStarted":
                begun.setdefault(case_of(payload), []).append(instant)
            case "testCaseEnded":
                turns.append((ready[test], instant, test, begun[case_of(payload)].pop()))
            case "testEnded":
                outcome.seconds[test] = 0.0
                if not parametrised[test]:
                    turns.append((ready[test], instant, test, None))
            case "testSkipped":
                outcome.skipped.add(test)
                outcome.seconds[test] = 0.0
            case "issueRecorded" if not payload["issue"].get("isKnown"):
                text = "\n".join(message["text"] for message in payload["messages"])
                outcome.failed[test] = outcome.failed.get(test, "") + text + "\n"
    if cut := sorted(ready.keys() - outcome.seconds.keys()):
        outcome.broken.append("The test program ended during " + ", ".join(cut))
    for test, seconds in durations(turns):
        outcome.seconds[test] = outcome.seconds.get(test, 0.0) + seconds
    return outcome


def case_of(payload: dict) -> tuple[str, str, str]:
    return payload["testID"], payload["_testCase"]["id"], payload["_testCase"]["displayName"]


def durations(turns: list[tuple]):
    """Yields how long each turn took: of cases as told, of other tests as far as one can tell.

    Many are ready at once and begin in that order, `WIDTH` at a time: one begins when all but three of those before it
    have ended.
    """
    turns.sort(key=lambda turn: turn[:2])
    ends = sorted(end for _, end, _, _ in turns)
    for place, (ready, end, test, begun) in enumerate(turns):
        if begun is None:
            begun = max(ready, ends[place - WIDTH]) if place >= WIDTH else ready
        yield test, max(0.0, end - begun)


def expression(test: str) -> str:
    """The expression that finds one test: its name without the place in its file."""
    return "^" + re.escape(re.sub(r"/[^/]+\.swift:\d+:\d+$", "", test)) + "/"
