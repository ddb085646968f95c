"""The search and what one works on: who finds what, that nothing hidden leaves a trace, and limits."""

import uuid
from urllib.parse import quote

import pytest
from services import access, new_secret, new_service

import gradecast
from access import COLUMNS, CONFIG, World, course
from client import changed
from stored import stored
from test_http import HOST, exchange, statuses


def ask(api, text, more="", **headers):
    return api.get(f"/v1/search?q={quote(text)}{more}", **headers)


def groups(api, text, more="", **headers):
    return {group["kind"]: group for group in changed(ask(api, text, more, **headers)).json["groups"]}


def found(api, kind, text, more=""):
    """The identifiers of a kind that a caller finds, page after page."""
    ids, path = [], f"/v1/search?q={quote(text)}&kind={kind}{more}"
    while path:
        answer = changed(api.get(path)).json["groups"]
        ids += [item["id"] for group in answer for item in group["items"]]
        path = answer[0].get("next") if answer else None
    return ids


def name(api, text, **more):
    """Gives a person a name under which he or she can be found."""
    changed(api.patch("/v1/accounts/me", {"displayName": text, "discoverable": True} | more))
    return api.account["id"]


def word():
    """A word that nothing else on the server has."""
    return "w" + uuid.uuid4().hex[:12]


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    running = gradecast.Server(tmp_path_factory.mktemp("search"), config=CONFIG).start()
    world = World(running)
    name(world.spare, "Findable Zed")
    yield world
    assert running.stop() == 0, running.output()


SIGNED_IN = {"student", "other", "teacher", "colleague", "registrar", "foreign", "administrator", "removed", "invited"}
MEMBERS = {"student", "other", "teacher", "colleague", "registrar"}
EVERYBODY = SIGNED_IN | {"guest"}
# Who finds what: the kind, the words, the thing, and everybody who does.
FINDS = {
    "an open institution": ("institution", lambda world: "demo", lambda world: world.institution("demo"), EVERYBODY),
    "a closed institution": ("institution", lambda world: "coll", lambda world: world.college, MEMBERS),
    "another closed one": ("institution", lambda world: "academy", lambda world: world.academy, {"foreign"}),
    "a program of an open one": (
        "program", lambda world: "open", lambda world: world.programs("demo")["Open"], EVERYBODY
    ),
    "a program of a closed one": ("program", lambda world: "ours", lambda world: world.ours, MEMBERS),
    "a draft": ("program", lambda world: "draft", lambda world: world.draft, {"registrar"}),
    "a class": ("class", lambda world: "logic", lambda world: world.classroom["class"], {"teacher", "registrar"}),
    "a student": (
        "student", lambda world: world.student.login, lambda world: world.student.account["id"],
        {"teacher", "registrar"},
    ),
    "a student without a record": (
        "student", lambda world: world.people["other"].login, lambda world: world.people["other"].account["id"],
        {"registrar"},
    ),
    "one who wants to be found": (
        "person", lambda world: "zed find", lambda world: world.spare.account["id"], SIGNED_IN
    ),
    "a record": ("record", lambda world: "ours", lambda world: world.record, {"student"}),
    "an entry": ("entry", lambda world: "algo", lambda world: f"{world.record}/{world.entry}", {"student"}),
    "a scheme": ("scheme", lambda world: "chalk", lambda world: "chalkboard", EVERYBODY),
    "a regulation": ("regulation", lambda world: "iut", lambda world: "iut", EVERYBODY),
}  # fmt: skip


@pytest.mark.parametrize("thing", FINDS)
def test_each_kind_is_found_by_those_who_may_see_it(world, thing):
    kind, text, wanted, finders = FINDS[thing]
    finds = set()
    for column in COLUMNS:
        if column in ("disabled", "ended"):
            assert ask(world.people[column], text(world)).status == 401
        elif wanted(world) in found(world.people[column], kind, text(world)):
            finds.add(column)
    assert finds == finders


def test_what_one_may_not_see_leaves_no_trace(world):
    secret = word()
    callers = [world.people[name] for name in ("guest", "foreign", "other", "colleague")]
    name(world.server.api().sign_up(), f"{secret} visible")

    def answers():
        texts = (secret, f"{secret} visible", "v", "draft", "algorithms", "person", "logic")
        paths = [f"/v1/search?q={quote(text)}{more}" for text in texts for more in ("", "&limit=1", "&kind=person")]
        return [(answer.status, answer.body) for api in callers for answer in map(api.get, paths)]

    before = answers()
    for _ in range(3):
        world.server.api().sign_up(displayName=f"{secret} hidden")
        mine = world.server.api().sign_up(displayName=f"{secret} visible hidden")
        # Who blocks them is not there for them.
        name(mine, f"{secret} visible hidden")
        for api in callers[1:]:
            name(api, "Viewer")
            changed(mine.call("PUT", f"/v1/accounts/me/blocks/{api.account['id']}"), 204)
            changed(api.patch("/v1/accounts/me", {"discoverable": False, "displayName": "Person"}))
    entry = course(f"{secret} course")
    changed(world.student.post(f"/v1/records/{world.record}/entries", entry), 201)
    draft = {"scheme": "chalkboard", "entry": "both", "title": f"{secret} draft"}
    changed(world.people["registrar"].post(f"/v1/institutions/{world.college}/programs", draft), 201)
    assert answers() == before


def test_an_answer_names_what_a_page_needs(world):
    registrar = world.people["registrar"]
    student = groups(registrar, world.student.login)["student"]["items"][0]
    assert (student["title"], student["login"]) == ("Person", world.student.login)
    assert student["institution"] == world.college
    program = groups(registrar, "draft")["program"]["items"][0]
    assert (program["institutionTitle"], program["published"]) == ("College", False)
    classroom = groups(world.people["teacher"], "logic")["class"]["items"][0]
    assert (classroom["programTitle"], classroom["state"]) == ("Ours", "open")
    entry = groups(world.student, "algorithms")["entry"]["items"][0]
    assert (entry["record"], entry["entry"], entry["recordTitle"]) == (world.record, world.entry, "Ours")
    assert "classEntry" not in entry and "within" not in entry


def test_a_student_number_finds_its_owner(world):
    number, registrar = f"K-{uuid.uuid4().hex[:8]}", world.people["registrar"]
    path = f"/v1/institutions/{world.college}/members/{world.people['other'].account['id']}/student-number"
    changed(registrar.call("PUT", path, {"studentNumber": number}))
    item = groups(registrar, number)["student"]["items"][0]
    assert (item["id"], item["studentNumber"]) == (world.people["other"].account["id"], number)
    assert found(world.people["teacher"], "student", number) == []  # without a record in the program
    changed(registrar.call("PUT", path, {"studentNumber": None}))
    assert found(registrar, "student", number) == []


def test_a_service_account_finds_what_a_guest_finds(world):
    registrar = world.people["registrar"]
    service = new_service(registrar, world.college, scopes=["records:read"])
    caller = access(world.server, service, new_secret(registrar, service)["secret"])
    for text in ("ours", "college", "logic", "person", "chalkboard", "demo"):
        assert changed(ask(caller, text)).body == ask(world.people["guest"], text).body


def test_a_hidden_grade_is_found_by_its_student_once_it_is_released(world):
    mark = word()
    entry = course(mark) | {"hidden": True}
    path = f"/v1/records/{world.record}/entries"
    added = changed(world.people["teacher"].post(path, entry), 201).json["entry"]["id"]
    assert found(world.student, "entry", mark) == []
    changed(world.people["teacher"].patch(f"{path}/{added}", {"hidden": False}))
    assert found(world.student, "entry", mark) == [f"{world.record}/{added}"]


def test_what_one_works_on_comes_by_its_last_change(world):
    teacher, registrar = world.people["teacher"], world.people["registrar"]

    def work(api):
        return [(item["kind"], item["id"], item.get("state")) for item in changed(api.get("/v1/work")).json["items"]]

    mine = world.new_record()[0]
    assert work(world.student)[0] == ("record", mine, None)
    other = changed(world.student.post("/v1/records", {"program": world.ours}), 201).json["record"]["id"]
    assert work(world.student)[0] == ("record", other, None)
    changed(world.student.post(f"/v1/records/{mine}/entries", course(word())), 201)
    items = changed(world.student.get("/v1/work")).json["items"]
    assert (items[0]["id"], items[0]["title"], items[0]["scheme"]) == (mine, "Ours", "chalkboard")
    assert list(items[0]["figures"]) == ["gpa"]
    # A hidden grade is no change that the student knows of.
    hidden = course(word()) | {"hidden": True}
    changed(world.student.post(f"/v1/records/{other}/entries", course(word())), 201)
    before = changed(world.student.get("/v1/work")).body
    changed(teacher.post(f"/v1/records/{mine}/entries", hidden), 201)
    assert changed(world.student.get("/v1/work")).body == before
    assert ("class", world.classroom["class"], "open") in work(teacher)
    assert [item for item in work(teacher) if item[0] == "program"] == [("program", world.ours, "published")]
    assert ("program", world.draft, "draft") in work(registrar)
    assert len(changed(registrar.get("/v1/work?limit=1")).json["items"]) == 1
    assert registrar.get("/v1/work?limit=101").status == 400
    assert work(world.people["foreign"]) == [("program", world.elsewhere, "published")]
    for caller in ("administrator", "removed", "invited"):
        assert work(world.people[caller]) == []


@pytest.mark.parametrize(
    ("title", "texts"),
    [
        ("Élodie Génie-Cœur {}", ("elodie", "GÉNIE", "coeur gen", "genie {}")),
        ("高等数学 {}", ("数", "数学", "高等数学", "学 {}")),
        ("Ольга Ёлкина {}", ("ольга", "ОЛЬ елкина", "{} елк")),
        ("Ångström Łódź Straße {}", ("angstrom", "lodz", "strasse {}")),
    ],
)
def test_people_are_found_in_their_script(student, stranger, title, texts):
    mark = word()
    person = name(student, title.format(mark))
    for text in texts:
        assert person in found(stranger, "person", text.format(mark) if "{}" in text else f"{text} {mark}"), text
    assert found(stranger, "person", f"{mark} nothing") == []


def test_a_consent_withdrawn_and_an_account_deleted_are_gone_at_once(server, stranger):
    for end in ("withdraw", "delete", "rename"):
        student, mark = server.api().sign_up(), word()
        person = name(student, mark)
        assert found(stranger, "person", mark) == [person]
        if end == "withdraw":
            changed(student.patch("/v1/accounts/me", {"discoverable": False}))
        elif end == "delete":
            changed(student.delete("/v1/accounts/me"), 204)
        else:
            changed(student.patch("/v1/accounts/me", {"displayName": "Another"}))
        assert ask(stranger, mark).json == {"groups": []}
    with stored(server) as store:
        strays = "SELECT count(*) FROM search_terms WHERE kind = 'person' AND id NOT IN (SELECT id FROM accounts)"
        assert store.execute(strays).fetchone() == (0,)


def test_pages_go_on_where_the_one_before_ended(server, stranger):
    mark = word()
    people = [name(server.api().sign_up(), f"{mark} {number:02}") for number in range(19)]
    first = groups(stranger, mark)["person"]
    assert [item["id"] for item in first["items"]] == people[:8]
    assert found(stranger, "person", mark) == people
    assert found(stranger, "person", mark, "&limit=5") == people
    assert found(stranger, "person", mark[:-1]) == people
    last = groups(stranger, f"{mark} 18")["person"]
    assert [item["id"] for item in last["items"]] == people[18:]
    assert "next" not in last


@pytest.mark.parametrize(
    "query",
    [
        "", "q=", f"q={'a' * 101}", "q=a&kind=grade", "q=a&limit=0", "q=a&limit=51", "q=a&cursor=x", "q=a&page=2",
        "q=a&cursor=Y1swLCJhIiwiIiwiIl0", "q=b&kind=person&cursor=Y1swLCJhIiwiIiwiIl0",
        "q=a&kind=person&cursor=Y1s5LCJhIiwiIiwiIl0", "q=a&kind=person&cursor=Y1stMSwiYSIsIiIsIiJd",
    ],
)  # fmt: skip
def test_other_questions_are_refused(student, query):
    assert student.get(f"/v1/search?{query}").status == 400


def test_texts_without_a_word_find_nothing(student):
    for text in ("—", "   ", "!?", "\u0301\u0302", "\U0001f600"):
        assert changed(ask(student, text)).json == {"groups": []}


@pytest.mark.slow("searches as often as an address may")
def test_an_account_and_an_address_search_only_so_often(tmp_path):
    server = gradecast.Server(tmp_path, {"plugins": gradecast.PLUGINS, "listen": {"proxies": ["127.0.0.1"]}}).start()
    api, elsewhere = server.api().sign_up(), {"x_forwarded_for": "198.51.100.8"}
    here, end = b"X-Forwarded-For: 198.51.100.7\r\n", b"Connection: close\r\n\r\n"
    for token, burst in ((b"Authorization: Bearer %s\r\n" % api.token.encode(), 20), (b"", 10)):
        # One behind the other at once, for what is used up comes back with time.
        search = b"GET /v1/search?q=a HTTP/1.1\r\n" + HOST + token + here
        answers = exchange(server, (search + b"\r\n") * (burst * 20 - 1) + search + end)
        found = statuses(answers)
        assert len(found) == burst * 20 and found[:burst] == [200] * burst and set(found) == {200, 429}
        refused = [answer for answer in answers.split(b"HTTP/1.1 ") if answer.startswith(b"429 ")]
        assert all(b'"code":"rate_limited"' in answer and b"\r\nRetry-After: 1\r\n" in answer for answer in refused)
    # An account is the same everywhere, and guests of another address have searches of their own.
    changed(ask(server.api(), "a", **elsewhere))
    assert server.stop() == 0, server.output()


COMMON = 20_000


def words(number):
    """The terms of one of them, as the index keeps them in each of their rows."""
    return "\1" + "\1".join(sorted(("common", "sense", f"{number:05}"))) + "\1"


@pytest.fixture(scope="module")
def crowd(tmp_path_factory):
    """A server with 20,000 people who share a word, in the order of their numbers."""
    server = gradecast.Server(tmp_path_factory.mktemp("crowd")).start()
    api = server.api().sign_up()
    assert server.stop() == 0, server.output()
    with stored(server) as store:
        columns = "login, display_name, description, gender, hue, locale, disabled, search, discoverable"
        store.executemany(
            f"INSERT INTO accounts (id, created_at, {columns}) VALUES (?, 1, ?, ?, '', 'unspecified', 0, '', 0, '', 1)",
            ((f"c{number:05}", f"c{number:05}", f"Common Sense {number:05}") for number in range(COMMON)),
        )
        store.executemany(
            "INSERT INTO search_terms VALUES ('found', 'person', ?, ?, ?, ?)",
            (
                (term, f"common sense {number:05}", f"c{number:05}", words(number))
                for number in range(COMMON)
                for term in ("common", "sense", f"{number:05}")
            ),
        )
    server.start()
    yield server, api
    assert server.stop() == 0, server.output()


# Fills the index with more rows than one search looks at.
@pytest.mark.slow("pages through all 20,000 people who share a word, fifty at a time")
def test_the_commonest_word_is_searched_within_bounds(crowd):
    server, api = crowd
    first = [f"c{number:05}" for number in range(8)]
    texts = ["common", ("common " * 20)[:100], " ".join("common"[:end] for end in range(1, 7)), "sen com", "c s"]
    for text in texts:
        assert [item["id"] for item in groups(api, text)["person"]["items"]] == first, text
    # The rare one is found among all of them, whatever stands beside it.
    for text in ("common sense 19999", "sense 19999 com"):
        assert found(api, "person", text) == ["c19999"], text
    assert found(api, "person", "common sense", "&limit=50") == [f"c{number:05}" for number in range(COMMON)]


@pytest.mark.slow("has the doctor compare the index of 20,000 people twice, once it is right")
def test_the_doctor_finds_an_index_that_differs(crowd):
    server, _ = crowd
    command = ["doctor", "--data", server.data]
    assert gradecast.run(*command).returncode == 0
    with stored(server) as store:
        store.execute("DELETE FROM search_terms WHERE id = 'c00007' AND term = 'sense'")
    checked = gradecast.run(*command)
    assert checked.returncode == 1
    assert "search index, person c00007: differs" in checked.stdout
    with stored(server) as store:
        row = ("found", "person", "sense", "common sense 00007", "c00007", words(7))
        store.execute("INSERT INTO search_terms VALUES (?, ?, ?, ?, ?, ?)", row)
