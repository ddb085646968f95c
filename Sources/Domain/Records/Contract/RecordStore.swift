public import Shared

/// What records need of a store. One contract suite runs over every implementation.
public protocol RecordStore: Sendable {
    /// What this node has heard of changes of access.
    var accessNews: AccessNews { get }

    /// The access versions of an account, an institution and a program as they stand.
    func accessVersions(
        of account: AccountID, in institution: InstitutionID, _ program: ProgramID
    ) async throws -> AccessVersions

    /// Stores a new record as version 1 of both views.
    ///
    /// Conditions in order: the idempotency key (hit: the stored answer), then the permission, which rests on the
    /// student's account too.
    ///
    /// - Throws: `StoreError.taken(field: "id")` when there is, or ever was, a record of that identifier; `moved`,
    ///   `idempotencyMismatch`, `full`, `unavailable`.
    func create(_ head: RecordHead, as amendment: Amendment, by context: WriteContext) async throws -> WriteOutcome

    /// Applies `change` to the record's truth, inside the transaction that stores what it returns.
    ///
    /// Conditions in order: the idempotency key (hit: the stored answer), the permission, the record's existence,
    /// `expected`, then `change`. What `change` throws is thrown here and nothing is stored. It is called on the
    /// store's own thread, and again where changes that share its transaction are repeated: it must be quick and pure.
    ///
    /// The full view's version rises by one; the released view's too if its bytes differ. A change
    /// that alters neither view is answered with the current version and leaves no trace but its key.
    ///
    /// - Throws: `StoreError`: `idempotencyMismatch`, `moved`, `notFound`, `versionConflict`, `full`, `unavailable`;
    ///   else what `change` throws.
    func amend(
        _ record: RecordID, by context: WriteContext,
        _ change: @escaping @Sendable (RecordSnapshot) throws -> Amendment
    ) async throws -> WriteOutcome

    /// Deletes the record under the conditions of `amend`, keeping its audit trail; its identifier is not used again.
    ///
    /// - Throws: what `amend` throws; for a student, `FaultList` with `entered_by_staff` where staff entered or hid
    ///   anything in it.
    func delete(_ record: RecordID, by context: WriteContext) async throws

    /// The record as it stands; `nil` when there is none.
    func snapshot(of record: RecordID) async throws -> RecordSnapshot?

    /// The record as it stands, without its documents, which are not read; `nil` when there is none.
    func outline(of record: RecordID) async throws -> RecordOutline?

    /// A student's records, a program's, those that are both, or all, oldest first, after `cursor`.
    func records(
        student: AccountID?, program: ProgramID?, after cursor: RecordID?, limit: Int
    ) async throws -> [RecordSnapshot]

    /// One view's history, one item a version, newest first, below version `before`: up to `limit` items, fewer where
    /// they spend a ``PageBudget``, and none when there are none or no such record.
    func history(
        of record: RecordID, view: RecordView, before version: Version?, limit: Int
    ) async throws -> [HistoryItem]

    /// Current versions of many records at once, for the reconciliation of live readers, with the epoch that they belong
    /// to; both are read in one transaction.
    func versions(of records: [RecordID]) async throws -> CurrentVersions
}

/// The versions that records have at a moment.
public struct CurrentVersions: Sendable {
    /// The versions of a record's two views.
    public struct Item: Sendable {
        /// The record.
        public let record: RecordID
        /// The full view's version.
        public let full: Version
        /// The released view's version.
        public let released: Version

        /// A record's versions.
        public init(record: RecordID, full: Version, released: Version) {
            self.record = record
            self.full = full
            self.released = released
        }
    }

    /// The store's epoch.
    public let epoch: Epoch
    /// The records that there are; what is gone is absent.
    public let items: [Item]

    /// Versions in an epoch.
    public init(epoch: Epoch, items: [Item]) {
        self.epoch = epoch
        self.items = items
    }
}

extension RecordStore {
    /// Whose the record is and which rules apply; `nil` when there is none.
    public func head(of record: RecordID) async throws -> RecordHead? { try await outline(of: record)?.head }
}
