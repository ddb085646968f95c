import Chalkboard
import GradingKit
import IUT

/// The records that are measured, read from JSON as a client would send it.
struct Samples {
    let chalkboard: Rulebook
    let iut: Rulebook

    init() throws {
        chalkboard = try Self.chalkboard(compareOn: "displayed")
        iut = try InstalledScheme(IUT.self).rulebook()
    }

    /// Room for 100 courses, under one or the other rule for colours.
    static func chalkboard(compareOn rule: String) throws -> Rulebook {
        try InstalledScheme(Chalkboard.self).rulebook(
            configuration: JSON.parse(
                """
                {"courseLimit":100,"gpa":{"rounding":"halfUp","scale":2,"compareOn":"\(rule)"}}
                """))
    }

    /// Units with one graded subject each.
    func flatUnits(_ count: Int) throws -> RecordTree {
        try tree(
            of: iut,
            (0..<count).map { number in
                """
                {"kind":"unit","fields":{"title":"Unit \(number)","weight":\(number % 9 + 1),"professional":false},"children":\
                [{"kind":"subject","fields":{"title":"Subject","weight":1,"grade":\(grade(number))}}]}
                """
            })
    }

    /// Units of four subjects each, every other one ungraded unless `allGraded`: what is ungraded, floor and ceiling
    /// have to look at again.
    func openUnits(_ count: Int, allGraded: Bool = false) throws -> RecordTree {
        try tree(
            of: iut,
            (0..<count).map { number in
                let subjects = (0..<4).map { subject in
                    let grade = allGraded || subject % 2 == 0 ? grade(number * 4 + subject) : "null"
                    return """
                        {"kind":"subject","fields":{"title":"Subject \(subject)","weight":\(subject + 1),"grade":\(grade)}}
                        """
                }
                return """
                    {"kind":"unit","fields":{"title":"Unit \(number)","weight":\(number % 9 + 1),"professional":true},\
                    "children":[\(subjects.joined(separator: ","))]}
                    """
            })
    }

    /// Courses of three assessments.
    func courses(_ count: Int) throws -> RecordTree {
        try tree(
            of: chalkboard,
            (0..<count).map { number in
                let assessments = zip(["Assignments", "Midterm", "Final"], [30, 30, 40]).map { name, weight in
                    """
                    {"kind":"assessment","fields":{"name":"\(name)","points":\((number * 7 + weight) % 100),"max":100,\
                    "weight":\(weight)}}
                    """
                }
                return """
                    {"kind":"course","fields":{"title":"Course \(number)","credits":\(number % 4 + 1)},\
                    "children":[\(assessments.joined(separator: ","))]}
                    """
            })
    }

    private func grade(_ number: Int) -> String { "\(number * 37 % 20).\(number % 9 + 1)" }

    private func tree(of rules: Rulebook, _ entries: [String]) throws -> RecordTree {
        var next = 0
        return try rules.calculation(
            fields: .null, entries: JSON.parse("[\(entries.joined(separator: ","))]"),
            newID: {
                next += 1
                return EntryID("01a1fe60-b4be-7442-af3b-\(next)")
            })
    }
}
