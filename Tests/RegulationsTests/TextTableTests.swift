import GradingKit
import GradingLaws
import Regulations
import Testing

/// Tables whose cells are texts, and tables into which letters look.
@Suite struct TextTableTests {
    private static let heading = """
        regulation core "Core" language 1
        rounding whole half up, 0 decimals, judged as shown
        bands letters worth rank
            A 3
            B 2
            C 1
            N 0
        bands alike worth rank
            top 2
            good 2
            poor 0
        entry record
            essay "Essay" letter of letters
            theory "Theory" letter of letters
            tie letter of alike
            level one of higher, standard optional
            note text optional
        entry part
            title text
            mark letter of letters
        table core_points in points "Core points"
                 A   B   C   N
            A    3   3   2   0
            B    3   2   1   0
            C    2   1   1   0
            N    0   0   0   0
        table mixed in points
                 all
            A      1
            B      3
            C      2
            N      -
        table ties in points
                  all
            top   5
            good  4
            poor  0
        table verdicts
                       A           B       C       N
            higher     honours     pass    -       "no pass"
            standard   pass        Pass    fail    "no pass"

        """

    private func regulation(_ rules: String) -> Regulation {
        Regulation(Array(Document.text(rules, heading: Self.heading).utf8))
    }

    private func faults(_ rules: String) -> [String] {
        regulation(rules).faults.map { "\($0.code): \($0.message(in: .english))" }
    }

    /// The current value, floor and ceiling of a figure of the record.
    private func figure(_ formula: String, range: Bool = true, _ record: String) throws -> [String] {
        let read = regulation(
            "figure f in points shown by whole\(range ? "" : " without range") = \(formula)\ntemplate t\n    record \(record)"
        )
        #expect(read.faults.map { $0.message(in: .english) } == [])
        let rules = try #require(read.rulebook)
        let tree = try #require(try rules.template("t", newID: { EntryID("n") }))
        let found = try #require(try rules.standing(of: tree).figure("f"))
        return [found.current, found.floor, found.ceiling].map { state in
            switch state {
            case .value(let value): "\(value)"
            case .undefined(let reason): "(\(reason))"
            }
        }
    }

    @Test func `letters look into a table, also those that are to come`() throws {
        let points = "core_points[theory, essay]"
        #expect(try figure(points, "theory B essay A") == ["3", "3", "3"])
        #expect(try figure(points, "theory B") == ["(ungraded)", "0", "3"])
        #expect(try figure("core_points[\"C\", essay]", "essay b") == ["1", "1", "1"])
        // Of letters that are worth the same it is the one that is recorded.
        #expect(try figure("ties[tie, \"all\"]", "tie good") == ["4", "4", "4"])
        #expect(try figure("ties[tie, \"all\"]", "level higher") == ["(ungraded)", "0", "5"])
    }

    @Test func `what letters find keeps the laws, and goals find the letters`() throws {
        let read = regulation("figure f in points \"Core\" shown by whole = core_points[theory, essay]")
        #expect(read.faults.map { $0.message(in: .english) } == [])
        let rules = try #require(read.rulebook)
        // These letters are of the record itself, which has them without any entry.
        for violation in LawSuite(rules, records: 60).violations() where violation.law != .emptyIsUndefined {
            Issue.record("\(violation.description)\n\(violation.record.text)")
        }
        let tree = try rules.calculation(fields: ["theory": "B"], entries: [], newID: { EntryID("n") })
        let answer = try rules.answer(to: Goal("f", reaches: .value(2)), in: tree)
        #expect(answer.status == .reachable && answer.inputs.map(\.letter) == ["B"])
    }

    @Test func `a table that letters go up and down in makes no range`() throws {
        let code = "not_monotone: a better grade can worsen this figure"
        for formula in ["mixed[theory, \"all\"]", "if verdicts[level, theory] is pass then 1 else 0"] {
            let rules = " in points shown by whole = \(formula)"
            #expect(faults("figure f" + rules).allSatisfy { $0.hasPrefix(code) })
            #expect(faults("figure f" + rules).count == 1)
            #expect(faults("figure f" + rules.replacing(" =", with: " without range =")) == [])
        }
        #expect(try figure("mixed[theory, \"all\"]", range: false, "theory B")[0] == "3")
        #expect(try figure("mixed[theory, \"all\"]", range: false, "theory N")[0] == "(not_in_table)")
    }

    @Test(arguments: [
        ("verdicts[level, theory] is honours", "level higher theory A", true),
        ("verdicts[level, theory] = \"PASS\"", "level standard theory B", true),
        ("verdicts[level, theory] is pass", "level standard theory C", false),
        ("verdicts[level, theory] = \"no pass\"", "level higher", nil),
        ("verdicts[level, theory] is known", "level higher theory C", false),
        ("verdict is fail or verdict is honours", "level standard theory C", true),
        ("verdicts[level, \"A\"] = note", "level higher note \" Honours \"", true),
    ])
    func `texts of a table decide`(condition: String, record: String, expected: Bool?) throws {
        let read = regulation(
            """
            let verdict = verdicts[level, theory]
            outcome o
                met when \(condition)
            template t
                record \(record)
            """)
        #expect(read.faults.map { $0.message(in: .english) } == [])
        let rules = try #require(read.rulebook)
        let tree = try #require(try rules.template("t", newID: { EntryID("n") }))
        let state = try rules.standing(of: tree).outcomes.first?.decision.state
        #expect(state == expected.map { $0 ? .met : .unmet } ?? .pending)
    }

    @Test(arguments: [
        (
            "let f = if verdicts[level, theory] is honour then 1 else 2",
            "unknown_choice: “verdicts” is never “honour” — did you mean `honours`?"
        ),
        ("let f = verdicts[level, \"A\"] + 1", "type_mismatch: a number is needed here"),
        (
            "let f of part = core_points[mark + 0, \"A\"]",
            "key_of_grade: a grade decides where this looks in the table — use a letter, a text or a number that is no grade"
        ),
        (
            "let f = core_points[verdicts[level, theory], \"A\"]",
            "key_of_grade: a grade decides where this looks in the table — use a letter, a text or a number that is no grade"
        ),
        (
            "group g of part by verdicts[\"higher\", mark]",
            "group_of_grade: a grade decides which group this is in — group by a text or a number that is no grade"
        ),
        (
            "table t\n    A B\n    r x \" \"\nlet f = if t[\"r\", \"A\"] is x then 1 else 2",
            "empty_table: a row or a column of a table needs a name"
        ),
        (
            "table t in points\n    A\n    r x\nlet f = t[\"r\", \"A\"]",
            "unexpected: “x” does not belong here — a number is expected"
        ),
    ])
    func `what is wrong is said`(rules: String, expected: String) {
        #expect(faults(rules) == [expected])
    }

    @Test func `a sheet takes the place of a table of texts`() throws {
        let rows = [["", "A", "B"], ["higher", "honours", "no pass"], ["standard", "", "7"]]
        let edit = try #require(regulation("").edit(ofTable: "verdicts", rows: rows))
        #expect(edit.faults.isEmpty)
        #expect(edit.edit?.replacement.split(separator: "\n").last?.contains("\"7\"") == true)
        #expect(edit.edit?.replacement.contains("\"no pass\"") == true)
    }
}
