import GradingKit

/// Courses as the worked examples write them.
enum Transcript {
    private static let names = [
        "part": "participation", "assign": "assignments", "exams": "exams", "labs": "labs", "quizzes": "quizzes",
    ]

    /// A course from `part 10@100; assign 10 [1@100, 1@90]; labs 20 [27/30, —/10]; exams 60 []`.
    ///
    /// An item is `weight@grade` in percent or `score/max`; `—` is no grade, and a `+` behind it makes it extra credit. A weight
    /// `60-2^1` drops the two lowest and the highest result.
    static func course(
        _ categories: String, title: String = "Course", number: String? = nil, credits: JSON = 4,
        term: String = "2022.1",
        status: String? = nil
    ) -> JSON {
        let (year, quarter) = (term.prefix(4), term.dropFirst(5))
        var course: JSONObject = [
            "kind": "course",
            "fields": [
                "title": .string(title), "number": number.map { .string($0) } ?? .null, "section": 1,
                "quarter": .number(String(quarter)), "year": .number(String(year)), "credits": credits,
            ],
            "children": .array(categories.split(separator: ";").map { category(String($0)) }),
        ]
        if let status { course["status"] = .string(status) }
        return .object(course)
    }

    /// A course with one exam of that grade.
    static func course(
        grade: String, title: String = "Course", number: String? = nil, credits: JSON = 4, term: String = "2022.1",
        status: String? = nil
    ) -> JSON {
        course("exams 100 [1@\(grade)]", title: title, number: number, credits: credits, term: term, status: status)
    }

    private static func category(_ text: String) -> JSON {
        let words = text.split(maxSplits: 2) { $0 == " " }.map(String.init)
        let weighting = words[1].split(separator: "@").map(String.init)
        let drops = weighting[0].split { "-^".contains($0) }.map(String.init)
        var fields: JSONObject = [
            "category": .string(names[words[0]] ?? words[0]), "weight": .number(drops[0]),
        ]
        if weighting[0].contains("-") { fields["dropLowest"] = .number(drops[1]) }
        if weighting[0].contains("^"), let last = drops.last { fields["dropHighest"] = .number(last) }
        if weighting.count > 1 { fields["grade"] = .number(weighting[1]) }
        let items = words.count > 2 ? words[2].split { "[, ]".contains($0) } : []
        return [
            "kind": "category", "fields": .object(fields),
            "children": .array(items.enumerated().map { item(String($1), number: $0 + 1) }),
        ]
    }

    private static func item(_ text: String, number: Int) -> JSON {
        let isScore = text.contains("/")
        let parts = text.split { "/@+".contains($0) }.map { $0 == "—" ? JSON.null : .number(String($0)) }
        let fields: JSONObject =
            isScore ? ["score": parts[0], "max": parts[1]] : ["weight": parts[0], "grade": parts[1]]
        var all = fields
        all["title"] = .string("Item \(number)")
        if text.hasSuffix("+") { all["bonus"] = true }
        return ["kind": "item", "fields": .object(all)]
    }
}
