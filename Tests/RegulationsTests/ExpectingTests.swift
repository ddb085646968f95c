import GradingKit
import GradingLaws
import Regulations
import Testing

/// Means and sums that expect a number of entries, of which some are not there yet.
@Suite struct `An expected number of entries` {
    private static let heading = """
        regulation quizzes "Quizzes" language 1
        scale german "1.0 to 5.0" worst 5 best 1 step 0.1
        rounding exact half up, 6 decimals, judged exactly
        setting wanted = 4 from 0 to 100 "Wanted"
        entry record
            asked whole number optional
        entry quiz statuses excused, absent
            title text
            note grade in german
            score grade out of max
            max number above 0
            spared yes/no optional
            rank whole number optional
        let percent of quiz = score / max as percent
        """

    private static func regulation(_ rules: String) -> Regulation {
        Regulation(Array(Document.text(rules, heading: heading).utf8))
    }

    /// The figure's value, floor and ceiling, as ratios.
    private static func figure(_ formula: String, in unit: String = "percent", of quizzes: String) throws -> [String] {
        let read = regulation(
            "figure f in \(unit) shown by exact = \(formula)\ntemplate t\n    record asked 3\n\(quizzes)")
        #expect(read.faults.map { $0.message(in: .english) } == [])
        var made = 0
        let rules = try #require(read.rulebook)
        let record = try #require(
            try rules.template("t") {
                made += 1
                return EntryID("q\(made)")
            })
        let figure = try #require(try rules.standing(of: record).figure("f"))
        return [figure.current, figure.floor, figure.ceiling].map { state in
            switch state {
            case .value(let value): "\(value)"
            case .undefined(let reason): "(\(reason))"
            }
        }
    }

    private static let two = """
            quiz "A" score 9 max 10 note 2
            quiz "B" score 7 max 10 note 1
        """

    @Test(arguments: [
        // 90, 70 and two that count 0, or 100 at the ceiling.
        ("mean of percent over quiz expecting 4", ["40", "40", "90"]),
        ("mean of percent over quiz expecting wanted", ["40", "40", "90"]),
        ("mean of percent over quiz expecting asked", ["160/3", "160/3", "260/3"]),
        ("mean of percent over quiz expecting 2", ["80", "80", "80"]),
        ("sum of percent over quiz expecting 4", ["160", "160", "360"]),
        // A missing grade goes before an entry does, and at the ceiling the entries are the worst.
        ("mean of percent over quiz expecting 4 without worst 1 by percent", ["160/3", "160/3", "290/3"]),
        ("mean of percent over quiz expecting 4 without worst 3 by percent", ["90", "90", "100"]),
        ("mean of percent over quiz expecting 4 without best 1 by percent", ["70/3", "70/3", "260/3"]),
        ("mean of percent over quiz expecting 4 best 3 by percent", ["160/3", "160/3", "290/3"]),
        (
            "mean of percent over quiz expecting 4 without worst 1 by percent without best 1 by percent",
            ["35", "35", "95"]
        ),
        ("mean of percent over quiz where title = \"a\" expecting 2", ["45", "45", "95"]),
        ("(mean of percent over quiz expecting 0) otherwise 5", ["80", "80", "80"]),
    ])
    func `counts those that are not there as missing grades`(formula: String, expected: [String]) throws {
        #expect(try Self.figure(formula, of: Self.two) == expected)
    }

    @Test func `counts the worst grade of a scale that falls`() throws {
        let mean = "mean of note over quiz expecting 4"
        #expect(try Self.figure(mean, in: "german", of: Self.two) == ["13/4", "13/4", "5/4"])
        let best = mean + " best 2 by note"
        #expect(try Self.figure(best, in: "german", of: Self.two) == ["3/2", "3/2", "1"])
    }

    @Test func `leaves entries that are there to their own rules`() throws {
        let some = """
                quiz "A" score 9 max 10
                quiz "B" max 10
                quiz "C" status excused score 1 max 10
                quiz "D" status absent max 10
            """
        // The open one is skipped and the excused one left out; none is made up for.
        #expect(try Self.figure("mean of percent over quiz expecting 4", of: some) == ["45", "30", "190/3"])
        #expect(try Self.figure("mean of percent over quiz expecting 6", of: some) == ["45/2", "18", "78"])
        #expect(try Self.figure("mean of percent over quiz expecting 6 if complete", of: some)[0] == "(no_grades)")
    }

    @Test func `is nothing before there is any entry`() throws {
        let nothing = ["(no_grades)", "(no_grades)", "(no_grades)"]
        #expect(try Self.figure("mean of percent over quiz expecting 3", of: "") == nothing)
        #expect(try Self.figure("sum of note over quiz expecting 3", in: "german", of: "") == nothing)
        #expect(try Self.figure("mean of percent over quiz where spared expecting 3", of: Self.two) == nothing)
    }

    @Test(arguments: [
        ("mean of percent over quiz expecting 4 weighted by max", "expecting_mean"),
        ("median of percent over quiz expecting 4", "expecting_mean"),
        ("count over quiz expecting 4", "expecting_mean"),
        ("ratio of score to max over quiz expecting 4", "expecting_mean"),
        ("mean of percent over quiz expecting 4 expecting 5", "expecting_mean"),
        ("mean of percent over quiz expecting 4 where spared", "expecting_mean"),
        ("mean of percent over quiz expecting 4 without worst 1 by max", "expecting_mean"),
        ("mean of percent over quiz expecting 4 best 10 of max by percent", "expecting_mean"),
        ("mean of score over quiz expecting 4", "expecting_scale"),
        ("mean of percent over quiz expecting (count over quiz where score >= 5)", "count_of_grades"),
    ])
    func `is refused where it means nothing`(formula: String, code: String) {
        let faults = Self.regulation("let f = \(formula)").faults
        #expect(faults.map(\.code.text) == [code], "\(faults.map { $0.message(in: .english) })")
    }

    @Test func `is read back in words`() throws {
        let read = Self.regulation(
            "figure f in percent \"Quizzes\" shown by exact = mean of percent over quiz expecting 12")
        #expect(
            read.words(in: .english).map(\.text).last
                == "“Quizzes” = the mean of “percent” over “quiz”, with missing grades up to 12 of them")
    }

    @Test func `keeps the laws, and goals say what the entries that are there must reach`() throws {
        let read = Self.regulation(
            """
            figure f in percent shown by exact
                = mean of percent over quiz expecting wanted without worst 1 by percent sparing spared
            figure g in german shown by exact = sum of note over quiz expecting 3 best 2 by note
            """)
        #expect(read.faults.map { $0.message(in: .english) } == [])
        let rules = try #require(read.rulebook)
        // No figure looks at both grades of a quiz.
        for violation in LawSuite(rules, records: 60).violations() where violation.law != .gradesCountOnce {
            Issue.record("\(violation.description)\n\(violation.record.text)")
        }
        let tree = try rules.calculation(
            fields: .null,
            entries: [
                ["kind": "quiz", "id": "a", "fields": ["title": "A", "score": 9, "max": 10]],
                ["kind": "quiz", "id": "b", "fields": ["title": "B", "max": 10]],
            ], newID: { EntryID("n") })
        // Of four, one that is not there is dropped: 90 and another one together are 150.
        let answer = try rules.answer(to: Goal("f", reaches: .value(50)), in: tree)
        #expect(answer.status == .reachable && answer.inputs.map(\.value) == [6])
        #expect(try rules.answer(to: Goal("f", reaches: .value(80)), in: tree).status == .outOfReach)
    }
}
