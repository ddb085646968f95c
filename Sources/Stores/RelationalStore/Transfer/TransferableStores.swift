package import DataStore
package import Database
import Shared

/// The location of a store whose rows can be copied to a store of another kind.
package protocol TransferableStores: DataStoreFactory {
    /// Lends a connection to the store as it is at one moment. No program may use the store meanwhile.
    func withSource<Value>(_ body: (Connection) throws -> Value) throws -> Value
    /// Lends a connection to an empty store in a transaction, which is committed when `body` returns; if anything
    /// fails, the store stays as it was. No program may use the store meanwhile.
    func withTarget<Value>(_ body: (Connection) throws -> Value) throws -> Value
}

extension TransferableStores {
    /// Copies the store into an empty one under a new epoch, and checks the copy; returns the number of rows.
    ///
    /// - Throws: ``StoreError``; the target is then as it was.
    package func copy(to target: some TransferableStores, progress: CopyProgress) throws -> Int {
        try withSource { source in
            try target.withTarget { try StoreTransfer(from: source, to: $0).run(progress: progress) }
        }
    }
}
