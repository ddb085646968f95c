"""The same server over TLS: what is spoken, what is refused, and how a renewed certificate comes into use."""

import contextlib
import json
import os
import signal
import socket
import ssl
import subprocess
import time

import pytest
from programs import until

import gradecast
from client import TIMEOUT, changed
from live import Live
from stored import of_a_file
from test_hunger import UPGRADE


def renew(directory, serial):
    """Puts a new key and a certificate that it signs for itself, for as many days as its number, into the files."""
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-days",
            str(serial),
        ]
        + ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-set_serial", str(serial)]
        + ["-keyout", directory / "key.pem", "-out", directory / "certificate.pem"],
        check=True,
        capture_output=True,
        timeout=TIMEOUT,
    )
    os.chmod(directory / "key.pem", 0o600)


def trusting(directory):
    """A client's rules, which know the certificate of now."""
    return ssl.create_default_context(cafile=directory / "certificate.pem")


def config(directory, **more):
    files = {"certificate": str(directory / "certificate.pem"), "key": str(directory / "key.pem")}
    return {"listen": {"tls": files} | more}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    directory = tmp_path_factory.mktemp("certificate")
    renew(directory, 1)
    return directory


@pytest.fixture(scope="module")
def secure(files, tmp_path_factory):
    """A server that speaks TLS."""
    running = gradecast.Server(tmp_path_factory.mktemp("secure"), config(files), context=trusting(files)).start()
    yield running
    assert running.process.poll() is None, running.output()
    assert running.stop() == 0, running.output()


def dial(server, context=None):
    """A connection after its handshake."""
    plain = socket.create_connection(("127.0.0.1", server.port), TIMEOUT)
    return (context or server.context).wrap_socket(plain, server_hostname="127.0.0.1")


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_tls_of_today_is_spoken(secure, files, version):
    context = trusting(files)
    context.minimum_version = context.maximum_version = version
    context.set_alpn_protocols(["h2", "http/1.1"])
    with dial(secure, context) as connection:
        assert connection.version() == version.name.replace("_", ".")
        assert connection.selected_alpn_protocol() == "http/1.1"
        assert connection.compression() is None
        assert "GCM" in connection.cipher()[0] or "CHACHA20" in connection.cipher()[0]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1])
def test_tls_of_yesterday_is_not(secure, files, version):
    context = trusting(files)
    context.set_ciphers("ALL:@SECLEVEL=0")
    context.minimum_version = context.maximum_version = version
    with pytest.raises(ssl.SSLError, match="(?i)protocol version"):
        dial(secure, context)


@pytest.mark.parametrize("ciphers", ["AES256-SHA", "AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-SHA384"])
def test_ciphers_without_forward_secrecy_or_authentication_are_not(secure, files, ciphers):
    context = trusting(files)
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers(ciphers)
    with pytest.raises(ssl.SSLError, match="(?i)handshake failure"):
        dial(secure, context)


def test_bodies_of_any_length_come_through(secure):
    api = secure.api().sign_up(displayName="A" * 100)
    large = api.post("/v1/evaluate", b" " * 900_000 + b"{}")
    assert large.status == 422, large
    description = api.get("/openapi.json")
    assert len(description.body) > 32_768 and description.json["openapi"]
    too_large = api.twin().post("/v1/evaluate", b" " * (1 << 20) + b"{}")
    assert too_large.status == 413, too_large


def test_the_session_cookie_is_bound_to_the_host_and_to_tls(secure):
    api = secure.api().sign_up()
    answer = secure.api().post("/v1/sessions", {"login": api.login, "password": api.password, "cookie": True})
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("__Host-gradecast=") and "; Secure" in cookie and "Path=/;" in cookie
    pair = cookie.split(";")[0]
    assert secure.api().get("/v1/accounts/me", cookie=pair).status == 200
    planted = pair.replace("__Host-gradecast", "gradecast-local")
    assert secure.api().get("/v1/accounts/me", cookie=planted).status == 401


def test_a_sign_in_by_way_of_others_is_bound_likewise(secure):
    api = secure.api()

    def come_back(rename):
        outset = changed(api.post("/v1/sign-in/rosefire"), 201)
        cookie = outset.headers["Set-Cookie"]
        assert cookie.startswith("__Host-gradecast-sign-in=") and "; Secure" in cookie and "Path=/;" in cookie
        token = changed(api.post("/stand-in/rosefire/tokens", {"person": "germain"}), 201).json["token"]
        body = {"token": token, "attempt": outset.json["attempt"]}
        return api.post("/v1/sessions/rosefire", body, cookie=rename(cookie.split(";")[0]))

    planted = come_back(lambda pair: pair.replace("__Host-", ""))
    assert planted.faults == [("sign_in_expired", "")]
    assert come_back(lambda pair: pair).status == 201


@of_a_file("PostgreSQL has its own backups (test_postgresql.py)")
def test_a_backup_comes_whole(secure):
    answer = changed(secure.signed_in("administrator").get("/v1/backup"))
    assert answer.body.startswith(b"SQLite format 3\0") and len(answer.body) % 4096 == 0


def test_live_over_tls(secure):
    api = secure.api().sign_up()
    record = api.new_record("iut", template="sample")
    live = Live(secure, api.token)
    first = live.subscribe(f"standing/{record.id}")
    subject = record.entries[-1]["children"][0]["id"]
    changed(record.patch(subject, {"grade": "8"}))
    assert live.next("state")["v"] > first["v"]
    live.close()


def test_a_request_ends_with_a_good_bye(secure):
    with dial(secure) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        received = b""
        while chunk := connection.recv(65536):
            received += chunk
        assert received.startswith(b"HTTP/1.1 200")
        connection.unwrap()  # an end without close_notify would fail here


NOISE = [b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", bytes(range(256)) * 300, b"\x16\x03\x01\x40\x00\x01"]


@pytest.mark.parametrize("noise", NOISE)
def test_noise_costs_its_own_connection_only(secure, noise):
    with socket.create_connection(("127.0.0.1", secure.port), TIMEOUT) as plain:
        plain.settimeout(TIMEOUT)
        with contextlib.suppress(OSError):
            plain.sendall(noise)
            plain.shutdown(socket.SHUT_WR)
            while plain.recv(65536):
                pass
    assert secure.api().get("/readyz").status == 200


@pytest.mark.slow("waits for the ten seconds that a handshake may take")
def test_a_handshake_that_stops_half_way_is_given_up(secure):
    before = secure.open_files
    stuck = [socket.create_connection(("127.0.0.1", secure.port), TIMEOUT) for _ in range(20)]
    for number, plain in enumerate(stuck):
        plain.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[:number])
    assert secure.api().get("/readyz").status == 200
    for plain in stuck:
        plain.settimeout(TIMEOUT)
        assert plain.recv(1) == b""
        plain.close()
    deadline = time.monotonic() + gradecast.PATIENCE
    while secure.open_files > before + 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert secure.open_files <= before + 2


def serial(server, context):
    with dial(server, context) as connection:
        return int(connection.getpeercert()["serialNumber"], 16)


def test_a_renewed_certificate_is_shown_to_those_who_come_after_it(tmp_path):
    renew(tmp_path, 7)
    old = trusting(tmp_path)
    server = gradecast.Server(tmp_path, config(tmp_path), context=old).start()
    try:
        api = server.api().sign_up()
        live = Live(server, api.token)
        assert serial(server, old) == 7
        renew(tmp_path, 8)
        new = trusting(tmp_path)
        server.process.send_signal(signal.SIGHUP)
        wait_for(server, "certificate reloaded")
        assert serial(server, new) == 8
        with dial(server, new) as connection:
            ends = ssl.cert_time_to_seconds(connection.getpeercert()["notAfter"])
        assert server.metric("gradecast_certificate_end_timestamp_seconds") == ends
        with pytest.raises(ssl.SSLCertVerificationError):
            dial(server, old)
        assert api.get("/v1/accounts/me").status == 200  # the connection of before
        assert live.subscribe(f"records/{api.account['id']}")["t"] == "state"
        (tmp_path / "key.pem").write_text("no key")
        server.process.send_signal(signal.SIGHUP)
        wait_for(server, "the certificate cannot be reloaded")
        assert serial(server, new) == 8
        os.chmod(tmp_path / "key.pem", 0o644)
        server.process.send_signal(signal.SIGHUP)
        wait_for(server, "readable by others")
        live.close()
        assert server.stop() == 0, server.output()
    finally:
        if server.process.poll() is None:
            server.kill()


def test_a_pipe_in_place_of_the_key_holds_nothing_up(tmp_path):
    renew(tmp_path, 7)
    context = trusting(tmp_path)
    server = gradecast.Server(tmp_path, config(tmp_path), context=context).start()
    try:
        for name in ("key.pem", "certificate.pem"):
            kept = (tmp_path / name).read_bytes()
            (tmp_path / name).unlink()
            os.mkfifo(tmp_path / name, 0o600)
            server.process.send_signal(signal.SIGHUP)
            wait_for(server, f"{name}: not a regular file")
            assert serial(server, context) == 7
            (tmp_path / name).unlink()
            (tmp_path / name).write_bytes(kept)
            os.chmod(tmp_path / name, 0o600)
        server.process.send_signal(signal.SIGHUP)
        wait_for(server, "certificate reloaded")
        assert server.stop() == 0, server.output()
        (tmp_path / "key.pem").unlink()
        os.mkfifo(tmp_path / "key.pem", 0o600)
        assert "key.pem: not a regular file" in fault(tmp_path, config(tmp_path))
    finally:
        if server.process.poll() is None:
            server.kill()


def wait_for(server, words):
    deadline = time.monotonic() + gradecast.PATIENCE
    while words not in server.output():
        assert time.monotonic() < deadline, server.output()
        time.sleep(0.02)


def fault(tmp_path, configuration, *arguments):
    """Why a server does not start with a configuration."""
    path = tmp_path / "config.json"
    path.write_text(json.dumps(configuration))
    port = gradecast.free_port()
    result = gradecast.run("serve", "--config", path, "--data", tmp_path / "data", "--port", port, *arguments)
    assert result.returncode == 1, result
    return result.stderr


def test_a_server_does_not_start_without_a_good_certificate(tmp_path):
    renew(tmp_path, 1)
    os.chmod(tmp_path / "key.pem", 0o640)
    assert "key.pem is readable by others; chmod 600 it." in fault(tmp_path, config(tmp_path))
    os.chmod(tmp_path / "key.pem", 0o600)
    (tmp_path / "certificate.pem").unlink()
    assert "certificate.pem: No such file or directory" in fault(tmp_path, config(tmp_path))
    result = gradecast.run("check", "--config", tmp_path / "config.json")
    assert result.returncode == 1 and "certificate.pem" in result.stderr


def test_plain_http_is_not_served_to_others(tmp_path):
    assert "--insecure" in fault(tmp_path, {"listen": {"host": "0.0.0.0"}})


def test_tls_may_be_served_to_others(tmp_path):
    renew(tmp_path, 1)
    server = gradecast.Server(tmp_path, config(tmp_path, host="0.0.0.0"), context=trusting(tmp_path)).start()
    until(server.output, lambda output: "listening on https://0.0.0.0:" in output)  # written a moment later
    assert server.stop() == 0


def test_departures_of_every_kind_leave_nothing_behind(secure):
    """Handshakes cut, resets, and sockets left open half way: descriptors come back."""

    def depart(number):
        plain = socket.create_connection(("127.0.0.1", secure.port), TIMEOUT)
        if number % 4 == 0:
            plain.sendall(b"\x16\x03\x01")
        elif number % 4 == 1:
            secure.context.wrap_socket(plain, server_hostname="127.0.0.1", do_handshake_on_connect=False)
        else:
            connection = secure.context.wrap_socket(plain, server_hostname="127.0.0.1")
            if number % 4 == 2:
                connection.sendall(UPGRADE)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            connection.close()
        plain.close()

    for number in range(40):
        depart(number)
    before = secure.open_files
    for number in range(200):
        depart(number)
    deadline = time.monotonic() + gradecast.PATIENCE
    while secure.open_files > before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert secure.open_files <= before
