import Records
import Storage
import Synchronization

/// Heads of the records written to lately, so that a grade is not preceded by a read.
///
/// A head is used under the access version it was read under. What may still have changed is found by the store, which
/// looks at the record's truth: a deleted record is not found, one judged by another version has moved, and then the
/// next permit is made from a head read afresh.
final class RecordHeads: Sendable {
    private struct Heads {
        var accessVersion = 0
        var heads: [RecordID: RecordHead] = [:]
    }

    private static let capacity = 16_384
    private let store: any RecordStore
    private let known = Mutex(Heads())

    init(store: any RecordStore) { self.store = store }

    /// The head as it was read under this access version, if it was.
    func recent(_ id: RecordID, under accessVersion: Int) -> RecordHead? {
        known.withLock { $0.accessVersion == accessVersion ? $0.heads[id] : nil }
    }

    /// The head from the store; `nil` when there is no such record. The access version was read before.
    func read(_ id: RecordID, under accessVersion: Int) async throws -> RecordHead? {
        guard let head = try await store.head(of: id) else { return nil }
        known.withLock { known in
            if known.accessVersion > accessVersion { return }
            if known.accessVersion < accessVersion || known.heads.count >= Self.capacity {
                known = Heads(accessVersion: accessVersion)
            }
            known.heads[id] = head
        }
        return head
    }
}
