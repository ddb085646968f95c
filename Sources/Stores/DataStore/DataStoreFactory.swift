public import Cryptography

/// A location of a store, whether the store exists yet or not. Opens the store, and performs operations on a store that
/// is not open.
public protocol DataStoreFactory: Sendable {
    /// The location, as shown to operators.
    var place: String { get }
    /// Whether the store exists.
    var exists: Bool { get }
    /// Whether another program is serving the store now.
    var isServed: Bool { get }

    /// Opens the store. A file is made if necessary, and its schema is brought up to date; a database of a server must
    /// have the schema of this program, see ``migrate()``.
    ///
    /// - Parameters:
    ///   - mayBeGuest: whether to write beside a running server, which notices the changes. A guest cannot write
    ///     records.
    ///   - observer: receives every commit before the commit's callers continue.
    ///   - gathering: runs the notifications of one batch.
    /// - Throws: ``StoreError/incompatible(_:)`` for a store that is damaged, belongs to another program or has a newer
    ///   schema; ``StoreError/unavailable(_:)`` when another program uses it, the system refuses or a database cannot be
    ///   reached.
    func open(
        mayBeGuest: Bool, observer: @escaping Commit.Observer, gathering: @escaping Commit.Gathering
    ) throws -> DataStore

    /// Makes the tables of a new store, or brings an older store's schema up to date; returns the names of the steps.
    /// Each step is a transaction.
    ///
    /// - Throws: as ``open(mayBeGuest:observer:gathering:)``; the store must not be in use.
    func migrate() throws -> [String]
    /// Throws what would keep a server from opening an existing store, without changing anything.
    func check() throws

    /// Copies the store into one file; another program may be using the store. The file appears at `destination` only
    /// when it is complete, checked and durable.
    ///
    /// - Parameter replaces: whether an existing file at `destination` may be replaced; otherwise it is an error.
    func backUp(to destination: String, replaces: Bool, progress: @escaping CopyProgress) throws
    /// Replaces the store with a backup under a new epoch, so that every client treats its content as new. The store
    /// must not be in use. If anything fails, the store is unchanged.
    func restore(from backup: String, progress: @escaping CopyProgress) throws
    /// Examines the store: its storage, and every audit trail by recomputing its chain. Another program may be using
    /// the store.
    func examine() throws -> Diagnosis
    /// Counts the stored passwords that need a pepper, and those that need a different one than the given one; `nil`
    /// for none.
    func passwords(pepper: Pepper?) throws -> PasswordCensus
    /// Runs what a server does at its start, such as making what its configuration names, while no other server does.
    func inTurn(_ body: () async throws -> Void) async throws
    /// Returns whether the store has the check value of a key file, which all its servers must share.
    func hasKeyCheck() throws -> Bool
    /// Compares the check value of this program's key file with the stored one, which it becomes if there is none; returns
    /// whether it is the same.
    func admit(keyCheck: [UInt8]) throws -> Bool
    /// Returns an institution by its identifier or a short name that it has or had, with its programs; `nil` if it or
    /// the store does not exist. Another program may be using the store.
    func institution(named name: String) throws -> StoredInstitution?
    /// Returns the census of scheme executables; `nil` for a store of an older schema without this information.
    func builds() throws -> (any BuildCensus)?
    /// Returns the census of entries that stand for rows of classes. Another program may be using the store.
    func links() throws -> any LinkCensus
}

extension DataStoreFactory {
    /// A store with one server needs no turns.
    public func inTurn(_ body: () async throws -> Void) async throws { try await body() }

    /// A store with one server has none.
    public func hasKeyCheck() throws -> Bool { false }

    /// The only server may have any key.
    public func admit(keyCheck: [UInt8]) throws -> Bool { true }
}

/// A function that receives the progress of a copy: pieces copied, and pieces in total.
public typealias CopyProgress = @Sendable (_ copied: Int, _ total: Int) -> Void
