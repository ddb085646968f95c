import GradingKit
import Records
import Shared
import TestKit
import Testing

@testable import Application

@Suite struct RecordListTests {
    private let harness: ProgramHarness
    private let ada: AccountContext
    private let bob: AccountContext
    private let records: [RecordID]

    init() async throws {
        harness = try await ProgramHarness()
        ada = try await harness.caller("ada", as: "student")
        bob = try await harness.caller("bob", as: "student")
        records = [
            try await harness.record(of: ada, total: 80), try await harness.record(of: bob, total: 70),
            try await harness.record(of: ada, total: 60, hidden: true),
        ]
    }

    @Test func `a student sees the own records, as far as they are released`() async throws {
        let page = try await RecordList(harness.records).own(ada.account, limit: 10)
        #expect(page.items.map(\.id) == [records[0], records[2]])
        #expect(!page.hasMore)
        let lines = try page.items.map { try JSON.parse($0.line) }
        #expect(lines.map { $0["figures"]?["gpa"]?["display"]?.string == "" } == [false, true])
        #expect(lines.allSatisfy { $0["displayName"] == nil })
        #expect(harness.trail.items.isEmpty)
    }

    @Test func `the staff of a program see everything of all its students, and that is recorded`() async throws {
        let teacher = try await harness.caller("tea", as: "teacher")
        let list = RecordList(harness.records)
        let page = try await list.page(of: harness.program, student: nil, after: nil, limit: 2, for: teacher)
        #expect(page.items.map(\.id) == Array(records[..<2]))
        #expect(page.hasMore)
        let rest = try await list.page(
            of: harness.program, student: nil, after: page.items.last?.id, limit: 2, for: teacher)
        #expect(rest.items.map(\.id) == [records[2]])
        #expect(try rest.items.map { try JSON.parse($0.line)["displayName"]?.string } == ["ada"])
        #expect(harness.trail.items.map(\.action) == ["records.listed", "records.listed"])
        let one = try await list.page(of: harness.program, student: bob.account, after: nil, limit: 9, for: teacher)
        #expect(one.items.map(\.id) == [records[1]])
    }

    @Test func `a page says that another follows only if one does`() async throws {
        let list = RecordList(harness.records)
        let teacher = try await harness.caller("tea", as: "teacher")
        for (limit, hasMore) in [(1, true), (2, false), (3, false)] {
            #expect(try await list.own(ada.account, limit: limit).hasMore == hasMore)
        }
        for (limit, hasMore) in [(2, true), (3, false), (4, false)] {
            let page = try await list.page(
                of: harness.program, student: nil, after: nil, limit: limit, for: teacher)
            #expect(page.items.count == min(limit, 3))
            #expect(page.hasMore == hasMore)
        }
        #expect(try await list.own(ada.account, after: records[2], limit: 1).items.isEmpty)
    }

    @Test func `a student who asks for another's records learns nothing`() async throws {
        let list = RecordList(harness.records)
        #expect(
            try await refusal {
                _ = try await list.page(of: harness.program, student: bob.account, after: nil, limit: 9, for: ada)
            } == "not_found")
        let own = try await list.page(of: harness.program, student: nil, after: nil, limit: 9, for: ada)
        #expect(own.items.map(\.id) == [records[0], records[2]])
    }
}
