import SQLiteStore
import TestKit
import Accounts
import GradingKit
import Live
import Records
import Shared
import Testing

@testable import Application

@Suite struct LiveDocumentsTests {
    private let harness: ProgramHarness
    private let documents: LiveDocuments
    private let ada: AccountContext
    private let record: RecordID

    init() async throws {
        harness = try await ProgramHarness()
        documents = LiveDocuments(
            records: harness.records, lists: RecordLists(records: harness.records, projections: harness.store),
            cohorts: harness.work.cohorts, sharings: harness.sharings, feeds: harness.feeds(),
            classes: harness.classFollowing)
        ada = try await harness.caller("ada", as: "student")
        record = try await harness.record(of: ada, total: 80, hidden: true)
    }

    /// Which of the topics a caller may read.
    private func readable(_ topics: [Topic], by principal: Principal) async throws -> [Topic] {
        var readable: [Topic] = []
        for topic in topics where try await documents.mayRead(topic, as: principal) { readable.append(topic) }
        return readable
    }

    @Test func `a student follows the released view alone, staff either, and nobody else any`() async throws {
        let topics: [Topic] = [
            .standing(record, .released), .record(record, .released), .standing(record, .staff),
            .record(record, .staff), .cohort(harness.program), .records(ada.account),
        ]
        let (teacher, eve) = (try await harness.caller("tea", as: "teacher"), try await harness.caller("eve"))
        #expect(try await readable(topics, by: ada.principal) == [topics[0], topics[1], topics[5]])
        #expect(harness.trail.items.isEmpty)
        #expect(try await readable(topics, by: teacher.principal) == Array(topics[..<5]))
        #expect(harness.trail.items.map(\.action) == ["record.read"])
        #expect(try await readable(topics, by: eve.principal).isEmpty)
        #expect(try await readable(topics, by: .guest).isEmpty)
    }

    @Test func `each view has a document and a version of its own`() async throws {
        let (released, staff) = (Topic.standing(record, .released), Topic.standing(record, .staff))
        let snapshot = try #require(try await harness.store.snapshot(of: record))
        #expect(try await documents.document(of: released)?.bytes == snapshot.content(.released).standing)
        #expect(try await documents.document(of: staff)?.bytes == snapshot.full.standing)
        #expect(
            try await documents.versions(of: [staff, released, .standing(RecordID("gone"), .staff)]).versions
                == [snapshot.fullVersion, snapshot.releasedVersion, nil])
    }

    @Test func `the list of records is a document whose version rises with what it says`() async throws {
        let topic = Topic.records(ada.account)
        #expect(try await documents.versions(of: [topic]).versions == [nil])
        let first = try #require(try await documents.document(of: topic))
        #expect(try await documents.document(of: topic) == first)
        _ = try await harness.record(of: ada, total: 70)
        let second = try #require(try await documents.document(of: topic))
        #expect(second.revision.version > first.revision.version)
        #expect(try await documents.versions(of: [topic]).versions == [second.revision.version])
    }

    @Test func `a record that is gone has no readers`() async throws {
        let topic = Topic.record(record, .released)
        #expect(try await documents.mayRead(topic, as: ada.principal))
        _ = try await harness.store.delete(record, by: harness.writing())
        #expect(try await !documents.mayRead(topic, as: ada.principal))
        #expect(try await documents.document(of: topic) == nil)
    }
}
