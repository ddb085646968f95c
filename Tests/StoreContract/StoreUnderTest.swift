public import DataStore
public import Records
public import Shared

/// A store as the laws need it: one place on some disk, and the hands to do to it what life does.
public protocol StoreUnderTest: Sendable {
    /// The store, open.
    var data: DataStore { get }
    /// Opens the place where the store is, and does what is done to one that need not be open.
    var factory: any DataStoreFactory { get }
    /// What the observer was told since this was opened, in order.
    var commits: [Commit] { get }

    /// Commits a change that raises a subject's access version.
    func raiseAccess(of subject: AccessSubject) async throws
    /// Begins the same change and has it fail before it is done.
    func failToRaiseAccess(of subject: AccessSubject) async throws
    /// Runs changes so that a store that groups commits puts them into one; answers each one's end, in order.
    func inOneBatch(_ changes: [@Sendable (any RecordStore) async throws -> Void]) async -> [(any Error)?]
    /// Closes the store in good order and opens the same place again.
    func reopened() async throws -> any StoreUnderTest
    /// Opens a copy of what is on the disk at this moment, as a start after a crash would find it.
    func afterCrash() async throws -> any StoreUnderTest
    /// Makes a backup while the store is in use, and opens a store restored from it.
    func restored() async throws -> any StoreUnderTest
    /// Another place, where there is no store yet; it is there as long as this one.
    func otherPlace(_ name: String) -> any DataStoreFactory
    /// Where a backup may be written, as operators name the place.
    func backupPlace(_ name: String) -> String
    /// Opens another, empty store that has room for about 100 records of 8 KB.
    func small() async throws -> any StoreUnderTest
    /// What the store's own examination finds wrong; empty when it is sound.
    func faults() async throws -> [String]
    /// Closes the store.
    func close() async
}

extension StoreUnderTest {
    /// The store of records.
    var store: any RecordStore { data.records }
    /// The store's epoch.
    var epoch: Epoch { data.epoch }
    /// What the observer was told of records, in order.
    var events: [RecordEvent] { commits.flatMap(\.records) }
    /// What the observer was told of everything else, in order.
    var told: [StoreEvent] { commits.flatMap(\.events) }
}
