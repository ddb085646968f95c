"""Starts a program under the system calls that a unit of systemd, or a container, leaves it.

Usage: restrict.py UNIT|container|no-filters PROGRAM [ARGUMENT...]
"""

import ctypes
import os
import re
import subprocess
import sys

ALLOW, REFUSE = 0x7FFF0000, 0x00050001  # EPERM
NAMESPACES = {"cgroup": 1 << 25, "uts": 1 << 26, "ipc": 1 << 27, "user": 1 << 28, "pid": 1 << 29, "net": 1 << 30, "mnt": 1 << 17}
LIBRARY = ctypes.CDLL("libseccomp.so.2", use_errno=True)
LIBRARY.seccomp_init.restype = ctypes.c_void_p
LIBRARY.seccomp_load.argtypes = [ctypes.c_void_p]


class Condition(ctypes.Structure):
    """One argument of a call, compared with a value under a mask."""

    _fields_ = [("argument", ctypes.c_uint), ("how", ctypes.c_int), ("mask", ctypes.c_uint64), ("value", ctypes.c_uint64)]


LIBRARY.seccomp_rule_add_array.argtypes = [
    ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint, ctypes.POINTER(Condition)
]


class Filter:
    """Calls with what becomes of them."""

    def __init__(self, otherwise):
        self.context = LIBRARY.seccomp_init(otherwise)

    def add(self, name, action, *conditions):
        number = LIBRARY.seccomp_syscall_resolve_name(name.encode())
        if number >= 0:
            given = (Condition * len(conditions))(*conditions)
            assert LIBRARY.seccomp_rule_add_array(self.context, action, number, len(conditions), given) == 0, name

    def load(self):
        assert LIBRARY.seccomp_load(self.context) == 0


def settings(unit):
    """What a unit's file sets."""
    return dict(re.findall(r"^(\w+)=(.*)$", open(unit).read(), re.MULTILINE))


def calls(words):
    """The calls that names and groups of systemd stand for."""
    for word in words:
        if not word.startswith("@"):
            yield word
            continue
        listed = subprocess.run(["systemd-analyze", "syscall-filter", word], capture_output=True, text=True, check=True)
        yield from calls(line.strip() for line in listed.stdout.splitlines()[1:] if not line.strip().startswith("#"))


def like_the_unit(unit):
    """SystemCallFilter= and RestrictNamespaces= of a unit."""
    set_to = settings(unit)
    filter = Filter(REFUSE)
    for name in set(calls(set_to["SystemCallFilter"].split())) - {"unshare", "clone", "clone3", "setns"}:
        filter.add(name, ALLOW)
    refused = 0 if set_to["RestrictNamespaces"] == "no" else sum(NAMESPACES.values())
    for kind in set_to["RestrictNamespaces"].split():
        refused &= ~NAMESPACES.get(kind, 0)
    for name in ("unshare", "clone"):
        filter.add(name, ALLOW, Condition(0, 7, refused, 0))
    filter.add("clone3", 0x00050026)  # ENOSYS
    filter.load()


def like_a_container():
    """What containers without privileges refuse, as far as it matters here."""
    filter = Filter(ALLOW)
    for name in ("unshare", "setns", "mount", "ptrace", "bpf", "keyctl", "io_uring_setup"):
        filter.add(name, REFUSE)
    filter.add("clone", REFUSE, Condition(0, 7, NAMESPACES["user"], NAMESPACES["user"]))
    filter.load()


def without_filters():
    """A system that has no filters for system calls, nor Landlock."""
    filter = Filter(ALLOW)
    filter.add("seccomp", REFUSE)
    filter.add("prctl", REFUSE, Condition(0, 4, 22, 0))
    filter.add("landlock_create_ruleset", REFUSE)
    filter.load()


if __name__ == "__main__":
    how, program = sys.argv[1], sys.argv[2:]
    {"container": like_a_container, "no-filters": without_filters}.get(how, lambda: like_the_unit(how))()
    os.execv(program[0], program)
