"""What the trials of the package and of the image share: facts, and a log of all that was run."""

import ctypes
import os
import shlex
import subprocess
import sys

CLONE_NEWNS, CLONE_NEWNET = 0x00020000, 0x40000000
PATIENCE = 180  # seconds


def enter(kind):
    """Gives this process and its children a name space of their own."""
    if ctypes.CDLL(None, use_errno=True).unshare(kind):
        raise OSError(ctypes.get_errno(), "unshare")


class Trial:
    """A trial that keeps what it ran in `log` within its folder."""

    def __init__(self, folder):
        self.folder, self.log = folder, folder / "log"
        folder.mkdir(parents=True, exist_ok=True)
        self.log.unlink(missing_ok=True)

    def note(self, fact, holds, told=""):
        """Prints a fact; ends the trial if it does not hold."""
        print("ok     " if holds else "FAILED ", fact, flush=True)
        if not holds:
            sys.exit(f"{told}\nSee {self.log}.")

    def run(self, *command, check=True, **more):
        """What a command printed, its errors as well."""
        status, printed = self.attempt(*command, **more)
        if check and status:
            self.note(f"{command[0]} succeeds", False, printed[-3000:])
        return printed

    def attempt(self, *command, **more):
        """A command's exit status, and what it printed, its errors as well."""
        done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **more)
        with open(self.log, "a") as log:
            log.write(f"$ {shlex.join(map(str, command))}\n{done.stdout}\n")
        return done.returncode, done.stdout


def require_root(what):
    if os.geteuid():
        sys.exit(f"Only root can {what}.")
