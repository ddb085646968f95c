public import Shared

/// The store of records. One contract test suite runs against every implementation.
public protocol RecordStore: Sendable {
    /// The changes of access that this node knows about.
    var accessNews: AccessNews { get }

    /// Returns the current access versions of an account, an institution and a program.
    func accessVersions(
        of account: AccountID, in institution: InstitutionID, _ program: ProgramID
    ) async throws -> AccessVersions

    /// Stores a new record as version 1 of both views.
    ///
    /// Checks in order: the idempotency key (if it is known, returns the stored answer), then the permission, which
    /// also depends on the student's account.
    ///
    /// - Throws: `StoreError.taken(field: "id")` if a record has or ever had this identifier; `moved`,
    ///   `idempotencyMismatch`, `full`, `unavailable`.
    func create(_ head: RecordHead, as amendment: Amendment, by context: WriteContext) async throws -> WriteOutcome

    /// Applies `change` to the stored record, and stores what it returns in the same transaction.
    ///
    /// Checks in order: the idempotency key (if it is known, returns the stored answer), the permission, that the
    /// record exists, `expected`, then `change`. If `change` throws, nothing is stored and the error is thrown on.
    /// `change` runs on the store's own thread, and again if the changes that share its transaction are repeated: it
    /// must be quick and pure.
    ///
    /// The version of the full view rises by one; that of the released view too if its bytes differ. A change that
    /// alters neither view returns the current version, and stores nothing but its idempotency key.
    ///
    /// - Throws: `StoreError`: `idempotencyMismatch`, `moved`, `notFound`, `versionConflict`, `full`, `unavailable`;
    ///   otherwise what `change` throws.
    func amend(
        _ record: RecordID, by context: WriteContext,
        _ change: @escaping @Sendable (RecordSnapshot) throws -> Amendment
    ) async throws -> WriteOutcome

    /// Deletes the record under the conditions of `amend`. Its audit trail stays, and its identifier is never used
    /// again.
    ///
    /// - Throws: What `amend` throws; for a student, `FaultList` with `entered_by_staff` if staff entered or hid
    ///   anything in the record.
    func delete(_ record: RecordID, by context: WriteContext) async throws

    /// Returns the current record; `nil` if there is none.
    func snapshot(of record: RecordID) async throws -> RecordSnapshot?

    /// Returns the current record without reading its documents; `nil` if there is none.
    func outline(of record: RecordID) async throws -> RecordOutline?

    /// Returns up to `limit` records after `cursor`, oldest first: those of a student, of a program, of both, or all.
    func records(
        student: AccountID?, program: ProgramID?, after cursor: RecordID?, limit: Int
    ) async throws -> [RecordSnapshot]

    /// Returns one view's history below version `before`, newest first, with one item for each version: up to `limit`
    /// items, or fewer if they exceed a ``PageBudget``. The list is empty if the record does not exist.
    func history(
        of record: RecordID, view: RecordView, before version: Version?, limit: Int
    ) async throws -> [HistoryItem]

    /// Returns the current versions of many records and their epoch, read in one transaction, so that live readers can
    /// catch up.
    func versions(of records: [RecordID]) async throws -> CurrentVersions

    /// Returns the released versions of a student's records, the oldest `limit` of them.
    func releasedVersions(of student: AccountID, limit: Int) async throws -> [RecordID: Version]
}

/// The versions of records at one moment.
public struct CurrentVersions: Sendable {
    /// The versions of a record's two views.
    public struct Item: Sendable {
        /// The record.
        public let record: RecordID
        /// The version of the full view.
        public let full: Version
        /// The version of the released view.
        public let released: Version

        /// Creates the versions of a record.
        public init(record: RecordID, full: Version, released: Version) {
            self.record = record
            self.full = full
            self.released = released
        }
    }

    /// The store's epoch.
    public let epoch: Epoch
    /// The versions of the records that exist; deleted ones are absent.
    public let items: [Item]

    /// Creates the versions of records in an epoch.
    public init(epoch: Epoch, items: [Item]) {
        self.epoch = epoch
        self.items = items
    }
}

extension RecordStore {
    /// Returns the owner of the record and its rules; `nil` if there is no such record.
    public func head(of record: RecordID) async throws -> RecordHead? { try await outline(of: record)?.head }
}
