public import Shared

/// A change of the rows that imports are remembered in.
public enum ImportRowChange: Sendable {
    /// An import that begins, under the lease of the process that carries it out.
    case insert(ImportEntry, WorkLease)
    /// An import that begins again, under a lease.
    case restart(ImportEntry, WorkLease)
    /// How far an import is.
    case update(ImportEntry)
    /// What is listed of a row of an import, in place of what was.
    case list(ImportRow, of: String)
    /// A piece of what was sent, by its number from 0.
    case keep([UInt8], number: Int, of: String)
    /// No lease holds an import any more: it has ended, and what was sent is not needed.
    case end(String)
    /// Nothing is listed of an import's rows any more.
    case forgetRows(of: String)
    /// An import is forgotten, with what is listed of its rows.
    case remove(String)
}

/// Imports that are under way, or wait to be.
public struct OpenImports: Sendable, Equatable {
    /// How many.
    public let count: Int
    /// How many of them the same account has sent.
    public let own: Int
    /// The bytes that were sent with them.
    public let bytes: Int

    /// What is under way.
    public init(count: Int, own: Int, bytes: Int) {
        self.count = count
        self.own = own
        self.bytes = bytes
    }
}

/// The rules of remembering imports, over what a store has found.
public enum ImportPlans {
    /// Ended imports that are remembered.
    public static let kept = 1_000
    /// For how long after its end an import's rows are listed, in seconds: one day.
    public static let listed: Int64 = 86_400
    /// The most imports under way at once, in the whole store.
    public static let mostOpen = 64
    /// The most imports of one account under way at once.
    public static let mostOwn = 8
    /// The most bytes that are kept of imports under way, in the whole store; one import alone may always begin.
    public static let mostBytes = 100 << 20

    /// What becomes of an import that is sent.
    ///
    /// - Parameters:
    ///   - known: the newest import under the sender's key, however old.
    ///   - open: what is under way already.
    ///   - oldest: those that are forgotten when one more is remembered.
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

    /// A piece of what was sent.
    public static func piece(
        _ bytes: [UInt8], number: Int, under lease: WorkLease, stored: WorkLease?
    ) throws(LeaseLost) -> WritePlan<ImportRowChange, Void> {
        try lease.check(stored)
        return WritePlan([.keep(bytes, number: number, of: lease.work)])
    }

    /// How far an import is, with more of its rows. A record or an account may have gone since its row was dealt with.
    ///
    /// - Parameters:
    ///   - stored: the lease on the import as it is stored.
    ///   - isGone: whether the record or the account is gone that a row is about.
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
