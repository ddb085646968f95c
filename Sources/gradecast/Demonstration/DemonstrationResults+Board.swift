import GradingKit

extension DemonstrationResults {
    /// Four courses of three assessments; the fourth is not released yet.
    static let board = DemonstrationResults(
        scheme: "chalkboard", title: "Mobile Computing, class of 2027",
        acts: { student in
            [
                additions(course("Mobile programming", 3, student, 1), course("Data structures", 4, student, 2)),
                additions(course("Operating systems", 4, student, 3)),
                additions(course("Algorithms", 3, student, 4, isHidden: true)),
            ]
        },
        own: { student in
            [
                additions(course("Mobile programming", 3, student, 1)),
                additions(course("Databases", 4, student, 5), course("Technical writing", 2, student, 6)),
            ]
        })

    private static func course(
        _ title: String, _ credits: Int, _ student: DemonstrationStudent, _ number: Int, isHidden: Bool = false
    ) -> JSON {
        let parts = [("Assignments", 100, 30), ("Midterm", 50, 30), ("Final", 200, 40)]
        let assessments = parts.enumerated().map { index, part -> JSON in
            let points = student.result(of: number * 3 + index, outOf: part.1)
            return [
                "kind": "assessment",
                "fields": [
                    "name": .string(part.0), "points": whole(points), "max": whole(part.1), "weight": whole(part.2),
                ],
            ]
        }
        var course: JSONObject = [
            "kind": "course", "fields": ["title": .string(title), "credits": whole(credits)],
            "children": .array(assessments),
        ]
        if isHidden { course["hidden"] = true }
        return .object(course)
    }
}

/// A whole number as JSON.
func whole(_ number: Int) -> JSON { .number(String(number)) }
