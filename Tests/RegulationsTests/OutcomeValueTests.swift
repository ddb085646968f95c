import GradingKit
import GradingLaws
import Regulations
import Testing

/// Outcomes that name values of their own, such as those of a jury.
@Suite struct OutcomeValueTests {
    private static let heading = """
        regulation test "Test" language 1
        scale mark "/20" worst 0 best 20 step 0.01
        rounding averages half up, 2 decimals, judged as shown
        setting bar in mark = 10 from 0 to 20 "Bar"
        entry unit
            title text
            mark grade in mark
            absent yes/no optional
        figure average of unit in mark shown by averages = mark
        figure overall in mark shown by averages = mean of average over unit
        outcome result of unit "Result"
            awaits average is known else open
            unmet DEF "Absent" fr "Défaillant" when absent because away
            met ADM "Acquired" fr "Acquis" zh "通过" when average reaches bar
            met CMP when record.overall reaches bar because compensation
            met ADJ "By the jury" fr "Par le jury" zh "评审团认定" by hand
            else AJ "Not acquired" fr "Ajourné" zh "未通过" too_low
        outcome year
            awaits any unit else no_unit
            needs every unit : result is met else unit_unmet
            met honours when every unit : result is ADM
            met plain when any unit : result is CMP or result is ADJ
        """

    private func regulation(_ rules: String) -> Regulation {
        Regulation(Array(Document.text(rules, heading: Self.heading).utf8))
    }

    private func differences(_ examples: String) -> [String] {
        let regulation = regulation(examples)
        var found = regulation.faults.map { $0.message(in: .english) }
        for result in regulation.workedExamples() { found += result.differences.map { $0.text(.english) } }
        return found
    }

    private static let two: JSON = [
        ["id": "a", "kind": "unit", "fields": ["title": "A", "mark": 14]],
        ["id": "b", "kind": "unit", "fields": ["title": "B", "mark": 4]],
    ]

    @Test func `the line that decides gives its value`() {
        #expect(
            differences(
                """
                example compensated "Compensated"
                    unit "A" mark 14
                    unit "B" mark 8
                    unit "C" mark 2 absent yes
                    unit "D" mark 19
                    expect result of "A" ADM final, result of "B" CMP final, result of "C" DEF final, year unmet
                example failed "Not compensated"
                    unit "A" mark 10
                    unit "B" mark 9
                    expect result of "A" ADM, result of "B" AJ, result of "B" unmet final, year unmet final
                example alone "All by themselves"
                    unit "A" mark 10
                    expect year honours final
                example other "Compensated and met"
                    unit "A" mark 14
                    unit "B" mark 8
                    expect year plain final
                """) == [])
    }

    @Test func `an outcome is final once its value is`() {
        #expect(
            differences(
                """
                example open "A mark is to come"
                    unit "A" mark 12
                    unit "B" mark 9.5
                    unit "C"
                    expect result of "A" ADM final, result of "B" CMP, result of "C" pending
                """) == [])
        #expect(
            differences(
                "example open \"Open\"\n    unit \"A\" mark 12\n    unit \"B\" mark 9.5\n    unit \"C\"\n    expect result of \"B\" CMP final"
            ).count == 1)
    }

    @Test func `an example shows the value that came out in place of the one expected`() {
        let found = differences(
            "example other \"Other\"\n    unit \"A\" mark 12\n    expect result of \"A\" CMP, year nonsense")
        #expect(
            found == ["result of \"A\" CMP: ADM final (Article one)", "year nonsense: honours final (Article one)"])
    }

    @Test func `records with values keep the laws, also where people give one`() throws {
        let rules = try #require(regulation("").rulebook)
        #expect(LawSuite(rules, records: 200).violations().map(\.description) == [])
        #expect(LawSuite(rules, seed: 7, records: 60).counterexampleToGiving()?.description == nil)
    }

    @Test(arguments: [
        // Better grades lead from B to A.
        ("met A when average reaches 10|met B when average reaches 8|else too_low", "B", [false, false]),
        ("met A when average reaches 10|met B when average reaches 8|else too_low", "A", [true, false]),
        ("met when average reaches 10|met A when average reaches 8|else too_low", "A", [false, false]),
        ("met A when average reaches 10|else B too_low", "B", [false, true]),
        // What was worse becomes the value.
        ("unmet A when mark < 5 because low|met when average reaches 8|else B too_low", "B", [false, false]),
        ("unmet A when mark < 5 because low|met when average reaches 8|else B too_low", "A", [false, true]),
        ("met when average reaches 8|needs average reaches 2 else worse|else A too_low", "A", [false, false]),
        ("unmet A when absent because away|met when average reaches 8|else B too_low", "B", [false, true]),
        ("met A when average reaches 10|met B by hand|else too_low", "B", [true, true]),
    ])
    func `a value comes or goes with better grades only where its lines make it so`(
        lines: String, value: String, lawful: [Bool]
    ) {
        let clauses = lines.split(separator: "|").map { "    \($0)" }.joined(separator: "\n")
        for (choice, isLawful) in zip(["then 1 else 0", "then 0 else 1"], lawful) {
            let found = regulation(
                """
                outcome verdict of unit
                \(clauses)
                figure bonus of unit in mark shown by averages = if verdict is \(value) \(choice)
                """)
            #expect(found.faults.map(\.code.text) == (isLawful ? [] : ["not_monotone"]))
        }
    }

    @Test func `descriptions name the values, those that are met first`() throws {
        let scheme = InstalledScheme.regulations()
        let configuration: JSON = ["document": .string(Document.text("", heading: Self.heading))]
        let described = try JSON.parse(scheme.description(of: scheme.rulebook(configuration: configuration)))
        let all = (described["outcomes"]?.array ?? []).first { $0["name"] == "result" }?["values"]?.array ?? []
        #expect(all.compactMap { $0["value"]?.string } == ["ADM", "CMP", "ADJ", "DEF", "AJ"])
        #expect(all.compactMap { $0["state"]?.string } == ["met", "met", "met", "unmet", "unmet"])
        #expect(all.map { $0["byHand"] == true } == [false, false, true, false, false])
        #expect(all[0]["label"] == ["en": "Acquired", "fr": "Acquis", "zh-Hans": "通过"])
        #expect(all[1]["label"]?["fr"] == "CMP")
    }

    private func given(_ value: JSON, in rules: Rulebook) throws -> RecordTree {
        let tree = try rules.storedRecord(fields: [:], entries: Self.two)
        let jury = GivingAuthor(account: "A1", time: "2026-07-03T10:00:00Z")
        return try rules.validate(
            [.patch(EntryID("b"), ["given": ["outcomes": ["result": value]], "reason": "Jury"])], of: tree,
            at: "/changes", by: .staff(author: "A1", giving: jury)
        ) { EntryID("n") }.tree
    }

    @Test func `a jury gives one of the values, which counts from there upwards`() throws {
        let rules = try #require(regulation("").rulebook)
        let tree = try given("ADJ", in: rules)
        let text = tree.stored(as: "R", of: "P").text
        for tree in [tree, try rules.storedRecord(text)] {
            let standing = try rules.standing(of: tree)
            let result = try #require(standing.entry(EntryID("b"))?.outcomes.first)
            #expect(result.decision.word == "ADJ" && result.decision.state == .met && result.isFinal)
            #expect(result.computed?.word == "AJ")
            #expect(standing.outcomes.first?.decision.word == "plain")
            let json = try JSON.parse(standing.json(of: nil, in: .french))
            let shown = json["entries"]?["b"]?["outcomes"]?["result"]
            #expect(shown?["value"] == "ADJ" && shown?["text"] == "Par le jury")
            #expect(shown?["computed"]?["value"] == "AJ" && shown?["computed"]?["text"] == "Ajourné")
            #expect(json["entries"]?["a"]?["outcomes"]?["result"]?["text"] == "Acquis")
        }
    }

    @Test(arguments: ["met", "unmet", "pending", "XYZ", "adj", "", 1, true] as [JSON])
    func `people give no other value, and not a state alone`(value: JSON) throws {
        let rules = try #require(regulation("").rulebook)
        do {
            _ = try given(value, in: rules)
            Issue.record("\(value) was taken")
        } catch let faults as FaultList {
            #expect(faults.faults.map { "\($0.code) \($0.path)" } == ["out_of_range /changes/0/given/outcomes/result"])
            #expect(faults.faults.first?.arguments["allowed"] == ["ADM", "CMP", "ADJ", "DEF", "AJ"])
        }
    }

    @Test func `a value that later rules do not have stays in its state, under its name`() throws {
        let before = try #require(regulation("").rulebook)
        let text = try given("ADJ", in: before).stored(as: "R", of: "P").text
        let heading = Self.heading.replacing(
            "met ADJ \"By the jury\" fr \"Par le jury\" zh \"评审团认定\" by hand", with: ""
        )
        .replacing(" or result is ADJ", with: "")
        let after = try #require(Regulation(Array(Document.text("", heading: heading).utf8)).rulebook)
        let standing = try after.standing(of: try after.storedRecord(text))
        let json = try JSON.parse(standing.json(of: nil, in: .english))
        let shown = json["entries"]?["b"]?["outcomes"]?["result"]
        #expect(shown?["state"] == "met" && shown?["value"] == "ADJ" && shown?["text"] == "ADJ")
    }

    @Test func `a change of value is a change of the outcome`() throws {
        let rules = try #require(regulation("").rulebook)
        let tree = try rules.storedRecord(fields: [:], entries: Self.two)
        let before = try StandingComparison(with: rules.standing(of: tree).json(of: nil, in: .english))
        let other = try #require(
            Regulation(Array(Document.text("", heading: Self.heading).utf8), settings: ["bar": 9]).rulebook)
        let judged = try other.storedRecord(fields: [:], entries: Self.two)
        let changes = before.changes(in: try other.standing(of: judged))
        let outcomes = changes.filter { $0.aspect == .outcome }
        #expect(
            outcomes.map { "\($0.name) \($0.before ?? "") \($0.after ?? "")" } == ["year unmet plain", "result AJ CMP"])
    }

    @Test(arguments: [
        (
            "    met good when any unit\n    unmet good when no unit",
            "value_of_two_states: “good” is met on one line and unmet on another — name two values"
        ),
        (
            "    met good by hand\n    met good when any unit",
            "value_by_hand: “good” is given by hand — it has one line, and no other decides it"
        ),
        (
            "    met good \"A\" when any unit\n    met good \"B\" when overall reaches bar",
            "duplicate_name: “good” has two labels — keep the one on its first line"
        ),
        ("    met final when any unit", "reserved_name: “final” is a word of the language — choose another name"),
        ("    met when by hand", "unexpected: “by” does not belong here — a value is expected"),
        ("    met good when any unit : result is ADN", "unknown_choice: “result” is never “ADN” — did you mean `ADM`?"),
        ("    met good", "unexpected: the line ends too soon — `when` is expected"),
    ])
    func `a mistake about values comes with what to write`(lines: String, message: String) {
        let faults = regulation("outcome o\n\(lines)").faults.map { "\($0.code): \($0.message(in: .english))" }
        #expect(faults == [message])
    }

    @Test func `an outcome has at most 32 values`() {
        let lines = (1...33).map { "    met v\($0) when any unit" }.joined(separator: "\n")
        #expect(regulation("outcome o\n\(lines)").faults.map(\.code) == ["too_many"])
    }
}
