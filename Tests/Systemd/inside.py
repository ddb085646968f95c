"""Tries the shipped unit under systemd and control groups of version 2; runs as root in the system that `run` boots."""

import json
import os
import pathlib
import signal
import subprocess
import time

import test_confinement as confinement

from client import Api

UNIT = "gradecast.service"
GROUP = pathlib.Path("/sys/fs/cgroup/system.slice") / UNIT
STATE = pathlib.Path("/var/lib/gradecast")
LIMITS = {"memory.max": str(256 << 20), "pids.max": "128", "cpu.max": "100000 100000"}
COMMON = ["--config", "/etc/gradecast/config.json", "--data", str(STATE / "data")]
PATIENCE = 180  # seconds


def run(*command, **more):
    """A command's exit status and what it printed."""
    done = subprocess.run(command, capture_output=True, text=True, **more)
    return done.returncode, done.stdout + done.stderr


def asked(name):
    """A property of the unit."""
    return run("systemctl", "show", "--property", name, "--value", UNIT)[1].strip()


def journal():
    """What the server has logged."""
    return run("journalctl", "--unit", UNIT, "--no-pager", "--output", "cat")[1]


def until(condition):
    """Waits for a condition; whether it came true."""
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def state(fact, holds, told=""):
    """Prints a fact and whether it holds."""
    print("ok     " if holds else "FAILED ", fact, flush=True)
    for line in [] if holds else str(told).splitlines()[-30:]:
        print("       ", line, flush=True)


def is_up():
    return asked("ActiveState") == "active"


def main_process():
    return int(asked("MainPID"))


def is_another(process):
    """Whether the unit is up with another main process than this one. It has none while it starts again."""
    return main_process() not in (0, process) and is_up()


def is_alive(process):
    return pathlib.Path(f"/proc/{process}").exists()


def attack():
    """Lets the hostile scheme try everything; returns what went differently from what is expected."""
    process = main_process()
    target = {
        "pid": process,
        "launcher": min(confinement.children(process)),
        "port": 8080,
        "database": str(STATE / "data" / "gradecast.db"),
        "pepper": str(STATE / "keys" / "pepper"),
    }
    pathlib.Path("/srv/schemes/hostile/target.json").write_text(json.dumps(target))
    student = Api("127.0.0.1", 8080).sign_up()
    record = student.new_record("hostile")
    differing = []
    for name, expected in confinement.REFUSED.items():
        answer = record.add({"kind": "task", "fields": {"title": name}})
        found = answer.json["standing"]["figures"]["share"]["text"] if answer.status == 201 else answer.status
        if found != expected:
            differing.append(f"{name}: {found!r} instead of {expected!r}")
    good = student.new_record("pass-fail").add({"kind": "task", "fields": {"title": "a", "done": True}})
    if good.status != 201:
        differing.append(f"the good scheme answered {good.status}")
    if main_process() != process:
        differing.append("the server was started again")
    return "\n".join(differing)


def groups():
    """The limits of each scheme's control group."""
    return [
        {name: (folder / name).read_text().strip() for name in LIMITS}
        for folder in GROUP.glob("gradecast-scheme-*")
        if (folder / "cgroup.procs").read_text().strip()
    ]


def main():
    version = run("systemctl", "--version")[1].splitlines()[0]
    print(version, "· control groups of version 2:", (GROUP.parents[1] / "cgroup.controllers").exists(), flush=True)

    status, told = run("systemctl", "start", UNIT)
    state("the unit starts, after its check", status == 0 and is_up(), told + journal())
    state("nothing of the confinement is missing", "not wholly confined" not in journal(), journal())
    state("each scheme has a control group with its limits", groups() == [LIMITS] * 2, groups())
    differing = attack()
    state("every attack of the hostile scheme is refused", not differing, differing)

    process = main_process()
    status, told = run("systemctl", "reload", UNIT)
    state("a reload keeps the process", status == 0 and is_up() and main_process() == process, told + journal())
    environment = os.environ | {"GRADECAST_PEPPER": str(STATE / "keys" / "pepper")}
    account = ["gradecast", "account", "create", "zoe", "--name", "Zoe", "--role", "administrator", *COMMON]
    status, told = run(*account, env=environment)
    state("an account is made beside the server", status == 0, told)
    status, told = run("gradecast", "check", *COMMON, env=environment)
    state("a check beside the server finds nothing wrong", status == 0, told)

    os.kill(process, signal.SIGSTOP)
    state("a server that hangs is started again", until(lambda: is_another(process)), journal())
    process = main_process()
    launchers = confinement.children(process)
    os.kill(process, signal.SIGKILL)
    state("a server that is killed is started again", until(lambda: is_another(process)), journal())
    state("its schemes ended with it", not any(map(is_alive, launchers)), launchers)

    status, told = run("systemctl", "stop", UNIT)
    state("a stop ends it cleanly", status == 0 and asked("Result") == "success", told + journal())
    state("everything was tried", True)


main()
