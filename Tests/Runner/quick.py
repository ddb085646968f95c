"""What a change can have broken: the Swift suites above it, and the folders of tests in Python about the same."""

import json
import pathlib
import re
import subprocess

from parts import MINUTE, Part, python_part, swift_part

# The first line that a path begins with says which folders of `Tests` are run.
FOLDERS = [
    ("GradingKit/Sources/Regulation", ["Oracle", "Acceptance/program", "Browser/regulation"]),
    ("GradingKit", ["Oracle", "Acceptance/record"]),
    ("Plugins", ["Oracle", "Acceptance/record"]),
    ("Sources/API/Live", ["Acceptance/channel"]),
    ("Sources/API", ["Acceptance/api"]),
    ("Sources/Application/Accounts", ["Acceptance/sign_in"]),
    ("Sources/Application/Classes", ["Acceptance/people"]),
    ("Sources/Application/Institutions", ["Acceptance/rights"]),
    ("Sources/Application", ["Acceptance/record"]),
    ("Sources/Domain/Accounts", ["Acceptance/sign_in"]),
    ("Sources/Domain/Classes", ["Acceptance/people"]),
    ("Sources/Domain/Gradebook", ["Acceptance/people"]),
    ("Sources/Domain/Institutions", ["Acceptance/rights"]),
    ("Sources/Domain/Live", ["Acceptance/channel"]),
    ("Sources/Domain/People", ["Acceptance/people"]),
    ("Sources/Domain/Records", ["Acceptance/record"]),
    ("Sources/Platform/SchemeHost", ["Acceptance/program"]),
    ("Sources/Platform/SchemeSandbox", ["Acceptance/program"]),
    ("Sources/Platform", ["Acceptance/api"]),
    ("Sources/Providers", ["Acceptance/sign_in"]),
    ("Sources/Stores", ["Acceptance/record"]),
    ("Sources/gradecast", ["Acceptance/operation"]),
    ("Web/app/pages/grid", ["Browser/people"]),
    ("Web/app/pages/regulation", ["Browser/regulation"]),
    ("Web/app/pages/timeline", ["Browser/people"]),
    ("Web/app/pages/program", ["Browser/staff"]),
    ("Web/app/parts/account", ["Browser/account"]),
    ("Web/app/parts/program", ["Browser/staff"]),
    ("Web/app/parts/record", ["Browser/record"]),
    ("Web", ["Browser/page"]),
    ("deploy", ["Acceptance/operation"]),
]
# What many lines change together is not walked through as a whole: that is what `make test` is for.
MOST_FOLDERS = 2


def parts(root: pathlib.Path, base: str | None) -> list[Part]:
    """The parts of a short run."""
    changed = changed_paths(root, base)
    described = subprocess.run(
        ["swift", "package", "describe", "--type", "json"], cwd=root, capture_output=True, text=True, check=True
    )
    suites = suites_above(changed, json.loads(described.stdout)["targets"])
    folders = folders_of(changed)
    print(f"{len(changed)} changed files; suites: {', '.join(suites) or 'none'}; folders: {', '.join(folders)}")
    chosen = [swift_part([f"^{name}\\." for name in suites])] if suites else []
    # Helpers of both have the same names, so they are run apart.
    pages = [folder for folder in folders if folder.startswith("Browser")]
    others = [folder for folder in folders if folder not in pages]
    chosen.append(python_part("from outside", MINUTE, ["Acceptance/walls", *others]))
    return chosen + ([python_part("in Chromium", MINUTE, pages)] if pages else [])


def changed_paths(root: pathlib.Path, base: str | None) -> list[str]:
    """What differs from the branch that the work began at, committed or not."""

    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=root, capture_output=True, text=True).stdout.strip()

    base = base or git("merge-base", "HEAD", "origin/main") or git("rev-parse", "HEAD~1")
    return (git("diff", "--name-only", base) + "\n" + git("ls-files", "--others", "--exclude-standard")).split()


def suites_above(changed: list[str], targets: list[dict]) -> list[str]:
    """The test targets that changed, and those of the modules that changed and of all that rest on them."""
    touched = {target["name"] for target in targets if any(path.startswith(target["path"] + "/") for path in changed)}
    if "Package.swift" in changed:
        touched = {target["name"] for target in targets}
    reached = touched
    while reached:
        reached = {
            target["name"]
            for target in targets
            if target["name"] not in touched and not touched.isdisjoint(target.get("target_dependencies", []))
        }
        touched |= reached
    return sorted(target["name"] for target in targets if target["type"] == "test" and target["name"] in touched)


def folders_of(changed: list[str]) -> list[str]:
    """The folders that the table names, those first of which more files changed; a changed test's folder, too."""
    counts: dict[str, int] = {}
    for path in changed:
        own = re.match(r"Tests/((?:Acceptance|Browser)/[a-z_]+|Oracle)/", path)
        named = [own[1]] if own else next((named for start, named in FOLDERS if path.startswith(start)), [])
        for folder in named:
            counts[folder] = counts.get(folder, 0) + 1
    return sorted(counts, key=lambda folder: (-counts[folder], folder))[:MOST_FOLDERS]
