"""Behind a real Caddy on loopback: the page, who the client is, what stays inside, and live connections."""

import json
import subprocess

import pytest
from proxy import CADDY, DEPLOY, Caddy, follow

import gradecast
from client import changed

CONFIG = {"listen": {"proxies": ["127.0.0.1"], "names": ["grades.example.org"]}}


@pytest.fixture(scope="module")
def behind(tmp_path_factory):
    """A server behind Caddy, and the proxy."""
    directory = tmp_path_factory.mktemp("behind")
    server = gradecast.Server(directory, CONFIG).start()
    proxy = Caddy(directory, server).start()
    yield server, proxy
    proxy.stop()
    assert server.stop() == 0, server.output()


def test_the_shipped_file_is_what_caddy_reads(tmp_path):
    adapted = subprocess.run(
        [CADDY, "adapt", "--config", DEPLOY / "Caddyfile", "--adapter", "caddyfile"],
        capture_output=True,
        text=True,
        timeout=gradecast.PATIENCE,
        env={"HOME": str(tmp_path)},
    )
    assert adapted.returncode == 0, adapted.stderr
    assert "not formatted" not in adapted.stderr
    (server,) = json.loads(adapted.stdout)["apps"]["http"]["servers"].values()
    assert server["routes"][0]["match"] == [{"host": ["grades.example.org"]}] and server["listen"] == [":443"]


def test_the_page_and_the_api_come_through(behind):
    api = behind[1].api()
    page = api.get("/")
    assert page.status == 200 and page.headers["Content-Type"].startswith("text/html")
    assert "Content-Security-Policy" in page.headers
    script = api.get("/app/main.js")
    assert script.status == 200 and script.body == behind[0].api().get("/app/main.js").body
    assert api.get("/v1/schemes").status == 200


def test_metrics_are_not_reachable(behind):
    for api in (behind[1].api(), behind[1].signed_in("administrator")):
        assert api.get("/metrics").status == 404
        assert api.get("/readyz").json == {"status": "ready"}


def test_what_a_client_says_of_its_address_is_replaced(behind):
    server, proxy = behind
    student = proxy.api().sign_up()
    spoofed = {"forwarded": "for=203.0.113.9", "x_forwarded_for": "203.0.113.9", "x_forwarded_proto": "https"}
    body = {"login": student.login, "password": student.password, "cookie": True}
    answer = changed(proxy.api().post("/v1/sessions", body, **spoofed), 201)
    # Plain HTTP as it came: the cookie is not one of TLS, and the trail names the real client.
    assert "__Host-" not in answer.headers["Set-Cookie"]
    lines = proxy.signed_in("administrator").get(f"/v1/audit?account={student.account['id']}").body.decode()
    assert "203.0.113.9" not in lines and "127.0.0.1" in lines


def test_a_host_that_is_not_the_servers_is_refused(behind):
    answer = behind[1].api().get("/v1/schemes", host="evil.example")
    assert (answer.status, answer.json["code"]) == (421, "misdirected")
    assert behind[1].api().get("/v1/schemes", host="grades.example.org").status == 200


def test_live_documents_come_through(behind):
    follow(behind[1])
