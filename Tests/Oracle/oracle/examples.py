"""Every row of the worked examples that is one evaluation: the request and what it must give.

The expectations are written by hand from the page, not computed; they hold for the oracle and for the server.
"""

from decimal import Decimal as D

from .build import board_course, board_total, category, item, request, rose_course, rose_grade, subject, unit, weighted


def fig(exact=..., display=..., **more):
    """The claims about one figure."""
    claims = {} if exact is ... else {"exact": exact}
    if display is not ...:
        claims["display"] = display
    return claims | more


def expect(figures=None, entries=None, outcomes=None, **more):
    """The claims about a standing."""
    return {"figures": figures or {}, "entries": entries or {}, "outcomes": outcomes or {}, **more}


def faults(*pairs):
    """An expectation of faults: `(code, path)` in the order of the answer."""
    return {"faults": [{"code": code, "path": path} for code, path in pairs]}


# -- chalkboard ------------------------------------------------------------------------------------------------


def board(*courses, **more):
    """An evaluation of a chalkboard."""
    return request("chalkboard", courses, **more)


def total(exact, display, letter):
    """One course with that total and letter."""
    return expect(entries={"001": {"figures": {"total": fig(exact, display)}, "letter": letter}})


def one(*assessments):
    """A board with one course."""
    return board(board_course("Course", 3, *assessments))


def graded(*pairs):
    """A board of courses from `(letter, credits)`."""
    points = {"A": 95, "B": 85, "C": 75, "D": 65, "F": 30}
    return board(*(board_total(f"Course {i}", credits, points[letter]) for i, (letter, credits) in enumerate(pairs)))


def gpa(exact, display, band):
    """A board with that GPA."""
    return expect({"gpa": fig(exact, display, band=band, text=f"GPA: {display}")})


CHALKBOARD = {
    "C1": (one((90, 100, 30), (80, 100, 30), (85, 100, 40)), total("85", "85.0", "B")),
    "C2": (one((90, 100, 30), (45, 50, 30), (180, 200, 40)), total("90", "90.0", "A")),
    "C3": (one((94, 100, 80), (34, 50, 10), (8, 10, 10)), total("90", "90.0", "A")),
    "C4": (one((89, 100, 30), (90, 100, 20), (181, 200, 50)), total("1799/20", "89.9", "B")),
    "C5a": (board(board_total("Course", 3, D("59.99"))), total("5999/100", "59.9", "F")),
    "C5b": (board(board_total("Course", 3, 60)), total("60", "60.0", "D")),
    "C5c": (board(board_total("Course", 3, 0)), total("0", "0.0", "F")),
    "C5d": (board(board_total("Course", 3, 100)), total("100", "100.0", "A")),
    "C6": (one((18, 20, 25), (35, 50, 25), (72, 100, 50)), total("76", "76.0", "C")),
    "C7": (one((1, 3, 33), (2, 3, 33), (3, 3, 34)), total("67", "67.0", "D")),
    "C8a": (one((1, 1, 30), (1, 1, 30), (1, 1, 39)), faults(("weights_sum", "/entries/0"))),
    "C8b": (one((1, 1, 30), (1, 1, 30), (1, 1, 41)), faults(("weights_sum", "/entries/0"))),
    "C9": (
        one((101, 100, 30), (-1, 100, 30), (5, 0, 40)),
        faults(
            ("points_out_of_range", "/entries/0/children/0/fields/points"),
            ("points_out_of_range", "/entries/0/children/1/fields/points"),
            ("max_not_positive", "/entries/0/children/2/fields/max"),
        ),
    ),
    "C10": (one((1, 1, D("0.1")), (1, 1, D("64.1")), (1, 1, D("35.8"))), total("100", "100.0", "A")),
    "C11": (
        board(board_total("Algorithms", 3, 80), board_total("  algorithms ", 3, 80)),
        faults(("duplicate_title", "/entries/1/fields/title")),
    ),
    "C12": (board(*(board_total(f"Course {i}", 3, 80) for i in range(5))), faults(("course_limit", ""))),
    "C13": (board(), expect({"gpa": fig(None, "", band="white", text="GPA: ", reason="no_courses")})),
    "C14": (graded(("A", 3), ("B", 4)), gpa("24/7", "3.43", "green")),
    "C15": (graded(("A", 3), ("B", 4), ("C", 3), ("F", 2)), gpa("5/2", "2.50", "orange")),
    "C16": (graded(("C", 3), ("D", 4)), gpa("10/7", "1.43", "red")),
    "C17": (graded(("B", 199), ("C", 1)), gpa("599/200", "3.00", "green")),
    "C18": (graded(("C", 99), ("D", 1)), gpa("199/100", "1.99", "red")),
}

# -- rose-hulman -----------------------------------------------------------------------------------------------


def part(weight, grade=None):
    """Participation."""
    return category("participation", weight, grade=grade)


def course(*categories, **more):
    """An evaluation of one course."""
    return request("rose-hulman", [rose_course(*categories)], **more)


def courses(*all_courses, **more):
    """An evaluation of several courses."""
    return request("rose-hulman", all_courses, **more)


def grade(exact=..., display=..., letter=..., gpa=None, **more):
    """One course with that grade; `points` and `warnings` by name."""
    claims = {name: more.pop(name) for name in ("points",) if name in more}
    warnings = {"warnings": more.pop("warnings")} if "warnings" in more else {}
    if letter is not ...:
        claims["letter"] = letter
    entries = {"001": {"figures": {"grade": fig(exact, display, **more)}, **claims}}
    return expect(gpa or {}, entries, **warnings)


NORMALISED = [{"code": "weights_normalised", "entry": "001"}]
R17 = (
    category("assignments", 20, [item("Homework", score=27, max=30)]),
    category("labs", 15, [item("Lab", score=10, max=10)]),
    category("quizzes", 10, [item("Quiz", score=7, max=9)]),
    part(10, 100),
)
REPEATED = (
    rose_grade(82, title="First", number="MA 101", credits=4, year=2021, quarter=1),
    rose_grade(72, title="Second", number=" ma 101 ", credits=4, year=2022, quarter=1),
    rose_grade(95, title="Other", credits=2, year=2022, quarter=1),
)
R2 = course(
    part(10, 100),
    category("assignments", 10),
    category("exams", 60, weighted((20, 90))),
    category("labs", 20, weighted((10, 84))),
    category("quizzes", 0),
)
R3 = course(part(10), category("exams", 90, weighted((1, 90))))
R10 = (category("assignments", 50, weighted((1, 110))), category("exams", 50, weighted((1, 80))))
R11 = course(category("assignments", 50, weighted((0, 90))), category("exams", 50, weighted((1, 80))))
NO_GPA = {"gpa": fig(None, "")}

ROSE_HULMAN = {
    "R1": (
        course(
            part(10, 100),
            category("assignments", 10, weighted((1, 100), (1, 90))),
            category("exams", 60, weighted((20, 90), (40, 84))),
            category("labs", 20, weighted((10, 84))),
        ),
        grade("879/10", "87.90", "B+", points="7/2", warnings=[]),
    ),
    "R2": (R2, grade("808/9", "89.78", "B+")),
    "R3": (R3, grade("81", "81.00", "B")),
    "R4": (course(part(10, 95), category("exams", 60), category("labs", 30)), grade("95", "95.00", "A")),
    "R5": (course(category("exams", 60), category("labs", 40)), grade(None, "", None, gpa=NO_GPA)),
    "R6": (
        course(part(9, 80), category("exams", 90, weighted((1, 90)))),
        grade("980/11", "89.09", "B+", warnings=NORMALISED),
    ),
    "R7": (
        course(part(11, 80), category("exams", 90, weighted((1, 90)))),
        grade("8980/101", "88.91", "B+", warnings=NORMALISED),
    ),
    "R8a": (course(category("exams", 100, weighted((1, D("89.95"))))), grade("1799/20", "89.95", "B+")),
    "R8b": (course(category("exams", 100, weighted((1, 90)))), grade("90", "90.00", "A")),
    "R9": (
        course(category("exams", 10, weighted((1, 82))), category("labs", 20, weighted((1, 94)))),
        grade("90", "90.00", "A"),
    ),
    "R10a": (course(*R10), grade("95", "95.00", "A")),
    "R10b": (
        course(*R10, configuration={"extraCredit": False}),
        faults(("grade_out_of_range", "/entries/0/children/0/children/0/fields/grade")),
    ),
    "R11": (R11, grade("80", "80.00", "B")),
    "R12": (
        courses(rose_grade(95), rose_grade(87), rose_grade(82), fields={"priorGPA": D("3.89"), "priorCredits": 100}),
        expect({"gpa": fig("431/112", "3.85")}),
    ),
    "R13": (courses(rose_grade(87), rose_grade(95, credits=2)), expect({"gpa": fig("11/3", "3.67")})),
    "R14": (courses(), expect({"gpa": fig(None, "")})),
    "R15": (courses(rose_grade(30), fields={"priorGPA": 3, "priorCredits": 40}), expect({"gpa": fig("30/11", "2.73")})),
    "R16": (
        course(category("exams", 100, [item(score=45, max=50), item(score=30, max=50)])),
        grade("75", "75.00", "C+"),
    ),
    "R17": (course(*R17, category("exams", 45, [item("Final", score=116, max=140)])), grade("5548/63", "88.06", "B+")),
    "R18": (
        course(*R17, category("exams", 45, [item("Final", max=140)])),
        grade("9140/99", "92.32", "A", floorExact="457/9", floor="50.78", ceilingExact="862/9", ceiling="95.78"),
    ),
    "R18-122.01": (
        course(*R17, category("exams", 45, [item("Final", score=D("122.01"), max=140)])),
        grade(display="90.00", letter="A"),
    ),
    "R18-122.00": (
        course(*R17, category("exams", 45, [item("Final", score=122, max=140)])),
        grade(display="89.99", letter="B+"),
    ),
    "R19": (course(part(10), category("exams", 90)), grade(None, "", None, gpa=NO_GPA, floor="0.00", ceiling="100.00")),
    "R20-all": (courses(*REPEATED, configuration={"attempts": "all"}), expect({"gpa": fig("14/5", "2.80")})),
    "R20-best": (courses(*REPEATED), expect({"gpa": fig("10/3", "3.33")})),
    "R20-last": (courses(*REPEATED, configuration={"attempts": "last"}), expect({"gpa": fig("8/3", "2.67")})),
    "R21-R2": (R2, grade(floor="80.80", ceiling="90.80")),
    "R21-R3": (R3, grade(floor="81.00", ceiling="91.00")),
    "R21-R11": (R11, grade(floor="40.00", ceiling="90.00")),
}

# -- iut -------------------------------------------------------------------------------------------------------

PROJECT = "Architecture de projet C# .NET"
UNIT_1 = unit(
    "Génie logiciel",
    6,
    [
        ("Processus de développement", 4, D("13.17")),
        ("Programmation Orientée Objet", 9, D("13.63")),
        ("Qualité de développement", 5, D("12.4")),
        ("Remise à niveau objets", 4, 20),
    ],
    code=1,
)
UNIT_2 = unit(
    "Systèmes et réseaux",
    6,
    [("Internet des Objets", 4), ("Réseaux", 4, D("14.5")), ("Services mobiles", 4), ("Système", 5, D("13.88"))],
    code=2,
)
UNIT_4 = unit(
    "Technologies mobiles 1",
    9,
    [("Android", 6, 4), (PROJECT + " (1)", 5, D("14.5")), ("C++", 4, D("10.2")), ("Swift", 5, D("14.93"))],
    code=4,
)
UNIT_5 = unit(
    "Technologies mobiles 2",
    9,
    [
        (PROJECT + " (2)", 4, D("12.17")),
        ("Client/Serveur", 4),
        ("iOS", 5),
        ("Multiplateformes", 3),
        ("Qt Quick", 5),
        ("Xamarin", 5),
    ],
    code=5,
)
UNIT_6 = unit("Projet", 9, [("Projet", 1, D("13.66"))], professional=True, code=6)


def unit_3(weight=4):
    """Unit 3 with that weight of Économie."""
    return unit(
        "Insertion professionnelle",
        6,
        [
            ("Anglais", 5, D("18.65")),
            ("Communication", 4, D("17.13")),
            ("Économie", weight, D("9.5")),
            ("Gestion", 3, D("9.5")),
        ],
        code=3,
    )


def sample_year(stage=None):
    """The sample year with that grade for Stage."""
    last = unit("Stage", 15, [("Stage", 1, stage)], professional=True, code=7)
    return [UNIT_1, UNIT_2, unit_3(), UNIT_4, UNIT_5, UNIT_6, last]


def year(*units, **more):
    """An evaluation of a year."""
    return request("iut", units, **more)


def plain(value, weight=6, **more):
    """A unit with one subject."""
    return unit("Unité", weight, [("Matière", 1, value)], **more)


def averages(*displays):
    """The units' averages as shown."""
    return expect(
        entries={
            f"{index + 1:03d}": {"figures": {"average": fig(display=display)}} for index, display in enumerate(displays)
        }
    )


def diploma(state, final=None, total=None, professional=None):
    """The outcome and the two figures behind it."""
    outcome = {"state": state} if final is None else {"state": state, "final": final}
    figures = {name: claims for name, claims in (("total", total), ("professional", professional)) if claims}
    return expect(figures, outcomes={"diploma": outcome})


def but(*pairs, weight=6):
    """A `but` year of groups of two units each."""
    return year(
        *(plain(value, weight, rcue=f"R{index}") for index, pair in enumerate(pairs) for value in pair), preset="but"
    )


def acquired(*states):
    """The outcome `acquired` of each unit, as a state or `(state, reason)`."""
    entries = {}
    for index, state in enumerate(states):
        claim = {"state": state} if isinstance(state, str) else {"state": state[0], "reasons": [{"code": state[1]}]}
        entries[f"{index + 1:03d}"] = {"outcomes": {"acquired": claim}}
    return expect(entries=entries)


def progression(state):
    """The outcome `progression`."""
    return expect(outcomes={"progression": {"state": state}})


EXACT = {"average": {"rounding": "halfUp", "scale": 2, "compareOn": "exact", "stages": []}}
UNIT_13 = (plain(4, 1), plain(D("13.5"), 2), plain(12, 2, professional=True))

IUT = {
    "I1": (year(UNIT_1), expect(entries={"001": {"figures": {"average": fig("577/40", "14.43")}}})),
    "I2": (year(UNIT_2, unit_3(), UNIT_4), averages("14.16", "14.27", "10.60")),
    "I3": (year(unit_3(1)), expect(entries={"001": {"figures": {"average": fig("19977/1300", "15.37")}}})),
    "I4": (
        year(*sample_year()),
        diploma(
            "pending",
            False,
            fig(display="13.00", floor="7.54", ceiling="16.02"),
            fig(display="13.66", floor="5.12", ceiling="17.62"),
        ),
    ),
    "I5": (
        year(*sample_year(8)),
        diploma("met", False, fig(display="11.75", floor="9.54", ceiling="13.02"), fig(display="10.12")),
    ),
    "I6": (year(*sample_year(D("7.5"))), diploma("unmet", True, fig(display="11.62"), fig(display="9.81"))),
    "I7": (year(*sample_year(D("7.804"))), diploma("met", professional=fig("10", "10.00"))),
    "I8a": (year(*sample_year(D("7.80"))), diploma("met", professional=fig("3999/400", "10.00", band="green"))),
    "I8b": (
        year(*sample_year(D("7.80")), configuration=EXACT),
        diploma("unmet", professional=fig("3999/400", "10.00", band="red")),
    ),
    "I9a": (year(plain(18, 0), plain(9, 6)), expect({"total": fig("9", "9.00")})),
    "I9b": (year(plain(18, 0)), expect({"total": fig(None, "")})),
    "I10": (year(plain(None), plain(None, professional=True)), diploma("pending", total=fig(None, "", band="none"))),
    "I11a": (year(plain(20), plain(0)), averages("20.00", "0.00")),
    "I11b": (
        year(plain(D("20.01")), plain(D("-0.5"))),
        faults(
            ("grade_out_of_range", "/entries/0/children/0/fields/grade"),
            ("grade_out_of_range", "/entries/1/children/0/fields/grade"),
        ),
    ),
    "I12a": (year(plain("12,5")), averages("12.50")),
    "I12b": (
        year(unit("Unité", 6, [("A", 1, "abc"), ("", 1, 12), ("C", 0, 12)])),
        faults(
            ("not_a_number", "/entries/0/children/0/fields/grade"),
            ("missing_field", "/entries/0/children/1/fields/title"),
            ("weight_not_positive", "/entries/0/children/2/fields/weight"),
        ),
    ),
    "I13a": (year(*UNIT_13), diploma("met", total=fig("11", "11.00"), professional=fig("12", "12.00"))),
    "I13b": (year(*UNIT_13, preset="dut"), diploma("unmet", total=fig("11", "11.00"))),
    "B1": (but((9, 11)), acquired(("met", "compensation"), ("met", "direct"))),
    "B2": (but((9, D("10.9"))), acquired("unmet", ("met", "direct"))),
    "B3": (but((10, 10), (12, 12), (11, 10), (8, 8)), progression("met")),
    "B4": (but((10, 10), (12, 12), (D("7.99"), D("7.99")), (10, 10)), progression("unmet")),
    "B5": (but((10, 10), (10, 10), (9, 9), (9, 9)), progression("unmet")),
    "B6": (
        year(unit("Unité", 6, [subject("Ressources", 3, 12, "resources"), subject("SAÉ", 2, 8, "sae")]), preset="but"),
        expect(
            entries={"001": {"figures": {"average": fig("52/5", "10.40")}, "outcomes": {"acquired": {"state": "met"}}}},
            warnings=[],
        ),
    ),
}

ALL = CHALKBOARD | ROSE_HULMAN | IUT
