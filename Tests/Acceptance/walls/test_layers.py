"""The layers of docs/architecture.md: what each module may import, read off Package.swift and every import."""

import json
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]

# From the top down; a module imports only what lies below its layer.
LAYERS = ["program", "API", "Application", "Stores", "Providers", "Domain", "Platform", "System"]
KIT = {"GradingKit"}
BELOW_KIT = {"JSON", "Messages"}  # the kit passes them on
TOOLCHAIN = {"Glibc", "Synchronization"}  # not Dispatch: every thread is made by Threads
PURE = {"Cryptography", "Forms", "TimeZones"}  # what the domain may use of the platform
# What use-cases may use of it besides, of which Threads is for hashing passwords: no HTTP, no sockets, no processes.
QUIET = PURE | {"Deadlines", "Observability", "Spreadsheet", "Threads"}
KIT_USERS = ["GradingLaws", "Regulations", "SchemeProcess"]  # of the kit's own package
DRAWING = (ROOT / "docs" / "architecture.md").read_text().split("```")[1]
PORT = re.compile(r"^(?:public |package )?protocol (\w*(?:Store|StoreCopy|Browser|Trail))\b", re.MULTILINE)
PROPERTY = re.compile(r"^ +(?:[a-z]+(?:\(set\))? )*(?:let|var) \w+: ([^={\n]+)", re.MULTILINE)
IMPORT = re.compile(r"^(?:@\w+ |public |package |internal |fileprivate |private )*import (?:\w+ )?(\w+)", re.MULTILINE)


def read_targets():
    """The package's targets by name."""
    dump = subprocess.run(
        ["swift", "package", "--ignore-lock", "dump-package"], cwd=ROOT, capture_output=True, text=True, check=True
    )
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
        # Where classes and records meet.
        if name == "Gradebook" and other in ("Classes", "Records"):
            return True
        return other == "Shared" or other in PURE
    if here == "Application":
        return there == "Domain" or other in QUIET
    if here == there == "Platform":
        return True
    if here == there == "Stores":
        return other in ("DataStore", "RelationalStore")  # what every store is made into, and the tables they share
    if there == "System":
        return here == "Platform"
    # Stores and providers are named by the program alone; the program by nothing.
    return LAYERS.index(there) > LAYERS.index(here) and there not in ("Stores", "Providers")


def drawn():
    """The folders of the drawing: a line names a folder, or the modules in it; after `#` come words."""
    folders, above = set(), {}
    for line in DRAWING.strip("\n").splitlines():
        names = line.partition("#")[0]
        depth = len(names) - len(names.lstrip())
        first, *modules = names.split() or [""]
        if first.endswith("/"):
            over = [name for at, name in sorted(above.items()) if at < depth]
            above = {at: name for at, name in above.items() if at < depth} | {depth: first}
            path = "".join([*over, first])
        else:
            modules = names.split()
        folders |= {path + module for module in modules} or ({path} if first else set())
    leaves = {path.rstrip("/") for path in folders}
    return {path for path in leaves if not any(other.startswith(path + "/") for other in leaves)}


def test_the_drawing_shows_the_folders_of_the_package_and_no_others():
    shown = drawn()
    assert sorted(path for path in shown if not (ROOT / path).is_dir()) == []
    parts = ("Sources/", "GradingKit/Sources/", "Plugins/")
    package = {folder(name) for name in TARGETS if folder(name).startswith(parts) and TARGETS[name]["type"] != "test"}
    assert {path for path in shown if path.startswith(parts)} == package


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


def test_the_domain_holds_no_store():
    """The ports of stores are the domain's; whoever holds one acts over time and is a use-case, in `Application`."""
    files = {path: path.read_text() for path in (ROOT / "Sources" / "Domain").rglob("*.swift")}
    ports = {port for text in files.values() for port in PORT.findall(text)}
    assert {"AccountStore", "InstitutionStore", "RecordStore", "AuditTrail"} <= ports
    held = [
        f"{path.relative_to(ROOT)}: {kind.strip()}"
        for path, text in files.items()
        for kind in PROPERTY.findall(text)
        if ports & set(re.findall(r"\w+", kind))
    ]
    assert sorted(held) == []


def test_the_api_decides_about_no_one():
    """Use-cases ask who may act, so that a second protocol over them need not; a route hands on who asks."""
    asks = re.compile(r"\bpermit\(|\bauthorize\(|\bInstitutionAccess\b")
    files = (ROOT / "Sources" / "API").rglob("*.swift")
    assert sorted(str(path.relative_to(ROOT)) for path in files if asks.search(path.read_text())) == []


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


@pytest.mark.parametrize("name", KIT_USERS)
def test_what_lies_above_the_kit_in_its_package_imports_the_kit_alone(name):
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
