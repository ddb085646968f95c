"""Podman with a store of its own, in name spaces of this process."""

import json
import pathlib
import shutil
import time

from trial import CLONE_NEWNET, CLONE_NEWNS, PATIENCE, enter

MANAGEMENT = "9464"
# Not every machine lets a test make control groups, or set the limits that are podman's own.
LIMITS = ["--cgroups=disabled", "--ulimit=nofile=16384:16384", "--ulimit=nproc=1024:1024"]
CONFINED = ["--read-only", "--cap-drop=all", "--security-opt=no-new-privileges"]


class Podman:
    """Runs podman, until it is closed."""

    def __init__(self, trial, folder):
        self.trial, self.folder = trial, folder
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        enter(CLONE_NEWNS | CLONE_NEWNET)
        trial.run("mount", "--make-rprivate", "/")
        # A machine with both versions of control groups confuses crun.
        trial.run("mount", "-t", "cgroup2", "cgroup2", "/sys/fs/cgroup")
        # What podman and its name server keep there is no matter of other containers of this machine.
        pathlib.Path("/run/containers").mkdir(exist_ok=True)
        trial.run("mount", "-t", "tmpfs", "tmpfs", "/run/containers")
        trial.run("ip", "link", "set", "lo", "up")
        self.command = [
            "podman", f"--root={folder}/store", f"--runroot={folder}/run", f"--tmpdir={folder}/tmp",
            "--cgroup-manager=cgroupfs", "--network-backend=netavark", f"--network-config-dir={folder}/networks",
            f"--volumepath={folder}/volumes", "--runtime=crun",
        ]  # fmt: skip

    def close(self):
        """Ends all containers, and removes what they leave."""
        self.attempt("rm", "--all", "--force", "--depend", "--time=0")
        shutil.rmtree(self.folder, ignore_errors=True)

    def __call__(self, *words, **more):
        return self.trial.run(*self.command, *words, **more)

    def attempt(self, *words, **more):
        return self.trial.attempt(*self.command, *words, **more)

    def load(self, archive):
        """Loads an image from a file; its name."""
        return self("load", "--quiet", "--input", archive).strip().rpartition("Loaded image: ")[2]

    def start(self, name, image, *options, command=()):
        """Runs a container in the background."""
        self("run", "--detach", f"--name={name}", *LIMITS, *CONFINED, *options, image, *command)

    def state(self, name):
        return json.loads(self("container", "inspect", name))[0]["State"]

    def status_of(self, name):
        """What the kernel says of a container's process."""
        lines = pathlib.Path(f"/proc/{self.state(name)['Pid']}/status").read_text().splitlines()
        return {key: value.strip() for key, _, value in (line.partition(":") for line in lines)}

    def until_ready(self, name):
        """Waits for a server by its health check; how many seconds that took."""
        begin = time.monotonic()
        while self.attempt("exec", name, "gradecast", "ready", MANAGEMENT)[0]:
            if time.monotonic() - begin > PATIENCE or not self.state(name)["Running"]:
                self.trial.note(f"{name} starts", False, self("logs", name)[-3000:])
        return time.monotonic() - begin

    def stop(self, name):
        """Asks a server to end, as a restart of the machine does; its exit status."""
        self("stop", "--time=60", name)
        return self.state(name)["ExitCode"]

    def remove(self, name):
        self("rm", "--force", "--time=0", name)
