import Accounts
import Forms
import GradingKit
import Institutions
import Live
import People
import Records
import SQLiteStore
import Shared
import TestKit
import Testing

@testable import Application

@Suite struct RecordSharingsTests {
    private let harness: ProgramHarness
    private let ada: AccountContext
    private let record: RecordID

    init() async throws {
        harness = try await ProgramHarness()
        ada = try await harness.caller("ada", as: "student")
        record = try await harness.record(of: ada, total: 80, hidden: false)
    }

    private func share(_ what: RecordSharing.Extent, _ with: RecordSharing.Audience...) async throws {
        let choice: JSON = ["what": .string(what.rawValue), "with": .array(with.map { .string($0.rawValue) })]
        try await harness.sharings.choose(SharingEdit.form.read(choice), for: record, ada)
    }

    /// Staff enter a course.
    private func add(_ total: Int, hidden: Bool = false, _ title: String) async throws {
        let course = ProgramHarness.course(total, hidden, title: title)
        try await harness.amend(record, [.add(entry: course, parent: nil, ref: nil)])
    }

    private func document() async throws -> JSON {
        try JSON.parse(try #require(try await harness.sharings.document(of: record)).bytes)
    }

    @Test func `nothing is shared until its student says so, and then with those alone`() async throws {
        let (teacher, eve) = (try await harness.caller("tea", as: "teacher"), try await harness.caller("eve"))
        let callers = [ada.principal, teacher.principal, eve.principal, harness.principal, .guest]
        func readers() async throws -> [Bool] {
            var readers: [Bool] = []
            for caller in callers { readers.append(try await harness.sharings.mayRead(record, as: caller)) }
            return readers
        }
        #expect(try await readers() == [false, false, false, false, false])
        try await share(.headline, .members)
        #expect(try await readers() == [true, true, false, true, false])
        try await share(.headline, .everyone)
        #expect(try await readers() == [true, true, true, true, false])
        try await share(.headline)
        #expect(try await readers() == [false, false, false, false, false])
    }

    @Test func `others see figures as they are displayed, and no entry, exact value or reason`() async throws {
        try await share(.standing, .everyone)
        let shown = try await document()
        #expect(
            shown.object?.members.map(\.name) == [
                "record", "institution", "program", "title", "scheme", "what", "figures", "outcomes",
            ])
        let gpa = shown["figures"]?["gpa"]
        #expect(gpa?.object?.members.map(\.name).sorted() == ["band", "display", "text"])
        #expect(gpa?["display"]?.string == "3.00")
        #expect(shown["entries"] == nil && shown["warnings"] == nil)
    }

    @Test func `a headline is the first figure alone`() {
        let standing: JSON = [
            "figures": [
                "total": ["exact": "79/6", "display": "13.17", "floor": "1.00", "band": "green"],
                "credits": ["exact": "30", "display": "30"],
            ],
            "entries": ["e": ["letter": "A"]],
            "outcomes": [
                "diploma": ["state": "unmet", "final": true, "reasons": [["code": "unit_low", "entry": "e"]]],
                "honours": ["state": "met", "final": false, "reasons": []],
            ],
        ]
        func written(_ what: RecordSharing.Extent) -> String {
            var writer = JSONWriter()
            writer.object { SharedView(of: standing, what).writeMembers(to: &$0) }
            return String(decoding: writer.bytes, as: UTF8.self)
        }
        #expect(
            written(.headline)
                == #"{"figures":{"total":{"display":"13.17","band":"green"}},"outcomes":{"diploma":{"state":"unmet","final":true}}}"#
        )
        #expect(written(.standing).contains(#""credits":{"display":"30"}"#))
        #expect(written(.standing).contains(#""honours":{"state":"met","final":false}"#))
        #expect(!written(.standing).contains("reasons") && !written(.standing).contains("letter"))
    }

    @Test func `the version rises only when what is shared is another, and hidden grades are not in it`() async throws {
        let topic = Topic.shared(record)
        let documents = LiveDocuments(
            records: harness.records, lists: RecordLists(records: harness.records, projections: harness.store),
            cohorts: harness.work.cohorts, sharings: harness.sharings, feeds: harness.feeds(),
            classes: harness.classFollowing)
        func version() async throws -> Version? { try await documents.versions(of: [topic]).versions[0] }
        try await share(.headline, .everyone)
        let first = try await version()
        #expect(try await documents.document(of: topic)?.revision.version == first)
        // Another view of staff, and another version of the student's view with the same figure.
        try await add(10, hidden: true, "Hidden")
        #expect(try await version() == first)
        try await add(80, "Same")
        #expect(try await version() == first)
        try await add(95, "Better")
        #expect(try await version() == first.map { $0 + 1 })
        #expect(try await documents.versions(of: [.shared(RecordID("gone"))]).versions == [nil])
    }

    @Test func `the owner alone chooses, and everything else answers as if there were no such record`() async throws {
        let teacher = try await harness.caller("tea", as: "teacher")
        let edit = try SharingEdit.form.read(["what": "headline", "with": ["everyone"]])
        for (id, caller) in [(record, teacher), (RecordID("gone"), ada)] {
            await #expect(throws: UseCaseError.self) { try await harness.sharings.choose(edit, for: id, caller) }
            await #expect(throws: UseCaseError.self) { try await harness.sharings.choice(for: id, caller) }
            await #expect(throws: UseCaseError.self) { try await harness.sharings.document(of: id, for: caller) }
        }
        #expect(try await harness.store.shared(record) == nil)
        #expect(harness.trail.items.isEmpty)
    }

    @Test func `where the operator has turned sharing off, there is nothing`() async throws {
        try await share(.headline, .everyone)
        let closed = RecordSharings(
            store: harness.store, records: harness.records, profiles: harness.accounts.profiles,
            projections: harness.store,
            isEnabled: false)
        #expect(try await !closed.mayRead(record, as: ada.principal))
        await #expect(throws: UseCaseError.self) { try await closed.choice(for: record, ada) }
        await #expect(throws: UseCaseError.self) {
            try await closed.choose(SharingEdit.form.read(["what": "headline", "with": []]), for: record, ada)
        }
    }

    private static let wrongChoices: [(JSON, [String])] = [
        (["what": "grades", "with": []], ["/what out_of_range"]),
        (["what": "headline"], ["/with missing_field"]),
        (["what": "headline", "with": ["members", "world"]], ["/with/1 out_of_range"]),
        (["what": "headline", "with": ["members", "members", "members", "members"]], ["/with entry_limit"]),
        (["what": "headline", "with": [1], "to": "all"], ["/to unknown_field", "/with/0 out_of_range"]),
    ]

    @Test(arguments: wrongChoices)
    func `a wrong choice is answered with all its faults`(choice: JSON, faults: [String]) {
        do {
            _ = try SharingEdit.form.read(choice)
            Issue.record("It was read")
        } catch {
            #expect(error.faults.map { "\($0.path) \($0.code)" }.sorted() == faults)
        }
    }
}
