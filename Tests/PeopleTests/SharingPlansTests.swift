import Forms
import GradingKit
import People
import Shared
import Testing

/// What a choice of sharing writes, from the rows that a store found.
@Suite struct SharingPlansTests {
    private let record = RecordID("r")
    private let act = AuditContext(by: AccountID("ada"), from: "127.0.0.1", at: Timestamp(microseconds: 1))
    private let friends = RecordSharing(what: .standing, with: [.friends])

    private func rows(_ now: RecordSharing? = nil, of student: String? = "ada", isAllowed: Bool = true) -> SharingRows {
        let shared = now.map {
            SharedRecord(
                record: record, institution: InstitutionID("i"), owner: AccountID("ada"), sharing: $0,
                since: Timestamp(microseconds: 0))
        }
        return SharingRows(
            record: record, institution: InstitutionID("i"), student: student.map { AccountID($0) },
            isAllowed: isAllowed, shared: shared)
    }

    private func plan(_ sharing: RecordSharing, _ rows: SharingRows?) throws -> PeoplePlan<SharedRecord?> {
        try PeoplePlans.sharing(sharing, found: rows, by: act)
    }

    @Test func `a new choice begins now and is told in the trail`() throws {
        let plan = try plan(friends, rows())
        #expect(plan.value?.sharing == friends)
        #expect(plan.value?.since == act.at)
        let detail = try #require(plan.audit.first?.detail)
        #expect(
            String(decoding: detail, as: UTF8.self)
                == #"{"record":"r","before":{"what":"headline","with":[]},"after":{"what":"standing","with":["friends"]}}"#
        )
    }

    @Test func `the same choice again keeps its beginning and writes nothing`() throws {
        let plan = try plan(friends, rows(friends))
        #expect(plan.changes.isEmpty && plan.audit.isEmpty)
        #expect(plan.value?.since == Timestamp(microseconds: 0))
    }

    @Test func `without an audience a record is not shared, however much would be shown`() throws {
        let none = try plan(RecordSharing(what: .standing), rows())
        #expect(none.changes.isEmpty && none.audit.isEmpty)
        let ended = try plan(RecordSharing(what: .standing), rows(friends))
        #expect(ended.value == nil)
        #expect(ended.audit.count == 1)
    }

    @Test func `an institution that allows no sharing still lets it end`() throws {
        #expect(throws: FaultList.self) { _ = try plan(friends, rows(isAllowed: false)) }
        #expect(try plan(RecordSharing(), rows(friends, isAllowed: false)).value == nil)
    }

    @Test(arguments: ["bo", nil])
    func `only the student of a record shares it`(student: String?) {
        #expect(throws: StoreError.notFound) { _ = try plan(friends, rows(of: student)) }
        #expect(throws: StoreError.notFound) { _ = try plan(friends, nil) }
    }

    @Test func `a choice is read with its audiences, and a wrong one is named by its place`() throws {
        let read = try SharingEdit.form.read(["what": "standing", "with": ["everyone", "friends"]]).sharing
        #expect(read == RecordSharing(what: .standing, with: [.friends, .everyone]))
        let error = #expect(throws: FaultList.self) {
            _ = try SharingEdit.form.read(["what": "standing", "with": ["friends", "enemies"]])
        }
        #expect(error?.faults.map(\.path) == ["/with/1"])
    }
}
