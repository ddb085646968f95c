public import Cryptography
public import DataStore

/// A store in a SQLite file: opens it, and does what is done to one that need not be open.
public struct SQLiteStores: DataStoreFactory {
    private let path: String
    private let options: SQLiteStoreOptions

    /// The store in the file at `path`, whether there is one yet or not.
    public init(path: String, options: SQLiteStoreOptions = SQLiteStoreOptions()) {
        self.path = path
        self.options = options
    }

    /// The file.
    public var place: String { path }

    /// Whether the file is there.
    public var exists: Bool { DatabaseFile.exists(path) }

    /// Whether another program serves the store at this moment.
    public var isServed: Bool { SQLiteStore.isServed(path) }

    /// Opens the store.
    public func open(
        mayBeGuest: Bool, observer: @escaping Commit.Observer, gathering: @escaping Commit.Gathering
    ) throws -> DataStore {
        DataStore(
            try SQLiteStore.open(
                path: path, options: options, mayBeGuest: mayBeGuest, observer: observer, gathering: gathering))
    }

    /// Copies the store into one file.
    public func backUp(to destination: String, replaces: Bool, progress: @escaping CopyProgress) throws {
        try SQLiteStore.backUp(path, to: destination, replaces: replaces, progress: progress)
    }

    /// Puts a backup in the store's place.
    public func restore(from backup: String, progress: @escaping CopyProgress) throws {
        try SQLiteStore.restore(from: backup, to: path, progress: progress)
    }

    /// Examines the file, and every audit trail.
    public func examine() throws -> Diagnosis { try SQLiteStore.examine(path) }

    /// Looks how the passwords go with a pepper.
    public func passwords(pepper: Pepper?) throws -> PasswordCensus {
        try SQLiteStore.passwords(in: path, pepper: pepper)
    }

    /// An institution by its identifier or short name.
    public func institution(named name: String) throws -> StoredInstitution? {
        exists ? try SQLiteStore.institution(named: name, in: path) : nil
    }

    /// What the store knows of executables.
    public func builds() throws -> (any BuildCensus)? { try SQLiteBuildCensus(path) }
}
