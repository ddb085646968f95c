"""The client for other programs (`/client/gradecast.js`) in pages of another origin, as an integrator uses it."""

import http.server
import pathlib
import random
import re
import threading

import board
import pytest
from conftest import configured
from waiting import eventually

from client import Api, changed
from gradecast import PLUGINS

ROOT = pathlib.Path(__file__).resolve().parents[3]
GUIDE = (ROOT / "docs" / "javascript-client.md").read_text(encoding="utf-8")
TYPES = (ROOT / "Web" / "client" / "gradecast.d.ts").read_text(encoding="utf-8")

BEGIN = """async ([server, token]) => {
    const { Gradecast, Problem, Unreachable } = await import(server + '/client/gradecast.js');
    Object.assign(window, { Gradecast, Problem, Unreachable, shown: [], ended: [], statuses: [] });
    window.grades = new Gradecast(server, { token, language: 'en' });
    grades.onStatus(({ kind }) => statuses.push(kind));
}"""
TITLES = "[...grades.shown(window.record).entries].map(entry => entry.fields.title)"
FOLLOW_RECORD = """async record => {
    window.record = record;
    await new Promise(resolve => grades.follow('record/' + record, document => { window.doc = document; resolve(); }));
}"""


class Quiet(http.server.BaseHTTPRequestHandler):
    """An empty page at every address."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>Elsewhere</title>")

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def elsewhere():
    """The origin of pages that are not the server's."""
    pages = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
    threading.Thread(target=pages.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{pages.server_port}"
    pages.shutdown()
    pages.server_close()


@pytest.fixture(scope="module")
def campus(elsewhere, tmp_path_factory):
    """A server that lists the other origin. What it refuses counts for addresses, and all here have the same."""
    configuration = {"plugins": PLUGINS, "origins": [elsewhere], "limits": {"drainSeconds": 1}}
    with configured(tmp_path_factory.mktemp("campus"), configuration) as server:
        yield server


@pytest.fixture
def student(campus):
    return Api("127.0.0.1", campus.port).sign_up()


@pytest.fixture
def at(browser, elsewhere):
    """Opens pages of the other origin with a client of a server."""
    contexts = []

    def open_page(server, token=None):
        contexts.append(browser.new_context(locale="en-US"))
        page = contexts[-1].new_page()
        page.goto(elsewhere)
        page.evaluate(BEGIN, [server.url, token])
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def editor(campus, at, student):
    """A page in which a student edits a record of one course."""
    record = student.new_record("chalkboard")
    changed(record.add(board.course("Logic", 95)), 201)
    page = at(campus, student.token)
    page.evaluate("() => grades.edit()")
    page.evaluate(FOLLOW_RECORD, record.id)
    return page, record


def course_ops(title, grade=95):
    return [{"op": "add", **board.course(title, grade)}]


def change(page, ops):
    """The outcome of a change."""
    return page.evaluate("ops => grades.change(window.record, ops)", ops)


def titles_of(record):
    return [entry["fields"]["title"] for entry in record.entries]


def test_a_page_of_a_listed_origin_follows_a_figure(campus, at, student):
    record = student.new_record("chalkboard")
    changed(record.add(board.course("Logic", 95)), 201)
    page = at(campus, student.token)
    page.evaluate(
        "id => window.stop = grades.follow('standing/' + id, d => shown.push(d.figures.gpa.display))", record.id
    )
    page.wait_for_function("() => shown.length === 1")
    changed(record.add(board.course("Sets", 70)), 201)
    page.wait_for_function("() => shown.length === 2")
    assert page.evaluate("shown") == ["4.00", "3.00"]
    page.evaluate("() => stop()")
    page.evaluate("id => grades.follow('standing/' + id, d => ended.push(d.figures.gpa.display))", record.id)
    changed(record.add(board.course("Proofs", 70)), 201)
    eventually(page, lambda: page.evaluate("ended.at(-1)") == record.standing().json["figures"]["gpa"]["display"])
    # Who has stopped hears no more.
    assert page.evaluate("shown") == ["4.00", "3.00"]


def test_the_examples_of_the_guide_for_streams_run_in_a_page_of_another_origin(campus, at, student):
    guide = (ROOT / "docs" / "follow.md").read_text(encoding="utf-8")
    follow = re.search(r"^```js\n(.*?)^```$", guide, re.MULTILINE | re.DOTALL)[1]
    record = student.new_record("chalkboard")
    changed(record.add(board.course("Logic", 95)), 201)
    page = at(campus)
    script = "([server, token, record]) => {" + follow + "follow(server, token, record, text => shown.push(text)); }"
    page.evaluate(script, [campus.url, student.token, record.id])
    page.wait_for_function("() => shown.length === 1")
    changed(record.add(board.course("Sets", 70)), 201)
    page.wait_for_function("() => shown.length === 2")
    assert page.evaluate("shown") == ["4.00", "3.00"]


def test_the_examples_of_the_guide_run_as_they_stand(campus, at, student):
    record = student.new_record("chalkboard")
    changed(record.add(board.course("Logic", 95)), 201)
    follow, sign_in, edit, decide = (
        block.replace("https://grades.example.edu", campus.url)
        for block in re.findall(r"^```js\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    )
    load, follow = follow.split("\n", 1)
    load = re.sub(r"import (\{.*\}) from (.*);", r"const \1 = await import(\2);", load)
    page = at(campus)
    heard = page.evaluate(
        """async ([token, record]) => {
            let show; let said = new Promise(resolve => { show = resolve; }); const showStatus = () => {};
            """
        + load
        + follow
        + "const heard = await said; stop(); grades.close(); return heard; }",
        [student.token, record.id],
    )
    assert heard == "4.00"
    entry = record.entries[0]["id"]
    edit = edit.replace("{ grade: 'A' }", "{ title: 'Logic and sets' }")
    edits = page.evaluate(
        """async ([login, password, record, entry]) => {
            const askForCode = async () => ''; let waiting = []; const showWaiting = edits => { waiting = edits; };
            """
        + sign_in
        + edit
        + """
            const edit = { id: 'none' };
            """
        + decide
        + "grades.close(); return [outcome.answer.version, waiting]; }",
        [student.login, student.password, record.id, entry],
    )
    assert edits == [record.version, []]
    assert titles_of(record) == ["Logic and sets"]


def test_the_types_name_what_the_module_has(campus, at):
    page = at(campus)
    has = page.evaluate("Object.getOwnPropertyNames(Gradecast.prototype)")
    described = re.search(r"^export class Gradecast \{\n(.*?)^\}", TYPES, re.MULTILINE | re.DOTALL)[1]
    named = re.findall(r"^  (?:readonly )?(\w+)[(:]", described, re.MULTILINE)
    assert sorted(has) == sorted(named)
    exported = page.evaluate("server => import(server + '/client/gradecast.js').then(Object.keys)", campus.url)
    assert sorted(exported) == sorted(re.findall(r"^export class (\w+)", TYPES, re.MULTILINE))
    assert (
        page.evaluate("server => fetch(server + '/client/gradecast.d.ts').then(answer => answer.text())", campus.url)
        == TYPES
    )


def test_a_page_of_another_origin_learns_nothing(campus, browser):
    context = browser.new_context()
    page = context.new_page()
    # The server answers there, too, but as another origin.
    page.goto(f"http://127.0.0.1:{campus.port}/manifest.webmanifest")
    for script in ("server => import(server + '/client/gradecast.js')", "server => fetch(server + '/v1/schemes')"):
        assert (
            page.evaluate(f"server => ({script})(server).then(() => 'read', error => error.name)", campus.url)
            == "TypeError"
        )
    context.close()


def test_a_listener_that_throws_keeps_nobody_from_hearing(campus, at, student):
    record = student.new_record("chalkboard")
    page = at(campus, student.token)
    page.evaluate("() => addEventListener('error', event => ended.push(event.error.message))")
    page.evaluate(
        """id => {
            grades.follow('standing/' + id, () => { throw new Error('mine'); });
            grades.follow('standing/' + id, (document, version) => shown.push(version));
        }""",
        record.id,
    )
    page.wait_for_function("() => shown.length === 1")
    changed(record.add(board.course("Logic", 95)), 201)
    page.wait_for_function("() => shown.length === 2 && ended.length === 2")
    assert page.evaluate("[shown, ended]") == [[1, 2], ["mine", "mine"]]


def test_who_closes_the_client_sends_nothing_more(editor):
    page, _ = editor
    page.context.set_offline(True)
    for title in ("Sets", "Proofs"):
        change(page, course_ops(title))
    assert page.evaluate("grades.edits.length") == 2
    page.evaluate("() => grades.close()")
    # They are kept, and the client has nothing left to send.
    assert page.evaluate("[grades.edits.length, Object.keys(localStorage).length]") == [0, 2]


def test_a_guest_is_told_that_a_topic_is_not_theirs(campus, at, student):
    record = student.new_record("chalkboard")
    page = at(campus)
    page.evaluate("id => grades.follow('standing/' + id, d => shown.push(d), why => ended.push(why))", record.id)
    page.wait_for_function("() => ended.length > 0")
    assert page.evaluate("[shown, ended]") == [[], ["forbidden"]]


def test_signing_in_and_out_changes_whose_topics_may_be_read(campus, at, student):
    record = student.new_record("chalkboard")
    login = student.login
    page = at(campus)
    wrong = "login => grades.signIn(login, 'wrong').then(() => 0, ({ code, status }) => [code, status])"
    assert page.evaluate(wrong, login) == ["unauthenticated", 401]
    page.evaluate("([login, password]) => grades.signIn(login, password)", [login, student.password])
    page.evaluate("id => grades.follow('standing/' + id, d => shown.push(d), why => ended.push(why))", record.id)
    page.wait_for_function("() => shown.length === 1")
    assert page.evaluate("() => grades.get('/v1/accounts/me').then(({ body }) => body.login)") == login
    page.evaluate("() => grades.signOut()")
    page.wait_for_function("() => ended.length === 1")
    assert page.evaluate("[grades.token, ended]") == [None, ["forbidden"]]


def test_a_session_that_ends_elsewhere_is_told(campus, at, student):
    other = Api("127.0.0.1", campus.port).sign_in(student.login, student.password)
    record = student.new_record("chalkboard")
    page = at(campus, other.token)
    page.evaluate("id => grades.follow('standing/' + id, d => shown.push(d))", record.id)
    page.wait_for_function("() => shown.length === 1")
    changed(other.delete("/v1/sessions/current"), 204)
    page.wait_for_function("() => grades.status.refused")
    assert page.evaluate("grades.status.refused") == 4503
    page.evaluate("([login, password]) => grades.signIn(login, password)", [student.login, student.password])
    page.wait_for_function("() => shown.length === 2 && grades.status.kind === 'live'")
    changed(student.delete("/v1/sessions"), 204)
    page.wait_for_function("() => grades.status.refused")
    page.evaluate("() => grades.signOut()")
    assert page.evaluate("grades.token") is None


def test_a_change_is_entered(editor):
    page, record = editor
    outcome = change(page, course_ops("Sets"))
    assert outcome["answer"]["version"] == record.version
    assert titles_of(record) == ["Logic", "Sets"]
    page.wait_for_function(f"() => {TITLES}.length === 2")
    assert page.evaluate("grades.edits") == []


def test_a_refused_change_is_thrown_with_its_fault(editor):
    page, record = editor
    ops = [{"op": "patch", "entry": record.entries[0]["id"], "fields": {"units": "many"}}]
    told = page.evaluate(
        "ops => grades.change(record, ops).then(() => 0, ({ status, faults }) => [status, faults.length])", ops
    )
    assert told == [422, 1]
    assert page.evaluate("grades.edits") == []


def test_changes_without_a_network_are_shown_and_entered_later(editor):
    page, record = editor
    page.context.set_offline(True)
    assert change(page, course_ops("Sets")) == {"queued": True}
    assert page.evaluate(TITLES) == ["Logic", "Sets"]
    assert titles_of(record) == ["Logic"]
    page.context.set_offline(False)
    page.wait_for_function("() => grades.edits.length === 0")
    assert titles_of(record) == ["Logic", "Sets"]


def test_changes_wait_for_their_author_over_a_new_page(editor, campus):
    page, record = editor
    page.context.set_offline(True)
    change(page, course_ops("Sets"))
    token = page.evaluate("grades.token")
    # The page goes before it could send anything.
    page.evaluate("() => grades.close()")
    page.context.set_offline(False)
    page.reload()
    assert titles_of(record) == ["Logic"]
    stored = page.evaluate("Object.entries(localStorage).map(entry => entry.join(' ')).join()")
    assert "gradecast.edit." in stored and "Sets" not in stored
    page.evaluate(BEGIN, [campus.url, token])
    page.evaluate("() => grades.edit()")
    eventually(page, lambda: titles_of(record) == ["Logic", "Sets"])
    page.wait_for_function("() => grades.edits.length === 0")


@pytest.mark.parametrize(("decision", "left"), [("insist", "Mine"), ("discard", "Theirs")])
def test_a_conflict_is_decided_by_its_author(editor, decision, left):
    page, record = editor
    entry = record.entries[0]["id"]
    page.context.set_offline(True)
    change(page, [{"op": "patch", "entry": entry, "fields": {"title": "Mine"}}])
    changed(record.patch(entry, {"title": "Theirs"}))
    page.context.set_offline(False)
    page.wait_for_function("() => grades.edits[0]?.state === 'conflict'")
    assert page.evaluate("grades.edits[0].base") == {entry: {"title": "Logic"}}
    assert titles_of(record) == ["Theirs"]
    page.evaluate(f"() => grades.{decision}(grades.edits[0].id)")
    eventually(page, lambda: titles_of(record) == [left])
    page.wait_for_function(f"() => grades.edits.length === 0 && {TITLES}[0] === '{left}'")


def test_a_shelf_of_the_programs_own_keeps_the_edits(campus, at, student):
    record = student.new_record("chalkboard")
    page = at(campus, student.token)
    page.evaluate("""async () => {
        const kept = window.kept = new Map();
        await grades.edit({ shelf: {
            list: async () => [...kept.values()],
            put: async edit => { kept.set(edit.id, edit); },
            replace: async edit => { if (kept.has(edit.id)) kept.set(edit.id, edit); },
            remove: id => { kept.delete(id); },
        } });
    }""")
    page.evaluate(FOLLOW_RECORD, record.id)
    page.context.set_offline(True)
    change(page, course_ops("Sets"))
    assert page.evaluate("[kept.size, Object.keys(localStorage).length]") == [1, 0]
    page.context.set_offline(False)
    page.wait_for_function("() => kept.size === 0 && grades.edits.length === 0")
    assert titles_of(record) == ["Sets"]


def test_edits_stay_behind_when_another_person_signs_in(editor, campus):
    page, record = editor
    other = Api("127.0.0.1", campus.port).sign_up()
    page.context.set_offline(True)
    change(page, course_ops("Sets"))
    page.evaluate("() => grades.close()")
    page.context.set_offline(False)
    page.evaluate(BEGIN, [campus.url, other.token])
    page.evaluate("() => grades.edit()")
    assert page.evaluate("grades.edits") == []
    assert titles_of(record) == ["Logic"]
    page.evaluate("() => grades.close()")
    page.evaluate(BEGIN, [campus.url, record.api.token])
    page.evaluate("() => grades.edit()")
    eventually(page, lambda: titles_of(record) == ["Logic", "Sets"])


def test_rows_of_a_class_come_live(campus, at):
    entry = campus.sign_ins()["teacher"]
    teacher = Api("127.0.0.1", campus.port).sign_in(entry["login"], entry["password"])
    grades = teacher.get("/v1/classes").json["items"][0]["id"]
    page = at(campus, teacher.token)
    page.evaluate(
        """async id => {
            window.stop = await grades.followRows('grid/' + id, now => shown.push([now.rows.size, [...now.changed]]));
        }""",
        grades,
    )
    page.wait_for_function("() => shown.length === 1")
    count, names = page.evaluate("shown[0]")
    assert count == len(names) > 0
    page.evaluate("() => { stop(); grades.close(); }")
    assert page.evaluate("grades.status.kind") == "idle"


@pytest.mark.slow("kills the server again and again under two pages that edit")
@pytest.mark.parametrize("seed", [1, 2])
def test_two_clients_converge_over_cut_connections_and_killed_servers(campus, at, student, seed):
    dice = random.Random(seed)
    record = student.new_record("rose-hulman")
    pages = [at(campus, student.token) for _ in range(2)]
    for page in pages:
        page.evaluate("() => grades.edit()")
        page.evaluate(FOLLOW_RECORD, record.id)
    typed, isolated = [], set()
    for step in range(14):
        page = dice.choice(pages)
        match dice.choice(["type", "type", "type", "cut", "mend", "kill"]):
            case "type":
                typed.append(f"Course {step}")
                # Whether it is answered or waits depends on what happens meanwhile; nobody waits for either.
                fields = {"title": typed[-1], "quarter": 1, "year": 2027, "credits": 4}
                ops = [{"op": "add", "kind": "course", "fields": fields}]
                page.evaluate("ops => void grades.change(record, ops)", ops)
            case "cut":
                page.context.set_offline(True)
                isolated.add(page)
            case "mend":
                page.context.set_offline(False)
                isolated.discard(page)
            case "kill":
                campus.kill()
                campus.start()
    for page in isolated:
        page.context.set_offline(False)
    for page in pages:
        page.evaluate("() => dispatchEvent(new Event('online'))")
    for page in pages:
        page.wait_for_function("() => grades.edits.length === 0 && grades.status.kind === 'live'")
    assert sorted(titles_of(record)) == sorted(typed)
    for page in pages:
        eventually(page, lambda: page.evaluate(TITLES) == titles_of(record))  # noqa: B023
