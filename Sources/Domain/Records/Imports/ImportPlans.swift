public import Shared

/// A change of the stored rows of imports.
public enum ImportRowChange: Sendable {
    /// Inserts an import, under the lease of the process that carries it out.
    case insert(ImportEntry, WorkLease)
    /// Restarts an import under a lease.
    case restart(ImportEntry, WorkLease)
    /// Updates the progress of an import.
    case update(ImportEntry)
    /// Stores the report of a row of an import, replacing an earlier one.
    case list(ImportRow, of: String)
    /// Stores a piece of an import's body under its number, counted from 0.
    case keep([UInt8], number: Int, of: String)
    /// Removes the lease and the body of an import that has ended.
    case end(String)
    /// Deletes the reports of all rows of an import.
    case forgetRows(of: String)
    /// Removes an import with the reports of its rows.
    case remove(String)
}

/// The imports in progress or waiting.
public struct OpenImports: Sendable, Equatable {
    /// The number of imports.
    public let count: Int
    /// The number of imports that the same account sent.
    public let own: Int
    /// The number of bytes in their bodies.
    public let bytes: Int

    /// Creates the totals of open imports.
    public init(count: Int, own: Int, bytes: Int) {
        self.count = count
        self.own = own
        self.bytes = bytes
    }
}

/// Plans the writes of imports from what the store found.
public enum ImportPlans {
    /// The number of finished imports that the store keeps.
    public static let kept = 1_000
    /// The time that the report of an import's rows is kept after its end, in seconds: one day.
    public static let listed: Int64 = 86_400
    /// The maximum number of open imports in the whole store.
    public static let mostOpen = 64
    /// The maximum number of open imports of one account.
    public static let mostOwn = 8
    /// The maximum number of bytes stored for open imports in the whole store. An import may exceed it if no other is
    /// open.
    public static let mostBytes = 100 << 20

    /// Plans the admission of an import: begins it, restarts a failed one, returns a known one, or refuses.
    ///
    /// - Parameters:
    ///   - known: The newest import under the sender's key, however old.
    ///   - open: The imports that are open already.
    ///   - oldest: The imports to remove if one more is stored.
    /// - Throws: `StoreError.idempotencyMismatch` if the key belongs to another request of the last day.
    public static func admission(
        of entry: ImportEntry, by claim: WorkClaim, known: ImportEntry?, besides open: OpenImports,
        forgetting oldest: [String]
    ) throws(StoreError) -> WritePlan<ImportRowChange, ImportAdmission> {
        let hasRoom =
            open.count == 0
            || open.count < mostOpen && open.own < mostOwn && open.bytes + entry.order.size <= mostBytes
        guard let key = entry.key, let known, known.startedAt > IdempotencyKey.horizon(at: entry.startedAt) else {
            guard hasRoom else { return WritePlan([], value: .refused) }
            let lease = claim.lease(on: entry.id, .imports)
            return WritePlan(
                [.insert(entry, lease)] + oldest.map { .remove($0) }, value: .begun(entry, lease))
        }
        guard known.key?.digest == key.digest else { throw .idempotencyMismatch }
        guard known.state == .failed else { return WritePlan([], value: .known(known)) }
        guard hasRoom else { return WritePlan([], value: .refused) }
        let again = known.begunAgain(as: entry.order)
        let lease = claim.lease(on: again.id, .imports)
        return WritePlan([.restart(again, lease), .forgetRows(of: again.id)], value: .begun(again, lease))
    }

    /// Plans to store a piece of the body.
    public static func piece(
        _ bytes: [UInt8], number: Int, under lease: WorkLease, stored: WorkLease?
    ) throws(LeaseLost) -> WritePlan<ImportRowChange, Void> {
        try lease.check(stored)
        return WritePlan([.keep(bytes, number: number, of: lease.work)])
    }

    /// Plans to store the progress of an import and the report of more rows, except rows whose record or account was
    /// deleted since they were processed.
    ///
    /// - Parameters:
    ///   - stored: The lease on the import as the store holds it.
    ///   - isGone: Returns whether the record or the account of a row was deleted.
    public static func progress(
        of entry: ImportEntry, listing rows: [ImportRow], under lease: WorkLease, stored: WorkLease?,
        isGone: (ImportRow) throws -> Bool
    ) throws -> WritePlan<ImportRowChange, Void> {
        try lease.check(stored)
        let end: [ImportRowChange] = entry.state == .running ? [] : [.end(entry.id)]
        return WritePlan(
            [.update(entry)] + (try rows.filter { try !isGone($0) }).map { .list($0, of: entry.id) } + end)
    }
}
