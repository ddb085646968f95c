import GradingKit
import Records
import Shared
import Synchronization

/// What a store that stumbles throws, and how often it still does.
final class Stumbles: Sendable {
    private let left = Mutex<(count: Int, error: StoreError)>((0, .full))

    /// Lets the next calls fail.
    func begin(_ count: Int, with error: StoreError) { left.withLock { $0 = (count, error) } }

    /// From now on no call fails.
    func end() { left.withLock { $0.count = 0 } }

    fileprivate func check() throws(StoreError) {
        let error = left.withLock { left -> StoreError? in
            guard left.count > 0 else { return nil }
            left.count -= 1
            return left.error
        }
        if let error { throw error }
    }
}

/// A store of records whose changes fail when the test wants it.
struct StumblingRecordStore: RecordStore {
    let store: any RecordStore
    let stumbles: Stumbles

    var accessNews: AccessNews { store.accessNews }

    func accessVersions(
        of account: AccountID, in institution: InstitutionID, _ program: ProgramID
    ) async throws -> AccessVersions {
        try await store.accessVersions(of: account, in: institution, program)
    }

    func create(_ head: RecordHead, as amendment: Amendment, by context: WriteContext) async throws -> WriteOutcome {
        try await store.create(head, as: amendment, by: context)
    }

    func amend(
        _ record: RecordID, by context: WriteContext,
        _ change: @escaping @Sendable (RecordSnapshot) throws -> Amendment
    ) async throws -> WriteOutcome {
        try stumbles.check()
        return try await store.amend(record, by: context, change)
    }

    func delete(_ record: RecordID, by context: WriteContext) async throws {
        try await store.delete(record, by: context)
    }

    func snapshot(of record: RecordID) async throws -> RecordSnapshot? { try await store.snapshot(of: record) }

    func outline(of record: RecordID) async throws -> RecordOutline? { try await store.outline(of: record) }

    func records(
        student: AccountID?, program: ProgramID?, after cursor: RecordID?, limit: Int
    ) async throws -> [RecordSnapshot] {
        try await store.records(student: student, program: program, after: cursor, limit: limit)
    }

    func history(
        of record: RecordID, view: RecordView, before version: Version?, limit: Int
    ) async throws -> [HistoryItem] {
        try await store.history(of: record, view: view, before: version, limit: limit)
    }

    func versions(of records: [RecordID]) async throws -> CurrentVersions { try await store.versions(of: records) }

    func releasedVersions(of student: AccountID, limit: Int) async throws -> [RecordID: Version] {
        try await store.releasedVersions(of: student, limit: limit)
    }
}

/// A store of changes of many records that fails to keep how far they are when the test wants it: what a crash between
/// the records and that step leaves behind.
struct StumblingBulkChangeStore: BulkChangeStore {
    let store: any BulkChangeStore
    let stumbles: Stumbles

    func insert(
        _ job: BulkChangeJob, audit: AuditEntry, keeping keep: @escaping @Sendable (BulkChangeJob) -> KeptAnswer?
    ) async throws -> BulkChangeJob {
        try await store.insert(job, audit: audit, keeping: keep)
    }

    func advance(to progress: BulkChangeProgress, under lease: WorkLease) async throws {
        try stumbles.check()
        try await store.advance(to: progress, under: lease)
    }

    func bulkChange(_ id: String) async throws -> BulkChangeJob? { try await store.bulkChange(id) }

    func bulkChanges(of program: ProgramID) async throws -> [BulkChangeJob] {
        try await store.bulkChanges(of: program)
    }

    func claim(_ kind: WorkKind, by claim: WorkClaim) async throws -> WorkLease? {
        try await store.claim(kind, by: claim)
    }

    func renew(_ lease: WorkLease, at now: Timestamp) async throws { try await store.renew(lease, at: now) }

    func release(_ lease: WorkLease) async throws { try await store.release(lease) }

    func openWork(of kind: WorkKind, at now: Timestamp) async throws -> (count: Int, since: Timestamp?) {
        try await store.openWork(of: kind, at: now)
    }
}
