"""Many students come into a class at once: whom pasted lines and files name, and what becomes of them."""

import pytest
from accessibility import violations
from classroom import Classroom
from playwright.sync_api import expect

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
        # Capitals and spaces tell nothing.
        ([["  ada   LOVELACE "]], ["ada"], [], []),
        # Two are called so, but for the order of the words: the number tells them apart.
        ([["Wang Wei"]], [], [["Wang Wei", "wei", "wei2"]], []),
        ([["Wang Wei", "21"]], ["wei2"], [], []),
        # A number of one and the name of another mean neither; nor does a number that nobody has.
        ([["17", "Alan Turing"]], [], [], ["17 Alan Turing"]),
        ([["Student number", "Name"], ["99", "Alan Turing"]], [], [], ["99 Alan Turing"]),
        ([["Student number", "Name"], ["99", "小林花"]], ["hua"], [], []),
        # Titles say what a column is: a result is no student number.
        ([["List of the course"], ["Name", "Midterm"], ["Alan Turing", "17"]], ["alan"], [], []),
        ([["Nom", "Prénom", "Section"], ["Lovelace", "Ada", "B"]], ["ada B"], [], []),
        # The same student once, with what the last line says; empty lines are none.
        ([["Name", "Section"], ["Ada Lovelace", "A"], ["", ""], ["Lovelace, Ada", "C"]], ["ada C"], [], []),
        ([["Grace Hopper"], ["constructor"], ["__proto__"]], [], [], ["Grace Hopper", "constructor", "__proto__"]),
        ([], [], [], []),
    ],
)
def test_a_row_means_a_student_by_number_login_or_name(anywhere, rows, found, several, unknown):
    assert anywhere.evaluate(PEOPLE, [rows, MEMBERS]) == [found, several, unknown]


def last_first(name):
    first, _, last = name.rpartition(" ")
    return f"{last}, {first}"


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
        "3 students join the class. One is in it already. One line names no student of the institution."
    )
    expect(sheet.locator("details", has_text="Nobody found for").locator("li")).to_have_text("Nobody of that name")
    assert violations(page) == []
    sheet.get_by_role("button", name="Put 3 students into the class").click()
    expect(page.get_by_text("3 students have joined the class")).to_be_visible()
    expect(said).to_contain_text("4 are in it already.")
    sheet.get_by_role("button", name="Back").click()
    expect(page.get_by_role("dialog").get_by_role("heading", name="4 students")).to_be_visible()


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
    expect(sheet.get_by_role("heading", name="One student could not be put into the class")).to_be_visible()
    expect(sheet).to_contain_text("Amara Okafor")
    [row] = room.call("GET", f"{room.path}/rows")["rows"]
    assert row["name"] == "Demo student" and row["section"] is not None
    assert violations(page) == []
