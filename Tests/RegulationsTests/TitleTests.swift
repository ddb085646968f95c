import GradingKit
import Regulations
import Testing

/// Which entry a worked example means by a title.
@Suite struct `Titles in examples` {
    private static let rules = """
        figure average of unit in mark "Average" shown by averages = mean of grade over subject
        figure own of subject in mark "Own" shown by averages = grade
        template two "Two units"
            unit "A" weight 1
                subject "Stage" weight 1 grade 8
                subject "Project" weight 1 grade 9
            unit "B" weight 1
                subject "Project" weight 1 grade 12
                subject "B" weight 1 grade 14
            unit "C" weight 1
                subject "Twin" weight 1 grade 1
                subject "twin " weight 1 grade 2

        """

    private static func twins(_ title: String) -> String {
        "ambiguous_title: several subject entries in the same place are called “\(title)” — "
            + "give each a title of its own"
    }

    private func found(_ example: String, in language: Language = .english) -> [String] {
        let regulation = Document.regulation(Self.rules + "example e \"E\"\n" + example)
        if !regulation.faults.isEmpty {
            return regulation.faults.map { "\($0.code): \($0.message(in: language))" }
        }
        return regulation.workedExamples().flatMap { $0.differences.map { $0.text(language) } }
    }

    @Test(arguments: [
        "average of \"A\" = 8.5", "own of \"Stage\" = 8", "own of unit \"b\" subject \"Project\" = 12",
        "own of unit \"A\" subject \"project\" = 9", "own of subject \"Stage\" = 8",
        "average of unit \"B\" = 13",
        "average of \"B\" = 13", "own of \"B\" = 14", "own of unit \"B\" subject \"B\" shown \"14.00\"",
    ])
    func `mean one entry`(_ expected: String) {
        #expect(found("    template two\n    expect \(expected)") == [])
    }

    @Test func `what is expected of it is compared`() {
        #expect(
            found("    template two\n    expect own of unit \"B\" subject \"Project\" = 9")
                == ["own of unit \"B\" subject \"Project\" = 9: 12 (Article one)"])
    }

    @Test(arguments: [
        (
            "expect own of \"Project\" = 9",
            "ambiguous_title: several entries that have “own” are called “Project” — say where it stands, as in "
                + "`of unit \"A\" subject \"Project\"`, or give each a title of its own"
        ),
        (
            "expect own of \"Twin\" = 1",
            twins("Twin")
        ),
        (
            "expect own of unit \"C\" subject \"Twin\" = 1",
            twins("Twin")
        ),
        ("expect own of unit \"C\" subject \"Project\" = 1", "unknown_name: there is no “Project” in subject"),
        (
            "expect own of subjekt \"Project\" = 1",
            "unknown_kind: there is no entry “subjekt” — did you mean `subject`?"
        ),
    ])
    func `that do not are a fault where they stand`(_ line: String, _ fault: String) {
        #expect(found("    template two\n    \(line)") == [fault])
    }

    @Test func `lead to one entry that an example changes`() {
        #expect(found("    template two with unit \"C\" subject \"TWIN\" grade 7") == [Self.twins("TWIN")])
        let change = "    template two with unit \"B\" subject \"Project\" grade 7\n"
        #expect(found(change + "    expect own of unit \"B\" subject \"Project\" = 7, average of \"A\" = 8.5") == [])
    }

    @Test func `are told with line and column`() throws {
        let fault = try #require(
            Document.regulation(Self.rules + "example e\n    template two\n    expect own of \"Project\" = 9").faults
                .first)
        #expect(fault.code == "ambiguous_title" && fault.column == 19)
        let french = found("    template two\n    expect own of \"Twin\" = 9", in: .french)
        #expect(french.first?.contains("«\u{a0}Twin\u{a0}»") == true)
    }

    @Test func `however many are called so, and however often they are asked for, the check ends`() {
        let entries = (0..<990).map { _ in "        subject \"S\" weight 1" }.joined(separator: "\n")
        let asked = Array(repeating: "average of unit \"B\" subject \"S\" = 1", count: 490).joined(separator: ", ")
        let examples = (0..<10).map { "example e\($0)\n    template many\n    expect \(asked)" }
        let rules = """
            figure average of unit in mark shown by averages = mean of grade over subject
            template many
                unit "A" weight 1
            \(entries)
                unit "B" weight 1
                    subject "S" weight 1

            """
        let regulation = Document.regulation(rules + examples.joined(separator: "\n"))
        #expect(regulation.faults.map(\.code) == [])
    }
}
