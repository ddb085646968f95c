"""Programs whose rules are a document: from the library to a grade that a student sees moving."""

import pytest
from programs import Program, enrolled

import gradecast
from client import changed

CATEGORIES = "weighted-groups"
HALF = """# Half of the tests

## §1 Result

```rules
regulation half "Half of the tests" fr "La moitié des tests" language 1
rounding shown half up, 1 decimal, judged as shown
setting bar in percent = 50 from 0 to 100 "Bar"
preset strict "Strict" : bar = 60
entry test "Test" statuses excused, absent
    title text
    score grade in percent
figure result in percent "Result" fr "Résultat" shown by shown = mean of score over test
```

## §2 Passing

```rules
outcome passed "Passed"
    needs result reaches bar else below_bar
texts
    below_bar "Below the bar" fr "Sous la barre" zh "低于及格线"
template two "Two tests"
    test "A"
    test "B"
example two "Two tests"
    template two with test "A" score 40 with test "B" score 70
    expect result = 55, passed met
```
"""


def library(api, name):
    return changed(api.get(f"/v1/regulations/library/{name}")).json["document"]


GLASGOW = """# Credit

## §1 Grades

```rules
regulation credit "Credit" language 1
rounding shown half up, 1 decimal, judged as shown
entry course "Course"
    title text
    credits number in credits from 0
entry test in course "Test" statuses excused, absent, pending
    title text
    score grade in percent
entry module "Module"
    title text
entry essay in module "Essay" statuses excused, absent, pending
    title text
    score grade in percent
entry note "Note"
    title text
figure grade of course in percent "Grade" shown by shown = mean of score over test
figure grade of module in percent "Grade" shown by shown = mean of score over essay
```

## §2 Credit

```rules
outcome credit of course "Credit"
    needs (sum of score over test where score >= 40) >= 80 else too_little
```

## §3 Best test

```rules
figure finest in percent "Best" shown by shown = greatest of score over essay of module
```
"""


def of_document(registrar, document, **more):
    """A program of a document, as a draft."""
    settings = more.pop("settings", None)
    configuration = {"document": document} | ({"settings": settings} if settings else {})
    return Program(registrar, "regulations", configuration=configuration, **more)


def test(title, score=None):
    fields = {"title": title} | ({"score": score} if score is not None else {})
    return {"kind": "test", "fields": fields}


test.__test__ = False


# -- the library


def test_the_library_is_offered_and_a_program_begins_with_one_of_its_documents(guest, registrar):
    items = changed(guest.get("/v1/regulations/library")).json["items"]
    names = [item["name"] for item in items]
    assert {"weighted-groups", "iut", "rose-hulman", "licence-lmd", "us-gpa"} <= set(names)
    assert all(item["title"]["fr"] for item in items)
    program = of_document(registrar, library(guest, CATEGORIES))
    assert changed(program.publish()).json["program"]["version"] == 1
    assert guest.get("/v1/regulations/library/none").status == 404


# -- records


def test_a_student_sees_the_grade_of_a_document_move(server, registrar, live):
    program = of_document(registrar, library(registrar, CATEGORIES))
    changed(program.publish())
    student = enrolled(server, registrar)
    record = program.record(student=student.account["id"])
    watcher = live(student.token)
    topic = f"record/{record.id}"
    watcher.subscribe(topic)
    homework = {"kind": "category", "fields": {"title": "Homework", "weight": 40, "drop": 1}}
    homework["children"] = [
        {"kind": "assignment", "fields": {"title": title, "score": score, "max": 10}}
        for title, score in (("First", 8), ("Second", 9), ("Third", 2))
    ]
    exams = {"kind": "category", "fields": {"title": "Exams", "weight": 60}}
    exams["children"] = [{"kind": "assignment", "fields": {"title": "Final", "max": 100}}]
    answer = changed(record.change(*({"op": "add"} | one for one in (homework, exams))))
    total = answer.json["standing"]["figures"]["total"]
    assert total["display"] == "85.00"
    pushed = watcher.until(topic, 2)
    assert pushed["doc"]["standing"]["figures"]["total"]["display"] == "85.00"
    final = record.entries[1]["children"][0]["id"]
    changed(record.patch(final, {"score": 78}))
    pushed = watcher.until(topic, 3)
    standing = pushed["doc"]["standing"]
    assert standing["figures"]["total"]["exact"] == "404/5" and standing["letter"] == "B"


def test_a_record_of_a_document_explains_itself_by_its_articles(registrar):
    program = of_document(registrar, HALF)
    changed(program.publish())
    record = program.record([test("A", 40), test("B")])
    traced = changed(registrar.get(record.path + "/standing?trace=result")).json["traces"]
    assert [node["article"] for node in traced["nodes"] if node["op"] == "figure"] in ([], ["§1 Result"])
    described = changed(registrar.get(program.path + "/description")).json
    assert [(figure["name"], figure["article"]) for figure in described["figures"]] == [("result", "§1 Result")]
    assert [(outcome["name"], outcome["article"]) for outcome in described["outcomes"]] == [("passed", "§2 Passing")]


def test_goals_and_what_ifs_are_answered_for_a_document(registrar):
    program = of_document(registrar, HALF)
    changed(program.publish())
    record = program.record([test("A", 40), test("B")])
    entry = record.entries[1]["id"]
    goal = changed(registrar.post(record.path + "/goals", {"figure": "result", "target": 50})).json
    # 49.95 is shown as 50.0, and judged as it is shown.
    assert [(one["entry"], one["field"], str(one["value"])) for one in goal["inputs"]] == [(entry, "score", "59.9")]
    what_if = {"changes": [{"op": "patch", "entry": entry, "fields": {"score": 90}}]}
    answer = registrar.post(record.path + "/what-if", what_if)
    assert answer.status == 200, answer
    assert answer.json["figures"]["result"]["exact"] == "65"


def test_a_record_begins_with_a_template_of_the_document(registrar):
    program = of_document(registrar, HALF)
    changed(program.publish())
    answer = changed(registrar.post("/v1/records", {"program": program.id, "template": "two"}), 201)
    assert [entry["fields"]["title"] for entry in answer.json["record"]["entries"]] == ["A", "B"]


def test_a_setting_is_rehearsed_published_and_moved_to(registrar):
    program = of_document(registrar, HALF)
    changed(program.publish())
    record = program.record([test("A", 55)])
    assert record.standing().json["outcomes"]["passed"]["state"] == "met"
    changed(program.edit(configuration={"settings": {"bar": "60"}}))
    rehearsal = program.rehearse()
    assert rehearsal["counts"]["outcomes"] == 1
    changed(program.publish(rehearsal["digest"], records="move"))
    program.moved()
    assert record.standing().json["outcomes"]["passed"]["state"] == "unmet"
    configuration = registrar.get(program.path).json["program"]["configuration"]
    assert configuration == {"document": HALF, "settings": {"bar": 60}}


# -- drafts


def test_a_preset_sets_the_settings_and_leaves_the_document(registrar):
    program = of_document(registrar, HALF)
    draft = changed(program.edit(preset="strict")).json["program"]["draft"]
    assert draft["preset"] == "strict"
    assert draft["configuration"] == {"document": HALF, "settings": {"bar": 60}}
    described = changed(registrar.get(program.path + "/description?draft")).json
    assert described["configuration"]["presets"]["strict"]["settings"] == {"bar": 60}
    assert described["configuration"]["defaults"]["settings"] == {"bar": 50}


def test_a_draft_with_faults_is_kept_and_refused_at_publishing_with_all_of_them(server, registrar):
    broken = HALF.replace("mean of score", "mean of scre").replace("reaches bar", "reaches brr")
    program = of_document(registrar, HALF)
    digest = program.rehearse()["digest"]
    warnings = changed(program.edit(configuration={"document": broken})).json["warnings"]
    lines = [1 + broken[: broken.index(word)].count("\n") for word in ("scre", "brr")]
    assert [(one["code"], one["args"]["line"]) for one in warnings] == [("unknown_name", line) for line in lines]
    assert registrar.get(program.path).json["program"]["draft"]["configuration"]["document"] == broken
    for answer in (program.publish(digest), registrar.post(program.path + "/rehearsals")):
        assert answer.status == 422, answer
        assert answer.faults == [("unknown_name", "/configuration/document")] * 2
        fault = answer.json["faults"][0]
        assert fault["args"]["fix"]["replacement"] in ("score", "bar")
    french = registrar.twin(language="fr")
    message = french.post(program.path + "/rehearsals").json["faults"][0]["message"]
    assert "vouliez-vous dire" in message


def test_a_document_whose_example_does_not_come_out_is_not_published(registrar):
    program = of_document(registrar, HALF.replace("result = 55", "result = 56"))
    answer = program.publish()
    assert (answer.status, answer.faults) == (422, [("example_differs", "/configuration/document")])
    assert answer.json["faults"][0]["args"]["example"] == "Two tests"


def test_a_document_that_breaks_a_law_is_not_published(registrar):
    twice = HALF.replace("mean of score over test", "((mean of score over test) + (mean of score over test)) / 2")
    answer = of_document(registrar, twice).publish()
    assert answer.status == 422, answer
    fault = answer.json["faults"][0]
    assert (fault["code"], fault["args"]["law"]) == ("law_broken", "gradesCountOnce")
    assert fault["args"]["record"]["entries"]
    assert (fault["args"]["line"], fault["args"]["column"], fault["args"]["article"]) == (13, 8, "§1 Result")
    assert "a figure of its own" in fault["message"]


RESITS = """# Resits

## §1 Result

```rules
regulation resits "Resits" language 1
rounding shown half up, 2 decimals, judged as shown
entry module "Module"
    title text
    mark grade in percent
    resit grade in percent optional
entry block nested 3 deep
    grade grade in percent
figure average in percent "Average" shown by shown = mean of (max(mark, resit) otherwise mark) over module
figure value of block in percent "Value" shown by shown = if any block then mean of value over block else grade
example better "The better one counts"
    module "A" mark 40 resit 60
    module "B" mark 50
    expect average = 55
```
"""


def test_a_document_in_which_one_of_several_grades_counts_is_published(registrar):
    assert changed(of_document(registrar, RESITS).publish()).json["program"]["version"] == 1
    ignored = RESITS.replace("of value over block else grade", "of grade over block")
    ignored = ignored.replace("if any block then ", "")
    answer = of_document(registrar, ignored).publish()
    assert answer.status == 422, answer
    (fault,) = answer.json["faults"]
    assert (fault["code"], fault["args"]["law"]) == ("law_broken", "gradesCountOnce")


POINTS = """# Points

## §1 Points

```rules
regulation points "Points" language 1
rounding shown half up, 2 decimals, judged as shown
entry chapter "Chapter"
    title text
entry test in chapter "Test" statuses excused
    title text
    score grade out of max
    max number above 0
{rules}
```
"""
MODULES = """# Modules

## §1 Modules

```rules
regulation modules "Modules" language 1
rounding shown half up, 2 decimals, judged as shown
entry module "Module"{statuses}
    title text
    mark grade in percent
    resit grade in percent optional
figure result of module in percent "Result" shown by shown = {formula}
figure average in percent "Average" shown by shown = mean of result over module
```
"""
TWO = ("resit otherwise mark", "if resit is known then resit else mark", "max(mark, resit) otherwise mark")
SOUND = {
    "points": POINTS.replace(
        "{rules}", 'figure total in points "Total" shown by shown = sum of score over test of chapter'
    ),
    "ratio of a chapter": POINTS.replace(
        "{rules}",
        """figure part of chapter in percent "Part" shown by shown = ratio of score to max over test as percent
figure course in percent "Course" shown by shown = mean of part over chapter""",
    ),
    "ratio of all chapters": POINTS.replace(
        "{rules}",
        'figure course in percent "Course" shown by shown = ratio of score to max over test of chapter as percent',
    ),
    "missing scores beside excused": POINTS.replace(
        "{rules}",
        'figure course in percent "Course" shown by shown = mean of (score otherwise 0) / max over test of chapter as percent',
    ),
    **{
        f"{formula}{statuses}": MODULES.replace("{formula}", formula).replace("{statuses}", statuses)
        for formula in TWO
        for statuses in ("", " statuses excused")
    },
}


@pytest.mark.parametrize("name", SOUND)
def test_a_document_of_a_common_rule_is_published(registrar, name):
    assert changed(of_document(registrar, SOUND[name]).publish()).json["program"]["version"] == 1


def test_a_draft_is_described_for_staff_alone(server, registrar, guest):
    program = of_document(registrar, HALF)
    assert changed(registrar.get(program.path + "/description?draft")).json["title"]["fr"] == "La moitié des tests"
    for caller in (guest, enrolled(server, registrar)):
        assert caller.get(program.path + "/description?draft").status in (401, 403, 404)
    changed(program.publish())
    student = enrolled(server, registrar)
    described = changed(student.get(program.path + "/description?version=1")).json
    assert [kind["kind"] for kind in described["shape"]["kinds"]] == ["test"]
    assert described["messages"]["below_bar"]["zh-Hans"] == "低于及格线"
    assert student.get(program.path + "/description?version=2").status == 404
    assert student.get(program.path + "/description?draft").status == 404
    assert registrar.get(program.path + "/description?version=1&draft").status == 400


def test_what_is_not_in_force_yet_is_described(server, registrar):
    program = of_document(registrar, HALF)
    described = program.path + "/description"
    assert changed(registrar.get(described)).json["title"]["fr"] == "La moitié des tests"
    changed(program.publish(effectiveFrom="2999-01-01"))
    assert changed(registrar.get(described)).json["title"]["fr"] == "La moitié des tests"
    student = enrolled(server, registrar)
    assert student.get(described).status == student.get(described + "?version=1").status


def test_the_program_of_a_built_in_scheme_is_described_under_its_own_configuration(registrar):
    program = Program(registrar, "chalkboard")
    changed(program.publish())
    described = changed(registrar.get(program.path + "/description")).json
    general = changed(registrar.get("/v1/schemes/chalkboard")).json
    assert described == general


# -- without an account


def test_a_guest_evaluates_by_a_document(guest):
    question = {"scheme": "regulations", "configuration": {"document": HALF}, "entries": [test("A", 40), test("B", 70)]}
    answer = changed(guest.post("/v1/evaluate", question))
    assert answer.json["figures"]["result"]["exact"] == "55"
    assert answer.json["outcomes"]["passed"]["state"] == "met"
    question["preset"] = "strict"
    assert changed(guest.post("/v1/evaluate", question)).json["outcomes"]["passed"]["state"] == "unmet"
    question["configuration"] = {"document": HALF.replace("score", "scre", 1)}
    assert guest.post("/v1/evaluate", question).status == 422


def test_a_document_is_no_small_calculation_however_it_is_written(guest):
    body = b'{"scheme":"regulations","configuration":{"\\u0064ocument":"# x"},"entries":[]}'
    answer = guest.post("/v1/evaluate", body)
    assert (answer.status, answer.json["code"]) == (400, "malformed")


def test_a_guest_has_a_document_checked(guest):
    review = changed(guest.post("/v1/regulations/check", {"document": HALF})).json
    assert review["faults"] == [] and review["examples"] == [{"name": "Two tests", "differences": []}]
    assert all(law["kept"] for law in review["laws"])
    assert review["lawsTried"] == {"records": 40, "of": 40, "greatest": True}
    assert [item["name"] for item in review["outline"] if item["sort"] == "figure"] == ["result"]
    twice = HALF.replace("mean of score over test", "((mean of score over test) + (mean of score over test)) / 2")
    review = changed(guest.post("/v1/regulations/check", {"document": twice})).json
    (law,) = [law for law in review["laws"] if not law["kept"]]
    assert (law["law"], law["line"], law["column"], law["article"]) == ("gradesCountOnce", 13, 8, "§1 Result")
    assert law["remedy"]["fr"].startswith("prenez chaque note une seule fois")
    broken = HALF.replace("mean of score", "mean of scre")
    review = changed(guest.post("/v1/regulations/check", {"document": broken})).json
    fault = review["faults"][0]
    assert fault["code"] == "unknown_name" and set(fault["message"]) == {"en", "fr", "zh-Hans"}
    start, end = fault["range"]
    assert broken.encode()[start:end] == b"scre"
    edit = fault["fix"]
    mended = broken.encode()[: edit["range"][0]] + edit["replacement"].encode() + broken.encode()[edit["range"][1] :]
    assert mended.decode() == HALF
    assert review["examples"] is None and review["laws"] is None
    wrong = changed(guest.post("/v1/regulations/check", {"document": HALF.replace("= 55", "= 5"), "laws": False})).json
    assert wrong["examples"][0]["differences"][0]["text"]["fr"].startswith("result = 5: 55")
    odd = changed(guest.post("/v1/regulations/check", {"document": HALF, "settings": {"bar": 101}})).json
    assert odd["settingFaults"][0]["code"] == "out_of_range"


def test_a_page_learns_what_it_needs_to_show_a_document(guest):
    question = {"document": HALF, "laws": False, "annotations": True, "record": {"template": "two"}}
    review = changed(guest.post("/v1/regulations/check", question)).json
    source = HALF.encode()
    words = review["annotations"]["words"]
    pairs = list(zip(words["keyword"][::2], words["keyword"][1::2], strict=True))
    assert {"regulation", "figure", "mean", "reaches"} <= {source[start:end].decode() for start, end in pairs}
    result = next(item for item in review["outline"] if item["sort"] == "figure")
    mentions = review["annotations"]["mentions"]
    means = {source[start:end].decode(): place for start, end, place in zip(*[iter(mentions)] * 3, strict=True)}
    assert means["result"] == result["range"][0]
    readings = {reading["of"]: reading["text"] for reading in review["annotations"]["readings"]}
    assert readings[result["range"][0]] == "“Result” = the mean of “score” over “Test”"
    assert [entry["fields"]["title"] for entry in review["record"]["entries"]] == ["A", "B"]
    assert review["record"]["standing"]["figures"]["result"]["exact"] is None
    question["record"] = {"example": "two"}
    review = changed(guest.post("/v1/regulations/check", question)).json
    assert review["record"]["standing"]["figures"]["result"]["display"] == "55.0"
    assert review["record"]["standing"]["outcomes"]["passed"]["state"] == "met"
    # Examples hold under the document's own settings, a record under those of the program.
    review = changed(guest.post("/v1/regulations/check", question | {"settings": {"bar": 60}})).json
    assert review["record"]["standing"]["outcomes"]["passed"]["state"] == "unmet"
    assert review["examples"] == [{"name": "Two tests", "differences": []}]
    question["record"] = {"entries": [test("A", 10), test("B", 20)]}
    review = changed(guest.post("/v1/regulations/check", question)).json
    assert review["record"]["standing"]["figures"]["result"]["exact"] == "15"
    question["record"] = {"entries": [test("A", 101)]}
    review = changed(guest.post("/v1/regulations/check", question)).json
    assert [fault["code"] for fault in review["record"]["refused"]] == ["out_of_range"]
    for odd in ({}, {"template": "none"}, {"example": 7}, {"entries": "x"}):
        changed(guest.post("/v1/regulations/check", question | {"record": odd}))
    question["record"] = {"template": "two"}
    review = changed(
        guest.post("/v1/regulations/check", question | {"document": HALF.replace("score", "scre", 1)})
    ).json
    assert review["record"] is None and review["annotations"]["words"]["heading"][0] == 0
    assert changed(guest.post("/v1/regulations/check", {"document": HALF, "laws": False})).json["annotations"] is None


def test_a_sheet_becomes_an_edit_of_a_table(guest):
    document = guest.get("/v1/regulations/library/but-year").json["document"]

    def asked(text, name="coefficients"):
        question = {"document": document, "examples": False, "laws": False, "table": {"name": name, "text": text}}
        return changed(guest.post("/v1/regulations/check", question)).json["table"]

    answer = asked("\tUE11\tUE12\nR101\t37,5\t20\n")
    edit = answer.pop("edit")
    assert answer == {"separator": "tab", "decimalComma": True, "rows": 1, "columns": 2, "faults": []}
    source = document.encode()
    start, end = edit["range"]
    after = source[:start] + edit["replacement"].encode() + source[end:]
    assert b"UE11  UE12\n    R101  37.5    20\n\n" in after
    review = changed(guest.post("/v1/regulations/check", {"document": after.decode(), "laws": False})).json
    assert review["faults"] == []
    answer = asked(",UE11\nR101,x\n")
    assert answer["edit"] is None and answer["separator"] == "comma"
    fault = answer["faults"][0]
    assert (fault["line"], fault["column"], fault["code"]) == (2, 2, "not_a_number")
    assert set(fault["message"]) == {"en", "fr", "zh-Hans"}
    assert asked("x", "none") is None
    for odd in ("", '"', "a" * 300_000, ",".join("x" * 400) + "\n", "\x00;\u202e\nr;1\n"):
        assert asked(odd)["edit"] is None
    question = {"document": document, "laws": False, "table": {"name": 7, "text": []}}
    assert changed(guest.post("/v1/regulations/check", question)).json["table"] is None
    assert changed(guest.post("/v1/regulations/check", {"document": document, "laws": False})).json["table"] is None


@pytest.mark.parametrize(
    "document",
    [
        "",
        "```rules\n" + "(" * 200_000,
        '```rules\nregulation a "A" language 1\nlet f = ' + "1 + " * 60_000 + "1\n```\n",
        "\x00\u202e```rules\n" * 10_000,
        "x" * (300 << 10),
    ],
)
def test_a_hostile_document_is_refused_in_words(guest, document):
    answer = changed(guest.post("/v1/regulations/check", {"document": document}))
    assert answer.json["faults"] and answer.json["laws"] is None
    question = {"scheme": "regulations", "configuration": {"document": document}, "entries": []}
    assert guest.post("/v1/evaluate", question).status == 422


DEEP = "\n".join(f"outcome o{n}\n    needs o{n - 1} is met and not (o{n - 1} is unmet) else low" for n in range(1, 50))
WIDE = "\n".join(
    f"hidden figure w{n} in percent = ((w{n - 1} in plain) * (w{n - 1} in plain)) in percent" for n in range(1, 60)
)


@pytest.mark.parametrize(
    "rules, status, code",
    [
        ("outcome o0\n    needs result reaches bar else low\n" + DEEP, 200, None),
        (
            "hidden figure w0 in percent = mean of score / 7 over test\n"
            + WIDE
            + "\nfigure z in percent shown by shown = w59",
            422,
            None,
        ),
        ("\n".join(f"figure f{n} of test shown by shown without range = 1" for n in range(21)), 422, "too_much_shown"),
    ],
)
def test_what_a_document_costs_is_bounded(guest, rules, status, code):
    document = HALF.replace("## §2", "```rules\n" + rules + "\n```\n\n## §2")
    question = {
        "scheme": "regulations",
        "configuration": {"document": document},
        "entries": [test(str(n), 40) for n in range(40)],
    }
    answer = guest.post("/v1/evaluate", question)
    assert answer.status == status, answer
    if code:
        assert code in [fault["code"] for fault in answer.json["faults"]]


def test_more_settings_than_a_document_can_have_are_one_fault(guest):
    settings = {f"setting{n}": 1 for n in range(5_000)}
    review = changed(guest.post("/v1/regulations/check", {"document": HALF, "settings": settings})).json
    assert [fault["code"] for fault in review["settingFaults"]] == ["too_many"]


def test_checks_are_paid_for_by_their_cost(tmp_path):
    server = gradecast.Server(
        tmp_path, config={"plugins": gradecast.PLUGINS, "limits": {"evaluationsPerSecond": 10}}, demo=False
    )
    with_limits = server.start()
    try:
        guest = with_limits.api()
        document = HALF + "\n" * (30 << 10)
        statuses = {guest.post("/v1/regulations/check", {"document": document}).status for _ in range(10)}
        assert 429 in statuses
    finally:
        with_limits.kill()


def test_a_server_has_documents_unless_its_operator_leaves_them_out(tmp_path):
    for name in ("usual", "one"):
        (tmp_path / name).mkdir()
    usual = gradecast.Server(tmp_path / "usual", config={}, demo=False).start()
    try:
        assert usual.api().post("/v1/regulations/check", {"document": HALF}).status == 200
    finally:
        usual.kill()
    with_one = gradecast.Server(tmp_path / "one", config={"plugins": [{"builtin": "iut"}]}, demo=False).start()
    try:
        guest = with_one.api()
        assert "regulations" not in [scheme["id"] for scheme in guest.get("/v1/schemes").json["items"]]
        assert guest.post("/v1/regulations/check", {"document": HALF}).status == 404
        assert guest.post("/v1/evaluate", {"scheme": "regulations", "configuration": {"document": HALF}}).status == 422
    finally:
        with_one.kill()


def test_a_check_tells_what_no_class_can_grade_and_what_to_write_instead(guest):
    condition = "needs (sum of score over test where score >= 40) >= 80"
    document = GLASGOW.replace(condition, "awaits every test : score is known")

    def classes(text):
        return changed(guest.post("/v1/regulations/check", {"document": text})).json["classes"]

    course, module = classes(document)
    assert (course["kind"], course["line"], course["column"], course["article"]) == ("course", 28, 9, "§2 Credit")
    assert course["message"].startswith("No class can grade “Course”: “Credit” looks at what stands in it. ")
    figure = "hidden figure open of course without range = count over test where awaiting"
    assert course["message"].endswith(f", as in `{figure}` and `open = 0`")
    assert (module["kind"], module["article"]) == ("module", "§3 Best test")
    mended = document.replace("outcome credit", f"{figure}\noutcome credit")
    mended = mended.replace("awaits every test : score is known", "awaits open = 0")
    assert classes(mended)[0] == {"kind": "course", "label": course["label"]}


def test_what_cannot_be_the_root_of_a_class_is_told_with_what_to_write_instead(registrar):
    program = of_document(registrar, GLASGOW)
    changed(program.publish())

    def refused(root, **fields):
        body = {"title": "X", "root": root, "fields": {"title": "X"} | fields}
        (fault,) = registrar.post(f"{program.path}/classes", body).json["faults"]
        assert fault["path"] == "/root"
        return fault["code"], fault["message"].split(": ", 1)[1].split(". ")[0], fault["args"].get("article")

    of_course = "“Credit” looks at what stands in it"
    assert refused("course", credits=10) == ("not_mountable", of_course, "§2 Credit")
    looks = "“Best” looks at what stands in it"
    assert refused("module") == ("not_mountable", looks, "§3 Best test")
    within = "it stands in “Course”, and a class takes the place of an entry of the record itself"
    assert refused("test") == ("not_mountable", within, None)
    bare = "nothing in it has a grade or a field per student"
    assert refused("note") == ("no_column", bare, None)
    # The outcome becomes a figure, as the answer says.
    mended = GLASGOW.replace(
        """outcome credit of course "Credit"
    needs (sum of score over test where score >= 40) >= 80 else too_little""",
        """figure passed of course in percent "Passed" shown by shown without range = sum of score over test where score >= 40
outcome credit of course "Credit"
    awaits passed >= 80 else too_little""",
    )
    program = of_document(registrar, mended)
    changed(program.publish())
    body = {"title": "X", "root": "course", "fields": {"title": "X", "credits": 10}}
    changed(registrar.post(f"{program.path}/classes", body), 201)
