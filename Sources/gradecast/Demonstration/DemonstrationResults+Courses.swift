import GradingKit

extension DemonstrationResults {
    /// Three terms of weighted categories. The final in operating systems is marked and not released; the one in
    /// discrete mathematics is still to come. One student withdrew, one repeats a course, one transferred a course.
    static let courses = DemonstrationResults(
        scheme: "rose-hulman", title: "Computer Science, class of 2027",
        acts: { student in
            [
                prior(of: student) + additions(course(design, student, final: .marked)),
                additions(course(algebra, student, final: .marked)),
                additions(course(systems, student, final: .hidden), course(mathematics, student, final: .open))
                    + repetition(of: student),
            ]
        },
        own: { student in
            [
                prior(of: student) + additions(course(design, student, final: .marked)),
                additions(course(systems, student, final: .open), course(mathematics, student, final: .open)),
            ]
        })

    private struct Course {
        let title: String
        let number: String
        let quarter: Int
        let year: Int
        let work: Int
    }

    /// The state of the final exam.
    private enum Final {
        case open
        case hidden
        case marked
    }

    private static let design = Course(title: "Software Design", number: "CSSE374", quarter: 2, year: 2026, work: 10)
    private static let algebra = Course(title: "Linear Algebra", number: "MA371", quarter: 3, year: 2026, work: 20)
    private static let systems = Course(title: "Operating Systems", number: "CSSE332", quarter: 1, year: 2027, work: 30)
    private static let mathematics = Course(
        title: "Discrete Mathematics", number: "MA275", quarter: 1, year: 2027, work: 40)
    private static let repeatedAlgebra = Course(
        title: "Linear Algebra", number: "MA371", quarter: 1, year: 2027, work: 50)

    /// What was earned before these terms, which is nothing for half of the class.
    private static func prior(of student: DemonstrationStudent) -> [JSON] {
        guard student.place.isMultiple(of: 2) else { return [] }
        let hundredths = min(max(student.ability * 8 - 350, 130), 396)
        let average = "\(hundredths / 100).\(hundredths % 100 / 10)\(hundredths % 10)"
        return [["op": "fields", "fields": ["priorGPA": .number(average), "priorCredits": 36]]]
    }

    private static func repetition(of student: DemonstrationStudent) -> [JSON] {
        student.login == "rafael.ortiz" ? additions(course(repeatedAlgebra, student, final: .marked)) : []
    }

    private static func status(of course: Course, _ student: DemonstrationStudent) -> JSON? {
        switch (student.login, course.number) {
        case ("yusuf.demir", "MA275"): "withdrawn"
        case ("wang.yutong", "MA371"): "transfer"
        default: nil
        }
    }

    private static func course(_ course: Course, _ student: DemonstrationStudent, final: Final) -> JSON {
        var object: JSONObject = [
            "kind": "course",
            "fields": [
                "title": .string(course.title), "number": .string(course.number), "section": whole(1),
                "quarter": whole(course.quarter), "year": whole(course.year), "credits": 4,
            ],
            "children": [
                category("assignments", 30, (1...3).map { item("Homework \($0)", 40, course.work + $0, student) }),
                category(
                    "exams", 60,
                    [
                        item("Midterm", 50, course.work + 4, student),
                        item("Final", 100, course.work + 5, student, final),
                    ]),
                [
                    "kind": "category",
                    "fields": [
                        "category": "participation", "weight": 10,
                        "grade": whole(min(100, student.result(of: course.work + 6, outOf: 100) + 8)),
                    ],
                ],
            ],
        ]
        object["status"] = status(of: course, student)
        return .object(object)
    }

    private static func category(_ name: String, _ weight: Int, _ items: [JSON]) -> JSON {
        [
            "kind": "category", "fields": ["category": .string(name), "weight": whole(weight)],
            "children": .array(items),
        ]
    }

    private static func item(
        _ title: String, _ best: Int, _ work: Int, _ student: DemonstrationStudent, _ state: Final = .marked
    ) -> JSON {
        var fields: JSONObject = ["title": .string(title), "max": whole(best)]
        var item: JSONObject = ["kind": "item"]
        if title == "Homework 2", student.login == "kwame.mensah" {
            item["status"] = "excused"
        } else if state != .open {
            fields["score"] = whole(student.result(of: work, outOf: best))
        }
        item["fields"] = .object(fields)
        if state == .hidden { item["hidden"] = true }
        return .object(item)
    }
}
