import GradingKit
import RoseHulman
import SchemeTestKit
import Testing

@Suite struct CourseGradeTests {
    @Test(arguments: [
        (
            "R1", "part 10@100; assign 10 [1@100, 1@90]; exams 60 [20@90, 40@84]; labs 20 [10@84]", "879/10 → 87.90",
            "B+ 7/2"
        ),
        ("R2", "part 10@100; assign 10 []; exams 60 [20@90]; labs 20 [10@84]; quizzes 0 []", "808/9 → 89.78", "B+ 7/2"),
        ("R3", "part 10; exams 90 [1@90]", "81 → 81.00", "B 3"),
        ("R4", "part 10@95; exams 60 []; labs 30 []", "95 → 95.00", "A 4"),
        ("R5", "exams 60 []; labs 40 []", "(no_grades)", "—"),
        ("R6", "part 9@80; exams 90 [1@90]", "980/11 → 89.09", "B+ 7/2"),
        ("R7", "part 11@80; exams 90 [1@90]", "8980/101 → 88.91", "B+ 7/2"),
        ("R8", "exams 100 [1@89.95]", "1799/20 → 89.95", "B+ 7/2"),
        ("R8", "exams 100 [1@90]", "90 → 90.00", "A 4"),
        ("R9", "exams 10 [1@82]; labs 20 [1@94]", "90 → 90.00", "A 4"),
        ("R10", "assign 50 [1@110]; exams 50 [1@80]", "95 → 95.00", "A 4"),
        ("R11", "assign 50 [0@90]; exams 50 [1@80]", "80 → 80.00", "B 3"),
        ("R16", "exams 100 [45/50, 30/50]", "75 → 75.00", "C+ 5/2"),
        (
            "R17", "assign 20 [27/30]; exams 45 [116/140]; labs 15 [10/10]; quizzes 10 [7/9]; part 10@100",
            "5548/63 → 88.06", "B+ 7/2"
        ),
        (
            "R18", "assign 20 [27/30]; exams 45 [—/140]; labs 15 [10/10]; quizzes 10 [7/9]; part 10@100",
            "9140/99 → 92.32", "A 4"
        ),
        (
            "R18", "assign 20 [27/30]; exams 45 [122.01/140]; labs 15 [10/10]; quizzes 10 [7/9]; part 10@100",
            "323983/3600 → 90.00", "A 4"
        ),
        ("R19", "part 10; exams 90 []", "(no_grades)", "—"),
    ])
    func `a grade is the weighted mean of the categories that count`(
        row: String, course: String, grade: String, letter: String
    ) throws {
        let standing = try Trial(RoseHulman.self).standing([Transcript.course(course)])
        #expect(standing.reading("grade", of: "1") == grade, "\(row)")
        #expect(standing.letter(of: "1") == letter, "\(row)")
        let warned = row == "R6" || row == "R7" || row == "R9"
        #expect(standing.warningLines == (warned ? ["weights_normalised 1"] : []), "\(row)")
        if letter == "—" { #expect(standing.reading("gpa") == "(no_grades)", "\(row)") }
    }

    @Test(arguments: [
        ("R18", "assign 20 [27/30]; exams 45 [—/140]; labs 15 [10/10]; quizzes 10 [7/9]; part 10@100", "50.78…95.78"),
        ("R19", "part 10; exams 90 []", "0.00…100.00"),
        ("R21", "part 10@100; assign 10 []; exams 60 [20@90]; labs 20 [10@84]; quizzes 0 []", "80.80…90.80"),
        ("R21", "part 10; exams 90 [1@90]", "81.00…91.00"),
        ("R21", "assign 50 [0@90]; exams 50 [1@80]", "40.00…90.00"),
        ("fully graded", "part 10@100; exams 90 [1@90]", "91.00…91.00"),
    ])
    func `what is ungraded opens a range`(row: String, course: String, range: String) throws {
        #expect(
            try Trial(RoseHulman.self).standing([Transcript.course(course)]).range("grade", of: "1") == range, "\(row)")
    }

    @Test func `extra credit can be forbidden (R10)`() throws {
        let strict = try Trial(RoseHulman.self, configuration: ["extraCredit": false])
        #expect(
            strict.faults([Transcript.course("assign 50 [1@110]; exams 50 [11/10]")]) == [
                "grade_out_of_range /entries/0/children/0/children/0/fields/grade",
                "grade_out_of_range /entries/0/children/1/children/0/fields/score",
            ])
    }

    @Test func `an item's share of the course is shown, and only where it is graded`() throws {
        let course = Transcript.course("part 10@100; assign 10 []; exams 60 [20@90, 40@84]; labs 20 [10@84, 10@—]")
        let standing = try Trial(RoseHulman.self).standing([course])
        let shares = ["1.3.1", "1.3.2", "1.4.1", "1.4.2", "1.1"].map { standing.display("effectiveWeight", of: $0) }
        #expect(shares == ["22.2", "44.4", "22.2", "—", "11.1"])
    }

    @Test func `a grade is red below two points and black from there`() throws {
        let standing = try Trial(RoseHulman.self).standing(
            ["69.99", "70"].map { Transcript.course(grade: $0) } + [Transcript.course("exams 100 []")])
        #expect(["1", "2", "3"].map { standing.band("grade", of: $0) } == ["red", "black", nil])
    }

    @Test(arguments: [
        ("normalise", "980/11 → 89.09"), ("mustEqual100", "(weights_sum)"), ("bonusAbove100", "980/11 → 89.09"),
    ])
    func `weights below 100 are taken as configured`(weights: String, grade: String) throws {
        let trial = try Trial(RoseHulman.self, configuration: ["weights": .string(weights)])
        let standing = try trial.standing([Transcript.course("part 9@80; exams 90 [1@90]")])
        #expect(standing.reading("grade", of: "1") == grade)
        #expect(standing.warnings.isEmpty == (weights != "normalise"))
    }

    @Test func `weights above 100 are a bonus where they are so configured`() throws {
        let trial = try Trial(RoseHulman.self, configuration: ["weights": "bonusAbove100"])
        let standing = try trial.standing([Transcript.course("part 11@80; exams 90 [1@90]")])
        #expect(standing.reading("grade", of: "1") == "449/5 → 89.80")
    }

    @Test func `a warning about weights says by how much`() throws {
        let trial = try Trial(RoseHulman.self)
        let standing = try trial.standing([Transcript.course("part 9@80; exams 90 [1@90]")])
        let warning = try #require(standing.warnings.first)
        #expect(warning.arguments == ["sum": 99, "factor": "100/99"])
        #expect(
            trial.rules.catalog.message(warning.code, warning.arguments, in: .english)
                == "Weights make 99, not 100; each counts 100/99 times")
    }

    @Test func `participation without a grade may be skipped`() throws {
        let trial = try Trial(RoseHulman.self, configuration: ["participationMissing": "skip"])
        #expect(
            try trial.standing([Transcript.course("part 10; exams 90 [1@90]")]).reading("grade", of: "1")
                == "90 → 90.00")
    }

    @Test func `default weights from a maximum do not mix with percent`() throws {
        let trial = try Trial(RoseHulman.self)
        let mixed = try trial.standing([Transcript.course("exams 100 [45/50, 1@90]")])
        #expect(mixed.warningLines == ["mixed_item_weights 1.1"])
    }
}
