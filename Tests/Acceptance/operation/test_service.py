"""What the service manager is told, the credentials it hands over, and the unit that it reads."""

import os
import pathlib
import shutil
import signal
import socket
import subprocess

import pytest

import gradecast

DEPLOY = gradecast.ROOT / "deploy"


class Manager:
    """The service manager's end of the notifications."""

    def __init__(self, folder, abstract=False):
        self.name = ("@gradecast-test-" + str(os.getpid())) if abstract else str(folder / "notify")
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind("\0" + self.name[1:] if abstract else self.name)
        self.socket.settimeout(gradecast.PATIENCE)

    def next(self, besides=()):
        """The next notification as `{name: value}`, but for those that only say so."""
        while True:
            told = dict(line.split("=", 1) for line in self.socket.recv(4096).decode().splitlines())
            if not set(told) & set(besides):
                return told


def notified(folder, manager, **more):
    environment = {"NOTIFY_SOCKET": manager.name} | more.pop("environment", {})
    return gradecast.Server(folder, demo=False, environment=environment, **more)


@pytest.mark.parametrize("abstract", [False, True])
def test_the_manager_hears_when_the_server_is_ready_and_when_it_stops(tmp_path, abstract):
    manager = Manager(tmp_path, abstract)
    server = notified(tmp_path, manager).start()
    told = manager.next()
    assert told["READY"] == "1" and f":{server.port}" in told["STATUS"]
    assert server.stop() == 0
    assert manager.next()["STOPPING"] == "1"


def test_the_manager_hears_of_a_reload(tmp_path):
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    make = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost"
    subprocess.run([*make.split(), "-keyout", key, "-out", certificate], check=True, capture_output=True)
    key.chmod(0o600)
    manager = Manager(tmp_path)
    config = {"listen": {"tls": {"certificate": str(certificate), "key": str(key)}}}
    server = notified(tmp_path, manager, config=config)
    server.process = subprocess.Popen(
        [gradecast.BINARY, *map(str, server.arguments)],
        env=server.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert manager.next()["READY"] == "1"
        server.process.send_signal(signal.SIGHUP)
        assert int(manager.next()["MONOTONIC_USEC"]) > 0
        assert manager.next()["READY"] == "1"
        assert server.stop() == 0
    finally:
        if server.process.poll() is None:
            server.kill()


@pytest.mark.slow("listens for two seconds to a server that hangs, several times what it may be silent")
def test_a_server_that_hangs_gives_no_sign_of_life(tmp_path):
    manager = Manager(tmp_path)
    server = notified(tmp_path, manager, environment={"WATCHDOG_USEC": "300000"}).start()
    try:
        assert manager.next(besides=["WATCHDOG"])["READY"] == "1"
        assert manager.next() == {"WATCHDOG": "1"}
        os.kill(server.process.pid, signal.SIGSTOP)
        manager.socket.settimeout(2)
        with pytest.raises(TimeoutError):
            while True:
                manager.next()
        os.kill(server.process.pid, signal.SIGCONT)
        manager.socket.settimeout(gradecast.PATIENCE)
        assert manager.next() == {"WATCHDOG": "1"}
    finally:
        server.kill()


def test_a_watchdog_for_another_process_hears_nothing(tmp_path):
    manager = Manager(tmp_path)
    server = notified(tmp_path, manager, environment={"WATCHDOG_USEC": "300000", "WATCHDOG_PID": "1"}).start()
    assert manager.next()["READY"] == "1"
    assert server.stop() == 0
    assert "STOPPING" in manager.next()


def test_a_manager_that_does_not_listen_keeps_nobody_from_serving(tmp_path):
    server = gradecast.Server(tmp_path, demo=False, environment={"NOTIFY_SOCKET": str(tmp_path / "nobody")}).start()
    assert server.stop() == 0


# -- credentials


def test_a_credential_is_read_though_its_mode_shows_the_mask_of_its_list(tmp_path):
    """systemd lets the service in by an access list; `stat` then shows the mask as the group's bits: 0440."""
    credentials = tmp_path / "credentials"
    credentials.mkdir(0o700)
    secret = credentials / "rosefire"
    secret.write_text("s" * 40 + "\n")
    secret.chmod(0o440)
    config = {"signIn": {"rosefire": {"registry": "x"}}}
    refused = gradecast.Server(tmp_path, config, False, {"GRADECAST_ROSEFIRE": str(secret)})
    with pytest.raises(AssertionError, match="readable by others"):
        refused.start()
    environment = {"GRADECAST_ROSEFIRE": str(secret), "CREDENTIALS_DIRECTORY": str(credentials)}
    server = gradecast.Server(tmp_path, config, False, environment).start()
    offered = server.api().get("/v1/sign-in").json["providers"]
    assert [provider["id"] for provider in offered] == ["rosefire"]
    assert server.stop() == 0


def test_a_credential_that_root_left_out_is_told(tmp_path):
    credentials = tmp_path / "credentials"
    credentials.mkdir(0o700)
    (credentials / "rosefire").write_text("\n")  # what the unit hands over in its place
    environment = {"GRADECAST_ROSEFIRE": str(credentials / "rosefire"), "CREDENTIALS_DIRECTORY": str(credentials)}
    config = {"signIn": {"rosefire": {"registry": "x"}}}
    with pytest.raises(AssertionError, match="one secret a line"):
        gradecast.Server(tmp_path, config, False, environment).start()
    gradecast.Server(tmp_path, None, False, environment).start().kill()


# -- the unit


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="needs systemd")
@pytest.mark.parametrize("addition", [None, "tls.conf"])
def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path, addition):
    unit = tmp_path / "gradecast.service"
    text = (DEPLOY / "gradecast.service").read_text()
    assert "/usr/bin/gradecast" in text
    unit.write_text(text.replace("/usr/bin/gradecast", str(gradecast.BINARY)))
    if addition:
        folder = pathlib.Path(f"{unit}.d")
        folder.mkdir()
        shutil.copy(DEPLOY / addition, folder)
    result = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
