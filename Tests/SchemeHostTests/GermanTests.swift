import GradingKit
import GradingLaws
import SchemeHost
import SchemeTestKit
import TestKit
import Testing

/// The scheme of a third party, as the server runs it.
@Suite struct GermanTests {
    private let scheme: InstalledScheme
    private let rules: Rulebook

    init() throws {
        scheme = try InstalledScheme(try Program.host(try Program.built("German")))
        rules = try scheme.rulebook()
    }

    /// A record from `1.3×5, 2.7×10, —×5`: grade and credits of each module.
    private func record(_ modules: String) throws -> RecordTree {
        let entries = modules.split(separator: ",").enumerated().map { index, text -> JSON in
            let parts = text.split { "× ".contains($0) }
            return [
                "id": .string("\(index + 1)"), "kind": "module",
                "fields": [
                    "title": .string("Modul \(index + 1)"), "credits": .number(String(parts[1])),
                    "grade": parts[0] == "—" ? .null : .number(String(parts[0])),
                ],
            ]
        }
        return try rules.calculation(fields: .null, entries: .array(entries), newID: { EntryID("?") })
    }

    @Test func `it keeps the laws`() throws {
        let laws = LawSuite(rules, seed: 5, records: 40)
        #expect(laws.violations().map(\.description) == [])
    }

    @Test func `a module can be graded by a class`() throws {
        #expect(rules.takesGiven)
        let found = LawSuite(rules, seed: 5, records: 40).counterexample(toMounting: "module")
        #expect(found?.description == nil)
    }

    @Test(arguments: [
        ("1.0×5, 1.3×5", "1.1", "met"), ("1.3×5, 2.7×10", "2.2", "met"), ("4.0×5, 4.09×5", "4.0", "met"),
        ("1.0×5, 4.1×5", "2.5", "unmet"), ("3.7×5, —×5", "3.7", "pending"), ("1.7×6, 2.3×4, 3.0×5", "2.2", "met"),
    ])
    func `a mean is weighted by credits and cut off behind its first decimal`(
        modules: String, overall: String, degree: String
    ) throws {
        let standing = try rules.standing(of: try record(modules))
        #expect(standing.display("overall") == overall)
        #expect(standing.outcome("degree").hasPrefix(degree))
    }

    @Test func `what is open lies between 5.0 and 1.0, the better one being the lower`() throws {
        let standing = try rules.standing(of: try record("2.0×5, —×5"))
        #expect(standing.range("overall") == "3.5…1.5")
        #expect(standing.letter(of: "1") == "gut")
        #expect(standing.display("credits") == "5")
    }

    @Test(arguments: [("2.0", "reachable 21/10", "2.0 of 1.5"), ("1.0", "out_of_reach", "1.5 of 1.5")])
    func `a goal is found in the process, on the grid of tenths`(
        target: String, reading: String, outlook: String
    ) throws {
        let answer = try rules.answer(to: Goal("overall", reaches: .named(target)), in: try record("2.0×5, —×5"))
        #expect(answer.reading == reading)
        #expect(answer.outlook == outlook)
    }

    @Test func `its mentions may be others, as long as each is worse than the one before`() throws {
        func mentions(_ bounds: JSON...) -> JSON {
            [
                "mentions": .array(
                    bounds.enumerated().map { ["label": .string("mention \($0)"), "from": $1] })
            ]
        }
        let rules = try scheme.rulebook(configuration: mentions("1.0–1.9", 4, 5))
        let standing = try rules.standing(of: try record("1.9×5, 2.0×5"))
        #expect(standing.letter(of: "1") == "mention 0")
        #expect(standing.letter(of: "2") == "mention 1")
        let error = #expect(throws: FaultList.self) { try scheme.rulebook(configuration: mentions(2, 1, 5)) }
        #expect(
            error?.faults.map { "\($0.code) \($0.path)" } == ["bands_not_increasing /configuration/mentions/1/from"])
        let open = #expect(throws: FaultList.self) { try scheme.rulebook(configuration: mentions(2, nil)) }
        #expect(open?.faults.map { "\($0.code) \($0.path)" } == ["missing_field /configuration/mentions/1/from"])
    }

    @Test func `a figure explains itself, and the explanation gives its value`() throws {
        let standing = try rules.standing(of: try record("1.3×5, 2.7×10"), explaining: .all)
        #expect(standing.traces.map(\.figure).contains("overall"))
    }
}
