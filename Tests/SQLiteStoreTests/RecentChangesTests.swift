import People
import Records
import Shared
import Testing

@testable import RelationalStore

@Suite struct `Changes that are held in memory` {
    /// A change of a record, whose number in the log is `number`.
    private func change(
        _ number: Int, of record: String = "r", bytes: Int = 0
    ) throws -> (change: HeldChange, standing: [UInt8]) {
        let head = RecordHead(
            id: RecordID(record), institution: InstitutionID("i"), program: ProgramID("p"), programVersion: 1,
            student: AccountID("a"), createdAt: Timestamp(microseconds: 1))
        let content = RecordContent(tree: [], standing: Array(repeating: 0x20, count: bytes))
        let amendment = Amendment(
            programVersion: 1, full: content, released: nil,
            change: ChangeDescription(
                operation: "patch", entry: nil, before: nil, after: nil, figures: [], reason: nil),
            releasedChange: nil
        ) { _ in StoredAnswer(.changed, body: []) }
        let context = WriteContext(
            account: AccountID("a"), source: "s", at: Timestamp(microseconds: 1), view: .full, expected: nil,
            idempotency: nil, access: AccessVersions())
        let plan = try RecordPlan.creation(
            head, as: amendment, by: context,
            found: RecordRows(answer: nil, record: nil, access: AccessVersions()), epoch: Epoch("e"))
        guard case .insert(let snapshot, let appended) = plan.change else { throw Violation() }
        return (HeldChange(appended, snapshot, TrailEnd(change: number, link: [])), content.standing)
    }

    private struct Violation: Error {}

    private func followed(
        capacity: Int = 1 << 20, count: Int = 99, share: Int = 99, from place: Int = 0
    ) -> RecentChanges {
        let changes = RecentChanges(capacity: capacity, count: count, share: share)
        _ = changes.changes(after: place)
        return changes
    }

    @Test func `are none before somebody asks`() throws {
        let changes = RecentChanges()
        changes.add([try change(1)])
        #expect(changes.changes(after: 0) == nil)
        changes.add([try change(2)])
        #expect(changes.changes(after: 1)?.changes.map(\.number) == [2])
    }

    @Test func `are handed out until their place is passed, and then those that came meanwhile`() throws {
        let changes = followed()
        changes.add([try change(1), try change(2)])
        for _ in 0..<2 { #expect(changes.changes(after: 0)?.changes.map(\.number) == [1, 2]) }
        changes.add([try change(3)])
        let first = try #require(changes.changes(after: 0))
        #expect(first.changes.map(\.number) == [1, 2])
        #expect(first.isFull)
        #expect(changes.changes(after: 1)?.changes.map(\.number) == [2])
        let last = try #require(changes.changes(after: 2))
        #expect(last.changes.map(\.number) == [3])
        #expect(!last.isFull)
        #expect(changes.changes(after: 3) == nil)
    }

    @Test func `are not handed out where one may be missing`() throws {
        let changes = followed()
        changes.add([try change(2), try change(3)])
        #expect(changes.changes(after: 0) == nil)
        #expect(changes.changes(after: 1)?.changes.map(\.number) == [2, 3])
        // Another program has made change 4.
        changes.add([try change(5)])
        #expect(changes.changes(after: 1) == nil)
        #expect(changes.changes(after: 3) == nil)
        #expect(changes.changes(after: 4)?.changes.map(\.number) == [5])
    }

    @Test func `begin anew where there is no room, and when they are to be forgotten`() throws {
        let changes = followed(count: 3)
        changes.add(try (1...4).map { try change($0) })
        #expect(changes.changes(after: 0) == nil)
        changes.add([try change(5)])
        #expect(changes.changes(after: 4)?.changes.map(\.number) == [5])
        changes.clear()
        #expect(changes.changes(after: 4) == nil)
        // What was read from the database meanwhile takes no room.
        let passed = followed(capacity: 3_000)
        for number in 1...9 {
            passed.add([try change(number, bytes: 2_000)])
            #expect(passed.changes(after: number) == nil)
        }
        passed.add([try change(10, bytes: 2_000)])
        #expect(passed.changes(after: 9)?.changes.map(\.number) == [10])
        let small = followed(capacity: 3_000)
        small.add([try change(1, bytes: 1_000), try change(2, of: "s", bytes: 1_500)])
        #expect(small.changes(after: 0) == nil)
    }

    @Test func `are handed out in shares, each with the standings of its records`() throws {
        let changes = followed(share: 2)
        changes.add([
            try change(1, bytes: 1), try change(2, of: "s", bytes: 2), try change(3, of: "s", bytes: 3),
            try change(4, of: "t", bytes: 4), try change(5, bytes: 5),
        ])
        var told: [[Int]] = []
        var place = 0
        while let run = changes.changes(after: place) {
            told.append(run.changes.map(\.number) + run.standings.values.map(\.count).sorted())
            place = try #require(run.changes.last).number
            #expect(run.isFull == (place < 5))
        }
        // The standing is the newest, whichever share the change is in.
        #expect(told == [[1, 2, 3, 5], [3, 4, 3, 4], [5, 5]])
        // What is left takes the room of what was handed out no more.
        let small = followed(capacity: 3_000, share: 1)
        for number in 1...20 {
            small.add([try change(number, of: "r\(number)", bytes: 700)])
            if number > 1 { #expect(small.changes(after: number - 2)?.changes.map(\.number) == [number - 1]) }
        }
    }

    @Test func `keep the newest standing of each record alone`() throws {
        let changes = followed(capacity: 8_000)
        changes.add([try change(1, bytes: 3_000), try change(2, of: "s", bytes: 10), try change(3, bytes: 3_000)])
        let held = try #require(changes.changes(after: 0)).standings
        #expect(held.mapValues(\.count) == [RecordID("r"): 3_000, RecordID("s"): 10])
    }
}
