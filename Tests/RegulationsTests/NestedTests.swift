import GradingKit
import GradingLaws
import Regulations
import Testing

/// Kinds whose entries stand in entries of their own kind.
@Suite struct `Kinds nested in themselves` {
    private static let rules = """
        entry block nested 3 deep at most 4 statuses excused
            title text
            share number in weight from 0 starts at 1
            grade grade in mark
        check block not (any block) or not (grade is recorded) else grade_of_blocks
        figure value of block in mark "Value" shown by averages
            = if any block then mean of value over block weighted by share else grade
        figure total in mark "Total" shown by averages = mean of value over block weighted by share
        """

    private static func block(_ title: String, _ grade: JSON = .null, _ children: [JSON] = []) -> JSON {
        [
            "kind": "block", "fields": ["title": .string(title), "share": 1, "grade": grade],
            "children": .array(children),
        ]
    }

    private static func identifiers(after last: Int = 0) -> () -> EntryID {
        var made = last
        return {
            made += 1
            return EntryID("e\(made)")
        }
    }

    private static func rulebook(_ more: String = "") throws -> Rulebook {
        let regulation = Document.regulation(rules + "\n" + more)
        #expect(regulation.faults.map { "\($0.code): \($0.message(in: .english))" } == [])
        return try #require(regulation.rulebook)
    }

    private static func tree(_ entries: [JSON], _ rules: Rulebook) throws -> RecordTree {
        try rules.calculation(fields: .null, entries: .array(entries), newID: identifiers())
    }

    private static func codes(_ body: () throws -> Void) -> [FaultCode] {
        do {
            try body()
            return []
        } catch {
            return (error as? FaultList)?.faults.map(\.code) ?? ["other"]
        }
    }

    @Test func `a figure uses itself over the entries within`() throws {
        let rules = try Self.rulebook()
        let inner = Self.block("A1", nil, [Self.block("A11", 10), Self.block("A12")])
        let tree = try Self.tree([Self.block("A", nil, [inner, Self.block("A2", 14)]), Self.block("B", 8)], rules)
        let standing = try rules.standing(of: tree)
        let total = try #require(standing.figure("total"))
        #expect(total.current == .value(10))
        #expect(total.floor == .value(try #require(Exact(ratio: "35/4"))))
        #expect(total.ceiling == .value(try #require(Exact(ratio: "45/4"))))
        let text = tree.stored(as: "r", of: "p").text
        #expect(try rules.storedRecord(text).stored(as: "r", of: "p").text == text)
        let explained = try rules.standing(of: tree, explaining: .all)
        #expect(explained.traces.contains { $0.figure == "total" })
    }

    @Test func `nest no deeper than the document says, however they come`() throws {
        let rules = try Self.rulebook()
        var deep = Self.block("4", 10)
        for level in ["3", "2", "1"] { deep = Self.block(level, nil, [deep]) }
        #expect(Self.codes { _ = try Self.tree([deep], rules) } == ["too_deep"])
        for _ in 1...20 { deep = Self.block("x", nil, [deep]) }
        #expect(Self.codes { _ = try Self.tree([deep], rules) } == ["too_deep"])
        let staff = RecordWriter.staff(author: nil)
        let three = try Self.tree([Self.block("1", nil, [Self.block("2", nil, [Self.block("3", 9)])])], rules)
        let (innermost, newID) = ("e3", Self.identifiers(after: 100))
        func adding(_ entry: JSON, to parent: String, times: Int = 1) throws {
            var steps: [RecordChange] = []
            for number in 1...times {
                steps.append(.add(entry: entry, parent: number == 1 ? parent : "r\(number - 1)", ref: "r\(number)"))
            }
            _ = try rules.validate(steps, of: three, at: "/changes", by: staff, newID: { newID() })
        }
        #expect(Self.codes { try adding(Self.block("4", 9), to: innermost) } == ["too_deep"])
        #expect(Self.codes { try adding(Self.block("4", nil, [Self.block("5", 9)]), to: "e2") } == ["too_deep"])
        #expect(Self.codes { try adding(Self.block("4", 9), to: "e2") } == [])
    }

    @Test func `the laws hold of them`() throws {
        let suite = LawSuite(try Self.rulebook(), records: 60)
        #expect(suite.violations().map(\.description) == [])
    }

    @Test(arguments: [
        ("figure a of block in mark shown by averages = a + 1", "circular"),
        (
            """
            figure a of block in mark shown by averages = b
            figure b of block in mark shown by averages = if any block then mean of b over block else grade
            """, nil
        ),
        ("figure a of block in mark shown by averages = 20 - (greatest of a over block)", "not_monotone"),
        ("figure a of block in mark shown by averages without range = 20 - (greatest of a over block)", nil),
        ("hidden figure a of block in mark = 20 - (greatest of a over block)", "not_monotone"),
        ("entry other nested 9 deep\n    title text", "out_of_range"),
        ("entry other nested 1 deep\n    title text", "out_of_range"),
        ("figure a of unit in weight shown by averages = sum of a over unit", "not_inside"),
        ("outcome o of block\n    needs every block : o is met else code", "circular"),
    ])
    func `are checked`(_ rules: String, _ code: String?) {
        let faults = Document.faults(Self.rules + "\n" + rules)
        #expect(Set(faults.map { String($0.prefix { $0 != ":" }) }) == Set(code.map { [$0] } ?? []), "\(faults)")
    }
}
