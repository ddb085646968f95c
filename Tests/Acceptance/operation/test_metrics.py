"""The metrics as Prometheus reads them, and the alerts that it makes of them."""

import http.server
import json
import pathlib
import re
import signal
import subprocess
import threading

import pytest
from programs import until

import gradecast
from client import Api, changed
from live import Events

ROOT = pathlib.Path(__file__).resolve().parents[3]
RULES = ROOT / "deploy" / "prometheus"
DASHBOARDS = ROOT / "deploy" / "grafana"


@pytest.fixture(scope="module")
def management(server):
    return server.management()


def samples(management):
    """The numbers of a report, by name with labels."""
    report = management.get("/metrics").body.decode()
    return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in report.splitlines() if line[0] != "#"}


def test_requests_are_timed_by_method_route_and_status(guest, management):
    assert guest.get("/v1/schemes/chalkboard").status == 200
    assert guest.get("/v1/schemes/no-such-scheme").status == 404
    found = samples(management)
    for code in (200, 404):
        labels = f'method="GET",route="/v1/schemes/{{scheme}}",code="{code}"'
        count = found[f"http_request_duration_seconds_count{{{labels}}}"]
        assert count >= 1 and found[f'http_request_duration_seconds_bucket{{{labels},le="+Inf"}}'] == count
    # Whatever addresses people try, there are no more routes than the server has.
    for number in range(5):
        assert guest.get(f"/v1/unknown-{number}").status == 404
    assert not any("unknown" in name for name in samples(management))


def standings(found, what, code):
    """How many requests for a standing were answered so since the server started, also for other tests."""
    labels = f'method="GET",route="/v1/records/{{record}}/standing",code="{code}"'
    return found.get(f"http_{what}_duration_seconds_count{{{labels}}}", 0)


def test_long_polls_and_streams_are_timed_apart(student, board, server, management):
    record, _ = board
    path = f"/v1/records/{record.id}/standing"
    tag = student.get(path).etag
    before = samples(management)
    assert student.get(path, prefer="wait=1", if_none_match=tag).status == 304
    events = Events(server, student.token, f"standing/{record.id}")
    assert events.status == 200
    events.close()
    until(
        lambda: standings(samples(management), "long_poll", 304),
        lambda count: count == standings(before, "long_poll", 304) + 1,
    )
    # A refusal has not waited, and neither has a request with another preference.
    assert server.api().get(path, prefer="wait=1", if_none_match=tag).status == 401
    assert student.get(path, prefer="return=minimal").status == 200
    found = until(
        lambda: samples(management),
        lambda now: all(
            standings(now, "request", code) == standings(before, "request", code) + 1 for code in (200, 401)
        ),
    )
    assert standings(found, "request", 304) == standings(before, "request", 304)
    for code in (200, 401):
        assert standings(found, "long_poll", code) == standings(before, "long_poll", code)
    assert found['http_stream_opening_duration_seconds_count{method="GET",route="/v1/live/events",code="200"}'] >= 1


def test_readers_are_counted_by_form_while_they_are_there(live, student, management):
    def readers():
        return samples(management)['gradecast_live_readers{form="websocket"}']

    before = readers()
    connections = [live(student.token) for _ in range(3)]
    until(readers, lambda count: count == before + 3)
    for connection in connections:
        connection.close()
    until(readers, lambda count: count == before)


def test_a_grade_shows_in_the_commits_and_in_the_lag_of_the_push(live, student, board, management):
    record, entry = board
    reader = live(student.token)
    reader.subscribe(f"standing/{record.id}")
    before = samples(management)
    changed(record.patch(entry, {"title": "Analysis"}))
    reader.until(f"standing/{record.id}", record.version)
    counts = (
        "gradecast_push_lag_seconds_count",
        "gradecast_store_commit_seconds_count",
        "gradecast_store_changes_total",
    )
    found = until(lambda: samples(management), lambda now: all(now[name] > before[name] for name in counts))
    assert found["gradecast_store_bytes"] > 0
    # The disk of PostgreSQL may be another machine's.
    assert (found.get("gradecast_store_free_bytes", 0) > 0) == (gradecast.STORE == "sqlite")


def test_the_report_follows_the_rules_of_prometheus(management):
    report = management.get("/metrics").body
    found = subprocess.run(
        ["promtool", "check", "metrics"], input=report, capture_output=True, timeout=gradecast.PATIENCE
    )
    assert found.returncode == 0, found.stdout + found.stderr
    assert re.search(r'^gradecast_build_info\{version="[0-9.]+"\} 1$', report.decode(), re.MULTILINE)


def test_top_shows_what_the_server_does(server, student, board, live):
    place = server.management().connection
    reader = live(student.token)
    found = subprocess.run(
        [gradecast.BINARY, "top", f"{place.host}:{place.port}", "--once"],
        capture_output=True, text=True, timeout=gradecast.PATIENCE,
    )  # fmt: skip
    assert found.returncode == 0 and found.stderr == "", found
    lines = dict(line.split(maxsplit=1) for line in found.stdout.splitlines()[:8])
    assert re.fullmatch(r"[1-9]\d* websocket, \d+ stream, \d+ poll", lines["readers"]), lines
    free = r"[\d.]+ [MGT]B" if gradecast.STORE == "sqlite" else "–"
    assert re.fullmatch(rf"database [\d.]+ [kM]B, free {free}", lines["disk"]), lines
    # Reading the metrics is no request of the API.
    assert lines["requests"].endswith("conflicts 0, throttled 0, errors 0")
    reader.close()


class Faker(http.server.BaseHTTPRequestHandler):
    """A server that is none of ours, with everything that a report can do to a reader."""

    REPORT = b"".join(
        [
            b'gradecast_build_info{version="\x1b]0;title\x07\x1b[2J"} 1\n',
            b'http_request_duration_seconds_count{method="\x1b[1;1H",route="/a\\nb",code="x} 1e400\nodd{ 1\n} 2\nodd NaN\n',
            b"".join(b'http_request_duration_seconds_bucket{route="/%d",le="%d"} %d\n' % (n, le, n * 1000 + le) for n in range(3000) for le in range(5)),
            b"gradecast_store_bytes NaN\ngradecast_store_free_bytes +Inf\ngradecast_store_changes_total 1e308\n",
        ]
    )  # fmt: skip

    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        # Each report counts more than the one before.
        self.wfile.write(self.REPORT + b'gradecast_live_readers{form="poll"} 1e30\n')

    def log_message(self, *_):
        pass


@pytest.fixture
def faker():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Faker)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_address[1]
    server.shutdown()
    server.server_close()


@pytest.mark.slow("has top read two reports of 15,000 buckets, which it does a second apart")
def test_top_shows_whatever_it_is_told_and_no_control_characters(faker):
    command = [gradecast.BINARY, "top", str(faker), "--once"]
    found = subprocess.run(command, capture_output=True, timeout=gradecast.PATIENCE)
    assert found.returncode == 0 and found.stderr == b"", found
    assert not re.search(rb"[\x00-\x09\x0b-\x1f]", found.stdout), found.stdout
    assert "free \N{EN DASH}" in found.stdout.decode()


@pytest.mark.slow("ends top twice, each time after its first picture, which takes a second")
def test_top_ends_with_a_signal_and_when_nobody_reads_on(server):
    place = server.management().connection
    command = [gradecast.BINARY, "top", f"{place.host}:{place.port}"]
    for end in ("signal", "pipe"):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert process.stdout.readline().startswith(b"Gradecast")
        if end == "signal":
            process.send_signal(signal.SIGINT)
        else:
            process.stdout.close()
        assert process.wait(timeout=gradecast.PATIENCE) == (0 if end == "signal" else -signal.SIGPIPE)
        assert process.stderr.read() == b""


def test_top_says_why_it_shows_nothing(server):
    def top(*words):
        return subprocess.run(
            [gradecast.BINARY, "top", *words], capture_output=True, text=True, timeout=gradecast.PATIENCE
        )

    nobody = top(str(gradecast.free_port()), "--once")
    assert nobody.returncode == 1 and "cannot be read" in nobody.stderr
    elsewhere = top(str(server.port), "--once")
    assert elsewhere.returncode == 1 and "answers 404" in elsewhere.stderr
    assert top().returncode == 64


# Names of metrics in an expression; what else has underscores there are functions and labels.
NAME = re.compile(r"\b((?:gradecast|http|process)_\w+?)(?:_bucket|_count|_sum)?\b(?!=)")
ELSEWHERE = {
    "gradecast_store_free_bytes": "with the store in a file",
    "gradecast_last_backup_timestamp_seconds": "with the store in a file",
    "gradecast_certificate_end_timestamp_seconds": "with a certificate",
    "gradecast_scheme_calls_total": "with a scheme in a process of its own",
    "gradecast_nodes_log_lag_seconds": "with several nodes over one database",
    "gradecast_mails_failed_total": "with a mail server",
    "gradecast_mails_waiting": "with a mail server",
}


def expressions():
    """What the rules and the dashboards ask for."""
    for block, line in re.findall(r"expr: (?:\|\n((?: {10}.*\n)+)|(.*)\n)", (RULES / "rules.yml").read_text()):
        yield block or line
    for dashboard in DASHBOARDS.glob("*.json"):
        for panel in json.loads(dashboard.read_text())["panels"]:
            yield from (target["expr"] for target in panel["targets"])


def test_rules_and_dashboards_ask_for_metrics_that_there_are(student, board, management):
    there = set(re.findall(r"^# TYPE (\w+)", management.get("/metrics").body.decode(), re.MULTILINE))
    named = {name for expression in expressions() for name in NAME.findall(expression)}
    assert len(named) > 10 and named - there <= ELSEWHERE.keys(), named - there


def test_the_rules_fire_when_they_should():
    command = ["promtool", "test", "rules", RULES / "tests.yml"]
    found = subprocess.run(command, capture_output=True, text=True, timeout=gradecast.PATIENCE)
    assert found.returncode == 0, found.stdout + found.stderr


def test_every_alert_says_what_to_do():
    rules = (RULES / "rules.yml").read_text()
    alerts = re.findall(r"- alert: (\w+)", rules)
    said = (ROOT / "docs" / "operations.md").read_text()
    assert re.findall(r"runbook: docs/operations.md#(\w+)", rules) == [alert.lower() for alert in alerts]
    assert [alert for alert in alerts if f"\n#### {alert}\n" not in said] == []


@pytest.fixture
def prometheus(server, tmp_path):
    """A Prometheus that reads the server's metrics each second and knows the rules; asks it for an expression."""
    port, management = gradecast.free_port(), server.management()
    (tmp_path / "prometheus.yml").write_text(f"""
global: {{scrape_interval: 1s, evaluation_interval: 1s}}
rule_files: [{RULES / "rules.yml"}]
scrape_configs:
  - job_name: gradecast
    static_configs: [{{targets: ["{management.connection.host}:{management.connection.port}"]}}]
""")
    command = ["prometheus", f"--config.file={tmp_path / 'prometheus.yml'}", f"--storage.tsdb.path={tmp_path / 'data'}"]
    command += [f"--web.listen-address=127.0.0.1:{port}", "--log.level=warn"]
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    api = Api("127.0.0.1", port)

    def asked(path):
        assert process.poll() is None, (tmp_path / "log").read_text()
        try:
            return api.get(path)
        except OSError:
            return None

    until(lambda: asked("/-/ready"), lambda answer: answer is not None and answer.status == 200)
    yield lambda path: json.loads(asked(path).body)["data"]
    api.close()
    process.kill()
    process.wait()


@pytest.mark.slow("waits for Prometheus, which reads nothing in its first five seconds")
def test_a_prometheus_reads_the_metrics_and_the_rules(prometheus):
    question = "/api/v1/query?query=gradecast_build_info*on(instance)up"
    (sample,) = until(lambda: prometheus(question)["result"], lambda found: found)
    assert sample["value"][1] == "1"
    (group,) = prometheus("/api/v1/rules")["groups"]
    assert {rule["health"] for rule in group["rules"]} <= {"ok", "unknown"} and len(group["rules"]) > 10
