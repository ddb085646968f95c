import GradingKit
import Regulations
import Testing

/// What formulas give, one construct at a time.
@Suite struct FormulaTests {
    private static let units = """
            unit "A" weight 2
                subject "a" weight 1 grade 12 balance 3
                subject "b" weight 3 grade 8
                subject "c" weight 1 grade 15 code "X"
            unit "B" weight 1 core yes
                subject "d" weight 1
                subject "e" weight 1 grade 5 code " x "
            category "C" share 60
                item score 8 max 10
                item score 9 max 10
                item score 2 max 10
            category "D"
                item percent 50 max 10
        """

    /// What a formula of the record, or of the unit called A, comes to in the sample record.
    private func value(_ formula: String, of kind: String? = nil, in unit: String = "mark") throws -> String {
        let place = kind.map { " of \($0)" } ?? ""
        let rules = """
            rounding exact half up, 6 decimals, judged exactly
            figure f\(place) in \(unit) shown by exact without range = \(formula)
            template t
            \(Self.units)
            """
        let regulation = Document.regulation(rules)
        for fault in regulation.faults where !fault.isWarning { return "\(fault.code)" }
        let rulebook = try #require(regulation.rulebook)
        var made = 0
        let record = try #require(
            try rulebook.template("t") {
                made += 1
                return EntryID("\(made)")
            })
        let standing = try rulebook.standing(of: record, explaining: .all)
        let name = kind == "category" ? "8" : "1"
        let figure = kind == nil ? standing.figure("f") : standing.entry(EntryID(name))?.figures.first
        let trace = kind == nil ? standing.traces.first : standing.entry(EntryID(name))?.traces.first
        if let trace { #expect(trace.trace.reevaluated() == figure?.current) }
        switch try #require(figure).current {
        case .value(let value): return "\(value)"
        case .undefined(let reason): return "(\(reason))"
        }
    }

    @Test(arguments: [
        ("mean of grade over subject weighted by weight", "51/5"), ("mean of grade over subject", "35/3"),
        ("least of grade over subject", "8"), ("greatest of grade over subject", "15"),
        ("median of grade over subject", "12"), ("mean of grade over subject best 2 by grade", "27/2"),
        ("mean of grade over subject without worst 1 by grade", "27/2"),
        ("mean of grade over subject without best 1 by grade, weight", "10"),
        ("mean of grade over subject where weight > 1", "8"),
        ("mean of grade over subject where code is known", "15"),
        ("mean of grade over subject where code = \"x\"", "15"),
        ("(sum of grade over subject) / 5", "7"), ("(count over subject where grade >= 10) in mark", "2"),
        ("max(0, min(20, (mean of grade over subject) + 1))", "38/3"),
        ("round(mean of grade over subject, whole)", "12"), ("if core then 20 else 10", "10"),
        ("if strict then 20 else bar", "10"), ("if rules is lp then 1 else 2", "1"),
        ("(mean of balance over subject) in mark", "3"), ("(sum of balance over subject) in mark", "(missing_field)"),
        ("(sum of balance over subject where balance is known) in mark", "3"),
        ("(sum of (balance otherwise 1) over subject) in mark", "5"), ("- (mean of grade over subject) + 20", "25/3"),
        ("bar * 10% + 1", "2"), ("mean of grade over subject if complete", "35/3"),
        ("(mean of grade over subject where unit.weight > 1)", "35/3"),
        ("mean of low as mark over subject otherwise 3", "3"), ("if (any subject : grade < 8) then 1 else 2", "2"),
        ("if (every subject : grade >= 8) then 1 else 2", "1"), ("if (no subject where grade > 14) then 1 else 2", "2"),
        ("if (most subject : grade >= 12) then 1 else 2", "1"),
        ("if (at least 3 subject : grade >= 8) then 1 else 2", "1"), ("if not (counts) then 1 else 2", "2"),
        ("if status is none then 1 else 2", "1"),
    ])
    func `a formula of a unit`(formula: String, value: String) throws {
        #expect(try self.value(formula, of: "unit") == value, "\(formula)")
    }

    @Test(arguments: [
        ("mean of grade over subject of unit", "10"), ("mean of grade over subject of record", "10"),
        ("mean of grade over subject of unit where unit.core", "5"),
        ("sum of grade over subject of unit one per code by grade where code is known", "15"),
        ("(mean of grade over subject of unit) as percent as mark", "10"),
        ("(count over unit) in mark", "2"),
        ("mean of (mean of grade over subject) over unit weighted by weight", "85/9"),
        ("mean of grade over subject of unit if complete", "(no_grades)"),
    ])
    func `a formula of the record`(formula: String, value: String) throws {
        #expect(try self.value(formula) == value, "\(formula)")
    }

    @Test(arguments: [
        ("mean of score / max as percent over item", "190/3"),
        ("mean of (score / max) over item without worst 1 by score as percent", "85"),
        ("((sum of score over item) / (sum of max over item)) as percent", "190/3"),
        ("10% + (mean of score / max as percent over item)", "220/3"),
        ("ratio of score to max over item as percent", "190/3"),
        ("ratio of score to (if score < 5 then 0 else max) over item as percent", "95"),
        ("ratio of score to max over item without worst 1 by ratio as percent", "85"),
        ("ratio of score to max over item without best 1 by ratio as percent", "50"),
        ("ratio of score to max over item without worst 9 by ratio as percent", "90"),
        ("ratio of score to (if score < 5 then 0 else max) over item without worst 1 by ratio as percent", "110"),
        ("ratio of score to (if score < 5 then 0 else max) over item without worst 2 by ratio as percent", "110"),
        ("ratio of score to (if score < 5 then 0 else max) over item without best 2 by ratio as percent", "100"),
        (
            "ratio of score to (if score < 5 then 0 else max) over item where score < 9 without worst 1 by ratio as percent",
            "100"
        ),
        ("mean of (score / max) over item without worst (share / 60 in plain) by score as percent", "85"),
    ])
    func `a formula of a category`(formula: String, value: String) throws {
        #expect(try self.value(formula, of: "category", in: "percent") == value, "\(formula)")
    }

    @Test func `a name may stand for an average of which nothing is an ungraded leaf`() throws {
        let rules = """
            let own of unit = mean of grade over subject otherwise ungraded
            figure f of unit in mark shown by averages = own
            """
        #expect(Document.faults(rules) == [])
    }

    @Test func `what a status takes out of averages is not waited for`() {
        let regulation = Document.regulation(
            """
            figure f of unit in mark shown by averages = mean of grade over subject if complete
            example e "E"
                unit "A" weight 1
                    subject "a" weight 1 grade 12
                    subject "b" weight 1 status excused
                unit "B" weight 1
                    subject "a" weight 1 grade 12
                    subject "b" weight 1
                expect f of "A" = 12, f of "B" is unknown
            """)
        #expect(regulation.faults.map { $0.message(in: .english) } == [])
        #expect(regulation.workedExamples().flatMap { $0.differences.map(\.text) } == [])
    }

    @Test func `letters are worth points`() throws {
        let points = "(mean of score / max as percent over item) through letters"
        #expect(try value(points, of: "category", in: "gp") == "3")
    }

    @Test func `a scale on which the lower grade is better turns the ends around`() throws {
        let regulation = Document.regulation(
            """
            figure f of unit in german shown by averages = mean of low over subject otherwise ungraded
            outcome passed of unit
                needs f reaches 4 else too_bad
            template t
                unit "A" weight 1
                    subject "a" weight 1 low 2
                    subject "b" weight 1
            """)
        let rules = try #require(regulation.rulebook)
        let record = try #require(try rules.template("t", newID: { EntryID("x") }))
        let entry = try #require(try rules.standing(of: record).entries.first)
        let figure = try #require(entry.figures.first)
        #expect(figure.current == .value(2))
        #expect(figure.floor == .value(try #require(Exact(7, over: 2))))
        #expect(figure.ceiling == .value(try #require(Exact(3, over: 2))))
        #expect(entry.outcomes.first?.decision.state == .met)
        #expect(
            Document.faults("figure f of subject in german shown by averages = 6 - low").map { $0.prefix(12) }
                == ["not_monotone"])
    }

    @Test func `lines of an outcome decide in their order`() throws {
        func state(_ clauses: String) throws -> String {
            let regulation = Document.regulation(
                """
                figure f in mark shown by averages = mean of grade over subject of unit
                outcome o
                \(clauses)
                template t
                    unit "A" weight 1
                        subject "a" weight 1 grade 12
                """)
            let rules = try #require(regulation.rulebook, "\(regulation.faults)")
            let record = try #require(try rules.template("t", newID: { EntryID("x") }))
            let decision = try #require(try rules.standing(of: record).outcomes.first).decision
            return ([decision.state.rawValue] + decision.reasons.map(\.code.text)).joined(separator: " ")
        }
        #expect(try state("    needs f reaches bar else low") == "met")
        #expect(try state("    needs f reaches 13 else low") == "unmet low")
        #expect(try state("    awaits f reaches 13 else low") == "pending low")
        #expect(
            try state("    met when f reaches 15 because best\n    met when f reaches 12 because good") == "met good")
        #expect(try state("    unmet when f < 13 because low\n    met when f reaches 12 because good") == "unmet low")
        #expect(try state("    met when f reaches 15 because best\n    else low") == "unmet low")
        #expect(try state("    needs every unit : weight > 1 else light") == "unmet light")
    }

    @Test func `a preset sets what conditions look at`() throws {
        let text = Document.text(
            "preset dut \"DUT\" : rules = dut, bar = 8\nhidden figure f = if rules is dut then 1 else 2")
        #expect(Regulation(Array(text.utf8)).presets == ["dut"])
        #expect(Regulation(Array(text.utf8), preset: "dut").rulebook != nil)
    }

    @Test func `warnings and checks`() throws {
        let regulation = Document.regulation(
            """
            check unit (sum of weight over subject) <= 2 else too_heavy
            warn unit weight = 0 because light
            figure f in mark shown by averages = mean of grade over subject of unit
            example heavy
                unit "A" weight 1
                    subject "a" weight 3
                expect refused too_heavy
            template t
                unit "A" weight 0
            """)
        let rules = try #require(regulation.rulebook)
        #expect(regulation.workedExamples().map { $0.differences.count } == [0])
        let record = try #require(try rules.template("t", newID: { EntryID("x") }))
        #expect(try rules.standing(of: record).warnings.map(\.code.text) == ["light"])
    }
}
