import GradingKit

/// Courses as the worked examples write them.
enum Board {
    /// A course from `90/100×30, 80/100×30, 85/100×40`: points, maximum and weight of each assessment.
    static func course(_ title: String = "Course", credits: JSON = 3, of assessments: String) -> JSON {
        let parts = assessments.split(separator: ",").map { $0.split { "/× ".contains($0) }.map(String.init) }
        let children = zip(["Assignments", "Midterm", "Final"], parts).map { name, part -> JSON in
            [
                "kind": "assessment",
                "fields": [
                    "name": .string(name), "points": .number(part[0]), "max": .number(part[1]),
                    "weight": .number(part[2]),
                ],
            ]
        }
        return [
            "kind": "course", "fields": ["title": .string(title), "credits": credits], "children": .array(children),
        ]
    }

    /// A course whose total is exactly that.
    static func course(_ title: String = "Course", credits: JSON = 3, total: String) -> JSON {
        course(title, credits: credits, of: "\(total)/100×30, \(total)/100×30, \(total)/100×40")
    }

    /// A board from `A×3, B×4`: letter and credits of each course.
    static func board(_ courses: String) -> [JSON] {
        let totals: [Character: String] = ["A": "95", "B": "85", "C": "75", "D": "65", "F": "30"]
        return courses.split(separator: ",").enumerated().map { index, text in
            let parts = text.split { "× ".contains($0) }
            let total = parts.first?.first.flatMap { totals[$0] } ?? "0"
            return course("Course \(index)", credits: .number(String(parts[1])), total: total)
        }
    }
}
