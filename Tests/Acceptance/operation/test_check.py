"""`gradecast check` finds, at once, what keeps `gradecast serve` from starting, and changes nothing."""

import json
import os
import socket
import subprocess

import pytest

import gradecast
from stored import of_a_file

SCHEME = gradecast.BINARY.parent / "German"


def certificate(folder, name):
    """A certificate and its key; their paths."""
    paths = folder / f"{name}.pem", folder / f"{name}-key.pem"
    make = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost"
    subprocess.run([*make.split(), "-out", paths[0], "-keyout", paths[1]], check=True, capture_output=True)
    paths[1].chmod(0o600)
    return paths


@pytest.fixture
def check(tmp_path):
    def run(config, *arguments, **more):
        path = tmp_path / "config.json"
        path.write_text(config if isinstance(config, str) else json.dumps(config))
        options = ("--config", path, "--data", tmp_path / "data", *arguments)
        if "--port" not in arguments:
            options += ("--port", 0)
        return gradecast.run("check", *options, **more)

    return run


def found(result):
    assert result.returncode == 1, result
    return result.stderr


def test_what_check_says_is_sound_starts(tmp_path, check):
    assert check({}).returncode == 0
    server = gradecast.Server(tmp_path, {}, demo=False).start()
    assert server.stop() == 0
    assert check({}).returncode == 0


@pytest.mark.parametrize(
    "text, place",
    [
        ('{\n  "listen": {"port": 80,}\n}', "line 2, column 25"),
        ("{", "line 1, column 2"),
        ('{"log": {},\n "log": {}}', "line 2, column"),
        ('{"web": {"path": "é\n"}}', "line 1, column 20"),
    ],
)
def test_a_fault_of_json_is_told_by_line_and_column(check, text, place):
    assert place in found(check(text))


@pytest.mark.parametrize(
    "config, meant",
    [
        ({"listen": {"hots": "127.0.0.1"}}, "/listen/hots: This field is not known here; did you mean host?"),
        ({"limits": {"conections": 1}}, "; did you mean connections?"),
        ({"signin": {}}, "; did you mean signIn?"),
    ],
)
def test_an_unknown_key_names_the_one_that_was_probably_meant(check, config, meant):
    assert meant in found(check(config))


def test_two_institutions_under_one_slug_are_refused(check):
    one = {"slug": "demo", "title": "Demo"}
    assert "/institutions/1/slug: Another institution has this slug" in found(check({"institutions": [one, one]}))


def test_everything_is_found_at_once(tmp_path, check):
    (public, _), (_, other) = certificate(tmp_path, "one"), certificate(tmp_path, "two")
    other.chmod(0o644)
    secret, pepper = tmp_path / "rosefire", tmp_path / "pepper"
    secret.write_text("short")
    secret.chmod(0o600)
    pepper.write_bytes(b"x" * 32)
    pepper.chmod(0o640)
    taken = socket.create_server(("127.0.0.1", 0))
    config = {
        "listen": {"tls": {"certificate": str(public), "key": str(other)}},
        "keys": {"pepper": str(pepper)},
        "signIn": {"rosefire": {"registry": "x", "secret": str(secret)}},
        "plugins": [{"builtin": "iut"}, {"builtin": "iut"}, {"run": str(tmp_path / "nothing")}],
        "institutions": [{"slug": "demo", "title": "Demo", "programs": [{"scheme": "chalkboard", "title": "A"}]}],
        "web": {"path": str(tmp_path / "nowhere")},
        "colour": "blue",
    }
    port = taken.getsockname()[1]
    text = found(check(config, "--port", port))
    taken.close()
    for wanted in (
        "/colour",
        f"{other} is readable by others",
        f"{other}: ",  # and it is the key of another certificate
        f"{pepper} is readable by others",
        f"{secret}: a secret has 32 to 512 characters",
        "The scheme iut is installed twice",
        f"{tmp_path / 'nothing'} cannot be used as a scheme",
        "a program of the scheme chalkboard, which is not installed",
        f"{tmp_path / 'nowhere'} holds no web client",
        str(port),
    ):
        assert wanted in text, (wanted, text)
    assert not (tmp_path / "data").exists()


def test_an_address_of_another_machine_is_found(check):
    assert "192.0.2.1" in found(check({"listen": {"host": "192.0.2.1"}}, "--insecure"))
    assert "plain HTTP" in found(check({"listen": {"host": "0.0.0.0"}}))
    assert check({"listen": {"host": "0.0.0.0"}}, "--insecure").returncode == 0


def test_a_management_port_that_is_taken_is_found(check):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"port {port}" in found(check({"management": {"port": port}}))


def test_a_port_that_the_server_of_these_data_has_is_no_fault(tmp_path, check):
    server = gradecast.Server(tmp_path, {}, demo=False).start()
    result = check({}, "--port", server.port)
    assert result.returncode == 0 and "A server is running" in result.stdout, result
    assert server.stop() == 0


@of_a_file("an empty one, and one of other bytes; test_postgresql.py tries such databases")
def test_a_database_that_no_server_would_take_is_found(tmp_path, check):
    (tmp_path / "data").mkdir()
    database = tmp_path / "data" / "gradecast.db"
    database.touch(0o600)
    assert f"{database}: the file is empty" in found(check({}))
    database.write_bytes(b"not a database " * 100)
    assert str(database) in found(check({}))


def test_a_key_that_is_not_the_database_s_is_found(tmp_path, check):
    server = gradecast.Server(tmp_path, {}, demo=False).start()
    server.api().sign_up()
    assert server.stop() == 0
    pepper = tmp_path / "data-keys" / "pepper"
    pepper.write_bytes(os.urandom(32))
    assert "another key" in found(check({}))
    pepper.unlink()
    assert "is not there" in found(check({}))


@pytest.mark.skipif(not SCHEME.exists(), reason="the German scheme is not built")
def test_a_program_that_its_scheme_would_refuse_is_found(check):
    program = {"scheme": "german", "title": "A", "configuration": {"nothing": 1}}
    institutions = [{"slug": "demo", "title": "Demo", "programs": [program]}]
    text = found(check({"plugins": [{"run": str(SCHEME)}], "institutions": institutions}))
    assert "does not suit its scheme german" in text and "/nothing" in text
