import GradingKit
import SchemeHost
import TestKit
import Testing

/// Copies of earlier records under a scheme in a process of its own.
@Suite struct `Earlier records from afar` {
    private static let staff = RecordWriter.staff(
        author: "A", giving: GivingAuthor(account: "A", time: "2026-07-03T10:00:00Z"))
    private static let copy: JSON = [
        "kind": "first", "given": ["figures": ["total": "61/5"]],
        "children": [
            ["kind": "first_unit", "fields": ["code": "U1"], "given": ["outcomes": ["result": "AJ"]]],
            [
                "kind": "first_unit", "fields": ["code": "U2"],
                "given": ["outcomes": ["result": ["value": "CMP", "state": "met"]]],
            ],
        ],
    ]

    private let folder: TemporaryDirectory
    private let rules: Rulebook

    init() throws {
        folder = try TemporaryDirectory()
        rules = try InstalledScheme(try Program.host(try Program.fixture("yearly", in: folder))).rulebook()
    }

    private func changed(_ changes: [RecordChange], _ tree: RecordTree, _ rules: Rulebook) throws -> RecordTree {
        var made = tree.count
        return try rules.validate(changes, of: tree, at: nil, by: Self.staff) {
            made += 1
            return EntryID("e\(made)")
        }.tree
    }

    @Test func `are given to the scheme, shown as they are, and stored`() throws {
        let mark: JSON = ["kind": "mark", "fields": ["grade": "14"]]
        let open = try changed([.add(entry: mark, parent: nil, ref: nil)], rules.emptyRecord, rules)
        #expect(try rules.standing(of: open).figure("both")?.current == .undefined(.noEarlier))
        let taken = try changed([.takeEarlier("first", copy: Self.copy, reason: "Transcript")], open, rules)
        let standing = try rules.standing(of: taken, explaining: .all)
        #expect(standing.figure("both")?.display == "13.10" && standing.figure("failed")?.display == "1.00")
        #expect(standing.traces.map(\.figure).contains("both"))
        let first = try #require(standing.entries.first)
        #expect(first.figures.map(\.display) == ["12.20"])
        #expect(first.figures.map(\.given?.author) == ["A"])
        #expect(standing.entries.flatMap(\.outcomes).map(\.decision.word) == ["AJ", "CMP"])
        let stored = taken.stored(as: "r", of: "p").text
        #expect(try rules.storedRecord(stored).stored(as: "r", of: "p").text == stored)
        let removed = try changed([.takeEarlier("first", copy: nil, reason: nil)], taken, rules)
        #expect(try rules.standing(of: removed).figure("both")?.current == .undefined(.noEarlier))
    }

    @Test func `have nothing that they were not taken with`() throws {
        let taken = try changed([.takeEarlier("first", copy: ["kind": "first"], reason: nil)], rules.emptyRecord, rules)
        let standing = try rules.standing(of: taken)
        #expect(standing.figure("both")?.current == .undefined(.notInEarlier))
        #expect(standing.figure("failed")?.display == "0.00")
        #expect(standing.entries.first?.figures.first?.current == .undefined(.notInEarlier))
    }

    @Test func `are refused for a scheme that takes nothing given`() throws {
        let link = try Program.host(Program.script("pass-fail"))
        let old = try InstalledScheme(link).rulebook()
        let faults = #expect(throws: FaultList.self) {
            _ = try changed([.takeEarlier("first", copy: Self.copy, reason: nil)], old.emptyRecord, old)
        }
        #expect(faults?.faults.map(\.code) == [.notSupported])
    }
}
