public import Storage

/// What the records room needs of a store. One contract suite runs over every implementation.
public protocol RecordStore: Sendable {
    /// Rises with every change of a role, membership, session or program setting on which permissions rest.
    var accessVersion: Int { get }

    /// Stores a new record as version 1 of both views.
    func create(_ head: RecordHead, as amendment: Amendment, by context: WriteContext) async throws -> WriteOutcome

    /// Applies `change` to the record's truth, inside the transaction that stores what it returns.
    ///
    /// Order: the idempotency key (hit: the stored answer), access version, `expected`, then `change`. What
    /// `change` throws is thrown here and nothing is stored.
    func amend(
        _ record: RecordID, by context: WriteContext,
        _ change: @escaping @Sendable (RecordSnapshot) throws -> Amendment
    ) async throws -> WriteOutcome

    /// Deletes the record, keeping its audit trail.
    func delete(_ record: RecordID, by context: WriteContext) async throws

    /// The record as it stands; `nil` when there is none.
    func snapshot(of record: RecordID) async throws -> RecordSnapshot?

    /// The record's head without its documents; `nil` when there is none.
    func head(of record: RecordID) async throws -> RecordHead?

    /// The heads and versions of a student's records, or of a program's, oldest first, after `cursor`.
    func records(
        student: AccountID?, program: ProgramID?, after cursor: RecordID?, limit: Int
    ) async throws -> [RecordSnapshot]

    /// One view's history, newest first, below version `before`.
    func history(
        of record: RecordID, view: RecordView, before version: Version?, limit: Int
    ) async throws -> [HistoryItem]

    /// Current versions of many records at once, for the sweep: `(record, full, released)`; what is gone is absent.
    func versions(of records: [RecordID]) async throws -> [(record: RecordID, full: Version, released: Version)]
}
