"""Every page of the client with something on it: for the pictures, for axe, for narrow screens."""

import re

import board
from conftest import PASSWORD, Person
from playwright.sync_api import Page, expect

LOOK = {"reduced_motion": "reduce"}
STRICTER = {
    "bands": [
        {"label": "A", "from": 84, "points": 4},
        {"label": "B", "from": 70, "points": 3},
        {"label": "F", "from": 0, "points": 0},
    ]
}


# The roles whose pages are visited, and the tour of each. None is a guest.
TOURS = {None: "guest"} | {role: role for role in ("newcomer", "student", "registrar", "teacher", "administrator")}


# The files that a page has loaded one by one in addition to the bundle.
SINGLE = """() => performance.getEntriesByType('resource').map(entry => new URL(entry.name).pathname)
    .filter(path => path.startsWith('/app/') && !path.startsWith('/app/built/') && !path.endsWith('/early.js'))"""


class Gallery:
    """A student with records, a registrar with a program and its cohort, an administrator: made once, visited often."""

    def __init__(self, browser, url: str, sign_ins: dict):
        self.browser, self.url = browser, url
        student = Person(browser, url).sign_up()
        self.records = {scheme: new_record(student, scheme) for scheme in ("chalkboard", "rose-hulman", "iut")}
        self.empty = {scheme: new_record(student, scheme) for scheme in ("chalkboard", "rose-hulman")}
        fill_board(student, self.records["chalkboard"])
        fill_courses(student, self.records["rose-hulman"])
        fill_year(student, self.records["iut"])
        registrar = Person(browser, url).sign_in(*sign_ins["registrar"].values())
        self.program = board.graded_program(registrar, "Autumn term", range(40, 101, 3))
        registrar.api("PATCH", f"/v1/programs/{self.program}", {"configuration": STRICTER})
        self.shared = student.api("POST", "/v1/records", {"program": self.program})["body"]["record"]["id"]
        registrar.api("POST", f"/v1/records/{self.shared}/entries", board.course("Algorithms", 80))
        self.written = written_program(registrar)
        self.institution = registrar.api("GET", f"/v1/programs/{self.program}")["body"]["program"]["institution"]
        registrar.api("POST", f"/v1/institutions/{self.institution}/invitations", {"role": "student"})
        administrator = Person(browser, url).sign_in(*sign_ins["administrator"].values())
        teacher = Person(browser, url).sign_in(*sign_ins["teacher"].values())
        self.taught = taught_program(teacher, "rose-hulman")
        self.room = teacher.api("GET", "/v1/classes")["body"]["items"][0]["id"]
        newcomer = Person(browser, url).sign_up()
        people = {"student": student, "newcomer": newcomer, "registrar": registrar, "teacher": teacher}
        people["administrator"] = administrator
        self.states = {role: person.context.storage_state() for role, person in people.items()}
        self.passwords = {role: sign_ins[role]["password"] if role in sign_ins else PASSWORD for role in people}
        self.passwords["student"] = PASSWORD
        for person in people.values():
            person.context.close()

    def tour(self, language: str = "en", roles=TOURS, script: str | None = None, **look):
        """Yields `(name, page)` for every page of some roles in one look; each page is closed before the next."""
        for role in roles:
            pages = globals()[TOURS[role]]
            state = {"storage_state": self.states[role]} if role else {}
            person = Person(self.browser, self.url, **LOOK, **state, **look)
            person.context.add_init_script(f"localStorage.setItem('gradecast.language', '{language}')")
            if script:
                person.context.add_init_script(script)
            if role:
                self.prove(person, role)
            for name, page in pages(person, self):
                settle(page)
                assert page.evaluate(SINGLE) == [], name
                yield name, page
            person.context.close()
            assert person.problems == []

    def prove(self, person, role: str):
        """Proves the identity again: some pages ask for that when the last proof is old, and tours take long."""
        answer = person.api("POST", "/v1/sessions/current/proof", {"password": self.passwords[role]})
        assert answer["status"] == 204, answer


def settle(page: Page):
    """Waits until fonts and pictures are loaded."""
    page.evaluate("""async () => {
        await document.fonts.ready;
        await Promise.all([...document.images].map(image => image.decode().catch(() => null)));
    }""")


def sheet(page: Page) -> Page:
    expect(page.locator("dialog[open]")).to_be_visible()
    return page


def leave(page: Page):
    """Closes the open sheet."""
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)


def guest(person, _):
    for path in ("", "sign-in", "sign-up", "records", "explore", "search", "work", "profile", "no/such/page"):
        yield "guest-" + (path.replace("/", "-") or "home"), person.open(f"/{path}")
    for scheme in ("chalkboard", "rose-hulman", "iut"):
        yield f"guest-calculator-{scheme}", person.open(f"/explore/{scheme}")
    page = person.open("/explore/class")
    yield "guest-class", page
    page.get_by_role("slider").last.press("End")
    expect(page.locator(".moves li").first).to_be_visible()
    yield "guest-class-weights", page
    page = person.open("/docs")
    page.get_by_role("searchbox").fill("evaluate")
    page.locator(".docs-operation summary").first.click()
    expect(page.locator(".docs-trial")).to_be_visible()
    yield "guest-docs", page
    page = person.open("/regulations/try")
    expect(page.locator(".examples li").first).to_be_attached()
    yield "guest-regulation", page


def newcomer(person, _):
    page = person.open("/records")
    yield "records-empty", page
    page.locator(".page-head .button").click()
    expect(page.locator("dialog .option").first).to_be_visible()
    yield "records-new", page


def student(person, gallery):
    yield from board_pages(person, gallery)
    yield from course_pages(person, gallery)
    yield from year_pages(person, gallery)
    for name in ("records", "profile", "explore", "work", "timeline"):
        page = person.open(f"/{name}")
        yield name, page
    page.locator(".timeline .page-head .button.quiet").click()
    expect(page.locator("dialog .notices")).to_be_visible()
    yield "timeline-notices", page
    yield from search_pages(person)
    yield from security_pages(person)
    yield from people_pages(person, gallery)
    page = person.open(f"/records/{gallery.shared}")
    expect(page.locator(".entered-by")).to_be_visible()
    yield "entered", page
    page.locator(".board-line").click()
    yield "entered-edit", sheet(page)


def search_pages(person):
    page = person.open("/search?q=demo")
    expect(page.locator(".search-page .record-link").first).to_be_visible()
    yield "search", page
    page.keyboard.press("Control+k")
    page.locator("dialog .search-box").fill("explo")
    expect(page.locator("dialog [role=option]").first).to_be_visible()
    yield "search-palette", page


def security_pages(person):
    page = person.open("/security")
    yield "security", page
    page.locator(".factor .button").click()
    expect(page.locator(".factor .qr")).to_be_visible()
    yield "security-app", page


def people_pages(person, gallery):
    page = person.open(f"/records/{gallery.records['iut']}")
    page.locator(".tool").nth(3).click()
    page.locator("dialog [type=checkbox]").last.check()
    page.locator("dialog [type=radio]").last.check()
    expect(page.locator(".shared > div")).to_have_count(3)
    yield "sharing", page
    page.locator("dialog [type=submit]").click()
    expect(page.locator("dialog")).to_have_count(0)
    yield "friends", person.open("/people")
    yield "follow", person.open("/people/link")
    account = person.api("GET", "/v1/accounts/me")["body"]["id"]
    page = person.open(f"/people/{account}")
    expect(page.locator(".shared")).to_have_count(1)
    yield "person", page


def board_pages(person, gallery):
    yield "chalkboard-empty", person.open(f"/records/{gallery.empty['chalkboard']}")
    page = person.open(f"/records/{gallery.records['chalkboard']}")
    expect(page.locator(".board-line")).to_have_count(4)
    yield "chalkboard", page
    page.fill('.course-form [name="/children/1/fields/points"]', "101")
    page.locator(".course-form [type=submit]").click()
    expect(page.locator(".course-form .alert, .course-form .fault").first).to_be_visible()
    yield "chalkboard-refused", page
    page.locator(".board-line").first.click()
    yield "chalkboard-edit", sheet(page)
    leave(page)
    page.locator(".board-gpa").click()
    expect(page.locator(".trace")).to_be_visible()
    yield "chalkboard-why", page


def course_pages(person, gallery):
    yield "rose-hulman-empty", person.open(f"/records/{gallery.empty['rose-hulman']}")
    page = person.open(f"/records/{gallery.records['rose-hulman']}")
    page.locator(".course-open").first.click()
    expect(page.locator(".item-line").first).to_be_visible()
    yield "rose-hulman", page
    page.locator(".button.floating").click()
    yield "rose-hulman-add", sheet(page)
    leave(page)
    page.locator(".item-line").first.click()
    yield "rose-hulman-item", sheet(page)
    leave(page)
    page.locator(".tool").nth(1).click()
    page.locator('dialog [name="/target"]').fill("3.5")
    page.locator("dialog [type=submit]").click()
    expect(page.locator(".goal-answer")).to_be_visible()
    yield "goal", page
    leave(page)
    page.locator(".tool").first.click()
    expect(page.locator(".sandbox-banner")).to_be_visible()
    yield "what-if", page


def year_pages(person, gallery):
    page = person.open(f"/records/{gallery.records['iut']}")
    expect(page.locator(".unit")).to_have_count(7)
    yield "iut", page
    page.locator(".subject .round").nth(2).click()
    expect(page.locator(".grade-edit")).to_be_visible()
    yield "iut-unlocked", page
    page.locator(".edit-bar .button").click()
    expect(page.locator(".stepper").first).to_be_visible()
    yield "iut-session", page
    page.locator(".tool").nth(2).click()
    expect(page.locator(".history > li").first).to_be_visible()
    yield "history", page
    leave(page)
    person.context.set_offline(True)
    expect(page.locator('.connection[data-kind="offline"]')).to_be_visible()
    yield "offline", page
    person.context.set_offline(False)


def registrar(person, gallery):
    page = person.open("/programs")
    yield "programs", page
    page.locator(".page-head button").first.click()
    expect(page.locator('dialog [name="/preset"]')).to_be_visible()
    yield "program-new", page
    yield "program", person.open(f"/programs/{gallery.program}")
    page = person.open(f"/programs/{gallery.program}/rules")
    expect(page.locator(".example tbody tr").first).to_be_visible()
    yield "program-rules", page
    page.locator(".more-settings summary").click()
    yield "program-rules-more", page
    yield from regulation_pages(person, f"/programs/{gallery.written}/regulation")
    page = person.open(f"/programs/{gallery.program}/versions")
    page.locator(".rehearsal .actions .button").first.click()
    expect(page.locator(".rehearsal tbody tr").first).to_be_visible()
    yield "program-versions", page
    page.locator("form [type=submit]").click()
    yield "program-publish", sheet(page)
    leave(page)
    yield "members", person.open(f"/institutions/{gallery.institution}/members")
    yield "terms", person.open(f"/institutions/{gallery.institution}/terms")
    yield "program-people", person.open(f"/programs/{gallery.program}/people")
    yield "program-records", person.open(f"/programs/{gallery.program}/records")
    page = person.open(f"/programs/{gallery.program}/cohort")
    expect(page.locator(".bars").first).to_be_visible()
    yield "cohort", page
    page = person.open(f"/programs/{gallery.program}/results")
    page.locator('[name="/text"]').fill(
        "record,path,points\nrecord-7,Algorithms/Final,1\nrecord-7,Algorithms/Viva,ninety\n"
    )
    page.locator("form [type=submit]").first.click()
    expect(page.locator(".preview tbody tr")).to_have_count(2)
    yield "results", page


def regulation_pages(person, path: str):
    """The editor of regulations with each of its parts visible, and with a fault."""
    page = person.open(path)
    expect(page.locator(".examples li").first).to_be_attached()
    yield "regulation", page
    narrow = page.locator(".panes button")
    if narrow.first.is_visible():
        narrow.nth(0).click()
        yield "regulation-articles", page
        narrow.nth(2).click()
        yield "regulation-result", page
    page.locator(".side .segments button").nth(1).click()
    yield "regulation-values", page
    page.locator(".side .segments button").nth(0).click()
    if narrow.first.is_visible():
        narrow.nth(1).click()
    # The text accepts no keys until it is drawn.
    paper = page.locator(".paper textarea")
    expect(paper).to_be_visible()
    paper.evaluate("""area => {
        const place = area.value.indexOf('weighted by weight') + 15;
        area.focus();
        area.setSelectionRange(place, place);
    }""")
    page.keyboard.insert_text("i")
    expect(paper).to_have_value(re.compile("weighted by weiight"))
    expect(page.locator(".faults li")).not_to_have_count(0)
    yield "regulation-fault", page


def written_program(person) -> str:
    """A program whose rules are a document."""
    document = person.api("GET", "/v1/regulations/library/coursework")["body"]["document"]
    body = {"scheme": "regulations", "title": "Own rules", "configuration": {"document": document}}
    return person.api("POST", "/v1/institutions/demo/programs", body)["body"]["program"]["id"]


def teacher(person, gallery):
    yield "teacher-programs", person.open("/programs")
    for section in ("", "/rules", "/versions", "/people", "/classes", "/records", "/cohort", "/results"):
        name = section.replace("/", "-") or "-overview"
        yield f"teacher{name}", person.open(f"/programs/{gallery.taught}{section}")
    yield from class_pages(person, gallery)


def class_pages(person, gallery):
    yield "classes", person.open("/classes")
    page = person.open(f"/classes/{gallery.room}")
    # A phone first shows one column.
    expect(page.locator(".grid-row:not([hidden]), .marks > li").first).to_be_visible()
    yield "class", page
    page.locator(".class-head .tool").first.click()
    yield "class-columns", sheet(page)
    leave(page)
    page.locator(".segments button").last.click()
    expect(page.locator(".total-figure").first).to_be_visible()
    yield "class-student", page


def administrator(person, _):
    for path in ("admin", "admin/accounts", "admin/providers", "admin/audit"):
        yield path.replace("/", "-"), person.open(f"/{path}")
    page = person.page
    expect(page.locator(".audit details").first).to_be_attached()
    page.locator(".audit details").evaluate_all("all => { for (const details of all) details.open = true; }")
    expect(page.locator(".audit details:not(:has(dl, p))")).to_have_count(0)
    yield "admin-audit-open", page
    page = person.open("/admin/accounts")
    page.locator(".record-link .danger").last.click()
    yield "admin-erase", sheet(page)


def program_of(person, scheme: str) -> str:
    items = person.api("GET", "/v1/institutions/demo/programs")["body"]["items"]
    return next(item["id"] for item in items if item["scheme"] == scheme)


# By server and scheme.
TAUGHT: dict[tuple[str, str], str] = {}


def taught_program(person, scheme: str) -> str:
    """The program of the demonstration's class."""
    if (person.url, scheme) not in TAUGHT:
        items = person.api("GET", "/v1/institutions/demo/programs")["body"]["items"]
        taught = (item["id"] for item in items if item["scheme"] == scheme and item["entry"] == "staff")
        TAUGHT[person.url, scheme] = next(taught)
    return TAUGHT[person.url, scheme]


def new_record(person, scheme: str) -> str:
    body = {"program": program_of(person, scheme), **({"template": "sample"} if scheme == "iut" else {})}
    return person.api("POST", "/v1/records", body)["body"]["record"]["id"]


def fill_board(person, record: str):
    for title, total in (
        ("Mobile programming", 95),
        ("Data Structures", 84),
        ("Operating Systems", 72),
        ("Algorithms", 55),
    ):
        assert person.api("POST", f"/v1/records/{record}/entries", board.course(title, total))["status"] == 201


def fill_courses(person, record: str):
    person.api("PATCH", f"/v1/records/{record}", {"fields": {"priorGPA": "3.4", "priorCredits": 24}})
    courses = (
        ("Operating Systems", "CSSE332", 1, 2022, 42, 30),
        ("Software Design", "CSSE374", 1, 2022, 48, 36),
        ("Linear Algebra", "MA373", 4, 2021, 27, 21),
    )
    for title, number, quarter, year, midterm, homework in courses:
        items = (
            ("exams", 60, (("Midterm", midterm, 50), ("Final", None, 100))),
            ("assignments", 30, (("Homework 1", homework, 40),)),
        )
        children = [
            {
                "kind": "category",
                "fields": {"category": name, "weight": weight},
                "children": [
                    {"kind": "item", "fields": {"title": item, "score": score, "max": most}}
                    for item, score, most in list_
                ],
            }
            for name, weight, list_ in items
        ]
        children.append({"kind": "category", "fields": {"category": "participation", "weight": 10, "grade": 95}})
        fields = {"title": title, "number": number, "section": 1, "quarter": quarter, "year": year, "credits": 4}
        answer = person.api(
            "POST", f"/v1/records/{record}/entries", {"kind": "course", "fields": fields, "children": children}
        )
        assert answer["status"] == 201, answer


def fill_year(person, record: str):
    entries = person.api("GET", f"/v1/records/{record}")["body"]["record"]["entries"]
    subjects = {subject["fields"]["title"]: subject["id"] for unit in entries for subject in unit["children"]}
    for title, grade in (
        ("Internet des Objets", "12"),
        ("iOS", "15.5"),
        ("Client/Serveur", "9"),
        ("Qt Quick", "13.25"),
    ):
        answer = person.api("PATCH", f"/v1/records/{record}/entries/{subjects[title]}", {"fields": {"grade": grade}})
        assert answer["status"] == 200, answer
