"""Adding many students to a class at once: whom pasted lines and files name, and what becomes of them."""

import pytest
from accessibility import violations
from classroom import Classroom
from playwright.sync_api import expect
from waiting import eventually

STAYING = {"staff"}

MEMBERS = [
    {"account": "ada", "displayName": "Ada Lovelace", "login": "lovelace", "studentNumber": "0017"},
    {"account": "alan", "displayName": "Alan Turing", "login": "turing", "studentNumber": "18"},
    {"account": "wei", "displayName": "Wang Wei", "login": "wang.wei", "studentNumber": "20"},
    {"account": "wei2", "displayName": "Wei Wang", "login": "wei.wang", "studentNumber": "21"},
    {"account": "hua", "displayName": "小林花", "login": "hua", "studentNumber": None},
    {"account": "jose", "displayName": "José María de la Cruz", "login": "jose", "studentNumber": None},
]

PEOPLE = """async ([rows, members]) => {
    const { peopleIn } = await import('/app/pages/grid/file/people.js');
    const { found, several, unknown } = peopleIn(rows, members);
    return [
        found.map(({ member, section }) => [member.account, section].filter(Boolean).join(' ')),
        several.map(({ text, members }) => [text, ...members.map(({ account }) => account)]),
        unknown,
    ];
}"""


@pytest.mark.parametrize(
    "rows,found,several,unknown",
    [
        # A number, a login, a name in either order, with a comma, in two cells or without a space.
        ([["17"], ["TURING"], ["Lovelace Ada"]], ["ada", "alan"], [], []),
        ([["Turing, Alan"]], ["alan"], [], []),
        ([["Turing", "Alan"], ["小林", "花"]], ["alan", "hua"], [], []),
        ([["de la Cruz, José María"]], ["jose"], [], []),
        ([["0018", "Alan", "Turing"]], ["alan"], [], []),
        # Capitals and additional spaces do not matter.
        ([["  ada   LOVELACE "]], ["ada"], [], []),
        # Two students have these names in different orders: the number tells them apart.
        ([["Wang Wei"]], [], [["Wang Wei", "wei", "wei2"]], []),
        ([["Wang Wei", "21"]], ["wei2"], [], []),
        # The number of one student with the name of another identifies neither; nor does a number that nobody has.
        ([["17", "Alan Turing"]], [], [], ["17 Alan Turing"]),
        ([["Student number", "Name"], ["99", "Alan Turing"]], [], [], ["99 Alan Turing"]),
        ([["Student number", "Name"], ["99", "小林花"]], ["hua"], [], []),
        # Without titles a number may be a result or a place in a list, so the name beside it decides; a long one is a
        # student number.
        ([["Grace Hopper", "17"], ["17", "Grace", "Hopper"]], [], [], ["Grace Hopper 17", "17 Grace Hopper"]),
        ([["1", "Alan Turing", "2027"]], ["alan"], [], []),
        ([["99999", "Alan Turing"]], [], [], ["99999 Alan Turing"]),
        # With titles it is the student number, even if the name is written differently.
        ([["Student number", "Name"], ["17", "Ada King"]], ["ada"], [], []),
        # Titles name the columns: a result is not a student number.
        ([["List of the course"], ["Name", "Midterm"], ["Alan Turing", "17"]], ["alan"], [], []),
        ([["Nom", "Prénom", "Section"], ["Lovelace", "Ada", "B"]], ["ada B"], [], []),
        # Titles apply from their line on; lines above them that name no student are the title of the list.
        ([["Alan Turing"], ["Name", "Login"], ["小林花", "hua"]], ["alan", "hua"], [], []),
        ([["Alan Turing"], ["Nobody"], ["Student"]], ["alan"], [], ["Nobody"]),
        (
            [["Name", "Midterm"], ["Ada Lovelace", "9"], ["Number", "Name"], ["9", "Alan Turing"]],
            ["ada", "alan"],
            [],
            [],
        ),
        # Each student once, with the values of the last line; empty lines do not count.
        ([["Name", "Section"], ["Ada Lovelace", "A"], ["", ""], ["Lovelace, Ada", "C"]], ["ada C"], [], []),
        ([["Grace Hopper"], ["constructor"], ["__proto__"]], [], [], ["Grace Hopper", "constructor", "__proto__"]),
        ([], [], [], []),
    ],
)
def test_a_row_means_a_student_by_number_login_or_name(anywhere, rows, found, several, unknown):
    assert anywhere.evaluate(PEOPLE, [rows, MEMBERS]) == [found, several, unknown]


# Two students who are displayed otherwise than they are called, and one who is displayed as the first is called.
CALLED = [
    {"account": "ada", "displayName": "Countess", "givenName": "Ada", "familyName": "Lovelace"},
    {"account": "wang", "displayName": "Yutong", "givenName": "雨桐", "familyName": "王"},
    {"account": "byron", "displayName": "Ada Lovelace", "givenName": "Anne", "familyName": "Byron"},
    {"account": "grace", "displayName": "Anne Byron", "givenName": None, "familyName": None},
    {"account": "jr", "displayName": "Sammy", "givenName": "Sam", "familyName": "Davis, Jr."},
    {"account": "king", "displayName": "Martin King, Jr.", "givenName": None, "familyName": None},
]


@pytest.mark.parametrize(
    ("rows", "found", "several", "unknown"),
    [
        ([["Countess"], ["王雨桐"]], ["ada", "wang"], [], []),
        ([["王", "雨桐"]], ["wang"], [], []),
        # One is called so, another displayed so: without titles either may be meant.
        ([["Lovelace, Ada"]], [], [["Lovelace, Ada", "ada", "byron"]], []),
        ([["Last name", "First name"], ["lovelace", "Ada"]], ["ada"], [], []),
        ([["First name", "Last name"], ["Ada", "Lovelace"]], ["ada"], [], []),
        # Who has not said a first and a last name may be called as displayed.
        ([["First name", "Last name"], ["Anne", "Byron"]], [], [["Anne Byron", "byron", "grace"]], []),
        ([["First name", "Last name"], ["Augusta", "Lovelace"]], [], [], ["Augusta Lovelace"]),
        # A name itself may have a comma.
        ([["Davis, Jr., Sam"], ["King, Jr., Martin"]], ["jr", "king"], [], []),
        ([["Sam Davis, Jr."], ["Davis, Jr.", "Sam"], ["Davis, Sam"]], ["jr"], [], ["Davis, Sam"]),
    ],
)
def test_a_row_means_a_student_by_first_and_last_name(anywhere, rows, found, several, unknown):
    members = [{"login": member["account"], "studentNumber": None, **member} for member in CALLED]
    assert anywhere.evaluate(PEOPLE, [rows, members]) == [found, several, unknown]


def last_first(name):
    first, _, last = name.rpartition(" ")
    return f"{last}, {first}"


@pytest.mark.slow("reads pasted lines in a worker, and puts three students into the class by them")
def test_pasted_lines_are_shown_before_anybody_is_put_into_the_class(staff):
    teacher = staff("teacher")
    room = Classroom(teacher, title="Number theory", students=1)
    members = teacher.api("GET", f"/v1/institutions/{institution(room)}/members?role=student&limit=200")["body"][
        "items"
    ]
    names = [item["displayName"] for item in members if item["displayName"].count(" ") == 1]
    others = [name for name in names if name not in room.names][:3]
    page = teacher.open(room.page)
    page.get_by_role("button", name="Students", exact=True).click()
    page.get_by_role("button", name="Add several").click()
    sheet = page.get_by_role("dialog", name="Add several students")
    sheet.get_by_label("One student a line").fill(
        "\n".join([others[0], last_first(others[1]), others[2], room.names[0], "Nobody of that name"])
    )
    said = sheet.locator(".banner")
    expect(said).to_have_text(
        "3 students join the class. 1 is in it already. 1 line names no student of the institution."
    )
    expect(sheet.locator("details", has_text="Nobody found for").locator("li")).to_have_text("Nobody of that name")
    assert violations(page) == []
    sheet.get_by_role("button", name="Put 3 students into the class").click()
    expect(page.get_by_text("3 students have joined the class")).to_be_visible()
    expect(said).to_contain_text("4 are in it already.")
    sheet.get_by_role("button", name="Back").click()
    expect(page.get_by_role("dialog").get_by_role("heading", name="4 students")).to_be_visible()


def test_a_list_that_cannot_be_looked_up_says_so_and_is_looked_up_again(staff):
    room = Classroom(staff("teacher"), title="Order theory", students=0)
    page = room.teacher.open(room.page)
    members = f"**/v1/institutions/{institution(room)}/members**"
    page.route(members, lambda route: route.abort())
    page.get_by_role("button", name="Students", exact=True).click()
    page.get_by_role("button", name="Add several").click()
    sheet = page.get_by_role("dialog", name="Add several students")
    lines = sheet.get_by_label("One student a line")
    lines.fill("Demo student")
    expect(sheet.get_by_role("alert")).to_contain_text("server")
    expect(sheet.locator(".banner")).to_have_count(0)
    page.unroute(members)
    lines.fill("Demo student\n")
    expect(sheet.locator(".banner")).to_have_text("1 student joins the class.")


def test_who_leaves_the_page_puts_nobody_else_into_the_class(staff):
    room = Classroom(staff("teacher"), title="Model theory", students=0)
    room.teacher.open("/classes")
    page = room.teacher.open(room.page)
    page.get_by_role("button", name="Students", exact=True).click()
    page.get_by_role("button", name="Add several").click()
    sheet = page.get_by_role("dialog", name="Add several students")
    sheet.get_by_label("One student a line").fill("Amara Okafor\nNoah Lindqvist\nPriya Raghunathan")
    held = []
    page.route(f"**{room.path}/enrolments", lambda route: held.append(route))
    sheet.get_by_role("button", name="Put 3 students into the class").click()
    eventually(page, lambda: len(held) == 1)
    page.evaluate("history.back()")
    expect(page.get_by_role("dialog")).to_have_count(0)
    held[0].continue_()
    expect(page.get_by_text("1 student has joined the class")).to_be_visible()
    assert [row["name"] for row in room.call("GET", f"{room.path}/rows")["rows"]] == ["Amara Okafor"]
    assert len(held) == 1


def institution(room):
    return room.call("GET", room.path)["class"]["institution"]


def test_a_file_puts_students_into_their_sections(staff):
    teacher = staff("teacher")
    room = Classroom(teacher, title="Set theory", students=0)
    steps = [{"op": "addSection", "title": title} for title in ("A", "B")]
    room.call("POST", f"{room.path}/changes", {"changes": steps})
    page = teacher.open(room.page)
    page.get_by_role("button", name="Add students").click()
    page.get_by_role("button", name="Add several").click()
    sheet = page.get_by_role("dialog", name="Add several students")
    text = "Last name;First name;Section\nstudent;Demo;B\nOkafor;Amara;Q\n"
    sheet.get_by_label("Or a file").set_input_files(
        {"name": "roster.csv", "mimeType": "text/csv", "buffer": text.encode()}
    )
    expect(sheet.locator(".banner")).to_have_text("2 students join the class.")
    sheet.get_by_role("button", name="Put 2 students into the class").click()
    expect(sheet.get_by_role("heading", name="1 student could not be put into the class")).to_be_visible()
    expect(sheet).to_contain_text("Amara Okafor")
    [row] = room.call("GET", f"{room.path}/rows")["rows"]
    assert row["name"] == "Demo student" and row["section"] is not None
    assert violations(page) == []
