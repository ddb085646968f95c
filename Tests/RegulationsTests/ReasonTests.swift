import GradingKit
import Regulations
import Testing

/// Why outcomes that ask for other outcomes wait.
@Suite struct ReasonTests {
    private static let heading = """
        regulation test "Test" language 1
        rounding shown half up, 2 decimals, judged as shown
        entry module "Module" at most 12 statuses excused, absent, pending
            title text
            core yes/no optional
            mark grade in percent
        outcome passed of module "Passed"
            awaits mark is known else open
            met when mark >= 50 because direct
            else failed
        """

    /// The reasons of `whole` over four modules: one that is passed, one that is failed, and two without a mark, one of them core.
    private func reasons(_ clauses: String) throws -> [String] {
        let lines = clauses.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n")
        let text = Document.text("outcome whole\n\(lines)", heading: Self.heading)
        let regulation = Regulation(Array(text.utf8))
        #expect(regulation.faults.filter { !$0.isWarning }.map { $0.message(in: .english) } == [])
        let rules = try #require(regulation.rulebook)
        let modules: [(title: String, mark: JSON, core: JSON)] = [
            ("A", 60, false), ("B", 40, false), ("C", nil, true), ("D", nil, false),
        ]
        var made = 0
        let entries = modules.map { module -> JSON in
            ["kind": "module", "fields": ["title": .string(module.title), "mark": module.mark, "core": module.core]]
        }
        let tree = try rules.calculation(fields: .null, entries: .array(entries)) {
            made += 1
            return EntryID("ABCD".map(String.init)[made - 1])
        }
        let outcome = try #require(try rules.standing(of: tree).outcomes.first { $0.name == "whole" })
        return ["\(outcome.decision.state)"] + outcome.decision.reasons.map { "\($0.code) \($0.entry?.text ?? "")" }
    }

    @Test(arguments: [
        // What is pending waits for what its entries wait for; what is decided among them tells nothing.
        ("needs every module where title <> \"B\" : passed is met else failed", ["pending", "open C", "open D"]),
        ("needs no module : passed is pending and core else failed", ["unmet", "failed C"]),
        ("met when any module : passed is unmet and core\nelse failed", ["pending", "open C"]),
        // Two conditions that wait for the same are one reason.
        (
            "needs at least 2 module : passed is met else few\nneeds most module : passed is met else few",
            ["pending", "open C", "open D"]
        ),
        // A part that decides nothing any more is not waited for.
        (
            "met when (no module where core and (passed is met)) and (any module where core : mark >= 80)\nelse failed",
            ["pending", "ungraded C"]
        ),
        (
            "met when any module : (passed is met or core) and passed is unmet\nelse failed",
            ["pending", "open C", "open D"]
        ),
    ])
    func `each reason is told once, and only what is unknown`(clauses: String, expected: [String]) throws {
        #expect(try reasons(clauses) == expected)
    }
}
