public import Cryptography

/// A place where a store is, or is to be: opens it, and does what is done to a store that need not be open.
public protocol DataStoreFactory: Sendable {
    /// What an operator calls the place.
    var place: String { get }
    /// Whether there is a store.
    var exists: Bool { get }
    /// Whether another program serves it at this moment.
    var isServed: Bool { get }

    /// Opens the store, making it when there is none, and brings its schema up to date.
    ///
    /// - Parameters:
    ///   - mayBeGuest: whether to write beside a server that serves it, which heeds the changes; not to records.
    ///   - observer: told of every commit, before the commit's callers go on.
    ///   - gathering: runs the telling of one batch.
    /// - Throws: ``StoreError/incompatible(_:)`` for what is damaged, another program's or of a newer schema;
    ///   ``StoreError/unavailable(_:)`` when another program uses it or the system refuses.
    func open(
        mayBeGuest: Bool, observer: @escaping Commit.Observer, gathering: @escaping Commit.Gathering
    ) throws -> DataStore

    /// Copies the store into one file; another program may be using it meanwhile. Nothing is at `destination` before the
    /// copy is complete, checked and durable.
    ///
    /// - Parameter replaces: whether what is at `destination` may be replaced; it is refused otherwise.
    func backUp(to destination: String, replaces: Bool, progress: @escaping CopyProgress) throws
    /// Puts a backup in the store's place, under a new epoch, so that every client takes it as new. The store must not
    /// be in use. If anything fails, it is as it was.
    func restore(from backup: String, progress: @escaping CopyProgress) throws
    /// Examines the store: what it is kept in, and every audit trail by recomputing its chain. Another program may be
    /// using it meanwhile.
    func examine() throws -> Diagnosis
    /// Looks how the passwords of the store go with a pepper; `nil` for no key at all.
    func passwords(pepper: Pepper?) throws -> PasswordCensus
    /// An institution by its identifier or short name, with its programs; `nil` when there is none, or no store. Another
    /// program may be using the store meanwhile.
    func institution(named name: String) throws -> StoredInstitution?
    /// What the store knows of the executables of schemes; `nil` for a store of an older form, which knows nothing.
    func builds() throws -> (any BuildCensus)?
}

/// Told how far a copy is: pieces copied, pieces in all.
public typealias CopyProgress = @Sendable (_ copied: Int, _ total: Int) -> Void
