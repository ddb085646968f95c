"""The layers of docs/architecture.md: what each module may import, read off Package.swift and every import."""

import json
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# From the top down; a module imports only what lies below its layer.
LAYERS = ["program", "API", "Application", "Stores", "Providers", "Domain", "Platform", "System"]
KIT = {"GradingKit"}
BELOW_KIT = {"JSON", "Messages"}  # the kit passes them on
TOOLCHAIN = {"Glibc", "Synchronization"}  # not Dispatch: every thread is made by Threads
PURE = {"Cryptography", "Deadlines", "Forms"}  # what the domain may use of the platform, with threads for password hashes
QUIET = PURE | {"Observability"}  # what use-cases may use of it: no HTTP, no sockets, no processes
IMPORT = re.compile(r"^(?:@\w+ |public |package |internal |fileprivate |private )*import (?:\w+ )?(\w+)", re.MULTILINE)


def read_targets():
    """The package's targets by name."""
    dump = subprocess.run(["swift", "package", "dump-package"], cwd=ROOT, capture_output=True, text=True, check=True)
    return {target["name"]: target for target in json.loads(dump.stdout)["targets"]}


TARGETS = read_targets()
SERVER = {name: target for name, target in TARGETS.items() if (target.get("path") or "Sources/").startswith("Sources/")}


def folder(name):
    return TARGETS[name].get("path") or f"Sources/{name}"


def layer(name):
    """The layer of a module below `Sources`; None for the kit, the schemes and the toolchain's modules."""
    if name not in SERVER:
        return None
    part = folder(name).split("/")[1]
    return "program" if part == "gradecast" else part


def declared(name):
    return {next(iter(entry.values()))[0] for entry in TARGETS[name]["dependencies"]}


def imported(name):
    return {
        module
        for path in (ROOT / folder(name)).rglob("*.swift")
        for module in IMPORT.findall(path.read_text())
        if module not in TOOLCHAIN and module != name
    }


def may_import(name, other):
    """Whether the layers let one module import another."""
    if other in KIT | BELOW_KIT:
        return True
    here, there = layer(name), layer(other)
    if here == "program":
        return True
    if there is None:
        return False
    if here == "Domain":
        if name == "Shared":
            return other == "Cryptography"
        return other == "Shared" or other in PURE or (name, other) == ("Accounts", "Threads")
    if here == "Application":
        return there == "Domain" or other in QUIET
    if here == there == "Platform":
        return True
    if here == there == "Stores":
        return other == "DataStore"  # what every store is made into
    # Stores and providers are named by the program alone; the program by nothing.
    return LAYERS.index(there) > LAYERS.index(here) and there not in ("Stores", "Providers")


@pytest.mark.parametrize("name", sorted(SERVER))
def test_a_module_imports_only_what_lies_below_it(name):
    assert layer(name) in LAYERS
    assert sorted(other for other in declared(name) if not may_import(name, other)) == []


@pytest.mark.parametrize("name", sorted(name for name in TARGETS if TARGETS[name]["type"] != "system"))
def test_a_module_declares_what_it_imports_and_nothing_else(name):
    if name in SERVER:
        assert declared(name) == imported(name)
    else:
        assert imported(name) & set(TARGETS) <= declared(name) | {"GradingKit"}


def test_no_modules_import_each_other():
    """The graph of declared dependencies has no circle."""
    open_, done = set(), set()

    def visit(name):
        assert name not in open_, f"a circle through {name}"
        if name in done or name not in TARGETS:
            return
        open_.add(name)
        for other in declared(name):
            visit(other)
        open_.discard(name)
        done.add(name)

    for name in TARGETS:
        visit(name)


@pytest.mark.parametrize("name", [name for name in TARGETS if (TARGETS[name].get("path") or "").startswith("Plugins/")])
def test_a_scheme_imports_the_kit_alone(name):
    assert imported(name) == declared(name) == KIT


def test_the_kit_imports_only_json_and_messages():
    assert imported("GradingKit") == declared("GradingKit") == BELOW_KIT
    assert imported("Messages") == declared("Messages") == {"JSON"}
    assert imported("JSON") == declared("JSON") == set()


@pytest.mark.parametrize("name", [name for name in TARGETS if TARGETS[name]["type"] == "system"])
def test_a_library_in_c_is_used_by_two_modules_at_most(name):
    users = sorted(user for user in SERVER if name in declared(user))
    limit = 5 if name == "CLinux" else 2
    assert 1 <= len(users) <= limit, users
