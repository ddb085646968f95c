"""The parts of a run, in their order, and how long each may take on two quiet cores."""

import pathlib
from collections.abc import Callable
from dataclasses import dataclass

import python
import swift
from outcome import Outcome

MINUTE = 60
SOURCES = ["Sources", "GradingKit", "Plugins", "Tests", "Benchmarks", "Package.swift"]


@dataclass(frozen=True)
class Step:
    """A command that must succeed before anything is tested."""

    name: str
    budget: int
    command: list[str]


LINT = [
    Step("lint", MINUTE, ["swift", "format", "lint", "--strict", "--parallel", "--recursive", *SOURCES]),
    Step("lint of the page", MINUTE, ["build/venv/bin/oxlint", "--deny-warnings", "Web"]),
]
# The index store stays on: SwiftPM finds the tests of a fresh clone through it.
BUILD = Step("build", 6 * MINUTE, ["swift", "build", "--build-tests"])


@dataclass(frozen=True)
class Part:
    """Tests of one kind: how all of them are run, and how some of them are."""

    name: str
    budget: int
    run: Callable[[pathlib.Path, pathlib.Path, int], Outcome]
    again: Callable[[pathlib.Path, pathlib.Path, list[str]], Outcome]


def swift_part(chosen: list[str] | None = None) -> Part:
    """The Swift tests, or those of which an expression finds the name."""
    return Part(
        "Swift",
        3 * MINUTE,
        lambda root, build, workers: swift.run(root, build, chosen),
        lambda root, build, names: swift.run(root, build, [swift.expression(name) for name in names]),
    )


def python_part(
    name: str, budget: int, folders: list[str], long: bool = False, more: int = 0, store: str | None = None
) -> Part:
    """The tests in Python below some folders of `Tests`, with so many more workers than usual; the servers under test
    keep their data in that kind of store, or as the environment says."""
    # Seconds that a test may take without saying why.
    limit = 3.0 if folders[0].startswith("Browser") else 2.0
    every = [f"Tests/{folder}" for folder in folders] + (["-m", ""] if long else [])

    def some(names: list[str]) -> list[str]:
        return [f"Tests/{test}" for test in names] + ["-m", ""]

    return Part(
        name,
        budget,
        lambda root, build, workers: python.run(root, build, every, workers + more, limit, store),
        lambda root, build, names: python.run(root, build, some(names), 0, limit, store),
    )


def everything(long: bool) -> list[Part]:
    parts = [
        swift_part(),
        # Its workers wait for half of the time.
        python_part("from outside", 8 * MINUTE, ["Oracle", "Acceptance"], long, more=2),
        # A test waits for its page and its server in turn, which leave the processors idle for a third of the time.
        python_part("in Chromium", 8 * MINUTE, ["Browser"], long, more=1),
    ]
    if long:
        parts.append(python_part("over PostgreSQL", 12 * MINUTE, ["Acceptance"], long, more=2, store="postgresql"))
    return parts
