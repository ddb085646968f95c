"""What an operator meets: health, metrics, the API's own description, the configuration, the command line."""

import json
import os
import pathlib
import re
import subprocess
import threading
import time

import pytest
from programs import until
from tokens import bearer

import gradecast
from client import changed
from live import Live
from oracle.build import board_total
from stored import back_up, of_a_file, restore, stored

ROUTES = {
    "/v1/accounts": {"post", "get"},
    "/v1/sessions": {"post", "get"},
    "/v1/sessions/{}": {"delete"},
    "/v1/accounts/me": {"get", "patch", "delete"},
    "/v1/accounts/me/export": {"get"},
    "/v1/accounts/{}": {"patch"},
    "/v1/audit": {"get"},
    "/v1/schemes": {"get"},
    "/v1/schemes/{}": {"get"},
    "/v1/evaluate": {"post"},
    "/v1/institutions": {"get", "post"},
    "/v1/institutions/{}": {"get"},
    "/v1/institutions/{}/programs": {"get", "post"},
    "/v1/programs/{}": {"get"},
    "/v1/live/tickets": {"post"},
    "/v1/records": {"get", "post"},
    "/v1/records/{}": {"get", "patch", "delete"},
    "/v1/records/{}/entries": {"post", "delete"},
    "/v1/records/{}/entries/{}": {"patch", "delete"},
    "/v1/records/{}/changes": {"post"},
    "/v1/records/{}/standing": {"get"},
    "/v1/records/{}/history": {"get"},
    "/v1/records/{}/undo": {"post"},
    "/v1/records/{}/what-if": {"post"},
    "/v1/live/events": {"get"},
    "/openapi.json": {"get"},
    "/healthz": {"get"},
    "/readyz": {"get"},
}


def paths(api):
    """The described routes with their parameters' names left out."""
    answer = api.get("/openapi.json")
    assert answer.status == 200, answer
    described = {}
    for path, operations in answer.json["paths"].items():
        described.setdefault(re.sub(r"{[^}]*}", "{}", path), set()).update(operations)
    return described


def test_the_server_says_that_it_is_alive_and_ready(guest):
    assert guest.get("/healthz").status == 200
    assert guest.get("/readyz").status == 200


def test_the_description_covers_every_route(guest):
    described = paths(guest)
    for path, methods in ROUTES.items():
        assert methods <= described.get(path, set()), path


def ready(server):
    """What the health check of containers says."""
    place = server.management().connection
    return gradecast.run("ready", f"localhost:{place.port}")


def test_metrics_and_details_are_served_at_the_management_address_alone(server, guest, administrator):
    for api in (guest, administrator):
        assert api.get("/metrics").status == 404
        assert api.get("/readyz").json == {"status": "ready"}
    management = server.management()
    metrics = management.get("/metrics")
    assert metrics.status == 200 and "# TYPE gradecast_http_responses_total counter" in metrics.body.decode()
    details = management.get("/readyz").json
    assert details["status"] == "ready" and details["obstacle"] is None
    assert "chalkboard" in details["schemes"] and details["live"].keys() == {"readers", "topics"}
    assert management.get("/healthz").status == 200
    assert management.get("/v1/schemes").status == 404
    assert management.post("/metrics").status == 405
    assert management.get("/metrics", host="metrics.evil.example").json["code"] == "misdirected"
    found = ready(server)
    assert (found.returncode, found.stdout, found.stderr) == (0, "ready\n", "")


# google-pprof reads the symbols of the whole program.
@pytest.mark.slow("profiles the server for a second, and has google-pprof name what it did")
def test_a_profile_says_what_the_server_does(server, tmp_path):
    over, management = threading.Event(), server.management()

    def work():
        api = server.api()
        while not over.is_set():
            assert api.get("/v1/schemes").status == 200

    worker = threading.Thread(target=work)
    worker.start()

    def profile():
        """What the server did in a second: on a busy machine it may have got no time in one."""
        profile = management.get("/profile?seconds=1")
        assert profile.status == 200, profile
        path = tmp_path / "profile"
        path.write_bytes(profile.body)
        command = ["google-pprof", "--text", gradecast.BINARY, path]
        return subprocess.run(command, capture_output=True, text=True, timeout=gradecast.PATIENCE)

    try:
        until(profile, lambda found: found.returncode == 0 and "Transport" in found.stdout)
    finally:
        over.set()
        worker.join()
    for seconds in ("0", "61", "soon"):
        assert management.get(f"/profile?seconds={seconds}").status == 400
    assert server.api().get("/profile").status == 404


def test_answers_carry_the_headers_that_browsers_need(guest):
    answer = guest.get("/")
    assert answer.status == 200, answer
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
    for path in ("/v1/schemes", "/v1/nothing", "/healthz", "/openapi.json", "/v1/live", "/v1/live/events"):
        answer = guest.get(path)
        assert answer.headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'", path
        assert answer.headers["X-Content-Type-Options"] == "nosniff", path
        assert "Strict-Transport-Security" not in answer.headers, path


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "192.0.2.1", "[2001:db8::1]:80"])
def test_a_host_that_is_not_the_servers_is_refused(guest, host):
    for path in ("/", "/v1/schemes", "/healthz", "/v1/live"):
        answer = guest.get(path, host=host)
        assert (answer.status, answer.json["code"]) == (421, "misdirected"), path


# -- the configuration -----------------------------------------------------------------------------------------

WRONG = {
    "listen": {"port": 70000, "hots": "127.0.0.1"},
    "plugins": [{"builtin": "nothing"}],
    "log": {"level": "loud"},
    "institutions": [{"slug": "Not A Slug", "title": ""}],
    "limits": {"nothing": 1},
    "colour": "blue",
}
NAMED = [
    "/colour",
    "/institutions/0/slug",
    "/institutions/0/title",
    "/limits/nothing",
    "/listen/hots",
    "/listen/port",
    "/log/level",
    "/plugins/0/builtin",
]


def test_check_names_every_fault_of_a_configuration(tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(WRONG))
    result = gradecast.run("check", "--config", path)
    assert result.returncode == 1
    assert re.findall(r"^  (/\S+): ", result.stderr, re.MULTILINE) == NAMED


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"listen":1}', '{"listen":{"port":"x"}}', '{"listen":{"port":8080,"port":1}}']
)
def test_a_server_does_not_start_with_a_wrong_configuration(tmp_path, text):
    path = tmp_path / "config.json"
    path.write_text(text)
    result = gradecast.run("serve", "--config", path, "--data", tmp_path / "data", "--port", gradecast.free_port())
    assert result.returncode == 1, result
    assert result.stderr.strip()
    assert not (tmp_path / "data").exists() or not list((tmp_path / "data").glob("*.db"))


def test_an_empty_configuration_is_sound(tmp_path):
    path = tmp_path / "config.json"
    path.write_text("{}")
    result = gradecast.run("check", "--config", path, "--data", tmp_path / "data", "--port", 0)
    assert result.returncode == 0, result
    assert list(tmp_path.iterdir()) == [path]  # nothing was made


# -- the command line ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments, status",
    [
        (["version"], 0),
        (["--help"], 0),
        (["serve", "--help"], 0),
        (["check", "--help"], 0),
        (["backup", "--help"], 0),
        (["restore", "--help"], 0),
        (["scheme", "--help"], 0),
        (["doctor", "--help"], 0),
        (["nothing"], 64),
        (["serve", "--nothing"], 64),
        (["serve", "--port", "x"], 64),
        (["backup"], 64),
        (["ready"], 64),
        (["ready", "1"], 1),
        (["ready", "[::1]:1"], 1),
        (["ready", "localhost:0"], 64),
        (["ready", "99999"], 64),
        (["ready", "192.0.2.1:9464"], 64),
        (["top", "example.org:9464"], 64),
        (["scheme", "list"], 0),
        (["scheme", "describe", "iut"], 0),
        (["scheme", "describe", "nothing"], 1),
        (["scheme", "lint", "/nowhere", "--memory", "15"], 64),
        (["scheme", "lint", "/nowhere", "--memory", "4096"], 1),
    ],
)
def test_exit_codes(arguments, status):
    result = gradecast.run(*arguments)
    assert result.returncode == status, result
    assert (result.stdout + result.stderr).strip()


# Waits for the end of a notice that is long enough for a slow machine.
@pytest.mark.slow("waits for five seconds of notice, in which also a busy machine has time to ask")
def test_a_server_that_is_to_stop_says_so_first_and_serves_on_until_the_notice_is_over(tmp_path):
    server = gradecast.Server(tmp_path, config={"limits": {"noticeSeconds": 5, "drainSeconds": 1}}).start()
    student = server.api().sign_up()
    record = student.new_record("chalkboard")
    socket = Live(server, student.token)
    topic = f"standing/{record.id}"
    socket.subscribe(topic)
    server.process.terminate()
    deadline = time.monotonic() + gradecast.PATIENCE
    while server.is_ready():
        assert time.monotonic() < deadline
    # Who comes anew is served like those who are there: changes are taken, and pushed.
    anew = server.api()
    assert anew.get("/readyz").status == 503 and anew.get("/healthz").status == 200
    found = ready(server)
    assert (found.returncode, found.stderr) == (1, "The server is about to stop\n")
    changed(student.twin().get(f"/v1/records/{record.id}"))
    answer = changed(record.add(board_total("Algorithms", 3, 85)), 201)
    version = int(answer.etag.strip('"').rpartition(".")[2])
    socket.until(topic, version)
    # Only then do the readers hear that they have to go, and nobody is let in any more.
    socket.next("drain")
    assert socket.closed() == 1012
    assert server.process.wait(gradecast.PATIENCE) == 0
    with pytest.raises(ConnectionRefusedError):
        server.api().get("/healthz")


@of_a_file("over PostgreSQL it is another node (test_cluster.py)")
def test_a_second_server_on_the_same_data_does_not_start(server):
    result = gradecast.run("serve", "--demo", "--data", server.data, "--port", gradecast.free_port())
    assert result.returncode == 1, result


def test_a_backup_is_restored_under_a_new_epoch(own_server, tmp_path):
    student = own_server.api().sign_up()
    record = student.new_record("chalkboard")
    course = record.add(board_total("Algorithms", 3, 85)).json["entry"]["id"]
    copy = tmp_path / "copy"
    saved = record.standing()
    back_up(own_server, copy)
    record.patch(course, {"credits": 9})
    later = record.standing()
    assert own_server.stop() == 0
    restore(own_server, copy)
    own_server.start()
    assert student.get("/v1/accounts/me").status == 401
    student.token = own_server.api().sign_in(student.login, student.password).token
    restored = record.standing()
    assert restored.body == saved.body
    assert restored.etag != saved.etag and restored.etag.split(".")[0] != later.etag.split(".")[0]
    socket = Live(own_server, student.token)
    epoch, _, version = later.etag.strip('"').rpartition(".")
    assert "doc" in socket.subscribe(f"standing/{record.id}", {"e": epoch, "v": int(version)})
    socket.close()


@of_a_file("over PostgreSQL the next start says it (test_check.py)")
def test_a_backup_is_restored_where_the_key_of_the_passwords_is_not_and_says_so(own_server, tmp_path):
    copy, options = tmp_path / "copy.db", ("--data", own_server.data)
    assert gradecast.run("backup", copy, *options).returncode == 0
    assert own_server.stop() == 0
    (tmp_path / "data-keys" / "pepper").unlink()
    restored = gradecast.run("restore", copy, *options)
    assert restored.returncode == 0 and "pepper is not there" in restored.stderr


def test_a_restore_revives_no_session_invitation_or_link(own_server, tmp_path):
    """Of what was ended since the backup the backup knows nothing."""
    administrator, person = own_server.signed_in("administrator"), own_server.api().sign_up()
    lasting = bearer(own_server, person, "records:read")
    invitation = changed(administrator.post("/v1/institutions/demo/invitations", {"role": "registrar"}), 201)
    token = invitation.json["invitation"]["token"]
    reset = changed(administrator.post(f"/v1/accounts/{person.account['id']}/reset"), 201).json["path"].split("#")[1]
    back_up(own_server, tmp_path / "copy")
    changed(person.delete("/v1/sessions"), 204)
    assert own_server.stop() == 0
    restore(own_server, tmp_path / "copy")
    own_server.start()
    for api in (person, administrator):
        assert api.get("/v1/accounts/me").status == 401
    changed(lasting.get("/v1/records"))
    stranger = own_server.api().sign_up()
    assert stranger.post("/v1/invitations/accept", {"token": token}).faults == [("invitation_refused", "/token")]
    answer = own_server.api().post("/v1/accounts/password", {"token": reset, "password": "another horse battery"})
    assert answer.faults == [("token_refused", "/token")]
    own_server.api().sign_in(person.login, person.password)


def test_the_doctor_finds_a_sound_store_sound(own_server):
    student = own_server.api().sign_up()
    record = student.new_record("chalkboard")
    record.add(board_total("Algorithms", 3, 85))
    assert own_server.stop() == 0
    result = gradecast.run("doctor", "--data", own_server.data)
    assert result.returncode == 0, result
    if gradecast.STORE == "sqlite":
        with stored(own_server) as store:
            assert store.execute("PRAGMA integrity_check").fetchone() == ("ok",)


# -- the key of the passwords ----------------------------------------------------------------------------------


KEYS_MISSING = 78


@pytest.mark.slow("runs the program seven times over a store whose key is missing, another one or back")
def test_a_store_without_its_key_is_refused_before_anybody_is_turned_away(tmp_path):
    server = gradecast.Server(tmp_path, demo=False).start()
    student = server.api().sign_up()
    assert server.stop() == 0
    keys, aside = tmp_path / "data-keys", tmp_path / "aside"
    options = ("--data", server.data)
    keys.rename(aside)
    for _ in range(2):
        result = gradecast.run("serve", *options, "--port", server.port)
        assert result.returncode == KEYS_MISSING, result
        assert str(keys / "pepper") in result.stderr and "forget-passwords" in result.stderr
        assert not keys.exists()
    found = gradecast.run("doctor", *options, "--json")
    assert found.returncode == 0 and str(keys / "pepper") in json.loads(found.stdout)["keys"]
    assert "would not serve" in gradecast.run("doctor", *options).stdout
    # Another store's key is no better.
    keys.mkdir(mode=0o700)
    (keys / "pepper").write_bytes(b"x" * 32)
    (keys / "pepper").chmod(0o600)
    assert gradecast.run("serve", *options, "--port", server.port).returncode == KEYS_MISSING
    assert "another key" in gradecast.run("doctor", *options).stdout
    (keys / "pepper").unlink()
    (aside / "pepper").rename(keys / "pepper")
    assert json.loads(gradecast.run("doctor", *options, "--json").stdout)["keys"] is None
    server.start()
    server.api().sign_in(student.login, student.password)
    assert server.stop() == 0


@pytest.mark.slow("runs four commands of the operator one after the other, between two starts")
def test_passwords_of_a_lost_key_can_be_given_up(tmp_path):
    server = gradecast.Server(tmp_path, demo=False).start()
    student = server.api().sign_up()
    options = ("--data", server.data)
    assert server.stop() == 0
    (tmp_path / "data-keys" / "pepper").unlink()
    assert gradecast.run("account", "reset", student.login, *options).returncode == KEYS_MISSING
    forgotten = gradecast.run("account", "forget-passwords", *options)
    assert forgotten.returncode == 0 and "Forgotten: 1" in forgotten.stdout
    assert "would not serve" not in gradecast.run("doctor", *options).stdout
    token = gradecast.run("account", "reset", student.login, *options).stdout.split()[-1]
    server.start()
    refused = server.api().post("/v1/sessions", {"login": student.login, "password": student.password})
    assert refused.status == 401
    again = {"token": token, "password": "another horse battery"}
    assert server.api().post("/v1/accounts/password", again).status == 204
    server.api().sign_in(student.login, "another horse battery")
    assert server.stop() == 0


def test_a_server_that_may_use_one_core_has_one_event_loop(tmp_path):
    server = gradecast.Server(tmp_path, under=["taskset", "--cpu-list", str(min(os.sched_getaffinity(0)))]).start()
    tasks = pathlib.Path(f"/proc/{server.process.pid}/task")
    names = [(task / "comm").read_text().strip() for task in tasks.iterdir()]
    assert server.stop() == 0
    assert [name for name in names if name.startswith("loop ")] == ["loop 1"]
