"""Behind a real nginx on loopback: who is who, what stays inside, and live connections through it."""

import http.client
import json

import pytest
from access_table import ACCESS, ask, by_column
from proxy import Nginx, follow

import gradecast
from access import COLUMNS, CONFIG, World
from client import TIMEOUT, Api, changed

# The client's address is what X-Forwarded-For says when all of loopback is trusted: nginx adds its own peer to it.
TRUSTING = {"listen": {"proxies": ["127.0.0.0/8"], "names": ["grades.example.org"]}, "limits": {"signUpsPerMinute": 2}}


@pytest.fixture(scope="module")
def behind(tmp_path_factory):
    """A server behind nginx, and the proxy."""
    directory = tmp_path_factory.mktemp("behind")
    server = gradecast.Server(directory, CONFIG | TRUSTING).start()
    proxy = Nginx(directory, server).start()
    yield server, proxy
    proxy.stop()
    assert server.stop() == 0, server.output()


@pytest.fixture(scope="module")
def world(behind):
    return World(behind[1])


@pytest.mark.slow("makes a new person for each column where a request uses up its caller")
@pytest.mark.parametrize("route", [route for route in ACCESS if not route.startswith(("GET /stand-in", "POST /stand"))])
def test_the_table_of_access_holds_through_the_proxy(world, route):
    if route.startswith("POST ") and "{provider}" in route or route.endswith("identities/{provider}"):
        pytest.skip("there is no stand-in for a provider behind a proxy")
    method, pattern = route.split()
    found = {name: ask(world, route, name, world.place(method, pattern)).status for name in COLUMNS}
    assert found == {name: int(status) for name, status in by_column(ACCESS[route]).items()}


def test_metrics_are_not_reachable_through_the_proxy(behind):
    for api in (behind[1].api(), behind[1].signed_in("administrator")):
        assert api.get("/metrics").status == 404
        assert api.get("/readyz").json == {"status": "ready"}


@pytest.mark.slow("fails to sign in until it is refused, each time at the price of a password")
def test_wrong_passwords_of_one_client_lock_no_other_out(behind):
    api = behind[1].api()
    victim = behind[1].api().sign_up()
    found = []
    while 429 not in found and len(found) < 60:
        body = {"login": f"nobody-{len(found)}", "password": "wrong horse battery"}
        found.append(api.post("/v1/sessions", body, x_forwarded_for="198.51.100.7").status)
    assert found[:20] == [401] * 20 and found[-1] == 429
    right = {"login": victim.login, "password": victim.password}
    assert api.post("/v1/sessions", right, x_forwarded_for="198.51.100.7").status == 429
    # Whatever the client writes to the left of its own address is not looked at.
    assert api.post("/v1/sessions", right, x_forwarded_for="198.51.100.8, 198.51.100.7").status == 429
    assert api.post("/v1/sessions", right, x_forwarded_for="198.51.100.8").status == 201


def test_sign_ups_are_counted_per_client(behind):
    def sign_up(number, client):
        body = {"login": f"crowd-{client[-1]}-{number}", "password": "correct horse battery", "displayName": "C"}
        return behind[1].api().post("/v1/accounts", body, x_forwarded_for=client).status

    statuses = [sign_up(number, "203.0.113.1") for number in range(10)]
    assert statuses[:2] == [201, 201] and 429 in statuses  # on a slow machine one more passes meanwhile
    assert sign_up(0, "203.0.113.2") == 201


def test_the_trail_names_the_client(behind):
    server, proxy = behind
    student = proxy.api().sign_up()
    body = {"login": student.login, "password": student.password}
    changed(proxy.api().post("/v1/sessions", body, x_forwarded_for="198.51.100.99"), 201)
    lines = proxy.signed_in("administrator").get(f"/v1/audit?account={student.account['id']}").body.decode()
    assert "198.51.100.99" in lines


def test_a_client_that_contradicts_the_proxy_is_refused(behind):
    server, proxy = behind
    spoofed = {"forwarded": "for=203.0.113.9", "x_forwarded_for": "198.51.100.7"}
    refused = server.api().get("/v1/schemes", **spoofed)
    assert (refused.status, refused.json["code"]) == (400, "malformed")
    assert proxy.api().get("/v1/schemes", **spoofed).status == 200  # nginx takes it away
    for value in ("nobody", "1.2.3", "[::1", "fe80::1%eth0", ", ".join(["127.0.0.1"] * 40)):
        assert server.api().get("/v1/schemes", x_forwarded_for=value).status == 400, value


def test_tls_at_the_proxy_is_tls(behind):
    server, proxy = behind
    student = proxy.api().sign_up()
    secure = {"x_forwarded_proto": "https", "host": "grades.example.org"}
    credentials = {"login": student.login, "password": student.password, "cookie": True}
    answer = changed(server.api().post("/v1/sessions", credentials, **secure), 201)
    assert answer.headers["Set-Cookie"].startswith("__Host-gradecast=") and "; Secure" in answer.headers["Set-Cookie"]
    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
    for origin, status in (("https://grades.example.org", 201), ("http://grades.example.org", 403)):
        assert server.api().post("/v1/sessions", credentials, origin=origin, **secure).status == status


def test_a_host_that_is_not_the_servers_is_refused_through_the_proxy(behind):
    for host in ("evil.example", "grades.example.org.evil.example"):
        answer = behind[1].api().get("/v1/schemes", host=host)
        assert (answer.status, answer.json["code"]) == (421, "misdirected")
    assert behind[1].api().get("/v1/schemes", host="grades.example.org").status == 200


def test_live_documents_come_through_the_proxy(behind):
    follow(behind[1])


@pytest.mark.slow("fails to sign in until it is refused, each time at the price of a password")
def test_what_an_untrusted_peer_says_of_its_address_is_ignored(tmp_path):
    config = {"listen": {"proxies": ["127.0.0.1"]}, "institutions": []}
    server = gradecast.Server(tmp_path, config, demo=False).start()
    try:

        def attempt(number, **headers):
            connection = http.client.HTTPConnection(
                "127.0.0.1", server.port, timeout=TIMEOUT, source_address=("127.0.0.9", 0)
            )
            body = json.dumps({"login": f"nobody-{number}", "password": "wrong horse battery"})
            connection.request("POST", "/v1/sessions", body, {"Content-Type": "application/json", **headers})
            status = connection.getresponse().status
            connection.close()
            return status

        found = []
        while 429 not in found and len(found) < 60:
            found.append(attempt(len(found), **{"X-Forwarded-For": f"198.51.100.{len(found)}"}))
        assert found[:20] == [401] * 20 and found[-1] == 429
        wrong = {"login": "nobody", "password": "wrong horse battery"}
        assert Api("127.0.0.1", server.port).post("/v1/sessions", wrong).status == 401
    finally:
        server.kill()
