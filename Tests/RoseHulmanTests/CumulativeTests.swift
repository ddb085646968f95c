import GradingKit
import RoseHulman
import SchemeTestKit
import Testing

@Suite struct CumulativeTests {
    private static let grades = ["A": "95", "B+": "87", "B": "82", "C": "72", "F": "30"]

    private static func record(_ courses: [(letter: String, credits: Int)]) -> [JSON] {
        courses.map { Transcript.course(grade: grades[$0.letter] ?? "0", credits: .number(String($0.credits))) }
    }

    @Test func `a GPA joins prior credits and courses`() throws {
        let trial = try Trial(RoseHulman.self)
        func gpa(prior: JSON = .null, _ courses: (String, Int)...) throws -> String {
            try trial.standing(Self.record(courses.map { ($0.0, $0.1) }), fields: prior).reading("gpa")
        }
        let good: JSON = ["priorGPA": .number("3.89"), "priorCredits": 100]
        #expect(try gpa(prior: good, ("A", 4), ("B+", 4), ("B", 4)) == "431/112 → 3.85", "R12")
        #expect(try gpa(("B+", 4), ("A", 2)) == "11/3 → 3.67", "R13")
        #expect(try gpa() == "(no_grades)", "R14")
        #expect(try gpa(prior: ["priorGPA": 3, "priorCredits": 40], ("F", 4)) == "30/11 → 2.73", "R15")
        #expect(try gpa(prior: good) == "389/100 → 3.89")
        #expect(try gpa(("A", 0)) == "(no_credits)")
    }

    @Test(arguments: [("all", "14/5 → 2.80"), ("best", "10/3 → 3.33"), ("last", "8/3 → 2.67")])
    func `of several attempts the configured one counts (R20)`(attempts: String, gpa: String) throws {
        let standing = try Trial(RoseHulman.self, configuration: ["attempts": .string(attempts)]).standing([
            Transcript.course(grade: "82", number: "MA 101", term: "2021.1"),
            Transcript.course(grade: "72", number: " ma 101 ", term: "2022.1"),
            Transcript.course(grade: "95", credits: 2, term: "2022.1"),
        ])
        #expect(standing.reading("gpa") == gpa)
        #expect(standing.display("term:2022.1") == "2.67")
        #expect(standing.display("term:2021.1") == "3.00")
        #expect(standing.display("credits") == (attempts == "all" ? "10" : "6"))
        #expect(standing.display("credits:2022.1") == "6")
        let superseded = ["all": [], "best": ["repeated_course 2"], "last": ["repeated_course 1"]]
        #expect(standing.warningLines == superseded[attempts])
    }

    @Test(arguments: [
        ("attempted", "10", "6", "10/3 → 3.33"), ("earned", "6", "10", "10/3 → 3.33"), ("gpa", "6", "6", "14/5 → 2.80"),
    ])
    func `a superseded attempt counts for what its row of the table says`(
        member: String, attempted: String, earned: String, gpa: String
    ) throws {
        let row: JSONObject = ["average": "counts", member: true]
        let trial = try Trial(RoseHulman.self, configuration: ["statuses": ["superseded": .object(row)]])
        let standing = try trial.standing([
            Transcript.course(grade: "82", number: "MA 101", term: "2021.1"),
            Transcript.course(grade: "72", number: "MA 101", term: "2022.1"),
            Transcript.course(grade: "95", credits: 2, term: "2022.1"),
        ])
        #expect(standing.display("creditsAttempted") == attempted)
        #expect(standing.display("creditsEarned") == earned)
        #expect(standing.reading("gpa") == gpa)
    }

    @Test func `statuses count as the table says`() throws {
        let courses = ["excused", "audit", "withdrawn", "transfer", nil].map {
            Transcript.course(grade: "95", credits: 1, status: $0)
        }
        let standing = try Trial(RoseHulman.self).standing(
            courses + [Transcript.course(grade: "30", credits: 2), Transcript.course("exams 100 []", credits: 10)],
            fields: ["priorGPA": 3, "priorCredits": 20])
        #expect(standing.display("credits") == "15")
        #expect(standing.display("creditsAttempted") == "24")
        #expect(standing.display("creditsEarned") == "22")
        #expect(standing.reading("gpa") == "64/23 → 2.78")
    }

    @Test(arguments: ["normalise", "mustEqual100", "bonusAbove100"])
    func `a status that counts as the least grade needs no items`(weights: String) throws {
        let row: JSON = ["average": "minimum", "gpa": true]
        let trial = try Trial(
            RoseHulman.self, configuration: ["weights": .string(weights), "statuses": ["withdrawn": row]])
        for categories in ["", "exams 100 []"] {
            let standing = try trial.standing([
                Transcript.course(grade: "95"), Transcript.course(categories, status: "withdrawn"),
            ])
            #expect(standing.letter(of: "2") == "F 0")
            #expect(standing.range("grade", of: "2") == "0.00…0.00")
            #expect(standing.reading("gpa") == "2 → 2.00")
        }
    }

    @Test func `newest quarter first`() throws {
        let standing = try Trial(RoseHulman.self).standing(
            ["2021.4", "2022.1", "2021.1"].map { Transcript.course(grade: "95", term: $0) })
        #expect(
            standing.figures.map(\.name).filter { $0.hasPrefix("term:") } == [
                "term:2022.1", "term:2021.4", "term:2021.1",
            ])
    }

    @Test func `prior credits need a prior GPA that the bands can give`() throws {
        let trial = try Trial(RoseHulman.self)
        #expect(trial.faults([], fields: ["priorCredits": 10]) == ["missing_field /fields/priorGPA"])
        #expect(trial.faults([], fields: ["priorGPA": .number("4.01")]) == ["out_of_range /fields/priorGPA"])
        #expect(trial.faults([], fields: ["priorCredits": 0]).isEmpty)
    }
}
